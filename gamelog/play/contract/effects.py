"""The consequences every game has words for. Games add their own beside these.

An effect is never recorded and never needed to verify: it is computed from the state before, the
event, and the state after, for people to read and for archives to count. Effects are tagged
structs; a game's messages (`gamelog.play.telling.messages`) turn them into sentences.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from gamelog.play.contract.outcome import Outcome


class Effect(Struct, frozen=True, tag_field="effect", omit_defaults=True):
    """Base of all effects."""


class Rolled(Effect, frozen=True, tag="rolled"):
    """Dice came to lie: `faces`, thrown by `seat` (None: nobody's dice, as when ownerless land defends)."""

    seat: str | None
    faces: tuple[int, ...]
    sides: int = 6


class Contest(Effect, frozen=True, tag="contest"):
    """Two sums were compared. ``odds`` is the exact probability that the attacker wins, seen before the roll:
    where a tie is told otherwise, among the rolls that are not ties.

    ``won`` is the attacker's result; ``values`` that are fixed and not rolled are part of the sums.
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
    """`by` took `count` things at `at` from `loser` (None: from nobody)."""

    by: str
    at: str
    loser: str | None = None
    count: int = 1


class Income(Effect, frozen=True, tag="income"):
    """`seat` received `count` things to place."""

    seat: str
    count: int


class Discarded(Effect, frozen=True, tag="discarded"):
    """`count` things that `seat` could not place went back."""

    seat: str
    count: int


class TurnOver(Effect, frozen=True, tag="turn_over"):
    """`seat`'s turn has ended; `next` is on turn (None when the game is over)."""

    seat: str
    next: str | None = None


class Out(Effect, frozen=True, tag="out"):
    """`seat` is out of the game."""

    seat: str


class Over(Effect, frozen=True, tag="over"):
    """The game has ended."""

    winners: tuple[str, ...]
    reason: str


class Team(Effect, frozen=True, tag="team"):
    """`seats` have played together as the team called `name`.
    Told after the end, as the outcome says; so are the next two.
    """

    name: str
    seats: tuple[str, ...]


class Placed(Effect, frozen=True, tag="placed"):
    """`seats` have ended in place `place`, from 1; where several have, they are tied."""

    place: int
    seats: tuple[str, ...]


class Paid(Effect, frozen=True, tag="paid"):
    """What each seat has won or lost."""

    payoffs: Mapping[str, int | float]


def standings(outcome: Outcome | None) -> tuple[Effect, ...]:
    """What `outcome` says beyond who has won and why."""
    if outcome is None:
        return ()
    teams = (Team(name, seats) for name, seats in outcome.teams.items())
    placed = (Placed(outcome.place_of(tied[0]) or 0, tied) for tied in outcome.places)
    return (*teams, *placed, *((Paid(outcome.payoffs),) if outcome.payoffs else ()))
