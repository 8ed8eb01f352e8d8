"""A bot that plays to win: it rates each position that a decision can lead to, with its threats.

It looks one decision ahead, over both results of a battle. The weights come from games against `greedy`.
"""

from __future__ import annotations

from random import Random

from gamelog.game import Event, beats
from gamelog.games.kit.graph import components
from gamelog.games.slicewars.choices import legal, sample
from gamelog.games.slicewars.events import Add, Attack, ClaimLand, Place
from gamelog.games.slicewars.state import OWNERLESS, VOID, State

LAND, GROUP, DIE = 1.0, 0.5, 0.3
"""The value of a territory, of a territory in the largest group, and of a die."""
THREAT, TARGET = 1.2, 0.35
"""The value of an own territory that the next battle certainly loses, and of one that it certainly wins."""
_LEAST_ODDS = 0.3
"""The odds below which the bot does not attack."""


def strong(state: State, seat: str, rng: Random) -> Event:
    """Return the decision after which the position is worth most."""
    index, actor = state.setup.board.index, state.actor
    owners, dice = bytearray(state.owners), bytearray(state.dice)

    def value(event: Event) -> float:
        match event:
            case ClaimLand():
                at = index[event.at]
                before, owners[at], dice[at] = owners[at], actor, 1
                found = worth(state, owners, dice, actor)
                owners[at], dice[at] = before, 0
                return found
            case Add() | Place():
                at = index[event.at]
                dice[at] += 1
                found = worth(state, owners, dice, actor)
                dice[at] -= 1
                return found
            case Attack():
                src, dst = index[event.src], index[event.dst]
                loser, (own, other) = owners[dst], (dice[src], dice[dst])
                chance = beats(own, other)
                if chance < _LEAST_ODDS:
                    return float("-inf")
                dice[src] = 1
                lost = worth(state, owners, dice, actor)
                owners[dst], dice[dst] = actor, own - 1
                won = worth(state, owners, dice, actor)
                owners[dst], dice[dst], dice[src] = loser, other, own
                return chance * won + (1 - chance) * lost
            case _:
                return worth(state, owners, dice, actor)

    if state.phase == "remove":
        return sample(state, seat, rng)
    return max(legal(state, seat).events, key=lambda event: (value(event), rng.random()))


def worth(state: State, owners: bytearray, dice: bytearray, actor: int) -> float:
    """Return the worth of a position for `actor`, whose turn ends.

    Args:
        state: A position with the board and the seats.
        owners: The owner of each territory, as in `State.owners`.
        dice: The dice on each territory.
        actor: The number of the seat.
    """
    neighbours = state.setup.board.neighbours
    total = 0.0
    rivals = {owner for owner in owners if owner < OWNERLESS}
    for owner in rivals:
        size = max(map(len, components(neighbours, bytes(owners), owner)), default=0)
        land = owners.count(owner)
        value = LAND * land + GROUP * size
        total += value if owner == actor else -value / max(1, len(rivals) - 1)
    for at, owner in enumerate(owners):
        count = dice[at]
        if owner == actor:
            total += DIE * count
            most = max(
                [dice[near] for near in neighbours[at] if actor != owners[near] < OWNERLESS], default=0
            )
            if most > 1:
                total -= THREAT * beats(most, count)
        elif owner != VOID:
            if owner < OWNERLESS:
                total -= DIE * count
            most = max([dice[near] for near in neighbours[at] if owners[near] == actor], default=0)
            if most > 1:
                total += TARGET * beats(most, count)
    return total
