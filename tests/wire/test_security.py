"""Lists and self-relative descriptors: literal octets, the three kinds of no list, hostile offsets. [MS-DTYP] 2.4.5, 2.4.6"""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError
from msmqctl.wire.ace import Ace, AceType, Entry, RawAce
from msmqctl.wire.record import Reader
from msmqctl.wire.security import NULL_ACL, Acl, AclPart, Control, SecurityDescriptor
from msmqctl.wire.sid import ANONYMOUS_LOGON, EVERYONE, SYSTEM, Sid
from tests.wire.assertions import assert_wire
from tests.wire.security_values import USER, USER_OCTETS, acls, descriptors

ALLOWED = AceType.ACCESS_ALLOWED_ACE_TYPE
DOMAIN = USER.sub_authorities[:-1]
WORLD = "01 01 00 00 00 00 00 01 00 00 00 00"

# A queue that a domain user made through the directory, reachable by HTTP: Everyone may look and send, the anonymous may send, the
# machine may look, the owner may all. Its parts in Windows' order: no SACL, DACL at 0x14, owner at 0x8C, group at 0xA8.
QUEUE_OCTETS = bytes.fromhex(
    "01 00 04 80 8c 00 00 00 a8 00 00 00 00 00 00 00 14 00 00 00"
    "02 00 78 00 04 00 00 00"
    "00 00 14 00 24 00 02 00 01 01 00 00 00 00 00 01 00 00 00 00"
    "00 00 14 00 04 00 00 00 01 01 00 00 00 00 00 05 07 00 00 00"
    "00 00 24 00 20 00 02 00 01 05 00 00 00 00 00 05 15 00 00 00 ad 4a 9e bd 36 d9 fa 3d 63 a6 56 da 53 04 00 00"
    "00 00 24 00 3f 00 0f 00 01 05 00 00 00 00 00 05 15 00 00 00 ad 4a 9e bd 36 d9 fa 3d 63 a6 56 da e8 03 00 00"
    "01 05 00 00 00 00 00 05 15 00 00 00 ad 4a 9e bd 36 d9 fa 3d 63 a6 56 da e8 03 00 00"
    "01 05 00 00 00 00 00 05 15 00 00 00 ad 4a 9e bd 36 d9 fa 3d 63 a6 56 da 01 02 00 00"
)
QUEUE = SecurityDescriptor(
    owner=USER,
    group=Sid(5, (*DOMAIN, 513)),
    dacl=Acl.of(
        Ace(ALLOWED, EVERYONE, 0x20024),
        Ace(ALLOWED, ANONYMOUS_LOGON, 0x4),
        Ace(ALLOWED, Sid(5, (*DOMAIN, 1107)), 0x20020),
        Ace(ALLOWED, USER, 0xF003F),
    ),
)


def read_acl(data: bytes) -> Acl:
    reader = Reader(data)
    acl = Acl.read(reader)
    reader.expect_end("Acl")
    return acl


def header(control: int = 0x8000, owner: int = 0, group: int = 0, sacl: int = 0, dacl: int = 0, revision: int = 1) -> bytes:
    return struct.pack("<BBHIIII", revision, 0, control, owner, group, sacl, dacl)


def fault_of(data: bytes) -> tuple[str, int]:
    with pytest.raises(DecodeError) as caught:
        SecurityDescriptor.read_all(data)
    return caught.value.where, caught.value.offset


def test_the_descriptor_of_a_queue_octet_by_octet() -> None:
    assert_wire(QUEUE, QUEUE_OCTETS, read=SecurityDescriptor.read_all, pack=SecurityDescriptor.pack)


@pytest.mark.parametrize(
    ("descriptor", "data"),
    [
        (SecurityDescriptor(), header(0x8000)),
        (SecurityDescriptor(dacl=NULL_ACL), header(0x8004)),
        (SecurityDescriptor(dacl=Acl()), header(0x8004, dacl=20) + bytes.fromhex("02 00 08 00 00 00 00 00")),
        (SecurityDescriptor(sacl=NULL_ACL), header(0x8010)),
        (SecurityDescriptor(sacl=Acl()), header(0x8010, sacl=20) + bytes.fromhex("02 00 08 00 00 00 00 00")),
        (SecurityDescriptor(owner=SYSTEM), header(owner=20) + bytes.fromhex("01 01 00 00 00 00 00 05 12 00 00 00")),
        (SecurityDescriptor(group=SYSTEM), header(group=20) + bytes.fromhex("01 01 00 00 00 00 00 05 12 00 00 00")),
        (
            SecurityDescriptor(control=Control.of(dacl_protected=1, rm_control_valid=1), resource_manager_control=7),
            b"\1\7" + header(0xD000)[2:],
        ),
    ],
)
def test_no_list_a_null_list_and_an_empty_list_are_three_things(descriptor: SecurityDescriptor, data: bytes) -> None:
    assert_wire(descriptor, data, read=SecurityDescriptor.read_all, pack=SecurityDescriptor.pack)


def test_the_three_are_not_equal() -> None:
    kinds: list[AclPart] = [None, NULL_ACL, Acl()]
    assert len({SecurityDescriptor(dacl=kind) for kind in kinds}) == 3


# Typed from the table in [MS-DTYP] 2.4.6, which starts with the highest bit.
CONTROL = """
self_relative rm_control_valid sacl_protected dacl_protected sacl_auto_inherited dacl_auto_inherited
sacl_computed_inheritance_required dacl_computed_inheritance_required server_security dacl_trusted sacl_defaulted sacl_present
dacl_defaulted dacl_present group_defaulted owner_defaulted
"""


@pytest.mark.parametrize(("place", "name"), list(enumerate(CONTROL.split())))
def test_control_bits_have_their_places(place: int, name: str) -> None:
    assert Control.of(**{name: 1}) == 0x8000 >> place


def test_control_says_what_is_there_whatever_was_given() -> None:
    assert SecurityDescriptor(dacl=Acl(), control=Control.of(sacl_present=1)).control == 0x8004


def test_parts_may_lie_in_any_order_with_gaps_and_shared() -> None:
    data = header(0x8014, owner=24, group=24, sacl=56, dacl=56) + b"\xee" * 4 + USER_OCTETS + b"\xee" * 4
    data += bytes.fromhex("02 00 08 00 00 00 00 00") + b"\xee" * 5
    descriptor = SecurityDescriptor.read_all(data)
    assert descriptor == SecurityDescriptor(USER, USER, Acl(), Acl())
    assert SecurityDescriptor.read_all(descriptor.pack()) == descriptor


def test_a_descriptor_may_stand_behind_something_else() -> None:
    assert SecurityDescriptor.read_all(Reader(b"before" + QUEUE_OCTETS, 6)) == QUEUE
    with pytest.raises(DecodeError, match=r"DescriptorHeader\.dacl at offset 22"):
        SecurityDescriptor.read_all(Reader(b"before" + header(0x8004, dacl=21), 6))


@pytest.mark.parametrize("name", ["owner", "group", "sacl", "dacl"])
@pytest.mark.parametrize("offset", [1, 19, 21, 0x7FFFFFFF, 0xFFFFFFFF])
def test_an_offset_into_the_header_or_outside_is_refused(name: str, offset: int) -> None:
    place = {"owner": 4, "group": 8, "sacl": 12, "dacl": 16}[name]
    assert fault_of(header(0x8014, **{name: offset})) == (f"DescriptorHeader.{name}", place)


@pytest.mark.parametrize("name", ["sacl", "dacl"])
def test_a_list_that_the_control_bits_deny_is_refused(name: str) -> None:
    data = header(0x8000, **{name: 20}) + bytes.fromhex("02 00 08 00 00 00 00 00")
    assert fault_of(data)[0] == f"DescriptorHeader.{name}"


def test_revisions_other_than_one_are_refused() -> None:
    assert fault_of(header(revision=2)) == ("DescriptorHeader.revision", 0)
    assert fault_of(header(revision=0)) == ("DescriptorHeader.revision", 0)


@pytest.mark.spec("MP-3.6-2")
def test_only_the_self_relative_form_is_read_and_made() -> None:
    assert fault_of(header(control=0x0004)) == ("DescriptorHeader.control", 2)
    assert SecurityDescriptor(control=Control(0)).pack()[3] & 0x80


@pytest.mark.spec("MP-3.6-2")
def test_a_descriptor_has_at_most_524288_octets() -> None:
    largest = header(owner=524288 - 12) + bytes(524288 - 32) + SYSTEM.pack()
    assert len(largest) == 524288
    assert SecurityDescriptor.read_all(largest).owner == SYSTEM
    assert fault_of(largest + b"\0") == ("SecurityDescriptor", 524288)


@pytest.mark.parametrize(
    ("acl", "data"),
    [
        (Acl(), "02 00 08 00 00 00 00 00"),
        (Acl((), 4, 0x5A, 0x1234), "04 5a 08 00 00 00 34 12"),
        (Acl.of(Ace(ALLOWED, EVERYONE, 1)), f"02 00 1c 00 01 00 00 00 00 00 14 00 01 00 00 00 {WORLD}"),
        (
            Acl.of(Ace(AceType.ACCESS_ALLOWED_OBJECT_ACE_TYPE, EVERYONE, 1)),
            f"04 00 20 00 01 00 00 00 05 00 18 00 01 00 00 00 00 00 00 00 {WORLD}",
        ),
        (Acl.of(RawAce(AceType(0x77), b"abcd"), RawAce(AceType(3), b"")), "02 00 14 00 02 00 00 00 77 00 08 00 61 62 63 64 03 00 04 00"),
    ],
)
def test_a_list_octet_by_octet(acl: Acl, data: str) -> None:
    octets = bytes.fromhex(data)
    assert acl.size == len(octets)
    assert_wire(acl, octets, read=read_acl, pack=Acl.pack)


def test_spare_room_in_a_list_is_skipped() -> None:
    assert read_acl(bytes.fromhex("02 00 0c 00 00 00 00 00 de ad be ef")) == Acl()


@pytest.mark.parametrize(
    ("data", "where", "offset"),
    [
        ("01 00 08 00 00 00 00 00", "AclHeader.revision", 0),
        ("03 00 08 00 00 00 00 00", "AclHeader.revision", 0),
        ("05 00 08 00 00 00 00 00", "AclHeader.revision", 0),
        ("02 00 07 00 00 00 00 00", "AclHeader.size", 2),
        ("02 00 09 00 00 00 00 00", "AclHeader.size", 2),
        ("02 00 ff ff 00 00 00 00", "AclHeader.size", 2),
        ("02 00 08 00 01 00 00 00", "AceHeader.type", 8),
        ("02 00 0c 00 ff ff 00 00 ee 00 04 00", "AceHeader.type", 12),
        # The entry may not reach over the end of its list, even if octets follow.
        (f"02 00 18 00 01 00 00 00 00 00 14 00 01 00 00 00 {WORLD}", "AceHeader.size", 10),
        ("02 00 08 00 00 00 00 00 00", "Acl", 8),
    ],
)
def test_a_list_that_lies_is_refused(data: str, where: str, offset: int) -> None:
    with pytest.raises(DecodeError) as caught:
        read_acl(bytes.fromhex(data))
    assert (caught.value.where, caught.value.offset) == (where, offset)


def test_impossible_lists_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="revision"):
        Acl((), 3)
    with pytest.raises(ValueError, match="limit"):
        Acl.of(*[Ace(ALLOWED, EVERYONE, 1)] * 3277).pack()
    assert len(Acl.of(*[Ace(ALLOWED, EVERYONE, 1)] * 3276).pack()) == 65528


@pytest.mark.spec("MQ-PB27-1")
def test_entries_that_msmq_does_not_use_are_found() -> None:
    old: tuple[Entry, ...] = tuple(Ace(AceType(number), EVERYONE, 1) for number in (0, 1, 2)) + tuple(
        RawAce(AceType(number), b"") for number in (3, 4)
    )
    beyond: tuple[Entry, ...] = (
        *(Ace(AceType(number), EVERYONE, 1) for number in (5, 6, 7, 9, 0xA, 0xB, 0xC, 0xD, 0xF, 0x11, 0x12, 0x13)),
        *(RawAce(AceType(number), b"") for number in (8, 0xE, 0x10, 0x14, 0xFF)),
    )
    assert SecurityDescriptor(dacl=Acl(old), sacl=Acl(old)).entries_beyond_nt4() == ()
    assert SecurityDescriptor(dacl=Acl(old + beyond)).entries_beyond_nt4() == beyond
    assert SecurityDescriptor(dacl=NULL_ACL, sacl=Acl(beyond + old)).entries_beyond_nt4() == beyond
    assert QUEUE.entries_beyond_nt4() == ()


@given(acls)
def test_every_list_survives(acl: Acl) -> None:
    assert read_acl(acl.pack()) == acl


@given(descriptors)
def test_every_descriptor_survives(descriptor: SecurityDescriptor) -> None:
    assert SecurityDescriptor.read_all(descriptor.pack()) == descriptor


def read_or_refuse(data: bytes) -> None:
    """Only DecodeError may come out, and what is read once is read again after packing."""
    try:
        descriptor = SecurityDescriptor.read_all(data)
    except DecodeError:
        return
    assert SecurityDescriptor.read_all(descriptor.pack()) == descriptor


@given(st.data(), descriptors)
def test_damaged_descriptors_are_read_or_refused(data: st.DataObject, descriptor: SecurityDescriptor) -> None:
    octets = bytearray(descriptor.pack())
    for _ in range(data.draw(st.integers(1, 4))):
        octets[data.draw(st.integers(0, len(octets) - 1))] = data.draw(st.sampled_from([0, 1, 2, 4, 0x14, 0x7F, 0x80, 0xFF]))
    read_or_refuse(bytes(octets[: data.draw(st.integers(0, len(octets)))]))
    read_or_refuse(bytes(octets))


@given(st.binary(max_size=120), st.lists(st.integers(0, 140), min_size=4, max_size=4))
def test_any_octets_behind_any_offsets_are_read_or_refused(tail: bytes, offsets: list[int]) -> None:
    read_or_refuse(header(0x8014, *offsets) + tail)


def test_each_octet_of_a_real_descriptor_may_be_wrong() -> None:
    for place in range(len(QUEUE_OCTETS)):
        for octet in (0x00, 0x01, 0x02, 0x05, 0x13, 0x14, 0x7F, 0x80, 0xFF):
            read_or_refuse(QUEUE_OCTETS[:place] + bytes((octet,)) + QUEUE_OCTETS[place + 1 :])
