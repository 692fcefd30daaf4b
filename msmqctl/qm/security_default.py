"""Who may do what with a queue when nobody said so: the default security descriptor. [MS-MQDMPR] 3.1.7.1.3.1

    owner of the queue          everyone                        its owner      anonymous       the computer
    domain user, no guest       see properties, permissions     everything
    anybody else                everything                      nothing
    reached by SRMP             and send                                       send
    computer known by a SID                                                                    see properties, permissions

What is nothing gets no entry. A list that came with the queue is taken as it is, and then none of this applies.
"""

from __future__ import annotations

from msmqctl.wire.ace import Ace, AceType
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.rights import QueueRights
from msmqctl.wire.security import Acl, SecurityDescriptor
from msmqctl.wire.sid import ANONYMOUS_LOGON, EVERYONE, Sid

# DOMAIN_USER_RID_GUEST. [MS-SAMR] 2.2.1.14
GUEST_RID = 501
NOTHING = QueueRights(0)
LOOK = QueueRights.MQSEC_GET_QUEUE_PROPERTIES | QueueRights.MQSEC_GET_QUEUE_PERMISSIONS


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the default depends on besides the queue: who is asking, and what is around."""

    caller: Sid
    """The identity of the current thread."""
    in_domain: bool
    """Whether there is a domain that accounts can belong to: a workgroup has local accounts only."""
    machine: Sid | None
    """The SID of the computer in the directory, where that can be found out."""
    reached_by_srmp: bool
    """Whether messages can come by SRMP."""

    def is_domain_user(self, account: Sid) -> bool:
        """Whether a domain issued the account, as far as a SID tells."""
        return self.in_domain and account.in_domain


def default_security(supplied: SecurityDescriptor | None, around: Circumstances) -> SecurityDescriptor:
    """The descriptor of a new queue, out of what its creator supplied. [MS-MQDMPR] 3.1.7.1.3.1"""
    given = supplied or SecurityDescriptor()
    claimed = given.owner or around.caller
    owner = claimed if around.is_domain_user(claimed) else ANONYMOUS_LOGON
    if given.dacl is not None:
        # Departs from [MS-MQDMPR] 3.1.7.1.3.1: with a supplied list the owner stays, as an anonymous owner could rewrite the list.
        return SecurityDescriptor(owner=claimed, group=given.group, dacl=given.dacl, sacl=given.sacl)
    # Departs from [MS-MQDMPR] 3.1.7.1.3.1: the result gets the owner that the rules work out and then never assign.
    return SecurityDescriptor(owner=owner, group=given.group, dacl=_default_list(owner, around), sacl=given.sacl)


def _default_list(owner: Sid, around: Circumstances) -> Acl:
    ordinary = around.is_domain_user(owner) and owner.sub_authorities[-1] != GUEST_RID
    by_srmp = QueueRights.MQSEC_WRITE_MESSAGE if around.reached_by_srmp else NOTHING
    world = (LOOK if ordinary else QueueRights.MQSEC_QUEUE_GENERIC_ALL) | by_srmp
    rights: list[tuple[Sid | None, QueueRights]] = [
        (EVERYONE, world),
        (ANONYMOUS_LOGON, by_srmp),
        (around.machine, LOOK),
        (owner, QueueRights.MQSEC_QUEUE_GENERIC_ALL if ordinary else NOTHING),
    ]
    return Acl.of(*(Ace(AceType.ACCESS_ALLOWED_ACE_TYPE, sid, int(mask)) for sid, mask in rights if sid is not None and mask))
