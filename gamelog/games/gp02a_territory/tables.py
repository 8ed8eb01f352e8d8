"""The numbers of the rules: the chips and the points (``data/scoring.json``)."""

from __future__ import annotations

from bisect import bisect_right
from importlib.resources import files

import msgspec
from msgspec import Struct


class Tables(Struct, frozen=True, forbid_unknown_fields=True):
    """The table of numbers.

    Attributes:
        source: Origin of the numbers.
        chips: Number of chips of each colour.
        chronology: Points for each chip of a colour in the chronology.
        groups: Smallest size of each band and its points, in ascending order.
        block: Points for the most chips in a block, which tied colours share.
    """

    source: str
    chips: dict[str, int]
    chronology: int
    groups: tuple[tuple[int, int], ...]
    block: int


TABLES = msgspec.json.decode(
    files("gamelog.games.gp02a_territory").joinpath("data", "scoring.json").read_bytes(), type=Tables
)
"""The tables of points, from ``data/scoring.json``."""


_SMALLEST = [smallest for smallest, _ in TABLES.groups]


def group_points(size: int) -> int:
    """Return the points of a group of `size` connected chips (GP-19)."""
    at = bisect_right(_SMALLEST, size)
    return TABLES.groups[at - 1][1] if at else 0


def block_points(leaders: int) -> int:
    """Return the points of each of `leaders` colours that lead in a block (GP-20)."""
    return TABLES.block // leaders
