"""Completion: the question and the answer, then real shells at a real terminal in which somebody presses TAB."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

import pytest

from msmqctl.cli import config
from msmqctl.cli.app import COMPLETE_PREFIX, COMPLETE_VARIABLE
from msmqctl.cli.completion import SCRIPTS, candidates
from msmqctl.cli.place import config_folder
from tests.cli.conftest import Run
from tests.tools import tool


def values(*words: str) -> list[str]:
    *finished, word = words
    return [line.partition("\t")[0] for line in candidates(finished, word)]


# --- the question and the answer ---


def test_nouns_with_their_help() -> None:
    assert candidates([], "con") == ["context\tName connections once, and use them by name."]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("context", "a"), ["add"]),
        (("context", "s"), ["show", "select"]),
        (("-q", "context", "re"), ["remove"]),
        (("de",), ["demo", "decode"]),
        (("explain", "--q"), ["--quiet"]),
        (("decode", "--h"), ["--hex", "--help"]),
        (("--con",), ["--context", "--connect-timeout"]),
        (("context", "remove", "--d"), ["--debug", "--dry-run"]),
        (("context", "list", "--d"), ["--debug"]),
        (("-o", ""), ["table", "json", "ndjson", "csv"]),
        (("context", "list", "--output", "j"), ["json"]),
        (("context", "list", "--output=j"), ["--output=json"]),
        (("context", "list", "--output", "=", "j"), ["json"]),
        (("context", "list", "--output", "="), ["table", "json", "ndjson", "csv"]),
        (("context", "add", "x", "--host", ""), []),
        (("resolve", ""), []),
    ],
)
def test_words(words: tuple[str, ...], found: list[str]) -> None:
    assert values(*words) == found


def test_names_of_contexts() -> None:
    for name in ("lab", "lake", "prod"):
        config.write(name, {})
    assert values("context", "select", "la") == ["lab", "lake"]
    assert values("--context", "p") == ["prod"]


def test_the_program_answers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_MSMQCTL_COMPLETE", "complete:li")
    answer = run("context")
    assert (answer.code, answer.out, answer.err) == (0, "list\tList the contexts there are.\n", "")


def test_what_cannot_be_completed_gets_no_answer_and_no_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (config_folder()).mkdir()
    (config_folder() / "contexts").write_text("not a folder")
    monkeypatch.setenv("_MSMQCTL_COMPLETE", "complete:")
    for words in (("context", "select"), ("--bogus",), ("context", "nosuch", "x")):
        answer = run(*words)
        assert (answer.code, answer.err) == (0, "")


# --- a person at a shell ---

# Typed, and what the line is after one TAB. Two contexts are there, lab and lake, and a folder named manual.
LINES = [
    ("msmqctl con", "msmqctl context "),
    ("msmqctl context sh", "msmqctl context show "),
    ("msmqctl -q context re", "msmqctl -q context remove "),
    ("msmqctl explain --out", "msmqctl explain --output "),
    ("msmqctl explain 5 --output nd", "msmqctl explain 5 --output ndjson "),
    ("msmqctl explain 5 --output=nd", "msmqctl explain 5 --output=ndjson "),
    ("msmqctl context show l", "msmqctl context show la"),
    ("msmqctl context add 'a b' --ho", "msmqctl context add 'a b' --host "),
    ("msmqctl decode ma", "msmqctl decode manual/"),
    ("msmqctl docs man --dir ma", "msmqctl docs man --dir manual/"),
    ("msmqctl docs man --dir=ma", "msmqctl docs man --dir=manual/"),
    ("msmqctl bogus --nothing ma", "msmqctl bogus --nothing manual/"),
]


@dataclass(frozen=True, slots=True)
class Shell:
    """How to start an interactive shell that reads `settings` from `file` in its home, and nothing else of the user's."""

    start: tuple[str, ...]
    file: str
    settings: str


PROMPT = "ready> "
# Control-X t writes the edited line to a file and leaves.
INTERACTIVE: Mapping[str, Shell] = {
    "bash": Shell(
        ("--noprofile", "--rcfile", "settings", "-i"),
        "settings",
        r"""
        source scripts/msmqctl.bash
        bind 'set enable-bracketed-paste off'
        bind 'set show-all-if-ambiguous on'
        tell() { printf %s "$READLINE_LINE" >line; exit; }
        bind -x '"\C-xt": tell'
        """,
    ),
    "zsh": Shell(
        ("-d", "-i"),
        ".zshrc",
        r"""
        fpath=($PWD/scripts $fpath)
        autoload -Uz compinit
        compinit -u -D
        tell() { print -rn -- "$BUFFER" >line; exit }
        zle -N tell
        bindkey '^Xt' tell
        """,
    ),
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the completion scripts, two contexts and a folder to complete."""
    home = tmp_path / "home"
    (home / "scripts").mkdir(parents=True)
    (home / "manual").mkdir()
    for name, text in SCRIPTS.items():
        (home / "scripts" / name).write_text(text)
    for context in ("lab", "lake"):
        config.write(context, {})
    return home


def surroundings(home: Path) -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return os.environ | {"PATH": path, "HOME": str(home), "ZDOTDIR": str(home), "TERM": "dumb", "PS1": PROMPT}


def press_tab(name: str, typed: str, home: Path) -> tuple[str, str]:
    """Type into the shell `name` at a terminal and press TAB: the line as it then stands, and all that the screen has shown."""
    shell = INTERACTIVE[name]
    (home / shell.file).write_text(f"PS1='{PROMPT}'\n{shell.settings}")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [tool(name), *shell.start], stdin=theirs, stdout=theirs, stderr=theirs, cwd=home, env=surroundings(home), start_new_session=True
    )
    os.close(theirs)
    patience = Timer(20, process.kill)
    patience.start()
    screen = b""
    try:
        while PROMPT.encode() not in screen:
            screen += os.read(ours, 4096)
        os.write(ours, f"{typed}\t\x18t".encode())
        with suppress(OSError):  # how Linux tells that the other side is closed
            while more := os.read(ours, 4096):
                screen += more
    finally:
        process.wait()
        patience.cancel()
        os.close(ours)
    return (home / "line").read_text(), screen.decode()


@pytest.mark.parametrize("shell", INTERACTIVE)
@pytest.mark.parametrize(("typed", "line"), LINES)
def test_tab_in_a_real_shell(shell: str, typed: str, line: str, home: Path) -> None:
    assert press_tab(shell, typed, home)[0] == line


@pytest.mark.parametrize("shell", INTERACTIVE)
def test_several_candidates_are_listed(shell: str, home: Path) -> None:
    line, screen = press_tab(shell, "msmqctl context s", home)
    assert line == "msmqctl context s"
    assert {"show", "select"} <= set(screen.split())


def test_zsh_shows_the_help_of_each_candidate(home: Path) -> None:
    assert "-- Use a context from now on." in press_tab("zsh", "msmqctl context s", home)[1]


@pytest.mark.parametrize(("typed", "line"), LINES)
def test_tab_in_a_real_fish(typed: str, line: str, home: Path) -> None:
    """fish tells by itself what TAB would offer; each offer stands for the last word."""
    ask = 'source scripts/msmqctl.fish; complete --do-complete "$argv"'
    done = subprocess.run(
        [tool("fish"), "--no-config", "-c", ask, typed], cwd=home, env=surroundings(home), capture_output=True, text=True, check=True
    )
    offered = [offer.partition("\t")[0] for offer in done.stdout.splitlines()]
    wanted = line.rstrip().rpartition(" ")[2]
    # A finished line ends in a space or a slash and has one offer; any other only goes as far as all offers agree.
    assert offered == ([wanted] if line.endswith((" ", "/")) else [f"{wanted}b", f"{wanted}ke"])
    assert done.stderr == ""


def test_fish_shows_the_help_of_each_candidate(home: Path) -> None:
    ask = 'source scripts/msmqctl.fish; complete --do-complete "msmqctl context se"'
    done = subprocess.run(
        [tool("fish"), "--no-config", "-c", ask], cwd=home, env=surroundings(home), capture_output=True, text=True, check=True
    )
    assert done.stdout == "select\tUse a context from now on.\n"


CHECKERS = {"msmqctl.bash": ["bash", "-n"], "_msmqctl": ["zsh", "-n"], "msmqctl.fish": ["fish", "--no-execute"]}


@pytest.mark.parametrize("name", CHECKERS)
def test_a_shell_can_parse_its_script(name: str, home: Path) -> None:
    program, flag = CHECKERS[name]
    done = subprocess.run([tool(program), flag, str(home / "scripts" / name)], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_the_powershell_script_asks_the_same_question() -> None:
    """Its text alone: no PowerShell runs where these tests run, so what TAB does there is not proven."""
    script = SCRIPTS["msmqctl.ps1"]
    assert "Register-ArgumentCompleter -Native -CommandName msmqctl -ScriptBlock {" in script
    assert f'$env:{COMPLETE_VARIABLE} = "{COMPLETE_PREFIX}$wordToComplete"' in script
    assert script.index("} finally {") < script.index(f"Remove-Item Env:{COMPLETE_VARIABLE}")
    for opening, closing in ("{}", "()", "[]"):
        assert script.count(opening) == script.count(closing)


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_asks_the_question_that_the_program_answers(name: str) -> None:
    assert COMPLETE_VARIABLE in SCRIPTS[name]
    assert f'"{COMPLETE_PREFIX}' in SCRIPTS[name]
    assert SCRIPTS[name].isascii()
