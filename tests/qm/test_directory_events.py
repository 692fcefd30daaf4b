"""Publishing, asking and going on without the directory. [MS-MQDMPR] 3.1.7.1.18 to .24"""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest

from msmqctl.qm.directory_events import DirectoryEvents
from msmqctl.qm.directory_joint import Change, Condition, Created, DirectoryTimer, Found, Operator, Query, SortOrder, identified_by
from msmqctl.qm.directory_model import Enterprise, QueueManager, RoutingLink, Site
from msmqctl.qm.element import DirectoryObject, directory_attributes
from msmqctl.qm.model import DirectoryOperationResult, Queue, QueueType
from msmqctl.wire.names import parse_path_name
from tests.qm.conftest import Bench
from tests.qm.dictionary_directory import FIRST_IDENTIFIER, NOT_CONNECTED, SUCCESS, DictionaryDirectory
from tests.qm.samples import outgoing_queue, stored_queue

OWN = UUID(int=0xA)
ELSEWHERE = UUID(int=0xB)
NOT_FOUND = DirectoryOperationResult.OBJECT_NOT_FOUND
FAILURES = [one for one in DirectoryOperationResult if one not in (SUCCESS, NOT_CONNECTED)]


@pytest.fixture
def directory() -> DictionaryDirectory:
    return DictionaryDirectory()


@pytest.fixture
def core(bench: Bench, directory: DictionaryDirectory) -> DirectoryEvents:
    """A queue manager in a domain, started again after it learnt who it is."""
    made = bench.open(DirectoryEvents, directory=directory.joint())
    with made.call():
        made.assign(made.local, identifier=OWN, computer_name="host", directory_integrated=True)
        made.save_manager()
    return bench.reopen(made)


def in_a_workgroup(core: DirectoryEvents) -> None:
    core.assign(core.local, directory_integrated=False)


def offline(core: DirectoryEvents) -> None:
    core.assign(core.local, directory_offline=True)


def hosted(core: DirectoryEvents, name: str, kind: QueueType = QueueType.PUBLIC, **attributes: object) -> Queue:
    queue = stored_queue(core, name, queue_type=kind, **attributes)
    core.add(core.local.queue_collection, queue.key)
    return queue


def public_queue() -> Queue:
    return Queue(queue_type=QueueType.PUBLIC, pathname=parse_path_name(r"host\orders"))


def is_online(core: DirectoryEvents) -> bool:
    """Neither offline nor about to ask whether it is over."""
    assert core.local.directory_offline == (DirectoryTimer.ONLINE in core.directory_timers)
    return not core.local.directory_offline


# ---- creating


@pytest.mark.spec("DM-3.1.7.1.18-1")
def test_all_attributes_are_published_or_those_named(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    site = Site(name="north")
    core.create_directory_object(site)
    core.create_directory_object(site, ["name", "foreign_site"])
    assert directory.asked == [("create", site, directory_attributes(Site)), ("create", site, ("name", "foreign_site"))]


@pytest.mark.parametrize("call", [DirectoryEvents.create_directory_object, DirectoryEvents.write_directory])
def test_what_the_directory_cannot_hold_is_not_sent(
    core: DirectoryEvents, directory: DictionaryDirectory, call: Callable[..., object]
) -> None:
    with pytest.raises(ValueError, match="holds no site_gate_collection of a Site"):
        call(core, Site(), ["name", "site_gate_collection"])
    assert directory.asked == []


@pytest.mark.spec("DM-3.1.7.1.18-2", "DM-3.1.7.1.18-3")
def test_a_public_queue_is_announced_before_it_is_created(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    queue = public_queue()
    core.create_directory_object(queue)
    assert directory.asked == [(Change.QUEUE_CREATION, queue), ("create", queue, directory_attributes(Queue))]


@pytest.mark.spec("DM-3.1.7.1.18-2")
def test_the_announcement_of_a_queue_does_not_wait_for_the_outcome(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    directory.refusal = DirectoryOperationResult.OBJECT_ALREADY_EXISTS
    core.create_directory_object(public_queue())
    assert directory.verbs() == [Change.QUEUE_CREATION, "create"]


@pytest.mark.spec("DM-3.1.7.1.18-2", "DM-3.1.7.1.19-1")
@pytest.mark.parametrize("kind", [one for one in QueueType if one is not QueueType.PUBLIC])
def test_other_queues_are_not_announced(core: DirectoryEvents, directory: DictionaryDirectory, kind: QueueType) -> None:
    core.create_directory_object(Queue(queue_type=kind))
    core.delete_directory_object(Queue(queue_type=kind))
    core.write_directory(Queue(queue_type=kind))
    assert directory.verbs() == ["create", "delete", "write"]


def test_an_outgoing_queue_is_never_announced(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    queue = outgoing_queue(core, queue_type=QueueType.PUBLIC)
    core.create_directory_object(queue)
    core.delete_directory_object(queue)
    core.write_directory(queue)
    assert directory.verbs() == ["create", "delete", "write"]


@pytest.mark.spec("DM-3.1.7.1.18-5")
def test_a_created_object_gets_the_identifier_that_the_directory_gave(core: DirectoryEvents) -> None:
    assert core.create_directory_object(Site()) == Created(SUCCESS, UUID(int=FIRST_IDENTIFIER))
    assert is_online(core)


@pytest.mark.spec("DM-3.1.7.1.18-5")
@pytest.mark.parametrize("failure", FAILURES)
def test_a_failed_creation_has_its_status_and_no_identifier(
    core: DirectoryEvents, directory: DictionaryDirectory, failure: DirectoryOperationResult
) -> None:
    directory.refusal = failure
    assert core.create_directory_object(Site()) == Created(failure)
    assert is_online(core)


@pytest.mark.spec("DM-3.1.7.1.18-4")
def test_a_creation_that_reaches_nobody_puts_the_directory_offline(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    directory.refusal = NOT_CONNECTED
    assert core.create_directory_object(Site()) == Created(NOT_CONNECTED)
    assert not is_online(core)


# ---- deleting


@pytest.mark.spec("DM-3.1.7.1.19-1", "DM-3.1.7.1.19-2")
def test_the_end_of_a_public_queue_is_announced_before_it_comes(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    queue = public_queue()
    assert core.delete_directory_object(queue) is SUCCESS
    assert directory.asked == [(Change.QUEUE_DELETION, queue), ("delete", queue)]


@pytest.mark.spec("DM-3.1.7.1.19-3")
def test_a_deletion_passes_its_status_on(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    for failure in FAILURES:
        directory.refusal = failure
        assert core.delete_directory_object(Site()) is failure
        assert is_online(core)
    directory.refusal = NOT_CONNECTED
    assert core.delete_directory_object(Site()) is NOT_CONNECTED
    assert not is_online(core)


# ---- writing


@pytest.mark.spec("DM-3.1.7.1.24-1")
def test_all_attributes_are_written_or_those_named(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    site = Site(name="north")
    core.write_directory(site)
    core.write_directory(site, ["name"])
    core.write_directory(site, [])
    assert directory.asked == [("write", site, directory_attributes(Site)), ("write", site, ("name",)), ("write", site, ())]


@pytest.mark.spec("DM-3.1.7.1.24-2")
def test_writing_passes_its_status_on(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    for failure in FAILURES:
        directory.refusal = failure
        assert core.write_directory(Site()) is failure
        assert is_online(core)
    directory.refusal = NOT_CONNECTED
    assert core.write_directory(Site()) is NOT_CONNECTED
    assert not is_online(core)


@pytest.mark.spec("DM-3.1.7.1.24-3")
@pytest.mark.parametrize(
    ("written", "notice"),
    [(public_queue(), [Change.QUEUE_UPDATE]), (QueueManager(), [Change.QUEUE_MANAGER_UPDATE]), (Site(), []), (Enterprise(), [])],
    ids=["queue", "queue manager", "site", "enterprise"],
)
def test_a_successful_write_is_announced_after_it(
    core: DirectoryEvents, directory: DictionaryDirectory, written: DirectoryObject, notice: list[Change]
) -> None:
    assert core.write_directory(written) is SUCCESS
    assert directory.verbs() == ["write", *notice]
    assert all(about[1] is written for about in directory.asked)


@pytest.mark.spec("DM-3.1.7.1.24-3")
@pytest.mark.parametrize("failure", [*FAILURES, NOT_CONNECTED])
def test_a_failed_write_is_not_announced(core: DirectoryEvents, directory: DictionaryDirectory, failure: DirectoryOperationResult) -> None:
    directory.refusal = failure
    core.write_directory(public_queue())
    core.write_directory(QueueManager())
    assert directory.verbs() == ["write", "write"]


# ---- reading online


@pytest.mark.spec("DM-3.1.7.1.20-1", "DM-3.1.7.1.20-2", "DM-3.1.7.1.20-9")
def test_the_first_match_is_read_from_the_directory(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    for number, name in enumerate(["north", "south", "south"], start=1):
        directory.objects[UUID(int=number)] = Site(identifier=UUID(int=number), name=name)
    conditions = (Condition("name", Operator.EQUALS, "south"),)
    found = core.read_directory("Site", conditions)
    assert (found.status, getattr(found.directory_object, "identifier", None)) == (SUCCESS, UUID(int=2))
    assert getattr(core.read_directory("Site").directory_object, "identifier", None) == UUID(int=1)
    assert directory.asked == [("read", Site, conditions, None), ("read", Site, None, None)]


@pytest.mark.spec("DM-3.1.7.1.20-3")
def test_only_attributes_of_the_directory_can_be_asked_for(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    volatile = (Condition("total_bytes", Operator.EQUALS, 0),)
    for offline_too in (False, True):
        core.assign(core.local, directory_offline=offline_too)
        with pytest.raises(ValueError, match="holds no total_bytes of a Queue"):
            core.read_directory("Queue", volatile)
        with pytest.raises(ValueError, match="holds no actual_cost of a Site"):
            core.read_directory("Site", None, ["name", "actual_cost"])
    with pytest.raises(ValueError, match="holds no total_bytes of a Queue"):
        core.read_directory_begin("Queue", volatile)
    assert directory.asked == []


@pytest.mark.spec("DM-3.1.7.1.20-4")
def test_an_answer_says_which_of_its_attributes_count(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    directory.objects[OWN] = QueueManager(identifier=OWN)
    everything = frozenset(directory_attributes(QueueManager))
    for away in (False, True):
        core.assign(core.local, directory_offline=away)
        assert core.read_directory("QueueManager").attributes == everything
        assert core.read_directory("QueueManager", None, ["computer_name"]).attributes == {"computer_name"}


@pytest.mark.spec("DM-3.1.7.1.20-10")
def test_a_read_that_reaches_nobody_puts_the_directory_offline(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    directory.refusal = NOT_CONNECTED
    assert core.read_directory("Site") == Found(NOT_CONNECTED)
    assert not is_online(core)


@pytest.mark.spec("DM-3.1.7.1.20-11")
def test_a_forced_read_that_reaches_nobody_changes_nothing(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    directory.refusal = NOT_CONNECTED
    assert core.read_directory("QueueManager", force_directory_read=True) == Found(NOT_CONNECTED)
    assert is_online(core)


@pytest.mark.spec("DM-3.1.7.1.20-12")
@pytest.mark.parametrize("failure", FAILURES)
def test_a_failed_read_has_its_status_and_no_object(
    core: DirectoryEvents, directory: DictionaryDirectory, failure: DirectoryOperationResult
) -> None:
    directory.objects[OWN] = QueueManager(identifier=OWN)
    directory.refusal = failure
    assert core.read_directory("QueueManager") == Found(failure)
    assert is_online(core)


# ---- reading offline


@pytest.mark.spec("DM-3.1.7.1.20-5", "DM-3.1.7.1.20-9")
def test_a_forced_read_asks_a_directory_that_is_offline(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    directory.objects[OWN] = QueueManager(identifier=OWN, computer_name="as the directory has it")
    offline(core)
    forced = core.read_directory("QueueManager", force_directory_read=True)
    assert getattr(forced.directory_object, "computer_name", None) == "as the directory has it"
    assert core.read_directory("QueueManager").directory_object is core.local
    assert directory.verbs() == ["read"]


@pytest.mark.spec("DM-3.1.7.1.20-6")
def test_offline_the_first_queue_here_that_matches_is_found(bench: Bench, core: DirectoryEvents) -> None:
    for number, label in enumerate(["a", "b", "b"], start=1):
        hosted(core, f"queue{number}", QueueType.PRIVATE if number == 2 else QueueType.PUBLIC, label=label, identifier=UUID(int=number))
    core.save_manager()
    core = bench.reopen(core)
    offline(core)
    found = core.read_directory("Queue", (Condition("label", Operator.EQUALS, "b"),))
    assert (found.status, getattr(found.directory_object, "identifier", None)) == (SUCCESS, UUID(int=2))
    assert core.read_directory("Queue").directory_object is stored_queue(core, "queue1")
    assert core.read_directory("Queue", identified_by(ELSEWHERE)) == Found(NOT_FOUND)


def test_offline_an_outgoing_queue_does_not_pass_for_its_destination(core: DirectoryEvents) -> None:
    queue = outgoing_queue(core, queue_type=QueueType.PUBLIC, identifier=ELSEWHERE)
    core.add(core.local.queue_collection, queue.key)
    offline(core)
    assert core.read_directory("Queue", identified_by(ELSEWHERE)) == Found(NOT_FOUND)


@pytest.mark.spec("DM-3.1.7.1.20-7")
def test_offline_the_queue_manager_knows_itself(core: DirectoryEvents) -> None:
    offline(core)
    found = core.read_directory("QueueManager", identified_by(OWN))
    assert found.status is SUCCESS
    assert found.directory_object is core.local
    assert core.read_directory("QueueManager").directory_object is core.local


@pytest.mark.spec("DM-3.1.7.1.20-8")
def test_offline_nothing_else_is_known_and_nobody_is_asked(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    offline(core)
    assert core.read_directory("QueueManager", identified_by(ELSEWHERE)) == Found(NOT_CONNECTED)
    for kind in ("Site", "Enterprise", "RoutingLink", "User", "ConnectedNetwork"):
        assert core.read_directory(kind) == Found(NOT_CONNECTED)
    core.read_directory("Queue")
    assert directory.asked == []
    assert core.directory_timers == {}


# ---- in a workgroup


@pytest.mark.spec("DM-3.1.7.1.20-13")
@pytest.mark.parametrize("force", [False, True])
def test_in_a_workgroup_reads_are_answered_from_here(core: DirectoryEvents, directory: DictionaryDirectory, force: bool) -> None:
    in_a_workgroup(core)
    queue = hosted(core, "orders", QueueType.PRIVATE, identifier=ELSEWHERE)
    assert core.read_directory("QueueManager", identified_by(OWN), force_directory_read=force).directory_object is core.local
    assert core.read_directory("Queue", identified_by(ELSEWHERE), force_directory_read=force).directory_object is queue
    assert core.read_directory("Queue", identified_by(OWN), force_directory_read=force) == Found(NOT_FOUND)
    assert core.read_directory("Site", force_directory_read=force) == Found(NOT_CONNECTED)
    assert (directory.asked, is_online(core)) == ([], True)


@pytest.mark.spec("DM-3.1.7.1.20-13")
def test_in_a_workgroup_everything_else_is_not_connected(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    in_a_workgroup(core)
    queue = public_queue()
    assert core.create_directory_object(queue) == Created(NOT_CONNECTED)
    assert core.delete_directory_object(queue) is NOT_CONNECTED
    assert core.write_directory(queue) is NOT_CONNECTED
    assert core.read_directory_begin("Queue") == Query(NOT_CONNECTED)
    assert core.read_directory_next(1) == Found(NOT_CONNECTED)
    assert core.read_directory_end(1) is NOT_CONNECTED
    assert (directory.asked, is_online(core)) == ([], True)


# ---- reading many


def costs(core: DirectoryEvents, handle: int | None) -> list[int]:
    assert handle is not None
    found = []
    while (answer := core.read_directory_next(handle)).status is SUCCESS:
        assert isinstance(answer.directory_object, RoutingLink)
        found.append(answer.directory_object.actual_cost)
    assert answer == Found(DirectoryOperationResult.END_OF_DATA)
    return found


@pytest.mark.spec("DM-3.1.7.1.21-1", "DM-3.1.7.1.21-2", "DM-3.1.7.1.22-1", "DM-3.1.7.1.23-1")
def test_all_matches_come_in_order_until_there_are_no_more(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    for number, cost in enumerate([20, 5, 30], start=1):
        directory.objects[UUID(int=number)] = RoutingLink(actual_cost=cost, site1_identifier=OWN, site2_identifier=ELSEWHERE)
    dear = (Condition("actual_cost", Operator.GREATER_THAN, 9),)
    query = core.read_directory_begin("RoutingLink", dear, ["actual_cost"], [SortOrder(1, ascending=False)])
    assert query.status is SUCCESS
    assert costs(core, query.handle) == [30, 20]
    assert query.handle is not None
    assert core.read_directory_end(query.handle) is SUCCESS
    assert core.read_directory_end(query.handle) is DirectoryOperationResult.GENERIC_ERROR
    assert costs(core, core.read_directory_begin("RoutingLink").handle) == [20, 5, 30]


@pytest.mark.spec("DM-3.1.7.1.22-1")
def test_each_of_many_has_the_attributes_asked_for(core: DirectoryEvents, directory: DictionaryDirectory) -> None:
    directory.objects[OWN] = Site(identifier=OWN, name="north")
    query = core.read_directory_begin("Site", None, ["name"])
    assert query.handle is not None
    assert core.read_directory_next(query.handle).attributes == {"name"}


@pytest.mark.spec("DM-3.1.7.1.21-2")
def test_sort_orders_go_with_the_attributes(core: DirectoryEvents) -> None:
    with pytest.raises(ValueError, match="1 sort orders for 2 attributes"):
        core.read_directory_begin("Site", None, ["name", "full_path"], [SortOrder(1)])


@pytest.mark.spec("DM-3.1.7.1.21-3")
@pytest.mark.parametrize("failure", [*FAILURES, NOT_CONNECTED])
def test_longer_reads_are_left_to_the_directory_offline_too(
    core: DirectoryEvents, directory: DictionaryDirectory, failure: DirectoryOperationResult
) -> None:
    directory.objects[OWN] = QueueManager(identifier=OWN)
    directory.refusal = failure
    assert core.read_directory_begin("Queue") == Query(failure)
    assert core.read_directory_next(1) == Found(failure)
    assert core.read_directory_end(1) is failure
    assert is_online(core)
    directory.refusal = None
    offline(core)
    assert core.read_directory_begin("Queue").status is SUCCESS
