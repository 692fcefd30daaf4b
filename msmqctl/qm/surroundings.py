"""What a starting queue manager needs from outside, as functions: who the machine is, keys, DNS, directory, coordinator. [MS-MQDMPR] 3.1.3

The document asks the local security authority in four calls; here that is one function, which closes whatever it opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TypeAlias
from uuid import UUID

from msmqctl.qm.directory_joint import NO_DIRECTORY, Filter, Found
from msmqctl.qm.element import DirectoryObject
from msmqctl.qm.transactions import Reenlist
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.keys import ProviderKey, ProviderType, RsaPublicKey

_DOMAIN_CONTROLLERS = "_ldap._tcp.dc._msdcs."
_LOWEST_EXPONENT = 3


@dataclass(frozen=True, slots=True)
class MachineIdentity:
    """The machine and its domain; outside of a domain both parts of that are empty. [MS-MQDMPR] 3.1.3"""

    computer_name: str
    """NetBIOS name: DomainName of the account domain."""
    dns_domain: str = ""
    domain_id: UUID | None = None

    @property
    def qualified_computer_name(self) -> str:
        """The computer's name with its DNS domain behind it. [MS-MQDMPR] 3.1.3"""
        # Departs from [MS-MQDMPR] 3.1.3: without a DNS domain there is no dot either, because a name that ends with one is no name.
        return f"{self.computer_name}.{self.dns_domain}" if self.dns_domain else self.computer_name


class KeyUse(StrEnum):
    """What a key pair is for. [MS-MQDMPR] 3.1.3"""

    ENCRYPTION = "encryption"
    SIGNING = "signing"


# The Read Directory event: a kind of object, a filter, and which attributes are wanted, all of them for None. [MS-MQDMPR] 3.1.7.1.20
ReadDirectory: TypeAlias = Callable[[type[DirectoryObject], Filter, tuple[str, ...] | None], Found]
GenerateKey: TypeAlias = Callable[[KeyUse, int], RsaPublicKey]


def _nobody(query: str) -> Iterable[str]:
    return ()


def answer_comes_later(identifier: UUID) -> None:
    """No coordinator is at hand: what is in doubt stays so until one speaks."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The joint of the start. Only the first two are needed in a workgroup, and only the first unless the machine is provisioned."""

    machine_identity: Callable[[], MachineIdentity | None]
    """None when the machine cannot tell."""
    generate_key: GenerateKey
    find_services: Callable[[str], Iterable[str]] = _nobody
    """The host names in the SRV records of a DNS name."""
    read_directory: ReadDirectory = NO_DIRECTORY.read
    reenlist: Reenlist = answer_comes_later
    site: UUID | None = None
    """The site that the user configured."""


def domain_controllers_of(dns_domain: str) -> str:
    """The DNS name whose SRV records lead to the directory servers of a domain. [MS-MQDMPR] 3.1.3"""
    return _DOMAIN_CONTROLLERS + dns_domain


# Every provider has one key in each list. The same providers have a comma in their names where a message tells them.
_PROVIDERS = (
    (ProviderType.PROV_RSA_FULL, "Microsoft Base Cryptographic Provider v1.0", 512),
    (ProviderType.PROV_RSA_FULL, "Microsoft Enhanced Cryptographic Provider v1.0", 1024),
    (ProviderType.PROV_RSA_AES, "Microsoft Enhanced RSA and AES Cryptographic Provider", 1024),
)


def make_key_list(use: KeyUse, generate: GenerateKey) -> tuple[ProviderKey, ...]:
    """One key a provider, as the directory lists them. [MS-MQDMPR] 3.1.3"""
    return tuple(ProviderKey(kind, name, _sound(generate(use, bits), bits)) for kind, name, bits in _PROVIDERS)


def _sound(key: RsaPublicKey, bits: int) -> RsaPublicKey:
    """The key, if it is as long as asked for and as valid as its public half can tell: odd numbers, the exponent the smaller one."""
    full = key.bits == bits and key.modulus.bit_length() == bits
    if not full or key.modulus % 2 == 0 or key.exponent % 2 == 0 or not _LOWEST_EXPONENT <= key.exponent < key.modulus:
        raise ValueError(f"the generator made no valid key of {bits} bits")
    return key
