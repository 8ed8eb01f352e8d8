"""Effects that all games share. Games add their own effects.

An effect is never recorded and never needed for verification. It is computed from the state before, the
event, and the state after, for people to read and for archives to count. Effects are tagged structs. A game's
messages (`gamelog.play.rendering.sentences`) turn them into sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec import Struct

from gamelog.play.contract.outcome import Outcome


class Effect(Struct, frozen=True, tag_field="effect", omit_defaults=True):
    """Base class of all effects.

    Attributes:
        is_forecast: Whether the effect says what may happen, such as the odds of a roll that is due. Archives
            have no row of it: the contest after the roll has the odds.
    """

    is_forecast: ClassVar[bool] = False


class Rolled(Effect, frozen=True, tag="rolled"):
    """A roll of dice: `faces`, thrown by `seat` (None: the dice of no seat, such as neutral defenders)."""

    seat: str | None
    faces: tuple[int, ...]
    sides: int = 6


class Contest(Effect, frozen=True, tag="contest"):
    """A comparison of two sums. The sums include values that are fixed and not rolled.

    Attributes:
        won: Result of the attacker.
        odds: Exact probability, before the roll, that the attacker wins. If ties are resolved otherwise, only
            rolls that are not ties count.
    """

    by: str
    against: str | None
    attack: tuple[int, ...]
    defence: tuple[int, ...]
    attack_sum: int
    defence_sum: int
    won: bool
    odds: float
    at: str = ""


class Captured(Effect, frozen=True, tag="captured"):
    """`count` things at `at` that `by` took from `loser` (None: from no one)."""

    by: str
    at: str
    loser: str | None = None
    count: int = 1


class Income(Effect, frozen=True, tag="income"):
    """`count` things that `seat` received to place."""

    seat: str
    count: int


class Discarded(Effect, frozen=True, tag="discarded"):
    """`count` things that `seat` could not place and returned."""

    seat: str
    count: int


class TurnOver(Effect, frozen=True, tag="turn_over"):
    """The end of `seat`'s turn. `next` is to move (None if the game is over)."""

    seat: str
    next: str | None = None


class Threat(Effect, frozen=True, tag="threat"):
    """The possibility for `seat` to win with its next event, unless another player prevents it."""

    seat: str


class Out(Effect, frozen=True, tag="out"):
    """The elimination of `seat`."""

    seat: str


class Over(Effect, frozen=True, tag="over"):
    """The end of the game."""

    winners: tuple[str, ...]
    reason: str


class Team(Effect, frozen=True, tag="team"):
    """The team `name` of `seats`. Shown after the end, like the next two effects, as part of the outcome."""

    name: str
    seats: tuple[str, ...]


class Placed(Effect, frozen=True, tag="placed"):
    """The final place of `seats`, from 1. Several seats are tied."""

    place: int
    seats: tuple[str, ...]


class Paid(Effect, frozen=True, tag="paid"):
    """The winnings or losses of each seat."""

    payoffs: Mapping[str, int | float]


def outcome_effects(outcome: Outcome | None) -> tuple[Effect, ...]:
    """Return the effects for the parts of `outcome` other than winners and reason."""
    if outcome is None:
        return ()
    teams = (Team(name, seats) for name, seats in outcome.teams.items())
    placed = (Placed(outcome.place_of(tied[0]) or 0, tied) for tied in outcome.places)
    return (*teams, *placed, *((Paid(outcome.payoffs),) if outcome.payoffs else ()))
