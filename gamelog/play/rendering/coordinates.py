"""Columns and rows of a board, read from the names of its squares: ``k11`` is in column k and in row 11."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from gamelog.play.contract.scene import Cell

_SQUARE = re.compile(r"(?P<grid>.*?)(?P<letter>[A-Za-z]+)(?P<number>\d+)")
"""Name of a square. The squares of one grid begin with the same text: ``M.a1`` and ``M.b1``."""


class Grid(NamedTuple):
    """Squares in straight lines, with the name of each column by its x and of each row by its y."""

    columns: dict[float, str]
    rows: dict[float, str]
    squares: frozenset[str]


def cell_name(cell: Cell) -> str:
    """Return the name of a cell as people type it."""
    return cell.label or cell.id


def find_grids(cells: Iterable[Cell]) -> list[Grid]:
    """Return the grids of a board: at least two columns and two rows of squares with regular names."""
    named: dict[str, list[tuple[str, str, Cell]]] = {}
    for cell in cells:
        match = _SQUARE.fullmatch(cell_name(cell))
        if match:
            named.setdefault(match["grid"], []).append((match["letter"], match["number"], cell))
    grids: list[Grid] = []
    for prefix, squares in named.items():
        grid = max(
            (_grid(prefix, squares, turned) for turned in (False, True)),
            key=lambda found_grid: len(found_grid.squares),
        )
        if len(grid.columns) > 1 and len(grid.rows) > 1:
            grids.append(grid)
    return grids


def _grid(prefix: str, squares: list[tuple[str, str, Cell]], turned: bool) -> Grid:
    """Return the grid of the `squares`, each with its letter and number.

    The letters name columns, or rows if the grid is `turned`. Squares that are not in a straight line with
    the others of their letter and number are left out.
    """
    across, along = ("y", "x") if turned else ("x", "y")
    letters = _straight([(letter, getattr(cell, across)) for letter, _, cell in squares])
    inside = [square for square in squares if letters.get(getattr(square[2], across)) == square[0]]
    numbers = _straight([(number, getattr(cell, along)) for _, number, cell in inside])
    inside = [square for square in inside if numbers.get(getattr(square[2], along)) == square[1]]
    used = {getattr(cell, across) for _, _, cell in inside}
    named = {place: f"{prefix}{letter}" for place, letter in letters.items() if place in used}
    used = {getattr(cell, along) for _, _, cell in inside}
    numbered = {place: number for place, number in numbers.items() if place in used}
    columns, rows = (numbered, named) if turned else (named, numbered)
    return Grid(columns, rows, frozenset(cell.id for _, _, cell in inside))


def _straight(places: list[tuple[str, float]]) -> dict[float, str]:
    """Return the name at each place. A name is at one place only, and the more frequent name is kept."""
    coordinates: dict[str, list[float]] = {}
    for name, place in places:
        coordinates.setdefault(name, []).append(place)
    lines: dict[float, str] = {}
    for name, line in sorted(coordinates.items(), key=lambda item: -len(item[1])):
        if len(set(line)) == 1:
            lines.setdefault(line[0], name)
    return lines
