"""The sections on seats: the advantage of a seat and of the turn order, places and payoffs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from msgspec import structs

from gamelog_reports.report import charts
from gamelog_reports.report.chart_drawing import draw
from gamelog_reports.report.fairness_panels import interval_caption
from gamelog_reports.report.section import Figure, ReportTable, Section, Test
from gamelog_reports.report.source import Source
from gamelog_reports.report.wording import MIN_DRAWN, MIN_GAMES
from gamelog_reports.seat_style import seat_styles

_Row = dict[str, Any]

_SAME_SEAT_SHARE = 0.8
"""The part of the games from which on a player counts as always at the same seat."""

_STANDINGS_HEADS = {"players": "players", "seat": "seat", "games": "games"}
_STANDINGS_PLACES = {"first": "first", "last": "last", "place": "mean place"}
"""The members of the rows of places and payoffs, with their headings."""

_SITTERS_SQL = """
SELECT players, seat, max(games) / sum(games) AS part, max_by(player, games) AS player
FROM (SELECT players, seat, player, count(*) AS games FROM played($game) JOIN seats USING (id) GROUP BY ALL)
GROUP BY players, seat ORDER BY players, seat
"""
"""The player who sits at each seat most, and in which part of the games."""


def seats_section(source: Source) -> Section:
    """Return the section on whether a seat wins more than its share."""
    rows = [row | {"place": source.say.word(row["seat"])} for row in source.ask("seats")]
    section = _advantage(source, "Advantage of the seat", rows, "seat")
    return structs.replace(section, says=(*section.says, *_bound(source), *_left_out(source)))


def _left_out(source: Source) -> Iterable[str]:
    """Yield the number of games that are left out because their result shows nothing about seats."""
    count = source.finished_otherwise("made_by_play(result_by)")
    if count:
        yield source.say(
            "{n} {n:finished game is|finished games are} left out of shares and ratings, because "
            "a walkover or a ruling decided the result.",
            n=count,
        )


def _bound(source: Source) -> Iterable[str]:
    """Yield the numbers of players with which seats and players cannot be separated."""
    say = source.say
    rows = [row for row in source.ask(_SITTERS_SQL) if row["part"] >= _SAME_SEAT_SHARE]
    for players, group in groupby(rows, key=lambda row: row["players"]):
        rows_of_group = list(group)
        if len({row["player"] for row in rows_of_group}) > 1:
            seats = [
                say("{=player} at {=seat}", player=source.player(row["player"]), seat=say.word(row["seat"]))
                for row in rows_of_group
            ]
            yield say(
                "{n} {n:player|players}: the same players sat at the same seats in at least "
                "{=part} of the games ({=seats}), so seat and player cannot be separated.",
                n=players,
                part=say.percent(_SAME_SEAT_SHARE),
                seats=say.join(seats),
            )


def turn_order_section(source: Source) -> Section:
    """Return the section on whether it helps to move first."""
    rows = [row | {"place": source.say.ordinal(row["turn_order"])} for row in source.ask("turn_order")]
    return _advantage(source, "Advantage of the turn order", rows, "place")


def _advantage(source: Source, name: str, rows: list[_Row], by: str) -> Section:
    """Return the section on the victories by seat or place, with a panel for each number of players."""
    say, title = source.say, source.say(name)
    groups: dict[int, list[_Row]] = {}
    for row in rows:
        if row["decided"]:
            groups.setdefault(row["players"], []).append(row)
    if not groups:
        return Section(title, (say("No game that was played has a single winner yet."),))
    says: list[str] = []
    tests: list[Test] = []
    for players, group in sorted(groups.items()):
        sentences, tested = _conclusions(source, players, group)
        says += sentences
        tests += [Test(_victories(source, row, by, players), row["p"]) for row in tested]
    says.append(
        say(
            "The test allows for the strength of players and bots, by the ratings from the same "
            "games, and for the uncertainty of these ratings."
        )
    )
    figures = _figures(source, title, rows, groups, by)
    return Section(title, tuple(says), figures, (_numbers(source, rows, by),), tuple(tests))


def _conclusions(source: Source, players: int, group: list[_Row]) -> tuple[list[str], list[_Row]]:
    """Return the sentences on the games of this many players, and the rows that are tested."""
    say = source.say
    decided = max(row["decided"] for row in group)
    counts = {"players": players, "games": decided}
    if decided < MIN_GAMES:
        text = (
            "{players} {players:player|players}, {games} {games:game|games}: too few games for a test, which "
            "needs {least}."
        )
        return [say(text, least=MIN_GAMES, **counts)], []
    tested = sorted(
        (row for row in group if row["p"] is not None),
        key=lambda row: -abs(row["won"] / row["decided"] - _even(row)),
    )
    if players == 2:
        tested = tested[:1]  # with two players, one wins when the other loses
    withheld = next((row["withheld"] for row in group if row["withheld"]), None)
    why = withheld if say.language == "en" else say("these games cannot show it")
    says = []
    if tested:
        furthest = tested[0]
        text = (
            "{players} {players:player|players}, {games} {games:game|games}: {=place} is "
            "furthest from {=even}, with {=won} of the victories (between {=low} and {=high}). "
            "{=test}"
        )
        says.append(
            say(
                text,
                **counts,
                place=furthest["place"],
                even=say.percent(_even(furthest)),
                won=say.percent(furthest["won"] / furthest["decided"]),
                low=say.percent(furthest["low"]),
                high=say.percent(furthest["high"]),
                test=say.several_tests(row["p"] for row in tested),
            )
        )
        if withheld:
            places = say.join([row["place"] for row in group if row["withheld"]])
            says.append(say("There is no test for {=places}: {=why}.", places=places, why=why))
    elif withheld:
        text = (
            "{players} {players:player|players}, {games} {games:game|games}: there is no "
            "test, because {=why}."
        )
        says.append(say(text, **counts, why=why))
    return says, tested


def _figures(
    source: Source, title: str, rows: list[_Row], groups: dict[int, list[_Row]], by: str
) -> tuple[Figure, ...]:
    """Return the chart for the numbers of players with `MIN_GAMES` games, or otherwise with `MIN_DRAWN`."""
    say = source.say
    decided = {players: max(row["decided"] for row in group) for players, group in groups.items()}
    player_counts = [players for players in groups if decided[players] >= MIN_GAMES] or [
        players for players in groups if decided[players] >= MIN_DRAWN
    ]
    chart_rows = [
        {
            "label": row["place"],
            "share": row["won"] / row["decided"],
            "low": row["low"],
            "high": row["high"],
            "even": None if row["expected"] is None else _even(row),
            "note": say("{won} of {all}", won=row["won"], all=row["decided"]),
            "group": say("{n} {n:player|players}", n=players),
        }
        for players in player_counts
        for row in groups[players]
    ]
    if not chart_rows:
        return ()
    order = [row["seat"] for row in sorted(rows, key=lambda row: -row["players"])] if by == "seat" else []
    names = tuple(dict.fromkeys(order))
    styles = dict(zip(map(say.word, names), seat_styles(names), strict=True)) if names else None
    parts = [
        say("Dots: share of the games with one winner that each seat won.")
        if by == "seat"
        else say("Dots: share of the games with one winner that each place in the turn order won."),
        interval_caption(say),
        say("Dashed: no advantage.") if any(row["even"] is not None for row in chart_rows) else "",
    ]
    label = say("{=title}: share of the games won, with intervals", title=title)
    picture = draw(charts.shares(chart_rows, say("games won"), looks=styles), chart_rows, label, say.language)
    return (Figure(picture, " ".join(filter(None, parts))),)


def _numbers(source: Source, rows: list[_Row], by: str) -> ReportTable:
    """Return all shares as a table."""
    say = source.say
    numbers = [
        {
            "group": row["players"],
            "place": row["place"],
            "games": row["games"],
            "share": say.percent(row["share"]),
            "won": row["won"],
            "decided": row["decided"],
            "expected": None if row["expected"] is None else say.number(row["expected"], 1),
            "p": None if row["decided"] == 0 else say.probability(row["p"]),
        }
        for row in rows
    ]
    heads = {"group": "players", "place": by, "games": "games", "share": "mean share", "won": "won alone"}
    heads |= {"decided": "games with one winner", "expected": "expected by strength", "p": "test"}
    return source.table(numbers, heads)


def _victories(source: Source, row: _Row, by: str, players: int) -> str:
    """Return the share of victories of a seat or place, compared with an even share."""
    text = (
        "With {players} {players:player|players}, {=place} wins {=won} of {games} "
        "{games:game|games}; an even share would be {=even}"
        if by == "seat"
        else "With {players} {players:player|players}, the {=place} to move wins {=won} of {games} "
        "{games:game|games}; an even share would be {=even}"
    )
    won, even = source.say.percent(row["won"] / row["decided"]), source.say.percent(_even(row))
    return source.say(text, players=players, place=row["place"], won=won, games=row["decided"], even=even)


def _even(row: _Row) -> float:
    """Return the part of the games that a seat or place would win by its players' strength alone."""
    return float(row["expected"] / row["decided"])


def standings_section(source: Source) -> Section:
    """Return the section on the places and payoffs of each seat."""
    say = source.say
    title = say("Places and payoffs")
    rows = source.ask("standings")
    if not rows:
        return Section(title, (say("No game gives places or payoffs."),))
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
    says = [say("The number after ± is half of the 95% interval of the mean.")]
    if placed:
        says.insert(0, say("Place 1 is the best. Tied seats share a place."))
    if min(row["games"] for row in rows) < MIN_GAMES:
        says.append(say("Means of fewer than {n} {n:game|games} are not shown.", n=MIN_GAMES))
    return Section(title, tuple(says), tables=(source.table(shown, heads, folded=False),))


def _mean_with_error(source: Source, games: int, mean: float | None, error: float | None) -> str:
    """Return a mean with half of its 95% interval, or nothing without a mean or with too few games."""
    if mean is not None and error is not None and games >= MIN_GAMES:
        return f"{source.say.number(mean, 2)} ± {source.say.number(1.96 * error, 2)}"
    return ""
