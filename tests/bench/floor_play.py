"""What the straight programs of `tests.bench.floor` take and give."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

Outcome = tuple[tuple[str, ...], str]
"""Who has won, and why."""


class Illegal(Exception):
    """An event breaks a rule, or its number or time is not that of the next."""


class Seat(Struct):
    """One of the table."""

    seat: str


class Header(Struct):
    """What these programs need of a header."""

    game: str
    seats: list[Seat]
    board: Any


class Line(Struct, tag_field="do", gc=False):
    """An event."""

    n: int
    t: int
    by: str
