"""The nouns of the command line, and the group that loads the one that is used and no other.

To add a noun:
  1. write `msmqctl/cli/NOUN.py` with `app = typer.Typer(add_completion=False)` and one `@app.command()`, or, for a noun with verbs, with
     `app = typer.Typer(cls=Group, add_completion=False)`, an `@app.callback()` and a command a verb;
  2. add its line to NOUNS below, with the first sentence of its help;
  3. write `cheats/NOUN.md` and run `msmqctl docs man`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import copy
from importlib import import_module

import typer
from typer.core import TyperCommand, TyperOption
from typer.main import get_command
from typer.models import CommandInfo

from msmqctl import __version__
from msmqctl.cli.app import PROGRAM
from msmqctl.cli.group import Group
from msmqctl.cli.options import Flags, attach, attach_here
from msmqctl.cli.vendored_click import Command, Context, Parameter
from msmqctl.wire.dataclass import dataclass

SUMMARY = "Administer and diagnose Microsoft Message Queuing (MSMQ) from any command line."


@dataclass(frozen=True, slots=True)
class Noun:
    """Where a noun lives, and the line that `--help` shows for it without loading it."""

    module: str
    summary: str

    def load(self, name: str, words: Collection[str] | None = None) -> Command:
        """Import the noun and build its commands, global options and examples included.

        Of a command line with these `words` only the verbs among them can be meant; the others cost time and are left out.
        """
        app = import_module(self.module).app
        if not isinstance(app, typer.Typer):
            raise TypeError(f"{self.module}.app is not a Typer")
        command = get_command(app if words is None else _with_verbs_among(app, words))
        command.name = name
        attach(command)
        return command


def _with_verbs_among(app: typer.Typer, words: Collection[str]) -> typer.Typer:
    """The noun with those of its verbs that are among `words`; with all, if none is, or if somebody wants to read about them."""
    meant = [verb for verb in app.registered_commands if _verb_name(verb) in words]
    if not meant or len(app.registered_commands) == 1:
        return app
    lean = copy(app)
    lean.registered_commands = meant
    return lean


def _verb_name(verb: CommandInfo) -> str:
    """The name that Typer gives a verb."""
    return verb.name or (verb.callback.__name__.replace("_", "-") if verb.callback is not None else "")


# The order is the order of `--help`.
NOUNS: Mapping[str, Noun] = {
    "demo": Noun("msmqctl.cli.demo", "Show what msmqctl can do, on data it makes and throws away."),
    "qm": Noun("msmqctl.cli.qm", "Show and change the local queue manager, which is made on first use."),
    "serve": Noun("msmqctl.cli.serve", "Own the store and do the work of other commands, until stopped."),
    "queue": Noun("msmqctl.cli.queue", "Manage the queues of the local queue manager."),
    "message": Noun("msmqctl.cli.message", "Send, see, receive, delete and move messages."),
    "outgoing": Noun("msmqctl.cli.outgoing", "Show, pause and purge what waits for other computers."),
    "transaction": Noun("msmqctl.cli.transaction", "Show transactions that have not ended, and decide over one that is in doubt."),
    "resolve": Noun("msmqctl.cli.resolve", "Show every form of a queue name, what it implies, and what is wrong with it."),
    "decode": Noun("msmqctl.cli.decode", "Show every field of a packet or structure: offset, size, name, value, meaning."),
    "explain": Noun("msmqctl.cli.explain", "Explain a status, message class or connection status: name, causes, what to try."),
    "bench": Noun("msmqctl.cli.bench", "Measure how fast messages are stored and read on this computer."),
    "context": Noun("msmqctl.cli.context", "Name connections once, and use them by name."),
    "docs": Noun("msmqctl.cli.docs", "Write the manual pages and completions; show worked examples."),
}


class Root(Group):
    """The program itself. Listing uses the table; a noun's module is imported when the command line names it."""

    def __init__(self, nouns: Mapping[str, Noun]) -> None:
        super().__init__(
            name=PROGRAM,
            commands={name: TyperCommand(name, help=noun.summary) for name, noun in nouns.items()},
            help=SUMMARY,
            params=[_version_option()],
            context_settings={"help_option_names": ["-h", "--help"]},
        )
        self._nouns = nouns
        attach_here(self)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        """The noun that `args` begins with, loaded."""
        name, command, rest = super().resolve_command(ctx, args)
        if name is None:
            return name, command, rest
        ctx.ensure_object(Flags).noun = name
        return name, self._nouns[name].load(name, rest), rest

    def load(self, name: str) -> Command:
        """The noun `name` with all its verbs and options."""
        return self._nouns[name].load(name)


def _version_option() -> TyperOption:
    def tell(ctx: Context, param: Parameter, value: bool | None) -> None:
        if value and not ctx.resilient_parsing:
            typer.echo(f"{PROGRAM} {__version__}")
            raise typer.Exit

    return TyperOption(
        param_decls=["--version"], is_flag=True, is_eager=True, expose_value=False, callback=tell, help="Show the version and exit."
    )
