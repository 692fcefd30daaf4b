"""Measuring a store: everything is measured, in every round, and nothing is left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmqctl.errors import StoreError
from msmqctl.ops import bench

SMALL = bench.Load(rounds=2, count=12, threads=3, body_size=100)


def test_each_thing_is_measured_beside_what_it_is_compared_with(tmp_path: Path) -> None:
    steps: list[int] = []
    figures = bench.store(tmp_path, SMALL, steps.append)
    assert sum(steps) == bench.STEPS * SMALL.rounds
    names = [figure.name for figure in figures]
    assert len(names) == len(set(names)) == bench.STEPS
    assert [(figure.name, figure.threads) for figure in figures if figure.threads != 1] == [("send, many threads", 3)]
    for figure in figures:
        assert figure.per_second > 0
        assert 0 < figure.p50_ms <= figure.p99_ms
        assert (figure.ratio is None) == (figure.compared_with is None)
        assert figure.compared_with is None or names.index(figure.compared_with) < names.index(figure.name)


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    bench.store(tmp_path, SMALL, lambda steps: None)
    assert list(tmp_path.iterdir()) == []


def test_a_time_instead_of_a_count(tmp_path: Path) -> None:
    load = bench.Load(rounds=1, seconds=0.001, threads=2, body_size=10)
    assert all(figure.per_second > 0 for figure in bench.store(tmp_path, load, lambda steps: None))


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nothing can be written there") as caught:
        bench.store(tmp_path / "nowhere", SMALL, lambda steps: None)
    assert caught.value.hint
