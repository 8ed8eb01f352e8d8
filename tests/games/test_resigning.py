"""Resigning, in every game that has it: in every state that play and resignations reach, until the end."""

from __future__ import annotations

from typing import Any

import pytest

from gamelog.chance.rng import generator
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find, names
from gamelog.play.contract.violation import Violation
from gamelog.testing.plays import play
from tests.play.test_declare import play_on

SWITCHES: dict[str, list[dict[str, Any]]] = {
    "slicewars": [
        {},
        {"must_take_ownerless": True},
        {"check": "actor"},
        {"full_tie": "continue", "max_rounds": 30},
        {"max_rounds": 5},
    ],
    "dice_flags": [
        {"max_rounds": 10},
        {"quiet_rounds": 1},
        {"win_by_capture": False, "max_rounds": 5},
        {"free_deployment": True, "max_rounds": 3},
    ],
}
"""By game with resigning: options that change how it ends."""


def test_every_game_with_resigning_is_listed_here() -> None:
    assert {name for name in names() if find(name).retire} == set(SWITCHES)


@pytest.mark.grid
@pytest.mark.parametrize(
    ("name", "options"),
    [(name, switch) for name, switches in SWITCHES.items() for switch in switches],
    ids=str,
)
def test_any_resignation_leaves_a_playable_position_or_an_end(name: str, options: dict[str, Any]) -> None:
    game = find(name)
    rng = generator("resigning", name)
    ends = []
    for players in sorted(game.seats):
        passed = play(game, players, players, **options).states
        ends += [all_leave(game, state, rng) for state in rng.sample(passed, min(40, len(passed)))]
    assert any(ends), "somebody is left, and has won"


def test_the_last_on_the_map_may_resign_in_every_state_of_his_grind() -> None:
    game = find("slicewars")
    lone = 0
    for index in range(3):
        passed = play(game, index, 2, ("greedy",), must_take_ownerless=True, extra_ownerless=8).states
        for state in passed:
            alive = [seat for seat, land in game.score(state).items() if land]
            if state.round and len(alive) == 1:
                after = game.retire(state, alive[0]) if game.retire else None
                if isinstance(after, Violation):
                    assert state.phase in ("battle", "over")
                    continue
                outcome = game.pending(after).outcome
                assert outcome and outcome.winners == tuple(alive) and game.score(after) == game.score(state)
                lone += 1
    assert lone > 20


def all_leave(game: AnyGame, state: Any, rng: Any) -> str | None:
    """Let the players resign in any order, with some play in between, and return why the game ended, if it did."""
    assert game.retire is not None
    seats = list(state.setup.seats)
    rng.shuffle(seats)
    for seat in [*seats, *seats]:
        after = game.retire(state, seat)
        if isinstance(after, Violation):
            continue
        outcome = game.pending(after).outcome
        if outcome:
            assert outcome.winners and set(outcome.winners) <= set(seats)
            assert isinstance(game.retire(after, seat), Violation), "the game is over"
            return outcome.reason
        play_on(game, after, rng, 4)
        state = after
    return None
