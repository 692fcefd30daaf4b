"""A single command: shows the settings that reached it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from msmqctl.cli.session import session

app = typer.Typer(add_completion=False)


@dataclass(frozen=True)
class Told:
    """What reached the command."""

    word: str
    store: str
    connect_timeout: float
    dry_run: bool
    quiet: bool


@app.command()
def echo(ctx: typer.Context, word: Annotated[str, typer.Argument()] = "") -> None:
    """Print what it was told.

    Examples:
      msmqctl echo hello
    """
    with session(ctx) as s:
        s.note("a note")
        s.show(Told(word, str(s.settings.store), s.settings.connect_timeout, s.dry_run, s.flags.quiet))
