"""A queue manager the naive way: a Python list for each queue, searched from its start each time. What it says must be true of ours.

It knows nothing of stores, keys or indexes. An item stands in the list of its queue from the moment it is sent, and everything else is
asked of its attributes: who holds it, whether it is there already, whether it is doomed. Time is a number of seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from msmqctl.qm.model import MessageSeekAction
from msmqctl.qm.sending import EnqueueResult
from msmqctl.wire.status import HResult

TIMEOUT, ILLEGAL = HResult.MQ_ERROR_IO_TIMEOUT, HResult.MQ_ERROR_ILLEGAL_CURSOR_ACTION
NOT_FOUND, RECEIVED = HResult.MQ_ERROR_MESSAGE_NOT_FOUND, HResult.MQ_ERROR_MESSAGE_ALREADY_RECEIVED
USAGE, SEQUENCE = HResult.MQ_ERROR_TRANSACTION_USAGE, HResult.MQ_ERROR_TRANSACTION_SEQUENCE
NO_QUEUE, OK = HResult.MQ_ERROR_QUEUE_NOT_AVAILABLE, HResult.MQ_OK

READER = "a reader in two steps"
QUOTA_UNIT = 1024

# Where an item belongs: by falling priority, then by rising number.
Place: TypeAlias = tuple[int, int]
BEFORE_ALL: Place = (-8, 0)


@dataclass(eq=False)
class Item:
    """A message. `holder` is who keeps it from others: nobody, a reader in two steps, or a transaction by its name."""

    number: int
    priority: int
    size: int
    open_to_peeks: bool
    due: int | None
    holder: str | None = None
    there: bool = True
    """False until the transaction that sent it commits."""
    doomed: bool = False
    """Its queue was purged while it was held."""
    overdue: bool = False
    came: int = 0
    """When it came into the queue it is in, as a number that grows with each arrival."""
    ends: tuple[bool, bool] = (False, False)
    """Whether it is the first and the last of its transaction in its queue."""

    @property
    def label(self) -> str:
        return str(self.number)

    @property
    def place(self) -> Place:
        return (-self.priority, self.number)

    @property
    def free(self) -> bool:
        return self.holder is None

    def seen(self, *, peek: bool) -> bool:
        return self.free or (peek and self.open_to_peeks and self.there and not self.doomed)


Answer: TypeAlias = Item | HResult


@dataclass(eq=False)
class Line:
    """A queue: its items in order."""

    name: str
    quota_kb: int | None = None
    items: list[Item] = field(default_factory=list)
    gone: bool = False

    def put(self, item: Item) -> None:
        self.items = sorted([*self.items, item], key=lambda one: one.place)

    def first(self, *, peek: bool) -> Item | None:
        return next((one for one in self.items if one.seen(peek=peek)), None)

    def size(self) -> int:
        return sum(one.size for one in self.items if one.there)

    def count(self) -> int:
        return sum(one.there for one in self.items)


@dataclass(eq=False)
class Finger:
    """A cursor. `parked` is when it went to the end of the queue; `waits` while a read waits through it."""

    line: Line
    place: Place = BEFORE_ALL
    parked: int | None = None
    read: bool = False
    waits: bool = False

    def behind(self, *, peek: bool) -> Item | None:
        later = [one for one in self.line.items if (one.place > self.place if self.parked is None else one.came > self.parked)]
        return next((one for one in later if one.seen(peek=peek)), None)

    def here(self) -> Item | None:
        return next((one for one in self.line.items if one.place == self.place and one.free and self.parked is None), None)

    def put_on(self, item: Item, *, read: bool) -> None:
        self.place, self.parked, self.read, self.waits = item.place, None, read, False


@dataclass(eq=False)
class Deed:
    """One thing that a transaction did."""

    kind: str
    item: Item
    target: Line | None = None


@dataclass(eq=False)
class Deal:
    """A transaction."""

    name: str
    prepared: bool = False
    in_doubt: bool = False
    deeds: list[Deed] = field(default_factory=list)


@dataclass(eq=False)
class Wait:
    """A read that waits: how it would take a message, until when, through which cursor. `answer` is how it ended."""

    line: Line
    take: str
    until: int
    finger: Finger | None
    answer: Answer | None = None


PEEK, RECEIVE, TWO_STEPS = "peek", "receive", "two steps"
# Any other way to take a message is the name of a transaction.


@dataclass
class Naive:
    """The whole of it."""

    quota_kb: int | None = None
    lines: dict[str, Line] = field(default_factory=dict)
    fingers: list[Finger] = field(default_factory=list)
    deals: dict[str, Deal] = field(default_factory=dict)
    waits: list[Wait] = field(default_factory=list)
    now: int = 0
    sent: int = 0
    arrivals: int = 0

    # ---- sending

    def refusal(self, line: Line, size: int) -> EnqueueResult:
        if self.quota_kb is not None and self.size() + size > self.quota_kb * QUOTA_UNIT:
            return EnqueueResult.QUEUE_MANAGER_QUOTA_EXCEEDED
        if line.quota_kb is not None and line.size() + size > line.quota_kb * QUOTA_UNIT:
            return EnqueueResult.QUEUE_QUOTA_EXCEEDED
        return EnqueueResult.NO_ERROR

    def size(self) -> int:
        return sum(line.size() for line in self.lines.values())

    def send(self, line: Line, item: Item, deal: Deal | None) -> None:
        self.sent = item.number
        line.put(item)
        if deal is None:
            self.arrive(line, item)
        else:
            item.holder, item.there = deal.name, False
            deal.deeds.append(Deed("send", item))

    def arrive(self, line: Line, item: Item) -> None:
        """It comes into the queue, in which it stands already."""
        self.arrivals += 1
        item.came, item.there = self.arrivals, True
        self.release(line, item)

    def release(self, line: Line, item: Item) -> None:
        """Nobody holds it any more: it is gone if its time is over, else who waits may have it."""
        item.holder, item.doomed = None, False
        if item.overdue:
            line.items.remove(item)
            return
        for wait in [one for one in self.waits if one.line is line]:
            self.waits.remove(wait)
            wait.answer = self.take(line, item, wait.take)
            if wait.finger is not None:
                self.end_cursor_wait(wait)
            if isinstance(wait.answer, Item) and wait.take != PEEK:
                return

    # ---- reading

    def take(self, line: Line, item: Item, how: str) -> Answer:
        """What becomes of an item that a reader found."""
        if how == RECEIVE:
            line.items.remove(item)
        elif how == TWO_STEPS:
            item.holder = READER
        elif how != PEEK:
            deal = self.deals.get(how)
            if deal is None or deal.prepared:
                return SEQUENCE
            item.holder = how
            deal.deeds.append(Deed("receive", item))
        return item

    def can(self, how: str) -> bool:
        return how in (PEEK, RECEIVE, TWO_STEPS) or (how in self.deals and not self.deals[how].prepared)

    def read(self, line: Line, how: str) -> Answer | None:
        """The first that may be taken so; None if the reader has to wait."""
        if not self.can(how):
            return SEQUENCE
        found = line.first(peek=how == PEEK)
        return None if found is None else self.take(line, found, how)

    def end_two_steps(self, line: Line, item: Item, *, delete: bool) -> HResult:
        if item.holder != READER:
            return SEQUENCE
        if delete or item.doomed:
            line.items.remove(item)
        else:
            self.release(line, item)
        return OK

    def look_up(self, line: Line, number: int, action: MessageSeekAction, how: str) -> Answer:
        if not self.can(how):
            return SEQUENCE
        items, peek = line.items, how == PEEK
        here = next((index for index, one in enumerate(items) if one.number == number), None)
        if action is MessageSeekAction.SEEK_FIRST:
            chosen = items
        elif action is MessageSeekAction.SEEK_LAST:
            chosen = items[::-1]
        elif here is None:
            return NOT_FOUND
        elif action is MessageSeekAction.SEEK_NEXT:
            chosen = items[here + 1 :]
        elif action is MessageSeekAction.SEEK_PREVIOUS:
            chosen = items[:here][::-1]
        else:
            chosen = [items[here]]
            if peek and not items[here].seen(peek=True):
                return RECEIVED if items[here].doomed else USAGE
        found = next((one for one in chosen if one.seen(peek=peek)), None)
        return NOT_FOUND if found is None else self.take(line, found, how)

    # ---- cursors

    def cursor_read(self, finger: Finger, how: str, *, patient: bool) -> Answer | None:
        """Peek or receive where the cursor is or behind it; None if the reader has to wait."""
        if not self.can(how):
            return SEQUENCE
        if finger.waits:
            return ILLEGAL
        found = finger.here() if finger.read else finger.behind(peek=how == PEEK)
        if found is not None:
            finger.put_on(found, read=how == PEEK)
            return self.take(finger.line, found, how)
        if finger.read:
            return RECEIVED
        if patient:
            return None
        return TIMEOUT if how == PEEK else NOT_FOUND

    def cursor_next(self, finger: Finger, *, patient: bool) -> Answer | None:
        if finger.waits or not finger.read:
            return ILLEGAL
        found = finger.behind(peek=True)
        if found is not None:
            finger.put_on(found, read=True)
            return found
        finger.read = False
        return None if patient else TIMEOUT

    def begin_wait(self, line: Line, how: str, seconds: int, finger: Finger | None = None) -> Wait:
        wait = Wait(line, how, self.now + seconds, finger)
        if finger is not None:
            finger.waits = True
        self.waits.append(wait)
        return wait

    def end_cursor_wait(self, wait: Wait) -> None:
        finger = wait.finger
        assert finger is not None
        if isinstance(wait.answer, Item):
            finger.put_on(wait.answer, read=wait.take == PEEK)
            return
        finger.waits = finger.read = False
        if wait.take != PEEK and not finger.line.gone:
            finger.parked = self.arrivals

    def give_up(self, wait: Wait, status: HResult) -> None:
        self.waits.remove(wait)
        wait.answer = status
        if wait.finger is not None:
            self.end_cursor_wait(wait)

    # ---- moving, purging, deleting

    def move(self, line: Line, item: Item, target: Line, deal: Deal | None) -> None:
        if deal is None:
            line.items.remove(item)
            target.put(item)
            self.arrive(target, item)
        else:
            item.holder = deal.name
            deal.deeds.append(Deed("move", item, target))

    def purge(self, line: Line) -> None:
        line.items = [one for one in line.items if not one.free]
        for one in line.items:
            one.doomed = one.there

    def delete(self, line: Line) -> None:
        line.gone = True
        for wait in [one for one in self.waits if one.line is line]:
            self.give_up(wait, NO_QUEUE)
        line.items.clear()

    # ---- transactions

    def where(self, item: Item) -> Line | None:
        return next((line for line in self.lines.values() if item in line.items), None)

    def mark_ends(self, deal: Deal) -> None:
        for line in self.lines.values():
            mine = [deed.item for deed in deal.deeds if deed.kind == "send" and deed.item in line.items]
            for item in mine:
                item.ends = (item is mine[0], item is mine[-1])

    def prepare(self, deal: Deal, *, in_doubt: bool) -> None:
        self.mark_ends(deal)
        deal.prepared, deal.in_doubt = True, in_doubt

    def end(self, deal: Deal, *, commit: bool) -> None:
        if commit and not deal.prepared:
            self.mark_ends(deal)
        for deed in deal.deeds:
            line = self.where(deed.item)
            if line is not None:
                self.make_good(line, deed) if commit else self.undo(line, deed)
        del self.deals[deal.name]

    def make_good(self, line: Line, deed: Deed) -> None:
        if deed.kind == "send":
            self.arrive(line, deed.item)
        elif deed.kind == "receive":
            line.items.remove(deed.item)
        elif deed.target is None or deed.target.gone:
            self.give_back(line, deed.item)
        else:
            line.items.remove(deed.item)
            deed.target.put(deed.item)
            self.arrive(deed.target, deed.item)

    def undo(self, line: Line, deed: Deed) -> None:
        if deed.kind == "send":
            line.items.remove(deed.item)
        else:
            self.give_back(line, deed.item)

    def give_back(self, line: Line, item: Item) -> None:
        if item.doomed:
            line.items.remove(item)
        else:
            self.release(line, item)

    # ---- time and restarts

    def time_passes(self, seconds: int) -> None:
        self.now += seconds
        for line in self.lines.values():
            for item in line.items:
                item.overdue = item.due is not None and item.due <= self.now
            line.items = [one for one in line.items if not (one.overdue and one.free)]
        for wait in [one for one in self.waits if one.until <= self.now]:
            self.give_up(wait, TIMEOUT)

    def restart(self) -> None:
        """Reads and cursors are gone; what nobody will end any more is undone."""
        self.waits.clear()
        self.fingers.clear()
        for deal in [one for one in self.deals.values() if not one.in_doubt]:
            self.end(deal, commit=False)
        for line in self.lines.values():
            for item in [one for one in line.items if one.holder == READER]:
                self.give_back(line, item)
