"""What is written down of a game of Zone Control: decisions, dice, and the call of time."""

from __future__ import annotations

from typing import final

from gamelog.record import envelope


@final
class StartRoll(envelope.Event, frozen=True, tag="start_roll"):
    """One die of each player; the highest begins (ZC-3). A tie is rolled again by those tied (ZC-A1)."""

    rolls: dict[str, int]


@final
class MoveRoll(envelope.Event, frozen=True, tag="move_roll"):
    """The movement dice; their sum is what the turn has in steps (ZC-4)."""

    dice: tuple[int, ...]


@final
class Step(envelope.Event, frozen=True, tag="step"):
    """A piece moves from one square to the next (ZC-6)."""

    src: str
    dst: str


@final
class Challenge(envelope.Event, frozen=True, tag="challenge"):
    """The zone `at` is challenged by the pieces on the squares `attackers` (ZC-15).
    The dice follow as a `ChallengeRoll`.
    """

    at: str
    attackers: tuple[str, ...]


@final
class ChallengeRoll(envelope.Event, frozen=True, tag="challenge_roll"):
    """The dice of a challenge, by the attacker: the defender's first, then the attacker's (ZC-19)."""

    defence: tuple[int, ...]
    attack: tuple[int, ...]


@final
class Occupy(envelope.Event, frozen=True, tag="occupy"):
    """The winner of a challenge moves into the zone `at`: from which square to which (ZC-21)."""

    at: str
    placement: dict[str, str]


@final
class EndTurn(envelope.Event, frozen=True, tag="end_turn"):
    """The turn is over (ZC-A25)."""


@final
class TimeUp(envelope.Event, frozen=True, tag="time_up"):
    """The clock has run out, by the table (ZC-25, ZC-A21)."""


@final
class FinalRoll(envelope.Event, frozen=True, tag="final_roll"):
    """Six dice of each player who is still tied (ZC-28). A tie is rolled again by those tied (ZC-A18)."""

    rolls: dict[str, tuple[int, ...]]


Decision = Step | Challenge | Occupy | EndTurn
Chance = StartRoll | MoveRoll | ChallengeRoll | FinalRoll
Event = Decision | Chance | TimeUp

EVENTS = (StartRoll, MoveRoll, Step, Challenge, ChallengeRoll, Occupy, EndTurn, TimeUp, FinalRoll)
CHANCE = (StartRoll, MoveRoll, ChallengeRoll, FinalRoll)
ORDERLESS = {
    StartRoll: ("rolls",),
    MoveRoll: ("dice",),
    Challenge: ("attackers",),
    ChallengeRoll: ("defence", "attack"),
    FinalRoll: ("rolls",),
}
"""Members that have no order: dice are added up, and attacking pieces are alike."""
