"""The local queue manager as a whole: who it is and what it holds, its quotas, its disk, and whether it talks to others."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from msmqctl.errors import StatusError
from msmqctl.ops.hosted import Kind, hosted_queues, kind_of
from msmqctl.ops.queue_rows import kilobytes
from msmqctl.ops.rehearsal import rehearsed
from msmqctl.ops.status import illegal
from msmqctl.qm.host import Desk
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.model import UNLIMITED_QUOTA, DirectoryOperationResult
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.status import HResult

# A quota that is never reached.
UNLIMITED = UNLIMITED_QUOTA


@dataclass(frozen=True, slots=True)
class ManagerDetails:
    """The local queue manager, and the sums over all its queues."""

    computer: str
    qualified_name: str
    identifier: UUID
    state: str
    connected: bool
    store: str
    directory_integrated: bool
    quota_kb: int | None
    journal_quota_kb: int | None
    queues: int
    outgoing_queues: int
    messages: int
    bytes: int
    dead_letters: int
    transactional_dead_letters: int
    journal_messages: int
    transactions: int


@dataclass(frozen=True, slots=True)
class Flushed:
    """How many octets were in the log beside the store, and are in the store now."""

    store: str
    bytes: int


def show_manager(desk: Desk) -> ManagerDetails:
    """The queue manager and what it holds. No message is looked at."""
    return desk.do(lambda manager, now: _details(manager))


def _details(manager: QueueManager) -> ManagerDetails:
    local, store = manager.local, manager.store
    rows = list(store.queues())
    kinds = [kind_of(queue) for _, queue in hosted_queues(rows, store.path)]
    messages = {row.id: row.messages for row in rows}
    return ManagerDetails(
        computer=local.computer_name,
        qualified_name=local.qualified_computer_name,
        identifier=local.identifier,
        state=local.queue_manager_state.value,
        connected=local.connection_active,
        store=store.path,
        directory_integrated=local.directory_integrated,
        quota_kb=kilobytes(local.queue_manager_quota),
        journal_quota_kb=kilobytes(local.journal_quota),
        queues=sum(kind in (Kind.PRIVATE, Kind.PUBLIC) for kind in kinds),
        outgoing_queues=len(rows) - len(kinds),
        messages=sum(messages.values()),
        bytes=store.total_bytes(),
        dead_letters=messages.get(local.system_deadletter_queue or 0, 0),
        transactional_dead_letters=messages.get(local.system_transactional_deadletter_queue or 0, 0),
        journal_messages=messages.get(local.system_journal_queue or 0, 0),
        transactions=len(local.transaction_collection),
    )


def set_manager(desk: Desk, *, quota_kb: int | None = None, journal_quota_kb: int | None = None, rehearse: bool = False) -> ManagerDetails:
    """Change quotas and tell how the queue manager is then. None leaves one as it is, UNLIMITED makes it never reached.

    The first is for all queues together, the second for the journal of what was sent from here. [MS-MQDMPR] 3.1.1.1
    """
    wanted = {"queue_manager_quota": _quota("quota", quota_kb), "journal_quota": _quota("journal-quota", journal_quota_kb)}
    given = {name: quota for name, quota in wanted.items() if quota is not None}

    def work(manager: QueueManager, now: datetime) -> ManagerDetails:
        with manager.call():
            manager.assign(manager.local, **given, modify_time=int(now.timestamp()))
            manager.save_manager()
            if manager.local.directory_integrated and manager.write_directory(manager.local) is not DirectoryOperationResult.SUCCESS:
                problem = "the directory could not be told, and nothing was changed."
                raise StatusError(problem, status=HResult.MQ_ERROR_NO_DS, operation="set queue manager", hint="try again when it answers.")
        return _details(manager)

    return rehearsed(desk, work, rehearse=rehearse)


def _quota(option: str, limit: int | None) -> int | None:
    if limit is not None and not 0 <= limit <= UNLIMITED:
        raise illegal(option, f"{limit} is not between 0 and {UNLIMITED - 1} KB", hint="run: msmqctl qm set --help")
    return limit


def flush_manager(desk: Desk) -> Flushed:
    """Force all that was committed to the disk, express messages too, and into the one file of the store."""
    return desk.do(lambda manager, now: Flushed(manager.store.path, manager.store.checkpoint()))


def connect_manager(desk: Desk) -> ManagerDetails:
    """Exchange messages with other queue managers, from now on and after the next start. [MS-MQDMPR] 3.1.4.13"""

    def work(manager: QueueManager, now: datetime) -> ManagerDetails:
        manager.bring_online()
        return _details(manager)

    return desk.do(work)


def disconnect_manager(desk: Desk) -> ManagerDetails:
    """Exchange none, until `connect_manager`. [MS-MQDMPR] 3.1.4.12"""

    def work(manager: QueueManager, now: datetime) -> ManagerDetails:
        manager.take_offline()
        return _details(manager)

    return desk.do(work)
