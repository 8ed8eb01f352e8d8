"""The position: bases, terrain, pieces, reserves, phase and side to act."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import force_setattr

from gamelog.game import Message, Outcome, option
from gamelog.games.kit.cells import BYTE
from gamelog.games.zone_s import roster
from gamelog.games.zone_s.board import SIDES, Board
from gamelog.games.zone_s.roster import FIELDS, FOREST, HILLS, NUMBERS, TERRAINS, WATER, Roster, Terrain

OPEN, BASE, WALL, HIDDEN = 0, 5, 6, 7
"""Values in `State.terrain` other than the terrains 1 to 4:
an empty slot, a base, no slot, a slot behind the screen.
"""

EMPTY = bytes([OPEN, OPEN]).ljust(256, bytes([WALL]))
"""Table for `bytes.translate` that turns `Board.halves` into `State.terrain` of an empty board."""

DEPLOYED_PIECES = 3
"""Number of pieces that each side places before the first turn (ZS-4)."""

NOWHERE = -1
"""The place of a base that is not placed yet, or is hidden."""

Phase = Literal["base", "draw", "tile", "deploy", "coin", "play", "return", "over"]
"""The phase of the game. In ``play`` an action comes next, in ``return`` the choice of returning infantry."""


class Options(Struct, frozen=True, kw_only=True):
    """The options of the game. Each default is the ruling in RULES.md.

    ``roster``: the name of a built-in roster, or a whole roster. A header stores a name with the digest of
    its roster, so that the record keeps its meaning.
    """

    roster: Annotated[
        str | dict[str, Any],
        option(
            "Pieces",
            "The pieces of both sides with their values.",
            rule="ZS-A11",
            choices={"core": "the pieces of the rule sheet"},
        ),
    ] = "core"
    tile_counts: Annotated[
        dict[Terrain, Annotated[int, Meta(ge=0)]],
        option(
            "Terrain tiles",
            "The number of tiles of each terrain in the bag: in all, two fewer than the places on the board.",
            rule="ZS-A2",
            choices={terrain: terrain for terrain in TERRAINS},
        ),
    ] = field(default_factory=lambda: dict.fromkeys(TERRAINS, 9))
    swordsman_only_isolated: Annotated[
        bool,
        option(
            "Swordsman needs support",
            "The Swordsman needs support against an enemy that has a friend next to it.",
            rule="ZS-A15",
        ),
    ] = False
    summon_destroys: Annotated[
        bool,
        option(
            "Summoning destroys a base",
            "A summons that raises the number of occupied home tiles to two destroys the base.",
            rule="ZS-A24",
        ),
    ] = False
    shared_home_counts: Annotated[
        bool,
        option(
            "Shared home tiles",
            "A tile next to both bases counts for the destruction of each base.",
            rule="ZS-A25",
        ),
    ] = True
    repetitions: Annotated[
        int,
        option(
            "Repeated positions",
            "The number of times that the same position may occur before the game ends.",
            rule="ZS-A28",
            ge=2,
            le=100,
        ),
    ] = 3
    max_quiet: Annotated[
        int,
        option(
            "Longest quiet time",
            "The number of actions without a capture or summons after which the game ends.",
            rule="ZS-A28",
            ge=2,
            le=10_000,
        ),
    ] = 60
    max_actions: Annotated[
        int,
        option(
            "Longest game", "The number of actions after which the game ends.", rule="ZS-A28", ge=1, le=10_000
        ),
    ] = 400

    def __post_init__(self) -> None:
        force_setattr(self, "roster", roster.header_value(self.roster))


class Setup(Struct, frozen=True):
    """The parts of a game that are fixed before the first event.

    Sides are numbered in the order of ``seats``.
    """

    seats: tuple[str, ...]
    options: Options
    board: Board
    roster: Roster


class State(Struct, frozen=True, gc=False):
    """A position. Places are numbered as in the `Board`, kinds have the codes of the `Roster`.

    Attributes:
        actor: Side that acts next; 0 while the coin is due, which belongs to no side.
        terrain: Terrain of each place, as one byte.
        pieces: Code of the piece on each place, as one byte; 0 for none.
        reserve: By code, the number of pieces in reserve. Pieces that are neither in reserve nor on the board
            are captured.
        bases: Sides' bases, `NOWHERE` while they are not placed.
        hand: Terrain of the tile that is drawn and not yet placed.
        actions: Number of actions since the coin. A Trollwife's capture counts when the infantry has
            returned.
        history: ``pieces`` before each action since the last capture or summons.
        outcome: End of the game; in ``return``, the end that comes after the infantry returns (ZS-A35).
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
    """Return the position with the empty board.

    Raises:
        ValueError: Seats, board and options do not fit together.
    """
    if seats != SIDES:
        raise ValueError(
            Message.of(
                "the seats of Zone S are {=seats}, in this order. The seats given are: {=found}",
                seats=" and ".join(SIDES),
                found=", ".join(seats) or "none",
            )
        )
    slots, tiles = len(board.index), sum(options.tile_counts.values())
    if tiles != slots - len(SIDES):
        raise ValueError(
            Message.of(
                'the board has {n} slots and needs {due} tiles, but "Terrain tiles" gives {found}',
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


def captured_count(state: State, code: int) -> int:
    """Return the number of captured pieces of the kind `code`."""
    return state.setup.roster.kinds[code].count - state.reserve[code] - state.pieces.count(code)


def captured_value(state: State, side: int) -> int:
    """Return the total cost of the pieces that `side` has captured (ZS-26)."""
    kinds = state.setup.roster.kinds
    return sum(kinds[code].cost * captured_count(state, code) for code in state.setup.roster.own[1 - side])


def tiles_left(state: State, terrain: Terrain) -> int:
    """Return the number of tiles of `terrain` in the bag, or in an observed state behind the screen."""
    number = NUMBERS[terrain]
    drawn = state.terrain.count(number) + (state.hand == number)
    return state.setup.options.tile_counts.get(terrain, 0) - drawn


def bag(state: State) -> tuple[tuple[Terrain, int], ...]:
    """Return each terrain with the number of its tiles in the bag."""
    tiles, drawn = state.setup.options.tile_counts.get, (state.terrain + BYTE[state.hand]).count
    return (  # no loop: every draw from a seed calls this, and a loop takes half as long again
        ("fields", tiles("fields", 0) - drawn(FIELDS)),
        ("forest", tiles("forest", 0) - drawn(FOREST)),
        ("hills", tiles("hills", 0) - drawn(HILLS)),
        ("water", tiles("water", 0) - drawn(WATER)),
    )


def deployed_count(state: State, side: int) -> int:
    """Return the number of pieces of `side` on the board or captured."""
    own = state.setup.roster.own[side]
    codes = slice(own[0], own[-1] + 1)
    return sum(state.setup.roster.counts[codes]) - sum(state.reserve[codes])
