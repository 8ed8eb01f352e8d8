"""Previews of events before they are recorded, and corrections of slips."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gamelog.errors import JSON_ERRORS, Refused
from gamelog.message import Message
from gamelog.play.view.record_view import RecordView
from gamelog.record.reading import parse_record
from gamelog_table.api import Api, LinkedRequest
from gamelog_table.events.choices import next_position
from gamelog_table.events.corrections import CorrectionRequest, apply_correction
from gamelog_table.events.request_events import (
    authorize_events,
    is_decided_roll,
    preview_effects,
    read_events,
)
from gamelog_table.net.denied import Denied
from gamelog_table.net.rate_limits import body_of
from gamelog_table.net.responses import json_response, language_of
from gamelog_table.record.earlier_positions import EarlierEvents

MAX_STEPS = 500
"""Maximum number of answers of a correction."""


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

        If the events cannot be recorded, the answer is the reason, also with status 200: the question was
        answered, and browsers report every other status as an error of the page.

        A seat gets no preview of a roll that follows from a seed, because it could then take back the
        decision before the roll.

        Raises:
            GamelogError: The question cannot be answered.
        """
        linked = await self._writer(request)
        events, _ = read_events(await body_of(request))

        looks_ahead = "next" in request.query_params

        def preview(view: RecordView) -> dict[str, Any]:
            is_decided = not linked.grant.sees_all and is_decided_roll(events, view)
            if looks_ahead and (is_decided or not view.knows_all):
                return {"next": None}  # not a refusal, because every selected event asks for this
            if is_decided:
                raise Denied("table.hidden", "There is no preview of a roll that follows from the record.")
            rehearsal = linked.record.rehearsal(view)
            authorize_events(events, linked.grant, rehearsal)
            answer = preview_effects(rehearsal, events, view)
            if looks_ahead:
                after = rehearsal.view_by(view.viewer)
                answer["next"] = next_position(
                    after, view.last_number, linked.grant, linked.record.time_after(view)
                )
            return answer

        try:
            return json_response(await linked.ask(preview))
        except (Refused, Denied) as error:
            if isinstance(error, Denied) and error.code != "table.hidden":
                raise
            return self._api.error_answer(request, error, status=200)

    async def fix(self, request: Request) -> Response:
        """Answer with the state of a correction: possible events, events that still fit, events that do not.

        If ``write`` is set, the correction is recorded.

        Raises:
            Denied: The link is not a scorer's, or the body is not a correction or has too many answers.
        """
        linked = await self._writer(request)
        if linked.grant.role != "scorer":
            raise Denied(
                "table.role", "Only the scorer can correct an event and record the later events again."
            )
        try:
            slip = msgspec.json.decode(await body_of(request), type=CorrectionRequest)
        except JSON_ERRORS as error:
            raise Denied(
                "table.json",
                Message.of("The body of the request is not a correction: {=error}.", error=str(error)),
            ) from None
        if len(slip.steps) > MAX_STEPS:
            raise Denied(
                "table.too_long", Message.of("A correction can have at most {n} answers.", n=MAX_STEPS)
            )

        apply = partial(apply_correction, slip=slip, grant=linked.grant, language=language_of(request))
        if slip.write:
            return json_response(await linked.record.change(apply, linked.grant), 201)
        return json_response(await linked.ask(lambda view: apply(linked.record.rehearsal(view))))

    async def record(self, request: Request) -> Response:
        """Answer with the record's file, for links to which the record hides nothing.

        Spectators with a delay get the lines that they may know.
        """
        linked = await self._api.linked_request(request)
        whole = linked.grant.sees_all

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
            data = linked.record.path.read_bytes()
            known.check_record(parse_record(data[: data.find(b"\n") + 1]))
            if not whole:  # events can have been added since
                data = b"".join(data.splitlines(keepends=True)[: view.last_number + 1])
            return data

        data = await linked.record.ask_without_lock(saved, linked.grant, linked.delay)
        return Response(data, media_type="application/jsonl")

    async def _writer(self, request: Request) -> LinkedRequest:
        linked = await self._api.linked_request(request)
        self._api.check_writer(linked)
        return linked
