"""Any message through a packet and back, its size foretold, and packets that were tampered with."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError, StatusError
from msmqctl.qm.convert import construct_user_message, deserialize, packet_size, serialize
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
from msmqctl.wire.identity import ObjectId, TxSequenceId
from msmqctl.wire.names import DistributionListName, PrivateName, PublicName, parse_direct
from msmqctl.wire.packet import UserMessage
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.sid import Sid
from msmqctl.wire.values import EncryptionAlgorithm, HashAlgorithm, MessageClass, PrivacyLevel
from tests.wire.samples import vector

RECEIVER = UUID(int=0x77)
EPOCH = datetime.fromtimestamp(0, UTC)
FRESH = Message()

# Few queue managers, so that queues often share one and all the short codes are met.
# The null GUID owns no queue: a packet understands it as "where this arrives".
owners = st.sampled_from([UUID(int=number) for number in (1, 2, 3)])
managers = st.one_of(st.just(NULL_GUID), owners)
guids = st.one_of(st.just(NULL_GUID), st.uuids())
u32, octets, texts = st.integers(0, 0xFFFFFFFF), st.binary(max_size=9), st.text(max_size=9)
directs = st.sampled_from(["OS:host1\\q", "TCP:192.0.2.10\\private$\\r", "HTTP://h:8080/msmq/q"]).map(parse_direct)
names = st.one_of(st.builds(PublicName, owners), st.builds(PrivateName, owners, st.integers(0, 2)), directs)
maybe_names = st.one_of(st.none(), names)
lists = st.lists(st.one_of(names, st.builds(DistributionListName, managers)), max_size=3).map(tuple)
senders = st.one_of(
    st.sampled_from([(SenderIdentifierType.NONE, None), (SenderIdentifierType.SID, None)]),
    st.tuples(st.just(SenderIdentifierType.SID), st.builds(Sid, st.integers(0, 5), st.lists(u32, max_size=15).map(tuple))),
    st.tuples(st.just(SenderIdentifierType.QUEUE_MANAGER_IDENTIFIER), st.uuids()),
)
ATTRIBUTES: dict[str, st.SearchStrategy[Any]] = {
    "identifier": st.builds(ObjectId, managers, u32),
    "sent_time": st.one_of(st.none(), u32.map(lambda seconds: datetime.fromtimestamp(seconds, UTC))),
    "source_machine_identifier": managers,
    "message_class": st.integers(0, 0xFFFF).map(MessageClass),
    "label": st.text(max_size=124),
    "body": st.binary(max_size=40),
    "body_type": u32,
    "extension": octets,
    "application_tag": u32,
    "correlation_identifier": st.builds(ObjectId, st.uuids(), u32),
    "priority": st.integers(0, 7),
    "delivery_guarantee": st.sampled_from(DeliveryGuarantee),
    "time_to_reach_queue": u32,
    "time_to_be_received": u32,
    "tracing_requested": st.booleans(),
    "tracing_queue_identifier": guids,
    "destination_queue_format_name": maybe_names,
    "destination_multi_queue_format_name": lists,
    "destination_queue_type": st.sampled_from([None, *DestinationQueueType]),
    "destination_queue_manager_identifier": managers,
    "response_queue_format_name": maybe_names,
    "response_multi_queue_format_name": lists,
    "response_queue_type": st.sampled_from(ResponseQueueType),
    "administration_queue_format_name": maybe_names,
    "administration_multi_queue_format_name": lists,
    "administration_queue_type": st.sampled_from(AdministrationQueueType),
    "acknowledgements_requested": st.integers(0, 15).map(AcknowledgementsRequested),
    "positive_journaling_requested": st.booleans(),
    "negative_journaling_requested": st.booleans(),
    "sender_certificate": octets,
    "authentication_level": st.sampled_from(AuthenticationLevel),
    "authentication_provider_type": st.sampled_from([1, 24]),
    "authentication_provider_name": st.one_of(st.just(FRESH.authentication_provider_name), texts),
    "hash_algorithm": u32.map(HashAlgorithm),
    "signature": octets,
    "multiple_destination_signature": octets,
    "privacy_level": st.one_of(st.just(PrivacyLevel.NONE), u32.map(PrivacyLevel)),
    "encryption_algorithm": u32.map(EncryptionAlgorithm),
    "symmetric_key": octets,
    "connector_type_identifier": guids,
    "connector_queue_manager_identifier": guids,
    "transactional_message_sequence_identifier": st.one_of(st.none(), st.integers(0, 2**64 - 1).map(TxSequenceId)),
    "transaction_sequence_number": u32,
    "transaction_previous_sequence_number": u32,
    "transaction_identifier": st.one_of(st.none(), st.integers(0, 0xFFFFF), st.uuids()),
    "final_ack_required": st.booleans(),
    "first_in_transaction": st.booleans(),
    "last_in_transaction": st.booleans(),
    "soap_body": texts,
    "soap_header": texts,
}


@st.composite
def messages(draw: st.DrawFn) -> Message:
    """Any message that can be sent: a few attributes of every kind are set, the others have their defaults."""
    chosen = draw(st.sets(st.sampled_from(sorted(ATTRIBUTES))))
    kind, sender = draw(senders)
    values = {name: draw(ATTRIBUTES[name]) for name in sorted(chosen)}
    return Message(sender_identifier_type=kind, sender_identifier=sender, **values)


def fresh(*attributes: str) -> dict[str, Any]:
    return {attribute: getattr(FRESH, attribute) for attribute in attributes}


def carried(message: Message, packet: UserMessage) -> Message:
    """What a reader can know of the message: all that is lost or settled on the way, spelled out."""
    flags = packet.user.flags
    known: dict[str, Any] = {
        "size": len(packet.pack()),
        "identifier": ObjectId(message.source_machine_identifier, message.identifier.uniquifier),
        "sent_time": message.sent_time or EPOCH,
        "authentication_level": AuthenticationLevel.NONE,
        "destination_queue_manager_identifier": packet.user.queue_manager_address,
        "destination_queue_type": DestinationQueueType(flags.destination_code) if flags.destination_code else None,
        "administration_queue_type": AdministrationQueueType(flags.admin_code),
        "response_queue_type": ResponseQueueType(flags.response_code),
    }
    if packet.transaction is None:
        known |= fresh("transactional_message_sequence_identifier", "transaction_sequence_number", "transaction_previous_sequence_number")
        known |= fresh("final_ack_required", "first_in_transaction", "last_in_transaction", "connector_queue_manager_identifier")
    else:
        known |= {"priority": 3, "delivery_guarantee": DeliveryGuarantee.RECOVERABLE}
        known["transaction_identifier"] = packet.transaction.flags.transaction_id
        known["transactional_message_sequence_identifier"] = message.transactional_message_sequence_identifier or TxSequenceId(0)
    if packet.security is None:
        known |= fresh("sender_identifier_type")
    elif message.sender_identifier is None:
        known["sender_identifier_type"] = SenderIdentifierType.NONE
    if packet.security is None or not packet.security.provider_info:
        known |= fresh("authentication_provider_type", "authentication_provider_name")
    if packet.multi_queue is None:
        known |= fresh("response_multi_queue_format_name", "administration_multi_queue_format_name", "multiple_destination_signature")
    return replace(message, **known)


@given(messages())
def test_a_message_comes_back_as_far_as_a_packet_carries_it(message: Message) -> None:
    packet = construct_user_message(message)
    back = deserialize(UserMessage.read_all(packet.pack()), receiver=RECEIVER)
    assert back == carried(message, packet)


@given(messages())
def test_what_came_out_of_a_packet_goes_into_the_same_one(message: Message) -> None:
    # The level alone is no part of a packet, though it calls for a header.
    data = serialize(replace(message, authentication_level=AuthenticationLevel.NONE))
    assert serialize(deserialize(UserMessage.read_all(data), receiver=RECEIVER)) == data


@pytest.mark.spec("DM-3.1.7.1.32-9")
@given(messages())
def test_the_size_is_known_before_the_packet(message: Message) -> None:
    data = serialize(message)
    assert packet_size(message) == len(data)
    assert int.from_bytes(data[8:12], "little") == len(data)


@given(messages(), st.booleans(), st.booleans(), st.randoms(use_true_random=False))
def test_a_damaged_packet_is_read_or_refused(message: Message, verified: bool, remote_read: bool, chance: random.Random) -> None:
    for _ in range(5):
        assert_only_faults(damaged(serialize(message), chance), verified=verified, remote_read=remote_read)


@pytest.mark.parametrize("name", ["frame07-user-message-completed", "derived-multi-destination", "derived-transactional-direct"])
def test_two_thousand_mutations_of_a_frame_are_read_or_refused(name: str) -> None:
    chance = random.Random(name)  # the same mutations in every run
    for _ in range(2000):
        assert_only_faults(damaged(vector(name), chance), verified=chance.random() < 0.5, remote_read=False)


def damaged(data: bytes, chance: random.Random) -> bytes:
    mutant = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        mutant[chance.randrange(min(len(mutant), 400))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
    return bytes(mutant)


def assert_only_faults(data: bytes, *, verified: bool, remote_read: bool) -> None:
    """Reading raises DecodeError and nothing else; what could be read has a packet of its own, unless it names a queue nobody sends to."""
    try:
        packet = UserMessage.read_all(data, remote_read=remote_read)
        message = deserialize(packet, receiver=RECEIVER, verified=verified, remote_read=remote_read)
    except DecodeError:
        return
    try:
        assert len(serialize(message)) == packet_size(message)
    except StatusError:
        return
