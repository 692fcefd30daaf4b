"""DOOR one of several callers of a host: what it waits for ends when it leaves, and nobody else notices."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from msmqctl.qm.host import Host
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.waiting import PendingRead, ReadResult
from msmqctl.wire.status import HResult

Answer = TypeVar("Answer")


class Visit:
    """A caller that may leave at any time, seen by a thread that works for it and by another that sees it leave."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._lock = threading.Lock()
        self._waiting: PendingRead | None = None
        self.left = False

    def do(self, work: Callable[[QueueManager, datetime], Answer]) -> Answer:
        """As the host does it. It works after the caller has left too, because what it began has to be ended."""
        return self._host.do(work)

    def read(self, begin: Callable[[QueueManager, datetime], ReadResult | PendingRead]) -> ReadResult:
        """As the host does it; the read of a caller that leaves meanwhile is cancelled."""
        try:
            return self._host.read(begin, waits=self._wait)
        finally:
            with self._lock:
                self._waiting = None

    def _wait(self, read: PendingRead) -> None:
        with self._lock:
            self._waiting = read
            left = self.left
        if left:
            self._cancel(read)

    def leave(self) -> None:
        """End the read that waits, and every later one that would have to."""
        with self._lock:
            self.left = True
            waiting = self._waiting
        if waiting is not None:
            self._cancel(waiting)

    def _cancel(self, read: PendingRead) -> None:
        self._host.do(lambda manager, now: manager.cancel_read(read, HResult.MQ_ERROR_OPERATION_CANCELLED))
