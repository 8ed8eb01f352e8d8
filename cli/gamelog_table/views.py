"""What is asked of games at the table, and nothing else is: what a view may see and know, what may be played, what a roll makes.

A view is the seats whose knowledge bounds it, all of them at once: one seat its own, spectators what every seat knows, the
scorer and the arbiter everything.
"""

from __future__ import annotations

from typing import Any

import msgspec
from gamelog_reports.replay.position import position_data
from gamelog_reports.replay.privacy import UNSEEN, Privacy
from gamelog_reports.texts import texts

from gamelog.chance.draws import Results, fits
from gamelog.play.contract.choices import legal_for
from gamelog.play.contract.declare import described
from gamelog.play.contract.scene import Scene
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.telling.events import effects_of, seat_names
from gamelog.play.telling.messages import fill
from gamelog.play.telling.session_effects import phrase_of
from gamelog.record.envelope import Event, proposal
from gamelog_table.links import Grant

View = tuple[str, ...]

MOST_LISTED = 2_000
"""Legal events that a device is told at most."""


def view_of(grant: Grant, seats: tuple[str, ...]) -> View:
    """Whose knowledge bounds what the link of `grant` shows."""
    return {"seat": (grant.seat,), "spectator": seats}.get(grant.role, ())


def observed(fold: Fold, n: int, view: View) -> Any:
    """The state after event `n` with what `view` does not know taken out."""
    state = fold.states[min(n, fold.n)]
    for seat in view:
        state = fold.game.observe(state, seat)
    return state


def scene_of(fold: Fold, n: int, view: View) -> Scene:
    """The picture after event `n`."""
    return fold.game.scene(observed(fold, n, view), view[0] if len(view) == 1 else None)


def _hidden(fold: Fold, event: Event, view: View) -> bool:
    return any(Privacy(seat).hides(fold, event) for seat in view)


def event_told(fold: Fold, event: Event, view: View) -> dict[str, Any]:
    """The event as plain data, as far as `view` may know it, with its consequences and the template that tells it."""
    if _hidden(fold, event, view):
        return {"event": {"do": UNSEEN, "n": event.n, "t": event.t, "by": event.by}, "effects": [], "phrase": UNSEEN}
    members: dict[str, Any] = msgspec.to_builtins(event)
    members.pop("id", None)
    effects = effects_of(fold, event) if event.n <= fold.n else ()
    return {"event": members, "effects": [msgspec.to_builtins(effect) for effect in effects], "phrase": phrase_of(fold, event)}


def sentence_told(fold: Fold, event: Event, view: View) -> str:
    """What happened at `event`, in an English sentence, as far as `view` may know it."""
    if _hidden(fold, event, view):
        return fill(texts("en")["unseen"], {"by": event.by}, seat_names(fold, event))
    return Privacy().sentence(fold, event, effects_of(fold, event) if event.n <= fold.n else ())


def position_told(recorder: EventRecorder, n: int, view: View) -> dict[str, Any]:
    """The position after event `n`, as `gamelog replay --json` prints it, as far as `view` may know it."""
    (known,) = recorder.fold.known([n]) if n < recorder.fold.n else (recorder.fold,)
    told = position_data(recorder.events, known, n, view[0] if len(view) == 1 else None)
    if len(view) > 1:
        told["state"] = described(known.game, observed(known, n, view))
        if n and _hidden(known, recorder.events[n - 1], view):
            told["event"] = event_told(known, recorder.events[n - 1], view)["event"]
            told["text"] = sentence_told(known, recorder.events[n - 1], view)
    return told


def choices(fold: Fold, t: int, seat: str | None) -> tuple[list[Event], bool]:
    """What may be decided now, `seat` being the only one to decide it where one is given; and whether that is all there is."""
    pending = fold.pending
    if pending.timeout and fold.session.clock(t) >= pending.timeout.at:
        return ([pending.timeout.event] if seat is None else []), True
    if pending.outcome or pending.chance or (seat is not None and seat not in pending.by):
        return [], True
    legal = legal_for(fold.game, fold.state, seat)
    events = [event for event in legal.events if seat is None or event.by == seat]
    return events[:MOST_LISTED], legal.complete and len(events) <= MOST_LISTED


def rolled(fold: Fold, results: Results) -> dict[str, Any]:
    """The chance event that is due, with these results, as people propose it. Raises ValueError for others than are due."""
    chance = fold.pending.chance
    wrong = "no roll is due" if chance is None else fits(chance.draws, results)
    if wrong:
        raise ValueError(wrong)
    return proposal(fold.game.chance(fold.state, results))


def results_known(fold: Fold) -> dict[str, Any] | None:
    """The chance event that is due where its results follow from the record, from a seed or from links revealed."""
    results = fold.due_results()
    return None if results is None else rolled(fold, results)


def names_now(fold: Fold, n: int) -> dict[str, str]:
    """Who sits where after event `n`."""
    return {seat.seat: seat.name or seat.seat for seat in fold.session_at(min(n, fold.n)).seats}
