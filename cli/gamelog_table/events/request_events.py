"""Events that a request proposes: reading, completing, judging and previewing them.

The link and the position complete the events. Reasons for a refusal contain only what the sender may know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from gamelog.chance.draws import Dice, Results, results_problem
from gamelog.errors import JSON_ERRORS, Refused
from gamelog.message import Message, reason_of
from gamelog.play.contract.game import AnyGame, ChanceDue
from gamelog.play.fold.common_events import Resign
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.recording.ruling_parts import ruling_events
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.findings import finding_in_view, hidden_reason
from gamelog.play.visibility.viewer import WHOLE_TABLE
from gamelog.record.envelope import TABLE, as_proposal, tag_of
from gamelog_table.access.links import Grant
from gamelog_table.access.permissions import permission_refusal, time_refusal
from gamelog_table.events.choices import MAX_UNDONE, undone_events
from gamelog_table.net.denied import Denied

MAX_PARTS = 10
"""Maximum number of parts of a ruling."""

NO_PREVIEW = (
    "There is no preview, because a preview could reveal hidden information. The event is "
    "judged when you record it."
)
"""The answer to a seat that asks for a preview while other players hide something."""

RESULT_FOLLOWS = "The results of this roll follow from the record. Record the roll without results."
"""The answer to a seat that gives the results of such a roll."""

_SHOWN_MS = 1000
"""The least difference of a clock that people see, in ms."""

_IMPOSSIBLE_DIGITS = 10
"""The number of digits that no face of a die has."""


def read_events(data: bytes) -> tuple[list[dict[str, Any]], int | None]:
    """Return the events in a body (one, or parts of a ruling) and the expected number.

    Raises:
        Denied: The body is not valid.
    """
    try:
        body = msgspec.json.decode(data, type=dict[str, Any])
    except JSON_ERRORS as error:
        raise Denied(
            "table.json",
            Message.of("The body of the request is not a JSON object: {=error}.", error=str(error)),
        ) from None
    expect = body.pop("expect", None)
    if expect is not None and (isinstance(expect, bool) or not isinstance(expect, int) or expect < 0):
        raise Denied("table.expect", '"expect" must be the number of the last event that you know.')
    parts = body.get("events")
    if (
        isinstance(parts, list)
        and 0 < len(parts) <= MAX_PARTS
        and all(isinstance(part, dict) for part in parts)
    ):
        return [
            _with_key(part, f"{body['id']}.{number}" if "id" in body else None)
            for number, part in enumerate(parts, 1)
        ], expect
    event = body.pop("event", None) if "do" not in body and "results" not in body else body
    if not isinstance(event, dict):
        raise Denied(
            "table.event", 'Send one event, in the form {"do": …, its members, "expect": N, "id": KEY}.'
        )
    return [_with_key(event, body.get("id"))], expect


def _with_key(event: dict[str, Any], key: Any) -> dict[str, Any]:
    """Return `event`, in place, with its `key` if it has one. Whether ``do`` is there is not checked.

    Raises:
        Denied: ``do`` is not text, or the event has ``h`` or ``n``, which the server computes.
    """
    if key is not None:
        event["id"] = key
    check_named(event)
    for name in ("h", "n"):
        if name in event:
            raise Denied(
                "table.event",
                Message.of(
                    'Leave out the member "{=name}". The server computes it when it records the event.',
                    name=name,
                ),
            )
    return event


def check_named(event: Mapping[str, Any]) -> None:
    """Raise `Denied` for an event whose ``do`` is not text."""
    if not isinstance(event.get("do", ""), str):
        raise Denied("table.event", 'The member "do" must be the name of an event, as text.')


def authorize_events(events: list[dict[str, Any]], grant: Grant, recorder: EventRecorder) -> None:
    """Complete `events` from the link and the roll that is due. A ruling about no event gets its note.

    Raises:
        Denied: The link cannot record them.
    """
    fold, view = recorder.fold, recorder.view_by(grant.viewer(recorder.record_view.header.seat_ids))
    for event in events:
        if len(events) > 1 and event.get("do") != "@ruling":
            raise Denied("table.event", "Only the parts of one ruling can be recorded together.")
        is_guess = grant.role == "seat" and event.get("results") != "known" and is_decided_roll([event], view)
        results = event.pop("results", None)
        if results is not None:
            recorded = _recorded_roll(results, event, recorder, view)
            if recorded:
                event.update(recorded)
                continue
            roll = (
                _roll_of_seat(results, recorder, view, grant)
                if grant.role == "seat"
                else roll_from(results, recorder.view_by(WHOLE_TABLE))
            )
            event.update({name: value for name, value in roll.items() if name not in event})
        event.update(default_author(event, grant, view))
        reason = permission_refusal(grant, event, view)
        if reason:
            raise Denied("table.role", reason)
        last = fold.events[-1].t if fold.events else 0
        reason = time_refusal(grant, event, last, recorder.clock(fold.header))
        if reason:
            raise Denied("table.time", reason)
        if is_guess:  # a refusal would tell about the results that are due
            raise Denied("chance.results", RESULT_FOLLOWS)
    if events and all(event.get("do") == "@ruling" for event in events) and "about" not in events[0]:
        events[:] = ruling_events(recorder, [{"reason": "", **event} for event in events])


def is_decided_roll(events: Sequence[Mapping[str, Any]], view: RecordView) -> bool:
    """Return whether one of `events` is the roll that is due, and its results follow from the record.

    While something is hidden from the viewer, all answers about such a roll are alike, so this returns False.
    """
    due = view.pending.chance
    return (
        due is not None
        and view.knows_all
        and any("results" in event or event.get("do") == due.do for event in events)
        and view.due_results() is not None
    )


def default_author(event: Mapping[str, Any], grant: Grant, view: RecordView) -> dict[str, str]:
    """Return the member ``by`` of an event without one, or nothing if the position decides on the author.

    `view` is the record as the link can know it.
    """
    if event.get("by") is not None:
        return {}
    if grant.role == "seat":
        due = view.pending.chance
        return {"by": due.by if due and due.do == event.get("do") else grant.seat}
    if grant.role == "scorer" and event.get("do") == "@amend":  # otherwise it would be the arbiter's
        return {"by": TABLE}
    return {}


def _recorded_roll(
    results: Any, event: Mapping[str, Any], recorder: EventRecorder, view: RecordView
) -> dict[str, Any] | None:
    """Return the recorded roll with the key of `event`, if it has these `results` and `view` sees it whole.

    A device sends a roll again if it got no answer.
    """
    fold, recorded = recorder.fold, recorder.event_with_key(event["id"]) if "id" in event else None
    if recorded is None or recorded.n > fold.n or not isinstance(recorded, fold.game.chance_events):
        return None
    if not view.sees_whole(recorded.n):
        return None
    if results != "known":
        before = fold.states[recorded.n - 1]
        try:
            roll = fold.game.chance(before, _results_from(fold.game.pending(before).chance, results))
        except Denied:
            return None
        if as_proposal(roll) | {"id": recorded.id} != as_proposal(recorded):
            return None
    return as_proposal(recorded)


def _roll_of_seat(results: Any, recorder: EventRecorder, view: RecordView, grant: Grant) -> dict[str, Any]:
    """Return the roll that is due if the seat can record it.

    The seat's own `view` decides whether the seat can record the roll and whether the results fit. The
    content of a bag may be hidden, so the true position can only refuse without a reason.

    Raises:
        Denied: In the seat's own view, the link cannot record the roll, or the results do not fit it.
        Refused: The results do not fit the true position.
    """
    due = view.pending.chance
    if due is None:
        raise Denied("chance.missing", "No roll is due.")
    reason = permission_refusal(grant, {"do": due.do, "by": due.by}, view)
    if reason:
        raise Denied("table.role", reason)
    if not view.game.hides:
        return roll_from(results, recorder.view_by(WHOLE_TABLE))
    if results != "known":
        _results_from(due, results)
    try:
        roll = roll_from(results, recorder.view_by(WHOLE_TABLE))
    except Exception:  # a game can fail at a state from which hidden things are left out
        roll = {}
    if roll.get("by") != due.by:
        hidden = hidden_reason(recorder.n + 1)
        raise Refused(recorder.explain(hidden), hidden)
    return roll


def roll_from(results: Any, view: RecordView) -> dict[str, Any]:
    """Return the roll that is due, with the results that a body gives.

    Args:
        results: The results, or ``known`` if they follow from the record.
        view: The record as the whole table sees it.

    Raises:
        Denied: No roll is due, or the results do not fit it.
    """
    due = view.pending.chance
    if due is None:
        raise Denied("chance.missing", "No roll is due.")
    faces = view.due_results() if results == "known" else _results_from(due, results)
    if faces is None:
        raise Denied(
            "chance.missing",
            "The results of this roll do not follow from the record. Enter the results of the roll.",
        )
    return as_proposal(view.game.chance(view.state(view.last_number), faces))


def _results_from(chance: ChanceDue | None, given: Any) -> Results:
    """Return the results that a body gives for the roll `chance`, which is due.

    A face of a die is a number, a thing in a bag is a name: ``"3"`` is the 3 of a die, and ``1`` the thing
    called "1".

    Raises:
        Denied: They do not fit the roll.
    """
    wrong: Message | None
    try:
        results: Results = msgspec.convert(given, tuple[tuple[int | str, ...], ...])
    except msgspec.ValidationError as error:
        results, wrong = (), reason_of(error)
    else:
        if chance and len(chance.draws) == len(results):
            results = tuple(
                tuple(_face(item) if isinstance(draw, Dice) else str(item) for item in result)
                for draw, result in zip(chance.draws, results, strict=True)
            )
        wrong = Message.of("no roll is due") if chance is None else results_problem(chance.draws, results)
    if wrong:
        raise Denied(
            "chance.results",
            Message.of("These results do not fit the roll that is due: {problem}.", problem=wrong),
        )
    return results


def _face(given: int | str) -> int | str:
    """Return the face of a die that is `given`, as a number if it is one."""
    is_number = (
        isinstance(given, str) and given.isascii() and given.isdecimal() and len(given) < _IMPOSSIBLE_DIGITS
    )
    return int(given) if is_number else given


def _is_for_the_game(given: Mapping[str, Any], game: AnyGame) -> bool:
    """Return whether the game decides what follows from the event proposed."""
    do = str(given.get("do"))
    return not do.startswith("@") or (do == tag_of(Resign) and game.retire is not None)


def event_json(view: RecordView, n: int) -> dict[str, Any]:
    """Return event `n` as plain data, with its effects, the phrase for it, and the English sentence."""
    what, *effects = view.facts(n)
    return {
        "event": view.event(n),
        "effects": [{"effect": fact.tag, **fact.members} for fact in effects],
        "phrase": what.tag,
        "text": view.sentence(n),
    }


def preview_effects(
    rehearsal: EventRecorder, proposals: Sequence[Mapping[str, Any]], view: RecordView
) -> dict[str, Any]:
    """Return the effects of the proposed events, as the answer to a preview.

    docs/serve.md describes the keys (`POST /would`). ``parts`` are the events with their sentences.
    ``undone`` are the earlier events that no longer count, and ``again`` those that count again. ``offered``
    are the events that the author of an offer may record instead.

    While something is hidden from the viewer, a decision in the game is only judged.

    Args:
        rehearsal: A recorder in the last position as the viewer of `view` knows it. It can only rehearse
            afterwards.
        proposals: The events, as people propose them, in their order.
        view: The record as the viewer knows it.

    Raises:
        Refused: An event cannot come next.
        Denied: The effects of the events could reveal hidden information.
    """
    if any(_is_for_the_game(proposal, view.game) for proposal in proposals) and not view.knows_all:
        for event in map(rehearsal.stamp, proposals):
            finding = (
                None if isinstance(event, Resign) else finding_in_view(rehearsal.fold, event, view.viewer)
            )
            if finding:
                raise Refused(rehearsal.explain(finding), finding, event)
        raise Denied("table.hidden", NO_PREVIEW)
    n, played = view.last_number, view.played_events()
    for proposal in proposals:
        finding = rehearsal.rehearse(proposal)
        if finding:
            shown = rehearsal.record_view.shown_finding(finding, rehearsal.stamp(proposal))
            raise Refused(rehearsal.explain(shown), shown)
    after = rehearsal.view_by(view.viewer)
    now = {m for m in after.played_events() if m <= n}
    before_times, times = view.running_times(after.t), after.running_times(after.t)
    return {
        "n": n,
        "parts": [event_json(after, m) for m in range(n + 1, after.last_number + 1)],
        "undone": [{"n": m, "text": view.sentence(m)} for m in sorted(played - now)[:MAX_UNDONE]],
        "offered": [
            proposal
            for n_offer, offer in after.offers.items()
            if n_offer > n and offer.to is not None
            for proposal in undone_events(view, offer.to)
        ],
        "again": sorted(now - played)[:MAX_UNDONE],
        "over": after.current.pending.outcome is not None,
        "disputed": sorted(
            {
                disputed
                for m in range(n + 1, after.last_number + 1)
                if (disputed := rehearsal.disputed_event_behind(m))
            }
        ),
        "goes_on": view.current.pending.outcome is not None and after.current.pending.outcome is None,
        "clocks": times if any(abs(times[of] - before_times[of]) >= _SHOWN_MS for of in times) else None,
    }
