"""A player made of a few lines, who heads for the nearest zone."""

from __future__ import annotations

from math import dist
from random import Random

from gamelog.game import beats
from gamelog.games.zone_control.board import NONE, ZONE_SIZE
from gamelog.games.zone_control.choices import challengeable, sample, steps
from gamelog.games.zone_control.events import Challenge, Decision, EndTurn, Step
from gamelog.games.zone_control.state import State
from gamelog.games.zone_control.zones import around, count_inside, holder


def greedy(state: State, seat: str, rng: Random) -> Decision:
    """Challenges at even odds or better, and moves whatever gets nearer to a zone that is not its own."""
    if state.siege is not None:
        return sample(state, seat, rng)
    odds = [(beats(most, count_inside(state, zone)), zone, most) for zone, most in challengeable(state)]
    if odds and max(odds)[0] >= 0.5:
        _, zone, most = max(odds)
        return attack(state, zone, most)
    spare = [(src, dst) for src, dst in steps(state) if _spare(state, src)]
    far = _distances(state, {at for step in spare for at in step})
    gains = [(far[src] - far[dst], rng.random(), src, dst) for src, dst in spare]
    if not gains or max(gains)[0] <= 0:
        return EndTurn(0, 0, seat)
    _, _, src, dst = max(gains)
    return Step(0, 0, seat, state.setup.board.names[src], state.setup.board.names[dst])


def attack(state: State, zone: int, most: int) -> Challenge:
    """The challenge of `zone` with the first `most` of the pieces round it."""
    board, seat = state.setup.board, state.setup.seats[state.actor]
    attackers = around(state, zone, state.actor)[:most]
    return Challenge(0, 0, seat, board.zones[zone], tuple(board.names[at] for at in attackers))


def _distances(state: State, squares: set[int]) -> dict[int, float]:
    """How far `squares` are from the middle of the nearest zone not the actor's; 0 in such a zone."""
    board = state.setup.board
    middles = range(board.zones_from + ZONE_SIZE // 2, board.homes_from, ZONE_SIZE)
    wanted = [
        board.places[middle] for zone, middle in enumerate(middles) if holder(state, zone) != state.actor
    ]
    return {
        at: min((dist(board.places[at], place) for place in wanted), default=0.0)
        if board.zone_of[at] == NONE
        else 0.0
        for at in squares
    }


def _spare(state: State, at: int) -> bool:
    """Whether the piece on `at` may leave: not if a zone would be lost."""
    zone = state.setup.board.zone_of[at]
    return zone == NONE or count_inside(state, zone) > 1
