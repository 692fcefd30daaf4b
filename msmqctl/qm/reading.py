"""Messages are read: seen or received, in one step or in two, by place, cursor or identifier, at once or after a wait. [MS-MQDMPR] 3.1.7.1

A read that finds something returns its result. One that has to wait returns a `PendingRead`, which the core ends when a message comes, or
which ends here by its time-out or its cancellation. The look that found nothing and the wait are one call, so no message slips through.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import TypeAlias
from uuid import UUID

from msmqctl.qm import cursor as moves
from msmqctl.qm.core import Core, key_of
from msmqctl.qm.cursor import CursorAnswer, CursorRequest, Look
from msmqctl.qm.model import (
    Cursor,
    CursorState,
    ListEdge,
    MessageSeekAction,
    OpenQueueDescriptor,
    OperationType,
    PositionKey,
    PositionState,
    Queue,
    WaitingMessageReadOperation,
)
from msmqctl.qm.schema import PRIORITIES, PRIORITY_SHIFT
from msmqctl.qm.store import BEFORE_ALL, BEHIND_ALL, PositionRow, UnitRow
from msmqctl.qm.waiting import PendingRead, ReadResult
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.status import HResult
from msmqctl.wire.values import MessageClass

# What a read does with the position that it found.
Take: TypeAlias = Callable[[PositionRow], ReadResult]

_NO_QUEUE = ReadResult(HResult.MQ_ERROR_QUEUE_NOT_AVAILABLE)
_NO_TRANSACTION = ReadResult(HResult.MQ_ERROR_TRANSACTION_SEQUENCE)

# What a reader hears when its cursor cannot give it a message. [MS-MQDMPR] 3.1.7.1.10, 3.1.7.1.14, 3.1.7.1.15
_CURSOR_SAYS_NO: dict[CursorAnswer, HResult] = {
    CursorAnswer.NOT_FOUND: HResult.MQ_ERROR_MESSAGE_NOT_FOUND,
    CursorAnswer.ALREADY_RECEIVED: HResult.MQ_ERROR_MESSAGE_ALREADY_RECEIVED,
    CursorAnswer.ILLEGAL_CURSOR_ACTION: HResult.MQ_ERROR_ILLEGAL_CURSOR_ACTION,
}

# What a peek hears when the very message it asks for is not available; a receiver hears in each case that there is none.
# [MS-MQDMPR] 3.1.7.3.3
_NOT_TO_BE_SEEN: dict[int, HResult] = {
    PositionState.LOCKED: HResult.MQ_ERROR_TRANSACTION_USAGE,
    PositionState.PURGE_PENDING: HResult.MQ_ERROR_MESSAGE_ALREADY_RECEIVED,
    PositionState.DELETED: HResult.MQ_ERROR_MESSAGE_ALREADY_RECEIVED,
}


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a reader wants when it has to wait: until when, to keep or only to see, by which cursor, and how it can be cancelled."""

    descriptor: OpenQueueDescriptor
    now: datetime
    timeout: float | None
    take: Take
    destructive: bool
    cursor: Cursor | None = None
    tag: int | None = None

    @property
    def impatient(self) -> bool:
        return self.timeout is not None and self.timeout <= 0

    @property
    def deadline(self) -> datetime | None:
        """When to give up. What lies beyond the calendar is no end."""
        try:
            return None if self.timeout is None else self.now + timedelta(seconds=self.timeout)
        except OverflowError:
            return None


class Reading(Core):
    """The rules by which messages are seen and taken."""

    # ---- receiving

    def dequeue_message(
        self,
        descriptor: OpenQueueDescriptor,
        now: datetime,
        *,
        timeout: float | None = None,
        cursor: Cursor | None = None,
        transaction: UUID | None = None,
        tag: int | None = None,
        two_phase: bool = False,
    ) -> ReadResult | PendingRead:
        """Receive the first message, or the one the cursor leads to; wait up to `timeout` seconds for one. [MS-MQDMPR] 3.1.7.1.10"""
        take = self._receiver(transaction, two_phase=two_phase)
        with self.call():
            queue = self._queue_read_by(descriptor)
            if queue is None:
                return _NO_QUEUE
            if not self._can_receive(transaction):
                return _NO_TRANSACTION
            wish = _Wish(descriptor, now, timeout, take, destructive=True, cursor=cursor, tag=tag)
            if cursor is None:
                return self._read_first(queue, wish)
            at_once, patient = CursorRequest.GET_NEXT_MESSAGE_FOR_DEQUEUE_AT_ONCE, CursorRequest.GET_NEXT_MESSAGE_FOR_DEQUEUE
            return self._read_by_cursor(queue, cursor, at_once if wish.impatient else patient, wish)

    def dequeue_message_begin(
        self,
        descriptor: OpenQueueDescriptor,
        now: datetime,
        *,
        timeout: float | None = None,
        cursor: Cursor | None = None,
        tag: int | None = None,
        transaction: UUID | None = None,
    ) -> ReadResult | PendingRead:
        """Receive a message that stays, locked, until `dequeue_message_end` or the transaction decides. [MS-MQDMPR] 3.1.7.1.11"""
        # A transaction locks by itself, and the two ways exclude each other.
        two_phase = transaction is None
        return self.dequeue_message(descriptor, now, timeout=timeout, cursor=cursor, transaction=transaction, tag=tag, two_phase=two_phase)

    def dequeue_message_end(
        self, descriptor: OpenQueueDescriptor, lookup_identifier: int, *, delete: bool, transactional: bool = False
    ) -> HResult:
        """Delete a message that was received in two steps, or give it back. [MS-MQDMPR] 3.1.7.1.12"""
        with self.call():
            queue = self._queue_read_by(descriptor)
            if queue is None:
                return HResult.MQ_ERROR_QUEUE_NOT_AVAILABLE
            position = self._find_message(queue, lookup_identifier)
            if position is not None and position.state == PositionState.AVAILABLE:
                return HResult.MQ_ERROR_TRANSACTION_SEQUENCE
            if transactional:
                return HResult.MQ_OK
            # Departs from [MS-MQDMPR] 3.1.7.1.12: only the lock of a two-phase read can be ended, so that a second end changes nothing.
            if position is None or position.state == PositionState.DELETED or self.store.held_by_unit(position.lookup):
                return HResult.MQ_ERROR_TRANSACTION_SEQUENCE
            if position.state == PositionState.PURGE_PENDING:
                self.message_position_deleted(position, MessageClass.MQMSG_CLASS_NACK_Q_PURGED)
            elif delete:
                self.message_position_deleted(position, MessageClass.MQMSG_CLASS_ACK_RECEIVE)
            else:
                self.message_position_available(position)
            self.must_last()
            return HResult.MQ_OK

    def _can_receive(self, transaction: UUID | None) -> bool:
        return transaction in (None, NULL_GUID) or self._unit_read_in(transaction) is not None

    def _unit_read_in(self, transaction: UUID | None) -> UnitRow | None:
        unit = None if transaction is None else self.unit(transaction)
        return None if unit is None or unit.decision is not None else unit

    def _receiver(self, transaction: UUID | None, *, two_phase: bool) -> Take:
        """What becomes of the position that a receiver found: locked by a transaction, locked until the end is told, or deleted."""
        if transaction is None:
            return self._lock_message if two_phase else self._delete_message
        if two_phase:
            raise ValueError("a read is part of a transaction or has two phases, not both")
        # The document neither locks nor deletes for a transaction without an identifier: the receive is then a peek.
        return self._show_message if transaction == NULL_GUID else partial(self._lock_message_for, transaction)

    def _show_message(self, position: PositionRow) -> ReadResult:
        return ReadResult(HResult.MQ_OK, self.message(position.lookup))

    def _lock_message(self, position: PositionRow) -> ReadResult:
        self.store.set_state(position.lookup, PositionState.LOCKED)
        self.must_last()
        return self._show_message(position)

    def _lock_message_for(self, transaction: UUID, position: PositionRow) -> ReadResult:
        unit = self._unit_read_in(transaction)
        if unit is None:  # it ended while the reader waited
            return _NO_TRANSACTION
        self.append_operation(unit, OperationType.DEQUEUE, position.lookup, reason=MessageClass.MQMSG_CLASS_ACK_RECEIVE)
        return self._lock_message(position)

    def _delete_message(self, position: PositionRow) -> ReadResult:
        queue = self.queue(position.queue)
        if queue is None:
            return _NO_QUEUE
        message = self.message(position.lookup)
        self.message_left(queue, position, message, MessageClass.MQMSG_CLASS_ACK_RECEIVE)
        self.must_last()
        return ReadResult(HResult.MQ_OK, message)

    # ---- peeking

    def peek_message(
        self, descriptor: OpenQueueDescriptor, now: datetime, *, timeout: float | None = None, cursor: Cursor | None = None
    ) -> ReadResult | PendingRead:
        """See the first message, or the one at the cursor, and change nothing. [MS-MQDMPR] 3.1.7.1.15"""
        with self.call():
            queue = self._queue_read_by(descriptor)
            if queue is None:
                return _NO_QUEUE
            wish = _Wish(descriptor, now, timeout, self._show_message, destructive=False, cursor=cursor)
            if cursor is None:
                return self._read_first(queue, wish)
            return self._read_by_cursor(queue, cursor, CursorRequest.GET_MESSAGE_FOR_PEEK, wish)

    def peek_next_message(
        self, descriptor: OpenQueueDescriptor, now: datetime, cursor: Cursor, *, timeout: float | None = None
    ) -> ReadResult | PendingRead:
        """Go on to the next message and see it. [MS-MQDMPR] 3.1.7.1.14"""
        with self.call():
            queue = self._queue_read_by(descriptor)
            if queue is None:
                return _NO_QUEUE
            wish = _Wish(descriptor, now, timeout, self._show_message, destructive=False, cursor=cursor)
            return self._read_by_cursor(queue, cursor, CursorRequest.GET_NEXT_MESSAGE_FOR_PEEK, wish)

    # ---- by identifier

    def read_message_by_lookup_identifier(
        self,
        descriptor: OpenQueueDescriptor,
        lookup_identifier: int,
        *,
        peek: bool,
        action: MessageSeekAction = MessageSeekAction.SEEK_CURRENT,
        transaction: UUID | None = None,
        two_phase: bool = False,
    ) -> ReadResult:
        """See or receive the message with an identifier, its neighbour, or the first or last of all; never wait. [MS-MQDMPR] 3.1.7.1.13"""
        if peek and transaction is not None:
            raise ValueError("a peek is not part of a transaction")
        take = self._show_message if peek else self._receiver(transaction, two_phase=two_phase)
        with self.call():
            queue = self._queue_read_by(descriptor)
            if queue is None:
                return _NO_QUEUE
            if not self._can_receive(transaction):
                return _NO_TRANSACTION
            found = self._seek_with_id(queue, lookup_identifier, action, peek=peek)
            return ReadResult(found) if isinstance(found, HResult) else take(found)

    def _seek_with_id(self, queue: Queue, lookup_identifier: int, action: MessageSeekAction, *, peek: bool) -> PositionRow | HResult:
        """The position that an action leads to, or why there is none. [MS-MQDMPR] 3.1.7.3.3"""
        # Departs from [MS-MQDMPR] 3.1.7.3.3: first and last need no message with the identifier, because callers give none there.
        if action is MessageSeekAction.SEEK_FIRST:
            return self._seek_forward(queue, ListEdge.START, peek=peek) or HResult.MQ_ERROR_MESSAGE_NOT_FOUND
        if action is MessageSeekAction.SEEK_LAST:
            return self._seek_backward(queue, BEHIND_ALL, peek=peek) or HResult.MQ_ERROR_MESSAGE_NOT_FOUND
        origin = self._find_message(queue, lookup_identifier)
        if origin is None:
            return HResult.MQ_ERROR_MESSAGE_NOT_FOUND
        # Departs from [MS-MQDMPR] 3.1.7.1.13: no message in a direction is MQ_ERROR_MESSAGE_NOT_FOUND, because End cannot be read.
        if action is MessageSeekAction.SEEK_NEXT:
            return self._seek_forward(queue, origin.lookup, peek=peek) or HResult.MQ_ERROR_MESSAGE_NOT_FOUND
        if action is MessageSeekAction.SEEK_PREVIOUS:
            return self._seek_backward(queue, origin.lookup, peek=peek) or HResult.MQ_ERROR_MESSAGE_NOT_FOUND
        return self._seek_current(origin, peek=peek)

    def _seek_current(self, position: PositionRow, *, peek: bool) -> PositionRow | HResult:
        if position.state == PositionState.AVAILABLE:
            return position
        if not peek:
            return HResult.MQ_ERROR_MESSAGE_NOT_FOUND
        # Departs from [MS-MQDMPR] 3.1.7.3.3: nobody peeks at what is not committed, which is what is not counted, because it may never be.
        if position.state == PositionState.LOCKED and position.counted and self.message(position.lookup).allow_peek_when_locked:
            return position
        return _NOT_TO_BE_SEEN[position.state]

    def _find_message(self, queue: Queue, lookup_identifier: int) -> PositionRow | None:
        """The entry of the queue with an identifier, of which seven octets count: peers make up the eighth. [MS-MQDMPR] 3.1.7.3.3"""
        # Departs from [MS-MQDMPR] 3.1.7.3.3: the top octet is not compared, because remote readers are told the other seven only.
        given, sequential = divmod(lookup_identifier & 0xFFFFFFFFFFFFFFFF, 1 << PRIORITY_SHIFT)
        for top in sorted(range(PRIORITIES), key=lambda top: top != given):
            position = self.store.position(top << PRIORITY_SHIFT | sequential)
            if position is not None and position.queue == queue.key:
                return position
        return None

    # ---- seeking

    def _seek_forward(self, queue: Queue, origin: PositionKey | ListEdge, *, peek: bool) -> PositionRow | None:
        """The first entry behind a place that may be read; what stood there may be gone. [MS-MQDMPR] 3.1.7.3.2"""
        key = key_of(queue)
        if origin is ListEdge.START:
            return self.store.first_available(key, BEFORE_ALL, peek=peek)
        if origin is ListEdge.END:
            return None
        return self.store.first_available(key, origin, peek=peek)

    def _seek_backward(self, queue: Queue, origin: PositionKey, *, peek: bool) -> PositionRow | None:
        """The last entry in front of a place that may be read. [MS-MQDMPR] 3.1.7.3.2"""
        return self.store.last_available(key_of(queue), origin, peek=peek)

    def _queue_read_by(self, descriptor: OpenQueueDescriptor) -> Queue | None:
        return None if descriptor.queue_reference is None else self.queue(descriptor.queue_reference)

    # ---- the two ways to find a message, each with a wait at its end

    def _read_first(self, queue: Queue, wish: _Wish) -> ReadResult | PendingRead:
        # Departs from [MS-MQDMPR] 3.1.7.1.10: the search begins at Start, because from Head it would pass over the first message.
        position = self._seek_forward(queue, ListEdge.START, peek=not wish.destructive)
        return self._wait_for_new_message(wish) if position is None else wish.take(position)

    def _read_by_cursor(self, queue: Queue, cursor: Cursor, request: CursorRequest, wish: _Wish) -> ReadResult | PendingRead:
        rule = moves.rule(cursor.cursor_state, request)
        if rule is None:
            return ReadResult(_CURSOR_SAYS_NO[CursorAnswer.ILLEGAL_CURSOR_ACTION])
        position = self._look_by_cursor(queue, cursor, rule.look)
        move = rule.missing if position is None else rule.found
        place = cursor.message_position_reference if position is None else position.lookup
        self.assign(cursor, cursor_state=move.state, message_position_reference=place)
        if position is not None:
            return wish.take(position)
        if move.answer is CursorAnswer.WAITING:
            return self._wait_for_new_message(wish)
        return ReadResult(_CURSOR_SAYS_NO[move.answer])

    def _look_by_cursor(self, queue: Queue, cursor: Cursor, look: Look) -> PositionRow | None:
        place = cursor.message_position_reference
        if look is not Look.HERE:
            peek, parked = look is Look.BEHIND_LOCKS, moves.sequential_at_end(place)
            if parked is not None:
                return self._seek_behind_end(queue, cursor, parked, peek=peek)
            return self._seek_forward(queue, place, peek=peek)
        # A message that was moved has the same key in another queue.
        here = self.store.position(place) if isinstance(place, int) else None
        return here if here is not None and here.queue == queue.key and here.state == PositionState.AVAILABLE else None

    def _seek_behind_end(self, queue: Queue, cursor: Cursor, parked: int, *, peek: bool) -> PositionRow | None:
        """The first entry, in the order of the queue, that came after the cursor went to the end."""
        key = key_of(queue)
        later = self.store.first_available_since(key, parked, peek=peek)
        late = (self.store.first_available(key, one - 1, peek=peek) for one in cursor.latecomers)
        came = [one for one in late if one is not None and one.lookup in cursor.latecomers]
        return min(came if later is None else [later, *came], key=lambda one: one.lookup, default=None)

    def _message_available(self, cursor: Cursor, position: PositionRow) -> None:
        """The message that a cursor waited for has come, and the cursor stands there, even if that is a step back. [MS-MQDMPR] 3.2.7.5"""
        self.assign(cursor, cursor_state=moves.after_message_available(cursor.cursor_state), message_position_reference=position.lookup)

    def _wait_time_expired(self, cursor: Cursor) -> None:
        """The wait of a cursor ended without a message; its queue may have been deleted meanwhile. [MS-MQDMPR] 3.2.7.6"""
        if moves.parks_after_wait(cursor.cursor_state) and cursor.open_queue_descriptor_reference.queue_reference is not None:
            self.assign(cursor, message_position_reference=moves.end_of_queue(self.store.sequential()), latecomers=set())
        self.assign(cursor, cursor_state=CursorState.UNREAD)

    # ---- waiting

    def _wait_for_new_message(self, wish: _Wish) -> ReadResult | PendingRead:
        """Wait, unless the reader does not want to. What ends the wait also moves the cursor. [MS-MQDMPR] 3.1.7.3.1"""
        cursor = wish.cursor

        def give_up(status: HResult) -> ReadResult:
            if cursor is not None:
                self._wait_time_expired(cursor)
            return ReadResult(status)

        def finish(position: PositionRow) -> ReadResult:
            result = wish.take(position)
            if result.message is None:
                return give_up(result.status)
            if cursor is not None:
                self._message_available(cursor, position)
            return result

        # Departs from [MS-MQDMPR] 3.1.7.3.1: who does not wait hears MQ_ERROR_IO_TIMEOUT, because Failed is no status of a read.
        if wish.impatient:
            return give_up(HResult.MQ_ERROR_IO_TIMEOUT)
        operation = WaitingMessageReadOperation(destructive_read=wish.destructive, tag=wish.tag, cursor_reference=cursor)
        return self.wait(PendingRead(wish.descriptor, operation, wish.deadline, finish, give_up))

    def cancel_waiting_message_read_request(self, queue: Queue, tag: int, status: HResult) -> HResult:
        """End the first read of the queue that waits with this tag. [MS-MQDMPR] 3.1.7.1.17"""
        with self.call():
            for descriptor in queue.open_queue_descriptor_collection:
                for operation in descriptor.waiting_message_read_operation_collection:
                    if operation.tag is not None and operation.tag == tag:
                        read = next(read for read in self.waiting_reads() if read.operation is operation)
                        self.end_read(read, read.give_up, status)
                        return HResult.MQ_OK
            return HResult.STATUS_NOT_FOUND

    def cancel_read(self, read: PendingRead, status: HResult) -> None:
        """End a read whose caller is gone, unless it has ended already. Our own: the document cancels by tag, which not every read has."""
        with self.call():
            if read.result is None:
                self.end_read(read, read.give_up, status)

    def end_overdue_reads(self, now: datetime) -> None:
        """Waiting Message Read Timer Expired, for each read whose time is over. [MS-MQDMPR] 3.1.6.3"""
        with self.call():
            for read in self.waiting_reads():
                if read.deadline is not None and read.deadline <= now:
                    self.end_read(read, read.give_up, HResult.MQ_ERROR_IO_TIMEOUT)

    def next_read_deadline(self) -> datetime | None:
        """When `end_overdue_reads` has something to do next; None while nobody waits for a limited time. [MS-MQDMPR] 3.1.2.3"""
        return min((read.deadline for read in self.waiting_reads() if read.deadline is not None), default=None)
