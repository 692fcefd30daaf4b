"""Bytes to fields: find out what some octets are, and show every field with its offset, size, value and meaning.

What is truncated or lies is shown up to the fault, then the fault: the readers of `wire/` run on a tracing reader, so that
what is shown is what is decoded. What a value means is said in `meaning.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any

from msmqctl.errors import DecodeError
from msmqctl.ops.meaning import Surroundings, meaning
from msmqctl.wire.address import read_addresses
from msmqctl.wire.conduct import irregularities
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.frames import InternalPacket, PacketType, Ping, is_ping, read_ack, read_session_packet
from msmqctl.wire.identity import ObjectId, SequenceInfo
from msmqctl.wire.keys import RsaPublicKey, SessionKeyBlob, read_public_keys, read_user_certificates
from msmqctl.wire.packet import UserMessage, looks_like_packet
from msmqctl.wire.record import Bits
from msmqctl.wire.remote_headers import RemoteHeaders
from msmqctl.wire.security import SecurityDescriptor
from msmqctl.wire.sid import Sid
from msmqctl.wire.trace import Field, TracingReader

# A hostile file must not make more rows than anyone could read.
MAX_FIELDS = 200_000


class Kind(StrEnum):
    """What octets may be; the values are what a user writes."""

    PACKET = "packet"
    REMOTE_MESSAGE = "remote-message"
    PING = "ping"
    SECURITY_DESCRIPTOR = "security-descriptor"
    SID = "sid"
    PUBLIC_KEYS = "public-keys"
    PUBLIC_KEY = "public-key"
    SESSION_KEY = "session-key"
    CERTIFICATES = "certificates"
    ADDRESSES = "addresses"
    OBJECT_ID = "object-id"
    SEQUENCE_INFO = "sequence-info"


@dataclass(frozen=True, slots=True)
class Node:
    """A field, or a structure with fields of its own. `offset` counts from the start of the input."""

    name: str
    offset: int
    size: int
    value: Any
    meaning: str | None
    fields: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """Where reading had to stop, and why."""

    where: str
    offset: int
    problem: str


@dataclass(frozen=True, slots=True)
class Item:
    """One packet or structure of the input, with what a sender should not have done in it."""

    kind: str
    offset: int
    size: int
    structures: tuple[Node, ...]
    irregularities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decoding:
    """All of an input: `fault` is None when it was read to its end."""

    kind: Kind
    size: int
    items: tuple[Item, ...]
    fault: Fault | None = None

    @property
    def error(self) -> DecodeError | None:
        """The fault as the error that a command ends with."""
        fault = self.fault
        return None if fault is None else DecodeError(fault.problem, where=fault.where, offset=fault.offset)


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A field as a table shows it."""

    offset: int
    size: int
    field: str
    value: Any
    meaning: str | None


def hex_octets(text: str) -> bytes | None:
    """The octets that a text of hexadecimal digits spells, or None when it is no such text.

    White space, `0x`, and the separators `:`, `-` and `,` between octets are passed over, and so are the offsets and the
    text column of a dump by `xxd` or `hexdump -C`.
    """
    digits = []
    for line in text.splitlines():
        left, colon, rest = line.partition(":")
        dump = colon and len(left.strip()) >= 4 and rest.startswith(" ") and _is_hex(left.strip())
        columns = (rest[1:].partition("  ")[0] if dump else line.partition("|")[0]).replace("0x", " ").replace("0X", " ")
        words = columns.translate(_SEPARATORS).split()
        if not dump and "|" in line and words and len(words[0]) == 8:
            words = words[1:]
        digits += words
    joined = "".join(digits)
    return bytes.fromhex(joined) if joined and len(joined) % 2 == 0 and _is_hex(joined) else None


_SEPARATORS = str.maketrans({":": " ", "-": " ", ",": " "})


def _is_hex(text: str) -> bool:
    return all(character in "0123456789abcdefABCDEF" for character in text)


def recognise(data: bytes) -> Kind | None:
    """What the octets are, as far as their beginning and their length tell; None when nothing fits."""
    if looks_like_packet(data):
        return Kind.PACKET
    if is_ping(data):
        return Kind.PING
    for kind, reads in _PROOFS.items():
        try:
            if reads(data):
                return kind
        except DecodeError:
            continue
    return None


# Real authorities are small numbers; twelve octets of anything would be a SID otherwise.
_AUTHORITIES = 100

# Structures without a signature: taken for what they are only when the whole input reads as one and says something.
_PROOFS: dict[Kind, Callable[[bytes], Any]] = {
    Kind.SECURITY_DESCRIPTOR: SecurityDescriptor.read_all,
    Kind.SID: lambda data: Sid.read_all(data).authority < _AUTHORITIES,
    Kind.PUBLIC_KEY: RsaPublicKey.read_all,
    Kind.PUBLIC_KEYS: read_public_keys,
    Kind.CERTIFICATES: read_user_certificates,
    Kind.SESSION_KEY: SessionKeyBlob.read_all,
}


def decode(data: bytes, kind: Kind | None = None) -> Decoding:
    """Every field of `data`, taken for `kind` or for what it looks like."""
    found = kind or recognise(data)
    if found is None:
        raise DecodeError(
            "no MSMQ packet, and no other structure that tells what it is",
            where="input",
            offset=0,
            hint=f"say what it is with --as: {', '.join(Kind)}.",
        )
    reader = TracingReader(data)
    items: list[Item] = []
    fault: DecodeError | None = None
    try:
        for item in _ITEMS.get(found, _one_structure(found))(reader):
            items.append(item)
            if reader.missing is not None:
                break
            if len(reader.fields) > MAX_FIELDS:
                raise reader.fault(f"more than {MAX_FIELDS} fields", "input")
    except DecodeError as error:
        fault = error
        seen = sum(_leaves(item) for item in items)
        items.append(_item("what could be read", reader, seen, items[-1].offset + items[-1].size if items else 0))
    fault = reader.missing or fault
    told = None if fault is None else Fault(fault.where, fault.offset, fault.problem)
    return Decoding(found, len(data), tuple(item for item in items if item.structures), told)


def rows(decoding: Decoding) -> Iterator[FieldRow]:
    """The tree as lines: a line for each field, in the order of the input."""
    for item in decoding.items:
        for structure in item.structures:
            for node in structure.fields:
                yield FieldRow(node.offset, node.size, f"{structure.name}.{node.name}", node.value, node.meaning)


def _packets(reader: TracingReader) -> Iterator[Item]:
    """A session, or a single packet: one after the other to the end of the input."""
    while reader.remaining:
        start, seen = reader.offset, len(reader.fields)
        packet = read_session_packet(reader)
        if isinstance(packet, InternalPacket):
            yield _item(PacketType(packet.header.flags.packet_type).name.replace("_", " ").lower(), reader, seen, start)
        else:
            yield _item(_message_kind(packet), reader, seen, start, tuple(irregularities(packet)))


def _message_kind(message: UserMessage) -> str:
    if (ack := read_ack(message)) is not None:
        return "order ack" if type(ack).__name__ == "OrderAckBody" else "final ack"
    return "user message"


def _remote_messages(reader: TracingReader) -> Iterator[Item]:
    """What a remote read returns: one message, and the headers that newer queue managers put behind it."""
    message = UserMessage.read(reader, remote_read=True)
    if message.trailing:
        # The document does not say whether PacketSize counts the extension headers; here it did.
        trailing = reader.fields.pop()
        inner = TracingReader(reader.data, trailing.offset, trailing.offset + trailing.size)
        RemoteHeaders.read(inner)
        reader.fields += inner.fields
    RemoteHeaders.read(reader)
    yield _item("message got by remote read", reader, 0, 0)
    reader.expect_end("input")


_ITEMS: dict[Kind, Callable[[TracingReader], Iterator[Item]]] = {Kind.PACKET: _packets, Kind.REMOTE_MESSAGE: _remote_messages}

_STRUCTURES: dict[Kind, Callable[[TracingReader], Any]] = {
    Kind.PING: Ping.read,
    Kind.SECURITY_DESCRIPTOR: SecurityDescriptor.read_all,
    Kind.SID: Sid.read,
    Kind.PUBLIC_KEYS: read_public_keys,
    Kind.PUBLIC_KEY: RsaPublicKey.read,
    Kind.SESSION_KEY: SessionKeyBlob.read_all,
    Kind.CERTIFICATES: read_user_certificates,
    Kind.ADDRESSES: read_addresses,
    Kind.OBJECT_ID: ObjectId.read,
    Kind.SEQUENCE_INFO: SequenceInfo.read,
}


def _one_structure(kind: Kind) -> Callable[[TracingReader], Iterator[Item]]:
    def read(reader: TracingReader) -> Iterator[Item]:
        _STRUCTURES[kind](reader)
        yield _item(kind.value.replace("-", " "), reader, 0, 0)
        # Parts of a descriptor lie anywhere; all else has to end where the input ends.
        if kind is not Kind.SECURITY_DESCRIPTOR:
            reader.expect_end("input")

    return read


def _leaves(item: Item) -> int:
    return sum(len(structure.fields) for structure in item.structures)


def _item(kind: str, reader: TracingReader, seen: int, start: int, irregular: tuple[str, ...] = ()) -> Item:
    """The fields that were read since `seen`, gathered under their structures."""
    fields = reader.fields[seen:]
    around = Surroundings({field.where: field.value for field in fields})
    structures: list[tuple[str, list[Field]]] = []
    for field in fields:
        name = field.where.partition(".")[0]
        if not structures or structures[-1][0] != name or field.where == structures[-1][1][0].where:
            structures.append((name, []))
        structures[-1][1].append(field)
    nodes = tuple(_structure(name, group, around) for name, group in structures)
    return Item(kind, start, reader.offset - start, nodes, irregular)


def _structure(name: str, fields: list[Field], around: Surroundings) -> Node:
    nodes = tuple(_node(field, around) for field in fields)
    offset = min(node.offset for node in nodes)
    return Node(name, offset, max(node.offset + node.size for node in nodes) - offset, None, None, nodes)


def _node(field: Field, around: Surroundings) -> Node:
    name = field.where.partition(".")[2] or field.where
    return Node(name, field.offset, field.size, field.value, meaning(field.where, field.value, around), tuple(_bits(field)))


def _bits(field: Field) -> Iterator[Node]:
    """The groups of a word, each with the meaning that it alone has."""
    if isinstance(field.value, Bits):
        for name, value in field.value.groups().items():
            yield Node(name, field.offset, field.size, value, None)
