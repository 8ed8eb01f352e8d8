"""The board of a position as text, with the changes since another position."""

from __future__ import annotations

from gamelog.message import Message
from gamelog.play.rendering.ascii_board import ascii_board, initials
from gamelog.play.rendering.board_lines import Lines
from gamelog.play.view.board_change import board_change
from gamelog.play.view.record_view import RecordView
from gamelog_cli.printing.language import current_renderer, text_of
from gamelog_cli.printing.output import drawing_width

_WHOLE_BOARD = Message.of("To see the whole board, type: board")


def board_lines(view: RecordView, n: int, before: int, height: int | None = None) -> Lines:
    """Return the board after event `n`, with marks on what has changed since event `before`.

    Args:
        view: The record, as far as it may be shown.
        n: The number of the event.
        before: The number of an earlier event, or the same number for no marks.
        height: The number of lines of the screen, or None for no limit. If the board needs more, only the
            part with the changes is returned.
    """
    scene = view.scene(n)
    change = board_change(view.scene(before), scene)
    return ascii_board(
        scene,
        initials(view.header.seat_ids),
        drawing_width(),
        current_renderer(),
        height=height,
        hint=text_of(_WHOLE_BOARD),
        changed={*change.pieces, *change.fills} if change else (),
    )
