"""What an administrator does to the running queue manager: cut it off and connect it, stop and start an outgoing queue. [MS-MQDMPR] 3.1.4

Whether a connection may be used, and what pausing means for messages that are on their way, is decided by the protocols that transfer
them: they read ConnectionActive and hear of the two events.
"""

from __future__ import annotations

from msmqctl.qm.core import Core
from msmqctl.qm.events import ConnectionChanged, QueuePaused, QueueResumed
from msmqctl.qm.model import OutgoingQueue, OutgoingQueueState


class Administration(Core):
    """The administrator's part of a queue manager."""

    def take_offline(self) -> None:
        """Exchange no messages with other queue managers. [MS-MQDMPR] 3.1.4.12"""
        with self.call():
            self.assign(self.local, connection_active=False)
            self.emit(ConnectionChanged(active=False))

    def bring_online(self) -> None:
        """Exchange messages with other queue managers. [MS-MQDMPR] 3.1.4.13"""
        with self.call():
            self.assign(self.local, connection_active=True)
            self.emit(ConnectionChanged(active=True))

    def pause_queue(self, queue: OutgoingQueue) -> None:
        """Put an outgoing queue on hold, and say so. [MS-MQDMPR] 3.1.4.14, 3.1.7.2.3"""
        with self.call():
            self.assign(queue, state=OutgoingQueueState.ON_HOLD)
            self.emit(QueuePaused(queue))

    def resume_queue(self, queue: OutgoingQueue) -> None:
        """Let an outgoing queue go on, whatever it did before, and say so. [MS-MQDMPR] 3.1.4.15, 3.1.7.2.4"""
        with self.call():
            self.assign(queue, state=OutgoingQueueState.INACTIVE)
            self.emit(QueueResumed(queue))
