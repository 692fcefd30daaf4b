"""The Time To Be Received timers of all messages, as one question: whose time is over now? [MS-MQDMPR] 3.1.2.4, 3.1.7.2.7

The store keeps with each position the second in which its time ends, so no timer has to be started again after a restart. Time is
counted in whole seconds, as SentTime and TimeToBeReceived are; what is left of a second when a message is sent comes on top.
"""

from __future__ import annotations

from datetime import UTC, datetime

from msmqctl.qm.core import Core
from msmqctl.qm.model import PositionState, Queue, QueueType
from msmqctl.qm.store import PositionRow
from msmqctl.wire.values import MessageClass


def timer_runs_in(queue: Queue) -> bool:
    """Whether messages in the queue can run out of time. [MS-MQDMPR] 3.1.2.4"""
    # Departs from [MS-MQDMPR] 3.1.7.2.7: nothing expires in system queues and journals, or a dead letter would die of what made it one.
    return queue.queue_type is not QueueType.SYSTEM and not (queue.pathname is not None and queue.pathname.journal)


class Expiry(Core):
    """The rules by which messages leave queues unread."""

    def expire(self, now: datetime) -> None:
        """End the time of every message that has none left. [MS-MQDMPR] 3.1.2.4"""
        with self.call():
            # The store looks for what ended before a second; what ends in this second has ended too.
            before = int(now.timestamp()) + 1
            while due := self.store.expired(before):
                for position in due:
                    self._time_to_be_received_timer_expired(position)

    def next_expiry(self) -> datetime | None:
        """When `expire` has something to do again; None while no message can expire."""
        due = self.store.next_expiry()
        return None if due is None else datetime.fromtimestamp(due, UTC)

    def _time_to_be_received_timer_expired(self, position: PositionRow) -> None:
        """Delete a message that nobody read in time. Whoever holds it may keep it; given back, it is deleted. [MS-MQDMPR] 3.1.7.2.7"""
        # Departs from [MS-MQDMPR] 3.1.7.2.7: no operation is appended to the sending transaction, because that one has usually ended.
        queue = self.queue(position.queue)
        runs = queue is not None and timer_runs_in(queue)
        if runs and position.state == PositionState.AVAILABLE:
            self.message_position_deleted(position, MessageClass.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT)
            self.must_last()
            return
        # Departs from [MS-MQDMPR] 3.1.7.2.7: a message that somebody holds stays until the lock ends, or its reader would lose it.
        self.store.forget_expiry(position.lookup)
        if runs:
            self.add(self.overdue, position.lookup)
