"""The position: bases, terrain, pieces, reserves, and whose turn it is to do which thing."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import force_setattr

from gamelog.game import Message, Outcome
from gamelog.games.kit.cells import BYTE
from gamelog.games.zone_s import roster
from gamelog.games.zone_s.board import SIDES, Board
from gamelog.games.zone_s.roster import FIELDS, FOREST, HILLS, NUMBERS, TERRAINS, WATER, Roster, Terrain

OPEN, BASE, WALL, HIDDEN = 0, 5, 6, 7
"""What stands in `State.terrain` besides the terrains 1 to 4:
an empty slot, a base, no slot, a slot behind the screen.
"""

EMPTY = bytes([OPEN, OPEN]).ljust(256, bytes([WALL]))
"""What `bytes.translate` makes of `Board.halves` for `State.terrain` before anything lies there."""

DEPLOYED = 3
"""Pieces that each side puts on the board before the first turn (ZS-4)."""

NOWHERE = -1
"""The place of a base that has not been put down, or is hidden."""

Phase = Literal["base", "draw", "tile", "deploy", "coin", "play", "return", "over"]
"""What is due. In ``play`` an action, in ``return`` the choice of the infantry that comes back."""


class Options(Struct, frozen=True, kw_only=True):
    """The switches of the rulings, each with our ruling as its default. Raises ValueError for what makes no
    sense.

    ``roster``
        The pieces: the name of a built-in roster, or a whole roster (ZS-A11). A name is kept with its
        roster's digest, so that a record means the same for ever.
    ``tile_counts``
        The terrain tiles in the bag; together two fewer than the board has slots (ZS-A2).
    ``swordsman_only_isolated``
        The Swordsman needs support against enemies that have a friend beside them (ZS-A15).
    ``summon_destroys``
        A summons that brings the home tiles held to two destroys the base as a move does (ZS-A24).
    ``shared_home_counts``
        A tile beside both bases counts for the destruction of either (ZS-A25).
    ``repetitions``, ``max_quiet``, ``max_actions``
        The guards against endless play: 2 to 100 times the same position, 2 to 10000 actions without
        a capture or summons, 1 to 10000 actions in all (ZS-A28).
    """

    roster: str | dict[str, Any] = "core"
    tile_counts: dict[Terrain, Annotated[int, Meta(ge=0)]] = field(
        default_factory=lambda: dict.fromkeys(TERRAINS, 9)
    )
    swordsman_only_isolated: bool = False
    summon_destroys: bool = False
    shared_home_counts: bool = True
    repetitions: Annotated[int, Meta(ge=2, le=100)] = 3
    max_quiet: Annotated[int, Meta(ge=2, le=10_000)] = 60
    max_actions: Annotated[int, Meta(ge=1, le=10_000)] = 400

    def __post_init__(self) -> None:
        force_setattr(self, "roster", roster.settle(self.roster))


class Setup(Struct, frozen=True):
    """What is settled before the first event. Sides are numbered in the order of ``seats``."""

    seats: tuple[str, ...]
    options: Options
    board: Board
    roster: Roster


class State(Struct, frozen=True, gc=False):
    """A position. Places are numbered as in the `Board`, kinds have the codes of the `Roster`.

    ``actor``: the side that acts next; 0 while the coin is due, which is nobody's.
    ``terrain``, ``pieces``: one byte a place; pieces are codes, 0 for none.
    ``reserve``: by code how many pieces wait. What is neither there nor on the board is captured.
    ``bases``: the sides' bases, `NOWHERE` while they are not down.
    ``hand``: the terrain of the tile drawn and not yet placed.
    ``actions``: how many have been taken since the coin; a capture once its infantry is back.
    ``history``: ``pieces`` as they were before each action since the last capture or summons.
    ``outcome``: how the game has ended; in ``return``, how it ends once the infantry is back (ZS-A35).
    """

    setup: Setup
    phase: Phase
    actor: int
    terrain: bytes
    pieces: bytes
    reserve: bytes
    bases: tuple[int, int] = (NOWHERE, NOWHERE)
    hand: int = 0
    actions: int = 0
    history: tuple[bytes, ...] = ()
    outcome: Outcome | None = None


def start(options: Options, board: Board, seats: tuple[str, ...]) -> State:
    """The empty board. Raises ValueError when seats, board and options do not go together."""
    if seats != SIDES:
        raise ValueError(
            Message.of(
                "Zone S is played by {=seats}, in this order, not by {=found}",
                seats=" and ".join(SIDES),
                found=", ".join(seats) or "nobody",
            )
        )
    slots, tiles = len(board.index), sum(options.tile_counts.values())
    if tiles != slots - len(SIDES):
        raise ValueError(
            Message.of(
                "the board has {n} slots and so needs {due} tiles; tile_counts gives {found}",
                n=slots,
                due=slots - len(SIDES),
                found=tiles,
            )
        )
    pieces = roster.resolve(options.roster)
    return State(
        setup=Setup(seats, options, board, pieces),
        phase="base",
        actor=0,
        terrain=board.halves.translate(EMPTY),
        pieces=bytes(board.size),
        reserve=pieces.counts,
    )


def captured(state: State, code: int) -> int:
    """How many pieces of the kind `code` the other side has captured."""
    return state.setup.roster.kinds[code].count - state.reserve[code] - state.pieces.count(code)


def captured_value(state: State, side: int) -> int:
    """What the pieces that `side` has captured cost (ZS-26)."""
    kinds = state.setup.roster.kinds
    return sum(kinds[code].cost * captured(state, code) for code in state.setup.roster.own[1 - side])


def tiles_left(state: State, terrain: Terrain) -> int:
    """How many tiles of `terrain` are in the bag, with those behind a screen for whoever cannot see there."""
    number = NUMBERS[terrain]
    drawn = state.terrain.count(number) + (state.hand == number)
    return state.setup.options.tile_counts.get(terrain, 0) - drawn


def bag(state: State) -> tuple[tuple[Terrain, int], ...]:
    """Each terrain and how many tiles of it are in the bag."""
    tiles, drawn = state.setup.options.tile_counts.get, (state.terrain + BYTE[state.hand]).count
    return (  # written out: each draw that follows from a seed asks, and a loop takes half as long again
        ("fields", tiles("fields", 0) - drawn(FIELDS)),
        ("forest", tiles("forest", 0) - drawn(FOREST)),
        ("hills", tiles("hills", 0) - drawn(HILLS)),
        ("water", tiles("water", 0) - drawn(WATER)),
    )


def deployed(state: State, side: int) -> int:
    """How many pieces of `side` stand on the board or have been captured."""
    own = state.setup.roster.own[side]
    codes = slice(own[0], own[-1] + 1)
    return sum(state.setup.roster.counts[codes]) - sum(state.reserve[codes])
