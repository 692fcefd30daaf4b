"""Which outgoing message is sent next: one at a time, the highest priority first. [MS-MQDMPR] 3.1.7.1.28, .29, .34, 3.1.7.3.9

    add     a message waits for its turn                                        then send, if nothing is on its way
    send    the first entry that may go is marked and handed to its protocol
    remove  the protocol is done with it, at once or much later                 then send the next

A protocol that is done at once removes the entry while it is still being handed over. So what has to be sent next is found in a loop
and not by going deeper with every message.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from msmqctl.qm.core import Core, key_of
from msmqctl.qm.element import element, volatile
from msmqctl.qm.message import Message
from msmqctl.qm.model import DispatchEntry, OutgoingQueue, OutgoingQueueState, PositionState, QueueKey, is_active
from msmqctl.qm.schema import PRIORITIES, PRIORITY_SHIFT
from msmqctl.qm.store import PositionRow
from msmqctl.wire.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Transports:
    """How a message leaves, by the protocol that put it into the collection; each takes the protocol's data and the position."""

    binary: Callable[[object, PositionRow], None]
    """Send User Message Wrapper. [MS-MQQB] 3.1.7.16"""
    srmp: Callable[[None, PositionRow], None]
    """Send User Message Wrapper. [MC-MQSRM] 3.1.7.8"""

    def send(self, protocol_data: object | None, position: PositionRow) -> None:
        """Hand the message over: whoever has no data of its own is SRMP. [MS-MQDMPR] 3.1.7.3.9"""
        if protocol_data is not None:
            self.binary(protocol_data, position)
        else:
            self.srmp(None, position)


@element
class QueuedDispatchEntry(DispatchEntry):
    """An entry that knows its queue, because a position that was deleted cannot tell it any more."""

    queue_reference: QueueKey = volatile()


class NextToSend(NamedTuple):
    """The message whose turn it is in an outgoing queue."""

    queue: OutgoingQueue
    message: Message


# Outgoing queues from which nothing is sent.
_AT_REST = frozenset({OutgoingQueueState.ON_HOLD, OutgoingQueueState.LOCKED})


def dispatch_priority(base_priority: int, lookup: int) -> int:
    """BasePriority of the queue and priority of the message together. [MS-MQDMPR] 3.1.7.1.28"""
    # Departs from [MS-MQDMPR] 3.1.7.1.28: a transactional message counts as priority 0, or messages of one stream would overtake.
    # The priority by which a message stands in its queue, 0 for transactional ones, is the top of its lookup identifier.
    return base_priority + PRIORITIES - 1 - (lookup >> PRIORITY_SHIFT)


class Dispatch(Core):
    """The dispatcher of a queue manager. Its collection is kept in the order in which entries go out."""

    _sending = False
    _send_again = False

    def add_message_to_dispatch_collection(self, data: object | None, position: PositionRow, transports: Transports) -> None:
        """Let a message wait for its turn; `data` belongs to the protocol that sends it, None means SRMP. [MS-MQDMPR] 3.1.7.1.28"""
        with self.call():
            queue = self.queue(position.queue)
            if queue is None:
                raise ValueError(f"the message {position.lookup} is in no queue")
            entry = QueuedDispatchEntry(
                message_position_reference=position.lookup,
                protocol_data=data,
                priority=dispatch_priority(queue.base_priority, position.lookup),
                queue_reference=position.queue,
            )
            self._insert(entry)
            self._dispatch_send_message(transports)

    def remove_message_from_dispatch_collection(self, position: PositionRow, transports: Transports) -> None:
        """The message was sent, or need not be any more: the next one may go. [MS-MQDMPR] 3.1.7.1.29"""
        with self.call():
            for entry in self.local.dispatch_collection:
                if entry.message_position_reference == position.lookup:
                    self.drop(self.local.dispatch_collection, entry)
                    break
            self._dispatch_send_message(transports)

    def remove_messages_from_dispatch_collection_by_queue(self, queue: OutgoingQueue, transports: Transports) -> None:
        """Nothing of this queue shall be sent now. [MS-MQDMPR] 3.1.7.1.34"""
        with self.call():
            gone = [entry for entry in self.local.dispatch_collection if self._queue_of_entry(entry) == key_of(queue)]
            for entry in gone:
                self.drop(self.local.dispatch_collection, entry)
            # Departs from [MS-MQDMPR] 3.1.7.1.34: if the message on its way was removed the next is sent, or nothing would start it.
            if any(entry.send_in_progress for entry in gone):
                self._dispatch_send_message(transports)

    # ---- queue by queue, for a courier that delivers one message of each at a time

    def queues_with_mail(self) -> list[QueueKey]:
        """The outgoing queues in which messages wait."""
        rows = ((key, self.store.queue(key)) for key in sorted(self.local.queue_collection) if isinstance(self.queue(key), OutgoingQueue))
        return [key for key, row in rows if row is not None and row.messages]

    def next_to_send(self, key: QueueKey) -> NextToSend | None:
        """The first message of an outgoing queue, unless it is empty, gone or at rest, or this queue manager was taken offline."""
        queue = self.queue(key)
        if not isinstance(queue, OutgoingQueue) or queue.state in _AT_REST or not self.local.connection_active:
            return None
        position = self.store.first_available(key)
        return None if position is None else NextToSend(queue, self.message(position.lookup))

    def _insert(self, entry: DispatchEntry) -> None:
        """Behind all entries of the same or a higher priority."""
        collection = self.local.dispatch_collection
        collection.insert(bisect_right(collection, -entry.priority, key=lambda other: -other.priority), entry)
        self._undo.append(lambda: collection.remove(entry))

    def _queue_of_entry(self, entry: DispatchEntry) -> QueueKey | None:
        """The queue that the message is in, or was in last."""
        position = self.store.position(entry.message_position_reference)
        if position is not None:
            return position.queue
        return entry.queue_reference if isinstance(entry, QueuedDispatchEntry) else None

    def _dispatch_send_message(self, transports: Transports) -> None:
        """Send the next message, unless one is on its way. [MS-MQDMPR] 3.1.7.3.9"""
        self._send_again = True
        if self._sending:
            return
        self._sending = True
        try:
            while self._send_again:
                self._send_again = False
                self._send_first(transports)
        finally:
            self._sending = False

    def _send_first(self, transports: Transports) -> None:
        if any(entry.send_in_progress for entry in self.local.dispatch_collection):
            return
        for entry in self.local.dispatch_collection:
            position = self.store.position(entry.message_position_reference)
            if position is not None and self._may_go(position):
                self.assign(entry, send_in_progress=True)
                transports.send(entry.protocol_data, position)
                return

    def _may_go(self, position: PositionRow) -> bool:
        """Whether the message is still there and its queue is active. [MS-MQDMPR] 3.1.7.3.9"""
        queue, row = self.queue(position.queue), self.store.queue(position.queue)
        if queue is None or row is None or position.state == PositionState.DELETED:
            return False
        return is_active(queue, waiting_for_transfer=row.messages)
