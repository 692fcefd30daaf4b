"""The two events that every position goes through: becoming available, and being deleted."""

from __future__ import annotations

import pytest

from msmqctl.qm.events import MessagePositionAvailable
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.model import PositionState
from msmqctl.qm.store import PositionRow
from msmqctl.wire.values import MessageClass
from tests.qm.conftest import Bench
from tests.qm.reader import Desk, waiting
from tests.qm.samples import NOW, labelled, opened, states, stored_queue, unit_begun
from tests.qm.working import TX, happened

RECEIVED = MessageClass.MQMSG_CLASS_ACK_RECEIVE


@pytest.fixture
def desk(bench: Bench) -> Desk:
    return Desk(bench)


def row(desk: Desk, lookup: int) -> PositionRow:
    found = desk.core.store.position(lookup)
    assert found is not None
    return found


@pytest.mark.spec("DM-3.1.7.2.2-2")
@pytest.mark.parametrize("state", [PositionState.LOCKED, PositionState.PURGE_PENDING])
def test_what_is_said_to_be_available_is(desk: Desk, state: PositionState) -> None:
    (first,) = desk.send("a")
    desk.core.store.set_state(first, state)
    desk.core.take_events()
    desk.core.message_position_available(row(desk, first))
    assert desk.state(first) is PositionState.AVAILABLE
    assert desk.core.take_events() == [MessagePositionAvailable(desk.queue, first)]


@pytest.mark.spec("DM-3.1.7.2.1-2", "DM-3.1.7.2.1-3")
def test_a_deleted_position_leaves_the_list(desk: Desk) -> None:
    (_, middle, _) = desk.send("a", "b", "c")
    desk.core.message_position_deleted(row(desk, middle), RECEIVED)
    desk.restart()
    assert (desk.labels(), desk.state(middle)) == (["a", "c"], None)


@pytest.mark.spec("DM-3.1.7.2.1-6")
def test_a_position_is_not_deleted_twice(desk: Desk) -> None:
    (first,) = desk.send("a")
    desk.core.take_events()
    desk.core.message_position_deleted(row(desk, first)._replace(state=PositionState.DELETED), RECEIVED)
    assert (desk.core.take_events(), desk.queue.total_bytes) == ([], 100)


@pytest.mark.spec("DM-3.1.7.2.1-6", "DM-3.1.7.2.2-8")
def test_a_position_that_somebody_remembers_from_before_its_end_does_nothing(desk: Desk) -> None:
    (first,) = desk.send("a")
    remembered = row(desk, first)
    desk.core.message_position_deleted(remembered, RECEIVED)
    desk.core.take_events()
    desk.core.message_position_deleted(remembered, RECEIVED)
    desk.core.message_position_available(remembered._replace(counted=False))
    assert (desk.core.take_events(), desk.queue.total_bytes, desk.core.store.total_bytes()) == ([], 0, 0)


@pytest.mark.spec("DM-3.1.7.2.2-8")
def test_a_deleted_position_does_not_come_back(desk: Desk) -> None:
    (first,) = desk.send("a")
    desk.core.dequeue_message_begin(desk.handle, NOW)
    read = waiting(desk.core.dequeue_message(desk.handle, NOW))
    desk.core.take_events()
    desk.core.message_position_available(row(desk, first)._replace(state=PositionState.DELETED, counted=False))
    assert (read.result, desk.core.take_events(), desk.queue.total_bytes) == (None, [], 100)


@pytest.mark.spec("DM-3.1.7.2.1-7")
def test_what_was_never_counted_is_not_subtracted(desk: Desk) -> None:
    desk.send("counted")
    (uncommitted,) = desk.send("uncommitted", transaction=unit_begun(desk.core))
    desk.core.message_position_deleted(row(desk, uncommitted), MessageClass.MQMSG_CLASS_NACK_Q_DELETED)
    assert (desk.queue.total_bytes, desk.core.store.total_bytes()) == (100, 100)
    desk.restart()
    assert desk.queue.total_bytes == 100


@pytest.mark.spec("DM-X.mp-V7")
def test_an_aborted_message_goes_without_a_word(bench: Bench) -> None:
    core = bench.open(QueueManager)
    queue = stored_queue(core)
    core.create_transaction(TX)
    core.enqueue_message(queue, labelled("a"), NOW, TX)
    core.take_events()
    core.transaction_abort(TX)
    assert (happened(core), states(core, queue)) == ([], {})


@pytest.mark.spec("DM-X.mp-V8", "DM-X.mp-V10")
def test_a_purge_dooms_what_is_held_and_leaves_what_is_not_there_yet(bench: Bench) -> None:
    core = bench.open(QueueManager)
    queue = stored_queue(core)
    core.enqueue_message(queue, labelled("held"), NOW)
    core.dequeue_message_begin(opened(core, queue), NOW)
    core.create_transaction(TX)
    core.enqueue_message(queue, labelled("uncommitted", priority=0), NOW, TX)
    core.purge_queue(queue)
    assert list(states(core, queue).values()) == [PositionState.PURGE_PENDING, PositionState.LOCKED]
    core.transaction_commit(TX)
    assert list(states(core, queue).values()) == [PositionState.PURGE_PENDING, PositionState.AVAILABLE]
