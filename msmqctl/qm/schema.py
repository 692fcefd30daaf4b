"""The tables of the store, one version after the other; the only place that says how the file is laid out.

keeper      one row: the attributes (JSON) of the queue manager
queue       every queue with its attributes (JSON); journals and subqueues name their parent
tally       what each queue holds, and how far the counters of the queue manager were when that changed: the furthest count.
            Queue 0 is none; its row is for counters that moved without a queue, or outlive one
position    every message in every queue; its lookup identifier, unique over the whole queue manager, is its key and its order
unit        transactions, with the decision once there is one
operation   what a transaction has done so far, in order
note        what protocol rooms keep: streams, sequences, histories
"""

from __future__ import annotations

# "MSMQ" as four octets: a file without it is not ours and is left alone.
APPLICATION_ID = 0x4D534D51

# A lookup identifier: what is left of the highest priority in its top octet, the low seven octets of SequentialID below. So the
# identifiers of a queue ascend along it, and the key of a position is its place. [MS-MQDMPR] 3.1.7.1.9
PRIORITIES = 8
PRIORITY_SHIFT = 56
SEQUENTIAL_PART = (1 << PRIORITY_SHIFT) - 1

VERSION_1 = """
CREATE TABLE keeper (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  sequential INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  attributes TEXT NOT NULL
);
INSERT INTO keeper VALUES (1, 0, 0, 0, '{}');

CREATE TABLE queue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  parent INTEGER REFERENCES queue (id),
  attributes TEXT NOT NULL,
  messages INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX queue_parent ON queue (parent) WHERE parent IS NOT NULL;

CREATE TABLE position (
  lookup INTEGER PRIMARY KEY,
  queue INTEGER NOT NULL REFERENCES queue (id),
  state INTEGER NOT NULL,
  counted INTEGER NOT NULL,
  peek_locked INTEGER NOT NULL,
  size INTEGER NOT NULL,
  expires INTEGER,
  attributes TEXT NOT NULL,
  body BLOB NOT NULL
);
CREATE INDEX position_order ON position (queue, lookup, state);
CREATE INDEX position_held ON position (lookup) WHERE state <> 0;
CREATE INDEX position_expiry ON position (expires) WHERE expires IS NOT NULL;

CREATE TABLE unit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  identifier BLOB NOT NULL UNIQUE,
  single_phase INTEGER NOT NULL,
  decision TEXT
);

CREATE TABLE operation (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  unit INTEGER NOT NULL REFERENCES unit (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  lookup INTEGER NOT NULL,
  target INTEGER,
  reason INTEGER
);
CREATE INDEX operation_unit ON operation (unit);
CREATE INDEX operation_lookup ON operation (lookup);

CREATE TABLE note (
  room TEXT NOT NULL,
  key BLOB NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (room, key)
) WITHOUT ROWID;
"""

# Every message changes a total and the counters. In one row of a small table that is one statement and one page of the log.
VERSION_2 = """
CREATE TABLE tally (
  queue INTEGER PRIMARY KEY,
  messages INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  sequential INTEGER NOT NULL,
  ordinal INTEGER NOT NULL
);
INSERT INTO tally SELECT 0, 0, 0, sequential, ordinal FROM keeper;
INSERT INTO tally SELECT id, messages, bytes, 0, 0 FROM queue;
ALTER TABLE queue DROP COLUMN messages;
ALTER TABLE queue DROP COLUMN bytes;
ALTER TABLE keeper DROP COLUMN sequential;
ALTER TABLE keeper DROP COLUMN ordinal;
ALTER TABLE keeper DROP COLUMN bytes;
"""

# MIGRATIONS[n] makes version n + 1 out of version n.
MIGRATIONS: tuple[str, ...] = (VERSION_1, VERSION_2)
VERSION = len(MIGRATIONS)


def refusal_of(header: bytes) -> tuple[str, str] | None:
    """Why a file that begins with these hundred octets is not opened, and what to do; None for ours, and for one never finished."""
    if not any(header):
        return None
    if header[:16] != b"SQLite format 3\0" or int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        return "the file is not a store of msmqctl", "choose another file with --store."
    version = int.from_bytes(header[60:64], "big")
    if version > VERSION:
        return f"the store is of version {version}, and this msmqctl knows versions up to {VERSION}", "use the newer msmqctl that made it."
    return None
