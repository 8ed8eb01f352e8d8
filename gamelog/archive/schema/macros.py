"""The SQL macros of every archive, which the stock questions share."""

from __future__ import annotations

from importlib.resources import files

_FILES = ("macros.sql", "ratings.sql", "seat_model.sql", "league.sql")
"""The files that define the macros. A file uses only macros of the files before it."""


MIN_GAMES = 20
"""Minimum number of games for a conclusion. With fewer, a 95 % interval spans half of all possible shares."""


def macro_statements() -> str:
    """Return the statements that create all macros."""
    folder = files("gamelog.archive.schema")
    least = f"CREATE MACRO min_games() AS {MIN_GAMES};\n"
    return least + "\n".join(folder.joinpath(name).read_text("utf-8") for name in _FILES)
