"""DOOR hands outgoing mail to whoever can deliver it: one message of a queue at a time, in order, until the queue is empty.

Each outgoing queue that has mail has a round of its own, a thread that ends when nothing is left to do. So a next hop that does not
answer holds up its own queue and no other. A message leaves its queue when its delivery is told and on disk: a process that is killed
in between delivers it again, and whoever promises "once" has to know it again at the other end.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeAlias

from msmqctl.errors import TransportError
from msmqctl.qm.core import key_of
from msmqctl.qm.events import ConnectionChanged, Event, MessagePositionAvailable, QueueResumed
from msmqctl.qm.host import Desk
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.message import Message
from msmqctl.qm.model import OutgoingQueue, QueueKey
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.values import MessageClass

# How many deliveries are under way at the same time, and how long a next hop is left alone that could not be reached.
MOST_AT_ONCE = 16
RETRY_SECONDS = 10.0
# How long a courier that stops waits for each delivery that is under way.
_FAREWELL_SECONDS = 10.0
# A round that only looks which queues have mail, and lets those have theirs. No queue has this number.
_ALL: QueueKey = 0


@dataclass(frozen=True, slots=True)
class Delivered:
    """The next hop has it."""


@dataclass(frozen=True, slots=True)
class Refused:
    """It will never be taken, and why."""

    reason: MessageClass


@dataclass(frozen=True, slots=True)
class Postponed:
    """Not now; it stays where it is and is tried again."""

    seconds: float = RETRY_SECONDS


Delivery: TypeAlias = Delivered | Refused | Postponed
Deliver: TypeAlias = Callable[[OutgoingQueue, Message], Delivery]


class Courier:
    """Goes its rounds while a host is open. `hear` is for the events of the host, `close` comes before the host's."""

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver
        self._desk: Desk | None = None
        self._hands = threading.Semaphore(MOST_AT_ONCE)
        self._news = threading.Condition()
        self._rounds: dict[QueueKey, threading.Thread] = {}
        self._stirred: set[QueueKey] = set()
        self._stopping = False

    def start(self, desk: Desk) -> None:
        """Begin with what waits already."""
        self._desk = desk
        self._stir((_ALL,))

    def hear(self, events: Iterable[Event]) -> None:
        """What happened on the host: new mail, a queue that was resumed, a connection that came back."""
        if self._desk is None:
            return
        keys: set[QueueKey] = set()
        for event in events:
            match event:
                case MessagePositionAvailable(OutgoingQueue() as queue) | QueueResumed(queue):
                    keys.add(key_of(queue))
                case ConnectionChanged(True):
                    keys.add(_ALL)
        self._stir(keys)

    def _stir(self, keys: Iterable[QueueKey]) -> None:
        with self._news:
            for key in keys:
                self._stirred.add(key)
                if key not in self._rounds and not self._stopping:
                    thread = threading.Thread(target=self._go_round, args=(key,), name="msmqctl courier", daemon=True)
                    self._rounds[key] = thread
                    thread.start()
            self._news.notify_all()

    def _go_round(self, key: QueueKey) -> None:
        """Deliver until nothing is left. What is stirred meanwhile is looked at once more before the round ends."""
        while True:
            with self._news:
                self._stirred.discard(key)
            pause = self._deliver_next(key)
            with self._news:
                if pause is not None and pause > 0:
                    self._news.wait_for(lambda: self._stopping or key in self._stirred, pause)
                if self._stopping or (pause is None and key not in self._stirred):
                    del self._rounds[key]
                    return

    def _deliver_next(self, key: QueueKey) -> float | None:
        """Try the first message; how long to wait before the next try, None when there is nothing to deliver."""
        desk = self._desk
        if desk is None:
            raise ValueError("the courier has not been started")
        if key == _ALL:
            self._stir(desk.do(lambda manager, now: manager.queues_with_mail()))
            return None
        found = desk.do(lambda manager, now: manager.next_to_send(key))
        if found is None:
            return None
        with self._hands:
            try:
                delivery = self._deliver(found.queue, found.message)
            except TransportError:
                delivery = Postponed()
        match delivery:
            case Postponed(seconds):
                return seconds
            case Refused(reason):
                self._end(desk, found.message.lookup_identifier, reason)
            case Delivered():
                self._end(desk, found.message.lookup_identifier, MessageClass.MQMSG_CLASS_ACK_REACH_QUEUE)
        return 0

    def _end(self, desk: Desk, lookup: int, reason: MessageClass) -> None:
        """The message leaves its queue, unless somebody purged it meanwhile."""

        def work(manager: QueueManager, now: datetime) -> None:
            position = manager.store.position(lookup)
            if position is not None:
                with manager.call():
                    manager.message_position_deleted(position, reason)
                    manager.must_last()

        desk.do(work)

    def close(self) -> None:
        """Begin no more deliveries, and wait for those under way."""
        with self._news:
            self._stopping = True
            rounds = list(self._rounds.values())
            self._news.notify_all()
        for thread in rounds:
            thread.join(_FAREWELL_SECONDS)
