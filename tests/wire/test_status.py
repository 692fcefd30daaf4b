"""Statuses: every code of [MS-MQMQ] 2.4 as a literal row, their parts, and a sentence each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.wire.status import FACILITY_MSMQ, SENTENCES, HResult, Severity

CODES = Path(__file__).parent.parent / "data" / "status-codes.txt"
OF_SIBLINGS = {
    "MQ_INFORMATION_REMOTE_OPERATION": 0x400E03E8,
    "MQ_INFORMATION_REMOTE_CANCELED_BY_CLIENT": 0x400E03E9,
}
OF_WINDOWS = {
    "E_FAIL": 0x80004005,
    "E_UNEXPECTED": 0x8000FFFF,
    "E_ACCESSDENIED": 0x80070005,
    "E_OUTOFMEMORY": 0x8007000E,
    "E_INVALIDARG": 0x80070057,
    "LDAP_BUSY": 0x8007200E,
    "STATUS_INVALID_HANDLE": 0xC0000008,
    "STATUS_INVALID_PARAMETER": 0xC000000D,
    "STATUS_ACCESS_DENIED": 0xC0000022,
    "STATUS_SHARING_VIOLATION": 0xC0000043,
    "STATUS_NOT_FOUND": 0xC0000225,
}


def documented() -> dict[str, int]:
    rows = [line.split() for line in CODES.read_text(encoding="ascii").splitlines() if not line.startswith("#")]
    return {name: int(code, 16) for code, name in rows}


@pytest.mark.spec("MQ-2.4-1")
def test_the_codes_are_exactly_those_of_the_document() -> None:
    ours = {status.name: status.value for status in HResult if status.name not in OF_SIBLINGS | OF_WINDOWS}
    assert ours == documented()
    assert len(ours) == 146


@pytest.mark.spec("MQ-2.4-2")
def test_codes_that_only_sibling_documents_have() -> None:
    assert {status.name: status.value for status in HResult if status.name in OF_SIBLINGS} == OF_SIBLINGS


def test_codes_of_windows_that_the_protocols_return() -> None:
    assert {status.name: status.value for status in HResult if status.name in OF_WINDOWS} == OF_WINDOWS


def test_no_number_has_two_names() -> None:
    assert len(HResult.__members__) == len(set(HResult))


@pytest.mark.spec("MQ-2.4-1")
@pytest.mark.parametrize(
    ("value", "severity", "success"),
    [
        (0x00000000, Severity.SUCCESS, True),
        (0x400E0001, Severity.INFORMATION, True),
        (0x400E03E9, Severity.INFORMATION, True),
        (0xC00E0001, Severity.ERROR, False),
        (0x80070005, Severity.ERROR, False),
    ],
)
def test_the_high_bits_tell_success_from_failure(value: int, severity: Severity, success: bool) -> None:
    assert HResult(value).severity is severity
    assert HResult(value).success is success


@pytest.mark.parametrize("value", [1, 5, 1722, 0xFFFF])
def test_a_bare_windows_error_is_a_failure_although_it_has_no_failure_bit(value: int) -> None:
    assert not HResult(value).success


def test_a_success_of_some_facility_is_a_success() -> None:
    assert HResult(0x00010000).severity is Severity.SUCCESS


@pytest.mark.spec("MQ-1.7-1")
def test_the_customer_bit_marks_codes_of_other_vendors() -> None:
    assert HResult(0xE00E0001).customer
    assert HResult(0x20000000).customer
    assert not HResult(0xDFFFFFFF).customer
    assert not any(status.customer for status in HResult)


def test_the_parts_of_a_code() -> None:
    status = HResult.MQ_ERROR_INSUFFICIENT_RESOURCES
    assert (status.facility, status.code) == (FACILITY_MSMQ, 0x27)
    assert (HResult(0x800706BA).facility, HResult(0x800706BA).code) == (7, 1722)


@pytest.mark.parametrize(("value", "signed"), [(0xC00E0027, -1072824281), (0x400E0001, 1074659329), (0, 0), (0x80000000, -0x80000000)])
def test_the_signed_spelling_names_the_same_status(value: int, signed: int) -> None:
    assert HResult(value).signed == signed
    assert HResult(signed) == value
    assert HResult(signed).name == HResult(value).name


def test_an_unknown_status_is_named_by_its_number() -> None:
    status = HResult(0xC00E7777)
    assert (status.name, status.known) == ("0xC00E7777", False)
    assert HResult(5).name == "0x00000005"
    assert HResult.MQ_ERROR.known


def test_what_is_not_a_number_is_no_status() -> None:
    text: Any = "MQ_ERROR"
    with pytest.raises(ValueError, match="not a valid HResult"):
        HResult(text)


@given(st.integers(0, 0xFFFFFFFF))
def test_every_32_bit_number_survives(value: int) -> None:
    status = HResult(value)
    assert status == value
    assert HResult(status.signed) == value
    assert status.success is (status.severity is not Severity.ERROR)


def test_every_status_has_its_sentence() -> None:
    assert set(SENTENCES) == set(HResult)


@pytest.mark.parametrize("status", HResult)
def test_a_sentence_is_one_short_sentence(status: HResult) -> None:
    sentence = SENTENCES[status]
    assert sentence.endswith(".")
    assert ". " not in sentence
    assert 10 < len(sentence) < 220
    assert sentence[0].isupper()
