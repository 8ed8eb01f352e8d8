"""The position: whose piece stands on which square, and whose turn it is to do which thing."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from gamelog.game import Message, Outcome
from gamelog.games.zone_control.board import GRID_SIZE, SIDES, Board

EMPTY = 4
"""In `State.squares`, a square without a piece; any other value is a seat's number."""

MINUTE = 60_000
"""Milliseconds."""

Phase = Literal["start_roll", "move_roll", "act", "challenge_roll", "occupy", "final_roll", "over"]
"""The tag of the event that is due; in ``act`` it is a step, a challenge or the end of the turn."""


class Options(Struct, frozen=True, kw_only=True):
    """The switches of the rulings, each with our ruling as its default. Raises ValueError for what makes no
    sense.

    ``movement_dice``
        Dice that are thrown for a turn's steps (ZC-A2).
    ``challenges_per_zone``
        How often a zone may be challenged in one turn: without limit, or once (ZC-A12).
    ``attack_size``
        The pieces that attack are ``chosen`` by the attacker, or the ``full`` number allowed attacks
        (ZC-A14).
    ``loss``
        Who goes home after a challenge lost: the ``committed`` pieces, or all of the attacker's in the
        ``ring`` (ZC-A15).
    ``move_in``
        After a challenge won, all attackers enter that ``all_fit``, or as many as the winner will ``choose``
        (ZC-A17).
    ``clock_minutes``
        The clock, 1 to 1440 minutes of play from the first movement roll, or none (ZC-A21).
    ``turn_limit``
        After so many turns of all players together, 1 to 10000, the game ends; or no limit (ZC-A21).
    """

    movement_dice: Literal[1, 2, 3] = 2
    challenges_per_zone: Literal[1] | None = None
    attack_size: Literal["chosen", "full"] = "chosen"
    loss: Literal["committed", "ring"] = "committed"
    move_in: Literal["all_fit", "choose"] = "all_fit"
    clock_minutes: Annotated[int, Meta(ge=1, le=1440)] | None = 45
    turn_limit: Annotated[int, Meta(ge=1, le=10_000)] | None = None

    def __post_init__(self) -> None:
        if self.clock_minutes is None and self.turn_limit is None:
            raise ValueError(
                "a game without a clock needs a turn_limit, or nothing would end it; 120 is usual"
            )


class Setup(Struct, frozen=True):
    """What is settled before the first event."""

    seats: tuple[str, ...]
    options: Options
    board: Board


class Siege(Struct, frozen=True, gc=False):
    """A challenge that is not over: the `zone`, the `attackers`' squares, and the phase that comes back."""

    zone: int
    attackers: tuple[int, ...]
    resume: Phase


class State(Struct, frozen=True, gc=False):
    """A position. Seats, squares and zones are numbered in the order of `Setup` and its board.

    ``squares``: one byte a square, the seat whose piece stands there or `EMPTY`.
    ``turn``: 0 before the first one. ``actor``: the seat whose turn it is.
    ``points``: the steps it has left.
    ``first``: the seat that began.
    ``rolling``: the seats that owe dice in the roll that is due.
    ``siege``: the challenge that waits for its dice or for the winner to move in.
    ``challenged``: the zones that have been challenged this turn.
    ``deadline``: when the clock runs out, in ms of play; None before it runs, and without a clock.
    ``called``: time is up, only what was begun is brought to its end.
    ``rerolls``: how many final rolls were tied.
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
    """All pieces on their starting squares (ZC-2). Raises ValueError for seats but the four, clockwise."""
    if seats != SIDES:
        raise ValueError(
            Message.of(
                "the seats must be {=seats}, in this order, not {=found}",
                seats=", ".join(SIDES),
                found=", ".join(seats) or "none",
            )
        )
    squares = bytes([EMPTY]) * board.homes_from + b"".join(
        bytes([seat]) * GRID_SIZE for seat in range(len(SIDES))
    )
    return State(
        Setup(seats, options, board), "start_roll", 0, 0, 0, squares, rolling=tuple(range(len(SIDES)))
    )
