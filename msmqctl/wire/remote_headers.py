"""Headers that only a remote reader sees: the SRMP pair in a packet, and those that MSMQ 4.0 and later put behind it. [MS-MQRR] 2.2.5"""

from __future__ import annotations

import struct
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Annotated, Self
from uuid import UUID

from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.record import U8, U16, U32, Bits, Reader, Record, align, flag, from_wide, group, octets, pad, record, to_wide
from msmqctl.wire.values import MessageClass


@record
class SRMPEnvelopeHeader(Record):
    """The SOAP envelope of a message that came over HTTP. [MS-MQRR] 2.2.5.1.2.1

    The document does not publish the number of HeaderId: it is read as anything.
    """

    header_id: Annotated[int, U16]
    reserved: Annotated[int, U16]
    data_length: Annotated[int, U32]
    envelope: str

    @classmethod
    def of(cls, envelope: str) -> Self:
        return cls(0, 0, len(to_wide(envelope)) // 2 + 1, envelope)

    @classmethod
    def read(cls, reader: Reader) -> Self:
        fixed = reader.fixed(cls)
        text = reader.wide(fixed[2], "SRMPEnvelopeHeader.envelope")
        reader.align(4, "SRMPEnvelopeHeader")
        return cls(*(*fixed, text.removesuffix("\0")))

    def pack(self) -> bytes:
        text = to_wide(self.envelope)
        if len(text) // 2 == self.data_length - 1:
            text += b"\0\0"
        if len(text) // 2 != self.data_length:
            raise ValueError(f"SRMPEnvelopeHeader.data_length: {self.data_length} does not fit the envelope")
        return pad(self.pack_fixed() + text)


@record
class CompoundMessageHeader(Record):
    """The HTTP request that brought the message, with the place of the message body in it. [MS-MQRR] 2.2.5.1.2.2"""

    header_id: Annotated[int, U16]
    reserved: Annotated[int, U16]
    http_body_size: Annotated[int, U32]
    msg_body_size: Annotated[int, U32]
    msg_body_offset: Annotated[int, U32]
    data: bytes

    @classmethod
    def of(cls, data: bytes, body_offset: int, body_size: int) -> Self:
        return cls(0, 0, len(data), body_size, body_offset, data)

    @classmethod
    def read(cls, reader: Reader) -> Self:
        start = reader.offset
        fixed = reader.fixed(cls)
        if fixed[4] + fixed[3] > fixed[2]:
            problem = f"a body of {fixed[3]} octets from {fixed[4]} on does not fit into {fixed[2]}"
            raise reader.fault(problem, "CompoundMessageHeader.msg_body_offset", start + 12)
        data = reader.take(fixed[2], "CompoundMessageHeader.data")
        reader.align(4, "CompoundMessageHeader")
        return cls(*(*fixed, data))

    def pack(self) -> bytes:
        if len(self.data) != self.http_body_size or self.msg_body_offset + self.msg_body_size > self.http_body_size:
            raise ValueError("CompoundMessageHeader: the sizes do not fit the data")
        return b"".join((self.pack_fixed(), self.data, bytes(-len(self.data) % 4)))

    @property
    def body(self) -> bytes:
        """The message body inside the request."""
        return self.data[self.msg_body_offset : self.msg_body_offset + self.msg_body_size]


class ExtensionFlags(Bits):
    """ExtensionHeader.Flags: DL, SQ, unused, DI, EA, unused."""

    dead_letter_header = flag()
    subqueue_header = flag()
    unused_low = flag()
    dead_letter_invalid = flag()
    extended_address_header = flag()
    unused_high = group(3)


@record
class ExtensionHeader(Record):
    """Says which headers follow a message packet. [MS-MQRR] 2.2.5.2"""

    header_size: Annotated[int, U32]
    remaining_headers_size: Annotated[int, U32]
    flags: Annotated[ExtensionFlags, U8]
    reserved: Annotated[bytes, octets(3)]


class SubqueueBits(Bits):
    """The second word of a SubqueueHeader: TM, AcknowledgementClass, reserved."""

    transacted_move = flag()
    acknowledgment_class = group(16)
    reserved = group(15)


@record
class SubqueueHeader(Record):
    """In which subqueue the message lies, and how often it was moved or given back. [MS-MQRR] 2.2.5.3"""

    header_size: Annotated[int, U32]
    bits: Annotated[SubqueueBits, U32]
    abort_counter: Annotated[int, U32]
    move_counter: Annotated[int, U32]
    # Departs from [MS-MQRR] 2.2.5.3: LastMoveTime is taken as seconds, because milliseconds since 1970 do not fit into 32 bits.
    last_move_time: Annotated[int, U32]
    subqueue_octets: Annotated[bytes, octets(64)]
    target_subqueue_octets: Annotated[bytes, octets(64)]

    @classmethod
    def of(
        cls,
        subqueue_name: str = "",
        target_subqueue_name: str = "",
        *,
        acknowledgment_class: MessageClass = MessageClass.MQMSG_CLASS_NORMAL,
        abort_counter: int = 0,
        move_counter: int = 0,
        last_move_time: int = 0,
    ) -> Self:
        """A header as we send it; the class is that of a rejected message."""
        names = (_name_octets(subqueue_name), _name_octets(target_subqueue_name))
        bits = SubqueueBits.of(acknowledgment_class=acknowledgment_class)
        return cls(cls.SIZE, bits, abort_counter, move_counter, last_move_time, *names)

    @property
    def subqueue_name(self) -> str:
        """Empty outside a subqueue; then the header says nothing."""
        return from_wide(self.subqueue_octets).split("\0", 1)[0]

    @property
    def target_subqueue_name(self) -> str:
        """Where a move that is not committed yet leads."""
        return from_wide(self.target_subqueue_octets).split("\0", 1)[0]

    @property
    def acknowledgment_class(self) -> MessageClass:
        """Why the message was rejected. The document's bit order is doubtful, so both halves are tried when the middle makes no sense."""
        word = int(self.bits)
        candidates = [MessageClass(value) for value in (self.bits.acknowledgment_class, word >> 16, word & 0xFFFF)]
        return next((found for found in candidates if found.known), candidates[0])


def _name_octets(name: str) -> bytes:
    """A name with its NUL, filled with zeros."""
    data = to_wide(name + "\0")
    if len(data) > 64:
        raise ValueError(f"a subqueue name has at most 31 characters, {name!r} has more")
    return data.ljust(64, b"\0")


@record
class DeadLetterHeader(Record):
    """The dead-letter queue that the sender chose. [MS-MQRR] 2.2.5.4"""

    header_size: Annotated[int, U32]
    path: str

    @classmethod
    def of(cls, path: str) -> Self:
        return cls(align(cls.SIZE + len(to_wide(path + "\0"))), path)

    @classmethod
    def read(cls, reader: Reader) -> Self:
        start = reader.offset
        (size,) = reader.fixed(cls)
        if size < cls.SIZE + 2 or size % 2:
            raise reader.fault(f"size {size} does not hold a name", "DeadLetterHeader.header_size", start)
        text = reader.wide((size - cls.SIZE) // 2, "DeadLetterHeader.path")
        if "\0" not in text:
            raise reader.fault("the name does not end in NUL", "DeadLetterHeader.path", start + cls.SIZE)
        reader.align(4, "DeadLetterHeader")
        return cls(size, text.split("\0", 1)[0])

    def pack(self) -> bytes:
        data = self.pack_fixed() + to_wide(self.path + "\0")
        if len(data) > self.header_size:
            raise ValueError(f"DeadLetterHeader.header_size: {self.header_size} does not hold the name")
        return pad(data.ljust(self.header_size, b"\0"))


@record
class ExtendedAddressHeader(Record):
    """The address of the host that the message came from, in full. [MS-MQRR] 2.2.5.5"""

    header_size: Annotated[int, U32]
    address_length: Annotated[int, U16]
    address_type: Annotated[int, U16]
    address_scope: Annotated[int, U32]
    address: Annotated[bytes, octets(16)]

    @property
    def host(self) -> IPv4Address | IPv6Address | None:
        """None where the type says to ignore the header."""
        return _address(self.address_type, self.address)


def _address(kind: int, data: bytes) -> IPv4Address | IPv6Address | None:
    size = {1: 4, 6: 16}.get(kind)
    return ip_address(data[:size]) if size and len(data) >= size else None


@dataclass(frozen=True, slots=True)
class HostAddress:
    """What stands in place of QueueManagerAddress in a remote-read result with a direct destination. [MS-MQRR] 2.2.5.1"""

    address_length: int
    address_type: int
    address_scope: int
    address: bytes  # eight octets: as much as fits

    @classmethod
    def from_guid(cls, field: UUID) -> Self:
        """The octets that were read as a GUID, as what they are."""
        return cls(*struct.unpack("<HHI8s", field.bytes_le))

    @property
    def host(self) -> IPv4Address | IPv6Address | None:
        """An IPv4 address; an IPv6 address does not fit into the field and stands in the ExtendedAddressHeader."""
        return _address(self.address_type, self.address)


@dataclass(frozen=True, slots=True)
class RemoteHeaders:
    """What stood behind a message packet."""

    extension: ExtensionHeader
    subqueue: SubqueueHeader | None
    dead_letter: DeadLetterHeader | None
    address: ExtendedAddressHeader | None

    @classmethod
    def of(
        cls,
        subqueue: SubqueueHeader,
        address: ExtendedAddressHeader,
        dead_letter: DeadLetterHeader | None = None,
        *,
        dead_letter_invalid: bool = False,
    ) -> Self:
        """The headers as a server sends them: two always, and the third for a message whose sender chose a dead-letter queue."""
        flags = ExtensionFlags.of(
            dead_letter_header=dead_letter is not None,
            subqueue_header=1,
            dead_letter_invalid=dead_letter_invalid,
            extended_address_header=1,
        )
        behind = subqueue.SIZE + address.SIZE + (len(dead_letter.pack()) if dead_letter is not None else 0)
        return cls(ExtensionHeader(ExtensionHeader.SIZE, behind, flags, bytes(3)), subqueue, dead_letter, address)

    @classmethod
    def read(cls, reader: Reader) -> Self | None:
        """The headers, or None: Server 2003 sends none, and what does not look like an ExtensionHeader is not one."""
        if reader.remaining < ExtensionHeader.SIZE:
            return None
        mark = reader.mark()
        reader.origin = reader.offset
        extension = ExtensionHeader.read(reader)
        if extension.header_size != ExtensionHeader.SIZE:
            reader.rewind(mark)
            return None
        return cls(
            extension,
            SubqueueHeader.read(reader) if extension.flags.subqueue_header else None,
            DeadLetterHeader.read(reader) if extension.flags.dead_letter_header else None,
            ExtendedAddressHeader.read(reader) if extension.flags.extended_address_header else None,
        )

    def pack(self) -> bytes:
        parts = (self.subqueue, self.dead_letter, self.address)
        flags = self.extension.flags
        if (flags.subqueue_header, flags.dead_letter_header, flags.extended_address_header) != tuple(part is not None for part in parts):
            raise ValueError(f"ExtensionHeader.flags: a header is present exactly when its flag is set: {flags!r}")
        return self.extension.pack() + b"".join(part.pack() for part in parts if part is not None)
