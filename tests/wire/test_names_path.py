r"""Path names, and what a user may type: forms, limits, administrative spellings, case, and the bare word."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from msmqctl.errors import StatusError
from msmqctl.wire.names import (
    Area,
    DirectName,
    PathName,
    Protocol,
    QueuePart,
    Suffix,
    direct_name,
    parse_format_name,
    parse_name,
    parse_path_name,
    path_name,
    same_queue,
)
from msmqctl.wire.status import HResult

GUID = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"


def refused(text: str, *, strict: bool = False) -> StatusError:
    with pytest.raises(StatusError) as caught:
        parse_path_name(text, strict=strict)
    assert caught.value.status == HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME
    assert caught.value.operation == "parse name"
    assert caught.value.hint
    return caught.value


@pytest.mark.spec("MQ-2.1.1-1")
@pytest.mark.parametrize(
    ("text", "computer", "make"),
    [
        (r"host\orders", "host", lambda: QueuePart("orders")),
        (r"host\private$\orders", "host", lambda: QueuePart("orders", Area.PRIVATE)),
        (r"host\SYSTEM$;DEADXACT", "host", lambda: QueuePart("DEADXACT", Area.SYSTEM)),
        (r"host\SYSTEM$;other", "host", lambda: QueuePart("other", Area.SYSTEM)),
        (r"host\orders;retry", "host", lambda: QueuePart("orders", subqueue="retry")),
        (r"host\private$\orders;retry", "host", lambda: QueuePart("orders", Area.PRIVATE, subqueue="retry")),
        (r"host\private$\orders;JOURNAL", "host", lambda: QueuePart("orders", Area.PRIVATE, journal=True)),
        (r"h:[x],+\a/b={}" + "\x7f", "h:[x],+", lambda: QueuePart("a/b={}\x7f")),
    ],
)
def test_taken(text: str, computer: str, make: Callable[[], QueuePart]) -> None:
    for strict in (False, True):
        name = parse_path_name(text, strict=strict)
        assert (name.computer, name.part) == (computer, make())
        assert str(name) == text


@pytest.mark.spec("MQ-2.1.1-1", "MQ-2.1-1")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "host",
        "host\\",
        r"\orders",
        r"host\private$",
        "host\\private$\\",
        r"host\system$",
        r"host\system$;",
        r"host\a\b",
        r"host\a+b",
        r"host\a,b",
        'host\\a"',
        "host\\a\nb",
        "ho\tst\\a",
        "ho\x7fst\\a",
        "host\\\ud800",
        r"host\q;a,b",
        'host\\q;a"',
        "c" * 257 + r"\q",
        "host\\" + "q" * 125,
        "host\\q;" + "s" * 33,
    ],
)
def test_refused(text: str) -> None:
    refused(text)


@pytest.mark.spec("MQ-2.1-1", "MQ-2.1.1-1")
def test_limits_at_their_edges() -> None:
    name = parse_path_name(rf"{'c' * 256}\{'q' * 124};{'s' * 32}")
    assert (len(name.computer), len(name.queue), len(name.subqueue or "")) == (256, 124, 32)


@pytest.mark.spec("MQ-2.1.1-2")
@pytest.mark.parametrize(
    "text", [r"host\;sub", r"host\private$\;sub", r"host;sub\q\r", r"host\q;", r"host\q;;sub", r"host\q;a;b", r"host\q;a+b"]
)
def test_a_subqueue_follows_a_queue_name_and_one_semicolon(text: str) -> None:
    refused(text)


@pytest.mark.spec("MQ-2.1.1-3")
def test_names_compare_without_case_and_a_dot_is_the_local_computer() -> None:
    name = parse_path_name(r".\Private$\Orders;Retry")
    assert name == parse_path_name(r".\PRIVATE$\ORDERS;RETRY")
    assert hash(name) == hash(parse_path_name(r".\private$\orders;retry"))
    assert str(name) == r".\private$\Orders;Retry"
    assert name.local
    assert not parse_path_name(r"host\q").local
    assert parse_path_name(r"HOST\System$;x") == parse_path_name(r"host\SYSTEM$;X")
    assert parse_path_name(r"h\Äpfel") == parse_path_name(r"h\äPFEL")


def test_letters_that_only_look_alike_stay_apart() -> None:
    assert parse_path_name(r"h\straße") != parse_path_name(r"h\strasse")
    assert parse_path_name("h\\s\u0131n\u0131r") != parse_path_name(r"h\sinir")
    assert parse_path_name(r"h\q") != parse_format_name(r"DIRECT=OS:h\q")


@pytest.mark.spec("MQ-2.1.1-4")
@pytest.mark.parametrize("text", [r"höst\q", r"host\Bestellungen für heute", r"my host\q", "host\\注文", "host\\q;größe"])
def test_other_letters_and_spaces_unless_strict(text: str) -> None:
    assert str(parse_path_name(text)) == text
    refused(text, strict=True)
    with pytest.raises(StatusError):
        parse_format_name(f"DIRECT=OS:{text}", strict=True)
    assert str(parse_format_name(f"DIRECT=OS:{text}")) == f"DIRECT=OS:{text}"


@pytest.mark.spec("MQ-2.1.1-4")
def test_other_letters_in_a_web_name_unless_strict() -> None:
    for text in ("DIRECT=HTTP://höst/msmq/q", "DIRECT=HTTP://host/msmq/größe"):
        assert str(parse_format_name(text)) == text
        with pytest.raises(StatusError):
            parse_format_name(text, strict=True)


@pytest.mark.spec("MQ-2.1.1-5")
@pytest.mark.parametrize(
    ("text", "printed", "suffix"),
    [
        (r"host\Journal$", r"host\SYSTEM$;JOURNAL", Suffix.JOURNAL),
        (r"host\Deadletter$", r"host\SYSTEM$;DEADLETTER", Suffix.DEADLETTER),
        (r"host\XactDeadletter$", r"host\SYSTEM$;DEADXACT", Suffix.DEADXACT),
        (r"host\orders\Journal$", r"host\orders;JOURNAL", Suffix.JOURNAL),
        (r".\private$\orders\journal$", r".\private$\orders;JOURNAL", Suffix.JOURNAL),
        (r"host\orders;retry\Journal$", r"host\orders;retry;JOURNAL", Suffix.JOURNAL),
        (r"host\private$\journal$", r"host\private$\journal$", Suffix.NONE),
    ],
)
def test_administrative_spellings(text: str, printed: str, suffix: Suffix) -> None:
    name = parse_path_name(text)
    assert str(name) == printed
    assert name.suffix is suffix
    assert parse_path_name(printed) == name


@pytest.mark.parametrize(
    "text", [r"h\journal$;sub", r"h\deadletter$;JOURNAL", r"h\q;JOURNAL\journal$", r"h\system$;x\journal$", r"h\journal$\journal$"]
)
def test_administrative_spellings_do_not_pile_up(text: str) -> None:
    refused(text)


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("orders", r".\private$\orders"),
        ("orders;JOURNAL", r".\private$\orders;JOURNAL"),
        (r"host\orders", r"host\orders"),
        (r"FORMATNAME:direct=os:Host\q", r"DIRECT=OS:Host\q"),
        (r"FormatName:DIRECT=OS:h\q", r"DIRECT=OS:h\q"),
        (rf"direct=os:h\q,public={GUID}", rf"DIRECT=OS:h\q,PUBLIC={GUID}"),
        (r".\private$\a=b", r".\private$\a=b"),
    ],
)
def test_what_a_user_types(typed: str, printed: str) -> None:
    assert str(parse_name(typed)) == printed


@pytest.mark.parametrize(
    ("typed", "status"),
    [
        ("", HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME),
        ("  ", HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME),
        (",", HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME),
        ("./private$/orders", HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME),
        (r"private$\orders", HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME),
        ("SYSTEM$;DEADLETTER", HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME),
        (r"DIRCT=OS:h\q", HResult.MQ_ERROR_ILLEGAL_FORMATNAME),
        ("a=b", HResult.MQ_ERROR_ILLEGAL_FORMATNAME),
        ("FormatName:orders", HResult.MQ_ERROR_ILLEGAL_FORMATNAME),
        (r"FormatName:.\private$\orders", HResult.MQ_ERROR_ILLEGAL_FORMATNAME),
    ],
)
def test_what_a_user_mistypes(typed: str, status: HResult) -> None:
    with pytest.raises(StatusError) as caught:
        parse_name(typed)
    assert caught.value.status == status
    assert caught.value.hint


def test_path_name_and_direct_name_of_one_queue() -> None:
    path = parse_path_name(r"Host\private$\Orders")
    direct = direct_name(path)
    assert direct == DirectName(Protocol.OS, "host", QueuePart("orders", Area.PRIVATE))
    assert path_name(direct) == path
    assert same_queue(path, direct)
    assert not same_queue(path, parse_name(r"DIRECT=OS:other\private$\orders"))
    assert not same_queue(path, parse_name(r"host\orders"))
    assert path_name(DirectName(Protocol.TCP, "192.0.2.1", QueuePart("q"))) is None
    assert path_name(DirectName(Protocol.OS, "h", QueuePart("journal$"))) is None
    with pytest.raises(StatusError, match="system queue"):
        direct_name(PathName("h", QueuePart("other", Area.SYSTEM)))
