"""The documentation is true: generated files are fresh, and every example in help, cheats, README and examples/ runs.

Examples of one block run in order, in a scratch folder with a configuration of its own, by bash. A line is expected to
exit 0, or with the number of a trailing `# exit N`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from msmqctl.cli import completion, manual
from msmqctl.cli.nouns import NOUNS
from tests.tools import tool

ROOT = Path(__file__).resolve().parent.parent
TREE = manual.describe()
LEAVES = {leaf.path: leaf for noun in TREE.below for leaf in noun.leaves()}
CHEATS = sorted((ROOT / "msmqctl" / "cli" / "cheats").glob("*.md"))
SCRIPTS = sorted((ROOT / "examples").glob("*.sh"))

_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"\s+# exit (\d+)$")


def console_blocks(path: Path) -> Iterator[list[str]]:
    """The commands, after `$ `, of each console block of a Markdown file; a line that ends in a backslash goes on in the next."""
    for block in _BLOCK.findall(path.read_text(encoding="utf-8")):
        lines = re.sub(r"\\\n(> )?", "", block).splitlines()
        yield [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]


def bash(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "MSMQCTL_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
        "HOME": str(folder),
        "_TYPER_FORCE_DISABLE_TERMINAL": "1",  # some build servers pass for terminals
    }
    return subprocess.run(
        [tool("bash"), "-c", script],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def run_in_order(lines: list[str], folder: Path) -> None:
    """Run the lines in one shell, each to the exit code that it says."""
    steps = []
    for line in lines:
        found = _EXIT.search(line)
        expected = found[1] if found else "0"
        steps.append(f"{{ {_EXIT.sub('', line)}\n}}; code=$?")
        steps.append(f'[ $code -eq {expected} ] || {{ echo "exit $code, not {expected}" >&2; exit 99; }}')
    done = bash("set -o pipefail\n" + "\n".join(steps), folder)
    assert done.returncode == 0, f"{lines}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr


# --- the generated files ---


@pytest.mark.parametrize(("folder", "wanted"), [("man", manual.pages()), ("completions", dict(completion.SCRIPTS))])
def test_generated_files_are_fresh(folder: str, wanted: dict[str, str]) -> None:
    files = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
    found = {path.relative_to(ROOT / folder).as_posix(): path.read_text(encoding="utf-8") for path in files}
    assert found.keys() == wanted.keys(), f"run: msmqctl docs {folder}"
    assert [name for name in wanted if found[name] != wanted[name]] == [], f"run: msmqctl docs {folder}"


# --- completeness ---


@pytest.mark.parametrize("path", LEAVES)
def test_every_command_has_examples_that_fit_a_terminal(path: str) -> None:
    examples = LEAVES[path].examples
    assert any(path in example for example in examples)
    # Help indents by three, and a line that is folded cannot be copied.
    assert [example for example in examples if len(example) > 76] == []


def test_every_noun_has_a_cheat() -> None:
    assert [path.stem for path in CHEATS] == sorted(NOUNS)


def test_every_option_is_explained() -> None:
    unexplained = [
        f"{path} {parameter.written}"
        for path, leaf in LEAVES.items()
        for parameter in (*leaf.arguments, *leaf.options, *leaf.global_options)
        if not parameter.help
    ]
    assert unexplained == []


@pytest.mark.parametrize("path", ["msmqctl", *(noun.path for noun in TREE.below if noun.below), *LEAVES])
def test_help_shows_every_word(path: str, tmp_path: Path) -> None:
    """Nothing is taken for markup and lost."""
    done = bash(f"COLUMNS=200 {path} --help", tmp_path)
    assert done.returncode == 0
    if path in LEAVES:
        shown = " ".join(done.stdout.split())
        leaf = LEAVES[path]
        for text in (leaf.summary, *leaf.paragraphs, *leaf.examples):
            assert " ".join(text.split()) in shown
        for parameter in (*leaf.arguments, *leaf.options, *leaf.global_options):
            assert set(parameter.help.partition(" The default is")[0].split()) <= set(shown.split())


# --- examples run ---


@pytest.mark.parametrize("path", LEAVES)
def test_the_examples_of_a_command(path: str, tmp_path: Path) -> None:
    run_in_order(list(LEAVES[path].examples), tmp_path)


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda path: path.stem)
def test_the_examples_of_a_cheat(cheat: Path, tmp_path: Path) -> None:
    blocks = list(console_blocks(cheat))
    assert blocks
    for number, block in enumerate(blocks):
        folder = tmp_path / str(number)
        folder.mkdir()
        run_in_order(block, folder)


def test_the_examples_of_the_readme(tmp_path: Path) -> None:
    for number, block in enumerate(console_blocks(ROOT / "README.md")):
        folder = tmp_path / str(number)
        folder.mkdir()
        run_in_order([line for line in block if "msmqctl" in line and not line.startswith(("pip ", "git "))], folder)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_the_examples_folder(script: Path, tmp_path: Path) -> None:
    assert re.match(r"#!/usr/bin/env bash\n# \w", script.read_text(encoding="utf-8")), "an example begins by saying what it is for"
    done = bash(f"TMPDIR=. bash '{script}'", tmp_path)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == [], "an example leaves nothing behind, and nothing of the user's is changed"
