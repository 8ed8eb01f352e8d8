"""What has to be said beside the answer to a stock question: what it joins, and what it leaves out."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gamelog.archive.asking.hints import first_values, unmatched, unused_tag_hint
from gamelog.archive.asking.questions import CHOICE, Question
from gamelog.archive.indexing.store import FORK

if TYPE_CHECKING:
    import duckdb

_PICKED = f"picked({', '.join(f'CAST(${one.name} AS {one.type})' for one in CHOICE)})"

SETUPS = (
    f"SELECT DISTINCT game, rules, options FROM {_PICKED} WHERE counted OR $uncounted::BOOLEAN LIMIT 1000"
)
"""By which rules and with which options the games were played;
so many ways are enough to say that there are several.
"""

_LEFT_OUT = f"""
SELECT count(copy_of), count(*) FILTER (id IN (SELECT id FROM findings WHERE code = '{FORK}')) FROM {_PICKED}
"""

UNPLAYED = f"""
SELECT CASE WHEN result_by = 'play' THEN 'gap' ELSE result_by END AS made, count(*) FROM {_PICKED}
WHERE (counted OR ($uncounted::BOOLEAN AND turns IS NOT NULL)) AND finished
  AND NOT CASE WHEN $part = 'played' THEN made_by_play(result_by) ELSE to_the_end(result_by, gaps) END
GROUP BY made ORDER BY count(*) DESC, made
"""
"""The finished games that a question leaves out, by what made their result."""

SHARED = f"""
SELECT count(*) FROM {_PICKED} JOIN (
  SELECT id, seat FROM stays WHERE decisions > 0 GROUP BY id, seat
  HAVING count(DISTINCT coalesce(person, '')) > 1
) USING (id)
WHERE (counted OR ($uncounted::BOOLEAN AND turns IS NOT NULL)) AND finished AND made_by_play(result_by)
"""
"""Results of seats at which several people decided something."""

CREDITS = {
    "none": "for none of these people (credit=none), because a result that several people made says little "
    "of each. To count them, run the question with --set credit=starter, finisher or share",
    "starter": "for the first of these people (credit=starter)",
    "finisher": "for the last of these people (credit=finisher)",
    "share": "for each of these people in the part of the decisions that they made (credit=share)",
}
"""For whom such a result counts, by the rule."""

_PLACED = f"""
SELECT count(*), count(*) FILTER (id IN (SELECT id FROM seats WHERE place IS NOT NULL OR payoff IS NOT NULL))
FROM {_PICKED}
WHERE (counted OR ($uncounted::BOOLEAN AND turns IS NOT NULL)) AND finished AND made_by_play(result_by)
"""
"""The games that players finished, and those of them that give places or payoffs."""

ENDS = {"gap": "play that was not all written down", "ruling": "a ruling"}
"""What made a result, as it is said."""

_TOLD = 3
"""Options that are named, the others are counted."""


def answer_notes(
    connection: duckdb.DuckDBPyConnection, question: Question, values: Mapping[str, Any]
) -> tuple[str, ...]:
    """The sentences about a question that is asked with all these `values`."""
    if "option" not in values:
        return ()
    chosen = {parameter.name: values[parameter.name] for parameter in CHOICE}
    told = [*unmatched(connection, chosen), *unused_tag_hint(connection, chosen, values.get("by"))]
    if "uncounted" not in values:
        return tuple(told)
    counted = {**chosen, "uncounted": values["uncounted"]}
    if question.groups:
        told += _together(connection.execute(SETUPS, counted).fetchall(), chosen)
    if question.part != "counted_games":
        told += _unplayed(connection.execute(UNPLAYED, {**counted, "part": question.part}).fetchall())
    if "credit" in values:
        ((count,),) = connection.execute(SHARED, counted).fetchall()
        told += shared_results(count, values["credit"])
    if question.name == "standings":
        told += _unplaced(*connection.execute(_PLACED, counted).fetchall()[0])
    if str(values["uncounted"]).lower() in ("false", "0", "none"):
        told += left_out(*connection.execute(_LEFT_OUT, chosen).fetchall()[0])
    return tuple(told)


def shared_results(count: int, credit: str) -> Iterator[str]:
    """Yield for whom the results of `count` seats count at which several people decided something."""
    if count:
        what = "1 result was" if count == 1 else f"{count:,} results were"
        yield f"{what} made by several people at one seat: counted {CREDITS[credit]}."


def _unplaced(finished: int, placed: int) -> Iterator[str]:
    """Yield why no game has places or payoffs to compare."""
    if not finished:
        yield "No game asked for was finished by play, so there are no places or payoffs."
    elif not placed:
        what = "The 1 finished game says" if finished == 1 else f"All {finished:,} finished games say"
        yield (
            f"{what} only who won, without places or payoffs of the seats. To see results and ratings of "
            "players, run: gamelog query players"
        )


def _unplayed(ends: list[tuple[str, int]]) -> Iterator[str]:
    """How many finished games a question leaves out for what made their result."""
    count = sum(number for _, number in ends)
    if count:
        what = "1 finished game is" if count == 1 else f"{count:,} finished games are"
        said = ", ".join(f"{number:,} by {ENDS.get(end, end)}" for end, number in ends)
        yield f"{what} left out for how the result came about ({said}); gamelog query endings counts them."


def _together(setups: list[tuple[str, str, str]], chosen: Mapping[str, Any]) -> Iterator[str]:
    """Of which games several versions of the rules, or several values of an option, are taken together."""
    games: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for game, rules, options in setups:
        games[game]["rules"].add(rules)
        for name, value in json.loads(options).items():
            games[game][f"option={name}"].add(value if isinstance(value, str) else json.dumps(value))
    for game, members in sorted(games.items()):
        several = {
            name: sorted(found)
            for name, found in members.items()
            if len(found) > 1 and name != chosen["variant"]
        }
        if several:
            named = [
                f"{name.replace('=', ' ')} ({first_values(found)})"
                for name, found in list(several.items())[:_TOLD]
            ]
            more = [f"{len(several) - _TOLD} more"] if several.keys() - list(several)[:_TOLD] else []
            first = next(iter(several))
            yield (
                f"{game}: games that differ in {'; '.join(named + more)} are taken together; "
                f"--by {first} gives a row for each, --set {first}={several[first][0]} only one."
            )


def left_out(copies: int, forks: int) -> Iterator[str]:
    """What is said of records that do not count because they are there more than once."""
    if copies:
        what = (
            "1 record is a copy of another and does not"
            if copies == 1
            else f"{copies:,} records are copies of others and do not"
        )
        yield f"{what} count; gamelog query copies shows which."
    if forks:
        what = "1 record does" if forks == 1 else f"{forks:,} records do"
        yield (
            f"{what} not count because two files of one id differ, and neither extends the other; see "
            "gamelog query findings."
        )
