"""The touches of the board that enter a decision."""

from __future__ import annotations

from gamelog.games.dice_flags.events import Deploy, Event, Move, PickUp, Rescue, TaoMove
from gamelog.games.dice_flags.scene import piece_of
from gamelog.games.dice_flags.state import State


def taps(_state: State, event: Event) -> tuple[str, ...]:
    """Return the cells to touch: the soldier, the die of a move, and the space where the path ends."""
    match event:
        case Deploy():
            return piece_of(event.by, event.soldier), event.at
        case Rescue():
            return piece_of(event.by, event.rescuer), piece_of(event.seat, event.prisoner), event.at
        case Move():
            return piece_of(event.by, event.soldier), f"die {event.die}", event.path[-1]
        case TaoMove():
            return piece_of(event.by, event.soldier), event.path[-1]
        case PickUp():
            return (event.flag,)
        case _:
            return ()
