"""A command that only has commands below it: the program, and each noun with verbs."""

from __future__ import annotations

from typer.core import TyperGroup

from msmqctl.cli.vendored_click import Context


class Group(TyperGroup):
    """Named alone, it shows its help, as `gh` does; that is no mistake, so the exit code is 0."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args or ([] if ctx.resilient_parsing else ["--help"]))
