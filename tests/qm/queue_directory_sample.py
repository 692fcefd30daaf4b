"""The directory of the computer host, as a dictionary: it answers with what the test put in, and notes what was asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

from msmqctl.qm.directory_joint import NO_DIRECTORY, Change, Created, Directory, Filter, Found, Members, satisfies
from msmqctl.qm.element import DirectoryObject, directory_attributes
from msmqctl.qm.model import DirectoryOperationResult
from msmqctl.wire.names import DistributionListName, ElementName, parse_format_name
from msmqctl.wire.sid import Sid

SUCCESS = DirectoryOperationResult.SUCCESS
# The identifier of whatever is created.
GIVEN = UUID("d1000000-0000-4000-8000-000000000001")


class QueueDirectorySample:
    """Objects, lists and SIDs. A function with an entry in `failing` answers that and does nothing."""

    def __init__(self) -> None:
        self.objects: dict[UUID, DirectoryObject] = {}
        self.lists: dict[str, tuple[str, ...]] = {}
        self.sids: dict[str, Sid] = {}
        self.failing: dict[str, DirectoryOperationResult] = {}
        self.asked: list[tuple[Any, ...]] = []
        self.after_read: Callable[[], object] = lambda: None

    def joint(self) -> Directory:
        return replace(
            NO_DIRECTORY,
            create=self._create,
            delete=self._delete,
            read=self._read,
            notify=self._notify,
            resolve_distribution_list=self._resolve,
            object_sid=self._sid,
        )

    def verbs(self) -> list[str]:
        """The functions that were called."""
        return [one[0] for one in self.asked]

    def _create(self, thing: DirectoryObject, attributes: tuple[str, ...]) -> Created:
        self.asked.append(("create", thing, attributes))
        failure = self.failing.get("create")
        return Created(SUCCESS, GIVEN) if failure is None else Created(failure)

    def _delete(self, thing: DirectoryObject) -> DirectoryOperationResult:
        self.asked.append(("delete", thing.identifier))
        return self.failing.get("delete", SUCCESS)

    def _read(self, kind: type[DirectoryObject], conditions: Filter, attributes: tuple[str, ...] | None) -> Found:
        self.asked.append(("read", kind.__name__, attributes))
        failure = self.failing.get("read")
        match = next((one for one in self.objects.values() if isinstance(one, kind) and satisfies(one, conditions)), None)
        self.after_read()
        if match is None or failure is not None:
            return Found(failure or DirectoryOperationResult.OBJECT_NOT_FOUND)
        return Found(SUCCESS, match, frozenset(directory_attributes(kind) if attributes is None else attributes))

    def _notify(self, change: Change, thing: DirectoryObject) -> None:
        self.asked.append(("notify", change, thing))

    def _resolve(self, name: DistributionListName) -> Members:
        self.asked.append(("resolve", str(name)))
        if str(name) not in self.lists:
            return Members(DirectoryOperationResult.OBJECT_NOT_FOUND)
        return Members(SUCCESS, tuple(map(_element, self.lists[str(name)])))

    def _sid(self, computer: str) -> Sid | None:
        self.asked.append(("sid", computer))
        return self.sids.get(computer)


def _element(text: str) -> ElementName:
    name: Any = parse_format_name(text)
    element: ElementName = name
    return element
