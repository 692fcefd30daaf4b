"""Which queue a name denotes, where it is, and what a list of names comes to."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.qm.directory_model import QueueManager
from msmqctl.qm.model import DirectoryOperationResult, Queue, QueueAccessType, QueueType
from msmqctl.qm.queue_names import LocalComputer, key_of_outgoing, key_of_part
from msmqctl.qm.queues import Queues
from msmqctl.wire.names import Area, QueuePart, parse_name, parse_path_name
from msmqctl.wire.status import HResult

from .conftest import Bench
from .queue_directory_sample import QueueDirectorySample
from .queue_samples import (
    ADDRESS,
    HOST_ID,
    MOVE,
    OTHER_ID,
    PEEK,
    PEEK_ADMIN,
    RECEIVE,
    RECEIVE_ADMIN,
    SEND,
    created,
    host,
    kept,
    named,
    opened_as,
)
from .samples import NOW

LIST = "DL=cccccccc-0000-4000-8000-00000000000c"
INNER = "DL=cccccccc-0000-4000-8000-00000000000d"
PUBLIC_ID = UUID("eeeeeeee-0000-4000-8000-00000000000e")


# ---- keys and computers


@pytest.mark.parametrize(
    ("path", "key"),
    [
        (r"HOST\PRIVATE$\Orders", r"private$\orders"),
        (r".\private$\orders;JOURNAL", r"private$\orders;journal"),
        (r".\private$\orders;Retry", r"private$\orders;retry"),
        (r".\Orders", "orders"),
        (r".\SYSTEM$;DeadLetter", "system$;deadletter"),
        (r".\DeadLetter$", "system$;deadletter"),
        (".\\private$\\Stra\u00dfe", "private$\\stra\u00dfe"),
    ],
)
def test_every_spelling_of_a_local_name_has_one_key(path: str, key: str) -> None:
    assert key_of_part(parse_path_name(path).part) == key


def test_an_outgoing_queue_has_the_folded_name_of_its_destination_as_key() -> None:
    assert key_of_outgoing(named(r"DIRECT=OS:Far\Orders")) == r"out\direct=os:far\orders"
    assert key_of_outgoing(named("DIRECT=HTTP://far:80/msmq/orders")) == key_of_outgoing(named("DIRECT=HTTP://FAR/msmq/Orders"))


@given(st.text(alphabet="aAbB\u00e4\u00c4\u00df\u0131\u212a:=.-", min_size=1, max_size=6), st.sampled_from([Area.PUBLIC, Area.PRIVATE]))
def test_queues_share_a_key_exactly_when_their_names_are_equal(text: str, area: Area) -> None:
    one, other = QueuePart(text, area), QueuePart(text.swapcase(), area)
    assert (key_of_part(one) == key_of_part(other)) == (one == other)
    assert not key_of_part(one).startswith("out\\")


@pytest.mark.parametrize(
    "computer", [".", "localhost", "LocalHost", "HOST", "Host.Corp.Example", "127.0.0.1", "127.8.9.1", "::1", "[::1]", ADDRESS, "ALIAS"]
)
def test_this_computer_has_many_names(computer: str) -> None:
    manager = QueueManager(computer_name="host", qualified_computer_name="host.corp.example")
    assert LocalComputer(manager, (ADDRESS, "alias")).means(computer)


@pytest.mark.parametrize("computer", ["", "far", "host.other.example", "192.0.2.8", "hos"])
def test_other_computers_are_not_this_one(computer: str) -> None:
    manager = QueueManager(computer_name="host", qualified_computer_name="host.corp.example")
    assert not LocalComputer(manager, (ADDRESS,)).means(computer)
    assert not LocalComputer(QueueManager()).means(computer)


# ---- hosted queues


@pytest.fixture
def core(bench: Bench) -> Queues:
    made = host(bench)
    created(made)
    created(made, r".\orders")
    created(made, r".\private$\orders;retry")
    return bench.reopen(made)


@pytest.mark.spec("DM-3.1.7.1.5-10")
@pytest.mark.parametrize(
    ("name", "path"),
    [
        (r".\private$\orders", r"host\private$\orders"),
        (r"HOST.corp.example\PRIVATE$\ORDERS", r"host\private$\orders"),
        (r"DIRECT=OS:localhost\private$\orders", r"host\private$\orders"),
        (rf"DIRECT=TCP:{ADDRESS}\private$\orders", r"host\private$\orders"),
        ("DIRECT=HTTP://host.corp.example/msmq/private$/orders", r"host\private$\orders"),
        (r"DIRECT=OS:.\orders", r"host\orders"),
        (r"DIRECT=OS:.\orders;JOURNAL", r"host\orders;JOURNAL"),
        (r".\private$\orders;retry", r"host\private$\orders;retry"),
    ],
)
def test_a_name_by_computer_finds_the_queue(core: Queues, name: str, path: str) -> None:
    found = core.find_queue(parse_name(name), RECEIVE)
    assert found is not None
    assert str(found.pathname) == path


@pytest.mark.spec("DM-3.1.7.1.5-10")
@pytest.mark.parametrize("name", [r".\private$\other", r"far\private$\orders", r".\private$\orders;other", "CONNECTOR=" + str(HOST_ID)])
def test_other_names_find_nothing(core: Queues, name: str) -> None:
    assert core.find_queue(parse_name(name), RECEIVE) is None


@pytest.mark.spec("DM-3.1.7.1.5-10")
def test_private_names_need_the_queue_manager_and_the_number(core: Queues) -> None:
    queue = core.find_queue(parse_name("orders"), RECEIVE)
    assert queue is not None
    number = queue.private_queue_number
    assert core.find_queue(named(f"PRIVATE={HOST_ID}\\{number:x}"), RECEIVE) is queue
    assert core.find_queue(named(f"PRIVATE={OTHER_ID}\\{number:x}"), RECEIVE) is None
    assert core.find_queue(named(f"PRIVATE={HOST_ID}\\ffff"), RECEIVE) is None
    journal = core.find_queue(named(f"PRIVATE={HOST_ID}\\{number:x};JOURNAL"), RECEIVE)
    assert journal is kept(core, queue.journal_queue_reference)


@pytest.mark.spec("DM-3.1.7.1.5-10")
def test_public_names_need_the_identifier_of_a_public_queue(core: Queues) -> None:
    public, private = core.find_queue(parse_name(r".\orders"), RECEIVE), core.find_queue(parse_name("orders"), RECEIVE)
    assert public is not None
    assert private is not None
    assert core.find_queue(named(f"PUBLIC={public.identifier}"), RECEIVE) is public
    assert core.find_queue(named(f"PUBLIC={public.identifier};JOURNAL"), RECEIVE) is kept(core, public.journal_queue_reference)
    assert core.find_queue(named(f"PUBLIC={private.identifier}"), RECEIVE) is None


@pytest.mark.spec("DM-3.1.7.1.5-10")
@pytest.mark.parametrize(("suffix", "key"), [("DEADLETTER", "deadletter"), ("DEADXACT", "deadxact"), ("JOURNAL", "journal")])
def test_machine_names_find_system_queues_by_their_role(core: Queues, suffix: str, key: str) -> None:
    with core.call():
        number = core.store.add_queue(f"system$;{key}", "System", '{"queue_type":"System"}')
    assert core.find_queue(named(f"MACHINE={HOST_ID};{suffix}"), RECEIVE) is kept(core, number)
    assert core.find_queue(named(f"DIRECT=OS:.\\SYSTEM$;{suffix}"), RECEIVE) is kept(core, number)
    assert core.find_queue(named(f"MACHINE={OTHER_ID};{suffix}"), RECEIVE) is None


def test_two_numbers_mean_the_same_queue_on_every_computer(core: Queues) -> None:
    with core.call():
        number = core.store.add_queue(r"private$\order_queue$", "System", '{"queue_type":"System","private_queue_number":4}')
    assert core.find_queue(named(f"PRIVATE={HOST_ID}\\4"), SEND) is kept(core, number)
    assert core.find_queue(named(f"PRIVATE={HOST_ID}\\3"), SEND) is None


@pytest.mark.spec("DM-3.1.7.1.5-26")
@pytest.mark.parametrize(
    ("access", "found"), [(SEND, True), (RECEIVE_ADMIN, True), (PEEK_ADMIN, True), (RECEIVE, False), (PEEK, False), (MOVE, False)]
)
def test_an_outgoing_queue_is_not_the_queue_that_it_leads_to(core: Queues, access: QueueAccessType, found: bool) -> None:
    opened_as(core, r"DIRECT=OS:far\orders", SEND)
    assert (core.find_queue(named(r"DIRECT=OS:FAR\Orders"), access) is not None) is found
    assert (core.find_queue(parse_name(r"far\orders"), access) is not None) is found
    expected = HResult.MQ_OK if found else HResult.MQ_ERROR_QUEUE_NOT_FOUND
    assert core.open_queue(named(r"DIRECT=OS:far\orders"), access, opened_as(core).share_mode, NOW).status == expected


# ---- expanding


@pytest.mark.spec("DM-3.1.7.3.8-1")
@pytest.mark.parametrize("text", [r"DIRECT=OS:far\b", f"PUBLIC={PUBLIC_ID}", f"MACHINE={OTHER_ID};JOURNAL", "MULTICAST=239.1.2.3:8001"])
def test_a_single_name_stays_as_it_is(bench: Bench, text: str) -> None:
    directory = QueueDirectorySample()
    name = named(text)
    assert host(bench, directory.joint(), directory_integrated=True).expand_format_name(name) is name
    assert directory.asked == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(LIST, r"DIRECT=OS:a\q,DIRECT=OS:b\q,DIRECT=OS:c\q", id="list in list"),
        pytest.param(rf"DIRECT=OS:z\q,{INNER}", r"DIRECT=OS:b\q,DIRECT=OS:c\q,DIRECT=OS:z\q", id="list among names"),
        pytest.param(r"DIRECT=OS:b\q,DIRECT=OS:A\q,DIRECT=OS:B\Q", r"DIRECT=OS:A\q,DIRECT=OS:b\q", id="sorted, without regard to case"),
        pytest.param(r"DIRECT=OS:b\q,DIRECT=OS:B\Q", r"DIRECT=OS:b\q", id="one left"),
    ],
)
@pytest.mark.spec("DM-3.1.7.3.8-2", "DM-3.1.7.3.8-3", "DM-3.1.7.3.8-4", "DM-3.1.7.3.8-5", "DM-3.1.7.3.8-6", "DM-3.1.7.3.8-7")
@pytest.mark.spec("DM-3.1.7.3.8-8")
def test_lists_become_their_members(bench: Bench, text: str, expected: str) -> None:
    directory = QueueDirectorySample()
    directory.lists = {LIST: (INNER, r"DIRECT=OS:a\q", LIST), INNER: (r"DIRECT=OS:c\q", r"DIRECT=OS:b\q", r"DIRECT=OS:B\q")}
    assert str(host(bench, directory.joint(), directory_integrated=True).expand_format_name(named(text))) == expected


@pytest.mark.spec("DM-3.1.7.3.8-3")
def test_a_list_that_cannot_be_resolved_fails_the_whole_name(bench: Bench) -> None:
    assert host(bench).expand_format_name(named(rf"DIRECT=OS:a\q,{LIST}")) is None


def test_lists_without_members_or_with_a_journal_among_others_come_to_nothing(bench: Bench) -> None:
    directory = QueueDirectorySample()
    directory.lists = {LIST: (), INNER: (r"DIRECT=OS:a\q;JOURNAL", r"DIRECT=OS:b\q")}
    core = host(bench, directory.joint(), directory_integrated=True)
    assert core.expand_format_name(named(LIST)) is None
    assert core.expand_format_name(named(INNER)) is None


# ---- paths


@pytest.mark.spec("DM-3.1.7.1.26-1", "DM-3.1.7.1.26-2", "DM-3.1.7.1.26-3", "DM-3.1.7.1.26-7")
@pytest.mark.parametrize(
    ("text", "path", "machine"),
    [
        ("DIRECT=HTTPS://far:8443/msmq/private$/q", "", "far"),
        (r"DIRECT=OS:far\private$\q;JOURNAL", r"far\private$\q;JOURNAL", "far"),
        (r"DIRECT=TCP:192.0.2.9\q", r"192.0.2.9\q", "192.0.2.9"),
        (f"MACHINE={HOST_ID};JOURNAL", "", ""),
        (f"CONNECTOR={HOST_ID}", "", ""),
        ("MULTICAST=239.1.2.3:8001", "", ""),
        (LIST, "", ""),
        (r"DIRECT=OS:a\q,DIRECT=OS:b\q", "", ""),
    ],
)
def test_a_name_tells_its_path_and_computer(bench: Bench, text: str, path: str, machine: str) -> None:
    result = host(bench).get_queue_path(named(text))
    assert (result.status, result.path_name, result.machine_name) == (HResult.MQ_OK, path, machine)


@pytest.mark.spec("DM-3.1.7.1.26-4")
def test_the_directory_tells_the_path_of_a_public_queue(bench: Bench) -> None:
    directory = QueueDirectorySample()
    far = Queue(identifier=PUBLIC_ID, pathname=parse_path_name(r"far\orders"), queue_type=QueueType.PUBLIC)
    near = Queue(identifier=HOST_ID, pathname=parse_path_name(r"host.corp.example\bills"), queue_type=QueueType.PUBLIC)
    directory.objects = {PUBLIC_ID: far, HOST_ID: near}
    core = host(bench, directory.joint(), directory_integrated=True)
    result = core.get_queue_path(named(f"PUBLIC={PUBLIC_ID}"))
    assert (result.status, result.path_name, result.machine_name) == (HResult.MQ_OK, r"far\orders", "far")
    assert core.get_queue_path(named(f"PUBLIC={HOST_ID}")).machine_name == "host"
    directory.failing["read"] = DirectoryOperationResult.GENERIC_ERROR
    failed = core.get_queue_path(named(f"PUBLIC={PUBLIC_ID}"))
    assert (failed.status, failed.path_name, failed.machine_name) == (HResult.MQ_ERROR_ILLEGAL_FORMATNAME, "", "")


@pytest.mark.spec("DM-3.1.7.1.26-5", "DM-3.1.7.1.26-6")
def test_the_path_of_a_private_queue_is_known_here_only(bench: Bench) -> None:
    directory = QueueDirectorySample()
    directory.objects = {OTHER_ID: QueueManager(identifier=OTHER_ID, computer_name="far")}
    core = host(bench, directory.joint(), directory_integrated=True)
    directory.objects[HOST_ID] = core.local
    number = created(core).private_queue_number
    core = bench.reopen(core)
    here = core.get_queue_path(named(f"PRIVATE={HOST_ID}\\{number:x}"))
    assert (here.status, here.path_name, here.machine_name) == (HResult.MQ_OK, r"host\private$\orders", "host")
    unused = core.get_queue_path(named(f"PRIVATE={HOST_ID}\\ffff"))
    assert (unused.status, unused.path_name, unused.machine_name) == (HResult.MQ_OK, "", "host")
    there = core.get_queue_path(named(f"PRIVATE={OTHER_ID}\\{number:x}"))
    assert (there.status, there.path_name, there.machine_name) == (HResult.MQ_OK, "", "far")
    nowhere = core.get_queue_path(named(f"PRIVATE={PUBLIC_ID}\\{number:x}"))
    assert nowhere.status == HResult.MQ_ERROR_ILLEGAL_FORMATNAME
