"""The points, and the ends of the game: a destroyed base, and the guards against endless play."""

from __future__ import annotations

from gamelog.game import Outcome
from gamelog.games.zone_s.abilities import count_homes_held, counted_homes
from gamelog.games.zone_s.state import NOWHERE, State, captured_value


def score(state: State) -> dict[str, int]:
    """Return the total cost that each seat has captured (ZS-26)."""
    return {seat: captured_value(state, side) for side, seat in enumerate(state.setup.seats)}


def destroys_base(state: State, side: int, at: int, src: int = NOWHERE) -> bool:
    """Return whether a piece that arrives on a tile destroys the enemy base.

    It does if it raises the number of enemy home tiles that the side occupies to two or more (ZS-25, ZS-A24).

    Args:
        state: The position before the piece arrives.
        side: The number of the side that owns the piece, 0 or 1.
        at: The tile on which the piece arrives.
        src: The tile from which it comes, or `NOWHERE` for the reserve.
    """
    homes = counted_homes(state, 1 - side)
    return at in homes and src not in homes and count_homes_held(state, side) > 0


def destroyed_side(state: State) -> int:
    """Return the side whose base is destroyed, or `NOWHERE`."""
    outcome = state.outcome
    if state.phase != "over" or outcome is None or outcome.reason != "base":
        return NOWHERE
    return 1 - state.setup.seats.index(outcome.winners[0])


def without_reserve(state: State, side: int) -> bytes:
    """Return the reserve without the pieces of `side`, which are captured with its base (ZS-25)."""
    own = state.setup.roster.own[side]
    return bytes(0 if code in own else count for code, count in enumerate(state.reserve))


def guard(state: State) -> str | None:
    """Return why a guard ends the game in `state`, or None (ZS-A26, ZS-A28).

    A pass is an action that leaves the pieces unchanged. Positions with the same side to move
    are two actions apart, and reserves do not change while the history grows.
    """
    options, history, pieces = state.setup.options, state.history, state.pieces
    quiet = len(history)
    if quiet > 1:
        if history[-1] == history[-2] == pieces:
            return "passes"
        if history[-2::-2].count(pieces) >= options.repetitions - 1:
            return "repetition"
        if quiet >= options.max_quiet:
            return "quiet"
    return "limit" if state.actions >= options.max_actions else None


def by_value(state: State, reason: str) -> Outcome:
    """Return the outcome by captures: the higher total cost wins, equal costs are a draw (ZS-26)."""
    seats = state.setup.seats
    lead = captured_value(state, 0) - captured_value(state, 1)
    return Outcome((seats[0 if lead > 0 else 1],) if lead else (), reason)
