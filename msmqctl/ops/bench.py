"""DOOR how fast a store is here and now, beside what SQLite can do by itself on the same disk in the same minute.

Each round makes a store and two bare tables in a folder of its own, warms them up, and measures one thing after the other; so what else the
machine does hits all of them alike. A rate is the median of the rounds, a ratio is the median of the ratios within each round.
"""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import field
from datetime import datetime
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import TypeAlias

from msmqctl.errors import StoreError
from msmqctl.ops.messages import local_user
from msmqctl.ops.owning import own
from msmqctl.ops.queues import QueueOptions, create_queue
from msmqctl.qm.bare import BareTable
from msmqctl.qm.convert import packet_size
from msmqctl.qm.database import LOG_PAGES
from msmqctl.qm.host import Host
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.message import DeliveryGuarantee, Message
from msmqctl.qm.model import OpenQueueDescriptor, QueueAccessType, QueueShareMode
from msmqctl.qm.sending import EnqueueResult
from msmqctl.qm.waiting import PendingRead, ReadResult
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.names import PathName, direct_name, parse_name
from msmqctl.wire.values import INFINITE

QUEUE = r".\private$\bench"

# One thing done once.
Step: TypeAlias = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Load:
    """How much to measure: each thing for so many seconds, or so many times, in each round."""

    rounds: int = 5
    seconds: float = 0.5
    count: int | None = None
    threads: int = 16
    body_size: int = 1024

    @property
    def warm_up(self) -> int:
        """How many messages go before the first that counts: enough to fill the log once, because it is slower while it grows."""
        return LOG_PAGES if self.count is None else min(self.count, LOG_PAGES)


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that was measured, over all rounds."""

    name: str
    threads: int
    per_second: int
    p50_ms: float
    p99_ms: float
    compared_with: str | None
    ratio: float | None


@dataclass(frozen=True, slots=True)
class _Measure:
    """What to measure, by how many threads, and what to set it beside."""

    name: str
    compared_with: str | None = None
    many: bool = False


_BARE_FLUSHED, _BARE = "SQLite insert, flushed", "SQLite insert"
_SEND, _SEND_MANY, _RECEIVE, _EXPRESS, _PEEK = "send", "send, many threads", "receive", "send express", "peek"
_MEASURES = (
    _Measure(_BARE_FLUSHED),
    _Measure(_SEND, _BARE_FLUSHED),
    _Measure(_SEND_MANY, _SEND, many=True),
    _Measure(_RECEIVE, _SEND),
    _Measure(_BARE),
    _Measure(_EXPRESS, _BARE),
    _Measure(_PEEK),
)
STEPS = len(_MEASURES)


@dataclass(slots=True)
class _Found:
    """What the rounds found out about one measure."""

    rates: list[float] = field(default_factory=list)
    waits: array[float] = field(default_factory=lambda: array("d"))


def store(folder: Path | None, load: Load, stepped: Callable[[int], None]) -> list[Figure]:
    """Measure a throw-away store in `folder`, or where temporary files go; `stepped` hears of each measurement that is over."""
    found = {measure.name: _Found() for measure in _MEASURES}
    for _ in range(load.rounds):
        with _round(folder, load) as steps:
            for measure in _MEASURES:
                _run(steps[measure.name], load, load.threads if measure.many else 1, found[measure.name])
                stepped(1)
    return [_figure(measure, load, found) for measure in _MEASURES]


def _figure(measure: _Measure, load: Load, found: dict[str, _Found]) -> Figure:
    own = found[measure.name]
    ratio = None
    if measure.compared_with is not None:
        beside = found[measure.compared_with].rates
        ratio = round(median(mine / other for mine, other in zip(own.rates, beside, strict=True)), 2)
    waits = own.waits if len(own.waits) > 1 else array("d", [own.waits[0]] * 2)
    cuts = quantiles(waits, n=100, method="inclusive")
    threads = load.threads if measure.many else 1
    p50, p99 = (round(1000 * cuts[percent - 1], 3) for percent in (50, 99))
    return Figure(measure.name, threads, round(median(own.rates)), p50, p99, measure.compared_with, ratio)


# ---- running


def _run(step: Step, load: Load, threads: int, found: _Found) -> None:
    """Repeat a step in so many threads, and note how fast it went."""
    share = None if load.count is None else max(load.count // threads, 1)
    times = [array("d") for _ in range(threads)]
    failures: list[BaseException] = []

    def work(waits: array[float]) -> None:
        try:
            _repeat(step, share, begin + load.seconds, waits)
        except BaseException as failure:
            failures.append(failure)

    begin = time.perf_counter()
    if threads == 1:
        _repeat(step, share, begin + load.seconds, times[0])
    else:
        workers = [threading.Thread(target=work, args=(waits,)) for waits in times]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    lasted = time.perf_counter() - begin
    if failures:
        raise failures[0]
    found.rates.append(sum(map(len, times)) / lasted)
    for waits in times:
        found.waits.extend(waits)


def _repeat(step: Step, count: int | None, end: float, waits: array[float]) -> None:
    clock = time.perf_counter
    now = clock()
    while len(waits) < count if count is not None else now < end or not waits:
        if step() is None:
            return
        then, now = now, clock()
        waits.append(now - then)


# ---- what is measured


@contextmanager
def _round(folder: Path | None, load: Load) -> Iterator[dict[str, Step]]:
    """The steps of one round, on files that are gone when it is over."""
    with ExitStack() as stack:
        try:
            place = Path(stack.enter_context(TemporaryDirectory(prefix="msmqctl-bench-", dir=folder)))
        except OSError as error:
            problem = f"{folder}: nothing can be written there ({error.strerror})."
            raise StoreError(problem, path=str(folder), hint="choose another folder with --folder.") from error
        body = bytes(load.body_size)
        flushed = stack.enter_context(closing(BareTable(place / "flushed.db")))
        bare = stack.enter_context(closing(BareTable(place / "bare.db")))
        host = stack.enter_context(own(place / "store.db"))
        create_queue(host, QUEUE, QueueOptions())
        sender = Sender(host, body)
        reader = open_bench_queue(host, QueueAccessType.RECEIVE_ACCESS)
        for _ in range(load.warm_up):
            flushed.insert(body)
            bare.insert(body)
            sender.send_express()
        flushed.flush_always()

        def insert_flushed() -> bool:
            flushed.insert(body)
            return True

        def insert() -> bool:
            bare.insert(body)
            return True

        yield {
            _BARE_FLUSHED: insert_flushed,
            _SEND: sender.send,
            _SEND_MANY: sender.send,
            _RECEIVE: lambda: _message(host, lambda manager, now: manager.dequeue_message(reader, now, timeout=0)),
            _BARE: insert,
            _EXPRESS: sender.send_express,
            _PEEK: lambda: _message(host, lambda manager, now: manager.peek_message(reader, now, timeout=0)),
        }


def _message(host: Host, read: Callable[[QueueManager, datetime], ReadResult | PendingRead]) -> Message | None:
    return host.read(read).message


def open_bench_queue(host: Host, access: QueueAccessType) -> OpenQueueDescriptor:
    """A handle of the queue that is measured."""
    name = parse_name(QUEUE)
    if not isinstance(name, PathName):
        raise TypeError(f"{QUEUE} is no path name")
    opened = host.do(lambda manager, now: manager.open_queue(direct_name(name), access, QueueShareMode.DENY_NONE, now)).descriptor
    if opened is None:
        raise ValueError(f"{QUEUE} was just made and cannot be opened")
    return opened


class Sender:
    """Makes a message of its own for each send, as an application would."""

    def __init__(self, host: Host, body: bytes) -> None:
        self._host = host
        self._body = body
        self._descriptor = open_bench_queue(host, QueueAccessType.SEND_ACCESS)
        self._source = host.do(lambda manager, now: manager.local.identifier)
        self._user = local_user()
        # All of them have the same length, so that is worked out once.
        self._size = packet_size(self._made(0, host.do(lambda manager, now: now), DeliveryGuarantee.EXPRESS, 0))

    def _made(self, ordinal: int, now: datetime, guarantee: DeliveryGuarantee, size: int) -> Message:
        return Message(
            identifier=ObjectId(self._source, ordinal),
            source_machine_identifier=self._source,
            sent_time=now.replace(microsecond=0),
            label="bench",
            body=self._body,
            size=size,
            delivery_guarantee=guarantee,
            time_to_reach_queue=INFINITE,
            destination_queue_format_name=self._descriptor.format_name,  # type: ignore[arg-type]  # one queue, so one name
            sender_identifier=self._user,
        )

    def send(self) -> EnqueueResult:
        """One message that is on disk when this returns."""
        return self._host.do(lambda manager, now: self.enqueue(manager, now, DeliveryGuarantee.RECOVERABLE))

    def send_express(self) -> EnqueueResult:
        """One message that is in the file, and on disk some time later."""
        return self._host.do(lambda manager, now: self.enqueue(manager, now, DeliveryGuarantee.EXPRESS))

    def enqueue(self, manager: QueueManager, now: datetime, guarantee: DeliveryGuarantee) -> EnqueueResult:
        """One message, inside a call."""
        message = self._made(manager.store.next_ordinal(), now, guarantee, self._size)
        result = manager.enqueue_message_to_an_open_queue(self._descriptor, message, now)
        if result is not EnqueueResult.NO_ERROR:
            raise ValueError(f"the queue of the measurement refused a message: {result.name}")
        return result
