"""A position for people: as a scene and in words."""

from __future__ import annotations

import re
from string import ascii_letters, digits
from typing import Any

import msgspec

from gamelog.game import BoardLayout, Caption, Cell, Mark, Piece, Scene, beats, cached_by_identity, rim
from gamelog.games.zone_control import victory
from gamelog.games.zone_control.board import NONE, SIDES, SQUARES_PER_GRID, SQUARES_PER_ZONE, Board
from gamelog.games.zone_control.state import EMPTY, State
from gamelog.games.zone_control.zones import count_inside, holder, home, max_attack, pieces_around, standings

SQUARE = re.compile("[A-Za-z]+[0-9]+")
"""The names of squares that consist of a column and a row."""


@cached_by_identity
def ground(board: Board) -> BoardLayout:
    """Return the layout of `board`: its squares, the blocked squares, and its origin."""
    cells: list[Cell] = []
    for at, (name, (x, y)) in enumerate(zip(board.names, board.places, strict=True)):
        zone, seat = board.zone_of[at], board.home_of[at]
        if zone != NONE:
            kind = "middle zone" if zone == board.middle else "zone"
            cells.append(Cell(name, x, y, "square", kind, zone=f"zone {board.zones[zone]}"))
        elif seat != NONE:
            cells.append(Cell(name, x, y, "square", "home", zone="home", seat=SIDES[seat]))
        else:
            cells.append(Cell(name, x, y, "square"))
    cells += [Cell(name, x, y, "square", "blocked") for name, (x, y) in board.blocked.items()]
    squares = [cell for cell in cells if cell.id not in board.blocked and SQUARE.fullmatch(cell.id)]
    named = [(*_column_and_row(cell.id), cell) for cell in squares]
    return BoardLayout(tuple(cells), remark=board.remark, words=rim(named, cells))


def _column_and_row(name: str) -> tuple[str, str]:
    return name.rstrip(digits), name.lstrip(ascii_letters)


def scene(state: State, seat: str | None = None) -> Scene:  # noqa: ARG001 - all seats see the same
    """Return the picture: every piece on its square, and the zones in their controllers' colours."""
    setup = state.setup
    board, seats = setup.board, setup.seats
    names, first = board.names, board.zones_from
    pieces = tuple(
        Piece(names[at], "die", seats[owner]) for at, owner in enumerate(state.squares) if owner != EMPTY
    )
    fills: list[tuple[str, str]] = []
    for zone in range(len(board.zones)):
        owner, lo = holder(state, zone), first + SQUARES_PER_ZONE * zone
        if owner != EMPTY:
            fills += [(name, seats[owner]) for name in names[lo : lo + SQUARES_PER_ZONE]]
    marks = [
        Mark(names[first + SQUARES_PER_ZONE * zone + SQUARES_PER_ZONE // 2], "badge", number)
        for zone, number in enumerate(board.zones)
    ]
    if state.siege is not None:
        lo = first + SQUARES_PER_ZONE * state.siege.zone
        marks += [Mark(names[at], "from") for at in state.siege.attackers]
        marks += [Mark(name, "target") for name in names[lo : lo + SQUARES_PER_ZONE]]
    return Scene(ground(board), pieces, tuple(fills), tuple(marks), _captions(state))


def _captions(state: State) -> tuple[Caption, ...]:
    """Return the turn, the time limit, and the zones, pieces in zones and pieces at home of each seat."""
    setup = state.setup
    limit, minutes = setup.options.turn_limit, setup.options.clock_minutes
    captions = [Caption("turn", f"{state.turn}{f' of {limit}' if limit else ''}" if state.turn else "start")]
    if minutes:
        captions.append(Caption("time limit", f"{minutes} min"))
    if state.called:
        captions.append(Caption("play", "last turns, time is up"))
    for number, (name, (points, pieces)) in enumerate(zip(setup.seats, standings(state), strict=True)):
        captions.append(Caption("zones count", str(points), name))
        captions.append(Caption("pieces in them", str(pieces), name))
        captions.append(Caption("at home", str(home(state, number).count(number)), name))
        if number == state.actor and state.phase == "act":
            captions.append(Caption("steps left", str(state.points), name))
    return tuple(captions)


def describe(state: State) -> dict[str, Any]:
    """Return the whole position in words.

    ``away`` has, for each seat, the squares of its pieces outside its starting grid. ``vacant`` has the empty
    squares of its grid, in the order of return. ``on_turn`` is the seat to move, None before the first turn.
    ``siege`` is the open challenge. ``zones`` has, for each zone, its holder (``free`` without pieces,
    ``several`` with pieces of several seats, ZC-A28) and its number of pieces. Under ``around`` follow the
    other seats with pieces in the ring: the number of pieces, the number that may attack, and the probability
    to win with them: ``"5": {"holder": "south", "pieces": 3, "around": {"north": [5, 5, 0.909]}}``.
    """
    setup = state.setup
    board, seats, squares, siege = setup.board, setup.seats, state.squares, state.siege
    grids = [
        range(lo, lo + SQUARES_PER_GRID) for lo in range(board.homes_from, len(squares), SQUARES_PER_GRID)
    ]
    return {
        "phase": state.phase,
        "turn": state.turn,
        "on_turn": seats[state.actor] if state.turn else None,
        "points": state.points,
        "first": seats[state.first] if state.turn else None,
        "rolling": [seats[seat] for seat in state.rolling],
        "away": {
            name: [
                board.names[at] for at, owner in enumerate(squares) if owner == seat and at not in grids[seat]
            ]
            for seat, name in enumerate(seats)
        },
        "vacant": {
            name: [board.names[at] for at in grids[seat] if squares[at] != seat]
            for seat, name in enumerate(seats)
        },
        "zones": {name: _zone(state, zone) for zone, name in enumerate(board.zones)},
        "score": victory.score(state),
        "pieces": {name: pieces for name, (_, pieces) in zip(seats, standings(state), strict=True)},
        "siege": siege
        and {
            "zone": board.zones[siege.zone],
            "attackers": [board.names[at] for at in siege.attackers],
            "resume": siege.resume,
        },
        "challenged": [board.zones[zone] for zone in state.challenged],
        "deadline": state.deadline,
        "called": state.called,
        "rerolls": state.rerolls,
        "outcome": msgspec.to_builtins(state.outcome),
    }


def _zone(state: State, zone: int) -> dict[str, Any]:
    """Return a zone in words: its holder, its number of pieces, and the pieces around it."""
    seats, owner, count = state.setup.seats, holder(state, zone), count_inside(state, zone)
    near: dict[str, list[float]] = {}
    for seat, name in enumerate(seats):
        pieces, most = len(pieces_around(state, zone, seat)), max_attack(state, zone, seat)
        if pieces and seat != owner:
            near[name] = [pieces, most, round(beats(most, count), 4) if most else 0.0]
    held = seats[owner] if owner != EMPTY else "several" if count else "free"
    return {"holder": held, "pieces": count, "around": near}
