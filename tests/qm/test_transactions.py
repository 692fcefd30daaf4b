"""Transactions: begun, prepared, committed, aborted; what they do to positions, totals and subscribers, and what a coordinator hears."""

from __future__ import annotations

from uuid import UUID

import pytest

from msmqctl.errors import TransportError
from msmqctl.qm.model import PositionState, Queue
from msmqctl.qm.transactions import Decision, EnlistmentAnswer, Reenlistment
from msmqctl.wire.status import HResult
from msmqctl.wire.values import MessageClass
from tests.qm.conftest import Bench
from tests.qm.samples import NOW, after, stored_queue
from tests.qm.working import ACK_RECEIVE, OTHER_TX, TX, Working, at, begun, happened, labels, received, sent, totals

OK, SEQUENCE = HResult.MQ_OK, HResult.MQ_ERROR_TRANSACTION_SEQUENCE
PURGED = MessageClass.MQMSG_CLASS_NACK_Q_PURGED
LOCKED = PositionState.LOCKED


def ends(core: Working, lookup: int) -> tuple[bool, bool]:
    message = core.message(lookup)
    return message.first_in_transaction, message.last_in_transaction


def gone(core: Working, queue: Queue, *lookups: int) -> None:
    """Delete messages the way the deletion of a queue does."""
    with core.call():
        for lookup in lookups:
            core.message_position_deleted(at(core, lookup), MessageClass.MQMSG_CLASS_NACK_Q_DELETED)


# ---- beginning


@pytest.mark.spec("DM-3.1.7.1.8-1")
def test_a_new_transaction_has_its_identifier_and_no_coordinator(bench: Bench) -> None:
    core = bench.open(Working)
    made = core.create_transaction(TX)
    assert made.identifier == TX.bytes
    assert made.single_phase
    assert core.local.transaction_collection == {TX}
    core = bench.reopen(core)
    assert core.unit(TX) == made
    assert made.single_phase


def test_a_known_identifier_yields_the_transaction_that_has_it(bench: Bench) -> None:
    core = begun(bench)
    sent(core, stored_queue(core), "one", TX)
    again = core.create_transaction(TX)
    assert len(core.store.operations(again.id)) == 1


@pytest.mark.spec("DM-3.1.1.14-2")
def test_transactions_and_what_they_did_survive_a_restart(bench: Bench) -> None:
    core = begun(bench)
    queue = stored_queue(core)
    there = sent(core, queue, "there")
    received(core, there, TX)
    new = sent(core, queue, "new", TX)
    before = core.store.operations(core.create_transaction(TX).id)
    core = bench.reopen(core)
    unit = core.unit(TX)
    assert unit is not None
    assert core.store.operations(unit.id) == before
    assert [(operation.kind, operation.lookup) for operation in before] == [("Dequeue", there), ("Enqueue", new)]
    assert core.transaction_commit(TX) == OK
    assert labels(core, stored_queue(core)) == ["new"]


# ---- preparing


@pytest.mark.spec("DM-3.1.4.3-1", "DM-3.1.4.3-2")
def test_only_a_known_transaction_can_be_prepared(bench: Bench) -> None:
    core = begun(bench)
    assert core.transaction_prepare(OTHER_TX, single_phase=False) == SEQUENCE
    assert core.transaction_prepare(TX) == OK
    assert core.unit(OTHER_TX) is None


@pytest.mark.parametrize("single_phase", [True, False])
@pytest.mark.spec("DM-3.1.4.3-3")
def test_prepare_says_whether_there_is_a_coordinator(bench: Bench, single_phase: bool) -> None:
    core = begun(bench)
    core.transaction_prepare(TX, single_phase=single_phase)
    core = bench.reopen(core)
    unit = core.unit(TX)
    assert unit is not None
    assert (unit.single_phase, unit.decision) == (single_phase, Decision.PREPARED)


@pytest.mark.spec("DM-3.1.4.3-3")
def test_without_a_word_there_is_no_coordinator(bench: Bench) -> None:
    core = begun(bench)
    core.transaction_prepare(TX, single_phase=False)
    core.transaction_prepare(TX)
    unit = core.unit(TX)
    assert unit is not None
    assert unit.single_phase


@pytest.mark.spec("DM-3.1.4.3-4", "DM-3.1.4.3-5")
def test_prepare_marks_the_first_and_the_last_message_sent_to_each_queue(bench: Bench) -> None:
    core = begun(bench)
    queue, other, inbox = stored_queue(core), stored_queue(core, "other"), stored_queue(core, "inbox")
    taken = received(core, sent(core, inbox, "taken"), TX)
    first = sent(core, queue, "first", TX)
    alone = sent(core, other, "alone", TX)
    middle, last = sent(core, queue, "middle", TX), sent(core, queue, "last", TX)
    moved = sent(core, inbox, "moved")
    core.move_message(at(core, moved), other, TX)
    assert core.transaction_prepare(TX) == OK
    core = bench.reopen(core)
    assert [ends(core, lookup) for lookup in (first, middle, last)] == [(True, False), (False, False), (False, True)]
    assert ends(core, alone) == (True, True)
    assert ends(core, taken) == ends(core, moved) == (False, False)


def test_marking_leaves_everything_else_of_a_message_as_it_was(bench: Bench) -> None:
    core = begun(bench)
    queue = stored_queue(core)
    lookup = sent(core, queue, "L", TX, body=b"octets", time_to_be_received=60, sent_time=NOW, allow_peek_when_locked=True)
    position, message = at(core, lookup), core.message(lookup)
    core.transaction_prepare(TX)
    core = bench.reopen(core)
    assert at(core, lookup) == position
    # Nobody sees it before the commit; whoever locks it afterwards lets peeks see it, as the sender wanted.
    assert core.store.first_available(position.queue, peek=True) is None
    core.store.count(position)
    assert core.store.first_available(position.queue, peek=True) == position._replace(counted=True)
    now = core.message(lookup)
    assert (now.label, now.body, now.arrival_time, now.transaction_identifier) == ("L", b"octets", message.arrival_time, TX)


@pytest.mark.spec("DM-3.1.4.3-6")
def test_a_transaction_that_did_nothing_can_be_prepared_and_ended(bench: Bench) -> None:
    core = begun(bench)
    assert core.transaction_prepare(TX) == OK
    assert core.transaction_commit(TX) == OK
    core.create_transaction(OTHER_TX)
    assert core.transaction_abort(OTHER_TX) == OK


# ---- committing


@pytest.mark.spec("DM-3.1.4.4-1", "DM-3.1.4.5-1")
def test_an_unknown_transaction_cannot_end_and_changes_nothing(bench: Bench) -> None:
    core = begun(bench)
    lookup = sent(core, stored_queue(core), "waiting", TX)
    assert core.transaction_commit(OTHER_TX) == SEQUENCE
    assert core.transaction_abort(OTHER_TX) == SEQUENCE
    assert at(core, lookup).state == LOCKED
    assert core.unit(TX) is not None


@pytest.mark.spec("DM-3.1.4.4-3", "DM-3.1.4.4-6", "DM-3.1.4.4-7")
def test_commit_lets_sent_messages_be_seen_and_counts_them(bench: Bench) -> None:
    core = begun(bench)
    first, last = sent(core, stored_queue(core), "first", TX), sent(core, stored_queue(core), "last", TX)
    core = bench.reopen(core)
    assert totals(core, stored_queue(core)) == (0, 0)
    assert core.transaction_commit(TX) == OK
    assert happened(core) == [("available", first), ("available", last)]
    assert core.local.transaction_collection == set()
    core = bench.reopen(core)
    assert core.unit(TX) is None
    assert labels(core, stored_queue(core)) == ["first", "last"]
    assert totals(core, stored_queue(core)) == (200, 200)
    # Nobody prepared it, and still the ends are known.
    assert [ends(core, first), ends(core, last)] == [(True, False), (False, True)]


@pytest.mark.spec("DM-3.1.4.4-4")
def test_commit_deletes_received_messages_for_the_reason_they_were_received(bench: Bench) -> None:
    core = begun(bench)
    queue = stored_queue(core)
    read = received(core, sent(core, queue, "read"), TX)
    refused = received(core, sent(core, queue, "refused"), TX, MessageClass.MQMSG_CLASS_NACK_RECEIVE_REJECTED)
    core = bench.reopen(core)
    core.take_events()
    core.transaction_commit(TX)
    assert happened(core) == [("deleted", read, ACK_RECEIVE), ("deleted", refused, MessageClass.MQMSG_CLASS_NACK_RECEIVE_REJECTED)]
    assert totals(core, stored_queue(core)) == (0, 0)
    assert labels(core, stored_queue(core)) == []


@pytest.mark.spec("DM-3.1.4.4-5", "DM-3.1.4.4-10")
def test_commit_moves_silently_and_announces_in_the_target(bench: Bench) -> None:
    core = begun(bench)
    source, target = stored_queue(core), stored_queue(core, "target")
    moved = sent(core, source, "old")
    sent(core, target, "newer")
    core.move_message(at(core, moved), target, TX)
    core = bench.reopen(core)
    core.take_events()
    core.transaction_commit(TX)
    assert happened(core) == [("available", moved)]
    core = bench.reopen(core)
    source, target = stored_queue(core), stored_queue(core, "target")
    assert labels(core, target) == ["old", "newer"]
    assert core.store.positions(source.key or 0) == []
    assert totals(core, source) == (0, 0)
    assert totals(core, target) == (200, 200)
    assert core.message(moved).message_position_reference == moved


def test_a_move_whose_target_is_gone_is_undone(bench: Bench) -> None:
    core = begun(bench)
    source, target = stored_queue(core), stored_queue(core, "target")
    moved = sent(core, source, "old")
    core.move_message(at(core, moved), target, TX)
    with core.call():
        core.store.delete_queue(target.key or 0)
        core.forget_queue(target.key or 0)
    assert core.transaction_commit(TX) == OK
    assert labels(core, source) == ["old"]
    assert totals(core, source) == (100, 100)


@pytest.mark.spec("DM-3.1.4.4-2", "DM-3.1.1.14-1")
def test_operations_are_applied_in_the_order_in_which_they_were_done(bench: Bench) -> None:
    core = begun(bench)
    queue, other = stored_queue(core), stored_queue(core, "other")
    old, moving = sent(core, queue, "old"), sent(core, queue, "moving")
    new = sent(core, other, "new", TX)
    received(core, old, TX)
    core.move_message(at(core, moving), other, TX)
    last = sent(core, queue, "last", TX)
    unit = core.create_transaction(TX)
    core = bench.reopen(core)
    core.take_events()
    core.transaction_commit(TX)
    assert happened(core) == [("available", new), ("deleted", old, ACK_RECEIVE), ("available", moving), ("available", last)]
    assert core.store.operations(unit.id) == []


@pytest.mark.parametrize("end", [Working.transaction_commit, Working.transaction_abort])
@pytest.mark.spec("DM-3.1.4.4-8")
def test_a_transaction_ends_once(bench: Bench, end: object) -> None:
    core = begun(bench)
    assert callable(end)
    assert end(core, TX) == OK
    assert core.transaction_commit(TX) == SEQUENCE
    assert core.transaction_abort(TX) == SEQUENCE
    assert core.transaction_prepare(TX) == SEQUENCE


@pytest.mark.spec("DM-3.1.4.4-9")
def test_commit_drops_operations_on_messages_that_are_gone(bench: Bench) -> None:
    core = begun(bench)
    queue, other = stored_queue(core), stored_queue(core, "other")
    old, moving = received(core, sent(core, queue, "old"), TX), sent(core, queue, "moving")
    core.move_message(at(core, moving), other, TX)
    new = sent(core, queue, "new", TX)
    gone(core, queue, old, moving, new)
    core = bench.reopen(core)
    core.take_events()
    assert core.transaction_commit(TX) == OK
    assert happened(core) == []
    assert core.store.positions(stored_queue(core, "other").key or 0) == []
    assert totals(core, stored_queue(core)) == (0, 0)


@pytest.mark.spec("DM-3.1.4.4-11")
def test_a_decided_commit_cannot_be_aborted_any_more(bench: Bench) -> None:
    core = begun(bench)
    sent(core, stored_queue(core), "new", TX)
    core.store.decide_unit(core.create_transaction(TX).id, single_phase=True, decision=Decision.COMMIT)
    core = bench.reopen(core)
    assert core.transaction_abort(TX) == SEQUENCE
    assert core.transaction_commit(TX) == OK
    assert labels(core, stored_queue(core)) == ["new"]


def test_a_commit_that_fails_leaves_the_transaction_open(bench: Bench) -> None:
    core = begun(bench)
    queue = stored_queue(core)
    lookup = sent(core, queue, "new", TX)
    core.store.add_operation(core.create_transaction(TX).id, "Dequeue", lookup)
    with pytest.raises(ValueError, match="without a reason"):
        core.transaction_commit(TX)
    core = bench.reopen(core)
    unit = core.unit(TX)
    assert unit is not None
    assert unit.decision is None
    assert at(core, lookup).state == LOCKED
    assert totals(core, stored_queue(core)) == (0, 0)


# ---- aborting


@pytest.mark.spec("DM-3.1.4.5-3", "DM-3.1.4.5-5")
def test_abort_gives_held_messages_back_at_their_old_place_and_counts_nothing_twice(bench: Bench) -> None:
    core = begun(bench)
    queue, other = stored_queue(core), stored_queue(core, "other")
    one, two, three = (sent(core, queue, label) for label in ("1", "2", "3"))
    received(core, one, TX)
    core.move_message(at(core, two), other, TX)
    core = bench.reopen(core)
    core.take_events()
    assert core.transaction_abort(TX) == OK
    assert happened(core) == [("available", one), ("available", two)]
    core = bench.reopen(core)
    assert [position.lookup for position in core.store.positions(stored_queue(core).key or 0)] == [one, two, three]
    assert labels(core, stored_queue(core)) == ["1", "2", "3"]
    assert totals(core, stored_queue(core)) == (300, 300)
    assert core.unit(TX) is None
    assert core.local.transaction_collection == set()


@pytest.mark.spec("DM-3.1.4.5-2")
def test_abort_lets_go_of_held_messages_whose_queue_was_purged(bench: Bench) -> None:
    core = begun(bench)
    queue, other = stored_queue(core), stored_queue(core, "other")
    read, moving = received(core, sent(core, queue, "read"), TX), sent(core, queue, "moving")
    core.move_message(at(core, moving), other, TX)
    with core.call():
        core.store.set_state(read, PositionState.PURGE_PENDING)
        core.store.set_state(moving, PositionState.PURGE_PENDING)
    core = bench.reopen(core)
    core.take_events()
    core.transaction_abort(TX)
    assert happened(core) == [("deleted", read, PURGED), ("deleted", moving, PURGED)]
    assert totals(core, stored_queue(core)) == (0, 0)


@pytest.mark.parametrize("state", [LOCKED, PositionState.PURGE_PENDING])
@pytest.mark.spec("DM-3.1.4.5-4", "DM-3.1.4.5-6")
def test_abort_withdraws_sent_messages_and_nobody_hears_of_them(bench: Bench, state: PositionState) -> None:
    core = begun(bench)
    queue = stored_queue(core)
    lookup = sent(core, queue, "never seen", TX, time_to_be_received=60, sent_time=NOW)
    # A later operation of the same transaction on the same message must not bring it back.
    received(core, lookup, TX)
    core.store.set_state(lookup, state)
    core = bench.reopen(core)
    core.take_events()
    core.transaction_abort(TX)
    assert core.store.position(lookup) is None
    assert core.next_expiry() is None
    core.expire(after(100))
    assert happened(core) == []
    assert totals(core, stored_queue(core)) == (0, 0)


@pytest.mark.spec("DM-3.1.4.5-7")
def test_abort_raises_nothing_for_messages_that_are_gone(bench: Bench) -> None:
    core = begun(bench)
    queue = stored_queue(core)
    read, new = received(core, sent(core, queue, "read"), TX), sent(core, queue, "new", TX)
    gone(core, queue, read, new)
    core = bench.reopen(core)
    core.take_events()
    assert core.transaction_abort(TX) == OK
    assert happened(core) == []
    assert totals(core, stored_queue(core)) == (0, 0)


# ---- with a coordinator


@pytest.mark.spec("DM-3.1.4.6-1", "DM-3.1.4.6-2")
def test_a_coordinator_hears_that_the_transaction_is_prepared_and_decides_later(bench: Bench) -> None:
    core = begun(bench)
    lookup = sent(core, stored_queue(core), "new", TX)
    assert core.dtc_transaction_prepare(TX) is EnlistmentAnswer.PREPARE_DONE
    core = bench.reopen(core)
    unit = core.unit(TX)
    assert unit is not None
    assert (unit.single_phase, unit.decision) == (False, Decision.PREPARED)
    assert at(core, lookup).state == LOCKED


@pytest.mark.spec("DM-3.1.4.6-3")
def test_a_coordinator_that_leaves_the_decision_to_us_hears_of_the_commit(bench: Bench) -> None:
    core = begun(bench)
    sent(core, stored_queue(core), "new", TX)
    assert core.dtc_transaction_prepare(TX, single_phase=True) is EnlistmentAnswer.COMMIT_DONE
    core = bench.reopen(core)
    assert labels(core, stored_queue(core)) == ["new"]
    assert core.unit(TX) is None


@pytest.mark.spec("DM-3.1.4.6-4")
def test_what_cannot_be_prepared_is_aborted(bench: Bench) -> None:
    core = begun(bench)
    assert core.dtc_transaction_prepare(OTHER_TX) is EnlistmentAnswer.ABORT_DONE
    assert core.dtc_transaction_prepare(OTHER_TX, single_phase=True) is EnlistmentAnswer.ABORT_DONE


@pytest.mark.spec("DM-3.1.4.7-1")
def test_a_coordinator_that_commits_always_hears_that_it_is_done(bench: Bench) -> None:
    core = begun(bench)
    sent(core, stored_queue(core), "new", TX)
    core.dtc_transaction_prepare(TX)
    core = bench.reopen(core)
    assert core.dtc_transaction_commit(TX) is EnlistmentAnswer.COMMIT_DONE
    assert labels(core, stored_queue(core)) == ["new"]
    assert core.dtc_transaction_commit(TX) is EnlistmentAnswer.COMMIT_DONE


@pytest.mark.spec("DM-3.1.4.8-1")
def test_a_coordinator_that_aborts_always_hears_that_it_is_done(bench: Bench) -> None:
    core = begun(bench)
    lookup = sent(core, stored_queue(core), "new", TX)
    core.dtc_transaction_prepare(TX)
    core = bench.reopen(core)
    assert core.dtc_transaction_abort(TX) is EnlistmentAnswer.ABORT_DONE
    assert core.store.position(lookup) is None
    assert core.dtc_transaction_abort(TX) is EnlistmentAnswer.ABORT_DONE


def in_doubt(bench: Bench) -> Working:
    core = begun(bench)
    sent(core, stored_queue(core), "new", TX)
    core.dtc_transaction_prepare(TX)
    core = bench.reopen(core)
    core.recover()
    assert labels(core, stored_queue(core)) == []
    return core


@pytest.mark.spec("DM-3.1.4.9-1")
def test_what_the_coordinator_committed_is_committed_after_a_restart(bench: Bench) -> None:
    core = in_doubt(bench)
    core.dtc_reenlistment(TX, Reenlistment.COMMITTED)
    assert labels(core, stored_queue(core)) == ["new"]


@pytest.mark.spec("DM-3.1.4.10-1")
def test_what_the_coordinator_aborted_is_aborted_after_a_restart(bench: Bench) -> None:
    core = in_doubt(bench)
    core.dtc_reenlistment(TX, Reenlistment.ABORTED)
    assert core.store.positions(stored_queue(core).key or 0) == []
    assert core.unit(TX) is None


def test_a_coordinator_that_stays_silent_is_an_error_and_the_doubt_remains(bench: Bench) -> None:
    core = in_doubt(bench)
    with pytest.raises(TransportError, match="did not tell the outcome"):
        core.dtc_reenlistment(TX, Reenlistment.TIMEOUT)
    assert core.unit(TX) is not None
    core.dtc_reenlistment(UUID(int=99), Reenlistment.COMMITTED)  # a stranger's transaction changes nothing
    assert labels(core, stored_queue(core), LOCKED) == ["new"]
