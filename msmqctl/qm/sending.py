"""Messages enter queues: enqueued, sent to several queues at once, moved from one to another, or held off. [MS-MQDMPR] 3.1.7.1

Nothing here asks whether the sender may do so, or whether message and queue agree about transactions, signatures and encryption: that
is for those who call.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from enum import IntEnum
from typing import cast
from uuid import UUID

from msmqctl.errors import StatusError
from msmqctl.qm import shelf
from msmqctl.qm.core import Core, expiry_of, key_of
from msmqctl.qm.events import FlowControlChanged
from msmqctl.qm.message import Message, SingleName
from msmqctl.qm.model import OpenQueueDescriptor, OperationType, OutgoingQueue, PositionState, Queue, QueueKey, QueueType, quota_in_bytes
from msmqctl.qm.schema import PRIORITIES, PRIORITY_SHIFT, SEQUENTIAL_PART
from msmqctl.qm.store import PositionRow, UnitRow
from msmqctl.wire.names import MultipleElementName
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.status import HResult
from msmqctl.wire.values import INFINITE

_TRANSACTIONAL_PRIORITY = 0


class EnqueueResult(IntEnum):
    """How an enqueue ended; no HRESULT. [MS-MQDMPR] 3.1.7.1.9"""

    NO_ERROR = 0
    QUEUE_QUOTA_EXCEEDED = 1
    QUEUE_MANAGER_QUOTA_EXCEEDED = 2
    """Also while enqueuing is throttled."""
    TIMED_OUT_IN_TRANSIT = 3


def lookup_identifier(priority: int, sequential: int) -> int:
    """The key of a message, ascending along every queue: the higher priority first, then the earlier one. [MS-MQDMPR] 3.1.7.1.9"""
    # Departs from [MS-MQDMPR] 3.1.7.1.9: the top octet tells the priority of every message, so that the identifiers follow the list.
    return (PRIORITIES - 1 - priority) << PRIORITY_SHIFT | sequential & SEQUENTIAL_PART


def placement_priority(message: Message, *, in_transaction: bool) -> int:
    """The priority that decides the place of a message in its queue; its own stays what it is. [MS-MQDMPR] 3.1.7.1.9"""
    # Departs from [MS-MQDMPR] 3.1.7.1.9: a transactional message is placed by priority 0, because its stream must stay in order.
    captured = message.transaction_identifier not in (None, NULL_GUID)
    streamed = message.transactional_message_sequence_identifier is not None
    return _TRANSACTIONAL_PRIORITY if in_transaction or captured or streamed else message.priority


class Sending(Core):
    """The rules by which messages enter queues."""

    # ---- enqueuing

    def enqueue_message(
        self, queue: Queue, message: Message, now: datetime, transaction: UUID | None = None, *, from_transfer: bool = False
    ) -> EnqueueResult:
        """Put a message into a queue, at once or when its transaction commits. [MS-MQDMPR] 3.1.7.1.9

        What comes from another queue manager (`from_transfer`) may have been under way for longer than its sender allowed.
        """
        with self.call():
            unit = self._unit_sent_in(transaction, "Enqueue Message")
            refusal = self._refusal_to_enqueue(queue, message, now, from_transfer=from_transfer)
            if refusal is not EnqueueResult.NO_ERROR:
                return refusal
            stored = self._numbered(message, now, unit)
            expires = _expiry_in(queue, stored, now)
            if unit is None:
                self.message_arrived(queue, self._shelve_message(stored, key_of(queue), expires, arrived=True), stored)
            else:
                position = self._shelve_message(stored, key_of(queue), expires)
                self.append_operation(unit, OperationType.ENQUEUE, position.lookup)
            if unit is not None or message.recoverable:
                self.must_last()
            return EnqueueResult.NO_ERROR

    def _unit_sent_in(self, transaction: UUID | None, operation: str) -> UnitRow | None:
        """The transaction to work in, which has to be there and undecided. The document gives no result for one that is not."""
        if transaction is None:
            return None
        unit = self.unit(transaction)
        if unit is None or unit.decision is not None:
            problem = f"The transaction {transaction} is not open."
            raise StatusError(problem, status=HResult.MQ_ERROR_TRANSACTION_SEQUENCE, operation=operation)
        return unit

    def _refusal_to_enqueue(self, queue: Queue, message: Message, now: datetime, *, from_transfer: bool) -> EnqueueResult:
        """Whether, and why not, the message may come in: first what no second attempt heals, then the whole before the part."""
        if from_transfer and _is_overdue(message, now):
            return EnqueueResult.TIMED_OUT_IN_TRANSIT
        if self.local.throttled:
            return EnqueueResult.QUEUE_MANAGER_QUOTA_EXCEEDED
        # Uncommitted messages count nowhere yet, so a transaction may overshoot a quota when it commits: we accept that.
        if _exceeds(self.local.queue_manager_quota, self.store.total_bytes() + message.size):
            return EnqueueResult.QUEUE_MANAGER_QUOTA_EXCEEDED
        if _exceeds(queue.quota, queue.total_bytes + message.size):
            return EnqueueResult.QUEUE_QUOTA_EXCEEDED
        return EnqueueResult.NO_ERROR

    def _numbered(self, message: Message, now: datetime, unit: UnitRow | None) -> Message:
        """A copy of the message with its place: what was given may stand in another queue already."""
        lookup = lookup_identifier(placement_priority(message, in_transaction=unit is not None), self.store.next_sequential())
        if unit is not None and message.transaction_identifier is None:
            message = message.changed(transaction_identifier=UUID(bytes=unit.identifier))
        return message.changed(lookup_identifier=lookup, message_position_reference=lookup, arrival_time=now)

    def _shelve_message(self, message: Message, queue: QueueKey, expires: int | None, *, arrived: bool = False) -> PositionRow:
        """Write a message into the store: available and counted if it arrived, else locked and uncounted until it is said to be."""
        lookup, size = message.lookup_identifier, message.size
        state = PositionState.AVAILABLE if arrived else PositionState.LOCKED
        content, peek_locked = shelf.content_of(message), message.allow_peek_when_locked
        self.store.add_position(lookup, queue, state, content, size=size, expires=expires, peek_locked=peek_locked, counted=arrived)
        return PositionRow(lookup, queue, state, arrived, size, expires)

    def enqueue_message_to_an_open_queue(
        self, descriptor: OpenQueueDescriptor, message: Message, now: datetime, transaction: UUID | None = None
    ) -> EnqueueResult:
        """Send through a handle, to its queue or to each of its queues; the first that refuses ends it. [MS-MQDMPR] 3.1.7.1.27"""
        if not descriptor.multiple:
            return self.enqueue_message(self._queue_sent_to(descriptor), message, now, transaction)
        with self.call():
            if isinstance(descriptor.format_name, MultipleElementName):
                message = replace(message, destination_multi_queue_format_name=descriptor.format_name.elements)
            queues = [(child, self._queue_sent_to(child)) for child in descriptor.open_queue_descriptor_collection]
            for child, queue in queues:
                copy = replace(message, destination_queue_format_name=cast("SingleName", child.format_name))
                result = self.enqueue_message(queue, copy, now, transaction)
                if result is not EnqueueResult.NO_ERROR:
                    return result
            return EnqueueResult.NO_ERROR

    def _queue_sent_to(self, descriptor: OpenQueueDescriptor) -> Queue:
        """The queue behind a handle. The document gives no result for one that was deleted."""
        queue = None if descriptor.queue_reference is None else self.queue(descriptor.queue_reference)
        if queue is None:
            problem = f"{descriptor.format_name} was deleted after it was opened."
            raise StatusError(problem, status=HResult.MQ_ERROR_QUEUE_NOT_AVAILABLE, operation="Enqueue Message To An Open Queue")
        return queue

    # ---- moving

    def move_message(
        self, position: PositionRow, target: Queue, transaction: UUID | None = None, *, message: Message | None = None
    ) -> None:
        """Take a message to another queue, at once or when its transaction commits. [MS-MQDMPR] 3.1.7.1.16

        Its lookup identifier and its arrival stay, and so decide its place in the target. A position that was deleted already is gone
        from the store: then `message` is what the event of its deletion carried.
        """
        if transaction is not None and target.queue_type is QueueType.SYSTEM:
            raise ValueError(f"a move to the system queue {target.pathname} cannot be part of a transaction")
        with self.call():
            unit = self._unit_sent_in(transaction, "Move Message")
            listed = self.store.position(position.lookup)
            if unit is not None:
                self._move_at_commit(unit, position, listed, target)
            else:
                moved = self._unlisted(position, message, target) if listed is None else self._relisted(listed, target)
                self.message_position_available(moved, announce=target.queue_type is not QueueType.SYSTEM)
            self.must_last()

    def _move_at_commit(self, unit: UnitRow, position: PositionRow, listed: PositionRow | None, target: Queue) -> None:
        if listed is None or listed.state != PositionState.AVAILABLE:
            raise ValueError(f"the message {position.lookup} is not there to be moved")
        self.store.set_state(listed.lookup, PositionState.LOCKED)
        self.append_operation(unit, OperationType.MOVE, listed.lookup, target=target)

    def _relisted(self, listed: PositionRow, target: Queue) -> PositionRow:
        """The position in its new queue, where its time may not run any more."""
        # Departs from [MS-MQDMPR] 3.1.7.1.16: the octets leave the source and count in the target, system queues included.
        moved = self.relist(listed, target, PositionState.AVAILABLE)
        if _keeps_for_ever(target):
            self.store.forget_expiry(listed.lookup)
            self.drop(self.overdue, listed.lookup)
        return moved

    def _unlisted(self, position: PositionRow, message: Message | None, target: Queue) -> PositionRow:
        """A position in the target for a message that has left its queue."""
        if message is None:
            raise ValueError(f"the message {position.lookup} is in no queue, and was not given")
        stored = message.changed(lookup_identifier=position.lookup, message_position_reference=position.lookup)
        return self._shelve_message(stored, key_of(target), None if _keeps_for_ever(target) else position.expires)

    # ---- flow control

    def begin_flow_control(self) -> None:
        """Take no messages for now. [MS-MQDMPR] 3.1.7.2.5"""
        self._throttle(throttled=True)

    def end_flow_control(self) -> None:
        """Take messages again. [MS-MQDMPR] 3.1.7.2.6"""
        self._throttle(throttled=False)

    def _throttle(self, *, throttled: bool) -> None:
        with self.call():
            self.assign(self.local, throttled=throttled)
            self.emit(FlowControlChanged(throttled))


def _is_overdue(message: Message, now: datetime) -> bool:
    """Whether the message took longer than TimeToReachQueue. [MS-MQDMPR] 3.1.7.1.9"""
    if message.sent_time is None or message.time_to_reach_queue == INFINITE:
        return False
    return message.sent_time + timedelta(seconds=message.time_to_reach_queue) < now


def _exceeds(quota: int, size: int) -> bool:
    allowed = quota_in_bytes(quota)
    return allowed is not None and size > allowed


def _expiry_in(queue: Queue, message: Message, now: datetime) -> int | None:
    """When the message must leave this queue, in seconds since 1970; None for never. [MS-MQDMPR] 3.1.2.4"""
    if _keeps_for_ever(queue):
        return None
    received = expiry_of(message, now)
    if not isinstance(queue, OutgoingQueue) or message.time_to_reach_queue == INFINITE:
        return received
    # Departs from [MS-MQDMPR] 3.1.2.4: TimeToReachQueue runs in outgoing queues, or what cannot be sent would stay for ever.
    reached = expiry_of(message.changed(time_to_be_received=message.time_to_reach_queue), now)
    return min(time for time in (received, reached) if time is not None)


def _keeps_for_ever(queue: Queue) -> bool:
    """Whether messages in the queue outlive their time to be received."""
    # Departs from [MS-MQDMPR] 3.1.7.1.9: no timer runs in a system queue, because dead letters and journals are kept to be looked at later.
    return queue.queue_type is QueueType.SYSTEM
