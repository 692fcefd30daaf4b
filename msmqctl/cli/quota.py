"""Quotas as the command line has them: a number of KB, or `none` for one that is never reached."""

from __future__ import annotations

from msmqctl.cli.ending import CommandLineError
from msmqctl.cli.render import escape

# How an option says that there is none: no quota, no multicast address.
NONE = "none"
# Far more digits than a quota has, and few enough for Python to read.
_MOST_DIGITS = 100


def read_kilobytes(text: str) -> int | None:
    """The number of KB; None for a quota that is never reached."""
    if text.lower() == NONE:
        return None
    if not (text.isascii() and text.isdigit()):
        raise CommandLineError(f"a quota is a number of KB, or {NONE}, and not {escape(text)!r}.", hint="write it like 1024, or none.")
    return int(text[:_MOST_DIGITS])
