"""`msmqctl transaction` from the prompt, on a store that a coordinator left in doubt."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import UUID

import pytest

from msmqctl.ops.owning import own
from tests.cli.conftest import Run
from tests.ops.desk import create, doubt, send

UNIT = UUID("5e1fa5e0-0c0d-4e5e-9a9b-0123456789ab")
OTHER = UUID("5e1fa5e1-0c0d-4e5e-9a9b-0123456789ab")
LEDGER = r"DIRECT=OS:.\private$\ledger"


@pytest.fixture(autouse=True)
def _in_doubt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "store.db"
    monkeypatch.setenv("MSMQCTL_STORE", str(path))
    with own(path) as host:
        create(host, "ledger", transactional=True)
        send(host, b"old", queue="ledger")
        doubt(host, UNIT, LEDGER, received=True)
        doubt(host, OTHER, LEDGER)


def bodies(run: Run) -> list[str]:
    answer = run("message", "peek", "ledger", "--count", "9", "--columns", "body", "-o", "ndjson")
    return [json.loads(line)["body"] for line in answer.out.splitlines()]


def ids(run: Run) -> list[str]:
    return [row["id"] for row in json.loads(run("transaction", "list", "-o", "json").out)]


def test_the_list(run: Run) -> None:
    row, other = json.loads(run("transaction", "list", "-o", "json").out)
    assert list(row) == ["id", "state", "operations", "sent", "received", "moved", "queues", "since"]
    assert (row["id"], row["state"], row["operations"], row["queues"]) == (str(UNIT), "in-doubt", 2, [r".\private$\ledger"])
    assert (other["id"], other["operations"]) == (str(OTHER), 1)
    assert bodies(run) == [], "what is in doubt is held"


def test_commit(run: Run) -> None:
    answer = run("transaction", "commit", "5e1fa5e0", "--yes")
    assert (answer.code, answer.err) == (0, f"transaction {UNIT} committed.\n")
    assert (bodies(run), ids(run)) == (["bmV3"], [str(OTHER)])


def test_abort(run: Run) -> None:
    answer = run("transaction", "abort", str(UNIT), "--yes", "-o", "json")
    assert (answer.code, json.loads(answer.out)["id"]) == (0, str(UNIT))
    assert (bodies(run), ids(run)) == (["b2xk"], [str(OTHER)])


@pytest.mark.parametrize("verb", ["commit", "abort"])
def test_it_asks_first(run: Run, verb: str) -> None:
    refused = run("transaction", verb, str(UNIT))
    assert (refused.code, refused.out) == (2, "")
    assert f"{verb.capitalize()} the transaction {UNIT} with 2 operations? There is no terminal to ask on." in refused.err
    assert run("transaction", verb, str(OTHER), "--dry-run").out == f"would {verb} the transaction {OTHER} with 1 operation\n"
    assert ids(run) == [str(UNIT), str(OTHER)]


@pytest.mark.parametrize("verb", ["commit", "abort"])
@pytest.mark.parametrize(("typed", "code", "said"), [("77", 66, "there is no transaction 77 here"), ("5e1fa5", 2, "2 transactions begin")])
def test_a_wrong_id(run: Run, verb: str, typed: str, code: int, said: str) -> None:
    answer = run("transaction", verb, typed, "--yes")
    assert (answer.code, answer.out) == (code, "")
    assert said in answer.err
    assert ids(run) == [str(UNIT), str(OTHER)]


def test_a_decided_one_cannot_be_decided_again(run: Run) -> None:
    assert run("transaction", "commit", str(UNIT), "--yes").code == 0
    assert run("transaction", "abort", str(UNIT), "--yes").code == 66
