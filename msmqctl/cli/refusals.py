"""Which exit code a refusal gets, by its status or by the directory's word: the tables that `app.exit_code` reads.

They are a module of their own because only a command that was refused needs them.
"""

from __future__ import annotations

from collections.abc import Mapping

# By status, for StatusError. Numbers and not HResult members: naming them would load the whole table at every error.
REFUSED = 76
STATUSES: Mapping[int, int] = {
    status: code
    for code, statuses in {
        # illegal or missing parameters, properties, handles, names: the request itself was wrong
        2: (
            *(0xC00E0002, 0xC00E0006, 0xC00E0007, 0xC00E0010, 0xC00E0014, 0xC00E0018, 0xC00E0019, 0xC00E001E, 0xC00E0021, 0xC00E0038),
            *(0xC00E0039, 0xC00E003A, 0xC00E003B, 0xC00E003C, 0xC00E003D, 0xC00E003E, 0xC00E003F, 0xC00E0041, 0xC00E0044, 0xC00E0045),
            *(0xC00E005B, 0xC00E005C, 0xC00E007B, 0xC00E0087, 0xC00E008D, 0xC00E009A, 0xC0000008, 0xC000000D, 0x80070057),
        ),
        # IO_TIMEOUT, MESSAGE_ALREADY_RECEIVED, MESSAGE_NOT_FOUND
        4: (0xC00E001B, 0xC00E001D, 0xC00E0088),
        # buffers too small, labels too long, bad XML, damaged security data
        65: (
            *(0xC00E001A, 0xC00E001F, 0xC00E0022, 0xC00E0023, 0xC00E0028, 0xC00E002B, 0xC00E0030, 0xC00E0046, 0xC00E005D, 0xC00E005E),
            *(0xC00E0061, 0xC00E0062, 0xC00E0063, 0xC00E0092),
        ),
        # QUEUE_NOT_FOUND, QUEUE_NOT_ACTIVE, MACHINE_NOT_FOUND, QUEUE_DELETED, STATUS_NOT_FOUND
        66: (0xC00E0003, 0xC00E0004, 0xC00E000D, 0xC00E005A, 0xC0000225),
        # service, directory, remote computer or transaction coordinator not there, or not answering
        69: (
            *(0xC00E000B, 0xC00E0013, 0xC00E0043, 0xC00E0049, 0xC00E004A, 0xC00E004B, 0xC00E004C, 0xC00E0056, 0xC00E005F, 0xC00E0069),
            *(0xC00E0075, 0xC00E007C, 0xC00E007D, 0xC00E0089, 0xC00E008F, 0xC00E0099),
        ),
        # QUEUE_EXISTS, INTERNAL_USER_CERT_EXIST, MACHINE_EXISTS
        73: (0xC00E0005, 0xC00E002E, 0xC00E0040),
        # SHARING_VIOLATION twice, INSUFFICIENT_RESOURCES, storage failed, a full directory, too many clients, locked by a
        # transaction, E_OUTOFMEMORY, LDAP_BUSY
        75: (*(0xC00E0009, 0xC0000043, 0xC00E0027, 0xC00E002A, 0xC00E0042, 0xC00E0065, 0xC00E0067, 0xC00E009C, 0x8007000E, 0x8007200E),),
        # access, privileges, identities, signatures and certificates
        77: (
            *(0xC00E0011, 0xC00E0024, 0xC00E0025, 0xC00E0026, 0xC00E002C, 0xC00E002F, 0xC00E0035, 0xC00E0036, 0xC00E0037, 0xC00E006D),
            *(0xC00E0072, 0xC00E0082, 0xC00E0090, 0xC00E009B, 0xC0000022, 0x80070005),
        ),
    }.items()
    for status in statuses
}

# By the directory's own word, for DirectoryError, spelt without regard to case and separators; all else is 69.
DIRECTORY_RESULTS: Mapping[str, int] = {
    "nosuchobject": 66,
    "notfound": 66,
    "entryalreadyexists": 73,
    "alreadyexists": 73,
    "exists": 73,
    "insufficientaccessrights": 77,
    "invalidcredentials": 77,
    "accessdenied": 77,
    "denied": 77,
}
