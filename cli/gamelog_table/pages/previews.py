"""Previews of events before they are recorded, and corrections of slips."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gamelog.errors import NO_JSON, Conflict, Refused
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.recording.correction import Correction
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.telling.refusals import without_legal
from gamelog.play.view.record_view import RecordView
from gamelog.record.reading import parse_record
from gamelog_table.access.links import Grant
from gamelog_table.access.permissions import permission_refusal
from gamelog_table.api import Api, LinkedRequest
from gamelog_table.events.choices import decisions, next_position, whole_step
from gamelog_table.events.request_events import (
    admit,
    check_named,
    default_author,
    event_json,
    is_decided_roll,
    preview_effects,
    read_events,
    roll_from,
)
from gamelog_table.net.denied import Denied
from gamelog_table.net.rate_limits import body_of
from gamelog_table.net.responses import answer_json, language_of, render_message
from gamelog_table.record.earlier_positions import EarlierEvents

MAX_STEPS = 500
"""Maximum number of answers of a correction."""


class FixStep(Struct, frozen=True, forbid_unknown_fields=True):
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


class Slip(Struct, frozen=True, forbid_unknown_fields=True):
    """A requested correction.

    Attributes:
        at: Number of the wrong event, or of the event before which an event is missing.
        expect: Number of the last event that the device knows.
        before: Whether an event is missing.
        shift: Whether a later event that its player cannot do any more goes to the player to move.
        write: Whether the correction is recorded; otherwise it is only shown.
        accepted: The answer with which others accepted the correction, or None if they were not asked.
    """

    at: int
    expect: int
    steps: tuple[FixStep, ...] = ()
    before: bool = False
    shift: bool = False
    write: bool = False
    accepted: int | None = None


class Previews:
    """Handlers of the confirmation requests."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def routes(self) -> list[Route]:
        """Return the routes of the handlers."""
        path = "/api/records/{name:path}"
        return [
            Route(f"{path}/would", self.preview, methods=["POST"]),
            Route(f"{path}/fix", self.fix, methods=["POST"]),
            Route(f"{path}/record", self.record, methods=["GET"]),
        ]

    async def preview(self, request: Request) -> Response:
        """Answer with the effects of events, and with the position after them if the query has ``next``.

        A seat gets no preview of a roll that follows from a seed, because it could then take back the
        decision before the roll.

        Raises:
            GamelogError: The events cannot be recorded.
        """
        asked = await self._writer(request)
        events, _ = read_events(await body_of(request))

        looks_ahead = "next" in request.query_params

        def preview(view: RecordView) -> dict[str, Any]:
            is_decided = not asked.grant.sees_all and is_decided_roll(events, view)
            if looks_ahead and (is_decided or not view.knows_all):
                return {"next": None}  # not a refusal, because every selected event asks for this
            if is_decided:
                raise Denied("table.hidden", "There is no preview of a roll that follows from the record.")
            rehearsal = asked.record.rehearsal(view)
            admit(events, asked.grant, rehearsal)
            answer = preview_effects(rehearsal, events, view)
            if looks_ahead:
                after = rehearsal.view_by(view.viewer)
                answer["next"] = next_position(after, view.last, asked.grant, asked.record.now(view))
            return answer

        return answer_json(await asked.ask(preview))

    async def fix(self, request: Request) -> Response:
        """Answer with the state of a correction: possible events, events that still fit, events that do not.

        If ``write`` is set, the correction is recorded.

        Raises:
            Denied: The link is not a scorer's, or the body is not a correction or has too many answers.
        """
        asked = await self._writer(request)
        if asked.grant.role != "scorer":
            raise Denied(
                "table.role", "Only the scorer can correct an event and record the later events again."
            )
        try:
            slip = msgspec.json.decode(await body_of(request), type=Slip)
        except NO_JSON as error:
            raise Denied(
                "table.json",
                Message.of("The body of the request is not a correction: {=error}.", error=str(error)),
            ) from None
        if len(slip.steps) > MAX_STEPS:
            raise Denied(
                "table.too_long", Message.of("A correction can have at most {n} answers.", n=MAX_STEPS)
            )

        def apply_correction(recorder: EventRecorder) -> dict[str, Any]:
            """Return the preview of the correction, and record it if the request says so.

            Raises:
                Conflict: New events were recorded.
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
            correction.shifts = slip.shift
            finding = _apply_answers(correction, slip, asked.grant)
            answer = _answer(correction, finding, asked)
            return answer | {"written": correction.write(recorder)} if slip.write else answer

        if slip.write:
            return answer_json(await asked.record.change(apply_correction, asked.grant), 201)
        return answer_json(await asked.ask(lambda view: apply_correction(asked.record.rehearsal(view))))

    async def record(self, request: Request) -> Response:
        """Answer with the record's file, for links to which the record hides nothing.

        Spectators with a delay get the lines that they may know.
        """
        asked = await self._api.linked_request(request)
        whole = asked.grant.sees_all

        def saved(known: EarlierEvents) -> bytes:
            """Return the lines that the link may save.

            Raises:
                Denied: The game is running, the record hides information from the link, or the file has
                    another record.
            """
            view = known.view()
            if not whole and view.current.pending.outcome is None:
                raise Denied(
                    "table.role",
                    "While the game is running, only the scorer and the arbiter can save the record.",
                )
            if not view.hides_nothing:
                raise Denied(
                    "table.hidden",
                    "This record contains information that was hidden from you, so only the scorer and the "
                    "arbiter can save it. Ask the scorer for the file.",
                )
            if not whole and view.header.dice.seed is not None and not view.is_declared:
                raise Denied(
                    "table.hidden",
                    "The file contains the seed of the dice, and the game could still go on. You can save it "
                    "when the scorer has recorded the result.",
                )
            data = asked.record.path.read_bytes()
            known.check_record(parse_record(data[: data.find(b"\n") + 1]))
            if not whole:  # events can have been added since
                data = b"".join(data.splitlines(keepends=True)[: view.last + 1])
            return data

        data = await asked.record.ask_apart(saved, asked.grant, asked.delay)
        return Response(data, media_type="application/jsonl")

    async def _writer(self, request: Request) -> LinkedRequest:
        asked = await self._api.linked_request(request)
        self._api.check_writer(asked)
        return asked


def _apply_answers(correction: Correction, slip: Slip, grant: Grant) -> Finding | None:
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
            wrong = correction.put(put or roll_from(step.results, correction.rehearsal.fold))
            if wrong:
                raise Refused(correction.rehearsal.explain(wrong), wrong)
        elif step.skip and correction.remaining:
            correction.skip()
        elif step.go:
            finding = correction.repeat_later_events()
    return finding


def _answer(correction: Correction, finding: Finding | None, asked: LinkedRequest) -> dict[str, Any]:
    """Return the corrected record so far, the possible next events, and the events that are left."""
    rehearsal = correction.rehearsal
    view = rehearsal.record_view
    return {
        "n": correction.known,
        "waits": correction.waiting,
        "put": [event_json(view, n) for n in correction.put_in],
        "again": correction.again,
        "drawn": correction.drawn,
        "left": [
            {
                "n": event.n,
                "text": view.sentence(event.n),
                "chance": isinstance(event, view.game.chance_events),
            }
            for event in correction.remaining
        ],
        "finding": finding,
        "message": render_message(
            without_legal(rehearsal.explain(finding)), language_of(asked.request), view.game
        )
        if finding
        else "",
        "shift": bool(finding and correction.remaining and correction.can_shift()),
        "step": whole_step(view),
        "decisions": decisions(view, asked.grant, rehearsal.now()),
    }
