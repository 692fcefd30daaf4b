"""`msmqctl outgoing` from the prompt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

FAR = r"DIRECT=OS:far\private$\orders"


@pytest.fixture(autouse=True)
def _one_message_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv("MSMQCTL_STORE", str(tmp_path / "store.db"))
    assert run("message", "send", FAR, "--body", "x", "--label", "hello", "--dead-letter").code == 0


def test_the_list(run: Run) -> None:
    (row,) = json.loads(run("outgoing", "list", "-o", "json").out)
    assert list(row) == [
        "destination", "state", "messages", "bytes", "unsent", "unacknowledged", "unprocessed", "oldest", "next_hops",
    ]  # fmt: skip
    assert (row["destination"], row["state"], row["messages"], row["unsent"]) == (FAR, "INACTIVE", 1, 1)
    assert run("outgoing", "list", "--columns", "destination,unsent", "-o", "csv").out == f"destination,unsent\n{FAR},1\n"


def test_people_see_the_queue_and_its_messages(run: Run) -> None:
    answer = run("outgoing", "show", FAR)
    assert (answer.code, answer.err) == (0, "")
    queue, _, waiting = answer.out.partition("\n\n")
    assert ["state", "INACTIVE"] in [line.split() for line in queue.splitlines()]
    assert "hello" in waiting


def test_people_hear_that_there_are_more(run: Run) -> None:
    run("message", "send", FAR, "--count", "24")
    answer = run("outgoing", "show", FAR)
    assert len(answer.out.partition("\n\n")[2].splitlines()) == 21
    assert answer.err == "5 more; give --messages 25 to see them all.\n"


def test_programs_get_the_queue_or_the_messages(run: Run) -> None:
    assert json.loads(run("outgoing", "show", FAR, "-o", "json").out)["messages"] == 1
    (row,) = json.loads(run("outgoing", "show", FAR, "--messages", "9", "-o", "json").out)
    assert (row["label"], row["queue"], row["destination_queue"], row["dead_letter"]) == ("hello", FAR, FAR, True)


def test_a_hold_stays_between_prompts(run: Run) -> None:
    assert run("outgoing", "pause", FAR).err == f"the outgoing queue for {FAR} is on hold.\n"
    assert json.loads(run("outgoing", "list", "-o", "json").out)[0]["state"] == "ONHOLD"
    assert run("outgoing", "resume", FAR).err == f"the outgoing queue for {FAR} goes on.\n"
    assert json.loads(run("outgoing", "show", FAR, "-o", "json").out)["state"] == "INACTIVE"


def test_a_purge_asks_and_tells(run: Run) -> None:
    refused = run("outgoing", "purge", FAR)
    assert (refused.code, refused.out) == (2, "")
    assert f"Delete 1 message from the outgoing queue for {FAR}? There is no terminal to ask on." in refused.err
    assert run("outgoing", "purge", FAR, "--dry-run").out == f"would delete 1 message from the outgoing queue for {FAR}\n"
    assert json.loads(run("outgoing", "list", "-o", "json").out)[0]["messages"] == 1
    assert run("outgoing", "purge", FAR, "--yes").err == f"1 message deleted from the outgoing queue for {FAR}.\n"
    assert json.loads(run("message", "peek", r".\system$;deadletter", "-o", "json").out)[0]["label"] == "hello"
    assert json.loads(run("outgoing", "purge", FAR, "--yes", "-o", "json").out) == {"destination": FAR, "messages": 0}


@pytest.mark.parametrize(("verb", "deed"), [("pause", "pause the outgoing queue for"), ("resume", "resume the outgoing queue for")])
def test_a_dry_run_changes_nothing(run: Run, verb: str, deed: str) -> None:
    run("outgoing", "pause" if verb == "resume" else "resume", FAR)
    before = run("outgoing", "list", "-o", "json").out
    assert run("outgoing", verb, FAR, "--dry-run").out == f"would {deed} {FAR}\n"
    assert run("outgoing", "list", "-o", "json").out == before


@pytest.mark.parametrize("verb", ["show", "pause", "resume", "purge"])
@pytest.mark.parametrize(
    ("name", "code", "said"),
    [(r"other\private$\q", 66, r"there is no outgoing queue for other\private$\q here"), ("no=name", 2, "no=name")],
)
def test_a_wrong_destination(run: Run, verb: str, name: str, code: int, said: str) -> None:
    answer = run("outgoing", verb, name)
    assert (answer.code, answer.out) == (code, "")
    assert said in answer.err
