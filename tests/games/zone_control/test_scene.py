"""The picture of a position, and the sentences of events."""

from __future__ import annotations

from typing import Any

from gamelog.games.zone_control import GAME
from gamelog.games.zone_control.events import ChallengeRoll
from gamelog.play.contract.scene import Caption, Mark, Piece
from gamelog.play.rendering.ascii_board import ascii_board, initials, plain_lines
from gamelog.play.rendering.sentences import sentence
from tests.games.zone_control.games import begin_game, board, position

FIVE = ["j10", "k10", "l10", "j11", "k11", "l11", "j12", "k12", "l12"]


def test_a_new_game_shows_the_board_with_its_blocked_crossings() -> None:
    scene = GAME.scene(begin_game(), None)
    kinds = [cell.kind for cell in scene.ground.cells]
    assert (
        len(kinds),
        kinds.count("blocked"),
        kinds.count("home"),
        kinds.count("zone") + kinds.count("middle zone"),
    ) == (
        297,
        8,
        128,
        81,
    )
    assert {cell.label for cell in scene.ground.cells} == {""}, "pieces are smaller on cells with labels"
    zones = {cell.id: cell.zone for cell in scene.ground.cells}
    numbers = {zones[mark.at]: mark.text for mark in scene.marks if mark.kind == "badge"}
    assert numbers == {f"zone {number}": number for number in "123456789"}
    assert len(scene.pieces) == 128
    assert not scene.fills and len(scene.marks) == len(numbers)
    assert scene.captions[0] == Caption("turn", "start")
    assert scene.ground.remark == board().remark


def test_a_zone_has_the_colour_of_its_holder() -> None:
    scene = GAME.scene(position(away={"south": ["k11"], "north": ["f6", "k5"]}, points=3), None)
    assert dict(scene.fills) == dict.fromkeys(FIVE, "south") | dict.fromkeys(
        ["f6", "g6", "h6", "f7", "g7", "h7", "f8", "g8", "h8"], "north"
    )
    assert Piece("k11", "die", "south") in scene.pieces
    shown = [caption for caption in scene.captions if caption.seat in (None, "north")]
    assert shown == [
        Caption("turn", "5"),
        Caption("time limit", "45 min"),
        Caption("zones count", "1", "north"),
        Caption("pieces in them", "1", "north"),
        Caption("at home", "30", "north"),
        Caption("steps left", "3", "north"),
    ]


def test_a_challenge_is_marked_while_it_lasts() -> None:
    words: dict[str, Any] = {
        "away": {"south": ["k11"], "north": ["j9", "k9"]},
        "siege": {"zone": "5", "attackers": ["j9", "k9"]},
    }
    for phase in ("challenge_roll", "occupy"):
        scene = GAME.scene(position(phase=phase, **words), None)
        assert tuple(mark for mark in scene.marks if mark.kind != "badge") == (
            Mark("j9", "from"),
            Mark("k9", "from"),
            *(Mark(name, "target") for name in FIVE),
        )


def test_the_call_of_time_and_a_limit_are_shown() -> None:
    scene = GAME.scene(position({"turn_limit": 120}, turn=7, called=True), None)
    assert [(one.name, one.value) for one in scene.captions[:3]] == [
        ("turn", "7 of 120"),
        ("time limit", "45 min"),
        ("play", "last turns, time is up"),
    ]
    without = GAME.scene(position({"turn_limit": 120, "clock_minutes": None}), None)
    assert "time limit" not in {one.name for one in without.captions}


def test_in_characters_pieces_are_capital_letters() -> None:
    scene = GAME.scene(position(away={"south": ["k11"], "north": ["k5"]}), None)
    lines = [
        " ".join(line.split())
        for line in plain_lines(ascii_board(scene, initials(GAME.seats[4]))).splitlines()
    ]
    assert lines[0] == "a b c d e f g h i j k l m n o p q r s t u"
    assert lines[1] == "1 N N N N h"
    assert lines[5] == "5 b . . . . . N . b . . . ."
    assert lines[11] == "11 W W W W . z 4 z . s S s . z 6 z . E E E E"


def test_a_challenge_reads_like_a_report() -> None:
    away = {"south": ["j10", "k10"], "north": ["j9", "k9", "l9"]}
    before = position(away=away, siege={"zone": "5", "attackers": ["j9", "k9", "l9"]}, phase="challenge_roll")
    roll = ChallengeRoll(0, 0, "north", (6, 2), (6, 3, 1))
    shown = sentence(GAME, roll, GAME.effects(before, roll, GAME.apply(before, roll)), str.title)
    assert shown == (
        "South rolls 6 2. North rolls 6 3 1. 10 against 8 for zone 5: the challenge is won. South loses the zone. "
        "2 pieces of South go home."
    )
