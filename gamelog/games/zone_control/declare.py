"""Declared positions, for records in which moves are missing."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from gamelog.game import Message
from gamelog.games.zone_control.board import SQUARES_PER_GRID
from gamelog.games.zone_control.state import EMPTY, State

_MAX_STEPS = 6
"""The largest number of steps that one movement die gives."""


class Declared(Struct, frozen=True):
    """The members of `gamelog.games.zone_control.scene.describe` that can be declared, between decisions."""

    on_turn: str
    phase: Literal["move_roll", "act"]
    turn: int
    first: str
    points: int = 0
    away: dict[str, tuple[str, ...]] = {}
    vacant: dict[str, tuple[str, ...]] = {}
    challenged: tuple[str, ...] = ()
    deadline: int | None = None


def declare(now: State, words: dict[str, Any]) -> State:
    """Return the position that `words` describe.

    A seat that ``away`` names has its other pieces at home. ``vacant`` gives the empty squares of its
    starting grid; by default they are the first ones in the order of return. The pieces of other seats
    stay as in `now`.

    Raises:
        ValueError: The position is impossible.
        KeyError: The board has no such square or zone.
        msgspec.ValidationError: A member is missing or has a wrong type.
    """
    given = msgspec.convert({"deadline": now.deadline} | words, Declared)
    setup = now.setup
    board, seats, options = setup.board, setup.seats, setup.options
    if not set(given.away) | set(given.vacant) <= set(seats):
        raise ValueError(
            Message.of(
                "pieces away from home and empty home squares can be given only for the seats {=seats}",
                seats=", ".join(seats),
            )
        )
    squares = _squares(now, given)
    if not 1 <= given.turn <= (options.turn_limit or given.turn):
        raise ValueError(Message.of("this game has no turn {n}", n=given.turn))
    if not 0 <= given.points <= (options.movement_dice * _MAX_STEPS if given.phase == "act" else 0):
        raise ValueError(
            Message.of(
                "the player to move cannot have {n} {n:step|steps} after the movement roll"
                if given.phase == "act"
                else "the player to move cannot have {n} {n:step|steps} before the movement roll",
                n=given.points,
            )
        )
    if (given.deadline is not None and (options.clock_minutes is None or given.deadline < 0)) or (
        given.deadline is None and options.clock_minutes is not None and given.phase == "act"
    ):
        raise ValueError(
            "the time limit must be the time of play in ms when the clock runs out, and empty if no clock "
            "runs"
        )
    return State(
        setup,
        given.phase,
        given.turn,
        seats.index(given.on_turn),
        given.points,
        bytes(squares),
        seats.index(given.first),
        challenged=tuple(board.zone_index[zone] for zone in given.challenged),
        deadline=given.deadline,
    )


def _squares(now: State, given: Declared) -> bytearray:
    """Return the board with the pieces of the seats in `given` moved.

    Raises:
        ValueError: Two pieces are on one square, or a seat has too many or too few.
        KeyError: The board has no such square.
    """
    board, seats = now.setup.board, now.setup.seats
    squares = bytearray(now.squares)
    moved = [seat for seat, side in enumerate(seats) if side in given.away or side in given.vacant]
    for seat in moved:
        squares = bytearray(squares.replace(bytes([seat]), bytes([EMPTY])))
    for seat in moved:
        away, lo = given.away.get(seats[seat], ()), board.homes_from + SQUARES_PER_GRID * seat
        vacant = given.vacant.get(seats[seat])
        gone = [board.index[name] for name in vacant] if vacant is not None else range(lo, lo + len(away))
        for at in [
            *(at for at in range(lo, lo + SQUARES_PER_GRID) if at not in gone),
            *(board.index[name] for name in away),
        ]:
            if squares[at] != EMPTY:
                raise ValueError(Message.of("there would be two pieces on {=at}", at=board.names[at]))
            squares[at] = seat
    uneven = next((side for seat, side in enumerate(seats) if squares.count(seat) != SQUARES_PER_GRID), None)
    if uneven:
        raise ValueError(
            Message.of(
                "{seat} would have {n} {n:piece|pieces}, not {due}; correct the pieces away from home and "
                "the empty home squares",
                seat=uneven,
                n=squares.count(seats.index(uneven)),
                due=SQUARES_PER_GRID,
            )
        )
    return squares
