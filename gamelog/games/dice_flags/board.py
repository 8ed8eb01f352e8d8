"""Boards: spaces, edges between neighbours, and the four bases.

A board file names its spaces, each with its place in the picture and its kind. It lists the pairs of
spaces that touch, and the parts of each base::

    {"name": "df181", "remark": "Our reconstruction.",
     "spaces": {"M.a1": [-3, -3, "light"], "N.r2": [0, -5, "bunker"], "N.flag": [9, -7, "flag"]},
     "edges": [["M.d1", "N.r1"]],
     "bases": {"north": {"flag": "N.flag", "post": "N.e3",
                         "prison": {"name": "N.prison", "x": 5.5, "y": -2.9, "w": 3, "h": 2.8},
                         "field": ["N.a1", "N.b1"], "formation": {"P1": "N.b1", "H2": "N.c4"}}}}

Grids consist of light and dark squares, roads of road spaces and bunkers. The *post* is the light
square outside the prison. Rescued soldiers go to the three dark squares that touch the post.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from gamelog.game import Message, digest
from gamelog.games.dice_flags.army import SOLDIERS
from gamelog.games.kit.graph import components, neighbours

Name = Annotated[str, Meta(min_length=1, max_length=24)]
Kind = Literal["light", "dark", "road", "bunker", "flag"]

GRID, ROAD, BUNKER, FLAG = range(4)
"""The kinds of spaces in the rules: squares of a grid, roads, safe bunkers, flag squares."""

KINDS = {"light": GRID, "dark": GRID, "road": ROAD, "bunker": BUNKER, "flag": FLAG}
"""The kind of space for each name in a board file."""

CLOCKWISE = ("north", "east", "south", "west")
"""The bases in clockwise order."""

MAX_SPACES = 240
"""The largest number of spaces: a position stores a place in a byte, and prisons need some of its values."""

_DARK_SQUARES_AT_PRISON = 3
"""The number of dark squares that touch the square outside a prison (DF-22)."""


class Prison(Struct, frozen=True, forbid_unknown_fields=True):
    """A prison, a box in the picture.

    Attributes:
        x: Horizontal place of the centre in cell widths, to the right.
        y: Vertical place of the centre in cell widths, down.
        w: Width in cell widths.
        h: Height in cell widths.
    """

    name: Name
    x: float
    y: float
    w: float
    h: float


class BaseFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A base in a board file: its parts by the names of their spaces.

    Attributes:
        flag: Space of the base's flag.
        post: Light square outside the prison.
        field: Squares of the small field.
        formation: Space on which each soldier starts, by the name of the soldier.
    """

    flag: Name
    post: Name
    prison: Prison
    field: list[Name]
    formation: dict[str, Name]


class BoardFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a board file.

    Attributes:
        spaces: Centre of each space in cell widths, y down, and its kind.
        edges: Pairs of spaces that touch.
        bases: Bases by seat.
        remark: Origin of the board.
    """

    name: Name
    spaces: Annotated[dict[Name, tuple[float, float, Kind]], Meta(min_length=2)]
    edges: list[tuple[Name, Name]]
    bases: dict[str, BaseFile]
    remark: str = ""


class Base(Struct, frozen=True):
    """A base ready for play, its spaces by number.

    Attributes:
        flag: Space of the base's flag.
        post: Light square outside the prison.
        beside: Three squares for rescued soldiers.
        field: Squares of the small field.
        formation: Spaces on which the twelve soldiers start, in the order of `SOLDIERS`.
    """

    seat: str
    flag: int
    post: int
    beside: bytes
    field: bytes
    formation: bytes
    prison: Prison


class Board(Struct, frozen=True):
    """A board ready for play.

    Spaces are numbered in the order of the file. Bases follow the order of `CLOCKWISE`.

    Attributes:
        key: Digest of the file's data.
        places: Centre of each space in cell widths, y down.
        looks: Word of the file for the kind of each space.
        remark: Origin of the board.
        index: Number of each space by its name.
        kinds: Kind of each space as a byte.
        neighbours: By space, the numbers of the spaces that touch it.
        steps: Spaces that touch each space, by name.
    """

    key: str
    name: str
    names: tuple[str, ...]
    places: tuple[tuple[float, float], ...]
    looks: tuple[str, ...]
    remark: str
    index: dict[str, int]
    kinds: bytes
    neighbours: tuple[bytes, ...]
    steps: tuple[dict[str, int], ...]
    bases: tuple[Base, ...]


def read_board(data: dict[str, Any]) -> Board:
    """Return the board in `data`. The four bases may differ: a board may favour one base.

    Raises:
        ValueError: `data` is not a board.
    """
    file = msgspec.convert(data, BoardFile)
    if len(file.spaces) > MAX_SPACES:
        raise ValueError(
            Message.of(
                "a board can have at most {n} spaces, but this board has {found}",
                n=MAX_SPACES,
                found=len(file.spaces),
            )
        )
    names = tuple(file.spaces)
    index = {name: number for number, name in enumerate(names)}
    looks = tuple(kind for _, _, kind in file.spaces.values())
    near = neighbours(index, file.edges, one="space", many="spaces")
    board = Board(
        key=digest(data),
        name=file.name,
        names=names,
        places=tuple((x, y) for x, y, _ in file.spaces.values()),
        looks=looks,
        remark=file.remark,
        index=index,
        kinds=bytes(KINDS[look] for look in looks),
        neighbours=tuple(map(bytes, near)),
        steps=tuple({names[there]: there for there in touching} for touching in near),
        bases=(),
    )
    _check_connected(board)
    if tuple(file.bases) != CLOCKWISE:
        raise ValueError(
            Message.of(
                "the bases must be {=bases}, in this order, not {=found}",
                bases=", ".join(CLOCKWISE),
                found=", ".join(file.bases) or "none",
            )
        )
    bases = tuple(_base(board, seat, base) for seat, base in file.bases.items())
    _check_distinct(board, bases)
    return msgspec.structs.replace(board, bases=bases)


def _check_connected(board: Board) -> None:
    """Raise ValueError if no path leads to one of the spaces."""
    reached = components(board.neighbours, bytes(len(board.names)), 0)[0]
    if len(reached) < len(board.names):
        lost = next(name for number, name in enumerate(board.names) if number not in reached)
        raise ValueError(Message.of("no path leads from {=a} to {=b}", a=board.names[0], b=lost))


def _base(board: Board, seat: str, file: BaseFile) -> Base:
    """Return a base.

    Raises:
        ValueError: A part is missing or does not fit.
    """
    index = board.index
    for name in (file.flag, file.post, *file.field, *file.formation.values()):
        if name not in index:
            raise ValueError(
                Message.of(
                    'the base {seat} names "{=name}", which is not one of the spaces', seat=seat, name=name
                )
            )
    if file.prison.name in index:
        raise ValueError(Message.of("{=at} is a space and cannot also be a prison", at=file.prison.name))
    flag, post = index[file.flag], index[file.post]
    if board.kinds[flag] != FLAG:
        raise ValueError(
            Message.of(
                "{=at} is a {kind} space and cannot be a flag square", at=file.flag, kind=board.looks[flag]
            )
        )
    if len(board.neighbours[flag]) != 1:
        raise ValueError(
            Message.of(
                "the flag square {=at} must touch exactly one space, the end of its road, but it touches "
                "{=found}",
                at=file.flag,
                found=len(board.neighbours[flag]),
            )
        )
    beside = bytes(at for at in board.neighbours[post] if board.looks[at] == "dark")
    if board.looks[post] != "light" or len(beside) != _DARK_SQUARES_AT_PRISON:
        raise ValueError(
            Message.of(
                "{=at}, outside the prison, must be a light square next to three dark squares, not {=found}",
                at=file.post,
                found=len(beside),
            )
        )
    field = bytes(index[name] for name in file.field)
    if len(set(field)) != len(field) or any(board.kinds[at] != GRID for at in field):
        raise ValueError(
            Message.of("the small field of {seat} must consist of different squares of a grid", seat=seat)
        )
    if set(file.formation) != set(SOLDIERS):
        raise ValueError(
            Message.of(
                "the formation of {seat} must place {=soldiers}", seat=seat, soldiers=", ".join(SOLDIERS)
            )
        )
    formation = bytes(index[file.formation[soldier]] for soldier in SOLDIERS)
    if len(set(formation)) != len(formation) or not set(formation) <= set(field):
        raise ValueError(
            Message.of(
                "the soldiers of {seat} must start on different squares of their small field", seat=seat
            )
        )
    return Base(seat, flag, post, beside, field, formation, file.prison)


def _check_distinct(board: Board, bases: tuple[Base, ...]) -> None:
    """Raise ValueError if two bases share a part, or a flag square belongs to no base."""
    taken: set[int] = set()
    for base in bases:
        parts = {base.flag, *base.field}
        if parts & taken:
            raise ValueError(Message.of("{=at} belongs to two bases", at=board.names[min(parts & taken)]))
        taken |= parts
    for at, kind in enumerate(board.kinds):
        if kind == FLAG and at not in taken:
            raise ValueError(Message.of("the flag square {=at} belongs to no base", at=board.names[at]))
    if len({base.post for base in bases}) < len(bases) or len({base.prison.name for base in bases}) < len(
        bases
    ):
        raise ValueError("each base needs a prison of its own, with a square outside it")
