"""Transactions that have not ended: what is told of them, and who may decide over which."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest

from msmqctl.errors import StatusError
from msmqctl.ops import transactions
from msmqctl.ops.owning import own
from msmqctl.ops.transactions import TransactionRow, TransactionState
from msmqctl.qm.host import Host
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.model import QueueAccessType
from msmqctl.wire.names import parse_format_name
from msmqctl.wire.status import HResult
from tests.ops.desk import begin, bodies, create, doubt, opened, send, take

ONE = UUID("5e1fa5e0-0c0d-4e5e-9a9b-0123456789ab")
TWO = UUID("5e1fa5e1-0c0d-4e5e-9a9b-0123456789ab")
LEDGER, HERE, FAR = r".\private$\ledger", r"DIRECT=OS:.\private$\ledger", r"DIRECT=OS:far\private$\ledger"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def host(path: Path) -> Iterator[Host]:
    with own(path) as made:
        create(made, "ledger", transactional=True)
        yield made


def listed(host: Host) -> list[tuple[UUID, TransactionState]]:
    return [(row.id, row.state) for row in transactions.list_transactions(host)]


def test_a_store_at_rest_has_none(host: Host) -> None:
    send(host, b"a", queue="ledger")
    assert transactions.list_transactions(host) == []


def test_everything_about_one_in_doubt(host: Host) -> None:
    send(host, b"old", queue="ledger")
    before = datetime.now(UTC)
    doubt(host, ONE, HERE, FAR, received=True)
    (row,) = transactions.list_transactions(host)
    assert row.since is not None
    assert before <= row.since <= datetime.now(UTC)
    queues = tuple(sorted((LEDGER, FAR)))
    assert row == TransactionRow(ONE, TransactionState.IN_DOUBT, operations=3, sent=2, received=1, moved=0, queues=queues, since=row.since)


def test_it_is_not_known_since_when_if_nothing_was_sent(host: Host) -> None:
    send(host, b"old", queue="ledger")

    def work(manager: QueueManager, now: datetime) -> None:
        manager.create_transaction(ONE)
        (position,) = manager.store.positions(opened(manager, HERE, QueueAccessType.PEEK_ACCESS, now).queue_reference or 0)
        target = manager.find_queue(parse_format_name(r"DIRECT=OS:.\private$\other"), QueueAccessType.PEEK_ACCESS)
        assert target is not None
        manager.move_message(position, target, ONE)

    create(host, "other", transactional=True)
    host.do(work)
    (row,) = transactions.list_transactions(host)
    assert (row.state, row.moved, row.since) == (TransactionState.OPEN, 1, None)
    assert row.queues == (LEDGER, r".\private$\other")


def test_what_is_in_doubt_stays_so_over_a_restart_and_what_is_open_does_not(path: Path) -> None:
    with own(path) as host:
        create(host, "ledger", transactional=True)
        doubt(host, ONE, HERE)
        begin(host, TWO, HERE)
        assert listed(host) == [(ONE, TransactionState.IN_DOUBT), (TWO, TransactionState.OPEN)]
    with own(path) as host:
        assert listed(host) == [(ONE, TransactionState.IN_DOUBT)]


def test_committed_it_is_as_if_the_coordinator_had_said_so(path: Path) -> None:
    with own(path) as host:
        create(host, "ledger", transactional=True)
        send(host, b"old", queue="ledger")
        doubt(host, ONE, HERE, received=True)
        assert bodies(host, "ledger") == []
    with own(path) as host:
        assert transactions.commit_transaction(host, str(ONE)).id == ONE
        assert (bodies(host, "ledger"), transactions.list_transactions(host)) == ([b"new"], [])


def test_aborted_everything_is_as_before(path: Path) -> None:
    with own(path) as host:
        create(host, "ledger", transactional=True)
        send(host, b"old", queue="ledger")
        doubt(host, ONE, HERE, received=True)
    with own(path) as host:
        assert transactions.abort_transaction(host, str(ONE)).id == ONE
        assert (bodies(host, "ledger"), transactions.list_transactions(host)) == ([b"old"], [])
        assert take(host, "ledger", transactional=True) == [b"old"]


@pytest.mark.parametrize("typed", [str(ONE), str(ONE).upper(), f"{{{ONE}}}", ONE.hex, "5e1fa5e0", " 5E1FA5E0-0c0d "])
def test_a_beginning_that_no_other_has_is_enough(host: Host, typed: str) -> None:
    doubt(host, ONE, HERE)
    doubt(host, TWO, HERE)
    assert transactions.show_doubted(host, typed).id == ONE
    transactions.commit_transaction(host, typed)
    assert listed(host) == [(TWO, TransactionState.IN_DOUBT)]


@pytest.mark.parametrize("journey", [transactions.show_doubted, transactions.commit_transaction, transactions.abort_transaction])
@pytest.mark.parametrize(
    ("typed", "status", "said"),
    [
        ("5e1fa5e2", HResult.STATUS_NOT_FOUND, "there is no transaction 5e1fa5e2"),
        ("", HResult.STATUS_NOT_FOUND, "there is no transaction"),
        ("colour", HResult.STATUS_NOT_FOUND, "there is no transaction colour"),
        ("5e1fa5", HResult.MQ_ERROR_INVALID_PARAMETER, "2 transactions begin with 5e1fa5"),
        (str(TWO), HResult.MQ_ERROR_TRANSACTION_SEQUENCE, "is open and not in doubt"),
    ],
)
def test_what_cannot_be_decided_stays(
    host: Host, journey: Callable[[Host, str], TransactionRow], typed: str, status: HResult, said: str
) -> None:
    doubt(host, ONE, HERE)
    begin(host, TWO, HERE)
    with pytest.raises(StatusError, match=said) as refused:
        journey(host, typed)
    assert refused.value.status is status
    assert listed(host) == [(ONE, TransactionState.IN_DOUBT), (TWO, TransactionState.OPEN)]


@pytest.mark.parametrize(("decision", "state"), [("prepared", TransactionState.PREPARED), ("commit", TransactionState.COMMITTING)])
def test_a_decided_one_is_not_in_doubt(host: Host, decision: str, state: TransactionState) -> None:
    begin(host, ONE, HERE)

    def decide(manager: QueueManager, now: datetime) -> None:
        (unit,) = manager.store.units()
        with manager.call():
            manager.store.decide_unit(unit.id, single_phase=True, decision=decision)

    host.do(decide)
    with pytest.raises(StatusError, match=f"is {state} and not in doubt") as refused:
        transactions.abort_transaction(host, str(ONE))
    assert refused.value.status is HResult.MQ_ERROR_TRANSACTION_SEQUENCE
    assert listed(host) == [(ONE, state)]
