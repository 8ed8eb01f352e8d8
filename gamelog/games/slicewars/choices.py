"""Legal decisions: the whole list, or one at random."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from random import Random

from gamelog.game import Legal
from gamelog.games.slicewars.board import is_connected
from gamelog.games.slicewars.events import Add, Attack, ClaimLand, Decision, Pass, Place, Remove
from gamelog.games.slicewars.land import attacks, territories_of
from gamelog.games.slicewars.state import CAPACITY, FREE, State

_MAX_LISTED_REMOVALS = 20_000
"""The largest number of removals that are listed. If there are more, only one example is listed."""


def legal(state: State, seat: str) -> Legal:
    """Return the legal decisions of `seat`: none while a roll is due or after the game.

    A removal lists its territories in the board's order. If there are more than `_MAX_LISTED_REMOVALS`
    removals (with many extra ownerless territories), the list is cut to a single one.
    """
    by, names = state.setup.seats[state.actor], state.setup.board.names
    if seat != by:
        return Legal(())
    if state.phase == "attack":
        return Legal(
            (
                *(Attack(0, 0, by, names[src], names[dst]) for src, dst in attacks(state, state.actor)),
                Pass(0, 0, by),
            )
        )
    if state.phase == "remove":
        removals = state.setup.removals
        listed = tuple(Remove(0, 0, by, tuple(names[at] for at in choice)) for choice in _removals(state))
        return Legal(listed, complete=removals == 1, cut=_has_too_many_removals(state))
    kinds: dict[str, type[ClaimLand | Add | Place]] = {"claim": ClaimLand, "add": Add, "place": Place}
    kind = kinds.get(state.phase)
    return Legal(tuple(kind(0, 0, by, names[at]) for at in _places(state)) if kind else ())


def sample(state: State, seat: str, rng: Random) -> Decision:
    """Return a random legal decision of `seat`, which must be to move.

    In the attack phase, one decision in five is a pass.

    Raises:
        ValueError: No decision is due in this phase.
    """
    by, names = seat, state.setup.board.names
    match state.phase:
        case "claim":
            return ClaimLand(0, 0, by, names[rng.choice(_places(state))])
        case "add":
            return Add(0, 0, by, names[rng.choice(_places(state))])
        case "place":
            return Place(0, 0, by, names[rng.choice(_places(state))])
        case "attack":
            if rng.random() < 0.2:
                return Pass(0, 0, by)
            src, dst = rng.choice(list(attacks(state, state.actor)))
            return Attack(0, 0, by, names[src], names[dst])
        case "remove":
            land = list(range(len(names)))
            rng.shuffle(land)
            return Remove(0, 0, by, tuple(names[at] for at in _removal(state, land)))
        case _:
            raise ValueError(f"there is no decision in the phase {state.phase}")


def _places(state: State) -> list[int]:
    """Return the territories on which the player to move may put the next die."""
    if state.phase == "claim":
        return list(territories_of(state, FREE))
    return [at for at in territories_of(state, state.actor) if state.dice[at] < CAPACITY]


def _has_too_many_removals(state: State) -> bool:
    """Return whether there are too many removals to list."""
    return comb(len(state.setup.board.names), state.setup.removals) > _MAX_LISTED_REMOVALS


def _removals(state: State) -> Iterator[tuple[int, ...]]:
    """Yield each set of territories that may be removed, or one example if there are too many."""
    setup = state.setup
    land = range(len(setup.board.names))
    if _has_too_many_removals(state):
        yield _removal(state, list(land))
        return
    for choice in combinations(land, setup.removals):
        if not setup.options.keep_connected or is_connected(setup.board, frozenset(choice)):
            yield choice


def _removal(state: State, land: list[int]) -> tuple[int, ...]:
    """Return a set of territories that may be removed: one by one, the first of `land` that may go.

    On a connected board, one territory can always be removed without disconnecting the others.
    """
    setup = state.setup
    gone: list[int] = []
    while len(gone) < setup.removals:
        at = next(
            at
            for at in land
            if not setup.options.keep_connected or is_connected(setup.board, frozenset((*gone, at)))
        )
        gone.append(at)
        land.remove(at)
    return tuple(sorted(gone))
