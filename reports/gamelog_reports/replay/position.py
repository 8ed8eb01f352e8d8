"""A position for programs, as `gamelog replay --json` prints it: event, state, and what is due."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamelog.play.contract.declare import described
from gamelog.play.fold.fold import Fold
from gamelog.play.telling.events import effects_of
from gamelog.play.telling.seeing import View, observed, pending_for, score_for
from gamelog.record.envelope import Event, proposal
from gamelog_reports.replay.privacy import Privacy


def text_of(events: Sequence[Event], fold: Fold, n: int, privacy: Privacy) -> str:
    """What happened at event `n` of `events`, in a sentence, as far as it may be told; nothing for 0."""
    if n == 0:
        return ""
    event = events[n - 1]
    return privacy.sentence(fold, event, effects_of(fold, event) if n <= fold.n else ())


def position_data(
    events: Sequence[Event], fold: Fold, n: int, view: View, anonymous: bool = False
) -> dict[str, Any]:
    """The position after event `n` as data, with names and points of `fold`: of `n` events, or the whole.

    Of an event that is refused there is no position after it: state, pending and score are those before.
    """
    at, privacy = min(n, fold.n), Privacy(view, anonymous)
    state = observed(fold.game, fold.states[at], view)
    event = events[n - 1] if 0 < n <= len(events) else None
    return {
        "n": n,
        "event": (
            proposal(event) | {"n": event.n, "t": event.t} if privacy.open else privacy.seen(fold, event)
        )
        if event
        else None,
        "text": text_of(events, fold, n, privacy) if event else "",
        "state": described(fold.game, state),
        "pending": pending_for(
            fold.game,
            fold.states[at],
            fold.pending if at == fold.n else fold.game.pending(fold.states[at]),
            state,
        ),
        "score": score_for(fold.game, fold.states[at], fold.score(at), state),
    }
