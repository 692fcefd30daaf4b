"""A command's way through a link: ask the server that owns the store to run a journey, and follow it from here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

from msmqctl.errors import TransportError
from msmqctl.ops import parcel
from msmqctl.ops.parcel import Form, Frame, UnreadableError, Word
from msmqctl.qm.host import Desk
from msmqctl.qm.link import Connection, LostLinkError, connect
from msmqctl.qm.link_address import Address

if TYPE_CHECKING:
    from msmqctl.ops.local import Ask

P = ParamSpec("P")
Answer = TypeVar("Answer")


def answers(address: Address) -> bool:
    """Whether a server is there that knows the key."""
    connection = connect(address)
    if connection is None:
        return False
    connection.close()
    return True


def visitor(address: Address, *, peer: str) -> Ask:
    """Runs journeys on the server at `address`, each over a line of its own, so that several can be under way."""

    def ask(journey: Callable[Concatenate[Desk, P], Answer], *given: P.args, **named: P.kwargs) -> Answer:
        form, call, feed = parcel.pack_call(journey, *given, **named)
        rows = _follow(address, peer, form, call, feed)
        # What is no stream has one row, its answer.
        return cast("Answer", rows if form.row is not None else next(rows))

    return ask


def _follow(address: Address, peer: str, form: Form, call: bytes, feed: Iterator[Any] | None) -> Iterator[Any]:
    connection = connect(address)
    if connection is None:
        raise _lost(peer)
    try:
        connection.send(Frame(Word.CALL, call).pack())
        if form.row is None:
            yield parcel.read(_heard(connection, feed, Word.ANSWER).content, form.answer)
            return
        while True:
            connection.send(Frame(Word.NEXT).pack())
            frame = _heard(connection, feed, Word.ROW, Word.NO_MORE_ROWS)
            if frame.word is Word.NO_MORE_ROWS:
                return
            yield parcel.read(frame.content, form.row)
    except (LostLinkError, UnreadableError) as error:
        raise _lost(peer) from error
    finally:
        connection.close()


def _heard(connection: Connection, feed: Iterator[Any] | None, *expected: Word) -> Frame:
    """What the server says in the end, after it was given all the items that it wanted."""
    while True:
        frame = Frame.read(connection.receive())
        if frame.word is Word.FAILED:
            raise parcel.read_error(frame.content)
        if frame.word is Word.WANTS_ITEM and feed is not None:
            item = next(feed, _NO_MORE)
            said = Frame(Word.NO_MORE_ITEMS) if item is _NO_MORE else Frame(Word.ITEM, parcel.pack(item))
            connection.send(said.pack())
        elif frame.word in expected:
            return frame
        else:
            raise UnreadableError(f"the server said {frame.word.name} out of turn")


_NO_MORE = object()


def _lost(peer: str) -> TransportError:
    problem = f"the {peer} stopped before it answered."
    return TransportError(problem, peer=peer, hint="look whether what you wanted was done, then try again.")
