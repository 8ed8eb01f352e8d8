"""The SQL macros of every archive, which the stock questions share."""

from __future__ import annotations

from importlib.resources import files

_FILES = ("macros.sql", "ratings.sql", "seat_model.sql", "league.sql")
"""The files that define the macros. A file uses only macros of the files before it."""


def macro_statements() -> str:
    """Return the statements that create all macros."""
    folder = files("gamelog.archive.schema")
    return "\n".join(folder.joinpath(name).read_text("utf-8") for name in _FILES)
