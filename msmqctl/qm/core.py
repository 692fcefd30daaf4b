"""What all rules of the queue manager share: the store, live queues and handles, changes that can be taken back, and events.

A rule runs inside `call()`. What it changes in memory it changes through `assign`, `add` and `drop`, which remember how it was; so
a call that fails, or a commit that fails after several calls, leaves memory as it leaves the file: as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial
from math import ceil
from types import TracebackType
from typing import Any, TypeAlias
from uuid import UUID

from msmqctl.qm import shelf
from msmqctl.qm.cursor import sequential_at_end
from msmqctl.qm.directory_joint import NO_DIRECTORY, Directory, DirectoryTimer
from msmqctl.qm.directory_model import QueueManager as LocalQueueManager
from msmqctl.qm.element import DirectoryObject
from msmqctl.qm.events import Event, MessagePositionAvailable, MessagePositionDeleted, ReadEnded
from msmqctl.qm.message import Message
from msmqctl.qm.model import OperationType, PositionState, Queue, QueueType, handed_down
from msmqctl.qm.schema import SEQUENTIAL_PART
from msmqctl.qm.store import PositionRow, Store, UnitRow
from msmqctl.qm.waiting import PendingRead
from msmqctl.wire.status import HResult
from msmqctl.wire.values import INFINITE, MessageClass


def expiry_of(message: Message, now: datetime) -> int | None:
    """When the message must leave its queue unread, in seconds since 1970; None for never. [MS-MQDMPR] 3.1.2.4"""
    # Departs from [MS-MQDMPR] 3.1.2.4: the time runs from SentTime, as 3.1.1.12 says, or from now where that is not set or lies ahead.
    if message.time_to_be_received == INFINITE:
        return None
    sent = message.sent_time
    start = sent if sent is not None and sent <= now else now
    # A second that has begun is not taken from the message. One without any time gets nothing of it either.
    return (ceil(start.timestamp()) if message.time_to_be_received else int(start.timestamp())) + message.time_to_be_received


# Gives the message that arrived, to whoever wants to look at it.
Arrival: TypeAlias = Callable[[], Message]

set_total_bytes: Callable[[Queue, int], None] = Queue.__dict__["total_bytes"].__set__


class Core:
    """The state of one queue manager."""

    def __init__(
        self,
        store: Store,
        *,
        new_guid: Callable[[], UUID],
        new_handle: Callable[[], int],
        directory: Directory = NO_DIRECTORY,
        addresses: Iterable[str] = (),
    ) -> None:
        self.store = store
        self.new_guid = new_guid
        self.new_handle = new_handle
        self.directory = directory
        # Names and addresses of this computer besides those that it knows of itself.
        self.addresses = tuple(addresses)
        self.local: LocalQueueManager = shelf.manager_of(store.attributes(), path=store.path)
        # What the directory told of others, by identifier: the sites, gates and the enterprise that `local` refers to.
        self.known: dict[UUID, DirectoryObject] = {}
        # When each running timer ends; None until somebody who knows the time has asked.
        self.directory_timers: dict[DirectoryTimer, datetime | None] = {}
        self._queues: dict[int, Queue] = {}
        # Messages whose time ran out while somebody held them: they never become available again. [MS-MQDMPR] 3.1.7.2.7
        self.overdue: set[int] = set()
        self._waiting: list[PendingRead] = []
        self._events: list[Event] = []
        # Told of each event as it happens, so that what follows can be in the same commit; and, if a message arrived by it, of that.
        self.consequences: Callable[[Event, Arrival | None], None] | None = None
        self._undo: list[Callable[[], object]] = []
        # How many changes and events there were when each call under way began, the outermost first.
        self._marks: list[tuple[int, int]] = []
        self._call = _Call(self)
        self._durable = False

    # ---- changes that can be taken back

    def call(self) -> _Call:
        """One event of the document: all of it happens, in memory and in the store, or nothing."""
        return self._call

    def enter_call(self) -> None:
        """Begin a call; `call` is the way to do it."""
        self.store.enter_call()
        self._marks.append((len(self._undo), len(self._events)))

    def leave_call(self) -> None:
        """End a call that went well."""
        self._marks.pop()
        self.store.leave_call()

    def undo_call(self) -> None:
        """End a call that failed, in memory first: the store may have trouble of its own."""
        changes, events = self._marks.pop()
        self._take_back(changes)
        del self._events[events:]
        self.store.undo_call()

    def _take_back(self, mark: int) -> None:
        while len(self._undo) > mark:
            self._undo.pop()()

    def assign(self, thing: object, **attributes: Any) -> None:
        """Set attributes of an element."""
        for name, value in attributes.items():
            before = getattr(thing, name)
            setattr(thing, name, value)
            self._undo.append(partial(setattr, thing, name, before))

    def add(self, collection: Any, item: Any) -> None:
        """Put `item` into a set, or at the end of a list or deque."""
        if isinstance(collection, set):
            if item in collection:
                return
            collection.add(item)
        else:
            collection.append(item)
        self._undo.append(lambda: collection.remove(item))

    def drop(self, collection: Any, item: Any) -> None:
        """Take `item` out of a collection, where it is; its place comes back if the change is taken back."""
        if not collection or item not in collection:
            return
        if isinstance(collection, set):
            collection.remove(item)
            self._undo.append(lambda: collection.add(item))
            return
        place = collection.index(item)
        del collection[place]
        self._undo.append(lambda: collection.insert(place, item))

    def take_lasting(self) -> bool:
        """Whether something since this was last asked has to survive a power cut. Who asks sees to the flush: `commit` will not."""
        lasting, self._durable = self._durable, False
        return lasting

    def commit(self, *, flush: bool = True) -> list[Event]:
        """Make everything since the last commit stay, and hand out what happened. If that fails, nothing has happened.

        Without `flush` it survives a crash of the process, and whoever commits so has to call `store.flush` before an answer that
        promises more: several commits can then share one wait for the disk.
        """
        try:
            self.store.commit(durable=self._durable and flush)
        except BaseException:
            self.rollback()
            raise
        self._undo.clear()
        self._durable = False
        return self.take_events()

    def rollback(self) -> None:
        """Take back everything since the last commit."""
        self._take_back(0)
        self._marks.clear()
        self._events.clear()
        self._durable = False
        self.store.rollback()

    def must_last(self) -> None:
        """What happens now has to survive a power cut: the commit waits for the disk."""
        self._durable = True

    def emit(self, event: Event, *, arrival: Arrival | None = None) -> None:
        """Let it be known after the commit, and at once to whoever has to act in the same one."""
        self._events.append(event)
        if self.consequences is not None:
            self.consequences(event, arrival)

    def take_events(self) -> list[Event]:
        """What happened since this was last asked, in order."""
        events, self._events = self._events, []
        return events

    # ---- the directory

    def start_directory_timer(self, timer: DirectoryTimer) -> None:
        """Let a timer run, unless it does already; it gets its end when the time is next told. [MS-MQDMPR] 3.1.2"""
        if timer not in self.directory_timers:
            self.assign(self, directory_timers={**self.directory_timers, timer: None})

    # ---- queues and messages

    def queue(self, key: int) -> Queue | None:
        """The queue with this key: one object as long as the process lives, so that handles meet on it."""
        known = self._queues.get(key)
        if known is None:
            row = self.store.queue(key)
            if row is None:
                return None
            known = self._queues[key] = shelf.queue_of(row, path=self.store.path)
            known.queue_manager = self.local.identifier
        return known

    def keep_queue(self, queue: Queue) -> None:
        """Let the object of a queue that was just stored be the one that `queue` gives."""
        key = key_of(queue)
        self._queues[key] = queue
        self._undo.append(lambda: self._queues.pop(key))

    def forget_queue(self, key: int) -> None:
        """Let go of the object of a queue that is gone."""
        gone = self._queues.pop(key, None)
        if gone is not None:
            self._undo.append(lambda: self._queues.__setitem__(key, gone))

    def save_queue(self, queue: Queue) -> None:
        """Write the attributes of a queue that survive a restart, and let its journal and subqueues follow. [MS-MQDMPR] 3.1.7.1.3"""
        self.store.set_queue_attributes(key_of(queue), shelf.queue_attributes(queue))
        for part in filter(None, (self.queue(row.id) for row in self.store.parts_of(key_of(queue)))):
            self.assign(part, **handed_down(queue, journal=part.key == queue.journal_queue_reference))
            self.store.set_queue_attributes(key_of(part), shelf.queue_attributes(part))
        self.must_last()

    def save_manager(self) -> None:
        """Write the attributes of the queue manager that survive a restart."""
        self.store.set_attributes(shelf.manager_attributes(self.local))
        self.must_last()

    def message(self, lookup: int) -> Message:
        """The message at a position that is there."""
        content = self.store.content(lookup)
        if content is None:
            raise ValueError(f"no message has the lookup identifier {lookup}")
        return shelf.message_of(content, path=self.store.path)

    # ---- transactions, as far as every rule needs them

    def unit(self, identifier: UUID) -> UnitRow | None:
        """The open transaction with this identifier."""
        return self.store.unit(identifier.bytes)

    def append_operation(
        self, unit: UnitRow, kind: OperationType, lookup: int, *, target: Queue | None = None, reason: MessageClass | None = None
    ) -> None:
        """Remember what a transaction did. [MS-MQDMPR] 3.1.1.13"""
        self.store.add_operation(unit.id, kind.value, lookup, target=None if target is None else key_of(target), reason=reason)

    # ---- the two events that move everything

    def message_position_available(self, position: PositionRow, *, announce: bool = True) -> None:
        """A message can be read: count it, tell the subscribers, then serve waiting readers. [MS-MQDMPR] 3.1.7.2.2

        `announce` is False for what moves into a system queue: readers are served, subscribers hear nothing.
        """
        queue, position = self._still_there(position)
        if queue is None:
            return
        if position.lookup in self.overdue:
            self.message_position_deleted(position, MessageClass.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT)
            return
        self.store.set_state(position.lookup, PositionState.AVAILABLE)
        position = position._replace(state=PositionState.AVAILABLE)
        arrival: Arrival | None = None
        if not position.counted:
            self.store.count(position)
            self.add_octets(queue, position.size)
            position = position._replace(counted=True)
            arrival = partial(self.message, position.lookup)
            self._show_latecomer(queue, position)
        if announce:
            self.emit(MessagePositionAvailable(queue, position.lookup), arrival=arrival)
        self._serve(queue, position)

    def message_arrived(self, queue: Queue, position: PositionRow, message: Message) -> None:
        """A message can be read that was put into the store as available and counted: the rest of the same event. [MS-MQDMPR] 3.1.7.2.2"""
        self.add_octets(queue, position.size)
        self.emit(MessagePositionAvailable(queue, position.lookup), arrival=lambda: message)
        self._serve(queue, position)

    def message_position_deleted(self, position: PositionRow, reason: MessageClass) -> None:
        """A message leaves its queue for good. [MS-MQDMPR] 3.1.7.2.1"""
        queue, position = self._still_there(position)
        if queue is not None:
            self.message_left(queue, position, self.message(position.lookup), reason)

    def message_left(self, queue: Queue, position: PositionRow, message: Message, reason: MessageClass) -> None:
        """The same event for one who has just read position and message. [MS-MQDMPR] 3.1.7.2.1"""
        self.store.remove(position)
        self.drop(self.overdue, position.lookup)
        if position.counted:
            self.add_octets(queue, -position.size)
        self.emit(MessagePositionDeleted(queue, position.lookup, message, reason))

    def add_octets(self, queue: Queue, octets: int) -> None:
        """Let the total in memory follow what the store counts. Runs for every message, so it goes around the checks of an assignment."""
        before = queue.total_bytes
        set_total_bytes(queue, before + octets)
        self._undo.append(partial(set_total_bytes, queue, before))

    def relist(self, position: PositionRow, target: Queue, state: PositionState) -> PositionRow:
        """Put a position into another queue; its octets go with it, and nobody hears of a deletion. [MS-MQDMPR] 3.1.7.1.16"""
        source = self.queue(position.queue)
        self.store.move(position, key_of(target), state)
        if position.counted and source is not None:
            self.add_octets(source, -position.size)
            self.add_octets(target, position.size)
        moved = position._replace(queue=key_of(target), state=state)
        self._show_latecomer(target, moved)
        return moved

    def _show_latecomer(self, queue: Queue, position: PositionRow) -> None:
        """Let cursors at the end of the queue find a message that comes now and was enqueued before they went there."""
        for descriptor in queue.open_queue_descriptor_collection:
            for cursor in descriptor.cursor_collection:
                parked = sequential_at_end(cursor.message_position_reference)
                if parked is not None and position.lookup & SEQUENTIAL_PART <= parked:
                    self.add(cursor.latecomers, position.lookup)

    def _still_there(self, position: PositionRow) -> tuple[Queue | None, PositionRow]:
        """The queue of a position and the position as it is now; no queue for one that is gone, whatever the caller remembers."""
        current = self.store.position(position.lookup)
        if current is None or position.state == PositionState.DELETED:
            return None, position
        return self.queue(current.queue), current

    def _serve(self, queue: Queue, position: PositionRow) -> None:
        """Peekers in turn, up to and with the first receiver. A served reader leaves its place in the same step."""
        if not self._waiting:
            return
        for descriptor in list(queue.open_queue_descriptor_collection):
            for operation in list(descriptor.waiting_message_read_operation_collection):
                read = next(read for read in self._waiting if read.operation is operation)
                self.end_read(read, read.finish, position)
                # A receiver whose transaction has ended meanwhile takes nothing: the next one may have the message.
                if operation.destructive_read and read.result is not None and read.result.message is not None:
                    return

    # ---- waiting reads

    def wait(self, read: PendingRead) -> PendingRead:
        """Let a read wait at its descriptor."""
        self.add(read.descriptor.waiting_message_read_operation_collection, read.operation)
        self.add(self._waiting, read)
        return read

    def end_read(self, read: PendingRead, how: Callable[[Any], Any], argument: PositionRow | HResult) -> None:
        """End a wait, with a position or with a status."""
        self.drop(read.descriptor.waiting_message_read_operation_collection, read.operation)
        self.drop(self._waiting, read)
        self.assign(read, result=how(argument))
        self.emit(ReadEnded(read))

    def waiting_reads(self) -> list[PendingRead]:
        """All reads that wait, the oldest first."""
        return list(self._waiting)

    def is_public(self, queue: Queue) -> bool:
        """Whether the directory knows the queue: outgoing ones never count, whatever their destination is."""
        return queue.queue_type is QueueType.PUBLIC and type(queue) is Queue


class _Call:
    """What `with` needs: one object for all calls of a queue manager, because it runs for every message."""

    __slots__ = ("_core",)

    def __init__(self, core: Core) -> None:
        self._core = core

    def __enter__(self) -> None:
        self._core.enter_call()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self._core.leave_call()
        else:
            self._core.undo_call()


def key_of(queue: Queue) -> int:
    """The store's number for a queue that is stored."""
    if queue.key is None:
        raise ValueError(f"{queue.pathname} is not stored")
    return queue.key
