"""Security identifiers: who owns, who may, who asks. Octets, text, and the names of those that mean the same everywhere. [MS-DTYP] 2.4.2

A SID is the number of the authority that issued it and up to fifteen numbers below that. Its text reads `S-1-5-32-544`.
"""

from __future__ import annotations

import re
import struct
from typing import NamedTuple, Self

from msmqctl.errors import DecodeError
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.record import Buffer, Reader

MAX_SUB_AUTHORITIES = 15
_REVISION = 1
_MAX_AUTHORITY = (1 << 48) - 1
_MAX_NUMBER = 0xFFFFFFFF
_NT_AUTHORITY = 5
_DOMAIN, _BUILTIN = 21, 32

# SID = "S-1-" IdentifierAuthority 1*SubAuthority
# IdentifierAuthority = 1*10DIGIT (below 2^32) / "0x" 12HEXDIG (2^32 and above); SubAuthority = "-" 1*10DIGIT; no leading zeros.
# ABNF literals match either case. How many numbers, and how large, is checked after the match, to say what is wrong.
# Departs from [MS-DTYP] 2.4.2.1: a SID without sub-authorities is read and written, because 2.4.2.4 lists S-1-3 and S-1-5.
SID_TEXT = re.compile(r"S-1-(?P<authority>0x[0-9A-F]{12}|[0-9]+)(?P<rest>(?:-[0-9]+)*)", re.IGNORECASE | re.ASCII)
_SID_HINT = "write it like S-1-5-32-544"


@dataclass(frozen=True, slots=True, order=True)
class Sid:
    """A security identifier. [MS-DTYP] 2.4.2"""

    # u8 Revision = 1; u8 SubAuthorityCount <= 15; u8 IdentifierAuthority[6], high octet first; u32 SubAuthority[SubAuthorityCount]
    authority: int
    sub_authorities: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.authority <= _MAX_AUTHORITY:
            raise ValueError(f"the authority {self.authority} does not fit into 48 bits")
        if len(self.sub_authorities) > MAX_SUB_AUTHORITIES:
            raise ValueError(f"a SID has at most {MAX_SUB_AUTHORITIES} sub-authorities, not {len(self.sub_authorities)}")
        if not all(0 <= number <= _MAX_NUMBER for number in self.sub_authorities):
            raise ValueError(f"a sub-authority of {self.sub_authorities} does not fit into 32 bits")

    @classmethod
    def read(cls, reader: Reader) -> Self:
        """Take a SID in its packet form. [MS-DTYP] 2.4.2.2"""
        start = reader.offset
        if (revision := reader.u8("Sid.revision")) != _REVISION:
            raise reader.fault(f"revision {revision}, only {_REVISION} is known", "Sid.revision", start)
        if (count := reader.u8("Sid.sub_authority_count")) > MAX_SUB_AUTHORITIES:
            raise reader.fault(f"{count} sub-authorities, at most {MAX_SUB_AUTHORITIES} are allowed", "Sid.sub_authority_count", start + 1)
        authority = int.from_bytes(reader.take(6, "Sid.identifier_authority"), "big")
        return cls(authority, struct.unpack(f"<{count}I", reader.take(4 * count, "Sid.sub_authority")))

    @classmethod
    def read_all(cls, data: Buffer) -> Self:
        """The SID that fills `data` from end to end."""
        reader = Reader(data)
        sid = cls.read(reader)
        reader.expect_end("Sid")
        return sid

    def pack(self) -> bytes:
        """The SID in its packet form. [MS-DTYP] 2.4.2.2"""
        numbers = self.sub_authorities
        return bytes((_REVISION, len(numbers))) + self.authority.to_bytes(6, "big") + struct.pack(f"<{len(numbers)}I", *numbers)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The SID written as `S-1-…`. [MS-DTYP] 2.4.2.1"""
        match = SID_TEXT.fullmatch(text)
        if match is None:
            raise DecodeError("not of the form S-1-authority-number-…", where="SID", offset=0, hint=_SID_HINT)
        if match["authority"][:2] in ("0x", "0X"):
            authority = int(match["authority"], 16)
            if authority <= _MAX_NUMBER:
                raise DecodeError(
                    "an authority below 2^32 is written in decimal", where="SID", offset=match.start("authority"), hint=_SID_HINT
                )
        else:
            authority = _parse_number(match["authority"], match.start("authority"))
        numbers: list[int] = []
        offset = match.start("rest")
        for digits in match["rest"].split("-")[1:]:
            if len(numbers) == MAX_SUB_AUTHORITIES:
                raise DecodeError(f"more than {MAX_SUB_AUTHORITIES} sub-authorities", where="SID", offset=offset, hint=_SID_HINT)
            numbers.append(_parse_number(digits, offset + 1))
            offset += 1 + len(digits)
        return cls(authority, tuple(numbers))

    def __str__(self) -> str:
        authority = str(self.authority) if self.authority <= _MAX_NUMBER else f"0x{self.authority:012X}"
        return "-".join(("S-1", authority, *map(str, self.sub_authorities)))

    @property
    def name(self) -> str | None:
        """What people call it, if it means the same on every machine or in every domain; else None. [MS-DTYP] 2.4.2.4"""
        known = WELL_KNOWN_BY_SID.get(self) or (_IN_DOMAIN_BY_RID.get(self.sub_authorities[-1]) if self.in_domain else None)
        return known.name if known else None

    @property
    def in_domain(self) -> bool:
        """Whether a domain or a machine issued it for an account or group: S-1-5-21, three numbers for the issuer, one for the account."""
        return self.authority == _NT_AUTHORITY and len(self.sub_authorities) == 5 and self.sub_authorities[0] == _DOMAIN

    def with_rid(self, rid: int) -> Sid:
        """This SID, taken as a domain, and one more number: an account or group in it."""
        return Sid(self.authority, (*self.sub_authorities, rid))


def _parse_number(digits: str, offset: int) -> int:
    """A decimal number of at most 32 bits without leading zeros."""
    if len(digits) > 1 and digits[0] == "0":
        raise DecodeError(f"leading zeros in {digits[:20]}", where="SID", offset=offset, hint=_SID_HINT)
    # The length is checked first: turning thousands of digits into a number costs time, and Python refuses it.
    if len(digits) > 10 or int(digits) > _MAX_NUMBER:
        raise DecodeError(f"{digits[:20]} does not fit into 32 bits", where="SID", offset=offset, hint=_SID_HINT)
    return int(digits)


class WellKnown(NamedTuple):
    """A SID that means the same everywhere: its name for people and its two letters in SDDL, if it has any."""

    sid: Sid
    alias: str | None
    name: str


class InDomain(NamedTuple):
    """An account or group that every domain has: the last number of its SID, two letters, name."""

    rid: int
    alias: str | None
    name: str


# SID, SDDL alias (or "-"), the name Windows shows. [MS-DTYP] 2.4.2.4, 2.5.1.1
_WELL_KNOWN = """
S-1-0-0             -   NULL SID
S-1-1-0             WD  Everyone
S-1-2-0             -   LOCAL
S-1-2-1             -   CONSOLE LOGON
S-1-3-0             CO  CREATOR OWNER
S-1-3-1             CG  CREATOR GROUP
S-1-3-2             -   CREATOR OWNER SERVER
S-1-3-3             -   CREATOR GROUP SERVER
S-1-3-4             OW  OWNER RIGHTS
S-1-5-1             -   DIALUP
S-1-5-2             NU  NETWORK
S-1-5-3             -   BATCH
S-1-5-4             IU  INTERACTIVE
S-1-5-6             SU  SERVICE
S-1-5-7             AN  ANONYMOUS LOGON
S-1-5-8             -   PROXY
S-1-5-9             ED  ENTERPRISE DOMAIN CONTROLLERS
S-1-5-10            PS  SELF
S-1-5-11            AU  Authenticated Users
S-1-5-12            RC  RESTRICTED
S-1-5-13            -   TERMINAL SERVER USER
S-1-5-14            -   REMOTE INTERACTIVE LOGON
S-1-5-15            -   This Organization
S-1-5-17            -   IUSR
S-1-5-18            SY  SYSTEM
S-1-5-19            LS  LOCAL SERVICE
S-1-5-20            NS  NETWORK SERVICE
S-1-5-21-0-0-0-496  -   Compounded Authentication
S-1-5-21-0-0-0-497  -   Claims Valid
S-1-5-32-544        BA  Administrators
S-1-5-32-545        BU  Users
S-1-5-32-546        BG  Guests
S-1-5-32-547        PU  Power Users
S-1-5-32-548        AO  Account Operators
S-1-5-32-549        SO  Server Operators
S-1-5-32-550        PO  Print Operators
S-1-5-32-551        BO  Backup Operators
S-1-5-32-552        RE  Replicator
S-1-5-32-554        RU  Pre-Windows 2000 Compatible Access
S-1-5-32-555        RD  Remote Desktop Users
S-1-5-32-556        NO  Network Configuration Operators
S-1-5-32-557        -   Incoming Forest Trust Builders
S-1-5-32-558        MU  Performance Monitor Users
S-1-5-32-559        LU  Performance Log Users
S-1-5-32-560        -   Windows Authorization Access Group
S-1-5-32-561        -   Terminal Server License Servers
S-1-5-32-562        -   Distributed COM Users
S-1-5-32-568        IS  IIS_IUSRS
S-1-5-32-569        CY  Cryptographic Operators
S-1-5-32-573        ER  Event Log Readers
S-1-5-32-574        CD  Certificate Service DCOM Access
S-1-5-32-575        RA  RDS Remote Access Servers
S-1-5-32-576        ES  RDS Endpoint Servers
S-1-5-32-577        MS  RDS Management Servers
S-1-5-32-578        HA  Hyper-V Administrators
S-1-5-32-579        AA  Access Control Assistance Operators
S-1-5-32-580        RM  Remote Management Users
S-1-5-32-582        -   Storage Replica Administrators
S-1-5-33            WR  WRITE RESTRICTED
S-1-5-64-10         -   NTLM Authentication
S-1-5-64-14         -   SChannel Authentication
S-1-5-64-21         -   Digest Authentication
S-1-5-65-1          -   This Organization Certificate
S-1-5-80-0          -   ALL SERVICES
S-1-5-83-0          -   Virtual Machines
S-1-5-84-0-0-0-0-0  UD  USER MODE DRIVERS
S-1-5-90-0          -   Window Manager Group
S-1-5-113           -   Local account
S-1-5-114           -   Local account and member of Administrators group
S-1-5-1000          -   Other Organization
S-1-15-2-1          AC  ALL APPLICATION PACKAGES
S-1-16-0            -   Untrusted Mandatory Level
S-1-16-4096         LW  Low Mandatory Level
S-1-16-8192         ME  Medium Mandatory Level
S-1-16-8448         MP  Medium Plus Mandatory Level
S-1-16-12288        HI  High Mandatory Level
S-1-16-16384        SI  System Mandatory Level
S-1-16-20480        -   Protected Process Mandatory Level
S-1-16-28672        -   Secure Process Mandatory Level
S-1-18-1            -   Authentication authority asserted identity
S-1-18-2            -   Service asserted identity
S-1-18-3            -   Fresh public key identity
S-1-18-4            -   Key trust identity
S-1-18-5            -   Key property multi-factor authentication
S-1-18-6            -   Key property attestation
"""

# The last number behind S-1-5-21-<domain>, alias, name. [MS-DTYP] 2.4.2.4, 2.5.1.1
_IN_DOMAIN = """
498  RO  Enterprise Read-only Domain Controllers
500  LA  Administrator
501  LG  Guest
502  -   krbtgt
512  DA  Domain Admins
513  DU  Domain Users
514  DG  Domain Guests
515  DC  Domain Computers
516  DD  Domain Controllers
517  CA  Cert Publishers
518  SA  Schema Admins
519  EA  Enterprise Admins
520  PA  Group Policy Creator Owners
521  -   Read-only Domain Controllers
522  CN  Cloneable Domain Controllers
525  -   Protected Users
526  -   Key Admins
527  -   Enterprise Key Admins
553  RS  RAS and IAS Servers
571  -   Allowed RODC Password Replication Group
572  -   Denied RODC Password Replication Group
"""


def _rows(table: str) -> list[tuple[str, str | None, str]]:
    """The lines of one of the tables above, each as number, alias or None, name."""
    lines = [line.split(maxsplit=2) for line in table.strip().splitlines()]
    return [(number, None if alias == "-" else alias, name) for number, alias, name in lines]


WELL_KNOWN = tuple(WellKnown(Sid.parse(text), alias, name) for text, alias, name in _rows(_WELL_KNOWN))
IN_DOMAIN = tuple(InDomain(int(rid), alias, name) for rid, alias, name in _rows(_IN_DOMAIN))
WELL_KNOWN_BY_SID = {known.sid: known for known in WELL_KNOWN}
_IN_DOMAIN_BY_RID = {known.rid: known for known in IN_DOMAIN}

# The ones that rules of MSMQ name.
EVERYONE = Sid(1, (0,))
OWNER_RIGHTS = Sid(3, (4,))
ANONYMOUS_LOGON = Sid(_NT_AUTHORITY, (7,))
AUTHENTICATED_USERS = Sid(_NT_AUTHORITY, (11,))
SYSTEM = Sid(_NT_AUTHORITY, (18,))
ADMINISTRATORS = Sid(_NT_AUTHORITY, (_BUILTIN, 544))


def _names_of(known: WellKnown) -> list[str]:
    """Every way to write a well-known name: plain, and behind the pseudo-domain that Windows shows before it."""
    if known.sid.authority != _NT_AUTHORITY:
        return [known.name]
    prefix = "BUILTIN" if known.sid.sub_authorities[0] == _BUILTIN else "NT AUTHORITY"
    return [known.name, f"{prefix}\\{known.name}"]


_SID_BY_NAME = {name.casefold(): known.sid for known in WELL_KNOWN for name in _names_of(known)}
_SID_BY_ALIAS = {known.alias: known.sid for known in WELL_KNOWN if known.alias}
_RID_BY_NAME = {known.name.casefold(): known.rid for known in IN_DOMAIN}
_RID_BY_ALIAS = {known.alias: known.rid for known in IN_DOMAIN if known.alias}


def parse_alias(text: str, domain: Sid | None = None) -> Sid:
    """The SID behind two letters of SDDL; those that stand for somebody in a domain need `domain`. [MS-DTYP] 2.5.1.1

    `domain` is S-1-5-21 and three numbers. The same one stands for the domain, the forest's root domain and the machine.
    """
    letters = text.upper() if text.isascii() else text
    if letters in _SID_BY_ALIAS:
        return _SID_BY_ALIAS[letters]
    if letters not in _RID_BY_ALIAS:
        raise DecodeError(f"{text[:20]!r} is no alias of a SID", where="SID", offset=0, hint=_SID_HINT)
    return _in_domain(_RID_BY_ALIAS[letters], text, domain)


def parse_principal(text: str, domain: Sid | None = None) -> Sid:
    """The SID that a person means: `S-1-…`, a well-known name in any case (`Everyone`, `BUILTIN\\Users`), or two letters of SDDL."""
    if text[:2].upper() == "S-":
        return Sid.parse(text)
    # All names are ASCII, and a letter that only folds into one, such as the long s, must not find them.
    name = text.casefold() if text.isascii() else text
    if name in _SID_BY_NAME:
        return _SID_BY_NAME[name]
    if name in _RID_BY_NAME:
        return _in_domain(_RID_BY_NAME[name], text, domain)
    return parse_alias(text, domain)


def _in_domain(rid: int, text: str, domain: Sid | None) -> Sid:
    if domain is None:
        raise DecodeError(f"{text} is a different SID in every domain", where="SID", offset=0, hint="write the SID itself, S-1-5-21-…")
    return domain.with_rid(rid)
