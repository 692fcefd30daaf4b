"""The program as a whole: global options anywhere, errors as a sentence or as JSON, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from msmqctl import __version__
from msmqctl.cli.ending import Nothing
from msmqctl.cli.nouns import NOUNS as PRODUCT
from msmqctl.errors import DecodeError, StatusError, TransportError
from tests.cli.conftest import Run
from tests.cli.nouns import NOUNS, box, fail
from tests.cli.nouns.box import Thing

PROGRAM = [
    sys.executable,
    "-c",
    "import sys; from msmqctl.cli.app import run; from tests.cli.nouns import NOUNS; sys.exit(run(sys.argv[1:], NOUNS))",
]


def program(*words: str, environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """The real program with the nouns of the tests, in a process of its own."""
    return subprocess.Popen(
        [*PROGRAM, *words], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | (environment or {})
    )


# --- help and version ---


def test_version(run: Run) -> None:
    assert run("--version").out == f"msmqctl {__version__}\n"
    assert run("-q", "--version").out == f"msmqctl {__version__}\n"


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",)])
def test_the_bare_program_shows_its_help(run: Run, words: tuple[str, ...]) -> None:
    answer = run(*words)
    assert (answer.code, answer.err) == (0, "")
    assert all(noun in answer.out and PRODUCT[noun].summary in answer.out for noun in PRODUCT)
    assert "Global options" in answer.out


def test_a_bare_noun_shows_its_help(run: Run) -> None:
    answer = run("box", nouns=NOUNS)
    assert answer.code == 0
    assert "Throw away the things in the box." in answer.out


def test_help_does_not_load_the_nouns(run: Run) -> None:
    assert run("--help", nouns=NOUNS).code == 0
    assert "tests.cli.nouns.missing" not in sys.modules


@pytest.mark.parametrize("noun", PRODUCT)
def test_the_table_says_what_the_noun_says(noun: str) -> None:
    command = PRODUCT[noun].load(noun)
    assert (command.help or "").partition("\n")[0] == PRODUCT[noun].summary


# --- global options ---


@pytest.mark.parametrize(
    "words",
    [
        ("-o", "json", "echo", "hi"),
        ("echo", "hi", "-o", "json"),
        ("echo", "-o", "json", "hi"),
        ("echo", "--output=json", "hi"),
        ("-ojson", "echo", "hi"),
        ("-o", "csv", "echo", "hi", "-o", "json"),
        ("echo", "-o", "csv", "hi", "-o", "JSON"),
    ],
)
def test_an_option_means_the_same_everywhere_and_the_last_wins(run: Run, words: tuple[str, ...]) -> None:
    answer = run(*words, nouns=NOUNS)
    assert answer.code == 0
    assert json.loads(answer.out)["word"] == "hi"


@pytest.mark.parametrize("place", range(3))
def test_options_stand_before_between_and_after(run: Run, place: int) -> None:
    box.THINGS[:] = [Thing("a", 1)]
    words = ["box", "list"]
    words[place:place] = ["-o", "ndjson", "--columns", "size"]
    assert run(*words, nouns=NOUNS).out == '{"size": 1}\n'


def test_every_option_reaches_the_command(run: Run) -> None:
    answer = run("--store", "/a", "echo", "--store", "/b", "--connect-timeout", "2.5", "-q", "-o", "json", nouns=NOUNS)
    assert json.loads(answer.out) == {"word": "", "store": "/b", "connect_timeout": 2.5, "dry_run": False, "quiet": True}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("echo", "-o", "xml"), "'xml' is not one of table, json, ndjson, csv"),
        (("echo", "--columns", "a,,b"), "'a,,b' has an empty name"),
        (("echo", "--connect-timeout", "0"), "'0' is not a number of seconds above zero"),
        (("echo", "--connect-timeout", "nan"), "'nan' is not a number"),
        (("echo", "--connect-timeout", "soon"), "'soon' is not a number"),
        (("echo", "--yes"), "No such option: --yes"),
        (("box", "list", "--dry-run"), "No such option: --dry-run"),
        (("echo", "a", "b"), "unexpected extra argument"),
        (("box", "lisst"), "Did you mean 'list'?"),
        (("ecko",), "Did you mean 'echo'"),
        (("-q",), "Missing command"),
        (("echo", "--columns", "colour"), "there is no column 'colour' here"),
    ],
)
def test_a_wrong_command_line_is_one_sentence_and_a_hint(run: Run, words: tuple[str, ...], said: str) -> None:
    answer = run(*words, nouns=NOUNS)
    sentence, hint = answer.err.removeprefix("a note\n").splitlines()
    assert (answer.code, answer.out) == (2, "")
    assert sentence.startswith("error: ")
    assert said in sentence
    assert hint.startswith("hint: ")


def test_the_hint_names_the_command_that_was_meant(run: Run) -> None:
    assert "hint: run: msmqctl box list --help" in run("box", "list", "--bogus", nouns=NOUNS).err


# --- errors ---


def raised(run: Run, error: BaseException, *words: str, noun: str = "fail") -> tuple[int, str]:
    fail.NEXT.append(error)
    answer = run(noun, *words, nouns=NOUNS)
    assert answer.out == ""
    return answer.code, answer.err


def test_an_error_is_a_sentence_and_a_hint(run: Run) -> None:
    error = TransportError("mq1 does not answer.", peer="mq1", hint="is it running?")
    assert raised(run, error) == (69, "error: mq1 does not answer.\nhint: is it running?\n")


@pytest.mark.parametrize("output", ["json", "ndjson"])
def test_an_error_is_one_json_object_for_programs(run: Run, output: str) -> None:
    code, err = raised(run, StatusError("no such queue.", status=0xC00E0003, operation="open"), "-o", output)
    assert code == 66
    assert json.loads(err) == {
        "error": {
            "kind": "StatusError",
            "message": "no such queue.",
            "hint": None,
            "exit_code": 66,
            "status": "0xC00E0003",
            "operation": "open",
        }
    }


@pytest.mark.parametrize(
    "words",
    [("ecko", "-o", "json"), ("ecko", "-ojson"), ("box", "list", "--bogus", "--output=json"), ("echo", "--columns", ",", "-o", "json")],
)
def test_a_line_the_parser_refuses_still_gets_the_format_it_asks_for(run: Run, words: tuple[str, ...]) -> None:
    answer = run(*words, nouns=NOUNS)
    assert json.loads(answer.err)["error"]["kind"] == "UsageError"
    assert json.loads(answer.err)["error"]["exit_code"] == answer.code == 2


def test_the_environment_can_ask_for_json_errors(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSMQCTL_OUTPUT", "json")
    assert json.loads(run("ecko", nouns=NOUNS).err)["error"]["exit_code"] == 2


def test_a_wrong_environment_does_not_hide_the_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSMQCTL_OUTPUT", "xml")
    assert run("ecko", nouns=NOUNS).err.startswith("error: No such command 'ecko'")
    answer = run("echo", nouns=NOUNS)
    assert answer.code == 78
    assert "MSMQCTL_OUTPUT" in answer.err


def test_peer_text_in_an_error_is_harmless(run: Run) -> None:
    code, err = raised(run, DecodeError("\x1b[2J\u202e", where="X", offset=0))
    assert (code, err) == (65, "error: X at offset 0: \\x1b[2J\\u202e\n")


def test_words_of_the_user_in_an_error_are_harmless(run: Run) -> None:
    assert "\x1b" not in run("\x1b[2J", nouns=NOUNS).err


def test_a_fault_of_ours_is_one_sentence(run: Run) -> None:
    code, err = raised(run, ZeroDivisionError("division by zero"))
    assert (code, err) == (
        1,
        "error: a fault of ours: ZeroDivisionError: division by zero; run again with --debug and report it.\n",
    )


def test_a_noun_that_cannot_be_loaded_is_a_fault_of_ours(run: Run) -> None:
    answer = run("broken", nouns=NOUNS)
    assert answer.code == 1
    assert answer.err.startswith("error: a fault of ours: ModuleNotFoundError")


def test_debug_shows_the_trace(run: Run) -> None:
    assert "Traceback" in raised(run, ZeroDivisionError("x"), "--debug")[1]
    assert "Traceback" in raised(run, TransportError("x", peer="y"), "--debug")[1]
    _, err = raised(run, ZeroDivisionError("x"), "--debug", "-o", "json")
    assert json.loads(err)["error"]["trace"][0].startswith("Traceback")


def test_an_outcome_is_a_plain_sentence_that_quiet_silences(run: Run) -> None:
    assert raised(run, Nothing("no message came.")) == (4, "no message came.\n")
    assert raised(run, Nothing("no message came."), "-q") == (4, "")
    code, err = raised(run, Nothing("no message came."), "-o", "json")
    assert (code, json.loads(err)["error"]["kind"]) == (4, "Nothing")


def test_below_check_every_error_exits_3(run: Run) -> None:
    assert raised(run, TransportError("x", peer="y"), noun="check")[0] == 3
    assert run("check", "--bogus", nouns=NOUNS).code == 3
    assert run("--bogus", "check", nouns=NOUNS).code == 3
    assert run("--context", "check", "--bogus", "echo", nouns=NOUNS).code == 2


def test_interrupted(run: Run) -> None:
    assert raised(run, KeyboardInterrupt()) == (130, "error: interrupted.\n")


# --- streams ---


def test_notes_go_beside_the_data(run: Run) -> None:
    assert run("echo", nouns=NOUNS).err == "a note\n"
    assert run("echo", "-q", nouns=NOUNS).err == ""
    assert run("echo", "-o", "json", nouns=NOUNS).err == ""


def test_nothing_there_is_said_beside_the_data(run: Run) -> None:
    box.THINGS.clear()
    answer = run("box", "list", nouns=NOUNS)
    assert (answer.code, answer.out, answer.err) == (0, "", "nothing there.\n")
    assert run("box", "list", "-o", "json", nouns=NOUNS).out == "[]\n"


@pytest.mark.parametrize("output", ["json", "ndjson", "csv"])
def test_a_closed_pipe_ends_quietly(output: str) -> None:
    process = program("box", "follow", "-o", output)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=20) == 0
    assert process.stderr.read() == ""
    process.stderr.close()


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("box", "list", "-o", "json"), ("box", "--help")])
def test_a_pipe_that_was_closed_from_the_start(words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*PROGRAM, *words], stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_ndjson_comes_line_by_line_and_ctrl_c_is_130() -> None:
    process = program("box", "follow", "-o", "ndjson")
    assert process.stdout is not None
    assert json.loads(process.stdout.readline()) == {"name": "thing", "size": 0}
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert json.loads(err)["error"]["kind"] == "Interrupted"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_said() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "msmqctl", "context", "show"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 74
    assert done.stderr == "error: the output cannot be written (No space left on device).\n"


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that can close a stream")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
def test_a_closed_stream_is_no_trace(closed: str) -> None:
    done = subprocess.run(["sh", "-c", f"{sys.executable} -m msmqctl context list {closed}"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_a_terminal_that_knows_few_characters() -> None:
    done = program("echo", "é漢", environment={"PYTHONIOENCODING": "ascii"})
    out, _ = done.communicate(timeout=20)
    assert done.returncode == 0
    assert "\\xe9\\u6f22" in out
