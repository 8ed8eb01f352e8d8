"""What events would do, found without writing them: told to people before they confirm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import structs

from gamelog.errors import Refused
from gamelog.play.fold.common import COMMON
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.telling.seeing import LEFT_OUT
from gamelog_table.pictures import MOST_UNDONE
from gamelog_table.views import View, event_told, observed


def rehearse(recorder: EventRecorder, proposals: Sequence[Mapping[str, Any]]) -> EventRecorder:
    """The record of `recorder` as it would be with the events proposed.
    Raises `Refused` for the first that would be refused.
    """
    rehearsal = recorder.rehearsal()
    for proposal in proposals:
        refused = rehearsal.rehearse(proposal)
        if refused:
            raise Refused(rehearsal.explain(refused), refused)
    return rehearsal


def refusal_for(
    recorder: EventRecorder, proposals: Sequence[Mapping[str, Any]], error: Refused, view: View
) -> Refused:
    """Return `error` as far as `view` may know it: whole if what the view sees refuses the events alike."""
    seen = observed(recorder.fold, recorder.n, view)
    if error.finding is None or seen == recorder.fold.state:
        return error
    blind = recorder.rehearsal()
    blind.fold.states[-1] = seen
    try:
        found = next((refused for one in proposals if (refused := blind.rehearse(one))), None)
    except Exception:  # a game's rules may fail on what is hidden
        found = None
    if found is not None and (found.code, found.message) == (error.finding.code, error.finding.message):
        return error
    text = "Refused. The reason is not shown because it could reveal what other players hide."
    return Refused(text, structs.replace(error.finding, message=LEFT_OUT, rule=None, legal=()))


def would(recorder: EventRecorder, proposals: Sequence[Mapping[str, Any]], view: View) -> dict[str, Any]:
    """What the events proposed would do, as far as `view` may know it:
    how each is told, what they undo and bring back.
    """
    rehearsal, n = rehearse(recorder, proposals), recorder.n
    after = rehearsal.fold
    parts = [event_told(after, event, view) for event in rehearsal.events[n:]]
    then, now = _played(recorder, rehearsal)
    undone = [
        {"n": m, "text": event_told(recorder.fold, recorder.events[m - 1], view)["text"]}
        for m in sorted(then - now)[:MOST_UNDONE]
    ]
    return {
        "n": n,
        "parts": parts,
        "undone": undone,
        "again": sorted(now - then)[:MOST_UNDONE],
        "over": after.outcome is not None,
        "disputed": sorted({one for m in range(n + 1, rehearsal.n + 1) if (one := rehearsal.unsettled(m))}),
        "goes_on": recorder.fold.outcome is not None and after.outcome is None,
    }


def _played(recorder: EventRecorder, rehearsal: EventRecorder) -> tuple[set[int], set[int]]:
    """Return the events of play that count before and after `rehearsal`, where that can differ."""
    before, after = recorder.fold, rehearsal.fold
    changed = {*before.offers, *after.offers, *before.ends, *after.ends}
    if len(before.takebacks) != len(after.takebacks):
        changed |= set(before.mainline()) ^ set(after.mainline())
    known = [n for n in changed if n <= recorder.n]
    return {n for n in known if _is_played(recorder, n)}, {n for n in known if _is_played(rehearsal, n)}


def _is_played(recorder: EventRecorder, n: int) -> bool:
    """Return whether event `n` is one of play that counts."""
    is_play = recorder.is_step(n) or type(recorder.events[n - 1]) not in COMMON
    return is_play and recorder.fold.stands(n)
