"""What a person touches at the board to say a decision."""

from __future__ import annotations

from gamelog.games.dice_flags.events import Deploy, Event, Move, PickUp, Rescue, TaoMove
from gamelog.games.dice_flags.scene import piece_of
from gamelog.games.dice_flags.state import State


def taps(_state: State, event: Event) -> tuple[str, ...]:
    """Soldiers, the die where it matters, and the space where they end: of a way nothing else is touched."""
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
