"""Tests of the fitted evaluator and of its model."""

from __future__ import annotations

from random import Random

import pytest

from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.fold import Fold
from gamelog.play.playing.after import after
from gamelog.play.playing.evaluator import Evaluators, fitted_evaluator, shares
from gamelog.play.playing.playout import Position
from gamelog.play.recording.series import simulate_game
from gamelog.statistics import fit_choice_model, softmax, solve


def test_the_model_is_the_one_that_scipy_finds() -> None:
    numpy, optimize = pytest.importorskip("numpy"), pytest.importorskip("scipy.optimize")
    rng = Random(1)
    options = [[[rng.gauss(0, 1) for _ in range(4)] for _ in range(3)] for _ in range(200)]
    chosen = [rng.choice([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]]) for _ in options]
    x, y = numpy.array(options), numpy.array(chosen)

    def loss(weights: object) -> float:
        values = x @ weights
        logs = values - numpy.log(numpy.exp(values).sum(1, keepdims=True))
        return float(-(y * logs).sum() + 1.5 / 2 * numpy.dot(weights, weights))

    expected = optimize.minimize(loss, numpy.zeros(4), method="BFGS", options={"gtol": 1e-7}).x
    assert fit_choice_model(options, chosen, 1.5) == pytest.approx(list(expected), abs=1e-5)


def test_a_feature_that_decides_everything_keeps_a_finite_weight() -> None:
    options = [[[1.0], [-1.0]], [[-1.0], [1.0]]] * 500
    (weight,) = fit_choice_model(options, [[1.0, 0.0], [0.0, 1.0]] * 500)
    assert 1 < weight < 20
    assert softmax([weight, -weight])[0] > 0.99


def test_linear_equations_have_their_solution() -> None:
    matrix = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]]
    found = solve(matrix, [1.0, 2.0, 3.0])
    assert [sum(a * x for a, x in zip(row, found, strict=True)) for row in matrix] == pytest.approx([1, 2, 3])


def test_chances_grow_with_the_exponent_without_overflow() -> None:
    assert softmax([1_000.0, 1_000.0, 0.0]) == [0.5, 0.5, 0.0]


def test_the_result_is_shared_by_winners_and_by_all_in_a_draw() -> None:
    assert shares(Outcome(("a",), "x"), ("a", "b")) == [1.0, 0.0]
    assert shares(Outcome(("a", "b"), "x"), ("a", "b", "c")) == [0.5, 0.5, 0.0]
    assert shares(Outcome((), "x"), ("a", "b", "c")) == [1 / 3] * 3


@pytest.mark.parametrize("name", sorted(names()))
def test_chances_add_up_and_the_expectation_is_over_the_roll(name: str) -> None:
    game = find(name)
    header, events = simulate_game(game, "fit", 0, players=min(game.seats))
    fold = Fold(header, game)
    fold.extend(events)
    evaluator = fitted_evaluator(game, fold.states[0], header.seat_ids, "random", 10)
    met = 0
    for n, state in enumerate(fold.states):
        position = Position(state, 0, n)
        chances = evaluator.expected(position)
        assert sum(chances) == pytest.approx(1) and min(chances) >= 0
        if game.pending(state).chance and met < 5:
            met += 1
            branches = after(game, position) or ()
            mean = sum(float(one.probability) * evaluator.chances(one.after)[0] for one in branches)
            assert chances[0] == pytest.approx(mean)
    assert met
    outcome = fold.outcome
    assert outcome and evaluator.chances(Position(fold.state)) == shares(outcome, header.seat_ids)


def test_an_evaluator_knows_who_is_ahead_and_is_kept_for_the_same_setup() -> None:
    game, evaluators = find("slicewars"), Evaluators()
    folds = []
    for index in range(2):
        header, events = simulate_game(
            game, "kept", index, players=2, bots=("greedy",), options={"max_rounds": 3}
        )
        folds.append(Fold(header, game))
        folds[-1].extend(events)
    first, second = (
        evaluators.fitted(fold.game, fold.header, fold.states[0], "greedy", 20) for fold in folds
    )
    assert first is second
    late = [Position(fold.states[-2], 0, fold.n - 1) for fold in folds]
    for fold, position in zip(folds, late, strict=True):
        assert fold.outcome
        winner = fold.header.seat_ids.index(fold.outcome.winners[0])
        assert first.expected(position)[winner] > 0.5
    assert sum(one.positions for one in first.calibration) > 100
    assert all(one.low <= one.called <= one.high for one in first.calibration)
