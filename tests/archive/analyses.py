"""Analyses of Tug records that are made up, so that every row of an archive is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import structs

from gamelog.analysis.analysis import Analysis, encode
from gamelog.analysis.analysis_path import analysis_path
from gamelog.analysis.curve import Point, totals
from gamelog.analysis.turning_points import Alternative, TurningPoint
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.playing.evaluator import shares
from gamelog.record.reading import read_record


def invented(record: Path, **more: Any) -> Analysis:
    """Return an analysis in which the chances move evenly from 0.5 to the result: choices, then rolls."""
    folded = fold_record(read_record(record))
    assert folded.fold is not None and folded.fold.outcome is not None
    fold, header = folded.fold, folded.fold.header
    seats = header.seat_ids
    result = shares(folded.fold.outcome, seats)
    points = [
        Point(
            n,
            [(1 / len(seats)) + (share - 1 / len(seats)) * n / fold.n for share in result],
            0.01,
            "other" if not n else "choice" if n % 2 else "luck",
            seats[0] if n % 2 else None,
        )
        for n in range(fold.n + 1)
    ]
    gained = [after - before for before, after in zip(points[0].chances, points[1].chances, strict=True)]
    better = Alternative({"do": "pull", "at": "right"}, 0.75, 0.02, 0.2, True)
    swings = [
        TurningPoint(1, "choice", seats[0], gained, 0.02, 0.05, better),
        TurningPoint(2, "luck", None, gained, 0.02, 0.05),
    ]
    luck = [[share - 1 / len(seats), 0.25] for share in result]
    made = Analysis(
        *(header.id, folded.record.head or "", header.game, header.rules, seats, "greedy", 40, 900, 8, ()),
        *(0.9, 500, 2, 3, points, totals(points, seats), swings, luck),
    )
    return structs.replace(made, **more)


def write_analysis(record: Path, analysis: Analysis | None = None, member: str = "") -> Path:
    """Write an analysis beside a record, and return its path."""
    path = analysis_path(record, member)
    path.write_bytes(encode(analysis or invented(record)))
    return path
