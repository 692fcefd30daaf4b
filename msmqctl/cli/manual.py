"""The manual pages (man(7) macros) and the command reference (Markdown), made from the command tree.

The same tree always gives the same text: no date of today, no version, no width of a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from inspect import cleandoc
from textwrap import wrap

from typer.core import TyperArgument, TyperGroup, TyperOption

from msmqctl.cli import config
from msmqctl.cli.app import EXIT_CODES, PROGRAM
from msmqctl.cli.nouns import NOUNS, Root
from msmqctl.cli.options import GLOBAL_OPTIONS, PANEL
from msmqctl.cli.settings import variable
from msmqctl.cli.vendored_click import Command, Context
from msmqctl.wire.dataclass import dataclass

# A manual page must carry a date, and a generated one must not change from day to day.
_DATE = "2026-01-01"

# Lines of running text are no longer, or mandoc's checker complains.
_LINE = 80


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument or an option: its names, how it is written with its value, and what it is for."""

    spellings: tuple[str, ...]
    written: str
    help: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One command as documentation sees it."""

    path: str
    usage: str
    summary: str
    paragraphs: tuple[str, ...]
    examples: tuple[str, ...]
    arguments: tuple[Parameter, ...]
    options: tuple[Parameter, ...]
    global_options: tuple[Parameter, ...]
    below: tuple[Entry, ...]

    def leaves(self) -> Iterator[Entry]:
        """The commands that do something: this one, or those below it."""
        if not self.below:
            yield self
        for entry in self.below:
            yield from entry.leaves()

    def own_parameters(self) -> tuple[Parameter, ...]:
        """The parameters that not every command has."""
        everywhere = {option.spellings for option in GLOBAL_OPTIONS} | {("-h", "--help")}
        return tuple(each for each in (*self.arguments, *self.options, *self.global_options) if each.spellings not in everywhere)


def split_help(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """A help text taken apart: its first paragraph, the other paragraphs, the commands of its `Examples:` block."""
    prose, _, block = text.partition("Examples:\n")
    paragraphs = [" ".join(paragraph.split()) for paragraph in prose.strip().split("\n\n") if paragraph.strip()]
    examples = tuple(line.strip() for line in block.splitlines() if line.strip())
    return (paragraphs[0] if paragraphs else ""), tuple(paragraphs[1:]), examples


def describe() -> Entry:
    """The whole tree, every noun loaded."""
    root = Root(NOUNS)
    ctx = Context(root, info_name=PROGRAM, help_option_names=["-h", "--help"])
    loaded = {name: root.load(name) for name in NOUNS}
    return _entry(root, ctx, loaded)


def _entry(command: Command, ctx: Context, below: Mapping[str, Command] | None = None) -> Entry:
    summary, paragraphs, examples = split_help(cleandoc(command.help or ""))
    if below is None:
        below = command.commands if isinstance(command, TyperGroup) else {}
    parameters = [parameter for parameter in command.get_params(ctx) if not getattr(parameter, "hidden", False)]
    options = [parameter for parameter in parameters if isinstance(parameter, TyperOption)]
    return Entry(
        path=ctx.command_path,
        usage=_usage(command, ctx),
        summary=summary,
        paragraphs=paragraphs,
        examples=examples,
        arguments=tuple(
            Parameter((), parameter.make_metavar(ctx), parameter.help or "")
            for parameter in parameters
            if isinstance(parameter, TyperArgument)
        ),
        options=tuple(_option(option, ctx) for option in options if option.rich_help_panel != PANEL),
        global_options=tuple(_option(option, ctx) for option in options if option.rich_help_panel == PANEL),
        below=tuple(_entry(each, Context(each, info_name=name, parent=ctx)) for name, each in below.items()),
    )


def _usage(command: Command, ctx: Context) -> str:
    """`NAME [OPTIONS]` and so on, without the program's own words before it."""
    return " ".join(command.collect_usage_pieces(ctx)).replace("{", "").replace("}", "")


def _option(option: TyperOption, ctx: Context) -> Parameter:
    spellings = tuple(sorted((*option.opts, *option.secondary_opts), key=len))
    written = ", ".join(spellings) if option.is_flag else f"{', '.join(spellings)} {option.make_metavar(ctx)}"
    default = option.default if option.show_default and option.default not in (None, False) else None
    return Parameter(spellings, written, (option.help or "") + (f" The default is {default}." if default is not None else ""))


def pages() -> dict[str, str]:
    """File to content, for the folder `man`: one page for the program, one a noun, where `man -M man` finds them, and the reference."""
    root = describe()
    found = {f"man1/{PROGRAM}.1": _program_page(root)}
    for noun in root.below:
        found[f"man1/{_page_name(noun)}.1"] = _noun_page(noun)
    found["reference.md"] = _reference(root)
    return found


def _page_name(entry: Entry) -> str:
    return entry.path.replace(" ", "-")


# --- man(7) ---


def roff(text: str) -> str:
    """`text` as one line: what roff would interpret is written as the character it is."""
    for plain, written in (("\\", r"\(rs"), ("-", r"\-"), ("'", r"\(aq"), ("`", r"\(ga"), ("^", r"\(ha"), ("~", r"\(ti")):
        text = text.replace(plain, written)
    return _unlike_a_request(text)


def _unlike_a_request(line: str) -> str:
    """A dot at the start of a line would make it a request to roff."""
    return rf"\&{line}" if line.startswith(".") else line


def _prose(text: str) -> Iterator[str]:
    """Sentences, each from the start of a line, as manual pages are written: roff spaces them by the ends of the lines."""
    for sentence in text.replace(". ", ".\n").splitlines():
        yield from _folded(roff(sentence))


def _folded(written: str) -> Iterator[str]:
    """A long line as several that roff joins again; two characters are left for the guard of a dot."""
    return map(_unlike_a_request, wrap(written, _LINE - 2, break_long_words=False, break_on_hyphens=False))


def _argument(text: str) -> str:
    """`text` as one argument of a macro."""
    return '"' + roff(text).replace('"', r"\(dq") + '"'


def _page(title: str, summary: str, body: Iterable[str]) -> str:
    head = (
        rf'.\" Made by "{PROGRAM} docs man"; do not edit.',
        f".TH {title.upper()} 1 {_DATE} {PROGRAM}",
        ".SH NAME",
        *_folded(rf"{roff(title)} \- {roff(_phrase(summary))}"),
    )
    return "\n".join((*head, *body)) + "\n"


def _phrase(summary: str) -> str:
    """A summary as the NAME section wants it: lower case, no full stop."""
    return summary[:1].lower() + summary[1:].removesuffix(".")


def _program_page(root: Entry) -> str:
    def body() -> Iterator[str]:
        yield from _synopsis(root)
        yield ".SH DESCRIPTION"
        yield from _prose("A noun, then a verb. Every command takes the global options, before the noun, after the verb or between.")
        yield from _prose("Data goes to standard output, everything else to standard error.")
        yield ".SH COMMANDS"
        for noun in root.below:
            yield from _tagged(f".BR {_argument(_page_name(noun))} (1)", noun.summary)
        yield ".SH OPTIONS"
        for option in (*root.options, *root.global_options):
            yield from _parameter(option)
        yield ".SH EXIT STATUS"
        for code, meaning in EXIT_CODES.items():
            yield from _tagged(f".B {code}", f"{meaning[:1].upper()}{meaning[1:]}.")
        yield ".PP"
        yield from _prose("Below the noun check, 0 is ok, 1 a warning, 2 critical and 3 unknown, and every error is 3.")
        yield ".SH ENVIRONMENT"
        yield from _prose("A flag goes before these, and these go before the context.")
        for setting in ("context", *config.KEYS):
            yield from _tagged(f".B {_argument(variable(setting))}", f"The setting {setting.replace('_', ' ')}.")
        yield from _tagged(
            f".B {_argument('MSMQCTL_CONFIG_HOME')}", "The folder of the contexts, instead of the user's configuration folder."
        )
        yield from _tagged(f".B {_argument('NO_COLOR')}", "When set, no colours.")
        yield ".SH FILES"
        yield from _tagged(f".I {_argument('contexts/NAME.toml')}", "One context, in the configuration folder.")
        yield from _tagged(f".I {_argument('selected')}", "The name of the context in use, in the same folder.")
        yield from _see_also(_page_name(noun) for noun in root.below)

    return _page(PROGRAM, root.summary, body())


def _noun_page(noun: Entry) -> str:
    def body() -> Iterator[str]:
        yield from _synopsis(*noun.leaves())
        yield ".SH DESCRIPTION"
        yield from _prose(noun.summary)
        if noun.below:
            yield ".SH COMMANDS"
            for verb in noun.leaves():
                yield f".SS {_argument(verb.path.removeprefix(PROGRAM + ' '))}"
                yield from _prose(verb.summary)
                yield from _details(verb)
        else:
            yield from _details(noun)
        yield ".SH EXAMPLES"
        for number, leaf in enumerate(noun.leaves()):
            if number:
                yield ".PP"
            yield from (".EX", *map(roff, leaf.examples), ".EE")
        yield from _see_also([PROGRAM])

    return _page(_page_name(noun), noun.summary, body())


def _synopsis(*entries: Entry) -> Iterator[str]:
    yield ".SH SYNOPSIS"
    for number, entry in enumerate(entries):
        if number:
            yield ".br"
        yield f".B {_argument(entry.path)}"
        yield roff(entry.usage)


def _details(entry: Entry) -> Iterator[str]:
    """The further paragraphs and the parameters; the options that every command has stand in the program's page."""
    for paragraph in entry.paragraphs:
        yield ".PP"
        yield from _prose(paragraph)
    for parameter in entry.own_parameters():
        yield from _parameter(parameter)


def _parameter(parameter: Parameter) -> Iterator[str]:
    return _tagged(f".B {_argument(parameter.written)}", parameter.help)


def _tagged(tag: str, text: str) -> Iterator[str]:
    yield ".TP"
    yield tag
    yield from _prose(text)


def _see_also(names: Iterable[str]) -> Iterator[str]:
    yield ".SH SEE ALSO"
    listed = list(names)
    for name in listed:
        yield f".BR {_argument(name)} (1){',' if name != listed[-1] else ''}"


# --- Markdown ---


def _reference(root: Entry) -> str:
    def lines() -> Iterator[str]:
        yield f"<!-- Made by `{PROGRAM} docs man`; do not edit. -->"
        yield f"# {PROGRAM}: command reference"
        yield root.summary
        yield "## Global options"
        yield "Every command takes these, before the noun, after the verb or between; the last one given wins."
        yield _list(root.global_options)
        for noun in root.below:
            yield f"## {noun.path}"
            if noun.below:
                yield noun.summary
            for leaf in noun.leaves():
                if noun.below:
                    yield f"### {leaf.path}"
                yield from _reference_entry(leaf)
        yield "## Exit codes"
        yield "\n".join(("| exit | meaning |", "| --- | --- |", *(f"| {code} | {meaning} |" for code, meaning in EXIT_CODES.items())))

    return "\n\n".join(lines()) + "\n"


def _reference_entry(entry: Entry) -> Iterator[str]:
    yield entry.summary
    yield from entry.paragraphs
    yield f"```\n{entry.path} {entry.usage}\n```"
    if parameters := entry.own_parameters():
        yield _list(parameters)
    if entry.examples:
        yield "```sh\n" + "\n".join(entry.examples) + "\n```"


def _list(parameters: Iterable[Parameter]) -> str:
    return "\n".join(f"- `{parameter.written}`: {parameter.help}" for parameter in parameters)
