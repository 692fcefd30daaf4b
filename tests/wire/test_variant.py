"""Property values: which Python value each type takes, and how it lies in a stub, by the computed vectors of the RPC checklists."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError
from msmqctl.wire.ndr import NdrReader, NdrWriter, Syntax, read_variants, write_variants
from msmqctl.wire.values import VarType
from msmqctl.wire.variant import EMPTY, MAX_NESTING, NULL, PROPERTY_TYPES, Variant, type_name, vector_of
from tests.wire.assertions import assert_wire

V = VarType
GUID = UUID("11223344-5566-7788-99aa-bbccddeeff00")
GUID_HEX = "44 33 22 11 66 55 88 77 99 aa bb cc dd ee ff 00"
LABEL = Variant(V.VT_LPWSTR, "Lbl")
JOURNAL = Variant(V.VT_UI1, 1)
QUOTA = Variant(V.VT_UI4, 1024)

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


def test_nesting_is_limited_when_made() -> None:
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


# On the wire


def pack(variants: list[Variant], syntax: Syntax = Syntax.NDR) -> bytes:
    writer = NdrWriter(syntax)
    write_variants(writer, variants)
    return writer.data


def read(data: bytes, count: int, syntax: Syntax = Syntax.NDR) -> list[Variant]:
    reader = NdrReader(data, syntax)
    found = read_variants(reader, count)
    reader.expect_end("stub")
    return found


def assert_variants(variants: list[Variant], data: bytes, syntax: Syntax = Syntax.NDR) -> None:
    assert_wire(variants, data, read=lambda octets: read(octets, len(variants), syntax), pack=lambda value: pack(value, syntax))


# The PROPVARIANT arrays of MP-V-6, -8, -9, -17 and MR-V-5, -6, -7, cut out where they start on a boundary of eight.
VECTORS: dict[str, tuple[Syntax, list[Variant], str]] = {
    "MP-V-6": (
        Syntax.NDR,
        [JOURNAL, QUOTA, LABEL],
        """03 00 00 00 00 00 00 00
        11 00 00 00 00 00 00 00 11 00 01 00 00 00 00 00
        13 00 00 00 00 00 00 00 13 00 00 00 00 04 00 00
        1f 00 00 00 00 00 00 00 1f 00 00 00 00 00 02 00
        04 00 00 00 00 00 00 00 04 00 00 00 4c 00 62 00
        6c 00 00 00""",
    ),
    "MP-V-8": (
        Syntax.NDR,
        [NULL, NULL],
        """02 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00
        01 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00
        01 00""",
    ),
    "MP-V-9": (
        Syntax.NDR,
        [LABEL, JOURNAL],
        """02 00 00 00 00 00 00 00 1f 00 00 00 00 00 00 00
        1f 00 00 00 00 00 02 00 11 00 00 00 00 00 00 00
        11 00 01 00 04 00 00 00 00 00 00 00 04 00 00 00
        4c 00 62 00 6c 00 00 00""",
    ),
    "MP-V-17": (
        Syntax.NDR64,
        [LABEL, JOURNAL],
        """02 00 00 00 00 00 00 00 1f 00 00 00 00 00 00 00
        1f 00 00 00 00 00 00 00 00 00 02 00 00 00 00 00
        11 00 00 00 00 00 00 00 11 00 00 00 00 00 00 00
        01 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00
        4c 00 62 00 6c 00 00 00""",
    ),
    "MR-V-5": (
        Syntax.NDR,
        [Variant(V.VT_I8, 0x123456789)],
        """01 00 00 00 00 00 00 00 14 00 00 00 00 00 00 00
        14 00 00 00 00 00 00 00 89 67 45 23 01 00 00 00""",
    ),
    "MR-V-6": (
        Syntax.NDR,
        [Variant(V.VT_BLOB, bytes.fromhex("01 00 00 00 05 00 00 00 03 00 00 00 02 00 00 00")), NULL],
        """02 00 00 00 00 00 00 00 41 00 00 00 00 00 00 00
        41 00 00 00 10 00 00 00 00 00 02 00 00 00 00 00
        01 00 00 00 00 00 00 00 01 00 00 00 10 00 00 00
        01 00 00 00 05 00 00 00 03 00 00 00 02 00 00 00""",
    ),
    "MR-V-7": (
        Syntax.NDR,
        [
            Variant(
                vector_of(V.VT_VARIANT),
                (
                    Variant(vector_of(V.VT_LPWSTR), ("DIRECT=OS:srv\\q",)),
                    Variant(vector_of(V.VT_CLSID), (GUID,)),
                    Variant(vector_of(V.VT_UI8), (0x0000000500000001,)),
                    Variant(vector_of(V.VT_UI4), (7,)),
                    Variant(vector_of(V.VT_I4), (0x65000000,)),
                    Variant(vector_of(V.VT_UI4), (0,)),
                ),
            )
        ],
        """01 00 00 00 00 00 00 00 0c 10 00 00 00 00 00 00
        0c 10 00 00 06 00 00 00 00 00 02 00 06 00 00 00
        1f 10 00 00 00 00 00 00 1f 10 00 00 01 00 00 00
        04 00 02 00 00 00 00 00 48 10 00 00 00 00 00 00
        48 10 00 00 01 00 00 00 08 00 02 00 00 00 00 00
        15 10 00 00 00 00 00 00 15 10 00 00 01 00 00 00
        0c 00 02 00 00 00 00 00 13 10 00 00 00 00 00 00
        13 10 00 00 01 00 00 00 10 00 02 00 00 00 00 00
        03 10 00 00 00 00 00 00 03 10 00 00 01 00 00 00
        14 00 02 00 00 00 00 00 13 10 00 00 00 00 00 00
        13 10 00 00 01 00 00 00 18 00 02 00 01 00 00 00
        1c 00 02 00 10 00 00 00 00 00 00 00 10 00 00 00
        44 00 49 00 52 00 45 00 43 00 54 00 3d 00 4f 00
        53 00 3a 00 73 00 72 00 76 00 5c 00 71 00 00 00
        01 00 00 00 44 33 22 11 66 55 88 77 99 aa bb cc
        dd ee ff 00 01 00 00 00 01 00 00 00 05 00 00 00
        01 00 00 00 07 00 00 00 01 00 00 00 00 00 00 65
        01 00 00 00 00 00 00 00""",
    ),
}


@pytest.mark.parametrize("name", VECTORS)
def test_vectors(name: str) -> None:
    syntax, variants, data = VECTORS[name]
    assert_variants(variants, bytes.fromhex(data), syntax)


# Each arm behind vt, reserved members and tag: NDR puts it where its own alignment allows, NDR64 at 16 always. Behind the bar, the target.
STRING64 = "0200000000000000 0000000000000000 0200000000000000 41000000"
GAP64 = "000000000000"
SIMPLE_ARMS: list[tuple[Variant, str, str]] = [
    (EMPTY, "", GAP64),
    (NULL, "", GAP64),
    (Variant(V.VT_I1, -2), "fe", GAP64 + "fe00000000000000"),
    (Variant(V.VT_UI1, 254), "fe", GAP64 + "fe00000000000000"),
    (Variant(V.VT_I2, -2), "feff", GAP64 + "feff000000000000"),
    (Variant(V.VT_UI2, 0xFFFE), "feff", GAP64 + "feff000000000000"),
    (Variant(V.VT_BOOL, True), "ffff", GAP64 + "ffff000000000000"),
    (Variant(V.VT_BOOL, False), "0000", GAP64 + "0000000000000000"),
    (Variant(V.VT_I4, -2), "0000 feffffff", GAP64 + "feffffff00000000"),
    (Variant(V.VT_UI4, 0x01020304), "0000 04030201", GAP64 + "0403020100000000"),
    (Variant(V.VT_I8, -2), "000000000000 feffffffffffffff", GAP64 + "feffffffffffffff"),
    (Variant(V.VT_UI8, 0x0102030405060708), "000000000000 0807060504030201", GAP64 + "0807060504030201"),
    (Variant(V.VT_LPWSTR, "A"), "0000 00000200 02000000 00000000 02000000 41000000", GAP64 + "0000020000000000" + STRING64),
    (Variant(V.VT_LPWSTR, None), "0000 00000000", GAP64 + "0000000000000000"),
    (Variant(V.VT_CLSID, GUID), f"0000 00000200 {GUID_HEX}", f"{GAP64} 0000020000000000 {GUID_HEX}"),
    (Variant(V.VT_CLSID, None), "0000 00000000", GAP64 + "0000000000000000"),
    (Variant(V.VT_BLOB, b""), "0000 00000000 00000000", GAP64 + "0000000000000000 0000000000000000"),
]
# Counted arrays: count, referent id, then the array, which starts with its count again. In NDR that stands at 28, so that even
# elements of 64 bits follow it without a gap.
COUNTED_ARMS: list[tuple[Variant, str, str]] = [
    (Variant(V.VT_BLOB, b"\x0a\x0b\x0c"), "0a0b0c", "0a0b0c"),
    (Variant(vector_of(V.VT_UI1), b"\x0a"), "0a", "0a"),
    (Variant(vector_of(V.VT_UI2), (1, 2)), "0100 0200", "0100 0200"),
    (Variant(vector_of(V.VT_I4), (-1,)), "ffffffff", "ffffffff"),
    (Variant(vector_of(V.VT_UI4), (1, 2)), "01000000 02000000", "01000000 02000000"),
    (Variant(vector_of(V.VT_UI8), (1,)), "0100000000000000", "0100000000000000"),
    (Variant(vector_of(V.VT_CLSID), (GUID,)), GUID_HEX, GUID_HEX),
    (
        Variant(vector_of(V.VT_LPWSTR), ("A", None)),
        "04000200 00000000 02000000 00000000 02000000 41000000",
        f"0400020000000000 0000000000000000 {STRING64}",
    ),
    (Variant(vector_of(V.VT_VARIANT), (NULL,)), "0100000000000000 0100", "0100000000000000 0100000000000000"),
]
ARMS = SIMPLE_ARMS + [
    (
        variant,
        f"0000 {len(variant.value):02x}000000 00000200 {len(variant.value):02x}000000 {array}",
        f"{GAP64} {len(variant.value):02x}00000000000000 0000020000000000 {len(variant.value):02x}00000000000000 {array64}",
    )
    for variant, array, array64 in COUNTED_ARMS
]
ARM_IDS = [f"{type_name(row[0].vt)}-{row[0].value!r:.8}" for row in ARMS]


@pytest.mark.spec("MP-2.2.13-1", "MP-2.2.13-3", "MP-3.8-1")
@pytest.mark.parametrize(("variant", "arm", "_arm64"), ARMS, ids=ARM_IDS)
def test_arms_in_ndr(variant: Variant, arm: str, _arm64: str) -> None:
    head = variant.vt.to_bytes(2, "little")
    data = bytes.fromhex("01000000 00000000") + head + bytes(6) + head + bytes.fromhex(arm)
    assert_variants([variant], data)


@pytest.mark.spec("MP-3.8-1")
@pytest.mark.parametrize(("variant", "_arm", "arm64"), ARMS, ids=ARM_IDS)
def test_arms_in_ndr64(variant: Variant, _arm: str, arm64: str) -> None:
    head = variant.vt.to_bytes(2, "little")
    data = bytes.fromhex("0100000000000000") + head + bytes(6) + head + bytes.fromhex(arm64)
    assert_variants([variant], data, Syntax.NDR64)


def test_every_arm_has_a_literal() -> None:
    assert {int(row[0].vt) for row in ARMS} == PROPERTY_TYPES


@pytest.mark.spec("MP-2.2.13-3")
@pytest.mark.parametrize(
    ("value", "vt", "element"),
    [
        (Variant(vector_of(V.VT_UI8), (5,)), "1510", "0500000000000000"),
        (Variant(vector_of(V.VT_VARIANT), (Variant(V.VT_UI1, 7),)), "0c10", "1100000000000000 1100 07"),
    ],
)
def test_elements_of_64_bits_are_aligned(value: Variant, vt: str, element: str) -> None:
    # The string ends at 62, so the array's count stands at 64 and its element has to wait until 72.
    head = f"02000000 00000000 1f00000000000000 1f000000 00000200 {vt}000000000000 {vt}0000 01000000 04000200"
    string = "03000000 00000000 03000000 4100 4200 0000 0000"
    data = bytes.fromhex(f"{head} {string} 01000000 00000000 {element}")
    assert data.index(bytes.fromhex(element)) == 72
    assert_variants([Variant(V.VT_LPWSTR, "AB"), value], data)


@pytest.mark.spec("MP-2.2.13-2")
def test_targets_follow_the_array_in_order_each_with_its_own_behind_it() -> None:
    data = """03000000 00000000
        1f10000000000000 1f100000 02000000 00000200 00000000
        1f00000000000000 1f000000 04000200
        0c10000000000000 0c100000 02000000 08000200
        02000000 0c000200 10000200
          02000000 00000000 02000000 41000000
          02000000 00000000 02000000 42000000
        04000000 00000000 04000000 4c0062006c000000
        02000000 1f00000000000000 1f000000 14000200 1100000000000000 11000100
          04000000 00000000 04000000 4c0062006c000000"""
    strings = Variant(vector_of(V.VT_LPWSTR), ("A", "B"))
    assert_variants([strings, LABEL, Variant(vector_of(V.VT_VARIANT), (LABEL, JOURNAL))], bytes.fromhex(data))


@pytest.mark.spec("MP-2.2.13-2")
def test_every_element_of_an_array_starts_on_a_boundary_of_eight() -> None:
    # A VT_UI1 ends at 11 and a VT_NULL at 10; whatever comes next waits for 16.
    data = bytes.fromhex(
        "03000000 00000000 1100000000000000 1100 07 0000000000 0100000000000000 0100 000000000000 1100000000000000 1100 08"
    )
    assert_variants([Variant(V.VT_UI1, 7), NULL, Variant(V.VT_UI1, 8)], data)


def one(vt: int, arm: str, *, tag: int | None = None, reserved: str = "000000000000") -> bytes:
    """An array with one PROPVARIANT in NDR."""
    return bytes.fromhex(
        f"01000000 00000000 {vt.to_bytes(2, 'little').hex()} {reserved} {(vt if tag is None else tag).to_bytes(2, 'little').hex()} {arm}"
    )


@pytest.mark.spec("MQ-2.2.13-1")
def test_reserved_members_are_ignored_and_written_as_zero() -> None:
    assert read(one(0x11, "07", reserved="a1b2c3d4e5f6"), 1) == [Variant(V.VT_UI1, 7)]
    assert pack([Variant(V.VT_UI1, 7)]) == one(0x11, "07")


@pytest.mark.spec("MQ-2.2.14-1")
def test_a_variant_bool() -> None:
    assert [read(one(0x0B, arm), 1)[0].value for arm in ("0000", "ffff", "0100", "0080")] == [False, True, True, True]
    assert pack([Variant(V.VT_BOOL, True)]) == one(0x0B, "ffff")
    assert pack([Variant(V.VT_BOOL, False)]) == one(0x0B, "0000")


@pytest.mark.spec("MP-2.2.13-1")
@pytest.mark.parametrize("syntax", Syntax)
def test_other_types_are_refused(syntax: Syntax) -> None:
    count = (1).to_bytes(8, "little")
    for number in range(0x1100):
        head = number.to_bytes(2, "little")
        data = count + head + bytes(6) + head + bytes(30)
        if number in PROPERTY_TYPES:
            assert read_variants(NdrReader(data, syntax), 1)[0].vt == number
            continue
        with pytest.raises(DecodeError, match=r"PROPVARIANT\.vt at offset 8"):
            read_variants(NdrReader(data, syntax), 1)


@pytest.mark.spec("MQ-2.2.12-1")
def test_a_variant_alone_is_refused() -> None:
    with pytest.raises(DecodeError, match="VT_VARIANT is not a type"):
        read(one(0x0C, "0000 00000000"), 1)


def test_a_tag_unlike_its_member_is_refused() -> None:
    with pytest.raises(DecodeError, match=r"PROPVARIANT\.tag at offset 16"):
        read(one(0x11, "07", tag=0x10), 1)


@pytest.mark.spec("MP-2.2.13-4")
@pytest.mark.parametrize("vt", [0x41, 0x1011, 0x1012, 0x1003, 0x1013, 0x1015, 0x1048, 0x101F, 0x100C])
def test_elements_behind_a_null_pointer_are_refused(vt: int) -> None:
    assert len(read(one(vt, "0000 00000000 00000000"), 1)[0].value) == 0
    with pytest.raises(DecodeError, match="NULL pointer"):
        read(one(vt, "0000 01000000 00000000"), 1)
    # An empty array may also be there in full.
    assert len(read(one(vt, "0000 00000000 00000200 00000000"), 1)[0].value) == 0


def nest(levels: int) -> bytes:
    """A stub of vectors of variants in each other, with a VT_NULL in the innermost."""
    data = bytes.fromhex("01000000 00000000")
    for _ in range(levels):
        data += bytes.fromhex("0c10000000000000 0c100000 01000000 00000200 01000000")
    return data + bytes.fromhex("0100000000000000 0100")


@pytest.mark.spec("MP-2.2.13-4")
def test_nesting_is_limited_when_read() -> None:
    assert read(nest(4), 1)[0].nesting == 4
    for levels in (5, 6, 5000):
        with pytest.raises(DecodeError, match="nested more than 4"):
            read(nest(levels), 1)


@pytest.mark.spec("MP-2.2.13-3")
@pytest.mark.parametrize("vt", [0x41, 0x1011, 0x1012, 0x1003, 0x1013, 0x1015, 0x1048, 0x101F, 0x100C])
@pytest.mark.parametrize("most", ["00000000", "02000000", "ffffffff"])
def test_an_array_is_as_long_as_its_count_says(vt: int, most: str) -> None:
    with pytest.raises(DecodeError, match="member that counts them says 1"):
        read(one(vt, f"0000 01000000 00000200 {most}") + bytes(64), 1)


@pytest.mark.parametrize("vt", [0x41, 0x1011, 0x1012, 0x1003, 0x1013, 0x1015, 0x1048, 0x101F, 0x100C])
@pytest.mark.parametrize("count", ["ffffffff", "ffffff7f", "41000000"])
def test_huge_counts_are_refused_before_anything_is_made(vt: int, count: str) -> None:
    with pytest.raises(DecodeError):
        read(one(vt, f"0000 {count} 00000200 {count}") + bytes(64), 1)
    with pytest.raises(DecodeError, match="do not fit"):
        read(bytes.fromhex(count) + bytes(64), int.from_bytes(bytes.fromhex(count), "little"))


@pytest.mark.parametrize("expected", [0, 2, 128])
def test_the_parameter_that_counts_the_variants_decides(expected: int) -> None:
    with pytest.raises(DecodeError, match="member that counts them"):
        read(one(0x11, "07"), expected)


# Round trips and hostile stubs

text = st.none() | st.text(max_size=6).filter(lambda value: "\0" not in value)
NUMBERS = {"I1": (-128, 127), "UI1": (0, 255), "I2": (-32768, 32767), "UI2": (0, 65535), "I4": (-(2**31), 2**31 - 1)}
NUMBERS |= {"UI4": (0, 2**32 - 1), "I8": (-(2**63), 2**63 - 1), "UI8": (0, 2**64 - 1)}
number = {VarType.__members__[f"VT_{name}"]: st.integers(*limits) for name, limits in NUMBERS.items()}


def of(vt: VarType, values: st.SearchStrategy[Any]) -> st.SearchStrategy[Variant]:
    return values.map(lambda value: Variant(vt, value))


def vectors(vt: VarType, values: st.SearchStrategy[Any]) -> st.SearchStrategy[Variant]:
    return of(vector_of(vt), st.lists(values, max_size=3).map(tuple))


flat = st.one_of(
    st.sampled_from([EMPTY, NULL]),
    *(of(vt, values) for vt, values in number.items()),
    of(V.VT_BOOL, st.booleans()),
    of(V.VT_LPWSTR, text),
    of(V.VT_CLSID, st.none() | st.uuids()),
    *(of(vt, st.binary(max_size=9)) for vt in (V.VT_BLOB, vector_of(V.VT_UI1))),
    *(vectors(vt, number[vt]) for vt in (V.VT_UI2, V.VT_I4, V.VT_UI4, V.VT_UI8)),
    vectors(V.VT_CLSID, st.uuids()),
    vectors(V.VT_LPWSTR, text),
)
variants_to_level_two = st.lists(flat | vectors(V.VT_VARIANT, flat | vectors(V.VT_VARIANT, flat)), max_size=4)


@given(variants_to_level_two, st.sampled_from(Syntax))
def test_round_trip(variants: list[Variant], syntax: Syntax) -> None:
    assert read(pack(variants, syntax), len(variants), syntax) == variants


@given(st.sampled_from(sorted(VECTORS)), st.lists(st.tuples(st.integers(0, 299), st.integers(0, 255)), min_size=1, max_size=5))
def test_mutated_vectors(name: str, changes: list[tuple[int, int]]) -> None:
    syntax, variants, octets = VECTORS[name]
    data = bytearray(bytes.fromhex(octets))
    for at, value in changes:
        data[at % len(data)] = value
    try:
        read(bytes(data), len(variants), syntax)
    except DecodeError:
        return


@given(st.binary(max_size=120), st.integers(0, 5), st.sampled_from(Syntax))
def test_random_stubs(data: bytes, count: int, syntax: Syntax) -> None:
    try:
        read(count.to_bytes(syntax.word, "little") + data, count, syntax)
    except DecodeError:
        return
