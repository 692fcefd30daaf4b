"""What a digital signature of a message covers, as octets; hashing and RSA are not done here. [MS-MQMQ] 2.5

The document gives values and order but not every octet form: absent items, names and labels are settled in this one module,
so that a capture of a signed message can settle them anew.
"""

from __future__ import annotations

from msmqctl.wire.headers import PacketQueue
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.packet import UserMessage
from msmqctl.wire.record import NULL_GUID, to_wide
from msmqctl.wire.values import AuthenticationSignature

#  #  value                                    Sig10 Sig20 Sig30
#  1  CorrelationID                              x     x     x
#  2  ApplicationTag                             x     x     x
#  3  MessageBody, before encryption             x     x     x
#  4  Label                                      x     x     x
#  5  ResponseQueue                              x     x     x
#  6  AdminQueue                                 x     x     x
#  7  ExtensionData                                          x
#  8  MultiQueueFormatHeader.FormatNameList                  x
#  9  SourceQueueManager                               x     x
# 10  DM                                               x     x
# 11  PR                                               x     x
# 12  JP << 1 | JN                                     x     x
# 13  MessagePropertiesHeader.Flags & 0x0F             x     x
# 14  MessageClass                                     x     x
# 15  BodyType                                         x     x
# 16  ConnectorType                                    x     x
# 17  DestinationQueue                                 x


def signed_octets(message: UserMessage, kind: AuthenticationSignature) -> bytes:
    """The octets to hash for a signature of this kind, with the body in `message` taken as not encrypted."""
    if kind not in (AuthenticationSignature.SIG10, AuthenticationSignature.SIG20, AuthenticationSignature.SIG30):
        raise ValueError(f"{kind.name} is not a signature of a binary message")
    user, properties = message.user, message.properties
    parts = [
        properties.correlation_id,
        properties.application_tag.to_bytes(4, "little"),
        properties.message_body,
        to_wide(properties.label + "\0") if properties.label_length else b"",
        _name_octets(user.response_queue),
        _name_octets(user.admin_queue),
    ]
    if kind == AuthenticationSignature.SIG10:
        return b"".join(parts)
    if kind == AuthenticationSignature.SIG30:
        parts.append(properties.extension_data)
        if message.multi_queue is not None:
            lists = (message.multi_queue.destination, message.multi_queue.administration, message.multi_queue.response)
            parts += [part.list_octets() for part in lists]
    parts += [
        user.source_queue_manager.bytes_le,
        bytes([user.flags.delivery_mode, message.base.flags.priority]),
        bytes([user.flags.journal_positive << 1 | user.flags.journal_negative, properties.flags & 0x0F]),
        properties.message_class.to_bytes(2, "little"),
        properties.body_type.to_bytes(4, "little"),
        (user.connector_type or NULL_GUID).bytes_le,
    ]
    if kind == AuthenticationSignature.SIG20:
        parts.append(_name_octets(user.destination_queue))
    return b"".join(parts)


def _name_octets(queue: PacketQueue) -> bytes:
    """A queue as it lies in the packet, without its count and its padding."""
    match queue:
        case None:
            return b""
        case int():
            return queue.to_bytes(4, "little")
        case ObjectId():
            return queue.pack()
        case str():
            return to_wide(queue + "\0")
        case _:
            return queue.bytes_le
