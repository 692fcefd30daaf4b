"""The local queue manager, wherever it lives at the moment: in the store that this process opens, or in the server that owns it.

with local_manager(store) as ask:
    for row in ask(messages.peek, "orders", count=10):
        ...

`ask` runs a journey, a function of this room that takes a `Desk` first, and gives what it gives. Nothing else differs.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from msmqctl import __version__
from msmqctl.errors import TransportError
from msmqctl.ops.owning import own
from msmqctl.qm.host import Desk
from msmqctl.qm.link_address import Address
from msmqctl.qm.store import StoreBusyError

P = ParamSpec("P")
Answer = TypeVar("Answer")

# A command waits five seconds for another one to let go of the store, and looks now and then whether that one is a server.
GLANCES = 20
GLANCE_SECONDS = 0.25


class Ask(Protocol):
    """Runs a journey."""

    def __call__(self, journey: Callable[Concatenate[Desk, P], Answer], *given: P.args, **named: P.kwargs) -> Answer:
        """What `journey` gives for a desk of the queue manager and these arguments."""


@contextmanager
def local_manager(store: Path) -> Iterator[Ask]:
    """Whatever runs journeys on the queue manager of the file `store`, which is made on first use."""
    with ExitStack() as stack:
        ask = _server_of(store) or _owner_or_server(store, stack)

        def ask_and_end(journey: Callable[Concatenate[Desk, P], Answer], *given: P.args, **named: P.kwargs) -> Answer:
            answer = ask(journey, *given, **named)
            # A stream that was not followed to its end is ended before its queue manager is.
            if isinstance(answer, Generator):
                stack.callback(answer.close)
            return answer

        yield ask_and_end


def _owner_or_server(store: Path, stack: ExitStack) -> Ask:
    """Own the store as soon as it is free, unless its owner turns out to be a server."""
    for _ in range(GLANCES):
        with suppress(StoreBusyError):
            return partial(_run, stack.enter_context(own(store, patience=GLANCE_SECONDS)))
        if (server := _server_of(store)) is not None:
            return server
    return partial(_run, stack.enter_context(own(store, patience=0)))


def _run(desk: Desk, journey: Callable[Concatenate[Desk, P], Answer], *given: P.args, **named: P.kwargs) -> Answer:
    return journey(desk, *given, **named)


def _server_of(store: Path) -> Ask | None:
    """The server that owns the store, if there is one that answers."""
    address = Address.read(store)
    if address is None:
        return None
    from msmqctl.ops.visiting import answers, visitor

    if not answers(address):
        return None
    if address.version != __version__:
        problem = f"{store}: its server runs msmqctl {address.version}, and this is {__version__}."
        raise TransportError(problem, peer=f"server of {store}", hint="restart the server, or use the msmqctl that it runs.")
    return visitor(address, peer=f"server of {store}")
