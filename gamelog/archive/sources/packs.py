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
from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from gamelog.archive.schema import connecting
from gamelog.archive.sources import remote
from gamelog.archive.sources.stripping import restore
from gamelog.errors import Damaged, NotReadable, RecordError
from gamelog.record import chain, discovery
from gamelog.record.counting import many
from gamelog.record.envelope import MAX_RECORD
from gamelog.record.escaping import visible
from gamelog.record.reading import Record, parse_record

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
    SELECT CASE WHEN length(name::VARCHAR) <= $longest THEN name::VARCHAR END, TRY_CAST(size AS BIGINT)
    FROM read_parquet($path)"""

CONTENT = """
    SELECT name::VARCHAR, left(head::VARCHAR, 43),
      CASE WHEN strlen(lines) <= TRY_CAST(size AS BIGINT) THEN lines END,
      CASE WHEN octet_length(raw) = TRY_CAST(size AS BIGINT) THEN raw END
    FROM read_parquet($path) WHERE name BETWEEN $first AND $last"""
"""Strings and bytes that are longer than the record is said to be are not brought here.
(A join would hold them all.)
"""


def is_pack(path: str | os.PathLike[str]) -> bool:
    """Whether a file should be a pack: by its name, or, without a record's ending, by its first bytes."""
    name = os.fspath(path)
    if name.endswith(ENDING) or name.endswith(discovery.ENDINGS):
        return name.endswith(ENDING)
    if remote.is_remote(path):
        return remote.begins(name, _MAGIC)
    try:
        if not os.path.isfile(path):  # opening a pipe would wait for its writer
            return False
        with open(path, "rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


class Pack:
    """A pack, open for reading.

    Whatever its file holds, reading takes memory in proportion to one record, and no more than DuckDB may
    have (`_MEMORY`); a record is refused before it is held when it is longer than it says, or than a record
    can be.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open the pack at a path or URL.

        Raises `NotReadable` when it is missing, `Damaged` when it is not one or not whole, `MissingExtra`.
        """
        import duckdb

        self.path = os.fspath(path)
        far = remote.is_remote(self.path)
        if not far and not os.path.isfile(self.path):
            raise NotReadable(
                f"{path} {'is a folder, not a pack' if os.path.isdir(path) else 'does not exist'}."
            )
        self._connection = duckdb.connect()
        try:
            connecting.hush(self._connection)
            for setting in (f"SET memory_limit = '{_MEMORY}'", "SET threads = 1", "SET temp_directory = ''"):
                self._connection.execute(setting)
            source = remote.lend(self._connection, self.path) if far else self.path
            self._source = connecting.literal(source)
            self._bytes = remote.size(self.path) if far else os.stat(self.path).st_size
            known = "SELECT count(*) FROM parquet_kv_metadata($path) WHERE key = $mark AND value = $version"
            if next(self._run(known, mark=MARK.encode(), version=PACK_VERSION)) != (1,):
                raise Damaged(f"{path} is not a pack of records, or one of another version.")
        except BaseException:
            self.close()
            raise

    @cached_property
    def index(self) -> dict[str, int | Damaged]:
        """What the pack holds, in order: each record's name and bytes, or why it cannot be taken out.

        One whose own name is not a name of a file in a folder, or was another's before, is called by its
        place: ``:3``. Raises `Damaged` for what is not a pack, or says that it holds more than its file can.
        """
        found: dict[str, int | Damaged] = {}
        total = 0
        for at, (name, size) in enumerate(self._run(_INDEX, longest=LONGEST_NAME), 1):
            trouble = _wrong_name(name, found) or _wrong_size(size)
            called = f":{at}" if name is None or _wrong_name(name, found) else name
            found[called] = Damaged(f"{self.path}: record {at} {trouble}.") if trouble else size
            total += 0 if trouble else size
            if total > MAX_RECORD + RATIO * self._bytes or at > _FREE_RECORDS + self._bytes // ROW:
                raise Damaged(
                    f"{self.path} says that it holds far more than {self._bytes:,} bytes can; nothing of "
                    "it is read."
                )
        return found

    def sizes(self) -> dict[str, int]:
        """The names in order of the records that come out, and their bytes. Raises `Damaged` like `index`."""
        return {name: size for name, size in self.index.items() if isinstance(size, int)}

    def items(self, names: Iterable[str] | None = None) -> Iterator[tuple[str, bytes | RecordError]]:
        """Each record's name and bytes, or why it does not come out as it went in; those of `names`, or all.

        They come in the pack's order, one at a time; row groups without any of them are not read. Names that
        the pack does not have come last. Raises `Damaged` like `index`.
        """
        waiting = dict.fromkeys(self.index if names is None else names)
        yield from self._streamed({name: None for name in waiting if isinstance(self.index.get(name), int)})
        for name in waiting:
            known = self.index.get(name)
            if not isinstance(known, int):
                yield name, known or NotReadable(f"{self.path} holds no record {name}.")

    def _streamed(self, waiting: dict[str, None]) -> Iterator[tuple[str, bytes | RecordError]]:
        """The records waited for. Where the file cannot be read on, halves of the rest are tried apart."""
        if not waiting:
            return
        try:
            for name, head, lines, raw in self._run(CONTENT, first=min(waiting), last=max(waiting)):
                if name in waiting:  # or a row of the same name came before it
                    del waiting[name]
                    yield name, self._restored(name, head, lines, raw)
        except Damaged as error:
            if len(waiting) == 1:
                yield next(iter(waiting)), error
                return
            left = list(waiting)
            for half in (left[: len(left) // 2], left[len(left) // 2 :]):
                yield from self._streamed(dict.fromkeys(half))
        else:
            for name in waiting:
                yield name, Damaged(f"{self.path}: the record {name} is not where it should be.")

    def read(self, name: str) -> Record:
        """One record. Raises `NotReadable` where there is none, `Damaged` where it is not what went in."""
        ((_, data),) = self.items([name])
        if isinstance(data, RecordError):
            raise data
        return parse_record(data, f"{self.path}:{name}")

    def _restored(self, name: str, head: str | None, lines: str | None, raw: bytes | None) -> bytes | Damaged:
        expected = self.index[name]
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

    def _run(self, sql: str, **values: Any) -> Iterator[tuple[Any, ...]]:
        """The rows of an answer, a few at a time. Raises `Damaged` whenever DuckDB cannot go on."""
        import duckdb

        try:
            with self._connection.cursor() as cursor:
                connecting.hush(cursor)
                result = cursor.execute(sql, {"path": self._source, **values})
                while rows := result.fetchmany(CHUNK):
                    yield from rows
        except duckdb.Error as error:
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
