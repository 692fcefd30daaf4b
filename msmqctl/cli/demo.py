"""`msmqctl demo`: the tour, every step of it a real command."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from msmqctl.cli.app import run
from msmqctl.cli.ending import CommandLineError
from msmqctl.cli.place import cache_folder
from msmqctl.cli.render import Columns
from msmqctl.cli.session import Session, session
from msmqctl.ops import demo as shop

app = typer.Typer(add_completion=False)

COUNTED = Columns(shop.Counted)
MESSAGES = 1000


@app.command()
def demo(
    ctx: typer.Context,
    with_spark: Annotated[bool, typer.Option("--spark/--no-spark", help="End with a job on Spark, if it is installed.")] = True,
) -> None:
    """Show what msmqctl can do, on data it makes and throws away.

    Examples:
      msmqctl demo --no-spark
    """
    with session(ctx) as s, TemporaryDirectory(prefix="msmqctl-demo-") as folder:
        capture, torn = Path(folder) / "session.bin", Path(folder) / "torn.bin"
        capture.write_bytes(shop.session_octets())
        torn.write_bytes(shop.order(5).pack()[:260])
        say = _teller(s)
        say("A shop sends orders to a warehouse, and one came back. What was on the wire?")
        _step(s, "decode", str(capture))
        say("Its class is a refusal. What does it mean, and what helps?")
        _step(s, "explain", "0x8004")
        say("Where do the orders go, and how else is that queue written?")
        _step(s, "resolve", "DIRECT=OS:warehouse\\private$\\orders")
        say("A packet that was cut off is shown up to the fault:")
        _step(s, "decode", str(torn), expect=65)
        say("A queue of its own, on a store that is thrown away afterwards; each step is a process's worth of work:")
        store = ("--store", str(Path(folder) / "store.db"))
        _step(s, "queue", "create", "orders", "--journal", "--label", "Orders of the shop", *store)
        _step(s, "message", "send", "orders", "--body", "two pallets of tea", "--label", "order 4711", "--recoverable", *store)
        _step(s, "message", "receive", "orders", *store)
        _step(s, "message", "peek", "orders;journal", *store)
        say("A transaction: three entries of a ledger, or none. Without one the queue refuses:")
        _step(s, "queue", "create", "ledger", "--transactional", *store)
        _step(s, "message", "send", "ledger", "--body", "tea: 40", "--count", "3", "--transactional", *store)
        _step(s, "message", "send", "ledger", "--body", "coffee: 12", *store, expect=76)
        _step(s, "message", "receive", "ledger", "--count", "3", "--transactional", *store)
        say("The sender hears that an order arrived; one that nobody read in time is a dead letter:")
        _step(s, "queue", "create", "acks", *store)
        _step(s, "message", "send", "orders", "--body", "one crate", "--ack", "full-arrival", "--admin-queue", "acks", *store)
        _step(s, "message", "peek", "acks", "--columns", "class_name,correlation", *store)
        _step(s, "message", "send", "orders", "--label", "too late", "--ttbr", "0", "--dead-letter", *store)
        _step(s, "message", "peek", ".\\SYSTEM$;DEADLETTER", "--columns", "label,ttbr,destination_queue", *store)
        say("What goes to another computer waits in an outgoing queue until it can be delivered:")
        _step(s, "message", "send", "DIRECT=OS:warehouse\\private$\\orders", "--body", "two pallets", "--label", "order 4712", *store)
        _step(s, "outgoing", "list", *store)
        _step(s, "qm", "show", "--columns", "connected,queues,outgoing_queues,messages,dead_letters", *store)
        _step(s, "queue", "list", *store)
        if not with_spark:
            return
        if not shop.can_count():
            s.note("Spark is not installed: with the spark extra the tour ends with a job on it.")
            return
        say(f"And over many: {MESSAGES} orders and what came back for them, decoded and counted on Spark (it takes a moment to start):")
        with s.progress("Spark"):
            counted = shop.count_by_class(list(shop.traffic(MESSAGES)), cache_folder())
        s.render(counted, columns=COUNTED)


def _teller(s: Session) -> Callable[[str], None]:
    """Speaks between the steps, an empty line before each but the first."""
    spoken = False

    def say(text: str) -> None:
        nonlocal spoken
        if spoken:
            s.note("")
        spoken = True
        s.note(text)

    return say


def _step(s: Session, *words: str, expect: int = 0) -> None:
    """Run a command as if it had been typed; a tour that cannot be gone is a fault of ours."""
    s.note(f"$ msmqctl {' '.join(shlex.quote(Path(word).name if '/' in word else word) for word in words)}")
    sys.stderr.flush()
    code = run([*words, "--output", s.output.value])
    if code != expect:
        raise CommandLineError(f"the tour stopped: {words[0]} ended with {code}, not {expect}.")
