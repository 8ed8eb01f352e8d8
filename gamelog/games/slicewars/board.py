"""Boards: territories, which of them touch, and where they stand in the picture.

A board file names its territories with their places and lists the pairs that touch::

    {"name": "islet", "remark": "Drawn for the club night.",
     "territories": {"A1": [0.5, 0.5], "A2": [0.5, 1.4]}, "edges": [["A1", "A2"]]}

Any map will do: the rules ask only who touches whom.
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
    """A board as it stands in its file. Coordinates are in cell widths, y down; ``remark``: its origin."""

    name: Name
    territories: Annotated[dict[Name, tuple[float, float]], Meta(min_length=2)]
    edges: list[tuple[Name, Name]]
    shape: Shape = "hex"
    remark: str = ""


class Board(Struct, frozen=True):
    """A board ready for play. Territories are numbered in the order of their file.

    ``index`` gives a name's number, ``neighbours`` the numbers of those that touch each territory.
    """

    name: str
    names: tuple[str, ...]
    places: tuple[tuple[float, float], ...]
    shape: Shape
    remark: str
    index: dict[str, int]
    neighbours: tuple[tuple[int, ...], ...]


def read_board(data: dict[str, Any]) -> Board:
    """The board in `data`. Raises ValueError, in one sentence, when it is not one.

    Whether all its territories are connected is not checked: that matters only to those who ask
    for it (option ``keep_connected``).
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


def connected(board: Board, without: Collection[int] = ()) -> bool:
    """Whether one can walk from every territory to every other, those in `without` left out."""
    land = bytes(at not in without for at in range(len(board.names)))
    return len(components(board.neighbours, land, True)) < 2
