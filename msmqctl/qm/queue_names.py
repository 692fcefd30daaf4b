r"""Which names mean this computer, and under which key the store has a queue. [MS-MQDMPR] 3.1.7.1.5, [MS-MQMQ] 2.1

    private$\orders             a private queue; private$\orders;journal its journal, private$\orders;retry a subqueue
    orders                      a public queue, with the same suffixes
    system$;deadletter          a queue of the computer itself: system$;deadxact, system$;journal
    out\direct=os:host\orders   an outgoing queue, by the format name of its destination

The key is all of a path name that stands behind the computer, folded; so every spelling of a local name leads to one key. No key of
a hosted queue starts with `out\`: a name without an area has no backslash.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address

from msmqctl.qm.directory_model import QueueManager
from msmqctl.wire.directname import parse_ip
from msmqctl.wire.names import Area, DirectName, FormatName, PathName, QueuePart
from msmqctl.wire.nametext import fold
from msmqctl.wire.pathname import LOCAL_COMPUTER, Suffix

_OUTGOING = "out\\"
_LOCAL_HOST = "localhost"
# Folding leaves no small ASCII letter, so nothing falls together when the capitals become small ones.
_SMALL_LETTERS = {capital: capital + 32 for capital in range(ord("A"), ord("Z") + 1)}


def _key(text: str) -> str:
    return fold(text).translate(_SMALL_LETTERS)


def key_of_part(part: QueuePart) -> str:
    """The key of a queue hosted here."""
    return _key(part.text())


def key_of_outgoing(destination: FormatName) -> str:
    """The key of the outgoing queue to a destination."""
    return _OUTGOING + _key(destination.key)


def key_of_computer_queue(suffix: Suffix) -> str:
    """The key of the journal or of a dead-letter queue of this computer, by its role. [MS-MQMQ] 2.1.6"""
    return key_of_part(QueuePart(suffix.name, Area.SYSTEM))


class LocalComputer:
    """All names and addresses of the computer that this queue manager runs on."""

    def __init__(self, manager: QueueManager, addresses: Iterable[str] = ()) -> None:
        self._manager = manager
        given = [(text, parse_ip(text)) for text in addresses]
        self._addresses: frozenset[IPv4Address | IPv6Address] = frozenset(ip for _, ip in given if ip is not None)
        self._aliases = frozenset(fold(text) for text, ip in given if ip is None)

    def means(self, computer: str) -> bool:
        """Whether a computer name or an address is one of this computer. [MS-MQDMPR] 3.1.7.1.5"""
        # Departs from [MS-MQDMPR] 3.1.7.1.5: the full name and the addresses are local too, or a queue manager would send to itself.
        ip = parse_ip(computer)
        if ip is not None:
            return ip.is_loopback or ip in self._addresses
        known = (LOCAL_COMPUTER, _LOCAL_HOST, self._manager.computer_name, self._manager.qualified_computer_name)
        return bool(computer) and (fold(computer) in map(fold, known) or fold(computer) in self._aliases)

    def part_of(self, name: PathName | DirectName) -> QueuePart | None:
        """Which queue here a name by computer or address means; None when it means one elsewhere."""
        computer = name.computer if isinstance(name, PathName) else name.address
        return name.part if self.means(computer) else None

    def named(self, path: PathName) -> PathName:
        """The path name with the computer's name in place of a dot, once the computer has a name."""
        return PathName(self._manager.computer_name, path.part) if path.local and self._manager.computer_name else path

    def qualified(self, path: PathName) -> PathName:
        """The path name with the full name of the computer, as far as that is known. [MS-MQDMPR] 3.1.7.1.3"""
        return PathName(self._manager.qualified_computer_name or self.named(path).computer, path.part)
