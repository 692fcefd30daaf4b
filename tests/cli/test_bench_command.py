"""`msmqctl bench store` from the prompt."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run

FEW = ("--count", "8", "--rounds", "1", "--threads", "2")


def test_figures_for_programs(run: Run, tmp_path: Path) -> None:
    answer = run("bench", "store", *FEW, "--folder", str(tmp_path), "-o", "json")
    assert (answer.code, answer.err) == (0, "")
    figures = {figure["name"]: figure for figure in json.loads(answer.out)}
    assert figures["send"]["compared_with"] == "SQLite insert, flushed"
    assert figures["send express"]["compared_with"] == "SQLite insert"
    assert figures["receive"]["compared_with"] == "send"
    assert figures["send, many threads"]["threads"] == 2
    assert all(figure["per_second"] > 0 for figure in figures.values())


def test_the_store_of_the_user_is_not_touched(run: Run, tmp_path: Path) -> None:
    mine = tmp_path / "mine.db"
    assert run("bench", "store", *FEW, "--folder", str(tmp_path), "--store", str(mine)).code == 0
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(run: Run, tmp_path: Path) -> None:
    answer = run("bench", "store", *FEW, "--folder", str(tmp_path / "nowhere"))
    assert (answer.code, answer.out) == (74, "")
    assert "hint: choose another folder with --folder." in answer.err
