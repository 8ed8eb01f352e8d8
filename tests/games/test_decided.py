"""Decided positions cannot be declared, in any game: a ruling says how a game ended."""

from __future__ import annotations

from typing import Any

import pytest

from gamelog.message import Message
from gamelog.play.contract import boards
from gamelog.play.contract.declare import declared_state
from gamelog.play.contract.registry import find
from gamelog.play.fold.start import read_options

HEX = [f"{column}{row}" for column in "ABCDEFGHI" for row in range(1, 7 if column in "ACEGI" else 6)]

HALVES = {"on_turn": "red", "phase": "attack", "round": 5, "first": "red"}
FULL = {name: ["red", 6] for name in HEX[1:49]} | {"A1": ["ownerless", 7], "I6": ["ownerless", 7]}
MAJORITY = {name: ["blue", 6] for name in HEX[:30]} | {name: ["red", 2] for name in HEX[30:]}

ROLL = {"main": "red", "on_turn": "red", "phase": "roll", "round": 3, "cards": {}, "hands": {}}

TERRAIN = dict(
    zip(
        [
            f"{column}{row}"
            for row in range(1, 7)
            for column in "abcdefg"
            if f"{column}{row}" not in ("a1", "g1", "a6", "g6", "d1", "d6")
        ],
        ["fields", "forest", "hills", "water"] * 9,
        strict=True,
    )
)
GROUND = {
    "on_turn": "dominion",
    "phase": "play",
    "actions": 60,
    "bases": {"dominion": "d1", "separatists": "d6"},
    "reserve": {"dominion": {}, "separatists": {}},
    "terrain": TERRAIN,
}
LAST_TWO = GROUND | {"pieces": {"c2": "SW", "c5": "HT"}}

CAMP = {"on_turn": "north", "first": "north", "turn": 20, "quiet_since": 10}

DECIDED: list[tuple[str, int, dict[str, Any], dict[str, Any], str]] = [
    ("slicewars", 2, {}, HALVES | {"territories": FULL}, "red, all"),
    ("slicewars", 2, {"must_take_ownerless": True}, HALVES | {"territories": FULL}, "red, majority_full"),
    ("slicewars", 2, {}, HALVES | {"territories": MAJORITY}, "blue, majority_full"),
    ("slicewars", 2, {"check": "actor", "max_rounds": 5}, HALVES | {"territories": FULL}, "red, all"),
    (
        "gp02a_territory",
        3,
        {"chronology_fields": 2},
        ROLL | {"chronology": ["blue", "red"], "fields": {"a1": "red"}},
        "chronology",
    ),
    ("zone_s", 2, {}, LAST_TWO | {"earlier": ["SW c2, HT c5"] * 2}, "passes"),
    (
        "zone_s",
        2,
        {},
        LAST_TWO | {"earlier": ["SW c2, HT c5", "SW d2, HT c5", "SW c2, HT c5", "SW d2, HT c5"]},
        "repetition",
    ),
    (
        "zone_s",
        2,
        {"max_quiet": 3},
        LAST_TWO | {"earlier": ["SW e2, HT c5", "SW d2, HT c5", "SW d2, HT d5"]},
        "quiet",
    ),
    ("dice_flags", 2, {}, CAMP | {"flags": {"south": "N.flag"}}, "north, flags"),
    (
        "dice_flags",
        2,
        {"extra_flags": True},
        CAMP | {"flags": dict.fromkeys(["north", "east", "south", "west"], "S.flag")},
        "south, flags",
    ),
    ("dice_flags", 3, {}, CAMP | {"turn": 21, "surrendered": ["east", "south"]}, "north, surrender"),
    ("dice_flags", 2, {"quiet_rounds": 5}, CAMP, "quiet"),
]


@pytest.mark.parametrize(("name", "players", "options", "words", "ended"), DECIDED)
def test_a_decided_position_cannot_be_declared(
    name: str, players: int, options: dict[str, Any], words: dict[str, Any], ended: str
) -> None:
    assert ended in str(declared(name, players, options, words)[1])


UNDECIDED: list[tuple[str, int, dict[str, Any], dict[str, Any]]] = [
    ("slicewars", 2, {}, HALVES | {"territories": MAJORITY | {"A1": ["blue", 5]}}),
    ("slicewars", 2, {"check": "actor"}, HALVES | {"on_turn": "blue", "territories": MAJORITY}),
    (
        "gp02a_territory",
        3,
        {"chronology_fields": 3},
        ROLL | {"chronology": ["blue", "red"], "fields": {"a1": "red"}},
    ),
    ("zone_s", 2, {}, LAST_TWO | {"earlier": ["SW d2, HT c5", "SW c2, HT c5", "SW d2, HT c5"]}),
    ("zone_s", 2, {"max_quiet": 4}, LAST_TWO | {"earlier": ["SW e2, HT c5", "SW d2, HT c5", "SW d2, HT d5"]}),
    ("dice_flags", 2, {"win_by_capture": False}, CAMP | {"flags": {"south": "N.flag"}}),
    ("dice_flags", 3, {}, CAMP | {"turn": 21, "surrendered": ["east"]}),
    ("dice_flags", 2, {"quiet_rounds": 6}, CAMP),
]


@pytest.mark.parametrize(("name", "players", "options", "words"), UNDECIDED)
def test_an_almost_decided_position_can_be_declared(
    name: str, players: int, options: dict[str, Any], words: dict[str, Any]
) -> None:
    state, wrong = declared(name, players, options, words)
    assert wrong is None
    assert find(name).pending(state).outcome is None


def declared(
    name: str, players: int, options: dict[str, Any], words: dict[str, Any]
) -> tuple[Any, Message | None]:
    """Return the result of declaring `words` at the start of a game."""
    game = find(name)
    start = game.start(
        read_options(game, options), boards.resolve(game, next(iter(game.boards))), game.seats[players]
    )
    return declared_state(game, start, words)
