"""Every property id, one enum for each number space: name, number, type of the value, meaning, limits. [MS-MQMQ] 2.3

The spaces overlap, so each is a type of its own: the call that carries an id decides which is meant. What the numbers are used for
is asked through `property`. Ordered by number, which is not the order of the document.
"""

from __future__ import annotations

from msmqctl.wire.property import AnyOf, Between, Length, MulticastAddress, ObjectType, OneOf, PropertyId
from msmqctl.wire.values import VarType
from msmqctl.wire.variant import vector_of

_BOOL, _CLSID, _BLOB, _LPWSTR = VarType.VT_BOOL, VarType.VT_CLSID, VarType.VT_BLOB, VarType.VT_LPWSTR
_UI1, _UI2, _UI4, _UI8 = VarType.VT_UI1, VarType.VT_UI2, VarType.VT_UI4, VarType.VT_UI8
_I2, _I4, _I8 = VarType.VT_I2, VarType.VT_I4, VarType.VT_I8
_UI1S, _CLSIDS, _LPWSTRS, _VARIANTS = vector_of(_UI1), vector_of(_CLSID), vector_of(_LPWSTR), vector_of(VarType.VT_VARIANT)

_NO_YES = OneOf({0: "no", 1: "yes"})
_SCOPE = OneOf({0: "MQDS_SITESCOPE", 1: "MQDS_ENTERPRISESCOPE"})
_SERVICES = {1: "routing server", 2: "backup site controller", 4: "primary site controller", 8: "primary enterprise controller"}
_ANY_SERVICE = AnyOf({**_SERVICES, 0x10: "RAS server"})
_ONE_SERVICE = OneOf({0: "none", **_SERVICES})
_SECURITY_PARTS = AnyOf({1: "owner", 2: "group", 4: "DACL", 8: "SACL"})
_LINK_COST = Between(1, 999999)
_IDENTIFIER = Length(20, 20)
_SEQUENCE_INFO = Length(16, 16)


class DirectoryProperty(PropertyId):
    """Properties of directory objects and of notices about them. [MS-MQMQ] 2.3.1 to 2.3.10, 2.3.13"""

    # Queue. [MS-MQMQ] 2.3.1
    PROPID_Q_INSTANCE = 101, _CLSID, "GUID of the queue"
    PROPID_Q_TYPE = 102, _CLSID, "kind of service behind the queue, a GUID that its application chose"
    PROPID_Q_PATHNAME = 103, _LPWSTR, "path name, given when the queue is made and never changed"
    PROPID_Q_JOURNAL = 104, _UI1, "whether messages that are taken out leave a copy", OneOf({0: "MQ_JOURNAL_NONE", 1: "MQ_JOURNAL"})
    PROPID_Q_QUOTA = 105, _UI4, "how large the queue may grow, in KB"
    PROPID_Q_BASEPRIORITY = 106, _I2, "priority of the queue against others; public queues only", Between(-32768, 32767)
    PROPID_Q_JOURNAL_QUOTA = 107, _UI4, "how large the queue's journal may grow, in KB"
    PROPID_Q_LABEL = 108, _LPWSTR, "description for people", Length(0, 124)
    PROPID_Q_CREATE_TIME = 109, _I4, "when the queue was made, seconds since 1970 UTC"
    PROPID_Q_MODIFY_TIME = 110, _I4, "when its properties last changed, seconds since 1970 UTC"
    PROPID_Q_AUTHENTICATE = 111, _UI1, "whether only signed messages come in", OneOf({0: "MQ_AUTHENTICATE_NONE", 1: "MQ_AUTHENTICATE"})
    PROPID_Q_PRIV_LEVEL = (
        112,
        _UI4,
        "whether encrypted messages may or must come in",
        OneOf({0: "MQ_PRIV_LEVEL_NONE", 1: "MQ_PRIV_LEVEL_OPTIONAL", 2: "MQ_PRIV_LEVEL_BODY"}),
    )
    PROPID_Q_TRANSACTION = 113, _UI1, "whether the queue is transactional", OneOf({0: "MQ_TRANSACTIONAL_NONE", 1: "MQ_TRANSACTIONAL"})
    PROPID_Q_SCOPE = 114, _UI1, "how far the queue is known", _SCOPE
    PROPID_Q_QMID = 115, _CLSID, "GUID of the queue manager that holds the queue"
    PROPID_Q_PARTITIONID = 116, _CLSID, "replication group of the object"
    PROPID_Q_SEQNUM = 117, _BLOB, "replication sequence number of the object"
    PROPID_Q_HASHKEY = 118, _UI4, "reserved"
    PROPID_Q_LABEL_HASHKEY = 119, _UI4, "reserved"
    PROPID_Q_FULL_PATH = 121, _LPWSTR, "distinguished name of the queue object"
    PROPID_Q_NAME_SUFFIX = 123, _LPWSTR, "what does not fit into the 64 characters of the object's own name"
    PROPID_Q_PATHNAME_DNS = 124, _LPWSTR, "path name with the computer's full DNS name"
    PROPID_Q_MULTICAST_ADDRESS = 125, _LPWSTR, "group and port that the queue listens to", MulticastAddress()
    PROPID_Q_ADS_PATH = 126, _LPWSTR, "LDAP address of the queue object"

    # Machine. [MS-MQMQ] 2.3.2
    PROPID_QM_SITE_ID = 201, _CLSID, "GUID of the site the queue manager is in"
    PROPID_QM_MACHINE_ID = 202, _CLSID, "GUID of the queue manager"
    PROPID_QM_PATHNAME = 203, _LPWSTR, "name of the computer"
    PROPID_QM_ENCRYPTION_PK = 205, _UI1S, "public key for encryption, in its oldest form"
    PROPID_QM_ADDRESS = 206, _BLOB, "transport addresses, a list of TA_ADDRESS"
    PROPID_QM_CNS = 207, _CLSIDS, "GUIDs of the connected networks"
    PROPID_QM_OUTFRS = 208, _CLSIDS, "GUIDs of the routing servers for what goes out"
    PROPID_QM_INFRS = 209, _CLSIDS, "GUIDs of the routing servers for what comes in"
    PROPID_QM_SERVICE = 210, _UI4, "services that the computer offers", _ANY_SERVICE
    PROPID_QM_PARTITIONID = 211, _CLSID, "replication group of the object"
    PROPID_QM_HASHKEY = 212, _UI4, "reserved"
    PROPID_QM_SEQNUM = 213, _BLOB, "replication sequence number of the object"
    PROPID_QM_QUOTA = 214, _UI4, "how much disk all queues together may take"
    PROPID_QM_JOURNAL_QUOTA = 215, _UI4, "how large the computer's journal may grow, in KB"
    PROPID_QM_MACHINE_TYPE = 216, _LPWSTR, "versions of system and MSMQ as text, or nothing"
    PROPID_QM_CREATE_TIME = 217, _I4, "when the object was made, seconds since 1970 UTC"
    PROPID_QM_MODIFY_TIME = 218, _I4, "when its properties last changed, seconds since 1970 UTC"
    PROPID_QM_FOREIGN = 219, _UI1, "whether another messaging system stands behind it", OneOf({0: "MSMQ_MACHINE", 1: "FOREIGN_MACHINE"})
    PROPID_QM_OS = (
        220,
        _UI4,
        "kind of operating system",
        OneOf(
            {
                0x000: "MSMQ_OS_NONE",
                0x100: "MSMQ_OS_FOREIGN",
                0x200: "MSMQ_OS_95",
                0x300: "MSMQ_OS_NTW",
                0x400: "MSMQ_OS_NTS",
                0x500: "MSMQ_OS_NTE",
            }
        ),
    )
    PROPID_QM_FULL_PATH = 221, _LPWSTR, "distinguished name of the MSMQ Configuration object"
    PROPID_QM_SITE_IDS = 222, _CLSIDS, "GUIDs of every site the computer is in"
    PROPID_QM_OUTFRS_DN = 223, _LPWSTRS, "distinguished names of the routing servers for what goes out"
    PROPID_QM_INFRS_DN = 224, _LPWSTRS, "distinguished names of the routing servers for what comes in"
    PROPID_QM_SERVICE_ROUTING = 227, _UI1, "whether it is a routing server", _NO_YES
    PROPID_QM_SERVICE_DSSERVER = 228, _UI1, "whether it gives access to the directory", _NO_YES
    PROPID_QM_SERVICE_DEPCLIENTS = 229, _UI1, "whether it serves clients that have no queue manager", _NO_YES
    PROPID_QM_ENCRYPTION_PK_BASE = 231, _UI1S, "public key for encryption with the base provider"
    PROPID_QM_ENCRYPTION_PK_ENHANCED = 232, _UI1S, "public key for encryption with the 128-bit provider"
    PROPID_QM_PATHNAME_DNS = 233, _LPWSTR, "full DNS name of the computer"
    PROPID_QM_OBJ_SECURITY = 234, _BLOB, "security descriptor of the MSMQ Configuration object"
    PROPID_QM_SECURITY_INFORMATION = 237, _UI4, "which parts of the descriptor a call is about", _SECURITY_PARTS
    # Departs from [MS-MQMQ] 2.3.2.32: the text calls these signing keys, copied from its neighbour; they encrypt.
    PROPID_QM_ENCRYPT_PKS = 238, _BLOB, "public keys for encryption, an MQDSPUBLICKEYS"
    PROPID_QM_SIGN_PKS = 239, _BLOB, "public keys for signatures, an MQDSPUBLICKEYS"
    PROPID_QM_OWNER_SID = 241, _BLOB, "SID of whoever installed MSMQ"
    PROPID_QM_GROUP_IN_CLUSTER = 242, _UI1, "whether it runs in a cluster group", _NO_YES

    # Site. [MS-MQMQ] 2.3.3
    PROPID_S_PATHNAME = 301, _LPWSTR, "name of the site"
    PROPID_S_SITEID = 302, _CLSID, "GUID of the site"
    PROPID_S_GATES = 303, _CLSIDS, "GUIDs of the queue managers that are gates of the site"
    PROPID_S_PSC = 304, _LPWSTR, "computer that is the primary site controller"
    PROPID_S_INTERVAL1 = 305, _UI2, "seconds between replications inside the site"
    PROPID_S_INTERVAL2 = 306, _UI2, "seconds between replications to other sites"
    PROPID_S_PARTITIONID = 307, _CLSID, "replication group of the object"
    PROPID_S_SEQNUM = 308, _BLOB, "replication sequence number of the object"
    PROPID_S_FULL_NAME = 309, _LPWSTR, "distinguished name of the site"
    PROPID_S_NT4_STUB = 310, _UI2, "whether the site came over from an MQIS database", _NO_YES
    PROPID_S_FOREIGN = 311, _UI1, "whether the site stands for another messaging system", _NO_YES
    PROPID_S_DONOTHING = 312, _UI1, "where replication drops values that nobody uses"

    # Connected network. [MS-MQMQ] 2.3.4
    PROPID_CN_PROTOCOLID = 501, _UI1, "protocol of the network", OneOf({1: "IP", 3: "IPX", 5: "foreign"})
    PROPID_CN_NAME = 502, _LPWSTR, "name of the network"
    PROPID_CN_GUID = 503, _CLSID, "GUID of the network"
    PROPID_CN_PARTITIONID = 504, _CLSID, "replication group of the object"
    PROPID_CN_SEQNUM = 505, _BLOB, "replication sequence number of the object"

    # Enterprise. [MS-MQMQ] 2.3.5
    PROPID_E_NAME = 601, _LPWSTR, "name of the enterprise"
    PROPID_E_NAMESTYLE = 602, _UI1, "whether security is weakened for old clients", OneOf({0: "no", 1: "yes", 2: "built-in default, no"})
    PROPID_E_CSP_NAME = 603, _LPWSTR, "cryptographic provider"
    PROPID_E_PECNAME = 604, _LPWSTR, "computer that is the primary enterprise controller"
    PROPID_E_S_INTERVAL1 = 605, _UI2, "reserved"
    PROPID_E_S_INTERVAL2 = 606, _UI2, "reserved"
    PROPID_E_PARTITIONID = 607, _CLSID, "replication group of the object"
    PROPID_E_SEQNUM = 608, _BLOB, "replication sequence number of the object"
    PROPID_E_ID = 609, _CLSID, "GUID of the enterprise"
    PROPID_E_CRL = 610, _BLOB, "reserved"
    PROPID_E_CSP_TYPE = 611, _UI4, "reserved"
    PROPID_E_ENCRYPT_ALG = 612, _UI4, "reserved"
    PROPID_E_SIGN_ALG = 613, _UI4, "reserved"
    PROPID_E_HASH_ALG = 614, _UI4, "reserved"
    PROPID_E_CIPHER_MODE = 615, _UI4, "reserved"
    PROPID_E_LONG_LIVE = 616, _UI4, "seconds a message has to reach its queue if its sender gave none"
    PROPID_E_VERSION = 617, _UI2, "version of what the directory keeps"

    # User. [MS-MQMQ] 2.3.6
    PROPID_U_SID = 701, _BLOB, "SID of the user"
    PROPID_U_SIGN_CERT = 702, _BLOB, "certificates that the user signs with, an MQUSERSIGNCERTS"
    PROPID_U_PARTITIONID = 703, _CLSID, "replication group of the object"
    PROPID_U_SEQNUM = 704, _BLOB, "replication sequence number of the object"
    PROPID_U_DIGEST = 705, _CLSIDS, "MD5 digest of each certificate, in the shape of a GUID"
    PROPID_U_ID = 706, _CLSID, "GUID of the user object"

    # Routing link. [MS-MQMQ] 2.3.7
    PROPID_L_NEIGHBOR1 = 801, _CLSID, "GUID of the site at one end"
    PROPID_L_NEIGHBOR2 = 802, _CLSID, "GUID of the site at the other end"
    PROPID_L_COST = 803, _UI4, "what sending over the link costs, against other links", _LINK_COST
    PROPID_L_PARTITIONID = 804, _CLSID, "replication group of the object"
    PROPID_L_SEQNUM = 805, _BLOB, "replication sequence number of the object"
    PROPID_L_ID = 806, _CLSID, "GUID of the link"
    PROPID_L_GATES_DN = 807, _LPWSTRS, "distinguished names of the gates on the link"
    PROPID_L_NEIGHBOR1_DN = 808, _LPWSTR, "distinguished name of the site at one end"
    PROPID_L_NEIGHBOR2_DN = 809, _LPWSTR, "distinguished name of the site at the other end"
    PROPID_L_DESCRIPTION = 810, _LPWSTR, "description for people"
    PROPID_L_FULL_PATH = 811, _LPWSTR, "distinguished name of the link"
    PROPID_L_ACTUAL_COST = 812, _UI4, "the cost before any translation", _LINK_COST
    PROPID_L_GATES = 813, _CLSIDS, "GUIDs of the gates on the link"

    # The second thousand: security and keys of the same objects, and notices of deletion. [MS-MQMQ] 2.3.1 to 2.3.5, 2.3.13
    PROPID_Q_SECURITY = 1101, _BLOB, "security descriptor of the queue"
    PROPID_Q_OBJ_SECURITY = 1102, _BLOB, "security descriptor of the queue's directory object"
    PROPID_Q_SECURITY_INFORMATION = 1103, _UI4, "which parts of the descriptor a call is about", _SECURITY_PARTS
    PROPID_QM_SECURITY = 1201, _BLOB, "security descriptor of the queue manager"
    PROPID_QM_SIGN_PK = 1202, _BLOB, "public keys for signatures, given when the object is made"
    PROPID_QM_ENCRYPT_PK = 1203, _BLOB, "public keys for encryption, given when the object is made"
    PROPID_QM_UPGRADE_DACL = 1205, _BLOB, "asks the primary enterprise controller to renew the caller's rights; the value means nothing"
    PROPID_S_SECURITY = 1301, _BLOB, "security descriptor of the site"
    PROPID_S_PSC_SIGNPK = 1302, _BLOB, "public keys that the primary site controller signs with"
    PROPID_S_SECURITY_INFORMATION = 1303, _UI4, "which parts of the descriptor a call is about", _SECURITY_PARTS
    PROPID_D_SEQNUM = 1401, _BLOB, "replication sequence number of the deleted object"
    PROPID_D_PARTITIONID = 1402, _CLSID, "replication group of the deleted object"
    PROPID_D_SCOPE = 1403, _UI1, "how far the notice goes", _SCOPE
    PROPID_D_OBJTYPE = 1404, _UI1, "kind of the deleted object", OneOf({int(kind): kind.name for kind in ObjectType})
    PROPID_D_IDENTIFIER = 1405, _CLSID, "GUID of the deleted object"
    PROPID_CN_SECURITY = 1501, _BLOB, "security descriptor of the network"
    PROPID_E_SECURITY = 1601, _BLOB, "security descriptor of the enterprise"

    # Settings. [MS-MQMQ] 2.3.8
    PROPID_SET_NAME = 5101, _LPWSTR, "name of the object, the same everywhere", OneOf({"MSMQ Settings": "MSMQ Settings"})
    PROPID_SET_SERVICE = 5102, _UI4, "service that the computer offers in the site", _ONE_SERVICE
    PROPID_SET_QM_ID = 5103, _CLSID, "GUID of the queue manager"
    PROPID_SET_FULL_PATH = 5105, _LPWSTR, "distinguished name of the settings object"
    PROPID_SET_NT4 = 5106, _UI1, "whether it is a server of MSMQ 1", _NO_YES
    PROPID_SET_PARTITIONID = 5107, _CLSID, "replication group of the object"
    PROPID_SET_SITENAME = 5108, _LPWSTR, "name of the site"
    PROPID_SET_SERVICE_ROUTING = 5109, _UI1, "whether it is a routing server", _NO_YES
    PROPID_SET_SERVICE_DSSERVER = 5110, _UI1, "whether it gives MSMQ 2 clients access to the directory", _NO_YES
    PROPID_SET_SERVICE_DEPCLIENTS = 5111, _UI1, "whether it can serve clients that have no queue manager", _NO_YES
    PROPID_SET_OLDSERVICE = 5112, _UI4, "service of the computer, in its older form", _ONE_SERVICE

    # Computer. [MS-MQMQ] 2.3.10
    PROPID_COM_FULL_PATH = 5201, _LPWSTR, "distinguished name of the computer"
    PROPID_COM_SAM_ACCOUNT = 5202, _LPWSTR, "account of the computer: its name, cut short, and a dollar sign", Length(0, 20)
    PROPID_COM_ACCOUNT_CONTROL = 5204, _UI4, "account flags of [MS-SAMR] 2.2.1.13"
    PROPID_COM_DNS_HOSTNAME = 5205, _LPWSTR, "full DNS name of the computer"
    PROPID_COM_SID = 5206, _BLOB, "SID of the computer"
    PROPID_COM_SIGN_CERT = 5207, _BLOB, "certificate of the computer"
    PROPID_COM_DIGEST = 5208, _CLSIDS, "MD5 digest of each certificate, in the shape of a GUID"
    PROPID_COM_ID = 5209, _CLSID, "GUID of the computer object"

    # MQUser, a migrated user. [MS-MQMQ] 2.3.9
    PROPID_MQU_SID = 5401, _BLOB, "SID of the user"
    PROPID_MQU_SIGN_CERT = 5402, _BLOB, "certificate that the user signs with"
    PROPID_MQU_DIGEST = 5405, _CLSIDS, "MD5 digest of each certificate, in the shape of a GUID"
    PROPID_MQU_ID = 5406, _CLSID, "GUID of the user object"
    PROPID_MQU_SECURITY = 5407, _BLOB, "security descriptor of the user object"

    # The computer itself, asked through the local API only; from public headers, the types unverified.
    PROPID_PC_VERSION = 5801, _UI4, "version of MSMQ on this computer"
    PROPID_PC_DS_ENABLED = 5802, _BOOL, "whether this computer uses the directory"


class MachineProperty(PropertyId):
    """What a queue manager says of itself when it is managed. [MS-MQMQ] 2.3.11"""

    PROPID_MGMT_MSMQ_ACTIVEQUEUES = 1, _LPWSTRS, "format names of the queues in use"
    PROPID_MGMT_MSMQ_PRIVATEQ = 2, _LPWSTRS, "path names of the private queues"
    PROPID_MGMT_MSMQ_DSSERVER = 3, _LPWSTR, "directory server in use, behind two backslashes"
    PROPID_MGMT_MSMQ_CONNECTED = (
        4,
        _LPWSTR,
        "whether it is on the network",
        OneOf({"CONNECTED": "MSMQ_CONNECTED", "DISCONNECTED": "MSMQ_DISCONNECTED"}),
    )
    PROPID_MGMT_MSMQ_TYPE = 5, _LPWSTR, "versions of system and MSMQ as text"
    PROPID_MGMT_MSMQ_BYTES_IN_ALL_QUEUES = 6, _I8, "octets of all messages in all queues"


_XACT = OneOf({"UNKNOWN": "MGMT_QUEUE_UNKNOWN_TYPE", "YES": "MGMT_QUEUE_TRANSACTIONAL_TYPE", "NO": "MGMT_QUEUE_NOT_TRANSACTIONAL_TYPE"})
_FOREIGN = OneOf({"UNKNOWN": "MGMT_QUEUE_UNKNOWN_TYPE", "YES": "MGMT_QUEUE_FOREIGN_TYPE", "NO": "MGMT_QUEUE_NOT_FOREIGN_TYPE"})
_LOCATION = OneOf({"LOCAL": "MGMT_QUEUE_LOCAL_LOCATION", "REMOTE": "MGMT_QUEUE_REMOTE_LOCATION"})
_KIND = OneOf({word: f"MGMT_QUEUE_TYPE_{word}" for word in ("PUBLIC", "PRIVATE", "MACHINE", "CONNECTOR", "MULTICAST")})
# Departs from [MS-MQMQ] 2.3.12.11: LOCKED is added, a ninth state that public headers and [MS-MQDMPR] have.
_STATE = OneOf(
    {
        "LOCAL CONNECTION": "MGMT_QUEUE_STATE_LOCAL",
        "INACTIVE": "MGMT_QUEUE_STATE_NONACTIVE",
        "WAITING": "MGMT_QUEUE_STATE_WAITING",
        "NEED VALIDATION": "MGMT_QUEUE_STATE_NEED_VALIDATE",
        "ONHOLD": "MGMT_QUEUE_STATE_ONHOLD",
        "CONNECTED": "MGMT_QUEUE_STATE_CONNECTED",
        "DISCONNECTING": "MGMT_QUEUE_STATE_DISCONNECTING",
        "DISCONNECTED": "MGMT_QUEUE_STATE_DISCONNECTED",
        "LOCKED": "MGMT_QUEUE_STATE_LOCKED",
    }
)


class QueueProperty(PropertyId):
    """What a queue manager says of one of its queues when it is managed. [MS-MQMQ] 2.3.12"""

    PROPID_MGMT_QUEUE_PATHNAME = 1, _LPWSTR, "path name"
    PROPID_MGMT_QUEUE_FORMATNAME = 2, _LPWSTR, "format name"
    PROPID_MGMT_QUEUE_TYPE = 3, _LPWSTR, "kind of queue", _KIND
    PROPID_MGMT_QUEUE_LOCATION = 4, _LPWSTR, "whether the queue is on this computer", _LOCATION
    PROPID_MGMT_QUEUE_XACT = 5, _LPWSTR, "whether the queue is transactional", _XACT
    PROPID_MGMT_QUEUE_FOREIGN = 6, _LPWSTR, "whether the queue belongs to another messaging system", _FOREIGN
    PROPID_MGMT_QUEUE_MESSAGE_COUNT = 7, _UI4, "messages in the queue"
    PROPID_MGMT_QUEUE_BYTES_IN_QUEUE = 8, _UI4, "octets in the queue; before MSMQ 3 PROPID_MGMT_QUEUE_USED_QUOTA"
    PROPID_MGMT_QUEUE_JOURNAL_MESSAGE_COUNT = 9, _UI4, "messages in the queue's journal"
    PROPID_MGMT_QUEUE_BYTES_IN_JOURNAL = 10, _UI4, "octets in the queue's journal; before MSMQ 3 PROPID_MGMT_QUEUE_JOURNAL_USED_QUOTA"
    PROPID_MGMT_QUEUE_STATE = 11, _LPWSTR, "state of the connection", _STATE
    PROPID_MGMT_QUEUE_NEXTHOPS = 12, _LPWSTRS, "addresses of the next hop, several while none is chosen"
    PROPID_MGMT_QUEUE_EOD_LAST_ACK = 13, _BLOB, "place of the last message with an order acknowledgment", _SEQUENCE_INFO
    PROPID_MGMT_QUEUE_EOD_LAST_ACK_TIME = 14, _I4, "when the last order acknowledgment came, seconds since 1970 UTC"
    PROPID_MGMT_QUEUE_EOD_LAST_ACK_COUNT = 15, _UI4, "how often the last order acknowledgment came"
    PROPID_MGMT_QUEUE_EOD_FIRST_NON_ACK = 16, _BLOB, "place of the first message without one", _SEQUENCE_INFO
    PROPID_MGMT_QUEUE_EOD_LAST_NON_ACK = 17, _BLOB, "place of the last message without one", _SEQUENCE_INFO
    PROPID_MGMT_QUEUE_EOD_NEXT_SEQ = 18, _BLOB, "place of the message to be sent next", _SEQUENCE_INFO
    PROPID_MGMT_QUEUE_EOD_NO_READ_COUNT = 19, _UI4, "messages that arrived and nobody has received yet"
    PROPID_MGMT_QUEUE_EOD_NO_ACK_COUNT = 20, _UI4, "messages sent, arrival not confirmed"
    PROPID_MGMT_QUEUE_EOD_RESEND_TIME = 21, _I4, "when they are sent again, seconds since 1970 UTC"
    PROPID_MGMT_QUEUE_EOD_RESEND_INTERVAL = 22, _UI4, "seconds between attempts"
    PROPID_MGMT_QUEUE_EOD_RESEND_COUNT = 23, _UI4, "how often the last message was sent"
    PROPID_MGMT_QUEUE_EOD_SOURCE_INFO = 24, _VARIANTS, "the transactional streams that come in, six parallel vectors"
    PROPID_MGMT_QUEUE_CONNECTION_HISTORY = 25, _VARIANTS, "the attempts to connect, four parallel vectors"
    PROPID_MGMT_QUEUE_SUBQUEUE_COUNT = 26, _UI4, "number of subqueues"
    PROPID_MGMT_QUEUE_SUBQUEUE_NAMES = 27, _LPWSTRS, "names of the subqueues"


class MessageProperty(PropertyId):
    """Properties of a message. From public headers, since [MS-MQMQ] has none; not every type is confirmed by the API reference."""

    PROPID_M_CLASS = 1, _UI2, "what kind of message it is, or what an acknowledgment reports"
    PROPID_M_MSGID = 2, _UI1S, "identifier: the sender's GUID and a number", _IDENTIFIER
    PROPID_M_CORRELATIONID = 3, _UI1S, "identifier of the message this one belongs to", _IDENTIFIER
    PROPID_M_PRIORITY = 4, _UI1, "place in the queue, higher ones first", Between(0, 7)
    PROPID_M_DELIVERY = 5, _UI1, "whether it survives a restart", OneOf({0: "express", 1: "recoverable"})
    PROPID_M_ACKNOWLEDGE = 6, _UI1, "which acknowledgments the sender wants"
    PROPID_M_JOURNAL = 7, _UI1, "what to keep of it at the sender", AnyOf({1: "dead letter", 2: "journal"})
    PROPID_M_APPSPECIFIC = 8, _UI4, "number for the application"
    PROPID_M_BODY = 9, _UI1S, "body"
    PROPID_M_BODY_SIZE = 10, _UI4, "octets of the body"
    PROPID_M_LABEL = 11, _LPWSTR, "label", Length(0, 249)
    PROPID_M_LABEL_LEN = 12, _UI4, "characters of the label, with its NUL"
    PROPID_M_TIME_TO_REACH_QUEUE = 13, _UI4, "seconds it has to reach its queue; 0xFFFFFFFE is the enterprise's default"
    PROPID_M_TIME_TO_BE_RECEIVED = 14, _UI4, "seconds it has to be received"
    PROPID_M_RESP_QUEUE = 15, _LPWSTR, "queue for answers"
    PROPID_M_RESP_QUEUE_LEN = 16, _UI4, "characters of its format name"
    PROPID_M_ADMIN_QUEUE = 17, _LPWSTR, "queue for acknowledgments"
    PROPID_M_ADMIN_QUEUE_LEN = 18, _UI4, "characters of its format name"
    PROPID_M_VERSION = 19, _UI4, "version of the packet"
    PROPID_M_SENDERID = 20, _UI1S, "who sent it, a SID or a queue manager's GUID"
    PROPID_M_SENDERID_LEN = 21, _UI4, "octets of the sender's identifier"
    PROPID_M_SENDERID_TYPE = 22, _UI4, "kind of the sender's identifier"
    PROPID_M_PRIV_LEVEL = 23, _UI4, "how the body is encrypted", OneOf({0: "none", 1: "40 bits", 3: "128 bits", 5: "AES"})
    PROPID_M_AUTH_LEVEL = 24, _UI4, "whether to sign", OneOf({0: "never", 1: "always", 2: "Sig10", 4: "Sig20", 8: "Sig30"})
    PROPID_M_AUTHENTICATED = 25, _UI1, "whether the signature was verified"
    PROPID_M_HASH_ALG = 26, _UI4, "algorithm of the digest"
    PROPID_M_ENCRYPTION_ALG = 27, _UI4, "algorithm of the encryption"
    PROPID_M_SENDER_CERT = 28, _UI1S, "certificate of the sender"
    PROPID_M_SENDER_CERT_LEN = 29, _UI4, "octets of the certificate"
    PROPID_M_SRC_MACHINE_ID = 30, _CLSID, "GUID of the queue manager that sent it"
    PROPID_M_SENTTIME = 31, _UI4, "when it was sent, seconds since 1970 UTC"
    PROPID_M_ARRIVEDTIME = 32, _UI4, "when it arrived, seconds since 1970 UTC"
    PROPID_M_DEST_QUEUE = 33, _LPWSTR, "queue it was sent to"
    PROPID_M_DEST_QUEUE_LEN = 34, _UI4, "characters of its format name"
    PROPID_M_EXTENSION = 35, _UI1S, "octets for connectors and applications beside the body"
    PROPID_M_EXTENSION_LEN = 36, _UI4, "how many those are"
    PROPID_M_SECURITY_CONTEXT = 37, _UI4, "handle of a security context on this computer"
    PROPID_M_CONNECTOR_TYPE = 38, _CLSID, "GUID of the foreign system behind the connector"
    PROPID_M_XACT_STATUS_QUEUE = 39, _LPWSTR, "queue in which a connector reports on a transaction"
    PROPID_M_XACT_STATUS_QUEUE_LEN = 40, _UI4, "characters of its format name"
    PROPID_M_TRACE = 41, _UI1, "whether the route is reported"
    PROPID_M_BODY_TYPE = 42, _UI4, "type of what the body holds"
    PROPID_M_DEST_SYMM_KEY = 43, _UI1S, "key that the body is encrypted with, itself encrypted"
    PROPID_M_DEST_SYMM_KEY_LEN = 44, _UI4, "octets of that key"
    PROPID_M_SIGNATURE = 45, _UI1S, "signature"
    PROPID_M_SIGNATURE_LEN = 46, _UI4, "octets of the signature"
    PROPID_M_PROV_TYPE = 47, _UI4, "type of the cryptographic provider"
    PROPID_M_PROV_NAME = 48, _LPWSTR, "name of the cryptographic provider"
    PROPID_M_PROV_NAME_LEN = 49, _UI4, "characters of that name"
    PROPID_M_FIRST_IN_XACT = 50, _UI1, "whether it is the first of its transaction"
    PROPID_M_LAST_IN_XACT = 51, _UI1, "whether it is the last of its transaction"
    PROPID_M_XACTID = 52, _UI1S, "transaction: the sender's GUID and a number", _IDENTIFIER
    PROPID_M_AUTHENTICATED_EX = 53, _UI1, "kind of signature verified", OneOf({0: "none", 1: "Sig10", 3: "Sig20", 5: "Sig30", 9: "XML"})
    PROPID_M_RESP_FORMAT_NAME = 54, _LPWSTR, "queues for answers, as one multiple-element name"
    PROPID_M_RESP_FORMAT_NAME_LEN = 55, _UI4, "characters of that name"
    PROPID_M_DEST_FORMAT_NAME = 58, _LPWSTR, "queues it was sent to, as one multiple-element name"
    PROPID_M_DEST_FORMAT_NAME_LEN = 59, _UI4, "characters of that name"
    PROPID_M_LOOKUPID = 60, _UI8, "number to find it by in its queue"
    PROPID_M_SOAP_ENVELOPE = 61, _LPWSTR, "SOAP envelope it came in"
    PROPID_M_SOAP_ENVELOPE_LEN = 62, _UI4, "characters of the envelope"
    PROPID_M_COMPOUND_MESSAGE = 63, _UI1S, "whole HTTP body it came in"
    PROPID_M_COMPOUND_MESSAGE_SIZE = 64, _UI4, "octets of that body"
    PROPID_M_SOAP_HEADER = 65, _LPWSTR, "further elements for the SOAP header"
    PROPID_M_SOAP_BODY = 66, _LPWSTR, "further elements for the SOAP body"
    PROPID_M_DEADLETTER_QUEUE = 67, _LPWSTR, "queue for it if it cannot be delivered"
    PROPID_M_DEADLETTER_QUEUE_LEN = 68, _UI4, "characters of its format name"
    PROPID_M_ABORT_COUNT = 69, _UI4, "how often a transaction that received it was aborted"
    PROPID_M_MOVE_COUNT = 70, _UI4, "how often it moved between subqueues"
    PROPID_M_LAST_MOVE_TIME = 75, _UI4, "when it last moved, seconds since 1970 UTC"
