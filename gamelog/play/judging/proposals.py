"""Proposals: events as plain data, in which members that follow from the record can be missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import structs

from gamelog.errors import Refused
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.fold import common_events
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.parts.event_list import decoder, tags
from gamelog.play.fold.ruling import takeback_target
from gamelog.play.fold.seat_times import used_times
from gamelog.record.envelope import ARBITER, TABLE, Event, tag_of

Proposal = Mapping[str, Any]
"""An event as plain data, without ``n``. It has ``t`` and ``by`` if they do not follow from the record."""


def event_from(fold: Fold, proposal: Proposal, n: int, t: int, repeated: Event | None = None) -> Event:
    """Return `proposal` as the event after the last event of `fold`, with ``n``, ``t`` and ``by``.

    Whether the event is legal is not checked.

    Args:
        fold: The fold of the record.
        proposal: The members of the event, with its tag as ``do``. Its own ``n``, ``t`` and ``by`` take
            precedence.
        n: The number of the event, from 1.
        t: Its time, in ms since the start.
        repeated: The event of the record that has the same key, or None. It gives the author if the proposal
            has none.

    Raises:
        Refused: `proposal` is not an event of the game.
    """
    game = fold.game
    tag = proposal.get("do")
    if not isinstance(tag, str) or tag not in tags(game):
        known = ", ".join(sorted(name for name in tags(game) if not name.startswith("@")))
        why = Message.of('{=title} has no event "{=tag}"', title=game.title, tag=tag)
        text = "{problem}. Its events are: {=known}. The names of common events begin with @."
        if tag is None:
            why = Message.of('The member "do", the name of the event, is missing')
            text = "{problem}. The events of {=title} are: {=known}. The names of common events begin with @."
        unknown = Finding.of("play.unknown_event", why, n=n)
        raise Refused(Message.of(text, problem=why, title=game.title, known=known), unknown, proposal)
    by = repeated.by if repeated else _default_author(fold, str(tag))
    members = {"n": n, "t": t, "by": by, **proposal}
    if members["by"] is None:
        nobody = Finding.of("play.by", 'the member "by" is missing', n=n)
        text = 'It is unclear who does "{=tag}". Add the member "by".'
        raise Refused(Message.of(text, tag=tag), nobody, proposal)
    try:
        event: Event = decoder(game).decode(msgspec.json.encode(members))
    except UnicodeEncodeError:
        why = Message.of("The event has characters that are not Unicode text. Send it again in UTF-8")
        raise Refused(
            Message.of("{problem}.", problem=why), Finding.of("record.json", why, n=n), proposal
        ) from None
    except msgspec.ValidationError as error:
        text = '"{=tag}" does not have the right members: {=error}'
        why = Message.of(text, tag=tag, error=str(error))
        raise Refused(
            Message.of("{problem}.", problem=why), Finding.of("record.members", why, n=n), proposal
        ) from None
    return _complete_ruling(fold, event, repeated) if isinstance(event, common_events.Ruling) else event


def _complete_ruling(fold: Fold, event: common_events.Ruling, repeated: Event | None) -> Event:
    """Return `event` with the members that follow from the record."""
    if event.kind == "clock" and event.clock and TABLE not in event.clock:
        same = repeated.clock if isinstance(repeated, common_events.Ruling) else None
        return structs.replace(event, clock=same or _with_game_clock(fold, event.clock))
    return _complete_subject(fold, event, repeated)


def _with_game_clock(fold: Fold, clock: dict[str, int]) -> dict[str, int]:
    """Return `clock` with the game's own clock, which changes by as much as the seats' clocks."""
    used = used_times(fold)
    moved = sum(ms - used.get(seat, ms) for seat, ms in clock.items())
    return {**clock, TABLE: max(0, fold.play_time + moved)}


def _complete_subject(fold: Fold, event: common_events.Ruling, repeated: Event | None) -> Event:
    """Return `event`, completed if it is a ruling on a claim, or a ruling that replaces another ruling.

    A takeback gets the event to go back to. If a ruling on a claim confirms a disputed event, it becomes a
    ruling on that event, so that it settles both.
    """
    rulings = fold.rulings
    is_claim = event.about in rulings.claims.subjects
    earlier = repeated if isinstance(repeated, common_events.Ruling) else None
    if event.kind == "stands" and is_claim:
        return structs.replace(event, about=earlier.about if earlier else _ruling_subject(fold, event.about))
    if event.kind == "takeback" and event.to is None and (is_claim or event.about in rulings.by_number):
        return structs.replace(event, to=earlier.to if earlier else takeback_target(fold, event.about))
    return event


def _ruling_subject(fold: Fold, claim: int) -> int:
    """Return the event that a ruling on `claim` is about: the disputed event, otherwise the claim.

    Raises:
        Refused: The event of `claim` was taken back, so a ruling cannot let it stand.
    """
    claims = fold.rulings.claims
    about, subject = claims.subjects[claim], claims.subject(claim)
    if about is not None and fold.is_disputed(about):
        return about
    if type(fold.events[subject - 1]) not in common_events.COMMON and not fold.stands(subject):
        raise Refused(
            Message.of(
                "The claim of event {claim} is about event {subject}, which was taken back. Uphold the "
                "claim (upheld), refuse it (refused), or restore the event (takeback to event {subject}).",
                subject=subject,
                claim=claim,
            )
        )
    return claim


def _default_author(fold: Fold, tag: str) -> str | None:
    """Return the author of an event without ``by``: the player to move, the roller, or the caller of time."""
    if tag.startswith("@"):
        return ARBITER if tag in ("@amend", "@ruling") else None
    pending = fold.pending
    for alarm in pending.all_timeouts:
        if tag == tag_of(type(alarm.event)):
            return alarm.event.by
    if pending.chance and (tag == pending.chance.do or not pending.by):
        return pending.chance.by
    return pending.by[0] if len(pending.by) == 1 else None
