"""Durable messages side by side with other queues, run in turn on the same disk: litequeue, persist-queue, RabbitMQ.

    python -m venv /tmp/peers && /tmp/peers/bin/pip install litequeue persist-queue pika
    apt-get install rabbitmq-server      # and let it run here, on its usual port
    PYTHONPATH=. /tmp/peers/bin/python tests/bench/peers.py [ROUNDS] [SECONDS] [FOLDER]

Bodies of 1 KB, one message a call, and each call is answered when the disk has it: both queues on SQLite have synchronous=FULL,
RabbitMQ gets persistent messages with publisher confirms over one connection. A peer that is not there is left out, and said so.

Prints one JSON object: calls a second, the median of the rounds, and ratios to ours. Exit 5 when one of these does not hold: with one
thread at least 0.8 of the faster of litequeue and persist-queue; with 16 threads ahead of both; ahead of RabbitMQ.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from msmqctl.ops.bench import QUEUE, Sender, open_bench_queue
from msmqctl.ops.owning import own
from msmqctl.ops.queues import QueueOptions, create_queue
from msmqctl.qm.model import QueueAccessType

BODY = "x" * 1024
THREADS = 16
OURS = "msmqctl"
FILES = ("litequeue", "persist-queue")
RABBIT = "RabbitMQ"


class Peer(NamedTuple):
    """What a queue can be asked to do; each call is one message. None where it cannot be shared by threads, or is not asked."""

    send: Callable[[], object]
    receive: Callable[[], object] | None
    shared: bool


@contextmanager
def ours(folder: Path) -> Iterator[Peer]:
    with own(folder / "store.db") as host:
        create_queue(host, QUEUE, QueueOptions())
        sender = Sender(host, BODY.encode())
        reader = open_bench_queue(host, QueueAccessType.RECEIVE_ACCESS)
        yield Peer(sender.send, lambda: host.read(lambda manager, now: manager.dequeue_message(reader, now, timeout=0)), shared=True)


@contextmanager
def litequeue(folder: Path) -> Iterator[Peer]:
    queue = import_module("litequeue").LiteQueue(folder / "lite.db")
    queue.conn.execute("PRAGMA synchronous = FULL")

    def receive() -> None:
        message = queue.pop()
        if message is not None:
            queue.done(message.message_id)

    yield Peer(lambda: queue.put(BODY), receive, shared=True)
    queue.close()


@contextmanager
def persist_queue(folder: Path) -> Iterator[Peer]:
    queue = import_module("persistqueue").SQLiteQueue(str(folder / "persist"), multithreading=True, auto_commit=True)
    for connection in {queue._putter, queue._getter}:
        connection.execute("PRAGMA synchronous = FULL")
    yield Peer(lambda: queue.put(BODY), lambda: queue.get(block=False) if queue.size else None, shared=True)
    queue.close()


@contextmanager
def rabbitmq(folder: Path) -> Iterator[Peer]:
    pika = import_module("pika")
    connection = pika.BlockingConnection(pika.ConnectionParameters("localhost"))
    channel = connection.channel()
    channel.queue_declare("msmqctl-bench", durable=True)
    channel.confirm_delivery()
    persistent = pika.BasicProperties(delivery_mode=pika.DeliveryMode.Persistent)
    yield Peer(lambda: channel.basic_publish("", "msmqctl-bench", BODY.encode(), persistent), None, shared=False)
    channel.queue_delete("msmqctl-bench")
    connection.close()


PEERS: dict[str, Callable[[Path], Any]] = {OURS: ours, FILES[0]: litequeue, FILES[1]: persist_queue, RABBIT: rabbitmq}


def rate(step: Callable[[], object], threads: int, seconds: float) -> float:
    """Calls a second of so many threads together."""
    counts = [0] * threads
    begin = time.perf_counter()

    def work(number: int) -> None:
        while time.perf_counter() - begin < seconds:
            step()
            counts[number] += 1

    workers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(counts) / (time.perf_counter() - begin)


def present(folder: Path) -> tuple[list[str], dict[str, str]]:
    """Which peers can be measured, and why the others cannot."""
    there, absent = [], {}
    for name, opened in PEERS.items():
        try:
            with opened(folder / f"try-{name}"):
                there.append(name)
        except ImportError as error:
            absent[name] = f"{name} is left out: the module {error.name} is not installed here."
        except Exception as error:
            if name != RABBIT:
                raise
            absent[name] = f"{name} is left out: no broker answers on this computer ({type(error).__name__})."
    return there, absent


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    folder = sys.argv[3] if len(sys.argv) > 3 else None
    found: dict[str, dict[str, list[float]]] = {}
    with tempfile.TemporaryDirectory(prefix="msmqctl-peers-", dir=folder) as place:
        for name in PEERS:
            (Path(place) / f"try-{name}").mkdir()
        there, absent = present(Path(place))
        for sentence in absent.values():
            print(sentence, file=sys.stderr)
        for number in range(rounds):
            with ExitStack() as stack:
                opened: dict[str, Peer] = {}
                for name in there:
                    own = Path(place) / f"{number}-{name}"
                    own.mkdir()
                    opened[name] = stack.enter_context(PEERS[name](own))
                # In turn: one thing of every peer, then the next thing.
                for name, peer in opened.items():
                    found.setdefault("send", {}).setdefault(name, []).append(rate(peer.send, 1, seconds))
                for name, peer in opened.items():
                    if peer.shared:
                        found.setdefault(f"send, {THREADS} threads", {}).setdefault(name, []).append(rate(peer.send, THREADS, seconds))
                for name, peer in opened.items():
                    if peer.receive is not None:
                        found.setdefault("receive", {}).setdefault(name, []).append(rate(peer.receive, 1, seconds))
    return tell(found, absent)


def tell(found: dict[str, dict[str, list[float]]], absent: dict[str, str]) -> int:
    """Print the figures; the exit code."""
    # Ours against each peer, within each round: what else the machine did then has hit both.
    ratios = {
        what: {name: median(mine / other for mine, other in zip(rates[OURS], rates[name], strict=True)) for name in rates if name != OURS}
        for what, rates in found.items()
    }
    limits = {
        "send": {**dict.fromkeys(FILES, 0.8), RABBIT: 1.0},
        f"send, {THREADS} threads": dict.fromkeys(FILES, 1.0),
    }
    missed = [
        f"{what}: {ratios[what][name]:.2f} of {name}, {limit} is the least"
        for what, wanted in limits.items()
        for name, limit in wanted.items()
        if name in ratios[what] and ratios[what][name] < limit
    ]
    result = {
        "per_second": {what: {name: round(median(values)) for name, values in rates.items()} for what, rates in found.items()},
        "ours_to": {what: {name: round(ratio, 2) for name, ratio in by_peer.items()} for what, by_peer in ratios.items()},
        "absent": list(absent),
        "missed": missed,
    }
    print(json.dumps(result, indent=2))
    return 5 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
