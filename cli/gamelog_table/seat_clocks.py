"""The time that play has taken, and each seat of it, by the record's stamps:
what a page goes on counting from.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gamelog.play.fold.fold import Fold
from gamelog.play.recording.recorder import EventRecorder
from gamelog_table.views import View, pending_told


def used_times(fold: Fold) -> dict[str, int]:
    """By seat the milliseconds before its own events, pauses left out, as replay pages count them."""
    clocks = [0, *fold.clocks()]
    lines = {seat: [0] for seat in fold.header.seat_ids}
    for event in fold.events:
        n = event.n
        for seat, line in lines.items():
            spent = clocks[n] - clocks[n - 1] if seat == event.by else 0
            line.append(line[fold.takebacks[n]] if n in fold.slips else line[-1] + spent)
    return {seat: line[-1] for seat, line in lines.items()}


def clocks_told(recorder: EventRecorder, shown: int, view: View, used: Mapping[str, int]) -> dict[str, Any]:
    """The clocks now: ``played`` up to the last event and ``since`` then in milliseconds, and whether and for
    whom they run.

    Who is told less than all events gets clocks that stand.
    """
    fold = recorder.fold
    session, last = fold.session, fold.clock_at(fold.n)
    pending = pending_told(fold, fold.n, view)
    runs = session.paused_at is None and fold.outcome is None and shown >= recorder.n == fold.n
    on = {*pending.by, *([pending.chance.by] if pending.chance else [])} & set(fold.header.seat_ids)
    since = (
        max(0, session.clock(recorder.now()) - last) if shown >= recorder.n and fold.outcome is None else 0
    )
    alarm = pending.next_timeout.at if pending.next_timeout else None
    return {
        "played": last,
        "used": dict(used),
        "since": since,
        "runs": runs,
        "on": next(iter(on)) if len(on) == 1 else None,
        "alarm": alarm,
    }
