"""An operator sets up the queues of a shop, a command at a time, each in a process of its own that comes and goes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def msmqctl(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MSMQCTL_CONFIG_HOME": str(folder / "config"), "MSMQCTL_STORE": str(folder / "data" / "shop.db")}
    return subprocess.run(
        [sys.executable, "-m", "msmqctl", *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_from_an_empty_computer_to_queues_and_back(tmp_path: Path) -> None:
    def told(*words: str) -> object:
        done = msmqctl(*words, "-o", "json", folder=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    def listed() -> list[str]:
        return msmqctl("queue", "list", "--columns", "name", "-o", "csv", folder=tmp_path).stdout.splitlines()[1:]

    assert listed() == []
    made = told("queue", "create", "orders", "--transactional", "--quota", "1024", "--label", "Orders")
    assert msmqctl("queue", "create", "orders;retry", folder=tmp_path).returncode == 0
    assert msmqctl("queue", "create", "audit", "--journal", folder=tmp_path).returncode == 0
    assert listed() == [r".\private$\audit", r".\private$\orders", r".\private$\orders;retry"]

    # What one process made is what the next one shows, under any of its names.
    assert isinstance(made, dict)
    by_number = told("queue", "show", made["format_names"][0])
    assert isinstance(by_number, dict)
    assert {key: by_number[key] for key in made if key != "subqueues"} == {key: made[key] for key in made if key != "subqueues"}
    assert [one["name"] for one in by_number["subqueues"]] == [r".\private$\orders;retry"]

    changed = told("queue", "set", "orders", "--quota", "none")
    assert isinstance(changed, dict)
    assert (changed["quota_kb"], changed["label"]) == (None, "Orders")
    manager = told("qm", "show")
    assert isinstance(manager, dict)
    assert (manager["queues"], made["format_names"][0].partition("\\")[0]) == (2, f"PRIVATE={manager['identifier']}")

    # Mistakes cost nothing.
    assert msmqctl("queue", "create", "ORDERS", folder=tmp_path).returncode == 73
    assert msmqctl("queue", "delete", "orders", folder=tmp_path).returncode == 2
    assert msmqctl("queue", "delete", "order", "--yes", folder=tmp_path).returncode == 66
    assert len(listed()) == 3

    assert msmqctl("queue", "purge", "orders", "--yes", folder=tmp_path).returncode == 0
    assert msmqctl("queue", "delete", "orders", "--yes", folder=tmp_path).returncode == 0
    assert listed() == [r".\private$\audit"]

    # A new queue of the same name is another queue: its number was never given before.
    again = told("queue", "create", "orders")
    assert isinstance(again, dict)
    assert again["format_names"][0] != made["format_names"][0]
