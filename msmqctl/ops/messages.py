"""Messages of local queues: sent, seen, received, deleted, moved. Joins names, the host and the JSON form of a message; prints nothing.

    send       drafts go in, one answer comes back for each when it is stored; in a transaction, once all of them are
    receive    rows come out while their messages stay locked: asking for more says that they were printed, and only that deletes them
    peek, show, delete, move    by place or by lookup identifier

A name that leads off this computer is refused: a message in an outgoing queue that nobody empties would only seem to be sent.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, TypeAlias
from uuid import UUID, uuid4

from msmqctl.errors import DecodeError, StatusError
from msmqctl.ops.message_row import NO_MESSAGE, Draft, MessageRow, message_row
from msmqctl.ops.queue_rows import name_of, names_of
from msmqctl.ops.status import require
from msmqctl.qm.host import Desk
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.message import DeliveryGuarantee, Message, SenderIdentifierType, label_fault
from msmqctl.qm.model import MessageSeekAction, OpenQueueDescriptor, PositionState, Queue, QueueAccessType, QueueShareMode, QueueType
from msmqctl.qm.sending import EnqueueResult, lookup_identifier, placement_priority
from msmqctl.qm.store import PositionRow
from msmqctl.qm.waiting import PendingRead, ReadResult
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.names import DirectName, FormatName, MachineName, MultipleElementName, PathName, PrivateName, direct_name, parse_name
from msmqctl.wire.pathname import COMPUTER_QUEUES
from msmqctl.wire.sid import Sid
from msmqctl.wire.status import HResult
from msmqctl.wire.values import INFINITE, MAX_PACKET_SIZE, MessageClass

# The SIDs that stand for POSIX users begin with S-1-22-1.
_UNIX_AUTHORITY, _UNIX_USERS = 22, 1
# A stream of transactional messages stays in order, so none of them can overtake another.
_TRANSACTIONAL_PRIORITY = 0

# ---- which queue


class _Opened(NamedTuple):
    """A queue that is open here."""

    descriptor: OpenQueueDescriptor
    queue: Queue

    @property
    def name(self) -> str:
        return name_of(self.queue)


def _format_name(manager: QueueManager, text: str) -> FormatName:
    """The format name of what a user calls `text`; a dot becomes the name of this computer, because others read it too."""
    name = parse_name(text)
    if not isinstance(name, PathName):
        return name
    role = COMPUTER_QUEUES.get(name.queue.upper()) if name.system else None
    if role is not None and manager.computer.means(name.computer):
        return MachineName(manager.local.identifier, role)
    return direct_name(manager.computer.named(name))


def _is_here(manager: QueueManager, name: FormatName) -> bool:
    """Whether the queue is on this computer, or would have to be."""
    match name:
        case DirectName():
            return not name.protocol.web and manager.computer.means(name.address)
        case PrivateName():
            return name.lineage == manager.local.identifier
    return not isinstance(name, MultipleElementName) and manager.find_queue(name, QueueAccessType.PEEK_ACCESS) is not None


def _open(manager: QueueManager, text: str, access: QueueAccessType, now: datetime, operation: str) -> _Opened:
    name = _format_name(manager, text)
    if not _is_here(manager, name):
        problem = f"{text} is not one queue of this computer, and only local queues can be reached for now, one at a time."
        hint = r"name a queue of this computer, such as orders or '.\private$\orders'."
        raise StatusError(problem, status=HResult.MQ_ERROR_INVALID_PARAMETER, operation=operation, hint=hint)
    result = manager.open_queue(name, access, QueueShareMode.DENY_NONE, now)
    require(result.status, operation, text, known=() if result.status.success else names_of(manager))
    descriptor = result.descriptor
    queue = None if descriptor is None or descriptor.queue_reference is None else manager.queue(descriptor.queue_reference)
    if descriptor is None or queue is None:
        raise ValueError(f"{text} was opened and is not there")
    return _Opened(descriptor, queue)


@contextmanager
def _opened(desk: Desk, text: str, access: QueueAccessType, operation: str) -> Iterator[_Opened]:
    """The queue that `text` names, open inside the block."""
    opened = desk.do(lambda manager, now: _open(manager, text, access, now, operation))
    try:
        yield opened
    finally:
        desk.do(lambda manager, now: manager.close_queue(opened.descriptor))


def _agree(opened: _Opened, *, transactional: bool, operation: str) -> None:
    """Queue and command have to agree about transactions. What the queue manager fills itself may be emptied without one."""
    queue = opened.queue
    if queue.transactional == transactional or (queue.queue_type is QueueType.SYSTEM and not transactional):
        return
    said, hint = ("is", "give --transactional.") if queue.transactional else ("is not", "leave --transactional away.")
    problem = f"{opened.name} {said} transactional."
    raise StatusError(problem, status=HResult.MQ_ERROR_TRANSACTION_USAGE, operation=operation, hint=hint)


# ---- sending


@dataclass(frozen=True, slots=True)
class Stored:
    """What a sender hears of a message that is safe in its queue."""

    id: str
    lookup_id: int
    queue: str
    size: int


def local_user() -> Sid | None:
    """The user who runs this; None on systems whose users have no number."""
    number = getattr(os, "getuid", None)
    return None if number is None else Sid(_UNIX_AUTHORITY, (_UNIX_USERS, number()))


def send(desk: Desk, queue: str, drafts: Iterable[Draft], *, transactional: bool = False) -> Iterator[Stored]:
    """Put messages into a queue, and answer each when it is stored; in a transaction, when all of them are."""
    with _opened(desk, queue, QueueAccessType.SEND_ACCESS, "send") as opened:
        _agree(opened, transactional=transactional, operation="send")
        if not transactional:
            for draft in drafts:
                yield _send_one(desk, opened, draft)
            return
        unit = uuid4()
        desk.do(lambda manager, now: manager.create_transaction(unit))
        try:
            stored = [_send_one(desk, opened, draft, unit) for draft in drafts]
        except BaseException:
            desk.do(lambda manager, now: manager.transaction_abort(unit))
            raise
        require(desk.do(lambda manager, now: manager.transaction_commit(unit)), "send", queue)
        yield from stored


def _send_one(desk: Desk, opened: _Opened, draft: Draft, unit: UUID | None = None) -> Stored:
    def work(manager: QueueManager, now: datetime) -> Stored:
        message = _message(manager, opened, draft, now, unit)
        result = manager.enqueue_message_to_an_open_queue(opened.descriptor, message, now, unit)
        if result is not EnqueueResult.NO_ERROR:
            raise _full(result, opened, message)
        # The core has just stepped the number that the identifier is made of.
        lookup = lookup_identifier(placement_priority(message, in_transaction=unit is not None), manager.store.sequential())
        return Stored(message.identifier.plain, lookup, opened.name, message.size)

    return desk.do(work)


def _message(manager: QueueManager, opened: _Opened, draft: Draft, now: datetime, unit: UUID | None) -> Message:
    """The message that a draft describes, with all that its queue manager adds. [MS-MQDMPR] 3.1.1.12"""
    if (fault := label_fault(draft.label)) is not None:
        raise StatusError(f"the label is too long: {fault}.", status=HResult.MQ_ERROR_LABEL_TOO_LONG, operation="send")
    source, sender = manager.local.identifier, local_user()
    destination = opened.descriptor.format_name
    lasting = draft.recoverable or unit is not None
    message = Message(
        identifier=ObjectId(source, manager.store.next_ordinal()),
        source_machine_identifier=source,
        # A packet tells the time in seconds; what is stored must not say more than what is sent.
        sent_time=now.replace(microsecond=0),
        label=draft.label,
        body=draft.body,
        body_type=draft.body_type,
        extension=draft.extension,
        application_tag=draft.app,
        correlation_identifier=NO_MESSAGE if draft.correlation is None else ObjectId.parse(draft.correlation),
        priority=draft.priority if unit is None else _TRANSACTIONAL_PRIORITY,
        delivery_guarantee=DeliveryGuarantee.RECOVERABLE if lasting else DeliveryGuarantee.EXPRESS,
        time_to_reach_queue=INFINITE if draft.ttrq is None else draft.ttrq,
        time_to_be_received=INFINITE if draft.ttbr is None else draft.ttbr,
        destination_queue_format_name=None if isinstance(destination, MultipleElementName) else destination,
        response_queue_format_name=None if draft.response_queue is None else _format_name(manager, draft.response_queue),
        administration_queue_format_name=None if draft.admin_queue is None else _format_name(manager, draft.admin_queue),
        sender_identifier_type=SenderIdentifierType.NONE if sender is None else SenderIdentifierType.SID,
        sender_identifier=sender,
        # Known before it is enqueued, because it makes the packet longer.
        transaction_identifier=unit,
    )
    from msmqctl.qm.convert import packet_size  # not for those who only look

    size = packet_size(message)
    if size > MAX_PACKET_SIZE:
        problem = f"the packet would have {size} octets, {MAX_PACKET_SIZE} are the most"
        raise DecodeError(problem, where="message", offset=MAX_PACKET_SIZE, hint="send a shorter body.")
    return replace(message, size=size)


def _full(result: EnqueueResult, opened: _Opened, message: Message) -> StatusError:
    whose = opened.name if result is EnqueueResult.QUEUE_QUOTA_EXCEEDED else "this queue manager"
    problem = f"the quota of {whose} leaves no room for {message.size} octets more."
    hint = "receive or purge messages, or raise the quota, and try again."
    return StatusError(problem, status=HResult.MQ_ERROR_INSUFFICIENT_RESOURCES, operation="send", hint=hint)


# ---- reading


class Place(StrEnum):
    """Which message is meant, seen from a lookup identifier or from an end of the queue."""

    FIRST = "first"
    LAST = "last"
    NEXT = "next"
    PREVIOUS = "previous"
    CURRENT = "current"


_SEEK = {
    Place.FIRST: MessageSeekAction.SEEK_FIRST,
    Place.LAST: MessageSeekAction.SEEK_LAST,
    Place.NEXT: MessageSeekAction.SEEK_NEXT,
    Place.PREVIOUS: MessageSeekAction.SEEK_PREVIOUS,
    Place.CURRENT: MessageSeekAction.SEEK_CURRENT,
}


@dataclass(frozen=True, slots=True)
class Spot:
    """One message by its place: `Spot(Place.CURRENT, 7)` has the lookup identifier 7, `Spot(Place.LAST)` stands last."""

    place: Place
    origin: int = 0


_Read: TypeAlias = Callable[[QueueManager, datetime], ReadResult | PendingRead]
# A read ends so when there is nothing, or nothing more.
_NO_MORE = frozenset({HResult.MQ_ERROR_IO_TIMEOUT, HResult.MQ_ERROR_MESSAGE_NOT_FOUND})


def _take_turns(desk: Desk, reads: Iterable[_Read], operation: str, queue: str) -> Iterator[Message]:
    """The messages that the reads find, up to the first that finds none; if that is the very first, it is an error."""
    for turn, read in enumerate(reads):
        result = desk.read(read)
        if turn and result.status in _NO_MORE:
            return
        if result.status in _NO_MORE:
            problem = f"{queue} has no such message." if result.status is HResult.MQ_ERROR_MESSAGE_NOT_FOUND else f"no message in {queue}."
            raise StatusError(problem, status=result.status, operation=operation)
        require(result.status, operation, queue)
        if result.message is not None:
            yield result.message


def peek(desk: Desk, queue: str, *, count: int = 1, timeout: float | None = 0, spot: Spot | None = None) -> Iterator[MessageRow]:
    """See up to `count` messages from the first on, waiting up to `timeout` seconds for each; or see the one at a spot."""
    with _opened(desk, queue, QueueAccessType.PEEK_ACCESS, "peek") as opened:
        for message in _take_turns(desk, _peeks(desk, opened, count, timeout, spot), "peek", opened.name):
            yield message_row(message, opened.name)


def _peeks(desk: Desk, opened: _Opened, count: int, timeout: float | None, spot: Spot | None) -> Iterator[_Read]:
    descriptor = opened.descriptor
    if spot is not None:
        yield lambda manager, now: manager.read_message_by_lookup_identifier(descriptor, spot.origin, peek=True, action=_SEEK[spot.place])
        return
    cursor = desk.do(lambda manager, now: manager.open_cursor(descriptor))
    if cursor is None:
        raise ValueError(f"{opened.name} was deleted while it was open")
    yield lambda manager, now: manager.peek_message(descriptor, now, timeout=timeout, cursor=cursor)
    for _ in range(count - 1):
        yield lambda manager, now: manager.peek_next_message(descriptor, now, cursor, timeout=timeout)


def show(desk: Desk, queue: str, lookup_id: int) -> MessageRow:
    """The message with a lookup identifier."""
    (row,) = peek(desk, queue, spot=Spot(Place.CURRENT, lookup_id))
    return row


def receive(
    desk: Desk,
    queue: str,
    *,
    count: int = 1,
    timeout: float | None = 0,
    spot: Spot | None = None,
    transactional: bool = False,
    together: bool = False,
) -> Generator[list[MessageRow], None, None]:
    """Take up to `count` messages out of a queue, waiting up to `timeout` seconds for each; or the one at a spot.

    What is handed over is locked, and leaves the queue when more is asked for, because by then it was printed; a caller that stops
    before that leaves it where it was. One message is handed over at a time, or all `together`; a transaction deletes them in the end.
    """
    with _opened(desk, queue, QueueAccessType.RECEIVE_ACCESS, "receive") as opened:
        _agree(opened, transactional=transactional, operation="receive")
        taken = _Taken(desk, opened, uuid4() if transactional else None)
        rows: list[MessageRow] = []
        try:
            for message in _take_turns(desk, _receives(opened, count, timeout, spot, taken.unit), "receive", opened.name):
                taken.held.append(message.lookup_identifier)
                rows.append(message_row(message, opened.name))
                if not together:
                    yield rows
                    rows = []
                if not (together or transactional):
                    taken.end(delete=True)
            if rows:
                yield rows
            taken.end(delete=True)
        finally:
            taken.end(delete=False)


class _Taken:
    """Messages on their way out, locked by a transaction or one by one."""

    def __init__(self, desk: Desk, opened: _Opened, unit: UUID | None) -> None:
        self._desk = desk
        self._opened = opened
        self.unit = unit
        self.held: list[int] = []
        if unit is not None:
            desk.do(lambda manager, now: manager.create_transaction(unit))

    def end(self, *, delete: bool) -> None:
        """Let all that is held leave the queue, or stay there where it was. A transaction is over with this."""
        held, self.held = self.held, []
        unit, self.unit = self.unit, None

        def work(manager: QueueManager, now: datetime) -> HResult:
            if unit is not None:
                return manager.transaction_commit(unit) if delete else manager.transaction_abort(unit)
            ends = [manager.dequeue_message_end(self._opened.descriptor, lookup, delete=delete) for lookup in held]
            return next((status for status in ends if not status.success), HResult.MQ_OK)

        if held or unit is not None:
            require(self._desk.do(work), "receive", self._opened.name)


def _receives(opened: _Opened, count: int, timeout: float | None, spot: Spot | None, unit: UUID | None) -> Iterator[_Read]:
    descriptor = opened.descriptor
    if spot is not None:
        yield lambda manager, now: manager.read_message_by_lookup_identifier(
            descriptor, spot.origin, peek=False, action=_SEEK[spot.place], transaction=unit, two_phase=unit is None
        )
        return
    for _ in range(count):
        yield lambda manager, now: manager.dequeue_message_begin(descriptor, now, timeout=timeout, transaction=unit)


# ---- one by one


def delete(desk: Desk, queue: str, lookup_ids: Sequence[int]) -> None:
    """Delete messages, all or none. Nobody has received them: that is what an acknowledgment would say of them."""
    with _opened(desk, queue, QueueAccessType.RECEIVE_ACCESS, "delete") as opened:

        def work(manager: QueueManager, now: datetime) -> None:
            with manager.call():
                for lookup in dict.fromkeys(lookup_ids):
                    manager.message_position_deleted(_position(manager, opened, lookup, "delete"), MessageClass.MQMSG_CLASS_NACK_Q_PURGED)
                manager.must_last()

        desk.do(work)


def move(desk: Desk, queue: str, target: str, lookup_ids: Sequence[int]) -> str:
    """Take messages to a subqueue, made if need be, or to another local queue, all or none; its name."""
    with _opened(desk, queue, QueueAccessType.RECEIVE_ACCESS, "move") as opened:

        def work(manager: QueueManager, now: datetime) -> str:
            goal = _target(manager, target, now)
            _agree(goal, transactional=opened.queue.transactional, operation="move")
            for lookup in dict.fromkeys(lookup_ids):
                manager.move_message(_position(manager, opened, lookup, "move"), goal.queue)
            manager.close_queue(goal.descriptor)
            return goal.name

        return desk.do(work)


def _target(manager: QueueManager, text: str, now: datetime) -> _Opened:
    """Where messages can be moved to: no queue that the queue manager alone fills."""
    name = _format_name(manager, text)
    if name.suffix.read_only:
        raise StatusError(f"{text} is filled by the queue manager alone.", status=HResult.MQ_ERROR_ILLEGAL_OPERATION, operation="move")
    if isinstance(name, DirectName) and name.part.subqueue is not None and _is_here(manager, name):
        template = Queue(pathname=PathName(name.address, name.part), queue_type=QueueType.PRIVATE)
        manager.set_queue_defaults(template)
        status = manager.create_queue(template, now).status
        if status is not HResult.MQ_ERROR_QUEUE_EXISTS:
            require(status, "move", text)
    return _open(manager, text, QueueAccessType.PEEK_ACCESS, now, "move")


def _position(manager: QueueManager, opened: _Opened, lookup: int, operation: str) -> PositionRow:
    """The place of a message that nobody holds."""
    found = manager.read_message_by_lookup_identifier(opened.descriptor, lookup, peek=True)
    position = None if found.message is None else manager.store.position(found.message.lookup_identifier)
    if position is None or position.state != PositionState.AVAILABLE:
        status = HResult.MQ_ERROR_MESSAGE_NOT_FOUND if found.status.success else found.status
        raise StatusError(f"{opened.name} has no message {lookup} to {operation}.", status=status, operation=operation)
    return position
