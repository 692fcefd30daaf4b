"""The queue manager and its surroundings: every attribute by its id, and the rules between attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.qm.directory_model import (
    ConnectedNetwork,
    DirectoryServerType,
    Enterprise,
    InternalCertificate,
    OperatingSystemType,
    QueueManager,
    QueueManagerState,
    RoutingLink,
    Site,
    User,
)
from msmqctl.qm.element import Lifetime
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.sid import EVERYONE
from tests.qm.attributes import ONE, REQUIRED, THREE, TWO, D, P, Refused, V, assert_attribute

TWO_FOR_ONE = (InternalCertificate(certificate=b"first", user=ONE), InternalCertificate(certificate=b"second", user=ONE))


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("identifier", "UUID", D, NULL_GUID, (), marks=pytest.mark.spec("DM-3.1.1.1-A1")),
        pytest.param("computer_name", "str", D, "", (), marks=pytest.mark.spec("DM-3.1.1.1-A2")),
        pytest.param("queue_manager_version", "str", D, "", (), marks=pytest.mark.spec("DM-3.1.1.1-A3")),
        pytest.param("operating_system_version", "str", D, "", (), marks=pytest.mark.spec("DM-3.1.1.1-A4")),
        pytest.param(
            "operating_system_type",
            "OperatingSystemType",
            D,
            OperatingSystemType.OTHER,
            ("Other",),
            marks=pytest.mark.spec("DM-3.1.1.1-A5"),
        ),
        pytest.param("qualified_computer_name", "str", D, "", (), marks=pytest.mark.spec("DM-3.1.1.1-A6")),
        pytest.param("create_time", "int", D, 0, (), marks=pytest.mark.spec("DM-3.1.1.1-A7")),
        pytest.param("modify_time", "int", D, 0, (), marks=pytest.mark.spec("DM-3.1.1.1-A8")),
        pytest.param("queue_manager_quota", "int", D, 0x00100000, (-1, 1 << 32), marks=pytest.mark.spec("DM-3.1.1.1-A9")),
        pytest.param("journal_quota", "int", D, 0xFFFFFFFF, (-1, 1 << 32), marks=pytest.mark.spec("DM-3.1.1.1-A10")),
        pytest.param("foreign_system", "bool", D, False, (), marks=pytest.mark.spec("DM-3.1.1.1-A11")),
        pytest.param("full_path", "str", D, "", (), marks=pytest.mark.spec("DM-3.1.1.1-A12")),
        pytest.param("site_identifier_list", "tuple[UUID, ...]", D, (), (), marks=pytest.mark.spec("DM-3.1.1.1-A13")),
        pytest.param("connected_network_identifier_list", "tuple[UUID, ...]", D, (), (), marks=pytest.mark.spec("DM-3.1.1.1-A14")),
        pytest.param("out_routing_server_identifier_list", "tuple[UUID, ...]", D, (), (), marks=pytest.mark.spec("DM-3.1.1.1-A15")),
        pytest.param("in_routing_server_identifier_list", "tuple[UUID, ...]", D, (), (), marks=pytest.mark.spec("DM-3.1.1.1-A16")),
        pytest.param("directory_server", "bool", D, False, (), marks=pytest.mark.spec("DM-3.1.1.1-A17")),
        pytest.param("remote_access_server", "bool", D, False, (), marks=pytest.mark.spec("DM-3.1.1.1-A18")),
        pytest.param("routing_server", "bool", D, False, (), marks=pytest.mark.spec("DM-3.1.1.1-A19")),
        pytest.param("supporting_server", "bool", D, False, (), marks=pytest.mark.spec("DM-3.1.1.1-A20")),
        pytest.param(
            "directory_server_type", "DirectoryServerType | None", D, None, ("Standalone",), marks=pytest.mark.spec("DM-3.1.1.1-A21")
        ),
        pytest.param("public_encryption_key_list", "tuple[ProviderKey, ...]", D, (), (), marks=pytest.mark.spec("DM-3.1.1.1-A22")),
        pytest.param("public_signing_key_list", "tuple[ProviderKey, ...]", D, (), (), marks=pytest.mark.spec("DM-3.1.1.1-A23")),
        pytest.param("security", "SecurityDescriptor | None", D, None, (), marks=pytest.mark.spec("DM-3.1.1.1-A24")),
        pytest.param("clustered", "bool", D, False, (), marks=pytest.mark.spec("DM-3.1.1.1-A25")),
        pytest.param("machine_domain_id", "UUID | None", V, None, (), marks=pytest.mark.spec("DM-3.1.1.1-A26")),
        pytest.param("last_domain", "UUID | None", P, None, (), marks=pytest.mark.spec("DM-3.1.1.1-A27")),
        pytest.param("directory_server_list", "tuple[str, ...]", P, (), (), marks=pytest.mark.spec("DM-3.1.1.1-A28")),
        pytest.param("directory_integrated", "bool", P, False, (), marks=pytest.mark.spec("DM-3.1.1.1-A29")),
        pytest.param("srmp_http_support", "bool", P, False, (), marks=pytest.mark.spec("DM-3.1.1.1-A30")),
        pytest.param("srmp_pgm_support", "bool", P, False, (), marks=pytest.mark.spec("DM-3.1.1.1-A31")),
        pytest.param("directory_offline", "bool", V, False, (True,), marks=pytest.mark.spec("DM-3.1.1.1-A32")),
        pytest.param("throttled", "bool", V, False, (), marks=pytest.mark.spec("DM-3.1.1.1-A33")),
        pytest.param("connection_active", "bool", V, False, (), marks=pytest.mark.spec("DM-3.1.1.1-A34")),
        pytest.param("hardened_security", "bool", P, False, (), marks=pytest.mark.spec("DM-3.1.1.1-A35")),
        pytest.param(
            "queue_manager_state", "QueueManagerState", V, QueueManagerState.STOPPED, ("Ready",), marks=pytest.mark.spec("DM-3.1.1.1-A36")
        ),
        pytest.param("system_deadletter_queue", "QueueKey | None", V, None, (), marks=pytest.mark.spec("DM-3.1.1.1-A37")),
        pytest.param("system_transactional_deadletter_queue", "QueueKey | None", V, None, (), marks=pytest.mark.spec("DM-3.1.1.1-A38")),
        pytest.param("system_journal_queue", "QueueKey | None", V, None, (), marks=pytest.mark.spec("DM-3.1.1.1-A39")),
        pytest.param("queue_collection", "set[QueueKey]", P, set(), (), marks=pytest.mark.spec("DM-3.1.1.1-A40")),
        pytest.param("site_collection", "frozenset[UUID]", V, frozenset(), (frozenset({ONE}),), marks=pytest.mark.spec("DM-3.1.1.1-A41")),
        pytest.param("connected_network_collection", "frozenset[UUID]", V, frozenset(), (), marks=pytest.mark.spec("DM-3.1.1.1-A42")),
        pytest.param("transaction_collection", "set[UUID]", P, set(), (), marks=pytest.mark.spec("DM-3.1.1.1-A43")),
        pytest.param(
            "out_routing_server_collection",
            "frozenset[UUID]",
            V,
            frozenset(),
            (frozenset({ONE}),),
            marks=pytest.mark.spec("DM-3.1.1.1-A44"),
        ),
        pytest.param(
            "in_routing_server_collection", "frozenset[UUID]", V, frozenset(), (frozenset({ONE}),), marks=pytest.mark.spec("DM-3.1.1.1-A45")
        ),
        pytest.param("enterprise_reference", "UUID | None", V, None, (), marks=pytest.mark.spec("DM-3.1.1.1-A46")),
        pytest.param("initialization_retry_timer_duration", "int", P, 120, (), marks=pytest.mark.spec("DM-3.1.1.1-A47")),
        pytest.param("sequential_id", "int", P, 0, (-1, 1 << 64), marks=pytest.mark.spec("DM-3.1.1.1-A48")),
        pytest.param("dispatch_collection", "list[DispatchEntry]", V, [], (), marks=pytest.mark.spec("DM-3.1.1.1-A49")),
        pytest.param(
            "internal_certificate_collection",
            "tuple[InternalCertificate, ...]",
            V,
            (),
            (TWO_FOR_ONE,),
            marks=pytest.mark.spec("DM-3.1.1.1-A50"),
        ),
    ],
)
def test_attributes_of_queue_manager(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(QueueManager, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("identifier", "UUID", D, NULL_GUID, (), marks=pytest.mark.spec("DM-3.1.1.6-A1")),
        pytest.param("name", "str", D, "", (), marks=pytest.mark.spec("DM-3.1.1.6-A2")),
        pytest.param("weakened_security", "bool", D, False, (), marks=pytest.mark.spec("DM-3.1.1.6-A3")),
        pytest.param("non_ldap_capable_queue_manager_notification", "bool", D, False, (), marks=pytest.mark.spec("DM-3.1.1.6-A4")),
        pytest.param("default_time_to_live", "int", D, 0, (), marks=pytest.mark.spec("DM-3.1.1.6-A5")),
        pytest.param("old_directory", "bool", D, False, (), marks=pytest.mark.spec("DM-3.1.1.6-A6")),
        pytest.param("security", "SecurityDescriptor | None", D, None, (), marks=pytest.mark.spec("DM-3.1.1.6-A7")),
    ],
)
def test_attributes_of_enterprise(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(Enterprise, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("identifier", "UUID", D, NULL_GUID, (), marks=pytest.mark.spec("DM-3.1.1.7-A1")),
        pytest.param("name", "str", D, "", (), marks=pytest.mark.spec("DM-3.1.1.7-A2")),
        pytest.param("primary_site_controller", "str", D, "", (), marks=pytest.mark.spec("DM-3.1.1.7-A3")),
        pytest.param("intra_site_replication_interval", "int", D, 0, (), marks=pytest.mark.spec("DM-3.1.1.7-A4")),
        pytest.param("inter_site_replication_interval", "int", D, 0, (), marks=pytest.mark.spec("DM-3.1.1.7-A5")),
        pytest.param("full_path", "str", D, "", (), marks=pytest.mark.spec("DM-3.1.1.7-A6")),
        pytest.param("foreign_site", "bool", D, False, (), marks=pytest.mark.spec("DM-3.1.1.7-A7")),
        pytest.param("public_signing_key_list", "tuple[ProviderKey, ...]", D, (), (), marks=pytest.mark.spec("DM-3.1.1.7-A8")),
        pytest.param("migrated_from_msmq10", "bool", D, False, (), marks=pytest.mark.spec("DM-3.1.1.7-A9")),
        pytest.param("security", "SecurityDescriptor | None", D, None, (), marks=pytest.mark.spec("DM-3.1.1.7-A10")),
        pytest.param("site_gate_collection", "frozenset[UUID]", V, frozenset(), (), marks=pytest.mark.spec("DM-3.1.1.7-A11")),
    ],
)
def test_attributes_of_site(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(Site, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("identifier", "UUID", D, NULL_GUID, (), marks=pytest.mark.spec("DM-3.1.1.8-A1")),
        pytest.param("description", "str", D, "", (), marks=pytest.mark.spec("DM-3.1.1.8-A2")),
        pytest.param("full_path", "str", D, "", (), marks=pytest.mark.spec("DM-3.1.1.8-A3")),
        pytest.param("actual_cost", "int", D, REQUIRED, (-1, 0, 1_000_000), marks=pytest.mark.spec("DM-3.1.1.8-A4")),
        pytest.param("site1_identifier", "UUID", D, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.8-A5")),
        pytest.param("site2_identifier", "UUID", D, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.8-A6")),
        pytest.param("site_gate_identifier_list", "tuple[UUID, ...]", D, (), (), marks=pytest.mark.spec("DM-3.1.1.8-A7")),
        pytest.param("site1_reference", "UUID | None", V, None, (TWO,), marks=pytest.mark.spec("DM-3.1.1.8-A8")),
        pytest.param("site2_reference", "UUID | None", V, None, (ONE,), marks=pytest.mark.spec("DM-3.1.1.8-A9")),
        pytest.param(
            "site_gate_collection", "frozenset[UUID]", V, frozenset(), (frozenset({ONE}),), marks=pytest.mark.spec("DM-3.1.1.8-A10")
        ),
    ],
)
def test_attributes_of_routing_link(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(RoutingLink, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("identifier", "UUID", D, NULL_GUID, (), marks=pytest.mark.spec("DM-3.1.1.9-A1")),
        pytest.param("name", "str", D, "", (), marks=pytest.mark.spec("DM-3.1.1.9-A2")),
        pytest.param("security", "SecurityDescriptor | None", D, None, (), marks=pytest.mark.spec("DM-3.1.1.9-A3")),
    ],
)
def test_attributes_of_connected_network(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(ConnectedNetwork, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("identifier", "UUID", D, NULL_GUID, (), marks=pytest.mark.spec("DM-3.1.1.15-A1")),
        pytest.param("security_identifier", "Sid", D, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.15-A2")),
        pytest.param(
            "certificate_digest_list",
            "tuple[bytes, ...]",
            D,
            (),
            ((bytes(15),), (bytes(16), bytes(17))),
            marks=pytest.mark.spec("DM-3.1.1.15-A3"),
        ),
        pytest.param("certificates", "tuple[UserCertificate, ...]", D, (), (), marks=pytest.mark.spec("DM-3.1.1.15-A4")),
    ],
)
def test_attributes_of_user(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(User, name, kind, lifetime, default, refused)


@pytest.mark.parametrize(
    ("name", "kind", "lifetime", "default", "refused"),
    [
        pytest.param("certificate", "bytes", V, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.19-A1")),
        pytest.param("user", "UUID", V, REQUIRED, (), marks=pytest.mark.spec("DM-3.1.1.19-A2")),
    ],
)
def test_attributes_of_internal_certificate(name: str, kind: str, lifetime: Lifetime, default: object, refused: Refused) -> None:
    assert_attribute(InternalCertificate, name, kind, lifetime, default, refused)


@pytest.mark.spec("DM-3.1.1.1-1")
@pytest.mark.parametrize(
    ("attribute", "kind", "words"),
    [
        ("operating_system_type", OperatingSystemType, "Foreign Win95 WinClient WinServer WinEnt Other"),
        ("directory_server_type", DirectoryServerType, "Standalone BackupSiteController PrimarySiteController PrimaryEnterpriseController"),
        ("queue_manager_state", QueueManagerState, "Stopped Initializing Ready Stopping"),
    ],
)
def test_enumerated_attributes_take_their_values_and_no_others(attribute: str, kind: Any, words: str) -> None:
    manager = QueueManager()
    assert [member.value for member in kind] == words.split()
    for member in kind:
        setattr(manager, attribute, member)
    for wrong in (*words.split(), "Other thing", 0):
        with pytest.raises(ValueError, match=attribute):
            setattr(manager, attribute, wrong)


@pytest.mark.spec("DM-3.1.1.1-2", "DM-3.1.1.1-A21")
def test_the_type_of_a_directory_server_is_read_only_of_one() -> None:
    manager = QueueManager(directory_server_type=DirectoryServerType.STANDALONE)
    assert manager.directory_role is None
    manager.directory_server = True
    assert manager.directory_role is DirectoryServerType.STANDALONE


@pytest.mark.spec("DM-3.1.1.1-3", "DM-3.1.1.1-A32")
def test_a_workgroup_has_no_directory_that_could_be_offline() -> None:
    manager = QueueManager()
    with pytest.raises(ValueError, match="workgroup"):
        manager.directory_offline = True
    with pytest.raises(ValueError, match="workgroup"):
        QueueManager(directory_offline=True)
    manager.directory_integrated = True
    manager.directory_offline = True
    with pytest.raises(ValueError, match="offline"):
        manager.directory_integrated = False
    manager.directory_offline = False
    manager.directory_integrated = False


INCLUDED = [
    pytest.param(QueueManager, "site_identifier_list", "site_collection", marks=pytest.mark.spec("DM-3.1.1.1-A41", "DM-3.1.1.1-6")),
    pytest.param(
        QueueManager,
        "out_routing_server_identifier_list",
        "out_routing_server_collection",
        marks=pytest.mark.spec("DM-3.1.1.1-A44", "DM-3.1.1.1-6"),
    ),
    pytest.param(
        QueueManager,
        "in_routing_server_identifier_list",
        "in_routing_server_collection",
        marks=pytest.mark.spec("DM-3.1.1.1-A45", "DM-3.1.1.1-6"),
    ),
    pytest.param(
        lambda: RoutingLink(actual_cost=1, site1_identifier=ONE, site2_identifier=TWO),
        "site_gate_identifier_list",
        "site_gate_collection",
        marks=pytest.mark.spec("DM-3.1.1.8-A10"),
    ),
]


@pytest.mark.parametrize(("make", "listed", "collection"), INCLUDED)
def test_a_collection_holds_only_what_its_list_names(make: Callable[[], Any], listed: str, collection: str) -> None:
    element = make()
    setattr(element, listed, (ONE, TWO))
    setattr(element, collection, frozenset({TWO}))
    with pytest.raises(ValueError, match=str(THREE)):
        setattr(element, collection, frozenset({TWO, THREE}))
    with pytest.raises(ValueError, match=str(TWO)):
        setattr(element, listed, (ONE,))
    assert getattr(element, listed) == (ONE, TWO)
    assert getattr(element, collection) == {TWO}


IDENTIFIERS = st.frozensets(st.sampled_from([ONE, TWO, THREE]))


@pytest.mark.parametrize(("make", "listed", "collection"), INCLUDED)
@given(changes=st.lists(st.tuples(st.booleans(), IDENTIFIERS)))
def test_no_order_of_assignments_breaks_the_inclusion(
    make: Callable[[], Any], listed: str, collection: str, changes: list[tuple[bool, frozenset[UUID]]]
) -> None:
    element = make()
    for of_list, identifiers in changes:
        allowed = getattr(element, collection) <= identifiers if of_list else identifiers <= set(getattr(element, listed))
        try:
            setattr(element, listed if of_list else collection, tuple(identifiers) if of_list else identifiers)
        except ValueError:
            assert not allowed
        else:
            assert allowed
        assert getattr(element, collection) <= set(getattr(element, listed))


@pytest.mark.spec("DM-3.1.1.1-A42")
def test_every_listed_network_is_in_the_collection_which_may_know_more() -> None:
    manager = QueueManager(connected_network_identifier_list=(ONE,), connected_network_collection=frozenset({ONE, TWO}))
    with pytest.raises(ValueError, match=str(ONE)):
        manager.connected_network_collection = frozenset({TWO})
    with pytest.raises(ValueError, match=str(THREE)):
        manager.connected_network_identifier_list = (ONE, THREE)
    manager.connected_network_identifier_list = (TWO,)
    manager.connected_network_collection = frozenset({TWO})
    with pytest.raises(ValueError, match=str(ONE)):
        QueueManager(connected_network_identifier_list=(ONE,))


@pytest.mark.spec("DM-3.1.1.1-7", "DM-3.1.1.1-A50")
def test_a_user_has_one_internal_certificate() -> None:
    first, second = TWO_FOR_ONE
    manager = QueueManager(internal_certificate_collection=(first, InternalCertificate(certificate=b"first", user=TWO)))
    with pytest.raises(ValueError, match="one user"):
        manager.internal_certificate_collection = (*manager.internal_certificate_collection, second)
    manager.internal_certificate_collection = (second,)


@pytest.mark.parametrize(
    ("reference", "identifier"),
    [
        pytest.param("site1_reference", "site1_identifier", marks=pytest.mark.spec("DM-3.1.1.8-A8")),
        pytest.param("site2_reference", "site2_identifier", marks=pytest.mark.spec("DM-3.1.1.8-A9")),
    ],
)
def test_a_link_refers_to_the_sites_it_names(reference: str, identifier: str) -> None:
    link = RoutingLink(actual_cost=999_999, site1_identifier=ONE, site2_identifier=TWO)
    setattr(link, reference, getattr(link, identifier))
    with pytest.raises(ValueError, match="still refers"):
        setattr(link, identifier, THREE)
    setattr(link, reference, None)
    setattr(link, identifier, THREE)
    setattr(link, reference, THREE)


@pytest.mark.spec("DM-3.1.1.8-A4")
@given(cost=st.integers(min_value=-(10**7), max_value=10**7))
def test_a_cost_has_six_digits_at_most_and_is_never_free(cost: int) -> None:
    link = RoutingLink(actual_cost=1, site1_identifier=ONE, site2_identifier=TWO)
    if 1 <= cost <= 999_999:
        link.actual_cost = cost
        assert link.actual_cost == cost
    else:
        with pytest.raises(ValueError, match="actual_cost"):
            link.actual_cost = cost


@pytest.mark.spec("DM-3.1.1.15-A3")
def test_digests_of_a_user_have_sixteen_octets() -> None:
    assert User(security_identifier=EVERYONE, certificate_digest_list=(bytes(16), bytes(16))).certificate_digest_list == (bytes(16),) * 2
    with pytest.raises(ValueError, match="16 octets, not 20"):
        User(security_identifier=EVERYONE, certificate_digest_list=(bytes(16), bytes(20)))
