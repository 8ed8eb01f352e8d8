"""Exit statuses of all commands.

0: success. 1: a record is invalid or could not be read to its end (a disk, a network or a store failed), an
event is refused, or two records differ. 2: wrong usage, or a path that cannot be read.
"""

from __future__ import annotations

from typing import NoReturn

import typer

from gamelog.errors import AppendError, Damaged, GamelogError, ReadFailed, Torn, UnknownFormat, WriteFailed
from gamelog.message import Message
from gamelog_cli.printing.output import print_warning

NOT_VALID, USAGE = 1, 2
"""Statuses of failed commands."""

_ABOUT_THE_RECORD = (AppendError, ReadFailed, Torn, Damaged, UnknownFormat, WriteFailed)
"""Errors about a record, whose status is `NOT_VALID`."""


def status(error: GamelogError) -> int:
    """Return the exit status for an error that ended a command."""
    return NOT_VALID if isinstance(error, _ABOUT_THE_RECORD) else USAGE


def usage(message: str | Message) -> NoReturn:
    """Print `message` about wrong usage and exit.

    Raises:
        typer.Exit: Always, with the status `USAGE`.
    """
    print_warning(message)
    raise typer.Exit(USAGE)
