"""The whole queue manager beside a naive one: order, locks, totals, quotas, transactions, time; failed commits and restarts too.

    MACHINE_EXAMPLES=5000 python -m pytest tests/qm/test_manager_machine.py

runs so many random stories of fifty steps instead of the few that the suite repeats each time.
"""

from __future__ import annotations

import copy
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from msmqctl.errors import StatusError
from msmqctl.qm.core import key_of
from msmqctl.qm.cursor import sequential_at_end
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.message import DeliveryGuarantee
from msmqctl.qm.model import (
    CursorState,
    MessageSeekAction,
    PositionState,
)
from msmqctl.qm.sending import EnqueueResult
from msmqctl.qm.store import MEMORY
from msmqctl.qm.transactions import Reenlistment
from msmqctl.qm.waiting import PendingRead, ReadResult
from msmqctl.wire.status import HResult
from msmqctl.wire.values import INFINITE
from tests.qm.conftest import Bench
from tests.qm.machine_desk import FINGERS, MANAGER_QUOTA, QUOTAS, Ours, check, lookup_of
from tests.qm.naive_manager import (
    NO_QUEUE,
    OK,
    PEEK,
    RECEIVE,
    SEQUENCE,
    TIMEOUT,
    TWO_STEPS,
    Answer,
    Deal,
    Finger,
    Item,
    Line,
    Naive,
    Wait,
)
from tests.qm.samples import after, labelled

EXAMPLES = int(os.environ.get("MACHINE_EXAMPLES", "0"))

# Transactions begin when somebody first works in them; the last never does.
DEALS = {"one": UUID(int=0xD1), "two": UUID(int=0xD2), "never begun": UUID(int=0xD3)}
NEVER = "never begun"

QUEUES, SENT_TO = st.sampled_from(tuple(QUOTAS)), st.sampled_from(("orders", "bills"))
DEAL = st.sampled_from(tuple(DEALS))
PERHAPS_IN_DEAL = st.sampled_from((None, None, "one", "two", "one", "two", NEVER))
TAKES = st.sampled_from((PEEK, PEEK, PEEK, RECEIVE, TWO_STEPS, TWO_STEPS, "one", "two", NEVER))
# What would empty queues too often happens now and then only.
NOW_AND_THEN = st.integers(0, 5).map(lambda chance: chance == 5)
WHICH = st.integers(0, 99)
SECONDS = st.sampled_from((0, 0, 0, 0, 5, 60))


def ways(how: str) -> dict[str, Any]:
    """The arguments of a read that takes a message so."""
    return {"transaction": DEALS[how]} if how in DEALS else {"two_phase": how == TWO_STEPS}


class Machine(RuleBasedStateMachine):
    """In memory."""

    path = MEMORY

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.ours = Ours(Bench(self.path if self.path == MEMORY else str(Path(self.folder.name) / self.path)))
        self.model = Naive(MANAGER_QUOTA, {name: Line(name, quota) for name, quota in QUOTAS.items()})
        self.model.fingers = [Finger(self.model.lines[name]) for name in FINGERS]
        # Each read that waits or waited, ours beside the model's; only ever appended to.
        self.reads: list[tuple[PendingRead, Wait]] = []
        self.saved = self.model_as_it_is()

    def teardown(self) -> None:
        self.ours.bench.close()
        self.folder.cleanup()

    def model_as_it_is(self) -> tuple[Naive, list[Wait]]:
        """The model, for the day on which a commit fails."""
        return copy.deepcopy((self.model, [wait for _, wait in self.reads]))

    @property
    def core(self) -> QueueManager:
        return self.ours.core

    # ---- sending

    @rule(name=SENT_TO, priority=st.integers(0, 7), size=st.sampled_from((100, 700, 1024)), time=st.sampled_from((None, None, 0, 20, 70)),
          open_to_peeks=st.booleans(), recoverable=st.booleans(), deal=PERHAPS_IN_DEAL, times=st.integers(1, 5))  # fmt: skip
    def send(self, times: int, **what: Any) -> None:
        """Several of a kind, so that there is something to work on."""
        for _ in range(times):
            self.send_one(**what)

    def send_one(
        self, name: str, priority: int, size: int, time: int | None, open_to_peeks: bool, recoverable: bool, deal: str | None
    ) -> None:
        self.begin(deal)
        line = self.model.lines[name]
        due = None if time is None else self.model.now + time
        item = Item(self.model.sent + 1, 0 if deal else priority, size, open_to_peeks, due)
        message = labelled(
            item.label,
            size=size,
            priority=priority,
            allow_peek_when_locked=open_to_peeks,
            delivery_guarantee=DeliveryGuarantee.RECOVERABLE if recoverable else DeliveryGuarantee.EXPRESS,
            time_to_be_received=INFINITE if time is None else time,
            sent_time=after(self.model.now),
        )

        def enqueue() -> EnqueueResult:
            return self.core.enqueue_message(self.ours.queue(name), message, after(self.model.now), DEALS[deal] if deal else None)

        if deal is not None and not self.model.can(deal):
            with pytest.raises(StatusError):
                enqueue()
            return
        refusal = self.model.refusal(line, size)
        assert enqueue() is refusal
        if refusal is EnqueueResult.NO_ERROR:
            self.model.send(line, item, self.model.deals[deal] if deal else None)

    # ---- reading

    @rule(name=QUEUES, how=TAKES, seconds=SECONDS)
    def read(self, name: str, how: str, seconds: int) -> None:
        self.begin(how)
        line, handle, now = self.model.lines[name], self.ours.handles[name], after(self.model.now)
        wanted = self.model.read(line, how)

        def start() -> ReadResult | PendingRead:
            if how == PEEK:
                return self.core.peek_message(handle, now, timeout=seconds)
            return self.core.dequeue_message(handle, now, timeout=seconds, tag=len(self.reads), **ways(how))

        self.compare(start(), wanted, line, how, seconds)

    def compare(
        self, heard: ReadResult | PendingRead, wanted: Answer | None, line: Line, how: str, seconds: int, finger: Finger | None = None
    ) -> None:
        """What was heard is what was to be heard, or both wait."""
        if wanted is not None or seconds == 0:
            check(heard, TIMEOUT if wanted is None else wanted)
            return
        assert isinstance(heard, PendingRead)
        self.reads.append((heard, self.model.begin_wait(line, how, seconds, finger)))

    @precondition(lambda self: any(line.items for line in self.model.lines.values()))
    @rule(which=WHICH, delete=st.booleans())
    def end_two_steps(self, which: int, delete: bool) -> None:
        line, item = self.choose(which, lambda one: True)
        status = self.core.dequeue_message_end(self.ours.handles[line.name], lookup_of(item), delete=delete)
        assert status is self.model.end_two_steps(line, item, delete=delete)

    def choose(self, which: int, fit: Callable[[Item], bool]) -> tuple[Line, Item]:
        """One of all items that fit; held ones come first, because there are fewer of them."""
        found = [(line, item) for line in self.model.lines.values() for item in line.items if fit(item)]
        found.sort(key=lambda pair: pair[1].free)
        return found[which % len(found)]

    @rule(name=QUEUES, number=WHICH, action=st.sampled_from(MessageSeekAction), how=TAKES, around=st.booleans())
    def look_up(self, name: str, number: int, action: MessageSeekAction, how: str, around: bool) -> None:
        self.begin(how)
        line = self.model.lines[name]
        if around and line.items:
            number = line.items[number % len(line.items)].number
        wanted = self.model.look_up(line, number, action, how)
        given = {} if how == PEEK else ways(how)
        check(
            self.core.read_message_by_lookup_identifier(self.ours.handles[name], number, peek=how == PEEK, action=action, **given), wanted
        )

    # ---- reading through cursors

    @rule(which=st.integers(0, len(FINGERS) - 1), how=TAKES, seconds=SECONDS)
    def read_by_cursor(self, which: int, how: str, seconds: int) -> None:
        self.begin(how)
        finger, cursor, now = self.model.fingers[which], self.ours.cursors[which], after(self.model.now)
        handle = self.ours.handles[FINGERS[which]]
        wanted = self.model.cursor_read(finger, how, patient=seconds > 0)
        if how == PEEK:
            heard = self.core.peek_message(handle, now, timeout=seconds, cursor=cursor)
        else:
            heard = self.core.dequeue_message(handle, now, timeout=seconds, cursor=cursor, **ways(how))
        self.compare(heard, wanted, finger.line, how, seconds, finger)

    @rule(which=st.integers(0, len(FINGERS) - 1), seconds=SECONDS)
    def next_by_cursor(self, which: int, seconds: int) -> None:
        finger, cursor, now = self.model.fingers[which], self.ours.cursors[which], after(self.model.now)
        wanted = self.model.cursor_next(finger, patient=seconds > 0)
        heard = self.core.peek_next_message(self.ours.handles[FINGERS[which]], now, cursor, timeout=seconds)
        self.compare(heard, wanted, finger.line, PEEK, seconds, finger)

    @precondition(lambda self: self.model.waits)
    @rule(which=WHICH)
    def cancel(self, which: int) -> None:
        """By the tag, which only receivers without a cursor have here."""
        index, wait = [(at, wait) for at, (_, wait) in enumerate(self.reads) if wait in self.model.waits][which % len(self.model.waits)]
        tagged = wait.finger is None and wait.take != PEEK
        status = HResult.MQ_ERROR_OPERATION_CANCELLED
        heard = self.core.cancel_waiting_message_read_request(self.ours.queue(wait.line.name), index, status)
        assert heard is (OK if tagged else HResult.STATUS_NOT_FOUND)
        if tagged:
            self.model.give_up(wait, status)

    # ---- moving, purging, deleting

    @precondition(lambda self: any(item.free for line in self.model.lines.values() for item in line.items))
    @rule(which=WHICH, name=QUEUES, deal=PERHAPS_IN_DEAL)
    def move(self, which: int, name: str, deal: str | None) -> None:
        line, item = self.choose(which, lambda one: one.free)
        if line.name == name:
            return
        self.begin(deal)
        position = self.core.store.position(lookup_of(item))
        assert position is not None
        if deal is not None and not self.model.can(deal):
            with pytest.raises(StatusError):
                self.core.move_message(position, self.ours.queue(name), DEALS[deal])
            return
        self.core.move_message(position, self.ours.queue(name), DEALS[deal] if deal else None)
        self.model.move(line, item, self.model.lines[name], self.model.deals[deal] if deal else None)

    @rule(name=QUEUES, really=NOW_AND_THEN)
    def purge(self, name: str, really: bool) -> None:
        if not really:
            return
        self.core.purge_queue(self.ours.queue(name))
        self.model.purge(self.model.lines[name])

    @rule(name=QUEUES, really=NOW_AND_THEN)
    def delete_and_create(self, name: str, really: bool) -> None:
        if not really:
            return
        gone = [one for one in QUOTAS if one == name or one.startswith(f"{name};")]
        handle = self.ours.handles[name]
        assert self.core.delete_queue(self.ours.queue(name)) is OK
        check(self.core.peek_message(handle, after(self.model.now), timeout=0), NO_QUEUE)
        for one in gone:
            self.model.delete(self.model.lines[one])
            self.ours.create(one, QUOTAS[one])
            self.ours.handles[one] = self.ours.open(one)
            self.model.lines[one] = Line(one, QUOTAS[one])
        for index, one in enumerate(FINGERS):
            if one in gone:
                self.ours.cursors[index] = self.ours.cursor(one)
                self.model.fingers[index] = Finger(self.model.lines[one])
        self.commit()

    # ---- transactions

    def begin(self, name: str | None) -> None:
        if name in DEALS and name != NEVER:
            self.core.create_transaction(DEALS[name])
            self.model.deals.setdefault(name, Deal(name))

    @rule(name=DEAL, in_doubt=st.booleans())
    def prepare(self, name: str, in_doubt: bool) -> None:
        known = name in self.model.deals
        assert self.core.transaction_prepare(DEALS[name], single_phase=not in_doubt) is (OK if known else SEQUENCE)
        if known:
            self.model.prepare(self.model.deals[name], in_doubt=in_doubt)

    @rule(name=DEAL, commit=st.booleans())
    def end(self, name: str, commit: bool) -> None:
        known = name in self.model.deals
        status = (self.core.transaction_commit if commit else self.core.transaction_abort)(DEALS[name])
        assert status is (OK if known else SEQUENCE)
        if known:
            self.model.end(self.model.deals[name], commit=commit)

    @rule(name=DEAL, commit=st.booleans(), really=NOW_AND_THEN)
    def coordinator_tells_the_outcome(self, name: str, commit: bool, really: bool) -> None:
        if not really:
            return
        self.core.dtc_reenlistment(DEALS[name], Reenlistment.COMMITTED if commit else Reenlistment.ABORTED)
        if name in self.model.deals:
            self.model.end(self.model.deals[name], commit=commit)

    # ---- stories that chance alone tells too seldom

    @rule(which=st.integers(0, len(FINGERS) - 1), moved=st.booleans(), how=st.sampled_from((PEEK, RECEIVE)))
    def something_comes_late(self, which: int, moved: bool, how: str) -> None:
        """A cursor reaches the end of its queue; only then something is committed or moved there that was sent before."""
        finger, name = self.model.fingers[which], FINGERS[which]
        source = "bills" if name == "orders" or (moved and name != "bills") else "orders"
        self.send(1, name=source, priority=5, size=100, time=None, open_to_peeks=False, recoverable=True, deal=None)
        if name in ("orders", "bills"):
            self.send(1, name=name, priority=3, size=100, time=None, open_to_peeks=False, recoverable=True, deal="one")
        for _ in range(20):
            if not finger.waits and finger.behind(peek=False) is not None:
                self.read_by_cursor(which, RECEIVE, 0)
        self.read_by_cursor(which, RECEIVE, 1)
        self.time_passes(1)
        if moved and any(item.free for item in self.model.lines[source].items):
            free = [item for line in self.model.lines.values() for item in line.items if item.free]
            self.move(free.index(next(item for item in self.model.lines[source].items if item.free)), name, None)
        self.end("one", commit=True)
        self.read_by_cursor(which, how, 0)

    @rule(name=SENT_TO, takes=st.lists(TAKES, min_size=2, max_size=4), open_to_peeks=st.booleans())
    def readers_wait(self, name: str, takes: list[str], open_to_peeks: bool) -> None:
        """Several readers of an empty queue wait, then messages come."""
        for _ in range(30):
            if self.model.lines[name].first(peek=False) is not None:
                self.read(name, RECEIVE, 0)
        for how in takes:
            self.read(name, how, 60)
        self.send(2, name=name, priority=3, size=100, time=None, open_to_peeks=open_to_peeks, recoverable=False, deal=None)

    @rule(name=SENT_TO, how=st.sampled_from((TWO_STEPS, "one")), in_doubt=st.booleans())
    def time_runs_out_under_a_lock(self, name: str, how: str, in_doubt: bool) -> None:
        """A message expires while somebody holds it, perhaps for a coordinator; a restart may follow."""
        self.send(1, name=name, priority=7, size=100, time=20, open_to_peeks=False, recoverable=True, deal=None)
        self.read(name, how, 0)
        if in_doubt:
            self.prepare("one", in_doubt=True)
        self.time_passes(60)
        if self.path != MEMORY:
            self.restart(clean=True)
        self.end("one", commit=False)

    # ---- time, failures, restarts

    @rule(seconds=st.sampled_from((1, 10, 60)))
    def time_passes(self, seconds: int) -> None:
        self.model.time_passes(seconds)
        self.core.expire(after(self.model.now))
        self.core.end_overdue_reads(after(self.model.now))

    @rule()
    def commit(self) -> None:
        self.core.commit()
        self.saved = self.model_as_it_is()

    @rule(really=NOW_AND_THEN)
    def a_commit_fails(self, really: bool) -> None:
        """Everything since the last one has not happened: neither in the store nor with handles, cursors and waiting reads."""
        if not really:
            return
        self.core.rollback()
        self.go_back()

    def go_back(self) -> None:
        now = self.model.now
        self.model, waits = self.saved
        self.model.now = now  # no failure turns the clock back
        self.reads = [(read, wait) for (read, _), wait in zip(self.reads, waits, strict=False)]
        self.saved = self.model_as_it_is()

    @precondition(lambda self: self.path != MEMORY)
    @rule(clean=st.booleans())
    def restart(self, clean: bool) -> None:
        if not clean:
            self.core.rollback()
            self.go_back()
        self.ours.core = self.ours.bench.reopen(self.core)
        self.ours.start()
        self.model.restart()
        self.model.fingers = [Finger(self.model.lines[name]) for name in FINGERS]
        self.reads.clear()
        self.saved = self.model_as_it_is()

    # ---- what always holds

    @invariant()
    def the_queues_are_the_lists(self) -> None:
        for name, line in self.model.lines.items():
            rows = self.ours.rows(name)
            lookups = [row.lookup for row in rows]
            assert lookups == sorted(lookups) == [lookup_of(item) for item in line.items]
            assert [row.state for row in rows] == [state_of(item) for item in line.items]
            assert [row.counted for row in rows] == [item.there for item in line.items]
            messages = [self.core.message(row.lookup) for row in rows]
            assert [(one.first_in_transaction, one.last_in_transaction) for one in messages] == [item.ends for item in line.items]

    @invariant()
    def the_totals_are_the_sums(self) -> None:
        for name, line in self.model.lines.items():
            queue, row = self.ours.queue(name), self.core.store.queue(key_of(self.ours.queue(name)))
            assert row is not None
            assert (row.messages, row.bytes, queue.total_bytes) == (line.count(), line.size(), line.size())
        assert self.core.store.total_bytes() == self.model.size()
        assert self.core.store.sequential() == self.model.sent

    @invariant()
    def reads_and_cursors_agree(self) -> None:
        for read, wait in self.reads:
            if wait.answer is not None:
                check(read.result, wait.answer)
        waiting = [read for read, wait in self.reads if wait.answer is None]
        assert waiting == self.core.waiting_reads()
        assert len(waiting) == len(self.model.waits)
        for cursor, finger in zip(self.ours.cursors, self.model.fingers, strict=True):
            waits = cursor.cursor_state in (CursorState.WAIT_PEEK, CursorState.WAIT_RECEIVE)
            assert (cursor.cursor_state is CursorState.READ, waits) == (finger.read, finger.waits)
            parked = sequential_at_end(cursor.message_position_reference) is not None
            assert parked == (finger.parked is not None)

    @invariant()
    def transactions_agree(self) -> None:
        known = {unit.identifier: unit.decision is not None for unit in self.core.store.units()}
        assert known == {DEALS[name].bytes: deal.prepared for name, deal in self.model.deals.items()}
        assert self.core.local.transaction_collection == {DEALS[name] for name in self.model.deals}


def state_of(item: Item) -> PositionState:
    if item.doomed:
        return PositionState.PURGE_PENDING
    return PositionState.AVAILABLE if item.free else PositionState.LOCKED


class MachineOnDisk(Machine):
    """On a file that is closed and opened at each restart, after a commit or in the middle of work."""

    path = "queues.msmq"


def stories(number: int) -> settings:
    """So many stories, or those that were asked for: these are new each time."""
    quiet = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    if EXAMPLES:
        return settings(max_examples=EXAMPLES, stateful_step_count=50, deadline=None, derandomize=False, suppress_health_check=quiet)
    return settings(max_examples=number, stateful_step_count=50, deadline=None, suppress_health_check=quiet)


TestMachine = Machine.TestCase
TestMachine.settings = stories(120)
TestMachineOnDisk = MachineOnDisk.TestCase
TestMachineOnDisk.settings = stories(80)
