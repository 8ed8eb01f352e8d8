"""The records that a server offers: one file, or all of a folder,
found by their names and by nothing else.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import anyio.to_thread

from gamelog.errors import NotReadable, RecordError
from gamelog.record.log import Log
from gamelog.record.reading import read_opening
from gamelog_table.followers import Delay
from gamelog_table.links import Grant, LinkBook
from gamelog_table.served_record import ServedRecord, Unasked

RECORD_ENDING = ".jsonl"

MOST_RECORDS = 10_000
"""Records of a folder that are offered."""


def _offered(entry: os.DirEntry[str]) -> bool:
    """Whether a folder's entry is a record's file; a link may lead out of the folder, and is not, and a name
    that is not UTF-8 cannot be sent.
    """
    sendable = entry.name.encode(errors="ignore") == os.fsencode(entry.name)
    return sendable and entry.name.endswith(RECORD_ENDING) and entry.is_file(follow_symlinks=False)


class ServedFolder:
    """What is served: the file `path`, or the records that lie in the folder `path` itself."""

    def __init__(
        self,
        path: Path,
        *,
        renew: bool = False,
        delay: Delay = Delay(),  # noqa: B008 - it is frozen
        unasked: Unasked | None = None,
    ) -> None:
        """`unasked` writes what follows from secrets that the server keeps. Raises `NotReadable` for a path
        that leads nowhere, and what `LinkBook` raises.
        """
        self.path, self.delay, self._unasked = path, delay, unasked
        self.is_folder = path.is_dir()
        if not self.is_folder:
            Log.open(path)
        self.links = LinkBook(
            path / ".gamelog.links" if self.is_folder else path.with_name(f"{path.name}.links"), renew=renew
        )
        self._served: dict[str, ServedRecord] = {}
        self._seats: dict[tuple[str, int], tuple[Grant, ...]] = {}

    @property
    def home(self) -> Path:
        """The folder in which the records lie."""
        return self.path if self.is_folder else self.path.parent

    def names(self) -> dict[str, Path]:
        """The records by their names, their files' without the ending."""
        if not self.is_folder:
            return {self.path.name.removesuffix(RECORD_ENDING): self.path}
        try:
            entries = sorted(entry.name for entry in os.scandir(self.path) if _offered(entry))
        except OSError as error:
            raise NotReadable(f"{self.path} cannot be searched: {error.strerror}.") from None
        return {name.removesuffix(RECORD_ENDING): self.path / name for name in entries[:MOST_RECORDS]}

    def place(self, name: str) -> Path | None:
        """The file of the record called `name`: one that is there, whatever else the name may look like."""
        if name in self._served:
            return self._served[name].path
        return self.names().get(name)

    async def record(self, name: str) -> ServedRecord | None:
        """The record called `name`, read when it is first asked for."""
        if name in self._served:
            return self._served[name]
        path = await anyio.to_thread.run_sync(self.place, name)
        if path is None:
            return None
        record = self._served.setdefault(name, ServedRecord(path, name, self._unasked))
        await record.open()
        return record

    @property
    def open_records(self) -> list[ServedRecord]:
        """Those that have been asked for."""
        return list(self._served.values())

    def headed(self, path: Path) -> dict[str, Any] | None:
        """What the first line of the record at `path` says: game, seats, tags, id;
        None where it is not a record's.
        """
        try:
            header = read_opening(path).header
        except RecordError:
            return None
        if header is None:
            return None
        people = [{"seat": seat.seat, "name": seat.name or seat.seat} for seat in header.seats]
        return {
            "id": header.id,
            "game": header.game,
            "started": header.started,
            "seats": people,
            "tags": header.tags,
        }

    def seat_grants(self, path: Path) -> tuple[Grant, ...]:
        """The grants of the seats of the record at `path`."""
        try:
            found = path.stat()
        except OSError:
            return ()
        key = (str(path), found.st_ino)
        if key not in self._seats:
            header = self.headed(path)
            if header is None:
                return ()
            self._seats[key] = tuple(Grant("seat", seat["seat"], header["id"]) for seat in header["seats"])
        return self._seats[key]

    def grant(self, token: str, name: str | None = None) -> tuple[Grant, str | None] | None:
        """What `token` allows, with the record that it is for where it is for one;
        asked of `name` alone where that is given.
        """
        places = self.names() if name is None else {name: path} if (path := self.place(name)) else {}
        seats = {grant: record for record, path in places.items() for grant in self.seat_grants(path)}
        grant = self.links.find_grant(token, seats)
        return (
            None
            if grant is None
            else (grant, seats.get(grant) or (None if self.is_folder else next(iter(places), None)))
        )
