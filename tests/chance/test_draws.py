"""Tests of draws and of the random streams that answer them."""

from collections import Counter
from hashlib import sha256
from hmac import digest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamelog.chance.draws import Bag, Dice, Draw, Results, results_problem
from gamelog.chance.rng import generator
from gamelog.chance.sources import Seeded, recomputable_source
from gamelog.chance.stream import draw_results, random_integers, uniform_integers
from gamelog.record.envelope import DiceSpec

DRAWS = st.lists(
    st.one_of(
        st.builds(Dice, st.integers(1, 9), st.integers(2, 20)),
        st.builds(
            lambda kept, count: Bag(min(count, kept * 2), (("a", kept), ("b", kept))),
            st.integers(1, 9),
            st.integers(1, 9),
        ),
    ),
    min_size=1,
    max_size=4,
).map(tuple)


@given(st.binary(max_size=40), st.binary(max_size=40), DRAWS)
def test_outcomes_fit_their_draws_and_repeat(key: bytes, context: bytes, draws: tuple[Draw, ...]) -> None:
    results = draw_results(key, context, draws)
    assert results_problem(draws, results) is None
    assert draw_results(key, context, draws) == results


def test_the_stream_follows_the_documentation() -> None:
    stream = random_integers(b"key", b"context")
    first = digest(b"key", b"context" + bytes(8), "sha256")
    second = digest(b"key", b"context" + (1).to_bytes(8, "big"), "sha256")
    expected = [int.from_bytes((first + second)[at : at + 4], "big") for at in range(0, 64, 4)]
    assert [next(stream) for _ in range(16)] == expected


def test_numbers_that_would_favour_a_face_are_rejected() -> None:
    limit = (1 << 32) - (1 << 32) % 6
    assert uniform_integers(iter([limit, limit + 1, 7, limit, 8, 9]), 6, 2) == [1, 2]


def test_all_faces_are_equally_likely() -> None:
    (faces,) = draw_results(b"even", b"", (Dice(60_000),))
    counts = Counter(faces)
    chi = sum((counts[face] - 10_000) ** 2 / 10_000 for face in range(1, 7))
    assert chi < 20.5, "the 99.9 % point of chi-square with 5 degrees of freedom; the key is fixed"


def test_a_bag_drawn_until_it_is_empty_is_a_shuffle() -> None:
    things = (("red", 3), ("blue", 2), ("purple", 1))
    (drawn,) = draw_results(b"bag", b"1", (Bag(6, things),))
    assert Counter(drawn) == Counter(dict(things))
    firsts = Counter(draw_results(b"bag", str(at).encode(), (Bag(1, things),))[0][0] for at in range(6_000))
    assert all(abs(firsts[name] - 1_000 * count) < 150 for name, count in things)


@pytest.mark.parametrize(
    ("draws", "results"),
    [
        ((Dice(2),), ((1,),)),
        ((Dice(2),), ((1, 2, 3),)),
        ((Dice(1),), ((7,),)),
        ((Dice(1),), ((0,),)),
        ((Dice(1),), (("six",),)),
        ((Dice(1), Dice(1)), ((1,),)),
        ((Bag(2, (("a", 1), ("b", 1))),), (("a", "a"),)),
        ((Bag(1, (("a", 1),)),), (("c",),)),
    ],
)
def test_impossible_results_are_reported(draws: tuple[Draw, ...], results: Results) -> None:
    assert results_problem(draws, results)


def test_seeded_substreams_differ_by_record_and_ordinal() -> None:
    draws = (Dice(20),)
    base = Seeded("seed", "id").results(draws, 0)
    assert base == Seeded("seed", "id").results(draws, 0)
    others = [
        Seeded("seed", "id").results(draws, 1),
        Seeded("seed", "other").results(draws, 0),
        Seeded("tree", "id").results(draws, 0),
    ]
    assert base not in others
    key = sha256(b"gamelog/1 seeded\nseed").digest()
    assert base == draw_results(key, b"id\n" + bytes(8), draws)


def test_only_seeded_dice_can_be_recomputed() -> None:
    assert recomputable_source(DiceSpec("table"), "id") is None
    assert recomputable_source(DiceSpec("seeded", "s"), "id") is not None


def test_generators_depend_on_their_seed_alone() -> None:
    assert generator("a", 1).random() == generator("a", 1).random() != generator("a", 2).random()
