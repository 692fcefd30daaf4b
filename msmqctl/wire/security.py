"""Security descriptors: who owns an object, who may do what with it, what is audited. [MS-DTYP] 2.4.5 and 2.4.6

A descriptor has an owner, a group and two lists: the DACL allows and denies, the SACL audits. A list is made of entries (`ace`), each
with a mask of rights (`rights`) for one SID (`sid`). The text form is in `sddl`, the decision who may in `access`.
MSMQ carries descriptors in self-relative form only: one block whose parts are found by offsets. [MS-MQMQ] 2.3.1.25
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Final, Self

from msmqctl.wire.ace import NT4_TYPES, OBJECT_TYPES, Entry, read_entry
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.record import U8, U16, U32, Bits, Reader, Record, Source, flag, record
from msmqctl.wire.sid import Sid

# The range of SDSize and nLength, wherever a descriptor crosses the wire. [MS-MQMP] 3.1.4.6, 3.1.4.7
MAX_DESCRIPTOR_SIZE = 524288
MAX_ACL_SIZE = 0xFFFF
ACL_REVISION = 2
ACL_REVISION_DS = 4
_DESCRIPTOR_REVISION = 1


class Control(Bits):
    """What is there in a descriptor and where it came from, low bit first. [MS-DTYP] 2.4.6"""

    owner_defaulted = flag()
    group_defaulted = flag()
    dacl_present = flag()
    dacl_defaulted = flag()
    sacl_present = flag()
    sacl_defaulted = flag()
    dacl_trusted = flag()
    server_security = flag()
    dacl_computed_inheritance_required = flag()
    sacl_computed_inheritance_required = flag()
    dacl_auto_inherited = flag()
    sacl_auto_inherited = flag()
    dacl_protected = flag()
    sacl_protected = flag()
    rm_control_valid = flag()
    self_relative = flag()


_NO_CONTROL = Control(0)


@record
class AclHeader(Record):
    """The start of a list. [MS-DTYP] 2.4.5"""

    # u8 AclRevision = 2 or 4; u8 Sbz1; u16 AclSize: header, entries and spare room; u16 AceCount; u16 Sbz2
    revision: Annotated[int, U8]
    sbz1: Annotated[int, U8]
    size: Annotated[int, U16]
    count: Annotated[int, U16]
    sbz2: Annotated[int, U16]


@dataclass(frozen=True, slots=True)
class Acl:
    """A list of entries; their order counts. One without entries allows nothing: it is not the same as no list. [MS-DTYP] 2.4.5"""

    entries: tuple[Entry, ...] = ()
    revision: int = ACL_REVISION
    # Reserved: kept when read, zero when made.
    sbz1: int = 0
    sbz2: int = 0

    def __post_init__(self) -> None:
        if self.revision not in (ACL_REVISION, ACL_REVISION_DS):
            raise ValueError(f"a list has revision {ACL_REVISION} or {ACL_REVISION_DS}, not {self.revision}")

    @classmethod
    def of(cls, *entries: Entry) -> Self:
        """A list of these entries, with the revision that they need."""
        return cls(entries, ACL_REVISION_DS if any(entry.type in OBJECT_TYPES for entry in entries) else ACL_REVISION)

    @property
    def size(self) -> int:
        """How many octets the list takes."""
        return AclHeader.SIZE + sum(entry.size for entry in self.entries)

    @classmethod
    def read(cls, reader: Reader) -> Self:
        """Take a list. Spare room behind the last entry is skipped and not kept."""
        start = reader.offset
        header = AclHeader.read(reader)
        if header.revision not in (ACL_REVISION, ACL_REVISION_DS):
            raise reader.fault(f"revision {header.revision}, only 2 and 4 are known", "AclHeader.revision", start)
        if not AclHeader.SIZE <= header.size <= reader.end - start:
            raise reader.fault(f"a size of {header.size} where {reader.end - start} octets are left", "AclHeader.size", start + 2)
        inside = reader.fork(reader.offset, start + header.size)
        reader.offset = inside.end
        entries = tuple(read_entry(inside) for _ in range(header.count))
        return cls(entries, header.revision, header.sbz1, header.sbz2)

    def pack(self) -> bytes:
        """The list as octets."""
        if self.size > MAX_ACL_SIZE:
            raise ValueError(f"a list of {self.size} octets does not fit, {MAX_ACL_SIZE} is the limit")
        header = AclHeader(self.revision, self.sbz1, self.size, len(self.entries), self.sbz2)
        return b"".join((header.pack(), *(entry.pack() for entry in self.entries)))


class NullAcl(Enum):
    """A list that is said to be present and is not there; as a DACL it allows everything. [MS-DTYP] 2.5.3.2"""

    NULL_ACL = "NULL"


NULL_ACL: Final = NullAcl.NULL_ACL
AclPart = Acl | NullAcl | None


@record
class DescriptorHeader(Record):
    """The start of a self-relative descriptor. [MS-DTYP] 2.4.6"""

    # u8 Revision = 1; u8 Sbz1; u16 Control; u32 OffsetOwner, OffsetGroup, OffsetSacl, OffsetDacl: from the start, 0 for none
    revision: Annotated[int, U8]
    sbz1: Annotated[int, U8]
    control: Annotated[Control, U16]
    owner: Annotated[int, U32]
    group: Annotated[int, U32]
    sacl: Annotated[int, U32]
    dacl: Annotated[int, U32]


@dataclass(frozen=True, slots=True)
class SecurityDescriptor:
    """Owner, group, who may (DACL), what is audited (SACL). [MS-DTYP] 2.4.6

    A list is an `Acl`, perhaps empty; or `NULL_ACL`: present without a list; or None: not present. The bits of `control`
    that follow from the parts (self-relative, a list is present) are set here and need not be given.
    """

    owner: Sid | None = None
    group: Sid | None = None
    dacl: AclPart = None
    sacl: AclPart = None
    control: Control = _NO_CONTROL
    # Sbz1: control bits of a resource manager, if control.rm_control_valid says so.
    resource_manager_control: int = 0

    def __post_init__(self) -> None:
        present = {"dacl_present": self.dacl is not None, "sacl_present": self.sacl is not None}
        object.__setattr__(self, "control", self.control.replace(self_relative=True, **present))

    @classmethod
    def read_all(cls, data: Source) -> Self:
        """The descriptor in `data`. Its parts may lie in any order, share octets and leave gaps, but not lie outside. [MS-DTYP] 2.4.6"""
        reader = Reader.over(data)
        start, size = reader.offset, reader.remaining
        if size > MAX_DESCRIPTOR_SIZE:
            raise reader.fault(
                f"{size} octets, at most {MAX_DESCRIPTOR_SIZE} are allowed", "SecurityDescriptor", start + MAX_DESCRIPTOR_SIZE
            )
        header = DescriptorHeader.read(reader)
        if header.revision != _DESCRIPTOR_REVISION:
            raise reader.fault(f"revision {header.revision}, only {_DESCRIPTOR_REVISION} is known", "DescriptorHeader.revision", start)
        if not header.control.self_relative:
            raise reader.fault("not in self-relative form", "DescriptorHeader.control", start + 2)
        control, whole = header.control, reader.fork(start)
        return cls(
            owner=_read_sid(whole, header.owner, "owner"),
            group=_read_sid(whole, header.group, "group"),
            sacl=_read_list(whole, header.sacl, "sacl", present=control.sacl_present),
            dacl=_read_list(whole, header.dacl, "dacl", present=control.dacl_present),
            control=control,
            resource_manager_control=header.sbz1,
        )

    def pack(self) -> bytes:
        """The descriptor in self-relative form, its parts in the order of Windows: SACL, DACL, owner, group. [MS-DTYP] note 72"""
        offsets = dict.fromkeys(("owner", "group", "sacl", "dacl"), 0)
        tail = b""
        for name, part in (("sacl", self.sacl), ("dacl", self.dacl), ("owner", self.owner), ("group", self.group)):
            if isinstance(part, Acl | Sid):
                offsets[name] = DescriptorHeader.SIZE + len(tail)
                tail += part.pack()
        header = DescriptorHeader(_DESCRIPTOR_REVISION, self.resource_manager_control, self.control, **offsets)
        return header.pack() + tail

    def entries_beyond_nt4(self) -> tuple[Entry, ...]:
        """Entries of types that MSMQ does not use, and may not understand. [MS-MQMQ] note 27"""
        lists = (part for part in (self.dacl, self.sacl) if isinstance(part, Acl))
        return tuple(entry for part in lists for entry in part.entries if entry.type not in NT4_TYPES)


def _reader_at(whole: Reader, offset: int, name: str) -> Reader:
    """A reader for the part at `offset`, which lies behind the header and inside the descriptor that `whole` starts with."""
    if not DescriptorHeader.SIZE <= offset <= whole.remaining:
        place = next(start for field, start, _ in DescriptorHeader.LAYOUT.offsets() if field == name)
        problem = f"the offset {offset} leads outside, {whole.remaining} octets are there"
        raise whole.fault(problem, f"DescriptorHeader.{name}", whole.offset + place)
    return whole.fork(whole.offset + offset)


def _read_sid(whole: Reader, offset: int, name: str) -> Sid | None:
    return Sid.read(_reader_at(whole, offset, name)) if offset else None


def _read_list(whole: Reader, offset: int, name: str, *, present: bool) -> AclPart:
    """The list at `offset`. Without an offset it is NULL, or not present; an offset to a list that is not present is refused."""
    if not offset:
        return NULL_ACL if present else None
    part = _reader_at(whole, offset, name)
    if not present:
        raise part.fault("a list is there that the control bits deny", f"DescriptorHeader.{name}")
    return Acl.read(part)
