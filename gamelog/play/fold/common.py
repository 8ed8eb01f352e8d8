"""The events every game has. Their tags begin with ``@``; a game's never do.

The engine folds them (`gamelog.play.fold.session`); games never see them.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from gamelog.play.contract.outcome import Outcome
from gamelog.record.envelope import Event, Millis, Ply, SeatId


class Note(Event, frozen=True, tag="@note"):
    """A comment, on the event `about` or on the game."""

    text: str
    about: Ply | None = None


class Clock(Event, frozen=True, tag="@clock"):
    """The clock is stopped (`running` false) or runs again. Paused ``t`` does not count for the game."""

    running: bool


class Claim(Event, frozen=True, tag="@claim"):
    """A player's claim, open until a ruling. `intended` is an event that the player means to play,
    as plain data.
    """

    text: str
    about: Ply | None = None
    intended: dict[str, Any] | None = None


class Takeback(Event, frozen=True, tag="@takeback"):
    """The line goes on from the state after event `to` (0: the start).

    A `slip`: what was written since was never played. The scorer corrects the paper, and no player takes
    anything back.
    """

    to: Millis
    reason: str | None = None
    slip: bool = False


class Accept(Event, frozen=True, tag="@accept"):
    """A seat's yes to the offer made in event `about`."""

    about: Ply


class Decline(Event, frozen=True, tag="@decline"):
    """A seat's no to it."""

    about: Ply


class Agree(Event, frozen=True, tag="@agree"):
    """A seat offers to end the game with `result`; in force when every other seat has accepted."""

    result: Outcome


class Resign(Event, frozen=True, tag="@resign"):
    """A seat gives up."""


class Ruling(Event, frozen=True, tag="@ruling"):
    """The arbiter's decision about event `about`.

    ``points`` are those of a penalty by seat, ``warned`` the seats of a warning. ``clock`` says what
    corrected clocks show now, in ms: by seat the time that it has used, under ``table`` the time of play, by
    which the game's own clock goes. ``time`` is what older records have: the milliseconds that a clock beside
    the record was given or lost, which nothing counts. ``upheld`` answers a claim that was right where
    nothing is left to undo.
    """

    about: Ply
    kind: Literal[
        "stands", "takeback", "penalty", "result", "forfeit", "refused", "warning", "time", "upheld", "clock"
    ]
    reason: str
    name: str
    to: Millis | None = None
    result: Outcome | None = None
    points: dict[SeatId, int] | None = None
    time: dict[SeatId, int] | None = None
    warned: tuple[SeatId, ...] | None = None
    clock: dict[SeatId, Millis] | None = None


class Gap(Event, frozen=True, tag="@gap"):
    """Moves were not written down; the state is declared."""

    state: dict[str, Any]
    reason: str


class Reveal(Event, frozen=True, tag="@reveal"):
    """One link of a seat's hash chain (64 hexadecimal digits), between an intent and its roll."""

    seat: SeatId
    link: str


class Sign(Event, frozen=True, tag="@sign"):
    """A seat's signature over the head of the line before:
    `key` and `sig` as in a seal (`gamelog.record.seal`).
    """

    seat: SeatId
    key: str
    sig: str


class Substitute(Event, frozen=True, tag="@substitute"):
    """Another person takes a seat. The event's own ``id`` is its idempotency key,
    so the person's id is ``person``.
    """

    seat: SeatId
    name: str
    person: str | None = None


class SeatNames(Struct, frozen=True, omit_defaults=True):
    """A seat's corrected name and id."""

    name: str | None = None
    id: str | None = None


class Amend(Event, frozen=True, tag="@amend"):
    """Names and tags corrected; never options, board or dice."""

    tags: dict[str, str] = {}
    seats: dict[SeatId, SeatNames] = {}


class Recovered(Event, frozen=True, tag="@recovered"):
    """A torn tail of `bytes` bytes with SHA-256 `digest` (hexadecimal) was set aside."""

    bytes: int
    digest: str


class Result(Event, frozen=True, tag="@result"):
    """The outcome as the people at the table saw it; compared with the computed one."""

    outcome: Outcome


EVENTS: tuple[type[Event], ...] = (
    Note, Clock, Claim, Takeback, Accept, Decline, Agree, Resign, Ruling, Gap, Reveal, Sign, Substitute,
    Amend, Recovered, Result,
)  # fmt: skip

COMMON = frozenset(EVENTS)
"""The same, to be asked whether an event is one of them."""

LOOSE = frozenset((Claim, Ruling, Gap, Recovered))
"""Those of them with a member that holds data of any kind, or a number of any size."""

STEPS = (Resign, Gap)
"""The common events that are a step of the game wherever they stand."""
