"""Facts: an event and its effects, as far as a viewer may see them."""

from __future__ import annotations

from typing import Any

import msgspec

from gamelog.play.fold.common_events import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.play.telling.events import effects_of, visible_tag
from gamelog.play.telling.session_effects import phrase_of
from gamelog.play.view.step import Fact
from gamelog.play.visibility.events import UNSEEN, visible_in_fold
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.envelope import NOT_FACT_MEMBERS, Event, tag_of


def facts_of(fold: Fold, event: Event, viewer: Viewer) -> tuple[Fact, ...]:
    """Return `event`, which is in `fold` or was refused after it, and its effects, as `viewer` sees them.

    An unseen or refused event has no effects.
    """
    fact = event_fact(fold, event, viewer)
    if fact.tag == UNSEEN or event.n > fold.n:
        return (fact,)
    facts = [fact]
    for effect in effects_of(fold, event):
        members: dict[str, Any] = msgspec.to_builtins(effect)
        facts.append(Fact(members.pop("effect"), members))
    return tuple(facts)


def event_fact(fold: Fold, event: Event, viewer: Viewer) -> Fact:
    """Return `event` as a fact without its effects, as `viewer` sees it."""
    seen, tag = visible_in_fold(fold, event, viewer), tag_of(type(event))
    if seen is event:
        phrase = phrase_of(fold, event) if type(event) in COMMON else tag
    else:
        phrase = visible_tag(fold.game, event, seen)
    if phrase == UNSEEN:
        return Fact(UNSEEN, {"by": event.by})
    members: dict[str, Any] = msgspec.to_builtins(seen)
    if phrase == tag:
        members.pop("do", None)
    for name in NOT_FACT_MEMBERS:
        members.pop(name, None)
    return Fact(phrase, members)
