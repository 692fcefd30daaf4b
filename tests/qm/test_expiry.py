"""Messages that nobody reads in time: when their time ends, what then happens to them, and what holds it off."""

from __future__ import annotations

from datetime import timedelta

import pytest

from msmqctl.qm.core import Core
from msmqctl.qm.model import OpenQueueDescriptor, PositionState, Queue, QueueType, WaitingMessageReadOperation
from msmqctl.qm.store import PositionRow
from msmqctl.qm.waiting import PendingRead, ReadResult
from msmqctl.wire.names import parse_path_name
from msmqctl.wire.status import HResult
from msmqctl.wire.values import INFINITE, MessageClass
from tests.qm.conftest import Bench
from tests.qm.samples import NOW, after, labelled, opened, outgoing_queue, stored_queue
from tests.qm.working import ACK_RECEIVE, OTHER_TX, TX, Working, at, begun, happened, labels, received, sent, totals

TIMEOUT = MessageClass.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT


def waiting_receiver(core: Core, queue: Queue) -> PendingRead:
    """Somebody who waits for the next message of a queue, and would take it."""
    descriptor: OpenQueueDescriptor = opened(core, queue)

    def take(position: PositionRow) -> ReadResult:
        message = core.message(position.lookup)
        core.message_position_deleted(position, ACK_RECEIVE)
        return ReadResult(HResult.MQ_OK, message)

    return core.wait(PendingRead(descriptor, WaitingMessageReadOperation(destructive_read=True), None, take, ReadResult))


@pytest.mark.spec("DM-3.1.2.4-1", "DM-3.1.7.2.7-2")
def test_a_message_that_nobody_read_in_time_is_deleted(bench: Bench) -> None:
    core = bench.open(Working)
    lookup = sent(core, stored_queue(core), "short", time_to_be_received=10, sent_time=NOW)
    sent(core, stored_queue(core), "long", time_to_be_received=11, sent_time=NOW)
    core = bench.reopen(core)
    core.take_events()
    assert core.next_expiry() == after(10)
    core.expire(after(9.9))
    assert labels(core, stored_queue(core)) == ["short", "long"]
    core.expire(after(10))
    assert happened(core) == [("deleted", lookup, TIMEOUT)]
    core = bench.reopen(core)
    assert labels(core, stored_queue(core)) == ["long"]
    assert totals(core, stored_queue(core)) == (100, 100)
    assert core.next_expiry() == after(11)


@pytest.mark.spec("DM-3.1.2.4-1")
def test_time_runs_from_when_the_message_was_sent_and_on_while_nobody_runs(bench: Bench) -> None:
    core = bench.open(Working)
    queue = stored_queue(core)
    sent(core, queue, "on its way for long", time_to_be_received=10, sent_time=NOW - timedelta(seconds=8))
    sent(core, queue, "from the future", time_to_be_received=10, sent_time=after(500))
    sent(core, queue, "from nowhen", time_to_be_received=10)
    core = bench.reopen(core)
    core.expire(after(2))
    assert labels(core, stored_queue(core)) == ["from the future", "from nowhen"]
    core.expire(after(10))
    assert labels(core, stored_queue(core)) == []


@pytest.mark.spec("DM-3.1.2.4-2")
def test_a_message_with_infinite_time_never_expires(bench: Bench) -> None:
    core = bench.open(Working)
    sent(core, stored_queue(core), "for ever", time_to_be_received=INFINITE, sent_time=NOW)
    assert core.next_expiry() is None
    core.expire(after(2**33))
    assert labels(core, stored_queue(core)) == ["for ever"]


@pytest.mark.spec("DM-3.1.2.4-3")
def test_a_message_without_any_time_expires_at_once(bench: Bench) -> None:
    core = bench.open(Working)
    lookup = sent(core, stored_queue(core), "never", time_to_be_received=0, sent_time=NOW)
    assert core.next_expiry() == NOW
    core.expire(NOW)
    assert happened(core) == [("available", lookup), ("deleted", lookup, TIMEOUT)]


@pytest.mark.spec("DM-3.1.2.4-1")
def test_no_part_of_a_second_is_taken_from_a_message(bench: Bench) -> None:
    core = bench.open(Working)
    sent(core, stored_queue(core), "in the middle of a second", time_to_be_received=10, sent_time=NOW - timedelta(seconds=0.25))
    core = bench.reopen(core)
    core.expire(after(9.7))
    assert labels(core, stored_queue(core)) == ["in the middle of a second"]
    core.expire(after(10))
    assert labels(core, stored_queue(core)) == []


@pytest.mark.spec("DM-3.1.2.4-3")
def test_no_part_of_a_second_is_given_to_a_message_without_time(bench: Bench) -> None:
    core = bench.open(Working)
    core.enqueue_message(stored_queue(core), labelled("never", time_to_be_received=0, sent_time=after(0.75)), after(0.75))
    core.expire(after(0.75))
    assert labels(core, stored_queue(core)) == []


@pytest.mark.spec("DM-3.1.2.4-4")
def test_a_message_that_left_its_queue_in_time_does_not_expire(bench: Bench) -> None:
    core = begun(bench)
    queue = stored_queue(core)
    taken = sent(core, queue, "taken", time_to_be_received=10, sent_time=NOW)
    received(core, taken, TX)
    core.transaction_commit(TX)
    core = bench.reopen(core)
    core.take_events()
    assert core.next_expiry() is None
    core.expire(after(100))
    assert happened(core) == []


@pytest.mark.parametrize(
    ("kind", "path", "expires"),
    [
        (QueueType.PRIVATE, r".\private$\orders", True),
        (QueueType.PUBLIC, r".\orders", True),
        (QueueType.PRIVATE, r".\private$\orders;journal", False),
        (QueueType.SYSTEM, r".\system$;deadletter", False),
    ],
)
@pytest.mark.spec("DM-3.1.2.4-5")
def test_time_runs_in_private_and_public_queues_and_not_in_those_that_keep(bench: Bench, kind: QueueType, path: str, expires: bool) -> None:
    core = bench.open(Working)
    queue = stored_queue(core, queue_type=kind, pathname=parse_path_name(path))
    lookup = sent(core, queue, "old", time_to_be_received=1, sent_time=NOW)
    core = bench.reopen(core)
    core.expire(after(10))
    assert labels(core, stored_queue(core)) == ([] if expires else ["old"])
    assert core.next_expiry() is None
    # What rests here may also be read and given back.
    if not expires:
        core.create_transaction(TX)
        received(core, lookup, TX)
        core.transaction_abort(TX)
        assert labels(core, stored_queue(core)) == ["old"]


def test_a_held_message_in_a_queue_that_keeps_is_not_overdue(bench: Bench) -> None:
    core = begun(bench)
    queue = stored_queue(core, pathname=parse_path_name(r".\private$\orders;journal"))
    lookup = received(core, sent(core, queue, "old", time_to_be_received=1, sent_time=NOW), TX)
    core.expire(after(10))
    core.transaction_abort(TX)
    assert labels(core, queue) == ["old"]
    assert core.store.position(lookup) is not None


@pytest.mark.spec("DM-3.1.2.4-5")
def test_a_time_that_came_with_a_message_into_a_system_queue_is_forgotten(bench: Bench) -> None:
    core = bench.open(Working)
    lookup = sent(core, stored_queue(core), "dead", time_to_be_received=1, sent_time=NOW)
    dead = stored_queue(core, "system$;deadletter", queue_type=QueueType.SYSTEM)
    with core.call():
        core.store.move(at(core, lookup), dead.key or 0, PositionState.AVAILABLE)
    core = bench.reopen(core)
    core.expire(after(10))
    assert labels(core, stored_queue(core, "system$;deadletter")) == ["dead"]
    assert core.next_expiry() is None


@pytest.mark.spec("DM-3.1.7.2.7-3")
def test_a_message_of_a_transaction_that_ended_long_ago_expires_like_any_other(bench: Bench) -> None:
    core = begun(bench)
    lookup = sent(core, stored_queue(core), "sent by TX", TX, time_to_be_received=10, sent_time=NOW)
    core.transaction_commit(TX)
    core = bench.reopen(core)
    core.take_events()
    assert core.message(lookup).transaction_identifier == TX
    core.expire(after(10))
    assert happened(core) == [("deleted", lookup, TIMEOUT)]


@pytest.mark.spec("DM-3.1.7.2.7-1")
def test_an_expiry_is_no_operation_of_the_transaction_that_the_message_names(bench: Bench) -> None:
    core = begun(bench)
    unit = core.unit(TX)
    assert unit is not None
    lookup = sent(core, stored_queue(core), "names TX", transaction_identifier=TX, time_to_be_received=10, sent_time=NOW)
    core.take_events()
    core.expire(after(10))
    assert happened(core) == [("deleted", lookup, TIMEOUT)]
    assert core.store.operations(unit.id) == []


@pytest.mark.spec("DM-3.1.7.2.7-4")
def test_a_held_message_is_left_alone_and_deleted_when_it_is_given_back(bench: Bench) -> None:
    core = begun(bench)
    lookup = received(core, sent(core, stored_queue(core), "held", time_to_be_received=10, sent_time=NOW), TX)
    core.take_events()
    core.expire(after(10))
    assert happened(core) == []
    assert at(core, lookup).state == PositionState.LOCKED
    assert core.next_expiry() is None
    reader = waiting_receiver(core, stored_queue(core))
    core.transaction_abort(TX)
    assert happened(core) == [("deleted", lookup, TIMEOUT)]
    assert reader.result is None
    assert totals(core, stored_queue(core)) == (0, 0)


@pytest.mark.spec("DM-3.1.7.2.7-4")
def test_a_message_that_expired_before_its_commit_is_never_seen(bench: Bench) -> None:
    core = begun(bench)
    lookup = sent(core, stored_queue(core), "late", TX, time_to_be_received=10, sent_time=NOW)
    core.expire(after(10))
    reader = waiting_receiver(core, stored_queue(core))
    core.transaction_commit(TX)
    assert happened(core) == [("deleted", lookup, TIMEOUT)]
    assert reader.result is None
    assert totals(core, stored_queue(core)) == (0, 0)


def test_whoever_holds_a_message_may_still_have_it(bench: Bench) -> None:
    core = begun(bench)
    lookup = received(core, sent(core, stored_queue(core), "held", time_to_be_received=10, sent_time=NOW), TX)
    core.take_events()
    core.expire(after(10))
    core.transaction_commit(TX)
    assert happened(core) == [("deleted", lookup, ACK_RECEIVE)]
    assert core.overdue == set()


@pytest.mark.spec("DM-3.1.7.2.7-4")
def test_a_message_in_doubt_stays_overdue_over_a_restart(bench: Bench) -> None:
    core = begun(bench)
    lookup = received(core, sent(core, stored_queue(core), "held", time_to_be_received=10, sent_time=NOW), TX)
    core.dtc_transaction_prepare(TX)
    core.expire(after(10))
    core = bench.reopen(core)
    core.recover()
    core.take_events()
    core.transaction_abort(TX)
    assert happened(core) == [("deleted", lookup, TIMEOUT)]


@pytest.mark.spec("DM-3.1.7.2.7-4")
def test_an_aborted_message_stays_overdue_over_a_restart(bench: Bench) -> None:
    core = begun(bench)
    received(core, sent(core, stored_queue(core), "held", time_to_be_received=10, sent_time=NOW), TX)
    core.expire(after(10))
    core = bench.reopen(core)
    core.recover()
    assert labels(core, stored_queue(core)) == []


def test_many_messages_expire_in_one_go_and_a_failure_brings_all_back(bench: Bench) -> None:
    core = bench.open(Working)
    queue = stored_queue(core)
    for number in range(1100):
        core.enqueue_message(queue, labelled(str(number), time_to_be_received=10 if number % 2 else 20, sent_time=NOW), NOW)
    core.commit()
    core.expire(after(10))
    core.rollback()
    assert totals(core, queue) == (110_000, 110_000)
    core.expire(after(10))
    assert totals(core, queue) == (55_000, 55_000)
    core.create_transaction(OTHER_TX)
    core.expire(after(20))
    assert totals(core, queue) == (0, 0)


@pytest.mark.parametrize(
    ("reach", "receive", "ends"), [(10, INFINITE, 10), (10, 20, 10), (20, 10, 10), (INFINITE, 10, 10), (INFINITE, INFINITE, None)]
)
def test_on_the_way_the_shorter_of_both_times_counts(bench: Bench, reach: int, receive: int, ends: int | None) -> None:
    core = bench.open(Working)
    lookup = sent(core, outgoing_queue(core), "far", time_to_reach_queue=reach, time_to_be_received=receive, sent_time=NOW)
    core.take_events()
    assert core.next_expiry() == (None if ends is None else after(ends))
    core.expire(after(10))
    assert happened(core) == ([] if ends is None else [("deleted", lookup, TIMEOUT)])


def test_what_has_arrived_has_reached_its_queue(bench: Bench) -> None:
    core = bench.open(Working)
    sent(core, stored_queue(core), "here", time_to_reach_queue=1, sent_time=NOW)
    core.expire(after(10))
    assert labels(core, stored_queue(core)) == ["here"]


def test_what_ran_out_of_time_on_the_way_while_it_was_in_doubt_is_not_sent(bench: Bench) -> None:
    core = begun(bench)
    queue = outgoing_queue(core)
    sent(core, queue, "far", TX, time_to_reach_queue=10, sent_time=NOW)
    core.transaction_prepare(TX, single_phase=False)
    core.expire(after(11))
    core = bench.reopen(core)
    core.recover()
    core.take_events()
    core.transaction_commit(TX)
    assert [event[2:] for event in happened(core)] == [(TIMEOUT,)]
