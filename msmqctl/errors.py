"""What can go wrong, one class per kind of fault; every room may import this module.

    MsmqError                  .hint, a next step or None
    ├─ DecodeError             they, or a file, sent bytes or text we cannot read   .where .offset
    ├─ StatusError             a queue manager said no                              .status  .operation
    ├─ DirectoryError          the directory said no                                .result  .ldap_code
    ├─ TransportError          refused, dropped, timed out, RPC fault, 5xx          .peer
    ├─ AccessError             credentials or rights
    ├─ InputError              a file the user named is not there or not readable    .path
    ├─ StoreError              our file is damaged, full or not ours                .path
    └─ ConfigError             context or settings                                  .key

The text of an error is one sentence for the user: what, where, why. Misuse by our own code is ValueError or
TypeError and not in this tree. Which exit code an error gets is decided in `cli/app.py` and nowhere else.
"""

from __future__ import annotations

from typing import Any


class MsmqError(Exception):
    """A fault whose text is meant for the user."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def details(self) -> dict[str, Any]:
        """The attributes that this kind adds, for errors shown as JSON."""
        return {}


class DecodeError(MsmqError):
    """Bytes or text that cannot be what they claim to be: `where` is `Structure.field`, `offset` counts from the start of the input."""

    def __init__(self, problem: str, *, where: str, offset: int, hint: str | None = None) -> None:
        super().__init__(f"{where} at offset {offset}: {problem}", hint=hint)
        self.problem = problem
        self.where = where
        self.offset = offset

    def details(self) -> dict[str, Any]:
        return {"where": self.where, "offset": self.offset}


class StatusError(MsmqError):
    """A queue manager, ours or a remote one, answered `operation` with a failure status (an HRESULT)."""

    def __init__(self, message: str, *, status: int, operation: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.status = status
        self.operation = operation

    def details(self) -> dict[str, Any]:
        return {"status": f"0x{self.status & 0xFFFFFFFF:08X}", "operation": self.operation}


class DirectoryError(MsmqError):
    """The directory answered, and the answer was no: `result` is the directory's own word for it."""

    def __init__(self, message: str, *, result: str, ldap_code: int | None = None, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.result = result
        self.ldap_code = ldap_code

    def details(self) -> dict[str, Any]:
        return {"result": self.result, "ldap_code": self.ldap_code}


class TransportError(MsmqError):
    """Nothing usable came back from `peer`: refused, dropped, timed out, an RPC fault, a 5xx."""

    def __init__(self, message: str, *, peer: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.peer = peer

    def details(self) -> dict[str, Any]:
        return {"peer": self.peer}


class AccessError(MsmqError):
    """The credentials or the rights do not suffice."""


class InputError(MsmqError):
    """A file the user named, at `path`, is not there or cannot be read."""

    def __init__(self, message: str, *, path: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.path = path

    def details(self) -> dict[str, Any]:
        return {"path": self.path}


class StoreError(MsmqError):
    """A file of ours at `path`: damaged, full, not ours, not writable."""

    def __init__(self, message: str, *, path: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.path = path

    def details(self) -> dict[str, Any]:
        return {"path": self.path}


class ConfigError(MsmqError):
    """A context or a setting is missing or wrong; `key` names it."""

    def __init__(self, message: str, *, key: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.key = key

    def details(self) -> dict[str, Any]:
        return {"key": self.key}
