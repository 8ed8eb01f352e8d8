"""The worker: records in, rows out. The same function runs here, in a pool, and on a cluster."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from gamelog import __version__
from gamelog.archive import schema
from gamelog.archive.pile import Pile, Told
from gamelog.archive.rows import rows
from gamelog.archive.sources import Item, records
from gamelog.errors import RecordError
from gamelog.play import blame
from gamelog.play.findings import Finding
from gamelog.play.registry import GROUP
from gamelog.play.verify import Replay, Verdict, replay, verdict
from gamelog.record.reading import Record

if TYPE_CHECKING:
    from gamelog.archive.arrow import Batch

CRASHED = "archive.crashed"
"""What a game's code told of the record fits no table, or it failed in nobody's code; that is no fault of the record's."""

KILLED = "archive.killed"
"""The process that judged the record ended without a word (out of memory, a crash in native code)."""

ENDED = "judging this record ended the process that did it (out of memory, or a crash in native code)"


class Judged(Struct):
    """What came of some records: each file's row, and the other tables' rows."""

    files: list[schema.File]
    batches: list[dict[str, Batch]]


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
    with _no_search_for_cycles():
        return _judge(batch)


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """A batch has a great many objects and no cycles of ours, and Python's search for them up to a sixteenth of the time."""
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()


def _judge(batch: Sequence[Item]) -> Judged:
    files: list[schema.File] = []
    pile = Pile()
    for item, record in records(batch):
        file, told = _tell(item, record)
        files.append(file)
        pile.add(told)
    try:
        return Judged(files, [pile.batches()])
    except Exception as error:  # a value of some game's making that no column holds
        if len(batch) == 1:
            return _unfit(batch[0], error)
        parts = [_judge([item]) for item in batch]
        return Judged([file for part in parts for file in part.files], [some for part in parts for some in part.batches])


def killed(item: Item) -> Judged:
    """What comes of a record whose judge died over it."""
    return _alone(*_unread(item, KILLED, ENDED, "unknown"))


def _unfit(item: Item, error: Exception) -> Judged:
    """What comes of a record when its game told of its play what the tables cannot hold."""
    ((_, record),) = records([item])
    if isinstance(record, RecordError):  # it has changed meanwhile
        return _alone(*_tell(item, record))
    return _alone(*_told(item, *_crashed(record, error)))


def _alone(file: schema.File, told: Told) -> Judged:
    pile = Pile()
    pile.add(told)
    return Judged([file], [pile.batches()])


def assess(record: Record) -> tuple[Replay, Verdict]:
    """A record, folded and judged. Raises nothing, whatever the game's code does."""
    try:
        replayed = replay(record)
        return replayed, verdict(replayed)
    except Exception as error:
        return _crashed(record, error)


def _crashed(record: Record, error: Exception) -> tuple[Replay, Verdict]:
    said = f"{type(error).__name__}: {error}".encode(errors="backslashreplace").decode()
    failed = blame.failure(error)
    found = Finding(blame.BROKEN, failed) if failed else Finding(CRASHED, f"the game's code failed on this record: {said}")
    replayed = Replay(record, None, [], [found])
    return replayed, structs.replace(verdict(replayed), status="unknown", valid=False)


def _tell(item: Item, record: Record | RecordError) -> tuple[schema.File, Told]:
    if item.name != item.path:
        return _unread(
            item, "record.unreadable", "the file's name is not UTF-8, so no archive can hold it; rename the file", "damaged"
        )
    if isinstance(record, RecordError):
        return _unread(item, record.code, str(record).rstrip("."), "damaged")
    try:
        return _told(item, *assess(record))
    except Exception as error:  # whatever a game says of its play, the other records go on
        return _told(item, *_crashed(record, error))


def _told(item: Item, replayed: Replay, judgement: Verdict) -> tuple[schema.File, Told]:
    return _file(item, replayed.record, judgement.status or "unknown"), rows(replayed, judgement, item.path, item.member)


def _unread(item: Item, code: str, text: str, status: str) -> tuple[schema.File, Told]:
    finding = schema.Finding(path=item.name, member=item.member, code=code, severity="error", message=text)
    return _file(item, None, status), Told({"findings": [finding]})


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
