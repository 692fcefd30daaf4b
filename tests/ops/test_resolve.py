r"""What `resolve` says of a name: its kind, its other forms, how it travels, what it can do, and what will go wrong."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import StatusError
from msmqctl.ops.resolve import Resolution, Severity, resolve
from msmqctl.wire.names import parse_name

GUID = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"


def forms(text: str) -> list[str]:
    return [form.name for form in resolve(text).forms]


def transport(text: str) -> tuple[str, str | None, int | None, str]:
    (found,) = resolve(text).transports
    return found.protocol, found.address, found.port, found.carries.split(":")[0].split(",")[0]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("orders", "path name of a private queue"),
        (r"h\orders", "path name of a public queue"),
        (r"h\orders;retry", "path name of the subqueue of a public queue"),
        (r"DIRECT=OS:h\private$\q;JOURNAL", "direct format name of the journal of a private queue"),
        (r"DIRECT=OS:h\SYSTEM$;DEADXACT", "direct format name of the transactional dead-letter queue of a computer"),
        (f"PUBLIC={GUID}", "public format name of a public queue"),
        (rf"PRIVATE={GUID}\9;JOURNAL", "private format name of the journal of a private queue"),
        (f"MACHINE={GUID};DEADLETTER", "machine format name of the dead-letter queue of a computer"),
        (f"CONNECTOR={GUID};XACTONLY", "connector format name of the transactional queue of a connector"),
        (f"DL={GUID}", "distribution list format name"),
        ("MULTICAST=239.1.2.3:8001", "multicast format name"),
        (rf"DL={GUID},DIRECT=OS:h\q", "multiple-element format name with 2 elements"),
    ],
)
def test_kinds_in_words(text: str, kind: str) -> None:
    assert resolve(text).kind == kind


def test_every_form_of_a_remote_private_queue() -> None:
    assert forms(r"host\private$\orders") == [
        r"host\private$\orders",
        r"DIRECT=OS:host\private$\orders",
        "DIRECT=HTTP://host/msmq/private$/orders",
        "DIRECT=HTTPS://host/msmq/private$/orders",
        r"DIRECT=OS:host\private$\orders;JOURNAL",
        r"DIRECT=OS:host\SYSTEM$;JOURNAL",
        r"DIRECT=OS:host\SYSTEM$;DEADLETTER",
        r"DIRECT=OS:host\SYSTEM$;DEADXACT",
    ]
    assert set(forms(r"DIRECT=OS:host\private$\orders")) == set(forms(r"host\private$\orders"))


def test_forms_of_an_address_go_by_tcp() -> None:
    found = forms("DIRECT=HTTP://[2001:db8::1]:8080/msmq/q")
    assert found[:3] == ["DIRECT=HTTP://[2001:db8::1]:8080/msmq/q", r"DIRECT=TCP:2001:db8::1\q", "DIRECT=HTTPS://[2001:db8::1]/msmq/q"]
    assert r"DIRECT=TCP:2001:db8::1\SYSTEM$;DEADLETTER" in found
    assert "DIRECT=HTTP://[2001:db8::1]/msmq/q" not in found


def test_forms_leave_out_what_cannot_be_written() -> None:
    assert not any("HTTP" in form for form in forms("orders"))
    assert not any("HTTP" in form for form in forms(r"h\orders;retry"))
    assert not any("HTTP" in form for form in forms(r"my:host\orders"))
    assert forms(r"DIRECT=SPX:12:34\q") == [r"DIRECT=SPX:12:34\q"]
    assert r"h\journal$" not in forms(r"DIRECT=OS:h\journal$")


def test_forms_by_guid() -> None:
    assert forms(f"PUBLIC={GUID}") == [f"PUBLIC={GUID}", f"PUBLIC={GUID};JOURNAL"]
    machines = [f"MACHINE={GUID};JOURNAL", f"MACHINE={GUID};DEADLETTER", f"MACHINE={GUID};DEADXACT"]
    assert forms(rf"PRIVATE={GUID}\d") == [rf"PRIVATE={GUID}\0000000d", rf"PRIVATE={GUID}\0000000d;JOURNAL", *machines]
    assert forms(f"MACHINE={GUID};DEADXACT") == machines
    assert forms(f"CONNECTOR={GUID}") == [f"CONNECTOR={GUID}", f"CONNECTOR={GUID};XACTONLY"]
    assert forms(rf"DL={GUID},DIRECT=OS:h\q") == [f"DL={GUID}", r"DIRECT=OS:h\q"]


@pytest.mark.parametrize(
    ("text", "form", "use"),
    [
        (r"DIRECT=OS:h\q;sub", r"DIRECT=OS:h\q;sub", "moved to the subqueue"),
        (r"DIRECT=OS:h\q;JOURNAL", r"DIRECT=OS:h\q;JOURNAL", "copies"),
        ("DIRECT=HTTP://h/msmq/q;JOURNAL", "DIRECT=HTTP://h/msmq/q;JOURNAL", "nothing"),
        (r".\private$\q", r".\private$\q", "of this computer"),
        (r"h\private$\q", r"h\private$\q", "format name"),
        (r"h\q", r"h\q", "directory"),
    ],
)
def test_what_a_form_is_good_for(text: str, form: str, use: str) -> None:
    (found,) = [each for each in resolve(text).forms if each.name == form]
    assert use in found.good_for


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("orders", ("local", None, None, "nothing")),
        (r"h\orders", ("TCP", "h", 1801, "MQQB")),
        (r"DIRECT=OS:h\q", ("TCP", "h", 1801, "MQQB")),
        (r"DIRECT=TCP:192.0.2.1\q", ("TCP", "192.0.2.1", 1801, "MQQB")),
        ("DIRECT=HTTP://h/msmq/q", ("HTTP", "h", 80, "SRMP")),
        ("DIRECT=HTTPS://h/msmq/q", ("HTTPS", "h", 443, "SRMP")),
        ("DIRECT=HTTPS://h:8443/msmq/q", ("HTTPS", "h", 8443, "SRMP")),
        (r"DIRECT=IPX:12:34\q", ("SPX", "12:34", 876, "MQQB")),
        ("MULTICAST=239.1.2.3:8001", ("PGM", "239.1.2.3", 8001, "SRMP")),
        (f"PUBLIC={GUID}", ("TCP", None, 1801, "MQQB")),
        (f"DL={GUID}", ("as its members", None, None, "whatever each member's own name implies")),
    ],
)
def test_transport(text: str, expected: tuple[str, str | None, int | None, str]) -> None:
    assert transport(text) == expected


def test_a_list_has_the_transport_of_each_element() -> None:
    found = resolve(r"DIRECT=OS:a\q,DIRECT=HTTP://b/msmq/q,MULTICAST=239.1.2.3:1").transports
    assert [each.protocol for each in found] == ["TCP", "HTTP", "PGM"]


@pytest.mark.parametrize(
    ("text", "directory", "send", "receive"),
    [
        ("orders", False, True, True),
        (r"h\orders", True, True, True),
        (r"h\orders;retry", True, False, True),
        (r"h\SYSTEM$;DEADLETTER", False, False, True),
        (r"h\SYSTEM$;other", False, False, False),
        (r"DIRECT=OS:h\q", False, True, True),
        (r"DIRECT=OS:h\q;JOURNAL", False, False, True),
        ("DIRECT=HTTP://h/msmq/q", False, True, False),
        (r"DIRECT=SPX:12:34\q", False, False, False),
        (f"PUBLIC={GUID}", True, True, True),
        (rf"PRIVATE={GUID}\9", True, True, True),
        (f"MACHINE={GUID};JOURNAL", True, False, True),
        (f"CONNECTOR={GUID}", True, False, True),
        (f"DL={GUID}", True, True, False),
        ("MULTICAST=239.1.2.3:8001", False, True, False),
        (r"DIRECT=OS:a\q,DIRECT=OS:b\q", False, True, False),
        (rf"DIRECT=OS:a\q,DL={GUID}", True, True, False),
    ],
)
def test_what_it_can_do(text: str, directory: bool, send: bool, receive: bool) -> None:
    found = resolve(text)
    assert (found.needs_directory, found.can_send, found.can_receive) == (directory, send, receive)


@pytest.mark.parametrize(
    ("text", "severity", "words"),
    [
        (r"host\private$\orders", Severity.WARNING, "queue path is invalid"),
        (r"host\orders", Severity.NOTE, "fails in a workgroup"),
        (r"DIRECT=OS:.\private$\q", Severity.WARNING, "goes astray"),
        (r"DIRECT=OS:LocalHost\q", Severity.WARNING, "goes astray"),
        (r"DIRECT=TCP:127.0.0.1\q", Severity.WARNING, "goes astray"),
        (r"DIRECT=TCP:::1\q", Severity.WARNING, "goes astray"),
        (r"DIRECT=OS:a234567890123456\q", Severity.WARNING, "NetBIOS"),
        (r"a234567890123456.corp.example\private$\q", Severity.WARNING, "NetBIOS"),
        (r"DIRECT=IPX:12:34\q", Severity.ERROR, "IPX"),
        (r"DIRECT=OS:h\q;JOURNAL", Severity.NOTE, "not sent to"),
        (f"MACHINE={GUID};DEADXACT", Severity.NOTE, "not sent to"),
        (r"DIRECT=OS:h\q;sub", Severity.NOTE, "never sent to it"),
        (r"DIRECT=OS:h\q;DEADLETTER", Severity.WARNING, "subqueue of that name"),
        (r"DIRECT=OS:höst\q", Severity.WARNING, "published grammar"),
        ("my orders", Severity.WARNING, "published grammar"),
        ("orders", Severity.NOTE, "bare word"),
        ("MULTICAST=239.1.2.3:8001", Severity.NOTE, "cannot be read"),
        ("MULTICAST=239.1.2.3:0", Severity.ERROR, "port 0"),
        (f"DL={GUID}", Severity.NOTE, "cannot be read"),
        ("DIRECT=HTTP://h/msmq/q", Severity.NOTE, "only sent"),
        (r"DIRECT=OS:a\q,DIRECT=OS:b\q", Severity.NOTE, "only for sending"),
        (r"DIRECT=OS:a\q,DIRECT=OS:.\q", Severity.WARNING, "goes astray"),
        (r".\private$\journal$", Severity.WARNING, "mistaken for a journal"),
        (r"DIRECT=OS:h\Deadletter$", Severity.WARNING, "mistaken for a journal"),
        (r"h\Journal$", Severity.NOTE, "queue of the computer"),
        (r"h\SYSTEM$;other", Severity.ERROR, "No format name"),
        (rf"PRIVATE={GUID}\4", Severity.NOTE, "order_queue$"),
        (r"formatname:DIRECT=OS:h\q", Severity.WARNING, "exactly this case"),
    ],
)
def test_problems(text: str, severity: Severity, words: str) -> None:
    found = [problem for problem in resolve(text).problems if words in problem.sentence]
    assert [problem.severity for problem in found] == [severity]
    assert all(problem.advice.endswith(".") for problem in found)


@pytest.mark.parametrize(
    "text",
    [
        r".\private$\orders",
        r"DIRECT=OS:a23456789012345\private$\q",
        r"DIRECT=OS:server.a-rather-long-domain.example\q",
        r"DIRECT=TCP:192.0.2.1\q",
        r"FormatName:DIRECT=OS:h\q",
        f"PUBLIC={GUID}",
        rf"PRIVATE={GUID}\9",
    ],
)
def test_names_without_a_problem(text: str) -> None:
    assert resolve(text).problems == ()


def test_advice_for_a_remote_private_queue_can_be_pasted() -> None:
    (problem,) = resolve(r"10.0.0.1\private$\q").problems
    assert problem.advice == r"Use DIRECT=TCP:10.0.0.1\private$\q."


@pytest.mark.parametrize("text", ["", "DIRECT=HTTP://h/q", r"DIRECT=FTP:h\q", "./private$/q"])
def test_no_name_is_the_parsers_error(text: str) -> None:
    with pytest.raises(StatusError) as caught:
        resolve(text)
    assert caught.value.operation == "parse name"


PIECES = [
    "DIRECT=OS:",
    "DIRECT=TCP:",
    "DIRECT=HTTP://",
    "h",
    "192.0.2.1",
    "\\",
    "/msmq/",
    "private$",
    "q",
    ";JOURNAL",
    ";s",
    "SYSTEM$;",
    ",",
    ",DL=",
    GUID,
]


@given(st.lists(st.sampled_from(PIECES), max_size=7).map("".join) | st.text(max_size=20))
def test_every_form_is_a_name_and_all_of_it_is_json(text: str) -> None:
    try:
        found: Resolution = resolve(text)
    except StatusError:
        return
    assert [str(parse_name(form.name)) for form in found.forms] == [form.name for form in found.forms] or "=" in text
    assert found.name in {form.name for form in found.forms} or "," in found.name
    assert json.loads(json.dumps(asdict(found)))["name"] == found.name
