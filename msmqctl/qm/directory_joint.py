"""The joint to the directory: what the core asks of it, as a table of functions, and what filters and sort orders mean. [MS-MQDMPR] 3.1.7.1

    outside     `directory/objects.py`, which speaks LDAP ([MS-MQDSSM] 3.1.6)
    in tests    a dictionary
    without     NO_DIRECTORY, which nobody can reach

The core never calls these functions itself but through the events in `directory_events`, which know when the directory is offline.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from msmqctl.qm.directory_model import ConnectedNetwork, Enterprise, QueueManager, RoutingLink, Site, User
from msmqctl.qm.element import DirectoryObject, directory_attributes
from msmqctl.qm.model import DirectoryOperationResult, Queue
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.names import DistributionListName, ElementName
from msmqctl.wire.sid import Sid

# What iDirectoryObjectType can say. Outgoing queues are queues, but the directory knows none of them.
OBJECT_TYPES: dict[str, type[DirectoryObject]] = {
    kind.__name__: kind for kind in (QueueManager, Queue, Enterprise, Site, RoutingLink, ConnectedNetwork, User)
}


def object_type(name: str) -> type[DirectoryObject]:
    """The class behind a type's name. [MS-MQDMPR] 3.1.7.1.20"""
    if name not in OBJECT_TYPES:
        raise ValueError(f"the directory holds no {name}, only {', '.join(OBJECT_TYPES)}")
    return OBJECT_TYPES[name]


# ---- filters


class Operator(StrEnum):
    """How the attribute, on the left, has to compare with the value. [MS-MQDMPR] 3.1.7.1.20"""

    EQUALS = "EQUALS"
    NOT_EQUALS = "NOT-EQUALS"
    LESS_THAN = "LESS-THAN"
    GREATER_THAN = "GREATER-THAN"
    LESS_THAN_OR_EQUAL = "LESS-THAN-OR-EQUAL"
    GREATER_THAN_OR_EQUAL = "GREATER-THAN-OR-EQUAL"


_COMPARISONS: dict[Operator, Callable[[Any, Any], bool]] = {
    Operator.EQUALS: operator.eq,
    Operator.NOT_EQUALS: operator.ne,
    Operator.LESS_THAN: operator.lt,
    Operator.GREATER_THAN: operator.gt,
    Operator.LESS_THAN_OR_EQUAL: operator.le,
    Operator.GREATER_THAN_OR_EQUAL: operator.ge,
}
_WITHOUT_ORDER = (Operator.EQUALS, Operator.NOT_EQUALS)


@dataclass(frozen=True, slots=True)
class Condition:
    """One attribute-filter expression, such as `Condition("actual_cost", Operator.LESS_THAN, 10)`. [MS-MQDMPR] 3.1.7.1.20"""

    attribute: str
    operator: Operator
    value: object

    def holds_for(self, candidate: DirectoryObject) -> bool:
        """Whether the object satisfies the expression. Text compares as in the directory: upper and lower case are alike."""
        left, right = _folded(getattr(candidate, self.attribute)), _folded(self.value)
        if self.operator not in _WITHOUT_ORDER and (left is None or right is None):
            return False  # what is not there is neither less nor greater
        return _COMPARISONS[self.operator](left, right)


# All conditions have to hold; None stands for no condition.
Filter: TypeAlias = Sequence[Condition] | None


def identified_by(identifier: UUID) -> tuple[Condition]:
    """The filter that nearly every rule uses: the one object with this identifier."""
    return (Condition("identifier", Operator.EQUALS, identifier),)


def satisfies(candidate: DirectoryObject, conditions: Filter) -> bool:
    """Whether all conditions hold. [MS-MQDMPR] 3.1.7.1.20"""
    return all(condition.holds_for(candidate) for condition in conditions or ())


def _folded(value: Any) -> Any:
    return value.casefold() if type(value) is str else value


def refuse_unknown(kind: type[DirectoryObject], names: Iterable[str]) -> None:
    """Raise ValueError unless the directory can hold every one of these attributes. [MS-MQDMPR] 3.1.7.1.20"""
    unknown = sorted(set(names).difference(directory_attributes(kind)))
    if unknown:
        raise ValueError(f"the directory holds no {', '.join(unknown)} of a {kind.__name__}")


# ---- sort orders


@dataclass(frozen=True, slots=True)
class SortOrder:
    """What one attribute means for the order of a result: the highest priority decides first, 0 decides nothing. [MS-MQDMPR] 3.1.7.1.21"""

    priority: int
    ascending: bool = True


def in_order(found: Iterable[DirectoryObject], attributes: Sequence[str], orders: Sequence[SortOrder]) -> list[DirectoryObject]:
    """The objects, sorted: `orders` has one entry for each of `attributes`. What has no value comes first. [MS-MQDMPR] 3.1.7.1.21"""
    result = list(found)
    keys = [(order, name) for name, order in zip(attributes, orders, strict=True) if order.priority > 0]
    # Sorting is stable: the least key first, and the greatest has the last word.
    for order, name in sorted(keys, key=lambda key: key[0].priority):
        result.sort(key=partial(_sortable, name), reverse=not order.ascending)
    return result


def _sortable(name: str, one: DirectoryObject) -> tuple[bool, Any]:
    value = getattr(one, name)
    return value is not None, _folded(value)


# ---- answers


class Created(NamedTuple):
    """How a creation ended; the identifier is there exactly with Success. [MS-MQDMPR] 3.1.7.1.18"""

    status: DirectoryOperationResult
    identifier: UUID | None = None


class Found(NamedTuple):
    """How a read ended. With Success there is an object, of which only `attributes` mean anything. [MS-MQDMPR] 3.1.7.1.20"""

    status: DirectoryOperationResult
    directory_object: DirectoryObject | None = None
    attributes: frozenset[str] = frozenset()


class Query(NamedTuple):
    """How the beginning of a longer read ended; the handle is there exactly with Success. [MS-MQDMPR] 3.1.7.1.21"""

    status: DirectoryOperationResult
    handle: int | None = None


class Members(NamedTuple):
    """The names in a distribution list; nested lists are resolved. [MS-MQDSSM] 3.1.6.9"""

    status: DirectoryOperationResult
    names: tuple[ElementName, ...] = ()


class Change(StrEnum):
    """What other queue managers hear about. [MS-MQCN] 3.3.4.1"""

    QUEUE_CREATION = "QueueCreation"
    QUEUE_UPDATE = "QueueUpdate"
    QUEUE_DELETION = "QueueDeletion"
    QUEUE_MANAGER_UPDATE = "QueueManagerUpdate"


# ---- the table


@dataclass(frozen=True, slots=True)
class Directory:
    """What a directory can do. It answers with a status and does not raise; attributes to write are named, all or some of them."""

    create: Callable[[DirectoryObject, tuple[str, ...]], Created]
    """[MS-MQDSSM] 3.1.6.1"""
    delete: Callable[[DirectoryObject], DirectoryOperationResult]
    """[MS-MQDSSM] 3.1.6.2"""
    read: Callable[[type[DirectoryObject], Filter, tuple[str, ...] | None], Found]
    """The first object that satisfies the filter, with the named attributes, or with all for None. [MS-MQDSSM] 3.1.6.3"""
    read_begin: Callable[[type[DirectoryObject], Filter, tuple[str, ...] | None, tuple[SortOrder, ...]], Query]
    """[MS-MQDSSM] 3.1.6.4"""
    read_next: Callable[[int], Found]
    """[MS-MQDSSM] 3.1.6.5"""
    read_end: Callable[[int], DirectoryOperationResult]
    """[MS-MQDSSM] 3.1.6.6"""
    write: Callable[[DirectoryObject, tuple[str, ...]], DirectoryOperationResult]
    """[MS-MQDSSM] 3.1.6.7"""
    resolve_distribution_list: Callable[[DistributionListName], Members]
    """[MS-MQDSSM] 3.1.6.9"""
    notify: Callable[[Change, DirectoryObject], None]
    """Tell the queue manager that the object belongs to. [MS-MQCN] 3.3.4.1"""
    object_sid: Callable[[str], Sid | None]
    """The SID of the computer with this name; None if that cannot be found out. [MS-MQDMPR] 3.1.7.1.3.1"""
    legacy: Directory | None = None
    """A directory server of Windows NT 4.0 or 2000, which notifies queue managers of its time by itself. [MS-MQDMPR] appendix, note 21"""


_UNREACHABLE = DirectoryOperationResult.DIRECTORY_NOT_CONNECTED

NO_DIRECTORY = Directory(
    create=lambda _object, _attributes: Created(_UNREACHABLE),
    delete=lambda _object: _UNREACHABLE,
    read=lambda _kind, _filter, _attributes: Found(_UNREACHABLE),
    read_begin=lambda _kind, _filter, _attributes, _orders: Query(_UNREACHABLE),
    read_next=lambda _handle: Found(_UNREACHABLE),
    read_end=lambda _handle: _UNREACHABLE,
    write=lambda _object, _attributes: _UNREACHABLE,
    resolve_distribution_list=lambda _list: Members(_UNREACHABLE),
    notify=lambda _change, _object: None,
    object_sid=lambda _computer: None,
)


# ---- timers


class DirectoryTimer(StrEnum):
    """What has to be asked of the directory again after a while. [MS-MQDMPR] 3.1.2"""

    SITES_UPDATE = "Directory Sites Update"
    SITE_GATES_UPDATE = "Directory Site Gates Update"
    ONLINE = "Directory Online"


# How long each runs: the first two as the document recommends, the last as it prescribes. [MS-MQDMPR] 3.1.2.1, 3.1.2.2, 3.1.2.5
TIMER_DURATIONS: dict[DirectoryTimer, timedelta] = {
    DirectoryTimer.SITES_UPDATE: timedelta(hours=12),
    DirectoryTimer.SITE_GATES_UPDATE: timedelta(hours=1),
    DirectoryTimer.ONLINE: timedelta(minutes=1),
}
