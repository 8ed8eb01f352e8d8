"""Rosters: the kinds of pieces of both sides, with cost, movement and special.

A roster file describes each kind under the letters that records use for it. ``course`` is the
direction of its moves (none for fortifications, which never move). ``range`` is the largest number of
tiles in a move (null: no limit). ``special`` is one of the specials of the rule sheet. Each of the
three terrain columns names a terrain or is left out. ``icon`` is the drawing on the pieces of the kind.
The icons of built-in rosters are in files of their own, because old records have the digests of rosters.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from gamelog.game import Message, digest
from gamelog.games.zone_s.board import DIAGONAL, ORTHOGONAL, SIDES, Side

Terrain = Literal["fields", "forest", "hills", "water"]
TERRAINS: tuple[Terrain, ...] = get_args(Terrain)
"""The terrains in the order of their numbers."""
NUMBERS: dict[Terrain, int] = {terrain: number for number, terrain in enumerate(TERRAINS, 1)}
"""The numbers of terrains on the board; 0 is a slot without a tile."""

FIELDS, FOREST, HILLS, WATER = NUMBERS.values()

_NO_TERRAIN = 255
"""The number of an empty terrain column. No tile has it."""

Special = Literal[
    "joins_kind",  # may also enter next to an own piece of its kind (ZS-17)
    "comes_from_forest",  # may also enter on any free forest tile (ZS-18)
    "shoots",  # captures an adjacent enemy without moving (ZS-19)
    "passes_enemy",  # passes one enemy piece in a move (ZS-20)
    "counts_double",  # needs no support (ZS-21)
    "returns_infantry",  # its capture of infantry returns captured own infantry (ZS-22)
    "shelters",  # protects own pieces next to it as if on preferred terrain (ZS-23)
    "leaps_to_hills",  # moves to any hill tile (ZS-24)
]

Letters = Annotated[str, Meta(min_length=1, max_length=4, pattern="^[A-Z]+$")]
Icon = Annotated[str, Meta(max_length=2_000, pattern=r"^[MmLlHhVvCcSsQqTtAaZz0-9 ,.-]*$")]
"""Path data of SVG, in a square from -24 to 24."""
_COURSES = {"orthogonal": ORTHOGONAL, "diagonal": DIAGONAL, "any": ORTHOGONAL | DIAGONAL, None: 0}


class KindFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind in a roster file.

    Attributes:
        side: Side that has the kind.
        count: Number of pieces.
        cost: Cost of a summons.
        type: Type of the piece by the rules.
        course: Directions of its straight lines; None for a fortification, which does not move.
        range: Longest move in slots; None for no limit.
        preferred: Terrain that the kind prefers, or None.
        difficult: Terrain that is difficult for the kind, or None.
        restricted: Terrain on which the kind cannot stand, or None.
        special: Special ability, or None.
        icon: Picture of the kind; empty for its letters.
    """

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    side: Side
    count: Annotated[int, Meta(ge=1, le=99)]
    cost: Annotated[int, Meta(ge=0, le=999)]
    type: Literal["infantry", "monster", "fortification"] = "infantry"
    course: Literal["orthogonal", "diagonal", "any"] | None = None
    range: Annotated[int, Meta(ge=1)] | None = None
    preferred: Terrain | None = None
    difficult: Terrain | None = None
    restricted: Terrain | None = None
    special: Special | None = None
    icon: Icon = ""


class RosterFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a roster file. ``remark`` says which parts are known and which are reconstructed."""

    name: Annotated[str, Meta(min_length=1, max_length=24)]
    kinds: Annotated[dict[Letters, KindFile], Meta(min_length=2, max_length=200)]
    remark: str = ""


class Kind(Struct, frozen=True):
    """A kind ready for play. Terrains are numbers, `_NO_TERRAIN` for none.

    Attributes:
        side: Number of the side that has the kind.
        count: Number of pieces.
        cost: Cost of a summons.
        type: Type of the piece by the rules.
        course: Directions of its straight lines: 1, 2 or 3; 0 if it does not move.
        range: Range, or 0 for no limit.
        preferred: Terrain that the kind prefers.
        difficult: Terrain that is difficult for the kind.
        restricted: Terrain on which the kind cannot stand.
        special: Special ability, or None.
        homebound: Whether it can enter on home tiles only.
        icon: Picture of the kind; empty for its letters.
    """

    id: str
    name: str
    side: int
    count: int
    cost: int
    type: str
    course: int
    range: int
    preferred: int
    difficult: int
    restricted: int
    special: str | None
    homebound: bool
    icon: str = ""


class Roster(Struct, frozen=True):
    """A roster ready for play.

    Attributes:
        remark: Which parts are known and which are reconstructed.
        kinds: The kinds. The code of a kind is its index here; code 0 means no piece.
        codes: Code of each kind's letters.
        sides: By code, the side's number (2 for code 0).
        own: By side, its codes in ascending order.
        homebound: By side, its codes, first the kinds that can enter on home tiles only.
        counts: By code, the number of pieces.
        shelters: By side, the codes of the kinds that protect their neighbours.
    """

    name: str
    remark: str
    kinds: tuple[Kind, ...]
    codes: dict[str, int]
    sides: bytes
    own: tuple[tuple[int, ...], tuple[int, ...]]
    homebound: tuple[tuple[int, ...], tuple[int, ...]]
    counts: bytes
    shelters: tuple[tuple[int, ...], tuple[int, ...]]


_NO_KIND = Kind("", "", 2, 0, 0, "", 0, 0, _NO_TERRAIN, _NO_TERRAIN, _NO_TERRAIN, None, False)


@cache
def read_built_in(name: str) -> dict[str, Any]:
    """Return the plain data of a roster that comes with the game.

    Raises:
        ValueError: No roster has this name.
    """
    folder = files("gamelog.games.zone_s").joinpath("rosters")
    known = sorted(file.name.removesuffix(".json") for file in folder.iterdir())
    if name not in known:
        raise ValueError(
            Message.of(
                'there is no roster "{=name}"; choose one of: {=known}', name=name, known=", ".join(known)
            )
        )
    data: dict[str, Any] = json.loads(folder.joinpath(f"{name}.json").read_bytes())
    return data


def header_value(given: str | dict[str, Any]) -> str | dict[str, Any]:
    """Return `given` as a header stores it: a built-in roster by name and digest, any other roster whole.

    Raises:
        ValueError: `given` is not a roster, or names a version that is not installed.
    """
    if not isinstance(given, str):
        read_roster(given)
        return given
    name, _, wanted = given.partition("@")
    digest = _digest(name)
    if wanted and wanted != digest:
        raise ValueError(
            Message.of(
                'the record uses another version of the roster "{=name}" than the installed version',
                name=name,
            )
        )
    return f"{name}@{digest}"


def resolve(settled: str | dict[str, Any]) -> Roster:
    """Return the roster that `header_value` returned. Built-in rosters are read once and kept."""
    return _read_built_in(settled.partition("@")[0]) if isinstance(settled, str) else read_roster(settled)


@cache
def _digest(name: str) -> str:
    return digest(read_built_in(name))


@cache
def _read_built_in(name: str) -> Roster:
    data, icons = read_built_in(name), files("gamelog.games.zone_s").joinpath("icons", f"{name}.json")
    drawn: dict[str, str] = json.loads(icons.read_bytes())
    kinds = {letters: kind | {"icon": drawn[letters]} for letters, kind in data["kinds"].items()}
    return read_roster(data | {"kinds": kinds})


def read_roster(data: dict[str, Any]) -> Roster:
    """Return the roster in `data`.

    The sides may have different numbers of pieces and different total costs.

    Raises:
        ValueError: `data` is not a roster.
    """
    file = msgspec.convert(data, RosterFile)
    for letters, kind in file.kinds.items():
        columns = [terrain for terrain in (kind.preferred, kind.difficult, kind.restricted) if terrain]
        if len(set(columns)) < len(columns):
            raise ValueError(Message.of("{=kind} has the same terrain in two columns", kind=letters))
        if kind.type == "fortification" and (kind.course or not kind.preferred):
            raise ValueError(
                Message.of(
                    "{=kind} is a fortification: it needs a preferred terrain and no course", kind=letters
                )
            )
        if kind.type == "fortification" and kind.special == "leaps_to_hills":
            raise ValueError(
                Message.of("{=kind} is a fortification and never moves, so it cannot leap", kind=letters)
            )
        if kind.type != "fortification" and not kind.course:
            raise ValueError(
                Message.of(
                    "{=kind} is not a fortification and needs a course: orthogonal, diagonal or any",
                    kind=letters,
                )
            )
    kinds = [_NO_KIND]
    for number, side in enumerate(SIDES):
        kinds += [_kind(letters, number, kind) for letters, kind in file.kinds.items() if kind.side == side]
        if kinds[-1].side != number:
            raise ValueError(Message.of("the roster has no pieces for the {=side}", side=side))
    codes = {kind.id: code for code, kind in enumerate(kinds) if code}
    first = next(code for code, kind in enumerate(kinds) if kind.side == 1)
    own = tuple(range(1, first)), tuple(range(first, len(kinds)))
    shelters = [tuple(code for code in codes_ if kinds[code].special == "shelters") for codes_ in own]
    return Roster(
        name=file.name,
        remark=file.remark,
        kinds=tuple(kinds),
        codes=codes,
        sides=bytes(kind.side for kind in kinds),
        own=own,
        homebound=(_homebound_first(kinds, own[0]), _homebound_first(kinds, own[1])),
        counts=bytes(kind.count for kind in kinds),
        shelters=(shelters[0], shelters[1]),
    )


def _homebound_first(kinds: list[Kind], codes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(codes, key=lambda code: not kinds[code].homebound))


def _kind(letters: str, side: int, file: KindFile) -> Kind:
    """Return the kind of piece that a roster file describes."""
    preferred, difficult, restricted = (
        NUMBERS[terrain] if terrain else _NO_TERRAIN
        for terrain in (file.preferred, file.difficult, file.restricted)
    )
    return Kind(
        id=letters,
        name=file.name,
        side=side,
        count=file.count,
        cost=file.cost,
        type=file.type,
        course=_COURSES[file.course],
        range=file.range or 0,
        preferred=preferred,
        difficult=difficult,
        restricted=restricted,
        special=file.special,
        homebound=file.type != "fortification" and file.special not in ("joins_kind", "comes_from_forest"),
        icon=file.icon,
    )
