"""What the rules about queues ask of the directory: single objects, computers and lists. [MS-MQDMPR] 3.1.7.1.3, 3.1.7.1.5, 3.1.7.3.8"""

from __future__ import annotations

from uuid import UUID

from msmqctl.qm.directory_events import DirectoryEvents
from msmqctl.qm.directory_joint import identified_by
from msmqctl.qm.directory_model import QueueManager
from msmqctl.qm.model import DirectoryOperationResult, Queue
from msmqctl.wire.names import DistributionListName, ElementName
from msmqctl.wire.sid import Sid


class QueueDirectory(DirectoryEvents):
    """Queues, queue managers, computers and lists, as the directory has them; None for what cannot be found there."""

    def _queue_in_directory(self, identifier: UUID) -> Queue | None:
        found = self.read_directory("Queue", identified_by(identifier)).directory_object
        return found if isinstance(found, Queue) else None

    def _manager_in_directory(self, identifier: UUID) -> QueueManager | None:
        found = self.read_directory("QueueManager", identified_by(identifier)).directory_object
        return found if isinstance(found, QueueManager) else None

    def _members_of(self, name: DistributionListName) -> tuple[ElementName, ...] | None:
        """The names in a distribution list. [MS-MQDSSM] 3.1.6.9"""
        if not self.local.directory_integrated:
            return None
        members = self.directory.resolve_distribution_list(name)
        return members.names if members.status is DirectoryOperationResult.SUCCESS else None

    def _sid_of_computer(self, computer: str) -> Sid | None:
        """The SID of a computer's account. [MS-MQDMPR] 3.1.7.1.3.1"""
        return self.directory.object_sid(computer) if self.local.directory_integrated else None
