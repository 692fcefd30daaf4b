"""Run the program inside the test's own process, with nothing between the words and the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from msmqctl.cli.app import run as run_program
from msmqctl.cli.nouns import Noun


@dataclass(frozen=True, slots=True)
class Answer:
    """What the program did."""

    code: int
    out: str
    err: str


Run = Callable[..., Answer]


@pytest.fixture(autouse=True)
def _plain_help(monkeypatch: pytest.MonkeyPatch) -> None:
    """Typer takes some build servers for terminals; help must look the same everywhere."""
    monkeypatch.setenv("_TYPER_FORCE_DISABLE_TERMINAL", "1")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """`run("context", "list")` gives the exit code and both streams."""

    def run_words(*words: str, nouns: Mapping[str, Noun] | None = None) -> Answer:
        capsys.readouterr()
        code = run_program(words, nouns)
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return run_words
