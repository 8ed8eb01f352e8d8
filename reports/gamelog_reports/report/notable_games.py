"""The section on notable games: longest, shortest and closest games, comebacks, upsets and slow turns."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from gamelog_reports.report.section import Section, TableCell
from gamelog_reports.report.source import Source

_MAX_ROWS = 2
"""Maximum number of comebacks, of upsets and of slow turns."""

_LEAST_DEFICIT = 2
"""Least deficit of a comeback. A winner who was one point behind came back from nothing."""

_UPSET = 0.8
"""Greatest chance of the winner in an upset, as a part of the chance among equal players."""

_EXTREMES_SQL = """
WITH complete AS (
  SELECT id, events, unit FROM played($game) WHERE to_the_end(result_by, gaps)
), margins AS (
  SELECT id, any_value(unit) AS unit, max(score) FILTER (won) - max(score) FILTER (NOT won) AS margin
  FROM complete JOIN seats USING (id) GROUP BY id
  HAVING count(*) FILTER (won) = 1 AND count(score) = count(*) AND margin >= 0
), extremes AS (
  SELECT 'longest' AS kind, id, events AS value, NULL AS unit FROM complete
  WHERE events = (SELECT max(events) FROM complete)
  UNION ALL
  SELECT 'shortest', id, events, NULL FROM complete WHERE events = (SELECT min(events) FROM complete)
  UNION ALL
  SELECT 'closest', id, margin, unit FROM margins WHERE margin = (SELECT min(margin) FROM margins)
)
SELECT kind, min(id) AS id, value, any_value(unit) AS unit, count(*) - 1 AS others
FROM extremes GROUP BY kind, value ORDER BY list_position(['longest', 'shortest', 'closest'], kind)
"""
"""One game of each kind, and the number of other games with the same value."""

_Row = dict[str, TableCell]


def notable_section(source: Source) -> Section:
    """Return the section on games that are worth a look."""
    say = source.wording
    section = Section("notable", say("Notable games"), say("No game was played to its end."))
    rows = [*_extremes(source), *_comebacks(source), *_upsets(source), *_slow_turns(source)]
    if not rows:
        return section
    heads = {"what": "what", "game": "game", "value": "how much"}
    return structs.replace(
        section,
        title=say("Extremes of the games played to the end, comebacks, upsets and slow turns"),
        basis=say("Turns of people are in minutes of play without pauses, by the recorder's clock."),
        tables=(source.table(rows, heads, name="Notable games"),),
        is_wide=True,
    )


def _extremes(source: Source) -> Iterator[_Row]:
    """Yield the longest, the shortest and the closest game. One of several equal games is linked."""
    say, rows = source.wording, source.ask(_EXTREMES_SQL)
    lengths = {row["value"] for row in rows if row["kind"] != "closest"}
    for row in rows:
        if row["kind"] == "closest":
            what, text = say("closest game"), "{=unit} between winner and next: {n}"
            value = say(text, n=row["value"], unit=say.word(row["unit"] or "points"))
        elif len(lengths) < 2:
            continue
        else:
            what = say("longest game") if row["kind"] == "longest" else say("shortest game")
            value = say("{n} {n:event|events}", n=row["value"])
        if row["others"]:
            value = say("{=value}, as in {n} other {n:game|games}", value=value, n=row["others"])
        yield {"what": what, "game": source.record(row["id"]), "value": value}


def _comebacks(source: Source) -> Iterator[_Row]:
    """Yield the winners who were furthest behind."""
    say = source.wording
    for row in source.ask("comebacks", most=_MAX_ROWS):
        if row["deficit"] >= _LEAST_DEFICIT:
            text = "{=player} won from {deficit} {=unit} behind at event {=n}"
            value = say(
                text,
                player=source.player_at(row["id"], row["winner"], row["n"]),
                deficit=row["deficit"],
                unit=say.word(row["unit"] or "points"),
                n=row["n"],
            )
            yield {"what": say("comeback"), "game": source.record(row["id"], row["n"]), "value": value}


def _upsets(source: Source) -> Iterator[_Row]:
    """Yield the victories that were the least likely by the ratings before the game."""
    say = source.wording
    for row in source.ask("upsets", most=_MAX_ROWS):
        if row["chance"] < _UPSET * row["even"]:
            text = "{=player} won against {=other} with a chance of {=chance} by the ratings before the game"
            value = say(
                text,
                player=source.player(row["player"]),
                other=source.player(row["favourite"]),
                chance=say.percent(row["chance"]),
            )
            yield {"what": say("upset"), "game": source.record(row["id"]), "value": value}


def _slow_turns(source: Source) -> Iterator[_Row]:
    """Yield the turns of people that took longest."""
    say = source.wording
    for row in source.ask("slow", most=_MAX_ROWS):
        times = row["times_the_middle"]
        text = (
            "{=player} took {=minutes} minutes"
            if times is None
            else "{=player} took {=minutes} minutes, {=times} times the median turn of the game"
        )
        value = say(
            text,
            player=source.player_at(row["id"], row["seat"], row["n"]),
            minutes=say.number(row["seconds"] / 60, 1),
            times="" if times is None else say.number(times, 1),
        )
        yield {"what": say("slow turn"), "game": source.record(row["id"], row["n"]), "value": value}
