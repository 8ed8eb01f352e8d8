"""The scene of a position and the sentences of events."""

from __future__ import annotations

from collections import Counter

from gamelog.games.zone_s.events import Coin, Move
from gamelog.games.zone_s.state import State
from gamelog.play.contract.scene import Caption, Mark, Piece
from gamelog.play.rendering.ascii_board import ascii_board, initials, plain_lines
from gamelog.play.rendering.sentences import sentence
from gamelog.record.envelope import TABLE
from tests.games.zone_s.games import GAME, begin, given, play


def test_slots_are_placed_as_on_the_board_with_trays_next_to_them() -> None:
    ground = GAME.scene(begin(), None).ground
    cells = {cell.id: cell for cell in ground.cells}
    assert len(cells) == 38 + 5
    assert (cells["d1"].x, cells["d1"].y) == (3.5, 6.5)
    assert (cells["d6"].x, cells["d6"].y) == (3.5, 1.5)
    assert (cells["hand"].x, cells["hand"].y) == (6.5, 6.5), "in the corner without a slot"
    assert (cells["a3"].zone, cells["a4"].zone) == ("dominion", "separatists")
    assert {cell.id for cell in ground.cells if cell.shape == "tray"} == {
        "dominion reserve", "dominion captures", "separatists reserve", "separatists captures", "hand",
    }  # fmt: skip
    assert (
        "reconstruction" in ground.remark
        and "picture is lost" in ground.remark
        and "courses" in ground.remark
    )


def test_a_position() -> None:
    scene = GAME.scene(
        given({"pieces": {"d3": "SP", "d5": "TW"}, "captures": {"dominion": {"WA": 2}}, "actions": 9}), None
    )
    assert Piece("d3", "tile", None, "fields") in scene.pieces
    assert Piece("d3", "token", "dominion", "SP") in scene.pieces
    assert Piece("d5", "token", "separatists", "TW") in scene.pieces
    assert scene.fills == (("d1", "dominion"), ("d6", "separatists"))
    assert Piece("d1", "flag", "dominion") in scene.pieces
    assert scene.pieces.count(Piece("dominion captures", "token", "separatists", "WA")) == 2
    assert Counter(piece.at for piece in scene.pieces if piece.at.endswith("reserve")) == {
        "dominion reserve": 9,
        "separatists reserve": 7,
    }
    assert Mark("c2", "group", "home", "dominion") in scene.marks and len(scene.marks) == 12
    assert scene.captions == (
        Caption("actions", "9"),
        Caption("captured", "8", "dominion"),
        Caption("enemy home tiles held", "0", "dominion"),
        Caption("captured", "0", "separatists"),
        Caption("enemy home tiles held", "0", "separatists"),
    )


def deploying() -> State:
    return given(
        {
            "phase": "deploy",
            "on_turn": "separatists",
            "pieces": {"c1": "SP", "c2": "VA", "d2": "AR", "c5": "LO"},
        }
    )


def test_behind_the_screen_everything_is_face_down() -> None:
    scene = GAME.scene(deploying(), "dominion")
    hidden = Counter(piece.at for piece in scene.pieces if piece.hidden)
    assert hidden.pop("separatists reserve") == 10
    assert set(hidden.values()) == {1} and len(hidden) == 19
    assert all(name[1] in "456" for name in hidden)
    assert all(not piece.text for piece in scene.pieces if piece.hidden)
    assert not [piece for piece in scene.pieces if piece.kind == "token" and piece.at == "c5"]
    assert scene.fills == (("d1", "dominion"),)
    assert not [mark for mark in scene.marks if "separatists" in mark.text]
    assert scene.captions == (Caption("setting up", "first pieces"),)
    assert not [piece for piece in GAME.scene(deploying(), None).pieces if piece.hidden]


def test_only_its_owner_sees_the_drawn_tile() -> None:
    words = {
        "phase": "tile",
        "hand": "water",
        "terrain": {},
        "bases": {"dominion": "d1", "separatists": "d6"},
    }
    state = given(words)
    assert Piece("hand", "tile", None, "water") in GAME.scene(state, "dominion").pieces
    assert Piece("hand", "tile", None, "", hidden=True) in GAME.scene(state, "separatists").pieces
    assert Caption("tiles in the bag", "35") in GAME.scene(state, None).captions


def test_a_board_full_of_tiles_fits_on_eighty_columns() -> None:
    state = play(3).states[-1]
    drawn = plain_lines(ascii_board(GAME.scene(state, None), initials(state.setup.seats))).splitlines()
    assert max(len(line) for line in drawn) <= 80
    assert drawn[0].split()[0].startswith("b6:")


def sentence_of(state: State, event: Move | Coin) -> str:
    after = GAME.apply(state, event)
    return sentence(
        GAME, event, GAME.effects(state, event, after), {"dominion": "Ana", "separatists": "Rui"}.__getitem__
    )


def test_sentences() -> None:
    coin = given({"phase": "coin"})
    assert sentence_of(coin, Coin(0, 0, TABLE, "separatists")) == (
        "Rui wins the coin toss and begins. The screen is removed. The bases are on d1 and d6."
    )
    state = given({"pieces": {"c2": "SW", "c3": "WA"}})
    assert sentence_of(state, Move(0, 0, "dominion", "c2", "c3")) == (
        "Ana's Midgard Swordsman moves from c2 to c3 (forest). Rui loses a Troll/Pawn Warrior worth 4. "
        "The captured piece was protected. Support for the capture: Midgard Swordsman counts as two."
    )
    state = given({"pieces": {"c5": "SP", "d4": "SW"}, "reserve": {"separatists": {"HT": 1}}})
    assert sentence_of(state, Move(0, 0, "dominion", "d4", "d5")) == (
        "Ana's Midgard Swordsman moves from d4 to d5 (hills). Ana occupies two home tiles and destroys Rui's base on d6. "
        "1 piece in reserve is captured with it. The game is over. Winner: Ana (base destroyed)."
    )
