"""Filters and sort orders of directory reads, and the directory that is not there."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmqctl.qm.directory_joint import (
    NO_DIRECTORY,
    OBJECT_TYPES,
    Change,
    Condition,
    DirectoryTimer,
    Operator,
    SortOrder,
    identified_by,
    in_order,
    object_type,
    satisfies,
)
from msmqctl.qm.directory_model import QueueManager, RoutingLink, Site
from msmqctl.qm.element import DirectoryObject
from msmqctl.qm.model import DirectoryOperationResult, OutgoingQueue, Queue, QueueType
from msmqctl.wire.names import DistributionListName, parse_format_name
from tests.qm.dictionary_directory import NOT_CONNECTED


def link(cost: int, description: str = "") -> RoutingLink:
    return RoutingLink(actual_cost=cost, site1_identifier=UUID(int=1), site2_identifier=UUID(int=2), description=description)


@pytest.mark.spec("DM-3.1.7.1.20-3")
@pytest.mark.parametrize(
    ("operator", "word", "holds_for"),
    [
        (Operator.EQUALS, "EQUALS", {20}),
        (Operator.NOT_EQUALS, "NOT-EQUALS", {10, 30}),
        (Operator.LESS_THAN, "LESS-THAN", {10}),
        (Operator.GREATER_THAN, "GREATER-THAN", {30}),
        (Operator.LESS_THAN_OR_EQUAL, "LESS-THAN-OR-EQUAL", {10, 20}),
        (Operator.GREATER_THAN_OR_EQUAL, "GREATER-THAN-OR-EQUAL", {20, 30}),
    ],
)
def test_the_attribute_is_the_left_side_of_each_comparison(operator: Operator, word: str, holds_for: set[int]) -> None:
    assert operator == word
    condition = Condition("actual_cost", operator, 20)
    assert {cost for cost in (10, 20, 30) if condition.holds_for(link(cost))} == holds_for


def test_there_are_six_operators() -> None:
    assert len(Operator) == 6


@pytest.mark.spec("DM-3.1.7.1.20-2")
def test_all_conditions_of_a_filter_have_to_hold() -> None:
    both = (Condition("actual_cost", Operator.GREATER_THAN, 5), Condition("description", Operator.EQUALS, "dial-up"))
    assert satisfies(link(6, "dial-up"), both)
    assert not satisfies(link(5, "dial-up"), both)
    assert not satisfies(link(6, "fibre"), both)
    assert satisfies(link(6), None)


def test_text_compares_without_case() -> None:
    manager = QueueManager(computer_name="Host")
    assert satisfies(manager, (Condition("computer_name", Operator.EQUALS, "HOST"),))
    assert not satisfies(manager, (Condition("computer_name", Operator.NOT_EQUALS, "hOST"),))


@pytest.mark.parametrize("operator", [one for one in Operator if one not in (Operator.EQUALS, Operator.NOT_EQUALS)])
def test_what_has_no_value_is_neither_less_nor_greater(operator: Operator) -> None:
    queue = Queue(queue_type=QueueType.PUBLIC)
    assert not satisfies(queue, (Condition("multicast_address", operator, parse_format_name("MULTICAST=234.1.1.1:80")),))


def test_one_identifier_is_one_condition() -> None:
    assert satisfies(Site(identifier=UUID(int=7)), identified_by(UUID(int=7)))
    assert not satisfies(Site(identifier=UUID(int=8)), identified_by(UUID(int=7)))


@pytest.mark.spec("DM-3.1.7.1.20-1")
def test_types_go_by_their_names() -> None:
    assert sorted(OBJECT_TYPES) == ["ConnectedNetwork", "Enterprise", "Queue", "QueueManager", "RoutingLink", "Site", "User"]
    assert object_type("Queue") is Queue
    assert object_type("QueueManager") is QueueManager


@pytest.mark.parametrize("name", ["OutgoingQueue", "queue", "", "Message"])
def test_other_names_are_no_types(name: str) -> None:
    assert issubclass(OutgoingQueue, Queue)
    with pytest.raises(ValueError, match="the directory holds no"):
        object_type(name)


@pytest.mark.spec("DM-3.1.7.1.21-2")
def test_the_highest_sort_priority_decides_first_and_zero_decides_nothing() -> None:
    attributes = ("actual_cost", "description", "full_path")
    links = [link(1, "b"), link(2, "a"), link(1, "a"), link(2, "b")]
    for place, one in enumerate(links):
        one.full_path = "zyxw"[place]

    def sorted_by(*orders: SortOrder) -> list[tuple[int, str]]:
        return [(one.actual_cost, one.description) for one in in_order(links, attributes, orders) if isinstance(one, RoutingLink)]

    ignored = SortOrder(0)
    assert sorted_by(SortOrder(2), SortOrder(1), ignored) == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]
    assert sorted_by(SortOrder(1), SortOrder(2), ignored) == [(1, "a"), (2, "a"), (1, "b"), (2, "b")]
    assert sorted_by(SortOrder(2, ascending=False), SortOrder(1), ignored) == [(2, "a"), (2, "b"), (1, "a"), (1, "b")]
    assert sorted_by(ignored, ignored, ignored) == [(1, "b"), (2, "a"), (1, "a"), (2, "b")]


def test_orders_and_attributes_go_in_pairs() -> None:
    with pytest.raises(ValueError, match="shorter"):
        in_order([], ("actual_cost", "description"), (SortOrder(1),))


@given(st.lists(st.tuples(st.integers(1, 4), st.sampled_from("abc")), max_size=12), st.booleans(), st.booleans())
def test_sorting_agrees_with_sorting_by_one_key(rows: list[tuple[int, str]], first_up: bool, second_up: bool) -> None:
    links: list[DirectoryObject] = [link(cost, text) for cost, text in rows]
    orders = (SortOrder(9, ascending=first_up), SortOrder(3, ascending=second_up))
    found = [
        (one.actual_cost, one.description) for one in in_order(links, ("actual_cost", "description"), orders) if type(one) is RoutingLink
    ]
    assert found == sorted(rows, key=lambda row: (row[0] if first_up else -row[0], ord(row[1]) if second_up else -ord(row[1])))


def test_without_a_directory_nothing_is_connected() -> None:
    site = Site()
    answers = [
        NO_DIRECTORY.create(site, ()).status,
        NO_DIRECTORY.delete(site),
        NO_DIRECTORY.read(Site, None, None).status,
        NO_DIRECTORY.read_begin(Site, None, None, ()).status,
        NO_DIRECTORY.read_next(1).status,
        NO_DIRECTORY.read_end(1),
        NO_DIRECTORY.write(site, ()),
        NO_DIRECTORY.resolve_distribution_list(DistributionListName(UUID(int=1))).status,
    ]
    assert set(answers) == {NOT_CONNECTED}
    assert NOT_CONNECTED is DirectoryOperationResult.DIRECTORY_NOT_CONNECTED
    assert NO_DIRECTORY.object_sid("host") is None
    NO_DIRECTORY.notify(Change.QUEUE_UPDATE, site)


def test_three_timers_belong_to_the_directory() -> None:
    assert len(DirectoryTimer) == 3
