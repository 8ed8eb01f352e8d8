"""A program that draws the pictures of docs/vocabulary.md again: ``python -m tests.vocabulary``."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from gamelog_reports.board_svg import scene_svg
from gamelog_reports.palette import KINDS

from gamelog.play.contract.scene import (
    BoardLayout,
    Cell,
    Link,
    Mark,
    MarkKind,
    Piece,
    PieceKind,
    Scene,
    Shape,
    Word,
)

DIRECTORY = Path(__file__).parent.parent / "docs"
SEATS = ("red", "blue")
WIDE = 1.7
"""From the middle of one cell to the next, so that names have room below."""


def row(names: list[str], y: float = 0) -> tuple[list[Cell], list[Word]]:
    """A cell for each name, and the names below them."""
    cells = [Cell(name, at * WIDE, y) for at, name in enumerate(names)]
    return cells, [Word(name, cell.x, y + 0.75) for name, cell in zip(names, cells, strict=True)]


def cells() -> Scene:
    """Each shape, then each kind of ground that has a colour of its own."""
    shapes: list[Shape] = list(get_args(Shape))
    places = [Cell(shape, at * WIDE, 0, shape, label="a1") for at, shape in enumerate(shapes)]
    names = [Word(shape, cell.x, 0.75) for shape, cell in zip(shapes, places, strict=True)]
    kinds = [kind for kind in KINDS if kind != "grey"]
    for at, kind in enumerate(kinds):
        x, y = at % 6 * WIDE, 1.9 + at // 6 * WIDE
        places.append(Cell(f"kind {kind}", x, y, kind=kind))
        names.append(Word(kind, x, y + 0.75))
    linked = [
        Cell("one", 5 * WIDE - 1.2, 0, "disc", w=0.6, h=0.6),
        Cell("two", 5 * WIDE + 0.5, 0, "disc", w=0.6, h=0.6),
    ]
    names.append(Word("link", 5 * WIDE - 0.35, 0.75))
    return Scene(BoardLayout((*places, *linked), (Link("one", "two", "road"),), words=tuple(names)), fills=())


def pieces() -> Scene:
    """Return each kind of piece, of two seats and without a seat, a face-down piece and a coloured cell."""
    kinds: list[PieceKind] = list(get_args(PieceKind))
    places, names = row([*kinds, "hidden", "fill"])
    texts = {"die": "5", "token": "K", "tile": "7"}
    lying = [Piece(kind, kind, "red", texts.get(kind, "")) for kind in kinds]
    for y, seat in ((1.5, "blue"), (3.0, None)):
        places += [Cell(f"{kind} {y}", at * WIDE, y) for at, kind in enumerate([*kinds, "hidden", "fill"])]
        lying += [Piece(f"{kind} {y}", kind, seat, texts.get(kind, "")) for kind in kinds]
    lying += [Piece("hidden", "tile", "red", hidden=True), Piece("hidden 1.5", "token", "blue", hidden=True)]
    ground = BoardLayout(tuple(places), words=tuple(Word(word.text, word.x, 3.75) for word in names))
    return Scene(ground, tuple(lying), fills=(("fill", "red"), ("fill 1.5", "blue")))


def marks() -> Scene:
    """Each kind of mark, beside a cell that has none."""
    kinds: list[MarkKind] = list(get_args(MarkKind))
    places, names = row([*kinds, "none"])
    ground = BoardLayout(tuple(places), words=tuple(names))
    return Scene(
        ground,
        tuple(Piece(kind, "pawn", "red") for kind in (*kinds, "none")),
        marks=tuple(Mark(kind, kind) for kind in kinds),
    )


def expected() -> dict[str, str]:
    """The pictures, by the names of their files."""
    told = {"cells": (cells(), "Cells"), "pieces": (pieces(), "Pieces"), "marks": (marks(), "Marks")}
    return {
        f"vocabulary-{name}.svg": scene_svg(scene, seats=SEATS, title=title)
        for name, (scene, title) in told.items()
    }


if __name__ == "__main__":
    for name, content in expected().items():
        (DIRECTORY / name).write_text(content)
        print(DIRECTORY / name)
