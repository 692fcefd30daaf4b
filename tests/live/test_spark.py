"""A real Spark, embedded, on the Java that pip brought: from packets to a table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.xdist_group("spark")
def test_the_tour_ends_on_spark_with_the_java_from_pip(tmp_path: Path) -> None:
    """The search path has what a shell script needs and no Java, so the runtime from the wheel has to do."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "sh", "env", "dirname", "ps", "cat", "uname", "ls", "grep", "nice", "nohup", "mkdir", "hostname"):
        real = next((folder for folder in map(Path, ("/usr/bin", "/bin")) if (folder / name).exists()), None)
        if real is not None:
            (tools / name).symlink_to(real / name)
    environment = {key: value for key, value in os.environ.items() if key not in ("JAVA_HOME", "SPARK_HOME")}
    environment |= {"PATH": str(tools), "XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-m", "msmqctl", "demo", "-o", "ndjson"], env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert ran.returncode == 0, ran.stderr
    counted = [json.loads(line) for line in ran.stdout.splitlines() if '"message_class"' in line and '"messages"' in line]
    assert counted == [
        {"message_class": "MQMSG_CLASS_NORMAL", "queue": "OS:warehouse\\private$\\orders", "messages": 1000},
        {"message_class": "MQMSG_CLASS_NACK_ACCESS_DENIED", "queue": "17", "messages": 200},
        {"message_class": "MQMSG_CLASS_NACK_Q_EXCEED_QUOTA", "queue": "17", "messages": 72},
    ]
    assert "WARN" not in ran.stderr
    assert "Exception" not in ran.stderr
    assert (tmp_path / "cache" / "msmqctl").is_dir()
