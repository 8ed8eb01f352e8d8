"""Checkers and their moves. Points are numbered from each player's own side: 0 is off, 25 is the bar."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from msgspec import Meta

from gamelog import game

Checkers = Annotated[int, Meta(ge=0, le=15)]
Men = tuple[tuple[Checkers, ...], tuple[Checkers, ...]]
"""By player: the numbers of checkers on the points 0 to 25."""

BAR, OFF, CHECKERS = 25, 0, 15
START = tuple({6: 5, 8: 3, 13: 5, 24: 2}.get(point, 0) for point in range(26))


def pips(men: tuple[int, ...]) -> int:
    """Return the number of pips that a player still has to go."""
    return sum(point * count for point, count in enumerate(men))


def moved(men: Men, who: int, src: int, die: int) -> Men | None:
    """Return the position after a checker of `who` moves from `src`, or None if it cannot move."""
    own, other = men[who], men[1 - who]
    dst = max(src - die, OFF)
    if not OFF < src <= BAR or not own[src] or (own[BAR] and src != BAR):
        return None
    farthest = max(point for point in range(1, 26) if own[point])
    if dst == OFF and (farthest > 6 or (src < die and src != farthest)):
        return None
    there = other[BAR - dst] if dst else 0
    if there > 1:
        return None
    mine = tuple(count - (at == src) + (at == dst) for at, count in enumerate(own))
    theirs = tuple(count - (at == BAR - dst) + (at == BAR) for at, count in enumerate(other)) if there else other
    return (mine, theirs) if who == 0 else (theirs, mine)


@lru_cache(1 << 16)
def playable(men: Men, who: int, dice: tuple[int, ...]) -> int:
    """Return the largest number of `dice` that can be played one after the other."""
    most = 0
    for die in set(dice):
        rest = without(dice, die)
        for src in range(1, 26):
            after = moved(men, who, src, die)
            if after is not None:
                most = max(most, 1 + playable(after, who, rest))
                if most == len(dice):
                    return most
    return most


def refusal(men: Men, who: int, dice: tuple[int, ...], src: int, die: int) -> game.Violation | None:
    """Return why this move is illegal, or None."""
    if die not in dice:
        return game.forbids("BG-4", "no {die} is left to play", die=die)
    after = moved(men, who, src, die)
    if after is None:
        bearing = 0 < src <= die and men[who][src] > 0
        rule = "BG-6" if bearing else "BG-5" if men[who][BAR] else "BG-4"
        return game.forbids(rule, "no checker on {src} can move {die}", src=src, die=die)
    most = playable(men, who, dice)
    if 1 + playable(after, who, without(dice, die)) < most:
        return game.forbids("BG-7", "this move leaves fewer dice to play than another move does")
    larger = most == 1 and die < max(dice) and any(moved(men, who, other, max(dice)) for other in range(1, 26))
    return game.forbids("BG-7", "the larger die must be played") if larger else None


def without(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    """Return `dice` without one that shows `die`."""
    at = dice.index(die)
    return dice[:at] + dice[at + 1 :]
