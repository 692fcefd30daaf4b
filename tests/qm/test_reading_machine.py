"""Sending and reading beside a list that does the same the naive way: order, locks, cursors, waits, totals; also over restarts."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from msmqctl.qm.core import key_of
from msmqctl.qm.model import CursorState, MessageSeekAction, PositionState
from msmqctl.qm.store import MEMORY
from msmqctl.qm.waiting import PendingRead
from msmqctl.wire.status import HResult
from tests.qm.conftest import Bench
from tests.qm.reader import Desk, answer, waiting
from tests.qm.samples import NOW, after, cursor_at_start

TIMEOUT, ILLEGAL = HResult.MQ_ERROR_IO_TIMEOUT, HResult.MQ_ERROR_ILLEGAL_CURSOR_ACTION
NOT_FOUND, RECEIVED = HResult.MQ_ERROR_MESSAGE_NOT_FOUND, HResult.MQ_ERROR_MESSAGE_ALREADY_RECEIVED
USAGE, SEQUENCE = HResult.MQ_ERROR_TRANSACTION_USAGE, HResult.MQ_ERROR_TRANSACTION_SEQUENCE
CURSORS = st.integers(0, 1)

# Where an entry belongs: by falling priority, then by rising number.
Place: TypeAlias = tuple[int, int]
BEFORE_ALL: Place = (-8, 0)


@dataclass
class Entry:
    """A message as the list has it."""

    number: int
    priority: int
    open_to_peeks: bool
    lookup: int
    locked: bool = False

    @property
    def label(self) -> str:
        return str(self.number)

    @property
    def place(self) -> Place:
        return (-self.priority, self.number)

    def seen(self, *, peek: bool) -> bool:
        return not self.locked or (peek and self.open_to_peeks)


@dataclass
class Finger:
    """A cursor as the list has it: `end` is the number of the last message when it was parked."""

    place: Place = BEFORE_ALL
    end: int | None = None
    read: bool = False

    def put_on(self, entry: Entry, *, read: bool) -> None:
        self.place, self.end, self.read = entry.place, None, read


@dataclass
class Model:
    """The queue as a list."""

    entries: list[Entry] = field(default_factory=list)
    sent: int = 0

    def behind(self, finger: Finger, *, peek: bool) -> Entry | None:
        later = (one.number > finger.end if finger.end is not None else one.place > finger.place for one in self.entries)
        return next((one for one, is_later in zip(self.entries, later, strict=True) if is_later and one.seen(peek=peek)), None)

    def first(self, *, peek: bool) -> Entry | None:
        return self.behind(Finger(), peek=peek)

    def at(self, finger: Finger) -> Entry | None:
        return next((one for one in self.entries if one.place == finger.place and not one.locked), None)


class Reader(RuleBasedStateMachine):
    """In memory."""

    path = MEMORY

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.bench = Bench(self.path if self.path == MEMORY else str(Path(self.folder.name) / self.path))
        self.desk = Desk(self.bench)
        self.model = Model()
        self.waits: list[tuple[bool, PendingRead]] = []

    def teardown(self) -> None:
        self.bench.close()
        self.folder.cleanup()

    @initialize()
    def take_cursors(self) -> None:
        self.cursors = [cursor_at_start(self.desk.core, self.desk.handle) for _ in range(2)]
        self.fingers = [Finger(), Finger()]

    # ---- sending, and who is served

    @rule(priority=st.integers(0, 7), open_to_peeks=st.booleans())
    def send(self, priority: int, open_to_peeks: bool) -> None:
        self.model.sent += 1
        entry = Entry(self.model.sent, priority, open_to_peeks, (7 - priority) << 56 | self.model.sent)
        self.model.entries = sorted([*self.model.entries, entry], key=lambda one: one.place)
        self.desk.send(entry.label, priority=priority, allow_peek_when_locked=open_to_peeks)
        self.serve(entry)

    def serve(self, entry: Entry) -> None:
        while self.waits:
            destructive, read = self.waits.pop(0)
            assert answer(read.result) == entry.label
            if destructive:
                self.model.entries.remove(entry)
                return

    @rule(destructive=st.booleans())
    def wait(self, destructive: bool) -> None:
        core, handle = self.desk.core, self.desk.handle
        if self.model.first(peek=not destructive) is None:
            start = core.dequeue_message if destructive else core.peek_message
            self.waits.append((destructive, waiting(start(handle, NOW, timeout=60))))

    @rule()
    def time_passes(self) -> None:
        self.desk.core.end_overdue_reads(after(60))
        assert [answer(read.result) for _, read in self.waits] == [TIMEOUT] * len(self.waits)
        self.waits.clear()

    # ---- reading without a cursor

    @rule()
    def peek(self) -> None:
        found = self.model.first(peek=True)
        assert answer(self.desk.core.peek_message(self.desk.handle, NOW, timeout=0)) == (found.label if found else TIMEOUT)

    @rule()
    def receive(self) -> None:
        found = self.model.first(peek=False)
        assert answer(self.desk.core.dequeue_message(self.desk.handle, NOW, timeout=0)) == (found.label if found else TIMEOUT)
        if found:
            self.model.entries.remove(found)

    @rule()
    def receive_first_step(self) -> None:
        found = self.model.first(peek=False)
        heard = answer(self.desk.core.dequeue_message_begin(self.desk.handle, NOW, timeout=0))
        assert heard == (found.label if found else TIMEOUT)
        if found:
            found.locked = True

    @precondition(lambda self: self.model.entries)
    @rule(which=st.integers(0, 99), delete=st.booleans())
    def receive_second_step(self, which: int, delete: bool) -> None:
        entry = self.model.entries[which % len(self.model.entries)]
        status = self.desk.core.dequeue_message_end(self.desk.handle, entry.lookup, delete=delete)
        assert status is (HResult.MQ_OK if entry.locked else SEQUENCE)
        if not entry.locked:
            return
        if delete:
            self.model.entries.remove(entry)
            return
        entry.locked = False
        self.serve(entry)

    @precondition(lambda self: self.model.sent)
    @rule(number=st.integers(0, 99), action=st.sampled_from(MessageSeekAction), peek=st.booleans())
    def look_up(self, number: int, action: MessageSeekAction, peek: bool) -> None:
        number = number % self.model.sent + 1
        found = self.looked_up(number, action, peek=peek)
        heard = answer(self.desk.core.read_message_by_lookup_identifier(self.desk.handle, number, peek=peek, action=action))
        assert heard == (found.label if isinstance(found, Entry) else found)
        if isinstance(found, Entry) and not peek:
            self.model.entries.remove(found)

    def looked_up(self, number: int, action: MessageSeekAction, *, peek: bool) -> Entry | HResult:
        entries = self.model.entries
        here = next((index for index, one in enumerate(entries) if one.number == number), None)
        if action is MessageSeekAction.SEEK_FIRST:
            chosen = entries
        elif action is MessageSeekAction.SEEK_LAST:
            chosen = entries[::-1]
        elif here is None:
            return NOT_FOUND
        elif action is MessageSeekAction.SEEK_NEXT:
            chosen = entries[here + 1 :]
        elif action is MessageSeekAction.SEEK_PREVIOUS:
            chosen = entries[:here][::-1]
        else:
            chosen = entries[here : here + 1]
            if peek and not chosen[0].seen(peek=True):
                return USAGE
        return next((one for one in chosen if one.seen(peek=peek)), NOT_FOUND)

    # ---- reading through cursors

    @rule(which=CURSORS)
    def cursor_peek(self, which: int) -> None:
        finger = self.fingers[which]
        found = self.model.at(finger) if finger.read else self.model.behind(finger, peek=True)
        heard = answer(self.desk.core.peek_message(self.desk.handle, NOW, timeout=0, cursor=self.cursors[which]))
        if found:
            finger.put_on(found, read=True)
        assert heard == (found.label if found else RECEIVED if finger.read else TIMEOUT)

    @rule(which=CURSORS)
    def cursor_peek_next(self, which: int) -> None:
        finger = self.fingers[which]
        found = self.model.behind(finger, peek=True) if finger.read else None
        heard = answer(self.desk.core.peek_next_message(self.desk.handle, NOW, self.cursors[which], timeout=0))
        assert heard == (found.label if found else TIMEOUT if finger.read else ILLEGAL)
        finger.read = found is not None
        if found:
            finger.put_on(found, read=True)

    @rule(which=CURSORS)
    def cursor_receive(self, which: int) -> None:
        finger = self.fingers[which]
        found = self.model.at(finger) if finger.read else self.model.behind(finger, peek=False)
        heard = answer(self.desk.core.dequeue_message(self.desk.handle, NOW, timeout=0, cursor=self.cursors[which]))
        assert heard == (found.label if found else RECEIVED if finger.read else NOT_FOUND)
        if found:
            finger.put_on(found, read=False)
            self.model.entries.remove(found)

    @precondition(lambda self: not self.waits)
    @rule(which=CURSORS)
    def cursor_waits_in_vain(self, which: int) -> None:
        finger = self.fingers[which]
        if not finger.read and self.model.behind(finger, peek=False) is None:
            read = waiting(self.desk.core.dequeue_message(self.desk.handle, NOW, timeout=1, cursor=self.cursors[which]))
            self.desk.core.end_overdue_reads(after(1))
            assert answer(read.result) is TIMEOUT
            finger.end = self.model.sent

    @rule(which=CURSORS)
    def take_a_new_cursor(self, which: int) -> None:
        self.cursors[which] = cursor_at_start(self.desk.core, self.desk.handle)
        self.fingers[which] = Finger()

    # ---- restarts, and what always holds

    @precondition(lambda self: not self.waits)
    @rule()
    def restart(self) -> None:
        self.desk.restart()
        self.take_cursors()

    @invariant()
    def same_as_the_list(self) -> None:
        entries, store = self.model.entries, self.desk.core.store
        rows = store.positions(key_of(self.desk.queue))
        assert [row.lookup for row in rows] == [one.lookup for one in entries]
        assert [row.state == PositionState.LOCKED for row in rows] == [one.locked for one in entries]
        assert self.desk.queue.total_bytes == store.total_bytes() == 100 * len(entries)
        assert [read for _, read in self.waits] == self.desk.core.waiting_reads()

    @invariant()
    def cursors_agree(self) -> None:
        read = [cursor.cursor_state is CursorState.READ for cursor in getattr(self, "cursors", ())]
        assert read == [finger.read for finger in getattr(self, "fingers", ())]


class ReaderOnDisk(Reader):
    """On a file that is closed and opened at each restart."""

    path = "queues.msmq"


TestReader = Reader.TestCase
TestReader.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
TestReaderOnDisk = ReaderOnDisk.TestCase
TestReaderOnDisk.settings = settings(max_examples=15, stateful_step_count=40, deadline=None)
