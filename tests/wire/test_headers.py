"""Each header by itself: layouts as octets, lengths, what is kept and what is refused."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError
from msmqctl.wire.conduct import irregularities
from msmqctl.wire.headers import (
    BaseFlags,
    DebugHeader,
    MessagePropertiesHeader,
    PacketQueue,
    PropertiesFlags,
    SessionHeader,
    SoapHeader,
    TransactionFlags,
    TransactionHeader,
    UserFlags,
    UserHeader,
)
from msmqctl.wire.identity import ObjectId, TxSequenceId
from msmqctl.wire.multi_queue import FormatNameElement, FormatType, MQFAddressHeader, MultiQueueFormatHeader
from msmqctl.wire.record import Reader
from msmqctl.wire.security_header import ProviderInfo, SecurityFlags, SecurityHeader
from msmqctl.wire.values import EncryptionAlgorithm, MessageClass, PrivacyLevel, SenderIdType, VarType
from tests.wire.assertions import assert_no_prefix, assert_wire
from tests.wire.samples import OTHER, SENDER, SID, build, element_lists

# One row a bit group: mask, class, name. [MS-MQMQ] 2.2.19.1, 2.2.19.2, 2.2.19.3, 2.2.20.5, 2.2.20.6, 2.2.20.8
BIT_GROUPS = [
    (0x0007, BaseFlags, "priority"), (0x0008, BaseFlags, "internal"), (0x0010, BaseFlags, "session_header"),
    (0x0020, BaseFlags, "debug_header"), (0x00C0, BaseFlags, "reserved_low"), (0x0100, BaseFlags, "tracing"),
    (0xFE00, BaseFlags, "reserved_high"),
    (0x0000001F, UserFlags, "hop_count"), (0x00000060, UserFlags, "delivery_mode"), (0x00000080, UserFlags, "reserved_1"),
    (0x00000100, UserFlags, "journal_negative"), (0x00000200, UserFlags, "journal_positive"), (0x00001C00, UserFlags, "destination_code"),
    (0x0000E000, UserFlags, "admin_code"), (0x00070000, UserFlags, "response_code"), (0x00080000, UserFlags, "security_header"),
    (0x00100000, UserFlags, "transaction_header"), (0x00200000, UserFlags, "properties_header"), (0x00400000, UserFlags, "connector_type"),
    (0x00800000, UserFlags, "multi_queue_header"), (0x01000000, UserFlags, "reserved_2"), (0x02000000, UserFlags, "over_http"),
    (0x0C000000, UserFlags, "reserved_3"), (0x10000000, UserFlags, "soap_header"), (0xE0000000, UserFlags, "reserved_4"),
    (0x01, TransactionFlags, "connector_guid"), (0x02, TransactionFlags, "final_ack_required"), (0x04, TransactionFlags, "first_message"),
    (0x08, TransactionFlags, "last_message"), (0x00FFFFF0, TransactionFlags, "transaction_id"), (0xFF000000, TransactionFlags, "unused"),
    (0x000F, SecurityFlags, "sender_id_type"), (0x0010, SecurityFlags, "authenticated"), (0x0020, SecurityFlags, "body_encrypted"),
    (0x0040, SecurityFlags, "default_provider"), (0x0080, SecurityFlags, "security_data"), (0x0F00, SecurityFlags, "signature_verified"),
    (0x01, PropertiesFlags, "ack_arrival"), (0x02, PropertiesFlags, "ack_receive"), (0x04, PropertiesFlags, "nack_arrival"),
    (0x08, PropertiesFlags, "nack_receive"),
]  # fmt: skip


@pytest.mark.parametrize(("mask", "word", "name"), BIT_GROUPS, ids=lambda value: getattr(value, "__name__", value))
def test_bit_groups_have_the_masks_of_the_document(mask: int, word: type[BaseFlags], name: str) -> None:
    assert getattr(word, name).mask == mask
    assert getattr(word(mask), name) == mask >> getattr(word, name).shift
    assert not getattr(word(~mask & 0xFFFFFFFF), name)


@pytest.mark.spec("MQ-2.2.19.3-8")
@pytest.mark.parametrize(("word", "names"), [
    (0x04, {"nack_arrival"}),
    (0x05, {"ack_arrival", "nack_arrival"}),
    (0x0C, {"nack_arrival", "nack_receive"}),
    (0x0E, {"ack_receive", "nack_arrival", "nack_receive"}),
])  # fmt: skip
def test_acknowledgment_requests_as_the_interface_names_them(word: int, names: set[str]) -> None:
    assert {name for name, value in PropertiesFlags(word).groups().items() if value} == names


def user_header(flags: UserFlags, destination: str) -> UserHeader:
    return UserHeader(SENDER, UUID(int=0), 600, 1_000_000, 7, flags, destination)


@pytest.mark.spec("MQ-2.2.18.1.5.2-1", "MQ-2.2.18.1.5.2-2", "MQ-2.2.18.1.1-1", "MQ-2.2.18-1")
def test_user_header_with_a_direct_name_as_octets() -> None:
    header = user_header(UserFlags.of(destination_code=7, properties_header=1, delivery_mode=1), "OS:h\\q")
    data = bytes.fromhex(
        "d1587355 5091 9595 4997b6e611ea26c6"  # SourceQueueManager
        "00000000 0000 0000 0000000000000000"  # QueueManagerAddress
        "58020000 40420f00 07000000 201c2000"  # TimeToBeReceived, SentTime, MessageID, Flags
        "0e00 4f0053003a0068005c0071000000"  # Count 14 with the NUL, the name: 16 octets, no padding
    )
    assert_wire(header, data, read=UserHeader.read_all, pack=UserHeader.pack)
    longer = user_header(header.flags, "OS:hh\\q")
    assert longer.pack()[48:] == bytes.fromhex("1000 4f0053003a00680068005c0071000000 0000")
    noisy = longer.pack()[:-2] + b"\xcd\xcd"
    assert UserHeader.read_all(noisy) == longer


@pytest.mark.spec("MQ-2.2.18.1.5.2-3")
@pytest.mark.parametrize("prefix", ["DIRECT=", "direct=", "Direct="])
def test_a_direct_name_is_written_without_its_prefix_and_accepted_with_it(prefix: str) -> None:
    flags = UserFlags.of(destination_code=7, properties_header=1)
    assert UserHeader.read_all(user_header(flags, prefix + "OS:h\\q").pack()) == user_header(flags, "OS:h\\q")
    assert b"D\0I\0R\0" not in user_header(flags, "OS:h\\q").pack()


@pytest.mark.spec("MQ-2.2.19.2-10")
def test_the_connector_type_is_there_exactly_with_its_flag() -> None:
    header = replace(user_header(UserFlags.of(destination_code=7, properties_header=1, connector_type=1), "OS:h\\q"), connector_type=OTHER)
    assert UserHeader.read_all(header.pack()) == header
    assert header.pack().endswith(OTHER.bytes_le)
    with pytest.raises(ValueError, match="connector_type"):
        replace(header, connector_type=None).pack()


@pytest.mark.parametrize(("code", "queue"), [(0, 4), (1, 4), (3, None), (3, "x"), (5, 4), (6, OTHER), (7, 4)])
def test_a_queue_that_does_not_go_with_its_code_is_not_packed(code: int, queue: PacketQueue) -> None:
    flags = UserFlags.of(destination_code=7, response_code=code, properties_header=1)
    with pytest.raises(ValueError, match="does not go with"):
        replace(user_header(flags, "OS:h\\q"), response_queue=queue).pack()


@pytest.mark.parametrize(("code", "queue"), [(3, 2**32), (3, -1), (7, "x" * 0x8000)])
def test_a_queue_that_its_field_cannot_hold_is_not_packed(code: int, queue: PacketQueue) -> None:
    flags = UserFlags.of(destination_code=code, properties_header=1)
    with pytest.raises(ValueError, match=r"destination_queue.* does not fit"):
        replace(user_header(flags, ""), destination_queue=queue).pack()


@pytest.mark.spec("MQ-2.2.19.2-3", "MQ-2.2.19.2-5", "MQ-2.2.19.2-7")
@pytest.mark.parametrize("changes", [
    {"properties_header": 0}, {"delivery_mode": 2}, {"delivery_mode": 3}, {"delivery_mode": 0, "transaction_header": 1},
    {"destination_code": 1}, {"destination_code": 2}, {"destination_code": 4}, {"destination_code": 6},
    {"admin_code": 1}, {"admin_code": 4},
], ids=str)  # fmt: skip
def test_flags_that_close_a_session_are_not_packed(changes: dict[str, int]) -> None:
    flags = UserFlags.of(destination_code=7, properties_header=1).replace(**changes)
    with pytest.raises(ValueError, match=r"UserHeader\.flags"):
        user_header(flags, "OS:h\\q").pack()


@pytest.mark.spec("MQ-2.2.20.5-4", "MQ-2.2.20.5-5", "MQ-T-16", "MQ-2.2.18.1.2-1")
def test_transaction_header_as_octets() -> None:
    flags = TransactionFlags.of(connector_guid=1, final_ack_required=1, first_message=1, transaction_id=0xABCDE, unused=0x80)
    header = TransactionHeader(flags, TxSequenceId.of(ordinal=2, timestamp=0x65), 3, 2, OTHER)
    data = bytes.fromhex("e7cdab80 02000000 65000000 03000000 02000000 44332211 6655 8877 99aabbccddeeff00")
    assert_wire(header, data, read=TransactionHeader.read_all, pack=TransactionHeader.pack)
    assert TxSequenceId.of(ordinal=1, timestamp=0x66) > TxSequenceId.of(ordinal=0xFFFFFFFF, timestamp=0x65)
    with pytest.raises(ValueError, match="connector_qm_guid"):
        replace(header, connector_qm_guid=None).pack()
    without = replace(header, flags=flags.replace(connector_guid=0), connector_qm_guid=None)
    assert_wire(without, b"\xe6" + data[1:20], read=TransactionHeader.read_all, pack=TransactionHeader.pack)


@pytest.mark.spec("MQ-2.2.20.6-1", "MQ-2.2.20.6-2", "MQ-2.2.20.6-4", "MQ-2.2.20.6-5", "MQ-2.2.20.6-7", "MQ-T-17")
def test_security_header_as_octets() -> None:
    header = SecurityHeader.of(
        SenderIdType.QUEUE_MANAGER,
        OTHER.bytes_le,
        encryption_key=b"key",
        signature=b"sig45",
        sender_cert=b"c",
        provider=ProviderInfo(1, "P"),
    )
    data = bytes.fromhex(
        "a200 1000 0300 0500 01000000 08000000"  # ST 2, EB, AI; the sizes without padding
        "44332211 6655 8877 99aabbccddeeff00"
        "6b657900 7369673435000000 63000000"  # key, signature, certificate, each padded
        "01000000 50000000"  # provider type and its name with NUL
    )
    assert_wire(header, data, read=SecurityHeader.read_all, pack=SecurityHeader.pack)
    assert header.provider() == ProviderInfo(1, "P")
    assert header.sender_queue_manager == OTHER
    assert irregularities(build(security=header)) == []


@pytest.mark.spec("MQ-2.2.20.6-5")
@pytest.mark.parametrize(
    "item", [{"encryption_key": b"k"}, {"signature": b"s"}, {"sender_cert": b"c"}, {"provider": ProviderInfo(1, "P")}], ids=str
)
def test_each_item_but_the_sender_announces_security_data(item: dict[str, bytes]) -> None:
    assert SecurityHeader.of(SenderIdType.SID, SID, **item).flags.security_data  # type: ignore[arg-type]  # the table mixes types on purpose


@pytest.mark.spec("MQ-2.2.20.6-7")
def test_a_provider_is_named_unless_it_is_the_default_one() -> None:
    by_default = SecurityHeader.of(SenderIdType.SID, SID, signature=b"s")
    assert by_default.flags.default_provider
    named = SecurityHeader.of(SenderIdType.SID, SID, signature=b"s", provider=ProviderInfo(24, "P"))
    assert (named.flags.default_provider, named.provider()) == (False, ProviderInfo(24, "P"))
    assert replace(named, flags=named.flags.replace(default_provider=1)).provider() is None


@pytest.mark.spec("MQ-2.2.20.6-5", "MQ-2.2.20.6-3", "MQ-T-17")
def test_security_data_is_read_by_its_sizes_whatever_the_flags_say() -> None:
    only_sid = SecurityHeader.of(SenderIdType.SID, SID)
    assert not only_sid.flags.security_data
    assert SecurityHeader.read_all(only_sid.pack()).security_id == SID
    nothing = SecurityHeader(SecurityFlags(0), 0, 0, 0, 0, 0, b"")
    assert SecurityHeader.read_all(bytes(16)) == nothing
    assert irregularities(build(security=nothing)) == ["SecurityHeader: it holds nothing."]
    with pytest.raises(ValueError, match="at least one item"):
        SecurityHeader.of()


@pytest.mark.spec("MQ-2.2.20.6-6")
def test_a_receiver_does_not_believe_what_the_sender_says_about_verification() -> None:
    sent = replace(
        SecurityHeader.of(SenderIdType.SID, SID), flags=SecurityFlags.of(sender_id_type=1, authenticated=1, signature_verified=5)
    )
    assert "AU and AS" in irregularities(build(security=sent))[0]
    assert sent.unverified() == SecurityHeader.of(SenderIdType.SID, SID)


@pytest.mark.spec("MQ-2.2.20.6-2", "MQ-2.2.20.6-4", "MQ-2.2.20.6-5", "MQ-2.2.20.6-7")
@pytest.mark.parametrize(("flags", "sizes", "found"), [
    ({"sender_id_type": 3}, {}, "sender id type 3"),
    ({"authenticated": 1}, {}, "AU and AS"),
    ({"signature_verified": 5}, {}, "AU and AS"),
    ({"security_data": 1}, {}, "AI is set exactly"),
    ({"body_encrypted": 1}, {}, "missing although the body is encrypted"),
    ({"security_data": 1}, {"signature_size": 1, "signature": b"s"}, "not by the default provider"),
])  # fmt: skip
def test_irregular_security_headers_are_named(flags: dict[str, int], sizes: dict[str, object], found: str) -> None:
    sid_only = SecurityHeader.of(SenderIdType.SID, SID)
    header = replace(sid_only, flags=sid_only.flags.replace(**flags), **sizes)  # type: ignore[arg-type]  # the table mixes types on purpose
    assert found in " ".join(irregularities(build(security=header)))


def test_a_provider_name_without_its_end_is_refused() -> None:
    assert_no_prefix(ProviderInfo(1, "P").pack(), read=ProviderInfo.read_all)
    with pytest.raises(ValueError, match="cannot be packed"):
        ProviderInfo(2**32, "P").pack()


@pytest.mark.spec("MQ-2.2.19.3-1", "MQ-2.2.19.3-2", "MQ-2.2.19.3-3", "MQ-2.2.19.3-7", "MQ-T-21")
def test_message_properties_header_as_octets() -> None:
    header = MessagePropertiesHeader.of(
        label="Lb",
        extension_data=b"xyz",
        message_body=b"body",
        message_class=MessageClass.MQMSG_CLASS_NACK_ACCESS_DENIED,
        flags=PropertiesFlags(0x05),
        correlation_id=bytes(range(20)),
        body_type=VarType.VT_LPWSTR,
        application_tag=0xDEADBEEF,
    )
    data = bytes.fromhex(
        "05 03 0480 000102030405060708090a0b0c0d0e0f10111213 1f000000 efbeadde"
        "04000000 04000000 00000000 0e800000 01680000 03000000"
        "4c0062000000 78797a 626f6479 000000"  # label with NUL, extension and body unaligned, then padding
    )
    assert_wire(header, data, read=MessagePropertiesHeader.read_all, pack=MessagePropertiesHeader.pack)
    assert header.allocation_body_size == header.message_size == 4


@pytest.mark.spec("MQ-2.2.12-2")
@pytest.mark.parametrize("body_type", [4, 5, 6, 7, 8, 30, 68, 69, 0x2011, 0x4711, 0xFFFFFFFF])
def test_a_body_may_have_any_type(body_type: int) -> None:
    header = MessagePropertiesHeader.of(message_body=b"b", body_type=body_type)
    assert MessagePropertiesHeader.read_all(header.pack()).body_type == body_type


@pytest.mark.spec("MQ-2.2.19.3-2")
def test_labels_up_to_249_characters() -> None:
    longest = MessagePropertiesHeader.of(label="l" * 249)
    assert longest.label_length == 250
    assert MessagePropertiesHeader.read_all(longest.pack()) == longest
    with pytest.raises(ValueError, match="at most 249"):
        MessagePropertiesHeader.of(label="l" * 250)
    assert MessagePropertiesHeader.of().label_length == 0
    assert len(MessagePropertiesHeader.of().pack()) == 56


@pytest.mark.spec("MQ-2.2.19.3-2")
def test_a_label_without_nul_is_kept_whole() -> None:
    data = bytearray(MessagePropertiesHeader.of(label="ab").pack())
    data[1], data[60:62] = 3, b"c\0"
    header = MessagePropertiesHeader.read_all(bytes(data))
    assert (header.label, header.label_length) == ("abc", 3)
    assert header.pack() == bytes(data)


# [MS-MQMQ] 2.2.19.3: 40 and 128 bits go with RC2 and RC4, AES with three lengths of its key.
CIPHERS = {PrivacyLevel(1): {0x6602, 0x6801}, PrivacyLevel(3): {0x6602, 0x6801}, PrivacyLevel(5): {0x660E, 0x660F, 0x6610}}


@pytest.mark.spec("MQ-2.2.19.3-5")
@pytest.mark.parametrize("cipher", EncryptionAlgorithm)
@pytest.mark.parametrize("level", CIPHERS)
def test_privacy_levels_go_with_their_ciphers(level: PrivacyLevel, cipher: EncryptionAlgorithm) -> None:
    properties = MessagePropertiesHeader.of(privacy_level=level, encryption_algorithm=cipher, message_body=b"c" * 8)
    message = build(security=SecurityHeader.of(SenderIdType.SID, SID, encryption_key=b"k"), properties=properties)
    assert (irregularities(message) == []) is (cipher in CIPHERS[level])


@pytest.mark.spec("MQ-2.2.19.3-6")
def test_signatures_use_sha_512_unless_told_otherwise() -> None:
    assert MessagePropertiesHeader.of().hash_algorithm == 0x800E


@pytest.mark.parametrize("changes", [{"label_length": 9}, {"extension_size": 1}, {"message_size": 1, "allocation_body_size": 1}])
def test_lengths_that_do_not_fit_are_not_packed(changes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        replace(MessagePropertiesHeader.of(label="L", message_body=b"hello"), **changes).pack()  # type: ignore[arg-type]  # ints only


@pytest.mark.spec("MQ-2.2.20.7-1", "MQ-T-27")
def test_soap_header_as_octets() -> None:
    header = SoapHeader.of("<h/>", "b")
    data = bytes.fromhex("2003 0000 05000000 3c0068002f003e000000 0000 8403 0000 02000000 6200 0000")
    assert_wire(header, data, read=SoapHeader.read_all, pack=SoapHeader.pack)


@pytest.mark.spec("MQ-2.2.20.7-1", "MQ-V-4")
@pytest.mark.parametrize(("offset", "where"), [(0, "SoapHeader.header.section_id"), (20, "SoapHeader.body.section_id")])
def test_soap_sections_have_fixed_identifiers(offset: int, where: str) -> None:
    data = bytearray(SoapHeader.of("<h/>", "b").pack())
    data[offset] += 1
    with pytest.raises(DecodeError) as caught:
        SoapHeader.read_all(bytes(data))
    assert caught.value.where == where


def test_session_header_as_octets_and_what_it_acknowledges() -> None:
    header = SessionHeader(40, 0xFFFF, 0b1011, 12, 4, 64)
    assert_wire(header, bytes.fromhex("2800 ffff 0b000000 0c00 0400 4000 0000"), read=SessionHeader.read_all, pack=SessionHeader.pack)
    assert header.recoverable_stored == (0xFFFF, 0, 2)
    assert replace(header, recoverable_msg_ack_seq_number=0).recoverable_stored == ()


def test_debug_header_as_octets() -> None:
    data = bytes.fromhex("0100 0000 44332211 6655 8877 99aabbccddeeff00")
    assert_wire(DebugHeader.read_all(data), data, read=DebugHeader.read_all, pack=DebugHeader.pack)


@pytest.mark.spec("MQ-2.2.18.1.4-1", "MQ-2.2.18.1.4-6", "MQ-2.2.20.1-1")
def test_a_list_of_queues_as_octets() -> None:
    elements = (
        FormatNameElement(FormatType.DIRECT, "OS:h\\q"),
        FormatNameElement(FormatType.DISTRIBUTION_LIST, OTHER),
        FormatNameElement(FormatType.PRIVATE, ObjectId(OTHER, 13)),
        FormatNameElement(FormatType.DIRECT, "OS:ij"),
        FormatNameElement(FormatType.PUBLIC, OTHER),
        FormatNameElement(FormatType.DIRECT, "OS:"),
    )
    header = MQFAddressHeader.of(0x64, elements)
    packed = header.pack()
    assert packed[:12] == bytes.fromhex("74000000 6400 0000 06000000")  # 116 octets with the padding at the end
    assert packed[12:28] == bytes.fromhex("0300 4f0053003a0068005c0071000000")  # a direct name right behind its type
    assert packed[28:30] == b"\x06\0"
    assert packed[32:48] == OTHER.bytes_le
    assert packed[48:52] == b"\x02\0\0\0"
    assert packed[52:72] == OTHER.bytes_le + b"\x0d\0\0\0"
    assert packed[72:86] == b"\x03\0O\0S\0:\0i\0j\0\0\0"
    assert packed[86:104] == b"\x01\0" + OTHER.bytes_le  # the type at the next even offset, the GUID at a multiple of 4
    assert packed[104:] == b"\x03\0O\0S\0:\0\0\0\0\0"
    assert len(packed) == header.header_size == 116
    assert MQFAddressHeader.read_list(Reader(packed), 0x64, "destination") == header


@pytest.mark.spec("MQ-2.2.20.1-1")
def test_each_part_ends_on_a_boundary_whether_its_size_counts_the_padding_or_not() -> None:
    of = MultiQueueFormatHeader.of((FormatNameElement(FormatType.DIRECT, "OS:ij"),), signature=b"sig45")
    header = replace(of, destination=replace(of.destination, header_size=26))
    data = bytes.fromhex(
        "1a000000 6400 0000 01000000 0300 4f0053003a0069006a000000 0000"
        "0c000000 c800 0000 00000000 0c000000 2c01 0000 00000000"
        "5e01 0000 05000000 7369673435 000000"
    )
    assert_wire(header, data, read=MultiQueueFormatHeader.read_all, pack=MultiQueueFormatHeader.pack)
    assert (of.destination.header_size, of.pack()[4:]) == (28, data[4:])


@pytest.mark.parametrize("element", [
    FormatNameElement(FormatType.PUBLIC, "OS:h\\q"),
    FormatNameElement(FormatType.PRIVATE, OTHER),
    FormatNameElement(FormatType.DIRECT, OTHER),
    FormatNameElement(FormatType.DIRECT, "OS:h\0q"),
    FormatNameElement(FormatType(4), OTHER),
], ids=str)  # fmt: skip
def test_an_element_whose_value_does_not_go_with_its_type_is_not_packed(element: FormatNameElement) -> None:
    with pytest.raises(ValueError, match="does not go with"):
        MultiQueueFormatHeader.of((element,))


@pytest.mark.spec("MQ-2.2.18.1.4-6")
def test_a_direct_name_in_a_list_loses_its_prefix() -> None:
    with_prefix = MultiQueueFormatHeader.of((FormatNameElement(FormatType.DIRECT, "DIRECT=OS:h\\q"),))
    read = MultiQueueFormatHeader.read_all(with_prefix.pack())
    assert read.destination.elements == (FormatNameElement(FormatType.DIRECT, "OS:h\\q"),)


@pytest.mark.spec("MQ-2.2.18.1.4-5")
def test_the_next_list_starts_behind_the_larger_of_size_and_content() -> None:
    header = MultiQueueFormatHeader.of((FormatNameElement(FormatType.PUBLIC, OTHER),))
    slack = replace(header, destination=replace(header.destination, header_size=41))
    assert len(slack.pack()) == len(header.pack()) + 12
    assert MultiQueueFormatHeader.read_all(slack.pack()) == slack
    low = replace(header, destination=replace(header.destination, header_size=12))
    assert MultiQueueFormatHeader.read_all(low.pack()) == low


@pytest.mark.spec("MQ-V-4", "MQ-2.2.18.1.4-1", "MQ-2.2.18.1.4-2", "MQ-2.2-2", "MQ-T-25")
@pytest.mark.parametrize(("offset", "octets", "where"), [
    (0, b"\x0b", "MQFAddressHeader.destination.header_size"),
    (4, b"\x65", "MQFAddressHeader.destination.header_id"),
    (8, b"\xff\xff\xff\xff", "MQFAddressHeader.destination.element_count"),
    (12, b"\x04", "MQFAddressHeader.destination[0].format_type"),
    (12, b"\x07", "MQFAddressHeader.destination[0].format_type"),
    (36, b"\xc9", "MQFAddressHeader.administration.header_id"),
    (48, b"\x2d", "MQFAddressHeader.response.header_id"),
    (56, b"\x5f", "MQFSignatureHeader.header_id"),
    (60, b"\xff\xff\xff\xff", "MQFSignatureHeader.signature"),
])  # fmt: skip
def test_malformed_lists_are_refused(offset: int, octets: bytes, where: str) -> None:
    header = MultiQueueFormatHeader.of((FormatNameElement(FormatType.PUBLIC, OTHER),))
    data = bytearray(header.pack())
    data[offset : offset + len(octets)] = octets
    with pytest.raises(DecodeError) as caught:
        MultiQueueFormatHeader.read_all(bytes(data))
    assert caught.value.where == where


def test_a_name_that_never_ends_is_refused() -> None:
    data = MultiQueueFormatHeader.of((FormatNameElement(FormatType.DIRECT, "OS:h"),)).pack()
    with pytest.raises(DecodeError, match="does not end in NUL"):
        MQFAddressHeader.read_list(Reader(data[:14] + b"A" * 200), 0x64, "destination")


@given(st.builds(MultiQueueFormatHeader.of, element_lists, element_lists, element_lists, st.binary(max_size=300)))
def test_lists_round_trip(header: MultiQueueFormatHeader) -> None:
    assert MultiQueueFormatHeader.read_all(header.pack()) == header
    assert len(header.pack()) % 4 == 0
