"""Packs: many records in one Parquet file, from which each comes back byte for byte.

Digests are noise that no compression gets at, and event numbers follow from the order, so a pack
holds the bodies of a record without both, and one final head; the chain is computed again when a
record is taken out, and compared. What cannot be had back like this (a broken chain, a torn tail,
numbers written in an unusual way) is stored as it is. Beside each record stands what its header
and its judge say, for whoever opens the file with any reader of Parquet.

Records lie in the order of their names, in row groups of a few megabytes, so that taking one
out reads little of the rest.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, TypeVar

from gamelog.archive.schema import connecting
from gamelog.archive.sources import remote
from gamelog.archive.sources.pack_files import LocalFile, RemoteFile
from gamelog.archive.sources.stripping import restore
from gamelog.errors import Damaged, NotReadable, ReadFailed, RecordError, clause
from gamelog.message import many
from gamelog.record import chain, discovery
from gamelog.record.envelope import MAX_RECORD
from gamelog.record.escaping import visible
from gamelog.record.reading import Record, cannot_read, parse_record

_T = TypeVar("_T")

ENDING = ".gamelog.parquet"
"""How packs are called, so that a folder's packs are found."""

MARK = "gamelog_pack"
PACK_VERSION = b"1"
"""In the Parquet file's metadata; another version is refused."""

_MAGIC = b"PAR1"

CHUNK = 20
"""Rows that are asked for at a time while a pack is read."""

_MEMORY = "2GB"
"""What DuckDB may hold while it reads a pack: several of the longest records, packed and unpacked."""

RATIO = 2_000
"""How many times its own bytes a pack may say that it holds, beyond one record of the largest size."""

ROW = 16
"""Bytes of its file that a record takes at least, beyond the first `_FREE_RECORDS`: its head alone, which is
noise, takes twice as many."""

_FREE_RECORDS = 10_000

LONGEST_NAME = 4_096
"""Characters of a record's name."""

_NAME = frozenset("\\:\0")
"""What stands in no name."""

_INDEX = """
    SELECT file_row_number, CASE WHEN length(name::VARCHAR) <= $longest THEN name::VARCHAR END,
      TRY_CAST(size AS BIGINT)
    FROM read_parquet($path, file_row_number = true) WHERE file_row_number BETWEEN $first AND $last"""

_CONTENT = """
    SELECT file_row_number, left(head::VARCHAR, 43),
      CASE WHEN strlen(lines) <= TRY_CAST(size AS BIGINT) THEN lines END,
      CASE WHEN octet_length(raw) = TRY_CAST(size AS BIGINT) THEN raw END
    FROM read_parquet($path, file_row_number = true) WHERE file_row_number BETWEEN $first AND $last"""
"""Strings and bytes that are longer than the record is said to be are not brought here.
(A join would hold them all.)
"""

_LAST_ROW = 1 << 62


def is_pack(path: str | os.PathLike[str]) -> bool:
    """Whether a file should be a pack: by its name, or, without a record's ending, by its first bytes.

    Raises `ReadFailed`, and `NotReadable` for a URL at which there is nothing.
    """
    name = os.fspath(path)
    if name.endswith(ENDING) or name.endswith(discovery.ENDINGS):
        return name.endswith(ENDING)
    if remote.is_remote(path):
        return remote.begins(name, _MAGIC)
    if not os.path.isfile(path):  # opening a pipe would wait for its writer
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise cannot_read(path, error) from None


class Pack:
    """A pack, open for reading.

    Whatever its file holds, reading takes memory in proportion to one record, and no more than DuckDB may
    have (`_MEMORY`); a record is refused before it is held when it is longer than it says, or than a record
    can be. Nothing is called damaged before its bytes were read twice and had the same checksum.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open the pack at a path or URL.

        Raises `NotReadable` when it is missing, `ReadFailed`, `Damaged` when it is not one or not whole,
        `MissingExtra`.
        """
        import duckdb

        self.path = os.fspath(path)
        self._file = RemoteFile(self.path) if remote.is_remote(self.path) else LocalFile(self.path)
        self._connection = duckdb.connect()
        try:
            connecting.disable_progress_bar(self._connection)
            for setting in (
                f"SET memory_limit = '{_MEMORY}'",
                "SET threads = 1",
                "SET temp_directory = ''",
                "SET enable_external_file_cache = false",
                "SET streaming_buffer_size = '16KB'",
            ):
                self._connection.execute(setting)
            self._source = self._file.lend(self._connection)
            self._confirmed(self._check_version)
        except BaseException:
            self.close()
            raise

    def _check_version(self) -> None:
        known = "SELECT 0, count(*) FROM parquet_kv_metadata($path) WHERE key = $mark AND value = $version"
        if [*self._run(known, mark=MARK.encode(), version=PACK_VERSION)] != [(0, 1)]:
            raise Damaged(f"{self.path} is not a pack of records, or one of another version.")

    def _confirmed(self, read: Callable[[], _T]) -> _T:
        """What `read` gives or raises, of bytes that are as they were the second time.

        What is here and can be read is taken as it is. Raises `ReadFailed`.
        """
        last: Damaged | None = None
        for _ in range(remote.ATTEMPTS):
            try:
                given = read()
            except Damaged as error:
                if self._file.confirm():
                    raise
                last = error
            else:
                if not self._file.far or self._file.confirm():
                    return given
                last = None
        raise self._unsteady(last)

    def _unsteady(self, last: Damaged | None = None) -> ReadFailed:
        why = f" ({clause(last)})" if last else ""
        return ReadFailed(f"{self.path} was not read: its bytes came differently each time{why}. Try again.")

    @cached_property
    def index(self) -> dict[str, int | Damaged]:
        """What the pack holds, in order: each record's name and bytes, or why it cannot be taken out.

        One whose own name is not a name of a file in a folder, or was another's before, is called by its
        place: ``:3``. Raises `Damaged` for what is not a pack, or says that it holds more than its file can,
        and `ReadFailed`.
        """
        return self._contents[0]

    @cached_property
    def misnamed(self) -> dict[str, int]:
        """The bytes of each record that comes out but for its name, by its place. Raises like `index`."""
        return self._contents[1]

    @cached_property
    def _contents(self) -> tuple[dict[str, int | Damaged], dict[str, int]]:
        return self._confirmed(self._read_contents)

    def _read_contents(self) -> tuple[dict[str, int | Damaged], dict[str, int]]:
        found: dict[str, int | Damaged] = {}
        misnamed: dict[str, int] = {}
        total = 0
        for at, (_, name, size) in enumerate(self._rows(_INDEX, longest=LONGEST_NAME), 1):
            wrong_size = _wrong_size(size)
            trouble = _wrong_name(name, found) or wrong_size
            called = f":{at}" if name is None or _wrong_name(name, found) else name
            if trouble and not wrong_size:
                misnamed[called] = size
            found[called] = Damaged(f"{self.path}: record {at} {trouble}.") if trouble else size
            total += 0 if trouble else size
            if total > MAX_RECORD + RATIO * self._file.size or at > _FREE_RECORDS + self._file.size // ROW:
                raise Damaged(
                    f"{self.path} says that it holds far more than {self._file.size:,} bytes can; nothing of "
                    "it is read."
                )
        return found, misnamed

    @cached_property
    def _places(self) -> dict[str, int]:
        """The row of each record."""
        return {name: row for row, name in enumerate(self.index)}

    def sizes(self) -> dict[str, int]:
        """The names in order of the records that come out, and their bytes. Raises like `index`."""
        return {name: size for name, size in self.index.items() if isinstance(size, int)}

    def items(self, names: Iterable[str] | None = None) -> Iterator[tuple[str, bytes | RecordError]]:
        """Each record's name and bytes, or why it does not come out as it went in; those of `names`, or all.

        They come one at a time, in the pack's order but for those that had to be read again; row groups
        without any of them are not read. Names that the pack does not have come last. Raises like `index`.
        """
        asked = dict.fromkeys(self.index if names is None else names)
        yield from self._streamed({self._places[name]: name for name in asked if self._is_whole(name)})
        for name in asked:
            known = self.index.get(name)
            if not isinstance(known, int):
                yield name, known or NotReadable(f"{self.path} holds no record {name}.")

    def misnamed_items(self) -> Iterator[tuple[str, bytes | RecordError]]:
        """The records of `misnamed`, as `items` gives the others."""
        yield from self._streamed({self._places[place]: place for place in self.misnamed})

    def _is_whole(self, name: str) -> bool:
        return isinstance(self.index.get(name), int)

    def _streamed(
        self, waiting: dict[int, str], attempt: int = 1
    ) -> Iterator[tuple[str, bytes | RecordError]]:
        """The records waited for, by their rows. Those that are not as they were are read again.

        If the file cannot be read on, halves of the rest are tried apart.
        """
        if not waiting:
            return
        left = dict(waiting)
        again: dict[int, str] = {}
        try:
            for row, head, lines, raw in self._rows(_CONTENT, first=min(waiting), last=max(waiting)):
                if row in left:
                    name = left.pop(row)
                    data = self._restored(name, head, lines, raw)
                    if self._is_sound(data, raw) or self._file.confirm():
                        yield name, data
                    else:
                        again[row] = name
            failed: Damaged | None = None
        except Damaged as error:
            failed = error
        if left and self._file.confirm():
            if failed and len(left) > 1:
                rows = list(left.items())
                for half in (rows[: len(rows) // 2], rows[len(rows) // 2 :]):
                    yield from self._streamed(dict(half))
            else:
                for name in left.values():
                    lost = Damaged(f"{self.path}: the record {name} is not where it should be.")
                    yield name, failed or lost
        else:
            again |= left
        if attempt < remote.ATTEMPTS:
            yield from self._streamed(again, attempt + 1)
        else:
            for name in again.values():
                yield name, self._unsteady()

    def _is_sound(self, data: bytes | Damaged, raw: bytes | None) -> bool:
        """Whether what came out of the file proves by itself that no byte of it changed on the way."""
        if isinstance(data, Damaged):
            return False
        return raw is None or not self._file.far or parse_record(data).problem is None

    def read(self, name: str) -> Record:
        """One record. Raises `NotReadable` where there is none, `Damaged` where it is not what went in."""
        ((_, data),) = self.items([name])
        if isinstance(data, RecordError):
            raise data
        return parse_record(data, f"{self.path}:{name}")

    def _restored(self, name: str, head: str | None, lines: str | None, raw: bytes | None) -> bytes | Damaged:
        expected = self.misnamed.get(name, self.index[name])
        if raw is not None:
            data, found = raw, head
        elif (
            lines is None
            or not isinstance(expected, int)
            or len(lines) + lines.count("\n") * chain.PREFIX > expected
        ):
            return Damaged(
                f"{self.path}: the record {name} is longer than the {expected} bytes it says it has, or is "
                "missing."
            )
        else:
            try:
                data, found = restore(lines)
            except ValueError:
                return Damaged(f"{self.path}: what stands for the record {name} is not a record's lines.")
        if found != head:
            return Damaged(f"{self.path}: the record {name} gives the head {found}, but {head} went in.")
        if len(data) != expected:
            return Damaged(
                f"{self.path}: the record {name} has {many(len(data), 'byte')}, but {expected:,} went in."
            )
        return data

    def _rows(
        self, sql: str, first: int = 0, last: int = _LAST_ROW, **values: Any
    ) -> Iterator[tuple[Any, ...]]:
        """The rows of an answer from the `first` to the `last` of the file. Raises like `_run`."""
        return self._run(sql, first=first, last=last, **values)

    def _run(self, sql: str, **values: Any) -> Iterator[tuple[Any, ...]]:
        """The rows of an answer, a few at a time, each with its number in the file before it.

        Where DuckDB needs a part of the file that is not here, it is fetched, and the query goes on behind
        the last row. Raises `Damaged` whenever DuckDB cannot go on, `NotReadable` and `ReadFailed`.
        """
        import duckdb

        while True:
            try:
                with self._connection.cursor() as cursor:
                    connecting.disable_progress_bar(cursor)
                    result = cursor.execute(sql, {"path": self._source, **values})
                    while rows := result.fetchmany(CHUNK):
                        for row in rows:
                            yield row
                            if "first" in values:
                                values["first"] = row[0] + 1
                        self._file.advance()
                return
            except duckdb.InterruptException:
                raise KeyboardInterrupt from None
            except duckdb.OutOfMemoryException as error:
                raise ReadFailed(
                    f"{self.path} was not read, for there is too little memory: "
                    f"{connecting.duckdb_sentence(error)}."
                ) from None
            except duckdb.Error as error:
                if self._file.more():
                    continue
                why = connecting.duckdb_sentence(error)
                raise Damaged(
                    f"{self.path} is not a whole pack ({why}); copy it again from where it came."
                ) from None

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Pack:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _wrong_name(name: str | None, taken: Container[str]) -> str | None:
    """Why a record cannot be called so; a file in a folder has to be able to be."""
    if name is None:
        return f"has no name, or one of more than {LONGEST_NAME:,} characters"
    parts = PurePosixPath(name).parts
    if not parts or parts[0] == "/" or ".." in parts or not _NAME.isdisjoint(name):
        return f"is called {visible(name[:80])!r}, which is not a name of a file in a folder"
    return f"is called {name[:80]}, as another before it" if name in taken else None


def _wrong_size(size: int | None) -> str | None:
    if size is None or not 0 <= size <= MAX_RECORD:
        return (
            f"says that it has {'no size' if size is None else many(size, 'byte')}, and a record has at "
            f"most {MAX_RECORD:,}"
        )
    return None
