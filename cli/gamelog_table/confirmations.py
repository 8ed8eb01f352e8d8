"""Sentences about events that are on the disk."""

from __future__ import annotations

from gamelog.errors import foreign_error_text
from gamelog.play.fold import game_errors
from gamelog.play.view.record_view import RecordView

STOPPED = "The event is recorded, but the code of this game took too long and was stopped."
"""The confirmation of an event that the game's code took too long to describe."""


def confirmation(view: RecordView, n: int) -> str:
    """Return the sentence about event `n`, which is on the disk, or why the game's code cannot give it.

    The words of an error can quote hidden values, so viewers who may not see everything get only its type.
    """
    try:
        return view.sentence(n)
    except Exception as error:  # the game's code failed, but the event is recorded
        if view.viewer.seats and view.game.hides:
            return f"The event is recorded, but the code of this game failed ({type(error).__name__})."
        reason = game_errors.describe_failure(error, view.game) or foreign_error_text(error)
        return f"The event is recorded, but {reason}."
