"""The dataclass of the house behaves as the library's, though its methods are written late."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, field, replace

import pytest

from msmqctl.wire.dataclass import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """A value with all that a value can have."""

    x: int
    y: int = 2
    tags: tuple[str, ...] = field(default_factory=tuple, compare=False)

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("x")


@dataclass(slots=True)
class Box:
    """A thing that changes."""

    size: int = 0


def test_a_value_is_made_compared_told_and_copied_as_by_the_library() -> None:
    one = Point(1, tags=("a",))
    assert (one.x, one.y, one.tags) == (1, 2, ("a",))
    assert repr(one).endswith("Point(x=1, y=2, tags=('a',))")
    assert one == Point(1)
    assert hash(one) == hash(Point(1))
    assert one != Point(3)
    assert one < Point(3)
    assert max(one, Point(3)) == Point(3)
    assert replace(one, x=5) == Point(5)
    assert copy.copy(one).tags == one.tags
    assert pickle.loads(pickle.dumps(one)) == one


def test_a_value_does_not_change_and_is_checked() -> None:
    one = Point(1)
    with pytest.raises(FrozenInstanceError):
        one.x = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del one.x
    with pytest.raises(ValueError, match="x"):
        Point(-1)
    with pytest.raises(TypeError):
        Point()  # type: ignore[call-arg]


def test_what_changes_is_compared_and_has_no_hash() -> None:
    box = Box()
    box.size = 3
    assert box == Box(3)
    with pytest.raises(TypeError):
        hash(box)
