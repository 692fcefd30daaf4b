"""The tour: every step of it is a real command and ends as announced."""

from __future__ import annotations

import json

import pytest

from msmqctl.ops import demo
from tests.cli.conftest import Run


def test_the_tour_goes_through(run: Run) -> None:
    ran = run("demo", "--no-spark")
    assert ran.code == 0
    assert ran.err.count("$ msmqctl ") == 21
    assert "two pallets of tea" in ran.out
    assert "MQMSG_CLASS_NACK_ACCESS_DENIED" in ran.out
    assert "DIRECT=HTTP://warehouse/msmq/private$/orders" in ran.out
    assert "octets missing" in ran.err


@pytest.mark.parametrize(
    ("shown", "what"),
    [
        ("tea: 40", "a transaction"),
        ("MQMSG_CLASS_ACK_REACH_QUEUE", "an acknowledgment"),
        ("too late", "a dead letter"),
        ("INACTIVE", "an outgoing queue"),
    ],
)
def test_the_tour_shows(run: Run, shown: str, what: str) -> None:
    assert shown in run("demo", "--no-spark").out, what


def test_a_quiet_tour_shows_data_alone(run: Run) -> None:
    ran = run("demo", "--no-spark", "-q")
    assert ran.code == 0
    assert "$ msmqctl" not in ran.err


def test_in_json_every_step_is_one_value(run: Run) -> None:
    ran = run("demo", "--no-spark", "-o", "json")
    assert ran.code == 0
    values, rest = [], ran.out
    while rest.strip():
        value, end = json.JSONDecoder().raw_decode(rest.lstrip())
        values.append(value)
        rest = rest.lstrip()[end:]
    assert len(values) == 20, "every step but the one that is refused"
    assert [type(value) for value in values[:4]] == [dict, list, dict, dict]


def test_a_tour_without_spark_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "can_count", lambda: False)
    ran = run("demo")
    assert ran.code == 0
    assert "Spark is not installed" in ran.err
