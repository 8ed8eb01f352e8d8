"""The sections on the course of games: endings, lengths, leads, and the places of events on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import ceil
from typing import Any

from msgspec import structs

from gamelog.archive import MIN_GAMES
from gamelog.errors import PlayError
from gamelog.play.contract import boards, registry
from gamelog.play.contract.growing_board import visible_ground
from gamelog.play.contract.outcome import REASONS
from gamelog.play.contract.scene import BoardLayout
from gamelog.play.fold.game_errors import describe_failure
from gamelog.play.visibility.findings import LEFT_OUT
from gamelog.statistics import share_interval
from gamelog_reports.report.chart_drawing import Scale, scale_of, step_of
from gamelog_reports.report.charts import Chart, ChartMark, chart, histogram
from gamelog_reports.report.heat_map import heat_map, zone_of
from gamelog_reports.report.section import Figure, Section
from gamelog_reports.report.source import Source
from gamelog_reports.report.wording import MIN_DRAWN, Wording

_MAX_BINS = 24
"""Maximum number of columns of a histogram."""

_MAX_ENDINGS = 8
"""Maximum number of reasons in the chart of endings."""

_MAX_MAPS = 2
"""Maximum number of maps of a game: its contests, and the most frequent events."""

_LENGTHS_SQL = """
SELECT players, floor(events / $width)::BIGINT * $width AS "from", count(*) AS games
FROM played($game) WHERE to_the_end(result_by, gaps) GROUP BY ALL ORDER BY ALL
"""

_BOARDS_SQL = """
SELECT board, players, rules, count(*) AS games FROM counted_games($game) GROUP BY ALL
  ORDER BY games DESC, board, players, rules
"""


def endings_section(source: Source) -> Section:
    """Return the section on why games end."""
    say = source.wording
    rows: list[dict[str, Any]] = [row | {"reason": _reason(source, row)} for row in source.ask("endings")]
    section = Section("endings", say("Endings"), say("No game is finished."))
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row["reason"]] += row["games"]
    total = sum(counts.values())
    if not total:
        return section
    shared, draws = (int(sum(row[name] for row in rows)) for name in ("shared", "drawn"))
    reason, highest = counts.most_common(1)[0]
    text = (
        "{n} {n:finished game|finished games}, 95% interval {=interval}; {shared} "
        "{shared:shared victory|shared victories}, {drawn} {drawn:draw|draws}."
    )
    return structs.replace(
        section,
        title=say(
            "{=part} of the games end by “{=reason}”",
            part=say.percent(highest / total),
            reason=say.word(reason),
        )
        if total >= MIN_DRAWN
        else say("Too few games to compare endings"),
        basis=say(
            text,
            n=total,
            interval=say.format_interval(*share_interval(highest, total)[1:]),
            shared=shared,
            drawn=draws,
        ),
        charts=(_endings_chart(source, counts),) if total >= MIN_DRAWN else (),
        is_weak=total < MIN_DRAWN,
        is_summary=total >= MIN_DRAWN,
    )


def _endings_chart(source: Source, counts: Counter[str]) -> Chart:
    """Return the chart of the games by the reason of their end."""
    say, total = source.wording, sum(counts.values())
    marks = [
        ChartMark(
            say.word(reason),
            count / total,
            (
                say.percent(count / total),
                say.format_interval(*share_interval(count, total)[1:]),
                say.number(count),
            ),
        )
        for reason, count in counts.most_common(_MAX_ENDINGS)
    ]
    return chart(
        [("", marks)],
        scale_of([mark.value for mark in marks], say.percent, zero=True),
        heads=(say("reason"), say("share of the games"), say("share"), say("95% interval"), say("games")),
        legend=(),
        bars=True,
    )


def _reason(source: Source, row: dict[str, Any]) -> str:
    """Return the reason for the end of games. Without people, it is a word of the game or the program."""
    reason: str = row["reason"]
    own = row["result_by"] in ("play", "resignation") or reason in REASONS
    return reason if own or not source.people.anonymous else LEFT_OUT


def lengths_section(source: Source) -> Section:
    """Return the section on how long games last."""
    say, rows = source.wording, source.ask("lengths")
    section = Section("lengths", say("Length"), say("No game was played to its end."))
    if not rows:
        return section
    player_counts = {row["players"] for row in rows if row["games"] >= MIN_GAMES} or {
        row["players"] for row in rows if row["games"] >= MIN_DRAWN
    }
    text = "{n} {n:game|games} played to the end, {least} to {most} events."
    basis = say(
        text,
        n=sum(row["games"] for row in rows),
        least=min(row["events_min"] for row in rows),
        most=max(row["events_max"] for row in rows),
    )
    notes: tuple[str, ...] = ()
    count = source.finished_games_without("to_the_end(result_by, gaps)")
    if count:
        text = (
            "{n} {n:finished game is|finished games are} left out: ended by a resignation, an "
            "agreement, a ruling or a walkover, or not recorded completely."
        )
        notes = (say(text, n=count),)
    section = structs.replace(section, basis=basis, notes=notes)
    if not player_counts:
        return structs.replace(section, title=say("Too few games for lengths"), is_weak=True)
    usual = max((row for row in rows if row["players"] in player_counts), key=lambda row: row["games"])
    return structs.replace(
        section,
        title=_length_title(say, usual, alone=len(rows) == 1),
        figures=_histograms(source, [row for row in rows if row["players"] in player_counts]),
        is_summary=True,
    )


def _length_title(say: Wording, row: dict[str, Any], *, alone: bool) -> str:
    """Return the sentence on the median length of games with one number of players."""
    text = (
        "The median game has {=median} events"
        if alone
        else "With {players} {players:player|players}, the median game has {=median} events"
    )
    title = say(text, players=row["players"], median=say.format_halves(row["events_median"]))
    if row["minutes_median"] is None:
        return title
    return say("{=title} and takes {n} {n:minute|minutes}", title=title, n=round(row["minutes_median"]))


def _histograms(source: Source, rows: list[dict[str, Any]]) -> tuple[Figure, ...]:
    """Return a histogram for each of `rows`, which counts games by their events. All have one scale."""
    say = source.wording
    least, most = min(row["events_min"] for row in rows), max(row["events_max"] for row in rows)
    width = column_width(most - least)
    columns: dict[int, list[tuple[float, float, int]]] = {}
    for row in source.ask(_LENGTHS_SQL, width=width):
        columns.setdefault(row["players"], []).append((row["from"], row["from"] + width, row["games"]))
    starts = [end for row in rows for column in columns[row["players"]] for end in column[:2]]
    scale = Scale(min(starts), max(starts), say.number)
    return tuple(
        Figure(
            histogram(
                columns[row["players"]],
                scale,
                middle=(
                    row["events_median"],
                    say("median {=median}", median=say.format_halves(row["events_median"])),
                ),
                number=say.number,
                units=(say("events"), say("games")),
                label=say("games by number of events"),
            ),
            _length(say, row),
        )
        for row in rows
    )


def _length(say: Wording, row: dict[str, Any]) -> str:
    """Return the caption of a histogram."""
    sentences = [
        say(
            "{players} {players:player|players}, {games} {games:game|games}.",
            players=row["players"],
            games=row["games"],
        )
    ]
    if row["games"] >= MIN_GAMES:
        text = "Eight of ten games have {least} to {most} events."
        sentences.append(say(text, least=round(row["events_short"]), most=round(row["events_long"])))
    if row["minutes_median"] is not None:
        text = "The median game takes {n} {n:minute|minutes} (from {least} to {most})."
        minutes = {"least": round(row["minutes_min"]), "most": round(row["minutes_max"])}
        sentences.append(say(text, n=round(row["minutes_median"]), **minutes))
    return " ".join(sentences)


def column_width(span: int) -> int:
    """Return the width of a histogram's columns for values `span` apart: 1, 2 or 5 and zeros."""
    return ceil(step_of(max(1.0, span + 1), _MAX_BINS)) if span + 1 > _MAX_BINS else 1


def leads_section(source: Source) -> Section:
    """Return the section on changes of the lead."""
    say = source.wording
    section = Section("leads", say("Leads"), say("No game with points was played to its end."))
    rows = source.ask("leads")
    if not rows:
        return section
    judged = [row for row in rows if row["half_way"] >= MIN_GAMES]
    title, basis = say("Too few games for leads"), ""
    if judged:
        usual = max(judged, key=lambda row: row["half_way"])
        text = "With {players} {players:player|players}, the leader at half-time wins {=part} of the games"
        title = say(text, players=usual["players"], part=say.percent(usual["kept"] / usual["half_way"]))
        text = "{kept} of {half} {half:game|games} with a leader at half-time, 95% interval {=interval}."
        interval = say.format_interval(usual["low"], usual["high"])
        basis = say(text, kept=usual["kept"], half=usual["half_way"], interval=interval)
    return structs.replace(
        section,
        title=title,
        basis=basis,
        charts=(_leads_chart(say, judged),) if judged else (),
        is_weak=not judged,
        is_summary=bool(judged),
    )


def _leads_chart(say: Wording, rows: list[dict[str, Any]]) -> Chart:
    """Return the chart of the games that the leader at half-time won, by number of players."""
    marks = [
        ChartMark(
            say("{n} {n:player|players}", n=row["players"]),
            row["kept"] / row["half_way"],
            (
                say.percent(row["kept"] / row["half_way"]),
                say.format_interval(row["low"], row["high"]),
                say("{won} of {all}", won=row["kept"], all=row["half_way"]),
                say.number(row["changes_mean"], 1),
            ),
            (row["low"], row["high"]),
            1 / row["players"],
        )
        for row in rows
    ]
    return chart(
        [("", marks)],
        scale_of((0, 1), say.percent),
        heads=(
            say("players"),
            say("share won by the leader at half-time"),
            say("won"),
            say("95% interval"),
            say("games"),
            say("lead changes per game"),
        ),
        legend=[
            ("dot", say("share won")),
            ("interval", say("95% interval")),
            ("even", say("equal share of all players")),
        ],
    )


def places_section(source: Source) -> Section:
    """Return the section on the places of events on the board."""
    say = source.wording
    section = Section("board", say("Board"), say("No counted event has a place on the board."))
    rows = source.ask("places")
    if not rows:
        return section
    of_board: Counter[str] = Counter()
    for row in rows:
        of_board[row["board"]] += row["times"]
    board = of_board.most_common(1)[0][0]
    times: dict[str, Counter[str]] = {}
    for row in rows:
        if row["board"] == board:
            times.setdefault(row["what"], Counter())[row["place"]] += row["times"]
    played = [row for row in source.ask(_BOARDS_SQL) if row["board"] == board]
    games = sum(row["games"] for row in played)
    chosen = _kinds_to_draw(times) if games >= MIN_DRAWN else []
    counted = "{n} {n:game|games}." if board == boards.NONE else "{n} {n:game|games} on the board “{=board}”."
    basis, notes = say(counted, n=games, board=board), []
    figures: list[Figure] = []
    ground = _ground_or_reason(source, board, played[0])
    if isinstance(ground, str):
        notes.append(ground)
    else:
        figures = _maps(say, ground, {kind: times[kind] for kind in chosen}, notes)
    if len(of_board) > 1:
        other_boards = say.join(sorted(set(of_board) - {board}))
        notes.append(say("Other boards are left out: {=boards}.", boards=other_boards))
    title = (
        _busiest_places_sentence(say, chosen[0], times[chosen[0]])
        if chosen
        else say("Too few games for a map")
    )
    return structs.replace(section, title=title, basis=basis, notes=tuple(notes), figures=tuple(figures))


def _kinds_to_draw(times: Mapping[str, Counter[str]]) -> list[str]:
    """Return the kinds of events with a map: contests first, then the most frequent, none like another."""
    ranked = sorted(times, key=lambda kind: (kind != "contest", -times[kind].total(), kind))
    return [
        kind
        for index, kind in enumerate(ranked)
        if times[kind] not in [times[kind_before] for kind_before in ranked[:index]]
    ][:_MAX_MAPS]


def _ground_or_reason(source: Source, board: str, played: Mapping[str, Any]) -> BoardLayout | str:
    """Return the cells of `board`, or a sentence that says why they cannot be drawn.

    `played` is the number of players and the rules of games on this board.
    """
    say = source.wording
    try:
        return _ground(source.game or "", board, played["players"], played["rules"])
    except Exception as error:
        failure = describe_failure(error)
        if not failure and not isinstance(error, (PlayError, ValueError, KeyError)):
            raise
        why = str(failure or (error if isinstance(error, PlayError) else ""))
    if why and say.language == "en":
        return say("There is no map: {=error}.", error=why.removesuffix("."))
    return say("There is no map, because the board cannot be drawn from its name alone.")


def _maps(
    say: Wording, ground: BoardLayout, times: Mapping[str, Counter[str]], notes: list[str]
) -> list[Figure]:
    """Return a map of `ground` for each of the `times`, all on one scale.

    Sentences on events outside the maps are added to `notes`.
    """
    ground = visible_ground(ground, {place for counts in times.values() for place in counts})
    known = {name for cell in ground.cells for name in (cell.id, zone_of(cell))}
    darkest = max(
        (count for counts in times.values() for cell_id, count in counts.items() if cell_id in known),
        default=0,
    )
    figures = []
    for kind, counts in times.items():
        label = say("{=kind}: {n} {n:time|times}", kind=say.word(say(kind)), n=counts.total())
        figures.append(Figure(heat_map(ground, counts, label, darkest, say.number), label))
        off = sum(count for place, count in counts.items() if place not in known)
        if off:
            text = "{=kind}: {n} {n:time|times} at places that the board does not show."
            notes.append(say(text, kind=say.word(say(kind)), n=off))
    return figures


def _busiest_places_sentence(say: Wording, kind: str, times: Counter[str]) -> str:
    """Return the sentence on the places where something happened most often."""
    places = [f"{place} ({say.number(count)})" for place, count in times.most_common(3)]
    return say(
        "Most frequent places of “{=kind}”: {=places}", kind=say.word(say(kind)), places=say.join(places)
    )


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
