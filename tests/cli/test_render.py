"""Rows and records as text: literal outputs for each format, then everything that must hold for any text a peer sends."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from enum import Enum, IntEnum, StrEnum
from pathlib import PurePosixPath
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.cli.ending import CommandLineError
from msmqctl.cli.render import Columns, Format, Surface, cell, escape, plain, render, show, to_json
from msmqctl.wire.values import MessageClass


class Number(IntEnum):
    ONE = 1


class Word(StrEnum):
    RED = "red"


class Mark(Enum):
    THIS = (1, 2)


@dataclass(frozen=True)
class Part:
    """A part of a row."""

    size: int
    note: str | None = None


@dataclass(frozen=True)
class Item:
    """A row with a bit of everything."""

    name: str
    class_: int
    part: Part | None = None
    tags: tuple[str, ...] = ()


ITEM = Columns(Item, "name", "class")
ITEMS = [Item("a", 1, Part(2, "x"), ("p", "q")), Item("long name", 22)]

any_text = st.text(st.characters(exclude_categories=()))


def text_of(rows: list[Item], output: Format, asked: tuple[str, ...] | None = None, surface: Surface | None = None) -> str:
    return "".join(render(rows, ITEM, output, asked, surface or Surface()))


# --- values ---


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (7, 7),
        ("é", "é"),
        (1.5, 1.5),
        (float("nan"), None),
        (float("inf"), None),
        (datetime(2024, 2, 29, 12, 0, tzinfo=UTC), "2024-02-29T12:00:00Z"),
        (datetime(2024, 3, 1, 1, 30, 0, 5, tzinfo=timezone(timedelta(hours=2))), "2024-02-29T23:30:00.000005Z"),
        (timedelta(minutes=1, milliseconds=500), 60.5),
        (UUID("6B29FC40-CA47-1067-B31D-00DD010662DA"), "6b29fc40-ca47-1067-b31d-00dd010662da"),
        (b"\x00\xff", "AP8="),
        (Number.ONE, 1),
        (MessageClass(0x8123), 0x8123),
        (Word.RED, "red"),
        (Mark.THIS, "THIS"),
        (PurePosixPath("/a/b"), "/a/b"),
        ({"a": b""}, {"a": ""}),
        ((1, (2, None)), [1, [2, None]]),
        (Part(3), {"size": 3, "note": None}),
        (Item("a", 1), {"name": "a", "class": 1, "part": None, "tags": []}),
    ],
    ids=repr,
)
def test_a_value_in_json(value: object, expected: object) -> None:
    assert plain(value) == expected
    assert type(plain(value)) is type(expected)


def test_what_cannot_be_shown_is_our_own_mistake() -> None:
    with pytest.raises(TypeError, match="object cannot be shown"):
        plain(object())
    with pytest.raises(ValueError, match="without a zone"):
        plain(datetime(2024, 1, 1))  # noqa: DTZ001 - the missing zone is the subject


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ""),
        (True, "yes"),
        (False, "no"),
        (12, "12"),
        (1.5, "1.5"),
        (float("nan"), ""),
        (Number.ONE, "ONE"),
        (MessageClass.MQMSG_CLASS_NORMAL, "MQMSG_CLASS_NORMAL"),
        (MessageClass(0x8123), "0x8123"),
        (("a", "b\n"), "a, b\\x0a"),
        ((Part(1),), '[{"size": 1, "note": null}]'),
        ({"a": 1}, '{"a": 1}'),
    ],
    ids=repr,
)
def test_a_value_in_a_table(value: object, expected: str) -> None:
    assert cell(value) == expected


# --- harmless text ---


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, ünïcode 漢字 🙂", "plain, ünïcode 漢字 🙂"),
        (r".\private$\orders", r".\private$\orders"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("a\r\nb\tc\0", r"a\x0d\x0ab\x09c\x00"),
        ("\x7f\x9b2J", r"\x7f\x9b2J"),
        ("gnp.\u202eexe", r"gnp.\u202eexe"),
        ("\u2066\u2069\u200f\u061c\ufeff\u200b", r"\u2066\u2069\u200f\u061c\ufeff\u200b"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("\ud800x", r"\ud800x"),
    ],
)
def test_escape(text: str, shown: str) -> None:
    assert escape(text) == shown


@given(any_text)
def test_nothing_that_a_terminal_obeys_survives(text: str) -> None:
    shown = escape(text)
    assert not any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in shown)
    assert not any(
        unicodedata.bidirectional(character) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI") for character in shown
    )
    assert escape(shown) == shown


@given(any_text)
def test_no_output_carries_what_a_terminal_obeys(text: str) -> None:
    row = Item(text, 1, Part(1, text), (text,))
    for output in Format:
        for printed in ("".join(render([row], Columns(Item), output, None)), "".join(show(row, Columns(Item), output, None))):
            assert escape(printed.replace("\n", "")) == printed.replace("\n", "")


@given(any_text)
def test_json_is_ascii_and_gives_the_text_back(text: str) -> None:
    printed = text_of([Item(text, 1)], Format.JSON)
    assert printed.isascii()
    assert json.loads(printed)[0]["name"] == text


@given(st.lists(any_text, min_size=1, max_size=3))
def test_csv_reads_back_cell_by_cell(texts: list[str]) -> None:
    printed = text_of([Item(text, 1) for text in texts], Format.CSV, ("name", "class"))
    assert list(csv.reader(io.StringIO(printed, newline=""))) == [["name", "class"], *([escape(text), "1"] for text in texts)]


def test_del_is_written_out_in_json() -> None:
    assert to_json("a\x7fb") == '"a\\u007fb"'


# --- the formats ---


def test_table_in_a_pipe() -> None:
    assert text_of(ITEMS, Format.TABLE) == "name       class\na          1\nlong name  22\n"


def test_a_pipe_is_never_cut() -> None:
    wide = "漢" * 3000
    assert text_of([Item(wide, 1)], Format.TABLE).splitlines()[1] == f"{wide}  1"


def test_markup_of_rich_is_only_text() -> None:
    assert "[red]x[/red] :smile:" in text_of([Item("[red]x[/red] :smile:", 1)], Format.TABLE)


def test_a_terminal_folds_and_loses_nothing() -> None:
    printed = text_of([Item("abcdefghij" * 5, 1)], Format.TABLE, surface=Surface(width=30))
    assert all(len(line) <= 30 for line in printed.splitlines())
    assert "".join(line.split()[0] for line in printed.splitlines()[1:]) == "abcdefghij" * 5


def test_colours_only_where_they_are_wanted() -> None:
    assert "\x1b[" in text_of(ITEMS, Format.TABLE, surface=Surface(width=80, colours=True))
    assert "\x1b[" not in text_of(ITEMS, Format.TABLE, surface=Surface(width=80, colours=False))


def test_json_is_one_array() -> None:
    assert text_of(ITEMS, Format.JSON, ("class", "part")) == (
        '[\n  {\n    "class": 1,\n    "part": {\n      "size": 2,\n      "note": "x"\n    }\n  },\n'
        '  {\n    "class": 22,\n    "part": null\n  }\n]\n'
    )
    assert text_of([], Format.JSON) == "[]\n"


def test_ndjson_is_one_line_a_row() -> None:
    assert text_of(ITEMS, Format.NDJSON) == (
        '{"name": "a", "class": 1, "part": {"size": 2, "note": "x"}, "tags": ["p", "q"]}\n'
        '{"name": "long name", "class": 22, "part": null, "tags": []}\n'
    )


def test_csv_has_a_header_and_every_field() -> None:
    assert text_of(ITEMS, Format.CSV) == ('name,class,part,tags\na,1,"{""size"": 2, ""note"": ""x""}","[""p"", ""q""]"\nlong name,22,,[]\n')
    assert text_of([], Format.CSV) == "name,class,part,tags\n"


def test_an_empty_table_is_no_text() -> None:
    assert text_of([], Format.TABLE) == ""


@pytest.mark.parametrize("output", [Format.JSON, Format.NDJSON, Format.CSV])
def test_all_but_the_table_give_a_row_as_soon_as_it_is_there(output: Format) -> None:
    given_out = []

    def rows() -> Iterator[Item]:
        for number in range(3):
            given_out.append(number)
            yield Item("a", number)

    pieces = render(rows(), ITEM, output, None)
    while not given_out:
        next(pieces)
    assert given_out == [0]


# --- columns ---


def test_columns_pick_and_order() -> None:
    assert text_of(ITEMS, Format.CSV, ("tags", "name")) == 'tags,name\n"[""p"", ""q""]",a\n[],long name\n'
    assert text_of(ITEMS, Format.NDJSON, ("class", "name")).splitlines()[0] == '{"class": 1, "name": "a"}'


@pytest.mark.parametrize("output", list(Format))
def test_an_unknown_column_names_the_known_ones(output: Format) -> None:
    with pytest.raises(CommandLineError, match="'colour'") as caught:
        text_of(ITEMS, output, ("name", "colour"))
    assert caught.value.hint == "the columns are name, class, part, tags."


def test_wrong_columns_in_the_code_are_found_at_once() -> None:
    with pytest.raises(ValueError, match="no field colour"):
        Columns(Item, "colour")
    with pytest.raises(TypeError, match="not a dataclass"):
        Columns(int)


# --- one record ---


@dataclass(frozen=True)
class Story:
    """A record with sections."""

    code: str
    meaning: str
    causes: tuple[str, ...]
    parts: tuple[Part, ...]
    whole: Part
    more: Mapping[str, int]
    none: tuple[str, ...] = ()


STORY = Story("0x1", "it\nis", ("one", "two"), (Part(1, "n"), Part(2)), Part(9), {"k": 5})


def test_a_record_for_people() -> None:
    assert "".join(show(STORY, Columns(Story), Format.TABLE, None)) == (
        "code     0x1\n"
        "meaning  it\\x0ais\n"
        "\n"
        "causes\n"
        "  - one\n"
        "  - two\n"
        "\n"
        "parts\n"
        "  - size  1\n"
        "    note  n\n"
        "  - size  2\n"
        "    note\n"
        "\n"
        "whole\n"
        "  size  9\n"
        "  note\n"
        "\n"
        "more\n"
        "  k  5\n"
    )


def test_headings_are_bold_only_on_a_terminal_with_colours() -> None:
    printed = "".join(show(Part(1), Columns(Part), Format.TABLE, None, Surface(width=80, colours=True)))
    assert printed == "\x1b[1msize\x1b[0m  1\n\x1b[1mnote\x1b[0m\n"


def test_a_record_for_programs() -> None:
    assert "".join(show(Part(1), Columns(Part), Format.JSON, None)) == '{\n  "size": 1,\n  "note": null\n}\n'
    assert "".join(show(Part(1), Columns(Part), Format.NDJSON, None)) == '{"size": 1, "note": null}\n'
    assert "".join(show(Part(1), Columns(Part), Format.CSV, None)) == "size,note\n1,\n"
    assert "".join(show(Part(1), Columns(Part), Format.JSON, ("note",))) == '{\n  "note": null\n}\n'
