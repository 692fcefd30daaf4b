"""The UserMessage packet: all headers in their one order. [MS-MQMQ] 2.2.20

    BaseHeader  UserHeader  [TransactionHeader]  [SecurityHeader]  MessagePropertiesHeader  [DebugHeader]
    [SRMPEnvelopeHeader CompoundMessageHeader]  [SoapHeader]  [MultiQueueFormatHeader]  | [SessionHeader]

The bar is where PacketSize ends. The SRMP pair exists only in what a remote reader gets ([MS-MQRR] 2.2.5.1).
"""

from __future__ import annotations

from dataclasses import replace

from msmqctl.errors import DecodeError
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.headers import (
    SIGNATURE,
    VERSION,
    BaseFlags,
    BaseHeader,
    DebugHeader,
    MessagePropertiesHeader,
    SessionHeader,
    SoapHeader,
    TransactionHeader,
    UserFlags,
    UserHeader,
)
from msmqctl.wire.identity import MessageIdentifier
from msmqctl.wire.multi_queue import MultiQueueFormatHeader
from msmqctl.wire.record import Buffer, Reader
from msmqctl.wire.remote_headers import CompoundMessageHeader, SRMPEnvelopeHeader
from msmqctl.wire.security_header import SecurityHeader
from msmqctl.wire.values import INFINITE, MAX_PACKET_SIZE, MessageClass, QueueCode

_SIGNATURE_OCTETS = SIGNATURE.to_bytes(4, "little")

# The flags that say which headers are there, as masks: packing compares them all at once.
_SESSION, _DEBUG = BaseFlags.session_header.mask, BaseFlags.debug_header.mask
_BASE_PRESENCE = _SESSION | _DEBUG | BaseFlags.internal.mask
_TH, _SH = UserFlags.transaction_header.mask, UserFlags.security_header.mask
_HH, _MQ = UserFlags.soap_header.mask, UserFlags.multi_queue_header.mask
_USER_PRESENCE = _TH | _SH | _HH | _MQ


def packet_length(start: Buffer) -> int | None:
    """How many octets the packet takes that begins with these, or None while fewer than a BaseHeader are there. [MS-MQQB] 3.1.5.1

    The SessionHeader of a user message stands outside PacketSize, that of a SessionAck inside.
    """
    if len(start) < BaseHeader.SIZE:
        return None
    base = BaseHeader.read(Reader(start))
    outside = base.flags.session_header and not base.flags.internal
    return base.packet_size + (SessionHeader.SIZE if outside else 0)


def looks_like_packet(start: Buffer) -> bool:
    """Whether these octets seem to start a packet."""
    return start[:1] == bytes([VERSION]) and start[4:8] == _SIGNATURE_OCTETS


@dataclass(frozen=True, slots=True)
class UserMessage:
    """One whole message: there is no fragmentation above TCP."""

    base: BaseHeader
    user: UserHeader
    properties: MessagePropertiesHeader
    transaction: TransactionHeader | None = None
    security: SecurityHeader | None = None
    debug: DebugHeader | None = None
    envelope: SRMPEnvelopeHeader | None = None
    compound: CompoundMessageHeader | None = None
    soap: SoapHeader | None = None
    multi_queue: MultiQueueFormatHeader | None = None
    session: SessionHeader | None = None
    trailing: bytes = b""  # octets that a newer sender put between the last header we know and PacketSize

    @classmethod
    def read(cls, reader: Reader, *, remote_read: bool = False, for_delivery: bool = False) -> UserMessage:
        """Take a message from the reader. `remote_read`: it came out of a queue over RPC. `for_delivery`: it must name a destination."""
        start = reader.origin = reader.offset
        base = BaseHeader.read(reader)
        if base.flags.internal:
            raise reader.fault("an internal packet, not a message", "BaseHeader.flags", start + 2)
        buffer_end = reader.end
        reader.end = reader.require(start + base.packet_size, "BaseHeader.packet_size", start + 8)
        try:
            message = cls._read_headers(reader, base, remote_read)
            if for_delivery and message.user.flags.destination_code == QueueCode.NONE:
                raise reader.fault("no destination queue", "UserHeader.flags", start + 60)
            trailing = reader.take(reader.remaining, "UserMessage.trailing")
        finally:
            reader.end = buffer_end
        if not base.flags.session_header:
            return replace(message, trailing=trailing) if trailing else message
        # A peer that counts its SessionHeader in PacketSize is betrayed by the next packet following at once.
        if len(trailing) == SessionHeader.SIZE and looks_like_packet(reader.data[reader.offset : min(reader.end, reader.offset + 8)]):
            return replace(message, session=SessionHeader.read_all(trailing))
        return replace(message, session=SessionHeader.read(reader), trailing=trailing)

    @classmethod
    def read_all(cls, data: Buffer, *, remote_read: bool = False, for_delivery: bool = False) -> UserMessage:
        """The message that fills `data` from end to end."""
        reader = Reader(data)
        message = cls.read(reader, remote_read=remote_read, for_delivery=for_delivery)
        reader.expect_end("UserMessage")
        return message

    @classmethod
    def _read_headers(cls, reader: Reader, base: BaseHeader, remote_read: bool) -> UserMessage:
        user = UserHeader.read(reader)
        transaction = TransactionHeader.read(reader) if user.flags.transaction_header else None
        security = SecurityHeader.read(reader) if user.flags.security_header else None

        def read_rest(*, body_as_allocated: bool) -> UserMessage:
            properties = MessagePropertiesHeader.read(reader, body_as_allocated=body_as_allocated)
            debug = DebugHeader.read(reader) if base.flags.debug_header else None
            srmp = remote_read and user.flags.over_http
            envelope = SRMPEnvelopeHeader.read(reader) if srmp else None
            compound = CompoundMessageHeader.read(reader) if srmp else None
            soap = SoapHeader.read(reader) if user.flags.soap_header else None
            multi_queue = MultiQueueFormatHeader.read(reader) if user.flags.multi_queue_header else None
            return cls(base, user, properties, transaction, security, debug, envelope, compound, soap, multi_queue)

        if security is None or not security.flags.body_encrypted:
            return read_rest(body_as_allocated=False)
        # Departs from [MS-MQMQ] 2.2.19.3: an encrypted body may be AllocationBodySize long, as [MS-MQQB] 3.1.7.1.5 writes only that field.
        mark = reader.mark()
        fallback = None
        for body_as_allocated in (False, True):
            try:
                message = read_rest(body_as_allocated=body_as_allocated)
            except DecodeError:
                pass
            else:
                if reader.remaining == 0:
                    return message
                fallback = body_as_allocated if fallback is None else fallback
            reader.rewind(mark)
        # Neither ends where the packet does: the first that ends inside it, or the fault of the documented length.
        return read_rest(body_as_allocated=fallback or False)

    def pack(self) -> bytes:
        """The packet as octets, PacketSize set from what is there. The body is copied once."""
        size, parts = self._parts()
        base = self.base
        parts[0] = (base if base.packet_size == size else replace(base, packet_size=size)).pack()
        if self.session is not None:
            parts.append(self.session.pack())
        return b"".join(parts)

    def sized(self) -> UserMessage:
        """This message with the PacketSize that packing gives it."""
        size, _ = self._parts()
        return replace(self, base=replace(self.base, packet_size=size))

    def _parts(self) -> tuple[int, list[bytes]]:
        """PacketSize and what it counts; the place of the BaseHeader, which depends on it, is empty."""
        self._check()
        parts = [b"", self.user.pack()]
        if self.transaction is not None:
            parts.append(self.transaction.pack())
        if self.security is not None:
            parts.append(self.security.pack())
        parts += self.properties.pack_parts()
        parts += [part.pack() for part in (self.debug, self.envelope, self.compound, self.soap, self.multi_queue) if part is not None]
        parts.append(self.trailing)
        size = BaseHeader.SIZE + sum(map(len, parts))
        if size > MAX_PACKET_SIZE:
            raise ValueError(f"a packet has at most {MAX_PACKET_SIZE} octets, this one {size}")
        return size, parts

    def _check(self) -> None:
        """A header is there exactly when its flag is set: without that the octets could not be read again."""
        base, user = int(self.base.flags), int(self.user.flags)
        base_there = (_SESSION if self.session is not None else 0) | (_DEBUG if self.debug is not None else 0)
        user_there = 0
        for mask, header in ((_TH, self.transaction), (_SH, self.security), (_HH, self.soap), (_MQ, self.multi_queue)):
            if header is not None:
                user_there |= mask
        if base & _BASE_PRESENCE != base_there:
            raise ValueError(f"BaseHeader.flags: not internal, and a header is present exactly when its flag is set: {self.base.flags!r}")
        if user & _USER_PRESENCE != user_there:
            raise ValueError(f"UserHeader.flags: a header is present exactly when its flag is set: {self.user.flags!r}")
        if (self.envelope is None) != (self.compound is None) or (self.envelope is not None and not self.user.flags.over_http):
            raise ValueError("SRMPEnvelopeHeader: comes with a CompoundMessageHeader, and only in a message that came over HTTP")

    def unusable_algorithm(self) -> MessageClass | None:
        """The refusal that a number for privacy, hash or cipher outside the tables earns, where that number matters. [MS-MQMQ] 2.2.19.3"""
        properties, security = self.properties, self.security
        signed = security is not None and security.signature_size > 0
        encrypted = security is not None and security.flags.body_encrypted
        if not properties.privacy_level.known or (signed and not properties.hash_algorithm.known):
            return MessageClass.MQMSG_CLASS_NACK_BAD_SIGNATURE
        if encrypted and not properties.encryption_algorithm.known:
            return MessageClass.MQMSG_CLASS_NACK_BAD_ENCRYPTION
        return None

    @property
    def identifier(self) -> MessageIdentifier:
        """Who sent the message, and the number it gave it. [MS-MQMQ] 2.2.18.1.3"""
        return MessageIdentifier(self.user.source_queue_manager, self.user.message_id)

    @property
    def transactional(self) -> bool:
        """The presence of a TransactionHeader is what makes a message transactional. [MS-MQMQ] 2.2.20.5"""
        return self.transaction is not None

    @property
    def priority(self) -> int:
        """0 to 7, higher is nearer the front; in a transactional message the field is ignored. [MS-MQMQ] 2.2.19.1"""
        return 0 if self.transactional else self.base.flags.priority

    def late_for_queue(self, now: int) -> bool:
        """Whether it can no longer reach its queue in time, `now` in seconds since 1970. [MS-MQMQ] 2.2.19.1"""
        return _passed(self.user.sent_time, self.base.time_to_reach_queue, now)

    def late_for_receiver(self, now: int) -> bool:
        """Whether it must leave the destination queue unread. [MS-MQMQ] 2.2.19.2"""
        return _passed(self.user.sent_time, self.user.time_to_be_received, now)

    def late_for_queue_absolute(self, now: int) -> bool:
        """The same for a remote-read result, where TimeToReachQueue is a moment and not a duration. [MS-MQRR] 2.2.5.1"""
        return self.base.time_to_reach_queue != INFINITE and now > self.base.time_to_reach_queue


def _passed(sent: int, allowance: int, now: int) -> bool:
    # A sender whose clock is ahead gives a negative age, which is not expired; the numbers here do not wrap.
    return allowance != INFINITE and now - sent > allowance
