"""Queues that come and go: defaults, creating, deleting, purging. [MS-MQDMPR] 3.1.7.1.3, 3.1.7.1.4, 3.1.7.1.7, 3.1.7.1.33

A queue is in the store under the key of `queue_names`. Its journal and its subqueues name it as their parent there and go with it. A
private queue has the number of its row, moved behind the numbers that every computer gives to the same queues: it is never given twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msmqctl.qm.administration import ON_HOLD, hold_key
from msmqctl.qm.core import key_of
from msmqctl.qm.directory_joint import identified_by
from msmqctl.qm.model import UNLIMITED_QUOTA, DirectoryOperationResult, PositionState, Queue, QueuePrivacyLevel, QueueType, handed_down
from msmqctl.qm.opening import Opening, queue_type_of
from msmqctl.qm.queue_names import key_of_part
from msmqctl.qm.resolver import BY_IDENTIFIER, BY_NUMBER
from msmqctl.qm.security_default import Circumstances, default_security
from msmqctl.qm.store import BEFORE_ALL, PositionRow
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.names import WELL_KNOWN_QUEUES, PathName, QueuePart
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.sid import ANONYMOUS_LOGON, Sid
from msmqctl.wire.status import HResult
from msmqctl.wire.values import MessageClass

# What Set Queue Defaults sets. [MS-MQDMPR] 3.1.7.1.33
_DEFAULTS = {
    "label": "",
    "type": NULL_GUID,
    "journaling": False,
    "quota": UNLIMITED_QUOTA,
    "journal_quota": UNLIMITED_QUOTA,
    "authentication": False,
    "privacy_level": QueuePrivacyLevel.OPTIONAL,
    "transactional": False,
    "multicast_address": None,
    "security": None,
    "base_priority": 0,
}
# What Create Queue takes from its template, besides the path name and the security. [MS-MQDMPR] 3.1.7.1.3
_COPIED = tuple(name for name in _DEFAULTS if name != "security")

# The status for each way in which the directory can fail.
_DIRECTORY_FAILURES = {
    DirectoryOperationResult.OBJECT_ALREADY_EXISTS: HResult.MQ_ERROR_QUEUE_EXISTS,
    DirectoryOperationResult.OBJECT_NOT_FOUND: HResult.MQ_ERROR_QUEUE_NOT_FOUND,
    DirectoryOperationResult.DIRECTORY_NOT_CONNECTED: HResult.MQ_ERROR_NO_DS,
}


@dataclass(frozen=True, slots=True)
class QueueResult:
    """How a creation ended; the queue is there exactly with MQ_OK. [MS-MQDMPR] 3.1.7.1.3"""

    status: HResult
    queue: Queue | None = None


class Queues(Opening):
    """Create, delete and empty queues; opening and naming come from `Opening`."""

    # ---- creating

    def set_queue_defaults(self, queue: Queue) -> None:
        """Prepare a template for `create_queue`; the creator's own values come after. [MS-MQDMPR] 3.1.7.1.33"""
        with self.call():
            # Departs from [MS-MQDMPR] 3.1.7.1.33: Security is left open until Create Queue, because it depends on the path name.
            self.assign(queue, **_DEFAULTS)

    def create_queue(self, template: Queue, now: datetime, *, skip_directory: bool = False, caller: Sid = ANONYMOUS_LOGON) -> QueueResult:
        """Make a queue like the template. `caller` is the identity of the current thread. [MS-MQDMPR] 3.1.7.1.3"""
        with self.call():
            path = template.pathname
            if path is None or path.journal or not self.computer.means(path.computer):
                return QueueResult(HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME)
            if self._by_key(key_of_part(path.part)) is not None:
                return QueueResult(HResult.MQ_ERROR_QUEUE_EXISTS)
            parent = None if path.subqueue is None else self._by_key(key_of_part(QueuePart(path.queue, path.part.area)))
            if path.subqueue is not None and parent is None:
                return QueueResult(HResult.MQ_ERROR_QUEUE_NOT_FOUND)
            queue = self._copy_of(template, path, now, caller, parent)
            # Departs from [MS-MQDMPR] 3.1.7.1.3: a subqueue is not published, because the directory knows whole queues only.
            if queue.queue_type is QueueType.PUBLIC and not skip_directory and parent is None:
                failed = self._publish(queue)
                if failed is not None:
                    return QueueResult(failed)
            self._settle(queue, parent)
            return QueueResult(HResult.MQ_OK, queue)

    def _copy_of(self, template: Queue, path: PathName, now: datetime, caller: Sid, parent: Queue | None) -> Queue:
        """The new queue, not stored yet. [MS-MQDMPR] 3.1.7.1.3"""
        seconds = int(now.timestamp())
        queue = Queue(
            # Departs from [MS-MQDMPR] 3.1.7.1.3: a dot in Pathname becomes the name of the computer, because others read it too.
            pathname=self.computer.named(path),
            qualified_pathname=self.computer.qualified(path),
            queue_type=queue_type_of(path.part),
            create_time=seconds,
            modify_time=seconds,
            queue_manager=self.local.identifier,
            **{name: getattr(template, name) for name in _COPIED},
        )
        if parent is None:
            queue.security = default_security(template.security, self._circumstances(template, path, caller))
            return queue
        # Departs from [MS-MQDMPR] 3.1.7.1.3: quota, security, transactional and priority of a subqueue are those of its queue.
        for name, value in handed_down(parent, journal=False).items():
            setattr(queue, name, value)
        return queue

    def _circumstances(self, template: Queue, path: PathName, caller: Sid) -> Circumstances:
        local = self.local
        return Circumstances(
            caller=caller,
            in_domain=local.directory_integrated,
            machine=self._sid_of_computer(self.computer.named(path).computer),
            reached_by_srmp=local.srmp_http_support or (local.srmp_pgm_support and template.multicast_address is not None),
        )

    def _publish(self, queue: Queue) -> HResult | None:
        """Tell the directory of a new queue and learn its identifier; the status if that fails. [MS-MQDMPR] 3.1.7.1.3"""
        created = self.create_directory_object(queue)
        if created.identifier is None:
            return _DIRECTORY_FAILURES.get(created.status, HResult.MQ_ERROR_DS_ERROR)
        queue.identifier = created.identifier
        # Departs from [MS-MQDMPR] 3.1.7.1.3: only a failed creation ends the event, a failed read leaves the paths empty.
        self.refresh(queue, self.read_directory("Queue", identified_by(queue.identifier), ("full_path", "directory_path")))
        return None

    def _settle(self, queue: Queue, parent: Queue | None) -> None:
        """Store a new queue with all that belongs to it, and put it into the collection."""
        if queue.identifier == NULL_GUID:
            # Departs from [MS-MQDMPR] 3.1.7.1.3: queues that no directory names get a GUID here, because every object has one.
            queue.identifier = self.new_guid()
        if queue.pathname is None:
            raise ValueError("a hosted queue has a path name")
        number = self._enroll(queue, key_of_part(queue.pathname.part), None if parent is None else parent.key)
        if queue.queue_type is QueueType.PRIVATE:
            queue.private_queue_number = max(WELL_KNOWN_QUEUES) + number
            self.note_queue(BY_NUMBER, _number_key(queue), number)
        if parent is None:
            queue.journal_queue_reference = self._create_journal(queue, queue.pathname)
        else:
            self.add(parent.subqueue_collection, number)
            self.save_queue(parent)
        self.save_queue(queue)
        self.enter_collection(queue)

    def _create_journal(self, queue: Queue, path: PathName) -> int | None:
        """The journal of a new queue; it takes what JournalQuota allows. A queue of the computer itself has none. [MS-MQDMPR] 3.1.7.1.3"""
        if path.system:
            return None
        part = QueuePart(path.queue, path.part.area, journal=True)
        journal = Queue(
            identifier=self.new_guid(),
            pathname=PathName(path.computer, part),
            qualified_pathname=self.computer.qualified(PathName(path.computer, part)),
            # Not published and not numbered: the queue manager alone makes and fills it.
            queue_type=QueueType.SYSTEM,
            create_time=queue.create_time,
            modify_time=queue.modify_time,
            queue_manager=queue.queue_manager,
            **handed_down(queue, journal=True),
        )
        return self._enroll(journal, key_of_part(part), queue.key)

    # ---- deleting

    def delete_queue(self, queue: Queue, *, skip_directory: bool = False) -> HResult:
        """Delete a queue with its messages, journal and subqueues, then its directory object. [MS-MQDMPR] 3.1.7.1.4"""
        with self.call():
            row = None if queue.key is None else self.store.queue(queue.key)
            if row is None:
                return HResult.MQ_ERROR_QUEUE_NOT_FOUND
            # The parts first: the store lets no queue go while others name it as their parent.
            for number in (*(part.id for part in self.store.parts_of(row.id)), row.id):
                self._remove(number)
            self._leave_parent(row.id, row.parent)
            self.save_manager()
            if not self.is_public(queue) or row.parent is not None or skip_directory:
                return HResult.MQ_OK
            result = self.delete_directory_object(queue)
            failed = _DIRECTORY_FAILURES.get(result, HResult.MQ_ERROR_DS_ERROR)
            return HResult.MQ_OK if result is DirectoryOperationResult.SUCCESS else failed

    def _remove(self, number: int) -> None:
        """Take one queue out of everything that knows it. [MS-MQDMPR] 3.1.7.1.4"""
        queue = self.queue(number)
        if queue is None:
            return
        # Departs from [MS-MQDMPR] 3.1.7.1.4: waiting reads end with the queue, and so do its journal, subqueues and dispatch entries.
        self.cancel_reads(lambda read: read.descriptor.queue_reference == number, HResult.MQ_ERROR_QUEUE_NOT_AVAILABLE)
        gone = set()
        for position in self._all_positions(number):
            gone.add(position.lookup)
            self.message_position_deleted(position, MessageClass.MQMSG_CLASS_NACK_Q_DELETED)
        for entry in list(self.local.dispatch_collection):
            if entry.message_position_reference in gone:
                self.drop(self.local.dispatch_collection, entry)
        for descriptor in queue.open_queue_descriptor_collection:
            self.assign(descriptor, queue_reference=None)
        self.drop(self.local.queue_collection, number)
        self.store.delete_note(BY_IDENTIFIER, queue.identifier.bytes)
        self.store.delete_note(BY_NUMBER, _number_key(queue))
        self.store.delete_note(ON_HOLD, hold_key(number))
        self.store.delete_queue(number)
        self.forget_queue(number)
        self.must_last()

    def _leave_parent(self, number: int, parent: int | None) -> None:
        """Let the queue that a journal or subqueue belonged to forget it."""
        owner = None if parent is None else self.queue(parent)
        if owner is None:
            return
        self.drop(owner.subqueue_collection, number)
        if owner.journal_queue_reference == number:
            self.assign(owner, journal_queue_reference=None)
        self.save_queue(owner)

    # ---- emptying

    def purge_queue(self, queue: Queue) -> None:
        """Delete all messages that nobody holds, and doom those that somebody does. [MS-MQDMPR] 3.1.7.1.7"""
        with self.call():
            for position in self._all_positions(key_of(queue)):
                if position.state == PositionState.AVAILABLE:
                    self.message_position_deleted(position, MessageClass.MQMSG_CLASS_NACK_Q_PURGED)
                elif position.state == PositionState.LOCKED and position.counted:
                    # Departs from [MS-MQDMPR] 3.1.7.1.7: what a transaction sent and has not committed stays, it is not in the queue yet.
                    self.store.set_state(position.lookup, PositionState.PURGE_PENDING)
            self.must_last()

    def _all_positions(self, queue: int) -> Iterator[PositionRow]:
        """Every entry of a queue, a page at a time, so that entries may go while they are walked over."""
        after = BEFORE_ALL
        while page := self.store.positions(queue, after):
            yield from page
            after = page[-1].lookup


def _number_key(queue: Queue) -> bytes:
    return queue.private_queue_number.to_bytes(4, "big")
