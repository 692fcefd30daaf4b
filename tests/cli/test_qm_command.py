"""`msmqctl qm show` from the prompt."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import UUID

import pytest

from tests.cli.conftest import Run


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "store.db"
    monkeypatch.setenv("MSMQCTL_STORE", str(path))
    return path


def test_it_is_made_on_first_use_and_stays_who_it_is(run: Run, store: Path) -> None:
    assert not store.exists()
    answer = run("qm", "show", "-o", "json")
    assert (answer.code, answer.err) == (0, "")
    told = json.loads(answer.out)
    assert UUID(told["identifier"]).int != 0
    assert (told["state"], told["store"], told["queues"], told["messages"]) == ("Ready", str(store), 0, 0)
    assert json.loads(run("qm", "show", "-o", "json").out) == told


def test_it_counts_the_queues_that_somebody_made(run: Run) -> None:
    run("queue", "create", "orders")
    run("queue", "create", "orders;retry")
    assert run("qm", "show", "--columns", "queues,outgoing_queues", "-o", "csv").out == "queues,outgoing_queues\n1,0\n"


def test_for_people(run: Run) -> None:
    lines = [line.split() for line in run("qm", "show").out.splitlines()]
    assert [line[0] for line in lines[:5]] == ["computer", "qualified_name", "identifier", "state", "store"]
    assert ["quota_kb", "1048576"] in lines


def test_another_store_is_another_queue_manager(run: Run, tmp_path: Path) -> None:
    one = json.loads(run("qm", "show", "-o", "json").out)
    other = json.loads(run("qm", "show", "-o", "json", "--store", str(tmp_path / "other.db")).out)
    assert one["identifier"] != other["identifier"]


def test_a_wrong_command_line(run: Run) -> None:
    answer = run("qm", "show", "extra")
    assert (answer.code, answer.out) == (2, "")
    assert "unexpected extra argument" in answer.err
