"""The scene: twelve points above, twelve below, the bar between them, and the cube and the checkers off at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamelog import game

from .position import BAR, OFF

if TYPE_CHECKING:
    from . import State

TALL = 4.6


def _place(point: int) -> tuple[float, float]:
    """Return the place of a point, numbered from the first player's side."""
    column = point - 13 if point > 12 else 12 - point
    return column + (column > 5) * 1.2, 0 if point > 12 else TALL + 0.8


POINTS = [game.Cell(str(point), *_place(point), "point", ("maple", "walnut")[point % 2], h=TALL) for point in range(1, 25)]
SIDES = [
    game.Cell(f"{name}{who}", x, (1 - who) * (TALL + 0.8), "tray", label=name, h=TALL)
    for name, x in (("bar", 6.1), ("off", 13.5))
    for who in (0, 1)
]
CUBE = game.Cell("cube", 13.5, TALL / 2 + 0.4, w=0.7, h=0.7)
GROUND = game.BoardLayout(
    (*POINTS, *SIDES, CUBE), words=tuple(game.Word(cell.id, cell.x, -2.7 if cell.y == 0 else TALL + 3.5) for cell in POINTS)
)


def cell_of(who: int, point: int) -> str:
    """Return the cell of a point that is numbered from the side of the player `who`."""
    if point in (OFF, BAR):
        return f"{'off' if point == OFF else 'bar'}{who}"
    return str(point if who == 0 else BAR - point)


def scene(state: State, _seat: str | None) -> game.Scene:
    pieces = [
        game.Piece(cell_of(who, point), "disc", seat)
        for who, seat in enumerate(state.setup.seats)
        for point, count in enumerate(state.men[who])
        for _ in range(count)
    ]
    held = None if state.owner is None else state.setup.seats[state.owner]
    if state.setup.cube:
        pieces.append(game.Piece("cube", "token", held, str(state.cube)))
    captions = (
        game.Caption("dice", " ".join(map(str, state.dice)), state.setup.seats[state.actor], dice=True),
        game.Caption("cube", str(state.cube), held),
    )
    return game.Scene(GROUND, tuple(pieces), captions=captions if state.setup.cube else captions[:1])
