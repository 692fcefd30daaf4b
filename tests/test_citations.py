"""Citations mean something: every requirement id on a test exists, and README tells every departure that the code makes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
REQUIREMENTS = TESTS / "data" / "requirements"
DEPARTURE = re.compile(r"# Departs from (\[[A-Z]{2}-[A-Z]+\] [0-9.]*[0-9A-Za-z]): (.+)\.$")


def known_ids() -> set[str]:
    return {line for path in REQUIREMENTS.glob("*.txt") for line in path.read_text(encoding="utf-8").split()}


def citations() -> Iterator[tuple[Path, int, str]]:
    """Each id in a `pytest.mark.spec(...)`, with its place."""
    for path in sorted(TESTS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.spec":
                assert node.args, f"{path}:{node.lineno}: cites nothing"
                for argument in node.args:
                    assert isinstance(argument, ast.Constant), f"{path}:{node.lineno}: {ast.unparse(argument)} is not an id"
                    yield path, node.lineno, str(argument.value)


def test_every_cited_id_is_in_a_checklist() -> None:
    known = known_ids()
    assert len(known) > 2000
    unknown = [f"{path.name}:{line}: {cited}" for path, line, cited in citations() if cited not in known]
    assert unknown == []


def test_marks_are_on_tests() -> None:
    """A mark on anything but a test function would look like a citation and check nothing."""
    for path in TESTS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any("mark.spec" in ast.unparse(mark) for mark in node.decorator_list):
                assert node.name.startswith("test_"), f"{path.name}:{node.lineno}"


def departures_in_code() -> list[str]:
    found = []
    for path in sorted((ROOT / "msmqctl").rglob("*.py")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if "Departs from [" in line:
                match = DEPARTURE.search(line.strip())
                assert match is not None, f"{path.name}:{number}: write `# Departs from [DOC] section: reason.` on one line"
                found.append(f"- {match[1]}: {match[2]} (`{path.relative_to(ROOT).as_posix()}`)")
    return sorted(found)


def departures_in_readme() -> list[str]:
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Where we depart from the documents\n")[2]
    return [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("- ")]


def test_the_readme_lists_every_departure() -> None:
    assert departures_in_code()
    assert departures_in_readme() == departures_in_code()
