"""The worker: records in, rows out. The same function runs here, in a pool, and on a cluster."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.metadata import entry_points
from itertools import groupby

import msgspec
from msgspec import Struct, structs

from gamelog import __version__
from gamelog.archive import remote, schema
from gamelog.archive.packs import Pack, is_pack
from gamelog.archive.rows import rows
from gamelog.archive.schema import Rows
from gamelog.errors import NotReadable, RecordError
from gamelog.play.findings import Finding
from gamelog.play.registry import GROUP
from gamelog.play.verify import Replay, replay, verdict
from gamelog.record.reading import Record, parse, read

CRASHED = "archive.crashed"
"""A game's code failed on the record; that is no fault of the record's."""

KILLED = "archive.killed"
"""The process that judged the record ended without a word (out of memory, a crash in native code)."""


Lines = dict[str, bytes]
"""Rows as JSON lines, by table."""

_encoder = msgspec.json.Encoder()
_judges_of_rows = {table: msgspec.json.Decoder(row) for table, row in schema.ROWS.items() if table != "events"}
"""Events are left out: what stands in them has been decoded, and is not of a game's making."""


class Item(Struct, frozen=True):
    """A record to judge: its file (with size in bytes and time of the last change in ns), and its name if that is a pack.

    ``weight`` is how many bytes judging it means.
    """

    path: str
    size: int
    mtime_ns: int
    member: str = ""
    weight: int = 0

    @property
    def name(self) -> str:
        """The path as text: bytes that are no UTF-8 are written as escapes."""
        return os.fsencode(self.path).decode("utf-8", "backslashreplace")


class Judged(Struct):
    """What came of a batch: a row for each file, and the other tables' rows as JSON lines."""

    files: list[schema.File]
    lines: Lines


@cache
def judges() -> dict[str, str]:
    """For each installed game, which software judges its records: this package's version and the game's distribution."""
    found: dict[str, list[str]] = defaultdict(list)
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        origin = f"{point.dist.name} {point.dist.version}" if point.dist else "?"
        found[point.name.partition("@")[0]].append(f"{point.name} of {origin}")
    return {game: f"{judge_of_none()}, {', '.join(points)}" for game, points in found.items()}


def judge_of_none() -> str:
    """Who judges records of games that are not installed."""
    return f"gamelog {__version__}"


def place(item: Item) -> str:
    """Where a record lies, for people."""
    return f"{item.path}:{item.member}" if item.member else item.path


def records(batch: Iterable[Item]) -> Iterator[tuple[Item, Record | RecordError]]:
    """Each item with its record, or why it cannot be read. A pack is opened once for items that follow one another."""
    for (path, _), group in groupby(batch, _source):
        items = list(group)
        if not path:
            yield from zip(items, remote.read([item.path for item in items]), strict=True)
        elif items[0].member or is_pack(path):
            yield from _from_pack(path, items)
        else:
            for item in items:
                try:
                    yield item, read(path)
                except RecordError as error:
                    yield item, error


def _source(item: Item) -> tuple[str, str]:
    """What is read together: the records of one pack, or those of one remote store."""
    return ("", item.path.partition("://")[0]) if remote.is_remote(item.path) else (item.path, "")


def _from_pack(path: str, items: list[Item]) -> Iterator[tuple[Item, Record | RecordError]]:
    try:
        with Pack(path) as pack:
            found = pack.load([item.member for item in items])
            for item in items:
                data = found.get(item.member)
                yield item, NotReadable(f"{place(item)} is gone.") if data is None else parse(data, place(item))
    except RecordError as error:
        if len(items) == 1:
            yield items[0], error
            return
        for item in items:  # one bad record shall not spoil the others
            yield from _from_pack(path, [item])


def judge(batch: Sequence[Item]) -> Judged:
    """Judge every record of `batch`. Raises nothing for what a record contains, nor for what a game's code does with it."""
    files: list[schema.File] = []
    lines: dict[str, list[bytes]] = defaultdict(list)
    for item, record in records(batch):
        file, told = _judge(item, record)
        files.append(file)
        for table, some in told.items():
            lines[table].append(some)
    return Judged(files, {table: b"".join(some) for table, some in lines.items()})


def killed(item: Item) -> Judged:
    """What comes of a record whose judge died over it."""
    text = "judging this record ended the process that did it (out of memory, or a crash in native code)"
    file, found = _unread(item, KILLED, text, "unknown")
    return Judged([file], found)


def _judge(item: Item, record: Record | RecordError) -> tuple[schema.File, Lines]:
    if item.name != item.path:
        return _unread(
            item, "record.unreadable", "the file's name is not UTF-8, so no archive can hold it; rename the file", "damaged"
        )
    if isinstance(record, RecordError):
        return _unread(item, record.code, str(record).rstrip("."), "damaged")
    try:
        replayed = replay(record)
        judgement = verdict(replayed)
        return _file(item, record, judgement.status), _lines(rows(replayed, judgement, item.path, item.member))
    except Exception as error:  # whatever a game's code does, the other records go on
        said = f"{type(error).__name__}: {error}".encode(errors="backslashreplace").decode()
        text = f"the game's code failed on this record: {said}"
        replayed = Replay(record, None, [], [Finding(CRASHED, text)])
        judgement = structs.replace(verdict(replayed), status="unknown")
        return _file(item, record, "unknown"), _lines(rows(replayed, judgement, item.path, item.member))


def _unread(item: Item, code: str, text: str, status: str) -> tuple[schema.File, Lines]:
    finding = schema.Finding(path=item.name, member=item.member, code=code, severity="error", message=text)
    return _file(item, None, status), _lines({"findings": [finding]})


def _file(item: Item, record: Record | None, status: str) -> schema.File:
    header = record.header if record else None
    return schema.File(
        path=item.name,
        member=item.member,
        size=item.size,
        mtime_ns=item.mtime_ns,
        id=header.id if header else None,
        game=header.game if header else None,
        head=record.head if record else None,
        events=len(record.bodies) if record else 0,
        status=status,
        judge=judges().get(header.game, judge_of_none()) if header else judge_of_none(),
    )


def _lines(tables: Rows) -> Lines:
    """The rows as JSON lines. Raises `msgspec.ValidationError` for one, of a game's making, that its table cannot hold."""
    lines = {table: _encoder.encode_lines(some) for table, some in tables.items() if some}
    for table, text in lines.items():
        if table in _judges_of_rows:
            _judges_of_rows[table].decode_lines(text)
    return lines
