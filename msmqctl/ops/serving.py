"""A server that owns the store, and does for other commands what they would do themselves if the store were free."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msmqctl import __version__
from msmqctl.ops import parcel
from msmqctl.ops.owning import own
from msmqctl.ops.parcel import Form, Frame, UnreadableError, Word
from msmqctl.qm.host import Host
from msmqctl.qm.link import LinkServer, LostLinkError, Talk
from msmqctl.qm.visit import Visit
from msmqctl.wire.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Serving:
    """What a server says when it is ready."""

    store: str
    computer: str


@contextmanager
def serve(store: Path) -> Iterator[Serving]:
    """Own the store inside the block, and answer commands of its owner."""
    with own(store, patience=0) as host:
        server = LinkServer(store, lambda talk: _answer(talk, host), version=__version__)
        try:
            yield Serving(str(store), host.do(lambda manager, now: manager.local.computer_name))
        finally:
            server.close()


class _CallerGone(Exception):  # noqa: N818 - no error: it unwinds a journey that nobody follows any more
    """Whoever asked does not listen any more."""


def _answer(talk: Talk, host: Host) -> None:
    """One call: run the journey it names for a visitor, and tell how it goes."""
    visit = Visit(host)
    talk.when_gone(visit.leave)
    asked = talk.take()
    if asked is None:
        return
    try:
        form, arguments = _call(asked)
        if form.feed is not None:
            arguments[form.feed[0]] = _items(talk, form.feed[1])
        outcome = form.function(visit, **arguments)
        if form.row is None:
            talk.give(Frame(Word.ANSWER, parcel.pack(outcome)).pack())
        else:
            _stream(talk, form, outcome)
    except (_CallerGone, LostLinkError):
        return
    except Exception as error:
        # Whatever it is, the caller has to hear of it, and the server goes on. But a visit that was ended, by its caller or by a server
        # that stops, was cancelled: that the line is cut says more than the error.
        if not visit.left:
            talk.give(Frame(Word.FAILED, parcel.pack_error(error)).pack())


def _call(octets: bytes) -> tuple[Form, dict[str, Any]]:
    frame = Frame.read(octets)
    if frame.word is not Word.CALL:
        raise UnreadableError("a conversation begins with a call")
    return parcel.read_call(frame.content)


def _stream(talk: Talk, form: Form, rows: Generator[Any, None, None]) -> None:
    """Hand over a row whenever one is asked for. A caller that leaves ends the journey where it is."""
    try:
        while True:
            if _heard(talk).word is not Word.NEXT:
                raise UnreadableError("only the next row can be asked for")
            try:
                row = next(rows)
            except StopIteration:
                talk.give(Frame(Word.NO_MORE_ROWS).pack())
                return
            talk.give(Frame(Word.ROW, parcel.pack(row)).pack())
    finally:
        rows.close()


def _items(talk: Talk, kind: Any) -> Iterator[Any]:
    """The items that the caller has, each fetched when it is needed."""
    while True:
        talk.give(Frame(Word.WANTS_ITEM).pack())
        frame = _heard(talk)
        if frame.word is Word.NO_MORE_ITEMS:
            return
        if frame.word is not Word.ITEM:
            raise UnreadableError("only an item can follow")
        yield parcel.read(frame.content, kind)


def _heard(talk: Talk) -> Frame:
    octets = talk.take()
    if octets is None:
        raise _CallerGone
    return Frame.read(octets)
