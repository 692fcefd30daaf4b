"""A single command that raises whatever the test puts into `NEXT`."""

from __future__ import annotations

import typer

app = typer.Typer(add_completion=False)

NEXT: list[BaseException] = []


@app.command()
def fail() -> None:
    """Raise what it is told to raise."""
    raise NEXT.pop()
