"""Boards: territories, the pairs that touch, and their places in the picture.

A board file names its territories with their places and lists the pairs that touch::

    {"name": "islet", "remark": "Drawn for the club night.",
     "territories": {"A1": [0.5, 0.5], "A2": [0.5, 1.4]}, "edges": [["A1", "A2"]]}

Any map works, because the rules use only the pairs that touch.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from gamelog.game import Shape
from gamelog.games.kit.graph import components, neighbours

Name = Annotated[str, Meta(min_length=1, max_length=24)]


class BoardFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A board as its file gives it.

    Attributes:
        territories: Centre of each territory in cell widths, y down.
        edges: Pairs of territories that touch.
        remark: Origin of the board.
    """

    name: Name
    territories: Annotated[dict[Name, tuple[float, float]], Meta(min_length=2)]
    edges: list[tuple[Name, Name]]
    shape: Shape = "hex"
    remark: str = ""


class Board(Struct, frozen=True):
    """A board ready for play. Territories are numbered in the order of their file.

    Attributes:
        places: Centre of each territory in cell widths, y down.
        remark: Origin of the board.
        index: Number of each name.
        neighbours: For each territory, the numbers of the territories that touch it.
    """

    name: str
    names: tuple[str, ...]
    places: tuple[tuple[float, float], ...]
    shape: Shape
    remark: str
    index: dict[str, int]
    neighbours: tuple[tuple[int, ...], ...]


def read_board(data: dict[str, Any]) -> Board:
    """Return the board in `data`.

    The territories need not be connected: only the option ``keep_connected`` asks for that.

    Raises:
        ValueError: `data` is not a board; the message is one sentence.
    """
    file = msgspec.convert(data, BoardFile)
    names = tuple(file.territories)
    index = {name: number for number, name in enumerate(names)}
    return Board(
        name=file.name,
        names=names,
        places=tuple(file.territories.values()),
        shape=file.shape,
        remark=file.remark,
        index=index,
        neighbours=neighbours(index, file.edges, one="territory", many="territories"),
    )


def is_connected(board: Board, without: Collection[int] = ()) -> bool:
    """Return whether the territories of `board`, except those in `without`, are connected."""
    land = bytes(at not in without for at in range(len(board.names)))
    return len(components(board.neighbours, land, True)) < 2
