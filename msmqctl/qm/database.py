"""DOOR one SQLite file, one owner: opened, changed, committed, flushed. What is in it is for `store` to know.

Everything happens inside a transaction that begins with the first change and that the owner commits; a call within it happens
as a whole or not at all. The file is in WAL mode and locked for its owner alone. A commit that must survive a power cut is followed by
a flush of the log; one that need not be is not, so that express messages cost no wait. What only reads costs neither.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from msmqctl.errors import StoreError
from msmqctl.qm.schema import APPLICATION_ID, MIGRATIONS, VERSION, refusal_of

MEMORY = ":memory:"
# How long the log grows before its pages go to the file, which takes two flushes that somebody has to wait for.
LOG_PAGES = 2000
# A flush takes longer while the log grows, so an owner that goes on flushing lengthens it to its full size, once.
_FLUSHES_BEFORE_LENGTHENING = 20
_LOG_OCTETS = LOG_PAGES * (4096 + 24)
Connection = sqlite3.Connection


_flush_file: Callable[[int], None] = getattr(os, "fdatasync", os.fsync)


class StoreBusyError(StoreError):
    """Another process owns the file."""


class Database:
    """The open file, and the transaction that is under way."""

    def __init__(self, connection: Connection, path: str) -> None:
        self._connection = connection
        self._execute = connection.execute
        self.path = path
        self._log: int | None = None
        self._flushes = 0
        self._call = _Call(self)
        self._running = False
        # Whether something was written since the innermost mark that SQLite knows of: the begin of the transaction, or a savepoint.
        self._written = False
        # The calls under way, the outermost first: True for one that has a savepoint.
        self._savepoints: list[bool] = []
        # Why SQLite ended the transaction by itself: then nothing of it is left, and nobody may add to it.
        self._ended_by: StoreError | None = None

    # ---- opening and closing

    @classmethod
    def open(cls, path: str | Path = MEMORY, *, patience: float = 0) -> Self:
        """The file at `path`, made if there is none. What is not ours, or from a newer msmqctl, is refused untouched.

        `patience` is how many seconds to wait when another process owns it.
        """
        path = str(path)
        if path != MEMORY:
            _refuse_foreign(path)
        with faults(path):
            connection = connect(path, patience=patience)
            try:
                _prepare(connection, path)
                return cls(connection, path)
            except BaseException:
                connection.close()
                raise

    def close(self) -> None:
        """Let go of the file. What was not committed is gone."""
        if self._log is not None:
            os.close(self._log)
            self._log = None
        with faults(self.path):
            self._connection.close()

    # ---- transactions

    def begin(self) -> None:
        """Start a transaction, unless one is running."""
        if self._ended_by is not None:
            raise self._ended_by
        if not self._running:
            self._run("BEGIN IMMEDIATE")
            self._running = True

    def call(self) -> _Call:
        """A part of the transaction that happens as a whole or not at all; parts can have parts."""
        return self._call

    def enter_call(self) -> None:
        """Begin a part. It needs a savepoint only if there is something before it to be kept: otherwise the mark before that serves."""
        if self._written and self._ended_by is None:
            self._run(f"SAVEPOINT call_{len(self._savepoints)}")
            self._written = False
            self._savepoints.append(True)
        else:
            self._savepoints.append(False)

    def leave_call(self) -> None:
        """End a part that happened."""
        if self._savepoints.pop():
            if self._ended_by is None:
                self._run(f"RELEASE call_{len(self._savepoints)}")
            self._written = True

    def undo_call(self) -> None:
        """End a part that failed: nothing of it is left."""
        own = self._savepoints.pop()
        # A full disk may have ended the transaction already: then there is nothing left to go back in.
        if self._ended_by is None:
            if own:
                self._run(f"ROLLBACK TO call_{len(self._savepoints)}")
                self._run(f"RELEASE call_{len(self._savepoints)}")
            elif self._written and True in self._savepoints:
                self._run(f"ROLLBACK TO call_{len(self._savepoints) - 1 - self._savepoints[::-1].index(True)}")
            elif self._written:
                self._run("ROLLBACK")
                self._running = False
        self._written = own

    def commit(self, *, durable: bool = True) -> None:
        """Make what happened since `begin` stay: over a crash of the process always, over a power cut if `durable`."""
        if self._ended_by is not None:
            raise self._ended_by
        if not self._running:
            return
        self._run("COMMIT")
        self._running = self._written = False
        if self._flushes == _FLUSHES_BEFORE_LENGTHENING:
            self._lengthen_log()
        if durable:
            self.flush()

    def rollback(self) -> None:
        """Undo everything since `begin`."""
        if self._connection.in_transaction:
            self._run("ROLLBACK")
        self._running = self._written = False
        self._savepoints.clear()
        self._ended_by = None

    @property
    def ended(self) -> bool:
        """Whether SQLite gave the whole transaction up, what went well in it too: only `rollback` is possible then."""
        return self._ended_by is not None

    def flush(self) -> None:
        """Wait until the disk has everything that was committed before this call; other threads may go on with their own calls."""
        if self.path == MEMORY:
            return
        try:
            if self._log is None:
                self._log = _open_log(f"{self.path}-wal")
            _flush_file(self._log)
        except OSError as error:
            raise _unwritten(error, self.path) from error
        self._flushes += 1

    def _lengthen_log(self) -> None:
        """Put zeros behind what SQLite has written, where it finds no commit and writes its next ones. Only between two transactions."""
        self._flushes += 1
        if self._log is None or not hasattr(os, "pwrite"):
            return
        with suppress(OSError):  # without it everything works as well, only slower
            length = os.fstat(self._log).st_size
            os.pwrite(self._log, bytes(max(_LOG_OCTETS - length, 0)), length)

    def checkpoint(self) -> int:
        """Bring all that was committed out of the log into the file itself, and to the disk; how many octets the log had."""
        with faults(self.path):
            _, pages, _ = self._execute("PRAGMA wal_checkpoint(FULL)").fetchone()
            self._execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            (page,) = self._execute("PRAGMA page_size").fetchone()
        return max(int(pages), 0) * int(page)

    # ---- the one way to the library

    # These run several times for each message: no context manager here.

    def _run(self, sql: str) -> None:
        try:
            self._execute(sql)
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def _failed(self, error: sqlite3.Error) -> StoreError:
        """What to raise; and whether SQLite has given up the transaction is noted."""
        failure = _translated(error, self.path)
        if self._running and not self._connection.in_transaction:
            self._ended_by = failure
        return failure

    def _write(self, sql: str, *values: Any) -> None:
        if not self._running or self._ended_by is not None:
            self.begin()
        self._written = True
        try:
            self._execute(sql, values)
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def _write_one(self, sql: str, *values: Any) -> Any:
        """Write, and have back what RETURNING gives."""
        if not self._running or self._ended_by is not None:
            self.begin()
        self._written = True
        return self._one(sql, *values)

    def _fetch(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        try:
            row: tuple[Any, ...] | None = self._execute(sql, values).fetchone()
        except sqlite3.Error as error:
            raise self._failed(error) from error
        return row

    def _row(self, sql: str, *values: Any) -> tuple[Any, ...]:
        row = self._fetch(sql, *values)
        if row is None:
            raise StoreError(f"{self.path}: the store lacks a row that it must have.", path=self.path)
        return row

    def _one(self, sql: str, *values: Any) -> Any:
        return self._row(sql, *values)[0]

    def _all(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        try:
            return self._execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise self._failed(error) from error


class _Call:
    """What `with` needs: one object for all calls of a file, because it runs for every message."""

    __slots__ = ("_database",)

    def __init__(self, database: Database) -> None:
        self._database = database

    def __enter__(self) -> None:
        self._database.enter_call()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self._database.leave_call()
        else:
            self._database.undo_call()


def connect(path: str, *, patience: float = 0) -> Connection:
    """A connection of the one owner of a file, whose log is the owner's to flush."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=patience, cached_statements=256)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    return connection


def _refuse_foreign(path: str) -> None:
    """Look at the file without touching it: only an absent or empty one, or one of ours, may be opened."""
    file = Path(path)
    try:
        if not file.exists() or file.stat().st_size == 0:
            return
        with file.open("rb") as stream:
            header = stream.read(100)
    except OSError as error:
        raise StoreError(
            f"{path}: the store cannot be read ({error.strerror}).", path=path, hint="check the path and its rights."
        ) from error
    if (refused := refusal_of(header)) is not None:
        problem, hint = refused
        raise StoreError(f"{path}: {problem}.", path=path, hint=hint)


def _prepare(connection: Connection, path: str) -> None:
    """Own the file, and bring its tables up to this version."""
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
        connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
        Path(path).chmod(0o600)


def _open_log(path: str) -> int:
    """The log, to be flushed. It is a new file after each opening, so its name has to reach the disk as well as its content."""
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return os.open(path, os.O_RDWR)


@contextmanager
def faults(path: str) -> Iterator[None]:
    """Every exception of the library and of the disk, as a sentence with the file in it."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translated(error, path) from error
    except OSError as error:
        raise _unwritten(error, path) from error


def _unwritten(error: OSError, path: str) -> StoreError:
    return StoreError(f"{path}: the store cannot be written ({error.strerror}).", path=path, hint="check the disk.")


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
