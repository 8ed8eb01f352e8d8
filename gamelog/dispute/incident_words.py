"""Sentences on an incident, for the terminal and for the printed sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec import Struct

from gamelog.dispute.incident import Incident, IncidentRuling
from gamelog.finding import Finding
from gamelog.message import IN_ENGLISH, Message, verbatim, with_names
from gamelog.play.contract.game import ChanceDue
from gamelog.play.contract.odds import percent_text
from gamelog.play.contract.rulebook import Rule
from gamelog.play.fold.common_events import COMMON
from gamelog.play.fold.finding_codes import SETTLED_BY_RULING, Status
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.names_at_events import NamesAtEvents
from gamelog.play.fold.parts.event_list import decoder
from gamelog.play.fold.ruling_messages import ruling_decision
from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.rendering.sentences import with_full_stop
from gamelog.record.envelope import Event

_SECONDS_PER_DAY = 24 * 60 * 60
"""Seconds of a day."""

Say = Callable[[Message], str]
"""A function that renders a message as text."""


class IncidentWords(Struct, frozen=True):
    """Sentences on an incident. A sentence that does not apply is empty.

    Attributes:
        heading: Number and time of the event.
        recorded_event: The event as recorded.
        text: Description of the event with all effects.
        chance_due: Chance that was due.
        status: Status of the record at that time, and of the event in the whole record.
        claims_and_rulings: Claims and rulings.
        legal_count: Number of legal events in ``legal``.
        legal: The legal events, or examples of them, each as a sentence.
        odds: Odds of its contest, or of its dice.
    """

    heading: str
    recorded_event: str
    text: str
    chance_due: str
    finding: str
    rule: str
    status: str
    claims_and_rulings: Sequence[str]
    legal_count: str
    legal: Sequence[str]
    odds: str


def incident_words(
    incident: Incident,
    folded: FoldedRecord,
    words: Callable[[Event], str],
    due: Callable[[ChanceDue], str],
    say: Say = IN_ENGLISH.text,
) -> IncidentWords:
    """Return sentences on `incident`.

    Args:
        incident: The incident.
        folded: The whole record, which can be folded.
        words: The function that gives the short form of an event.
        due: The function that describes the chance that is due.
        say: The function that renders a message in the language of `incident`.
    """
    fold = folded.fold
    assert fold is not None, "a record that cannot be folded has no events"
    names = NamesAtEvents(fold, folded.unfolded_events)
    (event,) = _decode(fold, (incident.event,))
    name = names.of(event)
    chance_due, finding, rule = incident.chance_due, incident.finding, incident.rule
    known, fate, odds = (
        STATUS_CLAUSES[incident.status_then],
        _status_text(incident, fold),
        _odds_text(incident, name),
    )
    listed = [words(choice) for choice in _decode(fold, incident.legal)]
    return IncidentWords(
        heading=say(
            Message.of(
                "Event {n}, recorded {time} after the start.", n=incident.n, time=elapsed_text(event.t)
            )
        ),
        recorded_event="" if type(event) in COMMON else f"{name(event.by)}: {words(event)}",
        text=incident.text,
        chance_due=say(_due_text(chance_due, due, name)) if chance_due else "",
        finding=say(_finding_text(finding)) if finding else "",
        rule=say(_rule_text(rule)) if rule else "",
        status=say(Message.of("At that time: {known}. {fate}.", known=known, fate=fate)),
        claims_and_rulings=tuple(map(say, _claims_and_rulings(incident, fold))),
        legal_count=say(_count_text(incident, len(listed))) if listed else "",
        legal=listed,
        odds=say(odds) if odds else "",
    )


STATUS_CLAUSES: dict[Status, Message] = {
    "ok": Message.of("no problem was known"),
    "ruled": Message.of("the arbiter had ruled on every disputed event"),
    "disputed": Message.of("the record was disputed"),
    "illegal": Message.of("the record was illegal"),
    "torn": Message.of("the record was torn"),
    "damaged": Message.of("the record was damaged"),
    "unknown": Message.of("the status of the record was unknown"),
}
"""Clauses on the record up to an event, by its status."""


def _finding_text(finding: Finding) -> Message:
    return Message.of("{severity}: {problem}.", severity=Message(finding.severity), problem=finding.message)


def _rule_text(rule: Rule) -> Message:
    text = "{=id} (ruling): {=text}" if rule.ruling else "{=id}: {=text}"
    return Message.of(text, id=rule.id, text=rule.text)


def _due_text(chance_due: ChanceDue, due: Callable[[ChanceDue], str], name: Callable[[str], str]) -> Message:
    return Message.of("The next event due was {=due}, by {=by}.", due=due(chance_due), by=name(chance_due.by))


def elapsed_text(t: int) -> Message:
    """Return `t` milliseconds as days, hours, minutes and seconds, such as ``1 day and 1:02:03``."""
    seconds = t // 1000
    days, (minutes, seconds) = seconds // _SECONDS_PER_DAY, divmod(seconds % _SECONDS_PER_DAY, 60)
    time = f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if not days:
        return verbatim(time)
    return Message.of("{n} {n:day|days} and {=time}", n=days, time=time)


def _decode(fold: Fold, events: Sequence[dict[str, object]]) -> list[Event]:
    return [decoder(fold.game).decode(msgspec.json.encode({"n": 1, "t": 0, **event})) for event in events]


def _count_text(incident: Incident, listed: int) -> Message:
    shown = Message.of("{n}", n=listed)
    if listed < incident.legal_count:
        shown = Message.of("{n} of {all}", n=listed, all=incident.legal_count)
    if incident.is_complete:
        return shown
    if incident.is_cut:
        return Message.of("{shown}, and more events than can be listed", shown=shown)
    return Message.of("{shown}, and other events with the same result", shown=shown)


def _odds_text(incident: Incident, name: Callable[[str], str]) -> Message | None:
    """Return the odds of the contest, or otherwise of the dice."""
    contest, rolled = incident.contest, incident.likelihood
    if contest:
        text = "Odds of the contest: {=by} beats {against} with {odds}."
        if contest.exact:
            text = "Odds of the contest: {=by} beats {against} with {odds}, exactly {=exact}."
        return Message.of(
            text,
            by=name(contest.by),
            against=verbatim(name(contest.against))
            if contest.against
            else Message.of("an unowned territory"),
            odds=_percent(contest.odds),
            exact=contest.exact,
        )
    if rolled and rolled.at_least and rolled.at_least not in ("1", rolled.exactly):
        text = "Odds of this result: {exactly}. Odds of this sum or a higher one: {more}."
        return Message.of(text, exactly=_fraction_text(rolled.exactly), more=_fraction_text(rolled.at_least))
    if rolled:
        return Message.of("Odds of this result: {exactly}.", exactly=_fraction_text(rolled.exactly))
    return None


def _fraction_text(fraction: str) -> Message:
    over, _, under = fraction.partition("/")
    percent = _percent(int(over) / int(under or 1))
    return Message.of("{=fraction} ({percent})", fraction=fraction, percent=percent)


def _percent(probability: float) -> Message:
    whole, _, part = percent_text(probability).rstrip("%").partition(".")
    return Message.of("{=whole}.{=part}%" if part else "{=whole}%", whole=whole, part=part)


def _status_text(incident: Incident, fold: Fold) -> Message:
    """Return the status of the event, and the rulings on it."""
    if incident.disposition == "in force":
        return Message.of("The ruling is in force")
    if withdrawal := fold.rulings.claims.withdrawals.get(incident.n):
        return Message.of("The claim was withdrawn in event {n}", n=withdrawal)
    if incident.disposition == "withdrawn":
        return Message.of("The ruling is not in force: {gone}", gone=fold.rulings.state_message(incident.n))
    fate = _play_status_text(incident, fold)
    only_other = fold.is_disputed(incident.n) and any(decision.in_force for decision in incident.rulings)
    if only_other or not incident.rulings:
        return Message.of("No one has ruled on the event: {what}", what=fate)
    ruled = [_ruling_text(fold, decision) for decision in incident.rulings if decision.in_force]
    if ruled:
        return Message.of("As finally ruled: {what}; {ruled}", what=fate, ruled=Message.join(ruled))
    return Message.of("No ruling on the event is in force any more: {what}", what=fate)


def _ruling_text(fold: Fold, decision: IncidentRuling) -> Message:
    text = "{=name} in event {n}: {what}, reason: {=reason}"
    return Message.of(
        text,
        name=decision.name,
        n=decision.n,
        what=_decision_text(fold, decision),
        reason=decision.reason.rstrip("."),
    )


def _decision_text(fold: Fold, decision: IncidentRuling) -> Message:
    """Return the decision of a ruling, with the names of the people at the ruling."""
    ruling = fold.rulings.by_number[decision.n]
    return with_names(ruling_decision(ruling), NamesAtEvents(fold).of(ruling))


def _play_status_text(incident: Incident, fold: Fold) -> Message:
    """Return the status of an event that is not a ruling."""
    match incident.disposition:
        case "stands" if incident.n in fold.unknown_effects:
            return Message.of("it counts, but its effects are unknown")
        case "stands":
            return Message.of("it counts")
        case "taken back":
            return Message.of("it was taken back")
        case "corrected":
            text = "it was corrected, because it was a slip and not played"
            if incident.replaced_by:
                text = "it was corrected, because it was a slip and not played; event {n} replaces it"
            return Message.of(text, n=incident.replaced_by)
    if incident.finding is None or incident.finding.code in SETTLED_BY_RULING:
        return Message.of("no event can follow it until the arbiter rules")
    return Message.of(
        "no event can follow it, and no ruling can repair it; to continue after event {n} in a "
        "new record, make a branch",
        n=incident.n - 1,
    )


_NOT_IN_FORCE = {
    "event {n} has withdrawn it": "Event {n} has withdrawn it.",
    "event {n} has replaced it": "Event {n} has replaced it.",
    "event {n} has withdrawn what it confirms": "Event {n} has withdrawn what it confirms.",
    "event {n} has replaced what it confirms": "Event {n} has replaced what it confirms.",
}
"""Sentences on rulings that are no longer in force, by the same clause without a capital letter."""


def _claims_and_rulings(incident: Incident, fold: Fold) -> Iterator[Message]:
    """Yield a line for each claim and ruling about the event, in their order."""
    lines, names = {}, NamesAtEvents(fold)
    for claim in incident.claims:
        if claim.about is None:
            text = "Claim in event {n}, {=name}:"
        else:
            text = "Claim in event {n} about event {about}, {=name}:"
        parts = [Message.of(text, n=claim.n, about=claim.about, name=names.after(claim.n)(claim.by))]
        parts.append(verbatim(with_full_stop(claim.text)))
        if claim.intended_text:
            meant = with_full_stop(claim.intended_text)
            parts.append(Message.of("Intended event: {=meant}", meant=meant))
        if claim.is_open:
            parts.append(Message.of("No one has ruled on this claim."))
        if claim.withdrawn_by:
            parts.append(Message.of("Withdrawn in event {n}.", n=claim.withdrawn_by))
        lines[claim.n] = Message.of("{parts}", parts=parts)
    for decision in incident.rulings:
        text = "Ruling in event {n} about event {about}, {=name}: {what}. Reason: {=reason}"
        ruling = Message.of(
            text,
            n=decision.n,
            about=decision.about,
            name=decision.name,
            what=_decision_text(fold, decision),
            reason=with_full_stop(decision.reason),
        )
        if decision.ended_by:
            state = fold.rulings.state_message(decision.n)
            ruling = Message.of(
                "{ruling} {state}", ruling=ruling, state=Message(_NOT_IN_FORCE[state.text], state.args)
            )
        lines[decision.n] = ruling
    return (lines[n] for n in sorted(lines))
