"""The sections on dice, contests, luck, and the strength of players."""

from __future__ import annotations

from collections import Counter
from typing import Any

from gamelog_reports.report import charts
from gamelog_reports.report.chart_drawing import draw
from gamelog_reports.report.section import MAX_ROWS, Figure, ReportTable, Section, Test
from gamelog_reports.report.source import Source
from gamelog_reports.report.wording import LEVEL, MIN_GAMES, Wording

_SHOWN = 20
"""Maximum number of people in a chart or a table."""

_LEAST_OF_FACE = 5
"""The expected number of each face from which on the chi-square approximation usually holds."""

_NORMAL_95 = 1.96
"""The standard deviations within which 95% of chance lies."""


def interval_caption(say: Wording) -> str:
    """Return the caption of the intervals in a chart."""
    return say("Lines: 95% intervals (Wilson).")


def dice_section(source: Source) -> Section:
    """Return the section on whether all faces come up equally often."""
    say = source.say
    rows = [row for row in source.ask("dice") if row["dice"]]
    title = say("Dice against expectation")
    if not rows:
        return Section(title, (say("No dice were thrown."),))
    says: list[str] = []
    shown: list[dict[str, Any]] = []
    tests: list[Test] = []
    for row in rows:
        name = say(
            "{=thrower}, {sides} {sides:side|sides}", thrower=say(str(row["thrower"])), sides=row["sides"]
        )
        if row["p"] is None:
            judged = say(
                "Fewer than {n} dice of each face are expected, too few for a test.", n=_LEAST_OF_FACE
            )
        else:
            judged = say.several_tests([row["p"]])
            shown += [
                _face(source, row, face, count) | {"group": name}
                for face, count in enumerate(row["counts"], 1)
            ]
            tests.append(Test(_most(say, name, row), row["p"]))
        says.append(_dice(say, name, row, judged))
    if len(tests) > 1:
        says.append(say.several_tests(test.p for test in tests))
    says.append(
        say(
            "This shows whether faces come up equally often. It does not show whether a throw "
            "can be predicted or was recorded honestly."
        )
    )
    figure = _dice_figure(say, title, shown)
    return Section(title, tuple(says), (figure,) if shown else (), tests=tuple(tests))


def _dice(say: Wording, name: str, row: dict[str, Any], judged: str) -> str:
    """Return the sentence on the dice of one thrower."""
    return say(
        "{=name}: {dice} {dice:die|dice}, {=share} of each face expected; the mean is {=mean}, {=expected} "
        "expected. {=judged}",
        name=name,
        dice=row["dice"],
        share=say.number(row["dice"] / row["sides"], 1),
        mean=say.number(row["mean"], 3),
        expected=say.number(row["expected"], 1),
        judged=judged,
    )


def _dice_figure(say: Wording, title: str, shown: list[dict[str, Any]]) -> Figure:
    """Return the chart of the share of each face."""
    parts = (
        say("Dots: share of the dice that show the face, with their number."),
        interval_caption(say),
        say("Dashed: fair dice."),
    )
    chart = charts.shares(shown, say("share of the dice"), zero=False)
    label = say("{=title}: share of each face, with intervals", title=title)
    return Figure(draw(chart, shown, label, say.language), " ".join(parts))


def _most(say: Wording, name: str, row: dict[str, Any]) -> str:
    """Return the face that came up furthest from its share, in words."""
    even = row["dice"] / row["sides"]
    face, count = max(enumerate(row["counts"], 1), key=lambda face_and_count: abs(face_and_count[1] - even))
    text = (
        "The dice ({=name}) do not show all faces equally often: {face} came up {n} "
        "{n:time|times}, {=even} expected"
    )
    return say(text, name=name, face=face, n=count, even=say.number(even))


def _face(source: Source, row: dict[str, Any], face: int, count: int) -> dict[str, Any]:
    """Return the chart's row for `face`: its share of the dice in `row`, with the interval."""
    low, high = source.interval(count, row["dice"])
    part = {"label": str(face), "share": count / row["dice"], "low": low, "high": high}
    return part | {"even": 1 / row["sides"], "note": source.say.number(count)}


def contests_section(source: Source) -> Section:
    """Return the section on whether attackers win as often as the exact odds give."""
    say, rows = source.say, source.ask("contests")
    title = say("Contests against their odds")
    if not rows:
        return Section(title, (say("No record has contests with exact odds."),))
    count, won = (sum(row[name] for row in rows) for name in ("contests", "won"))
    expected = sum(row["expected"] * row["contests"] for row in rows)
    text = (
        "{n} {n:contest|contests} with {k} {k:pairing|pairings} of dice: attackers won {won}, "
        "{=expected} expected."
    )
    says = (
        say(text, n=count, k=len(rows), won=int(won), expected=say.number(expected, 1)),
        say.several_tests(row["p"] for row in rows),
    )
    tests = tuple(
        Test(
            say(
                "Attackers with {=dice} dice win {=rate}; the odds give {=expected}",
                dice=_against(say, row),
                rate=say.percent(row["rate"]),
                expected=say.percent(row["expected"]),
            ),
            row["p"],
        )
        for row in rows
        if row["p"] is not None
    )
    return Section(
        title, says, (_contests_figure(say, title, rows),), (_contests_table(source, rows),), tests
    )


def _contests_figure(say: Wording, title: str, rows: list[dict[str, Any]]) -> Figure:
    """Return the chart of the contests won over their odds."""
    unlikely = {(row["attack"], row["defence"]) for row in rows if row["p"] is not None and row["p"] < LEVEL}
    shown = [
        {
            "odds": row["expected"],
            "rate": row["rate"],
            "low": row["low"],
            "high": row["high"],
            "count": row["contests"],
        }
        | {"note": _against(say, row) if (row["attack"], row["defence"]) in unlikely else ""}
        for row in rows
    ]
    parts = [
        say("Dots: pairings of dice, larger for more contests. On the dashed line the odds hold exactly."),
        interval_caption(say),
        say("Named: pairings with p below 0.05.") if unlikely else "",
    ]
    picture = draw(
        charts.against_odds(say("exact odds"), say("share won"), say("contests")),
        shown,
        say("{=title}: results compared with the odds", title=title),
        say.language,
    )
    return Figure(picture, " ".join(filter(None, parts)))


def _contests_table(source: Source, rows: list[dict[str, Any]]) -> ReportTable:
    """Return the table of the pairings of dice."""
    say = source.say
    numbers = [
        {
            "dice": _against(say, row),
            "contests": row["contests"],
            "won": row["won"],
            "rate": say.percent(row["rate"]),
            "expected": say.percent(row["expected"]),
            "p": say.probability(row["p"]),
        }
        for row in rows
    ]
    heads = {
        "dice": "dice",
        "contests": "contests",
        "won": "won",
        "rate": "share won",
        "expected": "exact odds",
        "p": "test",
    }
    return source.table(numbers, heads)


def _against(say: Wording, row: dict[str, Any]) -> str:
    return say("{attack} against {defence}", attack=row["attack"], defence=row["defence"])


def luck_section(source: Source) -> Section:
    """Return the section on players who won more contests than the odds gave."""
    say, all_rows = source.say, source.ask("luck")
    rows = [row for row in all_rows if row["p"] is not None]
    title = say("Luck in contests")
    if not all_rows:
        return Section(title, (say("No player has rolled a contest with exact odds."),))
    count = len(all_rows) - len(rows)
    untested = (
        say("{n} {n:player has|players have} rolled too few contests for a test.", n=count) if count else ""
    )
    if not rows:
        return Section(title, (untested,))
    extreme = sorted(rows, key=lambda row: -abs(row["z"]))[:_SHOWN]
    extreme.sort(key=lambda row: -row["z"])
    chart_rows = [
        {"label": source.player(row["who"]), "value": row["z"], "note": _surplus(say, row)} for row in extreme
    ]
    says = (
        say.several_tests(row["p"] for row in rows),
        say("Luck does not show skill, and past luck does not predict the next roll."),
        say("The {n} players furthest from 0 are shown, of {all}.", n=_SHOWN, all=len(rows))
        if len(rows) > _SHOWN
        else "",
        untested,
    )
    caption = say(
        "Right of 0: the player won more contests than expected. The notes give the surplus and "
        "the number of contests. Dashed: by chance, 95 of 100 players are between these lines."
    )
    picture = draw(
        charts.deviations(chart_rows, _NORMAL_95, say("standard deviations")),
        chart_rows,
        say("{=title}: contests won compared with the odds", title=title),
        say.language,
    )
    tests = tuple(
        Test(
            say(
                "{=player} won {=surplus} contests compared with the odds",
                player=source.player(row["who"]),
                surplus=_surplus(say, row),
            ),
            row["p"],
        )
        for row in rows
    )
    return Section(title, tuple(filter(None, says)), (Figure(picture, caption),), tests=tests)


def _surplus(say: Wording, row: dict[str, Any]) -> str:
    """Return the surplus of contests that a player won, and the number of contests."""
    return say("{=luck} of {n}", luck=say.number(row["luck"], 1, "+"), n=row["contests"])


def players_section(source: Source) -> Section:
    """Return the section on the players and their ratings."""
    say, rows = source.say, source.ask("players")
    title = say("Players and their ratings")
    if not rows:
        return Section(title, (say("No player has a name."),))
    ranked: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    for row in rows:
        (ranked if row["rating"] is not None and row["finished"] >= MIN_GAMES else others).append(row)
    others.sort(key=lambda row: source.player(row["player"]).casefold())
    circles = [circle for circle, _ in Counter(row["circle"] for row in ranked).most_common()]
    ranked.sort(key=lambda row: circles.index(row["circle"]))
    says = (
        say(
            "Ratings follow Plackett and Luce: 400 points more are odds of ten to one. 1500 is "
            "the mean of the players who met, directly or through others. Time and seats have no "
            "effect. The margin is half of the 95% interval of the distance from the mean."
        ),
        say(
            "{ranked} of {all} players are ranked, those who finished at least {least} games.",
            ranked=len(ranked),
            all=len(rows),
            least=MIN_GAMES,
        ),
        say("The other players are listed by name, because their ratings are too uncertain.")
        if others
        else "",
        say(
            "The ranked players form {n} groups that never met. Ranks and ratings of different "
            "groups cannot be compared.",
            n=len(circles),
        )
        if circles[1:]
        else "",
        *source.shared_results_note(),
    )
    tables = []
    if ranked:
        heads = {"rank": "rank"} | ({"group": "group"} if circles[1:] else {}) | _PLAYER_HEADS
        first = {row["circle"]: at for at, row in reversed([*enumerate(ranked)])}
        numbers = [
            {"rank": at - first[row["circle"]] + 1, "group": circles.index(row["circle"]) + 1}
            | _player(source, row)
            for at, row in enumerate(ranked[:MAX_ROWS])
        ]
        tables.append(
            _player_list(source, numbers, heads, len(ranked), name="Ranking", folded=False, shown=_SHOWN)
        )
    if others:
        numbers = [_player(source, row) for row in others[:MAX_ROWS]]
        tables.append(_player_list(source, numbers, _PLAYER_HEADS, len(others), name="Unranked players"))
    return Section(title, tuple(filter(None, says)), tables=tuple(tables))


_PLAYER_HEADS = {
    "player": "player",
    "games": "games",
    "finished": "finished",
    "share": "mean share",
    "rating": "rating",
    "give": "margin",
    "seconds": "seconds per decision",
}
"""The members of a player's row, with their headings."""


def _player(source: Source, row: dict[str, Any]) -> dict[str, Any]:
    say = source.say
    return (
        {"player": source.player(row["player"]), "games": row["games"], "finished": row["finished"]}
        | {"share": None if row["share"] is None else say.percent(row["share"])}
        | {"rating": None if row["rating"] is None else f"{row['rating']:.0f}"}
        | {"give": None if row["margin"] is None else f"{row['margin']:.0f}"}
        | {"seconds": None if row["seconds"] is None else say.number(row["seconds"], 1)}
    )


def _player_list(
    source: Source, numbers: list[dict[str, Any]], heads: dict[str, str], count: int, **more: Any
) -> ReportTable:
    """Return the list of `count` players, of whom the page has `numbers`."""
    return source.table(numbers, heads, left_out=count - len(numbers), question="players", **more)
