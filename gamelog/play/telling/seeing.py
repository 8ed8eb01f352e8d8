"""What a seat is told of events, findings, points and what is due, as `seen` and `observe` let it see."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

import msgspec
from msgspec import structs

from gamelog.finding import Finding
from gamelog.message import Locale, Message, places
from gamelog.play.contract.effects import Effect
from gamelog.play.contract.game import AnyGame, Legal, Pending
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.common import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.play.telling.messages import arguments, message_template, sentence_of
from gamelog.play.telling.session_effects import phrase_of
from gamelog.record.envelope import Event, tag_of

UNSEEN = "@unseen"
"""The tag that stands for an event of which a seat sees only that something happened."""

LEFT_OUT = "…"
"""What stands for words that are not for everybody."""

SeenEvent = Event | dict[str, Any] | None
"""An event as a seat sees it: itself, what is left of it as plain data, or None."""


View = str | tuple[str, ...] | None
"""Whose knowledge bounds what is shown: that of one seat, what all of several seats know, or everything."""


def seats_in(view: View) -> tuple[str, ...]:
    """Return the seats whose knowledge bounds `view`; none if it shows everything."""
    return (view,) if isinstance(view, str) else view or ()


def onlooker(view: View) -> str | None:
    """Return the one seat that looks on, to whom a scene belongs; None for several and for everything."""
    seats = seats_in(view)
    return seats[0] if len(seats) == 1 else None


def observed(game: AnyGame, state: Any, view: View) -> Any:
    """Return `state` with what `view` does not know taken out."""
    return reduce(game.observe, seats_in(view), state)


def keeps_secrets(fold: Fold) -> bool:
    """Return whether the seats of the game hide anything from each other that has not come out.

    While the game goes on they do if the game has hidden information. At the end the game says it: whatever
    `observe` still takes out of the last state stays hidden, and with it what was hidden before.
    """
    game, state = fold.game, fold.state
    if not game.hides or fold.outcome is None:
        return game.hides
    return any(game.observe(state, seat) != state for seat in fold.header.seat_ids)


def public_view(fold: Fold) -> View:
    """Return the view of what all may see: what all seats know while they keep secrets, else everything."""
    return fold.header.seat_ids if keeps_secrets(fold) else None


def legal_in_view(game: AnyGame, state: Any, view: View) -> Legal:
    """Return what may be decided in `state` by those who are to act, as far as `view` may know it.

    The list of a seat is left out if it depends on what `view` does not know: then the whole is cut.
    """
    seats, acting = seats_in(view), game.pending(state).by
    lists = [
        legal_for(game, state, seat) for seat in acting if not seats or _lists_alike(game, state, seat, seats)
    ]
    if len(lists) == len(acting) == 1:
        return lists[0]
    events = tuple(event for listed in lists for event in listed.events)
    whole = len(lists) == len(acting)
    return Legal(
        events,
        whole and all(listed.complete for listed in lists),
        not whole or any(listed.cut for listed in lists),
    )


def _lists_alike(game: AnyGame, state: Any, seat: str, seats: tuple[str, ...]) -> bool:
    """Return whether what `seat` may decide follows from what all of `seats` know."""
    if seats == (seat,):
        return True
    try:
        return legal_for(game, observed(game, state, seats), seat) == legal_for(game, state, seat)
    except Exception:  # a game may stumble over a state with more taken out than any seat lacks
        return False


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


def seen_in(fold: Fold, event: Event, view: View) -> SeenEvent:
    """Return `event` of the record that `fold` folds, or one that was refused there, as `view` sees it."""
    if isinstance(view, tuple):
        return seen_by_all(fold, event, view)
    return seen_event(fold.game, event, fold.states[min(event.n - 1, fold.n)], view)


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
        if all(place.name in seen for place in places(message_template(game, tag))):
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
    locale: Locale | None = None,
) -> str:
    """What happened, to who has `seen` so much of `event`: with its effects, unless nothing can be told."""
    phrase = phrase or told_as(game, event, seen)
    if phrase == UNSEEN:
        return sentence_of(game, [(UNSEEN, {"by": event.by})], name_of, locale)
    members = arguments(seen) if isinstance(seen, Event) else seen or {}
    told = [(phrase, members), *((tag_of(type(effect)), arguments(effect)) for effect in effects)]
    return sentence_of(game, told, name_of, locale)


def told_to(
    fold: Fold,
    event: Event,
    view: View,
    effects: Iterable[Effect],
    name_of: Callable[[str], str],
    locale: Locale | None = None,
) -> str:
    """Return a sentence about what `view` may know of `event` and its effects.

    The sentence is in English without a `locale`.
    """
    seen = seen_in(fold, event, view)
    phrase = phrase_of(fold, event) if seen is event else ""
    return seen_sentence(fold.game, event, seen, effects, name_of, phrase, locale)


def is_untold(fold: Fold, event: Event, view: View) -> bool:
    """Return whether `view` is told nothing of `event` but that something happened."""
    return bool(seats_in(view)) and told_as(fold.game, event, seen_in(fold, event, view)) == UNSEEN


def finding_for(fold: Fold, finding: Finding, event: Event | None, view: View) -> Finding:
    """Return `finding` about `event` as it is said to `view`, without what was legal for others.

    Why the rules forbade what another did may tell what that one holds: it is said to who sees all there was
    to see.
    """
    seats = seats_in(view)
    if not seats:
        return finding
    if event is None:
        return structs.replace(finding, legal=())
    before = fold.states[min(event.n - 1, fold.n)]
    known = seats == (event.by,) or bool(observed(fold.game, before, view) == before)
    told = known and seen_in(fold, event, view) is event
    shown = finding if told else finding.saying(Message(LEFT_OUT))
    return structs.replace(shown, legal=())


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
