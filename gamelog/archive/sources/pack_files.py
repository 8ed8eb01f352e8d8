"""The files of packs, on this machine and in remote stores, for DuckDB."""

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
from gamelog.message import Message
from gamelog.record.reading import read_error

if TYPE_CHECKING:
    import duckdb

_SCHEME = "gamelog-store"
"""Protocol in the name under which DuckDB reads a remote pack."""

_MAX_WHOLE_FETCH = 4 << 20
"""Largest size in bytes of a remote file that is fetched whole."""

_MIN_FETCH = 64 << 10
"""Smallest number of bytes to fetch. It is doubled each time that DuckDB needs the bytes that follow."""

_MAX_DOUBLINGS = 6
"""Largest number of times that `_MIN_FETCH` is doubled."""

_MAX_CACHED = 256 << 20
"""Largest number of bytes of a remote file in memory, in addition to its last part."""

_MAX_EMPTY_PARTS = 1000
"""Number of fetched parts without a row after which reading a file fails."""


class LocalFile:
    """A file on this machine, which DuckDB reads directly."""

    is_remote = False

    def __init__(self, path: str) -> None:
        """Open the pack at `path`.

        Raises:
            NotReadable: There is no file at `path`.
        """
        if not os.path.isfile(path):
            text = "{=path} is a folder, not a pack." if os.path.isdir(path) else "{=path} does not exist."
            raise NotReadable(Message.of(text, path=path))
        self._path = path
        self._facts = self._read_facts()
        self.size = self._facts[0]
        self._digest = b""

    def _read_facts(self) -> tuple[int, int, int]:
        """Return the size, time of change and inode of the file.

        Raises:
            NotReadable: The file cannot be read.
        """
        try:
            status = os.stat(self._path)
        except OSError as error:
            raise read_error(self._path, error) from None
        return status.st_size, status.st_mtime_ns, status.st_ino

    def register(self, _connection: duckdb.DuckDBPyConnection) -> str:
        """Return the name under which a connection reads the file."""
        return connecting.escape_pattern(self._path)

    def fetch_missing_part(self) -> bool:
        """Return False: DuckDB cannot continue after an error."""
        return False

    def advance(self) -> None:
        """Do nothing: a local file needs no action when DuckDB returns rows."""

    def confirm(self) -> bool:
        """Read the whole file, and return whether its checksum is the same as at the last call.

        Raises:
            NotReadable: The file is gone or may not be read.
            ReadFailed: Reading fails, or the file was replaced.
        """
        try:
            with open(self._path, "rb") as file:
                digest = file_digest(file, "sha256").digest()
        except OSError as error:
            raise read_error(self._path, error) from None
        if self._read_facts() != self._facts:
            raise _replaced_error(self._path)
        same, self._digest = digest == self._digest, digest
        return same


class RemoteFile:
    """A file in a remote store, of which DuckDB reads the parts that were fetched.

    If DuckDB needs another part, its query fails, the part is fetched, and the query is repeated. A query
    that waited for the network itself could not be interrupted, and would hide the errors of the store.
    """

    is_remote = True

    def __init__(self, url: str) -> None:
        self._url = url
        self.size, self._fingerprint = remote.file_facts(url)
        self._parts: dict[int, bytes] = {}
        self._unconfirmed_parts: dict[tuple[int, int], bytes] = {}
        self._wanted_range: tuple[int, int] | None = None
        self._behind = -1
        self._doublings = self._empty_parts = 0

    def register(self, connection: duckdb.DuckDBPyConnection) -> str:
        """Make the file readable for `connection`, and return its name there."""
        name = f"{_SCHEME}://pack"
        store = import_module("fsspec").AbstractFileSystem(skip_instance_cache=True)
        store.protocol = _SCHEME
        store.info = lambda path, *_, **_options: {"name": path, "size": self.size, "type": "file"}
        store.size = lambda *_: self.size
        store.modified = lambda *_: datetime.fromtimestamp(0, UTC)
        store.open = lambda *_, **_options: _Handle(self)
        connection.register_filesystem(store)
        return name

    def read(self, start: int, end: int) -> bytes:
        """Return bytes of a fetched part.

        Args:
            start: The offset of the first byte.
            end: The offset after the last byte. The end of the file cuts it.

        Raises:
            OSError: The bytes are not fetched. `fetch_missing_part` fetches them then.
        """
        end = min(end, self.size)
        for begin, data in self._parts.items():
            if begin <= start and end <= begin + len(data):
                return data[start - begin : end - begin]
        self._wanted_range = start, end
        raise OSError("not fetched yet")

    def fetch_missing_part(self) -> bool:
        """Fetch the part that DuckDB needed, and return whether there was one.

        Raises:
            NotReadable: The file was replaced, or cannot be read part by part.
            ReadFailed: The store does not answer.
        """
        if self._wanted_range is None:
            return False
        start, end = self._wanted_range
        self._wanted_range = None
        self._doublings = min(self._doublings + 1, _MAX_DOUBLINGS) if start <= self._behind < end else 0
        reach = _MIN_FETCH << self._doublings
        self._empty_parts += 1
        if self._empty_parts > _MAX_EMPTY_PARTS:
            text = "Cannot read {=url} part by part. Copy the file to this machine first."
            raise NotReadable(Message.of(text, url=self._url))
        if self.size <= _MAX_WHOLE_FETCH:
            start, end = 0, self.size
        elif start + reach > self.size:
            start, end = max(0, min(start, self.size - reach)), self.size
        else:
            end = max(end, start + reach)
        self._behind = end
        self._keep(start, self._fetch(start, end))
        return True

    def _keep(self, start: int, data: bytes) -> None:
        """Keep a part in memory. If the parts exceed `_MAX_CACHED` bytes, drop the oldest.

        The first part stays, because it has the table of contents.
        """
        cached_bytes = sum(map(len, self._parts.values()))
        for old in [*self._parts][1:]:
            if cached_bytes + len(data) <= _MAX_CACHED:
                break
            cached_bytes -= len(self._parts.pop(old))
        self._parts[start] = data

    def _fetch(self, start: int, end: int) -> bytes:
        data = remote.fetch_range(self._url, start, end)
        self._unconfirmed_parts[start, end] = sha256(data).digest()
        return data

    def advance(self) -> None:
        """Note that DuckDB returned rows from the fetched parts."""
        self._empty_parts = 0

    def confirm(self) -> bool:
        """Fetch all new parts again, and return whether they are the same. Otherwise drop all parts.

        Raises:
            ReadFailed: Reading fails, or the file was replaced.
        """
        first, self._unconfirmed_parts = self._unconfirmed_parts, {}
        for (start, end), digest in first.items():
            if sha256(remote.fetch_range(self._url, start, end)).digest() != digest:
                self._parts.clear()
                self._unconfirmed_parts.clear()
                self._check_unchanged()
                return False
        if (
            first and self.size > _MAX_WHOLE_FETCH
        ):  # if the file was replaced meanwhile, its parts do not fit together
            self._check_unchanged()
        return bool(self._parts) or not self.size

    def _check_unchanged(self) -> None:
        if remote.file_facts(self._url) != (self.size, self._fingerprint):
            raise _replaced_error(self._url)


def _replaced_error(path: str) -> ReadFailed:
    return ReadFailed(Message.of("{=path} was changed while it was read. Try again.", path=path))


class _Handle(RawIOBase):
    """A remote file, opened by DuckDB."""

    def __init__(self, file: RemoteFile) -> None:
        self._file = file
        self._position = 0

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._file.size}[whence]
        self._position = base + offset
        return self._position

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(self._position, self._file.size if size < 0 else self._position + size)
        self._position += len(data)
        return data

    def readinto(self, buffer: Any) -> int:
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
