"""The cursor's states and moves, as a table. [MS-MQDMPR] 3.2

A reader asks its cursor for a message; the cursor looks either at the message where it stands or behind it, and what it sees decides the
answer, its next state and its next place. All of that is data here, and the functions only look it up: who has the queue does the looking.
"""

from __future__ import annotations

from enum import StrEnum

from msmqctl.qm.model import CursorState, ListEdge, PositionKey
from msmqctl.qm.schema import PRIORITIES, PRIORITY_SHIFT, SEQUENTIAL_PART
from msmqctl.wire.dataclass import dataclass

# One more than the highest top octet of a lookup identifier, so that a key which begins with it sorts behind every message.
_PAST_THE_TAIL = PRIORITIES << PRIORITY_SHIFT


class CursorRequest(StrEnum):
    """What a reader asks for. The document has one request to dequeue, with a flag for readers that do not wait. [MS-MQDMPR] 3.2.7"""

    GET_MESSAGE_FOR_PEEK = "Get Message For Peek"
    GET_NEXT_MESSAGE_FOR_PEEK = "Get Next Message For Peek"
    GET_NEXT_MESSAGE_FOR_DEQUEUE = "Get Next Message For Dequeue"
    GET_NEXT_MESSAGE_FOR_DEQUEUE_AT_ONCE = "Get Next Message For Dequeue, iNoWait"


class CursorAnswer(StrEnum):
    """What the cursor says to it. [MS-MQDMPR] 3.2.7"""

    SUCCEEDED = "Succeeded"
    NOT_FOUND = "NotFound"
    ALREADY_RECEIVED = "AlreadyReceived"
    ILLEGAL_CURSOR_ACTION = "IllegalCursorAction"
    WAITING = "Waiting"


class Look(StrEnum):
    """Where a request makes the cursor look for an available message."""

    HERE = "at the cursor"
    BEHIND = "behind the cursor"
    BEHIND_LOCKS = "behind the cursor, locked messages that may be peeked at included"


@dataclass(frozen=True, slots=True)
class Move:
    """What follows from a look: the answer, and the state after it. A message that was found behind the cursor is its new place."""

    answer: CursorAnswer
    state: CursorState


@dataclass(frozen=True, slots=True)
class Rule:
    """One field of the table: where to look, and the move for either sight."""

    look: Look
    found: Move
    missing: Move


_PEEK = CursorRequest.GET_MESSAGE_FOR_PEEK
_PEEK_NEXT = CursorRequest.GET_NEXT_MESSAGE_FOR_PEEK
_DEQUEUE = CursorRequest.GET_NEXT_MESSAGE_FOR_DEQUEUE
_DEQUEUE_AT_ONCE = CursorRequest.GET_NEXT_MESSAGE_FOR_DEQUEUE_AT_ONCE

_UNREAD, _READ = CursorState.UNREAD, CursorState.READ
_WAIT_PEEK, _WAIT_RECEIVE = CursorState.WAIT_PEEK, CursorState.WAIT_RECEIVE

_SEEN = Move(CursorAnswer.SUCCEEDED, _READ)
_TAKEN = Move(CursorAnswer.SUCCEEDED, _UNREAD)
_LOST = Move(CursorAnswer.ALREADY_RECEIVED, _READ)
_PEEK_WAITS = Move(CursorAnswer.WAITING, _WAIT_PEEK)
_DEQUEUE_WAITS = Move(CursorAnswer.WAITING, _WAIT_RECEIVE)
_NONE_NOW = Move(CursorAnswer.NOT_FOUND, _UNREAD)

# state         Peek                      Peek next             Dequeue                             at once
# Unread        seek: Read | WaitPeek     illegal               seek: Unread | WaitReceive          seek: Unread | not found
# Read          here: Read | received     seek: Read | WaitPeek here: Unread | received             here: Unread | received
# WaitPeek      illegal                   illegal               illegal                             illegal
# WaitReceive   illegal                   illegal               illegal                             illegal
#
# The document leaves requests to a waiting cursor open; like a peek at the next of nothing they are illegal, and change nothing.
RULES: dict[tuple[CursorState, CursorRequest], Rule] = {
    (_UNREAD, _PEEK): Rule(Look.BEHIND_LOCKS, found=_SEEN, missing=_PEEK_WAITS),
    (_UNREAD, _DEQUEUE): Rule(Look.BEHIND, found=_TAKEN, missing=_DEQUEUE_WAITS),
    (_UNREAD, _DEQUEUE_AT_ONCE): Rule(Look.BEHIND, found=_TAKEN, missing=_NONE_NOW),
    (_READ, _PEEK): Rule(Look.HERE, found=_SEEN, missing=_LOST),
    (_READ, _PEEK_NEXT): Rule(Look.BEHIND_LOCKS, found=_SEEN, missing=_PEEK_WAITS),
    (_READ, _DEQUEUE): Rule(Look.HERE, found=_TAKEN, missing=_LOST),
    (_READ, _DEQUEUE_AT_ONCE): Rule(Look.HERE, found=_TAKEN, missing=_LOST),
}

# A message came: the cursor stands on it, wherever in the queue that is. [MS-MQDMPR] 3.2.7.5
_AFTER_MESSAGE_AVAILABLE: dict[CursorState, CursorState] = {_WAIT_PEEK: _READ, _WAIT_RECEIVE: _UNREAD}

# The wait was in vain: only a receiver goes to the end of the queue. [MS-MQDMPR] 3.2.7.6
_PARKS_AFTER_WAIT: frozenset[CursorState] = frozenset({_WAIT_RECEIVE})


def rule(state: CursorState, request: CursorRequest) -> Rule | None:
    """How a cursor in `state` goes about a request; None where the request is illegal. [MS-MQDMPR] 3.2.7.2, 3.2.7.3, 3.2.7.4"""
    return RULES.get((state, request))


def after_message_available(state: CursorState) -> CursorState:
    """The state when the message that a reader waited for has come. [MS-MQDMPR] 3.2.7.5"""
    return _AFTER_MESSAGE_AVAILABLE.get(state, state)


def parks_after_wait(state: CursorState) -> bool:
    """Whether a cursor whose wait ended without a message goes to the end; its next state is Unread in any case. [MS-MQDMPR] 3.2.7.6"""
    return state in _PARKS_AFTER_WAIT


def end_of_queue(sequential: int) -> PositionKey:
    """MessagePositionList.End as a place to go on from: it remembers how far SequentialID was when the cursor came there."""
    # Departs from [MS-MQDMPR] 3.2.7.6: a cursor at End finds what is enqueued later, because a reader that polls would miss it.
    return _PAST_THE_TAIL | sequential & SEQUENTIAL_PART


def sequential_at_end(place: PositionKey | ListEdge) -> int | None:
    """What a place at the end of the queue remembers; None for any other place."""
    return place & SEQUENTIAL_PART if isinstance(place, int) and place >= _PAST_THE_TAIL else None
