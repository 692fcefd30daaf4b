"""Identifiers: the octets of each, the order of sequence identifiers, and the text of a message id."""

from __future__ import annotations

from ipaddress import IPv4Address
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError
from msmqctl.wire.identity import MessageIdentifier, MulticastId, ObjectId, SequenceInfo, TxSequenceId, Xactuow
from msmqctl.wire.record import Reader
from tests.wire.assertions import assert_wire

LINEAGE = UUID("00112233-4455-6677-8899-aabbccddeeff")
U32 = st.integers(0, 0xFFFFFFFF)


def read_sequence_id(data: bytes) -> TxSequenceId:
    reader = Reader(data)
    found = TxSequenceId.read(reader)
    reader.expect_end("TxSequenceId")
    return found


@pytest.mark.spec("MQ-2.2.18.1.1-1")
def test_object_id_octets() -> None:
    data = bytes.fromhex("33 22 11 00 55 44 77 66 88 99 aa bb cc dd ee ff  ee 08 00 00")
    assert_wire(ObjectId(LINEAGE, 2286), data, read=ObjectId.read_all, pack=ObjectId.pack)


def test_a_message_identifier_is_the_same_structure() -> None:
    assert MessageIdentifier(LINEAGE, 0xFFFFFFFF).pack()[16:] == b"\xff\xff\xff\xff"
    assert MessageIdentifier(LINEAGE, 5) == ObjectId(LINEAGE, 5)


def test_sequence_id_octets() -> None:
    value = TxSequenceId.of(ordinal=0x04030201, timestamp=0x5F6E7D8C)
    assert_wire(value, bytes.fromhex("01 02 03 04 8c 7d 6e 5f"), read=read_sequence_id, pack=TxSequenceId.pack)
    assert (value.ordinal, value.timestamp) == (0x04030201, 0x5F6E7D8C)
    assert str(value) == "0x5f6e7d8c04030201"


@pytest.mark.spec("MQ-2.2.18.1.2-1")
def test_sequence_ids_compare_by_timestamp_first_and_without_sign() -> None:
    rising = [
        TxSequenceId.of(ordinal=0, timestamp=0),
        TxSequenceId.of(ordinal=0xFFFFFFFF, timestamp=0),
        TxSequenceId.of(ordinal=0, timestamp=1),
        TxSequenceId.of(ordinal=7, timestamp=0x7FFFFFFF),
        TxSequenceId.of(ordinal=1, timestamp=0x80000000),
        TxSequenceId.of(ordinal=0, timestamp=0xFFFFFFFF),
    ]
    assert all(earlier < later for earlier, later in pairwise(rising))
    assert len(set(rising)) == len(rising)


@pytest.mark.parametrize("number", [-1, 1 << 64])
def test_a_sequence_id_beyond_64_bits_is_our_mistake(number: int) -> None:
    with pytest.raises(ValueError, match="64 bits"):
        TxSequenceId(number).pack()


@pytest.mark.spec("MQ-T-28")
def test_sequence_info_octets_and_unsigned_sequence() -> None:
    data = bytes.fromhex("01 00 00 00 00 00 00 80  05 00 00 00  04 00 00 00")
    value = SequenceInfo(TxSequenceId.of(ordinal=1, timestamp=0x80000000), sequence_number=5, previous_number=4)
    assert_wire(value, data, read=SequenceInfo.read_all, pack=SequenceInfo.pack)
    assert SequenceInfo.read_all(data).sequence_id > TxSequenceId.of(ordinal=1, timestamp=0x7FFFFFFF)


def test_multicast_id_keeps_the_address_in_network_order() -> None:
    data = bytes.fromhex("ef 01 02 03  41 1f 00 00")
    value = MulticastId.of(IPv4Address("239.1.2.3"), 8001)
    assert_wire(value, data, read=MulticastId.read_all, pack=MulticastId.pack)
    assert value.group_address == IPv4Address("239.1.2.3")


def test_unit_of_work_octets() -> None:
    data = bytes(range(16))
    value = Xactuow(data)
    assert_wire(value, data, read=Xactuow.read_all, pack=Xactuow.pack)
    assert value.guid == UUID("03020100-0504-0706-0809-0a0b0c0d0e0f")
    assert Xactuow.of(value.guid) == value
    assert str(value) == "03020100-0504-0706-0809-0a0b0c0d0e0f"


@pytest.mark.parametrize("size", [0, 15, 17])
def test_a_unit_of_work_of_another_size_is_our_mistake(size: int) -> None:
    with pytest.raises(ValueError, match="16 octets"):
        Xactuow(bytes(size)).pack()


@pytest.mark.spec("MQ-2.2.8-1")
@pytest.mark.parametrize(
    "text",
    [
        r"{00112233-4455-6677-8899-aabbccddeeff}\2286",
        r"{00112233-4455-6677-8899-AABBCCDDEEFF}\2286",
        r"00112233-4455-6677-8899-aabbccddeeff\2286",
    ],
)
def test_message_id_text(text: str) -> None:
    assert MessageIdentifier.parse(text) == MessageIdentifier(LINEAGE, 2286)
    assert str(MessageIdentifier.parse(text)) == r"{00112233-4455-6677-8899-aabbccddeeff}\2286"
    assert MessageIdentifier.parse(text).plain == r"00112233-4455-6677-8899-aabbccddeeff\2286"


def test_message_id_text_reaches_the_last_ordinal() -> None:
    assert MessageIdentifier.parse(rf"{{{LINEAGE}}}\4294967295").uniquifier == 0xFFFFFFFF


@pytest.mark.spec("MQ-2.2.8-1")
@pytest.mark.parametrize(
    "text",
    [
        "",
        str(LINEAGE),
        rf"{{{LINEAGE}\1",
        rf"{LINEAGE}}}\1",
        rf"{{{LINEAGE}}}\ ",
        rf"{{{LINEAGE}}}\-1",
        rf"{{{LINEAGE}}}\0x10",
        rf"{{{LINEAGE}}}\4294967296",
        rf"{{{LINEAGE}}}\00000000001",
        rf"{{{LINEAGE}}}/1",
        f"{{{LINEAGE}}}\\1\n",
        "{00112233445566778899aabbccddeeff}\\1",
        f"{{{LINEAGE}}}\\\u0661",
    ],
)
def test_message_id_text_that_is_none(text: str) -> None:
    with pytest.raises(DecodeError, match="ObjectId"):
        MessageIdentifier.parse(text)


@given(st.builds(ObjectId, st.uuids(), U32))
def test_object_ids_round_trip(value: ObjectId) -> None:
    assert ObjectId.read_all(value.pack()) == value
    assert ObjectId.parse(str(value)) == value
    assert ObjectId.parse(value.plain) == value


@given(st.builds(SequenceInfo, st.integers(0, 2**64 - 1).map(TxSequenceId), U32, U32))
def test_sequence_infos_round_trip(value: SequenceInfo) -> None:
    assert SequenceInfo.read_all(value.pack()) == value


@given(st.text())
def test_any_text_is_an_id_or_a_decode_error(text: str) -> None:
    try:
        ObjectId.parse(text)
    except DecodeError:
        return
    assert str(ObjectId.parse(text)).strip("{").casefold().startswith(text.strip("{")[:36].casefold())
