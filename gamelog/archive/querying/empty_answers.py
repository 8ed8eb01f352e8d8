"""The reasons why a stock question has an empty answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gamelog.archive.querying.questions import PICKED_GAMES, Question

if TYPE_CHECKING:
    import duckdb

_COUNTED = f"(FROM {PICKED_GAMES} WHERE counted OR ($uncounted::BOOLEAN AND turns IS NOT NULL))"
_PLAYED = f"(FROM {_COUNTED} WHERE finished AND made_by_play(result_by))"
_TO_THE_END = f"(FROM {_COUNTED} WHERE finished AND to_the_end(result_by, gaps))"

_CONTESTS = f"{_COUNTED} JOIN contests USING (id)"
_NO_CONTEST = "The chosen games have no contests with odds."

_OPPONENTS = f"""
{_COUNTED} AS g JOIN contests ON contests.id = g.id
  LEFT JOIN sittings AS one ON one.id = g.id AND one.seat = contests.seat
    AND n >= one.from_n AND n <= coalesce(one.to_n, n)
  LEFT JOIN sittings AS other ON other.id = g.id AND other.seat = contests.against
    AND n >= other.from_n AND n <= coalesce(other.to_n, n)
WHERE stands AND (against IS NULL OR $by = 'seat' OR one.player IS DISTINCT FROM other.player)
"""

_ANALYSED = (
    f"{_COUNTED} JOIN analyses USING (id) WHERE used",
    "No chosen game has an analysis. Analyse the games, and index them again.",
)
_NO_SWING = (
    f"{_COUNTED} JOIN analyses USING (id) WHERE playouts > 0",
    "The analyses of the chosen games measured only luck. To find turning points, analyse the games with "
    "playouts.",
)
_SWINGS = (
    f"{_COUNTED} JOIN swings USING (id)",
    "The analyses of the chosen games found no turning point.",
)

_REASONS: dict[str, tuple[tuple[str, str], ...]] = {
    "adjusted": (
        _ANALYSED,
        (
            f"{_COUNTED} JOIN settled.adjusted_results USING (id)",
            "Too few games of the same rules, options, board and seats have an analysis. Analyse ten or "
            "more.",
        ),
    ),
    "contests": ((_CONTESTS, _NO_CONTEST),),
    "decisive_moments": (
        _ANALYSED,
        _NO_SWING,
        _SWINGS,
        (
            f"(SELECT 1 FROM {_COUNTED} JOIN analyses USING (id) WHERE used AND playouts > 0 "
            "GROUP BY game HAVING $by = 'moment' OR count(*) >= min_games())",
            "Too few games have an analysis with playouts. Analyse 20 or more of one game, or set by=moment.",
        ),
    ),
    "luck_and_choice": (_ANALYSED,),
    "turning_points": (_ANALYSED, _NO_SWING, _SWINGS),
    "luck": (
        (_CONTESTS, _NO_CONTEST),
        (f"{_CONTESTS} WHERE stands", "All contests of the chosen games were undone."),
        (
            _OPPONENTS,
            "In all contests of the chosen games, one player is on both sides, for example one bot at all "
            "seats. For a row for each seat, set by=seat.",
        ),
    ),
    "dice": ((f"{_COUNTED} JOIN rolls USING (id)", "The chosen games have no dice."),),
    "fairness": (
        (f"{_COUNTED} JOIN rolls USING (id)", "The chosen games have no dice."),
        (
            f"{_COUNTED} JOIN rolls USING (id) JOIN sittings USING (id, seat) WHERE player IS NOT NULL",
            "No person who threw dice has a name.",
        ),
    ),
    "comebacks": (
        (
            f"{_PLAYED} JOIN seats USING (id) WHERE max_deficit IS NOT NULL",
            "The chosen games do not count points, so no seat leads.",
        ),
        (
            f"{_PLAYED} JOIN seats USING (id) WHERE len(winners) = 1 AND won AND max_deficit > 0",
            "No chosen game has one winner who was behind.",
        ),
    ),
    "leads": (
        (
            f"{_PLAYED} JOIN seats USING (id) WHERE max_deficit IS NOT NULL",
            "The chosen games do not count points, so no seat leads.",
        ),
    ),
    "places": (
        (
            f"""(SELECT id FROM contests WHERE stands AND place IS NOT NULL
              UNION ALL SELECT id FROM facts WHERE stands AND place IS NOT NULL)
              JOIN {_COUNTED} USING (id)""",
            "No event of the chosen games has a place on a board.",
        ),
    ),
    "players": (
        (
            f"{_COUNTED} JOIN sittings USING (id) WHERE player IS NOT NULL",
            "No player of the chosen games has a name.",
        ),
    ),
    "slow": (
        (
            f"{_COUNTED} JOIN turns USING (id) WHERE seat IS NOT NULL",
            "The chosen games have no turns in which only one seat decides.",
        ),
    ),
    "turn_order": (
        (
            f"{_PLAYED} JOIN seats USING (id) WHERE turn_order IS NOT NULL",
            "The chosen games have no turn order.",
        ),
    ),
}
"""For each question, sources of rows, and the reason if a source has no row. The first such reason counts."""


def empty_reason(
    connection: duckdb.DuckDBPyConnection, question: Question, values: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the reason why the answer to `question` is empty, if there is one.

    `values` are all parameters of the question. If no record matches them, `unmatched_choices` reports it.
    """
    if "as_of" in values and not connection.execute("FROM league").fetchall():
        yield "The archive has no league. Apply the file of a league to it."
    if "uncounted" not in values or question.name == "standings":
        return

    def has_rows(source: str) -> bool:
        needed = {name: value for name, value in values.items() if re.search(rf"\${name}\b", source)}
        return bool(connection.execute(f"SELECT 1 FROM {source} LIMIT 1", needed).fetchall())

    if not has_rows(PICKED_GAMES):
        return
    if not has_rows(_COUNTED):
        yield "No chosen game counts, so the answer is empty."
        return
    if question.part == "played" and not has_rows(_PLAYED):
        yield "No chosen game has a result by play, so the answer is empty."
        return
    if question.part == "to_the_end" and not has_rows(_TO_THE_END):
        yield "No chosen game was played to its end, so the answer is empty."
        return
    for source, reason in _REASONS.get(question.name, ()):
        if not has_rows(source):
            yield reason
            return
