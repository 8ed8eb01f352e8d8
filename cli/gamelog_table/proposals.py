"""What a request proposes to write: events out of its body, completed with what follows from its link and
the position.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from gamelog.errors import NO_JSON
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import TABLE
from gamelog_table.answers import Denied
from gamelog_table.links import Grant
from gamelog_table.permissions import forbidden, untimely
from gamelog_table.views import results_known, rolled

MOST_PARTS = 10
"""Parts of a ruling."""


def read_events(data: bytes) -> tuple[list[dict[str, Any]], int | None]:
    """The events in a body, one or the parts of a ruling, with their key, and the number that is expected.
    Raises `Denied`.
    """
    try:
        body = msgspec.json.decode(data, type=dict[str, Any])
    except NO_JSON as error:
        raise Denied(400, "table.json", f"The body is not a JSON object: {error}.") from None
    expect = body.pop("expect", None)
    if expect is not None and (isinstance(expect, bool) or not isinstance(expect, int) or expect < 0):
        raise Denied(400, "table.expect", '"expect" has to be the number of the last event that you know of.')
    parts = body.get("events")
    if (
        isinstance(parts, list)
        and 0 < len(parts) <= MOST_PARTS
        and all(isinstance(one, dict) for one in parts)
    ):
        return [
            _plain(one, f"{body['id']}.{at}" if "id" in body else None) for at, one in enumerate(parts, 1)
        ], expect
    event = body.pop("event", None) if "do" not in body and "results" not in body else body
    if not isinstance(event, dict):
        raise Denied(400, "table.event", 'Send one event: {"do": …, its members, "expect": N, "id": KEY}.')
    return [_plain(event, body.get("id"))], expect


def _plain(event: dict[str, Any], key: Any) -> dict[str, Any]:
    if key is not None:
        event["id"] = key
    check_named(event)
    for name in ("h", "n"):
        if name in event:
            raise Denied(
                400,
                "table.event",
                f'Leave the member "{name}" out: it is computed when the event is written.',
            )
    return event


def check_named(event: Mapping[str, Any]) -> None:
    """Raise `Denied` for an event whose ``do`` is not text."""
    if not isinstance(event.get("do", ""), str):
        raise Denied(400, "table.event", 'The member "do" has to be the name of an event, as text.')


def admit(events: list[dict[str, Any]], grant: Grant, recorder: EventRecorder) -> None:
    """Complete `events` with what follows from the link and what is due.
    Raises `Denied` where the link may not write them.
    """
    for event in events:
        if len(events) > 1 and event.get("do") != "@ruling":
            raise Denied(400, "table.event", "Only the parts of one ruling are written together.")
        results = event.pop("results", None)
        if results is not None:
            made = rolled_from(results, recorder.fold)
            event.update({name: value for name, value in made.items() if name not in event})
        if grant.role == "seat":
            event.setdefault("by", grant.seat)
        elif grant.role == "scorer" and event.get("do") == "@amend":  # else it would be the arbiter's
            event.setdefault("by", TABLE)
        reason = forbidden(grant, event, recorder.fold)
        if reason:
            raise Denied(403, "table.role", reason)
        reason = untimely(grant, event, recorder.fold, recorder.clock(recorder.fold.header))
        if reason:
            raise Denied(403, "table.time", reason)


def rolled_from(results: Any, fold: Fold) -> dict[str, Any]:
    """The roll that is due, with the results that a body says. Raises `Denied`."""
    if fold.pending.chance is None:
        raise Denied(422, "chance.missing", "No roll is due.")
    if results == "known":
        made = results_known(fold)
        if made is None:
            raise Denied(
                422,
                "chance.missing",
                "The results of this roll do not follow from the record; type what was thrown.",
            )
        return made
    try:
        return rolled(fold, msgspec.convert(results, tuple[tuple[int | str, ...], ...]))
    except ValueError as error:  # of msgspec, too
        raise Denied(422, "chance.results", f"That is not what is due: {error}.") from None
