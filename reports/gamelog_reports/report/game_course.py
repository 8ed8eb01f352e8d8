"""How games go: how long, who leads, why they end, and where on the board things happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import ceil, floor, log10
from typing import Any

from gamelog.errors import PlayError
from gamelog.message import join_words, many
from gamelog.play.contract import boards, registry
from gamelog.play.contract.outcome import REASONS
from gamelog.play.contract.scene import BoardLayout
from gamelog.play.fold.game_errors import describe_failure
from gamelog.play.telling.seeing import LEFT_OUT
from gamelog_reports.report import charts
from gamelog_reports.report.chart_drawing import draw
from gamelog_reports.report.heat_map import heat, zone_of
from gamelog_reports.report.section import Figure, Section, table
from gamelog_reports.report.source import Source
from gamelog_reports.report.wording import MIN_DRAWN, MIN_GAMES, percent, spaced

BINS = 24
"""Columns that a histogram has at most."""

MAPS = 3
"""Maps of a game: its contests, and what happens most often."""

GREATEST = 10

LENGTHS = """
SELECT players, floor(events / $width)::BIGINT * $width AS "from", count(*) AS games
FROM played($game) WHERE to_the_end(result_by, gaps) GROUP BY ALL ORDER BY ALL
"""

BOARDS = """
SELECT board, players, rules, count(*) AS games FROM counted_games($game) GROUP BY ALL
  ORDER BY games DESC, board, players, rules
"""


def endings_section(source: Source) -> Section:
    """Why do games end?"""
    rows: list[dict[str, Any]] = [row | {"reason": _reason(source, row)} for row in source.ask("endings")]
    title = "How games end"
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row["reason"]] += row["games"]
    total = sum(counts.values())
    if not total:
        return Section(title, ("No game is finished.",))
    shared, drawn = (sum(row[name] for row in rows) for name in ("shared", "drawn"))
    shown = [
        {"label": spaced(reason), "count": count, "note": f"{count:,} ({percent(count / total)})"}
        for reason, count in counts.most_common()
    ]
    reason, most = counts.most_common(1)[0]
    low, high = source.interval(most, total)
    says = [
        f"Of {many(total, 'finished game')}, {percent(most / total)} end by “{spaced(reason)}” (95 % "
        f"interval {percent(low)} to {percent(high)}); {many(shared, 'victory is', 'victories are')} shared, "
        f"{many(drawn, 'game is', 'games are')} drawn.",
        "Reasons that never came up are not shown; an ending that is rare may still be missing."
        + (" Too few games to say more." if total < MIN_GAMES else ""),
    ]
    numbers = [row | {"reason": spaced(row["reason"]), "part": percent(row["part"])} for row in rows]
    heads = {
        "players": "players",
        "reason": "reason",
        "result_by": "result by",
        "games": "games",
        "part": "part",
    }
    heads["events_median"] = "middle length, events"
    picture = draw(charts.bars(shown), shown, f"{title}: games by reason")
    figures = (Figure(picture, "Games by the reason they ended."),) if total >= MIN_DRAWN else ()
    return Section(title, tuple(says), figures, (table(numbers, heads),))


def _reason(source: Source, row: dict[str, Any]) -> str:
    """Return why games ended; without people, only a word of the game's or of the program's."""
    reason: str = row["reason"]
    own = row["result_by"] in ("play", "resignation") or reason in REASONS
    return reason if own or not source.people.anonymous else LEFT_OUT


def lengths_section(source: Source) -> Section:
    """How long do games last?"""
    rows = source.ask("lengths")
    title = "How long games last"
    if not rows:
        return Section(title, ("No game was played to its end.",))
    width = column_width(max(row["events_max"] for row in rows) - min(row["events_min"] for row in rows))
    middle = {row["players"]: row["events_median"] for row in rows}
    drawn = {row["players"] for row in rows if row["games"] >= MIN_GAMES} or {
        row["players"] for row in rows if row["games"] >= MIN_DRAWN
    }
    shown = [
        {
            "from": row["from"],
            "to": row["from"] + width,
            "count": row["games"],
            "middle": middle[row["players"]],
        }
        | {"group": many(row["players"], "player")}
        for row in source.ask(LENGTHS, width=width)
        if row["players"] in drawn
    ]
    says = []
    for row in rows:
        told = f"{_of(row)}: the middle game has {row['events_median']:,.0f} events"
        if row["games"] >= MIN_GAMES:
            told += f", eight of ten between {row['events_short']:,.0f} and {row['events_long']:,.0f}"
        if row["minutes_median"] is not None:
            told += (
                f", and takes {row['minutes_median']:,.0f} minutes ({row['minutes_min']:,.0f} to "
                f"{row['minutes_max']:,.0f})"
            )
        says.append(f"{told}. Too few games to say more." if row["games"] < MIN_GAMES else f"{told}.")
    count = source.finished_otherwise("to_the_end(result_by, gaps)")
    if count:
        says.append(
            f"{many(count, 'finished game is', 'finished games are')} left out: ended by a resignation, an "
            "agreement, a ruling or a walkover, or not written down from beginning to end."
        )
    says.append(
        "Events are all lines of a record, dice and notes included; minutes are of play, pauses taken out."
    )
    if not shown:
        return Section(title, tuple(says))
    picture = draw(charts.histogram(shown), shown, f"{title}: games by number of events")
    caption = f"Games by number of events, {width} a column. Dashed: the middle game."
    return Section(title, tuple(says), (Figure(picture, caption),))


def _of(row: dict[str, Any]) -> str:
    """The games a row is about."""
    return f"{many(row['players'], 'player')}, {many(row['games'], 'game')}"


def column_width(span: int) -> int:
    """The width of a histogram's columns for values `span` apart: 1, 2 or 5 and noughts."""
    least = max(1.0, (span + 1) / BINS)
    ten = float(10 ** floor(log10(least)))
    return ceil(next(ten * factor for factor in (1, 2, 5, 10) if ten * factor >= least))


def leads_section(source: Source) -> Section:
    """How often does the lead pass on, and who comes back?"""
    title = "Leads and comebacks"
    rows = source.ask("leads")
    if not rows:
        return Section(title, ("No game in which points are counted was played to its end.",))
    says = []
    for row in rows:
        told = f"{_of(row)}: the lead passes on {row['changes_mean']:.1f} times a game"
        told += f" ({row['changes_max']} at most), and never in {percent(row['unbroken'])} of them"
        if row["half_way"] >= MIN_GAMES:
            low, high = source.interval(row["kept"], row["half_way"])
            told += (
                f". Who leads half-way wins {row['kept']} of {row['half_way']} ({percent(low)} to "
                f"{percent(high)})"
            )
            told += (
                f"; in the other {row['games'] - row['half_way']:,} nobody led alone then, or not one "
                "alone won"
                if row["games"] > row["half_way"]
                else ""
            )
        elif row["half_way"]:
            told += f". Who leads half-way wins {row['kept']} of {row['half_way']}: too few to say"
        says.append(told + ".")
    comebacks = source.ask("comebacks", most=GREATEST)
    unit = next((row["unit"] for row in comebacks if row["unit"]), "points")
    says.append(
        f"Leading is having more {unit} than every other seat, as the game counts them while it is played."
    )
    found = [
        {
            "record": source.record(row["id"], row["n"]),
            "winner": source.people.seated(row["id"], row["winner"], row["n"]),
        }
        | {"deficit": row["deficit"], "n": row["n"]}
        for row in comebacks
    ]
    heads = {"record": "record", "winner": "winner", "deficit": f"{unit} behind", "n": "at event"}
    return Section(
        title,
        tuple(says),
        tables=(table(found, heads, name="Greatest comebacks", folded=False),) if found else (),
    )


def places_section(source: Source) -> Section:
    """Where on the board do things happen?"""
    title = "Where on the board"
    rows = source.ask("places")
    if not rows:
        return Section(title, ("Nothing that the game counts has a place on the board.",))
    of_board: Counter[str] = Counter()
    for row in rows:
        of_board[row["board"]] += row["times"]
    board = of_board.most_common(1)[0][0]
    kinds: Counter[str] = Counter()
    for row in rows:
        if row["board"] == board:
            kinds[row["what"]] += row["times"]
    times = {
        kind: Counter(
            {row["place"]: row["times"] for row in rows if row["board"] == board and row["what"] == kind}
        )
        for kind in kinds
    }
    played = [row for row in source.ask(BOARDS) if row["board"] == board]
    games = sum(row["games"] for row in played)
    ranked = (
        sorted(kinds, key=lambda kind: (kind != "contest", -kinds[kind], kind)) if games >= MIN_DRAWN else []
    )
    chosen = [
        kind for at, kind in enumerate(ranked) if times[kind] not in [times[other] for other in ranked[:at]]
    ][:MAPS]
    told = (
        ", the darker the more. Where pieces often are, much of all happens."
        if chosen
        else ": too few to draw."
    )
    where = f" on the board “{board}”" if board != boards.NONE else ""
    says = [f"Over {many(games, 'game')}{where}{told}"]
    figures: list[Figure] = []
    try:
        ground = _ground(source.game or "", board, played[0]["players"], played[0]["rules"])
    except Exception as error:
        found = describe_failure(error)
        failed = str(found) if found else ""
        if not failed and not isinstance(error, (PlayError, ValueError, KeyError)):
            raise
        alone = "The board cannot be laid out by its name alone."
        why = str(error) if isinstance(error, PlayError) else alone
        says.append(f"There is no map. {f'{failed[:1].upper()}{failed[1:]}.' if failed else why}")
    else:
        figures = _maps(ground, {kind: times[kind] for kind in chosen}, kinds, says)
    more = sorted(kind for kind in kinds if not any(times[kind] == times[other] for other in chosen))
    if more:
        says.append(f"Not drawn: {join_words([spaced(kind) for kind in more])}; ask for “places”.")
    if len(of_board) > 1:
        says.append(f"Other boards are left out: {join_words(sorted(set(of_board) - {board}))}.")
    return Section(title, tuple(says), tuple(figures))


def _maps(
    ground: BoardLayout, times: Mapping[str, Counter[str]], kinds: Mapping[str, int], says: list[str]
) -> list[Figure]:
    """A map of `ground` for each of the `times`, all on one scale; `says` is told what they do not show."""
    known = {name for cell in ground.cells for name in (cell.id, zone_of(cell))}
    darkest = max((count for of in times.values() for at, count in of.items() if at in known), default=0)
    figures = []
    for kind, of in times.items():
        label = f"{spaced(kind)}: {many(kinds[kind], 'time')}"
        figures.append(Figure(heat(ground, of, label, darkest), f"{label}; {_top(of)}"))
        off = sum(count for place, count in of.items() if place not in known)
        if off:
            says.append(f"{spaced(kind)}: {many(off, 'time')} at places that the board does not show.")
    return figures


def _top(times: Counter[str]) -> str:
    """The places where something happened most."""
    return f"most at {join_words([f'{place} ({count:,})' for place, count in times.most_common(3)])}."


def _ground(game: str, board: str, players: int, rules: str) -> BoardLayout:
    """The board called `board` of `game`, as its scene shows it.

    Raises `PlayError`, ValueError, KeyError, and whatever a game raises.
    """
    found = registry.find(game, rules)
    start = found.start(found.Options(), boards.resolve(found, board), found.seats[players])
    ground: BoardLayout = found.scene(start, None).ground
    return ground
