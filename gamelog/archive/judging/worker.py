"""The worker: records in, rows out. The same function runs here, in a pool, and on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from gamelog.archive.judging.judge_versions import JUDGE_OF_NONE, judge_of
from gamelog.archive.rows.record_rows import RecordRows, RowBatch, rows
from gamelog.archive.schema import tables as schema
from gamelog.archive.sources.items import NAMELESS, Item, records
from gamelog.errors import GamelogError, NotReadable, ReadFailed, RecordError, own_words
from gamelog.finding import Finding
from gamelog.play.contract.registry import distribution, find
from gamelog.play.fold import game_errors
from gamelog.play.judging.replay import FoldedRecord, gc_paused, replay
from gamelog.play.judging.verdict import Verdict, verdict
from gamelog.record.reading import Record

if TYPE_CHECKING:
    from gamelog.archive.rows.arrow import Batch

CRASHED = "archive.crashed"
"""What a game's code told of the record fits no table, or it failed in nobody's code;
that is not a fault of the record's.
"""

KILLED = "archive.killed"
"""The process that judged the record ended without a word (out of memory, a crash in native code)."""

OUT_OF_TIME = "archive.timeout"
"""Judging the record took longer than one record may."""

OUT_OF_MEMORY = "archive.memory"
"""Judging the record took more memory than one record may."""

STRANGE_NAME = "archive.name"
"""The file's name is not UTF-8, so no archive can hold it."""

UNREAD = "unread"
"""Status of a record of which nothing is known, for it could not be read."""

FAILED = (NotReadable.code, ReadFailed.code, KILLED, OUT_OF_TIME, OUT_OF_MEMORY)
"""Findings that say nothing of the record itself:
what failed may go well the next time, so every run tries it again.
"""


class Judged(Struct, frozen=True):
    """What came of some records: each file's row, the other tables' rows, path and member of what failed."""

    files: list[schema.FileRow]
    batches: list[dict[str, Batch]]
    failed: list[tuple[str, str]] = []


def judge(batch: Sequence[Item]) -> Judged:
    """Judge every record of `batch`.

    Raises nothing for what a record contains, nor for what a game's code does with it; `MemoryError` when
    there is too little.
    """
    with gc_paused():
        return _judge(batch)


def _judge(batch: Sequence[Item]) -> Judged:
    files: list[schema.FileRow] = []
    failed: list[tuple[str, str]] = []
    collected = RowBatch()
    for item, record in records(batch):
        file, told = _tell(item, record)
        files.append(file)
        collected.add(told)
        if isinstance(record, NotReadable):
            failed.append((file.path, file.member))
    try:
        return Judged(files, [collected.batches()], failed)
    except MemoryError:
        raise
    except Exception as error:  # a value of some game's making that no column holds
        if len(batch) == 1:
            return _unfit(batch[0], error)
        parts = [_judge([item]) for item in batch]
        return Judged(
            [file for part in parts for file in part.files],
            [some for part in parts for some in part.batches],
            [name for part in parts for name in part.failed],
        )


def failed(item: Item, error: Exception) -> Judged:
    """What comes of a record whose judge ran out of time or memory, or died over it."""
    code, text = why_failed(item, error)
    judged = _alone(*_unread(item, code, text, "unknown"))
    return Judged(judged.files, judged.batches, [(item.name, item.member)])


def why_failed(item: Item, error: Exception) -> tuple[str, str]:
    """The code and the words of that, with whose game it was."""
    whose = _whose(item)
    if isinstance(error, TimeoutError):
        return (
            OUT_OF_TIME,
            f"judging this record took longer than it may{whose}; allow more with --record-seconds",
        )
    if isinstance(error, MemoryError):
        return (
            OUT_OF_MEMORY,
            f"judging this record took more memory than it may{whose}; allow more with --record-memory",
        )
    return (
        KILLED,
        "judging this record ended the process that did it, out of memory or by a crash in native "
        f"code{whose}",
    )


def _whose(item: Item) -> str:
    """Whose code judged a record, as far as its header says, to be put into a sentence."""
    try:
        ((_, record),) = records([item])
    except GamelogError:
        return ""
    return "" if isinstance(record, RecordError) else _whose_game(record)


def _whose_game(record: Record) -> str:
    """Return the same of a record that was read."""
    try:
        game = find(record.header.game, record.header.rules) if record.header else None
    except GamelogError:
        return ""
    return f" (the game {game.title} comes with {distribution(game)})" if game else ""


def _unfit(item: Item, error: Exception) -> Judged:
    """What comes of a record when its game told of its play what the tables cannot hold."""
    ((_, record),) = records([item])
    if isinstance(record, RecordError):  # it has changed meanwhile
        return _alone(*_tell(item, record))
    return _alone(*_told(item, *_crashed(record, error)))


def _alone(file: schema.FileRow, told: RecordRows) -> Judged:
    collected = RowBatch()
    collected.add(told)
    return Judged([file], [collected.batches()])


def assess(record: Record) -> tuple[FoldedRecord, Verdict]:
    """A record, folded and judged. Raises nothing, whatever the game's code does."""
    try:
        replayed = replay(record)
        return replayed, verdict(replayed)
    except MemoryError:  # there is less of it than the record needs, which others may have
        raise
    except Exception as error:
        return _crashed(record, error)


def _crashed(record: Record, error: Exception) -> tuple[FoldedRecord, Verdict]:
    failed = game_errors.describe_failure(error)
    found = (
        Finding.of(game_errors.BROKEN, failed)
        if failed
        else Finding(
            CRASHED, f"the game's code failed on this record{_whose_game(record)}: {own_words(error)}"
        )
    )
    replayed = FoldedRecord(record, None, [], [found])
    return replayed, structs.replace(verdict(replayed), status="unknown", valid=False)


def _tell(item: Item, record: Record | RecordError) -> tuple[schema.FileRow, RecordRows]:
    if item.name != item.path:
        return _unread(
            item,
            STRANGE_NAME,
            NAMELESS,
            "damaged",
        )
    if isinstance(record, RecordError):
        status = UNREAD if isinstance(record, NotReadable) else "damaged"
        return _unread(item, record.code, str(record).rstrip("."), status)
    try:
        return _told(item, *assess(record))
    except MemoryError:
        raise
    except Exception as error:  # whatever a game says of its play, the other records go on
        return _told(item, *_crashed(record, error))


def _told(item: Item, replayed: FoldedRecord, judgement: Verdict) -> tuple[schema.FileRow, RecordRows]:
    return _file(item, replayed.record, judgement.status or "unknown"), rows(
        replayed, judgement, item.path, item.member
    )


def _unread(item: Item, code: str, text: str, status: str) -> tuple[schema.FileRow, RecordRows]:
    finding = schema.FindingRow(path=item.name, member=item.member, code=code, severity="error", message=text)
    return _file(item, None, status), RecordRows({"findings": [finding]})


def _file(item: Item, record: Record | None, status: str) -> schema.FileRow:
    header = record.header if record else None
    return schema.FileRow(
        path=item.name,
        member=item.member,
        size=item.size,
        mtime_ns=item.mtime_ns,
        id=header.id if header else None,
        game=header.game if header else None,
        head=record.head if record else None,
        events=len(record.bodies) if record else 0,
        status=status,
        judge=judge_of(header.game) if header else JUDGE_OF_NONE,
    )
