"""Where the server of a store listens, as a file beside the store says. Every command looks here first, so nothing heavy is imported.

store.db         the store, locked by the server
store.db.link    where the server listens and the key, written when it is ready and deleted when it stops
"""

from __future__ import annotations

import json
from pathlib import Path

from msmqctl.wire.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Address:
    """What the file beside the store says."""

    port: int
    key: str
    version: str

    @classmethod
    def read(cls, store: Path) -> Address | None:
        """Where a server of this store may listen; None if no file says so, or not in a way that can be understood."""
        try:
            said = json.loads(file_of(store).read_text(encoding="utf-8"))
            return cls(int(said["port"]), str(said["key"]), str(said["version"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None


def file_of(store: Path) -> Path:
    return store.with_name(f"{store.name}.link")
