"""A message: its sixty attributes by their ids, its enumerations with their numbers, and which values it refuses."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.qm.element import Lifetime
from msmqctl.qm.message import (
    BASE_PROVIDER_NAME,
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
from msmqctl.wire.headers import PropertiesFlags
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.sid import ANONYMOUS_LOGON, EVERYONE, Sid
from msmqctl.wire.values import EncryptionAlgorithm, HashAlgorithm, MessageClass, PrivacyLevel
from tests.qm.attributes import DIRECT, ONE, OTHER, SEVERAL, P, Refused, assert_attribute

OTHER_TIMES = (datetime.fromisoformat("2026-01-01T00:00:00"), datetime.fromisoformat("2026-01-01T00:00:00+01:00"))


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("lookup_identifier", "int", P, 0, (-1, 1 << 64), marks=pytest.mark.spec("DM-3.1.1.12-A1")),
        pytest.param("identifier", "ObjectId", P, ObjectId(NULL_GUID, 0), (), marks=pytest.mark.spec("DM-3.1.1.12-A2")),
        pytest.param("allow_peek_when_locked", "bool", P, False, (), marks=pytest.mark.spec("DM-3.1.1.12-A3")),
        pytest.param("application_deadletter_queue", "str", P, "", (), marks=pytest.mark.spec("DM-3.1.1.12-A4")),
        pytest.param("arrival_time", "datetime | None", P, None, OTHER_TIMES, marks=pytest.mark.spec("DM-3.1.1.12-A5")),
        pytest.param("message_class", "MessageClass", P, MessageClass.MQMSG_CLASS_NORMAL, (), marks=pytest.mark.spec("DM-3.1.1.12-A6")),
        pytest.param("privacy_level", "PrivacyLevel", P, PrivacyLevel.NONE, (), marks=pytest.mark.spec("DM-3.1.1.12-A7")),
        pytest.param(
            "authentication_level", "AuthenticationLevel", P, AuthenticationLevel.NONE, (2,), marks=pytest.mark.spec("DM-3.1.1.12-A8")
        ),
        pytest.param(
            "delivery_guarantee", "DeliveryGuarantee", P, DeliveryGuarantee.EXPRESS, (0,), marks=pytest.mark.spec("DM-3.1.1.12-A9")
        ),
        pytest.param("tracing_requested", "bool", P, False, (), marks=pytest.mark.spec("DM-3.1.1.12-A10")),
        pytest.param("tracing_queue_identifier", "UUID", P, NULL_GUID, (), marks=pytest.mark.spec("DM-3.1.1.12-A11")),
        pytest.param("priority", "int", P, 3, (-1, 8), marks=pytest.mark.spec("DM-3.1.1.12-A12")),
        pytest.param("positive_journaling_requested", "bool", P, False, (), marks=pytest.mark.spec("DM-3.1.1.12-A13")),
        pytest.param("negative_journaling_requested", "bool", P, False, (), marks=pytest.mark.spec("DM-3.1.1.12-A14")),
        pytest.param("response_queue_format_name", "FormatName | None", P, None, (), marks=pytest.mark.spec("DM-3.1.1.12-A15")),
        pytest.param("response_multi_queue_format_name", "tuple[ElementName, ...]", P, (), (), marks=pytest.mark.spec("DM-3.1.1.12-A16")),
        pytest.param("destination_queue_format_name", "SingleName | None", P, None, (SEVERAL,), marks=pytest.mark.spec("DM-3.1.1.12-A17")),
        pytest.param(
            "destination_multi_queue_format_name",
            "tuple[ElementName, ...]",
            P,
            (),
            ((DIRECT, SEVERAL),),
            marks=pytest.mark.spec("DM-3.1.1.12-A18"),
        ),
        pytest.param("administration_queue_format_name", "FormatName | None", P, None, (), marks=pytest.mark.spec("DM-3.1.1.12-A19")),
        pytest.param(
            "administration_multi_queue_format_name", "tuple[ElementName, ...]", P, (), (), marks=pytest.mark.spec("DM-3.1.1.12-A20")
        ),
        pytest.param("multiple_destination_signature", "bytes", P, b"", (), marks=pytest.mark.spec("DM-3.1.1.12-A21")),
        pytest.param("application_tag", "int", P, 0, (-1, 1 << 32), marks=pytest.mark.spec("DM-3.1.1.12-A22")),
        pytest.param("source_machine_identifier", "UUID", P, NULL_GUID, (), marks=pytest.mark.spec("DM-3.1.1.12-A23")),
        pytest.param("body", "bytes", P, b"", (), marks=pytest.mark.spec("DM-3.1.1.12-A24")),
        pytest.param("body_type", "int", P, 0, (-1, 1 << 32), marks=pytest.mark.spec("DM-3.1.1.12-A25")),
        pytest.param("correlation_identifier", "ObjectId", P, ObjectId(NULL_GUID, 0), (), marks=pytest.mark.spec("DM-3.1.1.12-A26")),
        pytest.param(
            "acknowledgements_requested",
            "AcknowledgementsRequested",
            P,
            AcknowledgementsRequested.NONE,
            (5,),
            marks=pytest.mark.spec("DM-3.1.1.12-A27"),
        ),
        pytest.param("label", "str", P, "", ("x" * 250,), marks=pytest.mark.spec("DM-3.1.1.12-A28")),
        pytest.param("sent_time", "datetime | None", P, None, OTHER_TIMES, marks=pytest.mark.spec("DM-3.1.1.12-A29")),
        pytest.param("time_to_reach_queue", "int", P, 0x54600, (-1, 1 << 32), marks=pytest.mark.spec("DM-3.1.1.12-A30")),
        pytest.param("time_to_be_received", "int", P, 0xFFFFFFFF, (-1, 1 << 32), marks=pytest.mark.spec("DM-3.1.1.12-A31")),
        pytest.param("hash_algorithm", "HashAlgorithm", P, HashAlgorithm.CALG_SHA1, (), marks=pytest.mark.spec("DM-3.1.1.12-A32")),
        pytest.param(
            "encryption_algorithm", "EncryptionAlgorithm", P, EncryptionAlgorithm.CALG_RC4, (), marks=pytest.mark.spec("DM-3.1.1.12-A33")
        ),
        pytest.param("destination_queue_manager_identifier", "UUID", P, NULL_GUID, (), marks=pytest.mark.spec("DM-3.1.1.12-A34")),
        pytest.param("destination_queue_type", "DestinationQueueType | None", P, None, (3,), marks=pytest.mark.spec("DM-3.1.1.12-A35")),
        pytest.param(
            "administration_queue_type",
            "AdministrationQueueType",
            P,
            AdministrationQueueType.NONE,
            (0,),
            marks=pytest.mark.spec("DM-3.1.1.12-A36"),
        ),
        pytest.param(
            "response_queue_type", "ResponseQueueType", P, ResponseQueueType.NONE, (0,), marks=pytest.mark.spec("DM-3.1.1.12-A37")
        ),
        pytest.param("sender_identifier", "Sid | UUID | None", P, None, (ONE,), marks=pytest.mark.spec("DM-3.1.1.12-A38")),
        pytest.param("sender_certificate", "bytes", P, b"", (), marks=pytest.mark.spec("DM-3.1.1.12-A39")),
        pytest.param(
            "sender_identifier_type", "SenderIdentifierType", P, SenderIdentifierType.SID, (1,), marks=pytest.mark.spec("DM-3.1.1.12-A40")
        ),
        pytest.param("extension", "bytes", P, b"", (), marks=pytest.mark.spec("DM-3.1.1.12-A41")),
        pytest.param("connector_type_identifier", "UUID", P, NULL_GUID, (), marks=pytest.mark.spec("DM-3.1.1.12-A42")),
        pytest.param("connector_queue_manager_identifier", "UUID", P, NULL_GUID, (), marks=pytest.mark.spec("DM-3.1.1.12-A43")),
        pytest.param("transaction_status_queue_format_name", "FormatName | None", P, None, (), marks=pytest.mark.spec("DM-3.1.1.12-A44")),
        pytest.param("symmetric_key", "bytes", P, b"", (), marks=pytest.mark.spec("DM-3.1.1.12-A45")),
        pytest.param("signature", "bytes", P, b"", (), marks=pytest.mark.spec("DM-3.1.1.12-A46")),
        pytest.param("authentication_provider_type", "int", P, 1, (-1, 1 << 32), marks=pytest.mark.spec("DM-3.1.1.12-A47")),
        pytest.param("authentication_provider_name", "str", P, ENHANCED_PROVIDER_NAME, (), marks=pytest.mark.spec("DM-3.1.1.12-A48")),
        pytest.param(
            "transactional_message_sequence_identifier", "TxSequenceId | None", P, None, (), marks=pytest.mark.spec("DM-3.1.1.12-A49")
        ),
        pytest.param("transaction_sequence_number", "int", P, 0, (-1, 1 << 32), marks=pytest.mark.spec("DM-3.1.1.12-A50")),
        pytest.param("transaction_previous_sequence_number", "int", P, 0, (-1, 1 << 32), marks=pytest.mark.spec("DM-3.1.1.12-A51")),
        pytest.param("transaction_identifier", "UUID | int | None", P, None, (), marks=pytest.mark.spec("DM-3.1.1.12-A52")),
        pytest.param("final_ack_required", "bool", P, False, (), marks=pytest.mark.spec("DM-3.1.1.12-A53")),
        pytest.param("first_in_transaction", "bool", P, False, (), marks=pytest.mark.spec("DM-3.1.1.12-A54")),
        pytest.param("last_in_transaction", "bool", P, False, (), marks=pytest.mark.spec("DM-3.1.1.12-A55")),
        pytest.param("soap_envelope", "str", P, "", (), marks=pytest.mark.spec("DM-3.1.1.12-A56")),
        pytest.param("soap_compound_message", "bytes", P, b"", (), marks=pytest.mark.spec("DM-3.1.1.12-A57")),
        pytest.param("soap_body", "str", P, "", (), marks=pytest.mark.spec("DM-3.1.1.12-A58")),
        pytest.param("soap_header", "str", P, "", (), marks=pytest.mark.spec("DM-3.1.1.12-A59")),
        pytest.param("message_position_reference", "int | None", P, None, (), marks=pytest.mark.spec("DM-3.1.1.12-A60")),
    ],
)
def test_attributes_of_message(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(Message, name, kind, lifetime, default, refused)


def test_a_message_has_no_attribute_but_those_and_its_size() -> None:
    assert len(fields(Message)) == 61
    assert Message(size=4096).size == 4096


@pytest.mark.spec("DM-3.1.1.12-A48")
def test_provider_names_have_their_comma() -> None:
    assert BASE_PROVIDER_NAME == "Microsoft Base Cryptographic Provider, v1.0"
    assert ENHANCED_PROVIDER_NAME == "Microsoft Enhanced Cryptographic Provider, v1.0"


@pytest.mark.spec("DM-3.1.1.12-1")
def test_a_new_message_carries_the_defaults_of_the_document() -> None:
    new = Message()
    numbers = {
        "priority": 3, "application_tag": 0, "body_type": 0, "time_to_reach_queue": 345_600, "time_to_be_received": 0xFFFFFFFF,
        "message_class": 0, "privacy_level": 0, "authentication_level": 0, "delivery_guarantee": 0, "hash_algorithm": 0x8004,
        "encryption_algorithm": 0x6801, "administration_queue_type": 0, "response_queue_type": 0, "sender_identifier_type": 1,
        "acknowledgements_requested": 0,
    }  # fmt: skip
    assert {name: getattr(new, name) for name in numbers} == numbers
    for empty in (
        "allow_peek_when_locked", "application_deadletter_queue", "tracing_requested", "positive_journaling_requested",
        "negative_journaling_requested", "response_queue_format_name", "response_multi_queue_format_name",
        "administration_queue_format_name", "administration_multi_queue_format_name", "multiple_destination_signature", "body", "label",
        "sender_certificate", "extension", "transactional_message_sequence_identifier",
    ):  # fmt: skip
        assert not getattr(new, empty), empty
    assert new.tracing_queue_identifier == new.connector_type_identifier == NULL_GUID
    assert new.correlation_identifier == ObjectId(NULL_GUID, 0)


def test_a_message_never_changes() -> None:
    message = Message(label="a")
    with pytest.raises(FrozenInstanceError):
        setattr(message, "label", "b")  # noqa: B010 - the type checker knows already
    assert replace(message, label="b") == Message(label="b")
    with pytest.raises(ValueError, match="priority"):
        replace(message, priority=8)


@pytest.mark.spec("DM-3.1.1.12-2", "DM-3.1.1.12-A12")
@given(priority=st.integers(min_value=-20, max_value=300))
def test_priorities_go_from_0_to_7(priority: int) -> None:
    if priority in range(8):
        assert Message(priority=priority).priority == priority
    else:
        with pytest.raises(ValueError, match="priority"):
            Message(priority=priority)


@pytest.mark.spec("DM-3.1.1.12-3", "DM-3.1.1.12-A28")
def test_a_label_has_room_for_249_characters_as_a_packet_counts_them() -> None:
    assert Message(label="x" * 249).label == "x" * 249
    with pytest.raises(ValueError, match="250 characters, 249"):
        Message(label="x" * 250)
    assert Message(label="\N{OWL}" * 124 + "x").label.endswith("x")
    with pytest.raises(ValueError, match="250 characters, 249"):
        Message(label="\N{OWL}" * 125)


@given(label=st.text(max_size=300))
def test_any_text_is_a_label_or_has_a_fault(label: str) -> None:
    units = sum(2 if ord(character) > 0xFFFF else 1 for character in label)
    assert (label_fault(label) is None) == (units <= 249)


CLASSES = [
    pytest.param("Normal", 0x0000, "NORMAL", marks=pytest.mark.spec("DM-3.1.1.12-V1")),
    pytest.param("Report", 0x0001, "REPORT", marks=pytest.mark.spec("DM-3.1.1.12-V2")),
    pytest.param("AckReachQueue", 0x0002, "ACK_REACH_QUEUE", marks=pytest.mark.spec("DM-3.1.1.12-V3")),
    pytest.param("OrderAck", 0x00FF, "ORDER_ACK", marks=pytest.mark.spec("DM-3.1.1.12-V4")),
    pytest.param("AckReceive", 0x4000, "ACK_RECEIVE", marks=pytest.mark.spec("DM-3.1.1.12-V5")),
    pytest.param("NackBadDestQueue", 0x8000, "NACK_BAD_DST_Q", marks=pytest.mark.spec("DM-3.1.1.12-V6")),
    pytest.param("NackPurged", 0x8001, "NACK_DELETED", marks=pytest.mark.spec("DM-3.1.1.12-V7")),
    pytest.param("NackReachQueueTimeout", 0x8002, "NACK_REACH_QUEUE_TIMEOUT", marks=pytest.mark.spec("DM-3.1.1.12-V8")),
    pytest.param("NackQueueExceedQuota", 0x8003, "NACK_Q_EXCEED_QUOTA", marks=pytest.mark.spec("DM-3.1.1.12-V9")),
    pytest.param("NackAccessDenied", 0x8004, "NACK_ACCESS_DENIED", marks=pytest.mark.spec("DM-3.1.1.12-V10")),
    pytest.param("NackHopCountExceeded", 0x8005, "NACK_HOP_COUNT_EXCEEDED", marks=pytest.mark.spec("DM-3.1.1.12-V11")),
    pytest.param("NackBadSignature", 0x8006, "NACK_BAD_SIGNATURE", marks=pytest.mark.spec("DM-3.1.1.12-V12")),
    pytest.param("NackBadEncryption", 0x8007, "NACK_BAD_ENCRYPTION", marks=pytest.mark.spec("DM-3.1.1.12-V13")),
    pytest.param("NackCouldNotEncrypt", 0x8008, "NACK_COULD_NOT_ENCRYPT", marks=pytest.mark.spec("DM-3.1.1.12-V14")),
    pytest.param("NackNotTransactionalQueue", 0x8009, "NACK_NOT_TRANSACTIONAL_Q", marks=pytest.mark.spec("DM-3.1.1.12-V15")),
    pytest.param("NackNotTransactionalMessage", 0x800A, "NACK_NOT_TRANSACTIONAL_MSG", marks=pytest.mark.spec("DM-3.1.1.12-V16")),
    pytest.param("NackUnsupportedCryptoProvider", 0x800B, "NACK_UNSUPPORTED_CRYPTO_PROVIDER", marks=pytest.mark.spec("DM-3.1.1.12-V17")),
    pytest.param("NackSourceComputerGuidChanged", 0x800C, "NACK_SOURCE_COMPUTER_GUID_CHANGED", marks=pytest.mark.spec("DM-3.1.1.12-V18")),
    pytest.param("NackQueueDeleted", 0xC000, "NACK_Q_DELETED", marks=pytest.mark.spec("DM-3.1.1.12-V19")),
    pytest.param("NackQueuePurged", 0xC001, "NACK_Q_PURGED", marks=pytest.mark.spec("DM-3.1.1.12-V20")),
    pytest.param("NackReceiveTimeout", 0xC002, "NACK_RECEIVE_TIMEOUT", marks=pytest.mark.spec("DM-3.1.1.12-V21")),
    pytest.param("NackReceiveTimeoutAtSender", 0xC003, "NACK_RECEIVE_TIMEOUT_AT_SENDER", marks=pytest.mark.spec("DM-3.1.1.12-V22")),
    pytest.param("NackReceiveRejected", 0xC004, "NACK_RECEIVE_REJECTED", marks=pytest.mark.spec("DM-3.1.1.12-V23")),
]


@pytest.mark.parametrize(("words", "number", "name"), CLASSES)
def test_a_class_of_the_document_is_a_number_of_packets(words: str, number: int, name: str) -> None:
    assert Message(message_class=MessageClass[f"MQMSG_CLASS_{name}"]).message_class == number, words


@pytest.mark.spec("DM-3.1.1.12-6")
def test_an_application_may_have_classes_of_its_own() -> None:
    message = Message(message_class=MessageClass(0x01AB))
    assert message.message_class == 0x01AB
    assert replace(message, label="kept").message_class == 0x01AB


@pytest.mark.parametrize(
    ("kind", "numbers"),
    [
        pytest.param(
            PrivacyLevel, {"NONE": 0, "BODY_40_BIT": 1, "BODY_128_BIT": 3, "BODY_AES": 5}, marks=pytest.mark.spec("DM-3.1.1.12-V24")
        ),
        pytest.param(
            AuthenticationLevel,
            {"NONE": 0, "SIG10": 1, "SIG20": 3, "SIG30": 5, "XML_SIG": 9},
            marks=pytest.mark.spec("DM-3.1.1.12-V25"),
        ),
        pytest.param(DeliveryGuarantee, {"EXPRESS": 0, "RECOVERABLE": 1}, marks=pytest.mark.spec("DM-3.1.1.12-V26")),
        pytest.param(
            HashAlgorithm,
            {
                "CALG_MD2": 0x8001,
                "CALG_MD4": 0x8002,
                "CALG_MD5": 0x8003,
                "CALG_SHA1": 0x8004,
                "CALG_SHA_256": 0x800C,
                "CALG_SHA_512": 0x800E,
            },
            marks=pytest.mark.spec("DM-3.1.1.12-V29"),
        ),
        pytest.param(
            DestinationQueueType, {"PRIVATE_QUEUE": 3, "PUBLIC_QUEUE": 5, "DIRECT_QUEUE": 7}, marks=pytest.mark.spec("DM-3.1.1.12-V31")
        ),
        pytest.param(
            AdministrationQueueType,
            {
                "NONE": 0,
                "PRIVATE_QUEUE_ON_SOURCE": 2,
                "PRIVATE_QUEUE_ON_DESTINATION": 3,
                "PUBLIC_QUEUE": 5,
                "PRIVATE_QUEUE_ON_OTHER": 6,
                "DIRECT_QUEUE": 7,
            },
            marks=pytest.mark.spec("DM-3.1.1.12-V32"),
        ),
        pytest.param(
            ResponseQueueType,
            {
                "NONE": 0,
                "SAME_AS_ADMINISTRATION_QUEUE": 1,
                "PRIVATE_QUEUE_ON_SOURCE": 2,
                "PRIVATE_QUEUE_ON_DESTINATION": 3,
                "PRIVATE_QUEUE_ON_ADMIN": 4,
                "PUBLIC_QUEUE": 5,
                "PRIVATE_QUEUE_ON_OTHER": 6,
                "DIRECT_QUEUE": 7,
            },
            marks=pytest.mark.spec("DM-3.1.1.12-V33"),
        ),
        pytest.param(SenderIdentifierType, {"NONE": 0, "SID": 1, "QUEUE_MANAGER_IDENTIFIER": 2}, marks=pytest.mark.spec("DM-3.1.1.12-V34")),
    ],
)
def test_enumerations_have_the_numbers_of_packets(kind: type[IntEnum], numbers: dict[str, int]) -> None:
    assert {member.name: member.value for member in kind} == numbers


@pytest.mark.spec("DM-3.1.1.12-V27")
def test_the_four_acknowledgements_are_the_bits_of_the_packet() -> None:
    bits = AcknowledgementsRequested
    assert bits.NONE.value == 0
    assert PropertiesFlags(bits.ACK_POS_ARRIVAL).ack_arrival
    assert PropertiesFlags(bits.ACK_POS_RECEIVE).ack_receive
    assert PropertiesFlags(bits.ACK_NEG_ARRIVAL).nack_arrival
    assert PropertiesFlags(bits.ACK_NEG_RECEIVE).nack_receive
    assert [bit.value for bit in bits] == [1, 2, 4, 8]


@pytest.mark.spec("DM-3.1.1.12-V28")
def test_combined_acknowledgements_expand() -> None:
    bits = AcknowledgementsRequested
    assert set(bits.ACK_NACK_REACH_QUEUE) == {bits.ACK_NEG_ARRIVAL}
    assert set(bits.ACK_FULL_REACH_QUEUE) == {bits.ACK_POS_ARRIVAL, bits.ACK_NEG_ARRIVAL}
    assert set(bits.ACK_NACK_RECEIVE) == {bits.ACK_NEG_ARRIVAL, bits.ACK_NEG_RECEIVE}
    assert set(bits.ACK_FULL_RECEIVE) == {bits.ACK_NEG_ARRIVAL, bits.ACK_POS_RECEIVE, bits.ACK_NEG_RECEIVE}


@pytest.mark.spec("DM-3.1.1.12-7", "DM-3.1.1.12-A17", "DM-3.1.1.12-A18")
def test_a_destination_is_one_queue() -> None:
    several: Any = SEVERAL
    one: Any = DIRECT
    message = Message(destination_queue_format_name=one, destination_multi_queue_format_name=several.elements)
    assert message.destination_multi_queue_format_name == (DIRECT, OTHER)
    with pytest.raises(ValueError, match="several queues"):
        Message(destination_queue_format_name=several)
    with pytest.raises(ValueError, match="several queues"):
        Message(destination_multi_queue_format_name=(one, several))


@pytest.mark.parametrize(
    ("kind", "sender", "fits"),
    [
        (SenderIdentifierType.SID, EVERYONE, True),
        (SenderIdentifierType.SID, ONE, False),
        (SenderIdentifierType.QUEUE_MANAGER_IDENTIFIER, ONE, True),
        (SenderIdentifierType.QUEUE_MANAGER_IDENTIFIER, EVERYONE, False),
        (SenderIdentifierType.NONE, None, True),
        (SenderIdentifierType.NONE, EVERYONE, False),
    ],
)
@pytest.mark.spec("DM-3.1.1.12-A38", "DM-3.1.1.12-V34")
def test_the_sender_is_of_the_kind_that_its_type_says(kind: SenderIdentifierType, sender: Any, fits: bool) -> None:
    if fits:
        assert Message(sender_identifier_type=kind, sender_identifier=sender).sender_identifier == sender
    else:
        with pytest.raises(ValueError, match="sender_identifier"):
            Message(sender_identifier_type=kind, sender_identifier=sender)


@pytest.mark.spec("DM-3.1.1.12-15")
def test_who_does_not_say_who_he_is_is_anonymous() -> None:
    assert Message(sender_identifier_type=SenderIdentifierType.NONE).sender_for_authorization == ANONYMOUS_LOGON == Sid(5, (7,))
    assert Message(sender_identifier=EVERYONE).sender_for_authorization == EVERYONE
    by_manager = Message(sender_identifier_type=SenderIdentifierType.QUEUE_MANAGER_IDENTIFIER, sender_identifier=ONE)
    assert by_manager.sender_for_authorization == ONE


@pytest.mark.spec("DM-3.1.1.12-9", "DM-3.1.1.12-A21")
@pytest.mark.parametrize(
    "several", ["destination_multi_queue_format_name", "response_multi_queue_format_name", "administration_multi_queue_format_name"]
)
def test_a_third_signature_over_several_queues_has_its_own_place(several: str) -> None:
    message = Message(signature=b"one", multiple_destination_signature=b"many", authentication_level=AuthenticationLevel.SIG30)
    assert message.effective_signature == b"one"
    listed: Any = {several: (DIRECT, OTHER)}
    assert replace(message, **listed).effective_signature == b"many"
    for level in set(AuthenticationLevel) - {AuthenticationLevel.SIG30}:
        assert replace(message, authentication_level=level, **listed).effective_signature == b"one"


def test_recoverable_is_a_word_for_the_guarantee() -> None:
    assert not Message().recoverable
    assert Message(delivery_guarantee=DeliveryGuarantee.RECOVERABLE).recoverable


@pytest.mark.spec("DM-3.1.1.12-A5", "DM-3.1.1.12-A29")
def test_times_are_in_utc() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert Message(sent_time=now, arrival_time=now).arrival_time == now
    for wrong in OTHER_TIMES:
        with pytest.raises(ValueError, match="sent_time"):
            Message(sent_time=wrong)
        with pytest.raises(ValueError, match="arrival_time"):
            Message(arrival_time=wrong)
