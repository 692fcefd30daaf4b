"""Kill a working process again and again, as often as asked, and hold the store to what was said before each kill.

    python tests/bench/killed.py [kills, 500 unless told] [seed, from the clock unless told]

Prints one JSON object; ends with a traceback at the first store that lost, doubled or tore something.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from tests.qm.victim import kill_again_and_again

# What a store holds grows with each kill, and so does the time to look through it: begin a new one now and then.
KILLS_A_STORE = 25


def main(kills: int, seed: int) -> None:
    begun = time.monotonic()
    said = {"sent": 0, "got": 0, "moved": 0, "committed": 0, "aborted": 0}
    for first in range(0, kills, KILLS_A_STORE):
        with tempfile.TemporaryDirectory() as folder:
            books = kill_again_and_again(str(Path(folder) / "queues.msmq"), min(KILLS_A_STORE, kills - first), seed + first)
        for kind in said:
            said[kind] += len(getattr(books, kind))
    print(json.dumps({"kills": kills, "seed": seed, "seconds": round(time.monotonic() - begun, 1), **said}))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500, int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns())
