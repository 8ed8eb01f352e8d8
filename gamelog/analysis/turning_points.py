"""The turning points of a game: swings that playouts confirm, and for a choice the best alternative found."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, structs

from gamelog.analysis.curve import MeasuredChances, Point
from gamelog.chance.rng import generator
from gamelog.chance.sources import QuickDice
from gamelog.errors import CannotApply
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.fold import Fold
from gamelog.play.playing.after import state_key
from gamelog.play.playing.evaluator import MAX_EVENTS, Chances, Evaluator, shares
from gamelog.play.playing.playout import Position, play_out, seat_players, with_judge
from gamelog.record.envelope import Event, tag_of
from gamelog.statistics import LEVEL, normal_quantile

_FIRST_PLAYOUTS, MAX_PLAYOUTS = 40, 400
"""Number of playouts before the first look at the error, and the largest number at a position."""
_EVEN_PLAYOUTS = 8
"""Number of playouts with even results that are added for the standard error."""
LARGE_SWING = 0.05
"""Size by the evaluator from which playouts examine an event."""
_SCREENED, _TRIED = 60, 2
"""Largest number of alternatives of a decision that are compared, and number of the best ones that are played
out.
"""
_COMPARED = 12_000
"""Number of alternatives that are compared in a whole game. In a long game, each decision has fewer."""


class Alternative(Struct, frozen=True):
    """The best alternative to a choice that was found.

    Attributes:
        event: The event as plain data.
        chance: Chance of the deciding seat after this event.
        error: Standard error of this chance.
        gain: Chance after this event minus the chance after the chosen event.
        is_better: Whether the gain exceeds its error.
    """

    event: dict[str, Any]
    chance: float
    error: float
    gain: float
    is_better: bool


class TurningPoint(Struct, frozen=True, omit_defaults=True):
    """A change of the chances that exceeds its error.

    Attributes:
        n: Number of the event.
        cause: ``luck`` for a roll, ``choice`` for a decision, ``other`` for other events.
        swing: Change of each seat's chance.
        error: Standard error of the change.
        limit: Size that the change of a seat must exceed, so that chance alone gives a turning point in at
            most one of twenty games.
        alternative: For a choice, the best alternative that was found, or None.
    """

    n: int
    cause: str
    by: str | None
    swing: list[float]
    error: float
    limit: float
    alternative: Alternative | None = None


class Playouts:
    """Playouts of one game by one bot, until the standard error is small enough."""

    def __init__(self, evaluator: Evaluator, error: float) -> None:
        self._evaluator, self._error = evaluator, error
        game = evaluator.game
        self._bots = with_judge(game, dict.fromkeys(evaluator.seats, game.bots[evaluator.bot]))
        self.total = 0

    def measure(self, start: Position) -> MeasuredChances:
        """Return the chances in a position, as the shares of wins of playouts."""
        game, seats = self._evaluator.game, self._evaluator.seats
        outcome = game.pending(start.state).outcome
        if outcome:
            return MeasuredChances(shares(outcome, seats), 0.0, 0)

        def result(number: int) -> Chances:
            seed = ("playout", start.n, number)
            end = play_out(
                game,
                start,
                seat_players(self._bots, *seed),
                QuickDice(generator(*seed)),
                max_events=MAX_EVENTS,
            )
            return shares(end.outcome, seats) if end.outcome else [1 / len(seats)] * len(seats)

        measured = measured_chances(result, len(seats), self._error)
        self.total += measured.playouts
        return measured


def measured_chances(result: Callable[[int], Chances], seats: int, error: float) -> MeasuredChances:
    """Return the mean result of as many playouts as the largest standard `error` of a chance needs.

    For the standard error, `_EVEN_PLAYOUTS` even results are added. Without them, the measurement of a
    lopsided position would often end when its chances happen to look certain.

    Args:
        result: Returns the result of a playout from its number.
        seats: The number of seats.
        error: The largest standard error. It can be larger after `MAX_PLAYOUTS`.
    """
    sums, n, found = [0.0] * seats, 0, 1.0
    while n < _FIRST_PLAYOUTS or (found > error and n < MAX_PLAYOUTS):
        sums = [total + share for total, share in zip(sums, result(n), strict=True)]
        n += 1
        likely = [(total + _EVEN_PLAYOUTS / seats) / (n + _EVEN_PLAYOUTS) for total in sums]
        found = max((chance * (1 - chance) / n) ** 0.5 for chance in likely)
    return MeasuredChances([total / n for total in sums], found, n)


def swing_of(
    before: MeasuredChances, after: MeasuredChances, examined: int
) -> tuple[list[float], float, float]:
    """Return the change of each chance, its standard error, and the error of all examined swings together.

    Source: Bonferroni's correction for the number of chances that are compared.
    """
    swing = [b - a for a, b in zip(before.chances, after.chances, strict=True)]
    error = (before.error**2 + after.error**2) ** 0.5
    quantile = normal_quantile(1 - (1 - LEVEL) / (2 * examined * len(swing)))
    return swing, error, quantile * error


def swing_candidates(
    fold: Fold, line: list[Position], points: list[Point], evaluator: Evaluator
) -> dict[int, float]:
    """Return the size of each event that may be a turning point, by the evaluator.

    For a roll, the size is the largest change of a chance. For a decision, it is the chance that the deciding
    seat gives away compared with the best alternative, because a comparison of two positions of different
    seats to act is less exact. For other events, it is the change.

    Args:
        fold: The record.
        line: The position after each event.
        points: The curve by the evaluator.
        evaluator: Compares the alternatives of decisions.
    """
    found = {}
    decisions = sum(point.cause == "choice" for point in points)
    most = min(_SCREENED, max(_TRIED, _COMPARED // max(1, decisions)))
    for before, point in pairwise(points):
        if point.cause == "choice" and point.by:
            ranked = ranked_alternatives(fold, line[point.n - 1], point.n, point.by, evaluator, most)
            index = evaluator.seats.index(point.by)
            size = ranked[0].chance - point.chances[index] if ranked else 0.0
        else:
            size = max(abs(b - a) for a, b in zip(before.chances, point.chances, strict=True))
        if size >= LARGE_SWING:
            found[point.n] = size
    return found


class RankedAlternative(NamedTuple):
    """An alternative to a decision: its chance by the evaluator, the event, and the position after it."""

    chance: float
    event: Event
    after: Position


def ranked_alternatives(
    fold: Fold, before: Position, n: int, seat: str, evaluator: Evaluator, most: int = _SCREENED
) -> list[RankedAlternative]:
    """Return the alternatives to event `n` that lead to another state, the best for its seat first.

    Args:
        fold: The record.
        before: The position before the event.
        n: The number of the event.
        seat: The seat that decides.
        evaluator: Compares the alternatives.
        most: The largest number of alternatives. If there are more, they are a random sample.
    """
    game, index, event = fold.game, evaluator.seats.index(seat), fold.events[n - 1]
    options = legal_for(game, before.state, seat).events
    if len(options) > most:
        options = tuple(generator("alternatives", n).sample(options, most))
    found = []
    for option in options:
        if type(option) is type(event) and plain_event(option) == plain_event(event):
            continue
        try:
            state = game.apply(before.state, structs.replace(option, n=n, t=before.t))
        except CannotApply:
            continue
        if state_key(state) != state_key(fold.states[n]):
            after = Position(state, before.t, n, before.chances)
            found.append(RankedAlternative(evaluator.expected(after)[index], option, after))
    return sorted(found, key=lambda one: -one.chance)


def turning_points(
    fold: Fold,
    line: list[Position],
    points: list[Point],
    measured: dict[int, MeasuredChances],
    examined: list[int],
    playouts: Playouts,
    evaluator: Evaluator,
) -> list[TurningPoint]:
    """Return the examined swings that exceed their simultaneous error.

    Args:
        fold: The record.
        line: The position after each event.
        points: The curve through the measured chances.
        measured: The chances that playouts measured, by event.
        examined: The events whose swings were measured.
        playouts: Measures the chances after alternatives.
        evaluator: Finds alternatives.
    """
    found = []
    for n in examined:
        after = measured[n]
        swing, error, limit = swing_of(measured[n - 1], after, len(examined))
        if max(map(abs, swing)) <= limit:
            continue
        point = points[n]
        alternative = None
        if point.cause == "choice" and point.by:
            alternative = _best_alternative(fold, line[n - 1], n, point.by, after, playouts, evaluator)
        found.append(TurningPoint(n, point.cause, point.by, swing, error, limit, alternative))
    return found


def _best_alternative(
    fold: Fold,
    before: Position,
    n: int,
    seat: str,
    chosen: MeasuredChances,
    playouts: Playouts,
    evaluator: Evaluator,
) -> Alternative | None:
    """Return the best alternative to event `n` that was found, or None if there was no other choice."""
    index = evaluator.seats.index(seat)
    best: Alternative | None = None
    for _, option, later in ranked_alternatives(fold, before, n, seat, evaluator)[:_TRIED]:
        value = playouts.measure(later)
        chance, gain = value.chances[index], value.chances[index] - chosen.chances[index]
        error = (value.error**2 + chosen.error**2) ** 0.5
        is_better = gain > normal_quantile((1 + LEVEL) / 2) * error
        if best is None or chance > best.chance:
            best = Alternative(plain_event(option), chance, value.error, gain, is_better)
    return best


def plain_event(event: Event) -> dict[str, Any]:
    """Return the tag and the members of an event, without its number, time and author."""
    own = [name for name in event.__struct_fields__ if name not in Event.__struct_fields__]
    members = {name: getattr(event, name) for name in own}
    return {"do": tag_of(type(event)), **msgspec.to_builtins(members)}
