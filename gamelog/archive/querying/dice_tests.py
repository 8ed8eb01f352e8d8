"""Tests of the dice of each person in an archive, for the questions that read them.

The module `gamelog.dice_statistics` has the tests. All tests about the people of one game are corrected
together.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from gamelog.dice_statistics import (
    detectable_share,
    dice_needed,
    expected_runs,
    face_probability,
    runs_probability,
    undone_probability,
)
from gamelog.statistics import LEVEL, holm

if TYPE_CHECKING:
    import duckdb

DICE_TABLE = "settled.dice_tests"
"""Table of the tests, one row for each person and number of sides. It is filled for a question."""

TESTED_BIAS = 0.05
"""Bias of one face for which the table has the number of dice, as a part of 1."""

_AT_SEAT = "{0}.id = games.id AND {0}.seat = {1}.seat AND n >= from_n AND n <= coalesce(to_n, n)"

_DICE = f"""
WITH thrown AS (
  SELECT game, player, sides, rolls.id, n, faces, stands,
    sign(list_sum(faces) - len(faces) * (sides + 1) / 2) AS side
  FROM games JOIN rolls USING (id) JOIN sittings ON {_AT_SEAT.format("sittings", "rolls")}
  WHERE counted AND player IS NOT NULL
), ordered AS (
  SELECT *, side IS DISTINCT FROM lag(side) OVER in_game AS begins,
    row_number() OVER in_game
      - row_number() OVER (PARTITION BY game, player, sides, id, side ORDER BY n, faces) AS run
  FROM thrown WHERE side <> 0 WINDOW in_game AS (PARTITION BY game, player, sides, id ORDER BY n, faces)
), by_game AS (
  SELECT game, player, sides, id, count(*) FILTER (side > 0) AS high, count(*) FILTER (side < 0) AS low,
    count(*) FILTER (begins) AS runs, count(*) FILTER (NOT stands) AS undone,
    count(*) FILTER (NOT stands AND side < 0) AS undone_low
  FROM ordered GROUP BY game, player, sides, id
), longest AS (
  SELECT game, player, sides, max(throws) AS longest_low FROM (
    SELECT game, player, sides, count(*) AS throws FROM ordered WHERE side < 0
    GROUP BY game, player, sides, id, run
  ) GROUP BY game, player, sides
), faces AS (
  SELECT game, player, sides, count(*) AS dice, count(DISTINCT id) AS games, histogram(face) AS times
  FROM (SELECT *, unnest(faces) AS face FROM thrown) GROUP BY game, player, sides
), corrected AS (
  SELECT game, player, sides, count(*) AS corrected,
    count(*) FILTER (list_sum(faces) * 2 < len(faces) * (sides + 1)) AS corrected_low
  FROM games JOIN corrected_rolls AS wrong USING (id) JOIN sittings ON {_AT_SEAT.format("sittings", "wrong")}
  WHERE counted AND player IS NOT NULL AND list_sum(faces) * 2 <> len(faces) * (sides + 1)
  GROUP BY game, player, sides
), totals AS (
  SELECT game, player, sides, list((high, low)) AS throws, sum(high)::BIGINT AS high, sum(low)::BIGINT AS low,
    sum(runs)::BIGINT AS runs, sum(undone)::BIGINT AS undone, sum(undone_low)::BIGINT AS undone_low
  FROM by_game GROUP BY game, player, sides
)
SELECT faces.game, faces.player, faces.sides, dice, games,
  list_transform(range(1, faces.sides + 1), lambda face: coalesce(times[face], 0)::BIGINT) AS counts,
  coalesce(throws, []) AS throws, coalesce(high, 0) AS high, coalesce(low, 0) AS low,
  coalesce(runs, 0) AS runs, coalesce(longest_low, 0) AS longest_low,
  coalesce(undone, 0) AS undone, coalesce(undone_low, 0) AS undone_low,
  coalesce(corrected, 0) AS corrected, coalesce(corrected_low, 0) AS corrected_low
FROM faces LEFT JOIN totals USING (game, player, sides) LEFT JOIN longest USING (game, player, sides)
  LEFT JOIN corrected USING (game, player, sides)
ORDER BY faces.game, faces.player, faces.sides
"""
"""The numbers that the tests need. High and low throws are those above and below their mean."""

TESTS = ("p_faces", "p_runs", "p_undone", "p_corrected")
"""The columns of the tests."""

_COLUMNS = {
    "game": "VARCHAR",
    "player": "VARCHAR",
    "sides": "BIGINT",
    "dice": "BIGINT",
    "games": "BIGINT",
    "counts": "BIGINT[]",
    "throws": "BIGINT",
    "low": "BIGINT",
    "runs": "BIGINT",
    "expected_runs": "DOUBLE",
    "longest_low": "BIGINT",
    "undone": "BIGINT",
    "undone_low": "BIGINT",
    "corrected": "BIGINT",
    "corrected_low": "BIGINT",
    **dict.fromkeys(TESTS, "DOUBLE"),
    "tests": "BIGINT",
    "p_all": "DOUBLE",
    "detectable": "DOUBLE",
    "needed": "BIGINT",
}


def create_dice_tests(connection: duckdb.DuckDBPyConnection) -> None:
    """Create and fill the table from all games of an archive that count."""
    result = connection.execute(_DICE)
    names = [column[0] for column in result.description or ()]
    by_game: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in result.fetchall():
        by_game[row[0]].append(_tested(dict(zip(names, row, strict=True))))
    rows = [row for people in by_game.values() for row in _corrected(people)]
    selected = ", ".join(f"unnest(${name}::{type}[]) AS {name}" for name, type in _COLUMNS.items())
    values = {name: [row[name] for row in rows] for name in _COLUMNS}
    connection.execute(f"CREATE TABLE {DICE_TABLE} AS SELECT {selected}", values)


def _tested(row: dict[str, Any]) -> dict[str, Any]:
    """Return the numbers of a person with the probability of each test."""
    high, low, games = row["high"], row["low"], [(high, low) for high, low in row["throws"]]
    undone, wrong = row["undone"], row["corrected"]
    return row | {
        "throws": high + low,
        "expected_runs": sum(expected_runs(*game)[0] for game in games),
        "p_faces": face_probability(row["counts"]),
        "p_runs": runs_probability(games, row["runs"]),
        "p_undone": undone_probability(row["undone_low"], undone, low, high + low),
        "p_corrected": undone_probability(
            row["corrected_low"], wrong, low + row["corrected_low"], high + low + wrong
        ),
    }


def _corrected(people: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of a game with the smallest probability of each person, corrected for all tests."""
    looks = [(row, name) for row in people for name in TESTS if row[name] is not None]
    corrected = holm([row[name] for row, name in looks])
    level = 1 - (1 - LEVEL) / max(1, len(looks))
    for row in people:
        own = [p for p, (other, _) in zip(corrected, looks, strict=True) if other is row]
        row["p_all"], row["tests"] = min(own, default=None), len(looks)
        row["detectable"] = detectable_share(row["dice"], row["sides"], level) if row["sides"] > 1 else None
        row["needed"] = dice_needed(row["sides"], TESTED_BIAS, level) if row["sides"] > 1 else None
    return people
