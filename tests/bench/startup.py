"""What a prompt costs: our commands beside `python -c "import typer, rich"`, run in turn.

    python tests/bench/startup.py [ROUNDS]

Prints one JSON object with medians in milliseconds and ratios; exit 5 when a ratio is over its limit.
"""

from __future__ import annotations

import compileall
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PACKAGE = Path(__file__).parent.parent.parent / "msmqctl"
HEAVY = ("impacket", "ldap3", "lxml", "pyarrow", "pyspark")
BASELINE = ("-c", "import typer, rich")
# Command, and how many times the baseline it may cost.
COMMANDS: dict[str, tuple[tuple[str, ...], float]] = {
    "--version": (("-m", "msmqctl", "--version"), 1.5),
    "explain": (("-m", "msmqctl", "explain", "0xC00E0027"), 1.5),
    "--help": (("-m", "msmqctl", "--help"), 3.0),
    "queue list": (("-m", "msmqctl", "queue", "list"), 2.5),
    "message peek": (("-m", "msmqctl", "message", "peek", "orders"), 2.5),
}


def cost_ms(arguments: tuple[str, ...], environment: dict[str, str]) -> float:
    begin = time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - begin) * 1000


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    compileall.compile_dir(PACKAGE, quiet=2)  # as an installation has it
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "MSMQCTL_CONFIG_HOME": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["MSMQCTL_STORE"] = f"{folder}/store.db"
        cost_ms(("-m", "msmqctl", "queue", "create", "orders"), environment)
        cost_ms(("-m", "msmqctl", "message", "send", "orders", "--body", "two of the red ones"), environment)
        cost_ms(BASELINE, environment)
        times: dict[str, list[float]] = {name: [] for name in ("baseline", *COMMANDS)}
        for _ in range(rounds):
            times["baseline"].append(cost_ms(BASELINE, environment))
            for name, (arguments, _) in COMMANDS.items():
                times[name].append(cost_ms(arguments, environment))
        told = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "msmqctl", "--help"], env=environment, capture_output=True, text=True, check=True
        ).stderr
    medians = {name: statistics.median(values) for name, values in times.items()}
    ratios = {name: round(medians[name] / medians["baseline"], 2) for name in COMMANDS}
    loaded = [library for library in HEAVY if f" {library}\n" in told or f" {library}." in told]
    result = {
        "rounds": rounds,
        "median_ms": {name: round(value, 1) for name, value in medians.items()},
        "ratio": ratios,
        "help_loads": loaded,
    }
    print(json.dumps(result, indent=2))
    return 0 if not loaded and all(ratios[name] <= limit for name, (_, limit) in COMMANDS.items()) else 5


if __name__ == "__main__":
    sys.exit(main())
