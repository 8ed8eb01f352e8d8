"""Cells of a board as lines of text, with coordinates, for the part of the board that fits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise

from gamelog.play.contract.scene import Cell, Word
from gamelog.play.rendering.coordinates import Grid

Run = tuple[str, str | None]
"""A part of a line, and the seat in whose colour it can be shown."""

Lines = list[list[Run]]

_Placed = dict[float, list[tuple[int, str, str | None]]]
"""Texts on each line, by its y: the first column of each text, the text and its seat."""

CHANGED_MARK = "*"
"""Mark after a cell that looks different than before."""


def display_width(text: str) -> int:
    """Return the number of terminal columns of `text`: 2 for a wide letter, 0 for a combining mark."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    return max(0, wcswidth(text))


def lines_width(lines: Lines) -> int:
    """Return the width of the longest line."""
    return max((sum(display_width(run) for run, _ in line) for line in lines), default=0)


class BoardText:
    """Board as text: what is on each cell, and in which colour.

    Args:
        cells: The cells.
        texts: The text on each cell, by its id.
        seats: The seat in whose colour each cell is shown.
        grids: The grids whose columns and rows are named at their edge.
        words: Other text at the edge of the board.
        room: Minimum number of columns for a cell.
        changed: The cells that get a mark.
    """

    def __init__(
        self,
        cells: Sequence[Cell],
        texts: Mapping[str, str],
        seats: Mapping[str, str | None],
        grids: Sequence[Grid],
        words: Sequence[Word],
        room: int,
        changed: Collection[str],
    ) -> None:
        self.cells = cells
        self._texts, self._seats, self._changed_cells = texts, seats, changed
        self._grids, self._words, self._room = grids, words, room

    def draw(self, visible: Sequence[Cell]) -> Lines:
        """Return the `visible` cells as lines, one for each y. No two texts touch."""
        rows: dict[float, list[Cell]] = {}
        for cell in visible:
            rows.setdefault(round(cell.y, 2), []).append(cell)
        left = min((cell.x for cell in visible), default=0.0)
        scale = self._scale(rows)

        def column(x: float) -> int:
            return int((x - left) * scale + 0.5)

        lines: _Placed = {
            y: [
                (column(cell.x), self._texts[cell.id] + self._mark(cell), self._seats.get(cell.id))
                for cell in row
            ]
            for y, row in rows.items()
        }
        for grid in self._grids:
            _name_columns(lines, grid, visible, column)
            _name_rows(lines, grid, visible, column)
        if len(visible) == len(self.cells):
            for word in self._words:
                _add_text(lines, _line_at(lines, round(word.y, 2)), column(word.x), word.text)
        return _join_runs(lines)

    def _mark(self, cell: Cell) -> str:
        return CHANGED_MARK if cell.id in self._changed_cells else ""

    def _scale(self, rows: dict[float, list[Cell]]) -> float:
        """Return the number of columns for one cell width."""
        scale = 1.0
        for row in rows.values():
            row.sort(key=lambda cell: cell.x)
            for cell, right in pairwise(row):
                if right.x > cell.x:
                    needed = max(display_width(self._texts[cell.id]), self._room) + 1
                    scale = max(scale, needed / (right.x - cell.x))
        return scale

    def window(self, width: int, height: int, focus: Collection[str]) -> Sequence[Cell]:
        """Return the cells of the part of the board that fits, with as many cells of `focus` as possible."""
        ys, xs = (sorted({round(getattr(cell, axis), 2) for cell in self.cells}) for axis in "yx")
        tall, wide = len(ys), len(xs)
        while True:
            rows = _best_part(ys, tall, [round(cell.y, 2) for cell in self.cells if cell.id in focus])
            inside = [cell for cell in self.cells if round(cell.y, 2) in rows]
            columns = _best_part(xs, wide, [round(cell.x, 2) for cell in inside if cell.id in focus])
            visible = [cell for cell in inside if round(cell.x, 2) in columns]
            lines = self.draw(visible)
            if len(lines) > height and tall > 1:
                tall = max(1, min(tall - 1, tall - (len(lines) - height)))
            elif lines_width(lines) > width and wide > 1:
                wide -= 1
            else:
                return visible

    def bands(self, width: int) -> list[Sequence[Cell]]:
        """Return the cells of the whole board in parts from left to right that are at most `width` wide."""
        xs = sorted({round(cell.x, 2) for cell in self.cells})
        bands: list[Sequence[Cell]] = []
        while xs:
            count = len(xs)
            while True:
                chosen = {*xs[:count]}
                visible = [cell for cell in self.cells if round(cell.x, 2) in chosen]
                if count == 1 or lines_width(self.draw(visible)) <= width:
                    break
                count -= 1
            bands.append(visible)
            xs = xs[count:]
        return bands


def _best_part(places: Sequence[float], count: int, wanted: Sequence[float]) -> Collection[float]:
    """Return `count` of the `places` in a row, with as many `wanted` ones as possible in their middle."""
    middle = sum(wanted) / len(wanted) if wanted else (places[0] + places[-1]) / 2

    def value(start: int) -> tuple[int, float]:
        part = places[start : start + count]
        return sum(part[0] <= place <= part[-1] for place in wanted), -abs((part[0] + part[-1]) / 2 - middle)

    start = max(range(len(places) - count + 1), key=value)
    return {*places[start : start + count]}


def _name_columns(
    lines: _Placed,
    grid: Grid,
    visible: Sequence[Cell],
    column: Callable[[float], int],
) -> None:
    """Put the names of the columns above the visible squares of `grid`, or below if something is there."""
    ys = sorted({cell.y for cell in visible if cell.id in grid.squares})
    shown = {cell.x for cell in visible if cell.id in grid.squares}
    if not ys:
        return
    for x, name in grid.columns.items():
        for y in (ys[0] - 1, ys[-1] + 1) if x in shown else ():
            if _add_text(lines, _line_at(lines, round(y, 2)), column(x), name):
                break


def _name_rows(
    lines: _Placed,
    grid: Grid,
    visible: Sequence[Cell],
    column: Callable[[float], int],
) -> None:
    """Put the names of the rows on the left of the visible squares in `grid`, or on the right."""
    squares = [cell for cell in visible if cell.id in grid.squares]
    if not squares:
        return
    shown = {cell.y for cell in squares}
    left, last = (column(side(cell.x for cell in squares)) for side in (min, max))
    right = max(
        start + display_width(text) for y in shown for start, text, _ in lines[round(y, 2)] if start <= last
    )
    for y, name in grid.rows.items():
        for start in (left - 1 - len(name), right + 1) if y in shown else ():
            if _add_text(lines, round(y, 2), start, name):
                break


def _line_at(lines: Mapping[float, object], y: float) -> float:
    """Return the y of the line that is less than half a cell from `y`, or `y` itself."""
    return min((row for row in lines if abs(row - y) < 0.5), key=lambda row: abs(row - y), default=y)


def _add_text(lines: _Placed, y: float, column: int, text: str) -> bool:
    """Add `text` at `column` of a line, if it touches nothing there. Return whether it was added."""
    line = lines.get(y, [])
    end = column + display_width(text)
    if any(column <= start + display_width(other) and start <= end for start, other, _ in line):
        return False
    lines[y] = [*line, (column, text, None)]
    return True


def _join_runs(lines: _Placed) -> Lines:
    """Return the lines as runs from left to right, with the first column at the edge."""
    first = min((column for line in lines.values() for column, _, _ in line), default=0)
    drawn: Lines = []
    for y in sorted(lines):
        runs: list[Run] = []
        end = first
        for column, text, seat in sorted(lines[y], key=lambda item: item[0]):
            if column > end:
                runs.append((" " * (column - end), None))
                end = column
            runs.append((text, seat))
            end += display_width(text)
        drawn.append(runs)
    return drawn
