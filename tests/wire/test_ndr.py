"""Stub octets in NDR and NDR64: the computed vectors of the RPC checklists, layouts by offset, hostile stubs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError
from msmqctl.wire.ndr import NdrReader, NdrWriter, Syntax, read_variants, write_variants
from msmqctl.wire.values import VarType
from msmqctl.wire.variant import EMPTY, NULL, PROPERTY_TYPES, Variant, type_name, vector_of
from tests.wire.assertions import assert_wire

V = VarType
GUID = UUID("11223344-5566-7788-99aa-bbccddeeff00")
GUID_HEX = "44 33 22 11 66 55 88 77 99 aa bb cc dd ee ff 00"
LABEL = Variant(V.VT_LPWSTR, "Lbl")
JOURNAL = Variant(V.VT_UI1, 1)
QUOTA = Variant(V.VT_UI4, 1024)
LABEL_STRING = "04 00 00 00 00 00 00 00 04 00 00 00 4c 00 62 00 6c 00 00 00"


def stub(write: Callable[[NdrWriter], object], syntax: Syntax = Syntax.NDR) -> bytes:
    writer = NdrWriter(syntax)
    write(writer)
    return writer.data


def pack(variants: list[Variant], syntax: Syntax = Syntax.NDR) -> bytes:
    return stub(lambda writer: write_variants(writer, variants), syntax)


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


@pytest.mark.spec("MP-2.2.13-2", "MP-2.2.13-3", "MP-3.8-1")
@pytest.mark.parametrize("name", VECTORS)
def test_vectors(name: str) -> None:
    syntax, variants, data = VECTORS[name]
    assert_variants(variants, bytes.fromhex(data), syntax)
