"""What an administrator does to the running queue manager: cut it off and connect it, stop and start an outgoing queue. [MS-MQDMPR] 3.1.4

Whether a connection may be used, and what pausing means for messages that are on their way, is decided by the protocols that transfer
them: they read ConnectionActive and hear of the two events.

Both attributes are volatile. What an administrator wants is noted in the store beside them, and the next start finds it there.
"""

from __future__ import annotations

from msmqctl.qm.core import Core, key_of
from msmqctl.qm.events import ConnectionChanged, QueuePaused, QueueResumed
from msmqctl.qm.model import OutgoingQueue, OutgoingQueueState, QueueKey

# Where the store notes that the queue manager is to stay offline, and which outgoing queues are to stay on hold.
OFFLINE, ON_HOLD = "offline", "on-hold"
THIS_QUEUE_MANAGER = b""
_NOTED = b"\x01"


def hold_key(queue: QueueKey) -> bytes:
    """How the note about an outgoing queue is found."""
    return queue.to_bytes(8, "big")


class Administration(Core):
    """The administrator's part of a queue manager."""

    def take_offline(self) -> None:
        """Exchange no messages with other queue managers. [MS-MQDMPR] 3.1.4.12"""
        with self.call():
            # Departs from [MS-MQDMPR] 3.1.1.1: who is taken offline stays so over a restart, because a command ends with its prompt.
            self.store.put_note(OFFLINE, THIS_QUEUE_MANAGER, _NOTED)
            self.assign(self.local, connection_active=False)
            self.emit(ConnectionChanged(active=False))
            self.must_last()

    def bring_online(self) -> None:
        """Exchange messages with other queue managers. [MS-MQDMPR] 3.1.4.13"""
        with self.call():
            self.store.delete_note(OFFLINE, THIS_QUEUE_MANAGER)
            self.assign(self.local, connection_active=True)
            self.emit(ConnectionChanged(active=True))
            self.must_last()

    def pause_queue(self, queue: OutgoingQueue) -> None:
        """Put an outgoing queue on hold, and say so. [MS-MQDMPR] 3.1.4.14, 3.1.7.2.3"""
        with self.call():
            # Departs from [MS-MQDMPR] 3.1.1.3: OnHold holds over a restart, because nobody else would remember the administrator's wish.
            self.store.put_note(ON_HOLD, hold_key(key_of(queue)), _NOTED)
            self.assign(queue, state=OutgoingQueueState.ON_HOLD)
            self.must_last()
            self.emit(QueuePaused(queue))

    def resume_queue(self, queue: OutgoingQueue) -> None:
        """Let an outgoing queue go on, whatever it did before, and say so. [MS-MQDMPR] 3.1.4.15, 3.1.7.2.4"""
        with self.call():
            self.store.delete_note(ON_HOLD, hold_key(key_of(queue)))
            self.assign(queue, state=OutgoingQueueState.INACTIVE)
            self.must_last()
            self.emit(QueueResumed(queue))
