"""One bench for all tests of the queue manager: a store in memory or on disk, counters instead of chance, and restarts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

import pytest

from msmqctl.qm.core import Core
from msmqctl.qm.store import MEMORY, Store

AnyCore = TypeVar("AnyCore", bound=Core)
FIRST_GUID = 0x1000


class Bench:
    """Makes queue managers, or parts of one, over one store."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._guids = count(FIRST_GUID)
        self._handles = count(1)
        self._joints: dict[str, Any] = {}
        self._store: Store | None = None

    @property
    def on_disk(self) -> bool:
        """Whether a restart really closes and opens a file."""
        return self.path != MEMORY

    def new_guid(self) -> UUID:
        return UUID(int=next(self._guids))

    def open(self, kind: type[AnyCore], **joints: Any) -> AnyCore:
        """A `kind` over the store; `joints` are what its constructor takes besides, and come again after a restart."""
        self.close()
        self._joints = joints
        self._store = Store.open(self.path)
        return kind(self._store, new_guid=self.new_guid, new_handle=self._handles.__next__, **joints)

    def reopen(self, core: AnyCore) -> AnyCore:
        """Commit; on disk, close the file and start over from it. In memory there is nothing to come back from: the same goes on."""
        core.commit()
        return self.open(type(core), **self._joints) if self.on_disk else core

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None


@pytest.fixture(params=["memory", "file"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    """Every test that asks for it runs twice: in memory, and on a file."""
    made = Bench(MEMORY if request.param == "memory" else str(tmp_path / "queues.msmq"))
    yield made
    made.close()
