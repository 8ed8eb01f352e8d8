"""A simple bot that plays by the odds of single attacks."""

from __future__ import annotations

from random import Random

from gamelog.game import beats
from gamelog.games.slicewars.choices import sample
from gamelog.games.slicewars.events import Add, Attack, ClaimLand, Decision, Pass, Place
from gamelog.games.slicewars.land import attacks, territories_of
from gamelog.games.slicewars.state import CAPACITY, FREE, VOID, State


def greedy(state: State, seat: str, rng: Random) -> Decision:
    """Return a decision that keeps land together, strengthens the best attack, and attacks at good odds."""
    names, actor = state.setup.board.names, state.actor
    match state.phase:
        case "claim":
            free = list(territories_of(state, FREE))
            return ClaimLand(0, 0, seat, names[max(free, key=lambda at: (_friends(state, at), rng.random()))])
        case "add" | "place":
            room = [at for at in territories_of(state, actor) if state.dice[at] < CAPACITY]
            at = max(room, key=lambda at: (_best_odds(state, at), rng.random()))
            return Add(0, 0, seat, names[at]) if state.phase == "add" else Place(0, 0, seat, names[at])
        case "attack":
            chances = [
                (beats(state.dice[src], state.dice[dst]), rng.random(), src, dst)
                for src, dst in attacks(state, actor)
            ]
            odds, _, src, dst = max(chances)
            return Attack(0, 0, seat, names[src], names[dst]) if odds > 0.5 else Pass(0, 0, seat)
        case _:
            return sample(state, seat, rng)


def _friends(state: State, at: int) -> int:
    """Return the number of neighbours of `at` that belong to the player to move."""
    return sum(state.owners[there] == state.actor for there in state.setup.board.neighbours[at])


def _best_odds(state: State, at: int) -> float:
    """Return the best odds of an attack from `at` with one more die; -1 without a foreign neighbour."""
    owners, dice = state.owners, state.dice
    foreign = [there for there in state.setup.board.neighbours[at] if state.actor != owners[there] != VOID]
    return max((beats(dice[at] + 1, dice[there]) for there in foreign), default=-1.0)
