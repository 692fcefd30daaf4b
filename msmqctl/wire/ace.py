"""Entries of access lists: one SID and what it is allowed, denied or audited for. [MS-DTYP] 2.4.4

An entry is read as an `Ace` if its layout is known, and kept as a `RawAce` if it is not, so that no list loses anything.
"""

from __future__ import annotations

from typing import Annotated, Self
from uuid import UUID

from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.open_enum import OpenEnum
from msmqctl.wire.record import U8, U16, Bits, Reader, Record, flag, group, record
from msmqctl.wire.sid import Sid

MAX_ACE_SIZE = 0xFFFF


class AceType(OpenEnum):
    """What an entry does and how it is laid out. [MS-DTYP] 2.4.4.1"""

    ACCESS_ALLOWED_ACE_TYPE = 0x00
    ACCESS_DENIED_ACE_TYPE = 0x01
    SYSTEM_AUDIT_ACE_TYPE = 0x02
    SYSTEM_ALARM_ACE_TYPE = 0x03
    ACCESS_ALLOWED_COMPOUND_ACE_TYPE = 0x04
    ACCESS_ALLOWED_OBJECT_ACE_TYPE = 0x05
    ACCESS_DENIED_OBJECT_ACE_TYPE = 0x06
    SYSTEM_AUDIT_OBJECT_ACE_TYPE = 0x07
    SYSTEM_ALARM_OBJECT_ACE_TYPE = 0x08
    ACCESS_ALLOWED_CALLBACK_ACE_TYPE = 0x09
    ACCESS_DENIED_CALLBACK_ACE_TYPE = 0x0A
    ACCESS_ALLOWED_CALLBACK_OBJECT_ACE_TYPE = 0x0B
    ACCESS_DENIED_CALLBACK_OBJECT_ACE_TYPE = 0x0C
    SYSTEM_AUDIT_CALLBACK_ACE_TYPE = 0x0D
    SYSTEM_ALARM_CALLBACK_ACE_TYPE = 0x0E
    SYSTEM_AUDIT_CALLBACK_OBJECT_ACE_TYPE = 0x0F
    SYSTEM_ALARM_CALLBACK_OBJECT_ACE_TYPE = 0x10
    SYSTEM_MANDATORY_LABEL_ACE_TYPE = 0x11
    SYSTEM_RESOURCE_ATTRIBUTE_ACE_TYPE = 0x12
    SYSTEM_SCOPED_POLICY_ID_ACE_TYPE = 0x13


# The two layouts with a known SID. All other types, those reserved for the future among them, are kept as octets.
# header, mask, SID, then data that callbacks and resource attributes use. [MS-DTYP] 2.4.4.2 and others
SIMPLE_TYPES = frozenset(
    {
        AceType.ACCESS_ALLOWED_ACE_TYPE,
        AceType.ACCESS_DENIED_ACE_TYPE,
        AceType.SYSTEM_AUDIT_ACE_TYPE,
        AceType.ACCESS_ALLOWED_CALLBACK_ACE_TYPE,
        AceType.ACCESS_DENIED_CALLBACK_ACE_TYPE,
        AceType.SYSTEM_AUDIT_CALLBACK_ACE_TYPE,
        AceType.SYSTEM_MANDATORY_LABEL_ACE_TYPE,
        AceType.SYSTEM_RESOURCE_ATTRIBUTE_ACE_TYPE,
        AceType.SYSTEM_SCOPED_POLICY_ID_ACE_TYPE,
    }
)
# header, mask, flags, two optional GUIDs, SID, then data that callbacks use. [MS-DTYP] 2.4.4.3 and others
OBJECT_TYPES = frozenset(
    {
        AceType.ACCESS_ALLOWED_OBJECT_ACE_TYPE,
        AceType.ACCESS_DENIED_OBJECT_ACE_TYPE,
        AceType.SYSTEM_AUDIT_OBJECT_ACE_TYPE,
        AceType.ACCESS_ALLOWED_CALLBACK_OBJECT_ACE_TYPE,
        AceType.ACCESS_DENIED_CALLBACK_OBJECT_ACE_TYPE,
        AceType.SYSTEM_AUDIT_CALLBACK_OBJECT_ACE_TYPE,
    }
)
_TYPES_WITH_SID = SIMPLE_TYPES | OBJECT_TYPES
# The types of Windows NT 4.0, the only ones that MSMQ puts into its descriptors. [MS-MQMQ] notes 27, 31, 33, 35, 38 and 42
NT4_TYPES = frozenset(
    {
        AceType.ACCESS_ALLOWED_ACE_TYPE,
        AceType.ACCESS_DENIED_ACE_TYPE,
        AceType.SYSTEM_AUDIT_ACE_TYPE,
        AceType.SYSTEM_ALARM_ACE_TYPE,
        AceType.ACCESS_ALLOWED_COMPOUND_ACE_TYPE,
    }
)


class AceFlags(Bits):
    """How an entry is inherited, and which attempts it audits. [MS-DTYP] 2.4.4.1"""

    object_inherit = flag()
    container_inherit = flag()
    no_propagate_inherit = flag()
    inherit_only = flag()
    inherited = flag()
    reserved = flag()
    successful_access = flag()
    failed_access = flag()


class ObjectFlags(Bits):
    """Which GUIDs an object entry carries. [MS-DTYP] 2.4.4.3"""

    object_type_present = flag()
    inherited_object_type_present = flag()
    reserved = group(30)


_NO_FLAGS = AceFlags(0)


@record
class AceHeader(Record):
    """The start of every entry. [MS-DTYP] 2.4.4.1"""

    # u8 AceType; u8 AceFlags; u16 AceSize: the whole entry, a multiple of 4
    type: Annotated[AceType, U8]
    flags: Annotated[AceFlags, U8]
    size: Annotated[int, U16]


@dataclass(frozen=True, slots=True)
class Ace:
    """An entry that names a SID: simple or for an object, with or without data behind it. [MS-DTYP] 2.4.4.2 to 2.4.4.16"""

    type: AceType
    sid: Sid
    mask: int
    flags: AceFlags = _NO_FLAGS
    # Object entries only; None says that the entry has no such GUID. [MS-DTYP] 2.4.4.3
    object_type: UUID | None = None
    inherited_object_type: UUID | None = None
    # Bits of an object entry's flags that have no meaning; kept.
    reserved_object_flags: int = 0
    # Behind the SID: the condition of a callback, the attribute of a resource; anywhere else without meaning, and kept.
    data: bytes = b""

    def __post_init__(self) -> None:
        if self.type not in _TYPES_WITH_SID:
            raise ValueError(f"the layout of entries of type {self.type.name} is unknown: use RawAce")
        if self.type not in OBJECT_TYPES and (self.object_type or self.inherited_object_type or self.reserved_object_flags):
            raise ValueError(f"only object entries carry GUIDs, {self.type.name} does not")
        if not 0 <= self.mask <= 0xFFFFFFFF:
            raise ValueError(f"the mask {self.mask:#x} does not fit into 32 bits")
        if len(self.data) % 4:
            raise ValueError(f"an entry ends on a multiple of 4, {len(self.data)} octets of data do not")

    @property
    def size(self) -> int:
        """How many octets the entry takes."""
        guids = (self.object_type is not None) + (self.inherited_object_type is not None)
        fixed = AceHeader.SIZE + 4 + (4 if self.type in OBJECT_TYPES else 0)
        return fixed + 16 * guids + 8 + 4 * len(self.sid.sub_authorities) + len(self.data)

    @classmethod
    def read_body(cls, header: AceHeader, reader: Reader) -> Self:
        """Take what follows the header; `reader` ends where the entry ends."""
        mask = reader.u32("Ace.mask")
        flags = ObjectFlags(reader.u32("Ace.flags") if header.type in OBJECT_TYPES else 0)
        return cls(
            header.type,
            mask=mask,
            flags=header.flags,
            object_type=reader.guid("Ace.object_type") if flags.object_type_present else None,
            inherited_object_type=reader.guid("Ace.inherited_object_type") if flags.inherited_object_type_present else None,
            reserved_object_flags=flags.reserved,
            sid=Sid.read(reader),
            data=reader.take(reader.remaining, "Ace.application_data"),
        )

    def pack(self) -> bytes:
        """The entry as octets."""
        parts = [_pack_header(self.type, self.flags, self.size), self.mask.to_bytes(4, "little")]
        if self.type in OBJECT_TYPES:
            guids = (self.object_type, self.inherited_object_type)
            flags = ObjectFlags.of(
                object_type_present=guids[0] is not None,
                inherited_object_type_present=guids[1] is not None,
                reserved=self.reserved_object_flags,
            )
            parts += [flags.to_bytes(4, "little"), *(guid.bytes_le for guid in guids if guid is not None)]
        return b"".join((*parts, self.sid.pack(), self.data))


@dataclass(frozen=True, slots=True)
class RawAce:
    """An entry of a type whose layout we do not know, kept octet for octet. [MS-DTYP] 2.4.4.1"""

    type: AceType
    body: bytes
    flags: AceFlags = _NO_FLAGS

    def __post_init__(self) -> None:
        if self.type in _TYPES_WITH_SID:
            raise ValueError(f"the layout of entries of type {self.type.name} is known: use Ace")
        if len(self.body) % 4:
            raise ValueError(f"an entry ends on a multiple of 4, {len(self.body)} octets do not")

    @property
    def size(self) -> int:
        """How many octets the entry takes."""
        return AceHeader.SIZE + len(self.body)

    def pack(self) -> bytes:
        """The entry as octets."""
        return _pack_header(self.type, self.flags, self.size) + self.body


Entry = Ace | RawAce


def _pack_header(kind: AceType, flags: AceFlags, size: int) -> bytes:
    if size > MAX_ACE_SIZE:
        raise ValueError(f"an entry of {size} octets does not fit, {MAX_ACE_SIZE} is the limit")
    return AceHeader(kind, flags, size).pack()


def read_entry(reader: Reader) -> Entry:
    """Take one entry of a list. [MS-DTYP] 2.4.4.1"""
    start = reader.offset
    header = AceHeader.read(reader)
    if header.size < AceHeader.SIZE or header.size % 4 or header.size > reader.end - start:
        problem = f"a size of {header.size} where {reader.end - start} octets are left; it is a multiple of 4 and at least {AceHeader.SIZE}"
        raise reader.fault(problem, "AceHeader.size", start + 2)
    body = reader.fork(reader.offset, start + header.size)
    reader.offset = body.end
    if header.type in _TYPES_WITH_SID:
        return Ace.read_body(header, body)
    return RawAce(header.type, body.take(body.remaining, "Ace"), header.flags)
