"""QUEUE_FORMAT: the computed vectors of the RPC checklists, every arm in both syntaxes, and the way to format names and back."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv4Address
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError, StatusError
from msmqctl.wire.identity import MulticastId, ObjectId
from msmqctl.wire.names import parse_format_name
from msmqctl.wire.ndr import NdrReader, NdrWriter, Syntax, read_variants, write_variants
from msmqctl.wire.queue_format import (
    DlId,
    QueueFormat,
    QueueFormatType,
    read_queue_format,
    to_format_name,
    to_queue_format,
    write_queue_format,
)
from msmqctl.wire.status import HResult
from msmqctl.wire.values import VarType
from msmqctl.wire.variant import Variant
from tests.wire.assertions import assert_wire

Q = QueueFormatType
QM = UUID("11223344-5566-7788-99aa-bbccddeeff00")
QM_HEX = "44 33 22 11 66 55 88 77 99 aa bb cc dd ee ff 00"
PRIVATE = QueueFormat(Q.PRIVATE, ObjectId(QM, 0x0E))


def pack(queue: QueueFormat, syntax: Syntax = Syntax.NDR) -> bytes:
    writer = NdrWriter(syntax)
    write_queue_format(writer, queue)
    return writer.data


def read(data: bytes, syntax: Syntax = Syntax.NDR) -> QueueFormat:
    reader = NdrReader(data, syntax)
    found = read_queue_format(reader)
    reader.expect_end("stub")
    return found


def wide(text: str) -> str:
    return (text + "\0").encode("utf-16-le").hex()


DIRECT_TEXT, SUBQUEUE_TEXT = "OS:h\\q", "OS:h\\q;s"
# Each arm: NDR has it at 8 behind a tag at 4, NDR64 at 16 behind a tag at 8, and pads the structure to a multiple of eight.
ARMS: list[tuple[QueueFormat, str, str]] = [
    (QueueFormat(Q.UNKNOWN), "00 00 0000 00", "00 00 0000 00000000 00 00000000000000"),
    (QueueFormat(Q.PUBLIC, QM), f"01 00 0000 01 000000 {QM_HEX}", f"01 00 0000 00000000 01 00000000000000 {QM_HEX}"),
    (PRIVATE, f"02 00 0000 02 000000 {QM_HEX} 0e000000", f"02 00 0000 00000000 02 00000000000000 {QM_HEX} 0e000000 00000000"),
    (
        QueueFormat(Q.DIRECT, DIRECT_TEXT),
        f"03 00 0000 03 000000 00000200 07000000 00000000 07000000 {wide(DIRECT_TEXT)}",
        f"03 00 0000 00000000 03 00000000000000 0000020000000000 0700000000000000 0000000000000000 0700000000000000 {wide(DIRECT_TEXT)}",
    ),
    (QueueFormat(Q.DIRECT, None), "03 00 0000 03 000000 00000000", "03 00 0000 00000000 03 00000000000000 0000000000000000"),
    (QueueFormat(Q.MACHINE, QM, 0x82), f"04 82 0000 04 000000 {QM_HEX}", f"04 82 0000 00000000 04 00000000000000 {QM_HEX}"),
    (QueueFormat(Q.CONNECTOR, QM, 0x04), f"05 04 0000 05 000000 {QM_HEX}", f"05 04 0000 00000000 05 00000000000000 {QM_HEX}"),
    (
        QueueFormat(Q.DL, DlId(QM, "d")),
        f"06 00 0000 06 000000 {QM_HEX} 00000200 02000000 00000000 02000000 {wide('d')}",
        f"06 00 0000 00000000 06 00000000000000 {QM_HEX} 0000020000000000 0200000000000000 0000000000000000 0200000000000000 {wide('d')}",
    ),
    (
        QueueFormat(Q.DL, DlId(QM, None)),
        f"06 00 0000 06 000000 {QM_HEX} 00000000",
        f"06 00 0000 00000000 06 00000000000000 {QM_HEX} 0000000000000000",
    ),
    (
        QueueFormat(Q.MULTICAST, MulticastId.of(IPv4Address("239.1.2.3"), 8001)),
        "07 00 0000 07 000000 ef010203 411f0000",
        "07 00 0000 00000000 07 00000000000000 ef010203 411f0000",
    ),
    (
        QueueFormat(Q.SUBQUEUE, SUBQUEUE_TEXT, 0x05),
        f"08 05 0000 08 000000 00000200 09000000 00000000 09000000 {wide(SUBQUEUE_TEXT)}",
        f"08 05 0000 00000000 08 00000000000000 0000020000000000 0900000000000000 0000000000000000 0900000000000000 {wide(SUBQUEUE_TEXT)}",
    ),
]
ARM_IDS = [f"{row[0].kind.name}{'' if row[0].arm else '-null'}" for row in ARMS]


@pytest.mark.spec("MQ-2.2.7-1", "MQ-2.2.7-3", "MP-2.2.7-2", "MP-3.8-1")
@pytest.mark.parametrize(("queue", "data", "_data64"), ARMS, ids=ARM_IDS)
def test_arms_in_ndr(queue: QueueFormat, data: str, _data64: str) -> None:
    assert_wire(queue, bytes.fromhex(data), read=read, pack=pack)


@pytest.mark.spec("MQ-2.2.7-3", "MP-3.8-1")
@pytest.mark.parametrize(("queue", "_data", "data64"), ARMS, ids=ARM_IDS)
def test_arms_in_ndr64(queue: QueueFormat, _data: str, data64: str) -> None:
    assert_wire(queue, bytes.fromhex(data64), read=lambda data: read(data, Syntax.NDR64), pack=lambda value: pack(value, Syntax.NDR64))


# The vectors of the RPC checklists, with as much of the call around the structure as its referent ids and alignment need.


def test_vector_2_a_unique_pointer_to_a_direct_name() -> None:
    data = bytes.fromhex(
        """00 00 02 00 03 00 00 00 03 00 00 00 04 00 02 00
        13 00 00 00 00 00 00 00 13 00 00 00 4f 00 53 00
        3a 00 73 00 72 00 76 00 5c 00 70 00 72 00 69 00
        76 00 61 00 74 00 65 00 24 00 5c 00 71 00 31 00
        00 00"""
    )

    def pack_pointer(queue: QueueFormat | None) -> bytes:
        writer = NdrWriter()
        writer.pointer(queue, lambda value: write_queue_format(writer, value))
        return writer.data

    def read_pointer(octets: bytes) -> QueueFormat | None:
        reader = NdrReader(octets)
        target = reader.pointer(lambda: read_queue_format(reader), "pQueueFormat")
        reader.expect_end("stub")
        return target.value

    queue: QueueFormat | None = to_queue_format(parse_format_name("DIRECT=OS:srv\\private$\\q1"))
    assert_wire(queue, data, read=read_pointer, pack=pack_pointer)


def write_object_format(writer: NdrWriter, queue: QueueFormat) -> None:
    """OBJECT_FORMAT, the structure that opnums 7 to 12 put around a QUEUE_FORMAT."""
    word = writer.syntax.word
    with writer.construct(), writer.structure(word):
        writer.u32(1)
        writer.union_tag(4, 1, word)
        writer.pointer(queue, lambda value: write_queue_format(writer, value))


def read_object_format(reader: NdrReader) -> QueueFormat | None:
    word = reader.syntax.word
    with reader.construct(), reader.structure(word, "OBJECT_FORMAT"):
        reader.ranged(1, 2, "OBJECT_FORMAT.ObjType")
        reader.union_tag(4, 1, word, "OBJECT_FORMAT.tag")
        target = reader.pointer(lambda: read_queue_format(reader), "OBJECT_FORMAT.pQueueFormat")
    return target.value


def pack_object_format(queue: QueueFormat, syntax: Syntax) -> bytes:
    writer = NdrWriter(syntax)
    write_object_format(writer, queue)
    return writer.data


VECTOR_7 = """01 00 00 00 01 00 00 00 00 00 02 00 02 00 00 00
    02 00 00 00 44 33 22 11 66 55 88 77 99 aa bb cc
    dd ee ff 00 0e 00 00 00"""
OBJECTS: dict[str, tuple[Syntax, QueueFormat, str]] = {
    "MP-V-7": (Syntax.NDR, PRIVATE, VECTOR_7),
    "MP-V-11": (Syntax.NDR, QueueFormat(Q.UNKNOWN), "01 00 00 00 01 00 00 00 00 00 02 00 00 00 00 00 00"),
    "MP-V-16": (
        Syntax.NDR64,
        PRIVATE,
        """01 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00
        00 00 02 00 00 00 00 00 02 00 00 00 00 00 00 00
        02 00 00 00 00 00 00 00 44 33 22 11 66 55 88 77
        99 aa bb cc dd ee ff 00 0e 00 00 00 00 00 00 00""",
    ),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_vectors_7_11_16_a_pointer_inside_a_structure(name: str) -> None:
    syntax, queue, octets = OBJECTS[name]
    data = bytes.fromhex(octets)
    assert pack_object_format(queue, syntax).hex(" ") == data.hex(" ")
    assert read_object_format(NdrReader(data, syntax)) == queue
    for size in range(len(data)):
        with pytest.raises(DecodeError):
            read_object_format(NdrReader(data[:size], syntax))


def test_vector_10_referent_ids_go_on_from_parameter_to_parameter() -> None:
    data = bytes.fromhex(
        VECTOR_7
        + """01 00 00 00 04 00 02 00 01 00 00 00 69 00 00 00
        08 00 02 00 01 00 00 00 13 00 00 00 00 00 00 00
        13 00 00 00 00 04 00 00"""
    )
    quota = [Variant(VarType.VT_UI4, 1024)]
    writer = NdrWriter()
    write_object_format(writer, PRIVATE)
    writer.u32(1)
    writer.pointer([105], lambda ids: writer.conformant(ids, writer.u32))
    writer.pointer(quota, lambda variants: write_variants(writer, variants))
    assert writer.data.hex(" ") == data.hex(" ")

    reader = NdrReader(data)
    assert read_object_format(reader) == PRIVATE
    count = reader.ranged(1, 128, "cp")
    ids = reader.pointer(lambda: reader.conformant(count, 4, lambda: reader.u32("aProp"), "aProp"), "aProp")
    values = reader.pointer(lambda: read_variants(reader, count), "apVar")
    assert (ids.value, values.value) == ([105], quota)
    reader.expect_end("stub")


# The structure itself


@pytest.mark.spec("MP-2.2.7-2")
@pytest.mark.parametrize("syntax", Syntax)
def test_the_tag_repeats_the_kind(syntax: Syntax) -> None:
    for queue, *_ in ARMS:
        data = bytearray(pack(queue, syntax))
        data[syntax.word] ^= 0x0F
        with pytest.raises(DecodeError, match=r"QUEUE_FORMAT\.tag"):
            read(bytes(data), syntax)


@pytest.mark.spec("MP-2.2.7-2")
@pytest.mark.parametrize("kind", [9, 0x10, 0xFF])
def test_a_kind_without_an_arm(kind: int) -> None:
    with pytest.raises(DecodeError, match=r"QUEUE_FORMAT\.m_qft at offset 0"):
        read(bytes([kind, 0, 0, 0, kind]) + bytes(40))


@pytest.mark.spec("MP-2.2.7-3")
def test_the_reserved_member_is_sent_as_zero_and_not_used() -> None:
    data = pack(PRIVATE)
    assert data[2:4] == b"\0\0"
    assert read(data[:2] + b"\xab\xcd" + data[4:]) == PRIVATE


@pytest.mark.spec("MP-2.2.7-4")
def test_strings_count_their_nul_and_have_no_pad_inside() -> None:
    # "OS:h\q" and its NUL are seven units; what comes next aligns itself.
    writer = NdrWriter()
    write_queue_format(writer, QueueFormat(Q.DIRECT, DIRECT_TEXT))
    writer.u32(0x11111111)
    assert writer.data[12:].hex(" ", 4) == "07000000 00000000 07000000 4f005300 3a006800 5c007100 00000000 11111111"
    alone = pack(QueueFormat(Q.DIRECT, DIRECT_TEXT))
    assert alone == writer.data[:38]
    assert read(alone).arm == DIRECT_TEXT
    without_nul = alone[:12] + bytes.fromhex("06000000 00000000 06000000") + alone[24:36]
    with pytest.raises(DecodeError, match="NUL"):
        read(without_nul)
    for counts in ("07000000 01000000 07000000", "06000000 00000000 07000000"):
        with pytest.raises(DecodeError, match="elements"):
            read(alone[:12] + bytes.fromhex(counts) + alone[24:])


def test_arms_that_do_not_go_with_the_kind() -> None:
    for kind, arm in ((Q.PUBLIC, None), (Q.PRIVATE, QM), (Q.DIRECT, QM), (Q.DL, QM), (Q.UNKNOWN, "x"), (Q.MULTICAST, ObjectId(QM, 1))):
        with pytest.raises(TypeError, match="no arm"):
            QueueFormat(kind, arm)
    with pytest.raises(ValueError, match="8 bits"):
        QueueFormat(Q.PUBLIC, QM, 0x100)


# To format names and back

G = str(QM)
NAMES: list[tuple[str, QueueFormat]] = [
    (f"PUBLIC={G}", QueueFormat(Q.PUBLIC, QM)),
    (f"PUBLIC={G};JOURNAL", QueueFormat(Q.PUBLIC, QM, 0x81)),
    (f"PRIVATE={G}\\0000000e", PRIVATE),
    (f"PRIVATE={G}\\0000000e;JOURNAL", QueueFormat(Q.PRIVATE, ObjectId(QM, 0x0E), 0x81)),
    ("DIRECT=OS:h\\q", QueueFormat(Q.DIRECT, "OS:h\\q")),
    ("DIRECT=OS:h\\q;JOURNAL", QueueFormat(Q.DIRECT, "OS:h\\q;JOURNAL", 0x81)),
    ("DIRECT=OS:h\\SYSTEM$;JOURNAL", QueueFormat(Q.DIRECT, "OS:h\\SYSTEM$;JOURNAL", 0x81)),
    ("DIRECT=OS:h\\SYSTEM$;DEADLETTER", QueueFormat(Q.DIRECT, "OS:h\\SYSTEM$;DEADLETTER", 0x82)),
    ("DIRECT=OS:h\\SYSTEM$;DEADXACT", QueueFormat(Q.DIRECT, "OS:h\\SYSTEM$;DEADXACT", 0x83)),
    ("DIRECT=HTTP://h:8080/msmq/private$/q", QueueFormat(Q.DIRECT, "HTTP://h:8080/msmq/private$/q")),
    ("DIRECT=OS:h\\q;s", QueueFormat(Q.SUBQUEUE, "OS:h\\q;s", 0x05)),
    ("DIRECT=OS:h\\private$\\q;s;JOURNAL", QueueFormat(Q.SUBQUEUE, "OS:h\\private$\\q;s;JOURNAL", 0x81)),
    (f"MACHINE={G};JOURNAL", QueueFormat(Q.MACHINE, QM, 0x81)),
    (f"MACHINE={G};DEADLETTER", QueueFormat(Q.MACHINE, QM, 0x82)),
    (f"MACHINE={G};DEADXACT", QueueFormat(Q.MACHINE, QM, 0x83)),
    (f"CONNECTOR={G}", QueueFormat(Q.CONNECTOR, QM)),
    (f"CONNECTOR={G};XACTONLY", QueueFormat(Q.CONNECTOR, QM, 0x04)),
    (f"DL={G}", QueueFormat(Q.DL, DlId(QM))),
    (f"DL={G}@corp.example", QueueFormat(Q.DL, DlId(QM, "corp.example"))),
    ("MULTICAST=239.1.2.3:8001", QueueFormat(Q.MULTICAST, MulticastId.of(IPv4Address("239.1.2.3"), 8001))),
]


@pytest.mark.spec("MQ-2.2.7-1", "MQ-2.2.7-2", "MP-2.2.7-1")
@pytest.mark.parametrize(("text", "queue"), NAMES, ids=[row[0] for row in NAMES])
def test_names(text: str, queue: QueueFormat) -> None:
    name = parse_format_name(text)
    assert to_queue_format(name) == queue
    assert str(to_format_name(queue)) == str(name)


def assert_illegal(queue: QueueFormat) -> None:
    with pytest.raises(StatusError) as refused:
        to_format_name(queue)
    assert refused.value.status == HResult.MQ_ERROR_ILLEGAL_FORMATNAME
    assert len(refused.value.message) < 300


# The suffixes that each kind may have, each with an arm that goes with them.
MATRIX: list[tuple[QueueFormatType, object, set[int]]] = [
    (Q.UNKNOWN, None, set()),
    (Q.PUBLIC, QM, {0x00, 0x81}),
    (Q.PRIVATE, ObjectId(QM, 3), {0x00, 0x81}),
    (Q.DIRECT, "OS:h\\q", {0x00, 0x81}),
    (Q.DIRECT, "OS:h\\SYSTEM$", {0x81, 0x82, 0x83}),
    (Q.MACHINE, QM, {0x81, 0x82, 0x83}),
    (Q.CONNECTOR, QM, {0x00, 0x04}),
    (Q.DL, DlId(QM), {0x00}),
    (Q.MULTICAST, MulticastId.of(IPv4Address("239.1.2.3"), 1), {0x00}),
    (Q.SUBQUEUE, "OS:h\\q;s", {0x05, 0x81}),
]


@pytest.mark.spec("MQ-2.2.7-1", "MP-2.2.7-1", "MQ-T-8", "MQ-T-11")
@pytest.mark.parametrize(("kind", "arm", "allowed"), MATRIX, ids=[f"{row[0].name}-{row[1]}" for row in MATRIX])
def test_suffix_matrix(kind: QueueFormatType, arm: object, allowed: set[int]) -> None:
    for suffix_and_flags in range(0x100):
        queue = QueueFormat(kind, arm, suffix_and_flags)
        if suffix_and_flags in allowed:
            assert to_format_name(queue).suffix.suffix_and_flags == suffix_and_flags
        else:
            assert_illegal(queue)


@pytest.mark.spec("MQ-2.2.7-2", "MP-2.2.7-5")
def test_a_direct_name_has_no_prefix() -> None:
    for text in ("DIRECT=OS:h\\q", "DIRECT=OS:h\\q;s"):
        written = to_queue_format(parse_format_name(text)).arm
        assert written == text.removeprefix("DIRECT=")
    assert_illegal(QueueFormat(Q.DIRECT, "DIRECT=OS:h\\q"))
    assert_illegal(QueueFormat(Q.DIRECT, "direct=OS:h\\q"))
    assert_illegal(QueueFormat(Q.SUBQUEUE, "DIRECT=OS:h\\q;s", 0x05))


@pytest.mark.spec("MQ-2.2.7-2")
def test_a_subqueue_stands_in_arm_8_and_nowhere_else() -> None:
    assert_illegal(QueueFormat(Q.SUBQUEUE, "OS:h\\q", 0x05))
    assert_illegal(QueueFormat(Q.SUBQUEUE, "OS:h\\q;JOURNAL", 0x81))
    assert_illegal(QueueFormat(Q.DIRECT, "OS:h\\q;s"))
    assert_illegal(QueueFormat(Q.DIRECT, "OS:h\\q;s", 0x81))


@pytest.mark.spec("MP-2.2.7-6")
@pytest.mark.parametrize(
    ("text", "flags", "name"),
    [
        ("OS:h\\q;JOURNAL", 0x81, "DIRECT=OS:h\\q;JOURNAL"),
        ("OS:h\\q;journal", 0x81, "DIRECT=OS:h\\q;JOURNAL"),
        ("OS:h\\q;JOURNAL", 0x00, "DIRECT=OS:h\\q;JOURNAL"),
        ("OS:h\\q", 0x81, "DIRECT=OS:h\\q;JOURNAL"),
        ("OS:h\\SYSTEM$;DEADXACT", 0x83, "DIRECT=OS:h\\SYSTEM$;DEADXACT"),
        ("OS:h\\SYSTEM$;DEADXACT", 0x00, "DIRECT=OS:h\\SYSTEM$;DEADXACT"),
        ("OS:h\\SYSTEM$", 0x83, "DIRECT=OS:h\\SYSTEM$;DEADXACT"),
        ("OS:h\\SYSTEM$;JOURNAL", 0x81, "DIRECT=OS:h\\SYSTEM$;JOURNAL"),
    ],
)
def test_a_suffix_may_stand_in_either_place_or_both(text: str, flags: int, name: str) -> None:
    found = to_format_name(QueueFormat(Q.DIRECT, text, flags))
    assert str(found) == name
    # Written, it stands in both.
    written = to_queue_format(found)
    assert written.arm == name.removeprefix("DIRECT=")
    assert written.suffix_and_flags == found.suffix.suffix_and_flags != 0


@pytest.mark.spec("MP-2.2.7-6")
@pytest.mark.parametrize(
    ("kind", "text", "flags"),
    [
        (Q.DIRECT, "OS:h\\q;JOURNAL", 0x82),
        (Q.DIRECT, "OS:h\\SYSTEM$;DEADXACT", 0x82),
        (Q.DIRECT, "OS:h\\SYSTEM$;DEADLETTER", 0x81),
        (Q.DIRECT, "OS:h\\SYSTEM$;JOURNAL", 0x83),
        (Q.DIRECT, "OS:h\\q", 0x82),
        (Q.DIRECT, "OS:h\\q;DEADLETTER", 0x82),
        # A subqueue may be called DEADLETTER, which does not make it the dead-letter queue of the flags.
        (Q.SUBQUEUE, "OS:h\\q;DEADLETTER", 0x82),
    ],
)
def test_suffixes_that_contradict_each_other(kind: QueueFormatType, text: str, flags: int) -> None:
    assert_illegal(QueueFormat(kind, text, flags))


@pytest.mark.spec("MP-2.2.7-7")
def test_a_null_string_is_no_name() -> None:
    assert_illegal(QueueFormat(Q.DIRECT, None))
    assert_illegal(QueueFormat(Q.SUBQUEUE, None, 0x05))


@pytest.mark.spec("MP-2.2.7-8")
def test_a_multicast_address_is_four_octets_in_their_written_order() -> None:
    data = bytes.fromhex("07 00 0000 07 000000 ef 01 02 03 41 1f 00 00")
    assert str(to_format_name(read(data))) == "MULTICAST=239.1.2.3:8001"
    assert pack(to_queue_format(parse_format_name("MULTICAST=239.1.2.3:8001"))) == data


@pytest.mark.parametrize(
    "queue",
    [
        QueueFormat(Q.UNKNOWN),
        QueueFormat(Q.DIRECT, ""),
        QueueFormat(Q.DIRECT, "OS:h"),
        QueueFormat(Q.DIRECT, "FTP:h\\q"),
        QueueFormat(Q.DIRECT, "OS:h\\q\ud800"),
        QueueFormat(Q.DIRECT, "OS:h\\q,PUBLIC=" + G),
        QueueFormat(Q.DIRECT, "DIRECT=" + "x" * 100_000),
        QueueFormat(Q.DL, DlId(QM, "x" * 100_000)),
        QueueFormat(Q.DL, DlId(QM, "")),
        QueueFormat(Q.DL, DlId(QM, "x" * 256)),
        QueueFormat(Q.MULTICAST, MulticastId.of(IPv4Address("192.0.2.1"), 1)),
        QueueFormat(Q.MULTICAST, MulticastId.of(IPv4Address("239.1.1.1"), 65536)),
    ],
    ids=lambda queue: repr(queue)[:120],
)
def test_structures_that_name_nothing(queue: QueueFormat) -> None:
    assert_illegal(queue)


def test_several_names_have_no_structure() -> None:
    with pytest.raises(StatusError) as refused:
        to_queue_format(parse_format_name(f"DIRECT=OS:h\\q,PUBLIC={G}"))
    assert refused.value.status == HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION


u32 = st.integers(0, 0xFFFFFFFF)
text = st.none() | st.text(max_size=12).filter(lambda value: "\0" not in value)
ARM_OF: dict[QueueFormatType, st.SearchStrategy[object]] = {
    Q.UNKNOWN: st.none(),
    Q.PUBLIC: st.uuids(),
    Q.PRIVATE: st.builds(ObjectId, st.uuids(), u32),
    Q.DIRECT: text,
    Q.MACHINE: st.uuids(),
    Q.CONNECTOR: st.uuids(),
    Q.DL: st.builds(DlId, st.uuids(), text),
    Q.MULTICAST: st.builds(MulticastId, u32, u32),
    Q.SUBQUEUE: text,
}
queues = st.sampled_from(Q).flatmap(lambda kind: st.builds(QueueFormat, st.just(kind), ARM_OF[kind], st.integers(0, 255)))


@given(queues, st.sampled_from(Syntax))
def test_round_trip(queue: QueueFormat, syntax: Syntax) -> None:
    assert read(pack(queue, syntax), syntax) == queue


@given(queues)
def test_any_structure_is_a_name_or_refused(queue: QueueFormat) -> None:
    try:
        name = to_format_name(queue)
    except StatusError:
        return
    assert to_format_name(to_queue_format(name)) == name


@given(st.sampled_from(ARMS), st.sampled_from(Syntax), st.lists(st.tuples(st.integers(0, 99), st.integers(0, 255)), min_size=1, max_size=4))
def test_mutated_structures(row: tuple[QueueFormat, str, str], syntax: Syntax, changes: list[tuple[int, int]]) -> None:
    data = bytearray(pack(row[0], syntax))
    for at, value in changes:
        data[at % len(data)] = value
    attempts: list[Callable[[], object]] = [lambda: read(bytes(data), syntax), lambda: to_format_name(read(bytes(data), syntax))]
    for attempt in attempts:
        try:
            attempt()
        except (DecodeError, StatusError):
            continue
