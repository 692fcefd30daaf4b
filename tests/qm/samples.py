"""Small things that tests of the queue manager need again and again; append, do not change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from msmqctl.qm import shelf
from msmqctl.qm.core import Core, key_of
from msmqctl.qm.message import Message
from msmqctl.qm.model import Cursor, OpenQueueDescriptor, OutgoingQueue, PositionState, Queue, QueueAccessType, QueueType
from msmqctl.qm.store import PositionRow
from msmqctl.wire.names import parse_format_name

NOW = datetime(2024, 5, 17, 12, 0, 0, tzinfo=UTC)


def lay_message(
    core: Core, queue: Queue, lookup: int, *, state: PositionState = PositionState.AVAILABLE, counted: bool = True, size: int = 100
) -> PositionRow:
    """Put a message into a queue behind the back of all rules, counted like one that arrived unless told otherwise."""
    assert queue.key is not None
    with core.call():
        message = Message(lookup_identifier=lookup, message_position_reference=lookup, size=size, label=f"message {lookup}")
        core.store.add_position(lookup, queue.key, state, shelf.content_of(message), size=size, expires=None)
        laid = core.store.position(lookup)
        assert laid is not None
        if counted:
            core.store.count(laid)
            core.assign(queue, total_bytes=queue.total_bytes + size)
    found = core.store.position(lookup)
    assert found is not None
    return found


def states(core: Core, queue: Queue) -> dict[int, PositionState]:
    """Every entry of a queue with its state."""
    assert queue.key is not None
    return {row.lookup: PositionState(row.state) for row in core.store.positions(queue.key)}


def after(seconds: float) -> datetime:
    """That many seconds later."""
    return NOW + timedelta(seconds=seconds)


def stored_queue(core: Core, name: str = "orders", **attributes: Any) -> Queue:
    """A queue that the store has, found again by its name after a restart."""
    with core.call():
        row = core.store.queue_by_key(name)
        if row is None:
            template = Queue(**{"queue_type": QueueType.PRIVATE} | attributes)
            number = core.store.add_queue(name, template.queue_type.value, shelf.queue_attributes(template))
        else:
            number = row.id
    queue = core.queue(number)
    assert queue is not None
    return queue


def opened(core: Core, queue: Queue, access: QueueAccessType = QueueAccessType.RECEIVE_ACCESS) -> OpenQueueDescriptor:
    """A handle to a queue."""
    handle = core.new_handle()
    name = parse_format_name(rf"DIRECT=OS:host\private$\queue{queue.key}")
    descriptor = OpenQueueDescriptor(
        handle=handle, context_value=handle, access_type=access, queue_reference=key_of(queue), format_name=name
    )
    core.add(queue.open_queue_descriptor_collection, descriptor)
    return descriptor


def cursor_at_start(core: Core, descriptor: OpenQueueDescriptor) -> Cursor:
    """A new cursor of a handle."""
    cursor = Cursor(handle=core.new_handle(), open_queue_descriptor_reference=descriptor)
    core.add(descriptor.cursor_collection, cursor)
    return cursor


def unit_begun(core: Core, number: int = 1) -> UUID:
    """An open transaction."""
    identifier = UUID(int=number)
    with core.call():
        core.store.add_unit(identifier.bytes, single_phase=True)
    return identifier


def labelled(label: str, *, size: int = 100, **attributes: Any) -> Message:
    """A message that is known by its label, of 100 octets unless told otherwise."""
    return Message(label=label, size=size, **attributes)


def outgoing_queue(core: Core, name: str = "out", **attributes: Any) -> OutgoingQueue:
    """A queue of messages for elsewhere that the store has."""
    destination = parse_format_name(rf"DIRECT=OS:elsewhere\private$\{name}")
    template = OutgoingQueue(**{"queue_type": QueueType.PRIVATE, "destination_format_name": destination} | attributes)
    with core.call():
        number = core.store.add_queue(name, template.queue_type.value, shelf.queue_attributes(template))
    queue = core.queue(number)
    assert isinstance(queue, OutgoingQueue)
    return queue
