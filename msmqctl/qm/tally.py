"""What a queue manager counts: its two numbers that never go back, and what each queue and all of them hold. In memory, no I/O.

The store writes it down once in each transaction. What a part of the transaction counted can be taken back, as far as a mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

_ORDINAL_BITS = 0xFFFFFFFF
# Stands for no queue, where there has to be one.
_NO_QUEUE = 0

# How far the two numbers and the list of changes were.
Mark: TypeAlias = tuple[int, int, int]


class Tally:
    """The counters of one store since the last commit."""

    def __init__(self, size: int, sequential: int, ordinal: int) -> None:
        self.bytes = size
        self.sequential = sequential
        # Counts on, so that the furthest is known; messages have the low 32 bits of it.
        self.ordinal = ordinal
        # Messages and octets of the queues that were asked for, by number.
        self._queues: dict[int, tuple[int, int]] = {_NO_QUEUE: (0, 0)}
        # What was added to which queue since the last commit, in order.
        self._changes: list[tuple[int, int, int]] = []
        self._start: Mark = self.mark()

    # ---- the two numbers

    def next_sequential(self) -> int:
        """Step SequentialID. [MS-MQDMPR] 3.1.7.1.9"""
        self.sequential += 1
        return self.sequential

    def next_ordinal(self) -> int:
        """Step the number of the messages that are sent from here."""
        self.ordinal += 1
        return self.ordinal & _ORDINAL_BITS

    # ---- totals

    def knows(self, queue: int) -> bool:
        """Whether it was learned what the queue holds."""
        return queue in self._queues

    def learn(self, queue: int, messages: int, size: int) -> None:
        """What the file says that the queue holds."""
        self._queues[queue] = messages, size

    def add(self, queue: int, messages: int, size: int) -> None:
        """Messages came to a queue that is known, or left it."""
        self._changes.append((queue, messages, size))
        self._shift(queue, messages, size)

    def outlive_a_queue(self) -> None:
        """What was written beside a queue is gone with it, so it has to be written elsewhere."""
        self.add(_NO_QUEUE, 0, 0)

    def _shift(self, queue: int, messages: int, size: int) -> None:
        count, octets = self._queues[queue]
        self._queues[queue] = count + messages, octets + size
        self.bytes += size

    # ---- the transaction

    @property
    def changed(self) -> bool:
        """Whether there is something to write down."""
        return self.mark() != self._start

    def changed_queues(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """The queues beside which something has to be written, and what they hold: where none has changed, the counters have."""
        for queue in {change[0] for change in self._changes} or {_NO_QUEUE}:
            yield queue, self._queues[queue]

    def mark(self) -> Mark:
        """How far it is, to go back there."""
        return self.sequential, self.ordinal, len(self._changes)

    def go_back(self, mark: Mark) -> None:
        """Take back what was counted since a mark."""
        self.sequential, self.ordinal, length = mark
        while len(self._changes) > length:
            queue, messages, size = self._changes.pop()
            self._shift(queue, -messages, -size)

    def go_back_to_start(self) -> None:
        """Take back all since the last commit."""
        self.go_back(self._start)

    def settle(self) -> None:
        """It is committed: this is the start of the next transaction."""
        self._changes.clear()
        self._start = self.mark()
