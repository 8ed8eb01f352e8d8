"""Tests of SVG pictures: well-formed for any record, with the look of the page."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from gamelog_reports.board_geometry import (
    extent,
    find_groups,
    group_outline,
    group_pieces,
    piece_places,
    place_pieces,
    stack_pieces,
    stack_places,
)
from gamelog_reports.board_svg import scene_svg
from gamelog_reports.seat_style import COLOURS

from gamelog.play.contract.scene import BoardLayout, Cell, Mark, Piece, Scene, Word
from tests.reports.toy import TOY, folded, game

SVG = "{http://www.w3.org/2000/svg}"


def drawn(scene: Scene, **given: Any) -> ET.Element:
    return ET.fromstring(scene_svg(scene, seats=("red", "N"), **given))


def test_everything_in_a_scene_is_drawn() -> None:
    fold = folded(game()).fold
    assert fold
    root = drawn(TOY.scene(fold.states[6], None), title="Event 6")
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert words[:6] == ["a", "b", "c", "h", "d", "box"]
    assert words[6:] == ["N", "?"]  # a pawn with its seat's letter, a flag face down; the die shows pips
    assert root.findtext(f"{SVG}title") == "Event 6"
    assert len(list(root.iter(f"{SVG}line"))) == 1


def test_hostile_text_stays_text() -> None:
    text = "</svg><script>alert(1)</script>\x00\x1b\ud800&\ufffe\u202e"
    scene = Scene(BoardLayout((Cell("a", 0, 0, label=text),)), (Piece("a", "token", "red", text),))
    root = drawn(scene, title=text)
    assert root.find(f".//{SVG}script") is None
    assert root.findtext(f"{SVG}title") == "</svg><script>alert(1)</script>\\x00\\x1b\\ud800&\ufffd\\u202e"


def test_pictures_load_nothing_and_themes_differ() -> None:
    fold = folded(game()).fold
    assert fold
    scene = TOY.scene(fold.state, None)
    light, dark = scene_svg(scene, seats=("red", "N")), scene_svg(scene, seats=("red", "N"), theme="dark")
    assert light != dark
    assert "href" not in light
    assert "<style" not in light


def test_a_piece_on_no_cell_is_an_error() -> None:
    with pytest.raises(ValueError, match="the scene has something on 'b', which is not a cell of its ground"):
        drawn(Scene(BoardLayout((Cell("a", 0, 0),)), (Piece("b", "die", "red"),)))


def test_several_pieces_are_side_by_side_inside_the_cell() -> None:
    for shape in ("square", "tray", "hex"):
        for count in range(1, 30):
            cell = Cell("x", 0, 0, shape, w=3 if shape == "tray" else 1)
            spots = piece_places(count, cell)
            assert len(set(spots)) == count
            assert all(abs(x) < cell.w * 50 and abs(y) < cell.h * 50 for x, y, _ in spots)


def test_many_equal_pieces_become_one_with_a_number() -> None:
    pieces = [Piece("a", "disc", "red")] * 12 + [Piece("a", "disc", "N")]
    assert [(piece.seat, count) for piece, count in group_pieces(pieces)] == [("red", 12), ("N", 1)]
    assert len(group_pieces(pieces[:9])) == 9


def squares(*names: str) -> BoardLayout:
    """Return squares whose names are their columns and rows: ``b1`` is to the right of ``a1``."""
    return BoardLayout(tuple(Cell(name, ord(name[0]) - 97, int(name[1:])) for name in names))


def ends(path: str) -> list[tuple[float, float]]:
    """Return the ends of the lines of a path."""
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
    return [*zip(numbers[::2], numbers[1::2], strict=True)]


def test_a_group_has_one_closed_outline_inside_its_cells() -> None:
    ground = squares("a1", "b1", "b2", "c2", "d4")
    marks = tuple(Mark(at, "group", "3 points", "red") for at in ("a1", "b1", "b2", "c2"))
    root = drawn(Scene(ground, marks=(*marks, Mark("d4", "badge", "king"))))
    lines = [path for path in root.iter(f"{SVG}path") if path.get("fill") == "none" and path.get("d")]
    casing, outline = lines[-2:]
    assert casing.get("d") == outline.get("d") and outline.get("stroke") == COLOURS["red"]
    counted = Counter(ends(outline.get("d") or ""))
    assert len(counted) >= 8 and not [end for end in counted if end in {(-50, 50), (250, 250)}]
    assert [text.text for text in root.iter(f"{SVG}text")] == ["3", "king"], (
        "a tag for the group, and the badge"
    )


def test_cells_that_touch_have_no_line_between_them() -> None:
    ground = squares("a1", "b1")
    (alone,), (whole,) = (
        find_groups([Mark(at, "group") for at in names]) for names in (("a1",), ("a1", "b1"))
    )
    cells = {cell.id: cell for cell in ground.cells}
    assert group_outline([cells[at] for at in alone.cells], 0).count("M") == 4
    assert group_outline([cells[at] for at in whole.cells], 0).count("M") == 6


def test_a_group_inside_another_group_has_its_outline_further_inside() -> None:
    marks = [Mark(at, "group", "block", "red") for at in ("a1", "b1")] + [Mark("b1", "group", "pair", "N")]
    assert [(group.cells, group.depth) for group in find_groups(marks)] == [(["a1", "b1"], 0), (["b1"], 1)]
    (cell,) = squares("a1").cells
    outer, inner = (ends(group_outline([cell], depth)) for depth in (0, 1))
    assert min(outer) < min(inner) and max(inner) < max(outer)


def boxes(root: ET.Element) -> list[tuple[float, float, float, float]]:
    """Return left, top, right and bottom of the tags."""
    found = []
    for body in root.iter(f"{SVG}g"):
        rect = body.find(f"{SVG}rect")
        if rect is not None and rect.get("rx") == "7":
            x, y = map(float, re.findall(r"-?[\d.]+", body.get("transform") or ""))
            found.append((x, y, x + float(rect.get("width") or 0), y + float(rect.get("height") or 0)))
    return found


def test_the_tag_of_a_group_is_inside_its_outline_and_covers_no_piece() -> None:
    ground = squares("a1", "b1", "b2", "c2", "d4")
    names = ("a1", "b1", "b2", "c2")
    marks = tuple(Mark(at, "group", "home", "red") for at in names)
    pieces = tuple(Piece(at, "disc", "red") for at in ("b1", "b2"))
    ((left, top, right, bottom),) = boxes(drawn(Scene(ground, pieces, marks=marks)))
    assert left > -45 and right < 245 and top > 55 and bottom < 245, "inside the cells"
    for x, y in ((100, 100), (100, 200)):  # discs with a radius of 40
        across, down = max(left - x, x - right, 0), max(top - y, y - bottom, 0)
        assert across**2 + down**2 > 36**2, "at most the edge of the piece is covered"


def test_a_badge_is_on_an_empty_cell_of_its_zone() -> None:
    cells = tuple(Cell(name, at, 0, zone="zone 1") for at, name in enumerate("abc"))
    for taken, place in (("", 0), ("a", 100), ("ab", 200)):
        pieces = tuple(Piece(at, "die", "red", "1") for at in taken)
        ((left, _, right, _),) = boxes(
            drawn(Scene(BoardLayout(cells), pieces, marks=(Mark("a", "badge", "1"),)))
        )
        assert left < place < right, taken


def test_a_tag_is_on_no_cell_of_a_group_inside_its_group() -> None:
    ground = squares("a1", "b1", "c1", "a2", "b2", "c2")
    block = [Mark(cell.id, "group", "1 block", "red") for cell in ground.cells]
    pair = [Mark(at, "group", "2 pair", "N") for at in ("b1", "c1")]
    (block_tag, pair_tag) = boxes(drawn(Scene(ground, marks=(*block, *pair))))
    assert block_tag[2] < 100 - 40 and pair_tag[0] > 100 - 50, "beside the pair, and on it"


def test_the_last_piece_of_a_stack_is_on_top_and_a_high_stack_has_its_number() -> None:
    ground = BoardLayout((Cell("a", 0, 0, stacked=True),))
    pieces = tuple(Piece("a", "disc", seat) for seat in ("red", "N", "N", "N", "red"))
    words = [text.text for text in drawn(Scene(ground, pieces)).iter(f"{SVG}text")]
    assert words == ["R", "N", "N", "N", "R", "×5"]
    places = stack_places(5, ground.cells[0])
    assert [y for _, y, _ in places] == sorted((y for _, y, _ in places), reverse=True)
    assert [count for _, count in stack_pieces(pieces)] == [1, 1, 1, 1, 5]
    assert [count for _, count in stack_pieces(pieces[:3])] == [1, 1, 1]


def test_several_tiles_are_a_fan() -> None:
    ground = BoardLayout((Cell("hand", 0, 0, "tray", label="hand", w=3),))
    tiles = (Piece("hand", "tile", "red", "7"), *[Piece("hand", "tile", "red", hidden=True)] * 3)
    root = drawn(Scene(ground, tiles))
    cards = [rect for rect in root.iter(f"{SVG}rect") if rect.get("stroke")]
    assert len(cards) == 4
    assert [text.text for text in root.iter(f"{SVG}text")] == ["hand", "7", "×3"]


def test_icons_replace_the_text_of_pieces_except_dice_and_hidden_ones() -> None:
    icon = "M-20 20H20V-20Z"
    ground = BoardLayout((Cell("a", 0, 0), Cell("b", 1, 0), Cell("c", 2, 0)), icons=(("3", icon),))
    pieces = (
        Piece("a", "token", "red", "3"),
        Piece("b", "die", "red", "3"),
        Piece("c", "token", "red", "3", hidden=True),
    )
    root = drawn(Scene(ground, pieces))
    assert [path.get("d") for path in root.iter(f"{SVG}path")].count(icon) == 1
    assert [text.text for text in root.iter(f"{SVG}text")] == ["?"]


def test_coordinates_are_hidden_below_pieces() -> None:
    ground = BoardLayout((Cell("a", 0, 0), Cell("b", 1, 0)), words=(Word("one", 0, 0), Word("two", 1, 0)))
    words = [text.text for text in drawn(Scene(ground, (Piece("a", "die", "red", "3"),))).iter(f"{SVG}text")]
    assert words == ["two"]


def test_an_empty_ground_and_marks() -> None:
    assert drawn(Scene(BoardLayout(()))).tag == f"{SVG}svg"
    marked = drawn(Scene(BoardLayout((Cell("a", 0, 0, "disc"),)), marks=(Mark("a", "from"),)))
    assert len(list(marked.iter(f"{SVG}ellipse"))) == 2


def test_equal_pieces_of_a_long_tray_are_a_row_of_one_size() -> None:
    tray = Cell("point", 0, 0, "tray", h=4.6)
    for count, number in ((1, 1), (5, 1), (15, 15)):
        row = place_pieces([Piece("point", "disc", "red")] * count, tray)
        assert {scale for _, _, (_, _, scale) in row} == {0.94 * 1.5}
        assert [shown for _, shown, _ in row] == [1] * (count - 1) + [number]
        downs = [y for _, _, (_, y, _) in row]
        assert downs == sorted(downs)
        assert downs[-1] + 47 <= 230, "the row is inside the tray"
    mixed = place_pieces([Piece("point", "disc", "red"), Piece("point", "disc", "N")] * 4, tray)
    assert {scale for _, _, (_, _, scale) in mixed} != {0.94 * 1.5}


def test_a_board_of_few_cells_is_not_enlarged_beyond_reason() -> None:
    assert extent([Cell("a", 0, 0), Cell("b", 1, 0)])[2] == 400
    assert extent([Cell("a", 0, 0), Cell("b", 9, 0)])[2:] == (1024, 124)
