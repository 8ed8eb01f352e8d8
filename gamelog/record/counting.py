"""Numbers and lists of things in words."""

from __future__ import annotations

from collections.abc import Iterable


def many(count: int, one: str, several: str = "") -> str:
    """``1 game``, ``1,204 games``; `several` is the plural where it is not `one` with an s."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def join_words(words: Iterable[str], last: str = "and") -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``, with `last` before the last word; nothing for no words."""
    *first, end = [*words] or [""]
    return f"{', '.join(first)} {last} {end}" if first else end
