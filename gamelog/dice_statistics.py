"""Tests of dice: faces, runs, throws that were undone, and the number of dice that a test needs.

The tests are exact for small numbers. Each function names its source.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import comb, exp, fsum, lgamma, log, sqrt
from statistics import NormalDist

from gamelog.statistics import LEVEL, POWER

MIN_CHI_SQUARE_DICE = 30
"""Number of dice from which on chi-square replaces the exact distribution."""
MIN_EXPECTED_PER_FACE = 5
"""Expected number of each face from which on the chi-square approximation holds."""
_EXACT_THROWS = 400
"""Largest number of throws with the exact distribution of runs."""
_STEPS = 1_000
_EQUALITY_FACTOR = 1 + 1e-9
"""Factor within which two probabilities are equal."""


@lru_cache(4096)
def chi_square_probability(x: float, freedom: float) -> float:
    """Return the probability that chi-square with these degrees of freedom is `x` or more.

    Source: NIST Digital Library of Mathematical Functions, 8.11.4 (series of the lower incomplete gamma
    function) and 8.9.2 (continued fraction of the upper one, by the method of Lentz).
    """
    a, z = freedom / 2, x / 2
    if z <= 0:
        return 1.0
    scale = exp(a * log(z) - z - lgamma(a))
    if z < a + 1:
        term = total = 1 / a
        for step in range(1, _STEPS):
            term *= z / (a + step)
            total += term
            if term < total * 1e-16:
                break
        return max(0.0, 1 - scale * total)
    b = z + 1 - a
    c, d = 1e300, 1 / b
    fraction = d
    for step in range(1, _STEPS):
        numerator = -step * (step - a)
        b += 2
        d = 1 / (numerator * d + b)
        c = b + numerator / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return scale * fraction


def face_probability(counts: Sequence[int]) -> float | None:
    """Return the probability that fair dice are as far from equal shares as `counts`, or further.

    The distance is Pearson's. The probability is exact for fewer than `MIN_CHI_SQUARE_DICE` dice, and from
    chi-square if `MIN_EXPECTED_PER_FACE` of each face are expected. It is None for numbers between, and
    without dice.

    Source: Pearson (1900), "On the criterion that a given system of deviations"; the exact distribution is
    the multinomial one.

    Args:
        counts: The number of times that each face came up.
    """
    dice, sides = sum(counts), len(counts)
    squares = sum(count * count for count in counts)
    if not dice or sides < 2:
        return None
    if dice < MIN_CHI_SQUARE_DICE:
        ways = _square_sums(sides)[dice]
        return min(
            1.0, fsum(weight for total, weight in ways.items() if total >= squares) / fsum(ways.values())
        )
    if dice < MIN_EXPECTED_PER_FACE * sides:
        return None
    return chi_square_probability(squares * sides / dice - dice, sides - 1)


@lru_cache(32)
def _square_sums(sides: int) -> list[dict[int, float]]:
    """Return, for each number of dice, the weight of each sum of squared counts, in any unit."""
    inverse = [exp(-lgamma(count + 1)) for count in range(MIN_CHI_SQUARE_DICE)]
    sums: list[dict[int, float]] = [{0: 1.0}, *({} for _ in range(MIN_CHI_SQUARE_DICE - 1))]
    for _ in range(sides):
        following: list[dict[int, float]] = []
        for dice in range(MIN_CHI_SQUARE_DICE):
            weights: defaultdict[int, float] = defaultdict(float)
            for count in range(dice + 1):
                for total, weight in sums[dice - count].items():
                    weights[total + count * count] += weight * inverse[count]
            following.append(dict(weights))
        sums = following
    return sums


def expected_runs(high: int, low: int) -> tuple[float, float]:
    """Return the mean and the variance of the number of runs, if high and low throws are in random order.

    Source: Wald and Wolfowitz (1940), "On a test whether two samples are from the same population".
    """
    n = high + low
    if n < 2:
        return float(n), 0.0
    product = 2 * high * low
    return 1 + product / n, product * (product - n) / (n * n * (n - 1))


@lru_cache(4096)
def runs_distribution(high: int, low: int) -> tuple[float, ...]:
    """Return the probability of each number of runs, from 0, of high and low throws in random order.

    Source: as for `expected_runs`.
    """
    if not high or not low:
        return (0.0, 1.0) if high or low else (1.0,)
    chances = [0.0] * (2 * min(high, low) + 2)
    ways = comb(high + low, high)
    for half in range(1, min(high, low) + 1):
        inside = comb(high - 1, half - 1) * comb(low - 1, half - 1)
        chances[2 * half] = 2 * inside / ways
        odd = comb(high - 1, half) * comb(low - 1, half - 1) + comb(high - 1, half - 1) * comb(low - 1, half)
        chances[2 * half + 1] = odd / ways
    while not chances[-1]:
        chances.pop()
    return tuple(chances)


def runs_probability(games: Iterable[tuple[int, int]], runs: int) -> float | None:
    """Return the two-sided probability of a number of runs this far from its mean, in random order.

    The order is random inside each game. The probability is exact up to `_EXACT_THROWS` throws, and from the
    normal approximation with correction for continuity beyond. It is None if the number cannot vary.

    Source: as for `expected_runs`.

    Args:
        games: The numbers of high and of low throws of each game.
        runs: The number of runs of all games together.
    """
    kinds = Counter(games)
    means_and_variances = [(expected_runs(*kind), times) for kind, times in kinds.items()]
    mean = fsum(one[0] * times for one, times in means_and_variances)
    variance = fsum(one[1] * times for one, times in means_and_variances)
    if variance <= 1e-9:
        return None
    distance = abs(runs - mean)
    if sum((high + low) * times for (high, low), times in kinds.items()) > _EXACT_THROWS:
        return min(1.0, 2 * NormalDist().cdf(-max(0.0, distance - 0.5) / sqrt(variance)))
    chances: list[float] = [1.0]
    for kind, times in kinds.items():
        for _ in range(times):
            chances = _sum_of(chances, runs_distribution(*kind))
    return min(1.0, fsum(p for number, p in enumerate(chances) if abs(number - mean) >= distance - 1e-9))


def _sum_of(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """Return the distribution of the sum of two independent numbers."""
    total = [0.0] * (len(first) + len(second) - 1)
    for a, p in enumerate(first):
        if p:
            for b, q in enumerate(second):
                total[a + b] += p * q
    return total


def undone_probability(undone_low: int, undone: int, low: int, throws: int) -> float | None:
    """Return the one-sided probability that at least `undone_low` of the undone throws are low by chance.

    It is None if the number cannot vary.

    Source: Fisher (1935), "The logic of inductive inference" (the exact test, the hypergeometric
    distribution).

    Args:
        undone_low: The number of low throws that were undone.
        undone: The number of throws that were undone.
        low: The number of all low throws.
        throws: The number of all throws.
    """
    if not 0 < undone < throws or not 0 < low < throws:
        return None
    largest = min(undone, low)
    logs = [
        _log_comb(low, k) + _log_comb(throws - low, undone - k) - _log_comb(throws, undone)
        for k in range(undone_low, largest + 1)
        if undone - k <= throws - low
    ]
    return min(1.0, fsum(map(exp, logs)))


def _log_comb(n: int, k: int) -> float:
    """Return the logarithm of a binomial coefficient."""
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def noncentral_probability(x: float, freedom: float, shift: float) -> float:
    """Return the probability that noncentral chi-square is `x` or more.

    Source: NIST/SEMATECH and Patnaik (1949), "The non-central chi-square and F distributions and their
    applications": a Poisson mixture of central ones.

    Args:
        x: The value.
        freedom: The degrees of freedom.
        shift: The parameter of noncentrality.
    """
    if shift <= 0:
        return chi_square_probability(x, freedom)
    half = shift / 2
    spread = int(12 * sqrt(half) + 30)
    first = max(0, int(half) - spread)
    return min(
        1.0,
        fsum(
            exp(n * log(half) - half - lgamma(n + 1)) * chi_square_probability(x, freedom + 2 * n)
            for n in range(first, int(half) + spread)
        ),
    )


@lru_cache(1024)
def needed_shift(freedom: float, level: float = LEVEL, power: float = POWER) -> float:
    """Return the noncentrality at which a test with chi-square finds a difference with this `power`.

    Source: Cohen (1988), "Statistical Power Analysis for the Behavioral Sciences", chapter 7.
    """
    limit = _smallest(lambda x: chi_square_probability(x, freedom) <= 1 - level)
    return _smallest(lambda shift: noncentral_probability(limit, freedom, shift) >= power)


def _smallest(holds: Callable[[float], bool]) -> float:
    """Return the smallest number from 0 on for which `holds` is true. It is then true for all larger ones."""
    low, high = 0.0, 1.0
    while not holds(high):
        low, high = high, 2 * high
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def dice_needed(sides: int, extra: float, level: float = LEVEL, power: float = POWER) -> int:
    """Return the number of dice that show a loaded face with this `power`.

    One face comes up with the share of a fair die plus `extra`, and the other faces share the rest.

    Source: as for `needed_shift`; the effect is the distance of Pearson (1900) for one die.

    Args:
        sides: The number of sides.
        extra: The bias, as a part of 1.
        level: 1 less the probability of a false alarm.
        power: The probability to find the bias.
    """
    effect = extra * extra * sides * sides / (sides - 1)
    return -int(-needed_shift(sides - 1, level, power) / effect // 1)


def detectable_share(dice: int, sides: int, level: float = LEVEL, power: float = POWER) -> float:
    """Return the share of one face that this number of dice shows with this `power`. It can be above 1.

    Source: as for `dice_needed`.

    Args:
        dice: The number of dice.
        sides: The number of sides.
        level: 1 less the probability of a false alarm.
        power: The probability to find the bias.
    """
    return 1 / sides + sqrt(needed_shift(sides - 1, level, power) * (sides - 1) / dice) / sides
