r"""Direct format names: a queue by protocol and address, for which nobody asks a directory. [MS-MQMQ] 2.1.2

direct        = "DIRECT=" proto-address sep ["PRIVATE$" sep] QueueName [";" Subqueue] [";JOURNAL"]
              / "DIRECT=" proto-address sep "SYSTEM$;" ("JOURNAL" / "DEADLETTER" / "DEADXACT")
proto-address = "TCP:" ip / "OS:" Computer / "SPX:" net ":" node / "IPX:" net ":" node
              / "HTTP://" host [":" port] "/MSMQ" / "HTTPS://" host [":" port] "/MSMQ"
sep           = "\", and "/" with HTTP and HTTPS
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from ipaddress import IPv4Address, IPv6Address, ip_address

from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.nametext import COMPUTER, ELEMENT_BREAK, HOST, Name, Span, fold
from msmqctl.wire.pathname import COMPUTER_QUEUES, Area, QueuePart, Suffix, parse_queue_part
from msmqctl.wire.status import HResult

PREFIX = "DIRECT="
DIRECT_HINT = r"write it like DIRECT=OS:host\private$\orders or DIRECT=HTTP://host/msmq/private$/orders"

_SCOPE = re.compile(r"[0-9A-Za-z._~-]+")
# Four octets of network and six of node, in hexadecimal. [MS-MQMQ] 2.2.4.2
_IPX_ADDRESS = re.compile(r"[0-9A-Fa-f]{1,8}:[0-9A-Fa-f]{1,12}")


class Protocol(Enum):
    """How a direct name is reached; the value is the word in the name. [MS-MQMQ] 2.1.2"""

    TCP = "TCP"
    OS = "OS"
    HTTP = "HTTP"
    HTTPS = "HTTPS"
    IPX = "IPX"
    SPX = "SPX"

    @property
    def web(self) -> bool:
        """Whether messages travel as SRMP over HTTP."""
        return self in (Protocol.HTTP, Protocol.HTTPS)

    @property
    def default_port(self) -> int:
        """Where the peer listens unless the name says otherwise."""
        return _DEFAULT_PORTS[self]

    @property
    def separator(self) -> str:
        """What we write between address and queue."""
        return "/" if self.web else "\\"


_DEFAULT_PORTS = {
    Protocol.TCP: 1801,
    Protocol.OS: 1801,
    Protocol.HTTP: 80,
    Protocol.HTTPS: 443,
    Protocol.IPX: 876,
    Protocol.SPX: 876,
}


def parse_ip(text: str) -> IPv4Address | IPv6Address | None:
    """An IP address, an IPv6 one with or without brackets and a scope; None for anything else."""
    bare = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    try:
        found = ip_address(bare)
    except ValueError:
        return None
    if isinstance(found, IPv4Address):
        return found if bare is text else None
    return found if found.scope_id is None or _SCOPE.fullmatch(found.scope_id) else None


@dataclass(frozen=True, slots=True, eq=False)
class DirectName(Name):
    """A queue by protocol, address and name. `address` has no brackets and, with IP, is in its shortest form. [MS-MQMQ] 2.1.2"""

    protocol: Protocol
    address: str
    part: QueuePart
    port: int | None = None

    def __post_init__(self) -> None:
        if (fault := _ADDRESS_FAULTS[self.protocol](self.address, False)) is not None:
            raise ValueError(f"address {self.address!r}: {fault[1]}")
        if (self.protocol is Protocol.TCP or self.protocol.web) and (ip := parse_ip(self.address)) is not None:
            object.__setattr__(self, "address", str(ip))
        if self.port is not None and not (self.protocol.web and 0 <= self.port <= 0xFFFF):
            raise ValueError(f"{self.protocol.value} names take no port {self.port}")
        if ELEMENT_BREAK.search(self.address):
            raise ValueError(f"address {self.address!r} would end at its comma")
        if self.part.area is Area.SYSTEM and self.part.suffix not in COMPUTER_QUEUES.values():
            raise ValueError(f"{self.part} is not a system queue that a direct name can reach")
        if self.protocol.web and self.part.area is Area.PUBLIC and fold(self.part.queue).startswith("PRIVATE$/"):
            raise ValueError(f"{self.part} would read as a private queue")

    @property
    def ip(self) -> IPv4Address | IPv6Address | None:
        """The address as an IP address, where it is one."""
        return parse_ip(self.address)

    @property
    def effective_port(self) -> int:
        """The port to connect to. [MS-MQMQ] 2.1.2"""
        return self.protocol.default_port if self.port is None else self.port

    @property
    def suffix(self) -> Suffix:
        """What kind of queue the last component makes it. [MS-MQMQ] 2.2.7"""
        return self.part.suffix

    @property
    def key(self) -> str:
        """The folded text, with the port only where it is not the default."""
        return fold(PREFIX + self._text(None if self.port == self.protocol.default_port else self.port))

    @property
    def without_prefix(self) -> str:
        """The name as packets and RPC carry it. [MS-MQMQ] 2.2.18.1.5.2"""
        return self._text(self.port)

    def _text(self, port: int | None) -> str:
        separator = self.protocol.separator
        address = self.address
        if self.protocol.web:
            host = f"[{address}]" if ":" in address else address
            # Departs from [MS-MQMQ] 2.1.2: web names are written with slashes throughout, as all examples of [MC-MQSRM] are.
            address = f"//{host}{'' if port is None else f':{port}'}/msmq"
        return f"{self.protocol.value}:{address}{separator}{self.part.text(separator)}"

    def __str__(self) -> str:
        return PREFIX + self.without_prefix


# What is wrong with an address: where in it, and the sentence.
Fault = tuple[int, str] | None


def _tcp_fault(address: str, strict: bool) -> Fault:
    return None if parse_ip(address) else (0, "TCP takes an IP address without a port; for a computer name write OS:")


def _computer_fault(address: str, strict: bool) -> Fault:
    return COMPUTER.fault(address, strict=strict)


def _host_fault(address: str, strict: bool) -> Fault:
    return None if parse_ip(address) else HOST.fault(address, strict=strict)


def _ipx_fault(address: str, strict: bool) -> Fault:
    return None if _IPX_ADDRESS.fullmatch(address) else (0, "it is not a network number, a colon and a node number")


_ADDRESS_FAULTS: dict[Protocol, Callable[[str, bool], Fault]] = {
    Protocol.TCP: _tcp_fault,
    Protocol.OS: _computer_fault,
    Protocol.HTTP: _host_fault,
    Protocol.HTTPS: _host_fault,
    # Departs from [MS-MQMQ] 2.1.2: SPX is read beside IPX, because [MS-MQQB] writes it so.
    Protocol.IPX: _ipx_fault,
    Protocol.SPX: _ipx_fault,
}


def parse_direct(text: str, *, strict: bool = False) -> DirectName:
    """The direct name that a packet or an RPC call carries, without its prefix; one with a prefix is taken too. [MS-MQMQ] 2.2.18.1.5.2"""
    span = Span.over(text, HResult.MQ_ERROR_ILLEGAL_FORMATNAME)
    return parse_direct_span(span.behind(len(PREFIX)) if span.starts_with(PREFIX) else span, strict=strict)


def parse_direct_span(span: Span, *, strict: bool) -> DirectName:
    """The direct name in a stretch of text that starts with its protocol."""
    word, rest = span.cut(":")
    protocol = Protocol.__members__.get(fold(word.value))
    if rest is None or protocol is None:
        raise word.refuse("protocol", f"it is none of {', '.join(Protocol.__members__)} followed by a colon", DIRECT_HINT)
    if (split := ELEMENT_BREAK.search(span.value)) is not None:
        raise span.refuse("direct name", "a second name starts here", "give one name only", at=split.start())
    if protocol.web:
        return _parse_web(protocol, rest, strict=strict)
    address, part = rest.cut("\\")
    checked = _take_address(protocol, address, strict=strict)
    if part is None:
        raise address.refuse("queue name", "none follows the address", DIRECT_HINT, at=len(address.value))
    return DirectName(protocol, checked, _parse_direct_part(part, "\\", strict=strict))


def _take_address(protocol: Protocol, span: Span, *, strict: bool) -> str:
    if (fault := _ADDRESS_FAULTS[protocol](span.value, strict)) is not None:
        raise span.refuse("address", fault[1], DIRECT_HINT, at=fault[0])
    return span.value


def _parse_direct_part(span: Span, separators: str, *, strict: bool) -> QueuePart:
    part = parse_queue_part(span, DIRECT_HINT, separators=separators, strict=strict)
    if part.area is Area.SYSTEM and part.suffix not in COMPUTER_QUEUES.values():
        raise span.refuse(
            "system queue", f"{part.text()} is none of {', '.join(COMPUTER_QUEUES)}", r"write it like DIRECT=OS:host\SYSTEM$;DEADXACT"
        )
    return part


# "//" host [":" port] "/MSMQ" sep queue; a port is *DIGIT, so it may be empty or have zeros in front
def _parse_web(protocol: Protocol, span: Span, *, strict: bool) -> DirectName:
    if not span.value.startswith("//"):
        raise span.refuse("address", "two slashes must follow the protocol", DIRECT_HINT)
    authority, path = span.behind(2).cut("/\\")
    length = _host_length(authority.value)
    host = _take_address(protocol, authority.upto(length), strict=strict)
    port = _take_port(authority.behind(length))
    if path is None:
        raise authority.refuse("address", "the host must be followed by /msmq", DIRECT_HINT, at=len(authority.value))
    folder, part = path.cut("/\\")
    if fold(folder.value) != "MSMQ":
        raise folder.refuse("address", "the host must be followed by /msmq", DIRECT_HINT)
    if part is None:
        raise folder.refuse("queue name", "none follows /msmq", DIRECT_HINT, at=len(folder.value))
    return DirectName(protocol, host, _parse_direct_part(part, "/\\", strict=strict), port)


def _host_length(authority: str) -> int:
    """Where the host ends: at the bracket that closes an IPv6 address, else at the colon in front of the port."""
    if authority.startswith("[") and "]" in authority:
        return authority.index("]") + 1
    return len(authority.partition(":")[0])


def _take_port(span: Span) -> int | None:
    """The port behind its colon; None when nothing is written, which means the default."""
    colon, digits = span.value[:1], span.value[1:]
    significant = digits.lstrip("0") or "0"
    if colon not in ("", ":") or not re.fullmatch("[0-9]*", digits) or len(significant) > 5 or int(significant) > 0xFFFF:
        raise span.refuse("port", "it is not a colon and a number up to 65535", "write it like DIRECT=HTTP://host:8080/msmq/orders")
    return int(significant) if digits else None
