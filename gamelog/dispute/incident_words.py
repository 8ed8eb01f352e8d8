"""An incident in sentences, as the terminal and the sheet of paper tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce

import msgspec
from msgspec import Struct

from gamelog.dispute.incident import Decision, Incident
from gamelog.finding import Finding
from gamelog.message import IN_ENGLISH, Message, verbatim, with_names
from gamelog.play.contract.game import ChanceDue
from gamelog.play.contract.rulebook import Rule
from gamelog.play.fold.common import COMMON
from gamelog.play.fold.event_list import decoder
from gamelog.play.fold.findings import Status
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.recorder import RULED_ON
from gamelog.play.telling.sentences import decision, with_full_stop
from gamelog.record.envelope import Event

Say = Callable[[Message], str]


class IncidentWords(Struct, frozen=True):
    """What there is to say of an incident; what there is nothing to say of is empty.

    ``event`` is which one it was and when, ``played`` what was written down, ``text`` what came of it;
    ``due`` the chance that was owed; ``known`` what had been found by then and what the whole record makes of
    it; ``matters`` the claims and rulings about it. ``counted`` says how many of the legal events ``legal``
    lists; ``odds`` how likely its dice were, or the contest that it settles or begins.
    """

    event: str
    played: str
    text: str
    due: str
    finding: str
    rule: str
    known: str
    matters: Sequence[str]
    counted: str
    legal: Sequence[str]
    odds: str


def incident_words(
    happened: Incident,
    fold: Fold,
    words: Callable[[Event], str],
    due: Callable[[ChanceDue], str],
    say: Say = IN_ENGLISH.text,
) -> IncidentWords:
    """Return `happened` in sentences. `words` gives a decision shortly, `due` what is to be rolled or drawn.

    `say` renders a message in the language of `happened`.
    """
    name = fold.session.name_of
    (event,) = _decoded(fold, (happened.event,))
    owed, found, rule = happened.owed, happened.finding, happened.rule
    known, fate, odds = KNOWN[happened.then], _disposition(happened, fold), _odds(happened, fold)
    listed = [words(choice) for choice in _decoded(fold, happened.legal)]
    return IncidentWords(
        event=say(Message.of("Event {n}, {=time} after the start.", n=happened.n, time=elapsed(event.t))),
        played="" if type(event) in COMMON else f"{name(event.by)}: {words(event)}",
        text=happened.text,
        due=say(_due(owed, due, name)) if owed else "",
        finding=say(_finding(found)) if found else "",
        rule=say(_rule(rule)) if rule else "",
        known=say(Message.of("As known then: {known}. {fate}.", known=known, fate=fate)),
        matters=tuple(map(say, _matters(happened, fold))),
        counted=say(_counted(happened, len(listed))) if listed else "",
        legal=listed,
        odds=say(odds) if odds else "",
    )


KNOWN: dict[Status, Message] = {
    "ok": Message("nothing against the record"),
    "ruled": Message("what was disputed had been ruled on"),
    "disputed": Message("the record was disputed"),
    "illegal": Message("the record was illegal"),
    "torn": Message("the record was torn"),
    "damaged": Message("the record was damaged"),
    "unknown": Message("the record was unknown"),
}
"""The record as it was known up to an event, by its status."""


def _finding(found: Finding) -> Message:
    return Message.of("{severity}: {remark}.", severity=Message(found.severity), remark=found.sentence)


def _rule(rule: Rule) -> Message:
    text = "{=id} (ruling): {=text}" if rule.ruling else "{=id}: {=text}"
    return Message.of(text, id=rule.id, text=rule.text)


def _due(owed: ChanceDue, due: Callable[[ChanceDue], str], name: Callable[[str], str]) -> Message:
    return Message.of("Due was {=due}, by {=by}.", due=due(owed), by=name(owed.by))


def elapsed(t: int) -> str:
    """`t` milliseconds as hours, minutes and seconds: ``1:02:03``."""
    minutes, seconds = divmod(t // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _decoded(fold: Fold, events: Sequence[dict[str, object]]) -> list[Event]:
    return [decoder(fold.game).decode(msgspec.json.encode({"n": 1, "t": 0, **event})) for event in events]


def _counted(happened: Incident, listed: int) -> Message:
    shown = Message.of("{n}", n=listed)
    if listed < happened.choices:
        shown = Message.of("{n} of {all}", n=listed, all=happened.choices)
    if happened.complete:
        return shown
    if happened.cut:
        return Message.of("{shown}, and more than can be listed", shown=shown)
    return Message.of("{shown}, and other ways to the same", shown=shown)


def _odds(happened: Incident, fold: Fold) -> Message | None:
    """Return how likely the contest was, or else the dice."""
    name, contest, rolled = fold.session.name_of, happened.contest, happened.rolled
    if contest:
        text = "Odds of the contest: {=by} beats {against} with {odds}."
        if contest.exact:
            text = "Odds of the contest: {=by} beats {against} with {odds}, exactly {=exact}."
        return Message.of(
            text,
            by=name(contest.by),
            against=verbatim(name(contest.against)) if contest.against else Message("nobody's land"),
            odds=_percent(f"{contest.odds:.4%}"),
            exact=contest.exact,
        )
    if rolled and rolled.at_least:
        text = "Odds of this result: {exactly}; that sum or more {more}."
        return Message.of(text, exactly=_chance(rolled.exactly), more=_chance(rolled.at_least))
    if rolled:
        return Message.of("Odds of this result: {exactly}.", exactly=_chance(rolled.exactly))
    return None


def _chance(fraction: str) -> Message:
    over, _, under = fraction.partition("/")
    percent = _percent(f"{int(over) / int(under or 1):.3%}")
    return Message.of("{=fraction} ({percent})", fraction=fraction, percent=percent)


def _percent(text: str) -> Message:
    whole, _, part = text.rstrip("%").partition(".")
    return Message.of("{=whole}.{=part}%", whole=whole, part=part)


def _disposition(happened: Incident, fold: Fold) -> Message:
    """Return what has become of the event, and who has ruled that, if anybody has."""
    if happened.disposition == "in force":
        return Message("It is in force")
    if happened.disposition == "withdrawn":
        return Message.of("It is not in force: {gone}", gone=fold.rulings.state(happened.n))
    fate = _fate(happened, fold)
    only_beside = fold.is_disputed(happened.n) and any(one.in_force for one in happened.rulings)
    if only_beside or not happened.rulings:
        return Message.of("Nobody has ruled on it: {what}", what=fate)
    ruled = [_ruled(fold, one) for one in happened.rulings if one.in_force]
    if ruled:
        said = reduce(lambda first, rest: Message.of("{first}; {rest}", first=first, rest=rest), ruled)
        return Message.of("As finally ruled: {what}; {ruled}", what=fate, ruled=said)
    return Message.of("No ruling on it is in force any more: {what}", what=fate)


def _ruled(fold: Fold, one: Decision) -> Message:
    text = "{=name} in event {n}: {what}, {=reason}"
    return Message.of(text, name=one.name, n=one.n, what=_what(fold, one), reason=one.reason.rstrip("."))


def _what(fold: Fold, one: Decision) -> Message:
    """What a ruling decides, with the people of now."""
    return with_names(decision(fold.rulings.made[one.n]), fold.session.name_of)


def _fate(happened: Incident, fold: Fold) -> Message:
    """What has become of an event that is not a ruling."""
    match happened.disposition:
        case "stands" if happened.n in fold.unknown:
            return Message("it stands, though nobody can say what it did")
        case "stands":
            return Message("it stands")
        case "taken back":
            return Message("it was taken back")
        case "corrected":
            return Message("it was corrected: a slip of the pen that was never played")
    if happened.finding is None or happened.finding.code in RULED_ON:
        return Message("nothing can follow it until somebody rules")
    return Message.of(
        "nothing can follow it, and no ruling mends it; go on from event {n} in a record of its own: gamelog "
        "branch",
        n=happened.n - 1,
    )


_GONE = {
    "event {n} has withdrawn it": "Event {n} has withdrawn it.",
    "event {n} has replaced it": "Event {n} has replaced it.",
    "event {n} has withdrawn what it confirms": "Event {n} has withdrawn what it confirms.",
    "event {n} has replaced what it confirms": "Event {n} has replaced what it confirms.",
}
"""Sentences on rulings that are no longer in force, by the clause that says so."""


def _matters(happened: Incident, fold: Fold) -> Iterator[Message]:
    """Yield a line for each claim and ruling about the event, in their order."""
    lines, name = {}, fold.session.name_of
    for claim in happened.claims:
        if claim.about is None:
            text = "Claim in event {n}, {=name}:"
        else:
            text = "Claim in event {n} about event {about}, {=name}:"
        parts = [Message.of(text, n=claim.n, about=claim.about, name=name(claim.by))]
        parts.append(verbatim(with_full_stop(claim.text)))
        if claim.meant:
            meant = with_full_stop(claim.meant)
            parts.append(Message.of("Meant to be played: {=meant}", meant=meant))
        if claim.open:
            parts.append(Message("Nobody has ruled on it."))
        lines[claim.n] = Message.of("{parts}", parts=parts)
    for one in happened.rulings:
        text = "Ruling in event {n} about event {about}, {=name}: {what}, {=reason}"
        ruling = Message.of(
            text,
            n=one.n,
            about=one.about,
            name=one.name,
            what=_what(fold, one),
            reason=with_full_stop(one.reason),
        )
        if one.gone:
            state = fold.rulings.state(one.n)
            ruling = Message.of(
                "{ruling} {state}", ruling=ruling, state=Message(_GONE[state.text], state.args)
            )
        lines[one.n] = ruling
    return (lines[n] for n in sorted(lines))
