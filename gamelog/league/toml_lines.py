"""Lines of the keys and values in a TOML file, which the parser of the standard library does not give."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any

Place = tuple[str | int, ...]
"""The keys and positions that lead to a value, for example ``("rounds", 0, "name")``."""

_LINE = re.compile(r"^(.*) \(at line (\d+), column \d+\)$", re.S)
_END = " (at end of document)"


def syntax_error(text: str, error: Exception) -> tuple[int, str]:
    """Return the line of a parser's `error` in `text`, and the error in words without the place."""
    words = str(error)
    if match := _LINE.match(words):
        return int(match[2]), match[1]
    begin, _ = _statement(text, lambda _data: False)
    return begin, words.removesuffix(_END)


def line_of(text: str, place: Place, word: str = "") -> int:
    """Return the line, from 1, of the value at `place` in the valid TOML `text`.

    If the value has several lines, return the first of them with `word`. For a missing value, return the line
    of the table in which it would be.
    """
    while place and not _contains(tomllib.loads(text), place):
        place = place[:-1]
    if not place:
        return 1
    begin, end = _statement(text, lambda data: _contains(data, place))
    lines = text.split("\n")
    numbers = range(begin, end + 1)
    return next((number for number in numbers if word and word in lines[number - 1]), begin)


def _contains(data: Any, place: Place) -> bool:
    for part in place:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def _statement(text: str, is_complete: Callable[[dict[str, Any]], bool]) -> tuple[int, int]:
    """Return the first and the last line of the statement that makes a beginning of `text` complete.

    A beginning that is not valid TOML ends inside a statement. If no beginning is complete, return the lines
    after the longest valid beginning.
    """
    lines = text.split("\n")
    low, high, top = 0, len(lines), len(lines)
    while top - low > 1:
        middle = (low + top) // 2
        end, data = middle, _parsed(lines, middle)
        while data is None and end + 1 < top:
            end += 1
            data = _parsed(lines, end)
        if data is None:
            top = middle
        elif is_complete(data):
            high = top = end
            top = min(top, middle) if end > middle else end
        else:
            low = end
    begin = low + 1
    while begin < high and not lines[begin - 1].split("#")[0].strip():
        begin += 1
    return begin, high


def _parsed(lines: list[str], end: int) -> dict[str, Any] | None:
    """Return the data in the first `end` lines, or None if they are not valid TOML."""
    try:
        return tomllib.loads("\n".join(lines[:end]))
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
