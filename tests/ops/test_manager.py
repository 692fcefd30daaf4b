"""The queue manager as a whole on a real host: quotas that count, a disk that has everything, and a connection that stays cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from msmqctl.errors import StatusError
from msmqctl.ops import manager
from msmqctl.ops.manager import UNLIMITED
from msmqctl.ops.owning import own
from msmqctl.qm.host import Host
from msmqctl.wire.status import HResult
from tests.ops.desk import bodies, create, send


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def host(path: Path) -> Iterator[Host]:
    with own(path) as opened:
        create(opened, "orders")
        yield opened


def quotas(host: Host) -> tuple[int | None, int | None]:
    shown = manager.show_manager(host)
    return shown.quota_kb, shown.journal_quota_kb


def test_what_is_not_named_stays_as_it_is(host: Host) -> None:
    assert quotas(host) == (1048576, None)
    changed = manager.set_manager(host, quota_kb=7)
    assert (changed.quota_kb, changed.journal_quota_kb) == (7, None)
    manager.set_manager(host, journal_quota_kb=0)
    assert quotas(host) == (7, 0)
    manager.set_manager(host, quota_kb=UNLIMITED)
    assert quotas(host) == (None, 0)


def test_quotas_outlast_a_restart(path: Path) -> None:
    with own(path) as host:
        manager.set_manager(host, quota_kb=5, journal_quota_kb=6)
    with own(path) as host:
        assert quotas(host) == (5, 6)


def test_the_quota_is_for_all_queues_together(host: Host) -> None:
    create(host, "others")
    manager.set_manager(host, quota_kb=2)
    send(host, bytes(1000))
    with pytest.raises(StatusError, match="the quota of this queue manager leaves no room") as refused:
        send(host, bytes(1000), queue="others")
    assert refused.value.status is HResult.MQ_ERROR_INSUFFICIENT_RESOURCES
    assert bodies(host, "others") == []


def test_the_journal_quota_is_for_what_was_sent_from_here(host: Host) -> None:
    manager.set_manager(host, journal_quota_kb=1)
    send(host, bytes(600), bytes(600), journal=True)
    assert manager.show_manager(host).journal_messages == 1


def test_a_rehearsal_answers_like_the_deed_and_keeps_nothing(host: Host) -> None:
    assert manager.set_manager(host, quota_kb=7, rehearse=True).quota_kb == 7
    assert quotas(host) == (1048576, None)


@pytest.mark.parametrize("limit", [-1, UNLIMITED + 1, 1 << 80])
def test_a_quota_that_cannot_be(host: Host, limit: int) -> None:
    with pytest.raises(StatusError, match="is not between 0 and 4294967294 KB") as refused:
        manager.set_manager(host, quota_kb=limit)
    assert refused.value.status is HResult.MQ_ERROR_ILLEGAL_PROPERTY_VALUE
    assert quotas(host) == (1048576, None)


def test_if_the_directory_does_not_hear_of_it_nothing_is_changed(host: Host) -> None:
    host.do(lambda core, now: core.assign(core.local, directory_integrated=True))
    with pytest.raises(StatusError, match="the directory could not be told") as refused:
        manager.set_manager(host, quota_kb=7)
    assert refused.value.status is HResult.MQ_ERROR_NO_DS
    assert quotas(host) == (1048576, None)


def test_after_a_flush_the_file_alone_has_everything(host: Host, path: Path, tmp_path: Path) -> None:
    send(host, b"express")
    flushed = manager.flush_manager(host)
    assert (flushed.store, flushed.bytes > 0) == (str(path), True)
    copy = tmp_path / "copy.db"
    copy.write_bytes(path.read_bytes())
    assert manager.flush_manager(host).bytes == 0
    with own(copy) as copied:
        assert bodies(copied) == [b"express"]
    send(host, b"and on")
    assert bodies(host) == [b"express", b"and on"]


def test_disconnected_and_connected_over_restarts(path: Path) -> None:
    with own(path) as host:
        assert manager.show_manager(host).connected is True
        assert manager.disconnect_manager(host).connected is False
    with own(path) as host:
        assert manager.show_manager(host).connected is False
        assert manager.connect_manager(host).connected is True
    with own(path) as host:
        assert manager.show_manager(host).connected is True
