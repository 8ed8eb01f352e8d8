"""The strength and habits of the bots. The kit tests that their decisions are legal."""

from __future__ import annotations

from collections import Counter

import pytest

from gamelog.chance.rng import generator
from gamelog.games.gp02a_territory import events as ev
from gamelog.games.gp02a_territory.events import Chips
from gamelog.games.gp02a_territory.state import Options, start
from gamelog.play.contract.seats import legal_for
from gamelog.testing.plays import Play
from tests.games.gp02a_territory.arrange import arrange
from tests.games.gp02a_territory.games import GAME, play


def totals(games: list[Play]) -> dict[str, float]:
    """Return the mean points of the seats of each bot."""
    points, seats = Counter[str](), Counter[str]()
    for game in games:
        bots = {seat.seat: seat.bot or "" for seat in game.header.seats}
        for seat, total in GAME.score(game.states[-1]).items():
            points[bots[seat]] += total
            seats[bots[seat]] += 1
    return {bot: points[bot] / seats[bot] for bot in seats}


def victories(games: list[Play], bot: str) -> int:
    """Return the number of games that `bot` won or shared."""
    return sum(
        bot in [seat.bot for seat in game.header.seats if seat.seat in _winners(game)] for game in games
    )


def _winners(game: Play) -> tuple[str, ...]:
    outcome = game.states[-1].outcome
    assert outcome
    return tuple(outcome.winners)


def test_random_moves_one_time_in_four_if_it_can_choose() -> None:
    moved, could = 0, 0
    for index in range(60):
        for state, event, _ in play(index, 4).steps():
            if state.phase == "action" and not isinstance(event, ev.Purple):
                kinds = {type(one) for one in legal_for(GAME, state, None).events}
                if {ev.MoveStart, ev.ChooseBlock} <= kinds:
                    could += 1
                    moved += isinstance(event, ev.MoveStart)
    assert could > 300
    assert 0.18 < moved / could < 0.32


@pytest.mark.parametrize("players", [3, 4])
def test_greedy_scores_more_than_random(players: int) -> None:
    games = [play(index, players, ("greedy", *["random"] * (players - 1))) for index in range(60)]
    mean = totals(games)
    assert mean["greedy"] > mean["random"] + 0.5


@pytest.mark.parametrize("players", [3, 4])
def test_strong_beats_greedy(players: int) -> None:
    games = [play(index, players, ("strong", *["greedy"] * (players - 1))) for index in range(6)]
    mean = totals(games)
    assert mean["strong"] > mean["greedy"] + 3
    assert victories(games, "strong") >= 4


@pytest.mark.parametrize("bot", ["greedy", "strong"])
def test_bots_keep_card_2_and_their_own_chips_together(bot: str) -> None:
    begun = start(Options(), GAME.read_board(GAME.boards["gp72+28"]()), GAME.seats[4])
    words = {"on_turn": "red", "main": "red", "cards": {"red": 1}, "rolled": 2, "hands": {"red": {"red": 1}}}
    rng = generator("bots")
    choose = arrange(
        begun,
        words | {"fields": {"a1 b1 c1 a2": "red", "d1": "red", "g1": "blue"}, "phase": "place", "block": 1},
    )
    placed = GAME.bots[bot](choose, "red", rng)
    assert isinstance(placed, ev.Place) and placed.at in ("b2", "a3", "c2")
    hands = {seat: {"red": 1, "blue": 1} for seat in GAME.seats[4]}
    cards = GAME.bots[bot](
        arrange(begun, {"on_turn": "red", "main": "red", "phase": "distribute", "rolled": 2, "hands": hands}),
        "red",
        rng,
    )
    assert isinstance(cards, ev.Distribute) and cards.cards["red"] == 2


@pytest.mark.parametrize("bot", ["greedy", "strong"])
def test_bots_remove_a_rivals_chip_rather_than_their_own(bot: str) -> None:
    begun = start(Options(), GAME.read_board(GAME.boards["gp72+28"]()), GAME.seats[4])
    words = {"on_turn": "red", "main": "red", "phase": "remove", "one": True}
    state = arrange(begun, words | {"fields": {"a1 b1": "red", "d1 e1": "blue", "g1": "green"}})
    removed = GAME.bots[bot](state, "red", generator("bots"))
    assert isinstance(removed, ev.Remove) and removed.at in ("d1", "e1")


def test_strong_moves_if_moving_scores_more() -> None:
    """Three separate own chips can join two others, and all chips in hand belong to rivals."""
    begun = start(Options(), GAME.read_board(GAME.boards["gp72+28"]()), GAME.seats[4])
    words = {
        "on_turn": "red",
        "main": "blue",
        "cards": {"red": 2, "blue": 1},
        "rolled": 4,
        "hands": {"red": {"blue": 3}},
    }
    state = arrange(begun, words | {"fields": {"a1 b1 b2 c2": "red", "d8 d3": "red", "i2": "red"}})
    assert isinstance(GAME.bots["strong"](state, "red", generator("bots")), ev.MoveStart)
    assert Chips(*state.hands[5:10]) == Chips(blue=3)
