"""What a row about one attribute of the model claims, and one sample of every element to try it on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, replace
from typing import Any, TypeAlias
from uuid import UUID

import pytest

from msmqctl.qm.directory_model import ConnectedNetwork, Enterprise, InternalCertificate, QueueManager, RoutingLink, Site, User
from msmqctl.qm.element import Element, Lifetime, lifetimes
from msmqctl.qm.message import Message
from msmqctl.qm.model import (
    ConnectionHistoryEntry,
    Cursor,
    DispatchEntry,
    IncomingTransactionalTransferInfo,
    MessagePosition,
    OpenQueueDescriptor,
    OperationType,
    OutgoingQueue,
    OutgoingTransferInfo,
    Queue,
    QueueAccessType,
    QueueType,
    Transaction,
    TransactionalOperation,
    WaitingMessageReadOperation,
)
from msmqctl.wire.names import parse_format_name
from msmqctl.wire.sid import EVERYONE
from msmqctl.wire.values import ConnectionStatus

Refused: TypeAlias = tuple[object, ...]
D, P, V = Lifetime.DIRECTORY, Lifetime.PERSISTENT, Lifetime.VOLATILE

ONE, TWO, THREE = UUID(int=1), UUID(int=2), UUID(int=3)
DIRECT = parse_format_name(r"DIRECT=OS:host\private$\orders")
OTHER = parse_format_name(r"DIRECT=OS:host\private$\bills")
SEVERAL = parse_format_name(r"DIRECT=OS:host\private$\orders,DIRECT=OS:host\private$\bills")
MULTICAST = parse_format_name("MULTICAST=234.1.1.1:8001")


class Required:
    """Stands for a default where there is none: the attribute must be given."""

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED = Required()


def descriptor(**changes: Any) -> OpenQueueDescriptor:
    """A queue opened for receiving."""
    made: dict[str, Any] = {"handle": 1, "context_value": 2, "access_type": QueueAccessType.RECEIVE_ACCESS, "format_name": DIRECT}
    return OpenQueueDescriptor(**made | changes)


SAMPLES: dict[type[Any], Callable[[], Any]] = {
    ConnectedNetwork: ConnectedNetwork,
    ConnectionHistoryEntry: lambda: ConnectionHistoryEntry(status=ConnectionStatus.ESTABLISHED, connection_history_time=1),
    Cursor: lambda: Cursor(handle=1, open_queue_descriptor_reference=descriptor()),
    DispatchEntry: lambda: DispatchEntry(message_position_reference=1, priority=3),
    Enterprise: Enterprise,
    IncomingTransactionalTransferInfo: lambda: IncomingTransactionalTransferInfo(
        queue_reference=1, format_name=DIRECT, sender_identifier=ONE
    ),
    InternalCertificate: lambda: InternalCertificate(certificate=b"DER", user=ONE),
    Message: Message,
    MessagePosition: lambda: MessagePosition(queue_reference=1, lookup_identifier=7),
    OpenQueueDescriptor: descriptor,
    OutgoingQueue: lambda: OutgoingQueue(queue_type=QueueType.SYSTEM, destination_format_name=DIRECT),
    OutgoingTransferInfo: lambda: OutgoingTransferInfo(outgoing_queue_reference=1),
    Queue: lambda: Queue(queue_type=QueueType.PRIVATE),
    QueueManager: QueueManager,
    RoutingLink: lambda: RoutingLink(actual_cost=1, site1_identifier=ONE, site2_identifier=TWO),
    Site: Site,
    Transaction: lambda: Transaction(identifier=ONE),
    TransactionalOperation: lambda: TransactionalOperation(operation_type=OperationType.ENQUEUE, message_position_reference=7),
    User: lambda: User(security_identifier=EVERYONE),
    WaitingMessageReadOperation: lambda: WaitingMessageReadOperation(destructive_read=True),
}


def assert_attribute(cls: type[Any], name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    """The element has the attribute, of that type, lifetime and default, and takes none of the refused values, early or late."""
    declared = {one.name: one for one in fields(cls)}[name]
    assert declared.type == kind
    assert lifetimes(cls)[name] is lifetime
    if default is REQUIRED:
        assert declared.default is MISSING
        assert declared.default_factory is MISSING
    else:
        found = getattr(SAMPLES[cls](), name)
        assert found == default
        assert type(found) is type(default)
    for wrong in refused:
        with pytest.raises(ValueError, match=rf"^{cls.__name__}\.{name}: "):
            replace(SAMPLES[cls](), **{name: wrong})
        if issubclass(cls, Element):
            sample = SAMPLES[cls]()
            with pytest.raises(ValueError, match=rf"^{cls.__name__}\.{name}: "):
                setattr(sample, name, wrong)
