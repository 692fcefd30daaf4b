"""`msmqctl resolve`: every form of a queue's name, what each means, and why it would fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeVar

import typer

from msmqctl.cli.render import Columns, Format
from msmqctl.cli.session import Session, session
from msmqctl.ops import resolve as names

app = typer.Typer(add_completion=False)

Row = TypeVar("Row")

SUMMARY = Columns(names.Resolution, "name", "kind", "needs_directory", "can_send", "can_receive")
FORM = Columns(names.Form)
TRANSPORT = Columns(names.Transport)
PROBLEM = Columns(names.Problem)


@app.command()
def resolve(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Any path name or format name; a bare word is a local private queue.")],
) -> None:
    """Show every form of a queue name, what it implies, and what is wrong with it.

    Asks no directory and no network: all of it follows from the name.

    Examples:
      msmqctl resolve orders
      msmqctl resolve 'DIRECT=TCP:10.0.0.1\\private$\\orders'
      msmqctl resolve 'DIRECT=HTTP://shop.example/msmq/private$/orders' -o json
      msmqctl resolve 'DIRECT=FTP:host\\orders'  # exit 2
    """
    with session(ctx) as s:
        found = names.resolve(name)
        if s.output is not Format.TABLE or s.flags.columns is not None:
            s.show(found)
            return
        s.show(found, columns=SUMMARY)
        _section(s, "Forms", found.forms, FORM)
        _section(s, "Transport", found.transports, TRANSPORT)
        _section(s, "Problems", found.problems, PROBLEM)


def _section(s: Session, heading: str, rows: Sequence[Row], columns: Columns[Row]) -> None:
    """A headed table, where there is something to put into it."""
    if rows:
        s.separate()
        s.heading(heading)
        s.render(rows, columns=columns)
