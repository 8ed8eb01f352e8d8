"""The picture of a position."""

from __future__ import annotations

from typing import Any

from gamelog.game import beats
from gamelog.games.slicewars import GAME
from gamelog.games.slicewars.effects import Stakes
from gamelog.games.slicewars.events import Attack
from gamelog.games.slicewars.state import Options, State, start
from gamelog.play.contract.scene import Caption, Mark, Piece, Scene
from tests.games.slicewars.arrange import arrange


def scene(**words: Any) -> Scene:
    begun: State = start(Options(), GAME.read_board(GAME.boards["hex50"]()), GAME.seats[3])
    return GAME.scene(arrange(begun, words), None)


def test_land_has_its_owners_colour_and_a_die_with_the_number_of_dice() -> None:
    seen = scene(
        territories={"A1 A2": ["red", 3], "B1": ["blue", 6], "C1": "free", "I6": "void"},
        hand=2,
        phase="place",
    )
    assert seen.fills == (("A1", "red"), ("A2", "red"), ("B1", "blue"))
    assert {piece.at: (piece.seat, piece.text) for piece in seen.pieces if piece.seat} == {
        "A1": ("red", "3"),
        "A2": ("red", "3"),
        "B1": ("blue", "6"),
    }
    assert Piece("E5", "die", None, "7") in seen.pieces
    assert not [piece for piece in seen.pieces if piece.at in ("C1", "I6")]
    assert seen.marks == (Mark("I6", "note", "off the map"),)


def test_captions_count_land_and_dice() -> None:
    seen = scene(
        territories={"A1 A2": ["red", 3], "B1": ["blue", 6]}, hand=2, phase="place", round=4, on_turn="red"
    )
    assert seen.captions == (
        Caption("round", "4"),
        Caption("territories", "2", "red"),
        Caption("dice", "6", "red"),
        Caption("dice to place", "2", "red"),
        Caption("territories", "1", "blue"),
        Caption("dice", "6", "blue"),
        Caption("territories", "0", "yellow"),
        Caption("dice", "0", "yellow"),
    )
    assert scene(territories={}, round=0).captions[0] == Caption("round", "set-up")


def test_an_attack_with_due_dice_is_marked() -> None:
    seen = scene(territories={"A1": ["red", 3], "B1": ["blue", 1]}, phase="battle", attack=["A1", "B1"])
    assert seen.marks == (Mark("A1", "from"), Mark("B1", "to"))


def test_an_attack_has_its_odds_before_the_dice_are_rolled() -> None:
    begun: State = start(Options(), GAME.read_board(GAME.boards["hex50"]()), GAME.seats[2])
    words = {
        "territories": {"A1": ["red", 4], "B1": ["blue", 3]},
        "phase": "attack",
        "on_turn": "red",
        "round": 2,
    }
    before, event = arrange(begun, words), Attack(0, 0, "red", "A1", "B1")
    (stakes,) = GAME.effects(before, event, GAME.apply(before, event))
    assert stakes == Stakes(attack=4, defence=3, percent=round(100 * beats(4, 3)))


def test_the_board_names_its_origin() -> None:
    for name in GAME.boards:
        remark = GAME.read_board(GAME.boards[name]()).remark
        assert "author" in remark and "names of the territories are ours" in remark
        begun = start(Options(), GAME.read_board(GAME.boards[name]()), GAME.seats[2])
        assert GAME.scene(begun, None).ground.remark == remark
