"""A queue manager with a queue, an administration queue, and somebody who sees to what follows from the fate of messages."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from msmqctl.qm.core import key_of
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.message import AcknowledgementsRequested, Message
from msmqctl.qm.model import OutgoingQueue, PositionState, Queue, QueueAccessType, QueueShareMode, QueueType
from msmqctl.qm.outcome import Outcomes, Policy
from msmqctl.qm.sending import EnqueueResult
from msmqctl.qm.surroundings import MachineIdentity, Surroundings
from msmqctl.qm.waiting import ReadResult
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.keys import RsaPublicKey
from msmqctl.wire.names import direct_name, parse_format_name, parse_path_name
from msmqctl.wire.values import MessageClass

from .conftest import Bench
from .samples import NOW

ELSEWHERE = UUID(int=0xE)
ORDERS = parse_format_name(r"DIRECT=OS:HOST1\private$\orders")
ADMIN = parse_format_name(r"DIRECT=OS:HOST1\private$\admin")
NUMBER = 0x8EE
WISH = AcknowledgementsRequested


def no_key(use: object, bits: int) -> RsaPublicKey:
    raise AssertionError("a workgroup makes no keys")


class Desk:
    """A queue manager with a queue, an administration queue, and somebody who sees to what follows."""

    def __init__(self, bench: Bench, policy: Policy | None = None, **attributes: Any) -> None:
        self.bench = bench
        self.policy = policy
        self._start(bench.open(QueueManager))
        self.create("orders", **attributes)
        self.create("admin")
        self.done()

    def _start(self, manager: QueueManager) -> None:
        self.manager = manager
        self.outcomes = Outcomes(manager, self.policy)
        manager.initialize(NOW, Surroundings(machine_identity=lambda: MachineIdentity("HOST1"), generate_key=no_key), provisioning=True)

    def done(self) -> None:
        """Settle and commit, and on disk start over from the file."""
        self.outcomes.settle(NOW)
        reopened = self.bench.reopen(self.manager)
        if reopened is not self.manager:
            self._start(reopened)

    def create(self, name: str, **attributes: Any) -> Queue:
        template = Queue(pathname=parse_path_name(rf".\private$\{name}"), queue_type=QueueType.PRIVATE, **attributes)
        made = self.manager.create_queue(template, NOW).queue
        assert made is not None
        return made

    def queue(self, name: str) -> Queue:
        path = parse_path_name(name if "$" in name else rf".\private$\{name}")
        found = self.manager.find_queue(path, QueueAccessType.RECEIVE_ACCESS)
        assert found is not None
        return found

    def message(self, *, remote: bool = False, **attributes: Any) -> Message:
        source = ELSEWHERE if remote else self.manager.local.identifier
        given: dict[str, Any] = {"administration_queue_format_name": ADMIN, "destination_queue_format_name": ORDERS} | attributes
        identity: dict[str, Any] = {"identifier": ObjectId(source, NUMBER), "source_machine_identifier": source}
        return Message(label="order", body=b"three of them", body_type=8, application_tag=77, size=300, sent_time=NOW, **identity, **given)

    def send(self, transaction: UUID | None = None, *, to: Queue | None = None, **attributes: Any) -> None:
        queue = to or self.queue("orders")
        assert self.manager.enqueue_message(queue, self.message(**attributes), NOW, transaction) is EnqueueResult.NO_ERROR

    def receive(self, name: str = "orders", transaction: UUID | None = None) -> Message:
        opened = self.manager.open_queue(
            direct_name(parse_path_name(rf".\private$\{name}")), QueueAccessType.RECEIVE_ACCESS, QueueShareMode.DENY_NONE, NOW
        ).descriptor
        assert opened is not None
        read = self.manager.dequeue_message(opened, NOW, timeout=0, transaction=transaction)
        assert isinstance(read, ReadResult)
        assert read.message is not None
        self.manager.close_queue(opened)
        return read.message

    def delete(self, queue: Queue, reason: int) -> None:
        """Let all messages of a queue go for a reason."""
        with self.manager.call():
            for position in self.manager.store.positions(key_of(queue)):
                self.manager.message_position_deleted(position, MessageClass(reason))

    def inside(self, queue: Queue | str) -> list[Message]:
        where = queue if isinstance(queue, Queue) else self.queue(queue)
        rows = self.manager.store.positions(key_of(where))
        return [self.manager.message(row.lookup) for row in rows if row.state == PositionState.AVAILABLE]

    def heard(self, queue: Queue | str = "admin") -> list[int]:
        return [int(message.message_class) for message in self.inside(queue)]

    def outgoing(self) -> OutgoingQueue:
        """Where messages wait for a queue elsewhere."""
        target = parse_format_name(r"DIRECT=OS:far\private$\orders")
        opened = self.manager.open_queue(target, QueueAccessType.SEND_ACCESS, QueueShareMode.DENY_NONE, NOW).descriptor
        assert opened is not None
        assert opened.queue_reference is not None
        self.manager.close_queue(opened)
        queue = self.manager.queue(opened.queue_reference)
        assert isinstance(queue, OutgoingQueue)
        return queue

    def copies(self) -> dict[str, int]:
        """How many messages are in each place where copies are kept."""
        places = {"journal": r".\system$;journal", "dead": r".\system$;deadletter", "deadxact": r".\system$;deadxact"}
        found = {name: len(self.inside(path)) for name, path in places.items()}
        return {name: number for name, number in found.items() if number}
