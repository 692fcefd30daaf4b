"""Where each setting comes from: a flag, then the environment (MSMQCTL_*), then the context, then the default.

Nothing is read before it is asked for: a command that is told `-o json` and needs no store never opens a context.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msmqctl.cli.options import Flags, parse_seconds
from msmqctl.cli.place import config_folder, default_store
from msmqctl.cli.render import Format
from msmqctl.errors import ConfigError
from msmqctl.wire.dataclass import dataclass

if TYPE_CHECKING:
    from msmqctl.cli.config import Context

Value = str | float | None


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, its value, and who said so."""

    setting: str
    value: Value
    source: str


_DEFAULTS: Mapping[str, Callable[[], Value]] = {
    "store": lambda: str(default_store()),
    "connect_timeout": lambda: 10.0,
    "output": lambda: str(Format.TABLE),
}


def variable(setting: str) -> str:
    """The environment variable that sets `setting`."""
    return f"MSMQCTL_{setting.upper()}"


class Settings:
    """All settings of one run. With `lenient`, a context that cannot be read counts as none, so that it can be repaired."""

    def __init__(self, flags: Flags, *, lenient: bool = False) -> None:
        self._flags = flags
        self._lenient = lenient

    def context_name(self) -> Setting:
        """Which context is used, and who chose it."""
        if self._flags.context is not None:
            return Setting("context", self._flags.context, "flag")
        if from_environment := os.environ.get(variable("context")):
            return Setting("context", from_environment, f"environment {variable('context')}")
        # Most users have no context: then the module that reads them is not even loaded.
        if not os.path.lexists(config_folder() / "selected"):
            return Setting("context", None, "default")
        from msmqctl.cli import config

        chosen = config.selected()
        return Setting("context", chosen, "selected") if chosen else Setting("context", None, "default")

    @cached_property
    def context(self) -> Context | None:
        """The context that is used, read and checked."""
        try:
            name = self.context_name().value
            if name is None:
                return None
            from msmqctl.cli import config

            return config.read(str(name))
        except ConfigError:
            if self._lenient:
                return None
            raise

    def find(self, setting: str, flag: str | float | None = None) -> Setting:
        """The value of `setting` and its source; `flag` is what an option of the command itself said, if there is one."""
        given = flag if flag is not None else getattr(self._flags, setting, None)
        if given is not None:
            return Setting(setting, given if isinstance(given, float) else str(given), "flag")
        if text := os.environ.get(variable(setting)):
            return Setting(setting, self._from_environment(setting, text), f"environment {variable(setting)}")
        if self.context and setting in self.context.values:
            return Setting(setting, self.context.values[setting], f"context {self.context.name}")
        default = _DEFAULTS.get(setting)
        return Setting(setting, default() if default else None, "default")

    def everything(self) -> list[Setting]:
        """Every setting, the choice of the context first."""
        from msmqctl.cli import config

        return [self.context_name(), *(self.find(setting) for setting in config.KEYS)]

    @property
    def output(self) -> Format:
        """How to print data."""
        return Format(str(self.find("output").value))

    @property
    def store(self) -> Path:
        """The store file."""
        return Path(str(self.find("store").value))

    @property
    def connect_timeout(self) -> float:
        """How many seconds to wait for a connection."""
        return float(self.find("connect_timeout").value or 0)

    def password(self) -> str | None:
        """The secret behind the password reference, fetched now; None where no reference is set."""
        from msmqctl.cli import config

        reference = config.reference({"password": self.find("password").value})
        return reference.resolve() if reference else None

    def _from_environment(self, setting: str, text: str) -> str | float:
        from msmqctl.cli import config

        try:
            return config.KEYS[setting](parse_seconds(text) if setting == "connect_timeout" else text)
        except ValueError as problem:
            name = variable(setting)
            raise ConfigError(f"the environment variable {name}: {problem}.", key=setting, hint=f"correct {name} or unset it.") from None
