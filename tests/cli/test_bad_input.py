"""What bad input and a bad disk get: one sentence, the exit code of the table, and a store that is as it was before."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from msmqctl.wire.values import MAX_PACKET_SIZE
from tests.cli.conftest import Run

# The program, in a process whose files may not grow beyond a size: its disk is full for all that it can tell.
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
from msmqctl.cli.app import run
sys.exit(run(sys.argv[2:]))
"""
# More than the log of a prompt that does little, and less than a message of half a megabyte.
SMALL_DISK = 150_000
BIG = 500_000


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    path = tmp_path / "store.db"
    monkeypatch.setenv("MSMQCTL_STORE", str(path))
    for words in (
        ("orders",),
        ("ledger", "--transactional"),
        ("small", "--quota", "1"),
        ("signed", "--authenticate"),
        ("sealed", "--privacy", "body"),
    ):
        assert run("queue", "create", *words).code == 0
    assert run("message", "send", "orders", "--body", "x", "--recoverable").code == 0
    assert run("message", "send", "ledger", "--body", "x", "--transactional").code == 0
    return path


def everything(run: Run) -> list[object]:
    """All that a user can see of the store."""
    seen = (
        ("queue", "list", "--system"),
        ("outgoing", "list"),
        ("transaction", "list"),
        ("qm", "show"),
        ("message", "peek", "orders", "--count", "9"),
        ("message", "peek", "ledger", "--count", "9"),
    )
    return [json.loads(run(*words, "-o", "json").out) for words in seen]


@pytest.fixture
def big(tmp_path: Path) -> str:
    """The largest file whose octets alone are a packet, to be named as a body."""
    file = tmp_path / "big"
    file.write_bytes(bytes(MAX_PACKET_SIZE))
    return f"@{file}"


@pytest.mark.parametrize(
    ("code", "words", "said"),
    [
        (66, ("message", "send", "nowhere"), "there is no queue nowhere here"),
        (66, ("message", "receive", "nowhere"), "there is no queue nowhere here"),
        (66, ("queue", "delete", "nowhere", "--yes"), "there is no queue"),
        (66, ("queue", "purge", "nowhere", "--yes"), "there is no queue"),
        (66, ("message", "send", r"orders,far\private$\q,nowhere"), "there is no queue"),
        (73, ("queue", "create", "orders"), "already"),
        (73, ("queue", "create", r".\PRIVATE$\Orders"), "already"),
        (75, ("message", "send", "small", "--body", "x" * 2000), "leaves no room"),
        (75, ("message", "send", r"orders,far\private$\q,small", "--body", "x" * 2000), "leaves no room"),
        (76, ("message", "send", "ledger"), "is transactional"),
        (76, ("message", "send", "orders", "--transactional"), "is not transactional"),
        (76, ("message", "send", r"far\private$\q,ledger"), "is transactional"),
        (76, ("message", "receive", "ledger"), "is transactional"),
        (76, ("message", "receive", "orders", "--transactional"), "is not transactional"),
        (76, ("queue", "delete", r".\system$;deadletter", "--yes"), "is kept by the queue manager itself"),
        (77, ("message", "send", "signed"), "takes only signed messages"),
        (77, ("message", "send", "sealed"), "takes only encrypted messages"),
        (77, ("message", "send", r"orders,far\private$\q,signed"), "takes only signed messages"),
        (65, ("message", "send", "orders", "--body", "BIG"), "4194304 are the most"),
        (65, ("message", "send", r"far\private$\q", "--body", "BIG"), "4194304 are the most"),
        (65, ("message", "send", "ledger", "--transactional", "--body", "BIG"), "4194304 are the most"),
    ],
)
def test_bad_input(run: Run, big: str, code: int, words: tuple[str, ...], said: str) -> None:
    before = everything(run)
    answer = run(*(big if word == "BIG" else word for word in words))
    assert (answer.code, answer.out) == (code, ""), answer.err
    (sentence, *hint) = answer.err.splitlines()
    assert said in sentence
    assert all(line.startswith("hint: ") for line in hint)
    assert everything(run) == before


def limited(*words: str, size: int = SMALL_DISK) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", LIMITED, str(size), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(
    "words",
    [
        ("send", "orders", "--body", "FILE"),
        ("send", "orders", "--body", "FILE", "--recoverable"),
        ("send", "ledger", "--body", "FILE", "--transactional"),
        ("send", "ledger", "--body", "x" * 10_000, "--count", "50", "--transactional"),
        ("send", r"orders,far\private$\q", "--body", "FILE"),
    ],
)
def test_a_full_disk(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "half"
    file.write_bytes(bytes(BIG))
    before = everything(run)
    done = limited("message", *(f"@{file}" if word == "FILE" else word for word in words))
    assert (done.returncode, done.stdout) == (74, ""), done.stderr
    (sentence, *hint) = done.stderr.splitlines()
    assert "nothing was changed" in sentence
    assert all(line.startswith("hint: ") for line in hint)
    assert everything(run) == before
    assert run("message", "send", "orders", "--body", f"@{file}", "--recoverable").code == 0


def test_what_was_answered_before_the_disk_was_full_is_there(run: Run) -> None:
    done = limited("message", "send", "orders", "--body", "x" * 10_000, "--count", "50", "--recoverable", "-o", "ndjson")
    assert done.returncode == 74, done.stderr
    answered = [json.loads(line)["id"] for line in done.stdout.splitlines()]
    assert 0 < len(answered) < 50
    there = json.loads(run("message", "peek", "orders", "--count", "99", "-o", "json").out)
    assert [row["id"] for row in there][1:] == answered


def test_a_disk_without_any_room(run: Run) -> None:
    before = everything(run)
    done = limited("queue", "create", "more", size=0)
    assert (done.returncode, done.stdout) == (74, ""), done.stderr
    assert len(done.stderr.splitlines()) <= 2
    assert everything(run) == before
