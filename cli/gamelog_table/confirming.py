"""What the page asks before something is written: what it would do, and how a corrected record goes on."""

from __future__ import annotations

from typing import Any

import anyio.to_thread
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
from gamelog.play.view.record_view import RecordView
from gamelog_table.answers import Denied, answer_json, event_json, language_of, spoken
from gamelog_table.api import Api, LinkedRequest
from gamelog_table.choices import decisions, whole_step
from gamelog_table.followers import Delay
from gamelog_table.limits import body_of
from gamelog_table.links import Grant
from gamelog_table.permissions import forbidden
from gamelog_table.proposals import admit, check_named, read_events, rolled_from, would

MOST_STEPS = 500
"""Answers that a correction may have."""


class FixStep(Struct, frozen=True, forbid_unknown_fields=True):
    """One answer about a correction: ``put`` an event or the ``results`` of a roll,
    ``skip`` what does not fit, or ``go`` on.
    """

    put: dict[str, Any] | None = None
    results: Any = None
    skip: bool = False
    go: bool = False


class Slip(Struct, frozen=True, forbid_unknown_fields=True):
    """A correction that is asked for: event ``at`` was wrong, or something was forgotten ``before`` it;
    all answers so far.
    """

    at: int
    expect: int
    steps: tuple[FixStep, ...] = ()
    before: bool = False
    shift: bool = False
    write: bool = False


class Confirming:
    """The answers."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def routes(self) -> list[Route]:
        """Where they are found."""
        at = "/api/records/{name:path}"
        return [
            Route(f"{at}/would", self.would, methods=["POST"]),
            Route(f"{at}/fix", self.fix, methods=["POST"]),
            Route(f"{at}/record", self.record, methods=["GET"]),
        ]

    async def would(self, request: Request) -> Response:
        """What events would do. Raises what writing them would."""
        asked = await self._writer(request)
        events, _ = read_events(await body_of(request))

        def preview(view: RecordView) -> dict[str, Any]:
            rehearsal = asked.record.rehearsal(view)
            admit(events, asked.grant, rehearsal)
            return would(rehearsal, events, view)

        return answer_json(await asked.ask(preview))

    async def fix(self, request: Request) -> Response:
        """A slip of the pen: what may stand there, what follows again and what does not;
        with `write`, written.
        """
        asked = await self._writer(request)
        if asked.grant.role != "scorer":
            raise Denied("table.role", "Only the scorer can correct a slip. Ask the scorer.")
        try:
            slip = msgspec.json.decode(await body_of(request), type=Slip)
        except NO_JSON as error:
            raise Denied(
                "table.json", Message.of("The body is not a correction: {=error}.", error=str(error))
            ) from None
        if len(slip.steps) > MOST_STEPS:
            raise Denied("table.too_long", Message.of("A correction has at most {n} answers.", n=MOST_STEPS))

        def corrected(recorder: EventRecorder) -> dict[str, Any]:
            if recorder.n != slip.expect:
                raise Conflict(
                    Message.of(
                        "Event {n} was recorded, but event {expected} was expected to be the last. Look at "
                        "the new events, then decide again.",
                        n=recorder.n,
                        expected=slip.expect,
                    )
                )
            correction = Correction(recorder.log.path, slip.at, before=slip.before)
            correction.shifts = slip.shift
            finding = _answered(correction, slip, asked.grant)
            answer = _answer(correction, finding, asked)
            return answer | {"written": correction.write(recorder)} if slip.write else answer

        if slip.write:
            return answer_json(await asked.record.change(corrected), 201)
        return answer_json(await asked.ask(lambda view: corrected(asked.record.rehearsal(view))))

    async def record(self, request: Request) -> Response:
        """Return the record's file, as far as the link may know it, for those who may see all of that."""
        asked = await self._api.asked(request)
        over, last = await asked.ask(lambda view: (view.current.pending.outcome is not None, view.last))
        if asked.grant.role not in ("scorer", "arbiter") and not over:
            raise Denied(
                "table.role",
                "While the game is running, only the scorer and the arbiter can save the record.",
            )
        data = await anyio.to_thread.run_sync(asked.record.path.read_bytes)
        if asked.delay != Delay():
            data = b"".join(data.splitlines(keepends=True)[: last + 1])
        return Response(data, media_type="application/jsonl")

    async def _writer(self, request: Request) -> LinkedRequest:
        asked = await self._api.asked(request)
        self._api.check_writer(asked)
        return asked


def _answered(correction: Correction, slip: Slip, grant: Grant) -> Finding | None:
    """Carry the answers out; why what follows next does not fit.
    Raises `Refused` for an event that cannot be put in, and `Denied` for one that `grant` may not write.
    """
    refused = None
    for step in slip.steps:
        if step.put is not None or step.results is not None:
            check_named(step.put or {})
            reason = forbidden(grant, step.put or {}, correction.rehearsal.fold)
            if reason:
                raise Denied("table.role", reason)
            wrong = correction.put(step.put or rolled_from(step.results, correction.rehearsal.fold))
            if wrong:
                raise Refused(correction.rehearsal.explain(wrong), wrong)
        elif step.skip and correction.left:
            correction.skip()
        elif step.go:
            refused = correction.go_on()
    return refused


def _answer(correction: Correction, finding: Finding | None, asked: LinkedRequest) -> dict[str, Any]:
    """Return how the record would be now, what may come next there, and what is left of what followed."""
    rehearsal = correction.rehearsal
    view = rehearsal.record_view
    return {
        "n": correction.known,
        "put": [event_json(view, n) for n in correction.put_in],
        "again": correction.again,
        "drawn": correction.drawn,
        "left": [
            {
                "n": one.n,
                "text": view.sentence(one.n),
                "chance": isinstance(one, view.game.chance_events),
            }
            for one in correction.left
        ],
        "finding": finding,
        "message": spoken(rehearsal.explain(finding), language_of(asked.request), view.game)
        if finding
        else "",
        "shift": bool(finding and correction.left and correction.can_shift()),
        "step": whole_step(view),
        "decisions": decisions(view, asked.grant, rehearsal.now()),
    }
