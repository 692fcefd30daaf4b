"""`msmqctl message`: what is in the local queues, one message at a time or many."""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum
from itertools import count as count_from
from itertools import repeat
from typing import Annotated, Any

import typer

from msmqctl.cli.ending import CommandLineError
from msmqctl.cli.group import Group
from msmqctl.cli.options import changes
from msmqctl.cli.render import Columns, Format, escape
from msmqctl.cli.session import Session, session
from msmqctl.errors import DecodeError, StoreError
from msmqctl.ops import messages
from msmqctl.ops.local import local_manager
from msmqctl.ops.message_row import (
    ACKNOWLEDGMENTS,
    Draft,
    MessageRow,
    acknowledgment_words,
    acknowledgments_of,
    body_as_text,
    draft_of,
    text_as_body,
)
from msmqctl.ops.messages import Place, Spot, Stored
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.values import INFINITE, MAX_PACKET_SIZE, VarType

app = typer.Typer(cls=Group, add_completion=False)

MESSAGE = Columns(MessageRow)
STORED = Columns(Stored)

# A packet of four megabytes in base64, with room for the other fields; no line is read further than this.
MAX_LINE = 4 * MAX_PACKET_SIZE
_SHOWN_CHARACTERS = 60
_STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message as people read it in a list: the body as text where it is one, else in base64."""

    lookup_id: int
    priority: int
    label: str
    sent: datetime | None
    size: int
    body: str


SHOWN = Columns(ShownMessage)


class BodyForm(StrEnum):
    """How `--body` prints the body of one message."""

    RAW = "raw"
    BASE64 = "base64"
    TEXT = "text"


def _body_type(text: str) -> int:
    """A number, in any usual base, or the name of a variant type."""
    name = text.upper().removeprefix("VT_")
    known = VarType.__members__.get(f"VT_{name}")
    try:
        number = int(text, 0) if known is None else int(known)
    except ValueError:
        number = -1
    if not 0 <= number <= INFINITE:
        raise typer.BadParameter(f"{text!r} is neither a number nor a type such as VT_BSTR.")
    return number


def _acknowledgments(text: str) -> tuple[str, ...]:
    """Words split by commas, each a kind of acknowledgment."""
    try:
        return acknowledgment_words(acknowledgments_of(word.strip() for word in text.split(",")))
    except ValueError as problem:
        raise CommandLineError(f"--ack: {problem}.", hint="run: msmqctl message send --help") from None


Destination = Annotated[str, typer.Argument(metavar="QUEUE", help="Any name of a queue, here or elsewhere; several are split by commas.")]
QueueName = Annotated[str, typer.Argument(metavar="QUEUE", help="Any name of a local queue; a bare word is a private queue.")]
LookupId = Annotated[int, typer.Argument(metavar="LOOKUP_ID", min=0, help="Which message; `message peek` shows the numbers.")]
LookupIds = Annotated[list[int], typer.Argument(metavar="LOOKUP_ID...", min=0, help="Which messages; `message peek` shows the numbers.")]
Count = Annotated[int, typer.Option(metavar="N", min=1, help="How many at most.")]
Timeout = Annotated[float, typer.Option(metavar="SECONDS", min=0, help="How long to wait for each message.")]
Origin = Annotated[int | None, typer.Option("--lookup-id", metavar="N", min=0, help="The message with this number, or where to look from.")]
First = Annotated[bool, typer.Option("--first", help="The first message.")]
Last = Annotated[bool, typer.Option("--last", help="The last message.")]
Next = Annotated[bool, typer.Option("--next", help="The message behind --lookup-id.")]
Previous = Annotated[bool, typer.Option("--previous", help="The message in front of --lookup-id.")]
PrintedBody = Annotated[BodyForm | None, typer.Option("--body", help="Print the body of the message, and nothing else.")]
Transactional = Annotated[bool, typer.Option("--transactional", help="All in one transaction; the queue has to be transactional.")]


@app.callback()
def message() -> None:
    """Send, see, receive, delete and move messages."""


# ---- sending


@app.command()
@changes
def send(
    ctx: typer.Context,
    queue: Destination,
    source: Annotated[
        str | None, typer.Argument(metavar="[-]", help="A dash: read messages from standard input, one JSON object a line.")
    ] = None,
    body: Annotated[str | None, typer.Option(metavar="TEXT|@FILE|-", help="The body: a text, a file, or standard input.")] = None,
    body_type: Annotated[
        int | None, typer.Option(metavar="TYPE", parser=_body_type, help="What the body is: a number, or a name such as VT_BSTR.")
    ] = None,
    label: Annotated[str | None, typer.Option(metavar="TEXT", help="What the message is about, at most 249 characters.")] = None,
    priority: Annotated[int | None, typer.Option(metavar="0-7", min=0, max=7, help="Who goes first; 3 unless given.")] = None,
    recoverable: Annotated[bool, typer.Option("--recoverable", help="Wait until the disk has it.")] = False,
    ttrq: Annotated[int | None, typer.Option(metavar="SECONDS", min=0, max=INFINITE - 1, help="How long it may be under way.")] = None,
    ttbr: Annotated[int | None, typer.Option(metavar="SECONDS", min=0, max=INFINITE - 1, help="How long it may wait to be read.")] = None,
    correlation: Annotated[str | None, typer.Option(metavar="ID", help="The id of the message that this one belongs to.")] = None,
    response_queue: Annotated[str | None, typer.Option(metavar="QUEUE", help="Where to answer.")] = None,
    admin_queue: Annotated[str | None, typer.Option(metavar="QUEUE", help="Where acknowledgments go.")] = None,
    journal: Annotated[bool, typer.Option("--journal", help="Keep a copy here when it was delivered.")] = False,
    dead_letter: Annotated[bool, typer.Option("--dead-letter", help="Keep it here if it cannot be delivered.")] = False,
    ack: Annotated[
        str | None, typer.Option(metavar="KIND,KIND", help=f"What to hear of in --admin-queue: {', '.join(ACKNOWLEDGMENTS)}.")
    ] = None,
    app_: Annotated[int | None, typer.Option("--app", metavar="N", min=0, max=INFINITE, help="A number for applications.")] = None,
    extension: Annotated[str | None, typer.Option(metavar="@FILE", help="Octets beside the body, for applications.")] = None,
    transactional: Transactional = False,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="How many of the same.")] = 1,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse JSON with fields that a sender may not set.")] = False,
) -> None:
    """Put a message into a queue, and print its id when it is stored.

    With a dash in place of the options, messages come from standard input, one JSON object a line, with the fields that
    `message peek -o ndjson` shows. Each is answered with one line when it is stored; with --transactional, when all are.

    A message for another computer is kept in an outgoing queue until it can be delivered.

    Examples:
      msmqctl queue create orders
      msmqctl message send orders --label hello --body 'two of the red ones'
      echo '{"total": 12}' | msmqctl message send orders --body - --recoverable
      echo '{"label": "a", "body": "aGk="}' | msmqctl message send orders -
      msmqctl message send orders --body x --ack full-receive --admin-queue acks
      msmqctl message send 'DIRECT=OS:far\\private$\\orders' --body x --dead-letter
      msmqctl message send orders --body x --transactional   # exit 76
    """
    given: dict[str, Any] = {
        "label": label, "priority": priority, "ttrq": ttrq, "ttbr": ttbr, "correlation": correlation,
        "response_queue": response_queue, "admin_queue": admin_queue, "app": app_, "body_type": body_type,
        "body": body, "extension": extension, "recoverable": recoverable or None, "journal": journal or None,
        "dead_letter": dead_letter or None, "acknowledge": None if ack is None else _acknowledgments(ack),
    }  # fmt: skip
    options = {name: value for name, value in given.items() if value is not None}
    if source not in (None, _STANDARD_INPUT):
        raise CommandLineError(f"{source!r} is no dash.", hint="give the text with --body, or - to read messages from standard input.")
    if source is not None and (options or count > 1):
        raise CommandLineError("with - the messages bring their own fields.", hint="leave the options away that describe a message.")
    if source is None and strict:
        raise CommandLineError("--strict is about messages in JSON.", hint="give it together with - for standard input.")
    if transactional and priority is not None:
        raise CommandLineError("messages in a transaction stay in order and have no priority.", hint="give one of the two options.")
    with session(ctx) as s:
        if source is not None:
            drafts: Iterable[Draft] = _drafts_from_lines(strict=strict)
        else:
            if body is not None:
                options["body"] = _given_body(s, body, body_type or 0)
            if extension is not None:
                options["extension"] = _given_file(s, extension)
            drafts = repeat(Draft(**options), count)
        if not s.proceed(f"send messages to {queue}" if count > 1 or source else f"send a message to {queue}", asks=False):
            return
        with local_manager(s.settings.store) as ask:
            _tell(s, ask(messages.send, queue, drafts, transactional=transactional))


def _given_body(s: Session, said: str, body_type: int) -> bytes:
    """A text takes the form that its type asks for; what comes from a file or standard input is taken as it is."""
    if said == _STANDARD_INPUT or said.startswith("@"):
        return s.read_bytes(said.removeprefix("@"), limit=MAX_PACKET_SIZE)
    return text_as_body(said, body_type)


def _given_file(s: Session, said: str) -> bytes:
    if not said.startswith("@"):
        raise CommandLineError("--extension takes the octets of a file.", hint="write it like --extension @FILE.")
    return s.read_bytes(said.removeprefix("@"), limit=MAX_PACKET_SIZE)


def _drafts_from_lines(*, strict: bool) -> Iterator[Draft]:
    """The messages on standard input, each as soon as its line is there; empty lines are passed over."""
    for number in count_from(1):
        line = sys.stdin.buffer.readline(MAX_LINE + 1)
        if not line:
            return
        where = f"line {number}"
        if len(line) > MAX_LINE:
            raise DecodeError(f"it has more than {MAX_LINE} octets", where=where, offset=MAX_LINE)
        if line.strip():
            yield draft_of(_json(line, where), where=where, strict=strict)


def _json(line: bytes, where: str) -> object:
    try:
        return json.loads(line)
    except json.JSONDecodeError as problem:
        raise DecodeError(f"it is no JSON ({problem.msg})", where=where, offset=problem.pos) from None
    except (UnicodeDecodeError, RecursionError) as problem:
        raise DecodeError(f"it is no JSON ({type(problem).__name__})", where=where, offset=0) from None


def _tell(s: Session, answers: Iterable[Stored]) -> None:
    """Each answer at once: whoever sends line by line waits for it."""
    waiting: dict[str, None] = {}
    if s.output is not Format.TABLE or s.flags.columns is not None:
        s.render(_flushed(s, answers, waiting), columns=STORED)
    else:
        for answer in _flushed(s, answers, waiting):
            s.show(answer, text=answer.id)
    for destination in waiting:
        s.note(f"kept in the outgoing queue for {destination} until it can be delivered; see `msmqctl outgoing show`.")


def _flushed(s: Session, answers: Iterable[Stored], waiting: dict[str, None]) -> Iterator[Stored]:
    """The answers, each out before the next is asked for; `waiting` learns for whom messages wait, in order."""
    for answer in answers:
        yield answer
        s.flush()
        waiting.update(dict.fromkeys(answer.outgoing))


# ---- reading


@app.command()
def peek(
    ctx: typer.Context,
    queue: QueueName,
    count: Count = 1,
    timeout: Timeout = 0,
    lookup_id: Origin = None,
    first: First = False,
    last: Last = False,
    next_: Next = False,
    previous: Previous = False,
    body: PrintedBody = None,
) -> None:
    """Show messages without removing them.

    Examples:
      msmqctl queue create orders
      msmqctl message send orders --label hello --body 'two of the red ones'
      msmqctl message peek orders
      msmqctl message peek orders --count 10 -o ndjson
      msmqctl message peek orders --last --body text
      msmqctl message peek empty   # exit 66
    """
    spot = _spot(lookup_id, first=first, last=last, next_=next_, previous=previous, count=count, timeout=timeout)
    _only_one(count, body)
    with session(ctx) as s, local_manager(s.settings.store) as ask:
        _print(s, ask(messages.peek, queue, count=count, timeout=timeout, spot=spot), body, cut=_SHOWN_CHARACTERS)


@app.command()
@changes
def receive(
    ctx: typer.Context,
    queue: QueueName,
    count: Count = 1,
    timeout: Timeout = 0,
    lookup_id: Origin = None,
    first: First = False,
    last: Last = False,
    next_: Next = False,
    previous: Previous = False,
    transactional: Transactional = False,
    body: PrintedBody = None,
) -> None:
    """Take messages out of a queue.

    A message is deleted after it was printed: if the output cannot be written, it stays in the queue. With --transactional
    all of them are deleted together, after the last was printed.

    Examples:
      msmqctl queue create orders
      msmqctl message send orders --body 'two of the red ones' --count 3
      msmqctl message receive orders
      msmqctl message receive orders --body raw > order.txt
      msmqctl message receive orders --count 10 -o ndjson
      msmqctl message receive orders --timeout 0.1   # exit 4
    """
    spot = _spot(lookup_id, first=first, last=last, next_=next_, previous=previous, count=count, timeout=timeout)
    _only_one(count, body)
    with session(ctx) as s:
        if not s.proceed(f"receive from {queue}", asks=False):
            return
        with local_manager(s.settings.store) as ask:
            # A table is printed when all its rows are there.
            together = s.output is Format.TABLE
            taken = ask(messages.receive, queue, count=count, timeout=timeout, spot=spot, transactional=transactional, together=together)
            if not together:
                _print(s, _printed(s, taken), body)
                return
            for rows in taken:
                _print(s, rows, body)
                s.flush()


def _printed(s: Session, taken: Iterable[list[MessageRow]]) -> Iterator[MessageRow]:
    """Hand out each message, and let it be deleted by asking for more when it was printed."""
    for rows in taken:
        yield from rows
        s.flush()


def _spot(origin: int | None, *, first: bool, last: bool, next_: bool, previous: bool, count: int, timeout: float) -> Spot | None:
    """Which one message the options mean; None for whatever comes first."""
    chosen = [
        place for place, given in ((Place.FIRST, first), (Place.LAST, last), (Place.NEXT, next_), (Place.PREVIOUS, previous)) if given
    ]
    if not chosen and origin is None:
        return None
    place = chosen[0] if chosen else Place.CURRENT
    if len(chosen) > 1:
        raise CommandLineError(f"--{chosen[0]} and --{chosen[1]} exclude each other.", hint="give one of them.")
    if (place in (Place.FIRST, Place.LAST)) != (origin is None):
        said = "goes without" if origin is not None else "needs"
        raise CommandLineError(f"--{place} {said} --lookup-id.", hint="--next and --previous look from there, --first and --last do not.")
    if count > 1 or timeout:
        raise CommandLineError("a message by its place is one, and is not waited for.", hint="leave --count and --timeout away.")
    return Spot(place, origin or 0)


def _only_one(count: int, body: BodyForm | None) -> None:
    if body is not None and count > 1:
        raise CommandLineError("--body prints one message.", hint="leave --count away, or use -o ndjson for many.")


def _print(s: Session, rows: Iterable[MessageRow], body: BodyForm | None, *, cut: int | None = None) -> None:
    """Rows for programs, a table with readable bodies for people, or the body of a message alone."""
    if body is not None:
        for row in rows:
            _print_body(s, row, body)
    elif s.output is Format.TABLE and s.flags.columns is None:
        s.render((_readable(row, cut) for row in rows), columns=SHOWN)
    else:
        s.render(rows, columns=MESSAGE)


def _readable(row: MessageRow, cut: int | None) -> ShownMessage:
    text = body_as_text(row.body, row.body_type)
    shown = _base64(row.body) if text is None else text
    if cut is not None and len(shown) > cut:
        shown = f"{shown[:cut]}…"
    return ShownMessage(row.lookup_id, row.priority, row.label, row.sent, row.size, shown)


def _base64(body: bytes) -> str:
    return b64encode(body).decode("ascii")


def _print_body(s: Session, row: MessageRow, form: BodyForm) -> None:
    s.flush()
    with _output_faults():
        typer.echo(_formed(row, form), nl=form is not BodyForm.RAW)


def _formed(row: MessageRow, form: BodyForm) -> bytes | str:
    if form is BodyForm.RAW:
        return row.body
    if form is BodyForm.BASE64:
        return _base64(row.body)
    text = body_as_text(row.body, row.body_type)
    if text is None:
        raise DecodeError("it is no text", where="body", offset=0, hint="print it with --body raw or --body base64.")
    # Lines stay lines; everything else that a terminal would obey is written out.
    return "\n".join(escape(line) for line in text.splitlines())


@contextmanager
def _output_faults() -> Iterator[None]:
    """Octets go past the session; a disk that is full is told like everywhere else, and a closed pipe passes through."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StoreError(f"the output cannot be written ({error.strerror}).", path="standard output") from error


@app.command()
def show(ctx: typer.Context, queue: QueueName, lookup_id: LookupId, body: PrintedBody = None) -> None:
    """Show everything about one message.

    Examples:
      msmqctl queue create orders
      msmqctl message send orders --body x --columns lookup_id -o csv > sent
      msmqctl message show orders "$(tail -n 1 sent)"
      msmqctl message show orders 99   # exit 4
    """
    with session(ctx) as s, local_manager(s.settings.store) as ask:
        row = ask(messages.show, queue, lookup_id)
        if body is None:
            s.show(row, columns=MESSAGE)
        else:
            _print_body(s, row, body)


# ---- one by one


@app.command()
@changes
def delete(ctx: typer.Context, queue: QueueName, lookup_ids: LookupIds) -> None:
    """Delete messages without receiving them, all of those named or none.

    Examples:
      msmqctl queue create orders
      msmqctl message send orders --body x --columns lookup_id -o csv > sent
      msmqctl message delete orders "$(tail -n 1 sent)" --dry-run
      msmqctl message delete orders "$(tail -n 1 sent)" --yes
    """
    with session(ctx) as s:
        what = _these(lookup_ids)
        if s.proceed(f"delete {what} from {queue}"):
            with local_manager(s.settings.store) as ask:
                ask(messages.delete, queue, lookup_ids)
            s.note(f"{what} deleted.")


@app.command()
@changes
def move(
    ctx: typer.Context,
    queue: QueueName,
    target: Annotated[str, typer.Argument(metavar="TARGET", help="A subqueue, made if need be, or another local queue.")],
    lookup_ids: LookupIds,
) -> None:
    """Take messages to a subqueue or to another local queue, all of those named or none.

    Examples:
      msmqctl queue create orders
      msmqctl message send orders --body x --columns lookup_id -o csv > sent
      msmqctl message move orders 'orders;retry' "$(tail -n 1 sent)"
      msmqctl message receive 'orders;retry'
    """
    with session(ctx) as s:
        what = _these(lookup_ids)
        if s.proceed(f"move {what} from {queue} to {target}", asks=False):
            with local_manager(s.settings.store) as ask:
                goal = ask(messages.move, queue, target, lookup_ids)
            s.note(f"{what} moved to {goal}.")


def _these(lookup_ids: list[int]) -> str:
    return f"message {lookup_ids[0]}" if len(lookup_ids) == 1 else f"{len(lookup_ids)} messages"
