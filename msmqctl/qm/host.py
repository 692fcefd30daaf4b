"""DOOR the owner of a store: the lock, the clock, threads that wait, and one wait for the disk shared by many.

The core never blocks and knows no clock. The host runs its calls one at a time, commits each, and answers a caller when what the
caller was promised is on disk. The flush happens outside the lock: while one is under way other calls run and commit, and
the next flush serves all of them. A thread sleeps until the next message is due to expire; nothing polls.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from msmqctl.errors import StoreError
from msmqctl.qm.directory_model import QueueManagerState
from msmqctl.qm.events import Event, ReadEnded
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.outcome import Outcomes
from msmqctl.qm.store import Store
from msmqctl.qm.waiting import PendingRead, ReadResult

Answer = TypeVar("Answer")
Clock = Callable[[], datetime]
Subscriber = Callable[[list[Event]], None]

# After a failed flush nobody can tell what the disk has: no further promise is made.
_BROKEN = "the disk failed once, and the store has to be opened anew"
# A pause of the timer thread that no deadline asks for; a clock that was set back costs this much at most.
_LONGEST_SLEEP = timedelta(hours=1)


def utc_now() -> datetime:
    """The time of day."""
    return datetime.now(UTC)


class Host:
    """One queue manager, shared by threads."""

    def __init__(self, manager: QueueManager, *, clock: Clock = utc_now, subscriber: Subscriber | None = None) -> None:
        self._manager = manager
        # Acknowledgments, journals and dead letters follow in the commit of what they follow from.
        self._outcomes = Outcomes(manager)
        self._clock = clock
        self._subscriber = subscriber
        self._lock = threading.Lock()
        self._flushing = threading.Lock()
        self._committed = 0
        self._flushed = 0
        self._broken: StoreError | None = None
        self._ended: dict[PendingRead, threading.Event] = {}
        self._sleep = threading.Condition()
        self._due: float | None = None  # when the timer thread means to wake, in seconds since 1970
        self._woken = False
        self._stopping = False
        self._timer = threading.Thread(target=self._run_timers, name="msmqctl timers", daemon=True)

    @classmethod
    def open(cls, path: str | Path, *, patience: float = 0, clock: Clock = utc_now, subscriber: Subscriber | None = None) -> Host:
        """The host of the store at `path`, which is made if there is none; `patience` is how long to wait for its owner to leave."""
        store = Store.open(path, patience=patience)
        handles = count(1)
        return cls(QueueManager(store, new_guid=uuid4, new_handle=lambda: next(handles)), clock=clock, subscriber=subscriber)

    # ---- calls

    def do(self, work: Callable[[QueueManager, datetime], Answer]) -> Answer:
        """Run `work` on the queue manager and return its answer when what it did is safe. If it raises, nothing has happened."""
        with self._lock:
            answer, ticket = self._commit(work)
        self._wait_for_disk(ticket)
        return answer

    def _commit(self, work: Callable[[QueueManager, datetime], Answer]) -> tuple[Answer, int]:
        """Inside the lock: do it, commit it, wake whose reads have ended. The ticket is what has to be flushed, 0 for nothing."""
        if self._broken is not None:
            raise StoreError(f"{self._broken.path}: {_BROKEN}.", path=self._broken.path) from self._broken
        manager = self._manager
        try:
            now = self._clock()
            answer = work(manager, now)
            self._outcomes.settle(now)
            lasting = manager.lasting
            events = manager.commit(flush=False)
        except BaseException:
            manager.rollback()
            raise
        self._committed += 1
        for event in events:
            if isinstance(event, ReadEnded) and (waiting := self._ended.pop(event.read, None)) is not None:
                waiting.set()
        if self._subscriber is not None and events:
            self._subscriber(events)
        # Not before the start is over: what follows from an expiry needs the queues that the start finds.
        if self._timer.ident is None and manager.local.queue_manager_state is QueueManagerState.READY:
            self._timer.start()
        soonest = manager.store.take_soonest_expiry()
        if soonest is not None and (self._due is None or soonest < self._due):
            self._wake_timer()
        return answer, self._committed if lasting else 0

    def _wait_for_disk(self, ticket: int) -> None:
        """Return when the disk has the commit with this number; one flush serves every commit made before it began."""
        if ticket <= self._flushed:
            return
        with self._flushing:
            if ticket <= self._flushed:
                return
            covered = self._committed
            try:
                self._manager.store.flush()
            except StoreError as error:
                self._broken = error
                raise
            self._flushed = covered

    # ---- reads that wait

    def read(self, begin: Callable[[QueueManager, datetime], ReadResult | PendingRead]) -> ReadResult:
        """Run a read to its end: until a message, its time-out or its cancellation, whichever comes first."""
        with self._lock:
            found, ticket = self._commit(begin)
            if isinstance(found, PendingRead) and found.result is None:
                ended = self._ended[found] = threading.Event()
            else:
                ended = None
        self._wait_for_disk(ticket)
        if isinstance(found, ReadResult):
            return found
        if ended is not None:
            self._sit_out(found, ended)
        if found.result is None:
            raise ValueError("a read ended without a result")
        self._wait_for_disk(self._committed)
        return found.result

    def _sit_out(self, read: PendingRead, ended: threading.Event) -> None:
        while not ended.wait(None if read.deadline is None else max((read.deadline - self._clock()).total_seconds(), 0)):
            self.do(lambda manager, now: manager.end_overdue_reads(now))

    # ---- timers

    def _run_timers(self) -> None:
        """Expire what is due, then sleep until something is due again or something that expires sooner came in."""
        while not self._stopping:
            with self._lock:
                due = None if self._broken is not None else self._manager.next_expiry()
                self._due = None if due is None else due.timestamp()
            now = self._clock()
            if due is None or due > now:
                pause = _LONGEST_SLEEP if due is None else min(due - now, _LONGEST_SLEEP)
                with self._sleep:
                    self._sleep.wait_for(lambda: self._woken, pause.total_seconds())
                    self._woken = False
                continue
            try:
                self.do(lambda manager, now: manager.expire(now))
            except StoreError as error:
                self._broken = error

    def _wake_timer(self) -> None:
        with self._sleep:
            self._woken = True
            self._sleep.notify()

    def close(self) -> None:
        """End the timers and let go of the store. Reads that wait are the callers' to cancel first."""
        self._stopping = True
        self._wake_timer()
        if self._timer.ident is not None:
            self._timer.join()
        with self._lock:
            self._manager.store.close()
