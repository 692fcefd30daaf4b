"""Try something and take it back: what `--dry-run` shows is what the real run would answer, refusals included."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import NoReturn, TypeVar

from msmqctl.qm.host import Desk
from msmqctl.qm.manager import QueueManager

Answer = TypeVar("Answer")


class _RehearsalOver(Exception):  # noqa: N818 - no error: it makes the host take everything back
    """What was to be tried has been tried."""


def rehearsed(desk: Desk, work: Callable[[QueueManager, datetime], Answer], *, rehearse: bool) -> Answer:
    """Do it; with `rehearse` the answer, or the refusal, is the same, and nothing is kept."""
    if not rehearse:
        return desk.do(work)
    answers: list[Answer] = []

    def try_it(manager: QueueManager, now: datetime) -> NoReturn:
        answers.append(work(manager, now))
        raise _RehearsalOver

    with suppress(_RehearsalOver):
        desk.do(try_it)
    return answers[0]
