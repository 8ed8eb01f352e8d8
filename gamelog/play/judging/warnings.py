"""What has to be said of a record whose play was folded: what stood, what was ruled on, what is open."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from gamelog.finding import Finding
from gamelog.message import Message, with_names
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.violation import Violation
from gamelog.play.fold.check_event import unknown_effect
from gamelog.play.fold.common import Ruling
from gamelog.play.fold.fold import Fold
from gamelog.play.telling.messages import decision, renderer

_MAX_TOLD = 20
"""Rulings about one event that a finding tells of one by one, the last of them."""


def warnings(fold: Fold) -> Iterator[Finding]:
    """What the fold went on in spite of (illegal events, positions, claims), what rulings changed."""
    for found in _remarks(fold):
        yield found.saying(with_names(found.sentence, fold.session.name_of))


def _remarks(fold: Fold) -> Iterator[Finding]:
    yield from _stood(fold)
    unknown = fold.session.unknown_since
    if unknown:
        yield Finding.of("play.cannot_apply", unknown_effect(unknown), n=unknown)
    for signed in fold.signatures:
        if signed.doubt:
            code = "sign.unchecked" if signed.unchecked else "sign.doubt"
            text = Message.of("{@name} has signed, but {doubt}", name=signed.seat, doubt=signed.doubt)
            yield _warning(code, text, signed.n)
    for offer in fold.offers.values():
        people = [seat for seat in fold.header.seat_ids if seat in offer.waiting]
        yield _warning("play.offer", _offer(offer.to, people), offer.n)
    for n in fold.rulings.claims.open:
        about = fold.rulings.claims.made[n]
        if about is None:
            yield _warning("play.claim", Message.of("a claim that nobody has ruled on"), n)
        else:
            open_ = Message.of("a claim about event {n} that nobody has ruled on", n=about)
            yield _warning("play.claim", open_, n)


def _offer(to: int | None, people: list[str]) -> Message:
    """An open offer to go back to event `to`, or to end the game, and the `people` who have not answered."""
    if to is None and people:
        return Message.of("an offer to end the game, which waits for the yes of {@people}", people=people)
    if to is None:
        return Message.of("an offer to end the game, which waits for the yes of the arbiter")
    if people:
        return Message.of(
            "an offer to take the game back to event {n}, which waits for the yes of {@people}",
            n=to,
            people=people,
        )
    return Message.of(
        "an offer to take the game back to event {n}, which waits for the yes of the arbiter", n=to
    )


def _stood(fold: Fold) -> Iterator[Finding]:
    """What was illegal and stood, was taken back or ruled on, and what else rulings are about."""
    standing = frozenset(fold.mainline()) if fold.violations else frozenset()
    corrected = fold.corrected() if fold.violations else frozenset()
    rulings = fold.rulings
    changes = rulings.changes()
    for n in sorted({*fold.violations, *changes}):
        if n in corrected and n not in changes:
            continue
        violation = Violation("", "") if n in corrected else fold.violations.get(n, Violation("", ""))
        ruling = changes[n] if n in changes and not violation.text else rulings.about(n)
        if ruling:
            claim = _claim(fold, n) if n in rulings.claims.made else None
            subject = violation.message if violation.text else claim
            told = _rulings(fold, n)
            if subject:
                text = Message.of("{remark}; ruled on {rulings}", remark=subject, rulings=told)
            else:
                text = Message.of("ruled on {rulings}", rulings=told)
            yield _warning("play.ruled", text, n, violation.rule)
        elif n not in standing:
            undone = Message.of("{remark}; it was taken back", remark=violation.message)
            yield _warning("play.undone", undone, n, violation.rule)
        else:
            yield _warning("play.as_played", violation.message, n, violation.rule)


def _warning(code: str, said: Message, n: int, rule: str = "") -> Finding:
    return Finding.of(code, said, "warning", n=n, rule=rule or None)


def links_due(fold: Fold) -> Iterator[Finding]:
    """Whose links the roll waits for that is due at the end of the record."""
    reveals = fold.reveals
    if reveals and reveals.missing:
        text = Message.of(
            "the dice wait for the {n:link|links} of {@people}",
            n=len(reveals.missing),
            people=reveals.missing,
        )
        said = with_names(text, fold.session.name_of)
        yield Finding.of("chance.waiting", said, "warning", n=reveals.intent or None)


def unopened_rolls(fold: Fold) -> Iterator[Finding]:
    """That something was dealt face down which nobody can reckon before the table opens it."""
    at = fold.reveals.dealer.closed if fold.reveals and fold.reveals.dealer else None
    if at is None:
        return
    if fold.outcome:
        text = (
            "what was dealt face down has not been opened, so nobody can tell whether it was dealt as "
            "it had to be; whoever deals reveals the table's link"
        )
        yield Finding.of("chance.unopened", text, n=at)
    else:
        yield Finding.of(
            "chance.closed", "what is dealt face down is opened when the game is over", "warning", n=at
        )


def _rulings(fold: Fold, n: int) -> Message:
    """All rulings about event `n`, the last `_MAX_TOLD` of many; of several, what has become of each."""
    found = fold.rulings.every(n)
    told = [_ruling(fold, one, of_several=len(found) > 1) for one in found[-_MAX_TOLD:]]
    if len(found) > _MAX_TOLD:
        told.insert(0, Message.of("{n} times before", n=len(found) - _MAX_TOLD))
    return reduce(lambda rest, one: Message.of("{first}; {rest}", first=one, rest=rest), reversed(told))


def _ruling(fold: Fold, ruling: Ruling, *, of_several: bool) -> Message:
    """A ruling: its event, who decided what and why, and whether it is in force where there are several."""
    members = {
        "n": ruling.n,
        "name": ruling.name,
        "decision": decision(ruling),
        "reason": ruling.reason.rstrip("."),
    }
    if not of_several:
        return Message("in event {n} by {=name}: {decision}, {=reason}", members)
    members["state"] = fold.rulings.state(ruling.n)
    return Message("in event {n} ({state}) by {=name}: {decision}, {=reason}", members)


def _claim(fold: Fold, n: int) -> Message:
    """The claim of event `n`, and what it is about."""
    about = fold.rulings.claims.made[n]
    return Message.of("a claim") if about is None else Message.of("a claim about event {n}", n=about)


def outcome_told(fold: Fold, outcome: Outcome | None) -> Message:
    """Return an outcome, with the people who have won."""
    if outcome is None:
        return Message.of("no result yet")
    reason = renderer(fold.game, fold.session.name_of).locale.word(outcome.reason)
    result = Message.of("{@winners} ({reason})", winners=outcome.winners, reason=reason)
    return with_names(result, fold.session.name_of)
