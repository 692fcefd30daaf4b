"""The generator of manual pages and reference, and the commands that write and check the generated files."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from msmqctl.cli.app import EXIT_CODES
from msmqctl.cli.manual import _prose, describe, pages, roff, split_help
from msmqctl.cli.nouns import NOUNS
from tests.cli.conftest import Run
from tests.tools import tool


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


@settings(max_examples=40)
@given(st.lists(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=12), min_size=1, max_size=20))
def test_no_text_is_lost_or_obeyed(words: list[str]) -> None:
    # One word a line in a block that is not filled, so that the lines come out as they went in.
    page = "\n".join((".TH X 1", ".SH X", ".nf", *map(roff, words))) + "\n"
    done = subprocess.run(
        [tool("groff"), "-man", "-Tascii", "-P-c", "-P-b", "-P-u", "-P-o", "-ww"], input=page, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert [line.strip() for line in done.stdout.splitlines() if line.startswith("       ")][: len(words)] == words


def test_one_page_a_noun_and_the_reference() -> None:
    assert set(pages()) == {"man1/msmqctl.1", "reference.md", *(f"man1/msmqctl-{noun}.1" for noun in NOUNS)}


def test_the_same_tree_gives_the_same_text(monkeypatch: pytest.MonkeyPatch) -> None:
    first = pages()
    monkeypatch.setenv("COLUMNS", "40")
    assert pages() == first


def test_everything_is_in_the_pages() -> None:
    found = pages()
    for noun in describe().below:
        page = found[f"man1/{noun.path.replace(' ', '-')}.1"]
        in_one_line = page.replace("\n", " ").replace(r" \&.", " .")
        for leaf in noun.leaves():
            for text in (leaf.summary, *leaf.paragraphs, *(parameter.help for parameter in leaf.own_parameters())):
                assert roff(text) in in_one_line
            assert f"{leaf.path} {leaf.usage}" in found["reference.md"]
            for parameter in leaf.own_parameters():
                assert roff(parameter.written) in page
                assert f"- `{parameter.written}`: {parameter.help}" in found["reference.md"]
            for example in leaf.examples:
                assert roff(example) in page
                assert example in found["reference.md"]
    for code, meaning in EXIT_CODES.items():
        assert f".B {code}\n" in found["man1/msmqctl.1"]
        assert f"| {code} | {meaning} |" in found["reference.md"]


def test_a_long_line_is_folded_and_never_becomes_a_request() -> None:
    text = "One sentence that goes on and on, about .NET and .\\private$\\orders " * 3 + ".NET. Another."
    folded = list(_prose(text))
    assert folded[-1] == "Another."
    assert max(map(len, folded)) <= 80
    assert not [line for line in folded if line.startswith((".", "'"))]
    assert " ".join(folded).replace(r"\&", "") == roff(text)


LINTERS = {"groff": ("-man", "-Tutf8", "-ww", "-z"), "mandoc": ("-T", "lint")}


@pytest.mark.parametrize("linter", LINTERS)
@pytest.mark.parametrize("name", [name for name in pages() if name.endswith(".1")])
def test_pages_are_clean(linter: str, name: str, tmp_path: Path) -> None:
    page = tmp_path / "page.1"
    page.write_text(pages()[name])
    done = subprocess.run([tool(linter), *LINTERS[linter], str(page)], capture_output=True, text=True, check=False)
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
    page = tmp_path / "man1" / "msmqctl.1"
    page.write_text("old")
    answer = run("docs", "man", "--dir", str(tmp_path), "--check")
    assert answer.code == 5
    assert answer.err == "not up to date: man1/msmqctl.1.\nhint: write them again without --check.\n"
    assert "stale" in answer.out
    assert page.read_text() == "old"


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
