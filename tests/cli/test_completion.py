"""Completion: the question and the answer, and a real bash that asks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from msmqctl.cli import config
from msmqctl.cli.completion import SCRIPTS, candidates
from tests.cli.conftest import Run

ROOT = Path(__file__).resolve().parents[2]


def values(*words: str) -> list[str]:
    *finished, word = words
    return [line.partition("\t")[0] for line in candidates(finished, word)]


def test_nouns_with_their_help() -> None:
    assert candidates([], "con") == ["context\tName connections once, and use them by name."]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("context", "a"), ["add"]),
        (("context", "s"), ["show", "select"]),
        (("-q", "context", "re"), ["remove"]),
        (("--con",), ["--context", "--connect-timeout"]),
        (("context", "remove", "--d"), ["--debug", "--dry-run"]),
        (("context", "list", "--d"), ["--debug"]),
        (("-o", ""), ["table", "json", "ndjson", "csv"]),
        (("context", "list", "--output", "j"), ["json"]),
        (("context", "list", "--output=j"), ["json"]),
        (("context", "list", "--output", "=", "j"), ["json"]),
        (("context", "list", "--output", "="), ["table", "json", "ndjson", "csv"]),
        (("context", "add", "x", "--host", ""), []),
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
    (config.folder()).mkdir()
    (config.folder() / "contexts").write_text("not a folder")
    monkeypatch.setenv("_MSMQCTL_COMPLETE", "complete:")
    for words in (("context", "select"), ("--bogus",), ("context", "nosuch", "x")):
        answer = run(*words)
        assert (answer.code, answer.err) == (0, "")


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
@pytest.mark.parametrize(
    ("line", "found"),
    [
        (["msmqctl", "con"], ["context"]),
        (["msmqctl", "context", "a"], ["add"]),
        (["msmqctl", "context", ""], ["add", "list", "show", "select", "remove", "check"]),
        (["msmqctl", "context", "list", "--output", "=", "nd"], ["ndjson"]),
        (["msmqctl", "docs", "man", "--dir", ""], []),
    ],
)
def test_in_a_real_bash(line: list[str], found: list[str]) -> None:
    script = """
        source "$1"; shift
        [[ "$(complete -p msmqctl)" == *"-F _msmqctl msmqctl" ]] || exit 9
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _msmqctl msmqctl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    bash = ["bash", "--norc", "-c", script, "bash", str(ROOT / "completions" / "msmqctl.bash"), *line]
    done = subprocess.run(bash, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == found


SHELLS = {"msmqctl.bash": ["bash", "-n"], "_msmqctl": ["zsh", "-n"], "msmqctl.fish": ["fish", "--no-execute"]}


@pytest.mark.parametrize("name", SHELLS)
def test_a_shell_that_is_here_can_parse_its_script(name: str, tmp_path: Path) -> None:
    if not shutil.which(SHELLS[name][0]):
        pytest.skip(f"{SHELLS[name][0]} is not installed")
    (tmp_path / name).write_text(SCRIPTS[name])
    subprocess.run([*SHELLS[name], str(tmp_path / name)], check=True)
