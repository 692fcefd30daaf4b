"""What a property id means: its name, the type of its value, and which values it takes. [MS-MQMQ] 2.3

The ids themselves stand in `property_table`, one enum for each number space. Two management properties are whole tables folded
into one value; the rows of those are here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, Self, TypeVar
from uuid import UUID

from msmqctl.errors import DecodeError, StatusError
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.identity import TxSequenceId
from msmqctl.wire.names import MulticastName, parse_format_name
from msmqctl.wire.nametext import abridged, wide_length
from msmqctl.wire.open_enum import OpenEnum
from msmqctl.wire.status import HResult
from msmqctl.wire.values import ConnectionStatus, VarType
from msmqctl.wire.variant import Variant, type_name, vector_of


class Rule(Protocol):
    """What a property asks of its value beyond the type: `problem` says what is wrong, or None."""

    def problem(self, value: Any) -> str | None: ...


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few numbers or words, each with its name."""

    names: Mapping[Any, str]

    def problem(self, value: Any) -> str | None:
        return None if value in self.names else f"not one of {', '.join(map(str, self.names))}"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """A sum of bits, each with its name."""

    names: Mapping[int, str]

    def problem(self, value: Any) -> str | None:
        unknown = value & ~sum(self.names)
        return f"no bit 0x{unknown:X} here" if unknown else None


@dataclass(frozen=True, slots=True)
class Between:
    """A number within limits, both included."""

    low: int
    high: int

    def problem(self, value: Any) -> str | None:
        return None if self.low <= value <= self.high else f"not from {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class Length:
    """Text or octets of a limited length, text counted in UTF-16 units; `low` equal to `high` is an exact one."""

    low: int
    high: int

    def problem(self, value: Any) -> str | None:
        size = wide_length(value) if isinstance(value, str) else len(value)
        return None if self.low <= size <= self.high else f"{size} long, not {self.low} to {self.high}"


class MulticastAddress:
    """Empty for none, or `a.b.c.d:port` with a class D address, as a multicast format name has it."""

    def problem(self, value: Any) -> str | None:
        # Departs from [MS-MQMQ] 2.3.1.23: the grammar writes the port twice and leaves most ports out, so each part is held to its range.
        if not value:
            return None
        try:
            name = parse_format_name(f"MULTICAST={value}")
        except StatusError:
            name = None
        return None if isinstance(name, MulticastName) else "not a multicast address and a port, a.b.c.d:port"


class PropertyId(OpenEnum):
    """A number space of properties: a member is its number and carries the rest of its row; an unknown number carries nothing."""

    vt: VarType
    meaning: str
    rule: Rule | None

    def __new__(cls, number: int, vt: VarType = VarType.VT_EMPTY, meaning: str = "", rule: Rule | None = None) -> Self:
        member = int.__new__(cls, number)
        member._value_ = number
        member.vt, member.meaning, member.rule = vt, meaning, rule
        return member

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        member = super()._missing_(value)
        if member is not None:
            member.vt, member.meaning, member.rule = VarType.VT_EMPTY, "", None
        return member


Space = TypeVar("Space", bound=PropertyId)


def property_info(space: type[Space], number: int) -> Space:
    """The row of `number` in this space; in another space the same number means something else. [MS-MQMQ] 2.3"""
    found = space(number)
    if not found.known:
        raise _refusal(f"{space.__name__} has no property {number}", HResult.MQ_ERROR_ILLEGAL_PROPID)
    return found


def check_value(prop: PropertyId, variant: Variant) -> None:
    """Refuse a value of another type than the property has, or one that the property does not take. [MS-MQMQ] 2.3"""
    known = property_info(type(prop), prop)
    if variant.vt != known.vt:
        raise _refusal(f"{known.name} is {type_name(known.vt)}, not {type_name(variant.vt)}", HResult.MQ_ERROR_PROPERTY)
    problem = "a NULL pointer" if variant.value is None else known.rule.problem(variant.value) if known.rule else None
    if problem:
        raise _refusal(f"{known.name} cannot be {abridged(repr(variant.value))}: {problem}", HResult.MQ_ERROR_ILLEGAL_PROPERTY_VALUE)


def _refusal(message: str, status: HResult) -> StatusError:
    return StatusError(message, status=status, operation="check a property")


class ObjectType(OpenEnum):
    """The kinds of object that the directory keeps for MSMQ. [MS-MQMQ] 2.3.13.4"""

    MQDS_QUEUE = 1
    MQDS_MACHINE = 2
    MQDS_SITE = 3
    MQDS_DELETEDOBJECT = 4
    MQDS_CN = 5
    MQDS_ENTERPRISE = 6
    MQDS_USER = 7
    MQDS_ROUTINGLINK = 8


def object_type(number: int) -> ObjectType:
    """Which kind of directory object has this property: the hundreds of its number tell, the thousand before them does not count."""
    found = ObjectType((number - 1000 if number > 1000 else number) // 100)
    if not found.known:
        raise _refusal(f"no directory object has property {number}", HResult.MQ_ERROR_ILLEGAL_PROPID)
    return found


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """One stream of transactional messages that comes in, with what was last seen of it. [MS-MQMQ] 2.3.12.24"""

    format_name: str
    sender: UUID
    sequence_id: TxSequenceId
    sequence_number: int
    last_access_time: int
    reject_count: int


@dataclass(frozen=True, slots=True)
class ConnectionAttempt:
    """One attempt to reach the next hop: `time` in seconds since 1970 UTC, `error` 0 or the bits of a status. [MS-MQMQ] 2.3.12.25"""

    status: ConnectionStatus
    time: int
    error: int
    addresses: tuple[str, ...]


_STRINGS, _GUIDS = vector_of(VarType.VT_LPWSTR), vector_of(VarType.VT_CLSID)
_U32S, _I32S, _U64S = vector_of(VarType.VT_UI4), vector_of(VarType.VT_I4), vector_of(VarType.VT_UI8)
_VARIANTS = vector_of(VarType.VT_VARIANT)

# Both properties are a vector of parallel vectors, entry i of each belonging to row i. A column's types: the first is written, all are
# read, because the API documentation has unsigned times where the protocol documents have signed ones.
_SOURCE_INFO: tuple[tuple[VarType, ...], ...] = ((_STRINGS,), (_GUIDS,), (_U64S,), (_U32S,), (_I32S, _U32S), (_U32S,))
# Departs from [MS-MQMQ] 2.3.12.25: a vector of vectors of strings is no PROPVARIANT, so each address list is a variant of its own.
_CONNECTION_HISTORY: tuple[tuple[VarType, ...], ...] = ((_U32S,), (_I32S, _U32S), (_I32S, _U32S), (_VARIANTS, _STRINGS))


def _columns(variant: Variant, types: tuple[tuple[VarType, ...], ...], where: str) -> list[Variant]:
    """The parallel vectors of a table, each of an expected type; no vectors at all if the property has no value."""
    if variant.absent:
        return []
    if variant.vt != _VARIANTS or len(variant.value) != len(types):
        raise DecodeError(f"{len(types)} parallel vectors wanted", where=where, offset=0)
    for index, (column, allowed) in enumerate(zip(variant.value, types, strict=True)):
        if column.vt not in allowed:
            raise DecodeError(f"{type_name(column.vt)}, not {type_name(allowed[0])}", where=f"{where}[{index}]", offset=index)
    return list(variant.value)


def _rows(columns: list[tuple[Any, ...]], where: str) -> list[tuple[Any, ...]]:
    if len({len(column) for column in columns}) > 1:
        raise DecodeError("the parallel vectors differ in length", where=where, offset=0)
    return list(zip(*columns, strict=True))


def source_info_rows(variant: Variant) -> list[SourceInfo]:
    """The rows in PROPID_MGMT_QUEUE_EOD_SOURCE_INFO, one for each sending stream. [MS-MQMQ] 2.3.12.24"""
    where = "EOD_SOURCE_INFO"
    columns = [column.value for column in _columns(variant, _SOURCE_INFO, where)]
    return [
        SourceInfo(format_name or "", sender, TxSequenceId(sequence_id), number, time, rejects)
        for format_name, sender, sequence_id, number, time, rejects in _rows(columns, where)
    ]


def source_info_variant(rows: Iterable[SourceInfo]) -> Variant:
    """The value of PROPID_MGMT_QUEUE_EOD_SOURCE_INFO with these rows. [MS-MQMQ] 2.3.12.24"""
    entries = [(row.format_name, row.sender, row.sequence_id, row.sequence_number, row.last_access_time, row.reject_count) for row in rows]
    return _table_variant(entries, _SOURCE_INFO)


def connection_history_rows(variant: Variant) -> list[ConnectionAttempt]:
    """The rows in PROPID_MGMT_QUEUE_CONNECTION_HISTORY, one for each attempt. [MS-MQMQ] 2.3.12.25"""
    where = "CONNECTION_HISTORY"
    columns = _columns(variant, _CONNECTION_HISTORY, where)
    if not columns:
        return []
    *numbers, lists = columns
    addresses = _address_lists(lists, len(numbers[0].value), where)
    return [
        ConnectionAttempt(ConnectionStatus(status), time, error & 0xFFFFFFFF, found)
        for status, time, error, found in _rows([*(column.value for column in numbers), addresses], where)
    ]


def _address_lists(column: Variant, rows: int, where: str) -> tuple[tuple[str, ...], ...]:
    """The addresses by row. A flat list of strings has one for each row, and what is left over went with the last attempt."""
    if column.vt == _STRINGS:
        flat = [address or "" for address in column.value]
        if len(flat) <= rows or not rows:
            return tuple((address,) for address in flat)
        return (*((address,) for address in flat[: rows - 1]), tuple(flat[rows - 1 :]))
    for index, entry in enumerate(column.value):
        if entry.vt != _STRINGS and not entry.absent:
            raise DecodeError(f"{type_name(entry.vt)}, not a list of addresses", where=f"{where}[3][{index}]", offset=index)
    return tuple(tuple(address or "" for address in entry.value or ()) for entry in column.value)


def connection_history_variant(rows: Iterable[ConnectionAttempt]) -> Variant:
    """The value of PROPID_MGMT_QUEUE_CONNECTION_HISTORY with these rows. [MS-MQMQ] 2.3.12.25"""
    entries = [(row.status, row.time, _as_signed(row.error), Variant(_STRINGS, row.addresses)) for row in rows]
    return _table_variant(entries, _CONNECTION_HISTORY)


def _as_signed(status: int) -> int:
    return status - (1 << 32) if status >= 1 << 31 else status


def _table_variant(entries: list[tuple[Any, ...]], types: tuple[tuple[VarType, ...], ...]) -> Variant:
    columns = zip(*entries, strict=True) if entries else [()] * len(types)
    return Variant(_VARIANTS, tuple(Variant(first, tuple(column)) for (first, *_), column in zip(types, columns, strict=True)))
