"""Functions that turn records into verdicts and rows, in this process, in a pool or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from gamelog.archive.rows.record_rows import RecordRows, RowBatch, record_rows
from gamelog.archive.schema import tables
from gamelog.archive.sources.items import NAMELESS, Item, read_records
from gamelog.archive.workers.batch_workers import RecordLimits, Workers
from gamelog.archive.workers.judge_versions import JUDGE_OF_NONE, judge_version_of
from gamelog.errors import GamelogError, NotReadable, ReadFailed, RecordError
from gamelog.finding import Finding
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import distribution_of, find
from gamelog.play.fold import game_errors
from gamelog.play.judging.fold_record import FoldedRecord, fold_record, gc_paused
from gamelog.play.judging.verdict import Verdict, unreadable_verdict, verdict
from gamelog.record.reading import Record

if TYPE_CHECKING:
    from gamelog.archive.rows.arrow import Batch

CRASHED = "archive.crashed"
"""Code of a finding: the code failed on the record, or the game gave values that no table can hold."""

_KILLED = "archive.killed"
"""Code of a finding: the process that judged the record ended (out of memory, or a crash in native code)."""

_OUT_OF_TIME = "archive.timeout"
"""Code of a finding: judging the record exceeded the time limit for one record."""

_OUT_OF_MEMORY = "archive.memory"
"""Code of a finding: judging the record exceeded the memory limit for one record."""

STRANGE_NAME = "archive.name"
"""Code of a finding: the file's name is not UTF-8, so no archive can store it."""

_UNREAD = "unread"
"""Status of a record that could not be read."""

FAILED = (NotReadable.code, ReadFailed.code, _KILLED, _OUT_OF_TIME, _OUT_OF_MEMORY)
"""Codes of findings that are not about the record itself, so every run tries these records again."""


class Judged(Struct, frozen=True):
    """The result of judging some records.

    Attributes:
        files: The row of each file.
        batches: The rows of all other tables.
        failed_records: Path and member of each record that could not be judged.
    """

    files: list[tables.FileRow]
    batches: list[dict[str, Batch]]
    failed_records: list[tuple[str, str]] = []


def judge(batch: Sequence[Item]) -> Judged:
    """Judge every record of `batch`. A bad record and a failing game raise no error.

    Raises:
        MemoryError: The memory is full.
    """
    with gc_paused():
        return _judge(batch)


def _judge(batch: Sequence[Item]) -> Judged:
    """Return the files and rows of `batch`. A record whose rows do not fit the columns has none."""
    files: list[tables.FileRow] = []
    failed: list[tuple[str, str]] = []
    collected = RowBatch()
    for item, record in read_records(batch):
        file, rows = _rows_of(item, record)
        files.append(file)
        collected.add(rows)
        if isinstance(record, NotReadable):
            failed.append((file.path, file.member))
    try:
        return Judged(files, [collected.batches()], failed)
    except MemoryError:
        raise
    except Exception as error:  # a game gave a value that no column can hold
        if len(batch) == 1:
            return _result_without_rows(batch[0], error)
        parts = [_judge([item]) for item in batch]
        return Judged(
            [file for part in parts for file in part.files],
            [batch_rows for part in parts for batch_rows in part.batches],
            [name for part in parts for name in part.failed_records],
        )


def judge_failure(item: Item, error: Exception) -> Judged:
    """Return the result for a record whose judge ran out of time or memory, or died."""
    code, text = failure_finding(item, error)
    judged = _single_result(*_unread_rows(item, code, text, "unknown"))
    return Judged(judged.files, judged.batches, [(item.name, item.member)])


def failure_finding(item: Item, error: Exception) -> tuple[str, str]:
    """Return the code and the message of the finding on a failed judge, with the distribution of the game."""
    origin = _game_origin(item)
    if isinstance(error, TimeoutError):
        return (
            _OUT_OF_TIME,
            f"judging this record exceeded the time limit{origin}; raise the limit to judge it",
        )
    if isinstance(error, MemoryError):
        return (
            _OUT_OF_MEMORY,
            f"judging this record exceeded the memory limit{origin}; raise the limit to judge it",
        )
    return (
        _KILLED,
        f"the process that judged this record ended, out of memory or by a crash in native code{origin}",
    )


def verdicts(
    items: Sequence[Item],
    jobs: int | None = 1,
    executor: Executor | None = None,
    limits: RecordLimits | None = None,
) -> Iterator[Verdict]:
    """Yield the verdict on each of `items`, in the same order.

    Raises nothing for the content of a record. If a record ends the process that judges it, or exceeds
    `limits`, the verdict has a finding. Without `limits`, with 1 job and no executor, this process judges and
    there are no limits.

    Args:
        items: The records.
        jobs: The number of processes. 1: this process; None: one for each core from 200 items on.
        executor: An executor that judges instead, such as a `cluster`.
        limits: Limits on the time and memory for one record.
    """
    with Workers(jobs, executor, limits) as workers:
        yield from workers.map_items(_verdicts, _failed_verdict, items)


def _verdicts(batch: Sequence[Item]) -> Iterator[Verdict]:
    for item, record in read_records(batch):
        yield unreadable_verdict(item.place, record) if isinstance(record, RecordError) else assess(record)[1]


def _failed_verdict(item: Item, error: Exception) -> Verdict:
    finding = Finding(*failure_finding(item, error))
    return Verdict(item.place, None, None, "unknown", False, None, None, None, None, None, (finding,))


def _game_origin(item: Item) -> str:
    """Return a clause on the distribution whose code judged a record, as far as its header shows it."""
    try:
        ((_, record),) = read_records([item])
    except GamelogError:
        return ""
    return "" if isinstance(record, RecordError) else _origin_clause(record)


def _origin_clause(record: Record) -> str:
    game = _game_of(record)
    return f" (the game {game.title} comes with {distribution_of(game)})" if game else ""


def _game_of(record: Record) -> AnyGame | None:
    """Return the game of `record`, or None if it is not installed or does not load."""
    try:
        return find(record.header.game, record.header.rules) if record.header else None
    except GamelogError:
        return None


def _result_without_rows(item: Item, error: Exception) -> Judged:
    """Return the result for a record whose game gave values that the tables cannot hold."""
    ((_, record),) = read_records([item])
    if isinstance(record, RecordError):  # it has changed meanwhile
        return _single_result(*_rows_of(item, record))
    return _single_result(*_judged_rows(item, *_crash_verdict(record, error)))


def _single_result(file: tables.FileRow, rows: RecordRows) -> Judged:
    collected = RowBatch()
    collected.add(rows)
    return Judged([file], [collected.batches()])


def assess(record: Record) -> tuple[FoldedRecord, Verdict]:
    """Fold and judge a record. A bad record and a failing game raise no error.

    Raises:
        MemoryError: The memory is full.
    """
    try:
        folded = fold_record(record)
        return folded, verdict(folded)
    except MemoryError:  # a worker with more memory may judge the record
        raise
    except Exception as error:
        return _crash_verdict(record, error)


def _crash_verdict(record: Record, error: Exception) -> tuple[FoldedRecord, Verdict]:
    """Return the fold and the verdict of a record on which the game's code failed."""
    failure = game_errors.describe_failure(error)
    words = game_errors.error_text(error, _game_of(record))
    finding = (
        Finding.of(game_errors.BROKEN, failure)
        if failure
        else Finding(
            CRASHED,
            f"the game's code failed on this record{_origin_clause(record)}: {words}",
        )
    )
    folded = FoldedRecord(record, None, [], [finding])
    return folded, structs.replace(verdict(folded), status="unknown", valid=False)


def _rows_of(item: Item, record: Record | RecordError) -> tuple[tables.FileRow, RecordRows]:
    """Return the file's row and the other rows of one record, or its finding if it was not judged."""
    if item.name != item.path:
        return _unread_rows(
            item,
            STRANGE_NAME,
            NAMELESS,
            "damaged",
        )
    if isinstance(record, RecordError):
        status = _UNREAD if isinstance(record, NotReadable) else "damaged"
        return _unread_rows(item, record.code, str(record).rstrip("."), status)
    try:
        return _judged_rows(item, *assess(record))
    except MemoryError:
        raise
    except Exception as error:  # an error in a game's code must not stop the other records
        return _judged_rows(item, *_crash_verdict(record, error))


def _judged_rows(item: Item, folded: FoldedRecord, judgement: Verdict) -> tuple[tables.FileRow, RecordRows]:
    file = _file(item, folded.record, judgement.status or "unknown")
    if folded.hides_secrets:  # a digest or a size could confirm a guess
        file.head = file.size = None
    return file, record_rows(folded, judgement, item.path, item.member)


def _unread_rows(item: Item, code: str, text: str, status: str) -> tuple[tables.FileRow, RecordRows]:
    finding = tables.FindingRow(path=item.name, member=item.member, code=code, severity="error", message=text)
    return _file(item, None, status), RecordRows({"findings": [finding]})


def _file(item: Item, record: Record | None, status: str) -> tables.FileRow:
    """Return the row of the record's file. Without a record, it has no facts about the content."""
    header = record.header if record else None
    return tables.FileRow(
        path=item.name,
        member=item.member,
        size=item.size,
        mtime_ns=item.mtime_ns,
        id=header.id if header else None,
        game=header.game if header else None,
        head=record.head if record else None,
        events=len(record.bodies) if record else 0,
        status=status,
        judge=judge_version_of(header.game) if header else JUDGE_OF_NONE,
    )
