"""Settings that hold for every test: reproducible examples, no user configuration, no colours."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A shell that runs the tests in the background ignores Ctrl-C for them and for the programs that they start; those are tested with it.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("suite", deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.load_profile("suite")


@pytest.fixture(autouse=True)
def _own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees, or changes, the configuration or the store of the person who runs it."""
    for name in list(os.environ):
        if name.startswith("MSMQCTL_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("MSMQCTL_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
