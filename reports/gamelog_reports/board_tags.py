"""Places of the tags of groups and badges, where they cover no words and pieces.

Counterpart of tags.js.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamelog.play.contract.scene import Cell, Piece
from gamelog_reports.board_geometry import Spot, U, header, outline

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""

TAG_HEIGHT = 21
"""Height of a tag."""

_GAP, _NESTED_GAP = 6, 4
"""Distance of a tag from the edge of a cell inside an outline, and more for each outline around it."""

_EDGE = 4
"""The part of a word or piece that a tag may cover."""

_PIECE = 22
"""Half the width of a piece without its round corners."""


def tag_width(text: str) -> float:
    """Return the width of a tag."""
    return 2 + 16 * len(text)


def cell_box(cell: Cell) -> Box:
    """Return the box of a cell."""
    return _around(cell.x * U, cell.y * U, cell.w * U / 2, cell.h * U / 2)


def boxes_on(cell: Cell, tiles: Sequence[Piece], spots: Iterable[Spot]) -> list[Box]:
    """Return the boxes of the words and pieces on a cell."""
    wide, high, top = cell.w * U, cell.h * U, header(cell)

    def box(y: float, half_width: float, half_height: float, x: float = 0) -> Box:
        return _around(cell.x * U + x, cell.y * U + y, half_width, half_height)

    found: list[Box] = []
    if top:
        found.append(box((top - high) / 2, wide * 0.35, top / 2))
    elif cell.label:
        half = (0.433 if cell.shape == "hex" else 0.5) * high
        found.append(box(12 - half, min(wide, 10 * len(cell.label)) / 2, 9))
    if len(tiles) > 1 or (tiles and cell.shape == "tray"):
        found.append(box(top / 2, wide * 0.47, (high - top) * 0.43))
    elif tiles and tiles[0].seat:
        found.append(box(0, wide * 0.3, high * 0.3))
    elif tiles:
        found.append(box(high * 0.4 - 4, min(wide, 8 * len(tiles[0].text)) / 2, 7))
    found += [box(y, _PIECE * scale, _PIECE * scale, x) for _, _, (x, y, scale) in spots]
    return found


def place_tag(cells: Sequence[Cell], text: str, obstacles: Sequence[Box], depth: int) -> Box:
    """Return the box for the tag of a group inside all outlines around its cells.

    Args:
        cells: The cells of the group.
        text: The text of the tag.
        obstacles: The boxes that the tag does not cover, if it has room elsewhere.
        depth: The depth of the innermost outline around the cells.
    """
    corners, middles = _places(cells, text, _GAP + _NESTED_GAP * depth)
    return _freest([*corners, *middles], obstacles)


def place_badge(cells: Sequence[Cell], text: str, obstacles: Sequence[Box]) -> Box:
    """Return the box for a badge of the first of `cells`. If it has no room there, it is on another one."""
    corners, middles = _places(cells, text, 2)
    return _freest([*middles, *corners], obstacles)


def _around(x: float, y: float, half_width: float, half_height: float) -> Box:
    return x - half_width, y - half_height, x + half_width, y + half_height


def _places(cells: Sequence[Cell], text: str, gap: float) -> tuple[list[Box], list[Box]]:
    """Return the boxes at the corners of cells, with a `gap` around them on the cells, and in the middles."""
    wide, high = tag_width(text) / 2, TAG_HEIGHT / 2
    corners = [(cell.x * U + x, cell.y * U + y) for cell in cells for x, y in outline(cell)]
    boxes = [
        _around(x + right * (wide + gap), y + down * (high + gap), wide, high)
        for x, y in corners
        for right in (-1, 0, 1)
        for down in (-1, 0, 1)
    ]
    inside = [box for box in boxes if _is_inside(box, cells, gap - 1)]
    middles = [_around(cell.x * U, cell.y * U, wide, high) for cell in cells]
    return sorted(inside, key=lambda box: (box[1], -box[0])), middles


def _is_inside(box: Box, cells: Sequence[Cell], gap: float) -> bool:
    left, top, right, bottom = box
    return all(
        any(abs(x / U - cell.x) <= cell.w / 2 and abs(y / U - cell.y) <= cell.h / 2 for cell in cells)
        for x in (left - gap, right + gap)
        for y in (top - gap, bottom + gap)
    )


def _freest(places: Sequence[Box], obstacles: Sequence[Box]) -> Box:
    """Return the first place that covers no obstacle, or the place that covers the least."""
    covers = [max((_overlap(box, one) for one in obstacles), default=0) for box in places]
    free = (box for box, depth in zip(places, covers, strict=True) if depth < _EDGE)
    return next(free, places[covers.index(min(covers))])


def _overlap(box: Box, other: Box) -> float:
    """Return how far two boxes cover each other."""
    return min(box[2] - other[0], other[2] - box[0], box[3] - other[1], other[3] - box[1])
