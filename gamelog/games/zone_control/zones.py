"""Facts about zones: control, possible challenges, pieces that go home, and standings.

They are computed from a `State`, which does not store them. `seat` and `zone` are numbers.
"""

from __future__ import annotations

from functools import lru_cache

from gamelog.games.zone_control.board import SIDES, SQUARES_PER_GRID, SQUARES_PER_ZONE
from gamelog.games.zone_control.state import EMPTY, Siege, State

_NO_PIECE = bytes([EMPTY])

MAX_DICE_ADVANTAGE = 2
"""The number of dice by which the attacker may exceed the defender (ZC-18)."""

MIDDLE_VALUE = 2
"""The value of the middle zone. Every other zone counts 1 (ZC-26)."""


def holder(state: State, zone: int) -> int:
    """Return the seat that controls `zone` (ZC-12), or `EMPTY` if no seat does (ZC-A28)."""
    lo = state.setup.board.zones_from + SQUARES_PER_ZONE * zone
    return holder_of(state.squares[lo : lo + SQUARES_PER_ZONE])


@lru_cache(4096)
def holder_of(squares: bytes) -> int:
    """Return the seat that controls a zone with these `squares`, or `EMPTY`."""
    pieces = squares.translate(None, _NO_PIECE)
    return pieces[0] if pieces and pieces.count(pieces[0]) == len(pieces) else EMPTY


def count_inside(state: State, zone: int) -> int:
    """Return the number of pieces in `zone`, of all seats."""
    lo = state.setup.board.zones_from + SQUARES_PER_ZONE * zone
    return SQUARES_PER_ZONE - state.squares.count(EMPTY, lo, lo + SQUARES_PER_ZONE)


def pieces_inside(state: State, zone: int) -> list[int]:
    """Return the squares of `zone` that have a piece."""
    lo = state.setup.board.zones_from + SQUARES_PER_ZONE * zone
    return [at for at in range(lo, lo + SQUARES_PER_ZONE) if state.squares[at] != EMPTY]


def pieces_around(state: State, zone: int, seat: int) -> list[int]:
    """Return the squares around `zone` that have a piece of `seat` (ZC-14)."""
    squares = state.squares
    return [at for at in state.setup.board.rings[zone] if squares[at] == seat]


def max_attack(state: State, zone: int, seat: int) -> int:
    """Return the most dice with which `seat` can challenge `zone` (ZC-18), 0 if no other seat controls it."""
    if holder(state, zone) in (seat, EMPTY):
        return 0
    return min(len(pieces_around(state, zone, seat)), count_inside(state, zone) + MAX_DICE_ADVANTAGE)


def can_challenge(state: State, zone: int) -> bool:
    """Return whether the limit of challenges in a turn allows a challenge of `zone` (ZC-A12)."""
    return state.setup.options.challenges_per_zone is None or zone not in state.challenged


def moves_home(state: State, siege: Siege, won: bool) -> list[tuple[int, int]]:
    """Return the moves home after a challenge, in order (ZC-21, ZC-22, ZC-A15).

    Each piece goes to the first empty square of its owner's return order (ZC-23). If illegal moves have
    filled the grid, the piece goes to the first empty square of the board (ZC-A29).
    """
    if won:
        pieces = pieces_inside(state, siege.zone)
    elif state.setup.options.loss == "committed":
        pieces = sorted(siege.attackers)
    else:
        pieces = pieces_around(state, siege.zone, state.squares[siege.attackers[0]])
    squares, homes = bytearray(state.squares), state.setup.board.homes_from
    moves: list[tuple[int, int]] = []
    for src in pieces:
        lo = homes + SQUARES_PER_GRID * squares[src]
        dst = squares.find(EMPTY, lo, lo + SQUARES_PER_GRID)
        if dst < 0:
            dst = squares.find(EMPTY)
        squares[dst] = squares[src]
        squares[src] = EMPTY
        moves.append((src, dst))
    return moves


def standings(state: State) -> tuple[tuple[int, int], ...]:
    """Return, for each seat, the sum of its zones (ZC-26) and the number of its pieces in them (ZC-27)."""
    board = state.setup.board
    return _standings(state.squares[board.zones_from : board.homes_from], board.middle)


@lru_cache(4096)
def _standings(squares: bytes, middle: int) -> tuple[tuple[int, int], ...]:
    """Return for each side the points of its zones and the number of its pieces in them."""
    found = [(0, 0)] * len(SIDES)
    for zone, lo in enumerate(range(0, len(squares), SQUARES_PER_ZONE)):
        inside = squares[lo : lo + SQUARES_PER_ZONE]
        seat = holder_of(inside)
        if seat != EMPTY:
            value, pieces = found[seat]
            found[seat] = (
                value + (MIDDLE_VALUE if zone == middle else 1),
                pieces + SQUARES_PER_ZONE - inside.count(EMPTY),
            )
    return tuple(found)


def home(state: State, seat: int) -> bytes:
    """Return the starting grid of `seat`, in the order in which pieces go home."""
    lo = state.setup.board.homes_from + SQUARES_PER_GRID * seat
    return state.squares[lo : lo + SQUARES_PER_GRID]
