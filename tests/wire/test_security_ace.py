"""Entries of lists: every layout, and those that nobody knows. [MS-DTYP] 2.4.4"""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError
from msmqctl.wire.ace import OBJECT_TYPES, SIMPLE_TYPES, Ace, AceFlags, AceType, Entry, RawAce, read_entry
from msmqctl.wire.record import Reader
from msmqctl.wire.sid import EVERYONE, SYSTEM, Sid
from tests.wire.assertions import assert_wire
from tests.wire.security_values import entries

A = UUID("a0a1a2a3-b4b5-c6c7-d8d9-dadbdcdddedf")
B = UUID("00112233-4455-6677-8899-aabbccddeeff")
A_OCTETS = "a3 a2 a1 a0 b5 b4 c7 c6 d8 d9 da db dc dd de df"
B_OCTETS = "33 22 11 00 55 44 77 66 88 99 aa bb cc dd ee ff"
WORLD = "01 01 00 00 00 00 00 01 00 00 00 00"


def read_all(data: bytes) -> Entry:
    reader = Reader(data)
    entry = read_entry(reader)
    reader.expect_end("Ace")
    return entry


def pack(entry: Entry) -> bytes:
    return entry.pack()


# Typed from [MS-DTYP] 2.4.4.1.
TYPES = """
ACCESS_ALLOWED_ACE_TYPE ACCESS_DENIED_ACE_TYPE SYSTEM_AUDIT_ACE_TYPE SYSTEM_ALARM_ACE_TYPE ACCESS_ALLOWED_COMPOUND_ACE_TYPE
ACCESS_ALLOWED_OBJECT_ACE_TYPE ACCESS_DENIED_OBJECT_ACE_TYPE SYSTEM_AUDIT_OBJECT_ACE_TYPE SYSTEM_ALARM_OBJECT_ACE_TYPE
ACCESS_ALLOWED_CALLBACK_ACE_TYPE ACCESS_DENIED_CALLBACK_ACE_TYPE ACCESS_ALLOWED_CALLBACK_OBJECT_ACE_TYPE
ACCESS_DENIED_CALLBACK_OBJECT_ACE_TYPE SYSTEM_AUDIT_CALLBACK_ACE_TYPE SYSTEM_ALARM_CALLBACK_ACE_TYPE
SYSTEM_AUDIT_CALLBACK_OBJECT_ACE_TYPE SYSTEM_ALARM_CALLBACK_OBJECT_ACE_TYPE SYSTEM_MANDATORY_LABEL_ACE_TYPE
SYSTEM_RESOURCE_ATTRIBUTE_ACE_TYPE SYSTEM_SCOPED_POLICY_ID_ACE_TYPE
"""


def test_types_are_numbered_as_in_the_document() -> None:
    assert [AceType(number).name for number in range(0x14)] == TYPES.split()
    assert not AceType(0x14).known


@pytest.mark.parametrize(
    ("name", "bit"),
    [
        ("object_inherit", 0x01),
        ("container_inherit", 0x02),
        ("no_propagate_inherit", 0x04),
        ("inherit_only", 0x08),
        ("inherited", 0x10),
        ("reserved", 0x20),
        ("successful_access", 0x40),
        ("failed_access", 0x80),
    ],
)
def test_flags_have_their_bits(name: str, bit: int) -> None:
    assert AceFlags.of(**{name: 1}) == bit


@pytest.mark.parametrize(
    ("entry", "data"),
    [
        # "(A;CIOI;GRGX;;;BU)" of [MS-DTYP] 2.5.1.4
        (
            Ace(AceType.ACCESS_ALLOWED_ACE_TYPE, Sid(5, (32, 545)), 0xA0000000, AceFlags(3)),
            "00 03 18 00 00 00 00 a0 01 02 00 00 00 00 00 05 20 00 00 00 21 02 00 00",
        ),
        (Ace(AceType.ACCESS_DENIED_ACE_TYPE, EVERYONE, 0x4, AceFlags(0x10)), f"01 10 14 00 04 00 00 00 {WORLD}"),
        (Ace(AceType.SYSTEM_AUDIT_ACE_TYPE, EVERYONE, 0x80000000, AceFlags(0x80)), f"02 80 14 00 00 00 00 80 {WORLD}"),
        (Ace(AceType.ACCESS_ALLOWED_OBJECT_ACE_TYPE, EVERYONE, 0x100), f"05 00 18 00 00 01 00 00 00 00 00 00 {WORLD}"),
        (
            Ace(AceType.ACCESS_ALLOWED_OBJECT_ACE_TYPE, EVERYONE, 0x100, object_type=A),
            f"05 00 28 00 00 01 00 00 01 00 00 00 {A_OCTETS} {WORLD}",
        ),
        (
            Ace(AceType.ACCESS_DENIED_OBJECT_ACE_TYPE, EVERYONE, 0x100, inherited_object_type=B),
            f"06 00 28 00 00 01 00 00 02 00 00 00 {B_OCTETS} {WORLD}",
        ),
        (
            Ace(AceType.SYSTEM_AUDIT_OBJECT_ACE_TYPE, EVERYONE, 0x100, AceFlags(0), A, B, reserved_object_flags=1),
            f"07 00 38 00 00 01 00 00 07 00 00 00 {A_OCTETS} {B_OCTETS} {WORLD}",
        ),
        (
            Ace(AceType.ACCESS_ALLOWED_CALLBACK_ACE_TYPE, EVERYONE, 1, data=b"artx\xf8\x00\x00\x00"),
            f"09 00 1c 00 01 00 00 00 {WORLD} 61 72 74 78 f8 00 00 00",
        ),
        (
            Ace(AceType.ACCESS_DENIED_CALLBACK_OBJECT_ACE_TYPE, EVERYONE, 1, object_type=A, data=b"artx"),
            f"0c 00 2c 00 01 00 00 00 01 00 00 00 {A_OCTETS} {WORLD} 61 72 74 78",
        ),
        (
            Ace(AceType.SYSTEM_MANDATORY_LABEL_ACE_TYPE, Sid(16, (4096,)), 1),
            "11 00 14 00 01 00 00 00 01 01 00 00 00 00 00 10 00 10 00 00",
        ),
        # Room behind the SID has no meaning in a plain entry, and is kept.
        (Ace(AceType.ACCESS_ALLOWED_ACE_TYPE, EVERYONE, 1, data=b"\1\2\3\4"), f"00 00 18 00 01 00 00 00 {WORLD} 01 02 03 04"),
        (RawAce(AceType.ACCESS_ALLOWED_COMPOUND_ACE_TYPE, b"\1\2\3\4", AceFlags(8)), "04 08 08 00 01 02 03 04"),
        (RawAce(AceType(0xEE), b""), "ee 00 04 00"),
    ],
)
def test_an_entry_octet_by_octet(entry: Entry, data: str) -> None:
    octets = bytes.fromhex(data)
    assert entry.size == len(octets)
    assert_wire(entry, octets, read=read_all, pack=pack)


def test_each_type_is_understood_or_kept() -> None:
    understood = set()
    for number in range(0x100):
        body = (bytes(4) if AceType(number) in OBJECT_TYPES else b"") + bytes.fromhex(WORLD)
        data = bytes((number, 0, 8 + len(body), 0)) + b"\1\0\0\0" + body
        entry = read_all(data)
        assert entry.pack() == data
        if isinstance(entry, Ace):
            understood.add(number)
    assert understood == {0, 1, 2, 5, 6, 7, 9, 0xA, 0xB, 0xC, 0xD, 0xF, 0x11, 0x12, 0x13}


@pytest.mark.parametrize(
    ("data", "where", "offset"),
    [
        (f"00 00 00 00 01 00 00 00 {WORLD}", "AceHeader.size", 2),
        (f"00 00 03 00 01 00 00 00 {WORLD}", "AceHeader.size", 2),
        (f"00 00 16 00 01 00 00 00 {WORLD} 00 00", "AceHeader.size", 2),
        (f"00 00 18 00 01 00 00 00 {WORLD}", "AceHeader.size", 2),
        (f"00 00 ff ff 01 00 00 00 {WORLD}", "AceHeader.size", 2),
        ("ee 00 08 00", "AceHeader.size", 2),
        (f"00 00 04 00 01 00 00 00 {WORLD}", "Ace.mask", 4),
        (f"00 00 08 00 01 00 00 00 {WORLD}", "Sid.revision", 8),
        # The SID may not reach over the end of its entry, even if octets follow.
        (f"00 00 10 00 01 00 00 00 {WORLD}", "Sid.sub_authority", 16),
        ("00 00 14 00 01 00 00 00 02 01 00 00 00 00 00 01 00 00 00 00", "Sid.revision", 8),
        (f"05 00 18 00 01 00 00 00 01 00 00 00 {WORLD}", "Ace.object_type", 12),
        (f"05 00 28 00 01 00 00 00 03 00 00 00 {A_OCTETS} {WORLD}", "Ace.inherited_object_type", 28),
    ],
)
def test_an_entry_that_lies_about_its_size_is_refused(data: str, where: str, offset: int) -> None:
    with pytest.raises(DecodeError) as caught:
        read_all(bytes.fromhex(data))
    assert (caught.value.where, caught.value.offset) == (where, offset)


def test_impossible_entries_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="use RawAce"):
        Ace(AceType(0xEE), EVERYONE, 0)
    with pytest.raises(ValueError, match="use Ace"):
        RawAce(AceType.ACCESS_ALLOWED_ACE_TYPE, b"")
    with pytest.raises(ValueError, match="GUID"):
        Ace(AceType.ACCESS_ALLOWED_ACE_TYPE, EVERYONE, 0, object_type=A)
    with pytest.raises(ValueError, match="32 bits"):
        Ace(AceType.ACCESS_ALLOWED_ACE_TYPE, EVERYONE, 1 << 32)
    with pytest.raises(ValueError, match="multiple of 4"):
        Ace(AceType.ACCESS_ALLOWED_CALLBACK_ACE_TYPE, EVERYONE, 0, data=b"abc")
    with pytest.raises(ValueError, match="multiple of 4"):
        RawAce(AceType(0xEE), b"abc")
    with pytest.raises(ValueError, match="limit"):
        Ace(AceType.ACCESS_ALLOWED_CALLBACK_ACE_TYPE, SYSTEM, 0, data=bytes(65516)).pack()


@given(entries)
def test_every_entry_survives(entry: Entry) -> None:
    data = entry.pack()
    assert entry.size == len(data)
    assert read_all(data) == entry


@given(st.sampled_from(sorted(SIMPLE_TYPES | OBJECT_TYPES)), st.binary(max_size=80))
def test_any_octets_are_read_or_refused(kind: AceType, body: bytes) -> None:
    data = bytes((kind, 0, 4 + len(body), 0)) + body
    try:
        entry = read_all(data)
    except DecodeError:
        return
    assert entry.pack() == data
