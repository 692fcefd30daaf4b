"""Advice on statuses about the directory, sites, setup and supporting servers. [MS-MQMQ] 2.4"""

from __future__ import annotations

from msmqctl.ops.advice import Advice
from msmqctl.wire.status import HResult

# Left over from the Message Queuing Information Store of MSMQ 1.0, which Active Directory replaced.
OLD_STORE = Advice(
    causes=("A server of MSMQ 1.0 or 2.0 from the days before Active Directory is involved.",),
    steps=("Find that server and retire it, or make the change on it.",),
)

GLOBAL_CATALOG = Advice(
    causes=(
        "No global catalog server is reachable from here, or DNS does not list one.",
        "The site of this computer has no global catalog, and the link to the next one is down.",
    ),
    steps=(
        "Ask DNS for _gc._tcp of the forest and try port 3268 of the servers it names.",
        "Make a domain controller of the site a global catalog.",
    ),
)

DIRECTORY_ADVICE: dict[HResult, Advice] = {
    HResult.MQ_ERROR_NO_DS: Advice(
        causes=(
            "No domain controller can be reached: network, DNS or firewall.",
            "The computer is in workgroup mode, and the call needs the directory.",
            "The caller is a local account, which the directory takes for anonymous.",
            "The service started before the network or the VPN was up and believes itself offline.",
            "Directory integration is not installed as a feature of Message Queuing.",
        ),
        steps=(
            "Name queues directly (DIRECT=OS:, DIRECT=TCP:) where no directory is needed.",
            "Try a domain controller from here on port 389, and nltest /dsgetdc for the domain.",
            "Run the call with a domain account.",
            "Restart the service once the network is up.",
        ),
    ),
    HResult.LDAP_BUSY: Advice(
        causes=("The domain controller is overloaded or in the middle of a replication storm.",),
        steps=("Wait and repeat, or direct this computer to another domain controller.",),
    ),
    HResult.MQ_ERROR_MACHINE_NOT_FOUND: Advice(
        causes=(
            "The computer is not in the directory with a Message Queuing object: workgroup mode, or removed after a rebuild.",
            "The name is an alias, a cluster name or an address where the computer's own name is wanted.",
            "The computer's name is longer than 15 characters and was shortened.",
        ),
        steps=(
            "Run `msmqctl resolve` on the queue name and check its computer part.",
            "Use DIRECT=OS: with any name that DNS can resolve.",
        ),
    ),
    HResult.MQ_ERROR_MACHINE_EXISTS: Advice(
        causes=("An earlier installation left its MSMQ Configuration object under the computer's account.",),
        steps=("Delete the orphaned object in the directory, after saving the names of its queues, and start the service again.",),
    ),
    HResult.MQ_ERROR_DS_ERROR: Advice(
        causes=("The directory refused or failed, and its own error was not passed on.",),
        steps=("Look at the Directory Service event log of the domain controller at the same time.",),
    ),
    HResult.MQ_ERROR_DS_BIND_ROOT_FOREST: Advice(
        causes=("DNS cannot find the root domain of the forest from here.",),
        steps=("Check the DNS servers of this computer and the delegation of the root domain.",),
    ),
    HResult.MQ_ERROR_DS_LOCAL_USER: Advice(
        causes=("The process runs as a local account, or as a service account that has no identity on the network.",),
        steps=("Run it as a domain account or as Network Service of a computer in the domain.",),
    ),
    HResult.MQ_ERROR_CANT_RESOLVE_SITES: Advice(
        causes=("The subnet of the computer is not assigned to a site in the directory.",),
        steps=("Create the subnet in Active Directory Sites and Services and assign it, then restart the service.",),
    ),
    HResult.MQ_ERROR_UNSUPPORTED_OPERATION: Advice(
        causes=(
            "The computer is in workgroup mode, and the call concerns public queues or the directory.",
            "The computer joined a domain later, but Message Queuing could not register itself.",
        ),
        steps=(
            "Use private queues and direct names.",
            "Or join a domain and install directory integration.",
        ),
    ),
    HResult.MQ_ERROR_CANNOT_JOIN_DOMAIN: Advice(
        causes=(
            "The computer account may not create the MSMQ Configuration object under itself.",
            "An orphaned object of an earlier installation is in the way.",
        ),
        steps=(
            "Let a domain administrator grant the right to create MSMQ Configuration objects on the computer account.",
            "Delete the orphaned object and restart the service.",
        ),
    ),
    HResult.MQ_ERROR_GC_NEEDED: GLOBAL_CATALOG,
    HResult.MQ_ERROR_NO_GC_IN_DOMAIN: GLOBAL_CATALOG,
    HResult.MQ_ERROR_CANNOT_CREATE_ON_GC: GLOBAL_CATALOG,
    HResult.MQ_ERROR_NO_MSMQ_SERVERS_ON_GC: Advice(
        causes=("Old clients look for a Message Queuing server on a global catalog, and there is none.",),
        steps=("Install the directory service integration of Message Queuing on a global catalog, or retire the old clients.",),
    ),
    HResult.MQ_ERROR_NO_MSMQ_SERVERS_ON_DC: Advice(
        causes=("Old clients look for a Message Queuing server on a domain controller, and there is none.",),
        steps=("Install the directory service integration of Message Queuing on a domain controller, or retire the old clients.",),
    ),
    HResult.MQ_ERROR_NO_MQUSER_OU: Advice(
        causes=("A user without an object of its own was to get a certificate, and the container for such users is missing.",),
        steps=("Create the organizational unit MSMQ Users at the top of the domain.",),
    ),
    HResult.MQ_ERROR_CANNOT_GRANT_ADD_GUID: Advice(
        causes=("The caller is not an enterprise administrator.",),
        steps=("Repeat the step as an enterprise administrator.",),
    ),
    HResult.MQ_ERROR_CANNOT_LOAD_MQAD: Advice(
        causes=("Directory integration is not installed, or its library was lost in an update.",),
        steps=("Install the feature directory service integration of Message Queuing, or repair it.",),
    ),
    HResult.MQ_ERROR_NO_RESPONSE_FROM_OBJECT_SERVER: Advice(
        causes=("The server that owns the object is slow or gone, so the state of the request is not known.",),
        steps=("Check whether the change was made before repeating it.",),
    ),
    HResult.MQ_ERROR_OBJECT_SERVER_NOT_AVAILABLE: Advice(
        causes=("The server that owns the object is down or was retired.",),
        steps=("Bring it back, or remove the objects it left in the directory.",),
    ),
    HResult.MQ_ERROR_WRITE_NOT_ALLOWED: Advice(
        causes=(
            "Another MQIS server is being installed, and the database is closed for writing meanwhile.",
            "Such an installation was broken off and never ended.",
        ),
        steps=("Finish or remove that installation, then repeat the change.",),
    ),
    HResult.MQ_ERROR_MQIS_READONLY_MODE: OLD_STORE,
    HResult.MQ_ERROR_MQIS_SERVER_EMPTY: OLD_STORE,
    HResult.MQ_ERROR_CANNOT_CREATE_PSC_OBJECTS: OLD_STORE,
    HResult.MQ_ERROR_CANNOT_UPDATE_PSC_OBJECTS: OLD_STORE,
    HResult.MQ_ERROR_CANNOT_DELETE_PSC_OBJECTS: OLD_STORE,
    HResult.MQDS_UNKNOWN_SOURCE: OLD_STORE,
    HResult.MQ_ERROR_WKS_CANT_SERVE_CLIENT: Advice(
        causes=("A dependent client, or a tool that speaks for one, turned to a computer that is not a supporting server.",),
        steps=("Use an independent client: dependent ones belong to versions long out of support.",),
    ),
    HResult.MQ_ERROR_DEPEND_WKS_LICENSE_OVERFLOW: Advice(
        causes=("More different clients have opened queues on the supporting server than its edition admits.",),
        steps=("Close idle clients, or make the clients independent.",),
    ),
    HResult.MQ_ERROR_NOT_SUPPORTED_BY_DEPENDENT_CLIENTS: Advice(
        causes=("The call is made on a dependent client, which has no queue manager of its own.",),
        steps=("Run the application on an independent client.",),
    ),
}
