"""What an access mask says: the rights on the five kinds of MSMQ objects, exactly as named, and the rights all objects share.

[MS-MQMQ] 2.2.3 and 2.2.23 to 2.2.27 for MSMQ, [MS-DTYP] 2.4.3 for the mask itself. Who gets them is decided in `access`.
"""

from __future__ import annotations

from enum import Enum, IntFlag

from msmqctl.wire.dataclass import dataclass


class SecurityInformation(IntFlag):
    """Which parts of a security descriptor a call reads or writes. [MS-MQMQ] 2.2.3"""

    OWNER_SECURITY_INFORMATION = 0x00000001
    GROUP_SECURITY_INFORMATION = 0x00000002
    DACL_SECURITY_INFORMATION = 0x00000004
    SACL_SECURITY_INFORMATION = 0x00000008


class AccessMask(IntFlag):
    """The upper half of every mask, the same for all objects; the lower half belongs to the kind of object. [MS-DTYP] 2.4.3"""

    DELETE = 0x00010000
    READ_CONTROL = 0x00020000
    WRITE_DAC = 0x00040000
    WRITE_OWNER = 0x00080000
    SYNCHRONIZE = 0x00100000
    ACCESS_SYSTEM_SECURITY = 0x01000000
    MAXIMUM_ALLOWED = 0x02000000
    GENERIC_ALL = 0x10000000
    GENERIC_EXECUTE = 0x20000000
    # Departs from [MS-DTYP] 2.4.3: GENERIC_WRITE lost a digit in print there, the value is the one of 2.5.1.1.
    GENERIC_WRITE = 0x40000000
    GENERIC_READ = 0x80000000


class QueueRights(IntFlag):
    """Rights on a queue. [MS-MQMQ] 2.2.24"""

    MQSEC_DELETE_MESSAGE = 0x00000001
    MQSEC_PEEK_MESSAGE = 0x00000002
    MQSEC_WRITE_MESSAGE = 0x00000004
    MQSEC_DELETE_JOURNAL_MESSAGE = 0x00000008
    MQSEC_SET_QUEUE_PROPERTIES = 0x00000010
    MQSEC_GET_QUEUE_PROPERTIES = 0x00000020
    MQSEC_DELETE_QUEUE = 0x00010000
    MQSEC_GET_QUEUE_PERMISSIONS = 0x00020000
    MQSEC_CHANGE_QUEUE_PERMISSIONS = 0x00040000
    MQSEC_TAKE_QUEUE_OWNERSHIP = 0x00080000
    MQSEC_RECEIVE_MESSAGE = MQSEC_DELETE_MESSAGE | MQSEC_PEEK_MESSAGE
    MQSEC_RECEIVE_JOURNAL_MESSAGE = MQSEC_DELETE_JOURNAL_MESSAGE | MQSEC_PEEK_MESSAGE
    MQSEC_QUEUE_GENERIC_READ = (
        MQSEC_GET_QUEUE_PROPERTIES | MQSEC_GET_QUEUE_PERMISSIONS | MQSEC_RECEIVE_MESSAGE | MQSEC_RECEIVE_JOURNAL_MESSAGE
    )
    MQSEC_QUEUE_GENERIC_WRITE = MQSEC_GET_QUEUE_PROPERTIES | MQSEC_GET_QUEUE_PERMISSIONS | MQSEC_WRITE_MESSAGE
    MQSEC_QUEUE_GENERIC_ALL = (
        MQSEC_RECEIVE_MESSAGE
        | MQSEC_RECEIVE_JOURNAL_MESSAGE
        | MQSEC_WRITE_MESSAGE
        | MQSEC_SET_QUEUE_PROPERTIES
        | MQSEC_GET_QUEUE_PROPERTIES
        | MQSEC_DELETE_QUEUE
        | MQSEC_GET_QUEUE_PERMISSIONS
        | MQSEC_CHANGE_QUEUE_PERMISSIONS
        | MQSEC_TAKE_QUEUE_OWNERSHIP
    )


class MachineRights(IntFlag):
    """Rights on a queue manager. [MS-MQMQ] 2.2.23"""

    MQSEC_DELETE_DEADLETTER_MESSAGE = 0x00000001
    MQSEC_PEEK_DEADLETTER_MESSAGE = 0x00000002
    MQSEC_CREATE_QUEUE = 0x00000004
    MQSEC_SET_MACHINE_PROPERTIES = 0x00000010
    MQSEC_GET_MACHINE_PROPERTIES = 0x00000020
    MQSEC_DELETE_JOURNAL_QUEUE_MESSAGE = 0x00000040
    MQSEC_PEEK_JOURNAL_QUEUE_MESSAGE = 0x00000080
    MQSEC_DELETE_MACHINE = 0x00010000
    MQSEC_GET_MACHINE_PERMISSIONS = 0x00020000
    MQSEC_CHANGE_MACHINE_PERMISSIONS = 0x00040000
    MQSEC_TAKE_MACHINE_OWNERSHIP = 0x00080000
    MQSEC_RECEIVE_DEADLETTER_MESSAGE = MQSEC_DELETE_DEADLETTER_MESSAGE | MQSEC_PEEK_DEADLETTER_MESSAGE
    MQSEC_RECEIVE_JOURNAL_QUEUE_MESSAGE = MQSEC_DELETE_JOURNAL_QUEUE_MESSAGE | MQSEC_PEEK_JOURNAL_QUEUE_MESSAGE
    MQSEC_MACHINE_GENERIC_READ = (
        MQSEC_GET_MACHINE_PROPERTIES
        | MQSEC_GET_MACHINE_PERMISSIONS
        | MQSEC_RECEIVE_DEADLETTER_MESSAGE
        | MQSEC_RECEIVE_JOURNAL_QUEUE_MESSAGE
    )
    MQSEC_MACHINE_GENERIC_WRITE = MQSEC_GET_MACHINE_PROPERTIES | MQSEC_GET_MACHINE_PERMISSIONS | MQSEC_CREATE_QUEUE
    MQSEC_MACHINE_GENERIC_ALL = (
        MQSEC_RECEIVE_DEADLETTER_MESSAGE
        | MQSEC_RECEIVE_JOURNAL_QUEUE_MESSAGE
        | MQSEC_CREATE_QUEUE
        | MQSEC_SET_MACHINE_PROPERTIES
        | MQSEC_GET_MACHINE_PROPERTIES
        | MQSEC_DELETE_MACHINE
        | MQSEC_GET_MACHINE_PERMISSIONS
        | MQSEC_CHANGE_MACHINE_PERMISSIONS
        | MQSEC_TAKE_MACHINE_OWNERSHIP
    )
    MQSEC_MACHINE_WORLD_RIGHTS = MQSEC_GET_MACHINE_PROPERTIES | MQSEC_GET_MACHINE_PERMISSIONS


class SiteRights(IntFlag):
    """Rights on a site. [MS-MQMQ] 2.2.25"""

    MQSEC_CREATE_FRS = 0x00000001
    MQSEC_CREATE_BSC = 0x00000002
    MQSEC_CREATE_MACHINE = 0x00000004
    MQSEC_SET_SITE_PROPERTIES = 0x00000010
    MQSEC_GET_SITE_PROPERTIES = 0x00000020
    MQSEC_DELETE_SITE = 0x00010000
    MQSEC_GET_SITE_PERMISSIONS = 0x00020000
    MQSEC_CHANGE_SITE_PERMISSIONS = 0x00040000
    MQSEC_TAKE_SITE_OWNERSHIP = 0x00080000
    MQSEC_SITE_GENERIC_READ = MQSEC_GET_SITE_PROPERTIES | MQSEC_GET_SITE_PERMISSIONS
    MQSEC_SITE_GENERIC_WRITE = MQSEC_GET_SITE_PROPERTIES | MQSEC_GET_SITE_PERMISSIONS | MQSEC_CREATE_MACHINE
    MQSEC_SITE_GENERIC_ALL = (
        MQSEC_CREATE_FRS
        | MQSEC_CREATE_BSC
        | MQSEC_CREATE_MACHINE
        | MQSEC_SET_SITE_PROPERTIES
        | MQSEC_GET_SITE_PROPERTIES
        | MQSEC_DELETE_SITE
        | MQSEC_GET_SITE_PERMISSIONS
        | MQSEC_CHANGE_SITE_PERMISSIONS
        | MQSEC_TAKE_SITE_OWNERSHIP
    )


class EnterpriseRights(IntFlag):
    """Rights on the enterprise. [MS-MQMQ] 2.2.26"""

    MQSEC_CREATE_USER = 0x00000001
    MQSEC_CREATE_SITE = 0x00000002
    MQSEC_CREATE_CN = 0x00000004
    MQSEC_SET_ENTERPRISE_PROPERTIES = 0x00000010
    MQSEC_GET_ENTERPRISE_PROPERTIES = 0x00000020
    MQSEC_DELETE_ENTERPRISE = 0x00010000
    MQSEC_GET_ENTERPRISE_PERMISSIONS = 0x00020000
    MQSEC_CHANGE_ENTERPRISE_PERMISSIONS = 0x00040000
    MQSEC_TAKE_ENTERPRISE_OWNERSHIP = 0x00080000
    MQSEC_ENTERPRISE_GENERIC_READ = MQSEC_CREATE_USER | MQSEC_GET_ENTERPRISE_PROPERTIES | MQSEC_GET_ENTERPRISE_PERMISSIONS
    MQSEC_ENTERPRISE_GENERIC_WRITE = (
        MQSEC_CREATE_USER | MQSEC_GET_ENTERPRISE_PROPERTIES | MQSEC_GET_ENTERPRISE_PERMISSIONS | MQSEC_CREATE_SITE | MQSEC_CREATE_CN
    )
    MQSEC_ENTERPRISE_GENERIC_ALL = (
        MQSEC_CREATE_USER
        | MQSEC_CREATE_CN
        | MQSEC_CREATE_SITE
        | MQSEC_SET_ENTERPRISE_PROPERTIES
        | MQSEC_GET_ENTERPRISE_PROPERTIES
        | MQSEC_DELETE_ENTERPRISE
        | MQSEC_GET_ENTERPRISE_PERMISSIONS
        | MQSEC_CHANGE_ENTERPRISE_PERMISSIONS
        | MQSEC_TAKE_ENTERPRISE_OWNERSHIP
    )


class ConnectedNetworkRights(IntFlag):
    """Rights on a connected network. The last name lacks its MQ in the document too. [MS-MQMQ] 2.2.27"""

    MQSEC_CN_OPEN_CONNECTOR = 0x00000001
    MQSEC_SET_CN_PROPERTIES = 0x00000010
    MQSEC_GET_CN_PROPERTIES = 0x00000020
    MQSEC_DELETE_CN = 0x00010000
    MQSEC_GET_CN_PERMISSIONS = 0x00020000
    MQSEC_CHANGE_CN_PERMISSIONS = 0x00040000
    MQSEC_TAKE_CN_OWNERSHIP = 0x00080000
    MQSEC_CN_GENERIC_READ = MQSEC_GET_CN_PROPERTIES | MQSEC_GET_CN_PERMISSIONS
    SEC_CN_GENERIC_ALL = (
        MQSEC_CN_OPEN_CONNECTOR
        | MQSEC_SET_CN_PROPERTIES
        | MQSEC_GET_CN_PROPERTIES
        | MQSEC_DELETE_CN
        | MQSEC_GET_CN_PERMISSIONS
        | MQSEC_CHANGE_CN_PERMISSIONS
        | MQSEC_TAKE_CN_OWNERSHIP
    )


# What a sender needs on the destination queue. [MS-MQMQ] 2.2.24
RIGHT_TO_SEND = QueueRights.MQSEC_WRITE_MESSAGE


@dataclass(frozen=True, slots=True)
class GenericMapping:
    """What the four generic rights stand for on one kind of object; None where the documents name nothing. [MS-DTYP] 2.4.3"""

    read: int | None
    write: int | None
    execute: int | None
    all: int

    def apply(self, mask: int) -> int:
        """`mask` with its generic rights replaced; one that stands for nothing stays, or asking for it would always succeed."""
        meanings = (
            (AccessMask.GENERIC_READ, self.read),
            (AccessMask.GENERIC_WRITE, self.write),
            (AccessMask.GENERIC_EXECUTE, self.execute),
            (AccessMask.GENERIC_ALL, self.all),
        )
        mapped = int(mask)
        for generic, meaning in meanings:
            if mask & generic and meaning is not None:
                mapped = mapped & ~int(generic) | int(meaning)
        return mapped


class ObjectKind(Enum):
    """The five kinds of objects that MSMQ protects, each with its table of rights."""

    QUEUE = "queue"
    MACHINE = "machine"
    SITE = "site"
    ENTERPRISE = "enterprise"
    CONNECTED_NETWORK = "connected network"

    @property
    def rights(self) -> type[IntFlag]:
        """The table of rights on such an object."""
        return _RIGHTS[self]

    @property
    def mapping(self) -> GenericMapping:
        """What the generic rights stand for on such an object."""
        return _MAPPINGS[self]


_RIGHTS: dict[ObjectKind, type[IntFlag]] = {
    ObjectKind.QUEUE: QueueRights,
    ObjectKind.MACHINE: MachineRights,
    ObjectKind.SITE: SiteRights,
    ObjectKind.ENTERPRISE: EnterpriseRights,
    ObjectKind.CONNECTED_NETWORK: ConnectedNetworkRights,
}

# No table has a composite for GENERIC_EXECUTE, and connected networks have none for GENERIC_WRITE.
_MAPPINGS = {
    ObjectKind.QUEUE: GenericMapping(
        read=QueueRights.MQSEC_QUEUE_GENERIC_READ,
        write=QueueRights.MQSEC_QUEUE_GENERIC_WRITE,
        execute=None,
        all=QueueRights.MQSEC_QUEUE_GENERIC_ALL,
    ),
    ObjectKind.MACHINE: GenericMapping(
        read=MachineRights.MQSEC_MACHINE_GENERIC_READ,
        write=MachineRights.MQSEC_MACHINE_GENERIC_WRITE,
        execute=None,
        all=MachineRights.MQSEC_MACHINE_GENERIC_ALL,
    ),
    ObjectKind.SITE: GenericMapping(
        read=SiteRights.MQSEC_SITE_GENERIC_READ,
        write=SiteRights.MQSEC_SITE_GENERIC_WRITE,
        execute=None,
        all=SiteRights.MQSEC_SITE_GENERIC_ALL,
    ),
    ObjectKind.ENTERPRISE: GenericMapping(
        read=EnterpriseRights.MQSEC_ENTERPRISE_GENERIC_READ,
        write=EnterpriseRights.MQSEC_ENTERPRISE_GENERIC_WRITE,
        execute=None,
        all=EnterpriseRights.MQSEC_ENTERPRISE_GENERIC_ALL,
    ),
    ObjectKind.CONNECTED_NETWORK: GenericMapping(
        read=ConnectedNetworkRights.MQSEC_CN_GENERIC_READ,
        write=None,
        execute=None,
        all=ConnectedNetworkRights.SEC_CN_GENERIC_ALL,
    ),
}


def describe(mask: int, kind: ObjectKind) -> tuple[str, ...]:
    """The names that make up `mask`, each bit named once: largest composites first, then what all objects share, then the rest in hex."""
    left = int(mask)
    names = []
    for name, value in _NAMES[kind]:
        if left & value == value:
            names.append(name)
            left &= ~value
    return (*names, f"0x{left:08X}") if left else tuple(names)


def _by_size(table: type[IntFlag]) -> list[tuple[str, int]]:
    """Names and values of a table, those with most bits first; among equals the document's order."""
    return sorted(((name, int(right)) for name, right in table.__members__.items()), key=lambda row: -row[1].bit_count())


_NAMES = {kind: (*_by_size(kind.rights), *_by_size(AccessMask)) for kind in ObjectKind}
