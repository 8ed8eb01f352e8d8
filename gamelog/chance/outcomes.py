"""The possible results of a draw, with their exact probabilities.

Probabilities are counted in whole numbers. If a draw says that only its sum (`Dice.summed`) or only its
multiset (``ordered=False``) matters, one result stands for all results with this sum or multiset.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, perm, prod
from typing import NamedTuple

from gamelog.chance.draws import Dice, Draw, Results, Weighted, kinds_of

Result = tuple[int | str, ...]
"""The result of one draw."""

MAX_OUTCOMES = 20_000
"""Maximum number of results that are listed."""


class Outcomes(NamedTuple):
    """The results of a draw that differ, each with its number of equally likely ways.

    Attributes:
        ways: Each result and the number of its ways.
        total: The sum of all ways. The probability of a result is its number of ways divided by this total.
    """

    ways: tuple[tuple[Result, int], ...]
    total: int


@lru_cache(4_096)
def outcomes(draw: Draw, most: int = MAX_OUTCOMES) -> Outcomes | None:
    """Return the results of `draw` that matter, or None if there are more than `most`."""
    if isinstance(draw, Dice) and draw.summed:
        return _sums(draw) if draw.count * (draw.sides - 1) < most else None
    kinds = {name: count for name, count in kinds_of(draw).items() if count}
    if isinstance(draw, Dice | Weighted):
        weights: dict[int | str, int] = dict(kinds.items())
        if isinstance(draw, Dice):
            weights = dict.fromkeys(range(1, draw.sides + 1), 1)
        return _independent(draw.count, weights, ordered=draw.ordered, most=most)
    return _without_replacement(draw.count, kinds, ordered=getattr(draw, "ordered", True), most=most)


def _sums(draw: Dice) -> Outcomes:
    """Return one result for each sum of `draw`."""
    ways = throw_counts(draw.count, draw.sides)
    return Outcomes(
        tuple((_throw_of_sum(draw, total), ways[total]) for total in range(draw.count, len(ways))),
        sum(ways),
    )


def _throw_of_sum(draw: Dice, total: int) -> Result:
    """Return a throw of `draw` with the sum `total`."""
    high, rest = divmod(total - draw.count, draw.sides - 1) if draw.sides > 1 else (0, 0)
    throw = (draw.sides,) * high + ((1 + rest,) if high < draw.count else ())
    return throw + (1,) * (draw.count - len(throw))


def _independent(count: int, weights: dict[int | str, int], *, ordered: bool, most: int) -> Outcomes | None:
    """Return the results of `count` independent draws, or None if there are more than `most`.

    Args:
        count: The number of draws.
        weights: The weight of each thing.
        ordered: Whether the order of the draws matters.
        most: The largest number of results.
    """
    number = len(weights) ** count if ordered else comb(len(weights) + count - 1, count)
    if number > most:
        return None
    listed = product(weights, repeat=count) if ordered else combinations_with_replacement(weights, count)
    return Outcomes(
        tuple(
            (result, (1 if ordered else _orders(result)) * prod(weights[name] for name in result))
            for result in listed
        ),
        sum(weights.values()) ** count,
    )


def _without_replacement(count: int, kinds: dict[str, int], *, ordered: bool, most: int) -> Outcomes | None:
    """Return the results of drawing `count` things from a bag, or None if there are more than `most`.

    Args:
        count: The number of things drawn.
        kinds: The number of things of each kind.
        ordered: Whether the order of the things matters.
        most: The largest number of results.
    """
    partial: list[Result] = [()]
    names = list(kinds)
    if ordered:
        for _ in range(count):
            partial = [
                (*result, name) for result in partial for name in names if result.count(name) < kinds[name]
            ]
            if len(partial) > most:
                return None
    else:
        left = sum(kinds.values())
        for name in names:
            left -= kinds[name]
            partial = [
                result + (name,) * number
                for result in partial
                for number in range(min(kinds[name], count - len(result)) + 1)
                if len(result) + number + left >= count
            ]
            if len(partial) > most:
                return None
    way = perm if ordered else comb
    return Outcomes(
        tuple(
            (result, prod(way(kinds[str(name)], number) for name, number in Counter(result).items()))
            for result in partial
        ),
        way(sum(kinds.values()), count),
    )


def probability(draw: Draw, result: Result) -> Fraction:
    """Return the exact probability of `result` for `draw`, in any order of its parts.

    If the order is all that the draw decides (a shuffled deck, a bag drawn until it is empty), the order of
    `result` counts.
    """
    seen = Counter(result)
    if isinstance(draw, Dice):
        return Fraction(_orders(result), draw.sides**draw.count)
    kinds = kinds_of(draw)
    total = sum(kinds.values())
    if isinstance(draw, Weighted):
        return _orders(result) * prod(
            (Fraction(kinds[str(name)], total) ** count for name, count in seen.items()), start=Fraction(1)
        )
    if draw.count == total:
        return Fraction(prod(map(factorial, kinds.values())), factorial(total))
    return Fraction(
        prod(comb(kinds.get(str(name), 0), count) for name, count in seen.items()), comb(total, draw.count)
    )


def results_in_order(draws: tuple[Draw, ...]) -> Iterator[Results]:
    """Yield all possible results of `draws`, in every order, or none if there are more than `MAX_OUTCOMES`.

    Results that a bag cannot give, because it has too few of a kind, are included.
    """
    choices: list[list[int | str]] = [
        [*range(1, draw.sides + 1)] if isinstance(draw, Dice) else [*kinds_of(draw)]
        for draw in draws
        for _ in range(draw.count)
    ]
    if prod(map(len, choices)) > MAX_OUTCOMES:
        return
    for flat in product(*choices):
        rest = iter(flat)
        yield tuple(tuple(next(rest) for _ in range(draw.count)) for draw in draws)


@cache
def throw_counts(dice: int, sides: int = 6) -> tuple[int, ...]:
    """Return the numbers of the ``sides ** dice`` throws that add up to 0, 1, 2, … ``dice * sides``."""
    if dice == 0:
        return (1,)
    fewer = throw_counts(dice - 1, sides)
    return tuple(sum(fewer[max(0, total - sides) : total]) for total in range(dice * sides + 1))


@cache
def highest_rolls(rollers: int, dice: int = 1, sides: int = 6) -> tuple[tuple[Results, Fraction], ...]:
    """Return one result for each set of rollers that can share the highest sum, with its probability.

    This is for rolls in which only the set of the highest rollers matters, such as the roll for the first
    turn. Rollers of a set throw the highest faces, and all others throw ones.

    Args:
        rollers: The number of rollers.
        dice: The number of dice of each roller.
        sides: The number of faces of each die.
    """
    counts = throw_counts(dice, sides)
    throws = sum(counts) ** rollers
    high, low = (sides,) * dice, (1,) * dice
    found = []
    for size in range(1, rollers + 1):
        ways = sum(
            count**size * sum(counts[:total]) ** (rollers - size) for total, count in enumerate(counts)
        )
        for group in combinations(range(rollers), size):
            results = tuple(high if roller in group else low for roller in range(rollers))
            found.append((results, Fraction(ways, throws)))
    return tuple(found)


def _orders(result: Result) -> int:
    """Return the number of different orders of `result`."""
    return factorial(len(result)) // prod(map(factorial, Counter(result).values()))
