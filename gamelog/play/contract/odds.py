"""Exact odds of comparing sums of dice.

Each side throws some dice and adds them, and a fixed number may raise one of the sums. Probabilities are
counted, not estimated. Sums of dice are convolved in integers, and each distribution and contest is computed
once.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from gamelog.chance.draws import Results
from gamelog.chance.outcomes import throw_counts


class Odds(NamedTuple):
    """Exact probabilities that the first sum is larger, equal and smaller. They add up to 1."""

    more: Fraction
    same: Fraction
    less: Fraction


def percent_text(probability: float) -> str:
    """Return a probability in percent, such as ``2.78%``, ``50%`` or ``99.9996%``.

    The difference from the nearer of 0 and 1 has three significant digits, but at most four decimals.
    """
    percent, gap = 100 * probability, 100 * min(probability, 1 - probability)
    decimals = next((decimals for decimals in range(5) if gap * 10**decimals >= 99.5), 4)
    text = f"{percent:.{decimals}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + "%"


@cache
def contest(attack: int, defence: int, lead: int = 0, sides: int = 6) -> Odds:
    """Return the odds of some dice, plus a lead, against other dice: the higher sum wins.

    A fixed value is a lead instead of dice: a 3 with two dice against four dice is ``contest(2, 4, lead=3)``.

    Args:
        attack: The number of dice of the first side, at least 0.
        defence: The number of dice of the second side, at least 0.
        lead: A number, possibly negative, that is added to the first sum.
        sides: The number of faces of each die.

    Returns:
        Exact chances, as fractions: the first sum is larger, the sums are equal, the second sum is larger.
    """
    more = same = 0
    attack_counts, defence_counts = throw_counts(attack, sides), throw_counts(defence, sides)
    for total, count in enumerate(attack_counts, start=lead):
        more += count * sum(defence_counts[: max(0, total)])
        same += count * defence_counts[total] if 0 <= total < len(defence_counts) else 0
    throws = sum(attack_counts) * sum(defence_counts)
    return Odds(Fraction(more, throws), Fraction(same, throws), Fraction(throws - more - same, throws))


@cache
def beats(attack: int, defence: int, lead: int = 0, sides: int = 6) -> float:
    """Return the probability, as a float, that the first sum of `contest` is larger.

    If the sums are equal, the second one wins.

    Args:
        attack: The number of dice of the first side.
        defence: The number of dice of the second side.
        lead: A number that is added to the first sum.
        sides: The number of faces of each die.
    """
    return float(contest(attack, defence, lead, sides).more)


@cache
def contest_classes(attack: int, defence: int, sides: int = 6) -> tuple[tuple[Results, Fraction], ...]:
    """Return one roll with which the first sum is larger and one with which it is not, with their chances.

    This is for `Game.classes`, if only the winner of a roll matters. A roll without a chance is left out.

    Args:
        attack: The number of dice of the first side, at least 1.
        defence: The number of dice of the second side, at least 1.
        sides: The number of faces of each die.
    """
    more = contest(attack, defence, sides=sides).more
    won: Results = ((sides,) * attack, (1,) * defence)
    lost: Results = ((1,) * attack, (sides,) * defence)
    return tuple((results, chance) for results, chance in ((won, more), (lost, 1 - more)) if chance)
