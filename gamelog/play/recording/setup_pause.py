"""The pause before the first event of play: the time in which people set up the game does not count."""

from __future__ import annotations

from gamelog.play.judging.proposals import Proposal
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import TABLE

SETUP_MS = 120_000
"""Time before the first event of play, in ms, from which this time does not count."""


def setup_pause(recorder: EventRecorder, first: Proposal) -> list[Proposal]:
    """Return the events that keep the time before the first event of play off the clock, before `first`.

    A pause begins at the last event or at the start if `first` comes late. It ends with the first event of
    play. Committed dice stop the clock by themselves.
    """
    view, tag = recorder.record_view, first.get("do")
    if not isinstance(tag, str) or tag == "@clock" or view.revealed_links is not None:
        return []
    if not all(map(view.is_outside_play, range(1, view.last_number + 1))):
        return []
    pause, t, events = recorder.idle_pause(), first.get("t", recorder.now()), list[Proposal]()
    is_paused = any(view.event(n)["do"] == "@clock" for n in range(1, view.last_number + 1))
    if view.is_running and isinstance(t, int) and t - pause["t"] >= SETUP_MS:
        events.append(pause)
    if not tag.startswith("@") and (events or (is_paused and not view.is_running)):
        events.append({"do": "@clock", "by": TABLE, "running": True, "t": t})
    return events
