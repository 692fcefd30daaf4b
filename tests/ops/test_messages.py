"""Messages of local queues through the host: what is stored, who gets it, and what stays where it was when something fails."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import fields
from itertools import repeat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from msmqctl.errors import DecodeError, StatusError
from msmqctl.ops import messages
from msmqctl.ops.message_row import Draft, MessageRow, body_as_text, draft_of, text_as_body
from msmqctl.ops.messages import Place, Spot
from msmqctl.ops.owning import own
from msmqctl.qm.convert import serialize
from msmqctl.qm.events import Event, MessagePositionDeleted
from msmqctl.qm.host import Host
from msmqctl.wire.status import HResult
from msmqctl.wire.values import MAX_PACKET_SIZE, MessageClass, VarType
from tests.ops.desk import bodies, create, lookup_of, send, take

CONTRACT = (
    "id lookup_id queue label body body_type priority class class_name recoverable sent arrived ttrq ttbr correlation response_queue "
    "admin_queue destination_queue source_machine sender journal dead_letter acknowledge app extension transaction authenticated "
    "encrypted hash size"
)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with own(tmp_path / "store.db") as opened:
        create(opened, "orders")
        create(opened, "ledger", transactional=True)
        yield opened


# ---- the row


def test_the_row_has_the_fields_of_the_contract_in_their_order() -> None:
    assert [field.name.removesuffix("_") for field in fields(MessageRow)] == CONTRACT.split()


def test_everything_that_a_sender_says_is_in_the_row(host: Host) -> None:
    correlation = "a0a1a2a3-b4b5-c6c7-d8d9-dadbdcdddedf\\2286"
    draft = Draft(
        label="order 17", body=b"two", body_type=8, priority=5, recoverable=True, ttrq=60, ttbr=None, correlation=correlation,
        response_queue="answers", admin_queue="DIRECT=OS:server17\\private$\\admin", app=9, extension=b"\x01\x02",
        journal=True, dead_letter=True, acknowledge=("arrival", "receive-failure"),
    )  # fmt: skip
    (stored,) = messages.send(host, "orders", [draft])
    row = messages.show(host, "orders", lookup_of(stored))
    assert (row.label, row.body, row.body_type, row.priority, row.recoverable) == ("order 17", b"two", 8, 5, True)
    assert (row.ttrq, row.ttbr, row.correlation, row.app, row.extension) == (60, None, correlation, 9, b"\x01\x02")
    machine, source = host.do(lambda manager, now: (manager.local.computer_name, manager.local.identifier))
    assert row.response_queue == f"DIRECT=OS:{machine}\\private$\\answers"
    assert (row.journal, row.dead_letter, row.acknowledge) == (True, True, ("arrival", "receive-failure"))
    assert row.admin_queue == "DIRECT=OS:server17\\private$\\admin"
    assert row.destination_queue == f"DIRECT=OS:{machine}\\private$\\orders"
    assert (row.id, row.lookup_id, row.queue, row.size) == (stored.id, stored.lookup_id, ".\\private$\\orders", stored.size)
    assert (row.id, row.source_machine, row.sender) == (f"{source}\\1", source, f"S-1-22-1-{os.getuid()}")
    assert (row.class_, row.class_name, row.transaction, row.hash) == (0, "MQMSG_CLASS_NORMAL", None, None)
    assert row.sent is not None
    assert row.arrived is not None
    assert row.sent <= row.arrived


@pytest.mark.spec("MQ-2.2.18.1.3-1")
def test_no_two_messages_have_the_same_identifier_not_even_after_a_restart(tmp_path: Path) -> None:
    identifiers: list[str] = []
    for _ in range(2):
        with own(tmp_path / "again.db") as opened:
            if not identifiers:
                create(opened, "orders")
            identifiers += [stored.id for stored in messages.send(opened, "orders", repeat(Draft(), 3))]
    sources, ordinals = zip(*(identifier.split("\\") for identifier in identifiers), strict=True)
    assert len(set(sources)) == 1
    assert len(set(ordinals)) == 6


def test_the_size_is_that_of_the_packet(host: Host) -> None:
    one, two = (stored.size for stored in messages.send(host, "orders", [Draft(), Draft(body=b"x" * 400)]))
    assert two - one == 400
    (in_transaction,) = messages.send(host, "ledger", [Draft()], transactional=True)
    packed = host.do(lambda manager, now: serialize(manager.message(lookup_of(in_transaction))))
    assert in_transaction.size == len(packed) > one


# ---- drafts


def test_a_row_can_be_sent_again() -> None:
    given = {"label": "a", "body": "aGk=", "body_type": 8, "priority": 7, "ttrq": None, "id": "x", "class": 3, "more": 1}
    assert draft_of(given, where="line 1") == Draft(label="a", body=b"hi", body_type=8, priority=7, ttrq=None)


@pytest.mark.parametrize("name", ["id", "class", "sender", "more"])
def test_strict_refuses_what_a_sender_may_not_set(name: str) -> None:
    with pytest.raises(DecodeError, match=f"line 4 at offset 0: a sender may not set {name}"):
        draft_of({"label": "a", name: None}, where="line 4", strict=True)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "no JSON object"),
        ({"priority": 8}, "priority is no whole number from 0 to 7"),
        ({"priority": True}, "priority is no whole number"),
        ({"app": -1}, "app is no whole number"),
        ({"ttbr": 1.5}, "ttbr is no whole number"),
        ({"body": "no base64"}, "body is not base64"),
        ({"body": 7}, "body is not base64"),
        ({"label": None}, "label is no text"),
        ({"recoverable": 1}, "recoverable is neither true nor false"),
        ({"journal": "yes"}, "journal is neither true nor false"),
        ({"dead_letter": 1}, "dead_letter is neither true nor false"),
        ({"acknowledge": "arrival"}, "acknowledge is no list of words"),
        ({"acknowledge": [1]}, "acknowledge is no list of words"),
        ({"acknowledge": ["soon"]}, "acknowledge 'soon' is none of arrival, receive"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named(value: object, said: str) -> None:
    with pytest.raises(DecodeError, match=said):
        draft_of(value, where="line 1")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.dictionaries(st.sampled_from(CONTRACT.split()), _JSON))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=150)
def test_no_json_brings_more_than_a_refusal(host: Host, value: dict[str, object]) -> None:
    try:
        list(messages.send(host, "orders", [draft_of(value, where="line 1")]))
    except (DecodeError, StatusError):
        return


@pytest.mark.parametrize("body_type", [0, VarType.VT_BSTR, VarType.VT_LPWSTR, VarType.VT_LPSTR])
def test_text_comes_back_from_a_body(body_type: int) -> None:
    assert body_as_text(text_as_body("Grüße 🐇", body_type), body_type) == "Grüße 🐇"


def test_bodies_have_the_form_of_their_type() -> None:
    assert text_as_body("a", VarType.VT_BSTR) == b"a\0"
    assert text_as_body("a", 0) == b"a"
    assert body_as_text(b"\xff\xfea\0", 0) == "a"
    assert body_as_text(b"\xff", 0) is None


# ---- sending


def test_the_higher_priority_comes_first(host: Host) -> None:
    send(host, b"low", priority=1)
    send(host, b"high", priority=6)
    assert bodies(host) == [b"high", b"low"]


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("nowhere", HResult.MQ_ERROR_QUEUE_NOT_FOUND),
        ("DIRECT=HTTP://localhost/msmq/private$/nowhere", HResult.MQ_ERROR_QUEUE_NOT_FOUND),
        ("MULTICAST=239.1.2.3:8001", HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION),
        ("PUBLIC=a0a1a2a3-b4b5-c6c7-d8d9-dadbdcdddedf", HResult.MQ_ERROR_NO_DS),
        ("DL=a0a1a2a3-b4b5-c6c7-d8d9-dadbdcdddedf", HResult.MQ_ERROR_NO_DS),
        ("orders,nowhere", HResult.MQ_ERROR_QUEUE_NOT_FOUND),
        ("server17\\private$\\orders,nowhere", HResult.MQ_ERROR_QUEUE_NOT_FOUND),
        ("server17\\private$\\orders,ledger", HResult.MQ_ERROR_TRANSACTION_USAGE),
        ("orders,.\\system$;deadletter", HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION),
        ("orders;journal", HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION),
        ("no=name", HResult.MQ_ERROR_ILLEGAL_FORMATNAME),
    ],
)
def test_a_queue_that_cannot_be_reached(host: Host, name: str, status: HResult) -> None:
    before = host.do(lambda manager, now: len(list(manager.store.queues())))
    with pytest.raises(StatusError) as refused:
        list(messages.send(host, name, [Draft()]))
    assert refused.value.status == status
    assert host.do(lambda manager, now: len(list(manager.store.queues()))) == before, "an outgoing queue was made"


@pytest.mark.parametrize(
    "name",
    [
        "DIRECT=OS:localhost\\private$\\orders",
        ".\\PRIVATE$\\Orders",
        "FormatName:DIRECT=TCP:127.0.0.1\\private$\\orders",
        "DIRECT=HTTP://localhost/msmq/private$/orders",
        "orders,Orders",
    ],
)
def test_every_local_name_leads_to_the_queue(host: Host, name: str) -> None:
    list(messages.send(host, name, [Draft(body=b"x")]))
    assert bodies(host) == [b"x"]


@pytest.mark.parametrize(("queue", "transactional"), [("orders", True), ("ledger", False)])
def test_queue_and_sender_agree_about_transactions(host: Host, queue: str, transactional: bool) -> None:
    with pytest.raises(StatusError, match="transactional") as refused:
        list(messages.send(host, queue, [Draft()], transactional=transactional))
    assert refused.value.status is HResult.MQ_ERROR_TRANSACTION_USAGE
    assert bodies(host, queue) == []


def test_a_packet_may_have_four_megabytes_and_no_octet_more(host: Host) -> None:
    (empty,) = messages.send(host, "orders", [Draft()])
    most = MAX_PACKET_SIZE - empty.size
    (full,) = messages.send(host, "orders", [Draft(body=bytes(most))])
    assert full.size == MAX_PACKET_SIZE
    with pytest.raises(DecodeError, match="4194304 are the most"):
        send(host, bytes(most + 1))


def test_a_full_queue_says_so(host: Host) -> None:
    create(host, "small", quota=1)
    with pytest.raises(StatusError, match=r"the quota of \.\\private\$\\small leaves no room") as refused:
        send(host, bytes(600), bytes(600), queue="small")
    assert refused.value.status is HResult.MQ_ERROR_INSUFFICIENT_RESOURCES
    assert bodies(host, "small") == [bytes(600)]


def test_a_label_that_is_too_long(host: Host) -> None:
    send(host, b"", label="x" * 249)
    with pytest.raises(StatusError) as refused:
        send(host, b"", label="x" * 250)
    assert refused.value.status is HResult.MQ_ERROR_LABEL_TOO_LONG


def test_a_transaction_is_seen_whole(host: Host) -> None:
    sent = messages.send(host, "ledger", [Draft(body=b"a", priority=7), Draft(body=b"b"), Draft(body=b"c")], transactional=True)
    assert len(list(sent)) == 3
    rows = list(messages.peek(host, "ledger", count=5))
    assert [row.body for row in rows] == [b"a", b"b", b"c"]
    assert [(row.transaction.first, row.transaction.last) for row in rows if row.transaction] == [
        (True, False),
        (False, False),
        (False, True),
    ]
    assert {(row.priority, row.recoverable) for row in rows} == {(0, True)}


def test_a_transaction_that_breaks_off_sends_nothing(host: Host) -> None:
    def drafts() -> Iterator[Draft]:
        yield Draft(body=b"a")
        raise DecodeError("broken", where="line 2", offset=0)

    with pytest.raises(DecodeError):
        list(messages.send(host, "ledger", drafts(), transactional=True))
    assert bodies(host, "ledger") == []
    assert host.do(lambda manager, now: manager.store.units()) == []


def test_each_message_is_there_when_it_is_answered(host: Host) -> None:
    answers = messages.send(host, "orders", repeat(Draft(body=b"x"), 3))
    for expected in (1, 2, 3):
        stored = next(answers)
        assert len(bodies(host)) == expected
        assert messages.show(host, "orders", lookup_of(stored)).id == stored.id


# ---- reading


def test_a_peek_changes_nothing(host: Host) -> None:
    send(host, b"a", b"b", b"c")
    assert [row.body for row in messages.peek(host, "orders", count=2)] == [b"a", b"b"]
    assert bodies(host) == [b"a", b"b", b"c"]


def test_who_asks_for_more_has_printed_what_came_before(host: Host) -> None:
    send(host, b"a", b"b", b"c")
    with closing(messages.receive(host, "orders", count=3)) as taken:
        assert [row.body for row in next(taken)] == [b"a"]
        assert [row.body for row in next(taken)] == [b"b"]
        assert bodies(host) == [b"c"], "what is handed over is locked"
    assert bodies(host) == [b"b", b"c"]


def test_what_comes_together_leaves_together(host: Host) -> None:
    send(host, b"a", b"b", b"c")
    with closing(messages.receive(host, "orders", count=2, together=True)) as taken:
        assert [row.body for row in next(taken)] == [b"a", b"b"]
    assert bodies(host) == [b"a", b"b", b"c"]
    assert [len(rows) for rows in messages.receive(host, "orders", count=5, together=True)] == [3]
    assert bodies(host) == []


def test_a_transaction_of_reads_is_undone_as_a_whole(host: Host) -> None:
    send(host, b"a", b"b", queue="ledger")
    with closing(messages.receive(host, "ledger", count=2, transactional=True)) as taken:
        assert [len(next(taken)), len(next(taken))] == [1, 1]
    assert bodies(host, "ledger") == [b"a", b"b"]
    assert take(host, "ledger", count=2, transactional=True) == [b"a", b"b"]
    assert bodies(host, "ledger") == []
    assert host.do(lambda manager, now: manager.store.units()) == []


@pytest.mark.parametrize(("queue", "transactional"), [("orders", True), ("ledger", False)])
def test_queue_and_receiver_agree_about_transactions(host: Host, queue: str, transactional: bool) -> None:
    send(host, b"a", queue=queue)
    with pytest.raises(StatusError) as refused:
        take(host, queue, transactional=transactional)
    assert refused.value.status is HResult.MQ_ERROR_TRANSACTION_USAGE
    assert bodies(host, queue) == [b"a"]


@pytest.mark.parametrize(
    ("place", "body"),
    [(Place.FIRST, b"a"), (Place.LAST, b"c"), (Place.CURRENT, b"b"), (Place.NEXT, b"c"), (Place.PREVIOUS, b"a")],
)
def test_one_message_by_its_place(host: Host, place: Place, body: bytes) -> None:
    _, origin, _ = send(host, b"a", b"b", b"c")
    spot = Spot(place, 0 if place in (Place.FIRST, Place.LAST) else origin)
    assert [row.body for row in messages.peek(host, "orders", spot=spot)] == [body]
    assert take(host, spot=spot) == [body]
    assert bodies(host) == [each for each in (b"a", b"b", b"c") if each != body]


def test_no_message_is_an_error_only_if_it_is_the_first(host: Host) -> None:
    send(host, b"a")
    assert take(host, count=5) == [b"a"]
    with pytest.raises(StatusError, match="no message in") as nothing:
        take(host, count=5)
    assert nothing.value.status is HResult.MQ_ERROR_IO_TIMEOUT
    with pytest.raises(StatusError, match="no such message") as missing:
        messages.show(host, "orders", 7)
    assert missing.value.status is HResult.MQ_ERROR_MESSAGE_NOT_FOUND


def test_a_receiver_waits_for_its_message(host: Host) -> None:
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(take, host, timeout=20)
        while not host.do(lambda manager, now: manager.waiting_reads()):
            pass
        send(host, b"at last")
        assert waiting.result(timeout=10) == [b"at last"]
    assert bodies(host) == []


# ---- one by one


def test_deleting_tells_nobody_that_it_was_received(tmp_path: Path) -> None:
    events: list[Event] = []
    with own(tmp_path / "store.db") as host:
        create(host, "orders")
        host._subscriber = events.extend
        first, second = send(host, b"a", b"b")
        with pytest.raises(StatusError, match="no message 7 to delete"):
            messages.delete(host, "orders", [first, 7])
        assert bodies(host) == [b"a", b"b"], "all or none"
        messages.delete(host, "orders", [second, second])
        assert bodies(host) == [b"a"]
    (gone,) = (event for event in events if isinstance(event, MessagePositionDeleted))
    assert gone.reason is MessageClass.MQMSG_CLASS_NACK_Q_PURGED


def test_a_move_makes_the_subqueue_and_comes_back(host: Host) -> None:
    first, second = send(host, b"a", b"b")
    assert messages.move(host, "orders", "orders;retry", [first]) == ".\\private$\\orders;retry"
    assert (bodies(host), bodies(host, "orders;retry")) == ([b"b"], [b"a"])
    assert messages.show(host, "orders;retry", first).queue == ".\\private$\\orders;retry"
    messages.move(host, "orders", "orders;retry", [second])
    messages.move(host, "orders;retry", "orders", [first])
    assert (bodies(host), bodies(host, "orders;retry")) == ([b"a"], [b"b"])


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("ledger", HResult.MQ_ERROR_TRANSACTION_USAGE),
        ("nowhere", HResult.MQ_ERROR_QUEUE_NOT_FOUND),
        ("nowhere;retry", HResult.MQ_ERROR_QUEUE_NOT_FOUND),
        ("orders;journal", HResult.MQ_ERROR_ILLEGAL_OPERATION),
        (".\\system$;deadletter", HResult.MQ_ERROR_ILLEGAL_OPERATION),
        ("server17\\private$\\orders", HResult.MQ_ERROR_INVALID_PARAMETER),
        ("server17\\private$\\orders;retry", HResult.MQ_ERROR_INVALID_PARAMETER),
    ],
)
def test_where_a_message_cannot_be_moved_to(host: Host, target: str, status: HResult) -> None:
    lookups = send(host, b"a")
    with pytest.raises(StatusError) as refused:
        messages.move(host, "orders", target, lookups)
    assert refused.value.status is status
    assert bodies(host) == [b"a"]


def test_a_failed_move_leaves_no_subqueue_behind(host: Host) -> None:
    with pytest.raises(StatusError, match="no message 7 to move"):
        messages.move(host, "orders", "orders;retry", [7])
    with pytest.raises(StatusError) as missing:
        next(messages.peek(host, "orders;retry"))
    assert missing.value.status is HResult.MQ_ERROR_QUEUE_NOT_FOUND


def test_a_message_survives_its_process(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with own(path) as host:
        create(host, "orders")
        (lookup,) = send(host, b"a")
    with own(path) as host:
        assert messages.show(host, "orders", lookup).body == b"a"
