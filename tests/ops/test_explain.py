"""`explain`: every way to write a number or a name, every code with its meaning, and advice that keeps its own rules."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from msmqctl.ops.advice import Advice
from msmqctl.ops.advice_delivery import CLASS_ADVICE, CLASS_MEANINGS, CONNECTION_ADVICE, CONNECTION_MEANINGS
from msmqctl.ops.advice_directory import DIRECTORY_ADVICE
from msmqctl.ops.advice_queue import QUEUE_ADVICE
from msmqctl.ops.advice_security import SECURITY_ADVICE
from msmqctl.ops.advice_windows import COORDINATOR_STATUSES, RPC_FAULTS, WINDOWS_ERRORS
from msmqctl.ops.explain import Explanation, closest, explain, status_advice
from msmqctl.wire.status import SENTENCES, HResult
from msmqctl.wire.values import ConnectionStatus, MessageClass

COMMANDS = {"decode", "resolve", "explain", "context"}


def names(text: str) -> list[str]:
    return [explanation.name for explanation in explain(text)]


def only(text: str) -> Explanation:
    (explanation,) = explain(text)
    return explanation


@pytest.mark.parametrize(
    "text",
    [
        "0xC00E0027",
        "0xc00e0027",
        "0XC00E0027",
        "C00E0027",
        "c00e0027",
        "c00e0027h",
        "C00E0027H",
        "0x00000000C00E0027",
        "3222143015",
        "-1072824281",
        "MQ_ERROR_INSUFFICIENT_RESOURCES",
        "mq_error_insufficient_resources",
        "ERROR_INSUFFICIENT_RESOURCES",
        "INSUFFICIENT_RESOURCES",
        "insufficient_resources",
        "insufficient-resources",
        "insufficient resources",
        "InsufficientResources",
        "MessageQueueErrorCode.InsufficientResources",
        "  0xC00E0027\n",
        "(0xC00E0027).",
    ],
)
def test_the_ways_to_write_one_status(text: str) -> None:
    assert names(text) == ["MQ_ERROR_INSUFFICIENT_RESOURCES"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("IOTimeout", ["MQ_ERROR_IO_TIMEOUT"]),
        ("QueueNotFound", ["MQ_ERROR_QUEUE_NOT_FOUND"]),
        ("Generic", ["MQ_ERROR"]),
        ("OperationCanceled", ["MQ_ERROR_OPERATION_CANCELLED"]),
        ("AccessDenied", ["MQ_ERROR_ACCESS_DENIED", "MQMSG_CLASS_NACK_ACCESS_DENIED"]),
        ("QueueDeleted", ["MQ_ERROR_QUEUE_DELETED", "MQMSG_CLASS_NACK_Q_DELETED"]),
        ("FORMATNAME_BUFFER_TOO_SMALL", ["MQ_INFORMATION_FORMATNAME_BUFFER_TOO_SMALL", "MQ_ERROR_FORMATNAME_BUFFER_TOO_SMALL"]),
        ("CorruptedQueueWasDeleted", ["MQ_CORRUPTED_QUEUE_WAS_DELETED"]),
        ("0x8004", ["MQMSG_CLASS_NACK_ACCESS_DENIED"]),
        ("32772", ["MQMSG_CLASS_NACK_ACCESS_DENIED"]),
        ("8004", ["MQMSG_CLASS_NACK_ACCESS_DENIED"]),
        ("c001", ["MQMSG_CLASS_NACK_Q_PURGED"]),
        ("00ff", ["MQMSG_CLASS_ORDER_ACK"]),
        ("MQMSG_CLASS_NACK_ACCESS_DENIED", ["MQMSG_CLASS_NACK_ACCESS_DENIED"]),
        ("NackAccessDenied", ["MQMSG_CLASS_NACK_ACCESS_DENIED"]),
        ("nack_access_denied", ["MQMSG_CLASS_NACK_ACCESS_DENIED"]),
        ("NackBadDestQueue", ["MQMSG_CLASS_NACK_BAD_DST_Q"]),
        ("Acknowledgment.QueueExceedMaximumSize", ["MQMSG_CLASS_NACK_Q_EXCEED_QUOTA"]),
        ("MQMSG_CLASS_NACK_PURGED", ["MQMSG_CLASS_NACK_DELETED"]),
        ("0x80000008", ["DnsFailure"]),
        ("DnsFailure", ["DnsFailure"]),
        ("dns_failure", ["DnsFailure"]),
        ("-2147483640", ["DnsFailure"]),
        ("0", ["MQ_OK", "MQMSG_CLASS_NORMAL", "InProcess"]),
        ("2", ["MQMSG_CLASS_ACK_REACH_QUEUE", "Established"]),
        ("5", ["ERROR_ACCESS_DENIED"]),
        ("1722", ["RPC_S_SERVER_UNAVAILABLE"]),
        ("0x800706BA", ["RPC_S_SERVER_UNAVAILABLE"]),
        ("rpc_s_server_unavailable", ["RPC_S_SERVER_UNAVAILABLE"]),
        ("10061", ["WSAECONNREFUSED"]),
        ("0x80070005", ["E_ACCESSDENIED"]),
        ("80070005", ["E_ACCESSDENIED"]),
        ("0x1C010002", ["nca_op_rng_error"]),
        ("0x8004D024", ["XACT_E_NETWORK_TX_DISABLED"]),
        ("0xA194", ["0xA194"]),
    ],
)
def test_what_a_text_means(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "   ", "0x", "h", "-", "0027", "0005", "06ba", "27h", "007", "-0", "+5", "1_722", "4294967296", "0x1C00E0027", "-2147483649",
     "0xFFFFFFFF", "0x12345678", "deadbeef", "9" * 5000, "0x" + "f" * 5000, "no such thing", "١٧٢٢", "0xC00E0027 and more", "E00E0001"],
)  # fmt: skip
def test_what_means_nothing(text: str) -> None:
    assert explain(text) == []


def test_the_fields_of_an_explanation() -> None:
    found = only("0xC00E0003")
    assert (found.kind, found.value, found.hex, found.signed) == ("status", 0xC00E0003, "0xC00E0003", -1072824317)
    assert (found.name, found.aliases, found.severity) == ("MQ_ERROR_QUEUE_NOT_FOUND", ("QueueNotFound",), "error")
    assert found.meaning == SENTENCES[HResult.MQ_ERROR_QUEUE_NOT_FOUND]
    assert (found.causes, found.steps) == QUEUE_ADVICE[HResult.MQ_ERROR_QUEUE_NOT_FOUND]
    assert found.document == "[MS-MQMQ] 2.4"


@pytest.mark.parametrize("status", HResult)
def test_every_status_is_explained_by_number_and_by_name(status: HResult) -> None:
    for text in (f"{status:#x}", f"{status:08X}", str(int(status)), str(status.signed), status.name):
        found = [explanation for explanation in explain(text) if explanation.kind == "status"]
        assert [explanation.value for explanation in found] == [status], text
        assert found[0].meaning == SENTENCES[status]
        assert found[0].severity == status.severity.value


@pytest.mark.parametrize("message_class", MessageClass)
def test_every_message_class_is_explained(message_class: MessageClass) -> None:
    found = [explanation for explanation in explain(f"{message_class:04x}") if explanation.kind == "message class"]
    assert [(explanation.name, explanation.hex) for explanation in found] == [(message_class.name, f"0x{message_class:04X}")]
    assert found[0].meaning == CLASS_MEANINGS[message_class]
    assert found[0].causes
    assert found[0].steps
    for alias in (message_class.name, *found[0].aliases):
        assert message_class.name in names(alias)


@pytest.mark.parametrize("status", ConnectionStatus)
def test_every_connection_status_is_explained(status: ConnectionStatus) -> None:
    found = [explanation for explanation in explain(f"0x{status:08X}") if explanation.kind == "connection status"]
    assert [explanation.value for explanation in found] == [status]
    assert found[0].meaning == CONNECTION_MEANINGS[status]
    assert found[0].causes
    assert found[0].steps
    assert status in [explanation.value for explanation in explain(found[0].name)]
    assert status in [explanation.value for explanation in explain(status.name)]


@pytest.mark.parametrize(
    ("text", "severity"),
    [("0x0000", "success"), ("0x4000", "information"), ("0x8004", "error"), ("0x80000001", "error"), ("Established", "success"),
     ("EstablishPacketReceived", "information"), ("MQ_OK", "success"), ("0x400E0001", "information"), ("1722", "error")],
)  # fmt: skip
def test_the_severity_of_each_kind(text: str, severity: str) -> None:
    assert severity in {explanation.severity for explanation in explain(text)}
    assert explain(text)[0].severity == severity


@pytest.mark.parametrize(
    ("text", "document"),
    [
        ("MQ_OK", "[MS-MQMQ] 2.4"),
        ("0x400E03E8", "[MS-MQMP] 3.2.4.8"),
        ("0x400E03E9", "[MS-MQQP] 3.1.4.6"),
        ("E_FAIL", "[MS-ERREF] 2.1"),
        ("0xC0000225", "[MS-ERREF] 2.3"),
        ("0x8001", "[MS-MQMQ] 2.2.18.1.6"),
        ("0x8008", "[MC-MQAC] 2.2.2.9"),
        ("DnsFailure", "[MS-MQMQ] 2.3.12.25"),
        ("1753", "[MS-ERREF] 2.2"),
    ],
)
def test_the_document_of_each_kind(text: str, document: str) -> None:
    assert only(text).document == document


@pytest.mark.parametrize(
    ("text", "name", "part"),
    [
        ("0x8007ABCD", "FACILITY_WIN32 43981", "code 43981 (0xABCD)"),
        ("0xC00E7777", "FACILITY_MSMQ 30583", "code 30583 (0x7777)"),
        ("0xC0000001", "NTSTATUS 1", "code 1 (0x0001)"),
    ],
)
def test_an_unknown_status_of_a_known_facility_is_taken_apart(text: str, name: str, part: str) -> None:
    found = only(text)
    assert found.kind == "unknown status in a known facility"
    assert (found.name, found.severity) == (name, "error")
    assert part in found.meaning


def test_an_unknown_win32_status_names_the_command_that_knows_it() -> None:
    assert only("0x8007ABCD").steps == ("Ask Windows for its text with net helpmsg 43981.",)


def test_a_windows_error_inside_a_status_keeps_the_number_that_was_asked_for() -> None:
    assert (only("0x8007274D").name, only("0x8007274D").value) == ("WSAECONNREFUSED", 0x8007274D)


def test_a_refusal_by_http_shows_its_code() -> None:
    assert only("0xA194").meaning == "The HTTP transport refused the message with its code 404."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("quue_not_found", "MQ_ERROR_QUEUE_NOT_FOUND"),
        ("MQ_ERROR_INSUFICIENT_RESOURCES", "MQ_ERROR_INSUFFICIENT_RESOURCES"),
        ("NackAcessDenied", "MQMSG_CLASS_NACK_ACCESS_DENIED"),
        ("0027", "MQ_ERROR_INSUFFICIENT_RESOURCES"),
        ("0x1b", "MQ_ERROR_IO_TIMEOUT"),
        ("DnsFailur", "DnsFailure"),
    ],
)
def test_what_was_probably_meant(text: str, expected: str) -> None:
    assert closest(text)[0] == expected


@pytest.mark.parametrize("text", ["", "zzzzzz", "0xFFFF", "4294967296"])
def test_no_guess_is_better_than_a_wild_one(text: str) -> None:
    assert closest(text) == []


@given(st.text())
@example("9" * 5000)
@example("-" + "9" * 5000)
@example("²")
def test_any_text_gets_an_answer_and_the_same_one_twice(text: str) -> None:
    assert explain(text) == explain(text)
    assert closest(text) == closest(text)
    assert len(closest(text)) <= 5


@given(st.integers(-0x80000000, 0xFFFFFFFF))
def test_any_number_keeps_its_value(number: int) -> None:
    for found in explain(str(number)):
        assert found.value == number % 0x100000000
        assert int(found.hex, 16) == found.value
        assert found.signed % 0x100000000 == found.value


# What operators meet, so that each has causes and steps: the list may grow, not shrink.
MET_BY_OPERATORS = [
    "ACCESS_DENIED",
    "BUFFER_OVERFLOW",
    "CANNOT_IMPERSONATE_CLIENT",
    "CANNOT_JOIN_DOMAIN",
    "CANT_RESOLVE_SITES",
    "CERTIFICATE_NOT_PROVIDED",
    "COMPUTER_DOES_NOT_SUPPORT_ENCRYPTION",
    "CORRUPTED_INTERNAL_CERTIFICATE",
    "CORRUPTED_PERSONAL_CERT_STORE",
    "CORRUPTED_SECURITY_DATA",
    "DS_ERROR",
    "DS_LOCAL_USER",
    "DTC_CONNECT",
    "ENCRYPTION_PROVIDER_NOT_SUPPORTED",
    "FAIL_VERIFY_SIGNATURE_EX",
    "ILLEGAL_CURSOR_ACTION",
    "ILLEGAL_FORMATNAME",
    "ILLEGAL_OPERATION",
    "ILLEGAL_PROPERTY_VALUE",
    "ILLEGAL_QUEUE_PATHNAME",
    "INSUFFICIENT_PROPERTIES",
    "INSUFFICIENT_RESOURCES",
    "INVALID_CERTIFICATE",
    "INVALID_HANDLE",
    "INVALID_OWNER",
    "INVALID_PARAMETER",
    "IO_TIMEOUT",
    "LABEL_TOO_LONG",
    "MACHINE_NOT_FOUND",
    "MESSAGE_ALREADY_RECEIVED",
    "MESSAGE_LOCKED_UNDER_TRANSACTION",
    "MESSAGE_NOT_AUTHENTICATED",
    "MESSAGE_NOT_FOUND",
    "MESSAGE_STORAGE_FAILED",
    "MISSING_CONNECTOR_TYPE",
    "NO_DS",
    "NO_INTERNAL_USER_CERT",
    "OPERATION_CANCELLED",
    "PRIVILEGE_NOT_HELD",
    "PROPERTY",
    "PROPERTY_NOTALLOWED",
    "PUBLIC_KEY_NOT_FOUND",
    "QUEUE_DELETED",
    "QUEUE_EXISTS",
    "QUEUE_NOT_AVAILABLE",
    "QUEUE_NOT_FOUND",
    "REMOTE_MACHINE_NOT_AVAILABLE",
    "RESOLVE_ADDRESS",
    "SERVICE_NOT_AVAILABLE",
    "SHARING_VIOLATION",
    "STALE_HANDLE",
    "TRANSACTION_ENLIST",
    "TRANSACTION_SEQUENCE",
    "TRANSACTION_USAGE",
    "UNSUPPORTED_ACCESS_MODE",
    "UNSUPPORTED_FORMATNAME_OPERATION",
    "UNSUPPORTED_OPERATION",
    "WRITE_NOT_ALLOWED",
]


@pytest.mark.parametrize("name", MET_BY_OPERATORS)
def test_what_operators_meet_has_causes_and_steps(name: str) -> None:
    found = only(f"MQ_ERROR_{name}")
    assert found.causes
    assert found.steps


def test_insufficient_resources_has_all_its_causes() -> None:
    causes = only("0xC00E0027").causes
    assert len(causes) >= 12
    assert "KB5071546" in causes[0]
    for sign in (
        "quota",
        "4 MB",
        "disk",
        "fragmented",
        "remote reads",
        "callback",
        "foreign",
        "cluster",
        "versions",
        "paged pool",
        "medium",
    ):
        assert any(sign in cause for cause in causes), sign


@pytest.mark.parametrize("message_class", [member for member in MessageClass if member.negative])
def test_a_refusal_says_first_where_the_message_is_now(message_class: MessageClass) -> None:
    where = CLASS_ADVICE[message_class].steps[0]
    assert " now" in where
    assert "nowhere" in where


def test_advice_is_about_codes_that_exist_and_each_in_one_table_only() -> None:
    tables = (QUEUE_ADVICE, SECURITY_ADVICE, DIRECTORY_ADVICE)
    assert all(status.known and status_advice(status) == table[status] for table in tables for status in table)
    assert set(CLASS_MEANINGS) == set(CLASS_ADVICE) == set(MessageClass)
    assert set(CONNECTION_MEANINGS) == set(CONNECTION_ADVICE) == set(ConnectionStatus)


def every_sentence() -> list[str]:
    advice: list[Advice] = [
        *QUEUE_ADVICE.values(),
        *SECURITY_ADVICE.values(),
        *DIRECTORY_ADVICE.values(),
        *CLASS_ADVICE.values(),
        *CONNECTION_ADVICE.values(),
    ]
    known = [*WINDOWS_ERRORS.values(), *RPC_FAULTS.values(), *COORDINATOR_STATUSES.values()]
    sentences = [*SENTENCES.values(), *CLASS_MEANINGS.values(), *CONNECTION_MEANINGS.values(), *(entry.meaning for entry in known)]
    for causes, steps in [*advice, *((entry.causes, entry.steps) for entry in known)]:
        assert causes
        assert steps
        assert len(set(causes)) == len(causes)
        assert len(set(steps)) == len(steps)
        sentences += [*causes, *steps]
    return sentences


def test_every_sentence_is_one_short_sentence() -> None:
    for sentence in every_sentence():
        assert sentence == sentence.strip(), sentence
        assert sentence.endswith("."), sentence
        assert ". " not in sentence, sentence
        assert "  " not in sentence, sentence
        assert 10 < len(sentence) < 220, sentence
        assert sentence[0].isupper(), sentence


def test_advice_names_only_commands_that_exist() -> None:
    mentioned = {part.split("`")[0].split()[0] for sentence in every_sentence() for part in sentence.split("`msmqctl ")[1:]}
    assert mentioned <= COMMANDS
    assert not any("msmqctl" in sentence.replace("`msmqctl ", "") for sentence in every_sentence())


def test_every_explanation_that_advice_points_to_exists() -> None:
    commands = [part.split("`")[0] for sentence in every_sentence() for part in sentence.split("`msmqctl explain")[1:]]
    targets = [command.strip() for command in commands if command]
    assert targets
    assert [target for target in targets if not explain(target)] == []


def test_explaining_loads_nothing_heavy() -> None:
    heavy = {"typer", "rich", "struct", "uuid", "difflib", "msmqctl.wire.record"}
    code = f"import sys, msmqctl.ops.explain as e; e.explain('0xC00E0027'); sys.exit(' '.join({heavy!r} & set(sys.modules)) or None)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
