"""The taps on the board that enter a decision."""

from __future__ import annotations

from gamelog.games.zone_control.events import Challenge, Event, Occupy, Step
from gamelog.games.zone_control.state import State


def taps(_state: State, event: Event) -> tuple[str, ...]:
    """Return the squares to tap, and the zone of a challenge.

    Pieces that move in are alike, so any of their pairs with the new squares will do.
    """
    match event:
        case Step():
            return event.src, event.dst
        case Challenge():
            return *event.attackers, f"zone {event.at}"
        case Occupy():
            return *event.placement, *event.placement.values()
        case _:
            return ()
