"""Transport addresses as the directory keeps them for a queue manager: a list of TA_ADDRESS in one blob. [MS-MQMQ] 2.2.4"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from ipaddress import IPv4Address
from typing import Self
from uuid import UUID

from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.open_enum import OpenEnum
from msmqctl.wire.record import Reader, Source


class AddressType(OpenEnum):
    """Which network an address belongs to. [MS-MQMQ] 2.2.4"""

    IP_ADDRESS_TYPE = 1
    IP_RAS_ADDRESS_TYPE = 2
    IPX_ADDRESS_TYPE = 3
    FOREIGN_ADDRESS_TYPE = 5


# How many octets an address of each type has. A type that is not here may have any number.
_SIZES: dict[int, int] = {
    AddressType.IP_ADDRESS_TYPE: 4,
    AddressType.IP_RAS_ADDRESS_TYPE: 4,
    AddressType.IPX_ADDRESS_TYPE: 10,
    AddressType.FOREIGN_ADDRESS_TYPE: 16,
}

# Departs from [MS-MQMQ] 2.2.4.1: "a 32-bit integer" leaves the order of the octets open; they stand in network order.
_TEXTS: dict[int, Callable[[bytes], str]] = {
    AddressType.IP_ADDRESS_TYPE: lambda octets: str(IPv4Address(octets)),
    AddressType.IP_RAS_ADDRESS_TYPE: lambda octets: str(IPv4Address(octets)),
    AddressType.IPX_ADDRESS_TYPE: lambda octets: f"{octets[:4].hex()}:{octets[4:].hex()}",
    AddressType.FOREIGN_ADDRESS_TYPE: lambda octets: str(UUID(bytes_le=octets)),
}


def _misfit(kind: AddressType, size: int) -> str | None:
    """What is wrong with `size` octets for an address of this type, or None."""
    wanted = _SIZES.get(kind, size)
    return None if size == wanted else f"{kind.name} has {wanted} octets, not {size}"


@dataclass(frozen=True, slots=True)
class TransportAddress:
    """One address. Of a type that we do not know the octets are kept as they are. [MS-MQMQ] 2.2.4"""

    kind: AddressType
    octets: bytes

    def __post_init__(self) -> None:
        problem = _misfit(self.kind, len(self.octets))
        if problem or len(self.octets) > 0xFFFF:
            raise ValueError(problem or f"an address of {len(self.octets)} octets is too long")

    @classmethod
    def ip(cls, address: IPv4Address, *, ras: bool = False) -> Self:
        """An IPv4 address; with `ras` one that is reached through a remote access server. [MS-MQMQ] 2.2.4.1"""
        return cls(AddressType.IP_RAS_ADDRESS_TYPE if ras else AddressType.IP_ADDRESS_TYPE, address.packed)

    @classmethod
    def ipx(cls, network: bytes, node: bytes) -> Self:
        """An IPX address: four octets of network, six of node. [MS-MQMQ] 2.2.4.2"""
        if len(network) != 4:
            raise ValueError(f"an IPX network has 4 octets, not {len(network)}")
        return cls(AddressType.IPX_ADDRESS_TYPE, network + node)

    @classmethod
    def foreign(cls, connected_network: UUID) -> Self:
        """A system that is not MSMQ, named by its connected network. [MS-MQMQ] 2.2.4"""
        return cls(AddressType.FOREIGN_ADDRESS_TYPE, connected_network.bytes_le)

    def __str__(self) -> str:
        return _TEXTS.get(self.kind, bytes.hex)(self.octets)


def read_addresses(data: Source) -> tuple[TransportAddress, ...]:
    """The addresses in the value of PROPID_QM_ADDRESS, which follow each other without padding. [MS-MQMQ] 2.2.4"""
    # USHORT AddressLength; USHORT AddressType; UCHAR Address[AddressLength];
    reader, found = Reader.over(data), []
    while reader.remaining:
        start = reader.offset
        size = reader.u16("TA_ADDRESS.AddressLength")
        kind = AddressType(reader.u16("TA_ADDRESS.AddressType"))
        if problem := _misfit(kind, size):
            raise reader.fault(problem, "TA_ADDRESS.AddressLength", start)
        found.append(TransportAddress(kind, reader.take(size, "TA_ADDRESS.Address")))
    return tuple(found)


def pack_addresses(addresses: Iterable[TransportAddress]) -> bytes:
    """The value of PROPID_QM_ADDRESS for these addresses. [MS-MQMQ] 2.2.4"""
    return b"".join(
        len(address.octets).to_bytes(2, "little") + int(address.kind).to_bytes(2, "little") + address.octets for address in addresses
    )
