"""Outgoing queues: what waits here for queues of other computers, whether it may go, and how to be rid of it.

An outgoing queue is told by the format name of its destination, which is also how it is named; a path name of the destination will do.
Of its messages, those that were sent and not acknowledged, and those that were acknowledged and not received, are told apart from
those that were not sent yet: a count of all of them together alarms people for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from msmqctl.errors import StatusError
from msmqctl.ops.message_row import MessageRow, message_row
from msmqctl.ops.queue_rows import messages_in
from msmqctl.ops.status import close_names
from msmqctl.qm import shelf
from msmqctl.qm.core import key_of
from msmqctl.qm.host import Desk
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.model import OutgoingQueue, OutgoingQueueState, QueueAccessType
from msmqctl.qm.schema import PRIORITY_SHIFT, SEQUENTIAL_PART
from msmqctl.qm.store import BEFORE_ALL, PositionRow, QueueRow
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.names import FormatName, MultipleElementName, PathName, direct_name, parse_name
from msmqctl.wire.nametext import abridged
from msmqctl.wire.status import HResult

# The words for the states, as management tools know them. [MS-MQMQ] 2.3.12.11
_WORDS = {state: state.value.upper() for state in OutgoingQueueState} | {OutgoingQueueState.NEED_VALIDATION: "NEED VALIDATION"}
_PAGE = 500


@dataclass(frozen=True, slots=True)
class OutgoingRow:
    """One outgoing queue of the list. Totals leave out what a transaction has not committed yet."""

    destination: str
    state: str
    messages: int
    bytes: int
    unsent: int
    unacknowledged: int
    unprocessed: int
    oldest: datetime | None
    next_hops: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt to reach the next hop."""

    time: datetime
    status: str
    error: int
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutgoingDetails(OutgoingRow):
    """Everything about one outgoing queue, without its messages."""

    connected: bool
    multicast: bool
    created: datetime
    history: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True)
class OutgoingPurged:
    """How many messages were given up, and for which destination."""

    destination: str
    messages: int


# ---- the journeys


def list_outgoing(desk: Desk) -> list[OutgoingRow]:
    """All outgoing queues, by destination, the empty ones too. One message of each is looked at."""

    def work(manager: QueueManager, now: datetime) -> list[OutgoingRow]:
        return [OutgoingRow(**_row_values(manager, row, queue)) for row, queue in _outgoing(manager)]

    return desk.do(work)


def show_outgoing(desk: Desk, typed: str) -> OutgoingDetails:
    """Everything about the outgoing queue to a destination."""

    def work(manager: QueueManager, now: datetime) -> OutgoingDetails:
        return _details(manager, _find(manager, typed, "show outgoing queue"))

    return desk.do(work)


def peek_outgoing(desk: Desk, typed: str, *, count: int) -> Iterator[MessageRow]:
    """The first messages that wait for a destination, in the order in which they go; none is an answer too."""
    after, left = BEFORE_ALL, count
    while left > 0:
        page = _page(desk, typed, after, min(left, _PAGE))
        yield from page
        if not page:
            return
        after, left = page[-1].lookup_id, left - len(page)


def _page(desk: Desk, typed: str, after: int, limit: int) -> list[MessageRow]:
    def work(manager: QueueManager, now: datetime) -> list[MessageRow]:
        queue = _find(manager, typed, "show outgoing queue")
        name = str(queue.destination_format_name)
        found = islice(_committed(manager, queue, after), limit)
        return [message_row(manager.message(position.lookup), name) for position in found]

    return desk.do(work)


def pause_outgoing(desk: Desk, typed: str) -> OutgoingDetails:
    """Send nothing from there, until it is resumed, after the next start too. [MS-MQDMPR] 3.1.4.14"""

    def work(manager: QueueManager, now: datetime) -> OutgoingDetails:
        queue = _find(manager, typed, "pause outgoing queue")
        _refuse_locked(queue, "pause outgoing queue")
        manager.pause_queue(queue)
        return _details(manager, queue)

    return desk.do(work)


def resume_outgoing(desk: Desk, typed: str) -> OutgoingDetails:
    """Send from there again. [MS-MQDMPR] 3.1.4.15"""

    def work(manager: QueueManager, now: datetime) -> OutgoingDetails:
        queue = _find(manager, typed, "resume outgoing queue")
        _refuse_locked(queue, "resume outgoing queue")
        manager.resume_queue(queue)
        return _details(manager, queue)

    return desk.do(work)


def purge_outgoing(desk: Desk, typed: str) -> OutgoingPurged:
    """Give up what waits for a destination. Senders who asked for it hear of it, and find it in their dead-letter queue."""

    def work(manager: QueueManager, now: datetime) -> OutgoingPurged:
        queue = _find(manager, typed, "purge outgoing queue")
        before = messages_in(manager, queue)
        manager.purge_queue(queue)
        return OutgoingPurged(str(queue.destination_format_name), before - messages_in(manager, queue))

    return desk.do(work)


# ---- which queue


def _outgoing(manager: QueueManager) -> Iterator[tuple[QueueRow, OutgoingQueue]]:
    for row in manager.store.queues():
        # Parsed before it is made live: a store may have many queues that nobody asked for.
        if isinstance(shelf.queue_of(row, path=manager.store.path), OutgoingQueue):
            queue = manager.queue(row.id)
            if isinstance(queue, OutgoingQueue):
                yield row, queue


def _find(manager: QueueManager, typed: str, operation: str) -> OutgoingQueue:
    name = _destination(typed)
    queue = None if isinstance(name, MultipleElementName) else manager.find_queue(name, QueueAccessType.PEEK_ADMIN_ACCESS)
    if isinstance(queue, OutgoingQueue):
        return queue
    known = [str(queue.destination_format_name) for _, queue in _outgoing(manager)]
    close = close_names(typed, known)
    problem = f"there is no outgoing queue for {abridged(typed)} here."
    hint = f"did you mean {' or '.join(close)}?" if close else "run: msmqctl outgoing list"
    raise StatusError(problem, status=HResult.MQ_ERROR_QUEUE_NOT_FOUND, operation=operation, hint=hint)


def _destination(typed: str) -> FormatName:
    name = parse_name(typed)
    return direct_name(name) if isinstance(name, PathName) else name


def _refuse_locked(queue: OutgoingQueue, operation: str) -> None:
    """Hardened security decides over such a queue, and nobody else."""
    if queue.state is OutgoingQueueState.LOCKED:
        problem = f"{queue.destination_format_name} is locked, because this queue manager sends by HTTP only."
        raise StatusError(problem, status=HResult.MQ_ERROR_ILLEGAL_OPERATION, operation=operation)


# ---- what is told


def _row_values(manager: QueueManager, row: QueueRow, queue: OutgoingQueue) -> dict[str, Any]:
    info = queue.outgoing_transfer_info_reference
    unacknowledged = 0 if info is None else info.eod_no_ack_count
    unprocessed = 0 if info is None else info.eod_no_read_count
    return {
        "destination": str(queue.destination_format_name),
        "state": _WORDS[queue.state],
        "messages": row.messages,
        "bytes": row.bytes,
        "unsent": max(row.messages - unacknowledged - unprocessed, 0),
        "unacknowledged": unacknowledged,
        "unprocessed": unprocessed,
        "oldest": _oldest(manager, queue),
        "next_hops": queue.next_hops or (),
    }


def _details(manager: QueueManager, queue: OutgoingQueue) -> OutgoingDetails:
    return OutgoingDetails(
        **_row_values(manager, _stored(manager, queue), queue),
        connected=manager.local.connection_active,
        multicast=queue.multicast,
        created=_time(queue.create_time),
        history=tuple(
            Attempt(_time(entry.connection_history_time), entry.status.name, entry.error, entry.address_list)
            for entry in queue.connection_history
        ),
    )


def _stored(manager: QueueManager, queue: OutgoingQueue) -> QueueRow:
    row = manager.store.queue(key_of(queue))
    if row is None:
        raise ValueError(f"{queue.destination_format_name} is not stored")
    return row


def _time(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _oldest(manager: QueueManager, queue: OutgoingQueue) -> datetime | None:
    """When the message came that waits longest. Within a priority they stand by age, so the first of each is enough."""
    firsts: list[PositionRow] = []
    after = BEFORE_ALL
    while found := next(_committed(manager, queue, after), None):
        firsts.append(found)
        # The key that all of the next priority stand behind.
        after = ((found.lookup >> PRIORITY_SHIFT) + 1 << PRIORITY_SHIFT) - 1
    oldest = min(firsts, key=lambda position: position.lookup & SEQUENTIAL_PART, default=None)
    return None if oldest is None else manager.message(oldest.lookup).arrival_time


def _committed(manager: QueueManager, queue: OutgoingQueue, after: int) -> Iterator[PositionRow]:
    """The entries of a queue behind a key, without what a transaction has not committed yet."""
    while page := manager.store.positions(key_of(queue), after):
        yield from (position for position in page if position.counted)
        after = page[-1].lookup
