"""Text on a terminal: lines and columns with whole words.

Widths are in cells: Chinese, Japanese and Korean letters and most emoji have two, a separate accent has none.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable

from gamelog.play.rendering.board_lines import display_width

_MIN_WIDTH = 20
"""Minimum width in cells, even if the terminal reports less."""

_COLUMN_GAP = 2
"""Cells between two columns of text."""

_WORDS = re.compile(r"(\s*)(\S+)")
"""Pattern of a word and the spaces before it."""


def terminal_width() -> int:
    """Return the width of the terminal in cells."""
    return max(_MIN_WIDTH, shutil.get_terminal_size().columns)


def terminal_height() -> int:
    """Return the number of lines of the terminal."""
    return shutil.get_terminal_size().lines


def wrap(text: str, indent: str = "", width: int | None = None, first: str = "") -> list[str]:
    """Return `text` as lines of whole words.

    A word that is longer than a line gets a line of its own. Several spaces between two words are kept.

    Args:
        text: The text.
        indent: The start of all lines but the first.
        width: The maximum width of a line; the width of the terminal by default.
        first: The start of the first line.
    """
    width = width or terminal_width()
    lines: list[str] = []
    line, bare = first or text[: len(text) - len(text.lstrip())], True
    for spaces, word in _WORDS.findall(text):
        if bare:
            line += word
        elif display_width(line + spaces + word) > width:
            lines.append(line)
            line = indent + word
        else:
            line += spaces + word
        bare = False
    return [*lines, line]


def two_columns(listed: Iterable[tuple[str, str]], indent: str = "  ") -> list[str]:
    """Return words and their meanings in two columns, or below each other on a narrow terminal."""
    rows = list(listed)
    column = max(display_width(words) for words, _ in rows) + len(indent) + _COLUMN_GAP
    lines: list[str] = []
    for words, meaning in rows:
        if 2 * column <= terminal_width():
            lines += wrap(
                meaning,
                " " * column,
                first=f"{indent}{words}{' ' * (column - len(indent) - display_width(words))}",
            )
        else:
            lines += [
                *wrap(words, indent * 2, first=indent),
                *wrap(meaning, indent * 3, first=indent * 3),
            ]
    return lines
