"""A simple bot that captures where it can and carries flags home."""

from __future__ import annotations

from random import Random

from gamelog.game import Event
from gamelog.games.dice_flags.army import CARRIERS, DICE, MEN, NUMBER
from gamelog.games.dice_flags.battle import odds, sides
from gamelog.games.dice_flags.choices import destinations, sample
from gamelog.games.dice_flags.distances import distances_of
from gamelog.games.dice_flags.events import Move, PickUp, Rescue, Tao, TaoMove
from gamelog.games.dice_flags.state import CARRIED, State

_RANSOM = (1, 2, 3)
"""The value of a soldier, by the dice that it rolls. A carrier is worth as much as heavy artillery."""

STEP, _ARRIVAL = 0.3, 10
"""The value of a carrier's step towards its goal, a flag or its home, and of reaching the goal."""


UNREACHABLE_STEPS = 99
"""The distance to a goal that does not exist."""


def greedy(state: State, seat: str, rng: Random) -> Event:
    """Return the decision with the highest gain: a rescue, a capture at good odds, or a carrier's move."""
    if state.phase == "deploy":
        return sample(state, seat, rng)
    return max(destinations(state).events, key=lambda event: (_gain(state, seat, event), rng.random()))


def _gain(state: State, seat: str, event: Event) -> float:
    """Return the expected gain of `event` for `seat`, in the worth of soldiers, flags and steps."""
    if isinstance(event, Tao | PickUp):
        return 1.0
    if isinstance(event, Rescue):
        return ransom(NUMBER[event.prisoner]) if event.seat == seat else -1.0
    if not isinstance(event, Move | TaoMove):
        return 0.0
    setup, places = state.setup, state.places
    army = setup.seats.index(seat)
    man = army * MEN + NUMBER[event.soldier]
    path = bytes(map(setup.board.index.__getitem__, event.path))
    gain = 0.0
    if man in CARRIERS:
        left = steps_to_goal(state, army, man, path[-1])
        gain = STEP * (steps_to_goal(state, army, man, places[man]) - left) + _ARRIVAL * (left == 0)
    standing = places.find(path[-1])
    if standing < 0 or standing // MEN == army:
        return gain
    fight = sides(setup.board, places, man, path)
    chance = 1.0 if fight.is_walk_in else float(odds(fight, setup.options.tie))
    return (
        gain + chance * sum(map(ransom, fight.defenders)) - (1 - chance) * sum(map(ransom, fight.attackers))
    )


def ransom(man: int) -> int:
    """Return the value of a soldier."""
    return _RANSOM[-1] if man in CARRIERS else _RANSOM[DICE[man]]


def steps_to_goal(state: State, army: int, carrier: int, at: int) -> int:
    """Return the steps from `at` to the goal of `carrier`: home with a flag, otherwise the nearest flag.

    Args:
        state: The position.
        army: The army of the carrier.
        carrier: The number of the carrier, through all armies.
        at: The space from which the steps are counted.
    """
    setup = state.setup
    home, distances = setup.homes[army], distances_of(setup.board)
    goals = {flag for flag in state.flags if flag < CARRIED and flag != home}
    if CARRIED + carrier in state.flags:
        goals = {home}
    return min(
        (distances.steps(setup.board.bases[goal].flag)[at] for goal in goals), default=UNREACHABLE_STEPS
    )
