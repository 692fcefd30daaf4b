"""What a prompt pays: which modules are loaded before a command has done anything."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"impacket", "ldap3", "lxml", "pyarrow", "pyspark", "cryptography", "numpy", "pandas"}


def loaded_by(*words: str) -> set[str]:
    """The modules that a run of the program imports."""
    command = [sys.executable, "-X", "importtime", "-m", "msmqctl", *words]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}


def test_version_loads_nothing() -> None:
    loaded = loaded_by("--version")
    assert not loaded & {"typer", "rich", "platformdirs", "tomllib", "json", "dataclasses"}


@pytest.mark.parametrize("words", [("--help",), ("context", "--help")])
def test_help_loads_nothing_heavy(words: tuple[str, ...]) -> None:
    loaded = loaded_by(*words)
    assert "typer" in loaded
    assert not {name.partition(".")[0] for name in loaded} & HEAVY
    assert "msmqctl.cli.docs" not in loaded


def test_help_loads_no_noun() -> None:
    assert not loaded_by("--help") & {"msmqctl.cli.context", "msmqctl.cli.docs", "msmqctl.cli.manual"}


@pytest.mark.parametrize("words", [("context", "list", "-o", "json"), ("context", "show", "-o", "csv"), ("docs", "cheat", "context")])
def test_only_a_table_or_help_loads_rich(words: tuple[str, ...]) -> None:
    assert not {name for name in loaded_by(*words) if name.startswith("rich.")}


def test_without_a_context_no_toml_is_read() -> None:
    assert not loaded_by("context", "list") & {"tomllib", "tomli_w", "platformdirs"}
