"""References to secrets: a context says where a password is kept, never what it is.

env:NAME       the environment variable NAME
file:PATH      the first line of a file that only its owner can read
prompt         asked for on the terminal
keyring:NAME   the entry NAME of the service "msmqctl" in the system's keyring (needs the package `keyring`)
"""

from __future__ import annotations

import os
import stat
from enum import StrEnum
from pathlib import Path

from msmqctl.errors import ConfigError
from msmqctl.wire.dataclass import dataclass

FORMS = "env:NAME, file:PATH, prompt or keyring:NAME"


class Keeper(StrEnum):
    """Who keeps the secret."""

    ENVIRONMENT = "env"
    FILE = "file"
    PROMPT = "prompt"
    KEYRING = "keyring"


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a secret is kept; `name` is empty for a prompt."""

    keeper: Keeper
    name: str

    def __str__(self) -> str:
        return f"{self.keeper}:{self.name}" if self.name else str(self.keeper)

    def resolve(self) -> str:
        """The secret itself. ConfigError says why it cannot be had, and never what it is."""
        match self.keeper:
            case Keeper.ENVIRONMENT:
                return self._from_environment()
            case Keeper.FILE:
                return self._from_file()
            case Keeper.PROMPT:
                from getpass import getpass

                return getpass("Password: ")
            case Keeper.KEYRING:
                return self._from_keyring()

    def check(self) -> str:
        """One sentence on how the reference stands, without asking for or telling the secret; ConfigError when it does not."""
        if self.keeper is Keeper.PROMPT:
            return "asked for when it is needed"
        self.resolve()
        return "there"

    def _refuse(self, problem: str, hint: str) -> ConfigError:
        return ConfigError(f"the password reference {self} does not resolve: {problem}.", key="password", hint=hint)

    def _from_environment(self) -> str:
        value = os.environ.get(self.name)
        if not value:
            raise self._refuse(f"the environment variable {self.name} is not set", f"set {self.name} before running the command.")
        return value

    def _from_file(self) -> str:
        path = Path(os.path.expanduser(self.name))
        try:
            with path.open(encoding="utf-8") as file:
                if os.name == "posix" and os.fstat(file.fileno()).st_mode & (stat.S_IRGRP | stat.S_IROTH):
                    raise self._refuse("other users can read the file", f"run: chmod 600 {path}")
                line = file.readline().rstrip("\r\n")
        except OSError as error:
            raise self._refuse(f"{path} cannot be read ({error.strerror})", "name a file that exists and that you can read.") from error
        except UnicodeDecodeError as error:
            raise self._refuse(f"{path} is not UTF-8 text", "write the password as one line of text.") from error
        if not line:
            raise self._refuse(f"the first line of {path} is empty", "write the password as its first line.")
        return line

    def _from_keyring(self) -> str:
        from importlib import import_module

        try:
            keyring = import_module("keyring")
        except ImportError as error:
            raise self._refuse("the package keyring is not installed", "run: pip install keyring") from error
        try:
            value = keyring.get_password("msmqctl", self.name)
        except Exception as error:  # a keyring backend may raise what it likes
            raise self._refuse(f"the keyring failed ({type(error).__name__})", "unlock the keyring and try again.") from error
        if not value:
            raise self._refuse("the keyring has no such entry", f"run: keyring set msmqctl {self.name}")
        return str(value)


def parse(text: str) -> Reference:
    """The reference that `text` spells; ValueError when it is something else, and then it may be a secret, so it is not repeated."""
    prefix, colon, name = text.partition(":")
    if prefix == Keeper.PROMPT and not colon:
        return Reference(Keeper.PROMPT, "")
    if prefix in (Keeper.ENVIRONMENT, Keeper.FILE, Keeper.KEYRING) and name:
        return Reference(Keeper(prefix), name)
    raise ValueError(f"a password is kept as a reference ({FORMS}), never as itself")
