"""Opening and closing queues and cursors: the share modes, outgoing queues, several queues at once, readers that wait."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from msmqctl.qm.model import (
    UNLIMITED_QUOTA,
    CursorState,
    DirectoryOperationResult,
    ListEdge,
    OutgoingQueue,
    OutgoingQueueState,
    Queue,
    QueueAccessType,
    QueueShareMode,
    QueueType,
    RemoteReadState,
)
from msmqctl.qm.queues import Queues
from msmqctl.wire.names import parse_path_name
from msmqctl.wire.security import Acl, SecurityDescriptor
from msmqctl.wire.status import HResult

from .conftest import Bench
from .queue_directory_sample import QueueDirectorySample
from .queue_samples import (
    DENY_NONE,
    DENY_RECEIVE,
    HOST_ID,
    MOVE,
    OTHER_ID,
    PEEK,
    PEEK_ADMIN,
    RECEIVE,
    RECEIVE_ADMIN,
    SEND,
    created,
    host,
    kept,
    named,
    opened_as,
    status_of,
    waiting_read,
)
from .samples import NOW

ORDERS = r"DIRECT=OS:host\private$\orders"
FAR = r"DIRECT=OS:far\orders"
HERE = r"DIRECT=OS:host\private$\orders"
PUBLIC_ID = UUID("eeeeeeee-0000-4000-8000-00000000000e")
PUBLIC = f"PUBLIC={PUBLIC_ID}"
NOT_FOUND, UNSUPPORTED = HResult.MQ_ERROR_QUEUE_NOT_FOUND, HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION
CANCELLED = HResult.MQ_ERROR_OPERATION_CANCELLED


def status(core: Queues, name: str, access: QueueAccessType = SEND, share: QueueShareMode = DENY_NONE) -> HResult:
    result = core.open_queue(named(name), access, share, NOW)
    assert (result.descriptor is not None) == (result.status == HResult.MQ_OK)
    return result.status


def outgoing(core: Queues, name: str = FAR) -> OutgoingQueue:
    queue = kept(core, opened_as(core, name, SEND).queue_reference)
    assert isinstance(queue, OutgoingQueue)
    return queue


# ---- one queue


@pytest.mark.spec("DM-3.1.7.1.5-23", "DM-3.1.7.1.5-24")
def test_a_descriptor_says_what_was_opened_and_how(bench: Bench) -> None:
    core = host(bench)
    created(core)
    core = bench.reopen(core)
    descriptor = opened_as(core, ORDERS, PEEK, DENY_RECEIVE)
    queue = kept(core, descriptor.queue_reference)
    assert str(queue.pathname) == r"host\private$\orders"
    assert queue.open_queue_descriptor_collection == [descriptor]
    assert (descriptor.access_type, descriptor.share_mode, descriptor.multiple) == (PEEK, DENY_RECEIVE, False)
    assert descriptor.format_name == named(ORDERS)
    assert descriptor.remote_read_state is RemoteReadState.NONE


@pytest.mark.spec("DM-3.1.7.1.5-23", "DM-3.1.7.1.5-4", "DM-3.2.7.1-2")
def test_no_two_handles_are_alike(bench: Bench) -> None:
    core = host(bench)
    created(core)
    several = opened_as(core, rf"{FAR},{ORDERS}", SEND)
    descriptors = [several, *several.open_queue_descriptor_collection, opened_as(core), opened_as(core)]
    cursors = [core.open_cursor(descriptor) for descriptor in descriptors[-2:] for _ in range(2)]
    assert len({descriptor.handle for descriptor in descriptors}) == 5
    assert len({descriptor.context_value for descriptor in descriptors}) == 5
    assert len({cursor.handle for cursor in cursors if cursor is not None}) == 4


@pytest.mark.spec("DM-3.1.7.1.5-25")
def test_security_is_not_the_business_of_opening(bench: Bench) -> None:
    core = host(bench)
    created(core, security=SecurityDescriptor(dacl=Acl()))
    assert all(status(core, ORDERS, access) == HResult.MQ_OK for access in QueueAccessType)


@pytest.mark.spec("DM-3.1.7.1.5-7", "DM-3.1.7.1.5-8", "DM-3.1.7.1.5-9")
@pytest.mark.parametrize("access", list(QueueAccessType))
def test_some_names_are_for_senders_only_and_some_for_all_others(bench: Bench, access: QueueAccessType) -> None:
    core = host(bench)
    created(core)
    with core.call():
        core.store.add_queue("system$;deadletter", "System", '{"queue_type":"System"}')
    for_senders = HResult.MQ_OK if access is SEND else UNSUPPORTED
    assert status(core, "DIRECT=HTTP://host/msmq/private$/orders", access) == for_senders
    assert status(core, "DIRECT=HTTPS://far/msmq/orders", access) == for_senders
    assert status(core, "MULTICAST=239.1.2.3:8001", access) == for_senders
    for_others = UNSUPPORTED if access is SEND else HResult.MQ_OK
    assert status(core, f"MACHINE={HOST_ID};DEADLETTER", access) == for_others
    assert status(core, rf"{ORDERS};JOURNAL", access) == for_others


def test_a_subqueue_is_moved_to_and_read_but_not_sent_to(bench: Bench) -> None:
    core = host(bench)
    created(core)
    created(core, r".\private$\orders;retry")
    assert status(core, rf"{ORDERS};retry", SEND) == UNSUPPORTED
    assert status(core, rf"{FAR};retry", SEND) == UNSUPPORTED
    assert status(core, rf"{ORDERS};retry", MOVE) == HResult.MQ_OK


# ---- share modes, cell by cell

OTHERS = (SEND, MOVE, RECEIVE_ADMIN, PEEK_ADMIN)
X, OK = HResult.MQ_ERROR_SHARING_VIOLATION, HResult.MQ_OK
# New open: DenyReceive with Receive, Peek, others; DenyNone with Receive, Peek, others.
MATRIX = {
    (DENY_RECEIVE, (RECEIVE,)): (X, X, X, X, OK, OK),
    (DENY_RECEIVE, (PEEK, PEEK_ADMIN)): (X, OK, OK, X, OK, OK),
    (DENY_NONE, (RECEIVE,)): (X, X, X, OK, OK, OK),
    (DENY_RECEIVE, (SEND, MOVE, RECEIVE_ADMIN)): (OK,) * 6,
    (DENY_NONE, (PEEK, *OTHERS)): (OK,) * 6,
}
COLUMNS = [(share, group) for share in (DENY_RECEIVE, DENY_NONE) for group in ((RECEIVE,), (PEEK,), OTHERS)]
CELLS = [
    (held_share, held, share, access, expected)
    for (held_share, held_group), row in MATRIX.items()
    for held in held_group
    for (share, group), expected in zip(COLUMNS, row, strict=True)
    for access in group
]


@pytest.mark.spec("DM-3.1.7.1.5-20", "DM-3.1.7.1.5-21", "DM-3.1.7.1.5-22", "DM-3.1.7.1.5-24")
def test_the_share_modes_decide_as_the_table_says(bench: Bench) -> None:
    core = host(bench)
    created(core)
    assert len(CELLS) == 144
    for held_share, held, share, access, expected in CELLS:
        first = opened_as(core, ORDERS, held, held_share)
        result = core.open_queue(named(ORDERS), access, share, NOW)
        assert result.status == expected, (held_share, held, share, access)
        if result.descriptor is not None:
            core.close_queue(result.descriptor)
        core.close_queue(first)


@pytest.mark.spec("DM-3.1.7.1.5-21", "DM-3.1.7.1.5-22")
def test_the_first_sharing_rule_that_applies_decides_alone(bench: Bench) -> None:
    core = host(bench)
    created(core)
    opened_as(core, ORDERS, RECEIVE, DENY_NONE)
    # Made behind the back of the rules: a peeker who would have been refused.
    peeker = opened_as(core, ORDERS, PEEK)
    with core.call():
        core.assign(peeker, share_mode=DENY_RECEIVE)
    assert status(core, ORDERS, PEEK, DENY_RECEIVE) == OK
    assert status(core, ORDERS, RECEIVE, DENY_NONE) == X
    with core.call():
        core.assign(opened_as(core, ORDERS, PEEK), share_mode=DENY_RECEIVE, access_type=RECEIVE)
    assert status(core, ORDERS, PEEK, DENY_RECEIVE) == X


# ---- queues elsewhere


@pytest.mark.spec("DM-3.1.7.1.5-11")
@pytest.mark.parametrize("access", [access for access in QueueAccessType if access is not SEND])
@pytest.mark.parametrize("name", [FAR, r"DIRECT=OS:host\nowhere", PUBLIC, f"PRIVATE={OTHER_ID}\\5"])
def test_only_senders_get_a_queue_that_is_not_here(bench: Bench, name: str, access: QueueAccessType) -> None:
    core = host(bench)
    assert status(core, name, access) == NOT_FOUND
    assert core.local.queue_collection == set()


@pytest.mark.spec("DM-3.1.7.1.5-12", "DM-3.1.7.1.5-14")
@pytest.mark.parametrize(
    "name",
    [
        r"DIRECT=OS:HOST\nowhere",
        r"DIRECT=OS:host.corp.example\nowhere",
        r"DIRECT=TCP:127.0.0.1\nowhere",
        "DIRECT=HTTP://host:8080/msmq/nowhere",
        f"PRIVATE={HOST_ID}\\99",
    ],
)
def test_nothing_is_sent_from_here_to_here(bench: Bench, name: str) -> None:
    core = host(bench)
    assert status(core, name) == NOT_FOUND
    assert core.local.queue_collection == set()


@pytest.mark.spec("DM-3.1.7.1.5-15", "DM-3.1.7.1.5-19")
def test_an_outgoing_queue_comes_to_be_once_and_stays(bench: Bench) -> None:
    core = host(bench)
    queue = outgoing(core)
    assert queue.identifier.int >= 0x1000
    assert queue.label == FAR
    assert queue.destination_format_name == named(FAR)
    assert (queue.next_hops, queue.state, queue.multicast) == (None, OutgoingQueueState.INACTIVE, False)
    assert (queue.queue_manager, queue.base_priority, queue.quota, queue.total_bytes) == (HOST_ID, 0, UNLIMITED_QUOTA, 0)
    assert core.local.queue_collection == {queue.key}
    assert outgoing(core) is queue
    core = bench.reopen(core)
    again = outgoing(core, r"DIRECT=OS:FAR\Orders")
    assert (again.key, again.identifier, again.queue_manager) == (queue.key, queue.identifier, HOST_ID)
    assert core.local.queue_collection == {queue.key}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (FAR, QueueType.PUBLIC),
        (r"DIRECT=OS:far\private$\q", QueueType.PRIVATE),
        (f"PRIVATE={OTHER_ID}\\5", QueueType.PRIVATE),
        (f"CONNECTOR={OTHER_ID}", QueueType.CONNECTOR),
        ("MULTICAST=239.1.2.3:8001", QueueType.PUBLIC),
    ],
)
def test_an_outgoing_queue_has_the_type_of_its_destination(bench: Bench, name: str, kind: QueueType) -> None:
    core = host(bench)
    queue = outgoing(core, name)
    assert queue.queue_type is kind
    assert not core.is_public(queue)


@pytest.mark.spec("DM-3.1.7.1.5-17", "DM-3.1.7.1.5-18")
@pytest.mark.parametrize(
    ("name", "hardened", "state"),
    [
        (FAR, True, OutgoingQueueState.LOCKED),
        (FAR, False, OutgoingQueueState.INACTIVE),
        ("MULTICAST=239.1.2.3:8001", True, OutgoingQueueState.LOCKED),
        ("DIRECT=HTTP://far/msmq/orders", True, OutgoingQueueState.INACTIVE),
        ("DIRECT=HTTPS://far/msmq/orders", True, OutgoingQueueState.INACTIVE),
    ],
)
def test_hardened_security_locks_all_but_web_queues(bench: Bench, name: str, hardened: bool, state: OutgoingQueueState) -> None:
    queue = outgoing(host(bench, hardened_security=hardened), name)
    assert queue.state is state
    assert queue.multicast is name.startswith("MULTICAST")


def directory_with(path: str, **attributes: Any) -> QueueDirectorySample:
    directory = QueueDirectorySample()
    directory.objects[PUBLIC_ID] = Queue(identifier=PUBLIC_ID, pathname=parse_path_name(path), queue_type=QueueType.PUBLIC, **attributes)
    return directory


@pytest.mark.spec("DM-3.1.7.1.5-13", "DM-3.1.7.1.5-16")
def test_a_public_queue_elsewhere_has_the_priority_that_the_directory_tells(bench: Bench) -> None:
    directory = directory_with(r"far\orders", base_priority=7)
    core = host(bench, directory.joint(), directory_integrated=True)
    assert outgoing(core, PUBLIC).base_priority == 7
    assert directory.verbs() == ["read", "read"]


@pytest.mark.spec("DM-3.1.7.1.5-13")
@pytest.mark.parametrize("failure", [DirectoryOperationResult.OBJECT_NOT_FOUND, DirectoryOperationResult.GENERIC_ERROR])
def test_a_public_queue_that_the_directory_does_not_tell_is_unsupported(bench: Bench, failure: DirectoryOperationResult) -> None:
    directory = directory_with(r"far\orders")
    directory.failing["read"] = failure
    core = host(bench, directory.joint(), directory_integrated=True)
    assert status(core, PUBLIC) == UNSUPPORTED
    assert core.local.queue_collection == set()


@pytest.mark.spec("DM-3.1.7.1.5-13")
@pytest.mark.parametrize("path", [r"HOST\orders", r"host.corp.example\orders"])
def test_a_public_queue_of_this_computer_that_is_not_here_is_not_found(bench: Bench, path: str) -> None:
    core = host(bench, directory_with(path).joint(), directory_integrated=True)
    assert status(core, PUBLIC) == NOT_FOUND


@pytest.mark.spec("DM-3.1.7.1.5-16")
def test_a_public_queue_that_vanishes_between_two_reads_is_not_found(bench: Bench) -> None:
    directory = directory_with(r"far\orders")
    directory.after_read = directory.objects.clear
    core = host(bench, directory.joint(), directory_integrated=True)
    assert status(core, PUBLIC) == NOT_FOUND
    assert core.local.queue_collection == set()


# ---- several queues


@pytest.mark.spec("DM-3.1.7.1.5-1")
def test_a_list_that_cannot_be_resolved_opens_nothing(bench: Bench) -> None:
    core = host(bench)
    assert status(core, f"DL={OTHER_ID}") == NOT_FOUND
    assert status(core, rf"{FAR},DL={OTHER_ID}") == NOT_FOUND


@pytest.mark.spec("DM-3.1.7.1.5-1", "DM-3.1.7.1.5-4", "DM-3.1.7.1.5-5")
def test_several_queues_are_opened_as_one(bench: Bench) -> None:
    directory = QueueDirectorySample()
    directory.lists[f"DL={OTHER_ID}"] = (ORDERS, FAR)
    core = host(bench, directory.joint(), directory_integrated=True)
    queue = created(core)
    parent = opened_as(core, f"DL={OTHER_ID}", SEND)
    assert (parent.multiple, parent.queue_reference, parent.access_type, parent.share_mode) == (True, None, SEND, DENY_NONE)
    assert parent.remote_read_state is RemoteReadState.NONE
    assert str(parent.format_name) == rf"{FAR},{ORDERS}"
    children = parent.open_queue_descriptor_collection
    assert [str(child.format_name) for child in children] == [FAR, ORDERS]
    assert [(child.access_type, child.share_mode, child.multiple) for child in children] == [(SEND, DENY_NONE, False)] * 2
    assert queue.open_queue_descriptor_collection == [children[1]]


@pytest.mark.spec("DM-3.1.7.1.5-2", "DM-3.1.7.1.5-3")
def test_several_queues_are_for_senders_who_share(bench: Bench) -> None:
    core = host(bench)
    several = rf"{FAR},DIRECT=OS:far\bills"
    assert status(core, several, RECEIVE, DENY_NONE) == UNSUPPORTED
    assert status(core, several, RECEIVE, DENY_RECEIVE) == UNSUPPORTED
    assert status(core, several, SEND, DENY_RECEIVE) == HResult.MQ_ERROR_UNSUPPORTED_ACCESS_MODE


@pytest.mark.spec("DM-3.1.7.1.5-6", "DM-3.1.7.1.6-1")
def test_one_queue_that_fails_closes_those_before_it(bench: Bench) -> None:
    core = host(bench)
    assert status(core, rf"{FAR},DIRECT=OS:host\nowhere") == NOT_FOUND
    (number,) = core.local.queue_collection
    assert kept(core, number).open_queue_descriptor_collection == []


@pytest.mark.spec("DM-3.1.7.1.6-1")
def test_closing_several_closes_each(bench: Bench) -> None:
    core = host(bench)
    created(core)
    parent = opened_as(core, rf"{FAR},{ORDERS}", SEND)
    core.close_queue(parent)
    assert all(
        kept(core, child.queue_reference).open_queue_descriptor_collection == [] for child in parent.open_queue_descriptor_collection
    )


# ---- closing


@pytest.mark.spec("DM-3.1.7.1.6-3", "DM-3.1.7.1.6-5", "DM-3.1.7.1.6-6")
def test_closing_ends_the_reads_of_this_handle_and_no_others(bench: Bench) -> None:
    core = host(bench)
    queue = created(core)
    other, mine = opened_as(core), opened_as(core)
    stranger, tagged, untagged = waiting_read(core, other, tag=7), waiting_read(core, mine, tag=7), waiting_read(core, mine)
    core.close_queue(mine)
    assert [status_of(read) for read in (stranger, tagged, untagged)] == [None, CANCELLED, CANCELLED]
    assert queue.open_queue_descriptor_collection == [other]
    assert core.waiting_reads() == [stranger]
    core.close_queue(mine)
    assert queue.open_queue_descriptor_collection == [other]


@pytest.mark.spec("DM-3.1.7.1.6-4")
def test_closing_closes_the_cursors(bench: Bench) -> None:
    core = host(bench)
    created(core)
    descriptor = opened_as(core)
    core.open_cursor(descriptor)
    core.open_cursor(descriptor)
    core.close_queue(descriptor)
    assert descriptor.cursor_collection == []


@pytest.mark.spec("DM-3.1.7.1.6-2", "DM-3.1.7.1.6-7")
def test_a_handle_to_a_deleted_queue_is_tidied_up(bench: Bench) -> None:
    core = host(bench)
    queue = created(core)
    descriptor = opened_as(core)
    cursor = core.open_cursor(descriptor)
    core.delete_queue(queue)
    late = waiting_read(core, descriptor, cursor=cursor)
    core.close_queue(descriptor)
    assert descriptor.cursor_collection == []
    assert status_of(late) == CANCELLED


# ---- cursors


@pytest.mark.spec("DM-3.1.7.1.1-2", "DM-3.2.7.1-2")
def test_a_new_cursor_stands_before_the_first_message(bench: Bench) -> None:
    core = host(bench)
    created(core)
    descriptor = opened_as(core)
    cursor = core.open_cursor(descriptor)
    assert cursor is not None
    assert descriptor.cursor_collection == [cursor]
    assert cursor.open_queue_descriptor_reference is descriptor
    assert cursor.message_position_reference is ListEdge.START
    assert cursor.cursor_state is CursorState.UNREAD


@pytest.mark.spec("DM-3.1.7.1.1-1", "DM-3.2.7.1-1")
def test_without_a_queue_there_is_no_cursor(bench: Bench) -> None:
    core = host(bench)
    queue = created(core)
    descriptor = opened_as(core)
    core.delete_queue(queue)
    assert core.open_cursor(descriptor) is None
    assert descriptor.cursor_collection == []


@pytest.mark.spec("DM-3.1.7.1.2-1", "DM-3.1.7.1.2-2", "DM-3.1.7.1.2-3")
def test_closing_a_cursor_ends_the_reads_through_it(bench: Bench) -> None:
    core = host(bench)
    created(core)
    descriptor = opened_as(core)
    mine, other = core.open_cursor(descriptor), core.open_cursor(descriptor)
    assert mine is not None
    through_mine, through_other, through_none = (waiting_read(core, descriptor, cursor=cursor) for cursor in (mine, other, None))
    core.close_cursor(mine)
    assert [status_of(read) for read in (through_mine, through_other, through_none)] == [CANCELLED, None, None]
    assert list(descriptor.waiting_message_read_operation_collection) == [through_other.operation, through_none.operation]
    assert descriptor.cursor_collection == [other]


def test_an_open_that_is_rolled_back_never_happened(bench: Bench) -> None:
    core = host(bench)
    queue = created(core)
    core.commit()
    opened_as(core)
    opened_as(core, FAR, SEND)
    core.rollback()
    assert queue.open_queue_descriptor_collection == []
    assert core.local.queue_collection == {queue.key}
    assert core.find_queue(named(FAR), SEND) is None


@pytest.mark.spec("DM-3.1.1.16-3")
def test_no_two_handles_and_no_two_context_values_are_the_same(bench: Bench) -> None:
    core = host(bench)
    created(core)
    several = opened_as(core, f"{HERE},{FAR}", SEND)
    live = [several, *several.open_queue_descriptor_collection, *(opened_as(core, HERE) for _ in range(3))]
    assert len({one.handle for one in live}) == len({one.context_value for one in live}) == 6


@pytest.mark.spec("DM-3.1.1.16-4")
def test_several_readers_share_one_handle(bench: Bench) -> None:
    core = host(bench)
    created(core)
    handle = opened_as(core, HERE)
    first, second = waiting_read(core, handle, tag=1), waiting_read(core, handle, tag=2)
    assert core.waiting_reads() == [first, second]
    assert len(handle.waiting_message_read_operation_collection) == 2
    assert core.open_cursor(handle) is not core.open_cursor(handle)
