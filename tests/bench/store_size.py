"""What a long queue costs: sends, receives and peeks with 1,000,000 messages waiting beside 1,000, memory, and `msmqctl queue list`.

    python tests/bench/store_size.py [MESSAGES] [FOLDER]

Fills a queue with bodies of 1 KB (about 2 GB for a million), then measures both stores in turn. Prints one JSON object; exit 5 when
something costs more than 1.5 times as much on the long queue, when `queue list` costs more than 1.5 times what it does on an
empty store, or when the process that opens the long one needs 200 MB or more.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from pathlib import Path
from statistics import median

from msmqctl.ops.bench import QUEUE, Sender, open_bench_queue
from msmqctl.ops.owning import own
from msmqctl.ops.queues import QueueOptions, create_queue
from msmqctl.qm.host import Host
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.message import DeliveryGuarantee
from msmqctl.qm.model import UNLIMITED_QUOTA, QueueAccessType

ROOT = Path(__file__).parent.parent.parent
SHORT = 1000
BODY = bytes(1024)
# How many messages share a commit while a queue is filled, and how often each thing is measured.
BATCH, ROUNDS, BURST = 2000, 40, 25
LIMIT, MEMORY_LIMIT_MB = 1.5, 200.0

OPENER = """
import resource, sys
from pathlib import Path
from msmqctl.ops.owning import own
from msmqctl.ops.bench import open_bench_queue
from msmqctl.qm.model import QueueAccessType
with own(Path(sys.argv[1])) as host:
    reader = open_bench_queue(host, QueueAccessType.RECEIVE_ACCESS)
    for _ in range(100):
        host.read(lambda manager, now: manager.dequeue_message(reader, now, timeout=0))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def fill(path: Path, count: int) -> None:
    """A store with so many messages in one queue."""
    with own(path) as host:

        def lift_quota(manager: QueueManager, now: datetime) -> None:
            with manager.call():
                manager.assign(manager.local, queue_manager_quota=UNLIMITED_QUOTA)
                manager.save_manager()

        host.do(lift_quota)
        create_queue(host, QUEUE, QueueOptions())
        sender = Sender(host, BODY)
        for begin in range(0, count, BATCH):
            host.do(partial(send_together, sender, min(BATCH, count - begin)))


def send_together(sender: Sender, count: int, manager: QueueManager, now: datetime) -> None:
    """So many messages in one commit."""
    for _ in range(count):
        sender.enqueue(manager, now, DeliveryGuarantee.EXPRESS)


def steps(host: Host) -> dict[str, Callable[[], object]]:
    """What is measured on an open store; as many come as go."""
    sender = Sender(host, BODY)
    reader = open_bench_queue(host, QueueAccessType.RECEIVE_ACCESS)
    return {
        "send": sender.send,
        "send express": sender.send_express,
        "receive": lambda: host.read(lambda manager, now: manager.dequeue_message(reader, now, timeout=0)),
        "peek": lambda: host.read(lambda manager, now: manager.peek_message(reader, now, timeout=0)),
    }


def burst(step: Callable[[], object]) -> float:
    """The median time of a few calls, in milliseconds."""
    times = []
    for _ in range(BURST):
        begin = time.perf_counter()
        step()
        times.append(time.perf_counter() - begin)
    return median(times) * 1000


def calls_ms(short: Path, long: Path) -> dict[str, dict[str, float]]:
    """What each call costs on both stores, measured in turn."""
    with ExitStack() as stack:
        both = {name: steps(stack.enter_context(own(path))) for name, path in (("short", short), ("long", long))}
        found: dict[str, dict[str, list[float]]] = {what: {"short": [], "long": []} for what in both["short"]}
        for _ in range(ROUNDS):
            for what, by_store in found.items():
                for name, times in by_store.items():
                    times.append(burst(both[name][what]))
    return {what: {name: round(median(times), 4) for name, times in by_store.items()} for what, by_store in found.items()}


def list_ms(empty: Path, long: Path) -> dict[str, float]:
    """What `msmqctl queue list` costs from the prompt on both stores, in turn."""
    found: dict[str, list[float]] = {"empty": [], "long": []}
    for _ in range(11):
        for name, path in (("empty", empty), ("long", long)):
            begin = time.perf_counter()
            command = [sys.executable, "-m", "msmqctl", "queue", "list", "--store", str(path)]
            subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
            found[name].append((time.perf_counter() - begin) * 1000)
    return {name: round(median(times), 1) for name, times in found.items()}


def memory_mb(path: Path) -> float:
    """What a process needs that opens the store and reads a hundred messages."""
    told = subprocess.run([sys.executable, "-c", OPENER, str(path)], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return round(float(told), 1)


def main() -> int:
    messages = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory(prefix="msmqctl-size-", dir=sys.argv[2] if len(sys.argv) > 2 else None) as folder:
        empty, short, long = (Path(folder) / f"{name}.db" for name in ("empty", "short", "long"))
        with own(empty) as host:
            create_queue(host, QUEUE, QueueOptions())
        fill(short, SHORT)
        begin = time.perf_counter()
        fill(long, messages)
        filled = time.perf_counter() - begin
        calls, listing, memory = calls_ms(short, long), list_ms(empty, long), memory_mb(long)
    ratios = {what: round(times["long"] / times["short"], 2) for what, times in calls.items()}
    ratios["queue list"] = round(listing["long"] / listing["empty"], 2)
    missed = [f"{what}: {ratio} times, {LIMIT} is the most" for what, ratio in ratios.items() if ratio > LIMIT]
    if memory >= MEMORY_LIMIT_MB:
        missed.append(f"memory: {memory} MB, less than {MEMORY_LIMIT_MB} is wanted")
    result = {
        "messages": messages,
        "filled_per_second": round(messages / filled),
        "call_ms": calls,
        "queue_list_ms": listing,
        "ratio": ratios,
        "memory_mb": memory,
        "missed": missed,
    }
    print(json.dumps(result, indent=2))
    return 5 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
