"""Disputed events of a record, in the order of the record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from gamelog.dispute.incident import disposition, last_incident
from gamelog.finding import Finding
from gamelog.message import IN_ENGLISH, Message, Renderer, with_names
from gamelog.play.contract.violation import Violation
from gamelog.play.fold.common_events import Accept, Gap, Takeback
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.rendering.sentences import with_full_stop
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.findings import LEFT_OUT
from gamelog.play.visibility.viewer import WHOLE_TABLE, running_viewer

IncidentKind = Literal[
    "against the rules", "refused", "position declared", "takeback", "correction", "claim", "ruling"
]


class ListedIncident(Struct, frozen=True):
    """A disputed event: its number, its time in milliseconds, its seat, and the kind of incident.

    Attributes:
        text: Description of the event.
        rule: Id of the broken rule.
        about: Event that a claim or ruling is about (None: the game), or the event after which a takeback or
            correction continues the game.
        state: State of the incident in words.
        open: Whether a player still has to answer, or the arbiter still has to rule.
    """

    n: int
    t: int
    by: str
    kind: IncidentKind
    text: str
    rule: str | None
    about: int | None
    state: str
    open: bool


def incidents(
    folded: FoldedRecord, renderer: Renderer = IN_ENGLISH, *, reveal: bool = True
) -> Iterator[ListedIncident]:
    """Yield the disputed events, first to last. The last one can be a refused event that ends the play.

    `renderer` makes the texts and states. Without `reveal`, the texts about an unfinished game leave out what
    not all players know.
    """
    fold = folded.fold
    assert fold is not None, "a record that cannot be folded has no events"
    viewer = WHOLE_TABLE if reveal else running_viewer(fold)
    view = RecordView(fold, viewer, folded.unfolded_events)
    locale = None if renderer.locale.language == "en" else renderer.locale
    waiting = frozenset(fold.rulings.claims.open_numbers)
    accepted = frozenset(
        event.about for event in folded.events if isinstance(event, Accept) and event.n in fold.takebacks
    )
    takebacks = {n for n, event in enumerate(folded.events, 1) if isinstance(event, Takeback)}
    for n in sorted({*fold.violations, *fold.rulings.by_number, *fold.rulings.claims.subjects, *takebacks}):
        event = folded.events[n - 1]
        kind, about, state, is_open = _classify(fold, view, n, waiting, accepted)
        violation = fold.violations.get(n)
        text, rule = view.sentence(n, locale=locale), None
        if violation:
            reason, rule = _visible_reason(view, n, violation)
            if reason and kind == "against the rules":
                text += f" {_as_sentence(renderer.text(reason))}"
        yield ListedIncident(n, event.t, event.by, kind, text, rule, about, renderer.text(state), is_open)
    if last_incident(folded) > fold.n:
        yield _refused_event(folded, view, renderer)


def _visible_reason(view: RecordView, n: int, violation: Violation) -> tuple[Message | None, str | None]:
    """Return why event `n` is illegal and the rule, as far as the viewer may know them."""
    rule = violation.rule or None
    problem = with_names(violation.message, view.names_at(n))
    shown = view.shown_finding(Finding.of("play.as_played", problem, n=n, rule=rule))
    return (shown.message if shown.text != LEFT_OUT else None), shown.rule


def _classify(
    fold: Fold, view: RecordView, n: int, waiting: frozenset[int], accepted: frozenset[int]
) -> tuple[IncidentKind, int | None, Message, bool]:
    """Return the kind of incident at event `n`, the event it is about, its state, and whether it is open.

    `waiting` are the open claims, and `accepted` the offers that were accepted.
    """
    event, rulings = fold.events[n - 1], fold.rulings
    if n in rulings.by_number:
        return "ruling", rulings.by_number[n].about, rulings.state_message(n), False
    if n in rulings.claims.subjects:
        return "claim", rulings.claims.subjects[n], _claim_status(fold, n, waiting), n in waiting
    if isinstance(event, Takeback):
        kind: IncidentKind = "correction" if event.slip else "takeback"
        offered = n in fold.offers
        if n in fold.takebacks or n in accepted:
            return kind, event.to, Message.of("in force"), offered
        return (
            kind,
            event.to,
            Message.of("waiting for an answer") if offered else Message.of("not accepted"),
            offered,
        )
    kind = "position declared" if isinstance(event, Gap) else "against the rules"
    status, ruled = _status(view, n), rulings.ruling_about(n)
    if ruled:
        status = Message.of("{status}; ruled on in event {n}", status=status, n=ruled.n)
    elif fold.is_disputed(n):
        status = Message.of("{status}; no one has ruled on it", status=status)
    return kind, None, status, fold.is_disputed(n)


def _claim_status(fold: Fold, n: int, waiting: frozenset[int]) -> Message:
    """Return the status of claim `n`: no ruling yet, a ruling, or withdrawn."""
    if (withdrawal := fold.rulings.claims.withdrawals.get(n)) is not None:
        return Message.of("withdrawn in event {n}", n=withdrawal)
    return Message.of("no one has ruled on it") if n in waiting else Message.of("ruled on")


def _status(view: RecordView, n: int) -> Message:
    """Return the status of event `n`: it counts, was taken back, or was replaced by another event."""
    now = view.event_status(n).replaced_by
    match disposition(view, n):
        case "stands":
            return Message.of("counts")
        case "corrected" if now:
            return Message.of("corrected: event {n} replaces it", n=now)
        case "corrected":
            return Message.of("corrected")
    return Message.of("taken back")


def _refused_event(folded: FoldedRecord, view: RecordView, renderer: Renderer) -> ListedIncident:
    """Return the event that ends the play."""
    n = view.last_played + 1  # the number of its line, because the number in the event may be wrong
    event = folded.readable_events[n - 1]
    finding = view.shown_finding(
        next(candidate for candidate in folded.findings if candidate.n == n and candidate.severity == "error")
    )
    text = _as_sentence(renderer.text(finding.message))
    state = renderer.text(Message.of("no event can follow it"))
    return ListedIncident(n, event.t, event.by, "refused", text, finding.rule, None, state, True)


def _as_sentence(text: str) -> str:
    return with_full_stop(f"{text[:1].upper()}{text[1:]}")
