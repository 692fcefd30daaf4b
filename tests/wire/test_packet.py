"""The UserMessage packet as a whole: which headers, in which order, how long, and what is refused."""

from __future__ import annotations

import itertools
from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError
from msmqctl.wire.conduct import irregularities
from msmqctl.wire.headers import (
    SIGNATURE,
    BaseFlags,
    BaseHeader,
    DebugFlags,
    DebugHeader,
    MessagePropertiesHeader,
    PropertiesFlags,
    SessionHeader,
    SoapHeader,
)
from msmqctl.wire.multi_queue import FormatNameElement, FormatType, MultiQueueFormatHeader
from msmqctl.wire.packet import UserMessage, looks_like_packet, packet_length
from msmqctl.wire.record import NULL_GUID, Reader
from msmqctl.wire.security_header import SecurityHeader
from msmqctl.wire.trace import TracingReader
from msmqctl.wire.values import INFINITE, MAX_PACKET_SIZE, EncryptionAlgorithm, HashAlgorithm, MessageClass, PrivacyLevel, SenderIdType
from tests.wire.samples import DEBUG, OTHER, QUEUE_OCTETS, SECURITY, SESSION, SID, TRANSACTION, build, element_lists

read = UserMessage.read_all


def patched(message: UserMessage, offset: int, octets: bytes) -> bytes:
    """The packet with some octets overwritten."""
    data = bytearray(message.pack())
    data[offset : offset + len(octets)] = octets
    return bytes(data)


@pytest.mark.spec("MQ-V-5", "MQ-2.2.20-1", "MQ-2.2.19.1-1", "MQ-2.2.19.2-9", "MQ-ENC-1", "MQ-T-5")
@pytest.mark.parametrize("response_code", range(8))
@pytest.mark.parametrize("admin_code", [0, 2, 3, 5, 6, 7])
@pytest.mark.parametrize("destination_code", [3, 5, 7])
def test_every_combination_of_queue_codes_and_headers_round_trips(destination_code: int, admin_code: int, response_code: int) -> None:
    optional = itertools.product((None, UUID(int=5)), (None, TRANSACTION), (None, SECURITY), (None, "mq"), (None, "soap"), (None, DEBUG))
    for connector, transaction, security, multi_queue, soap, debug in optional:
        message = build(
            destination=QUEUE_OCTETS[destination_code],
            destination_code=destination_code,
            admin=QUEUE_OCTETS[admin_code],
            admin_code=admin_code,
            response=QUEUE_OCTETS[response_code],
            response_code=response_code,
            connector=connector,
            transaction=transaction,
            security=security,
            multi_queue=MultiQueueFormatHeader.of(()) if multi_queue else None,
            soap=SoapHeader.of("<h/>", "<b>1</b>") if soap else None,
            debug=debug,
        )
        data = message.pack()
        assert len(data) % 4 == 0
        assert read(data) == message


@pytest.mark.spec("MQ-2.2.20-1", "MQ-DEC-3", "MQ-2.2.19.1-1")
def test_headers_stand_in_the_order_of_the_document() -> None:
    message = build(
        transaction=TRANSACTION,
        security=SECURITY,
        debug=DEBUG,
        soap=SoapHeader.of("h", "b"),
        multi_queue=MultiQueueFormatHeader.of(()),
        session=SESSION,
    )
    reader = TracingReader(message.pack())
    UserMessage.read(reader)
    headers = list(dict.fromkeys(field.where.split(".")[0] for field in reader.fields))
    assert headers == [
        "BaseHeader", "UserHeader", "TransactionHeader", "SecurityHeader", "MessagePropertiesHeader", "DebugHeader", "SoapSection",
        "SoapHeader", "MQFAddressHeader", "MQFSignatureHeader", "SessionHeader",
    ]  # fmt: skip
    starts = [
        next(field.offset for field in reader.fields if field.where.startswith(header)) for header in headers if header != "SoapHeader"
    ]
    assert all(start % 4 == 0 for start in starts)


@pytest.mark.spec("MQ-2.2.19.1-1", "MQ-2.2.18.1.4-6")
def test_boundaries_are_counted_from_the_start_of_the_packet() -> None:
    message = build(multi_queue=MultiQueueFormatHeader.of((FormatNameElement(FormatType.PUBLIC, OTHER),), signature=b"s"))
    reader = Reader(b"odd" + message.pack())
    reader.take(3, "what stands before")
    assert UserMessage.read(reader) == message


@pytest.mark.spec("MQ-2.2.19.1-6", "MQ-DEC-1")
@pytest.mark.parametrize("size", [16, MAX_PACKET_SIZE])
def test_sizes_up_to_the_limits_are_believed(size: int) -> None:
    assert packet_length(BaseHeader.of(BaseFlags(0), size).pack()) == size


@pytest.mark.spec("MQ-2.2.19.1-6", "MQ-DEC-1")
@pytest.mark.parametrize("size", [0, 15, MAX_PACKET_SIZE + 1, 0xFFFFFFFF])
def test_sizes_beyond_the_limits_are_refused_before_anything_follows(size: int) -> None:
    with pytest.raises(DecodeError, match="is outside 16 to 4194304"):
        packet_length(BaseHeader.of(BaseFlags(0), size).pack())


@pytest.mark.spec("MQ-2.2.19.1-6", "MQ-DEC-1")
def test_the_session_header_of_a_message_stands_outside_its_size() -> None:
    message = build(session=SESSION)
    data = message.pack()
    assert message.base.packet_size == len(data) - 16
    assert packet_length(data[:16]) == len(data)
    assert packet_length(data[:15]) is None
    assert packet_length(build().pack()[:16]) == build().base.packet_size
    assert read(data).session == SESSION


@pytest.mark.spec("MQ-DEC-4")
def test_a_session_header_inside_the_size_is_found_when_the_next_packet_follows_at_once() -> None:
    outside = build(session=SESSION)
    size = outside.base.packet_size + 16
    inside = patched(outside, 8, size.to_bytes(4, "little"))
    reader = Reader(inside + build().pack())
    first = UserMessage.read(reader)
    assert first.session == SESSION
    assert first.trailing == b""
    assert reader.offset == size
    assert UserMessage.read(reader) == build()
    with pytest.raises(DecodeError, match="SessionHeader"):
        read(inside)
    with pytest.raises(DecodeError, match="SessionHeader"):
        UserMessage.read(Reader(inside + build().pack(), end=size))


@pytest.mark.spec("MQ-DEC-4")
@pytest.mark.parametrize(
    ("acknowledged", "bits", "trailing"), [(0x10, 0, 16), (0x11, SIGNATURE, 16), (0x10, SIGNATURE, 20), (0x10, SIGNATURE, 0)]
)
def test_a_session_header_behind_the_size_is_not_taken_for_the_next_packet(acknowledged: int, bits: int, trailing: int) -> None:
    message = build(session=SessionHeader(acknowledged, 1, bits, 1, 1, 64), trailing=b"t" * trailing)
    assert read(message.pack()) == message


@pytest.mark.spec("MQ-2.2.20-4", "MQ-T-13")
def test_octets_behind_the_last_known_header_are_kept() -> None:
    message = build(trailing=b"newer headers...", base=0x1000)
    assert read(message.pack()) == message
    assert message.base.packet_size == build().base.packet_size + 16


@pytest.mark.spec("MQ-2.2.20-4", "MQ-2.2-2")
def test_a_header_that_runs_past_the_size_is_malformed() -> None:
    message = build()
    short = (message.base.packet_size - 8).to_bytes(4, "little")
    with pytest.raises(DecodeError, match=r"MessagePropertiesHeader\.message_body"):
        UserMessage.read(Reader(patched(message, 8, short)))


@pytest.mark.spec("MQ-2.2-1")
def test_padding_holds_anything_when_read_and_zeros_when_made() -> None:
    message = build(properties=MessagePropertiesHeader.of(message_body=b"hello"))
    data = message.pack()
    assert data.endswith(b"hello\0\0\0")
    assert read(data[:-3] + b"\xcd\xcd\xcd") == message


@pytest.mark.spec("MQ-ENC-1", "MQ-2.2-1")
def test_packing_settles_the_size_and_pads_every_header_with_zeros() -> None:
    signed = SecurityHeader.of(SenderIdType.SID, SID, signature=b"s")
    message = build(destination="OS:host1\\qq", security=signed, soap=SoapHeader.of("h", "bb"))
    data = message.pack()
    assert replace(message, base=replace(message.base, packet_size=0)).pack() == data
    assert int.from_bytes(data[8:12], "little") == len(data)
    assert data[88:92] == b"\0\0\0\0"  # the NUL of the name and its padding
    assert data[136:140] == b"s\0\0\0"
    assert data.endswith(b"b\0b\0\0\0\0\0")


# Offsets in `build()`: UserHeader 16, its flags 60, destination 64 (u16 count, 22 octets of name), MessagePropertiesHeader 88.
NEGATIVE = {
    "version 0x11": (0, b"\x11", "BaseHeader.version_number"),
    "signature reversed": (4, b"\x52\x4f\x49\x4c", "BaseHeader.signature"),
    "PacketSize 15": (8, (15).to_bytes(4, "little"), "BaseHeader.packet_size"),
    "PacketSize over the limit": (8, (MAX_PACKET_SIZE + 1).to_bytes(4, "little"), "BaseHeader.packet_size"),
    "PacketSize 0xFFFFFFFF": (8, b"\xff" * 4, "BaseHeader.packet_size"),
    "DQ 1": (61, b"\x04", "UserHeader.flags"),
    "DQ 2": (61, b"\x08", "UserHeader.flags"),
    "DQ 4": (61, b"\x10", "UserHeader.flags"),
    "DQ 6": (61, b"\x18", "UserHeader.flags"),
    "AQ 1": (61, b"\x3c", "UserHeader.flags"),
    "AQ 4": (61, b"\x9c", "UserHeader.flags"),
    "Count odd": (64, b"\x15", "UserHeader.destination_queue.count"),
    "Count 0": (64, b"\x00", "UserHeader.destination_queue.count"),
    "Count past the end": (64, b"\xfe\xff", "UserHeader.destination_queue"),
    "name without NUL": (64, b"\x14", "UserHeader.destination_queue"),
    "LabelLength 0xFB": (89, b"\xfb", "MessagePropertiesHeader.label_length"),
    "MessageSize 0xFFFFFFF0": (120, b"\xf0\xff\xff\xff", "MessagePropertiesHeader.message_body"),
    "ExtensionSize wraps with MessageSize": (140, b"\xfc\xff\xff\xff", "MessagePropertiesHeader.extension_data"),
    "MP clear": (62, b"\x00", "UserHeader.flags"),
    "DM 2": (60, b"\x40", "UserHeader.flags"),
    "DM 3": (60, b"\x60", "UserHeader.flags"),
    "TH with DM 0": (62, b"\x30", "UserHeader.flags"),
    "IN set": (2, b"\x0b", "BaseHeader.flags"),
}


@pytest.mark.spec(
    "MQ-V-4",
    "MQ-2.2.19.1-2",
    "MQ-2.2.19.1-6",
    "MQ-2.2.19.2-3",
    "MQ-2.2.19.2-5",
    "MQ-2.2.18.1.5.2-2",
    "MQ-DEC-1",
    "MQ-DEC-2",
    "MQ-DEC-5",
    "MQ-2.2-2",
)
@pytest.mark.parametrize(("offset", "octets", "where"), NEGATIVE.values(), ids=NEGATIVE)
def test_malformed_packets_are_refused_naming_the_field(offset: int, octets: bytes, where: str) -> None:
    with pytest.raises(DecodeError) as caught:
        read(patched(build(), offset, octets))
    assert caught.value.where == where


@pytest.mark.spec("MQ-V-4", "MQ-2.2.20.6-1", "MQ-2.2-2")
@pytest.mark.parametrize(("offset", "octets", "where"), [
    (8, b"\x00\x00\x01\x00", "SecurityHeader.sender_cert_size"),
    (2, b"\xff\xff", "SecurityHeader.security_id"),
    (4, b"\xff\xff", "SecurityHeader.encryption_key"),
    (6, b"\xff\xff", "SecurityHeader.signature"),
    (8, b"\xff\xff\x00\x00", "SecurityHeader.sender_cert"),
    (12, b"\xff\xff\xff\xff", "SecurityHeader.provider_info"),
])  # fmt: skip
def test_security_sizes_past_the_end_are_refused(offset: int, octets: bytes, where: str) -> None:
    with pytest.raises(DecodeError) as caught:
        read(patched(build(security=SECURITY), 88 + offset, octets))
    assert caught.value.where == where


@pytest.mark.spec("MQ-V-4", "MQ-2.2.20.8-1")
@pytest.mark.parametrize("kind", [2, 3])
def test_debug_queue_types_that_do_not_exist_are_refused(kind: int) -> None:
    message = build(debug=DEBUG)
    at = message.base.packet_size - 20
    with pytest.raises(DecodeError, match=r"DebugHeader\.flags"):
        read(patched(message, at, bytes([kind])))


@pytest.mark.spec("MQ-2.2.20.8-1")
def test_a_debug_header_has_a_queue_or_says_there_is_none() -> None:
    without = build(debug=DebugHeader(DebugFlags(0), 0))
    assert read(without.pack()) == without
    assert without.base.packet_size == build().base.packet_size + 4
    assert build(debug=DEBUG).base.packet_size == build().base.packet_size + 20
    with pytest.raises(ValueError, match="queue_identifier"):
        DebugHeader(DebugFlags(0), 0, OTHER).pack()


@pytest.mark.spec("MQ-2.2.19.2-3")
def test_a_message_to_be_delivered_needs_a_destination() -> None:
    data = build(destination=None, destination_code=0).pack()
    assert read(data).user.destination_queue is None
    with pytest.raises(DecodeError, match="no destination"):
        read(data, for_delivery=True)


@pytest.mark.spec("MQ-2.2.20-2", "MQ-2.2.20-1")
@pytest.mark.parametrize("base", [BaseFlags.internal.mask, BaseFlags.session_header.mask, BaseFlags.debug_header.mask])
def test_a_flag_without_its_header_is_not_packed(base: int) -> None:
    with pytest.raises(ValueError, match="exactly when its flag"):
        build(base=base)


OPTIONAL = {"transaction": TRANSACTION, "security": SECURITY, "soap": SoapHeader.of("h", "b"), "multi_queue": MultiQueueFormatHeader.of(())}


@pytest.mark.spec("MQ-2.2.20-1")
@pytest.mark.parametrize("name", OPTIONAL)
def test_a_header_and_its_flag_are_packed_together_or_not_at_all(name: str) -> None:
    message = build(**{name: OPTIONAL[name]})  # type: ignore[arg-type]  # the table mixes types on purpose
    for wrong in (replace(message, **{name: None}), replace(build(), **{name: OPTIONAL[name]})):  # type: ignore[arg-type]  # as above
        with pytest.raises(ValueError, match="exactly when its flag"):
            wrong.pack()


@pytest.mark.spec("MQ-2.2.20.5-1")
def test_only_a_transaction_header_makes_a_message_transactional() -> None:
    assert build(transaction=TRANSACTION).transactional
    assert not build(user=0x20).transactional  # recoverable alone is not enough


@pytest.mark.spec("MQ-2.2.19.1-3")
def test_the_priority_of_a_transactional_message_is_ignored() -> None:
    assert build().priority == 3
    assert read(build(transaction=TRANSACTION, base=3).pack()).priority == 0


@pytest.mark.spec("MQ-2.2.19.1-6")
def test_a_packet_over_four_mebibytes_is_not_made() -> None:
    room = MAX_PACKET_SIZE - build(properties=MessagePropertiesHeader.of()).base.packet_size
    assert len(build(properties=MessagePropertiesHeader.of(message_body=bytes(room))).pack()) == MAX_PACKET_SIZE
    with pytest.raises(ValueError, match="at most 4194304"):
        build(properties=MessagePropertiesHeader.of(message_body=bytes(room + 1)))


@pytest.mark.spec("MQ-2.2.19.1-8", "MQ-2.2.19.2-11", "MQ-T-29")
def test_expiry_by_age_with_skewed_clocks() -> None:
    message = build()  # sent at 1,000,000 with 300 s to reach the queue and 600 s to be received
    assert not message.late_for_queue(1_000_300)
    assert message.late_for_queue(1_000_301)
    assert not message.late_for_queue(900_000)
    assert not message.late_for_receiver(1_000_600)
    assert message.late_for_receiver(1_000_601)
    for_ever = replace(message, base=replace(message.base, time_to_reach_queue=INFINITE))
    assert not for_ever.late_for_queue(2**34)
    assert not replace(message, user=replace(message.user, time_to_be_received=INFINITE)).late_for_receiver(2**34)


@pytest.mark.spec("MQ-2.2.19.1-10")
def test_a_remote_read_result_expires_at_a_moment() -> None:
    message = build()
    moment = replace(message, base=replace(message.base, time_to_reach_queue=1_000_300))
    assert not moment.late_for_queue_absolute(1_000_300)
    assert moment.late_for_queue_absolute(1_000_301)
    assert not replace(message, base=replace(message.base, time_to_reach_queue=INFINITE)).late_for_queue_absolute(2**34)


def encrypted(message_size: int, allocated: int, body: bytes, debug: DebugHeader | None = DEBUG, trailing: bytes = b"") -> UserMessage:
    properties = replace(MessagePropertiesHeader.of(message_body=body), message_size=message_size, allocation_body_size=allocated)
    secret = SecurityHeader.of(SenderIdType.SID, SID, encryption_key=b"k" * 76)
    return build(security=secret, properties=properties, debug=debug, trailing=trailing)


@pytest.mark.spec("MQ-2.2.19.3-9", "MQ-T-37")
@pytest.mark.parametrize(("message_size", "allocated", "debug", "trailing"), [
    (16, 16, DEBUG, b""),
    (5, 16, DEBUG, b""),  # with the size of the message no DebugHeader would follow
    (16, 24, DEBUG, b""),
    (5, 16, None, b""),  # both end inside the packet, the allocated size where the packet ends
    (16, 20, None, b"8 octets"),  # neither ends there: MessageSize comes first
    (5, 16, DEBUG, b"8 octets"),  # nor here, and only the allocated size ends inside
], ids=str)  # fmt: skip
def test_an_encrypted_body_has_the_length_with_which_the_headers_end_well(
    message_size: int, allocated: int, debug: DebugHeader | None, trailing: bytes
) -> None:
    message = encrypted(message_size, allocated, b"c" * 16, debug, trailing)
    assert read(message.pack()) == message
    traced = TracingReader(message.pack())
    assert UserMessage.read(traced) == message
    assert [field.where for field in traced.fields].count("MessagePropertiesHeader.message_body") == 1


@pytest.mark.spec("MQ-2.2.19.3-9")
def test_a_body_that_is_not_encrypted_has_the_size_of_the_message() -> None:
    properties = replace(MessagePropertiesHeader.of(message_body=b"hello"), allocation_body_size=16)
    message = build(properties=properties, trailing=b"8 octets")
    assert read(message.pack()) == message


@pytest.mark.spec("MQ-2.2.19.3-9")
def test_an_encrypted_body_that_fits_neither_way_is_refused() -> None:
    message = encrypted(16, 16, b"c" * 16)
    at = message.pack().index((16).to_bytes(4, "little") * 2)
    with pytest.raises(DecodeError, match="message_body"):
        read(patched(message, at, (4000).to_bytes(4, "little") + (5000).to_bytes(4, "little")))


@pytest.mark.spec("MQ-2.2.19.3-4")
def test_numbers_outside_the_tables_matter_only_where_they_are_used() -> None:
    odd = MessagePropertiesHeader.of(hash_algorithm=HashAlgorithm(0x9999), encryption_algorithm=EncryptionAlgorithm(0x7777))
    assert read(build(properties=odd).pack()).unusable_algorithm() is None
    signed = SecurityHeader.of(SenderIdType.SID, SID, signature=b"s" * 64)
    assert build(properties=odd, security=signed).unusable_algorithm() == MessageClass.MQMSG_CLASS_NACK_BAD_SIGNATURE
    secret = SecurityHeader.of(SenderIdType.SID, SID, encryption_key=b"k")
    assert build(properties=odd, security=secret).unusable_algorithm() == MessageClass.MQMSG_CLASS_NACK_BAD_ENCRYPTION
    private = MessagePropertiesHeader.of(privacy_level=PrivacyLevel(2))
    assert build(properties=private).unusable_algorithm() == MessageClass.MQMSG_CLASS_NACK_BAD_SIGNATURE


@given(st.data())
def test_whole_messages_round_trip(data: st.DataObject) -> None:
    label = data.draw(st.text(st.characters(), max_size=40).filter(lambda text: not text.endswith("\0")))
    properties = MessagePropertiesHeader.of(
        label=label,
        extension_data=data.draw(st.binary(max_size=40)),
        message_body=data.draw(st.binary(max_size=200)),
        message_class=MessageClass(data.draw(st.integers(0, 0xFFFF))),
        flags=PropertiesFlags(data.draw(st.integers(0, 255))),
        correlation_id=data.draw(st.binary(min_size=20, max_size=20)),
        body_type=data.draw(st.integers(0, 2**32 - 1)),
        application_tag=data.draw(st.integers(0, 2**32 - 1)),
    )
    multi = data.draw(st.none() | st.builds(MultiQueueFormatHeader.of, element_lists, element_lists, element_lists, st.binary(max_size=70)))
    security = data.draw(
        st.none()
        | st.builds(
            lambda *parts: SecurityHeader.of(SenderIdType.SID, SID, encryption_key=parts[0], signature=parts[1], sender_cert=parts[2]),
            st.binary(max_size=9),
            st.binary(max_size=9),
            st.binary(max_size=9),
        )
    )
    words = st.integers(0, 0xFFFF)
    session = data.draw(st.none() | st.builds(SessionHeader, words, words, st.integers(0, 2**32 - 1), words, words, words, words))
    soap = data.draw(st.none() | st.builds(SoapHeader.of, st.text(max_size=9), st.text(max_size=9)))
    message = build(properties=properties, multi_queue=multi, security=security, session=session, soap=soap)
    assert read(message.pack()) == message


def test_a_buffer_is_recognised_by_its_first_octets() -> None:
    assert looks_like_packet(build().pack())
    assert not looks_like_packet(b"\x10abcLIOX")
    assert not looks_like_packet(b"")


@pytest.mark.spec("MQ-2.2.19.1-5", "MQ-2.2.19.2-7", "MQ-2.2.19.2-4", "MQ-2.2.19.2-2", "MQ-2.2.19.2-8", "MQ-2.2.19.1-3")
@pytest.mark.parametrize(("changes", "found"), [
    ({"base": 0x0040}, "reserved bits"),
    ({"base": 0x0200}, "reserved bits"),
    ({"base": 0x0100}, "tracing"),
    ({"user": 0x80}, "reserved bits"),
    ({"user": 0x01000000}, "reserved bits"),
    ({"user": 0x04000000}, "reserved bits"),
    ({"user": 0x08000000}, "reserved bits"),
    ({"user": 0x20000000}, "reserved bits"),
    ({"user": 0x80000000}, "reserved bits"),
    ({"user": 0x1E}, "30 routing servers"),
    ({"user": 0x02000000}, "AH is set"),
    ({"transaction": TRANSACTION, "base": 3}, "priority 0"),
    ({"admin": 7, "admin_code": 2}, "exactly when an acknowledgment"),
    ({"properties": MessagePropertiesHeader.of(flags=PropertiesFlags(1))}, "exactly when an acknowledgment"),
    ({"properties": MessagePropertiesHeader.of(flags=PropertiesFlags(2))}, "exactly when an acknowledgment"),
    ({"properties": MessagePropertiesHeader.of(flags=PropertiesFlags(4))}, "exactly when an acknowledgment"),
    ({"properties": MessagePropertiesHeader.of(flags=PropertiesFlags(8))}, "exactly when an acknowledgment"),
    ({"properties": MessagePropertiesHeader.of(message_class=MessageClass(0x0200))}, "bits that no class may use"),
])  # fmt: skip
def test_irregularities_of_a_sender_are_named_and_still_readable(changes: dict[str, object], found: str) -> None:
    message = build(**changes)  # type: ignore[arg-type]  # the table mixes types on purpose
    assert read(message.pack()) == message
    (sentence,) = irregularities(message)
    assert found in sentence


@pytest.mark.spec("MQ-2.2.19.2-4")
def test_29_routing_servers_may_be_passed() -> None:
    assert irregularities(build(user=0x1D)) == []


@pytest.mark.spec("MQ-2.2.19.2-8")
def test_an_administration_queue_goes_with_the_acknowledgments_asked_for() -> None:
    asked = build(properties=MessagePropertiesHeader.of(flags=PropertiesFlags(5)), admin=7, admin_code=2)
    assert irregularities(asked) == []


@pytest.mark.spec("MQ-2.2.19.2-2")
@pytest.mark.parametrize(("code", "wrong"), [(7, OTHER), (5, NULL_GUID), (3, NULL_GUID)])
def test_the_address_is_null_exactly_with_a_direct_destination(code: int, wrong: UUID) -> None:
    message = build(destination=QUEUE_OCTETS[code], destination_code=code)
    assert irregularities(message) == []
    (sentence,) = irregularities(replace(message, user=replace(message.user, queue_manager_address=wrong)))
    assert "queue_manager_address" in sentence
