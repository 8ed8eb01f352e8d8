"""The chips in a hand."""

from __future__ import annotations

from gamelog.games.gp02a_territory.state import PURPLE, State


def hand(state: State, seat: int) -> bytes:
    """Return the number of chips of each kind in the seat's hand."""
    return state.hands[5 * seat : 5 * seat + 5]


def count_coloured(state: State, seat: int) -> int:
    """Return the number of coloured chips in the hand of the seat."""
    blue, red, green, yellow, _ = state.hands[5 * seat : 5 * seat + 5]
    return blue + red + green + yellow


def has_purple(state: State, seat: int) -> bool:
    """Return whether the seat has the purple chip in hand."""
    return state.hands[5 * seat + PURPLE] > 0
