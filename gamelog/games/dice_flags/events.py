"""The events of Dice: decisions and dice."""

from __future__ import annotations

from typing import final

from gamelog.game import Event as BaseEvent


@final
class StartRoll(BaseEvent, frozen=True, tag="start_roll"):
    """One die of each general. The highest begins (DF-2). Tied generals roll again (DF-A2)."""

    rolls: dict[str, int]


@final
class Deploy(BaseEvent, frozen=True, tag="deploy"):
    """The placement of a soldier on a square of the small field before the first turn (DF-A1)."""

    soldier: str
    at: str


@final
class Rescue(BaseEvent, frozen=True, tag="rescue"):
    """The rescue of `prisoner` of the army `seat` by `rescuer`, instead of a roll (DF-22).

    The freed soldier goes to `at`.
    """

    rescuer: str
    seat: str
    prisoner: str
    at: str


@final
class March(BaseEvent, frozen=True, tag="march"):
    """The choice to roll although a rescue is possible (DF-A41)."""


@final
class Roll(BaseEvent, frozen=True, tag="roll"):
    """A roll of the two movement dice (DF-3)."""

    dice: tuple[int, ...]


@final
class Move(BaseEvent, frozen=True, tag="move"):
    """The move of `soldier` by the count of one die, space by space (DF-3)."""

    soldier: str
    die: int
    path: tuple[str, ...]


@final
class Battle(BaseEvent, frozen=True, tag="battle"):
    """The dice of a battle: the faces of each soldier in it, none for pawns and carriers (DF-17)."""

    attackers: dict[str, tuple[int, ...]]
    defenders: dict[str, tuple[int, ...]]


@final
class PickUp(BaseEvent, frozen=True, tag="pick_up"):
    """The choice of a flag by a carrier that has landed on several flags (DF-A16).

    `flag` is the seat to which the flag belongs.
    """

    soldier: str
    flag: str


@final
class Tao(BaseEvent, frozen=True, tag="tao"):
    """The use of a roll of 1 and 2 for the Tao (DF-15)."""


@final
class TaoMove(BaseEvent, frozen=True, tag="tao_move"):
    """The move of `soldier` by one, two or three spaces in the Tao (DF-15)."""

    soldier: str
    path: tuple[str, ...]


@final
class TaoEnd(BaseEvent, frozen=True, tag="tao_end"):
    """The end of the Tao and of the turn. The other soldiers stay where they are (DF-A27)."""


@final
class Stop(BaseEvent, frozen=True, tag="stop"):
    """The choice to leave the rest of the roll unused, if ``must_move`` is off (DF-A3)."""


Decision = Deploy | Rescue | March | Move | PickUp | Tao | TaoMove | TaoEnd | Stop
Chance = StartRoll | Roll | Battle
Event = Decision | Chance

EVENTS = (StartRoll, Deploy, Rescue, March, Roll, Move, Battle, PickUp, Tao, TaoMove, TaoEnd, Stop)
"""Types of the game's events."""
CHANCE = (StartRoll, Roll, Battle)
"""Types of the events that record dice."""
ORDERLESS = {StartRoll: ("rolls",), Roll: ("dice",), Battle: ("attackers", "defenders")}
"""Members whose order means nothing: the general may use either die first (DF-A3).
The spaces of a path keep their order.
"""
