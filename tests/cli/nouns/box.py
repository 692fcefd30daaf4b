"""A noun with verbs: one reads, one destroys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import typer

from msmqctl.cli.group import Group
from msmqctl.cli.options import changes
from msmqctl.cli.render import Columns
from msmqctl.cli.session import session

app = typer.Typer(cls=Group, add_completion=False)


@dataclass(frozen=True)
class Thing:
    """One thing in the box."""

    name: str
    size: int


THING = Columns(Thing)
THINGS: list[Thing] = []


@app.callback()
def box() -> None:
    """A noun with verbs."""


@app.command("list")
def list_things(ctx: typer.Context) -> None:
    """List the things in the box."""
    with session(ctx) as s:
        s.render(iter(THINGS), columns=THING)


@app.command()
@changes
def empty(ctx: typer.Context) -> None:
    """Throw away the things in the box."""
    with session(ctx) as s:
        if s.proceed("throw away all things"):
            THINGS.clear()
            s.note("the box is empty.")


@app.command()
def follow(ctx: typer.Context) -> None:
    """List things without an end."""

    def endless() -> Iterator[Thing]:
        size = 0
        while True:
            yield Thing("thing", size)
            size += 1

    with session(ctx) as s:
        s.render(endless(), columns=THING)
