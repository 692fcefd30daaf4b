"""Which outgoing message is sent next."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.qm.core import key_of
from msmqctl.qm.dispatch import Dispatch, Transports, dispatch_priority
from msmqctl.qm.model import OutgoingQueue, PositionState
from msmqctl.qm.sending import EnqueueResult, Sending
from msmqctl.qm.store import MEMORY, PositionRow
from msmqctl.wire.identity import TxSequenceId
from msmqctl.wire.values import MessageClass
from tests.qm.conftest import Bench
from tests.qm.samples import NOW, labelled, lay_message, opened, outgoing_queue, unit_begun

DATA = "the address of a session"


class Wires:
    """Both protocols: they note what they are given, and are done with it at once if told so."""

    def __init__(self, core: Dispatch, *, at_once: bool = False) -> None:
        self.core = core
        self.at_once = at_once
        self.sent: list[int] = []
        self.calls: list[tuple[str, object, PositionRow]] = []
        self.both = Transports(
            binary=lambda data, position: self._take("binary", data, position),
            srmp=lambda data, position: self._take("srmp", data, position),
        )

    def _take(self, protocol: str, data: object, position: PositionRow) -> None:
        self.sent.append(position.lookup)
        self.calls.append((protocol, data, position))
        assert sum(entry.send_in_progress for entry in self.core.local.dispatch_collection) == 1
        if self.at_once:
            self.done(position)

    def add(self, position: PositionRow, data: object | None = DATA) -> None:
        self.core.add_message_to_dispatch_collection(data, position, self.both)

    def done(self, position: PositionRow) -> None:
        self.core.remove_message_from_dispatch_collection(position, self.both)

    def withdraw(self, queue: OutgoingQueue) -> None:
        self.core.remove_messages_from_dispatch_collection_by_queue(queue, self.both)


def lookup(sequential: int, priority: int = 3) -> int:
    """What a message of this priority is found by."""
    return (7 - priority) << 56 | sequential


@pytest.fixture
def core(bench: Bench) -> Dispatch:
    return bench.open(Dispatch)


@pytest.fixture
def wires(core: Dispatch) -> Wires:
    return Wires(core)


def waiting(core: Dispatch) -> list[int]:
    return [entry.message_position_reference for entry in core.local.dispatch_collection]


# ---- adding


@pytest.mark.spec("DM-3.1.7.1.28-1")
def test_an_entry_knows_its_message_its_protocol_and_its_priority(core: Dispatch, wires: Wires) -> None:
    queue = outgoing_queue(core, base_priority=100)
    first, second = (lay_message(core, queue, lookup(number, priority)) for number, priority in [(1, 5), (2, 0)])
    wires.add(first, "one")
    wires.add(second, None)
    entries = [(e.message_position_reference, e.protocol_data, e.priority, e.send_in_progress) for e in core.local.dispatch_collection]
    assert entries == [(first.lookup, "one", 105, True), (second.lookup, None, 100, False)]


@pytest.mark.spec("DM-3.1.7.1.28-2")
def test_an_added_message_is_sent_if_nothing_is_on_its_way(core: Dispatch, wires: Wires) -> None:
    position = lay_message(core, outgoing_queue(core), lookup(1))
    wires.add(position)
    assert wires.sent == [position.lookup]


class SendingToo(Sending, Dispatch):
    """Messages that came in by the rules."""


@pytest.mark.spec("DM-3.1.7.1.28-3")
def test_transactional_messages_go_by_priority_zero(bench: Bench) -> None:
    core = bench.open(SendingToo)
    wires = Wires(core)
    queue = outgoing_queue(core, base_priority=10)
    streamed = labelled("streamed", priority=7, transactional_message_sequence_identifier=TxSequenceId(1))
    for message, unit in [
        (streamed, None),
        (labelled("captured", priority=7, transaction_identifier=UUID(int=9)), None),
        (labelled("in a unit", priority=7), unit_begun(core)),
        (labelled("express", priority=7), None),
    ]:
        assert core.enqueue_message(queue, message, NOW, unit) is EnqueueResult(0)
    by_label = {core.message(row.lookup).label: row for row in core.store.positions(key_of(queue))}
    for label in ("streamed", "captured", "in a unit", "express"):
        wires.add(by_label[label])
    priorities = {core.message(e.message_position_reference).label: e.priority for e in core.local.dispatch_collection}
    assert priorities == {"streamed": 10, "captured": 10, "in a unit": 10, "express": 17}


@pytest.mark.spec("DM-3.1.7.1.28-3", "DM-3.1.7.3.9-5")
def test_equal_priorities_go_out_in_the_order_in_which_they_came(core: Dispatch, wires: Wires) -> None:
    high, low = outgoing_queue(core, "high", base_priority=2), outgoing_queue(core, "low")
    rows = [lay_message(core, high, lookup(4, 1)), lay_message(core, low, lookup(3, 3)), lay_message(core, high, lookup(2, 1))]
    for row in rows:
        wires.add(row)
    for row in rows:
        wires.done(row)
    assert wires.sent == [row.lookup for row in rows]


# ---- sending


@pytest.mark.spec("DM-3.1.7.3.9-1")
def test_only_one_message_is_on_its_way(core: Dispatch, wires: Wires) -> None:
    queue = outgoing_queue(core)
    wires.add(lay_message(core, queue, lookup(1, 0)))
    wires.add(lay_message(core, queue, lookup(2, 7)))
    assert wires.sent == [lookup(1, 0)]


@pytest.mark.spec("DM-3.1.7.3.9-2")
def test_the_highest_priority_goes_next(core: Dispatch, wires: Wires) -> None:
    queue = outgoing_queue(core)
    rows = {priority: lay_message(core, queue, lookup(10 - priority, priority)) for priority in (3, 1, 5, 7, 0)}
    for row in rows.values():
        wires.add(row)
    for priority in (3, 7, 5, 1, 0):
        assert wires.sent[-1] == rows[priority].lookup
        wires.done(rows[priority])
    assert waiting(core) == []


@pytest.mark.spec("DM-3.1.7.3.9-2")
def test_messages_of_a_queue_that_is_not_active_wait(core: Dispatch, wires: Wires) -> None:
    idle = outgoing_queue(core, "idle")
    uncounted = lay_message(core, idle, lookup(1, 7), counted=False)
    wires.add(uncounted)
    assert wires.sent == []
    ready = lay_message(core, outgoing_queue(core, "ready"), lookup(2, 0))
    wires.add(ready)
    assert wires.sent == [ready.lookup]
    opened(core, idle)
    wires.done(ready)
    assert wires.sent == [ready.lookup, uncounted.lookup]


@pytest.mark.spec("DM-3.1.7.3.9-2")
def test_deleted_messages_are_passed_over(core: Dispatch, wires: Wires) -> None:
    queue = outgoing_queue(core)
    on_its_way, deleted, left = (lay_message(core, queue, lookup(number)) for number in (1, 2, 3))
    for row in (on_its_way, deleted, left):
        wires.add(row)
    core.message_position_deleted(deleted, MessageClass.MQMSG_CLASS_NACK_Q_PURGED)
    wires.done(on_its_way)
    assert wires.sent == [on_its_way.lookup, left.lookup]


@pytest.mark.spec("DM-3.1.7.3.9-3")
def test_a_message_with_data_goes_to_the_binary_protocol(core: Dispatch, wires: Wires) -> None:
    position = lay_message(core, outgoing_queue(core), lookup(1))
    wires.add(position, "")
    assert wires.calls == [("binary", "", position)]


@pytest.mark.spec("DM-3.1.7.3.9-4")
def test_a_message_without_data_goes_to_srmp(core: Dispatch, wires: Wires) -> None:
    position = lay_message(core, outgoing_queue(core), lookup(1))
    wires.add(position, None)
    assert wires.calls == [("srmp", None, position)]


@pytest.mark.spec("DM-3.1.7.3.9-5")
def test_with_nothing_to_send_nothing_happens(core: Dispatch, wires: Wires) -> None:
    queue = outgoing_queue(core)
    gone = lay_message(core, queue, lookup(1))
    core.message_position_deleted(gone, MessageClass.MQMSG_CLASS_NACK_Q_PURGED)
    wires.done(gone)
    wires.add(gone)
    assert wires.sent == []
    assert [entry.send_in_progress for entry in core.local.dispatch_collection] == [False]


def test_a_protocol_that_is_done_at_once_does_not_go_deeper_with_every_message(core: Dispatch) -> None:
    queue = outgoing_queue(core)
    slow, fast = Wires(core), Wires(core, at_once=True)
    rows = [lay_message(core, queue, lookup(number)) for number in range(1, 1500)]
    for row in rows:
        slow.add(row)
    fast.done(rows[0])
    assert fast.sent == [row.lookup for row in rows[1:]]
    assert waiting(core) == []


def test_a_send_that_breaks_leaves_everything_as_it_was(core: Dispatch, wires: Wires) -> None:
    def break_down(data: object, position: PositionRow) -> None:
        raise RuntimeError("a fault of ours")

    position = lay_message(core, outgoing_queue(core), lookup(1))
    with pytest.raises(RuntimeError):
        core.add_message_to_dispatch_collection(DATA, position, Transports(binary=break_down, srmp=break_down))
    assert waiting(core) == []
    wires.add(position)
    assert wires.sent == [position.lookup]


def test_what_is_rolled_back_is_back_in_its_place(core: Dispatch, wires: Wires) -> None:
    queue = outgoing_queue(core)
    rows = [lay_message(core, queue, lookup(number)) for number in (1, 2, 3)]
    for row in rows:
        wires.add(row)
    core.commit()
    wires.done(rows[1])
    wires.withdraw(queue)
    core.rollback()
    assert waiting(core) == [row.lookup for row in rows]
    assert [entry.send_in_progress for entry in core.local.dispatch_collection] == [True, False, False]


def test_a_restart_empties_the_collection(bench: Bench, core: Dispatch, wires: Wires) -> None:
    wires.add(lay_message(core, outgoing_queue(core), lookup(1)))
    assert waiting(bench.reopen(core)) == ([] if bench.on_disk else [lookup(1)])


def test_a_message_without_a_queue_cannot_be_added(core: Dispatch, wires: Wires) -> None:
    with pytest.raises(ValueError, match="is in no queue"):
        wires.add(PositionRow(1, 999, PositionState.AVAILABLE, counted=True, size=1, expires=None))


# ---- removing


@pytest.mark.spec("DM-3.1.7.1.29-1")
def test_the_entry_of_one_message_is_removed(core: Dispatch, wires: Wires) -> None:
    queue = outgoing_queue(core)
    first, second, third = (lay_message(core, queue, lookup(number)) for number in (1, 2, 3))
    for row in (first, second, third):
        wires.add(row)
    wires.done(second)
    assert waiting(core) == [first.lookup, third.lookup]
    assert wires.sent == [first.lookup]


@pytest.mark.spec("DM-3.1.7.1.29-2")
@pytest.mark.parametrize("known", [True, False])
def test_the_next_message_is_sent_whether_or_not_there_was_an_entry(core: Dispatch, wires: Wires, known: bool) -> None:
    queue = outgoing_queue(core)
    first, second = lay_message(core, queue, lookup(1), counted=False), lay_message(core, queue, lookup(2), counted=False)
    if known:
        wires.add(first)
    wires.add(second)
    opened(core, queue)
    assert wires.sent == []
    wires.done(first)
    assert wires.sent == [second.lookup]


@pytest.mark.spec("DM-3.1.7.1.34-1")
def test_all_entries_of_one_queue_are_removed(core: Dispatch, wires: Wires) -> None:
    queue, other = outgoing_queue(core, "queue"), outgoing_queue(core, "other")
    first, second, third, deleted = (
        lay_message(core, where, lookup(number)) for number, where in enumerate([other, queue, queue, queue], start=1)
    )
    for row in (first, second, third, deleted):
        wires.add(row)
    core.message_position_deleted(deleted, MessageClass.MQMSG_CLASS_NACK_Q_PURGED)
    wires.withdraw(queue)
    assert waiting(core) == [first.lookup]
    assert wires.sent == [first.lookup]


@pytest.mark.spec("DM-3.1.7.1.34-1")
def test_removing_entries_of_a_queue_starts_nothing_by_itself(core: Dispatch, wires: Wires) -> None:
    idle, withdrawn = outgoing_queue(core, "idle"), outgoing_queue(core, "withdrawn")
    waits = lay_message(core, idle, lookup(1), counted=False)
    wires.add(waits)
    wires.add(lay_message(core, withdrawn, lookup(2), counted=False))
    opened(core, idle)
    wires.withdraw(withdrawn)
    assert (waiting(core), wires.sent) == ([waits.lookup], [])


def test_if_the_message_on_its_way_is_removed_the_next_is_sent(core: Dispatch, wires: Wires) -> None:
    queue, other = outgoing_queue(core, "queue"), outgoing_queue(core, "other")
    first, second = lay_message(core, queue, lookup(1)), lay_message(core, other, lookup(2))
    wires.add(first)
    wires.add(second)
    wires.withdraw(queue)
    assert wires.sent == [first.lookup, second.lookup]


# ---- against a naive model


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 2)), min_size=1, max_size=12))
def test_messages_go_out_like_a_stable_sort(rows: list[tuple[int, int]]) -> None:
    bench = Bench(MEMORY)
    core = bench.open(Dispatch)
    slow, fast = Wires(core), Wires(core, at_once=True)
    queues = [outgoing_queue(core, f"base {base}", base_priority=base) for base in range(3)]
    laid = [lay_message(core, queues[base], lookup(number, priority)) for number, (priority, base) in enumerate(rows, start=1)]
    for row in laid:
        slow.add(row)
    fast.done(laid[0])
    expected = sorted(range(1, len(rows)), key=lambda number: -sum(rows[number]))
    assert fast.sent == [laid[number].lookup for number in expected]
    bench.close()


@pytest.mark.spec("DM-3.1.7.1.28-1")
@given(st.integers(-0x8000, 0x7FFF), st.integers(0, 7), st.integers(0, (1 << 56) - 1))
def test_the_priority_is_a_sum(base: int, priority: int, sequential: int) -> None:
    assert dispatch_priority(base, lookup(sequential, priority)) == base + priority
