"""QUEUE_FORMAT, how RPC calls name a queue: its octets in both syntaxes, and the way to format names and back. [MS-MQMQ] 2.2.7

The structure itself says little about what is sensible: a suffix that does not go with the kind of name, or a direct name that is
missing, can be read and written. Whether it names a queue is decided when it becomes a format name, and the answer is a status.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any
from uuid import UUID

from msmqctl.errors import StatusError
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.identity import MulticastId, ObjectId
from msmqctl.wire.names import (
    ConnectorName,
    DirectName,
    DistributionListName,
    FormatName,
    MachineName,
    MulticastName,
    MultipleElementName,
    PrivateName,
    PublicName,
    Suffix,
    parse_direct,
)
from msmqctl.wire.nametext import abridged, fold
from msmqctl.wire.ndr import NdrReader, NdrWriter
from msmqctl.wire.status import HResult


class QueueFormatType(IntEnum):
    """Which kind of name it is. Closed: a number without an arm cannot be read. [MS-MQMQ] 2.2.6"""

    UNKNOWN = 0
    PUBLIC = 1
    PRIVATE = 2
    DIRECT = 3
    MACHINE = 4
    CONNECTOR = 5
    DL = 6
    MULTICAST = 7
    SUBQUEUE = 8


@dataclass(frozen=True, slots=True)
class DlId:
    """A distribution list and perhaps the domain it is in. [MS-MQMQ] 2.2.9"""

    # GUID m_DlGuid; [string] wchar_t* m_pwzDomain;
    guid: UUID
    domain: str | None = None


# unsigned char m_qft; unsigned char m_SuffixAndFlags; unsigned short m_reserved; union by m_qft with an 8-bit tag of its own:
#
#   0 UNKNOWN    nothing               3 DIRECT, 8 SUBQUEUE  [string] wchar_t*, a direct name without "DIRECT="
#   1 PUBLIC     GUID of the queue     6 DL                  DL_ID
#   2 PRIVATE    OBJECTID              7 MULTICAST           MULTICAST_ID
#   4 MACHINE    GUID of the computer  5 CONNECTOR           GUID of the connected network
_ARMS: dict[QueueFormatType, tuple[type, ...]] = {
    QueueFormatType.UNKNOWN: (type(None),),
    QueueFormatType.PUBLIC: (UUID,),
    QueueFormatType.PRIVATE: (ObjectId,),
    QueueFormatType.DIRECT: (str, type(None)),
    QueueFormatType.MACHINE: (UUID,),
    QueueFormatType.CONNECTOR: (UUID,),
    QueueFormatType.DL: (DlId,),
    QueueFormatType.MULTICAST: (MulticastId,),
    QueueFormatType.SUBQUEUE: (str, type(None)),
}
_STRINGS = frozenset({QueueFormatType.DIRECT, QueueFormatType.SUBQUEUE})


@dataclass(frozen=True, slots=True)
class QueueFormat:
    """A queue as an RPC call names it; `arm` is what the union holds for this kind, None for a NULL string. [MS-MQMQ] 2.2.7"""

    kind: QueueFormatType
    arm: Any = None
    suffix_and_flags: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.arm, _ARMS[self.kind]):
            raise TypeError(f"{self.arm!r} is no arm of a {self.kind.name} queue format")
        if not 0 <= self.suffix_and_flags <= 0xFF:
            raise ValueError(f"m_SuffixAndFlags has 8 bits, {self.suffix_and_flags} does not fit")


def write_queue_format(writer: NdrWriter, queue: QueueFormat) -> None:
    """A QUEUE_FORMAT with the string it may point at. [MS-MQMQ] 2.2.7"""
    alignment = writer.syntax.word
    with writer.construct(), writer.structure(alignment):
        writer.u8(queue.kind)
        writer.u8(queue.suffix_and_flags)
        writer.u16(0)
        writer.union_tag(1, queue.kind, alignment)
        _write_arm(writer, queue.kind, queue.arm)


def _write_arm(writer: NdrWriter, kind: QueueFormatType, arm: Any) -> None:
    if kind in _STRINGS:
        writer.pointer(arm, writer.string)
    elif isinstance(arm, UUID):
        writer.guid(arm)
    elif isinstance(arm, ObjectId):
        writer.guid(arm.lineage)
        writer.u32(arm.uniquifier)
    elif isinstance(arm, DlId):
        writer.guid(arm.guid)
        writer.pointer(arm.domain, writer.string)
    elif isinstance(arm, MulticastId):
        writer.u32(arm.address)
        writer.u32(arm.port)


def read_queue_format(reader: NdrReader) -> QueueFormat:
    """A QUEUE_FORMAT with the string it may point at; m_reserved may hold anything. [MS-MQMQ] 2.2.7"""
    where, alignment = "QUEUE_FORMAT", reader.syntax.word
    with reader.construct(), reader.structure(alignment, where):
        number = reader.u8(f"{where}.m_qft")
        if number > max(QueueFormatType):
            raise reader.fault(f"no name is of kind {number}", f"{where}.m_qft", reader.offset - 1)
        kind = QueueFormatType(number)
        suffix_and_flags = reader.u8(f"{where}.m_SuffixAndFlags")
        reader.u16(f"{where}.m_reserved")
        reader.union_tag(1, kind, alignment, f"{where}.tag")
        arm = _read_arm(reader, kind, f"{where}.{kind.name}")
    return QueueFormat(kind, arm(), suffix_and_flags)


def _read_arm(reader: NdrReader, kind: QueueFormatType, where: str) -> Callable[[], Any]:
    """Read the arm; the result makes its value when the pointer's target is there."""
    if kind in _STRINGS:
        text = reader.pointer(lambda: reader.string(where), where)
        return lambda: text.value
    if kind is QueueFormatType.UNKNOWN:
        return lambda: None
    if kind is QueueFormatType.MULTICAST:
        multicast = MulticastId(reader.u32(where), reader.u32(where))
        return lambda: multicast
    guid = reader.guid(where)
    if kind is QueueFormatType.PRIVATE:
        private = ObjectId(guid, reader.u32(where))
        return lambda: private
    if kind is QueueFormatType.DL:
        domain = reader.pointer(lambda: reader.string(where), where)
        return lambda: DlId(guid, domain.value)
    return lambda: guid


# Which suffixes go with which kinds; each suffix has one m_SuffixAndFlags. [MS-MQMQ] 2.2.7
#
#   0x00 NONE        not MACHINE, SUBQUEUE                   0x83 DEADXACT   DIRECT, MACHINE
#   0x81 JOURNAL     not CONNECTOR, DL, MULTICAST            0x04 XACTONLY   CONNECTOR
#   0x82 DEADLETTER  DIRECT, MACHINE; SUBQUEUE by the letter 0x05 SUBQUEUE   SUBQUEUE
_Q = QueueFormatType
_KINDS_WITH: dict[Suffix, frozenset[QueueFormatType]] = {
    Suffix.NONE: frozenset(_Q) - {_Q.MACHINE, _Q.SUBQUEUE},
    Suffix.JOURNAL: frozenset(_Q) - {_Q.CONNECTOR, _Q.DL, _Q.MULTICAST},
    Suffix.DEADLETTER: frozenset({_Q.DIRECT, _Q.MACHINE, _Q.SUBQUEUE}),
    Suffix.DEADXACT: frozenset({_Q.DIRECT, _Q.MACHINE}),
    Suffix.XACTONLY: frozenset({_Q.CONNECTOR}),
    Suffix.SUBQUEUE: frozenset({_Q.SUBQUEUE}),
}
_SUFFIXES = {suffix.suffix_and_flags: suffix for suffix in Suffix}


def _refusal(problem: str) -> StatusError:
    return StatusError(f"QUEUE_FORMAT: {problem}", status=HResult.MQ_ERROR_ILLEGAL_FORMATNAME, operation="read a queue format")


def to_format_name(queue: QueueFormat) -> FormatName:
    """The format name that a peer means; a StatusError if it means none. [MS-MQMQ] 2.2.7"""
    suffix = _SUFFIXES.get(queue.suffix_and_flags)
    if suffix is None or queue.kind not in _KINDS_WITH[suffix]:
        raise _refusal(f"a {queue.kind.name} name has no suffix 0x{queue.suffix_and_flags:02X}")
    make = _NAMES.get(queue.kind)
    if make is None:
        raise _refusal("it names no queue")
    try:
        return make(queue, suffix)
    except ValueError as error:
        raise _refusal(str(error)) from error


def _to_direct(queue: QueueFormat, suffix: Suffix) -> DirectName:
    """The direct name, whose journal or system suffix may stand in its text, in the flags, or in both."""
    text: str | None = queue.arm
    if text is None:
        raise _refusal("the direct name is missing")
    shown, folded, ending = repr(abridged(text)), fold(text), f";{suffix.name}"
    if folded.startswith("DIRECT="):
        raise _refusal(f"{shown} starts with DIRECT=, which has no place here")
    name = parse_direct(text + ending if suffix.read_only and not folded.endswith(ending) else text)
    if suffix.read_only and name.suffix is not suffix:
        raise _refusal(f"{shown} is not the {suffix.name} queue that the flags say it is")
    if (name.part.subqueue is not None) != (queue.kind is QueueFormatType.SUBQUEUE):
        raise _refusal(f"{shown} does not go with the kind {queue.kind.name}")
    return name


_NAMES: dict[QueueFormatType, Callable[[QueueFormat, Suffix], FormatName]] = {
    _Q.PUBLIC: lambda queue, suffix: PublicName(queue.arm, journal=suffix is Suffix.JOURNAL),
    _Q.PRIVATE: lambda queue, suffix: PrivateName(queue.arm.lineage, queue.arm.uniquifier, journal=suffix is Suffix.JOURNAL),
    _Q.DIRECT: _to_direct,
    _Q.MACHINE: lambda queue, suffix: MachineName(queue.arm, suffix),
    _Q.CONNECTOR: lambda queue, suffix: ConnectorName(queue.arm, xact_only=suffix is Suffix.XACTONLY),
    _Q.DL: lambda queue, suffix: DistributionListName(queue.arm.guid, queue.arm.domain),
    _Q.MULTICAST: lambda queue, suffix: MulticastName(queue.arm.group_address, queue.arm.port),
    _Q.SUBQUEUE: _to_direct,
}


def to_queue_format(name: FormatName) -> QueueFormat:
    """The structure that means this name; a suffix stands in a direct name's text and in the flags. [MS-MQMQ] 2.2.7"""
    kind, arm = _kind_and_arm(name)
    return QueueFormat(kind, arm, name.suffix.suffix_and_flags)


def _kind_and_arm(name: FormatName) -> tuple[QueueFormatType, Any]:
    match name:
        case PublicName():
            return _Q.PUBLIC, name.guid
        case PrivateName():
            return _Q.PRIVATE, name.object_id
        case DirectName():
            return (_Q.DIRECT if name.part.subqueue is None else _Q.SUBQUEUE), name.without_prefix
        case MachineName():
            return _Q.MACHINE, name.guid
        case ConnectorName():
            return _Q.CONNECTOR, name.guid
        case DistributionListName():
            return _Q.DL, DlId(name.guid, name.domain)
        case MulticastName():
            return _Q.MULTICAST, MulticastId.of(name.address, name.port)
        case MultipleElementName():
            raise StatusError(
                f"{name} names several queues, and an RPC call takes one",
                status=HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION,
                operation="write a queue format",
            )
