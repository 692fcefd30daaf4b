"""`msmqctl serve` in a process of its own: ready, asked, stopped, killed, started twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.serving import serving


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "store.db"
    monkeypatch.setenv("MSMQCTL_STORE", str(path))
    return path


def files(store: Path) -> set[str]:
    return {path.name for path in store.parent.iterdir() if path.is_file()}


def test_it_says_that_it_is_ready_for_programs_too(store: Path) -> None:
    command = [sys.executable, "-m", "msmqctl", "serve", "-o", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        said = "".join(iter(server.stdout.readline, "}\n")) + "}"
        assert json.loads(said)["store"] == str(store)
        server.send_signal(signal.SIGINT)
        assert server.wait(30) == 0, "Ctrl-C is how a server in a terminal is stopped"
    assert files(store) == {"store.db"}


def test_a_clean_stop_leaves_one_file_and_everything_in_it(run: Run, store: Path) -> None:
    with serving(store):
        assert run("queue", "create", "orders").code == 0
        assert run("message", "send", "orders", "--body", "hi").code == 0
        assert "store.db.link" in files(store)
    assert files(store) == {"store.db"}
    assert run("message", "receive", "orders", "--body", "text").out == "hi\n"


def test_a_killed_server_leaves_what_it_answered_and_is_not_missed(run: Run, store: Path) -> None:
    with serving(store) as server:
        run("queue", "create", "orders")
        assert run("message", "send", "orders", "--body", "x", "--recoverable", "--count", "5").code == 0
        os.kill(server.pid, signal.SIGKILL)
        server.wait(30)
    assert "store.db.link" in files(store)
    answer = run("message", "receive", "orders", "--count", "9", "--columns", "body", "-o", "ndjson")
    assert len(answer.out.splitlines()) == 5
    with serving(store):
        assert run("queue", "list").code == 0


def test_a_second_server_is_refused(run: Run, store: Path) -> None:
    with serving(store):
        answer = run("serve")
        assert (answer.code, answer.out) == (74, "")
        assert answer.err.startswith(f"error: {store}: another process owns the store.\n")
        assert run("queue", "list").code == 0, "the first one is still found"


def test_a_store_that_is_not_ours_is_left_alone(run: Run, store: Path) -> None:
    store.write_bytes(b"something else" * 50)
    before = store.read_bytes()
    answer = run("serve")
    assert (answer.code, answer.out) == (74, "")
    assert "is not a store of msmqctl" in answer.err
    assert store.read_bytes() == before


def test_a_waiting_reader_is_woken_by_another_process(run: Run, store: Path) -> None:
    with serving(store):
        run("queue", "create", "orders")
        command = [sys.executable, "-m", "msmqctl", "message", "receive", "orders", "--timeout", "60", "--body", "text"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as reader:
            assert run("message", "send", "orders", "--body", "wake up").code == 0
            out, _ = reader.communicate(timeout=60)
    assert (reader.returncode, out) == (0, "wake up\n")


def test_a_stop_tells_a_waiting_reader(run: Run, store: Path) -> None:
    with serving(store):
        run("queue", "create", "orders")
        run("message", "send", "orders", "--body", "first")
        command = [sys.executable, "-m", "msmqctl", "message", "receive", "orders", "--timeout", "60", "--count", "2", "-o", "ndjson"]
        reader = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert reader.stdout is not None
        assert json.loads(reader.stdout.readline())["body"] == "Zmlyc3Q="
    _, err = reader.communicate(timeout=60)
    assert reader.returncode == 69, err
    assert json.loads(err)["error"]["message"]
