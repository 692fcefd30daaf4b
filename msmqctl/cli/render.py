"""Turn rows and records into text: tables, JSON, NDJSON and CSV. Nothing here writes; `session` does.

Rows are dataclasses, and their field names are the JSON keys and the column names (a trailing underscore, which
Python needs for a field such as `class_`, is dropped). Values become JSON like this:

    None, bool, int, str     as they are               float        as it is; null when not finite
    datetime                 UTC, ISO 8601, with Z     timedelta    seconds
    UUID                     plain, lower case         bytes        base64
    enum of numbers          the number                other enum   its text, or its name when it has no text
    Path                     text                      dataclass    object; mapping: object; tuple, list, set: array

Tables show the name of a numeric enum instead of its number. Text that may come from a peer is made harmless by
`escape` in tables, records and CSV; JSON is pure ASCII, so nothing in it can reach a terminal as a control character.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum, StrEnum
from math import isfinite
from pathlib import PurePath
from typing import Any, Generic, TypeVar
from uuid import UUID

from msmqctl.cli.ending import CommandLineError
from msmqctl.wire.dataclass import dataclass

Row = TypeVar("Row")

# A JSON value, as `json.dumps` takes it.
Plain = Any


class Format(StrEnum):
    """What `-o` may say."""

    TABLE = "table"
    JSON = "json"
    NDJSON = "ndjson"
    CSV = "csv"

    @property
    def for_programs(self) -> bool:
        """Whether a program reads the output, and errors are therefore JSON too."""
        return self in (Format.JSON, Format.NDJSON)


@dataclass(frozen=True, slots=True)
class Surface:
    """What the text will land on: a terminal has a width and may have colours, a pipe has neither."""

    width: int | None = None
    colours: bool = False


PIPE = Surface()

# Bidirectional overrides and isolates, and invisible marks that reorder or hide text.
_TROJAN = "\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
_HARMFUL = re.compile(f"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{_TROJAN}]")


def _escape_one(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def escape(text: str) -> str:
    """`text` with everything that a terminal would obey rather than show written out, as in `\\x1b` or `\\u202e`."""
    return text if text.isascii() and text.isprintable() else _HARMFUL.sub(_escape_one, text)


def key(field_name: str) -> str:
    """The name of a field outside Python."""
    return field_name.removesuffix("_")


def plain(value: object) -> Plain:
    """`value` as JSON sees it; see the module's table."""
    match value:
        case None | bool():
            return value
        case Enum():
            return plain(value.value) if isinstance(value.value, int | str) else value.name
        case int():
            return int(value)
        case str():
            return str(value)
        case float():
            return value if isfinite(value) else None
        case datetime():
            if value.tzinfo is None:
                raise ValueError("a time without a zone cannot be shown")
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case timedelta():
            return value.total_seconds()
        case UUID() | PurePath():
            return str(value)
        case bytes() | bytearray() | memoryview():
            from base64 import b64encode

            return b64encode(value).decode("ascii")
        case Mapping():
            return {str(plain(name)): plain(item) for name, item in value.items()}
        case tuple() | list() | set() | frozenset():
            return [plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {key(field.name): plain(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} cannot be shown")


def to_json(value: Plain, *, indent: int | None = None) -> str:
    """JSON in ASCII. DEL is the one control character that the encoder would let through."""
    import json

    return json.dumps(value, indent=indent, allow_nan=False).replace("\x7f", "\\u007f")


def cell(value: object) -> str:
    """`value` as a table shows it, on one line, harmless."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case Enum() if isinstance(value, int):
            return escape(value.name)
        case tuple() | list() | set() | frozenset() if not any(_has_parts(item) for item in value):
            return ", ".join(cell(item) for item in value)
        case float() if not isfinite(value):
            return ""
    simple = plain(value)
    return escape(to_json(simple) if isinstance(simple, dict | list) else str(simple))


def _has_parts(value: object) -> bool:
    return isinstance(value, Mapping | tuple | list | set | frozenset) or (is_dataclass(value) and not isinstance(value, type))


class Columns(Generic[Row]):
    """The columns of one kind of row: all that exist, and those that a table shows unless `--columns` says otherwise."""

    def __init__(self, of: type[Row], *shown: str) -> None:
        if not is_dataclass(of):
            raise TypeError(f"{of.__name__} is not a dataclass")
        self.of = of
        self.attributes = {key(field.name): field.name for field in fields(of)}
        if unknown := [name for name in shown if name not in self.attributes]:
            raise ValueError(f"{of.__name__} has no field {unknown[0]}")
        self.shown = shown or tuple(self.attributes)

    def choose(self, asked: Sequence[str] | None, output: Format) -> tuple[str, ...]:
        """Which columns, in which order: those asked for; else the ones a table shows, or all for a program."""
        if asked is None:
            return self.shown if output is Format.TABLE else tuple(self.attributes)
        if unknown := [name for name in asked if name not in self.attributes]:
            raise CommandLineError(
                f"there is no column {escape(unknown[0])!r} here.",
                hint=f"the columns are {', '.join(self.attributes)}.",
            )
        return tuple(asked)

    def pick(self, row: Row, names: Iterable[str]) -> list[object]:
        """The values of `row` in the columns `names`."""
        return [getattr(row, self.attributes[name]) for name in names]


def render(
    rows: Iterable[Row], columns: Columns[Row], output: Format, asked: Sequence[str] | None, surface: Surface = PIPE
) -> Iterator[str]:
    """`rows` as text, in pieces: all formats but the table give a piece as soon as its row is there."""
    names = columns.choose(asked, output)
    picked = (columns.pick(row, names) for row in rows)
    match output:
        case Format.TABLE:
            yield from _table(names, picked, surface)
        case Format.JSON:
            yield from _array(dict(zip(names, map(plain, values), strict=True)) for values in picked)
        case Format.NDJSON:
            for values in picked:
                yield to_json(dict(zip(names, map(plain, values), strict=True))) + "\n"
        case Format.CSV:
            yield _csv_line(names)
            for values in picked:
                yield _csv_line(values)


def _array(items: Iterable[Plain]) -> Iterator[str]:
    lead = "[\n  "
    for item in items:
        yield lead + to_json(item, indent=2).replace("\n", "\n  ")
        lead = ",\n  "
    yield "[]\n" if lead.startswith("[") else "\n]\n"


def _csv_line(values: Iterable[object]) -> str:
    import csv
    from io import StringIO

    line = StringIO()
    csv.writer(line, lineterminator="\n").writerow([_csv_value(value) for value in values])
    return line.getvalue()


def _csv_value(value: object) -> str:
    simple = plain(value)
    if simple is None:
        return ""
    return escape(simple) if isinstance(simple, str) else to_json(simple)


# Between two columns.
_GAP = "  "


def _table(names: Sequence[str], rows: Iterable[Sequence[object]], surface: Surface) -> Iterator[str]:
    """A table without lines. On a terminal a long cell is folded into its column; in a pipe every row is one line."""
    cells = [[cell(value) for value in row] for row in rows]
    if not cells:
        return
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(names, *cells, strict=True)]
    if surface.width is None or sum(widths) + len(_GAP) * (len(widths) - 1) <= surface.width:
        for row in (names, *cells):
            padded = (text + " " * (width - cell_len(text)) for text, width in zip(row, widths, strict=True))
            line = _GAP.join(padded).rstrip() + "\n"
            yield strong(line, surface) if row is names else line
        return
    yield from _folded(names, cells, surface)


def _folded(names: Sequence[str], cells: Sequence[Sequence[str]], surface: Surface) -> Iterator[str]:
    """A table that is wider than the terminal. Only this one needs the console of rich, whose import takes longer than most commands."""
    from io import StringIO

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, len(_GAP), 0, 0), header_style="bold")
    for name in names:
        table.add_column(Text(name), overflow="fold")
    for row in cells:
        # Text, not str: rich must not read markup or emoji codes into what a peer wrote.
        table.add_row(*map(Text, row))
    console = Console(
        file=StringIO(),
        width=surface.width,
        force_terminal=surface.colours,
        color_system="standard" if surface.colours else None,
        legacy_windows=False,
        _environ={},
    )
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():
        yield line.rstrip() + "\n"


def show(one: Row, columns: Columns[Row], output: Format, asked: Sequence[str] | None, surface: Surface = PIPE) -> Iterator[str]:
    """One record: an object for programs, aligned lines and headed sections for people."""
    names = columns.choose(asked, output)
    values = columns.pick(one, names)
    match output:
        case Format.TABLE:
            for line in _record(dict(zip(names, values, strict=True)), surface):
                yield line.rstrip() + "\n"
        case Format.CSV:
            yield _csv_line(names)
            yield _csv_line(values)
        case _:
            item = dict(zip(names, map(plain, values), strict=True))
            yield to_json(item, indent=2 if output is Format.JSON else None) + "\n"


def _record(parts: Mapping[str, object], surface: Surface) -> Iterator[str]:
    """Simple values first, one aligned line each; then what has parts, under a heading each. Needs no rich, so it is quick."""
    simple = {name: value for name, value in parts.items() if not _has_parts(value)}
    width = max((len(name) for name in simple), default=0)
    for name, value in simple.items():
        yield f"{strong(escape(name).ljust(width), surface)}  {cell(value)}"
    for name, value in parts.items():
        if name in simple or not value:
            continue
        yield ""
        yield strong(escape(name), surface)
        yield from _indented(_section(value, surface))


def _section(value: object, surface: Surface) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from _record({str(plain(name)): item for name, item in value.items()}, surface)
    elif isinstance(value, tuple | list | set | frozenset):
        for item in value:
            if _has_parts(item):
                first, *rest = [line for line in _section(item, surface) if line] or [""]
                yield f"- {first}"
                yield from _indented(iter(rest))
            else:
                yield f"- {cell(item)}"
    elif is_dataclass(value) and not isinstance(value, type):
        yield from _record({key(field.name): getattr(value, field.name) for field in fields(value)}, surface)


def _indented(lines: Iterator[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def strong(text: str, surface: Surface) -> str:
    """`text` as a heading, bold where the surface has colours."""
    return f"\x1b[1m{text}\x1b[0m" if surface.colours else text
