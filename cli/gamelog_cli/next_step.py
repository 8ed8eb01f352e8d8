"""The person who needs the record next, in a game with commit-reveal dice."""

from __future__ import annotations

from gamelog.message import join_words
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.telling.sentences import game_over_text


def next_step_text(recorder: EventRecorder) -> str:
    """Return a sentence that says who needs the record next, for a link or for a decision."""
    view = recorder.record_view
    pending, name = view.pending, view.name_of
    if view.missing_links:
        missing = join_words(
            f"{name(seat)} ({seat})" if name(seat) != seat else seat for seat in view.missing_links
        )
        return f"Pass the record on. The roll is waiting for the link of {missing}."
    if view.due_from_dealer:
        return f"Pass the record on to the dealer. The game waits for the table's {view.due_from_dealer}."
    if pending.outcome:
        return game_over_text(view.game, pending.outcome, name)
    return f"To move: {' or '.join(map(name, pending.by))}."
