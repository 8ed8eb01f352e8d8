"""Commit-reveal dice in the fold: checks of common events, and what is due after each event."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from gamelog.finding import Finding
from gamelog.play.fold import common_events
from gamelog.play.fold.history import History
from gamelog.record.envelope import Event


def reveal_finding(history: History, event: Event) -> Finding | None:
    """Return the finding that says why the common event `event` does not fit the dice, or None."""
    book = history.reveals
    if book is None:
        if isinstance(event, common_events.Reveal) and event.n > history.last_inherited:
            return Finding.of(
                "chance.link", "this record has no commit-reveal dice, so no link can be revealed", n=event.n
            )
        return None
    if history.session.unknown_since and isinstance(event, common_events.Gap | common_events.Takeback):
        return None
    text = book.check(
        event, moves=isinstance(event, common_events.Ruling) and history.rulings.moves_game(event)
    )
    if text is None:
        return None
    if isinstance(event, common_events.Reveal):
        return Finding.of("chance.link", text, n=event.n)
    return Finding.of("chance.missing", text, n=event.n)


def update_due(history: History, event: Event | None, *, played: bool) -> None:
    """Update what is due after `event` (None: the start), already added to `history`.

    `played` means that it is one of the game's own events. The game's clock is stopped while links or a roll
    are due, so that no one gains time by waiting.
    """
    book = history.reveals
    if book is None or (type(event) is common_events.Reveal and book.intent is not None):
        return  # a link for the due roll makes nothing else due
    n, t = (0, 0) if event is None else (event.n, event.t)
    if isinstance(event, common_events.Resign):
        book.resign(n, event.by)
    back_to = history.takebacks.get(n)
    if back_to is not None:
        book.go_back(history.stands)
    pending, ended = history.pending_in(history.state), history.session.outcome
    book.update_intent(
        n,
        pending.chance,
        back_to=back_to,
        played=played,
        over=ended is not None,
        ended=bool(ended or pending.outcome),
    )
    if book.must_stop_clock(running=history.session.paused_at is None):
        history.pause(t)
    elif book.must_restart_clock():
        history.resume(t)


def links_behind_intent(events: Iterable[Event]) -> list[Event]:
    """Return the first of `events`, the events after an intent, that may change their order.

    They are links and repairs of a torn file. Their order and time do not change the roll.
    """
    return list(
        takewhile(lambda event: isinstance(event, common_events.Reveal | common_events.Recovered), events)
    )
