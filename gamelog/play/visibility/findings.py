"""Findings as far as a viewer may know them, and the legal events that they list."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold import game_errors
from gamelog.play.fold.fold import Fold
from gamelog.play.visibility.events import visible_in_fold
from gamelog.play.visibility.viewer import WHOLE_TABLE, Viewer, legal_in_view, observe_as, public_viewer
from gamelog.record.envelope import Event, as_proposal

LEFT_OUT = "…"
"""The text shown instead of words that are hidden or removed."""

_QUOTING_CODES = frozenset(("play.unknown_event", "record.damaged", "record.json", "record.members"))
"""Codes of findings about lines that cannot be read. Their messages quote the line or its digest."""

MAX_LISTED_LEGAL = 20
"""Largest number of legal events that a finding lists."""

_DICE_CODES = frozenset(("chance.seed", "chance.reveals"))
"""Codes of results that do not follow from the dice. Their messages quote the results that are due."""


def finding_for(fold: Fold, finding: Finding, event: Event | None, viewer: Viewer) -> Finding:
    """Return `finding` as far as `viewer` may know it, without the legal events of others.

    A reason or rule can reveal hidden information of the player who acted. The viewer gets both only if
    nothing about the event is hidden from the viewer. The same holds for a line that cannot be read. The
    offset depends on the length of hidden members, so only the whole table gets it.

    Args:
        fold: The fold of the record.
        finding: The finding.
        event: The event that it is about, or None if its line cannot be read.
        viewer: The viewer. For the whole table, the finding stays as it is.
    """
    if not viewer.seats:
        return finding
    if event is None:
        is_visible = not (fold.game.hides and finding.code in _QUOTING_CODES)
    else:
        before = fold.states[min(event.n - 1, fold.n)]
        knows_position = viewer.seat == event.by or bool(observe_as(fold.game, before, viewer) == before)
        is_visible = knows_position and visible_in_fold(fold, event, viewer) is event
    return structs.replace(finding, legal=(), offset=None) if is_visible else without_reason(finding)


def without_reason(finding: Finding) -> Finding:
    """Return `finding` with only its code, its severity and its event."""
    return structs.replace(finding.with_message(Message(LEFT_OUT)), rule=None, legal=(), offset=None)


def mask_quotation(finding: Finding) -> Finding:
    """Return `finding`, about a record of an unknown game, without quotations of its events or an offset."""
    if finding.n is None:
        return finding
    return (
        without_reason(finding) if finding.code in _QUOTING_CODES else structs.replace(finding, offset=None)
    )


def legal_events(
    fold: Fold, t: int, seat: str | None = None, viewer: Viewer = WHOLE_TABLE
) -> tuple[dict[str, Any], ...]:
    """Return at most `MAX_LISTED_LEGAL` events that are legal at `t`, as proposals.

    Args:
        fold: The fold of the record.
        t: The time, in ms since the start. If the game's clock has run out by then, the only event is the
            timeout.
        seat: The seat whose events are listed, or None for all players who are to act.
        viewer: Without a seat, the viewer for whom they are listed.
    """
    pending = fold.pending
    if pending.next_timeout and fold.session.clock(t) >= pending.next_timeout.at:
        return (as_proposal(pending.next_timeout.event),)
    if not pending.by:
        return ()
    legal = legal_for(fold.game, fold.state, seat) if seat else legal_in_view(fold.game, fold.state, viewer)
    return tuple(as_proposal(event) for event in legal.events[:MAX_LISTED_LEGAL])


def with_legal(fold: Fold, finding: Finding, t: int, by: str | None = None) -> Finding:
    """Return `finding` with the events that are legal at `t`.

    Args:
        fold: The fold up to the event before.
        finding: The finding on the refused event.
        t: The time, in ms since the start.
        by: The author of the refused event, who reads the finding. If it is not a seat, the legal events are
            of all players who are to act, as far as everyone may know them.
    """
    seat = by if by in fold.header.seat_ids else None
    try:
        viewer = WHOLE_TABLE if seat else public_viewer(fold)
        return structs.replace(finding, legal=legal_events(fold, t, seat, viewer))
    except Exception as error:
        failure = game_errors.failure_finding(error, fold.game, audience=fold.audience).message
        return finding.with_message(
            Message.of(
                "{problem}; the legal events are unknown because {failure}",
                problem=finding.message,
                failure=failure,
            )
        )


def finding_in_view(fold: Fold, event: Event, viewer: Viewer) -> Finding | None:
    """Return the finding that says why `event` cannot come next, as `viewer` may know it, or None.

    The last state of `fold` has only what `viewer` knows. If the game's rules fail at it, the answer is None.
    The answer is also None for results that do not follow from the dice, because `viewer` may not know the
    bag from which they are drawn.
    """
    try:
        finding = fold.judge(event)
    except Exception:  # a game's rules may fail on what is hidden
        return None
    if finding is None or finding.code in _DICE_CODES:
        return None
    if finding.code == "play.illegal":
        finding = with_legal(fold, finding, event.t, event.by)
    return proposal_finding(fold, finding, event, viewer)


def proposal_finding(fold: Fold, finding: Finding, proposed: Event, viewer: Viewer) -> Finding:
    """Return `finding` as far as `viewer` may know it.

    The legal events are of the player who proposed the event, so they stay in the finding.

    Args:
        fold: The fold of the record, without the event.
        finding: The finding on the proposed event.
        proposed: The event.
        viewer: The viewer.
    """
    shown = finding_for(fold, finding, proposed, viewer)
    return finding if shown.text == finding.text else hidden_reason(finding.n)


def hidden_reason(n: int | None) -> Finding:
    """Return the finding that the proposed event `n` is refused for a reason that its viewer cannot know.

    It is the same for all reasons, so that its code reveals none of them.
    """
    return Finding.of("play.hidden", Message(LEFT_OUT), n=n)
