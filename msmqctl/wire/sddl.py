"""Security descriptors as text: SDDL, which people paste and tools compare. [MS-DTYP] 2.5.1

    O:BAG:SYD:P(A;;0xf003f;;;BA)(D;;0x4;;;AN)S:(AU;SAFA;SDWDWO;;;WD)

What has no meaning is left out of the text (reserved bits, how a part came to be). What has a meaning that the text cannot carry
here (conditions, attributes of resources, unknown entries) is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from uuid import UUID

from msmqctl.errors import DecodeError
from msmqctl.wire.ace import OBJECT_TYPES, Ace, AceFlags, AceType, Entry
from msmqctl.wire.security import MAX_ACL_SIZE, NULL_ACL, Acl, AclPart, Control, SecurityDescriptor
from msmqctl.wire.sid import SID_TEXT, WELL_KNOWN_BY_SID, Sid, parse_alias

_DACL_TYPES = {
    "A": AceType.ACCESS_ALLOWED_ACE_TYPE,
    "D": AceType.ACCESS_DENIED_ACE_TYPE,
    "OA": AceType.ACCESS_ALLOWED_OBJECT_ACE_TYPE,
    "OD": AceType.ACCESS_DENIED_OBJECT_ACE_TYPE,
}
_SACL_TYPES = {
    "AU": AceType.SYSTEM_AUDIT_ACE_TYPE,
    "OU": AceType.SYSTEM_AUDIT_OBJECT_ACE_TYPE,
    "ML": AceType.SYSTEM_MANDATORY_LABEL_ACE_TYPE,
    "SP": AceType.SYSTEM_SCOPED_POLICY_ID_ACE_TYPE,
}
# Entries whose text has an expression in it.
_EXPRESSION_TYPES = {"XA", "XD", "XU", "ZA", "RA"}

# ace-flag = "CI" / "OI" / "NP" / "IO" / "ID" / "SA" / "FA"
_ACE_FLAGS = {
    "CI": AceFlags.of(container_inherit=1),
    "OI": AceFlags.of(object_inherit=1),
    "NP": AceFlags.of(no_propagate_inherit=1),
    "IO": AceFlags.of(inherit_only=1),
    "ID": AceFlags.of(inherited=1),
    "SA": AceFlags.of(successful_access=1),
    "FA": AceFlags.of(failed_access=1),
}

# acl-flag = "P" / "AR" / "AI", for either list its own control bit
_DACL_FLAGS = {
    "P": Control.of(dacl_protected=1),
    "AR": Control.of(dacl_computed_inheritance_required=1),
    "AI": Control.of(dacl_auto_inherited=1),
}
_SACL_FLAGS = {
    "P": Control.of(sacl_protected=1),
    "AR": Control.of(sacl_computed_inheritance_required=1),
    "AI": Control.of(sacl_auto_inherited=1),
}
# Departs from [MS-DTYP] 2.5.1.1: the grammar has no word for a NULL list, so the one that Windows uses is read and written.
_NULL_WORD = "NO_ACCESS_CONTROL"

_DIRECTORY_RIGHTS = {
    "CC": 0x00000001,
    "DC": 0x00000002,
    "LC": 0x00000004,
    "SW": 0x00000008,
    "RP": 0x00000010,
    "WP": 0x00000020,
    "DT": 0x00000040,
    "LO": 0x00000080,
    "CR": 0x00000100,
}
# The policy of a mandatory label; Windows writes these letters, [MS-DTYP] 2.4.4.13 has the bits only.
_LABEL_RIGHTS = {"NW": 0x00000001, "NR": 0x00000002, "NX": 0x00000004}
_SHARED_RIGHTS = {
    "SD": 0x00010000,
    "RC": 0x00020000,
    "WD": 0x00040000,
    "WO": 0x00080000,
    "GR": 0x80000000,
    "GW": 0x40000000,
    "GX": 0x20000000,
    "GA": 0x10000000,
}
# Sums of rights on files and registry keys: read, never written.
_SUMS_OF_RIGHTS = {
    "FA": 0x001F01FF,
    "FX": 0x001200A0,
    "FW": 0x00120116,
    "FR": 0x00120089,
    "KA": 0x000F003F,
    "KR": 0x00020019,
    "KX": 0x00020019,
    "KW": 0x00020006,
}
_RIGHTS = _DIRECTORY_RIGHTS | _LABEL_RIGHTS | _SHARED_RIGHTS | _SUMS_OF_RIGHTS

# ace-rights = *text-rights-string / "0x" 1*8HEXDIG / "0" 1*OCTDIG / 1*DIGIT
_NUMBERS = (
    (re.compile(r"0x([0-9A-F]{1,8})", re.IGNORECASE | re.ASCII), 16),
    (re.compile(r"0([0-7]{1,21})"), 8),
    (re.compile(r"(0|[1-9][0-9]{0,19})"), 10),
)
_GUID = re.compile(r"[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}", re.IGNORECASE | re.ASCII)
_ALIAS = re.compile(r"[A-Z]{2}", re.IGNORECASE | re.ASCII)


def parse_sddl(text: str, domain: Sid | None = None) -> SecurityDescriptor:
    """The descriptor that `text` describes. Aliases of somebody in a domain, such as DA, need its SID. [MS-DTYP] 2.5.1.1"""
    return _Parser(text, domain).descriptor()


class _Parser:
    """Walks through the text once, from left to right. ABNF literals match either case."""

    # sddl = [owner-string] [group-string] [dacl-string] [sacl-string]
    # owner-string = "O:" sid-string; group-string = "G:" sid-string; dacl-string = "D:" acl; sacl-string = "S:" acl
    # acl = *acl-flag *ace
    # ace = "(" ace-type ";" [ace-flags] ";" ace-rights ";" [object-guid] ";" [inherit-object-guid] ";" sid-string ")"

    def __init__(self, text: str, domain: Sid | None) -> None:
        self.text = text
        self.domain = domain
        self.offset = 0

    def descriptor(self) -> SecurityDescriptor:
        if not self.text.isascii():
            strange = next(place for place, letter in enumerate(self.text) if not letter.isascii())
            raise self.fault(f"{self.text[strange]!r} does not occur in SDDL", strange)
        owner = self.sid() if self.accept("O:") else None
        group = self.sid() if self.accept("G:") else None
        dacl, dacl_control = self.acl(_DACL_TYPES, _DACL_FLAGS) if self.accept("D:") else (None, 0)
        sacl, sacl_control = self.acl(_SACL_TYPES, _SACL_FLAGS) if self.accept("S:") else (None, 0)
        if self.offset < len(self.text):
            raise self.fault(f"{self.text[self.offset : self.offset + 12]!r} is out of place; the order is O: G: D: S:, each at most once")
        return SecurityDescriptor(owner, group, dacl, sacl, Control(dacl_control | sacl_control))

    def fault(self, problem: str, offset: int | None = None) -> DecodeError:
        """The error to raise: `problem`, here or at `offset`."""
        return DecodeError(problem, where="SDDL", offset=self.offset if offset is None else offset)

    def accept(self, literal: str) -> bool:
        """Step over `literal` if it comes next."""
        end = self.offset + len(literal)
        if self.text[self.offset : end].upper() != literal:
            return False
        self.offset = end
        return True

    def expect(self, literal: str) -> None:
        if not self.accept(literal):
            raise self.fault(f"{literal!r} expected")

    def acl(self, types: dict[str, AceType], flags: dict[str, Control]) -> tuple[AclPart, int]:
        """A list and the control bits that stand before it."""
        start = self.offset
        control = 0
        while (letters := next((letters for letters in flags if self.accept(letters)), None)) is not None:
            control |= flags[letters]
        if self.accept(_NULL_WORD):
            return NULL_ACL, control
        entries: list[Entry] = []
        while self.accept("("):
            entries.append(self.ace(types))
        acl = Acl.of(*entries)
        if acl.size > MAX_ACL_SIZE:
            raise self.fault(f"a list of {acl.size} octets, at most {MAX_ACL_SIZE} fit", start)
        return acl, control

    def ace(self, types: dict[str, AceType]) -> Ace:
        """An entry, from behind its opening parenthesis."""
        start = self.offset
        letters = self.field().upper()
        if letters in _EXPRESSION_TYPES:
            raise self.fault(f"{letters} entries hold an expression, which msmqctl keeps in binary form only", start)
        if letters not in types:
            raise self.fault(f"{letters[:12]!r} is no type of entry for this list, {', '.join(types)} are", start)
        kind = types[letters]
        flags = self.flags()
        mask = self.rights()
        object_type = self.guid(kind)
        inherited_object_type = self.guid(kind)
        sid = self.sid()
        if self.text[self.offset : self.offset + 1] == ";":
            raise self.fault(f"{letters} entries have no seventh field")
        self.expect(")")
        return Ace(kind, sid, mask, flags, object_type, inherited_object_type)

    def field(self) -> str:
        """The text up to the next semicolon, which is stepped over."""
        end = self.text.find(";", self.offset)
        close = self.text.find(")", self.offset, end if end >= 0 else None)
        if end < 0 or close >= 0:
            raise self.fault("an entry has six fields with a semicolon between them", close if close >= 0 else len(self.text))
        content = self.text[self.offset : end]
        self.offset = end + 1
        return content

    def letter_pairs(self, content: str, start: int, what: str, table: Mapping[str, int]) -> int:
        """The sum of what pairs of letters stand for."""
        total = 0
        for place in range(0, len(content), 2):
            letters = content[place : place + 2].upper()
            if letters not in table:
                raise self.fault(f"{letters!r} is no {what}", start + place)
            total |= table[letters]
        return total

    def flags(self) -> AceFlags:
        start = self.offset
        return AceFlags(self.letter_pairs(self.field(), start, "flag of an entry", _ACE_FLAGS))

    def rights(self) -> int:
        """Letters or a number. The grammar lets numbers have 64 bits, a mask has 32."""
        start = self.offset
        content = self.field()
        if content[:1].isdigit():
            number = next((int(match[1], base) for form, base in _NUMBERS if (match := form.fullmatch(content))), None)
            if number is None or number > 0xFFFFFFFF:
                raise self.fault(f"{content[:24]!r} is no mask of 32 bits in hexadecimal, octal or decimal", start)
            return number
        return self.letter_pairs(content, start, "right", _RIGHTS)

    def guid(self, kind: AceType) -> UUID | None:
        start = self.offset
        content = self.field()
        if not content:
            return None
        if not _GUID.fullmatch(content):
            raise self.fault(f"{content[:40]!r} is no GUID", start)
        if kind not in OBJECT_TYPES:
            raise self.fault("only object entries (OA, OD, OU) carry a GUID", start)
        return UUID(content)

    def sid(self) -> Sid:
        """A SID or the two letters of a well-known one."""
        start = self.offset
        try:
            if match := SID_TEXT.match(self.text, start):
                self.offset = match.end()
                return Sid.parse(match[0])
            if match := _ALIAS.match(self.text, start):
                self.offset = match.end()
                return parse_alias(match[0], self.domain)
        except DecodeError as error:
            raise DecodeError(error.problem, where="SDDL", offset=start + error.offset, hint=error.hint) from error
        raise self.fault("a SID (S-1-…) or two letters for one expected")


def format_sddl(descriptor: SecurityDescriptor) -> str:
    """The descriptor as text. SIDs of a domain are written out, so that the text means the same everywhere. [MS-DTYP] 2.5.1.1"""
    parts = []
    if descriptor.owner is not None:
        parts.append(f"O:{_format_sid(descriptor.owner)}")
    if descriptor.group is not None:
        parts.append(f"G:{_format_sid(descriptor.group)}")
    if descriptor.dacl is not None:
        parts.append(f"D:{_format_acl(descriptor.dacl, descriptor.control, _DACL_TYPES, _DACL_FLAGS, 'Dacl')}")
    if descriptor.sacl is not None:
        parts.append(f"S:{_format_acl(descriptor.sacl, descriptor.control, _SACL_TYPES, _SACL_FLAGS, 'Sacl')}")
    return "".join(parts)


def _format_acl(acl: AclPart, control: Control, types: dict[str, AceType], flags: dict[str, Control], where: str) -> str:
    prefix = "".join(letters for letters, bit in flags.items() if control & bit)
    if not isinstance(acl, Acl):
        return prefix + _NULL_WORD
    letters_of = {kind: letters for letters, kind in types.items()}
    return prefix + "".join(_format_entry(entry, letters_of, f"{where}.Ace[{index}]") for index, entry in enumerate(acl.entries))


def _format_entry(entry: Entry, letters_of: dict[AceType, str], where: str) -> str:
    if not isinstance(entry, Ace) or entry.type not in letters_of:
        raise DecodeError(f"an entry of type {entry.type.name} has no text form in this list", where=where, offset=0)
    flags = "".join(letters for letters, bit in _ACE_FLAGS.items() if entry.flags & bit)
    guids = ("" if guid is None else str(guid) for guid in (entry.object_type, entry.inherited_object_type))
    return f"({';'.join((letters_of[entry.type], flags, _format_rights(entry), *guids, _format_sid(entry.sid)))})"


def _format_rights(entry: Ace) -> str:
    """Letters where they say what is meant, else hexadecimal: the letters of the directory would lie about the rights on a queue."""
    table = _SHARED_RIGHTS
    if entry.type in OBJECT_TYPES:
        table = _DIRECTORY_RIGHTS | _SHARED_RIGHTS
    elif entry.type == AceType.SYSTEM_MANDATORY_LABEL_ACE_TYPE:
        table = _LABEL_RIGHTS
    letters = [letters for letters, bit in table.items() if entry.mask & bit]
    return "".join(letters) if sum(table[pair] for pair in letters) == entry.mask else f"0x{entry.mask:x}"


def _format_sid(sid: Sid) -> str:
    known = WELL_KNOWN_BY_SID.get(sid)
    return known.alias if known and known.alias else str(sid)
