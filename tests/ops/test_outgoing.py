"""Outgoing queues on a real host: what is told of them, what holds over a restart, and what becomes of what is given up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

from msmqctl.errors import StatusError
from msmqctl.ops import messages, outgoing
from msmqctl.ops.manager import disconnect_manager
from msmqctl.ops.message_row import Draft
from msmqctl.ops.outgoing import Attempt, OutgoingPurged
from msmqctl.ops.owning import own
from msmqctl.qm.host import Host
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.model import ConnectionHistoryEntry, OutgoingQueue, OutgoingQueueState, OutgoingTransferInfo, QueueAccessType
from msmqctl.wire.names import parse_format_name
from msmqctl.wire.status import HResult
from msmqctl.wire.values import ConnectionStatus
from tests.ops.desk import bodies, create, doubt

FAR = r"DIRECT=OS:far\private$\orders"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with own(tmp_path / "store.db") as opened:
        yield opened


def put(host: Host, *drafts: Draft, name: str = FAR) -> list[messages.Stored]:
    return list(messages.send(host, name, drafts))


def change(host: Host, work: Callable[[QueueManager, OutgoingQueue], None], name: str = FAR) -> None:
    """What a protocol would do to the outgoing queue."""

    def find(manager: QueueManager, now: datetime) -> None:
        queue = manager.find_queue(parse_format_name(name), QueueAccessType.PEEK_ADMIN_ACCESS)
        assert isinstance(queue, OutgoingQueue)
        work(manager, queue)

    host.do(find)


def test_nothing_waits_at_first(host: Host) -> None:
    create(host, "orders")
    assert outgoing.list_outgoing(host) == []


def test_the_list_has_every_destination_with_its_totals(host: Host) -> None:
    one, two = put(host, Draft(body=b"a"), Draft(body=b"bcd"))
    (web,) = put(host, Draft(), name="DIRECT=HTTP://shop/msmq/private$/x")
    rows = outgoing.list_outgoing(host)
    assert [(row.destination, row.state, row.messages, row.bytes, row.unsent) for row in rows] == [
        ("DIRECT=HTTP://shop/msmq/private$/x", "INACTIVE", 1, web.size, 1),
        (FAR, "INACTIVE", 2, one.size + two.size, 2),
    ]


def test_what_was_sent_and_what_was_acknowledged_is_told_apart(host: Host) -> None:
    put(host, *[Draft()] * 6)
    info = OutgoingTransferInfo(outgoing_queue_reference=1, eod_no_ack_count=2, eod_no_read_count=1)
    change(host, lambda manager, queue: manager.assign(queue, outgoing_transfer_info_reference=info))
    (row,) = outgoing.list_outgoing(host)
    assert (row.messages, row.unsent, row.unacknowledged, row.unprocessed) == (6, 3, 2, 1)


def test_the_oldest_is_the_oldest_whatever_its_priority(host: Host) -> None:
    put(host, Draft(body=b"first", priority=1))
    put(host, Draft(priority=7), Draft(priority=3), Draft(priority=1))
    (first,) = (row for row in outgoing.peek_outgoing(host, FAR, count=9) if row.body == b"first")
    (row,) = outgoing.list_outgoing(host)
    assert row.oldest == first.arrived


def test_what_is_not_committed_does_not_wait_yet(host: Host) -> None:
    put(host, Draft(body=b"seen"))
    unit = uuid4()
    doubt(host, unit, FAR, body=b"not yet")
    assert [row.messages for row in outgoing.list_outgoing(host)] == [1]
    assert [row.body for row in outgoing.peek_outgoing(host, FAR, count=9)] == [b"seen"]
    assert outgoing.purge_outgoing(host, FAR).messages == 1
    host.do(lambda manager, now: manager.transaction_commit(unit))
    assert [row.body for row in outgoing.peek_outgoing(host, FAR, count=9)] == [b"not yet"]


def test_the_messages_come_in_the_order_in_which_they_go(host: Host) -> None:
    put(host, Draft(body=b"c", priority=1), Draft(body=b"a", priority=6), Draft(body=b"b", priority=6))
    assert [row.body for row in outgoing.peek_outgoing(host, FAR, count=9)] == [b"a", b"b", b"c"]
    assert [row.body for row in outgoing.peek_outgoing(host, FAR, count=2)] == [b"a", b"b"]
    assert {row.queue for row in outgoing.peek_outgoing(host, FAR, count=9)} == {FAR}


def test_many_messages_come_page_by_page(host: Host) -> None:
    put(host, *(Draft(label=str(number)) for number in range(1203)))
    assert [row.label for row in outgoing.peek_outgoing(host, FAR, count=1201)] == [str(number) for number in range(1201)]


@pytest.mark.parametrize("name", [FAR, r"direct=os:FAR\private$\Orders", r"far\private$\orders", f"FormatName:{FAR}"])
def test_any_name_of_the_destination_will_do(host: Host, name: str) -> None:
    put(host, Draft())
    assert outgoing.show_outgoing(host, name).destination == FAR


def test_everything_about_one(host: Host) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    put(host, Draft())
    entry = ConnectionHistoryEntry(
        status=ConnectionStatus.PING_FAILURE, connection_history_time=0, error=0xC00E0013, address_list=("IP=10.0.0.1",)
    )
    change(host, lambda manager, queue: manager.assign(queue, connection_history=[entry], next_hops=("IP=10.0.0.1",)))
    disconnect_manager(host)
    shown = outgoing.show_outgoing(host, FAR)
    assert (shown.connected, shown.multicast, shown.next_hops) == (False, False, ("IP=10.0.0.1",))
    assert before <= shown.created <= datetime.now(UTC)
    assert shown.history == (Attempt(datetime(1970, 1, 1, tzinfo=UTC), "PING_FAILURE", 0xC00E0013, ("IP=10.0.0.1",)),)


WORDS = ["CONNECTED", "DISCONNECTED", "DISCONNECTING", "INACTIVE", "LOCKED", "NEED VALIDATION", "WAITING", "ONHOLD"]


@pytest.mark.parametrize(("state", "word"), list(zip(OutgoingQueueState, WORDS, strict=True)))
def test_the_states_have_the_words_of_management_tools(host: Host, state: OutgoingQueueState, word: str) -> None:
    put(host, Draft())
    change(host, lambda manager, queue: manager.assign(queue, state=state))
    assert outgoing.show_outgoing(host, FAR).state == word


def test_a_pause_holds_until_it_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with own(path) as host:
        put(host, Draft())
        assert outgoing.pause_outgoing(host, FAR).state == "ONHOLD"
    with own(path) as host:
        assert outgoing.show_outgoing(host, FAR).state == "ONHOLD"
        put(host, Draft())
        assert [(row.state, row.messages) for row in outgoing.list_outgoing(host)] == [("ONHOLD", 2)]
        assert outgoing.resume_outgoing(host, FAR).state == "INACTIVE"
    with own(path) as host:
        assert outgoing.show_outgoing(host, FAR).state == "INACTIVE"


@pytest.mark.parametrize("decide", [outgoing.pause_outgoing, outgoing.resume_outgoing])
def test_a_locked_queue_is_not_for_administrators(host: Host, decide: Callable[[Host, str], object]) -> None:
    put(host, Draft())
    change(host, lambda manager, queue: manager.assign(queue, state=OutgoingQueueState.LOCKED))
    with pytest.raises(StatusError, match="is locked") as refused:
        decide(host, FAR)
    assert refused.value.status is HResult.MQ_ERROR_ILLEGAL_OPERATION
    assert outgoing.show_outgoing(host, FAR).state == "LOCKED"


def test_what_is_given_up_is_a_dead_letter_if_its_sender_asked_for_it(host: Host) -> None:
    create(host, "acks")
    put(host, Draft(body=b"kept", dead_letter=True, acknowledge=("full-arrival",), admin_queue="acks"), Draft(body=b"gone"))
    assert outgoing.purge_outgoing(host, FAR) == OutgoingPurged(FAR, 2)
    assert [row.messages for row in outgoing.list_outgoing(host)] == [0]
    assert bodies(host, r".\system$;deadletter") == [b"kept"]
    (told,) = messages.peek(host, "acks")
    assert told.class_name == "MQMSG_CLASS_NACK_DELETED"


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        (r"far\private$\oders", f"did you mean {FAR}?"),
        (r"other\private$\zzz", "run: msmqctl outgoing list"),
        (".\\private$\\local", "run: msmqctl outgoing list"),
        (r"DIRECT=OS:a\b,DIRECT=OS:c\d", "run: msmqctl outgoing list"),
    ],
)
@pytest.mark.parametrize("journey", [outgoing.show_outgoing, outgoing.pause_outgoing, outgoing.resume_outgoing, outgoing.purge_outgoing])
def test_a_destination_that_nothing_waits_for(host: Host, journey: Callable[[Host, str], object], typed: str, hint: str) -> None:
    create(host, "local")
    put(host, Draft())
    with pytest.raises(StatusError, match="there is no outgoing queue for") as refused:
        journey(host, typed)
    assert (refused.value.status, refused.value.hint) == (HResult.MQ_ERROR_QUEUE_NOT_FOUND, hint)
