"""A message and what its attributes can say. [MS-MQDMPR] 3.1.1.12

Class, privacy and algorithms are the open enums of `wire.values`: peers and applications may use numbers of their own, and those must
survive. The enumerations here are closed. Their numbers, where they have some, are the ones that packets carry.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import IntEnum, IntFlag
from typing import TypeAlias
from uuid import UUID

from msmqctl.qm.element import Check, Fault, Value, between, in_utc, member_of, optional, persistent, value
from msmqctl.wire.identity import ObjectId, TxSequenceId
from msmqctl.wire.keys import ProviderType
from msmqctl.wire.names import ElementName, FormatName, MachineName, MultipleElementName
from msmqctl.wire.record import NULL_GUID, to_wide
from msmqctl.wire.sid import ANONYMOUS_LOGON, Sid
from msmqctl.wire.values import (
    INFINITE,
    MAX_LABEL_UNITS,
    AuthenticationSignature,
    DeliveryMode,
    EncryptionAlgorithm,
    HashAlgorithm,
    MessageClass,
    PrivacyLevel,
    QueueCode,
    SenderIdType,
)

MAX_LABEL_CHARACTERS = MAX_LABEL_UNITS - 1
DEFAULT_PRIORITY = 3
DEFAULT_TIME_TO_REACH_QUEUE = 345_600  # four days, in seconds

# The names a provider has in a message. In the key lists of the directory the same providers are written without the comma.
BASE_PROVIDER_NAME = "Microsoft Base Cryptographic Provider, v1.0"
ENHANCED_PROVIDER_NAME = "Microsoft Enhanced Cryptographic Provider, v1.0"

SingleName: TypeAlias = ElementName | MachineName


class DeliveryGuarantee(IntEnum):
    """Whether a message must survive an interruption; the number is UserHeader.Flags.DM. [MS-MQDMPR] 3.1.1.12"""

    EXPRESS = DeliveryMode.EXPRESS
    RECOVERABLE = DeliveryMode.RECOVERABLE


class AuthenticationLevel(IntEnum):
    """Which kind of signature a message has. The number is what a receiver that verified it notes in the packet. [MS-MQDMPR] 3.1.1.12"""

    NONE = AuthenticationSignature.NONE
    SIG10 = AuthenticationSignature.SIG10
    SIG20 = AuthenticationSignature.SIG20
    SIG30 = AuthenticationSignature.SIG30
    XML_SIG = AuthenticationSignature.XML


class AcknowledgementsRequested(IntFlag):
    """What the administration queue wants to hear: four bits, laid out as in MessagePropertiesHeader.Flags. [MS-MQDMPR] 3.1.1.12"""

    NONE = 0
    ACK_POS_ARRIVAL = 0x1
    ACK_POS_RECEIVE = 0x2
    ACK_NEG_ARRIVAL = 0x4
    ACK_NEG_RECEIVE = 0x8
    # Names for what applications usually ask for.
    ACK_NACK_REACH_QUEUE = ACK_NEG_ARRIVAL
    ACK_FULL_REACH_QUEUE = ACK_POS_ARRIVAL | ACK_NEG_ARRIVAL
    ACK_NACK_RECEIVE = ACK_NEG_ARRIVAL | ACK_NEG_RECEIVE
    ACK_FULL_RECEIVE = ACK_NEG_ARRIVAL | ACK_POS_RECEIVE | ACK_NEG_RECEIVE


class DestinationQueueType(IntEnum):
    """How the destination is named; the number is UserHeader.Flags.DQ. [MS-MQDMPR] 3.1.1.12"""

    PRIVATE_QUEUE = QueueCode.PRIVATE_ON_DESTINATION
    PUBLIC_QUEUE = QueueCode.PUBLIC
    DIRECT_QUEUE = QueueCode.DIRECT


class AdministrationQueueType(IntEnum):
    """Where the administration queue is; the number is UserHeader.Flags.AQ. [MS-MQDMPR] 3.1.1.12"""

    NONE = QueueCode.NONE
    PRIVATE_QUEUE_ON_SOURCE = QueueCode.PRIVATE_ON_SOURCE
    PRIVATE_QUEUE_ON_DESTINATION = QueueCode.PRIVATE_ON_DESTINATION
    PUBLIC_QUEUE = QueueCode.PUBLIC
    PRIVATE_QUEUE_ON_OTHER = QueueCode.PRIVATE_ELSEWHERE
    DIRECT_QUEUE = QueueCode.DIRECT


class ResponseQueueType(IntEnum):
    """Where the response queue is; the number is UserHeader.Flags.RQ. [MS-MQDMPR] 3.1.1.12"""

    NONE = QueueCode.NONE
    SAME_AS_ADMINISTRATION_QUEUE = QueueCode.SAME_AS_ADMIN
    PRIVATE_QUEUE_ON_SOURCE = QueueCode.PRIVATE_ON_SOURCE
    PRIVATE_QUEUE_ON_DESTINATION = QueueCode.PRIVATE_ON_DESTINATION
    PRIVATE_QUEUE_ON_ADMIN = QueueCode.PRIVATE_ON_ADMIN_HOST
    PUBLIC_QUEUE = QueueCode.PUBLIC
    PRIVATE_QUEUE_ON_OTHER = QueueCode.PRIVATE_ELSEWHERE
    DIRECT_QUEUE = QueueCode.DIRECT


class SenderIdentifierType(IntEnum):
    """What the sender's identifier is; the number is SecurityHeader.Flags.ST. [MS-MQDMPR] 3.1.1.12"""

    NONE = SenderIdType.NONE
    SID = SenderIdType.SID
    QUEUE_MANAGER_IDENTIFIER = SenderIdType.QUEUE_MANAGER


def label_fault(label: str) -> Fault:
    """What keeps a text from being a label: it has room for 249 UTF-16 units, as a packet does. [MS-MQDMPR] 3.1.1.12"""
    if 2 * len(label) <= MAX_LABEL_CHARACTERS:  # no character has more than two units
        return None
    units = len(to_wide(label)) // 2
    return None if units <= MAX_LABEL_CHARACTERS else f"{units} characters, {MAX_LABEL_CHARACTERS} are the most"


def _single(name: FormatName) -> Fault:
    return f"{name} names several queues" if isinstance(name, MultipleElementName) else None


def _all_single(names: Iterable[FormatName]) -> Fault:
    return next((fault for fault in map(_single, names) if fault is not None), None)


_U32: Check = between(0, 0xFFFFFFFF)
_U64: Check = between(0, 0xFFFFFFFFFFFFFFFF)

# Which Python type the identifier of a sender has.
_SENDERS: dict[SenderIdentifierType, type[Sid] | type[UUID] | type[None]] = {
    SenderIdentifierType.NONE: type(None),
    SenderIdentifierType.SID: Sid,
    SenderIdentifierType.QUEUE_MANAGER_IDENTIFIER: UUID,
}


@value
class Message(Value):
    """One message as the rules see it, whatever protocol brought it. [MS-MQDMPR] 3.1.1.12

    A new one has the document's defaults. The queue manager hands on body, body type, extension, label, application tag and correlation
    identifier as they are, and looks into none of them.
    """

    # All attributes are persistent when the delivery guarantee is Recoverable. An express message may be lost, but need not be: the store
    # keeps both alike and only waits for the disk with a recoverable one.

    # Who it is, and where it stands. Enqueuing sets the lookup identifier, the arrival and the position.
    lookup_identifier: int = persistent(default=0, check=_U64)
    identifier: ObjectId = persistent(default=ObjectId(NULL_GUID, 0))
    allow_peek_when_locked: bool = persistent(default=False)
    arrival_time: datetime | None = persistent(default=None, check=optional(in_utc))
    sent_time: datetime | None = persistent(default=None, check=optional(in_utc))
    source_machine_identifier: UUID = persistent(default=NULL_GUID)
    # The key of the position: its lookup identifier, once it has a place.
    message_position_reference: int | None = persistent(default=None)
    # Octets of headers and body in the packet that would carry it: what quotas count. Whoever makes the message fills it in.
    size: int = persistent(default=0, check=between(0, 0xFFFFFFFF))

    # What it says.
    message_class: MessageClass = persistent(default=MessageClass.MQMSG_CLASS_NORMAL)
    label: str = persistent(default="", check=label_fault)
    body: bytes = persistent(default=b"")
    body_type: int = persistent(default=0, check=_U32)
    extension: bytes = persistent(default=b"")
    application_tag: int = persistent(default=0, check=_U32)
    correlation_identifier: ObjectId = persistent(default=ObjectId(NULL_GUID, 0))

    # How it travels and how long it may take: seconds after `sent_time`, INFINITE for no limit.
    priority: int = persistent(default=DEFAULT_PRIORITY, check=between(0, 7))
    delivery_guarantee: DeliveryGuarantee = persistent(default=DeliveryGuarantee.EXPRESS, check=member_of(DeliveryGuarantee))
    time_to_reach_queue: int = persistent(default=DEFAULT_TIME_TO_REACH_QUEUE, check=_U32)
    time_to_be_received: int = persistent(default=INFINITE, check=_U32)
    tracing_requested: bool = persistent(default=False)
    tracing_queue_identifier: UUID = persistent(default=NULL_GUID)

    # Where it goes. With several destinations the packet carries one of them and the whole list.
    destination_queue_format_name: SingleName | None = persistent(default=None, check=optional(_single))
    destination_multi_queue_format_name: tuple[ElementName, ...] = persistent(default=(), check=_all_single)
    destination_queue_type: DestinationQueueType | None = persistent(default=None, check=optional(member_of(DestinationQueueType)))
    destination_queue_manager_identifier: UUID = persistent(default=NULL_GUID)

    # Who hears of it, and what is kept of it.
    response_queue_format_name: FormatName | None = persistent(default=None)
    response_multi_queue_format_name: tuple[ElementName, ...] = persistent(default=())
    response_queue_type: ResponseQueueType = persistent(default=ResponseQueueType.NONE, check=member_of(ResponseQueueType))
    administration_queue_format_name: FormatName | None = persistent(default=None)
    administration_multi_queue_format_name: tuple[ElementName, ...] = persistent(default=())
    administration_queue_type: AdministrationQueueType = persistent(
        default=AdministrationQueueType.NONE, check=member_of(AdministrationQueueType)
    )
    acknowledgements_requested: AcknowledgementsRequested = persistent(
        default=AcknowledgementsRequested.NONE, check=member_of(AcknowledgementsRequested)
    )
    positive_journaling_requested: bool = persistent(default=False)
    negative_journaling_requested: bool = persistent(default=False)
    # A path name as the sender wrote it: whether it is a valid one is asked when the message cannot be delivered.
    application_deadletter_queue: str = persistent(default="")

    # Who sent it, and how that and the body are protected. With the default type Sid, a sender of None means the user who is sending: the
    # model does not know users, the room that does puts the SID in.
    sender_identifier_type: SenderIdentifierType = persistent(default=SenderIdentifierType.SID, check=member_of(SenderIdentifierType))
    sender_identifier: Sid | UUID | None = persistent(default=None)
    sender_certificate: bytes = persistent(default=b"")
    authentication_level: AuthenticationLevel = persistent(default=AuthenticationLevel.NONE, check=member_of(AuthenticationLevel))
    authentication_provider_type: int = persistent(default=ProviderType.PROV_RSA_FULL.value, check=_U32)
    authentication_provider_name: str = persistent(default=ENHANCED_PROVIDER_NAME)
    hash_algorithm: HashAlgorithm = persistent(default=HashAlgorithm.CALG_SHA1)
    signature: bytes = persistent(default=b"")
    multiple_destination_signature: bytes = persistent(default=b"")
    privacy_level: PrivacyLevel = persistent(default=PrivacyLevel.NONE)
    encryption_algorithm: EncryptionAlgorithm = persistent(default=EncryptionAlgorithm.CALG_RC4)
    symmetric_key: bytes = persistent(default=b"")

    # Connectors to foreign systems.
    connector_type_identifier: UUID = persistent(default=NULL_GUID)
    connector_queue_manager_identifier: UUID = persistent(default=NULL_GUID)
    transaction_status_queue_format_name: FormatName | None = persistent(default=None)

    # Its place in a stream of transactional messages; None for a sequence identifier that is empty.
    transactional_message_sequence_identifier: TxSequenceId | None = persistent(default=None)
    transaction_sequence_number: int = persistent(default=0, check=_U32)
    transaction_previous_sequence_number: int = persistent(default=0, check=_U32)
    # The GUID of a transaction here, or the number by which a packet told messages of one transaction from those of another.
    transaction_identifier: UUID | int | None = persistent(default=None)
    final_ack_required: bool = persistent(default=False)
    first_in_transaction: bool = persistent(default=False)
    last_in_transaction: bool = persistent(default=False)

    # What SRMP brought; set in transfer, read by applications.
    soap_envelope: str = persistent(default="")
    # Departs from [MS-MQDMPR] 3.1.1.12: SoapCompoundMessage is octets and not a string, because its attachments need not be text.
    soap_compound_message: bytes = persistent(default=b"")
    soap_body: str = persistent(default="")
    soap_header: str = persistent(default="")

    def _joint_fault(self) -> tuple[str, Fault]:
        wanted = _SENDERS[self.sender_identifier_type]
        fits = self.sender_identifier is None or isinstance(self.sender_identifier, wanted)
        return "sender_identifier", None if fits else f"{self.sender_identifier} is no {self.sender_identifier_type.name}"

    @property
    def recoverable(self) -> bool:
        """Whether it must survive an interruption."""
        return self.delivery_guarantee is DeliveryGuarantee.RECOVERABLE

    @property
    def sender_for_authorization(self) -> Sid | UUID | None:
        """Whose rights count: a message that does not say who sent it comes from the anonymous user. [MS-MQDMPR] 3.1.1.12"""
        return ANONYMOUS_LOGON if self.sender_identifier_type is SenderIdentifierType.NONE else self.sender_identifier

    @property
    def effective_signature(self) -> bytes:
        """The signature that counts: one over several destinations has a place of its own in the packet. [MS-MQDMPR] 3.1.1.12"""
        several = (
            self.destination_multi_queue_format_name or self.response_multi_queue_format_name or self.administration_multi_queue_format_name
        )
        return self.multiple_destination_signature if several and self.authentication_level is AuthenticationLevel.SIG30 else self.signature
