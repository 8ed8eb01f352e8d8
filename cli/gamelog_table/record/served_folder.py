"""The records of a server: one file, or all records of a folder, found by their names only."""

from __future__ import annotations

import os
from collections.abc import Mapping
from math import inf
from pathlib import Path
from time import monotonic, time_ns
from typing import Any

import anyio.to_thread
from msgspec import structs

from gamelog.errors import GamelogError, NotReadable, RecordError
from gamelog.message import Message
from gamelog.play.contract.registry import find
from gamelog.record import chain
from gamelog.record.reading import check_regular_file, read_opening
from gamelog.record.record_file import RecordFile
from gamelog_table.access.links import OPEN_ROLES, Grant, LinkBook
from gamelog_table.live.followers import NO_DELAY, Delay
from gamelog_table.net.denied import BAD_LINK, Denied
from gamelog_table.record.record_source import RecordDue
from gamelog_table.record.served_record import ServedRecord

RECORD_ENDING = ".jsonl"
"""Ending of the file names of records that can be recorded to."""

_MAX_RECORDS = 10_000
"""Maximum number of records of a folder that are offered."""

_SETTLED_NS = 2_000_000_000
"""Nanoseconds after a folder's last change during which the server searches the folder again.

The clock of the file system may be coarse, and a new file may still be empty.
"""

_SEARCH_SECONDS = 0.2
"""Seconds between two searches of a folder that has just changed."""


def _is_served(entry: os.DirEntry[str]) -> bool:
    """Return whether a folder's entry is a record that can be served.

    A symbolic link could lead out of the folder, and a name that is not UTF-8 cannot be sent.
    """
    sendable = entry.name.encode(errors="ignore") == os.fsencode(entry.name)
    return sendable and entry.name.endswith(RECORD_ENDING) and entry.is_file(follow_symlinks=False)


def _title(game: str) -> str:
    """Return the title of a game, or its id if it is not installed or fails."""
    try:
        return find(game).title
    except GamelogError:
        return game


class ServedFolder:
    """The served records: the file `path`, or the records in the folder `path` itself."""

    def __init__(
        self,
        path: Path,
        *,
        renew: bool = False,
        delay: Delay = NO_DELAY,
        record_due: RecordDue | None = None,
    ) -> None:
        """Open the file or folder.

        Args:
            path: The record, or a folder with records.
            renew: Whether to replace all links by new ones.
            delay: The delay of spectators.
            record_due: Records what follows from secrets that the server keeps; None if it keeps none.

        Raises:
            NotReadable: The path does not exist.
        """
        self.path, self.delay, self._record_due = path, delay, record_due
        self.is_folder = path.is_dir()
        if not self.is_folder:
            RecordFile.open(path)
        self.links = LinkBook(
            path / ".gamelog.links" if self.is_folder else path.with_name(f"{path.name}.links"), renew=renew
        )
        self._served: dict[str, ServedRecord] = {}
        self._headers: dict[bytes, dict[str, Any]] = {}
        self._seen: dict[str, tuple[tuple[int, int, int], bytes]] = {}
        self._names: dict[str, Path] = {} if self.is_folder else {path.name.removesuffix(RECORD_ENDING): path}
        self._changed: int | None = None
        self._search_again_at = 0.0
        self._owners: dict[Grant, str] = {}
        self._owners_in: dict[str, Path] = {}

    def delay_of(self, grant: Grant) -> Delay:
        """Return the delay of a link: only spectators have one."""
        return self.delay if grant.role == "spectator" else NO_DELAY

    @property
    def home(self) -> Path:
        """The folder of the records."""
        return self.path if self.is_folder else self.path.parent

    def names(self) -> dict[str, Path]:
        """Return the records by name: the file name without the ending.

        Raises:
            NotReadable: The folder cannot be searched.
        """
        if self.is_folder:
            try:
                self._search()
            except OSError as error:
                raise NotReadable(
                    Message.of(
                        "{=path} cannot be searched: {=error}.",
                        path=str(self.path),
                        error=error.strerror or "",
                    )
                ) from None
        return self._names

    def _search(self) -> None:
        """Search the folder if it has changed or may still be changing."""
        changed = self.path.stat().st_mtime_ns
        if changed == self._changed and monotonic() < self._search_again_at:
            return
        settled = time_ns() - changed > _SETTLED_NS
        entries = sorted(entry.name for entry in os.scandir(self.path) if _is_served(entry))
        self._names = {name.removesuffix(RECORD_ENDING): self.path / name for name in entries[:_MAX_RECORDS]}
        self._changed, self._search_again_at = changed, inf if settled else monotonic() + _SEARCH_SECONDS

    def state(self) -> int:
        """Return a number that changes if a record is added; 0 for a file or an unreadable folder."""
        try:
            return self.path.stat().st_mtime_ns if self.is_folder else 0
        except OSError:
            return 0

    def search_again(self) -> None:
        """Search the folder again at the next request, because there is a new record."""
        self._changed = None

    def path_of(self, name: str) -> Path | None:
        """Return the file of the record `name`, or None. Other paths are never found."""
        if name in self._served:
            return self._served[name].path
        return self.names().get(name)

    async def record(self, name: str) -> ServedRecord | None:
        """Return the record `name`, which is read at its first request, or None."""
        known = self.requested_record(name)
        if known is not None:
            return known
        path = await anyio.to_thread.run_sync(self.path_of, name)
        if path is None:
            return None
        record = self._served.setdefault(name, ServedRecord(path, name, self._record_due, self.links))
        await record.open()
        return record

    @property
    def open_records(self) -> list[ServedRecord]:
        """The records that have been requested."""
        return list(self._served.values())

    def header_data(self, path: Path) -> dict[str, Any] | None:
        """Return game, seats, tags and id from the header of the record at `path`, or None."""
        try:
            state = os.stat(path)
            known = self._seen.get(path.name)
            status = state.st_ino, state.st_size, state.st_mtime_ns
            if known is not None and known[0] == status:
                return self._headers[known[1]]
            check_regular_file(path)
            with path.open("rb") as file:
                key = file.read(chain.PREFIX_BYTES)  # the digest of the line
            if key not in self._headers:
                header = read_opening(path).header
                if header is None:
                    return None
                people = [{"seat": seat.seat, "name": seat.name or seat.seat} for seat in header.seats]
                self._headers[key] = {
                    "id": header.id,
                    "game": header.game,
                    "title": _title(header.game),
                    "started": header.started,
                    "seats": people,
                    "tags": header.tags,
                }
        except (OSError, RecordError):
            return None
        self._seen[path.name] = status, key
        return self._headers[key]

    def requested_record(self, name: str) -> ServedRecord | None:
        """Return the record `name` if it has been requested and its file has not got another record since."""
        record = self._served.get(name)
        if record is None:
            return None
        header = self.header_data(record.path)
        if header is not None and record.id not in ("", header["id"]):
            record.mark_replaced()
        if record.is_replaced:
            del self._served[name]
            return None
        return record

    def record_grants(self, path: Path) -> tuple[Grant, ...]:
        """Return the grants for the record at `path` alone: of its seats, and in a folder of each role."""
        header = self.header_data(path)
        if header is None:
            return ()
        seats = (Grant("seat", seat["seat"], header["id"]) for seat in header["seats"])
        roles = (Grant(role, record=header["id"]) for role in OPEN_ROLES) if self.is_folder else ()
        return (*seats, *roles)

    def names_by_grant(self) -> dict[Grant, str]:
        """Return the grants for one record, of all records, each with its record's name."""
        places = self.names()
        if self._owners_in is not places:
            owners = {grant: name for name, path in places.items() for grant in self.record_grants(path)}
            self.links.add(owners)
            self._owners, self._owners_in = owners, places
        return self._owners

    def check(self, grant: Grant) -> None:
        """Raise `Denied` if the link of `grant`, which was shown before, has been withdrawn since."""
        if grant.secret_number not in (None, self.links.secret_number):
            raise Denied("table.bad_link", BAD_LINK)

    def grant(self, token: str, name: str | None = None) -> tuple[Grant, str | None] | None:
        """Return the grant of `token`, with its record if it is for one, or None if it is unknown.

        With `name` only the links of this record are searched.
        """
        if not self.is_folder:
            (name,) = self._names if name is None else (name,)
        if name is None:
            owners: Mapping[Grant, str] = self.names_by_grant()
        else:
            # A name without a record costs the same work as others, so the time of a refusal shows no record.
            places, served = self.names(), self._served.get(name)
            path = served.path if served else places.get(name)
            grants = self.record_grants(path or next(iter(places.values()), self.path))
            owners = dict.fromkeys(grants if path else (), name)
            self.links.add(grants)
        grant = self.links.find_grant(token)
        if grant is None:
            return None
        owned = structs.replace(grant, secret_number=None)
        if grant.record and owned not in owners:
            return None
        return grant, owners.get(owned, None if self.is_folder else name)
