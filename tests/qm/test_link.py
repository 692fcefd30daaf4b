"""The link: a key that both sides know and neither shows, frames that are bounded, and callers that come, stall and go."""

from __future__ import annotations

import json
import os
import socket
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from msmqctl.errors import StoreError
from msmqctl.qm.link import Handler, LinkServer, LostLinkError, Talk, connect
from msmqctl.qm.link_address import Address


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


def echo(talk: Talk) -> None:
    while (frame := talk.take()) is not None:
        talk.give(frame)


@contextmanager
def listening(store: Path, handler: Handler = echo) -> Iterator[Address]:
    server = LinkServer(store, handler, version="1.2.3")
    try:
        address = Address.read(store)
        assert address is not None
        yield address
    finally:
        server.close()


def raw(address: Address) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", address.port), timeout=20)
    line.settimeout(20)
    return line


def ended(line: socket.socket) -> bool:
    """Whether the server has hung up, by whatever sign."""
    try:
        return line.recv(1 << 16) == b""
    except ConnectionError:
        return True


def test_frames_go_both_ways_in_order(store: Path) -> None:
    with listening(store) as address:
        connection = connect(address)
        assert connection is not None
        frames = [b"", b"a", bytes(range(256)) * 20_000]
        for frame in frames:
            connection.send(frame)
        assert [connection.receive() for _ in frames] == frames
        connection.close()


@pytest.mark.skipif(os.name != "posix", reason="rights of a file are told otherwise elsewhere")
def test_only_the_owner_can_read_the_key_and_it_goes_with_the_server(store: Path) -> None:
    file = store.with_name("store.db.link")
    file.write_text("left behind by a server that was killed")
    file.chmod(0o644)
    with listening(store) as address:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        said = json.loads(file.read_text())
        assert said == {"port": address.port, "key": address.key, "version": "1.2.3"}
        assert len(bytes.fromhex(address.key)) == 32
    assert not file.exists()


def test_each_server_has_a_key_of_its_own(store: Path) -> None:
    with listening(store) as one:
        pass
    with listening(store) as two:
        assert one.key != two.key


def test_a_client_without_the_key_gets_nothing(store: Path) -> None:
    heard: list[Talk] = []
    with listening(store, heard.append) as address:
        assert connect(Address(address.port, "00" * 32, "1.2.3")) is None
        # It knows the way the handshake goes, and has no key: the server proves itself and hangs up on what follows.
        with raw(address) as line:
            line.sendall((32).to_bytes(4, "big") + bytes(32))
            assert len(line.recv(1 << 16)) == 4 + 64
            line.sendall((32).to_bytes(4, "big") + bytes(32))
            assert ended(line)
    assert heard == []


def test_a_server_without_the_key_is_no_server() -> None:
    """Somebody else listens where a killed server did: the client hears no proof and says nothing that could be used."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        said: list[bytes] = []

        def pretend() -> None:
            line, _ = listener.accept()
            with line:
                said.append(line.recv(1 << 16))
                line.sendall((64).to_bytes(4, "big") + bytes(64))
                said.append(line.recv(1 << 16))

        thread = threading.Thread(target=pretend)
        thread.start()
        assert connect(Address(listener.getsockname()[1], "ab" * 32, "1.2.3")) is None
        thread.join()
    assert len(said[0]) == 4 + 32
    assert said[1] == b""


def test_nobody_listens_there_any_more(store: Path) -> None:
    with listening(store) as address:
        pass
    assert connect(address) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"port": "x", "key": "", "version": ""}', '{"port": 1}'])
def test_a_file_that_says_nothing_is_no_address(store: Path, text: str) -> None:
    assert Address.read(store) is None
    store.with_name("store.db.link").write_text(text)
    assert Address.read(store) is None


@pytest.mark.parametrize("length", [33, 1 << 20, 0xFFFFFFFF])
def test_a_stranger_cannot_make_the_server_read_much(store: Path, length: int) -> None:
    with listening(store) as address, raw(address) as line:
        line.sendall(length.to_bytes(4, "big"))
        assert ended(line)


def test_a_known_client_cannot_announce_more_than_the_limit(store: Path) -> None:
    seen: list[bytes | None] = []
    taken = threading.Event()

    def take(talk: Talk) -> None:
        seen.append(talk.take())
        taken.set()

    with listening(store, take) as address:
        connection = connect(address)
        assert connection is not None
        connection._line.sendall((0xFFFFFFFF).to_bytes(4, "big"))
        assert taken.wait(20)
        with pytest.raises(LostLinkError):
            connection.receive()
        connection.close()
    assert seen == [None]


def test_a_caller_that_stalls_holds_up_nobody(store: Path) -> None:
    with listening(store) as address, raw(address) as silent:
        silent.sendall(b"\0")
        connection = connect(address)
        assert connection is not None
        connection.send(b"hello")
        assert connection.receive() == b"hello"
        connection.close()


def test_a_caller_that_leaves_is_noticed_by_the_one_who_works_for_it(store: Path) -> None:
    gone = threading.Event()
    ready = threading.Event()

    def work(talk: Talk) -> None:
        talk.when_gone(gone.set)
        ready.set()
        assert gone.wait(20), "the caller left, and the call waits on"

    with listening(store, work) as address:
        connection = connect(address)
        assert connection is not None
        assert ready.wait(20)
        assert not gone.is_set()
        connection.close()
        assert gone.wait(20)


def test_who_asks_after_the_caller_has_left_is_told_at_once(store: Path) -> None:
    told = threading.Event()

    def work(talk: Talk) -> None:
        while talk.take() is not None:
            pass
        # The last frame says that the caller is gone, or it is about to be known.
        talk.when_gone(told.set)
        assert told.wait(20)

    with listening(store, work) as address:
        connection = connect(address)
        assert connection is not None
        connection.close()
        assert told.wait(20)


def test_a_server_that_stops_lets_a_call_come_to_its_end(store: Path) -> None:
    begun, finished = threading.Event(), threading.Event()

    def work(talk: Talk) -> None:
        begun.set()
        # The server hangs up on the caller; what is being done is done, and answered.
        assert talk.take() is None
        talk.give(b"done")
        finished.set()

    with listening(store, work) as address:
        connection = connect(address)
        assert connection is not None
        assert begun.wait(20)
    assert finished.is_set()
    assert connection.receive() == b"done"
    connection.close()


def test_a_handler_that_fails_ends_its_own_call_alone(store: Path, recwarn: pytest.WarningsRecorder) -> None:
    def work(talk: Talk) -> None:
        if talk.take() == b"fail":
            raise LostLinkError("as if the line had broken")
        talk.give(b"fine")

    with listening(store, work) as address:
        first, second = connect(address), connect(address)
        assert first is not None
        assert second is not None
        first.send(b"fail")
        with pytest.raises(LostLinkError):
            first.receive()
        second.send(b"go on")
        assert second.receive() == b"fine"
        first.close()
        second.close()


def test_a_folder_that_takes_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        LinkServer(tmp_path / "missing" / "store.db", echo, version="1")
