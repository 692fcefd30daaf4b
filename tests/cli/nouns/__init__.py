"""Commands that exist only to try the frame: one file a noun, as in the product."""

from __future__ import annotations

from collections.abc import Mapping

from msmqctl.cli.nouns import Noun

NOUNS: Mapping[str, Noun] = {
    "echo": Noun("tests.cli.nouns.echo", "Print what it was told."),
    "fail": Noun("tests.cli.nouns.fail", "Raise what it is told to raise."),
    "check": Noun("tests.cli.nouns.fail", "Raise what it is told to raise."),
    "broken": Noun("tests.cli.nouns.missing", "A noun whose module is not there."),
    "box": Noun("tests.cli.nouns.box", "A noun with verbs."),
}
