"""New records in a folder: the games with their options and boards, and the start of a record."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal
from unicodedata import category, normalize
from urllib.parse import quote

import msgspec
from gamelog_reports.board_svg import scene_svg
from msgspec import Struct, structs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gamelog.errors import NO_JSON, Exists, GamelogError
from gamelog.message import Message
from gamelog.play.contract.boards import board_name
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.locales import load_locale
from gamelog.play.contract.option_fields import OptionField, option_fields
from gamelog.play.contract.registry import find, installed_games
from gamelog.play.fold.start import start
from gamelog.play.recording.header import lacks_consent, new_header, usual_takebacks
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import Header, Seat
from gamelog.record.names import file_name_problem
from gamelog.record.reading import read_opening
from gamelog_front.recorder import create
from gamelog_table.access.links import Grant
from gamelog_table.access.permissions import has_scorer
from gamelog_table.api import Api, LinkedRequest
from gamelog_table.live.followers import NO_DELAY
from gamelog_table.net.denied import Denied
from gamelog_table.net.rate_limits import body_of
from gamelog_table.net.responses import answer_json, language_of
from gamelog_table.record.served_folder import RECORD_ENDING
from gamelog_table.record.worker_thread import run_with_limit

RECORD_NAME = re.compile(r"[^\W_](?:[\w .,()+-]{0,98}[\w)])?")
"""The names of new records: letters and digits, with characters between them that all file systems allow."""

REMATCH_NAME = re.compile(r"(.+), game (\d{1,4})", re.DOTALL)
"""The names of rematches: the name of the first record, and a number."""

MAX_NAMED = 240
"""Maximum size of a name in bytes, which leaves room for the endings of the record's other files."""

MAX_SAME = 1_000
"""Maximum number of records with the same title and day for which the server makes a name."""


def is_record_name(name: str) -> bool:
    """Return whether `name` is a valid record name. Marks of letters (vowels, accents) are allowed."""
    plain = "".join("_" if category(letter).startswith("M") else letter for letter in name)
    return RECORD_NAME.fullmatch(plain) is not None and len(name.encode()) <= MAX_NAMED


class NewRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """The description of a requested new record.

    Attributes:
        seats: Name of the person at each seat.
        name: Name of the file without its ending; without a name, the server makes one.
        board: Name of a built-in board, a whole board, or None for the standard board.
        dice: Source of the dice.
        takebacks: The role that can take events back; None for the usual one.
        rolls: The role that enters dice and draws.
        tags: Texts by name.
    """

    game: str
    seats: dict[str, str]
    name: str | None = None
    board: str | dict[str, Any] | None = None
    options: dict[str, Any] = {}
    dice: str = "table"
    takebacks: Literal["scorer", "agreed", "arbiter"] | None = None
    rolls: Literal["scorer", "players"] = "scorer"
    tags: dict[str, str] = {}


class NewRecords:
    """Handlers of requests for new records. `links` returns the links of a record that a link can share."""

    def __init__(self, api: Api, links: Callable[[Grant, str, Path], list[Any]]) -> None:
        self._api, self._links = api, links
        api.has_next_game = self._has_next_game
        # A record that is being created does not look like a rematch yet, so the next request waits for it.
        self._one_rematch = asyncio.Lock()

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
        return answer_json({"games": await run_with_limit(lambda: [*_offered_games(language)])})

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
        except NO_JSON as error:
            raise Denied(
                "table.json",
                Message.of(
                    "The body of the request does not describe a new game: {=error}.", error=str(error)
                ),
            ) from None
        if wanted.name is not None:
            wanted = structs.replace(wanted, name=normalize("NFC", wanted.name))
        _check_description(wanted)
        return self._answer(grant, await self._create_record(wanted), 201)

    async def rematch(self, request: Request) -> Response:
        """Create the next record of the people of a finished game, each at the next seat.

        If this rematch exists already, the answer has its name and links. If the players record without a
        scorer, a seat's link can create the rematch too, and the answer has the link of `own_rematch`.
        """
        linked = await self._api.linked_request(request)
        by_players = await linked.ask(lambda view: not has_scorer(view.header))
        if linked.grant.role == "seat" and by_players and self._api.folder.is_folder:
            self._api.check_writer(linked)
            _, is_new = await self._rematch_name(linked)
            linked.record.check(linked.grant)
            return await self._answer_own_rematch(linked, 201 if is_new else 200)
        grant = self._scorer(request)
        name, is_new = await self._rematch_name(linked)
        return self._answer(grant, name, 201 if is_new else 200)

    async def _rematch_name(self, linked: LinkedRequest) -> tuple[str, bool]:
        """Return the name of the rematch of a finished game, and whether this request has created it."""
        wanted, since = await linked.ask(lambda view: (rematch_of(view), view.header.started))
        folder, first = self._api.folder.path, linked.record.name
        async with self._one_rematch:
            name, exists = await run_with_limit(lambda: _next_name(folder, first, wanted, since))
            if not exists:
                return await self._create_record(structs.replace(wanted, name=name)), True
        return str(name), False

    async def own_rematch(self, request: Request) -> Response:
        """Answer with the rematch of a finished game, and a link to it with the rights of the asking link.

        A seat's link leads to the seat of the same person, because it is proof of this person. A link for one
        record leads to one record, and a link for the folder leads to the record by itself.

        Raises:
            Denied: There is no folder, the game is not over, no rematch exists, or the person of a seat
                has no seat in it.
        """
        return await self._answer_own_rematch(await self._api.linked_request(request), 200)

    async def _has_next_game(self, linked: LinkedRequest) -> bool:
        """Return whether the link leads to a rematch that has started."""
        try:
            await self._own_rematch(linked)
        except GamelogError:
            return False
        return True

    async def _answer_own_rematch(self, linked: LinkedRequest, status: int) -> Response:
        """Answer with the rematch and the link to it, as `own_rematch` describes."""
        name, token = await self._own_rematch(linked)
        return answer_json({"name": name, "api": f"/api/records/{quote(name)}", "token": token}, status)

    async def _own_rematch(self, linked: LinkedRequest) -> tuple[str, str]:
        """Return the name of the rematch, and the token of the link to it, as `own_rematch` describes.

        Raises:
            Denied: The link is not of a folder, or the rematch is not there yet.
        """
        grant, folder = linked.grant, self._api.folder
        if not folder.is_folder:
            raise Denied("table.role", "Only the links of a folder lead to a rematch.")
        wanted, since, people, by_players = await linked.ask(
            lambda view: (rematch_of(view), view.header.started, view.people, not has_scorer(view.header))
        )
        first = linked.record.name
        name, exists = await run_with_limit(lambda: _next_name(folder.path, first, wanted, since))
        record = await folder.record(name) if exists and name is not None else None
        now = await record.ask(lambda view: view.people, Grant("scorer"), NO_DELAY) if record else ()
        own = next(((person.name, person.id) for person in people if person.seat == grant.seat), None)
        taken = next((person.seat for person in now if (person.name, person.id) == own), "")
        if record is None and by_players:
            raise Denied(
                "table.no_rematch", "The next game has not started yet. Any of the players can start it."
            )
        if record is None or (own and not taken):
            raise Denied("table.no_rematch", "Your next game has not started yet. Ask the scorer.")
        token = folder.links.token(Grant(grant.role, taken, record.id if grant.record else ""))
        linked.record.check(grant)
        return record.name, token

    def _scorer(self, request: Request) -> Grant:
        """Return the grant of the scorer of a folder.

        Raises:
            Denied: The link cannot create records.
        """
        grant, _ = self._api.grant(request, None)
        if grant.role != "scorer" or grant.record or not self._api.folder.is_folder:
            raise Denied("table.role", "Only the scorer of this folder can start a game.")
        return grant

    async def _create_record(self, wanted: NewRecord) -> str:
        """Create a record, and return its name."""
        folder = self._api.folder

        def create_named() -> str:
            """Create the record, and return its name, by default a free name.

            Raises:
                Exists: The name is in use.
                Denied: No name is free.
            """
            names = _free_names(folder.path, wanted.game) if wanted.name is None else [wanted.name]
            for name in names:
                try:
                    _write_record(folder.path / f"{name}{RECORD_ENDING}", wanted)
                except Exists:
                    if wanted.name is not None:
                        raise
                else:
                    return name
            raise Denied("table.name", "There are too many records of this game today. Type a name.")

        name = await run_with_limit(create_named)
        folder.search_again()
        return name

    def _answer(self, grant: Grant, name: str, status: int) -> Response:
        """Answer with the name of a record, and the links that the link of `grant` can share."""
        folder = self._api.folder
        links = self._links(grant, name, folder.path / f"{name}{RECORD_ENDING}")
        folder.check(grant)
        return answer_json({"name": name, "api": f"/api/records/{quote(name)}", "links": links}, status)


def rematch_of(view: RecordView) -> NewRecord:
    """Return the description of a new record in which each person has the next seat.

    Raises:
        Denied: The game is not over, or its dice need new secrets of the players.
    """
    header = view.header
    if view.current.pending.outcome is None:
        raise Denied("table.not_over", "The game is not over yet, so no rematch can start.")
    if header.dice.source == "commit-reveal":
        raise Denied(
            "table.dice",
            "The dice of this game need new secrets of the players. Start the next game with gamelog new.",
        )
    people = view.people
    return _description(header, (*people[-1:], *people[:-1]))


def _description(header: Header, people: Sequence[Seat]) -> NewRecord:
    """Return the description of a record with this `header`, but with these `people` at its seats."""
    board = header.board if isinstance(header.board, dict) else board_name(header.board)
    names = [f"{person.name} <{person.id}>" if person.id else person.name for person in people]
    source, rolls = header.dice.source, header.rolls or "scorer"
    return NewRecord(
        header.game,
        dict(zip(header.seat_ids, names, strict=True)),
        board=board,
        options=header.options,
        dice=source,
        takebacks=usual_takebacks(source, rolls)
        if lacks_consent(header.takebacks, rolls)
        else header.takebacks,
        rolls=rolls,
        tags=header.tags,
    )


def _is_rematch(path: Path, wanted: NewRecord, since: str) -> bool:
    """Return whether the record at `path` is as `wanted` describes it, and not older than `since`."""
    try:
        header = read_opening(path).header
    except GamelogError:
        return False
    return header is not None and header.started >= since and _description(header, header.seats) == wanted


def _next_name(folder: Path, first: str, wanted: NewRecord, since: str) -> tuple[str | None, bool]:
    """Return the first name that is free or that the rematch of `first` has, and whether the rematch exists.

    Args:
        folder: The folder of the records.
        first: The name of the finished record.
        wanted: The description of the rematch.
        since: The start of the finished record.
    """
    for name in _following_names(first):
        path = folder / f"{name}{RECORD_ENDING}"
        if not path.exists():
            return name, False
        if _is_rematch(path, wanted, since):
            return name, True
    return None, False


def _following_names(name: str) -> Iterator[str]:
    """Yield the names for a rematch of the record `name`, unless they would be too long."""
    parts = REMATCH_NAME.fullmatch(name)
    first, number = (parts[1], int(parts[2])) if parts else (name, 1)
    for following in range(number + 1, number + MAX_SAME):
        wanted = f"{first}, game {following}"
        if len(wanted.encode()) <= MAX_NAMED:
            yield wanted


def _check_description(wanted: NewRecord) -> None:
    """Raise `Denied` if the name, the dice or the takebacks of a new record are not possible."""
    if wanted.name is not None and not is_record_name(wanted.name):
        raise Denied(
            "table.name",
            "A record's name can contain letters, digits and spaces, and at most 100 "
            "characters (80 in some alphabets).",
        )
    if wanted.name is not None and file_name_problem(f"{wanted.name}{RECORD_ENDING}"):
        raise Denied("table.name", "On Windows, this is the name of a device. Choose another name.")
    if wanted.dice not in ("table", "seeded"):
        raise Denied(
            "table.dice",
            '"dice" can be "table" or "seeded". To play with committed dice, start the game with '
            "gamelog new.",
        )


def _write_record(path: Path, wanted: NewRecord) -> None:
    """Create the record at `path` with the game, people and options of the request."""
    dice: Literal["table", "seeded"] = "seeded" if wanted.dice == "seeded" else "table"
    create(
        path,
        wanted.game,
        seats=wanted.seats,
        board=wanted.board,
        options=wanted.options,
        dice=dice,
        tags=wanted.tags,
        takebacks=wanted.takebacks,
        rolls=wanted.rolls,
    )


def _free_names(folder: Path, game: str) -> Iterator[str]:
    """Yield names of records that are not in `folder`, with the title of `game` and the day."""
    title = re.sub(r"[^\w .,()+-]|_", "", find(*game.split("@", 1)).title)[:60].strip() or "Game"
    today = f"{date.today().isoformat()} {title}"
    for number in range(1, MAX_SAME):
        name = f"{today} {number}"
        if is_record_name(name) and not (folder / f"{name}{RECORD_ENDING}").exists():
            yield name


def _offered_games(language: str) -> Iterator[dict[str, Any]]:
    """Yield the installed games, with texts in `language`. This loads and runs the code of each game."""
    for entry in installed_games():
        if entry.game is not None and "@" not in entry.name:
            yield _offered_game(entry.game, language)


def _offered_game(game: AnyGame, language: str) -> dict[str, Any]:
    """Return what the form for a new game needs, with texts in `language`."""
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
