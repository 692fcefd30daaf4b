"""Which headers a message gets, what their flags and sizes say, what a reader may believe, and the published frames."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from ipaddress import IPv4Address
from typing import Any
from uuid import UUID

import pytest

from msmqctl.errors import DecodeError, StatusError
from msmqctl.qm.convert import construct_user_message, deserialize, packet_size, serialize
from msmqctl.qm.message import (
    BASE_PROVIDER_NAME,
    AcknowledgementsRequested,
    AdministrationQueueType,
    AuthenticationLevel,
    DeliveryGuarantee,
    DestinationQueueType,
    Message,
    ResponseQueueType,
    SenderIdentifierType,
)
from msmqctl.wire.headers import BaseHeader, MessagePropertiesHeader, SessionHeader, UserHeader
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.multi_queue import FormatNameElement, FormatType, MultiQueueFormatHeader
from msmqctl.wire.names import ConnectorName, MulticastName, PrivateName, PublicName, parse_direct
from msmqctl.wire.packet import UserMessage
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.remote_headers import CompoundMessageHeader, SRMPEnvelopeHeader
from msmqctl.wire.security_header import SecurityHeader
from msmqctl.wire.sid import Sid
from msmqctl.wire.values import INFINITE, HashAlgorithm, MessageClass, PrivacyLevel, SenderIdType
from tests.wire.samples import OTHER, QUEUE_OCTETS, SECURITY, SENDER, SID, TRANSACTION, build, vector

RECEIVER = UUID(int=0x77)
USER = Sid.parse("S-1-5-21-3181267629-1039849782-3663111779-1000")
DIRECT = parse_direct("OS:host1\\q")
OPTIONAL = ("transaction", "security", "debug", "soap", "multi_queue")


def headers(message: Message) -> set[str]:
    """The optional headers of a message's packet, which reads back with the same ones."""
    packet = construct_user_message(message)
    assert UserMessage.read_all(packet.pack()) == packet
    return {name for name in OPTIONAL if getattr(packet, name) is not None}


def received(packet: UserMessage, **options: Any) -> Message:
    return deserialize(packet, receiver=RECEIVER, **options)


@pytest.mark.spec("DM-3.1.7.1.30-4", "DM-3.1.7.1.30-7")
def test_a_message_that_says_nothing_has_three_headers() -> None:
    packet = construct_user_message(Message())
    assert headers(Message()) == set()
    assert (packet.base.flags, packet.user.flags) == (0x0003, 0x00200000)
    assert len(packet.pack()) == BaseHeader.SIZE + UserHeader.SIZE + MessagePropertiesHeader.SIZE


@pytest.mark.parametrize(
    ("attributes", "header", "base", "user"),
    [
        pytest.param(
            {"transaction_identifier": 0}, "transaction", 0x0000, 0x00300020, marks=pytest.mark.spec("DM-3.1.7.1.30-2"), id="transaction"
        ),
        pytest.param(
            {"authentication_level": AuthenticationLevel.SIG20},
            "security",
            0x0003,
            0x00280000,
            marks=pytest.mark.spec("DM-3.1.7.1.30-3"),
            id="level",
        ),
        pytest.param({"sender_identifier": USER}, "security", 0x0003, 0x00280000, id="sender"),
        pytest.param({"symmetric_key": b"k"}, "security", 0x0003, 0x00280000, id="key"),
        pytest.param({"signature": b"s"}, "security", 0x0003, 0x00280000, id="signature"),
        pytest.param({"sender_certificate": b"c"}, "security", 0x0003, 0x00280000, id="certificate"),
        pytest.param({"privacy_level": PrivacyLevel.BODY_AES}, "security", 0x0003, 0x00280000, id="privacy"),
        pytest.param(
            {"tracing_queue_identifier": OTHER}, "debug", 0x0023, 0x00200000, marks=pytest.mark.spec("DM-3.1.7.1.30-5"), id="trace queue"
        ),
        pytest.param({"tracing_requested": True}, "debug", 0x0123, 0x00200000, marks=pytest.mark.spec("DM-3.1.7.1.30-5"), id="tracing"),
        pytest.param({"soap_body": "<b/>"}, "soap", 0x0003, 0x10200000, id="soap"),
        pytest.param(
            {"destination_multi_queue_format_name": (DIRECT,)},
            "multi_queue",
            0x0003,
            0x00A00000,
            marks=pytest.mark.spec("DM-3.1.7.1.30-6"),
            id="list",
        ),
    ],
)
def test_a_header_comes_with_what_it_carries_and_with_its_flag(attributes: dict[str, Any], header: str, base: int, user: int) -> None:
    message = Message(**attributes)
    packet = construct_user_message(message)
    assert headers(message) == {header}
    assert (packet.base.flags, packet.user.flags) == (base, user)


@pytest.mark.spec("DM-3.1.7.1.30-6")
def test_lists_of_other_queues_alone_make_no_header() -> None:
    message = Message(response_multi_queue_format_name=(DIRECT,), administration_multi_queue_format_name=(DIRECT,))
    assert headers(message) == set()


@pytest.mark.spec("DM-3.1.7.1.31-1")
def test_what_belongs_to_an_absent_header_keeps_its_default() -> None:
    assert received(build()) == Message(
        size=build().base.packet_size,
        time_to_reach_queue=300,
        source_machine_identifier=SENDER,
        identifier=ObjectId(SENDER, 7),
        sent_time=datetime(1970, 1, 12, 13, 46, 40, tzinfo=UTC),
        time_to_be_received=600,
        destination_queue_format_name=DIRECT,
        destination_queue_type=DestinationQueueType.DIRECT_QUEUE,
        hash_algorithm=HashAlgorithm.CALG_SHA_512,
        label="L",
        body=b"hello",
    )


@pytest.mark.spec("DM-3.1.7.1.32-2")
def test_a_transactional_message_has_no_priority_in_its_packet_and_none_is_believed() -> None:
    assert construct_user_message(Message(priority=6, transaction_identifier=1)).base.flags.priority == 0
    assert construct_user_message(Message(priority=6)).base.flags.priority == 6
    assert received(build(transaction=TRANSACTION, base=7)).priority == 3


def test_a_transactional_message_is_recoverable_on_the_wire() -> None:
    assert construct_user_message(Message(transaction_identifier=1)).user.flags.delivery_mode == 1


@pytest.mark.spec("DM-3.1.7.1.32-3")
def test_a_packet_never_claims_that_it_was_verified() -> None:
    for level in AuthenticationLevel:
        security = construct_user_message(Message(authentication_level=level, signature=b"s", sender_identifier=USER)).security
        assert security is not None
        assert (security.flags.authenticated, security.flags.signature_verified) == (False, 0)


@pytest.mark.spec("MQ-2.2.20.6-6")
def test_the_claim_of_a_sender_is_not_believed() -> None:
    claims = replace(SECURITY, flags=SECURITY.flags.replace(authenticated=1, signature_verified=5))
    assert received(build(security=claims)).authentication_level is AuthenticationLevel.NONE
    assert received(build(security=claims), verified=True).authentication_level is AuthenticationLevel.SIG30
    unknown = replace(SECURITY, flags=SECURITY.flags.replace(signature_verified=7))
    assert received(build(security=unknown)).authentication_level is AuthenticationLevel.NONE
    with pytest.raises(DecodeError, match="AuthenticationLevel 7 does not exist"):
        received(build(security=unknown), verified=True)


@pytest.mark.spec("DM-3.1.7.1.32-4")
@pytest.mark.parametrize(("level", "encrypted"), [(0, False), (1, True), (3, True), (5, True), (9, True)])
def test_a_privacy_level_marks_the_body_as_encrypted(level: int, encrypted: bool) -> None:
    security = construct_user_message(Message(privacy_level=PrivacyLevel(level), sender_identifier=USER)).security
    assert security is not None
    assert security.flags.body_encrypted is encrypted


@pytest.mark.spec("DM-3.1.7.1.32-5", "DM-3.1.7.1.32-6")
@pytest.mark.parametrize(
    ("attributes", "flags", "sizes"),
    [
        ({"signature": b"sign"}, 0x00C0, (0, 0, 4, 0, 0)),
        ({"signature": b"sign", "authentication_provider_name": "CA"}, 0x0080, (0, 0, 4, 0, 10)),
        ({"signature": b"sign", "authentication_provider_name": BASE_PROVIDER_NAME}, 0x0080, (0, 0, 4, 0, 92)),
        ({"signature": b"sign", "authentication_provider_type": 24}, 0x0080, (0, 0, 4, 0, 100)),
        ({"sender_certificate": b"x509!"}, 0x0080, (0, 0, 0, 5, 0)),
        ({"sender_identifier": USER}, 0x0001, (28, 0, 0, 0, 0)),
        ({"authentication_level": AuthenticationLevel.SIG30}, 0x0080, (0, 0, 0, 0, 100)),
    ],
)
def test_flags_and_sizes_of_the_security_header(attributes: dict[str, Any], flags: int, sizes: tuple[int, ...]) -> None:
    security = construct_user_message(Message(**attributes)).security
    assert security is not None
    assert security.flags == flags
    found = (security.sender_id_size, security.encryption_key_size, security.signature_size)
    assert (*found, security.sender_cert_size, security.provider_info_size) == sizes


@pytest.mark.spec("DM-3.1.7.1.32-7")
def test_sizes_of_label_body_and_extension() -> None:
    properties = construct_user_message(Message(label="ab\U0001f600", body=b"12345", extension=b"123")).properties
    # Two letters, a pair of surrogates and the NUL.
    assert (properties.label_length, properties.message_size, properties.extension_size) == (5, 5, 3)
    assert properties.allocation_body_size == 5
    assert construct_user_message(Message()).properties.label_length == 0


@pytest.mark.spec("DM-3.1.7.1.32-8")
def test_a_debug_header_names_a_queue_or_says_that_it_does_not() -> None:
    named = construct_user_message(Message(tracing_queue_identifier=OTHER)).debug
    unnamed = construct_user_message(Message(tracing_requested=True)).debug
    assert named is not None
    assert unnamed is not None
    assert (named.flags, named.queue_identifier) == (1, OTHER)
    assert (unnamed.flags, unnamed.queue_identifier) == (0, None)


@pytest.mark.spec("DM-3.1.7.1.32-9")
def test_the_packet_says_its_own_size() -> None:
    packet = construct_user_message(Message(label="L", body=b"12345", sender_identifier=USER))
    # 16 + 48, 16 + 28, and 56 + 4 + 5 rounded up.
    assert packet.base.packet_size == len(packet.pack()) == 64 + 44 + 68
    assert int.from_bytes(serialize(Message())[8:12], "little") == 120


@pytest.mark.spec("DM-3.1.7.1.31-4")
@pytest.mark.parametrize(
    ("attribute", "numbers"),
    [
        ("hash_algorithm", "8001=CALG_MD2 8002=CALG_MD4 8003=CALG_MD5 8004=CALG_SHA1 800c=CALG_SHA_256 800e=CALG_SHA_512"),
        ("encryption_algorithm", "6602=CALG_RC2 6801=CALG_RC4 6610=CALG_AES_256 660e=CALG_AES_128 660f=CALG_AES_192"),
        ("privacy_level", "0=NONE 1=BODY_40_BIT 3=BODY_128_BIT 5=BODY_AES"),
    ],
)
def test_numbers_of_the_properties(attribute: str, numbers: str) -> None:
    header = MessagePropertiesHeader.of()
    for number, name in (pair.split("=") for pair in numbers.split()):
        member = type(getattr(header, attribute))(int(number, 16))
        message = received(build(properties=replace(header, **{attribute: member})))
        assert getattr(message, attribute).name == name
        assert getattr(construct_user_message(message).properties, attribute) == int(number, 16)


@pytest.mark.spec("DM-3.1.7.1.31-4")
def test_numbers_of_queue_and_sender_types() -> None:
    destinations = {3: "PRIVATE_QUEUE", 5: "PUBLIC_QUEUE", 7: "DIRECT_QUEUE"}
    admins = {2: "PRIVATE_QUEUE_ON_SOURCE", 3: "PRIVATE_QUEUE_ON_DESTINATION", 5: "PUBLIC_QUEUE", 6: "PRIVATE_QUEUE_ON_OTHER"}
    admins |= {0: "NONE", 7: "DIRECT_QUEUE"}
    responses = admins | {1: "SAME_AS_ADMINISTRATION_QUEUE", 4: "PRIVATE_QUEUE_ON_ADMIN"}
    for code, name in destinations.items():
        kind = received(build(destination=QUEUE_OCTETS[code], destination_code=code)).destination_queue_type
        assert kind is DestinationQueueType[name]
    for code, name in admins.items():
        assert received(build(admin=QUEUE_OCTETS[code], admin_code=code)).administration_queue_type is AdministrationQueueType[name]
    for code, name in responses.items():
        packet = build(admin=ObjectId(OTHER, 1), admin_code=6, response=QUEUE_OCTETS[code], response_code=code)
        assert received(packet).response_queue_type is ResponseQueueType[name]
    for code, sender, name in ((0, b"", "NONE"), (1, SID, "SID"), (2, OTHER.bytes_le, "QUEUE_MANAGER_IDENTIFIER")):
        header = SecurityHeader.of(SenderIdType(code), sender, sender_cert=b"x")
        assert received(build(security=header)).sender_identifier_type is SenderIdentifierType[name]


def test_numbers_nobody_knows_survive() -> None:
    message = Message(
        message_class=MessageClass(0x8123), hash_algorithm=HashAlgorithm(0x9999), privacy_level=PrivacyLevel(7), body_type=0xFFFF
    )
    back = received(construct_user_message(message))
    assert (back.message_class, back.hash_algorithm, back.privacy_level, back.body_type) == (0x8123, 0x9999, 7, 0xFFFF)


def test_acknowledgement_bits_that_mean_nothing_are_left_out() -> None:
    packet = build()
    flags = type(packet.properties.flags)(0xF5)
    message = received(replace(packet, properties=replace(packet.properties, flags=flags)))
    assert message.acknowledgements_requested is AcknowledgementsRequested.ACK_FULL_REACH_QUEUE


def test_the_number_of_a_local_transaction_is_folded_from_its_guid() -> None:
    def number(identifier: UUID | int) -> int:
        header = construct_user_message(Message(transaction_identifier=identifier)).transaction
        assert header is not None
        return header.flags.transaction_id

    assert number(UUID(int=0x12345)) == 0x12345
    assert number(UUID(int=0x12345 << 20 | 0x00001)) == 0x12344
    assert number(UUID(int=0xFF << 120)) == 0xFF
    with pytest.raises(ValueError, match="20 bits"):
        number(1 << 20)


def test_a_private_or_direct_destination_fixes_the_address() -> None:
    private = Message(destination_queue_format_name=PrivateName(OTHER, 9), destination_queue_manager_identifier=SENDER)
    direct = Message(destination_queue_format_name=DIRECT, destination_queue_manager_identifier=SENDER)
    assert construct_user_message(private).user.queue_manager_address == OTHER
    assert construct_user_message(private).user.flags.destination_code == 3
    assert construct_user_message(direct).user.queue_manager_address == NULL_GUID


@pytest.mark.parametrize(
    ("name", "kind", "code", "value"),
    [
        (PrivateName(SENDER, 9), AdministrationQueueType.NONE, 2, 9),
        (PrivateName(OTHER, 9), AdministrationQueueType.NONE, 3, 9),
        (PrivateName(RECEIVER, 9), AdministrationQueueType.NONE, 6, ObjectId(RECEIVER, 9)),
        (PrivateName(OTHER, 9), AdministrationQueueType.PRIVATE_QUEUE_ON_DESTINATION, 3, 9),
        (PrivateName(OTHER, 9), AdministrationQueueType.PRIVATE_QUEUE_ON_OTHER, 6, ObjectId(OTHER, 9)),
        # A type that would name another queue gives way.
        (PrivateName(OTHER, 9), AdministrationQueueType.PRIVATE_QUEUE_ON_SOURCE, 3, 9),
        (PublicName(OTHER), AdministrationQueueType.DIRECT_QUEUE, 5, OTHER),
        (DIRECT, AdministrationQueueType.PRIVATE_QUEUE_ON_SOURCE, 7, "OS:host1\\q"),
    ],
)
def test_a_queue_is_named_by_its_type_where_that_names_it(name: Any, kind: AdministrationQueueType, code: int, value: Any) -> None:
    user = construct_user_message(
        Message(
            source_machine_identifier=SENDER,
            destination_queue_format_name=PrivateName(OTHER, 1),
            administration_queue_format_name=name,
            administration_queue_type=kind,
        )
    ).user
    assert (user.flags.admin_code, user.admin_queue) == (code, value)


def test_a_response_queue_beside_the_administration_queue() -> None:
    def response(number: int, kind: ResponseQueueType = ResponseQueueType.NONE) -> tuple[int, Any]:
        admin, name = PrivateName(OTHER, 9), PrivateName(OTHER, number)
        message = Message(administration_queue_format_name=admin, response_queue_format_name=name, response_queue_type=kind)
        user = construct_user_message(message).user
        return user.flags.response_code, user.response_queue

    assert response(9) == (1, None)
    assert response(10) == (4, 10)
    assert response(9, ResponseQueueType.PRIVATE_QUEUE_ON_ADMIN) == (4, 9)
    assert response(10, ResponseQueueType.SAME_AS_ADMINISTRATION_QUEUE) == (4, 10)


def test_queues_where_the_packet_arrived_or_that_only_the_caller_can_place() -> None:
    here = build(admin=9, admin_code=3)
    assert received(here).administration_queue_format_name == PrivateName(RECEIVER, 9)
    assert received(here).administration_queue_type is AdministrationQueueType.PRIVATE_QUEUE_ON_DESTINATION
    beside = build(admin=OTHER, admin_code=5, response=4, response_code=4)
    assert received(beside, admin_host=SENDER).response_queue_format_name == PrivateName(SENDER, 4)
    with pytest.raises(DecodeError, match="not known"):
        received(beside)


def test_a_packet_without_destination_is_a_message_without_one() -> None:
    message = received(build(destination=None, destination_code=0))
    assert (message.destination_queue_format_name, message.destination_queue_type) == (None, None)


@pytest.mark.parametrize(
    "attributes",
    [
        {"destination_queue_format_name": MulticastName(IPv4Address("239.1.2.3"), 80)},
        {"administration_queue_format_name": PrivateName(OTHER, 9, journal=True)},
        {"destination_multi_queue_format_name": (MulticastName(IPv4Address("239.1.2.3"), 80),)},
        {"destination_multi_queue_format_name": (ConnectorName(OTHER),)},
        {"destination_multi_queue_format_name": (PublicName(OTHER, journal=True),)},
    ],
)
def test_a_queue_that_no_packet_can_name_is_refused(attributes: dict[str, Any]) -> None:
    for convert in (serialize, packet_size):
        with pytest.raises(StatusError):
            convert(Message(**attributes))


@pytest.mark.parametrize(
    ("security", "problem"),
    [
        (SecurityHeader.of(SenderIdType(3), b"1234"), "SenderIdentifierType 3 does not exist"),
        (SecurityHeader.of(SenderIdType.QUEUE_MANAGER, bytes(15)), "15 octets are no GUID"),
        (SecurityHeader.of(SenderIdType.SID, SID[:-1]), "Sid.sub_authority"),
        (SecurityHeader.of(SenderIdType.SID, SID + b"\0"), "1 octets too many"),
    ],
)
def test_a_sender_that_is_none_is_refused(security: SecurityHeader, problem: str) -> None:
    with pytest.raises(DecodeError, match=problem):
        received(build(security=security))


def test_a_sender_of_no_type_is_nobody() -> None:
    message = received(build(security=SecurityHeader.of(SenderIdType.NONE, SID)))
    assert (message.sender_identifier_type, message.sender_identifier) == (SenderIdentifierType.NONE, None)
    security = construct_user_message(Message(signature=b"s")).security
    assert security is not None
    assert security.flags.sender_id_type == 0


def test_a_label_without_room_for_its_nul_and_a_list_of_no_names_are_refused() -> None:
    full = replace(MessagePropertiesHeader.of(label="x" * 249), label="x" * 250)
    with pytest.raises(DecodeError, match="250 characters"):
        received(build(properties=full))
    element = FormatNameElement(FormatType.DIRECT, "nonsense")
    with pytest.raises(DecodeError, match=r"MQFAddressHeader\.response"):
        received(build(multi_queue=MultiQueueFormatHeader.of((), response=(element,))))


def test_a_remote_read_packet_is_read_by_its_own_rules() -> None:
    packet = build(destination=9, destination_code=3, admin=4, admin_code=3)
    packet = replace(packet, base=replace(packet.base, time_to_reach_queue=1_000_060))
    message = received(packet, remote_read=True)
    assert message.time_to_reach_queue == 60
    assert message.destination_queue_format_name == PrivateName(RECEIVER, 9)
    assert message.administration_queue_format_name == PrivateName(RECEIVER, 4)
    assert message.destination_queue_manager_identifier == RECEIVER
    assert received(packet).time_to_reach_queue == 1_000_060
    assert received(packet).destination_queue_format_name == PrivateName(OTHER, 9)
    late = replace(packet, base=replace(packet.base, time_to_reach_queue=5))
    never = replace(packet, base=replace(packet.base, time_to_reach_queue=INFINITE))
    assert [received(one, remote_read=True).time_to_reach_queue for one in (late, never)] == [0, INFINITE]


def test_a_remote_reader_sees_what_came_over_http() -> None:
    packet = replace(build(user=0x02000000), envelope=SRMPEnvelopeHeader.of("<e/>"), compound=CompoundMessageHeader.of(b"POST", 0, 4))
    message = received(UserMessage.read_all(packet.pack(), remote_read=True), remote_read=True)
    assert (message.soap_envelope, message.soap_compound_message) == ("<e/>", b"POST")
    assert message.destination_queue_manager_identifier == NULL_GUID


@pytest.mark.spec("DM-3.1.7.1.30-1")
def test_frame_7_is_a_message_and_the_message_is_frame_7() -> None:
    message = received(UserMessage.read_all(vector("frame07-user-message-completed")))
    assert message == Message(
        size=0x8B0,
        priority=3,
        time_to_reach_queue=345_600,
        source_machine_identifier=SENDER,
        identifier=ObjectId(SENDER, 0x8EE),
        # The four octets of the print happen to spell the signature of a packet.
        sent_time=datetime(2013, 10, 4, 23, 3, 40, tzinfo=UTC),
        destination_queue_format_name=parse_direct("OS:a04bm02\\q"),
        destination_queue_type=DestinationQueueType.DIRECT_QUEUE,
        delivery_guarantee=DeliveryGuarantee.EXPRESS,
        acknowledgements_requested=AcknowledgementsRequested(0xF),
        sender_identifier_type=SenderIdentifierType.SID,
        sender_identifier=USER,
        label="mqsender label",
        body_type=8,
        body=b"a\0" * 1000,
        hash_algorithm=HashAlgorithm.CALG_SHA1,
    )
    assert serialize(message) == vector("frame07-user-message-completed")


@pytest.mark.spec("DM-3.1.7.1.30-1")
@pytest.mark.parametrize(
    "name", ["admin-response-connector", "multi-destination", "order-ack-private", "final-ack-positive", "mqcn-carrier"]
)
def test_other_frames_come_back_octet_for_octet(name: str) -> None:
    data = vector(f"derived-{name}")
    message = received(UserMessage.read_all(data))
    assert serialize(message) == data
    assert message.size == packet_size(message) == len(data)


def test_a_session_header_is_no_part_of_the_message() -> None:
    packet = build(session=SessionHeader(1, 0, 0, 1, 0, 64))
    assert replace(received(packet), size=0) == replace(received(build()), size=0)
