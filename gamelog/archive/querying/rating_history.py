"""Ratings over time: the strengths of players before and after the games of each day.

The model is the same as for the ratings (``ratings.sql``). Places are chosen after Plackett and Luce, and
strengths lie around their mean with a standard deviation of 3. In addition, strengths change from day to day
(a random walk). Each day is one step of a filter that keeps the strengths and their covariances, so the
numbers of a day rest only on the games up to that day. Later games never change them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby
from math import exp, log, sqrt
from operator import add, attrgetter, itemgetter, mul
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import duckdb

TABLE = "settled.rating_history"
"""Table of the ratings over time. It is filled for a question that reads it."""

VARIANCE = 9.0
"""Variance of a strength before any game: the inverse of ``before_any_game()``, and the upper limit."""

DAILY_VARIANCE = 0.07**2
"""Growth of the variance in a day: a standard deviation of 12 points in a day, or 67 in 30 days."""

_POINTS = 400 / log(10)
"""Rating points for 1 in the logarithm of odds."""

_MAX_STEPS, _MAX_STEP, _CONVERGED = 50, 2.0, 1e-9
"""Limits of Newton's method for the strengths after a choice."""

_NEGLIGIBLE = 1e-12
"""Largest variance that is left out."""

_MAX_EXACT = 100
"""Largest circle with covariances. In a larger one, each strength has only a variance."""

_CHOICES_SQL = """
SELECT day, game, choice, side, player, part, weight, chosen, times
FROM choices(NULL, by_day := true) ORDER BY game, day, choice, side, player
"""

_COLUMNS = """
SELECT unnest($game::VARCHAR[]) AS game, unnest($player::VARCHAR[]) AS player, unnest($day::DATE[]) AS day,
  unnest($strength::DOUBLE[]) AS strength_before, unnest($variance::DOUBLE[]) AS variance_before,
  unnest($rating_before::DOUBLE[]) AS rating_before, unnest($margin_before::DOUBLE[]) AS margin_before,
  unnest($rating::DOUBLE[]) AS rating, unnest($margin::DOUBLE[]) AS margin
"""


class _Member(NamedTuple):
    """A player of a side that could be chosen, as a row of the macro ``choices``."""

    day: date
    game: str
    choice: int
    side: int
    player: str
    part: float
    weight: float
    chosen: float
    times: float


class Rated(NamedTuple):
    """The strength and the rating of a player before and after the games of a day.

    Attributes:
        player: Name of the player in answers.
        day: Day of the games (UTC).
        strength: Logarithm of odds before the day.
        variance: Variance of the strength before the day.
        rating_before: Rating before the day; None on the first day of the player.
        margin_before: Half of the 95 % interval of that rating.
        rating: Rating after the day.
        margin: Half of the 95 % interval of the rating.
    """

    game: str
    player: str
    day: date
    strength: float
    variance: float
    rating_before: float | None
    margin_before: float | None
    rating: float
    margin: float


class SideChoice(NamedTuple):
    """A choice between sides that was made on a day.

    Attributes:
        sides: For each side, its players with their parts of its strength, its weight, and the number of
            times that it was chosen.
        times: Number of times that the choice was made.
    """

    sides: tuple[tuple[tuple[tuple[str, float], ...], float, float], ...]
    times: float


class _Circle:
    """People who met, directly or through others: their strengths, and the covariances of these.

    Attributes:
        players: The people in the order of the other lists.
        strengths: The most likely strength of each.
        covariances: For each, a row of its covariances with the players before it and, last, its variance. In
            a circle of more than `_MAX_EXACT`, only the variance.
        day: The day of the variances.
    """

    def __init__(self, player: str, day: date) -> None:
        self.players = [player]
        self.strengths = [0.0]
        self.covariances = [[VARIANCE]]
        self.day = day

    @property
    def _is_exact(self) -> bool:
        return len(self.players) <= _MAX_EXACT

    def _covariance(self, one: int, other: int) -> float:
        """Return the covariance of two players by their indexes."""
        if one == other:
            return self.covariances[one][-1]
        return self.covariances[max(one, other)][min(one, other)] if self._is_exact else 0.0

    def _column(self, at: int) -> list[float]:
        """Return the covariances of a player with all players, in a circle with covariances."""
        return self.covariances[at] + [row[at] for row in self.covariances[at + 1 :]]

    def grow_variances(self, day: date) -> None:
        """Let the variances grow until `day`."""
        growth, self.day = (day - self.day).days * DAILY_VARIANCE, day
        for row in self.covariances:
            row[-1] = max(row[-1], min(VARIANCE, row[-1] + growth))

    def join(self, other: _Circle) -> None:
        """Add the people of another circle, which is of the same day."""
        mine, theirs = len(self.players), len(other.players)
        if mine + theirs <= _MAX_EXACT:
            self.covariances += [[0.0] * mine + row for row in other.covariances]
        else:
            self.covariances = [[row[-1]] for row in (*self.covariances, *other.covariances)]
        self.players += other.players
        self.strengths += other.strengths

    def strength(self, player: str) -> tuple[float, float]:
        """Return the strength of a player and its variance."""
        at = self.players.index(player)
        return self.strengths[at], self.covariances[at][-1]

    def ratings(self, players: Iterable[str]) -> dict[str, tuple[float, float]]:
        """Return the ratings of players, and their margins, both relative to the mean of the circle."""
        count = len(self.players)
        mean = sum(self.strengths) / count
        variances = sum(row[-1] for row in self.covariances)
        of_mean = (2 * sum(map(sum, self.covariances)) - variances) / count**2
        found = {}
        for player in players:
            at = self.players.index(player)
            own = self.covariances[at][-1]
            variance = own - 2 * (sum(self._column(at)) if self._is_exact else own) / count + of_mean
            margin = 1.96 * _POINTS * sqrt(max(variance, 0.0))
            found[player] = 1500 + _POINTS * (self.strengths[at] - mean), margin
        return found

    def update(self, choice: SideChoice) -> None:
        """Move the strengths to the most likely ones after a choice, and reduce their covariances.

        The distribution after the choice is the normal one around its mode (Laplace).
        """
        players = sorted({player for side in choice.sides for player, _ in side[0]})
        if len(players) < 2:
            return
        places = [*map(self.players.index, players)]
        old = [[self._covariance(at, to) for to in places] for at in places]
        certainty, begin = _inverse(old), [self.strengths[at] for at in places]
        strengths, new = _mode(choice, players, begin, certainty)
        moves = [strength - before for strength, before in zip(strengths, begin, strict=True)]
        if not self._is_exact:
            for number, at in enumerate(places):
                self.strengths[at], self.covariances[at][-1] = strengths[number], new[number][number]
            return
        pulls = [sum(map(mul, row, moves)) for row in certainty]
        lost = [[a - b for a, b in zip(*rows, strict=True)] for rows in zip(old, new, strict=True)]
        columns = [*map(self._column, places)]
        self.strengths = [*map(add, self.strengths, _combination(columns, pulls))]
        for weight, direction in _rank_one_terms(lost):
            effects = _combination(columns, [sum(map(mul, row, direction)) for row in certainty])
            for at, row in enumerate(self.covariances):
                if factor := weight * effects[at]:
                    self.covariances[at] = [
                        value - factor * effect for value, effect in zip(row, effects, strict=False)
                    ]


class RatingFilter:
    """The strengths of the players of one game, day by day."""

    def __init__(self) -> None:
        self._circles: dict[str, _Circle] = {}

    def add_day(self, game: str, day: date, choices: Sequence[SideChoice]) -> Iterator[Rated]:
        """Add the choices of a day after all earlier days, and yield the players who played."""
        players = sorted({player for choice in choices for side in choice.sides for player, _ in side[0]})
        known = [player for player in players if player in self._circles]
        for circle in self._circles_of(known):
            circle.grow_variances(day)
        old = self._ratings(known)
        for player in players:
            self._circles.setdefault(player, _Circle(player, day))
        before = {player: self._circles[player].strength(player) for player in players}
        for choice in sorted(choices):
            self._join([player for side in choice.sides for player, _ in side[0]])
            self._circles[choice.sides[0][0][0][0]].update(choice)
        new = self._ratings(players)
        for player in players:
            rating, margin = old.get(player, (None, None))
            yield Rated(game, player, day, *before[player], rating, margin, *new[player])

    def _circles_of(self, players: Iterable[str]) -> list[_Circle]:
        return [*{id(circle): circle for circle in map(self._circles.__getitem__, players)}.values()]

    def _ratings(self, players: Sequence[str]) -> dict[str, tuple[float, float]]:
        found: dict[str, tuple[float, float]] = {}
        for circle in self._circles_of(players):
            found |= circle.ratings(player for player in players if self._circles[player] is circle)
        return found

    def _join(self, players: Iterable[str]) -> None:
        """Put players who met into one circle."""
        first, *others = self._circles_of(players)
        for other in others:
            first.join(other)
            self._circles |= dict.fromkeys(other.players, first)


def _mode(
    choice: SideChoice, players: Sequence[str], begin: Sequence[float], certainty: Sequence[Sequence[float]]
) -> tuple[list[float], list[list[float]]]:
    """Return the most likely strengths after a choice, and their covariances (Newton's method).

    Args:
        choice: The choice.
        players: Its players.
        begin: Their strengths before.
        certainty: The inverse of the covariances of these.
    """
    sides = []
    for members, weight, chosen in choice.sides:
        parts = dict.fromkeys(players, 0.0)
        for player, part in members:
            parts[player] += part
        sides.append(([*parts.values()], weight, chosen))
    strengths, inverse = [*begin], list[list[float]]()
    for _ in range(_MAX_STEPS):
        slope, curve = _derivatives(sides, choice.times, strengths)
        away = [strength - before for strength, before in zip(strengths, begin, strict=True)]
        slope = [value - sum(map(mul, row, away)) for value, row in zip(slope, certainty, strict=True)]
        inverse = _inverse(
            [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(curve, certainty, strict=True)]
        )
        step = [sum(map(mul, row, slope)) for row in inverse]
        longest = max(map(abs, step))
        if longest < _CONVERGED:
            break
        scale = min(1.0, _MAX_STEP / longest)
        strengths = [strength + scale * move for strength, move in zip(strengths, step, strict=True)]
    return strengths, inverse


def _rank_one_terms(matrix: list[list[float]]) -> Iterator[tuple[float, list[float]]]:
    """Yield weights and vectors whose weighted squares add up to a positive semidefinite matrix."""
    for at in range(len(matrix)):
        if (pivot := matrix[at][at]) > _NEGLIGIBLE:
            vector = [row[at] / pivot for row in matrix]
            yield pivot, vector
            matrix = [
                [value - pivot * one * other for value, other in zip(row, vector, strict=True)]
                for row, one in zip(matrix, vector, strict=True)
            ]


def _combination(columns: Sequence[Sequence[float]], factors: Sequence[float]) -> list[float]:
    """Return the sum of columns, each multiplied by its factor."""
    found = [value * factors[0] for value in columns[0]]
    for column, factor in zip(columns[1:], factors[1:], strict=True):
        found = [value + factor * other for value, other in zip(found, column, strict=True)]
    return found


def _derivatives(
    sides: Sequence[tuple[Sequence[float], float, float]], times: float, strengths: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    """Return the gradient of the logarithm of the likelihood, and its negative second derivatives.

    Args:
        sides: For each side, the part of each player, the weight, and the number of times that it was chosen.
        times: The number of times that the choice was made.
        strengths: The strength of each player.
    """
    powers = [sum(map(mul, parts, strengths)) for parts, _, _ in sides]
    top = max(powers)
    odds = [weight * exp(power - top) for (_, weight, _), power in zip(sides, powers, strict=True)]
    total = sum(odds)
    chances = [odd / total for odd in odds]
    counts = [chosen for _, _, chosen in sides]
    by_player = [*zip(*(parts for parts, _, _ in sides), strict=True)]
    weighted = [[*map(mul, chances, parts)] for parts in by_player]
    share = [*map(sum, weighted)]
    slope = [
        sum(map(mul, counts, parts)) - times * mean for parts, mean in zip(by_player, share, strict=True)
    ]
    curve = [
        [
            times * (sum(map(mul, row, parts)) - mean * other)
            for parts, other in zip(by_player, share, strict=True)
        ]
        for row, mean in zip(weighted, share, strict=True)
    ]
    return slope, curve


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a positive definite matrix (Gauss and Jordan)."""
    size = len(matrix)
    rows = [[*row, *(float(at == to) for to in range(size))] for at, row in enumerate(matrix)]
    for at in range(size):
        pivot = rows[at][at]
        rows[at] = [value / pivot for value in rows[at]]
        for other in range(size):
            if other != at and (factor := rows[other][at]):
                rows[other] = [value - factor * own for value, own in zip(rows[other], rows[at], strict=True)]
    return [row[size:] for row in rows]


def rating_history(rows: Iterable[Sequence[object]]) -> Iterator[Rated]:
    """Yield the ratings of each player on each day, from rows of `choices` in the order of days."""
    members = (_Member(*row) for row in rows)  # type: ignore[arg-type]  # DuckDB does not declare the types
    for game, of_game in groupby(members, attrgetter("game")):
        strengths = RatingFilter()
        for day, of_day in groupby(of_game, attrgetter("day")):
            yield from strengths.add_day(game, day, [*_choices(of_day)])


def _choices(members: Iterable[_Member]) -> Iterator[SideChoice]:
    for _, of_choice in groupby(members, attrgetter("choice")):
        sides, times = [], 0.0
        for _, of_side in groupby(of_choice, attrgetter("side")):
            side = [*of_side]
            times = side[0].times
            sides.append((tuple(map(itemgetter(4, 5), side)), side[0].weight, side[0].chosen))
        yield SideChoice(tuple(sorted(sides)), times)


def create_rating_history(connection: duckdb.DuckDBPyConnection) -> None:
    """Create and fill the table from all games of an archive that count."""
    columns = zip(*rating_history(connection.execute(_CHOICES_SQL).fetchall()), strict=True)
    names = (
        "game",
        "player",
        "day",
        "strength",
        "variance",
        "rating_before",
        "margin_before",
        "rating",
        "margin",
    )
    values = dict(zip(names, map(list, columns), strict=False))
    connection.execute(f"CREATE TABLE {TABLE} AS {_COLUMNS}", {name: values.get(name, []) for name in names})
