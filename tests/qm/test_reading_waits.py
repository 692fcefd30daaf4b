"""Reads that wait: who is served by what, time-outs, cancellation, and that nobody is served twice or forgotten."""

from __future__ import annotations

from typing import cast
from uuid import UUID

import pytest

from msmqctl.qm.events import MessagePositionAvailable, MessagePositionDeleted, ReadEnded
from msmqctl.qm.model import PositionState, QueueType
from msmqctl.qm.waiting import PendingRead
from msmqctl.wire.status import HResult
from tests.qm.conftest import Bench
from tests.qm.reader import Desk, answer, waiting
from tests.qm.samples import NOW, after, labelled, opened, stored_queue, unit_begun

TIMEOUT, CANCELLED = HResult.MQ_ERROR_IO_TIMEOUT, HResult.MQ_ERROR_OPERATION_CANCELLED
YEAR = 365 * 24 * 3600


@pytest.fixture
def desk(bench: Bench) -> Desk:
    return Desk(bench)


def receiver(desk: Desk, *, timeout: float | None = None, tag: int | None = None) -> PendingRead:
    return waiting(desk.core.dequeue_message(desk.handle, NOW, timeout=timeout, tag=tag))


def peeker(desk: Desk, *, timeout: float | None = None) -> PendingRead:
    return waiting(desk.core.peek_message(desk.handle, NOW, timeout=timeout))


def operations(desk: Desk) -> list[tuple[bool, int | None]]:
    return [(one.destructive_read, one.tag) for one in desk.handle.waiting_message_read_operation_collection]


# ---- starting to wait


@pytest.mark.spec("DM-3.1.7.3.1-3", "DM-3.1.7.1.10-11", "DM-3.1.7.1.15-5", "DM-3.1.7.3.4-1", "DM-3.1.2.3-1")
def test_a_read_that_finds_nothing_waits_at_its_handle(desk: Desk) -> None:
    received, peeked = receiver(desk, timeout=5, tag=7), peeker(desk, timeout=2.5)
    assert operations(desk) == [(True, 7), (False, None)]
    assert [read.deadline for read in (received, peeked)] == [after(5), after(2.5)]
    assert desk.core.next_read_deadline() == after(2.5)
    by_cursor = waiting(desk.core.peek_message(desk.handle, NOW, cursor=desk.cursor))
    assert by_cursor.operation.cursor_reference is desk.cursor
    assert received.operation.cursor_reference is None


@pytest.mark.spec("DM-3.1.7.3.1-2", "DM-3.1.7.1.10-11", "DM-3.1.7.1.15-5")
@pytest.mark.parametrize("timeout", [0, 0.0, -1])
def test_who_does_not_want_to_wait_does_not(desk: Desk, timeout: float) -> None:
    assert answer(desk.core.dequeue_message(desk.handle, NOW, timeout=timeout)) is TIMEOUT
    assert answer(desk.core.peek_message(desk.handle, NOW, timeout=timeout)) is TIMEOUT
    assert (operations(desk), desk.core.waiting_reads()) == ([], [])


@pytest.mark.spec("DM-3.1.7.1.10-3", "DM-3.1.7.1.11-1", "DM-3.1.7.1.14-1", "DM-3.1.7.1.15-1", "DM-3.1.2.3-2")
def test_without_a_time_out_a_read_waits_for_ever(desk: Desk) -> None:
    desk.send("a")
    answer(desk.core.peek_message(desk.handle, NOW, cursor=desk.cursor))
    desk.core.dequeue_message_begin(desk.handle, NOW)
    reads = [
        receiver(desk), waiting(desk.core.dequeue_message_begin(desk.handle, NOW)), peeker(desk),
        waiting(desk.core.peek_next_message(desk.handle, NOW, desk.cursor)), receiver(desk, timeout=float("inf")),
    ]  # fmt: skip
    assert desk.core.next_read_deadline() is None
    desk.core.end_overdue_reads(after(100 * YEAR))
    assert [read.result for read in reads] == [None] * 5


# ---- time-outs


@pytest.mark.spec("DM-3.1.2.3-2", "DM-3.1.2.3-3", "DM-3.1.6.3-1", "DM-3.1.7.3.5-1", "DM-3.1.7.3.1-4", "DM-3.1.7.1.10-3")
def test_time_runs_out_exactly_then_and_for_that_reader_alone(desk: Desk) -> None:
    short, long = receiver(desk, timeout=0.5), receiver(desk, timeout=1)
    desk.core.end_overdue_reads(after(0.499))
    assert short.result is None
    desk.core.take_events()
    desk.core.end_overdue_reads(after(0.5))
    assert (answer(short.result), long.result) == (TIMEOUT, None)
    assert desk.core.take_events() == [ReadEnded(short)]
    assert desk.core.next_read_deadline() == after(1)


@pytest.mark.spec("DM-3.1.7.3.1-6")
def test_a_read_that_ended_has_no_timer_and_no_place(desk: Desk) -> None:
    ran_out, cancelled, served = receiver(desk, timeout=1), receiver(desk, timeout=5, tag=1), receiver(desk, timeout=5)
    desk.core.end_overdue_reads(after(1))
    desk.core.cancel_waiting_message_read_request(desk.queue, 1, CANCELLED)
    desk.send("a")
    assert [answer(read.result) for read in (ran_out, cancelled, served)] == [TIMEOUT, CANCELLED, "a"]
    assert (operations(desk), desk.core.waiting_reads(), desk.core.next_read_deadline()) == ([], [], None)


@pytest.mark.spec("DM-3.1.7.3.1-8")
def test_who_was_served_keeps_the_message_though_its_time_ran_out(desk: Desk) -> None:
    read = receiver(desk, timeout=1, tag=3)
    desk.send("a")
    desk.core.take_events()
    desk.core.end_overdue_reads(after(10))
    assert desk.core.cancel_waiting_message_read_request(desk.queue, 3, CANCELLED) is HResult.STATUS_NOT_FOUND
    assert (answer(read.result), desk.core.take_events(), desk.labels()) == ("a", [], [])


# ---- being served


@pytest.mark.spec("DM-3.1.7.3.1-5", "DM-3.1.7.3.6-1", "DM-3.1.7.2.2-4", "DM-3.1.7.2.2-9", "DM-3.1.7.3.1-7")
def test_each_message_wakes_one_receiver_in_turn(desk: Desk) -> None:
    reads = [receiver(desk) for _ in range(3)]
    desk.send("a")
    assert [read.result is None for read in reads] == [False, True, True]
    desk.send("b")
    assert [answer(read.result) for read in reads[:2]] == ["a", "b"]
    assert (reads[2].result, desk.labels(), desk.queue.total_bytes) == (None, [], 0)


@pytest.mark.spec("DM-3.1.7.2.2-5", "DM-3.1.7.2.2-6", "DM-3.1.7.1.15-5", "DM-3.1.7.1.14-4")
def test_one_message_serves_all_peekers_up_to_the_first_receiver(desk: Desk) -> None:
    desk.send("old")
    answer(desk.core.peek_message(desk.handle, NOW, cursor=desk.cursor))
    desk.core.dequeue_message(desk.handle, NOW, two_phase=True)
    reads = [peeker(desk), waiting(desk.core.peek_next_message(desk.handle, NOW, desk.cursor)), peeker(desk), receiver(desk)]
    late = [peeker(desk), receiver(desk)]
    desk.send("a")
    assert [answer(read.result) for read in reads] == ["a"] * 4
    assert [read.result for read in late] == [None, None]


@pytest.mark.spec("DM-3.1.7.2.2-3")
def test_readers_are_served_handle_by_handle(desk: Desk) -> None:
    second_handle = opened(desk.core, desk.queue)
    elsewhere = waiting(desk.core.dequeue_message(second_handle, NOW))
    later = receiver(desk)
    desk.send("a")
    assert (elsewhere.result, answer(later.result)) == (None, "a")


@pytest.mark.spec("DM-3.1.7.3.7-1")
def test_readers_of_other_queues_sleep_on(desk: Desk) -> None:
    other = waiting(desk.core.peek_message(opened(desk.core, stored_queue(desk.core, "other")), NOW))
    here = [peeker(desk), peeker(desk)]
    desk.send("a")
    assert [answer(read.result) for read in here] == ["a", "a"]
    assert other.result is None


@pytest.mark.spec("DM-3.1.7.2.2-10")
def test_the_arrival_is_told_before_the_hand_over(desk: Desk) -> None:
    read = receiver(desk)
    desk.core.take_events()
    desk.send("a")
    available, deleted, ended = desk.core.take_events()
    assert isinstance(available, MessagePositionAvailable)
    assert isinstance(deleted, MessagePositionDeleted)
    assert available.lookup_identifier == deleted.lookup_identifier
    assert ended == ReadEnded(read)


@pytest.mark.spec("DM-3.1.7.1.10-15")
def test_a_waiting_first_step_locks_what_comes(desk: Desk) -> None:
    read = waiting(desk.core.dequeue_message_begin(desk.handle, NOW))
    (first,) = desk.send("a")
    assert (answer(read.result), desk.state(first)) == ("a", PositionState.LOCKED)


@pytest.mark.spec("DM-3.1.7.1.10-13")
def test_a_waiting_transactional_read_is_noted_when_it_is_served(desk: Desk) -> None:
    unit = unit_begun(desk.core)
    read = waiting(desk.core.dequeue_message(desk.handle, NOW, transaction=unit))
    (first,) = desk.send("a")
    row = desk.core.unit(unit)
    assert row is not None
    assert [operation.lookup for operation in desk.core.store.operations(row.id)] == [first]
    assert (answer(read.result), desk.state(first)) == ("a", PositionState.LOCKED)


def test_a_reader_whose_transaction_ended_meanwhile_lets_the_next_one_have_it(desk: Desk) -> None:
    unit = unit_begun(desk.core)
    lost = waiting(desk.core.dequeue_message(desk.handle, NOW, transaction=unit, cursor=desk.cursor))
    following = receiver(desk)
    row = desk.core.unit(unit)
    assert row is not None
    desk.core.store.delete_unit(row.id)
    desk.send("a")
    assert answer(lost.result) is HResult.MQ_ERROR_TRANSACTION_SEQUENCE
    assert answer(following.result) == "a"


@pytest.mark.spec("DM-3.1.7.1.12-5")
def test_a_message_that_is_given_back_wakes_who_waits(desk: Desk) -> None:
    (first,) = desk.send("a")
    desk.core.dequeue_message_begin(desk.handle, NOW)
    read = receiver(desk)
    desk.core.dequeue_message_end(desk.handle, first, delete=False)
    assert answer(read.result) == "a"


@pytest.mark.spec("DM-3.1.7.1.9-11")
def test_an_uncommitted_message_wakes_nobody(desk: Desk) -> None:
    read = receiver(desk)
    desk.send("a", transaction=unit_begun(desk.core))
    assert read.result is None


@pytest.mark.spec("DM-3.1.7.1.16-3", "DM-3.1.7.1.16-8")
@pytest.mark.parametrize("kind", [QueueType.PRIVATE, QueueType.SYSTEM])
def test_a_move_wakes_the_readers_of_its_target(desk: Desk, kind: QueueType) -> None:
    target = stored_queue(desk.core, "target", queue_type=kind)
    read = waiting(desk.core.dequeue_message(opened(desk.core, target), NOW))
    (first,) = desk.send("a")
    position = desk.core.store.position(first)
    assert position is not None
    desk.core.move_message(position, target)
    assert (answer(read.result), target.total_bytes, desk.queue.total_bytes) == ("a", 0, 0)


# ---- cancelling


@pytest.mark.spec("DM-3.1.7.1.17-1", "DM-3.1.7.1.17-2", "DM-3.1.7.1.17-4")
def test_the_first_read_with_the_tag_is_cancelled_over_all_handles(desk: Desk) -> None:
    other = opened(desk.core, desk.queue)
    peeks, wrong = peeker(desk), receiver(desk, tag=1)
    first, second = (waiting(desk.core.dequeue_message(other, NOW, tag=2)) for _ in range(2))
    assert desk.core.cancel_waiting_message_read_request(desk.queue, 2, CANCELLED) is HResult.MQ_OK
    assert (answer(first.result), [read.result for read in (peeks, wrong, second)]) == (CANCELLED, [None] * 3)
    assert [one.tag for one in other.waiting_message_read_operation_collection] == [2]
    status = HResult.MQ_INFORMATION_REMOTE_CANCELED_BY_CLIENT
    assert desk.core.cancel_waiting_message_read_request(desk.queue, 2, status) is HResult.MQ_OK
    assert answer(second.result) is status


@pytest.mark.spec("DM-3.1.7.1.17-3", "DM-3.1.7.1.17-1")
def test_no_read_with_the_tag(desk: Desk) -> None:
    untagged = receiver(desk)
    elsewhere = waiting(desk.core.dequeue_message(opened(desk.core, stored_queue(desk.core, "other")), NOW, tag=9))
    assert desk.core.cancel_waiting_message_read_request(desk.queue, 9, CANCELLED) is HResult.STATUS_NOT_FOUND
    nothing = cast("int", None)  # what a careless caller may hand on
    assert desk.core.cancel_waiting_message_read_request(desk.queue, nothing, CANCELLED) is HResult.STATUS_NOT_FOUND
    assert (untagged.result, elsewhere.result) == (None, None)


# ---- commits that fail


def test_what_a_failed_commit_takes_back_from_readers(desk: Desk) -> None:
    read = receiver(desk, timeout=5)
    desk.core.commit()
    desk.send("a")
    assert answer(read.result) == "a"
    desk.core.rollback()
    assert (read.result, desk.core.waiting_reads(), operations(desk)) == (None, [read], [(True, None)])
    desk.core.enqueue_message(desk.queue, labelled("b"), NOW)
    assert answer(read.result) == "b"


def test_a_transaction_that_never_was_does_not_start_to_wait(desk: Desk) -> None:
    result = desk.core.dequeue_message(desk.handle, NOW, transaction=UUID(int=99))
    assert answer(result) is HResult.MQ_ERROR_TRANSACTION_SEQUENCE
    assert operations(desk) == []
