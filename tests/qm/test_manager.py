"""The whole queue manager is put together from parts, and no part may shadow another by chance."""

from __future__ import annotations

from collections import defaultdict

from msmqctl.qm.manager import QueueManager


def test_no_two_parts_define_the_same_name() -> None:
    owners: dict[str, list[str]] = defaultdict(list)
    for part in QueueManager.__mro__[1:-1]:
        for name in vars(part):
            if not name.startswith("__"):
                owners[name].append(part.__name__)
    assert {name: parts for name, parts in owners.items() if len(parts) > 1} == {}
