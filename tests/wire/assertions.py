"""How wire tests compare: one literal, both directions, then every shorter prefix must be refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest

from msmqctl.errors import DecodeError

Value = TypeVar("Value")


def assert_wire(value: Value, data: bytes, *, read: Callable[[bytes], Value], pack: Callable[[Value], bytes]) -> None:
    """`data` reads as `value`, `value` packs to `data`, and no strict prefix of `data` can be read."""
    assert read(data) == value
    assert pack(value).hex(" ") == data.hex(" ")
    assert_no_prefix(data, read=read)


def assert_no_prefix(data: bytes, *, read: Callable[[bytes], object]) -> None:
    """Every strict prefix of `data` raises DecodeError."""
    for size in range(len(data)):
        with pytest.raises(DecodeError):
            read(data[:size])
