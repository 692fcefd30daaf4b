"""SIDs: octets, text, names. [MS-DTYP] 2.4.2"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError
from msmqctl.wire.sid import (
    ADMINISTRATORS,
    ANONYMOUS_LOGON,
    AUTHENTICATED_USERS,
    EVERYONE,
    IN_DOMAIN,
    OWNER_RIGHTS,
    SYSTEM,
    WELL_KNOWN,
    Sid,
    parse_alias,
    parse_principal,
)
from tests.wire.assertions import assert_wire
from tests.wire.security_values import USER, USER_OCTETS, sids

DOMAIN = Sid.parse("S-1-5-21-3181267629-1039849782-3663111779")

VECTORS = [
    ("S-1-5-21-3181267629-1039849782-3663111779-1000", USER_OCTETS),
    ("S-1-1-0", bytes.fromhex("01 01 00 00 00 00 00 01 00 00 00 00")),
    ("S-1-5-32-544", bytes.fromhex("01 02 00 00 00 00 00 05 20 00 00 00 20 02 00 00")),
    ("S-1-5", bytes.fromhex("01 00 00 00 00 00 00 05")),
    ("S-1-4294967295-1", bytes.fromhex("01 01 00 00 ff ff ff ff 01 00 00 00")),
    ("S-1-0x000100000000-1", bytes.fromhex("01 01 00 01 00 00 00 00 01 00 00 00")),
    ("S-1-0xABCDEF012345-4294967295", bytes.fromhex("01 01 ab cd ef 01 23 45 ff ff ff ff")),
    ("S-1-9" + "-7" * 15, bytes.fromhex("01 0f 00 00 00 00 00 09" + "07 00 00 00" * 15)),
]


@pytest.mark.parametrize(("text", "data"), VECTORS)
def test_a_sid_is_the_same_in_text_and_octets(text: str, data: bytes) -> None:
    sid = Sid.parse(text)
    assert str(sid) == text
    assert_wire(sid, data, read=Sid.read_all, pack=Sid.pack)


def test_the_user_of_the_examples_takes_28_octets() -> None:
    assert str(USER) == "S-1-5-21-3181267629-1039849782-3663111779-1000"
    assert len(USER.pack()) == 28


def test_text_is_read_in_either_case() -> None:
    assert Sid.parse("s-1-5-18") == SYSTEM
    assert Sid.parse("S-1-0Xabcdef012345-1") == Sid(0xABCDEF012345, (1,))


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("", 0),
        ("S", 0),
        ("S-1", 0),
        ("S-1-", 0),
        ("S-2-5-18", 0),
        ("S-1-5-", 0),
        ("S-1-5--18", 0),
        ("S-1-5-18 ", 0),
        (" S-1-5-18", 0),
        ("S-1-5-x", 0),
        ("S-1-5-\u0661", 0),
        ("\u017f-1-5-18", 0),
        ("S-1-0xABCDEF01234-1", 0),
        ("S-1-0xABCDEF0123456-1", 0),
        ("S-1-0x000000000005-18", 4),
        ("S-1-05-18", 4),
        ("S-1-4294967296-18", 4),
        ("S-1-5-018", 6),
        ("S-1-5-00", 6),
        ("S-1-5-32-4294967296", 9),
        ("S-1-5-" + "9" * 100_000, 6),
        ("S-1-9" + "-7" * 16, 35),
    ],
)
def test_text_that_is_no_sid_is_refused_with_its_place(text: str, offset: int) -> None:
    with pytest.raises(DecodeError) as caught:
        Sid.parse(text)
    assert (caught.value.where, caught.value.offset) == ("SID", offset)


@pytest.mark.parametrize(
    ("data", "where", "offset"),
    [
        ("00 01 00 00 00 00 00 01 00 00 00 00", "Sid.revision", 0),
        ("02 01 00 00 00 00 00 01 00 00 00 00", "Sid.revision", 0),
        ("01 10 00 00 00 00 00 01" + "00 00 00 00" * 16, "Sid.sub_authority_count", 1),
        ("01 ff 00 00 00 00 00 01", "Sid.sub_authority_count", 1),
        ("01 02 00 00 00 00 00 01 00 00 00 00", "Sid.sub_authority", 8),
        ("01 01 00 00 00 00 00 01 00 00 00 00 00", "Sid", 12),
    ],
)
def test_octets_that_are_no_sid_are_refused(data: str, where: str, offset: int) -> None:
    with pytest.raises(DecodeError) as caught:
        Sid.read_all(bytes.fromhex(data))
    assert (caught.value.where, caught.value.offset) == (where, offset)


@pytest.mark.parametrize(("authority", "numbers"), [(-1, ()), (1 << 48, ()), (5, (1 << 32,)), (5, (-1,)), (5, (1,) * 16)])
def test_an_impossible_sid_cannot_be_made(authority: int, numbers: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="authorit"):
        Sid(authority, numbers)


@given(sids)
def test_every_sid_survives_octets_and_text(sid: Sid) -> None:
    assert Sid.read_all(sid.pack()) == sid
    assert Sid.parse(str(sid)) == sid


@given(st.binary(max_size=80))
def test_any_octets_are_read_or_refused(data: bytes) -> None:
    try:
        sid = Sid.read_all(data)
    except DecodeError:
        return
    assert sid.pack() == data


@given(st.text("Ss-0123456789xXabcdef", max_size=30) | st.text(max_size=10))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        sid = Sid.parse(text)
    except DecodeError:
        return
    assert str(sid).casefold() == text.casefold()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("S-1-1-0", "Everyone"),
        ("S-1-3-4", "OWNER RIGHTS"),
        ("S-1-5-7", "ANONYMOUS LOGON"),
        ("S-1-5-11", "Authenticated Users"),
        ("S-1-5-18", "SYSTEM"),
        ("S-1-5-20", "NETWORK SERVICE"),
        ("S-1-5-32-544", "Administrators"),
        ("S-1-5-32-545", "Users"),
        ("S-1-5-21-1-2-3-512", "Domain Admins"),
        ("S-1-5-21-1-2-3-515", "Domain Computers"),
        ("S-1-5-21-0-0-0-497", "Claims Valid"),
        ("S-1-5-21-1-2-3-1000", None),
        ("S-1-5-21-1-2-512", None),
        ("S-1-4-21-1-2-3-512", None),
        ("S-1-5-22-1-2-3-512", None),
        ("S-1-5", None),
    ],
)
def test_well_known_sids_have_names(text: str, name: str | None) -> None:
    assert Sid.parse(text).name == name


def test_the_constants_are_the_sids_they_are_called() -> None:
    constants = (EVERYONE, OWNER_RIGHTS, ANONYMOUS_LOGON, AUTHENTICATED_USERS, SYSTEM, ADMINISTRATORS)
    assert [str(sid) for sid in constants] == ["S-1-1-0", "S-1-3-4", "S-1-5-7", "S-1-5-11", "S-1-5-18", "S-1-5-32-544"]


# Typed from [MS-DTYP] 2.5.1.1 and 2.4.2.4; `d-` stands for the domain.
ALIASES = """
DA d-512  DG d-514  DU d-513  ED 5-9  DD d-516  DC d-515  BA 5-32-544  BG 5-32-546  BU 5-32-545  LA d-500  LG d-501  AO 5-32-548
BO 5-32-551  PO 5-32-550  SO 5-32-549  AU 5-11  PS 5-10  CO 3-0  CG 3-1  SY 5-18  PU 5-32-547  WD 1-0  RE 5-32-552  IU 5-4  NU 5-2
SU 5-6  RC 5-12  WR 5-33  AN 5-7  SA d-518  CA d-517  RS d-553  EA d-519  PA d-520  RU 5-32-554  LS 5-19  NS 5-20  RD 5-32-555
NO 5-32-556  MU 5-32-558  LU 5-32-559  IS 5-32-568  CY 5-32-569  OW 3-4  ER 5-32-573  RO d-498  CD 5-32-574  AC 15-2-1  RA 5-32-575
ES 5-32-576  MS 5-32-577  UD 5-84-0-0-0-0-0  HA 5-32-578  CN d-522  AA 5-32-579  RM 5-32-580  LW 16-4096  ME 16-8192  MP 16-8448
HI 16-12288  SI 16-16384
"""


def test_every_alias_of_the_document_is_known_and_no_other() -> None:
    table = dict(zip(ALIASES.split()[::2], ALIASES.split()[1::2], strict=True))
    found = {alias: str(parse_alias(alias, DOMAIN)).replace(str(DOMAIN), "S-1-d") for alias in table}
    assert found == {alias: f"S-1-{numbers}" for alias, numbers in table.items()}
    assert {alias for _, alias, _ in (*WELL_KNOWN, *IN_DOMAIN) if alias} == set(table)


def test_the_tables_say_nothing_twice() -> None:
    sids_and_rids = [known[0] for known in (*WELL_KNOWN, *IN_DOMAIN)]
    names = [name.casefold() for _, _, name in (*WELL_KNOWN, *IN_DOMAIN)]
    assert len(sids_and_rids) == len(set(sids_and_rids))
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("text", "sid"),
    [
        ("S-1-5-18", "S-1-5-18"),
        ("everyone", "S-1-1-0"),
        ("Anonymous Logon", "S-1-5-7"),
        ("NT AUTHORITY\\SYSTEM", "S-1-5-18"),
        ("BUILTIN\\Administrators", "S-1-5-32-544"),
        ("builtin\\users", "S-1-5-32-545"),
        ("wd", "S-1-1-0"),
        ("Domain Admins", "S-1-5-21-3181267629-1039849782-3663111779-512"),
        ("DA", "S-1-5-21-3181267629-1039849782-3663111779-512"),
    ],
)
def test_people_may_write_names(text: str, sid: str) -> None:
    assert str(parse_principal(text, DOMAIN)) == sid


@pytest.mark.parametrize(
    "text", ["", "S-", "S-1-5-x", "nobody", "BUILTIN\\SYSTEM", "NT AUTHORITY\\Users", "ZZ", "Everyone ", "\u017fystem", "\u017fY"]
)
def test_names_that_nobody_knows_are_refused(text: str) -> None:
    with pytest.raises(DecodeError):
        parse_principal(text, DOMAIN)


@pytest.mark.parametrize("text", ["DA", "Domain Admins"])
def test_somebody_in_a_domain_needs_the_domain(text: str) -> None:
    with pytest.raises(DecodeError, match="different SID in every domain") as caught:
        parse_principal(text)
    assert caught.value.hint is not None
