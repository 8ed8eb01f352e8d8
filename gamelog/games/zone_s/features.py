"""Numbers that say how well a seat is placed, for evaluators."""

from __future__ import annotations

from gamelog.games.zone_s.abilities import count_homes_held
from gamelog.games.zone_s.state import NOWHERE, State

_NEAR = 4
"""Distance from the enemy base below which a piece counts as near."""


def features(state: State, seat: str) -> tuple[float, ...]:
    """Return the enemy home tiles that the seat holds, and the number and nearness of its pieces."""
    if NOWHERE in state.bases:
        return (0.0, 0.0, 0.0, 0.0)
    side, setup = state.setup.seats.index(seat), state.setup
    board, sides, target = setup.board, setup.roster.sides, state.bases[1 - side]
    distances = [
        board.distance(at, target) for at, code in enumerate(state.pieces) if code and sides[code] == side
    ]
    return (
        float(count_homes_held(state, side)),
        min(distances, default=20) / 5,
        sum(max(0, _NEAR - distance) for distance in distances) / 5,
        len(distances) / 5,
    )
