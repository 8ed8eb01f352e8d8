"""Effects of events on the session, in addition to their effects in the game.

Offers wait for answers or expire, the game goes back to an earlier event, the arbiter gives points, players
end the game. These effects follow from the fold and are not recorded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from gamelog.play.contract.effects import Effect, Over, outcome_effects
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold.common_events import (
    COMMON,
    Accept,
    Agree,
    Amend,
    Decline,
    Ruling,
    Takeback,
    Withdraw,
)
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.ruling_messages import clock_text, time_change_text
from gamelog.play.fold.session import Session
from gamelog.record.envelope import ARBITER, Event, tag_of


class Awaited(Effect, frozen=True, tag="awaited"):
    """An offer that takes effect when `seats` have accepted it."""

    seats: tuple[str, ...]


class AwaitedRuling(Effect, frozen=True, tag="awaited_ruling"):
    """An offer that takes effect when the arbiter has accepted it."""


class Offered(Effect, frozen=True, tag="@offered"):
    """The answered offer to go back to event `to`."""

    to: int


class OfferedEnd(Effect, frozen=True, tag="@offered_end"):
    """The answered offer to end the game with `result`."""

    result: Outcome


class Reasoned(Effect, frozen=True, tag="@reason"):
    """The `reason` for a takeback in the author's own words."""

    reason: str


class Lapsed(Effect, frozen=True, tag="lapsed"):
    """The end of the offer of event `about`: play went on before `seats` had accepted it."""

    about: int
    seats: tuple[str, ...]


class WentBack(Effect, frozen=True, tag="went_back"):
    """A return to event `to` of the main line, which undoes `count` events of play."""

    to: int
    count: int


class WentOn(Effect, frozen=True, tag="went_on"):
    """A return to event `to`, which had been undone."""

    to: int


class Awarded(Effect, frozen=True, tag="awarded"):
    """Points that the arbiter gives to seats or takes from them."""

    points: dict[str, str]


class TimeGiven(Effect, frozen=True, tag="time_given"):
    """Time that the arbiter adds to the clocks of seats or takes from them."""

    time: dict[str, str]


class ClocksSet(Effect, frozen=True, tag="clocks_set"):
    """The times on the clocks that the arbiter corrects."""

    clock: dict[str, str]


class Warned(Effect, frozen=True, tag="warned"):
    """A warning of the arbiter to `seats`."""

    seats: tuple[str, ...]


class Renamed(Effect, frozen=True, tag="@renamed"):
    """A player whose name is corrected: shown as `was` before, now as `name`."""

    was: str
    name: str


class Identified(Effect, frozen=True, tag="@identified"):
    """A player whose id is corrected."""

    seat: str
    id: str


class Tagged(Effect, frozen=True, tag="@tagged"):
    """Tags that are corrected, with their new values."""

    tags: dict[str, str]


def session_effects_of(fold: Fold, event: Event) -> tuple[Effect, ...]:
    """Return the effects of `event` on the session: offers, returns to earlier events, points, the end."""
    n, effects = event.n, list[Effect]()
    if n > fold.n:
        return ()
    if type(event) in COMMON:
        to, before, after = fold.takebacks.get(n), fold.session_at(n - 1), fold.session_at(n)
        if to is not None and not isinstance(event, Takeback):
            effects.append(
                WentBack(to, fold.main_line.count_play(n - 1) - fold.main_line.count_play(to))
                if fold.stands(to, n - 1)
                else WentOn(to)
            )
        if isinstance(event, Takeback) and event.reason:
            effects.append(Reasoned(event.reason))
        if isinstance(event, (Accept, Decline)) and to is None and after.outcome == before.outcome:
            effects.append(_answered_offer(fold.events[event.about - 1]))
        if isinstance(event, Withdraw) and event.about in fold.awaited_seats:
            effects.append(_answered_offer(fold.events[event.about - 1]))
        points = {
            seat: after.penalties.get(seat, 0) - before.penalties.get(seat, 0)
            for seat in fold.header.seat_ids
        }
        if any(points.values()):
            effects.append(Awarded({seat: f"{number:+}" for seat, number in points.items() if number}))
        if isinstance(event, Ruling) and event.time:
            effects.append(TimeGiven({seat: time_change_text(ms) for seat, ms in event.time.items()}))
        if isinstance(event, Ruling) and event.clock:
            effects.append(ClocksSet({owner: clock_text(ms) for owner, ms in event.clock.items()}))
        if isinstance(event, Ruling) and event.warned:
            effects.append(Warned(event.warned))
        if isinstance(event, Amend):
            effects += _amendment_effects(event, before, after)
        if after.outcome and after.outcome != before.outcome:
            effects += [Over(after.outcome.winners, after.outcome.reason), *outcome_effects(after.outcome)]
        if n in fold.awaited_seats:
            effects.append(
                AwaitedRuling()
                if ARBITER in fold.awaited_seats[n]
                else Awaited(_in_seat_order(fold, fold.awaited_seats[n]))
            )
    for offer in fold.lapsed_offers.get(n, ()):
        lapsed = Lapsed(offer.n, _in_seat_order(fold, offer.waiting))
        effects += [lapsed, _answered_offer(fold.events[offer.n - 1])]
    return tuple(effects)


def _answered_offer(offer: Event) -> Effect:
    """Return the effect that describes `offer`, which an event answers or withdraws."""
    return Offered(offer.to) if isinstance(offer, Takeback) else OfferedEnd(cast(Agree, offer).result)


def _amendment_effects(event: Amend, earlier: Session, now: Session) -> Iterator[Effect]:
    """Yield the names and ids that differ between `earlier` and `now`, and the tags of `event`."""
    for before, after in zip(earlier.seats, now.seats, strict=True):
        was, name = earlier.name_of(before.seat), now.name_of(after.seat)
        if was != name:
            yield Renamed(was, name)
        if after.id and before.id != after.id:
            yield Identified(after.seat, after.id)
    if event.tags:
        yield Tagged(event.tags)


def _in_seat_order(fold: Fold, waiting: frozenset[str]) -> tuple[str, ...]:
    return tuple(seat for seat in (*fold.header.seat_ids, ARBITER) if seat in waiting)


def phrase_of(fold: Fold, event: Event) -> str:
    """Return the tag of the template for `event`.

    Offers, their withdrawals, and rulings about claims or rulings have their own templates.
    """
    rulings = fold.rulings
    match event:
        case Takeback(n=n, slip=slip):
            return f"@{'correction' if slip else 'takeback'}{'_offer' if n in fold.awaited_seats else ''}"
        case Withdraw(about=about) if about in fold.awaited_seats:
            return "@withdraw_offer"
        case Ruling(about=about, kind=kind) if about in rulings.by_number:
            return {"refused": "@withdrawal", "stands": "@confirmation"}.get(kind, "@replacement")
        case Ruling(about=about, kind="refused") if about in rulings.claims.subjects:
            return "@refusal"
        case Ruling(kind="upheld"):
            return "@upholding"
    return tag_of(type(event))
