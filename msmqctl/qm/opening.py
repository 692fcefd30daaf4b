"""Queues that somebody opens: who may share them, how outgoing ones come to be, their cursors. [MS-MQDMPR] 3.1.7.1.5, 3.1.7.1.6

    existing open          new open: DenyReceive+Receive  DenyReceive+Peek  DenyReceive+other  DenyNone+Receive  DenyNone+other
    DenyReceive, Receive             refused              refused           refused            refused           allowed
    DenyReceive, Peek                refused              allowed           allowed            refused           allowed
    DenyNone, Receive                refused              refused           refused            allowed           allowed
    anything else                    allowed              allowed           allowed            allowed           allowed

The first line that matches any existing open decides. Nothing here looks at the security of the queue: callers do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from msmqctl.qm import shelf
from msmqctl.qm.core import key_of
from msmqctl.qm.model import (
    Cursor,
    OpenQueueDescriptor,
    OutgoingQueue,
    OutgoingQueueState,
    Queue,
    QueueAccessType,
    QueueShareMode,
    QueueType,
)
from msmqctl.qm.queue_names import key_of_outgoing
from msmqctl.qm.resolver import BY_IDENTIFIER, Resolver
from msmqctl.qm.waiting import PendingRead
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.names import (
    Area,
    ConnectorName,
    DirectName,
    ElementName,
    FormatName,
    MachineName,
    MulticastName,
    MultipleElementName,
    PrivateName,
    PublicName,
    QueuePart,
)
from msmqctl.wire.pathname import Suffix
from msmqctl.wire.status import HResult

SEND, RECEIVE, PEEK = QueueAccessType.SEND_ACCESS, QueueAccessType.RECEIVE_ACCESS, QueueAccessType.PEEK_ACCESS
PEEK_ADMIN = QueueAccessType.PEEK_ADMIN_ACCESS
DENY_NONE, DENY_RECEIVE = QueueShareMode.DENY_NONE, QueueShareMode.DENY_RECEIVE


@dataclass(frozen=True, slots=True)
class OpenResult:
    """How an open ended; the descriptor is there exactly with MQ_OK. [MS-MQDMPR] 3.1.7.1.5"""

    status: HResult
    descriptor: OpenQueueDescriptor | None = None


@dataclass(frozen=True, slots=True)
class SharingRule:
    """What some existing opens of a queue deny to new ones. [MS-MQDMPR] 3.1.7.1.5"""

    share: QueueShareMode
    access: frozenset[QueueAccessType]
    refuses: Callable[[QueueAccessType, QueueShareMode], bool]


_SHARING = (
    SharingRule(DENY_RECEIVE, frozenset({RECEIVE}), lambda access, share: share is DENY_RECEIVE or access is RECEIVE),
    SharingRule(DENY_RECEIVE, frozenset({PEEK, PEEK_ADMIN}), lambda access, share: access is RECEIVE),
    SharingRule(DENY_NONE, frozenset({RECEIVE}), lambda access, share: share is DENY_RECEIVE),
)


def violates_sharing(existing: Iterable[OpenQueueDescriptor], access: QueueAccessType, share: QueueShareMode) -> bool:
    """Whether a new open has to stay out. [MS-MQDMPR] 3.1.7.1.5"""
    opens = {(descriptor.share_mode, descriptor.access_type) for descriptor in existing}
    for rule in _SHARING:
        if any((rule.share, held) in opens for held in rule.access):
            return rule.refuses(access, share)
    return False


def is_supported(name: ElementName | MachineName, access: QueueAccessType) -> bool:
    """Whether a queue with such a name can be opened for this at all. [MS-MQDMPR] 3.1.7.1.5"""
    if isinstance(name, MulticastName) or (isinstance(name, DirectName) and name.protocol.web):
        return access is SEND and not _is_receive_only(name)
    return access is not SEND or not _is_receive_only(name)


def _is_receive_only(name: ElementName | MachineName) -> bool:
    # Departs from [MS-MQDMPR] 3.1.7.1.5: journals and subqueues refuse senders like machine names do, as the queue manager fills them.
    return name.suffix.read_only or name.suffix is Suffix.SUBQUEUE


_QUEUE_TYPE_OF_AREA = {Area.PUBLIC: QueueType.PUBLIC, Area.PRIVATE: QueueType.PRIVATE, Area.SYSTEM: QueueType.SYSTEM}
_QUEUE_TYPE_OF_NAME: dict[type[FormatName], QueueType] = {
    PublicName: QueueType.PUBLIC,
    PrivateName: QueueType.PRIVATE,
    ConnectorName: QueueType.CONNECTOR,
    MulticastName: QueueType.PUBLIC,
}


def queue_type_of(part: QueuePart) -> QueueType:
    """The type of a queue by the form of its path name. [MS-MQDMPR] 3.1.7.1.3"""
    return _QUEUE_TYPE_OF_AREA[part.area]


class Opening(Resolver):
    """Open and close queues and cursors."""

    def open_queue(self, name: FormatName, access: QueueAccessType, share: QueueShareMode, now: datetime) -> OpenResult:
        """Open a queue, or several for sending. [MS-MQDMPR] 3.1.7.1.5"""
        with self.call():
            expanded = self.expand_format_name(name)
            if expanded is None:
                return OpenResult(HResult.MQ_ERROR_QUEUE_NOT_FOUND)
            if isinstance(expanded, MultipleElementName):
                return self._open_several(expanded, access, share, now)
            return self._open_one(expanded, access, share, now)

    def _open_several(self, name: MultipleElementName, access: QueueAccessType, share: QueueShareMode, now: datetime) -> OpenResult:
        if access is not SEND:
            return OpenResult(HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION)
        if share is not DENY_NONE:
            return OpenResult(HResult.MQ_ERROR_UNSUPPORTED_ACCESS_MODE)
        parent = self._new_descriptor(name, SEND, DENY_NONE, multiple=True)
        for element in name.elements:
            result = self.open_queue(element, SEND, DENY_NONE, now)
            if result.descriptor is None:
                self.close_queue(parent)
                return OpenResult(result.status)
            self.assign(parent, open_queue_descriptor_collection=(*parent.open_queue_descriptor_collection, result.descriptor))
        return OpenResult(HResult.MQ_OK, parent)

    def _open_one(self, name: ElementName | MachineName, access: QueueAccessType, share: QueueShareMode, now: datetime) -> OpenResult:
        if not is_supported(name, access):
            return OpenResult(HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION)
        queue = self.find_queue(name, access)
        if queue is None:
            if access is not SEND or self._is_here(name):
                return OpenResult(HResult.MQ_ERROR_QUEUE_NOT_FOUND)
            made = self._create_outgoing_queue(name, now)
            if isinstance(made, HResult):
                return OpenResult(made)
            queue = made
        if violates_sharing(queue.open_queue_descriptor_collection, access, share):
            return OpenResult(HResult.MQ_ERROR_SHARING_VIOLATION)
        descriptor = self._new_descriptor(name, access, share, queue=queue)
        self.add(queue.open_queue_descriptor_collection, descriptor)
        return OpenResult(HResult.MQ_OK, descriptor)

    def _is_here(self, name: FormatName) -> bool:
        """Whether the queue would have to be hosted here, so that no message for it can go elsewhere. [MS-MQDMPR] 3.1.7.1.5"""
        if isinstance(name, DirectName):
            return self.computer.means(name.address)
        return isinstance(name, PrivateName) and name.lineage == self.local.identifier

    def _new_descriptor(
        self, name: FormatName, access: QueueAccessType, share: QueueShareMode, *, queue: Queue | None = None, multiple: bool = False
    ) -> OpenQueueDescriptor:
        # Departs from [MS-MQDMPR] 3.1.7.1.5: the share mode is kept with a single queue too, or no later open could be refused.
        return OpenQueueDescriptor(
            handle=self.new_handle(),
            context_value=self.new_handle(),
            multiple=multiple,
            access_type=access,
            share_mode=share,
            queue_reference=None if queue is None else queue.key,
            format_name=name,
        )

    def _create_outgoing_queue(self, name: ElementName | MachineName, now: datetime) -> OutgoingQueue | HResult:
        """A queue for messages to a destination elsewhere, or the status that says why there is none. [MS-MQDMPR] 3.1.7.1.5"""
        priority = 0
        if isinstance(name, PublicName):
            known = self._queue_in_directory(name.guid)
            if known is None:
                return HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION
            if self._is_of_this_computer(known):
                return HResult.MQ_ERROR_QUEUE_NOT_FOUND
            read_again = self._queue_in_directory(name.guid)
            if read_again is None:
                return HResult.MQ_ERROR_QUEUE_NOT_FOUND
            priority = read_again.base_priority
        by_web = isinstance(name, DirectName) and name.protocol.web
        locked = self.local.hardened_security and not by_web
        queue = OutgoingQueue(
            identifier=self.new_guid(),
            label=str(name),
            create_time=int(now.timestamp()),
            modify_time=int(now.timestamp()),
            queue_type=queue_type_of(name.part) if isinstance(name, DirectName) else _QUEUE_TYPE_OF_NAME[type(name)],
            base_priority=priority,
            queue_manager=self.local.identifier,
            destination_format_name=name,
            multicast=isinstance(name, MulticastName),
            state=OutgoingQueueState.LOCKED if locked else OutgoingQueueState.INACTIVE,
        )
        # Departs from [MS-MQDMPR] 3.1.7.1.5: the outgoing queue joins the collection, so that the next open finds it and it is not lost.
        self._enroll(queue, key_of_outgoing(name))
        self.enter_collection(queue)
        return queue

    def _enroll(self, queue: Queue, key: str, parent: int | None = None) -> int:
        """Give a new queue its place in the store and among the live ones; its number there."""
        number = self.store.add_queue(key, queue.queue_type.value, shelf.queue_attributes(queue), parent)
        self.assign(queue, key=number)
        self.keep_queue(queue)
        self.must_last()
        return number

    def enter_collection(self, queue: Queue) -> None:
        """Put a stored queue into QueueCollection, where its identifier leads to it. [MS-MQDMPR] 3.1.1.1"""
        number = key_of(queue)
        self.note_queue(BY_IDENTIFIER, queue.identifier.bytes, number)
        self.add(self.local.queue_collection, number)
        self.save_manager()

    def close_queue(self, descriptor: OpenQueueDescriptor) -> None:
        """Close what was opened, with its cursors and the reads that wait on it; the queue may be gone already. [MS-MQDMPR] 3.1.7.1.6"""
        with self.call():
            # Departs from [MS-MQDMPR] 3.1.7.1.6: several queues are closed before QueueReference is looked at, which they never have.
            for child in descriptor.open_queue_descriptor_collection:
                self.close_queue(child)
            # Departs from [MS-MQDMPR] 3.1.7.1.6: reads without a tag end too, and only reads of this descriptor, whatever tag others have.
            self.cancel_reads(lambda read: read.descriptor is descriptor, HResult.MQ_ERROR_OPERATION_CANCELLED)
            for cursor in list(descriptor.cursor_collection):
                self.close_cursor(cursor)
            queue = None if descriptor.queue_reference is None else self.queue(descriptor.queue_reference)
            if queue is not None:
                self.drop(queue.open_queue_descriptor_collection, descriptor)

    # ---- cursors

    def open_cursor(self, descriptor: OpenQueueDescriptor) -> Cursor | None:
        """A new cursor, before the first message; None when the queue is gone. [MS-MQDMPR] 3.1.7.1.1, 3.2.7.1"""
        with self.call():
            if descriptor.queue_reference is None:
                return None
            cursor = Cursor(handle=self.new_handle(), open_queue_descriptor_reference=descriptor)
            self.add(descriptor.cursor_collection, cursor)
            return cursor

    def close_cursor(self, cursor: Cursor) -> None:
        """Give up a cursor; reads that wait through it end. [MS-MQDMPR] 3.1.7.1.2"""
        with self.call():
            # Departs from [MS-MQDMPR] 3.1.7.1.2: a read that waits through the cursor is told, or its caller would wait for ever.
            self.cancel_reads(lambda read: read.operation.cursor_reference is cursor, HResult.MQ_ERROR_OPERATION_CANCELLED)
            self.drop(cursor.open_queue_descriptor_reference.cursor_collection, cursor)

    def cancel_reads(self, chosen: Callable[[PendingRead], bool], status: HResult) -> None:
        """End waiting reads with a status. [MS-MQDMPR] 3.1.7.3.5"""
        for read in self.waiting_reads():
            if chosen(read):
                self.end_read(read, read.give_up, status)
