"""What the queue manager keeps for applications and never looks at: contents of messages, connector types, types of queues."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from msmqctl.qm.events import MessagePositionDeleted
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.message import DEFAULT_TIME_TO_REACH_QUEUE, Message
from msmqctl.qm.model import PositionState
from msmqctl.qm.store import MEMORY
from msmqctl.qm.waiting import ReadResult
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.values import INFINITE, EncryptionAlgorithm
from tests.qm.conftest import Bench
from tests.qm.outcome_desk import Desk
from tests.qm.queue_samples import created, host, opened_as
from tests.qm.samples import NOW, after, states

SOME_GUIDS = (NULL_GUID, UUID(int=1), UUID("ffffffff-ffff-ffff-ffff-ffffffffffff"))
CONTENT = st.fixed_dictionaries(
    {
        "body": st.binary(max_size=60),
        "body_type": st.integers(0, 0xFFFFFFFF),
        "extension": st.binary(max_size=60),
        "label": st.text(max_size=100),
        "application_tag": st.integers(0, 0xFFFFFFFF),
        "correlation_identifier": st.builds(ObjectId, st.uuids(), st.integers(0, 0xFFFFFFFF)),
    }
)


@pytest.mark.spec("DM-3.1.1.12-4")
@settings(max_examples=50)
@given(content=CONTENT)
def test_what_an_application_says_reaches_the_other_octet_by_octet(content: dict[str, Any]) -> None:
    bench = Bench(MEMORY)
    desk = Desk(bench, journaling=True)
    desk.manager.enqueue_message(desk.queue("orders"), Message(size=100, **content), NOW)
    received = desk.receive()
    desk.done()
    (journaled,) = desk.inside("orders;journal")
    for message in (received, journaled):
        assert {name: getattr(message, name) for name in content} == content
    bench.close()


@pytest.mark.spec("DM-3.1.1.12-5")
def test_a_connector_type_changes_nothing(bench: Bench) -> None:
    desk = Desk(bench)
    fates = []
    for connector in SOME_GUIDS:
        orders = desk.create(f"orders{connector}", quota=1)
        message = desk.message(connector_type_identifier=connector, time_to_be_received=9, priority=6)
        results = [desk.manager.enqueue_message(orders, message, NOW) for _ in range(4)]
        kept = states(desk.manager, orders)
        desk.manager.take_events()
        desk.manager.expire(after(9))
        gone = [event.reason for event in desk.manager.take_events() if isinstance(event, MessagePositionDeleted)]
        fates.append((results, [lookup >> 56 for lookup in kept], list(kept.values()), gone))
        desk.manager.rollback()
    assert fates[0][0] == [0, 0, 0, 1]
    assert fates[0][2] == [PositionState.AVAILABLE] * 3
    assert all(fate == fates[0] for fate in fates)


@pytest.mark.spec("DM-3.1.1.2-10")
@pytest.mark.parametrize("kind", SOME_GUIDS)
def test_the_type_of_a_queue_is_kept_and_means_nothing(bench: Bench, kind: UUID) -> None:
    manager = bench.open(QueueManager)
    with manager.call():
        manager.assign(manager.local, computer_name="host")
    queue = created(manager, type=kind)
    manager = bench.reopen(manager)
    found = manager.queue(queue.key or 0)
    assert found is not None
    assert found.type == kind
    manager.enqueue_message(found, Message(label="a", size=1), NOW)
    read = manager.dequeue_message(opened_as(manager), NOW, timeout=0)
    assert isinstance(read, ReadResult)
    assert read.message is not None


@pytest.mark.spec("DM-PB-3")
def test_a_message_has_four_days_to_reach_its_queue_unless_told_otherwise() -> None:
    assert Message().time_to_reach_queue == DEFAULT_TIME_TO_REACH_QUEUE == 345_600
    assert Message().time_to_be_received == INFINITE


@pytest.mark.spec("DM-3.1.1.12-V30")
def test_the_numbers_of_the_algorithms() -> None:
    numbers = {0x6602: "CALG_RC2", 0x6610: "CALG_AES_256", 0x660E: "CALG_AES_128", 0x660F: "CALG_AES_192", 0x6801: "CALG_RC4"}
    assert {number: EncryptionAlgorithm(number).name for number in numbers} == numbers
    assert all(Message(encryption_algorithm=EncryptionAlgorithm(number)).encryption_algorithm == number for number in numbers)


@pytest.mark.spec("DM-3.1.1-1")
def test_every_queue_and_every_rule_knows_the_one_queue_manager(bench: Bench) -> None:
    manager = host(bench)
    local = manager.local
    orders, bills = created(manager), created(manager, r".\private$\bills")
    assert {orders.queue_manager, bills.queue_manager} == {local.identifier}
    assert local.queue_collection == {orders.key, bills.key}
    assert manager.local is local
    manager = bench.reopen(manager)
    assert manager.local.identifier == local.identifier
    assert manager.local.queue_collection == {orders.key, bills.key}
