"""Statistics for studies, analyses and reports: intervals, paired differences, corrections, tests, models.

The run-time dependencies have none of these. Statistics over rows of an archive are SQL macros
(`gamelog/archive/schema/macros.sql`). Each function names its source.

A *unit* is one independent observation. In a study it is a block of games with the same dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb, exp, fsum, isclose, lgamma, log, log1p, sqrt
from operator import mul
from statistics import NormalDist
from typing import NamedTuple

LEVEL = 0.95
"""Coverage of intervals."""
POWER = 0.8
"""Probability with which a planned number of units finds a difference."""

_MAX_STEPS = 300
"""Maximum number of terms of a continued fraction, and of halvings of a search."""
_TINY = 1e-300
_NEWTON_STEPS = 30
_LONGEST_STEP, _CONVERGED = 5.0, 1e-7
"""Longest change of a weight in one step of Newton's method, and the change at which it ends."""


class Interval(NamedTuple):
    """An estimate with the ends of its interval."""

    value: float
    low: float
    high: float


class Difference(NamedTuple):
    """The second of two means less the first.

    Attributes:
        value: The difference.
        low: Lower end of its interval.
        high: Upper end of its interval.
        error: Standard error of the difference.
        p: Two-sided probability that chance gives a difference this large.
        gain: Variance that independent samples of this size would have, divided by the variance of the
            pairs; 1 for independent samples. None if the pairs never differ.
    """

    value: float
    low: float
    high: float
    error: float
    p: float
    gain: float | None = 1.0


def normal_quantile(probability: float) -> float:
    """Return the value below which a standard normal variable has this `probability`."""
    return NormalDist().inv_cdf(probability)


def margin(error: float) -> float:
    """Return the margin of error for a standard error: the true value is within it with probability `LEVEL`.

    It holds for normal variables.
    """
    return normal_quantile((1 + LEVEL) / 2) * error


@lru_cache(4096)
def beta_probability(x: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function I(x; a, b).

    Source: NIST Digital Library of Mathematical Functions, 8.17.22 (continued fraction), evaluated by the
    method of Lentz in the form of Thompson and Barnett (1986).
    """
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_probability(1 - x, b, a)
    d = 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    c, fraction = 1.0, d
    for m in range(1, _MAX_STEPS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + term * d or _TINY)
            c = 1 + term / c or _TINY
            fraction *= d * c
        if isclose(d * c, 1, rel_tol=1e-15):
            break
    scale = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)
    return exp(scale) * fraction / a


def t_probability(t: float, freedom: float) -> float:
    """Return the two-sided probability of a t as far from 0 as this, with these degrees of freedom.

    Source: NIST Digital Library of Mathematical Functions, 8.17; Student (1908), "The probable error of a
    mean".
    """
    return beta_probability(freedom / (freedom + t * t), freedom / 2, 0.5)


@lru_cache(4096)
def t_quantile(level: float, freedom: float) -> float:
    """Return the t that a central interval of this `level` reaches, with these degrees of freedom."""
    low, high = 0.0, 2.0
    while t_probability(high, freedom) > 1 - level:
        high *= 2
    for _ in range(_MAX_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if t_probability(middle, freedom) > 1 - level else (low, middle)
    return high


def sign_probability(first: int, second: int) -> float:
    """Return the one-sided exact probability of at least `second` of two equally likely results.

    Source: the sign test, Arbuthnott (1710), as a binomial sum.
    """
    trials = first + second
    return sum(comb(trials, count) for count in range(second, trials + 1)) / (1 << trials)


def share_interval(count: float, trials: float, level: float = LEVEL) -> Interval:
    """Return Wilson's interval of the share `count` of `trials`, which can be effective numbers.

    Source: Wilson (1927), "Probable inference, the law of succession, and statistical inference". The macros
    wilson_low and wilson_high of an archive give the same at 95 %.

    Raises:
        ValueError: There are no trials.
    """
    if trials <= 0:
        raise ValueError("a share needs at least one trial")
    z2 = normal_quantile((1 + level) / 2) ** 2
    middle = count + z2 / 2
    spread = sqrt(z2) * sqrt(count * (trials - count) / trials + z2 / 4)
    return Interval(
        count / trials,
        max(0.0, (middle - spread) / (trials + z2)),
        min(1.0, (middle + spread) / (trials + z2)),
    )


def clustered_share_interval(units: Sequence[float], trials: int, level: float = LEVEL) -> Interval:
    """Return the interval of the mean of `units`, each the share of one block of games.

    Wilson's interval with the number of independent games that has the observed variance between units. If
    all units are equal, this number is the number of units.

    Source: Dean and Pagano (2015), "Evaluating confidence interval methods for binomial proportions in
    clustered surveys"; the effective number after Kish (1965), "Survey Sampling".

    Args:
        units: The share of each unit, from 0 to 1.
        trials: The number of games of all units, which is the largest effective number.
        level: The coverage.
    """
    mean, deviation = mean_and_deviation(units)
    n = len(units)
    effective = mean * (1 - mean) * n / deviation**2 if deviation else n
    effective = min(effective, trials) or n
    return share_interval(mean * effective, effective, level)


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of `values` and their standard deviation, 0 for one value."""
    mean = fsum(values) / len(values)
    squares = fsum((value - mean) ** 2 for value in values)
    return mean, sqrt(squares / (len(values) - 1)) if len(values) > 1 else 0.0


def mean_interval(values: Sequence[float], level: float = LEVEL) -> Interval:
    """Return Student's interval of the mean of independent `values`.

    Source: Student (1908), "The probable error of a mean".

    Raises:
        ValueError: There are fewer than two values.
    """
    if len(values) < 2:
        raise ValueError("an interval needs at least two values")
    mean, deviation = mean_and_deviation(values)
    half = t_quantile(level, len(values) - 1) * deviation / sqrt(len(values))
    return Interval(mean, mean - half, mean + half)


def paired_difference(
    first: Sequence[float], second: Sequence[float], step: float = 0.0, level: float = LEVEL
) -> Difference:
    """Return the mean of `second` less the mean of `first`, whose values belong together in pairs.

    With a `step`, two pairs are added: one without a difference, one that is half a step up and half a step
    down. So the interval keeps its coverage if few or no pairs differ.

    Source: Student (1908), and for shares Agresti and Min (2005), "Simple improved confidence intervals for
    comparing matched proportions".

    Args:
        first: The units of the first variant.
        second: The units of the second variant, in the same order.
        step: The smallest difference between the values of two units, for shares; 0 for other values.
        level: The coverage.

    Raises:
        ValueError: There are fewer than two pairs.
    """
    n = len(first)
    if n < 2:
        raise ValueError("a difference needs at least two pairs")
    pairs = [after - before for before, after in zip(first, second, strict=True)]
    mean, deviation = mean_and_deviation(pairs)
    independent = mean_and_deviation(first)[1] ** 2 + mean_and_deviation(second)[1] ** 2
    gain = independent / deviation**2 if deviation else None
    centre, error = mean, deviation / sqrt(n)
    if step:
        centre = fsum(pairs) / (n + 2)
        squares = (fsum(pair**2 for pair in pairs) + step**2) / (n + 2)
        error = sqrt(max(0.0, squares - centre**2) / (n + 2))
    return _difference(mean, centre, error, n - 1, level, gain)


def independent_difference(
    first: Sequence[float], second: Sequence[float], is_share: bool = False, level: float = LEVEL
) -> Difference:
    """Return the mean of `second` less the mean of `first`, which are independent samples.

    For shares, a 0 and a 1 are added to each sample, so that the interval keeps its coverage near 0 and 1.

    Sources: Welch (1947), "The generalization of Student's problem when several different population
    variances are involved". For shares: Agresti and Caffo (2000), "Simple and effective confidence intervals
    for proportions and differences of proportions result from adding two successes and two failures".

    Args:
        first: The values of the first sample.
        second: The values of the second sample.
        is_share: Whether the values are from 0 to 1, and means are shares.
        level: The coverage.

    Raises:
        ValueError: A sample has fewer than two values.
    """
    if min(len(first), len(second)) < 2:
        raise ValueError("a difference needs at least two values of each sample")
    extra = (0.0, 1.0) if is_share else ()
    (before, before_deviation), (after, after_deviation) = (
        mean_and_deviation((*values, *extra)) for values in (first, second)
    )
    parts = [
        deviation**2 / (len(values) + len(extra))
        for values, deviation in ((first, before_deviation), (second, after_deviation))
    ]
    total = fsum(parts)
    freedom = (
        total**2
        / fsum(part**2 / (len(values) - 1) for part, values in zip(parts, (first, second), strict=True))
        if total
        else 1.0
    )
    value = mean_and_deviation(second)[0] - mean_and_deviation(first)[0]
    return _difference(value, after - before, sqrt(total), freedom, level)


def _difference(
    value: float, centre: float, error: float, freedom: float, level: float, gain: float | None = 1.0
) -> Difference:
    """Return a difference with the interval of this many standard errors around `centre`."""
    half = t_quantile(level, freedom) * error
    p = t_probability(centre / error, freedom) if error else float(centre == 0)
    return Difference(value, min(value, centre - half), max(value, centre + half), error, p, gain)


def normal_interval(value: float, error: float, level: float = LEVEL) -> Interval:
    """Return the interval of an estimate with this standard `error`, by the normal approximation.

    Source: Wald (1943), "Tests of statistical hypotheses concerning several parameters".
    """
    half = normal_quantile((1 + level) / 2) * error
    return Interval(value, value - half, value + half)


def normal_difference(value: float, error: float, level: float = LEVEL) -> Difference:
    """Return a difference with this standard `error`, by the normal approximation.

    Source: as for `normal_interval`.
    """
    _, low, high = normal_interval(value, error, level)
    p = 2 * NormalDist().cdf(-abs(value) / error) if error else float(value == 0)
    return Difference(value, low, high, error, p)


def holm(probabilities: Sequence[float]) -> list[float]:
    """Return the `probabilities` of several tests, corrected for their number.

    Source: Holm (1979), "A simple sequentially rejective multiple test procedure".
    """
    corrected = [0.0] * len(probabilities)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(probabilities)), key=probabilities.__getitem__)):
        largest = max(largest, min(1.0, (len(probabilities) - rank) * probabilities[index]))
        corrected[index] = largest
    return corrected


SHARPEST_UNITS = 200
"""Number of units at which a sequence of 95 % intervals is as short as possible."""

_EXCESS = -2 * log(1 - LEVEL)
_MIXTURE = (_EXCESS + log(_EXCESS) + 1) / SHARPEST_UNITS
"""Variance of the normal mixture, in multiples of the variance of a unit."""


def sequence_interval(mean: float, deviation: float, n: int, error: float = 1 - LEVEL) -> Interval:
    """Return an interval of a mean that holds at all `n` together, so that looking often does no harm.

    It is the normal mixture of Robbins with the observed standard deviation. The probability that any of the
    intervals, from about the thirtieth unit on, misses the mean is at most about `error`.

    Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), "Time-uniform central limit theory and
    asymptotic confidence sequences", theorem 2.2; Howard, Ramdas, McAuliffe and Sekhon (2021), "Time-uniform,
    nonparametric, nonasymptotic confidence sequences", section 3.2.

    Args:
        mean: The mean of the first `n` values.
        deviation: Their standard deviation.
        n: The number of values so far.
        error: The probability of a miss.
    """
    spread = _MIXTURE * n
    half = deviation / sqrt(n) * sqrt((spread + 1) / spread * (2 * log(1 / error) + log(spread + 1)))
    return Interval(mean, mean - half, mean + half)


def sequence_probability(mean: float, deviation: float, n: int) -> float:
    """Return the smallest error at which `sequence_interval` leaves out 0.

    As a p-value it may be looked at after every unit. Source: as for `sequence_interval`, section on
    anytime-valid p-values of Howard, Ramdas, McAuliffe and Sekhon (2021).
    """
    if not deviation:
        return float(mean == 0)
    spread = _MIXTURE * n
    excess = n * (mean / deviation) ** 2 * spread / (spread + 1) - log(spread + 1)
    return min(1.0, exp(-excess / 2))


def units_needed(deviation: float, difference: float, level: float = LEVEL, power: float = POWER) -> int:
    """Return the number of units that find a `difference` with this `power`, by the normal approximation.

    Source: Fleiss, Levin and Paik (2003), "Statistical Methods for Rates and Proportions", chapter 4, with
    the added term of Guenther (1981), "Sample size formulas for normal theory t tests".

    Args:
        deviation: The standard deviation of the difference of one unit.
        difference: The true difference.
        level: The coverage of the interval that decides.
        power: The probability to find the difference.
    """
    z = normal_quantile((1 + level) / 2)
    units = ((z + normal_quantile(power)) * deviation / difference) ** 2 + z * z / 2
    return max(2, -int(-units // 1))


def detectable_difference(half: float, error: float, power: float = POWER) -> float:
    """Return the true difference that a study finds with this `power`, by the normal approximation.

    Args:
        half: Half of the interval that must leave out 0.
        error: The standard error of the difference.
        power: The probability.
    """
    return half + normal_quantile(power) * error


def fit_choice_model(
    options: Sequence[Sequence[Sequence[float]]], shares: Sequence[Sequence[float]], ridge: float = 2.0
) -> list[float]:
    """Return the weights of a conditional logit model: a softmax of weighted features over options.

    Newton's method on the log-likelihood with a ridge penalty, which makes the solution unique.

    Source: McFadden (1974), "Conditional logit analysis of qualitative choice behavior"; the penalty after
    Hoerl and Kennard (1970), "Ridge regression".

    Args:
        options: The features of each option of each observation. All observations have equally many options.
        shares: The share of each option that was observed, which add up to 1 in each observation.
        ridge: The factor of half the sum of squared weights.
    """
    size = len(options[0])
    columns = [*map(list, zip(*(row for rows in options for row in rows), strict=True))]
    observed = [share for row in shares for share in row]
    weights = [0.0] * len(columns)
    for _ in range(_NEWTON_STEPS):
        chances = _softmax_blocks(columns, weights, size)
        errors = [chance - share for chance, share in zip(chances, observed, strict=True)]
        gradient = [
            sum(map(mul, column, errors)) + ridge * weight
            for column, weight in zip(columns, weights, strict=True)
        ]
        spread = [_deviations(column, chances, size) for column in columns]
        matrix = [[0.0] * len(columns) for _ in columns]
        for first, left in enumerate(spread):
            for second in range(first + 1):
                matrix[first][second] = matrix[second][first] = sum(map(mul, left, spread[second]))
            matrix[first][first] += ridge
        step = solve(matrix, gradient)
        longest = max(map(abs, step), default=0.0)
        scale = min(1.0, _LONGEST_STEP / longest) if longest else 1.0
        weights = [weight - scale * change for weight, change in zip(weights, step, strict=True)]
        if longest < _CONVERGED:
            break
    return weights


def _softmax_blocks(columns: list[list[float]], weights: list[float], size: int) -> list[float]:
    """Return the chance of each option, with `size` options in each block."""
    values = [0.0] * len(columns[0])
    for column, weight in zip(columns, weights, strict=True):
        if weight:
            values = [value + weight * x for value, x in zip(values, column, strict=True)]
    chances: list[float] = []
    for at in range(0, len(values), size):
        chances += softmax(values[at : at + size])
    return chances


def softmax(values: Sequence[float]) -> list[float]:
    """Return positive numbers in proportion to the exponentials of `values` that add up to 1."""
    highest = max(values)
    powers = [exp(value - highest) for value in values]
    total = sum(powers)
    return [power / total for power in powers]


def _deviations(column: list[float], chances: list[float], size: int) -> list[float]:
    """Return the deviation of each option from its block's mean, times the root of its chance."""
    found: list[float] = []
    for at in range(0, len(column), size):
        block, weights = column[at : at + size], chances[at : at + size]
        mean = sum(map(mul, block, weights))
        found += [sqrt(weight) * (value - mean) for value, weight in zip(block, weights, strict=True)]
    return found


def solve(matrix: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """Return the solution of a system of linear equations with a symmetric positive definite `matrix`.

    Source: Golub and Van Loan (2013), "Matrix Computations", algorithm 4.2.2 (Cholesky).
    """
    size = len(values)
    lower = [[0.0] * size for _ in range(size)]
    for row in range(size):
        for column in range(row + 1):
            rest = matrix[row][column] - sum(map(mul, lower[row][:column], lower[column][:column]))
            lower[row][column] = sqrt(rest) if row == column else rest / lower[column][column]
    half: list[float] = []
    for row in range(size):
        half.append((values[row] - sum(map(mul, lower[row][:row], half))) / lower[row][row])
    found = [0.0] * size
    for row in reversed(range(size)):
        rest = half[row] - sum(lower[below][row] * found[below] for below in range(row + 1, size))
        found[row] = rest / lower[row][row]
    return found
