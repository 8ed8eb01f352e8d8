"""An incident in sentences, as the terminal and the sheet of paper tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec import Struct

from gamelog.dispute.incident import Incident
from gamelog.play.contract.game import ChanceDue
from gamelog.play.fold.common import COMMON
from gamelog.play.fold.event_list import decoder
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.recorder import RULED_ON
from gamelog.play.telling.messages import with_full_stop
from gamelog.record.envelope import Event

Say = Callable[[str], str]


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
    say: Say = str,
) -> IncidentWords:
    """`happened` in sentences. `words` says a decision shortly, `due` what is to be rolled or drawn.

    `say` says an English sentence, or a part of one, in the language of `happened`. What people wrote does
    not go through it.
    """
    name = fold.session.name_of
    (event,) = _decoded(fold, (happened.event,))
    owed, found, rule = happened.owed, happened.finding, happened.rule
    then = {"ok": "nothing against the record", "ruled": "what was disputed had been ruled on"}
    status = then.get(happened.then, f"the record was {happened.then}")
    listed = [words(choice) for choice in _decoded(fold, happened.legal)]
    return IncidentWords(
        event=say(f"Event {happened.n}, {elapsed(event.t)} after the start."),
        played="" if type(event) in COMMON else f"{name(event.by)}: {words(event)}",
        text=happened.text,
        due=say(f"Due was {due(owed)}, by {name(owed.by)}.") if owed else "",
        finding=f"{say(found.severity)}: {say(found.message)}." if found else "",
        rule=f"{rule.id}{say(' (ruling)') if rule.ruling else ''}: {rule.text}" if rule else "",
        known=f"{say(f'As known then: {status}.')} {_disposition(happened, fold, say)}.",
        matters=tuple(_matters(happened, fold, say)),
        counted=_counted(happened, len(listed), say) if listed else "",
        legal=listed,
        odds=_odds(happened, fold, say),
    )


def elapsed(t: int) -> str:
    """`t` milliseconds as hours, minutes and seconds: ``1:02:03``."""
    minutes, seconds = divmod(t // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _decoded(fold: Fold, events: Sequence[dict[str, object]]) -> list[Event]:
    return [decoder(fold.game).decode(msgspec.json.encode({"n": 1, "t": 0, **event})) for event in events]


def _counted(happened: Incident, listed: int, say: Say) -> str:
    shown = f"{listed} {say('of')} {happened.choices}" if listed < happened.choices else f"{listed}"
    more = ", and more than can be listed" if happened.cut else ", and other ways to the same"
    return shown + ("" if happened.complete else say(more))


def _odds(happened: Incident, fold: Fold, say: Say) -> str:
    """How likely the contest was, or else the dice."""
    name, contest, rolled = fold.session.name_of, happened.contest, happened.rolled
    if contest:
        exact = f", exactly {contest.exact}" if contest.exact else ""
        against = name(contest.against) if contest.against else "nobody's land"
        return say(f"Odds of the contest: {name(contest.by)} beats {against} with {contest.odds:.4%}{exact}.")
    if rolled:
        more = f"; that sum or more {_chance(rolled.at_least, say)}" if rolled.at_least else ""
        return say(f"Odds of this result: {_chance(rolled.exactly, say)}{more}.")
    return ""


def _chance(fraction: str, say: Say) -> str:
    over, _, under = fraction.partition("/")
    return f"{fraction} ({say(f'{int(over) / int(under or 1):.3%}')})"


def _disposition(happened: Incident, fold: Fold, say: Say) -> str:
    """What has become of the event, and who has ruled that, if anybody has."""
    stands = "it stands, though nobody can say what it did" if happened.n in fold.unknown else "it stands"
    if happened.disposition in ("in force", "withdrawn"):
        state = fold.rulings.state(happened.n)
        return say("It is in force" if happened.disposition == "in force" else f"It is not in force: {state}")
    ruled_on = happened.finding is None or happened.finding.code in RULED_ON
    dispositions = {
        "stands": stands,
        "taken back": "it was taken back",
        "corrected": "it was corrected: a slip of the pen that was never played",
        "refused": "nothing can follow it until somebody rules" if ruled_on else _no_ruling(happened.n),
    }
    disposition = dispositions[happened.disposition]
    only_beside = fold.is_disputed(happened.n) and any(one.in_force for one in happened.rulings)
    if only_beside or not happened.rulings:
        return say(f"Nobody has ruled on it: {disposition}")
    ruled = [
        f"{say(f'; {one.name} in event {one.n}: {one.what},')} {one.reason.rstrip('.')}"
        for one in happened.rulings
        if one.in_force
    ]
    found = "As finally ruled" if ruled else "No ruling on it is in force any more"
    return say(f"{found}: {disposition}") + "".join(ruled)


def _no_ruling(n: int) -> str:
    return (
        f"nothing can follow it, and no ruling mends it; go on from event {n - 1} in a record of its "
        "own: gamelog branch"
    )


def _matters(happened: Incident, fold: Fold, say: Say) -> Iterator[str]:
    """A line for each claim and ruling about the event, in their order."""
    lines, name = {}, fold.session.name_of
    for claim in happened.claims:
        head = say(f"Claim in event {claim.n} about event {claim.about}, {name(claim.by)}:")
        state = f" {say('Nobody has ruled on it.')}" if claim.open else ""
        meant = f" {say('Meant to be played:')} {with_full_stop(claim.meant)}" if claim.meant else ""
        lines[claim.n] = f"{head} {with_full_stop(claim.text)}{meant}{state}"
    for one in happened.rulings:
        head = say(f"Ruling in event {one.n} about event {one.about}, {one.name}: {one.what},")
        state = f" {_sentence(say(fold.rulings.state(one.n)))}" if one.gone else ""
        lines[one.n] = f"{head} {with_full_stop(one.reason)}{state}"
    return (lines[n] for n in sorted(lines))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
