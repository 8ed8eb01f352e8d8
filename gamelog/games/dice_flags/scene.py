"""A position for people: as a scene and in words."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from gamelog.game import (
    BoardLayout,
    Caption,
    Cell,
    Link,
    Mark,
    Piece,
    PieceKind,
    Scene,
    Word,
    beside,
    cached_by_identity,
    rim,
)
from gamelog.games.dice_flags.army import CARRIER, HEAVY, MEDIUM, MEN, PAWN, SOLDIERS
from gamelog.games.dice_flags.board import GRID
from gamelog.games.dice_flags.state import CARRIED, PRISON, RESERVE, Setup, State
from gamelog.games.dice_flags.turns import army_to_move, round_of
from gamelog.games.dice_flags.victory import AT_HOME, CAPTIVE, IN_HAND, final_standing

SQUARE = re.compile(r"(.*[A-Za-z])([0-9]+)")
"""The names of squares, with column and row: ``W.a2`` is in the column ``W.a``."""

_LEGEND = (
    *((PAWN, "pawn"), (CARRIER, "carrier"), (MEDIUM, "medium"), (HEAVY, "heavy")),
    *((str(AT_HOME), "points for each flag at home"), (str(IN_HAND), "points for each carried flag")),
    (str(CAPTIVE), "point for each prisoner"),
)
"""The letters of soldiers and their meanings, and what each number of points is for."""

_PIECE_KINDS: dict[str, PieceKind] = {PAWN: "pawn", CARRIER: "disc", MEDIUM: "diamond", HEAVY: "die"}
"""By kind of soldier: the kind of its piece, with its own shape. The name of the soldier is on it."""

_RESERVE_HIGH = 1.2
"""The height of the boxes for reserves below the board."""


@cached_by_identity
def ground(setup: Setup) -> BoardLayout:
    """Return the layout: spaces, prisons, roads and the origin of the board.

    If soldiers are deployed freely, each army also has a box for its reserve. The names beside the spaces are
    without their base, which the names of the flag squares and prisons show.
    """
    board = setup.board
    zones = {at: base.seat for base in board.bases for at in (*base.field, base.flag)}
    cells = [
        Cell(name, x, y, "square" if kind == GRID else "disc", look, "", zones.get(at, ""))
        for at, (name, (x, y), kind, look) in enumerate(
            zip(board.names, board.places, board.kinds, board.looks, strict=True)
        )
    ]
    for base in board.bases:
        prison = base.prison
        cells.append(
            Cell(
                prison.name,
                prison.x,
                prison.y,
                "tray",
                "prison",
                prison.name,
                w=prison.w,
                h=prison.h,
                seat=base.seat,
            )
        )
    if setup.options.free_deployment:
        cells += _reserves(setup)
    links = [
        Link(board.names[a], board.names[b], "road")
        for a, near in enumerate(board.neighbours)
        for b in near
        if a < b and not board.kinds[a] == board.kinds[b] == GRID
    ]
    grids = [
        (square[1], square[2], cell)
        for cell in cells
        if cell.shape == "square" and (square := SQUARE.fullmatch(cell.id))
    ]
    flags = {board.names[base.flag] for base in board.bases}
    roads = [(cell.id, cell) for cell in cells if cell.shape == "disc"]
    words: tuple[Word, ...] = ()
    for grid in dict.fromkeys(column.partition(".")[0] for column, _, _ in grids):
        words += rim([square for square in grids if square[0].partition(".")[0] == grid], cells, both=False)
    words += beside(roads, cells, words)
    short = tuple(
        Word(word.text if word.text in flags else word.text.partition(".")[2] or word.text, word.x, word.y)
        for word in words
    )
    return BoardLayout(tuple(cells), tuple(links), board.remark, short, _LEGEND)


def _reserves(setup: Setup) -> list[Cell]:
    """Return a box for each army's reserve, side by side below the board."""
    columns, rows = zip(*setup.board.places, strict=True)
    left, wide = min(columns) - 0.5, (max(columns) - min(columns) + 1) / len(setup.seats)
    y = max(rows) + 0.7 + _RESERVE_HIGH
    return [
        Cell(
            f"{seat} reserve",
            left + wide * (army + 0.5),
            y,
            "tray",
            "reserve",
            "reserve",
            w=wide - 0.2,
            h=_RESERVE_HIGH,
            seat=seat,
        )
        for army, seat in enumerate(setup.seats)
    ]


def piece_of(army: str, soldier: str) -> str:
    """Return the id of a soldier in the scene."""
    return f"{army} {soldier}"


def scene(state: State, seat: str | None = None) -> Scene:  # noqa: ARG001 - the game hides nothing
    """Return the scene: soldiers on the board, in reserve or in prison, and the flags."""
    setup = state.setup
    board, seats = setup.board, setup.seats
    pieces: list[Piece] = []
    for soldier, at in enumerate(state.places):
        army, name = seats[soldier // MEN], SOLDIERS[soldier % MEN]
        where = f"{army} reserve"
        if at != RESERVE:
            where = board.names[at] if at < PRISON else board.bases[setup.homes[at - PRISON]].prison.name
        pieces.append(Piece(where, _PIECE_KINDS[name[0]], army, name, id=piece_of(army, name)))
    for origin, at in zip(setup.flags, state.flags, strict=True):
        flag = board.bases[origin].seat
        space = board.bases[at].flag if at < CARRIED else state.places[at - CARRIED]
        owner = flag if flag in seats else None
        pieces.append(
            Piece(board.names[space], "flag", owner, "" if owner else flag[0].upper(), id=f"flag of {flag}")
        )
    marks: list[Mark] = []
    if state.attack is not None:
        soldier, path = state.attack
        marks = [Mark(board.names[state.places[soldier]], "from"), Mark(board.names[path[-1]], "to")]
    return Scene(ground(setup), tuple(pieces), _colours(state), tuple(marks), tuple(_captions(state)))


def _colours(state: State) -> tuple[tuple[str, str], ...]:
    """Return the flag squares and prisons with the seats whose colours they have."""
    setup = state.setup
    bases = [setup.board.bases[home] for home in setup.homes]
    return tuple(
        (name, base.seat) for base in bases for name in (setup.board.names[base.flag], base.prison.name)
    )


def _captions(state: State) -> list[Caption]:
    """Return the round, the dice to use, and the flags, prisoners and free soldiers of each seat."""
    seats = state.setup.seats
    captions = [Caption("round", str(round_of(state)) if round_of(state) else "set-up")]
    if state.dice:
        captions.append(
            Caption("dice to use", " ".join(map(str, state.dice)), seats[army_to_move(state)], dice=True)
        )
    for army, seat in enumerate(seats):
        home, carried, prisoners, free = final_standing(state, army)
        captions.append(Caption("flags at home", str(home), seat))
        if carried:
            captions.append(Caption("flags carried", str(carried), seat))
        captions.append(Caption("prisoners", str(prisoners), seat))
        captions.append(Caption("free soldiers", str(free), seat))
    return captions


def describe(state: State) -> dict[str, Any]:
    """Return the whole position in words.

    ``soldiers``: ``{"north": {"P1": "N.b1", "M1": "S.prison", "H1": "reserve"}, …}``.
    ``flags``: by flag, its space, or the seat and the soldier that carries it.
    ``trail``: the spaces on which ``walker`` has been in this roll.
    ``moved``: the soldiers that have moved in a Tao.
    ``attack``: the attacker's seat, its name, and the spaces of its path.
    """
    setup = state.setup
    seats, board = setup.seats, setup.board

    def place(at: int) -> str:
        if at == RESERVE:
            return "reserve"
        return board.names[at] if at < PRISON else board.bases[setup.homes[at - PRISON]].prison.name

    def man(soldier: int) -> list[str]:
        return [seats[soldier // MEN], SOLDIERS[soldier % MEN]]

    def flag(at: int) -> str | list[str]:
        return man(at - CARRIED) if at >= CARRIED else board.names[board.bases[at].flag]

    return {
        "phase": state.phase,
        "round": round_of(state),
        "turn": state.turn,
        "on_turn": None if state.rolling else seats[army_to_move(state)],
        "first": None if state.rolling else seats[state.first],
        "roll": list(state.roll),
        "dice": list(state.dice),
        "soldiers": {
            seat: {name: place(state.places[army * MEN + k]) for k, name in enumerate(SOLDIERS)}
            for army, seat in enumerate(seats)
        },
        "flags": {
            board.bases[origin].seat: flag(at) for origin, at in zip(setup.flags, state.flags, strict=True)
        },
        "walker": man(state.walker) if state.walker >= 0 else [],
        "trail": [board.names[at] for at in state.trail],
        "moved": [name for k, name in enumerate(SOLDIERS) if state.moved >> k & 1],
        "again": state.again,
        "quiet_since": state.quiet_since,
        "attack": [*man(state.attack[0]), *(board.names[at] for at in state.attack[1])]
        if state.attack
        else [],
        "picker": man(state.picker) if state.picker >= 0 else [],
        "rolling": [seats[army] for army in state.rolling],
        "surrendered": [seats[army] for army in state.surrendered],
        "outcome": msgspec.to_builtins(state.outcome),
    }
