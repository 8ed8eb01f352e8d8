"""Numbers that say how well a seat is placed, for evaluators."""

from __future__ import annotations

from gamelog.games.dice_flags.army import CARRIERS, MEN
from gamelog.games.dice_flags.bots import ransom, steps_to_goal
from gamelog.games.dice_flags.state import CARRIED, PRISON, TURNS, State
from gamelog.games.dice_flags.turns import army_to_move

_FAR = 60
"""Steps to a goal that count as far away."""


def features(state: State, seat: str) -> tuple[float, ...]:
    """Return the worth of the seat's soldiers, its carriers' ways to their goals, its flags and its dice."""
    army = state.setup.seats.index(seat)
    men = [man for man in range(army * MEN, army * MEN + MEN) if state.places[man] < PRISON]
    carriers = [man for man in men if man in CARRIERS]
    ways = sorted(min(steps_to_goal(state, army, man, state.places[man]), _FAR) for man in carriers)
    first, second = (*ways, _FAR, _FAR)[:2]
    acts = state.phase in TURNS and army == army_to_move(state)
    return (
        sum(map(ransom, men)) / 10,
        first / 20,
        second / 20,
        float(sum(flag >= CARRIED and (flag - CARRIED) // MEN == army for flag in state.flags)),
        len(carriers) / 2,
        sum(state.dice) / 8 if acts else 0.0,
        float(acts and state.phase == "tao"),
    )
