"""Packets of an [MS-MQQB] session that are not application messages, and the ping beside it. [MS-MQQB] 2.2

EstablishConnection, ConnectionParameters and SessionAck are internal packets: BaseHeader, InternalHeader, a fixed rest.
OrderAck and FinalAck are user messages to the order queue of the original sender, with a body of their own.
"""

from __future__ import annotations

from typing import Annotated, Self
from uuid import UUID

from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.headers import BaseFlags, BaseHeader, MessagePropertiesHeader, PacketQueue, SessionHeader, UserFlags, UserHeader
from msmqctl.wire.identity import TxSequenceId
from msmqctl.wire.open_enum import OpenEnum
from msmqctl.wire.packet import UserMessage
from msmqctl.wire.record import GUID, NULL_GUID, U16, U32, U64, Bits, Buffer, Reader, Record, flag, group, octets, record
from msmqctl.wire.values import INFINITE, DeliveryMode, MessageClass, QueueCode

PING_SIGNATURE = 0x5548
ORDER_QUEUE_NUMBER = 4
ORDER_QUEUE_NAME = "\\PRIVATE$\\order_queue$"
ORDER_ACK_LABEL = "QM Ordering Ack"
PADDING_OCTET = 0x5A
DEFAULT_WINDOW = 64


class PacketType(OpenEnum):
    """InternalHeader.Flags.PT."""

    SESSION_ACK = 1
    ESTABLISH_CONNECTION = 2
    CONNECTION_PARAMETERS = 3


class InternalFlags(Bits):
    """InternalHeader.Flags: PT, CS, reserved."""

    packet_type = group(4)
    refused = flag()
    reserved = group(11)


@record
class InternalHeader(Record):
    """Follows the BaseHeader of every internal packet. [MS-MQQB] 2.2.1"""

    reserved: Annotated[int, U16]
    flags: Annotated[InternalFlags, U16]

    @classmethod
    def of(cls, kind: PacketType, *, refused: bool = False) -> Self:
        return cls(0, InternalFlags.of(packet_type=kind, refused=refused))


class OperatingSystem(Bits):
    """EstablishConnection.OperatingSystem: RE (always 0x10), SE, OS, QS, unused."""

    reserved = group(8)
    no_ping_sent = flag()
    server = flag()
    quality_of_service = flag()
    unused = group(5)


@record
class EstablishBody(Record):
    """The rest of an EstablishConnection packet. [MS-MQQB] 2.2.3"""

    client_guid: Annotated[UUID, GUID]
    server_guid: Annotated[UUID, GUID]
    time_stamp: Annotated[int, U32]
    operating_system: Annotated[OperatingSystem, U16]
    reserved: Annotated[int, U16]
    padding: Annotated[bytes, octets(512)]


@record
class ParametersBody(Record):
    """The rest of a ConnectionParameters packet; times in milliseconds. [MS-MQQB] 2.2.2"""

    recoverable_ack_timeout_ms: Annotated[int, U32]
    ack_timeout_ms: Annotated[int, U32]
    reserved: Annotated[int, U16]
    window_size: Annotated[int, U16]


@dataclass(frozen=True, slots=True)
class InternalPacket:
    """A packet that the two queue managers exchange about the session itself; the body's type is the packet's type."""

    base: BaseHeader
    header: InternalHeader
    body: EstablishBody | ParametersBody | SessionHeader

    @classmethod
    def establish(
        cls, client: UUID, server: UUID = NULL_GUID, time_stamp: int = 0, *, server_class: bool = True, pinged: bool = False
    ) -> Self:
        """A request for a session; the server's GUID is unknown, and NULL, where a direct name is used."""
        system = OperatingSystem.of(reserved=0x10, no_ping_sent=not pinged, server=server_class)
        body = EstablishBody(client, server, time_stamp, system, 0, bytes([PADDING_OCTET]) * 512)
        return cls._of(PacketType.ESTABLISH_CONNECTION, body)

    def established(self, server: UUID, *, refused: bool = False, server_class: bool = True) -> Self:
        """The answer to this request: client, time stamp and SE come back as they were."""
        if not isinstance(self.body, EstablishBody):
            raise TypeError("only an EstablishConnection packet is answered with one")
        system = OperatingSystem.of(reserved=0x10, no_ping_sent=self.body.operating_system.no_ping_sent, server=server_class)
        body = EstablishBody(self.body.client_guid, server, self.body.time_stamp, system, 0, bytes([PADDING_OCTET]) * 512)
        return self._of(PacketType.ESTABLISH_CONNECTION, body, refused=refused)

    @classmethod
    def parameters(cls, recoverable_ack_timeout_ms: int, ack_timeout_ms: int, window_size: int = DEFAULT_WINDOW) -> Self:
        """What this side proposes for the session."""
        return cls._of(PacketType.CONNECTION_PARAMETERS, ParametersBody(recoverable_ack_timeout_ms, ack_timeout_ms, 0, window_size))

    @classmethod
    def session_ack(cls, session: SessionHeader) -> Self:
        """An acknowledgment that found no message to ride on."""
        return cls._of(PacketType.SESSION_ACK, session)

    @classmethod
    def _of(cls, kind: PacketType, body: EstablishBody | ParametersBody | SessionHeader, *, refused: bool = False) -> Self:
        flags = BaseFlags.of(priority=3, internal=1, session_header=kind == PacketType.SESSION_ACK)
        size = BaseHeader.SIZE + InternalHeader.SIZE + body.SIZE
        return cls(BaseHeader.of(flags, size), InternalHeader.of(kind, refused=refused), body)

    @classmethod
    def read(cls, reader: Reader) -> Self:
        start = reader.origin = reader.offset
        base = BaseHeader.read(reader)
        if not base.flags.internal:
            raise reader.fault("a message, not an internal packet", "BaseHeader.flags", start + 2)
        end = reader.require(start + base.packet_size, "BaseHeader.packet_size", start + 8)
        buffer_end, reader.end = reader.end, end
        try:
            header = InternalHeader.read(reader)
            kind = _BODIES.get(header.flags.packet_type)
            if kind is None:
                raise reader.fault(f"packet type {header.flags.packet_type} does not exist", "InternalHeader.flags", start + 18)
            if header.flags.refused and kind is SessionHeader:
                raise reader.fault("a SessionAck refuses nothing", "InternalHeader.flags", start + 18)
            # Departs from [MS-MQMQ] 2.2.19.1: PacketSize counts the SessionHeader of a SessionAck, as the published frame has it.
            if kind is SessionHeader and not base.flags.session_header:
                raise reader.fault("a SessionAck without a SessionHeader", "BaseHeader.flags", start + 2)
            body = kind.read(reader)
            reader.expect_end("InternalPacket")
        finally:
            reader.end = buffer_end
        return cls(base, header, body)

    def pack(self) -> bytes:
        return self.base.pack() + self.header.pack() + self.body.pack()


_BODIES: dict[int, type[EstablishBody] | type[ParametersBody] | type[SessionHeader]] = {
    PacketType.SESSION_ACK: SessionHeader,
    PacketType.ESTABLISH_CONNECTION: EstablishBody,
    PacketType.CONNECTION_PARAMETERS: ParametersBody,
}


class PingFlags(Bits):
    """Ping.Flags: RC, RF, and noise."""

    not_a_server = flag()
    refused = flag()
    noise = group(14)


@record
class Ping(Record):
    """A datagram that asks whether the other queue manager would take a session, and its answer. [MS-MQQB] 2.2.7"""

    flags: Annotated[PingFlags, U16]
    signature: Annotated[int, U16]
    cookie: Annotated[int, U32]
    qm_guid: Annotated[UUID, GUID]

    @classmethod
    def of(cls, cookie: int, qm_guid: UUID, *, not_a_server: bool = False, refused: bool = False) -> Self:
        return cls(PingFlags.of(not_a_server=not_a_server, refused=refused), PING_SIGNATURE, cookie, qm_guid)

    @classmethod
    def read(cls, reader: Reader) -> Self:
        start = reader.offset
        ping = cls(*reader.fixed(cls))
        if ping.signature != PING_SIGNATURE:
            raise reader.fault(f"signature 0x{ping.signature:04X}, not 0x{PING_SIGNATURE:04X}", "Ping.signature", start + 2)
        return ping


@record
class OrderAckBody(Record):
    """The body of an OrderAck. [MS-MQQB] 2.2.4"""

    tx_sequence_id: Annotated[TxSequenceId, U64]
    tx_sequence_number: Annotated[int, U32]
    previous_tx_sequence_number: Annotated[int, U32]
    reserved: Annotated[bytes, octets(20)] = bytes(20)


@record
class FinalAckBody(Record):
    """The body of a FinalAck: the same, and which message it was. [MS-MQQB] 2.2.5"""

    tx_sequence_id: Annotated[TxSequenceId, U64]
    tx_sequence_number: Annotated[int, U32]
    previous_tx_sequence_number: Annotated[int, U32]
    source_guid: Annotated[UUID, GUID]
    message_id: Annotated[int, U32]


def make_ack(
    body: OrderAckBody | FinalAckBody,
    message_class: MessageClass,
    *,
    source: UUID,
    message_id: int,
    sent_time: int,
    destination: UUID | str,
) -> UserMessage:
    """An OrderAck or FinalAck. `destination`: the sender's queue manager, or its address as `TCP:ip` when it was reached directly."""
    mode = DeliveryMode.RECOVERABLE if isinstance(body, FinalAckBody) else DeliveryMode.EXPRESS
    queue: PacketQueue
    if isinstance(destination, str):
        code, address, queue = QueueCode.DIRECT, NULL_GUID, destination + ORDER_QUEUE_NAME
    else:
        code, address, queue = QueueCode.PRIVATE_ON_DESTINATION, destination, ORDER_QUEUE_NUMBER
    flags = UserFlags.of(delivery_mode=mode, destination_code=code, properties_header=1)
    return UserMessage(
        BaseHeader.of(BaseFlags(0)),
        UserHeader(source, address, INFINITE, sent_time, message_id, flags, queue),
        MessagePropertiesHeader.of(label=ORDER_ACK_LABEL, message_body=body.pack(), message_class=message_class),
    ).sized()


def read_ack(message: UserMessage) -> OrderAckBody | FinalAckBody | None:
    """The acknowledgment inside a message to the order queue, or None where it is none. [MS-MQQB] 3.1.5.1.1

    Priority, a piggy-backed SessionHeader and reserved bits do not matter, nor does the host part of a direct name: behind
    address translation it is no address of this computer.
    """
    properties, queue = message.properties, message.user.destination_queue
    to_order_queue = queue == ORDER_QUEUE_NUMBER or (isinstance(queue, str) and queue.casefold().endswith(ORDER_QUEUE_NAME.casefold()))
    if not to_order_queue or properties.label != ORDER_ACK_LABEL or len(properties.message_body) != OrderAckBody.SIZE:
        return None
    if properties.message_class == MessageClass.MQMSG_CLASS_ORDER_ACK:
        return OrderAckBody.read_all(properties.message_body)
    if properties.message_class >= MessageClass.MQMSG_CLASS_ACK_RECEIVE:
        return FinalAckBody.read_all(properties.message_body)
    return None


def read_session_packet(reader: Reader) -> InternalPacket | UserMessage:
    """The next packet of a session, whichever it is."""
    mark = reader.mark()
    base = BaseHeader.read(reader)
    reader.rewind(mark)
    return InternalPacket.read(reader) if base.flags.internal else UserMessage.read(reader)


def is_ping(data: Buffer) -> bool:
    """Whether these octets are a ping datagram."""
    return len(data) == Ping.SIZE and bytes(data[2:4]) == PING_SIGNATURE.to_bytes(2, "little")
