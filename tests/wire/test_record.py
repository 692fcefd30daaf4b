"""The reader and the records that every other wire module stands on."""

from __future__ import annotations

import tracemalloc
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError
from msmqctl.wire.record import I16, U8, U16, U32, Bits, Reader, Record, align, flag, from_wide, group, octets, pad, record, to_wide
from msmqctl.wire.trace import Field, TracingReader


class Word(Bits):
    low = group(3)
    bit = flag()
    high = group(4)


@record
class Sample(Record):
    first: Annotated[int, U8]
    word: Annotated[Word, U8]
    middle: Annotated[int, U16]
    raw: Annotated[bytes, octets(3)]
    last: Annotated[int, U32]


SAMPLE = Sample(1, Word(0xAD), 0x0302, b"abc", 0x07060504)
OCTETS = bytes.fromhex("01 ad 02 03 61 62 63 04 05 06 07")


def test_a_record_is_its_annotations_in_both_directions() -> None:
    assert SAMPLE.pack() == OCTETS
    assert Sample.read_all(OCTETS) == SAMPLE
    assert Sample.SIZE == 11


@pytest.mark.parametrize("annotations", [
    {"tail": bytes, "fixed": Annotated[int, U8]},
    {"fixed": Annotated[int, U8], "tail": bytes, "late": Annotated[int, U8]},
], ids=str)  # fmt: skip
def test_the_fixed_part_of_a_record_comes_first(annotations: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="fields with a codec come first"):
        record(type("Wrong", (Record,), {"__annotations__": annotations, "__module__": __name__}))


def test_bits_are_named_low_bit_first_and_keep_what_they_do_not_name() -> None:
    assert (SAMPLE.word.low, SAMPLE.word.bit, SAMPLE.word.high) == (5, True, 0xA)
    assert Word.of(low=5, bit=1, high=0xA) == 0xAD
    assert Word(0xAD).replace(bit=0) == 0xA5
    assert Word(0x1AD) == 0x1AD
    with pytest.raises(ValueError, match="low has 3 bits"):
        Word.of(low=8)


@pytest.mark.parametrize(
    ("size", "where", "offset"),
    [(0, "Sample.first", 0), (1, "Sample.word", 1), (3, "Sample.middle", 2), (6, "Sample.raw", 4), (10, "Sample.last", 7)],
)
def test_a_short_record_names_the_field_that_does_not_fit(size: int, where: str, offset: int) -> None:
    with pytest.raises(DecodeError) as caught:
        Sample.read_all(OCTETS[:size])
    assert (caught.value.where, caught.value.offset) == (where, offset)


def test_octets_too_many_are_refused() -> None:
    with pytest.raises(DecodeError, match="1 octets too many"):
        Sample.read_all(OCTETS + b"!")


@pytest.mark.parametrize("changes", [{"first": 256}, {"first": -1}, {"raw": b"ab"}, {"raw": b"abcd"}])
def test_what_does_not_fit_is_not_packed(changes: dict[str, int]) -> None:
    values = {"first": 1, "word": Word(0), "middle": 2, "raw": b"abc", "last": 3} | changes
    with pytest.raises(ValueError, match="cannot be packed"):
        Sample(**values).pack()  # type: ignore[arg-type]  # the table mixes types on purpose


def test_the_reader_never_returns_short_and_aligns_from_its_origin() -> None:
    reader = Reader(b"....12345678", offset=5)
    assert reader.take(1, "a") == b"2"
    reader.align(4, "a")
    assert reader.offset == 9
    with pytest.raises(DecodeError, match=r"a\.b at offset 9: 4 octets wanted, 3 left"):
        reader.take(4, "a.b")
    with pytest.raises(DecodeError):
        reader.take(-1, "a")
    with pytest.raises(ValueError, match="does not fit"):
        Reader(b"abc", 2, 9)


def test_reading_from_a_view_copies_only_what_is_taken() -> None:
    buffer = bytearray(b"headbodytail")
    reader = Reader(memoryview(buffer), offset=4)
    body = reader.take(4, "body")
    buffer[4:8] = b"XXXX"
    assert body == b"body"
    assert isinstance(body, bytes)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_what_is_taken_is_copied_once(kind: type[bytes]) -> None:
    reader = Reader(kind(bytes(1_000_000)))
    tracemalloc.start()
    try:
        reader.take(900_000, "body")
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_bytearray_may_change_its_size_while_a_reader_looks_at_it() -> None:
    buffer = bytearray(b"headbody")
    reader = Reader(buffer)
    reader.take(4, "head")
    buffer += b"tail"
    assert reader.take(4, "body") == b"body"


@given(st.binary(max_size=40).filter(lambda data: len(data) % 2 == 0))
def test_any_utf16_survives_lone_surrogates_included(data: bytes) -> None:
    assert to_wide(from_wide(data)) == data


@given(st.integers(0, 10_000), st.sampled_from([2, 4, 8]))
def test_align_and_pad_agree(offset: int, boundary: int) -> None:
    assert len(pad(bytes(offset), boundary)) == align(offset, boundary) >= offset
    assert align(offset, boundary) % boundary == 0


def test_a_tracing_reader_logs_fields_and_what_fits_of_a_cut_record() -> None:
    reader = TracingReader(OCTETS[:8])
    with pytest.raises(DecodeError):
        Sample.read(reader)
    assert reader.fields == [
        Field("Sample.first", 0, 1, 1),
        Field("Sample.word", 1, 1, Word(0xAD)),
        Field("Sample.middle", 2, 2, 0x0302),
        Field("Sample.raw", 4, 3, b"abc"),
    ]


@record
class Signed(Record):
    below: Annotated[int, I16]
    last: Annotated[int, U32]


def test_a_cut_record_is_logged_with_the_values_that_a_whole_one_has() -> None:
    reader = TracingReader(b"\xfe\xff\x01")
    with pytest.raises(DecodeError):
        Signed.read(reader)
    assert reader.fields[0] == Field("Signed.below", 0, 2, -2)


def test_a_tracing_reader_reads_on_when_a_length_claims_more_than_is_there() -> None:
    reader = TracingReader(b"abc")
    assert reader.require(5, "Sample.size", 1) == 3
    assert str(reader.missing) == "Sample.size at offset 1: 2 octets missing"


def test_rewinding_a_tracing_reader_forgets_what_it_logged() -> None:
    reader = TracingReader(b"abcd")
    reader.u8("kept")
    mark = reader.mark()
    reader.u16("tried")
    reader.rewind(mark)
    assert reader.take(1, "taken") == b"b"
    assert [field.where for field in reader.fields] == ["kept", "taken"]
