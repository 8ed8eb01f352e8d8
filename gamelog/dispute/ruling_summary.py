"""The summary of a ruling: sentences for the arbiter who made it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from gamelog.message import Message, verbatim
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold.common_events import COMMON, Gap, Resign, Ruling
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.ruling import disputed_subject
from gamelog.play.fold.ruling_messages import clock_text, ruling_decision, time_change_text
from gamelog.play.rendering.sentences import game_over_message
from gamelog.record.envelope import TABLE

_MAX_LISTED = 10
"""Maximum number of claims that a sentence lists."""


class RulingEffect(Struct, frozen=True):
    """The effects of a ruling.

    Attributes:
        n: Number of the ruling.
        continues_after: Event after which the game continues, or None if the main line is unchanged.
        undone_count: Number of events of play that no longer count.
        restored_count: Number of events of play that count again.
        points: Points that seats got.
        outcome: End of the game if it changed.
        is_resumed: Whether the game is no longer over.
        closed_claims: Claims that it closes.
        reopened_claims: Claims that it opens again.
        disputed_event: Illegal event of the answered claim on which the arbiter still has to rule.
        unanswered_claim: Open claim that the answered claim is about.
        remaining_rulings: Other rulings in force about the same event, if it withdraws or replaces a ruling.
    """

    n: int
    continues_after: int | None = field(name="to")
    undone_count: int = field(name="undone")
    restored_count: int = field(name="again")
    points: dict[str, int]
    outcome: Outcome | None
    is_resumed: bool = field(name="goes_on")
    closed_claims: tuple[int, ...] = field(name="closed")
    reopened_claims: tuple[int, ...] = field(name="reopened")
    disputed_event: int | None = field(name="disputed", default=None)
    unanswered_claim: int | None = field(name="unanswered", default=None)
    remaining_rulings: tuple[int, ...] = field(name="remaining", default=())


def ruling_effect(fold: Fold, n: int, waiting: frozenset[int]) -> RulingEffect:
    """Return the effects of ruling `n` of `fold`. `waiting` are the claims that were open before it."""
    before, after = (frozenset(_counted_events(fold, end)) for end in (n - 1, n))
    earlier, now = fold.session_at(n - 1), fold.session_at(n)
    points = {
        seat: now.penalties.get(seat, 0) - earlier.penalties.get(seat, 0) for seat in fold.header.seat_ids
    }
    was, is_ = fold.pending_at(n - 1).outcome, fold.pending_at(n).outcome
    claims, about = fold.rulings.claims, fold.rulings.by_number[n].about
    still, is_claim = frozenset(claims.open_numbers), about in claims.subjects
    return RulingEffect(
        n=n,
        continues_after=fold.takebacks.get(n),
        undone_count=len(before - after),
        restored_count=len(after - before),
        points={seat: number for seat, number in points.items() if number},
        outcome=is_ if is_ != was else None,
        is_resumed=was is not None and is_ is None,
        closed_claims=tuple(sorted(waiting - still)),
        reopened_claims=tuple(sorted(still - waiting)),
        disputed_event=disputed_subject(fold, about) if is_claim else None,
        unanswered_claim=claims.open_claim_before(about) if is_claim else None,
        remaining_rulings=_remaining_rulings(fold, n),
    )


def _remaining_rulings(fold: Fold, n: int) -> tuple[int, ...]:
    """Return the other rulings in force about the same event, if ruling `n` ends a ruling."""
    rulings = fold.rulings
    if not rulings.withdrawn_by(n):
        return ()
    return tuple(ruling.n for ruling in rulings.rulings_about(rulings.subject(n)) if ruling.n != n)


def _counted_events(fold: Fold, end: int) -> Iterator[int]:
    """Yield the events of play that count after event `end`, without notes, claims and similar events."""
    for n in fold.main_line_numbers(end):
        event = fold.events[n - 1]
        if type(event) not in COMMON or isinstance(event, Gap | Resign):
            yield n


def summarize(fold: Fold, ruling: Ruling, effect: RulingEffect) -> Iterator[Message]:
    """Yield sentences on the subject of `ruling` and on its effects."""
    yield _subject(fold, ruling)
    if effect.continues_after is not None:
        yield _continuation(effect, effect.continues_after)
    for seat, points in effect.points.items():
        text = "{@seat}: {=points} {n:point|points}."
        yield Message.of(text, seat=seat, points=f"{points:+}", n=abs(points))
    for seat, ms in (ruling.time or {}).items():
        yield Message.of("{@seat}: {=time} on the clock.", seat=seat, time=time_change_text(ms))
    for owner, ms in (ruling.clock or {}).items():
        text = "The game's clock shows {=time}." if owner == TABLE else "The clock of {@seat} shows {=time}."
        yield Message.of(text, seat=owner, time=clock_text(ms))
    if ruling.warned:
        yield Message.of("Warned: {@seats}.", seats=ruling.warned)
    if effect.outcome:
        yield game_over_message(effect.outcome)
    elif effect.is_resumed:
        yield Message.of("The game continues.")
    for numbers, text in (
        (effect.closed_claims, "{n:The claim of event|The claims of events} {=claims} {n:is|are} closed."),
        (
            effect.reopened_claims,
            "{n:The claim of event|The claims of events} {=claims} {n:is|are} open again.",
        ),
    ):
        if numbers:
            shown = ", ".join(map(str, numbers[:_MAX_LISTED])) + (", …" if len(numbers) > _MAX_LISTED else "")
            yield Message.of(text, n=len(numbers), claims=shown)
    if effect.remaining_rulings:
        yield _remaining_text(fold, effect.remaining_rulings)


def _remaining_text(fold: Fold, remaining: tuple[int, ...]) -> Message:
    """Return the sentence on the rulings about the same event that are still in force."""
    text = "{what} in event {n}"
    parts = [
        Message.of(text, n=n, what=ruling_decision(fold.rulings.by_number[n]))
        for n in remaining[:_MAX_LISTED]
    ]
    more = verbatim("; …") if len(remaining) > _MAX_LISTED else verbatim("")
    return Message.of(
        "Still in force about the same event: {rulings}{more}.", rulings=Message.join(parts), more=more
    )


def _continuation(effect: RulingEffect, to: int) -> Message:
    """Return the sentence on the event after which the game continues, and on undone or restored events."""
    if effect.undone_count and effect.restored_count:
        text = (
            "Back to event {to}; {undone} {undone:event|events} undone, and {again} "
            "{again:event counts|events count} again."
        )
    elif effect.undone_count:
        text = "Back to event {to}; {undone} {undone:event|events} undone."
    elif effect.restored_count:
        text = "The game continues after event {to}; {again} {again:event counts|events count} again."
    else:
        text = "Back to event {to}; no event of play is undone."
    return Message.of(text, to=to, undone=effect.undone_count, again=effect.restored_count)


def _subject(fold: Fold, ruling: Ruling) -> Message:
    """Return the sentence on the event that `ruling` is about."""
    about, claims = ruling.about, fold.rulings.claims.subjects
    if about in fold.rulings.by_number:
        texts = {
            "stands": "The ruling of event {n} is confirmed.",
            "refused": "The ruling of event {n} is withdrawn.",
        }
        text = texts.get(ruling.kind, "The ruling of event {n} is replaced: {kind}.")
    elif about in claims and ruling.kind == "refused":
        text = "The claim of event {n} is refused."
    elif about in claims and ruling.kind in ("takeback", "upheld"):
        text = "The claim of event {n} is upheld."
    elif about in claims and ruling.kind == "stands":
        text = "The claim of event {n} is answered: nothing changes."
    elif ruling.kind == "time":
        text = "Event {n}: time penalty."
    else:
        text = "Event {n}: {kind}."
    return Message.of(text, n=about, kind=ruling.kind)
