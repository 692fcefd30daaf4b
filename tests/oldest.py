"""Print the oldest versions that pyproject.toml allows of what the program and its tests need, as pip arguments."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

RUNS_TESTS = ("hypothesis", "pytest", "pytest-xdist")


def oldest(requirement: str) -> str:
    """`name>=1.2,<2` as `name==1.2`."""
    match = re.match(r"([A-Za-z0-9._-]+)(?:\[.*\])?>=([0-9.]+)", requirement)
    if match is None:
        raise SystemExit(f"{requirement}: no lower bound")
    return f"{match[1]}=={match[2]}"


def main() -> None:
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tools = [line for line in project["optional-dependencies"]["dev"] if line.partition(">=")[0] in RUNS_TESTS]
    for requirement in [*project["dependencies"], *tools]:
        print(oldest(requirement))


if __name__ == "__main__":
    main()
