r"""What follows from the fate of a message: acknowledgments, journals, dead letters, reports. [MS-MQDMPR] 3.1.1.12, [MS-MQQB] 3.1.7.15

The events of the core only say that a message came, went or was refused, and why. What that means to others is decided here as data, and
then done in the same commit:

    what happened                              administration queue         copies
    it arrived in its queue                    0x0002, if PA                SystemJournalQueue, if plain, sent here, JP; a report, if traced
    it was handed over to the next hop         -                            SystemJournalQueue, if plain, sent here, JP
    somebody received it                       0x4000, if PR                journal of the queue; SystemJournalQueue, if transactional …
    purged, deleted, overdue, rejected         0xC000 …, if NR              dead letter, if sent here, JN, and transactional or overdue
    the same in an outgoing queue              0x8001, 0x8002, if NA        dead letter, if sent here, JN
    refused on arrival                         0x8000 …, if NA              dead letter, if JN, and sent here or plain and over quota

A plain message is delivered when it has arrived, a transactional one when it was received. Copies that their quota does not allow are
dropped, and so is mail that cannot be sent. Nothing follows from what queue managers tell each other, or from their own queues.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from msmqctl.errors import StatusError
from msmqctl.qm.core import Arrival
from msmqctl.qm.events import Event, MessagePositionAvailable, MessagePositionDeleted
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.message import AcknowledgementsRequested, DeliveryGuarantee, Message, SenderIdentifierType, SingleName
from msmqctl.qm.model import UNLIMITED_QUOTA, OutgoingQueue, Queue, QueueAccessType, QueueKey, QueueShareMode, QueueType, quota_in_bytes
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.names import MultipleElementName, PublicName, parse_path_name
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.values import INFINITE, MessageClass, PrivacyLevel

_ARRIVED = MessageClass.MQMSG_CLASS_ACK_REACH_QUEUE
_RECEIVED = MessageClass.MQMSG_CLASS_ACK_RECEIVE
_OVERDUE = MessageClass.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT
_OVER_QUOTA = MessageClass.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA

# What the sender is told when a message leaves an outgoing queue: it never reached the other side.
_ON_THE_WAY = {
    _OVERDUE: MessageClass.MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT,
    MessageClass.MQMSG_CLASS_NACK_Q_PURGED: MessageClass.MQMSG_CLASS_NACK_DELETED,
    MessageClass.MQMSG_CLASS_NACK_Q_DELETED: MessageClass.MQMSG_CLASS_NACK_DELETED,
}
# Refusals that tell a stranger what is here, sent only where that is allowed. [MS-MQQB] 3.1.7.15
_INSECURE = frozenset(
    {
        MessageClass.MQMSG_CLASS_NACK_BAD_DST_Q,
        MessageClass.MQMSG_CLASS_NACK_ACCESS_DENIED,
        MessageClass.MQMSG_CLASS_NACK_BAD_SIGNATURE,
        MessageClass.MQMSG_CLASS_NACK_BAD_ENCRYPTION,
        MessageClass.MQMSG_CLASS_NACK_UNSUPPORTED_CRYPTO_PROVIDER,
    }
)
# Which of the four wishes an acknowledgment answers: by whether it is about receiving, and whether it is negative.
_WISHES = {
    (False, False): AcknowledgementsRequested.ACK_POS_ARRIVAL,
    (False, True): AcknowledgementsRequested.ACK_NEG_ARRIVAL,
    (True, False): AcknowledgementsRequested.ACK_POS_RECEIVE,
    (True, True): AcknowledgementsRequested.ACK_NEG_RECEIVE,
}


@dataclass(frozen=True, slots=True)
class Policy:
    """What an administrator can choose; what is off by default tells strangers about this computer."""

    insecure_nacks: bool = False
    reports: bool = False


@dataclass(frozen=True, slots=True)
class Copy:
    """A message is kept in a queue here, if the quota of that queue allows it."""

    message: Message
    queue: QueueKey
    quota: int = UNLIMITED_QUOTA
    """Another limit, besides the one that the queue has itself."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A message of the queue manager's own goes to a queue, here or elsewhere."""

    message: Message
    destination: SingleName


@dataclass(frozen=True, slots=True)
class Report:
    """It is told that a traced message came by."""

    about: Message
    destination: SingleName


Consequence: TypeAlias = Copy | Mail | Report


# ---- what follows


def after_arrival(manager: QueueManager, queue: Queue, message: Message, policy: Policy) -> Iterator[Consequence]:
    """A message came into a queue."""
    if _leads_to_nothing(queue, message) or isinstance(queue, OutgoingQueue):
        return
    yield from acknowledgments(message, _ARRIVED, policy)
    if not _transactional(message):
        yield from _source_journal(manager, message)
    if policy.reports and message.tracing_requested and message.tracing_queue_identifier != NULL_GUID:
        yield Report(message, PublicName(message.tracing_queue_identifier))


def after_deletion(manager: QueueManager, queue: Queue, message: Message, reason: MessageClass, policy: Policy) -> Iterator[Consequence]:
    """A message left a queue. [MS-MQDMPR] 3.1.7.2.1"""
    if _leads_to_nothing(queue, message):
        return
    if isinstance(queue, OutgoingQueue):
        yield from _after_transfer(manager, message, reason, policy)
        return
    yield from acknowledgments(message, reason, policy)
    if reason == _RECEIVED:
        if queue.journaling and queue.journal_queue_reference is not None:
            yield Copy(message, queue.journal_queue_reference)
        if _transactional(message):
            yield from _source_journal(manager, message)
    elif _sent_here(manager, message) and (_transactional(message) or reason == _OVERDUE):
        yield from _dead_letter(manager, message)


def _after_transfer(manager: QueueManager, message: Message, reason: MessageClass, policy: Policy) -> Iterator[Consequence]:
    """A message left an outgoing queue: handed over, or given up."""
    if reason.negative:
        yield from acknowledgments(message, _ON_THE_WAY.get(reason, reason), policy)
        if _sent_here(manager, message):
            yield from _dead_letter(manager, message)
    elif reason == _ARRIVED and not _transactional(message):
        yield from _source_journal(manager, message)


def after_refusal(manager: QueueManager, message: Message, reason: MessageClass, policy: Policy) -> Iterator[Consequence]:
    """A message was not let in; `reason` is the `nack` of the guard. [MS-MQQB] 3.1.5.8.8"""
    if _of_queue_managers(message):
        return
    yield from acknowledgments(message, reason, policy)
    if _sent_here(manager, message) or (reason == _OVER_QUOTA and not _transactional(message)):
        yield from _dead_letter(manager, message)


def _asks_for_something(message: Message) -> bool:
    """Whether anything can follow at all from what the sender wants: most messages want nothing, and are not looked at further."""
    return bool(
        message.acknowledgements_requested
        or message.positive_journaling_requested
        or message.negative_journaling_requested
        or message.tracing_requested
    )


def _leads_to_nothing(queue: Queue, message: Message) -> bool:
    return queue.queue_type is QueueType.SYSTEM or _of_queue_managers(message)


def _of_queue_managers(message: Message) -> bool:
    """Whether it is an acknowledgment or a report itself. Applications may use any other number."""
    kind = message.message_class
    return kind != MessageClass.MQMSG_CLASS_NORMAL and (kind.known or kind.from_http)


def _transactional(message: Message) -> bool:
    return message.transaction_identifier not in (None, NULL_GUID) or message.transactional_message_sequence_identifier is not None


def _sent_here(manager: QueueManager, message: Message) -> bool:
    return message.source_machine_identifier == manager.local.identifier


# ---- acknowledgments


def acknowledgments(message: Message, kind: MessageClass, policy: Policy) -> Iterator[Mail]:
    """One to each administration queue, if the sender wants to hear this. [MS-MQQB] 3.1.7.15"""
    wanted = message.acknowledgements_requested & _WISHES[kind.about_receiving, kind.negative]
    if wanted and (policy.insecure_nacks or kind not in _INSECURE):
        for destination in _administration_queues(message):
            yield Mail(_acknowledgment(message, kind), destination)


def _administration_queues(message: Message) -> tuple[SingleName, ...]:
    if message.administration_multi_queue_format_name:
        return message.administration_multi_queue_format_name
    name = message.administration_queue_format_name
    if isinstance(name, MultipleElementName):
        return name.elements
    return () if name is None else (name,)


def _acknowledgment(message: Message, kind: MessageClass) -> Message:
    """What happened to a message. A refusal brings the body back, unless only its receiver was to read it. [MS-MQQB] 3.1.7.15"""
    brings_body = kind.negative and message.privacy_level == PrivacyLevel.NONE
    return Message(
        message_class=kind,
        correlation_identifier=message.identifier,
        response_queue_format_name=message.destination_queue_format_name,
        delivery_guarantee=message.delivery_guarantee,
        label=message.label,
        application_tag=message.application_tag,
        body=message.body if brings_body else b"",
        body_type=message.body_type,
        time_to_reach_queue=INFINITE,
        sender_identifier_type=SenderIdentifierType.NONE,
    )


# ---- journals and dead letters


def _source_journal(manager: QueueManager, message: Message) -> Iterator[Copy]:
    """The sender's own record of what was delivered. [MS-MQDMPR] 3.1.1.12"""
    journal = manager.local.system_journal_queue
    if message.positive_journaling_requested and _sent_here(manager, message) and journal is not None:
        yield Copy(message, journal, manager.local.journal_quota)


def _dead_letter(manager: QueueManager, message: Message) -> Iterator[Copy]:
    """Where a message that could not be delivered is kept for its sender. [MS-MQDMPR] 3.1.1.12"""
    if not message.negative_journaling_requested:
        return
    chosen = _application_queue(manager, message.application_deadletter_queue)
    if chosen is not None:
        yield from _kept(_at_rest(message), chosen.key)
    elif _transactional(message):
        yield from _kept(message, manager.local.system_transactional_deadletter_queue)
    else:
        yield from _kept(message, manager.local.system_deadletter_queue)


def _application_queue(manager: QueueManager, path: str) -> Queue | None:
    """The queue here that the application chose for its dead letters; None leaves the choice to the system."""
    try:
        named = manager.find_queue(parse_path_name(path), QueueAccessType.RECEIVE_ACCESS) if path else None
    except StatusError:
        return None
    return None if named is None or named.queue_type is QueueType.SYSTEM else named


def _at_rest(message: Message) -> Message:
    """The message without its wishes, or an ordinary queue would let it expire, and acknowledge that it was read from there."""
    return replace(
        message,
        acknowledgements_requested=AcknowledgementsRequested.NONE,
        positive_journaling_requested=False,
        negative_journaling_requested=False,
        tracing_requested=False,
        time_to_be_received=INFINITE,
    )


def _kept(message: Message, key: QueueKey | None) -> Iterator[Copy]:
    if key is not None:
        yield Copy(message, key)


# ---- reports

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _report(message: Message, now: datetime) -> Message:
    """Tell that a message came by. What is in a queue here has no hop count any more. [MS-MQQB] 3.1.5.8.9"""
    # QQQQ:MMMMMMMM:HH received by <GUID> at <time>, with the start of the source's GUID, the ordinal and the hop count in hex.
    source = str(message.identifier.lineage).upper()
    ordinal = f"{message.identifier.uniquifier:08X}"
    day = f"{_DAYS[now.weekday()]},{_MONTHS[now.month - 1]} {now:%d %y}"
    half = "AM" if now.hour < 12 else "PM"
    target = message.destination_queue_format_name or ""
    body = f"<MESSAGE ID>{ordinal}</MESSAGE ID>\r\n<TARGET QUEUE>{target}</TARGET QUEUE>\r\n"
    return Message(
        message_class=MessageClass.MQMSG_CLASS_REPORT,
        delivery_guarantee=DeliveryGuarantee.EXPRESS,
        label=f"{source[:4]}:{ordinal}:00 received by {source} at {now:%I:%M} {half} {day}",
        body=body.encode("utf-16-le"),
        sender_identifier_type=SenderIdentifierType.NONE,
    )


# ---- doing it


def apply(manager: QueueManager, consequence: Consequence, now: datetime) -> None:
    """Let it happen in the transaction that is under way; what has no room or no way is dropped."""
    with manager.call():
        match consequence:
            case Copy():
                queue = manager.queue(consequence.queue)
                if queue is not None and _fits(queue, consequence):
                    manager.enqueue_message(queue, consequence.message, now)
            case Mail():
                _send(manager, consequence.message, consequence.destination, now)
            case Report():
                _send(manager, _report(consequence.about, now), consequence.destination, now)


def _fits(queue: Queue, copy: Copy) -> bool:
    allowed = quota_in_bytes(copy.quota)
    return allowed is None or queue.total_bytes + copy.message.size <= allowed


def _send(manager: QueueManager, message: Message, destination: SingleName, now: datetime) -> None:
    """Send a message of our own, through an outgoing queue if it goes elsewhere. [MS-MQQB] 3.1.7.15"""
    opened = manager.open_queue(destination, QueueAccessType.SEND_ACCESS, QueueShareMode.DENY_NONE, now).descriptor
    if opened is None:
        return
    ours = replace(
        message,
        identifier=ObjectId(manager.local.identifier, manager.store.next_ordinal()),
        source_machine_identifier=manager.local.identifier,
        sent_time=now,
        destination_queue_format_name=destination,
    )
    from msmqctl.qm.convert import packet_size  # here, because most commands cause no mail and need not know what a packet is
    from msmqctl.qm.guard import may_send

    queue = None if opened.queue_reference is None else manager.queue(opened.queue_reference)
    if queue is not None and may_send(queue, ours, in_transaction=False) is None:
        manager.enqueue_message(queue, replace(ours, size=packet_size(ours)), now)
    manager.close_queue(opened)


class Outcomes:
    """Watches a queue manager and does what follows, before the commit: whoever commits calls `settle` first."""

    def __init__(self, manager: QueueManager, policy: Policy | None = None) -> None:
        self._manager = manager
        self._policy = policy or Policy()
        self._due: deque[Consequence] = deque()
        manager.consequences = self._note

    def _note(self, event: Event, arrival: Arrival | None) -> None:
        if isinstance(event, MessagePositionAvailable):
            if arrival is not None and event.queue.queue_type is not QueueType.SYSTEM and _asks_for_something(message := arrival()):
                self._expect(after_arrival(self._manager, event.queue, message, self._policy))
        elif isinstance(event, MessagePositionDeleted) and (event.queue.journaling or _asks_for_something(event.message)):
            self._expect(after_deletion(self._manager, event.queue, event.message, event.reason, self._policy))

    def refused(self, message: Message, reason: MessageClass) -> None:
        """A message was not let in, for the reason that the guard gave."""
        with self._manager.call():
            self._expect(after_refusal(self._manager, message, reason, self._policy))

    def _expect(self, consequences: Iterator[Consequence]) -> None:
        for consequence in consequences:
            self._manager.add(self._due, consequence)

    def settle(self, now: datetime) -> None:
        """Do all that is due, and what follows from that."""
        if not self._due:
            return
        with self._manager.call():
            while self._due:
                consequence = self._due[0]
                self._manager.drop(self._due, consequence)
                apply(self._manager, consequence, now)
