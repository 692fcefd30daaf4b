"""A reader that remembers every field it took, for showing a structure up to the fault in it.

The same `read` functions run on it as on `Reader`, so what is shown is what is decoded.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from msmqctl.errors import DecodeError
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.record import Buffer, Reader, Record


@dataclass(frozen=True, slots=True)
class Field:
    """One field as it was read: `where` is its dotted path."""

    where: str
    offset: int
    size: int
    value: Any


class TracingReader(Reader):
    """Logs each field, also what is left of one that is cut off.

    A buffer shorter than a length field claims is read on to its end, and the fault kept in `missing`.
    """

    __slots__ = ("fields", "missing")

    def __init__(self, data: Buffer, offset: int = 0, end: int | None = None) -> None:
        super().__init__(data, offset, end)
        self.fields: list[Field] = []
        self.missing: DecodeError | None = None

    def _advance(self, size: int, where: str) -> int:
        if size > self.remaining > 0:
            rest = bytes(self.data[self.offset : self.end])
            self.fields.append(Field(f"{where} (cut)", self.offset, len(rest), rest))
        return super()._advance(size, where)

    def _log(self, where: str, start: int, value: Any) -> None:
        if self.offset > start:
            self.fields.append(Field(where, start, self.offset - start, value))

    def take(self, size: int, where: str) -> bytes:
        start, value = self.offset, super().take(size, where)
        self._log(where, start, value)
        return value

    def number(self, size: int, where: str) -> int:
        start, value = self.offset, super().number(size, where)
        self._log(where, start, value)
        return value

    def guid(self, where: str) -> UUID:
        start, value = self.offset, super().guid(where)
        self._log(where, start, value)
        return value

    def wide(self, units: int, where: str) -> str:
        start, value = self.offset, super().wide(units, where)
        self._log(where, start, value)
        return value

    def align(self, boundary: int, where: str) -> None:
        start = self.offset
        super().align(boundary, where)
        self._log(f"{where}.padding", start, bytes(self.data[start : self.offset]))

    def fixed(self, kind: type[Record]) -> Sequence[Any]:
        start = self.offset
        try:
            values = super().fixed(kind)
        except DecodeError:
            self._log_what_fits(kind)
            raise
        for (name, offset, size), value in zip(kind.LAYOUT.offsets(), values, strict=True):
            self.fields.append(Field(f"{kind.__name__}.{name}", start + offset, size, value))
        return values

    def _log_what_fits(self, kind: type[Record]) -> None:
        """The leading fields of a record that the buffer cuts off."""
        start = self.offset
        converters = dict(kind.LAYOUT.to_value)
        for index, (name, offset, size) in enumerate(kind.LAYOUT.offsets()):
            if start + offset + size > self.end:
                return
            (value,) = struct.unpack_from("<" + kind.LAYOUT.codes[index], self.data, start + offset)
            convert = converters.get(index)
            self.fields.append(Field(f"{kind.__name__}.{name}", start + offset, size, convert(value) if convert else value))

    def fork(self, offset: int, end: int | None = None) -> TracingReader:
        forked = TracingReader(self.data, offset, self.end if end is None else end)
        forked.fields = self.fields
        return forked

    def mark(self) -> tuple[int, int]:
        return self.offset, len(self.fields)

    def rewind(self, mark: tuple[int, int]) -> None:
        self.offset = mark[0]
        del self.fields[mark[1] :]

    def require(self, end: int, where: str, offset: int) -> int:
        if end > self.end and self.missing is None:
            self.missing = self.fault(f"{end - self.end} octets missing", where, offset)
        return min(end, self.end)
