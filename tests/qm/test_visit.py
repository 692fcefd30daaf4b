"""Visitors of a host: one that leaves takes nothing with it, and what it began can still be ended."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from msmqctl.qm.host import Host
from msmqctl.qm.model import Queue
from msmqctl.qm.visit import Visit
from msmqctl.qm.waiting import ReadResult
from msmqctl.wire.status import HResult
from tests.qm.test_host import create, open_for, send, start


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    host = start(tmp_path / "store.db")
    yield host
    host.close()


@pytest.fixture
def orders(host: Host) -> Queue:
    return create(host)


def read(visit: Visit, host: Host, timeout: float | None = 20) -> ReadResult:
    descriptor = open_for(host)
    return visit.read(lambda manager, now: manager.dequeue_message(descriptor, now, timeout=timeout))


def until_somebody_waits(host: Host, readers: int = 1) -> None:
    waited = threading.Event()
    for _ in range(2000):
        if host.do(lambda manager, now: len(manager.waiting_reads())) == readers:
            return
        waited.wait(0.01)
    raise AssertionError("nobody waits")


def test_a_visitor_that_leaves_stops_waiting_and_the_message_goes_to_another(host: Host, orders: Queue) -> None:
    leaving, staying = Visit(host), Visit(host)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(read, leaving, host, None)
        until_somebody_waits(host)
        second = threads.submit(read, staying, host)
        until_somebody_waits(host, 2)
        leaving.leave()
        assert first.result(20).status is HResult.MQ_ERROR_OPERATION_CANCELLED
        send(host, orders, b"for whoever is there")
        message = second.result(20).message
    assert message is not None
    assert message.body == b"for whoever is there"


def test_a_visitor_that_has_left_does_not_wait_any_more(host: Host, orders: Queue) -> None:
    visit = Visit(host)
    visit.leave()
    assert read(visit, host, None).status is HResult.MQ_ERROR_OPERATION_CANCELLED
    assert visit.do(lambda manager, now: manager.local.computer_name) == "HOST1", "what it began can be ended"


def test_leaving_after_the_message_came_changes_nothing(host: Host, orders: Queue) -> None:
    visit = Visit(host)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(read, visit, host)
        until_somebody_waits(host)
        send(host, orders, b"just in time")
        assert waiting.result(20).status is HResult.MQ_OK
    visit.leave()
