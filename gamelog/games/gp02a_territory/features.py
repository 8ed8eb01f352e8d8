"""Numbers that say how well a seat is placed, for evaluators."""

from __future__ import annotations

from gamelog.games.gp02a_territory.chips import hand
from gamelog.games.gp02a_territory.state import State


def features(state: State, seat: str) -> tuple[float, ...]:
    """Return the seat's own, other and purple chips, its place in the chronology, and its coming draw."""
    number = state.setup.seats.index(seat)
    colour, chips = state.setup.colours[number], hand(state, number)
    own = chips[colour]
    return (
        own / 3,
        (sum(chips[:4]) - own) / 3,
        float(chips[4]),
        state.chronology.count(colour) / 3,
        state.rolled / 3 if number == state.actor else 0.0,
    )
