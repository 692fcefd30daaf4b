"""Reads without a cursor that end at once: peeking, receiving, receiving in two steps, within transactions, and by identifier."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from msmqctl.qm.events import MessagePositionAvailable, MessagePositionDeleted
from msmqctl.qm.model import MessageSeekAction, OperationType, PositionState
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.status import HResult
from msmqctl.wire.values import MessageClass
from tests.qm.conftest import Bench
from tests.qm.reader import Desk, answer
from tests.qm.samples import NOW, stored_queue, unit_begun

TIMEOUT, NOT_AVAILABLE = HResult.MQ_ERROR_IO_TIMEOUT, HResult.MQ_ERROR_QUEUE_NOT_AVAILABLE
NOT_FOUND, RECEIVED = HResult.MQ_ERROR_MESSAGE_NOT_FOUND, HResult.MQ_ERROR_MESSAGE_ALREADY_RECEIVED
SEQUENCE, USAGE = HResult.MQ_ERROR_TRANSACTION_SEQUENCE, HResult.MQ_ERROR_TRANSACTION_USAGE
ACK, PURGED = MessageClass.MQMSG_CLASS_ACK_RECEIVE, MessageClass.MQMSG_CLASS_NACK_Q_PURGED
AVAILABLE, LOCKED = PositionState.AVAILABLE, PositionState.LOCKED
FIRST, LAST = MessageSeekAction.SEEK_FIRST, MessageSeekAction.SEEK_LAST
NEXT, PREVIOUS, CURRENT = MessageSeekAction.SEEK_NEXT, MessageSeekAction.SEEK_PREVIOUS, MessageSeekAction.SEEK_CURRENT


@pytest.fixture
def desk(bench: Bench) -> Desk:
    return Desk(bench)


def receive(desk: Desk, **how: Any) -> str | HResult:
    return answer(desk.core.dequeue_message(desk.handle, NOW, timeout=0, **how))


def peek(desk: Desk) -> str | HResult:
    return answer(desk.core.peek_message(desk.handle, NOW, timeout=0))


def lookup(desk: Desk, identifier: int, action: MessageSeekAction = CURRENT, *, peek: bool = True) -> str | HResult:
    return answer(desk.core.read_message_by_lookup_identifier(desk.handle, identifier, peek=peek, action=action))


def operations(desk: Desk, unit: UUID) -> list[tuple[str, int, int | None]]:
    row = desk.core.unit(unit)
    assert row is not None
    return [(operation.kind, operation.lookup, operation.reason) for operation in desk.core.store.operations(row.id)]


# ---- receiving


@pytest.mark.spec(
    "DM-3.1.7.1.10-9", "DM-3.1.7.1.10-10", "DM-3.1.7.1.10-17", "DM-3.1.1.2-3", "DM-3.1.1.2-4", "DM-3.1.7.3.2-2", "DM-3.1.7.2.1-3"
)  # fmt: skip
def test_messages_are_received_from_the_first_on_until_none_is_left(desk: Desk) -> None:
    desk.send("a", "b")
    desk.send("urgent", priority=7)
    heard = []
    for _ in range(4):
        heard.append(receive(desk))
        desk.restart()
    assert heard == ["urgent", "a", "b", TIMEOUT]


@pytest.mark.spec("DM-3.1.7.1.10-16", "DM-X.mp-V4", "DM-3.1.7.2.1-1", "DM-3.1.7.2.1-4", "DM-3.1.7.2.1-5")
def test_a_received_message_is_deleted_as_received(desk: Desk) -> None:
    (first, _) = desk.send("a", "b")
    desk.core.take_events()
    receive(desk)
    (event,) = desk.core.take_events()
    assert isinstance(event, MessagePositionDeleted)
    assert (event.queue, event.lookup_identifier, event.message.label, event.reason) == (desk.queue, first, "a", ACK)
    assert (desk.labels(), desk.queue.total_bytes) == (["b"], 100)
    assert desk.core._durable


@pytest.mark.spec("DM-3.1.7.1.10-13", "DM-3.1.7.1.10-12", "DM-X.mp-V3", "DM-3.1.7.3.2-8", "DM-3.1.7.3.2-3")
def test_within_a_transaction_the_message_is_locked_and_the_next_reader_gets_the_next(desk: Desk) -> None:
    (first, second) = desk.send("a", "b")
    unit = unit_begun(desk.core)
    desk.core.take_events()
    assert receive(desk, transaction=unit) == "a"
    assert desk.core.take_events() == []
    desk.restart()
    assert (desk.state(first), desk.state(second)) == (LOCKED, AVAILABLE)
    assert operations(desk, unit) == [(OperationType.DEQUEUE.value, first, ACK)]
    assert desk.queue.total_bytes == 200
    assert (receive(desk), receive(desk)) == ("b", TIMEOUT)


@pytest.mark.spec("DM-3.1.7.1.10-14")
def test_a_transaction_without_identifier_neither_locks_nor_deletes(desk: Desk) -> None:
    (first,) = desk.send("a")
    assert receive(desk, transaction=NULL_GUID) == "a"
    assert answer(desk.core.dequeue_message_begin(desk.handle, NOW, transaction=NULL_GUID)) == "a"
    assert desk.state(first) is AVAILABLE


def test_a_transaction_that_is_not_open_takes_nothing(desk: Desk) -> None:
    (first,) = desk.send("a")
    assert receive(desk, transaction=UUID(int=5)) is SEQUENCE
    found = desk.core.read_message_by_lookup_identifier(desk.handle, first, peek=False, transaction=UUID(int=5))
    assert answer(found) is SEQUENCE
    assert desk.state(first) is AVAILABLE


@pytest.mark.spec("DM-3.1.7.1.10-1", "DM-3.1.7.1.13-1")
def test_what_excludes_each_other_is_misuse(desk: Desk) -> None:
    unit = unit_begun(desk.core)
    with pytest.raises(ValueError, match="not both"):
        desk.core.dequeue_message(desk.handle, NOW, transaction=unit, two_phase=True)
    with pytest.raises(ValueError, match="not part of a transaction"):
        desk.core.read_message_by_lookup_identifier(desk.handle, 1, peek=True, transaction=unit)


@pytest.mark.spec(
    "DM-3.1.7.1.10-2", "DM-3.1.7.1.11-1", "DM-3.1.7.1.12-1", "DM-3.1.7.1.13-2", "DM-3.1.7.1.14-1", "DM-3.1.7.1.15-1", "DM-3.1.7.3.1-1"
)
def test_no_read_works_on_a_queue_that_was_deleted(desk: Desk) -> None:
    (first,) = desk.send("a")
    desk.core.dequeue_message_begin(desk.handle, NOW)
    core, handle = desk.core, desk.handle
    handle.queue_reference = None
    reads = [
        core.dequeue_message(handle, NOW), core.dequeue_message_begin(handle, NOW), core.peek_message(handle, NOW),
        core.peek_message(handle, NOW, cursor=desk.cursor), core.peek_next_message(handle, NOW, desk.cursor),
        core.read_message_by_lookup_identifier(handle, first, peek=True),
    ]  # fmt: skip
    assert {answer(read) for read in reads} == {NOT_AVAILABLE}
    assert core.dequeue_message_end(handle, first, delete=True) is NOT_AVAILABLE
    assert desk.state(first) is LOCKED


# ---- peeking


@pytest.mark.spec("DM-3.1.7.1.15-4", "DM-3.1.7.1.15-6")
def test_a_peek_shows_the_first_message_and_changes_nothing(desk: Desk) -> None:
    (first, _) = desk.send("a", "b")
    desk.core.commit()
    assert (peek(desk), peek(desk)) == ("a", "a")
    assert (desk.labels(), desk.queue.total_bytes, desk.state(first)) == (["a", "b"], 200, AVAILABLE)
    assert desk.core.take_events() == []
    assert not desk.core._durable


@pytest.mark.spec("DM-3.1.7.3.2-4", "DM-3.1.7.3.2-8")
def test_only_peeks_see_a_locked_message_that_allows_it(desk: Desk) -> None:
    desk.send("hidden")
    desk.send("seen", allow_peek_when_locked=True)
    desk.send("free")
    assert [receive(desk, two_phase=True) for _ in range(2)] == ["hidden", "seen"]
    assert peek(desk) == "seen"
    assert receive(desk) == "free"
    assert receive(desk) is TIMEOUT


# ---- two steps


@pytest.mark.spec("DM-3.1.7.1.10-15", "DM-3.1.7.1.11-2", "DM-X.mp-V3")
def test_the_first_step_locks(desk: Desk) -> None:
    (first, second) = desk.send("a", "b")
    desk.core.take_events()
    assert answer(desk.core.dequeue_message_begin(desk.handle, NOW, timeout=0)) == "a"
    assert receive(desk, two_phase=True) == "b"
    assert (desk.state(first), desk.state(second), desk.core.take_events()) == (LOCKED, LOCKED, [])
    assert answer(desk.core.dequeue_message_begin(desk.handle, NOW, timeout=0)) is TIMEOUT
    assert answer(desk.core.dequeue_message_begin(desk.handle, NOW, timeout=0, cursor=desk.cursor)) is NOT_FOUND


@pytest.mark.spec("DM-3.1.7.1.11-2")
def test_within_a_transaction_the_first_step_belongs_to_it(desk: Desk) -> None:
    (first,) = desk.send("a")
    unit = unit_begun(desk.core)
    assert answer(desk.core.dequeue_message_begin(desk.handle, NOW, transaction=unit)) == "a"
    assert (desk.state(first), operations(desk, unit)) == (LOCKED, [(OperationType.DEQUEUE.value, first, ACK)])


@pytest.mark.spec("DM-3.1.7.1.12-4", "DM-3.1.7.1.12-6", "DM-X.mp-V6")
def test_a_positive_end_deletes(desk: Desk) -> None:
    (first,) = desk.send("a")
    receive(desk, two_phase=True)
    desk.restart()
    desk.core.take_events()
    assert desk.core.dequeue_message_end(desk.handle, first, delete=True) is HResult.MQ_OK
    (event,) = desk.core.take_events()
    assert isinstance(event, MessagePositionDeleted)
    assert (event.reason, desk.state(first), desk.queue.total_bytes) == (ACK, None, 0)


@pytest.mark.spec("DM-3.1.7.1.12-5", "DM-X.mp-V5", "DM-3.1.7.2.2-1", "DM-3.1.7.2.2-7")
def test_a_negative_end_gives_the_message_back_to_its_place_and_counts_it_once(desk: Desk) -> None:
    (first, _) = desk.send("a", "b")
    receive(desk, two_phase=True)
    desk.core.take_events()
    assert desk.core.dequeue_message_end(desk.handle, first, delete=False) is HResult.MQ_OK
    assert desk.core.take_events() == [MessagePositionAvailable(desk.queue, first)]
    assert (desk.state(first), desk.queue.total_bytes, receive(desk)) == (AVAILABLE, 200, "a")


@pytest.mark.spec("DM-3.1.7.1.12-4", "DM-X.mp-V9")
@pytest.mark.parametrize("delete", [True, False])
def test_a_message_purged_meanwhile_ends_as_purged_either_way(desk: Desk, delete: bool) -> None:
    (first,) = desk.send("a")
    receive(desk, two_phase=True)
    desk.core.store.set_state(first, PositionState.PURGE_PENDING)
    desk.restart()
    desk.core.take_events()
    assert desk.core.dequeue_message_end(desk.handle, first, delete=delete) is HResult.MQ_OK
    (event,) = desk.core.take_events()
    assert isinstance(event, MessagePositionDeleted)
    assert (event.reason, desk.state(first)) == (PURGED, None)


@pytest.mark.spec("DM-3.1.7.1.12-2")
@pytest.mark.parametrize("transactional", [True, False])
def test_what_was_not_begun_cannot_be_ended(desk: Desk, transactional: bool) -> None:
    (first,) = desk.send("a")
    assert desk.core.dequeue_message_end(desk.handle, first, delete=True, transactional=transactional) is SEQUENCE
    assert desk.state(first) is AVAILABLE


@pytest.mark.spec("DM-3.1.7.1.12-6")
@pytest.mark.parametrize("delete", [True, False])
def test_a_second_end_changes_nothing(desk: Desk, delete: bool) -> None:
    (first,) = desk.send("a")
    receive(desk, two_phase=True)
    desk.core.dequeue_message_end(desk.handle, first, delete=True)
    desk.core.take_events()
    assert desk.core.dequeue_message_end(desk.handle, first, delete=delete) is SEQUENCE
    assert (desk.core.take_events(), desk.state(first)) == ([], None)


@pytest.mark.spec("DM-3.1.7.1.12-3")
def test_the_end_of_a_transactional_read_leaves_all_to_the_transaction(desk: Desk) -> None:
    (first,) = desk.send("a")
    unit = unit_begun(desk.core)
    desk.core.dequeue_message_begin(desk.handle, NOW, transaction=unit)
    assert desk.core.dequeue_message_end(desk.handle, first, delete=True, transactional=True) is HResult.MQ_OK
    assert desk.state(first) is LOCKED
    assert desk.core.dequeue_message_end(desk.handle, first, delete=True) is SEQUENCE
    assert desk.state(first) is LOCKED
    assert desk.core.dequeue_message_end(desk.handle, 0xFFFF, delete=True, transactional=True) is HResult.MQ_OK


# ---- by identifier


@pytest.mark.spec(
    "DM-3.1.7.3.3-3", "DM-3.1.7.3.3-4", "DM-3.1.7.3.3-5", "DM-3.1.7.3.3-6", "DM-3.1.7.3.3-7", "DM-3.1.7.3.2-5", "DM-3.1.7.3.2-6",
    "DM-3.1.7.3.2-1", "DM-3.1.7.3.3-1", "DM-3.1.1.2-5",
)  # fmt: skip
def test_every_action_finds_its_message(desk: Desk) -> None:
    (_, middle, _) = desk.send("a", "b", "c")
    desk.restart()
    found = {action: lookup(desk, middle, action) for action in MessageSeekAction}
    assert found == {FIRST: "a", PREVIOUS: "a", CURRENT: "b", NEXT: "c", LAST: "c"}


@pytest.mark.spec("DM-3.1.7.3.2-6", "DM-3.1.7.3.2-3", "DM-3.1.7.3.2-8")
def test_neighbours_that_are_locked_are_passed_over(desk: Desk) -> None:
    lookups = desk.send("a", "b", "c", "d", "e")
    for locked in (lookups[1], lookups[3]):
        desk.core.store.set_state(locked, LOCKED)
    desk.core.store.set_state(lookups[0], PositionState.PURGE_PENDING)
    assert lookup(desk, lookups[2], NEXT) == "e"
    assert lookup(desk, lookups[2], PREVIOUS) is NOT_FOUND
    assert lookup(desk, lookups[3], PREVIOUS, peek=False) == "c"


@pytest.mark.spec("DM-3.1.7.3.2-4", "DM-3.1.7.3.2-6")
def test_backwards_too_a_peek_sees_locked_messages_that_allow_it(desk: Desk) -> None:
    (seen,) = desk.send("seen", allow_peek_when_locked=True)
    (last,) = desk.send("last")
    desk.core.store.set_state(seen, LOCKED)
    assert lookup(desk, last, PREVIOUS) == "seen"
    assert lookup(desk, last, PREVIOUS, peek=False) is NOT_FOUND


@pytest.mark.spec("DM-3.1.7.1.13-4", "DM-3.1.7.3.2-7", "DM-3.1.1.2-8")
def test_nothing_in_a_direction_is_not_found(desk: Desk) -> None:
    assert [lookup(desk, 0, action) for action in (FIRST, LAST)] == [NOT_FOUND, NOT_FOUND]
    (only,) = desk.send("a")
    assert [lookup(desk, only, action, peek=False) for action in (NEXT, PREVIOUS)] == [NOT_FOUND, NOT_FOUND]
    assert desk.state(only) is AVAILABLE


@pytest.mark.spec("DM-3.1.7.3.3-2", "DM-3.1.7.1.13-3")
def test_an_identifier_that_is_not_in_the_queue_matters_unless_first_or_last_is_asked_for(desk: Desk) -> None:
    desk.send("a")
    desk.core.enqueue_message(stored_queue(desk.core, "other"), desk.core.message(desk.send("b")[0]), NOW)
    elsewhere = desk.core.store.first_available(stored_queue(desk.core, "other").key or 0)
    assert elsewhere is not None
    for identifier in (0, 0xFFFFFFFFFFFFFFFF, elsewhere.lookup):
        assert [lookup(desk, identifier, action) for action in (NEXT, PREVIOUS, CURRENT)] == [NOT_FOUND] * 3
        assert [lookup(desk, identifier, action) for action in (FIRST, LAST)] == ["a", "b"]


@pytest.mark.spec("DM-3.1.7.3.3-13")
@pytest.mark.parametrize("top", [0x00, 0x04, 0x07, 0xFF])
def test_seven_octets_of_the_identifier_count(desk: Desk, top: int) -> None:
    (first, _) = desk.send("a", "b")
    made_up = top << 56 | first & (1 << 56) - 1
    assert lookup(desk, made_up) == "a"
    assert lookup(desk, made_up, NEXT) == "b"
    receive(desk, two_phase=True)
    assert desk.core.dequeue_message_end(desk.handle, made_up, delete=True) is HResult.MQ_OK
    assert desk.labels() == ["b"]


@pytest.mark.parametrize(
    ("state", "shy", "peek", "expected"),
    [
        pytest.param(LOCKED, False, True, "a", marks=pytest.mark.spec("DM-3.1.7.3.3-8", "DM-3.1.7.1.13-5")),
        pytest.param(LOCKED, True, True, USAGE, marks=pytest.mark.spec("DM-3.1.7.3.3-9")),
        pytest.param(PositionState.DELETED, False, True, RECEIVED, marks=pytest.mark.spec("DM-3.1.7.3.3-10")),
        pytest.param(PositionState.PURGE_PENDING, False, True, RECEIVED, marks=pytest.mark.spec("DM-3.1.7.3.3-12")),
        pytest.param(LOCKED, False, False, NOT_FOUND, marks=pytest.mark.spec("DM-3.1.7.3.3-11")),
        pytest.param(PositionState.PURGE_PENDING, False, False, NOT_FOUND, marks=pytest.mark.spec("DM-3.1.7.3.3-11")),
        pytest.param(PositionState.DELETED, False, False, NOT_FOUND, marks=pytest.mark.spec("DM-3.1.7.3.3-11")),
    ],
)
def test_the_very_message_when_it_is_not_available(desk: Desk, state: PositionState, shy: bool, peek: bool, expected: object) -> None:
    (only,) = desk.send("a", allow_peek_when_locked=not shy)
    desk.core.store.set_state(only, state)
    desk.restart()
    assert lookup(desk, only, peek=peek) == expected
    assert desk.state(only) is state


@pytest.mark.spec("DM-3.1.7.1.13-6", "DM-3.1.7.1.13-7", "DM-3.1.7.1.13-8", "DM-3.1.7.1.13-9", "DM-X.mp-V3", "DM-X.mp-V4")
def test_what_becomes_of_a_message_that_was_read_by_its_identifier(desk: Desk) -> None:
    seen, taken, held, locked, spared = desk.send("seen", "taken", "held", "locked", "spared")
    unit = unit_begun(desk.core)
    desk.core.take_events()
    read = desk.core.read_message_by_lookup_identifier
    handle = desk.handle
    assert answer(read(handle, seen, peek=True)) == "seen"
    assert desk.core.take_events() == []
    assert answer(read(handle, held, peek=False, transaction=unit)) == "held"
    assert answer(read(handle, locked, peek=False, two_phase=True)) == "locked"
    assert answer(read(handle, spared, peek=False, transaction=NULL_GUID)) == "spared"
    assert desk.core.take_events() == []
    assert answer(read(handle, taken, peek=False)) == "taken"
    (event,) = desk.core.take_events()
    assert isinstance(event, MessagePositionDeleted)
    assert (event.lookup_identifier, event.reason) == (taken, ACK)
    assert [desk.state(one) for one in (seen, taken, held, locked, spared)] == [AVAILABLE, None, LOCKED, LOCKED, AVAILABLE]
    assert operations(desk, unit) == [(OperationType.DEQUEUE.value, held, ACK)]


def test_nobody_sees_an_uncommitted_message_by_its_identifier(desk: Desk) -> None:
    (secret,) = desk.send("secret", transaction=unit_begun(desk.core), allow_peek_when_locked=True)
    heard = desk.core.read_message_by_lookup_identifier(desk.handle, secret, peek=True)
    assert answer(heard) is HResult.MQ_ERROR_TRANSACTION_USAGE
