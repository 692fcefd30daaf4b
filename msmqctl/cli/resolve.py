"""`msmqctl resolve`: every form of a queue's name, what each means, and why it would fail."""

from __future__ import annotations

from typing import Annotated

import typer

from msmqctl.cli.session import session

app = typer.Typer()


@app.command()
def resolve(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Any path name or format name; a bare word is a local private queue.")],
) -> None:
    """Show every form of a queue name, the transport it implies, and what is wrong with it.

    Asks no directory and no network: all of it follows from the name.

    Examples:
      msmqctl resolve orders
      msmqctl resolve 'DIRECT=TCP:10.0.0.1\\private$\\orders'
      msmqctl resolve 'DIRECT=HTTP://shop.example.com/msmq/private$/orders' -o json
      msmqctl resolve 'DIRECT=FTP:host\\orders'  # exit 2
    """
    from msmqctl.ops import resolve as names

    with session(ctx) as s:
        s.show(names.resolve(name))
