"""The game compared with a second, plain implementation of its rules, and counts of legal sequences."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gamelog.chance.rng import generator
from gamelog.games.zone_s.events import Move, Pass, ReturnInfantry, Shoot, Summon
from gamelog.games.zone_s.scene import describe
from gamelog.games.zone_s.state import State
from gamelog.play.contract.seats import legal_for
from gamelog.record.envelope import Event
from tests.games.zone_s.games import GAME, NARROW, NARROW_TILES, SWITCHES, play, reference
from tests.games.zone_s.games import given as position
from tests.shares import examples

FEW = settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

L1: dict[str, Any] = {}
MELEE: dict[str, Any] = {
    "pieces": {
        "d3": "SP",
        "c2": "VA",
        "e2": "AR",
        "f3": "SW",
        "c4": "LO",
        "d5": "TW",
        "b4": "WA",
        "e5": "HT",
    },
    "captures": {"dominion": {"WA": 1, "TW": 1}, "separatists": {"AR": 1}},
}
STORM: dict[str, Any] = {
    "on_turn": "separatists",
    "pieces": {
        "c3": "SP", "c2": "SP", "d2": "AR", "d4": "SW", "g3": "AR",
        "e4": "LO", "f3": "LO", "c4": "TW", "c5": "WA", "e6": "HT",
    },
    "captures": {"dominion": {"WA": 2, "TW": 1, "LO": 1}, "separatists": {"SW": 2, "VA": 1}},
}  # fmt: skip


def key(event: Event) -> tuple[str, ...]:
    """Return an action in the oracle's form."""
    match event:
        case Move():
            return ("leap" if event.via == "leap" else "move", event.src, event.dst)
        case Shoot():
            return ("shoot", event.src, event.dst)
        case Summon():
            return ("summon", event.kind, event.at)
        case ReturnInfantry():
            return ("return_infantry", event.kind)
        case Pass():
            return ("pass",)
    raise AssertionError(f"{event} is not an action")


def perft(state: State, depth: int) -> int:
    """Return the number of sequences of `depth` actions from `state`."""
    if state.phase not in ("play", "return"):
        return 0
    events = legal_for(GAME, state, None).events
    return len(events) if depth == 1 else sum(perft(GAME.apply(state, event), depth - 1) for event in events)


@pytest.mark.parametrize(
    ("words", "counts"),
    [(L1, [20, 492, 11_582]), (MELEE, [33, 1_123, 34_987]), (STORM, [30, 817, 23_973])],
    ids=["L1", "melee", "storm"],
)
def test_numbers_of_legal_sequences(words: dict[str, Any], counts: list[int]) -> None:
    state = position(words)
    assert [perft(state, depth) for depth in (1, 2, 3)] == counts
    assert [reference(state).perft(describe(state), depth) for depth in (1, 2)] == counts[:2]


def agree(state: State) -> None:
    """Compare all actions of `state` and their results with the oracle's, except for the guards."""
    oracle = reference(state)
    words = describe(state)
    if state.phase == "return":
        words["won"] = state.outcome is not None
    events = {key(event): event for event in legal_for(GAME, state, None).events}
    assert set(events) == oracle.actions(words)
    for action, event in events.items():
        ours, theirs = describe(GAME.apply(state, event)), oracle.play(words, action)
        for member in ("pieces", "reserve", "captures"):
            assert ours[member] == theirs[member], (action, member)
        if ours["outcome"] and ours["outcome"]["reason"] != "base" and ours["phase"] == "over":
            assert theirs["phase"] == "play"
        else:
            assert (ours["phase"], ours["on_turn"]) == (theirs["phase"], theirs["on_turn"]), action
            assert bool(ours["outcome"]) == theirs["won"]


@FEW
@given(st.integers(0, 10**6), st.sampled_from(["random", "greedy"]), st.sampled_from(SWITCHES))
def test_both_agree_in_every_position_of_a_game(index: int, bot: str, options: dict[str, Any]) -> None:
    game = play(index, bot, **options)
    positions = [state for state in game.states if state.phase in ("play", "return")]
    for state in generator("oracle", index).sample(positions, min(25, len(positions))):
        agree(state)


@pytest.mark.parametrize("index", range(3))
def test_both_agree_on_another_board(index: int) -> None:
    game = play(index, on=NARROW, tile_counts=NARROW_TILES)
    for state in game.states:
        if state.phase in ("play", "return"):
            agree(state)


@pytest.mark.parametrize("words", [L1, MELEE, STORM], ids=["L1", "melee", "storm"])
@pytest.mark.parametrize("options", SWITCHES[:4])
def test_both_agree_two_actions_deep(words: dict[str, Any], options: dict[str, Any]) -> None:
    state = position(words, **options)
    agree(state)
    for event in legal_for(GAME, state, None).events:
        agree(GAME.apply(state, event))


def test_the_compared_games_contain_each_special() -> None:
    """Check that some games together contain each special, so that the comparison means something."""
    met: set[str] = set()
    for index, options in enumerate(SWITCHES):
        for number in range(6):
            game = play(number, "greedy" if index % 2 else "random", **options)
            for state, event, after in game.steps():
                if state.phase in ("play", "return"):
                    met |= {key(event)[0]} | ({"won"} if after.outcome else set())
    assert met == {"move", "leap", "shoot", "summon", "return_infantry", "pass", "won"}
