"""The takeback that ``undo`` proposes."""

from __future__ import annotations

from typing import Any

from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import TABLE
from gamelog_cli.errors import Misread


def parse_undo(recorder: EventRecorder, rest: str) -> dict[str, Any]:
    """Return the takeback that ``undo`` and `rest` propose.

    Raises:
        Misread: `rest` does not name an event, or nothing can be taken back.
    """
    if rest and not rest.isdecimal():
        raise Misread("Type undo, or undo N to go back to the position after event N.")
    view = recorder.record_view
    if not rest and not view.undone_by_return(0):
        raise Misread("There is no event to undo.")
    return {"do": "@takeback", "by": TABLE, "to": int(rest) if rest else view.before_last_step()}
