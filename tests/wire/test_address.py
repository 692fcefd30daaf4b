"""TA_ADDRESS lists: literals octet by octet, tolerance for unknown types, hostile lengths."""

from __future__ import annotations

from ipaddress import IPv4Address
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError
from msmqctl.wire.address import AddressType, TransportAddress, pack_addresses, read_addresses
from tests.wire.assertions import assert_wire

NETWORK = UUID("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0")
IP = TransportAddress.ip(IPv4Address("192.0.2.10"))
RAS = TransportAddress.ip(IPv4Address("198.51.100.7"), ras=True)
IPX = TransportAddress.ipx(bytes.fromhex("0000abcd"), bytes.fromhex("00a024ea5525"))
FOREIGN = TransportAddress.foreign(NETWORK)

LITERALS = {
    IP: "04 00 01 00 c0 00 02 0a",
    RAS: "04 00 02 00 c6 33 64 07",
    IPX: "0a 00 03 00 00 00 ab cd 00 a0 24 ea 55 25",
    FOREIGN: "10 00 05 00 3c 2d 1e 0f 5a 4b 78 69 87 96 a5 b4 c3 d2 e1 f0",
}


@pytest.mark.parametrize("address", LITERALS, ids=str)
@pytest.mark.spec("MQ-2.2.4-1")
def test_one_address(address: TransportAddress) -> None:
    data = bytes.fromhex(LITERALS[address])
    assert read_addresses(data) == (address,)
    assert pack_addresses([address]) == data
    for size in range(1, len(data)):
        with pytest.raises(DecodeError):
            read_addresses(data[:size])


@pytest.mark.spec("MQ-2.2.4-1")
def test_addresses_follow_each_other_without_padding() -> None:
    # The IPX address is fourteen octets long, so that padding to four would show behind it.
    everything = (IPX, IP, FOREIGN, RAS)
    data = bytes.fromhex("".join(LITERALS[address] for address in everything))
    assert read_addresses(data) == everything
    assert pack_addresses(everything) == data
    assert read_addresses(b"") == ()
    assert pack_addresses([]) == b""


@pytest.mark.spec("MQ-2.2.4-2")
def test_an_ip_address_is_in_network_order() -> None:
    (address,) = read_addresses(bytes.fromhex("04 00 01 00 c0 00 02 0a"))
    assert str(address) == "192.0.2.10"
    assert pack_addresses([TransportAddress.ip(IPv4Address("192.0.2.10"))])[4:] == bytes.fromhex("c0 00 02 0a")


def test_addresses_as_text() -> None:
    assert [str(address) for address in (IP, RAS, IPX, FOREIGN)] == [
        "192.0.2.10",
        "198.51.100.7",
        "0000abcd:00a024ea5525",
        "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0",
    ]


@pytest.mark.spec("MQ-2.2.4-1")
@pytest.mark.parametrize("kind", AddressType, ids=lambda kind: kind.name)
def test_the_length_fits_the_type(kind: AddressType) -> None:
    right = {1: 4, 2: 4, 3: 10, 5: 16}[kind]
    for size in range(24):
        data = bytes([size, 0, kind, 0]) + bytes(size)
        if size == right:
            assert read_addresses(data) == (TransportAddress(kind, bytes(size)),)
            continue
        with pytest.raises(DecodeError, match="AddressLength at offset 0"):
            read_addresses(data)
        with pytest.raises(ValueError, match="octets"):
            TransportAddress(kind, bytes(size))


def test_an_unknown_type_is_kept() -> None:
    data = bytes.fromhex("03 00 06 00 01 02 03" + LITERALS[IP])
    unknown, ip = read_addresses(data)
    assert (unknown.kind, unknown.kind.known, str(unknown)) == (6, False, "010203")
    assert ip == IP
    assert pack_addresses([unknown, ip]) == data


def test_misuse() -> None:
    with pytest.raises(ValueError, match="4 octets"):
        TransportAddress.ipx(b"\0" * 6, b"\0" * 4)
    with pytest.raises(ValueError, match="too long"):
        TransportAddress(AddressType(77), bytes(0x10000))


addresses = st.one_of(
    st.builds(TransportAddress.ip, st.ip_addresses(v=4), ras=st.booleans()),
    st.builds(TransportAddress.ipx, st.binary(min_size=4, max_size=4), st.binary(min_size=6, max_size=6)),
    st.builds(TransportAddress.foreign, st.uuids()),
    st.builds(TransportAddress, st.integers(6, 0xFFFF).map(AddressType), st.binary(max_size=40)),
)


@given(st.lists(addresses, max_size=6).map(tuple))
def test_round_trip(found: tuple[TransportAddress, ...]) -> None:
    if found:
        assert_wire(found[:1], pack_addresses(found[:1]), read=_at_least_one, pack=pack_addresses)
    assert read_addresses(pack_addresses(found)) == found


def _at_least_one(data: bytes) -> tuple[TransportAddress, ...]:
    """An empty blob is an empty list, which a prefix test cannot know."""
    if not data:
        raise DecodeError("nothing", where="test", offset=0)
    return read_addresses(data)


@given(st.binary(max_size=60))
def test_hostile_octets(data: bytes) -> None:
    try:
        found = read_addresses(data)
    except DecodeError:
        return
    assert pack_addresses(found) == data
