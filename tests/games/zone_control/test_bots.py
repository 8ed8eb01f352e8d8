"""The strength and habits of the bots. The kit tests that their decisions are legal."""

from __future__ import annotations

from typing import Any

import pytest
from scipy.stats import chisquare

from gamelog.chance.rng import generator
from gamelog.games.zone_control import GAME
from gamelog.games.zone_control.board import SIDES
from gamelog.games.zone_control.events import Challenge, EndTurn, Step
from gamelog.games.zone_control.strong import GOOD_ODDS, LAST_CHANCE, strong
from gamelog.games.zone_control.zones import count_inside
from gamelog.play.contract.odds import beats
from tests.games.zone_control.games import UNTIMED, play, position


def wins(bot: str, other: str, games: int, **options: Any) -> int:
    """Return the number of games that one `bot` wins against three of the `other`."""
    won = 0
    for index in range(games):
        game = play(index, bot, other, other, other, **options)
        seat = next(seat.seat for seat in game.header.seats if seat.bot == bot)
        won += seat in game.states[-1].outcome.winners
    return won


@pytest.mark.grid(keeps=("greedy",))
@pytest.mark.parametrize(("bot", "games"), [("greedy", 160), ("strong", 60)])
def test_equal_bots_win_equally_often_at_every_seat(bot: str, games: int) -> None:
    """Test the winners with chi-square; a shared victory counts for each winner in part."""
    won = dict.fromkeys(SIDES, 0.0)
    for index in range(games):
        winners = play(index, bot, bot, bot, bot).states[-1].outcome.winners
        for seat in winners:
            won[seat] += 1 / len(winners)
    assert chisquare(list(won.values())).pvalue > 0.01, won


def test_greedy_beats_random() -> None:
    assert wins("greedy", "random", 12) >= 9


def test_strong_beats_greedy() -> None:
    assert wins("strong", "greedy", 8) >= 7


def test_strong_beats_greedy_in_long_games_too() -> None:
    assert wins("strong", "greedy", 24, **UNTIMED) >= 20


@pytest.mark.parametrize(("bot", "least"), [("greedy", 0.5), ("strong", min(GOOD_ODDS, LAST_CHANCE))])
def test_bots_challenge_only_at_good_odds(bot: str, least: float) -> None:
    game = play(0, bot, "random", **UNTIMED)
    seats = {seat.seat for seat in game.header.seats if seat.bot == bot}
    made = [
        (state, event)
        for state, event, _ in game.steps()
        if isinstance(event, Challenge) and event.by in seats
    ]
    assert made
    for state, event in made:
        assert (
            beats(len(event.attackers), count_inside(state, state.setup.board.zone_index[event.at])) >= least
        )


def test_strong_gathers_before_a_challenge_and_challenges_after_its_last_step() -> None:
    rng = generator("strong")
    away = {"south": ["k11"], "north": ["j9", "k9", "k8"]}
    gathering = strong(position(away=away, points=3), "north", rng)
    assert isinstance(gathering, Step)
    assert isinstance(strong(position(away=away, points=0), "north", rng), Challenge)
    assert isinstance(
        strong(position(away=away | {"north": ["j9", "k9", "l9"]}, points=3), "north", rng), Challenge
    )
    even = {"south": ["k11"], "north": ["j9"]}
    assert isinstance(strong(position(away=even, points=0), "north", rng), EndTurn)
    assert isinstance(strong(position({"turn_limit": 6}, away=even, points=0), "north", rng), Challenge)


def test_strong_keeps_a_guard() -> None:
    """A single piece in the middle zone, with rivals around it, never leaves."""
    away = {"north": ["k11"], "south": ["j13", "k13"]}
    state = position(away=away, points=7)
    rng = generator("guard")
    while state.points:
        event = strong(state, "north", rng)
        assert not (isinstance(event, Step) and event.src == "k11")
        if isinstance(event, EndTurn):
            break
        state = GAME.apply(state, event)
