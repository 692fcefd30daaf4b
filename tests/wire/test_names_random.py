"""Names under chance: what prints is parsed again, case never matters, and no text brings out anything but StatusError."""

from __future__ import annotations

from ipaddress import IPv4Address
from typing import get_args
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import StatusError
from msmqctl.wire.names import (
    Area,
    ConnectorName,
    DirectName,
    DistributionListName,
    ElementName,
    FormatName,
    MachineName,
    MulticastName,
    MultipleElementName,
    PathName,
    PrivateName,
    Protocol,
    PublicName,
    QueuePart,
    Suffix,
    parse_direct,
    parse_format_name,
    parse_name,
    parse_path_name,
    same_queue,
)

GUID = UUID("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0")
LETTERS = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters='\\;"+,/')
WORDS = st.text(LETTERS, min_size=1, max_size=12)
QUEUES = WORDS.filter(lambda word: word.upper() not in ("PRIVATE$", "SYSTEM$", "JOURNAL$", "DEADLETTER$", "XACTDEADLETTER$"))
SUBQUEUES = st.none() | WORDS.filter(lambda word: word.upper() != "JOURNAL")
PARTS = st.builds(QueuePart, QUEUES, st.sampled_from([Area.PUBLIC, Area.PRIVATE]), SUBQUEUES, st.booleans()) | st.builds(
    QueuePart, st.sampled_from(["JOURNAL", "DEADLETTER", "DEADXACT"]), st.just(Area.SYSTEM)
)
PATHS = st.builds(PathName, WORDS, PARTS)
HOSTS = st.text(st.characters(codec="ascii", categories=["L", "N"], include_characters="-."), min_size=1, max_size=20)
IPS = st.ip_addresses().map(str)
DIRECTS = (
    st.builds(DirectName, st.just(Protocol.OS), WORDS, PARTS)
    | st.builds(DirectName, st.just(Protocol.TCP), IPS, PARTS)
    | st.builds(DirectName, st.sampled_from([Protocol.HTTP, Protocol.HTTPS]), HOSTS | IPS, PARTS, st.none() | st.integers(0, 65535))
    | st.builds(DirectName, st.sampled_from([Protocol.IPX, Protocol.SPX]), st.just("00000012:00a0234f7500"), PARTS)
)
DOMAINS = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters="="), min_size=1, max_size=30)
MULTICASTS = st.builds(MulticastName, st.integers(0xE0000000, 0xEFFFFFFF).map(IPv4Address), st.integers(0, 65535))
ELEMENTS = (
    DIRECTS
    | st.builds(PublicName, st.uuids(), st.booleans())
    | st.builds(PrivateName, st.uuids(), st.integers(0, 0xFFFFFFFF), st.booleans())
    | st.builds(DistributionListName, st.uuids(), st.none() | DOMAINS)
    | st.builds(ConnectorName, st.uuids(), st.booleans())
    | MULTICASTS
)
MACHINES = st.builds(MachineName, st.uuids(), st.sampled_from([Suffix.JOURNAL, Suffix.DEADLETTER, Suffix.DEADXACT]))
LISTS = st.lists(ELEMENTS.filter(lambda name: not name.suffix.read_only), min_size=2, max_size=4).map(
    lambda elements: MultipleElementName(tuple(elements))
)
FORMAT_NAMES = ELEMENTS | MACHINES | LISTS


def swap_ascii_case(text: str) -> str:
    return "".join(letter.swapcase() if letter.isascii() else letter for letter in text)


@given(FORMAT_NAMES)
def test_a_format_name_parses_from_what_it_prints(name: FormatName) -> None:
    found = parse_format_name(str(name))
    assert found == name
    assert str(found) == str(name)
    assert parse_name(f"formatname:{name}") == name
    assert parse_format_name(name.key) == name
    assert same_queue(name, found)


@given(FORMAT_NAMES)
def test_case_never_matters_in_a_format_name(name: FormatName) -> None:
    other = parse_format_name(swap_ascii_case(str(name)))
    assert other == name
    assert hash(other) == hash(name)


@given(PATHS)
def test_a_path_name_parses_from_what_it_prints(name: PathName) -> None:
    assert parse_path_name(str(name)) == name
    assert str(parse_path_name(str(name))) == str(name)
    assert parse_path_name(swap_ascii_case(str(name))) == name


@given(DIRECTS)
def test_a_direct_name_parses_with_and_without_its_prefix(name: DirectName) -> None:
    assert parse_direct(name.without_prefix) == parse_direct(str(name)) == name


KEYWORDS = [
    "DIRECT=",
    "PUBLIC=",
    "PRIVATE=",
    "DL=",
    "MACHINE=",
    "CONNECTOR=",
    "MULTICAST=",
    "OS:",
    "TCP:",
    "HTTP://",
    "SPX:",
    "FormatName:",
]
MARKS = ["/msmq", "/", "\\", "private$", "SYSTEM$;", ";JOURNAL", ";", ",", "@", ":", "[", "]", "%", "="]
VALUES = ["239.1.2.3", "fe80::1", str(GUID), "q", ".", "0", "9" * 5000]
PIECES = st.sampled_from([*KEYWORDS, *MARKS, *VALUES])


@given(st.text() | st.lists(PIECES | st.text(max_size=3), max_size=10).map("".join), st.booleans())
def test_any_text_is_a_name_or_a_status_error(text: str, strict: bool) -> None:
    for parse in (
        parse_name,
        parse_direct,
        lambda text: parse_format_name(text, strict=strict),
        lambda text: parse_path_name(text, strict=strict),
    ):
        try:
            name = parse(text)
        except StatusError:
            continue
        again = parse_path_name(str(name)) if isinstance(name, PathName) else parse_format_name(str(name))
        assert again == name


def test_the_strategies_leave_no_kind_out() -> None:
    assert set(get_args(FormatName)) == {*get_args(ElementName), MachineName, MultipleElementName}


@pytest.mark.parametrize(
    "build",
    [
        lambda: QueuePart(""),
        lambda: QueuePart("a;b"),
        lambda: QueuePart("q" * 125),
        lambda: QueuePart("private$"),
        lambda: QueuePart("q", subqueue="journal"),
        lambda: QueuePart("q", subqueue="a+b"),
        lambda: QueuePart("JOURNAL", Area.SYSTEM, journal=True),
        lambda: PathName("a\\b", QueuePart("q")),
        lambda: PathName("h", QueuePart("Journal$")),
        lambda: DirectName(Protocol.TCP, "host", QueuePart("q")),
        lambda: DirectName(Protocol.OS, "h", QueuePart("q"), 1801),
        lambda: DirectName(Protocol.HTTP, "h", QueuePart("q"), 65536),
        lambda: DirectName(Protocol.HTTP, "h", QueuePart("private$/q")),
        lambda: DirectName(Protocol.OS, "h,DL=x", QueuePart("q")),
        lambda: DirectName(Protocol.OS, "h", QueuePart("other", Area.SYSTEM)),
        lambda: PrivateName(GUID, -1),
        lambda: PrivateName(GUID, 1 << 32),
        lambda: DistributionListName(GUID, ""),
        lambda: DistributionListName(GUID, "a,DL=b"),
        lambda: MachineName(GUID, Suffix.NONE),
        lambda: MachineName(GUID, Suffix.XACTONLY),
        lambda: MulticastName(IPv4Address("192.0.2.1"), 1),
        lambda: MulticastName(IPv4Address("239.0.0.1"), 65536),
        lambda: MultipleElementName((PublicName(GUID),)),
        lambda: MultipleElementName((PublicName(GUID), PublicName(GUID, journal=True))),
    ],
)
def test_a_name_that_could_not_be_read_back_is_our_mistake(build: object) -> None:
    assert callable(build)
    with pytest.raises(ValueError, match=r"\w"):
        build()
