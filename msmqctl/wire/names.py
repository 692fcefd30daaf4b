r"""Names of queues, read and printed: every format name, and what a user may type for one. [MS-MQMQ] 2.1

    format-name   = direct / public / private / dl / machine / connector / multicast
    multi-element = element *("," element)                  element: any of these but machine, and never a read-only queue
    public        = "PUBLIC=" guid [";JOURNAL"]
    private       = "PRIVATE=" guid "\" 1*8HEXDIG [";JOURNAL"]
    dl            = "DL=" guid ["@" domain]
    machine       = "MACHINE=" guid ";" ("JOURNAL" / "DEADLETTER" / "DEADXACT")
    connector     = "CONNECTOR=" guid [";XACTONLY"]
    multicast     = "MULTICAST=" a "." b "." c "." d ":" port
    guid          = 8HEXDIG 3("-" 4HEXDIG) "-" 12HEXDIG     without braces, in either case

Path names stand in `pathname`, direct names in `directname`; import all of them from here. Names are equal without regard to case,
print in one canonical form, and parse from what they print. A text that is no name raises StatusError and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv4Address
from typing import TypeAlias
from uuid import UUID

from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.directname import DirectName, Protocol, parse_direct, parse_direct_span
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.nametext import DOMAIN, ELEMENT_BREAK, KEYWORDS, Name, Span, fold
from msmqctl.wire.pathname import COMPUTER_QUEUES, LOCAL_COMPUTER, Area, PathName, QueuePart, Suffix, parse_path_name
from msmqctl.wire.status import HResult

__all__ = [
    "WELL_KNOWN_QUEUES",
    "Area",
    "ConnectorName",
    "DirectName",
    "DistributionListName",
    "ElementName",
    "FormatName",
    "MachineName",
    "MulticastName",
    "MultipleElementName",
    "PathName",
    "PrivateName",
    "Protocol",
    "PublicName",
    "QueueName",
    "QueuePart",
    "Suffix",
    "direct_name",
    "parse_direct",
    "parse_format_name",
    "parse_name",
    "parse_path_name",
    "path_name",
    "same_queue",
]

_ZERO = "00000000-0000-0000-0000-000000000000"
_GUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_QUEUE_NUMBER = re.compile(r"[0-9A-Fa-f]{1,8}")
# Departs from [MS-MQMQ] 2.1.6: any port from 0 to 65535 is taken, because the published alternatives leave out most of them.
_PORT = re.compile(r"0|[1-9][0-9]{0,4}")
_API_PREFIX = "FormatName:"
_KEYWORD_LIKE = re.compile(r"[A-Za-z]+=")
# Private queues with the same number on every computer: their numbers are written without zeros in front. [MS-MQCN], [MS-MQQB]
WELL_KNOWN_QUEUES = {3: "notify_queue$", 4: "order_queue$"}


@dataclass(frozen=True, slots=True, eq=False)
class PublicName(Name):
    """A queue by the GUID of its directory object. [MS-MQMQ] 2.1.3"""

    guid: UUID
    journal: bool = False

    @property
    def suffix(self) -> Suffix:
        """Whether it is the journal."""
        return Suffix.JOURNAL if self.journal else Suffix.NONE

    def __str__(self) -> str:
        return f"PUBLIC={self.guid}{_suffix_text(self.suffix)}"


@dataclass(frozen=True, slots=True, eq=False)
class PrivateName(Name):
    """A queue by the GUID of its queue manager and its number there. [MS-MQMQ] 2.1.4"""

    lineage: UUID
    number: int
    journal: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.number <= 0xFFFFFFFF:
            raise ValueError(f"a queue number has 32 bits, {self.number} does not fit")

    @property
    def object_id(self) -> ObjectId:
        """The queue as packets and RPC identify it."""
        return ObjectId(self.lineage, self.number)

    @property
    def suffix(self) -> Suffix:
        """Whether it is the journal."""
        return Suffix.JOURNAL if self.journal else Suffix.NONE

    def __str__(self) -> str:
        number = f"{self.number:x}" if self.number in WELL_KNOWN_QUEUES else f"{self.number:08x}"
        return f"PRIVATE={self.lineage}\\{number}{_suffix_text(self.suffix)}"


@dataclass(frozen=True, slots=True, eq=False)
class DistributionListName(Name):
    """A list of queues by the GUID of its directory object, perhaps with the domain it is in. [MS-MQMQ] 2.1.5"""

    guid: UUID
    domain: str | None = None

    def __post_init__(self) -> None:
        if self.domain is not None:
            DOMAIN.require(self.domain)
            if ELEMENT_BREAK.search(self.domain):
                raise ValueError(f"domain name {self.domain!r} would end at its comma")

    @property
    def suffix(self) -> Suffix:
        """None: a list has no journal."""
        return Suffix.NONE

    def __str__(self) -> str:
        return f"DL={self.guid}{'' if self.domain is None else f'@{self.domain}'}"


@dataclass(frozen=True, slots=True, eq=False)
class MachineName(Name):
    """The journal or a dead-letter queue of a computer, by the GUID of its queue manager. [MS-MQMQ] 2.1.6"""

    guid: UUID
    suffix: Suffix

    def __post_init__(self) -> None:
        if self.suffix not in COMPUTER_QUEUES.values():
            raise ValueError(f"a machine name has no suffix {self.suffix.name}")

    def __str__(self) -> str:
        return f"MACHINE={self.guid}{_suffix_text(self.suffix)}"


@dataclass(frozen=True, slots=True, eq=False)
class ConnectorName(Name):
    """The queue of a connector to a foreign system, or its transactional one. [MS-MQMQ] 2.1.6"""

    guid: UUID
    xact_only: bool = False

    @property
    def suffix(self) -> Suffix:
        """Whether it is the transactional one."""
        return Suffix.XACTONLY if self.xact_only else Suffix.NONE

    def __str__(self) -> str:
        return f"CONNECTOR={self.guid}{_suffix_text(self.suffix)}"


@dataclass(frozen=True, slots=True, eq=False)
class MulticastName(Name):
    """All queues that listen to a multicast group. [MS-MQMQ] 2.1.6"""

    address: IPv4Address
    port: int

    def __post_init__(self) -> None:
        if not self.address.is_multicast or not 0 <= self.port <= 0xFFFF:
            raise ValueError(f"{self.address}:{self.port} is not a multicast address and port")

    @property
    def suffix(self) -> Suffix:
        """None: a group has no journal."""
        return Suffix.NONE

    def __str__(self) -> str:
        return f"MULTICAST={self.address}:{self.port}"


ElementName: TypeAlias = DirectName | PublicName | PrivateName | DistributionListName | ConnectorName | MulticastName


@dataclass(frozen=True, slots=True, eq=False)
class MultipleElementName(Name):
    """Several destinations in one name, at least two: with one element it is that element. [MS-MQMQ] 2.1.7"""

    elements: tuple[ElementName, ...]

    def __post_init__(self) -> None:
        if len(self.elements) < 2:
            raise ValueError("a multiple-element name has at least two elements")
        if any(element.suffix.read_only for element in self.elements):
            raise ValueError("a read-only queue cannot be an element")

    @property
    def suffix(self) -> Suffix:
        """None: the elements have their own."""
        return Suffix.NONE

    @property
    def needs_directory(self) -> bool:
        """Whether some element can only be found through the directory. [MS-MQMQ] 2.1.7"""
        return any(isinstance(element, PublicName | PrivateName | DistributionListName) for element in self.elements)

    def __str__(self) -> str:
        return ",".join(map(str, self.elements))


FormatName: TypeAlias = ElementName | MachineName | MultipleElementName
QueueName: TypeAlias = PathName | FormatName


def _suffix_text(suffix: Suffix) -> str:
    return f";{suffix.name}" if suffix else ""


def parse_format_name(text: str, *, strict: bool = False) -> FormatName:
    """The format name that `text` is, a multiple-element one included. [MS-MQMQ] 2.1.2 to 2.1.7"""
    whole = Span.over(text, HResult.MQ_ERROR_ILLEGAL_FORMATNAME)
    starts = [0, *(match.end() for match in ELEMENT_BREAK.finditer(text))]
    spans = [
        Span(text, start, end, whole.status) for start, end in zip(starts, [*(start - 1 for start in starts[1:]), len(text)], strict=True)
    ]
    names = [_parse_element(span, strict=strict) for span in spans]
    if len(names) == 1:
        return names[0]
    elements: list[ElementName] = []
    for span, name in zip(spans, names, strict=True):
        if isinstance(name, MachineName) or name.suffix.read_only:
            refused = Span(text, span.start, span.end, HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION)
            raise refused.refuse("element", "a journal or dead-letter queue cannot be sent to", "leave it out, or name it alone to read it")
        elements.append(name)
    return MultipleElementName(tuple(elements))


def _parse_element(span: Span, *, strict: bool) -> ElementName | MachineName:
    word, rest = span.cut("=")
    parse = _PARSERS.get(fold(word.value))
    if rest is None or parse is None:
        raise span.refuse("keyword", f"it is none of {', '.join(KEYWORDS)} followed by =", r"write it like DIRECT=OS:host\private$\orders")
    return parse(rest, strict)


def _parse_direct(span: Span, strict: bool) -> DirectName:
    return parse_direct_span(span, strict=strict)


def _parse_public(span: Span, strict: bool) -> PublicName:
    hint = f"write it like PUBLIC={_ZERO} or PUBLIC={_ZERO};JOURNAL"
    # Departs from [MS-MQMQ] 2.1.3: a journal suffix is taken, because QUEUE_FORMAT of 2.2.7 has one for public queues.
    guid, suffix = _cut_suffix(span, hint, Suffix.NONE, Suffix.JOURNAL)
    return PublicName(_take_guid(guid, hint), journal=suffix is Suffix.JOURNAL)


def _parse_private(span: Span, strict: bool) -> PrivateName:
    hint = f"write it like PRIVATE={_ZERO}\\0000000d"
    guid, rest = span.cut("\\")
    lineage = _take_guid(guid, hint)
    if rest is None:
        raise guid.refuse("queue number", r"\ and a number must follow the GUID", hint, at=len(guid.value))
    number, suffix = _cut_suffix(rest, hint, Suffix.NONE, Suffix.JOURNAL)
    if not _QUEUE_NUMBER.fullmatch(number.value):
        raise number.refuse("queue number", "it is not 1 to 8 hexadecimal digits", hint)
    return PrivateName(lineage, int(number.value, 16), journal=suffix is Suffix.JOURNAL)


def _parse_distribution_list(span: Span, strict: bool) -> DistributionListName:
    hint = f"write it like DL={_ZERO}@corp.example"
    guid, domain = span.cut("@")
    return DistributionListName(_take_guid(guid, hint), None if domain is None else DOMAIN.take(domain, hint))


def _parse_machine(span: Span, strict: bool) -> MachineName:
    hint = f"write it like MACHINE={_ZERO};DEADLETTER"
    # Departs from [MS-MQMQ] 2.1.6: a machine name needs a suffix, because 2.2.7 forbids one without.
    guid, suffix = _cut_suffix(span, hint, *COMPUTER_QUEUES.values())
    return MachineName(_take_guid(guid, hint), suffix)


def _parse_connector(span: Span, strict: bool) -> ConnectorName:
    hint = f"write it like CONNECTOR={_ZERO} or CONNECTOR={_ZERO};XACTONLY"
    # Departs from [MS-MQMQ] 2.1.6: a connector name may end in XACTONLY, because 2.2.7 has that suffix for connectors.
    guid, suffix = _cut_suffix(span, hint, Suffix.NONE, Suffix.XACTONLY)
    return ConnectorName(_take_guid(guid, hint), xact_only=suffix is Suffix.XACTONLY)


def _parse_multicast(span: Span, strict: bool) -> MulticastName:
    hint = "write it like MULTICAST=239.1.2.3:8001"
    address, port = span.cut(":")
    try:
        group = IPv4Address(address.value)
    except ValueError:
        raise address.refuse("multicast address", "it is not an IPv4 address", hint) from None
    if not group.is_multicast:
        raise address.refuse("multicast address", "it is not between 224.0.0.0 and 239.255.255.255", hint)
    if port is None:
        raise address.refuse("port", "a colon and a port must follow the address", hint, at=len(address.value))
    if not _PORT.fullmatch(port.value) or int(port.value) > 0xFFFF:
        raise port.refuse("port", "it is not a number from 0 to 65535 without zeros in front", hint)
    return MulticastName(group, int(port.value))


_PARSERS: dict[str, Callable[[Span, bool], ElementName | MachineName]] = {
    "DIRECT": _parse_direct,
    "PUBLIC": _parse_public,
    "PRIVATE": _parse_private,
    "DL": _parse_distribution_list,
    "MACHINE": _parse_machine,
    "CONNECTOR": _parse_connector,
    "MULTICAST": _parse_multicast,
}


def _take_guid(span: Span, hint: str) -> UUID:
    if not _GUID.fullmatch(span.value):
        raise span.refuse("GUID", "it is not 8-4-4-4-12 hexadecimal digits without braces", hint)
    return UUID(span.value)


def _cut_suffix(span: Span, hint: str, *allowed: Suffix) -> tuple[Span, Suffix]:
    """What stands in front of the semicolon, and the suffix behind it, which must be an allowed one. [MS-MQMQ] 2.2.7"""
    front, word = span.cut(";")
    words = {suffix.name: suffix for suffix in allowed if suffix}
    if word is None and Suffix.NONE in allowed:
        return front, Suffix.NONE
    if word is None:
        raise span.refuse("suffix", f"it is missing, and must be {' or '.join(words)}", hint, at=len(span.value))
    if (suffix := words.get(fold(word.value))) is None:
        raise word.refuse("suffix", f"it must be {' or '.join(words)}", hint)
    return front, suffix


def parse_name(text: str) -> QueueName:
    r"""What a user types: a format name, with or without the `FormatName:` of the API; a path name; or `orders` for `.\private$\orders`."""
    whole = Span.over(text, HResult.MQ_ERROR_ILLEGAL_FORMATNAME)
    if whole.starts_with(_API_PREFIX):
        return parse_format_name(text[len(_API_PREFIX) :])
    word, rest = whole.cut("=")
    if rest is not None and fold(word.value) in _PARSERS:
        return parse_format_name(text)
    if _KEYWORD_LIKE.match(text):
        # A misspelt keyword must not become a strange computer or queue.
        raise word.refuse("keyword", f"it is none of {', '.join(KEYWORDS)}", r"for a queue with = in its name write .\private$\name")
    path = Span.over(text, HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME)
    if path.starts_with("private$\\") or path.starts_with("system$;"):
        raise path.refuse("computer name", "it is missing", rf"for this computer write .\{text}")
    if "\\" in text:
        return parse_path_name(text)
    if "/" in text:
        # A queue name may have a slash, but a bare word with one is nearly always a path name typed the Unix way.
        hint = r"use backslashes, in quotes: '.\private$\orders'"
        raise path.refuse("path name", "a slash does not separate its components", hint, at=text.index("/"))
    return parse_path_name(f"{LOCAL_COMPUTER}\\private$\\{text}")


def direct_name(path: PathName) -> DirectName:
    """The direct name that means the same queue, by the name of its computer. A system queue without one is refused."""
    return parse_direct(f"OS:{path}")


def path_name(direct: DirectName) -> PathName | None:
    """The path name that means the same queue, for a direct name by computer name; None where there is none."""
    part = direct.part
    if direct.protocol is not Protocol.OS or PathName.spells_computer_queue(part):
        return None
    return PathName(direct.address, part)


def same_queue(one: QueueName, other: QueueName) -> bool:
    """Whether two names mean the same queue as far as the names alone can tell: no directory and no resolver is asked."""
    return _place(one) == _place(other)


def _place(name: QueueName) -> Name:
    """The name, or the path name that a direct name stands for."""
    return (path_name(name) or name) if isinstance(name, DirectName) else name
