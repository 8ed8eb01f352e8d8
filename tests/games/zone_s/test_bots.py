"""The bots are as strong as they claim; the conformance kit checks that they play legal events."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from gamelog.chance.rng import generator
from gamelog.games.zone_s.events import Move, ReturnInfantry, Shoot
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.series import simulate_game
from gamelog.record.envelope import Event
from tests.games.zone_s.games import GAME, SWITCHES, given


def chosen(bot: str, words: dict[str, Any], lot: int = 0, **options: Any) -> Event:
    state = given(words, **options)
    event = GAME.bots[bot](state, GAME.pending(state).by[0], generator("lot", lot))
    assert GAME.check(state, event) is None
    return event


def count_wins(one: str, other: str, games: int, **options: Any) -> int:
    """Return how many of `games` the bot `one` wins against `other`, with sides exchanged after each game."""
    count = 0
    for index in range(games):
        header, events = simulate_game(
            GAME, "match", index, players=2, bots=(one, other), options=options, dice="table"
        )
        fold = Fold(header, GAME)
        assert fold.extend(events) is None and fold.outcome
        count += next(seat.seat for seat in header.seats if seat.bot == one) in fold.outcome.winners
    return count


def test_random_chooses_evenly() -> None:
    words = {"pieces": {"d3": "SP"}, "reserve": {"dominion": {}}}
    counts = Counter(str(getattr(chosen("random", words, lot), "dst", "")) for lot in range(400))
    assert set(counts) == {"d2", "c3"} and min(counts.values()) > 150


def test_greedy_beats_random() -> None:
    assert count_wins("greedy", "random", 30) >= 27


def test_strong_beats_greedy() -> None:
    assert count_wins("strong", "greedy", 12) >= 11


@pytest.mark.parametrize("options", SWITCHES[1:])
def test_strong_plays_with_any_options(options: dict[str, Any]) -> None:
    assert count_wins("strong", "random", 2, **options) == 2


@pytest.mark.parametrize("bot", ["greedy", "strong"])
@pytest.mark.parametrize("lot", range(4))
def test_a_base_that_can_be_destroyed_is_destroyed(bot: str, lot: int) -> None:
    words = {"pieces": {"c5": "SP", "d4": "SW", "b6": "WA", "c6": "HT"}}
    event = chosen(bot, words, lot)
    after = GAME.apply(given(words), event)
    assert after.outcome and after.outcome.winners == ("dominion",)


@pytest.mark.parametrize("lot", range(4))
def test_greedy_captures_the_most_expensive_piece(lot: int) -> None:
    words = {"pieces": {"d3": "SW", "d2": "LO", "e2": "TW", "c3": "LO"}, "reserve": {"dominion": {}}}
    assert chosen("greedy", words, lot) == Move(0, 0, "dominion", "d3", "e2")


@pytest.mark.parametrize("lot", range(4))
def test_strong_does_not_leave_its_base_open(lot: int) -> None:
    # The Trollwife on d3 is one step from a second home tile; only its capture stops it.
    words = {
        "pieces": {"c1": "WA", "d3": "TW", "e2": "AR", "f5": "SP"},
        "reserve": {"dominion": {}, "separatists": {}},
    }
    event = chosen("strong", words, lot)
    assert isinstance(event, Move | Shoot) and event.dst == "d3"


@pytest.mark.parametrize("lot", range(3))
@pytest.mark.parametrize(
    ("pieces", "src", "dst"),
    [
        ({"a4": "SW", "e6": "SW", "a2": "WA", "d2": "TW", "b4": "WA"}, "a4", "b5"),
        ({"e3": "VA", "b4": "SW", "d3": "HT", "a2": "LO", "b1": "WA"}, "e3", "e5"),
        ({"e5": "VA", "a5": "SW", "f6": "WA", "b2": "WA", "b3": "HT"}, "a5", "b6"),
    ],
)
def test_strong_finds_the_only_winning_move(pieces: dict[str, str], src: str, dst: str, lot: int) -> None:
    words = {"pieces": pieces, "reserve": {"dominion": {}, "separatists": {}}}
    event = chosen("strong", words, lot)
    assert event == Move(0, 0, "dominion", src, dst)
    threat = GAME.apply(given(words), event)
    for answer in legal_for(GAME, threat, None).events:
        then = GAME.apply(threat, answer)
        ends = [GAME.apply(then, last).outcome for last in legal_for(GAME, then, None).events]
        assert any(end and end.winners == ("dominion",) for end in ends), answer


def test_strong_returns_the_most_expensive_piece() -> None:
    words = {
        "phase": "return", "on_turn": "separatists", "pieces": {"c3": "TW"},
        "captures": {"dominion": {"WA": 1, "LO": 1, "TW": 1, "HT": 1}, "separatists": {"SP": 1}},
    }  # fmt: skip
    assert chosen("strong", words) == ReturnInfantry(0, 0, "separatists", "TW")
