"""Positions that can be declared, game by game: every limit from both sides, and the refusal of decided positions."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import Any

import msgspec
import pytest
from msgspec import structs

from gamelog.message import Renderer
from gamelog.play.contract.declare import declared_state, describe_state
from gamelog.play.contract.locales import load_locale
from gamelog.play.contract.registry import find
from gamelog.play.contract.seats import legal_for
from gamelog.record.envelope import tag_of
from gamelog.testing.plays import play

LAND = [row + column for row in "ABCDEFGHI" for column in ("123456" if row in "ACEGI" else "12345")]


def land(owner: str, dice: int, *but: str) -> dict[str, Any]:
    """Return all territories of the board with one owner; those in `but` are blue's, with one die."""
    return {"territories": {name: ["blue", 1] if name in but else [owner, dice] for name in LAND}}


ROUND = "does not occur in round"
FREE = "while the players claim territories, some must be free"
SEAT = "the player to move and the player who began must each have a seat"
FULL = "majority_full"

CASES: dict[tuple[str, str], list[tuple[dict[str, Any], str | None]]] = {
    ("slicewars", "attack"): [
        ({}, None),
        ({"round": 0}, ROUND),
        ({"round": 200}, None),
        ({"round": 201}, ROUND),
        ({"on_turn": "ownerless"}, SEAT),
        ({"first": "free"}, SEAT),
        ({"hand": 1}, "in the phase attack, the player to move cannot hold 1 dice"),
        ({"territories": {"A1": ["blue", 6]}}, None),
        ({"territories": {"A1": ["blue", 7]}}, "A1 cannot hold 7 dice if its owner is blue"),
        ({"territories": {"A1": ["blue", 0]}}, "A1 cannot hold 0 dice"),
        ({"territories": {"A1": ["void", 0]}}, None),
        ({"territories": {"A1": ["void", 1]}}, "A1 cannot hold 1 dice if its owner is void"),
        ({"territories": {"A1": ["free", 0]}}, FREE),
        (land("red", 1, "A1"), "the player to move has no attack"),
        (land("red", 2, "A1"), None),
        (land("red", 2), "the player to move has no attack"),
        (land("red", 6, "A1"), f"decided in this position (red, {FULL})"),
        (land("red", 6, "A1") | {"check": "actor"}, None),
    ],
    ("slicewars", "place"): [
        ({"hand": 0}, "in the phase place, the player to move cannot hold 0 dice"),
        ({"hand": 1}, None),
        ({"hand": 300}, None),
        ({"hand": 301}, "cannot hold 301 dice"),
        (land("red", 6, "A1"), "no room for another die"),
        (land("red", 2, "A1"), None),
        (land("red", 2), "decided in this position (red, all)"),
    ],
    ("slicewars", "claim"): [
        ({"round": 1}, ROUND),
        (land("red", 1), FREE),
        ({"hand": 1}, "in the phase claim, the player to move cannot hold 1 dice"),
    ],
    ("slicewars", "add"): [
        ({"round": 1}, ROUND),
        (land("red", 1), None),
    ],
    ("zone_control", "move_roll"): [
        ({"turn": 0}, "this game has no turn 0"),
        ({"turn": 1}, None),
        ({"turn": 1000}, None),
        ({"turn": 10, "turn_limit": 10}, None),
        ({"turn": 11, "turn_limit": 10}, "this game has no turn 11"),
        ({"points": 1}, "the player to move cannot have 1 step before the movement roll"),
        ({"deadline": None}, None),
        ({"deadline": 5}, None),
        ({"deadline": -1}, "when the clock runs out"),
        ({"deadline": None, "clock_minutes": None, "turn_limit": 120}, None),
        ({"deadline": 5, "clock_minutes": None, "turn_limit": 120}, "when the clock runs out"),
        (
            {"away": {"green": []}},
            "pieces away from home and empty home squares can be given only for the seats north, east, south, west",
        ),
        (
            {"vacant": {"green": []}},
            "pieces away from home and empty home squares can be given only for the seats north, east, south, west",
        ),
    ],
    ("zone_control", "act"): [
        ({"points": -1}, "the player to move cannot have -1 step"),
        ({"points": 0}, None),
        ({"points": 12}, None),
        ({"points": 13}, "the player to move cannot have 13 steps after the movement roll"),
        ({"deadline": None}, "when the clock runs out"),
        ({"deadline": None, "clock_minutes": None, "turn_limit": 120}, None),
        ({"deadline": 0}, None),
    ],
    ("gp02a_territory", "roll"): [
        ({"round": 0}, "the round must be at least 1"),
        ({"round": 1}, None),
        ({"rolled": -1}, "each player draws must be from 0 to 6"),
        ({"rolled": 6}, None),
        ({"rolled": 7}, "each player draws must be from 0 to 6"),
        ({"on_turn": "red", "main": "blue"}, "the Main Player must be to move"),
        ({"cards": {"red": 1}}, "all hands must be empty"),
        ({"hands": {"red": {"blue": 1}}}, "all hands must be empty"),
        ({"purple": True}, "the purple chip must not be used yet"),
    ],
    ("gp02a_territory", "action"): [
        ({"cards": {"blue": 4, "red": 1, "green": 1}}, "each seat must have one of the cards"),
        ({"cards": {"blue": 1, "red": 2, "green": 4}}, "the Main Player cannot have the last"),
        ({"hands": {"red": {"green": 1}, "blue": {"red": 25}}}, None),
        ({"hands": {"red": {"green": 1}, "blue": {"red": 26}}}, "only 25 red chips"),
        ({"hands": {"red": {"purple": 2}}}, "only 1 purple chip"),
        ({"purple": True}, None),
        (
            {"purple": True, "hands": {"red": {"green": 1, "purple": 1}}},
            "a player who has used the purple chip cannot still hold it",
        ),
    ],
    ("gp02a_territory", "chronology"): [
        ({"chronology": ["purple"]}, "the purple chip cannot be on a field"),
        ({"hands": {"red": {"purple": 1}}}, "no chip for the chronology"),
    ],
    ("zone_s", "play"): [
        ({"actions": 0}, None),
        ({"actions": 399}, None),
        ({"actions": 400}, "the number of actions cannot be 400: it must be at least 0"),
        ({"actions": -1}, "the number of actions cannot be -1: it must be at least 0"),
        ({"actions": 0, "earlier": [""]}, "the number of actions cannot be 0: it must be at least 1"),
        ({"actions": 1, "earlier": [""]}, None),
        ({"pieces": {}, "reserve": {"dominion": {}, "separatists": {}}}, None),
    ],
    ("dice_flags", "roll"): [
        ({"turn": 298, "quiet_since": 298}, None),
        ({"turn": 300, "quiet_since": 300}, "the number of the turn must be from 0 to 299"),
        ({"quiet_since": -1}, "must be from 0 to the next turn"),
        ({"quiet_since": 1}, None),
        ({"quiet_since": 2}, "must be from 0 to the next turn"),
        ({"turn": 80, "quiet_since": 1}, None),
        ({"turn": 80, "quiet_since": 0}, "quiet)"),
        ({"turn": 1}, "if north began, turn 1 is not the turn of north"),
        ({"turn": 1, "on_turn": "south"}, None),
        ({"again": -1}, "-1 extra roll from doubles is not possible"),
        ({"again": 9}, None),
        ({"again": 2, "max_doubles": 2}, None),
        ({"again": 3, "max_doubles": 2}, "3 extra rolls from doubles are not possible"),
        ({"surrendered": ["north"]}, "north has resigned or has no free soldier"),
        ({"surrendered": ["south"]}, "decided in this position (north, surrender)"),
        ({"soldiers": {"north": {"P1": "N.d1"}}}, "N.d1 has no room for 2 soldiers"),
        ({"soldiers": {"north": {"P1": "N.r1", "P2": "N.r1"}}}, None),
        (
            {"soldiers": {"north": {"P1": "N.r1", "P2": "N.r1", "P3": "N.r1"}}},
            "N.r1 has no room for 3 soldiers",
        ),
        (
            {"soldiers": {"north": {"P1": "N.r1"}, "south": {"P1": "N.r1"}}},
            "soldiers of several armies are on N.r1",
        ),
        ({"flags": {"north": ["south", "P1"]}}, "only flag carriers on the board can carry flags"),
        ({"flags": {"north": ["south", "F1"], "south": ["south", "F1"]}}, "each can carry at most 1"),
        ({"flags": {"east": "E.flag"}}, "there is no 'east' in this game"),
        ({"flags": {"north": "N.b1"}}, "must be carried or on a flag square, not on N.b1"),
        ({"flags": {"north": "S.flag"}}, "decided in this position (south, "),
        ({"flags": {"north": "S.flag"}, "win_by_capture": False}, None),
    ],
}


@cache
def position(name: str, phase: str) -> tuple[Any, dict[str, Any]]:
    """Return the first position in this phase of a random game that can be declared, with its words."""
    game = find(name)
    known = import_module(f"gamelog.games.{name}.declare").Declared.__struct_fields__
    for state in play(game, 0, min(game.seats)).states:
        words = msgspec.json.decode(msgspec.json.encode(describe_state(game, state)))
        words = {member: words[member] for member in known if member in words}
        if words["phase"] == phase and declared_state(game, state, words)[0] is not None:
            return state, words
    raise AssertionError(f"nobody plays {phase} in {name}")


PARAMETERS = [
    pytest.param(name, phase, *case, id=f"{name}-{phase}-{at}")
    for (name, phase), cases in CASES.items()
    for at, case in enumerate(cases)
]


@pytest.mark.parametrize(("name", "phase", "changes", "said"), PARAMETERS)
def test_limits_of_declared_positions(
    name: str, phase: str, changes: dict[str, Any], said: str | None
) -> None:
    state, words = position(name, phase)
    options = {
        option: value for option, value in changes.items() if option in state.setup.options.__struct_fields__
    }
    now = structs.replace(
        state, setup=structs.replace(state.setup, options=structs.replace(state.setup.options, **options))
    )
    made, wrong = declared_state(
        find(name), now, words | {member: changes[member] for member in changes.keys() - options}
    )
    assert said in str(wrong) if said else wrong is None, wrong
    assert (made is None) == (said is not None)
    if wrong is None:
        return
    for language in ("en", "pt"):
        shown = Renderer(load_locale(language, find(name))).text(wrong)
        assert not re.search(r"[A-Za-z]_[A-Za-z]", shown), f"this names a member, not a thing: {shown}"


@pytest.mark.parametrize(
    ("words", "english", "portuguese"),
    [
        ({}, '"player to move" is missing', 'falta "jogador com a vez"'),
        (
            {"on_turn": 3},
            'the value of "player to move" does not fit',
            'o valor de "jogador com a vez" não serve',
        ),
    ],
)
def test_a_member_of_a_wrong_type_is_named_in_words(
    words: dict[str, Any], english: str, portuguese: str
) -> None:
    game = find("slicewars")
    state, _ = position("slicewars", "attack")
    _, wrong = declared_state(game, state, words)
    assert wrong is not None
    assert Renderer(load_locale("en", game)).text(wrong).endswith(english)
    assert Renderer(load_locale("pt", game)).text(wrong).endswith(portuguese)


def test_zone_s_declares_a_position_in_which_the_player_to_move_must_pass() -> None:
    """By ZS-A26 and ZS-A27, the other player's pass ends the game, not the declaration."""
    game = find("zone_s")
    state, words = position("zone_s", "play")
    made, _ = declared_state(
        game, state, words | {"pieces": {}, "reserve": {"dominion": {}, "separatists": {}}}
    )
    for outcome in (None, "passes"):
        assert made is not None
        (only,) = legal_for(game, made, None).events
        assert tag_of(type(only)) == "pass"
        made = game.apply(made, only)
        found = game.pending(made).outcome
        assert (found and found.reason) == outcome
