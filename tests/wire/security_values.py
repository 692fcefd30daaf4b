"""Hypothesis strategies for SIDs, entries, lists and descriptors, and a few literals that several test files share."""

from __future__ import annotations

from hypothesis import strategies as st

from msmqctl.wire.ace import OBJECT_TYPES, SIMPLE_TYPES, Ace, AceFlags, AceType, Entry, RawAce
from msmqctl.wire.security import NULL_ACL, Acl, AclPart, Control, SecurityDescriptor
from msmqctl.wire.sid import Sid

USER = Sid(5, (21, 3181267629, 1039849782, 3663111779, 1000))
# 01, count, six octets of authority, then the numbers: 21, the domain's three, the account's.
USER_OCTETS = bytes.fromhex("01 05 00 00 00 00 00 05 15 00 00 00 ad 4a 9e bd 36 d9 fa 3d 63 a6 56 da e8 03 00 00")

masks = st.integers(0, 0xFFFFFFFF)
sids = st.builds(Sid, st.integers(0, (1 << 48) - 1), st.lists(masks, max_size=15).map(tuple))
ace_flags = st.integers(0, 0xFF).map(AceFlags)
words = st.lists(st.binary(min_size=4, max_size=4), max_size=4).map(b"".join)
simple_entries = st.builds(Ace, st.sampled_from(sorted(SIMPLE_TYPES)), sids, masks, ace_flags, data=words)
object_entries = st.builds(
    Ace,
    st.sampled_from(sorted(OBJECT_TYPES)),
    sids,
    masks,
    ace_flags,
    st.none() | st.uuids(),
    st.none() | st.uuids(),
    st.integers(0, (1 << 30) - 1),
    words,
)
raw_entries = st.builds(RawAce, st.sampled_from([3, 4, 8, 0x0E, 0x10, *range(0x14, 0x100)]).map(AceType), words, ace_flags)
entries: st.SearchStrategy[Entry] = simple_entries | object_entries | raw_entries
acls = st.builds(Acl, st.lists(entries, max_size=5).map(tuple), st.sampled_from([2, 4]), st.integers(0, 0xFF), st.integers(0, 0xFFFF))
acl_parts: st.SearchStrategy[AclPart] = st.none() | st.just(NULL_ACL) | acls
descriptors = st.builds(
    SecurityDescriptor,
    st.none() | sids,
    st.none() | sids,
    acl_parts,
    acl_parts,
    st.integers(0, 0xFFFF).map(Control),
    st.integers(0, 0xFF),
)
