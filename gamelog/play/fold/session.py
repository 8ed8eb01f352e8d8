"""The state outside the game, changed by common events: names, clock, offers, signatures, an agreed end."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, structs

from gamelog.message import Message
from gamelog.play.contract.outcome import Outcome
from gamelog.record.envelope import Header, Seat

MAX_PENALTIES = 1000
"""Maximum number of penalties at a time, because each adds a small cost to every other."""

MAX_TAGS = 1000
"""Maximum number of tags of a record."""

MAX_PER_AUTHOR = 1_000
"""Maximum number of open claims, and of open offers, of one author. Each adds a small cost to every other. No
author can use up the claims and offers of another.
"""

MAX_CLOCK_RULINGS = 100
"""Maximum number of rulings in force that set clocks, because each adds a small cost to every slip."""


class Offer(Struct, frozen=True):
    """An offer that waits for the answers of other players: a takeback, or the end of the game.

    Attributes:
        waiting: Seats that have not answered yet.
        to: For a takeback, the number of the last event that counts.
        result: The result with which the game ends.
        slip: Whether the takeback corrects a slip.
    """

    n: int
    by: str
    waiting: frozenset[str]
    to: int | None = None
    result: Outcome | None = None
    slip: bool = False


class ClockCorrection(Struct, frozen=True):
    """A ruling in force that has set clocks.

    Attributes:
        readings: New readings in ms, by seat and for the table.
        clock_before: Reading of the game's clock before the ruling.
        play_time: Time of play up to the last play.
    """

    readings: dict[str, int]
    clock_before: int
    play_time: int


class Signature(Struct, frozen=True):
    """A signature of a seat over all lines before an event.

    Attributes:
        n: Number of the event.
        seat: The seat.
        doubt: The reason why it proves less than it seems to: the record does not name the key for the seat,
            or another record was signed.
        is_unchecked: Whether this record alone cannot show that it is valid.
        is_key_named: Whether the record names the key for the person at the seat.
    """

    n: int
    seat: str
    key: str
    doubt: Message | None = None
    is_unchecked: bool = False
    is_key_named: bool = True


class Session(Struct, frozen=True):
    """The parts of a game that its rules do not cover.

    The fold stores offers, claims and tags, because there may be many.

    Attributes:
        paused_time: Time in ms that did not count.
        paused_at: Time since when the clock is stopped.
        corrected_time: Time of play in ms that slips took back: the ``t`` of a new event is ahead of real
            time by this time.
        caught_up_at: Time from which the clock shows the real time of play again.
        penalties: Points that rulings in force have added to or taken from each seat.
        warnings: Number of warnings that rulings in force have given to each seat.
        unknown_since: Event that counts although its effect is unknown, until a `@gap` declares the position.
        declared_result: Result in the last `@result` event, or None.
    """

    seats: tuple[Seat, ...]
    paused_time: int = 0
    paused_at: int | None = None
    corrected_time: int = 0
    caught_up_at: int = 0
    penalties: dict[str, int] = {}
    warnings: dict[str, int] = {}
    unknown_since: int | None = None
    outcome: Outcome | None = None
    declared_result: Outcome | None = None

    @classmethod
    def of(cls, header: Header) -> Session:
        """Return the session at the start of a record with this `header`."""
        return cls(seats=header.seats)

    def clock(self, t: int) -> int:
        """Return the game's time at `t`, without pauses."""
        return (t if self.paused_at is None else min(t, self.paused_at)) - self.paused_time

    def time_at(self, real: int) -> int:
        """Return the ``t`` of an event that is recorded `real` ms after the start, if play continues."""
        return real + self.corrected_time

    def name_of(self, seat: str) -> str:
        """Return the name of the person at `seat`, or `seat` if it has no name."""
        return next((person.name or seat for person in self.seats if person.seat == seat), seat)

    @property
    def seat_list(self) -> str:
        """The seats, each with its person."""
        return ", ".join(f"{seat.name} ({seat.seat})" if seat.name else seat.seat for seat in self.seats)

    def add_penalties(self, points: Mapping[str, int]) -> Session:
        """Return the session with `points` added to the penalties of seats."""
        return structs.replace(self, penalties=_added(self.penalties, points))

    def add_warnings(self, numbers: Mapping[str, int]) -> Session:
        """Return the session with `numbers` added to the warnings of seats."""
        return structs.replace(self, warnings=_added(self.warnings, numbers))

    def pause(self, t: int) -> Session:
        """Return the session with its clock stopped at `t`."""
        return structs.replace(self, paused_at=t)

    def resume(self, t: int) -> Session:
        """Return the session with its stopped clock restarted at `t`."""
        return structs.replace(self, paused_time=self.paused_time + t - (self.paused_at or 0), paused_at=None)

    def set_clock(self, t: int, reading: int) -> Session:
        """Return the session with a clock that shows `reading` ms at `t`, and runs or not as before."""
        return structs.replace(self, paused_time=t - reading, paused_at=None if self.paused_at is None else t)

    def go_back(self, t: int, reading: int, before: int) -> Session:
        """Return the session after a slip at `t`, which sets the clock from `before` back to `reading` ms."""
        lost = max(0, before - reading)
        session = self.set_clock(t, reading)
        return structs.replace(session, corrected_time=self.corrected_time + lost, caught_up_at=t + lost)


def _added(totals: Mapping[str, int], numbers: Mapping[str, int]) -> dict[str, int]:
    """Return the `totals` of seats with `numbers` added to them."""
    return {**totals, **{seat: totals.get(seat, 0) + number for seat, number in numbers.items()}}
