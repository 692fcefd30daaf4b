"""A directory that is a dictionary: it stands at the joint, remembers what it was asked, and can be unplugged."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from itertools import count
from uuid import UUID

from msmqctl.qm.directory_joint import Change, Created, Directory, Filter, Found, Members, Query, SortOrder, in_order, satisfies
from msmqctl.qm.element import DirectoryObject, directory_attributes
from msmqctl.qm.model import DirectoryOperationResult
from msmqctl.wire.names import DistributionListName

SUCCESS = DirectoryOperationResult.SUCCESS
NOT_CONNECTED = DirectoryOperationResult.DIRECTORY_NOT_CONNECTED
FIRST_IDENTIFIER = 0xD000


class DictionaryDirectory:
    """Objects by identifier. `asked` is everything that crossed the joint, in order: a verb and what it was about."""

    def __init__(self, *objects: DirectoryObject) -> None:
        self.objects: dict[UUID, DirectoryObject] = {one.identifier: one for one in objects}
        self.asked: list[tuple[object, ...]] = []
        # What every call is answered with instead of being done.
        self.refusal: DirectoryOperationResult | None = None
        # Attributes that have no value in this directory.
        self.absent: frozenset[str] = frozenset()
        self._identifiers = count(FIRST_IDENTIFIER)
        self._handles = count(1)
        self._queries: dict[int, list[Found]] = {}

    def joint(self, legacy: Directory | None = None) -> Directory:
        return Directory(
            create=self._create,
            delete=self._delete,
            read=self._read,
            read_begin=self._read_begin,
            read_next=self._read_next,
            read_end=self._read_end,
            write=self._write,
            resolve_distribution_list=self._resolve,
            notify=self._notify,
            object_sid=lambda computer: None,
            legacy=legacy,
        )

    def verbs(self) -> list[object]:
        """What was done, without what it was done to."""
        return [one[0] for one in self.asked]

    def _create(self, one: DirectoryObject, names: tuple[str, ...]) -> Created:
        self.asked.append(("create", one, names))
        # An identifier comes with a refusal, too: whoever asks must not look at it.
        identifier = UUID(int=next(self._identifiers))
        if self.refusal is None:
            self.objects[identifier] = one
        return Created(self.refusal or SUCCESS, identifier)

    def _delete(self, one: DirectoryObject) -> DirectoryOperationResult:
        self.asked.append(("delete", one))
        return self.refusal or SUCCESS

    def _write(self, one: DirectoryObject, names: tuple[str, ...]) -> DirectoryOperationResult:
        self.asked.append(("write", one, names))
        return self.refusal or SUCCESS

    def _read(self, kind: type[DirectoryObject], conditions: Filter, names: tuple[str, ...] | None) -> Found:
        self.asked.append(("read", kind, conditions, names))
        matches = self._matches(kind, conditions)
        if self.refusal is not None:
            return Found(self.refusal, next(iter(self.objects.values()), None), frozenset({"identifier"}))
        return self._found(matches[0], names) if matches else Found(DirectoryOperationResult.OBJECT_NOT_FOUND)

    def _read_begin(
        self, kind: type[DirectoryObject], conditions: Filter, names: tuple[str, ...] | None, orders: Sequence[SortOrder]
    ) -> Query:
        self.asked.append(("read_begin", kind, conditions, names, orders))
        if self.refusal is not None:
            return Query(self.refusal, 99)
        handle = next(self._handles)
        ordered = in_order(self._matches(kind, conditions), (names or ())[: len(orders)], orders)
        self._queries[handle] = [self._found(one, names) for one in ordered]
        return Query(SUCCESS, handle)

    def _read_next(self, handle: int) -> Found:
        self.asked.append(("read_next", handle))
        if self.refusal is not None:
            return Found(self.refusal, next(iter(self.objects.values()), None))
        left = self._queries[handle]
        return left.pop(0) if left else Found(DirectoryOperationResult.END_OF_DATA)

    def _read_end(self, handle: int) -> DirectoryOperationResult:
        self.asked.append(("read_end", handle))
        known = self._queries.pop(handle, None) is not None
        return self.refusal or (SUCCESS if known else DirectoryOperationResult.GENERIC_ERROR)

    def _resolve(self, name: DistributionListName) -> Members:
        return Members(DirectoryOperationResult.OBJECT_NOT_FOUND)

    def _notify(self, change: Change, one: DirectoryObject) -> None:
        self.asked.append((change, one))

    def _matches(self, kind: type[DirectoryObject], conditions: Filter) -> list[DirectoryObject]:
        return [one for one in self.objects.values() if type(one) is kind and satisfies(one, conditions)]

    def _found(self, one: DirectoryObject, names: tuple[str, ...] | None) -> Found:
        read = frozenset(directory_attributes(type(one)) if names is None else names)
        return Found(SUCCESS, copy(one), read - self.absent)
