"""DOOR the owner of a store: the lock, the clock, threads that wait, and one wait for the disk shared by many.

The core never blocks and knows no clock. The host runs its calls one at a time and answers a caller when what the caller was promised
is on disk. Calls that wait at the same moment share one commit and one flush. The flush happens outside the lock: while one is under
way other calls run and commit. A thread sleeps until the next message is due to expire; nothing polls.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Protocol, TypeVar
from uuid import uuid4

from msmqctl.errors import StoreError
from msmqctl.qm.directory_model import QueueManagerState
from msmqctl.qm.events import Event, ReadEnded
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.outcome import Outcomes
from msmqctl.qm.store import Store
from msmqctl.qm.turns import Call, Turns
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


class Desk(Protocol):
    """Where work for the queue manager is handed in: a host, or one of several visitors of it."""

    def do(self, work: Callable[[QueueManager, datetime], Answer]) -> Answer:
        """Run `work` on the queue manager and return its answer when what it did is safe. If it raises, nothing has happened."""

    def read(self, begin: Callable[[QueueManager, datetime], ReadResult | PendingRead]) -> ReadResult:
        """Run a read to its end: until a message, its time-out or its cancellation, whichever comes first."""


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
        self._turns = Turns(self._lock, self._perform, self._commit, manager.rollback, self._wait_for_disk)
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
        answer: Answer = self._turns.take(work)
        return answer

    def _perform(self, call: Call) -> None:
        """Inside the lock: run a call with all that follows from it. One that fails leaves nothing, and the others of its commit stay."""
        if self._broken is not None:
            raise StoreError(f"{self._broken.path}: {_BROKEN}.", path=self._broken.path) from self._broken
        manager = self._manager
        try:
            with manager.call():
                now = self._clock()
                call.answer = call.work(manager, now)
                self._outcomes.settle(now)
        except Exception as error:
            if manager.store.ended:
                raise
            call.error = error
            manager.take_lasting()
        else:
            call.lasting = manager.take_lasting()

    def _commit(self) -> int:
        """Inside the lock: commit what was done, wake whose reads have ended. The ticket is what has to be flushed."""
        manager = self._manager
        events = manager.commit(flush=False)
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
        if None in manager.directory_timers.values() or (soonest is not None and (self._due is None or soonest < self._due)):
            self._wake_timer()
        return self._committed

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

    def read(
        self, begin: Callable[[QueueManager, datetime], ReadResult | PendingRead], *, waits: Callable[[PendingRead], None] | None = None
    ) -> ReadResult:
        """Run a read to its end: until a message, its time-out or its cancellation, whichever comes first.

        `waits` is told of a read that has to wait, so that another thread can cancel it.
        """
        ended: threading.Event | None = None

        def work(manager: QueueManager, now: datetime) -> ReadResult | PendingRead:
            nonlocal ended
            found = begin(manager, now)
            if isinstance(found, PendingRead) and found.result is None:
                # Known before the commit, because a call that shares it may end the wait.
                ended = self._ended[found] = threading.Event()
            return found

        found = self.do(work)
        if isinstance(found, ReadResult):
            return found
        if ended is not None:
            if waits is not None:
                waits(found)
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
        """Do what is due, then sleep until something is due again, or something that is due sooner came in."""
        while not self._stopping:
            try:
                due = self.do(self._run_due)
            except StoreError as error:
                self._broken = error
                due = None
            pause = _LONGEST_SLEEP if due is None else min(due - self._clock(), _LONGEST_SLEEP)
            with self._sleep:
                self._sleep.wait_for(lambda: self._woken, max(pause.total_seconds(), 0))
                self._woken = False

    def _run_due(self, manager: QueueManager, now: datetime) -> datetime | None:
        """Expire messages, run the timers of the directory, and say when there is more to do."""
        deadlines = [manager.next_expiry(), manager.next_directory_deadline(now)]
        if any(deadline is not None and deadline <= now for deadline in deadlines):
            manager.expire(now)
            manager.run_directory_timers(now)
            deadlines = [manager.next_expiry(), manager.next_directory_deadline(now)]
        due = min((deadline for deadline in deadlines if deadline is not None), default=None)
        self._due = None if due is None else due.timestamp()
        return due

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
