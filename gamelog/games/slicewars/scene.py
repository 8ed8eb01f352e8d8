"""The picture of a position: hexagons in their owners' colours, a die with the number of dice on each."""

from __future__ import annotations

from gamelog.games.slicewars.board import Board
from gamelog.games.slicewars.land import count_dice
from gamelog.games.slicewars.state import OWNERLESS, VOID, State
from gamelog.play.scene import Caption, Cell, Ground, Mark, Piece, Scene


def ground(board: Board) -> Ground:
    """The territories of `board` and what is known of its origin."""
    cells = (Cell(name, x, y, board.shape, "territory", name) for name, (x, y) in zip(board.names, board.places, strict=True))
    return Ground(tuple(cells), remark=board.remark)


def scene(state: State, seat: str | None = None) -> Scene:  # noqa: ARG001 - nothing is hidden from anybody
    """The position as everybody sees it."""
    setup, owners, dice = state.setup, state.owners, state.dice
    seats, names = setup.seats, setup.board.names
    pieces: list[Piece] = []
    fills: list[tuple[str, str]] = []
    marks: list[Mark] = []
    for name, owner, count in zip(names, owners, dice, strict=True):
        if owner < OWNERLESS:
            fills.append((name, seats[owner]))
            pieces.append(Piece(name, "die", seats[owner], str(count)))
        elif owner == OWNERLESS:
            pieces.append(Piece(name, "die", None, str(count)))
        elif owner == VOID:
            marks.append(Mark(name, "note", "off the map"))
    if state.attack is not None:
        src, dst = state.attack
        marks += [Mark(names[src], "from"), Mark(names[dst], "to")]
    captions = [Caption("round", str(state.round) if state.round else "set-up")]
    for number, name in enumerate(seats):
        captions.append(Caption("territories", str(owners.count(number)), name))
        captions.append(Caption("dice", str(count_dice(state, number)), name))
    if state.hand:
        captions.append(Caption("dice to place", str(state.hand), seats[state.actor]))
    return Scene(ground(setup.board), tuple(pieces), tuple(fills), tuple(marks), tuple(captions))


def score(state: State) -> dict[str, int]:
    """Territories of each seat."""
    return {name: state.owners.count(number) for number, name in enumerate(state.setup.seats)}
