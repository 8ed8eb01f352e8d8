"""A fitted evaluator: the chances of the seats in a position, from a few numbers about it.

It is a softmax over the seats of weighted features, fitted on games that a bot played against itself from the
same start. It takes some microseconds a position, so it can screen every position of a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from statistics import fmean, pstdev
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from gamelog.chance.rng import generator
from gamelog.chance.sources import QuickDice
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.outcome import Outcome
from gamelog.play.playing.after import MAX_BRANCHES, after
from gamelog.play.playing.playout import Position, seat_players, steps, with_judge
from gamelog.record.envelope import Header
from gamelog.statistics import fit_choice_model, softmax

MAX_EVENTS = 20_000
"""Maximum number of events of a game that a bot plays against itself."""
_MAX_POSITIONS = 6_000
"""Maximum number of positions for a fit."""
_EVERY = 7
"""One of this many positions of a game is used for a fit. Neighbouring positions are nearly alike."""
_HELD_OUT = 5
"""One of this many games is left out of the fit, for the calibration."""
MIN_CHECKED_GAMES = 20
"""Minimum number of games outside the fit for a statement on the calibration."""
OVERCONFIDENT = 0.8
"""Slope of the wins on the chances below which an evaluator is called overconfident."""
_LATEST = 1.5
"""Largest progress, for games that are longer than usual."""
_MAX_EVALUATORS = 16
"""Maximum number of evaluators that are kept."""

Share = Annotated[float, Meta(ge=0, le=1)]
"""A number from 0 to 1. Files with other numbers are refused."""
Count = Annotated[int, Meta(ge=0, le=10**12)]
"""A whole number from 0. Files with other numbers are refused."""

Chances = list[Share]
"""The chance of each seat to win, in the order of the seats. They add up to 1."""


class CalibrationBin(Struct, frozen=True):
    """Positions in which a seat's chance was in one range, in games that the fit did not use.

    Attributes:
        low: Lower end of the range.
        high: Upper end of the range.
        positions: Number of pairs of a position and a seat.
        called: Mean of the chances.
        won: Share of the wins of these seats.
    """

    low: Share
    high: Share
    positions: Count
    called: Share
    won: Share


class Evaluator:
    """The fitted chances of one game, for one start and one bot.

    Attributes:
        games: Number of games of the fit.
        positions: Number of positions of the fit.
        bot: Name of the bot.
        checked_games: Number of games that were left out of the fit.
        calibration: Chances and wins in these games.
        slope: Change of the result for a change of the chance by 1 in them. Below 1, the chances are
            too far from even.
        events_for_decision: Number of events of the game for one decision of a seat.
    """

    def __init__(self, game: AnyGame, seats: tuple[str, ...], usual_length: float, spread: float) -> None:
        """Make an evaluator without weights, for `fit`.

        Args:
            game: The game.
            seats: The seats, in their order.
            usual_length: The usual number of events of a game.
            spread: The standard deviation of the points of a seat at the end.
        """
        self.game, self.seats = game, seats
        self._usual_length, self._spread = usual_length, spread
        self.weights: list[float] = []
        self.games = self.positions = self.checked_games = 0
        self.bot = ""
        self.calibration: tuple[CalibrationBin, ...] = ()
        self.slope = self.events_for_decision = 1.0

    def chances(self, position: Position) -> Chances:
        """Return the chance of each seat in a position, from its features, or its share at the end."""
        outcome = self.game.pending(position.state).outcome
        if outcome:
            return shares(outcome, self.seats)
        weights = self.weights
        return softmax(
            [
                sum([weight * value for weight, value in zip(weights, row, strict=True)])
                for row in self.features(position)
            ]
        )

    def expected(self, position: Position, t: int | None = None) -> Chances:
        """Return the chances in a position, as the expectation over its roll if chance is due.

        `t` is the time of the roll.
        """
        branches = after(self.game, position, t, MAX_BRANCHES)
        if branches is None:
            return self.chances(position)
        total = [0.0] * len(self.seats)
        for branch in branches:
            weight = float(branch.probability)
            for index, chance in enumerate(self.chances(branch.after)):
                total[index] += weight * chance
        return total

    def features(self, position: Position) -> list[list[float]]:
        """Return the features of each seat: points, the right to act, the game's own, and the seat itself.

        Each is there twice: as it is, and times the progress of the game.
        """
        game, state, seats = self.game, position.state, self.seats
        score = game.score(state)
        mean = sum(score.values()) / len(seats)
        pending = game.pending(state)
        acting = pending.by or ((pending.chance.by,) if pending.chance else ())
        done = game.progress(state)
        if done is None:
            done = min(position.n / self._usual_length, _LATEST)
        rows = []
        for index, seat in enumerate(seats):
            acts = float(seat in acting)
            own = [(score.get(seat, mean) - mean) / self._spread, *game.features(state, seat)]
            row = [*own, acts, *(float(index == other) for other in range(1, len(seats)))]
            rows.append([*row, *(done * value for value in row), *(acts * value for value in own)])
        return rows

    def fit(self, positions: list[Position], results: list[Chances]) -> None:
        """Set the weights that fit the results of games from these positions best."""
        self.weights = fit_choice_model([self.features(position) for position in positions], results)
        self.positions = len(positions)


def shares(outcome: Outcome, seats: tuple[str, ...]) -> Chances:
    """Return each seat's share of the win: equal parts for several winners, and for all seats in a draw."""
    winners = outcome.winners or seats
    return [1 / len(winners) if seat in winners else 0.0 for seat in seats]


class _Game(Struct, frozen=True):
    """A game that a bot played against itself.

    Attributes:
        result: Shares of the win.
        positions: All positions but the last one.
        end: The last position.
        decisions: Number of decisions of all seats.
    """

    result: Chances
    positions: list[Position]
    end: Position
    decisions: int


def fitted_evaluator(game: AnyGame, start: Any, seats: tuple[str, ...], bot: str, games: int) -> Evaluator:
    """Return the evaluator that is fitted on `games` games of `bot` against itself.

    Args:
        game: The game.
        start: The state before the first event.
        seats: The seats.
        bot: The name of a bot of the game.
        games: The number of games. A fifth of them is left out of the fit, for the calibration.
    """
    played = [*_self_play(game, start, seats, bot, games)]
    length = fmean(one.end.n for one in played)
    margins = [
        points - fmean(score.values())
        for one in played
        if (score := game.score(one.end.state))
        for points in score.values()
    ]
    evaluator = Evaluator(game, seats, max(1.0, length), (pstdev(margins) if margins else 0.0) or 1.0)
    rng = generator(game.id, "positions")
    kept = [
        (position, one.result)
        for index, one in enumerate(played)
        if index % _HELD_OUT or games < _HELD_OUT
        for position in one.positions[rng.randrange(_EVERY) :: _EVERY]
    ]
    if len(kept) > _MAX_POSITIONS:
        kept = rng.sample(kept, _MAX_POSITIONS)
    evaluator.games, evaluator.bot = games, bot
    decisions = sum(one.decisions for one in played)
    evaluator.events_for_decision = len(seats) * sum(one.end.n for one in played) / max(1, decisions)
    evaluator.fit([position for position, _ in kept], [result for _, result in kept])
    held_out = played[::_HELD_OUT]
    evaluator.checked_games = len(held_out)
    evaluator.calibration, evaluator.slope = calibration(evaluator, held_out)
    return evaluator


class Evaluators:
    """The evaluators of the last setups, because records of a folder often have the same one."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, bytes, str, int], Evaluator] = {}

    def fitted(self, game: AnyGame, header: Header, start: Any, bot: str, games: int) -> Evaluator:
        """Return the evaluator for the game, options, board and seats of a record.

        Args:
            game: The game.
            header: The header of the record.
            start: The state before the first event.
            bot: The name of a bot of the game.
            games: The number of games of the fit.
        """
        setup = msgspec.json.encode((header.options, header.board, header.seat_ids), order="sorted")
        key = (header.game, header.rules, setup, bot, games)
        if key not in self._known:
            if len(self._known) >= _MAX_EVALUATORS:
                self._known.clear()
            self._known[key] = fitted_evaluator(game, start, header.seat_ids, bot, games)
        return self._known[key]


def _self_play(game: AnyGame, start: Any, seats: tuple[str, ...], bot: str, games: int) -> Iterator[_Game]:
    """Yield games of `bot` against itself that ended. Each has its own dice."""
    bots = with_judge(game, dict.fromkeys(seats, game.bots[bot]))
    for index in range(games):
        seed = (game.id, bot, "fit", index)
        positions = [Position(start)]
        dice = QuickDice(generator(*seed))
        for _, _, later in steps(game, positions[0], seat_players(bots, *seed), dice):
            positions.append(later)
            if later.n >= MAX_EVENTS:
                break
        end = positions.pop()
        outcome = game.pending(end.state).outcome
        if outcome:
            yield _Game(shares(outcome, seats), positions, end, end.n - end.chances)


_EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Ends of the ranges of a calibration."""


def calibration(evaluator: Evaluator, games: list[_Game]) -> tuple[tuple[CalibrationBin, ...], float]:
    """Return the calibration of `evaluator` in `games`, and the slope of the results on its chances."""
    pairs = [
        (chance, result)
        for game in games
        for position in game.positions[::_EVERY]
        for chance, result in zip(evaluator.chances(position), game.result, strict=True)
    ]
    even = 1 / len(evaluator.seats)
    squares = sum((chance - even) ** 2 for chance, _ in pairs)
    slope = sum((chance - even) * (result - even) for chance, result in pairs) / squares if squares else 1.0
    bins = []
    for low, high in pairwise(_EDGES):
        inside = [pair for pair in pairs if low <= pair[0] < high or pair[0] == high == 1]
        if inside:
            called, won = fmean(chance for chance, _ in inside), fmean(result for _, result in inside)
            bins.append(CalibrationBin(low, high, len(inside), called, won))
    return tuple(bins), slope
