"""The takeback that ``undo`` proposes, and the events that it would undo."""

from __future__ import annotations

from typing import Any

from gamelog.play.fold.common import COMMON
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import TABLE
from gamelog_cli import typed_members


def parse_undo(recorder: EventRecorder, rest: str) -> dict[str, Any]:
    """Return the takeback that ``undo`` and `rest` propose.

    Raises:
        Misread: `rest` does not name an event, or nothing can be taken back.
    """
    if rest and not rest.isdecimal():
        raise typed_members.Misread("Type undo, or undo N to go back to the position after event N.")
    if not rest and not undone(recorder, 0):
        raise typed_members.Misread("There is no event to undo.")
    return {"do": "@takeback", "by": TABLE, "to": int(rest) if rest else recorder.before_last_step()}


def undone(recorder: EventRecorder, to: int) -> list[int]:
    """Return the numbers of the events that a takeback to event `to` would undo now."""
    line = (n for n in recorder.record_view.mainline() if n > to)
    return [n for n in line if recorder.is_step(n) or type(recorder.events[n - 1]) not in COMMON]
