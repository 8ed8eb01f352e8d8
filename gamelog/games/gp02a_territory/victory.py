"""The end of the game and its winners."""

from __future__ import annotations

from msgspec.structs import replace

from gamelog.game import Outcome
from gamelog.games.gp02a_territory.scoring import points
from gamelog.games.gp02a_territory.state import State
from gamelog.games.kit.roll_off import leaders


def end_game(state: State, reason: str) -> State:
    """Return `state` as the end of the game, with the points of the position."""
    return replace(state, phase="over", outcome=Outcome(winners(state), reason))


def winners(state: State) -> tuple[str, ...]:
    """Return the winners: most points, then most on the chronology, then fewest on fields (GP-21, GP-A23)."""
    setup, scored = state.setup, points(state)
    return leaders(
        {
            seat: (scored[colour].total, scored[colour].chronology, -state.fields.count(colour))
            for seat, colour in zip(setup.seats, setup.colours, strict=True)
        }
    )
