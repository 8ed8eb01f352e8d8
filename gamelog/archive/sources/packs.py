"""Packs: many records in one Parquet file, from which each record can be restored byte for byte.

A pack stores a record without its digests, which do not compress, and without event numbers, which follow
from the order. It has only the final head. To restore a record, the chain is computed again and compared with
the head. A record that cannot be restored like this is stored as it is: with a broken chain, a torn end, or
numbers in an unusual form. The row of each record also has columns from its header and verdict, for any
reader of Parquet.

Records are sorted by name, in row groups of a few megabytes, so that reading one record reads little else.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, TypeVar

from gamelog.archive.schema import connecting
from gamelog.archive.sources import remote
from gamelog.archive.sources.compact_records import restore_record
from gamelog.archive.sources.pack_files import LocalFile, RemoteFile
from gamelog.errors import Damaged, NotReadable, ReadFailed, RecordError, clause
from gamelog.message import Message, many
from gamelog.record import chain, discovery
from gamelog.record.envelope import MAX_RECORD
from gamelog.record.escaping import escape_invisible
from gamelog.record.reading import Record, parse_record, read_error

_T = TypeVar("_T")

ENDING = ".gamelog.parquet"
"""Ending of the file names of packs."""

METADATA_KEY = "gamelog_pack"
"""Key in the metadata of a Parquet file that is a pack."""
PACK_VERSION = b"1"
"""Value of this key: the version of the format. Packs of another version are refused."""

_MAGIC = b"PAR1"
"""First bytes of a Parquet file."""

_ROWS_PER_READ = 20
"""Number of rows that are read from a pack at a time."""

_MEMORY = "2GB"
"""Memory limit of DuckDB for reading a pack: enough for several of the longest records."""

_MAX_RATIO = 2_000
"""Largest total size of the records, in multiples of the pack's size, after one record of any size."""

_MIN_BYTES_PER_RECORD = 16
"""Smallest number of bytes in the file for each record after the first `_FREE_RECORDS`.

The head alone, which does not compress, takes twice as many.
"""

_FREE_RECORDS = 10_000
"""Number of records that a pack of any size can have."""

_MAX_NAME = 4_096
"""Largest number of characters in the name of a record."""

_FORBIDDEN = frozenset("\\:\0")
"""Characters that no name may contain."""

_INDEX = """
    SELECT file_row_number, CASE WHEN length(name::VARCHAR) <= $longest THEN name::VARCHAR END,
      TRY_CAST(size AS BIGINT)
    FROM read_parquet($path, file_row_number = true) WHERE file_row_number BETWEEN $first AND $last"""

_CONTENT = """
    SELECT file_row_number, left(head::VARCHAR, 43),
      CASE WHEN strlen(lines) <= TRY_CAST(size AS BIGINT) THEN lines END,
      CASE WHEN octet_length(raw) = TRY_CAST(size AS BIGINT) THEN raw END
    FROM read_parquet($path, file_row_number = true) WHERE file_row_number BETWEEN $first AND $last"""
"""The content of records.

It is NULL if it is longer than the record's size, so that DuckDB does not return it.
"""

_LAST_ROW = 1 << 62
"""Number that is higher than the number of any row."""

_FILE_NAME_PREFIX = re.compile(r'^Failed to read file "[^"]*": ')
"""Beginning of DuckDB's messages that names the file, which is not part of the reason."""
_QUOTED_END = re.compile(r"""[\s:]*["'].*""", re.DOTALL)
"""End of DuckDB's messages from the first quoted text on, which is not part of the reason."""


def is_pack(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is a pack, by its name or, without a known ending, by its first bytes.

    Raises:
        ReadFailed: The file cannot be read.
        NotReadable: There is no file at the URL.
    """
    name = os.fspath(path)
    if name.endswith(ENDING) or name.endswith(discovery.ENDINGS):
        return name.endswith(ENDING)
    if remote.is_remote(path):
        return remote.begins_with(name, _MAGIC)
    if not os.path.isfile(path):  # opening a pipe would block
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise read_error(path, error) from None


class _DamagedPack(Damaged):
    """The error that DuckDB cannot read a part of the pack. ``reason`` is the cause as a clause."""

    reason = ""


class Pack:
    """A pack, open for reading.

    Reading takes memory in proportion to one record, and at most `_MEMORY`, even for a hostile file. A record
    is refused before it is read if it is longer than its stated size or than any record can be. A pack counts
    as damaged only after its bytes were read twice with the same checksum.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open the pack at a path or URL.

        Raises:
            NotReadable: There is no such file.
            ReadFailed: The file cannot be read now.
            Damaged: The file is damaged, or is not a pack.
            MissingExtra: A package for URLs is not installed.
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
            self._source = self._file.register(self._connection)
            self._read_twice(self._check_version)
        except BaseException:
            self.close()
            raise

    def _check_version(self) -> None:
        known = "SELECT 0, count(*) FROM parquet_kv_metadata($path) WHERE key = $mark AND value = $version"
        if [*self._run(known, mark=METADATA_KEY.encode(), version=PACK_VERSION)] != [(0, 1)]:
            text = "{=path} is not a pack of records, or has another version."
            raise Damaged(Message.of(text, path=self.path))

    def _read_twice(self, read: Callable[[], _T]) -> _T:
        """Return the result of `read`, or raise its error, after the same bytes were read twice.

        A result from a local file is returned at once.

        Raises:
            ReadFailed: The file changed at each attempt.
        """
        last: Damaged | None = None
        for _ in range(remote.MAX_ATTEMPTS):
            try:
                result = read()
            except Damaged as error:
                if self._file.confirm():
                    raise
                last = error
            else:
                if not self._file.is_remote or self._file.confirm():
                    return result
                last = None
        raise self._changing_bytes(last)

    def _changing_bytes(self, last: Damaged | None = None) -> ReadFailed:
        text = "{=path} was not read: its bytes differed at each attempt. Try again."
        if last is None:
            return ReadFailed(Message.of(text, path=self.path))
        text = "{=path} was not read: its bytes differed at each attempt ({problem}). Try again."
        return ReadFailed(Message.of(text, path=self.path, problem=clause(last)))

    @cached_property
    def index(self) -> dict[str, int | Damaged]:
        """The name and size of each record, in order, or the reason why it cannot be read.

        If a name is repeated or is not a valid file name, it is replaced by the record's place: ``:3``.

        Raises:
            ReadFailed: The file cannot be read.
            Damaged: The file is not a pack, or states an impossible size.
        """
        return self._contents[0]

    @cached_property
    def misnamed_sizes(self) -> dict[str, int]:
        """The size of each record that can be read but has no valid name, by its place.

        Raises:
            ReadFailed: The file cannot be read.
            Damaged: The file is not a pack, or states an impossible size.
        """
        return self._contents[1]

    @cached_property
    def _contents(self) -> tuple[dict[str, int | Damaged], dict[str, int]]:
        return self._read_twice(self._read_contents)

    def _read_contents(self) -> tuple[dict[str, int | Damaged], dict[str, int]]:
        """Return the size of each record or the reason why it cannot be read, and the misnamed sizes.

        Raises:
            Damaged: The pack states far more data than its file can hold.
        """
        sizes: dict[str, int | Damaged] = {}
        misnamed: dict[str, int] = {}
        total = 0
        for place, (_, name, size) in enumerate(self._rows(_INDEX, longest=_MAX_NAME), 1):
            wrong_size = _size_problem(size)
            problem = _pack_name_problem(name, sizes) or wrong_size
            key = f":{place}" if name is None or _pack_name_problem(name, sizes) else name
            if problem and not wrong_size:
                misnamed[key] = size
            sizes[key] = Damaged(f"{self.path}: record {place} {problem}.") if problem else size
            total += 0 if problem else size
            if (
                total > MAX_RECORD + _MAX_RATIO * self._file.size
                or place > _FREE_RECORDS + self._file.size // _MIN_BYTES_PER_RECORD
            ):
                text = "{=path} was not read: it states far more data than {=size} bytes can hold."
                raise Damaged(Message.of(text, path=self.path, size=f"{self._file.size:,}"))
        return sizes, misnamed

    @cached_property
    def _places(self) -> dict[str, int]:
        """The row of each record."""
        return {name: row for row, name in enumerate(self.index)}

    def sizes(self) -> dict[str, int]:
        """Return the name and size of each record that can be read, in order.

        Raises:
            ReadFailed: The file cannot be read.
            Damaged: The file is not a pack, or states an impossible size.
        """
        return {name: size for name, size in self.index.items() if isinstance(size, int)}

    def items(self, names: Iterable[str] | None = None) -> Iterator[tuple[str, bytes | RecordError]]:
        """Yield the name and bytes of each record, or the reason why it cannot be restored.

        With `names`, yield only these records, and read no other row groups. The order is the order of the
        pack. Records that had to be read again come later, and unknown names last.

        Raises:
            ReadFailed: The file cannot be read.
            Damaged: The file is not a pack, or states an impossible size.
        """
        wanted_names = dict.fromkeys(self.index if names is None else names)
        yield from self._read_rows(
            {self._places[name]: name for name in wanted_names if self._is_whole(name)}
        )
        for name in wanted_names:
            size_or_error = self.index.get(name)
            if not isinstance(size_or_error, int):
                yield name, size_or_error or NotReadable(f"{self.path} has no record {name}.")

    def misnamed_items(self) -> Iterator[tuple[str, bytes | RecordError]]:
        """Yield the records of `misnamed_sizes`, as `items` does for the others."""
        yield from self._read_rows({self._places[place]: place for place in self.misnamed_sizes})

    def _is_whole(self, name: str) -> bool:
        return isinstance(self.index.get(name), int)

    def _read_rows(
        self, waiting: dict[int, str], attempt: int = 1
    ) -> Iterator[tuple[str, bytes | RecordError]]:
        """Yield the `waiting` records, named by row. Records that change between two attempts are read again.

        If reading stops at an error, the two halves of the rest are read separately.
        """
        if not waiting:
            return
        remaining = dict(waiting)
        changed: dict[int, str] = {}
        try:
            for row, head, lines, raw in self._rows(_CONTENT, first=min(waiting), last=max(waiting)):
                if row in remaining:
                    name = remaining.pop(row)
                    data = self._restore(name, head, lines, raw)
                    if self._is_sound(data, raw) or self._file.confirm():
                        yield name, data
                    else:
                        changed[row] = name
            failed: _DamagedPack | None = None
        except _DamagedPack as error:
            failed = error
        if remaining and self._file.confirm():
            if failed and len(remaining) > 1:
                rows = list(remaining.items())
                for half in (rows[: len(rows) // 2], rows[len(rows) // 2 :]):
                    yield from self._read_rows(dict(half))
            else:
                reason = failed.reason if failed else "it is missing from its row"
                for name in remaining.values():
                    problem = f"{self.path}: the record {name} cannot be read: {reason}."
                    yield name, Damaged(f"{problem} Copy the pack again from its source.")
        else:
            changed |= remaining
        if attempt < remote.MAX_ATTEMPTS:
            yield from self._read_rows(changed, attempt + 1)
        else:
            for name in changed.values():
                yield name, self._changing_bytes()

    def _is_sound(self, data: bytes | Damaged, raw: bytes | None) -> bool:
        """Return whether restored data proves by itself that no byte was changed while reading."""
        if isinstance(data, Damaged):
            return False
        return raw is None or not self._file.is_remote or parse_record(data).problem is None

    def read(self, name: str) -> Record:
        """Return one record.

        Raises:
            NotReadable: The pack has no record of this name.
            Damaged: The record cannot be restored.
        """
        ((_, data),) = self.items([name])
        if isinstance(data, RecordError):
            raise data
        return parse_record(data, f"{self.path}:{name}")

    def _restore(self, name: str, head: str | None, lines: str | None, raw: bytes | None) -> bytes | Damaged:
        """Return the bytes of the record `name`, or the reason why they are not the packed bytes."""
        expected = self.misnamed_sizes.get(name, self.index[name])
        if raw is not None:
            data, actual_head = raw, head
        elif (
            lines is None
            or not isinstance(expected, int)
            or len(lines) + lines.count("\n") * chain.PREFIX_BYTES > expected
        ):
            return Damaged(
                f"{self.path}: the record {name} is missing, or is longer than its stated size of {expected} "
                "bytes."
            )
        else:
            try:
                data, actual_head = restore_record(lines)
            except ValueError:
                return Damaged(f"{self.path}: the content of the record {name} is not lines of a record.")
        if actual_head != head:
            return Damaged(
                f"{self.path}: the record {name} has the head {actual_head}, but {head} was packed."
            )
        if len(data) != expected:
            return Damaged(
                f"{self.path}: the record {name} has {many(len(data), 'byte')}, but {expected:,} bytes were "
                "packed, so the pack is damaged. Copy the pack again from its source."
            )
        return data

    def _rows(
        self, sql: str, first: int = 0, last: int = _LAST_ROW, **values: Any
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of an answer from the `first` to the `last` row of the file.

        Raises:
            NotReadable: There is no file at the URL any more.
            ReadFailed: The file cannot be read, or there is too little memory.
            Damaged: DuckDB reports another error.
        """
        return self._run(sql, first=first, last=last, **values)

    def _run(self, sql: str, **values: Any) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of an answer, a few at a time, each after its number in the file.

        If DuckDB needs a part of a remote file, the part is fetched, and the query continues after the last
        row.

        Raises:
            NotReadable: There is no file at the URL any more.
            ReadFailed: The file cannot be read, or there is too little memory.
            Damaged: DuckDB reports another error.
        """
        import duckdb

        while True:
            try:
                with self._connection.cursor() as cursor:
                    connecting.disable_progress_bar(cursor)
                    result = cursor.execute(sql, {"path": self._source, **values})
                    while rows := result.fetchmany(_ROWS_PER_READ):
                        for row in rows:
                            yield row
                            if "first" in values:
                                values["first"] = row[0] + 1
                        self._file.advance()
                return
            except duckdb.InterruptException:
                raise KeyboardInterrupt from None
            except duckdb.OutOfMemoryException as error:
                text = "{=path} was not read, because there is too little memory: {=error}."
                reason = connecting.duckdb_sentence(error)
                raise ReadFailed(Message.of(text, path=self.path, error=reason)) from None
            except duckdb.Error as error:
                if self._file.fetch_missing_part():
                    continue
                raise _damaged_pack(self.path, error) from None

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Pack:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _damaged_pack(path: str, error: Exception) -> _DamagedPack:
    """Return the error for a pack that DuckDB cannot read.

    DuckDB quotes the path and parts of records. They are left out.
    """
    text = connecting.duckdb_sentence(error)
    reason = _QUOTED_END.split(_FILE_NAME_PREFIX.sub("", text))[0]
    damaged = _DamagedPack(f"The pack {path} is damaged: {reason}. Copy it again from its source.")
    damaged.reason = reason
    return damaged


def _pack_name_problem(name: str | None, used_names: Container[str]) -> str | None:
    """Return the problem with the name of a record, as a clause, or None if it is a valid file name."""
    if name is None:
        return f"has no name, or a name of more than {_MAX_NAME:,} characters"
    parts = PurePosixPath(name).parts
    if not parts or parts[0] == "/" or ".." in parts or not _FORBIDDEN.isdisjoint(name):
        return f'has the name "{escape_invisible(name[:80])}", which is not a valid file name'
    return f"has the same name as an earlier record: {name[:80]}" if name in used_names else None


def _size_problem(size: int | None) -> str | None:
    if size is None or not 0 <= size <= MAX_RECORD:
        stated = "no size" if size is None else f"a size of {many(size, 'byte')}"
        return f"has {stated}, but a record has at most {MAX_RECORD:,} bytes"
    return None
