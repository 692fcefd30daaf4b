"""The headers of a UserMessage packet, from BaseHeader to SessionHeader. [MS-MQMQ] 2.2.19, 2.2.20

Each header is a record: its fixed fields are annotated, its variable part follows as fields without a codec. Every header
starts on a 4-octet boundary of the packet, and padding is written as zeros and read as anything.
"""

from __future__ import annotations

from typing import Annotated, Self
from uuid import UUID

from msmqctl.wire.identity import ObjectId, TxSequenceId
from msmqctl.wire.record import GUID, U8, U16, U32, U64, BitField, Bits, Reader, Record, flag, group, octets, pad, record, to_wide
from msmqctl.wire.values import (
    INFINITE,
    MAX_LABEL_UNITS,
    MAX_PACKET_SIZE,
    EncryptionAlgorithm,
    HashAlgorithm,
    MessageClass,
    PrivacyLevel,
    QueueCode,
    VarType,
)

VERSION = 0x10
SIGNATURE = 0x524F494C  # "LIOR" as octets: an ordinary little-endian number, whatever the print of the frames says.
MAX_HOPS = 0x1D

# How a queue stands in a UserHeader: a private queue's number, a public queue's GUID, both for a private queue elsewhere, or a direct
# name without its `DIRECT=`. None where the code alone says it all.
PacketQueue = int | UUID | ObjectId | str | None


class BaseFlags(Bits):
    """BaseHeader.Flags: PR, IN, SH, DH, X9 X8, TR, X6..X0."""

    priority = group(3)
    internal = flag()
    session_header = flag()
    debug_header = flag()
    reserved_low = group(2)
    tracing = flag()
    reserved_high = group(7)


@record
class BaseHeader(Record):
    """What every packet on a session starts with. [MS-MQMQ] 2.2.19.1"""

    version_number: Annotated[int, U8]
    reserved: Annotated[int, U8]
    flags: Annotated[BaseFlags, U16]
    signature: Annotated[int, U32]
    packet_size: Annotated[int, U32]
    time_to_reach_queue: Annotated[int, U32]

    @classmethod
    def of(cls, flags: BaseFlags, packet_size: int = 0, time_to_reach_queue: int = INFINITE) -> Self:
        """A header as we send it; `packet_size` is settled when the packet is packed."""
        return cls(VERSION, 0, flags, SIGNATURE, packet_size, time_to_reach_queue)

    @classmethod
    def read(cls, reader: Reader) -> Self:
        start = reader.offset
        header = cls(*reader.fixed(cls))
        if header.version_number != VERSION:
            raise reader.fault(f"version 0x{header.version_number:02X}, not 0x{VERSION:02X}", "BaseHeader.version_number", start)
        if header.signature != SIGNATURE:
            raise reader.fault(f"signature 0x{header.signature:08X}, not 0x{SIGNATURE:08X}", "BaseHeader.signature", start + 4)
        if not cls.SIZE <= header.packet_size <= MAX_PACKET_SIZE:
            raise reader.fault(f"size {header.packet_size} is outside {cls.SIZE} to {MAX_PACKET_SIZE}", "BaseHeader.packet_size", start + 8)
        return header


class UserFlags(Bits):
    """UserHeader.Flags: RC, DM, X1, JN, JP, DQ, AQ, RQ, SH, TH, MP, CQ, MQ, X2, AH, X3, HH, X4."""

    hop_count = group(5)
    delivery_mode = group(2)
    reserved_1 = flag()
    journal_negative = flag()
    journal_positive = flag()
    destination_code = group(3)
    admin_code = group(3)
    response_code = group(3)
    security_header = flag()
    transaction_header = flag()
    properties_header = flag()
    connector_type = flag()
    multi_queue_header = flag()
    reserved_2 = flag()
    over_http = flag()
    reserved_3 = group(2)
    soap_header = flag()
    reserved_4 = group(3)


def _legal(bits: BitField[int], *codes: int) -> frozenset[int]:
    """These codes, where the group has them in its word."""
    return frozenset(code << bits.shift for code in codes)


_TH, _MP, _RECOVERABLE = UserFlags.transaction_header.mask, UserFlags.properties_header.mask, 1 << UserFlags.delivery_mode.shift

# What closes a session: some bits of UserHeader.Flags, all they may be, and what is wrong with the rest. Every code for RQ is legal.
_FLAG_RULES = (
    (UserFlags.delivery_mode.mask, _legal(UserFlags.delivery_mode, 0, 1), "a delivery mode that does not exist"),
    (UserFlags.delivery_mode.mask | _TH, frozenset({0, _RECOVERABLE, _RECOVERABLE | _TH}), "a transactional message must be recoverable"),
    (_MP, frozenset({_MP}), "a message without a MessagePropertiesHeader"),
    (UserFlags.destination_code.mask, _legal(UserFlags.destination_code, 0, 3, 5, 7), "a code that no destination queue has"),
    (UserFlags.admin_code.mask, _legal(UserFlags.admin_code, 0, 2, 3, 5, 6, 7), "a code that no administration queue has"),
)


def _problem_of(flags: UserFlags) -> str | None:
    """Why a UserHeader with these flags can be neither read nor packed, or None. [MS-MQMQ] 2.2.19.2"""
    word = int(flags)
    for mask, legal, problem in _FLAG_RULES:
        if word & mask not in legal:
            return f"{problem}: 0x{word:08X}"
    return None


def _read_queue(reader: Reader, code: int, where: str) -> PacketQueue:
    """The octets that the code calls for."""
    if code in (QueueCode.NONE, QueueCode.SAME_AS_ADMIN):
        return None
    if code in (QueueCode.PRIVATE_ON_SOURCE, QueueCode.PRIVATE_ON_DESTINATION, QueueCode.PRIVATE_ON_ADMIN_HOST):
        return reader.u32(where)
    if code == QueueCode.PUBLIC:
        return reader.guid(where)
    if code == QueueCode.PRIVATE_ELSEWHERE:
        return ObjectId(reader.guid(f"{where}.lineage"), reader.u32(f"{where}.uniquifier"))
    return _read_direct(reader, where)


def _read_direct(reader: Reader, where: str) -> str:
    """DirectQueueFormatName: u16 Count (octets with the NUL), the name, padding. [MS-MQMQ] 2.2.18.1.5.2"""
    at = reader.offset
    count = reader.u16(f"{where}.count")
    if count % 2 or count < 2:
        raise reader.fault(f"count {count} is not a number of whole characters with a NUL", f"{where}.count", at)
    name = reader.wide(count // 2, where)
    if name[-1] != "\0":
        raise reader.fault("the name does not end in NUL", where, at + 2)
    reader.align(4, where)
    return strip_direct(name[:-1])


def strip_direct(name: str) -> str:
    """A direct name as packets hold it. Some senders leave the prefix in."""
    return name[7:] if name[:7].upper() == "DIRECT=" else name


def _pack_queue(code: int, queue: PacketQueue, where: str) -> bytes:
    match code, queue:
        case ((0 | 1), None):
            return b""
        case ((2 | 3 | 4), int()):
            return _number(queue, 4, where)
        case 5, UUID():
            return queue.bytes_le
        case 6, ObjectId():
            return queue.pack()
        case 7, str():
            name = to_wide(queue + "\0")
            return pad(_number(len(name), 2, f"{where}.count") + name)
    raise ValueError(f"{where}: code {code} does not go with {queue!r}")


def _number(value: int, size: int, where: str) -> bytes:
    try:
        return value.to_bytes(size, "little")
    except OverflowError:
        raise ValueError(f"{where}: {value} does not fit into {size} octets") from None


@record
class UserHeader(Record):
    """Who sent it, where it goes, and which headers follow. [MS-MQMQ] 2.2.19.2"""

    source_queue_manager: Annotated[UUID, GUID]
    queue_manager_address: Annotated[UUID, GUID]
    time_to_be_received: Annotated[int, U32]
    sent_time: Annotated[int, U32]
    message_id: Annotated[int, U32]
    flags: Annotated[UserFlags, U32]
    destination_queue: PacketQueue
    admin_queue: PacketQueue = None
    response_queue: PacketQueue = None
    connector_type: UUID | None = None

    @classmethod
    def read(cls, reader: Reader) -> Self:
        start = reader.offset
        fixed = reader.fixed(cls)
        flags: UserFlags = fixed[5]
        if (problem := _problem_of(flags)) is not None:
            raise reader.fault(problem, "UserHeader.flags", start + 44)
        destination = _read_queue(reader, flags.destination_code, "UserHeader.destination_queue")
        admin = _read_queue(reader, flags.admin_code, "UserHeader.admin_queue")
        # Departs from [MS-MQMQ] 2.2.19.2: a response queue with code 1 takes no octets, although one sentence asks for the field.
        response = _read_queue(reader, flags.response_code, "UserHeader.response_queue")
        connector = reader.guid("UserHeader.connector_type") if flags.connector_type else None
        return cls(*(*fixed, destination, admin, response, connector))

    def pack(self) -> bytes:
        flags = self.flags
        if (problem := _problem_of(flags)) is not None:
            raise ValueError(f"UserHeader.flags: {problem}")
        if flags.connector_type != (self.connector_type is not None):
            raise ValueError("UserHeader.connector_type: present exactly when its flag is set")
        return b"".join(
            (
                self.pack_fixed(),
                _pack_queue(flags.destination_code, self.destination_queue, "UserHeader.destination_queue"),
                _pack_queue(flags.admin_code, self.admin_queue, "UserHeader.admin_queue"),
                _pack_queue(flags.response_code, self.response_queue, "UserHeader.response_queue"),
                self.connector_type.bytes_le if self.connector_type is not None else b"",
            )
        )


class TransactionFlags(Bits):
    """TransactionHeader.Flags: CG, FA, FM, LM, ID, unused."""

    connector_guid = flag()
    final_ack_required = flag()
    first_message = flag()
    last_message = flag()
    transaction_id = group(20)
    unused = group(8)


@record
class TransactionHeader(Record):
    """The place of a message in its transaction and in the sequence between two queue managers. [MS-MQMQ] 2.2.20.5"""

    flags: Annotated[TransactionFlags, U32]
    tx_sequence_id: Annotated[TxSequenceId, U64]
    tx_sequence_number: Annotated[int, U32]
    previous_tx_sequence_number: Annotated[int, U32]
    connector_qm_guid: UUID | None = None

    @classmethod
    def read(cls, reader: Reader) -> Self:
        fixed = reader.fixed(cls)
        # Departs from [MS-MQMQ] 2.2.20.5: unknown flag bits do not close the session, because unused bits are to be ignored on receipt.
        return cls(*(*fixed, reader.guid("TransactionHeader.connector_qm_guid") if fixed[0].connector_guid else None))

    def pack(self) -> bytes:
        if self.flags.connector_guid != (self.connector_qm_guid is not None):
            raise ValueError("TransactionHeader.connector_qm_guid: present exactly when its flag is set")
        return self.pack_fixed() + (self.connector_qm_guid.bytes_le if self.connector_qm_guid is not None else b"")


class PropertiesFlags(Bits):
    """MessagePropertiesHeader.Flags, the acknowledgments asked for: PA, PR, NA, NR, unused."""

    ack_arrival = flag()
    ack_receive = flag()
    nack_arrival = flag()
    nack_receive = flag()
    unused = group(4)


@record
class MessagePropertiesHeader(Record):
    """Label, extension and body, and what is said about them. [MS-MQMQ] 2.2.19.3"""

    flags: Annotated[PropertiesFlags, U8]
    label_length: Annotated[int, U8]
    message_class: Annotated[MessageClass, U16]
    correlation_id: Annotated[bytes, octets(20)]
    body_type: Annotated[VarType, U32]
    application_tag: Annotated[int, U32]
    message_size: Annotated[int, U32]
    allocation_body_size: Annotated[int, U32]
    privacy_level: Annotated[PrivacyLevel, U32]
    hash_algorithm: Annotated[HashAlgorithm, U32]
    encryption_algorithm: Annotated[EncryptionAlgorithm, U32]
    extension_size: Annotated[int, U32]
    label: str
    extension_data: bytes
    message_body: bytes

    @classmethod
    def of(
        cls,
        *,
        label: str = "",
        extension_data: bytes = b"",
        message_body: bytes = b"",
        message_class: MessageClass = MessageClass.MQMSG_CLASS_NORMAL,
        flags: PropertiesFlags = PropertiesFlags(0),  # noqa: B008 - an int, immutable
        correlation_id: bytes = bytes(20),
        body_type: int = VarType.VT_EMPTY,
        application_tag: int = 0,
        privacy_level: PrivacyLevel = PrivacyLevel.NONE,
        hash_algorithm: HashAlgorithm = HashAlgorithm.CALG_SHA_512,
        encryption_algorithm: EncryptionAlgorithm = EncryptionAlgorithm.CALG_RC4,
    ) -> Self:
        """A header with its lengths filled in. An unencrypted message carries algorithm numbers too."""
        units = len(to_wide(label)) // 2 + 1 if label else 0
        if units > MAX_LABEL_UNITS:
            raise ValueError(f"a label has at most {MAX_LABEL_UNITS - 1} characters, not {units - 1}")
        size = len(message_body)
        return cls(
            flags, units, message_class, correlation_id, VarType(body_type), application_tag, size, size, privacy_level,
            hash_algorithm, encryption_algorithm, len(extension_data), label, extension_data, message_body,
        )  # fmt: skip

    @classmethod
    def read(cls, reader: Reader, *, body_as_allocated: bool = False) -> Self:
        """With `body_as_allocated` the body area is AllocationBodySize long: see `packet.py` on encrypted bodies."""
        start = reader.offset
        fixed = reader.fixed(cls)
        units, body_size, extension_size = fixed[1], fixed[7 if body_as_allocated else 6], fixed[11]
        if units > MAX_LABEL_UNITS:
            raise reader.fault(f"{units} characters, {MAX_LABEL_UNITS} are the most", "MessagePropertiesHeader.label_length", start + 1)
        label = reader.wide(units, "MessagePropertiesHeader.label")
        extension = reader.take(extension_size, "MessagePropertiesHeader.extension_data")
        body = reader.take(body_size, "MessagePropertiesHeader.message_body")
        reader.align(4, "MessagePropertiesHeader")
        return cls(*(*fixed, label.removesuffix("\0"), extension, body))

    def pack_parts(self) -> list[bytes]:
        """The header in pieces, so that the body is copied once, into the packet."""
        label = to_wide(self.label)
        if len(label) // 2 == self.label_length - 1:
            label += b"\0\0"
        if len(label) // 2 != self.label_length or self.label_length > MAX_LABEL_UNITS:
            raise ValueError(f"MessagePropertiesHeader.label_length: {self.label_length} does not fit the label")
        if len(self.extension_data) != self.extension_size:
            raise ValueError(f"MessagePropertiesHeader.extension_size: {self.extension_size} does not fit the extension")
        if len(self.message_body) not in (self.message_size, self.allocation_body_size):
            raise ValueError(f"MessagePropertiesHeader.message_size: {self.message_size} does not fit the body")
        size = self.SIZE + len(label) + len(self.extension_data) + len(self.message_body)
        return [self.pack_fixed(), label, self.extension_data, self.message_body, bytes(-size % 4)]

    def pack(self) -> bytes:
        return b"".join(self.pack_parts())


class DebugFlags(Bits):
    """DebugHeader.Flags: QT, unused."""

    queue_type = group(2)
    unused = group(14)


@record
class DebugHeader(Record):
    """Where trace reports go. [MS-MQMQ] 2.2.20.8"""

    flags: Annotated[DebugFlags, U16]
    reserved: Annotated[int, U16]
    queue_identifier: UUID | None = None

    @classmethod
    def read(cls, reader: Reader) -> Self:
        start = reader.offset
        fixed = reader.fixed(cls)
        if fixed[0].queue_type > 1:
            raise reader.fault(f"queue type {fixed[0].queue_type} does not exist", "DebugHeader.flags", start)
        return cls(*(*fixed, reader.guid("DebugHeader.queue_identifier") if fixed[0].queue_type else None))

    def pack(self) -> bytes:
        if self.flags.queue_type != (self.queue_identifier is not None):
            raise ValueError("DebugHeader.queue_identifier: present exactly when the queue type is 1")
        return self.pack_fixed() + (self.queue_identifier.bytes_le if self.queue_identifier is not None else b"")


@record
class SessionHeader(Record):
    """Acknowledges what the other side sent on this session. [MS-MQMQ] 2.2.20.4"""

    ack_sequence_number: Annotated[int, U16]
    recoverable_msg_ack_seq_number: Annotated[int, U16]
    recoverable_msg_ack_flags: Annotated[int, U32]
    user_msg_sequence_number: Annotated[int, U16]
    recoverable_msg_seq_number: Annotated[int, U16]
    window_size: Annotated[int, U16]
    reserved: Annotated[int, U16] = 0

    @property
    def recoverable_stored(self) -> tuple[int, ...]:
        """The recoverable sequence numbers that this header acknowledges; they wrap at 65536."""
        first = self.recoverable_msg_ack_seq_number
        if first == 0:
            return ()
        return tuple((first + bit) & 0xFFFF for bit in range(32) if self.recoverable_msg_ack_flags >> bit & 1)


SOAP_HEADER_ID, SOAP_BODY_ID = 0x0320, 0x0384


@record
class SoapSection(Record):
    """Half of a SoapHeader: an identifier, a length in characters, and the text with its NUL."""

    section_id: Annotated[int, U16]
    reserved: Annotated[int, U16]
    data_length: Annotated[int, U32]
    text: str

    @classmethod
    def of(cls, section_id: int, text: str) -> Self:
        return cls(section_id, 0, len(to_wide(text)) // 2 + 1, text)

    @classmethod
    def read_section(cls, reader: Reader, section_id: int, name: str) -> Self:
        start = reader.offset
        fixed = reader.fixed(cls)
        if fixed[0] != section_id:
            raise reader.fault(f"identifier 0x{fixed[0]:04X}, not 0x{section_id:04X}", f"SoapHeader.{name}.section_id", start)
        text = reader.wide(fixed[2], f"SoapHeader.{name}")
        reader.align(4, f"SoapHeader.{name}")
        return cls(*(*fixed, text.removesuffix("\0")))

    def pack(self) -> bytes:
        text = to_wide(self.text)
        if len(text) // 2 == self.data_length - 1:
            text += b"\0\0"
        if len(text) // 2 != self.data_length:
            raise ValueError(f"SoapSection.data_length: {self.data_length} does not fit the text")
        return pad(self.pack_fixed() + text)


@record
class SoapHeader(Record):
    """SOAP header and body that the application gave along. [MS-MQMQ] 2.2.20.7"""

    header: SoapSection
    body: SoapSection

    @classmethod
    def of(cls, header: str, body: str) -> Self:
        return cls(SoapSection.of(SOAP_HEADER_ID, header), SoapSection.of(SOAP_BODY_ID, body))

    @classmethod
    def read(cls, reader: Reader) -> Self:
        header = SoapSection.read_section(reader, SOAP_HEADER_ID, "header")
        return cls(header, SoapSection.read_section(reader, SOAP_BODY_ID, "body"))

    def pack(self) -> bytes:
        return self.header.pack() + self.body.pack()
