"""The worker: records in, rows out. The same function runs here, in a pool, and on a cluster."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from importlib.metadata import entry_points

import msgspec
from msgspec import Struct, structs

from gamelog import __version__
from gamelog.archive import schema
from gamelog.archive.rows import rows
from gamelog.archive.schema import Rows
from gamelog.archive.sources import Item, records
from gamelog.errors import RecordError
from gamelog.play.findings import Finding
from gamelog.play.registry import GROUP
from gamelog.play.verify import Replay, Verdict, replay, verdict
from gamelog.record.reading import Record

CRASHED = "archive.crashed"
"""A game's code failed on the record; that is no fault of the record's."""

KILLED = "archive.killed"
"""The process that judged the record ended without a word (out of memory, a crash in native code)."""

ENDED = "judging this record ended the process that did it (out of memory, or a crash in native code)"


Lines = dict[str, bytes]
"""Rows as JSON lines, by table."""

_encoder = msgspec.json.Encoder()
_judges_of_rows = {table: msgspec.json.Decoder(row) for table, row in schema.ROWS.items() if table != "events"}
"""Events are left out: what stands in them has been decoded, and is not of a game's making."""


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
    file, found = _unread(item, KILLED, ENDED, "unknown")
    return Judged([file], found)


def assess(record: Record) -> tuple[Replay, Verdict]:
    """A record, folded and judged. Raises nothing, whatever the game's code does."""
    try:
        replayed = replay(record)
        return replayed, verdict(replayed)
    except Exception as error:
        return _crashed(record, error)


def _crashed(record: Record, error: Exception) -> tuple[Replay, Verdict]:
    said = f"{type(error).__name__}: {error}".encode(errors="backslashreplace").decode()
    replayed = Replay(record, None, [], [Finding(CRASHED, f"the game's code failed on this record: {said}")])
    return replayed, structs.replace(verdict(replayed), status="unknown", valid=False)


def _judge(item: Item, record: Record | RecordError) -> tuple[schema.File, Lines]:
    if item.name != item.path:
        return _unread(
            item, "record.unreadable", "the file's name is not UTF-8, so no archive can hold it; rename the file", "damaged"
        )
    if isinstance(record, RecordError):
        return _unread(item, record.code, str(record).rstrip("."), "damaged")
    replayed, judgement = assess(record)
    try:
        told = _lines(rows(replayed, judgement, item.path, item.member))
    except Exception as error:  # whatever a game says of its play, the other records go on
        replayed, judgement = _crashed(record, error)
        told = _lines(rows(replayed, judgement, item.path, item.member))
    return _file(item, record, judgement.status), told


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
