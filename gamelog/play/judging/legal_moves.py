"""What may be played now, as far as whoever asks may know it."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from gamelog.play.contract.choices import legal_for
from gamelog.play.fold import blame
from gamelog.play.fold.findings import Finding
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import proposal

LEGAL_SHOWN = 20
"""How many legal events a finding lists at most."""


def legal_now(fold: Fold, t: int, seat: str | None = None) -> tuple[dict[str, Any], ...]:
    """At most `LEGAL_SHOWN` events legal at `t`, as proposals, as far as `seat` may know."""
    pending = fold.pending
    if pending.next_timeout and fold.session.clock(t) >= pending.next_timeout.at:
        return (proposal(pending.next_timeout.event),)
    if not pending.by:
        return ()
    return tuple(proposal(event) for event in legal_for(fold.game, fold.state, seat).events[:LEGAL_SHOWN])


def with_legal(fold: Fold, finding: Finding, t: int, by: str | None = None) -> Finding:
    """`finding` with what is legal at `t`: for the seat `by`, to which it is said, or for whoever acts."""
    seat = by if by in fold.header.seat_ids else None
    try:
        return structs.replace(finding, legal=legal_now(fold, t, seat))
    except Exception as error:
        failed = blame.finding(error, fold.game).message
        return structs.replace(
            finding, message=f"{finding.message}; what was legal is not known, for {failed}"
        )
