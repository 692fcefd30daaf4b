"""Flag over environment over context over default, and where each value came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmqctl.cli import config
from msmqctl.cli.options import Flags
from msmqctl.cli.render import Format
from msmqctl.cli.settings import Setting, Settings
from msmqctl.errors import ConfigError


@pytest.fixture
def lab() -> None:
    config.write("lab", {"host": "mq1", "connect_timeout": 3, "output": "csv", "store": "/lab.db", "password": "env:PW"})
    config.select("lab")


def test_the_defaults() -> None:
    settings = Settings(Flags())
    assert settings.context is None
    assert settings.context_name() == Setting("context", None, "default")
    assert settings.find("connect_timeout") == Setting("connect_timeout", 10.0, "default")
    assert settings.output is Format.TABLE
    assert settings.store.name == "store.db"
    assert settings.find("host") == Setting("host", None, "default")
    assert settings.password() is None


@pytest.mark.usefixtures("lab")
def test_each_source_goes_before_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings(Flags()).find("store") == Setting("store", "/lab.db", "context lab")
    monkeypatch.setenv("MSMQCTL_STORE", "/env.db")
    assert Settings(Flags()).find("store") == Setting("store", "/env.db", "environment MSMQCTL_STORE")
    assert Settings(Flags(store=Path("/flag.db"))).find("store") == Setting("store", "/flag.db", "flag")


@pytest.mark.usefixtures("lab")
def test_the_typed_settings_follow_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (Settings(Flags()).output, Settings(Flags()).connect_timeout, Settings(Flags()).store) == (Format.CSV, 3.0, Path("/lab.db"))
    monkeypatch.setenv("MSMQCTL_CONNECT_TIMEOUT", "1.5")
    monkeypatch.setenv("MSMQCTL_OUTPUT", "json")
    assert (Settings(Flags()).output, Settings(Flags()).connect_timeout) == (Format.JSON, 1.5)
    flags = Flags(output=Format.NDJSON, connect_timeout=0.5)
    assert (Settings(flags).output, Settings(flags).connect_timeout) == (Format.NDJSON, 0.5)


@pytest.mark.usefixtures("lab")
def test_an_option_of_the_command_itself_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSMQCTL_HOST", "mq2")
    assert Settings(Flags()).find("host").value == "mq2"
    assert Settings(Flags()).find("host", "mq3") == Setting("host", "mq3", "flag")


@pytest.mark.usefixtures("lab")
def test_who_chooses_the_context(monkeypatch: pytest.MonkeyPatch) -> None:
    config.write("other", {"host": "mq9"})
    assert Settings(Flags()).context_name() == Setting("context", "lab", "selected")
    monkeypatch.setenv("MSMQCTL_CONTEXT", "other")
    assert Settings(Flags()).context_name() == Setting("context", "other", "environment MSMQCTL_CONTEXT")
    assert Settings(Flags()).find("host").value == "mq9"
    assert Settings(Flags(context="lab")).context_name() == Setting("context", "lab", "flag")
    assert Settings(Flags(context="lab")).find("host").value == "mq1"


@pytest.mark.usefixtures("lab")
def test_an_empty_variable_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSMQCTL_HOST", "")
    monkeypatch.setenv("MSMQCTL_CONTEXT", "")
    assert Settings(Flags()).find("host").source == "context lab"


@pytest.mark.parametrize(
    ("name", "text"),
    [("OUTPUT", "xml"), ("CONNECT_TIMEOUT", "soon"), ("CONNECT_TIMEOUT", "-1"), ("PASSWORD", "hunter2"), ("HOST", "a\x1bb")],
)
def test_a_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    monkeypatch.setenv(f"MSMQCTL_{name}", text)
    with pytest.raises(ConfigError, match=f"MSMQCTL_{name}") as caught:
        Settings(Flags()).find(name.lower())
    assert caught.value.key == name.lower()
    assert "hunter2" not in caught.value.message


@pytest.mark.usefixtures("lab")
def test_the_password_is_fetched_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(Flags())
    assert settings.find("password").value == "env:PW"
    with pytest.raises(ConfigError, match="PW is not set"):
        settings.password()
    monkeypatch.setenv("PW", "hunter2")
    assert settings.password() == "hunter2"


def test_a_broken_context_matters_only_when_it_is_needed() -> None:
    config.select("gone")
    flags = Flags(output=Format.JSON)
    assert Settings(flags).output is Format.JSON
    with pytest.raises(ConfigError, match="no context 'gone'"):
        Settings(flags).find("host")
    assert Settings(flags, lenient=True).find("host").source == "default"


@pytest.mark.usefixtures("lab")
def test_everything_lists_every_setting_once() -> None:
    assert [each.setting for each in Settings(Flags()).everything()] == ["context", *config.KEYS]
