"""Local queues, journey by journey on a real host: what is made is told, what is refused leaves everything as it was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from msmqctl.errors import StatusError
from msmqctl.ops import manager, queues
from msmqctl.ops.hosted import Kind
from msmqctl.ops.owning import own
from msmqctl.ops.queue_rows import Privacy, QueueDetails, QueueRow, Removed
from msmqctl.ops.queues import QueueOptions
from msmqctl.ops.status import close_names, require
from msmqctl.qm.host import Host
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.message import Message
from msmqctl.qm.model import Queue, QueueAccessType, QueueShareMode, QueueType
from msmqctl.qm.sending import EnqueueResult
from msmqctl.wire.names import MulticastName, parse_format_name, parse_name, parse_path_name
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.status import HResult

ORDERS = r".\private$\orders"
GROUP = MulticastName(IPv4Address("239.1.2.3"), 8001)
SERVICE = UUID("5e1fa5e0-0c0d-4e5e-9a9b-0123456789ab")
EVERYTHING = QueueOptions(
    label="Orders",
    type=SERVICE,
    journal=True,
    quota_kb=100,
    journal_quota_kb=50,
    authenticate=True,
    privacy=Privacy.BODY,
    multicast=GROUP,
    priority=-7,
)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with own(tmp_path / "store.db") as opened:
        yield opened


def put(host: Host, name: str, count: int) -> None:
    """So many messages of 100 octets into a queue."""

    def work(manager: QueueManager, now: datetime) -> None:
        queue = manager.find_queue(parse_name(name), QueueAccessType.PEEK_ACCESS)
        assert queue is not None
        for number in range(count):
            assert manager.enqueue_message(queue, Message(label=str(number), size=100), now) is EnqueueResult.NO_ERROR

    host.do(work)


def held(host: Host) -> dict[str, tuple[int, int, int]]:
    return {row.name: (row.messages, row.bytes, row.journal_messages) for row in queues.list_queues(host)}


def refusal(status: HResult) -> Any:
    """The context in which a StatusError with this status must be raised."""
    return pytest.raises(StatusError, check=lambda error: error.status == status)


# --- create and show ---


def test_a_new_queue_has_the_defaults(host: Host) -> None:
    before = datetime.now(UTC) - timedelta(seconds=1)
    made = queues.create_queue(host, "orders", {})
    assert (made.name, made.kind, made.label, made.type) == (ORDERS, Kind.PRIVATE, "", NULL_GUID)
    assert (made.transactional, made.journal, made.authenticate, made.privacy) == (False, False, False, Privacy.OPTIONAL)
    assert (made.quota_kb, made.journal_quota_kb, made.multicast, made.priority) == (None, None, None, 0)
    assert (made.messages, made.bytes, made.journal_messages, made.subqueues) == (0, 0, 0, ())
    assert made.created is not None
    assert made.created == made.modified
    assert before <= made.created <= datetime.now(UTC)
    assert made.security == "O:AND:(A;;0xf003f;;;WD)"
    assert queues.show_queue(host, "ORDERS") == made


def test_every_option_arrives(host: Host) -> None:
    made = queues.create_queue(host, "orders", EVERYTHING)
    assert (made.label, made.type, made.journal, made.quota_kb, made.journal_quota_kb) == ("Orders", SERVICE, True, 100, 50)
    assert (made.authenticate, made.privacy, made.multicast, made.priority) == (True, Privacy.BODY, "239.1.2.3:8001", -7)
    assert queues.create_queue(host, "other", {"transactional": True}).transactional
    assert queues.show_queue(host, "orders;journal").quota_kb == 50


def test_the_format_names_lead_back_to_the_queue(host: Host) -> None:
    made = queues.create_queue(host, "orders", {})
    lineage = manager.show_manager(host).identifier
    private, direct = made.format_names
    assert private.startswith(f"PRIVATE={lineage}\\")
    assert direct == rf"DIRECT=OS:{ORDERS}"
    for name in (*made.format_names, made.path_name, r"localhost\private$\orders", r"DIRECT=TCP:127.0.0.1\private$\orders"):
        assert queues.show_queue(host, name) == made
    journal = queues.show_queue(host, "orders;journal")
    assert journal.format_names == (f"{private};JOURNAL", f"{direct};JOURNAL")
    dead = queues.show_queue(host, r".\deadletter$")
    assert dead.format_names == (f"MACHINE={lineage};DEADLETTER", r"DIRECT=OS:.\SYSTEM$;DEADLETTER")
    for name in (*journal.format_names, *dead.format_names):
        assert queues.show_queue(host, name) in (journal, dead)


def test_a_subqueue_belongs_to_its_queue(host: Host) -> None:
    queues.create_queue(host, "orders", {"transactional": True, "quota_kb": 9})
    made = queues.create_queue(host, "orders;retry", {"label": "again"})
    assert (made.kind, made.transactional, made.quota_kb, made.label) == (Kind.SUBQUEUE, True, 9, "again")
    assert made.format_names == (rf"DIRECT=OS:{ORDERS};retry",)
    put(host, "orders;retry", 2)
    (subqueue,) = queues.show_queue(host, "orders").subqueues
    assert (subqueue.name, subqueue.messages, subqueue.bytes) == (rf"{ORDERS};retry", 2, 200)


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("orders", HResult.MQ_ERROR_QUEUE_EXISTS),
        (r"DIRECT=OS:localhost\PRIVATE$\Orders", HResult.MQ_ERROR_QUEUE_EXISTS),
        ("missing;retry", HResult.MQ_ERROR_QUEUE_NOT_FOUND),
        ("orders;journal", HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME),
        (r".\system$;mine", HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME),
        (r".\deadletter$", HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME),
        (r"DIRECT=OS:.\journal$", HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME),
        (f"PUBLIC={SERVICE}", HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME),
        (r".\public", HResult.MQ_ERROR_NO_DS),
        ("", HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME),
    ],
)
@pytest.mark.parametrize("rehearse", [False, True])
def test_what_cannot_be_created(host: Host, name: str, status: HResult, rehearse: bool) -> None:
    queues.create_queue(host, "orders", {})
    before = queues.list_queues(host, system=True)
    with refusal(status):
        queues.create_queue(host, name, {}, rehearse=rehearse)
    assert queues.list_queues(host, system=True) == before


REMOTE = [
    r"server17\private$\orders",
    r"DIRECT=TCP:192.0.2.99\private$\orders",
    f"PRIVATE={SERVICE}\\0000000a",
    f"MACHINE={SERVICE};DEADLETTER",
    f"DL={SERVICE}",
    "MULTICAST=239.1.2.3:8001",
    r"DIRECT=OS:.\private$\a,DIRECT=OS:.\private$\b",
]


@pytest.mark.parametrize("name", REMOTE)
def test_only_local_queues_for_now(host: Host, name: str) -> None:
    journeys = (queues.show_queue, queues.deletable_queue, queues.delete_queue, queues.purge_queue)
    for journey in journeys:
        with pytest.raises(StatusError, match="only local queues can be managed for now") as caught:
            journey(host, name)
        assert caught.value.status == HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME
    for change in (queues.create_queue, queues.set_queue):
        with pytest.raises(StatusError, match="only local queues can be managed for now"):
            change(host, name, {"label": "x"})


ILLEGAL: list[QueueOptions] = [
    {"label": "x" * 125},
    {"label": "\U0001f600" * 63},
    {"quota_kb": -1},
    {"quota_kb": 0xFFFFFFFF},
    {"journal_quota_kb": 1 << 40},
    {"priority": 32768},
    {"priority": -32769},
]


@pytest.mark.parametrize("options", ILLEGAL, ids=str)
def test_values_out_of_range(host: Host, options: QueueOptions) -> None:
    with refusal(HResult.MQ_ERROR_ILLEGAL_PROPERTY_VALUE):
        queues.create_queue(host, "orders", options)
    before = queues.create_queue(host, "orders", {})
    with refusal(HResult.MQ_ERROR_ILLEGAL_PROPERTY_VALUE):
        queues.set_queue(host, "orders", options)
    assert queues.show_queue(host, "orders") == before


def test_values_at_the_edge(host: Host) -> None:
    options = QueueOptions(label="x" * 124, quota_kb=0, journal_quota_kb=0xFFFFFFFE, priority=-32768)
    made = queues.create_queue(host, "orders", options)
    assert (made.label, made.quota_kb, made.journal_quota_kb, made.priority) == ("x" * 124, 0, 0xFFFFFFFE, -32768)


def test_transactional_and_multicast_exclude_each_other(host: Host) -> None:
    with refusal(HResult.MQ_ERROR_PROPERTIES_CONFLICT):
        queues.create_queue(host, "orders", {"transactional": True, "multicast": GROUP})
    before = queues.create_queue(host, "orders", {"transactional": True})
    with refusal(HResult.MQ_ERROR_PROPERTIES_CONFLICT):
        queues.set_queue(host, "orders", {"multicast": GROUP})
    assert queues.show_queue(host, "orders") == before


# --- set ---


def test_set_changes_what_it_names_and_nothing_else(host: Host) -> None:
    before = queues.create_queue(host, "orders", {"quota_kb": 7})
    changed = queues.set_queue(host, "orders", {"label": "new"})
    assert {one.name for one in fields(QueueDetails) if getattr(before, one.name) != getattr(changed, one.name)} <= {"label", "modified"}
    assert (changed.label, changed.quota_kb) == ("new", 7)
    every = queues.set_queue(host, "orders", EVERYTHING)
    assert (every.quota_kb, every.multicast, every.privacy) == (100, "239.1.2.3:8001", Privacy.BODY)
    cleared = queues.set_queue(host, "orders", {"quota_kb": None, "multicast": None, "label": ""})
    assert (cleared.quota_kb, cleared.multicast, cleared.label, cleared.journal_quota_kb) == (None, None, "", 50)


def test_set_moves_the_time_of_the_change(tmp_path: Path) -> None:
    with own(tmp_path / "store.db") as host:
        made = queues.create_queue(host, "orders", {})
    with own(tmp_path / "store.db") as host:
        host._clock = lambda: datetime(2040, 1, 2, tzinfo=UTC)
        changed = queues.set_queue(host, "orders", {"label": "later"})
    assert (changed.created, changed.modified) == (made.created, datetime(2040, 1, 2, tzinfo=UTC))


def test_journal_and_subqueues_follow(host: Host) -> None:
    queues.create_queue(host, "orders", {})
    queues.create_queue(host, "orders;retry", {})
    queues.set_queue(host, "orders", {"quota_kb": 11, "journal_quota_kb": 12, "priority": 3})
    subqueue = queues.show_queue(host, "orders;retry")
    assert (subqueue.quota_kb, subqueue.priority) == (11, 3)
    assert queues.show_queue(host, "orders;journal").quota_kb == 12


@pytest.mark.parametrize(
    ("name", "options", "status"),
    [
        ("missing", {"label": "x"}, HResult.MQ_ERROR_QUEUE_NOT_FOUND),
        ("orders", {"transactional": True}, HResult.MQ_ERROR_PROPERTY_NOTALLOWED),
        ("orders;retry", {"quota_kb": 1}, HResult.MQ_ERROR_PROPERTY_NOTALLOWED),
        ("orders;journal", {"label": "x"}, HResult.MQ_ERROR_ILLEGAL_OPERATION),
        (r".\deadletter$", {"label": "x"}, HResult.MQ_ERROR_ILLEGAL_OPERATION),
        ("order_queue$", {"label": "x"}, HResult.MQ_ERROR_ILLEGAL_OPERATION),
    ],
)
def test_what_cannot_be_set(host: Host, name: str, options: QueueOptions, status: HResult) -> None:
    queues.create_queue(host, "orders", {})
    queues.create_queue(host, "orders;retry", {})
    before = queues.list_queues(host, system=True)
    with refusal(status):
        queues.set_queue(host, name, options)
    assert queues.list_queues(host, system=True) == before


def test_a_public_queue_is_not_changed_behind_the_back_of_the_directory(host: Host) -> None:
    template = Queue(pathname=parse_path_name(r".\orders"), queue_type=QueueType.PUBLIC)
    host.do(lambda manager, now: manager.create_queue(template, now, skip_directory=True))
    before = queues.show_queue(host, r".\orders")
    assert before.kind is Kind.PUBLIC
    assert before.format_names == (f"PUBLIC={before.identifier}", r"DIRECT=OS:.\orders")
    with refusal(HResult.MQ_ERROR_NO_DS):
        queues.set_queue(host, r".\orders", {"label": "x"})
    assert queues.show_queue(host, r".\orders") == before


def test_a_rehearsal_answers_like_the_real_thing_and_keeps_nothing(host: Host) -> None:
    rehearsed = queues.create_queue(host, "orders", EVERYTHING, rehearse=True)
    assert (rehearsed.name, rehearsed.label, rehearsed.quota_kb) == (ORDERS, "Orders", 100)
    assert queues.list_queues(host) == []
    made = queues.create_queue(host, "orders", {})
    assert queues.set_queue(host, "orders", {"label": "tried"}, rehearse=True).label == "tried"
    assert queues.show_queue(host, "orders") == made


# --- list ---


def test_the_list_has_totals_and_hides_what_nobody_made(host: Host) -> None:
    for name in ("orders", "Audit", "orders;retry"):
        queues.create_queue(host, name, {})
    put(host, "orders", 3)
    put(host, "orders;journal", 2)
    assert held(host) == {r".\private$\Audit": (0, 0, 0), ORDERS: (3, 300, 2), rf"{ORDERS};retry": (0, 0, 0)}
    with_system = queues.list_queues(host, system=True)
    assert [row.name for row in with_system if row.kind is Kind.SYSTEM] == [
        r".\private$\notify_queue$",
        r".\private$\order_queue$",
        r".\SYSTEM$;DEADLETTER",
        r".\SYSTEM$;DEADXACT",
        r".\SYSTEM$;JOURNAL",
    ]


def test_a_row_is_what_show_tells(host: Host) -> None:
    queues.create_queue(host, "orders", EVERYTHING)
    (row,) = queues.list_queues(host)
    details = queues.show_queue(host, "orders")
    assert all(getattr(row, one.name) == getattr(details, one.name) for one in fields(QueueRow))


def test_the_list_is_one_query_and_looks_at_no_message(host: Host) -> None:
    queues.create_queue(host, "orders", {})
    put(host, "orders", 20)
    asked: list[str] = []
    connection = host._manager.store._connection
    connection.set_trace_callback(asked.append)
    queues.list_queues(host)
    connection.set_trace_callback(None)
    selects = [sql for sql in asked if sql.startswith("SELECT")]
    assert len(selects) == 1
    assert not any("position" in sql for sql in asked)


def test_an_outgoing_queue_is_no_queue_of_the_list(host: Host) -> None:
    queues.create_queue(host, "orders", {})
    far = parse_format_name(r"DIRECT=OS:far\private$\orders")
    host.do(lambda manager, now: manager.open_queue(far, QueueAccessType.SEND_ACCESS, QueueShareMode.DENY_NONE, now))
    assert [row.name for row in queues.list_queues(host, system=True) if row.kind is not Kind.SYSTEM] == [ORDERS]
    assert manager.show_manager(host).outgoing_queues == 1


# --- delete and purge ---


def test_delete_takes_everything_that_belongs_to_the_queue(host: Host) -> None:
    for name in ("orders", "orders;retry", "other"):
        queues.create_queue(host, name, {})
    put(host, "orders", 3)
    put(host, "orders;retry", 2)
    put(host, "orders;journal", 1)
    put(host, "other", 1)
    assert queues.deletable_queue(host, "orders").messages == 3
    assert queues.delete_queue(host, "orders") == Removed(ORDERS, 6)
    assert held(host) == {r".\private$\other": (1, 100, 0)}
    for name in ("orders", "orders;retry", "orders;journal"):
        with refusal(HResult.MQ_ERROR_QUEUE_NOT_FOUND):
            queues.show_queue(host, name)


@pytest.mark.parametrize("name", [r".\deadletter$", "order_queue$", "orders;journal"])
def test_what_the_queue_manager_keeps_cannot_be_deleted(host: Host, name: str) -> None:
    queues.create_queue(host, "orders", {})
    before = queues.list_queues(host, system=True)
    for journey in (queues.deletable_queue, queues.delete_queue):
        with refusal(HResult.MQ_ERROR_ILLEGAL_OPERATION):
            journey(host, name)
    assert queues.list_queues(host, system=True) == before


def test_purge_empties_one_queue(host: Host) -> None:
    queues.create_queue(host, "orders", {})
    queues.create_queue(host, "orders;retry", {})
    for name, count in (("orders", 3), ("orders;retry", 2), ("orders;journal", 1), (r".\deadletter$", 4)):
        put(host, name, count)
    assert queues.purge_queue(host, "orders") == Removed(ORDERS, 3)
    assert held(host) == {ORDERS: (0, 0, 1), rf"{ORDERS};retry": (2, 200, 0)}
    assert queues.purge_queue(host, "orders;journal").messages == 1
    assert queues.purge_queue(host, r".\deadletter$") == Removed(r".\SYSTEM$;DEADLETTER", 4)
    assert queues.purge_queue(host, "orders").messages == 0


# --- the queue manager ---


def test_the_queue_manager_sums_up(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with own(path) as host:
        queues.create_queue(host, "orders", {})
        queues.create_queue(host, "orders;retry", {})
        for name, count in (("orders", 3), (r".\deadletter$", 2), (r".\xactdeadletter$", 1), (r".\journal$", 4)):
            put(host, name, count)
        shown = manager.show_manager(host)
    assert (shown.queues, shown.messages, shown.bytes) == (1, 10, 1000)
    assert (shown.dead_letters, shown.transactional_dead_letters, shown.journal_messages) == (2, 1, 4)
    assert (shown.state, shown.store, shown.directory_integrated, shown.transactions) == ("Ready", str(path), False, 0)
    with own(path) as host:
        assert manager.show_manager(host) == shown


# --- statuses ---


def test_a_success_passes() -> None:
    require(HResult.MQ_OK, "show queue", ORDERS)
    require(HResult.MQ_INFORMATION_PROPERTY, "show queue", ORDERS)


def test_a_missing_queue_suggests_close_names(host: Host) -> None:
    for name in ("orders", "invoices"):
        queues.create_queue(host, name, {})
    with pytest.raises(StatusError) as caught:
        queues.show_queue(host, "Ordres")
    assert caught.value.message == r"there is no queue .\private$\Ordres here."
    assert caught.value.operation == "show queue"
    assert caught.value.hint == rf"did you mean {ORDERS}? If not, run: msmqctl queue create '.\private$\Ordres'"


def test_only_the_end_of_a_name_is_compared() -> None:
    assert close_names(r".\private$\x", [r".\private$\y", ORDERS]) == []


def test_a_name_that_no_new_queue_can_have_is_not_suggested() -> None:
    for name in (f"PUBLIC={SERVICE}", r".\private$\orders;JOURNAL"):
        with pytest.raises(StatusError) as caught:
            require(HResult.MQ_ERROR_QUEUE_NOT_FOUND, "show queue", name)
        assert caught.value.hint == "run: msmqctl queue list"


@pytest.mark.parametrize("status", [status for status in HResult if not status.success], ids=lambda status: status.name)
def test_every_failure_names_the_queue_and_a_next_step(status: HResult) -> None:
    with pytest.raises(StatusError) as caught:
        require(status, "purge queue", r".\private$\{odd} name")
    assert caught.value.status == status
    assert r".\private$\{odd} name" in caught.value.message
    assert caught.value.message.endswith(".")
    assert caught.value.hint
