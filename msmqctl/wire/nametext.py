"""The letters of queue names: which characters and lengths each component may have, and how a refusal points at its place. [MS-MQMQ] 2.1

Both kinds of name, path names and format names, are read through a `Span`, so that every refusal says which component is wrong,
why, and at which character of what the user typed.
"""

from __future__ import annotations

import re
from typing import Self

from msmqctl.errors import StatusError
from msmqctl.wire.dataclass import dataclass
from msmqctl.wire.status import HResult

# The words that start a format name, each followed by "=". [MS-MQMQ] 2.1.2 to 2.1.6
KEYWORDS = ("DIRECT", "PUBLIC", "PRIVATE", "DL", "MACHINE", "CONNECTOR", "MULTICAST")
# A comma ends an element only in front of a keyword, since computers and domains may have commas. [MS-MQMQ] 2.1.7
ELEMENT_BREAK = re.compile(rf",(?=(?:{'|'.join(KEYWORDS)})=)", re.IGNORECASE | re.ASCII)

_SHOWN = 120


def fold(text: str) -> str:
    """The text as names are compared: letter by letter in upper case, as Windows does, so that no two letters become one.

    `str.casefold` would make `ß` equal to `ss`, and `str.upper` the Turkish dotless i equal to `I`: different queues there.
    """
    return text.upper() if text.isascii() else "".join(map(_fold_letter, text))


def _fold_letter(letter: str) -> str:
    upper = letter.upper()
    return upper if len(upper) == 1 and (letter.isascii() or not upper.isascii()) else letter


def wide_length(text: str) -> int:
    """How many UTF-16 units the text takes: what every limit of a name counts."""
    return len(text) + sum(letter > "\uffff" for letter in text)


def abridged(text: str) -> str:
    """The text, cut off where it gets too long for the sentence of an error: a peer may send megabytes."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


class Name:
    """Anything that is written as a name: two are equal when their texts are, without regard to case."""

    __slots__ = ()

    @property
    def key(self) -> str:
        """What to look a name up by: its canonical text, folded."""
        return fold(str(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and (type(self), self.key) == (type(other), other.key)

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a typed name that knows where it stands, and with which status it is refused."""

    text: str
    start: int
    end: int
    status: HResult

    @classmethod
    def over(cls, text: str, status: HResult) -> Self:
        """The whole text."""
        return cls(text, 0, len(text), status)

    @property
    def value(self) -> str:
        """The text of the stretch."""
        return self.text[self.start : self.end]

    def behind(self, size: int) -> Span:
        """What follows the first `size` characters."""
        return Span(self.text, self.start + size, self.end, self.status)

    def upto(self, size: int) -> Span:
        """The first `size` characters."""
        return Span(self.text, self.start, self.start + size, self.status)

    def cut(self, separators: str) -> tuple[Span, Span | None]:
        """What stands before and behind the first of the separators; None behind when there is none."""
        found = min((at for at in map(self.value.find, separators) if at >= 0), default=None)
        return (self, None) if found is None else (self.upto(found), self.behind(found + 1))

    def starts_with(self, word: str) -> bool:
        """Whether the stretch starts with a word in any case."""
        return fold(self.value[: len(word)]) == fold(word)

    def refuse(self, component: str, problem: str, hint: str, *, at: int = 0) -> StatusError:
        """The error to raise: `component` of the name, `at` characters into this stretch, has this problem."""
        message = f"{component} at character {self.start + at + 1} of '{abridged(self.text)}': {problem}"
        return StatusError(message, status=self.status, operation="parse name", hint=hint)


@dataclass(frozen=True, slots=True)
class Token:
    """One row of the table of components: its limit in UTF-16 units and the characters it may not have."""

    component: str
    limit: int
    excluded: str
    last: str = "\x7e"
    lenient: bool = True

    def fault(self, text: str, *, strict: bool = False) -> tuple[int, str] | None:
        """Where and why `text` cannot be this component, or None."""
        if not text.strip(" "):
            return 0, "it is empty"
        if (units := wide_length(text)) > self.limit:
            return 0, f"it has {units} characters, {self.limit} is the limit"
        for at, letter in enumerate(text):
            if not self._admits(letter, strict=strict or not self.lenient):
                return at, f"it cannot contain {_shown(letter)}"
        return None

    def _admits(self, letter: str, *, strict: bool) -> bool:
        if letter in self.excluded:
            return False
        if "\x21" <= letter <= self.last:
            return True
        # Half a surrogate pair is no character: it cannot be stored or printed.
        return not strict and (letter == " " or letter > "\x7f") and not "\ud800" <= letter <= "\udfff"

    def require(self, text: str) -> None:
        """Refuse a component that our own code got wrong."""
        if fault := self.fault(text):
            raise ValueError(f"{self.component} {abridged(text)!r}: {fault[1]}")

    def take(self, span: Span, hint: str, *, strict: bool = False) -> str:
        """The component that fills the stretch."""
        if fault := self.fault(span.value, strict=strict):
            raise span.refuse(self.component, fault[1], hint, at=fault[0])
        return span.value


def _shown(letter: str) -> str:
    return f"'{letter}'" if "\x21" <= letter <= "\x7e" else "a space" if letter == " " else f"U+{ord(letter):04X}"


# Computer  = 1*256 %x21-7E                                  and no "\", which ends it
# QueueName = 1*124 %x21-7F without "\" and ";"              since MSMQ 2.0 also without quote, "+" and ","
# Subqueue  = 1*32  of the same set                          MSMQ 4.0 and later
# Domain    = 1*255 %x21-7E
# Departs from [MS-MQMQ] 2.1.1: a space and letters above U+007F are taken unless strict, because real names have them.
COMPUTER = Token("computer name", 256, "\\")
HOST = Token("host name", 256, "\\/:[]@?#")  # and nothing that would end or move the host in a URL
QUEUE = Token("queue name", 124, '\\;"+,', last="\x7f")
SUBQUEUE = Token("subqueue name", 32, '\\;"+,', last="\x7f")
DOMAIN = Token("domain name", 255, "", lenient=False)
