"""Tables for people on a terminal: rounded numbers on the right, whole words, and a place for every column.

If a table is too wide, columns without values are left out. Then the first column becomes headings if its
values repeat. Long texts, and then the last columns, are printed below each row as ``name: value``. A long
text that several rows share is printed once, below the last of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from math import isfinite
from typing import Any

from msgspec import Struct

from gamelog.play.rendering.board_lines import display_width
from gamelog_cli.printing.layout import wrap

_GAP = "  "
"""The space between two columns."""

_INDENT = "    "
"""The start of the lines below a row."""

_READABLE_WIDTH = 24
"""Cells in which a longer text can be read well. With fewer cells, it is printed below the row."""

_DECIMALS = 3
"""Decimals of numbers under 10."""


class _Column(Struct):
    """A column of a table.

    Attributes:
        name: The name.
        cells: The texts, one a row.
        is_number: Whether all values are numbers, so that they are printed on the right.
        natural_width: The width of the longest text in cells.
        least_width: The minimum width in which the column can be read, without a word that is cut.
        width: The width in cells.
    """

    name: str
    cells: list[str]
    is_number: bool
    natural_width: int = 0
    least_width: int = 0
    width: int = 0

    def __post_init__(self) -> None:
        """Measure the texts once. A heading of several words can have several lines."""
        longest = max(
            display_width(word) for text in (self.name, *self.cells) for word in text.split() or [""]
        )
        self.natural_width = max(longest, *map(display_width, self.cells or [""]))
        self.least_width = max(longest, min(self.natural_width, _READABLE_WIDTH))

    @property
    def is_empty(self) -> bool:
        """Whether no row has a value."""
        return not any(self.cells)

    @property
    def repeats(self) -> bool:
        """Whether the values repeat: on average, at least two rows in a row have the same value."""
        starts = sum(cell != other for cell, other in zip(self.cells, ["", *self.cells], strict=False))
        return 2 * starts <= len(self.cells)

    def is_last_of_equal(self, row: int, lead: _Column | None) -> bool:
        """Return whether the text of a row is not empty, and the next row has another text or `lead`."""
        text, after = self.cells[row], row + 1
        if not text or len(text) < _READABLE_WIDTH or after == len(self.cells):
            return bool(text)
        return self.cells[after] != text or lead is None or lead.cells[after] != lead.cells[row]

    def lines(self, row: int) -> list[str]:
        """Return the cell of a row as lines that are as wide as the column."""
        return self.align(self.cells[row])

    def align(self, text: str) -> list[str]:
        """Return `text` as lines that are as wide as the column."""
        return [self._align_line(line) for line in wrap(text, width=self.width)]

    def _align_line(self, line: str) -> str:
        space = " " * (self.width - display_width(line))
        return space + line if self.is_number else line + space


class TableLine(Struct, frozen=True):
    """A line of a table.

    Attributes:
        text: The text.
        is_heading: Whether it is a heading.
    """

    text: str
    is_heading: bool = False


def table_lines(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    width: int | None,
    *,
    headings: bool = True,
) -> Iterator[TableLine]:
    """Yield the lines of a table.

    Args:
        columns: The names of the columns.
        rows: The rows: numbers, and texts that are safe to print. Without a value, the text is empty.
        width: The width of the terminal in cells, or None for no limit.
        headings: Whether the first line has the names of the columns.
    """
    shown = [_column(name, values) for name, *values in zip(columns, *rows, strict=True)]
    lead = shown[0] if shown and shown[0].repeats else None
    group, below = None, list[_Column]()
    if width is not None:
        below = [
            column for column in shown[1:] if column.natural_width > 2 * _READABLE_WIDTH and column.repeats
        ]
        shown = [column for column in shown if column not in below]
    if width is not None and not _fits(shown, width):
        shown = [column for column in shown if not column.is_empty] or shown
        if len(shown) > 1 and not _fits(shown, width) and shown[0].repeats:
            group, *shown = shown
        while len(shown) > 1 and not _fits(shown, width):
            below.append(shown.pop(_dispensable_column(shown)))
        below = [column for name in columns for column in below if column.name == name]
    _set_widths(shown, width)
    if headings:
        yield from _lines_side_by_side([column.align(column.name) for column in shown], is_heading=True)
    heading = None
    for row in range(len(rows)):
        if group and group.cells[row] != heading:
            heading = group.cells[row]
            text = f"{group.name}: {heading}" if headings else heading
            yield from (TableLine(line, is_heading=True) for line in wrap(text, _INDENT, width))
        yield from _lines_side_by_side([column.lines(row) for column in shown])
        texts_below = [
            (column.name, column.cells[row]) for column in below if column.is_last_of_equal(row, lead)
        ]
        for text in _lines_below(texts_below, headings=headings):
            yield from map(TableLine, wrap(text, _INDENT + _GAP, width, first=_INDENT))


def _column(name: str, values: Sequence[Any]) -> _Column:
    """Return a column with the texts of its values."""
    there = [value for value in values if value != ""]
    if there and all(isinstance(value, RangeCell) for value in there):
        return _Column(name, _ranges(values), is_number=True)
    if not there or not all(map(is_number, there)):
        return _Column(name, [str(value) for value in values], is_number=False)
    texts = _rounded_alike(values)
    return _Column(name, texts, is_number=True)


class RangeCell(Struct, frozen=True):
    """A cell with the two ends of a range."""

    low: float
    high: float


def _ranges(values: Sequence[Any]) -> list[str]:
    """Return the texts of ranges."""
    ends = _rounded_alike([end for value in values if value != "" for end in (value.low, value.high)])
    pairs = iter(zip(ends[::2], ends[1::2], strict=True))
    return ["" if value == "" else "–".join(next(pairs)) for value in values]


def _rounded_alike(values: Sequence[Any]) -> list[str]:
    """Return the texts of numbers, all with the same number of decimals, and of cells without a value."""
    there = [value for value in values if value != ""]
    finite = [abs(value) for value in there if isfinite(value)]
    is_whole = all(value == int(value) for value in finite)
    decimals = 0 if is_whole else max(1, _DECIMALS - sum(max(finite) >= bound for bound in (10, 100)))
    return ["" if value == "" else round_value(value, decimals) for value in values]


def is_number(value: object) -> bool:
    """Return whether `value` is a number, and not a truth value."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def round_value(value: float | Decimal, decimals: int = _DECIMALS) -> str:
    """Return a number with `decimals`. A small number is not shown as zero, but as ``<0.001``."""
    text = f"{value:.{decimals}f}"
    if value and float(text) == 0:
        return f"<{10**-decimals:.{decimals}f}" if value > 0 else f">-{10**-decimals:.{decimals}f}"
    return text


def _fits(columns: Sequence[_Column], width: int) -> bool:
    """Return whether columns of the least width fit beside each other."""
    return sum(column.least_width for column in columns) + len(_GAP) * (len(columns) - 1) <= width


def _dispensable_column(columns: Sequence[_Column]) -> int:
    """Return the place of the column to print below the rows: the longest text, or else the last column."""
    texts = [index for index, column in enumerate(columns) if index and column.least_width >= _READABLE_WIDTH]
    return max(texts, key=lambda index: columns[index].least_width, default=len(columns) - 1)


def _set_widths(columns: Sequence[_Column], width: int | None) -> None:
    """Give each column its width: the natural one if there is room, otherwise a fair part of the room."""
    if width is None:
        for column in columns:
            column.width = column.natural_width
        return
    room = width - sum(column.least_width for column in columns) - len(_GAP) * (len(columns) - 1)
    narrow = sorted(columns, key=lambda column: column.natural_width - column.least_width)
    for left, column in zip(range(len(narrow), 0, -1), narrow, strict=True):
        more = max(0, min(column.natural_width - column.least_width, room // left))
        column.width = min(column.least_width + more, width)
        room -= more


def _lines_side_by_side(cells: Sequence[Sequence[str]], *, is_heading: bool = False) -> Iterator[TableLine]:
    """Yield the lines of a row, in which each cell has as many lines as its text needs."""
    for index in range(max(map(len, cells))):
        parts = [cell[index] if index < len(cell) else " " * display_width(cell[0]) for cell in cells]
        yield TableLine(_GAP.join(parts).rstrip(), is_heading)


def _lines_below(texts_below: Iterable[tuple[str, str]], *, headings: bool) -> Iterator[str]:
    """Yield the texts below a row: short values together, and each long text alone."""
    short = list[str]()
    for name, text in texts_below:
        pair = f"{name}: {text}" if headings else text
        if len(text) < _READABLE_WIDTH:
            short.append(pair)
        else:
            yield from [", ".join(short)] if short else []
            short.clear()
            yield pair
    if short:
        yield ", ".join(short)
