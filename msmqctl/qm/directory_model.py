"""The queue manager itself, and what the directory tells of its surroundings: enterprise, sites, links, users. [MS-MQDMPR] 3.1.1

References are identifiers. Those that the document puts in two places, as a list in the directory and as a collection here, are held to
its rule at every assignment: widen the list first and the collection after it, and go the other way to narrow them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any
from uuid import UUID

from msmqctl.qm.element import (
    DirectoryObject,
    Fault,
    Value,
    between,
    directory,
    distinct,
    element,
    member_of,
    missing_from,
    optional,
    persistent,
    value,
    volatile,
)
from msmqctl.qm.model import UNLIMITED_QUOTA, DispatchEntry, QueueKey
from msmqctl.wire.keys import ProviderKey, UserCertificate
from msmqctl.wire.security import SecurityDescriptor
from msmqctl.wire.sid import Sid

DIGEST_SIZE = 16
LOWEST_COST, HIGHEST_COST = 1, 999_999
INITIAL_RETRY_SECONDS = 120
# Departs from [MS-MQDMPR] 3.1.1.1: QueueManagerQuota counts kilobytes like the other quotas, because a megabyte in all is too little.
DEFAULT_QUEUE_MANAGER_QUOTA = 0x00100000


class OperatingSystemType(StrEnum):
    """What a queue manager runs on. [MS-MQDMPR] 3.1.1.1"""

    FOREIGN = "Foreign"
    WIN95 = "Win95"
    WIN_CLIENT = "WinClient"
    WIN_SERVER = "WinServer"
    WIN_ENT = "WinEnt"
    OTHER = "Other"


class DirectoryServerType(StrEnum):
    """Which part a directory server has in an MSMQ enterprise. [MS-MQDMPR] 3.1.1.1"""

    STANDALONE = "Standalone"
    BACKUP_SITE_CONTROLLER = "BackupSiteController"
    PRIMARY_SITE_CONTROLLER = "PrimarySiteController"
    PRIMARY_ENTERPRISE_CONTROLLER = "PrimaryEnterpriseController"


class QueueManagerState(StrEnum):
    """How far a queue manager has come with starting or stopping. [MS-MQDMPR] 3.1.1.1"""

    STOPPED = "Stopped"
    INITIALIZING = "Initializing"
    READY = "Ready"
    STOPPING = "Stopping"


@element
class Enterprise(DirectoryObject):
    """All queue managers that share one directory. [MS-MQDMPR] 3.1.1.6"""

    name: str = directory(default="")
    weakened_security: bool = directory(default=False)
    non_ldap_capable_queue_manager_notification: bool = directory(default=False)
    default_time_to_live: int = directory(default=0)
    old_directory: bool = directory(default=False)
    security: SecurityDescriptor | None = directory(default=None)


@element
class Site(DirectoryObject):
    """Queue managers that reach each other cheaply. [MS-MQDMPR] 3.1.1.7"""

    name: str = directory(default="")
    primary_site_controller: str = directory(default="")
    intra_site_replication_interval: int = directory(default=0)
    inter_site_replication_interval: int = directory(default=0)
    full_path: str = directory(default="")
    foreign_site: bool = directory(default=False)
    public_signing_key_list: tuple[ProviderKey, ...] = directory(default=())
    migrated_from_msmq10: bool = directory(default=False)
    security: SecurityDescriptor | None = directory(default=None)
    site_gate_collection: frozenset[UUID] = volatile(default=frozenset())


@element
class RoutingLink(DirectoryObject):
    """What it costs to go from one site to another, and through which gates. [MS-MQDMPR] 3.1.1.8"""

    description: str = directory(default="")
    full_path: str = directory(default="")
    actual_cost: int = directory(check=between(LOWEST_COST, HIGHEST_COST))
    site1_identifier: UUID = directory()
    site2_identifier: UUID = directory()
    site_gate_identifier_list: tuple[UUID, ...] = directory(default=())
    site1_reference: UUID | None = volatile(default=None)
    site2_reference: UUID | None = volatile(default=None)
    site_gate_collection: frozenset[UUID] = volatile(default=frozenset())

    def _joint_fault(self, name: str, value: Any) -> Fault:
        match name:
            case "site1_reference" | "site2_reference":
                linked = getattr(self, name.replace("reference", "identifier"))
                return None if value in (None, linked) else f"{value} is not the site {linked} of this link"
            case "site1_identifier" | "site2_identifier":
                referred = getattr(self, name.replace("identifier", "reference"), None)
                return None if referred in (None, value) else f"the link still refers to the site {referred}"
            case "site_gate_collection":
                return missing_from(self.site_gate_identifier_list, value)
            case "site_gate_identifier_list":
                return missing_from(value, getattr(self, "site_gate_collection", ()))
        return None


@element
class ConnectedNetwork(DirectoryObject):
    """A network whose queue managers can reach each other directly. [MS-MQDMPR] 3.1.1.9"""

    name: str = directory(default="")
    security: SecurityDescriptor | None = directory(default=None)


def _digests(digests: tuple[bytes, ...]) -> Fault:
    wrong = next((digest for digest in digests if len(digest) != DIGEST_SIZE), None)
    return None if wrong is None else f"a digest has {DIGEST_SIZE} octets, not {len(wrong)}"


@element
class User(DirectoryObject):
    """Somebody who sends signed messages. [MS-MQDMPR] 3.1.1.15"""

    security_identifier: Sid = directory()
    # The MD5 of each certificate as encoded.
    certificate_digest_list: tuple[bytes, ...] = directory(default=(), check=_digests)
    certificates: tuple[UserCertificate, ...] = directory(default=())


@value
class InternalCertificate(Value):
    """A certificate that the queue manager made for a user. [MS-MQDMPR] 3.1.1.19"""

    certificate: bytes = volatile()
    user: UUID = volatile()


def _one_a_user(certificates: tuple[InternalCertificate, ...]) -> Fault:
    return None if distinct(certificate.user for certificate in certificates) else "two certificates for one user"


# Collections that hold nothing but what their list in the directory names. [MS-MQDMPR] 3.1.1.1
_LIST_OF_COLLECTION = {
    "site_collection": "site_identifier_list",
    "out_routing_server_collection": "out_routing_server_identifier_list",
    "in_routing_server_collection": "in_routing_server_identifier_list",
}
_COLLECTION_OF_LIST = {listed: collection for collection, listed in _LIST_OF_COLLECTION.items()}


@element
class QueueManager(DirectoryObject):
    """A queue manager: the one that runs here, or another as the directory describes it. [MS-MQDMPR] 3.1.1.1"""

    computer_name: str = directory(default="")
    # A version of MSMQ on old systems; empty on all since.
    queue_manager_version: str = directory(default="")
    operating_system_version: str = directory(default="")
    operating_system_type: OperatingSystemType = directory(default=OperatingSystemType.OTHER, check=member_of(OperatingSystemType))
    qualified_computer_name: str = directory(default="")
    create_time: int = directory(default=0)
    modify_time: int = directory(default=0)
    queue_manager_quota: int = directory(default=DEFAULT_QUEUE_MANAGER_QUOTA, check=between(0, UNLIMITED_QUOTA))
    journal_quota: int = directory(default=UNLIMITED_QUOTA, check=between(0, UNLIMITED_QUOTA))
    foreign_system: bool = directory(default=False)
    full_path: str = directory(default="")
    site_identifier_list: tuple[UUID, ...] = directory(default=())
    connected_network_identifier_list: tuple[UUID, ...] = directory(default=())
    out_routing_server_identifier_list: tuple[UUID, ...] = directory(default=())
    in_routing_server_identifier_list: tuple[UUID, ...] = directory(default=())
    directory_server: bool = directory(default=False)
    remote_access_server: bool = directory(default=False)
    routing_server: bool = directory(default=False)
    supporting_server: bool = directory(default=False)
    # Means nothing unless `directory_server`: ask `directory_role`.
    directory_server_type: DirectoryServerType | None = directory(default=None, check=optional(member_of(DirectoryServerType)))
    public_encryption_key_list: tuple[ProviderKey, ...] = directory(default=())
    public_signing_key_list: tuple[ProviderKey, ...] = directory(default=())
    security: SecurityDescriptor | None = directory(default=None)
    clustered: bool = directory(default=False)

    machine_domain_id: UUID | None = volatile(default=None)
    # The domain of the last start; None when there was none.
    last_domain: UUID | None = persistent(default=None)
    directory_server_list: tuple[str, ...] = persistent(default=())
    # False in a workgroup, where there is no directory that could be offline.
    directory_integrated: bool = persistent(default=False)
    srmp_http_support: bool = persistent(default=False)
    srmp_pgm_support: bool = persistent(default=False)
    directory_offline: bool = volatile(default=False)
    throttled: bool = volatile(default=False)
    connection_active: bool = volatile(default=False)
    hardened_security: bool = persistent(default=False)
    queue_manager_state: QueueManagerState = volatile(default=QueueManagerState.STOPPED, check=member_of(QueueManagerState))

    system_deadletter_queue: QueueKey | None = volatile(default=None)
    system_transactional_deadletter_queue: QueueKey | None = volatile(default=None)
    system_journal_queue: QueueKey | None = volatile(default=None)
    # Departs from [MS-MQDMPR] 3.1.1.1: the collection of queues is persistent, because private queues are known nowhere else.
    queue_collection: set[QueueKey] = persistent(default_factory=set)
    site_collection: frozenset[UUID] = volatile(default=frozenset())
    # The other way round: each network that the list names is in the collection, which may know more.
    connected_network_collection: frozenset[UUID] = volatile(default=frozenset())
    transaction_collection: set[UUID] = persistent(default_factory=set)
    out_routing_server_collection: frozenset[UUID] = volatile(default=frozenset())
    in_routing_server_collection: frozenset[UUID] = volatile(default=frozenset())
    enterprise_reference: UUID | None = volatile(default=None)
    initialization_retry_timer_duration: int = persistent(default=INITIAL_RETRY_SECONDS)
    sequential_id: int = persistent(default=0, check=between(0, 0xFFFFFFFFFFFFFFFF))
    dispatch_collection: list[DispatchEntry] = volatile(default_factory=list)
    internal_certificate_collection: tuple[InternalCertificate, ...] = volatile(default=(), check=_one_a_user)

    @property
    def directory_role(self) -> DirectoryServerType | None:
        """Which kind of directory server it is; None when it is none, whatever its type says. [MS-MQDMPR] 3.1.1.1"""
        return self.directory_server_type if self.directory_server else None

    def _joint_fault(self, name: str, value: Any) -> Fault:
        if name in _LIST_OF_COLLECTION:
            return missing_from(getattr(self, _LIST_OF_COLLECTION[name]), value)
        if name in _COLLECTION_OF_LIST:
            return missing_from(value, getattr(self, _COLLECTION_OF_LIST[name], ()))
        match name:
            case "connected_network_collection":
                unknown = set(self.connected_network_identifier_list).difference(value)
            case "connected_network_identifier_list":
                unknown = set(value).difference(getattr(self, "connected_network_collection", value))
            case "directory_offline":
                return "there is no directory in a workgroup" if value and not self.directory_integrated else None
            case "directory_integrated":
                return "the directory is offline" if not value and getattr(self, "directory_offline", False) else None
            case _:
                return None
        return f"{', '.join(sorted(map(str, unknown)))} not in the collection of networks" if unknown else None
