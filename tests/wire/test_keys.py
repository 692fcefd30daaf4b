"""Key and certificate blobs: literals put together octet by octet, the decisions about lengths and digests, hostile input."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from functools import partial
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError
from msmqctl.wire.keys import (
    ProviderKey,
    ProviderType,
    RsaPublicKey,
    SessionKeyBlob,
    UserCertificate,
    certificate_digest,
    pack_public_keys,
    pack_user_certificates,
    read_public_keys,
    read_user_certificates,
)
from msmqctl.wire.record import Reader
from msmqctl.wire.values import EncryptionAlgorithm
from tests.wire.assertions import assert_no_prefix, assert_wire

# A toy key of 64 bits: its modulus is easy to see in little-endian order.
TOY = RsaPublicKey(64, 65537, 0x1122334455667788)
TOY_BLOB = bytes.fromhex(
    "06 02 00 00"  # bType PUBLICKEYBLOB, bVersion 2, reserved
    "00 a4 00 00"  # aiKeyAlg CALG_RSA_KEYX
    "52 53 41 31"  # "RSA1"
    "40 00 00 00"  # bitlen 64
    "01 00 01 00"  # pubexp 65537
    "88 77 66 55 44 33 22 11"
)
AES = ProviderKey(ProviderType.PROV_RSA_AES, "AB", TOY)
AES_ENTRY = bytes.fromhex("1c 00 00 00 06 00 00 00 18 00 00 00 41 00 42 00 00 00") + TOY_BLOB
FULL = ProviderKey(ProviderType.PROV_RSA_FULL, "C", TOY)
FULL_ENTRY = bytes.fromhex("1c 00 00 00 04 00 00 00 01 00 00 00 43 00 00 00") + TOY_BLOB
# 8 + (12 + 6 + 28) + (12 + 4 + 28) = 98
KEYS: tuple[ProviderKey, ...] = (AES, FULL)
KEYS_BLOB = bytes.fromhex("62 00 00 00 02 00 00 00") + AES_ENTRY + FULL_ENTRY


def test_public_key_blob() -> None:
    assert_wire(TOY, TOY_BLOB, read=RsaPublicKey.read_all, pack=RsaPublicKey.pack)
    assert TOY.size == 8


@pytest.mark.spec("MQ-T-19")
@pytest.mark.parametrize(
    ("offset", "where"),
    [*((at, "BLOBHEADER") for at in range(4)), *((at, "aiKeyAlg") for at in range(4, 8)), *((at, "magic") for at in range(8, 12))],
)
def test_the_fixed_octets_of_a_public_key_blob(offset: int, where: str) -> None:
    wrong = bytearray(TOY_BLOB)
    wrong[offset] ^= 0x01
    with pytest.raises(DecodeError, match=where):
        RsaPublicKey.read_all(wrong)


@pytest.mark.spec("MQ-2.2.1-1")
def test_a_key_in_a_signing_list_is_a_key_exchange_key_too() -> None:
    signing = KEYS_BLOB.replace(bytes.fromhex("00 a4 00 00"), bytes.fromhex("00 24 00 00"))  # CALG_RSA_SIGN
    with pytest.raises(DecodeError, match="aiKeyAlg"):
        read_public_keys(signing)
    assert pack_public_keys([AES]).count(bytes.fromhex("00 a4 00 00")) == 1


@pytest.mark.parametrize("bits", [0, 7, 56, 63, 65, 72, 0x40000000, 0xFFFFFFFF])
def test_bit_length_agrees_with_the_modulus(bits: int) -> None:
    with pytest.raises(DecodeError, match="bitLen"):
        RsaPublicKey.read_all(TOY_BLOB[:12] + bits.to_bytes(4, "little") + TOY_BLOB[16:])
    with pytest.raises(DecodeError, match="bitLen"):
        RsaPublicKey.read_all(TOY_BLOB + b"\0")


@pytest.mark.parametrize("key", [(60, 3, 1), (0, 3, 0), (16392, 3, 1), (64, 1 << 32, 1), (64, -1, 1), (64, 3, 1 << 64), (64, 3, -1)])
def test_impossible_keys(key: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match=r"bits|exponent"):
        RsaPublicKey(*key)


def read_entry(data: bytes) -> ProviderKey:
    reader = Reader(data)
    value = ProviderKey.read(reader)
    reader.expect_end("entry")
    return value


@pytest.mark.spec("MQ-2.2.1-1")
@pytest.mark.parametrize(("value", "data"), [(AES, AES_ENTRY), (FULL, FULL_ENTRY)], ids=["aes", "full"])
def test_public_key_entry(value: ProviderKey, data: bytes) -> None:
    assert_wire(value, data, read=read_entry, pack=ProviderKey.pack)


@pytest.mark.spec("MQ-2.2.1-1")
@pytest.mark.parametrize("number", [0, 2, 0x17, 0x19, 0xFFFFFFFF])
def test_only_two_provider_types_exist(number: int) -> None:
    with pytest.raises(DecodeError, match="ulProviderType at offset 8"):
        read_entry(AES_ENTRY[:8] + number.to_bytes(4, "little") + AES_ENTRY[12:])


@pytest.mark.spec("MQ-2.2.1-1")
@pytest.mark.parametrize(
    ("field", "value", "where"),
    [
        (0, 0x1B, "bitLen"),  # one octet of the modulus is left out
        (0, 0x1D, "ulKeyLen"),  # one more than there is
        (0, 0xFFFFFFFF, "ulKeyLen"),
        (4, 0, "sProviderName"),
        (4, 4, "sProviderName"),  # ends before the NUL
        (4, 5, "ulProviderLen"),
        (4, 8, "sProviderName"),  # goes on behind the NUL
        (4, 0xFFFFFFFE, "sProviderName"),
    ],
)
def test_lengths_of_an_entry(field: int, value: int, where: str) -> None:
    with pytest.raises(DecodeError, match=where):
        read_entry(AES_ENTRY[:field] + value.to_bytes(4, "little") + AES_ENTRY[field + 4 :])


def test_a_provider_name_has_no_nul() -> None:
    with pytest.raises(ValueError, match="NUL"):
        replace(AES, provider_name="A\0B")


def test_public_keys() -> None:
    assert_wire(KEYS, KEYS_BLOB, read=read_public_keys, pack=pack_public_keys)
    assert_wire(KEYS[:0], bytes.fromhex("08 00 00 00 00 00 00 00"), read=read_public_keys, pack=pack_public_keys)


@pytest.mark.spec("MQ-2.2.2-1")
def test_entries_are_packed_without_alignment() -> None:
    # The first entry is 46 octets long, so the second one starts off every boundary of four.
    assert KEYS_BLOB.index(FULL_ENTRY) == 8 + 46
    assert read_public_keys(KEYS_BLOB) == (AES, FULL)
    padded = bytes.fromhex("64 00 00 00 02 00 00 00") + AES_ENTRY + b"\0\0" + FULL_ENTRY
    with pytest.raises(DecodeError):
        read_public_keys(padded)


@pytest.mark.spec("MQ-2.2.2-1")
def test_the_total_length_may_leave_out_its_prefix() -> None:
    short = bytes.fromhex("5a 00 00 00") + KEYS_BLOB[4:]
    assert read_public_keys(short) == (AES, FULL)
    assert_no_prefix(short, read=read_public_keys)


def test_a_list_of_keys_may_stand_behind_something_else() -> None:
    for data in (KEYS_BLOB, bytes.fromhex("5a 00 00 00") + KEYS_BLOB[4:]):
        assert read_public_keys(Reader(b"before" + data, 6)) == (AES, FULL)
    with pytest.raises(DecodeError, match="ulLen at offset 6"):
        read_public_keys(Reader(b"before" + bytes.fromhex("63 00 00 00") + KEYS_BLOB[4:], 6))


@pytest.mark.spec("MQ-2.2.2-1")
@pytest.mark.parametrize("size", [0, 8, 0x59, 0x5B, 0x61, 0x63, 0xFFFFFFFF])
def test_a_total_length_that_fits_nothing(size: int) -> None:
    with pytest.raises(DecodeError, match="ulLen at offset 0"):
        read_public_keys(size.to_bytes(4, "little") + KEYS_BLOB[4:])


@pytest.mark.spec("MQ-2.2.2-1")
def test_reading_stops_at_the_count() -> None:
    one = KEYS_BLOB[:4] + b"\1\0\0\0" + KEYS_BLOB[8:]
    assert read_public_keys(one) == (AES,)
    assert read_public_keys(KEYS_BLOB + b"garbage") == (AES, FULL)
    for count in (3, 0xFFFFFFFF):
        with pytest.raises(DecodeError, match="ulKeyLen"):
            read_public_keys(KEYS_BLOB[:4] + count.to_bytes(4, "little") + KEYS_BLOB[8:])


def simple_blob(encrypted: bytes, algorithm: str = "10 66 00 00") -> bytes:
    return bytes.fromhex(f"01 02 00 00 {algorithm} 00 a4 00 00") + encrypted


def test_session_key_blob() -> None:
    blob = simple_blob(bytes.fromhex("88 77 66 55 44 33 22 11"))
    key = SessionKeyBlob(EncryptionAlgorithm.CALG_AES_256, bytes.fromhex("11 22 33 44 55 66 77 88"))
    assert_wire(key, blob, read=partial(SessionKeyBlob.read_all, key=TOY), pack=SessionKeyBlob.pack)


@pytest.mark.parametrize(
    ("octets", "algorithm"),
    [
        ("0e 66 00 00", EncryptionAlgorithm.CALG_AES_128),
        ("0f 66 00 00", EncryptionAlgorithm.CALG_AES_192),
        ("10 66 00 00", EncryptionAlgorithm.CALG_AES_256),
        ("02 66 00 00", EncryptionAlgorithm.CALG_RC2),
        ("01 68 00 00", EncryptionAlgorithm.CALG_RC4),
        ("34 12 00 00", EncryptionAlgorithm(0x1234)),
    ],
)
def test_algorithms_of_session_keys(octets: str, algorithm: EncryptionAlgorithm) -> None:
    blob = simple_blob(b"\x5a" * 64, octets)
    assert SessionKeyBlob.read_all(blob).algorithm == algorithm
    assert SessionKeyBlob(algorithm, b"\x5a" * 64).pack() == blob


@pytest.mark.spec("MQ-2.4.2-1", "MQ-T-19")
@pytest.mark.parametrize("size", [64, 128, 256])
def test_an_encrypted_key_is_as_long_as_the_modulus(size: int) -> None:
    blob = simple_blob(b"\x5a" * size)
    owner = RsaPublicKey(8 * size, 65537, (1 << (8 * size)) - 1)
    assert len(SessionKeyBlob.read_all(blob).ciphertext) == size
    assert SessionKeyBlob.read_all(blob, owner).ciphertext == b"\x5a" * size
    for wrong in (blob[:-1], blob + b"\0", blob[:12]):
        with pytest.raises(DecodeError, match="encryptedKey"):
            SessionKeyBlob.read_all(wrong, owner)
    with pytest.raises(DecodeError, match="encryptedKey"):
        SessionKeyBlob.read_all(blob[:12])


@pytest.mark.parametrize("offset", [0, 1, 2, 3, 8, 9, 10, 11])
def test_the_fixed_octets_of_a_session_key_blob(offset: int) -> None:
    wrong = bytearray(simple_blob(b"\x5a" * 64))
    wrong[offset] ^= 0x04
    with pytest.raises(DecodeError, match="SIMPLEBLOB"):
        SessionKeyBlob.read_all(wrong)


# MD5("abc") is an example of RFC 1321.
IDENTIFIER = UUID("00112233-4455-6677-8899-aabbccddeeff")
ABC = UserCertificate(bytes.fromhex("900150983cd24fb0d6963f7d28e17f72"), IDENTIFIER, b"abc")
ABC_ENTRY = bytes.fromhex(
    "90 01 50 98 3c d2 4f b0 d6 96 3f 7d 28 e1 7f 72 33 22 11 00 55 44 77 66 88 99 aa bb cc dd ee ff 03 00 00 00 61 62 63"
)
FORGED = replace(ABC, certificate=b"abd")


def test_user_certificates() -> None:
    # Three octets of certificate, and the next entry follows without padding.
    data = bytes.fromhex("02 00 00 00") + ABC_ENTRY + ABC_ENTRY
    entries: tuple[UserCertificate, ...] = (ABC, ABC)
    assert_wire(entries, data, read=read_user_certificates, pack=pack_user_certificates)
    assert_wire(entries[:0], bytes(4), read=read_user_certificates, pack=pack_user_certificates)


@pytest.mark.spec("MQ-2.2.22-1")
def test_the_digest_is_the_md5_of_the_certificate() -> None:
    assert UserCertificate.of(IDENTIFIER, b"abc") == ABC
    assert certificate_digest(b"abc").hex() == "900150983cd24fb0d6963f7d28e17f72"
    assert not ABC.ignored


@pytest.mark.spec("MQ-2.2.22-1")
def test_an_entry_with_a_wrong_digest_is_shown_and_ignored() -> None:
    data = bytes.fromhex("02 00 00 00") + ABC_ENTRY[:-1] + b"d" + ABC_ENTRY
    found = read_user_certificates(data)
    assert found == (FORGED, ABC)
    assert [entry.ignored for entry in found] == [True, False]
    assert pack_user_certificates(found) == data


# Made with OpenSSL: an RSA key of 512 bits, signed by itself. The digest is what md5sum says of it.
REAL_CERTIFICATE = base64.b64decode(
    "MIIBATCBrAIBATANBgkqhkiG9w0BAQsFADAMMQowCAYDVQQDDAFhMB4XDTI2MTExODA4NTg0NloXDTI2MTExOTA4NTg0NlowDDEKMAgGA1UEAwwBYTBcMA0G"
    "CSqGSIb3DQEBAQUAA0sAMEgCQQCobpyM2+JTYA5ctLouEAM4rvshHOYrSPJYMiyFEd2HXSVDeLSTAFpDsxuh5yAEn8EZFpwFa0jTl8T8wZJeU9BbAgMBAAEw"
    "DQYJKoZIhvcNAQELBQADQQBoYt5IF9b4bIUrFLsNFEd1hqpCBZV0zNsS+VBXRpH4EWbRaUh7J+u1pmqVFwA457Qg1B+eUqdNvr34FRudX26W"
)


@pytest.mark.spec("MQ-T-20")
def test_a_certificate_is_der_and_holds_no_key_blob() -> None:
    entry = UserCertificate.of(IDENTIFIER, REAL_CERTIFICATE)
    assert entry.digest.hex() == "ce8d374349d580f49f93da9c1596bf7f"
    assert entry.pack()[36:] == REAL_CERTIFICATE
    assert UserCertificate.read_all(entry.pack()) == entry
    assert b"RSA1" not in REAL_CERTIFICATE
    with pytest.raises(DecodeError, match="BLOBHEADER"):
        RsaPublicKey.read_all(REAL_CERTIFICATE)


@pytest.mark.parametrize("count", [0, 2, 0xFFFFFFFF])
def test_a_count_that_does_not_fit(count: int) -> None:
    with pytest.raises(DecodeError):
        read_user_certificates(count.to_bytes(4, "little") + ABC_ENTRY)


def test_a_certificate_length_past_the_end() -> None:
    with pytest.raises(DecodeError, match=r"MQUSERSIGNCERT\.Certificate at offset 40"):
        read_user_certificates(b"\1\0\0\0" + ABC_ENTRY[:32] + b"\xff\xff\xff\xff" + b"abc")


rsa_keys = st.integers(1, 40).flatmap(
    lambda size: st.builds(RsaPublicKey, st.just(8 * size), st.integers(0, 0xFFFFFFFF), st.integers(0, (1 << (8 * size)) - 1))
)
provider_keys = st.builds(ProviderKey, st.sampled_from(ProviderType), st.text(max_size=40).filter(lambda name: "\0" not in name), rsa_keys)
certificates = st.builds(UserCertificate, st.binary(min_size=16, max_size=16), st.uuids(), st.binary(max_size=50))


@given(st.lists(provider_keys, max_size=4).map(tuple))
def test_public_keys_round_trip(keys: tuple[ProviderKey, ...]) -> None:
    assert read_public_keys(pack_public_keys(keys)) == keys


@given(st.lists(certificates, max_size=4).map(tuple))
def test_user_certificates_round_trip(found: tuple[UserCertificate, ...]) -> None:
    assert read_user_certificates(pack_user_certificates(found)) == found
    assert [entry.ignored for entry in found] == [entry.digest != hashlib.md5(entry.certificate).digest() for entry in found]


SAMPLES = {
    read_public_keys: KEYS_BLOB,
    read_user_certificates: bytes.fromhex("02 00 00 00") + ABC_ENTRY + ABC_ENTRY,
    RsaPublicKey.read_all: TOY_BLOB,
    SessionKeyBlob.read_all: simple_blob(b"\x5a" * 64),
}


@given(st.sampled_from(list(SAMPLES)), st.lists(st.tuples(st.integers(0, 127), st.integers(0, 255)), min_size=1, max_size=6))
def test_hostile_octets(read: object, changes: list[tuple[int, int]]) -> None:
    assert callable(read)
    data = bytearray(SAMPLES[read])
    for at, value in changes:
        data[at % len(data)] = value
    try:
        read(bytes(data))
    except DecodeError:
        return
