"""A property value with its type, as Python sees it; how it lies in an RPC call is the business of `ndr`. [MS-MQMQ] 2.2.12 to 2.2.17"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.values import VarType

# Vectors may hold variants that hold vectors of variants again. Four levels are plenty; a peer that sends more wants our stack.
MAX_NESTING = 4


def vector_of(element: VarType) -> VarType:
    """The type of a counted array of `element`."""
    return VarType(VarType.VT_VECTOR | element)


def type_name(vt: int) -> str:
    """The type as the documents write it: `VT_UI4`, `VT_VECTOR|VT_LPWSTR`."""
    element = VarType(vt & ~VarType.VT_VECTOR)
    return f"VT_VECTOR|{element.name}" if vt & VarType.VT_VECTOR else element.name


def _whole_number(low: int, high: int) -> Callable[[Any], bool]:
    """A test for integers from `low` to `high`; a bool is not one, so that VT_BOOL cannot slip into a number."""
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _string(value: Any) -> bool:
    """Text without a NUL, which would end it early; None is the NULL pointer, which a queue manager may send."""
    return value is None or (isinstance(value, str) and "\0" not in value)


def _tuple_of(element: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, tuple) and all(map(element, value))


# The Python value of each type. [MS-MQMQ] 2.2.12
#
#   VT_EMPTY, VT_NULL   None              VT_LPWSTR                str, or None for a NULL pointer
#   VT_I1 .. VT_UI8     int               VT_CLSID                 UUID, or None for a NULL pointer
#   VT_BOOL             bool              VT_BLOB                  bytes
#   VT_VARIANT          in a vector only  VT_VECTOR|VT_UI1         bytes
#                                         VT_VECTOR|anything else  tuple
_FITS: dict[int, Callable[[Any], bool]] = {
    VarType.VT_EMPTY: lambda value: value is None,
    VarType.VT_NULL: lambda value: value is None,
    VarType.VT_I1: _whole_number(-(1 << 7), (1 << 7) - 1),
    VarType.VT_UI1: _whole_number(0, (1 << 8) - 1),
    VarType.VT_I2: _whole_number(-(1 << 15), (1 << 15) - 1),
    VarType.VT_UI2: _whole_number(0, (1 << 16) - 1),
    VarType.VT_I4: _whole_number(-(1 << 31), (1 << 31) - 1),
    VarType.VT_UI4: _whole_number(0, (1 << 32) - 1),
    VarType.VT_I8: _whole_number(-(1 << 63), (1 << 63) - 1),
    VarType.VT_UI8: _whole_number(0, (1 << 64) - 1),
    VarType.VT_BOOL: lambda value: isinstance(value, bool),
    VarType.VT_LPWSTR: _string,
    VarType.VT_CLSID: lambda value: value is None or isinstance(value, UUID),
    VarType.VT_BLOB: lambda value: isinstance(value, bytes),
}
_FITS |= {
    vector_of(VarType.VT_UI1): lambda value: isinstance(value, bytes),
    **{
        vector_of(element): _tuple_of(_FITS[element])
        for element in (VarType.VT_UI2, VarType.VT_I4, VarType.VT_UI4, VarType.VT_UI8, VarType.VT_LPWSTR)
    },
    vector_of(VarType.VT_CLSID): _tuple_of(lambda value: isinstance(value, UUID)),
    vector_of(VarType.VT_VARIANT): _tuple_of(lambda value: isinstance(value, Variant)),
}
PROPERTY_TYPES = frozenset(_FITS)


@dataclass(frozen=True, slots=True)
class Variant:
    """A value and its type; the table above says which Python value belongs to which type. [MS-MQMQ] 2.2.13"""

    vt: VarType
    value: Any = None

    def __post_init__(self) -> None:
        fits = _FITS.get(self.vt)
        if fits is None:
            raise ValueError(f"{type_name(self.vt)} is not a type that a property can have")
        if not fits(self.value):
            raise ValueError(f"{self.value!r} is not a value of type {type_name(self.vt)}")
        if self.nesting > MAX_NESTING:
            raise ValueError(f"variants are nested more than {MAX_NESTING} levels deep")

    @property
    def nesting(self) -> int:
        """How many vectors of variants lie in each other, this one included."""
        if self.vt != vector_of(VarType.VT_VARIANT):
            return 0
        return 1 + max((element.nesting for element in self.value), default=0)

    @property
    def absent(self) -> bool:
        """Whether there is no value at all: how a queue manager answers for a property that it does not have."""
        return self.vt in (VarType.VT_EMPTY, VarType.VT_NULL)


EMPTY = Variant(VarType.VT_EMPTY)
NULL = Variant(VarType.VT_NULL)
