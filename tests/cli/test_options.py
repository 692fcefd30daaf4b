"""What every command takes, and what can be told from a command line that the parser refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.core import TyperCommand, TyperOption

from msmqctl.cli.nouns import NOUNS, Root
from msmqctl.cli.options import CHANGE_OPTIONS, GLOBAL_OPTIONS, Flags, attach, changes, changes_something, glance, walk
from msmqctl.cli.render import Format


def spellings(command: object) -> set[str]:
    return {spelling for param in getattr(command, "params", ()) for spelling in param.opts}


GLOBAL = {"--context", "--store", "-o", "--output", "--columns", "--connect-timeout", "--debug", "-q", "--quiet"}
CHANGE = {"--yes", "--dry-run"}


def test_the_contract_of_commands_md() -> None:
    assert {spelling for option in GLOBAL_OPTIONS for spelling in option.spellings} == GLOBAL
    assert {spelling for option in CHANGE_OPTIONS for spelling in option.spellings} == CHANGE


def test_every_option_has_a_place_in_the_flags() -> None:
    assert {option.name for option in (*GLOBAL_OPTIONS, *CHANGE_OPTIONS)} <= {*Flags.__slots__}


@pytest.mark.parametrize("noun", NOUNS)
def test_every_command_of_the_product_takes_them(noun: str) -> None:
    root = Root(NOUNS)
    assert spellings(root) >= GLOBAL
    for command in walk(root.load(noun)):
        assert spellings(command) >= GLOBAL
        assert bool(spellings(command) & CHANGE) == changes_something(command)


@pytest.mark.parametrize(
    ("noun", "verbs"),
    [("context", {"add", "select", "remove"}), ("docs", {"man", "completions"})],
)
def test_what_changes_something_is_marked(noun: str, verbs: set[str]) -> None:
    assert {command.name for command in walk(NOUNS[noun].load(noun)) if changes_something(command)} == verbs


def test_an_option_of_the_same_name_is_refused() -> None:
    with pytest.raises(ValueError, match="declares --store"):
        attach(TyperCommand("bad", params=[TyperOption(param_decls=["--store"])]))


def test_a_mark_reaches_the_command() -> None:
    @changes
    def deed() -> None:
        """Do it."""

    attach(command := TyperCommand("deed", callback=deed))
    assert spellings(command) >= CHANGE


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        ("", Flags()),
        ("queue list", Flags(noun="queue")),
        ("-o json queue", Flags(noun="queue", output=Format.JSON)),
        ("--context lab --store x queue list --output=csv", Flags(noun="queue", output=Format.CSV)),
        ("queue -ondjson --debug", Flags(noun="queue", output=Format.NDJSON, debug=True)),
        ("-o csv queue -o json", Flags(noun="queue", output=Format.JSON)),
        ("queue -o", Flags(noun="queue")),
        ("queue -o xml", Flags(noun="queue")),
        ("queue -- -o json --debug", Flags(noun="queue")),
        ("--bogus --columns check", Flags()),
    ],
)
def test_glance(words: str, seen: Flags) -> None:
    assert glance(words.split()) == seen


@given(st.lists(st.text(max_size=8) | st.sampled_from(["-o", "--output", "json", "--", "=", "--context", "-o="])))
def test_glance_takes_anything(words: list[str]) -> None:
    glance(words)
