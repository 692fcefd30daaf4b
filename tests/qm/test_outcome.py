"""What follows from the fate of a message: every wish and every fate, in the same commit, in memory and over a restart."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from msmqctl.qm.convert import packet_size
from msmqctl.qm.message import AcknowledgementsRequested, DeliveryGuarantee
from msmqctl.qm.model import UNLIMITED_QUOTA, OutgoingQueue, Queue, QueueAccessType, QueueType
from msmqctl.qm.outcome import Policy
from msmqctl.wire.identity import ObjectId, TxSequenceId
from msmqctl.wire.names import MultipleElementName, PrivateName, parse_format_name, parse_path_name
from msmqctl.wire.values import INFINITE, MessageClass, PrivacyLevel

from .conftest import Bench
from .outcome_desk import ADMIN, ELSEWHERE, NUMBER, ORDERS, WISH, Desk
from .samples import NOW, after

TX = UUID(int=0xA)
FAR = parse_format_name(r"DIRECT=OS:far\private$\admin")
RECEIVE_REASONS = [0xC000, 0xC001, 0xC002, 0xC004]
ARRIVAL_REASONS = [0x8002, 0x8003, 0x8005, 0x8009, 0x800A]
INSECURE = [0x8000, 0x8004, 0x8006, 0x8007, 0x800B]


# ---- acknowledgments


@pytest.mark.spec("DM-X.out-1")
def test_the_core_itself_makes_no_acknowledgment_and_no_copy(bench: Bench) -> None:
    desk = Desk(bench, journaling=True)
    desk.manager.consequences = None
    desk.send(acknowledgements_requested=WISH(0xF), positive_journaling_requested=True)
    desk.receive()
    desk.manager.commit()
    assert desk.heard() == []
    assert desk.copies() == {}
    assert desk.inside("orders;journal") == []


@pytest.mark.spec("DM-X.out-2", "DM-3.1.1.12-13", "QB-3.1.5.8.10-1")
@pytest.mark.parametrize("wish", list(range(16)))
def test_an_arrival_is_acknowledged_to_those_who_ask_for_it(bench: Bench, wish: int) -> None:
    desk = Desk(bench)
    desk.send(acknowledgements_requested=WISH(wish))
    desk.done()
    assert desk.heard() == ([0x0002] if wish & 0x1 else [])


@pytest.mark.spec("DM-X.out-4", "DM-3.1.1.12-13", "QB-3.1.7.2.1-1")
@pytest.mark.parametrize("wish", list(range(16)))
def test_a_receive_is_acknowledged_to_those_who_ask_for_it(bench: Bench, wish: int) -> None:
    desk = Desk(bench)
    desk.send(acknowledgements_requested=WISH(wish))
    desk.receive()
    desk.done()
    assert desk.heard() == [0x0002] * (wish & 1) + [0x4000] * (wish >> 1 & 1)


@pytest.mark.spec("DM-X.out-5", "DM-3.1.1.12-13", "QB-3.1.7.2.1-1")
@pytest.mark.parametrize("reason", RECEIVE_REASONS)
def test_a_failed_receive_is_told_to_those_who_ask_for_it(bench: Bench, reason: int) -> None:
    desk = Desk(bench)
    for wish in range(16):
        desk.send(acknowledgements_requested=WISH(wish & ~0x1))
        desk.delete(desk.queue("orders"), reason)
        desk.outcomes.settle(NOW)
        assert desk.heard() == ([reason] if wish & 0x8 else []), wish
        desk.manager.purge_queue(desk.queue("admin"))


@pytest.mark.spec("DM-X.out-3", "DM-3.1.1.12-13")
@pytest.mark.parametrize("reason", ARRIVAL_REASONS)
def test_a_failed_arrival_is_told_to_those_who_ask_for_it(bench: Bench, reason: int) -> None:
    desk = Desk(bench)
    for wish in range(16):
        desk.outcomes.refused(desk.message(remote=True, acknowledgements_requested=WISH(wish)), MessageClass(reason))
        desk.outcomes.settle(NOW)
        assert desk.heard() == ([reason] if wish & 0x4 else []), wish
        desk.manager.purge_queue(desk.queue("admin"))


@pytest.mark.spec("DM-X.out-2", "DM-X.out-3", "DM-X.out-4", "DM-X.out-5")
@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        (WISH.ACK_NACK_REACH_QUEUE, [0x8003]),
        (WISH.ACK_FULL_REACH_QUEUE, [0x0002, 0x8003]),
        (WISH.ACK_NACK_RECEIVE, [0x8003, 0xC001]),
        (WISH.ACK_FULL_RECEIVE, [0x8003, 0xC001, 0x4000]),
    ],
)
def test_the_usual_wishes(bench: Bench, wish: AcknowledgementsRequested, expected: list[int]) -> None:
    desk = Desk(bench)
    desk.send(acknowledgements_requested=wish)
    desk.outcomes.refused(desk.message(remote=True, acknowledgements_requested=wish), MessageClass(0x8003))
    desk.outcomes.settle(NOW)
    desk.manager.purge_queue(desk.queue("orders"))
    desk.send(acknowledgements_requested=wish & ~WISH.ACK_POS_ARRIVAL)
    desk.receive()
    desk.done()
    assert desk.heard() == expected


@pytest.mark.spec("QB-3.1.7.15-1")
@pytest.mark.parametrize("reason", INSECURE)
@pytest.mark.parametrize("allowed", [False, True])
def test_what_tells_strangers_about_this_computer_is_sent_only_where_that_is_allowed(bench: Bench, reason: int, allowed: bool) -> None:
    desk = Desk(bench, Policy(insecure_nacks=True) if allowed else None)
    desk.outcomes.refused(desk.message(remote=True, acknowledgements_requested=WISH(0xF)), MessageClass(reason))
    desk.done()
    assert desk.heard() == ([reason] if allowed else [])


@pytest.mark.spec("DM-X.out-6")
def test_acknowledgments_go_to_the_administration_queue_or_to_each_of_a_list_or_nowhere(bench: Bench) -> None:
    desk = Desk(bench)
    desk.create("second")
    second = parse_format_name(r"DIRECT=OS:HOST1\private$\second")
    assert not isinstance(ADMIN, MultipleElementName)
    wish = WISH.ACK_POS_ARRIVAL
    desk.send(acknowledgements_requested=wish, administration_queue_format_name=None)
    desk.done()
    assert (desk.heard(), desk.heard("second")) == ([], [])
    desk.send(acknowledgements_requested=wish, administration_queue_format_name=second)
    desk.done()
    assert (desk.heard(), desk.heard("second")) == ([], [2])
    desk.send(
        acknowledgements_requested=wish, administration_queue_format_name=None, administration_multi_queue_format_name=(ADMIN, second)
    )
    desk.done()
    assert (desk.heard(), desk.heard("second")) == ([2], [2, 2])


@pytest.mark.spec("QB-3.1.7.15-3")
@pytest.mark.parametrize("guarantee", list(DeliveryGuarantee))
def test_an_acknowledgment_tells_which_message_it_is_about(bench: Bench, guarantee: DeliveryGuarantee) -> None:
    desk = Desk(bench)
    desk.send(remote=True, acknowledgements_requested=WISH(0xF), delivery_guarantee=guarantee, positive_journaling_requested=True)
    desk.done()
    (ack,) = desk.inside("admin")
    assert ack.correlation_identifier == ObjectId(ELSEWHERE, NUMBER)
    assert ack.response_queue_format_name == ORDERS
    assert ack.delivery_guarantee is guarantee
    assert ack.acknowledgements_requested == WISH.NONE
    assert (ack.time_to_reach_queue, ack.time_to_be_received) == (INFINITE, INFINITE)
    assert (ack.positive_journaling_requested, ack.negative_journaling_requested) == (False, False)
    assert ack.privacy_level == PrivacyLevel.NONE
    assert (ack.identifier.lineage, ack.sent_time) == (desk.manager.local.identifier, NOW)
    assert (ack.label, ack.application_tag, ack.body_type) == ("order", 77, 8)
    assert ack.size == packet_size(ack) > 0


@pytest.mark.spec("QB-3.1.7.15-4")
def test_only_a_refusal_brings_the_body_back_and_only_a_clear_one(bench: Bench) -> None:
    desk = Desk(bench)
    wish = WISH(0xF)
    desk.send(acknowledgements_requested=wish)
    desk.receive()
    desk.outcomes.refused(desk.message(acknowledgements_requested=wish), MessageClass(0x8003))
    desk.outcomes.refused(desk.message(acknowledgements_requested=wish, privacy_level=PrivacyLevel(3)), MessageClass(0x8003))
    desk.done()
    assert [(int(ack.message_class), ack.body) for ack in desk.inside("admin")] == [
        (0x0002, b""),
        (0x4000, b""),
        (0x8003, b"three of them"),
        (0x8003, b""),
    ]


@pytest.mark.spec("QB-3.1.7.15-5")
def test_an_acknowledgment_for_elsewhere_waits_in_an_outgoing_queue_and_one_for_nowhere_is_dropped(bench: Bench) -> None:
    desk = Desk(bench)
    desk.send(acknowledgements_requested=WISH(0x1), administration_queue_format_name=FAR)
    nowhere = PrivateName(desk.manager.local.identifier, 0x999)
    desk.send(acknowledgements_requested=WISH(0x1), administration_queue_format_name=nowhere)
    desk.done()
    waiting = desk.manager.find_queue(FAR, QueueAccessType.SEND_ACCESS)
    assert isinstance(waiting, OutgoingQueue)
    assert desk.heard(waiting) == [2]
    assert waiting.open_queue_descriptor_collection == []


def test_a_transactional_administration_queue_gets_nothing(bench: Bench) -> None:
    desk = Desk(bench)
    desk.create("strict", transactional=True)
    name = parse_format_name(r"DIRECT=OS:HOST1\private$\strict")
    desk.send(acknowledgements_requested=WISH(0x1), administration_queue_format_name=name)
    desk.done()
    assert desk.heard("strict") == []


@pytest.mark.spec("QB-3.1.5.11-1")
@pytest.mark.parametrize("kind", [0x0001, 0x0002, 0x00FF, 0x4000, 0x8003, 0xC001])
def test_nothing_follows_from_what_queue_managers_say(bench: Bench, kind: int) -> None:
    desk = Desk(bench, Policy(reports=True), journaling=True)
    wishes: dict[str, Any] = {"acknowledgements_requested": WISH(0xF), "positive_journaling_requested": True}
    desk.send(message_class=MessageClass(kind), **wishes)
    desk.receive()
    desk.outcomes.refused(
        desk.message(message_class=MessageClass(kind), negative_journaling_requested=True, **wishes), MessageClass(0x8003)
    )
    desk.done()
    assert desk.heard() == []
    assert desk.copies() == {}
    assert desk.inside("orders;journal") == []


def test_a_message_given_back_or_moved_has_not_arrived_again(bench: Bench) -> None:
    desk = Desk(bench, transactional=True)
    desk.manager.create_transaction(TX)
    desk.send(TX, acknowledgements_requested=WISH(0x3))
    desk.outcomes.settle(NOW)
    assert desk.heard() == []
    desk.manager.transaction_commit(TX)
    desk.done()
    assert desk.heard() == [0x0002]
    desk.manager.create_transaction(TX)
    desk.receive(transaction=TX)
    desk.manager.transaction_abort(TX)
    desk.done()
    assert desk.heard() == [0x0002]


def test_what_is_taken_back_has_no_consequences(bench: Bench) -> None:
    desk = Desk(bench)
    desk.send(acknowledgements_requested=WISH(0x1))
    desk.manager.rollback()
    desk.done()
    assert desk.heard() == []
    desk.send(acknowledgements_requested=WISH(0x1))
    desk.outcomes.settle(NOW)
    desk.manager.rollback()
    desk.done()
    assert desk.heard() == []


# ---- the journal of a queue


@pytest.mark.spec("DM-X.out-7")
def test_a_received_message_is_copied_to_the_journal_of_its_queue(bench: Bench) -> None:
    desk = Desk(bench, journaling=True)
    desk.send()
    received = desk.receive()
    desk.done()
    (copy,) = desk.inside("orders;journal")
    assert (copy.body, copy.identifier) == (received.body, received.identifier)
    assert copy.lookup_identifier != received.lookup_identifier


@pytest.mark.spec("DM-X.out-7")
def test_a_transactional_receive_is_journaled_with_the_commit(bench: Bench) -> None:
    desk = Desk(bench, journaling=True, transactional=True)
    desk.send()
    desk.manager.create_transaction(TX)
    desk.receive(transaction=TX)
    desk.done()
    assert desk.inside("orders;journal") == []
    if bench.on_disk:
        return  # a restart ends the transaction
    desk.manager.transaction_commit(TX)
    desk.done()
    assert len(desk.inside("orders;journal")) == 1


@pytest.mark.spec("DM-X.out-7")
@pytest.mark.parametrize("reason", RECEIVE_REASONS)
def test_nothing_but_a_receive_is_journaled(bench: Bench, reason: int) -> None:
    desk = Desk(bench, journaling=True)
    desk.send()
    desk.delete(desk.queue("orders"), reason)
    desk.done()
    assert desk.inside("orders;journal") == []


@pytest.mark.spec("DM-X.out-7")
@pytest.mark.parametrize("limits", [(1, 1), (UNLIMITED_QUOTA, 1), (0, 1)])
def test_a_queue_without_journaling_or_room_keeps_nothing(bench: Bench, limits: tuple[int, int]) -> None:
    desk = Desk(bench)
    small = desk.create("small", journaling=True, journal_quota=limits[0])
    with desk.manager.call():
        desk.manager.assign(small, journal_quota=limits[1])
        desk.manager.save_queue(small)
    desk.send()
    desk.receive()
    for _ in range(5):
        desk.send(to=desk.queue("small"))
        desk.receive("small")
    desk.done()
    assert desk.inside("orders;journal") == []
    assert len(desk.inside("small;journal")) == 3  # three times 300 octets fit into 1024


# ---- the sender's own copies


@pytest.mark.spec("DM-3.1.1.12-10", "DM-X.out-8")
@pytest.mark.parametrize(("remote", "wanted", "kept"), [(False, True, 1), (False, False, 0), (True, True, 0)])
def test_a_delivered_message_is_journaled_at_its_source(bench: Bench, remote: bool, wanted: bool, kept: int) -> None:
    desk = Desk(bench)
    desk.send(remote=remote, positive_journaling_requested=wanted, negative_journaling_requested=True)
    desk.done()
    assert desk.copies() == ({"journal": 1} if kept else {})
    desk.receive()
    desk.done()
    assert desk.copies() == ({"journal": 1} if kept else {})


@pytest.mark.spec("DM-3.1.1.12-10")
def test_a_message_that_was_handed_over_is_journaled_and_one_given_up_is_not(bench: Bench) -> None:
    desk = Desk(bench)
    # An administrator who takes a message out of an outgoing queue has not delivered it.
    for reason, kept in ((0xC001, {}), (0x4000, {}), (0x0002, {"journal": 1})):
        desk.send(to=desk.outgoing(), positive_journaling_requested=True)
        desk.outcomes.settle(NOW)
        assert desk.copies() == {}
        desk.delete(desk.outgoing(), reason)
        desk.done()
        assert desk.copies() == kept


@pytest.mark.spec("DM-3.1.1.12-10")
def test_a_transactional_message_is_delivered_when_it_was_received(bench: Bench) -> None:
    desk = Desk(bench, transactional=True)
    desk.send(transactional_message_sequence_identifier=TxSequenceId(5), positive_journaling_requested=True)
    desk.done()
    assert desk.copies() == {}
    desk.receive()
    desk.done()
    assert desk.copies() == {"journal": 1}


@pytest.mark.spec("DM-3.1.1.12-10", "DM-3.1.1.12-11", "DM-X.out-8")
@pytest.mark.parametrize(("path", "flag"), [("journal", "positive_journaling_requested"), ("deadletter", "negative_journaling_requested")])
def test_what_the_quota_does_not_allow_is_dropped(bench: Bench, path: str, flag: str) -> None:
    desk = Desk(bench)
    full = desk.queue(rf".\system$;{path}")
    with desk.manager.call():
        desk.manager.assign(full, quota=1)
        desk.manager.save_queue(full)
    for _ in range(5):
        wish: dict[str, Any] = {flag: True}
        desk.send(**wish)
        desk.delete(desk.queue("orders"), 0xC002)
    desk.done()
    assert len(desk.inside(rf".\system$;{path}")) == 3


@pytest.mark.spec("DM-3.1.1.12-11", "DM-X.out-8")
@pytest.mark.parametrize("transactional", [False, True])
@pytest.mark.parametrize("reason", [0xC000, 0xC001, 0xC002])
def test_what_never_left_is_a_dead_letter(bench: Bench, reason: int, transactional: bool) -> None:
    desk = Desk(bench)
    stream = TxSequenceId(5) if transactional else None
    for wanted in (False, True):
        queue = desk.outgoing()
        desk.send(to=queue, negative_journaling_requested=wanted, transactional_message_sequence_identifier=stream)
        desk.send(to=queue, remote=True, negative_journaling_requested=True, transactional_message_sequence_identifier=stream)
        desk.delete(queue, reason)
        desk.done()
        assert desk.copies() == ({"deadxact" if transactional else "dead": 1} if wanted else {})


def test_the_sender_hears_what_never_left(bench: Bench) -> None:
    desk = Desk(bench)
    for reason in (0xC002, 0xC001, 0xC000):
        desk.send(to=desk.outgoing(), acknowledgements_requested=WISH.ACK_NACK_REACH_QUEUE)
        desk.delete(desk.outgoing(), reason)
    desk.done()
    assert desk.heard() == [0x8002, 0x8001, 0x8001]


@pytest.mark.spec("DM-3.1.1.12-11")
def test_a_message_whose_time_ran_out_in_its_queue_is_a_dead_letter(bench: Bench) -> None:
    desk = Desk(bench)
    desk.send(time_to_be_received=10, negative_journaling_requested=True)
    desk.send(time_to_be_received=10)
    # Its sender keeps the dead letter, wherever that is.
    desk.send(remote=True, time_to_be_received=10, negative_journaling_requested=True)
    desk.manager.expire(after(11))
    desk.done()
    assert desk.copies() == {"dead": 1}
    # It is kept there, whatever its time was, and nothing follows when somebody takes it out.
    desk.manager.expire(after(100))
    desk.done()
    assert desk.copies() == {"dead": 1}


def test_a_plain_message_over_quota_is_a_dead_letter_even_of_somebody_else(bench: Bench) -> None:
    desk = Desk(bench)
    for reason, stream, wanted in ((0x8003, None, True), (0x8003, None, False), (0x8003, TxSequenceId(5), True), (0x800A, None, True)):
        message = desk.message(remote=True, negative_journaling_requested=wanted, transactional_message_sequence_identifier=stream)
        desk.outcomes.refused(message, MessageClass(reason))
    desk.done()
    assert desk.copies() == {"dead": 1}


@pytest.mark.parametrize(("stream", "expected"), [(None, {}), (TxSequenceId(5), {"deadxact": 1})])
def test_a_purge_undoes_the_delivery_of_a_transactional_message_only(
    bench: Bench, stream: TxSequenceId | None, expected: dict[str, int]
) -> None:
    desk = Desk(bench)
    desk.send(negative_journaling_requested=True, transactional_message_sequence_identifier=stream)
    desk.manager.purge_queue(desk.queue("orders"))
    desk.done()
    assert desk.copies() == expected


@pytest.mark.spec("DM-3.1.1.12-12", "DM-X.out-8")
@pytest.mark.parametrize("stream", [None, TxSequenceId(5)])
def test_an_application_can_choose_where_its_dead_letters_go(bench: Bench, stream: TxSequenceId | None) -> None:
    desk = Desk(bench)
    desk.create("mine")
    chosen = r"HOST1\private$\mine"
    for path in (chosen, r"HOST1\private$\missing", "no path at all", ""):
        desk.send(
            to=desk.outgoing(),
            negative_journaling_requested=True,
            application_deadletter_queue=path,
            time_to_be_received=10,
            acknowledgements_requested=WISH(0xA),
            transactional_message_sequence_identifier=stream,
        )
    desk.send(to=desk.outgoing(), application_deadletter_queue=chosen)
    desk.delete(desk.outgoing(), 0xC002)
    desk.done()
    assert desk.copies() == {"dead" if stream is None else "deadxact": 3}
    # It is not overdue again, and to take it out is not to receive it.
    desk.manager.expire(after(100))
    assert desk.receive("mine").body == b"three of them"
    desk.done()
    assert desk.inside("mine") == []
    assert desk.heard() == []


# ---- reports


@pytest.mark.spec("QB-3.1.5.8.9-1", "QB-3.1.5.8.9-2")
@pytest.mark.parametrize(("enabled", "traced"), [(True, True), (True, False), (False, True)])
def test_a_traced_message_is_reported_where_that_is_on(bench: Bench, enabled: bool, traced: bool) -> None:
    desk = Desk(bench, Policy(reports=enabled))
    template = Queue(pathname=parse_path_name(r".\reports"), queue_type=QueueType.PUBLIC)
    made = desk.manager.create_queue(template, NOW, skip_directory=True).queue
    assert made is not None
    desk.send(tracing_requested=traced, tracing_queue_identifier=made.identifier, delivery_guarantee=DeliveryGuarantee.RECOVERABLE)
    desk.send(tracing_requested=True, tracing_queue_identifier=ELSEWHERE)  # nobody knows such a queue
    source = str(desk.manager.local.identifier).upper()
    desk.outcomes.settle(NOW)
    reports = desk.inside(made)
    assert len(reports) == (enabled and traced)
    for report in reports:
        assert report.message_class == 0x0001
        assert report.delivery_guarantee is DeliveryGuarantee.EXPRESS
        assert report.label == f"{source[:4]}:000008EE:00 received by {source} at 12:00 PM Fri,May 17 24"
        told = "<MESSAGE ID>000008EE</MESSAGE ID>\r\n<TARGET QUEUE>DIRECT=OS:HOST1\\private$\\orders</TARGET QUEUE>\r\n"
        assert report.body.decode("utf-16-le") == told


def test_the_quota_of_the_computer_bounds_the_journal_of_what_it_sent(bench: Bench) -> None:
    desk = Desk(bench)
    desk.manager.assign(desk.manager.local, journal_quota=1)
    desk.manager.save_manager()
    for _ in range(5):
        desk.send(positive_journaling_requested=True)
    desk.done()
    # Of 300 octets each, three fit into a kilobyte.
    assert (len(desk.inside("orders")), desk.copies()) == (5, {"journal": 3})
