"""An operator has a refused order, a capture of the wire and a code from a log: from there to what to do, with the real program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from msmqctl.ops.demo import order, session_octets
from msmqctl.wire.values import MessageClass


def msmqctl(*words: str, folder: Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "MSMQCTL_CONFIG_HOME": str(folder / "config"), "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, "-m", "msmqctl", *words], cwd=folder, env=environment, input=stdin, capture_output=True, check=False
    )


def test_from_the_capture_to_the_advice(tmp_path: Path) -> None:
    (tmp_path / "wire.bin").write_bytes(session_octets())
    decoded = msmqctl("decode", "wire.bin", "-o", "json", folder=tmp_path)
    assert decoded.returncode == 0, decoded.stderr
    items = json.loads(decoded.stdout)["items"]
    assert [item["kind"] for item in items] == ["establish connection", "user message", "user message"]

    def field(item: int, structure: str, name: str) -> dict[str, object]:
        node = next(node for node in items[item]["structures"] if node["name"] == structure)
        found: dict[str, object] = next(field for field in node["fields"] if field["name"] == name)
        return found

    refusal = field(2, "MessagePropertiesHeader", "message_class")
    assert refusal["value"] == MessageClass.MQMSG_CLASS_NACK_ACCESS_DENIED
    # The refusal names the very message that it answers.
    sent = order(5)
    assert field(2, "MessagePropertiesHeader", "correlation_id")["meaning"] == f"message {sent.identifier.plain}"

    explained = msmqctl("explain", str(refusal["value"]), "-o", "json", folder=tmp_path)
    assert explained.returncode == 0
    (meaning, *_) = json.loads(explained.stdout)
    assert meaning["name"] == "MQMSG_CLASS_NACK_ACCESS_DENIED"
    assert len(meaning["steps"]) >= 2

    destination = str(field(1, "UserHeader", "destination_queue")["meaning"])
    resolved = msmqctl("resolve", destination, "-o", "json", folder=tmp_path)
    assert resolved.returncode == 0
    answer = json.loads(resolved.stdout)
    assert (answer["can_send"], answer["transports"][0]["port"]) == (True, 1801)


def test_the_same_bytes_from_a_pipe_and_cut_off(tmp_path: Path) -> None:
    octets = session_octets()
    whole = msmqctl("decode", "-", "-o", "ndjson", folder=tmp_path, stdin=octets)
    cut = msmqctl("decode", "-", "-o", "ndjson", folder=tmp_path, stdin=octets[:-10])
    assert (whole.returncode, cut.returncode) == (0, 65)
    lines = cut.stdout.splitlines()
    assert whole.stdout.splitlines()[: len(lines) - 1] == lines[:-1]
    error = json.loads(cut.stderr)["error"]
    assert error["message"].endswith("10 octets missing")
