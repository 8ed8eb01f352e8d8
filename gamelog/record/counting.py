"""Numbers of things in words."""

from __future__ import annotations


def many(count: int, one: str, several: str = "") -> str:
    """``1 game``, ``1,204 games``; `several` is the plural where it is not `one` with an s."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"
