"""The exit table of architecture.md, one row a line, and the statuses that lead to each."""

from __future__ import annotations

import pytest
import typer

from msmqctl.cli.app import EXIT_CODES, exit_code
from msmqctl.cli.ending import CommandLineError, Declined, ExistsError, Found, Nothing, Partial
from msmqctl.errors import (
    AccessError,
    ConfigError,
    DecodeError,
    DirectoryError,
    InputError,
    MsmqError,
    StatusError,
    StoreError,
    TransportError,
)
from msmqctl.wire.status import HResult


def status(code: int) -> StatusError:
    return StatusError("no.", status=code, operation="open")


def directory(result: str) -> DirectoryError:
    return DirectoryError("no.", result=result)


TABLE: list[tuple[int, BaseException | None]] = [
    (0, None),
    (1, RuntimeError("a fault of ours")),
    (2, typer.BadParameter("no")),
    (3, Partial("some")),
    (4, Nothing("none")),
    (5, Found("one")),
    (65, DecodeError("short", where="X.y", offset=3)),
    (66, InputError("no file", path="x")),
    (69, TransportError("refused", peer="mq1")),
    (73, ExistsError("there is one")),
    (74, StoreError("damaged", path="x")),
    (75, status(HResult.MQ_ERROR_INSUFFICIENT_RESOURCES)),
    (76, status(HResult.MQ_ERROR_TRANSACTION_USAGE)),
    (77, AccessError("denied")),
    (78, ConfigError("wrong", key="host")),
    (130, KeyboardInterrupt()),
]

STATUSES: list[tuple[int, HResult]] = [
    (2, HResult.MQ_ERROR_ILLEGAL_FORMATNAME),
    (2, HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME),
    (2, HResult.MQ_ERROR_INVALID_PARAMETER),
    (2, HResult.STATUS_INVALID_PARAMETER),
    (2, HResult.E_INVALIDARG),
    (4, HResult.MQ_ERROR_IO_TIMEOUT),
    (4, HResult.MQ_ERROR_MESSAGE_NOT_FOUND),
    (65, HResult.MQ_ERROR_BUFFER_OVERFLOW),
    (65, HResult.MQ_ERROR_LABEL_TOO_LONG),
    (65, HResult.MQ_ERROR_BAD_XML_FORMAT),
    (66, HResult.MQ_ERROR_QUEUE_NOT_FOUND),
    (66, HResult.MQ_ERROR_MACHINE_NOT_FOUND),
    (66, HResult.STATUS_NOT_FOUND),
    (69, HResult.MQ_ERROR_SERVICE_NOT_AVAILABLE),
    (69, HResult.MQ_ERROR_REMOTE_MACHINE_NOT_AVAILABLE),
    (69, HResult.MQ_ERROR_NO_DS),
    (69, HResult.MQ_ERROR_QUEUE_NOT_AVAILABLE),
    (73, HResult.MQ_ERROR_QUEUE_EXISTS),
    (73, HResult.MQ_ERROR_MACHINE_EXISTS),
    (75, HResult.MQ_ERROR_SHARING_VIOLATION),
    (75, HResult.STATUS_SHARING_VIOLATION),
    (76, HResult.MQ_ERROR_ILLEGAL_OPERATION),
    (76, HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION),
    (76, HResult.MQ_ERROR_TRANSACTION_SEQUENCE),
    (77, HResult.MQ_ERROR_ACCESS_DENIED),
    (77, HResult.MQ_ERROR_PRIVILEGE_NOT_HELD),
    (77, HResult.E_ACCESSDENIED),
    (77, HResult.STATUS_ACCESS_DENIED),
]


@pytest.mark.parametrize(("code", "error"), TABLE, ids=[str(code) for code, _ in TABLE])
def test_one_row_per_line_of_the_table(code: int, error: BaseException | None) -> None:
    assert exit_code(error) == code


def test_the_rows_are_all_the_codes_there_are() -> None:
    assert [code for code, _ in TABLE] == list(EXIT_CODES)


@pytest.mark.parametrize(("code", "value"), STATUSES, ids=[value.name for _, value in STATUSES])
def test_a_status_decides_by_what_it_means(code: int, value: HResult) -> None:
    assert exit_code(status(value)) == code


def test_every_failure_status_gets_a_code_that_is_in_the_table() -> None:
    assert {exit_code(status(value)) for value in HResult} <= EXIT_CODES.keys() - {0, 1}


def test_a_status_may_be_signed() -> None:
    assert exit_code(status(HResult.MQ_ERROR_QUEUE_NOT_FOUND - (1 << 32))) == 66


@pytest.mark.parametrize(
    ("result", "code"),
    [
        ("noSuchObject", 66),
        ("not found", 66),
        ("entryAlreadyExists", 73),
        ("already_exists", 73),
        ("insufficientAccessRights", 77),
        ("invalidCredentials", 77),
        ("busy", 69),
        ("", 69),
    ],
)
def test_the_directory_decides_by_its_result(result: str, code: int) -> None:
    assert exit_code(directory(result)) == code


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (CommandLineError("unknown column"), 2),
        (Declined("no"), 130),
        (typer.Abort(), 130),
        (typer.Exit(7), 7),
        (BrokenPipeError(), 0),
        (MsmqError("of no kind"), 1),
        (OSError(5, "input/output error"), 1),
    ],
)
def test_other_ends(error: BaseException, code: int) -> None:
    assert exit_code(error) == code


@pytest.mark.parametrize("error", [error for code, error in TABLE if error is not None and code != 130], ids=repr)
def test_below_check_every_error_is_unknown(error: BaseException) -> None:
    assert exit_code(error, "check") == 3
    assert exit_code(error, "queue") != 3 or isinstance(error, Partial)


def test_below_check_success_and_an_exit_of_its_own_stay() -> None:
    assert exit_code(None, "check") == 0
    assert [exit_code(typer.Exit(code), "check") for code in (0, 1, 2)] == [0, 1, 2]
    assert exit_code(KeyboardInterrupt(), "check") == 130
