"""The courier: mail in order, one next hop that fails and others that do not, rest and reconnection, and a killed process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest

from msmqctl.errors import TransportError
from msmqctl.qm.courier import MOST_AT_ONCE, Courier, Deliver, Delivered, Delivery, Postponed, Refused
from msmqctl.qm.host import Host
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.message import DeliveryGuarantee, Message
from msmqctl.qm.model import OutgoingQueue, QueueAccessType, QueueShareMode
from msmqctl.qm.sending import EnqueueResult
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.names import parse_format_name
from msmqctl.wire.values import MessageClass
from tests.qm.test_host import start, until


def hop(number: int) -> str:
    return rf"DIRECT=TCP:192.0.2.{number}\private$\orders"


def send(host: Host, to: str, *bodies: bytes, **attributes: object) -> None:
    def work(manager: QueueManager, now: datetime) -> None:
        opened = manager.open_queue(parse_format_name(to), QueueAccessType.SEND_ACCESS, QueueShareMode.DENY_NONE, now)
        assert opened.descriptor is not None, opened.status
        for body in bodies:
            message = Message(body=body, size=100, delivery_guarantee=DeliveryGuarantee.RECOVERABLE, **attributes)  # type: ignore[arg-type]
            assert manager.enqueue_message_to_an_open_queue(opened.descriptor, message, now) is EnqueueResult.NO_ERROR
        manager.close_queue(opened.descriptor)

    host.do(work)


def outgoing(manager: QueueManager, to: str) -> OutgoingQueue:
    queue = manager.find_queue(parse_format_name(to), QueueAccessType.SEND_ACCESS)
    assert isinstance(queue, OutgoingQueue)
    return queue


def waiting(host: Host) -> int:
    return host.do(lambda manager, now: sum(row.messages for row in manager.store.queues() if row.messages))


@contextmanager
def courier(path: Path, deliver: Deliver) -> Iterator[Host]:
    one = Courier(deliver)
    host = start(path, subscriber=one.hear)
    one.start(host)
    try:
        yield host
    finally:
        one.close()
        host.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


class Taken:
    """Somebody who takes all mail, and remembers it by destination."""

    def __init__(self) -> None:
        self.bodies: dict[str, list[bytes]] = {}

    def __call__(self, queue: OutgoingQueue, message: Message) -> Delivery:
        self.bodies.setdefault(str(queue.destination_format_name), []).append(message.body)
        return Delivered()

    @property
    def total(self) -> int:
        return sum(map(len, self.bodies.values()))


def test_mail_is_delivered_in_order_and_leaves_its_queue(path: Path) -> None:
    taken = Taken()
    with courier(path, taken) as host:
        send(host, hop(1), *(bytes([number]) for number in range(50)))
        send(host, hop(2), b"x")
        until(lambda: waiting(host) == 0)
    assert taken.bodies == {hop(1): [bytes([number]) for number in range(50)], hop(2): [b"x"]}


def test_what_waited_before_the_start_is_delivered_too(path: Path) -> None:
    host = start(path)
    send(host, hop(1), b"a", b"b")
    host.close()
    taken = Taken()
    with courier(path, taken) as host:
        until(lambda: waiting(host) == 0)
    assert taken.bodies == {hop(1): [b"a", b"b"]}


@pytest.mark.parametrize("fails", [Postponed(0.01), TransportError("refused.", peer="192.0.2.1")])
def test_a_next_hop_that_fails_holds_up_its_own_queue_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch, fails: Postponed | TransportError
) -> None:
    monkeypatch.setattr(Postponed, "__init__", lambda self, seconds=0.01: object.__setattr__(self, "seconds", 0.01))
    taken, tries, up = Taken(), [0], threading.Event()

    def deliver(queue: OutgoingQueue, message: Message) -> Delivery:
        if str(queue.destination_format_name) == hop(1) and not up.is_set():
            tries[0] += 1
            if isinstance(fails, TransportError):
                raise fails
            return fails
        return taken(queue, message)

    with courier(path, deliver) as host:
        send(host, hop(1), b"a", b"b")
        send(host, hop(2), b"c", b"d")
        until(lambda: taken.bodies == {hop(2): [b"c", b"d"]} and tries[0] > 2)
        assert waiting(host) == 2
        up.set()
        until(lambda: waiting(host) == 0)
    assert taken.bodies == {hop(2): [b"c", b"d"], hop(1): [b"a", b"b"]}


def test_what_is_refused_becomes_a_dead_letter_and_the_next_one_goes(path: Path) -> None:
    taken = Taken()

    def deliver(queue: OutgoingQueue, message: Message) -> Delivery:
        return Refused(MessageClass.MQMSG_CLASS_NACK_BAD_DST_Q) if message.body == b"bad" else taken(queue, message)

    with courier(path, deliver) as host:
        here = host.do(lambda manager, now: manager.local.identifier)
        send(
            host, hop(1), b"bad", b"good",
            identifier=ObjectId(here, 1), source_machine_identifier=here, negative_journaling_requested=True,
        )  # fmt: skip
        until(lambda: taken.total == 1)

        def dead(manager: QueueManager, now: datetime) -> list[bytes]:
            key = manager.local.system_deadletter_queue
            assert key is not None
            return [manager.message(row.lookup).body for row in manager.store.positions(key)]

        until(lambda: host.do(dead) == [b"bad"])
    assert taken.bodies == {hop(1): [b"good"]}


def test_nothing_leaves_a_queue_on_hold_or_a_queue_manager_that_is_offline(path: Path) -> None:
    taken = Taken()
    with courier(path, taken) as host:
        host.do(lambda manager, now: manager.take_offline())
        send(host, hop(1), b"a")
        send(host, hop(2), b"b")
        host.do(lambda manager, now: manager.pause_queue(outgoing(manager, hop(1))))
        host.do(lambda manager, now: manager.bring_online())
        until(lambda: taken.total == 1)
        assert taken.bodies == {hop(2): [b"b"]}
        send(host, hop(1), b"c")
        send(host, hop(2), b"d")
        until(lambda: taken.total == 2)
        assert taken.bodies == {hop(2): [b"b", b"d"]}
        host.do(lambda manager, now: manager.resume_queue(outgoing(manager, hop(1))))
        until(lambda: waiting(host) == 0)
    assert taken.bodies == {hop(2): [b"b", b"d"], hop(1): [b"a", b"c"]}


def test_what_was_purged_while_it_was_under_way_is_gone_once(path: Path) -> None:
    under_way, go_on = threading.Event(), threading.Event()

    def deliver(queue: OutgoingQueue, message: Message) -> Delivery:
        under_way.set()
        assert go_on.wait(20)
        return Delivered()

    with courier(path, deliver) as host:
        send(host, hop(1), b"a")
        assert under_way.wait(20)
        host.do(lambda manager, now: manager.purge_queue(outgoing(manager, hop(1))))
        go_on.set()
        send(host, hop(1), b"b")
        until(lambda: waiting(host) == 0)
        total = host.do(lambda manager, now: manager.store.total_bytes())
    assert total == 0


def test_many_next_hops_are_served_side_by_side_up_to_a_limit(path: Path) -> None:
    lock, now_busy, most, full, go_on = threading.Lock(), [0], [0], threading.Event(), threading.Event()

    def deliver(queue: OutgoingQueue, message: Message) -> Delivery:
        with lock:
            now_busy[0] += 1
            most[0] = max(most[0], now_busy[0])
            if now_busy[0] == MOST_AT_ONCE:
                full.set()
        assert go_on.wait(20)
        with lock:
            now_busy[0] -= 1
        return Delivered()

    with courier(path, deliver) as host:
        for number in range(MOST_AT_ONCE + 4):
            send(host, hop(number + 1), b"x")
        assert full.wait(20)
        go_on.set()
        until(lambda: waiting(host) == 0)
    assert most[0] == MOST_AT_ONCE


def test_a_courier_that_stops_waits_for_what_is_under_way(path: Path) -> None:
    under_way, finished = threading.Event(), threading.Event()

    def deliver(queue: OutgoingQueue, message: Message) -> Delivery:
        under_way.set()
        finished.wait(0.05)
        finished.set()
        return Delivered()

    with courier(path, deliver) as host:
        send(host, hop(1), b"a", b"b")
        assert under_way.wait(20)
    assert finished.is_set()


DELIVERS_UNTIL_KILLED = """
import sys
import threading
from pathlib import Path
from msmqctl.qm.courier import Delivered
from tests.qm.test_courier import courier

def deliver(queue, message):
    print(message.body.decode(), flush=True)
    sys.stdin.readline()
    return Delivered()

with courier(Path(sys.argv[1]), deliver):
    threading.Event().wait(120)
"""


def test_a_courier_that_is_killed_delivers_at_least_once_and_in_order(path: Path) -> None:
    host = start(path)
    send(host, hop(1), *(str(number).encode() for number in range(6)))
    host.close()
    seen: list[str] = []
    for deliveries in (1, 3, 6):
        command = [sys.executable, "-c", DELIVERS_UNTIL_KILLED, str(path)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for _ in range(deliveries):
                line = process.stdout.readline().strip()
                if not line:
                    break
                seen.append(line)
                if line == "5":
                    break
                process.stdin.write("\n")
                process.stdin.flush()
            os.kill(process.pid, signal.SIGKILL)
            process.wait(20)
    # What was answered on the last line may or may not have reached the disk: it comes again, or not.
    distinct = [body for place, body in enumerate(seen) if body not in seen[:place]]
    assert distinct == ["0", "1", "2", "3", "4", "5"]
    assert sorted(seen) == seen


def test_only_what_concerns_mail_wakes_it(path: Path) -> None:
    """Every kind of event passes through; a courier that has not started, or has nothing to do, takes no notice."""
    idle: Callable[[OutgoingQueue, Message], Delivery] = Taken()
    one = Courier(idle)
    host = start(path, subscriber=one.hear)
    send(host, hop(1), b"a")
    assert one._rounds == {}
    one.start(host)
    until(lambda: waiting(host) == 0)
    one.close()
    send(host, hop(1), b"b")
    assert waiting(host) == 1
    host.close()
