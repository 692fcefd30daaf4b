"""Numbers with a meaning that packets carry: message classes, delivery, privacy, algorithms. Open: an unknown one survives. [MS-MQMQ] 2.2

The sentences that explain them to a person live beside `ops/explain.py`.
"""

from __future__ import annotations

from msmqctl.wire.open_enum import OpenEnum

# "Never": the largest number of seconds stands for no limit, in TimeToReachQueue and TimeToBeReceived. [MS-MQMQ] 2.2.19.1
INFINITE = 0xFFFFFFFF
# The longest packet in octets, and the longest label in UTF-16 units: 249 characters and the NUL. [MS-MQMQ] 2.2.19.1, 2.2.19.3
MAX_PACKET_SIZE = 0x00400000
MAX_LABEL_UNITS = 0xFA


class MessageClass(OpenEnum):
    """What kind of message this is; in an acknowledgment, what happened. [MS-MQMQ] 2.2.18.1.6

    Bit 15 is a refusal, bit 14 concerns receiving rather than arrival. 0x8008, 0x800C and 0xC003 come from [MC-MQAC] 2.2.2.9.
    """

    MQMSG_CLASS_NORMAL = 0x0000
    MQMSG_CLASS_REPORT = 0x0001
    MQMSG_CLASS_ACK_REACH_QUEUE = 0x0002
    MQMSG_CLASS_ORDER_ACK = 0x00FF
    MQMSG_CLASS_ACK_RECEIVE = 0x4000
    MQMSG_CLASS_NACK_BAD_DST_Q = 0x8000
    MQMSG_CLASS_NACK_DELETED = 0x8001
    MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT = 0x8002
    MQMSG_CLASS_NACK_Q_EXCEED_QUOTA = 0x8003
    MQMSG_CLASS_NACK_ACCESS_DENIED = 0x8004
    MQMSG_CLASS_NACK_HOP_COUNT_EXCEEDED = 0x8005
    MQMSG_CLASS_NACK_BAD_SIGNATURE = 0x8006
    MQMSG_CLASS_NACK_BAD_ENCRYPTION = 0x8007
    MQMSG_CLASS_NACK_COULD_NOT_ENCRYPT = 0x8008
    MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_Q = 0x8009
    MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_MSG = 0x800A
    MQMSG_CLASS_NACK_UNSUPPORTED_CRYPTO_PROVIDER = 0x800B
    MQMSG_CLASS_NACK_SOURCE_COMPUTER_GUID_CHANGED = 0x800C
    MQMSG_CLASS_NACK_Q_DELETED = 0xC000
    MQMSG_CLASS_NACK_Q_PURGED = 0xC001
    MQMSG_CLASS_NACK_RECEIVE_TIMEOUT = 0xC002
    MQMSG_CLASS_NACK_RECEIVE_TIMEOUT_AT_SENDER = 0xC003
    MQMSG_CLASS_NACK_RECEIVE_REJECTED = 0xC004

    @property
    def negative(self) -> bool:
        """A refusal."""
        return bool(self & 0x8000)

    @property
    def about_receiving(self) -> bool:
        """Concerns the receiving application, not the arrival in the queue."""
        return bool(self & 0x4000)

    @property
    def from_http(self) -> bool:
        """A refusal made by the HTTP transport: both bits of 0xA000."""
        return self & 0xA000 == 0xA000

    @property
    def may_be_application_defined(self) -> bool:
        """Whether only bits of the mask that applications may use are set."""
        return self & ~0xE1FF == 0


class ConnectionStatus(OpenEnum):
    """How far an outgoing queue got with its next hop, or where it failed: one entry of its history. [MS-MQMQ] 2.3.12.25

    The document gives the numbers and [MS-MQDMPR] 3.1.1.3 the names.
    """

    IN_PROCESS = 0x00000000
    ESTABLISH_PACKET_RECEIVED = 0x00000001
    ESTABLISHED = 0x00000002
    UNKNOWN_FAILURE = 0x80000000
    PING_FAILURE = 0x80000001
    SOCKET_CREATE_FAILURE = 0x80000002
    SOCKET_BIND_FAILURE = 0x80000003
    SOCKET_CONNECT_FAILURE = 0x80000004
    TCP_NOT_ENABLED = 0x80000005
    SOCKET_SEND_FAILURE = 0x80000006
    CONNECTION_NOT_READY = 0x80000007
    DNS_FAILURE = 0x80000008
    CERTIFICATE_VALIDATION_FAILURE = 0x80000009
    CONNECTION_LIMIT_REACHED = 0x8000000A
    CONNECTION_REFUSED = 0x8000000B
    ROUTING_DATA_NOT_AVAILABLE = 0x8000000C
    LOW_RESOURCE = 0x8000000D

    @property
    def failed(self) -> bool:
        """Whether the attempt ended here."""
        return bool(self & 0x80000000)


class DeliveryMode(OpenEnum):
    """UserHeader.Flags.DM. [MS-MQMQ] 2.2.19.2"""

    EXPRESS = 0
    RECOVERABLE = 1


class QueueCode(OpenEnum):
    """How a UserHeader names a queue: the codes of DQ, AQ and RQ. [MS-MQMQ] 2.2.19.2"""

    NONE = 0
    SAME_AS_ADMIN = 1
    PRIVATE_ON_SOURCE = 2
    PRIVATE_ON_DESTINATION = 3
    PRIVATE_ON_ADMIN_HOST = 4
    PUBLIC = 5
    PRIVATE_ELSEWHERE = 6
    DIRECT = 7


class SenderIdType(OpenEnum):
    """SecurityHeader.Flags.ST. [MS-MQMQ] 2.2.20.6"""

    NONE = 0
    SID = 1
    QUEUE_MANAGER = 2


class AuthenticationSignature(OpenEnum):
    """SecurityHeader.Flags.AS, set by a receiver that verified the signature. [MS-MQMQ] 2.2.20.6"""

    NONE = 0
    SIG10 = 1
    SIG20 = 3
    SIG30 = 5
    XML = 9


class PrivacyLevel(OpenEnum):
    """MessagePropertiesHeader.PrivacyLevel. [MS-MQMQ] 2.2.19.3"""

    NONE = 0
    BODY_40_BIT = 1
    BODY_128_BIT = 3
    BODY_AES = 5


class HashAlgorithm(OpenEnum):
    """MessagePropertiesHeader.HashAlgorithm. [MS-MQMQ] 2.2.19.3"""

    CALG_MD2 = 0x8001
    CALG_MD4 = 0x8002
    CALG_MD5 = 0x8003
    CALG_SHA1 = 0x8004
    CALG_SHA_256 = 0x800C
    CALG_SHA_512 = 0x800E


class EncryptionAlgorithm(OpenEnum):
    """MessagePropertiesHeader.EncryptionAlgorithm. [MS-MQMQ] 2.2.19.3"""

    CALG_RC2 = 0x6602
    CALG_RC4 = 0x6801
    CALG_AES_128 = 0x660E
    CALG_AES_192 = 0x660F
    CALG_AES_256 = 0x6610


# Which algorithms a privacy level may name. [MS-MQMQ] 2.2.19.3
ALGORITHMS_OF_PRIVACY = {
    PrivacyLevel.BODY_40_BIT: frozenset({EncryptionAlgorithm.CALG_RC2, EncryptionAlgorithm.CALG_RC4}),
    PrivacyLevel.BODY_128_BIT: frozenset({EncryptionAlgorithm.CALG_RC2, EncryptionAlgorithm.CALG_RC4}),
    PrivacyLevel.BODY_AES: frozenset(
        {EncryptionAlgorithm.CALG_AES_128, EncryptionAlgorithm.CALG_AES_192, EncryptionAlgorithm.CALG_AES_256}
    ),
}


class VarType(OpenEnum):
    """The type of a property value or a message body. [MS-MQMQ] 2.2.12; a body may have any of them and others."""

    VT_EMPTY = 0
    VT_NULL = 1
    VT_I2 = 2
    VT_I4 = 3
    VT_R4 = 4
    VT_R8 = 5
    VT_CY = 6
    VT_DATE = 7
    VT_BSTR = 8
    VT_BOOL = 11
    VT_VARIANT = 12
    VT_I1 = 16
    VT_UI1 = 17
    VT_UI2 = 18
    VT_UI4 = 19
    VT_I8 = 20
    VT_UI8 = 21
    VT_LPSTR = 30
    VT_LPWSTR = 31
    VT_BLOB = 65
    VT_STREAMED_OBJECT = 68
    VT_STORED_OBJECT = 69
    VT_CLSID = 72
    VT_VECTOR = 0x1000
