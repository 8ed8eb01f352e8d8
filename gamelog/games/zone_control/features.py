"""Numbers that say how well a seat is placed, for evaluators."""

from __future__ import annotations

from gamelog.games.zone_control.state import State
from gamelog.games.zone_control.zones import standings


def features(state: State, seat: str) -> tuple[float, ...]:
    """Return the seat's zones and pieces in zones, and the steps that it has left."""
    number = state.setup.seats.index(seat)
    zones, pieces = standings(state)[number]
    acts = number == state.actor and state.phase == "act"
    return (zones / 5, pieces / 10, state.points / 10 if acts else 0.0)
