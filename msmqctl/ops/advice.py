"""What an operator should know about a code: why it usually happens and what to try next.

The tables stand in files of their own, by subject: `advice_queue`, `advice_security`, `advice_directory`, `advice_delivery` and
`advice_windows`. Causes stand in the order in which they turn out to be the reason; steps in the order in which they are worth trying.
Each entry is one sentence. A step names only commands of msmqctl that exist.
"""

from __future__ import annotations

from typing import NamedTuple


class Advice(NamedTuple):
    """Why it happens and what to do, most likely first."""

    causes: tuple[str, ...]
    steps: tuple[str, ...]


class Known(NamedTuple):
    """A number from outside MSMQ that its operators meet: its name, its meaning and the advice."""

    name: str
    meaning: str
    causes: tuple[str, ...]
    steps: tuple[str, ...]
