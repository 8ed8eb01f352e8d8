"""Boards: squares, zones and their rings, starting grids, and the pairs of squares that touch.

All of this is in the board file, so a club can play on the real board or on its own version. `Board` numbers
the squares so that a zone or a starting grid is one slice of the position. First come the corridor squares,
then the zones with nine squares each, then the starting grids with thirty-two squares each. The squares of a
grid are in the order in which pieces go home.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from gamelog.game import Message
from gamelog.games.kit.graph import neighbours

SIDES = ("north", "east", "south", "west")
"""The four sides of the board and the seats there, clockwise (ZC-1)."""

SQUARES_PER_ZONE = 9
"""The number of squares of a zone (ZC-8, ZC-18)."""

SQUARES_PER_GRID = 32
"""The number of squares of a starting grid, and of pieces of a player (ZC-2)."""

NONE = 255
"""The value of squares that are in no zone (`Board.zone_of`) or in no starting grid (`Board.home_of`)."""

Name = Annotated[str, Meta(min_length=1, max_length=24)]
Place = tuple[float, float]


class BoardFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A board as its file gives it. All squares outside zones and starting grids are corridors.

    Attributes:
        squares: Centre of each square in cell widths, y down.
        zones: Nine squares of each zone.
        middle: The zone in the middle.
        rings: Squares around each zone, from which it is challenged.
        start: Squares of each starting grid, by seat.
        return_order: Squares of each starting grid again, in the order in which pieces go home.
        edges: Pairs of squares that touch.
        blocked: Centres of squares that are only drawn.
        remark: Origin of the board.
    """

    name: Name
    squares: dict[Name, Place]
    zones: Annotated[dict[Name, list[Name]], Meta(min_length=1, max_length=99)]
    middle: Name
    rings: dict[Name, list[Name]]
    start: dict[Name, list[Name]]
    return_order: dict[Name, list[Name]]
    edges: list[tuple[Name, Name]]
    blocked: dict[Name, Place] = {}
    remark: str = ""


class Board(Struct, frozen=True):
    """A board ready for play. Zones are numbered in the order of their file, grids like `SIDES`.

    Attributes:
        names: Names of the squares.
        places: Centre of each square in cell widths, y down.
        blocked: Centres of squares that are only drawn, by name.
        zones: Names of the zones.
        middle: Number of the zone in the middle.
        rings: Squares around each zone.
        remark: Origin of the board.
        index: Number of each square by its name.
        zone_index: Number of each zone by its name.
        neighbours: Squares that touch each square.
        zone_of: Zone of each square, or `NONE`.
        home_of: Seat of the starting grid of each square, or `NONE`.
        zones_from: First square of zone 0. Zone ``z`` begins with square ``zones_from + 9 * z``.
        homes_from: First square of the grid of seat 0. The grid of seat ``s`` begins with square ``homes_from
            + 32 * s``.
    """

    name: str
    names: tuple[str, ...]
    places: tuple[Place, ...]
    blocked: dict[str, Place]
    zones: tuple[str, ...]
    middle: int
    rings: tuple[tuple[int, ...], ...]
    remark: str
    index: dict[str, int]
    zone_index: dict[str, int]
    neighbours: tuple[tuple[int, ...], ...]
    zone_of: bytes
    home_of: bytes
    zones_from: int
    homes_from: int


def read_board(data: dict[str, Any]) -> Board:
    """Return the board in `data`.

    A board may have any number of zones, rings of any size, and squares that are not connected.

    Raises:
        ValueError: A number differs from the rules, or the parts do not fit together; the message is one
            sentence.
    """
    file = msgspec.convert(data, BoardFile)
    taken = _parts(file)
    corridors = [square for square in file.squares if square not in taken]
    zones = [square for squares in file.zones.values() for square in squares]
    names = (*corridors, *zones, *(square for side in SIDES for square in file.return_order[side]))
    index = {name: number for number, name in enumerate(names)}
    zone_index = {zone: number for number, zone in enumerate(file.zones)}
    places_of = {
        square: ("zone", zone_index[zone]) for zone, squares in file.zones.items() for square in squares
    }
    places_of |= {
        square: ("home", seat) for seat, side in enumerate(SIDES) for square in file.return_order[side]
    }
    return Board(
        name=file.name,
        names=names,
        places=tuple(file.squares[name] for name in names),
        blocked=file.blocked,
        zones=tuple(file.zones),
        middle=zone_index[file.middle],
        rings=tuple(tuple(sorted(index[square] for square in file.rings[zone])) for zone in file.zones),
        remark=file.remark,
        index=index,
        zone_index=zone_index,
        neighbours=neighbours(index, file.edges, one="square", many="squares"),
        zone_of=bytes(_number(places_of.get(name), "zone") for name in names),
        home_of=bytes(_number(places_of.get(name), "home") for name in names),
        zones_from=len(corridors),
        homes_from=len(corridors) + len(zones),
    )


def _number(place: tuple[str, int] | None, kind: str) -> int:
    """Return the number of a zone or starting grid of this `kind`, or `NONE` for another place."""
    return place[1] if place is not None and place[0] == kind else NONE


def _parts(file: BoardFile) -> dict[str, Message]:
    """Return the zone or starting grid of each square that is in one, in words.

    Raises:
        ValueError: The parts of the board do not fit together.
    """
    taken: dict[str, Message] = {}
    for zone, squares in file.zones.items():
        _add_part(file, taken, Message.of("zone {zone}", zone=zone), squares, SQUARES_PER_ZONE)
    if file.middle not in file.zones:
        raise ValueError(Message.of('the middle zone "{=zone}" is not one of the zones', zone=file.middle))
    _check_names(file.start, SIDES, "start")
    _check_names(file.return_order, SIDES, "return_order")
    for side, squares in file.start.items():
        _add_part(
            file, taken, Message.of("the starting grid of {seat}", seat=side), squares, SQUARES_PER_GRID
        )
        if sorted(file.return_order[side]) != sorted(squares):
            raise ValueError(
                Message.of(
                    "the return order of {seat} must list each square of its starting grid once", seat=side
                )
            )
    _check_names(file.rings, tuple(file.zones), "rings")
    for zone, ring in file.rings.items():
        if not ring or len(set(ring)) != len(ring):
            raise ValueError(
                Message.of(
                    "the ring of zone {zone} must list at least one square, and each square only once",
                    zone=zone,
                )
            )
        for square in ring:
            if square not in file.squares:
                raise ValueError(
                    Message.of(
                        'the ring of zone {zone} names "{=at}", which is not one of the squares',
                        zone=zone,
                        at=square,
                    )
                )
            if square in taken:
                raise ValueError(
                    Message.of(
                        "{=at} cannot be in the ring of zone {zone}, because it is in {part}",
                        at=square,
                        zone=zone,
                        part=taken[square],
                    )
                )
    both = sorted(set(file.squares) & set(file.blocked))
    if both:
        raise ValueError(Message.of("{=at} cannot be both a square and blocked", at=both[0]))
    return taken


def _add_part(
    file: BoardFile, taken: dict[str, Message], part: Message, squares: list[str], size: int
) -> None:
    """Add the `squares` of a part of the board to those `taken`.

    Raises:
        ValueError: The number of squares is wrong, or a square is unknown or taken.
    """
    if len(squares) != size:
        raise ValueError(
            Message.of("{part} must have {n} squares, not {found}", part=part, n=size, found=len(squares))
        )
    for square in squares:
        if square not in file.squares:
            raise ValueError(
                Message.of('{part} names "{=at}", which is not one of the squares', part=part, at=square)
            )
        if square in taken:
            raise ValueError(
                Message.of("{=at} is in {other} and in {part}", at=square, other=taken[square], part=part)
            )
        taken[square] = part


def _check_names(given: Iterable[str], wanted: tuple[str, ...], what: str) -> None:
    """Raise ValueError unless the member `what` has exactly the `wanted` names."""
    if set(given) != set(wanted):
        raise ValueError(Message.of("{=what} must name exactly {=names}", what=what, names=", ".join(wanted)))
