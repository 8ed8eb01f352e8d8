"""The results of a study: each measure of each variant with its interval, each difference with its test."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from msgspec import Struct, structs

from gamelog.statistics import (
    Difference,
    Interval,
    clustered_share_interval,
    detectable_difference,
    holm,
    independent_difference,
    mean_and_deviation,
    mean_interval,
    paired_difference,
    sequence_interval,
    sequence_probability,
    share_interval,
    t_quantile,
)
from gamelog.study.measures import Measure, Values, measures_of

MIN_UNITS = 20
"""Minimum number of units for an interval and a difference."""

LEVEL = 0.05
"""Probability below which a difference is called found."""

NEGLIGIBLE_SHARE, NEGLIGIBLE_PART = 0.05, 0.05
"""Differences that a study may ignore: of a share, and of a number as a part of the first variant's mean."""


class Estimate(Struct, frozen=True):
    """A measure of one variant, with its 95 % interval; the ends are None with too few units.

    Attributes:
        value: Mean of the units.
        low: Lower end of the interval.
        high: Upper end of the interval.
        units: Number of units.
    """

    value: float
    low: float | None
    high: float | None
    units: int


class Comparison(Struct, frozen=True):
    """The difference of a variant from the first variant.

    Attributes:
        value: Mean of this variant less the mean of the first.
        low: Lower end of the 95 % interval.
        high: Upper end of the 95 % interval.
        p: Probability that chance gives a difference this large.
        corrected: The same, corrected for the number of differences (Holm).
        found: Whether the corrected probability is below 5 %.
        error: Standard error of the difference.
        detectable: True difference that a study of this size finds with 80 %, with the same correction and,
            in a sequential study, at one look.
        gain: Number of games without pairing that one paired game replaces; None if the pairs never differ,
            or if the games are not paired.
        units: Number of pairs, or of games of the smaller sample.
    """

    value: float
    low: float
    high: float
    p: float
    corrected: float
    found: bool
    error: float
    detectable: float
    gain: float | None
    units: int


class MeasureResult(Struct, frozen=True):
    """The results of one measure.

    Attributes:
        estimates: The estimate of each variant that has values, by its name.
        differences: The difference of each variant but the first, by its name.
    """

    measure: Measure
    estimates: dict[str, Estimate]
    differences: dict[str, Comparison]


def results_of(
    values: Values,
    variants: tuple[str, ...],
    players: int,
    steps: tuple[str, ...] = (),
    *,
    paired: bool = True,
    sequential: bool = False,
    adjusted: MeasureResult | None = None,
) -> list[MeasureResult]:
    """Return the results of all measures that have values.

    The main measures are corrected for the number of their differences, and the other measures for the number
    of theirs.

    Args:
        values: The values of the units.
        variants: The names of the variants. The first one is the one with which the others are compared.
        players: The number of seats.
        steps: The steps of the ladder of bots.
        paired: Whether units with one name belong together.
        sequential: Whether the intervals and probabilities hold however often somebody looks.
        adjusted: A result that replaces the share of the first player as a main measure.
    """
    results = [adjusted] if adjusted else []
    for named in measures_of(values, players, steps):
        measure = structs.replace(named, is_main=named.is_main and not (adjusted and named.name == "turn:1"))
        by_variant = values[measure.name]
        estimates = {
            name: _estimate(measure, by_variant[name], players) for name in variants if by_variant.get(name)
        }
        differences = {}
        for name in variants[1:]:
            difference = _difference(
                measure, by_variant, variants[0], name, paired=paired, sequential=sequential
            )
            if difference:
                differences[name] = difference
        results.append(MeasureResult(measure, estimates, differences))
    for is_main in (True, False):
        family = [
            (number, name)
            for number, result in enumerate(results)
            if result.measure.is_main is is_main
            for name in result.differences
        ]
        corrected = holm([results[number].differences[name].p for number, name in family])
        for (number, name), p in zip(family, corrected, strict=True):
            differences = results[number].differences
            one = differences[name]
            half = _half_interval(one, LEVEL / len(family), sequential=sequential)
            least = detectable_difference(half, one.error)
            differences[name] = structs.replace(one, corrected=p, found=p < LEVEL, detectable=least)
    return results


def _half_interval(one: Comparison, error: float, *, sequential: bool) -> float:
    """Return half of the interval of a difference that misses the true one with this probability."""
    if sequential:
        return sequence_interval(0.0, one.error * sqrt(one.units), one.units, error).high
    return t_quantile(1 - error, one.units - 1) * one.error


def _estimate(measure: Measure, units: Mapping[str, float], players: int) -> Estimate:
    """Return the mean of `units` with its interval."""
    values = list(units.values())
    mean, _ = mean_and_deviation(values)
    if measure.kind == "part":
        mean = _part(mean)
    if len(values) < MIN_UNITS:
        return Estimate(mean, None, None, len(values))
    if measure.kind != "share":
        found = mean_interval(values)
        if measure.kind == "part":
            found = Interval(*map(_part, found))
    elif measure.step < 1:
        found = clustered_share_interval(values, len(values) * players)
    else:
        found = share_interval(sum(values), len(values))
    return Estimate(found.value, found.low, found.high, len(values))


def _part(value: float) -> float:
    """Return the part from 0 to 1 that is nearest to `value`."""
    return min(1.0, max(0.0, value))


def _difference(
    measure: Measure,
    by_variant: Mapping[str, Mapping[str, float]],
    first: str,
    name: str,
    *,
    paired: bool,
    sequential: bool,
) -> Comparison | None:
    """Return the difference of the variant `name` from the variant `first`, or None with too few units."""
    before, after = by_variant.get(first, {}), by_variant.get(name, {})
    if not paired:
        units = min(len(before), len(after))
        if units < MIN_UNITS:
            return None
        found = independent_difference(
            list(before.values()), list(after.values()), is_share=measure.kind == "share"
        )
        return comparison_of(found, units, None)
    both = [unit for unit in before if unit in after]
    if len(both) < MIN_UNITS:
        return None
    one, two = [before[unit] for unit in both], [after[unit] for unit in both]
    found = paired_difference(one, two, measure.step)
    if sequential:
        deviation = found.error * sqrt(len(both))
        _, low, high = sequence_interval(found.value, deviation, len(both))
        p = sequence_probability(found.value, deviation, len(both))
        found = Difference(found.value, low, high, found.error, p, found.gain)
    if measure.kind != "number":
        found = found._replace(low=max(-1.0, found.low), high=min(1.0, found.high))
    return comparison_of(found, len(both), found.gain)


def comparison_of(found: Difference, units: int, gain: float | None) -> Comparison:
    """Return the comparison, not yet corrected for the number of differences and without `detectable`."""
    return Comparison(
        found.value,
        found.low,
        found.high,
        found.p,
        found.p,
        found.p < LEVEL,
        found.error,
        0.0,
        gain,
        units,
    )


def is_sure(results: list[MeasureResult], first: str) -> bool:
    """Return whether every difference of a main measure is found, or is shown to be negligible.

    A difference is negligible if its whole interval is within 5 percentage points of 0, or for numbers within
    5 % of the mean of the variant `first`.
    """
    for result in results:
        if not result.measure.is_main:
            continue
        limit = NEGLIGIBLE_SHARE
        if result.measure.kind == "number" and first in result.estimates:
            limit = NEGLIGIBLE_PART * abs(result.estimates[first].value)
        if len(result.differences) < len(result.estimates) - 1:
            return False
        for difference in result.differences.values():
            if not difference.found and max(-difference.low, difference.high) > limit:
                return False
    return True


def is_precise(results: list[MeasureResult], precision: float) -> bool:
    """Return whether the interval of each main share, and of its differences, is at most ± `precision`."""
    for result in results:
        if result.measure.is_main and result.measure.kind == "share":
            ends = [(one.low, one.high) for one in result.estimates.values()]
            ends += [(one.low, one.high) for one in result.differences.values()]
            if len(result.differences) < len(result.estimates) - 1 or any(
                low is None or high is None or high - low > 2 * precision for low, high in ends
            ):
                return False
    return True
