"""A queue manager that sends and reads, with one queue open, and the shortest words for what tests do with it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from msmqctl.qm.core import key_of
from msmqctl.qm.model import PositionState
from msmqctl.qm.reading import Reading
from msmqctl.qm.schema import SEQUENTIAL_PART
from msmqctl.qm.sending import EnqueueResult, Sending
from msmqctl.qm.transactions import Transactions
from msmqctl.qm.waiting import PendingRead, ReadResult
from msmqctl.wire.status import HResult
from tests.qm.conftest import Bench
from tests.qm.samples import NOW, cursor_at_start, labelled, opened, stored_queue


class SendingAndReading(Sending, Reading, Transactions):
    """As much of the queue manager as reads need."""


class Desk:
    """One queue, one handle, one cursor."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.core = bench.open(SendingAndReading)
        self.sit_down()

    def sit_down(self) -> None:
        """Open queue and cursor."""
        self.queue = stored_queue(self.core)
        self.handle = opened(self.core, self.queue)
        self.cursor = cursor_at_start(self.core, self.handle)

    def restart(self) -> None:
        """Commit and, on a file, begin anew with it: handles are gone, so the queue is opened again."""
        before = self.core
        self.core = self.bench.reopen(before)
        if self.core is not before:
            self.sit_down()

    def send(self, *labels: str, transaction: UUID | None = None, **attributes: Any) -> list[int]:
        """Enqueue messages; their lookup identifiers."""
        return [self._send(label, transaction, attributes) for label in labels]

    def _send(self, label: str, transaction: UUID | None, attributes: dict[str, Any]) -> int:
        result = self.core.enqueue_message(self.queue, labelled(label, **attributes), NOW, transaction)
        assert result is EnqueueResult.NO_ERROR
        step = self.core.store.sequential()
        # What a waiting reader took at once is in no queue any more; its identifier ends in the same number.
        found = [row.lookup for row in self.core.store.positions(key_of(self.queue)) if row.lookup & SEQUENTIAL_PART == step]
        return found[0] if found else step

    def labels(self) -> list[str]:
        """What is in the queue, in order."""
        return [self.core.message(row.lookup).label for row in self.core.store.positions(key_of(self.queue))]

    def state(self, lookup: int) -> PositionState | None:
        """The state of a position; None when it has left."""
        row = self.core.store.position(lookup)
        return None if row is None else PositionState(row.state)


def answer(result: ReadResult | PendingRead | None) -> str | HResult:
    """The label that a read brought, or the status it ended with; a read that waits has not ended."""
    assert isinstance(result, ReadResult), "the read still waits"
    if result.message is None:
        assert result.status is not HResult.MQ_OK
        return result.status
    assert result.status is HResult.MQ_OK
    return result.message.label


def waiting(result: ReadResult | PendingRead) -> PendingRead:
    """The read, which has to be waiting."""
    assert isinstance(result, PendingRead)
    assert result.result is None
    return result
