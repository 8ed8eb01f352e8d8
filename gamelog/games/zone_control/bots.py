"""A simple bot that moves to the nearest zone.

Bots choose at random between moves of equal worth, never by the order of squares. So no seat gains from the
numbers of its squares.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

from gamelog.game import beats
from gamelog.games.zone_control.board import NONE, SQUARES_PER_ZONE
from gamelog.games.zone_control.choices import challengeable_zones, sample, steps
from gamelog.games.zone_control.events import Challenge, Decision, EndTurn, Step
from gamelog.games.zone_control.state import State
from gamelog.games.zone_control.zones import count_inside, holder, pieces_around


def greedy(state: State, seat: str, rng: Random) -> Decision:
    """Return a challenge at even odds or better, or the step that gets nearest to another zone."""
    if state.siege is not None:
        return sample(state, seat, rng)
    odds = [
        (beats(most, count_inside(state, zone)), rng.random(), zone, most)
        for zone, most in challengeable_zones(state)
    ]
    if odds and max(odds)[0] >= 0.5:
        _, _, zone, most = max(odds)
        return attack(state, zone, most, rng)
    spare = [(src, dst) for src, dst in steps(state) if _can_leave(state, src)]
    far = _distances(state, {at for step in spare for at in step})
    gains = [(far[src] - far[dst], rng.random(), src, dst) for src, dst in spare]
    if not gains or max(gains)[0] <= 0:
        return EndTurn(0, 0, seat)
    _, _, src, dst = max(gains)
    return Step(0, 0, seat, state.setup.board.names[src], state.setup.board.names[dst])


def attack(state: State, zone: int, most: int, rng: Random) -> Challenge:
    """Return the challenge of `zone` with random pieces around it.

    Args:
        state: The position. The player to move is the author.
        zone: The number of the zone.
        most: The number of pieces. There must be this many pieces of the player around the zone.
        rng: The random generator that chooses the pieces.
    """
    board, seat = state.setup.board, state.setup.seats[state.actor]
    attackers = rng.sample(pieces_around(state, zone, state.actor), most)
    return Challenge(0, 0, seat, board.zones[zone], tuple(board.names[at] for at in attackers))


def _distances(state: State, squares: set[int]) -> dict[int, int]:
    """Return the steps from each of `squares` to the nearest zone that is not the actor's; 0 inside one."""
    board = state.setup.board
    steps_to = _steps_to_zones(board.neighbours, board.zones_from, board.homes_from)
    wanted = [steps for zone, steps in enumerate(steps_to) if holder(state, zone) != state.actor]
    return {at: min((steps[at] for steps in wanted), default=0) for at in squares}


@lru_cache(8)
def _steps_to_zones(
    neighbours: tuple[tuple[int, ...], ...], zones_from: int, homes_from: int
) -> list[list[int]]:
    """Return, for each zone, the steps to it from each square of an empty board."""
    found = []
    for first in range(zones_from, homes_from, SQUARES_PER_ZONE):
        reached = list(range(first, first + SQUARES_PER_ZONE))
        steps = [0 if at in reached else len(neighbours) for at in range(len(neighbours))]
        for here in reached:  # the list grows during the loop
            for there in neighbours[here]:
                if steps[there] == len(neighbours):
                    steps[there] = steps[here] + 1
                    reached.append(there)
        found.append(steps)
    return found


def _can_leave(state: State, at: int) -> bool:
    """Return whether the piece on `at` can leave without losing a zone."""
    zone = state.setup.board.zone_of[at]
    return zone == NONE or count_inside(state, zone) > 1
