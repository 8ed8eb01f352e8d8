"""Packs: many records in one Parquet file, and back, byte for byte.

Digests are noise that no compression gets at, and event numbers follow from the order, so a pack
holds the bodies of a record without both, and one final head; the chain is computed again when a
record is taken out, and compared. What cannot be had back like this (a broken chain, a torn tail,
numbers written in an unusual way) is stored as it is. Beside each record stands what its header
and its judge say, for whoever opens the file with any reader of Parquet.

Records lie in the order of their names, in row groups of about a megabyte, so that taking one
out reads little of the rest.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from gamelog.archive import opening, schema
from gamelog.archive.rows import game_row
from gamelog.errors import ArchiveError, Damaged, NotReadable
from gamelog.play.verify import replay, verdict
from gamelog.record import chain, shelf
from gamelog.record.reading import Record, load, parse

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

LARGEST = 1 << 30
"""The longest record that fits into a pack, in bytes."""

DERIVED = ("counted", "copy_of", "turns", "duration", "path", "member")
"""Columns of ``games`` that a pack does not have: they depend on other records or on the whole play."""


class Packed(Struct):
    """A record on its way into a pack: its ``lines`` without digests and numbers, or its bytes as they are (base64)."""

    name: str
    size: int
    head: str | None
    lines: str | None
    raw: str | None
    game: schema.Game | None


def pack(paths: Sequence[str | os.PathLike[str]], out: str | os.PathLike[str]) -> int:
    """Put the records under `paths` into a new pack and say how many there are.

    A record's name is its path below the folder that all of them share, without ``.zst``. Raises
    `NotReadable` (also when there is none), and `ArchiveError` when `out` exists, or two records would have one name.
    """
    import duckdb

    found = [Path(os.path.abspath(path)) for path in shelf.records(paths)]
    if not found:
        raise NotReadable("There is no record under these paths.")
    files = _named(found)
    target = Path(out)
    part = target.with_name(f".{target.name}.part")
    with TemporaryDirectory(prefix="gamelog-") as folder, duckdb.connect() as connection:
        spool = Path(folder, "records")
        with spool.open("wb") as file:
            for name, path in files.items():
                file.write(msgspec.json.encode(_packed(name, load(path))) + b"\n")
        connection.execute(opening.QUIET)
        try:
            connection.execute(_copy(opening.quoted(opening.literal(spool)), opening.quoted(part)))
            os.link(part, target)
        except FileExistsError:
            raise ArchiveError(f"{target} exists already; packs are never overwritten.") from None
        except (OSError, duckdb.Error) as error:
            raise ArchiveError(f"{target} cannot be written: {opening.sentence(error)}.") from None
        finally:
            with suppress(OSError):
                part.unlink()
    return len(files)


def _named(paths: list[Path]) -> dict[str, Path]:
    """The files by the names that they have in a pack, in order."""
    common = os.path.commonpath([path.parent for path in paths])
    named: dict[str, Path] = {}
    for path in paths:
        name = path.relative_to(common).as_posix().removesuffix(".zst")
        if named.setdefault(name, path) != path:
            raise ArchiveError(f"{named[name]} and {path} would both be called {name} in the pack; pack them apart.")
    return dict(sorted(named.items()))


def _packed(name: str, data: bytes) -> Packed:
    record = parse(data, name)
    judgement = verdict(replay(record))
    game = game_row(record.header, judgement, name, "") if record.header else None
    lines = strip(data, record) if record.problem is None else None
    if lines is None:
        return Packed(name, len(data), None, None, b64encode(data).decode(), game)
    return Packed(name, len(data), record.head, lines, None, game)


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


def _copy(spool: str, part: str) -> str:
    """The statement that makes a pack of a file of `Packed`."""
    columns = [column for column in schema.TABLES["games"].columns if column.name not in DERIVED]
    game = ", ".join(f"{column.name} {column.sql}" for column in columns)
    kept = ", ".join(f"game.{column.name} AS {column.name}" for column in columns if column.name != "head")
    return f"""
        COPY (
          SELECT name, size, head, {kept}, lines, from_base64(raw) AS raw
          FROM read_json({spool}, format = 'newline_delimited', maximum_object_size = {LARGEST}, columns = {{
            name: 'VARCHAR', size: 'BIGINT', head: 'VARCHAR', lines: 'VARCHAR', raw: 'VARCHAR', game: 'STRUCT({game})'
          }})
        ) TO {part} (
          FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 9, ROW_GROUP_SIZE_BYTES '1MB',
          KV_METADATA {{{MARK}: '{VERSION.decode()}'}}
        )"""


def is_pack(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like a pack: no record's ending, and the first bytes of every Parquet file."""
    if os.fspath(path).endswith(shelf.ENDINGS):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


class Pack:
    """A pack, open for reading."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open the pack. Raises `NotReadable` when it is missing, `Damaged` when it is none or not whole."""
        import duckdb

        self.path = Path(path)
        if not self.path.is_file():
            raise NotReadable(f"{path} {'is a folder, not a pack' if self.path.is_dir() else 'does not exist'}.")
        self._connection = duckdb.connect()
        try:
            self._connection.execute(opening.QUIET)
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
            return self._connection.execute(sql, {"path": opening.literal(self.path), **values})
        except duckdb.Error as error:
            raise Damaged(f"{self.path} is no whole pack: {opening.sentence(error)}.") from None

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Pack:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def unpack(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> int:
    """Write every record of a pack to its name below `folder`, byte for byte, and say how many there are.

    Raises `NotReadable` or `Damaged` for the pack, and `ArchiveError` when a file exists already
    (then nothing was written) or cannot be written.
    """
    with Pack(path) as pack:
        targets = {name: Path(folder, name) for name in pack.sizes()}
        taken = next((target for target in targets.values() if target.exists()), None)
        if taken:
            raise ArchiveError(f"{taken} exists already; unpack into an empty folder.")
        for name, data in pack.items():
            try:
                targets[name].parent.mkdir(parents=True, exist_ok=True)
                with targets[name].open("xb") as file:
                    file.write(data)
            except OSError as error:
                raise ArchiveError(f"{targets[name]} cannot be written: {error.strerror}.") from None
    return len(targets)
