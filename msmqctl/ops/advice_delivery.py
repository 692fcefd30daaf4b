"""Meaning of and advice on what happens to a message on its way: message classes and the history of a connection.

[MS-MQMQ] 2.2.18.1.6 and 2.3.12.25. Where a refused message is afterwards follows from [MS-MQQB] 3.1.5.8 and 3.1.7.1.2.
"""

from __future__ import annotations

from msmqctl.ops.advice import Advice
from msmqctl.wire.values import ConnectionStatus, MessageClass

CLASS_MEANINGS: dict[MessageClass, str] = {
    MessageClass.MQMSG_CLASS_NORMAL: "An ordinary message of an application.",
    MessageClass.MQMSG_CLASS_REPORT: "A report of a queue manager about the route of a traced message.",
    MessageClass.MQMSG_CLASS_ACK_REACH_QUEUE: "The message has arrived in its destination queue.",
    MessageClass.MQMSG_CLASS_ORDER_ACK: "The destination has taken transactional messages in order up to the number that this one carries.",
    MessageClass.MQMSG_CLASS_ACK_RECEIVE: "An application has received the message from its destination queue.",
    MessageClass.MQMSG_CLASS_NACK_BAD_DST_Q: "The destination queue does not exist or is closed to the sender.",
    MessageClass.MQMSG_CLASS_NACK_DELETED: "An administrator deleted the message before it arrived.",
    MessageClass.MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT: "The message did not arrive within the time it was given.",
    MessageClass.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA: "The destination queue is full.",
    MessageClass.MQMSG_CLASS_NACK_ACCESS_DENIED: "The sender may not write to the destination queue.",
    MessageClass.MQMSG_CLASS_NACK_HOP_COUNT_EXCEEDED: "The message went through too many routing servers.",
    MessageClass.MQMSG_CLASS_NACK_BAD_SIGNATURE: "The signature of the message was not accepted at the destination.",
    MessageClass.MQMSG_CLASS_NACK_BAD_ENCRYPTION: "The destination could not decrypt the message.",
    MessageClass.MQMSG_CLASS_NACK_COULD_NOT_ENCRYPT: "The sender's queue manager could not encrypt the message.",
    MessageClass.MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_Q: "A transactional message was sent to a queue that is not transactional.",
    MessageClass.MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_MSG: "A message without a transaction was sent to a transactional queue.",
    MessageClass.MQMSG_CLASS_NACK_UNSUPPORTED_CRYPTO_PROVIDER: "The destination lacks the cryptographic provider of the message.",
    MessageClass.MQMSG_CLASS_NACK_SOURCE_COMPUTER_GUID_CHANGED: "The sending computer got a new identity before the message left.",
    MessageClass.MQMSG_CLASS_NACK_Q_DELETED: "The queue was deleted with the message still in it.",
    MessageClass.MQMSG_CLASS_NACK_Q_PURGED: "The queue was purged with the message still in it.",
    MessageClass.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT: "Nobody received the message from its queue within the time it was given.",
    MessageClass.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT_AT_SENDER: "The time to receive the message ran out before it left the sender.",
    MessageClass.MQMSG_CLASS_NACK_RECEIVE_REJECTED: "The receiving application rejected the message.",
}

REFUSED_AT_DESTINATION = (
    "A plain message is nowhere now: the destination dropped it; a transactional one is in the sender's transactional "
    "dead-letter queue if it asked for dead-lettering."
)
DROPPED_ON_THE_WAY = (
    "A plain message is nowhere now: the routing server dropped it; a transactional one is in the sender's transactional "
    "dead-letter queue if it asked for dead-lettering."
)
DEAD_LETTERED_WHERE_IT_WAS = (
    "The message is now in a dead-letter queue of the computer where it was at that moment, usually the sender, "
    "provided it asked for dead-lettering; otherwise it is nowhere."
)
KEPT_AT_SENDER = (
    "The message is now in a dead-letter queue of the sender, the transactional one if it is transactional, "
    "provided it asked for dead-lettering; otherwise it is nowhere."
)
DEAD_LETTERED_AT_DESTINATION = (
    "A plain message that asked for dead-lettering is now in the dead-letter queue of the destination, a transactional one "
    "in the sender's; otherwise it is nowhere."
)
TAKEN_FROM_DESTINATION = (
    "The message is nowhere now, unless it is transactional and asked for dead-lettering: then it is in the sender's "
    "transactional dead-letter queue."
)
# Five refusals would tell a stranger what exists, so a destination keeps them to itself by default. [MS-MQQB] 3.1.7.15
OFTEN_SILENT = "Conclude nothing from its absence: after Vista a destination sends this refusal only if PermitInsecureNacks is set there."

CLASS_ADVICE: dict[MessageClass, Advice] = {
    MessageClass.MQMSG_CLASS_NORMAL: Advice(
        causes=("An application sent it.",),
        steps=("Nothing has to be done: every other class is an acknowledgment, a report or an invention of an application.",),
    ),
    MessageClass.MQMSG_CLASS_REPORT: Advice(
        causes=("The sender asked for tracing, and a queue manager on the way reported to the report queue.",),
        steps=("Sort the reports by the id of the original message to see its route.",),
    ),
    MessageClass.MQMSG_CLASS_ACK_REACH_QUEUE: Advice(
        causes=("The sender asked for an acknowledgment of arrival and named an administration queue.",),
        steps=("Match it with the original by its correlation id; it says nothing about anybody having read the message.",),
    ),
    MessageClass.MQMSG_CLASS_ORDER_ACK: Advice(
        causes=("It is traffic between queue managers, addressed to the private queue order_queue$ of the sender.",),
        steps=(
            "If it is missing, transactional messages stay unacknowledged in the outgoing queue and are sent again.",
            "Check that the destination can open a connection to the sender: this acknowledgment travels on one of its own.",
        ),
    ),
    MessageClass.MQMSG_CLASS_ACK_RECEIVE: Advice(
        causes=("The sender asked for an acknowledgment of receipt and named an administration queue.",),
        steps=("Match it with the original by its correlation id: this is the only proof that a reader took the message.",),
    ),
    MessageClass.MQMSG_CLASS_NACK_BAD_DST_Q: Advice(
        causes=(
            "The queue name in the format name is misspelt, or `private$` is missing.",
            "The queue was deleted, or not created on that node of a farm or cluster.",
            "The message names a journal, a dead-letter queue or a subqueue, to which nobody can send.",
            "The address of the host belongs to another computer now.",
        ),
        steps=(
            REFUSED_AT_DESTINATION,
            "Run `msmqctl resolve` on the destination and compare it with the queues of that host.",
            "Create the queue, then send the message again.",
            OFTEN_SILENT,
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_DELETED: Advice(
        causes=("An administrator purged or deleted from an outgoing queue, on the sender or on a routing server.",),
        steps=(
            DEAD_LETTERED_WHERE_IT_WAS,
            "Ask who cleared the outgoing queue before sending again.",
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT: Advice(
        causes=(
            "The destination was not reachable while the time to reach the queue ran.",
            "That time is shorter than the retries of the sender take.",
            "The clocks of the two computers differ by more than that time: the receiver judges by its own.",
            "The time to be received ran out before arrival; in one transaction that of the first message holds for all.",
        ),
        steps=(
            DEAD_LETTERED_WHERE_IT_WAS,
            "Compare the clocks of both computers first, then look at the state of the outgoing queue.",
            "Run `msmqctl decode` on the packet to see when it was sent and how long it was to live.",
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA: Advice(
        causes=(
            "The reader of the queue is stopped or too slow.",
            "The quota of the queue was set low and forgotten.",
            "A poison message blocks the reader.",
        ),
        steps=(
            DEAD_LETTERED_AT_DESTINATION,
            "Get the reader going, or raise the quota of the queue.",
            "If the whole computer is full there is no such refusal: then the message waits at the sender.",
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_ACCESS_DENIED: Advice(
        causes=(
            "The sender's account has no right to write to the queue, or a Deny entry stands before it.",
            "The sender is in another domain or workgroup and counts as Anonymous Logon, which the queue does not admit.",
            "The message came through DIRECT=TCP: or HTTP and carries no identity that the destination accepts.",
            "The queue was created anew with default rights.",
        ),
        steps=(
            REFUSED_AT_DESTINATION,
            "Grant Send Message on the queue to the sender's account, or to Everyone and Anonymous Logon if that is acceptable.",
            "Run `msmqctl decode` on a captured packet to see which sender id it carries.",
            "Ask for full acknowledgment while testing, because the send itself reports success.",
            OFTEN_SILENT,
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_HOP_COUNT_EXCEEDED: Advice(
        causes=(
            "Two routing servers send the message to each other because their routing data differ.",
            "The destination was moved to another site, and an old link still leads in a circle.",
        ),
        steps=(
            DROPPED_ON_THE_WAY,
            "Compare the routing links of the servers on the way; a traced message names them all.",
            "Send by DIRECT=OS:, which takes no routing server.",
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_BAD_SIGNATURE: Advice(
        causes=(
            "The sender's certificate is not registered for it in the directory, or an older one is.",
            "The queue takes authenticated messages only, and this one is not signed.",
            "The message was changed on the way, for instance by a gateway.",
            "The destination cannot reach the directory to look the certificate up.",
        ),
        steps=(
            REFUSED_AT_DESTINATION,
            "Renew the sender's certificate and remove stale ones from the directory.",
            "Look for event 2196 on the destination.",
            OFTEN_SILENT,
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_BAD_ENCRYPTION: Advice(
        causes=(
            "The sender used a public key that the destination has since renewed.",
            "The destination was rebuilt or restored and lost its private key.",
            "The queue takes encrypted bodies only and this one is in the clear, or the reverse.",
            "The destination refuses the algorithm or the key length.",
        ),
        steps=(
            REFUSED_AT_DESTINATION,
            "Restart the sender's service so that it reads the current key from the directory.",
            "Renew the keys of the destination and wait for replication.",
            OFTEN_SILENT,
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_COULD_NOT_ENCRYPT: Advice(
        causes=(
            "The public key of the destination is not in the directory, or the directory is out of reach.",
            "The destination has no key for the strength that the message asks for.",
        ),
        steps=(
            KEPT_AT_SENDER,
            "Publish the destination's keys anew, or send with a strength that it supports.",
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_Q: Advice(
        causes=(
            "The queue was created without the transactional property, often on just one node or environment.",
            "A direct name hides the property from the sender, so that the mistake shows only on arrival.",
        ),
        steps=(
            REFUSED_AT_DESTINATION,
            "Create the queue anew as transactional: the property cannot be changed.",
            "Or send without a transaction.",
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_MSG: Advice(
        causes=(
            "The sender forgot the transaction, or its scope had already ended.",
            "A direct name hides the property from the sender, so that the mistake shows only on arrival.",
        ),
        steps=(
            "The message is nowhere now: the destination dropped it, and nothing without a transaction is kept at the sender.",
            "Send inside a transaction, or with the single-message transaction.",
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_UNSUPPORTED_CRYPTO_PROVIDER: Advice(
        causes=("The sender signs or encrypts with a provider that is not installed on the destination.",),
        steps=(
            REFUSED_AT_DESTINATION,
            "Use a provider that both computers have, or install it on the destination.",
            OFTEN_SILENT,
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_SOURCE_COMPUTER_GUID_CHANGED: Advice(
        causes=(
            "Message Queuing was reinstalled, or joined or left a domain, with messages still in the outgoing queues.",
            "The computer was restored from an image, with the identity of another one.",
        ),
        steps=(
            KEPT_AT_SENDER,
            "Send the messages again under the new identity.",
            "Empty the outgoing queues before the next such change.",
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_Q_DELETED: Advice(
        causes=("Somebody deleted the queue before its messages were read, perhaps a deployment that creates it anew.",),
        steps=(
            TAKEN_FROM_DESTINATION,
            "Change the deployment so that it keeps queues that have messages.",
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_Q_PURGED: Advice(
        causes=("Somebody purged the queue, by hand or in a script.",),
        steps=(
            TAKEN_FROM_DESTINATION,
            "Ask who purged it before sending again, since it may have been on purpose.",
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT: Advice(
        causes=(
            "The reader is stopped or too slow for the time to be received.",
            "A poison message or a stuck transaction blocks the reader.",
            "In one transaction the time of the first message holds for all.",
            "The clock of the destination runs ahead of the sender's.",
        ),
        steps=(
            DEAD_LETTERED_AT_DESTINATION,
            "Get the reader going, then send again what is still of use.",
            "Run `msmqctl decode` on the packet to see how long it was to live.",
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT_AT_SENDER: Advice(
        causes=(
            "The message waited in the outgoing queue until its time to be received was over.",
            "That time is shorter than an outage that must be expected.",
        ),
        steps=(
            KEPT_AT_SENDER,
            "Find out why the outgoing queue waited: its connection history has a status that `msmqctl explain` knows.",
        ),
    ),
    MessageClass.MQMSG_CLASS_NACK_RECEIVE_REJECTED: Advice(
        causes=(
            "The application marked the message as rejected, as WCF does with poison messages.",
            "The body cannot be deserialised by the version of the reader that is running.",
        ),
        steps=(
            TAKEN_FROM_DESTINATION,
            "Look at the log of the receiving application: only it knows the reason.",
        ),
    ),
}

CONNECTION_MEANINGS: dict[ConnectionStatus, str] = {
    ConnectionStatus.IN_PROCESS: "The connection is being opened, and nothing has failed yet.",
    ConnectionStatus.ESTABLISH_PACKET_RECEIVED: "The other side has answered the first packet of the session.",
    ConnectionStatus.ESTABLISHED: "The session is up and messages can flow.",
    ConnectionStatus.UNKNOWN_FAILURE: "The connection failed for a reason that could not be found out.",
    ConnectionStatus.PING_FAILURE: "The other queue manager did not answer the ping of Message Queuing.",
    ConnectionStatus.SOCKET_CREATE_FAILURE: "No socket could be made on this computer.",
    ConnectionStatus.SOCKET_BIND_FAILURE: "The socket could not be bound to a local address.",
    ConnectionStatus.SOCKET_CONNECT_FAILURE: "The TCP connection to the other queue manager did not come about.",
    ConnectionStatus.TCP_NOT_ENABLED: "TCP is not enabled on this computer.",
    ConnectionStatus.SOCKET_SEND_FAILURE: "An open connection broke while data were being sent.",
    ConnectionStatus.CONNECTION_NOT_READY: "Data were to be sent before the session was up.",
    ConnectionStatus.DNS_FAILURE: "The name of the other computer could not be resolved.",
    ConnectionStatus.CERTIFICATE_VALIDATION_FAILURE: "The certificate of the other side could not be validated.",
    ConnectionStatus.CONNECTION_LIMIT_REACHED: "This computer has as many sessions as it may open.",
    ConnectionStatus.CONNECTION_REFUSED: "The other queue manager refused the session.",
    ConnectionStatus.ROUTING_DATA_NOT_AVAILABLE: "The directory could not be asked for the way to the destination.",
    ConnectionStatus.LOW_RESOURCE: "This computer has too little memory to open the session.",
}

NAME_AND_PORT = "Run `msmqctl resolve` on the destination, then try TCP port 1801 of its host from this computer."

CONNECTION_ADVICE: dict[ConnectionStatus, Advice] = {
    ConnectionStatus.IN_PROCESS: Advice(
        causes=("The first packet was sent and its answer is awaited.",),
        steps=("If it stays the last entry for minutes, a firewall swallows packets: try TCP port 1801 of the host.",),
    ),
    ConnectionStatus.ESTABLISH_PACKET_RECEIVED: Advice(
        causes=("The other side answered, and the parameters of the session are being agreed on.",),
        steps=("If it stays the last entry, capture the traffic on port 1801 and run `msmqctl decode` on it.",),
    ),
    ConnectionStatus.ESTABLISHED: Advice(
        causes=("Both sides agreed on the session.",),
        steps=(
            "If messages still stay, look whether they are unsent or only unacknowledged.",
            "With dead-lettering, transactional messages count as outgoing until somebody has read them.",
        ),
    ),
    ConnectionStatus.UNKNOWN_FAILURE: Advice(
        causes=(
            "The other side closed the connection in the middle of the handshake.",
            "Two imaged computers have the same queue manager id, and the wrong one answers.",
        ),
        steps=(
            "Capture the traffic on port 1801 and run `msmqctl decode` on it.",
            "Compare the value QMId under MSMQ\\Parameters\\MachineCache in the registries of imaged computers.",
        ),
    ),
    ConnectionStatus.PING_FAILURE: Advice(
        causes=(
            "UDP port 3527 is blocked between the two computers.",
            "The Message Queuing service of the other computer is stopped.",
            "The other side answered that it takes no more sessions.",
        ),
        steps=(
            "Open UDP port 3527 beside TCP port 1801, or let the sender connect without a ping.",
            "Check the service on the other computer.",
        ),
    ),
    ConnectionStatus.SOCKET_CREATE_FAILURE: Advice(
        causes=("This computer is out of sockets, ports or memory.",),
        steps=("Count the connections with netstat, and look for a process that leaks them.",),
    ),
    ConnectionStatus.SOCKET_BIND_FAILURE: Advice(
        causes=(
            "Message Queuing is bound to an address that this computer does not have any more.",
            "The VPN or network card with that address came up after the service.",
            "In a cluster the address of the resource is on the other node.",
        ),
        steps=(
            "Check the value BindInterfaceIP under MSMQ\\Parameters in the registry.",
            "Restart the service once the address is there.",
        ),
    ),
    ConnectionStatus.SOCKET_CONNECT_FAILURE: Advice(
        causes=(
            "A firewall blocks TCP port 1801 on the way or on the host.",
            "The host is down, or its Message Queuing service is.",
            "The name leads to an old address, or to one of several cards on which the service does not listen.",
        ),
        steps=(
            NAME_AND_PORT,
            "On the host, see with netstat on which address port 1801 listens.",
            "Compare the address in the history with the one the host has now.",
        ),
    ),
    ConnectionStatus.TCP_NOT_ENABLED: Advice(
        causes=("The network stack of this computer is not up, or TCP was unbound from the card.",),
        steps=("Bring the network up and restart the service.",),
    ),
    ConnectionStatus.SOCKET_SEND_FAILURE: Advice(
        causes=(
            "The other computer was restarted, or its service was.",
            "A firewall or load balancer drops connections that were idle.",
            "The other side closed the session because its computer quota is reached.",
        ),
        steps=(
            "Wait for the retry: nothing is lost, unacknowledged messages are sent again.",
            "If it repeats, check quota and free disk space of the other computer.",
            "Raise the idle time-out of the device between the two.",
        ),
    ),
    ConnectionStatus.CONNECTION_NOT_READY: Advice(
        causes=("The session was lost or not yet agreed on when a message became due.",),
        steps=("Look at the entry before this one: it has the reason.",),
    ),
    ConnectionStatus.DNS_FAILURE: Advice(
        causes=(
            "The host in the format name is misspelt or was renamed.",
            "DNS has no record for it, or this computer asks the wrong DNS server.",
            "A short name needs a suffix that this computer does not append.",
            "The computer name is longer than 15 characters and was shortened.",
        ),
        steps=(
            "Run `msmqctl resolve` on the destination and look its host up with nslookup.",
            "Use the full DNS name or DIRECT=TCP: with the address.",
        ),
    ),
    ConnectionStatus.CERTIFICATE_VALIDATION_FAILURE: Advice(
        causes=(
            "The HTTPS certificate of the host has run out, or is for another name.",
            "This computer does not trust the authority that issued it.",
            "The message was to be encrypted, and the key of the destination could not be used.",
        ),
        steps=(
            "Open the host's HTTPS address with a browser under the service's account and read the complaint.",
            "Use in DIRECT=HTTPS:// exactly the name that the certificate has.",
        ),
    ),
    ConnectionStatus.CONNECTION_LIMIT_REACHED: Advice(
        causes=(
            "The edition of Windows on this computer admits few sessions at a time.",
            "Many idle sessions to other destinations are still open.",
        ),
        steps=(
            "Wait until idle sessions are closed, or use a server edition.",
            "Send through one routing server instead of to many hosts.",
        ),
    ),
    ConnectionStatus.CONNECTION_REFUSED: Advice(
        causes=(
            "The address belongs to another computer than the one the directory means: its queue manager id differs.",
            "The other side has reached its quota or its limit of sessions.",
            "The other side could not read the packet, perhaps because something else listens on port 1801.",
            "Two imaged computers have the same queue manager id.",
        ),
        steps=(
            "Compare the queue manager ids of the two computers and of the directory.",
            "Check quota and free disk space of the other computer.",
            "Try DIRECT=OS:, which does not insist on an id.",
        ),
    ),
    ConnectionStatus.ROUTING_DATA_NOT_AVAILABLE: Advice(
        causes=(
            "No domain controller can be reached from this computer.",
            "The service started before the network and still works offline.",
            "The destination's objects were deleted from the directory.",
        ),
        steps=(
            "Restore the connection to a domain controller, then restart the service.",
            "Send by DIRECT=OS: or DIRECT=TCP:, which needs no directory.",
        ),
    ),
    ConnectionStatus.LOW_RESOURCE: Advice(
        causes=("The service or the computer is short of memory, often because of very many messages in its queues.",),
        steps=(
            "Look at the memory of the service mqsvc and at the number of messages on this computer.",
            "Drain journals and dead-letter queues.",
        ),
    ),
}
