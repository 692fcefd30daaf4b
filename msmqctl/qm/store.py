"""What the file of a queue manager holds: queues, positions, transactions, notes, counters, each behind a handful of queries.

Positions live in the file and not in memory. Counters and totals live in memory too: they belong to nobody else while the file is open,
and are written once in each transaction that changes them, so that they are on disk exactly when the positions are that they sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msmqctl.qm.database import MEMORY, Connection, Database, StoreBusyError
from msmqctl.qm.schema import PRIORITIES, PRIORITY_SHIFT
from msmqctl.qm.tally import Mark, Tally

__all__ = ["BEFORE_ALL", "BEHIND_ALL", "MEMORY", "Content", "OperationRow", "PositionRow", "QueueRow", "Store", "StoreBusyError", "UnitRow"]

# What a seek starts from to find the very first entry, and to find the very last.
BEFORE_ALL, BEHIND_ALL = -1, 1 << 62


class QueueRow(NamedTuple):
    """A queue as the file has it."""

    id: int
    key: str
    kind: str
    parent: int | None
    attributes: str
    messages: int
    bytes: int


class PositionRow(NamedTuple):
    """A message in a queue, without its content."""

    lookup: int
    queue: int
    state: int
    counted: bool
    size: int
    expires: int | None


class UnitRow(NamedTuple):
    """A transaction."""

    id: int
    identifier: bytes
    single_phase: bool
    decision: str | None


class OperationRow(NamedTuple):
    """One thing that a transaction did."""

    id: int
    kind: str
    lookup: int
    target: int | None
    reason: int | None


class Content(NamedTuple):
    """What a message holds: its attributes as text, and its body."""

    attributes: str
    body: bytes


_QUEUES = "SELECT id, key, kind, parent, attributes, messages, bytes FROM queue JOIN tally ON tally.queue = queue.id"
_POSITION = "lookup, queue, state, counted, size, expires"
# An uncommitted enqueue is locked, not counted, and seen by nobody.
_SEEN = "(state = 0 OR (state = 1 AND peek_locked AND counted))"


class Store(Database):
    """The open file."""

    def __init__(self, connection: Connection, path: str) -> None:
        super().__init__(connection, path)
        self._tally = Tally(*self._row("SELECT sum(bytes), max(sequential), max(ordinal) FROM tally"))
        self._marks: list[Mark] = []
        self._soonest: int | None = None

    # ---- counters and totals, which go with the transaction

    def enter_call(self) -> None:
        """Begin a part."""
        super().enter_call()
        self._marks.append(self._tally.mark())

    def leave_call(self) -> None:
        """End a part that happened."""
        self._marks.pop()
        super().leave_call()

    def undo_call(self) -> None:
        """End a part that failed: nothing of it is left."""
        self._tally.go_back(self._marks.pop())
        super().undo_call()

    def commit(self, *, durable: bool = True) -> None:
        """Make what happened since `begin` stay: over a crash of the process always, over a power cut if `durable`."""
        if self._running or self._tally.changed:
            self._write_tally()
            super().commit(durable=False)
            self._tally.settle()
        if durable:
            self.flush()

    def rollback(self) -> None:
        """Undo everything since `begin`."""
        super().rollback()
        self._tally.go_back_to_start()
        self._marks.clear()

    def _write_tally(self) -> None:
        """Bring the file up to what memory has: before a commit, and before the file is asked what its queues hold."""
        tally = self._tally
        if tally.changed:
            for number, (messages, size) in tally.changed_queues():
                self._write(
                    "UPDATE tally SET messages = ?, bytes = ?, sequential = ?, ordinal = ? WHERE queue = ?",
                    messages, size, tally.sequential, tally.ordinal, number,
                )  # fmt: skip

    def _add_to_totals(self, queue: int, messages: int, size: int) -> None:
        if not self._tally.knows(queue):
            self._tally.learn(queue, *self._row("SELECT messages, bytes FROM tally WHERE queue = ?", queue))
        self._tally.add(queue, messages, size)

    def next_sequential(self) -> int:
        """Step SequentialID. [MS-MQDMPR] 3.1.7.1.9"""
        return self._tally.next_sequential()

    def sequential(self) -> int:
        """SequentialID as it stands."""
        return self._tally.sequential

    def next_ordinal(self) -> int:
        """Step the number of the next message that this queue manager sends; it wraps at 32 bits."""
        return self._tally.next_ordinal()

    def total_bytes(self) -> int:
        """What all queues hold together."""
        return self._tally.bytes

    # ---- the queue manager's own attributes

    def attributes(self) -> str:
        """The persistent attributes of the queue manager, as JSON."""
        return str(self._one("SELECT attributes FROM keeper"))

    def set_attributes(self, attributes: str) -> None:
        """Replace them."""
        self._write("UPDATE keeper SET attributes = ?", attributes)

    # ---- queues

    def add_queue(self, key: str, kind: str, attributes: str, parent: int | None = None) -> int:
        """A new queue under the name `key`; its number."""
        sql = "INSERT INTO queue (key, kind, attributes, parent) VALUES (?, ?, ?, ?) RETURNING id"
        number = int(self._write_one(sql, key, kind, attributes, parent))
        self._write("INSERT INTO tally VALUES (?, 0, 0, 0, 0)", number)
        return number

    def queue(self, number: int) -> QueueRow | None:
        """The queue with this number."""
        return next(self._queues_where("WHERE queue.id = ?", number), None)

    def queue_by_key(self, key: str) -> QueueRow | None:
        """The queue of this name."""
        return next(self._queues_where("WHERE key = ?", key), None)

    def queues(self, kind: str | None = None) -> Iterator[QueueRow]:
        """All queues, or those of one kind, in the order of their names."""
        return self._queues_where("WHERE kind = ? ORDER BY key", kind) if kind else self._queues_where("ORDER BY key")

    def parts_of(self, parent: int) -> list[QueueRow]:
        """The journal and the subqueues of a queue."""
        return list(self._queues_where("WHERE parent = ? ORDER BY key", parent))

    def _queues_where(self, condition: str, *values: Any) -> Iterator[QueueRow]:
        self._write_tally()
        return map(QueueRow._make, self._all(f"{_QUEUES} {condition}", *values))

    def set_queue_attributes(self, number: int, attributes: str) -> None:
        """Replace the attributes of a queue."""
        self._write("UPDATE queue SET attributes = ? WHERE id = ?", attributes, number)

    def delete_queue(self, number: int) -> None:
        """Forget a queue, which has to be empty and without parts."""
        self._write("DELETE FROM queue WHERE id = ?", number)
        self._write("DELETE FROM tally WHERE queue = ?", number)
        self._tally.outlive_a_queue()

    # ---- positions

    def add_position(
        self,
        lookup: int,
        queue: int,
        state: int,
        content: Content,
        *,
        size: int,
        expires: int | None,
        peek_locked: bool = False,
        counted: bool = False,
    ) -> None:
        """Put a message into a queue, and into its totals if it counts at once."""
        if expires is not None and (self._soonest is None or expires < self._soonest):
            self._soonest = expires
        self._write(
            "INSERT INTO position VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            lookup, queue, state, counted, peek_locked, size, expires, content.attributes, content.body,
        )  # fmt: skip
        if counted:
            self._add_to_totals(queue, 1, size)

    def position(self, lookup: int) -> PositionRow | None:
        """The position with this lookup identifier, wherever it is."""
        return self._one_position(f"SELECT {_POSITION} FROM position WHERE lookup = ?", lookup)

    def content(self, lookup: int) -> Content | None:
        """What the message at this position holds."""
        row = self._fetch("SELECT attributes, body FROM position WHERE lookup = ?", lookup)
        return None if row is None else Content(row[0], row[1])

    def first_available(self, queue: int, after: int = BEFORE_ALL, *, peek: bool = False) -> PositionRow | None:
        """The first entry behind `after` that may be taken; with `peek`, also a locked one that lets itself be seen."""
        seen = _SEEN if peek else "state = 0"
        sql = f"SELECT {_POSITION} FROM position WHERE queue = ? AND lookup > ? AND {seen} ORDER BY lookup LIMIT 1"
        return self._one_position(sql, queue, after)

    def last_available(self, queue: int, before: int = BEHIND_ALL, *, peek: bool = False) -> PositionRow | None:
        """The last entry in front of `before` that may be taken."""
        seen = _SEEN if peek else "state = 0"
        sql = f"SELECT {_POSITION} FROM position WHERE queue = ? AND lookup < ? AND {seen} ORDER BY lookup DESC LIMIT 1"
        return self._one_position(sql, queue, before)

    def first_available_since(self, queue: int, sequential: int, *, peek: bool = False) -> PositionRow | None:
        """The first entry, in the order of the queue, that came after SequentialID stood at `sequential`."""
        for priority in range(PRIORITIES):
            start = priority << PRIORITY_SHIFT
            found = self.first_available(queue, start | sequential, peek=peek)
            if found is not None and found.lookup < start + (1 << PRIORITY_SHIFT):
                return found
        return None

    def positions(self, queue: int, after: int = BEFORE_ALL, limit: int = 500) -> list[PositionRow]:
        """The next entries of a queue, whatever their state, in order."""
        sql = f"SELECT {_POSITION} FROM position WHERE queue = ? AND lookup > ? ORDER BY lookup LIMIT ?"
        return [_position(row) for row in self._all(sql, queue, after, limit)]

    def held(self, after: int = BEFORE_ALL, limit: int = 500) -> list[PositionRow]:
        """The next positions in any queue that are not available, by an index that holds these alone."""
        sql = f"SELECT {_POSITION} FROM position INDEXED BY position_held WHERE state <> 0 AND lookup > ? ORDER BY lookup LIMIT ?"
        return [_position(row) for row in self._all(sql, after, limit)]

    def set_state(self, lookup: int, state: int) -> None:
        """Lock, unlock or doom a position."""
        self._write("UPDATE position SET state = ? WHERE lookup = ?", state, lookup)

    def count(self, position: PositionRow) -> None:
        """Let the position count in the totals, once."""
        if not position.counted:
            self._write("UPDATE position SET counted = 1 WHERE lookup = ?", position.lookup)
            self._add_to_totals(position.queue, 1, position.size)

    def remove(self, position: PositionRow) -> None:
        """Take the position out of its queue, and out of the totals if it was in them."""
        self._write("DELETE FROM position WHERE lookup = ?", position.lookup)
        if position.counted:
            self._add_to_totals(position.queue, -1, -position.size)

    def move(self, position: PositionRow, target: int, state: int) -> None:
        """Put the position into another queue; its place there follows from its lookup identifier."""
        self._write("UPDATE position SET queue = ?, state = ? WHERE lookup = ?", target, state, position.lookup)
        if position.counted:
            self._add_to_totals(position.queue, -1, -position.size)
            self._add_to_totals(target, 1, position.size)

    def take_soonest_expiry(self) -> int | None:
        """The soonest expiry of what was added since this was last asked: whoever sleeps may have to wake sooner."""
        soonest, self._soonest = self._soonest, None
        return soonest

    def next_expiry(self) -> int | None:
        """When the next message is due to expire."""
        found = self._one("SELECT min(expires) FROM position WHERE expires IS NOT NULL")
        return None if found is None else int(found)

    def expired(self, now: int, limit: int = 500) -> list[PositionRow]:
        """Messages whose time is over."""
        return [_position(row) for row in self._all(f"SELECT {_POSITION} FROM position WHERE expires < ? LIMIT ?", now, limit)]

    def forget_expiry(self, lookup: int) -> None:
        """Let the position live on, until somebody asks again."""
        self._write("UPDATE position SET expires = NULL WHERE lookup = ?", lookup)

    # ---- transactions of messages

    def add_unit(self, identifier: bytes, *, single_phase: bool) -> int:
        """A new transaction; its number."""
        return int(self._write_one("INSERT INTO unit (identifier, single_phase) VALUES (?, ?) RETURNING id", identifier, single_phase))

    def unit(self, identifier: bytes) -> UnitRow | None:
        """The transaction with this identifier."""
        row = self._fetch("SELECT * FROM unit WHERE identifier = ?", identifier)
        return None if row is None else _unit(row)

    def units(self) -> list[UnitRow]:
        """All transactions, the oldest first."""
        return [_unit(row) for row in self._all("SELECT * FROM unit ORDER BY id")]

    def decide_unit(self, number: int, *, single_phase: bool, decision: str | None) -> None:
        """Remember what is known about a transaction."""
        self._write("UPDATE unit SET single_phase = ?, decision = ? WHERE id = ?", single_phase, decision, number)

    def delete_unit(self, number: int) -> None:
        """Forget a transaction and its operations."""
        self._write("DELETE FROM operation WHERE unit = ?", number)
        self._write("DELETE FROM unit WHERE id = ?", number)

    def add_operation(self, unit: int, kind: str, lookup: int, *, target: int | None = None, reason: int | None = None) -> None:
        """Append to what a transaction did."""
        self._write("INSERT INTO operation (unit, kind, lookup, target, reason) VALUES (?, ?, ?, ?, ?)", unit, kind, lookup, target, reason)

    def operations(self, unit: int) -> list[OperationRow]:
        """What a transaction did, in order."""
        return [
            OperationRow._make(row)
            for row in self._all("SELECT id, kind, lookup, target, reason FROM operation WHERE unit = ? ORDER BY id", unit)
        ]

    def held_by_unit(self, lookup: int) -> bool:
        """Whether a transaction still has to decide about the position."""
        return self._fetch("SELECT 1 FROM operation WHERE lookup = ? LIMIT 1", lookup) is not None

    # ---- what protocol rooms keep

    def put_note(self, room: str, key: bytes, value: bytes) -> None:
        """Keep `value` in the transaction that is running."""
        self._write("INSERT INTO note VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", room, key, value)

    def note(self, room: str, key: bytes) -> bytes | None:
        """What was kept."""
        row = self._fetch("SELECT value FROM note WHERE room = ? AND key = ?", room, key)
        return None if row is None else bytes(row[0])

    def notes(self, room: str) -> list[tuple[bytes, bytes]]:
        """All that a room kept, by key."""
        return [(bytes(key), bytes(value)) for key, value in self._all("SELECT key, value FROM note WHERE room = ? ORDER BY key", room)]

    def delete_note(self, room: str, key: bytes) -> None:
        """Forget it."""
        self._write("DELETE FROM note WHERE room = ? AND key = ?", room, key)

    def _one_position(self, sql: str, *values: Any) -> PositionRow | None:
        row = self._fetch(sql, *values)
        return None if row is None else _position(row)


def _position(row: tuple[Any, ...]) -> PositionRow:
    return PositionRow(row[0], row[1], row[2], bool(row[3]), row[4], row[5])


def _unit(row: tuple[Any, ...]) -> UnitRow:
    return UnitRow(row[0], bytes(row[1]), bool(row[2]), row[3])
