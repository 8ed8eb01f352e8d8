"""The position: the owner and the dice of each territory, the phase and the player to move."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from gamelog.game import Message, Outcome, option
from gamelog.games.slicewars.board import Board, is_connected

COLOURS = ("red", "blue", "yellow", "green", "purple", "white")
"""The seats. A game with fewer players uses the first seats."""

OWNERLESS, FREE, VOID = 6, 7, 8
"""Owners that are not seats, larger than the number of any seat: ownerless, free, and off the map."""

CAPACITY = 6
"""The largest number of dice on a territory (SW-7)."""

OWNERLESS_DICE = 7
"""The number of dice with which ownerless land defends (SW-13)."""

Phase = Literal["removal_roll", "remove", "start_roll", "claim", "add", "place", "attack", "battle", "over"]
"""The tag of the next event. In the phase ``attack``, a pass is also possible."""


class Options(Struct, frozen=True, kw_only=True):
    """The options of the game. Each default is the ruling in RULES.md.

    Raises:
        ValueError: Two options contradict each other.
    """

    removed: Annotated[
        Literal["ownerless", "void"],
        option(
            "Removed territories",
            "The status of the territories that are removed before the game.",
            rule="SW-A1",
            choices={"ownerless": "land without an owner", "void": "off the map"},
        ),
    ] = "ownerless"
    extra_ownerless: Annotated[
        int,
        option(
            "Extra ownerless territories",
            "The number of additional territories to remove: a multiple of the number of players.",
            rule="SW-A2",
            ge=0,
        ),
    ] = 0
    keep_connected: Annotated[
        bool,
        option("Connected map", "The territories that are not removed must stay connected.", rule="SW-A3"),
    ] = False
    must_take_ownerless: Annotated[
        bool,
        option(
            "Conquer ownerless land too",
            "A player without rivals must still conquer the ownerless land to win.",
            rule="SW-A13",
        ),
    ] = False
    check: Annotated[
        Literal["all", "actor"],
        option(
            "Majority test",
            "The players who are tested for a full majority.",
            rule="SW-A15",
            choices={"all": "all players", "actor": "the player to move"},
        ),
    ] = "all"
    full_tie: Annotated[
        Literal["shared", "continue"],
        option(
            "Full map with a tie",
            "The result if all land is full and several players lead.",
            rule="SW-A17",
            choices={"shared": "they share the win", "continue": "the game continues"},
        ),
    ] = "shared"
    max_rounds: Annotated[
        int,
        option(
            "Longest game", "The number of rounds after which the game ends.", rule="SW-A21", ge=1, le=1000
        ),
    ] = 200

    def __post_init__(self) -> None:
        if self.extra_ownerless and self.removed == "void":
            raise ValueError(
                '"Extra ownerless territories" needs land without an owner, but all removed territories are '
                "off the map; change one of the two options"
            )


class Setup(Struct, frozen=True):
    """The fixed part of a game.

    Attributes:
        removals: Number of territories to remove (SW-1, SW-A2).
    """

    seats: tuple[str, ...]
    options: Options
    board: Board
    removals: int


class State(Struct, frozen=True, gc=False):
    """A position. Seats and territories are numbered in the order of `Setup`.

    Attributes:
        round: Number of the round; 0 during set-up.
        actor: Seat to move.
        owners: Owner of each territory, as one byte.
        dice: Dice on each territory, as one byte. Ownerless land has 7 dice, free and void land 0.
        hand: Number of dice that the actor must still add or place.
        first: Seat that began.
        rolling: Seats that must roll in the roll that is due.
        attack: Two territories whose battle is due.
    """

    setup: Setup
    phase: Phase
    round: int
    actor: int
    owners: bytes
    dice: bytes
    hand: int = 0
    first: int = 0
    rolling: tuple[int, ...] = ()
    attack: tuple[int, int] | None = None
    outcome: Outcome | None = None


def start(options: Options, board: Board, seats: tuple[str, ...]) -> State:
    """Return the position before the first event.

    Raises:
        ValueError: The seats, the board and the options do not fit together.
    """
    players, land = len(seats), len(board.names)
    if not 2 <= players <= len(COLOURS) or len(set(seats)) != players:
        raise ValueError(
            Message.of(
                "SliceWars needs 2 to {n} different seats. The seats given are: {=seats}",
                n=len(COLOURS),
                seats=", ".join(seats) or "none",
            )
        )
    removals = land % players + options.extra_ownerless
    if options.extra_ownerless % players:
        raise ValueError(
            Message.of(
                '"Extra ownerless territories" must be a multiple of the {players} players, not {n}',
                players=players,
                n=options.extra_ownerless,
            )
        )
    if land - removals < players:
        raise ValueError(
            Message.of(
                "{n} territories, of which {removals} are removed, are too few for {players} players",
                n=land,
                removals=removals,
                players=players,
            )
        )
    if options.keep_connected and not is_connected(board):
        raise ValueError(
            Message.of(
                '"Connected map" needs a board in one piece, but "{=name}" is in several pieces',
                name=board.name,
            )
        )
    return State(
        setup=Setup(seats, options, board, removals),
        phase="removal_roll" if removals else "start_roll",
        round=0,
        actor=0,
        owners=bytes([FREE]) * land,
        dice=bytes(land),
        rolling=tuple(range(players)),
    )
