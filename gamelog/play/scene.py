"""The neutral picture of a position: cells, links, pieces, marks, captions.

A game says what lies where; renderers (the page, SVG, the terminal) decide how it looks. The
*ground* never changes during a game and is told apart from what stands on it, so that a page
carries it once. Coordinates are in cell widths, x to the right and y down; a cell's x and y are
its centre.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from msgspec import Struct

Shape = Literal["hex", "square", "disc", "tray"]
"""``hex`` stands on a flat side's corner-to-corner width of 1; ``tray`` is a box that holds many pieces."""

PieceKind = Literal["die", "disc", "pawn", "token", "flag", "tile"]
"""What a piece looks like: a die shows ``text`` as pips if it is 1 to 9, a token shows it as letters."""

MarkKind = Literal["from", "to", "target", "zone", "note"]
"""Why a cell is marked: the last event's origin, its destination, what was rolled against, …"""


class Cell(Struct, frozen=True, omit_defaults=True):
    """A place. ``kind`` is the game's word for its looks (``field``, ``water``, ``road``, ``bunker``, …)."""

    id: str
    x: float
    y: float
    shape: Shape = "square"
    kind: str = ""
    label: str = ""
    zone: str = ""
    w: float = 1.0
    h: float = 1.0


class Link(Struct, frozen=True, omit_defaults=True):
    """A road or bridge drawn between two cells."""

    a: str
    b: str
    kind: str = ""


class Ground(Struct, frozen=True, omit_defaults=True):
    """What never changes. ``remark`` is shown with the board (that it is reconstructed, say)."""

    cells: tuple[Cell, ...]
    links: tuple[Link, ...] = ()
    remark: str = ""


Setup = TypeVar("Setup")
Known = TypeVar("Known")


class Cells(dict[str, Known]):
    """What is known of each cell of a ground, by its id. Raises ValueError for a cell that the ground does not have."""

    def __missing__(self, id: str) -> Known:
        raise ValueError(f"the scene has something on {id!r}, which is no cell of its ground")


def kept(build: Callable[[Setup], Ground]) -> Callable[[Setup], Ground]:
    """`build`, asked again only for another object than the last one.

    Scenes of a game follow one another, and its ground takes longer to make than all that stands on it.
    """
    last: tuple[Any, Ground] = (None, Ground(()))

    def ground(setup: Setup) -> Ground:
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
    """A line beside the board: a name and a value (``dice to place``, ``3``), of a seat or of all."""

    name: str
    value: str
    seat: str | None = None


class Scene(Struct, frozen=True, omit_defaults=True):
    """A position to look at. ``fills`` colours whole cells as a seat's: (cell id, seat)."""

    ground: Ground
    pieces: tuple[Piece, ...] = ()
    fills: tuple[tuple[str, str], ...] = ()
    marks: tuple[Mark, ...] = ()
    captions: tuple[Caption, ...] = ()
