"""What a user calls a queue, or several: the format name that is meant, and whether it leads off this computer."""

from __future__ import annotations

from msmqctl.errors import StatusError
from msmqctl.ops.status import require
from msmqctl.qm.manager import QueueManager
from msmqctl.qm.model import QueueAccessType
from msmqctl.wire.names import (
    DirectName,
    ElementName,
    FormatName,
    MachineName,
    MultipleElementName,
    PathName,
    PrivateName,
    QueueName,
    direct_name,
    parse_name,
)
from msmqctl.wire.pathname import COMPUTER_QUEUES
from msmqctl.wire.status import HResult


def format_name(manager: QueueManager, text: str) -> FormatName:
    """The format name of what a user calls `text`; a dot becomes the name of this computer, because others read it too."""
    name = _parsed(text)
    if name is None:
        return _several_names(manager, text)
    if not isinstance(name, PathName):
        return name
    role = COMPUTER_QUEUES.get(name.queue.upper()) if name.system else None
    if role is not None and manager.computer.means(name.computer):
        return MachineName(manager.local.identifier, role)
    return direct_name(manager.computer.named(name))


def _parsed(text: str) -> QueueName | None:
    """The name; None when it is several and not all of them are format names. A path name may have a comma, but nobody means one."""
    try:
        name = parse_name(text)
    except StatusError:
        if "," not in text:
            raise
        return None
    return None if isinstance(name, PathName) and "," in text else name


def _several_names(manager: QueueManager, text: str) -> FormatName:
    """One name for several, where not all of them are format names already."""
    elements: dict[str, ElementName] = {}
    for part in text.split(","):
        element = format_name(manager, part.strip())
        if isinstance(element, MachineName | MultipleElementName):
            require(HResult.MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION, "send", part)
        else:
            elements.setdefault(element.key, element)
    return MultipleElementName(tuple(elements.values())) if len(elements) > 1 else next(iter(elements.values()))


def is_here(manager: QueueManager, name: FormatName) -> bool:
    """Whether the queue is on this computer, or would have to be."""
    match name:
        case DirectName():
            return not name.protocol.web and manager.computer.means(name.address)
        case PrivateName():
            return name.lineage == manager.local.identifier
    return not isinstance(name, MultipleElementName) and manager.find_queue(name, QueueAccessType.PEEK_ACCESS) is not None
