"""The property tables against a copy of the checklist's rows, the checks of values, and the two properties that are tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError, StatusError
from msmqctl.wire.identity import TxSequenceId
from msmqctl.wire.property import (
    AnyOf,
    ConnectionAttempt,
    ObjectType,
    OneOf,
    PropertyId,
    SourceInfo,
    check_value,
    connection_history_rows,
    connection_history_variant,
    object_type,
    property_info,
    source_info_rows,
    source_info_variant,
)
from msmqctl.wire.property_table import DirectoryProperty, MachineProperty, MessageProperty, QueueProperty
from msmqctl.wire.status import HResult
from msmqctl.wire.values import ConnectionStatus, VarType
from msmqctl.wire.variant import EMPTY, NULL, Variant, type_name, vector_of

SPACES: dict[str, type[PropertyId]] = {
    "directory": DirectoryProperty,
    "machine": MachineProperty,
    "queue": QueueProperty,
    "message": MessageProperty,
}
ROWS = [
    (space, int(number), name, f"VT_VECTOR|VT_{vt[:-2]}" if vt.endswith("[]") else f"VT_{vt}")
    for space, number, name, vt in (
        line.split()
        for line in (Path(__file__).parent.parent / "data" / "properties.txt").read_text(encoding="ascii").splitlines()
        if not line.startswith("#")
    )
]

V = VarType
Q = DirectoryProperty


@pytest.mark.spec("MQ-2.3-2")
def test_the_tables_are_exactly_those_of_the_checklist() -> None:
    ours = [(space, int(prop), prop.name, type_name(prop.vt)) for space, properties in SPACES.items() for prop in properties]
    assert ours == ROWS
    counts = {space: sum(row[0] == space for row in ROWS) for space in SPACES}
    # 186 rows of [MS-MQMQ], and from public headers 69 of messages and 2 of the computer itself.
    assert counts == {"directory": 153 + 2, "machine": 6, "queue": 27, "message": 69}


@pytest.mark.spec("MQ-2.3-1")
def test_a_number_fixes_the_type_within_its_space_only() -> None:
    ones = [property_info(space, 1) for space in (MachineProperty, QueueProperty, MessageProperty)]
    assert [one.name for one in ones] == ["PROPID_MGMT_MSMQ_ACTIVEQUEUES", "PROPID_MGMT_QUEUE_PATHNAME", "PROPID_M_CLASS"]
    assert [type_name(one.vt) for one in ones] == ["VT_VECTOR|VT_LPWSTR", "VT_LPWSTR", "VT_UI2"]
    assert [type(one) for one in ones] == [MachineProperty, QueueProperty, MessageProperty]
    for space, right in zip(
        (MachineProperty, QueueProperty, MessageProperty),
        (Variant(vector_of(V.VT_LPWSTR), ()), Variant(V.VT_LPWSTR, "x"), Variant(V.VT_UI2, 1)),
        strict=True,
    ):
        check_value(space(1), right)


@pytest.mark.parametrize("space", SPACES.values(), ids=lambda space: space.__name__)
def test_every_row_says_what_it_means(space: type[PropertyId]) -> None:
    for prop in space:
        assert prop.known
        assert prop.meaning
        assert property_info(space, int(prop)) is prop


@pytest.mark.parametrize(
    ("space", "number"),
    [
        (DirectoryProperty, 120),
        (DirectoryProperty, 204),
        (DirectoryProperty, 1),
        (MachineProperty, 7),
        (QueueProperty, 28),
        (MessageProperty, 56),
    ],
)
def test_unknown_numbers(space: type[PropertyId], number: int) -> None:
    unknown = space(number)
    assert (unknown, unknown.known, unknown.vt, unknown.meaning, unknown.rule) == (number, False, V.VT_EMPTY, "", None)
    for ask in (lambda: property_info(space, number), lambda: check_value(unknown, NULL)):
        with pytest.raises(StatusError) as refused:
            ask()
        assert refused.value.status == HResult.MQ_ERROR_ILLEGAL_PROPID


@pytest.mark.spec("MQ-2.3-3")
def test_object_type_from_the_number() -> None:
    kinds = {"Q": 1, "QM": 2, "S": 3, "D": 4, "CN": 5, "E": 6, "U": 7, "L": 8}
    checked = 0
    for _, number, name, _ in (row for row in ROWS if row[0] == "directory" and row[1] < 5000):
        assert object_type(number) == kinds[name.split("_")[1]]
        checked += 1
    assert checked == 129
    assert object_type(1101) is ObjectType.MQDS_QUEUE
    assert object_type(1601) is ObjectType.MQDS_ENTERPRISE


@pytest.mark.spec("MQ-2.3-3")
@pytest.mark.parametrize("number", [0, 1, 99, 900, 1000, 1001, 1099, 1900, 5101, 5209, 5401, 0xFFFFFFFF])
def test_other_ranges_have_no_object_type(number: int) -> None:
    with pytest.raises(StatusError) as refused:
        object_type(number)
    assert refused.value.status == HResult.MQ_ERROR_ILLEGAL_PROPID


SAMPLES: dict[str, object] = {
    "VT_BOOL": True,
    "VT_CLSID": UUID(int=1),
    "VT_BLOB": bytes(16),
    "VT_VECTOR|VT_UI1": bytes(20),
    "VT_VECTOR|VT_CLSID": (UUID(int=1),),
    "VT_VECTOR|VT_LPWSTR": ("a", "b"),
    "VT_VECTOR|VT_VARIANT": (NULL,),
}


@pytest.mark.spec("MQ-2.3-1")
@pytest.mark.parametrize("space", SPACES.values(), ids=lambda space: space.__name__)
def test_a_value_has_the_type_of_its_property(space: type[PropertyId]) -> None:
    for prop in space:
        names = list(prop.rule.names) if isinstance(prop.rule, OneOf | AnyOf) else [""]
        number_or_text: object = names[0] if prop.vt == V.VT_LPWSTR else names[0] or 1
        value = SAMPLES.get(type_name(prop.vt), 0 if names[0] == 0 else number_or_text)
        check_value(prop, Variant(prop.vt, value))
        other = Variant(V.VT_I1, 1)
        with pytest.raises(StatusError, match=prop.name) as refused:
            check_value(prop, other)
        assert refused.value.status == HResult.MQ_ERROR_PROPERTY


@pytest.mark.parametrize("wrong", [EMPTY, NULL, Variant(V.VT_UI4, 1), Variant(vector_of(V.VT_UI1), b"\1"), Variant(V.VT_I1, 1)])
def test_a_similar_type_will_not_do(wrong: Variant) -> None:
    with pytest.raises(StatusError) as refused:
        check_value(Q.PROPID_Q_JOURNAL, wrong)
    assert refused.value.status == HResult.MQ_ERROR_PROPERTY


# Every property with limits, with values that it takes and values that it does not.
LIMITS: list[tuple[PropertyId, Sequence[object], Sequence[object]]] = [
    (Q.PROPID_Q_JOURNAL, [0, 1], [2, 255]),
    (Q.PROPID_Q_BASEPRIORITY, [-32768, 0, 32767], []),
    (Q.PROPID_Q_LABEL, ["", "x" * 124, "\U0001f600" * 62], ["x" * 125, "\U0001f600" * 63, None]),
    (Q.PROPID_Q_AUTHENTICATE, [0, 1], [2]),
    (Q.PROPID_Q_PRIV_LEVEL, [0, 1, 2], [3]),
    (Q.PROPID_Q_TRANSACTION, [0, 1], [2]),
    (Q.PROPID_Q_SCOPE, [0, 1], [2]),
    (
        Q.PROPID_Q_MULTICAST_ADDRESS,
        ["", "224.0.0.0:0", "239.255.255.255:65535", "239.1.2.3:2345"],
        [
            *("223.1.1.1:1", "240.0.0.0:1", "239.1.1.1", "239.256.0.0:1", "239.1.1:1", "x:1", "٢٣٩.1.1.1:1"),
            *("239.1.1.1:65536", "239.1.1.1:1 ", "239.1.1.1:01", "239.1.1.1:1,MULTICAST=239.1.1.1:1"),
        ],
    ),
    (Q.PROPID_QM_SERVICE, [0, 1, 2, 4, 8, 0x10, 0x1F], [0x20, 0xFFFFFFFF]),
    (Q.PROPID_QM_FOREIGN, [0, 1], [2]),
    (Q.PROPID_QM_OS, [0, 0x100, 0x200, 0x300, 0x400, 0x500], [1, 0x600]),
    (Q.PROPID_QM_SERVICE_ROUTING, [0, 1], [2]),
    (Q.PROPID_QM_SERVICE_DSSERVER, [0, 1], [2]),
    (Q.PROPID_QM_SERVICE_DEPCLIENTS, [0, 1], [2]),
    (Q.PROPID_QM_SECURITY_INFORMATION, [0, 1, 0xF], [0x10]),
    (Q.PROPID_QM_GROUP_IN_CLUSTER, [0, 1], [2]),
    (Q.PROPID_S_NT4_STUB, [0, 1], [2]),
    (Q.PROPID_S_FOREIGN, [0, 1], [2]),
    (Q.PROPID_CN_PROTOCOLID, [1, 3, 5], [0, 2, 4, 6]),
    (Q.PROPID_E_NAMESTYLE, [0, 1, 2], [3]),
    (Q.PROPID_L_COST, [1, 999999], [0, 1000000]),
    (Q.PROPID_L_ACTUAL_COST, [1, 999999], [0, 1000000]),
    (Q.PROPID_Q_SECURITY_INFORMATION, [0, 0xF], [0x10]),
    (Q.PROPID_S_SECURITY_INFORMATION, [0, 0xF], [0x10]),
    (Q.PROPID_D_SCOPE, [0, 1], [2]),
    (Q.PROPID_D_OBJTYPE, [1, 2, 3, 4, 5, 6, 7, 8], [0, 9]),
    (Q.PROPID_SET_NAME, ["MSMQ Settings"], ["", "msmq settings"]),
    (Q.PROPID_SET_SERVICE, [0, 1, 2, 4, 8], [3, 0x10]),
    (Q.PROPID_SET_NT4, [0, 1], [2]),
    (Q.PROPID_SET_SERVICE_ROUTING, [0, 1], [2]),
    (Q.PROPID_SET_SERVICE_DSSERVER, [0, 1], [2]),
    (Q.PROPID_SET_SERVICE_DEPCLIENTS, [0, 1], [2]),
    (Q.PROPID_SET_OLDSERVICE, [0, 1, 2, 4, 8], [3, 0x10]),
    (Q.PROPID_COM_SAM_ACCOUNT, ["A" * 19 + "$"], ["A" * 20 + "$"]),
    (MachineProperty.PROPID_MGMT_MSMQ_CONNECTED, ["CONNECTED", "DISCONNECTED"], ["", "connected"]),
    (QueueProperty.PROPID_MGMT_QUEUE_TYPE, ["PUBLIC", "PRIVATE", "MACHINE", "CONNECTOR", "MULTICAST"], ["DIRECT"]),
    (QueueProperty.PROPID_MGMT_QUEUE_LOCATION, ["LOCAL", "REMOTE"], ["UNKNOWN"]),
    (QueueProperty.PROPID_MGMT_QUEUE_XACT, ["UNKNOWN", "YES", "NO"], ["yes"]),
    (QueueProperty.PROPID_MGMT_QUEUE_FOREIGN, ["UNKNOWN", "YES", "NO"], ["Unknown"]),
    (
        QueueProperty.PROPID_MGMT_QUEUE_STATE,
        # The ninth is no slip: public headers have it.
        ["LOCAL CONNECTION", "INACTIVE", "WAITING", "NEED VALIDATION", "ONHOLD", "CONNECTED", "DISCONNECTING", "DISCONNECTED", "LOCKED"],
        ["", "LOCAL"],
    ),
    *((QueueProperty(number), [bytes(16)], [b"", bytes(15), bytes(17)]) for number in (13, 16, 17, 18)),
    *((MessageProperty(number), [bytes(20)], [b"", bytes(19), bytes(21)]) for number in (2, 3, 52)),
    (MessageProperty.PROPID_M_PRIORITY, [0, 7], [8]),
    (MessageProperty.PROPID_M_DELIVERY, [0, 1], [2]),
    (MessageProperty.PROPID_M_JOURNAL, [0, 1, 2, 3], [4]),
    (MessageProperty.PROPID_M_LABEL, ["", "x" * 249], ["x" * 250, "\U0001f600" * 125, "x" * 100_000]),
    (MessageProperty.PROPID_M_PRIV_LEVEL, [0, 1, 3, 5], [2, 4]),
    (MessageProperty.PROPID_M_AUTH_LEVEL, [0, 1, 2, 4, 8], [3, 16]),
    (MessageProperty.PROPID_M_AUTHENTICATED_EX, [0, 1, 3, 5, 9], [2]),
]


@pytest.mark.parametrize(("prop", "taken", "refused"), LIMITS, ids=lambda item: item.name if isinstance(item, PropertyId) else "")
def test_limits_of_values(prop: PropertyId, taken: Sequence[object], refused: Sequence[object]) -> None:
    for value in taken:
        check_value(prop, Variant(prop.vt, value))
    for value in refused:
        with pytest.raises(StatusError, match=prop.name) as error:
            check_value(prop, Variant(prop.vt, value))
        assert error.value.status == HResult.MQ_ERROR_ILLEGAL_PROPERTY_VALUE
        assert len(error.value.message) < 300


@pytest.mark.spec("MQ-T-7")
def test_the_multicast_address_of_a_queue_has_one_port_and_it_may_be_any() -> None:
    for port in (0, 20, 99, 200, 2000, 9999, 10000, 65535):
        check_value(Q.PROPID_Q_MULTICAST_ADDRESS, Variant(V.VT_LPWSTR, f"239.1.2.3:{port}"))
        with pytest.raises(StatusError):
            check_value(Q.PROPID_Q_MULTICAST_ADDRESS, Variant(V.VT_LPWSTR, f"239.1.2.3:{port}:{port}"))


@pytest.mark.spec("MQ-T-30")
def test_the_encryption_keys_are_not_called_signing_keys() -> None:
    assert "encryption" in Q.PROPID_QM_ENCRYPT_PKS.meaning
    assert "sign" not in Q.PROPID_QM_ENCRYPT_PKS.meaning
    assert "signatures" in Q.PROPID_QM_SIGN_PKS.meaning


@pytest.mark.spec("MQ-T-31")
def test_each_count_of_octets_knows_its_own_old_name() -> None:
    assert "PROPID_MGMT_QUEUE_USED_QUOTA" in QueueProperty(8).meaning
    assert "PROPID_MGMT_QUEUE_JOURNAL_USED_QUOTA" in QueueProperty(10).meaning


@pytest.mark.spec("MQ-T-32")
def test_a_ninth_state_exists_and_one_number_of_public_headers_does_not() -> None:
    check_value(QueueProperty.PROPID_MGMT_QUEUE_STATE, Variant(V.VT_LPWSTR, "LOCKED"))
    assert len(_names(QueueProperty.PROPID_MGMT_QUEUE_STATE)) == 9
    assert not DirectoryProperty(204).known


@pytest.mark.spec("MQ-T-33")
def test_the_quota_of_a_computer_is_a_number_without_a_unit() -> None:
    for quota in (0, 1, 1023, 0xFFFFFFFF):
        check_value(Q.PROPID_QM_QUOTA, Variant(V.VT_UI4, quota))
    assert not {"KB", "kilobytes", "bytes", "octets"} & set(Q.PROPID_QM_QUOTA.meaning.split())
    assert Q.PROPID_QM_JOURNAL_QUOTA.meaning.endswith("in KB")


@pytest.mark.spec("MQ-T-34")
@pytest.mark.parametrize("space", SPACES.values(), ids=lambda space: space.__name__)
def test_properties_come_in_the_order_of_their_numbers(space: type[PropertyId]) -> None:
    assert list(space) == sorted(space)


def test_no_limit_is_untested() -> None:
    limited = [prop for space in SPACES.values() for prop in space if prop.rule is not None]
    assert limited == sorted((row[0] for row in LIMITS), key=lambda prop: (list(SPACES.values()).index(type(prop)), int(prop)))


def test_named_values() -> None:
    assert _names(Q.PROPID_Q_JOURNAL) == {0: "MQ_JOURNAL_NONE", 1: "MQ_JOURNAL"}
    assert _names(Q.PROPID_Q_PRIV_LEVEL) == {0: "MQ_PRIV_LEVEL_NONE", 1: "MQ_PRIV_LEVEL_OPTIONAL", 2: "MQ_PRIV_LEVEL_BODY"}
    assert _names(Q.PROPID_D_OBJTYPE)[8] == "MQDS_ROUTINGLINK"
    assert _names(Q.PROPID_D_SCOPE) == {0: "MQDS_SITESCOPE", 1: "MQDS_ENTERPRISESCOPE"}
    assert _names(Q.PROPID_QM_OS)[0x500] == "MSMQ_OS_NTE"
    assert _names(QueueProperty.PROPID_MGMT_QUEUE_STATE)["INACTIVE"] == "MGMT_QUEUE_STATE_NONACTIVE"


def _names(prop: PropertyId) -> dict[object, str]:
    assert isinstance(prop.rule, OneOf)
    return dict(prop.rule.names)


# Two properties that are tables.

SENDER = UUID("11223344-5566-7788-99aa-bbccddeeff00")
STREAM = SourceInfo("DIRECT=OS:srv\\q", SENDER, TxSequenceId.of(ordinal=1, timestamp=5), 7, 0x65000000, 2)
STREAM_COLUMNS = (
    Variant(vector_of(V.VT_LPWSTR), ("DIRECT=OS:srv\\q",)),
    Variant(vector_of(V.VT_CLSID), (SENDER,)),
    Variant(vector_of(V.VT_UI8), (0x0000000500000001,)),
    Variant(vector_of(V.VT_UI4), (7,)),
    Variant(vector_of(V.VT_I4), (0x65000000,)),
    Variant(vector_of(V.VT_UI4), (2,)),
)
ATTEMPTS = [
    ConnectionAttempt(ConnectionStatus.IN_PROCESS, 100, 0, ("192.0.2.1", "\\\\srv")),
    ConnectionAttempt(ConnectionStatus.CONNECTION_REFUSED, 101, 0xC00E0001, ()),
]
ADDRESS_LISTS = (Variant(vector_of(V.VT_LPWSTR), ("192.0.2.1", "\\\\srv")), Variant(vector_of(V.VT_LPWSTR), ()))
ATTEMPT_COLUMNS = (
    Variant(vector_of(V.VT_UI4), (0, 0x8000000B)),
    Variant(vector_of(V.VT_I4), (100, 101)),
    Variant(vector_of(V.VT_I4), (0, 0xC00E0001 - (1 << 32))),
    Variant(vector_of(V.VT_VARIANT), ADDRESS_LISTS),
)


def table(*columns: Variant) -> Variant:
    return Variant(vector_of(V.VT_VARIANT), columns)


def test_source_info() -> None:
    assert source_info_rows(table(*STREAM_COLUMNS)) == [STREAM]
    assert source_info_variant([STREAM]) == table(*STREAM_COLUMNS)
    check_value(QueueProperty.PROPID_MGMT_QUEUE_EOD_SOURCE_INFO, table(*STREAM_COLUMNS))


def test_connection_history() -> None:
    assert connection_history_rows(table(*ATTEMPT_COLUMNS)) == ATTEMPTS
    assert connection_history_variant(ATTEMPTS) == table(*ATTEMPT_COLUMNS)


def test_no_rows() -> None:
    for absent in (EMPTY, NULL):
        assert source_info_rows(absent) == []
        assert connection_history_rows(absent) == []
    assert source_info_rows(source_info_variant([])) == []
    assert connection_history_rows(connection_history_variant([])) == []
    assert [column.value for column in source_info_variant([]).value] == [()] * 6
    assert [type_name(column.vt) for column in source_info_variant([]).value] == [type_name(column.vt) for column in STREAM_COLUMNS]


def test_unsigned_times_are_taken() -> None:
    unsigned = Variant(vector_of(V.VT_UI4), (0xF0000000,))
    (row,) = source_info_rows(table(*STREAM_COLUMNS[:4], unsigned, STREAM_COLUMNS[5]))
    assert row == replace(STREAM, last_access_time=0xF0000000)


@pytest.mark.parametrize(
    ("flat", "lists"),
    [(("a", "b"), [("a",), ("b",)]), (("a", "b", "c"), [("a",), ("b", "c")])],
)
def test_a_flat_list_of_addresses_is_taken(flat: tuple[str, ...], lists: list[tuple[str, ...]]) -> None:
    rows = connection_history_rows(table(*ATTEMPT_COLUMNS[:3], Variant(vector_of(V.VT_LPWSTR), flat)))
    assert [row.addresses for row in rows] == lists


def test_null_strings_and_missing_address_lists() -> None:
    names = Variant(vector_of(V.VT_LPWSTR), (None,))
    assert source_info_rows(table(names, *STREAM_COLUMNS[1:])) == [replace(STREAM, format_name="")]
    rows = connection_history_rows(table(*ATTEMPT_COLUMNS[:3], Variant(vector_of(V.VT_VARIANT), (names, NULL))))
    assert [row.addresses for row in rows] == [("",), ()]


@pytest.mark.parametrize(
    "broken",
    [
        Variant(V.VT_UI4, 1),
        table(),
        table(*STREAM_COLUMNS[:5]),
        table(*STREAM_COLUMNS, STREAM_COLUMNS[5]),
        table(*STREAM_COLUMNS[:5], Variant(vector_of(V.VT_I4), (2,))),
        table(*STREAM_COLUMNS[:5], Variant(V.VT_UI4, 2)),
        table(*STREAM_COLUMNS[:5], Variant(vector_of(V.VT_UI4), ())),
        table(*STREAM_COLUMNS[:5], Variant(vector_of(V.VT_UI4), (2, 3))),
        table(NULL, *STREAM_COLUMNS[1:]),
    ],
)
def test_broken_source_info(broken: Variant) -> None:
    with pytest.raises(DecodeError, match="EOD_SOURCE_INFO"):
        source_info_rows(broken)


@pytest.mark.parametrize(
    "addresses",
    [
        Variant(vector_of(V.VT_LPWSTR), ("a",)),
        Variant(vector_of(V.VT_VARIANT), ADDRESS_LISTS[:1]),
        Variant(vector_of(V.VT_VARIANT), (Variant(V.VT_LPWSTR, "a"), Variant(V.VT_LPWSTR, "b"))),
        Variant(V.VT_LPWSTR, "a"),
    ],
)
def test_broken_connection_history(addresses: Variant) -> None:
    with pytest.raises(DecodeError, match="CONNECTION_HISTORY"):
        connection_history_rows(table(*ATTEMPT_COLUMNS[:3], addresses))


def test_connection_status_numbers() -> None:
    numbers = [0, 1, 2, *range(0x80000000, 0x8000000E)]
    assert [int(status) for status in ConnectionStatus] == numbers
    assert [status.failed for status in ConnectionStatus] == [False] * 3 + [True] * 14
    assert ConnectionStatus(0x80001234).failed
    assert not ConnectionStatus(3).failed
    assert ConnectionStatus(0x80000009).name == "CERTIFICATE_VALIDATION_FAILURE"


u32, i32 = st.integers(0, 0xFFFFFFFF), st.integers(-0x80000000, 0x7FFFFFFF)
text = st.text(max_size=8).filter(lambda value: "\0" not in value)
streams = st.builds(SourceInfo, text, st.uuids(), st.integers(0, (1 << 64) - 1).map(TxSequenceId), u32, i32, u32)
attempts = st.builds(ConnectionAttempt, u32.map(ConnectionStatus), i32, u32, st.lists(text, max_size=3).map(tuple))


@given(st.lists(streams, max_size=4), st.lists(attempts, max_size=4))
def test_tables_round_trip(sources: list[SourceInfo], history: list[ConnectionAttempt]) -> None:
    assert source_info_rows(source_info_variant(sources)) == sources
    assert connection_history_rows(connection_history_variant(history)) == history
