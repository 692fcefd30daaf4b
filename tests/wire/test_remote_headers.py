"""What only a remote reader sees: SRMP headers in a packet, and the headers behind it."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address
from uuid import UUID

import pytest

from msmqctl.errors import DecodeError
from msmqctl.wire.packet import UserMessage
from msmqctl.wire.record import Reader, to_wide
from msmqctl.wire.remote_headers import (
    CompoundMessageHeader,
    DeadLetterHeader,
    ExtendedAddressHeader,
    ExtensionFlags,
    ExtensionHeader,
    HostAddress,
    RemoteHeaders,
    SRMPEnvelopeHeader,
    SubqueueBits,
    SubqueueHeader,
)
from msmqctl.wire.values import MessageClass
from tests.wire.assertions import assert_no_prefix, assert_wire
from tests.wire.samples import build

ENVELOPE = SRMPEnvelopeHeader.of("<e/>")
COMPOUND = CompoundMessageHeader.of(b"POST / HTTP/1.1..body", 17, 4)
OVER_HTTP = replace(build(user=0x02000000), envelope=ENVELOPE, compound=COMPOUND).sized()


@pytest.mark.spec("MQ-X-1", "MQ-X-2", "RR-2.2.5-2")
def test_srmp_headers_as_octets_whatever_their_identifier() -> None:
    data = bytes.fromhex("f401 0000 05000000 3c0065002f003e000000 0000")
    assert_wire(replace(ENVELOPE, header_id=0x1F4), data, read=SRMPEnvelopeHeader.read_all, pack=SRMPEnvelopeHeader.pack)
    data = bytes.fromhex("0000 0000 15000000 04000000 11000000") + b"POST / HTTP/1.1..body\0\0\0"
    assert_wire(COMPOUND, data, read=CompoundMessageHeader.read_all, pack=CompoundMessageHeader.pack)
    assert COMPOUND.body == b"body"


@pytest.mark.spec("MQ-X-1", "RR-2.2.5.1-3")
def test_the_pair_is_there_exactly_when_the_message_came_over_http() -> None:
    assert UserMessage.read_all(OVER_HTTP.pack(), remote_read=True) == OVER_HTTP
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


def subqueue(name: str, bits: int = 0) -> SubqueueHeader:
    return SubqueueHeader(148, SubqueueBits(bits), 2, 3, 1_700_000_000, to_wide(name).ljust(64, b"\0"), bytes(64))


ADDRESS = ExtendedAddressHeader(28, 4, 1, 0, bytes([192, 0, 2, 10]) + bytes(12))
BEHIND = RemoteHeaders(ExtensionHeader(12, 176, ExtensionFlags(0x12), bytes(3)), subqueue("poison"), None, ADDRESS)


@pytest.mark.spec("RR-2.2.5.2-1", "RR-2.2.5-1", "MQ-X-3")
def test_headers_behind_a_message() -> None:
    data = BEHIND.pack()
    assert len(data) == 12 + 148 + 28
    assert data[:12] == bytes.fromhex("0c000000 b0000000 12 000000")
    assert RemoteHeaders.read(Reader(data)) == BEHIND
    assert BEHIND.subqueue is not None
    assert (BEHIND.subqueue.subqueue_name, BEHIND.subqueue.target_subqueue_name) == ("poison", "")
    assert ADDRESS.host == ip_address("192.0.2.10")
    assert replace(ADDRESS, address_type=0).host is None
    assert replace(ADDRESS, address_type=6, address=bytes(15) + b"\1").host == ip_address("::1")
    with_letter = RemoteHeaders(replace(BEHIND.extension, flags=ExtensionFlags(0x13)), subqueue(""), DeadLetterHeader(12, "a\\b"), ADDRESS)
    assert RemoteHeaders.read(Reader(with_letter.pack())) == with_letter


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


@pytest.mark.spec("MQ-T-35", "RR-2.2.5.3-3")
def test_subqueue_header_words() -> None:
    assert subqueue("", 0x8004 << 1).acknowledgment_class == MessageClass.MQMSG_CLASS_NACK_ACCESS_DENIED
    assert subqueue("", 0xC004 << 16 | 6).acknowledgment_class == MessageClass.MQMSG_CLASS_NACK_RECEIVE_REJECTED
    assert subqueue("", 0x12340000 | 0x8003).acknowledgment_class == MessageClass.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA
    assert subqueue("").acknowledgment_class == MessageClass.MQMSG_CLASS_NORMAL
    assert subqueue("x").last_move_time == 1_700_000_000


def test_dead_letter_header_as_octets() -> None:
    data = bytes.fromhex("0c000000 61005c0062000000")
    assert_wire(DeadLetterHeader(12, "a\\b"), data, read=DeadLetterHeader.read_all, pack=DeadLetterHeader.pack)
    assert_no_prefix(data, read=DeadLetterHeader.read_all)
    for wrong in (b"\x05\0\0\0a", b"\x06\0\0\0a\0\0\0", b"\xff\xff\xff\xff"):
        with pytest.raises(DecodeError):
            DeadLetterHeader.read_all(wrong)


@pytest.mark.spec("MQ-X-4", "RR-2.2.5.1-2")
def test_the_host_that_a_message_came_from_stands_in_place_of_a_guid() -> None:
    field = UUID(bytes_le=bytes.fromhex("0400 0100 00000000 c000020a00000000"))
    assert HostAddress.from_guid(field) == HostAddress(4, 1, 0, bytes.fromhex("c000020a00000000"))
    assert HostAddress.from_guid(field).host == ip_address("192.0.2.10")
    cut = UUID(bytes_le=bytes.fromhex("1000 0600 02000000 20010db800000000"))
    assert HostAddress.from_guid(cut).host is None
