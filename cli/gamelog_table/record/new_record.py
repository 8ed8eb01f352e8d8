"""New records in a folder: from a description, or as the rematch of a finished game."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Literal
from unicodedata import category

from msgspec import Struct, structs

from gamelog.errors import Exists, GamelogError
from gamelog.play.contract.boards import board_name
from gamelog.play.contract.registry import find
from gamelog.play.recording.header import default_takebacks, lacks_consent, named_seats, start_header
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import Header, Seat
from gamelog.record.names import file_name_problem
from gamelog.record.reading import read_opening
from gamelog.record.record_file import create_record
from gamelog_table.access.links import Grant
from gamelog_table.access.permissions import has_scorer
from gamelog_table.live.followers import NO_DELAY
from gamelog_table.net.denied import Denied
from gamelog_table.record.served_folder import RECORD_ENDING, ServedFolder
from gamelog_table.record.served_record import ServedRecord
from gamelog_table.record.worker_thread import run_with_limit

RECORD_NAME = re.compile(r"[^\W_](?:[\w .,()+-]{0,98}[\w)])?")
"""The names of new records: letters and digits, with characters between them that all file systems allow."""

REMATCH_NAME = re.compile(r"(.+), game (\d{1,4})", re.DOTALL)
"""The names of rematches: the name of the first record, and a number."""

MAX_NAME_BYTES = 240
"""Maximum size of a name in bytes, which leaves room for the endings of the record's other files."""

MAX_SAME_DAY_RECORDS = 1_000
"""Maximum number of records with the same title and day for which the server makes a name."""


def is_record_name(name: str) -> bool:
    """Return whether `name` is a valid record name. Marks of letters (vowels, accents) are allowed."""
    plain = "".join("_" if category(letter).startswith("M") else letter for letter in name)
    return RECORD_NAME.fullmatch(plain) is not None and len(name.encode()) <= MAX_NAME_BYTES


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


class RecordCreator:
    """The creation of new records in `folder`, and of rematches of finished games."""

    def __init__(self, folder: ServedFolder) -> None:
        self._folder = folder
        # A record that is being created does not look like a rematch yet, so the next request waits for it.
        self._one_rematch = asyncio.Lock()

    async def create(self, wanted: NewRecord) -> str:
        """Create a record, and return its name.

        Raises:
            Exists: The name is in use.
            Denied: No name is free.
        """
        folder = self._folder

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

    async def start_rematch(self, record: ServedRecord, grant: Grant) -> tuple[str, bool]:
        """Return the name of the rematch of a finished game, and whether it was created now."""
        wanted, since = await record.ask(
            lambda view: (rematch_of(view), view.header.started), grant, self._folder.delay_of(grant)
        )
        folder, first = self._folder.path, record.name
        async with self._one_rematch:
            name, exists = await run_with_limit(lambda: _next_name(folder, first, wanted, since))
            if not exists:
                return await self.create(structs.replace(wanted, name=name)), True
        return str(name), False

    async def has_rematch(self, record: ServedRecord, grant: Grant) -> bool:
        """Return whether a link of `grant` leads to a rematch of `record` that has started."""
        try:
            await self.own_rematch(record, grant)
        except GamelogError:
            return False
        return True

    async def own_rematch(self, record: ServedRecord, grant: Grant) -> tuple[str, str]:
        """Return the name of the rematch of `record`, and a link's token with the rights of `grant` in it.

        A seat's link leads to the seat of the same person, because it is proof of this person. A link for one
        record leads to one record, and a link for the folder leads to the record by itself.

        Raises:
            Denied: The link is not of a folder, the game is not over, no rematch exists, or the person of a
                seat has no seat in it.
        """
        folder = self._folder
        if not folder.is_folder:
            raise Denied("table.role", "Only the links of a folder lead to a rematch.")
        wanted, since, people, by_players = await record.ask(
            lambda view: (rematch_of(view), view.header.started, view.people, not has_scorer(view.header)),
            grant,
            self._folder.delay_of(grant),
        )
        first = record.name
        name, exists = await run_with_limit(lambda: _next_name(folder.path, first, wanted, since))
        following = await folder.record(name) if exists and name is not None else None
        now = await following.ask(lambda view: view.people, Grant("scorer"), NO_DELAY) if following else ()
        own = next(((person.name, person.id) for person in people if person.seat == grant.seat), None)
        taken = next((person.seat for person in now if (person.name, person.id) == own), "")
        if following is None and by_players:
            raise Denied(
                "table.no_rematch", "The next game has not started yet. Any of the players can start it."
            )
        if following is None or (own and not taken):
            raise Denied("table.no_rematch", "Your next game has not started yet. Ask the scorer.")
        token = folder.links.token(Grant(grant.role, taken, following.id if grant.record else ""))
        record.check(grant)
        return following.name, token


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
        takebacks=default_takebacks(source, rolls)
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
    for following in range(number + 1, number + MAX_SAME_DAY_RECORDS):
        wanted = f"{first}, game {following}"
        if len(wanted.encode()) <= MAX_NAME_BYTES:
            yield wanted


def check_description(wanted: NewRecord) -> None:
    """Raise `Denied` if the name, the dice or the takebacks of a new record are not possible."""
    if wanted.name is not None and not is_record_name(wanted.name):
        raise Denied(
            "table.name",
            "A record's name begins with a letter or a digit. It can contain letters, digits, spaces and the "
            "signs . , ( ) + - _, and at most 100 characters (80 in some alphabets).",
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
    game = find(*wanted.game.split("@", 1))
    header = start_header(
        game,
        named_seats(game, wanted.seats),
        board=wanted.board,
        options=wanted.options,
        dice=dice,
        tags=wanted.tags,
        takebacks=wanted.takebacks,
        rolls=wanted.rolls,
    )
    create_record(path, header)


def _free_names(folder: Path, game: str) -> Iterator[str]:
    """Yield names of records that are not in `folder`, with the title of `game` and the day."""
    title = re.sub(r"[^\w .,()+-]|_", "", find(*game.split("@", 1)).title)[:60].strip() or "Game"
    today = f"{date.today().isoformat()} {title}"
    for number in range(1, MAX_SAME_DAY_RECORDS):
        name = f"{today} {number}"
        if is_record_name(name) and not (folder / f"{name}{RECORD_ENDING}").exists():
            yield name
