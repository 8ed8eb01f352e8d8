"""The sections on dice, contests, luck, and the strength of players."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec import structs

from gamelog.archive import MIN_GAMES
from gamelog.statistics import share_interval
from gamelog_reports.report.chart_drawing import scale_of
from gamelog_reports.report.charts import Chart, ChartMark, chart
from gamelog_reports.report.section import MAX_ROWS, ReportTable, Section, Test
from gamelog_reports.report.source import Source
from gamelog_reports.report.wording import LEVEL, Wording

_MAX_CHART_PLAYERS = 20
"""Maximum number of players in the ranking's chart."""

_MAX_LISTED_PLAYERS = 10
"""Maximum number of visible rows in the list of victories. The others are folded."""

_MAX_CHART_ROWS = 10
"""Maximum number of pairings or of lucky and unlucky players in a chart."""

_MIN_EXPECTED_PER_FACE = 5
"""The expected number of each face from which on the chi-square approximation usually holds."""

_NORMAL_95 = 1.96
"""The standard deviations within which 95% of chance lies."""

_MEAN_RATING = 1500
"""Rating of an average player."""

_MARGIN_SQL = """
WITH margins AS (
  SELECT id, any_value(unit) AS unit, max(score) FILTER (won) - max(score) FILTER (NOT won) AS margin
  FROM played($game) JOIN seats USING (id) WHERE to_the_end(result_by, gaps) GROUP BY id
  HAVING count(*) FILTER (won) = 1 AND count(score) = count(*) AND margin >= 0
)
SELECT median(margin) AS margin, any_value(unit) AS unit, count(*) AS games FROM margins
"""
"""The median distance between the winner and the next seat, in games with points and one winner."""

_MAX_WINNERS = 3
"""Maximum number of players in the sentence on victories."""


def dice_section(source: Source) -> Section:
    """Return the section on whether all faces come up equally often."""
    say = source.wording
    rows = [row for row in source.ask("dice") if row["dice"]]
    section = Section("dice", say("Dice"), say("No face of the dice differs beyond chance"))
    if not rows:
        return structs.replace(section, title=say("No dice were thrown."))
    tested = [(row, _dice_name(say, row)) for row in rows if row["p"] is not None]
    few = sum(row["dice"] for row in rows if row["p"] is None)
    text = "{n} {n:die is|dice are} too few for a test, which needs {least} of each face."
    notes = (say(text, n=few, least=_MIN_EXPECTED_PER_FACE),) if few else ()
    if not tested:
        return structs.replace(section, title=say("Too few dice for a comparison"), notes=notes, is_weak=True)
    basis = [
        say(
            "{=name}: {dice} {dice:die|dice} in {games} {games:game|games}, mean {=mean} "
            "({=expected} expected).",
            name=name,
            dice=row["dice"],
            games=row["games"],
            mean=say.number(row["mean"], 3),
            expected=say.number(row["expected"], 1),
        )
        for row, name in tested
    ]
    charts = (_dice_chart(source, tested),)
    tests = tuple(_dice_test(source, row, name) for row, name in tested)
    return structs.replace(section, basis=" ".join(basis), notes=notes, charts=charts, tests=tests)


def _dice_name(say: Wording, row: dict[str, Any]) -> str:
    """Return the name of the dice of one source."""
    return say("{=thrower}, {sides} {sides:side|sides}", thrower=say(str(row["thrower"])), sides=row["sides"])


def _dice_test(source: Source, row: dict[str, Any], name: str) -> Test:
    """Return the comparison of dice with fair dice, which names the face furthest from its share."""
    say, even = source.wording, row["dice"] / row["sides"]
    face, count = max(enumerate(row["counts"], 1), key=lambda face_and_count: abs(face_and_count[1] - even))
    text = (
        "The dice ({=name}) do not show all faces equally often: {face} came up {n} "
        "{n:time|times}, {=even} expected"
    )
    return Test(
        say(text, name=name, face=face, n=count, even=say.number(even)),
        row["p"],
        say(
            "95% interval of the share of the face {=interval}, {=even} expected",
            interval=say.format_interval(*share_interval(count, row["dice"])[1:]),
            even=say.percent(1 / row["sides"]),
        ),
        say("{n} {n:die|dice} in {games} {games:game|games}", n=row["dice"], games=row["games"]),
    )


def _dice_chart(source: Source, tested: list[tuple[dict[str, Any], str]]) -> Chart:
    """Return the chart of the share of each face."""
    say = source.wording
    groups = [
        (
            name if len(tested) > 1 else "",
            [_face(source, row, face, count) for face, count in enumerate(row["counts"], 1)],
        )
        for row, name in tested
    ]
    ends = [end for _, marks in groups for mark in marks for end in mark.interval or ()]
    return chart(
        groups,
        scale_of(ends, say.short_percent),
        heads=(say("face"), say("share of the dice"), say("share"), say("95% interval"), say("times")),
        legend=[
            ("dot", say("share of the dice")),
            ("interval", say("95% interval")),
            ("even", say("fair dice")),
        ],
    )


def _face(source: Source, row: dict[str, Any], face: int, count: int) -> ChartMark:
    """Return the row of `face`: its share of the dice in `row`, with the interval."""
    say, share = source.wording, count / row["dice"]
    _, low, high = share_interval(count, row["dice"])
    texts = (say.percent(share, 1), say.format_interval(low, high, 1), say.number(count))
    return ChartMark(str(face), share, texts, (low, high), 1 / row["sides"])


def contests_section(source: Source) -> Section:
    """Return the section on whether attackers win as often as the exact odds give."""
    say, rows = source.wording, source.ask("contests")
    section = Section(
        "contests", say("Contests"), say("No pairing of dice differs from its odds beyond chance")
    )
    if not rows:
        return structs.replace(section, title=say("No record has contests with exact odds."))
    count, won = (sum(row[name] for row in rows) for name in ("contests", "won"))
    expected = sum(row["expected"] * row["contests"] for row in rows)
    tested = [row for row in rows if row["p"] is not None]
    text = (
        "{n} {n:contest|contests} with {k} {k:pairing|pairings} of dice: attackers won {won}, "
        "{=expected} expected."
    )
    frequent = sorted(rows, key=lambda row: -row["contests"])
    notable = [
        row for row in frequent[_MAX_CHART_ROWS:] if row["p"] is not None and row["p"] * len(tested) < LEVEL
    ]
    shown = frequent[:_MAX_CHART_ROWS] + notable
    if not tested:
        section = structs.replace(section, title=say("Too few contests for a comparison"), is_weak=True)
    left = len(rows) - len(shown)
    note = say(
        "{n} of {all} pairings are shown: the most frequent, and those with an unusual result.",
        n=len(shown),
        all=len(rows),
    )
    return structs.replace(
        section,
        basis=say(text, n=count, k=len(rows), won=int(won), expected=say.number(expected, 1)),
        notes=(note,) if left else (),
        charts=(_contests_chart(say, sorted(shown, key=lambda row: -row["expected"])),),
        tests=tuple(_contest_test(say, row) for row in tested),
    )


def _contest_test(say: Wording, row: dict[str, Any]) -> Test:
    """Return the comparison of the contests of a pairing with their odds."""
    return Test(
        say(
            "Attackers with {=dice} dice win {=rate}; the odds give {=expected}",
            dice=_comparison_text(say, row),
            rate=say.percent(row["rate"]),
            expected=say.percent(row["expected"]),
        ),
        row["p"],
        say("95% interval {=interval}", interval=say.format_interval(row["low"], row["high"])),
        say("{n} {n:contest|contests} in {games} {games:game|games}", n=row["contests"], games=row["games"]),
    )


def _contests_chart(say: Wording, rows: list[dict[str, Any]]) -> Chart:
    """Return the chart of the contests that attackers won, by pairing of dice."""
    marks = [
        ChartMark(
            _comparison_text(say, row),
            row["rate"],
            (
                say.percent(row["rate"]),
                say.format_interval(row["low"], row["high"]),
                say.percent(row["expected"]),
                say.number(row["contests"]),
            ),
            (row["low"], row["high"]),
            row["expected"],
        )
        for row in rows
    ]
    return chart(
        [("", marks)],
        scale_of((0, 1), say.percent),
        heads=(
            say("dice"),
            say("share won by attackers"),
            say("won"),
            say("95% interval"),
            say("odds"),
            say("contests"),
        ),
        legend=[
            ("dot", say("share won")),
            ("interval", say("95% interval")),
            ("even", say("exact odds")),
        ],
    )


def _comparison_text(say: Wording, row: dict[str, Any]) -> str:
    return say("{attack} against {defence}", attack=row["attack"], defence=row["defence"])


def luck_section(source: Source) -> Section:
    """Return the section on players who won more contests than the odds gave."""
    say, all_rows = source.wording, source.ask("luck")
    rows = [row for row in all_rows if row["p"] is not None]
    section = Section("luck", say("Luck"), say("No player has luck or bad luck beyond chance"))
    if not all_rows:
        return structs.replace(section, title=say("No player has rolled a contest with exact odds."))
    count = len(all_rows) - len(rows)
    untested = (
        say("{n} {n:player has|players have} rolled too few contests for a test.", n=count) if count else ""
    )
    if not rows:
        return structs.replace(
            section, title=say("Too few contests for a comparison"), basis=untested, is_weak=True
        )
    extreme = sorted(rows, key=lambda row: -abs(row["z"]))[:_MAX_CHART_ROWS]
    extreme.sort(key=lambda row: -row["z"])
    notes = (
        say("The {n} players furthest from 0 are shown, of {all}.", n=_MAX_CHART_ROWS, all=len(rows))
        if len(rows) > _MAX_CHART_ROWS
        else "",
        untested,
    )
    return structs.replace(
        section,
        basis=say("{n} {n:player|players} with enough contests.", n=len(rows)),
        notes=tuple(filter(None, notes)),
        charts=(_luck_chart(source, extreme),),
        tests=tuple(_luck_test(source, row) for row in rows),
    )


def _luck_test(source: Source, row: dict[str, Any]) -> Test:
    """Return the comparison of a player's contests with their odds."""
    say = source.wording
    text = (
        "{=player} won {=n} contests more than the odds give"
        if row["luck"] > 0
        else "{=player} won {=n} contests fewer than the odds give"
    )
    return Test(
        say(text, player=source.player(row["who"]), n=say.number(abs(row["luck"]), 1)),
        row["p"],
        say("{=z} standard deviations from 0", z=say.number(abs(row["z"]), 1)),
        say("{n} {n:contest|contests} in {games} {games:game|games}", n=row["contests"], games=row["games"]),
    )


def _luck_chart(source: Source, rows: list[dict[str, Any]]) -> Chart:
    """Return the chart of the luck of players in standard deviations."""
    say = source.wording
    marks = [
        ChartMark(
            source.player(row["who"]),
            row["z"],
            (say.number(row["luck"], 1, "+"), say.number(row["contests"])),
        )
        for row in rows
    ]
    values = [-_NORMAL_95, _NORMAL_95, *(row["z"] for row in rows)]
    return chart(
        [("", marks)],
        scale_of(values, lambda z: say.number(z, 0, "+")),
        heads=(say("player"), say("luck, in standard deviations"), say("surplus"), say("contests")),
        legend=[("dot", say("contests won above the odds")), ("band", say("95% of players by chance alone"))],
        band=(-_NORMAL_95, _NORMAL_95),
    )


def victories_sentence(source: Source) -> str:
    """Return the player with most won games and the lead, or an empty text if no named player won."""
    say = source.wording
    winners = [row for row in source.ask("players") if row["victories"]]
    winners.sort(key=lambda row: (-row["victories"], source.player(row["player"]).casefold()))
    if not winners:
        return ""
    parts = [
        say(
            "{=player} {=won} of {n}",
            player=source.player(row["player"]),
            won=_victories(say, row["victories"]),
            n=row["finished"],
        )
        for row in winners[:_MAX_WINNERS]
    ]
    text = say("Most victories: {=players}.", players="; ".join(parts))
    (row,) = source.ask(_MARGIN_SQL)
    if not row["games"]:
        return text
    margin = say(
        "Median margin of the winner, in {=unit}: {=n}.",
        unit=say.word(row["unit"] or "points"),
        n=say.format_halves(row["margin"]),
    )
    return f"{text} {margin}"


def players_section(source: Source) -> Section:
    """Return the section on the players and their ratings."""
    say, rows = source.wording, source.ask("players")
    section = Section("players", say("Players"), say("Too few games to rank the players"))
    if not rows:
        return structs.replace(section, title=say("No player has a name."))
    ranked = [row for row in rows if row["rating"] is not None and row["finished"] >= MIN_GAMES]
    circles = [circle for circle, _ in Counter(row["circle"] for row in ranked).most_common()]
    ranked.sort(key=lambda row: circles.index(row["circle"]))
    notes = (
        say(
            "The ranked players form {n} groups that never met. Ranks and ratings of different "
            "groups cannot be compared.",
            n=len(circles),
        )
        if circles[1:]
        else "",
        *source.shared_results_note(),
    )
    basis = say(
        "{ranked} of {all} players are ranked, those who finished at least {least} games.",
        ranked=len(ranked),
        all=len(rows),
        least=MIN_GAMES,
    )
    section = structs.replace(section, basis=basis, notes=tuple(filter(None, notes)))
    numbered = [{"rank": rank} | row for rank, row in zip(_ranks(ranked), ranked, strict=True)]
    tables = [_wins(source, rows)]
    if numbered[_MAX_CHART_PLAYERS:]:
        heads = {"rank": "rank"} | _heads(numbered)
        others = numbered[_MAX_CHART_PLAYERS:]
        name = "Other ranked players"
        tables.append(_player_list(source, others, heads, name=name, folded=True))
    if not ranked:
        return structs.replace(section, tables=tuple(tables), is_weak=True)
    return structs.replace(
        section,
        title=_ranking_title(source, ranked, circles),
        charts=(_ranking(source, numbered[:_MAX_CHART_PLAYERS], circles),),
        tables=tuple(tables),
        is_summary=True,
    )


def _ranks(ranked: list[dict[str, Any]]) -> list[int]:
    """Return the rank of each player in their circle. Ratings that look equal share a rank."""
    ranks: list[int] = []
    before: dict[int, tuple[int, int]] = {}
    places: Counter[int] = Counter()
    for row in ranked:
        circle, rating = row["circle"], round(row["rating"])
        places[circle] += 1
        rank, above = before.get(circle, (0, None))
        before[circle] = (rank if rating == above else places[circle], rating)
        ranks.append(before[circle][0])
    return ranks


def _wins(source: Source, rows: list[dict[str, Any]]) -> ReportTable:
    """Return the list of all players with their victories, the most victories first."""
    by_wins = sorted(
        rows,
        key=lambda row: (-(row["victories"] or 0), row["finished"], source.player(row["player"]).casefold()),
    )
    return _player_list(source, by_wins, _heads(rows), name="Victories by player", shown=_MAX_LISTED_PLAYERS)


def _ranking_title(source: Source, ranked: list[dict[str, Any]], circles: list[int]) -> str:
    """Return the sentence on the players with the highest ratings."""
    say = source.wording
    rivals = [row for row in ranked if row["circle"] == circles[0]]
    if len(rivals) < 2:
        return say("{=player} is the only ranked player", player=source.player(ranked[0]["player"]))
    best, second = rivals[:2]
    if best["rating"] - best["margin"] > second["rating"] + second["margin"]:
        text = "{=player} is rated highest, with {=rating} ± {=margin} points"
        rating, margin = (f"{best[name]:.0f}" for name in ("rating", "margin"))
        return say(text, player=source.player(best["player"]), rating=rating, margin=margin)
    return say("The ratings do not separate the best players")


def _ranking(source: Source, rows: list[dict[str, Any]], circles: list[int]) -> Chart:
    """Return the chart of the ratings, with the margins as intervals."""
    say = source.wording
    is_timed = any(row["seconds"] is not None for row in rows)
    groups: dict[str, list[ChartMark]] = {}
    for row in rows:
        name = say("group {n}", n=circles.index(row["circle"]) + 1) if circles[1:] else ""
        player = _player(source, row)
        cells = (f"{player['rating']} ± {player['give']}", str(player["share"]), say.number(row["finished"]))
        groups.setdefault(name, []).append(
            ChartMark(
                f"{row['rank']}. {player['player']}",
                row["rating"],
                (*cells, player["seconds"] or "–") if is_timed else cells,
                (row["rating"] - row["margin"], row["rating"] + row["margin"]),
                _MEAN_RATING,
            )
        )
    ends = [end for marks in groups.values() for mark in marks for end in mark.interval or ()]
    heads = [say("player"), say("rating, in points"), say("rating"), say("mean share"), say("games")]
    return chart(
        [*groups.items()],
        scale_of([*ends, _MEAN_RATING], lambda rating: f"{rating:.0f}"),
        heads=[*heads, say("seconds per decision")] if is_timed else heads,
        legend=[
            ("dot", say("rating")),
            ("interval", say("95% interval")),
            ("even", say("mean of the players who met")),
        ],
    )


def _heads(rows: list[dict[str, Any]]) -> dict[str, str]:
    """Return the members of the rows in a list of players, with their headings. Only people have times."""
    heads = {"player": "player", "games": "games", "finished": "finished", "victories": "won"}
    heads |= {"share": "mean share", "rating": "rating", "give": "margin"}
    is_timed = any(row["seconds"] is not None for row in rows)
    return heads | {"seconds": "seconds per decision"} if is_timed else heads


def _player(source: Source, row: dict[str, Any]) -> dict[str, Any]:
    """Return a player's row as text."""
    say = source.wording
    return (
        {"player": source.player(row["player"]), "games": row["games"], "finished": row["finished"]}
        | {"victories": None if row["victories"] is None else _victories(say, row["victories"])}
        | {"share": None if row["share"] is None else say.percent(row["share"])}
        | {"rating": None if row["rating"] is None else f"{row['rating']:.0f}"}
        | {"give": None if row["margin"] is None else f"{row['margin']:.0f}"}
        | {"seconds": None if row["seconds"] is None else say.number(row["seconds"], 1)}
        | {name: row[name] for name in ("rank",) if name in row}
    )


def _victories(say: Wording, victories: float) -> str:
    """Return a number of victories, with the parts of shared victories."""
    return say.number(
        victories,
        next(decimals for decimals in (0, 1, 2) if decimals == 2 or victories * 2**decimals % 1 == 0),
    )


def _player_list(
    source: Source, rows: list[dict[str, Any]], heads: dict[str, str], name: str, **more: Any
) -> ReportTable:
    """Return a list of the players `rows`, of whom the page has `MAX_ROWS`."""
    shown = [_player(source, row) for row in rows[:MAX_ROWS]]
    left_out = len(rows) - len(shown)
    return source.table(shown, heads, name=name, left_out=left_out, question="players", **more)
