"""Tests of games that leave optional members to their defaults."""

from __future__ import annotations

from dataclasses import replace
from inspect import unwrap
from random import Random
from typing import Any

import pytest

from gamelog.play.contract.game import Pending, SampleFromLegal, Timeout, reject_chance
from gamelog.play.contract.seats import MemoryBot, Player, sit_down
from gamelog.play.fold.common_events import Note
from tests.play.tables import GAME, start_game


def ours(state: Any, seat: str, rng: Random) -> Any:
    """Return the first event of the list, as a sample function of the game itself."""
    assert rng
    return GAME.legal(state, seat).events[0]


def test_a_sample_of_ones_own_is_kept_and_the_random_bot_plays_by_it() -> None:
    game = replace(GAME, sample=ours, bots={})
    assert unwrap(game.sample) is ours
    assert {name: unwrap(bot) for name, bot in game.bots.items()} == {"random": ours}


def test_without_one_any_of_the_list_is_sampled_and_played() -> None:
    game = replace(GAME, sample=SampleFromLegal(), bots={})
    state, rng = start_game().state, Random(1)
    drawn = {game.sample(state, "red", rng) for _ in range(300)}
    assert drawn <= set(GAME.legal(state, "red").events)
    assert len(drawn) > 30
    assert game.bots["random"](state, "red", rng) in GAME.legal(state, "red").events
    assert "greedy" not in game.bots


def test_a_bot_with_a_memory_sits_down_with_it_and_afresh_when_it_is_asked_like_another() -> None:
    def start(seat: str, rng: Random) -> Player:
        left = [*GAME.legal(start_game().state, seat).events][: rng.randint(2, 2)]
        return lambda _state: left.pop()

    bot, state = MemoryBot(start), start_game().state
    first, second = GAME.legal(state, "red").events[:2]
    player = sit_down(bot, "red", Random(1))
    assert [player(state), player(state)] == [second, first]
    assert [bot(state, "red", Random(1)), bot(state, "red", Random(1))] == [second, second]
    plain = sit_down(ours, "red", Random(1))
    assert [plain(state), plain(state)] == [first, first]


def test_chance_that_is_owed_by_a_game_without_any_is_its_mistake() -> None:
    with pytest.raises(NotImplementedError, match="the game has no function chance"):
        reject_chance(None, ())


def test_of_several_clocks_the_one_that_runs_out_first_counts() -> None:
    late, soon, between = (Timeout(at, Note(0, 0, "table", text=f"{at}")) for at in (9, 3, 5))
    assert Pending(by=("red",), timeouts=(late, soon, between)).next_timeout is soon
    assert Pending(by=("red",), timeout=soon, timeouts=(late, between)).next_timeout is soon
    assert Pending(by=("red",), timeout=late).next_timeout is late
    assert Pending(by=("red",)).next_timeout is None
