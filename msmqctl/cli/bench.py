"""`msmqctl bench`: rates and percentiles, measured here and now."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from msmqctl.cli.group import Group
from msmqctl.cli.render import Columns
from msmqctl.cli.session import session
from msmqctl.ops import bench as measuring

app = typer.Typer(cls=Group, add_completion=False)

FIGURE = Columns(measuring.Figure)
DEFAULT = measuring.Load()


@app.callback()
def bench() -> None:
    """Measure how fast messages are stored and read on this computer."""


@app.command()
def store(
    ctx: typer.Context,
    seconds: Annotated[float, typer.Option(metavar="S", min=0.01, max=3600, help="How long to measure each thing in a round.")] = 0.5,
    count: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=10_000_000, help="Do each thing so many times in a round, however long it takes.")
    ] = None,
    threads: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="How many threads send at the same time.")] = DEFAULT.threads,
    rounds: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="How often to measure everything, in turn.")] = DEFAULT.rounds,
    body_size: Annotated[
        int, typer.Option(metavar="BYTES", min=0, max=4_000_000, help="How long the body of each message is.")
    ] = DEFAULT.body_size,
    folder: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Where to make the throw-away store: its disk is what is measured.")
    ] = None,
) -> None:
    """Measure a throw-away store beside bare SQLite: durable and express sends, receives, peeks.

    Every send is a message of its own in a commit of its own. A durable one is answered when the disk has it, an express one when the
    file has it. The ratio compares with another line of the same round: the flushed insert waits for the disk as a durable send does,
    the other insert does not, as an express send does not; many threads are compared with one. The store of --store is not touched.

    Examples:
      msmqctl bench store --count 20 --rounds 1 --threads 4
      msmqctl bench store --count 20 --rounds 1 --folder . -o json
      msmqctl bench store --seconds 0.01 --rounds 1 --columns name,ratio
    """
    load = measuring.Load(rounds=rounds, seconds=seconds, count=count, threads=threads, body_size=body_size)
    with session(ctx) as s:
        with s.progress("measuring", rounds * measuring.STEPS) as stepped:
            figures = measuring.store(folder, load, stepped)
        s.render(figures, columns=FIGURE)
