"""What happened, for those who have to know: protocol rooms, and the host that wakes readers and hands out mail. [MS-MQDMPR] 3.1.7.2

Events are collected while a transaction runs and handed out after its commit, in the order in which they happened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmqctl.qm.message import Message
from msmqctl.qm.model import OutgoingQueue, Queue
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.values import MessageClass

if TYPE_CHECKING:
    from msmqctl.qm.waiting import PendingRead


@dataclass(frozen=True, slots=True)
class MessagePositionDeleted:
    """A message left its queue, and why; it is still here to be looked at. [MS-MQDMPR] 3.1.7.2.1"""

    queue: Queue
    lookup_identifier: int
    message: Message
    reason: MessageClass


@dataclass(frozen=True, slots=True)
class MessagePositionAvailable:
    """A message can be read: it arrived, was committed, moved, or given back. [MS-MQDMPR] 3.1.7.2.2"""

    queue: Queue
    lookup_identifier: int


@dataclass(frozen=True, slots=True)
class QueuePaused:
    """An administrator stopped the transfer of an outgoing queue. [MS-MQDMPR] 3.1.7.2.3"""

    queue: OutgoingQueue


@dataclass(frozen=True, slots=True)
class QueueResumed:
    """An administrator lets the transfer of an outgoing queue go on. [MS-MQDMPR] 3.1.7.2.4"""

    queue: OutgoingQueue


@dataclass(frozen=True, slots=True)
class ConnectionChanged:
    """An administrator cut the queue manager off, or connected it again. Our own, for [MS-MQDMPR] 3.1.4.12 and 3.1.4.13."""

    active: bool


@dataclass(frozen=True, slots=True)
class FlowControlChanged:
    """Enqueuing was throttled, or set free. [MS-MQDMPR] 3.1.7.2.5, 3.1.7.2.6"""

    throttled: bool


@dataclass(frozen=True, slots=True)
class ReadEnded:
    """A read that had to wait has its result; its thread may go on. Our own."""

    read: PendingRead


Event = MessagePositionDeleted | MessagePositionAvailable | QueuePaused | QueueResumed | ConnectionChanged | FlowControlChanged | ReadEnded
