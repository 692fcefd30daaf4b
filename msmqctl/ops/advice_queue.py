"""Advice on statuses about queues and messages: names, opening, reading, sending, storing, transactions. [MS-MQMQ] 2.4"""

from __future__ import annotations

from msmqctl.ops.advice import Advice
from msmqctl.wire.status import HResult

SHARING = Advice(
    causes=(
        "Another process has the queue open to receive with the share mode deny-receive.",
        "The same application opened it exclusively before and did not close it, perhaps after a crash that left the process alive.",
        "This open asks for exclusive use while somebody already has the queue open to receive.",
        "Two nodes of a farm were both configured to be the only reader.",
    ),
    steps=(
        "Find the process that holds the queue and stop it, or wait until it closes the queue.",
        "Open with share mode deny-none if several readers are meant to work side by side.",
        "Peek instead of receiving where looking is enough: a plain peek passes an exclusive receiver.",
    ),
)

QUEUE_ADVICE: dict[HResult, Advice] = {
    HResult.MQ_ERROR: Advice(
        causes=(
            "The queue manager met a condition that has no code of its own.",
            "A remote read was cancelled with a request id that is not waiting.",
        ),
        steps=(
            "Read the Application event log (source MSMQ) at the same second: the real reason is often there.",
            "Repeat the call with one thing less at a time (properties, transaction, security) until it passes.",
        ),
    ),
    HResult.MQ_ERROR_PROPERTY: Advice(
        causes=(
            "A property has the wrong type, an impossible value, or is not allowed in this call.",
            "A property id is repeated in one create or set call.",
        ),
        steps=(
            "Read the status array of the call: it has one status per property, and `msmqctl explain` knows them all.",
            "Take properties out one by one if the caller hides that array.",
        ),
    ),
    HResult.MQ_ERROR_QUEUE_NOT_FOUND: Advice(
        causes=(
            "The name is misspelt, or `private$` is missing in front of a private queue's name.",
            "The queue is on another computer than the one the name leads to, for instance behind an alias or a cluster name.",
            "The queue was deleted, or never created on this node.",
            "The queue is public and this computer sees an older copy of the directory, or none.",
            "The caller has no right to see the queue, which looks the same as its absence.",
        ),
        steps=(
            "Run `msmqctl resolve` on the name to see every form of it and the host each form leads to.",
            "List the queues on the host itself and compare letter by letter.",
            "After creating a public queue wait for directory replication, or name it DIRECT=OS: meanwhile.",
            "Try once as an administrator: if that finds the queue, it is rights.",
        ),
    ),
    HResult.MQ_ERROR_QUEUE_NOT_ACTIVE: Advice(
        causes=(
            "Nobody has the queue open and nothing is in it, so the queue manager keeps no live data about it.",
            "The name does not belong to a queue of this queue manager.",
        ),
        steps=(
            "Open the queue or send a message to it, then ask again.",
            "In monitoring, count this as an empty queue and not as a fault.",
        ),
    ),
    HResult.MQ_ERROR_QUEUE_EXISTS: Advice(
        causes=(
            "The queue was created before, perhaps by an earlier run of the same installer.",
            "Upper and lower case do not make two queues: the names are equal without regard to case.",
            "A public queue of a rebuilt computer is still in the directory.",
        ),
        steps=(
            "Treat it as success if the existing queue has the properties you want, the transactional one above all.",
            "If the transactional property differs, empty and delete the queue first: that property cannot be changed.",
        ),
    ),
    HResult.MQ_ERROR_INVALID_PARAMETER: Advice(
        causes=(
            "An argument is null, out of range or contradicts another one.",
            "A remote read names a queue handle that is not open on that connection, or repeats a request id that still waits.",
            "A lookup read was given a time-out, a cursor or the lookup id 0.",
        ),
        steps=(
            "Compare the call with its documentation, argument by argument.",
            "If the client is our own or a gateway, capture the call and run `msmqctl decode` on it.",
        ),
    ),
    HResult.MQ_ERROR_INVALID_HANDLE: Advice(
        causes=(
            "The handle was closed, often by another thread, or by a garbage collector that finalised its owner.",
            "A cursor was used with another queue handle than the one it was made for.",
            "A remote read was answered too late, after the server had cleaned up.",
        ),
        steps=(
            "Look for a close or dispose in another thread before the failing call.",
            "Open the queue again and repeat the read.",
        ),
    ),
    HResult.MQ_ERROR_OPERATION_CANCELLED: Advice(
        causes=(
            "The queue was closed while a read was waiting on it, normal at shutdown.",
            "The thread that started the asynchronous read ended.",
        ),
        steps=(
            "Ignore it at shutdown.",
            "Otherwise find who closes the queue while a receive is pending, and keep the thread that began the read alive.",
        ),
    ),
    HResult.MQ_ERROR_SHARING_VIOLATION: SHARING,
    HResult.STATUS_SHARING_VIOLATION: SHARING,
    HResult.MQ_ERROR_SERVICE_NOT_AVAILABLE: Advice(
        causes=(
            "The Message Queuing service is stopped, still starting, or was stopped by a failed dependency.",
            "Message Queuing is not installed on this computer, or only its client library is.",
            "The service is recovering a large store and does not answer yet.",
            "In a cluster the Message Queuing resource is offline or on another node.",
        ),
        steps=(
            "Check and start the service `MSMQ` on the host, and read the event log for why it stopped.",
            "After an unclean stop give it time: reading a big storage folder takes minutes.",
            "In a cluster, run the application in the same group as the Message Queuing resource.",
        ),
    ),
    HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME: Advice(
        causes=(
            "A path name is given where the queue needs a format name: remote private queues cannot be opened by path.",
            "The path is not of the form computer\\queue or computer\\private$\\queue.",
            "The prefix is spelt formatname: or FORMATNAME: where the API insists on FormatName: with these capitals.",
            "The name holds a character that no queue name may have, such as a semicolon, a plus sign or a double quote.",
        ),
        steps=(
            "Run `msmqctl resolve` on the name and use the form it recommends.",
            "For a remote private queue use FormatName:DIRECT=OS:host\\private$\\queue.",
            "Create queues on the computer they live on: a path name of another host's private queue cannot create it.",
        ),
    ),
    HResult.MQ_ERROR_BUFFER_OVERFLOW: Advice(
        causes=(
            "The body is longer than the buffer the application offered.",
            "A new sender writes larger messages than the reader was built for.",
        ),
        steps=(
            "Read the body size property, enlarge the buffer and read again: the message is still in the queue.",
            "Watch for a reader that loops here: the message stays at the head and blocks those behind it.",
        ),
    ),
    HResult.MQ_ERROR_IO_TIMEOUT: Advice(
        causes=(
            "The queue is empty, which is the normal end of a poll.",
            "The messages that are there do not match: another correlation id, another lookup id.",
            "All messages are held by transactions that have not ended.",
            "The reader looks at another queue than the sender writes to.",
            "The messages have not arrived: they wait in the sender's outgoing queue.",
        ),
        steps=(
            "Expect it in every receive loop, and go on waiting.",
            "Compare the count of the queue with what a peek returns: a difference means messages locked by transactions.",
            "Run `msmqctl resolve` on both names to see whether sender and reader mean the same queue.",
            "Look at the outgoing queues of the sender.",
        ),
    ),
    HResult.MQ_ERROR_ILLEGAL_CURSOR_ACTION: Advice(
        causes=(
            "Peek-next was called on a cursor that has not peeked at a first message yet.",
            "Peek-next was called again after it had run into its time-out at the end of the queue.",
            "Two threads use one cursor at the same time.",
        ),
        steps=(
            "Begin with peek-current and use peek-next only after it succeeded.",
            "At the end of the queue, close the cursor or begin again with peek-current.",
            "Give every thread a cursor of its own.",
        ),
    ),
    HResult.MQ_ERROR_MESSAGE_ALREADY_RECEIVED: Advice(
        causes=(
            "Another reader took the message between the peek and the receive.",
            "The message expired or the queue was purged while the cursor stood on it.",
        ),
        steps=(
            "Treat it as a lost race: move the cursor on with peek-next.",
            "Where one reader must get what it saw, receive by lookup id inside a transaction.",
        ),
    ),
    HResult.MQ_ERROR_ILLEGAL_FORMATNAME: Advice(
        causes=(
            "The text is a path name, or carries the prefix FormatName: that belongs to .NET and COM and not to a format name.",
            "A direct name lacks its protocol: DIRECT=OS:, DIRECT=TCP:, DIRECT=HTTP:// or DIRECT=HTTPS://.",
            "DIRECT=TCP: is followed by a host name where an address must stand.",
            "A GUID is written in braces or with a digit too few.",
            "The directory does not know the GUID of a PUBLIC= or PRIVATE= name.",
        ),
        steps=(
            "Run `msmqctl resolve` on the name: it says which character is wrong and prints the valid forms.",
            "Prefer DIRECT=OS: names where no directory is needed.",
        ),
    ),
    HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION: Advice(
        causes=(
            "A queue was to be read through a name that can only send: DIRECT=HTTP, MULTICAST=, DL= or a list of names.",
            "A queue was to be deleted or changed through a direct name.",
            "A message was to be sent to a MACHINE= name, that is to a journal or dead-letter queue.",
            "The directory could not be asked about a PUBLIC= name.",
        ),
        steps=(
            "Run `msmqctl resolve` on the name to see what each form of it can be used for.",
            "Read through DIRECT=OS: or DIRECT=TCP:, and keep HTTP for sending.",
            "Delete and change queues by their public or private format name, on the computer they live on.",
        ),
    ),
    HResult.MQ_ERROR_INSUFFICIENT_RESOURCES: Advice(
        causes=(
            "The updates of December 2025 (KB5071546, KB5071544, KB5071543) took write access on the storage folder from the sender.",
            "The quota of the computer is reached: it counts all queues together, journals, dead-letter and outgoing queues included.",
            "The message is larger than 4 MB, headers and properties included.",
            "The disk that holds the storage folder is full.",
            "The 4 MB store files are fragmented, so the quota bites below its figure: the sign is one outgoing queue waiting to connect.",
            "Too many remote reads wait at once, and each of them holds a thread of the service.",
            "The callback threads of the application are exhausted because its receive handlers do not return.",
            "More messages arrive at once than can be written in the time.",
            "A transactional message goes to a foreign queue and would have to be routed.",
            "The storage folder lies on a medium that does not suit it, such as a removable or network drive.",
            "Too many clustered instances of Message Queuing run on one node.",
            "The binaries of Message Queuing are of different versions after an update that went halfway.",
            "The paged pool of a 32-bit Windows is used up.",
        ),
        steps=(
            "If it began with the December 2025 updates, install the out-of-band fix of that month or any later cumulative update.",
            "Until then give the sending accounts, IIS application pools included, write access to System32\\msmq\\storage.",
            "Compare the bytes in all queues with the quota of the computer, and look into journals and dead-letter queues first.",
            "Empty journals that nobody reads and dead letters that somebody has judged.",
            "Check the free space of the disk with the storage folder and the size of the largest message sent.",
            "Find the outgoing queue that has waited longest: freeing it also frees the store files that it keeps alive.",
            "Replace many waiting remote reads by local readers on the host of the queue.",
            "Compare the versions of mqqm.dll, mqrt.dll and mqac.sys.",
        ),
    ),
    HResult.MQ_ERROR_MESSAGE_STORAGE_FAILED: Advice(
        causes=(
            "The disk with the storage folder is full or failing.",
            "A virus scanner or a backup holds the store files open.",
            "The service or the sending account lost its rights on the storage folder.",
            "The quota of the computer is reached.",
        ),
        steps=(
            "Check free space, disk errors and rights of the storage folder.",
            "Exclude the storage folder from virus scans and from file-level backups.",
            "Send again: the message was not accepted.",
        ),
    ),
    HResult.E_OUTOFMEMORY: Advice(
        causes=(
            "The process or the service is out of memory.",
            "A 32-bit reader asked for bodies of several megabytes at a time.",
        ),
        steps=("Look at the memory of the process that got the code first, then at that of the service.",),
    ),
    HResult.MQ_ERROR_UNSUPPORTED_ACCESS_MODE: Advice(
        causes=(
            "The queue was opened with an access or share mode that does not exist for it.",
            "A list of names was opened with a share mode other than deny-none.",
        ),
        steps=(
            "Open with exactly one of send, receive, peek or move, and with share mode deny-none for lists.",
            "Use receive or peek, not send, for journals and dead-letter queues.",
        ),
    ),
    HResult.MQ_ERROR_QUEUE_NOT_AVAILABLE: Advice(
        causes=(
            "The queue was deleted on its host while this reader had it open.",
            "The connection to the remote queue manager broke in the middle of a read.",
            "A firewall blocks the RPC ports between reader and host: 135, 2103, 2105 and the dynamic range.",
        ),
        steps=(
            "Close the handle and open the queue again.",
            "Check that the queue still exists on its host.",
            "Try the RPC ports of the host from the reader, and move the reader to the host if they stay closed.",
        ),
    ),
    HResult.MQ_ERROR_DTC_CONNECT: Advice(
        causes=(
            "The Distributed Transaction Coordinator is stopped on one of the computers.",
            "Network DTC access is off, for inbound or for outbound traffic.",
            "A firewall blocks port 135 and the dynamic RPC ports in one of the two directions.",
            "The two computers cannot find each other by NetBIOS name.",
            "Both were made from one image and have the same coordinator id.",
        ),
        steps=(
            "Start the service MSDTC on both sides and allow network access in the security settings of Component Services.",
            "Test name resolution and ports in both directions, since the coordinators call each other back.",
            "On imaged computers reinstall the coordinator: msdtc -uninstall, then msdtc -install.",
            "Use an internal transaction if Message Queuing is the only party.",
        ),
    ),
    HResult.MQ_ERROR_TRANSACTION_IMPORT: Advice(
        causes=(
            "The coordinators of client and host do not trust or do not reach each other.",
            "The transaction had ended before it was handed over.",
        ),
        steps=(
            "Treat it like a coordinator that cannot be reached: run `msmqctl explain MQ_ERROR_DTC_CONNECT`.",
            "Check the time-out of the transaction against the time until its first send or receive.",
        ),
    ),
    HResult.MQ_ERROR_TRANSACTION_USAGE: Advice(
        causes=(
            "A message was sent to a transactional queue without a transaction, or to a plain queue inside one.",
            "A receive inside a transaction was tried on a plain queue.",
            "A peek was given a transaction.",
            "A transactional receive from another computer was tried through a version before MSMQ 4.0.",
            "A lookup peek met a message that a transaction holds.",
        ),
        steps=(
            "Look at the transactional property of the queue and use transactions exactly when it is set.",
            "Leave the transaction out of peeks.",
            "For a single message to a transactional queue use the single-message transaction.",
        ),
    ),
    HResult.MQ_ERROR_TRANSACTION_SEQUENCE: Advice(
        causes=(
            "The transaction was committed or aborted a second time.",
            "The transaction is unknown here, for instance because its time-out ended it.",
            "A remote read was ended although its message was not held any more.",
        ),
        steps=(
            "Look for a time-out of the transaction shorter than the work it covers.",
            "Commit in one place only, and do not abort after a failed commit.",
        ),
    ),
    HResult.MQ_ERROR_TRANSACTION_ENLIST: Advice(
        causes=(
            "The transaction had already ended when Message Queuing was to join it.",
            "The Distributed Transaction Coordinator does not run or refuses the caller.",
        ),
        steps=(
            "Check the coordinator as for `msmqctl explain MQ_ERROR_DTC_CONNECT`.",
            "Lengthen the time-out of the transaction if its work is slow before the first queue call.",
        ),
    ),
    HResult.MQ_ERROR_STALE_HANDLE: Advice(
        causes=(
            "The Message Queuing service was restarted after the queue was opened.",
            "In a cluster the resource moved to another node.",
        ),
        steps=(
            "Close the handle, open the queue again and repeat the call: nothing was done.",
            "In code that runs for days, reopen on this code instead of restarting the process.",
        ),
    ),
    HResult.MQ_ERROR_QUEUE_DELETED: Advice(
        causes=("Somebody deleted the queue while this process had it open, perhaps in order to create it anew.",),
        steps=(
            "Close the handle and open the queue again if it was created anew.",
            "Look for the negative acknowledgment 0xC000 to learn which messages went down with it.",
        ),
    ),
    HResult.MQ_ERROR_LABEL_TOO_LONG: Advice(
        causes=("The application puts data into the label, which holds 249 characters.",),
        steps=("Shorten the label and carry the rest in the body or in the extension.",),
    ),
    HResult.MQ_ERROR_ILLEGAL_PROPERTY_VALUE: Advice(
        causes=(
            "A value is out of range: a priority above 7, an unknown delivery mode, a time to reach the queue that is negative.",
            "A queue label or path name is too long.",
        ),
        steps=("Read the status array of the call to learn which property it is.",),
    ),
    HResult.MQ_ERROR_ILLEGAL_PROPERTY_SIZE: Advice(
        causes=("The application gave a buffer of another size for an id, for instance the text form instead of 20 octets.",),
        steps=("Pass ids as their 20 octets: 16 of the GUID, then 4 of the number.",),
    ),
    HResult.MQ_ERROR_INSUFFICIENT_PROPERTIES: Advice(
        causes=("A call lacks what it cannot do without, such as the length property beside a string property.",),
        steps=("Add the length property in front of every property that needs one, and the path name when creating a queue.",),
    ),
    HResult.MQ_ERROR_PROPERTY_NOTALLOWED: Advice(
        causes=(
            "The property can only be set when the queue is created, like the transactional one.",
            "The property is computed by the queue manager, like the time of creation.",
        ),
        steps=("Leave the property out, or delete and create the queue anew if it must change.",),
    ),
    HResult.MQ_ERROR_PROPERTIES_CONFLICT: Advice(
        causes=("A multicast address was given for a transactional queue.",),
        steps=("Choose one of the two: multicast delivery is never transactional.",),
    ),
    HResult.MQ_ERROR_MESSAGE_NOT_FOUND: Advice(
        causes=(
            "Another reader took the message, or it expired.",
            "The lookup id belongs to another queue: moving a message to a subqueue gives it a new one.",
            "A receive through a cursor with time-out 0 found the end of the queue.",
        ),
        steps=(
            "Peek again to get current lookup ids and use them at once.",
            "Look into the subqueues, the journal and the dead-letter queue.",
        ),
    ),
    HResult.MQ_ERROR_MESSAGE_LOCKED_UNDER_TRANSACTION: Advice(
        causes=(
            "Another reader has received the message in a transaction that has not ended.",
            "A transaction in doubt holds it since a crash of its coordinator.",
        ),
        steps=(
            "Wait for the other transaction, or find its process and end it.",
            "Resolve transactions in doubt in Component Services.",
        ),
    ),
    HResult.MQ_CORRUPTED_QUEUE_WAS_DELETED: Advice(
        causes=("The queue's definition in System32\\msmq\\storage\\lqs was damaged, by a crash or by an edit.",),
        steps=(
            "Create the queue anew with the properties it had, and with its rights.",
            "Check the disk, and keep definitions in a backup.",
        ),
    ),
    HResult.MQ_ERROR_REMOTE_MACHINE_NOT_AVAILABLE: Advice(
        causes=(
            "The other computer is down, or its Message Queuing service is.",
            "A firewall blocks RPC to it: 135, 2103, 2105 and the dynamic range.",
            "The name resolves to an old or to the wrong address.",
            "The host refuses unauthenticated RPC, or the accounts of the two sides do not know each other.",
        ),
        steps=(
            "Run `msmqctl resolve` on the queue name to see which host and protocol it stands for.",
            "Test port 135 and port 2103 of that host from here.",
            "Compare the address that DNS gives with the one the host has.",
        ),
    ),
    HResult.MQ_ERROR_OPERATION_NOT_SUPPORTED_BY_REMOTE_COMPUTER: Advice(
        causes=("The other computer runs an older version, without subqueues, lookup reads or transactional remote reads.",),
        steps=("Run the reader on the other computer itself, or upgrade it.",),
    ),
    HResult.MQ_ERROR_RESOLVE_ADDRESS: Advice(
        causes=(
            "The host in a direct name is misspelt or has no record in DNS.",
            "The host is known by a short name that this computer's suffix list does not complete.",
        ),
        steps=(
            "Run `msmqctl resolve` on the name and look the host up with nslookup.",
            "Use the full DNS name of the host in the direct name.",
        ),
    ),
    HResult.MQ_ERROR_ILLEGAL_OPERATION: Advice(
        causes=(
            "The call concerns a foreign system, to which Message Queuing only passes messages on.",
            "The server is of a version that dropped this call.",
        ),
        steps=("Do it on the foreign system, or with a call that the server's version has.",),
    ),
    HResult.MQ_ERROR_TOO_MANY_PROPERTIES: Advice(
        causes=("A program asks for every property it knows, more than 128, in one call.",),
        steps=("Split the call.",),
    ),
}
