"""What all elements share: which are directory objects, identifiers that stay, lifetimes, room for more, and no attribute forgotten."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_type_hints
from uuid import UUID

import pytest

from msmqctl.qm.directory_model import ConnectedNetwork, Enterprise, QueueManager, RoutingLink, Site, User
from msmqctl.qm.element import (
    DirectoryObject,
    Element,
    Lifetime,
    Value,
    between,
    directory,
    directory_attributes,
    element,
    lifetimes,
    persistent,
    persistent_attributes,
    value,
    volatile,
)
from msmqctl.qm.message import Message
from msmqctl.qm.model import OutgoingQueue, Queue, QueueType
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.sid import Sid
from tests.qm.attributes import ONE, SAMPLES, TWO

TABLE = Path(__file__).parent.parent / "data" / "adm-attributes.txt"
BY_NAME = {cls.__name__: cls for cls in SAMPLES}
# Attributes with a name of ours, since Python keeps the word for itself.
SPELLINGS = {"Class": "message_class"}
# Attributes that are no field: where to find them instead.
NOT_FIELDS = {
    "DM-3.1.1.2-A20": "Queue.scope, a constant",
    "DM-3.1.1.2-A21": "is_active(), derived at each read",
    "DM-3.1.1.2-A28": "the store, which keeps positions in order",
    "DM-3.1.1.11-A2": "MessagePosition.message_reference, the key under which the store keeps both",
    "DM-3.1.1.11-A3": "the store: the next greater lookup identifier in the queue",
    "DM-3.1.1.11-A4": "the store: the next smaller one",
}
# Unmarked in the document, and persistent here: see the departures in the code.
MADE_PERSISTENT = {"DM-3.1.1.1-A40", "DM-3.1.1.2-A25", "DM-3.1.1.2-A26", "DM-3.1.1.11-A5"}


def rows() -> list[list[str]]:
    return [line.split() for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def spelled(attribute: str) -> str:
    """The name of an attribute in our spelling."""
    return SPELLINGS.get(attribute) or re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", attribute).lower()


def test_every_attribute_of_the_document_exists_with_its_lifetime() -> None:
    assert len(rows()) == 239
    found = {}
    for identifier, element_name, attribute, _ in rows():
        known = lifetimes(BY_NAME[element_name])
        if identifier not in NOT_FIELDS:
            found[identifier] = known[spelled(attribute)].value
        else:
            assert spelled(attribute) not in known
    # What is D/P in the table is published if the queue is public: `published_attributes` decides that.
    wanted = {row[0]: "P" if row[0] in MADE_PERSISTENT else row[3].removesuffix("/P") for row in rows() if row[0] not in NOT_FIELDS}
    assert found == wanted


def test_nothing_is_declared_that_the_document_does_not_have_but_keys_sizes_and_what_comes_late() -> None:
    documented = {(name, spelled(attribute)) for _, name, attribute, _ in rows()}
    inherited = {("OutgoingQueue", one.name) for one in fields(Queue)}
    declared = {(cls.__name__, one.name) for cls in SAMPLES for one in fields(cls)}
    assert declared - documented - inherited == {
        ("Message", "size"),
        ("Cursor", "latecomers"),
        ("MessagePosition", "counted"),
        ("MessagePosition", "lookup_identifier"),
        ("MessagePosition", "size"),
        ("Queue", "key"),
    }


@pytest.mark.spec("DM-3.1.1-2")
def test_seven_elements_are_directory_objects_and_the_others_are_not() -> None:
    directory_objects = {QueueManager, Queue, OutgoingQueue, Enterprise, Site, RoutingLink, ConnectedNetwork, User}
    assert {cls for cls in SAMPLES if issubclass(cls, DirectoryObject)} == directory_objects
    assert issubclass(OutgoingQueue, Queue)
    assert all(not directory_attributes(cls) for cls in set(SAMPLES) - directory_objects)


@pytest.mark.parametrize(
    "cls",
    [
        pytest.param(QueueManager, marks=pytest.mark.spec("DM-3.1.1-3", "DM-3.1.1.1-A1")),
        pytest.param(Queue, marks=pytest.mark.spec("DM-3.1.1-3", "DM-3.1.1.2-A1")),
        pytest.param(OutgoingQueue, marks=pytest.mark.spec("DM-3.1.1-3")),
        pytest.param(Enterprise, marks=pytest.mark.spec("DM-3.1.1-3", "DM-3.1.1.6-A1")),
        pytest.param(Site, marks=pytest.mark.spec("DM-3.1.1-3", "DM-3.1.1.7-A1")),
        pytest.param(RoutingLink, marks=pytest.mark.spec("DM-3.1.1-3", "DM-3.1.1.8-A1")),
        pytest.param(ConnectedNetwork, marks=pytest.mark.spec("DM-3.1.1-3", "DM-3.1.1.9-A1")),
        pytest.param(User, marks=pytest.mark.spec("DM-3.1.1-3", "DM-3.1.1.15-A1")),
    ],
)
def test_an_identifier_is_given_once_and_stays(cls: type[Any]) -> None:
    sample = SAMPLES[cls]()
    assert lifetimes(cls)["identifier"] is Lifetime.DIRECTORY
    assert sample.identifier == NULL_GUID
    sample.identifier = ONE
    sample.identifier = ONE
    for other in (TWO, NULL_GUID):
        with pytest.raises(ValueError, match=r"identifier: .* cannot become"):
            sample.identifier = other
    assert sample.identifier == ONE


@pytest.mark.spec("DM-3.1.1-8")
def test_a_protocol_may_add_to_an_element_and_to_a_message() -> None:
    @element
    class MulticastQueue(Queue):
        rate_kb: int = volatile(default=560, check=between(1, 1000))

    @value
    class TracedMessage(Message):
        hops: tuple[str, ...] = persistent(default=())

    queue = MulticastQueue(queue_type=QueueType.PRIVATE)
    assert set(lifetimes(MulticastQueue)) - set(lifetimes(Queue)) == {"rate_kb"}
    with pytest.raises(ValueError, match=r"MulticastQueue\.rate_kb: 0 is not between 1 and 1000"):
        queue.rate_kb = 0
    with pytest.raises(ValueError, match=r"MulticastQueue\.quota"):
        queue.quota = -1
    assert TracedMessage(label="a", hops=("b",)).hops == ("b",)
    with pytest.raises(ValueError, match=r"TracedMessage\.priority"):
        TracedMessage(priority=9)


@pytest.mark.spec("DM-3.1.1-9")
def test_identifiers_are_guids_and_sids_of_the_wire() -> None:
    for cls in (QueueManager, Queue, Enterprise, Site, RoutingLink, ConnectedNetwork, User):
        assert get_type_hints(cls)["identifier"] is UUID
    assert get_type_hints(User)["security_identifier"] is Sid
    assert get_type_hints(Message)["sender_identifier"] == Sid | UUID | None


@element
class Lamp(Element):
    """One attribute of each lifetime."""

    maker: str = directory(default="")
    watts: int = persistent(check=between(1, 100))
    lit: bool = volatile(default=False)


@value
class Colour(Value):
    """One checked attribute."""

    red: int = persistent(check=between(0, 255))


def test_what_the_directory_holds_survives_a_restart_too() -> None:
    assert directory_attributes(Lamp) == ("maker",)
    assert persistent_attributes(Lamp) == ("maker", "watts")
    assert lifetimes(Lamp) == {"maker": Lifetime.DIRECTORY, "watts": Lifetime.PERSISTENT, "lit": Lifetime.VOLATILE}


def test_a_refused_value_leaves_an_element_as_it_was() -> None:
    lamp = Lamp(watts=60)
    with pytest.raises(ValueError, match=r"^Lamp\.watts: 101 is not between 1 and 100$"):
        lamp.watts = 101
    assert lamp.watts == 60
    with pytest.raises(ValueError, match=r"^Lamp\.watts: 0 "):
        Lamp(watts=0)


def test_an_attribute_that_does_not_exist_cannot_be_set() -> None:
    with pytest.raises(AttributeError):
        setattr(Lamp(watts=60), "colour", Colour(red=1))  # noqa: B010 - the type checker knows already


def test_elements_equal_themselves_and_values_their_content() -> None:
    assert Lamp(watts=60) != Lamp(watts=60)
    assert len({Lamp(watts=60), Lamp(watts=60)}) == 2
    assert Colour(red=1) == Colour(red=1)
    assert len({Colour(red=1), Colour(red=1)}) == 1


def test_a_changed_copy_is_checked_where_it_changes() -> None:
    message = Message(label="L", body=b"b", priority=5)
    changed = message.changed(priority=6, label="M")
    assert changed == replace(message, priority=6, label="M")
    assert (message.priority, message.label) == (5, "L")
    with pytest.raises(ValueError, match=r"Message\.priority"):
        message.changed(priority=8)
    with pytest.raises(TypeError, match="has no colour"):
        message.changed(colour="red")


def test_a_value_is_made_of_attributes_that_it_has_and_that_fit() -> None:
    with pytest.raises(ValueError, match=r"Message\.priority"):
        Message(priority=8)
    with pytest.raises(ValueError, match=r"Message\.sender_identifier"):
        Message(sender_identifier=UUID(int=1))
    for wrong in ({"colour": "red"}, {"red": 1, "green": 2}):
        with pytest.raises(TypeError, match=r"needs red|has no green"):
            Colour(**wrong)


def test_a_value_holds_what_it_was_given_and_shares_its_defaults() -> None:
    message = Message(label="L")
    assert vars(message) == {"label": "L"}
    assert message == Message(label="L", priority=3)
    with pytest.raises(AttributeError):
        setattr(message, "priority", 4)  # noqa: B010 - the type checker knows already
