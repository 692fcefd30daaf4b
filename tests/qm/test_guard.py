"""The guard: every right by its number, what a handle is good for, and which messages fit into which queue."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from msmqctl.qm.directory_model import QueueManager
from msmqctl.qm.guard import (
    HandleUse,
    QueueOperation,
    Refusal,
    may_administer,
    may_arrive,
    may_create,
    may_open,
    may_receive,
    may_send,
    may_use,
    refusal_of,
    sender_token,
)
from msmqctl.qm.message import AuthenticationLevel, Message, SenderIdentifierType
from msmqctl.qm.model import OpenQueueDescriptor, OutgoingQueue, Queue, QueueAccessType, QueuePrivacyLevel, QueueType
from msmqctl.qm.sending import EnqueueResult
from msmqctl.wire.ace import Ace, AceType
from msmqctl.wire.identity import TxSequenceId
from msmqctl.wire.names import parse_format_name, parse_path_name
from msmqctl.wire.security import NULL_ACL, Acl, SecurityDescriptor
from msmqctl.wire.sid import ADMINISTRATORS, ANONYMOUS_LOGON, EVERYONE, Sid
from msmqctl.wire.status import HResult
from msmqctl.wire.values import MessageClass, PrivacyLevel

USER = Sid.parse("S-1-5-21-1-2-3-1104")
CALLER = frozenset({USER, EVERYONE})
OWNER_OF_STORE = frozenset({ADMINISTRATORS})
SEND, RECEIVE, PEEK = QueueAccessType.SEND_ACCESS, QueueAccessType.RECEIVE_ACCESS, QueueAccessType.PEEK_ACCESS
MOVE = QueueAccessType.MOVE_ACCESS
RECEIVE_ADMIN, PEEK_ADMIN = QueueAccessType.RECEIVE_ADMIN_ACCESS, QueueAccessType.PEEK_ADMIN_ACCESS
ORDERS = r"host\private$\orders"
ALL_BITS = 0x000F00FF


def giving(mask: int, sid: Sid = USER) -> SecurityDescriptor:
    """A descriptor that gives these rights and no others."""
    return SecurityDescriptor(dacl=Acl.of(Ace(AceType.ACCESS_ALLOWED_ACE_TYPE, sid, mask)))


def queue(path: str = ORDERS, **attributes: Any) -> Queue:
    given: dict[str, Any] = {"queue_type": QueueType.PRIVATE, "security": giving(ALL_BITS)} | attributes
    return Queue(pathname=parse_path_name(path), **given)


def manager(security: SecurityDescriptor | None = None) -> QueueManager:
    return QueueManager(security=security)


def outgoing() -> OutgoingQueue:
    return OutgoingQueue(queue_type=QueueType.PRIVATE, destination_format_name=parse_format_name(r"DIRECT=OS:far\private$\orders"))


def status(refusal: Refusal | None) -> HResult | None:
    return None if refusal is None else refusal.status


def nack(refusal: Refusal | None) -> int | None:
    return None if refusal is None or refusal.nack is None else int(refusal.nack)


# ---- opening


# The rights of [MS-MQMQ] 2.2.24, written out.
@pytest.mark.parametrize(
    ("path", "access", "needed"),
    [
        (ORDERS, RECEIVE, 0x3),
        (ORDERS, PEEK, 0x2),
        (ORDERS, SEND, 0x4),
        (r"host\private$\orders;retry", MOVE, 0x4),
        (r"host\private$\orders;retry", RECEIVE, 0x3),
        (r"host\private$\orders;journal", RECEIVE, 0xA),
        (r"host\private$\orders;journal", PEEK, 0x2),
    ],
)
def test_opening_takes_exactly_its_rights(path: str, access: QueueAccessType, needed: int) -> None:
    assert may_open(manager(), queue(path, security=giving(needed)), access, CALLER) is None
    for bit in (1 << place for place in range(32) if needed >> place & 1):
        lacking = queue(path, security=giving(ALL_BITS & ~bit))
        assert status(may_open(manager(), lacking, access, CALLER)) == HResult.MQ_ERROR_ACCESS_DENIED
        assert may_open(manager(), lacking, access, OWNER_OF_STORE) is None


@pytest.mark.parametrize(
    ("path", "receive", "peek"),
    [(r"host\system$;deadletter", 0x3, 0x2), (r"host\system$;deadxact", 0x3, 0x2), (r"host\system$;journal", 0xC0, 0x80)],
)
def test_queues_of_the_computer_are_opened_by_rights_on_the_computer(path: str, receive: int, peek: int) -> None:
    own = queue(path, queue_type=QueueType.SYSTEM)
    for access, needed in ((RECEIVE, receive), (PEEK, peek)):
        assert may_open(manager(giving(needed)), own, access, CALLER) is None
        for bit in (1 << place for place in range(8) if needed >> place & 1):
            assert status(may_open(manager(giving(ALL_BITS & ~bit)), own, access, CALLER)) == HResult.MQ_ERROR_ACCESS_DENIED
        assert status(may_open(manager(), own, access, CALLER)) == HResult.MQ_ERROR_ACCESS_DENIED


@pytest.mark.parametrize("suffix", [";retry", ";journal"])
def test_nobody_sends_to_a_subqueue_or_a_journal(suffix: str) -> None:
    full = queue(ORDERS + suffix)
    assert status(may_open(manager(), full, SEND, OWNER_OF_STORE)) == HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION
    assert nack(may_send(full, Message(), in_transaction=False)) == 0x8000


def test_everybody_sends_through_an_outgoing_queue_and_administrators_look_into_it() -> None:
    assert may_open(manager(), outgoing(), SEND, frozenset()) is None
    for access in (RECEIVE_ADMIN, PEEK_ADMIN):
        assert status(may_open(manager(), outgoing(), access, CALLER)) == HResult.MQ_ERROR_ACCESS_DENIED
        assert may_open(manager(), outgoing(), access, OWNER_OF_STORE) is None


def test_a_queue_without_a_descriptor_is_closed_and_one_without_a_list_is_open() -> None:
    assert status(may_open(manager(), queue(security=None), PEEK, CALLER)) == HResult.MQ_ERROR_ACCESS_DENIED
    assert may_open(manager(), queue(security=SecurityDescriptor(dacl=NULL_ACL)), PEEK, CALLER) is None


@pytest.mark.parametrize(
    ("use", "good"),
    [
        (HandleUse.SEND, {SEND}),
        (HandleUse.PEEK, {PEEK, RECEIVE, PEEK_ADMIN, RECEIVE_ADMIN}),
        (HandleUse.RECEIVE, {RECEIVE, RECEIVE_ADMIN}),
        (HandleUse.MOVE_TO, {MOVE}),
    ],
)
def test_a_handle_is_good_for_what_it_was_opened_for(use: HandleUse, good: set[QueueAccessType]) -> None:
    for access in QueueAccessType:
        handle = OpenQueueDescriptor(handle=1, context_value=1, access_type=access, format_name=parse_format_name(r"DIRECT=OS:host\q"))
        assert status(may_use(handle, use)) == (None if access in good else HResult.MQ_ERROR_ACCESS_DENIED)


# ---- administration


@pytest.mark.parametrize(
    ("operation", "needed"),
    [
        (QueueOperation.DELETE, 0x10000),
        (QueueOperation.READ_PROPERTIES, 0x20),
        (QueueOperation.CHANGE_PROPERTIES, 0x10),
        (QueueOperation.READ_PERMISSIONS, 0x20000),
        (QueueOperation.CHANGE_PERMISSIONS, 0x40000),
        (QueueOperation.TAKE_OWNERSHIP, 0x80000),
    ],
)
def test_administration_takes_exactly_its_right(operation: QueueOperation, needed: int) -> None:
    assert may_administer(queue(security=giving(needed)), operation, CALLER) is None
    lacking = queue(security=giving(ALL_BITS & ~needed))
    assert status(may_administer(lacking, operation, CALLER)) == HResult.MQ_ERROR_ACCESS_DENIED
    assert may_administer(lacking, operation, OWNER_OF_STORE) is None


def test_the_owner_of_a_queue_always_reads_and_changes_its_permissions() -> None:
    owned = queue(security=SecurityDescriptor(owner=USER, dacl=Acl()))
    allowed = {operation for operation in QueueOperation if may_administer(owned, operation, CALLER) is None}
    assert allowed == {QueueOperation.READ_PERMISSIONS, QueueOperation.CHANGE_PERMISSIONS}


def test_audit_entries_are_for_administrators() -> None:
    assert status(may_administer(queue(), QueueOperation.AUDIT, CALLER)) == HResult.MQ_ERROR_PRIVILEGE_NOT_HELD
    assert may_administer(queue(), QueueOperation.AUDIT, OWNER_OF_STORE) is None


def test_nobody_deletes_a_system_queue() -> None:
    own = queue(r"host\system$;deadletter", queue_type=QueueType.SYSTEM)
    assert status(may_administer(own, QueueOperation.DELETE, OWNER_OF_STORE)) == HResult.MQ_ERROR_ILLEGAL_OPERATION


def test_creating_takes_a_right_on_the_computer() -> None:
    assert may_create(manager(giving(0x4)), CALLER) is None
    assert status(may_create(manager(giving(ALL_BITS & ~0x4)), CALLER)) == HResult.MQ_ERROR_ACCESS_DENIED
    assert status(may_create(manager(), CALLER)) == HResult.MQ_ERROR_ACCESS_DENIED
    assert may_create(manager(), OWNER_OF_STORE) is None


# ---- what fits


@pytest.mark.parametrize(
    ("transactional", "inside", "expected"), [(False, False, None), (True, True, None), (False, True, 0x8009), (True, False, 0x800A)]
)
def test_message_and_queue_agree_about_transactions(transactional: bool, inside: bool, expected: int | None) -> None:
    refusal = may_send(queue(transactional=transactional), Message(), in_transaction=inside)
    assert nack(refusal) == expected
    assert status(refusal) == (None if expected is None else HResult.MQ_ERROR_TRANSACTION_USAGE)


@pytest.mark.parametrize(
    ("transactional", "inside", "fits"), [(False, False, True), (True, True, True), (False, True, False), (True, False, True)]
)
def test_only_a_transactional_queue_gives_into_a_transaction(transactional: bool, inside: bool, fits: bool) -> None:
    expected = None if fits else HResult.MQ_ERROR_TRANSACTION_USAGE
    assert status(may_receive(queue(transactional=transactional), in_transaction=inside)) == expected


def test_a_queue_can_demand_signatures() -> None:
    demanding = queue(authentication=True)
    assert nack(may_send(demanding, Message(), in_transaction=False)) == 0x8006
    assert may_send(demanding, Message(authentication_level=AuthenticationLevel.SIG20), in_transaction=False) is None
    assert may_send(queue(), Message(authentication_level=AuthenticationLevel.SIG20), in_transaction=False) is None


@pytest.mark.parametrize(
    ("level", "clear", "encrypted"),
    [(QueuePrivacyLevel.NONE, None, 0x8007), (QueuePrivacyLevel.OPTIONAL, None, None), (QueuePrivacyLevel.BODY, 0x8007, None)],
)
def test_a_queue_can_demand_or_forbid_encryption(level: QueuePrivacyLevel, clear: int | None, encrypted: int | None) -> None:
    choosy = queue(privacy_level=level)
    assert nack(may_send(choosy, Message(), in_transaction=False)) == clear
    assert nack(may_send(choosy, Message(privacy_level=PrivacyLevel(3)), in_transaction=False)) == encrypted


def test_an_outgoing_queue_takes_everything() -> None:
    assert may_send(outgoing(), Message(), in_transaction=True) is None


# ---- messages from elsewhere


@pytest.mark.spec("DM-3.1.1.12-15")
def test_a_message_without_a_sender_has_the_rights_of_the_anonymous_user() -> None:
    message = Message(sender_identifier_type=SenderIdentifierType.NONE, authentication_level=AuthenticationLevel.SIG20)
    token = sender_token(message, trust_claims=True)
    assert token == {ANONYMOUS_LOGON, EVERYONE}
    assert may_arrive(queue(security=giving(0x4, ANONYMOUS_LOGON)), message, token) is None
    assert nack(may_arrive(queue(security=giving(0x4)), message, token)) == 0x8004


def test_a_signed_sender_brings_its_groups_and_a_claim_counts_only_where_it_is_trusted() -> None:
    signed = Message(sender_identifier=USER, authentication_level=AuthenticationLevel.SIG20)
    claimed = Message(sender_identifier=USER)

    def groups(account: Sid) -> frozenset[Sid]:
        return frozenset({ADMINISTRATORS})

    assert sender_token(signed, groups=groups) == {USER, EVERYONE, ADMINISTRATORS}
    assert sender_token(claimed, groups=groups) == {ANONYMOUS_LOGON, EVERYONE}
    assert sender_token(claimed, groups=groups, trust_claims=True) == {USER, EVERYONE}
    assert ADMINISTRATORS not in sender_token(Message(sender_identifier=ADMINISTRATORS), trust_claims=True)


def test_a_queue_manager_is_nobody_in_particular() -> None:
    message = Message(sender_identifier_type=SenderIdentifierType.QUEUE_MANAGER_IDENTIFIER, sender_identifier=UUID(int=7))
    assert sender_token(message) == {EVERYONE}


def test_an_arriving_message_hears_the_first_thing_that_is_wrong() -> None:
    wrong: dict[str, Any] = {"transactional": True, "authentication": True, "privacy_level": QueuePrivacyLevel.BODY}
    wrong["security"] = SecurityDescriptor(dacl=Acl())
    heard = []
    for name in [*wrong, None]:
        heard.append(nack(may_arrive(queue(**wrong), Message(), CALLER)))
        if name is not None:
            wrong.pop(name)
    assert heard == [0x800A, 0x8006, 0x8007, 0x8004, None]
    assert nack(may_arrive(None, Message(), CALLER)) == 0x8000
    assert nack(may_arrive(outgoing(), Message(), CALLER)) == 0x8000


def test_an_arriving_message_of_a_stream_is_transactional() -> None:
    streamed = Message(transactional_message_sequence_identifier=TxSequenceId(5))
    assert may_arrive(queue(transactional=True), streamed, CALLER) is None
    assert nack(may_arrive(queue(), streamed, CALLER)) == 0x8009


@pytest.mark.spec("DM-X.out-9")
def test_each_refused_enqueue_has_its_class() -> None:
    assert refusal_of(EnqueueResult.NO_ERROR) is None
    assert refusal_of(EnqueueResult.QUEUE_QUOTA_EXCEEDED) == Refusal(HResult.MQ_ERROR_INSUFFICIENT_RESOURCES, MessageClass(0x8003))
    assert refusal_of(EnqueueResult.QUEUE_MANAGER_QUOTA_EXCEEDED) == Refusal(HResult.MQ_ERROR_INSUFFICIENT_RESOURCES)
    assert refusal_of(EnqueueResult.TIMED_OUT_IN_TRANSIT) == Refusal(HResult.MQ_ERROR_IO_TIMEOUT, MessageClass(0x8002))
