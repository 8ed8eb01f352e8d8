"""Statistics of dice: against scipy, against exact counts of all results, and the power by simulation."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, groupby, product
from math import comb
from random import Random

import pytest
from scipy import stats

from gamelog.dice_statistics import (
    MIN_CHI_SQUARE_DICE,
    chi_square_probability,
    detectable_share,
    dice_needed,
    expected_runs,
    face_probability,
    needed_shift,
    noncentral_probability,
    runs_distribution,
    runs_probability,
    undone_probability,
)
from tests.shares import examples


@pytest.mark.parametrize("freedom", [1, 2, 5, 19, 99])
def test_chi_square_is_that_of_scipy(freedom: int) -> None:
    for x in (0.0, 0.01, 0.5, 3.0, 11.07, 30.0, 200.0, 1_500.0):
        assert chi_square_probability(x, freedom) == pytest.approx(
            stats.chi2.sf(x, freedom), rel=1e-9, abs=1e-15
        )
        for shift in (0.0, 0.3, 12.8, 90.0, 400.0):
            expected = stats.ncx2.sf(x, freedom, shift) if shift else stats.chi2.sf(x, freedom)
            assert noncentral_probability(x, freedom, shift) == pytest.approx(expected, rel=1e-6, abs=1e-9)


def run_count(sides: tuple[int, ...]) -> int:
    return len([*groupby(sides)])


def test_faces_of_few_dice_are_counted_exactly() -> None:
    """All results are counted; scipy has only the approximation."""
    for sides, dice in (*((3, dice) for dice in range(1, 8)), (6, 3), (6, 5), (2, 9)):
        throws = [Counter(throw) for throw in product(range(sides), repeat=dice)]
        squares = [sum(count * count for count in throw.values()) for throw in throws]
        for throw, own in zip(throws[::37], squares[::37], strict=True):
            counts = [throw[face] for face in range(sides)]
            expected = Fraction(sum(other >= own for other in squares), sides**dice)
            assert face_probability(counts) == pytest.approx(float(expected))
    enough = [8, 3, 5, 5, 5, 3]
    assert sum(enough) == MIN_CHI_SQUARE_DICE - 1
    assert face_probability(enough) == pytest.approx(stats.chisquare(enough).pvalue, abs=0.04)
    many = [60, 50, 41, 53, 47, 49]
    assert face_probability(many) == pytest.approx(stats.chisquare(many).pvalue)


def test_faces_that_no_test_can_judge_have_no_probability() -> None:
    assert face_probability([0] * 6) is None
    assert face_probability([9]) is None
    assert face_probability([2] * 20) is None, "fewer than five of each face, and too many to count"
    assert face_probability([5] * 20) == 1.0


def test_runs_are_counted_exactly() -> None:
    for high, low in product(range(5), repeat=2):
        n = high + low
        counted: Counter[int] = Counter()
        for places in combinations(range(n), high):
            counted[run_count(tuple(at in places for at in range(n)))] += 1
        chances = {runs: Fraction(times, comb(n, high)) for runs, times in counted.items()}
        found = {runs: p for runs, p in enumerate(runs_distribution(high, low)) if p}
        assert found == pytest.approx({runs: float(p) for runs, p in chances.items()})
        mean, variance = expected_runs(high, low)
        assert mean == pytest.approx(float(sum(runs * p for runs, p in chances.items())))
        second = float(sum(runs * runs * p for runs, p in chances.items()))
        assert variance == pytest.approx(second - mean * mean, abs=1e-12)


def test_runs_of_several_games_are_added() -> None:
    games = [(2, 2), (3, 1)]
    sums = [
        first + second
        for first in (run_count(one) for one in set_of_orders(2, 2))
        for second in (run_count(one) for one in set_of_orders(3, 1))
    ]
    mean = sum(sums) / len(sums)
    for runs in range(3, 8):
        extreme = [one for one in sums if abs(one - mean) >= abs(runs - mean) - 1e-9]
        assert runs_probability(games, runs) == pytest.approx(len(extreme) / len(sums))
    assert runs_probability([(5, 0), (0, 3)], 2) is None
    assert runs_probability([], 0) is None


def set_of_orders(high: int, low: int) -> list[tuple[int, ...]]:
    places = combinations(range(high + low), high)
    return [tuple(int(at in chosen) for at in range(high + low)) for chosen in places]


def test_many_runs_have_the_normal_approximation() -> None:
    mean, variance = expected_runs(200, 200)
    for runs in (170, 190, 201, 215, 230):
        exact, near = runs_probability([(200, 200)], runs), runs_probability([(200, 200), (1, 0)], runs + 1)
        assert exact == pytest.approx(near, abs=0.003)
        z = max(0.0, abs(runs - mean) - 0.5) / variance**0.5
        assert near == pytest.approx(2 * stats.norm.sf(z))


def test_undone_throws_are_fishers_test() -> None:
    for undone, low, throws in product((1, 3, 7), (2, 6, 11), (12, 15)):
        for undone_low in range(max(0, undone - throws + low), min(undone, low) + 1):
            expected = stats.hypergeom.sf(undone_low - 1, throws, low, undone)
            assert undone_probability(undone_low, undone, low, throws) == pytest.approx(expected, rel=1e-9)
    table = [[30, 5], [470, 495]]
    expected = stats.fisher_exact(table, alternative="greater").pvalue
    assert undone_probability(30, 35, 500, 1_000) == pytest.approx(expected, rel=1e-6)
    assert undone_probability(0, 0, 5, 10) is None
    assert undone_probability(2, 2, 10, 10) is None


def test_the_number_of_dice_has_its_power() -> None:
    """A loaded die is found in four of five samples of this size."""
    assert needed_shift(5) == pytest.approx(12.828, abs=0.001), "the value in tables of Cohen (1988)"
    rng, extra = Random("power"), 0.25 - 1 / 6
    dice, samples = dice_needed(6, extra), examples(4_000)
    weights = [(1 - 0.25) / 5] * 5 + [0.25]
    found = 0
    for _ in range(samples):
        counts = Counter(rng.choices(range(6), weights, k=dice))
        p = face_probability([counts[face] for face in range(6)])
        found += p is not None and p < 0.05
    assert found / samples == pytest.approx(0.8, abs=3 * (0.16 / samples) ** 0.5 + 0.015)
    assert detectable_share(dice, 6) == pytest.approx(0.25, abs=0.001)
    assert dice_needed(6, extra / 2) == pytest.approx(4 * dice, abs=4)
    assert dice_needed(6, extra, level=0.999) > 1.5 * dice
