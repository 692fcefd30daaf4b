"""What is told of queues: rows of a list, and everything about one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from msmqctl.ops.hosted import Kind, hosted_queues, kind_of, name_of, part_of
from msmqctl.qm.core import key_of
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.model import UNLIMITED_QUOTA, Queue
from msmqctl.qm.store import QueueRow as StoredQueue
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.names import Area, MachineName, PathName, PrivateName, PublicName, QueueName, direct_name
from msmqctl.wire.pathname import COMPUTER_QUEUES, LOCAL_COMPUTER


class Privacy(StrEnum):
    """Which messages a queue takes: only plain ones, all, only encrypted ones. [MS-MQDMPR] 3.1.1.2"""

    NONE = "none"
    OPTIONAL = "optional"
    BODY = "body"


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One queue of the list. Totals leave out what a transaction has not committed yet."""

    name: str
    kind: Kind
    messages: int
    bytes: int
    journal_messages: int
    journal_bytes: int
    label: str
    transactional: bool
    journal: bool
    type: UUID
    quota_kb: int | None
    journal_quota_kb: int | None
    authenticate: bool
    privacy: Privacy
    multicast: str | None
    priority: int


@dataclass(frozen=True, slots=True)
class Subqueue:
    """A subqueue, and what is in it."""

    name: str
    messages: int
    bytes: int


@dataclass(frozen=True, slots=True)
class QueueDetails(QueueRow):
    """Everything about one queue."""

    path_name: str
    identifier: UUID
    created: datetime | None
    modified: datetime | None
    security: str | None
    format_names: tuple[str, ...]
    subqueues: tuple[Subqueue, ...]


@dataclass(frozen=True, slots=True)
class Removed:
    """How many messages went, from which queue."""

    name: str
    messages: int


# ---- what is told of a queue


def messages_in(manager: QueueManager, queue: Queue) -> int:
    """How many messages the queue has, by the total that the store keeps."""
    row = manager.store.queue(key_of(queue))
    return 0 if row is None else row.messages


def kilobytes(quota: int) -> int | None:
    """A quota as it is told; None for one that is never reached."""
    return None if quota == UNLIMITED_QUOTA else quota


def _time(seconds: int) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if seconds else None


def _row_values(queue: Queue, row: StoredQueue, journal: StoredQueue | None) -> dict[str, Any]:
    group = queue.multicast_address
    return {
        "name": name_of(queue),
        "kind": kind_of(queue),
        "messages": row.messages,
        "bytes": row.bytes,
        "journal_messages": 0 if journal is None else journal.messages,
        "journal_bytes": 0 if journal is None else journal.bytes,
        "label": queue.label,
        "transactional": queue.transactional,
        "journal": queue.journaling,
        "type": queue.type,
        "quota_kb": kilobytes(queue.quota),
        "journal_quota_kb": kilobytes(queue.journal_quota),
        "authenticate": queue.authentication,
        "privacy": Privacy[queue.privacy_level.name],
        "multicast": None if group is None else f"{group.address}:{group.port}",
        "priority": queue.base_priority,
    }


def row_of(queue: Queue, row: StoredQueue, by_number: dict[int, StoredQueue]) -> QueueRow:
    """The queue behind a row of the store; `by_number` has its journal."""
    return QueueRow(**_row_values(queue, row, by_number.get(queue.journal_queue_reference or 0)))


def details_of(manager: QueueManager, queue: Queue) -> QueueDetails:
    """Everything about a stored queue."""
    row = manager.store.queue(key_of(queue))
    if row is None:
        raise ValueError(f"{queue.pathname} is not stored")
    parts = manager.store.parts_of(row.id)
    journal = next((part for part in parts if part.id == queue.journal_queue_reference), None)
    subqueues = (part for part in parts if part.id in queue.subqueue_collection)
    from msmqctl.wire.sddl import format_sddl  # not for lists, which show no descriptor

    return QueueDetails(
        **_row_values(queue, row, journal),
        path_name=str(queue.pathname),
        identifier=queue.identifier,
        created=_time(queue.create_time),
        modified=_time(queue.modify_time),
        security=None if queue.security is None else format_sddl(queue.security),
        format_names=tuple(map(str, _format_names(manager, queue, row))),
        subqueues=tuple(
            Subqueue(name_of(subqueue), part.messages, part.bytes) for part, subqueue in hosted_queues(subqueues, manager.store.path)
        ),
    )


def _format_names(manager: QueueManager, queue: Queue, row: StoredQueue) -> Iterator[QueueName]:
    """Every format name by which the queue can be opened here. [MS-MQMQ] 2.1"""
    part, here = part_of(queue), manager.local.identifier
    owner = queue if row.parent is None else manager.queue(row.parent)
    if part.area is Area.SYSTEM and part.suffix in COMPUTER_QUEUES.values():
        yield MachineName(here, part.suffix)
    elif owner is not None and part.subqueue is None and part.area is Area.PRIVATE:
        yield PrivateName(here, owner.private_queue_number, journal=part.journal)
    elif owner is not None and part.subqueue is None and part.area is Area.PUBLIC:
        yield PublicName(owner.identifier, journal=part.journal)
    yield direct_name(PathName(LOCAL_COMPUTER, part))
