"""Tests of the states after chance: exact probabilities, within a limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from gamelog.chance.draws import Dice
from gamelog.chance.rng import generator
from gamelog.chance.sources import QuickDice
from gamelog.play.contract.game import AnyGame, ChanceDue, NoOptions, Pending
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.start import start
from gamelog.play.playing.after import after, state_key
from gamelog.play.playing.playout import Position, seat_players, steps
from gamelog.play.recording.series import simulate_game
from gamelog.testing.checks.chance_checks import ChanceChecks
from tests.shares import share_of_kit


def rolls(game: AnyGame, players: int) -> list[tuple[Position, Position]]:
    """Return the positions before and after each chance event of a game."""
    header, _ = simulate_game(game, "after", 0, players=players)
    bots = seat_players(dict.fromkeys(header.seat_ids, game.bots["random"]), "after")
    source = QuickDice(generator("after"))
    return [
        (before, later)
        for before, _, later in steps(game, Position(start(game, header)), bots, source)
        if later.chances > before.chances
    ]


@pytest.mark.parametrize("name", sorted(names()))
def test_each_roll_leads_to_one_of_the_states_with_exact_probabilities(name: str) -> None:
    game = find(name)
    for players in game.seats:
        met = rolls(game, players)
        for before, later in met[:: max(1, len(met) // 40)]:
            branches = after(game, before, later.t)
            assert branches is not None
            assert sum(branch.probability for branch in branches) == 1
            same = [one for one in branches if state_key(one.after.state) == state_key(later.state)]
            assert [one.after for one in same] == [later]
            assert 0 < same[0].probability <= 1
            assert game.apply(before.state, game.chance(before.state, same[0].results)) is not None


def test_a_battle_has_two_states_and_the_first_roll_one_for_each_group() -> None:
    (opening, _), *_, (battle, _) = rolls(find("slicewars"), 2)
    branches = after(find("slicewars"), opening)
    assert branches and [branch.probability for branch in branches] == [
        Fraction(15, 36),
        Fraction(15, 36),
        Fraction(6, 36),
    ]
    assert len(after(find("slicewars"), battle) or ()) <= 2


def test_too_many_results_and_no_chance_give_none() -> None:
    game = find("slicewars")
    battle = rolls(game, 2)[-1][0]
    dice = (Dice(9, 6), Dice(9, 6))
    many = replace(
        game,
        classes=lambda _state: None,
        pending=lambda _state: Pending(chance=ChanceDue("battle", "red", dice)),
    )
    assert after(many, battle) is None
    assert after(game, battle, most=10) is not None, "the game's classes are few"
    nothing = replace(game, pending=lambda _state: Pending(by=("red",)))
    assert after(nothing, battle) is None


def _default_start(game: AnyGame) -> Any:
    """Return the function that starts `game` with its default options."""
    return lambda _options, board, seats: game.start(game.resolve(game.Options()), board, seats)


@pytest.fixture(autouse=True)
def _fewer_games(pytestconfig: pytest.Config) -> Iterator[None]:
    """Reduce the kit to its share."""
    with share_of_kit(pytestconfig):
        yield


def checks(game: AnyGame) -> ChanceChecks:
    """Return the checks of a game, which play games of two on the first board."""
    boards = dict(list(game.boards.items())[:1])
    small = replace(
        game, seats={2: game.seats[2]}, boards=boards, Options=NoOptions, start=_default_start(game)
    )
    made: ChanceChecks = type("Checks", (ChanceChecks,), {"game": small})()
    return made


def test_the_kit_finds_classes_with_a_wrong_probability_or_too_few_states() -> None:
    game = find("slicewars")

    def equal_chances(state: Any) -> Any:
        classes = game.classes(state)
        return classes and tuple((results, Fraction(1, len(classes))) for results, _ in classes)

    with pytest.raises(AssertionError, match="count as one"):
        checks(replace(game, classes=equal_chances)).test_results_that_count_as_one_lead_to_equal_states()

    def first_only(state: Any) -> Any:
        classes = game.classes(state)
        return classes and ((classes[0][0], Fraction(1)),)

    with pytest.raises(AssertionError, match=r"count as one|no listed result"):
        checks(replace(game, classes=first_only)).test_results_that_count_as_one_lead_to_equal_states()


def test_the_kit_finds_a_sum_that_is_not_all_that_matters() -> None:
    game = find("dice_flags")

    def summed(state: Any) -> Pending:
        pending = game.pending(state)
        if pending.chance and pending.chance.do == "roll":
            due = pending.chance
            return Pending(chance=ChanceDue(due.do, due.by, (Dice(2, 6, due.by, summed=True),)))
        return pending

    with pytest.raises(AssertionError, match="count as one"):
        checks(replace(game, pending=summed)).test_results_that_count_as_one_lead_to_equal_states()


def test_the_kit_finds_features_that_change_their_number() -> None:
    game = find("slicewars")
    wrong = replace(game, features=lambda state, _seat: (1.0,) * (1 + state.round % 2))
    with pytest.raises(AssertionError, match="1 or 2 numbers"):
        checks(wrong).test_features_and_progress_are_numbers()
