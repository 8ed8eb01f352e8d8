"""Loaded dice of simulated games: known biases, named in the record, and refused where they are impossible."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from gamelog.chance.draws import Bag, Dice
from gamelog.chance.loaded_dice import LoadedDice, loaded_text, parse_loaded
from gamelog.chance.sources import Seeded
from gamelog.errors import BadSetup
from tests.shares import examples


def test_the_loaded_face_has_its_probability_and_the_others_share_the_rest() -> None:
    source = LoadedDice(Seeded("seed", "id"), parse_loaded(["red=6:0.25"]))
    draws = (Dice(4, 6, "red"), Dice(4, 6, "blue"), Dice(1, 6), Bag(1, (("a", 1), ("b", 1)), "red"))
    red, blue = Counter[int | str](), Counter[int | str]()
    throws = examples(8_000)
    for ordinal in range(throws):
        own, other, none, bag = source.results(draws, ordinal)
        assert all(isinstance(face, int) for face in (*own, *other, *none))
        assert bag in (("a",), ("b",))
        red.update(own)
        blue.update(other)
    dice = 4 * throws
    for face in range(1, 7):
        expected = 0.25 if face == 6 else 0.15
        assert red[face] / dice == pytest.approx(expected, abs=4 * (expected * (1 - expected) / dice) ** 0.5)
        assert blue[face] / dice == pytest.approx(1 / 6, abs=4 * (5 / 36 / dice) ** 0.5)
    assert source.results(draws, 3) == source.results(draws, 3)


def test_faces_of_several_dice_are_read_and_written() -> None:
    loaded = parse_loaded(["red=6:0.25", "blue=1:0.5", "red=1:0"])
    assert loaded == {"red": {6: Fraction(1, 4), 1: Fraction(0)}, "blue": {1: Fraction(1, 2)}}
    assert loaded_text(loaded) == "red=6:0.25 red=1:0 blue=1:0.5"
    source = LoadedDice(Seeded("seed", "id"), loaded)
    assert 1 not in {face for at in range(100) for face in source.results((Dice(3, 6, "red"),), at)[0]}
    always = LoadedDice(Seeded("seed", "id"), parse_loaded(["red=2:1"]))
    assert always.results((Dice(3, 2, "red"),), 0) == ((2, 2, 2),)


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["red"], "SEAT=FACE:PROBABILITY"),
        (["red=6"], 'not "red=6"'),
        (["=6:0.2"], "SEAT=FACE:PROBABILITY"),
        (["red=6:-0.2"], "SEAT=FACE:PROBABILITY"),
        (["red=6:nan"], "SEAT=FACE:PROBABILITY"),
        (["red=6:1e9"], "SEAT=FACE:PROBABILITY"),
        (["red=six:0.2"], "SEAT=FACE:PROBABILITY"),
        (["red=6:1.01"], "more than 1"),
        (["red=6:0.6", "red=5:0.6"], "more than 1"),
        (["red=6:0.2", "red=6:0.3"], "loaded twice"),
    ],
)
def test_an_impossible_probability_is_refused(texts: list[str], words: str) -> None:
    with pytest.raises(BadSetup, match=words):
        parse_loaded(texts)


@pytest.mark.parametrize(
    ("texts", "sides", "words"),
    [
        (["red=7:0.2"], 6, "has 6 sides, and no face 7"),
        (["red=0:0.2"], 6, "no face 0"),
        (["red=1:0.2", "red=2:0.2"], 2, "do not add up to 1"),
    ],
)
def test_a_face_that_no_die_has_is_refused(texts: list[str], sides: int, words: str) -> None:
    with pytest.raises(BadSetup, match=words):
        LoadedDice(Seeded("seed", "id"), parse_loaded(texts)).results((Dice(1, sides, "red"),), 0)
