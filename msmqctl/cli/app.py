"""The program: parse, run, and end with a sentence and an exit code.

Start-up is what every prompt pays, so this file imports nothing heavy at its top: `--version` is answered before Typer is
loaded, a noun is imported when it is used, rich when a table or help is drawn.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, NoReturn

from msmqctl import __version__, errors
from msmqctl.cli import ending

if TYPE_CHECKING:
    from msmqctl.cli.nouns import Noun

PROGRAM = "msmqctl"

# A shell that wants to complete a word sets this; see `completion`.
COMPLETE_VARIABLE = "_MSMQCTL_COMPLETE"
COMPLETE_PREFIX = "complete:"

# What each exit code means; the manual page prints this table.
EXIT_CODES: Mapping[int, str] = {
    0: "done",
    1: "a fault of ours (--debug shows the trace)",
    2: "usage",
    3: "some of several done",
    4: "nothing there: no message before the time-out, no match",
    5: "found something that should not be there",
    65: "undecodable or too large data",
    66: "no such queue, machine, object or file",
    69: "peer, directory or service unavailable, or it did not answer in time",
    73: "it exists already",
    74: "our store or disk: damaged, full, not ours",
    75: "try again: quota, sharing violation, resources",
    76: "refused by rule: wrong transaction use, illegal operation",
    77: "access denied",
    78: "configuration",
    130: "interrupted",
}

# Monitoring systems read 0 ok, 1 warning, 2 critical, 3 unknown: below these nouns every error is "unknown".
MONITORING_NOUNS = frozenset({"check"})
_UNKNOWN = 3

# By kind; the first that fits counts.
_KINDS: tuple[tuple[type[BaseException], int], ...] = (
    (ending.Partial, 3),
    (ending.Nothing, 4),
    (ending.Found, 5),
    (ending.Declined, 130),
    (ending.CommandLineError, 2),
    (ending.ExistsError, 73),
    (errors.DecodeError, 65),
    (errors.InputError, 66),
    (errors.TransportError, 69),
    (errors.StoreError, 74),
    (errors.AccessError, 77),
    (errors.ConfigError, 78),
)


def exit_code(error: BaseException | None, noun: str | None = None) -> int:
    """The exit code for what ended the command, None being success. Pure, and the only place that decides."""
    if error is None or isinstance(error, BrokenPipeError):  # whoever read our output has seen enough
        return 0
    from typer import Abort, Exit, TyperException

    if isinstance(error, Exit):
        return error.exit_code
    if isinstance(error, KeyboardInterrupt | Abort):
        return 130
    if noun in MONITORING_NOUNS:
        return _UNKNOWN
    match error:
        case TyperException():
            return error.exit_code
        case errors.StatusError():
            from msmqctl.cli.refusals import REFUSED, STATUSES

            return STATUSES.get(error.status & 0xFFFFFFFF, REFUSED)
        case errors.DirectoryError():
            from msmqctl.cli.refusals import DIRECTORY_RESULTS

            return DIRECTORY_RESULTS.get("".join(filter(str.isalpha, error.result)).lower(), 69)
    return next((code for kind, code in _KINDS if isinstance(error, kind)), 1)


def run(words: Sequence[str], nouns: Mapping[str, Noun] | None = None) -> int:
    """Run one command line, without the program's name, and give its exit code. Prints; never raises."""
    _prepare_streams()
    try:
        if list(words) == ["--version"]:
            sys.stdout.write(f"{PROGRAM} {__version__}\n")
        elif (question := os.environ.get(COMPLETE_VARIABLE, "")).startswith(COMPLETE_PREFIX):
            from msmqctl.cli.completion import answer

            answer(words, question)
        else:
            return _run_command(words, nouns)
        sys.stdout.flush()
    except (OSError, KeyboardInterrupt) as error:
        return exit_code(error)
    finally:
        _abandon_broken_output()
    return 0


def _run_command(words: Sequence[str], nouns: Mapping[str, Noun] | None) -> int:
    from msmqctl.cli.options import Flags, glance

    flags = Flags()
    try:
        from msmqctl.cli.nouns import NOUNS, Root

        root = Root(NOUNS if nouns is None else nouns)
        with root.make_context(PROGRAM, list(words), obj=flags) as ctx:
            root.invoke(ctx)
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:
        seen = glance(words)
        flags.noun = flags.noun or seen.noun
        flags.output = flags.output or seen.output
        flags.debug = flags.debug or seen.debug
        code = exit_code(error, flags.noun)
        from msmqctl.cli.report import report

        report(error, code, flags)
        return code
    except SystemExit:
        # Nothing of ours raises it: it is how rich, drawing help, answers a pipe that was closed.
        return exit_code(BrokenPipeError())
    return 0


def _prepare_streams() -> None:
    """Characters that the terminal's encoding lacks are written out; a stream that is closed from the start leads nowhere."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - lives as long as the program
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _abandon_broken_output() -> None:
    """If standard output is gone (a closed pipe, a full disk), let go of what is left, or Python would complain at its end."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> NoReturn:
    """The console script `msmqctl`."""
    # What is imported stays, so to look through it for garbage again and again is time that every prompt would pay.
    gc.set_threshold(50_000, 20, 20)
    sys.exit(run(sys.argv[1:]))
