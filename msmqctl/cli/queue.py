"""`msmqctl queue`: the queues of the local queue manager."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, cast
from uuid import UUID

import typer

from msmqctl.cli.ending import CommandLineError
from msmqctl.cli.group import Group
from msmqctl.cli.options import changes
from msmqctl.cli.quota import NONE, read_kilobytes
from msmqctl.cli.render import Columns, escape
from msmqctl.cli.session import Session, session
from msmqctl.ops import queues
from msmqctl.ops.local import local_manager
from msmqctl.ops.queue_rows import Privacy, QueueDetails, QueueRow, Removed
from msmqctl.ops.queues import QueueOptions
from msmqctl.wire.names import MulticastName, parse_format_name

app = typer.Typer(cls=Group, add_completion=False)

LIST = Columns(QueueRow, "name", "messages", "bytes", "journal_messages", "transactional", "quota_kb", "label")
DETAILS = Columns(QueueDetails)
REMOVED = Columns(Removed)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Any name of a local queue; a bare word is a private queue.")]
Label = Annotated[str | None, typer.Option(metavar="TEXT", help="What the queue is for, at most 124 characters.")]
Transactional = Annotated[
    bool | None, typer.Option("--transactional", help="Take messages in transactions only; this cannot be changed later.")
]
Journal = Annotated[bool | None, typer.Option("--journal/--no-journal", help="Keep a copy of every message that is received.")]
JournalQuota = Annotated[str | None, typer.Option(metavar="KB", help="How much the journal may hold, or none for any amount.")]
Quota = Annotated[str | None, typer.Option(metavar="KB", help="How much the queue may hold, or none for any amount.")]
Authenticate = Annotated[bool | None, typer.Option("--authenticate/--no-authenticate", help="Take only messages with a valid signature.")]
PrivacyLevel = Annotated[
    Privacy | None, typer.Option("--privacy", help="Take only plain messages (none), only encrypted ones (body), or both (optional).")
]
Multicast = Annotated[str | None, typer.Option(metavar="ADDRESS:PORT", help="Listen to this multicast group, or to none.")]
Priority = Annotated[int | None, typer.Option(metavar="N", help="Whose messages go first on the way here, from -32768 to 32767.")]
TypeGuid = Annotated[str | None, typer.Option("--type", metavar="GUID", help="The kind of service, for applications that look for it.")]


@app.callback()
def queue() -> None:
    """Manage the queues of the local queue manager."""


@app.command("list")
def list_queues(
    ctx: typer.Context,
    system: Annotated[bool, typer.Option("--system", help="Show dead-letter queues and others that every queue manager has, too.")] = False,
) -> None:
    """List the queues and how much is in them.

    Examples:
      msmqctl queue list
      msmqctl queue list --system -o json
      msmqctl queue list --columns name,messages,label -o csv
    """
    with session(ctx) as s, local_manager(_store(s)) as ask:
        s.render(ask(queues.list_queues, system=system), columns=LIST)


@app.command()
@changes
def create(
    ctx: typer.Context,
    name: Name,
    label: Label = None,
    transactional: Transactional = None,
    journal: Journal = None,
    journal_quota: JournalQuota = None,
    quota: Quota = None,
    authenticate: Authenticate = None,
    privacy: PrivacyLevel = None,
    multicast: Multicast = None,
    priority: Priority = None,
    type_: TypeGuid = None,
) -> None:
    """Make a private queue, or a subqueue of one.

    Examples:
      msmqctl queue create orders --label 'Orders of the shop' --transactional
      msmqctl queue create '.\\private$\\audit' --journal --quota 2048 -o json
      msmqctl queue create 'orders;retry'
      msmqctl queue create orders   # exit 73
    """
    with session(ctx) as s, local_manager(_store(s)) as ask:
        wanted = _options(
            label=label, transactional=transactional, journal=journal, journal_quota_kb=journal_quota, quota_kb=quota,
            authenticate=authenticate, privacy=privacy, multicast=multicast, priority=priority, type=type_,
        )  # fmt: skip
        # A dry run is a rehearsal, so that it refuses what the real run would refuse.
        made = ask(queues.create_queue, name, wanted, rehearse=s.dry_run)
        if s.proceed(f"create the queue {made.name}", asks=False):
            s.tell(made, DETAILS, f"queue {made.name} created.")


@app.command()
def show(ctx: typer.Context, name: Name) -> None:
    """Show everything about a queue: totals, properties, format names, security, subqueues.

    Examples:
      msmqctl queue create orders
      msmqctl queue show orders
      msmqctl queue show '.\\private$\\orders;journal' --columns messages,bytes
      msmqctl queue show '.\\SYSTEM$;DEADLETTER' -o json
      msmqctl queue show missing   # exit 66
    """
    with session(ctx) as s, local_manager(_store(s)) as ask:
        s.show(ask(queues.show_queue, name), columns=DETAILS)


@app.command("set")
@changes
def set_queue(
    ctx: typer.Context,
    name: Name,
    label: Label = None,
    journal: Journal = None,
    journal_quota: JournalQuota = None,
    quota: Quota = None,
    authenticate: Authenticate = None,
    privacy: PrivacyLevel = None,
    multicast: Multicast = None,
    priority: Priority = None,
    type_: TypeGuid = None,
) -> None:
    """Change properties of a queue; what is not named stays as it is.

    Examples:
      msmqctl queue create orders --quota 1024
      msmqctl queue set orders --label 'Orders of the shop' --journal
      msmqctl queue set orders --quota none --dry-run
      msmqctl queue set orders --privacy body --no-journal -o json
    """
    with session(ctx) as s:
        wanted = _options(
            label=label, journal=journal, journal_quota_kb=journal_quota, quota_kb=quota, authenticate=authenticate,
            privacy=privacy, multicast=multicast, priority=priority, type=type_,
        )  # fmt: skip
        if not wanted:
            raise CommandLineError("nothing is to be changed.", hint="run: msmqctl queue set --help")
        with local_manager(_store(s)) as ask:
            changed = ask(queues.set_queue, name, wanted, rehearse=s.dry_run)
            if s.proceed(f"set {', '.join(wanted)} of the queue {changed.name}", asks=False):
                s.tell(changed, DETAILS, f"queue {changed.name} changed.")


@app.command()
@changes
def delete(ctx: typer.Context, name: Name) -> None:
    """Delete a queue with its messages, its journal and its subqueues.

    Examples:
      msmqctl queue create orders
      msmqctl queue delete orders --dry-run
      msmqctl queue delete orders --yes
      msmqctl queue delete orders --yes   # exit 66
    """
    with session(ctx) as s, local_manager(_store(s)) as ask:
        found = ask(queues.deletable_queue, name)
        held = found.messages + found.journal_messages + sum(each.messages for each in found.subqueues)
        if s.proceed(f"delete the queue {found.name} with {_count(held)}"):
            gone = ask(queues.delete_queue, name)
            s.tell(gone, REMOVED, f"queue {gone.name} deleted with {_count(gone.messages)}.")


@app.command()
@changes
def purge(ctx: typer.Context, name: Name) -> None:
    """Delete all messages of a queue, or of a journal or subqueue that is named.

    Examples:
      msmqctl queue create orders
      msmqctl queue purge orders --dry-run
      msmqctl queue purge orders --yes
      msmqctl queue purge 'orders;journal' --yes -o json
    """
    with session(ctx) as s, local_manager(_store(s)) as ask:
        found = ask(queues.show_queue, name)
        if s.proceed(f"delete {_count(found.messages)} from the queue {found.name}"):
            gone = ask(queues.purge_queue, name)
            s.tell(gone, REMOVED, f"{_count(gone.messages)} deleted from the queue {gone.name}.")


# ---- what the verbs share


def _store(s: Session) -> Path:
    """The store to work on. Where there is none yet, `--dry-run` tries it in memory and leaves none."""
    store = s.settings.store
    return Path(":memory:") if s.dry_run and not os.path.lexists(store) else store


def _count(messages: int) -> str:
    return {0: "no messages", 1: "1 message"}.get(messages, f"{messages} messages")


# ---- options that are more than a word


def _options(**given: object) -> QueueOptions:
    """What the command line said, in the types that `ops` takes."""
    said = {name: _READERS[name](value) if name in _READERS else value for name, value in given.items() if value is not None}
    return cast("QueueOptions", said)


def _read_multicast(text: str) -> MulticastName | None:
    if text.lower() == NONE:
        return None
    name = parse_format_name(f"MULTICAST={text}")
    if not isinstance(name, MulticastName):
        raise CommandLineError(f"{escape(text)!r} is more than one address.", hint="write it like 239.1.2.3:8001.")
    return name


def _read_guid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        hint = "write it like 5e1fa5e0-0c0d-4e5e-9a9b-0123456789ab."
        raise CommandLineError(f"--type: {escape(text)!r} is not a GUID.", hint=hint) from None


_READERS: Mapping[str, Callable[[Any], object]] = {
    "quota_kb": read_kilobytes,
    "journal_quota_kb": read_kilobytes,
    "multicast": _read_multicast,
    "type": _read_guid,
}
