"""The cursor's table: every field of it, and the place at the end of a queue."""

from __future__ import annotations

import itertools

import pytest

from msmqctl.qm.cursor import (
    RULES,
    CursorAnswer,
    CursorRequest,
    Look,
    Move,
    Rule,
    after_message_available,
    end_of_queue,
    parks_after_wait,
    rule,
    sequential_at_end,
)
from msmqctl.qm.model import CursorState, ListEdge

UNREAD, READ = CursorState.UNREAD, CursorState.READ
WAIT_PEEK, WAIT_RECEIVE = CursorState.WAIT_PEEK, CursorState.WAIT_RECEIVE
PEEK = CursorRequest.GET_MESSAGE_FOR_PEEK
PEEK_NEXT = CursorRequest.GET_NEXT_MESSAGE_FOR_PEEK
DEQUEUE = CursorRequest.GET_NEXT_MESSAGE_FOR_DEQUEUE
AT_ONCE = CursorRequest.GET_NEXT_MESSAGE_FOR_DEQUEUE_AT_ONCE
SUCCEEDED, WAITING = CursorAnswer.SUCCEEDED, CursorAnswer.WAITING
RECEIVED, NOT_FOUND = CursorAnswer.ALREADY_RECEIVED, CursorAnswer.NOT_FOUND


@pytest.mark.parametrize(
    ("state", "request_", "look", "found", "missing"),
    [
        pytest.param(UNREAD, PEEK, Look.BEHIND_LOCKS, (SUCCEEDED, READ), (WAITING, WAIT_PEEK), marks=pytest.mark.spec("DM-3.2.7.2-1")),
        pytest.param(
            READ, PEEK, Look.HERE, (SUCCEEDED, READ), (RECEIVED, READ), marks=pytest.mark.spec("DM-3.2.7.2-2", "DM-3.2.7.2-3")
        ),
        pytest.param(READ, PEEK_NEXT, Look.BEHIND_LOCKS, (SUCCEEDED, READ), (WAITING, WAIT_PEEK), marks=pytest.mark.spec("DM-3.2.7.3-2")),
        pytest.param(
            UNREAD, DEQUEUE, Look.BEHIND, (SUCCEEDED, UNREAD), (WAITING, WAIT_RECEIVE),
            marks=pytest.mark.spec("DM-3.2.7.4-1", "DM-3.2.7.4-3", "DM-3.2.7.4-4"),
        ),
        pytest.param(UNREAD, AT_ONCE, Look.BEHIND, (SUCCEEDED, UNREAD), (NOT_FOUND, UNREAD), marks=pytest.mark.spec("DM-3.2.7.4-2")),
        pytest.param(
            READ, DEQUEUE, Look.HERE, (SUCCEEDED, UNREAD), (RECEIVED, READ), marks=pytest.mark.spec("DM-3.2.7.4-5", "DM-3.2.7.4-6")
        ),
        pytest.param(
            READ, AT_ONCE, Look.HERE, (SUCCEEDED, UNREAD), (RECEIVED, READ), marks=pytest.mark.spec("DM-3.2.7.4-5", "DM-3.2.7.4-6")
        ),
    ],
)  # fmt: skip
def test_every_legal_request(
    state: CursorState,
    request_: CursorRequest,
    look: Look,
    found: tuple[CursorAnswer, CursorState],
    missing: tuple[CursorAnswer, CursorState],
) -> None:
    assert rule(state, request_) == Rule(look, found=Move(*found), missing=Move(*missing))


@pytest.mark.spec("DM-3.2.7.3-1", "DM-3.2.7.2-4")
def test_all_other_requests_are_illegal() -> None:
    illegal = {pair for pair in itertools.product(CursorState, CursorRequest) if rule(*pair) is None}
    assert illegal == {(UNREAD, PEEK_NEXT), *itertools.product((WAIT_PEEK, WAIT_RECEIVE), CursorRequest)}
    assert len(RULES) == 7


@pytest.mark.spec("DM-3.2.7.5-1")
def test_a_message_ends_a_wait_and_leaves_other_states_alone() -> None:
    assert {state: after_message_available(state) for state in CursorState} == {
        WAIT_PEEK: READ, WAIT_RECEIVE: UNREAD, UNREAD: UNREAD, READ: READ,
    }  # fmt: skip


@pytest.mark.spec("DM-3.2.7.6-1", "DM-3.2.7.6-2")
def test_only_a_receiver_goes_to_the_end() -> None:
    assert [state for state in CursorState if parks_after_wait(state)] == [WAIT_RECEIVE]


@pytest.mark.spec("DM-3.1.1.2-7")
def test_the_end_lies_behind_every_message_and_remembers_when_it_was_reached() -> None:
    last_of_all = 7 << 56 | (1 << 56) - 1
    assert end_of_queue(0) > last_of_all
    assert end_of_queue(1 << 56 | 5) == end_of_queue(5)
    assert sequential_at_end(end_of_queue(1234)) == 1234
    assert [sequential_at_end(place) for place in (ListEdge.START, ListEdge.END, last_of_all, 0)] == [None] * 4
