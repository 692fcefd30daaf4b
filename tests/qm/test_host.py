"""The host: many threads on one queue, waits that end in time, one flush for many, and expiry without polling."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from msmqctl.errors import StoreError
from msmqctl.qm.events import Event, MessagePositionAvailable, MessagePositionDeleted
from msmqctl.qm.host import Host, utc_now
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.message import DeliveryGuarantee, Message
from msmqctl.qm.model import OpenQueueDescriptor, Queue, QueueAccessType, QueueShareMode, QueueType
from msmqctl.qm.sending import EnqueueResult
from msmqctl.qm.surroundings import MachineIdentity, Surroundings
from msmqctl.wire.names import PathName, direct_name, parse_path_name
from msmqctl.wire.status import HResult
from msmqctl.wire.values import INFINITE, MessageClass
from tests.qm.outcome_desk import no_key
from tests.qm.samples import NOW, after

ORDERS = parse_path_name(".\\private$\\orders")


def start(path: Path, **joints: object) -> Host:
    """A host whose queue manager is ready."""
    host = Host.open(path, **joints)  # type: ignore[arg-type]  # clock and subscriber, as the test gives them
    initialize(host)
    return host


def initialize(host: Host) -> None:
    surroundings = Surroundings(machine_identity=lambda: MachineIdentity("HOST1"), generate_key=no_key)
    host.do(lambda manager, now: manager.initialize(now, surroundings, provisioning=True))


def create(host: Host, path: PathName = ORDERS, **attributes: object) -> Queue:
    def make(manager: QueueManager, now: datetime) -> Queue:
        template = Queue(pathname=path, queue_type=QueueType.PRIVATE)
        manager.set_queue_defaults(template)
        for name, value in attributes.items():
            setattr(template, name, value)
        made = manager.create_queue(template, now)
        assert made.queue is not None, made.status
        return made.queue

    return host.do(make)


def open_for(host: Host, access: QueueAccessType = QueueAccessType.RECEIVE_ACCESS) -> OpenQueueDescriptor:
    opened = host.do(lambda manager, now: manager.open_queue(direct_name(ORDERS), access, QueueShareMode.DENY_NONE, now))
    assert opened.descriptor is not None, opened.status
    return opened.descriptor


def send(host: Host, queue: Queue, body: bytes, *, recoverable: bool = True, ttbr: int = INFINITE) -> None:
    guarantee = DeliveryGuarantee.RECOVERABLE if recoverable else DeliveryGuarantee.EXPRESS
    message = Message(body=body, size=200 + len(body), delivery_guarantee=guarantee, time_to_be_received=ttbr, sent_time=utc_now())
    assert host.do(lambda manager, now: manager.enqueue_message(queue, message, now)) is EnqueueResult.NO_ERROR


def receive(host: Host, descriptor: OpenQueueDescriptor, timeout: float | None = 0) -> bytes | HResult:
    result = host.read(lambda manager, now: manager.dequeue_message(descriptor, now, timeout=timeout))
    return result.status if result.message is None else result.message.body


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    opened = start(tmp_path / "store.db")
    yield opened
    opened.close()


def test_what_was_sent_is_received_in_order(host: Host) -> None:
    queue, descriptor = create(host), open_for(host)
    for number in range(5):
        send(host, queue, b"%d" % number)
    assert [receive(host, descriptor) for _ in range(5)] == [b"0", b"1", b"2", b"3", b"4"]
    assert receive(host, descriptor) == HResult.MQ_ERROR_IO_TIMEOUT


def test_a_reader_wakes_when_its_message_comes(host: Host) -> None:
    queue, descriptor = create(host), open_for(host)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(receive, host, descriptor, None)
        until(lambda: host.do(lambda manager, now: len(manager.waiting_reads())) == 1)
        send(host, queue, b"at last")
        assert waiting.result(timeout=10) == b"at last"


def test_a_reader_gives_up_when_its_time_is_over(host: Host) -> None:
    create(host)
    assert receive(host, open_for(host), timeout=0.05) == HResult.MQ_ERROR_IO_TIMEOUT
    assert host.do(lambda manager, now: manager.waiting_reads()) == []


def test_a_reader_can_be_cancelled(host: Host) -> None:
    queue, descriptor = create(host), open_for(host)

    def wait() -> HResult:
        return host.read(lambda manager, now: manager.dequeue_message(descriptor, now, timeout=None, tag=7)).status

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(wait)
        until(lambda: host.do(lambda manager, now: len(manager.waiting_reads())) == 1)
        cancelled = HResult.MQ_ERROR_OPERATION_CANCELLED
        assert host.do(lambda manager, now: manager.cancel_waiting_message_read_request(queue, 7, cancelled)) is HResult.MQ_OK
        assert waiting.result(timeout=10) is cancelled


def test_many_writers_and_readers_lose_and_double_nothing(host: Host) -> None:
    queue = create(host)
    writers, readers, each = 6, 4, 40
    descriptors = [open_for(host) for _ in range(readers)]
    got: list[bytes] = []

    def write(writer: int) -> None:
        for number in range(each):
            send(host, queue, b"%d:%d" % (writer, number))

    def read(descriptor: OpenQueueDescriptor) -> None:
        while isinstance(body := receive(host, descriptor, timeout=2), bytes):
            got.append(body)

    with ThreadPoolExecutor(writers + readers) as pool:
        done = [pool.submit(read, descriptor) for descriptor in descriptors] + [pool.submit(write, writer) for writer in range(writers)]
        for future in done:
            future.result(timeout=60)
    assert sorted(got) == sorted(b"%d:%d" % (writer, number) for writer in range(writers) for number in range(each))
    assert all(messages == 0 for messages in counts(host).values())


def test_one_reader_sees_each_writer_in_its_order(host: Host) -> None:
    queue, descriptor = create(host), open_for(host)

    def write(writer: int) -> None:
        for number in range(30):
            send(host, queue, b"%d:%d" % (writer, number))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    got = [receive(host, descriptor) for _ in range(120)]
    for writer in range(4):
        mine = [body for body in got if isinstance(body, bytes) and body.startswith(b"%d:" % writer)]
        assert mine == [b"%d:%d" % (writer, number) for number in range(30)]


def test_commits_that_wait_together_share_a_flush(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = create(host)
    store = host.do(lambda manager, now: manager.store)
    flushes, flush = 0, store.flush

    def slow_flush() -> None:
        nonlocal flushes
        flushes += 1
        time.sleep(0.02)
        flush()

    monkeypatch.setattr(store, "flush", slow_flush)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda number: send(host, queue, b"%d" % number), range(64)))
    assert flushes < 32
    before = flushes
    send(host, queue, b"express", recoverable=False)
    assert flushes == before


def test_a_call_that_fails_has_not_happened(host: Host) -> None:
    queue = create(host)

    def half_way(manager: QueueManager, now: datetime) -> None:
        manager.enqueue_message(queue, Message(body=b"x", size=1), now)
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        host.do(half_way)
    assert receive(host, open_for(host)) == HResult.MQ_ERROR_IO_TIMEOUT
    assert queue.total_bytes == 0


def test_after_a_failed_flush_no_more_promises_are_made(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = create(host)
    store = host.do(lambda manager, now: manager.store)

    def fail() -> None:
        raise StoreError("the disk did not take it.", path=store.path)

    monkeypatch.setattr(store, "flush", fail)
    with pytest.raises(StoreError, match="did not take it"):
        send(host, queue, b"x")
    with pytest.raises(StoreError, match="opened anew"):
        send(host, queue, b"y")


def test_a_message_expires_without_anybody_asking(tmp_path: Path) -> None:
    happened: list[Event] = []
    host = start(tmp_path / "store.db", subscriber=happened.extend)
    queue = create(host)
    send(host, queue, b"short", ttbr=1)
    until(lambda: any(isinstance(event, MessagePositionDeleted) for event in happened))
    (gone,) = [event for event in happened if isinstance(event, MessagePositionDeleted)]
    assert (gone.message.body, gone.reason) == (b"short", MessageClass.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT)
    assert any(isinstance(event, MessagePositionAvailable) for event in happened)
    host.close()


def test_what_follows_from_a_receive_is_in_the_same_commit(host: Host) -> None:
    queue, descriptor = create(host, journaling=True), open_for(host)
    send(host, queue, b"journaled")
    receive(host, descriptor)
    journal = parse_path_name(".\\private$\\orders;journal")
    opened = host.do(
        lambda manager, now: manager.open_queue(direct_name(journal), QueueAccessType.RECEIVE_ACCESS, QueueShareMode.DENY_NONE, now)
    )
    assert opened.descriptor is not None
    assert receive(host, opened.descriptor) == b"journaled"


def test_a_restart_finds_everything_as_it_was(tmp_path: Path) -> None:
    host = start(tmp_path / "store.db")
    queue = create(host, label="Orders", quota=17)
    send(host, queue, b"kept")
    identifier = host.do(lambda manager, now: manager.local.identifier)
    host.close()
    host = start(tmp_path / "store.db")
    assert host.do(lambda manager, now: manager.local.identifier) == identifier
    found = host.do(lambda manager, now: manager.find_queue(direct_name(ORDERS), QueueAccessType.RECEIVE_ACCESS))
    assert found is not None
    assert (found.label, found.quota, found.total_bytes) == ("Orders", 17, 204)
    assert receive(host, open_for(host)) == b"kept"
    host.close()


def test_what_expired_while_nobody_ran_is_a_dead_letter_all_the_same(tmp_path: Path) -> None:
    host = start(tmp_path / "store.db", clock=lambda: NOW)
    queue = create(host)
    source = host.do(lambda manager, now: manager.local.identifier)
    mine: dict[str, Any] = {"source_machine_identifier": source, "negative_journaling_requested": True}
    host.do(lambda manager, now: manager.enqueue_message(queue, Message(body=b"x", size=1, time_to_be_received=5, **mine), now))
    host.close()
    # Before it is ready, a queue manager has no place for dead letters: until then time stands still.
    host = Host.open(tmp_path / "store.db", clock=lambda: after(5))
    host.do(lambda manager, now: None)
    threading.Event().wait(0.1)
    initialize(host)
    until(lambda: counts(host)["private$\\orders"] == 0)
    assert counts(host)["system$;deadletter"] == 1
    host.close()


def counts(host: Host) -> dict[str, int]:
    """How many messages are in each queue."""
    return host.do(lambda manager, now: {row.key: row.messages for row in manager.store.queues()})


def until(true: Callable[[], bool], seconds: float = 10) -> None:
    """Wait for something that another thread brings about."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        threading.Event().wait(0.005)
