"""Statuses that MSMQ returns: the codes of [MS-MQMQ] 2.4, the few generic ones its siblings use, and one sentence of meaning each.

Causes and next steps for a person are advice, not protocol: they live in `ops/advice.py`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from msmqctl.wire.open_enum import OpenEnum


class Severity(StrEnum):
    """How a call ended, as far as its status alone can tell."""

    SUCCESS = "success"
    INFORMATION = "information"
    ERROR = "error"


# The 32 bits of a status, high bit first. MSMQ numbers its codes with two bits of severity, the way NTSTATUS does.
#
#   31 30      severity   00 success, 01 information, 1x failure
#   29         customer   set in codes that a vendor other than Microsoft made
#   28..16     facility   0x00E is MSMQ, 0x007 a Win32 error, 0x004 an interface's own
#   15..0      code
FACILITY_NULL = 0x000
FACILITY_ITF = 0x004
FACILITY_WIN32 = 0x007
FACILITY_MSMQ = 0x00E
CUSTOMER_BIT = 0x20000000
FAILURE_BIT = 0x80000000
INFORMATION_BIT = 0x40000000


class HResult(OpenEnum):
    """A status, always unsigned; the signed spelling of the same 32 bits names the same member. [MS-MQMQ] 2.4"""

    MQ_OK = 0x00000000
    MQ_INFORMATION_PROPERTY = 0x400E0001
    MQ_INFORMATION_ILLEGAL_PROPERTY = 0x400E0002
    MQ_INFORMATION_PROPERTY_IGNORED = 0x400E0003
    MQ_INFORMATION_UNSUPPORTED_PROPERTY = 0x400E0004
    MQ_INFORMATION_DUPLICATE_PROPERTY = 0x400E0005
    MQ_INFORMATION_OPERATION_PENDING = 0x400E0006
    MQ_INFORMATION_FORMATNAME_BUFFER_TOO_SMALL = 0x400E0009
    MQ_INFORMATION_INTERNAL_USER_CERT_EXIST = 0x400E000A
    MQ_INFORMATION_OWNER_IGNORED = 0x400E000B
    MQ_ERROR = 0xC00E0001
    MQ_ERROR_PROPERTY = 0xC00E0002
    MQ_ERROR_QUEUE_NOT_FOUND = 0xC00E0003
    MQ_ERROR_QUEUE_NOT_ACTIVE = 0xC00E0004
    MQ_ERROR_QUEUE_EXISTS = 0xC00E0005
    MQ_ERROR_INVALID_PARAMETER = 0xC00E0006
    MQ_ERROR_INVALID_HANDLE = 0xC00E0007
    MQ_ERROR_OPERATION_CANCELLED = 0xC00E0008
    MQ_ERROR_SHARING_VIOLATION = 0xC00E0009
    MQ_ERROR_SERVICE_NOT_AVAILABLE = 0xC00E000B
    MQ_ERROR_MACHINE_NOT_FOUND = 0xC00E000D
    MQ_ERROR_ILLEGAL_SORT = 0xC00E0010
    MQ_ERROR_ILLEGAL_USER = 0xC00E0011
    MQ_ERROR_NO_DS = 0xC00E0013
    MQ_ERROR_ILLEGAL_QUEUE_PATHNAME = 0xC00E0014
    MQ_ERROR_ILLEGAL_PROPERTY_VALUE = 0xC00E0018
    MQ_ERROR_ILLEGAL_PROPERTY_VT = 0xC00E0019
    MQ_ERROR_BUFFER_OVERFLOW = 0xC00E001A
    MQ_ERROR_IO_TIMEOUT = 0xC00E001B
    MQ_ERROR_ILLEGAL_CURSOR_ACTION = 0xC00E001C
    MQ_ERROR_MESSAGE_ALREADY_RECEIVED = 0xC00E001D
    MQ_ERROR_ILLEGAL_FORMATNAME = 0xC00E001E
    MQ_ERROR_FORMATNAME_BUFFER_TOO_SMALL = 0xC00E001F
    MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION = 0xC00E0020
    MQ_ERROR_ILLEGAL_SECURITY_DESCRIPTOR = 0xC00E0021
    MQ_ERROR_SENDERID_BUFFER_TOO_SMALL = 0xC00E0022
    MQ_ERROR_SECURITY_DESCRIPTOR_TOO_SMALL = 0xC00E0023
    MQ_ERROR_CANNOT_IMPERSONATE_CLIENT = 0xC00E0024
    MQ_ERROR_ACCESS_DENIED = 0xC00E0025
    MQ_ERROR_PRIVILEGE_NOT_HELD = 0xC00E0026
    MQ_ERROR_INSUFFICIENT_RESOURCES = 0xC00E0027
    MQ_ERROR_USER_BUFFER_TOO_SMALL = 0xC00E0028
    MQ_ERROR_MESSAGE_STORAGE_FAILED = 0xC00E002A
    MQ_ERROR_SENDER_CERT_BUFFER_TOO_SMALL = 0xC00E002B
    MQ_ERROR_INVALID_CERTIFICATE = 0xC00E002C
    MQ_ERROR_CORRUPTED_INTERNAL_CERTIFICATE = 0xC00E002D
    MQ_ERROR_INTERNAL_USER_CERT_EXIST = 0xC00E002E
    MQ_ERROR_NO_INTERNAL_USER_CERT = 0xC00E002F
    MQ_ERROR_CORRUPTED_SECURITY_DATA = 0xC00E0030
    MQ_ERROR_CORRUPTED_PERSONAL_CERT_STORE = 0xC00E0031
    MQ_ERROR_COMPUTER_DOES_NOT_SUPPORT_ENCRYPTION = 0xC00E0033
    MQ_ERROR_BAD_SECURITY_CONTEXT = 0xC00E0035
    MQ_ERROR_COULD_NOT_GET_USER_SID = 0xC00E0036
    MQ_ERROR_COULD_NOT_GET_ACCOUNT_INFO = 0xC00E0037
    MQ_ERROR_ILLEGAL_MQCOLUMNS = 0xC00E0038
    MQ_ERROR_ILLEGAL_PROPID = 0xC00E0039
    MQ_ERROR_ILLEGAL_RELATION = 0xC00E003A
    MQ_ERROR_ILLEGAL_PROPERTY_SIZE = 0xC00E003B
    MQ_ERROR_ILLEGAL_RESTRICTION_PROPID = 0xC00E003C
    MQ_ERROR_ILLEGAL_MQQUEUEPROPS = 0xC00E003D
    MQ_ERROR_PROPERTY_NOTALLOWED = 0xC00E003E
    MQ_ERROR_INSUFFICIENT_PROPERTIES = 0xC00E003F
    MQ_ERROR_MACHINE_EXISTS = 0xC00E0040
    MQ_ERROR_ILLEGAL_MQQMPROPS = 0xC00E0041
    MQ_ERROR_DS_IS_FULL = 0xC00E0042
    MQ_ERROR_DS_ERROR = 0xC00E0043
    MQ_ERROR_INVALID_OWNER = 0xC00E0044
    MQ_ERROR_UNSUPPORTED_ACCESS_MODE = 0xC00E0045
    MQ_ERROR_RESULT_BUFFER_TOO_SMALL = 0xC00E0046
    MQ_ERROR_DELETE_CN_IN_USE = 0xC00E0048
    MQ_ERROR_NO_RESPONSE_FROM_OBJECT_SERVER = 0xC00E0049
    MQ_ERROR_OBJECT_SERVER_NOT_AVAILABLE = 0xC00E004A
    MQ_ERROR_QUEUE_NOT_AVAILABLE = 0xC00E004B
    MQ_ERROR_DTC_CONNECT = 0xC00E004C
    MQ_ERROR_TRANSACTION_IMPORT = 0xC00E004E
    MQ_ERROR_TRANSACTION_USAGE = 0xC00E0050
    MQ_ERROR_TRANSACTION_SEQUENCE = 0xC00E0051
    MQ_ERROR_MISSING_CONNECTOR_TYPE = 0xC00E0055
    MQ_ERROR_STALE_HANDLE = 0xC00E0056
    MQ_ERROR_TRANSACTION_ENLIST = 0xC00E0058
    MQ_ERROR_QUEUE_DELETED = 0xC00E005A
    MQ_ERROR_ILLEGAL_CONTEXT = 0xC00E005B
    MQ_ERROR_ILLEGAL_SORT_PROPID = 0xC00E005C
    MQ_ERROR_LABEL_TOO_LONG = 0xC00E005D
    MQ_ERROR_LABEL_BUFFER_TOO_SMALL = 0xC00E005E
    MQ_ERROR_MQIS_SERVER_EMPTY = 0xC00E005F
    MQ_ERROR_MQIS_READONLY_MODE = 0xC00E0060
    MQ_ERROR_SYMM_KEY_BUFFER_TOO_SMALL = 0xC00E0061
    MQ_ERROR_SIGNATURE_BUFFER_TOO_SMALL = 0xC00E0062
    MQ_ERROR_PROV_NAME_BUFFER_TOO_SMALL = 0xC00E0063
    MQ_ERROR_ILLEGAL_OPERATION = 0xC00E0064
    MQ_ERROR_WRITE_NOT_ALLOWED = 0xC00E0065
    MQ_ERROR_WKS_CANT_SERVE_CLIENT = 0xC00E0066
    MQ_ERROR_DEPEND_WKS_LICENSE_OVERFLOW = 0xC00E0067
    MQ_CORRUPTED_QUEUE_WAS_DELETED = 0xC00E0068
    MQ_ERROR_REMOTE_MACHINE_NOT_AVAILABLE = 0xC00E0069
    MQ_ERROR_UNSUPPORTED_OPERATION = 0xC00E006A
    MQ_ERROR_ENCRYPTION_PROVIDER_NOT_SUPPORTED = 0xC00E006B
    MQ_ERROR_CANNOT_SET_CRYPTO_SEC_DESCR = 0xC00E006C
    MQ_ERROR_CERTIFICATE_NOT_PROVIDED = 0xC00E006D
    MQ_ERROR_Q_DNS_PROPERTY_NOT_SUPPORTED = 0xC00E006E
    MQ_ERROR_CANNOT_CREATE_CERT_STORE = 0xC00E006F
    MQ_ERROR_CANNOT_OPEN_CERT_STORE = 0xC00E0070
    MQ_ERROR_ILLEGAL_ENTERPRISE_OPERATION = 0xC00E0071
    MQ_ERROR_CANNOT_GRANT_ADD_GUID = 0xC00E0072
    MQ_ERROR_CANNOT_LOAD_MSMQOCM = 0xC00E0073
    MQ_ERROR_NO_ENTRY_POINT_MSMQOCM = 0xC00E0074
    MQ_ERROR_NO_MSMQ_SERVERS_ON_DC = 0xC00E0075
    MQ_ERROR_CANNOT_JOIN_DOMAIN = 0xC00E0076
    MQ_ERROR_CANNOT_CREATE_ON_GC = 0xC00E0077
    MQ_ERROR_GUID_NOT_MATCHING = 0xC00E0078
    MQ_ERROR_PUBLIC_KEY_NOT_FOUND = 0xC00E0079
    MQ_ERROR_PUBLIC_KEY_DOES_NOT_EXIST = 0xC00E007A
    MQ_ERROR_ILLEGAL_MQPRIVATEPROPS = 0xC00E007B
    MQ_ERROR_NO_GC_IN_DOMAIN = 0xC00E007C
    MQ_ERROR_NO_MSMQ_SERVERS_ON_GC = 0xC00E007D
    MQ_ERROR_CANNOT_GET_DN = 0xC00E007E
    MQ_ERROR_CANNOT_HASH_DATA_EX = 0xC00E007F
    MQ_ERROR_CANNOT_SIGN_DATA_EX = 0xC00E0080
    MQ_ERROR_CANNOT_CREATE_HASH_EX = 0xC00E0081
    MQ_ERROR_FAIL_VERIFY_SIGNATURE_EX = 0xC00E0082
    MQ_ERROR_CANNOT_DELETE_PSC_OBJECTS = 0xC00E0083
    MQ_ERROR_NO_MQUSER_OU = 0xC00E0084
    MQ_ERROR_CANNOT_LOAD_MQAD = 0xC00E0085
    MQ_ERROR_CANNOT_LOAD_MQDSSRV = 0xC00E0086
    MQ_ERROR_PROPERTIES_CONFLICT = 0xC00E0087
    MQ_ERROR_MESSAGE_NOT_FOUND = 0xC00E0088
    MQ_ERROR_CANT_RESOLVE_SITES = 0xC00E0089
    MQ_ERROR_NOT_SUPPORTED_BY_DEPENDENT_CLIENTS = 0xC00E008A
    MQ_ERROR_OPERATION_NOT_SUPPORTED_BY_REMOTE_COMPUTER = 0xC00E008B
    MQ_ERROR_NOT_A_CORRECT_OBJECT_CLASS = 0xC00E008C
    MQ_ERROR_MULTI_SORT_KEYS = 0xC00E008D
    MQ_ERROR_GC_NEEDED = 0xC00E008E
    MQ_ERROR_DS_BIND_ROOT_FOREST = 0xC00E008F
    MQ_ERROR_DS_LOCAL_USER = 0xC00E0090
    MQ_ERROR_Q_ADS_PROPERTY_NOT_SUPPORTED = 0xC00E0091
    MQ_ERROR_BAD_XML_FORMAT = 0xC00E0092
    MQ_ERROR_UNSUPPORTED_CLASS = 0xC00E0093
    MQ_ERROR_UNINITIALIZED_OBJECT = 0xC00E0094
    MQ_ERROR_CANNOT_CREATE_PSC_OBJECTS = 0xC00E0095
    MQ_ERROR_CANNOT_UPDATE_PSC_OBJECTS = 0xC00E0096
    MQ_ERROR_RESOLVE_ADDRESS = 0xC00E0099
    MQ_ERROR_TOO_MANY_PROPERTIES = 0xC00E009A
    MQ_ERROR_MESSAGE_NOT_AUTHENTICATED = 0xC00E009B
    MQ_ERROR_MESSAGE_LOCKED_UNDER_TRANSACTION = 0xC00E009C
    MQDS_UNKNOWN_SOURCE = 0xC00E0504
    # Not in [MS-MQMQ] 2.4 but returned by [MS-MQMP] and [MS-MQQP].
    MQ_INFORMATION_REMOTE_OPERATION = 0x400E03E8
    MQ_INFORMATION_REMOTE_CANCELED_BY_CLIENT = 0x400E03E9
    # Generic ones, of any Windows interface.
    E_FAIL = 0x80004005
    E_UNEXPECTED = 0x8000FFFF
    E_ACCESSDENIED = 0x80070005
    E_OUTOFMEMORY = 0x8007000E
    E_INVALIDARG = 0x80070057
    LDAP_BUSY = 0x8007200E
    STATUS_INVALID_HANDLE = 0xC0000008
    STATUS_INVALID_PARAMETER = 0xC000000D
    STATUS_ACCESS_DENIED = 0xC0000022
    STATUS_SHARING_VIOLATION = 0xC0000043
    STATUS_NOT_FOUND = 0xC0000225

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if isinstance(value, int) and -0x80000000 <= value < 0:
            return cls(value + 0x100000000)
        member = super()._missing_(value)
        if member is not None:
            member._name_ = f"0x{member & 0xFFFFFFFF:08X}"
        return member

    @property
    def severity(self) -> Severity:
        """What the high bits say; a bare Win32 or RPC number (5, 1722) has no such bits and is a failure all the same."""
        if self & FAILURE_BIT or 0 < self <= 0xFFFF:
            return Severity.ERROR
        return Severity.INFORMATION if self & INFORMATION_BIT else Severity.SUCCESS

    @property
    def success(self) -> bool:
        """Whether the call did its work, perhaps with a remark."""
        return self.severity is not Severity.ERROR

    @property
    def customer(self) -> bool:
        """Whether a vendor made this code up: such codes carry a bit that no code of Microsoft's has. [MS-MQMQ] 1.7"""
        return bool(self & CUSTOMER_BIT)

    @property
    def facility(self) -> int:
        """Who made the code: 14 is MSMQ."""
        return self >> 16 & 0x1FFF

    @property
    def code(self) -> int:
        """The number within its facility."""
        return self & 0xFFFF

    @property
    def signed(self) -> int:
        """The same 32 bits as .NET, VBScript and event logs print them."""
        return self - 0x100000000 if self & FAILURE_BIT else int(self)


SENTENCES: dict[HResult, str] = {
    HResult.MQ_OK: "The call did what was asked.",
    HResult.MQ_INFORMATION_PROPERTY: "The call went through, but at least one property was answered with a remark of its own.",
    HResult.MQ_INFORMATION_ILLEGAL_PROPERTY: "One property id is unknown here and was passed over.",
    HResult.MQ_INFORMATION_PROPERTY_IGNORED: "One property has no use in this call and was passed over.",
    HResult.MQ_INFORMATION_UNSUPPORTED_PROPERTY: "One property is not supported here and was passed over.",
    HResult.MQ_INFORMATION_DUPLICATE_PROPERTY: "One property was given twice and the repetition was passed over.",
    HResult.MQ_INFORMATION_OPERATION_PENDING: "An asynchronous call was accepted and has not finished yet.",
    HResult.MQ_INFORMATION_FORMATNAME_BUFFER_TOO_SMALL: "The queue was created, but its format name did not fit into the caller's buffer.",
    HResult.MQ_INFORMATION_INTERNAL_USER_CERT_EXIST: "The user already has an internal certificate.",
    HResult.MQ_INFORMATION_OWNER_IGNORED: "The security descriptor was applied without its owner.",
    HResult.MQ_ERROR: "Something failed and the queue manager has no better word for it.",
    HResult.MQ_ERROR_PROPERTY: "At least one property of the call is bad, and the status array says which.",
    HResult.MQ_ERROR_QUEUE_NOT_FOUND: "The queue does not exist, or the caller may not know that it does.",
    HResult.MQ_ERROR_QUEUE_NOT_ACTIVE: "The queue is not open at this queue manager, or does not exist.",
    HResult.MQ_ERROR_QUEUE_EXISTS: "A queue with this path name is already there.",
    HResult.MQ_ERROR_INVALID_PARAMETER: "An argument of the call makes no sense.",
    HResult.MQ_ERROR_INVALID_HANDLE: "The handle is not that of an open queue or cursor.",
    HResult.MQ_ERROR_OPERATION_CANCELLED: "The call was cancelled before it could finish, usually because its handle was closed.",
    HResult.MQ_ERROR_SHARING_VIOLATION: "Somebody has the queue open in a way that excludes this open.",
    HResult.MQ_ERROR_SERVICE_NOT_AVAILABLE: "The Message Queuing service is not running or cannot be reached.",
    HResult.MQ_ERROR_MACHINE_NOT_FOUND: "No computer of this name is known.",
    HResult.MQ_ERROR_ILLEGAL_SORT: "The sort order is invalid, for instance because a column is named twice.",
    HResult.MQ_ERROR_ILLEGAL_USER: "The user named in the call is not a valid one.",
    HResult.MQ_ERROR_NO_DS: "The directory cannot be reached, or does not let this caller in.",
    HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME: "The text is not a valid path name of a queue.",
    HResult.MQ_ERROR_ILLEGAL_PROPERTY_VALUE: "A property has a value that it cannot have.",
    HResult.MQ_ERROR_ILLEGAL_PROPERTY_VT: "A property was given with a type that it does not have.",
    HResult.MQ_ERROR_BUFFER_OVERFLOW: "A buffer for a message property is too small, and the message stayed in the queue.",
    HResult.MQ_ERROR_IO_TIMEOUT: "No matching message came within the time the caller was ready to wait.",
    HResult.MQ_ERROR_ILLEGAL_CURSOR_ACTION: "The cursor stands where it cannot move on, for instance before its first peek.",
    HResult.MQ_ERROR_MESSAGE_ALREADY_RECEIVED: "The message under the cursor was taken out of the queue by somebody else.",
    HResult.MQ_ERROR_ILLEGAL_FORMATNAME: "The text is not a valid format name.",
    HResult.MQ_ERROR_FORMATNAME_BUFFER_TOO_SMALL: "The caller's buffer cannot hold the format name.",
    HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION: "A format name of this kind cannot be used for this operation.",
    HResult.MQ_ERROR_ILLEGAL_SECURITY_DESCRIPTOR: "The security descriptor is malformed.",
    HResult.MQ_ERROR_SENDERID_BUFFER_TOO_SMALL: "The caller's buffer cannot hold the sender's id.",
    HResult.MQ_ERROR_SECURITY_DESCRIPTOR_TOO_SMALL: "The caller's buffer cannot hold the security descriptor.",
    HResult.MQ_ERROR_CANNOT_IMPERSONATE_CLIENT: "The RPC server could not take on the caller's identity and so cannot check rights.",
    HResult.MQ_ERROR_ACCESS_DENIED: "The caller lacks the right for this operation.",
    HResult.MQ_ERROR_PRIVILEGE_NOT_HELD: "The caller lacks a privilege, such as the one to read or change audit entries.",
    HResult.MQ_ERROR_INSUFFICIENT_RESOURCES: "Message Queuing lacks something: storage, quota, memory, threads, or the right to use them.",
    HResult.MQ_ERROR_USER_BUFFER_TOO_SMALL: "The caller's buffer cannot hold the answer.",
    HResult.MQ_ERROR_MESSAGE_STORAGE_FAILED: "A recoverable or journaled message could not be written to disk and was not sent.",
    HResult.MQ_ERROR_SENDER_CERT_BUFFER_TOO_SMALL: "The caller's buffer cannot hold the sender's certificate.",
    HResult.MQ_ERROR_INVALID_CERTIFICATE: "The user's certificate is invalid.",
    HResult.MQ_ERROR_CORRUPTED_INTERNAL_CERTIFICATE: "The internal certificate of Message Queuing is damaged.",
    HResult.MQ_ERROR_INTERNAL_USER_CERT_EXIST: "The user already has an internal certificate, so none was made.",
    HResult.MQ_ERROR_NO_INTERNAL_USER_CERT: "The user has no internal certificate.",
    HResult.MQ_ERROR_CORRUPTED_SECURITY_DATA: "A cryptographic call failed.",
    HResult.MQ_ERROR_CORRUPTED_PERSONAL_CERT_STORE: "The user's personal certificate store is damaged.",
    HResult.MQ_ERROR_COMPUTER_DOES_NOT_SUPPORT_ENCRYPTION: "The destination computer cannot take encrypted messages.",
    HResult.MQ_ERROR_BAD_SECURITY_CONTEXT: "The security context given with the call is invalid.",
    HResult.MQ_ERROR_COULD_NOT_GET_USER_SID: "The security identifier of the calling thread cannot be found out.",
    HResult.MQ_ERROR_COULD_NOT_GET_ACCOUNT_INFO: "The data of the user's account cannot be read.",
    HResult.MQ_ERROR_ILLEGAL_MQCOLUMNS: "The list of columns for a queue search is invalid.",
    HResult.MQ_ERROR_ILLEGAL_PROPID: "A property id is unknown.",
    HResult.MQ_ERROR_ILLEGAL_RELATION: "A comparison in a queue search is invalid.",
    HResult.MQ_ERROR_ILLEGAL_PROPERTY_SIZE: "The buffer for a message id or correlation id is not 20 octets long.",
    HResult.MQ_ERROR_ILLEGAL_RESTRICTION_PROPID: "A restriction of a queue search names a property that cannot restrict.",
    HResult.MQ_ERROR_ILLEGAL_MQQUEUEPROPS: "The queue properties structure is missing or empty.",
    HResult.MQ_ERROR_PROPERTY_NOTALLOWED: "The property exists but may not be used in this operation.",
    HResult.MQ_ERROR_INSUFFICIENT_PROPERTIES: "A property that the operation needs was not given.",
    HResult.MQ_ERROR_MACHINE_EXISTS: "The computer already has an MSMQ Configuration object in the directory.",
    HResult.MQ_ERROR_ILLEGAL_MQQMPROPS: "The machine properties structure is missing or empty.",
    HResult.MQ_ERROR_DS_IS_FULL: "The directory is full (MSMQ 1.0 and 2.0).",
    HResult.MQ_ERROR_DS_ERROR: "The directory failed internally.",
    HResult.MQ_ERROR_INVALID_OWNER: "The owner given for the object is invalid.",
    HResult.MQ_ERROR_UNSUPPORTED_ACCESS_MODE: "The queue cannot be opened with this access mode.",
    HResult.MQ_ERROR_RESULT_BUFFER_TOO_SMALL: "The caller's buffer cannot hold the result.",
    HResult.MQ_ERROR_DELETE_CN_IN_USE: "The connected network is still in use and cannot be deleted (MSMQ 1.0 and 2.0).",
    HResult.MQ_ERROR_NO_RESPONSE_FROM_OBJECT_SERVER: "The server that owns the object did not answer.",
    HResult.MQ_ERROR_OBJECT_SERVER_NOT_AVAILABLE: "The server that owns the object is not available.",
    HResult.MQ_ERROR_QUEUE_NOT_AVAILABLE: "Reading from a queue of another computer failed.",
    HResult.MQ_ERROR_DTC_CONNECT: "The Distributed Transaction Coordinator cannot be reached.",
    HResult.MQ_ERROR_TRANSACTION_IMPORT: "The transaction cannot be handed over to this queue manager.",
    HResult.MQ_ERROR_TRANSACTION_USAGE: "The operation and the queue do not agree about being transactional.",
    HResult.MQ_ERROR_TRANSACTION_SEQUENCE: "The steps of the transaction came in the wrong order.",
    HResult.MQ_ERROR_MISSING_CONNECTOR_TYPE: "An acknowledgment or a message secured by the application was sent without a connector type.",
    HResult.MQ_ERROR_STALE_HANDLE: "The handle is older than the last start of the service and must be closed.",
    HResult.MQ_ERROR_TRANSACTION_ENLIST: "The queue manager could not take part in the transaction.",
    HResult.MQ_ERROR_QUEUE_DELETED: "The queue was deleted while it was open, and its handle must be closed.",
    HResult.MQ_ERROR_ILLEGAL_CONTEXT: "The context argument of the call is invalid.",
    HResult.MQ_ERROR_ILLEGAL_SORT_PROPID: "The sort order names a property that cannot be sorted by.",
    HResult.MQ_ERROR_LABEL_TOO_LONG: "The message label is longer than 249 characters.",
    HResult.MQ_ERROR_LABEL_BUFFER_TOO_SMALL: "The caller's buffer cannot hold the message label.",
    HResult.MQ_ERROR_MQIS_SERVER_EMPTY: "The registry names no MQIS server (MSMQ 1.0 and 2.0).",
    HResult.MQ_ERROR_MQIS_READONLY_MODE: "The MQIS database takes no writes at present (MSMQ 1.0 and 2.0).",
    HResult.MQ_ERROR_SYMM_KEY_BUFFER_TOO_SMALL: "The caller's buffer cannot hold the symmetric key.",
    HResult.MQ_ERROR_SIGNATURE_BUFFER_TOO_SMALL: "The caller's buffer cannot hold the signature.",
    HResult.MQ_ERROR_PROV_NAME_BUFFER_TOO_SMALL: "The caller's buffer cannot hold the name of the cryptographic provider.",
    HResult.MQ_ERROR_ILLEGAL_OPERATION: "The operation is not possible for a foreign system, or this server no longer offers it.",
    HResult.MQ_ERROR_WRITE_NOT_ALLOWED: "The directory takes no writes while another MQIS server is being installed.",
    HResult.MQ_ERROR_WKS_CANT_SERVE_CLIENT: "This computer is not a supporting server and cannot serve dependent clients.",
    HResult.MQ_ERROR_DEPEND_WKS_LICENSE_OVERFLOW: "The supporting server already serves as many clients as it may.",
    HResult.MQ_CORRUPTED_QUEUE_WAS_DELETED: "The queue's file in the Lqs folder was damaged and has been removed.",
    HResult.MQ_ERROR_REMOTE_MACHINE_NOT_AVAILABLE: "The other computer cannot be reached.",
    HResult.MQ_ERROR_UNSUPPORTED_OPERATION: "The operation is not possible for a computer in workgroup mode.",
    HResult.MQ_ERROR_ENCRYPTION_PROVIDER_NOT_SUPPORTED: "Message Queuing does not support the cryptographic provider asked for.",
    HResult.MQ_ERROR_CANNOT_SET_CRYPTO_SEC_DESCR: "The rights on the cryptographic keys cannot be set.",
    HResult.MQ_ERROR_CERTIFICATE_NOT_PROVIDED: "An authenticated message was sent without a certificate.",
    HResult.MQ_ERROR_Q_DNS_PROPERTY_NOT_SUPPORTED: "The DNS path name of a queue cannot be used in this call.",
    HResult.MQ_ERROR_CANNOT_CREATE_CERT_STORE: "No certificate store can be created for the internal certificate.",
    HResult.MQ_ERROR_CANNOT_OPEN_CERT_STORE: "The certificate store of the internal certificate cannot be opened.",
    HResult.MQ_ERROR_ILLEGAL_ENTERPRISE_OPERATION: "The operation is not possible on the MsmqServices object.",
    HResult.MQ_ERROR_CANNOT_GRANT_ADD_GUID: "The current user cannot be given the Add GUID permission.",
    HResult.MQ_ERROR_CANNOT_LOAD_MSMQOCM: "The setup library Msmqocm.dll cannot be loaded (MSMQ 1.0 and 2.0).",
    HResult.MQ_ERROR_NO_ENTRY_POINT_MSMQOCM: "The setup library Msmqocm.dll lacks an entry point.",
    HResult.MQ_ERROR_NO_MSMQ_SERVERS_ON_DC: "No domain controller runs a Message Queuing server.",
    HResult.MQ_ERROR_CANNOT_JOIN_DOMAIN: "Message Queuing could not register in the domain and stays in workgroup mode.",
    HResult.MQ_ERROR_CANNOT_CREATE_ON_GC: "The object was not created on the global catalog server that was named.",
    HResult.MQ_ERROR_GUID_NOT_MATCHING: "No MSMQ Configuration object with the GUID of this installation could be made (MSMQ 1.0 and 2.0).",
    HResult.MQ_ERROR_PUBLIC_KEY_NOT_FOUND: "The public key of the other computer was not found.",
    HResult.MQ_ERROR_PUBLIC_KEY_DOES_NOT_EXIST: "The other computer has no public key.",
    HResult.MQ_ERROR_ILLEGAL_MQPRIVATEPROPS: "The private computer properties structure is missing or empty.",
    HResult.MQ_ERROR_NO_GC_IN_DOMAIN: "The domain has no global catalog server that can be found.",
    HResult.MQ_ERROR_NO_MSMQ_SERVERS_ON_GC: "No global catalog server runs a Message Queuing server.",
    HResult.MQ_ERROR_CANNOT_GET_DN: "The distinguished name of the local computer cannot be found out (MSMQ 1.0 and 2.0).",
    HResult.MQ_ERROR_CANNOT_HASH_DATA_EX: "The data of an authenticated message could not be hashed.",
    HResult.MQ_ERROR_CANNOT_SIGN_DATA_EX: "The message could not be signed and was not sent.",
    HResult.MQ_ERROR_CANNOT_CREATE_HASH_EX: "No hash object could be made for an authenticated message.",
    HResult.MQ_ERROR_FAIL_VERIFY_SIGNATURE_EX: "The signature of the received message does not verify.",
    HResult.MQ_ERROR_CANNOT_DELETE_PSC_OBJECTS: "The object belongs to a primary site controller and cannot be deleted from here.",
    HResult.MQ_ERROR_NO_MQUSER_OU: "The domain lacks the container MSMQ Users.",
    HResult.MQ_ERROR_CANNOT_LOAD_MQAD: "The directory library Mqad.dll cannot be loaded.",
    HResult.MQ_ERROR_CANNOT_LOAD_MQDSSRV: "This code is obsolete, and no version of MSMQ returns it.",
    HResult.MQ_ERROR_PROPERTIES_CONFLICT: "Two of the properties exclude each other.",
    HResult.MQ_ERROR_MESSAGE_NOT_FOUND: "The message is not in the queue, or not any more.",
    HResult.MQ_ERROR_CANT_RESOLVE_SITES: "The directory cannot tell in which site the computer is.",
    HResult.MQ_ERROR_NOT_SUPPORTED_BY_DEPENDENT_CLIENTS: "The operation is not possible through a supporting server.",
    HResult.MQ_ERROR_OPERATION_NOT_SUPPORTED_BY_REMOTE_COMPUTER: "The Message Queuing of the other computer lacks this operation.",
    HResult.MQ_ERROR_NOT_A_CORRECT_OBJECT_CLASS: "The directory object is of another class than the one asked for.",
    HResult.MQ_ERROR_MULTI_SORT_KEYS: "A queue search may be sorted by one property only.",
    HResult.MQ_ERROR_GC_NEEDED: "No MSMQ Configuration object with the GUID given can be created.",
    HResult.MQ_ERROR_DS_BIND_ROOT_FOREST: "Binding to the root of the forest failed, usually because of DNS.",
    HResult.MQ_ERROR_DS_LOCAL_USER: "A local account is anonymous to the directory and gets nothing from it.",
    HResult.MQ_ERROR_Q_ADS_PROPERTY_NOT_SUPPORTED: "The directory path of a queue cannot be used in this call.",
    HResult.MQ_ERROR_BAD_XML_FORMAT: "A property that must be an XML document is not one.",
    HResult.MQ_ERROR_UNSUPPORTED_CLASS: "The directory object is of a class that Message Queuing does not handle.",
    HResult.MQ_ERROR_UNINITIALIZED_OBJECT: "The MSMQManagement object was used before it was initialised.",
    HResult.MQ_ERROR_CANNOT_CREATE_PSC_OBJECTS: "The object must belong to a primary site controller and cannot be created from here.",
    HResult.MQ_ERROR_CANNOT_UPDATE_PSC_OBJECTS: "The object belongs to a primary site controller and cannot be changed from here.",
    HResult.MQ_ERROR_RESOLVE_ADDRESS: "The address in the format name cannot be resolved.",
    HResult.MQ_ERROR_TOO_MANY_PROPERTIES: "One call may carry 128 properties at most.",
    HResult.MQ_ERROR_MESSAGE_NOT_AUTHENTICATED: "The queue takes authenticated messages only, and this one is not.",
    HResult.MQ_ERROR_MESSAGE_LOCKED_UNDER_TRANSACTION: "Another transaction holds the message until it commits or aborts.",
    HResult.MQDS_UNKNOWN_SOURCE: "A directory change names a directory server that is not known here.",
    HResult.MQ_INFORMATION_REMOTE_OPERATION: "The queue is on another computer, and the caller must make the cursor there.",
    HResult.MQ_INFORMATION_REMOTE_CANCELED_BY_CLIENT: "The waiting remote read ended because its client cancelled it.",
    HResult.E_FAIL: "Something failed and nobody said what.",
    HResult.E_UNEXPECTED: "Something happened that the server did not provide for.",
    HResult.E_ACCESSDENIED: "Windows denied access.",
    HResult.E_OUTOFMEMORY: "Memory ran out.",
    HResult.E_INVALIDARG: "An argument of the call is invalid.",
    HResult.LDAP_BUSY: "The directory server is too busy to answer.",
    HResult.STATUS_INVALID_HANDLE: "The cursor is unknown or already closed.",
    HResult.STATUS_INVALID_PARAMETER: "An argument does not fit, for instance an unknown cursor or a move between unrelated queues.",
    HResult.STATUS_ACCESS_DENIED: "The queue was not opened in a way that allows this operation.",
    HResult.STATUS_SHARING_VIOLATION: "Somebody has the queue open in a way that excludes this open.",
    HResult.STATUS_NOT_FOUND: "There was nothing to cancel: no read is waiting with that tag.",
}
