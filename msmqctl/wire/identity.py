"""Identifiers of fixed size that packets, RPC calls and stores share: who made an object, and which one it is. [MS-MQMQ] 2.2

Four small structures and one number. They carry no behaviour beyond their layout, their order and their text form.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address
from typing import Annotated, Self
from uuid import UUID

from msmqctl.errors import DecodeError
from msmqctl.wire.record import GUID, U32, U64, Bits, Reader, Record, group, octets, record

# Third-party text form of a message id, which System.Messaging made popular: {guid}\decimal, the braces left out by many tools.
_OBJECT_ID_TEXT = re.compile(
    r"(?P<brace>\{)?(?P<guid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?(brace)\})\\(?P<number>[0-9]{1,10})", re.IGNORECASE
)


@record
class ObjectId(Record):
    """An object and the group it belongs to: a private queue and its queue manager, a message and its sender. [MS-MQMQ] 2.2.8"""

    # typedef struct { GUID Lineage; DWORD Uniquifier; } OBJECTID;
    lineage: Annotated[UUID, GUID]
    uniquifier: Annotated[int, U32]

    @classmethod
    def parse(cls, text: str) -> Self:
        r"""The identifier written as `{guid}\decimal`, in either case, with or without braces. [MS-MQMQ] 2.2.8"""
        match = _OBJECT_ID_TEXT.fullmatch(text)
        hint = r"write it like {a0a1a2a3-b4b5-c6c7-d8d9-dadbdcdddedf}\2286"
        if match is None:
            raise DecodeError(r"not of the form {guid}\number", where="ObjectId", offset=0, hint=hint)
        number = int(match["number"])
        if number > 0xFFFFFFFF:
            raise DecodeError(f"{number} does not fit into 32 bits", where="ObjectId.uniquifier", offset=match.start("number"), hint=hint)
        return cls(UUID(match["guid"]), number)

    @property
    def plain(self) -> str:
        """The text form without braces, as JSON output shows GUIDs."""
        return f"{self.lineage}\\{self.uniquifier}"

    def __str__(self) -> str:
        return f"{{{self.lineage}}}\\{self.uniquifier}"


# GUID QueueManagerGuid; u32 Ordinal: the same twenty octets under other names, and every protocol converts freely. [MS-MQMQ] 2.2.18.1.3
MessageIdentifier = ObjectId


class TxSequenceId(Bits):
    """One sequence of transactional messages of a queue manager; it is a number, so later ones compare greater. [MS-MQMQ] 2.2.18.1.2

    In a record it is `Annotated[TxSequenceId, U64]`; by itself it reads and packs its eight octets.
    """

    # u32 Ordinal; u32 TimeStamp: little-endian, therefore one u64 with TimeStamp above Ordinal
    __slots__ = ()
    ordinal = group(32)
    timestamp = group(32)

    @classmethod
    def read(cls, reader: Reader) -> Self:
        """Take the identifier from the reader."""
        return cls(reader.u64("TxSequenceId"))

    def pack(self) -> bytes:
        """The identifier as eight octets."""
        if not 0 <= self < 1 << 64:
            raise ValueError(f"TxSequenceId has 64 bits, {int(self)} does not fit")
        return self.to_bytes(8, "little")

    def __str__(self) -> str:
        return f"{int(self):#018x}"


@record
class SequenceInfo(Record):
    """Where a message stands in its stream: the sequence, its number, and the number before it. [MS-MQMQ] 2.2.5"""

    # typedef struct { LONGLONG SeqID; ULONG SeqNo; ULONG PrevNo; } SEQUENCE_INFO;
    # Departs from [MS-MQMQ] 2.2.5: SeqID is read as unsigned, because it holds a TxSequenceID, which is compared unsigned.
    sequence_id: Annotated[TxSequenceId, U64]
    sequence_number: Annotated[int, U32]
    previous_number: Annotated[int, U32]


@record
class MulticastId(Record):
    """A multicast group and port, as RPC calls name it. [MS-MQMQ] 2.2.10"""

    # typedef struct { ULONG m_address; ULONG m_port; } MULTICAST_ID;
    address: Annotated[int, U32]
    port: Annotated[int, U32]

    @classmethod
    def of(cls, group_address: IPv4Address, port: int) -> Self:
        """The structure for an address; its octets stand in memory in network order, as sockets keep them."""
        return cls(int.from_bytes(group_address.packed, "little"), port)

    @property
    def group_address(self) -> IPv4Address:
        """The address as an address."""
        return IPv4Address(self.address.to_bytes(4, "little"))


@record
class Xactuow(Record):
    """A unit of work: a GUID that travels as sixteen octets without byte order. [MS-MQMQ] 2.2.18.1.8"""

    # typedef struct { unsigned char rgb[16]; } XACTUOW;
    rgb: Annotated[bytes, octets(16)]

    @classmethod
    def of(cls, guid: UUID) -> Self:
        """The unit of work with this GUID."""
        return cls(guid.bytes_le)

    @property
    def guid(self) -> UUID:
        """The octets read as a GUID in packet form."""
        return UUID(bytes_le=self.rgb)

    def __str__(self) -> str:
        return str(self.guid)
