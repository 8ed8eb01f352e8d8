"""Events as far as a seat may know them, by `seen` and `observe`."""

from __future__ import annotations

from typing import Any

import msgspec

from gamelog.chance.draws import possible_result
from gamelog.play.contract.declare import describe_state
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.common_events import COMMON, Claim, Gap, Recovered, Sign
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.parts.event_list import decoder
from gamelog.play.visibility.viewer import Viewer, observe_as
from gamelog.record.envelope import Event, tag_of

UNSEEN = "@unseen"
"""The tag of an event of which a seat sees only that something happened."""


DIGEST_EVENTS = (Sign, Recovered)
"""Common events with a digest or a signature of bytes that can contain hidden members."""

SeenEvent = Event | dict[str, Any] | None
"""An event as a seat sees it: the event itself, its visible members as plain data, or None."""


def visible_event(game: AnyGame, event: Event, before: Any, seat: str | None) -> SeenEvent:
    """Return the game's own `event` as `seat` sees it.

    If members of the event are hidden, the result is the other members. If the whole event is hidden, it is
    None.

    Args:
        game: The game.
        event: The event. Common events, such as notes, are visible to all.
        before: The state in which it was played.
        seat: The seat, or None, which sees everything.
    """
    if seat is None or type(event) in COMMON:
        return event
    seen = game.seen(event, before, seat)
    if seen is event or seen is None or seen == event:
        return None if seen is None else event
    stamp = {"do": tag_of(type(event)), "n": event.n, "t": event.t, "by": event.by}
    return stamp | {
        name: value for name, value in msgspec.to_builtins(seen).items() if name not in (*stamp, "id")
    }


def _seen_in_state(game: AnyGame, event: Event, before: Any, viewer: Viewer) -> SeenEvent:
    """Return the game's own `event`, played in the state `before`, as `viewer` sees it."""
    parts = [
        visible for seat in viewer.seats if (visible := visible_event(game, event, before, seat)) is not event
    ]
    known = [part for part in parts if isinstance(part, dict)]
    if len(known) < len(parts):
        return None
    if known:
        return {
            name: value
            for name, value in known[0].items()
            if all(name in part and part[name] == value for part in known)
        }
    return event


def is_roll_visible(fold: Fold, seat: str) -> bool:
    """Return whether `seat` knows the draws that are due and will see their whole result.

    Private draws count as hidden from every seat.
    """
    due, game, state = fold.pending.chance, fold.game, fold.state
    if due is None or any(draw.private for draw in due.draws):
        return False
    if not game.hides:
        return True
    if game.pending(game.observe(state, seat)).chance != due:
        return False
    event = game.chance(state, tuple(map(possible_result, due.draws)))
    return visible_event(game, event, state, seat) is event


def visible_in_fold(fold: Fold, event: Event, viewer: Viewer) -> SeenEvent:
    """Return `event`, which is in `fold` or was refused after it, as `viewer` sees it."""
    if not viewer.seats:
        return event
    if type(event) in COMMON:
        hidden = _hidden_members(fold, event, viewer) if fold.game.hides else {}
        if not hidden:
            return event
        members: dict[str, Any] = {**msgspec.to_builtins(event), **hidden}
        return {name: value for name, value in members.items() if name != "id" and value is not None}
    return _seen_in_state(fold.game, event, fold.states[min(event.n - 1, fold.n)], viewer)


def _hidden_members(fold: Fold, event: Event, viewer: Viewer) -> dict[str, Any]:
    """Return the members of a common event that depend on hidden information, as `viewer` sees them instead.

    A member that the viewer does not see is None.
    """
    match event:
        case Gap(n=n):
            state = fold.states[n] if n <= fold.n else None
            seen = state if state is None else observe_as(fold.game, state, viewer)
            if state is not None and (seen is state or seen == state):
                return {}
            return {"state": {} if seen is None else msgspec.to_builtins(describe_state(fold.game, seen))}
        case Claim(intended=dict() as intended):
            shown = _seen_intended(fold, event, intended, viewer)
            return {} if shown == intended else {"intended": shown}
        case Sign():
            return {"sig": ""}
        case Recovered():
            return {"bytes": None, "digest": ""}
    return {}


def _seen_intended(fold: Fold, claim: Claim, intended: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    """Return the members of the event intended in `claim` as `viewer` would see them in this event.

    Data that are not an event of the game by the player who makes the claim are shown to this player only.
    """
    game, number = fold.game, claim.n if claim.about is None else claim.about
    is_own = viewer.seat == claim.by
    try:
        given = msgspec.json.encode({"by": claim.by, **intended, "n": number, "t": claim.t})
        event: Event = decoder(game).decode(given)
        if type(event) in COMMON:
            return intended if is_own and not isinstance(event, Claim | Gap) else {}
        seen = _seen_in_state(game, event, fold.states[min(number - 1, fold.n)], viewer)
    except Exception:  # data of any kind, for which a game can fail
        return intended if is_own else {}
    if seen is None or (event.by != claim.by and not is_own):
        return {}
    data = visible_data(event, seen)
    return {name: data[name] for name in intended if name in data}


def visible_data(event: Event, seen: SeenEvent) -> dict[str, Any]:
    """Return `seen`, the visible part of `event`, as plain data without its key."""
    if seen is None:
        return {"do": UNSEEN, "n": event.n, "t": event.t, "by": event.by}
    members: dict[str, Any] = msgspec.to_builtins(seen)
    members.pop("id", None)
    return members
