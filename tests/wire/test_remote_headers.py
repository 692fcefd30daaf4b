"""What only a remote reader sees: SRMP headers in a packet, and the headers behind it."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address
from uuid import UUID

import pytest

from msmqctl.errors import DecodeError
from msmqctl.wire.packet import UserMessage
from msmqctl.wire.record import Reader
from msmqctl.wire.remote_headers import (
    CompoundMessageHeader,
    DeadLetterHeader,
    ExtendedAddressHeader,
    HostAddress,
    RemoteHeaders,
    SRMPEnvelopeHeader,
    SubqueueBits,
    SubqueueHeader,
)
from msmqctl.wire.values import MessageClass
from tests.wire.assertions import assert_wire
from tests.wire.samples import build

ENVELOPE = SRMPEnvelopeHeader.of("<e/>")
COMPOUND = CompoundMessageHeader.of(b"POST / HTTP/1.1..body", 17, 4)
OVER_HTTP = replace(build(user=0x02000000), envelope=ENVELOPE, compound=COMPOUND).sized()


@pytest.mark.spec("MQ-X-1", "MQ-X-2", "RR-2.2.5-2", "MQ-T-27")
def test_srmp_headers_as_octets_whatever_their_identifier() -> None:
    data = bytes.fromhex("f401 0000 05000000 3c0065002f003e000000 0000")
    assert_wire(replace(ENVELOPE, header_id=0x1F4), data, read=SRMPEnvelopeHeader.read_all, pack=SRMPEnvelopeHeader.pack)
    data = bytes.fromhex("0000 0000 15000000 04000000 11000000") + b"POST / HTTP/1.1..body\0\0\0"
    assert_wire(COMPOUND, data, read=CompoundMessageHeader.read_all, pack=CompoundMessageHeader.pack)
    assert CompoundMessageHeader.read_all(b"\xf4\x01" + data[2:]) == replace(COMPOUND, header_id=0x1F4)
    assert (ENVELOPE.header_id, COMPOUND.header_id) == (0, 0)
    assert COMPOUND.body == b"body"


@pytest.mark.spec("MQ-X-1", "RR-2.2.5.1-3")
def test_the_pair_is_there_exactly_when_the_message_came_over_http() -> None:
    assert UserMessage.read_all(OVER_HTTP.pack(), remote_read=True) == OVER_HTTP
    assert UserMessage.read_all(build().pack(), remote_read=True) == build()
    on_a_session = UserMessage.read_all(OVER_HTTP.pack())
    assert on_a_session.envelope is None
    assert on_a_session.trailing == ENVELOPE.pack() + COMPOUND.pack()
    for wrong in (replace(OVER_HTTP, compound=None), replace(build(), envelope=ENVELOPE, compound=COMPOUND)):
        with pytest.raises(ValueError, match="SRMPEnvelopeHeader"):
            wrong.pack()


@pytest.mark.spec("MQ-X-2")
@pytest.mark.parametrize(("size", "offset"), [(5, 17), (1, 21), (0xFFFFFFFF, 17), (4, 0xFFFFFFFF)])
def test_a_body_outside_the_compound_data_is_refused_without_wrapping(size: int, offset: int) -> None:
    data = bytearray(COMPOUND.pack())
    data[8:16] = size.to_bytes(4, "little") + offset.to_bytes(4, "little")
    with pytest.raises(DecodeError, match="msg_body_offset"):
        CompoundMessageHeader.read_all(bytes(data))


POISON = SubqueueHeader.of("poison", abort_counter=2, move_counter=3, last_move_time=1_700_000_000)
ADDRESS = ExtendedAddressHeader(28, 4, 1, 0, bytes([192, 0, 2, 10]) + bytes(12))
LETTER = DeadLetterHeader.of("a\\bc")
BEHIND = RemoteHeaders.of(POISON, ADDRESS)


@pytest.mark.spec("RR-2.2.5.2-1")
@pytest.mark.parametrize(("letter", "invalid", "word", "behind"), [
    (None, False, 0x12, 148 + 28), (LETTER, False, 0x13, 148 + 16 + 28), (LETTER, True, 0x1B, 148 + 16 + 28),
], ids=str)  # fmt: skip
def test_the_extension_header_counts_and_names_what_follows(letter: DeadLetterHeader | None, invalid: bool, word: int, behind: int) -> None:
    headers = RemoteHeaders.of(POISON, ADDRESS, letter, dead_letter_invalid=invalid)
    data = headers.pack()
    assert data[:12] == bytes([12, 0, 0, 0, behind, 0, 0, 0, word, 0, 0, 0])
    assert data[12:] == POISON.pack() + (letter.pack() if letter else b"") + ADDRESS.pack()
    assert RemoteHeaders.read(Reader(data)) == headers


def test_a_header_behind_a_message_is_there_exactly_with_its_flag() -> None:
    for wrong in (replace(BEHIND, address=None), replace(BEHIND, subqueue=None), replace(BEHIND, dead_letter=LETTER)):
        with pytest.raises(ValueError, match="exactly when its flag"):
            wrong.pack()


def test_subqueue_header_as_octets() -> None:
    header = SubqueueHeader.of(
        "ab", "c", acknowledgment_class=MessageClass.MQMSG_CLASS_NACK_RECEIVE_REJECTED, abort_counter=1, move_counter=2, last_move_time=3
    )
    data = bytes.fromhex("94000000 08800100 01000000 02000000 03000000 61006200") + bytes(60) + b"c" + bytes(63)
    assert_wire(header, data, read=SubqueueHeader.read_all, pack=SubqueueHeader.pack)
    assert SubqueueHeader.of("l" * 31).subqueue_name == "l" * 31
    with pytest.raises(ValueError, match="at most 31"):
        SubqueueHeader.of("l" * 32)


@pytest.mark.spec("RR-2.2.5-1", "MQ-X-3")
def test_headers_behind_a_message() -> None:
    data = BEHIND.pack()
    assert RemoteHeaders.read(Reader(data)) == BEHIND
    assert BEHIND.subqueue is not None
    assert (BEHIND.subqueue.subqueue_name, BEHIND.subqueue.target_subqueue_name) == ("poison", "")
    assert ADDRESS.host == ip_address("192.0.2.10")
    assert replace(ADDRESS, address_type=0).host is None
    assert replace(ADDRESS, address_type=6, address=bytes(15) + b"\1").host == ip_address("::1")
    with_letter = RemoteHeaders.of(POISON, ADDRESS, LETTER)
    reader = Reader(build(trailing=b"odd").pack() + with_letter.pack())
    UserMessage.read(reader, remote_read=True)
    assert RemoteHeaders.read(reader) == with_letter


@pytest.mark.spec("RR-2.2.5-1")
def test_an_extension_header_may_stand_alone() -> None:
    headers = RemoteHeaders.read(Reader(bytes.fromhex("0c000000 00000000 00 000000")))
    assert headers is not None
    assert (headers.subqueue, headers.dead_letter, headers.address) == (None, None, None)


@pytest.mark.spec("RR-2.2.5-1")
@pytest.mark.parametrize("data", [b"", bytes(11), bytes(12), b"\x0d" + bytes(40)])
def test_what_does_not_look_like_an_extension_header_is_none(data: bytes) -> None:
    reader = Reader(data)
    assert RemoteHeaders.read(reader) is None
    assert reader.offset == 0


def test_a_cut_chain_of_headers_is_refused() -> None:
    data = BEHIND.pack()
    for size in range(12, len(data)):
        with pytest.raises(DecodeError):
            RemoteHeaders.read(Reader(data[:size]))


@pytest.mark.spec("RR-2.2.5.3-3")
@pytest.mark.parametrize(("word", "found"), [
    (0x8004 << 1, MessageClass.MQMSG_CLASS_NACK_ACCESS_DENIED),
    (0x8004 << 1 | 0xFFFE0001, MessageClass.MQMSG_CLASS_NACK_ACCESS_DENIED),
    (0xC004 << 16 | 6, MessageClass.MQMSG_CLASS_NACK_RECEIVE_REJECTED),
    (0x12340000 | 0x8003, MessageClass.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA),
    (0xC0028004, MessageClass.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT),  # both halves are known: the upper one first
    (0x12345678, 0x12345678 >> 1 & 0xFFFF),
    (0, MessageClass.MQMSG_CLASS_NORMAL),
])  # fmt: skip
def test_the_class_of_a_rejected_message_lies_above_one_bit_or_in_a_half(word: int, found: int) -> None:
    assert replace(POISON, bits=SubqueueBits(word)).acknowledgment_class == found


@pytest.mark.spec("RR-2.2.5.3-3")
def test_the_class_is_written_above_one_bit_and_only_for_a_rejected_message() -> None:
    assert POISON.bits == 0
    assert SubqueueHeader.of(acknowledgment_class=MessageClass.MQMSG_CLASS_NACK_RECEIVE_REJECTED).bits == 0xC004 << 1


def test_dead_letter_header_as_octets() -> None:
    data = bytes.fromhex("0c000000 61005c0062000000")
    assert_wire(DeadLetterHeader(12, "a\\b"), data, read=DeadLetterHeader.read_all, pack=DeadLetterHeader.pack)
    assert LETTER.pack() == bytes.fromhex("10000000 61005c00620063000000 0000")
    for wrong in (b"\x05\0\0\0a", b"\x06\0\0\0a\0\0\0", b"\xff\xff\xff\xff"):
        with pytest.raises(DecodeError):
            DeadLetterHeader.read_all(wrong)
    with pytest.raises(ValueError, match="does not hold"):
        DeadLetterHeader(10, "a\\b").pack()


@pytest.mark.spec("MQ-X-4", "RR-2.2.5.1-2")
def test_the_host_that_a_message_came_from_stands_in_place_of_a_guid() -> None:
    field = UUID(bytes_le=bytes.fromhex("0400 0100 00000000 c000020a00000000"))
    assert HostAddress.from_guid(field) == HostAddress(4, 1, 0, bytes.fromhex("c000020a00000000"))
    assert HostAddress.from_guid(field).host == ip_address("192.0.2.10")
    cut = UUID(bytes_le=bytes.fromhex("1000 0600 02000000 20010db800000000"))
    assert HostAddress.from_guid(cut).host is None
