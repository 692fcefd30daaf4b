"""Transactions: begun, prepared, committed or aborted, by an application or by a distributed coordinator. [MS-MQDMPR] 3.1.4

    create ──> open ──prepare──> prepared ──commit──> decided ──> gone
                 └──────────────────┴─────────abort─────────────> gone

A transaction, what it did and what is decided about it live in the store. The decision is written before the first operation is applied,
so whoever finds a decided transaction after a crash only has to finish it. With a coordinator, a prepared transaction is in doubt until
that coordinator tells the outcome, over restarts too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from itertools import groupby
from typing import TypeAlias
from uuid import UUID

from msmqctl.errors import TransportError
from msmqctl.qm import shelf
from msmqctl.qm.core import Core
from msmqctl.qm.model import OperationType, PositionState
from msmqctl.qm.store import OperationRow, PositionRow, UnitRow
from msmqctl.wire.status import HResult
from msmqctl.wire.values import MessageClass

_PURGED = MessageClass.MQMSG_CLASS_NACK_Q_PURGED


class Decision(StrEnum):
    """What is settled about a transaction; the values are the store's. Nothing is, as long as it is open."""

    PREPARED = "prepared"
    COMMIT = "commit"


class EnlistmentAnswer(StrEnum):
    """What a resource manager tells the coordinator's transaction manager, by the name of the message. [MS-MQDMPR] 3.1.4.6 to 3.1.4.8"""

    PREPARE_DONE = "TXUSER_ENLISTMENT_MTAG_PREPAREREQDONE"
    COMMIT_DONE = "TXUSER_ENLISTMENT_MTAG_COMMITREQDONE"
    ABORT_DONE = "TXUSER_ENLISTMENT_MTAG_ABORTREQDONE"


class Reenlistment(StrEnum):
    """What the transaction manager says about a transaction in doubt, by the name of its message. [MS-MQDMPR] 3.1.4.9 to 3.1.4.11"""

    COMMITTED = "TXUSER_REENLIST_MTAG_REENLIST_COMMITTED"
    ABORTED = "TXUSER_REENLIST_MTAG_REENLIST_ABORTED"
    TIMEOUT = "TXUSER_REENLIST_MTAG_REENLIST_TIMEOUT"


# Asks for the outcome of a transaction in doubt; None when the answer will come later, as an event.
Reenlist: TypeAlias = Callable[[UUID], Reenlistment | None]


class Transactions(Core):
    """The rules by which transactions begin and end."""

    def create_transaction(self, identifier: UUID) -> UnitRow:
        """Begin a transaction. It has no coordinator until Prepare says otherwise. [MS-MQDMPR] 3.1.7.1.8"""
        with self.call():
            # Departs from [MS-MQDMPR] 3.1.7.1.8: a known identifier yields the transaction that has it, because nothing tells two apart.
            known = self.unit(identifier)
            if known is not None:
                return known
            number = self.store.add_unit(identifier.bytes, single_phase=True)
            self.add(self.local.transaction_collection, identifier)
            return UnitRow(number, identifier.bytes, single_phase=True, decision=None)

    def transaction_prepare(self, identifier: UUID, *, single_phase: bool = True) -> HResult:
        """Make a transaction ready for either outcome, and mark where it begins and ends in each queue. [MS-MQDMPR] 3.1.4.3"""
        with self.call():
            # Departs from [MS-MQDMPR] 3.1.4.3: SinglePhase is set after the transaction was found, because before that there is none.
            unit = self._undecided(identifier)
            if unit is None:
                return HResult.MQ_ERROR_TRANSACTION_SEQUENCE
            mark_ends(self, unit)
            self.store.decide_unit(unit.id, single_phase=single_phase, decision=Decision.PREPARED)
            self.must_last()
            return HResult.MQ_OK

    def transaction_commit(self, identifier: UUID) -> HResult:
        """Make good what a transaction did, prepared or not. [MS-MQDMPR] 3.1.4.4"""
        with self.call():
            unit = self.unit(identifier)
            if unit is None:
                return HResult.MQ_ERROR_TRANSACTION_SEQUENCE
            commit_unit(self, unit)
            return HResult.MQ_OK

    def transaction_abort(self, identifier: UUID) -> HResult:
        """Undo what a transaction did, unless its commit is decided. [MS-MQDMPR] 3.1.4.5"""
        with self.call():
            unit = self._undecided(identifier)
            if unit is None:
                return HResult.MQ_ERROR_TRANSACTION_SEQUENCE
            abort_unit(self, unit)
            return HResult.MQ_OK

    def _undecided(self, identifier: UUID) -> UnitRow | None:
        unit = self.unit(identifier)
        return None if unit is None or unit.decision == Decision.COMMIT else unit

    # ---- what a coordinator asks for. The answer is for the caller to send, after the commit that it speaks of.

    def dtc_transaction_prepare(self, identifier: UUID, *, single_phase: bool = False) -> EnlistmentAnswer:
        """The coordinator asks whether we can commit; with `single_phase` it leaves the decision to us. [MS-MQDMPR] 3.1.4.6"""
        with self.call():
            if self.transaction_prepare(identifier, single_phase=False) != HResult.MQ_OK:
                return self.dtc_transaction_abort(identifier)
            return self.dtc_transaction_commit(identifier) if single_phase else EnlistmentAnswer.PREPARE_DONE

    def dtc_transaction_commit(self, identifier: UUID) -> EnlistmentAnswer:
        """The coordinator decided to commit; it hears that it is done even if there was nothing to do. [MS-MQDMPR] 3.1.4.7"""
        self.transaction_commit(identifier)
        return EnlistmentAnswer.COMMIT_DONE

    def dtc_transaction_abort(self, identifier: UUID) -> EnlistmentAnswer:
        """The coordinator decided to abort; it hears that it is done even if there was nothing to do. [MS-MQDMPR] 3.1.4.8"""
        self.transaction_abort(identifier)
        return EnlistmentAnswer.ABORT_DONE

    def dtc_reenlistment(self, identifier: UUID, outcome: Reenlistment) -> None:
        """The coordinator tells the outcome of a transaction that a restart left in doubt. [MS-MQDMPR] 3.1.4.9 to 3.1.4.11"""
        with self.call():
            unit = self._undecided(identifier)
            if unit is not None:
                settle_unit(self, unit, outcome)


# ---- the outcomes, as functions: the start of the queue manager needs them as well


def commit_unit(core: Core, unit: UnitRow) -> None:
    """Decide to commit, then apply all operations in the order in which they were done. [MS-MQDMPR] 3.1.4.4"""
    # Departs from [MS-MQDMPR] 3.1.4.4: what Prepare would have marked is marked here, because internal transactions are not prepared.
    if unit.decision is None:
        mark_ends(core, unit)
    core.store.decide_unit(unit.id, single_phase=unit.single_phase, decision=Decision.COMMIT)
    _apply(core, unit, _ON_COMMIT)


def abort_unit(core: Core, unit: UnitRow) -> None:
    """Undo all operations in the order in which they were done. [MS-MQDMPR] 3.1.4.5"""
    _apply(core, unit, _ON_ABORT)


def settle_unit(core: Core, unit: UnitRow, outcome: Reenlistment) -> None:
    """Follow the coordinator. One that does not answer in time is an error of the start. [MS-MQDMPR] 3.1.4.9 to 3.1.4.11"""
    if outcome is Reenlistment.TIMEOUT:
        raise TransportError(
            f"The transaction coordinator did not tell the outcome of {UUID(bytes=unit.identifier)} in time.",
            peer="transaction coordinator",
            hint="start it, then start the queue manager again.",
        )
    {Reenlistment.COMMITTED: commit_unit, Reenlistment.ABORTED: abort_unit}[outcome](core, unit)


def _apply(core: Core, unit: UnitRow, rules: Mapping[OperationType, _Rule]) -> None:
    """Do with each operation what the outcome asks for, and forget the transaction."""
    for operation in core.store.operations(unit.id):
        position = core.store.position(operation.lookup)
        # The message of an operation may be gone, with its queue for example: then there is nothing left to do.
        if position is not None:
            rules[OperationType(operation.kind)](core, position, operation)
    core.store.delete_unit(unit.id)
    core.drop(core.local.transaction_collection, UUID(bytes=unit.identifier))
    core.must_last()


_Rule: TypeAlias = Callable[[Core, PositionRow, OperationRow], None]


def _make_available(core: Core, position: PositionRow, _: OperationRow) -> None:
    """Let a sent message be seen, unless a commit that was cut off did so before."""
    if position.state != PositionState.AVAILABLE:
        core.message_position_available(position)


def _delete(core: Core, position: PositionRow, operation: OperationRow) -> None:
    if operation.reason is None:
        raise ValueError(f"the message {position.lookup} was received without a reason")
    core.message_position_deleted(position, MessageClass(operation.reason))


def _withdraw(core: Core, position: PositionRow, _: OperationRow) -> None:
    """Take back a sent message that nobody has seen: nobody hears of it, and a later operation does not find it."""
    core.store.remove(position)
    core.drop(core.overdue, position.lookup)


def _give_back(core: Core, position: PositionRow, _: OperationRow) -> None:
    """Put a held message back in its place, or let go of it if its queue was purged meanwhile."""
    # Departs from [MS-MQDMPR] 3.1.4.5: the reason is the purge and not DequeueReason, because nobody has received the message.
    if position.state == PositionState.PURGE_PENDING:
        core.message_position_deleted(position, _PURGED)
    else:
        core.message_position_available(position)


def _move(core: Core, position: PositionRow, operation: OperationRow) -> None:
    """Take a message to its target, silently; its lookup identifier stays and decides its place there."""
    target = None if operation.target is None else core.queue(operation.target)
    if target is None:
        # Departs from [MS-MQDMPR] 3.1.4.4: a move whose target was deleted is undone, because the message must be somewhere.
        _give_back(core, position, operation)
        return
    # Departs from [MS-MQDMPR] 3.1.4.4: the octets leave the source with the message, whose position stays the same in another queue.
    core.message_position_available(core.relist(position, target, PositionState.LOCKED))


_ON_COMMIT: Mapping[OperationType, _Rule] = {
    OperationType.ENQUEUE: _make_available,
    OperationType.DEQUEUE: _delete,
    OperationType.MOVE: _move,
}
_ON_ABORT: Mapping[OperationType, _Rule] = {
    OperationType.ENQUEUE: _withdraw,
    OperationType.DEQUEUE: _give_back,
    OperationType.MOVE: _give_back,
}


# ---- where a transaction begins and ends


def mark_ends(core: Core, unit: UnitRow) -> None:
    """Tell the first and the last message that the transaction sent to each queue that they are it. [MS-MQDMPR] 3.1.4.3"""
    # Departs from [MS-MQDMPR] 3.1.4.3: the ends are marked for each queue, on sent messages only, because receivers look for them there.
    sent = [operation.lookup for operation in core.store.operations(unit.id) if operation.kind == OperationType.ENQUEUE]
    found = [position for position in map(core.store.position, sent) if position is not None]
    # Sorting is stable: within a queue the messages stay in the order in which they were sent.
    for _, group in groupby(sorted(found, key=_queue_of), key=_queue_of):
        first, *rest = group
        last = rest[-1] if rest else first
        for position in {first, last}:
            _mark(core, position, first=position is first, last=position is last)


def _queue_of(position: PositionRow) -> int:
    return position.queue


def _mark(core: Core, position: PositionRow, *, first: bool, last: bool) -> None:
    """Put the same position back with a message that knows its part. An uncommitted message counts nowhere yet."""
    message = replace(core.message(position.lookup), first_in_transaction=first, last_in_transaction=last)
    core.store.remove(position)
    core.store.add_position(
        position.lookup,
        position.queue,
        position.state,
        shelf.content_of(message),
        size=position.size,
        expires=position.expires,
        peek_locked=message.allow_peek_when_locked,
    )
