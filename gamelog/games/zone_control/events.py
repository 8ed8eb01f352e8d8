"""The events of Zone Control: decisions, dice, and the call of time."""

from __future__ import annotations

from typing import final

from msgspec.structs import replace

from gamelog.game import Event as BaseEvent
from gamelog.games.kit.order import canonical_order


@final
class StartRoll(BaseEvent, frozen=True, tag="start_roll"):
    """One die of each player. The highest begins (ZC-3). Tied players roll again (ZC-A1)."""

    rolls: dict[str, int]


@final
class MoveRoll(BaseEvent, frozen=True, tag="move_roll"):
    """The movement dice. Their sum is the number of steps in the turn (ZC-4)."""

    dice: tuple[int, ...]


@final
class Step(BaseEvent, frozen=True, tag="step"):
    """The move of a piece from one square to an adjacent square (ZC-6)."""

    src: str
    dst: str


@final
class Challenge(BaseEvent, frozen=True, tag="challenge"):
    """The challenge of the zone `at` by the pieces on the squares `attackers` (ZC-15).

    The dice follow as a `ChallengeRoll`.
    """

    at: str
    attackers: tuple[str, ...]


@final
class ChallengeRoll(BaseEvent, frozen=True, tag="challenge_roll"):
    """The dice of a challenge, recorded by the attacker: the defender's, then the attacker's (ZC-19)."""

    defence: tuple[int, ...]
    attack: tuple[int, ...]


@final
class Occupy(BaseEvent, frozen=True, tag="occupy"):
    """The winner's move into the zone `at`: from square to square, for each piece (ZC-21)."""

    at: str
    placement: dict[str, str]


@final
class EndTurn(BaseEvent, frozen=True, tag="end_turn"):
    """The end of a turn by choice (ZC-A25)."""


@final
class TimeUp(BaseEvent, frozen=True, tag="time_up"):
    """The call of time by the table, when the clock has run out (ZC-25, ZC-A21)."""


@final
class FinalRoll(BaseEvent, frozen=True, tag="final_roll"):
    """Six dice of each player who is still tied (ZC-28). Players who tie again roll again (ZC-A18)."""

    rolls: dict[str, tuple[int, ...]]


Decision = Step | Challenge | Occupy | EndTurn
Chance = StartRoll | MoveRoll | ChallengeRoll | FinalRoll
Event = Decision | Chance | TimeUp

EVENTS = (StartRoll, MoveRoll, Step, Challenge, ChallengeRoll, Occupy, EndTurn, TimeUp, FinalRoll)
"""Types of the game's events."""
CHANCE = (StartRoll, MoveRoll, ChallengeRoll, FinalRoll)
"""Types of the events that record dice."""
ORDERLESS = {
    StartRoll: ("rolls",),
    MoveRoll: ("dice",),
    Challenge: ("attackers",),
    ChallengeRoll: ("defence", "attack"),
    FinalRoll: ("rolls",),
}
"""Members without an order, because dice are added up and attacking pieces are alike."""

_canonical = canonical_order(ORDERLESS)


def canonical(event: Event) -> Event:
    """Return `event` with the members in order that have none by themselves.

    The pieces of a seat are alike. So an `Occupy` depends on the squares that they leave and enter, not on
    the pairs (ZC-21).
    """
    if type(event) is not Occupy:
        return _canonical(event)
    squares = event.placement
    return replace(event, placement=dict(zip(sorted(squares), sorted(squares.values()), strict=True)))
