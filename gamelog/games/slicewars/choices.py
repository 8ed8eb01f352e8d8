"""What may be done: every legal decision, or one of them at random."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from random import Random

from gamelog.games.slicewars.board import connected
from gamelog.games.slicewars.events import Add, Attack, ClaimLand, Decision, Pass, Place, Remove
from gamelog.games.slicewars.land import attacks, held
from gamelog.games.slicewars.state import CAPACITY, FREE, State
from gamelog.play.game import Legal

MANY = 20_000
"""More removals than this are not listed."""


def legal(state: State) -> Legal:
    """The decisions that are legal now; none while dice are owed or when the game is over.

    Removals are listed with their territories in the board's order, and the first `MANY` only.
    """
    by, names = state.setup.seats[state.actor], state.setup.board.names
    if state.phase == "attack":
        return Legal((*(Attack(0, 0, by, names[src], names[dst]) for src, dst in _attacks(state)), Pass(0, 0, by)))
    if state.phase == "remove":
        removals = state.setup.removals
        listed = tuple(Remove(0, 0, by, tuple(names[at] for at in choice)) for choice in islice(_removals(state), MANY))
        return Legal(listed, complete=removals == 1)
    kinds: dict[str, type[ClaimLand | Add | Place]] = {"claim": ClaimLand, "add": Add, "place": Place}
    kind = kinds.get(state.phase)
    return Legal(tuple(kind(0, 0, by, names[at]) for at in _places(state)) if kind else ())


def sample(state: State, rng: Random) -> Decision:
    """A legal decision: each place and each attack as likely as the next, a pass one time in five."""
    by, names = state.setup.seats[state.actor], state.setup.board.names
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
            src, dst = rng.choice(list(_attacks(state)))
            return Attack(0, 0, by, names[src], names[dst])
        case "remove":
            return Remove(0, 0, by, tuple(names[at] for at in _removal(state, rng)))
        case _:
            raise ValueError(f"nobody has anything to decide in phase {state.phase}")


def _places(state: State) -> list[int]:
    """Where the die that is due may go."""
    if state.phase == "claim":
        return list(held(state, FREE))
    return [at for at in held(state, state.actor) if state.dice[at] < CAPACITY]


def _attacks(state: State) -> Iterator[tuple[int, int]]:
    return attacks(state, state.actor)


def _removals(state: State) -> Iterator[tuple[int, ...]]:
    """What may be taken out, in the board's order."""
    board, options = state.setup.board, state.setup.options
    for choice in combinations(range(len(board.names)), state.setup.removals):
        if not options.keep_connected or connected(board, frozenset(choice)):
            yield choice


def _removal(state: State, rng: Random) -> list[int]:
    """Territories to take out, one after the other so that the rest hangs together where it has to."""
    board, keep = state.setup.board, state.setup.options.keep_connected
    gone: list[int] = []
    left = list(range(len(board.names)))
    rng.shuffle(left)
    while len(gone) < state.setup.removals:
        at = next(at for at in left if not keep or connected(board, frozenset((*gone, at))))
        gone.append(at)
        left.remove(at)
    return gone
