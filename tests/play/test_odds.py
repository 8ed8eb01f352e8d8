"""Tests of the odds of dice sums against enumeration, and against the table of SliceWars' battles."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from gamelog.chance.outcomes import throw_counts
from gamelog.play.contract.odds import beats, contest, percent_text


def enumerate_odds(attack: int, defence: int, lead: int, sides: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return the odds by trying every throw."""
    more = same = throws = 0
    for faces in product(range(1, sides + 1), repeat=attack + defence):
        ours, theirs = sum(faces[:attack]) + lead, sum(faces[attack:])
        more += ours > theirs
        same += ours == theirs
        throws += 1
    return Fraction(more, throws), Fraction(same, throws), Fraction(throws - more - same, throws)


@pytest.mark.parametrize("sides", [2, 3, 6])
@pytest.mark.parametrize("lead", [-9, -3, -1, 0, 1, 3, 20])
@pytest.mark.parametrize(("attack", "defence"), [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2), (2, 2), (3, 2)])
def test_odds_are_those_of_all_throws(attack: int, defence: int, lead: int, sides: int) -> None:
    assert contest(attack, defence, lead, sides) == enumerate_odds(attack, defence, lead, sides)


@pytest.mark.parametrize("dice", range(8))
def test_ways_count_every_throw_once(dice: int) -> None:
    counts = throw_counts(dice)
    assert sum(counts) == 6**dice
    assert len(counts) == 6 * dice + 1
    assert counts[dice:] == counts[dice:][::-1], "7 - face turns every throw over"
    assert not any(counts[:dice])


TABLE = """
2 .83796 .44367 .15201 .03588 .00610 .00077 .00007
3 .97299 .77855 .45358 .19170 .06071 .01488 .00289
4 .99730 .93924 .74283 .45953 .22044 .08342 .02545
5 .99985 .98794 .90935 .71808 .46365 .24245 .10363
6 1.0000 .99822 .97530 .88395 .69962 .46673 .25998
"""
"""By number of attacking dice: the attacker's chance against 1 to 7 dice, which win ties."""


@pytest.mark.parametrize("row", TABLE.split("\n")[1:-1])
def test_battles_of_slicewars(row: str) -> None:
    attack, *chances = row.split()
    for defence, chance in enumerate(chances, 1):
        assert beats(int(attack), defence) == pytest.approx(float(chance), abs=5.1e-6)


def test_three_of_them_exactly() -> None:
    assert contest(2, 7).more == Fraction(715, 10077696)
    assert contest(6, 7).more == Fraction(1697784577, 6530347008)
    assert contest(6, 1).more == 1 - Fraction(1, 279936)


@pytest.mark.parametrize(("attack", "defence", "lead"), [(3, 4, 0), (6, 6, 0), (2, 5, 7), (1, 3, -2)])
def test_both_sides_see_the_same(attack: int, defence: int, lead: int) -> None:
    ours, theirs = contest(attack, defence, lead), contest(defence, attack, -lead)
    assert (ours.more, ours.same, ours.less) == (theirs.less, theirs.same, theirs.more)
    assert sum(ours) == 1
    assert beats(attack, defence, lead) == float(ours.more)


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (0, "0%"),
        (1, "100%"),
        (0.5, "50%"),
        (1 / 36, "2.78%"),
        (5 / 12, "41.7%"),
        (279935 / 279936, "99.9996%"),
    ],
)
def test_a_percentage_has_the_digits_that_tell_it_from_certainty(probability: float, text: str) -> None:
    assert percent_text(probability) == text
