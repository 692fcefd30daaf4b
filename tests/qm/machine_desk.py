"""Our queue manager with the queues, handles and cursors that a naive one stands beside, and how the answers of both compare."""

from __future__ import annotations

from msmqctl.qm.core import key_of
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.model import UNLIMITED_QUOTA, Cursor, OpenQueueDescriptor, Queue, QueueAccessType, QueueShareMode
from msmqctl.qm.store import PositionRow
from msmqctl.qm.surroundings import MachineIdentity, Surroundings
from msmqctl.qm.waiting import PendingRead, ReadResult
from msmqctl.wire.names import direct_name, parse_path_name
from msmqctl.wire.status import HResult
from tests.qm.conftest import Bench
from tests.qm.naive_manager import OK, Answer, Item
from tests.qm.outcome_desk import no_key
from tests.qm.queue_samples import template
from tests.qm.samples import after

# The queues, each with its quota in kilobytes; the part behind the semicolon belongs to the queue before it.
QUOTAS = {"orders": 2, "orders;later": 2, "bills": None}
MANAGER_QUOTA = 4
FINGERS = ("orders", "orders", "orders;later", "bills")


class Ours:
    """Our queue manager, with the handles that go with its queues."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.core = bench.open(QueueManager)
        self.start()

    def start(self) -> None:
        around = Surroundings(machine_identity=lambda: MachineIdentity("HOST1"), generate_key=no_key)
        self.core.initialize(after(0), around, provisioning=True)
        with self.core.call():
            self.core.assign(self.core.local, queue_manager_quota=MANAGER_QUOTA)
            self.core.save_manager()
        for name, quota in QUOTAS.items():
            if self.find(name) is None:
                self.create(name, quota)
        self.handles = {name: self.open(name) for name in QUOTAS}
        self.cursors = [self.cursor(name) for name in FINGERS]
        self.core.commit()

    def find(self, name: str) -> Queue | None:
        return self.core.find_queue(parse_path_name(rf".\private$\{name}"), QueueAccessType.RECEIVE_ACCESS)

    def queue(self, name: str) -> Queue:
        found = self.find(name)
        assert found is not None
        return found

    def create(self, name: str, quota: int | None) -> None:
        wanted = template(rf".\private$\{name}", quota=UNLIMITED_QUOTA if quota is None else quota)
        assert self.core.create_queue(wanted, after(0)).status is OK

    def open(self, name: str) -> OpenQueueDescriptor:
        path = direct_name(parse_path_name(rf".\private$\{name}"))
        opened = self.core.open_queue(path, QueueAccessType.RECEIVE_ACCESS, QueueShareMode.DENY_NONE, after(0))
        assert opened.descriptor is not None
        return opened.descriptor

    def cursor(self, name: str) -> Cursor:
        made = self.core.open_cursor(self.handles[name])
        assert made is not None
        return made

    def rows(self, name: str) -> list[PositionRow]:
        return self.core.store.positions(key_of(self.queue(name)))


def lookup_of(item: Item) -> int:
    return (7 - item.priority) << 56 | item.number


def check(result: ReadResult | PendingRead | None, wanted: Answer) -> None:
    """The read ended as it should, and its message knows its part in its transaction."""
    assert isinstance(result, ReadResult), "the read still waits"
    if isinstance(wanted, HResult):
        assert (result.status, result.message) == (wanted, None)
        return
    assert result.status is OK
    assert result.message is not None
    message = result.message
    assert (message.label, message.lookup_identifier) == (wanted.label, lookup_of(wanted))
    assert (message.first_in_transaction, message.last_in_transaction) == wanted.ends
