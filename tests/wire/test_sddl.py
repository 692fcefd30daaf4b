"""SDDL: the published example to its octets, every letter, refusals with their place, hostile text. [MS-DTYP] 2.5.1"""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError
from msmqctl.wire.ace import OBJECT_TYPES, Ace, AceFlags, AceType, Entry, RawAce
from msmqctl.wire.sddl import format_sddl, parse_sddl
from msmqctl.wire.security import NULL_ACL, Acl, AclPart, Control, SecurityDescriptor
from msmqctl.wire.sid import EVERYONE, SYSTEM, Sid
from tests.wire.security_values import USER, masks, sids

# [MS-DTYP] 2.5.1.4, the text and the octets as printed.
EXAMPLE = "O:BAG:BAD:P(A;CIOI;GRGX;;;BU)(A;CIOI;GA;;;BA)(A;CIOI;GA;;;SY)(A;CIOI;GA;;;CO)S:P(AU;FA;GR;;;WD)"
EXAMPLE_OCTETS = bytes.fromhex(
    "01 00 14 b0 90 00 00 00 a0 00 00 00 14 00 00 00"
    "30 00 00 00 02 00 1c 00 01 00 00 00 02 80 14 00"
    "00 00 00 80 01 01 00 00 00 00 00 01 00 00 00 00"
    "02 00 60 00 04 00 00 00 00 03 18 00 00 00 00 a0"
    "01 02 00 00 00 00 00 05 20 00 00 00 21 02 00 00"
    "00 03 18 00 00 00 00 10 01 02 00 00 00 00 00 05"
    "20 00 00 00 20 02 00 00 00 03 14 00 00 00 00 10"
    "01 01 00 00 00 00 00 05 12 00 00 00 00 03 14 00"
    "00 00 00 10 01 01 00 00 00 00 00 03 00 00 00 00"
    "01 02 00 00 00 00 00 05 20 00 00 00 20 02 00 00"
    "01 02 00 00 00 00 00 05 20 00 00 00 20 02 00 00"
)
GUID = UUID("00112233-4455-6677-8899-aabbccddeeff")
OTHER = UUID("a0a1a2a3-b4b5-c6c7-d8d9-dadbdcdddedf")
ALLOWED, DENIED = AceType.ACCESS_ALLOWED_ACE_TYPE, AceType.ACCESS_DENIED_ACE_TYPE


def entry_of(text: str) -> Entry:
    """The only entry of a DACL, or of a SACL if the text says so."""
    descriptor = parse_sddl(text)
    acl = descriptor.sacl if text.startswith("S:") else descriptor.dacl
    assert isinstance(acl, Acl)
    (entry,) = acl.entries
    return entry


def mask_of(rights: str) -> int:
    entry = entry_of(f"D:(A;;{rights};;;WD)")
    assert isinstance(entry, Ace)
    return entry.mask


def test_the_example_of_the_document_both_ways() -> None:
    assert parse_sddl(EXAMPLE).pack().hex(" ") == EXAMPLE_OCTETS.hex(" ")
    assert format_sddl(SecurityDescriptor.read_all(EXAMPLE_OCTETS)) == EXAMPLE


@pytest.mark.parametrize(
    ("text", "descriptor"),
    [
        ("", SecurityDescriptor()),
        ("O:SY", SecurityDescriptor(owner=SYSTEM)),
        ("G:SY", SecurityDescriptor(group=SYSTEM)),
        ("O:SYS:", SecurityDescriptor(owner=SYSTEM, sacl=Acl())),
        (f"O:{USER}G:SY", SecurityDescriptor(USER, SYSTEM)),
        (f"O:{USER}D:", SecurityDescriptor(USER, dacl=Acl())),
        ("O:S-1-0xABCDEFABCDEFD:", SecurityDescriptor(Sid(0xABCDEFABCDEF), dacl=Acl())),
        ("D:", SecurityDescriptor(dacl=Acl())),
        ("D:NO_ACCESS_CONTROL", SecurityDescriptor(dacl=NULL_ACL)),
        ("D:PNO_ACCESS_CONTROLS:NO_ACCESS_CONTROL", SecurityDescriptor(dacl=NULL_ACL, sacl=NULL_ACL, control=Control.of(dacl_protected=1))),
        ("D:P", SecurityDescriptor(dacl=Acl(), control=Control(0x1000))),
        ("D:AR", SecurityDescriptor(dacl=Acl(), control=Control(0x0100))),
        ("D:AI", SecurityDescriptor(dacl=Acl(), control=Control(0x0400))),
        ("S:P", SecurityDescriptor(sacl=Acl(), control=Control(0x2000))),
        ("S:AR", SecurityDescriptor(sacl=Acl(), control=Control(0x0200))),
        ("S:AI", SecurityDescriptor(sacl=Acl(), control=Control(0x0800))),
        ("D:PARAIS:PARAI", SecurityDescriptor(dacl=Acl(), sacl=Acl(), control=Control(0x3F00))),
        ("D:(A;;0xf003f;;;WD)", SecurityDescriptor(dacl=Acl.of(Ace(ALLOWED, EVERYONE, 0xF003F)))),
        ("D:(D;;;;;SY)(A;;GA;;;WD)", SecurityDescriptor(dacl=Acl.of(Ace(DENIED, SYSTEM, 0), Ace(ALLOWED, EVERYONE, 0x10000000)))),
        ("S:(ML;;NWNX;;;LW)", SecurityDescriptor(sacl=Acl.of(Ace(AceType.SYSTEM_MANDATORY_LABEL_ACE_TYPE, Sid(16, (4096,)), 5)))),
        ("S:(SP;;;;;S-1-17-1)", SecurityDescriptor(sacl=Acl.of(Ace(AceType.SYSTEM_SCOPED_POLICY_ID_ACE_TYPE, Sid(17, (1,)), 0)))),
        (
            f"D:(OA;;CR;{GUID};{OTHER};WD)",
            SecurityDescriptor(dacl=Acl.of(Ace(AceType.ACCESS_ALLOWED_OBJECT_ACE_TYPE, EVERYONE, 0x100, AceFlags(0), GUID, OTHER))),
        ),
        (
            f"D:(OD;;CCSD;;{OTHER};WD)",
            SecurityDescriptor(
                dacl=Acl.of(Ace(AceType.ACCESS_DENIED_OBJECT_ACE_TYPE, EVERYONE, 0x10001, inherited_object_type=OTHER)),
            ),
        ),
        (
            "S:(OU;SA;0x200;;;WD)",
            SecurityDescriptor(sacl=Acl.of(Ace(AceType.SYSTEM_AUDIT_OBJECT_ACE_TYPE, EVERYONE, 0x200, AceFlags(0x40)))),
        ),
    ],
)
def test_text_and_descriptor_are_the_same(text: str, descriptor: SecurityDescriptor) -> None:
    assert parse_sddl(text) == descriptor
    assert format_sddl(descriptor) == text


@pytest.mark.parametrize(
    ("flags", "bits"),
    [("", 0), ("CI", 2), ("OI", 1), ("NP", 4), ("IO", 8), ("ID", 0x10), ("SA", 0x40), ("FA", 0x80), ("CIOINPIOIDSAFA", 0xDF), ("oiCi", 3)],
)
def test_every_flag_of_an_entry(flags: str, bits: int) -> None:
    entry = entry_of(f"D:(A;{flags};GA;;;WD)")
    assert entry.flags == bits
    assert format_sddl(SecurityDescriptor(dacl=Acl.of(entry))).upper() == f"D:(A;{'CIOI' if bits == 3 else flags};GA;;;WD)"


# Typed from the three tables of [MS-DTYP] 2.5.1.1, and the letters of a label.
RIGHTS = """
GR 80000000  GW 40000000  GX 20000000  GA 10000000  WO 00080000  WD 00040000  RC 00020000  SD 00010000
FA 001F01FF  FX 001200A0  FW 00120116  FR 00120089  KA 000F003F  KR 00020019  KX 00020019  KW 00020006
CR 00000100  LO 00000080  DT 00000040  WP 00000020  RP 00000010  SW 00000008  LC 00000004  DC 00000002  CC 00000001
NW 00000001  NR 00000002  NX 00000004
"""


@pytest.mark.parametrize(("letters", "mask"), list(zip(RIGHTS.split()[::2], RIGHTS.split()[1::2], strict=True)))
def test_every_right(letters: str, mask: str) -> None:
    assert mask_of(letters) == mask_of(letters.lower()) == int(mask, 16)


@pytest.mark.parametrize(
    ("rights", "mask"),
    [
        ("GRGWSDRC", 0xC0030000),
        ("CCCC", 1),
        ("0", 0),
        ("0x0", 0),
        ("0xF", 15),
        ("0XfFfFfFfF", 0xFFFFFFFF),
        ("017", 15),
        ("037777777777", 0xFFFFFFFF),
        ("15", 15),
        ("4294967295", 0xFFFFFFFF),
    ],
)
def test_rights_in_letters_and_numbers(rights: str, mask: int) -> None:
    assert mask_of(rights) == mask


@pytest.mark.parametrize(
    "rights", ["0x", "0x100000000", "0xG", "08", "040000000000", "4294967296", "9" * 5000, "1x", "-1", "+1", "0 ", "\u0661"]
)
def test_numbers_that_are_no_mask_are_refused(rights: str) -> None:
    with pytest.raises(DecodeError) as caught:
        mask_of(rights)
    assert (caught.value.where, caught.value.offset) == ("SDDL", 6)


@pytest.mark.parametrize(
    ("mask", "text"),
    [(0x2002B, "0x2002b"), (0xF0000, "SDRCWDWO"), (0x80000000, "GR"), (0x80000001, "0x80000001"), (0x100000, "0x100000"), (0, "")],
)
def test_letters_are_written_only_where_they_say_what_is_meant(mask: int, text: str) -> None:
    assert format_sddl(SecurityDescriptor(dacl=Acl.of(Ace(ALLOWED, EVERYONE, mask)))) == f"D:(A;;{text};;;WD)"


def test_aliases_in_a_domain_need_the_domain_and_are_written_out() -> None:
    domain = Sid.parse("S-1-5-21-1-2-3")
    assert (
        format_sddl(parse_sddl("O:DAG:duD:(A;;GA;;;LA)", domain))
        == "O:S-1-5-21-1-2-3-512G:S-1-5-21-1-2-3-513D:(A;;GA;;;S-1-5-21-1-2-3-500)"
    )
    with pytest.raises(DecodeError, match="every domain") as caught:
        parse_sddl("O:SYG:DA")
    assert (caught.value.where, caught.value.offset) == ("SDDL", 6)


def test_text_is_read_in_either_case() -> None:
    assert parse_sddl(EXAMPLE.lower()) == parse_sddl(EXAMPLE)
    assert parse_sddl("d:no_access_control") == SecurityDescriptor(dacl=NULL_ACL)


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("X", 0),
        (" O:SY", 0),
        ("O:SY ", 4),
        ("O:", 2),
        ("O:Z", 2),
        ("O:ZZ", 2),
        ("O:S-1", 2),
        ("O:S-1-5-4294967296", 8),
        ("O:S-1-5-018", 8),
        ("O:SYO:SY", 4),
        ("G:SYO:SY", 4),
        ("S:D:", 2),
        ("D:D:", 2),
        ("D:Q", 2),
        ("D:PX", 3),
        ("D:NO_ACCESS_CONTROL(A;;GA;;;WD)", 19),
        ("D:(", 3),
        ("D:()", 3),
        ("D:(A)", 4),
        ("D:(A;;GA;;WD)", 12),
        ("D:(A;;GA;;;WD", 13),
        ("D:(A;;GA;;;WD)(", 15),
        ("D:(A;;GA;;;WD))", 14),
        ("D:(A;;GA;;;)", 11),
        ("D:(A;;GA;;;WDWD)", 13),
        ("D:(A;;GA;;;WD;)", 13),
        ("D:(AU;;GA;;;WD)", 3),
        ("S:(A;;GA;;;WD)", 3),
        ("D:(Q;;GA;;;WD)", 3),
        ("D:(A;C;GA;;;WD)", 5),
        ("D:(A;CIXX;GA;;;WD)", 7),
        ("D:(A;;GAX;;;WD)", 8),
        ("D:(A;;GAXX;;;WD)", 8),
        (f"D:(A;;GA;{GUID};;WD)", 9),
        (f"D:(A;;GA;;{GUID};WD)", 10),
        ("D:(OA;;GA;00112233;;WD)", 10),
        (f"D:(OA;;GA;{{{GUID}}};;WD)", 10),
        ("D:(OA;;GA;;00112233445566778899aabbccddeeff;WD)", 11),
        ("D:(A;;GA;;;W\u017f)", 12),
        ("\u017f:", 0),
    ],
)
def test_nonsense_is_refused_with_its_place(text: str, offset: int) -> None:
    with pytest.raises(DecodeError) as caught:
        parse_sddl(text)
    assert (caught.value.where, caught.value.offset) == ("SDDL", offset)


@pytest.mark.parametrize("letters", ["XA", "XD", "XU", "ZA", "RA"])
def test_expressions_are_refused_in_a_sentence(letters: str) -> None:
    with pytest.raises(DecodeError, match="expression") as caught:
        parse_sddl(f'D:({letters};;GA;;;WD;(@User.Title=="PM"))')
    assert caught.value.offset == 3


def test_a_list_too_long_for_octets_is_refused() -> None:
    entry = "(A;;GA;;;WD)"
    assert len(parse_sddl("D:" + entry * 3276).pack()) == 20 + 65528
    with pytest.raises(DecodeError, match="65535"):
        parse_sddl("D:" + entry * 3277)


@pytest.mark.parametrize(
    ("descriptor", "where"),
    [
        (SecurityDescriptor(dacl=Acl.of(Ace(ALLOWED, SYSTEM, 0), RawAce(AceType(0xEE), b""))), "Dacl.Ace[1]"),
        (SecurityDescriptor(dacl=Acl.of(Ace(AceType.ACCESS_ALLOWED_CALLBACK_ACE_TYPE, SYSTEM, 0, data=b"artx"))), "Dacl.Ace[0]"),
        (SecurityDescriptor(sacl=Acl.of(Ace(AceType.SYSTEM_RESOURCE_ATTRIBUTE_ACE_TYPE, EVERYONE, 0))), "Sacl.Ace[0]"),
        (SecurityDescriptor(sacl=Acl.of(Ace(ALLOWED, EVERYONE, 0))), "Sacl.Ace[0]"),
        (SecurityDescriptor(dacl=Acl.of(Ace(AceType.SYSTEM_AUDIT_ACE_TYPE, EVERYONE, 0))), "Dacl.Ace[0]"),
    ],
)
def test_what_text_cannot_carry_is_not_written(descriptor: SecurityDescriptor, where: str) -> None:
    with pytest.raises(DecodeError, match="no text form") as caught:
        format_sddl(descriptor)
    assert caught.value.where == where


def test_what_has_no_meaning_is_left_out_of_the_text() -> None:
    bare = Ace(ALLOWED, EVERYONE, 0xF003F)
    odd = replace(bare, flags=AceFlags.of(reserved=1), data=b"room")
    control = Control.of(owner_defaulted=1, dacl_trusted=1)
    assert format_sddl(SecurityDescriptor(dacl=Acl((odd,), 4, 1, 2), control=control)) == format_sddl(SecurityDescriptor(dacl=Acl.of(bare)))


flags_with_letters = st.integers(0, 0xFF).map(lambda bits: AceFlags(bits & 0xDF))


def entries_of(*kinds: AceType) -> st.SearchStrategy[Ace]:
    plain = st.builds(Ace, st.sampled_from([kind for kind in kinds if kind not in OBJECT_TYPES]), sids, masks, flags_with_letters)
    guids = st.none() | st.uuids()
    objects = st.builds(
        Ace, st.sampled_from([kind for kind in kinds if kind in OBJECT_TYPES]), sids, masks, flags_with_letters, guids, guids
    )
    return plain | objects


def lists_of(*kinds: AceType) -> st.SearchStrategy[AclPart]:
    return st.none() | st.just(NULL_ACL) | st.lists(entries_of(*kinds), max_size=4).map(lambda found: Acl.of(*found))


DACLS = lists_of(ALLOWED, DENIED, AceType.ACCESS_ALLOWED_OBJECT_ACE_TYPE, AceType.ACCESS_DENIED_OBJECT_ACE_TYPE)
SACLS = lists_of(AceType.SYSTEM_AUDIT_ACE_TYPE, AceType.SYSTEM_AUDIT_OBJECT_ACE_TYPE, AceType.SYSTEM_MANDATORY_LABEL_ACE_TYPE)


@given(st.none() | sids, st.none() | sids, DACLS, SACLS, st.integers(0, 0x3F))
def test_every_descriptor_that_has_a_text_survives_it(
    owner: Sid | None, group: Sid | None, dacl: AclPart, sacl: AclPart, bits: int
) -> None:
    # P, AR and AI of a list exist only together with the list.
    control = Control(bits << 8 & (0x1500 if dacl is not None else 0) | bits << 8 & (0x2A00 if sacl is not None else 0))
    descriptor = SecurityDescriptor(owner, group, dacl, sacl, control)
    assert parse_sddl(format_sddl(descriptor)) == descriptor


@given(st.data())
def test_damaged_text_is_read_or_refused(data: st.DataObject) -> None:
    text = list(EXAMPLE)
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(
            st.sampled_from(["", "(", ")", ";", ":", "A", "S-1-5", "0x", "-", "\u0131", "O:"])
        )
    read_or_refuse("".join(text))


@given(st.text("OGDS:(;)APRIUX0x19-", max_size=40) | st.text(max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    read_or_refuse(text)


def refusal_of(text: str) -> DecodeError | None:
    try:
        parse_sddl(text)
    except DecodeError as error:
        return error
    return None


def read_or_refuse(text: str) -> None:
    """Only DecodeError may come out, with a place in the text; what is read is written and read again."""
    refusal = refusal_of(text)
    if refusal is None:
        assert parse_sddl(format_sddl(parse_sddl(text))) == parse_sddl(text)
    else:
        assert refusal.where == "SDDL"
        assert 0 <= refusal.offset <= len(text)
