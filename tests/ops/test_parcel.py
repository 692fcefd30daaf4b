"""Journeys as octets: every one of them can cross a link, nothing else can be asked for, and an error arrives as it left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import getmembers, isfunction
from ipaddress import IPv4Address
from typing import Any, get_type_hints
from uuid import UUID

import msgspec
import pytest

from msmqctl import errors
from msmqctl.ops import messages, parcel, queues
from msmqctl.ops.message_row import Draft
from msmqctl.ops.messages import Place, Spot
from msmqctl.ops.parcel import Form, Frame, UnreadableError, Word
from msmqctl.ops.queue_rows import Privacy
from msmqctl.qm.host import Desk
from msmqctl.qm.store import StoreBusyError
from msmqctl.wire.names import MulticastName
from msmqctl.wire.status import HResult


def journeys() -> Iterator[Callable[..., Any]]:
    for room in parcel.ROOMS:
        module = import_module(f"msmqctl.ops.{room}")
        for name, function in getmembers(module, isfunction):
            own = function.__module__ == module.__name__ and not name.startswith("_")
            if own and next(iter(get_type_hints(function).values()), None) is Desk:
                yield function


JOURNEYS = list(journeys())


@pytest.mark.parametrize("journey", JOURNEYS, ids=[journey.__qualname__ for journey in JOURNEYS])
def test_every_journey_can_cross(journey: Callable[..., Any]) -> None:
    form = parcel.journey_named(parcel.form_of(journey).name)
    assert form.function is journey
    kinds = [*form.parameters.values(), form.answer if form.row is None else form.row]
    for kind in kinds if form.feed is None else [*kinds, form.feed[1]]:
        # Raises TypeError for a type that cannot be built out of octets.
        msgspec.json.Decoder(kind, dec_hook=parcel._usual)


def test_there_are_journeys() -> None:
    assert {messages.send, messages.receive, queues.create_queue} <= set(JOURNEYS)


def crossed(journey: Callable[..., Any], *given: Any, **named: Any) -> tuple[Form, dict[str, Any]]:
    _, octets, _ = parcel.pack_call(journey, *given, **named)
    return parcel.read_call(octets)


def test_arguments_arrive_as_they_left() -> None:
    form, arguments = crossed(messages.peek, "orders", count=3, timeout=None, spot=Spot(Place.LAST))
    assert form.function is messages.peek
    assert arguments == {"queue": "orders", "count": 3, "timeout": None, "spot": Spot(Place.LAST)}
    options = queues.QueueOptions(
        label="half a pair: \ud800", type=UUID(int=7), privacy=Privacy.BODY, multicast=MulticastName(IPv4Address("234.1.2.3"), 8001)
    )
    assert crossed(queues.create_queue, "orders", options, rehearse=True)[1] == {"typed": "orders", "options": options, "rehearse": True}


def test_a_feed_stays_with_the_caller() -> None:
    drafts = [Draft(label="a"), Draft(body=b"\0\xff", ttbr=5)]
    form, octets, feed = parcel.pack_call(messages.send, "orders", drafts)
    assert parcel.read_call(octets)[1] == {"queue": "orders"}
    assert feed is not None
    assert list(feed) == drafts
    assert form.feed is not None
    assert [parcel.read(parcel.pack(draft), form.feed[1]) for draft in drafts] == drafts


@pytest.mark.parametrize(
    "name",
    ["", "messages", "messages.", "messages._open", "messages.uuid4", "messages.local_user", "messages.Draft", "os.system",
     "local.local_manager", "parcel.pack", "messages.send.__call__", "queues.require"],
)  # fmt: skip
def test_nothing_else_can_be_asked_for(name: str) -> None:
    with pytest.raises(UnreadableError, match="no journey"):
        parcel.read_call(parcel.pack({"journey": name, "arguments": {}}))


@pytest.mark.parametrize(
    "call",
    [
        {"journey": "messages.peek", "arguments": {"queue": 7}},
        {"journey": "messages.peek", "arguments": {"queue": "orders", "count": "many"}},
        {"journey": "messages.peek", "arguments": {"queue": "orders", "desk": None}},
        {"journey": "messages.send", "arguments": {"queue": "orders", "drafts": []}},
        {"journey": "messages.peek"},
        [],
    ],
)
def test_what_is_not_declared_is_refused(call: object) -> None:
    with pytest.raises(UnreadableError):
        parcel.read_call(parcel.pack(call))


@pytest.mark.parametrize("octets", [b"", b"{", b"\xff", b"[" * 100_000])
def test_what_is_no_call_is_refused(octets: bytes) -> None:
    with pytest.raises(UnreadableError):
        parcel.read_call(octets)


def test_frames() -> None:
    for word in Word:
        assert Frame.read(Frame(word, b"x").pack()) == Frame(word, b"x")
    for octets in (b"", b"\0", b"\xff"):
        with pytest.raises(UnreadableError):
            Frame.read(octets)


@pytest.mark.parametrize(
    "error",
    [
        errors.StatusError("no.", status=HResult.MQ_ERROR_QUEUE_NOT_FOUND, operation="peek", hint="try another."),
        errors.DecodeError("it is no JSON", where="line 3", offset=12),
        errors.StoreError("the disk is full.", path="/somewhere"),
        errors.AccessError("no right."),
        errors.DirectoryError("no.", result="busy", ldap_code=None),
        errors.MsmqError("something."),
    ],
)
def test_an_error_arrives_as_it_left(error: errors.MsmqError) -> None:
    arrived = parcel.read_error(parcel.pack_error(error))
    assert type(arrived) is type(error)
    assert (str(arrived), vars(arrived)) == (str(error), vars(error))
    if isinstance(arrived, errors.StatusError):
        assert isinstance(arrived.status, HResult)


def test_a_kind_that_a_room_keeps_to_itself_arrives_as_the_one_above() -> None:
    arrived = parcel.read_error(parcel.pack_error(StoreBusyError("taken.", path="/x")))
    assert type(arrived) is errors.StoreError


def test_a_fault_of_ours_is_told_as_one() -> None:
    arrived = parcel.read_error(parcel.pack_error(KeyError("oops")))
    assert isinstance(arrived, RuntimeError)
    assert str(arrived) == "the server failed: KeyError: 'oops'"
