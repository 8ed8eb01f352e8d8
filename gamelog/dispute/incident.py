"""One event for a referee: the event, the legal alternatives, the claims and the rulings.

*At that time* means according to the first n events: their names, points and findings. *As finally ruled*
means at the end of the whole record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

from msgspec import Struct, field, json

from gamelog.dispute import MESSAGE_PACKAGE
from gamelog.dispute.chances import ContestOdds, Likelihood, contest_odds, likelihood
from gamelog.errors import CannotApply
from gamelog.finding import Finding
from gamelog.message import Locale, with_names
from gamelog.play.contract.declare import describe_state
from gamelog.play.contract.game import AnyGame, ChanceDue, Legal, Pending
from gamelog.play.contract.locales import load_locale
from gamelog.play.contract.rulebook import Rule, rulebook
from gamelog.play.contract.seats import legal_for
from gamelog.play.contract.violation import Violation
from gamelog.play.fold.common_events import COMMON, Claim, Ruling
from gamelog.play.fold.finding_codes import Status, status_of
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.ruling_messages import ruling_decision
from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.judging.prefixes import prefixes
from gamelog.play.judging.proposals import event_from
from gamelog.play.judging.warnings import warnings
from gamelog.play.rendering.events import consequences
from gamelog.play.rendering.sentences import sentence
from gamelog.play.rendering.session_effects import phrase_of, session_effects_of
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.findings import MAX_LISTED_LEGAL, finding_for
from gamelog.play.visibility.viewer import WHOLE_TABLE, Viewer, legal_in_view, pending_for
from gamelog.record.envelope import Event, as_proposal

Disposition = Literal["stands", "taken back", "corrected", "refused", "in force", "withdrawn"]


class IncidentClaim(Struct, frozen=True):
    """A claim.

    Attributes:
        n: Number of the claim.
        by: Seat that made the claim.
        text: Words of the claim.
        about: Number of the event that the claim is about.
        is_open: Whether the claim still waits for an answer.
        withdrawn_by: Number of the event with which the player has withdrawn the claim.
        intended_text: Intended event as a sentence, or as plain data if it is not a valid event or
            the viewer sees only some of its members.
    """

    n: int
    by: str
    text: str
    about: int | None
    is_open: bool = field(name="open")
    intended_text: str | None = field(name="meant", default=None)
    withdrawn_by: int | None = field(name="withdrawn", default=None)


class IncidentRuling(Struct, frozen=True):
    """A ruling.

    Attributes:
        n: Number of the ruling.
        kind: Kind of the ruling, for example ``takeback``.
        decision: Decision as a sentence in English.
        name: Name of the arbiter.
        reason: Reason for the decision.
        about: Number of the event that the ruling is about.
        in_force: Whether no other ruling has withdrawn or replaced it.
        ended_by: Number of the ruling that has done so.
    """

    n: int
    kind: str
    decision: str = field(name="what")
    name: str
    reason: str
    about: int
    in_force: bool = True
    ended_by: int | None = field(name="gone", default=None)


class Incident(Struct, frozen=True):
    """An event, and the position before it.

    All members follow from what the viewer may know. For the odds of a draw, things hidden from the viewer
    count as things in the bag.

    Attributes:
        before: Position before the event, in the words of the game.
        status_then: Status of the record up to this event.
        finding: Problem with the event at that time.
        rule: Broken rule.
        disposition: Status of the event in the whole record. Play ends before a ``refused`` event, and a
            ``corrected`` event was a slip. A ruling is ``in force`` or ``withdrawn``, and a claim can be
            ``withdrawn``.
        replaced_by: Number of the event that replaces a corrected event.
        claims: Claims about the event, or about other claims and rulings on it, in order.
        rulings: Rulings about the event, or about claims and other rulings on it, in order.
        legal: At most 20 legal events.
        legal_count: Total number of legal events.
        is_complete: Whether the total number includes all legal events.
        is_cut: Whether the game has more legal events than it can list.
        chance_due: Chance that was due.
        likelihood: Likelihood of the event's dice or draw.
        contest: Odds of the contest that the event settles or begins; None while something is hidden.
    """

    n: int
    event: dict[str, Any]
    text: str
    before: dict[str, Any]
    status_then: Status = field(name="then")
    finding: Finding | None
    rule: Rule | None
    disposition: Disposition
    replaced_by: int | None = field(name="now")
    claims: tuple[IncidentClaim, ...]
    rulings: tuple[IncidentRuling, ...]
    legal: tuple[dict[str, Any], ...]
    legal_count: int = field(name="choices")
    is_complete: bool = field(name="complete")
    is_cut: bool = field(name="cut")
    chance_due: ChanceDue | None = field(name="owed")
    likelihood: Likelihood | None = field(name="rolled")
    contest: ContestOdds | None


def last_incident(folded: FoldedRecord) -> int:
    """Return the last event that can be shown: the event that ends the play, or the last good event."""
    fold = folded.fold
    assert fold is not None, "a record that cannot be folded has no events"
    return fold.n + (len(folded.readable_events) > fold.n)


def incident(folded: FoldedRecord, n: int, viewer: Viewer = WHOLE_TABLE, language: str = "en") -> Incident:
    """Return the incident at event `n`.

    Args:
        folded: The folded record. It must have a fold.
        n: The number of the event, from 1 to `last_incident`. The event that was refused last is allowed.
        viewer: The viewer for whom it is shown, legal events included.
        language: The language of ``text`` and ``rule``. All other texts are in English.
    """
    fold = folded.fold
    assert fold is not None, "a record that cannot be folded has no events"
    (fold_then,) = prefixes(fold, [min(n, fold.n)])
    present = RecordView(fold, viewer, folded.unfolded_events)
    event = folded.readable_events[n - 1]
    game, before, refused = fold.game, fold.states[n - 1], n > fold.n
    visible_state, hidden = present.state(n - 1), present.hides_at(n - 1)
    due = pending_for(game, before, game.pending(before), visible_state)
    after = _state_after_refused(game, before, event) if refused else fold.states[n]
    common = type(event) in COMMON or after is None or n in fold.unknown_effects
    flagged = refused or n in fold.violations
    unshown = common or (refused and hidden)  # the rules do not say what of an illegal event may be known
    effects = () if unshown else consequences(game, before, event, after, illegal=flagged)
    findings = list(warnings(fold_then))
    if refused:
        findings = [
            *findings,
            *(
                candidate
                for candidate in folded.findings
                if candidate.n == n and candidate.severity == "error"
            ),
        ]
    unmarked = fold_then.n < min(n, fold.n)  # an illegal event that counts by a later ruling alone
    if unmarked and n in fold.violations:
        findings = [*findings, _as_played(n, fold.violations[n])]
    finding = next((candidate for candidate in findings if candidate.n == n), None)
    if finding:
        finding = finding_for(fold, finding, event, viewer)
    names, shown = present.names_at(n), (*effects, *session_effects_of(fold, event))
    locale = None if language == "en" else load_locale(language, game, MESSAGE_PACKAGE)
    choices = _choices(game, before, due, viewer, fold_then.session.clock(event.t))
    return Incident(
        n=n,
        event=as_proposal(event) | {"n": event.n, "t": event.t},
        text=sentence(game, event, shown, names, phrase_of(fold, event), locale),
        before=describe_state(game, visible_state),
        status_then="illegal" if unmarked else status_of(findings),
        finding=finding,
        rule=rulebook(game, language).get(finding.rule or "") if finding else None,
        disposition=disposition(present, n),
        replaced_by=present.event_status(n).replaced_by or None,
        claims=tuple(_claims(fold, n, present, locale)),
        rulings=tuple(_rulings(fold, n, present)),
        legal=tuple(as_proposal(choice) for choice in choices.events[:MAX_LISTED_LEGAL]),
        legal_count=len(choices.events),
        is_complete=choices.complete,
        is_cut=choices.cut,
        chance_due=due.chance,
        likelihood=_likelihood(game, before, visible_state, event)
        if type(event) in game.chance_events
        else None,
        contest=None
        if type(event) in COMMON or hidden or present.hides_at(n)
        else contest_odds(game, before) or (None if refused else contest_odds(game, after)),
    )


def _as_played(n: int, violation: Violation) -> Finding:
    return Finding.of("play.as_played", violation.message, "warning", n=n, rule=violation.rule or None)


def _likelihood(game: AnyGame, before: Any, seen: Any, event: Event) -> Likelihood | None:
    """Return the likelihood of the results in `event` by `seen`, the visible part of the state `before`."""
    try:
        return likelihood(game, seen, event)
    except Exception:  # a game can fail at a state in which something is hidden
        if seen is before:
            raise
        return None


def _choices(game: AnyGame, state: Any, pending: Pending, viewer: Viewer, clock: int) -> Legal:
    """Return the legal events in `state` at the time `clock` of the game that `viewer` may know.

    `pending` has the next possible events as far as `viewer` may know them.
    """
    if pending.next_timeout and clock >= pending.next_timeout.at:
        return Legal((pending.next_timeout.event,))
    if seat := viewer.seat:
        return legal_for(game, state, seat) if pending.by else Legal(())
    return legal_in_view(game, state, viewer)


def disposition(view: RecordView, n: int) -> Disposition:
    """Return the status of event `n` at the end of `view`."""
    state = view.event_status(n).state
    if state == "stands":
        return "in force" if isinstance(view.whole_event(n), Ruling) else "stands"
    return "taken back" if state == "undone" else state


def _claims(fold: Fold, n: int, view: RecordView, locale: Locale | None) -> Iterator[IncidentClaim]:
    """Yield the claims about event `n`, with the intended events as far as the viewer of `view` sees them."""
    claims = fold.rulings.claims
    waiting = frozenset(claims.open_numbers)
    for number in fold.rulings.claims_and_rulings_about(n):
        claim = fold.events[number - 1]
        if isinstance(claim, Claim):
            text: str | None = None
            if claim.intended is not None and view.sees_whole(number):
                text = _intended_text(fold, claim, claim.intended, view.names_at(number), locale)
            elif shown := view.event(number).get("intended"):
                text = json.encode(shown).decode()
            withdrawn = claims.withdrawals.get(number)
            yield IncidentClaim(number, claim.by, claim.text, claim.about, number in waiting, text, withdrawn)


def _intended_text(
    fold: Fold,
    claim: Claim,
    intended: dict[str, Any],
    name_of: Callable[[str], str],
    locale: Locale | None,
) -> str:
    try:
        event = event_from(fold, {"by": claim.by, **intended}, claim.n, claim.t)
        return sentence(fold.game, event, (), name_of, phrase_of(fold, event), locale)
    except Exception:  # the event in a claim is not checked, so a template of the game may fail
        return json.encode(intended).decode()


def _rulings(fold: Fold, n: int, view: RecordView) -> Iterator[IncidentRuling]:
    """Yield the rulings on event `n`, in order. For a claim, they include the ruling that closed it."""
    rulings = fold.rulings
    closing = rulings.claims.closed_by(n) if n in rulings.claims.subjects else None
    numbers = set(rulings.claims_and_rulings_about(n)) | ({closing} if closing else set())
    for number in sorted(numbers):
        ruling = rulings.by_number.get(number)
        if ruling is not None:
            decision = str(with_names(ruling_decision(ruling), view.names_at(number)))
            yield IncidentRuling(
                number,
                ruling.kind,
                decision,
                ruling.name,
                ruling.reason,
                ruling.about,
                rulings.is_in_force(number),
                rulings.ended_by(number),
            )


def _state_after_refused(game: AnyGame, before: Any, event: Event) -> Any:
    """Return the state after applying a refused event, or None if that is impossible."""
    if type(event) in COMMON:
        return None
    try:
        return game.apply(before, event)
    except CannotApply:
        return None
