"""What a seat is told of events, findings, points and what is due, as `seen` and `observe` let it see."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import structs

from gamelog.play.contract.effects import Effect
from gamelog.play.contract.game import AnyGame, Pending
from gamelog.play.fold.common import COMMON
from gamelog.play.fold.findings import Finding
from gamelog.play.fold.fold import Fold
from gamelog.play.telling.messages import PLACE, arguments, fill, message_template, sentence_of
from gamelog.play.telling.session_effects import phrase_of
from gamelog.record.envelope import Event, tag_of

UNSEEN = "@unseen"
"""The tag that stands for an event of which a seat sees only that something happened."""

LEFT_OUT = "…"
"""What stands for words that are not for everybody."""

SeenEvent = Event | dict[str, Any] | None
"""An event as a seat sees it: itself, what is left of it as plain data, or None."""


def seen_event(game: AnyGame, event: Event, before: Any, seat: str | None) -> SeenEvent:
    """`event`, which found `before`, as `seat` sees it; None sees all, and all see common events."""
    if seat is None or type(event) in COMMON:
        return event
    seen = game.seen(event, before, seat)
    if seen is event or seen is None or seen == event:
        return None if seen is None else event
    stamp = {"do": tag_of(type(event)), "n": event.n, "t": event.t, "by": event.by}
    return stamp | {
        name: value for name, value in msgspec.to_builtins(seen).items() if name not in (*stamp, "id")
    }


def seen_in(fold: Fold, event: Event, seat: str | None) -> SeenEvent:
    """`event` of the record that `fold` folds, or one that was refused there, as `seat` sees it."""
    return seen_event(fold.game, event, fold.states[min(event.n - 1, fold.n)], seat)


def seen_by_all(fold: Fold, event: Event, seats: Iterable[str]) -> SeenEvent:
    """What all of `seats` see of `event`: the members that are the same to every one of them."""
    parts = [seen for seat in seats if (seen := seen_in(fold, event, seat)) is not event]
    known = [part for part in parts if isinstance(part, dict)]
    if len(known) < len(parts):
        return None
    if known:
        return {
            name: value
            for name, value in known[0].items()
            if all(name in one and one[name] == value for one in known)
        }
    return event


def told_as(game: AnyGame, event: Event, seen: SeenEvent) -> str:
    """The tag under which `event` is told to who has `seen` so much of it; `UNSEEN` for nothing of it.

    Where members are left out that is ``tag?``, or the tag itself if its template asks for none of these.
    """
    tag = tag_of(type(event))
    if isinstance(seen, Event):
        return tag
    if seen is not None:
        if f"{tag}?" in game.messages:
            return f"{tag}?"
        if all(name in seen for _, name, *_ in PLACE.findall(message_template(game, tag))):
            return tag
    return UNSEEN


def seen_data(event: Event, seen: SeenEvent) -> dict[str, Any]:
    """What who has `seen` so much of `event` may be told of it, as plain data without its key."""
    if seen is None:
        return {"do": UNSEEN, "n": event.n, "t": event.t, "by": event.by}
    members: dict[str, Any] = msgspec.to_builtins(seen)
    members.pop("id", None)
    return members


def seen_sentence(
    game: AnyGame,
    event: Event,
    seen: SeenEvent,
    effects: Iterable[Effect],
    name_of: Callable[[str], str],
    phrase: str = "",
) -> str:
    """What happened, to who has `seen` so much of `event`: with its effects, unless nothing can be told."""
    phrase = phrase or told_as(game, event, seen)
    if phrase == UNSEEN:
        return fill(message_template(game, UNSEEN), {"by": event.by}, name_of)
    members = arguments(seen) if isinstance(seen, Event) else seen or {}
    return sentence_of(
        game, [(phrase, members), *((tag_of(type(effect)), arguments(effect)) for effect in effects)], name_of
    )


def told_to(
    fold: Fold, event: Event, seat: str | None, effects: Iterable[Effect], name_of: Callable[[str], str]
) -> str:
    """What `seat` may be told of `event` and its consequences, in an English sentence."""
    seen = seen_in(fold, event, seat)
    return seen_sentence(
        fold.game, event, seen, effects, name_of, phrase_of(fold, event) if seen is event else ""
    )


def is_untold(fold: Fold, event: Event, seat: str | None) -> bool:
    """Whether `seat` is told nothing of `event` but that something happened."""
    return seat is not None and told_as(fold.game, event, seen_in(fold, event, seat)) == UNSEEN


def finding_for(fold: Fold, finding: Finding, event: Event | None, seat: str | None) -> Finding:
    """`finding` about `event` as it is said to `seat`, without what was legal for others.

    Why the rules forbade what another did may tell what that one holds: it is said to who sees all there was
    to see.
    """
    if seat is None:
        return finding
    if event is None:
        return structs.replace(finding, legal=())
    before = fold.states[min(event.n - 1, fold.n)]
    known = event.by == seat or bool(fold.game.observe(before, seat) == before)
    told = known and seen_in(fold, event, seat) is event
    return structs.replace(finding, legal=(), message=finding.message if told else LEFT_OUT)


def score_for(game: AnyGame, state: Any, score: dict[str, int], seen: Any) -> dict[str, int]:
    """The points in `state`, which are `score`, as far as who has `seen` this of it can count them."""
    if seen is state:
        return score
    own, counted = game.score(state), game.score(seen)
    return {name: points - own.get(name, 0) + counted.get(name, 0) for name, points in score.items()}


def pending_for(game: AnyGame, state: Any, pending: Pending, seen: Any) -> Pending:
    """What can happen in `state`, which is `pending`, to who has `seen` this: what is left may tell."""
    if seen is state or pending.outcome or not (pending.chance or pending.next_timeout):
        return pending
    return game.pending(seen)
