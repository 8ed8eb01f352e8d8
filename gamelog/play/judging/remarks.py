"""What has to be said of a record whose play was folded: what stood, what was ruled on, what is open."""

from __future__ import annotations

from collections.abc import Iterator

from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.violation import Violation
from gamelog.play.fold.findings import Finding
from gamelog.play.fold.fold import Fold
from gamelog.play.telling.messages import decision, result_text
from gamelog.record.counting import join_words

_MAX_TOLD = 20
"""Rulings about one event that a finding tells of one by one, the last of them."""


def remarks(fold: Fold) -> Iterator[Finding]:
    """What the fold went on in spite of (illegal events, positions, claims), what rulings changed."""
    yield from _stood(fold)
    unknown = fold.session.unknown_since
    if unknown:
        text = f"nobody can say what event {unknown} did; declare with @gap what stood on the table"
        yield Finding("play.cannot_apply", text, n=unknown)
    name_of = fold.session.name_of
    for signed in fold.signatures:
        if signed.doubt:
            code = "sign.unchecked" if signed.unchecked else "sign.doubt"
            yield _warning(code, f"{name_of(signed.seat)} has signed, but {signed.doubt}", signed.n)
    for offer in fold.offers.values():
        waiting = join_words(name_of(seat) for seat in fold.header.seat_ids if seat in offer.waiting)
        what = "to end the game" if offer.to is None else f"to take the game back to event {offer.to}"
        text = f"an offer {what}, which waits for the yes of {waiting or 'the arbiter'}"
        yield _warning("play.offer", text, offer.n)
    for n in fold.rulings.claims.open:
        yield _warning("play.claim", f"{_claim(fold, n)} that nobody has ruled on", n)


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
            subject = violation.text or (_claim(fold, n) if n in rulings.claims.made else "")
            decided = f"ruled on {_rulings(fold, n)}"
            yield _warning("play.ruled", f"{subject}; {decided}" if subject else decided, n, violation.rule)
        elif n not in standing:
            yield _warning("play.undone", f"{violation.text}; it was taken back", n, violation.rule)
        else:
            yield _warning("play.as_played", violation.text, n, violation.rule)


def _warning(code: str, text: str, n: int, rule: str = "") -> Finding:
    return Finding(code, text, "warning", n, rule=rule or None)


def links_due(fold: Fold) -> Iterator[Finding]:
    """Whose links the roll waits for that is due at the end of the record."""
    reveals = fold.reveals
    if reveals and reveals.missing:
        links = "link" if len(reveals.missing) == 1 else "links"
        people = join_words(map(fold.session.name_of, reveals.missing))
        yield Finding(
            "chance.waiting", f"the dice wait for the {links} of {people}", "warning", reveals.intent or None
        )


def closed(fold: Fold) -> Iterator[Finding]:
    """That something was dealt face down which nobody can reckon before the table opens it."""
    at = fold.reveals.dealer.closed if fold.reveals and fold.reveals.dealer else None
    if at is None:
        return
    if fold.outcome:
        text = (
            "what was dealt face down has not been opened, so nobody can tell whether it was dealt as "
            "it had to be"
        )
        yield Finding("chance.unopened", f"{text}; whoever deals reveals the table's link", n=at)
    else:
        yield Finding(
            "chance.closed", "what is dealt face down is opened when the game is over", "warning", at
        )


def _rulings(fold: Fold, n: int) -> str:
    """All rulings about event `n`, the last `_MAX_TOLD` of many; of several, what has become of each."""
    found = fold.rulings.every(n)
    told = [
        f"in event {one.n}{'' if len(found) == 1 else f' ({fold.rulings.state(one.n)})'} by {one.name}: "
        f"{decision(one, fold.session.name_of)}, {one.reason.rstrip('.')}"
        for one in found[-_MAX_TOLD:]
    ]
    return "; ".join([f"{len(found) - _MAX_TOLD} times before"] * (len(found) > _MAX_TOLD) + told)


def _claim(fold: Fold, n: int) -> str:
    """The claim of event `n`, and what it is about."""
    about = fold.rulings.claims.made[n]
    return "a claim" if about is None else f"a claim about event {about}"


def outcome_told(fold: Fold, outcome: Outcome | None) -> str:
    """Return an outcome in words, with the people who have won."""
    return result_text(fold.game, outcome, fold.session.name_of) if outcome else "no result yet"
