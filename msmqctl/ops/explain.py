"""Explain a number or a name that an operator found in a log: a status, a message class, a connection status, a Windows error.

Pure and light: this is what somebody types in the middle of an outage, and it must answer at once. So the tables of advice
are imported where a number asks for one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from msmqctl.ops.advice import Advice, Known
from msmqctl.ops.spellings import CLASS_PREFIX, class_aliases, connection_name, squeeze, status_aliases, without_prefix
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.status import FACILITY_MSMQ, SENTENCES, HResult, Severity
from msmqctl.wire.values import ConnectionStatus, MessageClass

NOTHING_TO_ADD = Advice((), ())

STATUS = "status"
MESSAGE_CLASS = "message class"
CONNECTION_STATUS = "connection status"
WINDOWS_ERROR = "Windows error"
RPC_FAULT = "RPC fault"
UNKNOWN_STATUS = "unknown status in a known facility"


@dataclass(frozen=True, slots=True)
class Explanation:
    """One meaning of what was asked for; a number may have several."""

    name: str
    meaning: str
    kind: str
    severity: str
    hex: str
    value: int
    signed: int
    document: str
    aliases: tuple[str, ...]
    causes: tuple[str, ...]
    steps: tuple[str, ...]


# Where a status that is not in [MS-MQMQ] 2.4 comes from.
DOCUMENTS: dict[HResult, str] = {
    HResult.MQ_INFORMATION_REMOTE_OPERATION: "[MS-MQMP] 3.2.4.8",
    HResult.MQ_INFORMATION_REMOTE_CANCELED_BY_CLIENT: "[MS-MQQP] 3.1.4.6",
    HResult.LDAP_BUSY: "[MS-ERREF] 2.2",
}
# The three classes that [MS-MQMQ] forgets and [MS-MQDMPR] needs.
CLASSES_OF_MQAC = frozenset(
    {
        MessageClass.MQMSG_CLASS_NACK_COULD_NOT_ENCRYPT,
        MessageClass.MQMSG_CLASS_NACK_SOURCE_COMPUTER_GUID_CHANGED,
        MessageClass.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT_AT_SENDER,
    }
)
# The high half of a failure tells who made it. A vendor's own code has the customer bit too, so that it matches none of these.
FACILITIES: dict[int, str] = {
    0x400E: "FACILITY_MSMQ",
    0x8000: "FACILITY_NULL",
    0x8001: "FACILITY_RPC",
    0x8002: "FACILITY_DISPATCH",
    0x8003: "FACILITY_STORAGE",
    0x8004: "FACILITY_ITF",
    0x8007: "FACILITY_WIN32",
    0x8009: "FACILITY_SECURITY",
    0x800B: "FACILITY_CERT",
    0x800C: "FACILITY_INTERNET",
    0x800E: "FACILITY_MSMQ",
    0x8013: "FACILITY_URT",
    0x8019: "FACILITY_HTTP",
    0xC000: "NTSTATUS",
    0xC00E: "FACILITY_MSMQ",
}
WIN32_FAILURES = 0x80070000
MSMQ_FAILURES = 0xC00E0000


def explain(text: str) -> list[Explanation]:
    """Everything that `text` can mean, MSMQ's own meanings first; nothing if it means nothing to us.

    A number may be hexadecimal (0xC00E0027, C00E0027, c00e0027h) or decimal, unsigned or signed; a name may be the wire's or .NET's, in any
    case and without its prefix. Four bare hexadecimal digits are understood only if they are a message class.
    """
    word = text.strip(" \t\r\n'\"`()[]{}<>,;:.")
    found = [explanation for value in _numbers(word) for explanation in _meanings(value)]
    if not found:
        found = [lookup(value) for lookup, value in _names().get(squeeze(word.rpartition(".")[2]), ())]
    return found


def closest(text: str) -> list[str]:
    """Up to five names that somebody who typed `text` may have meant, the likeliest first."""
    from difflib import get_close_matches

    word = squeeze(text.strip().rpartition(".")[2])[:80]
    likely: list[str] = []
    number = _hexadecimal(word.removeprefix("0x"), longest=4)
    if number is not None and HResult(MSMQ_FAILURES | number).known:
        likely.append(HResult(MSMQ_FAILURES | number).name)
    for spelling in get_close_matches(word, _names(), n=5, cutoff=0.7):
        likely += [lookup(value).name for lookup, value in _names()[spelling]]
    return list(dict.fromkeys(likely))[:5]


def _numbers(word: str) -> list[int]:
    """The 32-bit numbers that the word may stand for."""
    word = word.lower()
    readings: list[int | None] = []
    if word.startswith("0x"):
        readings.append(_hexadecimal(word[2:], longest=16))
    elif word.endswith("h"):
        readings.append(_hexadecimal(word[:-1], longest=16))
    else:
        readings.append(_decimal(word))
        bare = _hexadecimal(word, longest=8)
        if bare is not None and (len(word) == 8 or (len(word) == 4 and MessageClass(bare).known)):
            readings.append(bare)
    return list(dict.fromkeys(value for value in readings if value is not None and value <= 0xFFFFFFFF))


def _hexadecimal(digits: str, *, longest: int) -> int | None:
    """The value of hexadecimal digits and nothing else: no sign, no separators."""
    if not 0 < len(digits) <= longest or digits.strip("0123456789abcdef"):
        return None
    return int(digits, 16)


def _decimal(word: str) -> int | None:
    """The value of a decimal number, a negative one as the unsigned number with the same 32 bits."""
    digits = word.removeprefix("-")
    if not 0 < len(digits) <= 10 or digits.strip("0123456789") or (digits[0] == "0" and word != "0"):
        return None
    value = int(word)
    if value < 0:
        return value + 0x100000000 if value >= -0x80000000 else None
    return value


def _meanings(value: int) -> Iterator[Explanation]:
    """What the number means, one explanation a number space; if it is in none of them, what its parts say."""
    known = False
    for lookup, holds in NUMBER_SPACES:
        if holds(value):
            known = True
            yield lookup(value)
    if not known and value >> 16 in FACILITIES:
        yield _unknown(value)


@cache
def _names() -> dict[str, tuple[tuple[Callable[[int], Explanation], int], ...]]:
    """Every spelling that is understood, squeezed, and what it stands for."""
    names: dict[str, tuple[tuple[Callable[[int], Explanation], int], ...]] = {}

    def learn(lookup: Callable[[int], Explanation], value: int, *spellings: str) -> None:
        for key in dict.fromkeys(squeeze(spelling) for spelling in spellings):
            names[key] = (*names.get(key, ()), (lookup, value))

    for status in HResult:
        learn(_status, status.value, status.name, status.name.removeprefix("MQ_"), without_prefix(status.name), *status_aliases(status))
    for message_class in MessageClass:
        short = message_class.name.removeprefix(CLASS_PREFIX)
        learn(_message_class, message_class.value, message_class.name, short, short.removeprefix("NACK_"), *class_aliases(message_class))
    for connection in ConnectionStatus:
        learn(_connection, connection.value, connection_name(connection))
    from msmqctl.ops import advice_windows as windows

    for table, lookup in (
        (windows.WINDOWS_ERRORS, _windows_error),
        (windows.RPC_FAULTS, _rpc_fault),
        (windows.COORDINATOR_STATUSES, _coordinator_status),
    ):
        for number, entry in table.items():
            learn(lookup, number, entry.name)
    return names


def status_advice(status: HResult) -> Advice:
    """Causes and next steps of a status; nothing for one that speaks for itself. The tables are tried by how often they are asked."""
    from msmqctl.ops.advice_queue import QUEUE_ADVICE

    if status in QUEUE_ADVICE:
        return QUEUE_ADVICE[status]
    from msmqctl.ops.advice_directory import DIRECTORY_ADVICE
    from msmqctl.ops.advice_security import SECURITY_ADVICE

    return SECURITY_ADVICE.get(status) or DIRECTORY_ADVICE.get(status) or NOTHING_TO_ADD


def _status(value: int) -> Explanation:
    status = HResult(value)
    advice = status_advice(status)
    own = status.facility == FACILITY_MSMQ or status is HResult.MQ_OK
    document = DOCUMENTS.get(
        status, "[MS-MQMQ] 2.4" if own else "[MS-ERREF] 2.3" if status.name.startswith("STATUS_") else "[MS-ERREF] 2.1"
    )
    return _explanation(STATUS, value, status.name, status_aliases(status), status.severity, SENTENCES[status], advice, document)


def _message_class(value: int) -> Explanation:
    from msmqctl.ops.advice_delivery import CLASS_ADVICE, CLASS_MEANINGS

    found = MessageClass(value)
    normal = found is MessageClass.MQMSG_CLASS_NORMAL
    severity = Severity.ERROR if found.negative else Severity.SUCCESS if normal else Severity.INFORMATION
    document = "[MC-MQAC] 2.2.2.9" if found in CLASSES_OF_MQAC else "[MS-MQMQ] 2.2.18.1.6"
    aliases = class_aliases(found)
    return _explanation(MESSAGE_CLASS, value, found.name, aliases, severity, CLASS_MEANINGS[found], CLASS_ADVICE[found], document)


def _http_refusal(value: int) -> Explanation:
    """A class that the HTTP transport made: the two high bits of 0xA000, and its own code in the low nine."""
    meaning = f"The HTTP transport refused the message with its code {value & 0x1FF}."
    advice = Advice(
        ("The web server or the MSMQ extension at the destination did not accept the request.",),
        ("Look at the web log of the destination, and note that the extension may answer 500 inside a logged 200.",),
    )
    return _explanation(MESSAGE_CLASS, value, f"0x{value:04X}", (), Severity.ERROR, meaning, advice, "[MS-MQMQ] 2.2.18.1.6")


def _connection(value: int) -> Explanation:
    from msmqctl.ops.advice_delivery import CONNECTION_ADVICE, CONNECTION_MEANINGS

    status = ConnectionStatus(value)
    up = status is ConnectionStatus.ESTABLISHED
    severity = Severity.ERROR if status.failed else Severity.SUCCESS if up else Severity.INFORMATION
    name, meaning, advice = connection_name(status), CONNECTION_MEANINGS[status], CONNECTION_ADVICE[status]
    return _explanation(CONNECTION_STATUS, value, name, (), severity, meaning, advice, "[MS-MQMQ] 2.3.12.25")


def _windows_error(value: int) -> Explanation:
    """A Win32 error, bare or wrapped in a status of FACILITY_WIN32."""
    from msmqctl.ops.advice_windows import WINDOWS_ERRORS

    return _known(WINDOWS_ERROR, value, WINDOWS_ERRORS[value & 0xFFFF], "[MS-ERREF] 2.2")


def _rpc_fault(value: int) -> Explanation:
    from msmqctl.ops.advice_windows import RPC_FAULTS

    return _known(RPC_FAULT, value, RPC_FAULTS[value], "[C706] appendix E")


def _coordinator_status(value: int) -> Explanation:
    from msmqctl.ops.advice_windows import COORDINATOR_STATUSES

    return _known(STATUS, value, COORDINATOR_STATUSES[value], "[MS-ERREF] 2.1")


def _known(kind: str, value: int, entry: Known, document: str) -> Explanation:
    return _explanation(kind, value, entry.name, (), Severity.ERROR, entry.meaning, Advice(entry.causes, entry.steps), document)


def _unknown(value: int) -> Explanation:
    """What the parts of a status say when the whole is not known."""
    status = HResult(value)
    facility = FACILITIES[value >> 16]
    meaning = f"A status of {facility} with code {status.code} (0x{status.code:04X}) that is not among those known here."
    advice = Advice((), (f"Ask Windows for its text with net helpmsg {status.code}.",)) if facility == "FACILITY_WIN32" else NOTHING_TO_ADD
    return _explanation(UNKNOWN_STATUS, value, f"{facility} {status.code}", (), status.severity, meaning, advice, "[MS-ERREF] 2.1")


def _explanation(
    kind: str, value: int, name: str, aliases: tuple[str, ...], severity: Severity, meaning: str, advice: Advice, document: str
) -> Explanation:
    digits = 4 if kind == MESSAGE_CLASS else 8
    spelling = f"0x{value:0{digits}X}"
    signed = HResult(value).signed
    return Explanation(name, meaning, kind, str(severity), spelling, value, signed, document, aliases, *advice)


def _is_coordinator_status(value: int) -> bool:
    if value >> 16 != 0x8004:
        return False
    from msmqctl.ops.advice_windows import COORDINATOR_STATUSES

    return value in COORDINATOR_STATUSES


def _is_rpc_fault(value: int) -> bool:
    if value >> 24 != 0x1C:
        return False
    from msmqctl.ops.advice_windows import RPC_FAULTS

    return value in RPC_FAULTS


def _is_windows_error(value: int) -> bool:
    """Whether this is a Win32 error that we know and that is not a status with a name of its own."""
    if value > 0xFFFF and value & 0xFFFF0000 != WIN32_FAILURES:
        return False
    from msmqctl.ops.advice_windows import WINDOWS_ERRORS

    return value & 0xFFFF in WINDOWS_ERRORS and (value <= 0xFFFF or not HResult(value).known)


def _is_http_refusal(value: int) -> bool:
    return value <= 0xFFFF and MessageClass(value).from_http and MessageClass(value).may_be_application_defined


# Each number space: what explains a number of it, and whether a number is in it.
NUMBER_SPACES: tuple[tuple[Callable[[int], Explanation], Callable[[int], bool]], ...] = (
    (_status, lambda value: HResult(value).known),
    (_message_class, lambda value: MessageClass(value).known),
    (_http_refusal, _is_http_refusal),
    (_connection, lambda value: ConnectionStatus(value).known),
    (_coordinator_status, _is_coordinator_status),
    (_rpc_fault, _is_rpc_fault),
    (_windows_error, _is_windows_error),
)
