"""A computer called host with queues made by the real rules, and readers that wait on them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from msmqctl.qm.directory_joint import NO_DIRECTORY, Directory
from msmqctl.qm.model import (
    Cursor,
    OpenQueueDescriptor,
    Queue,
    QueueAccessType,
    QueueShareMode,
    QueueType,
    WaitingMessageReadOperation,
)
from msmqctl.qm.queues import Queues
from msmqctl.qm.waiting import PendingRead, ReadResult
from msmqctl.wire.names import FormatName, parse_format_name, parse_path_name
from msmqctl.wire.status import HResult

from .conftest import Bench
from .samples import NOW

HOST_ID = UUID("a0000000-0000-4000-8000-00000000000a")
OTHER_ID = UUID("b0000000-0000-4000-8000-00000000000b")
ADDRESS = "192.0.2.7"
SEND, RECEIVE, PEEK = QueueAccessType.SEND_ACCESS, QueueAccessType.RECEIVE_ACCESS, QueueAccessType.PEEK_ACCESS
MOVE = QueueAccessType.MOVE_ACCESS
RECEIVE_ADMIN, PEEK_ADMIN = QueueAccessType.RECEIVE_ADMIN_ACCESS, QueueAccessType.PEEK_ADMIN_ACCESS
DENY_NONE, DENY_RECEIVE = QueueShareMode.DENY_NONE, QueueShareMode.DENY_RECEIVE


def host(bench: Bench, directory: Directory = NO_DIRECTORY, **attributes: Any) -> Queues:
    """The queue manager of the computer host.corp.example."""
    core = bench.open(Queues, directory=directory, addresses=(ADDRESS, "alias"))
    given = {"identifier": HOST_ID, "computer_name": "host", "qualified_computer_name": "host.corp.example"} | attributes
    with core.call():
        core.assign(core.local, **given)
        core.save_manager()
    core.commit()
    return core


def template(path: str = r".\private$\orders", **attributes: Any) -> Queue:
    """What somebody wants to create."""
    return Queue(pathname=parse_path_name(path), queue_type=QueueType.PRIVATE, **attributes)


def created(core: Queues, path: str = r".\private$\orders", *, skip_directory: bool = True, **attributes: Any) -> Queue:
    """A new queue, made by Create Queue."""
    result = core.create_queue(template(path, **attributes), NOW, skip_directory=skip_directory)
    assert result.status == HResult.MQ_OK
    assert result.queue is not None
    return result.queue


def kept(core: Queues, queue: Queue | int | None) -> Queue:
    """The queue as it is now: after a restart, another object with the same number."""
    number = queue.key if isinstance(queue, Queue) else queue
    assert number is not None
    found = core.queue(number)
    assert found is not None
    return found


def named(text: str) -> FormatName:
    return parse_format_name(text)


def opened_as(
    core: Queues, name: str = r"DIRECT=OS:host\private$\orders", access: QueueAccessType = RECEIVE, share: QueueShareMode = DENY_NONE
) -> OpenQueueDescriptor:
    """A handle, got by Open Queue."""
    result = core.open_queue(named(name), access, share, NOW)
    assert result.status == HResult.MQ_OK
    assert result.descriptor is not None
    return result.descriptor


def waiting_read(core: Queues, descriptor: OpenQueueDescriptor, *, tag: int | None = None, cursor: Cursor | None = None) -> PendingRead:
    """A reader that waits, and whose result is the status that ends it."""
    operation = WaitingMessageReadOperation(destructive_read=True, tag=tag, cursor_reference=cursor)
    with core.call():
        return core.wait(PendingRead(descriptor, operation, None, finish=lambda _: ReadResult(HResult.MQ_OK), give_up=ReadResult))


def status_of(read: PendingRead) -> HResult | None:
    """What ended the read; None while it waits."""
    return None if read.result is None else read.result.status
