"""What is asked of games at the table, and nothing else is: what a view may see and know, what may be played,
what a roll makes.

A view is the seats whose knowledge bounds it, all of them at once: one seat its own, spectators what every
seat knows, the scorer and the arbiter everything.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import msgspec
from gamelog_reports.replay.position import position_data

from gamelog.chance.draws import Dice, Results, fits
from gamelog.play.contract.choices import legal_for
from gamelog.play.contract.declare import described
from gamelog.play.contract.game import Pending
from gamelog.play.contract.scene import Scene
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.telling.events import effects_of, seat_names
from gamelog.play.telling.seeing import pending_for, score_for, seen_by_all, seen_data, seen_sentence, told_as
from gamelog.play.telling.session_effects import phrase_of
from gamelog.record.envelope import Event, proposal
from gamelog_table.links import Grant

View = tuple[str, ...]

MOST_LISTED = 2_000
"""Legal events that a device is told at most."""

_DIGITS = 10
"""Digits that no face of a die has."""


def view_of(grant: Grant, seats: tuple[str, ...]) -> View:
    """Whose knowledge bounds what the link of `grant` shows."""
    return {"seat": (grant.seat,), "spectator": seats}.get(grant.role, ())


def observed(fold: Fold, n: int, view: View) -> Any:
    """The state after event `n` with what `view` does not know taken out."""
    return reduce(fold.game.observe, view, fold.states[min(n, fold.n)])


def scene_of(fold: Fold, n: int, view: View) -> Scene:
    """The picture after event `n`."""
    return fold.game.scene(observed(fold, n, view), view[0] if len(view) == 1 else None)


def event_told(fold: Fold, event: Event, view: View) -> dict[str, Any]:
    """What `view` may know of it: ``event`` as data, its ``effects``, the ``phrase`` that tells it,
    and the English ``text``.
    """
    seen = seen_by_all(fold, event, view)
    effects = effects_of(fold, event) if event.n <= fold.n and seen is not None else ()
    phrase = phrase_of(fold, event) if seen is event else told_as(fold.game, event, seen)
    text = seen_sentence(
        fold.game, event, seen, effects, seat_names(fold, event), phrase if seen is event else ""
    )
    return {
        "event": seen_data(event, seen),
        "effects": [msgspec.to_builtins(effect) for effect in effects],
        "phrase": phrase,
        "text": text,
    }


def score_told(fold: Fold, n: int, view: View) -> dict[str, int]:
    """The points after event `n`, as far as `view` can count them."""
    at = min(n, fold.n)
    return score_for(fold.game, fold.states[at], fold.score(at), observed(fold, at, view))


def pending_told(fold: Fold, n: int, view: View) -> Pending:
    """What can happen after event `n`, as far as `view` can see it."""
    pending = fold.pending if n >= fold.n else fold.game.pending(fold.states[n])
    return pending_for(fold.game, fold.states[min(n, fold.n)], pending, observed(fold, n, view))


def position_told(recorder: EventRecorder, n: int, view: View) -> dict[str, Any]:
    """The position after event `n`, as `gamelog replay --json` prints it, as far as `view` may know it."""
    (known,) = recorder.fold.known([n]) if n < recorder.fold.n else (recorder.fold,)
    told = position_data(recorder.events, known, n, view[0] if len(view) == 1 else None)
    if len(view) > 1:
        told |= {"score": score_told(known, n, view), "pending": pending_told(known, n, view)}
        told["state"] = described(known.game, observed(known, n, view))
        if n:
            told |= {
                name: event_told(known, recorder.events[n - 1], view)[name] for name in ("event", "text")
            }
    return told


def choices(fold: Fold, t: int, seat: str | None) -> tuple[list[Event], bool]:
    """What may be decided now, by `seat` alone where one is given; and whether that is all there is."""
    pending = fold.pending
    if pending.next_timeout and fold.session.clock(t) >= pending.next_timeout.at:
        return ([pending.next_timeout.event] if seat is None else []), True
    if not pending.by or (seat is not None and seat not in pending.by):
        return [], True
    legal = legal_for(fold.game, fold.state, seat)
    return list(legal.events[:MOST_LISTED]), legal.complete and len(legal.events) <= MOST_LISTED


def rolled(fold: Fold, results: Results) -> dict[str, Any]:
    """The chance event that is due, with these results, as people propose it. Raises ValueError for others
    than are due.

    What is drawn says whether a face is a number or a name: ``"3"`` is the 3 of a die, and ``1`` the thing
    called "1".
    """
    chance = fold.pending.chance
    if chance and len(chance.draws) == len(results):
        results = tuple(
            tuple(_face(one) if isinstance(draw, Dice) else str(one) for one in result)
            for draw, result in zip(chance.draws, results, strict=True)
        )
    wrong = "no roll is due" if chance is None else fits(chance.draws, results)
    if wrong:
        raise ValueError(wrong)
    return proposal(fold.game.chance(fold.state, results))


def _face(said: int | str) -> int | str:
    """The face of a die that is `said`, as the number that it is where it is one."""
    return (
        int(said)
        if isinstance(said, str) and said.isascii() and said.isdecimal() and len(said) < _DIGITS
        else said
    )


def results_known(fold: Fold) -> dict[str, Any] | None:
    """The chance event that is due where its results follow from the record,
    from a seed or from links revealed.
    """
    results = fold.due_results()
    return None if results is None else rolled(fold, results)


def names_now(fold: Fold, n: int) -> dict[str, str]:
    """Who sits where after event `n`."""
    return {seat.seat: seat.name or seat.seat for seat in fold.session_at(min(n, fold.n)).seats}
