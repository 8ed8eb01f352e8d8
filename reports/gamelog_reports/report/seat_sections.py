"""The sections on seats: the advantage of a seat and of the turn order, places and payoffs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import structs

from gamelog.archive import MIN_GAMES
from gamelog_reports.report.chart_drawing import scale_of
from gamelog_reports.report.charts import Chart, ChartMark, chart
from gamelog_reports.report.section import Section, Test
from gamelog_reports.report.source import Source
from gamelog_reports.seat_style import seat_styles

_Row = dict[str, Any]

_SAME_SEAT_SHARE = 0.8
"""The part of the games from which on a player counts as always at the same seat."""

_STANDINGS_HEADS = {"players": "players", "seat": "seat", "games": "games"}
_STANDINGS_PLACES = {"first": "first", "last": "last", "place": "mean place"}
"""The members of the rows of places and payoffs, with their headings."""

_SITTERS_SQL = """
SELECT players FROM (
  SELECT players, seat, sum(games) AS all_games, max(games) / all_games AS part,
    max_by(player, games) AS player
  FROM (SELECT players, seat, player, count(*) AS games FROM played($game) JOIN seats USING (id) GROUP BY ALL)
  GROUP BY players, seat
) WHERE part >= $part AND all_games >= $least
GROUP BY players HAVING count(DISTINCT player) > 1 ORDER BY players
"""
"""The numbers of players with which different players sit at the same seats in most games."""


def seats_section(source: Source) -> Section:
    """Return the section on whether a seat wins more than its share."""
    say = source.wording
    rows = [row | {"place": say.word(row["seat"])} for row in source.ask("seats")]
    section = Section("seats", say("Seats"), say("No seat shows an advantage beyond chance"))
    section = _advantage(source, section, rows, "seat")
    inseparable = () if section.is_bare else _inseparable_note(source)
    return structs.replace(section, notes=(*section.notes, *inseparable, *_excluded_games_note(source)))


def _excluded_games_note(source: Source) -> Iterable[str]:
    """Yield the number of games that are left out because their result shows nothing about seats."""
    count = source.finished_games_without("made_by_play(result_by)")
    if count:
        yield source.wording(
            "{n} {n:finished game is|finished games are} left out of shares and ratings, because "
            "a walkover or a ruling decided the result.",
            n=count,
        )


def _inseparable_note(source: Source) -> Iterable[str]:
    """Yield the sentence on numbers of players with which seats and players cannot be separated."""
    say = source.wording
    rows = source.ask(_SITTERS_SQL, part=_SAME_SEAT_SHARE, least=MIN_GAMES)
    players = [say.number(row["players"]) for row in rows]
    if players:
        yield say(
            "With {=players} players, the same players sat at the same seats in at least {=part} of the "
            "games, so seat and player cannot be separated.",
            players=say.join(players),
            part=say.percent(_SAME_SEAT_SHARE),
        )


def turn_order_section(source: Source) -> Section:
    """Return the section on whether it helps to move first."""
    say = source.wording
    rows = [row | {"place": say.ordinal(row["turn_order"])} for row in source.ask("turn_order")]
    title = say("No position in the turn order shows an advantage beyond chance")
    section = Section("turns", say("Turn order"), title)
    return _advantage(source, section, rows, "place")


def _advantage(source: Source, section: Section, rows: list[_Row], by: str) -> Section:
    """Return `section` with the victories by seat or place, with rows for each number of players."""
    say = source.wording
    groups: dict[int, list[_Row]] = {}
    for row in rows:
        if row["decided"]:
            groups.setdefault(row["players"], []).append(row)
    if not groups:
        return structs.replace(section, title=say("No game that was played has a single winner yet."))
    decided = {players: max(row["decided"] for row in group) for players, group in groups.items()}
    tests = [
        _test(source, row, by, players)
        for players, group in sorted(groups.items())
        if decided[players] >= MIN_GAMES
        for row in _rows_with_test(players, group)
    ]
    drawn = [players for players in groups if decided[players] >= MIN_GAMES]
    if not drawn:
        text = "Too few games: a comparison needs about {n} with one winner and the same number of players."
        needed = min(row["needed"] for group in groups.values() for row in group)
        return structs.replace(section, title=say(text, n=needed), is_weak=True)
    groups = {players: groups[players] for players in drawn}
    notes = () if tests else _why_untested(source, groups)
    title = section.title if tests else say("These games cannot show an advantage")
    games = sum(decided[players] for players in drawn)
    basis = say("{n} {n:game|games} with one winner.", n=games)
    charts = (_chart(source, rows, groups, by),)
    return structs.replace(
        section,
        title=title,
        basis=basis,
        notes=notes,
        charts=charts,
        tests=tuple(tests),
        is_weak=not tests,
    )


def _rows_with_test(players: int, group: list[_Row]) -> list[_Row]:
    """Return the rows with a test, the furthest from the expected share first."""
    tested = sorted(
        (row for row in group if row["p"] is not None),
        key=lambda row: -abs(row["won"] / row["decided"] - _expected_share(row)),
    )
    return tested[:1] if players == 2 else tested  # with two players, one wins when the other loses


def _why_untested(source: Source, groups: dict[int, list[_Row]]) -> tuple[str, ...]:
    """Return the sentences that say why there is no test."""
    say = source.wording
    withheld = {row["withheld"]: None for group in groups.values() for row in group if row["withheld"]}
    reasons = [*withheld] if say.language == "en" else []
    return tuple(say("There is no test: {=error}.", error=error) for error in reasons)


def _test(source: Source, row: _Row, by: str, players: int) -> Test:
    """Return the comparison of a seat or place with its expected share."""
    say = source.wording
    text = (
        "With {players} {players:player|players}, {=place} wins {=won} of the games, not the expected {=even}"
        if by == "seat"
        else "With {players} {players:player|players}, the {=place} to move wins {=won} of the games, not "
        "the expected {=even}"
    )
    won, even = say.percent(row["won"] / row["decided"]), say.percent(_expected_share(row))
    return Test(
        say(text, players=players, place=row["place"], won=won, even=even),
        row["p"],
        say("95% interval {=interval}", interval=say.format_interval(row["low"], row["high"])),
        say("{n} {n:game|games}", n=row["decided"]),
    )


def _chart(source: Source, rows: list[_Row], groups: dict[int, list[_Row]], by: str) -> Chart:
    """Return the chart of the games that each seat or place won, by number of players."""
    say = source.wording
    names = tuple(
        dict.fromkeys(row["seat"] for row in sorted(rows, key=lambda row: -row["players"]))
        if by == "seat"
        else ()
    )
    looks = dict(zip(names, seat_styles(names), strict=True))
    is_tested = any(row["expected"] is not None for group in groups.values() for row in group)
    marks = [
        (
            say("{n} {n:player|players}", n=players),
            [
                ChartMark(
                    row["place"],
                    row["won"] / row["decided"],
                    (
                        say.percent(row["won"] / row["decided"]),
                        say.format_interval(row["low"], row["high"]),
                        *(
                            ("–" if row["expected"] is None else say.percent(_expected_share(row)),)
                            if is_tested
                            else ()
                        ),
                        say("{won} of {all}", won=row["won"], all=row["decided"]),
                    ),
                    (row["low"], row["high"]),
                    None if row["expected"] is None else _expected_share(row),
                    looks.get(row.get("seat", "")),
                )
                for row in group
            ],
        )
        for players, group in sorted(groups.items())
    ]
    legend = [("dot", say("share won")), ("interval", say("95% interval"))]
    if is_tested:
        legend.append(("even", say("expected from the strength of the players")))
    ends = [end for group in groups.values() for row in group for end in (row["low"], row["high"])]
    return chart(
        marks,
        scale_of(ends, say.percent, zero=True),
        heads=(
            say("seat") if by == "seat" else say("place"),
            say("share of the games won"),
            say("won"),
            say("95% interval"),
            *([say("expected")] if is_tested else []),
            say("games"),
        ),
        legend=legend,
    )


def _expected_share(row: _Row) -> float:
    """Return the part of the games that a seat or place would win by its players' strength alone."""
    return float(row["expected"] / row["decided"])


def standings_section(source: Source) -> Section:
    """Return the section on the places and payoffs of each seat."""
    say = source.wording
    section = Section("places", say("Places and payoffs"), say("Places and payoffs of each seat"))
    rows = source.ask("standings")
    if not rows:
        return structs.replace(section, title=say("No game gives places or payoffs."))
    shown = [
        row
        | {"seat": say.word(row["seat"])}
        | {"place": _mean_with_error(source, row["games"], row["place_mean"], row["place_error"])}
        | {"payoff": _mean_with_error(source, row["games"], row["payoff_mean"], row["payoff_error"])}
        for row in rows
    ]
    placed = any(row["place_mean"] is not None for row in rows)
    paid = any(row["payoff_mean"] is not None for row in rows)
    heads = _STANDINGS_HEADS | (_STANDINGS_PLACES if placed else {})
    heads |= {"payoff": "mean payoff"} if paid else {}
    few = min(row["games"] for row in rows) < MIN_GAMES
    notes = (say("Means of fewer than {n} {n:game|games} are not shown.", n=MIN_GAMES),) if few else ()
    basis = say("The number after ± is half of the 95% interval of the mean.")
    return structs.replace(
        section, basis=basis, notes=notes, tables=(source.table(shown, heads),), is_wide=len(heads) > 4
    )


def _mean_with_error(source: Source, games: int, mean: float | None, error: float | None) -> str:
    """Return a mean with half of its 95% interval, or nothing without a mean or with too few games."""
    if mean is not None and error is not None and games >= MIN_GAMES:
        return f"{source.wording.number(mean, 2)} ± {source.wording.number(1.96 * error, 2)}"
    return ""
