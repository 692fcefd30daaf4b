"""`msmqctl qm`: the local queue manager."""

from __future__ import annotations

import typer

from msmqctl.cli.group import Group
from msmqctl.cli.render import Columns
from msmqctl.cli.session import session
from msmqctl.ops import queues
from msmqctl.ops.local import local_manager
from msmqctl.ops.queue_rows import ManagerDetails

app = typer.Typer(cls=Group, add_completion=False)

MANAGER = Columns(ManagerDetails)


@app.callback()
def qm() -> None:
    """Show the local queue manager, which is made on first use."""


@app.command()
def show(ctx: typer.Context) -> None:
    """Show who the queue manager is, where it keeps its queues, and how much is in them.

    Examples:
      msmqctl qm show
      msmqctl qm show --columns identifier,store -o csv
      msmqctl qm show --store ./other.db -o json
    """
    with session(ctx) as s, local_manager(s.settings.store) as ask:
        s.show(ask(queues.show_manager), columns=MANAGER)
