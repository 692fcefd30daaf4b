"""Who may do what: each rule of the walk by example, then against a naive walk. [MS-DTYP] 2.5.3.2"""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.wire.access import AccessDecision, BitDecision, Reason, access_check, effective_rights, map_generic_rights
from msmqctl.wire.ace import Ace, AceFlags, AceType, Entry, RawAce
from msmqctl.wire.rights import RIGHT_TO_SEND, GenericMapping, ObjectKind, QueueRights
from msmqctl.wire.sddl import format_sddl, parse_sddl
from msmqctl.wire.security import NULL_ACL, Acl, AclPart, SecurityDescriptor
from msmqctl.wire.sid import ADMINISTRATORS, ANONYMOUS_LOGON, AUTHENTICATED_USERS, EVERYONE, OWNER_RIGHTS, SYSTEM, Sid
from tests.wire.security_values import USER

GUID = UUID("00112233-4455-6677-8899-aabbccddeeff")
ALLOW, DENY = AceType.ACCESS_ALLOWED_ACE_TYPE, AceType.ACCESS_DENIED_ACE_TYPE
ALL = 0xF003F
MAXIMUM, SYSTEM_SECURITY = 0x02000000, 0x01000000
GENERIC_READ, GENERIC_WRITE, GENERIC_EXECUTE, GENERIC_ALL = 0x80000000, 0x40000000, 0x20000000, 0x10000000
ME = frozenset({USER, EVERYONE})


def protected(*entries: Entry, owner: Sid | None = None) -> SecurityDescriptor:
    return SecurityDescriptor(owner=owner, dacl=Acl.of(*entries))


def granted(descriptor: SecurityDescriptor, desired: int = ALL) -> int:
    decision = access_check(descriptor, ME, desired)
    assert decision.granted | decision.denied == desired
    assert not decision.granted & decision.denied
    assert decision.allowed == (decision.denied == 0)
    return decision.granted


@pytest.mark.spec("MQ-2.2.24-1")
def test_sending_needs_the_right_to_write_messages() -> None:
    assert access_check(protected(Ace(ALLOW, USER, QueueRights.MQSEC_WRITE_MESSAGE)), ME, RIGHT_TO_SEND).allowed
    everything_else = QueueRights.MQSEC_QUEUE_GENERIC_ALL & ~QueueRights.MQSEC_WRITE_MESSAGE
    assert not access_check(protected(Ace(ALLOW, USER, everything_else)), ME, RIGHT_TO_SEND).allowed


def test_the_first_entry_that_speaks_about_a_bit_decides_it() -> None:
    descriptor = protected(Ace(ALLOW, USER, 0x1), Ace(DENY, EVERYONE, 0x3), Ace(ALLOW, EVERYONE, 0xF), Ace(DENY, USER, 0xF))
    assert access_check(descriptor, ME, 0x1F).bits == (
        BitDecision(0x1, granted=True, reason=Reason.ENTRY, entry=0),
        BitDecision(0x2, granted=False, reason=Reason.ENTRY, entry=1),
        BitDecision(0x4, granted=True, reason=Reason.ENTRY, entry=2),
        BitDecision(0x8, granted=True, reason=Reason.ENTRY, entry=2),
        BitDecision(0x10, granted=False, reason=Reason.NO_ENTRY),
    )
    assert granted(descriptor, 0x1F) == 0xD


def test_deny_first_and_allow_first_differ() -> None:
    assert granted(protected(Ace(DENY, USER, 0x4), Ace(ALLOW, EVERYONE, 0x6)), 0x6) == 0x2
    assert granted(protected(Ace(ALLOW, EVERYONE, 0x6), Ace(DENY, USER, 0x4)), 0x6) == 0x6


def test_a_request_succeeds_only_as_a_whole() -> None:
    descriptor = protected(Ace(ALLOW, USER, 0x6))
    assert access_check(descriptor, ME, 0x6).allowed
    assert access_check(descriptor, ME, 0).allowed
    refused = access_check(descriptor, ME, 0x7)
    assert (refused.allowed, refused.granted, refused.denied) == (False, 0x6, 0x1)


def test_entries_of_others_do_not_count() -> None:
    assert granted(protected(Ace(ALLOW, SYSTEM, ALL), Ace(DENY, ADMINISTRATORS, ALL), Ace(ALLOW, USER, 0x4))) == 0x4


def test_nobody_becomes_a_member_of_everyone_here() -> None:
    descriptor = protected(Ace(ALLOW, EVERYONE, ALL), Ace(ALLOW, AUTHENTICATED_USERS, ALL), Ace(ALLOW, ANONYMOUS_LOGON, 0x4))
    assert access_check(descriptor, {ANONYMOUS_LOGON}, ALL).granted == 0x4
    assert access_check(descriptor, {SYSTEM}, ALL).granted == 0
    assert access_check(descriptor, set(), ALL).granted == 0


@pytest.mark.parametrize(("dacl", "reason"), [(None, Reason.NO_LIST), (NULL_ACL, Reason.NULL_LIST)])
def test_without_a_list_everything_is_allowed(dacl: AclPart, reason: Reason) -> None:
    decision = access_check(SecurityDescriptor(dacl=dacl), set(), ALL)
    assert decision.granted == ALL
    assert {bit.reason for bit in decision.bits} == {reason}


def test_an_empty_list_allows_nothing() -> None:
    assert granted(protected()) == 0
    assert {bit.reason for bit in access_check(protected(), ME, ALL).bits} == {Reason.NO_ENTRY}


def test_entries_that_only_wait_to_be_inherited_do_not_count() -> None:
    inherit_only = AceFlags.of(inherit_only=1)
    assert granted(protected(Ace(DENY, USER, ALL, inherit_only), Ace(ALLOW, USER, 0x3), Ace(ALLOW, USER, ALL, inherit_only))) == 0x3


@pytest.mark.parametrize("flags", [0x01, 0x02, 0x04, 0x10, 0x20, 0x40, 0x80])
def test_other_flags_do_not_matter(flags: int) -> None:
    assert granted(protected(Ace(ALLOW, USER, 0x3, AceFlags(flags)))) == 0x3


@pytest.mark.parametrize("number", [0x02, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x12, 0x13])
def test_audits_labels_and_conditional_grants_say_nothing(number: int) -> None:
    descriptor = protected(Ace(AceType(number), USER, ALL), Ace(ALLOW, USER, 0x4))
    assert access_check(descriptor, ME, ALL).granted == 0x4


@pytest.mark.parametrize("number", [0x03, 0x04, 0x08, 0x0E, 0x10, 0x14, 0xFF])
def test_unknown_entries_say_nothing(number: int) -> None:
    body = ALL.to_bytes(4, "little") + USER.pack()
    assert granted(protected(RawAce(AceType(number), body), Ace(ALLOW, USER, 0x4))) == 0x4


@pytest.mark.parametrize("number", [0x0A, 0x0C])
def test_a_conditional_refusal_refuses_since_its_condition_is_unknown(number: int) -> None:
    assert granted(protected(Ace(AceType(number), USER, 0x6, data=b"artx"), Ace(ALLOW, USER, 0xF)), 0xF) == 0x9


@pytest.mark.parametrize(("number", "expected"), [(0x05, 0xF), (0x06, 0x9)])
def test_an_object_entry_counts_only_without_an_object_type(number: int, expected: int) -> None:
    rest = Ace(ALLOW, USER, 0x9)
    more = Ace(ALLOW, USER, 0xF)
    last = rest if number == 0x05 else more
    assert granted(protected(Ace(AceType(number), USER, 0x6), last), 0xF) == expected
    assert granted(protected(Ace(AceType(number), USER, 0x6, inherited_object_type=GUID), last), 0xF) == expected
    assert granted(protected(Ace(AceType(number), USER, 0x6, object_type=GUID), last), 0xF) == last.mask


OWNED = 0x60000


def test_the_owner_may_read_and_change_the_list_whatever_it_says() -> None:
    decision = access_check(protected(Ace(DENY, USER, ALL), owner=USER), ME, ALL)
    assert decision.granted == OWNED
    assert decision.decided_by(0x20000) == BitDecision(0x20000, granted=True, reason=Reason.OWNER)
    assert decision.decided_by(0x40000) == BitDecision(0x40000, granted=True, reason=Reason.OWNER)
    assert granted(protected(owner=USER)) == OWNED
    assert granted(protected(owner=EVERYONE)) == OWNED
    assert granted(protected(owner=SYSTEM)) == 0


def test_an_entry_for_owner_rights_replaces_what_the_owner_has() -> None:
    assert granted(protected(Ace(ALLOW, OWNER_RIGHTS, 0x20004), owner=USER)) == 0x20004
    assert granted(protected(Ace(DENY, OWNER_RIGHTS, 0x40000), Ace(ALLOW, USER, OWNED), owner=USER)) == 0x20000
    assert granted(protected(Ace(ALLOW, OWNER_RIGHTS, ALL), owner=SYSTEM)) == 0
    assert granted(protected(Ace(ALLOW, OWNER_RIGHTS, 0x4, AceFlags.of(inherit_only=1)), owner=USER)) == OWNED


def test_owner_rights_cannot_be_claimed() -> None:
    descriptor = protected(Ace(ALLOW, OWNER_RIGHTS, ALL), owner=SYSTEM)
    assert access_check(descriptor, {USER, OWNER_RIGHTS}, ALL).granted == 0


def test_generic_rights_of_the_request_stand_for_those_of_the_kind() -> None:
    descriptor = protected(Ace(ALLOW, USER, 0x2002B))
    assert access_check(descriptor, ME, GENERIC_READ).allowed
    assert access_check(descriptor, ME, GENERIC_WRITE).denied == 0x4
    assert access_check(descriptor, ME, GENERIC_READ, kind=ObjectKind.MACHINE).denied == 0xC0
    files = GenericMapping(read=0x1, write=0x8000, execute=0x2, all=0x8003)
    assert access_check(descriptor, ME, GENERIC_READ | GENERIC_EXECUTE, mapping=files).granted == 0x3


def test_a_generic_right_that_stands_for_nothing_is_not_granted_for_nothing() -> None:
    assert not access_check(protected(Ace(ALLOW, USER, ALL)), ME, GENERIC_EXECUTE).allowed


def test_generic_rights_in_entries_count_once_they_are_replaced() -> None:
    descriptor = parse_sddl("O:SYD:(D;;GW;;;AN)(A;IO;GR;;;WD)(A;;GA;;;WD)S:(AU;SA;GR;;;WD)")
    assert access_check(descriptor, ME, 0x4).granted == 0
    assert effective_rights(descriptor, ME).granted == 0
    attached = map_generic_rights(descriptor, ObjectKind.QUEUE.mapping)
    assert format_sddl(attached) == "O:SYD:(D;;0x20024;;;AN)(A;IO;GR;;;WD)(A;;0xf003f;;;WD)S:(AU;SA;0x2002b;;;WD)"
    assert access_check(attached, ME, 0x4).granted == 0x4
    without_lists = SecurityDescriptor(USER, dacl=NULL_ACL)
    assert map_generic_rights(without_lists, ObjectKind.QUEUE.mapping) == without_lists


@pytest.mark.parametrize("dacl", [None, NULL_ACL, Acl.of(Ace(ALLOW, USER, 0xFFFFFFFF))])
def test_no_list_gives_access_to_the_audit_list(dacl: AclPart) -> None:
    decision = access_check(SecurityDescriptor(USER, dacl=dacl), ME, SYSTEM_SECURITY | 0x4)
    assert (decision.allowed, decision.granted, decision.denied) == (False, 0x4, SYSTEM_SECURITY)
    assert decision.decided_by(SYSTEM_SECURITY) == BitDecision(SYSTEM_SECURITY, granted=False, reason=Reason.PRIVILEGE)


def test_as_much_as_possible() -> None:
    descriptor = protected(Ace(DENY, USER, 0x4), Ace(ALLOW, EVERYONE, 0x8027 | MAXIMUM | SYSTEM_SECURITY), Ace(DENY, USER, 0x1), owner=USER)
    decision = access_check(descriptor, ME, MAXIMUM)
    assert decision == effective_rights(descriptor, ME)
    assert decision.allowed
    assert decision.granted == OWNED | 0x8023
    assert decision.denied == ALL & ~decision.granted
    assert decision.names() == (
        "MQSEC_RECEIVE_MESSAGE",
        "MQSEC_GET_QUEUE_PROPERTIES",
        "MQSEC_GET_QUEUE_PERMISSIONS",
        "MQSEC_CHANGE_QUEUE_PERMISSIONS",
        "0x00008000",
    )
    assert {bit.bit: bit.entry for bit in decision.bits if bit.reason is Reason.ENTRY} == {0x1: 1, 0x2: 1, 0x4: 0, 0x20: 1, 0x8000: 1}
    assert decision.decided_by(0x40) is None


def test_as_much_as_possible_may_be_nothing_or_too_little() -> None:
    assert not access_check(protected(), ME, MAXIMUM).allowed
    descriptor = protected(Ace(ALLOW, USER, 0x2))
    assert access_check(descriptor, ME, MAXIMUM).allowed
    assert access_check(descriptor, ME, MAXIMUM | 0x2).allowed
    assert not access_check(descriptor, ME, MAXIMUM | 0x4).allowed


@pytest.mark.parametrize("kind", ObjectKind)
def test_without_a_list_as_much_as_possible_is_all_that_the_kind_knows(kind: ObjectKind) -> None:
    decision = effective_rights(SecurityDescriptor(), set(), kind=kind)
    assert decision.granted == kind.mapping.all
    assert len(decision.names()) == 1


PEOPLE = [USER, EVERYONE, SYSTEM, ADMINISTRATORS, ANONYMOUS_LOGON, OWNER_RIGHTS]
ENTRIES = st.builds(
    Ace,
    st.sampled_from([AceType(number) for number in (0, 0, 0, 1, 1, 2, 5, 6, 9, 0xA)]),
    st.sampled_from(PEOPLE),
    st.integers(0, 0xFFFFF) | st.sampled_from([ALL, 0x60000, 0xFFFFFFFF]),
    st.sampled_from([AceFlags(0), AceFlags(0), AceFlags(0x10), AceFlags(0x08)]),
) | st.builds(RawAce, st.just(AceType(0x77)), st.just(ALL.to_bytes(4, "little") + USER.pack()))


def naive(owner: Sid | None, entries: list[Ace | RawAce], token: set[Sid], bit: int) -> bool:
    """One bit, one walk, in the plainest words."""
    is_owner = owner is not None and owner in token
    names = {entry.sid for entry in entries if isinstance(entry, Ace) and not entry.flags & 0x08}
    if is_owner and OWNER_RIGHTS not in names and bit in (0x20000, 0x40000):
        return True
    for entry in entries:
        if not isinstance(entry, Ace) or entry.flags & 0x08 or not entry.mask & bit:
            continue
        if entry.sid == OWNER_RIGHTS:
            if not is_owner:
                continue
        elif entry.sid not in token:
            continue
        if entry.type in (0, 5):
            return True
        if entry.type in (1, 6, 0xA):
            return False
    return False


@given(
    st.none() | st.sampled_from(PEOPLE[:5]), st.lists(ENTRIES, max_size=6), st.sets(st.sampled_from(PEOPLE[:5])), st.integers(0, 0x1FFFFF)
)
def test_the_walk_agrees_with_a_naive_one(owner: Sid | None, entries: list[Ace | RawAce], token: set[Sid], desired: int) -> None:
    descriptor = SecurityDescriptor(owner, dacl=Acl(tuple(entries), 4))
    decision = access_check(descriptor, token, desired)
    expected = {1 << place: naive(owner, entries, token, 1 << place) for place in range(21) if desired >> place & 1}
    assert {bit.bit: bit.granted for bit in decision.bits} == expected
    assert decision.allowed == all(expected.values())
    check_the_deciding_entries(decision, entries)
    maximum = effective_rights(descriptor, token)
    assert maximum.granted == sum(1 << place for place in range(28) if place not in (24, 25) and naive(owner, entries, token, 1 << place))
    assert decision.granted == maximum.granted & desired


def check_the_deciding_entries(decision: AccessDecision, entries: list[Ace | RawAce]) -> None:
    """Whoever is named as deciding really says so."""
    for bit in decision.bits:
        assert (bit.entry is None) == (bit.reason is not Reason.ENTRY)
        if bit.entry is not None:
            entry = entries[bit.entry]
            assert isinstance(entry, Ace)
            assert entry.mask & bit.bit
            assert (entry.type in (0, 5)) == bit.granted
