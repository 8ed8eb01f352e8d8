"""The strength and habits of the bots. The kit tests that their decisions are legal."""

from __future__ import annotations

from typing import Any

import pytest

from gamelog.chance.rng import generator
from gamelog.games.slicewars import GAME
from gamelog.games.slicewars.events import Attack, Pass, Remove
from gamelog.games.slicewars.state import State, start
from gamelog.play.contract.odds import beats
from gamelog.play.contract.seats import legal_for, sample_for
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.series import simulate_game
from tests.games.slicewars.games import play


def test_random_passes_one_time_in_five() -> None:
    games = [play(index, 3) for index in range(6)]
    choices = [event for game in games for event in game.events if isinstance(event, Attack | Pass)]
    assert len(choices) > 1000
    assert 0.16 < sum(isinstance(event, Pass) for event in choices) / len(choices) < 0.24


def test_greedy_attacks_only_with_the_odds_on_its_side() -> None:
    game = play(0, 4, "greedy")
    attacks = [(state, event) for state, event, _ in game.steps() if isinstance(event, Attack)]
    assert attacks
    index = game.states[0].setup.board.index
    for state, event in attacks:
        assert beats(state.dice[index[event.src]], state.dice[index[event.dst]]) > 0.5


def wins(bot: str, other: str, players: int, games: int) -> int:
    """Return the number of games that one `bot` wins or shares against others of the name `other`."""
    won = 0
    for index in range(games):
        header, events = simulate_game(
            GAME, "match", index, players=players, bots=(bot, *[other] * (players - 1)), dice="table"
        )
        fold = Fold(header, GAME)
        assert fold.extend(events) is None and fold.outcome
        won += header.seats[[seat.bot for seat in header.seats].index(bot)].seat in fold.outcome.winners
    return won


@pytest.mark.parametrize("players", [2, 4])
def test_greedy_beats_random(players: int) -> None:
    assert wins("greedy", "random", players, 12) >= 11


@pytest.mark.parametrize(("players", "least"), [(2, 8), (4, 5)])
def test_strong_beats_greedy(players: int, least: int) -> None:
    assert wins("strong", "greedy", players, 12) >= least


@pytest.mark.parametrize(
    "options", [{"extra_ownerless": 24}, {"extra_ownerless": 24, "keep_connected": True}]
)
def test_removals_are_found_even_if_they_are_too_many_to_list(options: dict[str, Any]) -> None:
    begun: State = start(GAME.Options(**options), GAME.read_board(GAME.boards["hex50"]()), GAME.seats[3])
    rolled = GAME.apply(begun, GAME.chance(begun, ((1,), (2,), (3,))))
    legal = legal_for(GAME, rolled, None)
    assert legal.cut and not legal.complete
    (removal,) = legal.events
    assert isinstance(removal, Remove)
    assert GAME.check(rolled, removal) is None
    rng = generator("removals")
    for _ in range(20):
        assert GAME.check(rolled, sample_for(GAME, rolled, GAME.pending(rolled).by[0], rng)) is None
