"""A shop and its warehouse: orders go in at one prompt and come out at others, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.serving import serving


@pytest.fixture(autouse=True, params=["alone", "served"])
def _own_store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A store of the test's own, which each command opens itself, or which a server owns."""
    monkeypatch.setenv("MSMQCTL_STORE", str(tmp_path / "store.db"))
    with serving(tmp_path / "store.db") if request.param == "served" else nullcontext():
        yield


def msmqctl(*words: str, typed: str = "", code: int = 0) -> str:
    """Run the program to its end; what it printed."""
    command = [sys.executable, "-m", "msmqctl", *words]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def test_orders_are_sent_seen_sorted_out_and_received() -> None:
    msmqctl("queue", "create", "orders")
    lines = "".join(json.dumps({"label": f"order {n}", "body": "eA==", "priority": p}) + "\n" for n, p in ((1, 3), (2, 3), (3, 7)))
    assert len(msmqctl("message", "send", "orders", "-", typed=lines).splitlines()) == 3

    rows = [json.loads(line) for line in msmqctl("message", "peek", "orders", "--count", "9", "-o", "ndjson").splitlines()]
    assert [row["label"] for row in rows] == ["order 3", "order 1", "order 2"]

    msmqctl("message", "move", "orders", "orders;poison", str(rows[1]["lookup_id"]))
    assert msmqctl("message", "receive", "orders", "--columns", "label", "-o", "csv") == "label\norder 3\n"
    assert msmqctl("message", "receive", "orders", "--columns", "label", "-o", "csv") == "label\norder 2\n"
    msmqctl("message", "receive", "orders", code=4)
    assert msmqctl("message", "receive", "orders;poison", "--body", "raw") == "x"


def test_a_sender_hears_of_each_line_before_it_sends_the_next() -> None:
    msmqctl("queue", "create", "orders")
    command = [sys.executable, "-m", "msmqctl", "message", "send", "orders", "-", "-o", "ndjson"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as sender:
        assert sender.stdin is not None
        assert sender.stdout is not None
        for number in (1, 2, 3):
            sender.stdin.write('{"label": "one at a time"}\n')
            sender.stdin.flush()
            assert json.loads(sender.stdout.readline())["id"].endswith(f"\\{number}")
        sender.stdin.close()
    assert sender.returncode == 0


def test_a_receiver_that_is_killed_before_it_printed_everything_loses_nothing() -> None:
    msmqctl("queue", "create", "ledger", "--transactional")
    msmqctl("message", "send", "ledger", "--body", "x", "--count", "3", "--transactional")
    # Four are wanted and three are there: after printing three the receiver waits, its transaction open.
    command = [sys.executable, "-m", "msmqctl", "message", "receive", "ledger", "--count", "4", "--timeout", "60", "--transactional"]
    with subprocess.Popen([*command, "-o", "ndjson"], stdout=subprocess.PIPE, text=True) as receiver:
        assert receiver.stdout is not None
        for _ in range(3):
            assert json.loads(receiver.stdout.readline())["body"] == "eA=="
        receiver.kill()
    assert len(msmqctl("message", "receive", "ledger", "--count", "9", "--transactional", "-o", "ndjson").splitlines()) == 3
    msmqctl("message", "peek", "ledger", code=4)
