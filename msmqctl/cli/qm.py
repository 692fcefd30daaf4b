"""`msmqctl qm`: the local queue manager."""

from __future__ import annotations

from typing import Annotated

import typer

from msmqctl.cli.ending import CommandLineError
from msmqctl.cli.group import Group
from msmqctl.cli.options import changes
from msmqctl.cli.quota import read_kilobytes
from msmqctl.cli.render import Columns
from msmqctl.cli.session import session
from msmqctl.ops import manager
from msmqctl.ops.local import local_manager
from msmqctl.ops.manager import UNLIMITED, Flushed, ManagerDetails

app = typer.Typer(cls=Group, add_completion=False)

MANAGER = Columns(ManagerDetails)
FLUSHED = Columns(Flushed)


@app.callback()
def qm() -> None:
    """Show and change the local queue manager, which is made on first use."""


@app.command()
def show(ctx: typer.Context) -> None:
    """Show who the queue manager is, where it keeps its queues, and how much is in them.

    Examples:
      msmqctl qm show
      msmqctl qm show --columns identifier,store -o csv
      msmqctl qm show --store ./other.db -o json
    """
    with session(ctx) as s, local_manager(s.settings.store) as ask:
        s.show(ask(manager.show_manager), columns=MANAGER)


@app.command("set")
@changes
def set_manager(
    ctx: typer.Context,
    quota: Annotated[str | None, typer.Option(metavar="KB", help="How much all queues together may hold, or none for any amount.")] = None,
    journal_quota: Annotated[
        str | None, typer.Option(metavar="KB", help="How much the journal of sent messages may hold, or none for any amount.")
    ] = None,
) -> None:
    """Change the quotas of the queue manager; what is not named stays as it is.

    Examples:
      msmqctl qm set --quota 2097152
      msmqctl qm set --quota none --journal-quota 10240 -o json
      msmqctl qm set --quota 1024 --dry-run
    """
    with session(ctx) as s:
        wanted = [name for name, said in (("quota", quota), ("journal quota", journal_quota)) if said is not None]
        if not wanted:
            raise CommandLineError("nothing is to be changed.", hint="run: msmqctl qm set --help")
        limits = _limit(quota), _limit(journal_quota)
        with local_manager(s.settings.store) as ask:
            changed = ask(manager.set_manager, quota_kb=limits[0], journal_quota_kb=limits[1], rehearse=s.dry_run)
        if s.proceed(f"set {' and '.join(wanted)} of the queue manager", asks=False):
            s.tell(changed, MANAGER, f"{' and '.join(wanted)} of the queue manager changed.")


def _limit(said: str | None) -> int | None:
    """What `ops` takes: None for what was not said, the greatest number for no limit."""
    if said is None:
        return None
    limit = read_kilobytes(said)
    return UNLIMITED if limit is None else limit


@app.command()
def flush(ctx: typer.Context) -> None:
    """Force everything that was stored to the disk, and into the one file of the store.

    Recoverable messages are on the disk before their sender hears of it. Express ones are stored without waiting for the disk:
    after this they are there as well. What stood in the log beside the file is in the file, which can be copied then.

    Examples:
      msmqctl qm flush
      msmqctl qm flush -o json
    """
    with session(ctx) as s, local_manager(s.settings.store) as ask:
        flushed = ask(manager.flush_manager)
        s.tell(flushed, FLUSHED, f"all is on the disk: {flushed.bytes} octets went from the log into {flushed.store}.")


@app.command()
@changes
def connect(ctx: typer.Context) -> None:
    """Bring the queue manager online: it exchanges messages with others again.

    Examples:
      msmqctl qm disconnect
      msmqctl qm connect
      msmqctl qm show --columns connected -o csv
    """
    with session(ctx) as s:
        if s.proceed("bring the queue manager online", asks=False):
            with local_manager(s.settings.store) as ask:
                s.tell(ask(manager.connect_manager), MANAGER, "the queue manager is online.")


@app.command()
@changes
def disconnect(ctx: typer.Context) -> None:
    """Take the queue manager offline: it exchanges no messages with others until it is connected again.

    Local queues work as before, and what is sent elsewhere waits in outgoing queues.

    Examples:
      msmqctl qm disconnect
      msmqctl qm disconnect --dry-run
      msmqctl qm show --columns connected
    """
    with session(ctx) as s:
        if s.proceed("take the queue manager offline", asks=False):
            with local_manager(s.settings.store) as ask:
                s.tell(ask(manager.disconnect_manager), MANAGER, "the queue manager is offline.")
