"""`msmqctl docs`: the generated files, written or checked, and worked examples."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from msmqctl.cli import completion, manual
from msmqctl.cli.ending import CommandLineError, Found
from msmqctl.cli.group import Group
from msmqctl.cli.options import changes
from msmqctl.cli.render import Columns, escape
from msmqctl.cli.session import Session, session
from msmqctl.errors import StoreError
from msmqctl.wire.dataclass import dataclass

app = typer.Typer(cls=Group, add_completion=False)

OnlyCheck = Annotated[bool, typer.Option("--check", help="Write nothing; exit 5 and name the files that are not up to date.")]


@dataclass(frozen=True, slots=True)
class Generated:
    """One generated file and what became of it: `written`, `fresh` or `stale`."""

    file: str
    state: str


@dataclass(frozen=True, slots=True)
class Cheat:
    """Worked examples for one noun, in Markdown."""

    noun: str
    text: str


@dataclass(frozen=True, slots=True)
class CheatRow:
    """One line of the list of cheats."""

    noun: str
    title: str


GENERATED = Columns(Generated)
CHEATS = Columns(CheatRow)


@app.callback()
def docs() -> None:
    """Write the manual pages and completions; show worked examples."""


@app.command()
@changes
def man(
    ctx: typer.Context,
    directory: Annotated[Path, typer.Option("--dir", metavar="PATH", help="The folder to write to.")] = Path("man"),
    check: OnlyCheck = False,
) -> None:
    """Write one manual page a noun, and the command reference in Markdown.

    Examples:
      msmqctl docs man
      msmqctl docs man --dir man --check
    """
    with session(ctx) as s:
        _generate(s, directory, manual.pages(), check=check)


@app.command()
@changes
def completions(
    ctx: typer.Context,
    directory: Annotated[Path, typer.Option("--dir", metavar="PATH", help="The folder to write to.")] = Path("completions"),
    check: OnlyCheck = False,
) -> None:
    """Write the completion scripts for bash, zsh, fish and PowerShell.

    Examples:
      msmqctl docs completions
      source completions/msmqctl.bash
      msmqctl docs completions --dir completions --check
    """
    with session(ctx) as s:
        _generate(s, directory, completion.SCRIPTS, check=check)


def _generate(s: Session, directory: Path, wanted: Mapping[str, str], *, check: bool) -> None:
    stale = [name for name, text in wanted.items() if _content(directory / name) != text]
    if check:
        s.render([Generated(str(directory / name), "stale" if name in stale else "fresh") for name in wanted], columns=GENERATED)
        if stale:
            raise Found(f"not up to date: {', '.join(stale)}.", hint="write them again without --check.")
        return
    if s.proceed(f"write {len(stale)} of {len(wanted)} files to {directory}", asks=False):
        for name in stale:
            _write(directory / name, wanted[name])
        s.render([Generated(str(directory / name), "written" if name in stale else "fresh") for name in wanted], columns=GENERATED)


def _content(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8", errors="replace")
    except OSError:
        return None


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    except OSError as error:
        hint = "give a folder that you can write to with --dir."
        raise StoreError(f"{path}: cannot be written ({error.strerror}).", path=str(path), hint=hint) from error


@app.command()
def cheat(
    ctx: typer.Context,
    noun: Annotated[str | None, typer.Argument(metavar="NOUN", help="Which noun; without it, which there are.")] = None,
) -> None:
    """Show worked examples for a noun.

    Examples:
      msmqctl docs cheat
      msmqctl docs cheat context
    """
    with session(ctx) as s:
        cheats = _cheats()
        if noun is None:
            s.render([CheatRow(name, text.partition("\n")[0].removeprefix("# ")) for name, text in cheats.items()], columns=CHEATS)
        elif noun in cheats:
            s.show(Cheat(noun, cheats[noun]), text=cheats[noun])
        else:
            raise CommandLineError(f"there are no worked examples for {escape(noun)!r}.", hint=f"there are some for {', '.join(cheats)}.")


def _cheats() -> dict[str, str]:
    folder = files("msmqctl.cli").joinpath("cheats")
    found = {item.name.removesuffix(".md"): item for item in folder.iterdir() if item.name.endswith(".md")}
    return {name: found[name].read_text(encoding="utf-8") for name in sorted(found)}
