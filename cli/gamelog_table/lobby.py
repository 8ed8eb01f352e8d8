"""The lobby of a folder: the games that can be played, new records, the links of a record."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal
from unicodedata import category, normalize
from urllib.parse import quote

import msgspec
import segno
from msgspec import Struct, structs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gamelog.errors import NO_JSON
from gamelog.front.recorder import create
from gamelog.message import Message
from gamelog.play.contract.registry import installed
from gamelog.record.names import file_name_problem
from gamelog_table.api import Api
from gamelog_table.limits import body_of
from gamelog_table.responses import Denied, answer_json
from gamelog_table.served_folder import RECORD_ENDING
from gamelog_table.worker_thread import run_bounded

RECORD_NAME = re.compile(r"[^\W_](?:[\w .,()+-]{0,98}[\w)])?")
"""The names of new records: letters and digits, with characters between them that all file systems allow."""


MAX_NAMED = 240
"""Maximum size of a name in bytes, which leaves room for the endings of the record's other files."""


def _names_a_record(name: str) -> bool:
    """Return whether `name` is a valid record name. Marks of letters (vowels, accents) are allowed."""
    plain = "".join("_" if category(letter).startswith("M") else letter for letter in name)
    return RECORD_NAME.fullmatch(plain) is not None and len(name.encode()) <= MAX_NAMED


class NewRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """The description of a requested new record."""

    name: str
    game: str
    seats: dict[str, str]
    board: str | None = None
    options: dict[str, Any] = {}
    dice: str = "table"
    tags: dict[str, str] = {}


class Lobby:
    """Handlers of requests about a whole folder. `seat_links` returns the links of a record's seats."""

    def __init__(
        self, api: Api, seat_links: Callable[[str, Path], list[Any]], open_links: Callable[[], list[Any]]
    ) -> None:
        self._api, self._seat_links, self._open_links = api, seat_links, open_links

    def routes(self) -> list[Route]:
        """Return the routes of the handlers."""
        return [
            Route("/api/games", self.games, methods=["GET"]),
            Route("/api/records", self.begin, methods=["POST"]),
            Route("/api/records/{name:path}/links", self.links, methods=["GET"]),
        ]

    async def games(self, request: Request) -> Response:
        """Answer with the installed games: seats by number of players, boards, options with defaults."""
        self._api.grant(request, None)
        return answer_json({"games": await run_bounded(_offered_games)})

    async def begin(self, request: Request) -> Response:
        """Create a new record in the folder."""
        grant, _ = self._api.grant(request, None)
        folder = self._api.folder
        if grant.role != "scorer" or not folder.is_folder:
            raise Denied("table.role", "Only the scorer of this folder can start a game.")
        try:
            asked = msgspec.json.decode(await body_of(request), type=NewRecord)
        except NO_JSON as error:
            raise Denied(
                "table.json",
                Message.of(
                    "The body of the request does not describe a new game: {=error}.", error=str(error)
                ),
            ) from None
        asked = structs.replace(asked, name=normalize("NFC", asked.name))
        if not _names_a_record(asked.name):
            raise Denied(
                "table.name",
                "A record's name can contain letters, digits and spaces, and at most 100 "
                "characters (80 in some alphabets).",
            )
        if asked.dice not in ("table", "seeded"):
            raise Denied(
                "table.dice",
                '"dice" can be "table" or "seeded". To play with committed dice, start the game with '
                "gamelog new.",
            )
        path = folder.path / f"{asked.name}{RECORD_ENDING}"
        if file_name_problem(path.name):
            raise Denied("table.name", "On Windows, this is the name of a device. Choose another name.")
        dice: Literal["table", "seeded"] = "seeded" if asked.dice == "seeded" else "table"

        def made() -> None:
            create(
                path,
                asked.game,
                seats=asked.seats,
                board=asked.board,
                options=asked.options,
                dice=dice,
                tags=asked.tags,
            )

        await run_bounded(made)
        folder.look_again()
        answer = {
            "name": asked.name,
            "api": f"/api/records/{quote(asked.name)}",
            "links": self._seat_links(asked.name, path),
        }
        return answer_json(answer, 201)

    async def links(self, request: Request) -> Response:
        """Answer with the links of a record, for the scorer to share."""
        asked = await self._api.linked_request(request)
        if asked.grant.role != "scorer":
            raise Denied("table.role", "Only the scorer can share links.")
        seats = self._seat_links(asked.record.name, asked.record.path)
        others = [link for link in self._open_links() if link.role == "spectator"]
        return answer_json(
            {"links": [msgspec.to_builtins(link) | {"qr": _qr(link.url)} for link in (*seats, *others)]}
        )


def _offered_games() -> list[dict[str, Any]]:
    """Return the installed games. This loads and runs the code of each game."""
    found = []
    for one in installed():
        game = one.game
        if game is not None and "@" not in one.name:
            options = {field.encode_name: _default(field) for field in structs.fields(game.Options)}
            seats = {str(count): list(names) for count, names in game.seats.items()}
            boards = list(game.boards)
            found.append(
                {"id": game.id, "title": game.title, "seats": seats, "boards": boards, "options": options}
            )
    return found


def _qr(url: str) -> str:
    """Return a QR code of `url` as a data address."""
    return str(segno.make(url, error="m").svg_data_uri(scale=4))


def _default(field: structs.FieldInfo) -> Any:
    return None if field.default is msgspec.NODEFAULT else msgspec.to_builtins(field.default)
