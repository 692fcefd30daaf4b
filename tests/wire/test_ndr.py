"""Stub octets in NDR and NDR64: primitives, strings, pointers and arrays. PROPVARIANT, which is made of them, is in test_variant."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError
from msmqctl.wire.ndr import NdrReader, NdrWriter, Syntax, Target
from tests.wire.assertions import assert_wire

GUID = UUID("11223344-5566-7788-99aa-bbccddeeff00")
GUID_HEX = "44 33 22 11 66 55 88 77 99 aa bb cc dd ee ff 00"


def stub(write: Callable[[NdrWriter], object], syntax: Syntax = Syntax.NDR) -> bytes:
    writer = NdrWriter(syntax)
    write(writer)
    return writer.data


GOOD = {
    Syntax.NDR: "03000000 00000000 03000000 4100 4200 0000",
    Syntax.NDR64: "0300000000000000 0000000000000000 0300000000000000 4100 4200 0000",
}


@pytest.mark.parametrize("syntax", Syntax)
def test_strings(syntax: Syntax) -> None:
    def read_string(data: bytes) -> str:
        reader = NdrReader(data, syntax)
        text = reader.string("text")
        reader.expect_end("stub")
        return text

    assert_wire("AB", bytes.fromhex(GOOD[syntax]), read=read_string, pack=lambda text: stub(lambda writer: writer.string(text), syntax))
    assert NdrReader(bytes.fromhex(GOOD[syntax].replace("03", "ff", 1)), syntax).string("text") == "AB"


@pytest.mark.parametrize(
    "broken",
    [
        "02000000 00000000 03000000 4100 4200 0000",  # more than there may be
        "03000000 01000000 03000000 4100 4200 0000",  # does not start at the start
        "03000000 00000000 02000000 4100 4200",  # no NUL
        "03000000 00000000 03000000 4100 0000 0000",  # one too many
        "03000000 00000000 00000000",  # nothing, not even a NUL
        "ffffffff 00000000 ffffffff 4100 4200 0000",
    ],
)
def test_broken_strings(broken: str) -> None:
    with pytest.raises(DecodeError, match="text"):
        NdrReader(bytes.fromhex(broken)).string("text")


def test_a_string_has_no_nul_inside() -> None:
    with pytest.raises(ValueError, match="NUL"):
        NdrWriter().string("A\0B")


# Primitives, pointers, arrays of octets


def test_transfer_syntaxes() -> None:
    assert (str(Syntax.NDR.uuid), Syntax.NDR.version, Syntax.NDR.word) == ("8a885d04-1ceb-11c9-9fe8-08002b104860", 2, 4)
    assert (str(Syntax.NDR64.uuid), Syntax.NDR64.version, Syntax.NDR64.word) == ("71710533-beba-4937-8319-b5dbef9ccc36", 1, 8)


@pytest.mark.parametrize(
    ("syntax", "data"),
    [
        (Syntax.NDR, f"01 00 0200 03000000 0400000000000000 0500 0000 06000000 07 000000 {GUID_HEX}"),
        (Syntax.NDR64, f"01 00 0200 03000000 0400000000000000 05000000 00000000 0600000000000000 07 000000 {GUID_HEX}"),
    ],
    ids=["NDR", "NDR64"],
)
def test_primitives_align_themselves(syntax: Syntax, data: str) -> None:
    methods = ["u8", "u16", "u32", "u64", "enumeration", "word", "u8"]
    writer, reader = NdrWriter(syntax), NdrReader(bytes.fromhex(data), syntax)
    for value, method in enumerate(methods, 1):
        getattr(writer, method)(value)
        assert getattr(reader, method)("field") == value
    writer.guid(GUID)
    assert reader.guid("field") == GUID
    reader.expect_end("stub")
    assert writer.data.hex(" ") == bytes.fromhex(data).hex(" ")


def test_numbers_that_do_not_fit() -> None:
    for write in (NdrWriter().u8, NdrWriter().u16, NdrWriter().u32, NdrWriter().u64):
        for value in (-1, 1 << 64):
            with pytest.raises(ValueError, match="cannot be written"):
                write(value)


def test_ranges() -> None:
    data = (129).to_bytes(4, "little")
    assert NdrReader(data).ranged(1, 129, "cp") == 129
    for low, high in ((1, 128), (130, 200)):
        with pytest.raises(DecodeError, match="cp at offset 0: 129 is not from"):
            NdrReader(data).ranged(low, high, "cp")


def test_a_pointer_parameter_is_followed_by_its_target() -> None:
    data = bytes.fromhex("00000200 07000000 00000000 04000200 08000000")

    def write(writer: NdrWriter) -> None:
        for value in (7, None, 8):
            writer.pointer(value, writer.u32)

    assert stub(write) == data
    reader = NdrReader(data)
    targets = [reader.pointer(lambda: reader.u32("value"), "pointer") for _ in range(3)]
    assert [(target.null, target.value) for target in targets] == [(False, 7), (True, None), (False, 8)]


def test_a_pointer_inside_a_construct_waits_for_its_end() -> None:
    data = bytes.fromhex("00000200 04000200 ffffffff 07000000 08000000")

    def write(writer: NdrWriter) -> None:
        with writer.construct():
            writer.pointer(7, writer.u32)
            writer.pointer(8, writer.u32)
            writer.u32(0xFFFFFFFF)

    assert stub(write) == data
    reader = NdrReader(data)
    with reader.construct():
        seven = reader.pointer(lambda: reader.u32("value"), "pointer")
        eight = reader.pointer(lambda: reader.u32("value"), "pointer")
        assert reader.u32("last") == 0xFFFFFFFF
        assert (seven, eight) == (Target(null=False), Target(null=False))
    assert (seven, eight) == (Target(null=False, value=7), Target(null=False, value=8))


@pytest.mark.parametrize(
    ("syntax", "data"),
    [
        (Syntax.NDR, "03000000 0a0b0c 00 02000000 00000000 02000000 0d0e"),
        (Syntax.NDR64, "0300000000000000 0a0b0c 0000000000 0200000000000000 0000000000000000 0200000000000000 0d0e"),
    ],
    ids=["NDR", "NDR64"],
)
def test_arrays_of_octets(syntax: Syntax, data: str) -> None:
    def write(found: tuple[bytes, bytes]) -> bytes:
        writer = NdrWriter(syntax)
        writer.conformant_octets(found[0])
        writer.varying_octets(found[1])
        return writer.data

    def read_both(octets: bytes, sizes: tuple[int, int] = (3, 2)) -> tuple[bytes, bytes]:
        reader = NdrReader(octets, syntax)
        return reader.conformant_octets(sizes[0], "first"), reader.varying_octets(sizes[1], "second")

    assert_wire((b"\x0a\x0b\x0c", b"\x0d\x0e"), bytes.fromhex(data), read=read_both, pack=write)
    for sizes in ((2, 2), (4, 2), (3, 1), (3, 3)):
        with pytest.raises(DecodeError, match="member that counts them"):
            read_both(bytes.fromhex(data), sizes)


@given(st.text(max_size=20).filter(lambda text: "\0" not in text), st.binary(max_size=20), st.sampled_from(Syntax))
def test_round_trip(text: str, octets: bytes, syntax: Syntax) -> None:
    writer = NdrWriter(syntax)
    with writer.construct():
        writer.pointer(octets, writer.conformant_octets)
        writer.pointer(text, writer.string)
        writer.u8(7)
    reader = NdrReader(writer.data, syntax)
    with reader.construct():
        first = reader.pointer(lambda: reader.conformant_octets(len(octets), "octets"), "pointer")
        second = reader.pointer(lambda: reader.string("text"), "pointer")
        assert reader.u8("number") == 7
    assert (first.value, second.value) == (octets, text)
    reader.expect_end("stub")


READS: list[Callable[[NdrReader], object]] = [
    lambda reader: reader.string("text"),
    lambda reader: reader.varying_octets(2, "octets"),
    lambda reader: reader.pointer(lambda: reader.string("text"), "pointer"),
    lambda reader: reader.conformant(3, 2, lambda: reader.u16("element"), "array"),
]


@given(st.binary(max_size=40), st.sampled_from(Syntax), st.sampled_from(READS))
def test_random_stubs(data: bytes, syntax: Syntax, read: Callable[[NdrReader], object]) -> None:
    try:
        read(NdrReader(data, syntax))
    except DecodeError:
        return
