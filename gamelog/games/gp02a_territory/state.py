"""The position: what lies where, whose turn it is, and what is due."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from gamelog.game import Message, Outcome
from gamelog.games.gp02a_territory.board import Board
from gamelog.games.gp02a_territory.events import Chip
from gamelog.games.gp02a_territory.tables import TABLES

COLOURS = ("blue", "red", "green", "yellow")
CHIPS: tuple[Chip, ...] = ("blue", "red", "green", "yellow", "purple")
CHIP = {name: number for number, name in enumerate(CHIPS)}

PURPLE, EMPTY = 4, 5
"""What a byte says besides the four colours: the purple chip, and a field without a chip."""

SUPPLY = tuple(TABLES.chips[name] for name in CHIPS)
"""How many chips of each kind there are."""

LAST_CARD = 4
"""The card whose holder is the next Main Player (GP-8)."""

MOVING_CARDS = (2, 3)
"""The cards with which one may move instead of placing (GP-7)."""

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
"""The tag of the event that is due; ``action``: the choice of a block or a movement.
Purple and trades come beside them.
"""


class Options(Struct, frozen=True, kw_only=True):
    """The switches of the rulings, each with our ruling as its default. Raises ValueError for what makes no
    sense.

    ``chronology_fields``
        Fields of the chronology, 1 to 100; None: as many as the board has (GP-A1).
    ``groups_cross_blocks``
        Groups go on across the borders of blocks (GP-A3).
    ``bag_end``
        The bag ends the game when it is too ``short`` for a draw, or also when a draw leaves ``zero``
        (GP-A7).
    ``purple_counts_in_move``
        In a movement the purple chip counts as a returned one (GP-A15).
    ``dummy_blocks``
        The colour that nobody has takes part in the majorities of blocks (GP-A22).
    ``negotiation``
        The Main Player may trade chips before the first turn (GP-22): trades that are ``fitting`` (GP-A34),
        or ``any``. A new game that asks for it with true is given ``fitting`` (`resolve`); in a record's
        header true is ``any``, as before GP-A34.
    """

    chronology_fields: Annotated[int, Meta(ge=1, le=100)] | None = None
    groups_cross_blocks: bool = True
    bag_end: Literal["short", "zero"] = "short"
    purple_counts_in_move: bool = True
    dummy_blocks: bool = True
    negotiation: bool | Literal["fitting", "any"] = False


def resolve(options: Options) -> Options:
    """The options of a new game: a negotiation without another word is one of fitting trades (GP-A34)."""
    return replace(options, negotiation="fitting") if options.negotiation is True else options


class Setup(Struct, frozen=True):
    """What is settled before the first event.

    ``colours``: the number of each seat's colour in `COLOURS`. ``deck``: the turn cards in use.
    ``chronology``: how many fields it has.
    """

    seats: tuple[str, ...]
    options: Options
    board: Board
    colours: tuple[int, ...]
    deck: tuple[int, ...]
    chronology: int


class State(Struct, frozen=True, gc=False):
    """A position. Seats are numbered clockwise as in `Setup`, fields as in `Board`.

    ``main``: the seat of the Main Player; ``actor``: the seat that is to act.
    ``cards``: each seat's turn card, 0 for none.
    ``hands``: for each seat five bytes, how many chips of each kind it holds.
    ``bag``: five bytes, how many chips of each kind are in it.
    ``chronology``: the chips on it in order. ``fields``: one byte a field, a colour or `EMPTY`.
    ``rolled``: what the die says everybody draws. ``one``: a 1 has been rolled in this round.
    ``block``: the block of this turn, 0 while none is chosen. ``moves``: how many chips this turn's movement
    is of, 0 if it is not one. ``purple``: the purple chip was used in this turn.
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
    """All chips in the bag. Raises ValueError when the seats are not three or four of the colours."""
    players = len(seats)
    playing = COLOURS[:players]
    if not 3 <= players <= len(COLOURS) or set(seats) != set(playing):
        if players == 3 and COLOURS[3] in seats:
            raise ValueError(Message.of("with three players {colour} is nobody's colour", colour=COLOURS[3]))
        raise ValueError("Territory is played by blue, red and green, and by yellow if there are four")
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
