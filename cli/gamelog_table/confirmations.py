"""Sentences about events that are on the disk."""

from __future__ import annotations

from gamelog.play.fold.game_errors import Audience, describe_failure, error_text
from gamelog.play.view.record_view import RecordView

STOPPED = "The event is recorded, but the code of this game took too long and was stopped."
"""The confirmation of an event that the game's code took too long to describe."""


def confirmation(view: RecordView, n: int) -> str:
    """Return the sentence about event `n`, which is on the disk, or why the game's code cannot give it."""
    try:
        return view.sentence(n)
    except Exception as error:  # the game's code failed, but the event is recorded
        audience = Audience.ANYONE if view.viewer.seats else Audience.ALL_SEEING
        failure = describe_failure(error, view.game, audience)
        reason = failure or f"the program cannot describe it: {error_text(error, view.game, audience)}"
        return f"The event is recorded, but {reason}."
