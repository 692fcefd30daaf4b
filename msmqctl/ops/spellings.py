"""Other spellings of the same thing: what .NET, [MS-MQDMPR] and older documents call a status, a message class or a connection status.

Most of them follow from the wire name (MQ_ERROR_QUEUE_NOT_FOUND is QueueNotFound); the tables hold only those that do not.
"""

from __future__ import annotations

from msmqctl.wire.status import HResult
from msmqctl.wire.values import ConnectionStatus, MessageClass

STATUS_PREFIXES = ("MQ_ERROR_", "MQ_INFORMATION_", "MQ_")
CLASS_PREFIX = "MQMSG_CLASS_"

# The members of System.Messaging.MessageQueueErrorCode that are spelt in a way of their own.
DOTNET_STATUS_NAMES: dict[HResult, str] = {
    HResult.MQ_ERROR: "Generic",
    HResult.MQ_ERROR_CANNOT_CREATE_CERT_STORE: "CannotCreateCertificateStore",
    HResult.MQ_ERROR_CANNOT_CREATE_ON_GC: "CannotCreateOnGlobalCatalog",
    HResult.MQ_ERROR_CANNOT_GET_DN: "CannotGetDistinguishedName",
    HResult.MQ_ERROR_CANNOT_LOAD_MSMQOCM: "CannotLoadMsmqOcm",
    HResult.MQ_ERROR_CANNOT_OPEN_CERT_STORE: "CannotOpenCertificateStore",
    HResult.MQ_ERROR_CANNOT_SET_CRYPTO_SEC_DESCR: "CannotSetCryptographicSecurityDescriptor",
    HResult.MQ_ERROR_DELETE_CN_IN_USE: "DeleteConnectedNetworkInUse",
    HResult.MQ_ERROR_DEPEND_WKS_LICENSE_OVERFLOW: "DependentClientLicenseOverflow",
    HResult.MQ_ERROR_FORMATNAME_BUFFER_TOO_SMALL: "FormatNameBufferTooSmall",
    HResult.MQ_ERROR_ILLEGAL_FORMATNAME: "IllegalFormatName",
    HResult.MQ_ERROR_ILLEGAL_MQCOLUMNS: "IllegalCriteriaColumns",
    HResult.MQ_ERROR_ILLEGAL_MQPRIVATEPROPS: "IllegalPrivateProperties",
    HResult.MQ_ERROR_ILLEGAL_MQQMPROPS: "IllegalMessageProperties",
    HResult.MQ_ERROR_ILLEGAL_MQQUEUEPROPS: "IllegalQueueProperties",
    HResult.MQ_ERROR_ILLEGAL_PROPID: "IllegalPropertyId",
    HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME: "IllegalQueuePathName",
    HResult.MQ_ERROR_ILLEGAL_RESTRICTION_PROPID: "IllegalRestrictionPropertyId",
    HResult.MQ_ERROR_ILLEGAL_SORT_PROPID: "IllegalSortPropertyId",
    HResult.MQ_ERROR_IO_TIMEOUT: "IOTimeout",
    HResult.MQ_ERROR_MQIS_READONLY_MODE: "MqisReadOnlyMode",
    HResult.MQ_ERROR_NO_ENTRY_POINT_MSMQOCM: "NoEntryPointMsmqOcm",
    HResult.MQ_ERROR_NO_GC_IN_DOMAIN: "NoGlobalCatalogInDomain",
    HResult.MQ_ERROR_NO_INTERNAL_USER_CERT: "NoInternalUserCertificate",
    HResult.MQ_ERROR_NO_MSMQ_SERVERS_ON_GC: "NoMsmqServersOnGlobalCatalog",
    HResult.MQ_ERROR_OPERATION_CANCELLED: "OperationCanceled",
    HResult.MQ_ERROR_PROPERTY_NOTALLOWED: "PropertyNotAllowed",
    HResult.MQ_ERROR_PROV_NAME_BUFFER_TOO_SMALL: "ProviderNameBufferTooSmall",
    HResult.MQ_ERROR_SECURITY_DESCRIPTOR_TOO_SMALL: "SecurityDescriptorBufferTooSmall",
    HResult.MQ_ERROR_SENDERID_BUFFER_TOO_SMALL: "SenderIdBufferTooSmall",
    HResult.MQ_ERROR_SENDER_CERT_BUFFER_TOO_SMALL: "SenderCertificateBufferTooSmall",
    HResult.MQ_ERROR_SYMM_KEY_BUFFER_TOO_SMALL: "SymmetricKeyBufferTooSmall",
    HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION: "UnsupportedFormatNameOperation",
}

# First what [MS-MQDMPR] 3.1.1.12 calls the class, then System.Messaging.Acknowledgment, then what older headers say.
CLASS_NAMES: dict[MessageClass, tuple[str, ...]] = {
    MessageClass.MQMSG_CLASS_NORMAL: ("Normal", "None"),
    MessageClass.MQMSG_CLASS_REPORT: ("Report",),
    MessageClass.MQMSG_CLASS_ACK_REACH_QUEUE: ("AckReachQueue", "ReachQueue"),
    MessageClass.MQMSG_CLASS_ORDER_ACK: ("OrderAck",),
    MessageClass.MQMSG_CLASS_ACK_RECEIVE: ("AckReceive", "Receive"),
    MessageClass.MQMSG_CLASS_NACK_BAD_DST_Q: ("NackBadDestQueue", "BadDestinationQueue"),
    MessageClass.MQMSG_CLASS_NACK_DELETED: ("NackPurged", "Purged", "MQMSG_CLASS_NACK_PURGED"),
    MessageClass.MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT: ("NackReachQueueTimeout", "ReachQueueTimeout"),
    MessageClass.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA: ("NackQueueExceedQuota", "QueueExceedMaximumSize"),
    MessageClass.MQMSG_CLASS_NACK_ACCESS_DENIED: ("NackAccessDenied", "AccessDenied"),
    MessageClass.MQMSG_CLASS_NACK_HOP_COUNT_EXCEEDED: ("NackHopCountExceeded", "HopCountExceeded"),
    MessageClass.MQMSG_CLASS_NACK_BAD_SIGNATURE: ("NackBadSignature", "BadSignature"),
    MessageClass.MQMSG_CLASS_NACK_BAD_ENCRYPTION: ("NackBadEncryption", "BadEncryption"),
    MessageClass.MQMSG_CLASS_NACK_COULD_NOT_ENCRYPT: ("NackCouldNotEncrypt", "CouldNotEncrypt"),
    MessageClass.MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_Q: ("NackNotTransactionalQueue", "NotTransactionalQueue"),
    MessageClass.MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_MSG: ("NackNotTransactionalMessage", "NotTransactionalMessage"),
    MessageClass.MQMSG_CLASS_NACK_UNSUPPORTED_CRYPTO_PROVIDER: ("NackUnsupportedCryptoProvider",),
    MessageClass.MQMSG_CLASS_NACK_SOURCE_COMPUTER_GUID_CHANGED: ("NackSourceComputerGuidChanged",),
    MessageClass.MQMSG_CLASS_NACK_Q_DELETED: ("NackQueueDeleted", "QueueDeleted"),
    MessageClass.MQMSG_CLASS_NACK_Q_PURGED: ("NackQueuePurged", "QueuePurged"),
    MessageClass.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT: ("NackReceiveTimeout", "ReceiveTimeout"),
    MessageClass.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT_AT_SENDER: ("NackReceiveTimeoutAtSender",),
    MessageClass.MQMSG_CLASS_NACK_RECEIVE_REJECTED: ("NackReceiveRejected",),
}


def squeeze(text: str) -> str:
    """What is left of a name when case and separators do not count: queue_not_found and QueueNotFound are one."""
    return "".join(character for character in text.lower() if character.isascii() and character.isalnum())


def camel(wire_name: str) -> str:
    """QUEUE_NOT_FOUND as QueueNotFound."""
    return "".join(word.capitalize() for word in wire_name.split("_"))


def without_prefix(wire_name: str) -> str:
    """A status name without the words that most of them begin with; generic names of Windows stay as they are."""
    for prefix in STATUS_PREFIXES:
        if wire_name.startswith(prefix):
            return wire_name[len(prefix) :]
    return wire_name


def status_aliases(status: HResult) -> tuple[str, ...]:
    """The .NET spelling of an MSMQ status; Windows' own statuses have one name only."""
    short = without_prefix(status.name)
    if status in DOTNET_STATUS_NAMES:
        return (DOTNET_STATUS_NAMES[status],)
    return () if short == status.name else (camel(short),)


def class_aliases(message_class: MessageClass) -> tuple[str, ...]:
    """What a message class is called elsewhere."""
    return CLASS_NAMES[message_class]


def connection_name(status: ConnectionStatus) -> str:
    """The name in [MS-MQDMPR] 3.1.1.3, which is the one that people see."""
    return camel(status.name)
