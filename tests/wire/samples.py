"""Messages that the packet tests start from, and the vectors they share."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

from hypothesis import strategies as st

from msmqctl.wire.frames import InternalPacket, Ping, is_ping, read_session_packet
from msmqctl.wire.headers import (
    BaseFlags,
    BaseHeader,
    DebugFlags,
    DebugHeader,
    MessagePropertiesHeader,
    PacketQueue,
    SessionHeader,
    SoapHeader,
    TransactionFlags,
    TransactionHeader,
    UserFlags,
    UserHeader,
)
from msmqctl.wire.identity import ObjectId, TxSequenceId
from msmqctl.wire.multi_queue import FormatNameElement, FormatType, MultiQueueFormatHeader
from msmqctl.wire.packet import UserMessage
from msmqctl.wire.record import NULL_GUID, Reader
from msmqctl.wire.security_header import SecurityHeader
from msmqctl.wire.values import SenderIdType

PACKETS = Path(__file__).parent.parent / "data" / "packets"
SENDER = UUID("557358d1-9150-9595-4997-b6e611ea26c6")
OTHER = UUID("11223344-5566-7788-99aa-bbccddeeff00")
SID = bytes.fromhex("010500000000000515000000ad4a9ebd36d9fa3d63a656dae8030000")

Packet = UserMessage | InternalPacket | Ping


def vector(name: str) -> bytes:
    """The octets of a file in `tests/data/packets`."""
    return bytes.fromhex((PACKETS / f"{name}.hex").read_text())


WHOLE_VECTORS = sorted(path.stem for path in PACKETS.glob("*.hex") if "as-published" not in path.stem)


def read_packet(data: bytes) -> Packet:
    """Whatever packet fills `data`."""
    if is_ping(data):
        return Ping.read_all(data)
    reader = Reader(data)
    packet = read_session_packet(reader)
    reader.expect_end("packet")
    return packet


def build(
    *,
    destination: PacketQueue = "OS:host1\\q",
    destination_code: int = 7,
    admin: PacketQueue = None,
    admin_code: int = 0,
    response: PacketQueue = None,
    response_code: int = 0,
    connector: UUID | None = None,
    transaction: TransactionHeader | None = None,
    security: SecurityHeader | None = None,
    properties: MessagePropertiesHeader | None = None,
    debug: DebugHeader | None = None,
    soap: SoapHeader | None = None,
    multi_queue: MultiQueueFormatHeader | None = None,
    session: SessionHeader | None = None,
    base: int = 0,
    user: int = 0,
    trailing: bytes = b"",
) -> UserMessage:
    """A message whose presence flags follow from what it is given; `base` and `user` add further bits."""
    base_flags = BaseFlags.of(priority=0 if transaction else 3, session_header=session is not None, debug_header=debug is not None)
    user_flags = UserFlags.of(
        delivery_mode=transaction is not None,
        destination_code=destination_code,
        admin_code=admin_code,
        response_code=response_code,
        security_header=security is not None,
        transaction_header=transaction is not None,
        properties_header=1,
        connector_type=connector is not None,
        multi_queue_header=multi_queue is not None,
        soap_header=soap is not None,
    )
    address = NULL_GUID if destination_code == 7 else OTHER
    return UserMessage(
        BaseHeader.of(BaseFlags(base_flags | base), time_to_reach_queue=300),
        UserHeader(SENDER, address, 600, 1_000_000, 7, UserFlags(user_flags | user), destination, admin, response, connector),
        properties if properties is not None else MessagePropertiesHeader.of(label="L", message_body=b"hello"),
        transaction,
        security,
        debug,
        soap=soap,
        multi_queue=multi_queue,
        session=session,
        trailing=trailing,
    ).sized()


TRANSACTION = TransactionHeader(
    TransactionFlags.of(first_message=1, last_message=1, transaction_id=0x12345), TxSequenceId(0x65 << 56 | 1), 1, 0
)
SECURITY = SecurityHeader.of(SenderIdType.SID, SID)
SESSION = SessionHeader(40, 33, 0xFF, 12, 4, 64)
DEBUG = DebugHeader(DebugFlags.of(queue_type=1), 0, OTHER)

QUEUE_OCTETS: dict[int, PacketQueue] = {0: None, 1: None, 2: 9, 3: 10, 4: 11, 5: OTHER, 6: ObjectId(OTHER, 12), 7: "TCP:192.0.2.10\\r"}

elements = st.one_of(
    st.builds(FormatNameElement, st.just(FormatType.PUBLIC), st.uuids()),
    st.builds(FormatNameElement, st.just(FormatType.DISTRIBUTION_LIST), st.uuids()),
    st.builds(FormatNameElement, st.just(FormatType.PRIVATE), st.builds(ObjectId, st.uuids(), st.integers(0, 2**32 - 1))),
    st.builds(
        FormatNameElement, st.just(FormatType.DIRECT), st.text(st.characters(exclude_characters="\0"), max_size=20).map("OS:".__add__)
    ),
)
element_lists = st.lists(elements, max_size=4).map(tuple)
