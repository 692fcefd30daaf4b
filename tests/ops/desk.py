"""What tests of messages do again and again on a host: make queues, fill them, look into them, empty them."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from msmqctl.errors import StatusError
from msmqctl.ops import messages
from msmqctl.ops.message_row import Draft
from msmqctl.ops.messages import Stored
from msmqctl.qm.host import Host
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.message import Message
from msmqctl.qm.model import OpenQueueDescriptor, Queue, QueueAccessType, QueueShareMode, QueueType
from msmqctl.qm.transactions import EnlistmentAnswer
from msmqctl.qm.waiting import ReadResult
from msmqctl.wire.names import parse_format_name, parse_path_name
from msmqctl.wire.status import HResult


def create(host: Host, name: str, **attributes: Any) -> None:
    def make(manager: QueueManager, now: Any) -> None:
        template = Queue(pathname=parse_path_name(f".\\private$\\{name}"), queue_type=QueueType.PRIVATE)
        manager.set_queue_defaults(template)
        for attribute, value in attributes.items():
            setattr(template, attribute, value)
        assert manager.create_queue(template, now).status is HResult.MQ_OK

    host.do(make)


def send(host: Host, *bodies: bytes, queue: str = "orders", **fields: Any) -> list[int]:
    """Send bodies; their lookup identifiers."""
    drafts = [Draft(body=body, **fields) for body in bodies]
    return [lookup_of(stored) for stored in messages.send(host, queue, drafts, transactional=queue == "ledger")]


def lookup_of(stored: Stored) -> int:
    assert stored.lookup_id is not None
    return stored.lookup_id


def bodies(host: Host, queue: str = "orders") -> list[bytes]:
    """What is in a queue, in order."""
    try:
        return [row.body for row in messages.peek(host, queue, count=100)]
    except StatusError as nothing:
        if nothing.status != HResult.MQ_ERROR_IO_TIMEOUT:
            raise
        return []


def take(host: Host, queue: str = "orders", **how: Any) -> list[bytes]:
    return [row.body for rows in messages.receive(host, queue, **how) for row in rows]


def begin(host: Host, unit: UUID, *names: str, body: bytes = b"new", received: bool = False) -> None:
    """A transaction that is left open: it received a message from the first queue if asked to, then sent one to each."""

    def work(manager: QueueManager, now: datetime) -> None:
        manager.create_transaction(unit)
        if received:
            reader = opened(manager, names[0], QueueAccessType.RECEIVE_ACCESS, now)
            read = manager.dequeue_message(reader, now, timeout=0, transaction=unit)
            assert isinstance(read, ReadResult)
            assert read.status is HResult.MQ_OK
            manager.close_queue(reader)
        for name in names:
            sender = opened(manager, name, QueueAccessType.SEND_ACCESS, now)
            manager.enqueue_message_to_an_open_queue(sender, Message(body=body, size=100), now, unit)
            manager.close_queue(sender)

    host.do(work)


def doubt(host: Host, unit: UUID, *names: str, body: bytes = b"new", received: bool = False) -> None:
    """The same, prepared for a coordinator that says no more."""
    begin(host, unit, *names, body=body, received=received)
    assert host.do(lambda manager, now: manager.dtc_transaction_prepare(unit)) is EnlistmentAnswer.PREPARE_DONE


def opened(manager: QueueManager, name: str, access: QueueAccessType, now: datetime) -> OpenQueueDescriptor:
    """A handle by a format name."""
    descriptor = manager.open_queue(parse_format_name(name), access, QueueShareMode.DENY_NONE, now).descriptor
    assert descriptor is not None
    return descriptor
