"""`msmqctl queue` from the prompt: each verb in each format, questions and dry runs, and every refusal with the state as before."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import sys
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from msmqctl.cli.render import escape
from msmqctl.ops.owning import own
from tests.cli.conftest import Run
from tests.ops.test_queues import put

ORDERS = r".\private$\orders"


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of the test's own, which is not there yet."""
    path = tmp_path / "folder" / "store.db"
    monkeypatch.setenv("MSMQCTL_STORE", str(path))
    return path


def send(store: Path, name: str, count: int) -> None:
    with own(store) as host:
        put(host, name, count)


def shown(run: Run, name: str) -> dict[str, object]:
    told: dict[str, object] = json.loads(run("queue", "show", name, "-o", "json").out)
    return told


def everything(run: Run) -> str:
    return run("queue", "list", "--system", "-o", "json").out


# --- list and show ---


def test_an_empty_list(run: Run) -> None:
    answer = run("queue", "list")
    assert (answer.code, answer.out, answer.err) == (0, "", "nothing there.\n")
    assert run("queue", "list", "-o", "json").out == "[]\n"


def test_the_list_for_people(run: Run, store: Path) -> None:
    run("queue", "create", "orders", "--label", "Orders", "--quota", "64", "--transactional")
    run("queue", "create", "audit")
    send(store, "orders", 3)
    answer = run("queue", "list")
    assert (answer.code, answer.err) == (0, "")
    header, audit, orders = (line.split() for line in answer.out.splitlines())
    assert header == ["name", "messages", "bytes", "journal_messages", "transactional", "quota_kb", "label"]
    assert audit == [r".\private$\audit", "0", "0", "0", "no"]
    assert orders == [ORDERS, "3", "300", "0", "yes", "64", "Orders"]


def test_the_list_for_programs(run: Run) -> None:
    run("queue", "create", "orders", "--multicast", "239.1.2.3:8001", "--privacy", "none", "--priority", "-3")
    (row,) = json.loads(run("queue", "list", "-o", "json").out)
    assert row == {
        "name": ORDERS,
        "kind": "private",
        "messages": 0,
        "bytes": 0,
        "journal_messages": 0,
        "journal_bytes": 0,
        "label": "",
        "transactional": False,
        "journal": False,
        "type": "00000000-0000-0000-0000-000000000000",
        "quota_kb": None,
        "journal_quota_kb": None,
        "authenticate": False,
        "privacy": "none",
        "multicast": "239.1.2.3:8001",
        "priority": -3,
    }
    assert json.loads(run("queue", "list", "-o", "ndjson").out) == row
    (in_csv,) = csv.DictReader(StringIO(run("queue", "list", "-o", "csv").out))
    assert (in_csv["name"], in_csv["quota_kb"], in_csv["transactional"]) == (ORDERS, "", "false")
    assert len(json.loads(everything(run))) == 6


def test_show(run: Run, store: Path) -> None:
    run("queue", "create", "orders")
    run("queue", "create", "orders;retry")
    send(store, "orders;retry", 1)
    told = shown(run, "ORDERS")
    assert told["subqueues"] == [{"name": rf"{ORDERS};retry", "messages": 1, "bytes": 100}]
    assert told["format_names"][1] == rf"DIRECT=OS:{ORDERS}"  # type: ignore[index]  # JSON has no types
    assert str(told["created"]).endswith("Z")
    lines = run("queue", "show", "orders").out.splitlines()
    assert lines[0].split() == ["name", ORDERS]
    assert "format_names" in lines
    assert run("queue", "show", "orders", "--columns", "name,messages", "-o", "csv").out == f"name,messages\n{ORDERS},0\n"


def test_a_label_cannot_play_with_the_terminal(run: Run) -> None:
    run("queue", "create", "orders", "--label", "a\x1b[2Jb")
    for words in (("list",), ("show", "orders"), ("list", "-o", "csv")):
        out = run("queue", *words).out
        assert "\x1b" not in out
        assert r"a\x1b[2Jb" in out


# --- create and set ---


def test_create_says_so_beside_the_data(run: Run) -> None:
    answer = run("queue", "create", "orders")
    assert (answer.code, answer.out, answer.err) == (0, "", f"queue {ORDERS} created.\n")
    quiet = run("queue", "create", "other", "-q")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")


def test_create_tells_programs_what_was_made(run: Run) -> None:
    service = "5e1fa5e0-0c0d-4e5e-9a9b-0123456789ab"
    words = ("--journal", "--journal-quota", "5", "--quota", "NONE", "--authenticate", "--privacy", "body", "--type", service)
    answer = run("queue", "create", "orders", "-o", "json", *words)
    assert (answer.code, answer.err) == (0, "")
    told = json.loads(answer.out)
    assert told == shown(run, "orders")
    assert (told["journal"], told["journal_quota_kb"], told["quota_kb"], told["authenticate"]) == (True, 5, None, True)
    assert (told["privacy"], told["type"]) == ("body", service)


def test_set(run: Run) -> None:
    run("queue", "create", "orders", "--journal", "--quota", "7", "--multicast", "239.1.2.3:8001", "--authenticate")
    answer = run("queue", "set", "orders", "--label", "new", "--no-journal", "--quota", "none", "--multicast", "none")
    assert (answer.code, answer.out, answer.err) == (0, "", f"queue {ORDERS} changed.\n")
    told = shown(run, "orders")
    assert (told["label"], told["journal"], told["quota_kb"], told["multicast"], told["authenticate"]) == ("new", False, None, None, True)
    assert json.loads(run("queue", "set", "orders", "--no-authenticate", "-o", "json").out)["authenticate"] is False


# --- delete and purge ---


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_without_a_terminal_nothing_is_destroyed(run: Run, store: Path) -> None:
    run("queue", "create", "orders")
    send(store, "orders", 2)
    before = everything(run)
    for verb, asked in (
        ("delete", f"Delete the queue {ORDERS} with 2 messages?"),
        ("purge", f"Delete 2 messages from the queue {ORDERS}?"),
    ):
        answer = run("queue", verb, "orders")
        assert (answer.code, answer.out) == (2, "")
        assert asked in answer.err
        assert "--yes" in answer.err
    assert everything(run) == before


@pytest.mark.parametrize("verb", ["delete", "purge"])
@pytest.mark.parametrize(("reply", "code", "left"), [("n\n", 130, 2), ("y\n", 0, 0)])
def test_on_a_terminal_it_asks(run: Run, store: Path, monkeypatch: pytest.MonkeyPatch, verb: str, reply: str, code: int, left: int) -> None:
    run("queue", "create", "orders")
    send(store, "orders", 2)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", Terminal(reply))
        patch.setattr(sys, "stderr", Terminal())
        assert run("queue", verb, "orders").code == code
    assert sum(row["messages"] for row in json.loads(everything(run))) == left


def test_delete(run: Run, store: Path) -> None:
    run("queue", "create", "orders")
    send(store, "orders", 2)
    answer = run("queue", "delete", "orders", "--yes")
    assert (answer.code, answer.out, answer.err) == (0, "", f"queue {ORDERS} deleted with 2 messages.\n")
    assert run("queue", "list", "-o", "json").out == "[]\n"
    run("queue", "create", "orders")
    assert json.loads(run("queue", "delete", "orders", "--yes", "-o", "json").out) == {"name": ORDERS, "messages": 0}


def test_purge(run: Run, store: Path) -> None:
    run("queue", "create", "orders")
    send(store, "orders", 1)
    answer = run("queue", "purge", "orders", "--yes")
    assert (answer.code, answer.out, answer.err) == (0, "", f"1 message deleted from the queue {ORDERS}.\n")
    assert shown(run, "orders")["messages"] == 0
    send(store, r".\deadletter$", 3)
    told = json.loads(run("queue", "purge", r".\deadletter$", "--yes", "-o", "json").out)
    assert told == {"name": r".\SYSTEM$;DEADLETTER", "messages": 3}


# --- dry runs ---


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("create", "new", "--quota", "5"), r"create the queue .\private$\new"),
        (("set", "orders", "--label", "x", "--no-journal"), f"set label, journal of the queue {ORDERS}"),
        (("delete", "orders"), f"delete the queue {ORDERS} with 2 messages"),
        (("purge", "orders"), f"delete 2 messages from the queue {ORDERS}"),
    ],
)
def test_a_dry_run_says_and_does_nothing(run: Run, store: Path, words: tuple[str, ...], said: str) -> None:
    run("queue", "create", "orders", "--journal")
    send(store, "orders", 2)
    before = everything(run)
    answer = run("queue", *words, "--dry-run")
    assert (answer.code, answer.out, answer.err) == (0, f"would {said}\n", "")
    assert json.loads(run("queue", *words, "--dry-run", "-o", "json").out) == {"would": said}
    assert everything(run) == before


def test_a_dry_run_refuses_what_would_be_refused(run: Run) -> None:
    run("queue", "create", "orders")
    assert run("queue", "create", "orders", "--dry-run").code == 73
    assert run("queue", "set", "missing", "--label", "x", "--dry-run").code == 66
    assert run("queue", "delete", r".\deadletter$", "--dry-run").code == 76


def test_a_dry_run_makes_no_store(run: Run, store: Path) -> None:
    assert run("queue", "create", "orders", "--dry-run").code == 0
    assert run("queue", "delete", "orders", "--dry-run").code == 66
    assert not store.parent.exists()
    assert not Path(":memory:").exists()


# --- refusals ---

LONG = "9" * 5000


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("show", "missing"), 66, r"there is no queue .\private$\missing here"),
        (("show", "ordes"), 66, f"did you mean {ORDERS}?"),
        (("set", "missing", "--label", "x"), 66, "msmqctl queue create"),
        (("delete", "missing", "--yes"), 66, "there is no queue"),
        (("purge", "missing", "--yes"), 66, "there is no queue"),
        (("create", "orders"), 73, f"there is a queue {ORDERS} already"),
        (("create", ""), 2, "it is empty"),
        (("create", "a/b"), 2, "a slash does not separate"),
        (("create", "orders;journal"), 2, "cannot be the name of a new queue"),
        (("create", r"server17\private$\x"), 2, "only local queues can be managed for now"),
        (("show", r"DIRECT=OS:server17\private$\x"), 2, "only local queues can be managed for now"),
        (("create", r".\public"), 69, "there is no directory"),
        (("delete", r".\deadletter$", "--yes"), 76, "kept by the queue manager itself"),
        (("set", "orders"), 2, "nothing is to be changed"),
        (("set", "orders", "--transactional"), 2, "No such option"),
        (("set", "orders", "--quota", "-5"), 2, "a quota is a number of KB, or none, and not '-5'"),
        (("set", "orders", "--quota", "4294967295"), 2, "is not between 0 and 4294967294"),
        (("set", "orders", "--quota", LONG), 2, "is not between 0 and 4294967294"),
        (("set", "orders", "--quota", "٣"), 2, "a quota is a number of KB"),
        (("set", "orders", "--multicast", "10.0.0.1:80"), 2, "it is not between 224.0.0.0"),
        (("set", "orders", "--multicast", "239.1.2.3:1,MULTICAST=239.1.2.3:2"), 2, "more than one address"),
        (("set", "orders", "--type", "7"), 2, "'7' is not a GUID"),
        (("set", "orders", "--privacy", "all"), 2, "--privacy"),
        (("set", "orders", "--priority", "40000"), 2, "is not between -32768 and 32767"),
        (("set", "orders", "--label", "x" * 125), 2, "it has 125 characters, 124 is the limit"),
        (("create", "x", "--transactional", "--multicast", "239.1.2.3:1"), 2, "cannot be transactional and listen"),
    ],
)
def test_refusals_leave_everything_as_it_was(run: Run, words: tuple[str, ...], code: int, said: str) -> None:
    run("queue", "create", "orders")
    before = everything(run)
    answer = run("queue", *words)
    assert (answer.code, answer.out) == (code, "")
    assert said in answer.err
    assert "hint: " in answer.err
    assert everything(run) == before


def test_a_refusal_for_programs(run: Run) -> None:
    told = json.loads(run("queue", "show", "missing", "-o", "json").err)["error"]
    assert (told["kind"], told["exit_code"], told["status"], told["operation"]) == ("StatusError", 66, "0xC00E0003", "show queue")


def test_a_file_of_another_kind_is_left_alone(run: Run, tmp_path: Path) -> None:
    text, database = tmp_path / "notes.txt", tmp_path / "other.db"
    text.write_bytes(b"not a store at all" * 100)
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    for path in (text, database):
        before = path.read_bytes()
        for words in (("queue", "list"), ("queue", "create", "x"), ("queue", "create", "x", "--dry-run"), ("qm", "show")):
            answer = run(*words, "--store", str(path))
            assert (answer.code, answer.out) == (74, "")
            assert "is not a store of msmqctl" in answer.err
        assert path.read_bytes() == before


def test_a_store_that_somebody_owns(run: Run, store: Path) -> None:
    with own(store):
        answer = run("queue", "list")
    assert answer.code == 74
    assert "another process owns the store" in answer.err


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["", ".\\private$\\", "DIRECT=OS:.\\", "PRIVATE=", "localhost\\"]), st.text(max_size=30))
def test_any_name_is_created_and_deleted_or_refused(run: Run, lead: str, text: str) -> None:
    name = lead + text
    made = run("queue", "create", "--", name)
    assert made.code in (0, 2, 66, 69, 73), made.err
    assert all(escape(line) == line for line in made.err.split("\n"))
    if made.code == 0:
        assert run("queue", "delete", "--yes", "--", name).code == 0
