"""The published and derived packets: octet for octet, both ways, and what they must mean."""

from __future__ import annotations

import random
import tracemalloc
from contextlib import suppress
from uuid import UUID

import pytest

from msmqctl.errors import DecodeError
from msmqctl.wire.frames import EstablishBody, FinalAckBody, InternalPacket, OrderAckBody, ParametersBody, Ping, is_ping, read_ack
from msmqctl.wire.headers import SessionHeader
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.multi_queue import FormatNameElement, FormatType
from msmqctl.wire.packet import UserMessage
from msmqctl.wire.record import NULL_GUID, Reader
from msmqctl.wire.trace import TracingReader
from msmqctl.wire.values import MessageClass
from tests.wire.assertions import assert_wire
from tests.wire.samples import SENDER, SID, WHOLE_VECTORS, Packet, read_packet, vector

FINDER = UUID("a0a1a2a3-b0b1-c0c1-d0d1-e0e1e2e3e4e5")
OWNER = UUID("11223344-5566-7788-99aa-bbccddeeff00")


@pytest.mark.spec("MQ-V-1", "MQ-V-2", "MQ-ENC-1", "MQ-2.2.18-1", "MQ-2.2.18.1.1-1")
@pytest.mark.parametrize("name", WHOLE_VECTORS)
def test_every_vector_reads_packs_and_has_no_readable_prefix(name: str) -> None:
    data = vector(name)
    assert_wire(read_packet(data), data, read=read_packet, pack=lambda packet: packet.pack())


@pytest.mark.parametrize("name", WHOLE_VECTORS)
def test_ten_thousand_mutations_decode_or_are_refused(name: str) -> None:
    data = vector(name)
    chance = random.Random(name)  # the same mutations in every run
    for _ in range(10_000):
        mutant = bytearray(data)
        for _ in range(chance.choice((1, 1, 2, 4, 16))):
            place = chance.randrange(min(len(mutant), 400))
            mutant[place] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
        if chance.random() < 0.2:
            del mutant[chance.randrange(len(mutant)) :]
        try:
            packet = read_packet(bytes(mutant))
        except DecodeError:
            continue
        assert len(packet.pack()) <= len(mutant) + 64


@pytest.mark.spec("MQ-2.2-2")
def test_lengths_that_lie_take_no_memory() -> None:
    data = vector("derived-multi-destination")
    for offset in range(0, len(data), 4):
        mutant = data[:offset] + b"\xff\xff\xff\x7f" + data[offset + 4 :]
        tracemalloc.start()
        with suppress(DecodeError):
            read_packet(mutant)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        # Objects of Python for a few hundred octets; a length believed would be two gigabytes.
        assert peak < 200_000


def message(name: str) -> UserMessage:
    return UserMessage.read_all(vector(name))


def internal(name: str) -> InternalPacket:
    return InternalPacket.read(Reader(vector(name)))


@pytest.mark.spec("MQ-T-2", "MQ-T-3", "MQ-T-6", "MQ-T-15", "MQ-T-17", "MQ-T-21", "MQ-T-22", "MQ-T-24", "MQ-2.2.12-2")
def test_frame_7_says_what_its_octets_say() -> None:
    packet = message("frame07-user-message-completed")
    base, user, properties = packet.base, packet.user, packet.properties
    assert (base.flags, base.time_to_reach_queue, base.packet_size) == (0x0003, 345600, 0x8B0)
    assert (user.source_queue_manager, user.queue_manager_address) == (SENDER, NULL_GUID)
    assert (user.time_to_be_received, user.sent_time, user.message_id) == (0xFFFFFFFF, 0x524F494C, 0x8EE)
    assert (user.flags, user.destination_queue, user.admin_queue) == (0x00281C00, "OS:a04bm02\\q", None)
    assert packet.security is not None
    assert (packet.security.flags, packet.security.security_id) == (0x0001, SID)
    assert (properties.flags, properties.label_length, properties.label) == (0x0F, 15, "mqsender label")
    assert (properties.message_class, properties.body_type) == (0, 8)
    assert (properties.message_size, properties.allocation_body_size) == (2000, 2000)
    assert (properties.privacy_level, properties.hash_algorithm, properties.encryption_algorithm) == (0, 0x8004, 0x6801)
    assert properties.message_body == "a".encode("utf-16-le") * 1000


@pytest.mark.spec("MQ-V-3")
def test_frame_7_lies_where_the_document_says() -> None:
    reader = TracingReader(vector("frame07-user-message-completed"))
    UserMessage.read(reader)
    offsets = {field.where: field.offset for field in reversed(reader.fields)}
    assert offsets["UserHeader.source_queue_manager"] == 0x10
    assert offsets["UserHeader.destination_queue.count"] == 0x40
    assert offsets["SecurityHeader.flags"] == 0x5C
    assert offsets["SecurityHeader.security_id"] == 0x6C
    assert offsets["MessagePropertiesHeader.flags"] == 0x88
    assert offsets["MessagePropertiesHeader.label"] == 0xC0
    assert offsets["MessagePropertiesHeader.message_body"] == 0xDE
    assert offsets["MessagePropertiesHeader.padding"] == 0x8AE
    assert reader.offset == 0x8B0


@pytest.mark.spec("MQ-V-1", "MQ-T-23")
def test_the_frame_that_was_printed_incomplete_is_refused_with_the_octets_missing() -> None:
    with pytest.raises(DecodeError, match="574 octets missing"):
        UserMessage.read_all(vector("frame07-user-message-as-published"))


@pytest.mark.spec("QB-2.2.7-1")
def test_ping_request() -> None:
    ping = Ping.read_all(vector("frame01-ping-request"))
    assert (ping.flags, ping.flags.not_a_server, ping.flags.refused) == (0x7D01, True, False)
    assert (ping.cookie, ping.qm_guid) == (4, SENDER)
    wrong = b"\0\0\x48\x56" + bytes(20)
    assert not is_ping(wrong)
    with pytest.raises(DecodeError, match=r"Ping\.signature"):
        Ping.read_all(wrong)


@pytest.mark.spec("QB-2.2.3-1", "MQ-T-14")
def test_establish_connection() -> None:
    packet = internal("frame03-establish-connection-request")
    assert (packet.base.reserved, packet.base.flags, packet.base.packet_size, packet.base.time_to_reach_queue) == (
        0xC0,
        0x0B,
        572,
        0xFFFFFFFF,
    )
    assert (packet.header.flags.packet_type, packet.header.flags.refused) == (2, False)
    body = packet.body
    assert isinstance(body, EstablishBody)
    assert (body.client_guid, body.server_guid) == (SENDER, UUID("43cd8907-394c-8f11-4445-9078909ea0fc"))
    assert (body.time_stamp, body.operating_system, body.padding) == (501140046, 0x0310, b"\x5a" * 512)
    assert (body.operating_system.no_ping_sent, body.operating_system.server, body.operating_system.quality_of_service) == (
        True,
        True,
        False,
    )


@pytest.mark.spec("QB-2.2.3-1", "QB-2.2.3.1-1", "QB-2.2.3.1-3", "MQ-2.2.19.1-4", "MQ-2.2.19.1-5", "MQ-2.2.19.1-9")
def test_we_make_the_request_of_the_vector_and_its_answer() -> None:
    request = InternalPacket.establish(FINDER, time_stamp=1000)
    assert request.pack() == vector("derived-establish-direct-request")
    answer = request.established(OWNER, refused=True).body
    assert isinstance(answer, EstablishBody)
    assert (answer.client_guid, answer.server_guid, answer.time_stamp, answer.operating_system) == (FINDER, OWNER, 1000, 0x0310)
    assert answer.padding == b"\x5a" * 512
    pinged = InternalPacket.establish(FINDER, pinged=True)
    assert pinged.base.flags.internal
    assert isinstance(pinged.body, EstablishBody)
    assert pinged.body.operating_system == 0x0210
    echoed = pinged.established(OWNER).body
    assert isinstance(echoed, EstablishBody)
    assert not echoed.operating_system.no_ping_sent


@pytest.mark.spec("QB-2.2.2-1")
def test_connection_parameters() -> None:
    body = internal("frame05-connection-parameters-request").body
    assert isinstance(body, ParametersBody)
    assert (body.recoverable_ack_timeout_ms, body.ack_timeout_ms, body.reserved, body.window_size) == (1496, 120000, 0, 64)
    assert InternalPacket.parameters(1496, 120000).pack()[16:] == vector("frame05-connection-parameters-request")[16:]


@pytest.mark.spec("QB-2.2.6-1", "MQ-2.2.19.1-7", "MQ-T-1")
def test_session_ack_counts_its_session_header_in_the_size() -> None:
    session = SessionHeader(40, 33, 0xFF, 12, 4, 64)
    assert session.recoverable_stored == tuple(range(33, 41))
    assert InternalPacket.session_ack(session).pack() == vector("derived-session-ack-recoverable")
    assert internal("derived-session-ack-recoverable").body == session


def test_change_notification_carrier() -> None:
    packet = message("derived-mqcn-carrier")
    assert (packet.user.flags.destination_code, packet.user.destination_queue, packet.user.queue_manager_address) == (3, 3, OWNER)
    assert (packet.base.time_to_reach_queue, packet.user.message_id, packet.properties.label) == (300, 1, "")
    assert len(packet.properties.message_body) == 72


@pytest.mark.spec("MQ-2.2.20.5-1", "MQ-2.2.19.1-3")
def test_transactional_message_to_a_direct_name() -> None:
    packet = message("derived-transactional-direct")
    assert packet.transactional
    assert packet.priority == 0
    assert packet.transaction is not None
    flags = packet.transaction.flags
    assert (flags.first_message, flags.last_message, flags.final_ack_required, flags.transaction_id) == (True, True, False, 0x12345)
    assert (packet.transaction.tx_sequence_id, packet.transaction.tx_sequence_number) == (0x6500000000000001, 1)
    assert packet.transaction.previous_tx_sequence_number == 0
    assert (packet.user.flags.journal_negative, packet.user.flags.journal_positive, packet.user.flags.delivery_mode) == (True, False, 1)
    assert packet.user.destination_queue == "TCP:192.0.2.10\\PRIVATE$\\tq"
    assert (packet.properties.label, packet.properties.message_body) == ("t1", b"hello")


@pytest.mark.spec("MQ-2.2.19.2-9", "MQ-2.2.19.2-10", "MQ-2.2.19.3-1", "MQ-T-4")
def test_admin_response_and_connector() -> None:
    packet = message("derived-admin-response-connector")
    user, properties = packet.user, packet.properties
    assert (user.flags.admin_code, user.admin_queue, user.flags.response_code, user.response_queue) == (2, 7, 1, None)
    assert user.connector_type == UUID("99999999-8888-7777-6666-555544443333")
    assert (properties.flags.ack_arrival, properties.flags.ack_receive, properties.flags.nack_arrival) == (True, False, True)
    assert (properties.correlation_id, properties.body_type) == (bytes(range(1, 21)), 31)
    assert (properties.application_tag, properties.extension_data, len(properties.message_body)) == (0xDEADBEEF, b"\x01\x02\x03", 5)


@pytest.mark.spec("MQ-2.2.18.1.4-2", "MQ-2.2.18.1.4-6", "MQ-2.2.20.1-1", "MQ-T-25", "MQ-T-26")
def test_multiple_destinations() -> None:
    header = message("derived-multi-destination").multi_queue
    assert header is not None
    assert header.destination.elements == (
        FormatNameElement(FormatType.PUBLIC, UUID("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0")),
        FormatNameElement(FormatType.DIRECT, "OS:host1\\private$\\a"),
        FormatNameElement(FormatType.PRIVATE, ObjectId(OWNER, 0xD)),
    )
    assert (header.destination.header_size, header.administration.header_size, header.response.header_size) == (96, 12, 48)
    assert (header.administration.elements, header.signature.signature) == ((), b"")
    assert header.response.elements == (FormatNameElement(FormatType.DIRECT, "TCP:192.0.2.10\\r"),)


@pytest.mark.spec("QB-2.2.4-1", "QB-3.1.5.1.1-1")
def test_order_ack() -> None:
    packet = message("derived-order-ack-private")
    assert packet.properties.message_class == MessageClass.MQMSG_CLASS_ORDER_ACK
    assert read_ack(packet) == OrderAckBody(read_body(packet).tx_sequence_id, 8, 7)
    assert read_body(packet).tx_sequence_id == 0x6500000000000001


@pytest.mark.spec("QB-2.2.4-1", "QB-3.1.5.1.1-1")
def test_final_ack() -> None:
    packet = message("derived-final-ack-positive")
    body = read_ack(packet)
    assert isinstance(body, FinalAckBody)
    assert (packet.user.flags.delivery_mode, packet.properties.message_class) == (1, MessageClass.MQMSG_CLASS_ACK_RECEIVE)
    assert (body.tx_sequence_number, body.previous_tx_sequence_number, body.source_guid, body.message_id) == (8, 7, FINDER, 2)


def read_body(packet: UserMessage) -> OrderAckBody:
    body = read_ack(packet)
    assert isinstance(body, OrderAckBody)
    return body


def test_vectors_are_all_here() -> None:
    kinds: set[type[Packet]] = {type(read_packet(vector(name))) for name in WHOLE_VECTORS}
    assert kinds == {UserMessage, InternalPacket, Ping}
    assert len(WHOLE_VECTORS) == 12
