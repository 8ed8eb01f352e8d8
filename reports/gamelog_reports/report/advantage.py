"""Who is favoured by the seat, or by the order of turns."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from msgspec import structs

from gamelog.message import join_words, many
from gamelog_reports.report import charts
from gamelog_reports.report.chart_drawing import draw
from gamelog_reports.report.fairness_panels import LINES
from gamelog_reports.report.section import Figure, ReportTable, Section, Test, table
from gamelog_reports.report.source import Source
from gamelog_reports.report.wording import MIN_DRAWN, MIN_GAMES, percent, probability, several_tests
from gamelog_reports.seat_style import seat_styles

_Row = dict[str, Any]

BOUND = 0.8
"""Part of the games from which on somebody's seat is as good as always the same."""

SITTERS = """
SELECT players, seat, max(games) / sum(games) AS part, max_by(player, games) AS player
FROM (SELECT players, seat, player, count(*) AS games FROM played($game) JOIN seats USING (id) GROUP BY ALL)
GROUP BY players, seat ORDER BY players, seat
"""
"""Who sits at each seat most, and in which part of the games."""

ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}


def seats_section(source: Source) -> Section:
    """Does a seat win more than its share?"""
    section = _advantage("Advantage of the seat", source.ask("seats"), "seat", "seat")
    return structs.replace(section, says=(*section.says, *_bound(source), *_unplayed(source)))


def _unplayed(source: Source) -> Iterable[str]:
    """That games are left out whose result says nothing about seats."""
    count = source.finished_otherwise("made_by_play(result_by)")
    if count:
        yield (
            f"{many(count, 'finished game is', 'finished games are')} left out, here and wherever shares and "
            "ratings are told: a walkover or a ruling made the result, not play."
        )


def _bound(source: Source) -> Iterable[str]:
    """Where seats cannot be told from sitters: nearly always the same at one, and not the same at all."""
    rows = [row for row in source.ask(SITTERS) if row["part"] >= BOUND]
    for players, group in groupby(rows, key=lambda row: row["players"]):
        found = list(group)
        if len({row["player"] for row in found}) > 1:
            seats = join_words([f"{source.people.name(row['player'])} at {row['seat']}" for row in found])
            yield (
                f"{many(players, 'player')}: the same sat at the same seats in {percent(BOUND)} of the games "
                f"or more ({seats}), so that seat and player cannot be told apart."
            )


def turn_order_section(source: Source) -> Section:
    """Does it help to go first?"""
    rows = source.ask("turn_order")
    for row in rows:
        row["place"] = ORDINALS.get(row["turn_order"], f"{row['turn_order']}th")
    return _advantage("Advantage of the turn order", rows, "place", "place in the order of first turns")


def _advantage(title: str, rows: list[_Row], by: str, words: str) -> Section:
    """Shares of victories by the column `by`, in a panel for each number of players."""
    groups: dict[int, list[_Row]] = {}
    for row in rows:
        if row["decided"]:
            groups.setdefault(row["players"], []).append(row)
    if not groups:
        return Section(title, ("No game that was played has a single winner yet.",))
    says: list[str] = []
    tests: list[Test] = []
    for players, group in sorted(groups.items()):
        said, tested = _told(players, group, by)
        says += said
        tests += [Test(_wins(row, by, players), row["p"]) for row in tested]
    says.append(
        "The test allows for how strong those were who sat there, people and bots alike, by the ratings that "
        "the same games give, and for how uncertain these are."
    )
    figures = _figures(title, rows, groups, by, words)
    return Section(title, tuple(says), figures, (_numbers(rows, by),), tuple(tests))


def _told(players: int, group: list[_Row], by: str) -> tuple[list[str], list[_Row]]:
    """What is said of the games of so many players, and the rows that are tested."""
    decided = max(row["decided"] for row in group)
    start = f"{many(players, 'player')}, {many(decided, 'game')}: "
    if decided < MIN_GAMES:
        return [f"{start}too few games to say; {MIN_GAMES} are asked for."], []
    tested = sorted(
        (row for row in group if row["p"] is not None),
        key=lambda row: -abs(row["won"] / row["decided"] - _even(row)),
    )
    if players == 2:
        tested = tested[:1]  # of two, one wins when the other loses
    untold = next((row["withheld"] for row in group if row["withheld"]), None)
    says = []
    if tested:
        far = tested[0]
        won = percent(far["won"] / far["decided"])
        told = f"{far[by]} with {won} (between {percent(far['low'])} and {percent(far['high'])})"
        found = several_tests(row["p"] for row in tested)
        says.append(f"{start}furthest from {percent(_even(far))} is {told}. {found}")
        if untold:
            whom = join_words([str(row[by]) for row in group if row["withheld"]])
            says.append(f"Nothing is said of {whom}: {untold}.")
    elif untold:
        says.append(f"{start}nothing is said: {untold}.")
    return says, tested


def _figures(
    title: str, rows: list[_Row], groups: dict[int, list[_Row]], by: str, words: str
) -> tuple[Figure, ...]:
    """The shares of those numbers of players with enough games, or else with some."""
    decided = {players: max(row["decided"] for row in group) for players, group in groups.items()}
    drawn = [players for players in groups if decided[players] >= MIN_GAMES] or [
        players for players in groups if decided[players] >= MIN_DRAWN
    ]
    shown = [
        {
            "label": row[by],
            "share": row["won"] / row["decided"],
            "low": row["low"],
            "high": row["high"],
            "even": None if row["expected"] is None else _even(row),
            "note": f"{row['won']} of {row['decided']}",
            "group": many(players, "player"),
        }
        for players in drawn
        for row in groups[players]
    ]
    if not shown:
        return ()
    order = [row["seat"] for row in sorted(rows, key=lambda row: -row["players"])] if by == "seat" else []
    names = tuple(dict.fromkeys(order))
    looks = dict(zip(names, seat_styles(names), strict=True)) if names else None
    dots = f"Dots: part of the games with one winner that each {words} won."
    label = f"{title}: part of the games won, with intervals"
    picture = draw(charts.shares(shown, "games won", looks=looks), shown, label)
    dashed = " Dashed: if it made no difference." if any(row["even"] is not None for row in shown) else ""
    return (Figure(picture, f"{dots} {LINES}{dashed}"),)


def _numbers(rows: list[_Row], by: str) -> ReportTable:
    """All of them as a table."""
    numbers = [
        {
            "group": row["players"],
            by: row[by],
            "games": row["games"],
            "share": percent(row["share"]),
            "won": row["won"],
            "decided": row["decided"],
            "expected": None if row["expected"] is None else f"{row['expected']:.1f}",
            "p": None if row["decided"] == 0 else probability(row["p"]),
        }
        for row in rows
    ]
    heads = {"group": "players", by: by, "games": "games", "share": "mean share", "won": "won alone"}
    heads |= {"decided": "of games with one winner", "expected": "expected by strength", "p": "test"}
    return table(numbers, heads)


def _wins(row: dict[str, Any], by: str, players: int) -> str:
    """How often a place wins, in words."""
    place = row[by] if by == "seat" else f"the {row[by]} to play"
    won, even = percent(row["won"] / row["decided"]), percent(_even(row))
    return (
        f"With {many(players, 'player')}, {place} wins {won} of {many(row['decided'], 'game')}, where "
        f"{even} would be even"
    )


def _even(row: dict[str, Any]) -> float:
    """The part of the games that those who had a place would win by their strengths alone."""
    return float(row["expected"] / row["decided"])
