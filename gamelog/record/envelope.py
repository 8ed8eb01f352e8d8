"""What every line of a record has: the header, and the members common to all events.

A record is JSON Lines. The first line is the header, every other line one event::

    {"h":"<43>","gamelog":1,"id":"…","game":"slicewars", …}
    {"h":"<43>","do":"attack","n":41,"t":734000,"by":"red","src":"C3","dst":"C4"}

The first 51 bytes of a line, ``{"h":"``, 43 characters and ``",``, belong to the chain
(`gamelog.record.chain`); everything after them, the line feed included, is the line's *body*.
The types here describe bodies, so none of them has a member ``h``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

FORMAT = 1
"""The format version this module writes and reads."""

EVENT_VERSION: Literal[1] = 1
"""The version of an event's members (``v``), the only one there is."""

MAX_INT = 2**53 - 1
"""The largest integer a record may hold: beyond it JSON readers of other languages lose digits."""

MAX_LINE = 1 << 20
"""The longest line, in bytes. A header with an embedded board has to fit as well."""

MAX_RECORD = 1 << 28
"""The largest record, in bytes, decompressed: 256 MiB, or millions of events.
What claims to be larger is not read.
"""

TABLE = "table"
"""``by`` of what nobody in particular does: a deal, a roll for everybody, time running out."""

ARBITER = "arbiter"
"""``by`` of the person who rules."""

Ply = Annotated[int, Meta(ge=1, le=MAX_INT)]
"""The number of an event, from 1."""

Millis = Annotated[int, Meta(ge=0, le=MAX_INT)]
"""Milliseconds since the header's ``started``."""


SeatId = Annotated[str, Meta(extra={"names": "seat"})]
"""A seat of the game, or `TABLE` or `ARBITER`. A ``str`` that is marked as nothing is free text
(`gamelog.play.recording.free_text`).
"""

GameWord = Annotated[str, Meta(extra={"names": "game"})]
"""A word of the game's own, such as why it ended. People can write another one in its place."""


class Seat(Struct, frozen=True, omit_defaults=True):
    """One side of the table and the person who sits there."""

    seat: Annotated[SeatId, Meta(min_length=1)]
    name: str = ""
    id: str | None = None
    bot: str | None = None
    key: str | None = None


class DiceSpec(Struct, frozen=True, omit_defaults=True):
    """Where chance comes from, frozen at the start (see `gamelog.chance`)."""

    source: Literal["table", "seeded", "commit-reveal"]
    seed: str | None = None
    commitments: dict[str, str] | None = None
    forfeit: str | None = None


class Parent(Struct, frozen=True, omit_defaults=True):
    """A record that this one continues: its id, and the number and head of the last shared line.

    A record that was ``merged`` from several shares with each what was played, not the lines. If it has
    chosen between them, ``events`` are the runs of events that this parent has, too: number here, number
    there, length.
    """

    id: str
    n: Annotated[int, Meta(ge=0, le=MAX_INT)]
    head: str
    merged: bool = False
    events: tuple[tuple[Ply, Ply, Ply], ...] = ()


class Header(Struct, frozen=True, kw_only=True):
    """Everything that is settled before the first event, so that later defaults change nothing.

    ``options`` holds every option of the game, resolved. ``board`` is the name and digest of a
    built-in board (``hex50@…``) or the whole board. ``started`` is RFC 3339 in UTC. Members that
    this version does not know are allowed and stay in the file.
    """

    gamelog: int = FORMAT
    id: Annotated[str, Meta(min_length=1, max_length=200)]
    game: Annotated[str, Meta(min_length=1, max_length=200)]
    rules: str
    started: Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$")]
    seats: Annotated[tuple[Seat, ...], Meta(min_length=1)]
    options: dict[str, Any]
    board: str | dict[str, Any]
    dice: DiceSpec
    takebacks: Literal["scorer", "agreed", "arbiter"] = "scorer"
    tags: dict[str, str] = {}
    parents: tuple[Parent, ...] = ()

    @property
    def seat_ids(self) -> tuple[str, ...]:
        """The seats in their order round the table."""
        return tuple(seat.seat for seat in self.seats)


class Stamp(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Which event, when, by whom."""

    n: Ply
    t: Millis
    by: SeatId


class Event(Stamp, frozen=True, kw_only=True):
    """The members common to all events. Every event type derives from it and has a ``tag``.

    ``n`` counts from 1 in file order; ``t`` is milliseconds since ``started`` and never
    decreases; ``by`` is a seat, ``table`` or ``arbiter``. An event that is only proposed has
    ``n`` 0 and ``t`` 0 until a log takes it up. ``id`` makes a repeated append harmless,
    ``as_played`` says that the writer knows the event is illegal and that it was played all the
    same, ``v`` is the event's version once its members have changed.

    ``Attack(0, 0, "red", "C3", "C4")`` builds one: the stamp, then the type's own members; the
    optional members here are keyword-only and come last.
    """

    id: str | None = None
    as_played: bool = False
    v: Literal[1] = EVENT_VERSION


class Envelope(Struct, frozen=True, tag=None):
    """An event line as the record layer sees it: the game's own members are not looked at."""

    do: str
    n: Ply
    t: Millis
    by: str
    id: str | None = None


encoder = msgspec.json.Encoder()


def tag_of(kind: type[Struct]) -> str:
    """The tag of an event or effect type."""
    return str(kind.__struct_config__.tag)


def body(value: Struct) -> bytes:
    """The body of `value`'s line: its JSON without the opening brace, and a line feed."""
    return encoder.encode(value)[1:] + b"\n"


def proposal(event: Event) -> dict[str, Any]:
    """`event` as people give it to `append`: plain data without ``n`` and ``t``."""
    members: dict[str, Any] = msgspec.to_builtins(event)
    return {name: value for name, value in members.items() if name not in ("n", "t")}
