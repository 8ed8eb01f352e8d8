"""The file of an analysis beside its record, and its checks.

The file can come from a stranger. So it is used only for the record that it names, and its numbers are
compared with the record and with each other.
"""

from __future__ import annotations

import os
from itertools import pairwise
from typing import NamedTuple

import msgspec

from gamelog.analysis.analysis import Analysis, finished_fold
from gamelog.analysis.analysis_path import analysis_path
from gamelog.analysis.curve import totals
from gamelog.analysis.turning_points import TurningPoint
from gamelog.errors import JSON_ERRORS, GamelogError
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.parts.event_list import decoder
from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.playing.evaluator import Chances, shares
from gamelog.record.envelope import Event
from gamelog.record.reading import read_bytes

_BASE_SIZE, _EVENT_SIZE = 1 << 20, 1 << 11
"""Largest size of a file in bytes: for everything but the events, and for each event."""

_LARGEST_LUCK = 1e6
"""Largest luck in a feature."""

_ROUNDED = 0.0001
"""Largest difference between two rounded numbers that were the same."""


def read_analysis(path: str | os.PathLike[str], folded: FoldedRecord) -> Analysis:
    """Return the analysis in a file, which must be of the record `folded` up to its present end.

    Raises:
        NotReadable: The file cannot be read.
        GamelogError: The game is not over, or the file is not an analysis of this record.
    """
    fold = finished_fold(folded)
    seats, outcome = fold.header.seat_ids, fold.outcome
    expected = AnalysedRecord(
        fold.header.id, folded.record.head, seats, fold.n, shares(outcome, seats) if outcome else None
    )
    try:
        if _size(path) > largest_size(fold.n):
            raise too_large(fold.n)
        analysis = decode_analysis(read_bytes(path), expected)
        if problem := _game_problem(analysis, fold):
            raise UnusableAnalysisError(problem)
    except UnusableAnalysisError as error:
        raise GamelogError(
            Message.of(
                "{=path} cannot be used for {=record}: {problem}. Analyse the record again.",
                path=str(path),
                record=folded.record.path,
                problem=error.message,
            )
        ) from None
    return analysis


class AnalysedRecord(NamedTuple):
    """The facts about a record that its analysis must match.

    Attributes:
        head: Digest of the last line.
        events: Number of events.
        result: Share of the win of each seat; None if the game is not over.
    """

    id: str
    head: str | None
    seats: tuple[str, ...]
    events: int
    result: Chances | None


class UnusableAnalysisError(Exception):
    """The reason why an analysis is not used.

    Attributes:
        is_stale: Whether the analysis is of another record, or of another version of the record.
    """

    def __init__(self, message: Message, *, is_stale: bool = False) -> None:
        super().__init__(str(message))
        self.message, self.is_stale = message, is_stale


def decode_analysis(data: bytes, record: AnalysedRecord) -> Analysis:
    """Return the analysis of a record from the bytes of a file.

    Raises:
        UnusableAnalysisError: The bytes are not an analysis of this record, or its numbers cannot be right.
    """
    if len(data) > largest_size(record.events):
        raise too_large(record.events)
    try:
        analysis = msgspec.json.decode(data, type=Analysis)
    except (*JSON_ERRORS, UnicodeDecodeError) as error:
        text = "it is not the file of an analysis ({=error})"
        raise UnusableAnalysisError(Message.of(text, error=str(error)[:200])) from None
    if analysis.record != record.id:
        raise UnusableAnalysisError(Message.of("it is the analysis of another record"), is_stale=True)
    if analysis.head != record.head:
        raise UnusableAnalysisError(Message.of("the record has changed since"), is_stale=True)
    if record.result is None:
        raise UnusableAnalysisError(Message.of("the game is not over"))
    if problem := numbers_problem(analysis, record.seats, record.events, record.result):
        raise UnusableAnalysisError(problem)
    return analysis


def too_large(events: int) -> UnusableAnalysisError:
    """Return the error about a file that is too large for a record with this many events."""
    text = "it is too large for a record of {n} {n:event|events}"
    return UnusableAnalysisError(Message.of(text, n=events))


def _size(path: str | os.PathLike[str]) -> int:
    """Return the size of a file in bytes, or 0 if it is unknown."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def analysis_beside(
    record: str | os.PathLike[str], folded: FoldedRecord
) -> tuple[Analysis | None, Message | None]:
    """Return the analysis beside the file of a record, or None without one that can be used.

    The second part is the reason why an analysis that is there cannot be used, or None.
    """
    path = analysis_path(record)
    if not path.is_file():
        return None, None
    try:
        return read_analysis(path, folded), None
    except GamelogError as error:
        return None, error.message


def _game_problem(analysis: Analysis, fold: Fold) -> Message | None:
    """Return the first part of `analysis` that does not match the game, or None."""
    if analysis.bot not in fold.game.bots:
        return Message.of('{=game} has no bot "{=bot}"', game=fold.game.title, bot=analysis.bot[:60])
    for point in analysis.turning_points:
        event = alternative_event(fold.game, point, fold.events[point.n - 1].t)
        if point.alternative is not None and (
            event is None or fold.game.check(fold.states[point.n - 1], event) is not None
        ):
            return Message.of("an alternative is not possible in the game")
    return None


def largest_size(events: int) -> int:
    """Return the largest size in bytes of the analysis of a record with this many events."""
    return _BASE_SIZE + _EVENT_SIZE * events


def numbers_problem(
    analysis: Analysis, seats: tuple[str, ...], events: int, result: Chances | None
) -> Message | None:
    """Return why the numbers of `analysis` do not follow from each other or from the record, or None.

    Args:
        analysis: The analysis.
        seats: The seats of the record.
        events: The number of events of the record.
        result: The share of the win of each seat; None if it is not compared.
    """
    points = analysis.points
    if analysis.seats != seats or [total.seat for total in analysis.totals] != [*seats]:
        return Message.of("its seats are not those of the record")
    if [point.n for point in points] != [*range(events + 1)]:
        return Message.of("it does not have one point for each event")
    known = {*seats, None}
    if not all(_are_chances(point.chances, len(seats)) and point.by in known for point in points):
        return Message.of("the chances after an event do not add up to 1")
    if result and not _are_near(points[-1].chances, result, _ROUNDED):
        return Message.of("its last chances are not the result of the game")
    summed = totals(points, seats)
    for total, own in zip(analysis.totals, summed, strict=True):
        named = [total.initial, total.final, total.luck, total.choices, total.rest]
        found = [own.initial, own.final, own.luck, own.choices, own.rest]
        if not (_are_near(named, found, _ROUNDED * len(points)) and 0 <= total.error <= len(points)):
            return Message.of("its totals do not follow from its chances")
    bins = analysis.calibration
    if not all(one.low < one.high for one in bins) or [*bins] != sorted(bins, key=lambda one: one.low):
        return Message.of("its calibration is not in order")
    if not all(before.n < after.n for before, after in pairwise(analysis.turning_points)):
        return Message.of("its turning points are not in order")
    if not all(_follows(point, analysis) for point in analysis.turning_points):
        return Message.of("its turning points do not follow from its chances")
    luck = analysis.feature_luck
    if luck and (len(luck) != len(seats) or len({*map(len, luck)}) > 1):
        return Message.of("its luck has other seats")
    if not all(abs(value) <= _LARGEST_LUCK for row in luck for value in row):
        return Message.of("its luck is too large")
    return None


def _follows(point: TurningPoint, analysis: Analysis) -> bool:
    """Return whether the numbers of a turning point follow from the curve."""
    if not 0 < point.n < len(analysis.points):
        return False
    before, after = analysis.points[point.n - 1], analysis.points[point.n]
    changes = [b - a for a, b in zip(before.chances, after.chances, strict=True)]
    if (point.cause, point.by) != (after.cause, after.by) or len(point.swing) != len(changes):
        return False
    other = point.alternative
    return (
        _are_near(point.swing, changes, 3 * _ROUNDED)
        and 0 <= point.error <= 1
        and (other is None or (0 <= other.chance <= 1 and 0 <= other.error <= 1))
    )


def alternative_event(game: AnyGame, point: TurningPoint, t: int = 0) -> Event | None:
    """Return the best alternative to a choice as an event of the game at time `t`, or None without one."""
    if point.alternative is None or point.by is None:
        return None
    members = {**point.alternative.event, "n": point.n, "t": t, "by": point.by}
    try:
        event: Event = decoder(game).decode(msgspec.json.encode(members))
    except (msgspec.ValidationError, UnicodeEncodeError):
        return None
    return event if isinstance(event, tuple(game.events)) else None


def _are_chances(values: Chances, seats: int) -> bool:
    """Return whether there is one chance for each seat, and they add up to 1."""
    return len(values) == seats and abs(sum(values) - 1) <= _ROUNDED * (seats + 1)


def _are_near(values: list[float], others: list[float], distance: float) -> bool:
    """Return whether two lists have the same numbers up to `distance`, without the error of floats."""
    return all(abs(a - b) <= distance + 1e-9 for a, b in zip(values, others, strict=True))
