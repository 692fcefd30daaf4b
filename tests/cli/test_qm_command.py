"""`msmqctl qm` from the prompt."""

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
    assert [line[0] for line in lines[:5]] == ["computer", "qualified_name", "identifier", "state", "connected"]
    assert ["quota_kb", "1048576"] in lines


def test_another_store_is_another_queue_manager(run: Run, tmp_path: Path) -> None:
    one = json.loads(run("qm", "show", "-o", "json").out)
    other = json.loads(run("qm", "show", "-o", "json", "--store", str(tmp_path / "other.db")).out)
    assert one["identifier"] != other["identifier"]


def test_a_wrong_command_line(run: Run) -> None:
    answer = run("qm", "show", "extra")
    assert (answer.code, answer.out) == (2, "")
    assert "unexpected extra argument" in answer.err


# ---- changing it


def shown(run: Run, *columns: str) -> list[str]:
    """Some columns of `qm show`."""
    return run("qm", "show", "--columns", ",".join(columns), "-o", "csv").out.splitlines()[1].split(",")


def test_quotas(run: Run) -> None:
    answer = run("qm", "set", "--quota", "100", "--journal-quota", "50")
    assert (answer.code, answer.out, answer.err) == (0, "", "quota and journal quota of the queue manager changed.\n")
    assert shown(run, "quota_kb", "journal_quota_kb") == ["100", "50"]
    told = json.loads(run("qm", "set", "--quota", "None", "-o", "json").out)
    assert (told["quota_kb"], told["journal_quota_kb"]) == (None, 50)


def test_a_rehearsed_quota_is_not_kept(run: Run) -> None:
    before = shown(run, "quota_kb")
    assert run("qm", "set", "--quota", "1", "--dry-run").out == "would set quota of the queue manager\n"
    assert shown(run, "quota_kb") == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "nothing is to be changed"),
        (("--quota", "much"), "a quota is a number of KB, or none, and not 'much'"),
        (("--quota", "-1"), "a quota is a number of KB"),
        (("--quota", "4294967296"), "quota: 4294967296 is not between 0 and 4294967294 KB"),
        (("--journal-quota", "9" * 200), "is not between 0 and 4294967294 KB"),
        (("--colour", "red"), "No such option"),
    ],
)
def test_wrong_settings(run: Run, words: tuple[str, ...], said: str) -> None:
    answer = run("qm", "set", *words)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert shown(run, "quota_kb") == ["1048576"]


def test_the_quota_of_the_queue_manager_is_full(run: Run) -> None:
    run("queue", "create", "orders")
    run("qm", "set", "--quota", "1")
    answer = run("message", "send", "orders", "--body", "x" * 2000)
    assert (answer.code, answer.out) == (75, "")
    assert "the quota of this queue manager leaves no room" in answer.err


def test_flush(run: Run, store: Path) -> None:
    answer = run("qm", "flush")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err.startswith("all is on the disk: ")
    told = json.loads(run("qm", "flush", "-o", "json").out)
    assert (list(told), told["store"]) == (["store", "bytes"], str(store))


def test_offline_and_online(run: Run) -> None:
    assert shown(run, "connected") == ["true"]
    assert run("qm", "disconnect", "--dry-run").out == "would take the queue manager offline\n"
    assert shown(run, "connected") == ["true"]
    assert run("qm", "disconnect").err == "the queue manager is offline.\n"
    assert shown(run, "connected") == ["false"]
    assert run("qm", "connect", "--dry-run").out == "would bring the queue manager online\n"
    assert shown(run, "connected") == ["false"]
    assert json.loads(run("qm", "connect", "-o", "json").out)["connected"] is True
    assert shown(run, "connected") == ["true"]
