"""Positions of Zone S in words, for scenarios and tests."""

from __future__ import annotations

from typing import Any, cast

import msgspec
from msgspec import Struct

from gamelog.games.zone_s.roster import NUMBERS
from gamelog.games.zone_s.state import BASE, HIDDEN, NOWHERE, Phase, State
from gamelog.play.contract.outcome import Outcome

LAYOUTS = {
    # Nine tiles of each terrain: Y fields, G forest, H hills, A water, * a base.
    "L1": """
          G A * H Y
        H A G H G A Y
        A G H A Y H A
        H A G Y A G H
        G Y Y G Y H A
          Y G * H Y
    """,
}
NUMBER_OF = cast(dict[str, int], NUMBERS)
LETTERS = {"Y": "fields", "G": "forest", "H": "hills", "A": "water"}


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """The words of `gamelog.games.zone_s.scene.describe`, with shorter forms.

    Terrain and bases come from ``layout`` if they are missing. If a seat's reserve is missing, it contains
    the pieces that are neither on the board nor captured. If a seat's reserve is given, ``captures`` may be
    missing and contains the rest.
    """

    pieces: dict[str, str] = {}
    layout: str = "L1"
    terrain: dict[str, str] | None = None
    bases: dict[str, str] | None = None
    reserve: dict[str, dict[str, int]] = {}
    captures: dict[str, dict[str, int]] = {}
    phase: Phase = "play"
    on_turn: str | None = "dominion"
    hand: str | None = None
    actions: int = 0
    earlier: tuple[str, ...] = ()
    outcome: Outcome | None = None


def read_layout(layout: str, start: State) -> tuple[dict[str, str], dict[str, str]]:
    """Return the terrain by slot and the base by seat of a layout, read row by row from the top."""
    board = start.setup.board
    letters = iter(LAYOUTS[layout].split())
    order = sorted(
        (at for at, name in enumerate(board.names) if name), key=lambda at: (-(at // board.columns), at)
    )
    drawn = {board.names[at]: next(letters) for at in order}
    terrain = {name: LETTERS[letter] for name, letter in drawn.items() if letter in LETTERS}
    seats = start.setup.seats
    return terrain, {
        seats[board.halves[board.index[name]]]: name for name, letter in drawn.items() if letter == "*"
    }


def arrange(start: State, words: dict[str, Any]) -> State:
    """Return the position that `words` describe, on the board and with the roster of `start`. Raises ValueError."""
    given = msgspec.convert(words, Given)
    setup = start.setup
    board, roster, seats = setup.board, setup.roster, setup.seats
    terrain, bases = (
        read_layout(given.layout, start) if given.terrain is None or given.bases is None else ({}, {})
    )
    terrain, bases = (
        given.terrain if given.terrain is not None else terrain,
        given.bases if given.bases is not None else bases,
    )
    ground = bytearray(start.terrain)
    for name, what in terrain.items():
        ground[board.index[name]] = HIDDEN if what == "hidden" else NUMBER_OF[what]
    for base in bases.values():
        ground[board.index[base]] = BASE
    pieces = _pieces(start, given.pieces)
    reserve = bytearray(len(roster.kinds))
    for side, seat in enumerate(seats):
        taken = given.captures.get(seats[1 - side], {})
        for code in roster.own[side]:
            kind = roster.kinds[code]
            rest = kind.count - pieces.count(code) - taken.get(kind.id, 0)
            reserve[code] = given.reserve[seat].get(kind.id, 0) if seat in given.reserve else rest
            if rest < 0 or reserve[code] > kind.count - pieces.count(code):
                raise ValueError(f"there are not so many {kind.id}")
    first, second = (board.index[bases[seat]] if seat in bases else NOWHERE for seat in seats)
    return State(
        setup=setup,
        phase=given.phase,
        actor=seats.index(given.on_turn) if given.on_turn else 0,
        terrain=bytes(ground),
        pieces=pieces,
        reserve=bytes(reserve),
        bases=(first, second),
        hand=0 if given.hand is None else NUMBER_OF[given.hand],
        actions=given.actions,
        history=tuple(
            _pieces(start, dict(_pair(pair) for pair in text.split(", ") if pair)) for text in given.earlier
        ),
        outcome=given.outcome,
    )


def _pair(text: str) -> tuple[str, str]:
    kind, at = text.split()
    return at, kind


def _pieces(start: State, words: dict[str, str]) -> bytes:
    pieces = bytearray(start.setup.board.size)
    for name, kind in words.items():
        pieces[start.setup.board.index[name]] = start.setup.roster.codes[kind]
    return bytes(pieces)
