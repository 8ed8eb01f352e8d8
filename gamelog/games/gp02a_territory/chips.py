"""The chips in a hand."""

from __future__ import annotations

from gamelog.games.gp02a_territory.state import PURPLE, State


def hand(state: State, seat: int) -> bytes:
    """How many chips of each kind the seat holds."""
    return state.hands[5 * seat : 5 * seat + 5]


def coloured(state: State, seat: int) -> int:
    """The chips in the hand of the seat, the purple one not counted."""
    blue, red, green, yellow, _ = state.hands[5 * seat : 5 * seat + 5]
    return blue + red + green + yellow


def holds_purple(state: State, seat: int) -> bool:
    """Whether the seat has the purple chip in hand."""
    return state.hands[5 * seat + PURPLE] > 0
