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
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from types import TracebackType
from typing import TYPE_CHECKING, Any

from gamelog.archive import opening, remote
from gamelog.errors import Damaged, NotReadable
from gamelog.record import chain, shelf
from gamelog.record.reading import Record, parse

if TYPE_CHECKING:
    import duckdb

ENDING = ".gamelog.parquet"
"""How packs are called, so that a folder's packs are found."""

MARK = "gamelog_pack"
VERSION = b"1"
"""In the Parquet file's metadata; another version is refused."""

NUMBERED = re.compile(rb'("do":"[^"\\]*",)"n":(\d+),')
MAGIC = b"PAR1"

CHUNK = 20
"""Records in memory at a time while a pack is read."""


def strip(data: bytes, record: Record) -> str | None:
    """The bodies of a whole record without event numbers; None when the numbers would not come back as they were."""
    lines = [data[chain.PREFIX : data.index(b"\n") + 1]]
    for n, line in enumerate(record.bodies, 1):
        match = NUMBERED.match(line)
        if match is None or match[2] != b"%d" % n:
            return None
        lines.append(match[1] + line[match.end() :])
    try:
        return b"".join(lines).decode()
    except UnicodeDecodeError:
        return None


def restore(lines: str) -> tuple[bytes, str]:
    """The bytes of a record, and its head, from what `strip` made of it."""
    head = chain.GENESIS
    whole: list[bytes] = []
    for n, line in enumerate(lines.encode().split(b"\n")[:-1]):
        at = line.index(b'",', 6) + 2 if n else 0
        text, head = chain.line(head, line[:at] + (b'"n":%d,' % n if n else b"") + line[at:] + b"\n")
        whole.append(text)
    return b"".join(whole), head.decode()


def is_pack(path: str | os.PathLike[str]) -> bool:
    """Whether a file should be a pack: it is called like one, or has no record's ending and begins as every Parquet file does."""
    name = os.fspath(path)
    if name.endswith(ENDING) or name.endswith(shelf.ENDINGS):
        return name.endswith(ENDING)
    if remote.is_remote(path):
        return remote.begins(name, MAGIC)
    try:
        if not os.path.isfile(path):  # opening a pipe would wait for its writer
            return False
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


class Pack:
    """A pack, open for reading."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open the pack at a path or URL.

        Raises `NotReadable` when it is missing, `Damaged` when it is none or not whole, `MissingExtra`.
        """
        import duckdb

        self.path = os.fspath(path)
        far = remote.is_remote(self.path)
        if not far and not os.path.isfile(self.path):
            raise NotReadable(f"{path} {'is a folder, not a pack' if os.path.isdir(path) else 'does not exist'}.")
        self._connection = duckdb.connect()
        try:
            self._connection.execute(opening.QUIET)
            self._source = opening.literal(remote.lend(self._connection, self.path) if far else self.path)
            marks = dict(self._run("SELECT key::VARCHAR, value FROM parquet_kv_metadata($path)").fetchall())
            if marks.get(MARK) != VERSION:
                raise Damaged(f"{path} is no pack of records, or one of another version.")
        except BaseException:
            self.close()
            raise

    def sizes(self) -> dict[str, int]:
        """The records' names in order, and the bytes of each. Raises `Damaged` for a name that would leave its folder."""
        sizes = {str(name): int(size) for name, size in self._run("SELECT name, size FROM read_parquet($path)").fetchall()}
        for name in sizes:
            parts = PurePosixPath(name).parts
            if not parts or parts[0] == "/" or ".." in parts or "\\" in name or ":" in name or "\0" in name:
                raise Damaged(f"{self.path} holds a record called {name!r}, which is no name of a file in a folder.")
        return sizes

    def items(self) -> Iterator[tuple[str, bytes]]:
        """Each record's name and bytes, in order. Raises `Damaged` for one that does not come out as it went in."""
        result = self._run("SELECT name, head, lines, raw FROM read_parquet($path)")
        while rows := result.fetchmany(CHUNK):
            for row in rows:
                yield row[0], self._restored(*row)

    def load(self, names: Sequence[str]) -> dict[str, bytes]:
        """The bytes of some records; row groups without any of them are not read. Raises `Damaged`."""
        within = "name BETWEEN $first AND $last AND name IN (SELECT unnest($names))"
        sql = f"SELECT name, head, lines, raw FROM read_parquet($path) WHERE {within}"
        rows = self._run(sql, names=list(names), first=min(names), last=max(names)).fetchall()
        return {row[0]: self._restored(*row) for row in rows}

    def read(self, name: str) -> Record:
        """One record. Raises `NotReadable` when the pack does not hold it, `Damaged` when it does not come out as it went in."""
        found = self.load([name])
        if name not in found:
            raise NotReadable(f"{self.path} holds no record {name}.")
        return parse(found[name], f"{self.path}:{name}")

    def _restored(self, name: str, head: str | None, lines: str | None, raw: bytes | None) -> bytes:
        if raw is not None:
            return raw
        data, found = restore(lines or "")
        if found != head:
            raise Damaged(f"{self.path}: the record {name} gives the head {found}, but {head} went in.")
        return data

    def _run(self, sql: str, **values: Any) -> duckdb.DuckDBPyConnection:
        import duckdb

        try:
            return self._connection.execute(sql, {"path": self._source, **values})
        except duckdb.Error as error:
            why = opening.sentence(error)
            raise Damaged(f"{self.path} is no whole pack ({why}); copy it again from where it came.") from None

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Pack:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
