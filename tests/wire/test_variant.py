"""Property values: which Python value each type takes, and which it refuses."""

from __future__ import annotations

from uuid import UUID

import pytest

from msmqctl.wire.values import VarType
from msmqctl.wire.variant import EMPTY, MAX_NESTING, NULL, PROPERTY_TYPES, Variant, type_name, vector_of

V = VarType
GUID = UUID("11223344-5566-7788-99aa-bbccddeeff00")

# Every type a property can have: values it takes, then values it does not.
TYPES: list[tuple[VarType, list[object], list[object]]] = [
    (V.VT_EMPTY, [None], [0, "", False]),
    (V.VT_NULL, [None], [0, "", False]),
    (V.VT_I1, [-128, 127], [-129, 128, None, "1", 1.0, True]),
    (V.VT_UI1, [0, 255], [-1, 256, None, False]),
    (V.VT_I2, [-32768, 32767], [-32769, 32768]),
    (V.VT_UI2, [0, 65535], [-1, 65536]),
    (V.VT_I4, [-(2**31), 2**31 - 1], [-(2**31) - 1, 2**31]),
    (V.VT_UI4, [0, 2**32 - 1], [-1, 2**32]),
    (V.VT_I8, [-(2**63), 2**63 - 1], [-(2**63) - 1, 2**63]),
    (V.VT_UI8, [0, 2**64 - 1], [-1, 2**64]),
    (V.VT_BOOL, [True, False], [0, 1, None]),
    (V.VT_LPWSTR, ["", "Lbl", "\u00fc\U0001f600", None], [b"Lbl", "a\0b", 1]),
    (V.VT_CLSID, [GUID, None], [str(GUID), GUID.bytes]),
    (V.VT_BLOB, [b"", b"\0"], [bytearray(b"\0"), "", None]),
    (vector_of(V.VT_UI1), [b"", b"\0"], [(0,), None]),
    (vector_of(V.VT_UI2), [(), (0, 65535)], [(65536,), [0], None, (True,)]),
    (vector_of(V.VT_I4), [(), (-1,)], [(2**31,)]),
    (vector_of(V.VT_UI4), [(), (2**32 - 1,)], [(-1,)]),
    (vector_of(V.VT_UI8), [(), (2**64 - 1,)], [(2**64,)]),
    (vector_of(V.VT_CLSID), [(), (GUID,)], [(None,), (str(GUID),)]),
    (vector_of(V.VT_LPWSTR), [(), ("a", None, "")], [("a\0",), "a"]),
    (vector_of(V.VT_VARIANT), [(), (NULL, EMPTY)], [(1,), NULL]),
]


@pytest.mark.parametrize(("vt", "taken", "refused"), TYPES, ids=[type_name(row[0]) for row in TYPES])
def test_values_of_each_type(vt: VarType, taken: list[object], refused: list[object]) -> None:
    for value in taken:
        assert Variant(vt, value).value == value
    for value in refused:
        with pytest.raises(ValueError, match="is not a value of type"):
            Variant(vt, value)


def test_no_other_type_exists() -> None:
    assert {int(row[0]) for row in TYPES} == PROPERTY_TYPES
    for number in range(0x2000):
        if number not in PROPERTY_TYPES:
            with pytest.raises(ValueError, match="not a type that a property can have"):
                Variant(VarType(number))


@pytest.mark.spec("MQ-2.2.12-1")
def test_a_variant_in_a_variant_only_within_a_vector() -> None:
    with pytest.raises(ValueError, match="VT_VARIANT is not a type"):
        Variant(V.VT_VARIANT, NULL)
    assert Variant(vector_of(V.VT_VARIANT), (NULL,)).value == (NULL,)


def nested(levels: int) -> Variant:
    value = Variant(V.VT_UI1, 7)
    for _ in range(levels):
        value = Variant(vector_of(V.VT_VARIANT), (NULL, value))
    return value


def test_nesting_is_limited() -> None:
    assert MAX_NESTING == 4
    assert [nested(levels).nesting for levels in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="nested more than 4"):
        nested(5)


def test_names_of_types() -> None:
    assert type_name(0x13) == "VT_UI4"
    assert type_name(0x101F) == "VT_VECTOR|VT_LPWSTR"
    assert type_name(0x4008) == "0x4008"
    assert vector_of(V.VT_VARIANT) == 0x100C


def test_absent_values() -> None:
    assert EMPTY.absent
    assert NULL.absent
    assert not Variant(V.VT_LPWSTR, None).absent
