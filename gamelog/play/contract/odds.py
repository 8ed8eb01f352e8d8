"""Exact odds of comparing sums of dice.

One side throws some dice and adds them, the other does the same, and one of the sums may be
raised by a fixed number. Probabilities are counted, not estimated: sums of dice are convolved in
integers, and every distribution and every contest is computed once.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple


class Odds(NamedTuple):
    """The exact probabilities that the first sum is larger, the same, and smaller. They add up to 1."""

    more: Fraction
    same: Fraction
    less: Fraction


@cache
def ways(dice: int, sides: int = 6) -> tuple[int, ...]:
    """How many of the ``sides ** dice`` throws add up to 0, 1, 2, … ``dice * sides``."""
    if dice == 0:
        return (1,)
    fewer = ways(dice - 1, sides)
    return tuple(sum(fewer[max(0, total - sides) : total]) for total in range(dice * sides + 1))


@cache
def contest(attack: int, defence: int, lead: int = 0, sides: int = 6) -> Odds:
    """The sum of `attack` dice, and `lead` (which may be negative), against the sum of `defence` dice.

    A fixed value is not dice and a lead: a 3 with two dice against four dice is
    ``contest(2, 4, lead=3)``.
    """
    more = same = 0
    ours, theirs = ways(attack, sides), ways(defence, sides)
    for total, count in enumerate(ours, start=lead):
        more += count * sum(theirs[: max(0, total)])
        same += count * theirs[total] if 0 <= total < len(theirs) else 0
    throws = sum(ours) * sum(theirs)
    return Odds(Fraction(more, throws), Fraction(same, throws), Fraction(throws - more - same, throws))


@cache
def beats(attack: int, defence: int, lead: int = 0, sides: int = 6) -> float:
    """The probability that the first sum of `contest` is larger, as a float: ties go to the defence."""
    return float(contest(attack, defence, lead, sides).more)
