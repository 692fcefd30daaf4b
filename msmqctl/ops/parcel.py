"""A journey as octets: its name and its arguments, its rows or its answer, and the error that ended it.

A journey is a public function of this room that takes a `Desk` first. Its annotations say how everything else is packed:

    def send(desk: Desk, queue: str, drafts: Iterable[Draft], *, transactional: bool = False) -> Iterator[Stored]

    Iterable[...] as a parameter    a feed: items are fetched from the caller one by one, when they are needed
    Iterator[...], Generator[...]   as the result, a stream: rows are handed over one by one, when they are asked for
    anything else                   goes over whole

Only what a journey declares is ever built out of octets; what does not fit its declaration is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator
from enum import IntEnum
from functools import lru_cache
from importlib import import_module
from inspect import isfunction, signature
from ipaddress import IPv4Address
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from msmqctl import errors
from msmqctl.qm.host import Desk
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.status import HResult

P = ParamSpec("P")
Answer = TypeVar("Answer")

# The modules whose public functions can be asked for.
ROOMS = ("manager", "messages", "outgoing", "queues", "transactions")


class Word(IntEnum):
    """The first octet of a frame."""

    # What the command says.
    CALL = 1
    NEXT = 2
    ITEM = 3
    NO_MORE_ITEMS = 4
    # What the server says.
    ROW = 11
    ANSWER = 12
    NO_MORE_ROWS = 13
    WANTS_ITEM = 14
    FAILED = 15


class Frame(NamedTuple):
    """One thing said."""

    word: Word
    content: bytes = b""

    def pack(self) -> bytes:
        """The octets of the frame."""
        return bytes((self.word,)) + self.content

    @classmethod
    def read(cls, octets: bytes) -> Frame:
        """The frame in these octets."""
        if not octets or octets[0] not in Word.__members__.values():
            raise UnreadableError("a frame that begins with no known word")
        return cls(Word(octets[0]), octets[1:])


class UnreadableError(Exception):
    """Octets that are not what the other side can have meant."""


@dataclass(frozen=True, slots=True)
class Form:
    """How one journey is packed."""

    name: str
    function: Callable[..., Any]
    parameters: dict[str, Any]
    """The type of each argument that goes over whole."""
    feed: tuple[str, Any] | None
    """The parameter that is fetched item by item, and the type of an item."""
    row: Any | None
    """The type of a row, if the journey is a stream."""
    answer: Any
    """The type of the answer, if it is none."""


@lru_cache
def form_of(journey: Callable[..., Any]) -> Form:
    """How a journey is packed, from its annotations."""
    hints = get_type_hints(journey)
    result = hints.pop("return")
    parameters: dict[str, Any] = {}
    feed = None
    for name in list(signature(journey).parameters)[1:]:
        if get_origin(hints[name]) is Iterable:
            feed = (name, *get_args(hints[name]))
        else:
            parameters[name] = hints[name]
    row = get_args(result)[0] if get_origin(result) in (Iterator, Generator) else None
    module = journey.__module__.rpartition(".")[2]
    return Form(f"{module}.{journey.__name__}", journey, parameters, feed, row, result)


def journey_named(name: str) -> Form:
    """The journey that a caller asks for by name, and nothing else that may have a name."""
    module, _, function = name.partition(".")
    if module in ROOMS and function.isidentifier() and not function.startswith("_"):
        found = vars(import_module(f"msmqctl.ops.{module}")).get(function)
        if isfunction(found) and found.__module__ == f"msmqctl.ops.{module}":
            first = next(iter(get_type_hints(found).values()), None)
            if first is Desk:
                return form_of(found)
    raise UnreadableError(f"there is no journey {name!r}")


# ---- values


def _unusual(value: Any) -> Any:
    if isinstance(value, IPv4Address):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot cross a link")


def _usual(kind: type, given: Any) -> Any:
    if kind is IPv4Address:
        return IPv4Address(given)
    raise TypeError(f"{kind.__name__} cannot cross a link")


def pack(value: object) -> bytes:
    """A value of a declared type as octets."""
    # The library's own encoder would be faster, and takes no half of a surrogate pair, which a label may have.
    return json.dumps(msgspec.to_builtins(value, enc_hook=_unusual)).encode("ascii")


def read(octets: bytes, kind: Any) -> Any:
    """The value of the type `kind` in these octets."""
    try:
        return _converted(json.loads(octets), kind)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(str(error)) from error


def _converted(plain: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(plain, kind, dec_hook=_usual)
    except (msgspec.MsgspecError, ValueError) as error:
        raise UnreadableError(str(error)) from error


# ---- calls


class _Call(msgspec.Struct):
    journey: str
    arguments: dict[str, Any]


def pack_call(
    journey: Callable[Concatenate[Desk, P], Answer], *given: P.args, **named: P.kwargs
) -> tuple[Form, bytes, Iterator[Any] | None]:
    """A call as octets, with the form it has and the items that the other side will fetch."""
    form = form_of(journey)
    arguments = signature(journey).bind(None, *given, **named).arguments
    feed = None if form.feed is None else iter(arguments[form.feed[0]])
    whole = {name: value for name, value in arguments.items() if name in form.parameters}
    return form, pack(_Call(form.name, whole)), feed


def read_call(octets: bytes) -> tuple[Form, dict[str, Any]]:
    """The journey and the arguments of a call."""
    call: _Call = read(octets, _Call)
    form = journey_named(call.journey)
    if strangers := call.arguments.keys() - form.parameters.keys():
        raise UnreadableError(f"{form.name} has no {', '.join(sorted(strangers))}")
    return form, {name: _converted(plain, form.parameters[name]) for name, plain in call.arguments.items()}


# ---- errors


class _Failure(msgspec.Struct):
    kind: str
    message: str
    attributes: dict[str, str | int | None]


# What the errors of the tree carry in simple form; a status comes back as what it is.
_KINDS: dict[str, type[errors.MsmqError]] = {
    kind.__name__: kind
    for kind in (
        errors.DecodeError,
        errors.StatusError,
        errors.DirectoryError,
        errors.TransportError,
        errors.AccessError,
        errors.InputError,
        errors.StoreError,
        errors.ConfigError,
        errors.MsmqError,
    )
}
_FAULT = "fault"


def pack_error(error: Exception) -> bytes:
    """An error as octets: one of the tree with all it says, any other as a fault of ours."""
    kind = next((name for name, kind in _KINDS.items() if isinstance(error, kind)), _FAULT)
    if kind == _FAULT:
        return pack(_Failure(_FAULT, f"{type(error).__name__}: {error}", {}))
    attributes = {name: int(value) if isinstance(value, int) else value for name, value in vars(error).items()}
    return pack(_Failure(kind, str(error), attributes))


def read_error(octets: bytes) -> Exception:
    """The error that ended a journey on the other side."""
    failure: _Failure = read(octets, _Failure)
    kind = _KINDS.get(failure.kind)
    if kind is None:
        return RuntimeError(f"the server failed: {failure.message}")
    error = kind.__new__(kind)
    error.args = (failure.message,)
    error.__dict__.update(failure.attributes)
    if isinstance(error, errors.StatusError):
        error.status = HResult(error.status)
    return error
