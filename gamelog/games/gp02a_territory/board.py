"""Boards: blocks of white and grey fields, and the chronology.

A board file draws the territory area twice, row by row. The first drawing has the block number of each
field, the second its colour: ``.`` for white and ``g`` for grey. A space in both is not a field::

    {"name": "islet", "remark": "Drawn for the club night.",
     "blocks": ["1122", "1122"], "fields": [".g.g", "g.g."],
     "chronology": 8, "chronology_columns": 4}

Columns are a to z, rows 1, 2, … from the top. Fields touch if they share a side.
"""

from __future__ import annotations

from itertools import chain
from string import ascii_lowercase
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from gamelog.game import Message

Row = Annotated[str, Meta(min_length=1, max_length=26)]
Rows = Annotated[list[Row], Meta(min_length=1, max_length=99)]


class BoardFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A board as its file gives it.

    Attributes:
        blocks: Rows of the board: the number of the block of each field, and a space where no field is.
        fields: The same rows with ``.`` for a white field and ``g`` for a grey field.
        chronology: Number of the fields of the chronology.
        chronology_columns: Number of its fields in a row.
        remark: Origin of the board.
    """

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    blocks: Rows
    fields: Rows
    chronology: Annotated[int, Meta(ge=1, le=100)]
    chronology_columns: Annotated[int, Meta(ge=1, le=26)] = 4
    remark: str = ""


class Board(Struct, frozen=True):
    """A board ready for play.

    Fields are numbered block by block. In each block the white fields come before the grey fields, so that
    the chips of a block can be counted in one slice.

    Attributes:
        remark: Origin of the board.
        places: Column and row of each field.
        block: Block of each field, counted from 1.
        spans: For each block, its first field, its first grey field and the field after its last.
        index: Number of each field by its name.
        neighbours: Fields that share a side with each field.
        neighbours_in_block: The same fields, but only in the same block.
        chronology: Number of the fields of the chronology.
        chronology_columns: Number of its fields in a row.
    """

    name: str
    remark: str
    names: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    block: tuple[int, ...]
    spans: tuple[tuple[int, int, int], ...]
    index: dict[str, int]
    neighbours: tuple[tuple[int, ...], ...]
    neighbours_in_block: tuple[tuple[int, ...], ...]
    chronology: int
    chronology_columns: int

    def __hash__(self) -> int:  # caches have boards in their keys, and hashing all members takes long
        return hash(self.name)


def read_board(data: dict[str, Any]) -> Board:
    """Return the board in `data`.

    The fields of a block need not be connected, and any number of them may be grey.

    Raises:
        ValueError: `data` is not a board; the message is one sentence.
    """
    file = msgspec.convert(data, BoardFile)
    drawn = _read_fields(file)
    last = max((block for block, _, _, _ in drawn), default=0)
    missing = set(range(1, last + 1)) - {block for block, _, _, _ in drawn}
    if missing or not drawn:
        raise ValueError(
            Message.of(
                "block {n} has no fields; blocks are numbered 1, 2, … without gaps", n=min(missing, default=1)
            )
        )
    drawn.sort(key=lambda field: field[:2])
    places = tuple((column, row) for _, _, row, column in drawn)
    at = {place: number for number, place in enumerate(places)}
    names = tuple(f"{ascii_lowercase[column]}{row + 1}" for column, row in places)
    kinds = [(block, grey) for block, grey, _, _ in drawn]
    spans: list[tuple[int, int, int]] = []
    for block in range(1, last + 1):
        white, grey = kinds.count((block, False)), kinds.count((block, True))
        first = spans[-1][2] if spans else 0
        spans.append((first, first + white, first + white + grey))
    neighbours = [
        [at[near] for near in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)) if near in at]
        for x, y in places
    ]
    return Board(
        name=file.name,
        remark=file.remark,
        names=names,
        places=places,
        block=tuple(block for block, _ in kinds),
        spans=tuple(spans),
        index={name: number for number, name in enumerate(names)},
        neighbours=tuple(map(tuple, neighbours)),
        neighbours_in_block=tuple(
            tuple(near for near in around if kinds[near][0] == kinds[here][0])
            for here, around in enumerate(neighbours)
        ),
        chronology=file.chronology,
        chronology_columns=file.chronology_columns,
    )


def _read_fields(file: BoardFile) -> list[tuple[int, bool, int, int]]:
    """Return the block, whether it is grey, the row and the column of each field.

    Raises:
        ValueError: The drawings do not fit together, or have unknown characters.
    """
    if [len(row) for row in file.blocks] != [len(row) for row in file.fields]:
        raise ValueError(
            "the drawings of blocks and fields must have the same number of rows, of the same lengths"
        )
    unknown = set(chain(*file.blocks)) - set("123456789 ")
    if unknown:
        raise ValueError(Message.of('a block is a digit from 1 to 9, not "{=found}"', found=min(unknown)))
    unknown = set(chain(*file.fields)) - set(".g ")
    if unknown:
        raise ValueError(
            Message.of('a field is "." for white or "g" for grey, not "{=found}"', found=min(unknown))
        )
    found: list[tuple[int, bool, int, int]] = []
    for row, (blocks, fields) in enumerate(zip(file.blocks, file.fields, strict=True)):
        for column, (block, field) in enumerate(zip(blocks, fields, strict=True)):
            if (block == " ") != (field == " "):
                raise ValueError(
                    Message.of(
                        "{=at} is a field in only one of the two drawings",
                        at=f"{ascii_lowercase[column]}{row + 1}",
                    )
                )
            if block != " ":
                found.append((int(block), field == "g", row, column))
    return found
