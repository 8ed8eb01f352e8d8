"""Differences of studies: found, not found and withheld, and the error of studies that end by themselves."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from gamelog_reports.study_page.words import StudyWords

from gamelog.study.asking import StudyAnswer
from gamelog.study.measures import Values
from gamelog.study.results import MeasureResult, is_precise, is_sure, results_of
from tests.shares import examples

VARIANTS = ("a", "b")


def values_of(noise: np.random.Generator, units: int, *, shift: float = 0.0, same: float = 0.6) -> Values:
    """Return the main measures of `units` pairs. A part of the pairs is the `same` in both variants."""

    def both(draw: np.ndarray, again: np.ndarray, add: float = 0.0) -> dict[str, dict[str, float]]:
        second = np.where(noise.random(len(draw)) < same, draw, again) + add
        return {"a": dict(zip(map(str, range(units)), draw.tolist(), strict=False))} | {
            "b": dict(zip(map(str, range(units)), second.tolist(), strict=False))
        }

    return {
        "turn:1": both(noise.binomial(1, 0.6, units) * 1.0, noise.binomial(1, 0.6, units) * 1.0),
        "events": both(noise.gamma(4, 25, units), noise.gamma(4, 25, units), shift),
        "lead_changes": both(noise.poisson(2.0, units) * 1.0, noise.poisson(2.0, units) * 1.0),
        "skill:y>x": both(noise.binomial(2, 0.8, units // 2) / 2, noise.binomial(2, 0.8, units // 2) / 2),
    }


def results(values: Values, *, paired: bool = True, sequential: bool = False) -> list[MeasureResult]:
    """Return the results of two variants with two seats."""
    return results_of(values, VARIANTS, 2, ("y>x",), paired=paired, sequential=sequential)


def prefix(values: Values, units: int) -> Values:
    """Return the values of the first units."""
    return {
        name: {
            variant: {
                unit: value
                for unit, value in of.items()
                if int(unit) < (units // 2 if ">" in name else units)
            }
            for variant, of in by_variant.items()
        }
        for name, by_variant in values.items()
    }


def answer_of(values: Values) -> StudyAnswer:
    """Return the answer of a study with these values."""
    return StudyAnswer(
        "slicewars",
        "SliceWars",
        "territories",
        VARIANTS,
        2,
        ("x", "y"),
        {},
        {},
        True,
        False,
        results(values),
        {},
    )


@pytest.mark.grid
def test_studies_of_no_difference_that_end_by_themselves_keep_the_error() -> None:
    """2,000 studies, looked at after 60 pairs and each time half more are played, up to 1,025.

    A wrong study finds a difference of any of its four main measures at any look.
    """
    noise, studies = np.random.default_rng(8), examples(2_000)
    wrong = 0
    for _ in range(studies):
        all_values = values_of(noise, 1_025)
        looks = [int(60 * 1.5**look) for look in range(8)]
        wrong += any(
            one.found
            for units in looks
            for result in results(prefix(all_values, units), sequential=True)
            for one in result.differences.values()
        )
    assert wrong / studies <= 0.05 + 3 * sqrt(0.05 * 0.95 / studies)


@pytest.mark.grid
def test_studies_of_no_difference_of_fixed_size_keep_the_error() -> None:
    noise, studies = np.random.default_rng(9), examples(2_000)
    wrong = sum(
        any(one.found for result in results(values_of(noise, 100)) for one in result.differences.values())
        for _ in range(studies)
    )
    assert wrong / studies <= 0.05 + 3 * sqrt(0.05 * 0.95 / studies)


def test_a_difference_is_found_and_told_with_its_size() -> None:
    values = values_of(np.random.default_rng(10), 400, shift=30.0)
    (length,) = (result for result in results(values) if result.measure.name == "events")
    found = length.differences["b"]
    assert found.found
    assert found.low < 30 < found.high
    assert found.corrected >= found.p
    assert found.gain is not None
    assert found.gain > 1.5
    topics = {topic.slug: topic for topic in StudyWords(answer_of(values)).topics()}
    (one,) = topics["length"].answers
    name, word, sentence = one.variant, one.word, one.sentence
    assert (name, word) == ("b", "No, the opposite.")
    assert sentence.startswith("Events in a game: ")
    assert " more with b than with a " in sentence


def test_no_difference_is_told_with_the_difference_that_would_have_been_found() -> None:
    values = values_of(np.random.default_rng(11), 100)
    topics = {topic.slug: topic for topic in StudyWords(answer_of(values)).topics()}
    (one,) = topics["fairness"].answers
    word, sentence = one.word, one.sentence
    assert word == "No difference was found."
    assert "A difference of at least" in sentence
    assert "percentage points would have been found with 80% probability" in sentence


@pytest.mark.parametrize("sequential", [False, True])
def test_a_difference_that_is_found_with_80_percent_is_larger_than_half_the_interval(
    sequential: bool,
) -> None:
    for result in results(values_of(np.random.default_rng(21), 100), sequential=sequential):
        for one in result.differences.values():
            assert one.detectable > (one.high - one.low) / 2 or not one.error


def test_a_difference_that_is_shown_to_be_small_is_told() -> None:
    values = values_of(np.random.default_rng(22), 60, same=1.1)
    values["turn:1"]["b"]["0"] = 1 - values["turn:1"]["a"]["0"]
    sentences = [
        sentence
        for topic in StudyWords(answer_of({**values, "turn:1": spread(values["turn:1"])})).topics()
        for line in topic.lines
        for sentence in line.sentences
    ]
    assert any("is shown to be below 5 percentage points" in sentence for sentence in sentences)


def spread(units: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """Return each unit ten times, under names of their own."""
    return {
        variant: {f"{unit}.{copy}": value for unit, value in given.items() for copy in range(10)}
        for variant, given in units.items()
    }


def test_a_difference_of_a_part_of_the_pairs_says_so() -> None:
    values = values_of(np.random.default_rng(23), 60)
    values["lead_changes"]["b"] = dict([*values["lead_changes"]["b"].items()][:40])
    sentences = [
        sentence
        for topic in StudyWords(answer_of(values)).topics()
        for line in topic.lines
        for sentence in line.sentences
    ]
    assert any("rests on the 40 pairs of games" in sentence for sentence in sentences)


def test_pairs_that_never_differ_are_told() -> None:
    values = values_of(np.random.default_rng(12), 50, same=1.1)
    (length,) = (result for result in results(values) if result.measure.name == "events")
    assert length.differences["b"].gain is None
    topics = {topic.slug: topic for topic in StudyWords(answer_of(values)).topics()}
    assert topics["length"].lines[0].sentences == (
        "Events in a game: b and a have the same value in all 50 games.",
    )


def test_few_games_have_no_intervals_and_no_differences() -> None:
    values = values_of(np.random.default_rng(13), 12)
    for result in results(values):
        assert result.differences == {}
        assert all(one.low is None for one in result.estimates.values())
    topics = {topic.slug: topic for topic in StudyWords(answer_of(values)).topics()}
    (one,) = topics["length"].answers
    assert (one.variant, one.verdict, one.sentence) == ("b", "unknown", "There are too few games.")
    assert not is_sure(results(values), "a")
    assert not is_precise(results(values), 0.4)


def test_bots_that_win_every_game_show_no_difference_in_skill() -> None:
    values = values_of(np.random.default_rng(14), 100)
    values["skill:y>x"] = {name: {str(unit): 1.0 for unit in range(50)} for name in VARIANTS}
    topics = {topic.slug: topic for topic in StudyWords(answer_of(values)).topics()}
    (one,) = topics["skill"].answers
    word, sentence = one.word, one.sentence
    assert word == "Not known yet."
    assert "Compare bots of closer strength." in sentence


def test_bots_in_the_wrong_order_are_told() -> None:
    values = values_of(np.random.default_rng(24), 100)
    values["skill:y>x"] = {name: {str(unit): 0.0 for unit in range(50)} for name in VARIANTS}
    topics = {topic.slug: topic for topic in StudyWords(answer_of(values)).topics()}
    (one,) = topics["skill"].answers
    word, sentence = one.word, one.sentence
    assert word == "Not known yet."
    assert "Name the weakest bot first." in sentence


def test_one_bot_cannot_show_skill() -> None:
    values = values_of(np.random.default_rng(19), 100)
    del values["skill:y>x"]
    values["forced"] = values["turn:1"]
    topics = {topic.slug: topic for topic in StudyWords(answer_of(values)).topics()}
    (one,) = topics["skill"].answers
    word, sentence = one.word, one.sentence
    assert (word, sentence[:38]) == ("Not known yet.", "The study has no games of unequal bots")


def test_a_study_is_sure_of_a_difference_and_of_none() -> None:
    """All pairs equal is sure at once; a small sample with differences is not; many equal pairs are."""
    equal = values_of(np.random.default_rng(15), 40, same=1.1)
    assert not is_sure(results(equal, sequential=True), "a"), "rare differences of shares are possible"
    noisy = values_of(np.random.default_rng(16), 60)
    assert not is_sure(results(noisy, sequential=True), "a")
    many = values_of(np.random.default_rng(17), 4_000, same=0.97)
    assert is_sure(results(many, sequential=True), "a")


def test_independent_samples_need_more() -> None:
    values = values_of(np.random.default_rng(18), 400, shift=8.0)
    paired, independent = (
        next(
            result.differences["b"]
            for result in results(values, paired=is_paired)
            if result.measure.name == "events"
        )
        for is_paired in (True, False)
    )
    assert independent.gain is None
    assert independent.detectable > paired.detectable
