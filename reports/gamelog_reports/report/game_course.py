"""The sections on the course of games: endings, lengths, leads, and the places of events on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import ceil, floor, log10
from typing import Any

from gamelog.errors import PlayError
from gamelog.play.contract import boards, registry
from gamelog.play.contract.outcome import REASONS
from gamelog.play.contract.scene import BoardLayout
from gamelog.play.fold.game_errors import describe_failure
from gamelog.play.telling.visibility import LEFT_OUT
from gamelog_reports.report import charts
from gamelog_reports.report.chart_drawing import draw
from gamelog_reports.report.heat_map import heat, zone_of
from gamelog_reports.report.section import Figure, ReportTable, Section
from gamelog_reports.report.source import Source
from gamelog_reports.report.wording import MIN_DRAWN, MIN_GAMES, Wording

_MAX_BINS = 24
"""Maximum number of columns of a histogram."""

_MAX_MAPS = 3
"""Maximum number of maps of a game: its contests, and the most frequent events."""

_MAX_COMEBACKS = 10
"""Maximum number of comebacks in the list."""

_LENGTHS_SQL = """
SELECT players, floor(events / $width)::BIGINT * $width AS "from", count(*) AS games
FROM played($game) WHERE to_the_end(result_by, gaps) GROUP BY ALL ORDER BY ALL
"""

_BOARDS_SQL = """
SELECT board, players, rules, count(*) AS games FROM counted_games($game) GROUP BY ALL
  ORDER BY games DESC, board, players, rules
"""

_FEW = "There are too few games for more detail."


def endings_section(source: Source) -> Section:
    """Return the section on why games end."""
    say = source.say
    rows: list[dict[str, Any]] = [row | {"reason": _reason(source, row)} for row in source.ask("endings")]
    title = say("Endings of games")
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row["reason"]] += row["games"]
    total = sum(counts.values())
    if not total:
        return Section(title, (say("No game is finished."),))
    shared, draws = (sum(row[name] for row in rows) for name in ("shared", "drawn"))
    reason, highest = counts.most_common(1)[0]
    low, high = source.interval(highest, total)
    says = [
        say(
            "Of {n} {n:finished game|finished games}, {=part} end by “{=reason}” (95% interval "
            "{=low} to {=high}).",
            n=total,
            part=say.percent(highest / total),
            reason=say.word(reason),
            low=say.percent(low),
            high=say.percent(high),
        ),
        say(
            "{shared} {shared:victory is|victories are} shared, {drawn} {drawn:game is|games are} drawn.",
            shared=int(shared),
            drawn=int(draws),
        ),
        say("Reasons that did not occur are not shown. A rare ending may be missing."),
        say(_FEW) if total < MIN_GAMES else "",
    ]
    figure = _endings_figure(say, title, counts)
    figures = (figure,) if total >= MIN_DRAWN else ()
    return Section(title, tuple(filter(None, says)), figures, (_endings_table(source, rows),))


def _endings_figure(say: Wording, title: str, counts: Counter[str]) -> Figure:
    """Return the chart of the games by the reason of their end."""
    total = sum(counts.values())
    shown = [
        {
            "label": say.word(reason),
            "count": count,
            "note": say("{n} ({=part})", n=count, part=say.percent(count / total)),
        }
        for reason, count in counts.most_common()
    ]
    label = say("{=title}: games by reason", title=title)
    picture = draw(charts.bars(shown, say("games")), shown, label, say.language)
    return Figure(picture, say("Games by the reason of their end."))


def _endings_table(source: Source, rows: list[dict[str, Any]]) -> ReportTable:
    """Return the table of the endings by number of players."""
    say = source.say
    numbers = [
        row
        | {
            "reason": say.word(row["reason"]),
            "result_by": say(row["result_by"]),
            "part": say.percent(row["part"]),
            "events_median": say.number(row["events_median"], 1),
        }
        for row in rows
    ]
    heads = {
        "players": "players",
        "reason": "reason",
        "result_by": "result by",
        "games": "games",
        "part": "share",
        "events_median": "median length, events",
    }
    return source.table(numbers, heads)


def _reason(source: Source, row: dict[str, Any]) -> str:
    """Return the reason for the end of games. Without people, it is a word of the game or the program."""
    reason: str = row["reason"]
    own = row["result_by"] in ("play", "resignation") or reason in REASONS
    return reason if own or not source.people.anonymous else LEFT_OUT


def lengths_section(source: Source) -> Section:
    """Return the section on how long games last."""
    say, rows = source.say, source.ask("lengths")
    title = say("Lengths of games")
    if not rows:
        return Section(title, (say("No game was played to its end."),))
    width = column_width(max(row["events_max"] for row in rows) - min(row["events_min"] for row in rows))
    medians = {row["players"]: row["events_median"] for row in rows}
    player_counts = {row["players"] for row in rows if row["games"] >= MIN_GAMES} or {
        row["players"] for row in rows if row["games"] >= MIN_DRAWN
    }
    chart_rows = [
        {
            "from": row["from"],
            "to": row["from"] + width,
            "count": row["games"],
            "middle": medians[row["players"]],
            "group": say("{n} {n:player|players}", n=row["players"]),
        }
        for row in source.ask(_LENGTHS_SQL, width=width)
        if row["players"] in player_counts
    ]
    says = [_length(say, row) for row in rows]
    count = source.finished_otherwise("to_the_end(result_by, gaps)")
    if count:
        text = (
            "{n} {n:finished game is|finished games are} left out: ended by a resignation, an "
            "agreement, a ruling or a walkover, or not recorded completely."
        )
        says.append(say(text, n=count))
    says.append(
        say("All lines of a record count as events, including dice and notes. Minutes do not include pauses.")
    )
    if not chart_rows:
        return Section(title, tuple(says))
    label = say("{=title}: games by number of events", title=title)
    picture = draw(charts.histogram(chart_rows, say("events"), say("games")), chart_rows, label, say.language)
    caption = say("Games by number of events, {n} per column. Dashed: the median game.", n=width)
    return Section(title, tuple(says), (Figure(picture, caption),))


def _length(say: Wording, row: dict[str, Any]) -> str:
    """Return the sentences on the length of games with one number of players."""
    text = (
        "{players} {players:player|players}, {games} {games:game|games}: the median game has "
        "{n} {n:event|events}."
    )
    counts = {"players": row["players"], "games": row["games"]}
    sentences = [say(text, **counts, n=round(row["events_median"]))]
    if row["games"] >= MIN_GAMES:
        text = "Eight of ten games have {least} to {most} events."
        sentences.append(say(text, least=round(row["events_short"]), most=round(row["events_long"])))
    if row["minutes_median"] is not None:
        text = "The median game takes {n} {n:minute|minutes} (from {least} to {most})."
        minutes = {"least": round(row["minutes_min"]), "most": round(row["minutes_max"])}
        sentences.append(say(text, n=round(row["minutes_median"]), **minutes))
    if row["games"] < MIN_GAMES:
        sentences.append(say(_FEW))
    return " ".join(sentences)


def column_width(span: int) -> int:
    """Return the width of a histogram's columns for values `span` apart: 1, 2 or 5 and zeros."""
    least = max(1.0, (span + 1) / _MAX_BINS)
    ten = float(10 ** floor(log10(least)))
    return ceil(next(ten * factor for factor in (1, 2, 5, 10) if ten * factor >= least))


def leads_section(source: Source) -> Section:
    """Return the section on changes of the lead and on comebacks."""
    say = source.say
    title = say("Leads and comebacks")
    rows = source.ask("leads")
    if not rows:
        return Section(title, (say("No game with points was played to its end."),))
    says = [_leads(source, row) for row in rows]
    comebacks = source.ask("comebacks", most=_MAX_COMEBACKS)
    unit = say.word(next((row["unit"] for row in comebacks if row["unit"]), "points"))
    says.append(say("A player who leads has more {=unit} than every other player during play.", unit=unit))
    table_rows = [
        {
            "record": source.record(row["id"], row["n"]),
            "winner": source.player_at(row["id"], row["winner"], row["n"]),
            "deficit": row["deficit"],
            "n": row["n"],
        }
        for row in comebacks
    ]
    behind = say("{=unit} behind", unit=unit)
    heads = {"record": "record", "winner": "winner", "deficit": behind, "n": "at event"}
    tables = (source.table(table_rows, heads, name="Greatest comebacks", folded=False),) if table_rows else ()
    return Section(title, tuple(says), tables=tables)


def _leads(source: Source, row: dict[str, Any]) -> str:
    """Return the sentences on the lead in games with one number of players."""
    say = source.say
    sentences = [
        say(
            "{players} {players:player|players}, {games} {games:game|games}: the lead changes "
            "{=mean} times a game (at most {most}), and never in {=never} of the games.",
            players=row["players"],
            games=row["games"],
            mean=say.number(row["changes_mean"], 1),
            most=row["changes_max"],
            never=say.percent(row["unbroken"]),
        )
    ]
    counts = {"kept": row["kept"], "half": row["half_way"]}
    if row["half_way"] >= MIN_GAMES:
        low, high = source.interval(row["kept"], row["half_way"])
        text = "The leader at half-time wins {kept} of {half} {half:game|games} ({=low} to {=high})."
        sentences.append(say(text, **counts, low=say.percent(low), high=say.percent(high)))
        rest = row["games"] - row["half_way"]
        text = "In the other {n:game|games} ({n}), no player led alone at half-time or won alone."
        sentences += [say(text, n=rest)] if rest > 0 else []
    elif row["half_way"]:
        text = "The leader at half-time wins {kept} of {half} {half:game|games}, too few for a conclusion."
        sentences.append(say(text, **counts))
    return " ".join(sentences)


def places_section(source: Source) -> Section:
    """Return the section on the places of events on the board."""
    say = source.say
    title = say("Places on the board")
    rows = source.ask("places")
    if not rows:
        return Section(title, (say("No counted event has a place on the board."),))
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
    played = [row for row in source.ask(_BOARDS_SQL) if row["board"] == board]
    games = sum(row["games"] for row in played)
    ranked = (
        sorted(kinds, key=lambda kind: (kind != "contest", -kinds[kind], kind)) if games >= MIN_DRAWN else []
    )
    chosen = [
        kind
        for at, kind in enumerate(ranked)
        if times[kind] not in [times[kind_before] for kind_before in ranked[:at]]
    ][:_MAX_MAPS]
    counted = "{n} {n:game|games}." if board == boards.NONE else "{n} {n:game|games} on the board “{=board}”."
    shading = (
        "The darker a cell, the more often this happened there. More happens on cells where pieces "
        "often stand."
    )
    says = [
        say(counted, n=games, board=board),
        say(shading) if chosen else say("Too few games for a map."),
    ]
    figures: list[Figure] = []
    ground = _ground_or_reason(source, board, played[0])
    if isinstance(ground, str):
        says.append(ground)
    else:
        figures = _maps(say, ground, {kind: times[kind] for kind in chosen}, kinds, says)
    more = sorted(
        kind for kind in kinds if not any(times[kind] == times[kind_before] for kind_before in chosen)
    )
    if more:
        text = "Not drawn: {=kinds}. To list them, ask the stock question places."
        says.append(say(text, kinds=say.join([say.word(say(kind)) for kind in more])))
    if len(of_board) > 1:
        other_boards = say.join(sorted(set(of_board) - {board}))
        says.append(say("Other boards are left out: {=boards}.", boards=other_boards))
    return Section(title, tuple(says), tuple(figures))


def _ground_or_reason(source: Source, board: str, played: Mapping[str, Any]) -> BoardLayout | str:
    """Return the cells of `board`, or a sentence that says why they cannot be drawn.

    `played` is the number of players and the rules of games on this board.
    """
    say = source.say
    try:
        return _ground(source.game or "", board, played["players"], played["rules"])
    except Exception as error:
        failure = describe_failure(error)
        if not failure and not isinstance(error, (PlayError, ValueError, KeyError)):
            raise
        why = str(failure or (error if isinstance(error, PlayError) else ""))
    if why and say.language == "en":
        return say("There is no map: {=why}.", why=why.removesuffix("."))
    return say("There is no map, because the board cannot be drawn from its name alone.")


def _maps(
    say: Wording,
    ground: BoardLayout,
    times: Mapping[str, Counter[str]],
    kinds: Mapping[str, int],
    says: list[str],
) -> list[Figure]:
    """Return a map of `ground` for each of the `times`, all on one scale.

    Sentences on events outside the maps are added to `says`.
    """
    known = {name for cell in ground.cells for name in (cell.id, zone_of(cell))}
    darkest = max((count for of in times.values() for at, count in of.items() if at in known), default=0)
    figures = []
    for kind, of in times.items():
        label = say("{=kind}: {n} {n:time|times}", kind=say.word(say(kind)), n=kinds[kind])
        figures.append(Figure(heat(ground, of, label, darkest, say.number), f"{label}; {_top(say, of)}"))
        off = sum(count for place, count in of.items() if place not in known)
        if off:
            text = "{=kind}: {n} {n:time|times} at places that the board does not show."
            says.append(say(text, kind=say.word(say(kind)), n=off))
    return figures


def _top(say: Wording, times: Counter[str]) -> str:
    """Return the places where something happened most often."""
    places = [f"{place} ({say.number(count)})" for place, count in times.most_common(3)]
    return say("most often at {=places}.", places=say.join(places))


def _ground(game: str, board: str, players: int, rules: str) -> BoardLayout:
    """Return the layout of the board `board` of `game`.

    Raises:
        PlayError: The game or its board is unknown.
        ValueError, KeyError: The board does not fit.
        Exception: The code of the game raised it.
    """
    installed = registry.find(game, rules)
    start = installed.start(installed.Options(), boards.resolve(installed, board), installed.seats[players])
    ground: BoardLayout = installed.scene(start, None).ground
    return ground
