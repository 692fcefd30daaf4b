"""What the store keeps of messages, queues and the queue manager: the text to the letter, back again, by chance, and damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from msmqctl.errors import StoreError
from msmqctl.qm.directory_model import QueueManager
from msmqctl.qm.element import Value, persistent, persistent_attributes, value
from msmqctl.qm.message import (
    Message,
    SenderIdentifierType,
    SingleName,
)
from msmqctl.qm.model import (
    OutgoingQueue,
    Queue,
    QueueType,
)
from msmqctl.qm.shelf import (
    Shelf,
    content_of,
    manager_attributes,
    manager_of,
    message_of,
    queue_attributes,
)
from msmqctl.qm.store import Content
from msmqctl.wire.identity import ObjectId, TxSequenceId
from msmqctl.wire.keys import ProviderKey
from msmqctl.wire.names import ElementName, FormatName, MulticastName, PathName, parse_format_name
from msmqctl.wire.open_enum import OpenEnum
from msmqctl.wire.record import from_wide, to_wide
from msmqctl.wire.security import SecurityDescriptor
from msmqctl.wire.sid import Sid
from tests.qm.attributes import DIRECT, OTHER
from tests.qm.kept import GUID, KINDS, NOON, PATH, every_kind, exact, made, minimal, read, written
from tests.wire.security_values import USER, descriptors, sids
from tests.wire.test_keys import provider_keys
from tests.wire.test_names_random import ELEMENTS, FORMAT_NAMES, MACHINES, MULTICASTS, PATHS

# ---- the text, and back


@every_kind
def test_an_element_is_written_to_the_letter_and_read_back(kind: type[Any]) -> None:
    attributes, text = KINDS[kind]
    text = text.replace("\n", "")
    element = made(kind, attributes)
    assert written(element) == text
    found = read(kind, text, attributes.get("body", b""))
    assert type(found) is kind
    assert exact(found) == exact(element)


@every_kind
def test_the_samples_have_every_attribute_and_no_default(kind: type[Any]) -> None:
    attributes, _ = KINDS[kind]
    assert set(attributes) == set(persistent_attributes(kind))
    plain, rich = exact(made(kind, minimal(kind))), exact(made(kind, attributes))
    assert {name for name in plain if plain[name] == rich[name]} == set(minimal(kind))


@every_kind
def test_each_attribute_is_written_alone(kind: type[Any]) -> None:
    # What an attribute cannot be without.
    companions = {"sender_identifier": ["sender_identifier_type"], "multicast": ["destination_format_name"]}
    attributes, text = KINDS[kind]
    kept = json.loads(text)
    for name in kept:
        names = {*minimal(kind), *companions.get(name, []), name}
        element = made(kind, {one: attributes[one] for one in names})
        assert json.loads(written(element)) == {one: kept[one] for one in names}
        assert exact(read(kind, written(element))) == exact(element)


def test_defaults_are_not_written() -> None:
    assert content_of(Message()) == Content("{}", b"")
    # Equal, and not the same objects.
    assert content_of(Message(tracing_queue_identifier=UUID(int=0), time_to_be_received=int("4294967295"))) == Content("{}", b"")
    assert queue_attributes(Queue(queue_type=QueueType.SYSTEM)) == '{"queue_type":"System"}'
    assert manager_attributes(QueueManager()) == "{}"


def test_a_message_keeps_its_body_beside_the_text() -> None:
    body = bytes(range(256))
    content = content_of(Message(body=body))
    assert content == Content("{}", body)
    assert message_of(content, path=PATH).body == body


def test_a_queue_knows_its_number_and_what_it_holds_from_the_row() -> None:
    queue = read(Queue, '{"queue_type":"Private"}')
    assert (queue.key, queue.total_bytes) == (3, 2800)


def test_collections_are_not_shared() -> None:
    manager_of("{}", path=PATH).queue_collection.add(1)
    assert manager_of("{}", path=PATH).queue_collection == set()
    assert manager_attributes(QueueManager()) == "{}"


@pytest.mark.parametrize("sender", [USER, GUID, None], ids=["sid", "guid", "none"])
def test_a_sender_is_a_sid_or_a_guid(sender: Sid | UUID | None) -> None:
    kind = SenderIdentifierType.QUEUE_MANAGER_IDENTIFIER if sender is GUID else SenderIdentifierType.SID
    message = Message(sender_identifier_type=kind, sender_identifier=sender)
    assert message_of(content_of(message), path=PATH) == message


@pytest.mark.parametrize("transaction", [GUID, 0, 7, None])
def test_a_transaction_is_a_guid_or_a_number(transaction: UUID | int | None) -> None:
    found = message_of(content_of(Message(transaction_identifier=transaction)), path=PATH)
    assert found.transaction_identifier == transaction


def test_a_time_in_another_word_for_utc_is_the_same_time() -> None:
    message = Message(sent_time=NOON.astimezone(timezone(timedelta(0), "Zulu")))
    assert content_of(message).attributes == '{"sent_time":1770120000000001}'


def test_names_that_are_equal_keep_their_own_letters() -> None:
    # More names than are remembered, then the first ones again.
    texts = [f"DIRECT=OS:{host}{number}\\q" for number in range(700) for host in ("host", "HOST")]
    names = [parse_format_name(text) for text in texts]
    for name, text in zip([*names, *names], [*texts, *texts], strict=True):
        content = content_of(replace(Message(), response_queue_format_name=name))
        assert json.loads(content.attributes) == {"response_queue_format_name": text}
        assert str(message_of(content, path=PATH).response_queue_format_name) == text


# ---- chance

TEXTS = st.text(st.characters(exclude_categories=[]), max_size=80).map(lambda text: from_wide(to_wide(text)))
BY_TYPES: dict[frozenset[Any], st.SearchStrategy[Any]] = {
    frozenset({bool}): st.booleans(),
    frozenset({int}): st.integers(0, 7) | st.integers(0, 0xFFFFFFFF),
    frozenset({str}): TEXTS,
    frozenset({bytes}): st.binary(max_size=40),
    frozenset({datetime}): st.datetimes(timezones=st.just(UTC), allow_imaginary=False).map(lambda time: time.replace(fold=0)),
    frozenset({UUID}): st.uuids(),
    frozenset({UUID, int}): st.uuids() | st.integers(0, 0xFFFFFFFF),
    frozenset({Sid, UUID}): sids | st.uuids(),
    frozenset({ObjectId}): st.builds(ObjectId, st.uuids(), st.integers(0, 0xFFFFFFFF)),
    frozenset({TxSequenceId}): st.integers(0, (1 << 64) - 1).map(TxSequenceId),
    frozenset({PathName}): PATHS,
    frozenset({ProviderKey}): provider_keys,
    frozenset({SecurityDescriptor}): descriptors,
    frozenset({MulticastName}): MULTICASTS,
    frozenset(get_args(ElementName)): ELEMENTS,
    frozenset(get_args(SingleName)): ELEMENTS | MACHINES,
    frozenset(get_args(FormatName)): FORMAT_NAMES,
}


def values_of(declared: Any) -> st.SearchStrategy[Any]:
    kinds = frozenset(get_args(declared) if get_origin(declared) in (Union, UnionType) else [declared]) - {NoneType}
    if kinds in BY_TYPES:
        return BY_TYPES[kinds]
    (kind,) = kinds
    if get_origin(kind) in (tuple, set):
        return st.lists(values_of(get_args(kind)[0]), max_size=3).map(get_origin(kind))
    assert issubclass(kind, Enum)
    # Of an open enumeration a number without a name, too.
    return st.sampled_from([*kind, kind(0x1234)] if issubclass(kind, OpenEnum) else list(kind))


def admitted(check: Callable[[Any], str | None] | None) -> Callable[[Any], bool]:
    return lambda found: check is None or check(found) is None


@st.composite
def elements(draw: st.DrawFn, kind: type[Any]) -> Any:
    declared = get_type_hints(kind)
    checks = {one.name: one.metadata["check"] for one in fields(kind)}
    strategies = {name: values_of(declared[name]).filter(admitted(checks[name])) for name in persistent_attributes(kind)}
    names = draw(st.sets(st.sampled_from(sorted(strategies)), max_size=12)) | minimal(kind).keys()
    attributes = {name: draw(strategies[name]) for name in sorted(names)}
    if (sender := attributes.get("sender_identifier")) is not None:
        attributes["sender_identifier_type"] = SenderIdentifierType(1 if isinstance(sender, Sid) else 2)
    if "multicast" in attributes:
        attributes["multicast"] = isinstance(attributes["destination_format_name"], MulticastName)
    return made(kind, attributes)


@every_kind
@settings(max_examples=150)
@given(data=st.data())
def test_what_is_written_is_read_back(kind: type[Any], data: st.DataObject) -> None:
    element = data.draw(elements(kind))
    text = written(element)
    text.encode("ascii")
    assert set(json.loads(text)) <= set(persistent_attributes(kind))
    found = read(kind, text, getattr(element, "body", b""))
    assert exact(found) == exact(element)
    assert written(found) == text


# ---- damage


def refused(kind: type[Any], text: str) -> StoreError:
    with pytest.raises(StoreError) as caught:
        read(kind, text)
    assert caught.value.path == PATH
    assert caught.value.message.startswith(f"{PATH}: ")
    assert len(caught.value.message) < 400
    return caught.value


@every_kind
def test_what_a_newer_version_wrote_is_refused_by_name(kind: type[Any]) -> None:
    kept = json.loads(KINDS[kind][1])
    error = refused(kind, json.dumps(kept | {"colour": 5}))
    assert "'colour'" in error.message
    assert error.hint == "use the newer msmqctl that wrote it."


@every_kind
@pytest.mark.parametrize("text", ["", "{", "[]", "null", "7", "NaN", '"{}"', "[" * 100_000, '{"label":' + "9" * 5000 + "}", "\0"])
def test_what_is_no_object_is_damaged(kind: type[Any], text: str) -> None:
    assert "is damaged (" in refused(kind, text).message


@every_kind
def test_what_must_be_there_is_missed(kind: type[Any]) -> None:
    kept = json.loads(KINDS[kind][1])
    for name in minimal(kind).keys() - {"destination_format_name"}:
        assert f"({name}: missing)" in refused(kind, json.dumps({key: kept[key] for key in kept if key != name})).message


JUNK: list[object] = [
    None,
    1.5,
    {},
    True,
    -1,
    10**30,
    "",
    "\0",
    "\ud800",
    "x" * 5000,
    "S-1-",
    "A===",
    "é",
    "0" * 32,
    [],
    [[]],
    [None],
    ["x"],
    [-1, 0.5],
]


@every_kind
def test_a_value_of_the_wrong_type_is_damaged_and_no_other_value_does_harm(kind: type[Any]) -> None:
    kept = json.loads(KINDS[kind][1])
    for name, right in kept.items():
        for junk in JUNK:
            text = json.dumps(kept | {name: junk})
            if type(junk) is type(right) or (name == "transaction_identifier" and type(junk) is int):
                with suppress(StoreError):
                    read(kind, text)
            else:
                assert name in refused(kind, text).message


@pytest.mark.parametrize(
    ("kind", "name", "wrong"),
    [
        (Message, "priority", 8),
        (Message, "label", "x" * 250),
        (Message, "size", 1 << 32),
        (Message, "sent_time", 10**18),
        (Message, "identifier", f"{GUID.hex}:4294967296"),
        (Message, "identifier", GUID.hex),
        (Message, "source_machine_identifier", f"{GUID.hex} "),
        (Message, "transactional_message_sequence_identifier", "00" * 9),
        (Message, "sender_identifier", "S-1-1-0"),
        (Message, "delivery_guarantee", 2),
        (Message, "extension", "AP4"),
        (Message, "destination_queue_format_name", f"{DIRECT},{OTHER}"),
        (Message, "destination_multi_queue_format_name", [f"MACHINE={GUID};JOURNAL"]),
        (Message, "response_queue_format_name", "host\\q"),
        (Queue, "multicast_address", str(DIRECT)),
        (Queue, "pathname", "orders"),
        (Queue, "quota", -1),
        (Queue, "queue_type", "private"),
        (Queue, "security", "AQAEgA=="),
        (OutgoingQueue, "destination_format_name", str(DIRECT)),
        (QueueManager, "public_signing_key_list", ["FQAAAAQAAAAYAAAAUAAAAAYCAAAApAAAUlNBMQgAAAADAAAAqwA="]),
        (QueueManager, "operating_system_type", ""),
        (QueueManager, "sequential_id", 1 << 64),
    ],
)
def test_a_value_that_no_element_can_have_is_damaged(kind: type[Any], name: str, wrong: object) -> None:
    error = refused(kind, json.dumps(json.loads(KINDS[kind][1]) | {name: wrong}))
    assert "is damaged (" in error.message


@every_kind
@given(data=st.data())
def test_a_text_with_letters_changed_is_an_element_or_a_store_error(kind: type[Any], data: st.DataObject) -> None:
    text = KINDS[kind][1].replace("\n", "")
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 9)))
    with suppress(StoreError):
        read(kind, text[:start] + data.draw(st.text(max_size=3) | st.sampled_from(list('0-{}[]",:\\'))) + text[end:])


@value
class Odd(Value):
    odd: complex = persistent(default=0j)


@value
class Unsaid(Value):
    unsaid: int | None = persistent(default=1)


@pytest.mark.parametrize("kind", [Odd, Unsaid])
def test_an_attribute_that_cannot_be_kept_is_found_when_the_shelf_is_made(kind: type[Any]) -> None:
    with pytest.raises(TypeError):
        Shelf(kind, "a thing")
