"""A queue manager that can send, run transactions, expire and start; and what tests of these do to it again and again."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from msmqctl.qm.core import Core, key_of
from msmqctl.qm.events import MessagePositionAvailable, MessagePositionDeleted
from msmqctl.qm.expiry import Expiry
from msmqctl.qm.model import OperationType, PositionState, Queue
from msmqctl.qm.sending import EnqueueResult, Sending
from msmqctl.qm.startup import Startup
from msmqctl.qm.store import PositionRow
from msmqctl.qm.transactions import Transactions
from msmqctl.wire.values import MessageClass
from tests.qm.conftest import Bench
from tests.qm.samples import NOW, labelled

ACK_RECEIVE = MessageClass.MQMSG_CLASS_ACK_RECEIVE
TX, OTHER_TX = UUID(int=0xA), UUID(int=0xB)


class Working(Sending, Transactions, Expiry, Startup):
    """The parts that work together here."""


def sent(core: Working, queue: Queue, label: str, transaction: UUID | None = None, **attributes: Any) -> int:
    """Enqueue a message; its lookup identifier."""
    assert core.enqueue_message(queue, labelled(label, **attributes), NOW, transaction) is EnqueueResult.NO_ERROR
    return max((position.lookup for position in core.store.positions(key_of(queue))), key=lambda lookup: lookup & (1 << 56) - 1)


def at(core: Core, lookup: int) -> PositionRow:
    """The position, which must be there."""
    position = core.store.position(lookup)
    assert position is not None
    return position


def received(core: Working, lookup: int, transaction: UUID, reason: MessageClass = ACK_RECEIVE) -> int:
    """Receive a message in a transaction: locked, and remembered. [MS-MQDMPR] 3.1.7.1.10"""
    unit = core.unit(transaction)
    assert unit is not None
    with core.call():
        core.store.set_state(lookup, PositionState.LOCKED)
        core.append_operation(unit, OperationType.DEQUEUE, lookup, reason=reason)
    return lookup


def labels(core: Core, queue: Queue, state: PositionState = PositionState.AVAILABLE) -> list[str]:
    """The messages of a queue in one state, in order."""
    return [
        core.message(position.lookup).label for position in core.store.positions(key_of(queue), limit=10_000) if position.state == state
    ]


def totals(core: Core, queue: Queue) -> tuple[int, int]:
    """Octets in the queue, as memory and as the file have them."""
    row = core.store.queue(key_of(queue))
    assert row is not None
    return queue.total_bytes, row.bytes


def happened(core: Core) -> list[tuple[str, int] | tuple[str, int, MessageClass]]:
    """The events of positions since this was last asked."""
    told: list[tuple[str, int] | tuple[str, int, MessageClass]] = []
    for event in core.take_events():
        if isinstance(event, MessagePositionAvailable):
            told.append(("available", event.lookup_identifier))
        elif isinstance(event, MessagePositionDeleted):
            told.append(("deleted", event.lookup_identifier, event.reason))
    return told


def begun(bench: Bench) -> Working:
    """A queue manager with one open transaction."""
    core = bench.open(Working)
    core.create_transaction(TX)
    return core
