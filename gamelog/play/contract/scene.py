"""The neutral picture of a position: cells, links, pieces, marks, captions.

A game says what lies where; renderers (the page, SVG, the terminal) decide how it looks. The
*ground* never changes during a game and is told apart from what stands on it, so that a page
carries it once. Coordinates are in cell widths, x to the right and y down; a cell's x and y are
its centre.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeVar

from msgspec import Struct

Shape = Literal["hex", "square", "disc", "tray"]
"""``hex`` stands on a flat side's corner-to-corner width of 1; ``tray`` is a box that holds many pieces."""

PieceKind = Literal["die", "disc", "pawn", "token", "flag", "tile"]
"""What a piece looks like: a die shows ``text`` as pips if it is 1 to 9, a token shows it as letters."""

MarkKind = Literal["from", "to", "target", "zone", "note"]
"""Why a cell is marked: the last event's origin, its destination, what was rolled against, …"""


class Cell(Struct, frozen=True, omit_defaults=True):
    """A place. ``kind`` is the game's word for its looks (``field``, ``water``, ``road``, ``bunker``, …).

    ``label`` stands on it; where the place is somebody's (a hand, a prison), ``seat`` says whose, and
    renderers add the name of who sits there: a label names no seat itself.
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


class Link(Struct, frozen=True, omit_defaults=True):
    """A road or bridge drawn between two cells."""

    a: str
    b: str
    kind: str = ""


class Word(Struct, frozen=True):
    """Letters that stand on the board beside its cells, a coordinate say; ``x`` and ``y``: their middle."""

    text: str
    x: float
    y: float


class BoardLayout(Struct, frozen=True, omit_defaults=True):
    """What never changes. ``remark`` is shown with the board (that it is reconstructed, say).

    ``words`` are coordinates and the like (`rim`, `beside`); ``legend`` says what letters on pieces and
    cells stand for: ``(("P", "pawn"), …)``.
    """

    cells: tuple[Cell, ...]
    links: tuple[Link, ...] = ()
    remark: str = ""
    words: tuple[Word, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()


_BESIDE, LETTER = 0.28, 0.26
"""How far outside its cell the middle of a coordinate stands, and how wide a letter of it may be,
in cell widths.
"""


def rim(
    squares: Iterable[tuple[str, str, Cell]], taken: Iterable[Cell], *, both: bool = True
) -> tuple[Word, ...]:
    """Coordinates round a grid: for each of `squares` its column's and its row's name, and its cell.

    A name stands at both ends of its line (or at one), whichever way that runs in the picture, but not on
    any of `taken` while it can. Where a column and a row end in one corner, one of the two names is left out
    there.
    """
    lines: dict[str, list[tuple[float, float]]] = {}
    for column, row, cell in squares:
        for name in (column, row):
            lines.setdefault(name, []).append((cell.x, cell.y))
    room = [*taken]
    words: dict[bool, list[Word]] = {True: [], False: []}
    for name, places in lines.items():
        (left, top), (right, bottom) = min(places), max(places)
        upright = abs(bottom - top) > abs(right - left)
        by = 0.5 + (_BESIDE if upright else len(name) * LETTER / 2)
        first, last = (min(top, bottom), max(top, bottom)) if upright else (left, right)
        tried = [Word(name, left, at) if upright else Word(name, at, top) for at in (first - by, last + by)]
        free = [word for word in tried if _free(word, room)]
        words[upright] += free[: 2 if both else 1]
    every = [*words[True], *words[False]]
    x, y = (sum(getattr(word, axis) for word in every) / max(len(every), 1) for axis in "xy")
    told = [
        word
        for upright, some in words.items()
        for word in some
        if upright is not ((word.x < x) is (word.y < y))
        or not any(_near(word, other) for other in words[not upright])
    ]
    lost = lines.keys() - {word.text for word in told}
    return (*told, *(Word(name, *lines[name][0]) for name in lines if name in lost))


def beside(
    names: Iterable[tuple[str, Cell]], taken: Iterable[Cell], words: Iterable[Word] = ()
) -> tuple[Word, ...]:
    """The names of cells, each on the first side of its cell that is left free, else on the cell."""
    room = [*taken, *(Cell("", word.x, word.y, w=len(word.text) * LETTER, h=0.4) for word in words)]
    out: list[Word] = []
    for name, cell in names:
        wide = cell.w / 2 + len(name) * LETTER / 2
        sides = ((-wide, 0), (wide, 0), (0, -0.5 - _BESIDE), (0, 0.5 + _BESIDE))
        tried = [Word(name, cell.x + dx, cell.y + dy) for dx, dy in sides]
        word = next((word for word in tried if _free(word, room)), Word(name, cell.x, cell.y))
        out.append(word)
        room.append(Cell("", word.x, word.y, w=len(name) * LETTER, h=0.4))
    return tuple(out)


def _near(word: Word, other: Word) -> bool:
    return abs(word.x - other.x) + abs(word.y - other.y) < 0.9


def _free(word: Word, taken: Iterable[Cell]) -> bool:
    wide = len(word.text) * LETTER / 2 - 0.05
    return not any(
        abs(word.x - cell.x) < cell.w / 2 + wide and abs(word.y - cell.y) < cell.h / 2 + 0.2 for cell in taken
    )


Setup = TypeVar("Setup")
Known = TypeVar("Known")


class Cells(dict[str, Known]):
    """What is known of each cell of a ground, by its id. Raises ValueError for a cell it does not have."""

    def __missing__(self, id: str) -> Known:
        raise ValueError(f"the scene has something on {id!r}, which is not a cell of its ground")


def cached_by_identity(build: Callable[[Setup], BoardLayout]) -> Callable[[Setup], BoardLayout]:
    """`build`, asked again only for another object than the last one.

    Scenes of a game follow one another, and its ground takes longer to make than all that stands on it.
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
    """A thing on a cell, `seat`'s or nobody's. Several on one cell are laid side by side."""

    at: str
    kind: PieceKind
    seat: str | None = None
    text: str = ""
    hidden: bool = False
    id: str = ""


class Mark(Struct, frozen=True, omit_defaults=True):
    """Something drawn round or on a cell to draw the eye."""

    at: str
    kind: MarkKind
    text: str = ""


class Caption(Struct, frozen=True, omit_defaults=True):
    """A line beside the board: a name and a value (``dice to place``, ``3``), of a seat or of all.

    ``dice`` says that the value are the faces of a roll that are not used yet: they are drawn, until none is
    left.
    """

    name: str
    value: str
    seat: str | None = None
    dice: bool = False


class Scene(Struct, frozen=True, omit_defaults=True):
    """A position to look at. ``fills`` colours whole cells as a seat's: (cell id, seat)."""

    ground: BoardLayout
    pieces: tuple[Piece, ...] = ()
    fills: tuple[tuple[str, str], ...] = ()
    marks: tuple[Mark, ...] = ()
    captions: tuple[Caption, ...] = ()
