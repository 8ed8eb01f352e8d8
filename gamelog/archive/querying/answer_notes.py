"""Notes to the answer of a stock question: the parts that it combines, and the parts that it leaves out."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gamelog.archive.querying.hints import first_values, unmatched_choices, unused_tag_hint
from gamelog.archive.querying.questions import GAME_PARAMETERS, PICKED_GAMES, Question
from gamelog.archive.rows.copies import FORK

if TYPE_CHECKING:
    import duckdb

_SETUPS = f"""
SELECT DISTINCT game, rules, options FROM {PICKED_GAMES} WHERE counted OR $uncounted::BOOLEAN LIMIT 1000
"""
"""The combinations of rules and options of the chosen games. The limit is enough to find the differences."""

_LEFT_OUT = f"""
SELECT count(copy_of), count(*) FILTER (id IN (SELECT id FROM findings WHERE code = '{FORK}'))
FROM {PICKED_GAMES}
"""

_UNPLAYED_SQL = f"""
SELECT CASE WHEN result_by = 'play' THEN 'gap' ELSE result_by END AS made, count(*) FROM {PICKED_GAMES}
WHERE (counted OR ($uncounted::BOOLEAN AND turns IS NOT NULL)) AND finished
  AND NOT CASE WHEN $part = 'played' THEN made_by_play(result_by) ELSE to_the_end(result_by, gaps) END
GROUP BY made ORDER BY count(*) DESC, made
"""
"""The number of finished games that a question leaves out, by the origin of their result."""

_SHARED = f"""
SELECT count(*) FROM {PICKED_GAMES} JOIN (
  SELECT id, seat FROM stays WHERE decisions > 0 GROUP BY id, seat
  HAVING count(DISTINCT coalesce(person, '')) > 1
) USING (id)
WHERE (counted OR ($uncounted::BOOLEAN AND turns IS NOT NULL)) AND finished AND made_by_play(result_by)
"""
"""The number of results of seats at which several people decided something."""

_CREDITS = {
    "none": "for none of these people (credit=none), because a result that several people made says little "
    "about each. To count them, set credit=starter, finisher or share",
    "starter": "for the first of these people (credit=starter)",
    "finisher": "for the last of these people (credit=finisher)",
    "share": "for each of these people, by their share of the decisions (credit=share)",
}
"""The people for whom such a result counts, in words, by the value of ``credit``."""

_PLACED = f"""
SELECT count(*), count(*) FILTER (id IN (SELECT id FROM seats WHERE place IS NOT NULL OR payoff IS NOT NULL))
FROM {PICKED_GAMES}
WHERE (counted OR ($uncounted::BOOLEAN AND turns IS NOT NULL)) AND finished AND made_by_play(result_by)
"""
"""The number of games with a result by play, and the number of these with places or payoffs."""

_RESULT_ORIGINS = {"gap": "play with moves that were not recorded", "ruling": "a ruling"}
"""The origin of a result in words, if it differs from the value in the column ``result_by``."""

_MAX_NAMED_DIFFERENCES = 3
"""The number of differences that a note names. It counts the others."""


def answer_notes(
    connection: duckdb.DuckDBPyConnection, question: Question, values: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the notes to `question` with these parameters, as sentences."""
    if "option" not in values:
        return ()
    chosen = {parameter.name: values[parameter.name] for parameter in GAME_PARAMETERS}
    takes_tags = any(parameter.name == "by" and not parameter.choices for parameter in question.parameters)
    tag = values["by"] if takes_tags else None
    notes = [*unmatched_choices(connection, chosen), *unused_tag_hint(connection, chosen, tag)]
    if "uncounted" not in values:
        return tuple(notes)
    counted = {**chosen, "uncounted": values["uncounted"]}
    if question.is_about_groups:
        notes += _merged_setups(connection.execute(_SETUPS, counted).fetchall(), chosen)
    if question.part != "counted_games":
        notes += _unplayed_games(
            connection.execute(_UNPLAYED_SQL, {**counted, "part": question.part}).fetchall()
        )
    if "credit" in values:
        ((count,),) = connection.execute(_SHARED, counted).fetchall()
        notes += shared_results(count, values["credit"])
    if question.name == "standings":
        notes += _missing_places(*connection.execute(_PLACED, counted).fetchall()[0])
    if str(values["uncounted"]).lower() in ("false", "0", "none"):
        notes += uncounted_records(*connection.execute(_LEFT_OUT, chosen).fetchall()[0])
    return tuple(notes)


def shared_results(count: int, credit: str) -> Iterator[str]:
    """Yield a note on results that several people made at one seat, and on the people who get them."""
    if count:
        subject = "1 result was" if count == 1 else f"{count:,} results were"
        verb = "It counts" if count == 1 else "They count"
        yield f"{subject} made by several people at one seat. {verb} {_CREDITS[credit]}."


def _missing_places(finished: int, placed: int) -> Iterator[str]:
    """Yield a note if no game has places or payoffs to compare."""
    if not finished:
        yield "No chosen game has a result by play, so there are no places or payoffs."
    elif not placed:
        subject = "The 1 finished game gives" if finished == 1 else f"All {finished:,} finished games give"
        yield (
            f"{subject} only the winners, without places or payoffs of the seats. To see results and ratings "
            "of players, ask the stock question players."
        )


def _unplayed_games(ends: list[tuple[str, int]]) -> Iterator[str]:
    """Yield a note on the finished games that are left out because of the origin of their result."""
    count = sum(number for _, number in ends)
    if count:
        subject = "1 finished game is" if count == 1 else f"{count:,} finished games are"
        origins = ", ".join(f"{number:,} by {_RESULT_ORIGINS.get(end, end)}" for end, number in ends)
        yield (
            f"{subject} left out because the result did not come by complete play ({origins}). To count all "
            "games, ask the stock question endings."
        )


def _merged_setups(setups: list[tuple[str, str, str]], chosen: Mapping[str, Any]) -> Iterator[str]:
    """Yield a note on each game for which the answer combines several versions of rules or options."""
    games: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for game, rules, options in setups:
        games[game]["rules"].add(rules)
        for name, value in json.loads(options).items():
            games[game][f"option={name}"].add(value if isinstance(value, str) else json.dumps(value))
    for game, members in sorted(games.items()):
        several = {
            name: sorted(values)
            for name, values in members.items()
            if len(values) > 1 and name != chosen["variant"]
        }
        if several:
            differences = [
                f"{name.replace('=', ' ')} ({first_values(values)})"
                for name, values in list(several.items())[:_MAX_NAMED_DIFFERENCES]
            ]
            more = (
                [f"{len(several) - _MAX_NAMED_DIFFERENCES} more"]
                if len(several) > _MAX_NAMED_DIFFERENCES
                else []
            )
            example = next(iter(several))
            yield (
                f"{game}: games that differ in {'; '.join(differences + more)} are taken together. For a "
                f"row for each value, set variant={example}; for one value only, set "
                f"{example}={several[example][0]}."
            )


def uncounted_records(copies: int, forks: int) -> Iterator[str]:
    """Yield notes on records that do not count because the archive has them several times."""
    if copies:
        subject = (
            "1 record is a copy of another record and does not"
            if copies == 1
            else f"{copies:,} records are copies of others and do not"
        )
        yield f"{subject} count. To list copies, ask the stock question copies."
    if forks:
        subject = "1 record does" if forks == 1 else f"{forks:,} records do"
        yield (
            f"{subject} not count because two files of one id differ, and neither continues the other. "
            "To list them, ask the stock question findings."
        )
