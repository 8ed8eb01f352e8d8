"""Errors of code that reads the rows of an archive."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from gamelog.errors import ArchiveError, BrokenGame, foreign_error_text
from gamelog.message import Message
from gamelog.play.fold.game_errors import describe_failure


@contextmanager
def row_errors(paths: Sequence[Path]) -> Iterator[None]:
    """Convert errors caused by rows that no indexing writes, for example with unexpected nulls.

    Raises:
        ArchiveError: The code fails on the rows.
        BrokenGame: The code of a game fails.
    """
    try:
        yield
    except (TypeError, ValueError, AttributeError, ArithmeticError, LookupError) as error:
        failed = describe_failure(error)
        if failed is not None:
            raise BrokenGame(Message.of("{problem}.", problem=failed)) from error
        text = "Cannot read the archive {=path}: {=error}. Index the records into a new archive."
        path = ", ".join(map(os.fspath, paths))
        raise ArchiveError(Message.of(text, path=path, error=foreign_error_text(error))) from error
