"""Findings about a folded record: illegal events, rulings, open offers and claims, missing links."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from gamelog.finding import Finding
from gamelog.message import Message, with_names
from gamelog.play.contract.locales import renderer
from gamelog.play.contract.outcome import Outcome, result_message
from gamelog.play.contract.violation import Violation
from gamelog.play.fold.check_event import unknown_effect
from gamelog.play.fold.common_events import Ruling
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.names_at_events import NamesAtEvents
from gamelog.play.fold.ruling_messages import ruling_decision

_MAX_RULINGS = 20
"""Largest number of rulings about one event that a finding lists: the last ones."""


def warnings(fold: Fold) -> Iterator[Finding]:
    """Yield the findings about events that did not end the fold: illegal events, rulings, open claims."""
    yield from _illegal_and_ruled_events(fold)
    names = NamesAtEvents(fold)
    unknown = fold.session.unknown_since
    if unknown:
        yield Finding.of("play.cannot_apply", unknown_effect(unknown), n=unknown)
    for signed in fold.signatures:
        if signed.doubt:
            code = "sign.unchecked" if signed.is_unchecked else "sign.doubt"
            text = Message.of("{@name} has signed, but {doubt}", name=signed.seat, doubt=signed.doubt)
            yield _warning(code, with_names(text, names.after(signed.n)), signed.n)
    for offer in fold.offers.values():
        people = [seat for seat in fold.header.seat_ids if seat in offer.waiting]
        yield _warning("play.offer", with_names(_offer(offer.to, people), fold.session.name_of), offer.n)
    for n in fold.rulings.claims.open_numbers:
        about = fold.rulings.claims.subjects[n]
        if about is None:
            yield _warning("play.claim", Message.of("no one has ruled on this claim"), n)
        else:
            open_ = Message.of("no one has ruled on this claim about event {n}", n=about)
            yield _warning("play.claim", open_, n)


def findings_of_play(fold: Fold) -> Iterator[Finding]:
    """Yield the findings about the events and the recorded result of `fold`. Missing links are left out."""
    yield from warnings(fold)
    yield from result_difference(fold)


def _offer(to: int | None, people: list[str]) -> Message:
    """Return the message about an open offer, to go back to event `to` or (None) to end the game.

    `people` have not agreed yet; if there are none, the arbiter has not.
    """
    if to is None and people:
        return Message.of("an offer to end the game is waiting for {@people} to agree", people=people)
    if to is None:
        return Message.of("an offer to end the game is waiting for the arbiter to agree")
    if people:
        return Message.of(
            "an offer to take the game back to event {n} is waiting for {@people} to agree",
            n=to,
            people=people,
        )
    return Message.of("an offer to take the game back to event {n} is waiting for the arbiter to agree", n=to)


def _illegal_and_ruled_events(fold: Fold) -> Iterator[Finding]:
    """Yield the findings about illegal events and about events with rulings."""
    standing = frozenset(fold.main_line_numbers()) if fold.violations else frozenset()
    corrected = fold.corrected_events() if fold.violations else frozenset()
    rulings, names = fold.rulings, NamesAtEvents(fold)
    changes = rulings.changes()
    for n in sorted({*fold.violations, *changes}):
        if n in corrected and n not in changes:
            continue
        violation = Violation("", "") if n in corrected else fold.violations.get(n, Violation("", ""))
        problem = with_names(violation.message, names.of(fold.events[n - 1]))
        ruling = changes[n] if n in changes and not violation.text else rulings.ruling_about(n)
        if ruling:
            claim = _claim(fold, n) if n in rulings.claims.subjects else None
            subject = problem if violation.text else claim
            rulings_text = _rulings(fold, n)
            if subject:
                text = Message.of("{problem}; ruled on {rulings}", problem=subject, rulings=rulings_text)
            else:
                text = Message.of("ruled on {rulings}", rulings=rulings_text)
            yield _warning("play.ruled", text, n, violation.rule)
        elif n not in standing:
            undone = Message.of("{problem}; it was taken back", problem=problem)
            yield _warning("play.undone", undone, n, violation.rule)
        else:
            yield _warning("play.as_played", problem, n, violation.rule)


def _warning(code: str, sentence: Message, n: int, rule: str = "") -> Finding:
    return Finding.of(code, sentence, "warning", n=n, rule=rule or None)


def links_due(fold: Fold) -> Iterator[Finding]:
    """Yield the finding that the roll due at the end of the record still needs links."""
    reveals = fold.reveals
    if reveals and reveals.missing_seats:
        text = Message.of(
            "the dice cannot be rolled before {@people} {n:reveals a link|reveal their links}",
            n=len(reveals.missing_seats),
            people=reveals.missing_seats,
        )
        sentence = with_names(text, fold.session.name_of)
        yield Finding.of("chance.waiting", sentence, "warning", n=reveals.intent or None)


def unopened_rolls(fold: Fold) -> Iterator[Finding]:
    """Yield the finding that a roll dealt face down is not open yet."""
    last_number = fold.reveals.dealer.first_closed_roll if fold.reveals and fold.reveals.dealer else None
    if last_number is None:
        return
    if fold.outcome:
        text = (
            "the roll dealt face down has not been opened, so it cannot be checked; the dealer "
            "must reveal the link of the table"
        )
        yield Finding.of("chance.unopened", text, n=last_number)
    else:
        yield Finding.of(
            "chance.closed",
            "the roll dealt face down is opened when the game is over",
            "warning",
            n=last_number,
        )


def result_difference(fold: Fold) -> Iterator[Finding]:
    """Yield the finding that the recorded result differs from the result of the play."""
    if fold.result_differs:
        text = Message.of(
            "the table recorded the result {written}, but the rules give {played}",
            written=outcome_message(fold, fold.session.declared_result),
            played=outcome_message(fold, fold.outcome),
        )
        yield Finding.of("play.result_differs", text, "warning")


def _rulings(fold: Fold, n: int) -> Message:
    """Return the last rulings about event `n`, each with its state if there are several."""
    numbers = fold.rulings.rulings_ever_about(n)
    messages = [_ruling(fold, number, of_several=len(numbers) > 1) for number in numbers[-_MAX_RULINGS:]]
    if len(numbers) > _MAX_RULINGS:
        messages.insert(0, Message.of("{n} earlier {n:ruling|rulings}", n=len(numbers) - _MAX_RULINGS))
    return Message.join(messages)


def _ruling(fold: Fold, ruling: Ruling, *, of_several: bool) -> Message:
    """Return a ruling: event, arbiter, decision and reason, and its state if it is one `of_several`."""
    members = {
        "n": ruling.n,
        "name": ruling.name,
        "decision": with_names(ruling_decision(ruling), NamesAtEvents(fold).of(ruling)),
        "reason": ruling.reason.rstrip("."),
    }
    if not of_several:
        return Message("in event {n} by {=name}: {decision}, {=reason}", members)
    members["state"] = fold.rulings.state_message(ruling.n)
    return Message("in event {n} ({state}) by {=name}: {decision}, {=reason}", members)


def _claim(fold: Fold, n: int) -> Message:
    """Return the claim of event `n` and the event that it is about."""
    about = fold.rulings.claims.subjects[n]
    return Message.of("a claim") if about is None else Message.of("a claim about event {n}", n=about)


def outcome_message(fold: Fold, outcome: Outcome | None) -> Message:
    """Return an outcome, with the people who have won, or that there is none yet."""
    if outcome is None:
        return Message.of("no result yet")
    reason = renderer(fold.game, fold.session.name_of).locale.word(outcome.reason)
    return with_names(result_message(structs.replace(outcome, reason=reason)), fold.session.name_of)
