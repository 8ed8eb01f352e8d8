"""What the page asks before something is written: what it would do, and how a corrected record goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio.to_thread
import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gamelog.errors import NO_JSON, Conflict, Refused
from gamelog.play.fold.common import Resign
from gamelog.play.fold.findings import Finding
from gamelog.play.recording.correction import Correction
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import tag_of
from gamelog_table.answers import Denied, answer_json
from gamelog_table.api import Api, LinkedRequest
from gamelog_table.limits import body_of
from gamelog_table.links import Grant
from gamelog_table.permissions import forbidden
from gamelog_table.pictures import decisions, picture
from gamelog_table.proposals import admit, check_named, read_events, rolled_from
from gamelog_table.rehearsals import would
from gamelog_table.speaking import language_of, spoken
from gamelog_table.views import event_told, observed

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

        def told(recorder: EventRecorder) -> dict[str, Any]:
            admit(events, asked.grant, recorder)
            if asked.grant.role == "seat" and any(map(_asks_the_game, events)):
                knows = observed(recorder.fold, recorder.n, asked.view(recorder)) == recorder.fold.state
                if not knows:
                    text = "This is judged when it is written: what it would do may say what others hide."
                    raise Denied(403, "table.hidden", text)
            return would(recorder, events, asked.view(recorder))

        return answer_json(await self._told(asked, told))

    async def fix(self, request: Request) -> Response:
        """A slip of the pen: what may stand there, what follows again and what does not;
        with `write`, written.
        """
        asked = await self._writer(request)
        if asked.grant.role != "scorer":
            raise Denied(403, "table.role", "A slip of the pen is for the scorer to correct.")
        try:
            slip = msgspec.json.decode(await body_of(request), type=Slip)
        except NO_JSON as error:
            raise Denied(400, "table.json", f"That is not a correction: {error}.") from None
        if len(slip.steps) > MOST_STEPS:
            raise Denied(413, "table.too_long", f"A correction has at most {MOST_STEPS} answers.")

        def told(recorder: EventRecorder) -> dict[str, Any]:
            if recorder.n != slip.expect:
                raise Conflict(
                    f"The record has moved on to event {recorder.n} while event {slip.expect} was expected "
                    "to be the last. "
                    "Look at what was added and decide again."
                )
            correction = Correction(recorder.log.path, slip.at, before=slip.before)
            correction.shifts = slip.shift
            finding = _answered(correction, slip, asked.grant)
            said = _told(correction, finding, asked, recorder)
            return said | {"written": correction.write(recorder)} if slip.write else said

        return answer_json(await self._told(asked, told, writes=slip.write), 201 if slip.write else 200)

    async def record(self, request: Request) -> Response:
        """The record's file, for those who may see all of it."""
        asked = await self._api.asked(request)
        over = await asked.ask(lambda recorder: recorder.fold.outcome is not None)
        if asked.grant.role not in ("scorer", "arbiter") and not over:
            raise Denied(
                403,
                "table.role",
                "The record is for everybody once the game is over; until then for scorer and arbiter.",
            )
        data = await anyio.to_thread.run_sync(asked.record.path.read_bytes)
        return Response(data, media_type="application/jsonl")

    async def _writer(self, request: Request) -> LinkedRequest:
        asked = await self._api.asked(request)
        self._api.check_writer(asked)
        return asked

    async def _told(self, asked: LinkedRequest, question: Any, *, writes: bool = False) -> dict[str, Any]:
        return dict(await (asked.record.change(question) if writes else asked.ask(question)))


def _asks_the_game(event: Mapping[str, Any]) -> bool:
    """Return whether it is for the game to say what follows from `event`."""
    do = str(event.get("do"))
    return not do.startswith("@") or do == tag_of(Resign)


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
                raise Denied(403, "table.role", reason)
            wrong = correction.put(step.put or rolled_from(step.results, correction.rehearsal.fold))
            if wrong:
                raise Refused(correction.rehearsal.explain(wrong), wrong)
        elif step.skip and correction.left:
            correction.skip()
        elif step.go:
            refused = correction.go_on()
    return refused


def _told(
    correction: Correction, finding: Finding | None, asked: LinkedRequest, recorder: EventRecorder
) -> dict[str, Any]:
    """How the record would be now, what may come next there, and what is left of what followed."""
    rehearsal, fold = correction.rehearsal, recorder.fold
    return {
        "n": correction.known,
        "put": [event_told(rehearsal.fold, rehearsal.events[n - 1], ()) for n in correction.put_in],
        "again": correction.again,
        "drawn": correction.drawn,
        "left": [
            {
                "n": one.n,
                "text": event_told(fold, one, ())["text"],
                "chance": isinstance(one, fold.game.chance_events),
            }
            for one in correction.left
        ],
        "finding": finding,
        "message": spoken(rehearsal.explain(finding), language_of(asked.request), fold) if finding else "",
        "shift": bool(finding and correction.left and correction.can_shift()),
        "picture": picture(rehearsal, rehearsal.n, rehearsal.n, ()),
        "decisions": decisions(rehearsal, asked.grant),
    }
