"""Results without their luck: the same mean, and a smaller variance.

The luck of a roll in a feature of positions is the feature after the roll minus its expectation before it.
The mean of this luck is zero, whatever the feature. So a result minus any fixed multiple of such luck has the
mean of the result. The multiples that make the variance smallest are fitted on other games (cross-fitting),
because multiples that depend on the game itself would not be fixed.

Source: White and Bowling (2009), "Learning a value analysis tool for agent evaluation" (MIVAT); Chernozhukov
and others (2018), "Double/debiased machine learning", for cross-fitting.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from operator import mul
from statistics import fmean

from msgspec import Struct

from gamelog.play.playing.after import MAX_BRANCHES, after
from gamelog.play.playing.evaluator import Chances, Evaluator, shares
from gamelog.play.playing.playout import Position
from gamelog.statistics import solve

FOLDS = 5
"""Number of parts for cross-fitting."""
_RIDGE = 30.0
"""Factor of the sum of squared multiples, in units of the luck of one game."""


class GameLuck(Struct, frozen=True):
    """The result of a game and its luck.

    Attributes:
        result: Share of the win of each seat.
        luck: For each seat, the luck in each feature.
    """

    result: Chances
    luck: list[list[float]]


def game_luck(evaluator: Evaluator, rolls: Iterable[tuple[Position, Position]], result: Chances) -> GameLuck:
    """Return the luck of a game in the features of `evaluator`, whose weights are not used.

    Args:
        evaluator: Gives the features.
        rolls: The positions before and after each roll. Rolls that were undone later belong to them.
        result: The share of the win of each seat.
    """
    sums: list[list[float]] = []
    for before, later in rolls:
        branches = after(evaluator.game, before, later.t, MAX_BRANCHES)
        if branches is None or len(branches) == 1:
            continue
        found = _features(evaluator, later)
        sums = sums or [[0.0] * len(row) for row in found]
        for total, row in zip(sums, found, strict=True):
            total[:] = [a + b for a, b in zip(total, row, strict=True)]
        for branch in branches:
            weight = float(branch.probability)
            for total, row in zip(sums, _features(evaluator, branch.after), strict=True):
                total[:] = [a - weight * b for a, b in zip(total, row, strict=True)]
    return GameLuck(result, sums)


def _features(evaluator: Evaluator, position: Position) -> list[list[float]]:
    """Return the features of each seat less the mean of all seats, or the result if the game is over."""
    rows = evaluator.features(position)
    outcome = evaluator.game.pending(position.state).outcome
    if outcome:
        won = shares(outcome, evaluator.seats)
        return [[*(0.0 for _ in row), share] for row, share in zip(rows, won, strict=True)]
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return [[*(value - mean for value, mean in zip(row, means, strict=True)), 1 / len(rows)] for row in rows]


def adjusted_results(games: Sequence[GameLuck], folds: int = FOLDS) -> list[Chances]:
    """Return the result of each game less its luck, for each seat. The mean over many games is the same.

    The multiples for a game come from the games of the other folds. Too few games are not adjusted.

    Args:
        games: The games, all with the same seats.
        folds: The number of parts. Game ``i`` is in part ``i`` modulo this number.
    """
    size = max((len(row) for game in games for row in game.luck), default=0)
    if not size or len(games) < 2 * folds:
        return [game.result for game in games]
    adjusted: list[Chances] = [[]] * len(games)
    for fold in range(folds):
        others = [game for index, game in enumerate(games) if index % folds != fold and game.luck]
        multiples = _smallest_variance(others, size)
        for index in range(fold, len(games), folds):
            game = games[index]
            adjusted[index] = [
                share - sum(map(mul, multiples, row))
                for share, row in zip(game.result, game.luck or [[]] * len(game.result), strict=True)
            ]
    return adjusted


def _smallest_variance(games: Sequence[GameLuck], size: int) -> list[float]:
    """Return the multiples of luck that make the variance of results less luck smallest."""
    rows = [row for game in games for row in game.luck]
    shares_less_mean = [share - 1 / len(game.result) for game in games for share in game.result]
    columns = [*map(list, zip(*rows, strict=True))] if rows else [[0.0]] * size
    scales = [sqrt(sum(map(mul, column, column)) / max(1, len(column))) for column in columns]
    used = [index for index, scale in enumerate(scales) if scale > 1e-9]
    matrix = [
        [sum(map(mul, columns[a], columns[b])) / scales[a] / scales[b] + _RIDGE * (a == b) for b in used]
        for a in used
    ]
    values = [sum(map(mul, columns[a], shares_less_mean)) / scales[a] for a in used]
    found = [0.0] * size
    for index, multiple in zip(used, solve(matrix, values), strict=True):
        found[index] = multiple / scales[index]
    return found


def variance_factor(games: Sequence[GameLuck], adjusted: Sequence[Chances]) -> float:
    """Return the variance of the results divided by the variance of the adjusted results, over all seats."""
    return fmean(_squares([game.result for game in games])) / fmean(_squares(adjusted))


def luck_parts(games: Sequence[GameLuck], adjusted: Sequence[Chances]) -> list[float]:
    """Return a value for each game. Their mean is the part of the variance of results that luck explains.

    This part is 1 minus the variance of the adjusted results divided by the variance of the results. The
    values are its linearisation, so the standard error of their mean is the standard error of the part.

    Source: Woodruff (1971), "A simple method for approximating the variance of a complicated estimate".

    Raises:
        ZeroDivisionError: All games have the same result.
    """
    raw, less = _squares([game.result for game in games]), _squares(adjusted)
    mean = fmean(raw)
    rest = fmean(less) / mean
    return [1 - rest - (b - rest * a) / mean for a, b in zip(raw, less, strict=True)]


def _squares(rows: Sequence[Chances]) -> list[float]:
    """Return the squared distance of each game's results from the means of the seats."""
    means = [fmean(column) for column in zip(*rows, strict=True)]
    return [sum((value - mean) ** 2 for value, mean in zip(row, means, strict=True)) for row in rows]
