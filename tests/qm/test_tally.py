"""Counters and totals: written with the positions that they sum, taken back with them, and never behind after a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmqctl.qm.store import Content, QueueRow, Store

CONTENT = Content("{}", b"")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


def put(store: Store, queue: int, size: int = 10) -> int:
    lookup = store.next_sequential()
    store.add_position(lookup, queue, 0, CONTENT, size=size, expires=None, counted=True)
    return lookup


def row_of(store: Store, queue: int) -> QueueRow:
    row = store.queue(queue)
    assert row is not None
    return row


def made(path: Path) -> tuple[Store, int, int]:
    store = Store.open(path)
    numbers = store.add_queue("a", "queue", "{}"), store.add_queue("b", "queue", "{}")
    store.commit()
    return store, *numbers


def fail_in(store: Store, *queues: int) -> None:
    """A call that puts messages into queues, in a call of its own each, looks at them, and fails."""

    def fails() -> None:
        with store.call():
            for queue in queues:
                with store.call():
                    put(store, queue)
                    store.next_ordinal()
                row_of(store, queue)
            raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        fails()


def test_what_is_asked_within_a_transaction_is_up_to_date(path: Path) -> None:
    store, queue, other = made(path)
    put(store, queue)
    assert (row_of(store, queue).messages, row_of(store, queue).bytes, row_of(store, other).messages) == (1, 10, 0)
    store.close()


def test_a_failed_call_takes_its_counts_back_even_if_they_were_written(path: Path) -> None:
    store, queue, other = made(path)
    fail_in(store, queue)
    put(store, queue)
    fail_in(store, queue, other)
    store.commit()
    for _ in range(2):
        assert [(row.messages, row.bytes) for row in store.queues()] == [(1, 10), (0, 0)]
        assert (store.sequential(), store.total_bytes()) == (1, 10)
        store.close()
        store = Store.open(path)
    assert store.next_ordinal() == 1
    store.close()


def test_what_was_counted_before_a_failed_call_is_not_lost_with_it(path: Path) -> None:
    store, queue, _ = made(path)
    with store.call():
        put(store, queue)
        fail_in(store, queue)
        put(store, queue)
    store.commit()
    store.close()
    store = Store.open(path)
    assert (row_of(store, queue).messages, store.total_bytes(), store.sequential()) == (2, 20, 2)
    assert [position.lookup for position in store.positions(queue)] == [1, 2]
    store.close()


def test_a_counter_that_moved_alone_is_kept(path: Path) -> None:
    store, *_ = made(path)
    store.next_sequential()
    store.next_ordinal()
    store.commit()
    store.close()
    store = Store.open(path)
    assert (store.sequential(), store.next_ordinal()) == (1, 2)
    store.close()


def test_counters_outlive_the_queue_beside_which_they_stand(path: Path) -> None:
    store, queue, _ = made(path)
    lookup = put(store, queue)
    store.next_ordinal()
    store.commit()
    position = store.position(lookup)
    assert position is not None
    store.remove(position)
    store.delete_queue(queue)
    store.commit()
    store.close()
    store = Store.open(path)
    assert (store.sequential(), store.next_ordinal(), store.total_bytes()) == (1, 2, 0)
    store.close()


def test_the_ordinal_of_a_message_has_32_bits(path: Path) -> None:
    store, *_ = made(path)
    store._tally.ordinal = 0xFFFFFFFE
    assert [store.next_ordinal() for _ in range(3)] == [0xFFFFFFFF, 0, 1]
    store.commit()
    store.close()
    store = Store.open(path)
    assert store.next_ordinal() == 2
    store.close()


def test_what_only_reads_begins_no_transaction(path: Path) -> None:
    store, queue, _ = made(path)
    with store.call():
        list(store.queues())
        store.first_available(queue)
        store.attributes()
        assert not store._connection.in_transaction
    store.close()
