"""The start: identity, provisioning, the directory, system queues, hardened security, recovery of transactions and locks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from msmqctl.errors import DirectoryError, TransportError
from msmqctl.qm import shelf
from msmqctl.qm.core import key_of
from msmqctl.qm.directory_joint import DirectoryTimer, Filter, Found, satisfies
from msmqctl.qm.directory_model import ConnectedNetwork, Enterprise, QueueManager, QueueManagerState, Site
from msmqctl.qm.element import DirectoryObject, directory_attributes
from msmqctl.qm.model import DirectoryOperationResult, OutgoingQueue, OutgoingQueueState, PositionState, QueueType
from msmqctl.qm.startup import SYSTEM_QUEUES, StartResult
from msmqctl.qm.surroundings import KeyUse, MachineIdentity, Surroundings, make_key_list
from msmqctl.qm.transactions import Decision, Reenlistment
from msmqctl.wire.keys import RsaPublicKey, read_public_keys
from msmqctl.wire.keys import pack_public_keys as pack
from msmqctl.wire.names import parse_format_name
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.values import MessageClass
from tests.qm.conftest import Bench
from tests.qm.samples import NOW, after, outgoing_queue, stored_queue
from tests.qm.working import OTHER_TX, TX, Working, at, begun, happened, labels, received, sent, totals

DOMAIN, SITE, FAR_SITE, LOST_SITE = (UUID(int=number) for number in (0xD0, 0x51, 0x52, 0x53))
IDENTITY = MachineIdentity("WALNUT", "example.com", DOMAIN)
PURGED = MessageClass.MQMSG_CLASS_NACK_Q_PURGED
NOT_FOUND = DirectoryOperationResult.OBJECT_NOT_FOUND
SUCCESS = DirectoryOperationResult.SUCCESS


def key_of_bits(use: KeyUse, bits: int) -> RsaPublicKey:
    """Not a key anybody should use, but one that looks like it."""
    return RsaPublicKey(bits, 65537 if use is KeyUse.ENCRYPTION else 3, (1 << bits) - 1)


class Library:
    """A directory: objects by kind, an answer to give instead, and a log of what was asked."""

    def __init__(self, *objects: DirectoryObject, instead: dict[type[DirectoryObject], DirectoryOperationResult] | None = None) -> None:
        self.objects = objects
        self.instead = instead or {}
        self.asked: list[tuple[type[DirectoryObject], Filter, tuple[str, ...] | None]] = []

    def read(self, kind: type[DirectoryObject], conditions: Filter, attributes: tuple[str, ...] | None) -> Found:
        self.asked.append((kind, conditions, attributes))
        if kind in self.instead:
            return Found(self.instead[kind])
        found = next((one for one in self.objects if type(one) is kind and satisfies(one, conditions)), None)
        return Found(NOT_FOUND) if found is None else Found(SUCCESS, found, frozenset(attributes or directory_attributes(kind)))


def around(library: Library | None = None, **changes: Any) -> Surroundings:
    """A machine in a domain."""
    usual = Surroundings(lambda: IDENTITY, key_of_bits, read_directory=(library or Library(Enterprise())).read)
    return replace(usual, **changes)


def machine(bench: Bench, *, domain: bool = False, **attributes: Any) -> Working:
    core = bench.open(Working)
    core.local.identifier = UUID(int=0x77)
    core.assign(core.local, directory_integrated=domain, **attributes)
    core.save_manager()
    return bench.reopen(core)


# ---- who we are


@pytest.mark.spec("DM-3.1.3-2", "DM-3.1.3-3", "DM-3.1.3-4", "DM-3.1.4.1-1")
def test_the_machine_tells_its_name_and_its_domain(bench: Bench) -> None:
    core = machine(bench)
    assert core.queue_manager_started(NOW, around()) == StartResult(ready=True)
    local = core.local
    assert (local.machine_domain_id, local.computer_name, local.qualified_computer_name) == (DOMAIN, "WALNUT", "WALNUT.example.com")
    assert local.queue_manager_state is QueueManagerState.READY
    assert local.last_domain == DOMAIN
    core = bench.reopen(core)
    assert (core.local.computer_name, core.local.last_domain) == ("WALNUT", DOMAIN)
    core.initialize(NOW, around(machine_identity=lambda: MachineIdentity("ALONE")))
    assert (core.local.machine_domain_id, core.local.qualified_computer_name, core.local.last_domain) == (None, "ALONE", None)


@pytest.mark.spec("DM-3.1.3-6")
def test_a_machine_that_cannot_say_who_it_is_leaves_everything_as_it_was(bench: Bench) -> None:
    core = machine(bench)
    assert core.initialize(NOW, around(machine_identity=lambda: None)) == StartResult(ready=False)
    assert core.local.queue_manager_state is QueueManagerState.STOPPED
    assert core.local.computer_name == ""
    assert list(core.store.queues()) == []


@pytest.mark.spec("DM-3.1.4.2-1")
def test_everybody_can_see_that_the_queue_manager_stopped(bench: Bench) -> None:
    core = machine(bench)
    core.initialize(NOW, around())
    core.queue_manager_stopped()
    assert core.local.queue_manager_state is QueueManagerState.STOPPED


# ---- provisioning


@pytest.mark.spec("DM-3.1.3-7", "DM-3.1.3-8", "DM-3.1.3-9", "DM-3.1.3-10", "DM-3.1.3-16")
def test_a_machine_in_a_domain_is_provisioned_once(bench: Bench) -> None:
    core = machine(bench, domain=True, initialization_retry_timer_duration=7, site_identifier_list=(FAR_SITE,))
    asked: list[str] = []

    def find(query: str) -> list[str]:
        asked.append(query)
        return ["dc1.example.com", "dc2.example.com", "dc1.example.com"]

    result = core.initialize(NOW, around(find_services=find, site=SITE), provisioning=True)
    assert result == StartResult(ready=True, directory_server_list_update=NOW + timedelta(hours=12))
    assert asked == ["_ldap._tcp.dc._msdcs.example.com"]
    core = bench.reopen(core)
    assert core.local.initialization_retry_timer_duration == 120
    assert core.local.site_identifier_list == (FAR_SITE, SITE)
    assert core.local.directory_server_list == ("dc1.example.com", "dc2.example.com")


@pytest.mark.spec("DM-3.1.3-11", "DM-3.1.3-12", "DM-3.1.3-13")
def test_each_list_of_keys_has_one_of_every_provider(bench: Bench) -> None:
    core = machine(bench, domain=True)
    core.initialize(NOW, around(), provisioning=True)
    core = bench.reopen(core)
    wanted = [
        (1, "Microsoft Base Cryptographic Provider v1.0", 512),
        (1, "Microsoft Enhanced Cryptographic Provider v1.0", 1024),
        (24, "Microsoft Enhanced RSA and AES Cryptographic Provider", 1024),
    ]
    for listed, exponent in ((core.local.public_encryption_key_list, 65537), (core.local.public_signing_key_list, 3)):
        assert [(key.provider_type, key.provider_name, key.key.bits) for key in listed] == wanted
        assert {key.key.exponent for key in listed} == {exponent}
        octets = pack(listed)
        assert read_public_keys(octets) == listed
        assert "Provider v1.0\0".encode("utf-16-le") in octets


@pytest.mark.parametrize(
    "wrong",
    [
        lambda bits: RsaPublicKey(bits // 2, 3, (1 << bits // 2) - 1),
        lambda bits: RsaPublicKey(bits, 3, (1 << bits - 1) - 1),
        lambda bits: RsaPublicKey(bits, 3, (1 << bits) - 2),
        lambda bits: RsaPublicKey(bits, 4, (1 << bits) - 1),
        lambda bits: RsaPublicKey(bits, 1, (1 << bits) - 1),
    ],
    ids=["half as long", "one bit short", "even", "even exponent", "exponent 1"],
)
@pytest.mark.spec("DM-3.1.3-12", "DM-5.1-2")
def test_a_key_that_cannot_be_valid_is_refused(wrong: Callable[[int], RsaPublicKey]) -> None:
    with pytest.raises(ValueError, match="no valid key of 512 bits"):
        make_key_list(KeyUse.SIGNING, lambda _use, bits: wrong(bits))


@pytest.mark.parametrize(("domain", "provisioning"), [(True, False), (False, True)])
@pytest.mark.spec("DM-3.1.3-7", "DM-3.1.3-11", "DM-3.1.3-13")
def test_nothing_is_provisioned_at_a_usual_start_or_in_a_workgroup(bench: Bench, domain: bool, provisioning: bool) -> None:
    core = machine(bench, domain=domain, initialization_retry_timer_duration=7)
    me = QueueManager(identifier=core.local.identifier)
    library = Library(me, Enterprise())
    result = core.initialize(NOW, around(library, site=SITE), provisioning=provisioning)
    assert result == StartResult(ready=True)
    assert core.local.initialization_retry_timer_duration == 7
    assert core.local.site_identifier_list == core.local.public_signing_key_list == core.local.public_encryption_key_list == ()
    assert bool(library.asked) is bool(core.directory_timers) is domain


# ---- the directory


@pytest.mark.spec("DM-3.1.3-14", "DM-3.1.3-15", "DM-3.1.3-19")
def test_what_the_directory_says_replaces_what_we_thought(bench: Bench) -> None:
    core = machine(bench, domain=True, site_identifier_list=(FAR_SITE,))
    core.assign(core.local, site_collection=frozenset({FAR_SITE}))
    network = UUID(int=0x99)
    me = QueueManager(
        identifier=core.local.identifier,
        queue_manager_quota=5,
        routing_server=True,
        site_identifier_list=(SITE, LOST_SITE),
        connected_network_identifier_list=(network,),
        connected_network_collection=frozenset({network}),
        hardened_security=True,
    )
    library = Library(me, Site(identifier=SITE, name="near"), Site(identifier=FAR_SITE), Enterprise(), ConnectedNetwork(identifier=network))
    core.initialize(NOW, around(library))
    kind, conditions, attributes = library.asked[0]
    assert (kind, attributes) == (QueueManager, None)
    assert [(one.attribute, one.operator, one.value) for one in conditions or ()] == [("identifier", "EQUALS", core.local.identifier)]
    assert (core.local.queue_manager_quota, core.local.routing_server) == (5, True)
    assert core.local.site_identifier_list == (SITE, LOST_SITE)
    assert core.local.site_collection == {SITE}
    site = core.known[SITE]
    assert isinstance(site, Site)
    assert site.name == "near"
    # What lives here alone is not the directory's to change.
    assert not core.local.hardened_security
    assert core.directory_timers == {DirectoryTimer.SITES_UPDATE: after(12 * 3600), DirectoryTimer.SITE_GATES_UPDATE: after(3600)}
    core = bench.reopen(core)
    assert core.local.queue_manager_quota == 5


def test_attributes_that_were_not_read_stay(bench: Bench) -> None:
    core = machine(bench, domain=True, operating_system_version="6.1")
    library = Library(Enterprise())
    me = Found(SUCCESS, QueueManager(identifier=UUID(int=5), routing_server=True), frozenset({"routing_server", "identifier"}))
    core.initialize(NOW, around(read_directory=lambda kind, *rest: me if kind is QueueManager else library.read(kind, *rest)))
    assert (core.local.operating_system_version, core.local.routing_server, core.local.identifier) == ("6.1", True, UUID(int=0x77))


@pytest.mark.parametrize(("provisioning", "answer"), [(False, NOT_FOUND), (True, DirectoryOperationResult.GENERIC_ERROR)])
@pytest.mark.spec("DM-3.1.3-17", "DM-3.1.3-26")
def test_any_other_answer_about_us_is_an_error_and_nothing_has_happened(
    bench: Bench, provisioning: bool, answer: DirectoryOperationResult
) -> None:
    core = machine(bench, domain=True)
    with pytest.raises(DirectoryError, match="the queue manager") as raised:
        core.initialize(NOW, around(Library(Enterprise(), instead={QueueManager: answer})), provisioning=provisioning)
    assert raised.value.result == answer.value
    assert core.local.queue_manager_state is QueueManagerState.STOPPED
    assert core.local.computer_name == ""
    assert core.directory_timers == {}


@pytest.mark.spec("DM-3.1.3-18")
def test_the_enterprise_is_known_or_taken_for_one_that_wants_notifications(bench: Bench) -> None:
    core = machine(bench, domain=True)
    enterprise = Enterprise(identifier=UUID(int=0xE))
    library = Library(enterprise)
    core.initialize(NOW, around(library), provisioning=True)
    assert library.asked[-1] == (Enterprise, None, ("non_ldap_capable_queue_manager_notification",))
    assert core.local.enterprise_reference == enterprise.identifier
    assert core.known[enterprise.identifier] is enterprise
    without = Library(instead={Enterprise: DirectoryOperationResult.ATTRIBUTE_NOT_FOUND})
    core.initialize(NOW, around(without), provisioning=True)
    assert core.local.enterprise_reference is not None
    made = core.known[core.local.enterprise_reference]
    assert isinstance(made, Enterprise)
    assert made is not enterprise
    assert made.non_ldap_capable_queue_manager_notification


@pytest.mark.spec("DM-3.1.3-26")
def test_an_enterprise_that_cannot_be_read_is_an_error(bench: Bench) -> None:
    core = machine(bench, domain=True)
    with pytest.raises(DirectoryError, match="the enterprise"):
        core.initialize(NOW, around(Library()), provisioning=True)


# ---- queues


@pytest.mark.spec("DM-3.1.3-20", "DM-3.1.3-21")
def test_five_system_queues_are_made(bench: Bench) -> None:
    core = machine(bench)
    core.initialize(NOW, around())
    core = bench.reopen(core)
    core.recover()
    rows = {row.key: row for row in core.store.queues()}
    assert set(rows) == {"system$;deadletter", "system$;deadxact", "system$;journal", r"private$\order_queue$", r"private$\notify_queue$"}
    queues = {key: shelf.queue_of(row, path="") for key, row in rows.items()}
    assert {queue.queue_type for queue in queues.values()} == {QueueType.SYSTEM}
    assert str(queues["system$;deadxact"].pathname) == "WALNUT\\SYSTEM$;DEADXACT"
    assert [queues[rf"private$\{name}_queue$"].private_queue_number for name in ("order", "notify")] == [4, 3]
    local = core.local
    assert local.system_deadletter_queue == rows["system$;deadletter"].id
    assert local.system_transactional_deadletter_queue == rows["system$;deadxact"].id
    assert local.system_journal_queue == rows["system$;journal"].id


@pytest.mark.spec("DM-3.1.3-28", "DM-3.1.1-4", "DM-3.1.1-6")
def test_system_queues_are_recovered_with_what_they_hold_and_only_missing_ones_made(bench: Bench) -> None:
    core = machine(bench)
    core.recover()
    before = {row.key: row.id for row in core.store.queues()}
    assert core.local.queue_collection == set(before.values())
    sent(core, stored_queue(core, "system$;deadletter"), "dead")
    with core.call():
        core.store.delete_queue(before["system$;journal"])
        core.forget_queue(before["system$;journal"])
    core.assign(core.local, throttled=True)
    core = bench.reopen(core)
    core.initialize(NOW, around())
    rows = {row.key: row.id for row in core.store.queues()}
    assert {key: rows[key] for key in rows if key != "system$;journal"} == {key: before[key] for key in before if key != "system$;journal"}
    assert rows["system$;journal"] == core.local.system_journal_queue
    assert labels(core, stored_queue(core, "system$;deadletter")) == ["dead"]
    assert core.local.queue_collection == set(rows.values())
    assert core.local.throttled is not bench.on_disk
    assert len(SYSTEM_QUEUES) == len(rows)


@pytest.mark.spec("DM-3.1.1-3")
def test_the_queue_manager_gets_its_identifier_once(bench: Bench) -> None:
    core = bench.open(Working)
    core.recover()
    given = core.local.identifier
    assert given != NULL_GUID
    core = bench.reopen(core)
    core.recover()
    core.initialize(NOW, around())
    assert core.local.identifier == given
    with pytest.raises(ValueError, match="cannot become"):
        core.local.identifier = UUID(int=1)


@pytest.mark.parametrize(
    ("hardened", "name", "before", "settled"),
    [
        (False, "DIRECT=OS:far\\orders", OutgoingQueueState.LOCKED, OutgoingQueueState.WAITING),
        (False, "DIRECT=OS:far\\orders", OutgoingQueueState.INACTIVE, OutgoingQueueState.INACTIVE),
        (True, "DIRECT=OS:far\\orders", OutgoingQueueState.INACTIVE, OutgoingQueueState.LOCKED),
        (True, "DIRECT=OS:far\\orders", OutgoingQueueState.LOCKED, OutgoingQueueState.LOCKED),
        (True, "MULTICAST=234.1.1.1:8001", OutgoingQueueState.INACTIVE, OutgoingQueueState.LOCKED),
        (True, "DIRECT=HTTP://far/msmq/orders", OutgoingQueueState.INACTIVE, OutgoingQueueState.INACTIVE),
        (True, "DIRECT=HTTPS://far/msmq/orders", OutgoingQueueState.WAITING, OutgoingQueueState.WAITING),
    ],
)
@pytest.mark.spec("DM-3.1.3-22", "DM-3.1.3-23")
def test_hardened_security_locks_what_does_not_go_by_http(
    bench: Bench, hardened: bool, name: str, before: OutgoingQueueState, settled: OutgoingQueueState
) -> None:
    core = machine(bench, hardened_security=hardened)
    template = OutgoingQueue(queue_type=QueueType.PRIVATE, destination_format_name=parse_format_name(name))
    with core.call():
        number = core.store.add_queue("out\\far", "Private", shelf.queue_attributes(template))
    core = bench.reopen(core)
    queue = core.queue(number)
    assert isinstance(queue, OutgoingQueue)
    core.assign(queue, state=before)
    core.initialize(NOW, around())
    assert queue.state is settled


@pytest.mark.spec("DM-PB-2", "DM-3.1.1.3-2")
def test_hardening_takes_hold_at_the_next_start(bench: Bench) -> None:
    core = machine(bench)
    queue = outgoing_queue(core)
    core.initialize(NOW, around())
    with core.call():
        core.assign(core.local, hardened_security=True)
        core.save_manager()
    assert queue.state is OutgoingQueueState.INACTIVE
    core = bench.reopen(core)
    core.initialize(NOW, around())
    found = core.queue(queue.key or 0)
    assert isinstance(found, OutgoingQueue)
    assert found.state is OutgoingQueueState.LOCKED


@pytest.mark.spec("DM-PB-1")
def test_a_queue_manager_tells_no_version(bench: Bench) -> None:
    core = machine(bench)
    core.initialize(NOW, around(), provisioning=True)
    assert core.local.queue_manager_version == ""


# ---- transactions and locks


@pytest.mark.spec("DM-3.1.3-25", "DM-3.1.3-29")
def test_open_transactions_without_a_coordinator_are_all_aborted(bench: Bench) -> None:
    core = begun(bench)
    core.create_transaction(OTHER_TX)
    queue = stored_queue(core)
    received(core, sent(core, queue, "back"), TX)
    sent(core, queue, "never", OTHER_TX)
    core.transaction_prepare(OTHER_TX)
    core = bench.reopen(core)
    core.initialize(NOW, around())
    assert core.store.units() == []
    assert core.local.transaction_collection == set()
    assert labels(core, stored_queue(core)) == ["back"]
    assert totals(core, stored_queue(core)) == (100, 100)


@pytest.mark.spec("DM-3.1.4.4-11")
def test_a_commit_that_was_cut_off_is_finished(bench: Bench) -> None:
    core = begun(bench)
    queue, target = stored_queue(core), stored_queue(core, "target")
    read, moved = received(core, sent(core, queue, "read"), TX), sent(core, queue, "moved")
    core.move_message(at(core, moved), target, TX)
    seen, new = sent(core, queue, "seen", TX), sent(core, queue, "new", TX)
    core.store.decide_unit(core.create_transaction(TX).id, single_phase=True, decision=Decision.COMMIT)
    core.message_position_available(at(core, seen))  # this far it came
    core = bench.reopen(core)
    core.take_events()
    core.recover()
    assert labels(core, stored_queue(core)) == ["seen", "new"]
    assert labels(core, stored_queue(core, "target")) == ["moved"]
    assert happened(core) == [("deleted", read, MessageClass.MQMSG_CLASS_ACK_RECEIVE), ("available", moved), ("available", new)]
    assert totals(core, stored_queue(core)) == (200, 200)
    assert core.store.units() == []


@pytest.mark.parametrize(
    ("answer", "seen", "units"), [(Reenlistment.COMMITTED, ["new"], 0), (Reenlistment.ABORTED, ["old"], 0), (None, [], 1)]
)
@pytest.mark.spec("DM-3.1.3-24", "DM-3.1.3-29")
def test_the_coordinator_is_asked_about_what_is_in_doubt(bench: Bench, answer: Reenlistment | None, seen: list[str], units: int) -> None:
    core = begun(bench)
    queue = stored_queue(core)
    received(core, sent(core, queue, "old"), TX)
    sent(core, queue, "new", TX)
    core.dtc_transaction_prepare(TX)
    core = bench.reopen(core)
    asked: list[UUID] = []

    def reenlist(identifier: UUID) -> Reenlistment | None:
        asked.append(identifier)
        return answer

    core.initialize(NOW, around(reenlist=reenlist))
    assert asked == [TX]
    # Without an answer all that it holds stays held.
    assert labels(core, stored_queue(core)) == seen
    assert len(core.store.units()) == len(core.local.transaction_collection) == units


@pytest.mark.spec("DM-3.1.4.11-1")
def test_a_coordinator_that_does_not_answer_in_time_stops_the_start(bench: Bench) -> None:
    core = begun(bench)
    sent(core, stored_queue(core), "new", TX)
    core.dtc_transaction_prepare(TX)
    core = bench.reopen(core)
    with pytest.raises(TransportError, match="did not tell the outcome"):
        core.initialize(NOW, around(reenlist=lambda _: Reenlistment.TIMEOUT))
    assert core.local.queue_manager_state is QueueManagerState.STOPPED
    assert core.unit(TX) is not None
    assert core.initialize(NOW, around(reenlist=lambda _: Reenlistment.COMMITTED)).ready
    assert labels(core, stored_queue(core)) == ["new"]


@pytest.mark.spec("DM-3.1.3-27", "DM-3.1.3-29")
def test_locks_without_an_owner_end_and_times_go_on(bench: Bench) -> None:
    core = begun(bench)
    queue = stored_queue(core)
    cut_off, purged = sent(core, queue, "cut off", time_to_be_received=30, sent_time=NOW), sent(core, queue, "purged")
    late = sent(core, queue, "late", time_to_be_received=5, sent_time=NOW)
    doubted = received(core, sent(core, queue, "in doubt"), TX)
    core.dtc_transaction_prepare(TX)
    for lookup in (cut_off, late):
        core.store.set_state(lookup, PositionState.LOCKED)
    core.store.set_state(purged, PositionState.PURGE_PENDING)
    core.expire(after(6))
    core = bench.reopen(core)
    core.overdue.clear()  # as a new process would find it
    core.take_events()
    core.initialize(NOW, around())
    timeout = MessageClass.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT
    assert happened(core) == [("available", cut_off), ("deleted", purged, PURGED), ("deleted", late, timeout)]
    assert at(core, doubted).state == PositionState.LOCKED
    core.expire(after(29))
    assert labels(core, stored_queue(core)) == ["cut off"]
    core.expire(after(30))
    assert labels(core, stored_queue(core)) == []


@pytest.mark.spec("DM-3.1.1-5")
def test_directory_attributes_and_messages_are_there_again_after_a_start(bench: Bench) -> None:
    core = machine(bench, journal_quota=77, srmp_http_support=True)
    queue = stored_queue(core, label="orders", quota=12)
    for number in range(3):
        sent(core, queue, str(number))
    core = bench.reopen(core)
    core.initialize(NOW, around())
    again = stored_queue(core)
    assert (again.label, again.quota, core.local.journal_quota, core.local.srmp_http_support) == ("orders", 12, 77, True)
    assert labels(core, again) == ["0", "1", "2"]
    assert key_of(again) in core.local.queue_collection
    assert again.total_bytes == 300
