"""Making packs, and taking them apart."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from gamelog.archive.judging.worker import assess
from gamelog.archive.packing.anonymous import anonymous
from gamelog.archive.packing.pseudonyms import Pseudonyms
from gamelog.archive.rows.record_rows import game_row
from gamelog.archive.schema import connecting
from gamelog.archive.schema import tables as schema
from gamelog.archive.sources import remote
from gamelog.archive.sources.items import Item, find_items, item_contents, records
from gamelog.archive.sources.packs import ENDING, MARK, PACK_VERSION, Pack, strip
from gamelog.errors import ArchiveError, Exists, NotReadable, RecordError, WriteFailed
from gamelog.record.placing import placed
from gamelog.record.reading import Record, parse_record

BUFFER = 1 << 20
"""Bytes of waiting records that are read at a time, or the longest of them."""

_GROUP = "4MB"
"""How much lies together: small, to read little of the rest with one record; large, so that the table of contents stays short."""

DERIVED = ("counted", "copy_of", "turns", "duration", "path", "member")
"""Columns of ``games`` that a pack does not have: they depend on other records or on the whole play."""


class Packed(Struct, frozen=True):
    """A record on its way into a pack: its ``lines`` without digests and numbers, or its bytes as they are (base64)."""

    name: str
    size: int
    head: str | None
    lines: str | None
    raw: str | None
    game: schema.GameRow | None


class Packing(Struct, frozen=True):
    """What came of packing: ``records`` in the pack, others ``left_out`` as they cannot be anonymous, its ``size`` in bytes.

    ``unreadable`` says of each record that could not be read where it lies and why.
    """

    records: int
    left_out: int
    size: int
    unreadable: tuple[str, ...] = ()


class Unpacked(Struct, frozen=True):
    """What came of unpacking: how many ``records`` were written, and why others could not be taken out (``unreadable``)."""

    records: int
    unreadable: tuple[str, ...] = ()


def pack(paths: Sequence[str | os.PathLike[str]], out: str | os.PathLike[str], *, anonymous: bool = False) -> Packing:
    """Put the records under `paths` into a new pack at `out`; both may be URLs, and `paths` may name packs.

    A record's name is its path below the folder that all of them share, without ``.zst``; one from
    a pack has that pack's name before its own. With `anonymous`, people are replaced by
    pseudonyms (see `gamelog.archive.packing.anonymous`) and records are called by numbers; what cannot be
    read to its end is left out, and what would be judged otherwise then (a forged signature is
    gone). A record that cannot be read is told of, and the others go on. Raises `NotReadable` or what is wrong with the
    first of them when there is none, and `ArchiveError` when `out` exists or
    two records would have one name.
    """
    if not remote.is_remote(out) and os.path.lexists(out):
        raise _taken(out)
    found = find_items(paths)
    if not found:
        raise NotReadable("There is no record under these paths.")
    files = _named(found)
    unreadable: list[RecordError] = []
    with TemporaryDirectory(prefix="gamelog-") as folder:
        spool = Path(folder, "records")
        some = _anonymous(files) if anonymous else _whole(files, unreadable)
        held = longest = 0
        try:
            with spool.open("wb") as file:
                for name, data in some:
                    longest = max(longest, file.write(msgspec.json.encode(_packed(name, data)) + b"\n"))
                    held += 1
        except OSError as error:
            raise ArchiveError(f"Rows cannot wait in {folder}: {error.strerror}; make room, or set TMPDIR elsewhere.") from None
        if not held and unreadable:
            raise unreadable[0]
        if not held:
            raise NotReadable(
                "None of these records can be anonymous: they cannot be read to their end, or would be judged otherwise."
            )
        size = _write(spool, longest, os.fspath(out))
    return Packing(held, len(files) - held - len(unreadable), size, tuple(map(str, unreadable)))


def _whole(files: dict[str, Item], unreadable: list[RecordError]) -> Iterator[tuple[str, bytes]]:
    names = {item: name for name, item in files.items()}
    for item, data in item_contents(files.values()):
        if isinstance(data, RecordError):
            unreadable.append(data)
        else:
            yield names[item], data


def _anonymous(files: dict[str, Item]) -> Iterator[tuple[str, bytes]]:
    items = list(files.values())
    people = Pseudonyms(None if isinstance(record, RecordError) else record.head for _, record in records(items))
    for at, (_, record) in enumerate(records(items), 1):
        data = None if isinstance(record, RecordError) else anonymous(record, people)
        if data is not None and not isinstance(record, RecordError) and _status(parse_record(data)) == _status(record):
            yield f"{at:0{len(str(len(items)))}}.jsonl", data


def _status(record: Record) -> str | None:
    return assess(record)[1].status


def _write(spool: Path, longest: int, out: str) -> int:
    """Make the pack of a file of `Packed`, whole or not at all, and say how large it is. The `longest` has so many bytes."""
    import duckdb

    far = remote.is_remote(out)
    try:
        with nullcontext(spool.with_name("pack")) if far else placed(out, replace=False) as part, duckdb.connect() as connection:
            # One row group is held at a time when one thread writes them.
            connecting.hush(connection)
            connection.execute("SET threads = 1")
            connection.execute(_copy(connecting.quoted(connecting.literal(spool)), longest, connecting.quoted(part)))
            size = part.stat().st_size
        if far:
            remote.put(part, out)
    except (FileExistsError, Exists):
        raise _taken(out) from None
    except WriteFailed as error:
        raise ArchiveError(str(error)) from None
    except (OSError, duckdb.Error) as error:
        raise ArchiveError(f"{out} cannot be written: {connecting.reason(error)}.") from None
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
    record = parse_record(data, name)
    _, judgement = assess(record)
    game = game_row(record.header, judgement, name, "") if record.header else None
    lines = strip(data, record) if record.problem is None else None
    if lines is None:
        return Packed(name, len(data), None, None, b64encode(data).decode(), game)
    return Packed(name, len(data), record.head, lines, None, game)


def _copy(spool: str, longest: int, part: str) -> str:
    """The statement that makes a pack of a file of `Packed`."""
    columns = [column for column in schema.TABLES["games"].columns if column.name not in DERIVED]
    game = ", ".join(f"{column.name} {column.sql}" for column in columns)
    kept = ", ".join(f"game.{column.name} AS {column.name}" for column in columns if column.name != "head")
    return f"""
        COPY (
          SELECT name, size, head, {kept}, lines, from_base64(raw) AS raw
          FROM read_json({spool}, format = 'newline_delimited', maximum_object_size = {max(longest + 1, BUFFER)}, columns = {{
            name: 'VARCHAR', size: 'BIGINT', head: 'VARCHAR', lines: 'VARCHAR', raw: 'VARCHAR', game: 'STRUCT({game})'
          }})
        ) TO {part} (
          FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 13, ROW_GROUP_SIZE_BYTES '{_GROUP}',
          KV_METADATA {{{MARK}: '{PACK_VERSION.decode()}'}}
        )"""


def unpack(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> Unpacked:
    """Write every record of a pack to its name below `folder`, byte for byte; those that cannot be taken out are told of.

    Links below `folder` are not followed. Raises `NotReadable` or `Damaged` for the pack, and `ArchiveError` when a
    file exists already or a folder is a link (then nothing was written), or something cannot be written.
    """
    with Pack(path) as pack:
        targets = {name: Path(folder, name) for name in pack.sizes()}
        taken = next((target for target in targets.values() if os.path.lexists(target)), None)
        if taken:
            raise ArchiveError(f"{taken} exists already; unpack into an empty folder.")
        for below in {below for name in targets for below in list(PurePosixPath(name).parents)[:-1]}:
            if os.path.islink(Path(folder, below)):
                raise ArchiveError(f"{Path(folder, below)} leads elsewhere; unpack into an empty folder.")
        written, unreadable = 0, []
        for name, data in pack.items():
            if isinstance(data, RecordError):
                unreadable.append(str(data))
                continue
            try:
                targets[name].parent.mkdir(parents=True, exist_ok=True)
                with targets[name].open("xb") as file:
                    file.write(data)
            except OSError as error:
                raise ArchiveError(f"{targets[name]} cannot be written: {error.strerror}.") from None
            written += 1
    return Unpacked(written, tuple(unreadable))
