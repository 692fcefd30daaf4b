"""Message to packet and back: which headers a message needs, and which field holds which attribute. [MS-MQDMPR] 3.1.7.1.30 to 3.1.7.1.32

    header                    is there when the message has                            and its flag is
    TransactionHeader         a transaction identifier                                 UserHeader TH
    SecurityHeader            a sender, signature, key, certificate, privacy or level  UserHeader SH
    MessagePropertiesHeader   anything, as BaseHeader and UserHeader                   UserHeader MP
    DebugHeader               tracing requested, or a queue for the reports            BaseHeader DH
    SoapHeader                a SOAP header or body                                    UserHeader HH
    MultiQueueFormatHeader    several destinations                                     UserHeader MQ

Nothing here depends on who converts: a packet says itself which queue manager is its source, so a message does too. Only the reader has
to say who it is, because a packet may name a queue as being "where this arrives".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from enum import IntEnum
from functools import reduce
from operator import attrgetter, xor
from typing import Any, NamedTuple, TypeAlias, TypeVar
from uuid import UUID

from msmqctl.errors import DecodeError, StatusError
from msmqctl.qm.message import (
    ENHANCED_PROVIDER_NAME,
    AcknowledgementsRequested,
    AdministrationQueueType,
    AuthenticationLevel,
    DeliveryGuarantee,
    DestinationQueueType,
    Message,
    ResponseQueueType,
    SenderIdentifierType,
    label_fault,
)
from msmqctl.wire.addressing import NO_QUEUE, PacketValue, QueueReference, Role, name_from_packet, packet_reference, queue_manager_address
from msmqctl.wire.headers import (
    BaseFlags,
    BaseHeader,
    DebugFlags,
    DebugHeader,
    MessagePropertiesHeader,
    PropertiesFlags,
    SoapHeader,
    SoapSection,
    TransactionFlags,
    TransactionHeader,
    UserFlags,
    UserHeader,
)
from msmqctl.wire.identity import ObjectId, TxSequenceId
from msmqctl.wire.keys import ProviderType
from msmqctl.wire.multi_queue import FormatNameElement, FormatType, MQFAddressHeader, MQFSignatureHeader, MultiQueueFormatHeader
from msmqctl.wire.names import DirectName, DistributionListName, ElementName, FormatName, PrivateName, PublicName, Suffix, parse_direct
from msmqctl.wire.packet import UserMessage
from msmqctl.wire.record import NULL_GUID, align, to_wide
from msmqctl.wire.security_header import ProviderInfo, SecurityFlags, SecurityHeader
from msmqctl.wire.sid import Sid
from msmqctl.wire.status import HResult
from msmqctl.wire.values import INFINITE, QueueCode

Attributes: TypeAlias = dict[str, Any]
_Closed = TypeVar("_Closed", bound=IntEnum)
_GUID_SIZE = 16
_ACKNOWLEDGEMENT_BITS = PropertiesFlags.unused.mask ^ 0xFF
# Who made a signature when ProviderInfo does not say it. [MS-MQMQ] 2.2.20.6
_DEFAULT_PROVIDER = ProviderInfo(ProviderType.PROV_RSA_FULL.value, ENHANCED_PROVIDER_NAME)


def serialize(message: Message) -> bytes:
    """The octets of the packet that carries a message. [MS-MQDMPR] 3.1.7.1.32"""
    return construct_user_message(message).pack()


def construct_user_message(message: Message) -> UserMessage:
    """The packet that carries a message: the headers it needs, their flags and every field. [MS-MQDMPR] 3.1.7.1.30, 3.1.7.1.32

    A queue that no packet can name is a StatusError. Hops and session are not the message's: the sender puts them in.
    """
    queues, secured = _queues(message), _security_items(message)
    return UserMessage(
        BaseHeader.of(_base_flags(message), _size(message, queues, secured), message.time_to_reach_queue),
        _user_header(message, queues),
        # Departs from [MS-MQDMPR] 3.1.7.1.30: the MessagePropertiesHeader is always there, because [MS-MQMQ] 2.2.19.2 always sets MP.
        _properties_header(message),
        _transaction_header(message),
        _security_header(message, secured) if _has_security(message) else None,
        _debug_header(message),
        soap=SoapHeader.of(message.soap_header, message.soap_body) if _has_soap(message) else None,
        multi_queue=_multi_queue_header(message),
    )


def packet_size(message: Message) -> int:
    """How many octets the packet of a message takes, without making it: what `Message.size` is to be. [MS-MQDMPR] 3.1.1.12"""
    return _size(message, _queues(message), _security_items(message))


def deserialize(
    packet: UserMessage, *, receiver: UUID, verified: bool = False, remote_read: bool = False, admin_host: UUID | None = None
) -> Message:
    """The message that a packet carries. What belongs to an absent header keeps its default. [MS-MQDMPR] 3.1.7.1.31

    `receiver` is the queue manager where the packet arrived; with `remote_read`, the one that it was read from. `verified` says that
    whoever set AS in this packet checked the signature and is trusted; AS as a sender wrote it is worth nothing. `admin_host` is the queue
    manager of a public or direct administration queue, where the caller knows it.
    """
    attributes = _from_base(packet, remote_read) | _from_user(packet.user, receiver, remote_read, admin_host)
    attributes |= _from_properties(packet.properties)
    if packet.transaction is not None:
        attributes |= _from_transaction(packet.transaction)
    if packet.security is not None:
        attributes |= _from_security(packet.security, verified)
    if packet.debug is not None and packet.debug.queue_identifier is not None:
        attributes["tracing_queue_identifier"] = packet.debug.queue_identifier
    if packet.soap is not None:
        attributes |= {"soap_header": packet.soap.header.text, "soap_body": packet.soap.body.text}
    if packet.envelope is not None and packet.compound is not None:
        attributes |= {"soap_envelope": packet.envelope.envelope, "soap_compound_message": packet.compound.data}
    if packet.multi_queue is not None:
        attributes |= _from_multi_queue(packet.multi_queue)
    return Message(**attributes)


def _copied(source: object, fields: Mapping[str, str]) -> Attributes:
    """What a header says, under the names of the message's attributes."""
    return {attribute: getattr(source, field) for attribute, field in fields.items()}


def _fields(message: Message, fields: Mapping[str, str]) -> dict[str, Any]:
    """The same table the other way: what a message says, under the names of the header's fields."""
    return {field: getattr(message, attribute) for attribute, field in fields.items()}


def _member(kind: type[_Closed], number: int, where: str) -> _Closed:
    """A number of the packet as a member of an enumeration that has no room for others."""
    try:
        return kind(number)
    except ValueError:
        raise DecodeError(f"{kind.__name__} {number} does not exist", where=where, offset=0) from None


# BaseHeader. PR <- Priority, TR <- TracingRequested, DH <- whether there is a DebugHeader, TimeToReachQueue <- TimeToReachQueue.
def _base_flags(message: Message) -> BaseFlags:
    # Departs from [MS-MQDMPR] 3.1.7.1.30: DH is a flag of the BaseHeader and not of the UserHeader, as [MS-MQMQ] 2.2.19.1 has it.
    priority = 0 if _transactional(message) else message.priority
    return BaseFlags.of(priority=priority, debug_header=_traced(message), tracing=message.tracing_requested)


def _from_base(packet: UserMessage, remote_read: bool) -> Attributes:
    base, reach = packet.base, packet.base.time_to_reach_queue
    # A remote reader gets the moment itself and not the seconds up to it. [MS-MQRR] 2.2.5.1
    if remote_read and reach != INFINITE:
        reach = max(0, reach - packet.user.sent_time)
    found = {"size": base.packet_size, "time_to_reach_queue": reach, "tracing_requested": base.flags.tracing}
    # In a transactional message PR is nothing that its sender said.
    return found if packet.transactional else found | {"priority": base.flags.priority}


# UserHeader. SourceQueueManager <- SourceMachineIdentifier, QueueManagerAddress <- DestinationQueueManagerIdentifier, TimeToBeReceived,
# SentTime, MessageID <- Identifier, DM <- DeliveryGuarantee, JN JP <- journaling, DQ AQ RQ <- the queue types, and the queues' names.
class _Queues(NamedTuple):
    """Where a message goes and who hears of it, as a UserHeader has them."""

    address: UUID
    destination: QueueReference
    admin: QueueReference
    response: QueueReference


def _queues(message: Message) -> _Queues:
    destination, owner = message.destination_queue_format_name, message.destination_queue_manager_identifier
    admin, response = message.administration_queue_format_name, message.response_queue_format_name
    source = message.source_machine_identifier
    # Departs from [MS-MQDMPR] 3.1.7.1.32: a private or direct destination fixes QueueManagerAddress itself, as [MS-MQMQ] 2.2.19.2 wants.
    address = owner if destination is None else queue_manager_address(destination, owner)
    return _Queues(
        address,
        packet_reference(destination, Role.DESTINATION, source=source),
        _reference(admin, message.administration_queue_type, Role.ADMIN, source, address, None),
        _reference(response, message.response_queue_type, Role.RESPONSE, source, address, admin),
    )


def _reference(
    name: FormatName | None, kind: IntEnum, role: Role, source: UUID, destination: UUID, admin: FormatName | None
) -> QueueReference:
    """How the packet names one queue: by the code of its type, if that code means this queue, else by the first that does."""
    if name is None:
        return NO_QUEUE
    first = packet_reference(name, role, source=source, destination=destination, admin=admin)
    hosts = {
        QueueCode.PRIVATE_ON_SOURCE: source,
        QueueCode.PRIVATE_ON_DESTINATION: destination,
        QueueCode.PRIVATE_ON_ADMIN_HOST: admin.lineage if isinstance(admin, PrivateName) else NULL_GUID,
    }
    # Departs from [MS-MQDMPR] 3.1.7.1.32: a queue type that contradicts the format name is not written, or the queue could not be found.
    match QueueCode(kind), name:
        case QueueCode.SAME_AS_ADMIN as code, _ if name == admin:
            return QueueReference(code, None)
        case QueueCode.PRIVATE_ELSEWHERE as code, PrivateName(object_id=queue):
            return QueueReference(code, queue)
        case code, PrivateName(lineage=lineage, number=number) if lineage == hosts.get(code) != NULL_GUID:
            return QueueReference(code, number)
    return first


def _user_header(message: Message, queues: _Queues) -> UserHeader:
    connector = message.connector_type_identifier
    # Departs from [MS-MQDMPR] 3.1.7.1.32: a transactional message is always written as recoverable, as [MS-MQMQ] 2.2.19.2 wants.
    delivery = DeliveryGuarantee.RECOVERABLE if _transactional(message) else message.delivery_guarantee
    flags = UserFlags.of(
        delivery_mode=delivery,
        journal_negative=message.negative_journaling_requested, journal_positive=message.positive_journaling_requested,
        destination_code=queues.destination.code, admin_code=queues.admin.code, response_code=queues.response.code,
        security_header=_has_security(message), transaction_header=_transactional(message), properties_header=1,
        connector_type=connector != NULL_GUID, multi_queue_header=bool(message.destination_multi_queue_format_name),
        soap_header=_has_soap(message),
    )  # fmt: skip
    sent = 0 if message.sent_time is None else int(message.sent_time.timestamp())
    return UserHeader(
        message.source_machine_identifier, queues.address, message.time_to_be_received, sent, message.identifier.uniquifier, flags,
        queues.destination.value, queues.admin.value, queues.response.value, None if connector == NULL_GUID else connector,
    )  # fmt: skip


def _from_user(user: UserHeader, receiver: UUID, remote_read: bool, admin_host: UUID | None) -> Attributes:
    flags, source = user.flags, user.source_queue_manager
    # What a remote reader gets in QueueManagerAddress is where the message came from, never where it went. [MS-MQRR] 2.2.5.1
    address = user.queue_manager_address
    if remote_read:
        address = NULL_GUID if flags.destination_code == QueueCode.DIRECT else receiver

    def name(role: Role, code: int, value: Any, admin: FormatName | None = None) -> FormatName | None:
        reference = QueueReference(QueueCode(code), value)
        return name_from_packet(reference, role, source=source, destination=address, receiver=receiver, admin=admin, admin_host=admin_host)

    admin = name(Role.ADMIN, flags.admin_code, user.admin_queue)
    found: Attributes = {
        "source_machine_identifier": source,
        "identifier": ObjectId(source, user.message_id),
        "sent_time": datetime.fromtimestamp(user.sent_time, UTC),
        "time_to_be_received": user.time_to_be_received,
        "delivery_guarantee": DeliveryGuarantee(flags.delivery_mode),
        "negative_journaling_requested": flags.journal_negative,
        "positive_journaling_requested": flags.journal_positive,
        "destination_queue_manager_identifier": address,
        "destination_queue_format_name": name(Role.DESTINATION, flags.destination_code, user.destination_queue),
        "destination_queue_type": DestinationQueueType(flags.destination_code) if flags.destination_code else None,
        "administration_queue_format_name": admin,
        "administration_queue_type": AdministrationQueueType(flags.admin_code),
        "response_queue_format_name": name(Role.RESPONSE, flags.response_code, user.response_queue, admin),
        "response_queue_type": ResponseQueueType(flags.response_code),
    }
    # Departs from [MS-MQDMPR] 3.1.7.1.31: ConnectorTypeIdentifier is read back, because a message that is handed on would lose it.
    return found if user.connector_type is None else found | {"connector_type_identifier": user.connector_type}


# TransactionHeader. FA FM LM <- FinalAckRequired, First and LastInTransaction, ID <- TransactionIdentifier, TxSequenceID <-
# TransactionalMessageSequenceIdentifier, the two sequence numbers, CG and ConnectorQMGuid <- ConnectorQueueManagerIdentifier.
def _transactional(message: Message) -> bool:
    return message.transaction_identifier is not None


def _transaction_header(message: Message) -> TransactionHeader | None:
    identifier = message.transaction_identifier
    if identifier is None:
        return None
    connector = message.connector_queue_manager_identifier
    flags = TransactionFlags.of(
        connector_guid=connector != NULL_GUID, transaction_id=identifier if isinstance(identifier, int) else _folded(identifier),
        final_ack_required=message.final_ack_required,
        first_message=message.first_in_transaction, last_message=message.last_in_transaction,
    )  # fmt: skip
    sequence = message.transactional_message_sequence_identifier or TxSequenceId(0)
    number, previous = message.transaction_sequence_number, message.transaction_previous_sequence_number
    return TransactionHeader(flags, sequence, number, previous, None if connector == NULL_GUID else connector)


def _folded(transaction: UUID) -> int:
    """The number by which a packet tells our transaction from others: all bits of the GUID, laid over each other."""
    # Departs from [MS-MQMQ] 2.2.20.5: ID is made from the transaction's GUID, so two transactions in flight share one by a rare chance.
    bits = TransactionFlags.transaction_id.width
    return reduce(xor, (transaction.int >> shift & (1 << bits) - 1 for shift in range(0, 128, bits)))


def _from_transaction(header: TransactionHeader) -> Attributes:
    return {
        "transaction_identifier": header.flags.transaction_id,
        "final_ack_required": header.flags.final_ack_required,
        "first_in_transaction": header.flags.first_message,
        "last_in_transaction": header.flags.last_message,
        "transactional_message_sequence_identifier": header.tx_sequence_id,
        "transaction_sequence_number": header.tx_sequence_number,
        # Departs from [MS-MQDMPR] 3.1.7.1.31: TransactionPreviousSequenceNumber is read back, or gaps in a stream could not be seen.
        "transaction_previous_sequence_number": header.previous_tx_sequence_number,
        "connector_queue_manager_identifier": header.connector_qm_guid or NULL_GUID,
    }


# SecurityHeader. ST and SecurityID <- the sender, EB <- PrivacyLevel, DE and ProviderInfo <- the provider, EncryptionKey <- SymmetricKey,
# Signature, SenderCert <- SenderCertificate. AU and AS are always sent as 0.
def _has_security(message: Message) -> bool:
    # Departs from [MS-MQDMPR] 3.1.7.1.30: the SecurityHeader comes with any of its fields, because unsigned messages have a sender too.
    data = message.symmetric_key or message.signature or message.sender_certificate
    return bool(message.sender_identifier is not None or message.authentication_level or message.privacy_level or data)


def _security_items(message: Message) -> tuple[bytes, ...]:
    """SecurityID, EncryptionKey, Signature, SenderCert and ProviderInfo. [MS-MQMQ] 2.2.20.6"""
    if not _has_security(message):
        return ()
    sender = message.sender_identifier
    identity = sender.pack() if isinstance(sender, Sid) else sender.bytes_le if sender is not None else b""
    items = (identity, message.symmetric_key, message.signature, message.sender_certificate)
    provider = ProviderInfo(message.authentication_provider_type, message.authentication_provider_name)
    # A header with nothing in it is not allowed: then the provider is named even if it is the default one.
    named = (_signed(message) and provider != _DEFAULT_PROVIDER) or not any(items)
    return (*items, provider.pack() if named else b"")


def _signed(message: Message) -> bool:
    return bool(message.signature or (message.destination_multi_queue_format_name and message.multiple_destination_signature))


def _security_header(message: Message, items: tuple[bytes, ...]) -> SecurityHeader:
    identity, *others = items
    flags = SecurityFlags.of(
        # The type says what the octets are, so a message that does not know its sender names none.
        sender_id_type=message.sender_identifier_type if identity else SenderIdentifierType.NONE,
        body_encrypted=bool(message.privacy_level),
        default_provider=_signed(message) and not others[-1],
        security_data=any(others),
    )
    sizes: Any = map(len, items)  # the checker cannot see that there are five
    return SecurityHeader(flags, *sizes, *items)


def _from_security(header: SecurityHeader, verified: bool) -> Attributes:
    kind = _member(SenderIdentifierType, header.flags.sender_id_type, "SecurityHeader.flags")
    found: Attributes = {
        "sender_identifier_type": kind,
        "sender_identifier": _sender(header, kind),
        "symmetric_key": header.encryption_key,
        # Departs from [MS-MQDMPR] 3.1.7.1.31: Signature is read back, because nobody could verify it otherwise.
        "signature": header.signature,
        "sender_certificate": header.sender_cert,
    }
    if verified:
        # Departs from [MS-MQDMPR] 3.1.7.1.31: AuthenticationLevel is AS, and only if verified, because AU has one bit and is a claim.
        found["authentication_level"] = _member(AuthenticationLevel, header.flags.signature_verified, "SecurityHeader.flags")
    if (provider := header.provider()) is not None:
        found |= {"authentication_provider_type": provider.provider_type, "authentication_provider_name": provider.provider_name}
    return found


def _sender(header: SecurityHeader, kind: SenderIdentifierType) -> Sid | UUID | None:
    if kind is SenderIdentifierType.NONE or not (octets := header.security_id):
        return None
    if kind is SenderIdentifierType.SID:
        return Sid.read_all(octets)
    if len(octets) != _GUID_SIZE:
        raise DecodeError(f"{len(octets)} octets are no GUID", where="SecurityHeader.security_id", offset=0)
    return UUID(bytes_le=octets)


# MessagePropertiesHeader. Flags <- AcknowledgementsRequested, CorrelationID <- CorrelationIdentifier, the sizes from what is there, and:
_PROPERTIES = {
    "message_class": "message_class",
    "body_type": "body_type",
    "application_tag": "application_tag",
    "privacy_level": "privacy_level",
    # Departs from [MS-MQDMPR] 3.1.7.1.31: 0x8003 is MD5 and not MD4, as 3.1.7.1.32 writes it.
    "hash_algorithm": "hash_algorithm",
    "encryption_algorithm": "encryption_algorithm",
    "label": "label",
    "extension": "extension_data",
    "body": "message_body",
}


def _properties_header(message: Message) -> MessagePropertiesHeader:
    flags, correlation = PropertiesFlags(message.acknowledgements_requested), message.correlation_identifier.pack()
    # Departs from [MS-MQDMPR] 3.1.7.1.32: LabelLength counts the NUL too, as [MS-MQMQ] 2.2.19.3 has it.
    return MessagePropertiesHeader.of(flags=flags, correlation_id=correlation, **_fields(message, _PROPERTIES))


def _from_properties(header: MessagePropertiesHeader) -> Attributes:
    if (fault := label_fault(header.label)) is not None:
        raise DecodeError(fault, where="MessagePropertiesHeader.label", offset=0)
    return {
        **_copied(header, _PROPERTIES),
        "body_type": int(header.body_type),
        "acknowledgements_requested": AcknowledgementsRequested(header.flags & _ACKNOWLEDGEMENT_BITS),
        "correlation_identifier": ObjectId.read_all(header.correlation_id),
    }


# DebugHeader. QT <- whether TracingQueueIdentifier is set, QueueIdentifier <- TracingQueueIdentifier. SoapHeader: not in the table.
def _traced(message: Message) -> bool:
    # Departs from [MS-MQDMPR] 3.1.7.1.30: tracing without a queue has a DebugHeader too, because TR needs DH and DH the header.
    return message.tracing_requested or message.tracing_queue_identifier != NULL_GUID


def _debug_header(message: Message) -> DebugHeader | None:
    if not _traced(message):
        return None
    queue = message.tracing_queue_identifier
    return DebugHeader(DebugFlags.of(queue_type=queue != NULL_GUID), 0, None if queue == NULL_GUID else queue)


def _has_soap(message: Message) -> bool:
    # Departs from [MS-MQDMPR] 3.1.7.1.30: a SoapHeader is made, which the table does not know, because its two texts would be lost.
    return bool(message.soap_header or message.soap_body)


# MultiQueueFormatHeader. Signature <- MultipleDestinationSignature, and the lists of names:
_LISTS = {
    "destination_multi_queue_format_name": "destination",
    "administration_multi_queue_format_name": "administration",
    "response_multi_queue_format_name": "response",
}
# Each kind of name, what a list holds of it, and the name again; of a distribution list only the GUID has a place. [MS-MQMQ] 2.2.18.1.4
_ELEMENTS: dict[type[ElementName], tuple[FormatType, Callable[[Any], Any], Callable[[Any], ElementName]]] = {
    PublicName: (FormatType.PUBLIC, attrgetter("guid"), PublicName),
    PrivateName: (FormatType.PRIVATE, attrgetter("object_id"), lambda queue: PrivateName(queue.lineage, queue.uniquifier)),
    DirectName: (FormatType.DIRECT, attrgetter("without_prefix"), parse_direct),
    DistributionListName: (FormatType.DISTRIBUTION_LIST, attrgetter("guid"), DistributionListName),
}
_NAMES = {kind: name for kind, _, name in _ELEMENTS.values()}


def _multi_queue_header(message: Message) -> MultiQueueFormatHeader | None:
    if not message.destination_multi_queue_format_name:
        return None
    lists = {field: tuple(map(_element, names)) for field, names in _fields(message, _LISTS).items()}
    return MultiQueueFormatHeader.of(**lists, signature=message.multiple_destination_signature)


def _element(name: ElementName) -> FormatNameElement:
    if type(name) in _ELEMENTS and name.suffix is Suffix.NONE:
        kind, content, _ = _ELEMENTS[type(name)]
        return FormatNameElement(kind, content(name))
    hint = "use PUBLIC=, PRIVATE=, DIRECT= or DL= without a suffix, and send to a multicast group separately"
    status = HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION
    raise StatusError(f"{name} cannot stand in a packet's list of queues", status=status, operation="address message", hint=hint)


def _from_multi_queue(header: MultiQueueFormatHeader) -> Attributes:
    lists = {attribute: _names(names, _LISTS[attribute]) for attribute, names in _copied(header, _LISTS).items()}
    return {**lists, "multiple_destination_signature": header.signature.signature}


def _names(header: MQFAddressHeader, which: str) -> tuple[ElementName, ...]:
    try:
        return tuple(_NAMES[element.kind](element.value) for element in header.elements)
    except StatusError as error:
        raise DecodeError(error.message, where=f"MQFAddressHeader.{which}", offset=0, hint=error.hint) from error


# The size, header by header. Texts count their NUL; what is not text has a size by its type.
_SIZES = {type(None): 0, int: 4, UUID: _GUID_SIZE, ObjectId: ObjectId.SIZE}


def _size(message: Message, queues: _Queues, secured: tuple[bytes, ...]) -> int:
    size = BaseHeader.SIZE + UserHeader.SIZE + sum(_reference_size(queue.value) for queue in queues[1:])
    size += _GUID_SIZE * (message.connector_type_identifier != NULL_GUID)
    if _transactional(message):
        size += TransactionHeader.SIZE + _GUID_SIZE * (message.connector_queue_manager_identifier != NULL_GUID)
    if secured:
        size += SecurityHeader.SIZE + sum(align(len(item)) for item in secured)
    label = _text_size(message.label) if message.label else 0
    size += align(MessagePropertiesHeader.SIZE + label + len(message.extension) + len(message.body))
    if _traced(message):
        size += DebugHeader.SIZE + _GUID_SIZE * (message.tracing_queue_identifier != NULL_GUID)
    if _has_soap(message):
        size += sum(align(SoapSection.SIZE + _text_size(text)) for text in (message.soap_header, message.soap_body))
    if message.destination_multi_queue_format_name:
        size += sum(map(_list_size, _fields(message, _LISTS).values()))
        size += align(MQFSignatureHeader.SIZE + len(message.multiple_destination_signature))
    return size


def _text_size(text: str) -> int:
    return len(to_wide(text)) + 2


def _reference_size(value: PacketValue) -> int:
    return align(2 + _text_size(value)) if isinstance(value, str) else _SIZES[type(value)]


def _list_size(names: Iterable[ElementName]) -> int:
    """A list with its header. Behind the two octets of an element's type text follows at once, all else on a 4-octet boundary."""
    size = MQFAddressHeader.SIZE
    for element in map(_element, names):
        value = element.value
        size = size + 2 + _text_size(value) if isinstance(value, str) else align(size + 2) + _SIZES[type(value)]
    return align(size)
