"""Messages: sent anywhere; seen, received, deleted and moved in local queues. Joins names, the host and the JSON form; prints nothing.

    send       drafts go in, one answer comes back for each when it is stored; in a transaction, once all of them are
    receive    rows come out while their messages stay locked: asking for more says that they were printed, and only that deletes them
    peek, show, delete, move    by place or by lookup identifier

What is sent off this computer is stored in an outgoing queue, as safe as in any other, until it can be delivered. Reads of such a
name are refused.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, TypeAlias, cast
from uuid import UUID, uuid4

from msmqctl.errors import DecodeError, StatusError
from msmqctl.ops.hosted import name_of, names_of
from msmqctl.ops.message_row import NO_MESSAGE, Draft, MessageRow, acknowledgments_of, message_row
from msmqctl.ops.status import require
from msmqctl.ops.typed_name import format_name, is_here
from msmqctl.qm.core import key_of
from msmqctl.qm.host import Desk
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.message import DeliveryGuarantee, Message, SenderIdentifierType, SingleName, label_fault
from msmqctl.qm.model import (
    MessageSeekAction,
    OpenQueueDescriptor,
    OutgoingQueue,
    PositionState,
    Queue,
    QueueAccessType,
    QueueKey,
    QueueShareMode,
    QueueType,
)
from msmqctl.qm.sending import EnqueueResult, lookup_identifier, placement_priority
from msmqctl.qm.store import PositionRow
from msmqctl.qm.waiting import PendingRead, ReadResult
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.names import DirectName, DistributionListName, FormatName, MultipleElementName, PathName, PublicName
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


def _open(manager: QueueManager, text: str, access: QueueAccessType, now: datetime, operation: str) -> _Opened:
    name = format_name(manager, text)
    if not is_here(manager, name):
        problem = f"{text} is not one queue of this computer, and only local queues can be reached for now, one at a time."
        hint = r"name a queue of this computer, such as orders; what waits here for others is shown by: msmqctl outgoing list"
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


def _agree(queue: Queue, *, transactional: bool, operation: str) -> None:
    """Queue and command have to agree about transactions. What the queue manager fills itself may be emptied without one."""
    if queue.transactional == transactional or (queue.queue_type is QueueType.SYSTEM and not transactional):
        return
    said, hint = ("is", "give --transactional.") if queue.transactional else ("is not", "leave --transactional away.")
    problem = f"{name_of(queue)} {said} transactional."
    raise StatusError(problem, status=HResult.MQ_ERROR_TRANSACTION_USAGE, operation=operation, hint=hint)


# ---- sending


@dataclass(frozen=True, slots=True)
class Stored:
    """What a sender hears of a message that is safe: its lookup identifier unless it went into several queues, and whom it waits for."""

    id: str
    lookup_id: int | None
    queue: str
    size: int
    outgoing: tuple[str, ...]


class _Goal(NamedTuple):
    """Where messages are sent: one queue or several, each of them here or on the way elsewhere."""

    descriptor: OpenQueueDescriptor
    queues: tuple[Queue, ...]
    made: frozenset[QueueKey]
    """Outgoing queues that are there because of this."""

    @property
    def outgoing(self) -> tuple[str, ...]:
        """The destinations that are elsewhere."""
        return tuple(str(queue.destination_format_name) for queue in self.queues if isinstance(queue, OutgoingQueue))

    @property
    def name(self) -> str:
        if len(self.queues) > 1:
            return str(self.descriptor.format_name)
        return next(iter(self.outgoing), None) or name_of(self.queues[0])


def _open_goal(manager: QueueManager, text: str, now: datetime) -> _Goal:
    name = format_name(manager, text)
    before = frozenset(manager.local.queue_collection)
    result = manager.open_queue(name, QueueAccessType.SEND_ACCESS, QueueShareMode.DENY_NONE, now)
    if result.descriptor is None:
        lacking = isinstance(name, PublicName | DistributionListName) and not manager.local.directory_integrated
        require(HResult.MQ_ERROR_NO_DS if lacking else result.status, "send", text, known=names_of(manager))
        raise ValueError(f"{text} was opened and is not there")
    descriptors = result.descriptor.open_queue_descriptor_collection or (result.descriptor,)
    found = (manager.queue(each.queue_reference) for each in descriptors if each.queue_reference is not None)
    queues = tuple(queue for queue in found if queue is not None)
    return _Goal(result.descriptor, queues, frozenset(map(key_of, queues)) - before)


def _close_goal(manager: QueueManager, goal: _Goal) -> None:
    """Close it; an outgoing queue that was made for nothing goes again."""
    manager.close_queue(goal.descriptor)
    for queue in goal.queues:
        idle = key_of(queue) in goal.made and not queue.open_queue_descriptor_collection
        if idle and isinstance(queue, OutgoingQueue) and not manager.store.positions(key_of(queue), limit=1):
            manager.delete_queue(queue)


def local_user() -> Sid | None:
    """The user who runs this; None on systems whose users have no number."""
    number = getattr(os, "getuid", None)
    return None if number is None else Sid(_UNIX_AUTHORITY, (_UNIX_USERS, number()))


def send(desk: Desk, queue: str, drafts: Iterable[Draft], *, transactional: bool = False) -> Iterator[Stored]:
    """Put messages into a queue, or into several, and answer each when it is stored; in a transaction, when all of them are."""
    goal = desk.do(lambda manager, now: _open_goal(manager, queue, now))
    try:
        for each in goal.queues:
            # What goes elsewhere meets its queue there, which may or may not take it.
            if not isinstance(each, OutgoingQueue):
                _agree(each, transactional=transactional, operation="send")
        yield from _send_all(desk, goal, drafts) if transactional else (_send_one(desk, goal, draft) for draft in drafts)
    finally:
        desk.do(lambda manager, now: _close_goal(manager, goal))


def _send_all(desk: Desk, goal: _Goal, drafts: Iterable[Draft]) -> list[Stored]:
    """All in one transaction."""
    unit = uuid4()
    desk.do(lambda manager, now: manager.create_transaction(unit))
    try:
        stored = [_send_one(desk, goal, draft, unit) for draft in drafts]
    except BaseException:
        desk.do(lambda manager, now: manager.transaction_abort(unit))
        raise
    require(desk.do(lambda manager, now: manager.transaction_commit(unit)), "send", goal.name)
    return stored


def _send_one(desk: Desk, goal: _Goal, draft: Draft, unit: UUID | None = None) -> Stored:
    def work(manager: QueueManager, now: datetime) -> Stored:
        message = _message(manager, goal.descriptor.format_name, draft, now, unit)
        for queue in goal.queues:
            _refuse_unfit(queue, message, in_transaction=unit is not None)
        result = manager.enqueue_message_to_an_open_queue(goal.descriptor, message, now, unit)
        if result is not EnqueueResult.NO_ERROR:
            raise _full(result, goal, message)
        lookup = None
        if len(goal.queues) == 1:
            # The core has just stepped the number that the identifier is made of.
            lookup = lookup_identifier(placement_priority(message, in_transaction=unit is not None), manager.store.sequential())
        return Stored(message.identifier.plain, lookup, goal.name, message.size, goal.outgoing)

    return desk.do(work)


def _refuse_unfit(queue: Queue, message: Message, *, in_transaction: bool) -> None:
    """A queue may want signatures or encryption, and a message in a plain queue cannot be part of a transaction."""
    from msmqctl.qm.guard import may_send  # not for those who only look

    refusal = may_send(queue, message, in_transaction=in_transaction)
    if refusal is None:
        return
    wanted, option = ("signed", "--no-authenticate") if queue.authentication else ("encrypted", "--privacy optional")
    problem = f"{name_of(queue)} takes only {wanted} messages."
    hint = f"run: msmqctl queue set {shlex.quote(name_of(queue))} {option}"
    raise StatusError(problem, status=refusal.status, operation="send", hint=hint)


def _message(manager: QueueManager, destination: FormatName, draft: Draft, now: datetime, unit: UUID | None) -> Message:
    """The message that a draft describes, with all that its queue manager adds. [MS-MQDMPR] 3.1.1.12"""
    if (fault := label_fault(draft.label)) is not None:
        raise StatusError(f"the label is too long: {fault}.", status=HResult.MQ_ERROR_LABEL_TOO_LONG, operation="send")
    if draft.acknowledge and draft.admin_queue is None:
        problem = "acknowledgments need an administration queue to go to."
        raise StatusError(problem, status=HResult.MQ_ERROR_INVALID_PARAMETER, operation="send", hint="give --admin-queue QUEUE.")
    source, sender = manager.local.identifier, local_user()
    names = destination.elements if isinstance(destination, MultipleElementName) else ()
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
        # Several are each given a copy with its own name; until then the longest stands there, so that none will be larger than told.
        destination_queue_format_name=max(names, key=lambda name: len(str(name))) if names else cast("SingleName", destination),
        destination_multi_queue_format_name=names,
        response_queue_format_name=None if draft.response_queue is None else format_name(manager, draft.response_queue),
        administration_queue_format_name=None if draft.admin_queue is None else format_name(manager, draft.admin_queue),
        acknowledgements_requested=acknowledgments_of(draft.acknowledge),
        positive_journaling_requested=draft.journal,
        negative_journaling_requested=draft.dead_letter,
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


def _full(result: EnqueueResult, goal: _Goal, message: Message) -> StatusError:
    whose = goal.name if result is EnqueueResult.QUEUE_QUOTA_EXCEEDED else "this queue manager"
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
        _agree(opened.queue, transactional=transactional, operation="receive")
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
            _agree(goal.queue, transactional=opened.queue.transactional, operation="move")
            for lookup in dict.fromkeys(lookup_ids):
                manager.move_message(_position(manager, opened, lookup, "move"), goal.queue)
            manager.close_queue(goal.descriptor)
            return goal.name

        return desk.do(work)


def _target(manager: QueueManager, text: str, now: datetime) -> _Opened:
    """Where messages can be moved to: no queue that the queue manager alone fills."""
    name = format_name(manager, text)
    if name.suffix.read_only:
        raise StatusError(f"{text} is filled by the queue manager alone.", status=HResult.MQ_ERROR_ILLEGAL_OPERATION, operation="move")
    if isinstance(name, DirectName) and name.part.subqueue is not None and is_here(manager, name):
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
