"""The clocks that a page goes on counting from, and the question whether a long pause counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gamelog.play.recording.recorder import EventRecorder
from gamelog_table.links import Grant
from gamelog_table.views import View, pending_told


def clocks_told(
    recorder: EventRecorder, view: View, used: Mapping[str, int], *, runs: bool
) -> dict[str, Any]:
    """Return the clocks now: ``played`` up to the last event and ``since`` then in milliseconds.

    They say for whom they run, too. Without `runs` they stand: a viewer is shown less than all events.
    """
    fold = recorder.fold
    session, last = fold.session, fold.clock_at(fold.n)
    pending = pending_told(fold, fold.n, view)
    goes_on = runs and fold.outcome is None
    on = {*pending.by, *([pending.chance.by] if pending.chance else [])} & set(fold.header.seat_ids)
    since = max(0, session.clock(recorder.now()) - last) if goes_on else 0
    alarm = pending.next_timeout.at if pending.next_timeout else None
    return {
        "played": last,
        "used": dict(used),
        "since": since,
        "runs": goes_on and session.paused_at is None and recorder.n == fold.n,
        "on": next(iter(on)) if len(on) == 1 else None,
        "alarm": alarm,
    }


def idle_told(recorder: EventRecorder, grant: Grant) -> dict[str, Any] | None:
    """How long nothing was recorded, where the scorer has to be asked whether that time counts, and the pause
    to record if it does not.
    """
    if grant.role != "scorer" or not recorder.long_idle:
        return None
    return {"ms": recorder.idle, "pause": dict(recorder.idle_pause())}
