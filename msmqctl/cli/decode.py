"""`msmqctl decode`: bytes to fields, up to the fault if there is one."""

from __future__ import annotations

from enum import IntEnum
from os.path import exists
from typing import Annotated

import typer

from msmqctl.cli.ending import CommandLineError
from msmqctl.cli.render import Columns, Format, cell
from msmqctl.cli.session import Session, session
from msmqctl.errors import DecodeError
from msmqctl.ops import decode as octets
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.record import Bits

app = typer.Typer(add_completion=False)

# A capture of a busy hour; a whole file is held in memory, so there is an end to it.
MAX_INPUT = 256 * 1024 * 1024

_SHOWN_OCTETS = 16


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field as people read it: the offset in hexadecimal, long values cut."""

    offset: str
    size: int
    field: str
    value: str
    meaning: str | None


FIELD = Columns(octets.FieldRow)
SHOWN_FIELD = Columns(ShownField)


def _kind(text: str) -> octets.Kind:
    try:
        return octets.Kind(text.lower())
    except ValueError:
        raise typer.BadParameter(f"{text!r} is none of {', '.join(octets.Kind)}.") from None


@app.command()
def decode(
    ctx: typer.Context,
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="A file, - for standard input, or, with --hex, the digits themselves.")
    ] = "-",
    as_hex: Annotated[bool, typer.Option("--hex", help="The input is hexadecimal text. (A file of nothing else is recognised.)")] = False,
    kind: Annotated[
        octets.Kind | None, typer.Option("--as", metavar="KIND", parser=_kind, help=f"What the octets are: {', '.join(octets.Kind)}.")
    ] = None,
) -> None:
    """Show every field of a packet or structure: offset, size, name, value, meaning.

    Finds out what the octets are: packets of a session one after the other, pings, security descriptors, SIDs, key and
    certificate blobs. What is cut off or lies is shown up to the fault, then the fault. With -o json the whole tree is given.

    Examples:
      msmqctl decode --hex 017d485504000000d1587355509195954997b6e611ea26c6
      msmqctl decode --hex '01 01 00 00 00 00 00 05 12 00 00 00' --as sid
      echo 010100000000000512000000 | msmqctl decode - -o json
      msmqctl decode --hex 10000000  # exit 65
    """
    with session(ctx) as s:
        decoding = octets.decode(_octets(s, source, as_hex=as_hex), kind)
        if s.output is Format.JSON and s.flags.columns is None:
            s.show(decoding)
        elif s.output is Format.TABLE and s.flags.columns is None:
            _tables(s, decoding)
        else:
            s.render(octets.rows(decoding), columns=FIELD)
        if decoding.error is not None:
            raise decoding.error


def _octets(s: Session, source: str, *, as_hex: bool) -> bytes:
    """The octets to decode, from wherever the command line says."""
    digits = octets.hex_octets(source) if as_hex and source != "-" and not exists(source) else None
    if digits is not None:
        return digits
    data = s.read_bytes(source, limit=MAX_INPUT)
    if not data:
        raise DecodeError("the input is empty", where=source, offset=0)
    text = data.decode("ascii", "replace") if as_hex or _all_text(data) else ""
    spelt = octets.hex_octets(text)
    if as_hex and spelt is None:
        raise CommandLineError("the input is not hexadecimal text.", hint="leave --hex away for a file of octets.")
    return data if spelt is None else spelt


def _all_text(data: bytes) -> bool:
    return data.isascii() and not any(octet < 9 for octet in data[:64])


def _tables(s: Session, decoding: octets.Decoding) -> None:
    """A heading and a table for each packet or structure of the input."""
    for index, item in enumerate(decoding.items):
        if index:
            s.separate()
        s.heading(f"{item.kind}, {item.size} octets at 0x{item.offset:04x}")
        part = octets.Decoding(decoding.kind, decoding.size, (item,))
        s.render((_readable(row) for row in octets.rows(part)), columns=SHOWN_FIELD)
        for sentence in item.irregularities:
            s.note(f"irregular: {sentence}")


def _readable(row: octets.FieldRow) -> ShownField:
    return ShownField(f"0x{row.offset:04x}", row.size, row.field, _short(row.value), row.meaning)


def _short(value: object) -> str:
    """A value that leaves its name to the column beside it: numbers from a table and words of bits in hexadecimal."""
    match value:
        case bytes():
            more = f" … ({len(value)} octets)" if len(value) > _SHOWN_OCTETS else ""
            return value[:_SHOWN_OCTETS].hex(" ") + more
        case Bits() | IntEnum():
            return f"0x{int(value):X}"
        case str():
            return cell(value.removesuffix("\0"))
    return cell(value)
