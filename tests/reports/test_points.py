"""Tests of points of a board: triangles with their base on the outer side, and rows of pieces that begin there."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from gamelog_reports.board_svg import scene_svg
from gamelog_reports.board_thumbnail import thumbnail

from gamelog.play.contract.scene import BoardLayout, Cell, Piece, Scene

SVG = "{http://www.w3.org/2000/svg}"
POINTS = (Cell("above", 0, 0, "point", "maple", h=4), Cell("below", 0, 5, "point", "walnut", h=4))
ASIDE = (Cell("left", 0, 0, "point", "maple", w=4), Cell("right", 5, 0, "point", "walnut", w=4))


def triangles(scene: Scene) -> list[list[tuple[float, float]]]:
    """Return the corners of the triangles of a picture, each around the centre of its point."""
    found = [
        one.get("points", "").split()
        for one in ET.fromstring(scene_svg(scene, seats=("red",))).iter(f"{SVG}polygon")
    ]
    return [
        [(float(x), float(y)) for x, y in (pair.split(",") for pair in one)] for one in found if len(one) == 3
    ]


@pytest.mark.parametrize(("cells", "axis"), [(POINTS, 1), (ASIDE, 0)])
def test_the_base_of_a_point_is_on_the_outer_side(cells: tuple[Cell, ...], axis: int) -> None:
    first, second = triangles(Scene(BoardLayout(cells)))
    assert [corner[axis] for corner in first][:2] == [-200, -200]
    assert [corner[axis] for corner in second][:2] == [200, 200]
    assert first[2][axis] > 150
    assert second[2][axis] < -150


def test_a_small_picture_has_the_triangles_in_the_colours_of_their_kinds() -> None:
    board = thumbnail(Scene(BoardLayout(POINTS)), ("red",)).board
    assert '"k-maple"' in board
    assert '"k-walnut"' in board


def test_equal_pieces_begin_at_the_base_of_their_point() -> None:
    pieces = tuple(Piece(cell.id, "disc", "red") for cell in POINTS for _ in range(2))
    picture = scene_svg(Scene(BoardLayout(POINTS), pieces), seats=("red",))
    places = [
        float(one.get("transform", "").split("(")[1].split(")")[0].split()[1])
        for one in ET.fromstring(picture).iter(f"{SVG}g")
        if "scale" in one.get("transform", "")
    ]
    assert places[0] < places[1] < 0
    assert places[2] > places[3] > 0
