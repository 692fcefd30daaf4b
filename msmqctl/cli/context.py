"""`msmqctl context`: name connections once, and use them by name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from msmqctl.cli import config
from msmqctl.cli.ending import CommandLineError, ExistsError
from msmqctl.cli.group import Group
from msmqctl.cli.options import changes, parse_format
from msmqctl.cli.render import Columns
from msmqctl.cli.session import session
from msmqctl.cli.settings import Setting
from msmqctl.errors import ConfigError
from msmqctl.wire.dataclass import dataclass

app = typer.Typer(cls=Group, add_completion=False)


def _complete_name() -> list[str]:
    return config.names()


NewName = Annotated[str, typer.Argument(metavar="NAME", help="What to call it.")]
KnownName = Annotated[str, typer.Argument(metavar="NAME", help="Which context.", autocompletion=_complete_name)]
OptionalName = Annotated[
    str | None, typer.Argument(metavar="NAME", help="Which context; the one in use unless given.", autocompletion=_complete_name)
]


@dataclass(frozen=True, slots=True)
class ContextRow:
    """One context of the list; `problem` says why its file cannot be used."""

    name: str
    selected: bool
    host: str | float | None
    store: str | float | None
    directory: str | float | None
    problem: str | None


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that `context check` looked at."""

    check: str
    ok: bool
    found: str


CONTEXT = Columns(ContextRow, "name", "selected", "host", "store", "problem")
SETTING = Columns(Setting)
CHECK = Columns(Check)


@app.callback()
def context() -> None:
    """Name connections once, and use them by name."""


@app.command()
@changes
def add(
    ctx: typer.Context,
    name: NewName,
    host: Annotated[str | None, typer.Option(metavar="HOST", help="The queue manager to talk to.")] = None,
    directory: Annotated[str | None, typer.Option(metavar="HOST", help="The directory server.")] = None,
    user: Annotated[str | None, typer.Option(metavar="USER", help="The account to use, as DOMAIN\\user or user@domain.")] = None,
    password: Annotated[
        str | None, typer.Option(metavar="REFERENCE", help="Where the password is: env:NAME, file:PATH, prompt or keyring:NAME.")
    ] = None,
    default_output: Annotated[str | None, typer.Option(metavar="FORMAT", help="The output format to use with this context.")] = None,
    select: Annotated[bool, typer.Option("--select", help="Use it from now on.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite a context of the same name.")] = False,
) -> None:
    """Keep a connection under a name.

    The global options --store and --connect-timeout, given here, are kept in the context.

    Examples:
      msmqctl context add lab --host mq1.example.com --select
      msmqctl context add prod --user 'CORP\\admin' --password env:MQ_PASSWORD
      msmqctl context add scratch --store ./scratch.db --connect-timeout 5
    """
    with session(ctx, lenient=True) as s:
        given: dict[str, str | float | None] = {
            "store": str(s.flags.store.absolute()) if s.flags.store else None,
            "host": host,
            "directory": directory,
            "user": user,
            "password": password,
            "connect_timeout": s.flags.connect_timeout,
            "output": _format(default_output),
        }
        values = {key: config.check_value(key, value) for key, value in given.items() if value is not None}
        if config.exists(name) and not replace:
            raise ExistsError(f"there is a context {name!r} already.", hint="give --replace to overwrite it.")
        if s.proceed(f"add the context {name}", asks=False):
            config.write(name, values)
            if select:
                config.select(name)
            s.note(f"context {name} added{' and selected' if select else ''}.")


def _format(text: str | None) -> str | None:
    try:
        return text and str(parse_format(text))
    except ValueError as problem:
        raise CommandLineError(f"--default-output: {problem}.", hint="run: msmqctl context add --help") from None


@app.command("list")
def list_contexts(ctx: typer.Context) -> None:
    """List the contexts there are.

    Examples:
      msmqctl context list
      msmqctl context list -o json
    """
    with session(ctx, lenient=True) as s:
        s.render(_rows(), columns=CONTEXT)


def _rows() -> Iterator[ContextRow]:
    selected = config.selected()
    for name in config.names():
        try:
            values, problem = config.read(name).values, None
        except ConfigError as error:
            values, problem = {}, error.message
        yield ContextRow(name, name == selected, values.get("host"), values.get("store"), values.get("directory"), problem)


@app.command()
def show(ctx: typer.Context, name: OptionalName = None) -> None:
    """Show every setting, its value, and where the value comes from.

    Examples:
      msmqctl context show
      msmqctl context add lab --host mq1.example.com
      msmqctl context show lab
      MSMQCTL_CONNECT_TIMEOUT=3 msmqctl context show lab -o json
    """
    with session(ctx) as s:
        s.flags.context = name or s.flags.context
        s.render(s.settings.everything(), columns=SETTING)


@app.command()
@changes
def select(ctx: typer.Context, name: KnownName) -> None:
    """Use a context from now on.

    Examples:
      msmqctl context add lab --host mq1.example.com
      msmqctl context select lab
    """
    with session(ctx, lenient=True) as s:
        config.read(name)
        if s.proceed(f"select the context {name}", asks=False):
            config.select(name)
            s.note(f"context {name} selected.")


@app.command()
@changes
def remove(ctx: typer.Context, name: KnownName) -> None:
    """Delete a context.

    Examples:
      msmqctl context add lab --host mq1.example.com
      msmqctl context remove lab --dry-run
      msmqctl context remove lab --yes
    """
    with session(ctx, lenient=True) as s:
        if not config.exists(name):
            config.read(name)
        if s.proceed(f"remove the context {name}"):
            config.remove(name)
            s.note(f"context {name} removed.")


@app.command()
def check(ctx: typer.Context, name: OptionalName = None) -> None:
    """Check that a context can be used: its file, its password reference, its store folder.

    Examples:
      msmqctl context add lab --host mq1.example.com --password prompt
      msmqctl context check lab
      msmqctl context check missing   # exit 78
    """
    with session(ctx, lenient=True) as s:
        chosen = name or s.settings.context_name().value
        if chosen is None:
            raise ConfigError("no context is selected.", key="context", hint="run: msmqctl context check NAME")
        checks = list(_checks(str(chosen)))
        s.render(checks, columns=CHECK)
        if failed := [each.check for each in checks if not each.ok]:
            raise ConfigError(f"the context {chosen} does not stand: {', '.join(failed)}.", key="context")


def _checks(name: str) -> Iterator[Check]:
    """The file first; what it says can only be looked at when it can be read."""
    try:
        found = config.read(name)
    except ConfigError as error:
        yield Check("file", False, error.message)
        return
    yield Check("file", True, str(found.path))
    if reference := config.reference(found.values):
        yield _attempt("password", reference.check)
    if "store" in found.values:
        folder = os.path.dirname(os.path.abspath(str(found.values["store"])))
        there = os.path.isdir(folder)
        yield Check("store", there, folder if there else f"there is no folder {folder}")


def _attempt(check: str, attempt: Callable[[], str]) -> Check:
    try:
        return Check(check, True, attempt())
    except ConfigError as error:
        return Check(check, False, error.message)
