"""Boards: slots in columns and rows, each in the half of one side.

A board file lists its rows from the top row down. ``d`` is a slot in the Dominion's half, ``s`` a
slot in the Separatists' half, ``-`` a place without a slot. Columns have letters, from the left.
Rows have numbers, from the bottom::

    {"name": "strait", "remark": "Cut from a door.", "rows": ["sss", "sss", "ddd", "ddd"]}
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from gamelog.game import Message

Side = Literal["dominion", "separatists"]
SIDES: tuple[Side, ...] = get_args(Side)
"""The seats. A side's number is its index here. The Dominion has the bottom half."""

NO_SLOT = 2
"""The value in `Board.halves` of a place without a slot."""

ORTHOGONAL, DIAGONAL = 1, 2
"""Courses as bits: 3 is any direction."""


class BoardFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a board file."""

    name: Annotated[str, Meta(min_length=1, max_length=24)]
    rows: Annotated[
        list[Annotated[str, Meta(pattern="^[ds-]+$", max_length=26)]], Meta(min_length=2, max_length=26)
    ]
    remark: str = ""


class Board(Struct, frozen=True):
    """A board ready for play.

    Places are numbered row by row from the bottom, places without a slot included.

    Attributes:
        remark: Origin of the board.
        columns: Number of columns.
        rows: Number of rows.
        size: Number of places.
        names: Name of each place, empty if the place has no slot.
        index: Place of each name.
        halves: One byte for each place, the side's number or `NO_SLOT`.
        neighbours: Slots around each place, at most eight.
        rays: By course (1, 2 or 3) and place, the slots in each direction up to the edge.
        courses: Course of the straight line from place ``a`` to place ``b``, at the entry ``a * size + b``; 0
            if there is no line.
        steps: Difference between one place on this line and the next, at the same entry.
    """

    name: str
    remark: str
    columns: int
    rows: int
    size: int
    names: tuple[str, ...]
    index: dict[str, int]
    halves: bytes
    neighbours: tuple[tuple[int, ...], ...]
    rays: tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]
    courses: bytes
    steps: tuple[int, ...]

    def distance(self, a: int, b: int) -> int:
        """Return the number of steps from place `a` to place `b`, in any direction and past any obstacle."""
        (row, column), (other_row, other_column) = divmod(a, self.columns), divmod(b, self.columns)
        return max(abs(row - other_row), abs(column - other_column))


def read_board(data: dict[str, Any]) -> Board:
    """Return the board in `data`.

    Both halves must have the same number of slots. Every slot needs two neighbours, because a base on a
    slot with fewer neighbours could not be destroyed. Nothing checks that the halves touch.

    Raises:
        ValueError: `data` is not a board.
    """
    file = msgspec.convert(data, BoardFile)
    columns, rows = len(file.rows[0]), len(file.rows)
    if any(len(row) != columns for row in file.rows):
        raise ValueError("all rows of the board must have the same length")
    text = "".join(reversed(file.rows))
    halves = bytes("ds-".index(letter) for letter in text)
    if halves.count(0) != halves.count(1):
        raise ValueError(
            Message.of(
                "the halves must have the same number of slots, not {one} and {other}",
                one=halves.count(0),
                other=halves.count(1),
            )
        )
    names = tuple(
        "" if half == NO_SLOT else f"{chr(97 + place % columns)}{place // columns + 1}"
        for place, half in enumerate(halves)
    )
    straight = tuple(tuple(_rays(halves, columns, place, ORTHOGONAL)) for place in range(len(halves)))
    slanting = tuple(tuple(_rays(halves, columns, place, DIAGONAL)) for place in range(len(halves)))
    both = tuple(a + b for a, b in zip(straight, slanting, strict=True))
    neighbours = tuple(tuple(sorted(ray[0] for ray in rays)) for rays in both)
    isolated = [name for name, near in zip(names, neighbours, strict=True) if name and len(near) < 2]
    if isolated:
        raise ValueError(Message.of("the slot {=at} has fewer than two neighbours", at=isolated[0]))
    size = len(halves)
    courses, steps = bytearray(size * size), [0] * (size * size)
    for course, rays_of in ((ORTHOGONAL, straight), (DIAGONAL, slanting)):
        for src, rays in enumerate(rays_of):
            for ray in rays:
                for dst in ray:
                    courses[src * size + dst] = course
                    steps[src * size + dst] = ray[0] - src
    return Board(
        name=file.name,
        remark=file.remark,
        columns=columns,
        rows=rows,
        size=size,
        names=names,
        index={name: place for place, name in enumerate(names) if name},
        halves=halves,
        neighbours=neighbours,
        rays=(((),) * size, straight, slanting, both),
        courses=bytes(courses),
        steps=tuple(steps),
    )


def _rays(halves: bytes, columns: int, place: int, course: int) -> list[tuple[int, ...]]:
    """Return the slots from `place` in each direction of `course`, up to the first gap. No ray is empty."""
    if halves[place] == NO_SLOT:
        return []
    directions = (
        ((0, 1), (1, 0), (0, -1), (-1, 0)) if course == ORTHOGONAL else ((1, 1), (1, -1), (-1, -1), (-1, 1))
    )
    rays = []
    for up, right in directions:
        ray: list[int] = []
        row, column = place // columns + up, place % columns + right
        while (
            0 <= column < columns
            and 0 <= row < len(halves) // columns
            and halves[row * columns + column] != NO_SLOT
        ):
            ray.append(row * columns + column)
            row, column = row + up, column + right
        if ray:
            rays.append(tuple(ray))
    return rays
