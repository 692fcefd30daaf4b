"""What the events of the core leave to those who call them: who may do what, and which message fits into which queue.

The events of [MS-MQDMPR] never look at Security, Transactional, Authentication and PrivacyLevel of a queue, nor at what a handle was
opened for. Whoever acts for somebody asks here first. Every question is answered by None, which means yes, or by a `Refusal`.

    may_open, may_use          rights on a queue; what a handle is good for
    may_create, may_administer rights on the queue manager; the other rights on a queue
    may_send, may_receive      transactions, signatures and encryption
    may_arrive                 all that a message from elsewhere has to pass, in the order of [MS-MQQB] 3.1.5.8
    refusal_of                 an enqueue that a quota or the time ended

A caller is a set of SIDs, groups included. The user who owns the store comes as an administrator (S-1-5-32-544) and may do everything
that can be done at all. An object without a descriptor is closed to everybody else.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TypeAlias

from msmqctl.qm.directory_model import QueueManager
from msmqctl.qm.message import AuthenticationLevel, Message, SenderIdentifierType
from msmqctl.qm.model import OpenQueueDescriptor, OutgoingQueue, Queue, QueueAccessType, QueuePrivacyLevel, QueueType
from msmqctl.qm.sending import EnqueueResult
from msmqctl.wire.access import access_check
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.pathname import Suffix
from msmqctl.wire.rights import MachineRights, ObjectKind, QueueRights
from msmqctl.wire.security import SecurityDescriptor
from msmqctl.wire.sid import ADMINISTRATORS, ANONYMOUS_LOGON, EVERYONE, Sid
from msmqctl.wire.status import HResult
from msmqctl.wire.values import MessageClass, PrivacyLevel

Token: TypeAlias = frozenset[Sid]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why not: the status for whoever called, and for a message from elsewhere what its sender is told; None for nothing."""

    status: HResult
    nack: MessageClass | None = None


_DENIED = Refusal(HResult.MQ_ERROR_ACCESS_DENIED, MessageClass.MQMSG_CLASS_NACK_ACCESS_DENIED)
_NO_DESTINATION = Refusal(HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION, MessageClass.MQMSG_CLASS_NACK_BAD_DST_Q)
_NO_SUCH_QUEUE = Refusal(HResult.MQ_ERROR_QUEUE_NOT_FOUND, MessageClass.MQMSG_CLASS_NACK_BAD_DST_Q)
_NOT_IN_TRANSACTION = Refusal(HResult.MQ_ERROR_TRANSACTION_USAGE, MessageClass.MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_MSG)
_IN_TRANSACTION = Refusal(HResult.MQ_ERROR_TRANSACTION_USAGE, MessageClass.MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_Q)
_UNSIGNED = Refusal(HResult.MQ_ERROR_ACCESS_DENIED, MessageClass.MQMSG_CLASS_NACK_BAD_SIGNATURE)
_WRONG_PRIVACY = Refusal(HResult.MQ_ERROR_ACCESS_DENIED, MessageClass.MQMSG_CLASS_NACK_BAD_ENCRYPTION)


# ---- rights


def _check(security: SecurityDescriptor | None, token: Token, right: int, kind: ObjectKind = ObjectKind.QUEUE) -> Refusal | None:
    if ADMINISTRATORS in token:
        return None
    return None if security is not None and access_check(security, token, right, kind=kind).allowed else _DENIED


# What it takes to open a queue. Moving ends in a write to the target; its other half is a receive from the source.
_TO_OPEN = {
    QueueAccessType.RECEIVE_ACCESS: QueueRights.MQSEC_RECEIVE_MESSAGE,
    QueueAccessType.RECEIVE_ADMIN_ACCESS: QueueRights.MQSEC_RECEIVE_MESSAGE,
    QueueAccessType.PEEK_ACCESS: QueueRights.MQSEC_PEEK_MESSAGE,
    QueueAccessType.PEEK_ADMIN_ACCESS: QueueRights.MQSEC_PEEK_MESSAGE,
    QueueAccessType.SEND_ACCESS: QueueRights.MQSEC_WRITE_MESSAGE,
    QueueAccessType.MOVE_ACCESS: QueueRights.MQSEC_WRITE_MESSAGE,
}
_READS = frozenset(access for access, right in _TO_OPEN.items() if right & QueueRights.MQSEC_PEEK_MESSAGE)
_RECEIVES = frozenset(access for access, right in _TO_OPEN.items() if right & QueueRights.MQSEC_DELETE_MESSAGE)

# What it takes to receive from, and to peek at, a queue of the computer itself: rights on the queue manager.
_OF_COMPUTER = {
    Suffix.DEADLETTER: (MachineRights.MQSEC_RECEIVE_DEADLETTER_MESSAGE, MachineRights.MQSEC_PEEK_DEADLETTER_MESSAGE),
    Suffix.DEADXACT: (MachineRights.MQSEC_RECEIVE_DEADLETTER_MESSAGE, MachineRights.MQSEC_PEEK_DEADLETTER_MESSAGE),
    Suffix.JOURNAL: (MachineRights.MQSEC_RECEIVE_JOURNAL_QUEUE_MESSAGE, MachineRights.MQSEC_PEEK_JOURNAL_QUEUE_MESSAGE),
}


def may_open(manager: QueueManager, queue: Queue, access: QueueAccessType, token: Token) -> Refusal | None:
    """Whether the caller may open the queue so; who else has it open is for Open Queue to see. [MS-MQMQ] 2.2.23, 2.2.24

    Everybody may send to an outgoing queue: the far queue decides. What waits there is for administrators.
    """
    if access not in _READS and isinstance(queue, OutgoingQueue):
        return None
    if access is QueueAccessType.SEND_ACCESS and not _takes_senders(queue):
        return _NO_DESTINATION
    path = queue.pathname
    if path is not None and path.system and path.part.suffix in _OF_COMPUTER and access in _READS:
        receive, peek = _OF_COMPUTER[path.part.suffix]
        return _check(manager.security, token, receive if access in _RECEIVES else peek, ObjectKind.MACHINE)
    right = _TO_OPEN[access]
    if path is not None and path.journal and access in _RECEIVES:
        right = QueueRights.MQSEC_RECEIVE_JOURNAL_MESSAGE
    return _check(queue.security, token, right)


def _takes_senders(queue: Queue) -> bool:
    """Whether messages can be sent to it: subqueues are moved to, journals and the queues of the computer fill themselves."""
    path = queue.pathname
    return path is None or not (path.system or path.journal or path.subqueue is not None)


class HandleUse(Enum):
    """What somebody wants to do through a handle; purging takes what receiving does."""

    SEND = frozenset({QueueAccessType.SEND_ACCESS})
    PEEK = _READS
    RECEIVE = _RECEIVES
    MOVE_TO = frozenset({QueueAccessType.MOVE_ACCESS})


def may_use(descriptor: OpenQueueDescriptor, use: HandleUse) -> Refusal | None:
    """Whether the handle was opened for this. [MS-MQDMPR] 3.1.1.17.3"""
    return None if descriptor.access_type in use.value else Refusal(HResult.MQ_ERROR_ACCESS_DENIED)


def may_create(manager: QueueManager, token: Token) -> Refusal | None:
    """Whether the caller may create queues here. [MS-MQMQ] 2.2.23"""
    return _check(manager.security, token, MachineRights.MQSEC_CREATE_QUEUE, ObjectKind.MACHINE)


class QueueOperation(Enum):
    """What is done to a queue without opening it; the value is the right that it takes. [MS-MQMQ] 2.2.24"""

    DELETE = QueueRights.MQSEC_DELETE_QUEUE
    READ_PROPERTIES = QueueRights.MQSEC_GET_QUEUE_PROPERTIES
    CHANGE_PROPERTIES = QueueRights.MQSEC_SET_QUEUE_PROPERTIES
    READ_PERMISSIONS = QueueRights.MQSEC_GET_QUEUE_PERMISSIONS
    CHANGE_PERMISSIONS = QueueRights.MQSEC_CHANGE_QUEUE_PERMISSIONS
    TAKE_OWNERSHIP = QueueRights.MQSEC_TAKE_QUEUE_OWNERSHIP
    AUDIT = None
    """To read or change the SACL: no right of a queue gives that."""


def may_administer(queue: Queue, operation: QueueOperation, token: Token) -> Refusal | None:
    """Whether the caller may do this to the queue. Nobody may delete what the queue manager lives on. [MS-MQMQ] 2.2.24"""
    if operation is QueueOperation.DELETE and queue.queue_type is QueueType.SYSTEM:
        return Refusal(HResult.MQ_ERROR_ILLEGAL_OPERATION)
    if operation.value is None:
        return None if ADMINISTRATORS in token else Refusal(HResult.MQ_ERROR_PRIVILEGE_NOT_HELD)
    return _check(queue.security, token, operation.value)


# ---- what fits together


def may_send(queue: Queue, message: Message, *, in_transaction: bool) -> Refusal | None:
    """Whether the queue takes such messages. An outgoing queue takes all: its destination will see. [MS-MQDMPR] 3.1.1.2"""
    if isinstance(queue, OutgoingQueue):
        return None
    return next((refusal for fails, refusal in _FITTING if fails(queue, message, in_transaction)), None)


def _privacy_differs(queue: Queue, message: Message) -> bool:
    wanted = {QueuePrivacyLevel.NONE: False, QueuePrivacyLevel.BODY: True}.get(queue.privacy_level)
    return wanted is not None and wanted != (message.privacy_level != PrivacyLevel.NONE)


# In the order of [MS-MQQB] 3.1.5.8: is it a destination, does the kind fit, and then what protects the message.
_FITTING: tuple[tuple[Callable[[Queue, Message, bool], bool], Refusal], ...] = (
    (lambda queue, message, inside: not _takes_senders(queue), _NO_DESTINATION),
    (lambda queue, message, inside: inside and not queue.transactional, _IN_TRANSACTION),
    (lambda queue, message, inside: queue.transactional and not inside, _NOT_IN_TRANSACTION),
    (lambda queue, message, inside: queue.authentication and message.authentication_level is AuthenticationLevel.NONE, _UNSIGNED),
    (lambda queue, message, inside: _privacy_differs(queue, message), _WRONG_PRIVACY),
)


def may_receive(queue: Queue, *, in_transaction: bool) -> Refusal | None:
    """Whether a read fits: a plain queue gives nothing into a transaction, a transactional one serves both. [MS-MQDMPR] 3.1.1.2"""
    return Refusal(HResult.MQ_ERROR_TRANSACTION_USAGE) if in_transaction and not queue.transactional else None


# ---- messages from elsewhere


def no_groups(account: Sid) -> Token:
    """Nothing is known about who belongs to what."""
    return frozenset()


def sender_token(message: Message, *, groups: Callable[[Sid], Token] = no_groups, trust_claims: bool = False) -> Token:
    """Who a message from elsewhere comes from. [MS-MQDMPR] 3.1.1.12, [MS-MQQB] 3.1.5.8.3

    A sender who does not say so is anonymous, and a queue manager is nobody in particular. A SID without a signature is a mere claim:
    it counts only if claims are to be trusted, and even then makes nobody an administrator.
    """
    sender = message.sender_for_authorization
    if message.sender_identifier_type is SenderIdentifierType.QUEUE_MANAGER_IDENTIFIER:
        return frozenset({EVERYONE})
    signed = message.authentication_level is not AuthenticationLevel.NONE
    if not isinstance(sender, Sid) or not (signed or trust_claims):
        return frozenset({ANONYMOUS_LOGON, EVERYONE})
    token = frozenset({sender, EVERYONE}) | groups(sender)
    return token if signed else token - {ADMINISTRATORS}


def may_arrive(queue: Queue | None, message: Message, token: Token) -> Refusal | None:
    """Whether a message from elsewhere may come in; None for a queue that is not there. [MS-MQQB] 3.1.5.8"""
    if queue is None or isinstance(queue, OutgoingQueue):
        return _NO_SUCH_QUEUE
    fitting = may_send(queue, message, in_transaction=message.transactional_message_sequence_identifier is not None)
    return fitting or _check(queue.security, token, QueueRights.MQSEC_WRITE_MESSAGE)


_REFUSED_ENQUEUES = {
    EnqueueResult.QUEUE_QUOTA_EXCEEDED: Refusal(HResult.MQ_ERROR_INSUFFICIENT_RESOURCES, MessageClass.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA),
    # Nobody is told: the other side keeps the message and tries again.
    EnqueueResult.QUEUE_MANAGER_QUOTA_EXCEEDED: Refusal(HResult.MQ_ERROR_INSUFFICIENT_RESOURCES),
    EnqueueResult.TIMED_OUT_IN_TRANSIT: Refusal(HResult.MQ_ERROR_IO_TIMEOUT, MessageClass.MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT),
}


def refusal_of(result: EnqueueResult) -> Refusal | None:
    """What an enqueue that did not succeed means to the caller and to the sender. [MS-MQDMPR] 3.1.7.1.9"""
    return _REFUSED_ENQUEUES.get(result)
