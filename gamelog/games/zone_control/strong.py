"""A bot that plays to win: it compares the worth of zones with the steps that its pieces need."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from gamelog.game import beats
from gamelog.games.zone_control.board import NONE, SQUARES_PER_ZONE
from gamelog.games.zone_control.bots import attack
from gamelog.games.zone_control.choices import challengeable_zones, closed_zones, sample
from gamelog.games.zone_control.events import Decision, EndTurn, Step
from gamelog.games.zone_control.state import EMPTY, State
from gamelog.games.zone_control.zones import (
    MAX_DICE_ADVANTAGE,
    MIDDLE_VALUE,
    count_inside,
    holder,
    pieces_around,
    standings,
)

LAST_CHANCE, GOOD_ODDS = 0.3, 0.65
"""The odds at which the bot challenges in its last turn, and in other turns."""

_UNREACHABLE_STEPS = 999
"""The distance of a square from which no target can be reached."""

_THREAT_STEPS = 4
"""The largest distance at which a rival's piece counts as a threat: about half of a turn's roll."""

Steps = list[int]
"""For each square, the steps from there to a target, or `_UNREACHABLE_STEPS`."""


def strong(state: State, seat: str, rng: Random) -> Decision:
    """Return a decision by the worth and cost of zones. It keeps guards, and gathers before a challenge."""
    if state.siege is not None:
        return sample(state, seat, rng)
    limit = state.setup.options.turn_limit
    last = limit is not None and limit - state.turn < len(state.setup.seats)
    middle = state.setup.board.middle
    for zone, most in sorted(
        challengeable_zones(state), key=lambda siege: (siege[0] != middle, rng.random())
    ):
        inside = count_inside(state, zone)
        full = most == inside + MAX_DICE_ADVANTAGE
        if full or (state.points == 0 and beats(most, inside) >= (LAST_CHANCE if last else GOOD_ODDS)):
            return attack(state, zone, most, rng)
    step = Planner(state, rng).best_step() if state.points else None
    if step is None:
        return EndTurn(0, 0, seat)
    return Step(0, 0, seat, state.setup.board.names[step.src], state.setup.board.names[step.dst])


class PlannedStep(NamedTuple):
    """A step of a plan.

    Attributes:
        rate: The plan's gain for each of its steps.
        lot: Random number, which decides between equal plans.
        src: Square from which the piece moves.
        dst: Square to which the piece moves.
    """

    rate: float
    lot: float
    src: int
    dst: int


class Planner:
    """The plans of the seat to move in a position."""

    def __init__(self, state: State, rng: Random) -> None:
        self.state, self.rng = state, rng
        self.board, self.squares, self.seat = state.setup.board, state.squares, state.actor
        closed, board, seat = closed_zones(state), self.board, self.seat
        self.is_open = [
            owner == EMPTY and zone not in closed and home in (NONE, seat)
            for owner, zone, home in zip(self.squares, board.zone_of, board.home_of, strict=True)
        ]
        self.points = [points for points, _ in standings(state)]
        self.bound_pieces = self._find_bound_pieces()

    def _find_bound_pieces(self) -> set[int]:
        """Return the own pieces that must stay: in each own zone, as many as its defence needs."""
        bound: set[int] = set()
        for zone in range(len(self.board.zones)):
            if holder(self.state, zone) == self.seat:
                lo = self.board.zones_from + SQUARES_PER_ZONE * zone
                pieces = [at for at in range(lo, lo + SQUARES_PER_ZONE) if self.squares[at] == self.seat]
                bound.update(self.rng.sample(pieces, min(self.defenders_needed(zone), len(pieces))))
        return bound

    def defenders_needed(self, zone: int) -> int:
        """Return the number of pieces that `zone` needs for its defence.

        It is the largest number of a rival's pieces in the ring, plus half of those a few steps away.
        """
        steps = self.distances_to(self.board.rings[zone], rivals=True)
        best = 0.0
        for rival in range(len(self.state.setup.seats)):
            if rival != self.seat:
                near = sum(
                    0 < steps[at] <= _THREAT_STEPS for at, owner in enumerate(self.squares) if owner == rival
                )
                best = max(best, len(pieces_around(self.state, zone, rival)) + near / 2)
        return max(1, min(int(best), SQUARES_PER_ZONE))

    def distances_to(self, targets: Iterable[int], rivals: bool = False) -> Steps:
        """Return the number of steps from each square to the nearest of `targets`, around obstacles.

        With `rivals`, obstacles are ignored. The result is then a rough distance for the rivals' pieces.
        """
        steps = [_UNREACHABLE_STEPS] * len(self.squares)
        ahead = [at for at in targets if rivals or self.is_open[at]]
        for at in ahead:
            steps[at] = 0
        for here in ahead:  # the list grows during the loop
            for there in self.board.neighbours[here]:
                if steps[there] == _UNREACHABLE_STEPS:
                    if rivals or self.is_open[there]:
                        steps[there] = steps[here] + 1
                        ahead.append(there)
                    elif self.squares[there] == self.seat:
                        steps[there] = steps[here] + 1
        return steps

    def best_step(self) -> PlannedStep | None:
        """Return the plan that gains most for its length, or None if no plan gains anything."""
        plans = [plan for zone in range(len(self.board.zones)) if (plan := self._step_for_zone(zone))]
        return max(plans, default=None)

    def _step_for_zone(self, zone: int) -> PlannedStep | None:
        """Return the plan to take or guard `zone`, or None if no steps are needed or useful."""
        owner, inside = holder(self.state, zone), count_inside(self.state, zone)
        value = MIDDLE_VALUE if zone == self.board.middle else 1
        lo = self.board.zones_from + SQUARES_PER_ZONE * zone
        if inside == 0:
            return self._step_towards(range(lo, lo + SQUARES_PER_ZONE), 1, value)
        if owner == self.seat:
            # a rival wins a zone that is lost, so it is worth its value; spare pieces only break ties (ZC-27)
            return self._step_towards(
                range(lo, lo + SQUARES_PER_ZONE),
                1,
                value if inside < self.defenders_needed(zone) else value / 50,
            )
        if owner == EMPTY:
            return None
        there = set(pieces_around(self.state, zone, self.seat))
        missing = inside + MAX_DICE_ADVANTAGE - len(there)
        rivalry = 1.5 if self.points[owner] >= max(self.points[self.seat], 1) else 1.25
        gain = value * rivalry * beats(inside + MAX_DICE_ADVANTAGE, inside)
        return self._step_towards(self.board.rings[zone], missing, gain, there) if missing > 0 else None

    def _step_towards(
        self, targets: Iterable[int], count: int, gain: float, there: Iterable[int] = ()
    ) -> PlannedStep | None:
        """Return a step of the nearest free piece to `targets`, if `count` free pieces can get there.

        Pieces on the squares `there` and guards are not free.
        """
        steps = self.distances_to(targets)
        stay = self.bound_pieces | set(there)
        free = [
            at
            for at, owner in enumerate(self.squares)
            if owner == self.seat and 0 < steps[at] < _UNREACHABLE_STEPS and at not in stay
        ]
        if len(free) < count:
            return None
        free.sort(key=lambda at: (steps[at], self.rng.random()))
        src = free[0]
        nearer = [at for at in self.board.neighbours[src] if self.is_open[at] and steps[at] == steps[src] - 1]
        rate = gain / (2 + sum(steps[at] for at in free[:count]))
        return PlannedStep(rate, self.rng.random(), src, self.rng.choice(nearer))
