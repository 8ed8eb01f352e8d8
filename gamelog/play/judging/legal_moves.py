"""What may be played now, as far as whoever asks may know it."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from gamelog.play.contract.choices import legal_for
from gamelog.play.fold import blame
from gamelog.play.fold.findings import Finding
from gamelog.play.fold.fold import Fold
from gamelog.play.telling.seeing import View, legal_in_view, public_view
from gamelog.record.envelope import proposal

LEGAL_SHOWN = 20
"""How many legal events a finding lists at most."""


def legal_now(fold: Fold, t: int, seat: str | None = None, view: View = None) -> tuple[dict[str, Any], ...]:
    """Return at most `LEGAL_SHOWN` events legal at `t`, as proposals: of `seat`, or of all who are to act, as
    far as `view` may know.
    """
    pending = fold.pending
    if pending.next_timeout and fold.session.clock(t) >= pending.next_timeout.at:
        return (proposal(pending.next_timeout.event),)
    if not pending.by:
        return ()
    legal = legal_for(fold.game, fold.state, seat) if seat else legal_in_view(fold.game, fold.state, view)
    return tuple(proposal(event) for event in legal.events[:LEGAL_SHOWN])


def with_legal(fold: Fold, finding: Finding, t: int, by: str | None = None) -> Finding:
    """Return `finding` with what is legal at `t`: for the seat `by`, to which it is said, or for those who
    are to act, as far as all may see it.
    """
    seat = by if by in fold.header.seat_ids else None
    try:
        view = None if seat else public_view(fold)
        return structs.replace(finding, legal=legal_now(fold, t, seat, view))
    except Exception as error:
        failed = blame.finding(error, fold.game).message
        return structs.replace(
            finding, message=f"{finding.message}; what was legal is not known, for {failed}"
        )
