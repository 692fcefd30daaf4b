"""The store: order, totals, savepoints, one owner, and files that are not ours, damaged, newer, or on a full disk."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from msmqctl.errors import StoreError
from msmqctl.qm.schema import APPLICATION_ID, VERSION
from msmqctl.qm.store import MEMORY, Content, PositionRow, Store, StoreBusyError

AVAILABLE, LOCKED = 0, 1
CONTENT = Content('{"label": "L"}', b"body")


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(MEMORY if request.param == "memory" else tmp_path / "msmq.db")
    yield opened
    opened.close()


def fill(store: Store, queue: int, *lookups: int, state: int = AVAILABLE, size: int = 100) -> None:
    for lookup in lookups:
        store.add_position(lookup, queue, state, CONTENT, size=size, expires=None)
        position = store.position(lookup)
        assert position is not None
        store.count(position)


def lookup_of(found: PositionRow | None) -> int | None:
    return None if found is None else found.lookup


def test_entries_are_found_by_their_order_and_state(store: Store) -> None:
    store.begin()
    queue, other = store.add_queue("a", "queue", "{}"), store.add_queue("b", "queue", "{}")
    fill(store, queue, 5, 7, 9)
    fill(store, other, 6)
    store.set_state(5, LOCKED)
    assert lookup_of(store.first_available(queue)) == 7
    assert lookup_of(store.first_available(queue, 7)) == 9
    assert lookup_of(store.first_available(queue, 9)) is None
    assert lookup_of(store.last_available(queue)) == 9
    assert lookup_of(store.last_available(queue, 7)) is None
    assert [position.lookup for position in store.positions(queue)] == [5, 7, 9]
    assert [position.lookup for position in store.positions(queue, after=5, limit=1)] == [7]


def test_a_locked_message_that_lets_itself_be_seen_is_found_by_peeks_only(store: Store) -> None:
    store.begin()
    queue = store.add_queue("a", "queue", "{}")
    store.add_position(3, queue, LOCKED, CONTENT, size=1, expires=None, peek_locked=True)
    uncommitted = store.position(3)
    assert uncommitted is not None
    assert lookup_of(store.first_available(queue, peek=True)) is None
    store.count(uncommitted)
    assert lookup_of(store.first_available(queue)) is None
    assert lookup_of(store.first_available(queue, peek=True)) == 3
    assert lookup_of(store.last_available(queue, peek=True)) == 3


def test_what_is_held_is_found_without_looking_at_the_rest(store: Store) -> None:
    store.begin()
    queue = store.add_queue("a", "queue", "{}")
    fill(store, queue, *range(1, 50))
    store.set_state(7, LOCKED)
    store.set_state(30, 2)
    assert [position.lookup for position in store.held()] == [7, 30]
    assert [position.lookup for position in store.held(after=7)] == [30]


def test_what_came_later_is_found_whatever_its_priority(store: Store) -> None:
    store.begin()
    queue = store.add_queue("a", "queue", "{}")
    low, high = 7 << 56, 0
    fill(store, queue, high | 1, low | 2)
    assert lookup_of(store.first_available_since(queue, 2)) is None
    fill(store, queue, low | 3)
    assert lookup_of(store.first_available_since(queue, 2)) == low | 3
    fill(store, queue, high | 4)
    assert lookup_of(store.first_available_since(queue, 2)) == high | 4


def test_totals_follow_every_change_and_count_once(store: Store) -> None:
    store.begin()
    queue, target = store.add_queue("a", "queue", "{}"), store.add_queue("b", "queue", "{}")
    fill(store, queue, 1, 2, 3)
    position = store.position(2)
    assert position is not None
    store.count(position)
    store.move(position, target, AVAILABLE)
    first = store.position(1)
    assert first is not None
    store.remove(first)
    rows = {row.key: (row.messages, row.bytes) for row in store.queues()}
    assert rows == {"a": (1, 100), "b": (1, 100)}
    assert store.total_bytes() == 200


def test_a_call_that_fails_leaves_nothing_and_the_rest_stays(store: Store) -> None:
    with store.call():
        kept = store.add_queue("kept", "queue", "{}")
        store.next_sequential()

    def fail() -> None:
        with store.call():
            store.add_queue("lost", "queue", "{}")
            store.next_sequential()
            fill(store, kept, 1)
            raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        fail()
    store.commit()
    assert [row.key for row in store.queues()] == ["kept"]
    assert store.sequential() == 1
    assert store.position(1) is None
    assert store.total_bytes() == 0


def test_a_rollback_undoes_the_whole_transaction(store: Store) -> None:
    with store.call():
        store.add_queue("a", "queue", "{}")
    store.rollback()
    assert list(store.queues()) == []


def test_notes_are_kept_by_room_and_key(store: Store) -> None:
    store.begin()
    store.put_note("srmp", b"k", b"1")
    store.put_note("srmp", b"k", b"2")
    store.put_note("mqqb", b"k", b"3")
    assert (store.note("srmp", b"k"), store.note("mqqb", b"k"), store.note("srmp", b"x")) == (b"2", b"3", None)
    store.delete_note("srmp", b"k")
    assert store.notes("srmp") == []


def test_a_file_keeps_what_was_committed(tmp_path: Path) -> None:
    path = tmp_path / "msmq.db"
    store = Store.open(path)
    with store.call():
        queue = store.add_queue("a", "queue", '{"label": "L"}')
        fill(store, queue, store.next_sequential())
        unit = store.add_unit(b"u" * 16, single_phase=True)
        store.add_operation(unit, "enqueue", 1)
        store.decide_unit(unit, single_phase=False, decision="commit")
    store.commit()
    with store.call():
        store.add_queue("b", "queue", "{}")
    store.close()
    store = Store.open(path)
    (row,) = store.queues()
    assert (row.key, row.attributes, row.messages, row.bytes) == ("a", '{"label": "L"}', 1, 100)
    assert store.content(1) == CONTENT
    assert store.sequential() == 1
    (found,) = store.units()
    assert (found.identifier, found.single_phase, found.decision) == (b"u" * 16, False, "commit")
    assert [operation.kind for operation in store.operations(found.id)] == ["enqueue"]
    assert store.held_by_unit(1)
    store.delete_unit(found.id)
    assert not store.held_by_unit(1)
    store.close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_second_owner_is_refused(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "msmq.db")
    with pytest.raises(StoreBusyError, match="another process owns"):
        Store.open(tmp_path / "msmq.db")
    store.close()
    Store.open(tmp_path / "msmq.db").close()


def test_whoever_has_patience_gets_the_store_when_its_owner_leaves(tmp_path: Path) -> None:
    owner = Store.open(tmp_path / "msmq.db")
    leaving = threading.Timer(0.3, owner.close)
    leaving.start()
    Store.open(tmp_path / "msmq.db", patience=20).close()
    leaving.join()


def foreign(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE precious (x)")
    connection.commit()
    connection.close()


def newer(path: Path) -> None:
    Store.open(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()


REFUSED = {
    "text": (lambda path: path.write_text("my shopping list, which is longer than a hundred characters, " * 3), "is not a store"),
    "foreign": (foreign, "is not a store"),
    "newer": (newer, f"of version {VERSION + 1}"),
}


@pytest.mark.parametrize(("make", "sentence"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_is_not_ours_is_refused_and_left_as_it_is(tmp_path: Path, make: object, sentence: str) -> None:
    path = tmp_path / "file.db"
    make(path)  # type: ignore[operator]  # a table of functions
    before = path.read_bytes()
    with pytest.raises(StoreError, match=sentence) as caught:
        Store.open(path)
    assert caught.value.hint
    assert path.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == [path]


def test_a_damaged_store_is_told_from_a_good_one(tmp_path: Path) -> None:
    path = tmp_path / "msmq.db"
    store = Store.open(path)
    with store.call():
        queue = store.add_queue("a", "queue", "{}")
        fill(store, queue, *range(1, 200))
    store.commit()
    store.close()
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(StoreError, match="damaged"):
        list(Store.open(path).queues())


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        Store.open(tmp_path / "nowhere" / "msmq.db")


def test_the_file_says_whose_it_is(tmp_path: Path) -> None:
    path = tmp_path / "msmq.db"
    Store.open(path).close()
    assert int.from_bytes(path.read_bytes()[68:72], "big") == APPLICATION_ID


def test_a_store_whose_owner_died_at_once_is_still_known_as_ours(tmp_path: Path) -> None:
    program = "import os, sys; from msmqctl.qm.store import Store; Store.open(sys.argv[1]); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "msmq.db")], check=False)
    Store.open(tmp_path / "msmq.db").close()


def test_what_was_committed_survives_a_killed_process(tmp_path: Path) -> None:
    program = textwrap.dedent("""
        import sys
        from msmqctl.qm.store import Content, Store
        store = Store.open(sys.argv[1])
        with store.call():
            queue = store.add_queue("a", "queue", "{}")
        store.commit()
        for number in range(1, 100000):
            with store.call():
                store.add_position(number, queue, 0, Content("{}", b"x" * 500), size=500, expires=None)
                store.count(store.position(number))
            store.commit(durable=number % 2 == 0)
            print(number, flush=True)
    """)
    acknowledged = 0
    with subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "msmq.db")], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for line in child.stdout:
            acknowledged = int(line)
            if acknowledged == 300:
                os.kill(child.pid, signal.SIGKILL)
    store = Store.open(tmp_path / "msmq.db")
    (row,) = store.queues()
    assert row.messages in (acknowledged, acknowledged + 1)
    assert row.bytes == 500 * row.messages
    assert [position.lookup for position in store.positions(row.id, limit=100000)] == list(range(1, row.messages + 1))
    store.close()


def test_a_checkpoint_brings_all_into_the_one_file(tmp_path: Path) -> None:
    path, copy = tmp_path / "msmq.db", tmp_path / "copy.db"
    store = Store.open(path)
    store.begin()
    fill(store, store.add_queue("a", "queue", "{}"), 5, 7)
    store.commit(durable=False)
    assert store.checkpoint() >= 4096
    assert (tmp_path / "msmq.db-wal").stat().st_size == 0
    copy.write_bytes(path.read_bytes())
    assert store.checkpoint() == 0, "there is nothing left in the log"
    store.begin()
    store.add_queue("b", "queue", "{}")
    store.commit()
    store.close()
    copied = Store.open(copy)
    assert [row.key for row in copied.queues()] == ["a"]
    assert [position.lookup for position in copied.positions(1)] == [5, 7]
    copied.close()


def test_a_checkpoint_in_memory_has_nothing_to_do() -> None:
    store = Store.open(MEMORY)
    assert store.checkpoint() == 0
    store.close()
