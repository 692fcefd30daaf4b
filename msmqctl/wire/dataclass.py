"""The dataclass of the house: the one of the standard library, with methods that are written when they are first called.

The library writes and compiles six methods for every class when its module is imported; a prompt that looks at one queue uses few of
them and would wait for all. Here a class gets its fields and slots at once, and lets the library write a method when somebody needs it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

_Class = TypeVar("_Class", bound=type[Any])

_ORDERING = ("__lt__", "__le__", "__gt__", "__ge__")


def _dataclass(
    *,
    init: bool = True,
    repr: bool = True,  # noqa: A002 - as the library has it
    eq: bool = True,
    order: bool = False,
    frozen: bool = False,
    kw_only: bool = False,
    slots: bool = False,
) -> Callable[[_Class], _Class]:
    def make(plain: _Class) -> _Class:
        made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only, slots=slots)(plain)
        if init:
            _promise(made, "__init__", frozen=frozen, repr=False, eq=False)
        compared = ("__eq__", "__hash__") if frozen else ("__eq__",)
        for name in (*(("__repr__",) if repr else ()), *(compared if eq else ()), *(_ORDERING if order else ())):
            # A class that has its own keeps it; one that has its own equality, and no hash, has None from Python.
            if vars(made).get(name) is None:
                _promise(made, name, init=False, eq=eq, order=order, unsafe_hash=name == "__hash__")
        if eq and not frozen and "__hash__" not in vars(made):
            made.__hash__ = None
        if frozen:
            made.__setattr__, made.__delattr__ = _refuse_to_set, _refuse_to_delete
        if frozen and slots:
            made.__getstate__, made.__setstate__ = _get_state, _set_state
        return cast("_Class", made)

    return make


def _promise(made: type[Any], name: str, **wanted: Any) -> None:
    """Give the class a method that has itself written by the library at its first call."""

    def late(self: object, *given: Any, **named: Any) -> Any:
        method = _written(made, name, wanted)
        setattr(made, name, method)
        return method(self, *given, **named)

    setattr(made, name, late)


def _written(made: type[Any], name: str, wanted: dict[str, Any]) -> Callable[..., Any]:
    """The method that the library writes for a class with these fields."""
    fields = [(field.name, field.type, field) for field in dataclasses.fields(made)]
    # What the library looks for in a class beside its fields; without a text it would compose one.
    beside = {key: getattr(made, key) for key in ("__doc__", "__post_init__") if hasattr(made, key)}
    method: Callable[..., Any] = vars(dataclasses.make_dataclass(made.__name__, fields, namespace=beside, **wanted))[name]
    return method


def _refuse_to_set(self: object, name: str, value: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


# Those who check types know the library's dataclass, and what it does is what ours does.
if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - exported
else:
    dataclass = _dataclass
