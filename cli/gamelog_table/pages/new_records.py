"""New records in a folder: the games with their options and boards, and the start of a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any
from unicodedata import normalize
from urllib.parse import quote

import msgspec
from gamelog_reports.board_svg import scene_svg
from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gamelog.errors import JSON_ERRORS, GamelogError
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.locales import load_locale
from gamelog.play.contract.option_fields import OptionField, option_fields
from gamelog.play.contract.registry import find, installed_games
from gamelog.play.fold.start import start
from gamelog.play.recording.header import new_header
from gamelog.record.envelope import Seat
from gamelog_table.access.links import Grant
from gamelog_table.access.permissions import has_scorer
from gamelog_table.api import Api, LinkedRequest
from gamelog_table.net.denied import Denied
from gamelog_table.net.rate_limits import body_of
from gamelog_table.net.responses import json_response, language_of
from gamelog_table.record.new_record import NewRecord, check_description
from gamelog_table.record.served_folder import RECORD_ENDING
from gamelog_table.record.worker_thread import run_with_limit


class NewRecords:
    """Handlers of requests for new records. `links` returns the links of a record that a link can share."""

    def __init__(self, api: Api, links: Callable[[Grant, str, Path], list[Any]]) -> None:
        self._api, self._links = api, links

    def routes(self) -> list[Route]:
        """Return the routes of the handlers."""
        return [
            Route("/api/games", self.games, methods=["GET"]),
            Route("/api/games/{game}/boards/{board}", self.board, methods=["GET"]),
            Route("/api/records", self.begin, methods=["POST"]),
            Route("/api/records/{name:path}/rematch", self.rematch, methods=["POST"]),
            Route("/api/records/{name:path}/rematch", self.own_rematch, methods=["GET"]),
        ]

    async def games(self, request: Request) -> Response:
        """Answer with the installed games: seats by number of players, boards, controls for options."""
        self._api.grant(request, None)
        language = language_of(request)
        return json_response({"games": await run_with_limit(lambda: [*_offered_games(language)])})

    async def board(self, request: Request) -> Response:
        """Answer with a picture of a built-in board at the start of a game with the standard options.

        Raises:
            Denied: The link is not valid, or the game has no such board.
        """
        self._api.grant(request, None)
        game, board = request.path_params["game"], request.path_params["board"]
        dark = request.query_params.get("theme") == "dark"
        try:
            picture = await run_with_limit(lambda: _board_picture(game, board, dark))
        except GamelogError as error:
            if isinstance(error, Denied):
                raise
            raise Denied("table.no_page", "There is no such board.") from None
        return Response(
            picture, headers={"cache-control": "private, max-age=3600"}, media_type="image/svg+xml"
        )

    async def begin(self, request: Request) -> Response:
        """Create a new record in the folder.

        Raises:
            Denied: The link is not the scorer's of a folder, or the body does not describe a new game.
        """
        self._scorer(request)
        body = await body_of(request)
        grant = self._scorer(request)  # the link can have been withdrawn since
        try:
            wanted = msgspec.json.decode(body, type=NewRecord)
        except JSON_ERRORS as error:
            raise Denied(
                "table.json",
                Message.of(
                    "The body of the request does not describe a new game: {=error}.", error=str(error)
                ),
            ) from None
        if wanted.name is not None:
            wanted = structs.replace(wanted, name=normalize("NFC", wanted.name))
        check_description(wanted)
        return self._answer(grant, await self._api.creator.create(wanted), 201)

    async def rematch(self, request: Request) -> Response:
        """Create the next record of the people of a finished game, each at the next seat.

        If this rematch exists already, the answer has its name and links. If the players record without a
        scorer, a seat's link can create the rematch too, and the answer has the link of `own_rematch`.
        """
        linked = await self._api.linked_request(request)
        by_players = await linked.ask(lambda view: not has_scorer(view.header))
        if linked.grant.role == "seat" and by_players and self._api.folder.is_folder:
            self._api.check_writer(linked)
            _, is_new = await self._api.creator.start_rematch(linked.record, linked.grant)
            linked.record.check(linked.grant)
            return await self._answer_own_rematch(linked, 201 if is_new else 200)
        grant = self._scorer(request)
        name, is_new = await self._api.creator.start_rematch(linked.record, linked.grant)
        return self._answer(grant, name, 201 if is_new else 200)

    async def own_rematch(self, request: Request) -> Response:
        """Answer with the rematch of a finished game, and a link to it with the rights of the asking link.

        Raises:
            Denied: As `RecordCreator.own_rematch` does.
        """
        return await self._answer_own_rematch(await self._api.linked_request(request), 200)

    async def _answer_own_rematch(self, linked: LinkedRequest, status: int) -> Response:
        """Answer with the rematch and the link to it, as `own_rematch` describes."""
        name, token = await self._api.creator.own_rematch(linked.record, linked.grant)
        return json_response({"name": name, "api": f"/api/records/{quote(name)}", "token": token}, status)

    def _scorer(self, request: Request) -> Grant:
        """Return the grant of the scorer of a folder.

        Raises:
            Denied: The link cannot create records.
        """
        grant, _ = self._api.grant(request, None)
        if grant.role != "scorer" or grant.record or not self._api.folder.is_folder:
            raise Denied("table.role", "Only the scorer of this folder can start a game.")
        return grant

    def _answer(self, grant: Grant, name: str, status: int) -> Response:
        """Answer with the name of a record, and the links that the link of `grant` can share."""
        folder = self._api.folder
        links = self._links(grant, name, folder.path / f"{name}{RECORD_ENDING}")
        folder.check(grant)
        return json_response({"name": name, "api": f"/api/records/{quote(name)}", "links": links}, status)


def _offered_games(language: str) -> Iterator[dict[str, Any]]:
    """Yield the installed games, with texts in `language`. This loads and runs the code of each game."""
    for entry in installed_games():
        if entry.game is not None and "@" not in entry.name:
            yield _offered_game(entry.game, language)


def _offered_game(game: AnyGame, language: str) -> dict[str, Any]:
    """Return the data for the form of a new game, with texts in `language`."""
    english, words = game.translation("en").words, load_locale(language, game).words

    def word(text: str) -> str:
        plain = english.get(text, text)
        return words.get(plain, plain)

    fields = option_fields(game.Options)
    return {
        "id": game.id,
        "title": game.title,
        "seats": {str(count): list(names) for count, names in game.seats.items()},
        "seat_names": {seat: word(seat) for names in game.seats.values() for seat in names},
        "boards": list(game.boards),
        "board_names": {board: word(board) for board in game.boards},
        "options": {field.name: field.default for field in fields},
        "controls": [_translate_field(field, word) for field in fields],
    }


def _translate_field(field: OptionField, word: Callable[[str], str]) -> OptionField:
    """Return `field` with its texts in another language."""
    return structs.replace(
        field,
        title=word(field.title),
        meaning=word(field.meaning),
        none=word(field.none),
        choices=tuple((value, word(text)) for value, text in field.choices),
    )


_ANY_DAY = "2000-01-01T00:00:00Z"


@lru_cache(64)
def _board_picture(game: str, board: str, dark: bool) -> str:
    """Return a picture of `board` before the first event.

    Raises:
        GamelogError: There is no such game or board.
    """
    installed_game = find(game)
    seats = installed_game.seats[max(installed_game.seats)]
    header = new_header(
        installed_game, [Seat(seat) for seat in seats], id="picture", started=_ANY_DAY, board=board
    )
    scene = installed_game.scene(start(installed_game, header), None)
    return scene_svg(scene, seats=installed_game.all_seats, theme="dark" if dark else "light")
