"""The events that each role can record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gamelog.message import Message
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import ARBITER, Header, tag_of
from gamelog_table.access.links import Grant

_SEATS_OWN = frozenset(
    ("@accept", "@decline", "@agree", "@resign", "@claim", "@withdraw", "@note", "@reveal", "@sign")
)
"""The common events that a seat records for itself."""

_ARBITERS_OWN = frozenset(
    ("@ruling", "@note", "@clock", "@amend", "@gap", "@substitute", "@accept", "@decline")
)
"""The common events that the arbiter records."""


TABLE_ROLL_REFUSAL = "Only the scorer can record dice and draws of the table."
"""The answer to a seat that records a roll or a draw of the table."""

SPECTATOR_REFUSAL = "With a spectator's link you can only watch. To record events, ask for another link."
"""The answer to a spectator that records an event or asks for choices."""

_OTHER_SEAT_REFUSAL = 'This link is for the seat "{seat}", but the event is by "{by}".'
"""The answer to a seat that records an event of another seat."""

_MAX_AHEAD_MS = 60_000
"""Maximum time in ms by which the clock of a signer's device can be ahead of the server's clock."""


def time_refusal(grant: Grant, event: Mapping[str, Any], last: int, now: int) -> Message | None:
    """Return the reason why a link cannot set the time of an event, or None.

    A signature has the time of its seal.

    Args:
        grant: The permission of the link. The scorer may set any time.
        event: The proposed event. Without a member ``t``, nothing is refused.
        last: The ``t`` of the last event, in ms since the start.
        now: The time by the server's clock, in ms since the start.
    """
    if grant.role == "scorer" or "t" not in event:
        return None
    if event.get("do") != "@sign":
        return Message.of('Only the scorer can set the time of an event. Leave out the member "t".')
    late = isinstance(event["t"], int) and event["t"] > max(now + _MAX_AHEAD_MS, last)
    return (
        Message.of(
            "The time of the seal is in the future. Set the clock of the device that signed, then sign again."
        )
        if late
        else None
    )


def permission_refusal(grant: Grant, event: Mapping[str, Any], view: RecordView) -> Message | None:
    """Return the reason why the link of `grant` cannot record `event`, or None. Rules are not checked.

    `view` is the record as the link can know it.
    """
    tag, by = str(event.get("do")), event.get("by")
    if grant.role == "spectator":
        return Message(SPECTATOR_REFUSAL)
    if grant.role == "scorer":
        if tag == "@ruling":
            return Message.of("Only the arbiter can make rulings. Use the arbiter's link.")
        return Message.of("An event by the arbiter needs the arbiter's link.") if by == ARBITER else None
    if grant.role == "arbiter":
        if tag not in _ARBITERS_OWN:
            return Message.of("The arbiter can only rule and comment. The scorer and the seats record play.")
        return (
            None
            if by in (None, ARBITER)
            else Message.of("With the arbiter's link you can send only events by the arbiter.")
        )
    return _seat_refusal(grant.seat, tag, by, event, view)


def has_scorer(header: Header) -> bool:
    """Return whether someone records for all players, as far as the header says."""
    return header.rolls != "players"


def rolling_seats(view: RecordView) -> tuple[str, ...]:
    """Return the seats whose links can record the roll or draw that is due, as far as `view` knows."""
    due = view.pending.chance
    if due is None:
        return ()
    known = view.due_results() is not None
    return tuple(seat for seat in view.header.seat_ids if _roll_refusal(seat, due.do, known, view) is None)


def _roll_refusal(seat: str, tag: str, known: bool, view: RecordView) -> Message | None:
    """Return the reason why the link of `seat` cannot record the roll or draw `tag`, or None if it can.

    A seat records its own rolls, and any seat records the table's rolls. If the results are not `known` from
    the record, the header decides whether seats record them. Only the scorer can record a roll of which a
    part is hidden from the seat.
    """
    header, due = view.header, view.pending.chance
    if not known and (header.rolls != "players" or header.dice.source != "table"):
        return Message(TABLE_ROLL_REFUSAL)
    if due is None or due.do != tag:
        return Message.of('"{=tag}" is not due now. Look at the board.', tag=tag)
    if due.by in header.seat_ids and due.by != seat:
        return Message.of('Only the seat "{seat}" or the scorer can record this roll.', seat=due.by)
    if not known and not view.is_roll_visible(seat):
        return Message.of(
            "Only the scorer can record this draw, because a part of it is hidden from your seat."
        )
    return None


def _seat_refusal(
    seat: str, tag: str, by: object, event: Mapping[str, Any], view: RecordView
) -> Message | None:
    """Return the reason why the link of `seat` cannot record the event, or None if it can."""
    if tag in {tag_of(kind) for kind in view.game.chance_events} and not event.get("as_played"):
        due, known = view.pending.chance, view.due_results() is not None
        reason, owner = _roll_refusal(seat, tag, known, view), due.by if due else None
        if reason is None and (by == owner or (by in (None, seat) and not known)):
            return None
        if not known:
            return reason or Message.of(_OTHER_SEAT_REFUSAL, seat=seat, by=by)
    if by not in (None, seat):
        return Message.of(_OTHER_SEAT_REFUSAL, seat=seat, by=by)
    if event.get("seat", seat) != seat and tag in ("@reveal", "@sign"):
        return Message.of(
            'This link is for the seat "{seat}". It cannot reveal or sign for another seat.', seat=seat
        )
    if event.get("as_played"):
        return (
            Message.of("Only the scorer can record an illegal event. Ask the scorer.")
            if has_scorer(view.header)
            else Message.of("A seat cannot record an illegal event. If it was played, dispute an event.")
        )
    if tag == "@takeback" and view.header.takebacks == "agreed":
        return None  # a slip needs the same consent, so no player can call a move a slip alone
    if tag.startswith("@") and tag not in _SEATS_OWN:
        return (
            Message.of('A seat cannot record "{=tag}". Ask the scorer or the arbiter.', tag=tag)
            if has_scorer(view.header)
            else Message.of('A seat cannot record "{=tag}". Ask the arbiter.', tag=tag)
        )
    return None
