"""Geometry of board pictures: outlines of cells, edges of zones, places of pieces that share a cell."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import compress
from math import ceil
from typing import Any

from msgspec import Struct

from gamelog.play.contract.scene import LETTER, Cell, Mark, Piece, Word
from gamelog_reports.bundle import asset

U = 100
"""The width of a cell in units of the picture."""

MARGIN = 12
"""Margin around the board in units of the picture."""
_LEAST_WIDTH, _LEAST_HEIGHT = 400, 300
"""Sizes of a picture, at least one of which it has, so that a few cells are not too large."""

_MAX_SINGLE_PIECES = 9
"""Maximum number of pieces drawn one by one on a cell. With more, equal pieces become one with a number."""

_INSET, _NESTED = 0.06, 0.08
"""Distance of a group's outline from the edge, and from an outline around it, as shares of half a cell."""


def header(cell: Cell) -> float:
    """Return the height of the strip for the name of a tray."""
    return min(max(cell.h * U * 0.15, 24), 44) if cell.shape == "tray" and cell.label else 0


class Fan(Struct, frozen=True):
    """Measures of several tiles of one cell: side by side, as a fan, or as a pile of face-down tiles.

    Attributes:
        tiles: The visible tiles.
        top: Height of the cell's name above the tiles.
        width: Width of a tile.
        height: Height of a tile.
        step: Distance from a tile to the next one.
        turn: Angle between a tile and the next one, in degrees.
        is_spread: Whether the tiles do not overlap.
    """

    tiles: Sequence[Piece]
    top: float
    width: float
    height: float
    step: float
    turn: float
    is_spread: bool

    @classmethod
    def of(cls, cell: Cell, tiles: Sequence[Piece]) -> Fan:
        """Return the fan of `tiles` on a cell."""
        top = header(cell)
        wide, height = cell.w * U * 0.94, (cell.h * U - top) * 0.86
        width = min(height * 0.7, wide * 0.6)
        room = (wide - width) / max(len(tiles) - 1, 1)
        if room < width * 0.2 and all(tile.hidden for tile in tiles):
            return cls(tiles[-4:], top, width, height, width * 0.06, 0, False)
        apart = room >= width * 1.06
        turn = 0 if apart else min(4, 12 / len(tiles))
        return cls(tiles, top, width, height, min(width * 1.06, room), turn, apart)


_STACK_SCALE, _STACK_STEP, _STACK_HIGH = 0.72, 10, 32
"""Size of the pieces of a stack, and the largest distances between two of them and between all of them."""

_STACK_COUNTED, _STACK_VISIBLE = 3, 6
"""Largest number of pieces in a stack without a number, and of pieces that are drawn."""

Point = tuple[float, float]


@cache
def shapes() -> dict[str, Any]:
    """Return the shapes that pages and pictures share."""
    known: dict[str, Any] = json.loads(asset("shapes.json"))
    return known


def extent(cells: Sequence[Cell], words: Sequence[Word] = ()) -> tuple[float, float, float, float]:
    """Return left, top, width and height of the drawing in units, with a margin."""
    ranges: list[tuple[float, float]] = []
    for axis, size in (("x", "w"), ("y", "h")):
        ends = [getattr(cell, axis) + side * getattr(cell, size) / 2 for cell in cells for side in (-1, 1)]
        for word in words:
            half = LETTER * len(word.text) / 2 if axis == "x" else 0.25
            ends += [getattr(word, axis) - half, getattr(word, axis) + half]
        low, high = min(ends, default=0) * U - MARGIN, max(ends, default=1) * U + MARGIN
        ranges.append((low, high - low))
    (left, width), (top, height) = ranges
    more = max(0, min(_LEAST_WIDTH / width, _LEAST_HEIGHT / height) - 1) / 2
    return left - width * more, top - height * more, width * (1 + 2 * more), height * (1 + 2 * more)


def tenths(value: float) -> str:
    """Return a number of units as text, with at most one decimal."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def outline(cell: Cell) -> list[tuple[float, float]]:
    """Return the corners of a cell around its centre."""
    return [(x * cell.w * U, y * cell.h * U) for x, y in shapes()["hex" if cell.shape == "hex" else "square"]]


def wedge(cell: Cell, side: int) -> list[Point]:
    """Return the corners of the triangle of a ``point`` around its centre, with the base at a `side`."""
    base, tip = side * max(cell.w, cell.h) * U / 2, -0.44 * side * max(cell.w, cell.h) * U
    half = min(cell.w, cell.h) * U / 2
    corners = ((-half, base), (half, base), (0.0, tip))
    return [(y, x) for x, y in corners] if cell.w > cell.h else [*corners]


def _corners(cell: Cell) -> list[Point]:
    """Return the corners of a cell on the board."""
    return [(cell.x * U + x, cell.y * U + y) for x, y in outline(cell)]


def _edge_keys(corners: Sequence[Point]) -> list[tuple[int, int]]:
    """Return a key for each edge of a cell. Cells that touch have the same key for their common edge."""
    ends = [*corners[1:], corners[0]]
    return [(round((x + u) / 8), round((y + v) / 8)) for (x, y), (u, v) in zip(corners, ends, strict=True)]


def _line(start: Point, end: Point) -> str:
    return f"M{tenths(start[0])} {tenths(start[1])}L{tenths(end[0])} {tenths(end[1])}"


def borders(cells: Iterable[Cell]) -> str:
    """Return a path along the edges between zones and around them."""
    edges: dict[tuple[int, int], tuple[list[str], str]] = {}
    for cell in cells:
        corners = _corners(cell)
        for side, key in enumerate(_edge_keys(corners)):
            path = _line(corners[side], corners[(side + 1) % len(corners)])
            edges.setdefault(key, ([], path))[0].append(cell.zone)
    return "".join(
        path for zones, path in edges.values() if (zones[0] if len(zones) == 1 else zones[0] != zones[1])
    )


class Group(Struct):
    """A group of cells with one outline.

    Attributes:
        mark: One of its marks.
        cells: The ids of its cells.
        depth: The number of other outlines around it.
    """

    mark: Mark
    cells: list[str]
    depth: int = 0


def find_groups(marks: Iterable[Mark]) -> list[Group]:
    """Return the groups that `marks` name. A group is inside the groups before it on its cells."""
    groups: dict[tuple[str, str | None], Group] = {}
    outlines: dict[str, int] = {}
    for mark in marks:
        if mark.kind == "group":
            group = groups.setdefault((mark.text, mark.seat), Group(mark, []))
            group.cells.append(mark.at)
            depth = outlines[mark.at] = outlines.get(mark.at, -1) + 1
            group.depth = max(group.depth, depth)
    return [*groups.values()]


def group_outline(cells: Iterable[Cell], depth: int) -> str:
    """Return a path inside the edges of a group of cells, `depth` outlines away from the edges."""
    part = _INSET + _NESTED * depth
    sides = [((cell.x * U, cell.y * U), corners := _corners(cell), _edge_keys(corners)) for cell in cells]
    shared = Counter(key for _, _, keys in sides for key in keys)
    path = ""
    for middle, corners, keys in sides:
        count, outer = len(corners), [shared[key] == 1 for key in keys]
        for index in compress(range(count), outer):
            next_ = (index + 1) % count
            before, after = corners[index - 1], corners[(index + 2) % count]
            ends = (
                (corners[index], corners[next_], before, outer[index - 1]),
                (corners[next_], corners[index], after, outer[next_]),
            )
            path += _line(*(_inner_end(*end, middle, part, count) for end in ends))
    return path


def _inner_end(
    corner: Point, other: Point, beside: Point, is_outer: bool, middle: Point, part: float, count: int
) -> Point:
    """Return the end near `corner` of the line inside the edge from `corner` to `other`.

    Args:
        corner: A corner of a cell.
        other: The other end of the edge.
        beside: The other end of the next edge at this corner.
        is_outer: Whether the outline follows the next edge. Otherwise, another cell of the group is there.
        middle: The middle of the cell.
        part: The distance from the edge, as a share of the way to the middle.
        count: The number of corners.
    """
    if is_outer:
        return _point_between(corner, middle, part)
    along = part * (count - 2) / 4
    x, y = _point_between(corner, beside, along)
    if count == 4:  # four squares meet at a corner, so that the outline may turn in the next cell
        x, y = x + (corner[0] - other[0]) * along, y + (corner[1] - other[1]) * along
    return x, y


def _point_between(start: Point, end: Point, part: float) -> Point:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def group_pieces(pieces: Sequence[Piece]) -> list[tuple[Piece, int]]:
    """Return the pieces, each with its number: 1, unless there are so many that equal pieces are grouped."""
    if len(pieces) <= _MAX_SINGLE_PIECES:
        return [(piece, 1) for piece in pieces]
    kinds: dict[tuple[object, ...], tuple[Piece, int]] = {}
    for piece in pieces:
        look = (piece.kind, piece.seat, piece.text, piece.hidden)
        first, count = kinds.get(look, (piece, 0))
        kinds[look] = (first, count + 1)
    return list(kinds.values())


def stack_places(count: int, cell: Cell) -> list[tuple[float, float, float]]:
    """Return the places and the scale of the pieces of a stack, from the lowest one."""
    ((x, y, scale),) = piece_places(1, cell)
    size = scale * _STACK_SCALE
    step = min(_STACK_STEP, _STACK_HIGH / max(count - 1, 1)) * size
    return [(x, y + ((count - 1) / 2 - index) * step, size) for index in range(count)]


def stack_pieces(pieces: Sequence[Piece]) -> list[tuple[Piece, int]]:
    """Return the visible pieces of a stack. The highest one has the number of all pieces of a high stack."""
    count = len(pieces) if len(pieces) > _STACK_COUNTED else 1
    *below, top = pieces[-_STACK_VISIBLE:]
    return [*((piece, 1) for piece in below), (top, count)]


def piece_places(count: int, cell: Cell) -> list[tuple[float, float, float]]:
    """Return the places of `count` pieces in a cell and their scale, as large as possible."""
    hexagonal = cell.shape == "hex"
    wide, high = (
        cell.w * U * (0.8 if hexagonal else 0.94),
        cell.h * U * (0.8 if hexagonal else 0.84 if cell.label else 0.94),
    )
    columns = max(
        range(1, count + 1),
        key=lambda tried_columns: (
            min(wide / tried_columns, high / ceil(count / tried_columns)),
            tried_columns,
        ),
        default=1,
    )
    rows = ceil(count / columns)
    size = min(wide / columns, high / max(rows, 1), U)
    down = 6 if cell.label and cell.shape != "disc" else 0
    out: list[tuple[float, float, float]] = []
    for index in range(count):
        row, column = divmod(index, columns)
        across = count - row * columns if row == rows - 1 else columns
        x, y = (column - (across - 1) / 2) * size, (row - (rows - 1) / 2) * size + down
        out.append((x, y, size / U * (1.3 if count > 1 else 1.08 if cell.label else 1.45)))
    return out


_FLAG_SCALE, _FLAG_OFFSET = 0.62, 22
"""Size of a flag on the cell of another piece, and its distance from the middle, to the right and up."""

_CARRIER_SCALE, _CARRIER_OFFSET = 0.9, 4
"""Size of the piece in front of a flag, and its distance from the middle, to the left and down."""

Spot = tuple[Piece, int, tuple[float, float, float]]
"""A visible piece, the number that it shows if it is not 1, and its place and scale."""


def outer_side(cell: Cell, area: tuple[float, float, float, float]) -> int:
    """Return the side of a board of the extent `area` on which a long cell is: -1, 0 or 1."""
    left, top, width, height = area
    off = cell.x * U - left - width / 2 if cell.w > cell.h else cell.y * U - top - height / 2
    return 0 if abs(off) < 0.5 else 1 if off > 0 else -1


def place_pieces(pieces: Sequence[Piece], cell: Cell, side: int = 0) -> list[Spot]:
    """Return the visible `pieces` of a cell without its tiles, in a row, a stack or side by side.

    A row in a tray without a name begins at the end that is on the outer `side` (`outer_side`). A flag on the
    cell of one other piece is small, behind this piece and above its right side.
    """
    row = _row(pieces, cell, 0 if cell.label else side)
    if row is not None:
        return row
    if len(pieces) == 2 and sorted(piece.kind == "flag" for piece in pieces) == [False, True]:
        flag, other = sorted(pieces, key=lambda piece: piece.kind != "flag")
        ((x, y, scale),) = piece_places(1, cell)
        off, by = _FLAG_OFFSET * scale, _CARRIER_OFFSET * scale
        return [
            (flag, 1, (x + off, y - off, scale * _FLAG_SCALE)),
            (other, 1, (x - by, y + by, scale * _CARRIER_SCALE)),
        ]
    is_stack = cell.stacked and len(pieces) > 1
    standing = stack_pieces(pieces) if is_stack else group_pieces(pieces)
    places = (stack_places if is_stack else piece_places)(len(standing), cell)
    return [(piece, count, place) for (piece, count), place in zip(standing, places, strict=True)]


def _row(pieces: Sequence[Piece], cell: Cell, side: int) -> list[Spot] | None:
    """Return equal pieces of a long tray or point in a row, or None.

    The row begins at a `side`, or is in the middle. A row that is too long overlaps, and its last piece has
    the number of the pieces.
    """
    top = header(cell)
    wide, high = cell.w * U * 0.94, cell.h * U * 0.94 - top
    size, looks = min(wide, high, U), {(piece.kind, piece.seat, piece.text, piece.hidden) for piece in pieces}
    if cell.shape not in ("tray", "point") or wide + high < 3 * size or len(looks) > 1:
        return None
    last = len(pieces) - 1
    step = min(size, (max(wide, high) - size) / max(last, 1))
    row: list[Spot] = []
    for index, piece in enumerate(pieces):
        off = side * ((max(wide, high) - size) / 2 - index * step) if side else (index - last / 2) * step
        x, y = (off, top / 2) if wide > high else (0.0, top / 2 + off)
        count = 1 if index < last or step > size * 0.6 else len(pieces)
        row.append((piece, count, (x, y, size / U * 1.5)))
    return row
