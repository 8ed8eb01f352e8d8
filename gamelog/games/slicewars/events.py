"""The events of SliceWars: decisions and dice."""

from __future__ import annotations

from typing import final

from gamelog.game import Event as BaseEvent


@final
class RemovalRoll(BaseEvent, frozen=True, tag="removal_roll"):
    """One die of each seat. The highest removes territories (SW-1). Tied seats roll again (SW-A4)."""

    rolls: dict[str, int]


@final
class Remove(BaseEvent, frozen=True, tag="remove"):
    """The territories that are removed, in any order (SW-1)."""

    at: tuple[str, ...]


@final
class StartRoll(BaseEvent, frozen=True, tag="start_roll"):
    """One die of each seat. The highest begins (SW-2). Tied seats roll again (SW-A4)."""

    rolls: dict[str, int]


@final
class ClaimLand(BaseEvent, frozen=True, tag="claim"):
    """The first die on a free territory (SW-3).

    The name differs from the tag because `gamelog.play.fold.common_events` has a `Claim`.
    """

    at: str


@final
class Add(BaseEvent, frozen=True, tag="add"):
    """A die that a player adds to their own territory before the first round (SW-4)."""

    at: str


@final
class Place(BaseEvent, frozen=True, tag="place"):
    """One of the dice received at the start of a turn (SW-7)."""

    at: str


@final
class Attack(BaseEvent, frozen=True, tag="attack"):
    """All dice of `src` against `dst` (SW-11). The dice follow as a `Battle`."""

    src: str
    dst: str


@final
class Battle(BaseEvent, frozen=True, tag="battle"):
    """The dice of an attack, recorded by the attacker: the faces of both sides (SW-12, SW-13)."""

    attack: tuple[int, ...]
    defence: tuple[int, ...]


@final
class Pass(BaseEvent, frozen=True, tag="pass"):
    """The end of a turn by choice (SW-10)."""


Decision = Remove | ClaimLand | Add | Place | Attack | Pass
Chance = RemovalRoll | StartRoll | Battle
Event = Decision | Chance

EVENTS = (RemovalRoll, Remove, StartRoll, ClaimLand, Add, Place, Attack, Battle, Pass)
"""Types of the game's events."""
CHANCE = (RemovalRoll, StartRoll, Battle)
"""Types of the events that record dice."""
ORDERLESS = {RemovalRoll: ("rolls",), Remove: ("at",), StartRoll: ("rolls",), Battle: ("attack", "defence")}
"""Members without an order; the dice of a battle are added up (SW-12), so their order does not matter."""
