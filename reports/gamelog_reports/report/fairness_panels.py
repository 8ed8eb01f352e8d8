"""Who is favoured: by the dice, the contests, or luck; and who is how strong."""

from __future__ import annotations

from collections import Counter
from typing import Any

from gamelog.message import many
from gamelog_reports.report import charts
from gamelog_reports.report.chart_drawing import draw
from gamelog_reports.report.section import MOST_ROWS, Figure, ReportTable, Section, Test, table
from gamelog_reports.report.source import Source
from gamelog_reports.report.wording import LEVEL, MIN_GAMES, percent, probability, several_tests

_SHOWN = 20
"""Rows of a chart or a table of people."""

LEAST_OF_FACE = 5
"""Dice of each face to expect before chi-square's approximation holds, as is usual."""

NORMAL = 1.96
"""Standard deviations that 95 % of chance lies within."""

LINES = "Lines: the 95 % interval (Wilson's) of what lies behind it."


def dice_section(source: Source) -> Section:
    """Do all faces fall equally often?"""
    rows = [row for row in source.ask("dice") if row["dice"]]
    title = "Dice against expectation"
    if not rows:
        return Section(title, ("No dice were thrown.",))
    says: list[str] = []
    shown: list[dict[str, Any]] = []
    tests: list[Test] = []
    for row in rows:
        name = f"{row['thrower']}, {many(row['sides'], 'side')}"
        share = row["dice"] / row["sides"]
        if row["p"] is None:
            judged = f"Fewer than {LEAST_OF_FACE} of each face expected: too few to say."
        else:
            judged = several_tests([row["p"]])
            shown += [
                _face(source, row, face, count) | {"group": name}
                for face, count in enumerate(row["counts"], 1)
            ]
            tests.append(
                Test(f"The dice of {name}, do not show all faces equally often: {_most(row)}", row["p"])
            )
        says.append(
            f"{name}: {many(row['dice'], 'die', 'dice')}, {share:,.1f} of each face expected, mean "
            f"{row['mean']:.3f} against {row['expected']:.1f}. {judged}"
        )
    if len(tests) > 1:
        says.append(several_tests(test.p for test in tests))
    says.append(
        "This shows whether faces fall equally often, not whether a throw can be foreseen or was written "
        "down honestly."
    )
    caption = f"Dots: share of the dice that showed the face, and how many. {LINES} Dashed: fair dice."
    picture = draw(
        charts.shares(shown, "share of the dice", zero=False),
        shown,
        f"{title}: part of each face, with intervals",
    )
    return Section(title, tuple(says), (Figure(picture, caption),) if shown else (), tests=tuple(tests))


def _most(row: dict[str, Any]) -> str:
    """The face that fell furthest from its share, in words."""
    even = row["dice"] / row["sides"]
    face, count = max(enumerate(row["counts"], 1), key=lambda one: abs(one[1] - even))
    return f"{face} fell {many(count, 'time')}, {even:,.0f} expected"


def _face(source: Source, row: dict[str, Any], face: int, count: int) -> dict[str, Any]:
    """How often the dice of `row` showed `face`."""
    low, high = source.interval(count, row["dice"])
    part = {"label": str(face), "share": count / row["dice"], "low": low, "high": high}
    return part | {"even": 1 / row["sides"], "note": f"{count:,}"}


def contests_section(source: Source) -> Section:
    """Do attackers win as often as the exact odds say?"""
    rows = source.ask("contests")
    title = "Contests against their odds"
    if not rows:
        return Section(title, ("The records hold no contests with exact odds.",))
    unlikely = {(row["attack"], row["defence"]) for row in rows if row["p"] is not None and row["p"] < LEVEL}
    shown = [
        {
            "odds": row["expected"],
            "rate": row["rate"],
            "low": row["low"],
            "high": row["high"],
            "count": row["contests"],
        }
        | {"note": _against(row) if (row["attack"], row["defence"]) in unlikely else ""}
        for row in rows
    ]
    count, won = (sum(row[name] for row in rows) for name in ("contests", "won"))
    expected = sum(row["expected"] * row["contests"] for row in rows)
    says = (
        f"{many(count, 'contest')}, {many(len(rows), 'pairing')} of dice: attackers won {won:,}, the odds "
        f"gave {expected:,.1f}.",
        several_tests(row["p"] for row in rows),
    )
    numbers = [
        {"dice": _against(row), "contests": row["contests"], "won": row["won"], "rate": percent(row["rate"])}
        | {"expected": percent(row["expected"]), "p": probability(row["p"])}
        for row in rows
    ]
    heads = {
        "dice": "dice",
        "contests": "contests",
        "won": "won",
        "rate": "rate",
        "expected": "exact odds",
        "p": "test",
    }
    caption = (
        "Dots: pairings of dice, the larger the more contests; on the dashed line the odds held "
        f"exactly. {LINES}"
    )
    caption += " Named: pairings with p below 0.05." if unlikely else ""
    picture = draw(charts.against_odds(), shown, f"{title}: what happened over what was expected")
    tests = tuple(
        Test(
            f"Attackers with {_against(row)} dice win {percent(row['rate'])}, the odds give "
            f"{percent(row['expected'])}",
            row["p"],
        )
        for row in rows
        if row["p"] is not None
    )
    return Section(title, says, (Figure(picture, caption),), (table(numbers, heads),), tests)


def _against(row: dict[str, Any]) -> str:
    return f"{row['attack']} against {row['defence']}"


def luck_section(source: Source) -> Section:
    """Who won more contests than the odds gave?"""
    asked = source.ask("luck")
    rows = [row for row in asked if row["p"] is not None]
    title = "Luck in contests"
    if not asked:
        return Section(title, ("Nobody has rolled a contest with exact odds.",))
    few = (
        f"{many(len(asked) - len(rows), 'player has', 'players have')} rolled too few contests to say."
        if asked[len(rows) :]
        else ""
    )
    if not rows:
        return Section(title, (few,))
    marked = sorted(rows, key=lambda row: -abs(row["z"]))[:_SHOWN]
    marked.sort(key=lambda row: -row["z"])
    shown = [
        {
            "label": source.people.name(row["who"]),
            "value": row["z"],
            "note": f"{row['luck']:+.1f} of {row['contests']:,}",
        }
        for row in marked
    ]
    says = (
        several_tests(row["p"] for row in rows)
        + " Luck says nothing about skill, and past luck nothing about the next roll.",
        f"Shown are the {_SHOWN} furthest from 0, of {len(rows):,}." if len(rows) > _SHOWN else "",
        few,
    )
    caption = (
        "Right of 0: won more contests than the odds gave, how many more of how many. Dashed: chance "
        "keeps 95 of 100 between."
    )
    picture = draw(
        charts.deviations(shown, NORMAL),
        shown,
        f"{title}: who won more than the odds gave",
    )
    tests = tuple(
        Test(
            f"{source.people.name(row['who'])} won {row['luck']:+.1f} contests of {row['contests']:,} "
            "beyond the odds",
            row["p"],
        )
        for row in rows
    )
    return Section(title, tuple(filter(None, says)), (Figure(picture, caption),), tests=tests)


def players_section(source: Source) -> Section:
    """Who played, with what success?"""
    rows = source.ask("players")
    title = "Players and their ratings"
    if not rows:
        return Section(title, ("No player has a name.",))
    ranked: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    for row in rows:
        (ranked if row["rating"] is not None and row["finished"] >= MIN_GAMES else others).append(row)
    others.sort(key=lambda row: source.people.name(row["player"]).casefold())
    circles = [circle for circle, _ in Counter(row["circle"] for row in ranked).most_common()]
    ranked.sort(key=lambda row: circles.index(row["circle"]))
    says = (
        "Ratings are Plackett and Luce's: 400 points are odds of ten to one between two, and 1500 is the "
        "mean of those who met, directly or by way of others. Time and seats make no difference. “margin” is "
        "half of the 95 % interval of the distance from that mean.",
        f"Ranked are the players who finished {MIN_GAMES} games or more: {len(ranked):,} of {len(rows):,}."
        f"{' The others are listed by name; their ratings are too uncertain.' if others else ''}",
        f"The ranked players are {len(circles)} groups that never met. Ranks and ratings of one group say "
        "nothing about another group."
        if circles[1:]
        else "",
        *source.credited(),
    )
    tables = []
    if ranked:
        heads = {"rank": "rank"} | ({"group": "group"} if circles[1:] else {}) | PLAYER_HEADS
        first = {row["circle"]: at for at, row in reversed([*enumerate(ranked)])}
        numbers = [
            {"rank": at - first[row["circle"]] + 1, "group": circles.index(row["circle"]) + 1}
            | _player(source, row)
            for at, row in enumerate(ranked[:MOST_ROWS])
        ]
        tables.append(_listed(numbers, heads, len(ranked), name="Ranking", folded=False, shown=_SHOWN))
    if others:
        numbers = [_player(source, row) for row in others[:MOST_ROWS]]
        tables.append(_listed(numbers, PLAYER_HEADS, len(others), name="Players who are not ranked"))
    return Section(title, tuple(filter(None, says)), tables=tuple(tables))


PLAYER_HEADS = {
    "player": "player",
    "games": "games",
    "finished": "finished",
    "share": "mean share",
    "rating": "rating",
    "give": "margin",
    "seconds": "seconds a decision",
}
"""What is listed of a player, and its heading."""


def _player(source: Source, row: dict[str, Any]) -> dict[str, Any]:
    return (
        {"player": source.people.name(row["player"]), "games": row["games"], "finished": row["finished"]}
        | {"share": None if row["share"] is None else percent(row["share"])}
        | {"rating": None if row["rating"] is None else f"{row['rating']:.0f}"}
        | {"give": None if row["margin"] is None else f"{row['margin']:.0f}"}
        | {"seconds": None if row["seconds"] is None else f"{row['seconds']:.1f}"}
    )


def _listed(numbers: list[dict[str, Any]], heads: dict[str, str], count: int, **more: Any) -> ReportTable:
    """A list of players, of whom there are so many."""
    return table(numbers, heads, left_out=count - len(numbers), question="players", **more)
