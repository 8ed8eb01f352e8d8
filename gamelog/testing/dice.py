"""Dice that fall as the test says."""

from __future__ import annotations

from collections.abc import Iterable

from gamelog.chance.draws import Draw, Results


class Scripted:
    """A dice source that deals out `faces` (or names) in order. Raises AssertionError when they run out."""

    def __init__(self, faces: Iterable[int | str]) -> None:
        self._faces = iter(faces)

    def results(self, draws: tuple[Draw, ...], ordinal: int) -> Results:
        """The next faces, cut as `draws` ask."""
        return tuple(tuple(self._next(ordinal) for _ in range(draw.count)) for draw in draws)

    def _next(self, ordinal: int) -> int | str:
        face = next(self._faces, None)
        assert face is not None, f"the script holds no more dice for chance line {ordinal}"
        return face
