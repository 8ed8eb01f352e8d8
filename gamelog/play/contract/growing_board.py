"""The visible part of a board that grows with the pieces on it (`BoardLayout.margin`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct, structs

from gamelog.play.contract.scene import BoardLayout, Cell, Link, Scene, Word

_ROUNDING = 0.01
"""Largest distance of two places that count as one, in cell widths."""


class _Axis(Struct, frozen=True):
    """The places of all cells and of the visible cells along one axis, without trays."""

    first: float
    last: float
    low: float
    high: float

    @classmethod
    def of(cls, places: Sequence[float], used: Sequence[float], margin: float) -> _Axis:
        """Return the axis whose visible `places` are near the used ones, or near the middle."""
        first, last = min(places), max(places)
        middle = (first + last) / 2
        low, high = min(used, default=middle) - margin, max(used, default=middle) + margin
        near = [place for place in places if low - _ROUNDING < place < high + _ROUNDING] or places
        return cls(first, last, min(near), max(near))

    def shows(self, place: float) -> bool:
        """Return whether a cell at `place` is visible."""
        return self.low - _ROUNDING < place < self.high + _ROUNDING

    def edge(self, place: float) -> float | None:
        """Return the new place of something beside the cells, or None if `place` is not beside them."""
        if place < self.first:
            return place - self.first + self.low
        return place - self.last + self.high if place > self.last else None

    def tray(self, place: float) -> float:
        """Return the new place of a tray: as far from the edge or from the middle as before."""
        edge = self.edge(place)
        return place + (self.low + self.high - self.first - self.last) / 2 if edge is None else edge

    def word(self, place: float) -> float | None:
        """Return the new place of a word, or None if its row or column is not visible."""
        edge = self.edge(place)
        return place if edge is None and self.shows(place) else edge


def visible_ground(ground: BoardLayout, used: Iterable[str]) -> BoardLayout:
    """Return the part of a growing board that is visible if the cells `used` are in use.

    The part is a rectangle. Trays and words beside the cells move with its edges. A board without a margin is
    returned as it is.
    """
    field = [cell for cell in ground.cells if cell.shape != "tray"]
    if not ground.margin or not field:
        return ground
    ids = frozenset(used)
    x, y = (
        _Axis.of(
            [getattr(cell, axis) for cell in field],
            [getattr(cell, axis) for cell in field if cell.id in ids],
            ground.margin,
        )
        for axis in ("x", "y")
    )
    cells: list[Cell] = []
    for cell in ground.cells:
        if cell.shape == "tray":
            cells.append(structs.replace(cell, x=x.tray(cell.x), y=y.tray(cell.y)))
        elif x.shows(cell.x) and y.shows(cell.y):
            cells.append(cell)
    visible = {cell.id for cell in cells}
    links: list[Link] = [link for link in ground.links if link.a in visible and link.b in visible]
    words = [
        Word(word.text, left, top)
        for word in ground.words
        if (left := x.word(word.x)) is not None and (top := y.word(word.y)) is not None
    ]
    return structs.replace(ground, cells=tuple(cells), links=tuple(links), words=tuple(words))


def used_cells(scene: Scene) -> set[str]:
    """Return the ids of the cells with pieces, fills or marks."""
    return {
        *(piece.at for piece in scene.pieces),
        *(cell for cell, _ in scene.fills),
        *(mark.at for mark in scene.marks),
    }


def visible_scene(scene: Scene) -> Scene:
    """Return `scene` with the part of its board that is visible in this position."""
    if not scene.ground.margin:
        return scene
    return structs.replace(scene, ground=visible_ground(scene.ground, used_cells(scene)))
