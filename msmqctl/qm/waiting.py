"""Reads and their results: at once, or after a wait that the host has to sit out. [MS-MQDMPR] 3.1.7.3.1"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from datetime import datetime

from msmqctl.qm.message import Message
from msmqctl.qm.model import OpenQueueDescriptor, WaitingMessageReadOperation
from msmqctl.qm.store import PositionRow
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.status import HResult


@dataclass(frozen=True, slots=True)
class ReadResult:
    """How a read ended; the message is there exactly with MQ_OK."""

    status: HResult
    message: Message | None = None


@dataclass(slots=True, eq=False)
class PendingRead:
    """A read that found nothing and waits until its message, its time-out or its cancellation comes, whichever is first.

    `deadline` is None for a wait without end. `finish` makes the result out of the position that satisfies the read, `give_up` out
    of the status that ends it; the core calls one of them, once, inside the transaction in which it happens.
    """

    descriptor: OpenQueueDescriptor
    operation: WaitingMessageReadOperation
    deadline: datetime | None
    finish: Callable[[PositionRow], ReadResult]
    give_up: Callable[[HResult], ReadResult]
    result: ReadResult | None = field(default=None)
