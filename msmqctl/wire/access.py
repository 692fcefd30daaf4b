"""Who may do what: the walk through a DACL that decides each right, and says which entry decided it. [MS-DTYP] 2.5.3.2

Callers hand over every SID of the one who asks, groups included. Nobody is added here: an authenticated caller brings Everyone
(S-1-1-0) along, and one without authentication is ANONYMOUS LOGON (S-1-5-7) alone, which is no member of Everyone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import Enum

from msmqctl.wire.ace import Ace, AceType
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.rights import AccessMask, GenericMapping, ObjectKind, describe
from msmqctl.wire.security import NULL_ACL, Acl, AclPart, SecurityDescriptor
from msmqctl.wire.sid import OWNER_RIGHTS, Sid

# What an owner may without being told so.
OWNER_MASK = int(AccessMask.READ_CONTROL | AccessMask.WRITE_DAC)
_MAXIMUM_ALLOWED = int(AccessMask.MAXIMUM_ALLOWED)
# Bits that can be asked for but that no entry of a DACL gives. [MS-DTYP] 2.4.3
_NEVER_IN_ENTRY = int(AccessMask.MAXIMUM_ALLOWED | AccessMask.ACCESS_SYSTEM_SECURITY)
# Generic bits of an entry are no rights on the object: they were to be replaced when the descriptor was set. [MS-DTYP] 2.4.3
_GENERIC = int(AccessMask.GENERIC_READ | AccessMask.GENERIC_WRITE | AccessMask.GENERIC_EXECUTE | AccessMask.GENERIC_ALL)

# Whether a type of entry allows or denies. All others say nothing about access, those we do not know among them.
# Departs from [MS-DTYP] 2.5.3.2: conditions are not evaluated and count as UNKNOWN (2.4.4.17.3): a callback denies, it never allows.
_ALLOWS = {
    AceType.ACCESS_ALLOWED_ACE_TYPE: True,
    AceType.ACCESS_ALLOWED_OBJECT_ACE_TYPE: True,
    AceType.ACCESS_DENIED_ACE_TYPE: False,
    AceType.ACCESS_DENIED_OBJECT_ACE_TYPE: False,
    AceType.ACCESS_DENIED_CALLBACK_ACE_TYPE: False,
    AceType.ACCESS_DENIED_CALLBACK_OBJECT_ACE_TYPE: False,
}


class Reason(Enum):
    """Why a right was granted or not; the value is the end of a sentence."""

    ENTRY = "an entry of the list says so"
    OWNER = "the owner may always read and change the permissions"
    NO_LIST = "there is no list, so everything is allowed"
    NULL_LIST = "the list is NULL, so everything is allowed"
    NO_ENTRY = "no entry of the list speaks about it"
    PRIVILEGE = "it takes a privilege, no list can give it"


@dataclass(frozen=True, slots=True)
class BitDecision:
    """What became of one right, why, and at which place of the DACL if an entry decided."""

    bit: int
    granted: bool
    reason: Reason
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class AccessDecision:
    """What became of a request: each bit that it came down to, lowest first."""

    kind: ObjectKind
    bits: tuple[BitDecision, ...]
    # Whether the request was for as much as possible; it succeeds with anything at all.
    maximum: bool = False
    # Bits that were asked for one by one and therefore must not be missing.
    required: int = 0

    @property
    def granted(self) -> int:
        """The rights that were granted."""
        return sum(decision.bit for decision in self.bits if decision.granted)

    @property
    def denied(self) -> int:
        """The rights that were not granted, whether denied or not spoken about."""
        return sum(decision.bit for decision in self.bits if not decision.granted)

    @property
    def allowed(self) -> bool:
        """Whether the request as a whole succeeds: all that was required is granted, and of a maximum something."""
        return not self.required & ~self.granted and (self.granted != 0 or not self.maximum)

    def names(self) -> tuple[str, ...]:
        """The granted rights by name."""
        return describe(self.granted, self.kind)

    def decided_by(self, bit: int) -> BitDecision | None:
        """What became of one bit; None if the request did not contain it."""
        return next((decision for decision in self.bits if decision.bit == bit), None)


def access_check(
    descriptor: SecurityDescriptor,
    sids: Iterable[Sid],
    desired: int,
    *,
    kind: ObjectKind = ObjectKind.QUEUE,
    mapping: GenericMapping | None = None,
) -> AccessDecision:
    """Decide which of the `desired` rights the one with these SIDs has on the object. [MS-DTYP] 2.5.3.2

    The DACL is walked in order and the first entry that speaks about a bit decides it. Generic rights in `desired` stand for what
    `mapping`, or else the kind of object, says; those in entries stand for nothing: see `map_generic_rights`. Whoever holds the
    privilege for ACCESS_SYSTEM_SECURITY leaves that bit out of `desired`.
    """
    mapping = mapping or kind.mapping
    token = frozenset(sids) - {OWNER_RIGHTS}
    if descriptor.owner in token:
        token |= {OWNER_RIGHTS}
    owned = _owner_mask(descriptor.dacl, token)
    verdicts = list(_verdicts(descriptor.dacl, token))
    maximum = bool(int(desired) & _MAXIMUM_ALLOWED)
    required = wanted = mapping.apply(int(desired) & ~_MAXIMUM_ALLOWED)
    if maximum:
        # As much as possible: all that the kind of object knows, and what entries give or take beyond that.
        wanted |= int(mapping.all) | owned
        for _, _, mask in verdicts:
            wanted |= mask & ~_GENERIC
    bits = tuple(_decide(1 << place, descriptor.dacl, owned, verdicts) for place in range(32) if wanted >> place & 1)
    return AccessDecision(kind, bits, maximum, required)


def effective_rights(
    descriptor: SecurityDescriptor,
    sids: Iterable[Sid],
    *,
    kind: ObjectKind = ObjectKind.QUEUE,
    mapping: GenericMapping | None = None,
) -> AccessDecision:
    """All that the one with these SIDs may really do, each right with the entry that gives or takes it. [MS-DTYP] 2.5.3.2"""
    return access_check(descriptor, sids, AccessMask.MAXIMUM_ALLOWED, kind=kind, mapping=mapping)


def map_generic_rights(descriptor: SecurityDescriptor, mapping: GenericMapping) -> SecurityDescriptor:
    """The descriptor as it is to be attached to an object: generic rights of entries replaced by what they stand for. [MS-DTYP] 2.4.3"""

    def mapped(part: AclPart) -> AclPart:
        if not isinstance(part, Acl):
            return part
        # An entry that only waits to be inherited keeps its generic rights: its heir may be of another kind.
        entries = (
            replace(entry, mask=mapping.apply(entry.mask)) if isinstance(entry, Ace) and not entry.flags.inherit_only else entry
            for entry in part.entries
        )
        return replace(part, entries=tuple(entries))

    return replace(descriptor, dacl=mapped(descriptor.dacl), sacl=mapped(descriptor.sacl))


def _verdicts(dacl: AclPart, token: frozenset[Sid]) -> Iterator[tuple[int, bool, int]]:
    """The entries that speak about the token's access: place in the list, whether they allow, mask.

    An entry with an ObjectType concerns a part of an object, and the objects of MSMQ have no parts.
    """
    for index, entry in enumerate(dacl.entries if isinstance(dacl, Acl) else ()):
        if (
            isinstance(entry, Ace)
            and entry.type in _ALLOWS
            and not entry.flags.inherit_only
            and entry.object_type is None
            and entry.sid in token
        ):
            yield index, _ALLOWS[entry.type], int(entry.mask) & ~_NEVER_IN_ENTRY


def _owner_mask(dacl: AclPart, token: frozenset[Sid]) -> int:
    """What the token has by owning the object: nothing, if the list speaks about owners itself."""
    # Departs from [MS-DTYP] 2.5.3.2: entries "from object owner" are taken for those of OWNER RIGHTS, whose meaning 2.4.2.4 explains.
    entries = dacl.entries if isinstance(dacl, Acl) else ()
    spoken = any(isinstance(entry, Ace) and entry.sid == OWNER_RIGHTS and not entry.flags.inherit_only for entry in entries)
    return OWNER_MASK if OWNER_RIGHTS in token and not spoken else 0


def _decide(bit: int, dacl: AclPart, owned: int, verdicts: list[tuple[int, bool, int]]) -> BitDecision:
    """What becomes of one bit."""
    # Departs from [MS-DTYP] 2.5.3.2: for MAXIMUM_ALLOWED too the first entry decides, so that it gives just what single requests would.
    if bit & _NEVER_IN_ENTRY:
        return BitDecision(bit, granted=False, reason=Reason.PRIVILEGE)
    if dacl is None:
        return BitDecision(bit, granted=True, reason=Reason.NO_LIST)
    if dacl is NULL_ACL:
        return BitDecision(bit, granted=True, reason=Reason.NULL_LIST)
    if bit & owned:
        return BitDecision(bit, granted=True, reason=Reason.OWNER)
    for index, allows, mask in verdicts:
        if bit & mask:
            return BitDecision(bit, granted=allows, reason=Reason.ENTRY, entry=index)
    return BitDecision(bit, granted=False, reason=Reason.NO_ENTRY)
