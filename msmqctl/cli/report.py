"""Say what went wrong: one sentence and a next step on standard error, or one JSON object when a program reads the output."""

from __future__ import annotations

import sys
from dataclasses import field
from typing import Any

import typer

from msmqctl.cli.ending import Outcome
from msmqctl.cli.options import Flags
from msmqctl.cli.render import Format, escape, plain, to_json
from msmqctl.cli.session import surface_of
from msmqctl.cli.settings import Settings
from msmqctl.cli.vendored_click import UsageError
from msmqctl.errors import MsmqError
from msmqctl.wire.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Account:
    """What is told about an end that was not a plain success."""

    kind: str
    message: str
    hint: str | None = None
    details: dict[str, Any] = field(default_factory=dict)
    is_error: bool = True


def account_of(error: BaseException) -> Account:
    """The account that a user gets of `error`."""
    match error:
        case MsmqError():
            return Account(type(error).__name__, error.message, error.hint, error.details())
        case Outcome():
            return Account(type(error).__name__, error.message, error.hint, is_error=False)
        case UsageError():
            where = error.ctx.command_path if error.ctx else "msmqctl"
            return Account("UsageError", " ".join(error.format_message().split()), f"run: {where} --help")
        case typer.TyperException():
            return Account("UsageError", error.format_message())
        case KeyboardInterrupt() | typer.Abort():
            return Account("Interrupted", "interrupted.")
    said = str(error) or "no further words"
    return Account("Fault", f"a fault of ours: {type(error).__name__}: {said}; run again with --debug and report it.")


def report(error: BaseException, code: int, flags: Flags) -> None:
    """Print the account of `error` the way the command line, the environment or the context asks for."""
    if isinstance(error, BrokenPipeError | typer.Exit):
        return
    account = account_of(error)
    trace = _trace(error) if flags.debug else []
    if _output(flags).for_programs:
        told = {"kind": account.kind, "message": account.message, "hint": account.hint, "exit_code": code, **account.details}
        _write(to_json(plain({"error": told | ({"trace": trace} if trace else {})})))
        return
    if not account.is_error and flags.quiet:
        return
    _write(*map(escape, trace))
    _write(f"{_label('error', '31')} {escape(account.message)}" if account.is_error else escape(account.message))
    if account.hint:
        _write(f"{_label('hint', '36')} {escape(account.hint)}")


def _output(flags: Flags) -> Format:
    """The wanted format. What cannot be told because the configuration is broken too is a table."""
    try:
        return Settings(flags, lenient=True).output
    except MsmqError:
        return Format.TABLE


def _trace(error: BaseException) -> list[str]:
    from traceback import format_exception

    return "".join(format_exception(error)).splitlines()


def _label(word: str, colour: str) -> str:
    return f"\x1b[1;{colour}m{word}:\x1b[0m" if surface_of(sys.stderr).colours else f"{word}:"


def _write(*lines: str) -> None:
    try:
        for line in lines:
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        return  # with standard error gone too, the exit code is all that is left to say it with
