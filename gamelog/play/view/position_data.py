"""A position for programs, as `gamelog replay --json` prints it: event, state, next decision or roll."""

from __future__ import annotations

from typing import Any

from gamelog.play.contract.declare import describe_state
from gamelog.play.view.record_view import RecordView
from gamelog.record.escaping import escape_invisible


def event_sentence(view: RecordView, n: int) -> str:
    """Return the sentence about event `n` for printing, or an empty string for 0."""
    return view.sentence(n, escape_invisible) if n else ""


def position_data(
    view: RecordView, n: int, *, anonymous: bool = False, ruled: bool = False
) -> dict[str, Any]:
    """Return the position after event `n` as data. For a refused event, this is the position before it.

    Args:
        view: The record, as far as it may be shown.
        n: The number of the event; 0 is the start.
        anonymous: Whether the key of the event is left out.
        ruled: Whether points include all later penalties.
    """
    position = view.position(n)
    return {
        "n": n,
        "event": (view.event(n) if anonymous else view.recorded_event(n)) if n else None,
        "text": event_sentence(view, n),
        "state": describe_state(view.game, position.state),
        "pending": position.pending,
        "score": view.score_with_final_penalties(n) if ruled else position.score,
    }
