"""The few names of click that Typer keeps to itself: the only file that reaches into `typer._click`.

From 0.26 on Typer carries its own copy of click and exports only part of it. A group that loads its commands late
has to override methods whose signatures speak of contexts, commands and parameters, and an error that is shown in
our own words has to be recognised first; there is no public name for any of these.
"""

from __future__ import annotations

from typer._click import Command, Context, Parameter
from typer._click.exceptions import NoSuchOption, UsageError
from typer._click.shell_completion import CompletionItem, ShellComplete

__all__ = ["Command", "CompletionItem", "Context", "NoSuchOption", "Parameter", "ShellComplete", "UsageError"]
