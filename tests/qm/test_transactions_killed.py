"""A process is killed in the middle of commits, again and again: each transaction is wholly there or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path
from uuid import UUID

import pytest

from msmqctl.qm.store import Store
from tests.qm.samples import NOW, labelled, stored_queue
from tests.qm.working import Working, labels, totals

ROUNDS = 12
MESSAGES = 4
ROOT = Path(__file__).parents[2]


def opened(path: str) -> Working:
    guids, handles = count(1), count(1)
    return Working(Store.open(path), new_guid=lambda: UUID(int=next(guids)), new_handle=handles.__next__)


def work(path: str, start: int) -> None:
    """What the victim does: move a token on and send some messages, in one transaction after the other, and say which are committed."""
    core = opened(path)
    core.recover()
    core.commit()
    token, letters = stored_queue(core, "token"), stored_queue(core, "letters")
    for number in count(start):
        identifier = UUID(int=number + (1 << 64))
        core.create_transaction(identifier)
        core.commit()
        (held,) = core.store.positions(token.key or 0)
        core.move_message(held, stored_queue(core, f"token{number % 2}"), identifier)
        for part in range(MESSAGES):
            core.enqueue_message(letters, labelled(f"{number}.{part}"), NOW, identifier)
            core.commit()
        core.transaction_commit(identifier)
        core.commit()
        print(number, flush=True)
        with core.call():
            (back,) = core.store.positions(stored_queue(core, f"token{number % 2}").key or 0)
            core.move_message(back, token)
        core.commit()


def killed_after(path: str, start: int, commits: int) -> int:
    """Run the victim until it has said so many commits and a little longer; the last it has said."""
    program = f"from tests.qm.test_transactions_killed import work; work({path!r}, {start})"
    said = start - 1
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=ROOT) as victim:
        assert victim.stdout is not None
        for line in victim.stdout:
            said = int(line)
            if said == start + commits:
                os.kill(victim.pid, signal.SIGKILL)
    assert victim.returncode == -signal.SIGKILL
    return said


@pytest.mark.spec("DM-3.1.4.4-11", "DM-3.1.1.14-2")
def test_a_killed_process_leaves_each_transaction_whole_or_none(tmp_path: Path) -> None:
    path = str(tmp_path / "queues.msmq")
    core = opened(path)
    core.enqueue_message(stored_queue(core, "token"), labelled("token"), NOW)
    stored_queue(core, "letters")
    core.commit()
    core.store.close()
    start = 0
    for round_number in range(ROUNDS):
        said = killed_after(path, start, commits=round_number)
        core = opened(path)
        core.recover()
        core.commit()
        letters = stored_queue(core, "letters")
        found = labels(core, letters)
        done = len(found) // MESSAGES
        assert found == [f"{number}.{part}" for number in range(done) for part in range(MESSAGES)]
        assert said + 1 <= done
        assert totals(core, letters) == (100 * len(found), 100 * len(found))
        assert core.store.units() == []
        # The token is in one place, and free.
        tokens = [stored_queue(core, name) for name in ("token", "token0", "token1")]
        assert [label for queue in tokens for label in labels(core, queue)] == ["token"]
        with core.call():
            for position in (position for queue in tokens[1:] for position in core.store.positions(queue.key or 0)):
                core.move_message(position, tokens[0])
        core.commit()
        core.store.close()
        start = done
