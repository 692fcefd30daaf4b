"""The stub octets of RPC calls in both transfer syntaxes: primitives, pointers, strings, arrays, PROPVARIANT. [C706] 14, [MS-RPCE] 2.2.5

A call's parameters are written one after the other. What a pointer leads to does not stand where the pointer does: inside a
construct it follows behind the whole construct, and what its own pointers lead to directly behind it. So a structure or an array
with pointers in it is written, and read, within `construct()`:

    with writer.construct(), writer.structure(alignment):
        writer.u32(2)
        writer.pointer(text, writer.string)

A pointer outside every construct is a parameter itself, and its target follows at once. When reading, the target of a pointer is
known after the construct is closed: `pointer` gives a `Target`, whose `value` is filled then.

Octets are little-endian, which every Windows peer and NDR64 itself prescribe. Offsets and alignment count from the start of the stub.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import Any, Generic, TypeVar
from uuid import UUID

from msmqctl.errors import DecodeError
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.record import Buffer, Reader, from_wide, to_wide
from msmqctl.wire.values import VarType
from msmqctl.wire.variant import MAX_NESTING, PROPERTY_TYPES, Variant, type_name, vector_of

Value = TypeVar("Value")


class Syntax(Enum):
    """A transfer syntax, and the size of its pointers and counts, which is their alignment too. [MS-RPCE] 2.2.5"""

    NDR = (UUID("8a885d04-1ceb-11c9-9fe8-08002b104860"), 2, 4)
    NDR64 = (UUID("71710533-beba-4937-8319-b5dbef9ccc36"), 1, 8)

    def __init__(self, uuid: UUID, version: int, word: int) -> None:
        self.uuid = uuid
        self.version = version
        self.word = word

    @property
    def enum_size(self) -> int:
        """Octets of an enumeration without the v1_enum attribute. [MS-RPCE] 2.2.5.2"""
        return 4 if self is Syntax.NDR64 else 2


_FIRST_REFERENT = 0x00020000
_REFERENT_STEP = 4
_CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}


class NdrWriter:
    """Writes parameters one after the other; `data` is the stub."""

    def __init__(self, syntax: Syntax = Syntax.NDR) -> None:
        self.syntax = syntax
        self._out = bytearray()
        self._next_referent = _FIRST_REFERENT
        self._deferred: list[list[Callable[[], None]]] = []

    @property
    def data(self) -> bytes:
        """What was written so far."""
        return bytes(self._out)

    def align(self, boundary: int) -> None:
        """Zeros up to a multiple of `boundary`."""
        self._out += bytes(-len(self._out) % boundary)

    def number(self, code: str, value: int) -> None:
        """A number by its `struct` code, aligned to its own size."""
        self.align(struct.calcsize(f"<{code}"))
        try:
            self._out += struct.pack(f"<{code}", value)
        except struct.error as error:
            raise ValueError(f"{value!r} cannot be written: {error}") from error

    def u8(self, value: int) -> None:
        """An unsigned octet."""
        self.number("B", value)

    def u16(self, value: int) -> None:
        """An unsigned 16-bit number."""
        self.number("H", value)

    def u32(self, value: int) -> None:
        """An unsigned 32-bit number."""
        self.number("I", value)

    def u64(self, value: int) -> None:
        """An unsigned 64-bit number."""
        self.number("Q", value)

    def enumeration(self, value: int) -> None:
        """An enumeration without the v1_enum attribute."""
        self.number(_CODES[self.syntax.enum_size], value)

    def word(self, value: int) -> None:
        """A count or a referent id, as wide as the syntax has them."""
        self.number(_CODES[self.syntax.word], value)

    def guid(self, value: UUID) -> None:
        """A GUID, which is a structure with a 32-bit number in it."""
        self.align(4)
        self._out += value.bytes_le

    def octets(self, data: bytes) -> None:
        """Octets as they stand, without a count."""
        self._out += data

    @contextmanager
    def construct(self) -> Iterator[None]:
        """Everything within is one construct: the targets of its pointers follow behind it, in order. [C706] 14.3.12.3"""
        self._deferred.append([])
        yield
        for write in self._deferred.pop():
            with self.construct():
                write()

    @contextmanager
    def structure(self, alignment: int) -> Iterator[None]:
        """The members of a structure. NDR64 pads its end to its alignment. [MS-RPCE] 2.2.5.3.4.1"""
        self.align(alignment)
        yield
        if self.syntax is Syntax.NDR64:
            self.align(alignment)

    def union_tag(self, size: int, value: int, alignment: int) -> None:
        """The tag of a union whose most demanding arm has `alignment`; the arm is next. [MS-RPCE] 2.2.5.3.4.4"""
        boundary = alignment if self.syntax is Syntax.NDR64 else 1
        self.align(boundary)
        self.number(_CODES[size], value)
        self.align(boundary)

    def pointer(self, value: Value | None, write: Callable[[Value], None]) -> None:
        """A unique pointer, NULL for None, with `write` for its target."""
        if value is None:
            self.word(0)
            return
        self.word(self._next_referent)
        self._next_referent += _REFERENT_STEP
        target = value  # narrowed, for the closure
        if self._deferred:
            self._deferred[-1].append(lambda: write(target))
        else:
            with self.construct():
                write(target)

    def string(self, text: str) -> None:
        """A conformant varying string of WCHARs, with its NUL. [C706] 14.3.4.2"""
        if "\0" in text:
            raise ValueError("a string has no NUL inside")
        data = to_wide(text + "\0")
        self._varying(len(data) // 2)
        self._out += data

    def varying_octets(self, data: bytes) -> None:
        """A conformant varying array of octets that is sent in full. [C706] 14.3.3.4"""
        self._varying(len(data))
        self._out += data

    def _varying(self, count: int) -> None:
        for value in (count, 0, count):
            self.word(value)

    def conformant_octets(self, data: bytes) -> None:
        """A conformant array of octets. [C706] 14.3.3.2"""
        self.word(len(data))
        self._out += data

    def conformant(self, values: Sequence[Value], write: Callable[[Value], None]) -> None:
        """A conformant array whose elements `write` writes. [C706] 14.3.3.2"""
        self.word(len(values))
        for value in values:
            write(value)


@dataclass(slots=True)
class Target(Generic[Value]):
    """What a pointer leads to: None for NULL, and until the construct with the pointer is closed."""

    null: bool
    value: Value | None = None


class NdrReader:
    """Reads parameters one after the other. Every count is held against what is left of the stub before it is used."""

    def __init__(self, data: Buffer, syntax: Syntax = Syntax.NDR) -> None:
        self.syntax = syntax
        self._in = Reader(data)
        self._deferred: list[list[Callable[[], None]]] = []

    @property
    def offset(self) -> int:
        """How far the stub has been read."""
        return self._in.offset

    def fault(self, problem: str, where: str, offset: int | None = None) -> DecodeError:
        """The error to raise: `problem` with `where`, here or at `offset`."""
        return self._in.fault(problem, where, offset)

    def expect_end(self, where: str) -> None:
        """Refuse octets behind the last parameter."""
        self._in.expect_end(where)

    def align(self, boundary: int, where: str) -> None:
        """Skip padding, whatever it holds."""
        self._in.align(boundary, where)

    def number(self, code: str, where: str) -> int:
        """A number by its `struct` code, aligned to its own size."""
        size = struct.calcsize(f"<{code}")
        self.align(size, where)
        (value,) = struct.unpack(f"<{code}", self._in.take(size, where))
        return int(value)

    def u8(self, where: str) -> int:
        """An unsigned octet."""
        return self.number("B", where)

    def u16(self, where: str) -> int:
        """An unsigned 16-bit number."""
        return self.number("H", where)

    def u32(self, where: str) -> int:
        """An unsigned 32-bit number."""
        return self.number("I", where)

    def u64(self, where: str) -> int:
        """An unsigned 64-bit number."""
        return self.number("Q", where)

    def ranged(self, low: int, high: int, where: str) -> int:
        """An unsigned 32-bit number with a range attribute, which beats whatever the prose says."""
        value = self.u32(where)
        if not low <= value <= high:
            raise self.fault(f"{value} is not from {low} to {high}", where, self.offset - 4)
        return value

    def enumeration(self, where: str) -> int:
        """An enumeration without the v1_enum attribute."""
        return self.number(_CODES[self.syntax.enum_size], where)

    def word(self, where: str) -> int:
        """A count or a referent id, as wide as the syntax has them."""
        return self.number(_CODES[self.syntax.word], where)

    def guid(self, where: str) -> UUID:
        """A GUID."""
        self.align(4, where)
        return self._in.guid(where)

    def octets(self, size: int, where: str) -> bytes:
        """Octets as they stand, without a count."""
        return self._in.take(size, where)

    @contextmanager
    def construct(self) -> Iterator[None]:
        """Everything within is one construct; the targets of its pointers are read when it is closed. [C706] 14.3.12.3"""
        self._deferred.append([])
        yield
        for read in self._deferred.pop():
            with self.construct():
                read()

    @contextmanager
    def structure(self, alignment: int, where: str) -> Iterator[None]:
        """The members of a structure. NDR64 pads its end to its alignment. [MS-RPCE] 2.2.5.3.4.1"""
        self.align(alignment, where)
        yield
        if self.syntax is Syntax.NDR64:
            self.align(alignment, where)

    def union_tag(self, size: int, expected: int, alignment: int, where: str) -> None:
        """The tag of a union, which repeats the member that selects the arm; the arm is next. [MS-RPCE] 2.2.5.3.4.4"""
        boundary = alignment if self.syntax is Syntax.NDR64 else 1
        self.align(boundary, where)
        value = self.number(_CODES[size], where)
        if value != expected:
            raise self.fault(f"the tag is {value}, the member that selects the arm {expected}", where, self.offset - size)
        self.align(boundary, where)

    def pointer(self, read: Callable[[], Value], where: str) -> Target[Value]:
        """A unique pointer with `read` for its target."""
        target: Target[Value] = Target(null=self.word(where) == 0)

        def fill() -> None:
            target.value = read()

        if not target.null and self._deferred:
            self._deferred[-1].append(fill)
        elif not target.null:
            with self.construct():
                fill()
        return target

    def string(self, where: str) -> str:
        """A conformant varying string of WCHARs, without the NUL that must end it. [C706] 14.3.4.2"""
        count = self._varying(where)
        start = self.offset
        text = from_wide(self._in.take(2 * count, where))
        if not text or text.find("\0") != len(text) - 1:
            raise self.fault("the string does not end with its only NUL", where, start)
        return text[:-1]

    def varying_octets(self, expected: int, where: str) -> bytes:
        """A conformant varying array of octets that is sent in full, `expected` by the member that counts it. [C706] 14.3.3.4"""
        return self._in.take(self._counted(self._varying(where), expected, where), where)

    def _varying(self, where: str) -> int:
        """The three numbers before a conformant varying array; how many elements follow."""
        start = self.offset
        most, first, count = (self.word(where) for _ in range(3))
        if first != 0 or count > most:
            raise self.fault(f"elements {first} to {first + count} of {most}", where, start)
        return count

    def conformant_octets(self, expected: int, where: str) -> bytes:
        """A conformant array of octets, `expected` by the member that counts it. [C706] 14.3.3.2"""
        return self._in.take(self._counted(self.word(where), expected, where), where)

    def conformant(self, expected: int, smallest: int, read: Callable[[], Value], where: str) -> list[Value]:
        """A conformant array, `expected` by the member that counts it, of elements that take at least `smallest` octets each."""
        count = self._counted(self.word(where), expected, where)
        if count * smallest > self._in.remaining:
            raise self.fault(f"{count} elements do not fit into {self._in.remaining} octets", where)
        return [read() for _ in range(count)]

    def _counted(self, count: int, expected: int, where: str) -> int:
        if count != expected:
            raise self.fault(f"the array has {count} elements, the member that counts them says {expected}", where)
        return count


# PROPVARIANT: u16 vt; u8 wReserved1; u8 wReserved2; u32 wReserved3; union by vt with a 16-bit tag of its own. [MS-MQMQ] 2.2.13
#
#   nothing     VT_EMPTY, VT_NULL
#   a number    the codes below; VARIANT_BOOL is 0xFFFF for true
#   a pointer   VT_LPWSTR to a string, VT_CLSID to a GUID
#   a counted array: u32 count, pointer to a conformant array
#               VT_BLOB of octets; VT_VECTOR of UI1, UI2, I4, UI4, UI8, CLSID, LPWSTR, VARIANT
#
# A 64-bit number in one arm makes the alignment of the whole 8, in both syntaxes.
_ALIGNMENT = 8
_SMALLEST = 10
_TRUE = 0xFFFF
_NUMBERS: dict[int, str] = {
    VarType.VT_I1: "b",
    VarType.VT_UI1: "B",
    VarType.VT_I2: "h",
    VarType.VT_UI2: "H",
    VarType.VT_I4: "i",
    VarType.VT_UI4: "I",
    VarType.VT_I8: "q",
    VarType.VT_UI8: "Q",
}
_OCTET_ARRAYS = frozenset({VarType.VT_BLOB, vector_of(VarType.VT_UI1)})
_WHERE = "PROPVARIANT"


def write_variants(writer: NdrWriter, variants: Sequence[Variant]) -> None:
    """A conformant array of PROPVARIANT, with all that its elements point at. [MS-MQMQ] 2.2.13"""
    with writer.construct():
        writer.conformant(variants, lambda variant: _write_variant(writer, variant))


def _write_variant(writer: NdrWriter, variant: Variant) -> None:
    with writer.structure(_ALIGNMENT):
        writer.number("H", variant.vt)
        writer.octets(bytes(6))
        writer.union_tag(2, variant.vt, _ALIGNMENT)
        _write_arm(writer, variant.vt, variant.value)


def _write_arm(writer: NdrWriter, vt: VarType, value: Any) -> None:
    if vt in _NUMBERS:
        writer.number(_NUMBERS[vt], value)
    elif vt == VarType.VT_BOOL:
        writer.u16(_TRUE if value else 0)
    elif vt == VarType.VT_LPWSTR:
        writer.pointer(value, writer.string)
    elif vt == VarType.VT_CLSID:
        writer.pointer(value, writer.guid)
    elif vt not in (VarType.VT_EMPTY, VarType.VT_NULL):
        writer.u32(len(value))
        # An empty array needs no target; a NULL pointer says so in the fewest octets.
        writer.pointer(value or None, writer.conformant_octets if vt in _OCTET_ARRAYS else lambda values: _write_vector(writer, vt, values))


def _write_vector(writer: NdrWriter, vt: VarType, values: tuple[Any, ...]) -> None:
    element = VarType(vt & ~VarType.VT_VECTOR)
    if element == VarType.VT_VARIANT:
        writer.conformant(values, lambda value: _write_variant(writer, value))
    elif element == VarType.VT_CLSID:
        writer.conformant(values, writer.guid)
    else:
        writer.conformant(values, lambda value: _write_arm(writer, element, value))


def read_variants(reader: NdrReader, expected: int) -> list[Variant]:
    """A conformant array of PROPVARIANT, `expected` by the parameter that counts it, with all that its elements point at."""
    return _read_variants(reader, expected, 0)


Later = Callable[[], Variant]


def _read_variants(reader: NdrReader, expected: int, nesting: int) -> list[Variant]:
    with reader.construct():
        found = reader.conformant(expected, _SMALLEST, lambda: _read_variant(reader, nesting), f"{_WHERE} array")
    return [finish() for finish in found]


def _read_variant(reader: NdrReader, nesting: int) -> Later:
    """Read the fixed part; the result makes the value when the pointers' targets are there."""
    with reader.structure(_ALIGNMENT, _WHERE):
        start = reader.offset
        vt = VarType(reader.u16(f"{_WHERE}.vt"))
        if vt not in PROPERTY_TYPES:
            raise reader.fault(f"{type_name(vt)} is not a type that a property can have", f"{_WHERE}.vt", start)
        reader.octets(6, f"{_WHERE}.wReserved")
        reader.union_tag(2, vt, _ALIGNMENT, f"{_WHERE}.tag")
        value = _read_arm(reader, vt, nesting)
    return lambda: Variant(vt, value())


def _read_arm(reader: NdrReader, vt: VarType, nesting: int) -> Callable[[], Any]:
    where = f"{_WHERE}.{type_name(vt)}"
    if vt in (VarType.VT_EMPTY, VarType.VT_NULL):
        return lambda: None
    if vt in _NUMBERS:
        number = reader.number(_NUMBERS[vt], where)
        return lambda: number
    if vt == VarType.VT_BOOL:
        truth = reader.u16(where) != 0
        return lambda: truth
    if vt == VarType.VT_LPWSTR:
        text = reader.pointer(lambda: reader.string(where), where)
        return lambda: text.value
    if vt == VarType.VT_CLSID:
        guid = reader.pointer(lambda: reader.guid(where), where)
        return lambda: guid.value
    count = reader.u32(where)
    octets = vt in _OCTET_ARRAYS
    array = reader.pointer(
        lambda: reader.conformant_octets(count, where) if octets else _read_vector(reader, vt, count, nesting, where), where
    )
    if array.null and count:
        raise reader.fault(f"{count} elements behind a NULL pointer", where)
    empty: bytes | tuple[()] = b"" if octets else ()
    return lambda: empty if array.null else array.value


def _read_vector(reader: NdrReader, vt: VarType, count: int, nesting: int, where: str) -> tuple[Any, ...]:
    element = VarType(vt & ~VarType.VT_VECTOR)
    if element == VarType.VT_VARIANT:
        if nesting == MAX_NESTING:
            raise reader.fault(f"variants are nested more than {MAX_NESTING} levels deep", where)
        return tuple(_read_variants(reader, count, nesting + 1))
    if element == VarType.VT_CLSID:
        return tuple(reader.conformant(count, 16, lambda: reader.guid(where), where))
    if element == VarType.VT_LPWSTR:
        with reader.construct():
            texts = reader.conformant(count, reader.syntax.word, lambda: reader.pointer(lambda: reader.string(where), where), where)
        return tuple(text.value for text in texts)
    code = _NUMBERS[element]
    return tuple(reader.conformant(count, struct.calcsize(f"<{code}"), lambda: reader.number(code, where), where))
