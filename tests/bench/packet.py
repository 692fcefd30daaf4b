"""Packets of a 1 KB body: our decoder and encoder beside straight hand-written code that builds the same objects.

    python tests/bench/packet.py

Prints one JSON object; the ratios are what counts, both sides measured in one run, alternating.
"""

from __future__ import annotations

import json
import statistics
import struct
import sys
import time
from collections.abc import Callable
from uuid import UUID

from msmqctl.wire.headers import (
    BaseFlags,
    BaseHeader,
    MessagePropertiesHeader,
    PropertiesFlags,
    UserFlags,
    UserHeader,
)
from msmqctl.wire.packet import UserMessage
from msmqctl.wire.record import Reader
from msmqctl.wire.security_header import SecurityFlags, SecurityHeader
from msmqctl.wire.values import EncryptionAlgorithm, HashAlgorithm, MessageClass, PrivacyLevel, SenderIdType, VarType

BASE, USER = struct.Struct("<BBHIII"), struct.Struct("<16s16sIIII")
SECURITY, PROPERTIES = struct.Struct("<HHHHII"), struct.Struct("<BBH20sIIIIIIII")
SID = bytes.fromhex("010500000000000515000000ad4a9ebd36d9fa3d63a656dae8030000")


def sample() -> UserMessage:
    """A message to a direct name with a sender's SID, a label and a body of 1 KB."""
    flags = UserFlags.of(delivery_mode=1, destination_code=7, security_header=1, properties_header=1)
    source = UUID("557358d1-9150-9595-4997-b6e611ea26c6")
    return UserMessage(
        BaseHeader.of(BaseFlags.of(priority=3), time_to_reach_queue=345600),
        UserHeader(source, UUID(int=0), 0xFFFFFFFF, 1_700_000_000, 2286, flags, "OS:server17\\private$\\orders"),
        MessagePropertiesHeader.of(label="order 4711", message_body=b"x" * 1024, body_type=8),
        security=SecurityHeader.of(SenderIdType.SID, SID),
    ).sized()


def decode_by_hand(data: bytes) -> UserMessage:
    """Every check and every object of the real decoder for this shape of packet, spelled out."""
    size = len(data)
    if size < 16:
        raise ValueError("short")
    version, reserved, base_flags, signature, packet_size, reach = BASE.unpack_from(data, 0)
    if version != 0x10 or signature != 0x524F494C or packet_size > size or packet_size > 0x400000 or packet_size < 64:
        raise ValueError("base")
    base = BaseHeader(version, reserved, BaseFlags(base_flags), signature, packet_size, reach)
    source, address, receive, sent, number, word = USER.unpack_from(data, 16)
    if word >> 10 & 7 != 7 or not word & 0x200000 or word >> 5 & 3 > 1:
        raise ValueError("flags")
    (count,) = struct.unpack_from("<H", data, 64)
    at = 66 + count
    if count % 2 or count < 2 or at > packet_size or data[at - 2 : at] != b"\0\0":
        raise ValueError("name")
    name = str(data[66 : at - 2], "utf-16-le", "surrogatepass")
    user = UserHeader(UUID(bytes_le=source), UUID(bytes_le=address), receive, sent, number, UserFlags(word), name)
    at = at + 3 & ~3
    if at + 16 > packet_size:
        raise ValueError("security")
    security_flags, sid_size, key_size, signature_size, cert_size, provider_size = SECURITY.unpack_from(data, at)
    at += 16
    items = []
    for item in (sid_size, key_size, signature_size, cert_size, provider_size):
        if at + item > packet_size:
            raise ValueError("security data")
        items.append(data[at : at + item])
        at = at + item + 3 & ~3
    security = SecurityHeader(SecurityFlags(security_flags), sid_size, key_size, signature_size, cert_size, provider_size, *items)
    if at + 56 > packet_size:
        raise ValueError("properties")
    fixed = PROPERTIES.unpack_from(data, at)
    ack, units, kind, correlation, body_type, tag, body_size, allocated, privacy, hashing, cipher, extension_size = fixed
    at += 56
    end = at + 2 * units + extension_size + body_size
    if units > 250 or end > packet_size:
        raise ValueError("body")
    label = str(data[at : at + 2 * units], "utf-16-le", "surrogatepass").removesuffix("\0")
    at += 2 * units
    properties = MessagePropertiesHeader(
        PropertiesFlags(ack), units, MessageClass(kind), correlation, VarType(body_type), tag, body_size, allocated, PrivacyLevel(privacy),
        HashAlgorithm(hashing), EncryptionAlgorithm(cipher), extension_size, label, data[at : at + extension_size],
        data[at + extension_size : end],
    )  # fmt: skip
    return UserMessage(base, user, properties, None, security)


def encode_by_hand(m: UserMessage) -> bytes:
    """The same packet with `struct` and `join`, lengths and padding spelled out."""
    u, s, p = m.user, m.security, m.properties
    if s is None or not isinstance(u.destination_queue, str):
        raise ValueError("shape")
    name = (u.destination_queue + "\0").encode("utf-16-le", "surrogatepass")
    label = (p.label + "\0").encode("utf-16-le", "surrogatepass")
    parts = [
        USER.pack(
            u.source_queue_manager.bytes_le, u.queue_manager_address.bytes_le, u.time_to_be_received, u.sent_time, u.message_id, u.flags
        ),
        struct.pack("<H", len(name)),
        name,
        bytes(-(len(name) + 2) % 4),
        SECURITY.pack(s.flags, s.sender_id_size, s.encryption_key_size, s.signature_size, s.sender_cert_size, s.provider_info_size),
    ]
    for item in (s.security_id, s.encryption_key, s.signature, s.sender_cert, s.provider_info):
        parts += [item, bytes(-len(item) % 4)]
    parts += [
        PROPERTIES.pack(
            p.flags, p.label_length, p.message_class, p.correlation_id, p.body_type, p.application_tag, p.message_size,
            p.allocation_body_size, p.privacy_level, p.hash_algorithm, p.encryption_algorithm, p.extension_size,
        ),
        label,
        p.extension_data,
        p.message_body,
        bytes(-(len(label) + p.extension_size + p.message_size) % 4),
    ]  # fmt: skip
    size = 16 + sum(map(len, parts))
    b = m.base
    return b"".join([BASE.pack(b.version_number, b.reserved, b.flags, b.signature, size, b.time_to_reach_queue), *parts])


def cost_us(work: Callable[[], object], times: int) -> float:
    """Microseconds a call."""
    begin = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - begin) / times * 1e6


def compare(ours: Callable[[], object], by_hand: Callable[[], object], rounds: int = 15, times: int = 2000) -> dict[str, float]:
    """Medians of alternating rounds."""
    mine, theirs = [], []
    for _ in range(rounds):
        mine.append(cost_us(ours, times))
        theirs.append(cost_us(by_hand, times))
    a, b = statistics.median(mine), statistics.median(theirs)
    return {"ours_us": round(a, 2), "by_hand_us": round(b, 2), "ratio": round(a / b, 2)}


def main() -> int:
    message = sample()
    data = message.pack()
    if decode_by_hand(data) != message or encode_by_hand(message) != data:
        raise SystemExit("the hand-written code does not do the same work")
    decode = compare(lambda: UserMessage.read(Reader(data)), lambda: decode_by_hand(data))
    encode = compare(message.pack, lambda: encode_by_hand(message))
    print(json.dumps({"octets": len(data), "decode": decode, "encode": encode}, indent=2))
    return 0 if decode["ratio"] <= 3 and encode["ratio"] <= 3 else 5


if __name__ == "__main__":
    sys.exit(main())
