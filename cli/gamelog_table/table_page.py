"""The table's page, and what it alone asks of the server: pictures, decisions, the last events."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from gamelog_reports import bundle
from gamelog_reports.pages import page_template
from gamelog_reports.texts import script_texts
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gamelog.play.fold.seat_times import used_times
from gamelog.play.recording.recorder import EventRecorder
from gamelog_table.answers import Denied, answer_json
from gamelog_table.api import Api, number_asked
from gamelog_table.forms import common_forms, game_forms
from gamelog_table.pictures import decisions, dragged, picture, setting, told_from
from gamelog_table.seat_clocks import clocks_told, idle_told
from gamelog_table.speaking import HOME, language_of
from gamelog_table.views import View

EVENTS_LISTED = 40
"""Events that the list beside the board shows at a time."""


@cache
def own_texts(language: str) -> dict[str, str]:
    """The page's words in `language`: its own, and those of the replay page that its script asks for."""
    known = json.loads((files(HOME) / "assets" / "table.json").read_text(encoding="utf-8"))
    own = {name: words[language] for name, words in known.items()}
    return script_texts(language, bundle.script("table", HOME)) | own


@cache
def page_html_in(language: str) -> tuple[bytes, str]:
    """The page in `language`, and the policy that admits its own script and style alone."""
    code, looks = bundle.script("table", HOME), bundle.style("base", "board", "table", home=HOME)
    policy = (
        f"default-src 'none'; script-src '{bundle.csp_digest(code)}'; style-src "
        f"'{bundle.csp_digest(looks)}'; "
        "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    told = own_texts(language)
    html = page_template("table", HOME).render(
        language=language, t=told, spoken=told, script=code, style=looks
    )
    return html.encode(), policy


class TablePage:
    """The page and its own questions."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._kept: dict[tuple[str, View, int, int, int], bytes] = {}
        self._used: dict[tuple[str, str], dict[str, int]] = {}

    def routes(self) -> list[Route]:
        """Where they are found."""
        at = "/api/records/{name:path}"
        return [
            Route("/", self.page, methods=["GET"]),
            Route(f"{at}/table", self.table, methods=["GET"]),
            Route(f"{at}/picture", self.picture, methods=["GET"]),
            Route(f"{at}/choices", self.choices, methods=["GET"]),
            Route(f"{at}/list", self.listed, methods=["GET"]),
            Route(f"{at}/walked", self.walked, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        """The page: the same for everybody, for the link is known to the browser alone."""
        html, policy = page_html_in(language_of(request))
        headers = {"content-security-policy": policy, "vary": "accept-language"}
        return HTMLResponse(html, headers=headers)

    async def table(self, request: Request) -> Response:
        """What never changes."""
        asked = await self._api.asked(request)
        language = language_of(request)

        def told(recorder: EventRecorder) -> dict[str, Any]:
            forms = {
                "common": common_forms(recorder.fold, asked.grant),
                "own": game_forms(recorder.fold, asked.grant),
            }
            return setting(recorder, language) | {"forms": forms, "started": recorder.fold.header.started}

        who = {"role": asked.grant.role, "seat": asked.grant.seat, "name": asked.record.name}
        return answer_json(await asked.ask(told) | who)

    async def picture(self, request: Request) -> Response:
        """One position; the same for all who see the same, so that it is made once."""
        asked = await self._api.asked(request)
        at, record = number_asked(request, "at"), asked.record

        def shown(recorder: EventRecorder) -> bytes:
            last, view = recorder.n, asked.view(recorder)
            n = last if at is None else min(at, last)
            key = (record.name, view, n, last, record.edition)
            if key not in self._kept:
                if len(self._kept) > 64:
                    self._kept.clear()
                self._kept[key] = msgspec.json.encode(picture(recorder, n, last, view))
            return self._kept[key]

        return Response(await asked.ask(shown), media_type="application/json")

    async def choices(self, request: Request) -> Response:
        """What may be decided now with this link."""
        asked = await self._api.asked(request)

        def told(recorder: EventRecorder) -> dict[str, Any]:
            view = asked.view(recorder)
            key = (asked.record.name, recorder.head)
            if key not in self._used:
                self._used = {key: used_times(recorder.fold)}
            clock = clocks_told(recorder, view, self._used[key], runs=recorder.n == asked.record.last)
            reveals = recorder.fold.reveals
            due = {"reveals": {"id": recorder.fold.header.id, "shown": reveals.shown}} if reveals else {}
            idle = idle_told(recorder, asked.grant)
            return decisions(recorder, asked.grant) | {"clock": clock, "idle": idle} | due

        return answer_json(await asked.ask(told))

    async def listed(self, request: Request) -> Response:
        """The events up to `to`, the last ones."""
        asked = await self._api.asked(request)
        to = number_asked(request, "to")

        def told(recorder: EventRecorder) -> list[dict[str, Any]]:
            last = recorder.n if to is None else min(to, recorder.n)
            return told_from(
                recorder.fold, recorder.events[max(0, last - EVENTS_LISTED) : last], asked.view(recorder)
            )

        return answer_json({"events": await asked.ask(told)})

    async def walked(self, request: Request) -> Response:
        """The events that are said by dragging over `cells`, or why there are none."""
        asked = await self._api.asked(request)
        if asked.grant.role not in ("scorer", "seat"):
            raise Denied(403, "table.role", "Scorers and seats ask this.")
        try:
            cells = msgspec.json.decode(request.query_params.get("cells", ""), type=list[str])
        except (msgspec.DecodeError, UnicodeEncodeError):
            raise Denied(400, "table.cells", "Name the cells as a list of texts in JSON.") from None
        return answer_json(await asked.ask(lambda recorder: dragged(recorder, asked.grant, cells)))
