"""The queues of the local queue manager: list, create, show, set, delete, purge.

One function a journey, on a host, answered with the rows of `queue_rows`. Any name of a local queue is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from msmqctl.errors import StatusError
from msmqctl.ops.hosted import Kind, hosted_queues, kind_of, name_of, names_of
from msmqctl.ops.queue_rows import Privacy, QueueDetails, QueueRow, Removed, details_of, messages_in, row_of
from msmqctl.ops.rehearsal import rehearsed
from msmqctl.ops.status import illegal, require
from msmqctl.qm.core import key_of
from msmqctl.qm.host import Desk
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.model import UNLIMITED_QUOTA, DirectoryOperationResult, Queue, QueueAccessType, QueuePrivacyLevel, QueueType
from msmqctl.wire.names import Area, DirectName, MachineName, MulticastName, PathName, PrivateName, PublicName, QueueName, parse_name
from msmqctl.wire.nametext import abridged, wide_length
from msmqctl.wire.pathname import LOCAL_COMPUTER
from msmqctl.wire.sid import ADMINISTRATORS
from msmqctl.wire.status import HResult

LONGEST_LABEL = 124  # in UTF-16 units
PRIORITIES = range(-0x8000, 0x8000)


# Made, filled and needed by the queue manager itself.
_KEPT = frozenset({Kind.SYSTEM, Kind.JOURNAL})


class QueueOptions(TypedDict, total=False):
    """What a user wants of a queue. What is absent is left as it is; a quota of None is never reached."""

    label: str
    type: UUID
    transactional: bool
    journal: bool
    quota_kb: int | None
    journal_quota_kb: int | None
    authenticate: bool
    privacy: Privacy
    multicast: MulticastName | None
    priority: int


# ---- the journeys


def list_queues(desk: Desk, *, system: bool = False) -> list[QueueRow]:
    """All queues hosted here, by name; those that the queue manager keeps for itself only if asked for. No message is looked at."""
    rows, path = desk.do(lambda manager, now: (list(manager.store.queues()), manager.store.path))
    by_number = {row.id: row for row in rows}
    found = (row_of(queue, row, by_number) for row, queue in hosted_queues(rows, path))
    return [row for row in found if row.kind is not Kind.JOURNAL and (system or row.kind is not Kind.SYSTEM)]


def show_queue(desk: Desk, typed: str) -> QueueDetails:
    """Everything about a queue, a journal, a subqueue or a queue of the computer itself."""
    return desk.do(lambda manager, now: details_of(manager, _find(manager, typed, "show queue")))


def create_queue(desk: Desk, typed: str, options: QueueOptions, *, rehearse: bool = False) -> QueueDetails:
    """Make a queue and tell what was made. With `rehearse` the answer, or the refusal, is the same, and nothing is kept."""

    def work(manager: QueueManager, now: datetime) -> QueueDetails:
        path = _new_path(manager, typed)
        if path.subqueue is not None:
            _refuse_inherited(str(path), options, "create queue")
        template = Queue(pathname=path, queue_type=QueueType.PRIVATE)
        manager.set_queue_defaults(template)
        manager.assign(template, **_attributes(options))
        _refuse_conflict(template, str(path), "create queue")
        made = manager.create_queue(template, now, caller=ADMINISTRATORS)
        # Only a subqueue can miss a queue: the one that it would belong to.
        blamed = replace(path, part=replace(path.part, subqueue=None)) if made.status is HResult.MQ_ERROR_QUEUE_NOT_FOUND else path
        require(made.status, "create queue", str(blamed), known=names_of(manager))
        return details_of(manager, _find(manager, typed, "create queue"))

    return rehearsed(desk, work, rehearse=rehearse)


def set_queue(desk: Desk, typed: str, options: QueueOptions, *, rehearse: bool = False) -> QueueDetails:
    """Change a queue and tell how it is then; a journal and subqueues follow where their queue decides for them."""

    def work(manager: QueueManager, now: datetime) -> QueueDetails:
        queue = _find(manager, typed, "set queue")
        name = name_of(queue)
        _refuse_kept(queue, "set queue")
        if "transactional" in options:
            require(HResult.MQ_ERROR_PROPERTY_NOTALLOWED, "set queue", name)
        if kind_of(queue) is Kind.SUBQUEUE:
            _refuse_inherited(name, options, "set queue")
        with manager.call():
            manager.assign(queue, **_attributes(options), modify_time=int(now.timestamp()))
            _refuse_conflict(queue, name, "set queue")
            manager.save_queue(queue)
            if kind_of(queue) is Kind.PUBLIC and manager.write_directory(queue) is not DirectoryOperationResult.SUCCESS:
                require(HResult.MQ_ERROR_NO_DS, "set queue", name)
        return details_of(manager, queue)

    return rehearsed(desk, work, rehearse=rehearse)


def deletable_queue(desk: Desk, typed: str) -> QueueDetails:
    """The queue that `delete_queue` would delete; the same refusals, and nothing happens."""

    def work(manager: QueueManager, now: datetime) -> QueueDetails:
        queue = _find(manager, typed, "delete queue")
        _refuse_kept(queue, "delete queue")
        return details_of(manager, queue)

    return desk.do(work)


def delete_queue(desk: Desk, typed: str) -> Removed:
    """Delete a queue with its messages, its journal and its subqueues."""

    def work(manager: QueueManager, now: datetime) -> Removed:
        queue = _find(manager, typed, "delete queue")
        _refuse_kept(queue, "delete queue")
        own = manager.store.queue(key_of(queue))
        parts = manager.store.parts_of(key_of(queue))
        removed = Removed(name_of(queue), sum(row.messages for row in (own, *parts) if row is not None))
        require(manager.delete_queue(queue), "delete queue", removed.name)
        return removed

    return desk.do(work)


def purge_queue(desk: Desk, typed: str) -> Removed:
    """Delete the messages of a queue, and those only: its journal and its subqueues have names of their own."""

    def work(manager: QueueManager, now: datetime) -> Removed:
        queue = _find(manager, typed, "purge queue")
        before = messages_in(manager, queue)
        manager.purge_queue(queue)
        return Removed(name_of(queue), before - messages_in(manager, queue))

    return desk.do(work)


# ---- which queue


def _find(manager: QueueManager, typed: str, operation: str) -> Queue:
    """The hosted queue that the user named; names of queues elsewhere, and of several, are refused."""
    name = parse_name(typed)
    _refuse_remote(manager, name, typed, operation)
    queue = manager.find_queue(name, QueueAccessType.PEEK_ACCESS)
    if queue is None:
        shown = str(PathName(LOCAL_COMPUTER, name.part)) if isinstance(name, PathName) else str(name)
        require(HResult.MQ_ERROR_QUEUE_NOT_FOUND, operation, shown, known=names_of(manager))
        raise ValueError("a queue that is not found is a failure")
    return queue


def _refuse_remote(manager: QueueManager, name: QueueName, typed: str, operation: str) -> None:
    here = manager.local.identifier
    match name:
        case PathName() | DirectName():
            local = manager.computer.part_of(name) is not None
        case PrivateName():
            local = name.lineage == here
        case MachineName():
            local = name.guid == here
        case PublicName():
            local = True
        case _:
            problem = f"{abridged(typed)} is not the name of one local queue, and only local queues can be managed for now."
            raise _unusable(problem, operation)
    if not local:
        raise _unusable(f"{abridged(typed)} is a queue of another computer, and only local queues can be managed for now.", operation)


def _unusable(problem: str, operation: str) -> StatusError:
    hint = r"for a queue of this computer write orders or '.\private$\orders'."
    return StatusError(problem, status=HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME, operation=operation, hint=hint)


def _new_path(manager: QueueManager, typed: str) -> PathName:
    """The path of a queue to be made: it has to say which name, and it must not be one that the queue manager keeps."""
    name = parse_name(typed)
    _refuse_remote(manager, name, typed, "create queue")
    part = name.part if isinstance(name, PathName | DirectName) else None
    if part is None or part.journal or part.area is Area.SYSTEM or PathName.spells_computer_queue(part):
        require(HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME, "create queue", typed)
        raise ValueError("an illegal name is a failure")
    return PathName(LOCAL_COMPUTER, part)


# ---- what may be asked of a queue


def _quota(option: str, limit: int | None) -> int:
    # The largest number that fits means "never reached" in the attribute, so it is no quota that one can have.
    if limit is not None and not 0 <= limit < UNLIMITED_QUOTA:
        raise illegal(option, f"{limit} is not between 0 and {UNLIMITED_QUOTA - 1} KB")
    return UNLIMITED_QUOTA if limit is None else limit


def _label(option: str, label: str) -> str:
    if wide_length(label) > LONGEST_LABEL:
        raise illegal(option, f"it has {wide_length(label)} characters, {LONGEST_LABEL} is the limit")
    return label


def _priority(option: str, priority: int) -> int:
    if priority not in PRIORITIES:
        raise illegal(option, f"{priority} is not between {PRIORITIES.start} and {PRIORITIES.stop - 1}")
    return priority


def _as_it_is(option: str, value: Any) -> Any:
    return value


# Each option: the attribute of the model that it sets, and how. [MS-MQDMPR] 3.1.1.2
_ATTRIBUTES: dict[str, tuple[str, Callable[[str, Any], Any]]] = {
    "label": ("label", _label),
    "type": ("type", _as_it_is),
    "transactional": ("transactional", _as_it_is),
    "journal": ("journaling", _as_it_is),
    "quota_kb": ("quota", _quota),
    "journal_quota_kb": ("journal_quota", _quota),
    "authenticate": ("authentication", _as_it_is),
    "privacy": ("privacy_level", lambda option, privacy: QueuePrivacyLevel[privacy.name]),
    "multicast": ("multicast_address", _as_it_is),
    "priority": ("base_priority", _priority),
}
# What a subqueue has from its queue, or cannot have at all, because it is not sent to and has no journal.
_NOT_FOR_SUBQUEUES = frozenset(
    {"transactional", "journal", "quota_kb", "journal_quota_kb", "authenticate", "privacy", "multicast", "priority"}
)


def _attributes(options: QueueOptions) -> dict[str, Any]:
    return {_ATTRIBUTES[option][0]: _ATTRIBUTES[option][1](option, value) for option, value in options.items()}


def _refuse_inherited(name: str, options: QueueOptions, operation: str) -> None:
    if taken := sorted(_NOT_FOR_SUBQUEUES.intersection(options)):
        problem = f"{name} is a subqueue and has no {taken[0].removesuffix('_kb').replace('_', ' ')} of its own."
        hint = "set it on the queue that the subqueue belongs to."
        raise StatusError(problem, status=HResult.MQ_ERROR_PROPERTY_NOTALLOWED, operation=operation, hint=hint)


def _refuse_conflict(queue: Queue, name: str, operation: str) -> None:
    """A transactional queue takes nothing from a multicast group. [MS-MQMP] 3.1.1.12"""
    if queue.transactional and queue.multicast_address is not None:
        require(HResult.MQ_ERROR_PROPERTIES_CONFLICT, operation, name)


def _refuse_kept(queue: Queue, operation: str) -> None:
    if kind_of(queue) in _KEPT:
        require(HResult.MQ_ERROR_ILLEGAL_OPERATION, operation, name_of(queue))
