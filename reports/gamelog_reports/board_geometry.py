"""Geometry of board pictures: outlines of cells, edges of zones, places of pieces that share a cell."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from math import ceil
from typing import Any

from gamelog.play.contract.scene import Cell, Piece, Word
from gamelog_reports.bundle import asset

U = 100
"""The width of a cell in units of the picture."""

MARGIN = 12
"""Margin around the board in units of the picture."""
_MAX_SINGLE_PIECES = 9
"""Maximum number of pieces drawn one by one on a cell. With more, equal pieces become one with a number."""


@cache
def shapes() -> dict[str, Any]:
    """Return the shapes that pages and pictures share."""
    known: dict[str, Any] = json.loads(asset("shapes.json"))
    return known


def extent(cells: Sequence[Cell], words: Sequence[Word] = ()) -> tuple[float, float, float, float]:
    """Return left, top, width and height of the drawing in units, with a margin."""
    ranges: list[tuple[float, float]] = []
    for axis, size in (("x", "w"), ("y", "h")):
        ends = [
            getattr(cell, axis) + side * getattr(cell, size) / 2 for cell in cells for side in (-1, 1)
        ] + [getattr(word, axis) + side for word in words for side in (-0.25, 0.25)]
        low, high = min(ends, default=0) * U - MARGIN, max(ends, default=1) * U + MARGIN
        ranges.append((low, high - low))
    (left, width), (top, height) = ranges
    return left, top, width, height


def tenths(value: float) -> str:
    """Return a number of units as text, with at most one decimal."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def outline(cell: Cell) -> list[tuple[float, float]]:
    """Return the corners of a cell around its centre."""
    return [(x * cell.w * U, y * cell.h * U) for x, y in shapes()["hex" if cell.shape == "hex" else "square"]]


def borders(cells: Iterable[Cell]) -> str:
    """Return a path along the edges between zones and around them."""
    edges: dict[tuple[int, int], tuple[list[str], str]] = {}
    for cell in cells:
        corners = outline(cell)
        cx, cy = cell.x * U, cell.y * U
        for (x, y), (u, v) in zip(corners, [*corners[1:], corners[0]], strict=True):
            key = (round((cx + (x + u) / 2) / 4), round((cy + (y + v) / 2) / 4))
            path = f"M{tenths(cx + x)} {tenths(cy + y)}L{tenths(cx + u)} {tenths(cy + v)}"
            edges.setdefault(key, ([], path))[0].append(cell.zone)
    return "".join(
        path for zones, path in edges.values() if (zones[0] if len(zones) == 1 else zones[0] != zones[1])
    )


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
    for at in range(count):
        row, column = divmod(at, columns)
        across = count - row * columns if row == rows - 1 else columns
        x, y = (column - (across - 1) / 2) * size, (row - (rows - 1) / 2) * size + down
        out.append((x, y, size / U * (1.3 if count > 1 else 1.08 if cell.label else 1.45)))
    return out
