"""`msmqctl resolve` from the prompt: every format, every refusal, and names that try to play with the terminal."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from io import StringIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from msmqctl.cli.render import escape
from tests.cli.conftest import Run

COLUMNS = ["typed", "name", "kind", "forms", "transports", "needs_directory", "can_send", "can_receive", "problems"]
REMOTE = r"server17\private$\orders"
DIRECT = r"DIRECT=OS:server17\private$\orders"


def program(*words: str) -> subprocess.CompletedProcess[str]:
    """The real program in a process of its own."""
    return subprocess.run([sys.executable, "-m", "msmqctl", "resolve", *words], capture_output=True, text=True, check=False)


# --- formats ---


def test_for_people(run: Run) -> None:
    answer = run("resolve", REMOTE)
    assert (answer.code, answer.err) == (0, "")
    summary, forms, transport, problems = (part.splitlines() for part in answer.out.split("\n\n"))
    assert summary[:2] == [rf"name             {REMOTE}", "kind             path name of a private queue"]
    assert [line.split() for line in summary[2:]] == [["needs_directory", "no"], ["can_send", "yes"], ["can_receive", "yes"]]
    assert forms[0] == "Forms"
    assert forms[1].split() == ["name", "good_for"]
    assert any(line.startswith(f"{DIRECT} ") for line in forms)
    assert transport[0] == "Transport"
    assert transport[2].split()[:3] == ["TCP", "server17", "1801"]
    assert problems[0] == "Problems"
    assert problems[2].startswith("warning   A path name cannot open a private queue of another computer")
    assert problems[2].endswith(f"Use {DIRECT}.")


def test_a_name_without_problems_has_no_such_part(run: Run) -> None:
    assert run("resolve", DIRECT).out.split("\n\n")[-1].startswith("Transport\n")


def test_json(run: Run) -> None:
    answer = run("resolve", REMOTE, "-o", "json")
    assert (answer.code, answer.err) == (0, "")
    told = json.loads(answer.out)
    assert list(told) == COLUMNS
    assert (told["typed"], told["name"], told["needs_directory"]) == (REMOTE, REMOTE, False)
    assert DIRECT in [form["name"] for form in told["forms"]]
    assert told["transports"] == [
        {"protocol": "TCP", "address": "server17", "port": 1801, "carries": "MQQB: binary messages; reading goes over RPC"}
    ]
    assert [(problem["severity"], problem["advice"]) for problem in told["problems"]] == [("warning", f"Use {DIRECT}.")]


def test_ndjson_is_the_same_on_one_line(run: Run) -> None:
    (line,) = run("resolve", REMOTE, "-o", "ndjson").out.splitlines()
    assert json.loads(line) == json.loads(run("resolve", REMOTE, "-o", "json").out)


def test_csv(run: Run) -> None:
    header, row = csv.reader(StringIO(run("resolve", REMOTE, "-o", "csv").out))
    assert header == COLUMNS
    assert row[:3] == [REMOTE, REMOTE, "path name of a private queue"]
    assert row[5:8] == ["false", "true", "true"]
    assert DIRECT in [form["name"] for form in json.loads(row[3])]


@pytest.mark.parametrize(
    ("output", "printed"),
    [
        ("table", "kind  path name of a private queue\nname  .\\private$\\orders\n"),
        ("json", '{\n  "kind": "path name of a private queue",\n  "name": ".\\\\private$\\\\orders"\n}\n'),
        ("ndjson", '{"kind": "path name of a private queue", "name": ".\\\\private$\\\\orders"}\n'),
        ("csv", "kind,name\npath name of a private queue,.\\private$\\orders\n"),
    ],
)
def test_columns(run: Run, output: str, printed: str) -> None:
    answer = run("resolve", "orders", "--columns", "kind,name", "-o", output)
    assert (answer.code, answer.out, answer.err) == (0, printed, "")


def test_a_column_with_parts_is_a_part_for_people(run: Run) -> None:
    lines = run("resolve", DIRECT, "--columns", "name,transports").out.splitlines()
    assert [line.strip() for line in lines[:4]] == [rf"name  {DIRECT}", "", "transports", "- protocol  TCP"]


# --- refusals ---


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (r"DIRECT=FTP:host\q", r"protocol at character 8 of 'DIRECT=FTP:host\q'"),
        ("bad=x", "keyword at character 1 of 'bad=x'"),
        ("PUBLIC=123", "PUBLIC=123"),
        ("", "it is empty"),
        ("x" * 300, "it has 300 characters, 124 is the limit"),
    ],
)
def test_what_is_no_name_is_told_where(run: Run, name: str, said: str) -> None:
    answer = run("resolve", name)
    assert (answer.code, answer.out) == (2, "")
    error, hint = answer.err.splitlines()
    assert error.startswith("error: ")
    assert said in error
    assert hint.startswith("hint: ")


@pytest.mark.parametrize("output", ["json", "ndjson"])
def test_a_refusal_for_programs(run: Run, output: str) -> None:
    answer = run("resolve", r"DIRECT=FTP:host\q", "-o", output)
    assert (answer.code, answer.out) == (2, "")
    told = json.loads(answer.err)["error"]
    assert (told["kind"], told["exit_code"]) == ("StatusError", 2)
    assert (told["status"], told["operation"]) == ("0xC00E001E", "parse name")
    assert told["hint"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Missing argument 'NAME'"),
        (("a", "b"), "unexpected extra argument"),
        (("orders", "-o", "xml"), "'xml' is not one of table, json, ndjson, csv"),
        (("orders", "--columns", "colour"), "there is no column 'colour' here"),
        (("--bogus", "orders"), "No such option: --bogus"),
    ],
)
def test_a_wrong_command_line(run: Run, words: tuple[str, ...], said: str) -> None:
    answer = run("resolve", *words)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert "hint: " in answer.err


# --- names that are none, and names that only look like others ---


@pytest.mark.parametrize(
    ("name", "shown"), [("a\x1b[2Jb", r"a\x1b[2Jb"), ("a\0b", r"a\x00b"), ("a\nb", r"a\x0ab"), ("a\udcffb", r"a\udcffb")]
)
def test_a_refused_name_is_harmless_on_standard_error(run: Run, name: str, shown: str) -> None:
    answer = run("resolve", name)
    assert (answer.code, answer.out) == (2, "")
    assert rf"of '.\private$\{shown}'" in answer.err
    told = run("resolve", name, "-o", "json")
    assert told.err.isascii()
    assert "\x1b" not in told.err
    assert name in json.loads(told.err)["error"]["message"]


@pytest.mark.parametrize("output", ["table", "csv"])
@pytest.mark.parametrize(
    ("name", "shown"), [("a\u202eb", r"a\u202eb"), ("\u200bq", r"\u200bq"), ("a\u2066b", r"a\u2066b"), ("a\x7fb", r"a\x7fb")]
)
def test_a_name_that_hides_something_is_written_out(run: Run, output: str, name: str, shown: str) -> None:
    answer = run("resolve", name, "-o", output)
    assert answer.code == 0
    assert name not in answer.out
    assert rf".\private$\{shown}" in answer.out


def test_programs_get_the_name_as_it_is(run: Run) -> None:
    answer = run("resolve", "a\u202eé", "-o", "json")
    assert answer.out.isascii()
    assert json.loads(answer.out)["name"] == ".\\private$\\a\u202eé"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["", "DIRECT=OS:", "DIRECT=HTTP://", "PRIVATE=", "host\\"]), st.text(max_size=40))
def test_any_name_is_resolved_or_refused(run: Run, lead: str, text: str) -> None:
    answer = run("resolve", "--", lead + text)
    assert answer.code in (0, 2)
    assert (answer.code == 0) == (answer.err == "") == (answer.out != "")
    assert all(escape(line) == line for line in (answer.out + answer.err).split("\n"))


# --- in a process of its own ---


def test_the_real_program() -> None:
    done = program(DIRECT, "-o", "csv", "--columns", "name,can_receive")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"name,can_receive\n{DIRECT},true\n", "")


def test_the_real_program_refuses() -> None:
    done = program(r"DIRECT=FTP:host\q", "-o", "json")
    assert (done.returncode, done.stdout) == (2, "")
    assert json.loads(done.stderr)["error"]["status"] == "0xC00E001E"


def test_octets_that_are_no_text_reach_the_real_program() -> None:
    done = subprocess.run([sys.executable.encode(), b"-m", b"msmqctl", b"resolve", b"a\xff\x1b[2J"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert rb"a\udcff\x1b[2J" in done.stderr
    assert b"\x1b" not in done.stderr
