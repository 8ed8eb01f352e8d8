"""Tests of analyses: luck and choices add up, luck is fair, and running games are refused."""

from __future__ import annotations

from math import sqrt
from statistics import fmean, stdev
from typing import Any

import msgspec
import pytest
from msgspec import structs

from gamelog.analysis.analysis import Analysis, AnalysisSettings, analyse, encode
from gamelog.analysis.curve import Cause, MeasuredChances, Point, curve, curve_through, totals
from gamelog.analysis.turning_points import Playouts, measured_chances, swing_of
from gamelog.chance.rng import generator
from gamelog.chance.sources import Seeded
from gamelog.errors import BadSetup, GamelogError
from gamelog.games.slicewars.events import Battle
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.common_events import Takeback
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.playing.evaluator import Evaluator, Evaluators
from gamelog.play.playing.playout import Position
from gamelog.play.recording.play_loop import SeatedBots, play_to_end, think_time_clock
from gamelog.play.recording.series import simulate_game
from gamelog.record.envelope import ARBITER, Event, Header
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose

EVALUATORS = Evaluators()
FAST = AnalysisSettings(bot="random", fit_games=10, swings=2, error=0.1)


def folded(header: Header, events: list[Event]) -> FoldedRecord:
    return fold_record(parse_record(compose(header, events)[0]))


def played(name: str, index: int = 0, **others: Any) -> FoldedRecord:
    game = find(name)
    return folded(*simulate_game(game, "analysis", index, players=min(game.seats), **others))


@pytest.mark.parametrize("name", sorted(names()))
@pytest.mark.parametrize("swings", [0, 2])
def test_luck_and_choices_add_up_to_the_change_of_each_seat(name: str, swings: int) -> None:
    found = analyse(played(name), structs.replace(FAST, swings=swings), EVALUATORS)
    assert [one.seat for one in found.totals] == list(found.seats)
    for total in found.totals:
        assert total.luck + total.choices + total.rest == pytest.approx(total.final - total.initial)
        assert total.error >= 0 and (swings > 0 or total.error == 0)
    assert sum(total.luck for total in found.totals) == pytest.approx(0)
    assert found.points[-1].chances == [total.final for total in found.totals]
    assert all(sum(point.chances) == pytest.approx(1) for point in found.points)
    assert found.examined <= min(swings, found.large)
    assert bool(found.playouts) == bool(found.examined)


def test_the_file_names_the_head_and_the_bot_and_can_be_read_again() -> None:
    record = played("slicewars", options={"max_rounds": 1})
    found = analyse(record, FAST, EVALUATORS)
    again = msgspec.json.decode(encode(found), type=Analysis)
    assert (again.head, again.record, again.bot) == (record.record.head, found.record, "random")
    assert [point.n for point in again.points] == list(range(len(record.events) + 1))


class Constant(Evaluator):
    """An evaluator that gives equal chances to all positions of a game that is not over."""

    def features(self, position: Position) -> list[list[float]]:
        """Return the same number for every position and seat."""
        return [[0.0 * position.n] for _ in self.seats]


class Wrong(Evaluator):
    """An evaluator that takes points for the opposite of what they are."""

    def features(self, position: Position) -> list[list[float]]:
        """Return the seat's points, which get a negative weight."""
        score = self.game.score(position.state)
        return [[float(score[seat])] for seat in self.seats]


@pytest.mark.parametrize("kind", [Constant, Wrong, Evaluator])
def test_luck_has_the_mean_zero_with_right_and_wrong_evaluators(kind: type[Evaluator]) -> None:
    """Luck is a fair game. The games have takebacks of rolls, after which the dice are rolled again."""
    sums = []
    for index in range(120):
        fold = game_with_takebacks(index)
        seats = fold.header.seat_ids
        if kind is Evaluator:
            evaluator = EVALUATORS.fitted(fold.game, fold.header, fold.states[0], "random", 30)
        else:
            evaluator = kind(fold.game, seats, 100.0, 1.0)
            evaluator.weights = [-0.1]
        sums.append(totals(curve(fold, evaluator), seats)[0].luck)
    error = stdev(sums) / len(sums) ** 0.5
    assert abs(fmean(sums)) < 3 * error + 1e-9
    assert kind is Constant or error > 0


def game_with_takebacks(index: int) -> Fold:
    """Return a random game in which the first two lost battles are taken back, and their dice rolled again."""
    game = find("slicewars")
    header, _ = simulate_game(game, "luck", index, players=2, options={"max_rounds": 2}, dice="table")
    fold = Fold(header, game)
    bots = SeatedBots(dict.fromkeys(header.seat_ids, game.bots["random"]), index)
    taken = 0
    for event in play_to_end(fold, bots, Seeded(f"{index}", header.id), think_time_clock(generator(index))):
        if isinstance(event, Battle) and sum(event.attack) <= sum(event.defence) and taken < 2:
            taken += 1
            assert fold.push(Takeback(event.n + 1, event.t, ARBITER, to=event.n - 1)) is None
    assert fold.outcome
    return fold


def test_undone_rolls_are_luck_and_a_takeback_is_neither_luck_nor_choice() -> None:
    fold = next(fold for fold in map(game_with_takebacks, range(9)) if fold.takebacks)
    points = curve(fold, EVALUATORS.fitted(fold.game, fold.header, fold.states[0], "random", 30))
    (undone, jump), *_ = ((n - 1, n) for n in fold.takebacks)
    assert points[undone].cause == "luck" and not fold.stands(undone)
    assert (points[jump].cause, points[jump].by) == ("other", None)
    assert points[jump].chances == pytest.approx(points[undone - 1].chances)


def test_what_a_slip_removed_was_never_luck() -> None:
    game = find("slicewars")
    header, events = simulate_game(game, "slip", 0, players=2, options={"max_rounds": 1}, dice="table")
    fold = Fold(header, game)
    assert fold.push(events[0]) is None
    assert fold.push(Takeback(2, events[0].t, ARBITER, to=0, slip=True)) is None
    for event in events:
        assert fold.push(structs.replace(event, n=event.n + 2)) is None
    points = curve(fold, EVALUATORS.fitted(fold.game, fold.header, fold.states[0], "random", 10))
    assert [points[n].cause for n in (1, 2, 3)] == ["other", "other", "luck"]


def test_a_curve_goes_through_the_measured_chances_and_keeps_the_result() -> None:
    points = [Point(n, [value, 1 - value]) for n, value in enumerate((0.5, 0.6, 0.4, 0.8, 1.0))]
    shown = curve_through(points, {2: MeasuredChances([0.5, 0.5], 0.03, 99)})
    assert shown[2].chances == pytest.approx([0.5, 0.5]) and shown[2].error == 0.03
    assert shown[0].chances == pytest.approx([0.6, 0.4])
    assert shown[3].chances == pytest.approx([0.85, 0.15]) and 0 < shown[3].error < 0.03
    assert (shown[4].chances, shown[4].error) == ([1.0, 0.0], 0.0)


def test_a_correction_of_the_curve_does_not_move_it_at_a_note() -> None:
    values: tuple[tuple[float, Cause], ...] = (
        (0.5, "other"),
        (0.6, "luck"),
        (0.6, "other"),
        (0.6, "other"),
        (0.7, "choice"),
        (1.0, "choice"),
    )
    points = [Point(n, [value, 1 - value], cause=cause) for n, (value, cause) in enumerate(values)]
    measured = {0: MeasuredChances([0.4, 0.6], 0.03, 99), 4: MeasuredChances([0.8, 0.2], 0.03, 99)}
    shown = curve_through(points, measured)
    assert [one.chances[0] for one in shown] == pytest.approx([0.4, 0.6, 0.6, 0.6, 0.8, 1.0])
    (ana, _) = totals(shown, ("ana", "rui"), {0: 0.03, 4: 0.03, 5: 0.0})
    assert (ana.luck, ana.choices, ana.rest) == pytest.approx((0.2, 0.4, 0.0))


def test_playouts_go_on_until_the_error_is_small_enough() -> None:
    record = played("slicewars", options={"max_rounds": 1})
    assert record.fold
    evaluator = EVALUATORS.fitted(record.fold.game, record.fold.header, record.fold.states[0], "random", 10)
    playouts = Playouts(evaluator, 0.06)
    found = playouts.measure(Position(record.fold.states[0]))
    assert found.error <= 0.06 and found.playouts == playouts.total >= 40
    assert sum(found.chances) == pytest.approx(1)
    assert playouts.measure(Position(record.fold.state)).playouts == 0


def test_turning_points_exceed_the_error_of_all_examined_swings() -> None:
    found = analyse(played("slicewars", 3, bots=("greedy",)), structs.replace(FAST, swings=6), EVALUATORS)
    for point in found.turning_points:
        assert max(map(abs, point.swing)) > point.limit > 2.5 * point.error
        assert point.cause != "luck" or point.alternative is None
        if point.alternative:
            assert 0 <= point.alternative.chance <= 1 and point.alternative.event["do"]


@pytest.mark.parametrize("chance", [0.5, 0.2, 0.15, 0.1, 0.05])
def test_without_a_swing_at_most_one_analysis_in_twenty_names_a_turning_point(chance: float) -> None:
    """A lopsided position is the hard case, because its error is small and it ends its playouts early."""
    rng, examined, games = generator("swings", int(chance * 100)), 8, 250

    def result(_number: int) -> list[float]:
        share = float(rng.random() < chance)
        return [share, 1 - share]

    def is_named() -> bool:
        before, after = (measured_chances(result, 2, 0.03) for _ in range(2))
        swing, _, limit = swing_of(before, after, examined)
        return bool(max(map(abs, swing)) > limit)

    named = sum(any(is_named() for _ in range(examined)) for _ in range(games))
    assert named / games <= 0.05 + 3 * sqrt(0.05 * 0.95 / games)


def test_a_running_game_and_a_damaged_record_are_refused() -> None:
    game = find("slicewars")
    header, events = simulate_game(game, "analysis", 0, players=2)
    with pytest.raises(GamelogError, match="not over"):
        analyse(folded(header, events[:40]), FAST)
    data = compose(header, events)[0].replace(b'"claim"', b'"steal"', 1)
    with pytest.raises(GamelogError, match="Cannot analyse"):
        analyse(fold_record(parse_record(data)), FAST)
    with pytest.raises(BadSetup, match="its bots are"):
        analyse(folded(header, events), structs.replace(FAST, bot="deep"))
