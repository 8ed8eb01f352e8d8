"""What a person touches at the board to say a decision."""

from __future__ import annotations

from gamelog.games.zone_control.events import Challenge, Event, Occupy, Step
from gamelog.games.zone_control.state import State


def taps(_state: State, event: Event) -> tuple[str, ...]:
    """Squares, and the zone that is challenged. Which piece moves in where makes no difference."""
    match event:
        case Step():
            return event.src, event.dst
        case Challenge():
            return *event.attackers, f"zone {event.at}"
        case Occupy():
            return *event.placement, *event.placement.values()
        case _:
            return ()
