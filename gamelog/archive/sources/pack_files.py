"""The files in which packs are, here and in remote stores, as DuckDB reads them."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from importlib import import_module
from io import RawIOBase
from typing import TYPE_CHECKING, Any

from gamelog.archive.schema import connecting
from gamelog.archive.sources import remote
from gamelog.errors import NotReadable, ReadFailed
from gamelog.record.reading import cannot_read

if TYPE_CHECKING:
    import duckdb

SCHEME = "gamelog-store"
"""What DuckDB takes a remote pack's name for."""

WHOLE = 4 << 20
"""A remote file of so many bytes at most is fetched whole: as much as one part of a larger one."""

REACH = 64 << 10
"""Bytes that are fetched at least; twice as many each time that what follows them is wanted next."""

_FARTHEST = 6
"""So many times the reach is doubled."""

HELD = 256 << 20
"""Bytes of a remote file that are held at most, besides its last part."""

_STALLED = 1000
"""After so many parts of which nothing came, a file is given up."""


class LocalFile:
    """A file of this machine. DuckDB reads it by itself."""

    far = False

    def __init__(self, path: str) -> None:
        if not os.path.isfile(path):
            raise NotReadable(
                f"{path} {'is a folder, not a pack' if os.path.isdir(path) else 'does not exist'}."
            )
        self._path = path
        self._facts = self._look()
        self.size = self._facts[0]
        self._digest = b""

    def _look(self) -> tuple[int, int, int]:
        """Size, time of change and inode of the file."""
        try:
            status = os.stat(self._path)
        except OSError as error:
            raise cannot_read(self._path, error) from None
        return status.st_size, status.st_mtime_ns, status.st_ino

    def lend(self, _connection: duckdb.DuckDBPyConnection) -> str:
        """The file's name for a connection."""
        return connecting.escape_pattern(self._path)

    def more(self) -> bool:
        """Whether DuckDB, which failed, gets further now."""
        return False

    def advance(self) -> None:
        """Take note that something came of what was read."""

    def confirm(self) -> bool:
        """Whether the file was read whole and had the same checksum the last time.

        Raises `NotReadable`, and `ReadFailed`, also when the file is not the one it was.
        """
        try:
            with open(self._path, "rb") as file:
                digest = file_digest(file, "sha256").digest()
        except OSError as error:
            raise cannot_read(self._path, error) from None
        if self._look() != self._facts:
            raise _replaced(self._path)
        same, self._digest = digest == self._digest, digest
        return same


class RemoteFile:
    """A file in a remote store, of which DuckDB sees the parts that were fetched.

    What DuckDB wants besides is fetched between two of its queries: a query that waits for a network can be
    stopped by nobody, and makes an error of its own of what goes wrong there.
    """

    far = True

    def __init__(self, url: str) -> None:
        self._url = url
        self.size, self._fingerprint = remote.file_facts(url)
        self._parts: dict[int, bytes] = {}
        self._unconfirmed: dict[tuple[int, int], bytes] = {}
        self._wanted: tuple[int, int] | None = None
        self._behind = -1
        self._doubled = self._stalled = 0

    def lend(self, connection: duckdb.DuckDBPyConnection) -> str:
        """The file's name for `connection`, which can read it from now on."""
        name = f"{SCHEME}://pack"
        store = import_module("fsspec").AbstractFileSystem(skip_instance_cache=True)
        store.protocol = SCHEME
        store.info = lambda path, *_, **_how: {"name": path, "size": self.size, "type": "file"}
        store.size = lambda *_: self.size
        store.modified = lambda *_: datetime.fromtimestamp(0, UTC)
        store.open = lambda *_, **_how: _Handle(self)
        connection.register_filesystem(store)
        return name

    def read(self, start: int, end: int) -> bytes:
        """A part that was fetched. Raises OSError for any other, which is then fetched by `more`."""
        end = min(end, self.size)
        for begin, data in self._parts.items():
            if begin <= start and end <= begin + len(data):
                return data[start - begin : end - begin]
        self._wanted = start, end
        raise OSError("not fetched yet")

    def more(self) -> bool:
        """Fetch what DuckDB has wanted, and say whether there was anything.
        Raises `NotReadable` and `ReadFailed`.
        """
        if self._wanted is None:
            return False
        start, end = self._wanted
        self._wanted = None
        self._doubled = min(self._doubled + 1, _FARTHEST) if start <= self._behind < end else 0
        reach = REACH << self._doubled
        self._stalled += 1
        if self._stalled > _STALLED:
            raise NotReadable(f"{self._url} cannot be read part by part; copy it to this machine first.")
        if self.size <= WHOLE:
            start, end = 0, self.size
        elif start + reach > self.size:
            start, end = max(0, min(start, self.size - reach)), self.size
        else:
            end = max(end, start + reach)
        self._behind = end
        self._keep(start, self._fetched(start, end))
        return True

    def _keep(self, start: int, data: bytes) -> None:
        """Hold a part, and let go of the oldest but the first, where DuckDB looks up what is in the file."""
        held = sum(map(len, self._parts.values()))
        for old in [*self._parts][1:]:
            if held + len(data) <= HELD:
                break
            held -= len(self._parts.pop(old))
        self._parts[start] = data

    def _fetched(self, start: int, end: int) -> bytes:
        data = remote.fetch_range(self._url, start, end)
        self._unconfirmed[start, end] = sha256(data).digest()
        return data

    def advance(self) -> None:
        """Take note that something came of what was fetched."""
        self._stalled = 0

    def confirm(self) -> bool:
        """Whether all that was fetched is the same when fetched again; otherwise all of it is forgotten.

        Raises `ReadFailed`, also when the file is not the one it was.
        """
        first, self._unconfirmed = self._unconfirmed, {}
        for (start, end), digest in first.items():
            if sha256(remote.fetch_range(self._url, start, end)).digest() != digest:
                self._parts.clear()
                self._unconfirmed.clear()
                self._unchanged()
                return False
        if first and self.size > WHOLE:  # parts of one file may be those of two
            self._unchanged()
        return bool(self._parts) or not self.size

    def _unchanged(self) -> None:
        if remote.file_facts(self._url) != (self.size, self._fingerprint):
            raise _replaced(self._url)


def _replaced(path: str) -> ReadFailed:
    return ReadFailed(f"{path} was changed while it was read; try again.")


class _Handle(RawIOBase):
    """A remote file as DuckDB opens it."""

    def __init__(self, file: RemoteFile) -> None:
        self._file = file
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._file.size}[whence]
        self._at = base + offset
        return self._at

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(self._at, self._file.size if size < 0 else self._at + size)
        self._at += len(data)
        return data

    def readinto(self, buffer: Any) -> int:
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
