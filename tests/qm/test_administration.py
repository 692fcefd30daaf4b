"""What an administrator does to the running queue manager."""

from __future__ import annotations

import pytest

from msmqctl.qm.administration import ON_HOLD, Administration
from msmqctl.qm.events import QueuePaused, QueueResumed
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.model import OutgoingQueue, OutgoingQueueState, QueueAccessType, QueueShareMode
from msmqctl.wire.names import parse_format_name
from tests.qm.conftest import Bench
from tests.qm.samples import NOW, outgoing_queue


@pytest.mark.spec("DM-3.1.4.12-1")
def test_taken_offline_the_connection_is_not_active(bench: Bench) -> None:
    core = bench.open(Administration)
    core.bring_online()
    core.take_offline()
    assert core.local.connection_active is False


@pytest.mark.spec("DM-3.1.4.13-1")
def test_brought_online_the_connection_is_active(bench: Bench) -> None:
    core = bench.open(Administration)
    core.take_offline()
    core.bring_online()
    assert core.local.connection_active is True


@pytest.mark.spec("DM-3.1.4.14-1", "DM-3.1.7.2.3-1")
@pytest.mark.parametrize("state", OutgoingQueueState)
def test_a_paused_queue_is_on_hold_and_everybody_hears_of_it(bench: Bench, state: OutgoingQueueState) -> None:
    core = bench.open(Administration)
    queue, other = outgoing_queue(core, "out"), outgoing_queue(core, "other")
    core.assign(queue, state=state)
    core.pause_queue(queue)
    assert (queue.state, other.state) == (OutgoingQueueState.ON_HOLD, OutgoingQueueState.INACTIVE)
    assert core.commit() == [QueuePaused(queue)]


@pytest.mark.spec("DM-3.1.4.15-1", "DM-3.1.7.2.4-1")
@pytest.mark.parametrize("state", OutgoingQueueState)
def test_a_resumed_queue_is_inactive_and_everybody_hears_of_it(bench: Bench, state: OutgoingQueueState) -> None:
    core = bench.open(Administration)
    queue = outgoing_queue(core)
    core.assign(queue, state=state)
    core.resume_queue(queue)
    assert queue.state is OutgoingQueueState.INACTIVE
    assert core.commit() == [QueueResumed(queue)]


def test_what_is_rolled_back_was_never_paused(bench: Bench) -> None:
    core = bench.open(Administration)
    queue = outgoing_queue(core)
    core.commit()
    core.pause_queue(queue)
    core.rollback()
    assert queue.state is OutgoingQueueState.INACTIVE
    assert core.take_events() == []


# ---- over a restart


def started(bench: Bench) -> QueueManager:
    """A queue manager that has recovered."""
    manager = bench.open(QueueManager)
    manager.recover()
    return manager


def restarted(bench: Bench, manager: QueueManager) -> QueueManager:
    again = bench.reopen(manager)
    again.recover()
    return again


def test_a_queue_manager_that_nobody_took_offline_starts_online(bench: Bench) -> None:
    assert started(bench).local.connection_active is True


def test_offline_and_online_outlast_a_restart(bench: Bench) -> None:
    manager = started(bench)
    manager.take_offline()
    manager = restarted(bench, manager)
    assert manager.local.connection_active is False
    manager.bring_online()
    assert restarted(bench, manager).local.connection_active is True


def opened_elsewhere(manager: QueueManager, name: str = r"DIRECT=OS:far\private$\orders") -> OutgoingQueue:
    """The outgoing queue to a destination, made if need be."""
    format_name = parse_format_name(name)
    descriptor = manager.open_queue(format_name, QueueAccessType.SEND_ACCESS, QueueShareMode.DENY_NONE, NOW).descriptor
    assert descriptor is not None
    manager.close_queue(descriptor)
    assert descriptor.queue_reference is not None
    queue = manager.queue(descriptor.queue_reference)
    assert isinstance(queue, OutgoingQueue)
    return queue


def test_a_hold_outlasts_a_restart_and_ends_with_the_resumption(bench: Bench) -> None:
    manager = started(bench)
    manager.pause_queue(opened_elsewhere(manager))
    other = opened_elsewhere(manager, r"DIRECT=OS:other\private$\orders")
    manager = restarted(bench, manager)
    assert opened_elsewhere(manager).state is OutgoingQueueState.ON_HOLD
    assert opened_elsewhere(manager, str(other.destination_format_name)).state is OutgoingQueueState.INACTIVE
    manager.resume_queue(opened_elsewhere(manager))
    assert opened_elsewhere(restarted(bench, manager)).state is OutgoingQueueState.INACTIVE


@pytest.mark.spec("DM-3.1.1.3-2")
def test_hardened_security_locks_what_is_on_hold_too(bench: Bench) -> None:
    manager = started(bench)
    manager.pause_queue(opened_elsewhere(manager))
    manager.assign(manager.local, hardened_security=True)
    manager.save_manager()
    assert opened_elsewhere(restarted(bench, manager)).state is OutgoingQueueState.LOCKED


def test_a_deleted_queue_takes_its_hold_with_it(bench: Bench) -> None:
    manager = started(bench)
    queue = opened_elsewhere(manager)
    manager.pause_queue(queue)
    manager.delete_queue(queue)
    assert manager.store.notes(ON_HOLD) == []


def test_what_was_decided_is_on_disk_before_the_answer(bench: Bench) -> None:
    manager = started(bench)
    queue = opened_elsewhere(manager)
    for decide in (manager.take_offline, manager.bring_online, lambda: manager.pause_queue(queue), lambda: manager.resume_queue(queue)):
        manager.commit()
        decide()
        assert manager.take_lasting()
