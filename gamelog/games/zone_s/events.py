"""The events of Zone S: decisions, drawn tiles, and the coin."""

from __future__ import annotations

from typing import Literal, final

from gamelog.game import Event as BaseEvent
from gamelog.games.zone_s.board import Side
from gamelog.games.zone_s.roster import Terrain


@final
class PlaceBase(BaseEvent, frozen=True, tag="place_base"):
    """The placement of a base on a slot of the side's own half (ZS-2)."""

    at: str


@final
class DrawTile(BaseEvent, frozen=True, tag="draw_tile"):
    """The draw of a terrain tile from the bag (ZS-3)."""

    terrain: Terrain


@final
class PlaceTile(BaseEvent, frozen=True, tag="place_tile"):
    """The placement of the drawn tile on an empty slot of the side's own half (ZS-3)."""

    at: str


@final
class Deploy(BaseEvent, frozen=True, tag="deploy"):
    """The placement of one of a side's first three pieces, behind the screen (ZS-4).

    `kind` is the letters of the piece in the roster.
    """

    kind: str
    at: str


@final
class Coin(BaseEvent, frozen=True, tag="coin"):
    """The toss of the coin: `seat` begins, and the screen is removed (ZS-5)."""

    seat: Side


@final
class Move(BaseEvent, frozen=True, tag="move"):
    """The move of a piece, which captures an enemy on `dst` (ZS-9 to ZS-14).

    `via` is ``leap`` only if no slide reaches `dst` (ZS-A36).
    """

    src: str
    dst: str
    via: Literal["slide", "leap"] = "slide"


@final
class Shoot(BaseEvent, frozen=True, tag="shoot"):
    """The capture of the enemy on `dst` by the piece on `src`, which does not move (ZS-19)."""

    src: str
    dst: str


@final
class Summon(BaseEvent, frozen=True, tag="summon"):
    """The summons of a piece from the reserve (ZS-7, ZS-8).

    `kind` is the letters of the piece in the roster.
    """

    kind: str
    at: str


@final
class ReturnInfantry(BaseEvent, frozen=True, tag="return_infantry"):
    """The choice of the captured piece that returns to the reserve after a Trollwife's capture (ZS-22)."""

    kind: str


@final
class Pass(BaseEvent, frozen=True, tag="pass"):
    """A pass by a side without a legal action (ZS-A26)."""


Decision = PlaceBase | PlaceTile | Deploy | Move | Shoot | Summon | ReturnInfantry | Pass
Chance = DrawTile | Coin
Event = Decision | Chance

EVENTS = (PlaceBase, DrawTile, PlaceTile, Deploy, Coin, Move, Shoot, Summon, ReturnInfantry, Pass)
"""Types of the game's events."""
CHANCE = (DrawTile, Coin)
"""Types of the events that record chance: drawn tiles and the coin."""
