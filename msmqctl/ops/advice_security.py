"""Advice on statuses about rights, accounts, certificates and encryption. [MS-MQMQ] 2.4"""

from __future__ import annotations

from msmqctl.ops.advice import Advice
from msmqctl.wire.status import HResult

WINDOWS_DENIED = Advice(
    causes=(
        "The account lacks a right on the object, or on the file or registry key behind it.",
        "Remote calls arrive as anonymous because the two computers share no domain or account.",
        "The process runs without elevation.",
    ),
    steps=(
        "Find out as which account the call really arrives: the Security event log of the host tells.",
        "Try the same call on the host itself, with an elevated prompt.",
    ),
)

# Signing fails for the same few reasons whatever step of it failed.
CANNOT_SIGN = Advice(
    causes=(
        "The private key of the sender's certificate cannot be used: no profile is loaded, or its container is damaged.",
        "The cryptographic provider does not know the hash algorithm that the message asks for.",
    ),
    steps=(
        "Load the user profile of the service account, and renew its internal certificate.",
        "Choose SHA-512 or SHA-256, and a provider that both computers have.",
        "Send without authentication if no receiver asks for it.",
    ),
)

NO_PUBLIC_KEY = Advice(
    causes=(
        "The destination computer has not published its encryption key in the directory.",
        "The destination is in workgroup mode, or is named directly, so that no key can be looked up.",
        "The key was renewed and the change has not been replicated yet.",
    ),
    steps=(
        "Renew the cryptographic keys in the Message Queuing properties of the destination computer.",
        "Wait for directory replication and restart the sender's service, which keeps old keys.",
        "Send in the clear over a protected network, or through DIRECT=HTTPS.",
    ),
)

CERTIFICATE_STORE = Advice(
    causes=(
        "The user profile is not loaded, so that the personal store does not exist.",
        "The account has no rights on its own registry hive or key folder.",
    ),
    steps=(
        "Log on once interactively with the account, or let the application pool load its user profile.",
        "Register a new internal certificate afterwards.",
    ),
)

INTERNAL_CERTIFICATE_EXISTS = Advice(
    causes=("The certificate was registered before, on this computer or on another one with the same account.",),
    steps=(
        "Nothing needs to be done unless signatures are refused.",
        "If they are, remove the old certificate of the user and register a new one.",
    ),
)

SECURITY_ADVICE: dict[HResult, Advice] = {
    HResult.MQ_ERROR_ACCESS_DENIED: Advice(
        causes=(
            "The account lacks the right on the queue: to receive, to peek, to send, to delete or to change.",
            "A Deny entry wins over an Allow entry that the tools show.",
            "The service account changed, while the queue still grants the right to the old one.",
            "The queue was created by an installer, and only its account is the owner.",
            "A remote reader arrives as anonymous because domains or passwords differ.",
            "A queue opened to peek was used to receive.",
            "The queue manager itself forbids creating queues or reading its dead-letter queues and journals.",
        ),
        steps=(
            "Compare the rights on the queue with the account that really calls, Deny entries first.",
            "Take ownership as an administrator if nobody else may change the rights, then grant them.",
            "For a remote reader use one domain account on both sides, or read on the host.",
            "For a denied send to another computer there is no status: run `msmqctl explain 0x8004`.",
        ),
    ),
    HResult.E_ACCESSDENIED: WINDOWS_DENIED,
    HResult.STATUS_ACCESS_DENIED: Advice(
        causes=("The queue was opened to peek, and the call wants to receive or to purge.",),
        steps=("Open the queue again with receive access.",),
    ),
    HResult.MQ_ERROR_PRIVILEGE_NOT_HELD: Advice(
        causes=(
            "The call reads or changes the audit entries of a queue, which needs the privilege to manage the security log.",
            "The process is not elevated, so that its privileges are filtered.",
        ),
        steps=(
            "Ask for owner, group and permissions only, without the audit entries.",
            "Otherwise run elevated with an account that may manage auditing and the security log.",
        ),
    ),
    HResult.MQ_ERROR_CANNOT_IMPERSONATE_CLIENT: Advice(
        causes=(
            "The caller did not authenticate, or allowed no impersonation.",
            "The account of the service lacks the privilege to impersonate clients.",
        ),
        steps=(
            "Let the caller authenticate and allow at least the level impersonate.",
            "Give the service's account the privilege to impersonate a client after authentication.",
        ),
    ),
    HResult.MQ_ERROR_ILLEGAL_SECURITY_DESCRIPTOR: Advice(
        causes=("The descriptor is absolute instead of self-relative, truncated, or names an impossible ACE.",),
        steps=("Write the rights as SDDL first and build the descriptor from that.",),
    ),
    HResult.MQ_ERROR_INVALID_OWNER: Advice(
        causes=(
            "The owner given is neither the caller nor a group that the caller may make owner.",
            "The computer named in the path is not known to the directory.",
        ),
        steps=(
            "Leave the owner out of the descriptor: the caller becomes the owner.",
            "Create the queue on the computer itself.",
        ),
    ),
    HResult.MQ_INFORMATION_OWNER_IGNORED: Advice(
        causes=("The caller may set permissions on the queue but not its owner.",),
        steps=("Check that the permissions were set, and leave the owner out next time.",),
    ),
    HResult.MQ_ERROR_ILLEGAL_USER: Advice(
        causes=("The account is local, deleted or misspelt, and the directory does not know it.",),
        steps=("Use a domain account and look its name up in the directory.",),
    ),
    HResult.MQ_ERROR_COULD_NOT_GET_USER_SID: Advice(
        causes=("The thread impersonates somebody in a way that hides the identity, such as anonymous.",),
        steps=("Send outside of the impersonation, or impersonate with at least the level identify.",),
    ),
    HResult.MQ_ERROR_COULD_NOT_GET_ACCOUNT_INFO: Advice(
        causes=("No domain controller could be asked about the account.",),
        steps=("Check the connection to a domain controller and the trust of the computer's domain.",),
    ),
    HResult.MQ_ERROR_BAD_SECURITY_CONTEXT: Advice(
        causes=("The security context was freed, or made by another user or process than the one that sends.",),
        steps=("Make the context in the thread that sends, and keep it until the last send.",),
    ),
    HResult.MQ_ERROR_INVALID_CERTIFICATE: Advice(
        causes=(
            "The certificate has run out or is not valid yet.",
            "The bytes given are not a certificate in X.509 DER.",
        ),
        steps=(
            "Check the dates of the certificate and the clocks of both computers.",
            "Renew the internal certificate of the user, or give a current external one.",
        ),
    ),
    HResult.MQ_ERROR_CERTIFICATE_NOT_PROVIDED: Advice(
        causes=(
            "Authentication was asked for by an account that never registered a certificate.",
            "The process runs as a service account that is not in the domain.",
        ),
        steps=(
            "Register an internal certificate for the account, which means logging on once with it.",
            "Turn authentication off for the message if the queue does not ask for it.",
        ),
    ),
    HResult.MQ_ERROR_CORRUPTED_INTERNAL_CERTIFICATE: Advice(
        causes=("The certificate in the profile and the key that belongs to it do not match any more.",),
        steps=("Renew the internal certificate of the user and remove the old one from the directory.",),
    ),
    HResult.MQ_ERROR_CORRUPTED_PERSONAL_CERT_STORE: CERTIFICATE_STORE,
    HResult.MQ_ERROR_CANNOT_CREATE_CERT_STORE: CERTIFICATE_STORE,
    HResult.MQ_ERROR_CANNOT_OPEN_CERT_STORE: CERTIFICATE_STORE,
    HResult.MQ_ERROR_NO_INTERNAL_USER_CERT: Advice(
        causes=(
            "The account has never logged on to this computer, so that no certificate was made for it.",
            "The computer is in workgroup mode and could not register one.",
        ),
        steps=("Register an internal certificate for the account in the Message Queuing properties.",),
    ),
    HResult.MQ_ERROR_INTERNAL_USER_CERT_EXIST: INTERNAL_CERTIFICATE_EXISTS,
    HResult.MQ_INFORMATION_INTERNAL_USER_CERT_EXIST: INTERNAL_CERTIFICATE_EXISTS,
    HResult.MQ_ERROR_CORRUPTED_SECURITY_DATA: Advice(
        causes=(
            "The machine keys of Message Queuing are damaged or not readable for the service.",
            "The security data of the message were changed on the way.",
        ),
        steps=(
            "Check the rights on the machine key folder ProgramData\\Microsoft\\Crypto\\RSA\\MachineKeys.",
            "Renew the cryptographic keys in the Message Queuing properties of the computer.",
        ),
    ),
    HResult.MQ_ERROR_COMPUTER_DOES_NOT_SUPPORT_ENCRYPTION: Advice(
        causes=(
            "The destination has no key for the strength that was asked for.",
            "The destination is a foreign computer or is in workgroup mode.",
        ),
        steps=("Ask for another strength, or send in the clear through DIRECT=HTTPS.",),
    ),
    HResult.MQ_ERROR_ENCRYPTION_PROVIDER_NOT_SUPPORTED: Advice(
        causes=("The application names a cryptographic provider that Message Queuing cannot use or that is not installed.",),
        steps=("Leave the provider out so that the default is taken, or install the provider on both sides.",),
    ),
    HResult.MQ_ERROR_CANNOT_SET_CRYPTO_SEC_DESCR: Advice(
        causes=("The service may not change the rights of its own key containers.",),
        steps=("Give the service and the administrators full control of the machine key folder, then renew the keys.",),
    ),
    HResult.MQ_ERROR_PUBLIC_KEY_NOT_FOUND: NO_PUBLIC_KEY,
    HResult.MQ_ERROR_PUBLIC_KEY_DOES_NOT_EXIST: NO_PUBLIC_KEY,
    HResult.MQ_ERROR_CANNOT_HASH_DATA_EX: CANNOT_SIGN,
    HResult.MQ_ERROR_CANNOT_SIGN_DATA_EX: CANNOT_SIGN,
    HResult.MQ_ERROR_CANNOT_CREATE_HASH_EX: CANNOT_SIGN,
    HResult.MQ_ERROR_FAIL_VERIFY_SIGNATURE_EX: Advice(
        causes=(
            "The message was changed after it was signed.",
            "The sender's certificate in the directory is not the one it signed with: event 2196 says so.",
            "The hash algorithm is one that this computer does not accept any more, such as SHA-1.",
        ),
        steps=(
            "Remove stale certificates of the sender from the directory and register the current one.",
            "Run `msmqctl decode` on the packet to see hash algorithm, certificate and signature type.",
        ),
    ),
    HResult.MQ_ERROR_MESSAGE_NOT_AUTHENTICATED: Advice(
        causes=(
            "The queue is set to take authenticated messages only, and the sender does not sign.",
            "The message came by a direct name, for which authentication does not work.",
        ),
        steps=(
            "Sign at the sender, and send by a public format name.",
            "Or take the Authenticated setting off the queue.",
        ),
    ),
    HResult.MQ_ERROR_MISSING_CONNECTOR_TYPE: Advice(
        causes=("The application sets properties that only connectors may set, such as its own signature or an acknowledgment class.",),
        steps=("Set the connector type to a GUID of your own, or leave those properties to Message Queuing.",),
    ),
}
