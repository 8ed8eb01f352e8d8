"""Room for chips: tests of whether a placement or a movement can be completed.

All tests use two counts of each block: its free fields, and the chips on its white fields. To place, a
player needs one block with a free field for each coloured chip in hand. The purple chip frees one field, so
it helps if a block lacks exactly one field and has a chip on a white field. To move, a player needs enough
own chips on white fields, and one block that has room for all of them after they are lifted.
"""

from __future__ import annotations

from gamelog.games.gp02a_territory.board import Board
from gamelog.games.gp02a_territory.chips import count_coloured, has_purple
from gamelog.games.gp02a_territory.state import EMPTY, MOVING_CARDS, State


def count_free(board: Board, fields: bytes, block: int) -> int:
    """Return the number of free fields in `block`."""
    first, _, end = board.spans[block - 1]
    return fields.count(EMPTY, first, end)


def is_loose(board: Board, fields: bytes, at: int) -> bool:
    """Return whether the field `at` is white and has a chip."""
    return fields[at] != EMPTY and at < board.spans[board.block[at] - 1][1]


def has_loose(board: Board, fields: bytes) -> bool:
    """Return whether any white field has a chip."""
    return any(grey - first > fields.count(EMPTY, first, grey) for first, grey, _ in board.spans)


def has_room_for(board: Board, fields: bytes, chips: int) -> bool:
    """Return whether some block has room for this number of chips (GP-10)."""
    for first, _, end in board.spans:  # noqa: SIM110 - called after most chips, and a generator doubles the time
        if fields.count(EMPTY, first, end) >= chips:
            return True
    return False


def can_free(board: Board, fields: bytes, chips: int) -> bool:
    """Return whether removing one chip can make room for this number of chips in some block (GP-A12)."""
    return any(
        fields.count(EMPTY, first, end) + 1 >= chips and grey - first > fields.count(EMPTY, first, grey)
        for first, grey, end in board.spans
    )


def can_place(board: Board, fields: bytes, chips: int, purple: bool) -> bool:
    """Return whether this number of chips can be placed in one block (GP-17, GP-A12).

    Args:
        board: The board.
        fields: The chip on each field, one byte each.
        chips: The number of coloured chips in hand.
        purple: Whether the hand has the purple chip too, which frees one field.
    """
    return has_room_for(board, fields, chips) or (purple and can_free(board, fields, chips))


def can_lift(board: Board, fields: bytes, colour: int, chips: int, lifted: int = 0) -> bool:
    """Return whether `chips` more chips of `colour` can be lifted (GP-A18).

    One block must have room for them and for the chips that are already `lifted`.

    Args:
        board: The board.
        fields: The chip on each field, one byte each, without the lifted chips.
        colour: The number of the colour.
        chips: The number of chips to lift. Only chips on white fields can be lifted.
        lifted: The number of chips in hand that were lifted before.
    """
    standing, room = 0, False
    for first, grey, end in board.spans:
        own = fields.count(colour, first, grey)
        standing += own
        room = room or fields.count(EMPTY, first, end) + min(own, chips) >= chips + lifted
    return room and standing >= chips


def to_place(state: State) -> int:
    """Return the number of coloured chips that the actor must place, without the chip for the chronology."""
    return count_coloured(state, state.actor) - (state.phase == "chronology")


def to_move(state: State) -> int:
    """Return the number of chips that a movement of the actor would have (GP-13, GP-A15)."""
    purple = state.setup.options.purple_counts_in_move and has_purple(state, state.actor)
    return count_coloured(state, state.actor) + purple


def can_move(state: State) -> bool:
    """Return whether the actor, in the phase ``action``, may choose a movement."""
    setup, actor = state.setup, state.actor
    if state.purple or state.cards[actor] not in MOVING_CARDS:
        return False
    moves = to_move(state)
    return moves > 0 and can_lift(setup.board, state.fields, setup.colours[actor], moves)
