"""The default security of a queue: every row of the table, in the order of the entries."""

from __future__ import annotations

import pytest

from msmqctl.qm.security_default import Circumstances, default_security
from msmqctl.wire.ace import Ace, AceType
from msmqctl.wire.rights import QueueRights
from msmqctl.wire.security import NULL_ACL, Acl, SecurityDescriptor
from msmqctl.wire.sid import ADMINISTRATORS, ANONYMOUS_LOGON, EVERYONE, Sid

USER = Sid.parse("S-1-5-21-1-2-3-1104")
CREATOR = Sid.parse("S-1-5-21-1-2-3-1105")
GUEST = Sid.parse("S-1-5-21-1-2-3-501")
MACHINE = Sid.parse("S-1-5-21-1-2-3-2001")
# The numbers of [MS-MQMQ] 2.2.24, written out.
EVERYTHING, LOOK, WRITE = 0x000F003F, 0x00020020, 0x00000004


def around(caller: Sid = CREATOR, *, in_domain: bool = True, machine: Sid | None = None, reached_by_srmp: bool = False) -> Circumstances:
    return Circumstances(caller=caller, in_domain=in_domain, machine=machine, reached_by_srmp=reached_by_srmp)


def entries(descriptor: SecurityDescriptor) -> list[tuple[Sid, int]]:
    assert isinstance(descriptor.dacl, Acl)
    rows = []
    for entry in descriptor.dacl.entries:
        assert isinstance(entry, Ace)
        assert entry.type == AceType.ACCESS_ALLOWED_ACE_TYPE
        rows.append((entry.sid, entry.mask))
    return rows


@pytest.mark.spec("DM-3.1.7.1.3.1-8", "DM-3.1.7.1.3.1-4")
def test_the_creator_owns_what_nobody_claims() -> None:
    made = default_security(None, around())
    assert made.owner == CREATOR
    assert entries(made) == [(EVERYONE, LOOK), (CREATOR, EVERYTHING)]


@pytest.mark.spec("DM-3.1.7.1.3.1-2", "DM-3.1.7.1.3.1-3")
def test_a_supplied_owner_and_sacl_are_taken() -> None:
    audit = Acl.of(Ace(AceType.SYSTEM_AUDIT_ACE_TYPE, EVERYONE, WRITE))
    made = default_security(SecurityDescriptor(owner=USER, sacl=audit), around())
    assert made.owner == USER
    assert made.sacl == audit
    assert entries(made) == [(EVERYONE, LOOK), (USER, EVERYTHING)]
    assert default_security(None, around()).sacl is None


@pytest.mark.spec("DM-3.1.7.1.3.1-3", "DM-3.1.7.1.3.1-6", "DM-3.1.7.1.3.1-13")
@pytest.mark.parametrize("dacl", [Acl.of(Ace(AceType.ACCESS_DENIED_ACE_TYPE, USER, WRITE)), Acl(), NULL_ACL])
def test_a_supplied_list_replaces_every_default(dacl: Acl) -> None:
    made = default_security(SecurityDescriptor(dacl=dacl), around(machine=MACHINE, reached_by_srmp=True))
    assert made.dacl == dacl


def test_a_supplied_list_keeps_its_owner_even_outside_of_a_domain() -> None:
    supplied = SecurityDescriptor(owner=ADMINISTRATORS, dacl=Acl())
    assert default_security(supplied, around(in_domain=False)).owner == ADMINISTRATORS


@pytest.mark.spec("DM-3.1.7.1.3.1-5", "DM-3.1.7.1.3.1-7")
@pytest.mark.parametrize(("caller", "in_domain"), [(ADMINISTRATORS, True), (USER, False), (ANONYMOUS_LOGON, True)])
def test_without_a_domain_user_the_owner_is_anonymous_and_everyone_may_all(caller: Sid, in_domain: bool) -> None:
    made = default_security(None, around(caller, in_domain=in_domain))
    assert made.owner == ANONYMOUS_LOGON
    assert entries(made) == [(EVERYONE, EVERYTHING)]


@pytest.mark.spec("DM-3.1.7.1.3.1-7")
def test_a_guest_gets_nothing_of_his_own() -> None:
    assert entries(default_security(None, around(GUEST))) == [(EVERYONE, EVERYTHING)]


@pytest.mark.spec("DM-3.1.7.1.3.1-9", "DM-3.1.7.1.3.1-10", "DM-3.1.7.1.3.1-11")
def test_the_entries_stand_in_the_documents_order() -> None:
    made = default_security(None, around(machine=MACHINE, reached_by_srmp=True))
    assert entries(made) == [(EVERYONE, LOOK | WRITE), (ANONYMOUS_LOGON, WRITE), (MACHINE, LOOK), (CREATOR, EVERYTHING)]
    assert int(QueueRights.MQSEC_QUEUE_GENERIC_ALL) == EVERYTHING


@pytest.mark.spec("DM-3.1.7.1.3.1-12")
def test_the_result_is_one_self_relative_block() -> None:
    made = default_security(None, around())
    assert made.control.self_relative
    assert SecurityDescriptor.read_all(made.pack()) == made
