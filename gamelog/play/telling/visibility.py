"""Events, findings, points and positions as far as a seat may know them, by `seen` and `observe`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

import msgspec
from msgspec import structs

from gamelog.chance.draws import possible_result
from gamelog.finding import Finding
from gamelog.message import Locale, Message, placeholders
from gamelog.play.contract.declare import describe_state
from gamelog.play.contract.effects import Effect
from gamelog.play.contract.game import AnyGame, Legal, Pending
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.common_events import COMMON, Claim, Gap, Recovered, Sign
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.parts.event_list import decoder
from gamelog.play.telling.sentences import arguments, message_template, sentence_of
from gamelog.play.telling.session_effects import phrase_of
from gamelog.play.telling.viewer import WHOLE_TABLE, Viewer
from gamelog.record.envelope import Event, tag_of

UNSEEN = "@unseen"
"""The tag of an event of which a seat sees only that something happened."""

LEFT_OUT = "…"
"""The text shown instead of words that are hidden or removed."""

DIGESTS = (Sign, Recovered)
"""Common events with a digest or a signature of bytes that can contain hidden members."""

SeenEvent = Event | dict[str, Any] | None
"""An event as a seat sees it: the event itself, its visible members as plain data, or None."""


def observe_as(game: AnyGame, state: Any, viewer: Viewer) -> Any:
    """Return `state` without everything that `viewer` does not know."""
    return reduce(game.observe, viewer.seats, state)


def observed_copy(fold: Fold, viewer: Viewer) -> Fold:
    """Return a copy of `fold` whose last state has only what `viewer` knows."""
    observed = fold.copy()
    observed.states[-1] = observe_as(fold.game, fold.state, viewer)
    return observed


def has_secrets(fold: Fold) -> bool:
    """Return whether the seats still hide information from each other.

    In a running game they do if the game has hidden information. At the end, `observe` decides: if it still
    takes something out of the last state, everything hidden stays hidden.
    """
    game, state = fold.game, fold.state
    if not game.hides or fold.outcome is None:
        return game.hides
    return any(game.observe(state, seat) != state for seat in fold.header.seat_ids)


def public_viewer(fold: Fold) -> Viewer:
    """Return the spectators, who know what all seats know, or the whole table if no seat has secrets."""
    return Viewer(fold.header.seat_ids) if has_secrets(fold) else WHOLE_TABLE


def running_viewer(fold: Fold) -> Viewer:
    """Return the spectators while a game with hidden information is unfinished, else the whole table.

    Archives and published pages show what this viewer sees. After the end of the game they contain
    everything.
    """
    is_running = fold.game.hides and fold.outcome is None
    return Viewer(fold.header.seat_ids) if is_running else WHOLE_TABLE


def legal_in_view(game: AnyGame, state: Any, viewer: Viewer) -> Legal:
    """Return the legal events of all seats that are to act in `state`, as far as `viewer` may know them.

    The events of a seat are left out if they depend on information hidden from `viewer`. The list is then
    cut.
    """
    seats, acting = viewer.seats, game.pending(state).by
    lists = [
        legal_for(game, state, seat)
        for seat in acting
        if not seats or is_list_visible(game, state, seat, viewer)
    ]
    if len(lists) == len(acting) == 1:
        return lists[0]
    events = tuple(event for legal in lists for event in legal.events)
    is_complete = len(lists) == len(acting)
    return Legal(
        events,
        is_complete and all(legal.complete for legal in lists),
        not is_complete or any(legal.cut for legal in lists),
    )


def is_list_visible(game: AnyGame, state: Any, seat: str, viewer: Viewer) -> bool:
    """Return whether the legal events of a seat follow from what the viewer knows.

    Args:
        game: The game.
        state: The state with everything that is hidden.
        seat: The seat whose legal events are asked for.
        viewer: The viewer.
    """
    if viewer.seat == seat:
        return True
    try:
        return legal_for(game, observe_as(game, state, viewer), seat) == legal_for(game, state, seat)
    except Exception:  # a game can fail at a state in which more is hidden than from any one seat
        return False


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


def visible_tag(game: AnyGame, event: Event, seen: SeenEvent) -> str:
    """Return the tag of the template for `event` if only `seen` may be shown; `UNSEEN` if nothing may.

    If members are hidden, the tag is ``tag?``, or the event's own tag if its template uses none of them.
    """
    tag = tag_of(type(event))
    if isinstance(seen, Event):
        return tag
    if seen is not None:
        if message_template(game, f"{tag}?"):
            return f"{tag}?"
        if all(place.name in seen for place in placeholders(message_template(game, tag))):
            return tag
    return UNSEEN


def visible_data(event: Event, seen: SeenEvent) -> dict[str, Any]:
    """Return `seen`, the visible part of `event`, as plain data without its key."""
    if seen is None:
        return {"do": UNSEEN, "n": event.n, "t": event.t, "by": event.by}
    members: dict[str, Any] = msgspec.to_builtins(seen)
    members.pop("id", None)
    return members


def visible_sentence(
    fold: Fold,
    event: Event,
    viewer: Viewer,
    effects: Iterable[Effect],
    name_of: Callable[[str], str],
    locale: Locale | None = None,
) -> str:
    """Return a sentence about the part of `event` and its effects that `viewer` may know.

    Args:
        fold: A fold that has the event.
        event: The event.
        viewer: The viewer.
        effects: The effects. Each one is shown, so leave out those that the viewer may not know.
        name_of: Returns the name of the person at a seat.
        locale: The language, or None for English.
    """
    game, visible = fold.game, visible_in_fold(fold, event, viewer)
    phrase = phrase_of(fold, event) if visible is event else visible_tag(game, event, visible)
    if phrase == UNSEEN:
        return sentence_of(game, [(UNSEEN, {"by": event.by})], name_of, locale)
    members = arguments(visible) if isinstance(visible, Event) else visible or {}
    parts = [(phrase, members), *((tag_of(type(effect)), arguments(effect)) for effect in effects)]
    return sentence_of(game, parts, name_of, locale)


_QUOTING = frozenset(("play.unknown_event", "record.damaged", "record.json", "record.members"))
"""Codes of findings about lines that cannot be read. Their messages quote the line or its digest."""


def finding_for(fold: Fold, finding: Finding, event: Event | None, viewer: Viewer) -> Finding:
    """Return `finding` as far as `viewer` may know it, without the legal events of others.

    A reason or rule can reveal hidden information of the player who acted. The viewer gets both only if
    nothing about the event is hidden from the viewer. The same holds for a line that cannot be read. The
    offset depends on the length of hidden members, so only the whole table gets it.

    Args:
        fold: The fold of the record.
        finding: The finding.
        event: The event that it is about, or None if its line cannot be read.
        viewer: The viewer. For the whole table, the finding stays as it is.
    """
    if not viewer.seats:
        return finding
    if event is None:
        is_visible = not (fold.game.hides and finding.code in _QUOTING)
    else:
        before = fold.states[min(event.n - 1, fold.n)]
        knows_position = viewer.seat == event.by or bool(observe_as(fold.game, before, viewer) == before)
        is_visible = knows_position and visible_in_fold(fold, event, viewer) is event
    return structs.replace(finding, legal=(), offset=None) if is_visible else without_reason(finding)


def without_reason(finding: Finding) -> Finding:
    """Return `finding` with only its code, its severity and its event."""
    return structs.replace(finding.with_message(Message(LEFT_OUT)), rule=None, legal=(), offset=None)


def mask_quotation(finding: Finding) -> Finding:
    """Return `finding`, about a record of an unknown game, without quotations of its events or an offset."""
    if finding.n is None:
        return finding
    return without_reason(finding) if finding.code in _QUOTING else structs.replace(finding, offset=None)


def pending_for(game: AnyGame, state: Any, pending: Pending, seen: Any) -> Pending:
    """Return the pending decisions as far as they follow from what is visible.

    The chance that is due can depend on what is hidden.

    Args:
        game: The game.
        state: The whole state.
        pending: What is pending in this state.
        seen: The visible part of the state, or the state itself.
    """
    if seen is state or pending.outcome or not (pending.chance or pending.next_timeout):
        return pending
    return game.pending(seen)
