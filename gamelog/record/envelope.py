"""The header, and the members that all events have in common.

A record is JSON Lines. The first line is the header, every other line is one event::

    {"h":"<43>","gamelog":1,"id":"…","game":"slicewars", …}
    {"h":"<43>","do":"attack","n":41,"t":734000,"by":"red","src":"C3","dst":"C4"}

The first 51 bytes of a line, ``{"h":"``, 43 characters and ``",``, belong to the chain
(`gamelog.record.chain`). The rest of the line, including the line feed, is its *body*. The types in this
module describe bodies, so none of them has a member ``h``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

FORMAT = 1
"""Format version that this module reads and writes."""

EVENT_VERSION: Literal[1] = 1
"""Version of an event's members (``v``). Only version 1 exists."""

MAX_INT = 2**53 - 1
"""Largest integer in a record. JSON readers of other languages lose digits of larger integers."""

MAX_LINE = 1 << 20
"""Maximum length of a line in bytes. A header with an embedded board must fit too."""

MAX_RECORD = 1 << 28
"""Maximum size of a record in bytes, decompressed: 256 MiB, or millions of events. Larger files are not read.
"""

TABLE = "table"
"""``by`` of an event of the table: a deal, a roll for all players, a timeout."""

ARBITER = "arbiter"
"""``by`` of the person who makes rulings."""

EventNumber = Annotated[int, Meta(ge=1, le=MAX_INT)]
"""Number of an event, from 1."""

Millis = Annotated[int, Meta(ge=0, le=MAX_INT)]
"""Milliseconds since the header's ``started``."""


SeatId = Annotated[str, Meta(extra={"names": "seat"})]
"""A seat of the game, `TABLE` or `ARBITER`. An unmarked ``str`` is free text
(`gamelog.play.anonymity.free_text`).
"""

GameWord = Annotated[str, Meta(extra={"names": "game"})]
"""A word defined by the game, such as the reason of its end. People can write another word instead."""


class Seat(Struct, frozen=True, omit_defaults=True):
    """A place at the table and the person who sits there.

    Attributes:
        name: Name of the person.
        id: Id of the person, which stays the same if the name changes.
        bot: Name of the bot that plays, or None for a person.
        key: Public key of the person, or None.
    """

    seat: Annotated[SeatId, Meta(min_length=1)]
    name: str = ""
    id: str | None = None
    bot: str | None = None
    key: str | None = None


class DiceSpec(Struct, frozen=True, omit_defaults=True):
    """The source of chance, fixed at the start (see `gamelog.chance`).

    Attributes:
        source: Origin of the results.
        seed: Seed, for ``seeded`` dice.
        commitments: Digest of the secret of each seat, for ``commit-reveal`` dice.
        forfeit: What happens if a seat does not reveal its link, for ``commit-reveal`` dice.
    """

    source: Literal["table", "seeded", "commit-reveal"]
    seed: str | None = None
    commitments: dict[str, str] | None = None
    forfeit: str | None = None


class Parent(Struct, frozen=True, omit_defaults=True):
    """A record that this one continues: its id, and the number and head of the last shared line.

    Attributes:
        merged: Whether the record was merged from several parents. It then shares events with each parent,
            but not lines.
        events: If the merge chose between the parents, the runs of events shared with this parent: number
            here, number there, length.
    """

    id: str
    n: Annotated[int, Meta(ge=0, le=MAX_INT)]
    head: str
    merged: bool = False
    events: tuple[tuple[EventNumber, EventNumber, EventNumber], ...] = ()


class Header(Struct, frozen=True, kw_only=True):
    """All settings of the game. They are complete, so later defaults change nothing. Unknown members are
    allowed and stay in the file.

    Attributes:
        gamelog: Version of the format.
        rules: Version of the rules.
        started: Start of the game, as RFC 3339 in UTC.
        options: Every option of the game, resolved.
        board: Name and digest of a built-in board (``hex50@…``), or the whole board.
        dice: Source of chance.
        takebacks: The role that can take events back, or ``agreed`` for the players together.
        rolls: The role that enters dice and draws at a served table; if it is missing, the scorer.
        tags: Texts by name, for example the event in which the game was played.
        parents: Records that this one continues.
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
    rolls: Literal["scorer", "players"] | UnsetType = UNSET
    tags: dict[str, str] = {}
    parents: tuple[Parent, ...] = ()

    @property
    def seat_ids(self) -> tuple[str, ...]:
        """Seats in their order round the table."""
        return tuple(seat.seat for seat in self.seats)


class Stamp(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Number, time and author of an event."""

    n: EventNumber
    t: Millis
    by: SeatId


class Event(Stamp, frozen=True, kw_only=True):
    """The members common to all events. Every event type derives from this class and has a ``tag``.

    ``Attack(0, 0, "red", "C3", "C4")`` builds an event: the stamp, then the members of its type. The optional
    members of this class are keyword-only and come last.

    Attributes:
        n: Number from 1 in file order; 0 if the event is only proposed.
        t: Milliseconds since ``started``, which never decrease; 0 if the event is only proposed.
        by: Seat, ``table`` or ``arbiter``.
        id: Key that makes a repeated append harmless.
        as_played: Whether the writer knows that the event is illegal, but it was played anyway.
        v: Version of the event's members.
    """

    id: str | None = None
    as_played: bool = False
    v: Literal[1] = EVENT_VERSION


STAMP_FIELDS = frozenset(Event.__struct_fields__)
"""Fields of every event."""

STAMP_MEMBERS = STAMP_FIELDS | {"do"}
"""Members of every event as plain data: the fields and the tag."""

NOT_DICE_MEMBERS = STAMP_FIELDS - {"by"}
"""Members of every event that do not depend on the dice."""

NOT_FACT_MEMBERS = frozenset({"n", "t", "id"})
"""Members of an event that are not in its fact: the step has them, or they are the recorder's own."""


class Envelope(Struct, frozen=True, tag=None):
    """An event line as the record layer sees it, without the game's own members.

    Attributes:
        do: Tag of the event.
    """

    do: str
    n: EventNumber
    t: Millis
    by: str
    id: str | None = None


encoder = msgspec.json.Encoder()


def tag_of(kind: type[Struct]) -> str:
    """Return the tag of an event or effect type."""
    return str(kind.__struct_config__.tag)


def encode_body(value: Struct) -> bytes:
    """Return the body of `value`'s line: its JSON without the opening brace, and a line feed."""
    return encoder.encode(value)[1:] + b"\n"


def as_proposal(event: Event) -> dict[str, Any]:
    """Return `event` in the form that `append` accepts: plain data without ``n`` and ``t``."""
    members: dict[str, Any] = msgspec.to_builtins(event)
    return {name: value for name, value in members.items() if name not in ("n", "t")}
