"""SecurityHeader of a UserMessage packet: who sent it, with which key, signature and certificate. [MS-MQMQ] 2.2.20.6"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Self
from uuid import UUID

from msmqctl.wire.record import U16, U32, Bits, Reader, Record, flag, group, pad, record, to_wide
from msmqctl.wire.values import SenderIdType

MAX_CERTIFICATE_SIZE = 0xFFFF


class SecurityFlags(Bits):
    """SecurityHeader.Flags: ST, AU, EB, DE, AI, AS, unused."""

    sender_id_type = group(4)
    authenticated = flag()
    body_encrypted = flag()
    default_provider = flag()
    security_data = flag()
    signature_verified = group(4)
    unused = group(4)


@record
class ProviderInfo(Record):
    """The cryptographic provider that made the signature: its type, then its name with a NUL up to the end."""

    provider_type: Annotated[int, U32]
    provider_name: str

    @classmethod
    def read(cls, reader: Reader) -> Self:
        (kind,) = reader.fixed(cls)
        at = reader.offset
        if reader.remaining % 2:
            raise reader.fault("an odd number of octets", "ProviderInfo.provider_name")
        name = reader.wide(reader.remaining // 2, "ProviderInfo.provider_name")
        if name[-1:] != "\0":
            raise reader.fault("the name does not end in NUL", "ProviderInfo.provider_name", at)
        return cls(kind, name[:-1])

    def pack(self) -> bytes:
        return self.pack_fixed() + to_wide(self.provider_name + "\0")


@record
class SecurityHeader(Record):
    """Each item of the data starts on a 4-octet boundary; a size of zero takes no octets."""

    flags: Annotated[SecurityFlags, U16]
    sender_id_size: Annotated[int, U16]
    encryption_key_size: Annotated[int, U16]
    signature_size: Annotated[int, U16]
    sender_cert_size: Annotated[int, U32]
    provider_info_size: Annotated[int, U32]
    security_id: bytes
    encryption_key: bytes = b""
    signature: bytes = b""
    sender_cert: bytes = b""
    provider_info: bytes = b""

    @classmethod
    def of(
        cls,
        sender_id_type: SenderIdType = SenderIdType.NONE,
        security_id: bytes = b"",
        *,
        encryption_key: bytes = b"",
        signature: bytes = b"",
        sender_cert: bytes = b"",
        provider: ProviderInfo | None = None,
    ) -> Self:
        """A header as we send it: nothing claims to be verified, and AI is set when there is more than the sender's name."""
        info = provider.pack() if provider is not None else b""
        flags = SecurityFlags.of(
            sender_id_type=sender_id_type,
            body_encrypted=bool(encryption_key),
            default_provider=bool(signature) and provider is None,
            security_data=bool(encryption_key or signature or sender_cert or info),
        )
        sizes = (len(security_id), len(encryption_key), len(signature), len(sender_cert), len(info))
        if not any(sizes):
            raise ValueError("a SecurityHeader needs at least one item")
        return cls(flags, *sizes, security_id, encryption_key, signature, sender_cert, info)

    @classmethod
    def read(cls, reader: Reader) -> Self:
        start = reader.offset
        fixed = reader.fixed(cls)
        if fixed[4] > MAX_CERTIFICATE_SIZE:
            raise reader.fault(f"{fixed[4]} octets, {MAX_CERTIFICATE_SIZE} are the most", "SecurityHeader.sender_cert_size", start + 8)
        items = []
        # Departs from [MS-MQMQ] 2.2.20.6: the size fields decide what is there, not AI, which is clear in the published frame with a SID.
        for name, size in zip(("security_id", "encryption_key", "signature", "sender_cert", "provider_info"), fixed[1:], strict=True):
            items.append(reader.take(size, f"SecurityHeader.{name}"))
            reader.align(4, f"SecurityHeader.{name}")
        return cls(*(*fixed, *items))

    def pack(self) -> bytes:
        items = (self.security_id, self.encryption_key, self.signature, self.sender_cert, self.provider_info)
        sizes = (self.sender_id_size, self.encryption_key_size, self.signature_size, self.sender_cert_size, self.provider_info_size)
        if tuple(map(len, items)) != sizes or self.sender_cert_size > MAX_CERTIFICATE_SIZE:
            raise ValueError("SecurityHeader: the size fields do not fit the items")
        return self.pack_fixed() + b"".join(map(pad, items))

    def unverified(self) -> Self:
        """This header as a receiver must take it: what the sender claims about verification is not worth anything."""
        return replace(self, flags=self.flags.replace(authenticated=0, signature_verified=0))

    @property
    def sender_queue_manager(self) -> UUID | None:
        """The queue manager that sent and signed the message itself, if one did."""
        by_manager = self.flags.sender_id_type == SenderIdType.QUEUE_MANAGER and len(self.security_id) == 16
        return UUID(bytes_le=self.security_id) if by_manager else None

    def provider(self) -> ProviderInfo | None:
        """The provider named in the header, unless it is the default one. [MS-MQMQ] 2.2.20.6"""
        if self.flags.default_provider or not self.provider_info:
            return None
        return ProviderInfo.read(Reader(self.provider_info))
