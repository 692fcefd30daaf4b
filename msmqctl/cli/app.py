"""The program: parse, run, and end with a sentence and an exit code.

Start-up is what every prompt pays, so this file imports nothing heavy at its top: `--version` is answered before Typer is
loaded, a noun is imported when it is used, rich when a table or help is drawn.
"""

from __future__ import annotations

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

# By status, for StatusError. Numbers and not HResult members: naming them would load the whole table at every error.
_REFUSED = 76
_STATUSES: Mapping[int, int] = {
    status: code
    for code, statuses in {
        # illegal or missing parameters, properties, handles, names: the request itself was wrong
        2: (
            *(0xC00E0002, 0xC00E0006, 0xC00E0007, 0xC00E0010, 0xC00E0014, 0xC00E0018, 0xC00E0019, 0xC00E001E, 0xC00E0021, 0xC00E0038),
            *(0xC00E0039, 0xC00E003A, 0xC00E003B, 0xC00E003C, 0xC00E003D, 0xC00E003E, 0xC00E003F, 0xC00E0041, 0xC00E0044, 0xC00E0045),
            *(0xC00E005B, 0xC00E005C, 0xC00E007B, 0xC00E0087, 0xC00E008D, 0xC00E009A, 0xC0000008, 0xC000000D, 0x80070057),
        ),
        # IO_TIMEOUT, MESSAGE_ALREADY_RECEIVED, MESSAGE_NOT_FOUND
        4: (0xC00E001B, 0xC00E001D, 0xC00E0088),
        # buffers too small, labels too long, bad XML, damaged security data
        65: (
            *(0xC00E001A, 0xC00E001F, 0xC00E0022, 0xC00E0023, 0xC00E0028, 0xC00E002B, 0xC00E0030, 0xC00E0046, 0xC00E005D, 0xC00E005E),
            *(0xC00E0061, 0xC00E0062, 0xC00E0063, 0xC00E0092),
        ),
        # QUEUE_NOT_FOUND, QUEUE_NOT_ACTIVE, MACHINE_NOT_FOUND, QUEUE_DELETED, STATUS_NOT_FOUND
        66: (0xC00E0003, 0xC00E0004, 0xC00E000D, 0xC00E005A, 0xC0000225),
        # service, directory, remote computer or transaction coordinator not there, or not answering
        69: (
            *(0xC00E000B, 0xC00E0013, 0xC00E0043, 0xC00E0049, 0xC00E004A, 0xC00E004B, 0xC00E004C, 0xC00E0056, 0xC00E005F, 0xC00E0069),
            *(0xC00E0075, 0xC00E007C, 0xC00E007D, 0xC00E0089, 0xC00E008F, 0xC00E0099),
        ),
        # QUEUE_EXISTS, INTERNAL_USER_CERT_EXIST, MACHINE_EXISTS
        73: (0xC00E0005, 0xC00E002E, 0xC00E0040),
        # SHARING_VIOLATION twice, INSUFFICIENT_RESOURCES, storage failed, a full directory, too many clients, locked by a
        # transaction, E_OUTOFMEMORY, LDAP_BUSY
        75: (*(0xC00E0009, 0xC0000043, 0xC00E0027, 0xC00E002A, 0xC00E0042, 0xC00E0065, 0xC00E0067, 0xC00E009C, 0x8007000E, 0x8007200E),),
        # access, privileges, identities, signatures and certificates
        77: (
            *(0xC00E0011, 0xC00E0024, 0xC00E0025, 0xC00E0026, 0xC00E002C, 0xC00E002F, 0xC00E0035, 0xC00E0036, 0xC00E0037, 0xC00E006D),
            *(0xC00E0072, 0xC00E0082, 0xC00E0090, 0xC00E009B, 0xC0000022, 0x80070005),
        ),
    }.items()
    for status in statuses
}

# By the directory's own word, for DirectoryError, spelt without regard to case and separators; all else is 69.
_DIRECTORY_RESULTS: Mapping[str, int] = {
    "nosuchobject": 66,
    "notfound": 66,
    "entryalreadyexists": 73,
    "alreadyexists": 73,
    "exists": 73,
    "insufficientaccessrights": 77,
    "invalidcredentials": 77,
    "accessdenied": 77,
    "denied": 77,
}


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
            return _STATUSES.get(error.status & 0xFFFFFFFF, _REFUSED)
        case errors.DirectoryError():
            return _DIRECTORY_RESULTS.get("".join(filter(str.isalpha, error.result)).lower(), 69)
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
    sys.exit(run(sys.argv[1:]))
