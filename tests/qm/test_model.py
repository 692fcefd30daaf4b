"""Queues, positions, transactions and handles: every attribute by its id, every enumeration, and the rules between attributes."""

from __future__ import annotations

from collections import deque
from datetime import datetime
from enum import Enum
from typing import Any

import pytest

from msmqctl.qm.element import Lifetime, directory_attributes, persistent_attributes
from msmqctl.qm.model import (
    ConnectionHistoryEntry,
    Cursor,
    CursorState,
    DirectoryOperationResult,
    DispatchEntry,
    IncomingTransactionalTransferInfo,
    ListEdge,
    MessagePosition,
    MessageSeekAction,
    OpenQueueDescriptor,
    OperationType,
    OutgoingQueue,
    OutgoingQueueState,
    OutgoingTransferInfo,
    PositionState,
    Queue,
    QueueAccessType,
    QueuePrivacyLevel,
    QueueShareMode,
    QueueType,
    RemoteReadState,
    Scope,
    Transaction,
    TransactionalOperation,
    WaitingMessageReadOperation,
    is_active,
    published_attributes,
    quota_in_bytes,
)
from msmqctl.wire.identity import TxSequenceId
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.values import ConnectionStatus, MessageClass
from tests.qm.attributes import DIRECT, MULTICAST, REQUIRED, SEVERAL, D, P, Refused, V, assert_attribute, descriptor

OTHER_TIMES = (datetime.fromisoformat("2026-01-01T00:00:00"), datetime.fromisoformat("2026-01-01T00:00:00+01:00"))


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("identifier", "UUID", D, NULL_GUID, (), marks=pytest.mark.spec("DM-3.1.1.2-A1")),
        pytest.param("label", "str", D, "", (), marks=pytest.mark.spec("DM-3.1.1.2-A2")),
        pytest.param("create_time", "int", D, 0, (), marks=pytest.mark.spec("DM-3.1.1.2-A3")),
        pytest.param("modify_time", "int", D, 0, (), marks=pytest.mark.spec("DM-3.1.1.2-A4")),
        pytest.param("type", "UUID", D, NULL_GUID, (), marks=pytest.mark.spec("DM-3.1.1.2-A5")),
        pytest.param("pathname", "PathName | None", D, None, (), marks=pytest.mark.spec("DM-3.1.1.2-A6")),
        pytest.param("qualified_pathname", "PathName | None", D, None, (), marks=pytest.mark.spec("DM-3.1.1.2-A7")),
        pytest.param("private_queue_number", "int", D, 0, (-1, 1 << 32), marks=pytest.mark.spec("DM-3.1.1.2-A8")),
        pytest.param("journaling", "bool", D, False, (), marks=pytest.mark.spec("DM-3.1.1.2-A9")),
        pytest.param("quota", "int", D, 0xFFFFFFFF, (-1, 1 << 32), marks=pytest.mark.spec("DM-3.1.1.2-A10")),
        pytest.param("journal_quota", "int", D, 0xFFFFFFFF, (-1, 1 << 32), marks=pytest.mark.spec("DM-3.1.1.2-A11")),
        pytest.param("authentication", "bool", D, False, (), marks=pytest.mark.spec("DM-3.1.1.2-A12")),
        pytest.param(
            "privacy_level", "QueuePrivacyLevel", D, QueuePrivacyLevel.OPTIONAL, ("Optional",), marks=pytest.mark.spec("DM-3.1.1.2-A13")
        ),
        pytest.param("transactional", "bool", D, False, (), marks=pytest.mark.spec("DM-3.1.1.2-A14")),
        pytest.param("multicast_address", "MulticastName | None", D, None, (), marks=pytest.mark.spec("DM-3.1.1.2-A15")),
        pytest.param("security", "SecurityDescriptor | None", D, None, (), marks=pytest.mark.spec("DM-3.1.1.2-A16")),
        pytest.param("base_priority", "int", D, 0, (), marks=pytest.mark.spec("DM-3.1.1.2-A17")),
        pytest.param("full_path", "str", D, "", (), marks=pytest.mark.spec("DM-3.1.1.2-A18")),
        pytest.param("directory_path", "str", D, "", (), marks=pytest.mark.spec("DM-3.1.1.2-A19")),
        pytest.param("total_bytes", "int", V, 0, (), marks=pytest.mark.spec("DM-3.1.1.2-A22")),
        pytest.param("queue_manager", "UUID", V, NULL_GUID, (), marks=pytest.mark.spec("DM-3.1.1.2-A23")),
        pytest.param("queue_type", "QueueType", P, REQUIRED, ("Private",), marks=pytest.mark.spec("DM-3.1.1.2-A24")),
        pytest.param("journal_queue_reference", "QueueKey | None", P, None, (), marks=pytest.mark.spec("DM-3.1.1.2-A25")),
        pytest.param("subqueue_collection", "set[QueueKey]", P, set(), (), marks=pytest.mark.spec("DM-3.1.1.2-A26")),
        pytest.param(
            "incoming_transactional_transfer_info_collection",
            "list[IncomingTransactionalTransferInfo]",
            V,
            [],
            (),
            marks=pytest.mark.spec("DM-3.1.1.2-A27"),
        ),
        pytest.param("open_queue_descriptor_collection", "list[OpenQueueDescriptor]", V, [], (), marks=pytest.mark.spec("DM-3.1.1.2-A29")),
    ],
)
def test_attributes_of_queue(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(Queue, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("destination_format_name", "FormatName", P, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.3-A1")),
        pytest.param("next_hops", "tuple[str, ...] | None", V, None, (), marks=pytest.mark.spec("DM-3.1.1.3-A2")),
        pytest.param("multicast", "bool", P, False, (True,), marks=pytest.mark.spec("DM-3.1.1.3-A3")),
        pytest.param(
            "outgoing_transfer_info_reference", "OutgoingTransferInfo | None", V, None, (), marks=pytest.mark.spec("DM-3.1.1.3-A4")
        ),
        pytest.param("state", "OutgoingQueueState", V, OutgoingQueueState.INACTIVE, ("Inactive",), marks=pytest.mark.spec("DM-3.1.1.3-A5")),
        pytest.param("connection_history", "list[ConnectionHistoryEntry]", V, [], (), marks=pytest.mark.spec("DM-3.1.1.3-A6")),
    ],
)
def test_attributes_of_outgoing_queue(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(OutgoingQueue, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("status", "ConnectionStatus", V, REQUIRED, (ConnectionStatus(0x8000000E),), marks=pytest.mark.spec("DM-3.1.1.3-A7")),
        pytest.param("connection_history_time", "int", V, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.3-A8")),
        pytest.param("error", "int", V, 0, (), marks=pytest.mark.spec("DM-3.1.1.3-A9")),
        pytest.param("address_list", "tuple[str, ...]", V, (), (), marks=pytest.mark.spec("DM-3.1.1.3-A10")),
    ],
)
def test_attributes_of_connection_history_entry(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(ConnectionHistoryEntry, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("outgoing_queue_reference", "QueueKey", V, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.4-A1")),
        pytest.param("eod_first_non_ack", "SequenceInfo | None", V, None, (), marks=pytest.mark.spec("DM-3.1.1.4-A2")),
        pytest.param("eod_last_ack", "SequenceInfo | None", V, None, (), marks=pytest.mark.spec("DM-3.1.1.4-A3")),
        pytest.param("eod_last_ack_count", "int", V, 0, (), marks=pytest.mark.spec("DM-3.1.1.4-A4")),
        pytest.param("eod_last_ack_time", "datetime | None", V, None, OTHER_TIMES, marks=pytest.mark.spec("DM-3.1.1.4-A5")),
        pytest.param("eod_last_non_ack", "SequenceInfo | None", V, None, (), marks=pytest.mark.spec("DM-3.1.1.4-A6")),
        pytest.param("eod_next_seq", "SequenceInfo | None", V, None, (), marks=pytest.mark.spec("DM-3.1.1.4-A7")),
        pytest.param("eod_no_ack_count", "int", V, 0, (), marks=pytest.mark.spec("DM-3.1.1.4-A8")),
        pytest.param("eod_no_read_count", "int", V, 0, (), marks=pytest.mark.spec("DM-3.1.1.4-A9")),
        pytest.param("eod_resend_count", "int", V, 0, (), marks=pytest.mark.spec("DM-3.1.1.4-A10")),
        pytest.param("eod_resend_interval", "int", V, 0, (), marks=pytest.mark.spec("DM-3.1.1.4-A11")),
        pytest.param("eod_resend_time", "datetime | None", V, None, OTHER_TIMES, marks=pytest.mark.spec("DM-3.1.1.4-A12")),
    ],
)
def test_attributes_of_outgoing_transfer_info(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(OutgoingTransferInfo, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("queue_reference", "QueueKey", V, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.5-A1")),
        pytest.param("format_name", "FormatName", V, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.5-A2")),
        pytest.param("sender_identifier", "UUID", V, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.5-A3")),
        pytest.param("sequence_identifier", "TxSequenceId", V, TxSequenceId(0), (), marks=pytest.mark.spec("DM-3.1.1.5-A4")),
        pytest.param("sequence_number", "int", V, 0, (), marks=pytest.mark.spec("DM-3.1.1.5-A5")),
        pytest.param("last_access_time", "datetime | None", V, None, OTHER_TIMES, marks=pytest.mark.spec("DM-3.1.1.5-A6")),
        pytest.param("reject_count", "int", V, 0, (), marks=pytest.mark.spec("DM-3.1.1.5-A7")),
    ],
)
def test_attributes_of_incoming_transactional_transfer_info(
    name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused
) -> None:
    assert_attribute(IncomingTransactionalTransferInfo, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("destructive_read", "bool", V, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.10-A1")),
        pytest.param("tag", "int | None", V, None, (), marks=pytest.mark.spec("DM-3.1.1.10-A2")),
        pytest.param("cursor_reference", "Cursor | None", V, None, (), marks=pytest.mark.spec("DM-3.1.1.10-A3")),
    ],
)
def test_attributes_of_waiting_message_read_operation(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(WaitingMessageReadOperation, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("state", "PositionState", P, PositionState.AVAILABLE, (0, "Available"), marks=pytest.mark.spec("DM-3.1.1.11-A1")),
        pytest.param("queue_reference", "QueueKey", P, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.11-A5")),
    ],
)
def test_attributes_of_message_position(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(MessagePosition, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("operation_type", "OperationType", P, REQUIRED, ("Enqueue",), marks=pytest.mark.spec("DM-3.1.1.13-A1")),
        pytest.param("message_position_reference", "PositionKey", P, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.13-A2")),
        pytest.param("target_queue_reference", "QueueKey | None", P, None, (), marks=pytest.mark.spec("DM-3.1.1.13-A3")),
        pytest.param(
            "dequeue_reason",
            "MessageClass | None",
            P,
            None,
            (MessageClass.MQMSG_CLASS_ACK_RECEIVE,),
            marks=pytest.mark.spec("DM-3.1.1.13-A4"),
        ),
    ],
)
def test_attributes_of_transactional_operation(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(TransactionalOperation, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("identifier", "UUID", P, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.14-A1")),
        pytest.param(
            "transactional_operation_collection", "deque[TransactionalOperation]", P, deque(), (), marks=pytest.mark.spec("DM-3.1.1.14-A2")
        ),
        pytest.param("single_phase", "bool", P, True, (), marks=pytest.mark.spec("DM-3.1.1.14-A3")),
    ],
)
def test_attributes_of_transaction(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(Transaction, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("handle", "int", V, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.16-A1")),
        pytest.param("context_value", "int", V, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.16-A2")),
        pytest.param("access_type", "QueueAccessType", V, REQUIRED, ("PeekAccess",), marks=pytest.mark.spec("DM-3.1.1.16-A3")),
        pytest.param("share_mode", "QueueShareMode", V, QueueShareMode.DENY_NONE, ("DenyNone",), marks=pytest.mark.spec("DM-3.1.1.16-A4")),
        pytest.param("queue_reference", "QueueKey | None", V, None, (), marks=pytest.mark.spec("DM-3.1.1.16-A5")),
        pytest.param("format_name", "FormatName", V, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.16-A6")),
        pytest.param("multiple", "bool", V, False, (), marks=pytest.mark.spec("DM-3.1.1.16-A7")),
        pytest.param(
            "open_queue_descriptor_collection",
            "tuple[OpenQueueDescriptor, ...]",
            V,
            (),
            ((descriptor(),),),
            marks=pytest.mark.spec("DM-3.1.1.16-A8"),
        ),
        pytest.param("remote_read_state", "RemoteReadState", V, RemoteReadState.NONE, ("None",), marks=pytest.mark.spec("DM-3.1.1.16-A9")),
        pytest.param("cursor_collection", "list[Cursor]", V, [], (), marks=pytest.mark.spec("DM-3.1.1.16-A10")),
        pytest.param(
            "waiting_message_read_operation_collection",
            "deque[WaitingMessageReadOperation]",
            V,
            deque(),
            (),
            marks=pytest.mark.spec("DM-3.1.1.16-A11"),
        ),
    ],
)
def test_attributes_of_open_queue_descriptor(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(OpenQueueDescriptor, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("message_position_reference", "PositionKey", V, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.18-A1")),
        pytest.param("protocol_data", "object | None", V, None, (), marks=pytest.mark.spec("DM-3.1.1.18-A2")),
        pytest.param("priority", "int", V, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.18-A3")),
        pytest.param("send_in_progress", "bool", V, False, (), marks=pytest.mark.spec("DM-3.1.1.18-A4")),
    ],
)
def test_attributes_of_dispatch_entry(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(DispatchEntry, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("handle", "int", V, REQUIRED, (), marks=pytest.mark.spec("DM-3.2.1.2-A1")),
        pytest.param("open_queue_descriptor_reference", "OpenQueueDescriptor", V, REQUIRED, (), marks=pytest.mark.spec("DM-3.2.1.2-A2")),
        pytest.param(
            "message_position_reference", "PositionKey | ListEdge", V, ListEdge.START, (), marks=pytest.mark.spec("DM-3.2.1.2-A3")
        ),
        pytest.param("cursor_state", "CursorState", V, CursorState.UNREAD, ("Unread",), marks=pytest.mark.spec("DM-3.2.1.2-A4")),
    ],
)
def test_attributes_of_cursor(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(Cursor, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        pytest.param(QueueType, "Private Public System Connector", marks=pytest.mark.spec("DM-3.1.1.2-1")),
        pytest.param(QueuePrivacyLevel, "None Optional Body", marks=pytest.mark.spec("DM-3.1.1.2-1")),
        pytest.param(Scope, "Site Enterprise", marks=pytest.mark.spec("DM-3.1.1.2-1")),
        pytest.param(
            OutgoingQueueState,
            "Connected Disconnected Disconnecting Inactive Locked NeedValidation Waiting OnHold",
            marks=pytest.mark.spec("DM-3.1.1.3-1"),
        ),
        pytest.param(OperationType, "Enqueue Dequeue Move", marks=pytest.mark.spec("DM-3.1.1.13-A1")),
        pytest.param(RemoteReadState, "None Opened ReadyForRead", marks=pytest.mark.spec("DM-3.1.1.16-A9")),
        pytest.param(
            DirectoryOperationResult,
            "Success GenericError DirectoryNotConnected ObjectNotFound AttributeNotFound EndOfData ObjectAlreadyExists",
            marks=pytest.mark.spec("DM-3.1.1.17-V1"),
        ),
        pytest.param(MessageSeekAction, "SeekFirst SeekPrevious SeekCurrent SeekNext SeekLast", marks=pytest.mark.spec("DM-3.1.1.17-V2")),
        pytest.param(
            QueueAccessType,
            "ReceiveAccess SendAccess PeekAccess MoveAccess ReceiveAdminAccess PeekAdminAccess",
            marks=pytest.mark.spec("DM-3.1.1.17-V3"),
        ),
        pytest.param(QueueShareMode, "DenyNone DenyReceive", marks=pytest.mark.spec("DM-3.1.1.17-V4")),
        pytest.param(CursorState, "Unread WaitReceive WaitPeek Read", marks=pytest.mark.spec("DM-3.2.1.2-A4")),
    ],
)
def test_enumerations_have_exactly_the_values_of_the_document(kind: type[Enum], words: str) -> None:
    assert [member.value for member in kind] == words.split()


@pytest.mark.spec("DM-3.1.1.2-1")
@pytest.mark.parametrize(("attribute", "kind"), [("queue_type", QueueType), ("privacy_level", QueuePrivacyLevel)])
def test_a_queue_takes_every_value_of_its_enumerations_and_no_word_for_one(attribute: str, kind: type[Enum]) -> None:
    queue = Queue(queue_type=QueueType.PRIVATE)
    for member in kind:
        setattr(queue, attribute, member)
        with pytest.raises(ValueError, match=attribute):
            setattr(queue, attribute, member.value)


@pytest.mark.spec("DM-3.1.1.11-1")
def test_a_position_has_four_states() -> None:
    assert {state.name for state in PositionState} == {"AVAILABLE", "LOCKED", "DELETED", "PURGE_PENDING"}
    for state in PositionState:
        assert MessagePosition(queue_reference=1, lookup_identifier=2, state=state).state is state
        wrong: Any = state.value
        with pytest.raises(ValueError, match="PositionState"):
            MessagePosition(queue_reference=1, lookup_identifier=2, state=wrong)


@pytest.mark.spec("DM-3.1.1.11-A2")
def test_a_position_refers_to_the_message_that_the_store_keeps_with_it() -> None:
    assert MessagePosition(queue_reference=1, lookup_identifier=0x0400000000000007).message_reference == 0x0400000000000007
    assert "lookup_identifier" in persistent_attributes(MessagePosition)


STATUSES = """
    InProcess EstablishPacketReceived Established UnknownFailure PingFailure SocketCreateFailure SocketBindFailure SocketConnectFailure
    TcpNotEnabled SocketSendFailure ConnectionNotReady DnsFailure CertificateValidationFailure ConnectionLimitReached ConnectionRefused
    RoutingDataNotAvailable LowResource
"""


@pytest.mark.spec("DM-3.1.1.3-1", "DM-3.1.1.3-A7")
def test_a_connection_attempt_has_one_of_seventeen_results() -> None:
    assert [status.name.replace("_", "").lower() for status in ConnectionStatus] == STATUSES.lower().split()
    for status in ConnectionStatus:
        assert ConnectionHistoryEntry(status=status, connection_history_time=1).status is status
    with pytest.raises(ValueError, match="no status"):
        ConnectionHistoryEntry(status=ConnectionStatus(3), connection_history_time=1)


@pytest.mark.spec("DM-3.1.1.2-A20")
def test_the_scope_is_a_constant_and_never_in_the_directory() -> None:
    queue = Queue(queue_type=QueueType.PUBLIC)
    assert queue.scope is Scope.ENTERPRISE
    assert "scope" not in directory_attributes(Queue)
    with pytest.raises(AttributeError):
        object.__setattr__(queue, "scope", Scope.SITE)


@pytest.mark.spec("DM-3.1.1.2-2", "DM-3.1.1.2-A21")
def test_a_queue_is_active_while_open_or_with_mail_to_go() -> None:
    queue, outgoing = Queue(queue_type=QueueType.PRIVATE), OutgoingQueue(queue_type=QueueType.SYSTEM, destination_format_name=DIRECT)
    assert not hasattr(queue, "active")
    assert not is_active(queue, waiting_for_transfer=0)
    assert not is_active(queue, waiting_for_transfer=5)
    assert not is_active(outgoing, waiting_for_transfer=0)
    assert is_active(outgoing, waiting_for_transfer=1)
    for each in (queue, outgoing):
        each.open_queue_descriptor_collection.append(descriptor())
        assert is_active(each, waiting_for_transfer=0)
        each.open_queue_descriptor_collection.clear()
        assert not is_active(each, waiting_for_transfer=0)


def test_only_a_public_queue_is_published() -> None:
    queue = Queue(queue_type=QueueType.PRIVATE)
    for queue_type in QueueType:
        queue.queue_type = queue_type
        assert published_attributes(queue) == (directory_attributes(Queue) if queue_type is QueueType.PUBLIC else ())
    assert set(directory_attributes(Queue)) < set(persistent_attributes(Queue))


def test_quotas_count_kilobytes_and_all_ones_is_no_quota() -> None:
    assert quota_in_bytes(0x00100000) == 1 << 30
    assert quota_in_bytes(0) == 0
    assert quota_in_bytes(0xFFFFFFFE) == 0xFFFFFFFE * 1024
    assert quota_in_bytes(0xFFFFFFFF) is None


@pytest.mark.spec("DM-3.1.1.3-A3")
def test_an_outgoing_queue_is_multicast_only_by_its_name() -> None:
    assert OutgoingQueue(queue_type=QueueType.SYSTEM, destination_format_name=MULTICAST, multicast=True).multicast
    with pytest.raises(ValueError, match="no multicast name"):
        OutgoingQueue(queue_type=QueueType.SYSTEM, destination_format_name=DIRECT, multicast=True)


MULTIPLE: dict[str, Any] = {"multiple": True, "access_type": QueueAccessType.SEND_ACCESS, "format_name": SEVERAL}


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        pytest.param("access_type", QueueAccessType.RECEIVE_ACCESS, marks=pytest.mark.spec("DM-3.1.1.16-1")),
        pytest.param("queue_reference", 1, marks=pytest.mark.spec("DM-3.1.1.16-1", "DM-3.1.1.16-A5")),
        pytest.param("remote_read_state", RemoteReadState.OPENED, marks=pytest.mark.spec("DM-3.1.1.16-1", "DM-3.1.1.16-A9")),
    ],
)
def test_several_queues_are_open_for_sending_and_nothing_else(name: str, wrong: object) -> None:
    several = descriptor(**MULTIPLE)
    with pytest.raises(ValueError, match=name):
        setattr(several, name, wrong)
    with pytest.raises(ValueError, match=name):
        descriptor(**MULTIPLE | {name: wrong})
    setattr(descriptor(), name, wrong)


@pytest.mark.spec("DM-3.1.1.16-2", "DM-3.1.1.16-A8")
def test_only_a_descriptor_for_several_queues_owns_others() -> None:
    children = (descriptor(handle=3), descriptor(handle=4))
    assert descriptor(**MULTIPLE, open_queue_descriptor_collection=children).open_queue_descriptor_collection == children
    with pytest.raises(ValueError, match="owns others"):
        descriptor(open_queue_descriptor_collection=children)


@pytest.mark.spec("DM-3.1.1.16-A7")
def test_a_descriptor_is_for_several_queues_only_with_such_a_name_and_from_the_start() -> None:
    with pytest.raises(ValueError, match="format_name"):
        descriptor(**MULTIPLE | {"format_name": DIRECT})
    with pytest.raises(ValueError, match="multiple"):
        descriptor().multiple = True
    with pytest.raises(ValueError, match="multiple"):
        descriptor(**MULTIPLE).multiple = False


@pytest.mark.spec("DM-3.1.1.13-A3")
def test_a_move_names_its_target() -> None:
    with pytest.raises(ValueError, match="target_queue_reference"):
        TransactionalOperation(operation_type=OperationType.MOVE, message_position_reference=1)
    move = TransactionalOperation(operation_type=OperationType.MOVE, message_position_reference=1, target_queue_reference=2)
    assert move.target_queue_reference == 2


@pytest.mark.spec("DM-3.1.1.13-A4")
def test_a_dequeue_and_nothing_else_names_its_reason() -> None:
    reason = MessageClass.MQMSG_CLASS_ACK_RECEIVE
    dequeue = TransactionalOperation(operation_type=OperationType.DEQUEUE, message_position_reference=1, dequeue_reason=reason)
    assert dequeue.dequeue_reason is reason
    with pytest.raises(ValueError, match="dequeue_reason"):
        TransactionalOperation(operation_type=OperationType.DEQUEUE, message_position_reference=1)
    with pytest.raises(ValueError, match="dequeue_reason"):
        TransactionalOperation(
            operation_type=OperationType.MOVE, message_position_reference=1, target_queue_reference=2, dequeue_reason=reason
        )


@pytest.mark.spec("DM-3.2.1.2-A3")
def test_a_cursor_stands_at_a_position_or_at_an_edge() -> None:
    cursor = Cursor(handle=1, open_queue_descriptor_reference=descriptor())
    assert cursor.message_position_reference is ListEdge.START
    for place in (7, ListEdge.END):
        cursor.message_position_reference = place
        assert cursor.message_position_reference == place
