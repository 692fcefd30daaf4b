"""A store of an older version: opened, brought up to this one, and everything in it as it was."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from msmqctl.errors import StoreError
from msmqctl.qm.schema import APPLICATION_ID, MIGRATIONS, VERSION
from msmqctl.qm.store import Store


def version_1(path: Path) -> None:
    """A file as the first version left it: two queues, three messages, one of them held, and counters that have run further."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(MIGRATIONS[0])
    connection.executescript(f"""
        PRAGMA application_id = {APPLICATION_ID};
        PRAGMA user_version = 1;
        PRAGMA journal_mode = WAL;
        UPDATE keeper SET sequential = 40, ordinal = 50, bytes = 600, attributes = '{{"computer_name":"HOST"}}';
        INSERT INTO queue VALUES (3, 'a', 'queue', NULL, '{{"label":"A"}}', 2, 300), (4, 'a;journal', 'journal', 3, '{{}}', 1, 300);
        INSERT INTO position VALUES (7, 3, 0, 1, 0, 100, NULL, '{{"label":"L"}}', x'6f6e65'), (8, 3, 1, 1, 0, 200, 99, '{{}}', x'74776f');
        INSERT INTO position VALUES (9, 4, 0, 1, 0, 300, NULL, '{{}}', x'');
        INSERT INTO unit VALUES (1, x'00', 1, NULL);
        INSERT INTO operation VALUES (1, 1, 'Dequeue', 8, NULL, 16384);
    """)
    connection.close()


def test_messages_totals_and_counters_come_along(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    version_1(path)
    for _ in range(2):
        store = Store.open(path)
        assert [(row.id, row.key, row.kind, row.parent, row.attributes, row.messages, row.bytes) for row in store.queues()] == [
            (3, "a", "queue", None, '{"label":"A"}', 2, 300),
            (4, "a;journal", "journal", 3, "{}", 1, 300),
        ]
        assert (store.sequential(), store.total_bytes(), store.attributes()) == (40, 600, '{"computer_name":"HOST"}')
        assert [(row.lookup, row.state, row.size, row.expires) for row in store.positions(3)] == [(7, 0, 100, None), (8, 1, 200, 99)]
        content = store.content(7)
        assert content is not None
        assert (content.attributes, content.body) == ('{"label":"L"}', b"one")
        assert store.held_by_unit(8)
        store.close()


def test_counters_and_numbers_of_queues_go_on_from_there(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    version_1(path)
    store = Store.open(path)
    assert (store.next_sequential(), store.next_ordinal(), store.add_queue("b", "queue", "{}")) == (41, 51, 5)
    store.commit()
    store.close()
    assert int.from_bytes(path.read_bytes()[60:64], "big") == VERSION


def test_a_store_that_cannot_be_brought_up_is_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    version_1(path)
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE tally (in_the_way)")
    connection.close()
    before = path.read_bytes()
    try:
        Store.open(path).close()
    except StoreError:
        assert path.read_bytes() == before
    else:
        raise AssertionError("it was opened all the same")
