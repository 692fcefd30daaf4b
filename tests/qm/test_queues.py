"""Creating, deleting and purging queues: what is copied, what comes along, what goes along, and who hears of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from msmqctl.qm.events import MessagePositionDeleted
from msmqctl.qm.model import (
    UNLIMITED_QUOTA,
    DirectoryOperationResult,
    DispatchEntry,
    PositionState,
    Queue,
    QueuePrivacyLevel,
    QueueType,
    is_active,
)
from msmqctl.qm.queues import Queues
from msmqctl.wire.ace import Ace
from msmqctl.wire.names import parse_format_name, parse_name, parse_path_name
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.security import Acl, SecurityDescriptor
from msmqctl.wire.sid import ANONYMOUS_LOGON, EVERYONE, Sid
from msmqctl.wire.status import HResult
from msmqctl.wire.values import MessageClass

from .conftest import Bench
from .queue_directory_sample import GIVEN, QueueDirectorySample
from .queue_samples import HOST_ID, RECEIVE, created, host, kept, opened_as, status_of, template, waiting_read
from .samples import NOW, lay_message, states

AVAILABLE, LOCKED, PURGE_PENDING = PositionState.AVAILABLE, PositionState.LOCKED, PositionState.PURGE_PENDING
TYPE = UUID("77777777-0000-4000-8000-000000000007")
USER = Sid.parse("S-1-5-21-1-2-3-1104")
MACHINE = Sid.parse("S-1-5-21-1-2-3-2001")
CLOSED = SecurityDescriptor(owner=USER, dacl=Acl())
# Every attribute that is copied, with a value that is not its default.
OWN: dict[str, Any] = {
    "label": "Orders",
    "type": TYPE,
    "journaling": True,
    "quota": 100,
    "journal_quota": 200,
    "authentication": True,
    "privacy_level": QueuePrivacyLevel.BODY,
    "transactional": True,
    "multicast_address": parse_format_name("MULTICAST=239.1.2.3:8001"),
    "security": CLOSED,
    "base_priority": 3,
}


def attributes(queue: Queue, names: Any) -> dict[str, Any]:
    return {name: getattr(queue, name) for name in names}


def deletions(core: Queues) -> list[tuple[int, MessageClass]]:
    """Messages that left a queue, with the reason."""
    return [(event.lookup_identifier, event.reason) for event in core.take_events() if isinstance(event, MessagePositionDeleted)]


# ---- defaults


@pytest.mark.spec("DM-3.1.7.1.33-1")
def test_the_defaults_replace_what_they_are_for_and_nothing_else(bench: Bench) -> None:
    queue = template(**OWN, create_time=5, full_path="CN=q", private_queue_number=9)
    host(bench).set_queue_defaults(queue)
    assert attributes(queue, OWN) == {
        "label": "",
        "type": NULL_GUID,
        "journaling": False,
        "quota": UNLIMITED_QUOTA,
        "journal_quota": UNLIMITED_QUOTA,
        "authentication": False,
        "privacy_level": QueuePrivacyLevel.OPTIONAL,
        "transactional": False,
        "multicast_address": None,
        "security": None,
        "base_priority": 0,
    }
    assert (str(queue.pathname), queue.create_time, queue.full_path, queue.private_queue_number) == (r".\private$\orders", 5, "CN=q", 9)


@pytest.mark.spec("DM-3.1.7.1.33-1", "DM-3.1.7.1.33-2", "DM-3.1.7.1.3-1")
def test_values_set_after_the_defaults_reach_the_queue_and_security_is_made(bench: Bench) -> None:
    core = host(bench)
    queue = template(**OWN)
    core.set_queue_defaults(queue)
    queue.label = "mine"
    made = core.create_queue(queue, NOW).queue
    assert made is not None
    assert (made.label, made.journaling, made.quota) == ("mine", False, UNLIMITED_QUOTA)
    assert made.security is not None
    assert made.security.owner == ANONYMOUS_LOGON
    assert isinstance(made.security.dacl, Acl)
    assert [entry.sid for entry in made.security.dacl.entries if isinstance(entry, Ace)] == [EVERYONE]


# ---- creating


@pytest.mark.spec("DM-3.1.7.1.3-2")
@pytest.mark.parametrize("path", [None, r"far\private$\orders", r".\private$\orders;JOURNAL", r".\private$\orders\Journal$"])
def test_only_a_path_of_a_queue_on_this_computer_can_be_created(bench: Bench, path: str | None) -> None:
    core = host(bench)
    wanted = Queue(pathname=None if path is None else parse_path_name(path), queue_type=QueueType.PRIVATE)
    result = core.create_queue(wanted, NOW)
    assert (result.status, result.queue) == (HResult.MQ_ERROR_ILLEGAL_QUEUE_PATHNAME, None)
    assert core.local.queue_collection == set()
    assert list(core.store.queues()) == []


def test_a_path_that_exists_is_not_created_again(bench: Bench) -> None:
    core = host(bench)
    first = created(core)
    core = bench.reopen(core)
    result = core.create_queue(template(r"HOST\PRIVATE$\Orders"), NOW)
    assert (result.status, result.queue) == (HResult.MQ_ERROR_QUEUE_EXISTS, None)
    assert core.local.queue_collection == {first.key}


@pytest.mark.spec("DM-3.1.7.1.3-3", "DM-3.1.7.1.3-5", "DM-3.1.7.1.3-15")
def test_what_is_copied_survives_a_restart_and_the_rest_is_not_copied(bench: Bench) -> None:
    core = host(bench)
    foreign = {"create_time": 5, "modify_time": 6, "full_path": "CN=q", "directory_path": "LDAP://q", "total_bytes": 7}
    wanted = template(r"host\private$\orders", **OWN, **foreign, identifier=TYPE, private_queue_number=9)
    result = core.create_queue(wanted, NOW)
    made = result.queue
    assert result.status == HResult.MQ_OK
    assert made is not None
    assert made is not wanted
    core = bench.reopen(core)
    made = kept(core, made)
    assert attributes(made, OWN) == OWN
    assert str(made.pathname) == r"host\private$\orders"
    assert made.identifier != TYPE
    assert made.private_queue_number != 9
    assert core.local.queue_collection == {made.key}
    assert core.find_queue(parse_name("orders"), RECEIVE) is made


@pytest.mark.spec("DM-3.1.7.1.3-6", "DM-3.1.7.1.3-7", "DM-3.1.7.1.3-8")
def test_what_is_set_does_not_depend_on_the_template(bench: Bench) -> None:
    core = host(bench)
    wanted = template(full_path="CN=q", directory_path="LDAP://q", total_bytes=7, subqueue_collection={99}, queue_manager=TYPE)
    made = core.create_queue(wanted, NOW).queue
    assert made is not None
    assert (made.queue_manager, made.total_bytes, made.scope.value) == (HOST_ID, 0, "Enterprise")
    assert (made.subqueue_collection, made.incoming_transactional_transfer_info_collection) == (set(), [])
    assert (made.open_queue_descriptor_collection, states(core, made)) == ([], {})
    assert not is_active(made, waiting_for_transfer=0)
    assert (made.full_path, made.directory_path) == ("", "")
    assert made.create_time == made.modify_time == 1715947200
    assert str(made.qualified_pathname) == r"host.corp.example\private$\orders"
    assert str(made.pathname) == r"host\private$\orders"


@pytest.mark.spec("DM-3.1.7.1.3-9")
@pytest.mark.parametrize(
    ("path", "kind"),
    [(r".\private$\q", QueueType.PRIVATE), (r".\system$;q", QueueType.SYSTEM), (r".\q", QueueType.PUBLIC)],
)
def test_the_form_of_the_path_makes_the_type(bench: Bench, path: str, kind: QueueType) -> None:
    core = host(bench)
    made = created(core, path)
    assert kept(bench.reopen(core), made).queue_type is kind


@pytest.mark.spec("DM-3.1.7.1.3-10", "MQ-2.2.18.1.5.1-1")
def test_private_queues_have_numbers_of_their_own_and_others_have_none(bench: Bench) -> None:
    core = host(bench)
    first, second = created(core, r".\private$\a"), created(core, r".\private$\b")
    numbers = {first.private_queue_number, second.private_queue_number}
    assert len(numbers) == 2
    # 3 and 4 are the same queues on every computer.
    assert min(numbers) > 4
    core.delete_queue(second)
    core = bench.reopen(core)
    assert created(core, r".\private$\c").private_queue_number not in numbers
    assert created(core, r".\d").private_queue_number == 0


@pytest.mark.spec("DM-3.1.7.1.3-16", "DM-3.1.7.1.3-14")
@pytest.mark.parametrize(("path", "skip"), [(r".\private$\q", False), (r".\system$;q", False), (r".\q", True)])
def test_queues_that_the_directory_does_not_learn_of_get_an_identifier_here(bench: Bench, path: str, skip: bool) -> None:
    directory = QueueDirectorySample()
    core = host(bench, directory.joint(), directory_integrated=True)
    made = created(core, path, skip_directory=skip)
    assert made.identifier.int >= 0x1000
    assert set(directory.verbs()) <= {"sid"}
    assert kept(bench.reopen(core), made).identifier == made.identifier


@pytest.mark.spec("DM-3.1.7.1.3-4")
def test_a_queue_comes_with_a_journal(bench: Bench) -> None:
    core = host(bench)
    made = created(core, **OWN)
    core = bench.reopen(core)
    made = kept(core, made)
    journal = kept(core, made.journal_queue_reference)
    assert str(journal.pathname) == r"host\private$\orders;JOURNAL"
    assert (journal.quota, journal.security, journal.journal_queue_reference) == (200, CLOSED, None)
    assert not core.is_public(journal)
    assert journal.key not in core.local.queue_collection


@pytest.mark.spec("DM-3.1.7.1.3-4")
def test_a_subqueue_has_no_journal_and_follows_its_queue(bench: Bench) -> None:
    core = host(bench)
    parent = created(core, **OWN)
    sub = created(core, r".\private$\orders;retry", label="sub")
    core = bench.reopen(core)
    parent, sub = kept(core, parent), kept(core, sub)
    assert sub.journal_queue_reference is None
    assert parent.subqueue_collection == {sub.key}
    assert sub.label == "sub"
    followed = ("quota", "security", "transactional", "base_priority")
    assert attributes(sub, followed) == attributes(parent, followed)


def test_journal_and_subqueues_follow_when_their_queue_changes(bench: Bench) -> None:
    core = host(bench)
    parent, sub = created(core, journal_quota=1), created(core, r".\private$\orders;retry")
    with core.call():
        core.assign(parent, quota=7, journal_quota=8, base_priority=9, security=CLOSED)
        core.save_queue(parent)
    core = bench.reopen(core)
    journal, sub = kept(core, parent.journal_queue_reference), kept(core, sub)
    assert (journal.quota, journal.security, journal.base_priority) == (8, CLOSED, 0)
    assert (sub.quota, sub.journal_quota, sub.security, sub.base_priority) == (7, UNLIMITED_QUOTA, CLOSED, 9)


def test_a_subqueue_needs_its_queue(bench: Bench) -> None:
    result = host(bench).create_queue(template(r".\private$\orders;retry"), NOW)
    assert (result.status, result.queue) == (HResult.MQ_ERROR_QUEUE_NOT_FOUND, None)


def test_a_subqueue_of_a_public_queue_is_not_published(bench: Bench) -> None:
    directory = QueueDirectorySample()
    core = host(bench, directory.joint(), directory_integrated=True)
    created(core, r".\orders")
    sub = created(core, r".\orders;retry", skip_directory=False)
    assert core.delete_queue(sub) == HResult.MQ_OK
    assert set(directory.verbs()) <= {"sid"}


@pytest.mark.spec("DM-3.1.7.1.3.1-1", "DM-3.1.7.1.3.1-9", "DM-3.1.7.1.3.1-10")
@pytest.mark.parametrize(("integrated", "known", "srmp"), [(True, True, True), (True, False, False), (False, True, False)])
def test_the_default_security_knows_the_computer_and_srmp(bench: Bench, integrated: bool, known: bool, srmp: bool) -> None:
    directory = QueueDirectorySample()
    directory.sids = {"host": MACHINE} if known else {}
    core = host(bench, directory.joint(), directory_integrated=integrated, srmp_http_support=srmp)
    made = core.create_queue(template(), NOW, caller=USER).queue
    assert made is not None
    assert made.security is not None
    assert isinstance(made.security.dacl, Acl)
    granted = {entry.sid: entry.mask for entry in made.security.dacl.entries if isinstance(entry, Ace)}
    assert (MACHINE in granted) == (integrated and known)
    assert (USER in granted) == integrated
    assert granted.get(ANONYMOUS_LOGON) == (0x4 if srmp else None)
    assert directory.asked == ([("sid", "host")] if integrated else [])


# ---- creating in the directory


@pytest.mark.spec("DM-3.1.7.1.3-11", "DM-3.1.7.1.3-12")
def test_a_public_queue_gets_its_identifier_and_paths_from_the_directory(bench: Bench) -> None:
    directory = QueueDirectorySample()
    directory.objects[GIVEN] = Queue(
        identifier=GIVEN, queue_type=QueueType.PUBLIC, full_path="CN=orders", directory_path="LDAP://orders", label="other"
    )
    core = host(bench, directory.joint(), directory_integrated=True)
    made = created(core, r".\orders", skip_directory=False, label="mine")
    core = bench.reopen(core)
    made = kept(core, made)
    assert (made.identifier, made.full_path, made.directory_path, made.label) == (GIVEN, "CN=orders", "LDAP://orders", "mine")
    assert directory.verbs() == ["sid", "notify", "create", "read"]
    assert directory.asked[2][1].pathname == parse_path_name(r"host\orders")
    assert directory.asked[3] == ("read", "Queue", ("full_path", "directory_path"))
    assert core.find_queue(parse_format_name(f"PUBLIC={GIVEN}"), RECEIVE) is made


@pytest.mark.spec("DM-3.1.7.1.3-12", "DM-3.1.7.1.3-13")
def test_a_failed_read_after_the_creation_leaves_the_paths_empty(bench: Bench) -> None:
    directory = QueueDirectorySample()
    directory.failing["read"] = DirectoryOperationResult.GENERIC_ERROR
    core = host(bench, directory.joint(), directory_integrated=True)
    made = created(core, r".\orders", skip_directory=False)
    assert (made.identifier, made.full_path, made.directory_path) == (GIVEN, "", "")


@pytest.mark.spec("DM-3.1.7.1.3-13")
@pytest.mark.parametrize(
    ("failure", "status"),
    [
        (DirectoryOperationResult.OBJECT_ALREADY_EXISTS, HResult.MQ_ERROR_QUEUE_EXISTS),
        (DirectoryOperationResult.DIRECTORY_NOT_CONNECTED, HResult.MQ_ERROR_NO_DS),
        (DirectoryOperationResult.GENERIC_ERROR, HResult.MQ_ERROR_DS_ERROR),
    ],
)
def test_without_the_directory_there_is_no_public_queue(bench: Bench, failure: DirectoryOperationResult, status: HResult) -> None:
    directory = QueueDirectorySample()
    directory.failing["create"] = failure
    core = host(bench, directory.joint(), directory_integrated=True)
    result = core.create_queue(template(r".\orders"), NOW)
    assert (result.status, result.queue) == (status, None)
    core = bench.reopen(core)
    assert core.local.queue_collection == set()
    assert list(core.store.queues()) == []


def test_a_workgroup_has_no_public_queues(bench: Bench) -> None:
    assert host(bench).create_queue(template(r".\orders"), NOW).status == HResult.MQ_ERROR_NO_DS


# ---- deleting


@pytest.mark.spec("DM-3.1.7.1.4-1", "DM-3.1.7.1.4-3", "DM-3.1.7.1.4-5")
def test_a_deleted_queue_takes_every_message_along(bench: Bench) -> None:
    core = host(bench)
    queue, other = created(core), created(core, r".\private$\other")
    for lookup, state in enumerate(PositionState):
        if state is not PositionState.DELETED:
            lay_message(core, queue, lookup, state=state)
    lay_message(core, other, 50)
    core = bench.reopen(core)
    queue, number = kept(core, queue), queue.private_queue_number
    core.take_events()
    assert core.delete_queue(queue) == HResult.MQ_OK
    assert deletions(core) == [(lookup, MessageClass.MQMSG_CLASS_NACK_Q_DELETED) for lookup in range(3)]
    assert core.store.total_bytes() == 100
    core = bench.reopen(core)
    assert core.local.queue_collection == {other.key}
    assert core.find_queue(parse_name("orders"), RECEIVE) is None
    assert core.find_queue(parse_format_name(f"PRIVATE={HOST_ID}\\{number:x}"), RECEIVE) is None
    assert states(core, kept(core, other)) == {50: AVAILABLE}
    assert core.delete_queue(queue) == HResult.MQ_ERROR_QUEUE_NOT_FOUND
    assert created(core).key != queue.key


@pytest.mark.spec("DM-3.1.7.1.4-1")
def test_more_messages_than_one_page_go_too(bench: Bench) -> None:
    core = host(bench)
    queue = created(core)
    for lookup in range(1001):
        lay_message(core, queue, lookup)
    core.delete_queue(queue)
    assert len(deletions(core)) == 1001


@pytest.mark.spec("DM-3.1.7.1.4-2", "DM-3.1.7.1.4-6")
def test_readers_learn_that_the_queue_is_gone(bench: Bench) -> None:
    core = host(bench)
    queue, _ = created(core), created(core, r".\private$\other")
    first, second = opened_as(core), opened_as(core)
    elsewhere = opened_as(core, r"DIRECT=OS:.\private$\other")
    reads = [waiting_read(core, first, tag=1), waiting_read(core, second), waiting_read(core, elsewhere)]
    core.delete_queue(queue)
    gone = HResult.MQ_ERROR_QUEUE_NOT_AVAILABLE
    assert [status_of(read) for read in reads] == [gone, gone, None]
    assert (first.queue_reference, second.queue_reference) == (None, None)
    assert elsewhere.queue_reference is not None


@pytest.mark.spec("DM-3.1.7.1.4-6")
def test_journal_subqueues_and_dispatch_entries_go_with_the_queue(bench: Bench) -> None:
    core = host(bench)
    queue, other = created(core), created(core, r".\private$\other")
    sub = created(core, r".\private$\orders;retry")
    journal = kept(core, queue.journal_queue_reference)
    for lookup, part in enumerate((queue, sub, journal, other)):
        lay_message(core, part, lookup)
        core.local.dispatch_collection.append(DispatchEntry(message_position_reference=lookup, priority=3))
    read = waiting_read(core, opened_as(core, r"DIRECT=OS:.\private$\orders;retry"))
    assert core.delete_queue(queue) == HResult.MQ_OK
    assert status_of(read) == HResult.MQ_ERROR_QUEUE_NOT_AVAILABLE
    assert [entry.message_position_reference for entry in core.local.dispatch_collection] == [3]
    assert sorted(lookup for lookup, _ in deletions(core)) == [0, 1, 2]
    core = bench.reopen(core)
    assert {row.key for row in core.store.queues()} == {r"private$\other", r"private$\other;journal"}
    assert core.local.queue_collection == {other.key}


def test_a_deleted_subqueue_leaves_its_queue(bench: Bench) -> None:
    core = host(bench)
    parent = created(core)
    core.delete_queue(created(core, r".\private$\orders;retry"))
    assert kept(bench.reopen(core), parent).subqueue_collection == set()


@pytest.mark.spec("DM-3.1.7.1.4-4")
@pytest.mark.parametrize("skip", [False, True])
def test_a_public_queue_is_taken_out_of_the_directory(bench: Bench, skip: bool) -> None:
    directory = QueueDirectorySample()
    core = host(bench, directory.joint(), directory_integrated=True)
    queue = created(core, r".\orders")
    private = created(core)
    directory.asked.clear()
    assert core.delete_queue(queue, skip_directory=skip) == HResult.MQ_OK
    assert core.delete_queue(private) == HResult.MQ_OK
    assert directory.verbs() == ([] if skip else ["notify", "delete"])
    assert skip or directory.asked[1] == ("delete", queue.identifier)


@pytest.mark.spec("DM-3.1.7.1.4-4")
@pytest.mark.parametrize(
    ("failure", "status"),
    [
        (DirectoryOperationResult.DIRECTORY_NOT_CONNECTED, HResult.MQ_ERROR_NO_DS),
        (DirectoryOperationResult.OBJECT_NOT_FOUND, HResult.MQ_ERROR_QUEUE_NOT_FOUND),
        (DirectoryOperationResult.GENERIC_ERROR, HResult.MQ_ERROR_DS_ERROR),
    ],
)
def test_the_queue_is_gone_even_if_the_directory_fails(bench: Bench, failure: DirectoryOperationResult, status: HResult) -> None:
    directory = QueueDirectorySample()
    directory.failing["delete"] = failure
    core = host(bench, directory.joint(), directory_integrated=True)
    queue = created(core, r".\orders")
    assert core.delete_queue(queue) == status
    assert bench.reopen(core).local.queue_collection == set()


def test_a_deletion_that_is_rolled_back_never_happened(bench: Bench) -> None:
    core = host(bench)
    queue = created(core)
    descriptor = opened_as(core)
    lay_message(core, queue, 1)
    core.commit()
    read = waiting_read(core, descriptor)
    core.delete_queue(queue)
    core.rollback()
    assert kept(core, queue) is queue
    assert descriptor.queue_reference == queue.key
    assert (read.result, queue.total_bytes) == (None, 100)
    assert core.local.queue_collection == {queue.key}


# ---- purging


@pytest.mark.spec("DM-3.1.7.1.7-1", "DM-3.1.7.1.7-2")
def test_purging_deletes_what_is_free_and_dooms_what_is_held(bench: Bench) -> None:
    core = host(bench)
    queue = created(core)
    lay_message(core, queue, 1)
    lay_message(core, queue, 2, state=LOCKED)
    lay_message(core, queue, 3, state=LOCKED, counted=False)
    lay_message(core, queue, 4, state=PURGE_PENDING)
    lay_message(core, queue, 5)
    core = bench.reopen(core)
    core.purge_queue(kept(core, queue))
    assert deletions(core) == [(1, MessageClass.MQMSG_CLASS_NACK_Q_PURGED), (5, MessageClass.MQMSG_CLASS_NACK_Q_PURGED)]
    core = bench.reopen(core)
    # What a transaction sent and did not commit is not in the queue yet.
    assert states(core, kept(core, queue)) == {2: PURGE_PENDING, 3: LOCKED, 4: PURGE_PENDING}
    assert kept(core, queue).total_bytes == 200


@pytest.mark.spec("DM-3.1.7.1.7-1")
def test_purging_empties_the_queue_alone_and_none_of_its_parts(bench: Bench) -> None:
    core = host(bench)
    queue = created(core)
    sub = created(core, r".\private$\orders;retry")
    journal = kept(core, queue.journal_queue_reference)
    for number, place in enumerate((queue, sub, journal), 1):
        lay_message(core, place, number)
    core.purge_queue(queue)
    core = bench.reopen(core)
    assert [kept(core, place).total_bytes for place in (queue, sub, journal)] == [0, 100, 100]


@pytest.mark.spec("DM-3.1.7.1.7-3")
def test_purging_leaves_handles_cursors_and_readers_alone(bench: Bench) -> None:
    core = host(bench)
    queue = created(core)
    descriptor = opened_as(core)
    cursor = core.open_cursor(descriptor)
    read = waiting_read(core, descriptor, cursor=cursor)
    lay_message(core, queue, 1)
    core.purge_queue(queue)
    assert queue.open_queue_descriptor_collection == [descriptor]
    assert (descriptor.queue_reference, descriptor.cursor_collection) == (queue.key, [cursor])
    assert (status_of(read), core.waiting_reads()) == (None, [read])
