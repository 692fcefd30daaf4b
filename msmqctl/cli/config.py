"""Contexts: named connections, one flat TOML file each, and the name of the selected one.

    <config folder>/contexts/NAME.toml      store, host, directory, user, password, connect_timeout, output
    <config folder>/selected                the name of the context that is used unless --context says otherwise

The folder is MSMQCTL_CONFIG_HOME or the user's own configuration folder. Everything that is wrong with a file is a
ConfigError that names the file and, where there is one, the key and the line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from msmqctl.cli.place import config_folder
from msmqctl.cli.render import Format, escape
from msmqctl.errors import ConfigError
from msmqctl.wire.dataclass import dataclass

if TYPE_CHECKING:
    from msmqctl.cli.secret import Reference

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
# Windows keeps these names for devices, with any ending; a context is to be copied from one system to another.
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("text in quotes")
    if not value or not value.isprintable():
        raise ValueError("it is empty or has characters that cannot be printed")
    return value


def _path(value: object) -> str:
    return os.path.expanduser(_text(value))


def _reference(value: object) -> str:
    return str(reference({"password": _text(value)}))


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError("a number of seconds")
    if not 0 < value < float("inf"):
        raise ValueError("it is not a number of seconds above zero")
    return float(value)


def _format(value: object) -> str:
    text = _text(value)
    if text not in tuple(Format):
        raise ValueError(f"it is not one of {', '.join(Format)}")
    return text


# What a context may say. A check raises TypeError with the kind it expects, or ValueError with what is wrong.
KEYS: Mapping[str, Callable[[object], str | float]] = {
    "store": _path,
    "host": _text,
    "directory": _text,
    "user": _text,
    "password": _reference,
    "connect_timeout": _seconds,
    "output": _format,
}


@dataclass(frozen=True, slots=True)
class Context:
    """A named connection; `values` has the keys that its file sets."""

    name: str
    path: Path
    values: Mapping[str, str | float]


def path_of(name: str) -> Path:
    """The file of the context `name`. A name that could lead out of the folder is refused."""
    if not _NAME.fullmatch(name) or _DEVICES.fullmatch(name):
        raise ConfigError(
            f"{escape(name)!r} cannot be the name of a context.",
            key="context",
            hint="a name has up to 64 letters, digits, dots, dashes and underscores, and starts with a letter or a digit.",
        )
    return config_folder() / "contexts" / f"{name}.toml"


def names() -> list[str]:
    """The contexts there are, in alphabetical order; files with other names are none of ours."""
    try:
        files = os.listdir(config_folder() / "contexts")
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise _unreadable(config_folder() / "contexts", error) from error
    found = (file.removesuffix(".toml") for file in files if file.endswith(".toml"))
    return sorted(name for name in found if _NAME.fullmatch(name) and not _DEVICES.fullmatch(name))


def exists(name: str) -> bool:
    """Whether there is a context of that name, readable or not."""
    return os.path.isfile(path_of(name))


def selected() -> str | None:
    """The name of the selected context, or None. It may be the name of a context that is gone."""
    path = config_folder() / "selected"
    try:
        name = path.read_text(encoding="utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text.", key="context", hint="run: msmqctl context select NAME") from error
    except OSError as error:
        raise _unreadable(path, error) from error
    return name or None


def read(name: str) -> Context:
    """The context `name`, checked key by key."""
    path = path_of(name)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        known = ", ".join(names())
        hint = f"the contexts are {known}." if known else f"run: msmqctl context add {name} --host HOST"
        raise ConfigError(f"there is no context {name!r}.", key="context", hint=hint) from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text.", key="context", hint="write the file again as UTF-8.") from error
    except OSError as error:
        raise _unreadable(path, error) from error
    return Context(name, path, _parse(path, text))


def _parse(path: Path, text: str) -> dict[str, str | float]:
    import tomllib

    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(
            f"{path}: not valid TOML: {escape(str(error))}.",
            key="context",
            hint="correct that line, or remove the file and add the context again.",
        ) from error
    return {key: _checked(path, text, key, value) for key, value in found.items()}


def _checked(path: Path, text: str, key: str, value: object) -> str | float:
    def refuse(problem: str, hint: str) -> NoReturn:
        raise ConfigError(f"{path}, {_line(text, key)}{escape(key)}: {problem}.", key=key, hint=hint)

    if key not in KEYS:
        refuse("there is no such setting", f"the settings are {', '.join(KEYS)}.")
    try:
        return KEYS[key](value)
    except TypeError as expected:
        refuse(f"{expected} is expected here, not {_kind(value)}", "correct that line.")
    except ValueError as problem:
        refuse(str(problem), _forms(key) or "correct that line.")


def _forms(key: str) -> str | None:
    """A hint for a setting that has several forms."""
    if key != "password":
        return None
    from msmqctl.cli.secret import FORMS

    return f"write one of {FORMS}."


def _line(text: str, key: str) -> str:
    """`line N, ` of the line that sets `key`; nothing where it cannot be told, as with quoted or dotted keys."""
    match = re.search(rf"^\s*\[?\s*{re.escape(key)}\s*[=\].]", text, re.MULTILINE)
    return f"line {text.count(chr(10), 0, match.end()) + 1}, " if match else ""


def _kind(value: object) -> str:
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "a table"}
    return kinds.get(type(value), "a date or time")


def check_value(key: str, value: object) -> str | float:
    """One value that is to be written; ConfigError when a file with it could not be read back."""
    try:
        return KEYS[key](value)
    except (TypeError, ValueError) as problem:
        raise ConfigError(f"{key}: {problem}.", key=key, hint=_forms(key)) from None


def write(name: str, values: Mapping[str, str | float]) -> Context:
    """Keep a context, over one of the same name. Other users cannot read it, and no one can see half of it."""
    import tomli_w

    path = path_of(name)
    checked = {key: check_value(key, value) for key, value in values.items()}
    _replace(path, tomli_w.dumps(checked))
    return Context(name, path, checked)


def select(name: str | None) -> None:
    """Use the context `name` from now on, or none."""
    path = config_folder() / "selected"
    if name is None:
        _delete(path)
    else:
        _replace(path, f"{name}\n")


def remove(name: str) -> None:
    """Delete a context; if it was the selected one, none is selected any more."""
    path = path_of(name)
    if selected() == name:
        select(None)
    _delete(path)


def _replace(path: Path, text: str) -> None:
    """Write a file whole: a reader sees the old one or the new one."""
    import tempfile

    try:
        for parent in (path.parent.parent, path.parent) if path.parent.name == "contexts" else (path.parent,):
            parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".new")  # mode 0600
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise _unwritable(path, error) from error


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from error


def _unreadable(path: Path, error: OSError) -> ConfigError:
    return ConfigError(f"{path}: cannot be read ({error.strerror}).", key="context", hint="check who owns the file and its rights.")


def _unwritable(path: Path, error: OSError) -> ConfigError:
    hint = "check the rights of that folder, or set MSMQCTL_CONFIG_HOME to another one."
    return ConfigError(f"{path}: cannot be written ({error.strerror}).", key="context", hint=hint)


def reference(values: Mapping[str, Any]) -> Reference | None:
    """Where the password of a context is kept."""
    text = values.get("password")
    if not text:
        return None
    from msmqctl.cli.secret import parse

    return parse(text)
