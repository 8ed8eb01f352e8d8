"""Room for chips: whether a placement or a movement can be completed, and what keeps it so.

Everything follows from two counts of each block: its free fields, and the chips on its white
fields. Whoever places needs one block with a free field for every coloured chip in hand. The
purple chip frees one field, so it helps where exactly one is missing and a white field of that
block is occupied. Whoever moves needs as many own chips on white fields as he has to lift, and one
block with room for all of them once those of them that stand there are lifted.
"""

from __future__ import annotations

from gamelog.games.gp02a_territory.board import Board
from gamelog.games.gp02a_territory.chips import coloured, holds_purple
from gamelog.games.gp02a_territory.state import EMPTY, MOVING_CARDS, State


def free(board: Board, fields: bytes, block: int) -> int:
    """The free fields of `block`."""
    first, _, end = board.spans[block - 1]
    return fields.count(EMPTY, first, end)


def is_loose(board: Board, fields: bytes, at: int) -> bool:
    """Whether a chip stands on the field `at` and the field is white."""
    return fields[at] != EMPTY and at < board.spans[board.block[at] - 1][1]


def any_loose(board: Board, fields: bytes) -> bool:
    """Whether any chip stands on a white field."""
    return any(gray - first > fields.count(EMPTY, first, gray) for first, gray, _ in board.spans)


def fits(board: Board, fields: bytes, chips: int) -> bool:
    """Whether some block has room for so many chips (GP-10)."""
    for first, _, end in board.spans:  # noqa: SIM110 - asked after most chips, and a generator costs as much again
        if fields.count(EMPTY, first, end) >= chips:
            return True
    return False


def can_free(board: Board, fields: bytes, chips: int) -> bool:
    """Whether taking one chip off a white field can make room for so many chips in some block (GP-A12)."""
    return any(
        fields.count(EMPTY, first, end) + 1 >= chips and gray - first > fields.count(EMPTY, first, gray)
        for first, gray, end in board.spans
    )


def can_place(board: Board, fields: bytes, chips: int, purple: bool) -> bool:
    """Whether so many chips can be placed, with the purple chip in hand or without (GP-17, GP-A12)."""
    return fits(board, fields, chips) or (purple and can_free(board, fields, chips))


def can_lift(board: Board, fields: bytes, colour: int, chips: int, lifted: int = 0) -> bool:
    """Whether so many chips of `colour` can be lifted that one block has room for them and for those `lifted`
    before (GP-A18).
    """
    standing, room = 0, False
    for first, gray, end in board.spans:
        own = fields.count(colour, first, gray)
        standing += own
        room = room or fields.count(EMPTY, first, end) + min(own, chips) >= chips + lifted
    return room and standing >= chips


def to_place(state: State) -> int:
    """The coloured chips that the actor has to place, without the one still due on the chronology."""
    return coloured(state, state.actor) - (state.phase == "chronology")


def to_move(state: State) -> int:
    """How many chips a movement of the actor is of: as many as go back into the bag (GP-13, GP-A15)."""
    purple = state.setup.options.purple_counts_in_move and holds_purple(state, state.actor)
    return coloured(state, state.actor) + purple


def may_move(state: State) -> bool:
    """Whether the actor, in the phase ``action``, may choose a movement."""
    setup, actor = state.setup, state.actor
    if state.purple or state.cards[actor] not in MOVING_CARDS:
        return False
    moves = to_move(state)
    return moves > 0 and can_lift(setup.board, state.fields, setup.colours[actor], moves)
