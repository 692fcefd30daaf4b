"""A real server in a process of its own, for tests that run beside it."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def serving(store: Path) -> Iterator[subprocess.Popen[str]]:
    """The server of a store, ready; it has to stop cleanly, unless the test has ended it before."""
    command = [sys.executable, "-m", "msmqctl", "serve", "--store", str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        try:
            assert server.stdout.readline().startswith(f"serving {store}"), server.stderr.read()
            yield server
            if server.poll() is None:
                server.send_signal(signal.SIGTERM)
                assert (server.wait(30), server.stderr.read()) == (0, "")
        finally:
            if server.poll() is None:
                server.kill()
