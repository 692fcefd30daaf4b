"""How a command may end when it neither simply succeeds nor meets a fault of `msmqctl.errors`.

    Outcome                    the work is done, and the exit code has more to say than "done"
    ├─ Partial                 some of several were done
    ├─ Nothing                 there was nothing: no message before the time-out, no match
    ├─ Found                   a search that is meant to find nothing found something
    └─ Declined                the user was asked and said no
    CommandLineError           the command line asks for something that does not exist or cannot be
    ExistsError                what should be made is there already, here and not on a queue manager

Which number each gets is decided in `app.exit_code`.
"""

from __future__ import annotations

from msmqctl.errors import MsmqError


class Outcome(Exception):  # noqa: N818 - an outcome is not an error, so it is not named like one
    """A normal end with an exit code of its own; the text is one sentence for the user."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Partial(Outcome):
    """Some of several were done."""


class Nothing(Outcome):
    """There was nothing to do it with: no message in time, no match."""


class Found(Outcome):
    """What was looked for, and should not be there, is there."""


class Declined(Outcome):
    """The user was asked and did not agree, so nothing was changed."""


class CommandLineError(MsmqError):
    """The command line is well formed for the parser, and still cannot be meant: an unknown column, a missing `--yes`."""


class ExistsError(MsmqError):
    """Something of ours, such as a context, is there already."""
