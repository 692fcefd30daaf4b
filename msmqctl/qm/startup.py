"""The queue manager starts: it learns who it is, meets the directory, and recovers what the last run left behind. [MS-MQDMPR] 3.1.3

    initialize    everything; needs functions that reach the surroundings
    recover       the part without surroundings, enough for a command that opens the store for a moment

Recovery in this order: system queues, states of outgoing queues, times that ran out, transactions, locks that nobody holds any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar
from uuid import UUID

from msmqctl.errors import DirectoryError
from msmqctl.qm import shelf
from msmqctl.qm.administration import OFFLINE, ON_HOLD, THIS_QUEUE_MANAGER, hold_key
from msmqctl.qm.core import Core
from msmqctl.qm.directory_joint import TIMER_DURATIONS, DirectoryTimer, Found, identified_by
from msmqctl.qm.directory_model import INITIAL_RETRY_SECONDS, Enterprise, QueueManager, QueueManagerState, Site
from msmqctl.qm.element import DirectoryObject, directory_attributes
from msmqctl.qm.expiry import timer_runs_in
from msmqctl.qm.model import DirectoryOperationResult, OutgoingQueue, OutgoingQueueState, PositionState, Queue, QueueType
from msmqctl.qm.store import BEFORE_ALL, PositionRow
from msmqctl.qm.surroundings import (
    KeyUse,
    MachineIdentity,
    Surroundings,
    answer_comes_later,
    domain_controllers_of,
    make_key_list,
)
from msmqctl.qm.transactions import Decision, Reenlist, abort_unit, commit_unit, settle_unit
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.names import Area, DirectName, FormatName, PathName, QueuePart
from msmqctl.wire.pathname import LOCAL_COMPUTER
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.values import INFINITE, MessageClass

_Item = TypeVar("_Item")
SUCCESS = DirectoryOperationResult.SUCCESS


# The document leaves the length of this timer to [MS-MQSO] 6.4.1.2; servers change about as seldom as sites do.
DIRECTORY_SERVER_LIST_UPDATE = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class StartResult:
    """Whether the queue manager is ready, and when to look for directory servers again; the other timers are in `directory_timers`."""

    ready: bool
    directory_server_list_update: datetime | None = None


class SystemQueue(NamedTuple):
    """A queue that every queue manager has, and where it refers to it."""

    key: str
    part: QueuePart
    reference: str | None = None
    number: int = 0
    transactional: bool = False


# The document names none of them. Applications know the first three; the last two are for queue managers alone.
SYSTEM_QUEUES = (
    SystemQueue("system$;deadletter", QueuePart("DEADLETTER", Area.SYSTEM), "system_deadletter_queue"),
    SystemQueue("system$;deadxact", QueuePart("DEADXACT", Area.SYSTEM), "system_transactional_deadletter_queue", transactional=True),
    SystemQueue("system$;journal", QueuePart("JOURNAL", Area.SYSTEM), "system_journal_queue"),
    SystemQueue("private$\\order_queue$", QueuePart("order_queue$", Area.PRIVATE), number=4),
    SystemQueue("private$\\notify_queue$", QueuePart("notify_queue$", Area.PRIVATE), number=3),
)


class Startup(Core):
    """The rules by which a queue manager begins and ends its work."""

    def queue_manager_started(self, now: datetime, surroundings: Surroundings) -> StartResult:
        """Start what was provisioned before. [MS-MQDMPR] 3.1.4.1"""
        return self.initialize(now, surroundings)

    def queue_manager_stopped(self) -> None:
        """Stop; protocols see it by the state. [MS-MQDMPR] 3.1.4.2"""
        with self.call():
            self.assign(self.local, queue_manager_state=QueueManagerState.STOPPED)

    def initialize(self, now: datetime, surroundings: Surroundings, *, provisioning: bool = False) -> StartResult:
        """Become ready; `provisioning` when the machine gets its queue manager just now. [MS-MQDMPR] 3.1.3

        A machine that cannot say who it is leaves everything as it was. Any other failure is raised.
        """
        identity = surroundings.machine_identity()
        if identity is None:
            return StartResult(ready=False)
        with self.call():
            self.assign(self.local, queue_manager_state=QueueManagerState.INITIALIZING)
            self._take_identity(identity)
            update = None
            if self.local.directory_integrated:
                if provisioning:
                    self._provision(surroundings, identity.dns_domain)
                    update = now + DIRECTORY_SERVER_LIST_UPDATE
                self._meet_directory(surroundings, provisioning=provisioning)
                self._start_directory_timers(now)
            self.recover(reenlist=surroundings.reenlist)
            # Departs from [MS-MQDMPR] 3.1.3: LastDomain is written when all went well, because no rule says who writes it.
            self.assign(self.local, last_domain=identity.domain_id, queue_manager_state=QueueManagerState.READY)
            self.save_manager()
            return StartResult(ready=True, directory_server_list_update=update)

    def recover(self, *, reenlist: Reenlist = answer_comes_later) -> None:
        """Bring the store into the state in which work can go on. [MS-MQDMPR] 3.1.3"""
        with self.call():
            if self.local.identifier == NULL_GUID:
                # Not taken back with the call: an identifier cannot change, and one that was never stored does no harm.
                self.local.identifier = self.new_guid()
                self.save_manager()
            self.assign(self.local, connection_active=self.store.note(OFFLINE, THIS_QUEUE_MANAGER) is None)
            self._recover_queues()
            self._settle_outgoing_queues()
            self._remember_overdue()
            self._settle_transactions(reenlist)
            self._release_locks_without_owner()

    # ---- who we are, and what the directory knows

    def _take_identity(self, identity: MachineIdentity) -> None:
        self.assign(
            self.local,
            machine_domain_id=identity.domain_id,
            computer_name=identity.computer_name,
            qualified_computer_name=identity.qualified_computer_name,
        )

    def _provision(self, surroundings: Surroundings, dns_domain: str) -> None:
        """What a queue manager in a domain gets once in its life."""
        local = self.local
        self.assign(local, initialization_retry_timer_duration=INITIAL_RETRY_SECONDS)
        if surroundings.site is not None:
            self.assign(local, site_identifier_list=_with(local.site_identifier_list, surroundings.site))
        servers = local.directory_server_list
        for host in surroundings.find_services(domain_controllers_of(dns_domain)):
            servers = _with(servers, host)
        self.assign(
            local,
            directory_server_list=servers,
            public_encryption_key_list=make_key_list(KeyUse.ENCRYPTION, surroundings.generate_key),
            public_signing_key_list=make_key_list(KeyUse.SIGNING, surroundings.generate_key),
        )

    def _meet_directory(self, surroundings: Surroundings, *, provisioning: bool) -> None:
        """Take over what the directory says about us, our sites and our enterprise."""
        # Departs from [MS-MQDMPR] 3.1.3: all reads and timers of the directory belong to machines in a domain, where there is one.
        answer = surroundings.read_directory(QueueManager, identified_by(self.local.identifier), None)
        if answer.status is SUCCESS:
            self._take_over(answer)
            self._meet_sites(surroundings)
        elif not (provisioning and answer.status is DirectoryOperationResult.OBJECT_NOT_FOUND):
            raise _unexpected(answer, "the queue manager")
        self._meet_enterprise(surroundings)

    def _take_over(self, answer: Found) -> None:
        """Copy what was read from the directory: never the identifier, and nothing that lives here alone."""
        nothing: frozenset[UUID] = frozenset()
        # Collections before the lists that rule over them; they fill again from what is read next.
        self.assign(self.local, site_collection=nothing, out_routing_server_collection=nothing, in_routing_server_collection=nothing)
        networks = self.local.connected_network_collection.union(getattr(answer.directory_object, "connected_network_identifier_list", ()))
        self.assign(self.local, connected_network_collection=networks)
        for name in directory_attributes(QueueManager):
            if name != "identifier" and name in answer.attributes:
                self.assign(self.local, **{name: getattr(answer.directory_object, name)})

    def _meet_sites(self, surroundings: Surroundings) -> None:
        for identifier in self.local.site_identifier_list:
            answer = surroundings.read_directory(Site, identified_by(identifier), None)
            if answer.status is SUCCESS and answer.directory_object is not None:
                self._know(identifier, answer.directory_object)
                self.assign(self.local, site_collection=self.local.site_collection | {identifier})

    def _meet_enterprise(self, surroundings: Surroundings) -> None:
        answer = surroundings.read_directory(Enterprise, None, ("non_ldap_capable_queue_manager_notification",))
        found = answer.directory_object
        if answer.status is DirectoryOperationResult.ATTRIBUTE_NOT_FOUND:
            found = Enterprise(identifier=self.new_guid(), non_ldap_capable_queue_manager_notification=True)
        elif answer.status is not SUCCESS or found is None:
            raise _unexpected(answer, "the enterprise")
        self._know(found.identifier, found)
        self.assign(self.local, enterprise_reference=found.identifier)

    def _know(self, identifier: UUID, found: DirectoryObject) -> None:
        self.assign(self, known=self.known | {identifier: found})

    def _start_directory_timers(self, now: datetime) -> None:
        started = (DirectoryTimer.SITES_UPDATE, DirectoryTimer.SITE_GATES_UPDATE)
        self.assign(self, directory_timers=self.directory_timers | {timer: now + TIMER_DURATIONS[timer] for timer in started})

    # ---- queues

    def _recover_queues(self) -> None:
        """Find the system queues, make those that are missing, and let every queue be in the collection again."""
        # Departs from [MS-MQDMPR] 3.1.3: system queues are made only once, because what they hold must survive a restart.
        for wanted in SYSTEM_QUEUES:
            row = self.store.queue_by_key(wanted.key)
            key = self._create_system_queue(wanted) if row is None else row.id
            if wanted.reference is not None:
                self.assign(self.local, **{wanted.reference: key})
        kept = self.local.queue_collection
        there = {row.id for row in self.store.queues() if row.parent is None or row.id in kept}
        if there != kept:
            self.assign(self.local, queue_collection=there)
            self.save_manager()

    def _create_system_queue(self, wanted: SystemQueue) -> int:
        queue = Queue(
            identifier=self.new_guid(),
            queue_type=QueueType.SYSTEM,
            pathname=PathName(self.local.computer_name or LOCAL_COMPUTER, wanted.part),
            private_queue_number=wanted.number,
            transactional=wanted.transactional,
            queue_manager=self.local.identifier,
        )
        number = self.store.add_queue(wanted.key, queue.queue_type.value, shelf.queue_attributes(queue))
        queue.key = number
        self.keep_queue(queue)
        self.must_last()
        return number

    def _settle_outgoing_queues(self) -> None:
        """Hardened security locks what does not go by HTTP; without it nothing stays locked. What was paused is on hold again."""
        hardened = self.local.hardened_security
        held = {key for key, _ in self.store.notes(ON_HOLD)}
        for number in sorted(self.local.queue_collection):
            queue = self.queue(number)
            if not isinstance(queue, OutgoingQueue):
                continue
            if hold_key(number) in held:
                self.assign(queue, state=OutgoingQueueState.ON_HOLD)
            if queue.state is OutgoingQueueState.LOCKED and not hardened:
                self.assign(queue, state=OutgoingQueueState.WAITING)
            elif hardened and not _goes_by_http(queue.destination_format_name):
                self.assign(queue, state=OutgoingQueueState.LOCKED)

    # ---- transactions and locks

    def _settle_transactions(self, reenlist: Reenlist) -> None:
        """Finish what was decided, ask the coordinator about what is in doubt, and abort the rest."""
        units = self.store.units()
        self.assign(self.local, transaction_collection={UUID(bytes=unit.identifier) for unit in units})
        for unit in units:
            # Departs from [MS-MQDMPR] 3.1.3: a commit that was cut off is finished, because some of it may have been seen already.
            if unit.decision == Decision.COMMIT:
                commit_unit(self, unit)
            elif unit.single_phase:
                abort_unit(self, unit)
            elif (outcome := reenlist(UUID(bytes=unit.identifier))) is not None:
                settle_unit(self, unit, outcome)

    def _remember_overdue(self) -> None:
        """Know again which held messages ran out of time, before anybody gives them back."""
        for position in self._held_positions():
            if self._ran_out_of_time(position):
                self.add(self.overdue, position.lookup)

    def _release_locks_without_owner(self) -> None:
        """Give back what a read in two phases held when the process ended; what is in doubt stays held."""
        # Departs from [MS-MQDMPR] 3.1.3: locks without an owner end at the start, because the reader that would end them is gone.
        for position in self._held_positions():
            if self.store.held_by_unit(position.lookup):
                continue
            if position.state == PositionState.PURGE_PENDING:
                self.message_position_deleted(position, MessageClass.MQMSG_CLASS_NACK_Q_PURGED)
            else:
                self.message_position_available(position)
            self.must_last()

    def _held_positions(self) -> Iterator[PositionRow]:
        after = BEFORE_ALL
        while page := self.store.held(after):
            yield from page
            after = page[-1].lookup

    def _ran_out_of_time(self, position: PositionRow) -> bool:
        """Whether the timer went off while the message was held: then the store has forgotten a time that the message has."""
        queue = self.queue(position.queue)
        if position.expires is not None or queue is None or not timer_runs_in(queue):
            return False
        message = self.message(position.lookup)
        return message.time_to_be_received != INFINITE or (isinstance(queue, OutgoingQueue) and message.time_to_reach_queue != INFINITE)


def _with(listed: tuple[_Item, ...], item: _Item) -> tuple[_Item, ...]:
    return listed if item in listed else (*listed, item)


def _goes_by_http(destination: FormatName) -> bool:
    return isinstance(destination, DirectName) and destination.protocol.web


def _unexpected(answer: Found, what: str) -> DirectoryError:
    return DirectoryError(f"The directory did not tell about {what}: {answer.status.value}.", result=answer.status.value)
