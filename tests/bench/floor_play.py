"""The types of the programs of `tests.bench.floor`."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

Outcome = tuple[tuple[str, ...], str]
"""The winners and the reason."""


class Illegal(Exception):
    """An event breaks a rule, or its number or time cannot be next."""


class Seat(Struct):
    """A seat at the table."""

    seat: str


class Header(Struct):
    """The members of a header that these programs need."""

    game: str
    seats: list[Seat]
    board: Any


class Line(Struct, tag_field="do", gc=False):
    """An event."""

    n: int
    t: int
    by: str
