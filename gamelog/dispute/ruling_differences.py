"""The rulings in force that only one of two compared records has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.dispute.alignment import Side
from gamelog.dispute.score_sheet import ScoreSheet
from gamelog.play.fold.common_events import Ruling


class RulingDifference(Struct, frozen=True):
    """A ruling that is in force on one side. The other side does not have this decision.

    Attributes:
        of: The side.
        n: Number of the ruling.
        about: Event or claim that it decides.
        kind: Kind of the ruling.
        text: The decision in words.
        name: The arbiter.
    """

    of: Side
    n: int
    about: int
    kind: str
    text: str
    name: str
    reason: str


def ruling_differences(sheet_a: ScoreSheet, sheet_b: ScoreSheet) -> Iterator[RulingDifference]:
    """Yield the rulings in force of each sheet that the other sheet lacks, those of `sheet_a` first.

    Rulings are equal if their decisions about equal events are. Times, names and reasons may differ.
    """
    sides: tuple[tuple[Side, ScoreSheet, ScoreSheet], ...] = (
        ("a", sheet_a, sheet_b),
        ("b", sheet_b, sheet_a),
    )
    for of, sheet, other in sides:
        shared = Counter(_decision(other, ruling) for ruling in _in_force(other))
        for ruling in _in_force(sheet):
            decision = _decision(sheet, ruling)
            if shared[decision]:
                shared[decision] -= 1
                continue
            about = sheet.fold.rulings.subject(ruling.n)
            text = sheet.describe_decision(ruling)
            yield RulingDifference(of, ruling.n, about, ruling.kind, text, ruling.name, ruling.reason)


def _in_force(sheet: ScoreSheet) -> Iterator[Ruling]:
    rulings = sheet.fold.rulings
    return (ruling for n, ruling in rulings.by_number.items() if rulings.is_current(n))


def _decision(sheet: ScoreSheet, ruling: Ruling) -> bytes:
    """Return the decision of `ruling` without numbers and keys of events, which differ between sheets."""

    def content(n: int | None) -> Any:
        return sheet.event_data(n) | {"id": None} if n else n

    decided = (ruling.kind, ruling.result, ruling.points, ruling.time, ruling.warned, ruling.clock)
    about = sheet.fold.rulings.subject(ruling.n)
    return msgspec.json.encode((content(about), content(ruling.to), *decided), order="deterministic")
