"""Statistics of studies: against scipy, against exact counts, and the coverage of every interval by simulation."""

from __future__ import annotations

from itertools import product
from math import comb, inf, log, sqrt

import duckdb
import numpy as np
import pytest
from scipy import special, stats

from gamelog import statistics
from gamelog.archive.schema.macros import macro_statements
from gamelog.statistics import (
    clustered_share_interval,
    detectable_difference,
    holm,
    independent_difference,
    mean_interval,
    normal_quantile,
    paired_difference,
    sequence_interval,
    sequence_probability,
    share_interval,
    sign_probability,
    units_needed,
)
from tests.shares import examples

STUDIES = 4_000
"""Simulated studies of each kind in the full run."""


def enough(covered: int, of: int, least: float) -> bool:
    """Return whether `covered` of `of` is at most three standard errors below the coverage `least`."""
    return covered / of >= least - 3 * sqrt(least * (1 - least) / of)


@pytest.mark.parametrize("a", [0.5, 1.0, 3.5, 60.0, 2_000.0])
@pytest.mark.parametrize("b", [0.5, 2.0, 40.0])
def test_incomplete_beta_is_that_of_scipy(a: float, b: float) -> None:
    for x in (0.0, 1e-9, 0.01, 0.3, 0.5, 0.9, 0.999, 1.0):
        assert statistics.beta_probability(x, a, b) == pytest.approx(
            special.betainc(a, b, x), rel=1e-9, abs=1e-14
        )


@pytest.mark.parametrize("freedom", [1.0, 1.5, 2, 5, 29, 400, 100_000])
def test_students_t_is_that_of_scipy(freedom: float) -> None:
    for t in (0.0, 0.1, -1.0, 2.5, 8.0, 40.0):
        expected = 2 * stats.t.sf(abs(t), freedom)
        assert statistics.t_probability(t, freedom) == pytest.approx(expected, rel=1e-7, abs=1e-15)
    for level in (0.5, 0.8, 0.95, 0.9999):
        expected = stats.t.ppf((1 + level) / 2, freedom)
        assert statistics.t_quantile(level, freedom) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize(
    ("k", "n"), [(0, 1), (0, 30), (1, 30), (29, 30), (30, 30), (98, 240), (1_131_952, 6_788_664)]
)
def test_wilsons_interval_is_that_of_scipy_and_of_an_archive(k: int, n: int) -> None:
    found = share_interval(k, n)
    judged = stats.binomtest(k, n).proportion_ci(0.95, method="wilson")
    assert found == pytest.approx((k / n, judged.low, judged.high), abs=1e-12)
    with duckdb.connect() as database:
        database.execute(
            ";".join(macro_statements().split(";")[:3])
        )  # the two macros, and the least number of games before
        row = database.execute("SELECT wilson_low($k, $n), wilson_high($k, $n)", {"k": k, "n": n}).fetchone()
    assert row == pytest.approx(found[1:], abs=1e-12)


def test_sign_test_is_that_of_scipy() -> None:
    for first, second in product(range(9), repeat=2):
        expected = stats.binomtest(second, first + second, 0.5, "greater").pvalue if first + second else 1.0
        assert sign_probability(first, second) == pytest.approx(expected)
    assert sign_probability(3_000, 2_000) == pytest.approx(1.0)


def test_means_and_differences_are_those_of_scipy() -> None:
    noise = np.random.default_rng(1)
    first, second = noise.gamma(2, 3, 40), noise.gamma(2, 3.5, 40) + 1
    low, high = stats.t.interval(0.95, 39, first.mean(), stats.sem(first))
    assert mean_interval(first.tolist()) == pytest.approx((first.mean(), low, high))
    pairs = paired_difference(first.tolist(), second.tolist())
    judged = stats.ttest_rel(second, first)
    assert (pairs.p, *pairs[1:3]) == pytest.approx((judged.pvalue, *judged.confidence_interval(0.95)))
    independent = independent_difference(first.tolist(), second.tolist()[:25])
    judged = stats.ttest_ind(second[:25], first, equal_var=False)
    assert (independent.p, *independent[1:3]) == pytest.approx(
        (judged.pvalue, *judged.confidence_interval(0.95))
    )
    assert independent.gain == 1


def test_differences_of_shares_are_those_of_their_papers() -> None:
    """Agresti and Min (2005), by their formula; Agresti and Caffo (2000): a success and a failure more in each sample."""
    first, second = [1.0] * 12 + [0.0] * 38, [1.0] * 10 + [0.0] * 2 + [1.0] * 9 + [0.0] * 29
    found = paired_difference(first, second, step=1)
    centre, error = 7 / 52, sqrt((2 + 9 + 1) - 7**2 / 52) / 52
    half = stats.t.ppf(0.975, 49) * error
    assert found[:4] == pytest.approx((7 / 50, centre - half, centre + half, error))
    shares = independent_difference([0.0] * 20, [1.0] * 3 + [0.0] * 17, is_share=True)
    judged = stats.ttest_ind([1.0] * 4 + [0.0] * 18, [1.0] + [0.0] * 21, equal_var=False)
    assert shares.value == 0.15
    assert shares.p == pytest.approx(judged.pvalue, rel=0.02)
    assert shares[1:3] == pytest.approx(tuple(judged.confidence_interval(0.95)), abs=1e-3)


def test_pairs_that_never_differ_say_so() -> None:
    same = paired_difference([1.0, 2.0, 5.0], [1.0, 2.0, 5.0])
    assert (same[:5], same.gain) == ((0, 0, 0, 0, 1.0), None)
    shifted = paired_difference([1.0, 2.0, 5.0], [3.0, 4.0, 7.0])
    assert shifted[:5] == (2, 2, 2, 0, 0.0)
    share = paired_difference([1.0] * 30, [1.0] * 30, step=1)
    assert share.low < 0 == share.value < share.high
    assert share.p == 1


def test_too_few_units_have_no_interval() -> None:
    for call in (
        lambda: share_interval(0, 0),
        lambda: mean_interval([1.0]),
        lambda: paired_difference([1.0], [2.0]),
        lambda: independent_difference([1.0], [2.0, 3.0]),
    ):
        with pytest.raises(ValueError, match="at least"):
            call()


def test_holms_correction_is_that_of_its_paper() -> None:
    """Known answer: the example of R's ``p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")``."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@pytest.mark.grid
def test_holms_correction_keeps_the_error_of_all_tests_together() -> None:
    noise, studies = np.random.default_rng(2), examples(STUDIES)
    wrong = sum(min(holm(noise.random(12).tolist())) < 0.05 for _ in range(studies))
    assert enough(studies - wrong, studies, 0.95)


@pytest.mark.grid
def test_planned_number_of_units_has_its_power() -> None:
    """The number of the literature for shares of 0.5 and 0.55, and simulated studies of that many units."""
    units = units_needed(sqrt(0.5 * 0.5 + 0.55 * 0.45), 0.05)
    assert 1_550 <= units <= 1_575
    noise, studies = np.random.default_rng(3), examples(STUDIES)
    few = units_needed(1.0, 0.5)
    found = sum(
        paired_difference([0.0] * few, noise.normal(0.5, 1, few).tolist()).p < 0.05 for _ in range(studies)
    )
    assert abs(found / studies - 0.8) < 0.02 + 3 * sqrt(0.16 / studies)
    error = 1 / sqrt(few)
    assert detectable_difference(normal_quantile(0.975) * error, error) == pytest.approx(0.5, rel=0.04)
    assert units_needed(0.0, 1.0) == 2


@pytest.mark.parametrize("trials", [30, 200])
def test_exact_coverage_of_a_share(trials: int) -> None:
    """The mean over all shares is 95 %, and no share from 0.05 to 0.95 has less than 92 %."""
    intervals = [share_interval(k, trials) for k in range(trials + 1)]
    coverage = []
    for share in np.linspace(0.05, 0.95, 181):
        chances = stats.binom.pmf(range(trials + 1), trials, share)
        coverage.append(sum(chances[k] for k, ends in enumerate(intervals) if ends.low <= share <= ends.high))
    assert np.mean(coverage) == pytest.approx(0.95, abs=0.01)
    assert min(coverage) > 0.92


@pytest.mark.parametrize(
    ("up", "down"), [(0.0, 0.0), (0.02, 0.02), (0.1, 0.02), (0.3, 0.1), (0.25, 0.25), (0.6, 0.3)]
)
def test_exact_coverage_of_a_paired_difference_of_shares(up: float, down: float) -> None:
    pairs = 40
    coverage = 0.0
    for more in range(pairs + 1):
        for less in range(pairs + 1 - more):
            same = pairs - more - less
            chance = (
                comb(pairs, more) * comb(pairs - more, less) * up**more * down**less * (1 - up - down) ** same
            )
            if chance > 1e-12:
                found = paired_difference(
                    [0.0] * more + [1.0] * less + [0.0] * same, [1.0] * more + [0.0] * (less + same), step=1
                )
                coverage += chance * (found.low <= up - down <= found.high)
    assert coverage > 0.94


@pytest.mark.parametrize(("before", "after"), [(0.02, 0.02), (0.05, 0.2), (0.5, 0.55), (0.97, 0.9)])
def test_exact_coverage_of_a_difference_of_independent_shares(before: float, after: float) -> None:
    trials = 40
    chances = [stats.binom.pmf(range(trials + 1), trials, share) for share in (before, after)]
    coverage = 0.0
    for k, j in product(range(trials + 1), repeat=2):
        chance = chances[0][k] * chances[1][j]
        if chance > 1e-9:
            first, second = ([1.0] * count + [0.0] * (trials - count) for count in (k, j))
            found = independent_difference(first, second, is_share=True)
            coverage += chance * (found.low <= after - before <= found.high)
    assert coverage > 0.94


@pytest.mark.grid
@pytest.mark.parametrize(("share", "games"), [(0.5, 2), (0.5, 4), (0.9, 4), (0.98, 2)])
@pytest.mark.parametrize("units", [40, 200])
def test_coverage_of_a_share_of_blocks(share: float, games: int, units: int) -> None:
    """Each block has a share of its own, from a beta distribution, so the games of a block are alike."""
    noise, studies = np.random.default_rng(4), examples(STUDIES)
    covered = 0
    for _ in range(studies):
        blocks = noise.binomial(games, noise.beta(3 * share, 3 * (1 - share), units)) / games
        found = clustered_share_interval(blocks.tolist(), units * games)
        covered += found.low <= share <= found.high
    assert enough(covered, studies, 0.93)


@pytest.mark.grid
@pytest.mark.parametrize("shape", [1.0, 4.0, inf])
def test_coverage_of_a_mean(shape: float) -> None:
    """Lengths of games are skewed: gamma distributions, and the normal one."""
    noise, studies = np.random.default_rng(5), examples(STUDIES)
    covered = differences = 0
    for _ in range(studies):
        first, second = (
            noise.normal(1, 1, 60) if shape == inf else noise.gamma(shape, 1 / shape, 60) for _ in range(2)
        )
        found = mean_interval(first.tolist())
        covered += found.low <= 1 <= found.high
        pairs = paired_difference(first.tolist(), second.tolist())
        independent = independent_difference(first.tolist(), second.tolist())
        differences += (pairs.low <= 0 <= pairs.high) + (independent.low <= 0 <= independent.high)
    assert enough(covered, studies, 0.93)
    assert enough(differences // 2, studies, 0.945)


def alarms(differences: np.typing.NDArray[np.float64], error: float, first_look: int = 30) -> bool:
    """Return whether an interval after any unit from `first_look` on leaves out 0."""
    n = np.arange(1, len(differences) + 1)
    mean = np.cumsum(differences) / n
    squares = np.cumsum(differences**2) / n - mean**2
    deviation = np.sqrt(np.maximum(squares, 0) * n / np.maximum(n - 1, 1))
    half = np.array([sequence_interval(0, 1, int(count), error).high for count in n])
    return bool((np.abs(mean) > half * deviation + 1e-12)[first_look - 1 :].any())


@pytest.mark.grid
@pytest.mark.parametrize("kind", ["normal", "rare", "shares", "skewed"])
def test_looking_after_every_unit_keeps_the_error(kind: str) -> None:
    """Studies of no difference, looked at after every unit up to 1,000; a quarter of the error goes to one measure."""
    noise, studies = np.random.default_rng(6), examples(2_000)
    wrong = 0
    for _ in range(studies):
        if kind == "normal":
            drawn = noise.normal(0, 1, 1_000)
        elif kind == "rare":
            drawn = noise.choice([-1.0, 0.0, 1.0], 1_000, p=[0.02, 0.96, 0.02])
        elif kind == "shares":
            drawn = (noise.binomial(2, 0.5, 1_000) - noise.binomial(2, 0.5, 1_000)) / 2
        else:
            drawn = noise.gamma(1, 1, 1_000) - noise.gamma(1, 1, 1_000)
        wrong += alarms(drawn, 0.05)
    assert enough(studies - wrong, studies, 0.95)


@pytest.mark.grid
def test_a_sequence_of_intervals_ends_with_a_difference() -> None:
    """Twice the units that a test of fixed size needs find the difference as often, looked at all the time."""
    noise, studies = np.random.default_rng(7), examples(400)
    size = units_needed(1.0, 0.2) * 2
    found = sum(alarms(noise.normal(0.2, 1, size), 0.05) for _ in range(studies))
    assert found / studies > 0.8
    spread = (-2 * log(0.05) + log(-2 * log(0.05)) + 1) / 200 * 100
    half = 2 * sqrt(2 * (spread + 1) / (100 * spread) * log(sqrt(spread + 1) / 0.05))
    assert sequence_interval(1.0, 2.0, 100) == pytest.approx((1.0, 1 - half, 1 + half))
    for error in (0.3, 0.05, 1e-9):
        edge = sequence_interval(0.0, 2.0, 100, error).high
        assert sequence_probability(edge, 2.0, 100) == pytest.approx(error)
    assert [sequence_probability(mean, 0.0, 40) for mean in (0.0, 1.0)] == [1, 0]
