"""What an administrator does to the running queue manager."""

from __future__ import annotations

import pytest

from msmqctl.qm.administration import Administration
from msmqctl.qm.events import QueuePaused, QueueResumed
from msmqctl.qm.model import OutgoingQueueState
from tests.qm.conftest import Bench
from tests.qm.samples import outgoing_queue


@pytest.mark.spec("DM-3.1.4.12-1")
def test_taken_offline_the_connection_is_not_active(bench: Bench) -> None:
    core = bench.open(Administration)
    core.bring_online()
    core.take_offline()
    assert core.local.connection_active is False


@pytest.mark.spec("DM-3.1.4.13-1")
def test_brought_online_the_connection_is_active(bench: Bench) -> None:
    core = bench.open(Administration)
    core.take_offline()
    core.bring_online()
    assert core.local.connection_active is True


@pytest.mark.spec("DM-3.1.4.14-1", "DM-3.1.7.2.3-1")
@pytest.mark.parametrize("state", OutgoingQueueState)
def test_a_paused_queue_is_on_hold_and_everybody_hears_of_it(bench: Bench, state: OutgoingQueueState) -> None:
    core = bench.open(Administration)
    queue, other = outgoing_queue(core, "out"), outgoing_queue(core, "other")
    core.assign(queue, state=state)
    core.pause_queue(queue)
    assert (queue.state, other.state) == (OutgoingQueueState.ON_HOLD, OutgoingQueueState.INACTIVE)
    assert core.commit() == [QueuePaused(queue)]


@pytest.mark.spec("DM-3.1.4.15-1", "DM-3.1.7.2.4-1")
@pytest.mark.parametrize("state", OutgoingQueueState)
def test_a_resumed_queue_is_inactive_and_everybody_hears_of_it(bench: Bench, state: OutgoingQueueState) -> None:
    core = bench.open(Administration)
    queue = outgoing_queue(core)
    core.assign(queue, state=state)
    core.resume_queue(queue)
    assert queue.state is OutgoingQueueState.INACTIVE
    assert core.commit() == [QueueResumed(queue)]


def test_what_is_rolled_back_was_never_paused(bench: Bench) -> None:
    core = bench.open(Administration)
    queue = outgoing_queue(core)
    core.commit()
    core.pause_queue(queue)
    core.rollback()
    assert queue.state is OutgoingQueueState.INACTIVE
    assert core.take_events() == []
