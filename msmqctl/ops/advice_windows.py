"""Numbers from outside MSMQ that its operators meet beside it: Win32 and socket errors, RPC faults, coordinator statuses. [MS-ERREF]"""

from __future__ import annotations

from msmqctl.ops.advice import Known

RPC_PORTS = "Open TCP port 135, the ports 2101, 2103 and 2105, and the dynamic RPC range between the two computers."

# The code inside a status of FACILITY_WIN32, or the bare number that a tool prints. [MS-ERREF] 2.2
WINDOWS_ERRORS: dict[int, Known] = {
    5: Known(
        "ERROR_ACCESS_DENIED",
        "Access is denied by Windows or by the RPC server.",
        (
            "The RPC server refuses callers that do not authenticate: then this number comes without a failure bit.",
            "The account lacks a right on the object, or the process is not elevated.",
        ),
        ("Authenticate with an account that the host knows.", "Do not take the bare number 5 for success."),
    ),
    8: Known(
        "ERROR_NOT_ENOUGH_MEMORY",
        "Windows has no memory left for the request.",
        ("The process or the system is out of memory or pool.",),
        ("Look at the memory of the service mqsvc and of the pools of the system.",),
    ),
    53: Known(
        "ERROR_BAD_NETPATH",
        "The network path was not found.",
        ("The host name is wrong, or ports 139 and 445 of the host are closed.",),
        ("Check the name, then reach the host by its full DNS name.",),
    ),
    64: Known(
        "ERROR_NETNAME_DELETED",
        "The network connection was dropped by the other side.",
        ("The host was restarted or a device on the way cut the connection.",),
        ("Repeat the call, and look for restarts and idle time-outs.",),
    ),
    87: Known(
        "ERROR_INVALID_PARAMETER",
        "A parameter is wrong.",
        ("A program passed an argument that Windows does not accept.",),
        ("Compare the call with its documentation.",),
    ),
    112: Known(
        "ERROR_DISK_FULL",
        "The disk is full.",
        ("The disk with the storage folder has no space left.",),
        ("Free space, or move the storage folder to a larger disk.",),
    ),
    121: Known(
        "ERROR_SEM_TIMEOUT",
        "The network did not answer in time.",
        ("Packets are lost on the way, or a firewall swallows them.",),
        ("Try the port from this computer and look at the network card for errors.",),
    ),
    1068: Known(
        "ERROR_SERVICE_DEPENDENCY_FAIL",
        "A service that Message Queuing depends on did not start.",
        ("The driver mqac or the RPC service did not start.",),
        ("Look in the System event log for the first service that failed.",),
    ),
    1326: Known(
        "ERROR_LOGON_FAILURE",
        "The user name or the password is wrong.",
        (
            "The password was changed, and a service or context still has the old one.",
            "Two workgroup computers have the same user name with different passwords.",
        ),
        ("Log on with the same name and password by hand.", "Run `msmqctl context` to see which account is used."),
    ),
    1450: Known(
        "ERROR_NO_SYSTEM_RESOURCES",
        "The system lacks resources for the request.",
        ("The paged pool or another kernel resource is used up.",),
        ("Look for a driver or process that leaks, and restart the computer in the meantime.",),
    ),
    1722: Known(
        "RPC_S_SERVER_UNAVAILABLE",
        "No RPC server answered.",
        (
            "A firewall blocks port 135 or the port behind it.",
            "The host is down, or its Message Queuing service is.",
            "The name leads to the wrong address.",
        ),
        ("Try TCP port 135 and port 2103 of the host from here.", RPC_PORTS),
    ),
    1723: Known(
        "RPC_S_SERVER_TOO_BUSY",
        "The RPC server is too busy.",
        ("Too many remote reads wait at the host at once.",),
        ("Reduce the number of remote readers, or read on the host.",),
    ),
    1726: Known(
        "RPC_S_CALL_FAILED",
        "The RPC call failed in the middle.",
        ("The service on the host stopped during the call, or a device cut the connection.",),
        ("Check whether the operation was carried out before repeating it.",),
    ),
    1753: Known(
        "EPT_S_NOT_REGISTERED",
        "The host runs RPC, but Message Queuing has not registered there.",
        (
            "The Message Queuing service of the host is stopped or still starting.",
            "The name leads to a host without Message Queuing.",
        ),
        ("Check the service MSMQ on the host.", "Check that the address belongs to the host you mean."),
    ),
    1783: Known(
        "RPC_X_BAD_STUB_DATA",
        "The RPC server could not read the arguments of the call.",
        ("Client and server are of different versions, or the call was made by hand.",),
        ("Capture the call and run `msmqctl decode` on it.",),
    ),
    1825: Known(
        "RPC_S_SEC_PKG_ERROR",
        "Authentication of the RPC call failed.",
        ("The clocks differ too much for Kerberos, or the account of the computer is broken.",),
        ("Compare the clocks, and test the secure channel with nltest /sc_verify.",),
    ),
    10048: Known(
        "WSAEADDRINUSE",
        "The port is already taken.",
        ("Another process listens on port 1801.",),
        ("Find it with netstat -abno.",),
    ),
    10049: Known(
        "WSAEADDRNOTAVAIL",
        "The address does not belong to this computer.",
        ("Message Queuing is bound to an address that is gone.",),
        ("Check the value BindInterfaceIP under MSMQ\\Parameters in the registry.",),
    ),
    10051: Known(
        "WSAENETUNREACH",
        "There is no route to that network.",
        ("A route or VPN is missing.",),
        ("Look at the routing table of this computer.",),
    ),
    10053: Known(
        "WSAECONNABORTED",
        "This computer gave the connection up.",
        ("A time-out or a local firewall ended it.",),
        ("Look at local security software and at retransmissions in a capture.",),
    ),
    10054: Known(
        "WSAECONNRESET",
        "The other side reset the connection.",
        (
            "The service of the other computer was restarted, or closed the session because its quota is reached.",
            "A firewall or load balancer resets idle connections.",
        ),
        ("Check quota and event log of the other computer.", "Compare with the idle time-out of devices on the way."),
    ),
    10060: Known(
        "WSAETIMEDOUT",
        "The connection attempt got no answer.",
        ("A firewall swallows packets to port 1801, or the host is down.",),
        ("Try TCP port 1801 of the host from another computer of its own network.",),
    ),
    10061: Known(
        "WSAECONNREFUSED",
        "The host is up, but nothing listens on that port.",
        ("The Message Queuing service is stopped, or bound to another address of the host.",),
        ("Check the service MSMQ on the host and, with netstat, where port 1801 listens.",),
    ),
    10065: Known(
        "WSAEHOSTUNREACH",
        "There is no route to the host.",
        ("The host is off, or a router does not know the way.",),
        ("Ping the host and its gateway.",),
    ),
    11001: Known(
        "WSAHOST_NOT_FOUND",
        "DNS does not know the host.",
        ("The name is misspelt or has no record.",),
        ("Look the name up with nslookup and use the full DNS name.",),
    ),
}

# What an RPC server sends in a fault packet: a range of numbers of its own, without a failure bit. [C706] appendix E
RPC_FAULTS: dict[int, Known] = {
    0x1C000006: Known(
        "nca_s_fault_invalid_tag",
        "The RPC server met a union whose tag has no arm.",
        ("The client wrote a format name or property of a kind that the server does not know.",),
        ("Capture the call and run `msmqctl decode` on it.",),
    ),
    0x1C000007: Known(
        "nca_s_fault_invalid_bound",
        "The RPC server met an array longer than the interface allows.",
        ("A count in the call is out of its range.",),
        ("Capture the call and run `msmqctl decode` on it.",),
    ),
    0x1C00001A: Known(
        "nca_s_fault_context_mismatch",
        "The RPC server does not know the context handle.",
        (
            "The connection on which the handle was given out was lost, and with it the handle.",
            "The service on the host was restarted.",
        ),
        ("Open the queue again on the new connection.",),
    ),
    0x1C010002: Known(
        "nca_op_rng_error",
        "The RPC server does not offer this call.",
        ("The version of Windows on the host dropped the call or does not have it yet.",),
        ("Use a call that the host's version has.",),
    ),
    0x1C010003: Known(
        "nca_unk_if",
        "The RPC server does not offer this interface.",
        ("The port belongs to another service, or Message Queuing is not installed on the host.",),
        ("Ask the endpoint mapper of the host for the right port.",),
    ),
}

# Statuses of the transaction coordinator, in FACILITY_ITF. [MS-ERREF] 2.1
COORDINATOR_STATUSES: dict[int, Known] = {
    0x8004D00E: Known(
        "XACT_E_NOTRANSACTION",
        "The transaction has already ended, or never began.",
        ("It was aborted by its time-out or by another party before this call.",),
        ("Compare the time-out of the transaction with the time its work takes.",),
    ),
    0x8004D019: Known(
        "XACT_E_ABORTED",
        "The transaction was aborted.",
        ("Another party voted against it, or its time-out ran out.",),
        ("Find the party that aborted, and receive again: the messages are back in the queue.",),
    ),
    0x8004D01B: Known(
        "XACT_E_TMNOTAVAILABLE",
        "The transaction coordinator is not available.",
        ("The service MSDTC is stopped or does not start.",),
        ("Start MSDTC and read its event log.",),
    ),
    0x8004D01C: Known(
        "XACT_E_CONNECTION_DOWN",
        "The connection to the transaction coordinator was lost.",
        ("MSDTC was restarted or failed.",),
        ("Repeat the transaction, and look why MSDTC stopped.",),
    ),
    0x8004D024: Known(
        "XACT_E_NETWORK_TX_DISABLED",
        "This computer's coordinator does not allow network transactions.",
        ("Network DTC access is off, the default of Windows.",),
        ("Allow network access, inbound or outbound, in the security settings of the local DTC.",),
    ),
    0x8004D025: Known(
        "XACT_E_PARTNER_NETWORK_TX_DISABLED",
        "The other computer's coordinator does not allow network transactions.",
        ("Network DTC access is off there, or a firewall is in between.",),
        ("Allow network access in the DTC settings of the other computer, and check both directions.",),
    ),
}
