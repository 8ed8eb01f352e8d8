"""What is written down of a game of Zone S: decisions, drawn tiles, and the coin."""

from __future__ import annotations

from typing import Literal, final

from gamelog.games.zone_s.board import Side
from gamelog.games.zone_s.roster import Terrain
from gamelog.record import envelope


@final
class PlaceBase(envelope.Event, frozen=True, tag="place_base"):
    """The base on a slot of the own half (ZS-2)."""

    at: str


@final
class DrawTile(envelope.Event, frozen=True, tag="draw_tile"):
    """A terrain tile out of the bag, by the one whose turn it is to draw (ZS-3)."""

    terrain: Terrain


@final
class PlaceTile(envelope.Event, frozen=True, tag="place_tile"):
    """The tile just drawn, on an empty slot of the own half (ZS-3)."""

    at: str


@final
class Deploy(envelope.Event, frozen=True, tag="deploy"):
    """One of the first three pieces, behind the screen (ZS-4). `kind` is its letters in the roster."""

    kind: str
    at: str


@final
class Coin(envelope.Event, frozen=True, tag="coin"):
    """The coin falls for `seat`, who begins; the screen is removed (ZS-5)."""

    seat: Side


@final
class Move(envelope.Event, frozen=True, tag="move"):
    """A piece moves, and captures an enemy on `dst` (ZS-9 to ZS-14).
    `via` is ``leap`` only where no slide leads (ZS-A36).
    """

    src: str
    dst: str
    via: Literal["slide", "leap"] = "slide"


@final
class Shoot(envelope.Event, frozen=True, tag="shoot"):
    """The piece on `src` captures the enemy on `dst` without moving (ZS-19)."""

    src: str
    dst: str


@final
class Summon(envelope.Event, frozen=True, tag="summon"):
    """A piece out of the reserve (ZS-7, ZS-8). `kind` is its letters in the roster."""

    kind: str
    at: str


@final
class ReturnInfantry(envelope.Event, frozen=True, tag="return_infantry"):
    """After a Trollwife's capture: the captured own piece that goes back to the reserve (ZS-22)."""

    kind: str


@final
class Pass(envelope.Event, frozen=True, tag="pass"):
    """Nothing can be done (ZS-A26)."""


Decision = PlaceBase | PlaceTile | Deploy | Move | Shoot | Summon | ReturnInfantry | Pass
Chance = DrawTile | Coin
Event = Decision | Chance

EVENTS = (PlaceBase, DrawTile, PlaceTile, Deploy, Coin, Move, Shoot, Summon, ReturnInfantry, Pass)
CHANCE = (DrawTile, Coin)
