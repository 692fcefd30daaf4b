"""Every status of the checklist: its number, and an event that really answers with it."""

from __future__ import annotations

from uuid import UUID

import pytest

from msmqctl.qm.manager import QueueManager
from msmqctl.qm.model import OpenQueueDescriptor, QueueAccessType, QueueShareMode
from msmqctl.qm.sending import EnqueueResult
from msmqctl.qm.waiting import PendingRead, ReadResult
from msmqctl.wire.names import parse_format_name
from msmqctl.wire.status import HResult
from tests.qm.conftest import Bench
from tests.qm.queue_samples import DENY_NONE, DENY_RECEIVE, HOST_ID, RECEIVE, SEND, created, named, opened_as
from tests.qm.samples import NOW, after, labelled

TX = UUID(int=0xA)
HERE = r"DIRECT=OS:host\private$\orders"


@pytest.fixture
def manager(bench: Bench) -> QueueManager:
    made = bench.open(QueueManager)
    with made.call():
        made.assign(made.local, identifier=HOST_ID, computer_name="host", qualified_computer_name="host.corp.example")
    created(made)
    return made


def open_as(manager: QueueManager, name: str, access: QueueAccessType = RECEIVE, share: QueueShareMode = DENY_NONE) -> int:
    return manager.open_queue(named(name), access, share, NOW).status


def status(result: ReadResult | PendingRead | None) -> int:
    assert isinstance(result, ReadResult)
    return result.status


def send(manager: QueueManager, label: str = "a", size: int = 100, **attributes: bool) -> EnqueueResult:
    queue = manager.find_queue(named(HERE), RECEIVE)
    assert queue is not None
    return manager.enqueue_message(queue, labelled(label, size=size, **attributes), NOW)


@pytest.mark.spec("DM-codes-V1", "DM-codes-V2", "DM-codes-V4", "DM-codes-V9", "DM-codes-V10")
def test_what_open_queue_answers(manager: QueueManager) -> None:
    assert open_as(manager, HERE) == 0
    assert open_as(manager, r"DIRECT=OS:host\private$\missing") == 0xC00E0003
    assert open_as(manager, HERE, RECEIVE, DENY_RECEIVE) == 0xC00E0009
    assert open_as(manager, f"{HERE};journal", SEND) == 0xC00E0020
    assert open_as(manager, f"{HERE},DIRECT=OS:far\\orders", SEND, DENY_RECEIVE) == 0xC00E0045


@pytest.mark.spec("DM-codes-V3")
def test_what_a_reader_hears_whose_handle_is_closed(manager: QueueManager) -> None:
    handle = opened_as(manager)
    read = manager.dequeue_message(handle, NOW)
    assert isinstance(read, PendingRead)
    manager.close_queue(handle)
    assert status(read.result) == 0xC00E0008


@pytest.mark.spec("DM-codes-V5", "DM-codes-V6", "DM-codes-V7", "DM-codes-V14")
def test_what_readers_hear_that_find_nothing(manager: QueueManager) -> None:
    handle = opened_as(manager)
    cursor = manager.open_cursor(handle)
    assert cursor is not None
    waits = [
        manager.dequeue_message(handle, NOW, timeout=1),
        manager.dequeue_message_begin(handle, NOW, timeout=1),
        manager.peek_message(handle, NOW, timeout=1),
    ]
    manager.end_overdue_reads(after(1))
    assert [status(read.result) for read in waits if isinstance(read, PendingRead)] == [0xC00E001B] * 3
    assert status(manager.peek_next_message(handle, NOW, cursor, timeout=0)) == 0xC00E001C
    assert status(manager.dequeue_message(handle, NOW, timeout=0, cursor=cursor)) == 0xC00E0088
    assert status(manager.read_message_by_lookup_identifier(handle, 4711, peek=True)) == 0xC00E0088
    send(manager)
    assert status(manager.peek_message(handle, NOW, cursor=cursor)) == 0
    assert status(manager.peek_next_message(handle, NOW, cursor, timeout=0)) == 0xC00E001B
    assert status(manager.peek_message(handle, NOW, timeout=0, cursor=cursor)) == 0xC00E001B


@pytest.mark.spec("DM-codes-V7")
def test_what_readers_hear_whose_message_is_taken(manager: QueueManager) -> None:
    handle = opened_as(manager)
    cursor = manager.open_cursor(handle)
    assert cursor is not None
    send(manager)
    assert status(manager.peek_message(handle, NOW, cursor=cursor)) == 0
    taken = manager.dequeue_message_begin(handle, NOW)
    assert isinstance(taken, ReadResult)
    assert taken.message is not None
    assert status(manager.peek_message(handle, NOW, cursor=cursor)) == 0xC00E001D
    assert status(manager.dequeue_message(handle, NOW, cursor=cursor)) == 0xC00E001D
    queue = manager.find_queue(named(HERE), RECEIVE)
    assert queue is not None
    manager.purge_queue(queue)
    assert status(manager.read_message_by_lookup_identifier(handle, taken.message.lookup_identifier, peek=True)) == 0xC00E001D


@pytest.mark.spec("DM-codes-V8")
def test_what_a_name_that_is_none_here_leads_to(manager: QueueManager) -> None:
    assert manager.get_queue_path(parse_format_name(f"PUBLIC={TX}")).status == 0xC00E001E


def gone(manager: QueueManager) -> OpenQueueDescriptor:
    """A handle whose queue was deleted."""
    handle = opened_as(manager)
    queue = manager.find_queue(named(HERE), RECEIVE)
    assert queue is not None
    manager.delete_queue(queue)
    return handle


@pytest.mark.spec("DM-codes-V11")
def test_what_every_reader_of_a_deleted_queue_hears(manager: QueueManager) -> None:
    handle = opened_as(manager)
    cursor = manager.open_cursor(handle)
    assert cursor is not None
    handle = gone(manager)
    heard = [
        status(manager.dequeue_message(handle, NOW)),
        status(manager.dequeue_message_begin(handle, NOW)),
        manager.dequeue_message_end(handle, 1, delete=True),
        status(manager.peek_message(handle, NOW)),
        status(manager.peek_next_message(handle, NOW, cursor)),
        status(manager.read_message_by_lookup_identifier(handle, 1, peek=True)),
    ]
    assert heard == [0xC00E004B] * 6


@pytest.mark.spec("DM-codes-V12", "DM-codes-V13")
def test_what_wrong_use_of_transactions_leads_to(manager: QueueManager) -> None:
    handle = opened_as(manager)
    send(manager)
    locked = manager.dequeue_message_begin(handle, NOW)
    assert isinstance(locked, ReadResult)
    assert locked.message is not None
    lookup = locked.message.lookup_identifier
    assert status(manager.read_message_by_lookup_identifier(handle, lookup, peek=True)) == 0xC00E0050
    assert [manager.dequeue_message_end(handle, lookup, delete=True) for _ in range(2)] == [0, 0xC00E0051]
    assert [end(TX) for end in (manager.transaction_prepare, manager.transaction_commit, manager.transaction_abort)] == [0xC00E0051] * 3


@pytest.mark.spec("DM-codes-V15")
def test_what_cancelling_nobody_leads_to(manager: QueueManager) -> None:
    queue = manager.find_queue(named(HERE), RECEIVE)
    assert queue is not None
    assert manager.cancel_waiting_message_read_request(queue, 7, HResult.MQ_ERROR_OPERATION_CANCELLED) == 0xC0000225


@pytest.mark.spec("DM-codes-V17")
def test_what_enqueue_message_answers(manager: QueueManager) -> None:
    queue = manager.find_queue(named(HERE), RECEIVE)
    assert queue is not None
    assert send(manager) == 0
    manager.assign(queue, quota=1)
    assert send(manager, size=1024) == 1
    manager.assign(manager.local, queue_manager_quota=1)
    assert send(manager, size=1024) == 2
    manager.assign(manager.local, queue_manager_quota=9)
    manager.begin_flow_control()
    assert send(manager, size=1) == 2
    late = labelled("late", time_to_reach_queue=1, sent_time=after(-2))
    assert manager.enqueue_message(queue, late, NOW, from_transfer=True) == 3
