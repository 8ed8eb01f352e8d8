"""What is written down of a game of Dice: decisions, and dice."""

from __future__ import annotations

from typing import final

from gamelog.record import envelope


@final
class StartRoll(envelope.Event, frozen=True, tag="start_roll"):
    """One die of each general; the highest begins (DF-2). A tie is rolled again by those tied (DF-A2)."""

    rolls: dict[str, int]


@final
class Deploy(envelope.Event, frozen=True, tag="deploy"):
    """A soldier is put on a square of his small field before the first turn (DF-A1)."""

    soldier: str
    at: str


@final
class Rescue(envelope.Event, frozen=True, tag="rescue"):
    """Instead of rolling, `rescuer` takes `prisoner` of the army `seat` out of the prison and puts him on
    `at` (DF-22).
    """

    rescuer: str
    seat: str
    prisoner: str
    at: str


@final
class March(envelope.Event, frozen=True, tag="march"):
    """The general could rescue and rolls instead (DF-22)."""


@final
class Roll(envelope.Event, frozen=True, tag="roll"):
    """The two movement dice (DF-3)."""

    dice: tuple[int, ...]


@final
class Move(envelope.Event, frozen=True, tag="move"):
    """`soldier` walks the count of one die, space by space (DF-3)."""

    soldier: str
    die: int
    path: tuple[str, ...]


@final
class Battle(envelope.Event, frozen=True, tag="battle"):
    """The dice of a battle: for each soldier in it his faces, none for pawns and carriers (DF-17)."""

    attackers: dict[str, tuple[int, ...]]
    defenders: dict[str, tuple[int, ...]]


@final
class PickUp(envelope.Event, frozen=True, tag="pick_up"):
    """Which of several flags the carrier takes who has just landed on them (DF-A16);
    `flag` is the seat it belongs to.
    """

    soldier: str
    flag: str


@final
class Tao(envelope.Event, frozen=True, tag="tao"):
    """The roll of 1 and 2 is used to move all men (DF-15)."""


@final
class TaoMove(envelope.Event, frozen=True, tag="tao_move"):
    """`soldier` walks one, two or three spaces (DF-15)."""

    soldier: str
    path: tuple[str, ...]


@final
class TaoEnd(envelope.Event, frozen=True, tag="tao_end"):
    """The other men stay where they are, and the turn is over (DF-A27)."""


@final
class Stop(envelope.Event, frozen=True, tag="stop"):
    """The rest of the roll is not used; only where moving is not a duty (DF-A3)."""


Decision = Deploy | Rescue | March | Move | PickUp | Tao | TaoMove | TaoEnd | Stop
Chance = StartRoll | Roll | Battle
Event = Decision | Chance

EVENTS = (StartRoll, Deploy, Rescue, March, Roll, Move, Battle, PickUp, Tao, TaoMove, TaoEnd, Stop)
CHANCE = (StartRoll, Roll, Battle)
ORDERLESS = {StartRoll: ("rolls",), Roll: ("dice",), Battle: ("attackers", "defenders")}
"""Members that have no order: the general chooses the first die (DF-A3).
A way has an order, and so have the moves.
"""
