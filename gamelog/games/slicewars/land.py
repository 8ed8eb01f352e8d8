"""Facts about the land of a seat: groups, room, attacks and dice.

They are computed from a `State`, which does not store them. `seat` is the number of a seat. The counts and
`territories_of` also take owners that are not seats (`OWNERLESS`, `FREE`, `VOID`).
"""

from __future__ import annotations

from collections.abc import Iterator

from gamelog.games.kit.graph import components
from gamelog.games.slicewars.state import CAPACITY, OWNERLESS, VOID, State


def territories_of(state: State, seat: int) -> Iterator[int]:
    """Yield the territories of `seat`."""
    owners = state.owners
    at = owners.find(seat)
    while at >= 0:
        yield at
        at = owners.find(seat, at + 1)


def largest_group(state: State, seat: int) -> int:
    """Return the size of the largest connected group of `seat`'s territories (SW-6, SW-A11)."""
    return max(map(len, components(state.setup.board.neighbours, state.owners, seat)), default=0)


def has_room(state: State, seat: int) -> bool:
    """Return whether a die fits anywhere on the land of `seat` (SW-8)."""
    owners, dice = state.owners, state.dice
    at = owners.find(seat)
    while at >= 0:
        if dice[at] < CAPACITY:
            return True
        at = owners.find(seat, at + 1)
    return False


def can_attack(state: State, seat: int) -> bool:
    """Return whether `seat` has any attack (SW-10, SW-A10)."""
    owners, dice, neighbours = state.owners, state.dice, state.setup.board.neighbours
    at = owners.find(seat)
    while at >= 0:
        if dice[at] > 1:
            for there in neighbours[at]:
                if seat != owners[there] != VOID:
                    return True
        at = owners.find(seat, at + 1)
    return False


def attacks(state: State, seat: int) -> Iterator[tuple[int, int]]:
    """Yield each possible attack of `seat`: the territory it comes from and its target (SW-11)."""
    owners, neighbours = state.owners, state.setup.board.neighbours
    for src in territories_of(state, seat):
        if state.dice[src] > 1:
            for dst in neighbours[src]:
                if seat != owners[dst] != VOID:
                    yield src, dst


def count_land(state: State, seat: int) -> int:
    """Return the number of territories of `seat`."""
    return state.owners.count(seat)


def count_dice(state: State, seat: int) -> int:
    """Return the number of dice of `seat` on the board."""
    return sum([count for owner, count in zip(state.owners, state.dice, strict=True) if owner == seat])


def count_valid(state: State) -> int:
    """Return the number of territories that have an owner (SW-19, SW-A14)."""
    return len(state.owners) - state.owners.count(OWNERLESS) - state.owners.count(VOID)


def living_seats(state: State) -> list[int]:
    """Return the seats that have land (SW-A22)."""
    return [seat for seat in range(len(state.setup.seats)) if seat in state.owners]
