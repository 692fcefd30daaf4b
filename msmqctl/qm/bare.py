"""DOOR what SQLite can do by itself: one table, one insert a transaction. The yardstick for what a queue manager costs on top of it."""

from __future__ import annotations

from pathlib import Path

from msmqctl.qm.database import LOG_PAGES, connect, faults


class BareTable:
    """A file with the settings of a store and none of its rules."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)
        with faults(self._path):
            self._connection = connect(self._path)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
            self._connection.execute("CREATE TABLE message (id INTEGER PRIMARY KEY, body BLOB NOT NULL)")

    def flush_always(self) -> None:
        """Let every commit wait for the disk from now on."""
        with faults(self._path):
            self._connection.execute("PRAGMA synchronous = FULL")

    def insert(self, body: bytes) -> None:
        """Store a body in a transaction of its own."""
        # Nothing of ours stands around these three: a fault of the disk ends the measurement as it comes.
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        execute("INSERT INTO message (body) VALUES (?)", (body,))
        execute("COMMIT")

    def close(self) -> None:
        """Let go of the file."""
        with faults(self._path):
            self._connection.close()
