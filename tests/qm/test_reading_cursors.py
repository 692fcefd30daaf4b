"""Reads through a cursor: where it stands after each of them, and what it finds when the queue changes around it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from msmqctl.qm.core import key_of
from msmqctl.qm.cursor import sequential_at_end
from msmqctl.qm.model import CursorState, ListEdge, PositionState
from msmqctl.wire.status import HResult
from tests.qm.conftest import Bench
from tests.qm.reader import Desk, answer, waiting
from tests.qm.samples import NOW, after, cursor_at_start, labelled, opened, stored_queue
from tests.qm.working import TX

TIMEOUT, ILLEGAL = HResult.MQ_ERROR_IO_TIMEOUT, HResult.MQ_ERROR_ILLEGAL_CURSOR_ACTION
NOT_FOUND, RECEIVED = HResult.MQ_ERROR_MESSAGE_NOT_FOUND, HResult.MQ_ERROR_MESSAGE_ALREADY_RECEIVED
CANCELLED = HResult.MQ_ERROR_OPERATION_CANCELLED
UNREAD, READ = CursorState.UNREAD, CursorState.READ


@pytest.fixture
def desk(bench: Bench) -> Desk:
    return Desk(bench)


def peek(desk: Desk) -> str | HResult:
    return answer(desk.core.peek_message(desk.handle, NOW, timeout=0, cursor=desk.cursor))


def peek_next(desk: Desk) -> str | HResult:
    return answer(desk.core.peek_next_message(desk.handle, NOW, desk.cursor, timeout=0))


def receive(desk: Desk, **how: Any) -> str | HResult:
    return answer(desk.core.dequeue_message(desk.handle, NOW, timeout=0, cursor=desk.cursor, **how))


def take_first(desk: Desk) -> str | HResult:
    """Receive as somebody without a cursor."""
    return answer(desk.core.dequeue_message(desk.handle, NOW, timeout=0))


def place(desk: Desk) -> tuple[CursorState, int | ListEdge]:
    return desk.cursor.cursor_state, desk.cursor.message_position_reference


@pytest.mark.spec("DM-3.2.7.2-1", "DM-3.2.7.2-2", "DM-3.1.7.1.15-2", "DM-3.1.1.2-6", "DM-3.1.7.1.15-6")
def test_a_peek_goes_to_the_first_message_and_stays_there(desk: Desk) -> None:
    (first, _) = desk.send("a", "b")
    assert place(desk) == (UNREAD, ListEdge.START)
    assert [peek(desk), peek(desk)] == ["a", "a"]
    assert place(desk) == (READ, first)
    assert desk.labels() == ["a", "b"]


@pytest.mark.spec("DM-3.2.7.3-2", "DM-3.1.7.1.14-2")
def test_peeking_on_walks_the_whole_queue_in_order(desk: Desk) -> None:
    desk.send("c", "d", priority=1)
    desk.send("a", "b", priority=6)
    assert [peek(desk), peek_next(desk), peek_next(desk), peek_next(desk)] == ["a", "b", "c", "d"]
    assert peek_next(desk) is TIMEOUT


@pytest.mark.spec("DM-3.2.7.3-1", "DM-3.1.7.1.14-3")
def test_there_is_no_next_before_the_first_peek(desk: Desk) -> None:
    desk.send("a")
    assert peek_next(desk) is ILLEGAL
    assert place(desk) == (UNREAD, ListEdge.START)


@pytest.mark.spec("DM-3.2.7.2-3", "DM-3.2.7.4-6", "DM-3.1.7.1.10-6", "DM-3.1.7.1.15-2")
def test_a_message_that_somebody_else_took_is_reported_and_the_cursor_stays(desk: Desk) -> None:
    (first, _) = desk.send("a", "b")
    peek(desk)
    take_first(desk)
    assert [peek(desk), receive(desk), peek(desk)] == [RECEIVED, RECEIVED, RECEIVED]
    assert place(desk) == (READ, first)
    assert peek_next(desk) == "b"


@pytest.mark.spec("DM-3.2.7.2-1", "DM-3.2.7.2-3", "DM-3.2.7.3-2")
def test_a_locked_message_can_be_peeked_at_once_but_not_twice(desk: Desk) -> None:
    for lookup in desk.send("a", "b", allow_peek_when_locked=True):
        desk.core.store.set_state(lookup, PositionState.LOCKED)
    assert [peek(desk), peek(desk), peek_next(desk), peek(desk)] == ["a", RECEIVED, "b", RECEIVED]


def test_a_message_that_was_moved_away_is_not_here_any_more(desk: Desk) -> None:
    (first,) = desk.send("a")
    peek(desk)
    position = desk.core.store.position(first)
    assert position is not None
    desk.core.move_message(position, stored_queue(desk.core, "sub"))
    assert [peek(desk), receive(desk)] == [RECEIVED, RECEIVED]


@pytest.mark.spec("DM-3.2.7.4-1", "DM-3.2.7.4-4", "DM-3.1.7.1.10-4", "DM-3.1.7.1.10-5")
def test_receiving_goes_on_behind_what_was_received(desk: Desk) -> None:
    (_, second, _) = desk.send("a", "b", "c")
    assert [receive(desk), receive(desk)] == ["a", "b"]
    assert place(desk) == (UNREAD, second)
    desk.send("urgent", priority=7)
    assert receive(desk) == "c"
    assert desk.labels() == ["urgent"]


@pytest.mark.spec("DM-3.2.7.4-1")
def test_a_receiver_passes_over_what_only_peeks_may_see(desk: Desk) -> None:
    (first,) = desk.send("locked", allow_peek_when_locked=True)
    desk.send("free")
    desk.core.store.set_state(first, PositionState.LOCKED)
    assert receive(desk) == "free"


@pytest.mark.spec("DM-3.2.7.4-5")
def test_what_was_peeked_at_is_what_is_received(desk: Desk) -> None:
    (_, second, _) = desk.send("a", "b", "c")
    peek(desk)
    peek_next(desk)
    assert receive(desk) == "b"
    assert place(desk) == (UNREAD, second)
    assert [peek(desk), desk.labels()] == ["c", ["a", "c"]]


@pytest.mark.spec("DM-3.2.7.4-2", "DM-3.1.7.1.10-7", "DM-3.1.7.1.10-4")
def test_a_receiver_that_does_not_wait_finds_none_and_the_cursor_stays(desk: Desk) -> None:
    (first,) = desk.send("a")
    assert receive(desk) == "a"
    assert receive(desk) is NOT_FOUND
    assert place(desk) == (UNREAD, first)


@pytest.mark.spec("DM-3.2.7.6-2", "DM-3.2.7.6-3", "DM-3.1.7.1.14-4", "DM-3.1.7.1.15-3")
def test_a_peek_that_found_nothing_leaves_the_cursor_unread_behind_its_message(desk: Desk) -> None:
    (first,) = desk.send("a")
    peek(desk)
    assert peek_next(desk) is TIMEOUT
    assert place(desk) == (UNREAD, first)
    assert peek_next(desk) is ILLEGAL
    assert peek(desk) is TIMEOUT
    assert place(desk) == (UNREAD, first)
    desk.send("b")
    assert peek(desk) == "b"


@pytest.mark.spec("DM-3.1.1.11-3", "DM-3.1.7.3.2-10")
def test_the_place_of_a_message_that_left_is_still_a_place_to_go_on_from(desk: Desk) -> None:
    desk.send("a", "b")
    peek(desk)
    assert [take_first(desk), take_first(desk)] == ["a", "b"]
    desk.send("low", priority=2)
    desk.send("high", priority=4)
    assert peek_next(desk) == "low"


# ---- the end of the queue


def park(desk: Desk) -> None:
    """Let a receive through the cursor run out of time."""
    read = waiting(desk.core.dequeue_message(desk.handle, NOW, timeout=1, cursor=desk.cursor))
    desk.core.end_overdue_reads(after(1))
    assert answer(read.result) is TIMEOUT


@pytest.mark.spec("DM-3.2.7.6-1", "DM-3.2.7.4-3", "DM-3.1.1.2-7", "DM-3.1.7.1.10-8")
def test_a_receive_that_ran_out_of_time_parks_the_cursor_at_the_end(desk: Desk) -> None:
    (first,) = desk.send("a")
    receive(desk, two_phase=True)
    park(desk)
    assert desk.cursor.cursor_state is UNREAD
    assert sequential_at_end(desk.cursor.message_position_reference) == desk.core.store.sequential()
    desk.core.dequeue_message_end(desk.handle, first, delete=False)
    assert [receive(desk), peek(desk)] == [NOT_FOUND, TIMEOUT]


@pytest.mark.spec("DM-3.1.7.3.2-9")
@pytest.mark.parametrize("priority", [0, 3, 7])
def test_what_is_sent_later_lies_behind_the_end(desk: Desk, priority: int) -> None:
    (early,) = desk.send("early")
    desk.core.store.set_state(early, PositionState.LOCKED)
    park(desk)
    desk.core.store.set_state(early, PositionState.AVAILABLE)
    assert receive(desk) is NOT_FOUND
    desk.send("later", priority=priority)
    assert peek(desk) == "later"
    assert receive(desk) == "later"


@pytest.mark.spec("DM-3.1.7.3.2-9")
def test_what_was_sent_before_the_end_and_committed_behind_it_is_found(desk: Desk) -> None:
    desk.core.create_transaction(TX)
    desk.send("early", transaction=TX)
    desk.send("taken")
    assert receive(desk) == "taken"
    park(desk)
    assert receive(desk) is NOT_FOUND
    desk.core.transaction_commit(TX)
    desk.send("low", priority=0)
    assert [peek(desk), receive(desk), receive(desk), receive(desk)] == ["early", "early", "low", NOT_FOUND]


@pytest.mark.spec("DM-3.1.7.3.2-9")
@pytest.mark.parametrize("transaction", [None, TX])
def test_what_is_moved_into_the_queue_lies_behind_the_end(desk: Desk, transaction: UUID | None) -> None:
    elsewhere = stored_queue(desk.core, "elsewhere")
    desk.core.enqueue_message(elsewhere, labelled("moved", priority=7), NOW)
    desk.send("old")
    (old,) = desk.core.store.positions(key_of(desk.queue))
    desk.core.store.set_state(old.lookup, PositionState.LOCKED)
    park(desk)
    desk.core.store.set_state(old.lookup, PositionState.AVAILABLE)
    desk.core.create_transaction(TX)
    (position,) = desk.core.store.positions(key_of(elsewhere))
    desk.core.move_message(position, desk.queue, transaction)
    desk.core.transaction_commit(TX)
    assert [receive(desk), receive(desk)] == ["moved", "old"]


@pytest.mark.spec("DM-3.1.7.3.2-9")
def test_what_came_late_is_behind_one_end_only(desk: Desk) -> None:
    desk.core.create_transaction(TX)
    (early,) = desk.send("early", transaction=TX)
    park(desk)
    desk.core.transaction_commit(TX)
    desk.core.store.set_state(early, PositionState.LOCKED)
    park(desk)
    desk.core.store.set_state(early, PositionState.AVAILABLE)
    assert receive(desk) is NOT_FOUND


@pytest.mark.spec("DM-3.1.7.3.2-9")
def test_the_bare_end_has_nothing_behind_it(desk: Desk) -> None:
    desk.send("a")
    desk.cursor.message_position_reference = ListEdge.END
    assert [peek(desk), receive(desk)] == [TIMEOUT, NOT_FOUND]


# ---- cursors that wait


@pytest.mark.spec("DM-3.2.7.5-1", "DM-3.2.7.5-2", "DM-3.1.7.1.15-3")
def test_a_waiting_peek_ends_on_the_message_even_if_that_is_a_step_back(desk: Desk) -> None:
    desk.send("a")
    peek(desk)
    read = waiting(desk.core.peek_next_message(desk.handle, NOW, desk.cursor))
    assert desk.cursor.cursor_state is CursorState.WAIT_PEEK
    (urgent,) = desk.send("urgent", priority=7)
    assert answer(read.result) == "urgent"
    assert place(desk) == (READ, urgent)
    assert [peek(desk), peek_next(desk)] == ["urgent", "a"]


@pytest.mark.spec("DM-3.1.7.1.15-3")
def test_a_waiting_first_peek_stands_on_the_message(desk: Desk) -> None:
    read = waiting(desk.core.peek_message(desk.handle, NOW, cursor=desk.cursor))
    (first,) = desk.send("a")
    assert (answer(read.result), place(desk)) == ("a", (READ, first))


@pytest.mark.spec("DM-3.2.7.5-1", "DM-3.2.7.4-3", "DM-3.1.7.1.10-8")
def test_a_waiting_receive_ends_behind_its_message(desk: Desk) -> None:
    read = waiting(desk.core.dequeue_message(desk.handle, NOW, cursor=desk.cursor))
    assert place(desk) == (CursorState.WAIT_RECEIVE, ListEdge.START)
    desk.send("a")
    assert answer(read.result) == "a"
    assert desk.cursor.cursor_state is UNREAD
    desk.send("b")
    assert receive(desk) == "b"


@pytest.mark.spec("DM-3.2.7.2-4")
@pytest.mark.parametrize("waits_to", ["peek", "receive"])
def test_a_cursor_that_waits_is_not_for_a_second_reader(desk: Desk, waits_to: str) -> None:
    start = desk.core.peek_message if waits_to == "peek" else desk.core.dequeue_message
    read = waiting(start(desk.handle, NOW, cursor=desk.cursor))
    before = place(desk)
    assert [peek(desk), peek_next(desk), receive(desk)] == [ILLEGAL, ILLEGAL, ILLEGAL]
    assert answer(desk.core.dequeue_message(desk.handle, NOW, cursor=desk.cursor)) is ILLEGAL
    assert (place(desk), read.result) == (before, None)


@pytest.mark.spec("DM-3.2.7.6-4")
def test_a_queue_that_is_deleted_under_a_waiting_cursor(desk: Desk) -> None:
    read = waiting(desk.core.dequeue_message(desk.handle, NOW, cursor=desk.cursor))
    desk.handle.queue_reference = None
    desk.core.end_read(read, read.give_up, HResult.MQ_ERROR_QUEUE_NOT_AVAILABLE)
    assert place(desk) == (UNREAD, ListEdge.START)
    assert answer(read.result) is HResult.MQ_ERROR_QUEUE_NOT_AVAILABLE


@pytest.mark.spec("DM-3.1.7.1.14-4")
def test_a_cancelled_wait_moves_the_cursor_like_one_that_ran_out_of_time(desk: Desk) -> None:
    desk.send("a")
    peek(desk)
    read = waiting(desk.core.peek_next_message(desk.handle, NOW, desk.cursor))
    desk.core.end_read(read, read.give_up, CANCELLED)
    assert (answer(read.result), desk.cursor.cursor_state) == (CANCELLED, UNREAD)


@pytest.mark.spec("DM-3.2-1")
def test_cursors_do_not_disturb_each_other_and_serve_whoever_has_them(desk: Desk) -> None:
    desk.send("a", "b")
    other = cursor_at_start(desk.core, opened(desk.core, desk.queue))
    assert [peek(desk), peek_next(desk)] == ["a", "b"]
    assert answer(desk.core.peek_message(desk.handle, NOW, timeout=0, cursor=other)) == "a"
    (shared, *_) = desk.handle.cursor_collection
    assert answer(desk.core.peek_message(desk.handle, NOW, timeout=0, cursor=shared)) == "b"


def test_a_commit_that_fails_puts_the_cursor_back(desk: Desk) -> None:
    desk.send("a", "b")
    peek(desk)
    desk.core.commit()
    before = place(desk)
    assert [receive(desk), peek(desk)] == ["a", "b"]
    desk.core.rollback()
    assert (place(desk), desk.labels(), desk.queue.total_bytes) == (before, ["a", "b"], 200)


@pytest.mark.spec("DM-3.2-2")
def test_nothing_but_its_own_reads_moves_a_cursor(desk: Desk) -> None:
    (first, second) = desk.send("a", "b")
    peek(desk)
    before = place(desk)
    desk.send("urgent", priority=7)
    desk.core.peek_message(desk.handle, NOW)
    desk.core.read_message_by_lookup_identifier(desk.handle, second, peek=False)
    take_first(desk)
    position = desk.core.store.position(first)
    assert position is not None
    desk.core.move_message(position, stored_queue(desk.core, "sub"))
    desk.core.end_overdue_reads(after(1000))
    assert place(desk) == before
