"""What the value of a packet field means to a person: names, times, queues, senders, texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any
from uuid import UUID

from msmqctl.errors import MsmqError
from msmqctl.ops.advice_delivery import CLASS_MEANINGS
from msmqctl.wire.address import AddressType
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.frames import ORDER_QUEUE_NUMBER
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.names import PrivateName
from msmqctl.wire.record import NULL_GUID, Bits, from_wide
from msmqctl.wire.sid import Sid
from msmqctl.wire.values import INFINITE, AuthenticationSignature, DeliveryMode, MessageClass, QueueCode, SenderIdType, VarType
from msmqctl.wire.variant import type_name

NOTIFICATION_QUEUE_NUMBER = 3
_WELL_KNOWN_QUEUES = {NOTIFICATION_QUEUE_NUMBER: "notify_queue$", ORDER_QUEUE_NUMBER: "order_queue$"}
_PREVIEW = 60


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The other fields of the same packet, by their paths."""

    values: Mapping[str, Any]

    def get(self, where: str) -> Any:
        return self.values.get(where)


def meaning(where: str, value: Any, around: Surroundings) -> str | None:
    """A few words on what `value` says in the field `where`, or None where the value speaks for itself."""
    if where.endswith(" (cut)"):
        return "the input ends here"
    special = _SPECIAL.get(where)
    if special is not None:
        return special(value, around)
    if isinstance(value, Bits):
        return _groups(where, value)
    if isinstance(value, IntEnum):
        return value.name
    if where.endswith("padding"):
        return "padding, may hold anything"
    if isinstance(value, UUID) and value == NULL_GUID:
        return "none"
    return None


def _seconds(value: Any, around: Surroundings) -> str:
    if value == INFINITE:
        return "no limit"
    parts = []
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)):
        count, value = divmod(value, length)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts) or "at once"


def _moment(value: Any, around: Surroundings) -> str:
    return datetime.fromtimestamp(value, UTC).isoformat().replace("+00:00", "Z") if value else "never"


def _class(value: Any, around: Surroundings) -> str:
    known = CLASS_MEANINGS.get(value)
    return f"{MessageClass(value).name}: {known}" if known else "defined by an application"


def _queue(role: str) -> Callable[[Any, Surroundings], str | None]:
    """The name of a queue, as far as the packet alone tells it."""

    def tell(value: Any, around: Surroundings) -> str | None:
        flags = around.get("UserHeader.flags")
        code = QueueCode(getattr(flags, f"{role}_code")) if flags is not None else None
        match value:
            case str():
                return f"DIRECT={value.rstrip(chr(0))}"
            case UUID():
                return f"PUBLIC={value}"
            case int():
                return _private(value, code, around)
        return None

    return tell


def _private(number: int, code: QueueCode | None, around: Surroundings) -> str:
    well_known = f", the {_WELL_KNOWN_QUEUES[number]}" if number in _WELL_KNOWN_QUEUES else ""
    hosts = {
        QueueCode.PRIVATE_ON_SOURCE: around.get("UserHeader.source_queue_manager"),
        QueueCode.PRIVATE_ON_DESTINATION: around.get("UserHeader.queue_manager_address"),
    }
    host = hosts.get(code) if code is not None else None
    if host is None or host == NULL_GUID:
        return f"private queue {number} on the queue manager that hosts the administration queue or gets the message{well_known}"
    return f"{PrivateName(host, number)}{well_known}"


def _elsewhere(role: str) -> Callable[[Any, Surroundings], str | None]:
    def tell(value: Any, around: Surroundings) -> str | None:
        lineage = around.get(f"UserHeader.{role}_queue.lineage")
        return str(PrivateName(lineage, value)) if lineage is not None else None

    return tell


def _sender(value: Any, around: Surroundings) -> str | None:
    flags = around.get("SecurityHeader.flags")
    kind = SenderIdType(flags.sender_id_type) if flags is not None else SenderIdType.NONE
    if kind == SenderIdType.QUEUE_MANAGER and len(value) == 16:
        return f"queue manager {UUID(bytes_le=value)}"
    try:
        sid = Sid.read_all(value)
    except MsmqError:
        return "not a SID"
    return f"{sid} ({sid.name})" if sid.name else str(sid)


def _body(value: Any, around: Surroundings) -> str | None:
    """The first words of a body that is text."""
    kind = around.get("MessagePropertiesHeader.body_type")
    wide = kind in (VarType.VT_BSTR, VarType.VT_LPWSTR) or (len(value) >= 4 and len(value) % 2 == 0 and not any(value[1:64:2]))
    try:
        text = from_wide(value[: 2 * _PREVIEW]) if wide else value[:_PREVIEW].decode()
    except UnicodeDecodeError:
        return None
    if not text or not all(character.isprintable() or character in "\r\n\t\0" for character in text):
        return None
    more = "…" if len(value) > (2 * _PREVIEW if wide else _PREVIEW) else ""
    return f'"{text.rstrip(chr(0))}{more}"'


def _correlation(value: Any, around: Surroundings) -> str:
    return "none" if not any(value) else f"message {ObjectId.read_all(value).plain}"


def _certificate(value: Any, around: Surroundings) -> str:
    return "an X.509 certificate in DER"


# Groups of a word that hold a number from a table.
_GROUP_VALUES: dict[tuple[str, str], type[IntEnum]] = {
    ("UserHeader.flags", "delivery_mode"): DeliveryMode,
    ("UserHeader.flags", "destination_code"): QueueCode,
    ("UserHeader.flags", "admin_code"): QueueCode,
    ("UserHeader.flags", "response_code"): QueueCode,
    ("SecurityHeader.flags", "sender_id_type"): SenderIdType,
    ("SecurityHeader.flags", "signature_verified"): AuthenticationSignature,
}


def _groups(where: str, word: Bits) -> str:
    """The groups that are set, by name."""
    told = []
    for group in word.GROUPS:
        value = getattr(word, group.name)
        table = _GROUP_VALUES.get((where, group.name))
        name = group.name.replace("_", " ")
        if table is not None and (value or group.name == "delivery_mode"):
            told.append(f"{name} {table(value).name.replace('_', ' ').lower()}")
        elif value:
            told.append(name if group.width == 1 else f"{name} {value}")
    return ", ".join(told) or "none set"


def _variant_type(value: Any, around: Surroundings) -> str:
    return type_name(value)


def _version(value: Any, around: Surroundings) -> str | None:
    return "the only version" if value == 0x10 else None


def _signature(value: Any, around: Surroundings) -> str | None:
    return '"LIOR"' if value == 0x524F494C else None


_SPECIAL: dict[str, Callable[[Any, Surroundings], str | None]] = {
    "BaseHeader.version_number": _version,
    "BaseHeader.signature": _signature,
    "BaseHeader.time_to_reach_queue": _seconds,
    "UserHeader.time_to_be_received": _seconds,
    "UserHeader.sent_time": _moment,
    "UserHeader.destination_queue": _queue("destination"),
    "UserHeader.admin_queue": _queue("admin"),
    "UserHeader.response_queue": _queue("response"),
    "UserHeader.admin_queue.uniquifier": _elsewhere("admin"),
    "UserHeader.response_queue.uniquifier": _elsewhere("response"),
    "SecurityHeader.security_id": _sender,
    "SecurityHeader.sender_cert": _certificate,
    "MessagePropertiesHeader.message_class": _class,
    "MessagePropertiesHeader.body_type": _variant_type,
    "MessagePropertiesHeader.correlation_id": _correlation,
    "MessagePropertiesHeader.message_body": _body,
    "SubqueueHeader.last_move_time": _moment,
    "TA_ADDRESS.AddressType": lambda value, around: AddressType(value).name,
}
