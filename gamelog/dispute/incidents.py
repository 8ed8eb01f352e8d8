"""Disputed events of a record, in the order of the record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from gamelog.dispute.incident import disposition, last_incident
from gamelog.play.fold.common import Accept, Gap, Takeback
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.replay import FoldedRecord
from gamelog.play.telling.events import describe_event
from gamelog.play.telling.sentences import with_full_stop
from gamelog.play.view.record_view import RecordView

IncidentKind = Literal[
    "against the rules", "refused", "position declared", "takeback", "correction", "claim", "ruling"
]


class ListedIncident(Struct, frozen=True):
    """A disputed event: its number, its time in milliseconds, its seat, and the kind of incident.

    ``text`` describes the event, and ``rule`` is the id of the broken rule. ``about`` is the event that a
    claim or ruling is about (None: the game), or the event after which a takeback or correction continues the
    game. ``state`` is the state of the incident in words. ``open`` is True if a player still has to answer,
    or if the arbiter still has to rule.
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


def incidents(replayed: FoldedRecord) -> Iterator[ListedIncident]:
    """Yield the disputed events, first to last. The last one can be a refused event that ends the play."""
    fold = replayed.fold
    assert fold is not None, "a record that cannot be folded has no events"
    view = RecordView(fold)
    waiting = frozenset(fold.rulings.claims.open)
    accepted = frozenset(
        event.about for event in replayed.events if isinstance(event, Accept) and event.n in fold.takebacks
    )
    takebacks = {n for n, event in enumerate(replayed.events, 1) if isinstance(event, Takeback)}
    for n in sorted({*fold.violations, *fold.rulings.made, *fold.rulings.claims.made, *takebacks}):
        event = replayed.events[n - 1]
        kind, about, state, is_open = _classify(fold, view, n, waiting, accepted)
        violation = fold.violations.get(n)
        against = (
            f" {_as_sentence(str(violation.message))}" if violation and kind == "against the rules" else ""
        )
        rule = violation.rule or None if violation else None
        yield ListedIncident(
            n, event.t, event.by, kind, describe_event(fold, event) + against, rule, about, state, is_open
        )
    if last_incident(replayed) > fold.n:
        yield _refused_event(replayed, fold)


def _classify(
    fold: Fold, view: RecordView, n: int, waiting: frozenset[int], accepted: frozenset[int]
) -> tuple[IncidentKind, int | None, str, bool]:
    """Return the kind of incident at event `n`, the event it is about, its state, and whether it is open.

    `waiting` are the open claims, and `accepted` the offers that were accepted.
    """
    event, rulings = fold.events[n - 1], fold.rulings
    if n in rulings.made:
        return "ruling", rulings.made[n].about, str(rulings.state_message(n)), False
    if n in rulings.claims.made:
        return (
            "claim",
            rulings.claims.made[n],
            "no one has ruled on it" if n in waiting else "ruled on",
            n in waiting,
        )
    if isinstance(event, Takeback):
        kind: IncidentKind = "correction" if event.slip else "takeback"
        offered = n in fold.offers
        is_in_force = n in fold.takebacks or n in accepted
        return (
            kind,
            event.to,
            "in force" if is_in_force else "waiting for an answer" if offered else "not accepted",
            offered,
        )
    ruled = rulings.ruling_about(n)
    answer = f"; ruled on in event {ruled.n}" if ruled else "; no one has ruled on it"
    status = disposition(view, n)
    state = ("counts" if status == "stands" else status) + (answer if ruled or fold.is_disputed(n) else "")
    return (
        "position declared" if isinstance(event, Gap) else "against the rules",
        None,
        state,
        fold.is_disputed(n),
    )


def _refused_event(replayed: FoldedRecord, fold: Fold) -> ListedIncident:
    """Return the event that ends the play."""
    n = fold.n + 1  # the number of its line, because the number in the event may be wrong
    event = replayed.readable[fold.n]
    finding = next(
        candidate for candidate in replayed.findings if candidate.n == n and candidate.severity == "error"
    )
    text, state = _as_sentence(finding.message), "no event can follow it"
    return ListedIncident(n, event.t, event.by, "refused", text, finding.rule, None, state, True)


def _as_sentence(text: str) -> str:
    return with_full_stop(f"{text[:1].upper()}{text[1:]}")
