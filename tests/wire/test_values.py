"""Numbers with a meaning: every message class and connection status as a literal row, the small enums, and unknown numbers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.wire.open_enum import OpenEnum
from msmqctl.wire.values import (
    ALGORITHMS_OF_PRIVACY,
    INFINITE,
    AuthenticationSignature,
    ConnectionStatus,
    DeliveryMode,
    EncryptionAlgorithm,
    HashAlgorithm,
    MessageClass,
    PrivacyLevel,
    QueueCode,
    SenderIdType,
    VarType,
)

CLASSES = {
    0x0000: "NORMAL",
    0x0001: "REPORT",
    0x0002: "ACK_REACH_QUEUE",
    0x00FF: "ORDER_ACK",
    0x4000: "ACK_RECEIVE",
    0x8000: "NACK_BAD_DST_Q",
    0x8001: "NACK_DELETED",
    0x8002: "NACK_REACH_QUEUE_TIMEOUT",
    0x8003: "NACK_Q_EXCEED_QUOTA",
    0x8004: "NACK_ACCESS_DENIED",
    0x8005: "NACK_HOP_COUNT_EXCEEDED",
    0x8006: "NACK_BAD_SIGNATURE",
    0x8007: "NACK_BAD_ENCRYPTION",
    0x8008: "NACK_COULD_NOT_ENCRYPT",
    0x8009: "NACK_NOT_TRANSACTIONAL_Q",
    0x800A: "NACK_NOT_TRANSACTIONAL_MSG",
    0x800B: "NACK_UNSUPPORTED_CRYPTO_PROVIDER",
    0x800C: "NACK_SOURCE_COMPUTER_GUID_CHANGED",
    0xC000: "NACK_Q_DELETED",
    0xC001: "NACK_Q_PURGED",
    0xC002: "NACK_RECEIVE_TIMEOUT",
    0xC003: "NACK_RECEIVE_TIMEOUT_AT_SENDER",
    0xC004: "NACK_RECEIVE_REJECTED",
}
NUMBERS: list[tuple[type[OpenEnum], dict[str, int]]] = [
    (
        ConnectionStatus,
        {
            "IN_PROCESS": 0,
            "ESTABLISH_PACKET_RECEIVED": 1,
            "ESTABLISHED": 2,
            "UNKNOWN_FAILURE": 0x80000000,
            "PING_FAILURE": 0x80000001,
            "SOCKET_CREATE_FAILURE": 0x80000002,
            "SOCKET_BIND_FAILURE": 0x80000003,
            "SOCKET_CONNECT_FAILURE": 0x80000004,
            "TCP_NOT_ENABLED": 0x80000005,
            "SOCKET_SEND_FAILURE": 0x80000006,
            "CONNECTION_NOT_READY": 0x80000007,
            "DNS_FAILURE": 0x80000008,
            "CERTIFICATE_VALIDATION_FAILURE": 0x80000009,
            "CONNECTION_LIMIT_REACHED": 0x8000000A,
            "CONNECTION_REFUSED": 0x8000000B,
            "ROUTING_DATA_NOT_AVAILABLE": 0x8000000C,
            "LOW_RESOURCE": 0x8000000D,
        },
    ),
    (DeliveryMode, {"EXPRESS": 0, "RECOVERABLE": 1}),
    (
        QueueCode,
        {
            "NONE": 0,
            "SAME_AS_ADMIN": 1,
            "PRIVATE_ON_SOURCE": 2,
            "PRIVATE_ON_DESTINATION": 3,
            "PRIVATE_ON_ADMIN_HOST": 4,
            "PUBLIC": 5,
            "PRIVATE_ELSEWHERE": 6,
            "DIRECT": 7,
        },
    ),
    (SenderIdType, {"NONE": 0, "SID": 1, "QUEUE_MANAGER": 2}),
    (AuthenticationSignature, {"NONE": 0, "SIG10": 1, "SIG20": 3, "SIG30": 5, "XML": 9}),
    (PrivacyLevel, {"NONE": 0, "BODY_40_BIT": 1, "BODY_128_BIT": 3, "BODY_AES": 5}),
    (
        HashAlgorithm,
        {
            "CALG_MD2": 0x8001,
            "CALG_MD4": 0x8002,
            "CALG_MD5": 0x8003,
            "CALG_SHA1": 0x8004,
            "CALG_SHA_256": 0x800C,
            "CALG_SHA_512": 0x800E,
        },
    ),
    (
        EncryptionAlgorithm,
        {"CALG_RC2": 0x6602, "CALG_RC4": 0x6801, "CALG_AES_128": 0x660E, "CALG_AES_192": 0x660F, "CALG_AES_256": 0x6610},
    ),
    (
        VarType,
        {
            "VT_EMPTY": 0,
            "VT_NULL": 1,
            "VT_I2": 2,
            "VT_I4": 3,
            "VT_R4": 4,
            "VT_R8": 5,
            "VT_CY": 6,
            "VT_DATE": 7,
            "VT_BSTR": 8,
            "VT_BOOL": 11,
            "VT_VARIANT": 12,
            "VT_I1": 16,
            "VT_UI1": 17,
            "VT_UI2": 18,
            "VT_UI4": 19,
            "VT_I8": 20,
            "VT_UI8": 21,
            "VT_LPSTR": 30,
            "VT_LPWSTR": 31,
            "VT_BLOB": 65,
            "VT_STREAMED_OBJECT": 68,
            "VT_STORED_OBJECT": 69,
            "VT_CLSID": 72,
            "VT_VECTOR": 0x1000,
        },
    ),
]


def test_the_message_classes_are_exactly_those_of_the_document() -> None:
    assert {member.value: member.name for member in MessageClass} == {code: f"MQMSG_CLASS_{name}" for code, name in CLASSES.items()}


@pytest.mark.spec("MQ-T-12")
def test_the_three_classes_that_one_document_lacks_are_here_and_the_two_inventions_are_not() -> None:
    assert MessageClass(0x8008).name == "MQMSG_CLASS_NACK_COULD_NOT_ENCRYPT"
    assert MessageClass(0x800C).name == "MQMSG_CLASS_NACK_SOURCE_COMPUTER_GUID_CHANGED"
    assert MessageClass(0xC003).name == "MQMSG_CLASS_NACK_RECEIVE_TIMEOUT_AT_SENDER"
    assert not {"MQMSG_CLASS_ACK_RECEIVED", "MQMSG_CLASS_NACK_MESSAGE_TOO_LARGE"} & set(MessageClass.__members__)


@pytest.mark.spec("MQ-2.2.18.1.6-1")
@pytest.mark.parametrize(
    ("value", "negative", "about_receiving", "from_http"),
    [
        (0x0000, False, False, False),
        (0x0002, False, False, False),
        (0x4000, False, True, False),
        (0x8004, True, False, False),
        (0xC001, True, True, False),
        (0x2000, False, False, False),
        (0xA194, True, False, True),
        (0xE194, True, True, True),
    ],
)
def test_the_high_bits_of_a_class(value: int, negative: bool, about_receiving: bool, from_http: bool) -> None:
    found = MessageClass(value)
    assert (found.negative, found.about_receiving, found.from_http) == (negative, about_receiving, from_http)


@pytest.mark.spec("MQ-2.2.18.1.6-2")
@pytest.mark.parametrize(
    ("value", "may"),
    [(0x0000, True), (0x01FF, True), (0xE1FF, True), (0x2000, True), (0x0200, False), (0x0400, False), (0x0800, False), (0x1000, False)],
)
def test_which_bits_an_application_may_use_for_a_class_of_its_own(value: int, may: bool) -> None:
    assert MessageClass(value).may_be_application_defined is may


@pytest.mark.spec("MQ-2.2.18.1.6-2")
@given(st.integers(0, 0xFFFF))
def test_any_other_class_is_kept(value: int) -> None:
    found = MessageClass(value)
    assert found == value
    assert found.known is (value in CLASSES)
    assert found.known or found.name == f"0x{value:04X}"


@pytest.mark.parametrize(("enum", "numbers"), NUMBERS, ids=lambda item: getattr(item, "__name__", ""))
def test_the_numbers_of_the_small_enums(enum: type[OpenEnum], numbers: dict[str, int]) -> None:
    assert {name: member.value for name, member in enum.__members__.items()} == numbers


@pytest.mark.parametrize("enum", [enum for enum, _ in NUMBERS])
def test_an_unknown_number_is_not_remembered(enum: type[OpenEnum]) -> None:
    before = len(enum)
    assert not enum(0x7FFF).known
    assert len(enum) == before
    text: Any = "0x7FFF"
    with pytest.raises(ValueError, match="not a valid"):
        enum(text)


def test_which_connection_statuses_are_failures() -> None:
    assert [status.name for status in ConnectionStatus if not status.failed] == ["IN_PROCESS", "ESTABLISH_PACKET_RECEIVED", "ESTABLISHED"]


def test_which_algorithms_a_privacy_level_may_name() -> None:
    rivest = {EncryptionAlgorithm.CALG_RC2, EncryptionAlgorithm.CALG_RC4}
    aes = set(EncryptionAlgorithm) - rivest
    expected = {PrivacyLevel.BODY_40_BIT: rivest, PrivacyLevel.BODY_128_BIT: rivest, PrivacyLevel.BODY_AES: aes}
    assert expected == ALGORITHMS_OF_PRIVACY


def test_never_is_the_largest_number_of_seconds() -> None:
    assert INFINITE == 0xFFFFFFFF
