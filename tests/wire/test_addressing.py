"""Names in packets: the code and value of each queue of a message, and the names that come back."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.errors import DecodeError, StatusError
from msmqctl.wire.addressing import PacketValue, QueueReference, Role, name_from_packet, packet_reference, queue_manager_address
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.names import DirectName, FormatName, PrivateName, PublicName, parse_direct, parse_format_name
from msmqctl.wire.record import NULL_GUID
from msmqctl.wire.status import HResult
from msmqctl.wire.values import QueueCode

SOURCE, TARGET, ADMIN, OTHER, RECEIVER = (UUID(int=number) for number in range(1, 6))
QUEUE = PublicName(UUID(int=99))
DIRECT = parse_direct(r"OS:host\private$\q")
ADMIN_QUEUE = PrivateName(ADMIN, 7)


@pytest.mark.spec("MQ-2.2.19.2-21")
@pytest.mark.parametrize(
    ("name", "role", "admin", "code", "value"),
    [
        (None, Role.ADMIN, None, 0, None),
        (QUEUE, Role.DESTINATION, None, 5, QUEUE.guid),
        (QUEUE, Role.ADMIN, None, 5, QUEUE.guid),
        (QUEUE, Role.RESPONSE, QUEUE, 5, QUEUE.guid),
        (DIRECT, Role.DESTINATION, None, 7, r"OS:host\private$\q"),
        (DIRECT, Role.ADMIN, None, 7, r"OS:host\private$\q"),
        (DIRECT, Role.RESPONSE, DIRECT, 7, r"OS:host\private$\q"),
        (PrivateName(TARGET, 13), Role.DESTINATION, None, 3, 13),
        (PrivateName(SOURCE, 13), Role.ADMIN, None, 2, 13),
        (PrivateName(TARGET, 13), Role.ADMIN, None, 3, 13),
        (PrivateName(OTHER, 13), Role.ADMIN, None, 6, ObjectId(OTHER, 13)),
        (PrivateName(ADMIN, 7), Role.RESPONSE, ADMIN_QUEUE, 1, None),
        (PrivateName(SOURCE, 13), Role.RESPONSE, ADMIN_QUEUE, 2, 13),
        (PrivateName(TARGET, 13), Role.RESPONSE, ADMIN_QUEUE, 3, 13),
        (PrivateName(ADMIN, 13), Role.RESPONSE, ADMIN_QUEUE, 4, 13),
        (PrivateName(ADMIN, 13), Role.RESPONSE, QUEUE, 6, ObjectId(ADMIN, 13)),
        (PrivateName(OTHER, 13), Role.RESPONSE, ADMIN_QUEUE, 6, ObjectId(OTHER, 13)),
    ],
)
def test_the_table_forwards_and_backwards(
    name: FormatName | None, role: Role, admin: FormatName | None, code: int, value: PacketValue
) -> None:
    reference = packet_reference(name, role, source=SOURCE, destination=TARGET, admin=admin)
    assert reference == (code, value)
    assert name_from_packet(reference, role, source=SOURCE, destination=TARGET, receiver=RECEIVER, admin=admin) == name


@pytest.mark.spec("MQ-2.2.19.2-20")
def test_of_several_codes_the_first_is_taken() -> None:
    here = PrivateName(SOURCE, 13)
    assert packet_reference(here, Role.ADMIN, source=SOURCE, destination=SOURCE).code == QueueCode.PRIVATE_ON_SOURCE
    assert packet_reference(here, Role.RESPONSE, source=SOURCE, destination=SOURCE, admin=PrivateName(SOURCE, 1)).code == 2
    there = PrivateName(TARGET, 13)
    assert packet_reference(there, Role.RESPONSE, source=SOURCE, destination=TARGET, admin=PrivateName(TARGET, 1)).code == 3
    assert packet_reference(there, Role.RESPONSE, source=SOURCE, destination=None, admin=PrivateName(TARGET, 1)).code == 4
    assert packet_reference(here, Role.RESPONSE, source=SOURCE, destination=TARGET, admin=here).code == 1


@pytest.mark.spec("MQ-2.2.19.2-21")
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("destination", [None, NULL_GUID])
def test_on_the_destination_without_an_address_is_where_the_packet_arrived(role: Role, destination: UUID | None) -> None:
    reference = QueueReference(QueueCode.PRIVATE_ON_DESTINATION, 13)
    found = name_from_packet(reference, role, source=SOURCE, destination=destination, receiver=RECEIVER)
    assert found == PrivateName(RECEIVER, 13)
    assert name_from_packet(reference, role, source=SOURCE, destination=TARGET, receiver=RECEIVER) == PrivateName(TARGET, 13)


def test_the_null_guid_is_no_host_that_a_short_code_means() -> None:
    assert packet_reference(PrivateName(NULL_GUID, 1), Role.ADMIN, source=SOURCE, destination=NULL_GUID).code == 6


@pytest.mark.spec("MQ-2.2.19.2-2")
def test_the_address_of_the_destination_queue_manager() -> None:
    assert queue_manager_address(PrivateName(TARGET, 1)) == TARGET
    assert queue_manager_address(QUEUE, OTHER) == OTHER
    assert queue_manager_address(DIRECT) == NULL_GUID
    assert queue_manager_address(DIRECT, OTHER) == NULL_GUID
    with pytest.raises(ValueError, match="must be given"):
        queue_manager_address(QUEUE)


@pytest.mark.parametrize(
    "text",
    [
        f"DL={OTHER}",
        rf"PUBLIC={OTHER},DIRECT=OS:h\q",
        "MULTICAST=239.1.2.3:1",
        f"MACHINE={OTHER};DEADLETTER",
        f"CONNECTOR={OTHER}",
        f"PUBLIC={OTHER};JOURNAL",
        rf"PRIVATE={OTHER}\1;JOURNAL",
        r"DIRECT=OS:h\q;sub",
        r"DIRECT=OS:h\SYSTEM$;JOURNAL",
    ],
)
@pytest.mark.parametrize("role", Role)
def test_what_no_packet_can_name(text: str, role: Role) -> None:
    name = parse_format_name(text)
    with pytest.raises(StatusError) as caught:
        packet_reference(name, role, source=SOURCE)
    assert caught.value.status == HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION
    with pytest.raises(StatusError):
        queue_manager_address(name, OTHER)


@pytest.mark.spec("MQ-2.2.19.2-3")
@pytest.mark.parametrize(
    ("role", "codes"), [(Role.DESTINATION, {0, 3, 5, 7}), (Role.ADMIN, {0, 2, 3, 5, 6, 7}), (Role.RESPONSE, {0, 1, 2, 3, 4, 5, 6, 7})]
)
def test_which_codes_a_field_may_have(role: Role, codes: set[int]) -> None:
    values: list[PacketValue] = [None, None, 1, 1, 1, OTHER, ObjectId(OTHER, 1), r"OS:h\q"]
    for number in range(9):
        reference = QueueReference(QueueCode(number), values[number % 8])
        if number in codes:
            name_from_packet(reference, role, source=SOURCE, destination=TARGET, receiver=RECEIVER, admin=ADMIN_QUEUE)
        else:
            with pytest.raises(DecodeError, match=f"UserHeader.{role.value}"):
                name_from_packet(reference, role, source=SOURCE, destination=TARGET, receiver=RECEIVER, admin=ADMIN_QUEUE)


@pytest.mark.spec("MQ-2.2.19.2-9")
def test_a_response_queue_beside_the_admin_queue() -> None:
    same, beside = QueueReference(QueueCode.SAME_AS_ADMIN, None), QueueReference(QueueCode.PRIVATE_ON_ADMIN_HOST, 13)

    def response(reference: QueueReference, admin: FormatName | None, admin_host: UUID | None = None) -> FormatName | None:
        return name_from_packet(
            reference, Role.RESPONSE, source=SOURCE, destination=TARGET, receiver=RECEIVER, admin=admin, admin_host=admin_host
        )

    assert response(same, ADMIN_QUEUE) == ADMIN_QUEUE
    assert response(same, QUEUE) == QUEUE
    assert response(same, None) is None
    assert response(beside, ADMIN_QUEUE) == PrivateName(ADMIN, 13)
    assert response(beside, QUEUE, OTHER) == PrivateName(OTHER, 13)
    with pytest.raises(DecodeError, match="not known"):
        response(beside, QUEUE)


@pytest.mark.spec("MQ-2.2.18.1.5.2-3")
def test_a_direct_name_travels_without_its_prefix_and_is_taken_with_it() -> None:
    assert packet_reference(DIRECT, Role.DESTINATION, source=SOURCE).value == r"OS:host\private$\q"
    for text in (r"OS:host\private$\q", r"DIRECT=OS:host\private$\q", r"direct=OS:host\private$\q"):
        reference = QueueReference(QueueCode.DIRECT, text)
        assert name_from_packet(reference, Role.DESTINATION, source=SOURCE, destination=None, receiver=RECEIVER) == DIRECT


def test_a_value_that_does_not_fit_its_code_is_our_mistake() -> None:
    with pytest.raises(TypeError, match="does not go with"):
        name_from_packet(QueueReference(QueueCode.PUBLIC, 1), Role.ADMIN, source=SOURCE, destination=None, receiver=RECEIVER)


@given(st.text())
def test_any_text_in_a_packet_is_a_name_or_a_decode_error(text: str) -> None:
    try:
        found = name_from_packet(
            QueueReference(QueueCode.DIRECT, text), Role.DESTINATION, source=SOURCE, destination=None, receiver=RECEIVER
        )
    except DecodeError:
        return
    assert isinstance(found, DirectName)


LINEAGES = st.sampled_from([SOURCE, TARGET, ADMIN, OTHER])
NAMES = (
    st.none()
    | st.just(DIRECT)
    | st.builds(PublicName, LINEAGES)
    | st.builds(PrivateName, LINEAGES, st.integers(0, 0xFFFFFFFF) | st.just(7))
)


@given(NAMES, NAMES)
def test_admin_and_response_round_trip(admin: FormatName | None, response: FormatName | None) -> None:
    made = packet_reference(admin, Role.ADMIN, source=SOURCE, destination=TARGET)
    back = name_from_packet(made, Role.ADMIN, source=SOURCE, destination=TARGET, receiver=RECEIVER)
    assert back == admin
    made = packet_reference(response, Role.RESPONSE, source=SOURCE, destination=TARGET, admin=admin)
    assert name_from_packet(made, Role.RESPONSE, source=SOURCE, destination=TARGET, receiver=RECEIVER, admin=back) == response
