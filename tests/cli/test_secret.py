"""References to secrets: how they are spelt, how they resolve, and that no error repeats a secret."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from msmqctl.cli.secret import Keeper, Reference, parse
from msmqctl.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("env:PW", Reference(Keeper.ENVIRONMENT, "PW")),
        ("file:/run/pw", Reference(Keeper.FILE, "/run/pw")),
        ("file:C:\\pw", Reference(Keeper.FILE, "C:\\pw")),
        ("prompt", Reference(Keeper.PROMPT, "")),
        ("keyring:lab", Reference(Keeper.KEYRING, "lab")),
    ],
)
def test_the_four_forms(text: str, reference: Reference) -> None:
    assert parse(text) == reference
    assert str(reference) == text


@pytest.mark.parametrize("text", ["hunter2", "", "env:", "file:", "prompt:x", "prompt:", "ENV:PW", "http://x", ":"])
def test_anything_else_may_be_a_secret_and_is_not_repeated(text: str) -> None:
    with pytest.raises(ValueError, match="kept as a reference") as caught:
        parse(text)
    assert "hunter2" not in str(caught.value)


def test_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="PW is not set"):
        parse("env:PW").resolve()
    monkeypatch.setenv("PW", "hunter2")
    assert parse("env:PW").resolve() == "hunter2"
    assert parse("env:PW").check() == "there"


def secret_file(folder: Path, content: bytes, mode: int = 0o600) -> str:
    path = folder / "pw"
    path.write_bytes(content)
    path.chmod(mode)
    return f"file:{path}"


@pytest.mark.parametrize("content", [b"hunter2", b"hunter2\n", b"hunter2\r\nmore\n"])
def test_file(tmp_path: Path, content: bytes) -> None:
    assert parse(secret_file(tmp_path, content)).resolve() == "hunter2"


@pytest.mark.parametrize(
    ("content", "mode", "said"),
    [(b"hunter2", 0o644, "other users can read"), (b"\n", 0o600, "is empty"), (b"\xffhunter2", 0o600, "not UTF-8")],
)
def test_a_file_that_will_not_do(tmp_path: Path, content: bytes, mode: int, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as caught:
        parse(secret_file(tmp_path, content, mode)).resolve()
    assert "hunter2" not in f"{caught.value.message}{caught.value.hint}"
    assert caught.value.key == "password"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        parse(f"file:{tmp_path}/none").resolve()


def test_a_prompt_is_not_asked_by_a_check() -> None:
    assert parse("prompt").check() == "asked for when it is needed"


def test_a_prompt_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getpass", lambda question: f"{question}hunter2")
    assert parse("prompt").resolve() == "Password: hunter2"


def test_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = ModuleType("keyring")
    entries = {("msmqctl", "lab"): "hunter2"}
    keyring.get_password = lambda service, name: entries.get((service, name))  # type: ignore[attr-defined]  # the package's only function we use
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    assert parse("keyring:lab").resolve() == "hunter2"
    with pytest.raises(ConfigError, match="no such entry"):
        parse("keyring:other").resolve()


def test_a_keyring_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = ModuleType("keyring")
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    with pytest.raises(ConfigError, match=r"the keyring failed \(AttributeError\)"):
        parse("keyring:lab").resolve()
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(ConfigError, match="keyring is not installed"):
        parse("keyring:lab").resolve()
