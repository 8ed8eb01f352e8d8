"""Dice with faces that a test chooses."""

from __future__ import annotations

from collections.abc import Iterable

from gamelog.chance.draws import Draw, Results


class Scripted:
    """A source of dice that returns `faces` (or names) in order.

    It raises AssertionError if no faces are left.
    """

    def __init__(self, faces: Iterable[int | str]) -> None:
        self._faces = iter(faces)

    def results(self, draws: tuple[Draw, ...], ordinal: int) -> Results:
        """Return the next faces, grouped as in `draws`."""
        return tuple(tuple(self._next(ordinal) for _ in range(draw.count)) for draw in draws)

    def _next(self, ordinal: int) -> int | str:
        face = next(self._faces, None)
        assert face is not None, f"the script has no more dice for chance event {ordinal}"
        return face
