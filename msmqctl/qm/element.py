"""What all elements of the model share: how long an attribute lives, which values it takes, and an identifier that stays. [MS-MQDMPR] 3.1.1

An attribute is declared once, with its lifetime and perhaps with a check:

    @element
    class Site(DirectoryObject):
        name: str = directory(default="")
        site_gate_collection: frozenset[UUID] = volatile(default=frozenset())

An element is a thing that rules change in place, and equals only itself. A value never changes, and equals what has the same content.

A value that breaks a check or a rule between attributes is a ValueError, at construction and at every later assignment. So whoever
takes values from bytes checks them first. Attributes that take part in such a rule hold immutable collections and are assigned as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, Field, field, fields
from datetime import UTC, datetime, timedelta
from enum import Enum
from reprlib import recursive_repr
from typing import Any, ClassVar, Self, TypeAlias, TypeVar, dataclass_transform
from uuid import UUID

from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.record import NULL_GUID

# What is wrong with a value, or None: a short phrase that goes behind the attribute's name.
Fault: TypeAlias = str | None
Check: TypeAlias = Callable[[Any], Fault]

_T = TypeVar("_T")


class Lifetime(Enum):
    """How long the value of an attribute lives; the values are the letters of the checklist. [MS-MQDMPR] 3.1.1"""

    DIRECTORY = "D"
    """Survives a restart, and the directory can hold it."""
    PERSISTENT = "P"
    """Survives a restart."""
    VOLATILE = "V"
    """Ends with the process."""


def _attribute(lifetime: Lifetime, check: Check | None, default: Any, factory: Any) -> Any:
    metadata = {"lifetime": lifetime, "check": check}
    if factory is not MISSING:
        return field(default_factory=factory, metadata=metadata)
    return field(default=default, metadata=metadata)


def directory(*, check: Check | None = None, default: Any = MISSING, default_factory: Any = MISSING) -> Any:
    """An attribute that survives a restart and may be published. [MS-MQDMPR] 3.1.1"""
    return _attribute(Lifetime.DIRECTORY, check, default, default_factory)


def persistent(*, check: Check | None = None, default: Any = MISSING, default_factory: Any = MISSING) -> Any:
    """An attribute that survives a restart. [MS-MQDMPR] 3.1.1"""
    return _attribute(Lifetime.PERSISTENT, check, default, default_factory)


def volatile(*, check: Check | None = None, default: Any = MISSING, default_factory: Any = MISSING) -> Any:
    """An attribute that a restart resets. [MS-MQDMPR] 3.1.1"""
    return _attribute(Lifetime.VOLATILE, check, default, default_factory)


def _with_checks(cls: type[_T]) -> type[_T]:
    """Note in the class which of its attributes have a check: it is asked at every assignment."""
    made: Any = cls
    made.CHECKS = {one.name: one.metadata["check"] for one in fields(made) if one.metadata["check"] is not None}
    return cls


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(directory, persistent, volatile))
def element(cls: type[_T]) -> type[_T]:
    """Make a class an element: a mutable dataclass with slots, named arguments and an identity."""
    return _with_checks(dataclass(slots=True, kw_only=True, eq=False, repr=False)(cls))


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(directory, persistent, volatile))
def value(cls: type[_T]) -> type[_T]:
    """Make a class a value: a frozen dataclass with named arguments, made by `Value.__init__`."""
    # No slots: a default stays in the class, and an instance holds only what it was given: for most messages a fifth of it all.
    frozen = dataclass(kw_only=True, frozen=True, init=False)(cls)
    made: Any = frozen
    made.ATTRIBUTES = {one.name: one.metadata["check"] for one in fields(made)}
    made.REQUIRED = frozenset(one.name for one in fields(made) if one.default is MISSING)
    return frozen


def lifetimes(cls: type[Any]) -> dict[str, Lifetime]:
    """Every attribute of an element with its lifetime, in the order of the declaration."""
    return {one.name: one.metadata["lifetime"] for one in fields(cls)}


def directory_attributes(cls: type[Any]) -> tuple[str, ...]:
    """The attributes that the directory can hold. [MS-MQDMPR] 3.1.1"""
    return tuple(name for name, lifetime in lifetimes(cls).items() if lifetime is Lifetime.DIRECTORY)


def persistent_attributes(cls: type[Any]) -> tuple[str, ...]:
    """The attributes that a restart leaves alone, those of the directory among them: they live as long. [MS-MQDMPR] 3.1.1"""
    return tuple(name for name, lifetime in lifetimes(cls).items() if lifetime is not Lifetime.VOLATILE)


def refuse(element: object, attribute: str, fault: Fault) -> None:
    """Raise ValueError for a fault; do nothing without one."""
    if fault is not None:
        raise ValueError(f"{type(element).__name__}.{attribute}: {fault}")


class Element:
    """The root of all elements. Each assignment is checked, by itself and against the element's other attributes."""

    __slots__ = ()
    CHECKS: ClassVar[dict[str, Check]]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    # One for all elements, because to generate one for each takes a good part of every start.
    @recursive_repr()
    def __repr__(self) -> str:
        said = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__dataclass_fields__)
        return f"{type(self).__name__}({said})"

    def __setattr__(self, name: str, value: Any) -> None:
        check = self.CHECKS.get(name)
        if check is not None:
            refuse(self, name, check(value))
        refuse(self, name, self._joint_fault(name, value))
        object.__setattr__(self, name, value)

    def _joint_fault(self, name: str, value: Any) -> Fault:
        """What is wrong with `value` beside the other attributes. While the element is made, later attributes do not exist yet."""
        return None


class Value:
    """The root of all values: checked when they are made; a changed copy comes from `changed` or `dataclasses.replace`."""

    # Every attribute, with its check if it has one; and those that have no default.
    ATTRIBUTES: ClassVar[dict[str, Check | None]]
    REQUIRED: ClassVar[frozenset[str]]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init__(self, **given: Any) -> None:
        self.__dict__.update(given)
        if self.REQUIRED and (missing := self.REQUIRED - given.keys()):
            raise TypeError(f"{type(self).__name__} needs {', '.join(sorted(missing))}")
        self._verify(given)

    def _verify(self, given: Mapping[str, Any]) -> None:
        """Refuse what does not fit. Only what was given has to be looked at, because a default passes its own check."""
        checks = self.ATTRIBUTES
        for name, content in given.items():
            try:
                check = checks[name]
            except KeyError:
                raise TypeError(f"{type(self).__name__} has no {name}") from None
            if check is not None and (fault := check(content)) is not None:
                refuse(self, name, fault)
        refuse(self, *self._joint_fault())

    def _joint_fault(self) -> tuple[str, Fault]:
        """The attribute that does not fit the others, and why; any attribute and None if all fit."""
        return "", None

    def changed(self, **changes: Any) -> Self:
        """A copy with these attributes: `dataclasses.replace` for the path of every message, where only what changes is checked anew."""
        made = object.__new__(type(self))
        content = made.__dict__
        content.update(self.__dict__)
        content.update(changes)
        made._verify(changes)
        return made


@element
class DirectoryObject(Element):
    """An element that the directory can hold, known by a GUID that never changes once it is given. [MS-MQDMPR] 3.1.1"""

    identifier: UUID = directory(default=NULL_GUID)

    def __setattr__(self, name: str, value: Any) -> None:
        # The directory names what it creates, so an element may wait for its identifier; afterwards others know it by that.
        if name == "identifier" and getattr(self, "identifier", NULL_GUID) not in (NULL_GUID, value):
            raise ValueError(f"{type(self).__name__}.identifier: {self.identifier} cannot become {value}")
        Element.__setattr__(self, name, value)


def between(lowest: int, highest: int) -> Check:
    """A number from `lowest` to `highest`, both included."""
    return lambda value: None if lowest <= value <= highest else f"{value} is not between {lowest} and {highest}"


def member_of(kind: type[Enum]) -> Check:
    """A member of a closed enumeration, and not a value that looks like one."""
    return lambda value: None if isinstance(value, kind) else f"{value!r} is no {kind.__name__}"


def optional(check: Check) -> Check:
    """None, or what `check` accepts."""
    return lambda value: None if value is None else check(value)


def in_utc(value: datetime) -> Fault:
    """A time that says it is UTC."""
    return None if value.tzinfo is UTC or value.utcoffset() == timedelta(0) else f"{value} is not in UTC"


def distinct(values: Iterable[object]) -> bool:
    """Whether no value occurs twice."""
    listed = list(values)
    return len(set(listed)) == len(listed)


def missing_from(known: Collection[UUID], members: Iterable[UUID]) -> Fault:
    """Which members are not known: the rule of collections that hold only what an identifier list names."""
    strangers = sorted(str(member) for member in set(members).difference(known))
    return f"{', '.join(strangers)} not in the list of identifiers" if strangers else None
