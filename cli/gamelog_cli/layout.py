"""Where text stands on a terminal: lines and columns with whole words, counted in the cells that they take.

A letter of Chinese, Japanese or Korean and most emoji take two cells, an accent of its own none.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence

from gamelog.play.telling.ascii_board import display_width

LEAST = 20
"""Columns that are counted on, however few a terminal says it has."""

GAP = 2
"""Columns between two columns of text."""


def room() -> int:
    """How many columns a line of the terminal has."""
    return max(LEAST, shutil.get_terminal_size().columns)


def wrapped(text: str, indent: str = "", width: int | None = None, first: str = "") -> list[str]:
    """`text` in lines of at most `width` cells (the terminal's), of whole words, `indent` before the later.

    A word that is longer than a line has one of its own. The first line begins with `first`.
    """
    width = width or room()
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
    """Words beside what they mean, in two columns, or one below the other on a narrow terminal."""
    rows = list(listed)
    column = max(display_width(words) for words, _ in rows) + len(indent) + GAP
    lines: list[str] = []
    for words, meaning in rows:
        if 2 * column <= room():
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
    """How many cells each column of a table needs for whole words; None where there are not so many."""
    needed = [
        max(display_width(word) for cell in column for word in cell.split() or [""])
        for column in zip(columns, *rows, strict=True)
    ]
    return needed if sum(needed) + GAP * (len(needed) - 1) <= room() else None


def blocks(columns: Sequence[str], rows: Iterable[Sequence[str]], headings: bool) -> list[str]:
    """A table that is too wide for columns: each row a block of lines, one a column that holds anything."""
    lines: list[str] = []
    for row in rows:
        lines += [""] if lines else []
        for column, cell in zip(columns, row, strict=True):
            lines += wrapped(f"{column}: {cell}" if headings else cell, "  ") if cell else []
    return lines
