"""Positions of Zone Control from words, for scenarios and tests."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from gamelog.games.zone_control.board import SIDES, SQUARES_PER_GRID
from gamelog.games.zone_control.state import EMPTY, Phase, Siege, State
from gamelog.play.contract.outcome import Outcome


class Besieged(Struct, frozen=True, forbid_unknown_fields=True):
    """An open challenge."""

    zone: str
    attackers: tuple[str, ...]
    resume: Phase = "act"


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """The words of `gamelog.games.zone_control.scene.describe`, with short forms.

    Pieces that are not ``away`` are on the last squares of the return order, unless ``vacant`` names the empty squares of
    the grid. Members that follow from the position (``zones``, ``score``, ``pieces``) are ignored.
    """

    away: dict[str, tuple[str, ...]] = {}
    vacant: dict[str, tuple[str, ...]] = {}
    phase: Phase = "act"
    turn: int = 5
    on_turn: str | None = "north"
    points: int = 7
    first: str | None = "north"
    rolling: tuple[str, ...] = ()
    siege: Besieged | None = None
    challenged: tuple[str, ...] = ()
    deadline: int | None = None
    called: bool = False
    rerolls: int = 0
    outcome: Outcome | None = None
    zones: Any = None
    score: Any = None
    pieces: Any = None


def arrange(start: State, words: dict[str, Any]) -> State:
    """Return the position that `words` describe, on the board of `start`.

    Raises:
        ValueError: The words name an unknown seat or member, or an impossible position.
        KeyError: The board has no such square or zone.
    """
    given = msgspec.convert(words, Given)
    setup = start.setup
    board = setup.board
    squares = bytearray([EMPTY]) * len(board.names)
    for seat, side in enumerate(SIDES):
        lo, away = board.homes_from + SQUARES_PER_GRID * seat, given.away.get(side, ())
        vacant = (
            [board.index[name] for name in given.vacant[side]]
            if side in given.vacant
            else range(lo, lo + len(away))
        )
        for at in range(lo, lo + SQUARES_PER_GRID):
            if at not in vacant:
                squares[at] = seat
        for name in away:
            if squares[board.index[name]] != EMPTY:
                raise ValueError(f"{name} has two pieces")
            squares[board.index[name]] = seat
        if squares.count(seat) != SQUARES_PER_GRID:
            raise ValueError(f"{side} has {squares.count(seat)} pieces")
    siege = given.siege
    return State(
        setup=setup,
        phase=given.phase,
        turn=given.turn,
        actor=SIDES.index(given.on_turn) if given.on_turn else 0,
        points=given.points,
        squares=bytes(squares),
        first=SIDES.index(given.first) if given.first else 0,
        rolling=tuple(SIDES.index(seat) for seat in given.rolling),
        siege=Siege(
            board.zone_index[siege.zone], tuple(board.index[name] for name in siege.attackers), siege.resume
        )
        if siege
        else None,
        challenged=tuple(board.zone_index[zone] for zone in given.challenged),
        deadline=given.deadline,
        called=given.called,
        rerolls=given.rerolls,
        outcome=given.outcome,
    )
