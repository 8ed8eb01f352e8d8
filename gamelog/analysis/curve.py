"""The chances of the seats after each event of a record, and the cause of each change.

The value of a position in which a roll is due is the expectation over the roll. So the change by the roll is
luck, whose expectation is zero whatever the evaluator, and the change by a decision is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from math import sqrt
from typing import Literal

from msgspec import Struct, structs

from gamelog.play.fold.fold import Fold
from gamelog.play.fold.parts.main_line import removed_ranges
from gamelog.play.playing.evaluator import Chances, Count, Evaluator, Share, shares
from gamelog.play.playing.playout import Position
from gamelog.record.envelope import ARBITER, TABLE

Cause = Literal["luck", "choice", "other"]
"""The cause of a change: a roll, a decision of a seat, or something else (a takeback, a ruling, a clock)."""


class Point(Struct):
    """The chances after an event.

    Attributes:
        n: Number of the event; 0 is the start.
        chances: Chance of each seat to win.
        error: Standard error of the largest chance that playouts have measured nearby; 0 if the game is over.
        cause: Cause of the change since the point before.
        by: Seat whose decision caused it, or None.
    """

    n: Count
    chances: Chances
    error: Share = 0.0
    cause: Cause = "other"
    by: str | None = None


def positions(fold: Fold) -> list[Position]:
    """Return the position after each event of a record, undone events included; the first is the start."""
    found = [Position(fold.states[0])]
    chances = 0
    for n, event in enumerate(fold.events, 1):
        chances += type(event) in fold.chance_events
        found.append(Position(fold.states[n], fold.session_at(n).clock(event.t), n, chances))
    return found


def curve(fold: Fold, evaluator: Evaluator) -> list[Point]:
    """Return the chances after each event of a finished record, by the evaluator alone.

    The chances after an event that nobody played (a pause, a note) are those before it. Events that a
    correction of a slip removed were never played, so they cause neither luck nor choices.
    """
    never_played = _never_played(fold)
    seats, line = fold.header.seat_ids, positions(fold)
    points = [Point(0, _value(fold, evaluator, line, 0))]
    for n, event in enumerate(fold.events, 1):
        same = fold.states[n] is fold.states[n - 1] and not fold.pending_at(n).outcome
        chances = points[-1].chances if same else _value(fold, evaluator, line, n)
        point = Point(n, chances)
        if n not in never_played and n not in fold.violations:
            if type(event) in fold.chance_events:
                point.cause = "luck"
            elif type(event) in fold.game.events and event.by not in (TABLE, ARBITER):
                point.cause, point.by = "choice", event.by
        points.append(point)
    outcome = fold.outcome
    if outcome:
        points[-1].chances = shares(outcome, seats)
    return points


def _never_played(fold: Fold) -> set[int]:
    """Return the numbers of the events that a correction of a slip removed."""
    ranges = removed_ranges(fold.main_line.jumps, fold.slips, fold.n)
    return {number for numbers in ranges for number in numbers}


def rolls(fold: Fold) -> Iterator[tuple[Position, Position]]:
    """Yield the positions before and after each roll that was made, undone rolls included."""
    line, never_played = positions(fold), _never_played(fold)
    for n, event in enumerate(fold.events, 1):
        if type(event) in fold.chance_events and n not in never_played and n not in fold.violations:
            yield line[n - 1], line[n]


def _value(fold: Fold, evaluator: Evaluator, line: list[Position], n: int) -> Chances:
    """Return the chances after event `n`: the result, the expectation over a roll, or the evaluator's."""
    outcome = fold.pending_at(n).outcome
    if outcome:
        return shares(outcome, evaluator.seats)
    event = fold.events[n] if n < fold.n else None
    t = event and type(event) in fold.chance_events and fold.session_at(n).clock(event.t)
    return evaluator.expected(line[n], t or None)


class Totals(Struct, frozen=True):
    """The sum of all changes of a seat's chance, by cause. Together they are `final` minus `initial`.

    Attributes:
        initial: Chance before the first event.
        final: Share of the win.
        luck: Changes by rolls.
        choices: Changes by decisions of all seats: the choices of a rival count here too.
        rest: Changes by takebacks, rulings, clocks and other events.
        error: Standard error of luck, and of choices.
    """

    seat: str
    initial: Share
    final: Share
    luck: float
    choices: float
    rest: float
    error: float = 0.0


def totals(
    points: list[Point], seats: tuple[str, ...], errors: dict[int, float] | None = None
) -> list[Totals]:
    """Return the totals of each seat.

    Args:
        points: The curve.
        seats: The seats.
        errors: The standard error at each event where playouts measured the chances.
    """
    error = _error_of_luck(points, errors or {})
    found = []
    for index, seat in enumerate(seats):
        sums: dict[Cause, float] = {"luck": 0.0, "choice": 0.0, "other": 0.0}
        for before, point in pairwise(points):
            sums[point.cause] += point.chances[index] - before.chances[index]
        initial, final = points[0].chances[index], points[-1].chances[index]
        found.append(Totals(seat, initial, final, sums["luck"], sums["choice"], sums["other"], error))
    return found


def _error_of_luck(points: list[Point], errors: dict[int, float]) -> float:
    """Return the standard error of the sum of luck, which depends on all measured chances.

    Between two events with playouts, `curve_through` spreads the correction evenly over the changes.
    """
    weights = dict.fromkeys(errors, 0.0)
    measured = sorted(errors)
    for low, high in pairwise(measured):
        parts = _change_shares(points, low, high)
        share = sum(
            part - before
            for point, (before, part) in zip(points[low + 1 : high + 1], pairwise(parts), strict=True)
            if point.cause == "luck"
        )
        weights[low] -= share
        weights[high] += share
    return sqrt(sum((weights[n] * errors[n]) ** 2 for n in measured))


class MeasuredChances(Struct, frozen=True):
    """Chances that playouts measured, the largest standard error of a seat, and the number of playouts."""

    chances: Chances
    error: float
    playouts: int


def curve_through(points: list[Point], measured: dict[int, MeasuredChances]) -> list[Point]:
    """Return the curve through the `measured` chances.

    The evaluator gives the changes between two measured events. The difference at the measured events is
    spread evenly over these changes.
    """
    if not measured:
        return points
    known = {**measured, points[-1].n: MeasuredChances(points[-1].chances, 0.0, 0)}
    found = [structs.replace(point) for point in points]
    numbers = sorted(known)
    if numbers[0] != 0:
        known[0], numbers = known[numbers[0]], [0, *numbers]
        first = points[numbers[1]].chances
        known[0] = MeasuredChances(
            [
                value + true - guess
                for value, true, guess in zip(
                    points[0].chances, known[numbers[1]].chances, first, strict=True
                )
            ],
            known[numbers[1]].error,
            0,
        )
    for low, high in pairwise(numbers):
        for n, part in enumerate(_change_shares(points, low, high), low):
            shifts = [
                (1 - part) * (known[low].chances[seat] - points[low].chances[seat])
                + part * (known[high].chances[seat] - points[high].chances[seat])
                for seat in range(len(points[0].chances))
            ]
            found[n].chances = _chances(
                [value + shift for value, shift in zip(points[n].chances, shifts, strict=True)]
            )
            found[n].error = (((1 - part) * known[low].error) ** 2 + (part * known[high].error) ** 2) ** 0.5
    return found


def _change_shares(points: list[Point], low: int, high: int) -> list[float]:
    """Return the part of the changes from event `low` to `high` that each event from `low` on has behind it.

    An event that nobody played, such as a note, changes nothing.
    """
    changes = [
        point.cause != "other" or point.chances != before.chances
        for before, point in pairwise(points[low : high + 1])
    ]
    if not any(changes):
        return [*[0.0] * (high - low), 1.0]
    return [0.0, *(count / sum(changes) for count in accumulate(changes))]


def _chances(values: list[float]) -> Chances:
    """Return `values` as chances: not negative, and with the sum 1."""
    kept = [max(0.0, value) for value in values]
    return [value / sum(kept) for value in kept]
