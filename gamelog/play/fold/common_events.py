"""The common events of all games. Their tags begin with ``@``. Tags of a game's own events never do.

The engine folds these events (`gamelog.play.fold.session`). Games never see them.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from gamelog.play.contract.outcome import Outcome
from gamelog.record.envelope import Event, EventNumber, Millis, SeatId


class Note(Event, frozen=True, tag="@note"):
    """A comment on the event `about` or on the game."""

    text: str
    about: EventNumber | None = None


class Clock(Event, frozen=True, tag="@clock"):
    """A stop (`running` is false) or a restart of the clock. The time in between does not count."""

    running: bool


class Claim(Event, frozen=True, tag="@claim"):
    """A player's claim, open until a ruling. `intended` is the event that the player wants to play."""

    text: str
    about: EventNumber | None = None
    intended: dict[str, Any] | None = None


class Withdraw(Event, frozen=True, tag="@withdraw"):
    """A withdrawal of an open claim or an open offer in event `about` by its author."""

    about: EventNumber


class Takeback(Event, frozen=True, tag="@takeback"):
    """A return to the state after event `to` (0: the start).

    A `slip` corrects a recording mistake: the later events were never played, and no player takes a move
    back.
    """

    to: Millis
    reason: str | None = None
    slip: bool = False


class Accept(Event, frozen=True, tag="@accept"):
    """A seat's agreement to the offer of event `about`."""

    about: EventNumber


class Decline(Event, frozen=True, tag="@decline"):
    """A seat's refusal of the offer of event `about`."""

    about: EventNumber


class Agree(Event, frozen=True, tag="@agree"):
    """A seat's offer to end the game with `result`. It takes effect when every other seat has accepted."""

    result: Outcome


class Resign(Event, frozen=True, tag="@resign"):
    """A seat's resignation."""


class Ruling(Event, frozen=True, tag="@ruling"):
    """The arbiter's decision about an event. The kind ``upheld`` answers a claim that was right if nothing is
    left to undo.

    Attributes:
        about: Number of the event.
        kind: Kind of the decision.
        reason: The reason in words.
        name: Name of the arbiter.
        to: For a takeback, the number of the last event that counts.
        result: For a result or a forfeit, the result of the game.
        points: Points of a penalty by seat.
        time: In older records only: milliseconds added to or taken from a separate clock, which Gamelog does
            not count.
        warned: Seats of a warning.
        clock: Corrected clocks in ms: for a seat the time that it has used, for ``table`` the time of play,
            which is the game's own clock.
    """

    about: EventNumber
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
    """A declared position, because moves were not recorded."""

    state: dict[str, Any]
    reason: str


class Reveal(Event, frozen=True, tag="@reveal"):
    """A link of a seat's hash chain (64 hexadecimal digits), between an intent and its roll."""

    seat: SeatId
    link: str


class Sign(Event, frozen=True, tag="@sign"):
    """A seat's signature over the head of the line before. `key` and `sig` are as in a seal."""

    seat: SeatId
    key: str
    sig: str


class Substitute(Event, frozen=True, tag="@substitute"):
    """A new person at a seat. The person's id is ``person``. The member ``id`` is the event's own key."""

    seat: SeatId
    name: str
    person: str | None = None


class SeatNames(Struct, frozen=True, omit_defaults=True):
    """A seat's corrected name and id."""

    name: str | None = None
    id: str | None = None


class Amend(Event, frozen=True, tag="@amend"):
    """A correction of names and tags, never of options, board or dice."""

    tags: dict[str, str] = {}
    seats: dict[SeatId, SeatNames] = {}


class Recovered(Event, frozen=True, tag="@recovered"):
    """The removal of a torn end of `bytes` bytes with SHA-256 `digest` (hexadecimal)."""

    bytes: int
    digest: str


class Result(Event, frozen=True, tag="@result"):
    """The outcome as the people at the table saw it, compared with the computed outcome."""

    outcome: Outcome


EVENTS: tuple[type[Event], ...] = (
    Note, Clock, Claim, Withdraw, Takeback, Accept, Decline, Agree, Resign, Ruling, Gap, Reveal, Sign,
    Substitute, Amend, Recovered, Result,
)  # fmt: skip
"""Types of the common events, which every game has."""

COMMON = frozenset(EVENTS)
"""Set of the common event types."""

ARBITRARY_DATA_TYPES = frozenset((Claim, Ruling, Gap, Recovered))
"""Common event types with a member for arbitrary data or for arbitrarily large numbers."""

STEP_TYPES = (Resign, Gap)
"""Common event types that are always a step of the game."""
