"""Text on a terminal: lines and columns with whole words.

Widths are in cells: Chinese, Japanese and Korean letters and most emoji have two, a separate accent has none.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence

from gamelog.play.telling.board_lines import display_width

_MIN_WIDTH = 20
"""Minimum width in cells, even if the terminal reports less."""

_COLUMN_GAP = 2
"""Cells between two columns of text."""


def terminal_width() -> int:
    """Return the width of the terminal in cells."""
    return max(_MIN_WIDTH, shutil.get_terminal_size().columns)


def terminal_height() -> int:
    """Return the number of lines of the terminal."""
    return shutil.get_terminal_size().lines


def wrapped(text: str, indent: str = "", width: int | None = None, first: str = "") -> list[str]:
    """Return `text` as lines of whole words.

    A word that is longer than a line gets a line of its own.

    Args:
        text: The text.
        indent: The start of all lines but the first.
        width: The maximum width of a line; the width of the terminal by default.
        first: The start of the first line.
    """
    width = width or terminal_width()
    lines: list[str] = []
    line, bare = first or text[: len(text) - len(text.lstrip())], True
    for word in text.split():
        if not bare and display_width(line) + 1 + display_width(word) > width:
            lines.append(line)
            line, bare = indent, True
        line += word if bare else f" {word}"
        bare = False
    return [*lines, line]


def two_columns(listed: Iterable[tuple[str, str]], indent: str = "  ") -> list[str]:
    """Return words and their meanings in two columns, or below each other on a narrow terminal."""
    rows = list(listed)
    column = max(display_width(words) for words, _ in rows) + len(indent) + _COLUMN_GAP
    lines: list[str] = []
    for words, meaning in rows:
        if 2 * column <= terminal_width():
            lines += wrapped(
                meaning,
                " " * column,
                first=f"{indent}{words}{' ' * (column - len(indent) - display_width(words))}",
            )
        else:
            lines += [
                *wrapped(words, indent * 2, first=indent),
                *wrapped(meaning, indent * 3, first=indent * 3),
            ]
    return lines


def widths(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int] | None:
    """Return the widths that columns need for whole words, or None if the terminal is too narrow."""
    needed = [
        max(display_width(word) for cell in column for word in cell.split() or [""])
        for column in zip(columns, *rows, strict=True)
    ]
    return needed if sum(needed) + _COLUMN_GAP * (len(needed) - 1) <= terminal_width() else None


def blocks(columns: Sequence[str], rows: Iterable[Sequence[str]], headings: bool) -> list[str]:
    """Return a table that is too wide for columns as blocks of lines, one block for each row."""
    lines: list[str] = []
    for row in rows:
        lines += [""] if lines else []
        for column, cell in zip(columns, row, strict=True):
            lines += wrapped(f"{column}: {cell}" if headings else cell, "  ") if cell else []
    return lines
