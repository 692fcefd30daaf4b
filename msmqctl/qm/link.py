"""DOOR how a command reaches a store that a running server owns: loopback, and a key in a file that only the owner may read.

Both sides prove that they know the key, and neither shows it. What follows are frames of limited length: what they mean is not known here.
A server that was killed leaves its file behind; nobody listens there any more, or somebody who cannot prove the key: both count as no
server, and the lock on the store decides.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

from msmqctl.errors import StoreError
from msmqctl.qm.link_address import Address, file_of

_LOOPBACK = "127.0.0.1"
# How long a peer may take to prove itself.
_HANDSHAKE_SECONDS = 5.0
# How long a server that stops waits for the calls that are under way.
_FAREWELL_SECONDS = 10.0
# How long a server pauses that cannot take another caller.
_BREATH_SECONDS = 0.1
_NONCE = 32
_PROOF = 32
_BACKLOG = 128
_LENGTH = 4
# Several messages of four megabytes may be one answer. Memory is taken as octets arrive, not as they are announced.
MAX_FRAME = 1 << 30
_PIECE = 1 << 20


class LostLinkError(Exception):
    """The other side is gone, or has sent what no peer of ours sends."""


class Connection:
    """A line to the other side, both of which have proved that they know the key."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, frame: bytes) -> None:
        """Send one frame."""
        if len(frame) > MAX_FRAME:
            raise ValueError(f"a frame of {len(frame)} octets is too long")
        with _lost():
            self._line.sendall(len(frame).to_bytes(_LENGTH, "big") + frame)

    def receive(self, at_most: int = MAX_FRAME) -> bytes:
        """Wait for a frame; LostLinkError if none comes any more, or a longer one."""
        length = int.from_bytes(self._take(_LENGTH), "big")
        if length > at_most:
            raise LostLinkError(f"a frame of {length} octets was announced")
        return self._take(length)

    def _take(self, length: int) -> bytes:
        taken = bytearray()
        while len(taken) < length:
            with _lost():
                piece = self._line.recv(min(length - len(taken), _PIECE))
            if not piece:
                raise LostLinkError("the other side hung up")
            taken += piece
        return bytes(taken)

    def hang_up(self) -> None:
        """End the line, also for a thread that waits on it."""
        with suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of the line."""
        self.hang_up()
        self._line.close()


class _lost:  # noqa: N801 - used as a word: `with _lost():`
    """Every fault of the network as one."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise LostLinkError(str(error)) from error


# ---- the handshake: a nonce from each side, and a proof from each side over both nonces


def _proof(key: str, side: bytes, nonces: bytes) -> bytes:
    return hmac.digest(key.encode(), side + nonces, "sha256")


def _greet(line: socket.socket, key: str) -> Connection:
    """The client's part: the server proves itself first."""
    line.settimeout(_HANDSHAKE_SECONDS)
    connection = Connection(line)
    ours = secrets.token_bytes(_NONCE)
    connection.send(ours)
    answer = connection.receive(at_most=_NONCE + _PROOF)
    nonces = ours + answer[:_NONCE]
    if not hmac.compare_digest(answer[_NONCE:], _proof(key, b"server", nonces)):
        raise LostLinkError("whoever listens there does not know the key")
    connection.send(_proof(key, b"client", nonces))
    line.settimeout(None)
    return connection


def _welcome(line: socket.socket, key: str) -> Connection:
    """The server's part."""
    line.settimeout(_HANDSHAKE_SECONDS)
    connection = Connection(line)
    ours = secrets.token_bytes(_NONCE)
    nonces = connection.receive(at_most=_NONCE) + ours
    connection.send(ours + _proof(key, b"server", nonces))
    if not hmac.compare_digest(connection.receive(at_most=_PROOF), _proof(key, b"client", nonces)):
        raise LostLinkError("the client does not know the key")
    line.settimeout(None)
    return connection


def connect(address: Address) -> Connection | None:
    """A line to the server at this address; None if it is not there any more."""
    line = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        line.settimeout(_HANDSHAKE_SECONDS)
        line.connect((_LOOPBACK, address.port))
        return _greet(line, address.key)
    except (OSError, LostLinkError):
        line.close()
        return None
    except BaseException:
        line.close()
        raise


# ---- the server's side


class Talk:
    """One conversation, seen by the server: frames come in the order in which they were sent, and None when the client is gone."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._inbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._gone = False
        self._when_gone: Callable[[], None] | None = None

    def take(self) -> bytes | None:
        """Wait for the next frame."""
        return self._inbox.get()

    def give(self, frame: bytes) -> None:
        """Send a frame; LostLinkError if nobody is there to read it."""
        self._connection.send(frame)

    def when_gone(self, act: Callable[[], None]) -> None:
        """Let `act` be called, once, when the client is gone: at once if it is."""
        with self._lock:
            self._when_gone = act
            gone = self._gone
        if gone:
            act()

    def listen(self) -> None:
        """Bring in frames until the client is gone: the work of a thread of its own, so that a call that waits is ended then."""
        with suppress(LostLinkError):
            while True:
                self._inbox.put(self._connection.receive())
        self._inbox.put(None)
        with self._lock:
            self._gone = True
            act = self._when_gone
        if act is not None:
            act()


Handler: TypeAlias = Callable[[Talk], None]


class LinkServer:
    """Listens for commands of the user who owns the store. Each has a line of its own."""

    def __init__(self, store: Path, handler: Handler, *, version: str) -> None:
        self._file = file_of(store)
        self._handler = handler
        self._key = secrets.token_hex(32)
        self._lock = threading.Lock()
        self._lines: dict[threading.Thread, socket.socket] = {}
        self._stopping = threading.Event()
        self._listener = socket.create_server((_LOOPBACK, 0), backlog=_BACKLOG)
        try:
            self._publish(Address(self._listener.getsockname()[1], self._key, version))
        except BaseException:
            self._listener.close()
            raise
        self._accepting = threading.Thread(target=self._accept, name="msmqctl link", daemon=True)
        self._accepting.start()

    def _publish(self, address: Address) -> None:
        """Write the file beside the store, whole or not at all, for the eyes of the owner alone."""
        draft = self._file.with_name(f"{self._file.name}.new")
        try:
            draft.unlink(missing_ok=True)
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                json.dump(asdict(address), file)
            draft.replace(self._file)
        except OSError as error:
            problem = f"{self._file}: the file that leads commands here cannot be written ({error.strerror})."
            raise StoreError(problem, path=str(self._file), hint="check the rights of its folder.") from error

    def _accept(self) -> None:
        while not self._stopping.is_set():
            try:
                line, _ = self._listener.accept()
            except OSError:  # out of file descriptors, most likely: some callers will end
                self._stopping.wait(_BREATH_SECONDS)
                continue
            thread = threading.Thread(target=self._converse, args=(line,), name="msmqctl call", daemon=True)
            with self._lock:
                self._lines[thread] = line
            thread.start()

    def _converse(self, line: socket.socket) -> None:
        try:
            talk = Talk(_welcome(line, self._key))
            listener = threading.Thread(target=talk.listen, name="msmqctl line", daemon=True)
            listener.start()
            try:
                self._handler(talk)
            finally:
                with suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)
                listener.join()
        except LostLinkError:
            pass  # a client that went away, or had no business here: nothing is owed to it
        finally:
            line.close()
            with self._lock:
                del self._lines[threading.current_thread()]

    def close(self) -> None:
        """Take no more calls, end those that wait, and let those that work come to their end."""
        self._stopping.set()
        self._file.unlink(missing_ok=True)
        # A thread that accepts does not notice that the socket was closed; it notices a caller.
        with suppress(OSError):
            socket.create_connection(self._listener.getsockname(), timeout=1).close()
        self._accepting.join()
        self._listener.close()
        with self._lock:
            lines = dict(self._lines)
        for line in lines.values():
            with suppress(OSError):
                line.shutdown(socket.SHUT_RD)
        for thread in lines:
            thread.join(_FAREWELL_SECONDS)
