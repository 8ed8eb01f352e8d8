"""What each role may write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import ARBITER, tag_of
from gamelog_table.links import Grant

SEATS_OWN = frozenset(("@accept", "@decline", "@agree", "@resign", "@claim", "@note", "@reveal", "@sign"))
"""The common events that a seat writes for itself."""

ARBITERS_OWN = frozenset(
    ("@ruling", "@note", "@clock", "@amend", "@gap", "@substitute", "@accept", "@decline")
)
"""The common events that are the arbiter's."""


SIGNED_AHEAD = 60_000
"""How far in ms the clock of a signer's device may be ahead of the server's."""


def untimely(grant: Grant, event: Mapping[str, Any], fold: Fold, now: int) -> str | None:
    """Why the link of `grant` may not say at which ``t`` `event` happened, in a sentence, or None. It is
    `now` by the server's clock; a signature brings the time of its seal.
    """
    if grant.role == "scorer" or "t" not in event:
        return None
    if event.get("do") != "@sign":
        return 'When something happened is for the scorer to say: leave the member "t" out.'
    last = max(now + SIGNED_AHEAD, fold.events[-1].t if fold.events else 0)
    late = isinstance(event["t"], int) and event["t"] > last
    return "The seal says a time that is still to come: set the signing device's clock." if late else None


def forbidden(grant: Grant, event: Mapping[str, Any], fold: Fold) -> str | None:
    """Why the link of `grant` may not write `event`, in a sentence, or None.
    Whether the rules allow it is not asked.
    """
    tag, by = str(event.get("do")), event.get("by")
    if grant.role == "spectator":
        return "A spectator's link reads; it writes nothing."
    if grant.role == "scorer":
        if tag == "@ruling":
            return "Rulings are the arbiter's: use the arbiter's link."
        return "What is by the arbiter needs the arbiter's link." if by == ARBITER else None
    if grant.role == "arbiter":
        if tag not in ARBITERS_OWN:
            return "The arbiter rules and comments; what is played is for the scorer or the seats to write."
        return None if by in (None, ARBITER) else "What the arbiter's link writes is by the arbiter."
    return _not_the_seats(grant.seat, tag, by, event, fold)


def _not_the_seats(seat: str, tag: str, by: object, event: Mapping[str, Any], fold: Fold) -> str | None:
    if by not in (None, seat):
        return f'This link is the seat\'s "{seat}", and the event is by "{by}".'
    if event.get("seat", seat) != seat and tag in ("@reveal", "@sign"):
        return f'This link is the seat\'s "{seat}"; it reveals and signs for no other.'
    if event.get("as_played"):
        return "What was played though it is illegal is for the scorer to write."
    if tag == "@takeback" and fold.header.takebacks == "agreed":
        return None if not event.get("slip") else "A slip of the pen is for the scorer to correct."
    if tag.startswith("@"):
        return (
            None
            if tag in SEATS_OWN
            else f'"{tag}" is not for a seat to write; ask the scorer or the arbiter.'
        )
    if tag in {tag_of(kind) for kind in fold.game.chance_events} and fold.due_results() is None:
        return "Dice and draws on the table are for the scorer to write."
    return None
