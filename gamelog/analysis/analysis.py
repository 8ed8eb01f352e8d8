"""The analysis of a finished record, as a value that is saved beside the record and never in it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from gamelog.analysis.adjusted_results import GameLuck, game_luck
from gamelog.analysis.curve import (
    MeasuredChances,
    Point,
    Totals,
    curve,
    curve_through,
    positions,
    rolls,
    totals,
)
from gamelog.analysis.turning_points import Playouts, TurningPoint, swing_candidates, turning_points
from gamelog.errors import BadSetup, GamelogError
from gamelog.message import Message
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.playing.evaluator import CalibrationBin, Count, Evaluators
from gamelog.record.envelope import TABLE
from gamelog.record.reading import Record


class AnalysisSettings(Struct, frozen=True):
    """The choices for an analysis.

    Attributes:
        bot: Name of the bot that plays on, or None for ``greedy`` if the game has it, otherwise ``random``.
        fit_games: Number of games that the bot plays against itself for the evaluator.
        swings: Maximum number of swings that playouts examine; with 0, only the evaluator is used.
        error: Largest standard error of the chances that playouts measure.
    """

    bot: str | None = None
    fit_games: int = 150
    swings: int = 8
    error: float = 0.03


class Analysis(Struct, frozen=True):
    """The chances of the seats in a finished game, and the causes of their changes.

    Attributes:
        record: Id of the record.
        head: Head of the record.
        rules: Version of the rules.
        bot: Name of the bot for which the chances hold: if all seats went on like it.
        fit_games: Number of games of the bot against itself that the evaluator is fitted on.
        fit_positions: Number of positions of the fit.
        checked_games: Number of games that the fit did not use, for the calibration.
        calibration: Chances and wins in these games.
        slope: Slope of the wins on the chances in these games; 1 is right, less is overconfident.
        playouts: Number of playouts.
        examined: Number of swings that playouts examined.
        large: Number of events that are large by the evaluator.
        points: Chances after each event.
        totals: Sums of luck and choices of each seat.
        turning_points: Swings that exceed their error.
        feature_luck: For each seat, the luck in each feature of the evaluator (`GameLuck`).
    """

    record: str
    head: str
    game: str
    rules: str
    seats: tuple[str, ...]
    bot: str
    fit_games: Count
    fit_positions: Count
    checked_games: Count
    calibration: Annotated[tuple[CalibrationBin, ...], Meta(max_length=20)]
    slope: Annotated[float, Meta(ge=-1_000, le=1_000)]
    playouts: Count
    examined: Count
    large: Count
    points: list[Point]
    totals: list[Totals]
    turning_points: list[TurningPoint]
    feature_luck: list[list[float]] = []


def analyse(
    folded: FoldedRecord, settings: AnalysisSettings | None = None, evaluators: Evaluators | None = None
) -> Analysis:
    """Return the analysis of a finished record. `evaluators` keeps the fits for further records.

    Raises:
        GamelogError: The record cannot be analysed: it is not valid or not over, or its bot cannot play.
    """
    settings = settings or AnalysisSettings()
    fold = finished_fold(folded)
    bot = bot_name(fold, settings.bot)
    seats = fold.header.seat_ids
    evaluator = (evaluators or Evaluators()).fitted(
        fold.game, fold.header, fold.states[0], bot, settings.fit_games
    )
    line, points = positions(fold), curve(fold, evaluator)
    playouts = Playouts(evaluator, settings.error)
    sizes = swing_candidates(fold, line, points, evaluator) if settings.swings else {}
    examined = sorted(sorted(sizes, key=lambda n: -sizes[n])[: settings.swings])
    measured: dict[int, MeasuredChances] = {}
    for n in sorted({0, *examined, *(n - 1 for n in examined)}) if examined else ():
        outcome = fold.pending_at(n).outcome
        measured[n] = MeasuredChances(points[n].chances, 0.0, 0) if outcome else playouts.measure(line[n])
    points = curve_through(points, measured)
    found = turning_points(fold, line, points, measured, examined, playouts, evaluator)
    errors = {n: one.error for n, one in measured.items()} | ({fold.n: 0.0} if measured else {})
    return Analysis(
        fold.header.id,
        folded.record.head or "",
        fold.header.game,
        fold.header.rules,
        seats,
        bot,
        evaluator.games,
        evaluator.positions,
        evaluator.checked_games,
        evaluator.calibration,
        evaluator.slope,
        playouts.total,
        len(examined),
        len(sizes),
        points,
        totals(points, seats, errors),
        found,
        game_luck(evaluator, rolls(fold), points[-1].chances).luck,
    )


def analyse_with_luck(
    record: Record, settings: AnalysisSettings | None = None, evaluators: Evaluators | None = None
) -> tuple[Analysis, GameLuck]:
    """Return the analysis of a record, and its luck for `adjusted_results` of many games.

    `evaluators` keeps the fits for other records.

    Raises:
        GamelogError: The record cannot be analysed: it is not valid or not over, or its bot cannot play.
    """
    analysis = analyse(fold_record(record), settings, evaluators)
    return analysis, GameLuck(analysis.points[-1].chances, analysis.feature_luck)


def finished_fold(folded: FoldedRecord) -> Fold:
    """Return the fold of a record that can be analysed.

    Raises:
        GamelogError: The record cannot be replayed, or its game is not over.
    """
    fold, path = folded.fold, folded.record.path
    if fold is None or folded.unfolded_events or folded.record.problem:
        problem = folded.findings[0].message if folded.findings else Message.of("it is damaged")
        raise GamelogError(Message.of("Cannot analyse {=path}: {problem}.", path=path, problem=problem))
    if fold.outcome is None:
        raise GamelogError(
            Message.of(
                "{=path} is not over. An analysis of a running game could show what a player may not know.",
                path=path,
            )
        )
    return fold


def bot_name(fold: Fold, wanted: str | None) -> str:
    """Return the name of the bot that plays on.

    Raises:
        BadSetup: The game has no bot of that name.
    """
    bots = [name for name in fold.game.bots if name != TABLE]
    if wanted is not None and wanted not in bots:
        raise BadSetup(
            Message.of(
                '{=game} has no bot "{=bot}"; its bots are {=bots}.',
                game=fold.game.title,
                bot=wanted,
                bots=", ".join(bots),
            )
        )
    return wanted or ("greedy" if "greedy" in bots else bots[0])


def encode(analysis: Analysis) -> bytes:
    """Return the analysis as the bytes of its file."""
    plain: Any = _rounded(msgspec.to_builtins(analysis)) | {"feature_luck": analysis.feature_luck}
    return msgspec.json.format(msgspec.json.encode(plain), indent=1) + b"\n"


def _rounded(value: Any) -> Any:
    """Return plain data with numbers of four decimals. Luck in features keeps all: its scales differ."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value
