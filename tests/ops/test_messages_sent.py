"""Messages sent to other computers, to several queues and with wishes: where they wait, who hears of them, what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from msmqctl.errors import StatusError
from msmqctl.ops import messages, outgoing
from msmqctl.ops.message_row import Draft, acknowledgment_words, acknowledgments_of
from msmqctl.ops.owning import own
from msmqctl.qm.host import Host
from msmqctl.qm.model import QueueAccessType, QueuePrivacyLevel, QueueShareMode
from msmqctl.wire.names import parse_format_name
from msmqctl.wire.status import HResult
from tests.ops.desk import bodies, create, send, take


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with own(tmp_path / "store.db") as opened:
        create(opened, "orders")
        create(opened, "ledger", transactional=True)
        yield opened


# ---- to other computers, and to several


@pytest.mark.parametrize(
    ("name", "destination"),
    [
        ("server17\\private$\\orders", "DIRECT=OS:server17\\private$\\orders"),
        ("DIRECT=TCP:10.0.0.1\\private$\\orders", "DIRECT=TCP:10.0.0.1\\private$\\orders"),
        ("DIRECT=HTTPS://shop/msmq/private$/orders", "DIRECT=HTTPS://shop/msmq/private$/orders"),
        ("PRIVATE=a0a1a2a3-b4b5-c6c7-d8d9-dadbdcdddedf\\1F", "PRIVATE=a0a1a2a3-b4b5-c6c7-d8d9-dadbdcdddedf\\0000001f"),
    ],
)
def test_what_goes_elsewhere_waits_in_an_outgoing_queue_over_a_restart(tmp_path: Path, name: str, destination: str) -> None:
    path = tmp_path / "store.db"
    with own(path) as host:
        for body in (b"one", b"two"):
            (stored,) = messages.send(host, name, [Draft(body=body)])
            assert (stored.queue, stored.outgoing) == (destination, (destination,))
    with own(path) as host:
        waiting = list(outgoing.peek_outgoing(host, name, count=9))
    assert [(row.body, row.queue, row.destination_queue) for row in waiting] == [
        (b"one", destination, destination),
        (b"two", destination, destination),
    ]


def test_elsewhere_a_transaction_is_whole_too(host: Host) -> None:
    list(messages.send(host, "far\\private$\\ledger", [Draft(body=b"a"), Draft(body=b"b")], transactional=True))
    rows = list(outgoing.peek_outgoing(host, "far\\private$\\ledger", count=9))
    assert [(row.body, row.transaction is not None and row.transaction.last) for row in rows] == [(b"a", False), (b"b", True)]


@pytest.mark.parametrize("read", [messages.peek, messages.receive])
def test_queues_elsewhere_cannot_be_read(host: Host, read: Any) -> None:
    list(messages.send(host, "far\\private$\\orders", [Draft()]))
    with pytest.raises(StatusError, match="only local queues can be reached for now") as refused:
        list(read(host, "far\\private$\\orders"))
    assert refused.value.status is HResult.MQ_ERROR_INVALID_PARAMETER


@pytest.mark.parametrize(
    "name", ["orders,copies,far\\private$\\x", "DIRECT=OS:.\\private$\\orders,DIRECT=OS:.\\private$\\copies,DIRECT=OS:far\\private$\\x"]
)
def test_several_queues_get_a_copy_each(host: Host, name: str) -> None:
    create(host, "copies")
    (stored,) = messages.send(host, name, [Draft(body=b"x")])
    assert (stored.lookup_id, stored.outgoing) == (None, ("DIRECT=OS:far\\private$\\x",))
    (away,) = outgoing.peek_outgoing(host, "far\\private$\\x", count=9)
    rows = [*messages.peek(host, "orders"), *messages.peek(host, "copies"), away]
    assert {(row.id, row.body, row.size) for row in rows} == {(stored.id, b"x", stored.size)}
    assert [str(row.destination_queue).rpartition("\\")[2] for row in rows] == ["orders", "copies", "x"]


def test_if_one_of_several_is_full_none_gets_it(host: Host) -> None:
    create(host, "small", quota=0)
    with pytest.raises(StatusError, match="leaves no room"):
        list(messages.send(host, "orders,small,far\\private$\\x", [Draft(body=b"x")]))
    assert bodies(host) == []
    assert outgoing.list_outgoing(host) == []


def test_a_refused_message_leaves_an_outgoing_queue_that_was_there(host: Host) -> None:
    list(messages.send(host, "far\\private$\\x", [Draft()]))
    outgoing.purge_outgoing(host, "far\\private$\\x")
    outgoing.pause_outgoing(host, "far\\private$\\x")
    with pytest.raises(StatusError, match="the label is too long"):
        list(messages.send(host, "far\\private$\\x", [Draft(label="x" * 250)]))
    assert [(row.messages, row.state) for row in outgoing.list_outgoing(host)] == [(0, "ONHOLD")]


# ---- what the sender hears and keeps


def classes(host: Host, queue: str) -> list[str]:
    """The classes of what is in a queue, shortened."""
    return [row.class_name.removeprefix("MQMSG_CLASS_") for row in messages.peek(host, queue, count=9)]


@pytest.mark.parametrize(
    ("words", "bits"),
    [
        (("arrival",), "arrival"),
        (("receive", "Arrival"), "arrival receive"),
        (("nack-arrival",), "arrival-failure"),
        (("nack-receive",), "arrival-failure receive-failure"),
        (("full-arrival",), "arrival arrival-failure"),
        (("full-receive",), "receive arrival-failure receive-failure"),
        (("none",), ""),
    ],
)
@pytest.mark.spec("DM-3.1.1.12-V28")
def test_acknowledgments_have_the_names_that_applications_use(words: tuple[str, ...], bits: str) -> None:
    assert acknowledgment_words(acknowledgments_of(words)) == tuple(bits.split())


def test_acknowledgments_come_to_the_administration_queue(host: Host) -> None:
    create(host, "acks")
    send(host, b"x", acknowledge=("arrival", "receive"), admin_queue="acks")
    assert classes(host, "acks") == ["ACK_REACH_QUEUE"]
    take(host)
    assert classes(host, "acks") == ["ACK_REACH_QUEUE", "ACK_RECEIVE"]


def test_without_an_administration_queue_there_are_no_acknowledgments(host: Host) -> None:
    with pytest.raises(StatusError, match="need an administration queue") as refused:
        send(host, b"x", acknowledge=("arrival",))
    assert refused.value.status is HResult.MQ_ERROR_INVALID_PARAMETER
    assert bodies(host) == []


def test_the_sender_keeps_a_copy_of_what_was_delivered(host: Host) -> None:
    send(host, b"kept", journal=True)
    send(host, b"not kept")
    assert bodies(host, ".\\system$;journal") == [b"kept"]


def test_what_expired_while_nobody_looked_is_a_dead_letter(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with own(path) as host:
        create(host, "orders")
        send(host, b"late", dead_letter=True, ttbr=0)
        send(host, b"lost", ttbr=0)
    with own(path) as host:
        assert (bodies(host), bodies(host, ".\\system$;deadletter")) == ([], [b"late"])


def test_what_did_not_reach_its_queue_in_time_is_a_dead_letter(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with own(path) as host:
        create(host, "acks")
        far = "far\\private$\\orders"
        list(messages.send(host, far, [Draft(body=b"late", dead_letter=True, ttrq=0, acknowledge=("full-arrival",), admin_queue="acks")]))
    with own(path) as host:
        assert [row.messages for row in outgoing.list_outgoing(host)] == [0]
        assert bodies(host, ".\\system$;deadletter") == [b"late"]
        assert classes(host, "acks") == ["NACK_REACH_QUEUE_TIMEOUT"]


# ---- who is let in


@pytest.mark.parametrize(
    ("attributes", "said"),
    [({"authentication": True}, "only signed"), ({"privacy_level": QueuePrivacyLevel.BODY}, "only encrypted")],
)
def test_a_queue_that_wants_protected_messages(host: Host, attributes: dict[str, Any], said: str) -> None:
    create(host, "safe", **attributes)
    with pytest.raises(StatusError, match=said) as refused:
        send(host, b"x", queue="safe")
    assert refused.value.status is HResult.MQ_ERROR_ACCESS_DENIED
    assert bodies(host, "safe") == []


def test_a_queue_that_somebody_reads_alone(host: Host) -> None:
    send(host, b"x")
    name = parse_format_name("DIRECT=OS:.\\private$\\orders")
    reader = host.do(
        lambda manager, now: manager.open_queue(name, QueueAccessType.RECEIVE_ACCESS, QueueShareMode.DENY_RECEIVE, now).descriptor
    )
    assert reader is not None
    with pytest.raises(StatusError, match="open elsewhere and not shared") as refused:
        take(host)
    assert refused.value.status is HResult.MQ_ERROR_SHARING_VIOLATION
    assert bodies(host) == [b"x"]
    host.do(lambda manager, now: manager.close_queue(reader))
    assert take(host) == [b"x"]
