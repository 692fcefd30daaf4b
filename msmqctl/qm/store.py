"""DOOR one SQLite file, one owner: where queues and messages are, in memory or on disk, and nothing else.

Positions live here and not in memory, behind a handful of queries. Everything happens inside a transaction that the owner
begins and commits; a call within it runs in a savepoint, so that a failed call leaves nothing. The file is in WAL mode and
locked for its owner alone. A commit that must survive a power cut is followed by a flush of the log; one that need not be
is not, so that express messages cost no wait.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from msmqctl.errors import StoreError
from msmqctl.qm.schema import APPLICATION_ID, MIGRATIONS, PRIORITIES, PRIORITY_SHIFT, VERSION, refusal_of

MEMORY = ":memory:"
# What a seek starts from to find the very first entry, and to find the very last.
BEFORE_ALL, BEHIND_ALL = -1, 1 << 62


class StoreBusyError(StoreError):
    """Another process owns the file."""


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


@dataclass(frozen=True, slots=True)
class Content:
    """What a message holds: its attributes as text, and its body."""

    attributes: str
    body: bytes


_POSITION = "lookup, queue, state, counted, size, expires"
# An uncommitted enqueue is locked, not counted, and seen by nobody.
_SEEN = "(state = 0 OR (state = 1 AND peek_locked AND counted))"


class Store:
    """The open file."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection = connection
        self.path = path
        self._log: int | None = None
        self._depth = 0
        self._soonest: int | None = None

    # ---- opening and closing

    @classmethod
    def open(cls, path: str | Path = MEMORY, *, patience: float = 0) -> Store:
        """The store at `path`, made if there is none. What is not ours, or from a newer msmqctl, is refused untouched.

        `patience` is how many seconds to wait when another process owns it.
        """
        path = str(path)
        if path != MEMORY:
            _refuse_foreign(path)
        with _faults(path):
            connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=patience, cached_statements=256)
            try:
                _prepare(connection, path)
            except BaseException:
                connection.close()
                raise
        return cls(connection, path)

    def close(self) -> None:
        """Let go of the file. What was not committed is gone."""
        if self._log is not None:
            os.close(self._log)
            self._log = None
        with _faults(self.path):
            self._connection.close()

    # ---- transactions

    def begin(self) -> None:
        """Start a transaction, unless one is running."""
        if not self._connection.in_transaction:
            self._run("BEGIN IMMEDIATE")

    @contextmanager
    def call(self) -> Iterator[None]:
        """A part of the transaction that happens as a whole or not at all."""
        self.begin()
        name = f"call_{self._depth}"
        self._run(f"SAVEPOINT {name}")
        self._depth += 1
        try:
            yield
        except BaseException:
            # A full disk may have ended the transaction already: then there is nothing left to go back in.
            if self._connection.in_transaction:
                self._run(f"ROLLBACK TO {name}")
                self._run(f"RELEASE {name}")
            raise
        else:
            self._run(f"RELEASE {name}")
        finally:
            self._depth -= 1

    def commit(self, *, durable: bool = True) -> None:
        """Make what happened since `begin` stay: over a crash of the process always, over a power cut if `durable`."""
        if not self._connection.in_transaction:
            return
        self._run("COMMIT")
        if durable:
            self.flush()

    def rollback(self) -> None:
        """Undo everything since `begin`."""
        if self._connection.in_transaction:
            self._run("ROLLBACK")

    def flush(self) -> None:
        """Wait until the disk has everything that was committed before this call; other threads may go on with their own calls."""
        if self.path == MEMORY:
            return
        with _faults(self.path):
            if self._log is None:
                self._log = os.open(f"{self.path}-wal", os.O_RDWR)
            getattr(os, "fdatasync", os.fsync)(self._log)

    def checkpoint(self) -> int:
        """Bring all that was committed out of the log into the file itself, and to the disk; how many octets the log had."""
        _, pages, _ = self._all("PRAGMA wal_checkpoint(FULL)")[0]
        self._run("PRAGMA wal_checkpoint(TRUNCATE)")
        return max(int(pages), 0) * int(self._one("PRAGMA page_size"))

    # ---- counters and the queue manager's own attributes

    def next_sequential(self) -> int:
        """Step SequentialID. [MS-MQDMPR] 3.1.7.1.9"""
        return int(self._one("UPDATE keeper SET sequential = sequential + 1 RETURNING sequential"))

    def sequential(self) -> int:
        """SequentialID as it stands."""
        return int(self._one("SELECT sequential FROM keeper"))

    def next_ordinal(self) -> int:
        """Step the number of the next message that this queue manager sends; it wraps at 32 bits."""
        return int(self._one("UPDATE keeper SET ordinal = (ordinal + 1) & 0xFFFFFFFF RETURNING ordinal"))

    def total_bytes(self) -> int:
        """What all queues hold together."""
        return int(self._one("SELECT bytes FROM keeper"))

    def attributes(self) -> str:
        """The persistent attributes of the queue manager, as JSON."""
        return str(self._one("SELECT attributes FROM keeper"))

    def set_attributes(self, attributes: str) -> None:
        """Replace them."""
        self._run("UPDATE keeper SET attributes = ?", attributes)

    # ---- queues

    def add_queue(self, key: str, kind: str, attributes: str, parent: int | None = None) -> int:
        """A new queue under the name `key`; its number."""
        sql = "INSERT INTO queue (key, kind, attributes, parent) VALUES (?, ?, ?, ?) RETURNING id"
        return int(self._one(sql, key, kind, attributes, parent))

    def queue(self, number: int) -> QueueRow | None:
        """The queue with this number."""
        row = self._fetch("SELECT * FROM queue WHERE id = ?", number)
        return None if row is None else QueueRow._make(row)

    def queue_by_key(self, key: str) -> QueueRow | None:
        """The queue of this name."""
        row = self._fetch("SELECT * FROM queue WHERE key = ?", key)
        return None if row is None else QueueRow._make(row)

    def queues(self, kind: str | None = None) -> Iterator[QueueRow]:
        """All queues, or those of one kind, in the order of their names."""
        where, values = ("WHERE kind = ?", (kind,)) if kind else ("", ())
        return map(QueueRow._make, self._all(f"SELECT * FROM queue {where} ORDER BY key", *values))

    def parts_of(self, parent: int) -> list[QueueRow]:
        """The journal and the subqueues of a queue."""
        return [QueueRow._make(row) for row in self._all("SELECT * FROM queue WHERE parent = ? ORDER BY key", parent)]

    def set_queue_attributes(self, number: int, attributes: str) -> None:
        """Replace the attributes of a queue."""
        self._run("UPDATE queue SET attributes = ? WHERE id = ?", attributes, number)

    def delete_queue(self, number: int) -> None:
        """Forget a queue, which has to be empty and without parts."""
        self._run("DELETE FROM queue WHERE id = ?", number)

    # ---- positions

    def add_position(
        self, lookup: int, queue: int, state: int, content: Content, *, size: int, expires: int | None, peek_locked: bool = False
    ) -> None:
        """Put a message into a queue, not counted yet."""
        if expires is not None and (self._soonest is None or expires < self._soonest):
            self._soonest = expires
        self._run(
            "INSERT INTO position VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?)",
            lookup, queue, state, peek_locked, size, expires, content.attributes, content.body,
        )  # fmt: skip

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
        self._run("UPDATE position SET state = ? WHERE lookup = ?", state, lookup)

    def count(self, position: PositionRow) -> None:
        """Let the position count in the totals, once."""
        if not position.counted:
            self._run("UPDATE position SET counted = 1 WHERE lookup = ?", position.lookup)
            self._add_to_totals(position.queue, 1, position.size)

    def remove(self, position: PositionRow) -> None:
        """Take the position out of its queue, and out of the totals if it was in them."""
        self._run("DELETE FROM position WHERE lookup = ?", position.lookup)
        if position.counted:
            self._add_to_totals(position.queue, -1, -position.size)

    def move(self, position: PositionRow, target: int, state: int) -> None:
        """Put the position into another queue; its place there follows from its lookup identifier."""
        self._run("UPDATE position SET queue = ?, state = ? WHERE lookup = ?", target, state, position.lookup)
        if position.counted:
            self._add_to_totals(position.queue, -1, -position.size)
            self._add_to_totals(target, 1, position.size)

    def _add_to_totals(self, queue: int, messages: int, size: int) -> None:
        self._run("UPDATE queue SET messages = messages + ?, bytes = bytes + ? WHERE id = ?", messages, size, queue)
        self._run("UPDATE keeper SET bytes = bytes + ?", size)

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
        self._run("UPDATE position SET expires = NULL WHERE lookup = ?", lookup)

    # ---- transactions of messages

    def add_unit(self, identifier: bytes, *, single_phase: bool) -> int:
        """A new transaction; its number."""
        return int(self._one("INSERT INTO unit (identifier, single_phase) VALUES (?, ?) RETURNING id", identifier, single_phase))

    def unit(self, identifier: bytes) -> UnitRow | None:
        """The transaction with this identifier."""
        row = self._fetch("SELECT * FROM unit WHERE identifier = ?", identifier)
        return None if row is None else _unit(row)

    def units(self) -> list[UnitRow]:
        """All transactions, the oldest first."""
        return [_unit(row) for row in self._all("SELECT * FROM unit ORDER BY id")]

    def decide_unit(self, number: int, *, single_phase: bool, decision: str | None) -> None:
        """Remember what is known about a transaction."""
        self._run("UPDATE unit SET single_phase = ?, decision = ? WHERE id = ?", single_phase, decision, number)

    def delete_unit(self, number: int) -> None:
        """Forget a transaction and its operations."""
        self._run("DELETE FROM operation WHERE unit = ?", number)
        self._run("DELETE FROM unit WHERE id = ?", number)

    def add_operation(self, unit: int, kind: str, lookup: int, *, target: int | None = None, reason: int | None = None) -> None:
        """Append to what a transaction did."""
        self._run("INSERT INTO operation (unit, kind, lookup, target, reason) VALUES (?, ?, ?, ?, ?)", unit, kind, lookup, target, reason)

    def operations(self, unit: int) -> list[OperationRow]:
        """What a transaction did, in order."""
        sql = "SELECT id, kind, lookup, target, reason FROM operation WHERE unit = ? ORDER BY id"
        return [OperationRow._make(row) for row in self._all(sql, unit)]

    def held_by_unit(self, lookup: int) -> bool:
        """Whether a transaction still has to decide about the position."""
        return self._fetch("SELECT 1 FROM operation WHERE lookup = ? LIMIT 1", lookup) is not None

    # ---- what protocol rooms keep

    def put_note(self, room: str, key: bytes, value: bytes) -> None:
        """Keep `value` in the transaction that is running."""
        self._run("INSERT INTO note VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", room, key, value)

    def note(self, room: str, key: bytes) -> bytes | None:
        """What was kept."""
        row = self._fetch("SELECT value FROM note WHERE room = ? AND key = ?", room, key)
        return None if row is None else bytes(row[0])

    def notes(self, room: str) -> list[tuple[bytes, bytes]]:
        """All that a room kept, by key."""
        return [(bytes(key), bytes(value)) for key, value in self._all("SELECT key, value FROM note WHERE room = ? ORDER BY key", room)]

    def delete_note(self, room: str, key: bytes) -> None:
        """Forget it."""
        self._run("DELETE FROM note WHERE room = ? AND key = ?", room, key)

    # ---- the one way to the library

    # These three run a dozen times for each message: no context manager here.

    def _run(self, sql: str, *values: Any) -> None:
        try:
            self._connection.execute(sql, values)
        except sqlite3.Error as error:
            raise _translated(error, self.path) from error

    def _fetch(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        try:
            row: tuple[Any, ...] | None = self._connection.execute(sql, values).fetchone()
        except sqlite3.Error as error:
            raise _translated(error, self.path) from error
        return row

    def _one_position(self, sql: str, *values: Any) -> PositionRow | None:
        row = self._fetch(sql, *values)
        return None if row is None else _position(row)

    def _one(self, sql: str, *values: Any) -> Any:
        row = self._fetch(sql, *values)
        if row is None:
            raise StoreError(f"{self.path}: the store lacks a row that it must have.", path=self.path)
        return row[0]

    def _all(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise _translated(error, self.path) from error


def _position(row: tuple[Any, ...]) -> PositionRow:
    return PositionRow(row[0], row[1], row[2], bool(row[3]), row[4], row[5])


def _unit(row: tuple[Any, ...]) -> UnitRow:
    return UnitRow(row[0], bytes(row[1]), bool(row[2]), row[3])


def _refuse_foreign(path: str) -> None:
    """Look at the file without touching it: only an absent or empty one, or one of ours, may be opened."""
    file = Path(path)
    try:
        if not file.exists() or file.stat().st_size == 0:
            return
        with file.open("rb") as stream:
            header = stream.read(100)
    except OSError as error:
        problem = f"{path}: the store cannot be read ({error.strerror})."
        raise StoreError(problem, path=path, hint="check the path and its rights.") from error
    if (refused := refusal_of(header)) is not None:
        problem, hint = refused
        raise StoreError(f"{path}: {problem}.", path=path, hint=hint)


def _prepare(connection: sqlite3.Connection, path: str) -> None:
    """Own the file, and bring its tables up to this version."""
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("BEGIN IMMEDIATE")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for number in range(version, VERSION):
        for statement in MIGRATIONS[number].split(";\n"):
            connection.execute(statement)
    if version < VERSION:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")
    if path != MEMORY:
        # Only now: in WAL mode the mark that says whose file it is would stay in the log until the first checkpoint.
        connection.execute("PRAGMA journal_mode = WAL")
        # The log is flushed by `commit` where it matters; the checkpoint flushes by itself.
        connection.execute("PRAGMA synchronous = NORMAL")
        Path(path).chmod(0o600)


@contextmanager
def _faults(path: str) -> Iterator[None]:
    """Every exception of the library and of the disk, as a sentence with the file in it."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translated(error, path) from error
    except OSError as error:
        raise StoreError(f"{path}: the store cannot be written ({error.strerror}).", path=path, hint="check the disk.") from error


def _translated(error: sqlite3.Error, path: str) -> StoreError:
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    problem, hint = _SENTENCES.get(primary, (f"the store failed ({error})", None))
    kind = StoreBusyError if primary == sqlite3.SQLITE_BUSY else StoreError
    return kind(f"{path}: {problem}.", path=path, hint=hint)


_SENTENCES: dict[int | None, tuple[str, str | None]] = {
    sqlite3.SQLITE_BUSY: ("another process owns the store", "stop it, or use another file with --store."),
    sqlite3.SQLITE_CORRUPT: ("the store is damaged", "restore it from a copy; the file was left as it is."),
    sqlite3.SQLITE_NOTADB: ("the file is not a store of msmqctl", "choose another file with --store."),
    sqlite3.SQLITE_FULL: ("the disk is full, and nothing was changed", "make room and try again."),
    sqlite3.SQLITE_IOERR: ("the disk did not take the data, and nothing was changed", "check the disk and try again."),
    sqlite3.SQLITE_READONLY: ("the store may not be written", "check the rights of the file and its folder."),
    sqlite3.SQLITE_PERM: ("the store may not be opened", "check the rights of the file and its folder."),
    sqlite3.SQLITE_CANTOPEN: ("the store cannot be opened", "check that its folder exists and may be written."),
}
