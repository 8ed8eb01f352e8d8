"""Numbers that say how well a seat is placed, for evaluators."""

from __future__ import annotations

from gamelog.games.slicewars.land import count_dice, count_land, largest_group
from gamelog.games.slicewars.state import State


def features(state: State, seat: str) -> tuple[float, ...]:
    """Return the seat's land, dice and largest group, and the dice that it may still place."""
    number = state.setup.seats.index(seat)
    if number not in state.owners:
        return (0.0, 0.0, 0.0, 0.0)
    return (
        count_land(state, number) / 10,
        count_dice(state, number) / 60,
        largest_group(state, number) / 20,
        state.hand / 10 if number == state.actor and state.round else 0.0,
    )


def progress(state: State) -> float:
    """Return the part of the rounds that are over."""
    return min(1.0, state.round / (state.setup.options.max_rounds + 1))
