r"""Every form of a queue's name that follows from the name alone, what each is good for, and why it would fail. [MS-MQMQ] 2.1

The answer to "queue path is invalid" at three in the morning: `resolve` asks no directory and no network, so it works anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address

from msmqctl.errors import StatusError
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.directname import parse_ip
from msmqctl.wire.names import (
    WELL_KNOWN_QUEUES,
    Area,
    ConnectorName,
    DirectName,
    DistributionListName,
    MachineName,
    MulticastName,
    MultipleElementName,
    PathName,
    PrivateName,
    Protocol,
    PublicName,
    QueueName,
    QueuePart,
    Suffix,
    parse_format_name,
    parse_name,
    parse_path_name,
)
from msmqctl.wire.nametext import fold
from msmqctl.wire.pathname import ADMINISTRATIVE_SPELLINGS, COMPUTER_QUEUES

_NETBIOS_LIMIT = 15
_API_PREFIX = "FormatName:"


class Severity(StrEnum):
    """How bad a problem is: an error never works, a warning fails in common cases, a note explains."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a name, and what it is good for."""

    name: str
    good_for: str


@dataclass(frozen=True, slots=True)
class Transport:
    """How a message gets there. `address` is None where only a directory knows it."""

    protocol: str
    address: str | None
    port: int | None
    carries: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that will or may go wrong with the name, and what to do."""

    severity: Severity
    sentence: str
    advice: str


@dataclass(frozen=True, slots=True)
class Resolution:
    """All that a name says by itself."""

    typed: str
    name: str
    kind: str
    forms: tuple[Form, ...]
    transports: tuple[Transport, ...]
    needs_directory: bool
    can_send: bool
    can_receive: bool
    problems: tuple[Problem, ...]


def resolve(text: str) -> Resolution:
    """What `text` means as a queue name; a text that is no name raises the parser's StatusError. [MS-MQMQ] 2.1"""
    name = parse_name(text)
    return Resolution(
        typed=text,
        name=str(name),
        kind=_kind(name),
        forms=tuple({form.name: form for form in _forms(name)}.values()),
        transports=tuple(dict.fromkeys(_transports(name))),
        needs_directory=_needs_directory(name),
        can_send=_can_send(name),
        can_receive=_can_receive(name),
        problems=(*_problems_of_text(text, name), *_problems(name)),
    )


# ---- the kind, in words

_AREAS = {Area.PUBLIC: "public queue", Area.PRIVATE: "private queue", Area.SYSTEM: "system queue"}
_SUFFIXES = {
    Suffix.NONE: "",
    Suffix.JOURNAL: "journal of a ",
    Suffix.DEADLETTER: "dead-letter queue of a ",
    Suffix.DEADXACT: "transactional dead-letter queue of a ",
    Suffix.XACTONLY: "transactional queue of a ",
    Suffix.SUBQUEUE: "subqueue of a ",
}


def _kind(name: QueueName) -> str:
    match name:
        case PathName(part=part) | DirectName(part=part):
            way = "path name" if isinstance(name, PathName) else "direct format name"
            owner = "computer" if part.area is Area.SYSTEM and part.suffix.read_only else _AREAS[part.area]
            return f"{way} of the {_SUFFIXES[part.suffix]}{owner}" if part.suffix else f"{way} of a {owner}"
        case PublicName() | PrivateName():
            word = "public" if isinstance(name, PublicName) else "private"
            return f"{word} format name of {'the journal of ' if name.journal else ''}a {word} queue"
        case MachineName(suffix=suffix):
            return f"machine format name of the {_SUFFIXES[suffix]}computer"
        case ConnectorName(xact_only=xact_only):
            return f"connector format name of the {'transactional ' if xact_only else ''}queue of a connector"
        case DistributionListName():
            return "distribution list format name"
        case MulticastName():
            return "multicast format name"
        case MultipleElementName(elements=elements):
            return f"multiple-element format name with {len(elements)} elements"


# ---- forms

_COMPUTER_FORMS = {
    Suffix.JOURNAL: "reads copies of what the computer sent with journaling",
    Suffix.DEADLETTER: "reads what the computer could not deliver, outside transactions",
    Suffix.DEADXACT: "reads what the computer could not deliver, sent in transactions",
}
_QUEUE_FORMS = {
    Suffix.JOURNAL: "reads copies of what was taken from the queue",
    Suffix.SUBQUEUE: "reads what was moved to the subqueue",
}
_DIRECT_FORMS = {
    Protocol.OS: "sends and reads by computer name, without a directory",
    Protocol.TCP: "sends and reads by IP address, without a name service or a directory",
    Protocol.HTTP: "sends through web firewalls, if the web server of that computer takes messages",
    Protocol.HTTPS: "sends through web firewalls over TLS, if the web server of that computer takes messages",
    Protocol.IPX: "history: IPX went away after Windows 2000",
    Protocol.SPX: "history: SPX went away after Windows 2000",
}


def _forms(name: QueueName) -> Iterator[Form]:
    match name:
        case PathName() | DirectName():
            yield from _located_forms(name)
        case PublicName():
            yield Form(str(replace(name, journal=False)), "sends and reads wherever a directory can be asked")
            yield Form(str(replace(name, journal=True)), _QUEUE_FORMS[Suffix.JOURNAL])
        case PrivateName(lineage=lineage):
            yield Form(str(replace(name, journal=False)), "sends and reads where the directory knows the computer")
            yield Form(str(replace(name, journal=True)), _QUEUE_FORMS[Suffix.JOURNAL])
            yield from (Form(str(MachineName(lineage, suffix)), use) for suffix, use in _COMPUTER_FORMS.items())
        case MachineName(guid=guid):
            yield from (Form(str(MachineName(guid, suffix)), use) for suffix, use in _COMPUTER_FORMS.items())
        case ConnectorName(guid=guid):
            yield Form(str(ConnectorName(guid)), "read by the connector to a foreign system")
            yield Form(str(ConnectorName(guid, xact_only=True)), "read by the connector, for messages sent in transactions")
        case DistributionListName():
            yield Form(str(name), "sends one copy to every member of the list, which the directory knows")
        case MulticastName():
            yield Form(str(name), "sends to every queue that listens to the group, on this network")
        case MultipleElementName(elements=elements):
            for element in elements:
                yield from (form for form in _forms(element) if form.name == str(element))


def _located_forms(name: PathName | DirectName) -> Iterator[Form]:
    """A computer and a queue on it: by path, by every protocol that can carry the address, then the journals."""
    address, part = (name.computer if isinstance(name, PathName) else name.address), name.part
    typed = name.protocol if isinstance(name, DirectName) else None
    if isinstance(name, DirectName):
        yield Form(str(name), _direct_use(name))
    if typed in (Protocol.IPX, Protocol.SPX):
        return
    if isinstance(name, PathName) or (parse_ip(address) is None and not PathName.spells_computer_queue(part)):
        path = PathName(address, part)
        yield Form(str(path), _path_use(path))
    web = () if part.suffix or address == "." else (Protocol.HTTP, Protocol.HTTPS)
    binary = _binary_protocol(address)
    # A web name keeps the port it was typed with: the same protocol on its default port would be another server.
    directs = [_direct(protocol, address, part) for protocol in (binary, *web) if protocol is not typed]
    if part.area is not Area.SYSTEM:
        directs.append(_direct(binary, address, replace(part, journal=True)))
    directs += [_direct(binary, address, QueuePart(word, Area.SYSTEM)) for word in COMPUTER_QUEUES]
    yield from (Form(str(direct), _direct_use(direct)) for direct in directs if direct is not None)


def _binary_protocol(address: str) -> Protocol:
    return Protocol.OS if parse_ip(address) is None else Protocol.TCP


def _direct(protocol: Protocol, address: str, part: QueuePart) -> DirectName | None:
    """The direct name, or None where the protocol cannot carry this address or queue."""
    try:
        return DirectName(protocol, address, part)
    except ValueError:
        return None


def _path_use(path: PathName) -> str:
    if path.part.area is Area.PUBLIC:
        return "tools and APIs take it, and look it up in the directory"
    return "tools and APIs of this computer take it" if path.local else "tools on that computer take it; APIs elsewhere want a format name"


def _direct_use(direct: DirectName) -> str:
    if direct.protocol in (Protocol.IPX, Protocol.SPX) or direct.suffix is Suffix.NONE:
        return _DIRECT_FORMS[direct.protocol]
    if direct.protocol.web:
        return "nothing: over HTTP messages are only sent, and this queue takes none"
    if direct.part.area is Area.SYSTEM:
        return _COMPUTER_FORMS[direct.suffix]
    return _QUEUE_FORMS[direct.suffix]


# ---- transport, directory, use

_BINARY = "MQQB: binary messages; reading goes over RPC"
_SRMP = "SRMP: messages as SOAP"
_CARRIED = {
    Protocol.TCP: ("TCP", _BINARY),
    Protocol.OS: ("TCP", _BINARY),
    Protocol.HTTP: ("HTTP", _SRMP),
    Protocol.HTTPS: ("HTTPS", _SRMP),
    Protocol.IPX: ("SPX", "MQQB, historical: Windows NT and 2000 only"),
    Protocol.SPX: ("SPX", "MQQB, historical: Windows NT and 2000 only"),
}


def _transports(name: QueueName) -> Iterator[Transport]:
    match name:
        case PathName(local=True):
            yield Transport("local", None, None, "nothing: the local queue manager has the queue")
        case PathName(computer=computer):
            yield Transport("TCP", computer, Protocol.OS.default_port, _BINARY)
        case DirectName(protocol=protocol, address=address, effective_port=port):
            yield Transport(_CARRIED[protocol][0], address, port, _CARRIED[protocol][1])
        case MulticastName(address=group, port=port):
            yield Transport("PGM", str(group), port, "SRMP: messages as SOAP, to a multicast group")
        case MultipleElementName(elements=elements):
            for element in elements:
                yield from _transports(element)
        case DistributionListName():
            yield Transport("as its members", None, None, "whatever each member's own name implies")
        case _:
            yield Transport("TCP", None, Protocol.OS.default_port, _BINARY)


def _needs_directory(name: QueueName) -> bool:
    match name:
        case PathName(part=part):
            return part.area is Area.PUBLIC
        case MultipleElementName():
            return name.needs_directory or any(_needs_directory(element) for element in name.elements)
        case _:
            return not isinstance(name, DirectName | MulticastName)


def _can_send(name: QueueName) -> bool:
    match name:
        case MultipleElementName(elements=elements):
            return all(_can_send(element) for element in elements)
        case DirectName(protocol=Protocol.IPX | Protocol.SPX) | ConnectorName():
            return False
        case PathName(part=part):
            return part.suffix is Suffix.NONE and part.area is not Area.SYSTEM
        case _:
            return name.suffix is Suffix.NONE


def _can_receive(name: QueueName) -> bool:
    if isinstance(name, DirectName):
        return name.protocol in (Protocol.OS, Protocol.TCP)
    if isinstance(name, PathName) and name.system:
        return name.suffix.read_only
    return not isinstance(name, DistributionListName | MulticastName | MultipleElementName)


# ---- problems


def _problems_of_text(text: str, name: QueueName) -> Iterator[Problem]:
    """What only the typed text shows."""
    if fold(text).startswith(fold(_API_PREFIX)) and not text.startswith(_API_PREFIX):
        yield Problem(Severity.WARNING, "The .NET API wants FormatName: in exactly this case.", f"Write {_API_PREFIX}{name}.")
    if isinstance(name, PathName) and "\\" not in text:
        yield Problem(Severity.NOTE, f"A bare word means a private queue of this computer: {name}.", "Write the computer to mean another.")
    if isinstance(name, PathName) and name.system and "SYSTEM$;" not in fold(text):
        yield Problem(Severity.NOTE, f"Tools write it so, but it is a queue of the computer: {name}.", "Use the SYSTEM$; form in programs.")
    try:
        parse_path_name(str(name), strict=True) if isinstance(name, PathName) else parse_format_name(str(name), strict=True)
    except StatusError as error:
        yield Problem(
            Severity.WARNING,
            f"Outside the published grammar: {error.message}.",
            "Windows takes it, other implementations may not; prefer letters, digits, - and _.",
        )


def _problems(name: QueueName) -> Iterator[Problem]:
    if isinstance(name, MultipleElementName):
        yield Problem(Severity.NOTE, "Several destinations in one name are only for sending.", "To read, name one queue.")
        for element in name.elements:
            yield from _problems(element)
        return
    for check in _CHECKS:
        yield from check(name)


def _remote_private_path(name: QueueName) -> Iterator[Problem]:
    if isinstance(name, PathName) and not name.local and name.private:
        yield Problem(
            Severity.WARNING,
            "A path name cannot open a private queue of another computer: APIs answer that the queue path is invalid.",
            f"Use {_direct(_binary_protocol(name.computer), name.computer, name.part) or 'a format name'}.",
        )


def _public_path(name: QueueName) -> Iterator[Problem]:
    if isinstance(name, PathName) and name.part.area is Area.PUBLIC:
        yield Problem(
            Severity.NOTE,
            "A public queue's path name is looked up in the directory, so it fails in a workgroup.",
            f"Use {_direct(_binary_protocol(name.computer), name.computer, name.part) or 'a format name'}, or a private queue.",
        )


def _means_whoever_reads_it(name: QueueName) -> Iterator[Problem]:
    if isinstance(name, DirectName) and (name.address == "." or fold(name.address) == "LOCALHOST" or _loopback(name.ip)):
        yield Problem(
            Severity.WARNING,
            f"{name.address} means whichever computer uses the name: sent from elsewhere, or as a response queue, it goes astray.",
            "Write the real name of the computer.",
        )


def _loopback(ip: IPv4Address | IPv6Address | None) -> bool:
    return ip is not None and ip.is_loopback


def _long_computer_name(name: QueueName) -> Iterator[Problem]:
    computer = name.computer if isinstance(name, PathName) else name.address if isinstance(name, DirectName) else ""
    label = computer.partition(".")[0]
    by_name = isinstance(name, PathName) or (isinstance(name, DirectName) and name.protocol is Protocol.OS)
    if by_name and parse_ip(computer) is None and len(label) > _NETBIOS_LIMIT:
        yield Problem(
            Severity.WARNING,
            f"{label} has {len(label)} characters; NetBIOS names end after {_NETBIOS_LIMIT}, and messages may stay in the outgoing queue.",
            f"Try the first {_NETBIOS_LIMIT} characters, the full DNS name, or DIRECT=TCP: with the address.",
        )


def _historical(name: QueueName) -> Iterator[Problem]:
    if isinstance(name, DirectName) and name.protocol in (Protocol.IPX, Protocol.SPX):
        yield Problem(Severity.ERROR, "No Windows after 2000 speaks IPX.", "Use DIRECT=OS: or DIRECT=TCP: instead.")


def _read_only(name: QueueName) -> Iterator[Problem]:
    if name.suffix.read_only:
        yield Problem(Severity.NOTE, "Journals and dead-letter queues can be read, not sent to.", "To send, leave the suffix out.")


def _subqueue(name: QueueName) -> Iterator[Problem]:
    if not isinstance(name, PathName | DirectName) or name.part.subqueue is None:
        return
    yield Problem(
        Severity.NOTE,
        "Messages are moved to a subqueue, never sent to it, and only MSMQ 4.0 and later have them.",
        "To send, leave the subqueue out.",
    )
    if (word := fold(name.part.subqueue)) in {**COMPUTER_QUEUES, "XACTONLY": Suffix.XACTONLY}:
        yield Problem(
            Severity.WARNING,
            f"Behind a queue, {word} is a subqueue of that name: dead-letter queues belong to the computer.",
            r"For a dead-letter queue write computer\SYSTEM$;DEADLETTER or computer\SYSTEM$;DEADXACT.",
        )


def _misleading_queue_name(name: QueueName) -> Iterator[Problem]:
    if isinstance(name, PathName | DirectName) and fold(name.part.queue) in ADMINISTRATIVE_SPELLINGS:
        yield Problem(
            Severity.WARNING,
            f"A queue called {name.part.queue} is mistaken for a journal or dead-letter queue by most tools.",
            f"For the computer's own write SYSTEM$;{ADMINISTRATIVE_SPELLINGS[fold(name.part.queue)]}; else rename the queue.",
        )


def _unknown_system_queue(name: QueueName) -> Iterator[Problem]:
    if isinstance(name, PathName) and name.system and not name.suffix.read_only:
        yield Problem(Severity.ERROR, f"No format name reaches {name.part}.", f"The system queues are {', '.join(COMPUTER_QUEUES)}.")


def _send_only(name: QueueName) -> Iterator[Problem]:
    if isinstance(name, DirectName) and name.protocol.web:
        yield Problem(
            Severity.NOTE, "Over HTTP messages are only sent.", f"To read, use DIRECT=OS: with the computer behind {name.address}."
        )
    if isinstance(name, MulticastName):
        yield Problem(Severity.NOTE, "A multicast group cannot be read.", "Read the queues that listen to it.")
    if isinstance(name, DistributionListName):
        yield Problem(Severity.NOTE, "A distribution list cannot be read.", "Read the queues of its members.")


def _port_zero(name: QueueName) -> Iterator[Problem]:
    if isinstance(name, DirectName | MulticastName) and name.port == 0:
        yield Problem(Severity.ERROR, "Nothing listens on port 0.", "Write the port that the receiver listens on.")


def _well_known(name: QueueName) -> Iterator[Problem]:
    if isinstance(name, PrivateName) and (queue := WELL_KNOWN_QUEUES.get(name.number)):
        yield Problem(Severity.NOTE, f"Number {name.number} is {queue} on every computer, where MSMQ talks to itself.", "Leave it alone.")


_CHECKS: tuple[Callable[[QueueName], Iterator[Problem]], ...] = (
    _remote_private_path,
    _public_path,
    _means_whoever_reads_it,
    _long_computer_name,
    _historical,
    _read_only,
    _subqueue,
    _misleading_queue_name,
    _unknown_system_queue,
    _send_only,
    _port_zero,
    _well_known,
)
