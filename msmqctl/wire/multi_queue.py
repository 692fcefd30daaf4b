"""MultiQueueFormatHeader: all queues that got a copy of the message. [MS-MQMQ] 2.2.20.1 to 2.2.20.3, 2.2.18.1.4"""

from __future__ import annotations

from typing import Annotated, Self
from uuid import UUID

from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.headers import strip_direct
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.open_enum import OpenEnum
from msmqctl.wire.record import U16, U32, Reader, Record, align, pad, record, to_wide

DESTINATION_ID, ADMINISTRATION_ID, RESPONSE_ID, SIGNATURE_ID = 0x0064, 0x00C8, 0x012C, 0x015E


class FormatType(OpenEnum):
    """What a list element holds. [MS-MQMQ] 2.2.18.1.4"""

    PUBLIC = 1
    PRIVATE = 2
    DIRECT = 3
    DISTRIBUTION_LIST = 6


# Where the content of an element starts. For public queues the document says nothing: like the other GUIDs.
_ALIGNMENT: dict[int, int] = {FormatType.PUBLIC: 4, FormatType.PRIVATE: 4, FormatType.DIRECT: 2, FormatType.DISTRIBUTION_LIST: 4}


@dataclass(frozen=True, slots=True)
class FormatNameElement:
    """One queue of a list: a GUID, a GUID and a number, or a direct name without `DIRECT=`."""

    kind: FormatType
    value: UUID | ObjectId | str


def _read_element(reader: Reader, where: str) -> FormatNameElement:
    reader.align(2, where)
    at = reader.offset
    kind = reader.u16(f"{where}.format_type")
    if kind not in _ALIGNMENT:
        raise reader.fault(f"format type {kind} does not exist", f"{where}.format_type", at)
    reader.align(_ALIGNMENT[kind], where)
    if kind == FormatType.DIRECT:
        return FormatNameElement(FormatType.DIRECT, strip_direct(_read_terminated(reader, where)))
    guid = reader.guid(f"{where}.guid")
    return FormatNameElement(FormatType(kind), ObjectId(guid, reader.u32(f"{where}.number")) if kind == FormatType.PRIVATE else guid)


def _read_terminated(reader: Reader, where: str) -> str:
    """Characters up to a NUL, which has to come before the reader's end."""
    data, start = reader.data, reader.offset
    for at in range(start, reader.end - 1, 2):
        if data[at] == 0 and data[at + 1] == 0:
            return reader.wide((at - start) // 2 + 1, where)[:-1]
    raise reader.fault("the name does not end in NUL", where)


def _pack_elements(elements: tuple[FormatNameElement, ...], base: int) -> bytes:
    """The list as octets. `base` is its offset from a 4-octet boundary of the packet: alignment is counted from there."""
    data = bytearray()
    for element in elements:
        content = _pack_content(element)
        data += bytes(-(base + len(data)) % 2) + element.kind.to_bytes(2, "little")
        data += bytes(-(base + len(data)) % _ALIGNMENT[element.kind]) + content
    return bytes(data)


def _pack_content(element: FormatNameElement) -> bytes:
    match element.kind, element.value:
        case ((FormatType.PUBLIC | FormatType.DISTRIBUTION_LIST), UUID() as guid):
            return guid.bytes_le
        case FormatType.PRIVATE, ObjectId() as queue:
            return queue.pack()
        case FormatType.DIRECT, str() as name if "\0" not in name:
            return to_wide(name + "\0")
    raise ValueError(f"FormatNameElement: {element.kind.name} does not go with {element.value!r}")


@record
class MQFAddressHeader(Record):
    """One list of queues. [MS-MQMQ] 2.2.20.2"""

    header_size: Annotated[int, U32]
    header_id: Annotated[int, U16]
    reserved: Annotated[int, U16]
    element_count: Annotated[int, U32]
    elements: tuple[FormatNameElement, ...]

    @classmethod
    def of(cls, header_id: int, elements: tuple[FormatNameElement, ...]) -> Self:
        return cls(align(cls.SIZE + len(_pack_elements(elements, cls.SIZE))), header_id, 0, len(elements), elements)

    @classmethod
    def read_list(cls, reader: Reader, header_id: int, name: str) -> Self:
        start = reader.offset
        fixed = reader.fixed(cls)
        if fixed[0] < cls.SIZE:
            raise reader.fault(f"size {fixed[0]} is less than {cls.SIZE}", f"MQFAddressHeader.{name}.header_size", start)
        if fixed[1] != header_id:
            raise reader.fault(f"identifier 0x{fixed[1]:04X}, not 0x{header_id:04X}", f"MQFAddressHeader.{name}.header_id", start + 4)
        # The smallest element is an empty direct name: its type and a NUL.
        if fixed[3] * 4 > reader.remaining:
            raise reader.fault(f"{fixed[3]} elements do not fit", f"MQFAddressHeader.{name}.element_count", start + 8)
        elements = tuple(_read_element(reader, f"MQFAddressHeader.{name}[{index}]") for index in range(fixed[3]))
        end = start + max(fixed[0], reader.offset - start)
        if end > reader.offset:
            reader.take(end - reader.offset, f"MQFAddressHeader.{name}.slack")
        reader.align(4, f"MQFAddressHeader.{name}")
        return cls(*(*fixed, elements))

    def list_octets(self) -> bytes:
        """The FormatNameList alone, as signatures hash it."""
        return _pack_elements(self.elements, self.SIZE)

    def pack(self) -> bytes:
        if self.element_count != len(self.elements):
            raise ValueError(f"MQFAddressHeader.element_count: {self.element_count} for {len(self.elements)} elements")
        data = self.pack_fixed() + self.list_octets()
        return pad(data + bytes(max(self.header_size - len(data), 0)))


@record
class MQFSignatureHeader(Record):
    """An MSMQ 3.0 signature over the whole list. [MS-MQMQ] 2.2.20.3"""

    header_id: Annotated[int, U16]
    reserved: Annotated[int, U16]
    size: Annotated[int, U32]
    signature: bytes

    @classmethod
    def of(cls, signature: bytes) -> Self:
        return cls(SIGNATURE_ID, 0, len(signature), signature)

    @classmethod
    def read(cls, reader: Reader) -> Self:
        start = reader.offset
        fixed = reader.fixed(cls)
        if fixed[0] != SIGNATURE_ID:
            raise reader.fault(f"identifier 0x{fixed[0]:04X}, not 0x{SIGNATURE_ID:04X}", "MQFSignatureHeader.header_id", start)
        signature = reader.take(fixed[2], "MQFSignatureHeader.signature")
        reader.align(4, "MQFSignatureHeader")
        return cls(*(*fixed, signature))

    def pack(self) -> bytes:
        if self.size != len(self.signature):
            raise ValueError(f"MQFSignatureHeader.size: {self.size} for {len(self.signature)} octets")
        return pad(self.pack_fixed() + self.signature)


@record
class MultiQueueFormatHeader(Record):
    """Destinations, administration queues, response queues and a signature: always four parts, in this order. [MS-MQMQ] 2.2.20.1"""

    destination: MQFAddressHeader
    administration: MQFAddressHeader
    response: MQFAddressHeader
    signature: MQFSignatureHeader

    @classmethod
    def of(
        cls,
        destination: tuple[FormatNameElement, ...],
        administration: tuple[FormatNameElement, ...] = (),
        response: tuple[FormatNameElement, ...] = (),
        signature: bytes = b"",
    ) -> Self:
        return cls(
            MQFAddressHeader.of(DESTINATION_ID, destination),
            MQFAddressHeader.of(ADMINISTRATION_ID, administration),
            MQFAddressHeader.of(RESPONSE_ID, response),
            MQFSignatureHeader.of(signature),
        )

    @classmethod
    def read(cls, reader: Reader) -> Self:
        return cls(
            MQFAddressHeader.read_list(reader, DESTINATION_ID, "destination"),
            MQFAddressHeader.read_list(reader, ADMINISTRATION_ID, "administration"),
            MQFAddressHeader.read_list(reader, RESPONSE_ID, "response"),
            MQFSignatureHeader.read(reader),
        )

    def pack(self) -> bytes:
        return self.destination.pack() + self.administration.pack() + self.response.pack() + self.signature.pack()
