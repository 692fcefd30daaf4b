"""What a command works with: asking, dry runs, notes, progress, input. Terminals are streams that say they are one, or a real one."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from msmqctl.cli.ending import CommandLineError, Declined
from msmqctl.cli.options import Flags
from msmqctl.cli.render import PIPE, Format
from msmqctl.cli.session import Session, surface_of
from msmqctl.errors import DecodeError, InputError
from tests.cli.conftest import Run
from tests.cli.nouns import NOUNS, box
from tests.cli.nouns.box import Thing


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


Pretend = Callable[[str], Terminal]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Pretend:
    """`terminal("y\\n")` makes terminals of standard error, which it gives, and of standard input, which has that answer."""

    # Called by the test and not done here: pytest puts its own streams back between the two.
    def pretend(answer: str) -> Terminal:
        monkeypatch.setattr(sys, "stdin", Terminal(answer))
        monkeypatch.setattr(sys, "stderr", stderr := Terminal())
        return stderr

    return pretend


# --- asking ---


def test_it_asks_on_a_terminal(terminal: Pretend) -> None:
    stderr = terminal("y\n")
    Session(Flags()).confirm("Throw it away?")
    assert stderr.getvalue() == "Throw it away? [y/N] "


@pytest.mark.parametrize("answer", ["n\n", "\n", "", "yess\n"])
def test_anything_but_yes_is_no(terminal: Pretend, answer: str) -> None:
    terminal(answer)
    with pytest.raises(Declined):
        Session(Flags()).confirm("Throw it away?")


def test_yes_does_not_ask(terminal: Pretend) -> None:
    stderr = terminal("")
    Session(Flags(yes=True)).confirm("Throw it away?")
    assert stderr.getvalue() == ""


@pytest.mark.parametrize("gone", ["stdin", "stderr"])
def test_without_a_terminal_it_refuses(terminal: Pretend, monkeypatch: pytest.MonkeyPatch, gone: str) -> None:
    terminal("y\n")
    monkeypatch.setattr(sys, gone, io.StringIO("y\n"))
    with pytest.raises(CommandLineError, match="no terminal") as caught:
        Session(Flags()).confirm("Throw it away?")
    assert "--yes" in (caught.value.hint or "")


def test_a_question_is_harmless(terminal: Pretend) -> None:
    stderr = terminal("y\n")
    Session(Flags()).confirm("Delete \x1b[2J?")
    assert "\x1b" not in stderr.getvalue()


def test_destroying_refuses_without_a_terminal_and_does_nothing(run: Run) -> None:
    box.THINGS[:] = [Thing("a", 1)]
    answer = run("box", "empty", nouns=NOUNS)
    assert (answer.code, answer.out, len(box.THINGS)) == (2, "", 1)
    assert "--yes" in answer.err


def test_destroying_with_yes(run: Run) -> None:
    box.THINGS[:] = [Thing("a", 1)]
    answer = run("box", "empty", "--yes", nouns=NOUNS)
    assert (answer.code, answer.err, box.THINGS) == (0, "the box is empty.\n", [])


@pytest.mark.parametrize(
    ("words", "out"),
    [
        ((), "would throw away all things\n"),
        (("-o", "ndjson"), '{"would": "throw away all things"}\n'),
        (("-q",), "would throw away all things\n"),
    ],
)
def test_a_dry_run_says_what_it_would_do(run: Run, words: tuple[str, ...], out: str) -> None:
    box.THINGS[:] = [Thing("a", 1)]
    answer = run("box", "empty", "--dry-run", "--yes", *words, nouns=NOUNS)
    assert (answer.code, answer.out, len(box.THINGS)) == (0, out, 1)


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("typed", "code", "left"), [(b"y\n", 0, False), (b"n\n", 130, True)])
def test_on_a_real_terminal(tmp_path: Path, typed: bytes, code: int, left: bool) -> None:
    context = tmp_path / "config" / "contexts" / "lab.toml"
    context.parent.mkdir(parents=True)
    context.touch()
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "msmqctl", "context", "remove", "lab"]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        seen = b""
        while b"[y/N]" not in seen:
            seen += os.read(ours, 1000)
        os.write(ours, typed)
        assert process.wait(timeout=20) == code
    os.close(ours)
    assert b"Remove the context lab? [y/N]" in seen
    assert context.exists() == left


# --- colours, notes, progress ---


def test_a_pipe_has_no_colours_and_no_width() -> None:
    assert surface_of(io.StringIO()) == PIPE


@pytest.mark.parametrize(
    ("environment", "colours"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_a_terminal_may_have_colours(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], colours: bool) -> None:
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("WT_SESSION", "1")
    assert surface_of(Terminal()).colours == colours


def test_headings_and_empty_lines_are_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    for output in Format:
        s = Session(Flags(output=output))
        s.heading("packet \x1b[2J")
        s.separate()
        assert capsys.readouterr().out == ("packet \\x1b[2J\n\n" if output is Format.TABLE else "")


def test_a_note_is_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    Session(Flags()).note("\x1b[2J")
    assert capsys.readouterr().err == "\\x1b[2J\n"


def test_progress_is_for_terminals(terminal: Pretend) -> None:
    stderr = terminal("")
    with Session(Flags()).progress("reading [red]\x1b", total=2) as advance:
        advance(1)
        advance(1)
    assert "reading [red]\\x1b" in stderr.getvalue()


@pytest.mark.parametrize("flags", [Flags(quiet=True), Flags(output=Format.JSON)])
def test_progress_is_silent_when_asked(terminal: Pretend, flags: Flags) -> None:
    stderr = terminal("")
    with Session(flags).progress("reading") as advance:
        advance(1)
    assert stderr.getvalue() == ""


def test_progress_in_a_pipe_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    with Session(Flags()).progress("reading") as advance:
        advance(1)
    assert capsys.readouterr() == ("", "")


# --- input ---


def test_reading_a_file_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in").write_bytes(b"\x00\xff")
    assert Session(Flags()).read_bytes(str(tmp_path / "in")) == b"\x00\xff"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xfe")))
    assert Session(Flags()).read_bytes("-") == b"\xfe"


@pytest.mark.parametrize("source", ["none", ".", "a\x00b"])
def test_a_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="cannot be read") as caught:
        Session(Flags()).read_bytes(source)
    assert caught.value.message.isprintable()


def test_input_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"123")
    assert Session(Flags()).read_bytes(str(tmp_path / "in"), limit=3) == b"123"
    with pytest.raises(DecodeError, match="more than 2 bytes"):
        Session(Flags()).read_bytes(str(tmp_path / "in"), limit=2)
