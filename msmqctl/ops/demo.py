"""What the guided tour shows: messages of a small shop with something wrong in it, and a count of them by Spark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import UUID

from msmqctl.pipeline import tally
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.frames import InternalPacket
from msmqctl.wire.headers import BaseFlags, BaseHeader, MessagePropertiesHeader, PropertiesFlags, UserFlags, UserHeader
from msmqctl.wire.identity import MessageIdentifier
from msmqctl.wire.packet import UserMessage
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.security_header import SecurityHeader
from msmqctl.wire.sid import Sid
from msmqctl.wire.values import INFINITE, DeliveryMode, MessageClass, QueueCode, SenderIdType, VarType

SHOP = UUID("5e1fa5e0-0c0d-4e5e-9a9b-0123456789ab")
WAREHOUSE = UUID("b0bca7e0-1111-4222-8333-444455556666")
CLERK = Sid.parse("S-1-5-21-1004336348-1177238915-682003330-1104")
NOON = 1_763_467_200  # 2025-11-18T12:00:00Z


@dataclass(frozen=True, slots=True)
class Counted:
    """How many messages of one class there were, and to which queue."""

    message_class: str
    queue: str
    messages: int


def order(number: int) -> UserMessage:
    """An order that the shop sends to the warehouse, asking for every acknowledgment."""
    flags = UserFlags.of(
        delivery_mode=DeliveryMode.RECOVERABLE,
        journal_negative=1,
        destination_code=QueueCode.DIRECT,
        admin_code=QueueCode.PRIVATE_ON_SOURCE,
        security_header=1,
        properties_header=1,
    )
    body = f'{{"order": {number}, "customer": "acme", "lines": {number % 7 + 1}}}'.encode()
    return UserMessage(
        BaseHeader.of(BaseFlags.of(priority=3), time_to_reach_queue=3600),
        UserHeader(SHOP, NULL_GUID, INFINITE, NOON + number, number, flags, "OS:warehouse\\private$\\orders", 17),
        MessagePropertiesHeader.of(
            label=f"order {number}", message_body=body, body_type=VarType.VT_UI1 | VarType.VT_VECTOR, flags=PropertiesFlags(0x0E)
        ),
        security=SecurityHeader.of(SenderIdType.SID, CLERK.pack()),
    ).sized()


def refusal(of: UserMessage, reason: MessageClass) -> UserMessage:
    """The acknowledgment with which the warehouse refuses an order."""
    flags = UserFlags.of(destination_code=QueueCode.PRIVATE_ON_DESTINATION, properties_header=1)
    return UserMessage(
        BaseHeader.of(BaseFlags.of(priority=3)),
        UserHeader(WAREHOUSE, SHOP, INFINITE, of.user.sent_time + 2, of.user.message_id, flags, 17),
        MessagePropertiesHeader.of(label=of.properties.label, message_class=reason, correlation_id=of.identifier.pack()),
    ).sized()


def traffic(count: int) -> Iterator[UserMessage]:
    """Orders, every fifth of which the warehouse refuses because its clerk lost a right, and every eleventh for want of room."""
    for number in range(1, count + 1):
        sent = order(number)
        yield sent
        if number % 5 == 0:
            yield refusal(sent, MessageClass.MQMSG_CLASS_NACK_ACCESS_DENIED)
        elif number % 11 == 0:
            yield refusal(sent, MessageClass.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA)


def session_octets() -> bytes:
    """A session as a wire would carry it: the handshake's opening, an order, and the refusal of it."""
    first = order(5)
    return InternalPacket.establish(SHOP).pack() + first.pack() + refusal(first, MessageClass.MQMSG_CLASS_NACK_ACCESS_DENIED).pack()


def refused_message_id() -> str:
    """The identifier of the order that the session shows refused."""
    return MessageIdentifier(SHOP, 5).plain


def can_count() -> bool:
    """Whether Spark is there."""
    return tally.available()


def count_by_class(messages: Sequence[UserMessage], cache: Path) -> list[Counted]:
    """Decode the packets on Spark's workers and count them."""
    return [Counted(*row) for row in tally.by_class_and_queue([message.pack() for message in messages], cache)]
