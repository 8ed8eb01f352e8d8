"""Making packs, and taking them apart."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from gamelog.archive import opening, remote, schema
from gamelog.archive.anonymous import anonymous
from gamelog.archive.judging import assess
from gamelog.archive.packs import ENDING, MARK, VERSION, Pack, strip
from gamelog.archive.pseudonyms import Pseudonyms
from gamelog.archive.rows import game_row
from gamelog.archive.sources import Item, contents, find, records
from gamelog.errors import ArchiveError, NotReadable, RecordError
from gamelog.record.reading import Record, parse

LARGEST = 1 << 30
"""The longest record that fits into a pack, in bytes."""

GROUP = "4MB"
"""How much lies together: small, to read little of the rest with one record; large, so that the table of contents stays short."""

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


class Packing(Struct, frozen=True):
    """What came of packing: ``records`` in the pack, others ``left_out`` as they cannot be anonymous, its ``size`` in bytes."""

    records: int
    left_out: int
    size: int


def pack(paths: Sequence[str | os.PathLike[str]], out: str | os.PathLike[str], *, anonymous: bool = False) -> Packing:
    """Put the records under `paths` into a new pack at `out`; both may be URLs, and `paths` may name packs.

    A record's name is its path below the folder that all of them share, without ``.zst``; one from
    a pack has that pack's name before its own. With `anonymous`, people are replaced by
    pseudonyms (see `gamelog.archive.anonymous`) and records are called by numbers; what cannot be
    read to its end is left out, and what would be judged otherwise then (a forged signature is
    gone). Raises `NotReadable` (also when there is none), and `ArchiveError` when `out` exists or
    two records would have one name.
    """
    if not remote.is_remote(out) and os.path.lexists(out):
        raise _taken(out)
    found = find(paths)
    if not found:
        raise NotReadable("There is no record under these paths.")
    files = _named(found)
    with TemporaryDirectory(prefix="gamelog-") as folder:
        spool = Path(folder, "records")
        some = _anonymous(files) if anonymous else _whole(files)
        held = 0
        try:
            with spool.open("wb") as file:
                for name, data in some:
                    file.write(msgspec.json.encode(_packed(name, data)) + b"\n")
                    held += 1
        except OSError as error:
            raise ArchiveError(f"Rows cannot wait in {folder}: {error.strerror}; make room, or set TMPDIR elsewhere.") from None
        if not held:
            raise NotReadable(
                "None of these records can be anonymous: they cannot be read to their end, or would be judged otherwise."
            )
        return Packing(held, len(files) - held, _write(spool, os.fspath(out)))


def _whole(files: dict[str, Item]) -> Iterator[tuple[str, bytes]]:
    for name, (_, data) in zip(files, contents(files.values()), strict=True):
        if isinstance(data, RecordError):
            raise data
        yield name, data


def _anonymous(files: dict[str, Item]) -> Iterator[tuple[str, bytes]]:
    items = list(files.values())
    people = Pseudonyms(None if isinstance(record, RecordError) else record.head for _, record in records(items))
    for at, (_, record) in enumerate(records(items), 1):
        data = None if isinstance(record, RecordError) else anonymous(record, people)
        if data is not None and not isinstance(record, RecordError) and _status(parse(data)) == _status(record):
            yield f"{at:0{len(str(len(items)))}}.jsonl", data


def _status(record: Record) -> str | None:
    return assess(record)[1].status


def _write(spool: Path, out: str) -> int:
    """Make the pack of a file of `Packed`, whole or not at all, and say how large it is."""
    import duckdb

    far = remote.is_remote(out)
    part = spool.with_name("pack") if far else Path(out).with_name(f".{Path(out).name}.part")
    try:
        with duckdb.connect() as connection:
            connection.execute(opening.QUIET)
            connection.execute(_copy(opening.quoted(opening.literal(spool)), opening.quoted(part)))
        size = part.stat().st_size
        if far:
            remote.put(part, out)
        else:
            os.link(part, out)
    except FileExistsError:
        raise _taken(out) from None
    except (OSError, duckdb.Error) as error:
        raise ArchiveError(f"{out} cannot be written: {opening.reason(error)}.") from None
    finally:
        with suppress(OSError):
            part.unlink()
    return size


def _taken(out: str | os.PathLike[str]) -> ArchiveError:
    return ArchiveError(f"{out} exists already; packs are never overwritten.")


def _named(items: list[Item]) -> dict[str, Item]:
    """The records by the names that they have in a pack, in order."""
    paths = [item.path if remote.is_remote(item.path) else os.path.abspath(item.path) for item in items]
    common = os.path.commonpath([os.path.dirname(path) for path in paths]) if len({"://" in path for path in paths}) == 1 else ""
    named: dict[str, Item] = {}
    for item, path in zip(items, paths, strict=True):
        name = os.path.relpath(path, common).removesuffix(".zst")
        if item.member:
            name = f"{name.removesuffix(ENDING)}/{item.member}"
        if named.setdefault(name, item) != item:
            raise ArchiveError(f"{named[name].place} and {item.place} would both be called {name} in the pack; pack them apart.")
    return dict(sorted(named.items()))


def _packed(name: str, data: bytes) -> Packed:
    record = parse(data, name)
    _, judgement = assess(record)
    game = game_row(record.header, judgement, name, "") if record.header else None
    lines = strip(data, record) if record.problem is None else None
    if lines is None:
        return Packed(name, len(data), None, None, b64encode(data).decode(), game)
    return Packed(name, len(data), record.head, lines, None, game)


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
          FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 13, ROW_GROUP_SIZE_BYTES '{GROUP}',
          KV_METADATA {{{MARK}: '{VERSION.decode()}'}}
        )"""


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
