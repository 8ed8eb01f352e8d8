"""What the common events have made of the table: names, clock, offers, signatures, an agreed end."""

from __future__ import annotations

from msgspec import Struct, structs

from gamelog.message import Message
from gamelog.play.contract.outcome import Outcome
from gamelog.record.envelope import Header, Seat

MAX_PENDING = 1000
"""Open claims, open offers and penalties that a table can have at a time,
for each costs a little at every other; and tags.
"""

MAX_CLOCKS = 100
"""Rulings that set clocks and can be in force at a time: each costs a little at every slip of the pen."""


class Offer(Struct, frozen=True):
    """An offer in event `n` that waits for `waiting`: a takeback to `to` (of a `slip`), or a `result`."""

    n: int
    by: str
    waiting: frozenset[str]
    to: int | None = None
    result: Outcome | None = None
    slip: bool = False


class ClockCorrection(Struct, frozen=True):
    """A ruling in force that has set clocks to ``readings``, in ms, by seat and for the table.

    ``shown`` is what the game's clock showed before it, ``played`` the time of play up to the play before it.
    """

    readings: dict[str, int]
    shown: int
    played: int


class Signature(Struct, frozen=True):
    """Seat `seat` has signed all lines before event `n`.

    ``doubt`` says why that is worth less than it seems: nothing names the key as the seat's, or it
    was another record that was signed. ``unchecked``: nobody can say from this record alone whether it holds.
    ``named``: the record names the key for the person who sat there.
    """

    n: int
    seat: str
    key: str
    doubt: Message | None = None
    unchecked: bool = False
    named: bool = True


class Session(Struct, frozen=True):
    """The table beside the game.

    ``paused`` is the time in ms that did not count, ``paused_at`` since when the clock stands;
    ``penalties`` are the points that rulings in force have given each seat or taken; ``unknown_since`` is an
    event that stood though nobody can say what it did, until a `@gap` declares the position. Offers, claims
    and tags, of which there may be many, are the fold's.
    """

    seats: tuple[Seat, ...]
    paused: int = 0
    paused_at: int | None = None
    penalties: dict[str, int] = {}
    unknown_since: int | None = None
    outcome: Outcome | None = None
    declared: Outcome | None = None

    @classmethod
    def of(cls, header: Header) -> Session:
        """The table as the header lays it."""
        return cls(seats=header.seats)

    def clock(self, t: int) -> int:
        """The game's time at `t`: pauses taken out."""
        return (t if self.paused_at is None else min(t, self.paused_at)) - self.paused

    def name_of(self, seat: str) -> str:
        """Who sits at `seat`; the seat itself where nobody is named (and for table and arbiter)."""
        return next((person.name or seat for person in self.seats if person.seat == seat), seat)

    @property
    def seat_list(self) -> str:
        """The seats, each with the person who sits there."""
        return ", ".join(f"{one.name} ({one.seat})" if one.name else one.seat for one in self.seats)

    def pause(self, t: int) -> Session:
        """The table once its clock stands, from `t` on."""
        return structs.replace(self, paused_at=t)

    def resume(self, t: int) -> Session:
        """The table once its clock, which stands, goes on at `t`."""
        return structs.replace(self, paused=self.paused + t - (self.paused_at or 0), paused_at=None)

    def set_clock(self, t: int, reading: int) -> Session:
        """The table with a clock that at `t` shows `reading`, in ms, and goes or stands as before."""
        return structs.replace(self, paused=t - reading, paused_at=None if self.paused_at is None else t)
