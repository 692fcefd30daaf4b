"""A process that works on a store with several threads until it is killed, and the books of whoever kills it.

Each thread of the victim does one thing after the other and says on its standard output what is done. So whatever the store has more
than was said is one thing a thread at most. Queues keep journals and dead letters, so no message may be missing anywhere: what was ever
sent is in one queue or in one journal, once.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from uuid import UUID, uuid4

from msmqctl.qm.core import key_of
from msmqctl.qm.host import Host
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.message import DeliveryGuarantee, Message
from msmqctl.qm.model import OpenQueueDescriptor, PositionState, Queue, QueueAccessType, QueueShareMode
from msmqctl.qm.sending import EnqueueResult
from msmqctl.qm.store import Store
from msmqctl.qm.surroundings import MachineIdentity, Surroundings
from msmqctl.wire.names import direct_name, parse_path_name
from msmqctl.wire.values import INFINITE
from tests.qm.outcome_desk import no_key
from tests.qm.queue_samples import template

ROOT = Path(__file__).parents[2]
# Messages go from desk to done, by a move, or by a receive into a journal; parts are sent in transactions; short ones die at once.
DESK, DONE, PARTS, SHORT = "desk", "done", "parts", "short"
QUEUES = (DESK, DONE, PARTS, SHORT)
DEAD = "system$;deadletter"
PARTS_OF_A_DEAL = 3
# How many threads can have done one thing more than they have said.
SENDERS, RECEIVERS = 3, 4
LIFETIME = 60.0


class Victim:
    """The work, and a thread for each kind of it."""

    def __init__(self, path: str, round_number: int) -> None:
        self.host = Host.open(path, patience=10)
        around = Surroundings(machine_identity=lambda: MachineIdentity("HOST1"), generate_key=no_key)
        self.host.do(lambda manager, now: manager.initialize(now, around, provisioning=True))
        self.queues = {name: self.host.do(partial(made, name)) for name in QUEUES}
        self.round = round_number
        self.source = self.host.do(lambda manager, now: manager.local.identifier)
        # The same story each round for the same number, as far as threads tell the same story twice.
        self.chance = Random(round_number)

    def run(self) -> None:
        work: list[Callable[[], None]] = [
            lambda: self.send("a", DESK),
            lambda: self.send("b", DESK),
            lambda: self.send("s", SHORT, dying=True),
            self.receive,
            self.receive_in_two_steps,
            self.move,
            lambda: self.deals("x", commit=True),
            lambda: self.deals("y", commit=False),
        ]
        for one in work:
            threading.Thread(target=guarded, args=(one,), daemon=True).start()
        time.sleep(LIFETIME)

    def message(self, label: str, *, recoverable: bool, dying: bool = False) -> Message:
        return Message(
            label=label,
            size=100 + len(label),
            source_machine_identifier=self.source,
            delivery_guarantee=DeliveryGuarantee.RECOVERABLE if recoverable else DeliveryGuarantee.EXPRESS,
            negative_journaling_requested=dying,
            time_to_be_received=0 if dying else INFINITE,
        )

    def send(self, who: str, name: str, *, dying: bool = False) -> None:
        for number in count():
            message = self.message(f"{self.round}.{who}.{number}", recoverable=number % 3 > 0, dying=dying)
            self.enqueue(name, message)
            say("sent", message.label)

    def enqueue(self, name: str, message: Message, deal: UUID | None = None) -> None:
        answer = self.host.do(lambda manager, now: manager.enqueue_message(self.queues[name], message, now, deal))
        assert answer is EnqueueResult.NO_ERROR

    def receive(self) -> None:
        handle = self.opened(DESK)
        while True:
            result = self.host.read(lambda manager, now: manager.dequeue_message(handle, now, timeout=1))
            if result.message is not None:
                say("got", result.message.label)

    def receive_in_two_steps(self) -> None:
        handle = self.opened(DONE)
        while True:
            result = self.host.read(lambda manager, now: manager.dequeue_message_begin(handle, now, timeout=1))
            if result.message is not None:
                self.second_step(handle, result.message, delete=self.chance.random() < 0.5)

    def second_step(self, handle: OpenQueueDescriptor, message: Message, *, delete: bool) -> None:
        self.host.do(lambda manager, now: manager.dequeue_message_end(handle, message.lookup_identifier, delete=delete))
        say("got" if delete else "gave back", message.label)

    def move(self) -> None:
        while True:
            label = self.host.do(lambda manager, now: moved(manager, self.queues[DESK], self.queues[DONE]))
            if label is not None:
                say("moved", label)

    def deals(self, who: str, *, commit: bool) -> None:
        handle = self.opened(DONE)
        for number in count():
            self.deal(f"{self.round}.{who}.{number}", handle, uuid4(), commit=commit)

    def deal(self, label: str, handle: OpenQueueDescriptor, name: UUID, *, commit: bool) -> None:
        """Send some messages, receive one and move one, in one transaction."""
        self.host.do(lambda manager, now: manager.create_transaction(name))
        for part in range(PARTS_OF_A_DEAL):
            self.enqueue(PARTS, self.message(f"{label}.{part}", recoverable=part > 0), name)
        read = self.host.read(lambda manager, now: manager.dequeue_message(handle, now, timeout=0, transaction=name))
        shifted = self.host.do(lambda manager, now: moved(manager, self.queues[DESK], self.queues[DONE], name))
        self.host.do(lambda manager, now: manager.transaction_commit(name) if commit else manager.transaction_abort(name))
        got = "-" if read.message is None else read.message.label
        say("committed" if commit else "aborted", label, got, shifted or "-")

    def opened(self, name: str) -> OpenQueueDescriptor:
        path = direct_name(parse_path_name(rf".\private$\{name}"))
        result = self.host.do(lambda manager, now: manager.open_queue(path, QueueAccessType.RECEIVE_ACCESS, QueueShareMode.DENY_NONE, now))
        assert result.descriptor is not None
        return result.descriptor


def made(name: str, manager: QueueManager, now: datetime) -> Queue:
    found = manager.find_queue(parse_path_name(rf".\private$\{name}"), QueueAccessType.RECEIVE_ACCESS)
    if found is None:
        found = manager.create_queue(template(rf".\private$\{name}", journaling=True), now).queue
    assert found is not None
    return found


def moved(manager: QueueManager, source: Queue, target: Queue, transaction: UUID | None = None) -> str | None:
    """Move the first free message; its label."""
    position = manager.store.first_available(key_of(source))
    if position is None:
        return None
    manager.move_message(position, target, transaction)
    return manager.message(position.lookup).label


def say(*words: str) -> None:
    os.write(1, (" ".join(word.replace(" ", "_") for word in words) + "\n").encode())


def guarded(work: Callable[[], None]) -> None:
    try:
        work()
    except BaseException:
        say("failed", traceback.format_exc().replace("\n", "|"))
        raise


# ---- the one who kills, and what it holds the store to


@dataclass
class Books:
    """What victims said to have done, over all rounds."""

    path: str
    sent: set[str] = field(default_factory=set)
    got: set[str] = field(default_factory=set)
    moved: set[str] = field(default_factory=set)
    committed: set[str] = field(default_factory=set)
    aborted: set[str] = field(default_factory=set)
    # Found in the store although nobody had the time to say so.
    unsaid_sent: set[str] = field(default_factory=set)
    unsaid_got: set[str] = field(default_factory=set)
    # All that was received before the last victim began.
    got_before: set[str] = field(default_factory=set)
    sequential: int = 0

    def hear(self, line: str) -> None:
        what, label, *more = line.split()
        match what:
            case "sent":
                self.sent.add(label)
            case "got":
                self.hear_got(label)
            case "moved":
                self.moved.add(label)
            case "committed":
                self.committed.add(label)
                got, shifted = more
                if got != "-":
                    self.hear_got(got)
                self.moved.update({shifted} - {"-"})
            case "aborted":
                self.aborted.add(label)
            case "gave_back":
                # Within a round the next reader may have said that it got it before this one said that it gave it back.
                assert label not in self.got_before, f"{label} was received and came back"
            case _:
                raise AssertionError(line)

    def hear_got(self, label: str) -> None:
        assert label not in self.got | self.unsaid_got, f"{label} was received twice"
        self.got.add(label)

    def kill_one(self, round_number: int, lines: int, delay: float) -> None:
        """Let a victim work until it has said so many lines, and a little longer."""
        program = f"from tests.qm.victim import Victim; Victim({self.path!r}, {round_number}).run()"
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=ROOT) as victim:
            assert victim.stdout is not None
            said = [victim.stdout.readline() for _ in range(lines)]
            time.sleep(delay)
            victim.kill()
            said += victim.stdout
        self.got_before = self.got | self.unsaid_got
        for line in said:
            self.hear(line)

    def check(self) -> None:
        """Open what was left, and compare."""
        handles = count(1)
        manager = QueueManager(Store.open(self.path), new_guid=uuid4, new_handle=lambda: next(handles))
        manager.recover()
        manager.commit()
        try:
            self.check_totals(manager)
            self.check_messages(manager)
        finally:
            manager.store.close()

    def check_totals(self, manager: QueueManager) -> None:
        """Totals are sums, nothing is held, no transaction is open, and no number was given back."""
        whole = 0
        for row in manager.store.queues():
            positions = manager.store.positions(row.id, limit=1_000_000)
            assert (row.messages, row.bytes) == (len(positions), sum(one.size for one in positions)), row.key
            assert {(one.state, one.counted) for one in positions} <= {(PositionState.AVAILABLE, True)}, row.key
            whole += row.bytes
        assert manager.store.total_bytes() == whole
        assert manager.store.units() == []
        assert manager.store.sequential() >= self.sequential
        self.sequential = manager.store.sequential()

    def check_messages(self, manager: QueueManager) -> None:
        live = {name: labels(manager, rf"private$\{name}") for name in QUEUES}
        journals = {name: labels(manager, rf"private$\{name};journal") for name in QUEUES}
        dead = labels(manager, DEAD)
        received = {label for journal in journals.values() for label in journal}
        # Once: in a queue, in a journal, or among the dead.
        found = Counter(label for place in (*live.values(), *journals.values(), dead) for label in place)
        assert [label for label, times in found.items() if times > 1] == []
        self.check_parts(live[PARTS])
        everything = found.keys() - set(live[PARTS])
        # What was said to be done is done.
        assert self.sent <= everything
        assert self.got <= received
        assert self.moved.isdisjoint(live[DESK])
        assert all(label.split(".")[1] == "s" for label in (*live[SHORT], *dead))
        # What was not said is one thing a thread.
        self.unsaid_sent = excused(everything - self.sent, self.unsaid_sent - self.sent, SENDERS)
        self.unsaid_got = excused(received - self.got, self.unsaid_got - self.got, RECEIVERS)
        for place in live.values():
            assert in_order(place), place

    def check_parts(self, parts: list[str]) -> None:
        """Every transaction is whole or not there."""
        deals = [label.rpartition(".")[0] for label in parts]
        whole = list(dict.fromkeys(deals))
        assert parts == [f"{deal}.{part}" for deal in whole for part in range(PARTS_OF_A_DEAL)]
        assert self.committed <= set(whole)
        assert self.aborted.isdisjoint(whole)
        assert all(deal.split(".")[1] == "x" for deal in whole)


def labels(manager: QueueManager, key: str) -> list[str]:
    row = manager.store.queue_by_key(key)
    assert row is not None, key
    return [manager.message(one.lookup).label for one in manager.store.positions(row.id, limit=1_000_000)]


def excused(unsaid: set[str], before: set[str], threads: int) -> set[str]:
    """All that was never said, if no more of it is new than threads can have been cut off."""
    assert len(unsaid - before) <= threads, sorted(unsaid - before)
    return unsaid


def in_order(place: list[str]) -> bool:
    """Whether what each thread sent stands in the order in which it sent it."""
    keys = [(int(number), who, [int(word) for word in rest]) for number, who, *rest in (label.split(".") for label in place)]
    senders = {(number, who) for number, who, _ in keys}
    return all(mine == sorted(mine) for mine in ([one for one in keys if one[:2] == sender] for sender in senders))


def kill_again_and_again(path: str, rounds: int, seed: int) -> Books:
    """Kill so many victims of one store, one after the other, and look each time."""
    chance, books = Random(seed), Books(path)
    for number in range(rounds):
        books.kill_one(number, lines=chance.randint(1, 150), delay=chance.random() / 200)
        books.check()
    return books
