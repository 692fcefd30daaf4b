"""The timers of the directory run from the host: a directory that comes back is noticed without anybody asking."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from msmqctl.qm import directory_joint
from msmqctl.qm.directory_joint import DirectoryTimer, Filter, Found
from msmqctl.qm.directory_model import QueueManager as Machine
from msmqctl.qm.directory_model import QueueManagerState
from msmqctl.qm.element import DirectoryObject
from msmqctl.qm.host import Host
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.store import Store
from tests.qm.dictionary_directory import NOT_CONNECTED, DictionaryDirectory

OWN = UUID(int=0xA)


@pytest.mark.spec("DM-3.1.2.5-1")
def test_the_host_looks_whether_the_directory_is_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(directory_joint.TIMER_DURATIONS, DirectoryTimer.ONLINE, timedelta(milliseconds=20))
    directory = DictionaryDirectory(Machine(identifier=OWN, computer_name="host", journal_quota=77))
    reachable = directory.joint()
    up, tries = threading.Event(), count(1)
    tried = threading.Event()

    def read(kind: type[DirectoryObject], conditions: Filter, attributes: tuple[str, ...] | None) -> Found:
        if next(tries) == 3:
            tried.set()
        return reachable.read(kind, conditions, attributes) if up.is_set() else Found(NOT_CONNECTED)

    handles = count(1)
    manager = QueueManager(
        Store.open(tmp_path / "store.db"),
        new_guid=uuid4,
        new_handle=lambda: next(handles),
        directory=replace(reachable, read=read),
    )
    host = Host(manager)
    try:
        host.do(
            lambda manager, now: manager.assign(
                manager.local,
                identifier=OWN,
                computer_name="host",
                directory_integrated=True,
                directory_offline=True,
                queue_manager_state=QueueManagerState.READY,
            )
        )
        host.do(lambda manager, now: manager.start_directory_timer(DirectoryTimer.ONLINE))
        assert tried.wait(20), "each try that fails starts the timer anew"
        assert host.do(lambda manager, now: manager.local.directory_offline)
        up.set()
        back = threading.Event()
        for _ in range(1000):
            if not host.do(lambda manager, now: manager.local.directory_offline):
                break
            back.wait(0.01)
        assert host.do(lambda manager, now: (manager.local.directory_offline, manager.local.journal_quota)) == (False, 77)
    finally:
        host.close()
