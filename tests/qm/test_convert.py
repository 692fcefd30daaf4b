"""Every row of the mapping between messages and packets, each direction by itself, against literal fields of a packet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any
from uuid import UUID

import pytest

from msmqctl.qm.convert import deserialize, serialize
from msmqctl.qm.message import (
    AcknowledgementsRequested,
    AdministrationQueueType,
    AuthenticationLevel,
    DeliveryGuarantee,
    DestinationQueueType,
    Message,
    ResponseQueueType,
    SenderIdentifierType,
)
from msmqctl.wire.headers import DebugFlags, DebugHeader, MessagePropertiesHeader, SoapHeader, TransactionFlags, TransactionHeader
from msmqctl.wire.identity import ObjectId, TxSequenceId
from msmqctl.wire.multi_queue import FormatNameElement, FormatType, MultiQueueFormatHeader
from msmqctl.wire.names import DistributionListName, PrivateName, PublicName, parse_direct
from msmqctl.wire.packet import UserMessage
from msmqctl.wire.record import Bits
from msmqctl.wire.security_header import ProviderInfo, SecurityHeader
from msmqctl.wire.sid import Sid
from msmqctl.wire.values import EncryptionAlgorithm, HashAlgorithm, MessageClass, PrivacyLevel, SenderIdType
from tests.wire.samples import OTHER, SENDER, SID, build

RECEIVER = UUID(int=0x77)
DIRECT = parse_direct("OS:host1\\q")
ELEMENT = FormatNameElement(FormatType.DIRECT, "OS:host1\\q")
PROVIDER = bytes.fromhex("18000000 43004100 0000")  # type 24, "CA" with its NUL

# What a packet looks like before a row changes it: every optional header is there and says nothing.
PLAIN = build(
    security=SecurityHeader.of(sender_cert=b"old"),
    debug=DebugHeader(DebugFlags(0), 0),
    multi_queue=MultiQueueFormatHeader.of(()),
)
TRANSACTIONAL = build(transaction=TransactionHeader(TransactionFlags(0), TxSequenceId(0), 0, 0))


@dataclass(frozen=True)
class Row:
    """One row: an attribute and its value, the field and what it holds.

    `needs` is what the message must have for the field to be there at all, `along` what cannot be set without the attribute, `arrives`
    how the packet `start` is changed for the other direction, if not in that one field alone.
    """

    attribute: str
    value: object
    where: str | Callable[[UserMessage], object]
    wire: object
    needs: Mapping[str, Any] = field(default_factory=dict)
    along: Mapping[str, Any] = field(default_factory=dict)
    arrives: Mapping[str, Any] = field(default_factory=dict)
    start: UserMessage = PLAIN

    def look(self, packet: UserMessage) -> object:
        """What the field holds; None when its header is not there."""
        try:
            return attrgetter(self.where)(packet) if isinstance(self.where, str) else self.where(packet)
        except AttributeError:
            return None


def changed(owner: Any, path: str, value: Any) -> Any:
    """A packet, header or word of flags with one part replaced, however deep it lies."""
    name, _, rest = path.partition(".")
    part = changed(getattr(owner, name), rest, value) if rest else value
    return owner.replace(**{name: part}) if isinstance(owner, Bits) else replace(owner, **{name: part})


def arrived(row: Row) -> UserMessage:
    """The packet of a row as it comes off the wire."""
    packet = row.start
    for path, value in (row.arrives or {str(row.where): row.wire}).items():
        packet = changed(packet, path, value)
    return UserMessage.read_all(packet.pack())


def in_transaction(attribute: str, value: object, where: str, wire: object, **more: Any) -> Row:
    return Row(attribute, value, f"transaction.{where}", wire, needs={"transaction_identifier": 1}, start=TRANSACTIONAL, **more)


def in_properties(attribute: str, value: object, where: str, wire: object, **made: Any) -> Row:
    return Row(attribute, value, f"properties.{where}", wire, arrives={"properties": MessagePropertiesHeader.of(**made)} if made else {})


def in_security(attribute: str, value: object, where: str, wire: object, header: SecurityHeader, **along: Any) -> Row:
    return Row(attribute, value, f"security.{where}", wire, along=along, arrives={"security": header})


def in_lists(attribute: str, value: object, where: str, wire: object, header: MultiQueueFormatHeader) -> Row:
    needs = {"destination_multi_queue_format_name": (DIRECT,)}
    return Row(attribute, value, f"multi_queue.{where}", wire, needs=needs, arrives={"multi_queue": header})


FOREIGN = SecurityHeader.of(signature=b"sign", provider=ProviderInfo(24, "CA"))
ALL_LISTS = (
    (PublicName(OTHER), PrivateName(OTHER, 12), DIRECT, DistributionListName(SENDER)),
    (
        FormatNameElement(FormatType.PUBLIC, OTHER),
        FormatNameElement(FormatType.PRIVATE, ObjectId(OTHER, 12)),
        ELEMENT,
        FormatNameElement(FormatType.DISTRIBUTION_LIST, SENDER),
    ),
)

BOTH = [
    pytest.param(Row("priority", 6, "base.flags.priority", 6), marks=pytest.mark.spec("DM-3.1.7.1.32-M1")),
    pytest.param(Row("tracing_requested", True, "base.flags.tracing", True), marks=pytest.mark.spec("DM-3.1.7.1.32-M2")),
    pytest.param(Row("time_to_reach_queue", 77, "base.time_to_reach_queue", 77), marks=pytest.mark.spec("DM-3.1.7.1.32-M4")),
    pytest.param(in_properties("body_type", 8, "body_type", 8), marks=pytest.mark.spec("DM-3.1.7.1.32-M5")),
    pytest.param(
        in_properties("encryption_algorithm", EncryptionAlgorithm.CALG_AES_256, "encryption_algorithm", EncryptionAlgorithm(0x6610)),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M6"),
    ),
    pytest.param(
        in_properties("hash_algorithm", HashAlgorithm.CALG_MD5, "hash_algorithm", HashAlgorithm(0x8003)),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M7"),
    ),
    pytest.param(in_properties("application_tag", 4711, "application_tag", 4711), marks=pytest.mark.spec("DM-3.1.7.1.32-M8")),
    pytest.param(
        in_properties(
            "correlation_identifier",
            ObjectId(OTHER, 0x01020304),
            "correlation_id",
            bytes.fromhex("44332211 6655 8877 99aabbccddeeff00 04030201"),
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M9"),
    ),
    pytest.param(
        in_properties("acknowledgements_requested", AcknowledgementsRequested.ACK_FULL_RECEIVE, "flags", 0x0E),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M10"),
    ),
    pytest.param(
        in_properties("message_class", MessageClass.MQMSG_CLASS_NACK_RECEIVE_REJECTED, "message_class", MessageClass(0xC004)),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M11"),
    ),
    pytest.param(
        in_properties("extension", b"\1\2\3", "extension_data", b"\1\2\3", extension_data=b"\1\2\3"),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M12"),
    ),
    pytest.param(in_properties("label", "orders", "label", "orders", label="orders"), marks=pytest.mark.spec("DM-3.1.7.1.32-M13")),
    pytest.param(in_properties("body", b"\0x", "message_body", b"\0x", message_body=b"\0x"), marks=pytest.mark.spec("DM-3.1.7.1.32-M14")),
    pytest.param(
        in_properties("privacy_level", PrivacyLevel.BODY_AES, "privacy_level", PrivacyLevel(5)), marks=pytest.mark.spec("DM-3.1.7.1.32-M15")
    ),
    pytest.param(
        Row(
            "authentication_provider_type",
            24,
            lambda packet: packet.security and packet.security.provider_info[:4],
            PROVIDER[:4],
            needs={"signature": b"sign", "authentication_provider_name": "CA"},
            arrives={"security": FOREIGN},
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M17"),
    ),
    pytest.param(
        Row(
            "authentication_provider_name",
            "CA",
            lambda packet: packet.security and packet.security.provider_info[4:],
            PROVIDER[4:],
            needs={"signature": b"sign", "authentication_provider_type": 24},
            arrives={"security": FOREIGN},
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M18"),
    ),
    pytest.param(
        in_security(
            "sender_identifier_type",
            SenderIdentifierType.QUEUE_MANAGER_IDENTIFIER,
            "flags.sender_id_type",
            2,
            SecurityHeader.of(SenderIdType.QUEUE_MANAGER, OTHER.bytes_le),
            sender_identifier=OTHER,
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M19"),
    ),
    pytest.param(
        in_security("symmetric_key", b"key", "encryption_key", b"key", SecurityHeader.of(encryption_key=b"key")),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M21"),
    ),
    pytest.param(
        in_security(
            "sender_identifier",
            Sid.parse("S-1-5-21-3181267629-1039849782-3663111779-1000"),
            "security_id",
            bytes.fromhex("010500000000000515000000ad4a9ebd36d9fa3d63a656dae8030000"),
            SecurityHeader.of(SenderIdType.SID, SID),
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M22"),
    ),
    pytest.param(
        in_security("sender_certificate", b"x509", "sender_cert", b"x509", SecurityHeader.of(sender_cert=b"x509")),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M23"),
    ),
    pytest.param(in_transaction("final_ack_required", True, "flags.final_ack_required", True), marks=pytest.mark.spec("DM-3.1.7.1.32-M24")),
    pytest.param(
        in_transaction("transaction_identifier", 0x12345, "flags.transaction_id", 0x12345), marks=pytest.mark.spec("DM-3.1.7.1.32-M25")
    ),
    pytest.param(in_transaction("transaction_sequence_number", 9, "tx_sequence_number", 9), marks=pytest.mark.spec("DM-3.1.7.1.32-M26")),
    pytest.param(
        in_transaction("transactional_message_sequence_identifier", TxSequenceId(0x65 << 32 | 4), "tx_sequence_id", 0x6500000004),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M28"),
    ),
    pytest.param(
        in_transaction(
            "connector_queue_manager_identifier",
            OTHER,
            "connector_qm_guid",
            OTHER,
            arrives={"transaction": TransactionHeader(TransactionFlags(1), TxSequenceId(0), 0, 0, OTHER)},
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M29"),
    ),
    pytest.param(in_transaction("first_in_transaction", True, "flags.first_message", True), marks=pytest.mark.spec("DM-3.1.7.1.32-M30")),
    pytest.param(in_transaction("last_in_transaction", True, "flags.last_message", True), marks=pytest.mark.spec("DM-3.1.7.1.32-M31")),
    pytest.param(
        Row(
            "destination_queue_manager_identifier",
            OTHER,
            "user.queue_manager_address",
            OTHER,
            needs={"destination_queue_format_name": PublicName(SENDER)},
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M32"),
    ),
    pytest.param(
        Row("sent_time", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "user.sent_time", 1_767_323_045),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M34"),
    ),
    pytest.param(
        Row(
            "destination_queue_type",
            DestinationQueueType.PUBLIC_QUEUE,
            "user.flags.destination_code",
            5,
            along={"destination_queue_format_name": PublicName(OTHER)},
            arrives={"user.flags.destination_code": 5, "user.destination_queue": OTHER},
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M35"),
    ),
    pytest.param(
        Row(
            "administration_queue_type",
            AdministrationQueueType.PRIVATE_QUEUE_ON_OTHER,
            "user.flags.admin_code",
            6,
            needs={"source_machine_identifier": SENDER, "administration_queue_format_name": PrivateName(SENDER, 9)},
            arrives={"user.flags.admin_code": 6, "user.admin_queue": ObjectId(SENDER, 9)},
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M36"),
    ),
    pytest.param(
        Row(
            "response_queue_type",
            ResponseQueueType.SAME_AS_ADMINISTRATION_QUEUE,
            "user.flags.response_code",
            1,
            needs={"administration_queue_format_name": DIRECT, "response_queue_format_name": DIRECT},
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M37"),
    ),
    pytest.param(Row("time_to_be_received", 60, "user.time_to_be_received", 60), marks=pytest.mark.spec("DM-3.1.7.1.32-M38")),
    pytest.param(
        Row("identifier", ObjectId(SENDER, 2286), "user.message_id", 2286, needs={"source_machine_identifier": SENDER}),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M39"),
    ),
    pytest.param(Row("source_machine_identifier", OTHER, "user.source_queue_manager", OTHER), marks=pytest.mark.spec("DM-3.1.7.1.32-M40")),
    pytest.param(
        Row(
            "administration_queue_format_name",
            PrivateName(OTHER, 12),
            "user.admin_queue",
            ObjectId(OTHER, 12),
            arrives={"user.flags.admin_code": 6, "user.admin_queue": ObjectId(OTHER, 12)},
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M41"),
    ),
    pytest.param(
        Row("destination_queue_format_name", parse_direct("TCP:192.0.2.10\\r"), "user.destination_queue", "TCP:192.0.2.10\\r"),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M42"),
    ),
    pytest.param(
        Row("delivery_guarantee", DeliveryGuarantee.RECOVERABLE, "user.flags.delivery_mode", 1), marks=pytest.mark.spec("DM-3.1.7.1.32-M43")
    ),
    pytest.param(
        Row("positive_journaling_requested", True, "user.flags.journal_positive", True), marks=pytest.mark.spec("DM-3.1.7.1.32-M44")
    ),
    pytest.param(
        Row("negative_journaling_requested", True, "user.flags.journal_negative", True), marks=pytest.mark.spec("DM-3.1.7.1.32-M45")
    ),
    pytest.param(
        Row(
            "response_queue_format_name",
            PublicName(OTHER),
            "user.response_queue",
            OTHER,
            arrives={"user.flags.response_code": 5, "user.response_queue": OTHER},
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M46"),
    ),
    pytest.param(
        in_lists(
            "destination_multi_queue_format_name",
            ALL_LISTS[0],
            "destination.elements",
            ALL_LISTS[1],
            MultiQueueFormatHeader.of(ALL_LISTS[1]),
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M47"),
    ),
    pytest.param(
        in_lists(
            "administration_multi_queue_format_name",
            (DIRECT,),
            "administration.elements",
            (ELEMENT,),
            MultiQueueFormatHeader.of((), administration=(ELEMENT,)),
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M48"),
    ),
    pytest.param(
        in_lists(
            "response_multi_queue_format_name",
            (DIRECT,),
            "response.elements",
            (ELEMENT,),
            MultiQueueFormatHeader.of((), response=(ELEMENT,)),
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M49"),
    ),
    pytest.param(
        in_lists("multiple_destination_signature", b"sig", "signature.signature", b"sig", MultiQueueFormatHeader.of((), signature=b"sig")),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M50"),
    ),
    pytest.param(
        Row(
            "tracing_queue_identifier",
            OTHER,
            "debug.queue_identifier",
            OTHER,
            arrives={"debug": DebugHeader(DebugFlags(1), 0, OTHER)},
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M51"),
    ),
]

# The document writes these and reads none of them; we do, where a packet carries them.
OUT_ONLY = [
    pytest.param(Row("tracing_requested", True, "base.flags.debug_header", True), marks=pytest.mark.spec("DM-3.1.7.1.32-M3")),
    pytest.param(
        in_security("signature", b"sign", "signature", b"sign", SecurityHeader.of(signature=b"sign")),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M20"),
    ),
    pytest.param(
        in_transaction("transaction_previous_sequence_number", 8, "previous_tx_sequence_number", 8),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M27"),
    ),
    pytest.param(
        Row(
            "connector_type_identifier",
            OTHER,
            "user.connector_type",
            OTHER,
            arrives={"user.flags.connector_type": 1, "user.connector_type": OTHER},
        ),
        marks=pytest.mark.spec("DM-3.1.7.1.32-M33"),
    ),
]


@pytest.mark.spec("DM-3.1.7.1.32-1")
@pytest.mark.parametrize("row", [*BOTH, *OUT_ONLY])
def test_an_attribute_is_written(row: Row) -> None:
    before = UserMessage.read_all(serialize(Message(**row.needs)))
    after = UserMessage.read_all(serialize(Message(**{**row.needs, **row.along, row.attribute: row.value})))
    assert row.look(before) != row.wire
    assert row.look(after) == row.wire


@pytest.mark.spec("DM-3.1.7.1.31-2")
@pytest.mark.parametrize("row", BOTH)
def test_a_field_is_read(row: Row) -> None:
    assert getattr(deserialize(row.start, receiver=RECEIVER), row.attribute) != row.value
    assert getattr(deserialize(arrived(row), receiver=RECEIVER), row.attribute) == row.value


@pytest.mark.parametrize("row", [row.values[0] for row in OUT_ONLY[1:]])
def test_what_only_the_document_forgets_to_read_comes_back(row: Row) -> None:
    assert getattr(deserialize(row.start, receiver=RECEIVER), row.attribute) != row.value
    assert getattr(deserialize(arrived(row), receiver=RECEIVER), row.attribute) == row.value


@pytest.mark.spec("DM-3.1.7.1.32-M16", "DM-3.1.7.1.31-3")
@pytest.mark.parametrize(("number", "level"), [(0, "NONE"), (1, "SIG10"), (3, "SIG20"), (5, "SIG30"), (9, "XML_SIG")])
def test_the_level_is_what_a_trusted_verifier_noted(number: int, level: str) -> None:
    packet = changed(PLAIN, "security.flags.signature_verified", number)
    assert deserialize(packet, receiver=RECEIVER, verified=True).authentication_level is AuthenticationLevel[level]


def test_soap_texts_travel_both_ways() -> None:
    packet = UserMessage.read_all(serialize(Message(soap_header="<h/>", soap_body="<b/>")))
    assert packet.soap == SoapHeader.of("<h/>", "<b/>")
    message = deserialize(build(soap=SoapHeader.of("<x/>", "")), receiver=RECEIVER)
    assert (message.soap_header, message.soap_body) == ("<x/>", "")
