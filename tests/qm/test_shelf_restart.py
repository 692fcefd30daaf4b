"""What survives when the file of the store is closed and opened again, and what does not. [MS-MQDMPR] 3.1.1"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from msmqctl.qm.directory_model import InternalCertificate, QueueManager, QueueManagerState
from msmqctl.qm.element import Lifetime, directory_attributes, lifetimes
from msmqctl.qm.message import (
    Message,
)
from msmqctl.qm.model import (
    ConnectionHistoryEntry,
    DispatchEntry,
    IncomingTransactionalTransferInfo,
    OutgoingQueue,
    OutgoingQueueState,
    OutgoingTransferInfo,
    PositionState,
    Queue,
    QueueType,
    published_attributes,
)
from msmqctl.qm.shelf import (
    content_of,
    manager_attributes,
    manager_of,
    message_of,
    queue_attributes,
    queue_of,
)
from msmqctl.qm.store import Store
from msmqctl.wire.values import ConnectionStatus
from tests.qm.attributes import DIRECT, MULTICAST, ONE, THREE, TWO, descriptor
from tests.qm.kept import MANAGER, MESSAGE, OUTGOING, QUEUE, exact, made

T = TypeVar("T")


def over_a_restart(folder: Path, write: Callable[[Store], int], read: Callable[[Store, int], T]) -> T:
    """What the second owner of a file reads, after the first wrote and closed it."""
    first = Store.open(folder / "queues.msmq")
    first.begin()
    number = write(first)
    first.commit()
    first.close()
    second = Store.open(folder / "queues.msmq")
    try:
        return read(second, number)
    finally:
        second.close()


def restarted_queue(folder: Path, queue: Queue) -> Queue:
    def find(store: Store, number: int) -> Queue:
        row = store.queue(number)
        assert row is not None
        assert row.id == number
        return queue_of(row, path=store.path)

    return over_a_restart(folder, lambda store: store.add_queue("key", "queue", queue_attributes(queue)), find)


def restarted_manager(folder: Path, manager: QueueManager) -> QueueManager:
    def write(store: Store) -> int:
        store.set_attributes(manager_attributes(manager))
        return 0

    return over_a_restart(folder, write, lambda store, _: manager_of(store.attributes(), path=store.path))


@pytest.mark.spec("DM-3.1.1.12-14", "DM-3.1.1.11-4", "DM-3.1.1-4")
def test_a_recoverable_message_survives_with_all_its_attributes_and_its_state(tmp_path: Path) -> None:
    message = Message(**MESSAGE)
    assert message.recoverable

    def write(store: Store) -> int:
        queue = store.add_queue("key", "queue", "{}")
        store.add_position(7, queue, PositionState.AVAILABLE, content_of(message), size=message.size, expires=None)
        store.set_state(7, PositionState.LOCKED)
        return 7

    def find(store: Store, lookup: int) -> tuple[PositionState, Message]:
        position, content = store.position(lookup), store.content(lookup)
        assert position is not None
        assert content is not None
        return PositionState(position.state), message_of(content, path=store.path)

    state, found = over_a_restart(tmp_path, write, find)
    assert state is PositionState.LOCKED
    assert exact(found) == exact(message)


@pytest.mark.spec("DM-3.1.1.2-9", "DM-3.1.1-4", "DM-3.1.1-5")
@pytest.mark.parametrize("queue_type", QueueType)
def test_a_queue_survives_and_is_for_the_directory_only_if_public(tmp_path: Path, queue_type: QueueType) -> None:
    queue = Queue(**QUEUE | {"queue_type": queue_type})
    found = restarted_queue(tmp_path, queue)
    assert exact(found) == exact(queue)
    assert published_attributes(found) == (directory_attributes(Queue) if queue_type is QueueType.PUBLIC else ())


VOLATILE_IN_QUEUE: dict[str, Any] = {
    "key": 99,
    "total_bytes": 5,
    "queue_manager": ONE,
    "incoming_transactional_transfer_info_collection": [
        IncomingTransactionalTransferInfo(queue_reference=1, format_name=DIRECT, sender_identifier=ONE)
    ],
    "open_queue_descriptor_collection": [descriptor()],
}
VOLATILE_IN_OUTGOING: dict[str, Any] = VOLATILE_IN_QUEUE | {
    "next_hops": ("host",),
    "outgoing_transfer_info_reference": OutgoingTransferInfo(outgoing_queue_reference=1),
    "state": OutgoingQueueState.CONNECTED,
    "connection_history": [ConnectionHistoryEntry(status=ConnectionStatus.ESTABLISHED, connection_history_time=1)],
}
VOLATILE_IN_MANAGER: dict[str, Any] = {
    "machine_domain_id": ONE,
    "directory_offline": True,
    "throttled": True,
    "connection_active": True,
    "queue_manager_state": QueueManagerState.READY,
    "system_deadletter_queue": 1,
    "system_transactional_deadletter_queue": 2,
    "system_journal_queue": 3,
    "site_collection": frozenset({ONE}),
    "connected_network_collection": frozenset({THREE, ONE}),
    "out_routing_server_collection": frozenset({ONE}),
    "in_routing_server_collection": frozenset({TWO}),
    "enterprise_reference": ONE,
    "dispatch_collection": [DispatchEntry(message_position_reference=1, priority=3)],
    "internal_certificate_collection": (InternalCertificate(certificate=b"DER", user=ONE),),
}


def volatile_attributes(element: Any) -> dict[str, Any]:
    return {name: getattr(element, name) for name, lifetime in lifetimes(type(element)).items() if lifetime is Lifetime.VOLATILE}


@pytest.mark.spec("DM-3.1.1-6")
def test_what_is_volatile_in_a_queue_does_not_survive(tmp_path: Path) -> None:
    queue = Queue(**QUEUE | VOLATILE_IN_QUEUE)
    assert volatile_attributes(queue) == VOLATILE_IN_QUEUE
    found = restarted_queue(tmp_path, queue)
    fresh = Queue(queue_type=QueueType.PRIVATE, key=1)
    assert volatile_attributes(found) == volatile_attributes(fresh)


@pytest.mark.spec("DM-3.1.1.3-3", "DM-3.1.1-4", "DM-3.1.1-6")
def test_an_outgoing_queue_keeps_its_destination_and_forgets_its_connection(tmp_path: Path) -> None:
    queue = OutgoingQueue(**OUTGOING | VOLATILE_IN_OUTGOING)
    assert volatile_attributes(queue) == VOLATILE_IN_OUTGOING
    found = restarted_queue(tmp_path, queue)
    assert isinstance(found, OutgoingQueue)
    assert (found.destination_format_name, found.multicast) == (MULTICAST, True)
    assert exact(found) == exact(queue)
    assert (found.state, found.next_hops, found.connection_history) == (OutgoingQueueState.INACTIVE, None, [])
    fresh = OutgoingQueue(queue_type=QueueType.PRIVATE, destination_format_name=MULTICAST, key=1)
    assert volatile_attributes(found) == volatile_attributes(fresh)


@pytest.mark.spec("DM-3.1.1.1-4", "DM-3.1.1-4", "DM-3.1.1-5")
def test_the_queue_manager_survives(tmp_path: Path) -> None:
    manager = made(QueueManager, MANAGER)
    found = restarted_manager(tmp_path, manager)
    assert exact(found) == exact(manager)
    assert found.sequential_id == 6
    assert found.transaction_collection == {ONE, TWO}


@pytest.mark.spec("DM-3.1.1.1-5", "DM-3.1.1-6")
def test_what_is_volatile_in_the_queue_manager_does_not_survive(tmp_path: Path) -> None:
    manager = QueueManager(**MANAGER | VOLATILE_IN_MANAGER)
    assert volatile_attributes(manager) == VOLATILE_IN_MANAGER
    found = restarted_manager(tmp_path, manager)
    # Of the networks, those that the list names, since it may name none that is not there.
    assert volatile_attributes(found) == volatile_attributes(QueueManager()) | {"connected_network_collection": frozenset({THREE})}
