"""Context files: what they may say, everything that may be wrong with them, and how they are written."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from msmqctl.cli import config
from msmqctl.cli.place import config_folder
from msmqctl.errors import ConfigError

FULL: dict[str, str | float] = {
    "store": "/var/lib/lab.db",
    "host": "mq1",
    "directory": "dc1",
    "user": "CORP\\admin",
    "password": "keyring:lab",
    "connect_timeout": 2.5,
    "output": "ndjson",
}


def put(text: str | bytes, name: str = "lab") -> Path:
    path = config_folder() / "contexts" / f"{name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_what_is_written_is_read_back() -> None:
    written = config.write("lab", FULL)
    assert config.read("lab") == written
    assert written.values == FULL


def test_a_file_is_flat_toml() -> None:
    put('host = "mq1"\nconnect_timeout = 5\n')
    assert config.read("lab").values == {"host": "mq1", "connect_timeout": 5.0}


def test_a_store_may_begin_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    put('store = "~/q.db"\n')
    assert config.read("lab").values == {"store": os.path.expanduser("~/q.db")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("host = \n", r"lab\.toml: not valid TOML: .*line 1"),
        ('host = "a"\nhost = "b"\n', r"not valid TOML: .*line 2"),
        ("\x00", "not valid TOML"),
        (b"\xff\xfe", "not UTF-8 text"),
        ('\nhst = "a"\n', r"lab\.toml, line 2, hst: there is no such setting"),
        ('[lab]\nhost = "a"\n', r"line 1, lab: there is no such setting"),
        ('a.b = "a"\n', r"line 1, a: there is no such setting"),
        ("host = 5\n", "line 1, host: text in quotes is expected here, not a number"),
        ("host = []\n", "host: text in quotes is expected here, not a list"),
        ('[host]\nname = "x"\n', "host: text in quotes is expected here, not a table"),
        ("host = 2024-01-01\n", "not a date or time"),
        ('host = ""\n', "host: it is empty"),
        ('host = "a\\u001bb"\n', "host: it is empty or has characters that cannot be printed"),
        ('connect_timeout = "5"\n', "connect_timeout: a number of seconds is expected here, not text"),
        ("connect_timeout = true\n", "connect_timeout: a number of seconds is expected here, not true or false"),
        ("connect_timeout = 0\n", "connect_timeout: it is not a number of seconds above zero"),
        ("connect_timeout = nan\n", "connect_timeout: it is not a number of seconds above zero"),
        ("connect_timeout = inf\n", "connect_timeout: it is not a number of seconds above zero"),
        ('output = "xml"\n', "output: it is not one of table, json, ndjson, csv"),
        ('host = "a"\npassword = "hunter2"\n', "line 2, password: a password is kept as a reference"),
    ],
)
def test_what_is_wrong_is_said_with_file_line_and_key(text: str | bytes, said: str) -> None:
    path = put(text)
    with pytest.raises(ConfigError, match=said) as caught:
        config.read("lab")
    assert caught.value.message.startswith(str(path))
    assert caught.value.hint
    assert "hunter2" not in f"{caught.value.message}{caught.value.hint}"
    assert caught.value.message.isprintable()


def test_a_missing_context_names_the_others() -> None:
    with pytest.raises(ConfigError, match="no context 'lab'") as caught:
        config.read("lab")
    assert caught.value.hint == "run: msmqctl context add lab --host HOST"
    config.write("other", {})
    with pytest.raises(ConfigError) as caught:
        config.read("lab")
    assert caught.value.hint == "the contexts are other."


def test_a_folder_in_place_of_a_file() -> None:
    (config_folder() / "contexts" / "lab.toml").mkdir(parents=True)
    with pytest.raises(ConfigError, match="cannot be read"):
        config.read("lab")
    (config_folder() / "selected").mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        config.selected()


def test_a_file_in_place_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MSMQCTL_CONFIG_HOME", str(tmp_path / "file"))
    assert config.names() == []
    assert config.selected() is None
    with pytest.raises(ConfigError, match="cannot be written"):
        config.write("lab", {})


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../lab", "a/b", "a\\b", "/etc/passwd", "-x", ".hidden", "a b", "a\n", "ä", "x" * 65, "nul", "CON", "com1.x", "a\x00"],
)
def test_a_name_cannot_lead_elsewhere(name: str) -> None:
    with pytest.raises(ConfigError, match="cannot be the name of a context") as caught:
        config.path_of(name)
    assert caught.value.message.isprintable()


@given(st.text())
def test_every_accepted_name_stays_in_the_folder(name: str) -> None:
    try:
        path = config.path_of(name)
    except ConfigError:
        return
    assert path.resolve().parent == (config_folder() / "contexts").resolve()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(st.binary(max_size=60) | st.text(alphabet='host="\n[]{}.#1u\\', max_size=40).map(str.encode))
def test_no_file_raises_anything_else(content: bytes) -> None:
    put(content)
    try:
        config.read("lab")
    except ConfigError as error:
        assert error.message.isprintable()  # noqa: PT017 - either outcome is right


def test_names_are_sorted_and_others_ignored() -> None:
    assert config.names() == []
    for name in ("b", "a"):
        config.write(name, {})
    put("", ".hidden")
    (config_folder() / "contexts" / "notes.txt").write_text("")
    assert config.names() == ["a", "b"]


def test_selecting() -> None:
    assert config.selected() is None
    config.select("lab")
    assert config.selected() == "lab"
    config.select(None)
    assert config.selected() is None
    (config_folder() / "selected").write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="not UTF-8"):
        config.selected()


def test_removing_the_selected_one_selects_none() -> None:
    for name in ("a", "b"):
        config.write(name, {})
    config.select("a")
    config.remove("b")
    assert config.selected() == "a"
    config.remove("a")
    assert (config.selected(), config.names()) == (None, [])


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
def test_only_the_owner_can_read() -> None:
    path = config.write("lab", FULL).path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700


def test_a_write_that_fails_leaves_the_old_file(monkeypatch: pytest.MonkeyPatch) -> None:
    path = config.write("lab", {"host": "old"}).path

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(ConfigError, match="No space left"):
        config.write("lab", {"host": "new"})
    assert config.read("lab").values == {"host": "old"}
    assert os.listdir(path.parent) == ["lab.toml"]


def test_what_could_not_be_read_back_is_not_written() -> None:
    with pytest.raises(ConfigError, match="password: a password is kept as a reference"):
        config.write("lab", {"password": "hunter2"})
    with pytest.raises(ConfigError, match="host: it is empty"):
        config.write("lab", {"host": ""})
    assert config.names() == []


def test_without_the_variable_it_is_the_users_own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MSMQCTL_CONFIG_HOME")
    assert config_folder().name == "msmqctl"
