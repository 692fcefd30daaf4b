"""How a packet names the queues of a message: format names to the codes of the UserHeader and back. [MS-MQMQ] 2.2.19.2

code                      octets     destination  administration  response
0 none                    -          yes          yes             yes
1 same as administration  -          -            -               yes
2 private, source         u32        -            yes             yes
3 private, destination    u32        yes          yes             yes
4 private, admin's host   u32        -            -               yes
5 public                  GUID       yes          yes             yes
6 private, elsewhere      OBJECTID   -            yes             yes
7 direct                  text       yes          yes             yes
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeAlias
from uuid import UUID

from msmqctl.errors import DecodeError, StatusError
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.names import DirectName, FormatName, PrivateName, PublicName, Suffix, parse_direct
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.status import HResult
from msmqctl.wire.values import QueueCode

PacketValue: TypeAlias = int | UUID | ObjectId | str | None


class Role(Enum):
    """Which of a message's queues; the value is the field of the UserHeader."""

    DESTINATION = "DestinationQueue"
    ADMIN = "AdminQueue"
    RESPONSE = "ResponseQueue"

    @property
    def codes(self) -> frozenset[QueueCode]:
        """The codes this field may have. [MS-MQMQ] 2.2.19.2"""
        return _CODES[self]


_DESTINATION_CODES = frozenset({QueueCode.NONE, QueueCode.PRIVATE_ON_DESTINATION, QueueCode.PUBLIC, QueueCode.DIRECT})
_ADMIN_CODES = _DESTINATION_CODES | {QueueCode.PRIVATE_ON_SOURCE, QueueCode.PRIVATE_ELSEWHERE}
_CODES = {
    Role.DESTINATION: _DESTINATION_CODES,
    Role.ADMIN: _ADMIN_CODES,
    Role.RESPONSE: _ADMIN_CODES | {QueueCode.SAME_AS_ADMIN, QueueCode.PRIVATE_ON_ADMIN_HOST},
}


class QueueReference(NamedTuple):
    """A queue as a packet has it: the code in the flags, and what the field holds."""

    code: QueueCode
    value: PacketValue


NO_QUEUE = QueueReference(QueueCode.NONE, None)


def queue_manager_address(destination: FormatName, owner: UUID | None = None) -> UUID:
    """UserHeader.QueueManagerAddress for a message to `destination`; `owner` is the queue manager that has a public queue.

    [MS-MQMQ] 2.2.19.2
    """
    match _sendable(destination):
        case PrivateName(lineage=lineage):
            return lineage
        case DirectName():
            return NULL_GUID
        case PublicName() if owner is not None:
            return owner
        case _:
            raise ValueError(f"the queue manager that owns {destination} must be given")


def packet_reference(
    name: FormatName | None, role: Role, *, source: UUID, destination: UUID | None = None, admin: FormatName | None = None
) -> QueueReference:
    """Code and value for one queue of a message from `source` to `destination`, the first that fits. [MS-MQMQ] 2.2.19.2

    `destination` is None or the null GUID when the message goes to a direct name; `admin` matters for the response queue alone.
    """
    if name is None:
        return NO_QUEUE
    match _sendable(name):
        case PublicName(guid=guid):
            return QueueReference(QueueCode.PUBLIC, guid)
        case DirectName(without_prefix=text):
            return QueueReference(QueueCode.DIRECT, text)
        case PrivateName() as private if role is Role.DESTINATION:
            return QueueReference(QueueCode.PRIVATE_ON_DESTINATION, private.number)
        case private:
            return _private_reference(private, role, source, destination, admin)


def _private_reference(name: PrivateName, role: Role, source: UUID, destination: UUID | None, admin: FormatName | None) -> QueueReference:
    if role is Role.RESPONSE and name == admin:
        return QueueReference(QueueCode.SAME_AS_ADMIN, None)
    hosts = [(QueueCode.PRIVATE_ON_SOURCE, source), (QueueCode.PRIVATE_ON_DESTINATION, destination)]
    if role is Role.RESPONSE and isinstance(admin, PrivateName):
        hosts.append((QueueCode.PRIVATE_ON_ADMIN_HOST, admin.lineage))
    # The null GUID stands for "not known" in a packet, so it is no host that a short code could mean.
    codes = [code for code, host in hosts if name.lineage == host != NULL_GUID]
    return QueueReference(codes[0], name.number) if codes else QueueReference(QueueCode.PRIVATE_ELSEWHERE, name.object_id)


def _sendable(name: FormatName) -> PublicName | PrivateName | DirectName:
    """The name, if a packet can hold it: lists are expanded before, multicast travels as SRMP, the rest is read only."""
    if isinstance(name, PublicName | PrivateName | DirectName) and name.suffix is Suffix.NONE:
        return name
    raise StatusError(
        f"{name} cannot be addressed by a packet: it is no single queue that messages can be sent to",
        status=HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION,
        operation="address message",
        hint=r"use PUBLIC=, PRIVATE= or DIRECT= without a suffix, as in DIRECT=OS:host\private$\orders",
    )


def name_from_packet(
    reference: QueueReference,
    role: Role,
    *,
    source: UUID,
    destination: UUID | None,
    receiver: UUID,
    admin: FormatName | None = None,
    admin_host: UUID | None = None,
) -> FormatName | None:
    """The name of one queue of a message that `receiver` got: the table read backwards. [MS-MQMQ] 2.2.19.2

    `destination` is the packet's QueueManagerAddress; give None for a packet got by remote read, where the field means something
    else. `admin` is the administration queue already resolved, `admin_host` the queue manager that has it, if that is known.
    """
    code, value = reference
    if code not in role.codes:
        raise _fault(role, f"code {int(code)} is not allowed here")
    # A direct destination leaves the address null: then "on the destination" is where the packet arrived.
    hosts = {
        QueueCode.PRIVATE_ON_SOURCE: source,
        QueueCode.PRIVATE_ON_DESTINATION: receiver if destination in (None, NULL_GUID) else destination,
        QueueCode.PRIVATE_ON_ADMIN_HOST: admin.lineage if isinstance(admin, PrivateName) else admin_host,
    }
    match code, value:
        case QueueCode.NONE, None:
            return None
        case QueueCode.SAME_AS_ADMIN, None:
            return admin
        case QueueCode.PUBLIC, UUID() as guid:
            return PublicName(guid)
        case QueueCode.PRIVATE_ELSEWHERE, ObjectId() as queue:
            return PrivateName(queue.lineage, queue.uniquifier)
        case QueueCode.DIRECT, str() as text:
            return _direct(text, role)
        case ((QueueCode.PRIVATE_ON_SOURCE | QueueCode.PRIVATE_ON_DESTINATION | QueueCode.PRIVATE_ON_ADMIN_HOST), int() as number):
            if (host := hosts[code]) is None:
                raise _fault(role, "the queue manager of the administration queue is not known")
            return PrivateName(host, number)
    raise TypeError(f"code {int(code)} does not go with {value!r}")


def _direct(text: str, role: Role) -> DirectName:
    try:
        return parse_direct(text)
    except StatusError as error:
        raise DecodeError(error.message, where=f"UserHeader.{role.value}", offset=0, hint=error.hint) from error


def _fault(role: Role, problem: str) -> DecodeError:
    return DecodeError(problem, where=f"UserHeader.{role.value}", offset=0)
