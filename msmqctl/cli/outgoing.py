"""`msmqctl outgoing`: what waits here for queues of other computers."""

from __future__ import annotations

from typing import Annotated

import typer

from msmqctl.cli.group import Group
from msmqctl.cli.options import changes
from msmqctl.cli.render import Columns, Format
from msmqctl.cli.session import session
from msmqctl.ops import outgoing as queues
from msmqctl.ops.local import local_manager
from msmqctl.ops.message_row import MessageRow
from msmqctl.ops.outgoing import OutgoingDetails, OutgoingPurged, OutgoingRow

app = typer.Typer(cls=Group, add_completion=False)

LIST = Columns(OutgoingRow, "destination", "state", "messages", "bytes", "unsent", "unacknowledged", "unprocessed", "oldest")
DETAILS = Columns(OutgoingDetails)
MESSAGES = Columns(MessageRow, "lookup_id", "priority", "label", "sent", "recoverable", "size")
PURGED = Columns(OutgoingPurged)
_SHOWN = 20

Destination = Annotated[str, typer.Argument(metavar="DESTINATION", help="Any name of the far queue; `outgoing list` shows them.")]


@app.callback()
def outgoing() -> None:
    """Show, pause and purge what waits for other computers."""


@app.command("list")
def list_outgoing(ctx: typer.Context) -> None:
    """List the outgoing queues: state, messages, and how many were not sent, not acknowledged, not received yet.

    Examples:
      msmqctl outgoing list
      msmqctl message send 'DIRECT=OS:far\\private$\\orders' --body x
      msmqctl outgoing list --columns destination,state,unsent -o csv
    """
    with session(ctx) as s, local_manager(s.settings.store) as ask:
        s.render(ask(queues.list_outgoing), columns=LIST)


@app.command()
def show(
    ctx: typer.Context,
    destination: Destination,
    messages: Annotated[int | None, typer.Option(metavar="N", min=1, help="List up to N messages, and nothing else.")] = None,
) -> None:
    """Show everything about an outgoing queue, and the first messages in it.

    Programs get the queue, or with --messages the messages that wait in it.

    Examples:
      msmqctl message send 'DIRECT=OS:far\\private$\\orders' --body x --label hello
      msmqctl outgoing show 'DIRECT=OS:far\\private$\\orders'
      msmqctl outgoing show 'far\\private$\\orders' --messages 100 -o ndjson
      msmqctl outgoing show 'DIRECT=OS:near\\private$\\orders'   # exit 66
    """
    with session(ctx) as s, local_manager(s.settings.store) as ask:
        if messages is not None:
            s.render(ask(queues.peek_outgoing, destination, count=messages), columns=MESSAGES)
            return
        found = ask(queues.show_outgoing, destination)
        s.show(found, columns=DETAILS)
        if s.output is Format.TABLE and s.flags.columns is None and found.messages:
            s.separate()
            s.render(ask(queues.peek_outgoing, destination, count=_SHOWN), columns=MESSAGES)
            if found.messages > _SHOWN:
                s.note(f"{found.messages - _SHOWN} more; give --messages {found.messages} to see them all.")


@app.command()
@changes
def pause(ctx: typer.Context, destination: Destination) -> None:
    """Put an outgoing queue on hold: nothing is sent from it until it is resumed.

    Examples:
      msmqctl message send 'DIRECT=OS:far\\private$\\orders' --body x
      msmqctl outgoing pause 'DIRECT=OS:far\\private$\\orders'
      msmqctl outgoing list --columns destination,state
    """
    with session(ctx) as s, local_manager(s.settings.store) as ask:
        found = ask(queues.show_outgoing, destination)
        if s.proceed(f"pause the outgoing queue for {found.destination}", asks=False):
            s.tell(ask(queues.pause_outgoing, destination), DETAILS, f"the outgoing queue for {found.destination} is on hold.")


@app.command()
@changes
def resume(ctx: typer.Context, destination: Destination) -> None:
    """Let a paused outgoing queue go on.

    Examples:
      msmqctl message send 'DIRECT=OS:far\\private$\\orders' --body x
      msmqctl outgoing pause 'DIRECT=OS:far\\private$\\orders'
      msmqctl outgoing resume 'DIRECT=OS:far\\private$\\orders'
    """
    with session(ctx) as s, local_manager(s.settings.store) as ask:
        found = ask(queues.show_outgoing, destination)
        if s.proceed(f"resume the outgoing queue for {found.destination}", asks=False):
            s.tell(ask(queues.resume_outgoing, destination), DETAILS, f"the outgoing queue for {found.destination} goes on.")


@app.command()
@changes
def purge(ctx: typer.Context, destination: Destination) -> None:
    """Delete all messages that wait for a destination.

    Whoever asked for it hears that they were not delivered, and finds them in a dead-letter queue.

    Examples:
      msmqctl message send 'DIRECT=OS:far\\private$\\orders' --body x
      msmqctl outgoing purge 'DIRECT=OS:far\\private$\\orders' --dry-run
      msmqctl outgoing purge 'DIRECT=OS:far\\private$\\orders' --yes
    """
    with session(ctx) as s, local_manager(s.settings.store) as ask:
        found = ask(queues.show_outgoing, destination)
        if s.proceed(f"delete {_count(found.messages)} from the outgoing queue for {found.destination}"):
            gone = ask(queues.purge_outgoing, destination)
            s.tell(gone, PURGED, f"{_count(gone.messages)} deleted from the outgoing queue for {gone.destination}.")


def _count(messages: int) -> str:
    return {0: "no messages", 1: "1 message"}.get(messages, f"{messages} messages")
