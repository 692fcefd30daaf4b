"""`msmqctl context`, command by command, through the whole program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from msmqctl.cli import config
from tests.cli.conftest import Run


def broken(name: str = "bad") -> Path:
    config.write(name, {})
    path = config.path_of(name)
    path.write_text("host = \n")
    return path


def test_add_list_show(run: Run) -> None:
    added = run("context", "add", "lab", "--host", "mq1", "--user", "u", "--password", "env:PW", "--select")
    assert (added.code, added.out, added.err) == (0, "", "context lab added and selected.\n")
    run("context", "add", "prod", "--directory", "dc1")
    assert run("context", "list").out == "name  selected  host  store  problem\nlab   yes       mq1\nprod  no\n"
    shown = {row["setting"]: row for row in json.loads(run("context", "show", "-o", "json").out)}
    assert shown["context"] == {"setting": "context", "value": "lab", "source": "selected"}
    assert shown["host"] == {"setting": "host", "value": "mq1", "source": "context lab"}
    assert shown["password"] == {"setting": "password", "value": "env:PW", "source": "context lab"}
    assert shown["output"]["source"] == "flag"
    assert shown["directory"] == {"setting": "directory", "value": None, "source": "default"}


def test_add_keeps_the_global_options_it_was_given(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("--store", "q.db", "context", "add", "lab", "--connect-timeout", "3", "--default-output", "json", "-o", "csv")
    assert config.read("lab").values == {"store": str(tmp_path / "q.db"), "connect_timeout": 3.0, "output": "json"}


def test_add_refuses_to_overwrite(run: Run) -> None:
    run("context", "add", "lab", "--host", "a")
    again = run("context", "add", "lab", "--host", "b")
    assert again.code == 73
    assert again.err == "error: there is a context 'lab' already.\nhint: give --replace to overwrite it.\n"
    assert run("context", "add", "lab", "--host", "b", "--replace").code == 0
    assert config.read("lab").values == {"host": "b"}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("../lab",), 78, "cannot be the name of a context"),
        (("lab", "--password", "hunter2"), 78, "a password is kept as a reference"),
        (("lab", "--host", ""), 78, "host: it is empty"),
        (("lab", "--default-output", "xml"), 2, "'xml' is not one of"),
    ],
)
def test_add_refuses_what_cannot_be_kept(run: Run, words: tuple[str, ...], code: int, said: str) -> None:
    answer = run("context", "add", *words)
    assert answer.code == code
    assert said in answer.err
    assert "hunter2" not in answer.err
    assert config.names() == []


def test_a_dry_run_adds_nothing(run: Run) -> None:
    assert run("context", "add", "lab", "--select", "--dry-run").out == "would add the context lab\n"
    assert (config.names(), config.selected()) == ([], None)


def test_show_names_the_source_of_each_value(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write("lab", {"host": "mq1", "connect_timeout": 4})
    monkeypatch.setenv("MSMQCTL_USER", "me")
    out = run("context", "show", "lab", "--store", "/x", "-o", "csv").out
    assert "context,lab,flag\n" in out
    assert "store,/x,flag\n" in out
    assert "user,me,environment MSMQCTL_USER\n" in out
    assert "connect_timeout,4.0,context lab\n" in out
    assert "directory,,default\n" in out


def test_select(run: Run) -> None:
    config.write("lab", {})
    assert run("context", "select", "lab", "--dry-run").out == "would select the context lab\n"
    assert config.selected() is None
    assert run("context", "select", "lab").err == "context lab selected.\n"
    assert config.selected() == "lab"
    assert run("context", "select", "none").code == 78


def test_remove(run: Run) -> None:
    config.write("lab", {})
    assert run("context", "remove", "lab").code == 2
    assert run("context", "remove", "lab", "--dry-run").out == "would remove the context lab\n"
    assert config.names() == ["lab"]
    assert run("context", "remove", "lab", "--yes").err == "context lab removed.\n"
    assert config.names() == []
    assert run("context", "remove", "lab", "--yes").code == 78


# --- check ---


def test_check_a_context_that_stands(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PW", "hunter2")
    config.write("lab", {"store": str(tmp_path / "q.db"), "password": "env:PW"})
    config.select("lab")
    answer = run("context", "check", "-o", "json")
    assert answer.code == 0
    assert [(row["check"], row["ok"]) for row in json.loads(answer.out)] == [("file", True), ("password", True), ("store", True)]
    assert "hunter2" not in answer.out


@pytest.mark.parametrize(
    ("values", "failed"),
    [
        ({"password": "env:PW"}, "password"),
        ({"password": "file:/nowhere/pw"}, "password"),
        ({"store": "/nowhere/q.db"}, "store"),
        ({"store": "/nowhere/q.db", "password": "env:PW"}, "password, store"),
    ],
)
def test_check_a_context_that_does_not(run: Run, values: dict[str, str], failed: str) -> None:
    config.write("lab", values)
    answer = run("context", "check", "lab")
    assert answer.code == 78
    assert answer.err == f"error: the context lab does not stand: {failed}.\n"
    assert "no" in answer.out


def test_check_a_password_file_that_others_can_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pw").write_text("hunter2")
    (tmp_path / "pw").chmod(0o644)
    config.write("lab", {"password": f"file:{tmp_path}/pw"})
    answer = run("context", "check", "lab")
    assert answer.code == 78
    assert "other users can read the file" in answer.out
    assert "hunter2" not in answer.out + answer.err


def test_check_without_a_context(run: Run) -> None:
    assert run("context", "check").code == 78


def test_check_a_missing_one(run: Run) -> None:
    answer = run("context", "check", "none", "-o", "json")
    assert answer.code == 78
    assert json.loads(answer.out)[0]["ok"] is False
    assert json.loads(answer.err)["error"]["exit_code"] == 78


# --- broken files ---


def test_a_broken_context_is_one_sentence_a_hint_and_78(run: Run) -> None:
    path = broken()
    config.select("bad")
    answer = run("context", "show")
    sentence, hint = answer.err.splitlines()
    assert (answer.code, answer.out) == (78, "")
    assert sentence.startswith(f"error: {path}: not valid TOML: ")
    assert "line 1" in sentence
    assert hint.startswith("hint: ")
    assert run("docs", "cheat").code == 78


def test_a_broken_context_can_be_found_and_repaired(run: Run) -> None:
    path = broken()
    config.select("bad")
    assert f"{path}: not valid TOML" in json.loads(run("context", "list", "-o", "json").out)[0]["problem"]
    assert run("context", "check").code == 78
    assert run("context", "add", "good", "--host", "a").code == 0
    assert run("context", "select", "good").code == 0
    assert run("context", "remove", "bad", "--yes").code == 0
    assert run("context", "show").code == 0


def test_a_flag_goes_before_a_broken_context(run: Run) -> None:
    broken()
    config.select("bad")
    assert run("docs", "cheat", "-o", "json").code == 0
