"""A process is killed in the middle of sending, receiving, moving and committing, fifty times: nothing is lost, doubled or torn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.qm.victim import kill_again_and_again

STORES, ROUNDS = 5, 10


@pytest.mark.spec("DM-3.1.4.4-11", "DM-3.1.1.14-2")
@pytest.mark.parametrize("seed", range(STORES))
def test_a_killed_owner_leaves_what_it_said_once_and_in_order(tmp_path: Path, seed: int) -> None:
    books = kill_again_and_again(str(tmp_path / "queues.msmq"), ROUNDS, seed)
    # The victims lived long enough to do something of each kind.
    assert all((books.sent, books.got, books.moved, books.committed, books.aborted))


@pytest.mark.parametrize("said", ["sent 0.a.999999", "got 0.a.999999", "committed 0.x.999999 - -"])
def test_what_is_said_and_not_there_is_noticed(tmp_path: Path, said: str) -> None:
    books = kill_again_and_again(str(tmp_path / "queues.msmq"), 1, seed=0)
    books.hear(said)
    with pytest.raises(AssertionError):
        books.check()
