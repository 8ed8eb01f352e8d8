"""A board that grows: only the cells near used cells are visible, with the trays and words beside them."""

from __future__ import annotations

import re

from gamelog_reports.board_svg import scene_svg
from msgspec import structs

from gamelog.play.contract.growing_board import visible_ground, visible_scene
from gamelog.play.contract.scene import BoardLayout, Cell, Link, Piece, Scene, Word, rim
from gamelog.play.rendering.ascii_board import ascii_board, plain_lines

SQUARES = [Cell(f"{'abcdefg'[x]}{y + 1}", x, y) for x in range(7) for y in range(7)]
TRAYS = (Cell("hand", 3, 8, "tray", label="hand", w=3), Cell("prison", -2, 3, "tray", label="prison"))
LAYOUT = BoardLayout(
    (*SQUARES, *TRAYS),
    (Link("d4", "e4"), Link("a1", "b1")),
    words=rim(((cell.id[0], cell.id[1:], cell) for cell in SQUARES), (), both=False),
    margin=1,
)


def places(layout: BoardLayout) -> dict[str, tuple[float, float]]:
    return {cell.id: (cell.x, cell.y) for cell in layout.cells}


def test_a_board_without_a_margin_is_shown_whole() -> None:
    layout = structs.replace(LAYOUT, margin=0)
    assert visible_ground(layout, {"d4"}) is layout
    assert visible_scene(scene := Scene(layout)) is scene


def test_an_empty_board_shows_its_middle_and_a_used_board_a_rectangle() -> None:
    empty = places(visible_ground(LAYOUT, ()))
    assert empty.keys() - {"hand", "prison"} == {f"{x}{y}" for x in "cde" for y in (3, 4, 5)}
    used = visible_ground(LAYOUT, {"d4", "f5", "hand"})
    assert places(used).keys() - {"hand", "prison"} == {f"{x}{y}" for x in "cdefg" for y in (3, 4, 5, 6)}
    assert used.links == (Link("d4", "e4"),)


def test_trays_keep_their_distance_and_words_name_the_visible_lines() -> None:
    shown = visible_ground(LAYOUT, {"d4", "e4"})
    assert places(shown)["d4"] == places(LAYOUT)["d4"], "cells do not move"
    assert places(shown)["hand"] == (3.5, 8 - 6 + 4), "below the last row, and in the middle of the columns"
    assert places(shown)["prison"] == (-2 + 2, 3), "left of the first column, and in the middle of the rows"
    assert {word.text for word in shown.words} == {*"cdef", *"345"}
    tops = {word.y for word in shown.words if word.text in "cdef"}
    lefts = {word.x for word in shown.words if word.text in "345"}
    assert (tops, lefts) in [({y}, {x}) for y in (2 - 0.78, 4 + 0.78) for x in (2 - 0.63, 5 + 0.63)]


def test_hexagons_grow_by_whole_columns_and_rows() -> None:
    hexes = [Cell(f"{x},{y}", x * 0.75, (y + x % 2 / 2) * 0.866, "hex") for x in range(9) for y in range(9)]
    layout = BoardLayout(tuple(hexes), (), words=(Word("0", 0, -1),), margin=0.9)
    shown = visible_ground(layout, {"4,4"})
    assert {cell.id for cell in shown.cells} == {"4,3", "4,4", "4,5", "3,3", "3,4", "5,3", "5,4"}
    assert shown.words == ()


def test_pictures_and_terminals_show_the_visible_part() -> None:
    scene = Scene(LAYOUT, (Piece("d4", "disc", "red"),))
    assert plain_lines(ascii_board(scene, {"red": "r"})).splitlines() == [
        "  c d e",
        "3 . . .",
        "4 . R .",
        "5 . . .",
    ]
    box = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', scene_svg(scene, seats=("red",)))
    whole = re.search(
        r'viewBox="\S+ \S+ (\S+) (\S+)"',
        scene_svg(structs.replace(scene, ground=structs.replace(LAYOUT, margin=0)), seats=("red",)),
    )
    assert box and whole
    assert float(box[2]) == float(whole[2]) - 400, "four rows less"
