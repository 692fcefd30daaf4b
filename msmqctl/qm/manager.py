"""The queue manager: every rule of [MS-MQDMPR] 3.1.4 and 3.1.7 as a method, each subject in a module of its own.

queues             create, delete, open, close, purge; which queue a name denotes
sending            enqueue, move, flow control
reading            receive, peek, two-phase reads, lookup identifiers, cursors, waits
transactions       prepare, commit, abort; a coordinator's events
expiry, startup    what time and a restart bring about
directory_events   what is asked of the directory, and what is answered without it
dispatch           whose turn it is to be sent
administration     pause, resume, take offline, bring online
"""

from __future__ import annotations

from msmqctl.qm.administration import Administration
from msmqctl.qm.directory_events import DirectoryEvents
from msmqctl.qm.dispatch import Dispatch
from msmqctl.qm.expiry import Expiry
from msmqctl.qm.queues import Queues
from msmqctl.qm.reading import Reading
from msmqctl.qm.sending import Sending
from msmqctl.qm.startup import Startup
from msmqctl.qm.transactions import Transactions


class QueueManager(Queues, Sending, Reading, Transactions, Expiry, Startup, DirectoryEvents, Dispatch, Administration):
    """One queue manager over one store. Nothing here blocks, and time is an argument: the host brings threads and a clock."""
