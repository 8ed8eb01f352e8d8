"""The points and the end of the game: ZC-25 to ZC-28."""

from __future__ import annotations

from msgspec.structs import replace

from gamelog.game import Outcome
from gamelog.games.zone_control.state import State
from gamelog.games.zone_control.zones import standings

_MAX_REROLLS = 100
"""The number of tied final rolls after which the seat nearest to the first player wins (ZC-A18)."""


def score(state: State) -> dict[str, int]:
    """Return the sum of each seat's zones (ZC-26)."""
    return {name: points for name, (points, _) in zip(state.setup.seats, standings(state), strict=True)}


def final_score(state: State) -> State:
    """Return the end of the game by zones, then by pieces in them, or the final roll of the tied seats."""
    state = replace(state, points=0, challenged=())
    best = standings(state)
    value, pieces = max(best)
    if [value for value, _ in best].count(value) == 1:
        return _end_game(state, best.index((value, pieces)), "zones")
    leaders = tuple(seat for seat, standing in enumerate(best) if standing == (value, pieces))
    if len(leaders) == 1:
        return _end_game(state, leaders[0], "pieces")
    return replace(state, phase="final_roll", rolling=leaders)


def after_final_roll(state: State, highest: tuple[int, ...]) -> State:
    """Return the state after a final roll in which the seats `highest` had the highest sum (ZC-28)."""
    if len(highest) == 1:
        return _end_game(state, highest[0], "roll_off")
    if state.rerolls == _MAX_REROLLS:
        players = len(state.setup.seats)
        return _end_game(state, min(highest, key=lambda seat: (seat - state.first) % players), "distance")
    return replace(state, rolling=highest, rerolls=state.rerolls + 1)


def _end_game(state: State, winner: int, reason: str) -> State:
    """Return `state` as the end of the game."""
    return replace(
        state, phase="over", points=0, rolling=(), outcome=Outcome((state.setup.seats[winner],), reason)
    )
