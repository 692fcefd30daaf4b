"""The generator of manual pages and reference, and the commands that write and check the generated files."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from msmqctl.cli.app import EXIT_CODES
from msmqctl.cli.manual import describe, pages, roff, split_help
from msmqctl.cli.nouns import NOUNS
from tests.cli.conftest import Run


def test_a_help_text_taken_apart() -> None:
    text = "Do it.\n\nA longer\nparagraph.\n\nAnother.\n\nExamples:\n  msmqctl do it\n  msmqctl do that  # exit 4"
    assert split_help(text) == ("Do it.", ("A longer paragraph.", "Another."), ("msmqctl do it", "msmqctl do that  # exit 4"))
    assert split_help("Do it.") == ("Do it.", (), ())
    assert split_help("") == ("", (), ())


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain", "plain"),
        (r".\private$\orders", r"\&.\(rsprivate$\(rsorders"),
        ("--dry-run", r"\-\-dry\-run"),
        ("'quoted' `this` ~ ^", r"\(aqquoted\(aq \(gathis\(ga \(ti \(ha"),
    ],
)
def test_roff(text: str, written: str) -> None:
    assert roff(text) == written


@pytest.mark.skipif(not shutil.which("groff"), reason="needs groff")
@settings(max_examples=40)
@given(st.lists(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=12), min_size=1, max_size=20))
def test_no_text_is_lost_or_obeyed(words: list[str]) -> None:
    # One word a line in a block that is not filled, so that the lines come out as they went in.
    page = "\n".join((".TH X 1", ".SH X", ".nf", *map(roff, words))) + "\n"
    done = subprocess.run(
        ["groff", "-man", "-Tascii", "-P-c", "-P-b", "-P-u", "-P-o", "-ww"], input=page, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert [line.strip() for line in done.stdout.splitlines() if line.startswith("       ")][: len(words)] == words


def test_one_page_a_noun_and_the_reference() -> None:
    assert set(pages()) == {"msmqctl.1", "reference.md", *(f"msmqctl-{noun}.1" for noun in NOUNS)}


def test_the_same_tree_gives_the_same_text(monkeypatch: pytest.MonkeyPatch) -> None:
    first = pages()
    monkeypatch.setenv("COLUMNS", "40")
    assert pages() == first


def test_everything_is_in_the_pages() -> None:
    found = pages()
    for noun in describe().below:
        page = found[f"{noun.path.replace(' ', '-')}.1"]
        for leaf in noun.leaves():
            assert roff(leaf.summary) in page
            assert f"{leaf.path} {leaf.usage}" in found["reference.md"]
            for parameter in leaf.own_parameters():
                assert roff(parameter.written) in page
                assert f"- `{parameter.written}`: {parameter.help}" in found["reference.md"]
            for example in leaf.examples:
                assert roff(example) in page
                assert example in found["reference.md"]
    for code, meaning in EXIT_CODES.items():
        assert f".B {code}\n" in found["msmqctl.1"]
        assert f"| {code} | {meaning} |" in found["reference.md"]


LINTERS = {"groff": ["groff", "-man", "-Tutf8", "-ww", "-z"], "mandoc": ["mandoc", "-T", "lint"]}


@pytest.mark.parametrize("linter", LINTERS)
@pytest.mark.parametrize("name", [name for name in pages() if name.endswith(".1")])
def test_pages_are_clean(linter: str, name: str, tmp_path: Path) -> None:
    if not shutil.which(linter):
        pytest.skip(f"{linter} is not installed")
    (tmp_path / name).write_text(pages()[name])
    done = subprocess.run([*LINTERS[linter], str(tmp_path / name)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# --- docs man, docs completions, docs cheat ---


@pytest.mark.parametrize("verb", ["man", "completions"])
def test_write_then_check(run: Run, tmp_path: Path, verb: str) -> None:
    words = ("docs", verb, "--dir", str(tmp_path / "out"), "-o", "json")
    assert run(*words, "--check").code == 5
    assert not (tmp_path / "out").exists()
    assert run(*words, "--dry-run").code == 0
    assert not (tmp_path / "out").exists()
    written = run(*words)
    assert {row["state"] for row in json.loads(written.out)} == {"written"}
    fresh = run(*words, "--check")
    assert (fresh.code, {row["state"] for row in json.loads(fresh.out)}) == (0, {"fresh"})


def test_a_stale_file_is_named(run: Run, tmp_path: Path) -> None:
    run("docs", "man", "--dir", str(tmp_path))
    (tmp_path / "msmqctl.1").write_text("old")
    answer = run("docs", "man", "--dir", str(tmp_path), "--check")
    assert answer.code == 5
    assert answer.err == "not up to date: msmqctl.1.\nhint: write them again without --check.\n"
    assert "stale" in answer.out
    assert (tmp_path / "msmqctl.1").read_text() == "old"


def test_a_folder_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    answer = run("docs", "man", "--dir", str(tmp_path / "file"))
    assert answer.code == 74
    assert "cannot be written" in answer.err


def test_cheats(run: Run) -> None:
    assert [row["noun"] for row in json.loads(run("docs", "cheat", "-o", "json").out)] == sorted(NOUNS)
    assert run("docs", "cheat", "context").out.startswith("# Contexts: name a connection once\n")
    assert json.loads(run("docs", "cheat", "context", "-o", "json").out)["noun"] == "context"
    unknown = run("docs", "cheat", "queues")
    assert unknown.code == 2
    assert ", ".join(sorted(NOUNS)) in unknown.err
