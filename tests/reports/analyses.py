"""Analyses of records with chances made up for tests, which match the records as real analyses do."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from msgspec import structs

from gamelog.analysis.analysis import Analysis, encode
from gamelog.analysis.curve import Cause, Point, totals
from gamelog.analysis.turning_points import Alternative, TurningPoint
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.playing.evaluator import CalibrationBin, shares
from gamelog.record.envelope import ARBITER, TABLE

CALIBRATION = (
    CalibrationBin(0.2, 0.4, 400, 0.3, 0.28),
    CalibrationBin(0.6, 0.8, 321, 0.7, 0.66),
)


def made_analysis(
    folded: FoldedRecord,
    turning: Collection[int] = (),
    alternatives: dict[int, Alternative] | None = None,
    **others: Any,
) -> Analysis:
    """Return an analysis of `folded` whose chances change at the events `turning` and at the last event only.

    Args:
        folded: The record, whose game is over.
        turning: The turning points. Each moves the chances halfway to the first seat, and the next one to the last seat.
        alternatives: Alternatives by turning point.
        others: Members of the analysis.
    """
    fold = folded.fold
    assert fold is not None and fold.outcome is not None
    seats = fold.header.seat_ids
    chances, points, found = [1 / len(seats)] * len(seats), list[Point](), list[TurningPoint]()
    for n in range(fold.n + 1):
        before, (cause, by) = chances, _cause(fold, n)
        if n in turning:
            target = 0 if len(found) % 2 == 0 else len(seats) - 1
            chances = [(chance + (seat == target)) / 2 for seat, chance in enumerate(chances)]
            swing = [b - a for a, b in zip(before, chances, strict=True)]
            found.append(TurningPoint(n, cause, by, swing, 0.04, 0.1, (alternatives or {}).get(n)))
        points.append(Point(n, chances, 0.03, cause, by))
    points[-1] = structs.replace(points[-1], chances=shares(fold.outcome, seats), error=0.0)
    return structs.replace(
        Analysis(
            fold.header.id,
            folded.record.head or "",
            fold.header.game,
            fold.header.rules,
            seats,
            "greedy" if "greedy" in fold.game.bots else "random",
            150,
            900,
            30,
            CALIBRATION,
            1.0,
            500,
            len(found),
            len(found),
            points,
            totals(points, seats, {0: 0.02, fold.n: 0.0}),
            found,
        ),
        **others,
    )


def _cause(fold: Fold, n: int) -> tuple[Cause, str | None]:
    event = fold.events[n - 1] if n else None
    if event is None or n in fold.violations:
        return "other", None
    if type(event) in fold.chance_events:
        return "luck", None
    is_choice = type(event) in fold.game.events and event.by not in (TABLE, ARBITER)
    return ("choice", event.by) if is_choice else ("other", None)


def written(analysis: Analysis, path: Path) -> Path:
    """Write an analysis to a file, and return its path."""
    path.write_bytes(encode(analysis))
    return path
