"""One declaration of a fixed layout, used in both directions, and the bounded reader that all wire code takes from.

A record's annotations are its layout, in order, little-endian and without gaps:

    @record
    class SessionHeader(Record):
        ack_sequence_number: Annotated[int, U16]
        ...

Fields without a codec form a variable tail: the record's own `read` and `pack` take care of them in plain Python.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    Self,
    TypeVar,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)
from uuid import UUID

from msmqctl.errors import DecodeError
from msmqctl.wire.dataclass import dataclass

NULL_GUID = UUID(int=0)
Buffer = bytes | bytearray | memoryview


@dataclass(frozen=True, slots=True)
class Codec:
    """How one field lies on the wire: a `struct` code and, where that is not the Python value yet, the two conversions."""

    code: str
    to_value: Callable[[Any], Any] | None = None
    to_wire: Callable[[Any], Any] | None = None


U8, U16, U32, U64 = Codec("B"), Codec("H"), Codec("I"), Codec("Q")
I8, I16, I32, I64 = Codec("b"), Codec("h"), Codec("i"), Codec("q")
# The packet form of a GUID: three little-endian integers, then eight octets as they stand. [MS-MQMQ] 2.2.18.1.1
GUID = Codec("16s", lambda octets: UUID(bytes_le=octets), lambda guid: guid.bytes_le)


def octets(size: int) -> Codec:
    """A field of exactly `size` uninterpreted octets (packing a shorter or longer one is an error, unlike in `struct`)."""

    def exactly(value: bytes) -> bytes:
        if len(value) != size:
            raise struct.error(f"{size} octets wanted, not {len(value)}")
        return value

    return Codec(f"{size}s", None, exactly)


def align(offset: int, boundary: int = 4) -> int:
    """`offset` rounded up to a multiple of `boundary`."""
    return -(-offset // boundary) * boundary


def pad(data: bytes, boundary: int = 4) -> bytes:
    """`data` followed by zeros up to a multiple of `boundary`."""
    return data + bytes(-len(data) % boundary)


def from_wide(data: Buffer) -> str:
    """UTF-16LE octets to text; a lone surrogate survives, because a peer's octets must come back as they were."""
    return str(data, "utf-16-le", "surrogatepass")


def to_wide(text: str) -> bytes:
    """Text to UTF-16LE octets, without a NUL."""
    return text.encode("utf-16-le", "surrogatepass")


Group = TypeVar("Group", bound=int)


class BitField(Generic[Group]):
    """One named group of bits; its place follows from the order of declaration, low bit first."""

    __slots__ = ("kind", "mask", "name", "shift", "width")

    def __init__(self, kind: Callable[[int], Group], width: int) -> None:
        self.kind = kind
        self.width = width
        self.shift = 0
        self.mask = 0
        self.name = ""

    def __set_name__(self, owner: type[Bits], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, word: None, owner: type[Bits]) -> BitField[Group]: ...
    @overload
    def __get__(self, word: Bits, owner: type[Bits]) -> Group: ...
    def __get__(self, word: Bits | None, owner: type[Bits]) -> BitField[Group] | Group:
        if word is None:
            return self
        return self.kind((int(word) & self.mask) >> self.shift)


def flag() -> BitField[bool]:
    """A group of one bit."""
    return BitField(bool, 1)


def group(width: int) -> BitField[int]:
    """A group of `width` bits, read as an unsigned number."""
    return BitField(int, width)


class Bits(int):
    """A word made of named bit groups. It is the number itself, so reserved bits are kept when read."""

    __slots__ = ()
    GROUPS: ClassVar[tuple[BitField[Any], ...]] = ()

    def __init_subclass__(cls) -> None:
        found = [value for value in vars(cls).values() if isinstance(value, BitField)]
        shift = 0
        for bits in found:
            bits.shift, bits.mask = shift, ((1 << bits.width) - 1) << shift
            shift += bits.width
        cls.GROUPS = tuple(found)

    @classmethod
    def of(cls, **groups: int) -> Self:
        """The word with these groups set and all others zero."""
        return cls(0).replace(**groups)

    def replace(self, **groups: int) -> Self:
        """This word with the named groups changed."""
        word = int(self)
        for name, value in groups.items():
            bits = getattr(type(self), name)
            if not 0 <= value < 1 << bits.width:
                raise ValueError(f"{type(self).__name__}.{name} has {bits.width} bits, {value} does not fit")
            word = word & ~bits.mask | int(value) << bits.shift
        return type(self)(word)

    def groups(self) -> dict[str, int]:
        """All groups by name, low bit first."""
        return {bits.name: getattr(self, bits.name) for bits in self.GROUPS}

    def __repr__(self) -> str:
        named = ", ".join(f"{name}={value}" for name, value in self.groups().items() if value)
        return f"{type(self).__name__}(0x{int(self):X}: {named or '-'})"


@dataclass(frozen=True, slots=True)
class Layout:
    """What `@record` found in the annotations."""

    packed: struct.Struct
    values_of: Callable[[Any], tuple[Any, ...]]
    names: tuple[str, ...]
    codes: tuple[str, ...]
    to_value: tuple[tuple[int, Callable[[Any], Any]], ...]
    to_wire: tuple[tuple[int, Callable[[Any], Any]], ...]

    def offsets(self) -> list[tuple[str, int, int]]:
        """Name, offset and size of each field."""
        found, offset = [], 0
        for name, code in zip(self.names, self.codes, strict=True):
            size = struct.calcsize("<" + code)
            found.append((name, offset, size))
            offset += size
        return found


class Record:
    """A structure with a fixed layout, perhaps followed by a variable tail."""

    __slots__ = ()
    LAYOUT: ClassVar[Layout]
    SIZE: ClassVar[int]

    @classmethod
    def read(cls, reader: Reader) -> Self:
        """Take the record from the reader. A record with a tail has its own `read`."""
        return cls(*reader.fixed(cls))

    @classmethod
    def read_all(cls, data: Buffer) -> Self:
        """The record that fills `data` from end to end."""
        reader = Reader(data)
        value = cls.read(reader)
        reader.expect_end(cls.__name__)
        return value

    def pack_fixed(self) -> bytes:
        """The fixed part as octets."""
        layout = type(self).LAYOUT
        values = layout.values_of(self)
        try:
            if layout.to_wire:
                converted = list(values)
                for index, convert in layout.to_wire:
                    converted[index] = convert(converted[index])
                return layout.packed.pack(*converted)
            return layout.packed.pack(*values)
        except struct.error as error:
            raise ValueError(f"{self!r} cannot be packed: {error}") from error

    def pack(self) -> bytes:
        """The record as octets. A record with a tail has its own `pack`."""
        return self.pack_fixed()


RecordType = TypeVar("RecordType", bound=Record)


@dataclass_transform(frozen_default=True)
def record(cls: type[RecordType]) -> type[RecordType]:
    """Make `cls` a frozen, slotted dataclass and take its layout from its annotations."""
    made = dataclass(frozen=True, slots=True)(cls)
    hints = get_type_hints(made, include_extras=True)
    names: list[str] = []
    codes: list[str] = []
    to_value: list[tuple[int, Callable[[Any], Any]]] = []
    to_wire: list[tuple[int, Callable[[Any], Any]]] = []
    in_tail = False
    for field in fields(cast("Any", made)):
        hint = hints[field.name]
        codec = next((extra for extra in get_args(hint)[1:] if isinstance(extra, Codec)), None) if get_origin(hint) is Annotated else None
        if codec is None:
            in_tail = True
            continue
        if in_tail:
            raise TypeError(f"{cls.__name__}.{field.name}: fields with a codec come first")
        kind = get_args(hint)[0]
        if codec.to_value is not None:
            to_value.append((len(names), codec.to_value))
        elif isinstance(kind, type) and issubclass(kind, int) and kind is not int:
            to_value.append((len(names), kind))
        if codec.to_wire is not None:
            to_wire.append((len(names), codec.to_wire))
        names.append(field.name)
        codes.append(codec.code)
    packed = struct.Struct("<" + "".join(codes))
    # attrgetter gives a tuple for two names and more only.
    values_of = attrgetter(*names) if len(names) > 1 else lambda made: tuple(getattr(made, name) for name in names)
    made.LAYOUT = Layout(packed, values_of, tuple(names), tuple(codes), tuple(to_value), tuple(to_wire))
    made.SIZE = packed.size
    return made


class Reader:
    """Takes values from a buffer in order and never returns short: a fault names structure, field and offset.

    `origin` is where the structure starts that alignment is counted from; offsets in faults count from the start of the buffer.
    """

    __slots__ = ("data", "end", "offset", "origin")

    def __init__(self, data: Buffer, offset: int = 0, end: int | None = None) -> None:
        self.data = data
        self.origin = self.offset = offset
        self.end = len(data) if end is None else end
        if not 0 <= offset <= self.end <= len(data):
            raise ValueError(f"a reader from {offset} to {self.end} does not fit into {len(data)} octets")

    @classmethod
    def over(cls, source: Source) -> Reader:
        """A reader of `source`, which may be one already: then what reads a whole buffer reads what is left of it."""
        return source if isinstance(source, Reader) else cls(source)

    def fork(self, offset: int, end: int | None = None) -> Reader:
        """A reader of the same kind from `offset` to `end`, for parts that lie elsewhere or have a size of their own."""
        return Reader(self.data, offset, self.end if end is None else end)

    @property
    def remaining(self) -> int:
        """How many octets are left."""
        return self.end - self.offset

    def fault(self, problem: str, where: str, offset: int | None = None) -> DecodeError:
        """The error to raise: `problem` with `where`, here or at `offset`."""
        return DecodeError(problem, where=where, offset=self.offset if offset is None else offset)

    def _advance(self, size: int, where: str) -> int:
        start = self.offset
        stop = start + size
        if stop > self.end or size < 0:
            raise self.fault(f"{size} octets wanted, {self.end - start} left", where)
        self.offset = stop
        return start

    def take(self, size: int, where: str) -> bytes:
        """Exactly `size` octets, copied once."""
        start = self._advance(size, where)
        data = self.data
        # A slice of a bytearray is a copy by itself; the view is let go at once, or the owner could not change its buffer.
        return bytes(memoryview(data)[start : self.offset] if isinstance(data, bytearray) else data[start : self.offset])

    def number(self, size: int, where: str) -> int:
        """A little-endian unsigned number of `size` octets."""
        start = self._advance(size, where)
        return int.from_bytes(self.data[start : self.offset], "little")

    def guid(self, where: str) -> UUID:
        """A GUID in packet form."""
        start = self._advance(16, where)
        return UUID(bytes_le=bytes(self.data[start : self.offset]))

    def wide(self, units: int, where: str) -> str:
        """Exactly `units` UTF-16LE code units as text, NULs and all."""
        start = self._advance(2 * units, where)
        return from_wide(self.data[start : self.offset])

    def align(self, boundary: int, where: str) -> None:
        """Skip padding up to a multiple of `boundary` from the origin. Padding may hold anything. [MS-MQMQ] 2.2"""
        if gap := (self.origin - self.offset) % boundary:
            self._advance(gap, f"{where} padding")

    def fixed(self, kind: type[Record]) -> Sequence[Any]:
        """The fixed fields of a record, as values in order."""
        layout = kind.LAYOUT
        start = self.offset
        stop = start + layout.packed.size
        if stop > self.end:
            raise self._short(kind)
        self.offset = stop
        values = list(layout.packed.unpack_from(self.data, start))
        for index, convert in layout.to_value:
            values[index] = convert(values[index])
        return values

    def _short(self, kind: type[Record]) -> DecodeError:
        """Name the first field of the record that does not fit any more."""
        name, offset, size = next(field for field in kind.LAYOUT.offsets() if self.offset + field[1] + field[2] > self.end)
        left = self.end - self.offset - offset
        return self.fault(f"{size} octets wanted, {left} left", f"{kind.__name__}.{name}", self.offset + offset)

    def u8(self, where: str) -> int:
        """One octet as a number."""
        return self.number(1, where)

    def u16(self, where: str) -> int:
        """A little-endian 16-bit number."""
        return self.number(2, where)

    def u32(self, where: str) -> int:
        """A little-endian 32-bit number."""
        return self.number(4, where)

    def u64(self, where: str) -> int:
        """A little-endian 64-bit number."""
        return self.number(8, where)

    def mark(self) -> tuple[int, int]:
        """Where the reader stands, for `rewind`. (The second number is for a reader that keeps more than an offset.)"""
        return self.offset, 0

    def rewind(self, mark: tuple[int, int]) -> None:
        """Go back to where `mark` was made, to try another reading of the same octets."""
        self.offset = mark[0]

    def require(self, end: int, where: str, offset: int) -> int:
        """Check that the buffer reaches to `end`, which the field `where` at `offset` claims; the end to use."""
        if end > self.end:
            raise self.fault(f"{end - self.end} octets missing", where, offset)
        return end

    def expect_end(self, where: str) -> None:
        """Refuse octets behind the last field."""
        if self.offset != self.end:
            raise self.fault(f"{self.end - self.offset} octets too many", where)


# What a function that reads a whole buffer takes.
Source = Buffer | Reader
