"""Exit status, in one place.

0: all is well. 1: a record is not valid or was not read to its end (a disk, a network or a store failed), an
event is refused, or two records differ. 2: wrong usage, or a path that cannot be read.
"""

from __future__ import annotations

import sys
from typing import NoReturn

import typer

from gamelog.errors import AppendError, Damaged, GamelogError, ReadFailed, Torn, UnknownFormat, WriteFailed
from gamelog_cli.output import shown

NOT_VALID, USAGE = 1, 2

ABOUT_THE_RECORD = (AppendError, ReadFailed, Torn, Damaged, UnknownFormat, WriteFailed)


def status(error: GamelogError) -> int:
    """The exit status for an error that ended a command."""
    return NOT_VALID if isinstance(error, ABOUT_THE_RECORD) else USAGE


def usage(message: str) -> NoReturn:
    """Say how the command is meant, and leave."""
    print(f"gamelog: {shown(message)}", file=sys.stderr)
    raise typer.Exit(USAGE)
