"""Queues, positions, transactions and open handles: what sending and receiving works on. [MS-MQDMPR] 3.1.1, 3.2.1

Where the document has a reference, these hold the number the store gave the queue or the lookup identifier of the position. Only what
lives in memory alone refers to its fellows directly: open handles, their cursors, and the reads that wait on them. The list of
positions of a queue is in the store, in the order of their lookup identifiers, so a position has no links to its neighbours.
"""

from __future__ import annotations

from collections import deque
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Any, ClassVar, TypeAlias
from uuid import UUID

from msmqctl.qm.element import (
    DirectoryObject,
    Element,
    Fault,
    Value,
    between,
    directory,
    directory_attributes,
    element,
    in_utc,
    member_of,
    optional,
    persistent,
    value,
    volatile,
)
from msmqctl.wire.identity import SequenceInfo, TxSequenceId
from msmqctl.wire.names import FormatName, MulticastName, MultipleElementName, PathName
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.security import SecurityDescriptor
from msmqctl.wire.values import ConnectionStatus, MessageClass

# The number of a queue in the store, and the lookup identifier of a position.
QueueKey: TypeAlias = int
PositionKey: TypeAlias = int

# A quota that is never reached. Quotas of queues, journals and the whole queue manager count in this unit.
UNLIMITED_QUOTA = 0xFFFFFFFF
QUOTA_UNIT = 1024


def quota_in_bytes(quota: int) -> int | None:
    """How many octets a quota allows; None for any number. [MS-MQDMPR] 3.1.1.2"""
    return None if quota == UNLIMITED_QUOTA else quota * QUOTA_UNIT


class QueueType(StrEnum):
    """Who made a queue and who can find it. [MS-MQDMPR] 3.1.1.2"""

    PRIVATE = "Private"
    PUBLIC = "Public"
    SYSTEM = "System"
    CONNECTOR = "Connector"


class QueuePrivacyLevel(StrEnum):
    """Which messages a queue takes: only plain ones, all, only encrypted ones. [MS-MQDMPR] 3.1.1.2"""

    NONE = "None"
    OPTIONAL = "Optional"
    BODY = "Body"


class Scope(StrEnum):
    """How far a public queue is known. [MS-MQDMPR] 3.1.1.2"""

    SITE = "Site"
    ENTERPRISE = "Enterprise"


class OutgoingQueueState(StrEnum):
    """What an outgoing queue does about its next hop. [MS-MQDMPR] 3.1.1.3"""

    CONNECTED = "Connected"
    DISCONNECTED = "Disconnected"
    DISCONNECTING = "Disconnecting"
    INACTIVE = "Inactive"
    LOCKED = "Locked"
    NEED_VALIDATION = "NeedValidation"
    WAITING = "Waiting"
    ON_HOLD = "OnHold"


class PositionState(IntEnum):
    """Who may have the message at a position. The document has no numbers; these are the store's. [MS-MQDMPR] 3.1.1.11"""

    AVAILABLE = 0
    LOCKED = 1
    PURGE_PENDING = 2
    DELETED = 3


class ListEdge(StrEnum):
    """The two entries of every list of positions that hold no message: before the first and behind the last. [MS-MQDMPR] 3.1.1.2"""

    START = "Start"
    END = "End"


class OperationType(StrEnum):
    """What a transaction did to a position. [MS-MQDMPR] 3.1.1.13"""

    ENQUEUE = "Enqueue"
    DEQUEUE = "Dequeue"
    MOVE = "Move"


class DirectoryOperationResult(StrEnum):
    """How a directory event ended. [MS-MQDMPR] 3.1.1.17.1"""

    SUCCESS = "Success"
    GENERIC_ERROR = "GenericError"
    DIRECTORY_NOT_CONNECTED = "DirectoryNotConnected"
    OBJECT_NOT_FOUND = "ObjectNotFound"
    ATTRIBUTE_NOT_FOUND = "AttributeNotFound"
    END_OF_DATA = "EndOfData"
    OBJECT_ALREADY_EXISTS = "ObjectAlreadyExists"


class MessageSeekAction(StrEnum):
    """Which message a reader wants, seen from a given one. [MS-MQDMPR] 3.1.1.17.2"""

    SEEK_FIRST = "SeekFirst"
    SEEK_PREVIOUS = "SeekPrevious"
    SEEK_CURRENT = "SeekCurrent"
    SEEK_NEXT = "SeekNext"
    SEEK_LAST = "SeekLast"


class QueueAccessType(StrEnum):
    """What a queue was opened for; the administrative kinds are for outgoing queues. [MS-MQDMPR] 3.1.1.17.3"""

    RECEIVE_ACCESS = "ReceiveAccess"
    SEND_ACCESS = "SendAccess"
    PEEK_ACCESS = "PeekAccess"
    MOVE_ACCESS = "MoveAccess"
    RECEIVE_ADMIN_ACCESS = "ReceiveAdminAccess"
    PEEK_ADMIN_ACCESS = "PeekAdminAccess"


class QueueShareMode(StrEnum):
    """Whether others may read from a queue that is open here. [MS-MQDMPR] 3.1.1.17.4"""

    DENY_NONE = "DenyNone"
    DENY_RECEIVE = "DenyReceive"


class RemoteReadState(StrEnum):
    """How far client and server agreed on a handle for reading from afar. [MS-MQDMPR] 3.1.1.16"""

    NONE = "None"
    OPENED = "Opened"
    READY_FOR_READ = "ReadyForRead"


class CursorState(StrEnum):
    """Whether the message at a cursor was retrieved through it, or what the cursor waits for. [MS-MQDMPR] 3.2.1.2"""

    UNREAD = "Unread"
    WAIT_RECEIVE = "WaitReceive"
    WAIT_PEEK = "WaitPeek"
    READ = "Read"


@value
class MessagePosition(Value):
    """A place in a queue and the message there, as the store had it when asked. [MS-MQDMPR] 3.1.1.11"""

    # Departs from [MS-MQDMPR] 3.1.1.11: the queue of a position is persistent, because after a restart the message must be in it again.
    queue_reference: QueueKey = persistent()
    # Unique in the queue manager and ascending along the queue: the key of the position and of the message, and its place.
    lookup_identifier: PositionKey = persistent(check=between(0, 0xFFFFFFFFFFFFFFFF))
    state: PositionState = persistent(default=PositionState.AVAILABLE, check=member_of(PositionState))
    # Whether the queue's total contains the message: an enqueue that is not committed is not counted yet.
    counted: bool = persistent(default=False)
    size: int = persistent(default=0)

    @property
    def message_reference(self) -> PositionKey:
        """The key of the message: the store keeps it with its position."""
        return self.lookup_identifier


@value
class ConnectionHistoryEntry(Value):
    """One attempt to reach the next hop: `error` is 0 or the status that ended it. [MS-MQDMPR] 3.1.1.3"""

    status: ConnectionStatus = volatile(check=lambda status: None if status.known else f"{status.name} is no status")
    connection_history_time: int = volatile()
    error: int = volatile(default=0)
    address_list: tuple[str, ...] = volatile(default=())


@element
class OutgoingTransferInfo(Element):
    """How far the other side acknowledged the stream of an outgoing queue; None where there is nothing yet. [MS-MQDMPR] 3.1.1.4"""

    outgoing_queue_reference: QueueKey = volatile()
    eod_first_non_ack: SequenceInfo | None = volatile(default=None)
    eod_last_ack: SequenceInfo | None = volatile(default=None)
    eod_last_ack_count: int = volatile(default=0)
    eod_last_ack_time: datetime | None = volatile(default=None, check=optional(in_utc))
    eod_last_non_ack: SequenceInfo | None = volatile(default=None)
    # The next message to go from this queue manager to the destination queue manager.
    eod_next_seq: SequenceInfo | None = volatile(default=None)
    eod_no_ack_count: int = volatile(default=0)
    eod_no_read_count: int = volatile(default=0)
    eod_resend_count: int = volatile(default=0)
    eod_resend_interval: int = volatile(default=0)
    eod_resend_time: datetime | None = volatile(default=None, check=optional(in_utc))


@element
class IncomingTransactionalTransferInfo(Element):
    """What was last seen of the stream that one remote queue manager sends to a queue here. [MS-MQDMPR] 3.1.1.5"""

    queue_reference: QueueKey = volatile()
    format_name: FormatName = volatile()
    sender_identifier: UUID = volatile()
    sequence_identifier: TxSequenceId = volatile(default=TxSequenceId(0))
    # The TransactionSequenceNumber of that message.
    sequence_number: int = volatile(default=0)
    last_access_time: datetime | None = volatile(default=None, check=optional(in_utc))
    reject_count: int = volatile(default=0)


@element
class Queue(DirectoryObject):
    """A queue hosted here. [MS-MQDMPR] 3.1.1.2

    What is marked for the directory is published when the queue is public and persistent otherwise: see `published_attributes`.
    """

    # The store's number for the queue; None until it is stored.
    key: QueueKey | None = volatile(default=None)
    label: str = directory(default="")
    create_time: int = directory(default=0)
    modify_time: int = directory(default=0)
    # Says to applications what the queue is for; nothing here looks at it.
    type: UUID = directory(default=NULL_GUID)
    pathname: PathName | None = directory(default=None)
    qualified_pathname: PathName | None = directory(default=None)
    private_queue_number: int = directory(default=0, check=between(0, 0xFFFFFFFF))
    journaling: bool = directory(default=False)
    quota: int = directory(default=UNLIMITED_QUOTA, check=between(0, UNLIMITED_QUOTA))
    journal_quota: int = directory(default=UNLIMITED_QUOTA, check=between(0, UNLIMITED_QUOTA))
    authentication: bool = directory(default=False)
    privacy_level: QueuePrivacyLevel = directory(default=QueuePrivacyLevel.OPTIONAL, check=member_of(QueuePrivacyLevel))
    transactional: bool = directory(default=False)
    multicast_address: MulticastName | None = directory(default=None)
    security: SecurityDescriptor | None = directory(default=None)
    base_priority: int = directory(default=0)
    full_path: str = directory(default="")
    directory_path: str = directory(default="")
    # The same for every queue, and no attribute of the directory.
    scope: ClassVar[Scope] = Scope.ENTERPRISE
    total_bytes: int = volatile(default=0)
    queue_manager: UUID = volatile(default=NULL_GUID)
    queue_type: QueueType = persistent(check=member_of(QueueType))
    # Departs from [MS-MQDMPR] 3.1.1.2: journals and subqueues of a queue are persistent, because nothing else tells whose they are.
    journal_queue_reference: QueueKey | None = persistent(default=None)
    subqueue_collection: set[QueueKey] = persistent(default_factory=set)
    incoming_transactional_transfer_info_collection: list[IncomingTransactionalTransferInfo] = volatile(default_factory=list)
    open_queue_descriptor_collection: list[OpenQueueDescriptor] = volatile(default_factory=list)


@element
class OutgoingQueue(Queue):
    """A queue of messages that go elsewhere. [MS-MQDMPR] 3.1.1.3"""

    destination_format_name: FormatName = persistent()
    next_hops: tuple[str, ...] | None = volatile(default=None)
    multicast: bool = persistent(default=False)
    outgoing_transfer_info_reference: OutgoingTransferInfo | None = volatile(default=None)
    state: OutgoingQueueState = volatile(default=OutgoingQueueState.INACTIVE, check=member_of(OutgoingQueueState))
    connection_history: list[ConnectionHistoryEntry] = volatile(default_factory=list)

    def _joint_fault(self, name: str, value: Any) -> Fault:
        if name == "multicast" and value and not isinstance(self.destination_format_name, MulticastName):
            return f"{self.destination_format_name} is no multicast name"
        return None


def published_attributes(queue: Queue) -> tuple[str, ...]:
    """What the directory holds of this queue: nothing unless it is public. [MS-MQDMPR] 3.1.1.2"""
    return directory_attributes(type(queue)) if queue.queue_type is QueueType.PUBLIC else ()


# What a subqueue and a journal have from their queue, by the name that it has there; the rest is their own.
_OF_SUBQUEUE = {"quota": "quota", "security": "security", "transactional": "transactional", "base_priority": "base_priority"}
_OF_JOURNAL = {"quota": "journal_quota", "security": "security"}


def handed_down(queue: Queue, *, journal: bool) -> dict[str, Any]:
    """The attributes that a queue decides for its journal or its subqueues, when they are made and whenever it changes."""
    return {name: getattr(queue, origin) for name, origin in (_OF_JOURNAL if journal else _OF_SUBQUEUE).items()}


def is_active(queue: Queue, *, waiting_for_transfer: int) -> bool:
    """Queue.Active: somebody has it open, or it is outgoing and messages wait in it. Asked each time, kept nowhere. [MS-MQDMPR] 3.1.1.2"""
    return bool(queue.open_queue_descriptor_collection) or (isinstance(queue, OutgoingQueue) and waiting_for_transfer > 0)


@element
class WaitingMessageReadOperation(Element):
    """A reader that found nothing and waits: a receiver if the read is destructive, else a peeker. [MS-MQDMPR] 3.1.1.10"""

    destructive_read: bool = volatile()
    tag: int | None = volatile(default=None)
    cursor_reference: Cursor | None = volatile(default=None)


@element
class Cursor(Element):
    """A reader's place in a queue; a new one stands before the first message. [MS-MQDMPR] 3.2.1.2"""

    handle: int = volatile()
    open_queue_descriptor_reference: OpenQueueDescriptor = volatile()
    # A key stays good to seek from after its message has left the queue: what is behind it has a greater one.
    message_position_reference: PositionKey | ListEdge = volatile(default=ListEdge.START)
    cursor_state: CursorState = volatile(default=CursorState.UNREAD, check=member_of(CursorState))
    # What came into the queue after the cursor went to its end, with an identifier from before: committed late, or moved.
    latecomers: set[PositionKey] = volatile(default_factory=set)


@element
class OpenQueueDescriptor(Element):
    """A queue that somebody opened, or several opened as one for sending. [MS-MQDMPR] 3.1.1.16"""

    handle: int = volatile()
    context_value: int = volatile()
    # Before what it decides over, so that each of those is checked against it when the descriptor is made.
    multiple: bool = volatile(default=False)
    access_type: QueueAccessType = volatile(check=member_of(QueueAccessType))
    share_mode: QueueShareMode = volatile(default=QueueShareMode.DENY_NONE, check=member_of(QueueShareMode))
    # None after the queue was deleted, too.
    queue_reference: QueueKey | None = volatile(default=None)
    format_name: FormatName = volatile()
    open_queue_descriptor_collection: tuple[OpenQueueDescriptor, ...] = volatile(default=())
    remote_read_state: RemoteReadState = volatile(default=RemoteReadState.NONE, check=member_of(RemoteReadState))
    cursor_collection: list[Cursor] = volatile(default_factory=list)
    waiting_message_read_operation_collection: deque[WaitingMessageReadOperation] = volatile(default_factory=deque)

    def _joint_fault(self, name: str, value: Any) -> Fault:
        if name == "multiple":
            return "is decided when the queue is opened" if getattr(self, name, value) != value else None
        if name == "format_name":
            return f"{value} names one queue" if self.multiple and not isinstance(value, MultipleElementName) else None
        if name == "open_queue_descriptor_collection":
            return "only a descriptor for several queues owns others" if value and not self.multiple else None
        if name in _OF_MULTIPLE and self.multiple and value != _OF_MULTIPLE[name]:
            return f"{value} does not go with several queues"
        return None


# What a descriptor for several queues must have. [MS-MQDMPR] 3.1.1.16
_OF_MULTIPLE: dict[str, object] = {
    "access_type": QueueAccessType.SEND_ACCESS,
    "queue_reference": None,
    "remote_read_state": RemoteReadState.NONE,
}


@value
class TransactionalOperation(Value):
    """One thing that a transaction did, to be made good or undone. [MS-MQDMPR] 3.1.1.13"""

    operation_type: OperationType = persistent(check=member_of(OperationType))
    message_position_reference: PositionKey = persistent()
    target_queue_reference: QueueKey | None = persistent(default=None)
    dequeue_reason: MessageClass | None = persistent(default=None)

    def _joint_fault(self) -> tuple[str, Fault]:
        if self.operation_type is OperationType.MOVE and self.target_queue_reference is None:
            return "target_queue_reference", "a move goes to a queue"
        if (self.operation_type is OperationType.DEQUEUE) != (self.dequeue_reason is not None):
            return "dequeue_reason", "stands with a dequeue, and only there"
        return "", None


@element
class Transaction(Element):
    """What happens together or not at all, in the order in which it was done. [MS-MQDMPR] 3.1.1.14"""

    identifier: UUID = persistent()
    transactional_operation_collection: deque[TransactionalOperation] = persistent(default_factory=deque)
    # True without a coordinator. The document is silent until Prepare, and recovery needs an answer for what was never prepared.
    single_phase: bool = persistent(default=True)


@element
class DispatchEntry(Element):
    """A message that waits for its turn to be sent, the highest priority first. [MS-MQDMPR] 3.1.1.18"""

    message_position_reference: PositionKey = volatile()
    # Belongs to the protocol that sends it; None means SRMP.
    protocol_data: object | None = volatile(default=None)
    priority: int = volatile()
    send_in_progress: bool = volatile(default=False)
