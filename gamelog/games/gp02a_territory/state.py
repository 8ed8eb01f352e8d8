"""The position: chips, cards, the phase and the player to move."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from gamelog.game import Message, Outcome, option
from gamelog.games.gp02a_territory.board import Board
from gamelog.games.gp02a_territory.events import Chip
from gamelog.games.gp02a_territory.tables import TABLES

COLOURS = ("blue", "red", "green", "yellow")
"""The colours of chips in the order of their numbers."""
CHIPS: tuple[Chip, ...] = ("blue", "red", "green", "yellow", "purple")
"""The kinds of chips in the order of their numbers: the colours and purple."""
CHIP = {name: number for number, name in enumerate(CHIPS)}
"""The number of each kind of chip."""

PURPLE, EMPTY = 4, 5
"""Values of a byte other than the four colours: the purple chip, and a field without a chip."""

SUPPLY = tuple(TABLES.chips[name] for name in CHIPS)
"""The number of chips of each kind."""

LAST_CARD = 4
"""The card whose holder is the next Main Player (GP-8)."""

MOVING_CARDS = (2, 3)
"""The cards with which a player may move instead of placing (GP-7)."""

Phase = Literal[
    "deal_cards",
    "roll",
    "remove",
    "draw",
    "distribute",
    "chronology",
    "action",
    "place",
    "lift",
    "put",
    "over",
]
"""The tag of the next event. ``action`` is the choice of a block or a movement.

The purple chip and trades can come in addition.
"""


class Options(Struct, frozen=True, kw_only=True):
    """The options of the game. Each default is the ruling in RULES.md.

    ``negotiation``: in a new game, true means ``fitting`` (`resolve`, GP-A34). In the header of a record,
    true means ``any``, as before GP-A34.
    """

    chronology_fields: Annotated[
        Annotated[int, Meta(ge=1, le=100)] | None,
        option(
            "Chronology fields",
            "The number of fields of the chronology.",
            rule="GP-A1",
            choices={None: "as on the board"},
        ),
    ] = None
    groups_cross_blocks: Annotated[
        bool,
        option("Groups across blocks", "Groups continue across the borders of blocks.", rule="GP-A3"),
    ] = True
    bag_end: Annotated[
        Literal["short", "zero"],
        option(
            "End by the bag",
            "The draw that ends the game.",
            rule="GP-A7",
            choices={
                "short": "a draw for which the bag has too few chips",
                "zero": "also a draw that empties the bag",
            },
        ),
    ] = "short"
    purple_counts_in_move: Annotated[
        bool,
        option(
            "Purple chip counts",
            "The purple chip counts as a returned chip in a movement.",
            rule="GP-A15",
        ),
    ] = True
    dummy_blocks: Annotated[
        bool,
        option("Dummy colour in blocks", "The dummy colour counts in blocks.", rule="GP-A22"),
    ] = True
    negotiation: Annotated[
        bool | Literal["fitting", "any"],
        option(
            "Trades before the first turn",
            "Whether the Main Player may trade chips before the first turn.",
            rule="GP-22",
            choices={False: "no trades", "fitting": "trades that fit the rules", "any": "any trades"},
        ),
    ] = False


def resolve(options: Options) -> Options:
    """Return the options of a new game, in which ``negotiation`` true means ``fitting`` (GP-A34)."""
    return replace(options, negotiation="fitting") if options.negotiation is True else options


class Setup(Struct, frozen=True):
    """The fixed part of a game.

    Attributes:
        colours: Number of each seat's colour in `COLOURS`.
        deck: Turn cards in use.
        chronology: Number of chronology fields.
    """

    seats: tuple[str, ...]
    options: Options
    board: Board
    colours: tuple[int, ...]
    deck: tuple[int, ...]
    chronology: int


class State(Struct, frozen=True, gc=False):
    """A position. Seats are numbered clockwise as in `Setup`, fields as in `Board`.

    Attributes:
        round: Number of the round, from 1.
        main: Seat of the Main Player.
        actor: Seat to act.
        cards: Turn card of each seat, 0 for none.
        hands: Five bytes for each seat, the number of chips of each kind in its hand.
        bag: Five bytes, the number of chips of each kind in the bag.
        chronology: Chips of the chronology in order.
        fields: One byte for each field, a colour or `EMPTY`.
        rolled: Number of chips that each player draws.
        one: Whether a 1 was rolled in this round.
        block: Block of this turn, 0 before the choice.
        moves: Number of chips of this turn's movement, 0 without one.
        purple: Whether the purple chip was used in this turn.
    """

    setup: Setup
    phase: Phase
    round: int
    main: int
    actor: int
    cards: bytes
    hands: bytes
    bag: bytes
    chronology: bytes
    fields: bytes
    rolled: int = 0
    one: bool = False
    block: int = 0
    moves: int = 0
    purple: bool = False
    outcome: Outcome | None = None


def start(options: Options, board: Board, seats: tuple[str, ...]) -> State:
    """Return the position before the first event, with all chips in the bag.

    Raises:
        ValueError: The seats are not the first three or all four of the colours.
    """
    players = len(seats)
    playing = COLOURS[:players]
    if not 3 <= players <= len(COLOURS) or set(seats) != set(playing):
        if players == 3 and COLOURS[3] in seats:
            raise ValueError(
                Message.of(
                    "with three players, no seat can be {colour}, because this is the colour of the dummy",
                    colour=COLOURS[3],
                )
            )
        raise ValueError("Territory needs the seats blue, red and green, and yellow as the fourth")
    setup = Setup(
        seats=seats,
        options=options,
        board=board,
        colours=tuple(COLOURS.index(seat) for seat in seats),
        deck=(1, 2, 3, 4) if players == len(COLOURS) else (1, 2, 4),
        chronology=options.chronology_fields or board.chronology,
    )
    fields = bytes([EMPTY]) * len(board.names)
    return State(setup, "deal_cards", 1, 0, 0, bytes(players), bytes(5 * players), bytes(SUPPLY), b"", fields)
