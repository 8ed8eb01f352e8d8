"""What events would do, found without writing them: told to people before they confirm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gamelog.errors import Refused
from gamelog.play.fold.common import COMMON
from gamelog.play.recording.recorder import EventRecorder
from gamelog_table.pictures import MOST_UNDONE
from gamelog_table.views import View, event_told


def rehearse(recorder: EventRecorder, proposals: Sequence[Mapping[str, Any]]) -> EventRecorder:
    """The record of `recorder` as it would be with the events proposed.
    Raises `Refused` for the first that would be refused.
    """
    rehearsal = EventRecorder(recorder.log.path, only_rehearse=True)
    for proposal in proposals:
        refused = rehearsal.rehearse(proposal)
        if refused:
            raise Refused(rehearsal.explain(refused), refused)
    return rehearsal


def would(recorder: EventRecorder, proposals: Sequence[Mapping[str, Any]], view: View) -> dict[str, Any]:
    """What the events proposed would do, as far as `view` may know it:
    how each is told, what they undo and bring back.
    """
    rehearsal, n = rehearse(recorder, proposals), recorder.n
    after = rehearsal.fold
    parts = [event_told(after, event, view) for event in rehearsal.events[n:]]
    then, now = set(_played(recorder, n)), set(_played(rehearsal, n))
    undone = [
        {"n": m, "text": event_told(recorder.fold, recorder.events[m - 1], view)["text"]}
        for m in sorted(then - now)
    ]
    return {
        "n": n,
        "parts": parts,
        "undone": undone[:MOST_UNDONE],
        "again": sorted(now - then)[:MOST_UNDONE],
        "over": after.outcome is not None,
        "goes_on": recorder.fold.outcome is not None and after.outcome is None,
    }


def _played(recorder: EventRecorder, n: int) -> list[int]:
    """The events of play up to event `n` that stand."""
    line = (m for m in recorder.fold.mainline() if m <= n)
    return [m for m in line if recorder.is_step(m) or type(recorder.events[m - 1]) not in COMMON]
