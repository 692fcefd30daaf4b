"""The queue manager and the directory: publish, ask, do without it while it is away, keep in step. [MS-MQDMPR] 3.1.7.1.18 to .25, 3.1.6

    online      the directory is asked
    offline     it did not answer: reads are answered from what is known here, and a check each minute finds out when it is back
    workgroup   there is none (DirectoryIntegrated is False): reads are answered from here, everything else is not connected

Nothing here knows the time. A timer that is started gets its end when `next_directory_deadline` is told what time it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from msmqctl.qm.core import Core
from msmqctl.qm.directory_joint import (
    TIMER_DURATIONS,
    Change,
    Condition,
    Created,
    Directory,
    DirectoryTimer,
    Filter,
    Found,
    Operator,
    Query,
    SortOrder,
    identified_by,
    object_type,
    refuse_unknown,
    satisfies,
)
from msmqctl.qm.directory_model import Enterprise, QueueManager, Site
from msmqctl.qm.element import DirectoryObject, directory_attributes
from msmqctl.qm.model import DirectoryOperationResult, Queue

_SUCCESS = DirectoryOperationResult.SUCCESS
_NOT_CONNECTED = DirectoryOperationResult.DIRECTORY_NOT_CONNECTED

# What OperatingSystemVersion starts with on Windows NT 4.0 and 2000, which take no notification from other than a directory server.
_LEGACY_VERSIONS = ("4.0", "5.0")

# Lists of the directory that bound a collection here: the collection may hold no more than its list names ...
_BOUND_FROM_ABOVE = {
    "site_identifier_list": "site_collection",
    "out_routing_server_identifier_list": "out_routing_server_collection",
    "in_routing_server_identifier_list": "in_routing_server_collection",
}
# ... or no less.
_BOUND_FROM_BELOW = {"connected_network_identifier_list": "connected_network_collection"}


class DirectoryEvents(Core):
    """The directory events of a queue manager."""

    # ---- publishing

    def create_directory_object(self, directory_object: DirectoryObject, attributes: Sequence[str] | None = None) -> Created:
        """Publish an object, with all attributes of the directory or with those named. [MS-MQDMPR] 3.1.7.1.18"""
        names = _chosen(directory_object, attributes)
        with self.call():
            # Departs from [MS-MQDMPR] 3.1.7.1.18: in a workgroup no directory event asks or tells anybody, and nothing goes offline.
            if not self.local.directory_integrated:
                return Created(_NOT_CONNECTED)
            legacy = self._legacy_server_for(directory_object) if self._is_public_queue(directory_object) else None
            if legacy is not None:
                return legacy.create(directory_object, names)
            self._notify_of_queue(Change.QUEUE_CREATION, directory_object)
            created = self.directory.create(directory_object, names)
            self._heed(created.status)
            return created if created.status is _SUCCESS else Created(created.status)

    def delete_directory_object(self, directory_object: DirectoryObject) -> DirectoryOperationResult:
        """Take an object out of the directory. [MS-MQDMPR] 3.1.7.1.19"""
        with self.call():
            if not self.local.directory_integrated:
                return _NOT_CONNECTED
            legacy = self._legacy_server_for(directory_object) if self._is_public_queue(directory_object) else None
            if legacy is not None:
                return legacy.delete(directory_object)
            self._notify_of_queue(Change.QUEUE_DELETION, directory_object)
            return self._heed(self.directory.delete(directory_object))

    def write_directory(self, directory_object: DirectoryObject, attributes: Sequence[str] | None = None) -> DirectoryOperationResult:
        """Bring an object of the directory up to date, in all attributes or in those named. [MS-MQDMPR] 3.1.7.1.24"""
        names = _chosen(directory_object, attributes)
        with self.call():
            if not self.local.directory_integrated:
                return _NOT_CONNECTED
            status = self._heed(self.directory.write(directory_object, names))
            change = self._change_by_writing(directory_object)
            if status is not _SUCCESS or change is None:
                return status
            legacy = self._legacy_server_for(directory_object)
            if legacy is not None:
                return legacy.write(directory_object, names)
            self.directory.notify(change, directory_object)
            return status

    def _is_public_queue(self, directory_object: DirectoryObject) -> bool:
        return isinstance(directory_object, Queue) and self.is_public(directory_object)

    def _notify_of_queue(self, change: Change, directory_object: DirectoryObject) -> None:
        """Tell of a public queue before the directory is asked: the document wants it so here, and the other way when it writes."""
        if self._is_public_queue(directory_object):
            self.directory.notify(change, directory_object)

    def _change_by_writing(self, directory_object: DirectoryObject) -> Change | None:
        if self._is_public_queue(directory_object):
            return Change.QUEUE_UPDATE
        return Change.QUEUE_MANAGER_UPDATE if isinstance(directory_object, QueueManager) else None

    def _legacy_server_for(self, directory_object: DirectoryObject) -> Directory | None:
        """The old directory server that has to do it instead of a notification, if there is one and the owner needs it.

        [MS-MQDMPR] appendix, notes 21, 23, 30 and 31
        """
        legacy = self.directory.legacy
        reference = self.local.enterprise_reference
        enterprise = None if reference is None else self.known.get(reference)
        if legacy is None or not isinstance(enterprise, Enterprise) or not enterprise.non_ldap_capable_queue_manager_notification:
            return None
        computer = _computer_of(directory_object)
        owner = self.read_directory("QueueManager", (Condition("computer_name", Operator.EQUALS, computer),)).directory_object
        old = isinstance(owner, QueueManager) and owner.operating_system_version.startswith(_LEGACY_VERSIONS)
        return legacy if old else None

    def _heed(self, status: DirectoryOperationResult) -> DirectoryOperationResult:
        """A directory that cannot be reached is offline from now on, and asked again in a minute. [MS-MQDMPR] 3.1.7.1.18"""
        if status is _NOT_CONNECTED:
            self.assign(self.local, directory_offline=True)
            self.start_directory_timer(DirectoryTimer.ONLINE)
        return status

    # ---- asking

    def read_directory(
        self, kind: str, conditions: Filter = None, attributes: Sequence[str] | None = None, *, force_directory_read: bool = False
    ) -> Found:
        """The first object of a kind that satisfies all conditions, with all attributes or with those named. [MS-MQDMPR] 3.1.7.1.20"""
        wanted, names = _checked(kind, conditions, attributes)
        with self.call():
            # Departs from [MS-MQDMPR] 3.1.7.1.20: without a directory reads are answered as offline, or own queues could not be named.
            if not self.local.directory_integrated or (self.local.directory_offline and not force_directory_read):
                return _only(self._read_here(wanted, conditions), wanted, names)
            found = self.directory.read(wanted, conditions, names)
            if not force_directory_read:
                self._heed(found.status)
            return _only(found, wanted, names)

    def _read_here(self, kind: type[DirectoryObject], conditions: Filter) -> Found:
        """The answer out of local data, while the directory is away. [MS-MQDMPR] 3.1.7.1.20"""
        everything = frozenset(directory_attributes(kind))
        if kind is Queue:
            match = next((queue for queue in self._hosted_queues() if satisfies(queue, conditions)), None)
            return Found(DirectoryOperationResult.OBJECT_NOT_FOUND) if match is None else Found(_SUCCESS, match, everything)
        if kind is QueueManager and satisfies(self.local, conditions):
            return Found(_SUCCESS, self.local, everything)
        return Found(_NOT_CONNECTED)

    def _hosted_queues(self) -> Iterator[Queue]:
        """QueueCollection in the order in which the queues were made, without those for elsewhere."""
        for key in sorted(self.local.queue_collection):
            queue = self.queue(key)
            if type(queue) is Queue:
                yield queue

    def read_directory_begin(
        self,
        kind: str,
        conditions: Filter = None,
        attributes: Sequence[str] | None = None,
        sort_orders: Sequence[SortOrder] = (),
    ) -> Query:
        """Ask for all objects of a kind that satisfy all conditions; `sort_orders` go with `attributes`. [MS-MQDMPR] 3.1.7.1.21"""
        wanted, names = _checked(kind, conditions, attributes)
        if sort_orders and len(sort_orders) != len(names or ()):
            raise ValueError(f"{len(sort_orders)} sort orders for {len(names or ())} attributes")
        with self.call():
            if not self.local.directory_integrated:
                return Query(_NOT_CONNECTED)
            query = self.directory.read_begin(wanted, conditions, names, tuple(sort_orders))
            return query if query.status is _SUCCESS else Query(query.status)

    def read_directory_next(self, handle: int) -> Found:
        """The next object that was asked for; EndOfData behind the last. [MS-MQDMPR] 3.1.7.1.22"""
        with self.call():
            if not self.local.directory_integrated:
                return Found(_NOT_CONNECTED)
            found = self.directory.read_next(handle)
            return found if found.status is _SUCCESS else Found(found.status)

    def read_directory_end(self, handle: int) -> DirectoryOperationResult:
        """Enough was read. [MS-MQDMPR] 3.1.7.1.23"""
        with self.call():
            return self.directory.read_end(handle) if self.local.directory_integrated else _NOT_CONNECTED

    # ---- keeping in step

    def check_directory_online(self) -> None:
        """Find out whether the directory is back, and what changed there meanwhile. [MS-MQDMPR] 3.1.7.1.25"""
        with self.call():
            found = self.read_directory("QueueManager", identified_by(self.local.identifier), force_directory_read=True)
            if found.status is not _SUCCESS:
                self.start_directory_timer(DirectoryTimer.ONLINE)
                return
            self.refresh(self.local, found)
            self.save_manager()
            # Before the queues are read, or they would be answered from here.
            self.assign(self.local, directory_offline=False)
            for queue in filter(self.is_public, list(self._hosted_queues())):
                self.refresh(queue, self.read_directory("Queue", identified_by(queue.identifier)))
                self.save_queue(queue)

    def directory_sites_update(self) -> None:
        """Learn what changed about the sites of this queue manager. [MS-MQDMPR] 3.1.6.1"""
        with self.call():
            for site in self._sites():
                self.refresh(site, self.read_directory("Site", identified_by(site.identifier)))

    def directory_site_gates_update(self) -> None:
        """Learn what changed about the gates of these sites. [MS-MQDMPR] 3.1.6.2"""
        with self.call():
            for identifier in _distinct_gates(self._sites()):
                gate = self.known.get(identifier)
                if isinstance(gate, QueueManager):
                    self.refresh(gate, self.read_directory("QueueManager", identified_by(identifier)))

    def _sites(self) -> list[Site]:
        known = (self.known.get(identifier) for identifier in sorted(self.local.site_collection))
        return [site for site in known if isinstance(site, Site)]

    def refresh(self, element: DirectoryObject, found: Found) -> None:
        """Take over what was read, if the read was a success: no other attribute changes, and an identifier never does."""
        # Departs from [MS-MQDMPR] 3.1.7.1.25: only attributes that were read are copied, because the others mean nothing.
        if found.directory_object is None:
            return
        for name in directory_attributes(type(element)):
            if name in found.attributes and name != "identifier":
                news = getattr(found.directory_object, name)
                self._make_room(element, name, news)
                self.assign(element, **{name: news})

    def _make_room(self, element: DirectoryObject, name: str, news: Sequence[UUID]) -> None:
        """Fit the collection that belongs to a list of identifiers to what the list becomes. [MS-MQDMPR] 3.1.1.1"""
        if name in _BOUND_FROM_ABOVE:
            collection = _BOUND_FROM_ABOVE[name]
            self.assign(element, **{collection: getattr(element, collection).intersection(news)})
        elif name in _BOUND_FROM_BELOW:
            collection = _BOUND_FROM_BELOW[name]
            self.assign(element, **{collection: getattr(element, collection).union(news)})

    # ---- timers

    def next_directory_deadline(self, now: datetime) -> datetime | None:
        """When `run_directory_timers` has something to do; timers that were started since the last call end counted from now."""
        with self.call():
            started = {timer: now + TIMER_DURATIONS[timer] for timer, end in self.directory_timers.items() if end is None}
            if started:
                self.assign(self, directory_timers={**self.directory_timers, **started})
            return min((end for end in self.directory_timers.values() if end is not None), default=None)

    def run_directory_timers(self, now: datetime) -> None:
        """Do what is due. [MS-MQDMPR] 3.1.2.1, 3.1.2.2, 3.1.2.5"""
        with self.call():
            due = [timer for timer, end in self.directory_timers.items() if end is not None and end <= now]
            for timer in due:
                self.assign(self, directory_timers={other: end for other, end in self.directory_timers.items() if other is not timer})
                match timer:
                    case DirectoryTimer.SITES_UPDATE:
                        self.start_directory_timer(timer)
                        self.directory_sites_update()
                    case DirectoryTimer.SITE_GATES_UPDATE:
                        self.start_directory_timer(timer)
                        self.directory_site_gates_update()
                    case DirectoryTimer.ONLINE:
                        self.check_directory_online()


def _chosen(directory_object: DirectoryObject, attributes: Sequence[str] | None) -> tuple[str, ...]:
    """The attributes to publish: those named, or all that the directory can hold."""
    refuse_unknown(type(directory_object), attributes or ())
    return directory_attributes(type(directory_object)) if attributes is None else tuple(attributes)


def _checked(kind: str, conditions: Filter, attributes: Sequence[str] | None) -> tuple[type[DirectoryObject], tuple[str, ...] | None]:
    """The class to read and the attributes asked for, after a look at every name."""
    wanted = object_type(kind)
    refuse_unknown(wanted, (condition.attribute for condition in conditions or ()))
    refuse_unknown(wanted, attributes or ())
    return wanted, None if attributes is None else tuple(attributes)


def _only(found: Found, kind: type[DirectoryObject], names: tuple[str, ...] | None) -> Found:
    """The answer, with no more in it than was asked for: an object with Success alone, and no attribute besides those named."""
    if found.status is not _SUCCESS:
        return Found(found.status)
    asked = directory_attributes(kind) if names is None else names
    return Found(found.status, found.directory_object, found.attributes.intersection(asked))


def _computer_of(directory_object: DirectoryObject) -> str:
    """The name of the computer whose queue manager an object belongs to."""
    if isinstance(directory_object, QueueManager):
        return directory_object.computer_name
    if isinstance(directory_object, Queue) and directory_object.pathname is not None:
        return directory_object.pathname.computer
    return ""


def _distinct_gates(sites: Sequence[Site]) -> list[UUID]:
    return sorted({gate for site in sites for gate in site.site_gate_collection})
