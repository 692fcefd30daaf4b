"""Enums of the wire: open, because a peer may know more numbers than we do. Apart from `record`, so that explaining a code loads little."""

from __future__ import annotations

from enum import IntEnum
from typing import Self


class OpenEnum(IntEnum):
    """Names for the numbers we know. A number we do not know is a member too, named by its value, and survives a round trip."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, int):
            return None
        # Not remembered in the class: a hostile peer could fill memory with inventions.
        member = int.__new__(cls, value)
        member._name_ = f"0x{value & 0xFFFFFFFF:04X}"
        member._value_ = value
        return member

    @property
    def known(self) -> bool:
        """Whether the number has a name of its own."""
        return self._name_ in type(self).__members__
