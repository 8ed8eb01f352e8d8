"""Changes of the session: people, the clock, offers, and which earlier events count."""

from __future__ import annotations

from gamelog.play.fold import common_events
from gamelog.play.fold.common_events import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.seat_times import seat_times
from gamelog.play.fold.session import Session
from gamelog.play.view.step import LineChange, SessionChange
from gamelog.record.envelope import ARBITER, Event

NEVER_UNDONE = (
    common_events.Note,
    common_events.Clock,
    common_events.Claim,
    common_events.Withdraw,
    common_events.Sign,
    common_events.Substitute,
    common_events.Amend,
    common_events.Result,
    common_events.Recovered,
    common_events.Reveal,
)
"""Events that no takeback undoes."""

_ANSWERS = (common_events.Accept, common_events.Decline, common_events.Withdraw)
"""Events that answer or withdraw an offer."""


def session_at_start(fold: Fold) -> SessionChange:
    """Return the session before the first event."""
    session = fold.session_at(0)
    return SessionChange({person.seat: person.name for person in session.seats}, session.paused_at is None)


def session_change(fold: Fold, event: Event) -> SessionChange | None:
    """Return the changes that `event` makes to the session, or None for most events."""
    n = event.n
    was, now = fold.session_at(n - 1), fold.session_at(n)
    if now is was and type(event) not in COMMON and n not in fold.lapsed_offers:
        return None
    offers = _offers(fold, event)
    used = _added_times(fold, event) if type(event) in COMMON else None
    if now is was and not offers and not used:
        return None
    change = SessionChange(
        _names(was, now),
        _changed_value(was.paused_at is None, now.paused_at is None),
        _changed_numbers(was.penalties, now.penalties),
        _changed_numbers(was.warnings, now.warnings),
        used,
        offers,
        None if now.declared_result is was.declared_result else now.declared_result,
    )
    return change if change != _NOTHING else None


def line_change(fold: Fold, event: Event) -> LineChange | None:
    """Return the changes of `event` to the status of earlier events, or None for most events."""
    n, to = event.n, fold.takebacks.get(event.n)
    withdrawn = _withdrawn_by(fold, event)
    if to is None and not withdrawn:
        return None
    return LineChange(to, n in fold.slips, withdrawn)


def _withdrawn_by(fold: Fold, event: Event) -> tuple[int, ...]:
    """Return the rulings that `event` ended, or the claim that it withdrew."""
    match event:
        case common_events.Ruling(n=n):
            return fold.rulings.withdrawn_by(n)
        case common_events.Withdraw(about=about) if about in fold.rulings.claims.withdrawals:
            return (about,)
    return ()


_NOTHING = SessionChange()
"""The change of an event that changes nothing in the session."""


def _changed_value(was: bool, now: bool) -> bool | None:
    """Return `now`, or None if it is unchanged."""
    return None if now is was else now


def _names(was: Session, now: Session) -> dict[str, str] | None:
    """Return the new names of people by seat, or None if no name changed."""
    if now.seats is was.seats:
        return None
    before = {person.seat: person.name for person in was.seats}
    changed = {person.seat: person.name for person in now.seats if person.name != before[person.seat]}
    return changed or None


def _changed_numbers(was: dict[str, int], now: dict[str, int]) -> dict[str, int] | None:
    """Return the new totals by seat of penalties or warnings, or None if none changed."""
    if now is was:
        return None
    return {seat: number for seat, number in now.items() if was.get(seat, 0) != number} or None


def _added_times(fold: Fold, event: Event) -> dict[str, int] | None:
    """Return the ms that a ruling or correction adds to the time used by each seat, or None if unchanged."""
    if not (isinstance(event, common_events.Ruling) or event.n in fold.slips):
        return None
    if not any(ruling.kind == "clock" for ruling in fold.rulings.by_number.values()):
        return None
    return seat_times(fold).corrections.get(event.n)


def _offers(fold: Fold, event: Event) -> dict[int, tuple[str, ...]]:
    """Return the offers that `event` made, answered or ended, and who still has to accept each."""
    n = event.n
    changed: dict[int, tuple[str, ...]] = {offer.n: () for offer in fold.lapsed_offers.get(n, ())}
    about = event.about if isinstance(event, _ANSWERS) else n
    if n in fold.awaited_seats:
        waiting = fold.awaited_seats[n]
        changed[about] = tuple(seat for seat in (*fold.header.seat_ids, ARBITER) if seat in waiting)
    elif about != n and about in fold.awaited_seats:
        changed[about] = ()
    return changed
