r"""The queues that are hosted here, what each is to the user, and how it is told.

A queue is told as `.\private$\orders`, a name that every command takes and that means the same on whichever computer the store is opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msmqctl.qm import shelf
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.model import OutgoingQueue, Queue
from msmqctl.qm.store import QueueRow as StoredQueue
from msmqctl.wire.names import PathName, QueuePart
from msmqctl.wire.pathname import LOCAL_COMPUTER


class Kind(StrEnum):
    """What a queue is to the user."""

    PRIVATE = "private"
    PUBLIC = "public"
    SYSTEM = "system"
    JOURNAL = "journal"
    SUBQUEUE = "subqueue"


def hosted_queues(rows: Iterable[StoredQueue], path: str) -> Iterator[tuple[StoredQueue, Queue]]:
    """The queues behind rows of the store, without the outgoing ones."""
    for row in rows:
        queue = shelf.queue_of(row, path=path)
        if not isinstance(queue, OutgoingQueue):
            yield row, queue


def names_of(manager: QueueManager) -> list[str]:
    """The names of all queues hosted here, but not of their journals."""
    return [name_of(queue) for _, queue in hosted_queues(manager.store.queues(), manager.store.path) if kind_of(queue) is not Kind.JOURNAL]


def part_of(queue: Queue) -> QueuePart:
    """The name of the queue without the computer."""
    if queue.pathname is None:
        raise ValueError("a hosted queue has a path name")
    return queue.pathname.part


def name_of(queue: Queue) -> str:
    """The queue as it is told everywhere."""
    return str(PathName(LOCAL_COMPUTER, part_of(queue)))


def kind_of(queue: Queue) -> Kind:
    """What the queue is to the user."""
    part = part_of(queue)
    if part.journal:
        return Kind.JOURNAL
    return Kind.SUBQUEUE if part.subqueue is not None else Kind(queue.queue_type.value.lower())
