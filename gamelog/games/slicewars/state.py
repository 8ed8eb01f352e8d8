"""The position: who owns what, how many dice lie there, and whose turn it is to do which thing."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from gamelog.game import Message, Outcome
from gamelog.games.slicewars.board import Board, connected

COLOURS = ("red", "blue", "yellow", "green", "purple", "white")
"""The seats; with fewer players the first of them."""

OWNERLESS, FREE, VOID = 6, 7, 8
"""Owners that are not a seat, larger than every seat's number:
ownerless land, land still to be claimed, land off the map.
"""

CAPACITY = 6
"""Dice a territory holds at most (SW-7)."""

OWNERLESS_DICE = 7
"""Dice with which ownerless land defends (SW-13)."""

Phase = Literal["removal_roll", "remove", "start_roll", "claim", "add", "place", "attack", "battle", "over"]
"""The tag of the event that is due; in ``attack`` a pass will do as well."""


class Options(Struct, frozen=True, kw_only=True):
    """The switches of the rulings, each with our ruling as its default. Raises ValueError for what makes no
    sense.

    ``removed``
        What becomes of territories that are taken out: ``ownerless`` land, or ``void``, off the map (SW-A1).
    ``extra_ownerless``
        Territories taken out beyond those that do not divide by the players; a multiple of them (SW-A2).
    ``keep_connected``
        What is left must be connected (SW-A3).
    ``must_take_ownerless``
        Who has no rivals left must still conquer the ownerless land to win (SW-A13).
    ``check``
        Who is looked at for a full majority: ``all``, or the ``actor`` alone (SW-A15).
    ``full_tie``
        When all is full and several lead: the victory is ``shared``, or they ``continue`` (SW-A17).
    ``max_rounds``
        After so many rounds, 1 to 1000, the game ends (SW-A21).
    """

    removed: Literal["ownerless", "void"] = "ownerless"
    extra_ownerless: Annotated[int, Meta(ge=0)] = 0
    keep_connected: bool = False
    must_take_ownerless: bool = False
    check: Literal["all", "actor"] = "all"
    full_tie: Literal["shared", "continue"] = "shared"
    max_rounds: Annotated[int, Meta(ge=1, le=1000)] = 200

    def __post_init__(self) -> None:
        if self.extra_ownerless and self.removed == "void":
            raise ValueError("extra_ownerless asks for ownerless land, removed=void leaves none; choose one")


class Setup(Struct, frozen=True):
    """What is settled before the first event. ``removals``: territories taken out (SW-1, SW-A2)."""

    seats: tuple[str, ...]
    options: Options
    board: Board
    removals: int


class State(Struct, frozen=True, gc=False):
    """A position. Seats and territories are numbered in the order of `Setup`.

    ``owners``, ``dice``: one byte a territory. Ownerless land has 7 dice, free and void land 0.
    ``actor``: the seat whose turn it is. ``first``: the seat that began.
    ``round``: 0 during set-up.
    ``hand``: dice the actor has still to add or place.
    ``rolling``: the seats that owe a die in the roll that is due.
    ``attack``: the two territories whose battle is due.
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
    """The empty board. Raises ValueError when seats, board and options do not go together."""
    players, land = len(seats), len(board.names)
    if not 2 <= players <= len(COLOURS) or len(set(seats)) != players:
        raise ValueError(
            Message.of(
                "SliceWars is played by 2 to {n} different seats, not by {=seats}",
                n=len(COLOURS),
                seats=", ".join(seats) or "nobody",
            )
        )
    removals = land % players + options.extra_ownerless
    if options.extra_ownerless % players:
        raise ValueError(
            Message.of(
                "extra_ownerless must be a multiple of the {players} players, not {n}",
                players=players,
                n=options.extra_ownerless,
            )
        )
    if land - removals < players:
        raise ValueError(
            Message.of(
                "{n} territories less {removals} leave none for each of {players} players",
                n=land,
                removals=removals,
                players=players,
            )
        )
    if options.keep_connected and not connected(board):
        raise ValueError(
            Message.of(
                'keep_connected asks for a board in one piece; "{=name}" is in several', name=board.name
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
