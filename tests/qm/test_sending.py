"""Messages enter queues: order, identifiers, quotas, transactions, several destinations, moves and flow control."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest

from msmqctl.errors import StatusError
from msmqctl.qm.core import key_of
from msmqctl.qm.events import FlowControlChanged, MessagePositionAvailable, MessagePositionDeleted
from msmqctl.qm.message import AuthenticationLevel, DeliveryGuarantee, Message
from msmqctl.qm.model import OpenQueueDescriptor, OperationType, PositionState, Queue, QueueAccessType, QueuePrivacyLevel, QueueType
from msmqctl.qm.sending import EnqueueResult, Sending, lookup_identifier, placement_priority
from msmqctl.qm.store import PositionRow
from msmqctl.wire.identity import TxSequenceId
from msmqctl.wire.names import MultipleElementName, parse_format_name
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.status import HResult
from msmqctl.wire.values import MessageClass, PrivacyLevel
from tests.qm.conftest import Bench
from tests.qm.samples import NOW, after, labelled, opened, stored_queue, unit_begun

OK = EnqueueResult.NO_ERROR
QUEUE_QUOTA, MANAGER_QUOTA = EnqueueResult.QUEUE_QUOTA_EXCEEDED, EnqueueResult.QUEUE_MANAGER_QUOTA_EXCEEDED


def listed(core: Sending, queue: Queue) -> list[PositionRow]:
    return core.store.positions(key_of(queue))


def labels(core: Sending, queue: Queue) -> list[str]:
    return [core.message(position.lookup).label for position in listed(core, queue)]


def sent(core: Sending, queue: Queue, label: str, **attributes: Any) -> PositionRow:
    """Enqueue a message outside of transactions, and find it again."""
    known = {position.lookup for position in listed(core, queue)}
    assert core.enqueue_message(queue, labelled(label, **attributes), NOW) is OK
    (new,) = (position for position in listed(core, queue) if position.lookup not in known)
    return new


# ---- order and identifiers


@pytest.mark.spec("DM-3.1.1.2-3", "DM-3.1.7.1.9-9", "DM-3.1.7.1.9-7")
def test_higher_priorities_come_first_and_within_one_the_earlier(bench: Bench) -> None:
    core = bench.open(Sending)
    for number, priority in enumerate([3, 0, 7, 3, 7, 0, 4]):
        core.enqueue_message(stored_queue(core), labelled(f"{priority}{'abcdefg'[number]}", priority=priority), NOW)
        core = bench.reopen(core)
    assert labels(core, stored_queue(core)) == ["7c", "7e", "4g", "3a", "3d", "0b", "0f"]
    tops = [position.lookup >> 56 for position in listed(core, stored_queue(core))]
    assert tops == [0, 0, 3, 4, 4, 7, 7]


@pytest.mark.spec("DM-3.1.7.1.9-6", "DM-3.1.7.1.9-8")
def test_every_accepted_message_steps_the_counter_that_makes_its_identifier(bench: Bench) -> None:
    core = bench.open(Sending)
    core.enqueue_message(stored_queue(core, "a"), labelled("1", priority=7), NOW)
    core.enqueue_message(stored_queue(core, "b"), labelled("2", priority=0), NOW)
    core = bench.reopen(core)
    core.enqueue_message(stored_queue(core, "a"), labelled("3", priority=7), NOW)
    assert core.store.sequential() == 3
    assert [position.lookup for position in listed(core, stored_queue(core, "a"))] == [1, 3]
    assert [position.lookup for position in listed(core, stored_queue(core, "b"))] == [7 << 56 | 2]
    assert lookup_identifier(7, 0xAB_00000000000005) == 5


@pytest.mark.spec("DM-3.1.7.1.9-17")
def test_transactional_messages_stay_in_order_whatever_their_priority(bench: Bench) -> None:
    core = bench.open(Sending)
    queue, unit = stored_queue(core), unit_begun(core)
    core.enqueue_message(queue, labelled("in a transaction", priority=1), NOW, unit)
    core.enqueue_message(queue, labelled("captured", priority=6, transaction_identifier=UUID(int=9)), NOW)
    core.enqueue_message(queue, labelled("of a stream", priority=7, transactional_message_sequence_identifier=TxSequenceId(1)), NOW)
    core.enqueue_message(queue, labelled("plain", priority=1), NOW)
    assert labels(core, queue) == ["plain", "in a transaction", "captured", "of a stream"]
    assert [core.message(position.lookup).priority for position in listed(core, queue)] == [1, 1, 6, 7]
    assert [position.lookup >> 56 for position in listed(core, queue)] == [6, 7, 7, 7]
    assert placement_priority(labelled("null", priority=5, transaction_identifier=NULL_GUID), in_transaction=False) == 5


@pytest.mark.spec("DM-3.1.7.1.9-5", "DM-3.1.7.1.9-14")
def test_a_stored_message_knows_its_place_and_arrival(bench: Bench) -> None:
    core = bench.open(Sending)
    sent(core, stored_queue(core), "a", body=b"content", priority=3)
    core = bench.reopen(core)
    (position,) = listed(core, stored_queue(core))
    message = core.message(position.lookup)
    assert position.queue == stored_queue(core).key
    assert (message.lookup_identifier, message.message_position_reference) == (position.lookup, position.lookup)
    assert (message.arrival_time, message.body) == (NOW, b"content")


@pytest.mark.spec("DM-3.1.7.1.9-18")
def test_a_message_that_stands_in_a_queue_is_copied_when_it_is_enqueued_again(bench: Bench) -> None:
    core = bench.open(Sending)
    queue, journal = stored_queue(core), stored_queue(core, "journal")
    first = sent(core, queue, "a")
    core.enqueue_message(journal, core.message(first.lookup), after(5))
    (copy,) = listed(core, journal)
    assert copy.lookup != first.lookup
    assert core.message(copy.lookup).message_position_reference == copy.lookup
    assert core.message(first.lookup).message_position_reference == first.lookup
    assert [core.message(position.lookup).arrival_time for position in (first, copy)] == [NOW, after(5)]


# ---- announcing and transactions


@pytest.mark.spec("DM-3.1.7.1.9-12", "DM-3.1.7.1.9-13", "DM-X.mp-V1")
def test_without_a_transaction_the_message_is_available_at_once(bench: Bench) -> None:
    core = bench.open(Sending)
    queue = stored_queue(core)
    assert core.enqueue_message(queue, labelled("a"), NOW) == 0
    (position,) = listed(core, queue)
    assert (position.state, position.counted, queue.total_bytes) == (PositionState.AVAILABLE, True, 100)
    assert core.take_events() == [MessagePositionAvailable(queue, position.lookup)]


@pytest.mark.spec("DM-3.1.7.1.9-11", "DM-X.mp-V2")
def test_within_a_transaction_nobody_sees_it_and_nothing_counts(bench: Bench) -> None:
    core = bench.open(Sending)
    queue, unit = stored_queue(core), unit_begun(core)
    assert core.enqueue_message(queue, labelled("a"), NOW, unit) is OK
    assert core.take_events() == []
    core = bench.reopen(core)
    queue = stored_queue(core)
    (position,) = listed(core, queue)
    assert (position.state, position.counted, queue.total_bytes) == (PositionState.LOCKED, False, 0)
    row = core.unit(unit)
    assert row is not None
    (operation,) = core.store.operations(row.id)
    assert (operation.kind, operation.lookup) == (OperationType.ENQUEUE.value, position.lookup)
    assert core.message(position.lookup).transaction_identifier == unit
    # What another transaction had captured keeps saying so.
    core.enqueue_message(queue, labelled("b", transaction_identifier=UUID(int=9)), NOW, unit)
    assert core.message(listed(core, queue)[-1].lookup).transaction_identifier == UUID(int=9)


def test_a_transaction_that_is_not_open_is_refused_and_nothing_happens(bench: Bench) -> None:
    core = bench.open(Sending)
    queue, decided = stored_queue(core), unit_begun(core)
    row = core.unit(decided)
    assert row is not None
    core.store.decide_unit(row.id, single_phase=True, decision="commit")
    for transaction in (decided, UUID(int=77), NULL_GUID):
        with pytest.raises(StatusError) as refused:
            core.enqueue_message(queue, labelled("a"), NOW, transaction)
        assert refused.value.status == HResult.MQ_ERROR_TRANSACTION_SEQUENCE
    assert (listed(core, queue), core.store.sequential()) == ([], 0)


@pytest.mark.parametrize(
    ("attributes", "in_transaction", "lasting"),
    [({}, False, False), ({"delivery_guarantee": DeliveryGuarantee.RECOVERABLE}, False, True), ({}, True, True)],
)
def test_only_express_messages_do_not_wait_for_the_disk(
    bench: Bench, attributes: dict[str, Any], in_transaction: bool, lasting: bool
) -> None:
    core = bench.open(Sending)
    queue, unit = stored_queue(core), unit_begun(core)
    core.enqueue_message(queue, labelled("a", **attributes), NOW, unit if in_transaction else None)
    assert core._durable is lasting


@pytest.mark.spec("DM-3.1.7.1.9-15")
def test_what_a_queue_demands_of_its_messages_is_not_asked_here(bench: Bench) -> None:
    core = bench.open(Sending)
    queue = stored_queue(core, transactional=True, authentication=True, privacy_level=QueuePrivacyLevel.BODY)
    plain = labelled("a", privacy_level=PrivacyLevel.NONE, authentication_level=AuthenticationLevel.NONE)
    assert core.enqueue_message(queue, plain, NOW) is OK


# ---- time to be received


@pytest.mark.spec("DM-3.1.7.1.9-10", "DM-3.1.7.1.9-16")
def test_the_time_to_be_received_runs_from_the_enqueue_on(bench: Bench) -> None:
    core = bench.open(Sending)
    queue = stored_queue(core)
    start = int(NOW.timestamp())
    assert sent(core, queue, "for ever").expires is None
    assert sent(core, queue, "a minute", time_to_be_received=60, sent_time=after(-20)).expires == start + 40
    core.take_events()
    at_once = sent(core, queue, "no time", time_to_be_received=0)
    assert (at_once.expires, at_once.state) == (start, PositionState.AVAILABLE)
    assert core.take_events() == [MessagePositionAvailable(queue, at_once.lookup)]


def test_in_a_system_queue_no_time_runs_out(bench: Bench) -> None:
    core = bench.open(Sending)
    source, dead = stored_queue(core), stored_queue(core, "dead", queue_type=QueueType.SYSTEM)
    assert sent(core, dead, "copy", time_to_be_received=60).expires is None
    moved = sent(core, source, "moved", time_to_be_received=60)
    core.overdue.add(moved.lookup)
    core.move_message(moved, dead)
    assert [position.expires for position in listed(core, dead)] == [None, None]
    assert core.overdue == set()


# ---- quotas


def quotas(core: Sending, *, queue: int, manager: int) -> Queue:
    core.local.queue_manager_quota = manager
    return stored_queue(core, quota=queue)


@pytest.mark.spec("DM-3.1.7.1.9-3")
def test_a_queue_is_full_when_the_next_message_would_exceed_its_quota(bench: Bench) -> None:
    core = bench.open(Sending)
    queue = quotas(core, queue=1, manager=100)
    assert core.enqueue_message(queue, labelled("a", size=1000), NOW) is OK
    core = bench.reopen(core)
    queue = quotas(core, queue=1, manager=100)
    before = core.store.sequential()
    core.take_events()
    assert core.enqueue_message(queue, labelled("b", size=25), NOW) is QUEUE_QUOTA
    assert (core.store.sequential(), labels(core, queue), core.take_events()) == (before, ["a"], [])
    assert core.enqueue_message(queue, labelled("c", size=24), NOW) is OK
    assert queue.total_bytes == 1024


@pytest.mark.spec("DM-3.1.7.1.9-2")
def test_the_quota_of_the_queue_manager_counts_all_queues_and_is_asked_first(bench: Bench) -> None:
    core = bench.open(Sending)
    queue = quotas(core, queue=1, manager=2)
    core.enqueue_message(stored_queue(core, "other"), labelled("a", size=2000), NOW)
    assert core.enqueue_message(queue, labelled("b", size=49), NOW) is MANAGER_QUOTA
    assert core.enqueue_message(queue, labelled("c", size=3000), NOW) is MANAGER_QUOTA
    assert core.enqueue_message(queue, labelled("d", size=48), NOW) is OK


@pytest.mark.spec("DM-3.1.7.1.9-1", "DM-3.1.7.2.5-1", "DM-3.1.7.2.6-1")
def test_flow_control_holds_off_every_message(bench: Bench) -> None:
    core = bench.open(Sending)
    queue = quotas(core, queue=0, manager=100)
    core.begin_flow_control()
    assert core.local.throttled
    assert core.enqueue_message(queue, labelled("a"), NOW) is MANAGER_QUOTA
    core.end_flow_control()
    assert not core.local.throttled
    assert core.enqueue_message(queue, labelled("a"), NOW) is QUEUE_QUOTA
    assert core.take_events() == [FlowControlChanged(True), FlowControlChanged(False)]


@pytest.mark.spec("DM-3.1.7.1.9-4")
def test_only_what_comes_from_elsewhere_can_have_been_too_long_under_way(bench: Bench) -> None:
    core = bench.open(Sending)
    queue = stored_queue(core)

    def arrives(when: datetime, *, from_transfer: bool, **attributes: Any) -> EnqueueResult:
        given: dict[str, Any] = {"sent_time": NOW, "time_to_reach_queue": 10}
        message = labelled("a", **given | attributes)
        return core.enqueue_message(queue, message, when, from_transfer=from_transfer)

    assert arrives(after(11), from_transfer=False) is OK
    assert arrives(after(10), from_transfer=True) is OK
    assert arrives(after(11), from_transfer=True) is EnqueueResult.TIMED_OUT_IN_TRANSIT
    assert arrives(after(11), from_transfer=True, time_to_reach_queue=0xFFFFFFFF) is OK
    assert arrives(after(11), from_transfer=True, sent_time=None) is OK


# ---- handles


@pytest.mark.spec("DM-3.1.7.1.27-1")
def test_a_handle_to_one_queue_passes_the_result_on(bench: Bench) -> None:
    core = bench.open(Sending)
    queue, unit = stored_queue(core, quota=1), unit_begun(core)
    handle = opened(core, queue, QueueAccessType.SEND_ACCESS)
    assert core.enqueue_message_to_an_open_queue(handle, labelled("a", size=1025), NOW) is QUEUE_QUOTA
    assert core.enqueue_message_to_an_open_queue(handle, labelled("b"), NOW, unit) is OK
    (position,) = listed(core, queue)
    assert position.state == PositionState.LOCKED
    assert core.message(position.lookup).destination_multi_queue_format_name == ()


def several(core: Sending, *queues: Queue) -> OpenQueueDescriptor:
    children = tuple(opened(core, queue, QueueAccessType.SEND_ACCESS) for queue in queues)
    name = parse_format_name(",".join(str(child.format_name) for child in children))
    handle = core.new_handle()
    return OpenQueueDescriptor(
        handle=handle, context_value=handle, multiple=True, access_type=QueueAccessType.SEND_ACCESS, format_name=name,
        open_queue_descriptor_collection=children,
    )  # fmt: skip


@pytest.mark.spec("DM-3.1.7.1.27-2", "DM-3.1.7.1.27-3", "DM-3.1.7.1.27-5", "DM-3.1.7.1.27-6")
def test_several_queues_get_a_copy_each(bench: Bench) -> None:
    core = bench.open(Sending)
    queues = [stored_queue(core, name) for name in "abc"]
    handle, unit = several(core, *queues), unit_begun(core)
    assert core.enqueue_message_to_an_open_queue(handle, labelled("x"), NOW, unit) is OK
    assert isinstance(handle.format_name, MultipleElementName)
    found = []
    for child, queue in zip(handle.open_queue_descriptor_collection, queues, strict=True):
        (position,) = listed(core, queue)
        message = core.message(position.lookup)
        assert message.destination_multi_queue_format_name == handle.format_name.elements
        assert message.destination_queue_format_name == child.format_name
        assert position.state == PositionState.LOCKED
        found.append(message.lookup_identifier)
    assert found == [7 << 56 | 1, 7 << 56 | 2, 7 << 56 | 3]


@pytest.mark.spec("DM-3.1.7.1.27-4")
def test_the_first_queue_that_refuses_ends_it_and_earlier_copies_stay(bench: Bench) -> None:
    core = bench.open(Sending)
    queues = [stored_queue(core, "a"), stored_queue(core, "b", quota=0), stored_queue(core, "c")]
    assert core.enqueue_message_to_an_open_queue(several(core, *queues), labelled("x"), NOW) is QUEUE_QUOTA
    assert [len(listed(core, queue)) for queue in queues] == [1, 0, 0]


def test_a_queue_that_was_deleted_under_its_handle_is_not_available(bench: Bench) -> None:
    core = bench.open(Sending)
    first, gone = stored_queue(core, "a"), stored_queue(core, "b")
    together = several(core, first, gone)
    single = together.open_queue_descriptor_collection[1]
    single.queue_reference = None
    for handle in (single, together):
        with pytest.raises(StatusError) as refused:
            core.enqueue_message_to_an_open_queue(handle, labelled("x"), NOW)
        assert refused.value.status == HResult.MQ_ERROR_QUEUE_NOT_AVAILABLE
    assert listed(core, first) == []


# ---- moves


@pytest.mark.spec("DM-3.1.7.1.16-2", "DM-3.1.7.1.16-3", "DM-3.1.7.1.16-7", "DM-X.mp-V4")
def test_a_move_takes_the_octets_along_and_announces_the_message_once(bench: Bench) -> None:
    core = bench.open(Sending)
    source, target = stored_queue(core), stored_queue(core, "sub")
    position = sent(core, source, "a")
    core.take_events()
    core.move_message(position, target)
    assert core.take_events() == [MessagePositionAvailable(target, position.lookup)]
    assert (source.total_bytes, target.total_bytes) == (0, 100)
    core = bench.reopen(core)
    source, target = stored_queue(core), stored_queue(core, "sub")
    assert (source.total_bytes, target.total_bytes, core.store.total_bytes()) == (0, 100, 100)
    assert (labels(core, source), labels(core, target)) == ([], ["a"])
    assert listed(core, target)[0].state == PositionState.AVAILABLE
    assert core.message(position.lookup).message_position_reference == position.lookup


@pytest.mark.spec("DM-3.1.7.1.16-5")
def test_a_moved_message_keeps_identifier_arrival_and_so_its_turn_and_no_quota_stops_it(bench: Bench) -> None:
    core = bench.open(Sending)
    source, target = stored_queue(core), stored_queue(core, "sub", quota=1)
    old = sent(core, source, "old", size=1000)
    sent(core, target, "new", size=1000)
    counter = core.store.sequential()
    core.move_message(old, target)
    assert labels(core, target) == ["old", "new"]
    assert (listed(core, target)[0].lookup, core.store.sequential()) == (old.lookup, counter)
    assert core.message(old.lookup).arrival_time == NOW


@pytest.mark.spec("DM-3.1.7.1.16-4", "DM-X.mp-V3")
def test_within_a_transaction_the_message_is_locked_where_it_is(bench: Bench) -> None:
    core = bench.open(Sending)
    source, target, unit = stored_queue(core), stored_queue(core, "sub"), unit_begun(core)
    position = sent(core, source, "a")
    core.take_events()
    core.move_message(position, target, unit)
    assert core.take_events() == []
    assert listed(core, source) == [position._replace(state=PositionState.LOCKED)]
    row = core.unit(unit)
    assert row is not None
    (operation,) = core.store.operations(row.id)
    assert (operation.kind, operation.lookup, operation.target) == (OperationType.MOVE.value, position.lookup, target.key)
    with pytest.raises(ValueError, match="not there to be moved"):
        core.move_message(position, target, unit)


@pytest.mark.spec("DM-3.1.7.1.16-1")
def test_no_transaction_moves_to_a_system_queue(bench: Bench) -> None:
    core = bench.open(Sending)
    source, dead = stored_queue(core), stored_queue(core, "dead", queue_type=QueueType.SYSTEM)
    position = sent(core, source, "a")
    with pytest.raises(ValueError, match="cannot be part of a transaction"):
        core.move_message(position, dead, unit_begun(core))
    assert listed(core, source) == [position]


@pytest.mark.spec("DM-3.1.7.1.16-3", "DM-3.1.7.1.16-8")
def test_a_move_to_a_system_queue_counts_but_is_not_announced(bench: Bench) -> None:
    core = bench.open(Sending)
    source, dead = stored_queue(core), stored_queue(core, "dead", queue_type=QueueType.SYSTEM)
    position = sent(core, source, "a")
    core.take_events()
    core.move_message(position, dead)
    assert core.take_events() == []
    assert (source.total_bytes, dead.total_bytes) == (0, 100)
    assert listed(core, dead)[0].state == PositionState.AVAILABLE


@pytest.mark.spec("DM-3.1.7.1.16-6")
def test_a_message_that_was_deleted_can_still_be_moved(bench: Bench) -> None:
    core = bench.open(Sending)
    source, dead = stored_queue(core), stored_queue(core, "dead", queue_type=QueueType.SYSTEM)
    position = sent(core, source, "a", body=b"kept")
    sent(core, source, "b")
    core.take_events()
    core.message_position_deleted(position, MessageClass.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT)
    (deleted,) = core.take_events()
    assert isinstance(deleted, MessagePositionDeleted)
    with pytest.raises(ValueError, match="was not given"):
        core.move_message(position, dead)
    core.move_message(position, dead, message=deleted.message)
    assert (source.total_bytes, dead.total_bytes, core.store.total_bytes()) == (100, 100, 200)
    assert core.message(position.lookup).body == b"kept"
    assert listed(core, dead)[0].lookup == position.lookup


def test_what_a_failed_commit_takes_back(bench: Bench) -> None:
    core = bench.open(Sending)
    source, target = stored_queue(core), stored_queue(core, "sub")
    position = sent(core, source, "a")
    core.commit()
    core.move_message(position, target)
    core.enqueue_message(source, replace(Message(), size=7), NOW)
    core.begin_flow_control()
    core.rollback()
    assert (source.total_bytes, target.total_bytes, core.local.throttled) == (100, 0, False)
    assert (labels(core, source), labels(core, target)) == (["a"], [])
