"""Tests of weighted draws, shuffles and private draws."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from hashlib import sha256
from itertools import islice, permutations, product

import pytest
from scipy.stats import chisquare

from gamelog.chance import commit_reveal
from gamelog.chance.draws import Bag, Dice, Draw, Results, Shuffle, Weighted, kinds_of, results_problem
from gamelog.chance.sources import Seeded
from gamelog.chance.stream import _draw_things, _thing_at, draw_results, random_integers, uniform_integers

WEATHER = Weighted.of({"sun": Fraction(1, 2), "rain": Fraction(1, 3), "snow": Fraction(1, 6)})
CARDS = tuple("abcdefgh")


def test_streams_of_dice_and_bags_have_not_changed() -> None:
    """Compare with a digest from before other kinds of draws existed."""
    digest = sha256()
    for at in range(200):
        bag = Bag(at % 5 + 1, (("a", 3), ("b", at % 4 + 1), ("c", 2)))
        draws = (Dice(at % 7 + 1, at % 19 + 2), bag, Dice(2), Bag(6, (("x", 3), ("y", 2), ("z", 1))))
        digest.update(repr(draw_results(b"key", str(at).encode(), draws)).encode())
    assert digest.hexdigest() == "3cf2b57e09a2acbd4f5d68e81363946c41e2d1458083a689561cd6f9120d1db3"


def test_fractions_become_weights_in_proportion() -> None:
    assert Weighted(1, (("sun", 3), ("rain", 2), ("snow", 1))) == WEATHER
    with pytest.raises(ValueError, match="add up to 5/6 instead of 1"):
        Weighted.of({"sun": Fraction(1, 2), "rain": Fraction(1, 3)})


def test_each_thing_is_drawn_as_often_as_its_weight_says() -> None:
    """Try every number below the sum of the weights once."""
    weights = kinds_of(WEATHER)
    assert Counter(_thing_at(weights, at) for at in range(6)) == {"sun": 3, "rain": 2, "snow": 1}


def test_each_order_of_a_deck_comes_from_equally_many_streams() -> None:
    """Try every row of numbers that a shuffle of four things can take once."""
    for deck in ("abcd", "aabc"):
        rows = product(*(range(left) for left in range(len(deck), 0, -1)))
        orders = Counter(_shuffled(deck, row) for row in rows)
        assert orders == Counter("".join(order) for order in permutations(deck))


def _shuffled(deck: str, numbers: tuple[int, ...]) -> str:
    return "".join(_draw_things(iter(numbers), kinds_of(Shuffle(tuple(deck))), len(deck)))


@pytest.mark.parametrize("source", ["seeded", "commit-reveal"])
@pytest.mark.parametrize(
    ("draw", "chances"),
    [
        (WEATHER, {("sun",): 1 / 2, ("rain",): 1 / 3, ("snow",): 1 / 6}),
        (
            Weighted(2, (("a", 1), ("b", 3))),
            {("a", "a"): 1 / 16, ("a", "b"): 3 / 16, ("b", "a"): 3 / 16, ("b", "b"): 9 / 16},
        ),
        (Shuffle(("a", "b", "c")), dict.fromkeys(permutations("abc"), 1 / 6)),
        (Shuffle(("a", "a", "b", "b")), dict.fromkeys(set(permutations("aabb")), 1 / 6)),
        (
            Bag(2, (("a", 2), ("b", 1)), seat="red", private=True),
            {("a", "a"): 1 / 3, ("a", "b"): 1 / 3, ("b", "a"): 1 / 3},
        ),
    ],
    ids=["weather", "pairs", "deck", "alike", "private"],
)
def test_draws_have_the_right_probabilities(
    source: str, draw: Draw, chances: dict[tuple[str, ...], float]
) -> None:
    """Test 6,000 draws with scipy's chi-square. The seeds are fixed, so the result of the test is not
    random.
    """
    rolls = 6_000
    if source == "seeded":
        drawn = [Seeded("seed", "record").results((draw,), at)[0] for at in range(rolls)]
    else:
        drawn = [
            commit_reveal.results({"red": f"{at:064x}", "blue": "0" * 64}, "h" * 43, (draw,))[0]
            for at in range(rolls)
        ]
    counts = Counter(drawn)
    assert set(counts) == set(chances)
    assert all(results_problem((draw,), (result,)) is None for result in counts)
    found = chisquare([counts[result] for result in chances], [rolls * chance for chance in chances.values()])
    assert found.pvalue > 0.001


def test_a_private_draw_gives_the_same_result_as_an_open_draw() -> None:
    for kind in (Dice(3, 6, "red"), Bag(2, (("a", 2), ("b", 1)), "red"), WEATHER, Shuffle(CARDS)):
        hidden = type(kind)(
            **{name: getattr(kind, name) for name in kind.__struct_fields__} | {"private": True}
        )
        assert draw_results(b"key", b"", (kind,)) == draw_results(b"key", b"", (hidden,))


def test_large_numbers_use_as_many_integers_as_necessary() -> None:
    huge = (1 << 40) + 7
    stream = random_integers(b"key", b"")
    first, second = islice(random_integers(b"key", b""), 2)
    assert uniform_integers(stream, huge, 1) == [(first << 32 | second) % huge]
    limit = (1 << 64) - (1 << 64) % huge
    assert uniform_integers(iter([limit >> 32, limit & 0xFFFFFFFF, 0, 5]), huge, 1) == [5], (
        "what would favour a number is thrown away"
    )
    assert uniform_integers(iter([7]), 1 << 32, 1) == [7]
    result = draw_results(b"key", b"", (Weighted(3, (("a", 1), ("b", (1 << 70) - 1))),))
    assert result == (("b", "b", "b"),)


@pytest.mark.parametrize(
    ("draw", "result", "why"),
    [
        (WEATHER, ("fog",), "fog cannot be drawn; the possible results are: sun, rain, snow"),
        (
            Weighted(1, (("sun", 1), ("fog", 0))),
            ("fog",),
            "fog cannot be drawn; the possible results are: sun",
        ),
        (WEATHER, ("sun", "sun"), "1 draw is due, but 2 are given"),
        (Shuffle(("a", "b")), ("a", "a"), "the deck does not have that many of a"),
        (Shuffle(("a", "b")), ("a", "c"), "the deck has no c"),
    ],
)
def test_impossible_draws_are_reported(draw: Draw, result: tuple[str, ...], why: str) -> None:
    results: Results = (result,)
    assert str(results_problem((draw,), results)) == why
