"""A status that is no success becomes an error with a sentence: which queue, what is wrong with it, what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from difflib import get_close_matches

from msmqctl.errors import StatusError
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.nametext import abridged
from msmqctl.wire.status import SENTENCES, HResult

_MOST_SUGGESTIONS = 3
_LOCAL_PATH, _JOURNAL = ".\\", ";JOURNAL"


@dataclass(frozen=True, slots=True)
class Refusal:
    """How one status is told: `{what}` stands for the queue, `{quoted}` for the same in a form that a shell takes."""

    sentence: str
    hint: str


_REFUSALS: dict[HResult, Refusal] = {
    HResult.MQ_ERROR_QUEUE_NOT_FOUND: Refusal("there is no queue {what} here.", "run: msmqctl queue create {quoted}"),
    HResult.MQ_ERROR_QUEUE_EXISTS: Refusal("there is a queue {what} already.", "run: msmqctl queue show {quoted}"),
    HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME: Refusal(
        "{what} cannot be the name of a new queue.", "name a private queue, as in orders, or a subqueue, as in 'orders;retry'."
    ),
    HResult.MQ_ERROR_NO_DS: Refusal(
        "{what} is a public queue, and there is no directory to keep it in.", "name a private queue: orders, or '.\\private$\\orders'."
    ),
    HResult.MQ_ERROR_ILLEGAL_OPERATION: Refusal(
        "{what} is kept by the queue manager itself and can be neither changed nor deleted.",
        "it can be emptied: msmqctl queue purge {quoted}",
    ),
    HResult.MQ_ERROR_PROPERTIES_CONFLICT: Refusal(
        "{what} cannot be transactional and listen to a multicast address.", "give up one of the two."
    ),
    HResult.MQ_ERROR_INSUFFICIENT_RESOURCES: Refusal(
        "{what} has no room left under its quota.", "read or purge messages, or run: msmqctl queue set {quoted} --quota KB"
    ),
    HResult.MQ_ERROR_SHARING_VIOLATION: Refusal("{what} is open elsewhere and not shared.", "try again when the other has closed it."),
    HResult.MQ_ERROR_ACCESS_DENIED: Refusal("{what} does not let you do this.", "run: msmqctl explain MQ_ERROR_ACCESS_DENIED"),
}


def require(status: HResult, operation: str, what: str, *, known: Iterable[str] = ()) -> None:
    """Raise StatusError unless `status` is a success of `operation` on the queue `what`; `known` are names that may have been meant."""
    if status.success:
        return
    told = _REFUSALS.get(status)
    if told is None:
        told = Refusal(f"{{what}}: {SENTENCES.get(status, f'the status {status.name}.')}", f"run: msmqctl explain {status.name}")
    words = {"what": abridged(what), "quoted": shlex.quote(what)}
    hint = told.hint.format_map(words)
    if status is HResult.MQ_ERROR_QUEUE_NOT_FOUND:
        hint = _hint_if_missing(hint, what, known)
    raise StatusError(told.sentence.format_map(words), status=status, operation=operation, hint=hint)


def illegal(option: str, problem: str, *, hint: str = "run: msmqctl queue set --help") -> StatusError:
    """The error for a value that an option cannot have."""
    return StatusError(f"{option}: {problem}.", status=HResult.MQ_ERROR_ILLEGAL_PROPERTY_VALUE, operation="check options", hint=hint)


def _hint_if_missing(hint: str, what: str, known: Iterable[str]) -> str:
    """What may have been meant, and how to make the queue if its name is one that a new queue can have."""
    if not what.startswith(_LOCAL_PATH) or what.upper().endswith(_JOURNAL):
        hint = "run: msmqctl queue list"
    close = close_names(what, known)
    return f"did you mean {' or '.join(close)}? If not, {hint}" if close else hint


def close_names(name: str, known: Iterable[str]) -> list[str]:
    """Those of the known names that look like `name` typed in a hurry, the closest first; what all names begin with does not count."""
    by_end = {_end(each): each for each in known}
    return [by_end[found] for found in get_close_matches(_end(name), by_end, n=_MOST_SUGGESTIONS)]


def _end(name: str) -> str:
    return name.rpartition("\\")[2].casefold()
