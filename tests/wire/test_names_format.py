r"""Format names: what is taken, what is refused, how each prints, and the limits at their edges."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address
from uuid import UUID

import pytest

from msmqctl.errors import StatusError
from msmqctl.wire.names import (
    WELL_KNOWN_QUEUES,
    Area,
    ConnectorName,
    DirectName,
    DistributionListName,
    FormatName,
    MachineName,
    MulticastName,
    MultipleElementName,
    PrivateName,
    Protocol,
    PublicName,
    QueuePart,
    Suffix,
    parse_direct,
    parse_format_name,
    parse_path_name,
)
from msmqctl.wire.status import HResult

TEXT = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
GUID = UUID(TEXT)
OTHER = UUID("11223344-5566-7788-99aa-bbccddeeff00")
PRIVATE_Q = QueuePart("q", Area.PRIVATE)
PUBLIC_Q = QueuePart("q")


def refused(text: str, status: HResult = HResult.MQ_ERROR_ILLEGAL_FORMATNAME, *, strict: bool = False) -> StatusError:
    with pytest.raises(StatusError) as caught:
        parse_format_name(text, strict=strict)
    assert caught.value.status == status
    assert caught.value.operation == "parse name"
    assert caught.value.hint
    return caught.value


# The expected names are made in the test, so that a broken rule fails the row that cites it and not the collection.
ACCEPTED: list[tuple[str, Callable[[], FormatName], str]] = [
    (r"DIRECT=OS:host1\private$\q", lambda: DirectName(Protocol.OS, "host1", PRIVATE_Q), r"DIRECT=OS:host1\private$\q"),
    (r"DIRECT=TCP:192.0.2.10\pub", lambda: DirectName(Protocol.TCP, "192.0.2.10", QueuePart("pub")), r"DIRECT=TCP:192.0.2.10\pub"),
    (
        r"direct=os:.\private$\q;sub",
        lambda: DirectName(Protocol.OS, ".", QueuePart("q", Area.PRIVATE, subqueue="sub")),
        r"DIRECT=OS:.\private$\q;sub",
    ),
    (
        r"DIRECT=TCP:192.0.2.10\PRIVATE$\order_queue$",
        lambda: DirectName(Protocol.TCP, "192.0.2.10", QueuePart("order_queue$", Area.PRIVATE)),
        r"DIRECT=TCP:192.0.2.10\private$\order_queue$",
    ),
    (
        "DIRECT=HTTP://h:8080/msmq/private$/q",
        lambda: DirectName(Protocol.HTTP, "h", PRIVATE_Q, 8080),
        "DIRECT=HTTP://h:8080/msmq/private$/q",
    ),
    ("DIRECT=HTTPS://h/MSMQ/q", lambda: DirectName(Protocol.HTTPS, "h", PUBLIC_Q), "DIRECT=HTTPS://h/msmq/q"),
    (
        r"DIRECT=OS:h\SYSTEM$;DEADXACT",
        lambda: DirectName(Protocol.OS, "h", QueuePart("DEADXACT", Area.SYSTEM)),
        r"DIRECT=OS:h\SYSTEM$;DEADXACT",
    ),
    (
        r"DIRECT=TCP:192.0.2.10\system$;Journal",
        lambda: DirectName(Protocol.TCP, "192.0.2.10", QueuePart("JOURNAL", Area.SYSTEM)),
        r"DIRECT=TCP:192.0.2.10\SYSTEM$;JOURNAL",
    ),
    (
        r"DIRECT=OS:h\SYSTEM$;DEADLETTER",
        lambda: DirectName(Protocol.OS, "h", QueuePart("DEADLETTER", Area.SYSTEM)),
        r"DIRECT=OS:h\SYSTEM$;DEADLETTER",
    ),
    (r"DIRECT=IPX:12:34\q", lambda: DirectName(Protocol.IPX, "12:34", PUBLIC_Q), r"DIRECT=IPX:12:34\q"),
    (r"DIRECT=OS:h\q;JOURNAL", lambda: DirectName(Protocol.OS, "h", QueuePart("q", journal=True)), r"DIRECT=OS:h\q;JOURNAL"),
    (
        r"DIRECT=OS:h\private$\q;sub;journal",
        lambda: DirectName(Protocol.OS, "h", QueuePart("q", Area.PRIVATE, subqueue="sub", journal=True)),
        r"DIRECT=OS:h\private$\q;sub;JOURNAL",
    ),
    ("PUBLIC=0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0", lambda: PublicName(GUID), f"PUBLIC={TEXT}"),
    (f"public={TEXT};journal", lambda: PublicName(GUID, journal=True), f"PUBLIC={TEXT};JOURNAL"),
    (rf"PRIVATE={OTHER}\3", lambda: PrivateName(OTHER, 3), rf"PRIVATE={OTHER}\3"),
    (rf"PRIVATE={OTHER}\0000000d;JOURNAL", lambda: PrivateName(OTHER, 13, journal=True), rf"PRIVATE={OTHER}\0000000d;JOURNAL"),
    (f"DL={TEXT}", lambda: DistributionListName(GUID), f"DL={TEXT}"),
    (f"DL={TEXT}@corp.example", lambda: DistributionListName(GUID, "corp.example"), f"DL={TEXT}@corp.example"),
    (f"MACHINE={TEXT};DEADLETTER", lambda: MachineName(GUID, Suffix.DEADLETTER), f"MACHINE={TEXT};DEADLETTER"),
    (f"machine={TEXT};journal", lambda: MachineName(GUID, Suffix.JOURNAL), f"MACHINE={TEXT};JOURNAL"),
    (f"MACHINE={TEXT};DEADXACT", lambda: MachineName(GUID, Suffix.DEADXACT), f"MACHINE={TEXT};DEADXACT"),
    (f"CONNECTOR={TEXT}", lambda: ConnectorName(GUID), f"CONNECTOR={TEXT}"),
    (f"CONNECTOR={TEXT};XACTONLY", lambda: ConnectorName(GUID, xact_only=True), f"CONNECTOR={TEXT};XACTONLY"),
    ("MULTICAST=239.1.2.3:8001", lambda: MulticastName(IPv4Address("239.1.2.3"), 8001), "MULTICAST=239.1.2.3:8001"),
    (
        rf"DIRECT=OS:h\q,PUBLIC={TEXT},DL={TEXT}",
        lambda: MultipleElementName((DirectName(Protocol.OS, "h", PUBLIC_Q), PublicName(GUID), DistributionListName(GUID))),
        rf"DIRECT=OS:h\q,PUBLIC={TEXT},DL={TEXT}",
    ),
]


@pytest.mark.spec(
    "MQ-2.1.2-1", "MQ-2.1.2-2", "MQ-2.1.3-1", "MQ-2.1.4-1", "MQ-2.1.4-2", "MQ-2.1.4-3", "MQ-2.1.5-1", "MQ-2.1.6-1", "MQ-2.1.7-1"
)
@pytest.mark.parametrize(("text", "make", "printed"), ACCEPTED, ids=[row[0] for row in ACCEPTED])
def test_taken(text: str, make: Callable[[], FormatName], printed: str) -> None:
    found, name = parse_format_name(text), make()
    assert type(found) is type(name)
    assert found == name
    assert str(found) == printed
    assert parse_format_name(printed) == found


REFUSED = [
    r"DIRECT=FTP:h\q",
    "DIRECT=OS:h",
    r"DIRECT=OS:\q",
    "DIRECT=OS:h\\",
    r"DIRECT=OS:h\SYSTEM$;OTHER",
    r"DIRECT=OS:h\SYSTEM$;JOURNAL;JOURNAL",
    r"DIRECT=OS:h\private$",
    r"DIRECT=OS:h\q;",
    r"DIRECT=OS:h\q;a;b",
    r"DIRECT=OS:h\q;JOURNAL;JOURNAL",
    r"DIRECT=OS:h\private$\a\b",
    rf"PRIVATE={TEXT}\123456789",
    rf"PRIVATE={TEXT}\000000001",
    rf"PRIVATE={TEXT}\xyz",
    rf"PRIVATE={TEXT}" + "\\",
    f"PRIVATE={TEXT}",
    rf"PRIVATE={TEXT}\3;DEADLETTER",
    f"PUBLIC={{{TEXT}}}",
    f"PUBLIC={TEXT[:-1]}",
    f"PUBLIC={TEXT};DEADLETTER",
    "PUBLIC=" + TEXT.replace("-", ""),
    f"MACHINE={TEXT}",
    f"MACHINE={TEXT};XACTONLY",
    f"CONNECTOR={TEXT};JOURNAL",
    f"DL={TEXT}@",
    f"DL={TEXT}@a b",
    f"DL={TEXT}@größe",
    f"DL={TEXT};JOURNAL",
    "MULTICAST=223.1.1.1:1",
    "MULTICAST=240.0.0.0:1",
    "MULTICAST=239.1.1.1",
    "MULTICAST=239.1.1.1:",
    "MULTICAST=239.1.1.01:1",
    r"DIRECT=OS:h\a+b",
    r"DIRECT=OS:h\a,b",
    r'DIRECT=OS:h\a"b',
    "",
    ",",
    "orders",
]


@pytest.mark.spec("MQ-2.1.2-1", "MQ-2.1.2-2", "MQ-2.1.3-1", "MQ-2.1.4-1", "MQ-2.1.5-1", "MQ-2.1.6-1")
@pytest.mark.parametrize("text", REFUSED, ids=[repr(text) for text in REFUSED])
def test_refused(text: str) -> None:
    refused(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (r"DIRECT=FTP:h\q", "protocol at character 8 of"),
        (r"DIRECT=OS:h\private$\a+b", "queue name at character 23 of"),
        (f"MACHINE={TEXT};XACTONLY", "suffix at character 46 of"),
        ("MULTICAST=223.1.1.1:1", "multicast address at character 11 of"),
        (rf"DIRECT=OS:h\q,PRIVATE={TEXT}\xyz", "queue number at character 60 of"),
    ],
)
def test_a_refusal_names_the_component_and_its_place(text: str, message: str) -> None:
    assert refused(text).message.startswith(message)


@pytest.mark.spec("MQ-2.1-1", "MQ-2.1.5-1")
def test_limits_at_their_edges() -> None:
    queue, subqueue, computer, domain = "q" * 124, "s" * 32, "c" * 256, "d" * 255
    assert parse_format_name(rf"DIRECT=OS:{computer}\{queue};{subqueue}") == DirectName(
        Protocol.OS, computer, QueuePart(queue, subqueue=subqueue)
    )
    assert parse_format_name(f"DL={TEXT}@{domain}") == DistributionListName(GUID, domain)
    assert parse_format_name(rf"PRIVATE={TEXT}\ffffffff") == PrivateName(GUID, 0xFFFFFFFF)
    assert parse_format_name("MULTICAST=224.0.0.0:0") == MulticastName(IPv4Address("224.0.0.0"), 0)
    assert parse_format_name("MULTICAST=239.255.255.255:65535") == MulticastName(IPv4Address("239.255.255.255"), 65535)
    assert parse_format_name(rf"DIRECT=OS:h\{'😀' * 62}") == DirectName(Protocol.OS, "h", QueuePart("😀" * 62))
    refused(rf"DIRECT=OS:{computer}c\q")
    refused(rf"DIRECT=OS:h\{queue}q")
    refused(rf"DIRECT=OS:h\{'😀' * 62}q")
    refused(rf"DIRECT=OS:h\q;{subqueue}s")
    refused(f"DL={TEXT}@{domain}d")
    refused(rf"PRIVATE={TEXT}\0ffffffff")


@pytest.mark.spec("MQ-2.1.6-2", "MQ-T-7")
def test_multicast_ports() -> None:
    for port in ("0", "20", "99", "200", "2000", "9999", "10000", "65535"):
        assert str(parse_format_name(f"MULTICAST=239.1.2.3:{port}")).endswith(f":{port}")
    for port in ("00", "01", "65536", "100000", "-1", "+1", " 1", "1 ", "1_0", "٣", "0x1"):
        refused(f"MULTICAST=239.1.2.3:{port}")


@pytest.mark.spec("MQ-2.1.2-3")
def test_web_names_have_their_own_default_ports() -> None:
    http, https = parse_direct("HTTP://h/msmq/q"), parse_direct("HTTPS://h/msmq/q")
    assert (http.port, http.effective_port) == (None, 80)
    assert (https.port, https.effective_port) == (None, 443)
    assert http == parse_direct("HTTP://h:80/msmq/q") != parse_direct("HTTP://h:8080/msmq/q")
    assert https == parse_direct("HTTPS://h:443/msmq/q") != parse_direct("HTTPS://h:80/msmq/q")
    assert http == parse_direct("HTTP://h:/msmq/q")
    assert parse_direct("HTTP://h:8080/msmq/q").effective_port == 8080


@pytest.mark.parametrize("port", ["65536", "000065536", "9" * 5000, "x", "80x", "-1", "8:8"])
def test_web_ports_that_are_none(port: str) -> None:
    refused(f"DIRECT=HTTP://h:{port}/msmq/q")


@pytest.mark.spec("MQ-2.1.2-1")
@pytest.mark.parametrize(
    "text",
    [
        "DIRECT=HTTP:h/msmq/q",
        "DIRECT=HTTP://h",
        "DIRECT=HTTP://h/q",
        "DIRECT=HTTP://h/other/q",
        "DIRECT=HTTP://h/msmq",
        "DIRECT=HTTP://h/msmq/",
        "DIRECT=HTTP:///msmq/q",
        "DIRECT=HTTP://fe80::1/msmq/q",
        "DIRECT=HTTP://[fe80::1/msmq/q",
        "DIRECT=HTTP://[fe80::1]8080/msmq/q",
        "DIRECT=HTTP://[h]/msmq/q",
        "DIRECT=HTTP://user@h/msmq/q",
        "DIRECT=HTTP://h?x/msmq/q",
        "DIRECT=HTTP://h#x/msmq/q",
    ],
)
def test_web_names_that_are_none(text: str) -> None:
    refused(text)


@pytest.mark.spec("MQ-2.1.2-4")
@pytest.mark.parametrize(
    "text", [r"HTTP://h/msmq\private$\q", r"http://h/MSMQ/PRIVATE$\q", r"Http://h\msmq\private$/q", "HTTP://h/msmq/private$/q"]
)
def test_web_names_take_both_separators_and_write_slashes(text: str) -> None:
    assert str(parse_direct(text)) == "DIRECT=HTTP://h/msmq/private$/q"


@pytest.mark.spec("MQ-2.1.2-5")
def test_spx_is_read_beside_ipx() -> None:
    for word, protocol in {"IPX": Protocol.IPX, "SPX": Protocol.SPX}.items():
        name = parse_direct(rf"{word}:00000012:00a0234f7500\q")
        assert (name.protocol, name.address, name.effective_port) == (protocol, "00000012:00a0234f7500", 876)
        assert str(name) == rf"DIRECT={word}:00000012:00a0234f7500\q"
    for address in ("00000012", "000000012:00a0234f7500", "12:00a0234f75001", "12:xyz", ":1", "1:"):
        refused(rf"DIRECT=SPX:{address}\q")


@pytest.mark.spec("MQ-2.1.2-6")
def test_the_last_component_journal_is_the_journal() -> None:
    for word in ("JOURNAL", "journal", "Journal"):
        part = parse_direct(rf"OS:h\q;{word}").part
        assert (part.subqueue, part.journal) == (None, True)
        part = parse_direct(rf"OS:h\q;sub;{word}").part
        assert (part.subqueue, part.journal) == ("sub", True)
    part = parse_direct(r"OS:h\q;DEADLETTER").part
    assert (part.subqueue, part.journal, part.suffix) == ("DEADLETTER", False, Suffix.SUBQUEUE)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("192.0.2.10", "192.0.2.10"),
        ("FE80::1", "fe80::1"),
        ("[2001:db8:0:0::1]", "2001:db8::1"),
        ("fe80::1%3", "fe80::1%3"),
        ("[fe80::1%eth0]", "fe80::1%eth0"),
    ],
)
def test_ip_addresses(address: str, expected: str) -> None:
    name = parse_direct(rf"TCP:{address}\private$\q")
    assert str(name) == rf"DIRECT=TCP:{expected}\private$\q"
    assert name.ip is not None
    assert name.effective_port == 1801


def test_ipv6_in_a_web_name_keeps_its_brackets() -> None:
    name = parse_direct("HTTP://[2001:DB8::1]:8080/msmq/q")
    assert (name.ip, name.port) == (IPv6Address("2001:db8::1"), 8080)
    assert name.without_prefix == "HTTP://[2001:db8::1]:8080/msmq/q"


@pytest.mark.spec("MQ-2.1.2-1")
@pytest.mark.parametrize(
    "address", ["host", "192.0.2", "192.0.2.256", "192.0.2.010", "[192.0.2.1]", "192.0.2.1:1801", "fe80::1::2", "fe80::1%a;b", ""]
)
def test_tcp_takes_nothing_but_an_ip_address(address: str) -> None:
    refused(rf"DIRECT=TCP:{address}\q")


@pytest.mark.spec("MQ-2.1.4-2", "MQ-2.1.4-3")
def test_private_numbers_print_in_eight_digits_but_for_the_well_known_ones() -> None:
    printed = {2: "00000002", 3: "3", 4: "4", 5: "00000005", 0xABCDEF12: "abcdef12"}
    for number, text in printed.items():
        assert str(PrivateName(GUID, number)) == rf"PRIVATE={TEXT}\{text}"
        assert parse_format_name(rf"PRIVATE={TEXT}\{number:08X}") == parse_format_name(rf"PRIVATE={TEXT}\{number:x}")
    assert WELL_KNOWN_QUEUES == {3: "notify_queue$", 4: "order_queue$"}


@pytest.mark.spec("MQ-T-9")
def test_guids_come_in_both_cases_without_braces_and_print_in_lower() -> None:
    for text in (TEXT, TEXT.upper(), TEXT.title()):
        assert str(parse_format_name(f"PUBLIC={text}")) == f"PUBLIC={TEXT}"
    refused(f"PUBLIC={{{TEXT}}}")


@pytest.mark.spec("MQ-T-9")
def test_the_first_backslash_ends_the_computer() -> None:
    assert parse_direct(r"OS:h\private$\q").address == "h"
    assert parse_path_name(r"h\private$\q").computer == "h"
    refused(r"DIRECT=OS:h\x\q")


@pytest.mark.spec("MQ-T-8")
def test_suffixes_are_those_of_the_structure_not_of_the_grammar() -> None:
    refused(f"MACHINE={TEXT}")
    assert parse_format_name(f"CONNECTOR={TEXT};XACTONLY").suffix is Suffix.XACTONLY
    assert parse_format_name(f"PUBLIC={TEXT};JOURNAL").suffix is Suffix.JOURNAL
    assert parse_format_name(r"DIRECT=OS:h\q;sub").suffix is Suffix.SUBQUEUE


@pytest.mark.spec("MQ-T-10")
def test_a_system_queue_has_no_third_component() -> None:
    name = parse_direct(r"OS:h\system$;deadletter")
    assert name.suffix is Suffix.DEADLETTER
    assert name.without_prefix == r"OS:h\SYSTEM$;DEADLETTER"
    refused(r"DIRECT=OS:h\SYSTEM$\JOURNAL")


@pytest.mark.spec("MQ-T-11")
@pytest.mark.parametrize(
    ("suffix", "number", "octet"),
    [("NONE", 0, 0x00), ("JOURNAL", 1, 0x81), ("DEADLETTER", 2, 0x82), ("DEADXACT", 3, 0x83), ("XACTONLY", 4, 0x04), ("SUBQUEUE", 5, 0x05)],
)
def test_suffix_numbers(suffix: str, number: int, octet: int) -> None:
    assert Suffix[suffix] == number
    assert Suffix[suffix].suffix_and_flags == octet


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        (r"DIRECT=OS:h\q", Suffix.NONE),
        (r"DIRECT=OS:h\q;sub", Suffix.SUBQUEUE),
        (r"DIRECT=OS:h\q;sub;JOURNAL", Suffix.JOURNAL),
        (r"DIRECT=OS:h\SYSTEM$;JOURNAL", Suffix.JOURNAL),
        (f"PUBLIC={TEXT};JOURNAL", Suffix.JOURNAL),
        (rf"PRIVATE={TEXT}\7", Suffix.NONE),
        (f"CONNECTOR={TEXT};XACTONLY", Suffix.XACTONLY),
        (f"DL={TEXT}", Suffix.NONE),
        ("MULTICAST=239.1.2.3:1", Suffix.NONE),
        (f"DL={TEXT},DL={TEXT}", Suffix.NONE),
    ],
)
def test_every_name_knows_its_suffix(text: str, suffix: Suffix) -> None:
    assert parse_format_name(text).suffix is suffix


@pytest.mark.spec("MQ-2.1.7-1")
@pytest.mark.parametrize(
    "element",
    [
        r"DIRECT=OS:h\q;JOURNAL",
        r"DIRECT=OS:h\SYSTEM$;DEADLETTER",
        f"MACHINE={TEXT};DEADXACT",
        f"PUBLIC={TEXT};JOURNAL",
        rf"PRIVATE={TEXT}\9;JOURNAL",
    ],
)
def test_read_only_queues_are_no_elements(element: str) -> None:
    assert parse_format_name(element).suffix.read_only
    refused(f"{element},PUBLIC={TEXT}", HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION)
    refused(f"PUBLIC={TEXT},{element}", HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION)


@pytest.mark.spec("MQ-2.1.7-1")
@pytest.mark.parametrize(
    "text",
    [
        f"DL={TEXT}, DL={TEXT}",
        f"DL={TEXT}@a, DL={TEXT}",
        f"DL={TEXT} ,DL={TEXT}",
        f"DL={TEXT},",
        f",DL={TEXT}",
        f"DL={TEXT},,DL={TEXT}",
        rf"DL={TEXT},host\q",
    ],
)
def test_elements_are_joined_by_one_comma_and_nothing_else(text: str) -> None:
    refused(text)


@pytest.mark.spec("MQ-2.1.7-2")
@pytest.mark.parametrize(
    ("element", "needed"),
    [
        (f"PUBLIC={TEXT}", True),
        (rf"PRIVATE={TEXT}\7", True),
        (f"DL={TEXT}", True),
        (r"DIRECT=TCP:192.0.2.1\q", False),
        ("MULTICAST=239.1.2.3:1", False),
    ],
)
def test_which_elements_need_the_directory(element: str, needed: bool) -> None:
    name = parse_format_name(rf"DIRECT=OS:h\q,{element}")
    assert isinstance(name, MultipleElementName)
    assert name.needs_directory is needed


@pytest.mark.spec("MQ-2.1.7-3")
def test_a_comma_splits_only_in_front_of_a_keyword() -> None:
    assert parse_format_name(r"DIRECT=OS:a,b\q") == DirectName(Protocol.OS, "a,b", PUBLIC_Q)
    assert parse_format_name(f"DL={TEXT}@a,b,dl={TEXT}") == MultipleElementName(
        (DistributionListName(GUID, "a,b"), DistributionListName(GUID))
    )
    assert parse_format_name(f"DL={TEXT}@a,DLx=1") == DistributionListName(GUID, "a,DLx=1")
    refused(r"DIRECT=OS:a,PUBLIC=b\q")
