"""Corrections of slips from a device: the requested answers, applied to a rehearsal or to the record."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from gamelog.errors import Conflict, Refused
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.recording.correction import Correction
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.rendering.refusals import without_legal
from gamelog.play.visibility.viewer import WHOLE_TABLE
from gamelog_table.access.links import Grant
from gamelog_table.access.permissions import permission_refusal
from gamelog_table.events.choices import decisions, whole_step
from gamelog_table.events.request_events import check_named, default_author, event_json, roll_from
from gamelog_table.net.denied import Denied
from gamelog_table.net.responses import render_message


class CorrectionAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """One answer in a correction.

    Attributes:
        put: Event to put in.
        results: Results of a roll to put in.
        skip: Whether the next event is left out.
        go: Whether later events follow again.
    """

    put: dict[str, Any] | None = None
    results: Any = None
    skip: bool = False
    go: bool = False


class CorrectionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A requested correction.

    Attributes:
        at: Number of the wrong event, or of the event before which an event is missing.
        expect: Number of the last event that the device knows.
        steps: The answers to the corrector's questions so far.
        before: Whether an event is missing.
        shift: Whether a later event that its player cannot do any more goes to the player to move.
        write: Whether the correction is recorded; otherwise it is only shown.
        accepted: The answer with which others accepted the correction, or None if they were not asked.
    """

    at: int
    expect: int
    steps: tuple[CorrectionAnswer, ...] = ()
    before: bool = False
    shift: bool = False
    write: bool = False
    accepted: int | None = None


def apply_correction(
    recorder: EventRecorder, slip: CorrectionRequest, grant: Grant, language: str
) -> dict[str, Any]:
    """Return the preview of the correction, and record it if `slip` says so.

    Args:
        recorder: The recorder of the record, or its rehearsal for a preview.
        slip: The requested correction.
        grant: The permission of the link that asks.
        language: The language of the messages.

    Raises:
        Conflict: New events were recorded.
        Refused: An event cannot be put in.
        Denied: The link cannot record an event.
    """
    if recorder.n != slip.expect:
        raise Conflict(
            Message.of(
                "New events were recorded: the last event is now event {n}, not event "
                "{expected}. Look at the new events, then decide again.",
                n=recorder.n,
                expected=slip.expect,
            )
        )
    correction = Correction(
        recorder.file.path, slip.at, before=slip.before, accepted=slip.accepted, offers=True
    )
    correction.shifts_turns = slip.shift
    finding = _apply_answers(correction, slip, grant)
    answer = _answer(correction, finding, grant, language)
    return answer | {"written": correction.write(recorder)} if slip.write else answer


def _apply_answers(correction: Correction, slip: CorrectionRequest, grant: Grant) -> Finding | None:
    """Apply the answers, and return why the next event does not fit.

    Raises:
        Refused: An event cannot be put in.
        Denied: The link cannot record an event.
    """
    finding = None
    for step in slip.steps:
        if step.put is not None or step.results is not None:
            check_named(step.put or {})
            view = correction.rehearsal.record_view
            put = step.put and step.put | default_author(step.put, grant, view)
            reason = permission_refusal(grant, put or {}, view)
            if reason:
                raise Denied("table.role", reason)
            wrong = correction.put(put or roll_from(step.results, correction.rehearsal.view_by(WHOLE_TABLE)))
            if wrong:
                raise Refused(correction.rehearsal.explain(wrong), wrong)
        elif step.skip and correction.remaining_events:
            correction.skip()
        elif step.go:
            finding = correction.repeat_later_events()
    return finding


def _answer(correction: Correction, finding: Finding | None, grant: Grant, language: str) -> dict[str, Any]:
    """Return the corrected record so far, the possible next events, and the events that are left."""
    rehearsal = correction.rehearsal
    view = rehearsal.record_view
    return {
        "n": correction.known_count,
        "waits": correction.awaited_seats,
        "put": [event_json(view, n) for n in correction.inserted_events],
        "again": correction.repeated_count,
        "drawn": correction.redrawn_events,
        "left": [
            {
                "n": event.n,
                "text": view.sentence(event.n),
                "chance": isinstance(event, view.game.chance_events),
            }
            for event in correction.remaining_events
        ],
        "finding": finding,
        "message": render_message(without_legal(rehearsal.explain(finding)), language, view.game)
        if finding
        else "",
        "shift": bool(finding and correction.remaining_events and correction.can_shift()),
        "step": whole_step(view),
        "decisions": decisions(view, grant, rehearsal.now()),
    }
