"""A position for people: as a scene and in words."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from gamelog.game import BoardLayout, Caption, Cell, Mark, Piece, Scene, cached_by_identity
from gamelog.games.slicewars.board import Board
from gamelog.games.slicewars.land import count_land
from gamelog.games.slicewars.state import FREE, OWNERLESS, VOID, State


@cached_by_identity
def ground(board: Board) -> BoardLayout:
    """Return the layout of `board`: its territories and its origin."""
    cells = (
        Cell(name, x, y, board.shape, "territory", name)
        for name, (x, y) in zip(board.names, board.places, strict=True)
    )
    return BoardLayout(tuple(cells), remark=board.remark)


def scene(state: State, seat: str | None = None) -> Scene:  # noqa: ARG001 - all seats see the same
    """Return the picture: territories in the owners' colours, each with a die that shows its dice."""
    setup = state.setup
    pieces: list[Piece] = []
    fills: list[tuple[str, str]] = []
    marks: list[Mark] = []
    dice = [0] * len(setup.seats)
    for name, owner, count in zip(setup.board.names, state.owners, state.dice, strict=True):
        if owner < OWNERLESS:
            dice[owner] += count
            fills.append((name, setup.seats[owner]))
            pieces.append(_die(name, setup.seats[owner], count))
        elif owner == OWNERLESS:
            pieces.append(_die(name, None, count))
        elif owner == VOID:
            marks.append(Mark(name, "note", "off the map"))
    if state.attack is not None:
        src, dst = state.attack
        marks += [Mark(setup.board.names[src], "from"), Mark(setup.board.names[dst], "to")]
    captions = [Caption("round", str(state.round) if state.round else "set-up")]
    for number, name in enumerate(setup.seats):
        captions.append(Caption("territories", str(count_land(state, number)), name))
        captions.append(Caption("dice", str(dice[number]), name))
        if state.hand and number == state.actor:
            captions.append(Caption("dice to place", str(state.hand), name))
    return Scene(ground(setup.board), tuple(pieces), tuple(fills), tuple(marks), tuple(captions))


@lru_cache(4096)
def _die(name: str, seat: str | None, dice: int) -> Piece:
    """Return the piece on a territory. Most of them are the same in the next position."""
    return Piece(name, "die", seat, str(dice))


def describe(state: State) -> dict[str, Any]:
    """Return the whole position in words: ``"territories": {"A1": ["red", 3], "E5": ["ownerless", 7], …}``.

    ``on_turn`` is the seat to move, or None while several seats roll. ``rolling`` has the seats that must
    roll. ``attack`` has the two territories whose battle is due.
    """
    setup = state.setup
    seats, names = setup.seats, setup.board.names
    words = dict(enumerate(seats)) | {OWNERLESS: "ownerless", FREE: "free", VOID: "void"}
    land = zip(names, state.owners, state.dice, strict=True)
    return {
        "phase": state.phase,
        "round": state.round,
        "on_turn": None if state.rolling else seats[state.actor],
        "first": seats[state.first] if state.phase not in ("removal_roll", "remove", "start_roll") else None,
        "hand": state.hand,
        "rolling": [seats[seat] for seat in state.rolling],
        "attack": [names[at] for at in state.attack] if state.attack else None,
        "outcome": msgspec.to_builtins(state.outcome),
        "territories": {name: [words[owner], count] for name, owner, count in land},
    }
