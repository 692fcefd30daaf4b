r"""Path names: `computer\queue`, `computer\private$\queue`, `computer\system$;queue`, with a subqueue or a journal. [MS-MQMQ] 2.1.1"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, IntEnum

from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.nametext import COMPUTER, QUEUE, SUBQUEUE, Name, Span, fold
from msmqctl.wire.status import HResult

LOCAL_COMPUTER = "."
PATH_HINT = r"write it like .\private$\orders or host\orders;retry"
_PRIVATE, _SYSTEM, _JOURNAL = "private$", "SYSTEM$;", "JOURNAL"


class Suffix(IntEnum):
    """What stands behind the last semicolon, with the number RPC gives it. [MS-MQMQ] 2.2.11"""

    NONE = 0
    JOURNAL = 1
    DEADLETTER = 2
    DEADXACT = 3
    XACTONLY = 4
    SUBQUEUE = 5

    @property
    def read_only(self) -> bool:
        """A queue that the queue manager itself fills: it can be read, and nothing can be sent to it."""
        return self in COMPUTER_QUEUES.values()

    @property
    def suffix_and_flags(self) -> int:
        """QUEUE_FORMAT.m_SuffixAndFlags: the number, and 0x80 for what RPC calls a system queue. [MS-MQMQ] 2.2.7"""
        return self | (0x80 if self.read_only else 0)


class Area(Enum):
    """Which of a computer's three kinds of queue."""

    PUBLIC = ""
    PRIVATE = _PRIVATE
    SYSTEM = _SYSTEM


# The queues that every computer has, by the name behind SYSTEM$; in a direct name or behind the GUID of a machine name. [MS-MQMQ] 2.1.2
COMPUTER_QUEUES = {"JOURNAL": Suffix.JOURNAL, "DEADLETTER": Suffix.DEADLETTER, "DEADXACT": Suffix.DEADXACT}
# Computer\Journal$ and so on; Path\Journal$ is the journal of one queue.
# Departs from [MS-MQMQ] 2.1.1: these are no public queues in a path name, because administration tools spell system queues so.
ADMINISTRATIVE_SPELLINGS = {"JOURNAL$": "JOURNAL", "DEADLETTER$": "DEADLETTER", "XACTDEADLETTER$": "DEADXACT"}
_ADMINISTRATIVE_JOURNAL = r"\JOURNAL$"


@dataclass(frozen=True, slots=True, eq=False)
class QueuePart(Name):
    """Which queue of a computer: all of a path name or direct name that stands behind the computer. [MS-MQMQ] 2.1.1"""

    queue: str
    area: Area = Area.PUBLIC
    subqueue: str | None = None
    journal: bool = False

    def __post_init__(self) -> None:
        QUEUE.require(self.queue)
        if self.area is Area.PUBLIC and fold(self.queue) in RESERVED_QUEUES:
            raise ValueError(f"{self.queue} is not the name of a public queue")
        if self.subqueue is not None:
            SUBQUEUE.require(self.subqueue)
            if fold(self.subqueue) == _JOURNAL:
                raise ValueError("a subqueue cannot be called JOURNAL: that would be the journal")
        if self.area is Area.SYSTEM and self.journal:
            raise ValueError("a system queue has no journal")

    @property
    def suffix(self) -> Suffix:
        """The suffix that RPC and the matrix of suffixes know for this queue. [MS-MQMQ] 2.2.7"""
        if self.area is Area.SYSTEM:
            return COMPUTER_QUEUES.get(fold(self.queue), Suffix.NONE) if self.subqueue is None else Suffix.SUBQUEUE
        return Suffix.JOURNAL if self.journal else Suffix.NONE if self.subqueue is None else Suffix.SUBQUEUE

    def text(self, separator: str = "\\") -> str:
        """The part as it is written, with the separator that goes behind `private$`."""
        prefix = {Area.PUBLIC: "", Area.PRIVATE: _PRIVATE + separator, Area.SYSTEM: _SYSTEM}[self.area]
        return prefix + ";".join([self.queue, *([self.subqueue] if self.subqueue else []), *([_JOURNAL] if self.journal else [])])

    def __str__(self) -> str:
        return self.text()


# Departs from [MS-MQMQ] 2.1.1: private$ and system$ alone are no queue names, because they announce what follows.
RESERVED_QUEUES = frozenset({"PRIVATE$", "SYSTEM$"})


def parse_queue_part(span: Span, hint: str, *, separators: str = "\\", strict: bool = False) -> QueuePart:
    """What stands behind the computer. System queues first: they have a semicolon where private queues have a separator. [MS-MQMQ] 2.1.1"""
    if span.starts_with(_SYSTEM):
        # The name comes directly behind SYSTEM$;, so JOURNAL there is a queue of the computer and no suffix.
        name, subqueue = span.behind(len(_SYSTEM)).cut(";")
        queue = QUEUE.take(name, hint, strict=strict)
        known = fold(queue) if fold(queue) in COMPUTER_QUEUES else queue
        return QueuePart(known, Area.SYSTEM, None if subqueue is None else _take_subqueue(subqueue, hint, strict=strict))
    area = Area.PUBLIC
    if span.starts_with(_PRIVATE) and span.value[len(_PRIVATE) : len(_PRIVATE) + 1] in tuple(separators):
        area, span = Area.PRIVATE, span.behind(len(_PRIVATE) + 1)
    elif fold(span.value.partition(";")[0]) in RESERVED_QUEUES:
        raise span.refuse("queue name", f"{span.value} must be followed by the name of a queue", hint)
    name, suffix = span.cut(";")
    queue = QUEUE.take(name, hint, strict=strict)
    if suffix is None:
        return QueuePart(queue, area)
    # The last component JOURNAL is always the journal. [MS-MQMQ] 2.1.2
    if fold(suffix.value) == _JOURNAL:
        return QueuePart(queue, area, journal=True)
    subqueue, journal = suffix.cut(";")
    if journal is not None and fold(journal.value) != _JOURNAL:
        raise journal.refuse("suffix", "only JOURNAL can follow a subqueue", hint)
    return QueuePart(queue, area, _take_subqueue(subqueue, hint, strict=strict), journal=journal is not None)


def _take_subqueue(span: Span, hint: str, *, strict: bool) -> str:
    subqueue = SUBQUEUE.take(span, hint, strict=strict)
    # Departs from [MS-MQMQ] 2.1.1: no subqueue is called JOURNAL, because that suffix always means the journal.
    if fold(subqueue) == _JOURNAL:
        raise span.refuse("subqueue name", "JOURNAL names the journal and cannot name a subqueue", hint)
    return subqueue


@dataclass(frozen=True, slots=True, eq=False)
class PathName(Name):
    """A queue by the computer it lives on and its name there; a dot is the local computer. [MS-MQMQ] 2.1.1"""

    computer: str
    part: QueuePart

    def __post_init__(self) -> None:
        COMPUTER.require(self.computer)
        if self.spells_computer_queue(self.part):
            raise ValueError(f"{self.computer}\\{self.part.queue} is how tools write a queue of the computer itself")

    @staticmethod
    def spells_computer_queue(part: QueuePart) -> bool:
        """Whether tools would take this public queue for one of the computer's own, so that no path name can mean it."""
        return part.area is Area.PUBLIC and fold(part.queue) in ADMINISTRATIVE_SPELLINGS

    @property
    def queue(self) -> str:
        """The name of the queue alone."""
        return self.part.queue

    @property
    def private(self) -> bool:
        """Whether the queue is registered at its computer only."""
        return self.part.area is Area.PRIVATE

    @property
    def system(self) -> bool:
        """Whether it is a queue of the computer itself."""
        return self.part.area is Area.SYSTEM

    @property
    def subqueue(self) -> str | None:
        """The subqueue, if the name has one."""
        return self.part.subqueue

    @property
    def journal(self) -> bool:
        """Whether the name means the journal of the queue."""
        return self.part.journal

    @property
    def suffix(self) -> Suffix:
        """The suffix of the same queue in a format name."""
        return self.part.suffix

    @property
    def local(self) -> bool:
        """Whether the name means this computer, whatever it is called."""
        return self.computer == LOCAL_COMPUTER

    def __str__(self) -> str:
        return f"{self.computer}\\{self.part}"


# QueuePathName = Computer "\" QueueName / Computer "\private$\" QueueName / Computer "\system$;" QueueName
# QueueName may carry ";" Subqueue. The first backslash ends Computer, although VCHAR has the backslash.
def parse_path_name(text: str, *, strict: bool = False) -> PathName:
    """The path name that `text` is; strict takes only the characters of the published grammar. [MS-MQMQ] 2.1.1"""
    computer, rest = Span.over(text, HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME).cut("\\")
    name = COMPUTER.take(computer, PATH_HINT, strict=strict)
    if rest is None:
        raise computer.refuse("path name", "no backslash and queue name follow the computer name", PATH_HINT, at=len(name))
    folded = fold(rest.value)
    if spelled := ADMINISTRATIVE_SPELLINGS.get(folded):
        return PathName(name, QueuePart(spelled, Area.SYSTEM))
    if not folded.endswith(_ADMINISTRATIVE_JOURNAL) or folded == fold(_PRIVATE) + _ADMINISTRATIVE_JOURNAL:
        return PathName(name, _refuse_spelling(rest, parse_queue_part(rest, PATH_HINT, strict=strict)))
    queue = rest.upto(len(rest.value) - len(_ADMINISTRATIVE_JOURNAL))
    part = _refuse_spelling(rest, parse_queue_part(queue, PATH_HINT, strict=strict))
    if part.journal or part.area is Area.SYSTEM:
        raise rest.refuse("queue name", "a journal or a system queue has no journal of its own", PATH_HINT)
    return PathName(name, replace(part, journal=True))


def _refuse_spelling(span: Span, part: QueuePart) -> QueuePart:
    if PathName.spells_computer_queue(part):
        raise span.refuse("queue name", f"{part.queue} is a queue of the computer itself and takes no suffix", PATH_HINT)
    return part
