"""Session packets that are not application messages, as far as their octets go."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError
from msmqctl.wire.frames import (
    FinalAckBody,
    InternalHeader,
    InternalPacket,
    OrderAckBody,
    PacketType,
    Ping,
    is_ping,
    make_ack,
    read_ack,
    read_session_packet,
)
from msmqctl.wire.headers import BaseFlags, SessionHeader, UserFlags
from msmqctl.wire.identity import TxSequenceId
from msmqctl.wire.packet import UserMessage, packet_length
from msmqctl.wire.record import NULL_GUID, Reader
from msmqctl.wire.values import INFINITE, MessageClass
from tests.wire.samples import OTHER, SENDER, SESSION, build, vector

SEQUENCE = TxSequenceId(0x6500000000000001)


@pytest.mark.spec("QB-2.2.1-1")
@pytest.mark.parametrize("kind", [0, 4, 15])
def test_an_unknown_packet_type_is_refused(kind: int) -> None:
    data = bytearray(vector("frame05-connection-parameters-request"))
    data[18] = kind
    with pytest.raises(DecodeError, match=f"packet type {kind} does not exist"):
        InternalPacket.read(Reader(bytes(data)))


@pytest.mark.spec("QB-2.2.1-2")
def test_refusal_is_for_the_two_handshake_packets() -> None:
    refused = InternalPacket.establish(SENDER).established(OTHER, refused=True)
    assert refused.pack()[16:20] == bytes.fromhex("0000 1200")
    parameters = replace(InternalPacket.parameters(500, 20000), header=InternalHeader.of(PacketType.CONNECTION_PARAMETERS, refused=True))
    for packet in (refused, parameters):
        assert InternalPacket.read(Reader(packet.pack())).header.flags.refused
    assert not InternalPacket.establish(SENDER).established(OTHER).header.flags.refused
    ack = InternalPacket.session_ack(SESSION)
    with pytest.raises(DecodeError, match="refuses nothing"):
        InternalPacket.read(Reader(replace(ack, header=InternalHeader.of(PacketType.SESSION_ACK, refused=True)).pack()))


@pytest.mark.spec("QB-2.2.6-1")
def test_a_session_ack_has_both_flags() -> None:
    ack = InternalPacket.session_ack(SESSION)
    assert (ack.base.flags, ack.base.packet_size) == (0x001B, 36)
    with pytest.raises(DecodeError, match="without a SessionHeader"):
        InternalPacket.read(Reader(replace(ack, base=replace(ack.base, flags=BaseFlags(0x000B))).pack()))


@pytest.mark.spec("QB-2.2.3.1-2")
def test_the_padding_of_a_request_is_not_looked_at() -> None:
    data = bytearray(vector("frame03-establish-connection-request"))
    data[60:] = bytes(512)
    assert InternalPacket.read(Reader(bytes(data))).pack() == bytes(data)


@pytest.mark.parametrize("size", [35, 37, 1000])
def test_an_internal_packet_is_as_long_as_its_type_says(size: int) -> None:
    data = bytearray(vector("derived-session-ack-recoverable") + bytes(1000))
    data[8:12] = size.to_bytes(4, "little")
    with pytest.raises(DecodeError):
        InternalPacket.read(Reader(bytes(data)))


STREAM: list[InternalPacket | UserMessage] = [
    InternalPacket.establish(SENDER),
    InternalPacket.parameters(500, 20000),
    build(),
    build(session=SESSION),
    InternalPacket.session_ack(SESSION),
    build(),
]


@pytest.mark.spec("MQ-2.2.20-3", "MQ-DEC-2", "QB-2.1.1-3", "QB-2.1.1-4")
def test_a_stream_is_read_packet_by_packet() -> None:
    reader = Reader(b"".join(packet.pack() for packet in STREAM))
    assert [read_session_packet(reader) for _ in STREAM] == STREAM
    reader.expect_end("stream")


@pytest.mark.spec("MQ-DEC-1", "MQ-2.2.19.1-7", "MQ-T-1", "QB-2.1.1-4")
@pytest.mark.parametrize("portion", [1, 7, 1000])
def test_a_stream_that_comes_in_portions_is_cut_into_packets_by_their_sizes(portion: int) -> None:
    stream = b"".join(packet.pack() for packet in STREAM)
    waiting, packets = bytearray(), []
    for start in range(0, len(stream), portion):
        waiting += stream[start : start + portion]
        while (size := packet_length(waiting)) is not None and size <= len(waiting):
            packets.append(read_session_packet(Reader(waiting, end=size)))
            del waiting[:size]
    assert packets == STREAM
    assert not waiting


@pytest.mark.spec("QB-2.2.4-1", "QB-2.2.4-2", "MQ-2.2.19.1-4", "MQ-2.2.19.1-5", "MQ-2.2.19.1-9")
def test_an_order_ack_to_the_senders_order_queue() -> None:
    body = OrderAckBody(SEQUENCE, 8, 7)
    ack = make_ack(body, MessageClass.MQMSG_CLASS_ORDER_ACK, source=OTHER, message_id=5, sent_time=9, destination=SENDER)
    assert len(ack.pack()) == 192
    assert (ack.base.flags, ack.base.time_to_reach_queue, ack.user.time_to_be_received) == (0, INFINITE, INFINITE)
    assert ack.user.flags == UserFlags.of(destination_code=3, properties_header=1)
    assert (ack.user.queue_manager_address, ack.user.destination_queue) == (SENDER, 4)
    assert (ack.properties.label_length, ack.properties.flags, ack.properties.body_type, ack.properties.message_size) == (16, 0, 0, 0x24)
    assert read_ack(UserMessage.read_all(ack.pack())) == body


@pytest.mark.spec("QB-2.2.4-1", "QB-2.2.4-2", "QB-2.2.5-2")
@pytest.mark.parametrize("message_class", [0x4000, 0x8000, 0x8005, 0x8001, 0x8002, 0xC004])
def test_a_final_ack_over_a_direct_name(message_class: int) -> None:
    body = FinalAckBody(SEQUENCE, 8, 7, SENDER, 2)
    ack = make_ack(body, MessageClass(message_class), source=OTHER, message_id=5, sent_time=9, destination="TCP:192.0.2.10")
    assert ack.user.flags.delivery_mode == 1
    assert (ack.user.queue_manager_address, ack.user.destination_queue) == (NULL_GUID, "TCP:192.0.2.10\\PRIVATE$\\order_queue$")
    assert read_ack(UserMessage.read_all(ack.pack())) == body


@pytest.mark.spec("QB-2.2.4-2")
@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize(
    ("body", "kind"), [(OrderAckBody(SEQUENCE, 8, 7), 0x00FF), (FinalAckBody(SEQUENCE, 8, 7, SENDER, 2), 0x4000)], ids=str
)
def test_acks_are_taken_with_either_delivery_mode(body: OrderAckBody | FinalAckBody, kind: int, mode: int) -> None:
    ack = make_ack(body, MessageClass(kind), source=OTHER, message_id=5, sent_time=9, destination=SENDER)
    other = replace(ack, user=replace(ack.user, flags=ack.user.flags.replace(delivery_mode=mode)))
    assert read_ack(UserMessage.read_all(other.pack())) == body


@pytest.mark.spec("QB-2.2.4-1")
def test_what_an_order_ack_holds_in_its_reserved_octets_does_not_matter() -> None:
    body = OrderAckBody(SEQUENCE, 8, 7, b"left over in memory!")
    ack = make_ack(body, MessageClass.MQMSG_CLASS_ORDER_ACK, source=OTHER, message_id=5, sent_time=9, destination=SENDER)
    assert read_ack(UserMessage.read_all(ack.pack())) == body


@pytest.mark.spec("QB-3.1.5.1.1-1", "QB-3.1.5.1.1-3")
def test_acks_are_recognised_by_queue_label_size_and_class_alone() -> None:
    ack = make_ack(
        OrderAckBody(SEQUENCE, 8, 7),
        MessageClass.MQMSG_CLASS_ORDER_ACK,
        source=OTHER,
        message_id=5,
        sent_time=9,
        destination="TCP:10.0.0.1",
    )
    piggy_backed = replace(
        ack, base=replace(ack.base, flags=BaseFlags.of(priority=5, session_header=1, reserved_low=3, reserved_high=0x7F)), session=SESSION
    )
    assert read_ack(piggy_backed) is not None
    assert read_ack(replace(ack, user=replace(ack.user, destination_queue="tcp:other\\private$\\ORDER_QUEUE$"))) is not None
    assert read_ack(replace(ack, user=replace(ack.user, destination_queue="TCP:10.0.0.1\\private$\\orders"))) is None
    assert read_ack(replace(ack, user=replace(ack.user, destination_queue=4))) is not None
    assert read_ack(replace(ack, user=replace(ack.user, destination_queue=3))) is None
    assert read_ack(replace(ack, properties=replace(ack.properties, label="QM Ordering Ack!"))) is None
    assert read_ack(replace(ack, properties=replace(ack.properties, message_body=bytes(35)))) is None
    assert read_ack(replace(ack, properties=replace(ack.properties, message_class=MessageClass.MQMSG_CLASS_NORMAL))) is None
    final = read_ack(replace(ack, properties=replace(ack.properties, message_class=MessageClass.MQMSG_CLASS_ACK_RECEIVE)))
    assert isinstance(final, FinalAckBody)


@given(st.builds(Ping.of, st.integers(0, 2**32 - 1), st.uuids(), not_a_server=st.booleans(), refused=st.booleans()))
def test_pings_round_trip(ping: Ping) -> None:
    assert Ping.read_all(ping.pack()) == ping
    assert is_ping(ping.pack())
    assert not is_ping(ping.pack() + b"\0")


@given(st.integers(0, 0xFFFF), st.integers(0, 0xFFFFFFFF))
def test_at_most_32_recoverable_numbers_are_acknowledged(first: int, flags: int) -> None:
    stored = SessionHeader(0, first, flags, 0, 0, 64).recoverable_stored
    assert len(stored) == (flags.bit_count() if first else 0)
    assert all(0 <= number <= 0xFFFF for number in stored)
