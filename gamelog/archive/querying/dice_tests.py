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

_DICE = """
WITH throws AS MATERIALIZED ( -- the different throws by number
  SELECT sides, faces, row_number() OVER (ORDER BY faces) AS throw,
    sign(list_sum(faces) - len(faces) * (sides + 1) / 2) AS side
  FROM (SELECT DISTINCT sides, faces FROM rolls) WHERE len(faces) > 0
), people AS MATERIALIZED (
  SELECT number, game, player, sittings.id, seat, from_n, to_n
  FROM (SELECT id, game, counted, row_number() OVER () AS number FROM games) AS games
    JOIN sittings USING (id)
  WHERE counted AND player IS NOT NULL
), thrown AS MATERIALIZED (
  SELECT number, game, player, sides, n, throw, side, stands
  FROM people JOIN rolls ON people.id = rolls.id AND people.seat = rolls.seat
      AND n >= from_n AND n <= coalesce(to_n, n)
    JOIN throws USING (sides, faces)
), sequences AS ( -- the throws of a game in order, each H or L; sorting integers is faster than a window
  SELECT game, player, sides, array_to_string(list_transform(
      list_sort(list(n * 4294967296 + throw * 2 + (side > 0)::INTEGER)),
      lambda key: if(key % 2 = 1, 'H', 'L')), '') AS sequence,
    count(*) FILTER (NOT stands) AS undone, count(*) FILTER (NOT stands AND side < 0) AS undone_low
  FROM thrown WHERE side <> 0 GROUP BY game, player, sides, number
), by_game AS ( -- a run ends at each HL and LH
  SELECT game, player, sides, len(replace(sequence, 'L', '')) AS high, len(sequence) - high AS low,
    1 + len(sequence) - len(replace(sequence, 'HL', 'H'))
      + len(sequence) - len(replace(sequence, 'LH', 'L')) AS runs,
    list_max(list_transform(string_split(sequence, 'H'), lambda run: len(run))) AS longest_low,
    undone, undone_low
  FROM sequences
), face_times AS (
  SELECT game, player, sides, face, sum(times)::BIGINT AS times
  FROM (
    SELECT game, player, sides, unnest(faces) AS face, times
    FROM (SELECT game, player, throw, count(*) AS times FROM thrown GROUP BY game, player, throw)
      JOIN throws USING (throw)
  )
  GROUP BY game, player, sides, face
), faces AS (
  SELECT game, player, sides, sum(times)::BIGINT AS dice, map_from_entries(list((face, times))) AS times
  FROM face_times GROUP BY game, player, sides
), games_thrown AS (
  SELECT game, player, sides, count(DISTINCT number) AS games FROM thrown GROUP BY game, player, sides
), corrected AS (
  SELECT game, player, sides, count(*) AS corrected,
    count(*) FILTER (list_sum(faces) * 2 < len(faces) * (sides + 1)) AS corrected_low
  FROM people JOIN corrected_rolls AS wrong ON people.id = wrong.id AND people.seat = wrong.seat
    AND n >= from_n AND n <= coalesce(to_n, n)
  WHERE list_sum(faces) * 2 <> len(faces) * (sides + 1)
  GROUP BY game, player, sides
), totals AS (
  SELECT game, player, sides, list((high, low)) AS throws, sum(high)::BIGINT AS high, sum(low)::BIGINT AS low,
    sum(runs)::BIGINT AS runs, max(longest_low) AS longest_low,
    sum(undone)::BIGINT AS undone, sum(undone_low)::BIGINT AS undone_low
  FROM by_game GROUP BY game, player, sides
)
SELECT faces.game, faces.player, faces.sides, dice, games,
  list_transform(range(1, faces.sides + 1), lambda face: coalesce(times[face], 0)::BIGINT) AS counts,
  coalesce(throws, []) AS throws, coalesce(high, 0) AS high, coalesce(low, 0) AS low,
  coalesce(runs, 0) AS runs, coalesce(longest_low, 0) AS longest_low,
  coalesce(undone, 0) AS undone, coalesce(undone_low, 0) AS undone_low,
  coalesce(corrected, 0) AS corrected, coalesce(corrected_low, 0) AS corrected_low
FROM faces JOIN games_thrown USING (game, player, sides) LEFT JOIN totals USING (game, player, sides)
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
