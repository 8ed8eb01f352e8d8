"""Battles: who takes part, what is rolled, and who wins with which odds."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from gamelog.game import contest
from gamelog.games.dice_flags.army import DICE, FIXED
from gamelog.games.dice_flags.board import Board
from gamelog.games.dice_flags.state import PRISON

Tie = str
"""What equal sums mean, the option ``tie`` (DF-A19)."""


class Sides(NamedTuple):
    """The soldiers of a battle, by their numbers, each side in order."""

    attackers: tuple[int, ...]
    defenders: tuple[int, ...]

    @property
    def walks_in(self) -> bool:
        """Whether the defender is a lone pawn or carrier, who falls without a fight (DF-16)."""
        return len(self.defenders) == 1 and not DICE[self.defenders[0]]

    @property
    def rolls(self) -> bool:
        """Whether any die is rolled; a pawn against two pawns is settled without."""
        return any(DICE[soldier] for soldier in self.attackers + self.defenders)


def sides(board: Board, places: bytes, soldier: int, path: bytes) -> Sides:
    """Who fights when `soldier` comes by `path` to a space that an enemy holds.

    Both defenders of a blockade count (DF-18); the attacker's partner does if the two blockades
    are next to each other (DF-19, DF-A21).
    """
    end, origin = path[-1], places[soldier]
    defenders = at(places, end)
    attackers: tuple[int, ...] = (soldier,)
    if len(defenders) > 1 and len(path) == 1 and origin < PRISON and end in board.neighbours[origin]:
        attackers = at(places, origin)
    return Sides(attackers, defenders)


def at(places: bytes, space: int) -> tuple[int, ...]:
    """The soldiers on `space`: none, one, or a pair."""
    first = places.find(space)
    if first < 0:
        return ()
    second = places.find(space, first + 1)
    return (first,) if second < 0 else (first, second)


def fixed(soldiers: tuple[int, ...]) -> int:
    """What `soldiers` count without dice."""
    return sum(FIXED[soldier] for soldier in soldiers)


def dice(soldiers: tuple[int, ...]) -> int:
    """How many dice `soldiers` roll."""
    return sum(DICE[soldier] for soldier in soldiers)


def odds(fight: Sides, tie: Tie) -> Fraction:
    """The exact probability that the attackers win.

    A tie is rolled again until it is not one, or ends the battle without their victory. Without dice it is 0
    or 1.
    """
    ours, theirs = fight
    return _odds(dice(ours), dice(theirs), fixed(ours) - fixed(theirs), tie)


@cache
def _odds(ours: int, theirs: int, lead: int, tie: Tie) -> Fraction:
    more, same, _ = contest(ours, theirs, lead)
    return more / (1 - same) if tie == "reroll" and same < 1 else more
