"""The neutral picture of a position: cells, links, pieces, marks, captions.

A game lists what is where; renderers (the page, SVG, the terminal) decide how it looks. The *ground* never
changes during a game and is separate from the things on it, so that a page contains it once. Coordinates are
in cell widths, x to the right and y down. A cell's x and y are its centre.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeVar

from msgspec import Struct

Shape = Literal["hex", "square", "disc", "tray", "point"]
"""Shape of a cell.

``hex`` is 1 wide from corner to corner. ``tray`` is a box that holds many pieces. ``point`` is long and has a
triangle in the colour of its kind, with the base at the outer side of the board. Equal pieces of a long tray
or point are a row.
"""

PieceKind = Literal["die", "disc", "pawn", "token", "diamond", "flag", "tile"]
"""Look of a piece. A die shows ``text`` as pips if it is 1 to 9, a token shows ``text`` as letters."""

MarkKind = Literal["from", "to", "target", "zone", "note", "group", "badge"]
"""Reason for a mark: the last event's origin, its destination, the target of a roll, …

A ``group`` is an outline around all cells with the same text and seat. A ``badge`` is a tag in the corner of
its cell.
"""


class Cell(Struct, frozen=True, omit_defaults=True):
    """A place on the board.

    Attributes:
        x: Horizontal place of the centre in cell widths, to the right.
        y: Vertical place of the centre in cell widths, down.
        kind: The game's word for its look (``field``, ``water``, ``road``, …).
        label: Text on the cell. It never names a seat.
        zone: Name of the group of cells that can be tapped as one, or empty.
        w: Width in cell widths.
        h: Height in cell widths.
        seat: Seat to which the place belongs (a hand, a prison). Renderers add the name of the person there.
        stacked: Whether pieces are on each other, the first at the bottom, instead of side by side.
    """

    id: str
    x: float
    y: float
    shape: Shape = "square"
    kind: str = ""
    label: str = ""
    zone: str = ""
    w: float = 1.0
    h: float = 1.0
    seat: str = ""
    stacked: bool = False


class Link(Struct, frozen=True, omit_defaults=True):
    """A road or bridge drawn between two cells."""

    a: str
    b: str
    kind: str = ""


class Word(Struct, frozen=True):
    """Text on the board beside its cells, for example a coordinate.

    Attributes:
        x: Horizontal position of its middle.
        y: Vertical position of its middle.
    """

    text: str
    x: float
    y: float


class BoardLayout(Struct, frozen=True, omit_defaults=True):
    """The part of a scene that never changes.

    Attributes:
        remark: Text that is shown with the board, for example its source.
        words: Coordinates and similar text (`rim`, `beside`).
        legend: Meanings of the letters on pieces and cells: ``(("P", "pawn"), …)``.
        colours: Colours of pieces that belong to no seat, by the first word of their text:
            ``(("Y", "yellow"), …)``. Renderers ignore colours whose names they do not know.
        icons: Drawings instead of the text of pieces, by the text: ``(("SP", "M-21 17L9…"), …)``. A drawing
            is path data of SVG, in a square from -24 to 24. Dice have none. On the tile of a seat, the text
            is below the drawing. Terminals show the text.
        margin: For a board that grows with the pieces on it: the distance up to which cells around used cells
            are visible, in cell widths. By default, all cells are visible.
    """

    cells: tuple[Cell, ...]
    links: tuple[Link, ...] = ()
    remark: str = ""
    words: tuple[Word, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()
    colours: tuple[tuple[str, str], ...] = ()
    icons: tuple[tuple[str, str], ...] = ()
    margin: float = 0


_LABEL_OFFSET, LETTER = 0.28, 0.26
"""Distance of a coordinate's middle from its cell, and maximum width of a letter, in cell widths."""


def rim(
    squares: Iterable[tuple[str, str, Cell]], occupied: Iterable[Cell], *, both: bool = True
) -> tuple[Word, ...]:
    """Return coordinates around a grid. `squares` contains the column name, row name and cell of each square.

    A name is placed at both ends of its line (or at one if not `both`), whatever the direction of the line,
    but not on any `occupied` cell if that can be avoided. Names are together on the sides with the most free
    ends. If a column and a row end in one corner, one of the two names is omitted there.
    """
    lines: dict[str, list[tuple[float, float]]] = {}
    for column, row, cell in squares:
        for name in (column, row):
            lines.setdefault(name, []).append((cell.x, cell.y))
    room = [*occupied]
    free_ends: dict[bool, list[list[Word]]] = {True: [[], []], False: [[], []]}
    for name, places in lines.items():
        (left, top), (right, bottom) = min(places), max(places)
        upright = abs(bottom - top) > abs(right - left)
        distance = 0.5 + (_LABEL_OFFSET if upright else len(name) * LETTER / 2)
        first, last = (min(top, bottom), max(top, bottom)) if upright else (left, right)
        candidates = [
            Word(name, left, place) if upright else Word(name, place, top)
            for place in (first - distance, last + distance)
        ]
        for words_of_end, word in zip(free_ends[upright], candidates, strict=True):
            if _is_free(word, room):
                words_of_end.append(word)
    words = {upright: _on_best_sides(ends, both=both) for upright, ends in free_ends.items()}
    free_words = [*words[True], *words[False]]
    x, y = (sum(getattr(word, axis) for word in free_words) / max(len(free_words), 1) for axis in "xy")
    kept_words = [
        word
        for upright, words_of_axis in words.items()
        for word in words_of_axis
        if upright is not ((word.x < x) is (word.y < y))
        or not any(_overlap(word, crossing) for crossing in words[not upright])
    ]
    unlabelled = lines.keys() - {word.text for word in kept_words}
    return (*kept_words, *(Word(name, *lines[name][0]) for name in lines if name in unlabelled))


def _on_best_sides(ends: list[list[Word]], *, both: bool) -> list[Word]:
    """Return the words of the side with the most words, and of the other side.

    If not `both`, or if most words of the other side are missing, the other side has only the names that the
    first side does not have.
    """
    best, other = sorted(ends, key=len, reverse=True)
    if both and 2 * len(other) > len(best):
        return [*best, *other]
    named = {word.text for word in best}
    return [*best, *(word for word in other if word.text not in named)]


def beside(
    names: Iterable[tuple[str, Cell]], occupied: Iterable[Cell], words: Iterable[Word] = ()
) -> tuple[Word, ...]:
    """Return the names as words, each on the first free side of its cell.

    If no side is free, the name is on the cell.
    """
    room = [*occupied, *(Cell("", word.x, word.y, w=len(word.text) * LETTER, h=0.4) for word in words)]
    out: list[Word] = []
    for name, cell in names:
        wide = cell.w / 2 + len(name) * LETTER / 2
        sides = ((-wide, 0), (wide, 0), (0, -0.5 - _LABEL_OFFSET), (0, 0.5 + _LABEL_OFFSET))
        candidates = [Word(name, cell.x + dx, cell.y + dy) for dx, dy in sides]
        word = next((word for word in candidates if _is_free(word, room)), Word(name, cell.x, cell.y))
        out.append(word)
        room.append(Cell("", word.x, word.y, w=len(name) * LETTER, h=0.4))
    return tuple(out)


def _overlap(word: Word, other: Word) -> bool:
    return abs(word.x - other.x) + abs(word.y - other.y) < 0.9


def _is_free(word: Word, occupied: Iterable[Cell]) -> bool:
    wide = len(word.text) * LETTER / 2 - 0.05
    return not any(
        abs(word.x - cell.x) < cell.w / 2 + wide and abs(word.y - cell.y) < cell.h / 2 + 0.2
        for cell in occupied
    )


Setup = TypeVar("Setup")
Known = TypeVar("Known")


class Cells(dict[str, Known]):
    """Data about each cell of a ground, by the cell's id."""

    def __missing__(self, id: str) -> Known:
        """Refuse an unknown cell.

        Raises:
            ValueError: The ground has no cell `id`.
        """
        raise ValueError(f"the scene has something on {id!r}, which is not a cell of its ground")


def cached_by_identity(build: Callable[[Setup], BoardLayout]) -> Callable[[Setup], BoardLayout]:
    """Return `build` with a cache for the last argument, compared by identity.

    Consecutive scenes of a game share their setup, and the ground takes longer to build than the things on
    it.
    """
    last: tuple[Any, BoardLayout] = (None, BoardLayout(()))

    def ground(setup: Setup) -> BoardLayout:
        nonlocal last
        if last[0] is not setup:
            last = (setup, build(setup))
        return last[1]

    ground.__doc__ = build.__doc__
    return ground


class Piece(Struct, frozen=True, omit_defaults=True):
    """A thing on a cell that belongs to `seat`, or to no seat.

    Several pieces on one cell are drawn side by side, or on each other if the cell is `Cell.stacked`. Several
    tiles are a fan.

    Attributes:
        at: Id of the cell.
        seat: Seat that owns the piece, or None.
        text: Text on the piece, for example its letters or the face of a die.
        hidden: Whether its face is hidden from the viewer.
        id: Id by which a person taps the piece; empty if the cell is tapped.
    """

    at: str
    kind: PieceKind
    seat: str | None = None
    text: str = ""
    hidden: bool = False
    id: str = ""


class Mark(Struct, frozen=True, omit_defaults=True):
    """A highlight around or on a cell.

    Attributes:
        at: Id of the cell.
        text: The reason in words. The tag of a group or badge shows the first word (``3 points · block 2``).
            The marks of one group have the same text and seat, and two groups have different texts.
        seat: Seat in whose colour a group or badge is drawn.
    """

    at: str
    kind: MarkKind
    text: str = ""
    seat: str | None = None

    @property
    def tag(self) -> str:
        """The first word of the text."""
        return self.text.partition(" ")[0]


class Caption(Struct, frozen=True, omit_defaults=True):
    """A line beside the board.

    Attributes:
        name: Name of the value (``dice to place``).
        value: The value (``3``).
        seat: Seat of the line, or None for all seats.
        dice: Whether the value contains the unused faces of a roll. They are drawn as dice while any are
            left.
    """

    name: str
    value: str
    seat: str | None = None
    dice: bool = False


class Scene(Struct, frozen=True, omit_defaults=True):
    """A position to look at.

    Attributes:
        ground: The cells and their links.
        fills: Cells that are coloured for a seat: id of the cell, seat.
    """

    ground: BoardLayout
    pieces: tuple[Piece, ...] = ()
    fills: tuple[tuple[str, str], ...] = ()
    marks: tuple[Mark, ...] = ()
    captions: tuple[Caption, ...] = ()
