"""The programs beside Python that tests drive. A test that needs one fails where it is missing: skipped, it would prove nothing."""

from __future__ import annotations

import shutil


def tool(name: str) -> str:
    """The path of the program `name`."""
    path = shutil.which(name)
    assert path, f"{name} is not installed, and this test drives it: run tests/run as root, which installs all that the tests need."
    return path
