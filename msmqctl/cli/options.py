"""The options that every command takes, before the noun, after the verb or between: declared once, attached to the built tree.

A value goes into the `Flags` of the running program as it is read, from the left to the right, so the last one given
wins wherever it stands. `--yes` and `--dry-run` are attached only where a command is marked with `@changes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import typer
from typer.core import TyperGroup, TyperOption

from msmqctl.cli.render import Format
from msmqctl.cli.vendored_click import Command, Context, Parameter
from msmqctl.wire.dataclass import dataclass

PANEL = "Global options"

# The mark that `changes` leaves on a function; Typer copies a function's attributes to the callback it builds.
_CHANGES = "msmqctl_changes"

CommandFunction = TypeVar("CommandFunction", bound=Callable[..., None])


def changes(function: CommandFunction) -> CommandFunction:
    """Mark a command that changes something: it takes `--yes` and `--dry-run`. Stands below `@app.command()`."""
    setattr(function, _CHANGES, True)
    return function


@dataclass(slots=True)
class Flags:
    """What the command line said, and None or False where it said nothing."""

    context: str | None = None
    store: Path | None = None
    output: Format | None = None
    columns: tuple[str, ...] | None = None
    connect_timeout: float | None = None
    debug: bool = False
    quiet: bool = False
    yes: bool = False
    dry_run: bool = False
    noun: str | None = None


def parse_format(text: str) -> Format:
    """The output format called `text`; ValueError names the four there are."""
    try:
        return Format(text.lower())
    except ValueError:
        raise ValueError(f"{text!r} is not one of {', '.join(Format)}") from None


def parse_columns(text: str) -> tuple[str, ...]:
    """Names separated by commas."""
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise ValueError(f"{text!r} has an empty name between its commas")
    return names


def parse_seconds(text: str) -> float:
    """A number of seconds above zero."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not (isfinite(seconds) and seconds > 0):
        raise ValueError(f"{text!r} is not a number of seconds above zero")
    return seconds


@dataclass(frozen=True, slots=True)
class GlobalOption:
    """One global option; `parse` is None for a switch, and raises ValueError with the reason otherwise."""

    spellings: tuple[str, ...]
    help: str
    metavar: str | None = None
    parse: Callable[[str], Any] | None = None
    complete: Callable[[], Sequence[str]] | None = None

    @property
    def name(self) -> str:
        """The field of `Flags` that it sets."""
        return self.spellings[-1].removeprefix("--").replace("-", "_")

    def build(self) -> TyperOption:
        """The option as Typer knows it."""

        def remember(ctx: Context, param: Parameter, value: Any) -> None:
            if value is None or ctx.resilient_parsing:
                return
            try:
                setattr(ctx.ensure_object(Flags), self.name, self.parse(value) if self.parse else value)
            except ValueError as problem:
                raise typer.BadParameter(f"{problem}.", ctx=ctx, param=param) from None

        def suggest(ctx: Context, args: list[str], incomplete: str) -> list[str]:
            return list(self.complete()) if self.complete else []

        return TyperOption(
            param_decls=list(self.spellings),
            help=self.help,
            metavar=self.metavar,
            type=str if self.parse else None,
            is_flag=self.parse is None,
            callback=remember,
            autocompletion=suggest if self.complete else None,
            expose_value=False,
            rich_help_panel=PANEL,
        )


def _context_names() -> Sequence[str]:
    from msmqctl.cli import config

    return config.names()


GLOBAL_OPTIONS = (
    GlobalOption(("--context",), "Use this context instead of the selected one.", "NAME", str, _context_names),
    GlobalOption(("--store",), "Use this store file.", "PATH", Path),
    GlobalOption(("-o", "--output"), "How to print data.", "|".join(Format), parse_format, lambda: list(Format)),
    GlobalOption(("--columns",), "Print these columns, in this order.", "A,B", parse_columns),
    GlobalOption(("--connect-timeout",), "How long to wait for a connection.", "SECONDS", parse_seconds),
    GlobalOption(("--debug",), "Show the trace of an error."),
    GlobalOption(("-q", "--quiet"), "Print data and errors, and nothing else."),
)
CHANGE_OPTIONS = (
    GlobalOption(("--yes",), "Do not ask before changing something."),
    GlobalOption(("--dry-run",), "Say what would be changed, and change nothing."),
)


def attach(command: Command) -> None:
    """Give `command`, and everything below it, the global options."""
    for each in walk(command):
        attach_here(each)


def attach_here(command: Command) -> None:
    """Give `command` the global options, and nothing below it."""
    added = [option.build() for option in (*GLOBAL_OPTIONS, *(CHANGE_OPTIONS if changes_something(command) else ()))]
    taken = {spelling for param in command.params for spelling in (*param.opts, *param.secondary_opts)}
    if clash := taken.intersection(spelling for option in added for spelling in option.opts):
        raise ValueError(f"{command.name} declares {', '.join(sorted(clash))}, which every command has already")
    command.params = [*command.params, *added]


def walk(command: Command) -> Iterator[Command]:
    """`command` and everything below it."""
    yield command
    if isinstance(command, TyperGroup):
        for below in command.commands.values():
            yield from walk(below)


def changes_something(command: Command) -> bool:
    """Whether the command is marked with `@changes`."""
    return bool(getattr(command.callback, _CHANGES, False))


def glance(words: Sequence[str]) -> Flags:
    """What a command line that the parser refused seems to say about its noun, its output format and `--debug`.

    Needed because the parser stops at the first mistake, and an error must be shown the way the rest of the line asks for.
    """
    with_value = {spelling for option in GLOBAL_OPTIONS if option.parse for spelling in option.spellings}
    flags = Flags()
    rest = iter(words)
    for word in rest:
        if word == "--":
            break
        name, equals, value = word.partition("=")
        if name.startswith("-o") and len(name) > 2:
            name, equals, value = "-o", "=", word[2:]
        if name in with_value and not equals:
            value = next(rest, "")
        if name in ("-o", "--output") and value in tuple(Format):
            flags.output = Format(value)
        elif name == "--debug":
            flags.debug = True
        elif not name.startswith("-") and flags.noun is None:
            flags.noun = word
    return flags
