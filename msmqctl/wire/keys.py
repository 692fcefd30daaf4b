"""Keys and certificates as blobs: what the directory keeps of a queue manager and of a user, and what packets carry.

    PUBLICKEYBLOB      an RSA key                                                   [MS-MQQB] 2.4.1
    SIMPLEBLOB         a session key, encrypted for an RSA key                      [MS-MQQB] 2.4.2
    MQDSPUBLICKEYS     the RSA keys of a queue manager, by cryptographic provider   [MS-MQMQ] 2.2.2
    MQUSERSIGNCERTS    the certificates that a user signs with                      [MS-MQMQ] 2.2.21

Nothing is encrypted or verified here: a key is two numbers, a certificate is its DER octets.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Annotated, Self
from uuid import UUID

from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.record import GUID, Buffer, Reader, Record, Source, octets, record, to_wide
from msmqctl.wire.values import EncryptionAlgorithm

# BLOBHEADER: u8 bType, u8 bVersion 2, u16 reserved, u32 aiKeyAlg. RSAPUBKEY: u32 "RSA1", u32 bitlen, u32 pubexp, modulus.
# Departs from [MS-MQMQ] 2.2.20.6: it draws three octets before the key type; [MS-MQQB] 2.4.1 and the platform's format have four.
_PUBLIC_KEY_START = bytes.fromhex("06 02 00 00")
_SESSION_KEY_START = bytes.fromhex("01 02 00 00")
_CALG_RSA_KEYX = bytes.fromhex("00 A4 00 00")
_RSA1 = b"RSA1"
# The largest key that Windows providers make; a longer one is not a key.
_MAX_BITS = 16384


def _expect(reader: Reader, wanted: bytes, where: str) -> None:
    """Take octets that the document fixes."""
    start = reader.offset
    found = reader.take(len(wanted), where)
    if found != wanted:
        raise reader.fault(f"{found.hex(' ')}, not {wanted.hex(' ')}", where, start)


@dataclass(frozen=True, slots=True)
class RsaPublicKey:
    """An RSA key as its numbers; `bits` is the length of the field that holds the modulus. [MS-MQQB] 2.4.1"""

    bits: int
    exponent: int
    modulus: int

    def __post_init__(self) -> None:
        if not 8 <= self.bits <= _MAX_BITS or self.bits % 8:
            raise ValueError(f"an RSA key of {self.bits} bits")
        if not 0 <= self.exponent < 1 << 32:
            raise ValueError(f"the exponent {self.exponent} does not fit into 32 bits")
        if not 0 <= self.modulus < 1 << self.bits:
            raise ValueError(f"the modulus does not fit into {self.bits} bits")

    @property
    def size(self) -> int:
        """Octets of the modulus, and of everything encrypted with it."""
        return self.bits // 8

    @classmethod
    def read(cls, reader: Reader) -> Self:
        """Take a PUBLICKEYBLOB that fills the rest of the reader. [MS-MQQB] 2.4.1"""
        _expect(reader, _PUBLIC_KEY_START, "PUBLICKEYBLOB.BLOBHEADER")
        _expect(reader, _CALG_RSA_KEYX, "PUBLICKEYBLOB.aiKeyAlg")
        _expect(reader, _RSA1, "PUBLICKEYBLOB.magic")
        start = reader.offset
        bits = reader.u32("PUBLICKEYBLOB.bitLen")
        exponent = reader.u32("PUBLICKEYBLOB.pubExp")
        if not 8 <= bits <= _MAX_BITS or bits != 8 * reader.remaining:
            raise reader.fault(f"{bits} bits claimed, {reader.remaining} octets there", "PUBLICKEYBLOB.bitLen", start)
        return cls(bits, exponent, int.from_bytes(reader.take(bits // 8, "PUBLICKEYBLOB.modulus"), "little"))

    @classmethod
    def read_all(cls, data: Buffer) -> Self:
        """The key whose PUBLICKEYBLOB is `data`. [MS-MQQB] 2.4.1"""
        return cls.read(Reader(data))

    def pack(self) -> bytes:
        """The key as a PUBLICKEYBLOB. [MS-MQQB] 2.4.1"""
        numbers = self.bits.to_bytes(4, "little") + self.exponent.to_bytes(4, "little")
        return _PUBLIC_KEY_START + _CALG_RSA_KEYX + _RSA1 + numbers + self.modulus.to_bytes(self.size, "little")


@dataclass(frozen=True, slots=True)
class SessionKeyBlob:
    """A session key that only the owner of an RSA key can open. [MS-MQQB] 2.4.2"""

    algorithm: EncryptionAlgorithm
    ciphertext: bytes
    """Big-endian, as RSA libraries want it; the blob has it the other way round."""

    @classmethod
    def read_all(cls, data: Source, key: RsaPublicKey | None = None) -> Self:
        """The session key in a SIMPLEBLOB; `key`, if it is known, decides how long the encrypted part must be. [MS-MQQB] 2.4.2"""
        reader = Reader.over(data)
        _expect(reader, _SESSION_KEY_START, "SIMPLEBLOB.BLOBHEADER")
        algorithm = EncryptionAlgorithm(reader.u32("SIMPLEBLOB.sessionKeyAlgorithm"))
        _expect(reader, _CALG_RSA_KEYX, "SIMPLEBLOB.keyAlgorithm")
        # Departs from [MS-MQQB] 2.4.2: encryptedKey is as long as the RSA modulus, because shorter keys cannot fill 256 octets.
        size = reader.remaining if key is None else key.size
        if size == 0 or size != reader.remaining:
            raise reader.fault(f"{size} octets wanted, {reader.remaining} left", "SIMPLEBLOB.encryptedKey")
        return cls(algorithm, reader.take(size, "SIMPLEBLOB.encryptedKey")[::-1])

    def pack(self) -> bytes:
        """The session key as a SIMPLEBLOB. [MS-MQQB] 2.4.2"""
        return _SESSION_KEY_START + int(self.algorithm).to_bytes(4, "little") + _CALG_RSA_KEYX + self.ciphertext[::-1]


class ProviderType(IntEnum):
    """The two kinds of cryptographic provider that make keys for MSMQ. [MS-MQMQ] 2.2.1"""

    PROV_RSA_FULL = 0x01
    PROV_RSA_AES = 0x18


@dataclass(frozen=True, slots=True)
class ProviderKey:
    """A public key of a queue manager and the provider that made it. [MS-MQMQ] 2.2.1"""

    # u32 ulKeyLen; u32 ulProviderLen; u32 ulProviderType; WCHAR sProviderName[ulProviderLen / 2]; u8 aBuf[ulKeyLen], a PUBLICKEYBLOB
    provider_type: ProviderType
    provider_name: str
    key: RsaPublicKey

    def __post_init__(self) -> None:
        if "\0" in self.provider_name:
            raise ValueError("a provider's name has no NUL inside")

    @classmethod
    def read(cls, reader: Reader) -> Self:
        """Take one MQDSPUBLICKEY. [MS-MQMQ] 2.2.1"""
        key_size = reader.u32("MQDSPUBLICKEY.ulKeyLen")
        name_size = reader.u32("MQDSPUBLICKEY.ulProviderLen")
        number = reader.u32("MQDSPUBLICKEY.ulProviderType")
        if number not in {int(kind) for kind in ProviderType}:
            raise reader.fault(f"no provider has type {number}", "MQDSPUBLICKEY.ulProviderType", reader.offset - 4)
        if name_size % 2:
            raise reader.fault(f"{name_size} octets are not whole characters", "MQDSPUBLICKEY.ulProviderLen", reader.offset - 8)
        start = reader.offset
        name = reader.wide(name_size // 2, "MQDSPUBLICKEY.sProviderName")
        if name.find("\0") != len(name) - 1 or not name:
            raise reader.fault("the name does not end with its only NUL", "MQDSPUBLICKEY.sProviderName", start)
        end = reader.require(reader.offset + key_size, "MQDSPUBLICKEY.ulKeyLen", start - 12)
        key = RsaPublicKey.read(Reader(reader.data, reader.offset, end))
        reader.take(key_size, "MQDSPUBLICKEY.aBuf")
        return cls(ProviderType(number), name[:-1], key)

    def pack(self) -> bytes:
        """The key as an MQDSPUBLICKEY. [MS-MQMQ] 2.2.1"""
        name, key = to_wide(self.provider_name + "\0"), self.key.pack()
        return b"".join(number.to_bytes(4, "little") for number in (len(key), len(name), self.provider_type)) + name + key


_KEYS_PREFIX = 8


def read_public_keys(data: Source) -> tuple[ProviderKey, ...]:
    """The keys in an MQDSPUBLICKEYS. Octets behind the last of them are left alone. [MS-MQMQ] 2.2.2"""
    # u32 ulLen; u32 cNumofKeys; MQDSPUBLICKEY aPublicKeys[cNumofKeys], packed
    reader = Reader.over(data)
    start = reader.offset
    size = reader.u32("MQDSPUBLICKEYS.ulLen")
    count = reader.u32("MQDSPUBLICKEYS.cNumofKeys")
    reader.require(start + size, "MQDSPUBLICKEYS.ulLen", start)
    keys = tuple(ProviderKey.read(reader) for _ in range(count))
    # Departs from [MS-MQMQ] 2.2.2: ulLen may leave itself and the count out, because no capture shows which of the two writers mean.
    taken = reader.offset - start
    if taken > size and taken - _KEYS_PREFIX != size:
        raise reader.fault(f"{size} octets claimed, the keys take {taken}", "MQDSPUBLICKEYS.ulLen", start)
    return keys


def pack_public_keys(keys: Iterable[ProviderKey]) -> bytes:
    """The keys as an MQDSPUBLICKEYS. [MS-MQMQ] 2.2.2"""
    packed = [key.pack() for key in keys]
    size = _KEYS_PREFIX + sum(map(len, packed))
    return size.to_bytes(4, "little") + len(packed).to_bytes(4, "little") + b"".join(packed)


def certificate_digest(certificate: bytes) -> bytes:
    """What a certificate is found by in the directory: the MD5 of its DER octets. [MS-MQMQ] 2.2.22"""
    import hashlib  # costs more than all the rest of this module

    return hashlib.md5(certificate, usedforsecurity=False).digest()


@record
class UserCertificate(Record):
    """A certificate that a user signs messages with. [MS-MQMQ] 2.2.22"""

    # u8 Digest[16]; GUID Identifier; u32 CertificateLength; u8 Certificate[CertificateLength], X.509 in DER
    digest: Annotated[bytes, octets(16)]
    identifier: Annotated[UUID, GUID]
    certificate: bytes

    @classmethod
    def of(cls, identifier: UUID, certificate: bytes) -> Self:
        """The entry for a certificate, with its digest."""
        return cls(certificate_digest(certificate), identifier, certificate)

    @property
    def ignored(self) -> bool:
        """Whether the digest is not that of the certificate: such an entry may be shown, but never used."""
        return self.digest != certificate_digest(self.certificate)

    @classmethod
    def read(cls, reader: Reader) -> Self:
        """Take one MQUSERSIGNCERT. [MS-MQMQ] 2.2.22"""
        digest, identifier = reader.fixed(cls)
        size = reader.u32("MQUSERSIGNCERT.CertificateLength")
        return cls(digest, identifier, reader.take(size, "MQUSERSIGNCERT.Certificate"))

    def pack(self) -> bytes:
        """The entry as an MQUSERSIGNCERT. [MS-MQMQ] 2.2.22"""
        return self.pack_fixed() + len(self.certificate).to_bytes(4, "little") + self.certificate


def read_user_certificates(data: Source) -> tuple[UserCertificate, ...]:
    """The certificates in an MQUSERSIGNCERTS, those with a wrong digest too: they say so themselves. [MS-MQMQ] 2.2.21"""
    # u32 CertificateCount; MQUSERSIGNCERT Certificates[CertificateCount], packed
    reader = Reader.over(data)
    count = reader.u32("MQUSERSIGNCERTS.CertificateCount")
    found = tuple(UserCertificate.read(reader) for _ in range(count))
    reader.expect_end("MQUSERSIGNCERTS")
    return found


def pack_user_certificates(certificates: Iterable[UserCertificate]) -> bytes:
    """The certificates as an MQUSERSIGNCERTS. [MS-MQMQ] 2.2.21"""
    packed = [certificate.pack() for certificate in certificates]
    return len(packed).to_bytes(4, "little") + b"".join(packed)
