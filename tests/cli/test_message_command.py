"""`msmqctl message` from the prompt: formats, exit codes, standard input line by line, and output that cannot be written."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from msmqctl.ops.serving import serve
from tests.cli.conftest import Answer, Run

Feed = Callable[[bytes], None]


@pytest.fixture(autouse=True, params=["alone", "served"])
def _own_store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Iterator[None]:
    """A store of the test's own, which each command opens itself, or which a server owns."""
    monkeypatch.setenv("MSMQCTL_STORE", str(tmp_path / "store.db"))
    with serve(tmp_path / "store.db") if request.param == "served" else nullcontext():
        assert run("queue", "create", "orders").code == 0
        assert run("queue", "create", "ledger", "--transactional").code == 0
        yield


@pytest.fixture
def feed(monkeypatch: pytest.MonkeyPatch) -> Feed:
    """Put octets on standard input."""
    return lambda octets: monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(octets)))


def send(run: Run, *words: str, queue: str = "orders") -> list[int]:
    """Send; the lookup identifiers."""
    answer = run("message", "send", queue, *words, "-o", "json")
    assert (answer.code, answer.err) == (0, "")
    return [stored["lookup_id"] for stored in json.loads(answer.out)]


def bodies(run: Run, queue: str = "orders") -> list[str]:
    answer = run("message", "peek", queue, "--count", "100", "-o", "ndjson")
    assert answer.code in (0, 4)
    return [json.loads(line)["body"] for line in answer.out.splitlines()]


def base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def refusal(answer: Answer) -> str:
    """What was said on standard error, nothing being on the other."""
    assert answer.out == ""
    return answer.err


# ---- sending


def test_a_person_sees_the_id(run: Run) -> None:
    answer = run("message", "send", "orders", "--body", "x", "--count", "2")
    assert (answer.code, answer.err) == (0, "")
    first, second = answer.out.splitlines()
    assert (first[36:], second[36:]) == ("\\1", "\\2")


def test_every_option_reaches_the_message(run: Run, tmp_path: Path) -> None:
    octets = tmp_path / "octets"
    octets.write_bytes(b"\x00\xff")
    correlation = "a0a1a2a3-b4b5-c6c7-d8d9-dadbdcdddedf\\2286"
    send(
        run, "--body", "hi", "--body-type", "vt_bstr", "--label", "L", "--priority", "6", "--recoverable", "--ttrq", "60", "--ttbr", "70",
        "--correlation", correlation, "--response-queue", "DIRECT=OS:a\\q", "--admin-queue", "DIRECT=OS:b\\q", "--app", "5",
        "--extension", f"@{octets}", "--journal", "--dead-letter", "--ack", "arrival,nack-receive",
    )  # fmt: skip
    (row,) = json.loads(run("message", "peek", "orders", "-o", "json").out)
    expected: dict[str, Any] = {
        "body": base64("h\0i\0"), "body_type": 8, "label": "L", "priority": 6, "recoverable": True, "ttrq": 60, "ttbr": 70,
        "correlation": correlation, "response_queue": "DIRECT=OS:a\\q", "admin_queue": "DIRECT=OS:b\\q", "app": 5, "extension": "AP8=",
        "journal": True, "dead_letter": True, "acknowledge": ["arrival", "arrival-failure", "receive-failure"],
    }  # fmt: skip
    assert {name: row[name] for name in expected} == expected


def test_bodies_from_a_file_and_from_standard_input(run: Run, tmp_path: Path, feed: Feed) -> None:
    file = tmp_path / "body"
    file.write_bytes(b"from a file\n")
    send(run, "--body", f"@{file}")
    feed(b"from a pipe\n")
    send(run, "--body", "-")
    assert bodies(run) == [base64("from a file\n"), base64("from a pipe\n")]


def test_lines_of_json(run: Run, feed: Feed) -> None:
    feed(b'{"label": "a", "body": "b25l"}\n\n{"body": "dHdv", "priority": 7, "id": "ignored"}')
    answer = run("message", "send", "orders", "-", "-o", "ndjson")
    assert (answer.code, answer.err) == (0, "")
    assert [list(json.loads(line)) for line in answer.out.splitlines()] == [["id", "lookup_id", "queue", "size", "outgoing"]] * 2
    assert bodies(run) == ["dHdv", "b25l"]


def test_rows_can_be_sent_as_they_were_printed(run: Run, feed: Feed) -> None:
    send(run, "--body", "x", "--label", "again", "--app", "3", "--ack", "full-receive", "--admin-queue", "acks", "--journal")
    feed(run("message", "receive", "orders", "-o", "ndjson").out.encode())
    assert run("message", "send", "orders", "-").code == 0
    (row,) = json.loads(run("message", "peek", "orders", "-o", "json").out)
    assert (row["label"], row["app"], row["body"]) == ("again", 3, base64("x"))
    assert (row["acknowledge"], row["journal"]) == (["receive", "arrival-failure", "receive-failure"], True)


def test_a_person_hears_that_a_message_waits_for_another_computer(run: Run) -> None:
    far = r"DIRECT=OS:far\private$\orders"
    answer = run("message", "send", r"far\private$\orders", "--body", "x", "--count", "2")
    assert (answer.code, len(answer.out.splitlines())) == (0, 2)
    assert answer.err == f"kept in the outgoing queue for {far} until it can be delivered; see `msmqctl outgoing show`.\n"
    (stored,) = json.loads(run("message", "send", far, "-o", "json").out)
    assert (stored["queue"], stored["outgoing"]) == (far, [far])


def test_several_queues_at_once(run: Run) -> None:
    assert run("queue", "create", "copies").code == 0
    (stored,) = json.loads(run("message", "send", "orders,copies", "--body", "x", "-o", "json").out)
    assert stored["lookup_id"] is None
    assert (bodies(run), bodies(run, "copies")) == ([base64("x")], [base64("x")])


def test_a_bad_line_stops_there(run: Run, feed: Feed) -> None:
    feed(b'{"body": "b25l"}\n{"body": \n{"body": "dHdv"}\n')
    answer = run("message", "send", "orders", "-")
    assert answer.code == 65
    assert "line 2 at offset" in answer.err
    assert len(answer.out.splitlines()) == 1, "what was stored before was answered"
    assert bodies(run) == ["b25l"]


def test_a_bad_line_in_a_transaction_sends_nothing(run: Run, feed: Feed) -> None:
    feed(b'{"body": "b25l"}\nno json\n')
    assert "line 2" in refusal(run("message", "send", "ledger", "-", "--transactional"))
    assert bodies(run, "ledger") == []


@pytest.mark.parametrize(
    "line", [b"\xff\n", b"[" * 100_000, b"7\n", b'{"label": "\\ud800"}\n'], ids=["octets", "deep", "number", "surrogate"]
)
def test_hostile_lines_are_refused_or_taken(run: Run, feed: Feed, line: bytes) -> None:
    feed(line)
    assert run("message", "send", "orders", "-").code in (0, 65)


def test_strict(run: Run, feed: Feed) -> None:
    feed(b'{"body": "b25l", "sender": "S-1-1-0"}\n')
    answer = run("message", "send", "orders", "-", "--strict")
    assert answer.code == 65
    assert "a sender may not set sender" in refusal(answer)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("send", "nowhere", "--body", "x"), 66, "no queue nowhere"),
        (("peek", "server17\\private$\\orders"), 2, "only local queues can be reached for now"),
        (("receive", "DIRECT=HTTP://shop/msmq/private$/orders"), 2, "only local queues can be reached for now"),
        (("peek", "orders,ledger"), 2, "only local queues can be reached for now, one at a time"),
        (("send", "orders,nowhere"), 66, "no queue orders,nowhere"),
        (("send", "PUBLIC=a0a1a2a3-b4b5-c6c7-d8d9-dadbdcdddedf"), 69, "there is no directory"),
        (("send", "orders", "--ack", "arrival"), 2, "need an administration queue"),
        (("send", "orders", "--ack", "soon", "--admin-queue", "acks"), 2, "'soon' is none of arrival, receive,"),
        (("send", "orders", "--transactional"), 76, "is not transactional"),
        (("send", "ledger"), 76, "is transactional"),
        (("send", "orders", "--label", "x" * 250), 65, "label is too long"),
        (("send", "orders", "--body", "@missing"), 66, "missing: cannot be read"),
        (("send", "orders", "--correlation", "x"), 65, "not of the form"),
        (("send", "orders", "--body-type", "colour"), 2, "'colour' is neither a number nor a type"),
        (("send", "orders", "--priority", "8"), 2, "8"),
        (("send", "orders", "--extension", "x"), 2, "takes the octets of a file"),
        (("send", "orders", "hello"), 2, "'hello' is no dash"),
        (("send", "orders", "-", "--label", "x"), 2, "bring their own fields"),
        (("send", "orders", "--strict"), 2, "--strict is about messages in JSON"),
        (("send", "ledger", "--transactional", "--priority", "5"), 2, "have no priority"),
        (("peek", "orders"), 4, "no message in .\\private$\\orders"),
        (("receive", "orders", "--timeout", "0.05"), 4, "no message in"),
        (("receive", "nowhere"), 66, "no queue nowhere"),
        (("receive", "ledger"), 76, "is transactional"),
        (("receive", "orders", "--transactional"), 76, "is not transactional"),
        (("show", "orders", "1"), 4, "no such message"),
        (("peek", "orders", "--next"), 2, "--next needs --lookup-id"),
        (("peek", "orders", "--first", "--lookup-id", "1"), 2, "--first goes without --lookup-id"),
        (("peek", "orders", "--first", "--last"), 2, "exclude each other"),
        (("peek", "orders", "--last", "--count", "2"), 2, "is one"),
        (("receive", "orders", "--body", "raw", "--count", "2"), 2, "--body prints one message"),
        (("delete", "orders", "1"), 2, "no terminal to ask on"),
        (("delete", "orders", "1", "--yes"), 4, "no message 1 to delete"),
        (("move", "orders", "nowhere", "1"), 66, "no queue nowhere"),
    ],
)
def test_refusals(run: Run, words: tuple[str, ...], code: int, said: str) -> None:
    answer = run("message", *words)
    assert answer.code == code, answer.err
    assert said in refusal(answer)


def test_a_misspelt_queue_is_guessed(run: Run) -> None:
    assert "did you mean .\\private$\\orders?" in refusal(run("message", "peek", ".\\private$\\oders"))


def test_too_much(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "body"
    file.write_bytes(bytes(4 * 1024 * 1024))
    answer = run("message", "send", "orders", "--body", f"@{file}")
    assert (answer.code, "4194304 are the most" in refusal(answer)) == (65, True)


def test_a_full_queue(run: Run) -> None:
    assert run("queue", "create", "small", "--quota", "1").code == 0
    answer = run("message", "send", "small", "--body", "x" * 2000)
    assert (answer.code, "leaves no room" in refusal(answer)) == (75, True)


# ---- reading


def test_people_see_bodies_as_text_and_nothing_a_terminal_obeys(run: Run) -> None:
    send(run, "--body", "red \x1b[2J ones", "--label", "o\x1b17")
    shown = run("message", "peek", "orders").out
    assert "red \\x1b[2J ones" in shown
    assert "\x1b" not in shown + run("message", "peek", "orders", "--body", "text").out


def test_csv_and_columns(run: Run) -> None:
    send(run, "--label", "a", "--count", "2")
    answer = run("message", "peek", "orders", "--count", "5", "--columns", "label,class,priority", "-o", "csv")
    assert list(csv.reader(answer.out.splitlines())) == [["label", "class", "priority"], ["a", "0", "3"], ["a", "0", "3"]]


@pytest.mark.parametrize("output", ["table", "json", "ndjson", "csv"])
def test_received_is_gone_in_every_format(run: Run, output: str) -> None:
    send(run, "--body", "x", "--count", "3")
    answer = run("message", "receive", "orders", "--count", "2", "-o", output)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out
    assert len(bodies(run)) == 1


@pytest.mark.parametrize(("form", "printed"), [("raw", "one\ntwo"), ("base64", "b25lCnR3bw==\n"), ("text", "one\ntwo\n")])
def test_the_body_alone(run: Run, form: str, printed: str) -> None:
    (lookup,) = send(run, "--body", "one\ntwo")
    assert run("message", "show", "orders", str(lookup), "--body", form).out == printed
    answer = run("message", "receive", "orders", "--body", form)
    assert (answer.code, answer.out, bodies(run)) == (0, printed, [])


def test_a_body_that_is_no_text_stays(run: Run, feed: Feed) -> None:
    feed(b"\xff\x00")
    send(run, "--body", "-")
    answer = run("message", "receive", "orders", "--body", "text")
    assert (answer.code, "it is no text" in refusal(answer)) == (65, True)
    assert bodies(run) == ["/wA="]


def test_by_place(run: Run) -> None:
    send(run, "--body", "a")
    (middle,) = send(run, "--body", "b")
    send(run, "--body", "c")
    at = ("--lookup-id", str(middle))
    for words, body in (((*at, "--next"), "c"), ((*at, "--previous"), "a"), (at, "b"), (("--first",), "a"), (("--last",), "c")):
        assert run("message", "peek", "orders", *words, "--body", "text").out == f"{body}\n"
    assert run("message", "receive", "orders", *at, "--body", "text").out == "b\n"
    assert bodies(run) == [base64("a"), base64("c")]


def test_show_has_every_field(run: Run) -> None:
    (lookup,) = send(run, "--transactional", queue="ledger")
    row = json.loads(run("message", "show", "ledger", str(lookup), "-o", "json").out)
    assert len(row) == 30
    assert {name: row["transaction"][name] for name in ("first", "last", "sequence", "number")} == {
        "first": True, "last": True, "sequence": None, "number": 0,
    }  # fmt: skip


@pytest.mark.parametrize("words", [(), ("-o", "json"), ("-o", "ndjson"), ("--body", "raw")])
@pytest.mark.parametrize(("queue", "more"), [("orders", ()), ("ledger", ("--transactional",))])
def test_what_cannot_be_printed_stays(run: Run, words: tuple[str, ...], queue: str, more: tuple[str, ...]) -> None:
    send(run, "--body", "x", *more, queue=queue)
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "msmqctl", "message", "receive", queue, *words, *more]
        # With a buffer the fault shows at the flush only, and that has to come before the deletion.
        buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=buffered)
    assert done.returncode == 74, done.stderr
    assert bodies(run, queue) == [base64("x")]


# ---- one by one


def test_delete_and_move(run: Run) -> None:
    first, second = (str(lookup) for lookup in send(run, "--body", "x", "--count", "2"))
    assert run("message", "delete", "orders", first, "--dry-run").out == f"would delete message {first} from orders\n"
    assert len(bodies(run)) == 2
    assert run("message", "delete", "orders", first, "--yes").err == f"message {first} deleted.\n"
    assert run("message", "move", "orders", "orders;retry", second).err == f"message {second} moved to .\\private$\\orders;retry.\n"
    assert (bodies(run), bodies(run, "orders;retry")) == ([], [base64("x")])


@pytest.mark.parametrize("words", [("send", "orders", "--body", "y"), ("receive", "orders"), ("move", "orders", "orders;a", "1")])
def test_a_dry_run_changes_nothing(run: Run, words: tuple[str, ...]) -> None:
    send(run, "--body", "x")
    answer = run("message", *words, "--dry-run")
    assert (answer.code, answer.out.startswith("would ")) == (0, True)
    assert bodies(run) == [base64("x")]
