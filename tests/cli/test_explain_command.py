"""`msmqctl explain` from the prompt: every format, every refusal, and words that try to play with the terminal."""

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

COLUMNS = ["name", "meaning", "kind", "severity", "hex", "value", "signed", "document", "aliases", "causes", "steps"]
NO_RESOURCES = "MQ_ERROR_INSUFFICIENT_RESOURCES"


def program(*words: str) -> subprocess.CompletedProcess[str]:
    """The real program in a process of its own."""
    return subprocess.run([sys.executable, "-m", "msmqctl", "explain", *words], capture_output=True, text=True, check=False)


# --- formats ---


def test_for_people(run: Run) -> None:
    answer = run("explain", "0xC00E0027")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == f"name      {NO_RESOURCES}"
    assert [line.split()[0] for line in lines[:8]] == COLUMNS[:8]
    assert [line for line in lines if line in ("aliases", "causes", "steps")] == ["aliases", "causes", "steps"]
    assert "  - The disk that holds the storage folder is full." in lines


def test_json(run: Run) -> None:
    answer = run("explain", "0xC00E0027", "-o", "json")
    assert (answer.code, answer.err) == (0, "")
    (told,) = json.loads(answer.out)
    assert list(told) == COLUMNS
    assert (told["name"], told["hex"], told["value"], told["signed"]) == (NO_RESOURCES, "0xC00E0027", 0xC00E0027, -1072824281)
    assert (told["kind"], told["severity"], told["document"]) == ("status", "error", "[MS-MQMQ] 2.4")
    assert told["aliases"] == ["InsufficientResources"]
    assert all(isinstance(told[key], list) and told[key] for key in ("causes", "steps"))


def test_ndjson(run: Run) -> None:
    answer = run("explain", "0", "-o", "ndjson")
    assert [json.loads(line)["name"] for line in answer.out.splitlines()] == ["MQ_OK", "MQMSG_CLASS_NORMAL", "InProcess"]


def test_csv(run: Run) -> None:
    header, row = csv.reader(StringIO(run("explain", "0xC00E0027", "-o", "csv").out))
    assert header == COLUMNS
    assert row[:7] == [NO_RESOURCES, row[1], "status", "error", "0xC00E0027", "3222143015", "-1072824281"]
    assert json.loads(row[8]) == ["InsufficientResources"]


@pytest.mark.parametrize(
    ("output", "printed"),
    [
        ("table", f"hex         name\n0xC00E0027  {NO_RESOURCES}\n"),
        ("json", f'[\n  {{\n    "hex": "0xC00E0027",\n    "name": "{NO_RESOURCES}"\n  }}\n]\n'),
        ("ndjson", f'{{"hex": "0xC00E0027", "name": "{NO_RESOURCES}"}}\n'),
        ("csv", f"hex,name\n0xC00E0027,{NO_RESOURCES}\n"),
    ],
)
def test_columns(run: Run, output: str, printed: str) -> None:
    answer = run("explain", "0xC00E0027", "--columns", "hex,name", "-o", output)
    assert (answer.code, answer.out, answer.err) == (0, printed, "")


# --- what may be asked ---


@pytest.mark.parametrize(
    "code", ["0xC00E0027", "0xc00e0027", "C00E0027", "3222143015", "-1072824281", NO_RESOURCES, "InsufficientResources"]
)
def test_every_spelling_of_a_code(run: Run, code: str) -> None:
    assert run("explain", code, "-o", "csv", "--columns", "name").out == f"name\n{NO_RESOURCES}\n"


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "-1072824281", "-o", "json"),
        ("explain", "-o", "json", "-1072824281"),
        ("-o", "json", "explain", "-1072824281"),
        ("explain", "--", "-1072824281"),
        ("explain", "-q", "-1072824281", "--output=json"),
    ],
)
def test_a_negative_number_is_no_option(run: Run, words: tuple[str, ...]) -> None:
    answer = run(*words)
    assert (answer.code, answer.err) == (0, "")
    assert NO_RESOURCES in answer.out


@pytest.mark.parametrize(
    ("code", "meanings"),
    [
        ("0", ["status", "message class", "connection status"]),
        ("1", ["message class", "connection status"]),
        ("2", ["message class", "connection status"]),
        ("0x80000001", ["connection status"]),
    ],
)
def test_all_meanings_of_a_number_are_shown(run: Run, code: str, meanings: list[str]) -> None:
    lines = run("explain", code).out.splitlines()
    assert [line.removeprefix("kind      ") for line in lines if line.startswith("kind ")] == meanings
    assert [told["kind"] for told in json.loads(run("explain", code, "-o", "json").out)] == meanings


def test_an_empty_line_stands_between_two_meanings(run: Run) -> None:
    lines = run("explain", "2").out.splitlines()
    second = lines.index("name      Established")
    assert lines[second - 1] == ""
    assert lines[second - 2] != ""


# --- refusals ---


def test_a_slip_of_the_finger_gets_a_suggestion(run: Run) -> None:
    answer = run("explain", "MQ_ERROR_ACESS_DENIED")
    assert (answer.code, answer.out) == (2, "")
    error, hint = answer.err.splitlines()
    assert error == "error: no status, message class or reason is known as 'MQ_ERROR_ACESS_DENIED'."
    assert hint.startswith("hint: did you mean MQ_ERROR_ACCESS_DENIED")


@pytest.mark.parametrize("code", ["0xFFFFFFFFF", "-99999999999", "nonsense", "", " ", "--bogus", "-x"])
def test_what_resembles_nothing_gets_the_forms(run: Run, code: str) -> None:
    answer = run("explain", code)
    assert (answer.code, answer.out) == (2, "")
    assert "hint: give a number such as 0xC00E0027 or -1072824281, or a name such as MQ_ERROR_ACCESS_DENIED.\n" in answer.err


@pytest.mark.parametrize("output", ["json", "ndjson"])
def test_an_unknown_code_for_programs(run: Run, output: str) -> None:
    answer = run("explain", "MQ_ERROR_ACESS_DENIED", "-o", output)
    assert (answer.code, answer.out) == (2, "")
    told = json.loads(answer.err)["error"]
    assert (told["kind"], told["exit_code"]) == ("CommandLineError", 2)
    assert "MQ_ERROR_ACCESS_DENIED" in told["hint"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Missing argument 'CODE'"),
        (("1", "2"), "unexpected extra argument"),
        (("5", "-o", "xml"), "'xml' is not one of table, json, ndjson, csv"),
        (("5", "--columns", "colour"), "there is no column 'colour' here"),
    ],
)
def test_a_wrong_command_line(run: Run, words: tuple[str, ...], said: str) -> None:
    answer = run("explain", *words)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert "hint: " in answer.err


# --- words that are none ---


@pytest.mark.parametrize(
    ("code", "shown"),
    [("\x1b[2J", r"\x1b[2J"), ("a\u202eb", r"a\u202eb"), ("a\0b", r"a\x00b"), ("a\udcffb", r"a\udcffb"), ("a\x9bb", r"a\x9bb")],
)
def test_a_terminal_is_told_what_stood_there_and_does_not_obey(run: Run, code: str, shown: str) -> None:
    answer = run("explain", code)
    assert (answer.code, answer.out) == (2, "")
    assert f"'{shown}'" in answer.err
    told = run("explain", code, "-o", "json")
    assert told.err.isascii()
    assert "\x1b" not in told.err
    assert json.loads(told.err)["error"]["exit_code"] == 2


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=40).filter(lambda text: not text.startswith("-")))
def test_any_word_is_explained_or_refused(run: Run, code: str) -> None:
    answer = run("explain", code)
    assert answer.code in (0, 2)
    assert (answer.code == 0) == (answer.err == "") == (answer.out != "")
    assert all(escape(line) == line for line in (answer.out + answer.err).split("\n"))


# --- in a process of its own ---


def test_the_real_program() -> None:
    done = program("-1072824281", "-o", "csv", "--columns", "name")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"name\n{NO_RESOURCES}\n", "")


def test_the_real_program_refuses() -> None:
    done = program("MQ_ERROR_ACESS_DENIED", "-o", "json")
    assert (done.returncode, done.stdout) == (2, "")
    assert json.loads(done.stderr)["error"]["exit_code"] == 2


def test_octets_that_are_no_text_reach_the_real_program() -> None:
    done = subprocess.run([sys.executable.encode(), b"-m", b"msmqctl", b"explain", b"\xff\x1b[2J"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert rb"\udcff\x1b[2J" in done.stderr
    assert b"\x1b" not in done.stderr


def test_the_answer_loads_only_what_it_needs() -> None:
    """This is typed in the middle of an outage: no rich, no TOML, no secrets, and the advice of other codes stays unread."""
    command = [sys.executable, "-X", "importtime", "-m", "msmqctl", "explain", "0xC00E0027"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    loaded = {line.rpartition("|")[2].strip() for line in told.splitlines() if line.startswith("import time:")}
    assert "msmqctl.ops.advice_queue" in loaded
    assert not loaded & {"rich", "json", "csv", "tomllib", "platformdirs", "msmqctl.cli.secret", "msmqctl.cli.report"}
    assert not loaded & {f"msmqctl.ops.advice_{table}" for table in ("delivery", "directory", "security", "windows")}
