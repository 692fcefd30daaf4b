"""Calls in turn: those that wait together share a commit, a failed one fails alone, a failed commit fails them all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import pytest

from msmqctl.errors import StoreError
from msmqctl.qm.host import Host
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.model import Queue
from tests.qm.test_host import create, open_for, receive, send, start, until


class Held:
    """A host whose first call holds everybody else up until it is told to go on."""

    def __init__(self, host: Host, pool: ThreadPoolExecutor) -> None:
        self.host = host
        self.pool = pool
        self.go_on = threading.Event()
        self.futures: list[Future[object]] = []
        self._running = threading.Event()
        self.add(self._hold)
        assert self._running.wait(10)

    def _hold(self, manager: QueueManager, now: datetime) -> None:
        self._running.set()
        assert self.go_on.wait(10)

    def add(self, work: Callable[[QueueManager, datetime], object]) -> Future[object]:
        """One more call, which waits in front of the others that come."""
        waiting = len(self.futures)
        self.futures.append(self.pool.submit(self.host.do, work))
        until(lambda: waiting == 0 or len(self.host._turns._calls) == waiting)
        return self.futures[-1]


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return start(tmp_path / "store.db")


def label(queue: Queue, text: str) -> Callable[[QueueManager, datetime], str]:
    def work(manager: QueueManager, now: datetime) -> str:
        with manager.call():
            manager.assign(queue, label=text)
            manager.save_queue(queue)
            return text

    return work


def test_calls_that_wait_together_share_a_commit_in_their_order(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = create(host)
    store = host._manager.store
    commits, commit = 0, store.commit

    def counted(*, durable: bool = True) -> None:
        nonlocal commits
        commits += 1
        commit(durable=durable)

    monkeypatch.setattr(store, "commit", counted)
    with ThreadPoolExecutor(8) as pool:
        held = Held(host, pool)
        for number in range(6):
            held.add(label(queue, str(number)))
        held.go_on.set()
        assert [future.result(10) for future in held.futures] == [None, "0", "1", "2", "3", "4", "5"]
    assert commits == 1
    assert queue.label == "5"
    host.close()


def test_a_call_that_fails_leaves_the_others_of_its_commit_alone(host: Host) -> None:
    queue = create(host)

    def fails(manager: QueueManager, now: datetime) -> None:
        label(queue, "half way")(manager, now)
        raise RuntimeError("no")

    with ThreadPoolExecutor(4) as pool:
        held = Held(host, pool)
        before, broken, after = held.add(label(queue, "before")), held.add(fails), held.add(lambda manager, now: queue.label)
        held.go_on.set()
        assert before.result(10) == "before"
        with pytest.raises(RuntimeError):
            broken.result(10)
        assert after.result(10) == "before"
    host.close()


def test_if_the_commit_fails_every_caller_hears_it_and_nothing_has_happened(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = create(host)
    store = host._manager.store

    def full(*, durable: bool = True) -> None:
        raise StoreError("the disk is full.", path=store.path)

    with ThreadPoolExecutor(4) as pool:
        held = Held(host, pool)
        futures = [held.add(label(queue, text)) for text in ("one", "two")]
        monkeypatch.setattr(store, "commit", full)
        held.go_on.set()
        for future in futures:
            with pytest.raises(StoreError, match="full"):
                future.result(10)
    monkeypatch.undo()
    assert queue.label == ""
    assert host.do(lambda manager, now: manager.queue(queue.key or 0)) is queue
    send(host, queue, b"goes on")
    assert receive(host, open_for(host)) == b"goes on"
    host.close()


def test_if_sqlite_ends_the_transaction_the_calls_before_are_told_too(host: Host) -> None:
    queue = create(host)

    def ends(manager: QueueManager, now: datetime) -> None:
        # As with a full disk: the statement fails, and SQLite has rolled back what was before it.
        manager.store._write("INSERT OR ROLLBACK INTO keeper VALUES (1, '')")

    with ThreadPoolExecutor(4) as pool:
        held = Held(host, pool)
        before, broken = held.add(label(queue, "before")), held.add(ends)
        held.go_on.set()
        for future in (before, broken):
            with pytest.raises(StoreError):
                future.result(10)
    assert queue.label == ""
    assert host.do(label(queue, "later")) == "later"
    host.close()


def test_an_interrupted_leader_lets_the_others_have_their_turn(host: Host) -> None:
    queue = create(host)
    interrupted = threading.Event()

    def interrupt_once(manager: QueueManager, now: datetime) -> str:
        if not interrupted.is_set():
            interrupted.set()
            raise KeyboardInterrupt
        return label(queue, "second time")(manager, now)

    with ThreadPoolExecutor(4) as pool:
        held = Held(host, pool)
        others = [held.add(interrupt_once), held.add(label(queue, "last"))]
        held.go_on.set()
        with pytest.raises(KeyboardInterrupt):
            held.futures[0].result(10)
        assert [other.result(10) for other in others] == ["second time", "last"]
    assert queue.label == "last"
    host.close()


def test_an_express_message_does_not_wait_for_the_flush_of_others(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = create(host)
    flushing, go_on = threading.Event(), threading.Event()

    def slow() -> None:
        flushing.set()
        assert go_on.wait(10)

    monkeypatch.setattr(host._manager.store, "flush", slow)
    with ThreadPoolExecutor(2) as pool:
        durable = pool.submit(send, host, queue, b"durable")
        assert flushing.wait(10)
        pool.submit(send, host, queue, b"express", recoverable=False).result(10)
        assert not durable.done()
        go_on.set()
        durable.result(10)
    monkeypatch.undo()
    host.close()
