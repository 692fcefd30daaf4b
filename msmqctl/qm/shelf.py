"""Elements as the store keeps them: a message, a queue or the queue manager to JSON text, and back. [MS-MQDMPR] 3.1.1

    message         {"label":"Order 4711","priority":5,...}     its body stands beside the text, as octets
    queue           {"pathname":"host\\\\orders","queue_type":"Public",...}
    queue manager   {"computer_name":"host",...}

The keys are the names of the attributes that survive a restart; volatile ones are never written. Neither are defaults: so a text stays
short, and a later version that knows more attributes reads what this one wrote. A key that this version does not know was written by
a newer one, and is refused, because to drop it would lose what it says.

How an attribute is written follows from the type it is declared with:

    bool, int, str            as JSON has them          Sid, names of queues    their text
    enumerations              their value               ObjectId                GUID, colon, decimal number
    UUID                      32 hexadecimal digits     TxSequenceId            16 hexadecimal digits
    datetime                  microseconds since 1970   tuple, set              a list
    bytes, keys, descriptors  base64 of their octets

Reading trusts nothing: each value is held to its type and to the checks of its element, and whatever is wrong is a StoreError.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, Field, fields
from datetime import UTC, datetime, timedelta
from enum import Enum, IntEnum, IntFlag, StrEnum
from functools import lru_cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from msmqctl.errors import MsmqError, StoreError
from msmqctl.qm.directory_model import QueueManager
from msmqctl.qm.element import Value, persistent_attributes
from msmqctl.qm.message import Message
from msmqctl.qm.model import OutgoingQueue, Queue
from msmqctl.qm.store import Content, QueueRow
from msmqctl.wire.identity import ObjectId, TxSequenceId
from msmqctl.wire.keys import ProviderKey
from msmqctl.wire.names import FormatName, PathName, parse_format_name, parse_path_name
from msmqctl.wire.nametext import abridged
from msmqctl.wire.record import Reader
from msmqctl.wire.security import SecurityDescriptor
from msmqctl.wire.sid import Sid

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# Messages of one queue name the same few queues, senders and machines, and parsing a name costs more than all the rest of a message.
_remembered = lru_cache(maxsize=1024)


class Codec(NamedTuple):
    """How values of one type are kept."""

    forms: frozenset[type]
    """What JSON may have in their place."""
    write: Callable[[Any], str]
    """The value as JSON text: pieces of text are put together faster than a dictionary is built and handed to the library."""
    read: Callable[[Any], Any]
    """The value from what JSON had; ValueError, OverflowError or MsmqError if it is none."""


_NUMBER, _TEXT, _LIST = frozenset({int}), frozenset({str}), frozenset({list})

# Escapes all but ASCII, because SQLite takes no half of a surrogate pair, and a label may have one.
_quote: Callable[[str], str] = json.JSONEncoder().encode


def _in_hexadecimal(guid: UUID) -> str:
    return f'"{guid.int:032x}"'


@_remembered
def _read_guid(text: str) -> UUID:
    if len(text) != 32:
        raise ValueError(f"{len(text)} characters are no GUID")
    return UUID(bytes=bytes.fromhex(text))


def _read_object_id(text: str) -> ObjectId:
    lineage, _, digits = text.partition(":")
    number = int(digits)
    if not 0 <= number <= 0xFFFFFFFF:
        raise ValueError(f"{number} does not fit into 32 bits")
    return ObjectId(_read_guid(lineage), number)


def _read_sequence_id(text: str) -> TxSequenceId:
    octets = bytes.fromhex(text)
    if len(octets) != 8:
        raise ValueError(f"{len(octets)} octets are no sequence identifier")
    return TxSequenceId(int.from_bytes(octets, "big"))


def _in_base64(octets: bytes) -> str:
    return f'"{b64encode(octets).decode("ascii")}"'


def _from_base64(text: str) -> bytes:
    return b64decode(text, validate=True)


def _read_provider_key(text: str) -> ProviderKey:
    reader = Reader(_from_base64(text))
    key = ProviderKey.read(reader)
    reader.expect_end("MQDSPUBLICKEY")
    return key


# The texts of SIDs and names, by the identity of the object, which stands beside its text so that no other can take its place.
# By equality would not do: names that differ in case are equal, and to compare them takes as long as to print them.
_printed: dict[int, tuple[object, str]] = {}
_MOST_PRINTED = 1024


def _quoted(value: object) -> str:
    known = _printed.get(id(value))
    if known is not None:
        return known[1]
    if len(_printed) >= _MOST_PRINTED:
        _printed.clear()
    text = _quote(str(value))
    _printed[id(value)] = value, text
    return text


_read_sid = _remembered(Sid.parse)
_read_path_name = _remembered(parse_path_name)
_read_format_name = _remembered(parse_format_name)

# By the types that an attribute may have besides None. Enumerations, format names and collections are found by `_codec_of`.
_CODECS: dict[frozenset[Any], Codec] = {
    frozenset({bool}): Codec(frozenset({bool}), {False: "false", True: "true"}.__getitem__, bool),
    # Not str: a member of an enumeration may stand where a number is declared.
    frozenset({int}): Codec(_NUMBER, int.__repr__, int),
    frozenset({str}): Codec(_TEXT, _quote, str),
    frozenset({bytes}): Codec(_TEXT, _in_base64, _from_base64),
    frozenset({datetime}): Codec(
        _NUMBER,
        lambda time: int.__repr__((time - _EPOCH) // _MICROSECOND),
        lambda microseconds: _EPOCH + microseconds * _MICROSECOND,
    ),
    frozenset({UUID}): Codec(_TEXT, _in_hexadecimal, _read_guid),
    frozenset({Sid}): Codec(_TEXT, _quoted, _read_sid),
    frozenset({Sid, UUID}): Codec(
        _TEXT,
        lambda sender: _in_hexadecimal(sender) if isinstance(sender, UUID) else _quoted(sender),
        lambda text: _read_sid(text) if text.startswith("S-") else _read_guid(text),
    ),
    frozenset({UUID, int}): Codec(
        _NUMBER | _TEXT,
        lambda transaction: _in_hexadecimal(transaction) if isinstance(transaction, UUID) else int.__repr__(transaction),
        lambda kept: _read_guid(kept) if isinstance(kept, str) else kept,
    ),
    frozenset({ObjectId}): Codec(_TEXT, lambda one: f'"{one.lineage.int:032x}:{one.uniquifier}"', _read_object_id),
    frozenset({TxSequenceId}): Codec(_TEXT, lambda sequence: f'"{int(sequence):016x}"', _read_sequence_id),
    frozenset({PathName}): Codec(_TEXT, _quoted, _read_path_name),
    frozenset({ProviderKey}): Codec(_TEXT, lambda key: _in_base64(key.pack()), _read_provider_key),
    # Octets and not SDDL, which has no words for some of the control bits.
    frozenset({SecurityDescriptor}): Codec(
        _TEXT, lambda descriptor: _in_base64(descriptor.pack()), lambda text: SecurityDescriptor.read_all(_from_base64(text))
    ),
}
_FORMAT_NAMES = frozenset(get_args(FormatName))
# What an enumeration of each family is kept as.
_ENUMERATIONS: dict[type[Enum], frozenset[Any]] = {IntEnum: frozenset({int}), IntFlag: frozenset({int}), StrEnum: frozenset({str})}
# Sets have no order of their own, and the same set shall make the same text.
_ORDERS: dict[type, Callable[[Collection[Any]], Collection[Any]]] = {tuple: tuple, set: sorted}


def _codec_of(declared: Any) -> Codec:
    """The codec for what an attribute is declared as. A type without one is a TypeError when this module is loaded."""
    kinds = frozenset(get_args(declared) if get_origin(declared) in (Union, UnionType) else (declared,)) - {NoneType}
    if kinds in _CODECS:
        return _CODECS[kinds]
    if kinds <= _FORMAT_NAMES:
        return _format_name_codec(kinds)
    if len(kinds) == 1:
        (kind,) = kinds
        if get_origin(kind) in _ORDERS:
            return _collection_codec(get_origin(kind), _codec_of(get_args(kind)[0]))
        for family, kept_as in _ENUMERATIONS.items():
            if issubclass(kind, family):
                return _CODECS[kept_as]._replace(read=kind)
    raise TypeError(f"no way to keep {declared}")


def _format_name_codec(kinds: Collection[type]) -> Codec:
    def read(text: str) -> FormatName:
        name = _read_format_name(text)
        if type(name) not in kinds:
            raise ValueError(f"{name} is a name of another kind")
        return name

    return Codec(_TEXT, _quoted, read)


def _collection_codec(kind: Any, item: Codec) -> Codec:
    order = _ORDERS[kind]

    def write(values: Collection[Any]) -> str:
        return f"[{','.join(map(item.write, order(values)))}]"

    def read(kept: list[Any]) -> Any:
        if not item.forms.issuperset(map(type, kept)):
            raise ValueError("an entry of the wrong type")
        return kind(map(item.read, kept))

    return Codec(_LIST, write, read)


class _Memo:
    """How one attribute is written, and what was written last: most messages of an application differ in a few attributes only."""

    __slots__ = ("announce", "default_text", "last", "write")

    def __init__(self, announce: str, write: Callable[[Any], str], default_text: str | None) -> None:
        self.announce = announce
        self.write = write
        self.default_text = default_text
        # Value and text are one object, so that no other thread sees one without the other.
        self.last: tuple[object, str] = (MISSING, "")

    def text_of(self, content: Any) -> str:
        """What to write for an attribute; nothing for its default."""
        text = self.write(content)
        text = "" if text == self.default_text else self.announce + text
        # Octets may be many, and are seldom the same twice.
        if type(content) is not bytes:
            self.last = content, text
        return text


class Shelf:
    """All that is known about one kind of element before the first of them is written or read."""

    def __init__(self, kind: type[Any], noun: str, *, apart: Collection[str] = ()) -> None:
        self.noun = noun
        declared = get_type_hints(kind)
        by_name = {one.name: one for one in fields(kind)}
        names = [name for name in persistent_attributes(kind) if name not in apart]
        self.codecs = {name: _codec_of(declared[name]) for name in names}
        self._values_of = attrgetter(*names)
        # MISSING stands for no default: it differs from every value, so that what must be there is always written.
        self._defaults = [_default_of(by_name[name]) for name in names]
        self._required = [name for name, default in zip(names, self._defaults, strict=True) if default is MISSING]
        for name, default in zip(names, self._defaults, strict=True):
            if NoneType in get_args(declared[name]) and default is not None:
                raise TypeError(f"{kind.__name__}.{name}: None is kept by not writing it, so it must be the default")
        # How an attribute is announced, and what writes its value.
        self._rows = [(f"{_quote(name)}:", self.codecs[name].write) for name in names]
        self._memos = {
            name: _Memo(*row, None if default is MISSING or default is None else row[1](default))
            for name, row, default in zip(names, self._rows, self._defaults, strict=True)
        }

    def write(self, element: Any) -> str:
        """The attributes of an element that differ from their defaults."""
        # Most values are the very objects of the defaults, and None equals nothing else: only the rest has to be compared.
        written = [
            row[0] + row[1](value)
            for row, default, value in zip(self._rows, self._defaults, self._values_of(element), strict=False)
            if value is not default and (default is None or value != default)
        ]
        return f"{{{','.join(written)}}}"

    def write_given(self, value: Value) -> str:
        """The same of a value, which knows what it was given: the rest of it is defaults, and need not be looked at."""
        memos = self._memos
        written = []
        for name, content in vars(value).items():
            memo = memos.get(name)
            if memo is not None and content is not None:
                last, text = memo.last
                if last is not content:
                    text = memo.text_of(content)
                if text:
                    written.append(text)
        return f"{{{','.join(written)}}}"

    def read(self, kept: Mapping[str, Any], path: str) -> dict[str, Any]:
        """The attributes behind what a text had."""
        found = {}
        for name, form in kept.items():
            codec = self.codecs.get(name)
            if codec is None:
                problem = f"{path}: {self.noun} has an attribute {name[:40]!r}, which this msmqctl does not know."
                raise StoreError(problem, path=path, hint="use the newer msmqctl that wrote it.")
            if type(form) not in codec.forms:
                raise self.damaged(f"{name}: not a {' or '.join(sorted(one.__name__ for one in codec.forms))}", path)
            try:
                found[name] = codec.read(form)
            except (ValueError, OverflowError, MsmqError) as error:
                raise self.damaged(f"{name}: {error}", path) from error
        for name in self._required:
            if name not in found:
                raise self.damaged(f"{name}: missing", path)
        return found

    def damaged(self, problem: str, path: str) -> StoreError:
        """The error to raise for a text that we cannot have written."""
        return StoreError(
            f"{path}: {self.noun} is damaged ({abridged(problem)}).",
            path=path,
            hint="restore the store from a copy; the file was left as it is.",
        )


def _default_of(attribute: Field[Any]) -> Any:
    return attribute.default if attribute.default_factory is MISSING else attribute.default_factory()


_MESSAGES = Shelf(Message, "a message", apart={"body"})
_QUEUES = Shelf(Queue, "a queue")
_OUTGOING_QUEUES = Shelf(OutgoingQueue, "an outgoing queue")
_MANAGERS = Shelf(QueueManager, "the queue manager")


def _load(text: str, shelf: Shelf, path: str) -> dict[str, Any]:
    """The JSON object that a text is."""
    try:
        kept = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise shelf.damaged("not JSON", path) from error
    if not isinstance(kept, dict):
        raise shelf.damaged("not a JSON object", path)
    return kept


def content_of(message: Message) -> Content:
    """What the store keeps of a message. [MS-MQDMPR] 3.1.1.12"""
    return Content(_MESSAGES.write_given(message), message.body)


def message_of(content: Content, *, path: str) -> Message:
    """The message that the store at `path` kept. [MS-MQDMPR] 3.1.1.12"""
    given = _MESSAGES.read(_load(content.attributes, _MESSAGES, path), path)
    given["body"] = content.body
    try:
        return Message(**given)
    except ValueError as error:
        raise _MESSAGES.damaged(str(error), path) from error


def queue_attributes(queue: Queue) -> str:
    """What the store keeps of a queue, an outgoing one too. [MS-MQDMPR] 3.1.1.2, 3.1.1.3"""
    return (_OUTGOING_QUEUES if isinstance(queue, OutgoingQueue) else _QUEUES).write(queue)


def queue_of(row: QueueRow, *, path: str) -> Queue | OutgoingQueue:
    """The queue that the store at `path` kept, with the number and the total that the row has for it. [MS-MQDMPR] 3.1.1.2, 3.1.1.3"""
    kept = _load(row.attributes, _QUEUES, path)
    # A destination is what an outgoing queue must have, and what no other queue has.
    outgoing = "destination_format_name" in kept
    shelf = _OUTGOING_QUEUES if outgoing else _QUEUES
    given = shelf.read(kept, path)
    try:
        return (OutgoingQueue if outgoing else Queue)(key=row.id, total_bytes=row.bytes, **given)
    except ValueError as error:
        raise shelf.damaged(str(error), path) from error


def manager_attributes(manager: QueueManager) -> str:
    """What the store keeps of the queue manager. [MS-MQDMPR] 3.1.1.1"""
    return _MANAGERS.write(manager)


def manager_of(text: str, *, path: str) -> QueueManager:
    """The queue manager that the store at `path` kept. [MS-MQDMPR] 3.1.1.1"""
    given = _MANAGERS.read(_load(text, _MANAGERS, path), path)
    # Volatile, but never without the networks that the list names: what else belongs there is found out anew.
    networks = frozenset(given.get("connected_network_identifier_list", ()))
    try:
        return QueueManager(connected_network_collection=networks, **given)
    except ValueError as error:
        raise _MANAGERS.damaged(str(error), path) from error
