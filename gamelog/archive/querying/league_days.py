"""The results and the table of a league on a day, kept for all questions to a reader about that day.

Working them out takes most of the time of such a question. ``settled.league_results(day)`` and
``settled.league_table(day)`` have the rows of the macros ``league_results`` and ``league_table``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

MACROS = ("league_results", "league_table")
"""The macros about a day whose rows are kept."""

_MACRO = """
CREATE OR REPLACE MACRO settled.{macro}(as_of) AS TABLE
SELECT * EXCLUDE (kept_for) FROM settled.{macro}_rows WHERE kept_for IS NOT DISTINCT FROM as_of
"""


def macros_in(sql: str) -> Iterator[str]:
    """Yield the macros whose rows a statement reads."""
    return (macro for macro in MACROS if f"settled.{macro}(" in sql)


def keep_league_day(connection: duckdb.DuckDBPyConnection, macro: str, as_of: Any, *, is_first: bool) -> None:
    """Keep the rows of a macro for one more day.

    Args:
        connection: The connection of the reader.
        macro: One of `MACROS`.
        as_of: The day, or None for all days. DuckDB checks it.
        is_first: Whether no day is kept yet.
    """
    rows = f"SELECT $as_of::DATE AS kept_for, kept.* FROM {macro}($as_of::DATE) AS kept"
    if is_first:
        connection.execute(f"CREATE OR REPLACE TABLE settled.{macro}_rows AS {rows}", {"as_of": as_of})
        connection.execute(_MACRO.format(macro=macro))
        return
    connection.execute(  # the day may be kept already in another spelling
        f"DELETE FROM settled.{macro}_rows WHERE kept_for IS NOT DISTINCT FROM $as_of::DATE", {"as_of": as_of}
    )
    connection.execute(f"INSERT INTO settled.{macro}_rows {rows}", {"as_of": as_of})
