"""The picture of a position, and the sentences of events and refusals."""

from __future__ import annotations

from typing import Any

from gamelog.games.gp02a_territory.events import Chips, ChooseBlock, Draw
from gamelog.games.gp02a_territory.state import Options, State, start
from gamelog.play.contract.scene import Caption, Piece, Scene
from gamelog.play.rendering.sentences import sentence
from tests.games.gp02a_territory.arrange import arrange
from tests.games.gp02a_territory.games import GAME, play

FULL = {"d? e? f1 f2 f3": "blue", "g1 g2 g3 g4 h1 h2 h3 h4 i1 i2 i3 i4": "red", "e6 e7 e8": "free"}
"""One free field in block 2, none in block 3."""


def begin_game(players: int = 4, **options: Any) -> State:
    return start(Options(**options), GAME.read_board(GAME.boards["gp72+28"]()), GAME.seats[players])


def scene(players: int = 4, **words: Any) -> Scene:
    return GAME.scene(arrange(begin_game(players), words), None)


def test_the_ground_has_white_and_grey_fields_chronology_hands_and_bag() -> None:
    cells = scene().ground.cells
    kinds = [cell.kind for cell in cells]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "white": 48,
        "gray": 24,
        "chronology": 28,
        "hand": 4,
        "bag": 1,
    }
    assert {cell.zone for cell in cells if cell.kind in ("white", "gray")} == {
        f"block {block}" for block in range(1, 7)
    }
    boxes = [
        (cell.x - cell.w / 2, cell.y - cell.h / 2, cell.x + cell.w / 2, cell.y + cell.h / 2) for cell in cells
    ]
    for at, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[at + 1 :]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top, (
                "two cells overlap"
            )


def test_the_chronology_has_as_many_fields_as_the_option_says() -> None:
    cells = GAME.scene(begin_game(chronology_fields=36), None).ground.cells
    assert [cell.label for cell in cells if cell.kind == "chronology"] == [
        str(number) for number in range(1, 37)
    ]


def test_the_picture_shows_each_chip_in_its_place() -> None:
    seen = scene(
        fields={"a1": "blue", "c1": "yellow"}, chronology=["red"], hands={"red": {"green": 2, "purple": 1}}
    )
    lying = [piece for piece in seen.pieces if piece.at != "bag"]
    assert lying == [
        Piece("a1", "disc", "blue"),
        Piece("c1", "disc", "yellow"),
        Piece("chronology 1", "disc", "red"),
        Piece("hand red", "disc", "green"),
        Piece("hand red", "disc", "green"),
        Piece("hand red", "disc", None, "P"),
    ]
    assert [(piece.seat, piece.text) for piece in seen.pieces if piece.at == "bag"] == [
        ("blue", "24"),
        ("red", "24"),
        ("green", "23"),
        ("yellow", "24"),
    ]


def test_with_three_players_yellow_chips_belong_to_no_seat() -> None:
    seen = scene(3, fields={"a1": "yellow"})
    assert Piece("a1", "disc", None, "Y") in seen.pieces
    assert Piece("bag", "token", None, "Y ×24") in seen.pieces
    assert Piece("bag", "token", None, "P ×1") in seen.pieces


def test_captions_show_the_points_by_source() -> None:
    seen = scene(
        fields={"a1 b1": "blue"},
        chronology=["red", "blue", "blue"],
        cards={"blue": 2},
        main="blue",
        rolled=4,
        round=3,
    )
    assert seen.captions[:3] == (
        Caption("round", "3"),
        Caption("chronology", "3 of 28"),
        Caption("chips to draw", "4"),
    )
    assert [caption for caption in seen.captions if caption.seat == "blue"] == [
        Caption("turn card", "2 · main", "blue"),
        Caption("chronology", "2", "blue"),
        Caption("groups", "1", "blue"),
        Caption("blocks", "3", "blue"),
    ]
    assert Caption("turn card", "–", "red") in seen.captions


def test_the_chosen_block_is_marked() -> None:
    assert sorted(
        mark.at for mark in scene(phase="place", block=6, on_turn="red", hands={"red": {"red": 1}}).marks
    ) == sorted(f"{column}{row}" for column in "ghi" for row in "5678")
    assert scene().marks == ()


def test_groups_and_blocks_that_score_have_outlines() -> None:
    seen = scene(fields={"a1 a2 d1": "blue", "g1": "red", "h1": "green"})
    outlines: dict[tuple[str | None, str], list[str]] = {}
    for mark in seen.marks:
        assert mark.kind == "group"
        outlines.setdefault((mark.seat, mark.text), []).append(mark.at)
    assert {key: len(cells) for key, cells in outlines.items()} == {
        ("blue", "3 points · block 1"): 12,
        ("blue", "3 points · block 2"): 12,
        ("red", "1 point · block 3"): 12,
        ("green", "1 point · block 3"): 12,
        ("blue", "1 point · 2 chips · a1"): 2,
    }
    assert sorted(outlines["blue", "1 point · 2 chips · a1"]) == ["a1", "a2"]


def test_colours_of_no_seat_have_no_outline() -> None:
    assert not [mark for mark in scene(3, fields={"a1 a2 a3": "yellow"}).marks if mark.kind == "group"]


def test_the_board_is_marked_as_reconstructed() -> None:
    assert scene().ground.remark.startswith("Reconstructed")


def test_every_event_has_a_sentence() -> None:
    """Every event of a whole game has a sentence whose values are common words and numbers."""
    covered: set[str] = set()
    for players in (3, 4):
        for before, event, after in play(3, players, negotiation=True).steps():
            text = sentence(GAME, event, GAME.effects(before, event, after), str)
            assert text.endswith(".") and "  " not in text, (event, text)
            covered.add(type(event).__name__)
    assert {"Roll", "Draw", "MoveStart", "Purple", "Trade"} <= covered


def test_refusals_name_the_problem() -> None:
    drawing = arrange(begin_game(), {"phase": "draw", "rolled": 4, "main": "red", "on_turn": "red"})
    placing = arrange(
        begin_game(),
        {"main": "red", "on_turn": "red", "hands": {"red": {"blue": 2, "purple": 1}}, "fields": FULL},
    )
    tries = [
        (drawing, Draw(0, 0, "red", Chips(blue=1, red=1, purple=2)), "the bag has 1 purple chip, not 2"),
        (drawing, Draw(0, 0, "red", Chips(blue=3)), "4 chips must be drawn, not 3"),
        (placing, ChooseBlock(0, 0, "red", 2), "use the purple chip to free a field before choosing"),
        (placing, ChooseBlock(0, 0, "red", 3), "block 3 has 0 free fields, but 2 chips must be placed"),
    ]
    for state, event, text in tries:
        found = GAME.check(state, event)
        assert found and text in str(found.message)
        assert ("purple" in str(found.message)) == ("purple" in text)
