"""Tests of results without luck: the mean stays, with right and wrong features, and the variance falls."""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev

import pytest

from gamelog.analysis.adjusted_results import (
    GameLuck,
    adjusted_results,
    game_luck,
    luck_parts,
    variance_factor,
)
from gamelog.analysis.curve import rolls
from gamelog.play.contract.registry import find
from gamelog.play.playing.evaluator import Evaluator, shares
from gamelog.play.playing.playout import Position
from gamelog.statistics import mean_interval, paired_difference
from tests.analysis.test_analysis import game_with_takebacks
from tests.shares import examples


def invented_games(count: int, *, useful: bool) -> list[GameLuck]:
    """Return games of two whose result depends on luck, with luck measured by a useful or useless feature."""
    rng, games = Random(f"{count} {useful}"), []
    for _ in range(count):
        luck = sum(rng.choice((-1.0, 1.0)) for _ in range(10))
        won = 1.0 if luck + rng.gauss(0.5, 2) > 0 else 0.0
        seen = luck if useful else rng.gauss(0, 1)
        games.append(GameLuck([won, 1 - won], [[seen, 0.0], [-seen, 0.0]]))
    return games


@pytest.mark.parametrize("useful", [True, False])
def test_the_mean_stays_and_the_variance_falls_if_the_feature_is_useful(useful: bool) -> None:
    games = invented_games(2_000, useful=useful)
    adjusted = adjusted_results(games)
    changes = [less[0] - game.result[0] for game, less in zip(games, adjusted, strict=True)]
    assert abs(fmean(changes)) < 3 * stdev(changes) / len(changes) ** 0.5
    assert all(sum(row) == pytest.approx(1) for row in adjusted)
    factor = variance_factor(games, adjusted)
    assert factor > 1.5 if useful else 0.99 < factor < 1.01


def test_the_part_of_luck_is_that_of_the_variances() -> None:
    games = invented_games(500, useful=True)
    adjusted = adjusted_results(games)
    assert fmean(luck_parts(games, adjusted)) == pytest.approx(1 - 1 / variance_factor(games, adjusted))


@pytest.mark.parametrize("useful", [True, False])
def test_the_interval_of_the_part_of_luck_covers_it(useful: bool) -> None:
    """Samples of 200 games are judged against the mean part of many such samples."""
    count, size = examples(2_000), 200
    games = invented_games(size * count, useful=useful)
    intervals = []
    for first in range(0, size * count, size):
        sample = games[first : first + size]
        intervals.append(mean_interval(luck_parts(sample, adjusted_results(sample))))
    part = fmean(one.value for one in intervals)
    assert part > 0.4 if useful else -0.05 < part <= 0
    covered = sum(one.low <= part <= one.high for one in intervals) / count
    assert abs(covered - 0.95) < 0.015 + 3 * (0.95 * 0.05 / count) ** 0.5


def test_the_interval_of_a_difference_of_parts_covers_it() -> None:
    """Of two variants with the same luck, the second one has luck half the time only."""
    count, size = examples(1_000), 200
    first, rng = invented_games(size * count, useful=True), Random(2)
    second = [
        game if rng.random() < 0.5 else GameLuck(rng.choice(([1.0, 0.0], [0.0, 1.0])), game.luck)
        for game in first
    ]
    found = []
    for at in range(0, size * count, size):
        one, two = first[at : at + size], second[at : at + size]
        before, after = (luck_parts(sample, adjusted_results(sample)) for sample in (one, two))
        found.append(paired_difference(before, after))
    true = fmean(one.value for one in found)
    covered = sum(one.low <= true <= one.high for one in found) / count
    assert true < -0.2
    assert abs(covered - 0.95) < 0.015 + 3 * (0.95 * 0.05 / count) ** 0.5


def test_a_game_is_adjusted_by_the_other_games_only() -> None:
    games = invented_games(100, useful=True)
    changed = [GameLuck(games[0].result[::-1], games[0].luck), *games[1:]]
    before, after = adjusted_results(games)[0], adjusted_results(changed)[0]
    assert after[0] - changed[0].result[0] == pytest.approx(before[0] - games[0].result[0])


def test_few_games_and_games_without_rolls_keep_their_results() -> None:
    games = invented_games(9, useful=True)
    assert adjusted_results(games) == [game.result for game in games]
    quiet = [GameLuck([1.0, 0.0], [])] * 20
    assert adjusted_results(quiet) == [[1.0, 0.0]] * 20
    mixed = [*invented_games(30, useful=True), *quiet]
    assert adjusted_results(mixed)[-1] == [1.0, 0.0]


class Wrong(Evaluator):
    """An evaluator whose features have the wrong sign and a useless number."""

    def features(self, position: Position) -> list[list[float]]:
        """Return the points with the wrong sign, and the number of the event."""
        score = self.game.score(position.state)
        return [[-float(score[seat]), float(position.n % 3)] for seat in self.seats]


@pytest.mark.parametrize("kind", [Evaluator, Wrong])
def test_luck_in_every_feature_is_fair_in_games_with_takebacks(kind: type[Evaluator]) -> None:
    found = []
    for index in range(100):
        fold = game_with_takebacks(index)
        assert fold.outcome
        evaluator = kind(find("slicewars"), fold.header.seat_ids, 200.0, 8.0)
        found.append(game_luck(evaluator, rolls(fold), shares(fold.outcome, fold.header.seat_ids)))
    for column in zip(*(game.luck[0] for game in found), strict=True):
        error = stdev(column) / len(column) ** 0.5
        assert abs(fmean(column)) < 3.5 * error + 1e-9
    changes = [less[0] - game.result[0] for game, less in zip(found, adjusted_results(found), strict=True)]
    assert abs(fmean(changes)) < 3 * stdev(changes) / len(changes) ** 0.5
