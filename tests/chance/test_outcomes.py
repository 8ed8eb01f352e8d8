"""Tests of the possible results of draws: all results in order have the same total for each class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamelog.chance.draws import Bag, Dice, Draw, Shuffle, Weighted, kinds_of
from gamelog.chance.outcomes import Result, highest_rolls, outcomes, probability

KINDS = (
    st.lists(st.integers(0, 3), min_size=1, max_size=3)
    .filter(any)
    .map(lambda counts: tuple((name, count) for name, count in zip("abc", counts, strict=False)))
)
DRAWS = st.one_of(
    st.builds(Dice, st.integers(0, 4), st.integers(1, 4), summed=st.booleans(), ordered=st.booleans()),
    st.builds(Weighted, st.integers(0, 3), KINDS, ordered=st.booleans()),
    st.tuples(KINDS, st.integers(0, 4), st.booleans()).map(
        lambda made: Bag(min(made[1], sum(count for _, count in made[0])), made[0], ordered=made[2])
    ),
    st.builds(
        lambda things, dealt: Shuffle(tuple(things), dealt=min(dealt, len(things))),
        st.lists(st.sampled_from("ab"), max_size=4),
        st.integers(0, 4),
    ),
)


def in_order(draw: Draw) -> Counter[Result]:
    """Return all results of `draw` in order, by brute force, with their ways."""
    if isinstance(draw, Dice):
        return Counter(product(range(1, draw.sides + 1), repeat=draw.count))
    things = [name for name, count in kinds_of(draw).items() for _ in range(count)]
    if isinstance(draw, Weighted):
        return Counter(product(things, repeat=draw.count))
    return Counter(permutations(things, draw.count))


def class_of(draw: Draw) -> Callable[[Result], Any]:
    """Return the function that gives the part of a result that matters."""
    if isinstance(draw, Dice) and draw.summed:
        return lambda result: sum(map(int, result))
    if not getattr(draw, "ordered", True):
        return lambda result: tuple(sorted(result, key=str))
    return lambda result: result


@given(DRAWS)
def test_each_class_has_the_probability_of_its_results(draw: Draw) -> None:
    key, expected = class_of(draw), Counter[Any]()
    for result, ways in in_order(draw).items():
        expected[key(result)] += ways
    total = sum(expected.values())
    found = outcomes(draw)
    assert found is not None
    assert found.total == sum(ways for _, ways in found.ways)
    assert len({key(result) for result, _ in found.ways}) == len(found.ways)
    assert {key(result): Fraction(ways, found.total) for result, ways in found.ways} == {
        value: Fraction(ways, total) for value, ways in expected.items()
    }


@given(DRAWS.filter(lambda draw: not getattr(draw, "summed", False) and not isinstance(draw, Shuffle)))
def test_the_probability_of_a_result_counts_all_its_orders(draw: Draw) -> None:
    counted = in_order(draw)
    alike = Counter[Any]()
    for result, ways in counted.items():
        alike[tuple(sorted(result, key=str))] += ways
    whole_bag = isinstance(draw, Bag) and draw.count == sum(kinds_of(draw).values())
    for result in counted:
        ways = counted[result] if whole_bag else alike[tuple(sorted(result, key=str))]
        assert probability(draw, result) == Fraction(ways, sum(counted.values()))


@pytest.mark.parametrize(
    ("draw", "count"),
    [
        (Dice(4), 6**4),
        (Dice(4, ordered=False), 126),
        (Dice(40, summed=True), 201),
        (Bag(3, (("a", 2), ("b", 2))), 6),
        (Bag(3, (("a", 2), ("b", 2)), ordered=False), 2),
    ],
)
def test_a_list_that_is_too_long_is_refused(draw: Draw, count: int) -> None:
    found = outcomes(draw, count)
    assert found is not None and len(found.ways) == count
    assert outcomes(draw, count - 1) is None


def test_large_draws_are_refused_at_once() -> None:
    assert outcomes(Dice(1_000, 1_000)) is None
    assert outcomes(Dice(1_000, 1_000, ordered=False)) is None
    assert outcomes(Dice(10_000, 10_000, summed=True)) is None
    assert outcomes(Bag(60, tuple((str(n), 4) for n in range(52)), ordered=False)) is None
    assert outcomes(Shuffle(tuple(map(str, range(52))))) is None


@pytest.mark.parametrize(("rollers", "dice", "sides"), [(1, 1, 6), (2, 1, 6), (4, 1, 4), (3, 2, 3)])
def test_the_highest_rollers_have_their_exact_chances(rollers: int, dice: int, sides: int) -> None:
    expected: Counter[tuple[int, ...]] = Counter()
    every = [sum(throw) for throw in product(range(1, sides + 1), repeat=dice)]
    for sums in product(every, repeat=rollers):
        expected[tuple(seat for seat, value in enumerate(sums) if value == max(sums))] += 1
    found = {
        tuple(seat for seat, throw in enumerate(results) if sum(map(int, throw)) > dice): chance
        for results, chance in highest_rolls(rollers, dice, sides)
    }
    assert found == {group: Fraction(ways, len(every) ** rollers) for group, ways in expected.items()}
