"""DOOR calls of many threads, one after the other: those that wait at the same moment share one commit and one wait for the disk.

    first come   runs its own call and all that wait meanwhile, commits them together, passes the turn on, flushes, and wakes the others
    the others   wait, each at a gate of its own, until their call is answered or the turn is theirs

So a thread that works alone never waits for another, and with many threads only one at a time wants to run. The flush comes after the
turn was passed on: while the disk is busy the next calls run, and those that need no flush are answered without one.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any


class Call:
    """One call on its way: what to do, and then how it ended."""

    __slots__ = ("answer", "done", "error", "gate", "lasting", "leads", "work")

    def __init__(self, work: Callable[..., Any]) -> None:
        self.work = work
        self.answer: Any = None
        self.error: BaseException | None = None
        # Whether the answer promises something that must survive a power cut.
        self.lasting = False
        self.done = False
        # Whether its thread has the turn; the gate opens for that, or for the answer. Who never waits needs none.
        self.leads = False
        self.gate: threading.Lock | None = None

    def end(self) -> None:
        """Let the waiting thread have its answer."""
        self.done = True
        if self.gate is not None:
            self.gate.release()


class Turns:
    """Who runs calls now, and who is next."""

    def __init__(
        self,
        lock: threading.Lock,
        perform: Callable[[Call], None],
        commit: Callable[[], int],
        roll_back: Callable[[], None],
        flush: Callable[[int], None],
    ) -> None:
        # Held by whoever has the turn.
        self._lock = lock
        # Runs a call, so that a failed one leaves nothing. What it raises itself means that nothing since the last commit is left.
        self._perform = perform
        # Makes all calls since the last time stay, and gives the number to flush up to. If it fails, none of them has happened.
        self._commit = commit
        self._roll_back = roll_back
        self._flush = flush
        self._door = threading.Lock()
        self._calls: deque[Call] = deque()
        self._taken = False

    def take(self, work: Callable[..., Any]) -> Any:
        """Run `work` in its turn, and give its answer when what it promises is safe."""
        call = Call(work)
        with self._door:
            self._calls.append(call)
            if self._taken:
                call.gate = threading.Lock()
                call.gate.acquire()
            else:
                self._taken = call.leads = True
        if call.gate is not None:
            self._wait(call, call.gate)
        if not call.done:
            self._lead(call)
        if call.error is not None:
            raise call.error
        return call.answer

    def _wait(self, call: Call, gate: threading.Lock) -> None:
        try:
            gate.acquire()
        except BaseException:  # an interrupt: nobody waits at this gate any more
            with self._door:
                if call.leads and not call.done:
                    self._pass_on()
                elif call in self._calls:
                    self._calls.remove(call)
            raise

    def _lead(self, own: Call) -> None:
        """Have the turn: run what waits, commit it, pass the turn on, and see that the disk has what was promised."""
        batch: list[Call] = []
        ticket = 0
        try:
            with self._lock:
                ticket = self._run_all(batch)
        except Exception as error:
            _fail(batch, error)
        except BaseException as interrupt:
            # It was meant for this thread alone. What the others want has not happened, so it can run again.
            with self._door:
                self._calls.extendleft(call for call in reversed(batch) if call is not own)
            batch = [own]
            _fail(batch, interrupt)
        with self._door:
            self._pass_on()
        lasting = [call for call in batch if call.lasting]
        for call in batch:
            if not call.lasting:
                call.end()
        if lasting:
            self._end_on_disk(lasting, ticket)

    def _run_all(self, batch: list[Call]) -> int:
        """Run the calls that wait, those that come meanwhile too: each thread has one at most, and gets no answer before the commit."""
        try:
            while self._calls:
                batch.append(self._calls.popleft())
                self._perform(batch[-1])
            return self._commit()
        except BaseException:
            self._roll_back()
            raise

    def _pass_on(self) -> None:
        """Inside the door: wake whoever has waited longest, to have the turn."""
        if self._calls:
            following = self._calls[0]
            following.leads = True
            if following.gate is not None:
                following.gate.release()
        else:
            self._taken = False

    def _end_on_disk(self, lasting: list[Call], ticket: int) -> None:
        try:
            self._flush(ticket)
        except BaseException as error:
            _fail(lasting, error)
        for call in lasting:
            call.end()


def _fail(calls: list[Call], error: BaseException) -> None:
    for call in calls:
        call.error = error
        call.lasting = False
