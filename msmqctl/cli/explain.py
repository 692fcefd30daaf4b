"""`msmqctl explain`: what a status, class or reason code means, why it happens, what to try."""

from __future__ import annotations

from typing import Annotated

import typer

from msmqctl.cli.ending import CommandLineError
from msmqctl.cli.render import Columns, Format
from msmqctl.cli.session import session
from msmqctl.ops import explain as codes

app = typer.Typer(add_completion=False)

EXPLANATION = Columns(codes.Explanation)


@app.command(context_settings={"ignore_unknown_options": True})
def explain(
    ctx: typer.Context,
    code: Annotated[str, typer.Argument(metavar="CODE", help="A number, hexadecimal or decimal, signed or not, or a name.")],
) -> None:
    """Explain a status, message class or connection status: name, causes, what to try.

    One number may mean several things; all are shown.

    Examples:
      msmqctl explain 0xC00E0027
      msmqctl explain -1072824281
      msmqctl explain MQ_ERROR_ACCESS_DENIED -o json
      msmqctl explain 0x8004
      msmqctl explain 0xC00EFFFF1  # exit 2
    """
    with session(ctx) as s:
        found = codes.explain(code)
        if not found:
            raise CommandLineError(f"no status, message class or reason is known as '{code}'.", hint=_hint(code))
        if s.output is not Format.TABLE or s.flags.columns is not None:
            s.render(found, columns=EXPLANATION)
            return
        for index, explanation in enumerate(found):
            if index:
                s.separate()
            s.show(explanation)


def _hint(code: str) -> str:
    near = codes.closest(code)
    if near:
        return f"did you mean {', '.join(near)}?"
    return "give a number such as 0xC00E0027 or -1072824281, or a name such as MQ_ERROR_ACCESS_DENIED."
