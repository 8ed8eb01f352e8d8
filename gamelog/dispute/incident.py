"""One event for a referee: what happened, what was legal, what was claimed and ruled.

*As known then* is what a reader of the first n events knew: which names, points and findings they
give. *As finally ruled* is its state at the end of the whole record.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct, json

from gamelog.dispute.chances import ContestOdds, Likelihood, contest_odds, likelihood
from gamelog.errors import CannotApply
from gamelog.finding import Finding
from gamelog.message import Locale, with_names
from gamelog.play.contract.declare import described
from gamelog.play.contract.game import AnyGame, ChanceDue, Legal
from gamelog.play.contract.rulebook import Rule, rulebook
from gamelog.play.contract.seats import legal_for
from gamelog.play.contract.violation import Violation
from gamelog.play.fold.common import COMMON, Claim, Ruling
from gamelog.play.fold.findings import Status, status_of
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.prefixes import prefixes
from gamelog.play.judging.replay import LEGAL_SHOWN, FoldedRecord
from gamelog.play.judging.warnings import warnings
from gamelog.play.recording.proposals import event_from
from gamelog.play.telling.events import consequences, seat_names
from gamelog.play.telling.sentences import decision, locale, sentence
from gamelog.play.telling.session_effects import phrase_of, table_effects
from gamelog.play.telling.visibility import View, finding_for, legal_in_view, observed, onlooker
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.viewer import Viewer
from gamelog.record.envelope import Event, proposal

Disposition = Literal["stands", "taken back", "corrected", "refused", "in force", "withdrawn"]


DISPUTES = "gamelog.dispute"
"""The package that speaks of incidents."""


class IncidentClaim(Struct, frozen=True):
    """A claim: its event, seat and words, the event it is about, and whether it waits for a ruling.

    ``meant`` is what the seat says that it means to play, in a sentence; plain data if it is not an event.
    """

    n: int
    by: str
    text: str
    about: int | None
    open: bool
    meant: str | None = None


class Decision(Struct, frozen=True):
    """A ruling: its event, kind, who ruled and why, about which event, and whether it is in force.

    ``gone`` is the ruling that has withdrawn it or taken its place, ``what`` the decision in words.
    """

    n: int
    kind: str
    what: str
    name: str
    reason: str
    about: int
    in_force: bool = True
    gone: int | None = None


class Incident(Struct, frozen=True):
    """Event `n`, and the position before it.

    ``then`` is the status of the record up to and with it, ``finding`` what a judge had against the
    event then, ``rule`` the rule that it breaks. ``disposition`` is what the whole record makes of it:
    ``refused`` events are those at which the play ends, ``corrected`` ones slips of the pen that
    were never played; of a ruling it says whether it is ``in force`` or ``withdrawn``. ``claims`` and
    ``rulings`` are all that have been made about the event, about the claims and rulings about it, and so on,
    in their order. ``legal`` lists at most 20 of what could be played instead, ``choices`` says how many
    there were, ``complete`` whether they were all, and ``cut`` whether there were more results than could be
    listed; ``owed`` is the chance that was due, ``rolled`` how likely the event's own dice or draw were,
    ``contest`` the odds of the contest that it settles or begins.
    """

    n: int
    event: dict[str, Any]
    text: str
    before: dict[str, Any]
    then: Status
    finding: Finding | None
    rule: Rule | None
    disposition: Disposition
    claims: tuple[IncidentClaim, ...]
    rulings: tuple[Decision, ...]
    legal: tuple[dict[str, Any], ...]
    choices: int
    complete: bool
    cut: bool
    owed: ChanceDue | None
    rolled: Likelihood | None
    contest: ContestOdds | None


def last(replayed: FoldedRecord) -> int:
    """Return the last event that can be shown: the one at which play fails, or the last good one."""
    fold = replayed.fold
    assert fold is not None, "a record that cannot be folded has no events"
    return fold.n + (len(replayed.readable) > fold.n)


def incident(replayed: FoldedRecord, n: int, view: View = None, language: str = "en") -> Incident:
    """Return what happened at event `n`, 1 to `last`, and what was legal as far as `view` may know.

    ``text`` and ``rule`` are in `language`, all else in English.
    """
    whole = replayed.fold
    assert whole is not None, "a record that cannot be folded has no events"
    (then,) = prefixes(whole, [min(n, whole.n)])
    now = RecordView(whole, Viewer.of(view), replayed.unfolded)
    event = replayed.readable[n - 1]
    game, before = whole.game, whole.states[n - 1]
    refused = n > whole.n
    after = _carried_out(game, before, event) if refused else whole.states[n]
    common = type(event) in COMMON or after is None or n in whole.unknown
    flagged = refused or n in whole.violations
    effects = () if common else consequences(game, before, event, after, illegal=flagged)
    findings = list(warnings(then))
    if refused:
        findings = [
            *findings,
            *(found for found in replayed.findings if found.n == n and found.severity == "error"),
        ]
    unmarked = then.n < min(n, whole.n)  # an illegal event that counts by a later ruling alone
    if unmarked and n in whole.violations:
        findings = [*findings, _stood(n, whole.violations[n])]
    finding = next((found for found in findings if found.n == n), None)
    if finding:
        finding = finding_for(whole, finding, event, view)
    names, told = seat_names(then, event), (*effects, *table_effects(whole, event))
    tongue = None if language == "en" else locale(language, game, DISPUTES)
    choices, owed = _choices(game, before, view, then.session.clock(event.t)), game.pending(before).chance
    return Incident(
        n=n,
        event=proposal(event) | {"n": event.n, "t": event.t},
        text=sentence(game, event, told, names, phrase_of(whole, event), tongue),
        before=described(game, now.position(n - 1).state),
        then="illegal" if unmarked else status_of(findings),
        finding=finding,
        rule=rulebook(game, language).get(finding.rule or "") if finding else None,
        disposition=disposition(now, n),
        claims=tuple(_claims(whole, n, tongue)),
        rulings=tuple(_rulings(whole, n)),
        legal=tuple(proposal(choice) for choice in choices.events[:LEGAL_SHOWN]),
        choices=len(choices.events),
        complete=choices.complete,
        cut=choices.cut,
        owed=owed,
        rolled=likelihood(game, before, event) if type(event) in game.chance_events else None,
        contest=None
        if type(event) in COMMON or observed(game, before, view) != before
        else contest_odds(game, before) or (None if refused else contest_odds(game, after)),
    )


def _stood(n: int, violation: Violation) -> Finding:
    return Finding.of("play.as_played", violation.message, "warning", n=n, rule=violation.rule or None)


def _choices(game: AnyGame, state: Any, view: View, clock: int) -> Legal:
    """Return what could be played in `state` at `clock` of the game's time, as far as `view` may know."""
    pending = game.pending(state)
    if pending.next_timeout and clock >= pending.next_timeout.at:
        return Legal((pending.next_timeout.event,))
    if seat := onlooker(view):
        return legal_for(game, state, seat) if pending.by else Legal(())
    return legal_in_view(game, state, view)


def disposition(now: RecordView, n: int) -> Disposition:
    """Return what has become of event `n` by the end of `now`."""
    state = now.standing(n).state
    if state == "stands":
        return "in force" if isinstance(now.whole_event(n), Ruling) else "stands"
    return "taken back" if state == "undone" else state


def _claims(fold: Fold, n: int, tongue: Locale | None) -> Iterator[IncidentClaim]:
    claims = fold.rulings.claims
    waiting = frozenset(claims.open)
    for number in fold.rulings.concerning(n):
        claim = fold.events[number - 1]
        if isinstance(claim, Claim):
            meant = None if claim.intended is None else _meant(fold, claim, claim.intended, tongue)
            yield IncidentClaim(number, claim.by, claim.text, claim.about, number in waiting, meant)


def _meant(fold: Fold, claim: Claim, intended: dict[str, Any], tongue: Locale | None) -> str:
    try:
        event = event_from(fold, {"by": claim.by, **intended}, claim.n, claim.t)
        return sentence(fold.game, event, (), fold.session.name_of, phrase_of(fold, event), tongue)
    except Exception:  # nobody has checked what stands in a claim, and a game's phrases may stumble over it
        return json.encode(intended).decode()


def _rulings(fold: Fold, n: int) -> Iterator[Decision]:
    rulings = fold.rulings
    closing = rulings.claims.closed_by(n) if n in rulings.claims.made else None
    numbers = set(rulings.concerning(n)) | ({closing} if closing else set())
    for number in sorted(numbers):
        one = rulings.made.get(number)
        if one is not None:
            what = str(with_names(decision(one), fold.session.name_of))
            yield Decision(
                number,
                one.kind,
                what,
                one.name,
                one.reason,
                one.about,
                rulings.in_force(number),
                rulings.gone(number),
            )


def _carried_out(game: AnyGame, before: Any, event: Event) -> Any:
    """Return the state after a refused event if it was carried out; None if that is impossible."""
    if type(event) in COMMON:
        return None
    try:
        return game.apply(before, event)
    except CannotApply:
        return None
