"""The lobby of a folder: its records with their state, and the links and codes to share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import segno
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gamelog.errors import GamelogError, RecordError
from gamelog.play.contract.locales import load_locale
from gamelog.play.contract.registry import find
from gamelog_table.access.links import Grant
from gamelog_table.api import Api
from gamelog_table.live.followers import NO_DELAY
from gamelog_table.net.denied import Denied
from gamelog_table.net.responses import json_response, language_of
from gamelog_table.pages.summaries import Summaries
from gamelog_table.record.worker_thread import run_with_limit

MAX_SHEET_RECORDS = 60
"""Maximum number of records on one sheet of codes."""


class Lobby:
    """Handlers of requests about a whole folder.

    `links` returns the links of a record that a link can share. `is_reachable` says whether other devices
    can open them.
    """

    def __init__(
        self, api: Api, links: Callable[[Grant, str, Path], list[Any]], *, is_reachable: bool
    ) -> None:
        self._api, self._links, self._is_reachable = api, links, is_reachable
        self._summaries = Summaries(api.folder)

    def routes(self) -> list[Route]:
        """Return the routes of the handlers."""
        return [
            Route("/api/records", self.records, methods=["GET"]),
            Route("/api/codes", self.codes, methods=["GET"]),
            Route("/api/records/{name:path}/links", self.links, methods=["GET"]),
        ]

    async def records(self, request: Request) -> Response:
        """Answer with the records that the link can see, each with its summary if the link may know it."""
        grant, only = self._api.grant(request, None)
        folder = self._api.folder
        summaries = {} if only else await self._summaries.current(whole=grant.sees_all)
        folder.check(grant)
        records = []
        for name, path in folder.names().items():
            head = folder.header_data(path) if only in (None, name) else None
            if head is not None:
                summary = {"summary": summaries[name]} if name in summaries else {}
                records.append({"name": name, **head, "api": f"/api/records/{quote(name)}", **summary})
        return json_response(
            {
                "role": grant.role,
                "seat": grant.seat or None,
                "folder": folder.is_folder and only is None,
                **({"title": folder.path.resolve().name} if folder.is_folder and only is None else {}),
                "delayed": msgspec.to_builtins(folder.delay)
                if grant.role == "spectator" and folder.delay != NO_DELAY
                else None,
                "records": records,
            }
        )

    async def links(self, request: Request) -> Response:
        """Answer with the links of a record that the link can share, with codes if others can open them.

        Raises:
            Denied: The link can share no links.
        """
        linked = await self._api.linked_request(request)
        if not linked.grant.can_share_links:
            raise Denied("table.role", "Only the scorer and the arbiter can share links.")
        record, names = linked.record, dict[str, str]()
        with suppress(RecordError):  # a record that cannot be read has links, with the names in its header
            names = await linked.ask(
                lambda view: {person.seat: person.name for person in view.people if person.name}
            )
        language = language_of(request)
        shared = await run_with_limit(
            lambda: self._with_codes(linked.grant, record.name, record.path, language, names)
        )
        record.check(linked.grant)
        return json_response(shared)

    async def codes(self, request: Request) -> Response:
        """Answer with the links of the records named in ``record``, for a sheet to print.

        Raises:
            Denied: The link can share no links, or is not for all records of a folder.
        """
        grant, only = self._api.grant(request, None)
        if not grant.can_share_links or only is not None:
            raise Denied(
                "table.role",
                "Only the scorer and the arbiter of a folder can print the links of all records.",
            )
        places = self._api.folder.names()
        names = [name for name in request.query_params.getlist("record") if name in places][
            :MAX_SHEET_RECORDS
        ]
        language, summaries = language_of(request), await self._summaries.current(whole=True)
        people = {name: summary.names for name, summary in summaries.items()}
        sheets = await run_with_limit(
            lambda: [
                self._with_codes(grant, name, places[name], language, people.get(name, {})) for name in names
            ]
        )
        self._api.folder.check(grant)
        return json_response({"records": sheets})

    def _with_codes(
        self, holder: Grant, name: str, path: Path, language: str, names: Mapping[str, str]
    ) -> dict[str, Any]:
        """Return the links of a record that `holder` can share, with QR codes if others can open them.

        `names` has the present people by seat. Other seats have their names in the header.
        """
        header = self._api.folder.header_data(path) or {"game": "", "title": ""}
        links = [
            msgspec.to_builtins(link)
            | ({"qr": _qr(link.url)} if self._is_reachable else {})
            | ({"place": _seat_word(header["game"], link.seat, language)} if link.seat else {})
            | ({"name": names[link.seat]} if link.seat in names else {})
            for link in self._links(holder, name, path)
        ]
        return {"name": name, "title": header["title"], "reachable": self._is_reachable, "links": links}


def _seat_word(game: str, seat: str, language: str) -> str:
    """Return the word for a seat in `language`, or its id if the game is not installed or fails."""
    try:
        installed_game = find(game)
    except GamelogError:
        return seat
    plain = installed_game.translation("en").words.get(seat, seat)
    return load_locale(language, installed_game).words.get(plain, plain)


@lru_cache(1024)
def _qr(url: str) -> str:
    """Return a QR code of `url` as a data address."""
    return str(segno.make(url, error="m").svg_data_uri(scale=4))
