"""Which queue a name denotes, and where it is: the one resolver of the queue manager. [MS-MQDMPR] 3.1.7.1.5, 3.1.7.1.26, 3.1.7.3.8

    path name, DIRECT   the computer has to be this one; what stands behind it is the key of the queue
    PUBLIC              the identifier of a queue here
    PRIVATE             the identifier of this queue manager, and the number of a queue
    MACHINE             the identifier of this queue manager, and the role of one of its own queues
    anything else       no queue that is hosted here

Outgoing queues are found under the name of their destination, but only by those who send to it or administer what waits for it.
"""

from __future__ import annotations

from uuid import UUID

from msmqctl.qm.model import Queue, QueueAccessType, QueueType
from msmqctl.qm.queue_directory import QueueDirectory
from msmqctl.qm.queue_names import LocalComputer, key_of_computer_queue, key_of_outgoing, key_of_part
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.names import (
    WELL_KNOWN_QUEUES,
    Area,
    DirectName,
    DistributionListName,
    ElementName,
    FormatName,
    MachineName,
    MultipleElementName,
    PathName,
    PrivateName,
    PublicName,
    QueueName,
    QueuePart,
    direct_name,
)
from msmqctl.wire.status import HResult

# For what an outgoing queue is found under the name of its destination; a reader of that name wants the far queue itself.
_OUTGOING_ACCESS = frozenset({QueueAccessType.SEND_ACCESS, QueueAccessType.RECEIVE_ADMIN_ACCESS, QueueAccessType.PEEK_ADMIN_ACCESS})
# Where the store notes which queue has an identifier, and which private queue a number.
BY_IDENTIFIER, BY_NUMBER = "queue-identifier", "queue-number"
_NOTE_SIZE = 8


@dataclass(frozen=True, slots=True)
class PathResult:
    """The path name and the computer behind a format name, empty where they cannot be told. [MS-MQDMPR] 3.1.7.1.26"""

    status: HResult
    path_name: str = ""
    machine_name: str = ""


class Resolver(QueueDirectory):
    """Find queues by name, and tell where named queues are."""

    @property
    def computer(self) -> LocalComputer:
        """The names of this computer, as they are now."""
        return LocalComputer(self.local, self.addresses)

    # ---- which queue a name denotes: the one resolver

    def find_queue(self, name: QueueName, access: QueueAccessType) -> Queue | None:
        """The queue of this queue manager that a name denotes for somebody who wants this access. [MS-MQDMPR] 3.1.7.1.5"""
        with self.call():
            hosted = self._hosted(name)
            return self._outgoing(name) if hosted is None and access in _OUTGOING_ACCESS else hosted

    def _outgoing(self, name: QueueName) -> Queue | None:
        if not isinstance(name, PathName):
            return self._by_key(key_of_outgoing(name))
        # No direct name reaches every system queue, and none of them is sent to.
        return None if name.system else self._by_key(key_of_outgoing(direct_name(name)))

    def _hosted(self, name: QueueName) -> Queue | None:
        match name:
            case PathName() | DirectName():
                part = self.computer.part_of(name)
                return None if part is None else self._by_key(key_of_part(part))
            case PublicName():
                queue = self._by_note(BY_IDENTIFIER, name.guid.bytes)
                return None if queue is None or not self.is_public(queue) else self._journal_or_itself(queue, journal=name.journal)
            case PrivateName() if name.lineage == self.local.identifier:
                return self._journal_or_itself(self.private_queue(name.number), journal=name.journal)
            case MachineName() if name.guid == self.local.identifier:
                return self._by_key(key_of_computer_queue(name.suffix))
            case _:
                return None

    def private_queue(self, number: int) -> Queue | None:
        """The queue with this number here; two numbers mean the same queue on every computer. [MS-MQMQ] 2.1.4"""
        if number in WELL_KNOWN_QUEUES:
            return self._by_key(key_of_part(QueuePart(WELL_KNOWN_QUEUES[number], Area.PRIVATE)))
        return self._by_note(BY_NUMBER, number.to_bytes(4, "big"))

    def _by_key(self, key: str) -> Queue | None:
        row = self.store.queue_by_key(key)
        return None if row is None else self.queue(row.id)

    def _by_note(self, room: str, key: bytes) -> Queue | None:
        noted = self.store.note(room, key)
        return None if noted is None else self.queue(int.from_bytes(noted, "big"))

    def _journal_or_itself(self, queue: Queue | None, *, journal: bool) -> Queue | None:
        if queue is None or not journal:
            return queue
        return None if queue.journal_queue_reference is None else self.queue(queue.journal_queue_reference)

    # ---- names that stand for several queues

    def expand_format_name(self, name: FormatName) -> FormatName | None:
        """The name with every distribution list in it resolved; None when one cannot be, or nothing is left. [MS-MQDMPR] 3.1.7.3.8"""
        if not isinstance(name, DistributionListName | MultipleElementName):
            return name
        with self.call():
            pending: list[ElementName] = list(name.elements) if isinstance(name, MultipleElementName) else [name]
            found: dict[str, ElementName] = {}
            resolved: set[str] = set()
            # The list grows while it is walked: members of a list may be lists. One that was resolved before brings nothing new.
            for element in pending:
                if not isinstance(element, DistributionListName):
                    found.setdefault(element.key, element)
                elif element.key not in resolved:
                    resolved.add(element.key)
                    members = self._members_of(element)
                    if members is None:
                        return None
                    pending.extend(members)
            return _joined([found[key] for key in sorted(found)])

    def note_queue(self, room: str, key: bytes, number: int) -> None:
        """Let a queue be found by something else than its name."""
        self.store.put_note(room, key, number.to_bytes(_NOTE_SIZE, "big"))

    def _is_of_this_computer(self, queue: Queue) -> bool:
        by_path = queue.pathname is not None and self.computer.means(queue.pathname.computer)
        return by_path or (queue.queue_manager == self.local.identifier and queue.queue_manager.int != 0)

    # ---- where a queue is

    def get_queue_path(self, name: FormatName) -> PathResult:
        """The path name and the computer of a queue, for those names that tell. [MS-MQDMPR] 3.1.7.1.26"""
        with self.call():
            match name:
                case DirectName() if name.protocol.web:
                    return PathResult(HResult.MQ_OK, machine_name=name.address)
                case DirectName():
                    return PathResult(HResult.MQ_OK, f"{name.address}\\{name.part}", name.address)
                case PublicName():
                    return self._path_of_public(name.guid)
                case PrivateName():
                    return self._path_of_private(name)
                case _:
                    return PathResult(HResult.MQ_OK)

    def _path_of_public(self, identifier: UUID) -> PathResult:
        queue = self._queue_in_directory(identifier)
        if queue is None:
            return PathResult(HResult.MQ_ERROR_ILLEGAL_FORMATNAME)
        if queue.pathname is None:
            return PathResult(HResult.MQ_OK)
        here = self.local.computer_name if self._is_of_this_computer(queue) else ""
        return PathResult(HResult.MQ_OK, str(queue.pathname), here or queue.pathname.computer)

    def _path_of_private(self, name: PrivateName) -> PathResult:
        manager = self._manager_in_directory(name.lineage)
        if manager is None:
            return PathResult(HResult.MQ_ERROR_ILLEGAL_FORMATNAME)
        # Departs from [MS-MQDMPR] 3.1.7.1.26: the number counts only if the name has the GUID of this queue manager.
        queue = self.private_queue(name.number) if name.lineage == self.local.identifier else None
        if queue is None or queue.queue_type is not QueueType.PRIVATE or queue.pathname is None:
            return PathResult(HResult.MQ_OK, machine_name=manager.computer_name)
        return PathResult(HResult.MQ_OK, str(queue.pathname), manager.computer_name)


def _joined(elements: list[ElementName]) -> FormatName | None:
    """One name for all; None for no element, or when one among several cannot be sent to."""
    if len(elements) < 2:
        return next(iter(elements), None)
    return None if any(element.suffix.read_only for element in elements) else MultipleElementName(tuple(elements))
