"""Bytes to fields: what input is taken for, every field with its place, and how far a broken one is shown."""

from __future__ import annotations

import itertools
import random
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError
from msmqctl.ops.decode import Decoding, FieldRow, Kind, decode, hex_octets, recognise, rows
from msmqctl.wire.address import TransportAddress, pack_addresses
from msmqctl.wire.frames import InternalPacket
from msmqctl.wire.headers import MessagePropertiesHeader
from msmqctl.wire.identity import ObjectId, SequenceInfo, TxSequenceId
from msmqctl.wire.keys import (
    ProviderKey,
    ProviderType,
    RsaPublicKey,
    SessionKeyBlob,
    UserCertificate,
    pack_public_keys,
    pack_user_certificates,
)
from msmqctl.wire.packet import UserMessage
from msmqctl.wire.remote_headers import ExtensionFlags, ExtensionHeader, RemoteHeaders, SubqueueBits, SubqueueHeader
from msmqctl.wire.sddl import parse_sddl
from msmqctl.wire.sid import Sid
from msmqctl.wire.values import EncryptionAlgorithm
from tests.wire.samples import OTHER, SESSION, WHOLE_VECTORS, build, vector

KEY = RsaPublicKey(512, 65537, 2**511 + 5)
SAMPLES: dict[Kind, bytes] = {
    Kind.PACKET: build(session=SESSION).pack(),
    Kind.PING: vector("frame01-ping-request"),
    Kind.SECURITY_DESCRIPTOR: parse_sddl("O:BAG:SYD:(D;;0x4;;;AN)(A;;0x3f;;;BA)S:(AU;FA;0x1;;;WD)").pack(),
    Kind.SID: Sid.parse("S-1-5-21-1-2-3-500").pack(),
    Kind.PUBLIC_KEY: KEY.pack(),
    Kind.PUBLIC_KEYS: pack_public_keys([ProviderKey(ProviderType.PROV_RSA_FULL, "P", KEY)]),
    Kind.SESSION_KEY: SessionKeyBlob(EncryptionAlgorithm.CALG_AES_256, b"k" * 64).pack(),
    Kind.CERTIFICATES: pack_user_certificates([UserCertificate.of(OTHER, b"DER")]),
    Kind.ADDRESSES: pack_addresses([TransportAddress.foreign(OTHER)]),
    Kind.OBJECT_ID: ObjectId(OTHER, 7).pack(),
    Kind.SEQUENCE_INFO: SequenceInfo(TxSequenceId(5), 2, 1).pack(),
    Kind.REMOTE_MESSAGE: build().pack(),
}
RECOGNISED = [kind for kind in SAMPLES if kind not in (Kind.ADDRESSES, Kind.OBJECT_ID, Kind.SEQUENCE_INFO, Kind.REMOTE_MESSAGE)]


def told(decoding: Decoding) -> dict[str, FieldRow]:
    return {row.field: row for row in rows(decoding)}


def test_there_is_a_sample_of_every_kind() -> None:
    assert set(SAMPLES) == set(Kind)


@pytest.mark.parametrize("kind", RECOGNISED)
def test_what_tells_what_it_is_is_recognised(kind: Kind) -> None:
    assert recognise(SAMPLES[kind]) is kind


@pytest.mark.parametrize("data", [b"", b"hello world, this is text", bytes(24), b"\x10" * 40, b"\x01" * 12])
def test_what_tells_nothing_is_refused_with_the_kinds_there_are(data: bytes) -> None:
    assert recognise(data) is None
    with pytest.raises(DecodeError) as caught:
        decode(data)
    assert "security-descriptor" in (caught.value.hint or "")


@pytest.mark.parametrize("kind", Kind)
def test_fields_cover_the_input_without_gaps_or_overlaps(kind: Kind) -> None:
    data = SAMPLES[kind]
    decoding = decode(data, kind)
    assert decoding.fault is None
    spans = sorted((row.offset, row.offset + row.size) for row in rows(decoding))
    assert spans[0][0] == 0
    assert spans[-1][1] == len(data)
    assert all(left[1] == right[0] for left, right in itertools.pairwise(spans))


@pytest.mark.parametrize("name", WHOLE_VECTORS)
def test_every_vector_is_shown_whole(name: str) -> None:
    data = vector(name)
    decoding = decode(data)
    assert decoding.fault is None
    assert sum(row.size for row in rows(decoding)) == len(data)


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.SESSION_KEY])  # whose length only the key's owner knows
def test_every_prefix_is_shown_up_to_the_fault(kind: Kind) -> None:
    data = SAMPLES[kind]
    whole = list(rows(decode(data, kind)))
    for size in range(1, len(data)):
        cut = decode(data[:size], kind)
        assert cut.fault is not None
        shown = [row for row in rows(cut) if not row.field.endswith(" (cut)")]
        assert shown == whole[: len(shown)]
        assert all(row.offset + row.size <= size for row in rows(cut))


def test_the_frame_published_incomplete_is_shown_to_its_last_octet() -> None:
    decoding = decode(vector("frame07-user-message-as-published"))
    assert decoding.fault is not None
    assert (decoding.fault.where, decoding.fault.problem) == ("BaseHeader.packet_size", "574 octets missing")
    fields = told(decoding)
    assert fields["MessagePropertiesHeader.label"].value == "mqsender label\0"
    body = fields["MessagePropertiesHeader.message_body (cut)"]
    assert (body.offset, body.size) == (0xDE, 1650 - 0xDE)
    assert str(decoding.error) == "BaseHeader.packet_size at offset 8: 574 octets missing"


def test_values_come_with_their_meaning() -> None:
    fields = told(decode(vector("frame07-user-message-completed")))
    assert fields["BaseHeader.time_to_reach_queue"].meaning == "4 d"
    assert fields["UserHeader.time_to_be_received"].meaning == "no limit"
    assert fields["UserHeader.sent_time"].meaning == "2013-10-04T23:03:40Z"
    assert fields["UserHeader.destination_queue"].meaning == "DIRECT=OS:a04bm02\\q"
    assert fields["SecurityHeader.security_id"].meaning == "S-1-5-21-3181267629-1039849782-3663111779-1000"
    assert fields["MessagePropertiesHeader.body_type"].meaning == "VT_BSTR"
    assert (fields["MessagePropertiesHeader.message_body"].meaning or "").startswith('"aaaa')
    fields = told(decode(vector("derived-admin-response-connector")))
    assert fields["UserHeader.admin_queue"].meaning == "PRIVATE=a0a1a2a3-b0b1-c0c1-d0d1-e0e1e2e3e4e5\\00000007"
    fields = told(decode(vector("derived-order-ack-private")))
    assert "order_queue$" in (fields["UserHeader.destination_queue"].meaning or "")


def test_the_tree_has_structures_fields_and_bits() -> None:
    (item,) = decode(vector("derived-transactional-direct")).items
    assert [node.name for node in item.structures] == ["BaseHeader", "UserHeader", "TransactionHeader", "MessagePropertiesHeader"]
    transaction = item.structures[2]
    flags = transaction.fields[0]
    assert {bit.name: bit.value for bit in flags.fields}["transaction_id"] == 0x12345
    assert (transaction.offset, transaction.size) == (transaction.fields[0].offset, 20)
    assert item.irregularities == ()


def test_a_session_is_decoded_packet_by_packet() -> None:
    packets: list[InternalPacket | UserMessage] = [
        InternalPacket.establish(OTHER),
        InternalPacket.parameters(500, 20000),
        build(session=SESSION),
        build(base=0x40),
    ]
    decoding = decode(b"".join(packet.pack() for packet in packets))
    assert [item.kind for item in decoding.items] == ["establish connection", "connection parameters", "user message", "user message"]
    assert [item.offset for item in decoding.items] == [0, 572, 604, 604 + len(packets[2].pack())]
    assert decoding.items[3].irregularities == ("BaseHeader.flags: reserved bits are set.",)
    assert decode(vector("derived-order-ack-private")).items[0].kind == "order ack"
    assert decode(vector("derived-final-ack-positive")).items[0].kind == "final ack"


def test_what_follows_a_good_packet_is_a_fault_that_names_its_place() -> None:
    good = build().pack()
    decoding = decode(good + b"rubbish that is no packet")
    assert [item.kind for item in decoding.items] == ["user message", "what could be read"]
    assert decoding.fault is not None
    assert decoding.fault.offset == len(good)


@pytest.mark.spec("MQ-T-35", "RR-2.2.5-1")
@pytest.mark.parametrize("inside", [False, True])
def test_headers_behind_a_remote_read_are_shown_inside_the_size_or_outside(inside: bool) -> None:
    subqueue = SubqueueHeader(148, SubqueueBits(0), 1, 2, 1_700_000_000, "poison".encode("utf-16-le").ljust(64, b"\0"), bytes(64))
    behind = RemoteHeaders(ExtensionHeader(12, 148, ExtensionFlags(2), bytes(3)), subqueue, None, None).pack()
    data = build(trailing=behind).pack() if inside else build().pack() + behind
    decoding = decode(data, Kind.REMOTE_MESSAGE)
    assert decoding.fault is None
    assert told(decoding)["SubqueueHeader.move_counter"].value == 2
    assert told(decoding)["SubqueueHeader.last_move_time"].meaning == "2023-11-14T22:13:20Z"


@pytest.mark.parametrize(("text", "octets"), [
    ("10c0", "10c0"),
    ("10 C0\n0b 00\n", "10c00b00"),
    ("0x10, 0xC0", "10c0"),
    ("10:c0-0b", "10c00b"),
    ("00000000: 4c49 4f52 0a                             LIOR.\n", "4c494f520a"),
    ("00000000  4c 49 4f 52  0a 0b 0c 0d  |LIOR....|\n00000008  01                       |.|\n", "4c494f520a0b0c0d01"),
])  # fmt: skip
def test_hexadecimal_text_of_any_tool_is_read(text: str, octets: str) -> None:
    assert hex_octets(text) == bytes.fromhex(octets)


@pytest.mark.parametrize("text", ["", "  \n", "abc", "xyz0", "hello world", "١٢"])
def test_other_text_is_not_hexadecimal(text: str) -> None:
    assert hex_octets(text) is None


@given(st.text(max_size=60))
def test_no_text_upsets_the_hexadecimal_reader(text: str) -> None:
    assert hex_octets(text) is None or isinstance(hex_octets(text), bytes)


@given(st.binary(max_size=80), st.sampled_from(Kind))
def test_any_octets_are_decoded_or_refused(data: bytes, kind: Kind) -> None:
    decoding = decode(data, kind)
    assert all(row.offset >= 0 and row.offset + row.size <= len(data) for row in rows(decoding))


@pytest.mark.parametrize("kind", Kind)
def test_mutations_are_shown_or_refused_and_never_upset_the_decoder(kind: Kind) -> None:
    chance = random.Random(kind.value)
    for _ in range(400):
        mutant = bytearray(SAMPLES[kind])
        for _ in range(chance.choice((1, 2, 8))):
            mutant[chance.randrange(min(len(mutant), 300))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
        list(rows(decode(bytes(mutant), kind)))


def test_a_body_that_is_not_text_has_no_preview() -> None:
    binary = MessagePropertiesHeader.of(message_body=b"\x00\xff\x01\x02\x03", body_type=17 | 0x1000)
    assert told(decode(build(properties=binary).pack()))["MessagePropertiesHeader.message_body"].meaning is None
    wide = MessagePropertiesHeader.of(message_body="Grüße".encode("utf-16-le"), body_type=31)
    assert told(decode(build(properties=wide).pack()))["MessagePropertiesHeader.message_body"].meaning == '"Grüße"'


def test_a_correlation_names_the_message_it_answers() -> None:
    answer = MessagePropertiesHeader.of(correlation_id=ObjectId(UUID(int=1), 42).pack())
    meaning = told(decode(build(properties=answer).pack()))["MessagePropertiesHeader.correlation_id"].meaning
    assert meaning == "message 00000000-0000-0000-0000-000000000001\\42"
