"""The position: the piece on each square, the phase and the player to move."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from gamelog.game import Message, Outcome, option
from gamelog.games.zone_control.board import SIDES, SQUARES_PER_GRID, Board

EMPTY = 4
"""The value of a square without a piece in `State.squares`. Any other value is the number of a seat."""

MINUTE = 60_000
"""The number of milliseconds in a minute."""

Phase = Literal["start_roll", "move_roll", "act", "challenge_roll", "occupy", "final_roll", "over"]
"""The tag of the next event. In ``act``, this is a step, a challenge or the end of the turn."""


class Options(Struct, frozen=True, kw_only=True):
    """The options of the game. Each default is the ruling in RULES.md.

    Raises:
        ValueError: Neither a clock nor a turn limit is set.
    """

    movement_dice: Annotated[
        Literal[1, 2, 3],
        option("Movement dice", "The number of dice that are rolled for the steps of a turn.", rule="ZC-A2"),
    ] = 2
    challenges_per_zone: Annotated[
        Literal[1] | None,
        option(
            "Challenges of a zone",
            "The number of challenges of one zone that a player has in a turn.",
            rule="ZC-A12",
            choices={None: "no limit", 1: "once"},
        ),
    ] = None
    attack_size: Annotated[
        Literal["chosen", "full"],
        option(
            "Attackers",
            "The number of pieces in an attack.",
            rule="ZC-A14",
            choices={"chosen": "chosen by the attacker", "full": "always as many as possible"},
        ),
    ] = "chosen"
    loss: Annotated[
        Literal["committed", "ring"],
        option(
            "Lost challenge",
            "The pieces that go home after a lost challenge.",
            rule="ZC-A15",
            choices={
                "committed": "the pieces of the attack",
                "ring": "all the attacker's pieces in the ring",
            },
        ),
    ] = "committed"
    move_in: Annotated[
        Literal["all_fit", "choose"],
        option(
            "Won challenge",
            "The attackers that enter the zone after a won challenge.",
            rule="ZC-A17",
            choices={"all_fit": "as many as fit", "choose": "as many as the winner chooses"},
        ),
    ] = "all_fit"
    clock_minutes: Annotated[
        Annotated[int, Meta(ge=1, le=1440)] | None,
        option(
            "Clock (minutes)",
            "The minutes of play after which the game ends, counted from the first movement roll.",
            rule="ZC-A21",
            choices={None: "no clock"},
        ),
    ] = 45
    turn_limit: Annotated[
        Annotated[int, Meta(ge=1, le=10_000)] | None,
        option(
            "Limit of turns",
            "The number of turns of all players together after which the game ends.",
            rule="ZC-A21",
            choices={None: "no limit"},
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.clock_minutes is None and self.turn_limit is None:
            raise ValueError(
                "a game without a clock needs a limit of turns, for example 120; otherwise it would never end"
            )


class Setup(Struct, frozen=True):
    """The fixed part of a game."""

    seats: tuple[str, ...]
    options: Options
    board: Board


class Siege(Struct, frozen=True, gc=False):
    """An open challenge: the `zone`, the squares of the `attackers`, and the phase in which play resumes."""

    zone: int
    attackers: tuple[int, ...]
    resume: Phase


class State(Struct, frozen=True, gc=False):
    """A position. Seats, squares and zones are numbered in the order of `Setup` and its board.

    Attributes:
        turn: Number of the turn; 0 before the first turn.
        actor: Seat to move.
        points: Steps that the actor has left.
        squares: One byte for each square, the seat of its piece or `EMPTY`.
        first: Seat that began.
        rolling: Seats that must roll in the roll that is due.
        siege: Challenge that waits for its dice or for the winner to move in.
        challenged: Zones that were challenged in this turn.
        deadline: Ms of play at which the clock runs out; None before it starts, and without a clock.
        called: Whether time is called, so that only an open challenge is finished.
        rerolls: Number of tied final rolls.
    """

    setup: Setup
    phase: Phase
    turn: int
    actor: int
    points: int
    squares: bytes
    first: int = 0
    rolling: tuple[int, ...] = ()
    siege: Siege | None = None
    challenged: tuple[int, ...] = ()
    deadline: int | None = None
    called: bool = False
    rerolls: int = 0
    outcome: Outcome | None = None


def start(options: Options, board: Board, seats: tuple[str, ...]) -> State:
    """Return the position before the first event, with all pieces in their starting grids (ZC-2).

    Raises:
        ValueError: The seats are not the four sides in clockwise order.
    """
    if seats != SIDES:
        raise ValueError(
            Message.of(
                "the seats must be {=seats}, in this order, not {=found}",
                seats=", ".join(SIDES),
                found=", ".join(seats) or "none",
            )
        )
    squares = bytes([EMPTY]) * board.homes_from + b"".join(
        bytes([seat]) * SQUARES_PER_GRID for seat in range(len(SIDES))
    )
    return State(
        Setup(seats, options, board), "start_roll", 0, 0, 0, squares, rolling=tuple(range(len(SIDES)))
    )
