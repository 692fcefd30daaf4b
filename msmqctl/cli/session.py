"""What a command works with: its settings and its streams. Data goes to standard output, everything else to standard error.

@app.command()
def peek(ctx: typer.Context, queue: QueueName) -> None:
    with session(ctx) as s:
        s.render(messages.peek(queue), columns=MESSAGE)
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TextIO, TypeVar

import typer

from msmqctl.cli import render
from msmqctl.cli.ending import CommandLineError, Declined
from msmqctl.cli.options import Flags
from msmqctl.cli.render import Columns, Format, Surface, escape
from msmqctl.cli.settings import Settings
from msmqctl.errors import DecodeError, InputError, StoreError
from msmqctl.wire.dataclass import dataclass

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a `--dry-run` answers."""

    would: str


def surface_of(stream: TextIO) -> Surface:
    """What a stream leads to. Colours need a terminal that knows them and a user who has not set NO_COLOR."""
    if not stream.isatty():
        return render.PIPE
    colours = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and (os.name != "nt" or "WT_SESSION" in os.environ)
    return Surface(width=shutil.get_terminal_size().columns, colours=colours)


class Session:
    """One run of one command."""

    def __init__(self, flags: Flags, *, lenient: bool = False) -> None:
        self.flags = flags
        self.settings = Settings(flags, lenient=lenient)
        self._stdin = sys.stdin
        self._stdout = sys.stdout
        self._stderr = sys.stderr

    @cached_property
    def output(self) -> Format:
        """How to print data."""
        return self.settings.output

    @property
    def dry_run(self) -> bool:
        """Whether to change nothing and say what would be changed."""
        return self.flags.dry_run

    def render(self, rows: Iterable[Row], *, columns: Columns[Row]) -> None:
        """Print rows as they come (a table when they have all come); say so on standard error when there were none."""
        count = 0

        def counted() -> Iterator[Row]:
            nonlocal count
            for count, row in enumerate(rows, start=1):  # noqa: B007 - the count is what is wanted
                yield row

        self._print(render.render(counted(), columns, self.output, self.flags.columns, surface_of(self._stdout)))
        if not count:
            self.note("nothing there.")

    def show(self, one: Row, *, columns: Columns[Row] | None = None, text: str | None = None) -> None:
        """Print one record; `text`, if given, is how a person sees it when no columns are picked."""
        if text is not None and self.output is Format.TABLE and self.flags.columns is None:
            self._print([text if text.endswith("\n") else f"{text}\n"])
            return
        kind = columns or Columns(type(one))
        self._print(render.show(one, kind, self.output, self.flags.columns, surface_of(self._stdout)))

    def heading(self, text: str) -> None:
        """A line above a table or a record, for people; programs see the data alone."""
        if self.output is Format.TABLE:
            self._print([f"{render.strong(escape(text), surface_of(self._stdout))}\n"])

    def separate(self) -> None:
        """An empty line between two tables or records, for people."""
        if self.output is Format.TABLE:
            self._print(["\n"])

    def note(self, text: str) -> None:
        """A sentence beside the data. Silent with `-q`, and when a program reads: then standard error has errors only."""
        if not self.flags.quiet and not self.output.for_programs:
            self._stderr.write(f"{escape(text)}\n")

    def tell(self, row: Row, columns: Columns[Row], sentence: str) -> None:
        """What was done: a sentence beside the data for people, the row for programs and for those who pick columns."""
        if self.output is Format.TABLE and self.flags.columns is None:
            self.note(sentence)
        else:
            self.show(row, columns=columns)

    def confirm(self, question: str) -> None:
        """Ask before something is destroyed, unless `--yes`; return when the user agrees."""
        if self.flags.yes:
            return
        if not (self._stdin.isatty() and self._stderr.isatty()):
            raise CommandLineError(f"{escape(question)} There is no terminal to ask on.", hint="give --yes to agree beforehand.")
        self._stderr.write(f"{escape(question)} [y/N] ")
        self._stderr.flush()
        if self._stdin.readline().strip().lower() not in ("y", "yes"):
            raise Declined("nothing was changed.")

    def proceed(self, deed: str, *, asks: bool = True) -> bool:
        """Whether to do `deed` ("remove the context lab") now: no under `--dry-run`, which prints it; else after asking, if it `asks`."""
        if self.dry_run:
            self.show(Plan(deed), text=f"would {escape(deed)}")
            return False
        if asks:
            self.confirm(f"{deed[:1].upper()}{deed[1:]}?")
        return True

    @contextmanager
    def progress(self, label: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
        """A bar on standard error while something takes long; call what it gives with each step done. Only a terminal sees it."""
        if self.flags.quiet or self.output.for_programs or not self._stderr.isatty():
            yield lambda steps: None
            return
        from rich.console import Console
        from rich.progress import Progress
        from rich.text import Text

        console = Console(file=self._stderr, no_color=not surface_of(self._stderr).colours)
        with Progress(console=console, transient=True) as bar:
            task = bar.add_task(Text(escape(label)).markup, total=total)
            yield lambda steps: bar.advance(task, steps)

    def read_bytes(self, source: str, *, limit: int | None = None) -> bytes:
        """The content of a file the user named, or of standard input for `-`; more than `limit` bytes is refused."""
        size = -1 if limit is None else limit + 1
        try:
            if source == "-":
                data = self._stdin.buffer.read(size)
            else:
                with open(source, "rb") as file:
                    data = file.read(size)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise InputError(f"{escape(source)}: cannot be read ({reason}).", path=source, hint="check the path and its rights.") from error
        if limit is not None and len(data) > limit:
            raise DecodeError(f"the input has more than {limit} bytes", where=escape(source), offset=limit)
        return data

    def flush(self) -> None:
        """Push out what is buffered, so that a full disk or a closed pipe is noticed while we can still say so."""
        with _output_faults():
            self._stdout.flush()

    def _print(self, pieces: Iterable[str]) -> None:
        """The only place that writes data. NDJSON is flushed line by line: someone may be waiting for each."""
        eager = self.output is Format.NDJSON
        for piece in pieces:
            with _output_faults():
                self._stdout.write(piece)
                if eager:
                    self._stdout.flush()


@contextmanager
def _output_faults() -> Iterator[None]:
    """A full disk is a fault to report; a reader that has seen enough (`head`) is not, and passes through."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StoreError(f"the output cannot be written ({error.strerror}).", path="standard output") from error


@contextmanager
def session(ctx: typer.Context, *, lenient: bool = False) -> Iterator[Session]:
    """The session of the running command. `lenient` is for commands that must work with a broken context, to repair it."""
    current = Session(ctx.ensure_object(Flags), lenient=lenient)
    yield current
    current.flush()
