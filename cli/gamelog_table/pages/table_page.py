"""The table's page and its own requests: the game up to now, decisions, drags."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import msgspec
from gamelog_reports.templates import packed_page_parts, page_template, texts
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gamelog.message import Message
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.recording.setup_pause import SETUP_MS
from gamelog.play.view.record_view import RecordView
from gamelog_table.access.permissions import SPECTATOR_REFUSAL
from gamelog_table.api import Api
from gamelog_table.events.choices import decisions
from gamelog_table.events.forms import common_forms, game_forms, roll_forms
from gamelog_table.events.taps import drag_events
from gamelog_table.live.followers import NO_DELAY
from gamelog_table.net.denied import Denied
from gamelog_table.net.responses import (
    MESSAGE_PACKAGE,
    json_response,
    language_of,
    page_response,
    render_message,
)
from gamelog_table.pages.packed_game import packed_game
from gamelog_table.record.earlier_positions import EarlierEvents

_MAX_PACKED = 16
"""Maximum number of packed games that are kept for devices that open the page at the same event."""


_PARTS = {
    "table": (
        *("table", "base", "controls", "heading", "page", "modal", "panels", "table", "layout"),
        "dialogs",
    ),
    "lobby": ("lobby_page", "base", "controls", "heading", "page", "table"),
}
"""The script of each page, and its style sheets in their order."""


@cache
def page_html_in(language: str, page: Literal["table", "lobby"] = "table") -> tuple[bytes, str]:
    """Return a page in `language`, and its policy, which admits only its own script and style."""
    parts = packed_page_parts(language, *_PARTS[page], home=MESSAGE_PACKAGE)
    words = texts(language)
    html = page_template(page, MESSAGE_PACKAGE).render(
        {**parts, "language": language, "t": words, "title": words["table_title"], "shared": None}
    )
    return html.encode(), f"{parts['policy']}; connect-src 'self'"


class TablePage:
    """Handlers of the page and its own requests."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._packed: dict[tuple[str, tuple[str, ...], int, str, str], dict[str, Any]] = {}

    def routes(self) -> list[Route]:
        """Return the routes of the handlers."""
        path = "/api/records/{name:path}"
        return [
            Route("/", self.page, methods=["GET"]),
            Route("/table/{name:path}", self.page, methods=["GET"]),
            Route(f"{path}/table", self.table, methods=["GET"]),
            Route(f"{path}/choices", self.choices, methods=["GET"]),
            Route(f"{path}/rules", self.rules, methods=["GET"]),
            Route(f"{path}/walked", self.drag, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the page. It is the same for all links, because only the browser knows the link."""
        is_lobby = self._api.folder.is_folder and request.url.path == "/"
        html, policy = page_html_in(language_of(request), "lobby" if is_lobby else "table")
        return page_response(html, policy, {"vary": "accept-language"})

    async def table(self, request: Request) -> Response:
        """Answer with the game up to now, packed as in a page, and the forms of the link."""
        linked = await self._api.linked_request(request)
        language = language_of(request)

        def packed_table(known: EarlierEvents) -> dict[str, Any]:
            view = known.view()
            forms = {
                "common": common_forms(view, linked.grant),
                "own": game_forms(view, linked.grant),
                "rolls": roll_forms(view, linked.grant),
            }
            key = linked.record.name, view.viewer.seats, view.last_number, view.head, language
            if key not in self._packed:
                if len(self._packed) >= _MAX_PACKED:
                    self._packed.clear()
                self._packed[key] = packed_game(view, known.replay(linked.record.path), language)
            setup_ms = SETUP_MS if view.revealed_links is None else None  # committed dice stop the clock
            now = linked.record.time_after(view) - view.catching_up
            return {**self._packed[key], "forms": forms, "now": now, "setup_ms": setup_ms}

        grant, delay = linked.grant, linked.delay
        who = {
            "role": grant.role,
            "seat": grant.seat,
            "name": linked.record.name,
            "title": linked.record.game.title if linked.record.game else "",
            "folder": self._api.folder.is_folder and not grant.record,
            "has_rematch": self._api.folder.is_folder and (grant.role != "scorer" or bool(grant.record)),
            "delayed": msgspec.to_builtins(delay) if delay != NO_DELAY else None,
        }
        return json_response(await linked.record.ask_without_lock(packed_table, grant, delay) | who)

    async def choices(self, request: Request) -> Response:
        """Answer with the decisions that are possible now with this link.

        Raises:
            Denied: The link is a spectator's.
        """
        linked = await self._api.linked_request(request)
        if linked.grant.role == "spectator":
            raise Denied("table.role", SPECTATOR_REFUSAL)

        def current_decisions(view: RecordView) -> dict[str, Any]:
            shown = view.revealed_links
            due: dict[str, Any] = (
                {"reveals": {"id": view.header.id, "shown": shown}} if shown is not None else {}
            )
            left = view.game.left(view.current.state) if view.current.pending.by else ""
            message = Message.of("{left}", left=left)
            due["left"] = render_message(message, language_of(request), view.game)
            idle = linked.record.long_idle() if linked.grant.role == "scorer" else None
            return decisions(view, linked.grant, linked.record.time_after(view)) | {"idle": idle} | due

        return json_response(await linked.ask(current_decisions))

    async def rules(self, request: Request) -> Response:
        """Answer with the rules for the next event, and the other rules of their sections."""
        linked = await self._api.linked_request(request)
        language = language_of(request)

        def rules_due(view: RecordView) -> dict[str, Any]:
            position = view.current
            is_playing = view.unknown_since is None and position.pending.outcome is None
            due = view.game.due_rules(position.state) if is_playing else ()
            book = rulebook(view.game, language)
            sections = {book[id_].section for id_ in due}
            shown = [rule for rule in book.values() if rule.section in sections]
            return {"rules": [{"due": rule.id in due, **msgspec.to_builtins(rule)} for rule in shown]}

        return json_response(await linked.ask(rules_due))

    async def drag(self, request: Request) -> Response:
        """Answer with the events of a drag over ``cells``, or the reason why there are none.

        Raises:
            Denied: The link is not the scorer's or a seat's, or the body does not name cells.
        """
        linked = await self._api.linked_request(request)
        if linked.grant.role not in ("scorer", "seat"):
            raise Denied("table.role", "Only the scorer and the seats can ask for this.")
        try:
            cells = msgspec.json.decode(request.query_params.get("cells", ""), type=list[str])
        except (msgspec.DecodeError, UnicodeEncodeError):
            raise Denied("table.cells", "Send the tapped cells as a JSON list of strings.") from None
        return json_response(await linked.ask(lambda view: drag_events(view, cells)))
