"""The local queue manager behind one door: the same journeys on an open store and through a server, and who answers when."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from msmqctl.errors import DecodeError, StatusError, TransportError
from msmqctl.ops import local, manager, messages, queues
from msmqctl.ops.local import Ask, local_manager
from msmqctl.ops.message_row import Draft
from msmqctl.ops.owning import own
from msmqctl.ops.serving import serve
from msmqctl.qm.link import connect
from msmqctl.qm.link_address import Address
from msmqctl.qm.store import StoreBusyError
from msmqctl.qm.visit import Visit
from msmqctl.qm.waiting import PendingRead
from msmqctl.wire.status import HResult


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "store.db"


@pytest.fixture(params=["alone", "served"])
def ask(request: pytest.FixtureRequest, store: Path) -> Iterator[Ask]:
    with ExitStack() as stack:
        if request.param == "served":
            stack.enter_context(serve(store))
        opened = stack.enter_context(local_manager(store))
        opened(queues.create_queue, "orders", {})
        opened(queues.create_queue, "ledger", {"transactional": True})
        yield opened


def bodies(ask: Ask, queue: str = "orders") -> list[bytes]:
    try:
        return [row.body for row in ask(messages.peek, queue, count=100)]
    except StatusError as nothing:
        if nothing.status is not HResult.MQ_ERROR_IO_TIMEOUT:
            raise
        return []


def test_a_journey_with_an_answer(ask: Ask, store: Path) -> None:
    assert ask(manager.show_manager).store == str(store)
    assert [row.name for row in ask(queues.list_queues)] == [r".\private$\ledger", r".\private$\orders"]


def test_a_journey_with_a_feed_and_a_stream(ask: Ask) -> None:
    said: list[str] = []

    def drafts() -> Iterator[Draft]:
        for text in "abc":
            said.append(text)
            yield Draft(label=text, body=text.encode())

    answers = ask(messages.send, "orders", drafts())
    assert said == []
    next(answers)
    assert said == ["a"], "an item is fetched when it is needed"
    assert len(list(answers)) == 2
    assert bodies(ask) == [b"a", b"b", b"c"]


def test_a_feed_that_fails_undoes_the_transaction_and_is_told(ask: Ask) -> None:
    def drafts() -> Iterator[Draft]:
        yield Draft(body=b"a")
        raise DecodeError("torn", where="line 2", offset=5)

    with pytest.raises(DecodeError, match="line 2 at offset 5: torn"):
        list(ask(messages.send, "ledger", drafts(), transactional=True))
    assert bodies(ask, "ledger") == []
    assert ask(manager.show_manager).transactions == 0


def test_a_refusal_comes_as_what_it_is(ask: Ask) -> None:
    with pytest.raises(StatusError, match="no queue nope") as refused:
        list(ask(messages.peek, "nope"))
    assert refused.value.status is HResult.MQ_ERROR_QUEUE_NOT_FOUND
    assert refused.value.hint == "run: msmqctl queue list"


def test_a_stream_that_is_left_gives_back_what_was_not_printed(ask: Ask) -> None:
    list(ask(messages.send, "orders", [Draft(body=b"a"), Draft(body=b"b"), Draft(body=b"c")]))
    taken = ask(messages.receive, "orders", count=3)
    next(taken)
    next(taken)
    taken.close()
    until(lambda: bodies(ask) == [b"b", b"c"])


def test_a_reader_wakes_when_another_command_sends(store: Path) -> None:
    with serve(store), local_manager(store) as reader, local_manager(store) as writer:
        writer(queues.create_queue, "orders", {})
        with ThreadPoolExecutor(1) as threads:
            waiting = threads.submit(lambda: list(reader(messages.receive, "orders", timeout=20)))
            list(writer(messages.send, "orders", [Draft(body=b"at last")]))
            assert [[row.body for row in rows] for rows in waiting.result(30)] == [[b"at last"]]


def test_many_commands_at_once_each_get_their_own(store: Path) -> None:
    with serve(store), local_manager(store) as ask, ThreadPoolExecutor(16) as threads:
        ask(queues.create_queue, "orders", {})
        waiting = [threads.submit(lambda: list(ask(messages.receive, "orders", timeout=30))) for _ in range(12)]
        list(ask(messages.send, "orders", [Draft(body=bytes([number])) for number in range(12)]))
        got = sorted(rows[0].body for future in waiting for rows in future.result(40))
        assert got == [bytes([number]) for number in range(12)]
        assert bodies(ask) == []


def test_a_server_that_stops_ends_those_who_wait_with_a_sentence(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = threading.Event()
    wait = Visit._wait

    def wait_and_tell(visit: Visit, read: PendingRead) -> None:
        wait(visit, read)
        waits.set()

    monkeypatch.setattr(Visit, "_wait", wait_and_tell)
    with ThreadPoolExecutor(1) as threads, ExitStack() as stack:
        with serve(store):
            ask = stack.enter_context(local_manager(store))
            ask(queues.create_queue, "orders", {})
            waiting = threads.submit(lambda: list(ask(messages.receive, "orders", timeout=None)))
            assert waits.wait(30)
        with pytest.raises(TransportError, match="stopped before it answered"):
            waiting.result(30)


def test_a_file_left_behind_by_a_killed_server_is_no_server(store: Path) -> None:
    store.parent.mkdir()
    with serve(store):
        left_behind = store.with_name("store.db.link").read_text()
    store.with_name("store.db.link").write_text(left_behind)
    with local_manager(store) as ask:
        assert ask(queues.list_queues) == []


def test_a_server_of_another_version_is_refused_with_a_sentence(store: Path) -> None:
    with serve(store):
        file = store.with_name("store.db.link")
        said = json.loads(file.read_text())
        file.write_text(json.dumps({**said, "version": "0.0.1"}))
        with pytest.raises(TransportError, match=r"its server runs msmqctl 0\.0\.1, and this is"), local_manager(store):
            pass


def test_an_owner_that_is_no_server_is_waited_for(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "GLANCES", 2)
    monkeypatch.setattr(local, "GLANCE_SECONDS", 0.01)
    with own(store), pytest.raises(StoreBusyError, match="another process owns the store"), local_manager(store):
        pass


def test_a_server_that_comes_up_meanwhile_is_found(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store is locked before the server says where it listens: whoever comes in between waits for that."""
    looks: list[Path] = []
    with serve(store):
        read = Address.read

        def late(path: Path) -> Address | None:
            looks.append(path)
            return None if len(looks) < 3 else read(path)

        monkeypatch.setattr(Address, "read", late)
        with local_manager(store) as ask:
            assert ask(manager.show_manager).store == str(store)
    assert len(looks) == 3


@pytest.mark.parametrize("said", [b"\x02", b"\xff", b"", b"\x01{", b'\x01{"journey": "os.system", "arguments": {}}'])
def test_a_caller_that_talks_nonsense_hears_so_and_the_server_goes_on(store: Path, said: bytes) -> None:
    with serve(store), local_manager(store) as ask:
        address = Address.read(store)
        assert address is not None
        connection = connect(address)
        assert connection is not None
        connection.send(said)
        assert connection.receive()[:1] == b"\x0f"
        connection.close()
        assert ask(queues.list_queues) == []


def until(true: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(1000):
        if true():
            return
        pause.wait(0.01)
    raise AssertionError("it never became true")
