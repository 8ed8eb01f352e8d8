"""A program that draws the pictures of docs/vocabulary.md again: ``python -m tests.vocabulary``."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from gamelog_reports.board_svg import scene_svg
from gamelog_reports.palette import KINDS
from msgspec import structs

from gamelog.games.zone_s.roster import resolve
from gamelog.play.contract.growing_board import visible_ground
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
    rim,
)

DIRECTORY = Path(__file__).parent.parent / "docs"
SEATS = ("red", "blue")
HEX_HIGH = 0.866
"""Height of a hex, in cell widths."""
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
    own = {"group": ("3 points", "red"), "badge": ("3 points", "red")}
    return Scene(
        ground,
        tuple(Piece(kind, "pawn", "red") for kind in (*kinds, "none")),
        marks=tuple(Mark(kind, kind, *own.get(kind, ())) for kind in kinds),
    )


def hexagons() -> Scene:
    """Hexes and a square, each with x above y of its middle: columns of hexes are 0.75 apart, rows 0.866."""
    cells: list[Cell] = []
    for column in range(3):
        for row_ in range(2):
            x, y = column * 0.75, (row_ + column % 2 / 2) * HEX_HIGH
            cells.append(Cell(f"{column}{row_}", x, y, "hex", "field"))
    cells.append(Cell("square", 3.25, 0.65, "square", "field"))
    words = [
        Word(f"{value:.3g}", cell.x, cell.y + down)
        for cell in cells
        for value, down in ((cell.x, -0.16), (cell.y, 0.16))
    ]
    return Scene(BoardLayout(tuple(cells), words=tuple(words)))


def depth() -> Scene:
    """A tile below a piece, pieces side by side, stacks of two and of seven pieces, a fan and a row."""
    kinds = ("tile below", "side by side", "stack", "high stack", "fan", "row")
    cells = [Cell(name, at * WIDE, 0, "square", stacked="stack" in name) for at, name in enumerate(kinds)]
    cells[-2:] = [Cell(name, x * WIDE, 0, "tray", w=2.2) for name, x in (("fan", 4.4), ("row", 5.9))]
    lying = [Piece(kinds[0], "tile", text="forest"), Piece(kinds[0], "pawn", "red")]
    lying += [Piece(kinds[1], "disc", seat) for seat in ("red", "blue", "red")]
    lying += [Piece(kinds[2], "disc", seat) for seat in ("red", "blue")]
    lying += [Piece(kinds[3], "disc", seat) for seat in (*SEATS, *SEATS, *SEATS, "red")]
    lying += [Piece(kinds[4], "tile", "red", text) for text in ("2", "5", "7", "9")]
    lying += [Piece(kinds[5], "disc", "red")] * 9
    names = tuple(Word(name, cell.x, 0.75) for name, cell in zip(kinds, cells, strict=True))
    return Scene(BoardLayout(tuple(cells), words=names), tuple(lying))


def growing() -> Scene:
    """A board with a margin of 1 cell width and a tray, as one, three and five pieces need it."""
    squares = [Cell(f"{'abcdefg'[x]}{y + 1}", x, y) for x in range(7) for y in range(7)]
    tray = Cell("hand", 3, 7.6, "tray", label="hand", w=2)
    layout = BoardLayout(
        (*squares, tray),
        words=rim(((cell.id[0], cell.id[1:], cell) for cell in squares), (), both=False),
        margin=1,
    )
    cells, words, lying = list[Cell](), list[Word](), list[Piece]()
    for at, used in enumerate((("d4",), ("d4", "e4", "e5"), ("d4", "e4", "e5", "e6", "c4"))):
        shown, right = visible_ground(layout, used), (0, 4.6, 11)[at]
        cells += [structs.replace(cell, id=f"{at} {cell.id}", x=cell.x + right) for cell in shown.cells]
        words += [Word(word.text, word.x + right, word.y) for word in shown.words]
        lying += [Piece(f"{at} {cell}", "disc", SEATS[turn % 2]) for turn, cell in enumerate(used)]
    return Scene(BoardLayout(tuple(cells), words=tuple(words)), tuple(lying))


def groups() -> Scene:
    """Groups on squares and hexes, one inside another, each with its points."""
    squares = [Cell(f"{column}{row_}", column, row_) for column in range(4) for row_ in range(3)]
    hexes = [
        Cell(f"h{column}{row_}", 5 + column * 0.75, (row_ + column % 2 / 2) * HEX_HIGH, "hex")
        for column in range(4)
        for row_ in range(3)
    ]
    block = [
        Mark(f"{column}{row_}", "group", "3 points · block", "red") for column in (0, 1) for row_ in (0, 1, 2)
    ]
    pair = [Mark(at, "group", "2 points · group", "blue") for at in ("10", "11", "21", "31")]
    field = [Mark(f"h{at}", "group", "5 points · group", "red") for at in ("00", "10", "11", "21")]
    discs = [Piece(mark.at, "disc", "blue") for mark in pair]
    return Scene(BoardLayout((*squares, *hexes)), tuple(discs), marks=(*block, *pair, *field))


def icons() -> Scene:
    """The icons of Zone S, each with its letters below."""
    known = {kind.id: kind.icon for kind in resolve("core").kinds[1:]}
    places, names = row(list(known))
    lying = tuple(Piece(name, "token", SEATS[at % 2], name) for at, name in enumerate(known))
    return Scene(BoardLayout(tuple(places), words=tuple(names), icons=tuple(known.items())), lying)


def expected() -> dict[str, str]:
    """The pictures, by the names of their files."""
    told = {
        "cells": (cells(), "Cells"),
        "pieces": (pieces(), "Pieces"),
        "marks": (marks(), "Marks"),
        "hexagons": (hexagons(), "Hexagons and their middles"),
        "depth": (depth(), "Order of depth"),
        "growing": (growing(), "Boards that grow"),
        "groups": (groups(), "Groups"),
        "icons": (icons(), "Icons"),
    }
    return {
        f"vocabulary-{name}.svg": scene_svg(scene, seats=SEATS, title=title)
        for name, (scene, title) in told.items()
    }


if __name__ == "__main__":
    for name, content in expected().items():
        (DIRECTORY / name).write_text(content)
        print(DIRECTORY / name)
