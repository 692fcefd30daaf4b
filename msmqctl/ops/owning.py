"""Own a store: open it, make its queue manager ready, and let go of it in the end."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NoReturn

from msmqctl.errors import StoreError
from msmqctl.qm.host import Host
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.surroundings import KeyUse, MachineIdentity, Surroundings


def this_machine() -> MachineIdentity:
    """The name of this computer, and its domain where the name tells one."""
    name, _, domain = platform.node().partition(".")
    return MachineIdentity((name or "localhost").upper()[:15], domain)


def _no_key(use: KeyUse, bits: int) -> NoReturn:
    raise ValueError("a queue manager outside of a domain publishes no keys")


def _start(manager: QueueManager, now: datetime, *, provisioning: bool) -> None:
    manager.initialize(now, Surroundings(this_machine, _no_key), provisioning=provisioning)
    # What ran out of time while nobody looked is gone before anybody looks.
    manager.expire(now)


@contextmanager
def own(store: Path, *, patience: float = 0) -> Iterator[Host]:
    """The queue manager that lives in the file `store`, ready for calls; both are made on first use.

    `patience` is how many seconds to wait while another process owns it.
    """
    try:
        store.parent.mkdir(parents=True, exist_ok=True)
        fresh = not store.exists()
    except OSError as error:
        raise StoreError(f"{store}: the store cannot be reached ({error.strerror}).", path=str(store), hint="check its folder.") from error
    host = Host.open(store, patience=patience)
    try:
        host.do(lambda manager, now: _start(manager, now, provisioning=fresh))
        yield host
    finally:
        host.close()
