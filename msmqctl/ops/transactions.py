"""Transactions that have not ended: which there are, what they hold, and the decision about one that is in doubt.

A transaction with a coordinator is in doubt between its preparation and the coordinator's decision, over restarts too. If that
decision never comes, an administrator makes it: what the transaction sent and received is settled the one way or the other, here alone.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from msmqctl.errors import StatusError
from msmqctl.ops.hosted import name_of
from msmqctl.ops.status import require
from msmqctl.qm.host import Desk
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.model import OperationType, OutgoingQueue, Queue
from msmqctl.qm.store import UnitRow
from msmqctl.qm.transactions import Decision
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.nametext import abridged
from msmqctl.wire.status import HResult


class TransactionState(StrEnum):
    """How far a transaction has come."""

    OPEN = "open"
    PREPARED = "prepared"
    IN_DOUBT = "in-doubt"
    COMMITTING = "committing"


@dataclass(frozen=True, slots=True)
class TransactionRow:
    """One transaction: what it did so far, in which queues, and when it sent its first message, as far as that is known."""

    id: UUID
    state: TransactionState
    operations: int
    sent: int
    received: int
    moved: int
    queues: tuple[str, ...]
    since: datetime | None


# ---- the journeys


def list_transactions(desk: Desk) -> list[TransactionRow]:
    """All that have not ended, the oldest first."""
    return desk.do(lambda manager, now: [_row(manager, unit) for unit in manager.store.units()])


def show_doubted(desk: Desk, typed: str) -> TransactionRow:
    """The transaction in doubt that `commit_transaction` or `abort_transaction` would end; the same refusals, and nothing happens."""
    return desk.do(lambda manager, now: _row(manager, _doubted(manager, typed, "show transaction")))


def commit_transaction(desk: Desk, typed: str) -> TransactionRow:
    """Make good what a transaction in doubt did; how it was before. `typed` is its identifier, or a beginning that no other has."""

    def work(manager: QueueManager, now: datetime) -> TransactionRow:
        unit = _doubted(manager, typed, "commit transaction")
        row = _row(manager, unit)
        require(manager.transaction_commit(row.id), "commit transaction", typed)
        return row

    return desk.do(work)


def abort_transaction(desk: Desk, typed: str) -> TransactionRow:
    """Undo what a transaction in doubt did; how it was before. `typed` is its identifier, or a beginning that no other has."""

    def work(manager: QueueManager, now: datetime) -> TransactionRow:
        unit = _doubted(manager, typed, "abort transaction")
        row = _row(manager, unit)
        require(manager.transaction_abort(row.id), "abort transaction", typed)
        return row

    return desk.do(work)


# ---- which transaction


def _doubted(manager: QueueManager, typed: str, operation: str) -> UnitRow:
    wanted = typed.strip().strip("{}").replace("-", "").lower()
    found = [unit for unit in manager.store.units() if wanted and unit.identifier.hex().startswith(wanted)]
    if not found:
        problem = f"there is no transaction {abridged(typed)} here."
        raise StatusError(problem, status=HResult.STATUS_NOT_FOUND, operation=operation, hint="run: msmqctl transaction list")
    if len(found) > 1:
        problem = f"{len(found)} transactions begin with {abridged(typed)}."
        raise StatusError(problem, status=HResult.MQ_ERROR_INVALID_PARAMETER, operation=operation, hint="give more of the identifier.")
    (unit,) = found
    state = _state(unit)
    if state is not TransactionState.IN_DOUBT:
        problem = f"the transaction {UUID(bytes=unit.identifier)} is {state} and not in doubt."
        hint = "whoever began it ends it."
        raise StatusError(problem, status=HResult.MQ_ERROR_TRANSACTION_SEQUENCE, operation=operation, hint=hint)
    return unit


# ---- what is told


def _state(unit: UnitRow) -> TransactionState:
    if unit.decision == Decision.COMMIT:
        return TransactionState.COMMITTING
    if unit.decision is None:
        return TransactionState.OPEN
    return TransactionState.PREPARED if unit.single_phase else TransactionState.IN_DOUBT


def _row(manager: QueueManager, unit: UnitRow) -> TransactionRow:
    operations = manager.store.operations(unit.id)
    kinds = [operation.kind for operation in operations]
    sent = [operation.lookup for operation in operations if operation.kind == OperationType.ENQUEUE]
    held = (manager.store.position(operation.lookup) for operation in operations)
    keys = [position.queue for position in held if position is not None]
    keys += [operation.target for operation in operations if operation.target is not None]
    first = next((lookup for lookup in sent if manager.store.position(lookup) is not None), None)
    return TransactionRow(
        id=UUID(bytes=unit.identifier),
        state=_state(unit),
        operations=len(operations),
        sent=len(sent),
        received=kinds.count(OperationType.DEQUEUE),
        moved=kinds.count(OperationType.MOVE),
        queues=tuple(sorted(_name(queue) for queue in map(manager.queue, set(keys)) if queue is not None)),
        since=None if first is None else manager.message(first).arrival_time,
    )


def _name(queue: Queue) -> str:
    return str(queue.destination_format_name) if isinstance(queue, OutgoingQueue) else name_of(queue)
