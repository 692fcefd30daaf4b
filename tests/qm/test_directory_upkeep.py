"""Keeping in step with the directory: coming back online, sites, gates, timers, and old directory servers. [MS-MQDMPR] 3.1.7.1.25, 3.1.6"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from msmqctl.qm.directory_events import DirectoryEvents
from msmqctl.qm.directory_joint import Change, Created, DirectoryTimer, Filter, Found, identified_by
from msmqctl.qm.directory_model import Enterprise, QueueManager, QueueManagerState, Site
from msmqctl.qm.element import DirectoryObject
from msmqctl.qm.model import DirectoryOperationResult, Queue, QueueType
from msmqctl.wire.names import parse_path_name
from tests.qm.conftest import Bench
from tests.qm.dictionary_directory import NOT_CONNECTED, SUCCESS, DictionaryDirectory
from tests.qm.samples import NOW, after, outgoing_queue, stored_queue

OWN, FIRST, SECOND, STRANGER = (UUID(int=number) for number in (0xA, 1, 2, 3))
FAILURES = [one for one in DirectoryOperationResult if one is not SUCCESS]
MINUTE = timedelta(minutes=1)


@pytest.fixture
def directory() -> DictionaryDirectory:
    """Knows this queue manager, and another label of its queue."""
    return DictionaryDirectory(
        QueueManager(identifier=OWN, computer_name="host", journal_quota=77, queue_manager_state=QueueManagerState.STOPPING),
        Queue(identifier=FIRST, queue_type=QueueType.PUBLIC, label="new", total_bytes=5),
    )


@pytest.fixture
def core(bench: Bench, directory: DictionaryDirectory) -> DirectoryEvents:
    """Offline, with one public queue and the timer running."""
    made = bench.open(DirectoryEvents, directory=directory.joint())
    with made.call():
        made.assign(made.local, identifier=OWN, computer_name="host", directory_integrated=True)
        hosted(made, "orders", identifier=FIRST, label="old", journaling=True)
        made.save_manager()
    made = bench.reopen(made)
    made.assign(made.local, directory_offline=True)
    return made


def hosted(core: DirectoryEvents, name: str, **attributes: object) -> Queue:
    queue = stored_queue(core, name, **{"queue_type": QueueType.PUBLIC} | attributes)
    core.add(core.local.queue_collection, queue.key)
    return queue


def knows(core: DirectoryEvents, *others: DirectoryObject) -> None:
    core.known.update({other.identifier: other for other in others})


# ---- coming back


@pytest.mark.spec("DM-3.1.7.1.25-1")
def test_the_check_is_a_forced_read_of_this_queue_manager(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    core.check_directory_online()
    assert directory.asked[0] == ("read", QueueManager, identified_by(OWN), None)


@pytest.mark.spec("DM-3.1.7.1.25-2")
def test_back_online_everything_is_refreshed_and_stays_so(bench: Bench, core: DirectoryEvents) -> None:
    core.check_directory_online()
    assert not core.local.directory_offline
    assert core.directory_timers == {}
    core = bench.reopen(core)
    assert core.local.journal_quota == 77
    assert stored_queue(core, "orders").label == "new"


@pytest.mark.spec("DM-3.1.7.1.25-2")
def test_queues_are_read_after_the_directory_counts_as_online(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    core.check_directory_online()
    assert directory.asked[1:] == [("read", Queue, identified_by(FIRST), None)]


@pytest.mark.spec("DM-3.1.7.1.25-2")
def test_only_public_queues_of_this_queue_manager_are_read(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    hosted(core, "private", queue_type=QueueType.PRIVATE, identifier=SECOND)
    out = outgoing_queue(core, queue_type=QueueType.PUBLIC, identifier=STRANGER)
    core.add(core.local.queue_collection, out.key)
    core.check_directory_online()
    assert directory.asked[1:] == [("read", Queue, identified_by(FIRST), None)]


@pytest.mark.spec("DM-3.1.7.1.25-2")
def test_a_queue_that_the_directory_lost_stays_as_it_is(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    del directory.objects[FIRST]
    second = hosted(core, "second", identifier=SECOND, label="old")
    directory.objects[SECOND] = Queue(identifier=SECOND, queue_type=QueueType.PUBLIC, label="new")
    core.check_directory_online()
    assert (stored_queue(core, "orders").label, second.label) == ("old", "new")


@pytest.mark.spec("DM-3.1.7.1.25-2")
def test_a_refresh_touches_only_what_was_read(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    directory.absent = frozenset({"journaling", "computer_name"})
    core.assign(core.local, computer_name="mine", queue_manager_state=QueueManagerState.READY)
    core.check_directory_online()
    queue = stored_queue(core, "orders")
    assert (queue.label, queue.journaling, queue.identifier, queue.total_bytes) == ("new", True, FIRST, 0)
    assert (core.local.computer_name, core.local.queue_manager_state) == ("mine", QueueManagerState.READY)


def test_a_refresh_never_gives_another_identifier(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    answer = core.read_directory("QueueManager", force_directory_read=True)
    core.refresh(core.local, answer._replace(directory_object=QueueManager(identifier=STRANGER, journal_quota=78)))
    assert (core.local.identifier, core.local.journal_quota) == (OWN, 78)


def test_collections_follow_the_lists_that_bound_them(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    core.assign(core.local, site_identifier_list=(FIRST, SECOND), out_routing_server_identifier_list=(FIRST,))
    core.assign(core.local, site_collection=frozenset({FIRST, SECOND}), out_routing_server_collection=frozenset({FIRST}))
    answer = QueueManager(
        identifier=OWN,
        site_identifier_list=(SECOND, STRANGER),
        connected_network_collection=frozenset({STRANGER}),
        connected_network_identifier_list=(),
    )
    answer.connected_network_identifier_list = (STRANGER,)
    directory.objects[OWN] = answer
    core.check_directory_online()
    assert core.local.site_identifier_list == (SECOND, STRANGER)
    assert core.local.site_collection == {SECOND}
    assert core.local.out_routing_server_collection == frozenset()
    assert core.local.connected_network_collection == {STRANGER}


@pytest.mark.spec("DM-3.1.7.1.25-3")
@pytest.mark.parametrize("failure", FAILURES)
def test_a_check_without_success_is_made_again_after_a_minute(
    core: DirectoryEvents, directory: DictionaryDirectory, failure: DirectoryOperationResult
) -> None:
    directory.refusal = failure
    core.check_directory_online()
    assert core.local.directory_offline
    assert core.next_directory_deadline(NOW) == NOW + MINUTE
    assert stored_queue(core, "orders").label == "old"


def test_a_directory_that_goes_away_during_the_check_is_offline_again(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    read = core.directory.read

    def read_once(kind: type[DirectoryObject], conditions: Filter, names: tuple[str, ...] | None) -> Found:
        found = read(kind, conditions, names)
        directory.refusal = NOT_CONNECTED
        return found

    core.directory = replace(core.directory, read=read_once)
    core.check_directory_online()
    assert core.local.directory_offline
    assert DirectoryTimer.ONLINE in core.directory_timers
    assert stored_queue(core, "orders").label == "old"


@pytest.mark.spec("DM-3.1.7.1.20-13")
def test_in_a_workgroup_there_is_nothing_to_check(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    core.assign(core.local, directory_offline=False)
    core.assign(core.local, directory_integrated=False)
    core.check_directory_online()
    assert (directory.asked, core.directory_timers) == ([], {})


def test_a_check_that_breaks_leaves_everything_as_it_was(core: DirectoryEvents) -> None:
    read = core.directory.read

    def break_at_queues(kind: type[DirectoryObject], conditions: Filter, names: tuple[str, ...] | None) -> Found:
        if kind is Queue:
            raise RuntimeError("a fault of ours")
        return read(kind, conditions, names)

    core.directory = replace(core.directory, read=break_at_queues)
    with pytest.raises(RuntimeError):
        core.check_directory_online()
    assert core.local.directory_offline
    assert core.local.journal_quota != 77


# ---- timers


@pytest.mark.spec("DM-3.1.2.5-1", "DM-3.1.7.1.18-4", "DM-3.1.7.1.20-10")
def test_the_online_timer_runs_one_minute_once_and_is_not_started_twice(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    core.assign(core.local, directory_offline=False)
    directory.refusal = NOT_CONNECTED
    core.read_directory("Site")
    assert core.next_directory_deadline(NOW) == after(60)
    core.create_directory_object(Site())
    assert core.next_directory_deadline(after(30)) == after(60)
    directory.asked.clear()
    core.run_directory_timers(after(59.9))
    assert directory.asked == []
    directory.refusal = None
    core.run_directory_timers(after(60))
    assert directory.asked[0] == ("read", QueueManager, identified_by(OWN), None)
    assert not core.local.directory_offline
    assert core.next_directory_deadline(after(60)) is None


@pytest.mark.spec("DM-3.1.2.5-1", "DM-3.1.7.1.25-3")
def test_each_failed_check_starts_the_online_timer_again(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    directory.refusal = NOT_CONNECTED
    core.start_directory_timer(DirectoryTimer.ONLINE)
    for minute in range(1, 4):
        assert core.next_directory_deadline(after(60 * (minute - 1))) == after(60 * minute)
        core.run_directory_timers(after(60 * minute))
        assert directory.verbs() == ["read"] * minute


@pytest.mark.parametrize(
    ("timer", "hours", "kind"),
    [
        pytest.param(DirectoryTimer.SITES_UPDATE, 12, Site, marks=pytest.mark.spec("DM-3.1.2.1-1")),
        pytest.param(DirectoryTimer.SITE_GATES_UPDATE, 1, QueueManager, marks=pytest.mark.spec("DM-3.1.2.2-1")),
    ],
)
def test_sites_and_gates_are_read_again_and_again(
    core: DirectoryEvents, directory: DictionaryDirectory, timer: DirectoryTimer, hours: int, kind: type[DirectoryObject]
) -> None:
    core.assign(core.local, directory_offline=False)
    in_one_site(core)
    core.start_directory_timer(timer)
    for turn in range(1, 4):
        assert core.next_directory_deadline(after(3600 * hours * (turn - 1))) == after(3600 * hours * turn)
        core.run_directory_timers(after(3600 * hours * turn - 1))
        assert len(directory.asked) == turn - 1
        core.run_directory_timers(after(3600 * hours * turn))
        assert [asked[1] for asked in directory.asked] == [kind] * turn


def test_a_timer_that_was_started_in_vain_is_taken_back(core: DirectoryEvents) -> None:
    core.commit()
    core.start_directory_timer(DirectoryTimer.ONLINE)
    core.rollback()
    assert core.directory_timers == {}


# ---- sites and gates


def in_one_site(core: DirectoryEvents) -> tuple[Site, QueueManager]:
    """A site with one gate, as this queue manager got to know them."""
    gate = QueueManager(identifier=SECOND, computer_name="old")
    site = Site(identifier=FIRST, name="old", site_gate_collection=frozenset({SECOND}))
    knows(core, site, gate)
    core.assign(core.local, site_identifier_list=(FIRST,))
    core.assign(core.local, site_collection=frozenset({FIRST}))
    return site, gate


@pytest.mark.spec("DM-3.1.6.1-1")
def test_sites_learn_what_changed(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    core.assign(core.local, directory_offline=False)
    site, _ = in_one_site(core)
    elsewhere = Site(identifier=STRANGER, name="old")
    knows(core, elsewhere)
    directory.objects = {one: Site(identifier=one, name="new") for one in (FIRST, STRANGER)}
    core.directory_sites_update()
    assert directory.asked == [("read", Site, identified_by(FIRST), None)]
    assert (site.name, elsewhere.name) == ("new", "old")
    assert site.site_gate_collection == {SECOND}


@pytest.mark.spec("DM-3.1.6.1-1", "DM-3.1.6.2-1")
@pytest.mark.parametrize("failure", FAILURES)
def test_sites_and_gates_that_cannot_be_read_stay_as_they_are(
    core: DirectoryEvents, directory: DictionaryDirectory, failure: DirectoryOperationResult
) -> None:
    core.assign(core.local, directory_offline=False)
    site, gate = in_one_site(core)
    directory.objects = {FIRST: Site(identifier=FIRST, name="new")}
    directory.refusal = failure
    core.directory_sites_update()
    core.directory_site_gates_update()
    assert (site.name, gate.computer_name) == ("old", "old")


@pytest.mark.spec("DM-3.1.6.2-1")
def test_gates_learn_what_changed(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    core.assign(core.local, directory_offline=False)
    _, gate = in_one_site(core)
    no_gate = QueueManager(identifier=STRANGER, computer_name="old")
    knows(core, no_gate)
    directory.objects = {one: QueueManager(identifier=one, computer_name="new") for one in (SECOND, STRANGER)}
    core.directory_site_gates_update()
    assert directory.asked == [("read", QueueManager, identified_by(SECOND), None)]
    assert (gate.computer_name, no_gate.computer_name) == ("new", "old")


# ---- old directory servers


@pytest.mark.spec("DM-PB-4")
@pytest.mark.parametrize("there", [True, False], ids=["server", "no server"])
@pytest.mark.parametrize("flag", [True, False], ids=["flag", "no flag"])
@pytest.mark.parametrize("version", ["4.0", "5.0.2195", "5.1", "6.1", "14.0", None])
def test_an_old_server_takes_over_under_three_conditions(bench: Bench, there: bool, flag: bool, version: str | None) -> None:
    modern, old = DictionaryDirectory(), DictionaryDirectory()
    core = bench.open(DirectoryEvents, directory=modern.joint(legacy=old.joint() if there else None))
    core.assign(core.local, directory_integrated=True, enterprise_reference=SECOND)
    knows(core, Enterprise(identifier=SECOND, non_ldap_capable_queue_manager_notification=flag))
    owner = QueueManager(identifier=FIRST, computer_name="host", operating_system_version=version or "4.0")
    if version is not None:
        modern.objects[FIRST] = owner
    queue = Queue(queue_type=QueueType.PUBLIC, pathname=parse_path_name(r"HOST\orders"))
    delegated = there and flag and version in ("4.0", "5.0.2195")

    created = core.create_directory_object(queue)
    assert isinstance(created, Created)
    core.delete_directory_object(queue)
    core.write_directory(queue)
    core.write_directory(owner)
    core.write_directory(Site())
    notices = [Change.QUEUE_CREATION, Change.QUEUE_DELETION, Change.QUEUE_UPDATE, Change.QUEUE_MANAGER_UPDATE]
    assert [verb for verb in modern.verbs() if verb in notices] == ([] if delegated else notices)
    assert old.verbs() == (["create", "delete", "write", "write"] if delegated else [])
    assert [verb for verb in modern.verbs() if verb in ("create", "delete")] == ([] if delegated else ["create", "delete"])
