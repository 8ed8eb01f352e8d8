"""Battles: the soldiers of each side, their dice and the odds."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from gamelog.game import contest
from gamelog.games.dice_flags.army import DICE, FIXED
from gamelog.games.dice_flags.board import Board
from gamelog.games.dice_flags.state import PRISON

Tie = str
"""A value of the option ``tie``: the meaning of equal sums (DF-A19)."""


class Sides(NamedTuple):
    """The soldiers of a battle, by number, each side in ascending order."""

    attackers: tuple[int, ...]
    defenders: tuple[int, ...]

    @property
    def is_walk_in(self) -> bool:
        """Whether the defender is a single pawn or carrier, which is captured without a battle (DF-16)."""
        return len(self.defenders) == 1 and not DICE[self.defenders[0]]

    @property
    def has_dice(self) -> bool:
        """Whether any die is rolled. For example, a pawn against two pawns needs no dice."""
        return any(DICE[soldier] for soldier in self.attackers + self.defenders)


def sides(board: Board, places: bytes, soldier: int, path: bytes) -> Sides:
    """Return the soldiers that fight when `soldier` takes `path` to a space that an enemy occupies.

    Both defenders of a blockade fight (DF-18). The attacker's partner fights if the two blockades are next to
    each other (DF-19, DF-A21).

    Args:
        board: The board.
        places: The space of each soldier before the move, one byte each.
        soldier: The number of the attacking soldier, through all armies.
        path: The spaces that it enters, the enemy's space last. Whether the path is legal is not checked.
    """
    end, origin = path[-1], places[soldier]
    defenders = soldiers_on(places, end)
    attackers: tuple[int, ...] = (soldier,)
    if len(defenders) > 1 and len(path) == 1 and origin < PRISON and end in board.neighbours[origin]:
        attackers = soldiers_on(places, origin)
    return Sides(attackers, defenders)


def soldiers_on(places: bytes, space: int) -> tuple[int, ...]:
    """Return the soldiers on `space`: none, one or two."""
    first = places.find(space)
    if first < 0:
        return ()
    second = places.find(space, first + 1)
    return (first,) if second < 0 else (first, second)


def fixed_value(soldiers: tuple[int, ...]) -> int:
    """Return the total value of `soldiers` without dice."""
    return sum(FIXED[soldier] for soldier in soldiers)


def dice_count(soldiers: tuple[int, ...]) -> int:
    """Return the number of dice that `soldiers` roll."""
    return sum(DICE[soldier] for soldier in soldiers)


def odds(fight: Sides, tie: Tie) -> Fraction:
    """Return the exact probability that the attackers win; 0 or 1 if no dice are rolled.

    By the option `tie`, equal sums are rolled again or end the battle without a win of the attackers.
    """
    ours, theirs = fight
    return _odds(dice_count(ours), dice_count(theirs), fixed_value(ours) - fixed_value(theirs), tie)


@cache
def _odds(ours: int, theirs: int, lead: int, tie: Tie) -> Fraction:
    more, same, _ = contest(ours, theirs, lead)
    return more / (1 - same) if tie == "reroll" and same < 1 else more
