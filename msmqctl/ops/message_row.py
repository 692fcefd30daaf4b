"""A message in JSON: the form in which users and programs see one, and in which they describe one to be sent.

The same names go both ways. A sender may set only some of them: those are the fields of `Draft`.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from msmqctl.errors import DecodeError
from msmqctl.qm.message import DEFAULT_PRIORITY, DEFAULT_TIME_TO_REACH_QUEUE, AcknowledgementsRequested, AuthenticationLevel, Message
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.values import INFINITE, PrivacyLevel, VarType

# The identifier of no message.
NO_MESSAGE = ObjectId(NULL_GUID, 0)
_U32 = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class TransactionPart:
    """A message's part in its transaction: whether it begins and ends it, and its place in the stream between two computers."""

    id: UUID | int
    first: bool
    last: bool
    sequence: int | None
    number: int


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message as users and programs see it; the names and their order are the contract of the command line."""

    id: str
    lookup_id: int
    queue: str
    label: str
    body: bytes
    body_type: int
    priority: int
    class_: int
    class_name: str
    recoverable: bool
    sent: datetime | None
    arrived: datetime | None
    ttrq: int | None
    ttbr: int | None
    correlation: str | None
    response_queue: str | None
    admin_queue: str | None
    destination_queue: str | None
    source_machine: UUID
    sender: str | None
    journal: bool
    dead_letter: bool
    acknowledge: tuple[str, ...]
    app: int
    extension: bytes
    transaction: TransactionPart | None
    authenticated: bool
    encrypted: bool
    hash: str | None
    size: int


_ACKNOWLEDGE = {
    "arrival": AcknowledgementsRequested.ACK_POS_ARRIVAL,
    "receive": AcknowledgementsRequested.ACK_POS_RECEIVE,
    "arrival-failure": AcknowledgementsRequested.ACK_NEG_ARRIVAL,
    "receive-failure": AcknowledgementsRequested.ACK_NEG_RECEIVE,
}
# Under these names applications know what they usually ask for. [MS-MQDMPR] 3.1.1.12
_USUAL = {
    "nack-arrival": AcknowledgementsRequested.ACK_NACK_REACH_QUEUE,
    "nack-receive": AcknowledgementsRequested.ACK_NACK_RECEIVE,
    "full-arrival": AcknowledgementsRequested.ACK_FULL_REACH_QUEUE,
    "full-receive": AcknowledgementsRequested.ACK_FULL_RECEIVE,
    "none": AcknowledgementsRequested.NONE,
}
ACKNOWLEDGMENTS: Mapping[str, AcknowledgementsRequested] = _ACKNOWLEDGE | _USUAL


def acknowledgments_of(words: Iterable[str]) -> AcknowledgementsRequested:
    """What the words ask for together; ValueError names one that is unknown."""
    wanted = AcknowledgementsRequested.NONE
    for word in words:
        if word.lower() not in ACKNOWLEDGMENTS:
            raise ValueError(f"{word!r} is none of {', '.join(ACKNOWLEDGMENTS)}")
        wanted |= ACKNOWLEDGMENTS[word.lower()]
    return wanted


def acknowledgment_words(wanted: AcknowledgementsRequested) -> tuple[str, ...]:
    """One word for each kind that is asked for."""
    return tuple(word for word, bit in _ACKNOWLEDGE.items() if bit in wanted)


def message_row(message: Message, queue: str) -> MessageRow:
    """The JSON form of a message that stands in `queue`."""
    return MessageRow(
        id=message.identifier.plain,
        lookup_id=message.lookup_identifier,
        queue=queue,
        label=message.label,
        body=message.body,
        body_type=message.body_type,
        priority=message.priority,
        class_=int(message.message_class),
        class_name=message.message_class.name,
        recoverable=message.recoverable,
        sent=message.sent_time,
        arrived=message.arrival_time,
        ttrq=_limit(message.time_to_reach_queue),
        ttbr=_limit(message.time_to_be_received),
        correlation=None if message.correlation_identifier == NO_MESSAGE else message.correlation_identifier.plain,
        response_queue=_text(message.response_queue_format_name),
        admin_queue=_text(message.administration_queue_format_name),
        destination_queue=_text(message.destination_queue_format_name),
        source_machine=message.source_machine_identifier,
        sender=_text(message.sender_identifier),
        journal=message.positive_journaling_requested,
        dead_letter=message.negative_journaling_requested,
        acknowledge=acknowledgment_words(message.acknowledgements_requested),
        app=message.application_tag,
        extension=message.extension,
        transaction=_part(message),
        authenticated=message.authentication_level is not AuthenticationLevel.NONE,
        encrypted=message.privacy_level != PrivacyLevel.NONE,
        hash=message.hash_algorithm.name if message.effective_signature else None,
        size=message.size,
    )


def _limit(seconds: int) -> int | None:
    return None if seconds == INFINITE else seconds


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _part(message: Message) -> TransactionPart | None:
    identifier, sequence = message.transaction_identifier, message.transactional_message_sequence_identifier
    if identifier is None:
        return None
    number = message.transaction_sequence_number
    first, last = message.first_in_transaction, message.last_in_transaction
    return TransactionPart(identifier, first, last, None if sequence is None else int(sequence), number)


@dataclass(frozen=True, slots=True)
class Draft:
    """What a sender says about a message, under the names of the JSON form. No limit of time is None, as there."""

    label: str = ""
    body: bytes = b""
    body_type: int = 0
    priority: int = DEFAULT_PRIORITY
    recoverable: bool = False
    ttrq: int | None = DEFAULT_TIME_TO_REACH_QUEUE
    ttbr: int | None = None
    correlation: str | None = None
    response_queue: str | None = None
    admin_queue: str | None = None
    journal: bool = False
    dead_letter: bool = False
    acknowledge: tuple[str, ...] = ()
    app: int = 0
    extension: bytes = b""


def _number(value: Any, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(f"is no whole number from 0 to {most}")
    return value


def _octets(value: Any) -> bytes:
    try:
        return b64decode(_string(value), validate=True)
    except ValueError:
        raise ValueError("is not base64") from None


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("is no text")  # noqa: TRY004 - it is the sender's mistake, and all of those are told alike
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("is neither true nor false")  # noqa: TRY004 - as above
    return value


def _words(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise ValueError("is no list of words")
    return acknowledgment_words(acknowledgments_of(value))


def _or_null(check: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else check(value)


# How each field that a sender may set is read.
_READ: Mapping[str, Callable[[Any], Any]] = {
    "label": _string,
    "body": _octets,
    "body_type": lambda value: _number(value, _U32),
    "priority": lambda value: _number(value, 7),
    "recoverable": _truth,
    "ttrq": _or_null(lambda value: _number(value, INFINITE - 1)),
    "ttbr": _or_null(lambda value: _number(value, INFINITE - 1)),
    "correlation": _or_null(_string),
    "response_queue": _or_null(_string),
    "admin_queue": _or_null(_string),
    "journal": _truth,
    "dead_letter": _truth,
    "acknowledge": _words,
    "app": lambda value: _number(value, _U32),
    "extension": _octets,
}


def draft_of(value: object, *, where: str, strict: bool = False) -> Draft:
    """The draft that a JSON object describes. What a sender may not set is passed over, or refused if `strict`; `where` names the input."""
    if not isinstance(value, dict):
        raise DecodeError("it is no JSON object", where=where, offset=0)
    if strict and (alien := sorted(value.keys() - _READ.keys())):
        raise DecodeError(f"a sender may not set {alien[0]}", where=where, offset=0, hint=f"what may be set: {', '.join(_READ)}.")
    given: dict[str, Any] = {}
    for name in _READ.keys() & value.keys():
        try:
            given[name] = _READ[name](value[name])
        except ValueError as problem:
            raise DecodeError(f"{name} {problem}", where=where, offset=0) from None
    return Draft(**given)


# ---- bodies as text

# Bodies that their type says are UTF-16; all others are taken for UTF-8, unless a byte order mark says more.
_WIDE_TYPES = frozenset({VarType.VT_BSTR, VarType.VT_LPWSTR})
_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be", b"\xef\xbb\xbf": "utf-8"}


def text_as_body(text: str, body_type: int) -> bytes:
    """The octets of a text in a body of this type."""
    if body_type in _WIDE_TYPES:
        return text.encode("utf-16-le", "surrogatepass")
    # An argument that is no UTF-8 reaches us with its octets hidden in surrogates: they come out as they were.
    return text.encode("utf-8", "surrogateescape")


def body_as_text(body: bytes, body_type: int) -> str | None:
    """The text that a body is; None for one that is no text."""
    mark = next((mark for mark in _MARKS if body.startswith(mark)), b"")
    encoding = _MARKS.get(mark, "utf-16-le" if body_type in _WIDE_TYPES else "utf-8")
    try:
        return body[len(mark) :].decode(encoding)
    except UnicodeDecodeError:
        return None
