"""Results less luck of the analysed games of an archive, for the questions that read them.

Games with the same rules, options, board and seats are adjusted together
(`gamelog.analysis.adjusted_results`).
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from gamelog.analysis.adjusted_results import FOLDS, GameLuck, adjusted_results

if TYPE_CHECKING:
    import duckdb

ADJUSTED_TABLE = "settled.adjusted_results"
"""Table of the results less luck, one row for each seat. It is filled for a question that reads it."""

MIN_TOGETHER = 2 * FOLDS
"""Minimum number of analysed games that are adjusted together. Fewer have no adjusted results."""

_GAMES = """
SELECT (games.game, rules, games.options::VARCHAR, board, list(seat ORDER BY seat), max(len(feature_luck)))
    AS setup, games.id, list(seat ORDER BY seat), list(seat_luck.result ORDER BY seat),
  list(feature_luck ORDER BY seat)
FROM games JOIN seat_luck USING (id)
WHERE counted AND finished AND made_by_play(result_by)
GROUP BY games.id, games.game, rules, games.options, board
ORDER BY setup, games.id
"""
"""The analysed games, those with one setup together."""

_COLUMNS = """
SELECT unnest($id::VARCHAR[]) AS id, unnest($seat::VARCHAR[]) AS seat, unnest($result::DOUBLE[]) AS result,
  unnest($adjusted::DOUBLE[]) AS adjusted
"""


def create_adjusted_results(connection: duckdb.DuckDBPyConnection) -> None:
    """Create and fill the table from all games of an archive that count and have a result by play."""
    columns: dict[str, list[object]] = {"id": [], "seat": [], "result": [], "adjusted": []}
    for _, group in groupby(connection.execute(_GAMES).fetchall(), itemgetter(0)):
        games = [*group]
        if len(games) < MIN_TOGETHER:
            continue
        adjusted = adjusted_results(
            [GameLuck(results, luck if luck[0] else []) for _, _, _, results, luck in games]
        )
        for (_, id, seats, results, _), less_luck in zip(games, adjusted, strict=True):
            columns["id"] += [id] * len(seats)
            columns["seat"] += seats
            columns["result"] += results
            columns["adjusted"] += less_luck
    connection.execute(f"CREATE TABLE {ADJUSTED_TABLE} AS {_COLUMNS}", columns)
