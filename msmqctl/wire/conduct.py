"""What a sender must not do although a receiver lets it pass: rules of [MS-MQMQ] 2.2.19 and 2.2.20 for encoders.

Every message we send has no irregularities; those of others are worth showing to whoever looks for a fault.
"""

from __future__ import annotations

from collections.abc import Iterator

from msmqctl.wire.headers import MAX_HOPS, BaseFlags, UserFlags
from msmqctl.wire.packet import UserMessage
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.values import ALGORITHMS_OF_PRIVACY, QueueCode, SenderIdType

_BASE_RESERVED = BaseFlags.reserved_low.mask | BaseFlags.reserved_high.mask
_USER_RESERVED = UserFlags.reserved_1.mask | UserFlags.reserved_2.mask | UserFlags.reserved_3.mask | UserFlags.reserved_4.mask


def irregularities(message: UserMessage) -> list[str]:
    """What is wrong with the message by the rules for senders, a sentence each; empty for one that keeps them."""
    return [*_in_base_and_user(message), *_in_security(message), *_in_properties(message)]


def _in_base_and_user(message: UserMessage) -> Iterator[str]:
    base, user, flags = message.base, message.user, message.user.flags
    if base.flags & _BASE_RESERVED:
        yield "BaseHeader.flags: reserved bits are set."
    if base.flags.tracing and message.debug is None:
        yield "BaseHeader.flags: tracing is asked for without a DebugHeader."
    if message.transactional and base.flags.priority:
        yield "BaseHeader.flags: a transactional message has priority 0."
    if flags & _USER_RESERVED:
        yield "UserHeader.flags: reserved bits are set."
    if flags.hop_count > MAX_HOPS:
        yield f"UserHeader.flags: {flags.hop_count} routing servers were passed, {MAX_HOPS} are the most."
    if flags.over_http and message.envelope is None:
        yield "UserHeader.flags: AH is set, which a sender never does."
    if flags.destination_code == QueueCode.DIRECT and user.queue_manager_address != NULL_GUID and message.envelope is None:
        yield "UserHeader.queue_manager_address: not NULL with a direct destination."
    if flags.destination_code in (QueueCode.PRIVATE_ON_DESTINATION, QueueCode.PUBLIC) and user.queue_manager_address == NULL_GUID:
        yield "UserHeader.queue_manager_address: NULL although the destination is not a direct name."
    if bool(message.properties.flags & 0x0F) != (flags.admin_code != QueueCode.NONE):
        yield "UserHeader.admin_queue: given exactly when an acknowledgment is asked for."


def _in_security(message: UserMessage) -> Iterator[str]:
    security = message.security
    if security is None:
        return
    flags = security.flags
    if not SenderIdType(flags.sender_id_type).known:
        yield f"SecurityHeader.flags: sender id type {flags.sender_id_type} does not exist."
    if flags.authenticated or flags.signature_verified:
        yield "SecurityHeader.flags: AU and AS are for the receiver to set."
    sizes = (security.encryption_key_size, security.signature_size, security.sender_cert_size, security.provider_info_size)
    if not any(sizes) and not security.sender_id_size:
        yield "SecurityHeader: it holds nothing."
    if any(sizes) != flags.security_data:
        yield "SecurityHeader.flags: AI is set exactly when a key, signature, certificate or provider follows."
    if flags.body_encrypted and not security.encryption_key:
        yield "SecurityHeader.encryption_key: missing although the body is encrypted."
    if security.signature and not flags.default_provider and not security.provider_info:
        yield "SecurityHeader.provider_info: missing although the signature is not by the default provider."


def _in_properties(message: UserMessage) -> Iterator[str]:
    properties = message.properties
    encrypted = message.security is not None and message.security.flags.body_encrypted
    allowed = ALGORITHMS_OF_PRIVACY.get(properties.privacy_level)
    if encrypted and allowed is not None and properties.encryption_algorithm not in allowed:
        yield f"MessagePropertiesHeader.encryption_algorithm: {properties.encryption_algorithm.name} does not go with this privacy level."
    if not properties.message_class.may_be_application_defined:
        yield f"MessagePropertiesHeader.message_class: 0x{int(properties.message_class):04X} uses bits that no class may use."
